"""All that is known of a board's balance, in one object: see ``litstool pattern check``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from litstool.grid import Cell
from litstool.lits.board import FULL_SUPPLY, SIDES, Pattern, Supply
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
from litstool.lits.placements import SHAPES

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

    def count(self, side: str) -> int:
        """How many symbols a side has."""
        return self.pattern.count(side)

    @property
    def supply_text(self) -> str | None:
        """The supply in words; None where it is the usual one."""
        if self.supply == FULL_SUPPLY:
            return None
        counts = zip(SHAPES, self.supply, strict=True)
        return ", ".join(f"{shape} {count}" for shape, count in counts)

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

    def to_json(self) -> dict[str, Any]:
        """The document of ``pattern check --json``."""
        outline = self.pattern.outline
        metrics: dict[str, Any] = {
            "rows": outline.rows,
            "columns": outline.columns,
            "cells": len(outline.cells),
            "supply": dict(zip(SHAPES, self.supply, strict=True)),
            "blank": len(outline.cells) - self.count("X") - self.count("O"),
            "self_symmetries": list(self.self_symmetries),
            "balance": {
                kind: [{"name": area.name, "X": area.x, "O": area.o} for area in areas]
                for kind, areas in self.areas.items()
            },
            "clumping": {kind: joins.to_json() for kind, joins in self.clumping.items()},
            "exposure": {kind: each.to_json() for kind, each in self.exposures.items()},
        }
        if self.play is not None:
            metrics["play"] = {each.policy: each.to_json() for each in self.play.play}
            first = self.play.first_moves
            metrics["first_moves"] = None if first is None else first.to_json()
        if self.book is not None:
            metrics["swap_book"] = dataclasses.asdict(self.book.tally)
        return {
            "name": self.name,
            "verdict": verdict(self),
            "pattern": list(self.pattern.rows()),
            "symbols": {side: self.count(side) for side in SIDES},
            "symmetries": list(self.exchange_symmetries),
            "metrics": metrics,
        }


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


# In words


def verdict(report: BalanceReport) -> str:
    """What there is to say of a board's fairness, in one sentence."""
    said = [] if report.play is None else _verdict_of_play(report.play)
    if not said:
        said = [_verdict_of_looks(report)]
    if report.even_share is not None:
        said.append(f"{_percent(report.even_share)} of the first moves leave even chances")
    return "; ".join(said)


def _verdict_of_play(play: PlayReport) -> list[str]:
    from litstool.lits.pattern.measure import wilson

    played = play.strongest
    if played is None:
        return []
    band = play.band
    tally = played.tally
    rate = tally.x_win_rate
    low, high = wilson(tally.x_wins, tally.games)
    side = "X" if rate > 0.5 else "O"
    if low > 0.5 + band or high < 0.5 - band:
        word = f"as it stands, better for {side}"
    elif abs(rate - 0.5) > band:
        word = f"as it stands, perhaps better for {side}"
    elif high - low > 4 * band:
        word = "too few games to tell"
    else:
        word = "fair in play"
    interval = f"{100 * low:.1f} to {_percent(high)}"
    games = f"{tally.games:,} {played.policy} game{'s' * (tally.games != 1)}"
    return [f"{word}: X wins {_percent(rate)} of {games} ({interval})"]


def _verdict_of_looks(report: BalanceReport) -> str:
    if report.exchange_symmetries:
        return f"X and O stand alike: {report.exchange_symmetries[0]} exchanges them"
    more, x, o = report.more_exposed, report.count("X"), report.count("O")
    if x != o:
        return f"unlike numbers: {x} X and {o} O"
    if abs(more) < 0.0005:
        return "X and O are equally exposed"
    return f"X is {_percent(abs(more))} {'more' if more > 0 else 'less'} exposed than O"


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f} %"


@dataclass(frozen=True)
class Ranking:
    """Boards from the fairest on; ``by`` says in words what decides."""

    reports: tuple[BalanceReport, ...]
    by: str


def rank(reports: Sequence[BalanceReport]) -> Ranking:
    """Compare boards by what is known of all of them: best by their first moves, else by play,
    else by exposure."""
    shares = [report.even_share for report in reports]
    if None not in shares:
        by = "by the first moves that leave even chances, which the pie rule needs"
        order = sorted(reports, key=lambda each: (-(each.even_share or 0.0), each.off_half or 0.0))
    elif all(report.off_half is not None for report in reports):
        by = "by how near to one half X's win rate is"
        order = sorted(reports, key=lambda each: each.off_half or 0.0)
    else:
        by = "by how equally X and O are exposed"
        order = sorted(reports, key=lambda each: abs(each.more_exposed))
    return Ranking(tuple(order), by)
