"""The balance report of one pattern, or of several compared, as a picture: SVG or PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from litstool.draw import output, svg
from litstool.draw.geometry import at, number
from litstool.draw.letters import BOLD, wrapped
from litstool.draw.picture import Picture
from litstool.draw.svg import add, add_text
from litstool.files.reading import check_ending
from litstool.files.writing import write_file
from litstool.lits.board import SIDES, Pattern
from litstool.lits.pattern.report import BalanceReport, Ranking, report_on
from litstool.say.lits import balance as say
from litstool.say.lits.book import in_a_line
from litstool.say.position import Fact
from litstool.snapshot import Square

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import FirstMoves

ENDINGS = (".png", ".svg")

_PAPER, _INK, _MUTED = "#f6f5f1", "#1f2430", "#5b6270"
_RULE, _AXIS, _BAND, _BAR = "#dcdfe4", "#9aa1ad", "#cfe8cf", svg.SYMBOLS["O"]
_EDGE, _GAP = 18.0, 26.0
_TITLE, _TEXT, _SMALL = 20.0, 14.0, 12.0
_PANEL = 420.0
_CARD_BOARD = 190.0


def write(reports: Sequence[BalanceReport] | Ranking, path: Path) -> None:
    """Write one board's report, or a comparison; the file's ending says the format.

    :raises UsageError: another ending, or a picture too large.
    :raises WriteError: the file cannot be written.
    """
    ending = check_ending(path, ENDINGS)
    text = comparison(reports) if isinstance(reports, Ranking) else drawing(reports[0])
    if ending == ".png":
        from litstool.draw import png

        write_file(path, png.render(text))
    else:
        write_file(path, text)


def write_board(pattern: Pattern, name: str, path: Path) -> None:
    """Write the symbols of a board with their numbers and symmetries as a picture.

    :raises WriteError: the file cannot be written.
    """
    output.write(str(path), [board_picture(pattern, name, say.facts(report_on(pattern)))])


def drawing(report: BalanceReport) -> str:
    """One board: its symbols, how exposed they are, and the first moves by X's win rate."""
    first = None if report.play is None else report.play.first_moves
    panels = 2 + (first is not None)
    wide = 2 * _EDGE + panels * _PANEL + (panels - 1) * _GAP
    root, paper = _page(report.name or "A board", wide)
    y = _heading(root, report.name or "A board", say.verdict(report), wide)
    high = 0.0
    symbols = board_picture(report.pattern, report.name)
    for place, (title, picture) in enumerate(
        [("Symbols", symbols), (_exposure_title(report), _exposure(report, symbols))]
    ):
        x = _EDGE + place * (_PANEL + _GAP)
        add_text(root, title, x, y + _TEXT, _TEXT, weight=BOLD, fill=_MUTED, kind="muted")
        high = max(high, _add_board(root, picture, x, y + _TEXT + 8, _PANEL))
    if first is not None:
        x = _EDGE + 2 * (_PANEL + _GAP)
        title = "First moves by X's win rate after them"
        add_text(root, title, x, y + _TEXT, _TEXT, weight=BOLD, fill=_MUTED, kind="muted")
        _histogram(root, first, x, y + _TEXT + 20, _PANEL, min(high, 340.0))
    y += _TEXT + 8 + high + 8
    for label, said in _facts(report):
        add_text(root, label, _EDGE, y + _TEXT, _TEXT, weight=BOLD, fill=_MUTED, kind="muted")
        for line in wrapped(said, _TEXT, wide - 2 * _EDGE - 100):
            y += _TEXT * 1.5
            add_text(root, line, _EDGE + 100, y - _TEXT * 0.5, _TEXT)
    return _finished(root, paper, wide, y + _EDGE)


def comparison(ranking: Ranking) -> str:
    """Several boards, the fairest first: each with its verdict and its first moves."""
    wide = 2 * _EDGE + 900.0
    root, paper = _page(f"{len(ranking.reports)} boards compared", wide)
    y = _heading(root, f"{len(ranking.reports)} boards", f"ranked {say.ranked(ranking)}", wide)
    for place, report in enumerate(ranking.reports, 1):
        rule = f"M{at(_EDGE, y)}H{number(wide - _EDGE)}"
        add(root, "path", "rule", fill="none", stroke=_RULE, d=rule)
        y += 14
        picture = board_picture(report.pattern, report.name)
        high = _add_board(root, picture, _EDGE, y, _CARD_BOARD)
        first = None if report.play is None else report.play.first_moves
        left = _EDGE + _CARD_BOARD + _GAP
        right = wide - _EDGE
        if first is not None:
            _histogram(root, first, right - 300, y + 14, 300, 120)
            right -= 300 + _GAP
        down = y + _TITLE
        name = f"{place}  {report.name or 'A board'}"
        for line in wrapped(name, _TITLE, right - left, BOLD):
            add_text(root, line, left, down, _TITLE, weight=BOLD)
            down += _TITLE * 1.3
        for line in wrapped(say.verdict(report), _TEXT, right - left):
            add_text(root, line, left, down, _TEXT)
            down += _TEXT * 1.5
        for _, said in _facts(report)[:2]:
            for line in wrapped(said, _SMALL, right - left):
                add_text(root, line, left, down, _SMALL, fill=_MUTED, kind="muted")
                down += _SMALL * 1.5
        y = max(y + high, down, y + 190 if first is not None else 0.0) + 10
    return _finished(root, paper, wide, y + _EDGE)


def board_picture(pattern: Pattern, name: str | None, facts: Sequence[Fact] = ()) -> Picture:
    """The symbols of a board as a picture."""
    squares = {}
    for cell in pattern.outline.cells:
        symbol = pattern.symbol(cell)
        squares[cell] = Square(symbol, fill=symbol) if symbol in SIDES else Square("·", faint=True)
    legend = (("░░░", "a hole: not part of the board"),) if pattern.outline.holes else ()
    return Picture(pattern.outline, squares, name, tuple(facts), legend)


def _page(title: str, wide: float) -> tuple[Element, Element]:
    root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})
    root.set("aria-label", svg.clean(title))
    ElementTree.SubElement(root, "title").text = svg.clean(title)
    return root, add(root, "rect", "paper", width=wide, fill=_PAPER)


def _finished(root: Element, paper: Element, wide: float, high: float) -> str:
    high = float(round(high))
    paper.set("height", number(high))
    root.set("width", number(wide))
    root.set("height", number(high))
    root.set("viewBox", f"0 0 {number(wide)} {number(high)}")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _heading(root: Element, title: str, said: str, wide: float) -> float:
    """Draw a title and a sentence and return where they end."""
    y = _EDGE + _TITLE
    for line in wrapped(title, _TITLE, wide - 2 * _EDGE, BOLD):
        add_text(root, line, _EDGE, y, _TITLE, weight=BOLD)
        y += _TITLE * 1.3
    for line in wrapped(said, _TEXT, wide - 2 * _EDGE):
        add_text(root, line, _EDGE, y, _TEXT)
        y += _TEXT * 1.5
    return y


def _add_board(root: Element, picture: Picture, x: float, y: float, wide: float) -> float:
    """Draw a board so wide, or less where it would be larger than life; its height."""
    board_wide, board_high = svg.size(picture)
    scale = min(1.0, wide / board_wide)
    board = ElementTree.fromstring(svg.drawing(picture, texts=False))
    for name, value in (
        ("x", x), ("y", y), ("width", board_wide * scale), ("height", board_high * scale),
    ):  # fmt: skip
        board.set(name, number(value))
    root.append(board)
    return board_high * scale


def _shown_exposure(report: BalanceReport) -> str:
    return "random_play" if "random_play" in report.exposures else "placements"


def _exposure_title(report: BalanceReport) -> str:
    of = "pieces of random play" if _shown_exposure(report) == "random_play" else "all placements"
    return f"Exposure: % of {of} over a cell"


def _exposure(report: BalanceReport, symbols: Picture) -> Picture:
    """The board with each cell's share of the placements, in percent, as a heat map."""
    shares = report.exposures[_shown_exposure(report)].shares
    squares = {
        cell: replace(square, heat=round(100 * shares[cell], 1))
        for cell, square in symbols.squares.items()
    }
    return replace(symbols, squares=squares)


def _facts(report: BalanceReport) -> list[tuple[str, str]]:
    """What stands below the pictures: labels and sentences."""
    found = [("Symbols", say.symbols(report)), ("Symmetry", say.symmetries(report))]
    if (supply := say.supply(report)) is not None:
        found.append(("Supply", supply))
    if report.play is not None:
        for played in report.play.play:
            tally = played.tally
            found.append(
                (
                    played.policy.capitalize(),
                    f"{tally.games:,} games: X wins {100 * tally.x_win_rate:.1f} %, margin "
                    f"{played.mean_margin:+.2f} on average, {tally.mean_length:.1f} pieces",
                )
            )
    if report.book is not None:
        found.append(("Swap book", in_a_line(report.book)))
    return found


def _histogram(
    root: Element, first: FirstMoves, x: float, y: float, wide: float, high: float
) -> None:
    """First moves by X's win rate; the even band is marked, and its share told below."""
    most = max(first.histogram, default=0) or 1
    step = wide / len(first.histogram)

    def across(rate: float) -> float:
        return x + rate * wide

    low, top = 0.5 - first.band, 0.5 + first.band
    add(
        root, "rect", "band", x=across(low), y=y, width=across(top) - across(low), height=high,
        fill=_BAND,
    )  # fmt: skip
    for place, moves in enumerate(first.histogram):
        tall = high * 0.95 * moves / most
        add(
            root, "rect", "bar", x=x + place * step + 1, y=y + high - tall, width=step - 2,
            height=tall, fill=_BAR,
        )  # fmt: skip
    add(
        root, "path", "axis", fill="none", stroke=_AXIS,
        d=f"M{at(x, y + high)}H{number(x + wide)}",
    )  # fmt: skip
    middle = f"M{at(across(0.5), y)}V{number(y + high)}"
    add(root, "path", "axis", fill="none", stroke=_INK, d=middle)
    for rate, anchor in ((0.0, "start"), (0.25, "middle"), (0.5, "middle"), (0.75, "middle"),
                         (1.0, "end")):  # fmt: skip
        label = f"{100 * rate:.0f} %"
        add_text(
            root, label, across(rate), y + high + 16, _SMALL, fill=_MUTED, kind="muted",
            anchor=anchor,
        )  # fmt: skip
    share = f"{first.even_moves:,} of {len(first.wins):,} first moves leave even chances"
    add_text(root, share, x, y + high + 36, _SMALL, weight=BOLD)
    games = f"most: {most:,} moves; {first.games:,} {first.policy} games after each"
    add_text(root, games, x, y + high + 52, _SMALL, fill=_MUTED, kind="muted")
