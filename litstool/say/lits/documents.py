"""The JSON documents of boards: the standard ones, those made, and how balanced they are."""

from __future__ import annotations

from dataclasses import asdict
from math import sqrt
from typing import TYPE_CHECKING, Any

from litstool.lits.board import SIDES, Pattern
from litstool.lits.pattern.balance import Exposure, Joins
from litstool.lits.pattern.report import BalanceReport
from litstool.lits.pattern.symmetry import exchange_names, self_names
from litstool.lits.placements import SHAPES
from litstool.say.lits.balance import verdict
from litstool.search.analysis import interval

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import FirstMove, FirstMoves, PlayResult


def standard(name: str, pattern: Pattern) -> dict[str, Any]:
    """The entry of ``pattern list --json``."""
    return {
        "name": name,
        "rows": pattern.outline.rows,
        "columns": pattern.outline.columns,
        "symbols": {side: pattern.count(side) for side in SIDES},
        "symmetries": exchange_names(pattern),
        "self_symmetries": self_names(pattern),
    }


def shown(report: BalanceReport) -> dict[str, Any]:
    """The document of ``pattern show --json``."""
    document = balance(report)
    document["self_symmetries"] = document.pop("metrics")["self_symmetries"]
    return document


def balance(report: BalanceReport) -> dict[str, Any]:
    """The document of ``pattern check --json``."""
    pattern = report.pattern
    outline = pattern.outline
    metrics: dict[str, Any] = {
        "rows": outline.rows,
        "columns": outline.columns,
        "cells": len(outline.cells),
        "supply": dict(zip(SHAPES, report.supply, strict=True)),
        "blank": len(outline.cells) - pattern.count("X") - pattern.count("O"),
        "self_symmetries": list(report.self_symmetries),
        "balance": {
            kind: [{"name": area.name, "X": area.x, "O": area.o} for area in areas]
            for kind, areas in report.areas.items()
        },
        "clumping": {kind: _joins(joins) for kind, joins in report.clumping.items()},
        "exposure": {kind: _exposure(each) for kind, each in report.exposures.items()},
    }
    if report.play is not None:
        metrics["play"] = {each.policy: _play(each) for each in report.play.play}
        first = report.play.first_moves
        metrics["first_moves"] = None if first is None else _first_moves(first)
    if report.book is not None:
        metrics["swap_book"] = asdict(report.book.tally)
    return {
        "name": report.name,
        "verdict": verdict(report),
        "pattern": list(pattern.rows()),
        "symbols": {side: pattern.count(side) for side in SIDES},
        "symmetries": list(report.exchange_symmetries),
        "metrics": metrics,
    }


def _joins(joins: Joins) -> dict[str, Any]:
    return {
        "joins": joins.count,
        "expected": round(float(joins.expected), 4),
        "sd": round(sqrt(joins.variance), 4),
        "z": None if joins.z is None else round(joins.z, 3),
    }


def _exposure(exposure: Exposure) -> dict[str, Any]:
    x, o = exposure.x, exposure.o
    return {
        "X": None if x is None else round(x, 6),
        "O": None if o is None else round(o, 6),
        "ratio": None if not x or not o else round(x / o, 4),
        "cells": {cell.name: round(share, 6) for cell, share in exposure.shares.items()},
    }


def _rate(wins: int, games: int) -> dict[str, Any]:
    low, high = interval(wins, games)
    return {
        "rate": round(wins / games, 6) if games else None,
        "low": round(low, 6),
        "high": round(high, 6),
    }


def _play(result: PlayResult) -> dict[str, Any]:
    tally = result.tally
    return {
        "games": tally.games,
        "x_wins": _rate(tally.x_wins, tally.games),
        "x_ahead": _rate(tally.x_ahead, tally.games),
        "o_ahead": _rate(tally.o_ahead, tally.games),
        "tie_break": _rate(tally.ties, tally.games),
        "margin": {
            "mean": round(result.mean_margin, 4),
            "sd": round(result.margin_deviation, 4),
            "standard_error": round(result.margin_deviation / sqrt(max(1, tally.games)), 4),
        },
        "mean_pieces": round(tally.mean_length, 4),
    }


def _first_moves(first: FirstMoves) -> dict[str, Any]:
    rates = first.rates
    some = len(rates) > 0
    return {
        "policy": first.policy,
        "games_per_move": first.games,
        "standard_error": round(first.chance_deviation, 4),
        "moves": len(rates),
        "band": [round(0.5 - first.band, 6), round(0.5 + first.band, 6)],
        "even_moves": first.even_moves,
        "even_share": round(first.even_share, 6),
        "mean_rate": round(float(rates.mean()), 6) if some else None,
        "lowest_rate": round(float(rates.min()), 6) if some else None,
        "highest_rate": round(float(rates.max()), 6) if some else None,
        "histogram": first.histogram,
        "most_even": [_first_move(each) for each in first.most_even],
    }


def _first_move(move: FirstMove) -> dict[str, Any]:
    return {"move": move.move, "games": move.games, **_rate(move.wins, move.games)}
