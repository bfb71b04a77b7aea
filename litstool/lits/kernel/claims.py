"""What the search relies on, written down for an audit by tests."""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from litstool.lits.kernel.state import CLAIMS
from litstool.search.compiling import inlined


@inlined
def claim(work, shared, control, ply, move, value, is_lower):
    """Write down a bound that the search relies on, for an audit.

    The bound is on the value of the position at a ply to its side to move, or where that side
    plays ``move``, if it is one.  A row of ``claims`` has: bound, whether a lower one, the move or
    NO_MOVE, the number of moves that lead from ply 0 to the position, those moves.
    """
    place = control[CLAIMS]
    if place < shared.claims.shape[0]:
        shared.claims[place, 0] = value
        shared.claims[place, 1] = is_lower
        shared.claims[place, 2] = move
        shared.claims[place, 3] = ply
        for above in range(ply):
            shared.claims[place, 4 + above] = work.current[above]
        control[CLAIMS] = place + 1
