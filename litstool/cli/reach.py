"""``litstool reach``: whether legal play can lead to a position that satisfies conditions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    NO,
    UNDECIDED,
    YES,
    legal_position,
    load_at,
    note,
    ply_option,
    position_argument,
    positive,
    print_json,
    progress_line,
    subcommand,
    use_color,
)
from litstool.errors import LitstoolError, UsageError
from litstool.files import Source
from litstool.grid import Cell, names
from litstool.results import Control, Progress

if TYPE_CHECKING:
    from litstool.lits.placements import Placement
    from litstool.lits.position import Position
    from litstool.lits.questions import Question, Target
    from litstool.lits.reach import ReachResult

_LISTED = 1000


@subcommand("reach")
@position_argument
@ply_option
@click.option("--to", "target_argument", metavar="TARGET", help="A grid that must be matched.")
@click.option("--pieces", type=int, metavar="N", help="So many pieces on the board.")
@click.option("--at-least", type=int, metavar="N", help="At least so many pieces.")
@click.option("--at-most", type=int, metavar="N", help="At most so many pieces.")
@click.option(
    "--finished/--unfinished", default=None, help="No legal placement is left, or one is."
)
@click.option(
    "--winner", type=click.Choice(["X", "O"], case_sensitive=False), help="Finished and won by."
)
@click.option("--margin", type=int, metavar="N", help="X's margin is at least N.")
@click.option("--include", metavar="MOVE", multiple=True, help="This piece is on the board.")
@click.option("--exclude", metavar="MOVE", multiple=True, help="This piece is not.")
@click.option("--covered", metavar="CELLS", multiple=True, help="These cells are covered.")
@click.option("--uncovered", metavar="CELLS", multiple=True, help="These cells are not.")
@click.option("--maximize", type=click.Choice(["pieces", "margin"]), help="The most there can be.")
@click.option("--minimize", type=click.Choice(["pieces", "margin"]), help="The least.")
@click.option("--all", "list_all", is_flag=True, help="Count and list the final sets of pieces.")
@click.option(
    "--limit", type=int, metavar="N", help=f"With --all: stop after N (default {_LISTED})."
)
@click.option("--forced", is_flag=True, help="What every answer has in common, and what none has.")
@click.option("--dimacs", type=click.Path(path_type=Path), metavar="FILE", help="Write the formula.")
@click.option(
    "--proof", type=click.Path(path_type=Path), metavar="FILE", help="Write a proof of a no."
)
@click.option(
    "--time-limit", type=float, callback=positive, metavar="S", help="Stop after S seconds."
)
@click.option("--method", metavar="NAME", help="Connectivity: lazy, elimination or levels.")
@click.option("--solver", metavar="NAME", help="A solver of python-sat, such as cadical153.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another order of search.")
@click.option(
    "--memory",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="Stop when the program holds more.",
)
def command(
    argument: str,
    ply: int | None,
    target_argument: str | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    covered: tuple[str, ...],
    uncovered: tuple[str, ...],
    winner: str | None,
    maximize: str | None,
    minimize: str | None,
    list_all: bool,
    limit: int | None,
    forced: bool,
    dimacs: Path | None,
    proof: Path | None,
    time_limit: float | None,
    method: str | None,
    solver: str | None,
    seed: int,
    memory: int,
    as_json: bool,
    **numbers: Any,
) -> int:
    """Say whether legal play from POSITION can lead to a position that satisfies the conditions.

    All conditions must hold together.  A yes comes with the play, replayed through the rules.
    TARGET is a grid, a file or one line, of ? any state, + covered, ! X O . uncovered,
    L I T S covered by that shape, # hole.

    \b
    Examples:
      litstool reach boxes --finished --pieces 18
      litstool reach boxes --covered a1,j1,a10,j10 --minimize pieces
      litstool reach game.yaml --ply 6 --winner O --margin -3
      litstool reach 4/4/4/4 --to '??+?/?+??/????/+??+' --all
      litstool reach 5/5/5/5/5 --finished --pieces 1 --dimacs no.cnf --proof no.drup

    Exit status: 0 possible (and what was asked is proved), 1 impossible or the position is not
    legal, 3 undecided within the limits, 130 interrupted.
    """
    source, game = load_at(argument, ply)
    if game.game != games.LITS:
        raise UsageError("reach answers questions about Battle of LITS only")
    position = legal_position(source, game)
    if limit is not None and not list_all:
        raise UsageError("--limit goes with --all")

    from litstool.lits import reach as room
    from litstool.lits.questions import Question

    outline = position.pattern.outline
    question = Question(
        position,
        target=_target(target_argument) if target_argument is not None else None,
        winner=winner.upper() if winner else None,
        include=tuple(_placement(text, "--include") for text in include),
        exclude=tuple(_placement(text, "--exclude") for text in exclude),
        covered=outline.mask(_cells(covered, "--covered", position)),
        uncovered=outline.mask(_cells(uncovered, "--uncovered", position)),
        **numbers,
    )
    with progress_line(_progress_text) as on_progress:
        result = room.reach(
            question,
            maximize=maximize,
            minimize=minimize,
            list_all=list_all,
            limit=limit or _LISTED,
            forced=forced,
            control=Control(time_limit, on_progress),
            dimacs=dimacs,
            proof=proof,
            method=method,
            solver=solver,
            seed=seed,
            most_mebibytes=memory,
        )
    for text in result.notes:
        note(f"note: {text}")
    if as_json:
        print_json(_document(result))
    else:
        for line in _lines(result, question):
            click.echo(line)
    if result.effort.stopped == "interrupted":
        return INTERRUPTED
    if not result.decided:
        return UNDECIDED
    return YES if result.possible else NO


# --- reading ----------------------------------------------------------------------------------


def _target(argument: str) -> Target:
    from litstool.lits import targets

    is_file = argument == "-" or Path(argument).exists()
    if not is_file and targets.is_meant_as_line(argument):
        source = Source("--to", argument)
    else:
        source = games.find(argument)
    try:
        return targets.read_target(source)
    except LitstoolError as error:
        raise games.placed(error, source) from None


def _placement(text: str, option: str) -> Placement:
    from litstool.lits.notation import parse_move

    try:
        move = parse_move(text)
    except LitstoolError as error:
        raise UsageError(f"{option}: {error.message}") from None
    if isinstance(move, str):
        raise UsageError(f"{option} takes a piece, not the swap")
    return move


def _cells(texts: tuple[str, ...], option: str, position: Position) -> list[Cell]:
    outline = position.pattern.outline
    cells = []
    for word in re.split(r"[\s,]+", " ".join(texts).strip(", ")):
        cell = Cell.parse(word)
        if word and cell is None:
            raise UsageError(f"{option}: {word!r} is no cell; expected names such as e5,f5")
        if cell is not None:
            if cell not in outline:
                raise UsageError(
                    f"{option}: {word} is not on the board "
                    f"({outline.rows} rows x {outline.columns} columns)"
                )
            cells.append(cell)
    return cells


# --- printing ---------------------------------------------------------------------------------


def _progress_text(progress: Progress) -> str:
    parts = [f"{progress.done:,} solver calls", f"{progress.nodes:,} conflicts"]
    if cuts := getattr(progress, "cuts", 0):
        parts.append(f"{cuts:,} cuts")
    if found := getattr(progress, "found", 0):
        parts.append(f"{found:,} found")
    if progress.best is not None:
        parts.append(f"best {progress.best}")
    if progress.bounds is not None:
        parts.append(f"between {progress.bounds[0]} and {progress.bounds[1]}")
    return ", ".join(parts) + f", {progress.seconds:.0f} s"


def _one_line(position: Position) -> str:
    from litstool.lits import notation

    return notation.write_line(_game(position))


def _game(position: Position) -> Any:
    from litstool.lits.game import Game

    return Game(position.pattern, position.supply, position.pieces, to_move=position.to_move)


def _document(result: ReachResult) -> dict[str, Any]:
    document: dict[str, Any] = {
        "possible": result.possible,
        "moves": [move.notation for move in result.moves],
        "position": _one_line(result.position) if result.position else None,
        "arguments": list(result.arguments),
    }
    if result.optimal is not None:
        document |= {"value": result.value, "bound": result.bound, "optimal": result.optimal}
    if result.count is not None:
        document |= {
            "count": result.count,
            "complete": result.complete,
            "positions": [_one_line(position) for position in result.positions],
        }
    if result.asked_forced:
        for name in ("forced", "never"):
            moves = getattr(result, name)
            document[name] = None if moves is None else [move.notation for move in moves]
        for name in ("forced_cells", "never_cells"):
            cells = getattr(result, name)
            document[name] = None if cells is None else [cell.name for cell in cells]
    if result.effort.stopped:
        document["stopped"] = result.effort.stopped
    document |= {
        "method": result.method,
        "solver": result.solver,
        "calls": result.effort.calls,
        "cuts": result.effort.cuts,
        "conflicts": result.effort.conflicts,
        "seconds": round(result.seconds, 6),
    }
    return document


def _lines(result: ReachResult, question: Question) -> list[str]:
    lines = [_verdict(result)]
    if result.optimal is not None and result.value is not None:
        lines += _lines_of_value(result)
    if result.arguments:
        lines += [f"  {reason}" for reason in result.arguments]
    if result.count is not None:
        more = "" if result.complete else ", and there may be more"
        lines.append(f"{result.count:,} different final sets of pieces{more}")
        lines += [_one_line(position) for position in result.positions]
    elif result.position is not None:
        lines += _lines_of_play(result, question)
    if result.forced is not None:
        lines += _lines_of_forced(result)
    effort = result.effort
    lines += [
        "",
        f"{effort.calls:,} solver calls, {effort.cuts:,} cuts, {effort.conflicts:,} conflicts "
        f"({result.solver}, {result.method}), {result.seconds:.3f} s",
    ]
    return lines


def _verdict(result: ReachResult) -> str:
    if result.possible is None:
        return f"Undecided: stopped by the {result.effort.stopped or 'limits'}."
    return "Possible." if result.possible else "Impossible."


def _lines_of_value(result: ReachResult) -> list[str]:
    what = "pieces" if result.objective == "pieces" else "X's margin"
    if result.optimal:
        return [f"Best: {what} {result.value}, proved."]
    return [f"Best found: {what} {result.value}; proved that it is no better than {result.bound}."]


def _lines_of_play(result: ReachResult, question: Question) -> list[str]:
    from litstool.draw import terminal

    position = result.position
    assert position is not None
    first = len(question.position.pieces)
    lines = [""] if result.moves else ["The position itself satisfies the conditions."]
    for number, move in enumerate(result.moves, first + 1):
        lines.append(f"  {number:>2}. {'X' if number % 2 else 'O'}  {move.notation}")
    picture = games.drawing(games.LITS).picture(_game(position), [])
    return [*lines, "", *terminal.lines(picture, use_color())]


def _lines_of_forced(result: ReachResult) -> list[str]:
    assert result.never is not None
    moves = "  ".join(move.notation for move in result.forced or ()) or "none"
    return [
        "",
        f"In every answer: pieces {moves}",
        f"  cells {names(result.forced_cells or ()) or 'none'}",
        f"In no answer: {len(result.never)} placements (--json lists them)",
        f"  cells {names(result.never_cells or ()) or 'none'}",
    ]
