"""What counting says of a reach question before any search.

Each function is an argument that can be said in one sentence, and it either narrows the
:class:`Scope` of a question or shows the question impossible.

* **Blocks**: of disjoint 2x2 blocks each keeps an open cell, which bounds the covered cells.
* **Symbols**: the margin can only grow by O's symbols that can still be covered, and a score
  can only fall by the side's own, four by each piece at most.
* **Joining**: the fewest pieces that join given cells and pieces, by the dynamic program of
  Dreyfus and Wagner (1971) for Steiner trees, over placements: ``tree[some of the terminals][k]``
  is the set of placements that lie in a chain or tree of at most k pieces that has those
  terminals.  Neighbours in the tree must get on with each other; pieces further apart need not,
  so it is a lower bound.  It also says of each placement how few pieces an answer with it has,
  which is what makes tight questions easy: nearly all placements go.
"""

from __future__ import annotations

from typing import NamedTuple

from litstool.grid import Cell, bits, names
from litstool.lits.board import SIDES
from litstool.lits.questions import Scope, number_of_pieces

MOST_TERMINALS = 6
_MOST_DEMANDED = 3
"""Cells to be covered for each piece that may come, up to which joining is looked at."""


def tighten(scope: Scope) -> None:
    """Narrow a question by every argument, in place; adds to ``impossible`` and ``reasons``."""
    if scope.impossible:
        return
    _bound_by_blocks(scope)
    _bound_by_required(scope)
    _bound_by_symbols(scope)
    _bound_by_scores(scope)
    # Where most pieces are needed for the cells alone, joining says nothing that is not easy.
    if not scope.impossible and scope.required.bit_count() <= _MOST_DEMANDED * scope.most:
        _bound_by_joining(scope)


def packings(scope: Scope) -> list[list[int]]:
    """Ways to lay disjoint 2x2 blocks on cells that might all be covered, the largest first.

    Each block is a set of cells.  Tried are the four tilings of the plane, each filled up, and
    one greedy pass; only those as large as the largest are kept.
    """
    coverable = scope.coverable()
    blocks = [block for block in scope.tables.block_masks if not block & ~coverable]
    outline = scope.tables.outline
    found: list[list[int]] = []
    for row_parity, column_parity in ((0, 0), (0, 1), (1, 0), (1, 1), (None, None)):
        used, chosen = 0, []
        tiling = [
            block
            for block in blocks
            for corner in outline.cells_of(block & -block)
            if row_parity is None
            or (corner.row % 2 == row_parity and corner.column % 2 == column_parity)
        ]
        for block in tiling + blocks:
            if not block & used:
                used |= block
                chosen.append(block)
        if sorted(chosen) not in found:
            found.append(sorted(chosen))
    most = max(map(len, found))
    return [each for each in found if len(each) == most]


def _bound_by_blocks(scope: Scope) -> None:
    coverable = scope.coverable().bit_count()
    blocks = len(packings(scope)[0])
    on_board = len(scope.start.pieces)
    pieces = (coverable - blocks) // 4
    reason = (
        f"{blocks} disjoint 2x2 blocks keep an open cell each, so at most "
        f"{coverable} - {blocks} = {coverable - blocks} cells can be covered, "
        f"by at most {number_of_pieces(pieces)}"
    )
    if not blocks:
        return
    if on_board + scope.fewest > pieces:
        scope.impossible.append(f"{reason}: not {on_board + scope.fewest}")
    elif pieces - on_board < scope.most:
        scope.most = pieces - on_board
        scope.reasons.append(f"at most {number_of_pieces(pieces)}: {reason}")


def _bound_by_required(scope: Scope) -> None:
    outline = scope.tables.outline
    lost = scope.required & ~scope.coverable()
    if lost:
        scope.impossible.append(
            f"no piece that could still be played covers {names(outline.cells_of(lost))}"
        )
        return
    for block in scope.tables.block_masks:
        if not block & ~(scope.required | scope.start.covered):
            scope.impossible.append(
                f"the 2x2 block {names(outline.cells_of(block))} would be wholly covered"
            )
            return
    cells = scope.required.bit_count()
    needed = -(-cells // 4)
    on_board = len(scope.start.pieces)
    if needed > scope.most:
        scope.impossible.append(
            f"{cells} more cells are to be covered, 4 by each piece, which takes "
            f"{number_of_pieces(on_board + needed)} in all, more than {on_board + scope.most}"
        )
    elif needed > scope.fewest:
        scope.fewest = needed
        scope.reasons.append(
            f"at least {number_of_pieces(on_board + needed)}: {cells} more to be covered, "
            "4 by each piece"
        )


def _bound_by_scores(scope: Scope) -> None:
    """Symbols that are to be covered must be there to cover, and take pieces."""
    start = scope.start
    covering = 0
    for side, score in zip(SIDES, scope.question.score, strict=True):
        if score is None:
            continue
        now = start.score(side)
        symbols = start.pattern.x_cells if side == "X" else start.pattern.o_cells
        can = (scope.coverable() & symbols & ~start.covered).bit_count()
        if not now - can <= score <= now:
            scope.impossible.append(
                f"{side} has {now} symbols uncovered, of which {can} can still be covered, "
                f"so it cannot end with {score}"
            )
            return
        covering += now - score
    needed, on_board = -(-covering // 4), len(start.pieces)
    if needed > scope.most:
        scope.impossible.append(
            f"{covering} more symbols are to be covered, at most 4 by each piece, which takes "
            f"{number_of_pieces(on_board + needed)} in all, more than {on_board + scope.most}"
        )
    elif needed > scope.fewest:
        scope.fewest = needed
        scope.reasons.append(
            f"at least {number_of_pieces(on_board + needed)}: the scores ask "
            f"for {covering} more covered symbols, at most 4 by each piece"
        )


def _bound_by_symbols(scope: Scope) -> None:
    wanted = scope.question.margin
    if scope.question.winner == "X":
        wanted = max(0, wanted if wanted is not None else 0)
    if wanted is not None:
        most, reason, _ = margin_bound(scope, "X")
        if most < wanted:
            scope.impossible.append(f"{reason}, which makes X's margin at most {most}")
    if scope.question.winner == "O":
        most, reason, _ = margin_bound(scope, "O")
        if most < 0:
            scope.impossible.append(
                f"{reason}, which makes X's margin at least {-most}, and X the winner"
            )


class MarginBound(NamedTuple):
    """The most that a side's margin can become, and why; ``by_pieces``: by how many can come."""

    most: int
    reason: str
    by_pieces: bool


def margin_bound(scope: Scope, side: str) -> MarginBound:
    """The most that a side's margin can become."""
    start, tables = scope.start, scope.tables
    theirs = start.pattern.o_cells if side == "X" else start.pattern.x_cells
    ours = start.pattern.x_cells if side == "X" else start.pattern.o_cells
    margin = start.margin if side == "X" else -start.margin
    left = (scope.coverable() & theirs & ~start.covered).bit_count()
    must = (scope.required & ours).bit_count()
    best = max(
        (
            (tables.cell_masks[number] & theirs).bit_count()
            - (tables.cell_masks[number] & ours).bit_count()
            for number in bits(scope.candidates)
        ),
        default=0,
    )
    by_pieces = max(scope.most * best, scope.fewest * best)
    other = "O" if side == "X" else "X"
    if left - must <= by_pieces:
        reason = f"the margin is {start.margin} and {left} {other} can still be covered"
        if must:
            reason += f", {must} {side} have to be"
        return MarginBound(margin + left - must, reason, by_pieces=False)
    reason = (
        f"the margin is {start.margin} and at most {number_of_pieces(scope.most)} can still come, "
        f"which gain {side} at most {best} each"
    )
    return MarginBound(margin + by_pieces, reason, by_pieces=True)


# --- joining ----------------------------------------------------------------------------------


def _bound_by_joining(scope: Scope) -> None:
    on_board = len(scope.start.pieces)
    while True:
        terminals, described = _terminals(scope)
        if not terminals and not on_board:
            return
        fewest, needs = fewest_joining(scope, terminals)
        if fewest is None:
            scope.impossible.append(
                f"joining {described} takes more than {number_of_pieces(on_board + scope.most)}"
                + (f" ({on_board} are on the board)" if on_board else "")
            )
            return
        scope.joining = fewest
        if fewest > scope.fewest:
            scope.fewest = fewest
            scope.reasons.append(
                f"at least {number_of_pieces(on_board + fewest)}: no fewer join {described}"
            )
        kept = sum(1 << number for number in needs)
        kept = scope.start.reachable(kept)
        if kept == scope.candidates:
            scope.needs = {number: need for number, need in needs.items() if need > scope.fewest}
            return
        scope.candidates = kept
        if scope.required & ~scope.coverable() or scope.forced & ~kept:
            scope.impossible.append(
                f"{number_of_pieces(on_board + scope.most)} cannot join {described} "
                "and all else that is demanded"
            )
            return


def _terminals(scope: Scope) -> tuple[list[int], str]:
    """What an answer must join, as sets of placements of which one is needed, and in words.

    Far from each other rather than many: each terminal triples the work.
    """
    tables = scope.tables
    pieces = [(1 << number, tables.all[number].cells) for number in bits(scope.forced)]
    cells = [
        (tables.covering[cell] & scope.candidates, (cell,))
        for cell in tables.outline.cells_of(scope.required)
    ]
    choices = pieces + cells
    chosen: list[tuple[int, tuple[Cell, ...]]] = []
    near = [cell for piece in scope.start.pieces for cell in piece.cells]
    most = MOST_TERMINALS if scope.most <= 20 else MOST_TERMINALS - 2
    while choices and len(chosen) + bool(near) < most:
        far = max(choices, key=lambda choice: _distance(choice[1], chosen, near))
        if (chosen or near) and _distance(far[1], chosen, near) == 0:
            break
        chosen.append(far)
        choices.remove(far)
    described = [
        tables.all[number].notation
        for number in bits(scope.forced)
        if any(1 << number == terminal for terminal, _ in chosen)
    ]
    lone = [where[0] for _, where in chosen if len(where) == 1]
    if lone:
        described.append(names(lone))
    if scope.start.pieces:
        described.append("the pieces on the board")
    return [terminal for terminal, _ in chosen], " and ".join(described)


def _distance(
    cells: tuple[Cell, ...], chosen: list[tuple[int, tuple[Cell, ...]]], near: list[Cell]
) -> int:
    others = near + [cell for _, where in chosen for cell in where]
    if not others:
        # The first terminal: one at the rim.
        return max(abs(2 * cell.row - 30) + abs(2 * cell.column - 30) for cell in cells)
    return min(
        abs(one.row - other.row) + abs(one.column - other.column)
        for one in cells
        for other in others
    )


def fewest_joining(scope: Scope, terminals: list[int]) -> tuple[int | None, dict[int, int]]:
    """How few further pieces can join all the terminals: any, and for each candidate with it.

    None, and no entry, where ``scope.most`` pieces are not enough.  A terminal is a set of
    placements of which one must be there; the pieces on the board are one more terminal.
    """
    tables, candidates, start = scope.tables, scope.candidates, scope.start
    # The pieces on the board are one more node, the last bit, which costs nothing.
    board = 1 << len(tables) if start.pieces else 0
    touching = start.reach & candidates if board else 0
    neighbours = {
        number: tables.touches[number] & ~tables.conflicts[number] & candidates
        for number in bits(candidates)
    }
    everything = (1 << (len(terminals) + bool(board))) - 1
    halves = [
        [
            (half, whole ^ half)
            for half in range(1, whole)
            if half & whole == half and half < whole ^ half
        ]
        for whole in range(everything + 1)
    ]
    # tree[whole][k]: the nodes of trees of at most k pieces that have the terminals of `whole`.
    tree: list[list[int]] = [[] for _ in range(everything + 1)]
    for whole in range(1, everything + 1):
        having = candidates
        for index, terminal in enumerate(terminals):
            if whole >> index & 1:
                having &= terminal
        of_board = bool(board) and whole >> len(terminals) & 1
        tree[whole].append(board if of_board and whole == 1 << len(terminals) else 0)
        tree[whole].append(tree[whole][0] | (having if not of_board else 0))
        if board and tree[whole][1] & touching:
            tree[whole][1] |= board
    for pieces in range(1, scope.most + 1):
        for whole in range(1, everything + 1):
            rows = tree[whole]
            if pieces == len(rows):
                rows.append(rows[-1])
            found = rows[pieces]
            before = rows[pieces - 1]
            fresh = before & ~(rows[pieces - 2] if pieces > 1 else 0)
            for number in bits(fresh & ~board):
                found |= neighbours[number]
            if fresh & board:
                found |= touching
            for one, other in halves[whole]:
                ones, others = tree[one], tree[other]
                for of_one in range(pieces + 1):
                    # A piece where two trees meet counts in both; the board counts in neither.
                    if of_one:
                        found |= ones[of_one] & others[pieces + 1 - of_one] & ~board
                    found |= ones[of_one] & others[pieces - of_one] & board
            if board and found & touching:
                found |= board
            rows[pieces] = found
    fewest: int | None = None
    needs: dict[int, int] = {}
    for pieces, nodes in enumerate(tree[everything][: scope.most + 1]):
        if nodes and fewest is None:
            fewest = pieces
        for number in bits(nodes & ~board):
            needs.setdefault(number, pieces)
    return fewest, needs
