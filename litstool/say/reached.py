"""What the answer to a reach question says: in words, as a JSON document, and on the way."""

from __future__ import annotations

from litstool.grid import names
from litstool.proofs import Verdict
from litstool.say.layout import columns, wrapped
from litstool.say.results import Sides, lead
from litstool.search.asking import (
    Forced,
    MoveT,
    Optimise,
    PieceT,
    PositionT,
    Questions,
    QuestionT,
    ReachProgress,
    ReachResult,
)
from litstool.search.control import Progress

MARGIN = "margin"
"""The objective whose values say who leads."""


def progress(found: Progress) -> str:
    """How far a search is, in a line."""
    parts = [f"{found.done:,} solver calls", f"{found.nodes:,} conflicts"]
    if isinstance(found, ReachProgress) and found.cuts:
        parts.append(f"{found.cuts:,} cuts")
    if isinstance(found, ReachProgress) and found.found:
        parts.append(f"{found.found:,} found")
    if found.best is not None:
        parts.append(f"best {found.best}")
    if found.bounds is not None:
        parts.append(f"between {found.bounds[0]} and {found.bounds[1]}")
    return ", ".join(parts) + f", {found.seconds:.0f} s"


def document(
    questions: Questions[PositionT, QuestionT, MoveT, PieceT],
    result: ReachResult[PositionT, MoveT, PieceT],
) -> dict[str, object]:
    """The document of ``reach --json``."""
    position = result.position
    found: dict[str, object] = {
        "possible": result.possible,
        "moves": [questions.move_text(move) for move in result.moves],
        "position": None if position is None else questions.position_line(position),
        "arguments": list(result.arguments),
    }
    if result.optimal is not None:
        found |= {"value": result.value, "bound": result.bound, "optimal": result.optimal}
    if result.count is not None:
        found |= {
            "count": result.count,
            "complete": result.complete,
            "positions": [questions.position_line(each) for each in result.positions],
        }
    if isinstance(result.wish, Forced):
        for name, pieces in (("forced", result.forced), ("never", result.never)):
            found[name] = None if pieces is None else [questions.piece_text(p) for p in pieces]
        for name, cells in (
            ("forced_cells", result.forced_cells),
            ("never_cells", result.never_cells),
        ):
            found[name] = None if cells is None else [cell.name for cell in cells]
    if result.effort.stopped:
        found["stopped"] = result.effort.stopped
    if result.method is not None:
        found["method"] = result.method
    return found | {
        "solver": result.solver,
        "calls": result.effort.calls,
        "cuts": result.effort.cuts,
        "conflicts": result.effort.conflicts,
        "seconds": round(result.seconds, 6),
    }


def answer(
    questions: Questions[PositionT, QuestionT, MoveT, PieceT],
    result: ReachResult[PositionT, MoveT, PieceT],
    sides: Sides,
) -> list[str]:
    """The answer in words: the verdict, the best value, why, and all positions if listed."""
    lines = [_verdict(result.possible, result.effort.stopped)]
    if isinstance(result.wish, Optimise) and result.bound is not None:
        lines += wrapped(
            _best_value(result.wish, result.value, result.bound, bool(result.optimal), sides),
            columns(),
            2,
        )
    for reason in result.arguments:
        lines += wrapped(f"  {reason}", columns(), 4)
    if result.count is not None:
        more = "" if result.complete else ", and there may be more"
        lines.append(f"{result.count:,} different final sets of pieces{more}")
        lines += [questions.position_line(position) for position in result.positions]
    return lines


def play(movers: list[str], moves: list[str]) -> list[str]:
    """The moves of a play, each with whose it is."""
    if not moves:
        return ["The position itself satisfies the conditions."]
    return [
        "",
        *(
            f"  {number:>2}. {side:<5} {move}"
            for number, (side, move) in enumerate(zip(movers, moves, strict=True), 1)
        ),
    ]


def shared(
    questions: Questions[PositionT, QuestionT, MoveT, PieceT],
    result: ReachResult[PositionT, MoveT, PieceT],
) -> list[str]:
    """What all answers have in common; nothing where that is not known."""
    if result.forced is None or result.never is None:
        return []
    pieces = "  ".join(questions.piece_text(piece) for piece in result.forced) or "none"
    return [
        "",
        f"In every answer: pieces {pieces}",
        f"  cells {names(result.forced_cells or ()) or 'none'}",
        f"In no answer: {len(result.never)} placements (--json lists them)",
        f"  cells {names(result.never_cells or ()) or 'none'}",
    ]


def effort(result: ReachResult[PositionT, MoveT, PieceT]) -> str:
    """What the search took, in a line."""
    spent = result.effort
    cuts, how = "", result.solver
    if result.method is not None:
        cuts, how = f"{spent.cuts:,} cuts, ", f"{how}, {result.method}"
    return (
        f"{spent.calls:,} solver call{'s' * (spent.calls != 1)}, "
        f"{cuts}{spent.conflicts:,} conflicts ({how}), {result.seconds:.3f} s"
    )


def proof_checked(verdict: Verdict) -> str:
    """What the check of a proof says, in a line."""
    steps = f"{verdict.steps:,} step{'s' * (verdict.steps != 1)}"
    if verdict.holds:
        return f"Verified: the formula cannot hold ({steps})."
    if verdict.line is not None:
        return f"Not verified: line {verdict.line} of the proof does not follow by propagation."
    return f"Not verified: the proof comes to no contradiction ({steps} follow)."


def document_of_proof(verdict: Verdict) -> dict[str, object]:
    """The document of ``reach --check-proof --json``."""
    return {"verified": verdict.holds, "steps": verdict.steps, "line": verdict.line}


def _verdict(possible: bool | None, stopped: str | None) -> str:
    if possible is not None:
        return "Possible." if possible else "Impossible."
    return f"Undecided: {stopped if stopped == 'interrupted' else f'stopped by the {stopped}'}."


def _best_value(
    wish: Optimise, value: int | None, bound: int, is_optimal: bool, sides: Sides
) -> str:
    """The value found and the proven limit on the other side of it."""

    def told(number: int) -> str:
        if wish.objective != MARGIN:
            return str(number)
        return f"{number} ({lead(number, sides)})" if number else "0 (equal scores)"

    largest = wish.sign > 0
    if wish.objective == MARGIN:
        what = f"{sides[0]}'s {'largest' if largest else 'smallest'} margin"
    else:
        what = f"{'Most' if largest else 'Fewest'} {wish.objective}"
    if is_optimal and value is not None:
        return f"{what}: {told(value)}, proved."
    proved = f"{'at most' if largest else 'at least'} {told(bound)} proved"
    found = "none found yet" if value is None else f"{told(value)} found"
    return f"{what}: {found}; {proved}."
