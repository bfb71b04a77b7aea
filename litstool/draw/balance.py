"""The balance report of a pattern as text, with small charts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from litstool.draw.picture import Picture, Square
from litstool.grid import Cell
from litstool.lits.board import SIDES, Pattern
from litstool.lits.pattern.balance import Exposure
from litstool.lits.pattern.report import AreaCount, BalanceReport

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import FirstMoves, PlayResult

_SHADES = " ░▒▓█"
_BAR = 40

_EXPOSURES = {
    "placements": "among all placements of the empty board",
    "random_play": "among the placements of random play",
}


def picture(pattern: Pattern, name: str | None, facts: Sequence[str] = ()) -> Picture:
    """The symbols of a board as a picture."""
    squares = {}
    for cell in pattern.outline.cells:
        symbol = pattern.symbol(cell)
        squares[cell] = Square(symbol, fill=symbol) if symbol in SIDES else Square("·", faint=True)
    legend = ("░░░ a hole: not part of the board",) if pattern.outline.holes else ()
    return Picture(pattern.outline, squares, name, tuple(facts), legend)


def facts(report: BalanceReport) -> list[str]:
    """Numbers of symbols and symmetries, a line each."""
    blank = len(report.pattern.outline.cells) - report.count("X") - report.count("O")
    return [
        f"Symbols    X {report.count('X')}, O {report.count('O')}, {blank} blank",
        f"Exchanging {_list(report.exchange_symmetries)} (each X becomes an O and each O an X)",
        f"Keeping    {_list(report.self_symmetries)} (the board stays as it is)",
    ]


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def lines(report: BalanceReport) -> list[str]:
    """The report below the board."""
    text = ["Balance    X less O in each"]
    for kind in report.areas:
        text.append(f"  {kind:<9} {_area_line(report.areas[kind])}")
    text += ["", "Clumping   neighbouring pairs, against the same symbols arranged at random"]
    for kind, label in (("XX", "X-X"), ("OO", "O-O"), ("XO", "X-O"), ("like", "alike")):
        joins = report.clumping[kind]
        z = "     –" if joins.z is None else f"{joins.z:+6.2f}"
        text.append(
            f"  {label:<6} {joins.count:>4}   expected {float(joins.expected):6.1f}   z {z}"
        )
    like = report.clumping["like"].z
    if like is not None:
        text.append(f"  {_clumping_word(like)}")
    for kind, exposure in report.exposures.items():
        text += ["", f"Exposure   {_EXPOSURES[kind]}: the share that covers a symbol"]
        text += _exposure_lines(report.pattern, exposure)
    if report.play is not None:
        text += ["", "Play       X's results without a swap, both sides alike (95 % intervals)"]
        text += _play_lines(report.play.play)
        if report.play.first_moves is not None:
            text += ["", *_first_move_lines(report.play.first_moves)]
    return text


def _clumping_word(z: float) -> str:
    if abs(z) < 2:
        return "as mixed as chance makes it"
    return "like symbols stand together" if z > 0 else "like symbols stand apart"


def _area_line(areas: Sequence[AreaCount]) -> str:
    if len(areas) == 4 and areas[0].name.count(" "):
        return "  ".join(f"{area.name} {_signed(area.x - area.o)}" for area in areas)
    return " ".join(f"{area.name}:{_signed(area.x - area.o)}" for area in areas)


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _exposure_lines(pattern: Pattern, exposure: Exposure) -> list[str]:
    text = []
    if exposure.x is not None and exposure.o is not None:
        more = round((exposure.x / exposure.o - 1) * 100, 1) if exposure.o else 0.0
        verdict = f"X {abs(more)} % {'more' if more > 0 else 'less'} exposed"
        text.append(
            f"  X {100 * exposure.x:.3f} %   O {100 * exposure.o:.3f} %   "
            + (verdict if more else "equally exposed")
        )
    top = max(exposure.shares.values(), default=0.0)
    low = min(exposure.shares.values(), default=0.0)
    if top <= 0:
        return text
    outline = pattern.outline
    for row in range(outline.rows):
        shades = ""
        for column in range(outline.columns):
            share = exposure.shares.get(Cell(row, column))
            if share is None:
                shades += "  "
                continue
            place = (share - low) / (top - low) if top > low else 1.0
            shades += _SHADES[min(len(_SHADES) - 1, int(place * len(_SHADES)))] * 2
        text.append(f"    {shades}")
    text.append(f"    ' ' {100 * low:.2f} %  to  █ {100 * top:.2f} %")
    return text


def _play_lines(results: Sequence[PlayResult]) -> list[str]:
    from litstool.lits.pattern.measure import wilson

    text = []
    for result in results:
        tally = result.tally
        low, high = wilson(tally.x_wins, tally.games)
        text.append(
            f"  {result.policy:<7} {tally.games:>7,} games   X wins {_percent(tally.x_win_rate)} "
            f"({_percent(low)} to {_percent(high)})   ahead {_percent(tally.x_ahead / tally.games)}"
            f"   tie-break {_percent(tally.ties / tally.games)}"
        )
        text.append(
            f"          {rate_bar(tally.x_win_rate)}   margin {result.mean_margin:+.2f} "
            f"(spread {result.margin_deviation:.1f}), {tally.mean_length:.1f} pieces"
        )
    return text


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def rate_bar(rate: float, width: int = 20) -> str:
    """A rate as a bar from 0 to 1 with a mark at one half."""
    filled = round(rate * width)
    cells = ["█" if place < filled else "·" for place in range(width)]
    cells.insert(width // 2, "│")
    return "".join(cells)


def _first_move_lines(first: FirstMoves) -> list[str]:
    low, high = 0.5 - first.band, 0.5 + first.band
    text = [
        f"Pie rule   X's win rate after each of {len(first.wins):,} first moves "
        f"({first.games:,} {first.policy} games each, ±{100 * first.chance_deviation:.1f} %)"
    ]
    histogram = first.histogram
    most = max(histogram)
    for index, number in enumerate(histogram):
        if not any(histogram[: index + 1]) or not any(histogram[index:]):
            continue
        start = 100 * index // len(histogram)
        end = 100 * (index + 1) // len(histogram)
        bar = _bar(number, most)
        text.append(f"  {start:>3}–{end:<3} % {number:>5} {bar}")
    text.append(
        f"  {first.even_moves:,} of {len(first.wins):,} first moves "
        f"({_percent(first.even_share)}) are even: X wins {_percent(low)} to {_percent(high)}"
    )
    if first.most_even:
        text.append(f"  The most even of them, with {first.most_even[0].games:,} games each:")
        from litstool.lits.pattern.measure import wilson

        for each in first.most_even:
            least, top = wilson(each.wins, each.games)
            text.append(
                f"    {each.move:<16} {_percent(each.rate)} ({_percent(least)} to {_percent(top)})"
            )
    return text


def _bar(number: int, most: int) -> str:
    eighths = round(8 * _BAR * number / most) if most else 0
    if number and not eighths:
        eighths = 1
    return "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
