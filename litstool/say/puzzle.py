"""What puzzles say: the task, the solution and why the greedy move fails; their documents."""

from __future__ import annotations

from typing import Any

from litstool.game import DRAW
from litstool.say import results
from litstool.search.control import Progress
from litstool.tasks.puzzles import Claim, Puzzle, Refutation

_TOLD = ("winner", "winning", "plies", "grade")
"""What a document says of a puzzle without its solution."""


def titled(puzzle: Puzzle, number: int, board: str) -> Puzzle:
    """A made puzzle with its name and what kind it is."""
    claim = puzzle.claim
    assert claim is not None
    goal = "saves the draw" if claim.winner == DRAW else "wins"
    many = f"{claim.winning} moves {_plural(goal)}" if claim.winning > 1 else f"one move {goal}"
    name = f"{board.capitalize()}: {puzzle.position.to_move} to move {goal} in {claim.plies} plies"
    note = f"Puzzle {number}, {claim.grade}: {many}."
    return Puzzle(puzzle.of_game.titled(puzzle.record, name, note), claim)


def _plural(verb: str) -> str:
    first, _, rest = verb.partition(" ")
    return f"{first.removesuffix('s')} {rest}".strip()


def summary(puzzle: Puzzle) -> str:
    """A puzzle in a few words."""
    claim = puzzle.claim
    if claim is None:
        return "no claims"
    goal = f"{claim.winner} wins"
    if claim.winner == DRAW:
        goal = f"{puzzle.position.to_move} saves the draw"
    return f"{claim.grade}, {goal} in {claim.plies} plies"


def task(puzzle: Puzzle) -> str:
    """What the solver is to do."""
    claim, side = puzzle.claim, puzzle.position.to_move
    if claim is None:
        return f"{side} to move. Find the winning move."
    if claim.winner == DRAW:
        what = "move that saves" if claim.winning == 1 else f"{claim.winning} moves that save"
        what = f"the {what} the draw"
    else:
        side = claim.winner
        what = "the winning move" if claim.winning == 1 else f"the {claim.winning} winning moves"
    grade = f" ({claim.grade})" if claim.grade else ""
    return f"{side} to move. Find {what}{grade}."


def solution(puzzle: Puzzle, solved: Claim, refutation: Refutation | None) -> list[str]:
    """The solution as lines of text: of the file, or as it was worked out."""
    if not solved.solution:
        return ["No move wins."]
    lines = [f"Solution: {'  '.join(solved.solution)}"]
    if refutation is not None:
        lines.append(why_not_greed(refutation))
    lines.append("")
    if solved is not puzzle.claim:
        return [*lines, f"Best play: {' '.join(solved.lines[0])}"]
    reply = "reply:" if solved.complete else "first reply:"
    return [*lines, f"Best play, then an answer to every {reply}", *_tree(solved)]


def _tree(claim: Claim) -> list[str]:
    """The solution tree: each line from where it leaves the one before, set in so far."""
    told = []
    before: tuple[str, ...] = ()
    for line in claim.lines:
        shared = 0
        if line is not claim.lines[0]:
            while shared < min(len(before), len(line)) and before[shared] == line[shared]:
                shared += 1
            before = line
        shared = min(shared, len(line) - 1)
        told.append("  " * (shared + 1) + f"{shared + 1}. " + " ".join(line[shared:]))
    return told


def why_not_greed(found: Refutation) -> str:
    """What happens after the move that brings the most points at once."""
    points = f"{found.gain} point{'s' * (found.gain != 1)}"
    play = f"after {' '.join(found.line)} " if found.line else ""
    end = "it is a draw" if found.winner == DRAW else results.won(found.winner, found.margin)
    return f"The greedy move {found.move} brings {points} at once and fails: {play}{end}."


def document(puzzle: Puzzle, with_solution: bool) -> dict[str, Any]:
    """The entry of ``puzzle show --json``."""
    made = puzzle.to_document()
    if not with_solution:
        claim = made.pop("puzzle", {})
        made["puzzle"] = {key: claim[key] for key in _TOLD if key in claim}
    return made


def checked(label: str, puzzle: Puzzle, faults: list[str]) -> list[str]:
    """Whether a puzzle is sound, and what is wrong."""
    if faults:
        return [f"{label}: NOT sound", *(f"  {fault}" for fault in faults)]
    return [f"{label}: sound ({summary(puzzle)})"]


def progress(label: str, found: Progress) -> str:
    """How far a check is."""
    return f"{label}: {found.seconds:.0f} s, {found.nodes:,} nodes"
