"""Playing Mijnlieff: the exact solver where it is done in time, else games played at random.

The whole game takes the solver seconds, so the estimates are only for the first moves on a slow
machine or in very little time: each move in turn gets games played at random to the end, more of
them the better it does (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed
bandit problem", 2002).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable

from litstool.analysis import Analysis, RankedMove, interval
from litstool.mijnlieff.board import SIDES
from litstool.mijnlieff.notation import parse_move
from litstool.mijnlieff.position import Move, Position, notation
from litstool.mijnlieff.solver import solve
from litstool.results import SCORE, Control, SearchResult

DEFAULT_SECONDS = 10.0
_SHARE_OF_SOLVER = 0.75
_EXPLORATION = 0.7


def after(position: Position, move: Move) -> Position:
    """The position after a move.

    :raises IllegalError: with every rule that it breaks.
    """
    return position.play(move)


def parse(text: str, position: Position) -> Move:
    """A move as a player types it.

    :raises NotationError: it is not a move.
    """
    return parse_move(text)


def seats(position: Position) -> dict[str, str]:
    """Which side each seat plays: ``first`` is Light."""
    return dict(zip(("first", "second"), SIDES, strict=True))


def prepare(position: Position, on_compile: Callable[[], None] | None = None) -> None:
    """Have the compiled parts loaded, or compiled where they never were on this machine."""
    if not position.is_finished:
        solve(position, control=Control(0.01), hash_mib=1, on_compile=on_compile)


def analyze(
    position: Position,
    *,
    time_limit: float = DEFAULT_SECONDS,
    every_move: bool = True,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Analysis:
    """What the engine finds of a position in ``time_limit`` seconds, its own choice included.

    With ``every_move`` the solver goes on to value every move.  Ctrl-C counts as a stop.
    """
    control = control or Control()
    started = time.perf_counter()
    if position.is_finished:
        return Analysis(
            to_move=position.to_move,
            choice=None,
            winner=position.winner,
            margin=position.margin,
            chance=_chance(position.winner),
        )
    prepare(position, on_compile)
    started = time.perf_counter()
    inner = Control(time_limit * _SHARE_OF_SOLVER, control.on_progress)
    found = solve(position, objective=SCORE, all_moves=every_move, control=inner)
    moves = {notation(move): move for move in position.moves()}
    tally: dict[str, list[float]] = {text: [0, 0.0] for text in moves}
    margins = 0
    if inner.interrupted:
        control.stop()
    elif not found.solved and found.winner is None:
        margins = _play(position, moves, tally, started + time_limit, seed, control)
    return _result(position, found, tally, margins, time.perf_counter() - started, control)


def choose(
    position: Position,
    *,
    time_limit: float,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Analysis:
    """The engine's move, in ``Analysis.choice``: :func:`analyze` that stops once it is proven."""
    return analyze(
        position,
        time_limit=time_limit,
        every_move=False,
        seed=seed,
        control=control,
        on_compile=on_compile,
    )


def _play(
    position: Position,
    moves: dict[str, Move],
    tally: dict[str, list[float]],
    deadline: float,
    seed: int,
    control: Control,
) -> int:
    """Random games until a time of ``perf_counter``; counts games and wins of the mover by move.

    Returns the sum of Light's margins.
    """
    chance = random.Random(seed)
    total = margins = 0
    try:
        while time.perf_counter() < deadline and not control.interrupted:
            bonus = math.log(total + 1)
            text = max(
                moves,
                key=lambda each: (
                    (tally[each][1] + 0.5) / (tally[each][0] + 1)
                    + _EXPLORATION * math.sqrt(bonus / (tally[each][0] + 1))
                ),
            )
            end = position.placed(moves[text])
            while not end.is_finished:
                end = end.placed(chance.choice(tuple(end.moves())))
            tally[text][0] += 1
            tally[text][1] += 0.5 if end.margin == 0 else end.winner == position.to_move
            margins += end.margin
            total += 1
    except KeyboardInterrupt:
        control.stop()
    return margins


def _result(
    position: Position,
    found: SearchResult,
    tally: dict[str, list[float]],
    margins: int,
    seconds: float,
    control: Control,
) -> Analysis:
    mover = position.to_move
    values = {each.move: each for each in found.moves or ()}
    ranked = []
    for text, (games, wins) in tally.items():
        winner, margin = None, None
        if text in values:
            winner, margin = values[text].winner, values[text].margin
        elif text in found.best and found.solved:
            winner, margin = found.winner, found.margin
        elif found.winner is not None and found.winner not in (mover, "draw"):
            winner = found.winner
        if winner is not None:
            rate = _chance(winner) if mover == SIDES[0] else 1.0 - _chance(winner)
            ranked.append(RankedMove(text, rate, None, None, int(games), winner, margin))
        elif games:
            low, high = interval(wins, int(games))
            ranked.append(RankedMove(text, wins / games, low, high, int(games)))
        else:
            ranked.append(RankedMove(text, None, None, None, 0))
    sign = 1 if mover == SIDES[0] else -1
    top = found.best[0] if found.best else None

    def rank(move: RankedMove) -> tuple[float, ...]:
        if move.winner is None:
            return (1, move.move != top and not move.games, -(move.win_rate or 0), 0)
        level = {mover: 0, "draw": 1}.get(move.winner, 2)
        return (level, 0, -sign * (move.margin or 0), move.move != top)

    ranked.sort(key=rank)
    choice = ranked[0].move
    if found.solved and top is not None and not values:
        choice = top
        ranked.sort(key=lambda move: move.move != top)
    games = int(sum(count for count, _ in tally.values()))
    chance: float | None = None
    if found.winner is not None:
        chance = _chance(found.winner)
    elif ranked[0].win_rate is not None:
        rate = ranked[0].win_rate
        chance = rate if mover == SIDES[0] else 1.0 - rate
    return Analysis(
        to_move=mover,
        choice=choice,
        moves=tuple(ranked),
        line=found.line if found.line and found.line[0] == choice else (choice,),
        winner=found.winner,
        margin=found.margin,
        chance=chance,
        expected=margins / games if games else None,
        games=games,
        nodes=found.nodes,
        seconds=seconds,
        interrupted=control.interrupted,
    )


def _chance(winner: str | None) -> float:
    """Light's share of a proven result."""
    return {SIDES[0]: 1.0, SIDES[1]: 0.0}.get(str(winner), 0.5)


def greedy(position: Position, seed: int = 0) -> str:
    """A move of the largest gain in points, ties broken at random by the seed."""
    side = position.to_move
    gains = {notation(move): position.placed(move).score(side) for move in position.moves()}
    top = max(gains.values())
    best = [text for text, points in gains.items() if points == top]
    return random.Random(seed * 1009 + len(position.pieces)).choice(best)


def random_move(position: Position, seed: int = 0) -> str:
    """Any legal move, each equally likely by the seed."""
    moves = [notation(move) for move in position.moves()]
    return random.Random(seed * 1009 + len(position.pieces)).choice(moves)
