"""All that is known of a board's balance, in one object: see ``litstool pattern check``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litstool.grid import Cell
from litstool.lits.board import SIDES, Pattern
from litstool.lits.pattern.balance import (
    AREAS,
    Exposure,
    Joins,
    clumping,
    counts_in,
    exposure,
    placement_exposure,
)
from litstool.lits.pattern.symmetry import exchange_names, self_names
from litstool.lits.placements import placements_of


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
    ``random_play`` (the placements that occurred in them).
    """

    pattern: Pattern
    name: str | None
    exchange_symmetries: tuple[str, ...]
    self_symmetries: tuple[str, ...]
    areas: dict[str, tuple[AreaCount, ...]]
    clumping: dict[str, Joins]
    exposures: dict[str, Exposure]
    play: Any = None  # a measure.PlayReport; that module needs the compiler, this one does not

    def count(self, side: str) -> int:
        """How many symbols a side has."""
        return self.pattern.count(side)

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
        return {
            "name": self.name,
            "pattern": list(self.pattern.rows()),
            "symbols": {side: self.count(side) for side in SIDES},
            "symmetries": list(self.exchange_symmetries),
            "metrics": metrics,
        }


def report_on(pattern: Pattern, name: str | None = None, play: Any = None) -> BalanceReport:
    """The report on a board, with what was played on it, if anything was."""
    outline = pattern.outline
    exposures = {
        "placements": exposure(pattern, placement_exposure(outline), len(placements_of(outline)))
    }
    played = None if play is None else play.of("random")
    if played is not None and played.tally.covered is not None:
        covered = {
            cell: int(played.tally.covered[_number(cell, outline.columns)])
            for cell in outline.cells
        }
        exposures["random_play"] = exposure(pattern, covered, played.tally.pieces)
    return BalanceReport(
        pattern,
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
    )


def _number(cell: Cell, columns: int) -> int:
    return cell.row * columns + cell.column
