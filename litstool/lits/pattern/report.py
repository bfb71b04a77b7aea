"""All that is known of a board's balance, in one object: see ``litstool pattern check``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litstool.grid import Cell
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply
from litstool.lits.book import Book, book_of
from litstool.lits.pattern.balance import (
    AREAS,
    Exposure,
    Joins,
    able_placements,
    clumping,
    counts_in,
    exposure,
    placement_exposure,
)
from litstool.lits.pattern.symmetry import exchange_names, self_names

if TYPE_CHECKING:
    # That module needs the compiler, this one does not.
    from litstool.lits.pattern.measure import PlayReport


@dataclass(frozen=True)
class AreaCount:
    """The symbols in a row, column, quadrant or ring."""

    name: str
    x: int
    o: int


@dataclass(frozen=True)
class BalanceReport:
    """A board's symmetries, lines and areas, clumping, exposure, and play if it was measured.

    ``exposures`` has ``placements`` (all of the empty board) and, where random games were played,
    ``random_play`` (the placements that occurred in them).  ``book`` is the board's swap book,
    where it has one and the supply is the usual one.
    """

    pattern: Pattern
    supply: Supply
    name: str | None
    exchange_symmetries: tuple[str, ...]
    self_symmetries: tuple[str, ...]
    areas: dict[str, tuple[AreaCount, ...]]
    clumping: dict[str, Joins]
    exposures: dict[str, Exposure]
    play: PlayReport | None = None
    book: Book | None = None

    @property
    def even_share(self) -> float | None:
        """The share of the first moves after which play is even; None where none was played."""
        first = None if self.play is None else self.play.first_moves
        return None if first is None else first.even_share

    @property
    def off_half(self) -> float | None:
        """How far from one half X's win rate is in the strongest play; None without any."""
        played = None if self.play is None else self.play.strongest
        return None if played is None else abs(played.tally.x_win_rate - 0.5)

    @property
    def more_exposed(self) -> float:
        """By what part X is more exposed than O, below 0 where it is less."""
        exposed = self.exposures["placements"]
        return exposed.x / exposed.o - 1 if exposed.x and exposed.o else 0.0

    def uneven(self, kind: str) -> list[AreaCount]:
        """The areas of a kind whose X and O are not equally many."""
        return [area for area in self.areas[kind] if area.x != area.o]


def report_on(
    pattern: Pattern,
    name: str | None = None,
    play: PlayReport | None = None,
    supply: Supply = FULL_SUPPLY,
) -> BalanceReport:
    """The report on a board, with what was played on it, if anything was."""
    outline = pattern.outline
    able = able_placements(outline, supply).bit_count()
    exposures = {"placements": exposure(pattern, placement_exposure(outline, supply), able)}
    played = None if play is None else play.of("random")
    if played is not None and played.tally.covered is not None:
        covered = {
            cell: int(played.tally.covered[_number(cell, outline.columns)])
            for cell in outline.cells
        }
        exposures["random_play"] = exposure(pattern, covered, played.tally.pieces)
    return BalanceReport(
        pattern,
        supply,
        name,
        tuple(exchange_names(pattern)),
        tuple(self_names(pattern)),
        {
            kind: tuple(
                AreaCount(area, *counts_in(pattern, cells)) for area, cells in areas(outline)
            )
            for kind, areas in AREAS.items()
        },
        clumping(pattern),
        exposures,
        play,
        book_of(pattern) if supply == FULL_SUPPLY else None,
    )


def _number(cell: Cell, columns: int) -> int:
    return cell.row * columns + cell.column


FIRST_MOVES, WIN_RATE, EXPOSURE = "first moves", "win rate", "exposure"


@dataclass(frozen=True)
class Ranking:
    """Boards from the fairest on; ``by`` is what decides: FIRST_MOVES, WIN_RATE or EXPOSURE"""

    reports: tuple[BalanceReport, ...]
    by: str


def rank(reports: Sequence[BalanceReport]) -> Ranking:
    """Compare boards by what is known of all of them: best by their first moves, else by play,
    else by exposure."""
    shares = [report.even_share for report in reports]
    if None not in shares:
        by = FIRST_MOVES
        order = sorted(reports, key=lambda each: (-(each.even_share or 0.0), each.off_half or 0.0))
    elif all(report.off_half is not None for report in reports):
        by = WIN_RATE
        order = sorted(reports, key=lambda each: each.off_half or 0.0)
    else:
        by = EXPOSURE
        order = sorted(reports, key=lambda each: abs(each.more_exposed))
    return Ranking(tuple(order), by)
