"""``litstool analyze``: the best moves of a position, or the review of a game."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    YES,
    announce_compiling,
    complete_file,
    legal_position,
    ply_option,
    positive,
    progress_line,
    subcommand,
)
from litstool.cli.many import Answer, Asked, answer_each, json_lines_option, positions_argument
from litstool.cli.screen import ascii_option, showable
from litstool.errors import UsageError
from litstool.files import check_ending
from litstool.results import Control, Progress
from litstool.writing import check_outputs

if TYPE_CHECKING:
    from litstool.analysis import Analysis, RankedMove
    from litstool.review import MoveReview, Review

_HALF_BAR = 8


@subcommand("analyze")
@ascii_option
@positions_argument
@ply_option
@json_lines_option
@click.option(
    "--time-limit", type=float, default=10.0, show_default=True, callback=positive, metavar="S",
    help="Seconds to think, for a game for all of it.",
)  # fmt: skip
@click.option(
    "--moves", "shown", type=click.IntRange(1), default=10, show_default=True, metavar="N",
    help="How many moves to list.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the search.")
@click.option(
    "-o", "--output", metavar="FILE.html", shell_complete=complete_file,
    help="Write the report of a game, one page by itself.",
)  # fmt: skip
def command(
    arguments: tuple[str, ...],
    ply: int | None,
    time_limit: float,
    shown: int,
    seed: int,
    output: str | None,
    as_json: bool,
    as_json_lines: bool,
) -> int:
    """Find the best moves of each POSITION in the time given, or review a whole game.

    Of a position: the moves ranked, each with the share of games won in the search and its 95 %
    interval, and the line to expect; exact results as soon as the solver has them, and marked as
    such.  Of a file with moves: what each move was worth, the better move, whether the swap was
    right and where the game turned.  --ply N takes one position of a game, after N moves.  Of
    several positions, each is given the whole --time-limit.

    \b
    Examples:
      litstool analyze boxes --time-limit 5
      litstool analyze examples/game-with-swap.yaml
      litstool analyze examples/game-with-swap.yaml --ply 4
      litstool analyze game.yaml --time-limit 60 -o report.html

    Exit status: 0 done, 1 the position is not legal, 130 interrupted (what is known is printed).
    """
    if output is not None:
        check_ending(output, (".html",))

    def answer(asked: Asked) -> Answer:
        record = asked.record
        position = legal_position(asked.source, record)
        whole_game = ply is None and bool(record.moves)
        if output is not None:
            if not asked.alone:
                raise UsageError("-o is for the report of one game: give one POSITION")
            if not whole_game:
                raise UsageError(
                    "-o is for the report of a game: give a file with moves, and no --ply"
                )
            check_outputs({"-o": output}, asked.source.files)
        with progress_line(_progress) as on_progress:
            control = Control(on_progress=on_progress)
            effort: dict[str, Any] = {
                "time_limit": time_limit,
                "seed": seed,
                "control": control,
                "on_compile": announce_compiling,
            }
            if whole_game:
                from litstool import review as reviews

                review = reviews.review(record, **effort)
                document, lines = review.to_json(), _review_lines(record, review)
            else:
                engine = games.room(record.game, "engine")
                found: Analysis = engine.analyze(position, **effort)
                document, lines = found.to_json(), _lines(found, position, shown)
        notes = []
        if output is not None:
            _write_report(record, review, output)
            notes.append(f"{output}: the report, for a browser")
        status = INTERRUPTED if control.interrupted else YES
        return Answer(document, map(showable, lines), status, notes)

    return answer_each(arguments, answer, as_json=as_json, as_json_lines=as_json_lines, ply=ply)


def _progress(progress: Progress) -> str:
    text = f"{progress.seconds:.0f} s, {progress.nodes:,} " + (
        "nodes" if progress.total else "games"
    )
    return text + (f", best {progress.best}" if progress.best else "")


def _write_report(record: Any, review: Review, output: str) -> None:
    from litstool.draw import page, reviewed
    from litstool.review import filled_in
    from litstool.writing import write_file

    shown = filled_in(reviewed.record(record, games.drawing(record.game)), review)
    write_file(output, page.report(shown))


# A position


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def verdict(found: Analysis, sides: tuple[str, str]) -> str:
    """What a position is worth, in words."""
    if found.winner == "draw":
        return "a draw, exactly"
    if found.winner is not None:
        if found.margin:
            return f"{found.winner} wins by {abs(found.margin)}, exactly"
        equal = " on equal scores, with the last piece" if found.margin == 0 else ""
        return f"{found.winner} wins{equal}, exactly"
    if found.chance is None:
        return "not known"
    if abs(found.chance - 0.5) < 0.0005:
        return "even, estimated"
    leader = sides[0] if found.chance >= 0.5 else sides[1]
    return f"{leader} ahead, {percent(max(found.chance, 1 - found.chance))} to win, estimated"


def _lines(found: Analysis, position: Any, shown: int) -> list[str]:
    sides = ("X", "O") if hasattr(position, "can_swap") else ("Light", "Dark")
    if found.choice is None:
        return [f"The game is over: {verdict(found, sides)}"]
    lines = [f"{found.to_move} to move: {verdict(found, sides)}{_aside(found, position)}"]
    if found.choice == "swap":
        lines.append("Swap: the second player should take over X and the first piece")
        lines.append(f"If O plays on: {found.moves[0].move}")
    else:
        lines.append(f"Best move: {found.choice}")
        if found.can_swap:
            lines.append("No swap: the second player should play on as O")
    if len(found.line) > 1:
        lines.append("Line:")
        for start in range(0, len(found.line), 3):
            lines.append("  " + "  ".join(found.line[start : start + 3]))
    if found.note:
        lines += ["", *textwrap.wrap(f"Note: {found.note}", 78)]
    lines += ["", "    move                  wins      95 % interval    games"]
    if hasattr(position, "can_swap") and not position.pieces:
        # Ranked by how even they leave the game, so the mover's share would mislead.
        lines[-1] = lines[-1].replace("wins  ", "X wins")
    lines += [_row(number, move) for number, move in enumerate(found.moves[:shown], 1)]
    legal = sum(1 for _ in position.moves())
    if len(found.moves) < legal:
        few = f"{len(found.moves)} of {legal:,} moves looked at"
        lines.append(f"    … {few}: the most even by quick games")
    elif len(found.moves) > shown:
        lines.append(f"    … {len(found.moves)} moves in all")
    effort = [f"{found.games:,} games"] if found.games else []
    effort += [f"{found.nodes:,} nodes"] if found.nodes else []
    lines += ["", ", ".join([*effort, f"{found.seconds:.1f} s"])]
    return lines


def _aside(found: Analysis, position: Any) -> str:
    """That the value of a start leaves the pie rule aside, where that matters."""
    swappable = hasattr(position, "can_swap") and not position.pieces
    return ", the swap left aside" if swappable and found.exact else ""


def _row(number: int, move: RankedMove) -> str:
    head = f"{number:>3} {move.move:<20}"
    if move.exact:
        if move.winner == "draw":
            return f"{head}  exactly a draw"
        by = "" if move.margin is None else f" by {abs(move.margin)}"
        if move.margin == 0:
            by = " on equal scores"
        return f"{head}  exactly {move.winner} wins{by}"
    if move.win_rate is None or move.low is None or move.high is None:
        return f"{head}  not tried"
    between = f"{100 * move.low:.1f} to {100 * move.high:.1f}"
    return f"{head} {percent(move.win_rate):>7}   {between:>14}  {move.games:>9,}"


# A game


def _review_lines(record: Any, review: Review) -> list[str]:
    lines = [record.name] if record.name else []
    start = record.replay()[0]
    lines.append(f"Start: {verdict(review.start, review.sides)}{_aside(review.start, start)}")
    first, second = review.sides
    head = f"{second} {'·' * (_HALF_BAR - len(second) - 1)}|"
    head += f"{'·' * (_HALF_BAR - len(first) - 1)} {first}"
    lines += ["", f"      move                     value         lost   {head}"]
    scale = max(
        [4.0]
        + [abs(_number(each.after)) for each in review.moves if _number(each.after) is not None]
    )
    for each in review.moves:
        lines += _review_rows(each, review.sides, scale)
    lines.append("")
    turns = [each for each in review.moves if each.turned]
    for each in turns:
        was, became = _leader(each.before, review.sides), _leader(each.after, review.sides)
        certain = "" if each.before.exact and each.after.exact else " (estimated)"
        lines.append(f"Turned at move {each.number}, {each.move}: from {was} to {became}{certain}")
    if not turns:
        sure = review.start.exact and all(each.after.exact for each in review.moves)
        lines.append("The result never turned." if sure else "No move clearly turned the result.")
    exact = [each.number for each in review.moves if each.after.exact]
    if exact:
        start = next(
            number for number in exact if all(n in exact for n in range(number, exact[-1] + 1))
        )
        lines.append(f"Values are exact from move {start} on (marked =), estimates before (~).")
    else:
        lines.append("All values are estimates (~).")
    lines.append(f"{review.seconds:.1f} s")
    return lines


def _leader(found: Analysis, sides: tuple[str, str]) -> str:
    if found.winner is not None:
        return "a draw" if found.winner == "draw" else f"a win of {found.winner}"
    return f"{sides[0] if (found.chance or 0) >= 0.5 else sides[1]} ahead"


def _number(found: Analysis) -> float:
    """How far the first side is ahead, in points: the margin, or an estimate of it."""
    if found.margin is not None:
        return found.margin
    if found.exact:
        return 0.0
    return found.expected or 0.0


def _review_rows(each: MoveReview, sides: tuple[str, str], scale: float) -> list[str]:
    found = each.after
    if found.winner == "draw":
        value = "= draw"
    elif found.winner is not None:
        by = f" by {abs(found.margin)}" if found.margin else ""
        by = " (tie)" if found.margin == 0 else by
        value = f"= {found.winner} wins{by}"
    elif found.chance is not None:
        leader = sides[0] if found.chance >= 0.5 else sides[1]
        if abs(found.chance - 0.5) < 0.005:
            leader = "even,"
        value = f"~ {leader} {max(found.chance, 1 - found.chance):.0%}".replace("%", " %")
    else:
        value = "?"
    lost = ""
    if each.lost:
        lost = str(each.lost)
    elif each.lost_chance is not None and each.lost_chance >= 0.005:
        lost = f"{each.lost_chance:.0%}".replace("%", " %")
    elif each.was_best is False:
        lost = "win"
    mark = "!" if each.turned else " "
    row = f"{each.number:>3}{mark} {each.side[0]} {each.move:<20} {value:<17} {lost:>5}   "
    rows = [row + _bar(found, scale)]
    if each.was_best is False and each.before.moves:
        better = each.before.moves[0]
        worth = f" ({verdict(each.before, sides)})" if each.before.exact else ""
        rows.append(f"       better: {better.move}{worth}")
    if each.remark:
        rows.append(f"       {each.remark}")
    return rows


def _bar(found: Analysis, scale: float) -> str:
    """A bar to the left for the second side, to the right for the first."""
    number = _number(found)
    length = min(_HALF_BAR, math.ceil(_HALF_BAR * abs(number) / scale - 1e-9)) if number else 0
    if found.winner is not None and not length:
        length = 1
        number = {"X": 1, "Light": 1, "draw": 0}.get(found.winner, -1)
    fill = ("█" if found.exact else "▒") * (length if number else 0)
    left = fill.rjust(_HALF_BAR) if number < 0 else " " * _HALF_BAR
    right = fill if number > 0 else ""
    return f"{left}|{right}"
