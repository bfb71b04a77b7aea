"""``litstool reach``: whether legal play can lead to a position that satisfies conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    SEED,
    ascii_option,
    complete_from,
    complete_position,
    load_at,
    ply_option,
    subcommand,
    threads_option,
    time_limit_option,
)
from litstool.draw.picture import Picture
from litstool.errors import UsageError
from litstool.files.reading import Source, exists
from litstool.files.writing import check_outputs
from litstool.game import AnyRoom
from litstool.proofs import check_proof
from litstool.say import reached
from litstool.say.moves import replay
from litstool.say.position import snapshot_of
from litstool.search.asking import DECIDE, Forced, ListAll, Means, Optimise, Questions, Wish
from litstool.search.conditions import Written, whole_number
from litstool.search.control import Control
from litstool.terminal.printing import INTERRUPTED, NO, UNDECIDED, YES, note, print_json
from litstool.terminal.progress import progress_line, shortened
from litstool.terminal.screen import drawn


def _whole(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise click.BadParameter(f"{shortened(text, 40)!r} is not a valid integer")
    return number


_LISTED = 1000
_AIMS = ["pieces", "margin", "passes"]


@subcommand("reach")
@ascii_option
@click.argument("argument", metavar="POSITION", required=False, shell_complete=complete_position)
@ply_option
@click.option("--to", "target_argument", metavar="TARGET", help="A grid that must be matched.")
@click.option("--pieces", type=_whole, metavar="N", help="So many pieces on the board.")
@click.option("--at-least", type=_whole, metavar="N", help="At least so many pieces.")
@click.option("--at-most", type=_whole, metavar="N", help="At most so many pieces.")
@click.option(
    "--finished/--unfinished", default=None, help="No legal placement is left, or one is."
)
@click.option(
    "--winner",
    metavar="SIDE",
    help="Finished and won by X or O; Mijnlieff: Light, Dark or draw.",
    shell_complete=complete_from("X", "O", "Light", "Dark", "draw"),
)
@click.option("--margin", type=_whole, metavar="N", help="X's (Light's) margin is at least N.")
@click.option(
    "--score", metavar="N,N", help="Exactly these scores: 12,9, or X=12,O=9; one of them: X=12."
)
@click.option("--passes", type=_whole, metavar="N", help="Mijnlieff: at least so many passes.")
@click.option("--include", metavar="MOVE", multiple=True, help="This piece is on the board.")
@click.option("--exclude", metavar="MOVE", multiple=True, help="This piece is not.")
@click.option("--covered", metavar="CELLS", multiple=True, help="These cells are covered.")
@click.option("--uncovered", metavar="CELLS", multiple=True, help="These cells are not.")
@click.option("--maximize", type=click.Choice(_AIMS), help="The most there can be.")
@click.option("--minimize", type=click.Choice(_AIMS), help="The least.")
@click.option("--all", "list_all", is_flag=True, help="Count and list the final sets of pieces.")
@click.option(
    "--limit", type=int, metavar="N", help=f"With --all: stop after N (default {_LISTED})."
)
@click.option("--forced", is_flag=True, help="What every answer has in common, and what none has.")
@click.option(
    "--dimacs", type=click.Path(path_type=Path), metavar="FILE", help="Write the formula."
)
@click.option(
    "--proof",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a proof that there is no (better, other) answer.",
)
@click.option(
    "--check-proof",
    "proof_to_check",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="CNF PROOF",
    help="Check a proof against its formula; nothing else is asked.",
)
@time_limit_option
@click.option("--method", metavar="NAME", help="Connectivity: lazy, elimination or levels.")
@click.option("--solver", metavar="NAME", help="A solver of python-sat, such as cadical153.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Another order of search.")
@threads_option("Solvers that look for an answer side by side.")
@click.option(
    "--memory",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="Stop when the search has taken more.",
)
def command(
    argument: str | None,
    proof_to_check: tuple[Path, Path] | None,
    ply: int | None,
    target_argument: str | None,
    maximize: str | None,
    minimize: str | None,
    list_all: bool,
    limit: int | None,
    forced: bool,
    time_limit: float | None,
    threads: int,
    memory: int,
    dimacs: Path | None,
    proof: Path | None,
    method: str | None,
    solver: str | None,
    seed: int,
    as_json: bool,
    **conditions: Any,
) -> int:
    """Say whether legal play from POSITION can lead to a position that satisfies the conditions.

    All conditions must hold together.  A yes comes with the play, replayed through the rules.
    TARGET is a grid, a file or one line, of ? any state, + covered, ! X O . uncovered,
    L I T S covered by that shape, # hole; for Mijnlieff S D P L and s d p l are pieces, X any of
    Light's, x any of Dark's, ! or . no piece.

    \b
    Examples:
      litstool reach boxes --finished --pieces 18
      litstool reach boxes --covered a1,j1,a10,j10 --minimize pieces
      litstool reach game.yaml --ply 6 --winner O --margin -3
      litstool reach 4/4/4/4 --to '??+?/?+??/????/+??+' --all
      litstool reach 'mijnlieff 4/4/4/4' --finished --minimize pieces
      litstool reach 5/5/5/5/5 --finished --pieces 1 --dimacs no.cnf --proof no.p
      litstool reach --check-proof no.cnf no.p

    Exit status: 0 possible (and what was asked is proved) or the proof holds, 1 impossible, the
    position is not legal or the proof does not hold, 3 undecided within the limits,
    130 interrupted.
    """
    if proof_to_check is not None:
        return _check_proof(*proof_to_check, as_json)
    if argument is None:
        raise UsageError("missing argument 'POSITION' (see litstool reach --help)")
    source, record = load_at(argument, ply)
    game, position = games.of(record), games.legal_position(source, record)
    if game.questions is None:
        raise UsageError(f"nobody can ask what can be reached in {game.title} yet")
    questions = game.questions()
    wish = _wish(maximize, minimize, list_all, limit, forced)
    target = None
    if target_argument is not None:
        target = _target(target_argument, questions)
    question, asides = questions.question(position, Written(target=target, **conditions))
    check_outputs({"--dimacs": dimacs, "--proof": proof}, [*source.files, target_argument])
    means = Means(method, solver, seed, threads, memory, dimacs, proof)
    with progress_line(reached.progress) as on_progress:
        result = questions.reach(question, wish, means, Control(time_limit, on_progress))
    for text in (*asides, *result.notes):
        note(f"note: {text}")
    for path in result.written:
        note(f"wrote {path}")
    if as_json:
        print_json(reached.document(questions, result))
    else:
        sides = game.sides
        lines = reached.answer(questions, result, sides)
        if result.count is None and result.position is not None:
            lines += _play(game, position, result, questions)
        for line in (*lines, *reached.shared(questions, result), "", reached.effort(result)):
            click.echo(line)
    if result.effort.stopped == "interrupted":
        return INTERRUPTED
    if not result.decided:
        return UNDECIDED
    return YES if result.possible else NO


def _check_proof(formula: Path, proof: Path, as_json: bool) -> int:
    verdict = check_proof(formula, proof)
    if as_json:
        print_json(reached.document_of_proof(verdict))
    else:
        click.echo(reached.proof_checked(verdict))
    return YES if verdict.holds else NO


def _wish(
    maximize: str | None, minimize: str | None, list_all: bool, limit: int | None, forced: bool
) -> Wish:
    """What is wanted.

    :raises UsageError: two things at once, or a limit of no list.
    """
    if limit is not None and not list_all:
        raise UsageError("--limit goes with --all")
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} is out of range: it should be 1 or more")
    wishes: dict[str, Wish] = {}
    if maximize:
        wishes["--maximize"] = Optimise(maximize, 1)
    if minimize:
        wishes["--minimize"] = Optimise(minimize, -1)
    if list_all:
        wishes["--all"] = ListAll(limit or _LISTED)
    if forced:
        wishes["--forced"] = Forced()
    if len(wishes) > 1:
        raise UsageError(f"{' and '.join(wishes)} exclude each other")
    return next(iter(wishes.values()), DECIDE)


def _target(argument: str, questions: Questions[Any, Any, Any, Any]) -> Source:
    if argument != "-" and not exists(argument) and questions.is_target_line(argument):
        return Source("--to", argument)
    return games.find(argument)


def _play(
    game: AnyRoom, start: Any, result: Any, questions: Questions[Any, Any, Any, Any]
) -> list[str]:
    """The moves to the position found, and its picture."""
    moves = [questions.move_text(move) for move in result.moves]
    movers = [side for side, _, _ in replay(game, start, moves)]
    picture = Picture.of(snapshot_of(game.record_of(result.position), []))
    return [*reached.play(movers, moves), "", *drawn(picture)]
