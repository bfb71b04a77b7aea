"""The search: one loop over a stack of plies.

At every ply the loop does one of three things: it *enters* a position (keys, table, bounds),
*expands* its moves, or *leaves* it with a result; then it goes down to the best child left.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.lits.kernel.bounds import survey
from litstool.lits.kernel.children import expand, put_down
from litstool.lits.kernel.claims import claim
from litstool.lits.kernel.keys import make_keys, scramble
from litstool.lits.kernel.state import (
    CLUSTERS,
    HASTE,
    KEY,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    NOTHING_YET,
    PRICED,
    ROOT_BEST,
    ROOT_DONE,
    ROOT_TOTAL,
    STOP,
    STOPPED,
    STORED,
    TEAM,
)
from litstool.lits.kernel.table import SLOTS, find, lower_of, move_of, spread, store, upper_of
from litstool.lits.rows import count, has_members, put, row
from litstool.search.compiling import inlined, lean_kernel

TEAM_SIZE_LEAST = 90
"""Positions with fewer live placements are too small to share among threads."""

HASTE_LEAST = 64
"""With fewer moves to look at, haste costs more nodes than it saves looks."""

_ENTER, _EXPAND, _LEAVE = 0, 1, 2
_POLL_NODES = 1024
_PUT_OFF = 1 << 40


@inlined
def is_settled(data, alpha):
    """Whether an entry's bounds answer the question."""
    return lower_of(data) > alpha or upper_of(data) <= alpha


@inlined
def answer_of(data, alpha):
    """The bound that does."""
    return lower_of(data) if lower_of(data) > alpha else upper_of(data)


@inlined
def settled_above(work, table, mask, ply):
    """The first ply on the way here that another thread has settled; 0 for none."""
    settled = 0
    for above in range(1, ply):
        data = find(table, mask, work.keys[above, 0], work.keys[above, 1])
        if data != 0 and is_settled(data, work.alpha[above]):
            settled = above
            break
    return settled


@inlined
def unmark(work, busy, ply):
    """Tell other threads that the current child of a ply is no longer at work on."""
    if work.mark[ply] != 0:
        busy[np.int64(work.mark[ply] & np.uint64(busy.shape[0] - 1))] = 0
        work.mark[ply] = 0


@inlined
def begin(work, ply, nodes):
    """A ply of which no move has been looked at."""
    work.entered[ply] = nodes
    work.searched[ply] = 0
    work.mark[ply] = 0
    work.kept[ply] = 0
    work.best[ply] = NOTHING_YET
    work.best_move[ply] = NO_MOVE


@inlined
def remember(work, table, control, mask, ply, is_lower, nodes):
    """Store the best bound of a ply; the mask of the table, which may have grown."""
    store(
        table,
        mask,
        work.keys[ply, 0],
        work.keys[ply, 1],
        work.best[ply],
        is_lower,
        work.best_move[ply],
        nodes - work.entered[ply] + 1,
    )
    control[STORED] += 1
    if control[TEAM] <= 1 and control[STORED] > 2 * control[CLUSTERS]:
        clusters = control[CLUSTERS]
        if 4 * SLOTS * clusters <= table.shape[0]:
            spread(table, clusters)
            control[CLUSTERS] = 4 * clusters
            mask = np.uint64(4 * clusters - 1)
    return mask


@inlined
def choose(work, busy, ply, shares):
    """The kept child with the best score; with ``shares``, not one that another thread is at
    work on, unless it was put off once."""
    while True:
        chosen = 0
        for index in range(1, work.kept[ply]):
            if work.child_score[ply, index] > work.child_score[ply, chosen]:
                chosen = index
        if not shares:
            break
        move = work.child_move[ply, chosen]
        mark = scramble(work.keys[ply, 1] + np.uint64(move)) | np.uint64(1)
        place = np.int64(mark & np.uint64(busy.shape[0] - 1))
        score = work.child_score[ply, chosen]
        if work.searched[ply] > 0 and score > -_PUT_OFF // 2 and busy[place] == mark:
            work.child_score[ply, chosen] = score - _PUT_OFF
            continue
        busy[place] = mark
        work.mark[ply] = mark
        break
    return chosen


@inlined
def descend(game, work, ply, side, chosen, lines):
    """Put the position after a kept child at the next ply, and take it off the kept ones."""
    start = ply * game.tables.shape.shape[0]
    last = work.kept[ply] - 1
    move = work.child_move[ply, chosen]
    put(work.alive, ply + 1, row(work.child_alive, start + chosen, lines))
    put(work.legal, ply + 1, row(work.child_legal, start + chosen, lines))
    put(work.child_alive, start + chosen, row(work.child_alive, start + last, lines))
    put(work.child_legal, start + chosen, row(work.child_legal, start + last, lines))
    work.child_move[ply, chosen] = work.child_move[ply, last]
    work.child_score[ply, chosen] = work.child_score[ply, last]
    work.kept[ply] = last
    work.current[ply] = move
    work.searched[ply] += 1
    put_down(game, work, ply, move)
    # The node is above alpha where the child's value is below 3 x gain - alpha.
    work.alpha[ply + 1] = 3 * game.gains[side, move] - work.alpha[ply] - 1


@lean_kernel
def search(game, work, shared, control, first_side, fresh, root_alpha, techniques, lines):
    """Whether the position at ply 0 is worth more than ``root_alpha`` to the side to move.

    ``first_side`` is that side (0 for X, 1 for O), ``fresh`` says that the board is empty.  There
    must be a legal move.  Returns a proven bound on the value, a lower one if it is above
    ``root_alpha`` and an upper one if not, with the best move in ``control[ROOT_BEST]``; or
    STOPPED.
    """
    table = shared.table
    busy = shared.busy
    mask = np.uint64(control[CLUSTERS] - 1)
    team = control[TEAM] > 1
    priced = (techniques & PRICED) != 0
    haste = (techniques & HASTE) != 0
    only_relevant = (techniques & KEY) != 0
    nodes = 0
    next_poll = _POLL_NODES
    ply = 0
    result = 0
    hint = NO_MOVE
    many = False
    step = _ENTER
    work.alpha[0] = root_alpha
    while True:
        side = (first_side + ply) & 1
        if step == _ENTER:
            alpha = work.alpha[ply]
            alive = row(work.alive, ply, lines)
            legal = row(work.legal, ply, lines)
            survey(game, work, ply, alive, priced, lines)
            make_keys(game, work, ply, side, alive, legal, only_relevant, lines)
            hint = NO_MOVE
            data = find(table, mask, work.keys[ply, 0], work.keys[ply, 1])
            many = count(legal) >= HASTE_LEAST
            if data != 0:
                if ply > 0 and is_settled(data, alpha):
                    result = answer_of(data, alpha)
                    claim(work, shared, control, ply, NO_MOVE, result, result > alpha)
                    step = _LEAVE
                    continue
                hint = move_of(data)
            elif ply > 0 and haste:
                hint = work.killer[ply]
            nodes += 1
            if nodes >= next_poll:
                next_poll = nodes + _POLL_NODES
                control[NODES] = nodes
                if control[STOP] != 0 or nodes > control[NODE_LIMIT]:
                    return STOPPED
                settled = settled_above(work, table, mask, ply) if team else 0
                if settled > 0:
                    data = find(table, mask, work.keys[settled, 0], work.keys[settled, 1])
                    result = answer_of(data, work.alpha[settled])
                    while ply > settled:
                        ply -= 1
                        unmark(work, busy, ply)
                    step = _LEAVE
                    continue
            begin(work, ply, nodes)
            put(work.pending, ply, legal)
            if team:
                work.size[ply] = count(alive)
            step = _EXPAND
        elif step == _LEAVE:
            if ply == 0:
                break
            ply -= 1
            side = 1 - side
            unmark(work, busy, ply)
            move = work.current[ply]
            value = 3 * game.gains[side, move] - result
            if ply == 0:
                control[ROOT_DONE] += 1
            if value > work.best[ply]:
                work.best[ply] = value
                work.best_move[ply] = move
            is_lower = work.best[ply] > work.alpha[ply]
            if not is_lower and has_members(row(work.pending, ply, lines)):
                hint = NO_MOVE
                step = _EXPAND
            elif is_lower or work.kept[ply] == 0:
                result = work.best[ply]
                if is_lower:
                    work.killer[ply] = work.best_move[ply]
                claim(work, shared, control, ply, NO_MOVE, result, is_lower)
                mask = remember(work, table, control, mask, ply, is_lower, nodes)
                continue
        if step == _EXPAND:
            hasty = haste and ply > 0 and work.searched[ply] == 0 and many
            settled_here = expand(
                game, work, shared, control, ply, side, fresh and ply == 0, hint, hasty,
                techniques, lines,
            )  # fmt: skip
            if ply == 0:
                control[ROOT_TOTAL] = work.kept[0]
                control[ROOT_DONE] = 0
            if settled_here or work.kept[ply] == 0:
                result = work.best[ply]
                if settled_here:
                    work.killer[ply] = work.best_move[ply]
                claim(work, shared, control, ply, NO_MOVE, result, settled_here)
                # What is settled by bounds alone is cheaper to find again than to remember.
                if work.searched[ply] > 0:
                    mask = remember(work, table, control, mask, ply, settled_here, nodes)
                step = _LEAVE
                continue
        shares = team and work.kept[ply] > 1 and work.size[ply] >= TEAM_SIZE_LEAST
        descend(game, work, ply, side, choose(work, busy, ply, shares), lines)
        ply += 1
        step = _ENTER
    control[NODES] = nodes
    control[ROOT_BEST] = work.best_move[0]
    return result
