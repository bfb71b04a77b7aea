"""What the balance report of a board says: a verdict, a screen of text, several compared."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from litstool.errors import printable
from litstool.lits.board import FULL_SUPPLY, Pattern
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.pattern.balance import Exposure
from litstool.lits.pattern.report import (
    EXPOSURE,
    FIRST_MOVES,
    WIN_RATE,
    BalanceReport,
    Ranking,
)
from litstool.lits.pattern.symmetry import exchange_names
from litstool.lits.placements import SHAPES
from litstool.say.lits.book import in_a_line
from litstool.say.position import Fact
from litstool.search.analysis import interval
from litstool.search.control import Progress

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import FirstMoves, PlayReport, PlayResult

WIDE = 80
"""Columns of the text: an 80 x 24 terminal shows the report on a board of 10 x 10 at once."""

_LABEL = 11
_LEAST_FACTS = 30
"""Facts stand beside the board where they have so many columns, else below it."""

_SHOWN_MOVES = 3
_NAME = 18
"""Columns of a board's name in the table of a comparison."""

_RANKED = {
    FIRST_MOVES: "by the first moves that leave even chances, which the pie rule needs",
    WIN_RATE: "by how near to one half X's win rate is",
    EXPOSURE: "by how equally X and O are exposed",
}

_LEVELS = "▁▂▃▄▅▆▇█"
_HALF = "│"


def standard(name: str, pattern: Pattern) -> str:
    """The line of a standard board in a list."""
    outline = pattern.outline
    return (
        f"{name:<10} {outline.rows} x {outline.columns}   X {pattern.count('X')}, "
        f"O {pattern.count('O')}   exchanged by {', '.join(exchange_names(pattern)) or 'nothing'}"
    )


def facts(report: BalanceReport) -> list[Fact]:
    """Numbers of symbols and symmetries."""
    exchanging, keeping = _list(report.exchange_symmetries), _list(report.self_symmetries)
    return [
        Fact("Symbols", symbols(report)),
        Fact("Exchanging", f"{exchanging} (each X becomes an O and each O an X)"),
        Fact("Keeping", f"{keeping} (the board stays as it is)"),
    ]


def symbols(report: BalanceReport) -> str:
    """The numbers of symbols."""
    x, o = report.pattern.count("X"), report.pattern.count("O")
    return f"X {x}, O {o}, {len(report.pattern.outline.cells) - x - o} blank"


def supply(report: BalanceReport) -> str | None:
    """The supply; None where it is the usual one."""
    if report.supply == FULL_SUPPLY:
        return None
    counts = zip(SHAPES, report.supply, strict=True)
    return ", ".join(f"{shape} {count}" for shape, count in counts)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def symmetries(report: BalanceReport) -> str:
    """What exchanges X and O and what keeps them, on one line."""
    said = [
        f"{verb} by {_list(names)}"
        for names, verb in (
            (report.exchange_symmetries, "exchanged"),
            (report.self_symmetries, "kept"),
        )
        if names
    ]
    return "; ".join(said) or "none"


def verdict(report: BalanceReport) -> str:
    """What there is to say of a board's fairness, in one sentence."""
    said = [] if report.play is None else _verdict_of_play(report.play)
    if not said:
        said = [_verdict_of_looks(report)]
    if report.even_share is not None:
        said.append(f"{_percent(report.even_share)} of the first moves leave even chances")
    return "; ".join(said)


def _verdict_of_play(play: PlayReport) -> list[str]:
    played = play.strongest
    if played is None:
        return []
    band = play.band
    tally = played.tally
    rate = tally.x_win_rate
    low, high = interval(tally.x_wins, tally.games)
    side = "X" if rate > 0.5 else "O"
    if low > 0.5 + band or high < 0.5 - band:
        word = f"as it stands, better for {side}"
    elif abs(rate - 0.5) > band:
        word = f"as it stands, perhaps better for {side}"
    elif high - low > 4 * band:
        word = "too few games to tell"
    else:
        word = "fair in play"
    games = f"{tally.games:,} {played.policy} game{'s' * (tally.games != 1)}"
    return [f"{word}: X wins {_percent(rate)} of {games} ({100 * low:.1f} to {_percent(high)})"]


def _verdict_of_looks(report: BalanceReport) -> str:
    if report.exchange_symmetries:
        return f"X and O stand alike: {report.exchange_symmetries[0]} exchanges them"
    more, x, o = report.more_exposed, report.pattern.count("X"), report.pattern.count("O")
    if x != o:
        return f"unlike numbers: {x} X and {o} O"
    if abs(more) < 0.0005:
        return "X and O are equally exposed"
    return f"X is {_percent(abs(more))} {'more' if more > 0 else 'less'} exposed than O"


# One board


def listing(report: BalanceReport) -> list[str]:
    """The report on one board: a verdict, the board beside what it looks like, play."""
    text = [*textwrap.wrap(f"{_name(report, 'A board')}: {verdict(report)}", WIDE), ""]
    board = list(_small_board(report.pattern))
    gap = 3
    room = WIDE - len(board[0]) - gap
    if room < _LEAST_FACTS:
        text += [*board, "", *_looks(report, WIDE)]
    else:
        for left, right in zip_longest(board, _looks(report, room), fillvalue=""):
            text.append(f"{left:<{len(board[0]) + gap}}{right}".rstrip())
    below = []
    if report.play is not None and report.play.play:
        below += _play_lines(report.play.play)
    if report.play is not None and report.play.first_moves is not None:
        below += _first_move_lines(report.play.first_moves)
    if report.book is not None:
        below += _book_lines(report)
    return [*text, *([""] if below else []), *below]


def _small_board(pattern: Pattern) -> Iterator[str]:
    """The board without walls: two columns a cell and one line a row, all equally long."""
    outline = pattern.outline
    margin = len(str(outline.rows))
    letters = " ".join(chr(ord("a") + column) for column in range(outline.columns))
    yield f"{'':<{margin}} {letters}"
    for row, symbols in enumerate(pattern.rows(), 1):
        yield f"{row:>{margin}} {' '.join(symbols).replace('.', '·').replace('#', '░')}"


def _fact(label: str, said: str, room: int) -> list[str]:
    wrapped = textwrap.wrap(said, room - _LABEL, break_long_words=False) or [""]
    return [
        f"{label if number == 0 else '':<{_LABEL}}{line}" for number, line in enumerate(wrapped)
    ]


def _looks(report: BalanceReport, room: int) -> list[str]:
    """What the symbols look like: numbers, symmetries, lines and areas, clumping, exposure."""
    text = _fact("Symbols", symbols(report), room)
    text += _fact("Symmetry", symmetries(report), room)
    if (said := supply(report)) is not None:
        text += _fact("Supply", said, room)
    for place, kind in enumerate(report.areas):
        text += _fact("" if place else "X less O", f"{kind} {_differences(report, kind)}", room)
    like = report.clumping["like"]
    if like.z is not None:
        text += _fact("Neighbours", f"{_clumping_word(like.z)} (z {like.z:+.2f})", room)
    for label, kind in (("Exposed", "placements"), ("In play", "random_play")):
        if kind in report.exposures and report.exposures[kind].x is not None:
            text += _fact(label, _exposed(report.exposures[kind]), room)
    return text


def _differences(report: BalanceReport, kind: str) -> str:
    """X less O in the areas of a kind that are uneven; the quadrants as they are seen."""
    uneven = report.uneven(kind)
    if not uneven:
        return "all even"
    if kind == "quadrants":
        numbers = [f"{each.x - each.o:+d}" for each in report.areas[kind]]
        return f"{' '.join(numbers[:2])} over {' '.join(numbers[2:])}"
    return " ".join(f"{each.name}{each.x - each.o:+d}" for each in uneven)


def _clumping_word(z: float) -> str:
    if abs(z) < 2:
        return "as mixed as chance makes them"
    return "like ones together" if z > 0 else "like ones apart"


def _exposed(exposure: Exposure) -> str:
    x, o = exposure.x or 0.0, exposure.o or 0.0
    more = round((x / o - 1) * 100, 1) if o else 0.0
    word = f"X {abs(more)} % {'more' if more > 0 else 'less'}" if more else "equally"
    return f"{word} (X {100 * x:.2f} %, O {100 * o:.2f} %)"


def _play_lines(results: Sequence[PlayResult]) -> list[str]:
    text = [
        f"{'Play':<{_LABEL}}    games   X wins  95 % interval    margin  spread  tie-break pieces"
    ]
    for result in results:
        tally = result.tally
        low, high = interval(tally.x_wins, tally.games)
        text.append(
            f"  {result.policy:<{_LABEL - 2}}{tally.games:>9,} {_percent(tally.x_win_rate):>8}"
            f"  {100 * low:>4.1f} to {_percent(high):<7} {result.mean_margin:>+6.2f}"
            f" {result.margin_deviation:>7.1f} {_percent(tally.ties / tally.games):>10}"
            f" {tally.mean_length:>6.1f}"
        )
    return text


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


def _first_move_lines(first: FirstMoves) -> list[str]:
    low, high = 0.5 - first.band, 0.5 + first.band
    even = f"{first.even_moves:,} of {len(first.wins):,} first moves ({_percent(first.even_share)})"
    games = f"{first.games:,} {first.policy} games each, ± {100 * first.chance_deviation:.1f} %"
    text = _fact("Pie rule", f"{even} leave X {100 * low:.0f} to {100 * high:.0f} %", WIDE)
    bars = histogram_bars(first.histogram)
    text += _fact("", f"0 % {bars} 100 %  ({games})", WIDE)
    if first.most_even:
        moves = [f"{each.move} {_percent(each.rate)}" for each in first.most_even[:_SHOWN_MOVES]]
        text += _fact("Most even", ", ".join(moves), WIDE)
    return text


def histogram_bars(histogram: Sequence[int]) -> str:
    """Numbers as bars of a line high, with a mark in the middle; nothing is a space."""
    most = max(histogram, default=0) or 1
    bars = [
        _LEVELS[min(len(_LEVELS) - 1, number * len(_LEVELS) // most)] if number else " "
        for number in histogram
    ]
    bars.insert(len(bars) // 2, _HALF)
    return "".join(bars)


def _book_lines(report: BalanceReport) -> list[str]:
    book = report.book
    assert book is not None
    name = next(name for name in pattern_names() if pattern_named(name) == report.pattern)
    return _fact("Swap book", f"{in_a_line(book)}: litstool book show {name}", WIDE)


# Several boards


def _name(report: BalanceReport, otherwise: str) -> str:
    return printable(report.name) if report.name else otherwise


def ranked(ranking: Ranking) -> str:
    """What decides which board is fairer."""
    return _RANKED[ranking.by]


def comparison(ranking: Ranking) -> list[str]:
    """Several boards in one table, the fairest first, and a verdict on each."""
    reports = ranking.reports
    text = [f"{len(reports)} boards, {ranked(ranking)}:", ""]
    wide = max(8, min(_NAME, max(len(_name(report, "")) for report in reports)))
    text.append(f"    {'board':<{wide}}  X/O    even first moves  X, strong  X, greedy  exposed")
    for place, report in enumerate(reports, 1):
        text.append(f"{place:>3} {_row(report, wide)}".rstrip())
    text.append("")
    for place, report in enumerate(reports, 1):
        said = f"{_name(report, 'a board')}: {verdict(report)}"
        text += textwrap.wrap(said, WIDE, initial_indent=f"{place:>3} ", subsequent_indent="    ")
    return text


def _row(report: BalanceReport, wide: int) -> str:
    name = _name(report, "a board")
    # The end tells files of one folder apart.
    name = name if len(name) <= wide else "…" + name[1 - wide :]
    even = "" if report.even_share is None else _percent(report.even_share)
    strong, greedy = (
        "" if report.play is None or (played := report.play.of(policy)) is None
        else _percent(played.tally.x_win_rate)
        for policy in ("strong", "greedy")
    )  # fmt: skip
    more = f"X {100 * report.more_exposed:+.1f} %" if abs(report.more_exposed) > 5e-4 else "alike"
    symbols = f"{report.pattern.count('X')}/{report.pattern.count('O')}"
    return f"{name:<{wide}}  {symbols:<5}  {even:>16}  {strong:>9}  {greedy:>9}  {more}"


# While it is made


def progress(found: Progress) -> str:
    """What is being played."""
    return f"playing {found.best}"
