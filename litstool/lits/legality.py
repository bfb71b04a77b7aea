"""Every rule that pieces break, by name, with the cells.

The names are those of ``validate``.  Pieces are taken as written, so they may be off the board,
overlap or have the wrong form.  ``position`` answers the same question in one bit operation for
pieces that are well formed; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Sequence

from litstool.errors import Violation
from litstool.grid import Cell, Outline, connected_parts, names
from litstool.lits.board import Supply
from litstool.lits.placements import SHAPES, Placement, shape_of


def violations_of_pieces(
    outline: Outline, supply: Supply, pieces: Sequence[Placement]
) -> list[Violation]:
    """Every rule that a set of pieces of unknown order breaks; empty where it is legal.

    A set without violations can be reached by legal play: grow it from any piece, edge by edge.
    """
    found = []
    for piece in pieces:
        found += _faults_of_form(outline, piece)
    for index, piece in enumerate(pieces):
        for earlier in pieces[:index]:
            found += _faults_of_pair(earlier, piece)
    covered = {cell for piece in pieces for cell in piece.cells}
    found += [_full_block(block) for block in outline.blocks() if covered.issuperset(block)]
    for shape, limit in zip(SHAPES, supply, strict=True):
        count = sum(piece.shape == shape for piece in pieces)
        if count > limit:
            cells = tuple(cell for piece in pieces if piece.shape == shape for cell in piece.cells)
            found.append(
                Violation("supply", f"{count} {shape} pieces, the supply has {limit}", cells)
            )
    parts = connected_parts(covered)
    if len(parts) > 1:
        largest = max(parts, key=len)
        apart = tuple(cell for part in parts if part is not largest for cell in part)
        found.append(
            Violation(
                "disconnected",
                f"the pieces are in {len(parts)} separate groups; "
                f"not joined by an edge to the largest: {names(apart)}",
                apart,
            )
        )
    return found


def violations_of_move(
    outline: Outline, supply: Supply, pieces: Sequence[Placement], move: Placement
) -> list[Violation]:
    """Every rule that a move breaks when it is made after ``pieces``; empty where it is legal."""
    found = _faults_of_form(outline, move)
    for piece in pieces:
        found += _faults_of_pair(piece, move)
    covered = {cell for piece in pieces for cell in piece.cells}
    after = covered.union(move.cells)
    found += [
        _full_block(block)
        for block in outline.blocks()
        if after.issuperset(block) and not covered.issuperset(block)
    ]
    if move.shape in SHAPES:
        limit = supply[SHAPES.index(move.shape)]
        used = sum(piece.shape == move.shape for piece in pieces)
        if used >= limit:
            left = "none is in the supply" if not limit else f"all {limit} are used up"
            found.append(Violation("supply", f"no {move.shape} is left: {left}", move.cells))
    if pieces and not _touches(covered, move):
        found.append(
            Violation(
                "disconnected",
                f"{move.notation} shares no edge with a piece on the board",
                move.cells,
            )
        )
    return found


def _touches(covered: set[Cell], move: Placement) -> bool:
    return any(
        cell in covered or not covered.isdisjoint(cell.edge_neighbours()) for cell in move.cells
    )


def _faults_of_form(outline: Outline, piece: Placement) -> list[Violation]:
    found = []
    if not piece.is_formed():
        found.append(Violation("shape", _form_message(piece), piece.cells))
    off_board = tuple(cell for cell in piece.cells if cell not in outline)
    if off_board:
        holes = outline.holes.intersection(off_board)
        place = "on a hole" if len(holes) == len(off_board) else "off the board"
        found.append(
            Violation(
                "off-board",
                f"{names(off_board)} of {piece.notation} is {place}"
                f" ({outline.rows} rows x {outline.columns} columns)",
                off_board,
            )
        )
    return found


def _form_message(piece: Placement) -> str:
    cells = names(piece.cells)
    if len(piece.cells) != 4:
        return (
            f"{len(piece.cells)} neighbouring cells marked {piece.shape} ({cells}) "
            "are not one tetromino"
        )
    real = shape_of(piece.cells)
    if real is not None:
        return f"{cells} form the shape {real}, not {piece.shape}"
    if len(connected_parts(piece.cells)) > 1:
        return f"{cells} are not joined by edges, so they are no tetromino"
    return f"{cells} form a square, which is no piece of the game"


def _faults_of_pair(earlier: Placement, later: Placement) -> list[Violation]:
    first, second = set(earlier.cells), set(later.cells)
    shared = tuple(sorted(first & second))
    found = []
    if shared:
        text = (
            f"{later.notation} is on the board twice"
            if earlier == later
            else f"{earlier.notation} and {later.notation} both cover {names(shared)}"
        )
        found.append(Violation("overlap", text, shared))
    if earlier.shape == later.shape and earlier.shape in SHAPES:
        only_first, only_second = first - second, second - first
        at_edge = {
            cell
            for cell in only_first | only_second
            if not (only_second if cell in only_first else only_first).isdisjoint(
                cell.edge_neighbours()
            )
        }
        if at_edge:
            found.append(
                Violation(
                    "same-shape",
                    f"the {later.shape} pieces {earlier.notation} and {later.notation} "
                    "share an edge",
                    tuple(sorted(at_edge)),
                )
            )
    return found


def _full_block(block: tuple[Cell, ...]) -> Violation:
    return Violation("2x2", f"the 2x2 block {names(block)} is wholly covered", block)
