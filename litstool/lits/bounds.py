"""What counting says of a reach question before any search.

Each function is an argument that can be said in one sentence, and it either narrows a
:class:`Prepared` question or shows it impossible.

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

from litstool.grid import Cell, bits, names
from litstool.lits.board import SIDES
from litstool.lits.questions import Prepared

MOST_TERMINALS = 6


def tighten(prepared: Prepared) -> dict[int, int]:
    """Narrow a question by every argument, in place; adds to ``impossible`` and ``reasons``.

    Returns for some placements the fewest further pieces of an answer that has it, where that
    is more than ``fewest``.
    """
    if prepared.impossible:
        return {}
    _bound_by_blocks(prepared)
    _bound_by_required(prepared)
    _bound_by_symbols(prepared)
    _bound_by_scores(prepared)
    if prepared.impossible:
        return {}
    return _bound_by_joining(prepared)


def packings(prepared: Prepared) -> list[list[int]]:
    """Ways to lay disjoint 2x2 blocks on cells that might all be covered, the largest first.

    Each block is a set of cells.  Tried are the four tilings of the plane, each filled up, and
    one greedy pass; only those as large as the largest are kept.
    """
    coverable = prepared.coverable()
    blocks = [block for block in prepared.tables.block_masks if not block & ~coverable]
    outline = prepared.tables.outline
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


def _bound_by_blocks(prepared: Prepared) -> None:
    coverable = prepared.coverable().bit_count()
    blocks = len(packings(prepared)[0])
    on_board = len(prepared.start.pieces)
    pieces = (coverable - blocks) // 4
    reason = (
        f"{blocks} disjoint 2x2 blocks keep an open cell each, so at most "
        f"{coverable} - {blocks} = {coverable - blocks} cells can be covered, "
        f"which {pieces} pieces do"
    )
    if not blocks:
        return
    if on_board + prepared.fewest > pieces:
        prepared.impossible.append(f"{reason}: not {on_board + prepared.fewest}")
    elif pieces - on_board < prepared.most:
        prepared.most = pieces - on_board
        prepared.reasons.append(f"at most {pieces} pieces: {reason}")


def _bound_by_required(prepared: Prepared) -> None:
    outline = prepared.tables.outline
    lost = prepared.required & ~prepared.coverable()
    if lost:
        prepared.impossible.append(
            f"no piece that could still be played covers {names(outline.cells_of(lost))}"
        )
        return
    for block in prepared.tables.block_masks:
        if not block & ~(prepared.required | prepared.start.covered):
            prepared.impossible.append(
                f"the 2x2 block {names(outline.cells_of(block))} would be wholly covered"
            )
            return
    cells = prepared.required.bit_count()
    needed = -(-cells // 4)
    on_board = len(prepared.start.pieces)
    if needed > prepared.most:
        prepared.impossible.append(
            f"{cells} more cells are to be covered, which takes {needed} more pieces of 4 cells: "
            f"{on_board + needed} in all, more than {on_board + prepared.most}"
        )
    elif needed > prepared.fewest:
        prepared.fewest = needed
        prepared.reasons.append(
            f"at least {on_board + needed} pieces: {cells} more cells are to be covered, "
            "4 by each piece"
        )


def _bound_by_scores(prepared: Prepared) -> None:
    """Symbols that are to be covered must be there to cover, and take pieces."""
    start = prepared.start
    covering = 0
    for side, score in zip(SIDES, prepared.question.score, strict=True):
        if score is None:
            continue
        now = start.score(side)
        symbols = start.pattern.x_cells if side == "X" else start.pattern.o_cells
        can = (prepared.coverable() & symbols & ~start.covered).bit_count()
        if not now - can <= score <= now:
            prepared.impossible.append(
                f"{side} has {now} symbols uncovered, of which {can} can still be covered, "
                f"so it cannot end with {score}"
            )
            return
        covering += now - score
    needed, on_board = -(-covering // 4), len(start.pieces)
    if needed > prepared.most:
        prepared.impossible.append(
            f"{covering} more symbols are to be covered, at most 4 by each piece, which takes "
            f"{on_board + needed} pieces in all, more than {on_board + prepared.most}"
        )
    elif needed > prepared.fewest:
        prepared.fewest = needed
        prepared.reasons.append(
            f"at least {on_board + needed} piece{'s' * (on_board + needed != 1)}: the scores ask "
            f"for {covering} more covered symbols, at most 4 by each piece"
        )


def _bound_by_symbols(prepared: Prepared) -> None:
    wanted = prepared.question.margin
    if prepared.question.winner == "X":
        wanted = max(0, wanted if wanted is not None else 0)
    if wanted is not None:
        most, reason = margin_bound(prepared, "X")
        if most < wanted:
            prepared.impossible.append(f"{reason}, which makes X's margin at most {most}")
    if prepared.question.winner == "O":
        most, reason = margin_bound(prepared, "O")
        if most < 0:
            prepared.impossible.append(
                f"{reason}, which makes X's margin at least {-most}, and X the winner"
            )


def margin_bound(prepared: Prepared, side: str) -> tuple[int, str]:
    """The most that a side's margin can become, and why."""
    start, tables = prepared.start, prepared.tables
    theirs = start.pattern.o_cells if side == "X" else start.pattern.x_cells
    ours = start.pattern.x_cells if side == "X" else start.pattern.o_cells
    margin = start.margin if side == "X" else -start.margin
    left = (prepared.coverable() & theirs & ~start.covered).bit_count()
    must = (prepared.required & ours).bit_count()
    best = max(
        (
            (tables.cell_masks[number] & theirs).bit_count()
            - (tables.cell_masks[number] & ours).bit_count()
            for number in bits(prepared.candidates)
        ),
        default=0,
    )
    by_pieces = max(prepared.most * best, prepared.fewest * best)
    other = "O" if side == "X" else "X"
    if left - must <= by_pieces:
        return margin + left - must, (
            f"the margin is {start.margin} and {left} {other} can still be covered"
            + (f", {must} {side} have to be" if must else "")
        )
    return margin + by_pieces, (
        f"the margin is {start.margin} and at most {prepared.most} more pieces can come, "
        f"which gain {side} at most {best} each"
    )


# --- joining ----------------------------------------------------------------------------------


def _bound_by_joining(prepared: Prepared) -> dict[int, int]:
    on_board = len(prepared.start.pieces)
    while True:
        terminals, described = _terminals(prepared)
        if not terminals and not on_board:
            return {}
        fewest, needs = fewest_joining(prepared, terminals)
        if fewest is None:
            prepared.impossible.append(
                f"joining {described} takes more than {on_board + prepared.most} pieces"
                + (f" ({on_board} are on the board)" if on_board else "")
            )
            return {}
        if fewest > prepared.fewest:
            prepared.fewest = fewest
            prepared.reasons.append(
                f"at least {on_board + fewest} pieces: no fewer join {described}"
            )
        kept = sum(1 << number for number in needs)
        kept = prepared.start.reachable(kept)
        if kept == prepared.candidates:
            return {number: need for number, need in needs.items() if need > prepared.fewest}
        prepared.candidates = kept
        if prepared.required & ~prepared.coverable() or prepared.forced & ~kept:
            prepared.impossible.append(
                f"no {on_board + prepared.most} pieces join {described} "
                "and all else that is demanded"
            )
            return {}


def _terminals(prepared: Prepared) -> tuple[list[int], str]:
    """What an answer must join, as sets of placements of which one is needed, and in words.

    Far from each other rather than many: each terminal triples the work.
    """
    tables = prepared.tables
    pieces = [(1 << number, tables.all[number].cells) for number in bits(prepared.forced)]
    cells = [
        (tables.covering[cell] & prepared.candidates, (cell,))
        for cell in tables.outline.cells_of(prepared.required)
    ]
    choices = pieces + cells
    chosen: list[tuple[int, tuple[Cell, ...]]] = []
    near = [cell for piece in prepared.start.pieces for cell in piece.cells]
    most = MOST_TERMINALS if prepared.most <= 20 else MOST_TERMINALS - 2
    while choices and len(chosen) + bool(near) < most:
        far = max(choices, key=lambda choice: _distance(choice[1], chosen, near))
        if (chosen or near) and _distance(far[1], chosen, near) == 0:
            break
        chosen.append(far)
        choices.remove(far)
    described = [
        tables.all[number].notation
        for number in bits(prepared.forced)
        if any(1 << number == terminal for terminal, _ in chosen)
    ]
    lone = [where[0] for _, where in chosen if len(where) == 1]
    if lone:
        described.append(names(lone))
    if prepared.start.pieces:
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


def fewest_joining(prepared: Prepared, terminals: list[int]) -> tuple[int | None, dict[int, int]]:
    """How few further pieces can join all the terminals: any, and for each candidate with it.

    None, and no entry, where ``prepared.most`` pieces are not enough.  A terminal is a set of
    placements of which one must be there; the pieces on the board are one more terminal.
    """
    tables, candidates, start = prepared.tables, prepared.candidates, prepared.start
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
    for pieces in range(1, prepared.most + 1):
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
    for pieces, nodes in enumerate(tree[everything][: prepared.most + 1]):
        if nodes and fewest is None:
            fewest = pieces
        for number in bits(nodes & ~board):
            needs.setdefault(number, pieces)
    return fewest, needs
