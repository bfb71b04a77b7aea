"""Checking endgame puzzles: all that a file claims, with the solver and with the rules."""

from __future__ import annotations

from litstool.errors import LitstoolError
from litstool.game import DRAW, Position, text_of
from litstool.search.control import Control
from litstool.tasks.puzzles import Claim, Examiner, Puzzle, Solution


def check(puzzle: Puzzle, winning: int = 1, control: Control | None = None) -> list[str]:
    """Everything about a puzzle that is not as it should be; empty where it is sound.

    A file that claims nothing should have ``winning`` winning moves, none of the greediest.  The
    time limit of ``control`` is for all of it.

    :raises IllegalError: the position breaks the rules.
    :raises Undecided: the time limit came first.
    """
    position, claim = puzzle.position, puzzle.claim
    if position.is_finished:
        return ["the game is over, so there is nothing to solve"]
    examiner = Examiner(puzzle.record, control)
    examiner.make_ready(position)
    best = examiner.solution(position)
    wins, margin = best.moves, best.margin
    wanted = winning if claim is None else claim.winning
    found = []
    if not wins:
        return [f"{position.to_move} is to move and has no winning move"]
    if len(wins) != wanted:
        verb = "save the draw" if best.result == DRAW else "win"
        number = _count(len(wins), "move")
        found.append(f"{number} {verb} instead of {wanted}: {', '.join(wins)}")
    if examiner.is_greedy(position, wins):
        found.append("a winning move has the largest gain, so looking at points finds it")
    if claim is None:
        return found
    if claim.winner != best.result:
        saves = "saves a draw" if best.result == DRAW else "wins"
        found.append(f"winner is {claim.winner}, but {position.to_move} is to move and {saves}")
    if set(claim.solution) != set(wins):
        found.append(
            f"the solution is {', '.join(wins)}, not {', '.join(claim.solution) or 'nothing'}"
        )
    if claim.margin is not None and claim.margin != margin:
        found.append(f"the margin under best play is {margin:+d}, not {claim.margin:+d}")
    if claim.lines:
        found += _faults_of_lines(position, claim, best, examiner)
    if claim.measures is not None and claim.plies is not None:
        measures = examiner.measures(position, wins, claim.plies)
        for name, value in measures.to_json().items():
            if claim.measures.get(name) != value:
                found.append(f"the measure {name!r} is {value}, not {claim.measures.get(name)}")
        grade = measures.grade(examiner.puzzles)
        if claim.grade is not None and claim.grade != grade:
            found.append(f"the grade is {grade!r}, not {claim.grade!r}")
    return found


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _faults_of_lines(
    position: Position, claim: Claim, best: Solution, examiner: Examiner
) -> list[str]:
    """What is wrong with the solution tree; empty where nothing is."""
    mover = position.to_move
    found: list[str] = []
    answered: dict[tuple[str, ...], set[str]] = {}
    judged: dict[tuple[str, ...], bool] = {}
    for number, line in enumerate(claim.lines, 1):
        at = position
        for ply, text in enumerate(line):
            try:
                after = at.play(text)
            except LitstoolError:
                found.append(f"line {number}: move {ply + 1}, {text}, is not legal")
                break
            path = line[: ply + 1]
            if at.to_move == mover:
                if path not in judged:
                    judged[path] = examiner.keeps(best.result, after, mover)
                    if not judged[path]:
                        found.append(f"line {number}: {text} gives the {_goal(best)} away")
            else:
                answered.setdefault(line[:ply], set()).add(text)
            at = after
        else:
            if not at.is_finished:
                if claim.complete or number == 1:
                    found.append(f"line {number} stops before the end of the game")
                elif at.to_move == mover:
                    found.append(f"line {number} stops without an answer")
            elif at.winner not in (best.result, mover):
                found.append(f"line {number} does not end in a {_goal(best)} of {mover}")
            elif number == 1 and at.margin != best.margin:
                found.append(f"line 1 ends at a margin of {at.margin:+d}, not {best.margin:+d}")
    if claim.plies is not None and len(claim.lines[0]) != claim.plies:
        found.append(f"line 1 is {_count(len(claim.lines[0]), 'ply')}, not {claim.plies}")
    if found:
        return found
    firsts = {line[0] for line in claim.lines}
    for path in sorted(answered, key=len):
        if path[0] not in best.moves or (not claim.complete and len(path) > 1):
            continue
        at = position
        for text in path:
            at = at.play(text)
        # Where the line of best play leaves the tree, the tree answers for it.
        missing = {text_of(move) for move in at.moves()} - answered[path]
        if missing and not _is_beside(path, claim.lines):
            found.append(f"no answer to {sorted(missing)[0]} after {' '.join(path)}")
    if not firsts <= set(best.moves):
        found.append("a line begins with a move that is none of the solution")
    return found


def _goal(best: Solution) -> str:
    return "draw" if best.result == DRAW else "win"


def _is_beside(path: tuple[str, ...], lines: tuple[tuple[str, ...], ...]) -> bool:
    """Whether only the line of best play goes this way, another answer standing in the tree."""
    return len(path) > 1 and all(each[: len(path)] != path for each in lines[1:])
