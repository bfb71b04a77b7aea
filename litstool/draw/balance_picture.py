"""The balance report of a pattern as a PNG or SVG picture, drawn with matplotlib."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litstool.errors import UsageError
from litstool.files import check_ending
from litstool.lits.board import SIDES, Pattern
from litstool.lits.pattern.balance import Exposure
from litstool.lits.pattern.report import BalanceReport
from litstool.writing import check_writable, write_file

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import FirstMoves

FORMATS = (".png", ".svg")

_X, _O, _INK = "#c2410c", "#1d4ed8", "#1f2937"
_PALE, _HOLE, _BAND = "#e5e7eb", "#9ca3af", "#bbf7d0"
_DOTS_AN_INCH = 130


def write(report: BalanceReport, path: Path) -> None:
    """Write the board, the exposure map and, where it was measured, the first-move distribution.

    The file's ending says the format.

    :raises UsageError: another ending, or matplotlib is missing.
    :raises WriteError: the file cannot be written.
    """
    check(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    first = None if report.play is None else report.play.first_moves
    parts = 2 + (first is not None)
    # Text as text, and no date or random names, so that the same report is the same file.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "litstool"}):
        figure = Figure(figsize=(5.2 * parts, 5.6), layout="constrained")
        axes: Any = figure.subplots(1, parts)
        _board(axes[0], report)
        _exposure(axes[1], report, figure)
        if first is not None:
            _first_moves(axes[2], first)
        figure.suptitle(report.name or "A pattern", fontsize=15, color=_INK)
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
        drawn = BytesIO()
        figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=_DOTS_AN_INCH, metadata=metadata)
    write_file(path, drawn.getvalue())


def check(path: Path) -> None:
    """Refuse a picture that cannot be written, before anything long is computed for it.

    :raises UsageError: the ending is not .png or .svg, or matplotlib is missing.
    :raises WriteError: the file cannot be written.
    """
    check_ending(path, FORMATS)
    check_writable(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise UsageError(
            "the picture needs matplotlib: pip install 'litstool[report]' (text and --json do not)"
        ) from None


def _grid(axes: Any, pattern: Pattern) -> None:
    from matplotlib.patches import Rectangle

    rows, columns = pattern.outline.rows, pattern.outline.columns
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(columns), [chr(ord("a") + column) for column in range(columns)])
    axes.set_yticks(range(rows), [str(row + 1) for row in range(rows)])
    axes.tick_params(length=0, labeltop=True, labelbottom=False, colors=_INK)
    for spine in axes.spines.values():
        spine.set_visible(False)
    for hole in pattern.outline.holes:
        axes.add_patch(
            Rectangle((hole.column - 0.5, hole.row - 0.5), 1, 1, facecolor=_HOLE, linewidth=0)
        )


def _board(axes: Any, report: BalanceReport) -> None:
    from matplotlib.patches import Rectangle

    pattern = report.pattern
    _grid(axes, pattern)
    for cell in pattern.outline.cells:
        axes.add_patch(
            Rectangle(
                (cell.column - 0.5, cell.row - 0.5), 1, 1, facecolor="white", edgecolor="#9ca3af"
            )
        )
        symbol = pattern.symbol(cell)
        if symbol in SIDES:
            axes.text(
                cell.column, cell.row, symbol, ha="center", va="center", weight="bold",
                color=_X if symbol == "X" else _O, fontsize=_letter_size(pattern),
            )  # fmt: skip
    symmetries = ", ".join(report.exchange_symmetries) or "no symmetry"
    axes.set_xlabel(
        f"{report.count('X')} X, {report.count('O')} O\nexchanged by: {symmetries}", color=_INK
    )


def _letter_size(pattern: Pattern) -> float:
    return 150 / max(pattern.outline.rows, pattern.outline.columns)


def _exposure(axes: Any, report: BalanceReport, figure: Any) -> None:
    import numpy as np

    kind = "random_play" if "random_play" in report.exposures else "placements"
    exposure: Exposure = report.exposures[kind]
    pattern = report.pattern
    outline = pattern.outline
    _grid(axes, pattern)
    shares = np.full((outline.rows, outline.columns), np.nan)
    for cell, share in exposure.shares.items():
        shares[cell.row, cell.column] = 100 * share
    image = axes.imshow(shares, cmap="YlOrBr")
    top, least = np.nanmax(shares), np.nanmin(shares)
    for cell in outline.cells:
        symbol = pattern.symbol(cell)
        if symbol in SIDES:
            dark = shares[cell.row, cell.column] > (top + least) / 2
            axes.text(
                cell.column, cell.row, symbol, ha="center", va="center",
                color="white" if dark else _INK, fontsize=0.6 * _letter_size(pattern),
            )  # fmt: skip
    bar = figure.colorbar(image, ax=axes, shrink=0.75)
    bar.set_label("% of the placements", color=_INK)
    title = "random play" if kind == "random_play" else "all placements"
    text = f"exposure: share of {title} on a cell"
    if exposure.x is not None and exposure.o is not None:
        text += f"\nmean over X {100 * exposure.x:.2f} %, over O {100 * exposure.o:.2f} %"
    axes.set_xlabel(text, color=_INK)


def _first_moves(axes: Any, first: FirstMoves) -> None:
    import numpy as np

    edges = np.linspace(0, 100, len(first.histogram) + 1)
    low, high = 100 * (0.5 - first.band), 100 * (0.5 + first.band)
    axes.axvspan(low, high, color=_BAND, zorder=0, label="even band")
    axes.bar(
        edges[:-1], first.histogram, width=np.diff(edges), align="edge", color=_O,
        edgecolor="white", zorder=2,
    )  # fmt: skip
    axes.axvline(50, color=_INK, linewidth=1, zorder=3)
    axes.set_xlim(0, 100)
    axes.set_xlabel(
        f"X's win rate after the first move, %\n({first.games:,} {first.policy} games each)",
        color=_INK,
    )
    axes.set_ylabel("first moves", color=_INK)
    axes.set_title(
        f"{first.even_moves:,} of {len(first.wins):,} first moves are even "
        f"({100 * first.even_share:.0f} %)",
        fontsize=11,
        color=_INK,
    )
    axes.legend(frameon=False)
    axes.grid(axis="y", color=_PALE, zorder=1)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
