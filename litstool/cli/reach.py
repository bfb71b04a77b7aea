"""``litstool reach``: whether legal play can lead to a position that satisfies conditions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    NO,
    SEED,
    UNDECIDED,
    YES,
    complete_from,
    legal_position,
    load_at,
    note,
    ply_option,
    position_argument,
    positive,
    print_json,
    progress_line,
    shortened,
    subcommand,
)
from litstool.cli.screen import ascii_option, drawn
from litstool.errors import LitstoolError, UsageError
from litstool.files.reading import Source, exists
from litstool.files.writing import check_outputs
from litstool.grid import Cell, names
from litstool.say.layout import columns, wrapped
from litstool.say.people import sides_of
from litstool.say.results import lead
from litstool.search.control import Control, Progress

_MOST_DIGITS = 30
"""A longer number is beyond every board, as any of so many digits is."""


def whole_number(text: str) -> int:
    """A number of any length: what no board can have is impossible, not misspelt.

    :raises click.BadParameter: it is none.
    """
    match = re.fullmatch(r"\s*([+-]?)([0-9]+)\s*", text, re.ASCII)
    if match is None:
        raise click.BadParameter(f"{shortened(text, 40)!r} is not a valid integer")
    return int(match[1] + match[2][:_MOST_DIGITS])


_LISTED = 1000
_AIMS = ["pieces", "margin", "passes"]


@subcommand("reach")
@ascii_option
@position_argument
@ply_option
@click.option("--to", "target_argument", metavar="TARGET", help="A grid that must be matched.")
@click.option("--pieces", type=whole_number, metavar="N", help="So many pieces on the board.")
@click.option("--at-least", type=whole_number, metavar="N", help="At least so many pieces.")
@click.option("--at-most", type=whole_number, metavar="N", help="At most so many pieces.")
@click.option(
    "--finished/--unfinished", default=None, help="No legal placement is left, or one is."
)
@click.option(
    "--winner",
    metavar="SIDE",
    help="Finished and won by X or O; Mijnlieff: Light, Dark or draw.",
    shell_complete=complete_from("X", "O", "Light", "Dark", "draw"),
)
@click.option(
    "--margin", type=whole_number, metavar="N", help="X's (Light's) margin is at least N."
)
@click.option(
    "--score", metavar="N,N", help="Exactly these scores: 12,9, or X=12,O=9; one of them: X=12."
)
@click.option(
    "--passes", type=whole_number, metavar="N", help="Mijnlieff: at least so many passes."
)
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
    "--proof", type=click.Path(path_type=Path), metavar="FILE", help="Write a proof of a no."
)
@click.option(
    "--time-limit", type=float, callback=positive, metavar="S", help="Stop after S seconds."
)
@click.option("--method", metavar="NAME", help="Connectivity: lazy, elimination or levels.")
@click.option("--solver", metavar="NAME", help="A solver of python-sat, such as cadical153.")
@click.option("--seed", type=SEED, default=0, show_default=True, help="Another order of search.")
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
    score: str | None,
    passes: int | None,
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

    Exit status: 0 possible (and what was asked is proved), 1 impossible or the position is not
    legal, 3 undecided within the limits, 130 interrupted.
    """
    source, game = load_at(argument, ply)
    position = legal_position(source, game)
    if limit is not None and not list_all:
        raise UsageError("--limit goes with --all")
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit} is out of range: it should be 1 or more")
    target: Any = None
    asides: list[str] = []
    if target_argument is not None:
        target, asides = _target(target_argument, game)
    conditions: dict[str, Any] = {
        **numbers,
        "target": target,
        "winner": _winner(winner, game.game),
        "score": _score(score, sides_of(game)),
        "include": tuple(_piece(text, "--include", game.game) for text in include),
        "exclude": tuple(_piece(text, "--exclude", game.game) for text in exclude),
        "covered": _mask(position, _cells(covered, "--covered", position)),
        "uncovered": _mask(position, _cells(uncovered, "--uncovered", position)),
    }
    options: dict[str, Any] = {"solver": solver, "most_mebibytes": memory}
    if game.game == games.LITS:
        if passes is not None:
            raise UsageError("--passes is a condition of Mijnlieff only")
        if "passes" in (maximize, minimize):
            raise UsageError("passes are counted in Mijnlieff only; expected pieces or margin")
        options |= {"method": method, "seed": seed}
    else:
        if method is not None:
            raise UsageError("--method is of Battle of LITS only, whose pieces must be connected")
        conditions |= {"passes": passes}
    room = games.room(game.game, "reach")
    question = games.room(game.game, "questions").Question(position, **conditions)
    check_outputs({"--dimacs": dimacs, "--proof": proof}, [*source.files, target_argument])
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
            **options,
        )
    for text in (*asides, *result.notes):
        note(f"note: {text}")
    for path in result.written:
        note(f"wrote {path}")
    if as_json:
        print_json(_document(result, game.game))
    else:
        for line in _lines(result, position, game.game, maximize, sides_of(game)):
            click.echo(line)
    if result.effort.stopped == "interrupted":
        return INTERRUPTED
    if not result.decided:
        return UNDECIDED
    return YES if result.possible else NO


# --- reading ----------------------------------------------------------------------------------


def _target(argument: str, game: Any) -> tuple[Any, list[str]]:
    """The target that an argument names, and notes on what of it says nothing."""
    targets = games.room(game.game, "targets" if game.game == games.LITS else "questions")
    is_file = argument == "-" or exists(argument)
    if not is_file and targets.is_meant_as_line(argument):
        source = Source("--to", argument)
    else:
        source = games.find(argument)
    try:
        target = targets.read_target(source)
        aside = targets.left_aside(source)
    except LitstoolError as error:
        raise games.placed(error, source) from None
    notes = []
    if aside:
        notes.append(f"{source.name}: of a target only the grid counts, not {', '.join(aside)}")
    if game.game == games.LITS and (unlike := target.unlike(game.pattern)):
        notes.append(
            f"{source.name}: X and O in a target only say that a cell is not covered; "
            f"the board's pattern has another symbol at {names(unlike)}"
        )
    return target, notes


def _winner(text: str | None, game: str) -> str | None:
    sides = ("X", "O") if game == games.LITS else ("Light", "Dark", "draw")
    for side in sides:
        if text is not None and text.lower() == side.lower():
            return side
    if text is not None:
        raise UsageError(f"--winner {text!r} is no side; expected one of {', '.join(sides)}")
    return None


def _score(text: str | None, sides: tuple[str, str]) -> tuple[int | None, int | None]:
    """The scores that both sides are to have; None where any will do."""
    if text is None:
        return None, None
    first, second = sides
    wrong = UsageError(
        f"--score {shortened(text, 40)!r} is no score; expected {first}'s and {second}'s as 3,2 or "
        f"{first}=3,{second}=2, or one of them: {first}=3"
    )
    parts = [part.strip() for part in text.split(",")]
    wanted: dict[str, int | None] = {}
    named = any("=" in part for part in parts)
    if len(parts) > 2 or (len(parts) == 1 and not named):
        raise wrong
    for side, part in zip(sides, parts, strict=False):
        name, _, number = part.rpartition("=")
        if named:
            side = next((each for each in sides if each.lower() == name.strip().lower()), "")
        if not side or side in wanted:
            raise wrong
        number = number.strip()
        if re.fullmatch("[0-9]+", number) is None and (named or number):
            raise wrong
        wanted[side] = whole_number(number) if number else None
    if all(number is None for number in wanted.values()):
        raise wrong
    return wanted.get(first), wanted.get(second)


def _piece(text: str, option: str, game: str) -> Any:
    try:
        move = games.room(game, "notation").parse_move(text)
    except LitstoolError as error:
        raise UsageError(f"{option}: {error.message}") from None
    if isinstance(move, str):
        raise UsageError(f"{option} takes a piece, not {move!r}")
    return move


def _mask(position: Any, cells: list[Cell]) -> int:
    """Cells as the bits that the game's questions take."""
    owner = position.board if hasattr(position, "board") else position.outline
    mask: int = owner.mask(cells)
    return mask


def _cells(texts: tuple[str, ...], option: str, position: Any) -> list[Cell]:
    outline = position.outline
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


def _one_line(position: Any, game: str) -> str:
    line: str = games.room(game, "notation").write_line(
        games.room(game, "game").Game.of_position(position)
    )
    return line


def _notation(move: Any) -> str:
    """A move or piece as it is written; a pass is text already."""
    return move if isinstance(move, str) else move.notation


def _document(result: Any, game: str) -> dict[str, Any]:
    document: dict[str, Any] = {
        "possible": result.possible,
        "moves": [_notation(move) for move in result.moves],
        "position": _one_line(result.position, game) if result.position else None,
        "arguments": list(result.arguments),
    }
    if result.optimal is not None:
        document |= {"value": result.value, "bound": result.bound, "optimal": result.optimal}
    if result.count is not None:
        document |= {
            "count": result.count,
            "complete": result.complete,
            "positions": [_one_line(position, game) for position in result.positions],
        }
    if result.asked_forced:
        for name in ("forced", "never"):
            moves = getattr(result, name)
            document[name] = None if moves is None else [_piece_text(move) for move in moves]
        for name in ("forced_cells", "never_cells"):
            cells = getattr(result, name)
            document[name] = None if cells is None else [cell.name for cell in cells]
    if result.effort.stopped:
        document["stopped"] = result.effort.stopped
    document |= {
        **({"method": result.method} if hasattr(result, "method") else {}),
        "solver": result.solver,
        "calls": result.effort.calls,
        "cuts": result.effort.cuts,
        "conflicts": result.effort.conflicts,
        "seconds": round(result.seconds, 6),
    }
    return document


def _lines(
    result: Any, start: Any, game: str, maximize: str | None, sides: tuple[str, str]
) -> list[str]:
    lines = [_verdict(result)]
    if result.optimal is not None and result.bound is not None:
        lines += _lines_of_value(result, maximize, sides)
    if result.arguments:
        for reason in result.arguments:
            lines += wrapped(f"  {reason}", columns(), 4)
    if result.count is not None:
        more = "" if result.complete else ", and there may be more"
        lines.append(f"{result.count:,} different final sets of pieces{more}")
        lines += [_one_line(position, game) for position in result.positions]
    elif result.position is not None:
        lines += _lines_of_play(result, start, game)
    if result.forced is not None:
        lines += _lines_of_forced(result)
    effort = result.effort
    how = ", ".join([result.solver, *([result.method] if hasattr(result, "method") else [])])
    cuts = f"{effort.cuts:,} cuts, " if hasattr(result, "method") else ""
    lines += [
        "",
        f"{effort.calls:,} solver call{'s' * (effort.calls != 1)}, "
        f"{cuts}{effort.conflicts:,} conflicts "
        f"({how}), {result.seconds:.3f} s",
    ]
    return lines


def _verdict(result: Any) -> str:
    if result.possible is None:
        stopped = result.effort.stopped or "limits"
        return f"Undecided: {stopped if stopped == 'interrupted' else f'stopped by the {stopped}'}."
    return "Possible." if result.possible else "Impossible."


def _lines_of_value(result: Any, maximize: str | None, sides: tuple[str, str]) -> list[str]:
    """The value found and the proven limit on the other side of it."""

    def told(value: int) -> str:
        if result.objective != "margin":
            return str(value)
        return f"{value} ({lead(value, sides)})" if value else "0 (equal scores)"

    if result.objective == "margin":
        what = f"{sides[0]}'s {'largest' if maximize else 'smallest'} margin"
    else:
        what = f"{'Most' if maximize else 'Fewest'} {result.objective}"
    if result.optimal:
        return wrapped(f"{what}: {told(result.value)}, proved.", columns(), 2)
    bound = f"{'at most' if maximize else 'at least'} {told(result.bound)} proved"
    found = "none found yet" if result.value is None else f"{told(result.value)} found"
    return wrapped(f"{what}: {found}; {bound}.", columns(), 2)


def _lines_of_play(result: Any, start: Any, game: str) -> list[str]:
    if result.moves:
        listing = games.room(game, "listing")
        texts = [_notation(move) for move in result.moves]
        lines = [
            "",
            *(
                f"  {number:>2}. {side:<5} {move}"
                for number, (side, move, _) in enumerate(listing.replay(start, texts), 1)
            ),
        ]
    else:
        lines = ["The position itself satisfies the conditions."]
    record = games.room(game, "game").Game.of_position(result.position)
    picture = games.drawing(game).picture(record, [])
    return [*lines, "", *drawn(picture)]


def _piece_text(piece: Any) -> str:
    """A piece of a final set: in Mijnlieff whose it is matters too."""
    side = getattr(piece, "side", None)
    return f"{side} {piece.piece.notation}" if side else piece.notation


def _lines_of_forced(result: Any) -> list[str]:
    moves = "  ".join(_piece_text(move) for move in result.forced or ()) or "none"
    return [
        "",
        f"In every answer: pieces {moves}",
        f"  cells {names(result.forced_cells or ()) or 'none'}",
        f"In no answer: {len(result.never)} placements (--json lists them)",
        f"  cells {names(result.never_cells or ()) or 'none'}",
    ]
