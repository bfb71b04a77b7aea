"""The review of a whole game: what each move was worth, the best move, and where the game turned.

First the solver works backwards from the end, where positions are solved in no time, and gets what
time is left for the next one before: so what is proven reaches as far forward as it can.  A proof
spreads without a search, too: the position before a move is worth at least as much to the mover as
the one after it.  What is left to the front is estimated, each position by one tree search.

A loss is said only where both ends are of one kind.  Two proven values are compared as they are.
Of a position that is not proven, the move played and the best one are compared within one search,
and only where the intervals of their chances do not meet.

The pie rule's swap is a choice of its own: a wrong one hands the game to the other person, whose
side stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from litstool import games
from litstool.game import DRAW, SWAP, Position, Record, text_of
from litstool.search.analysis import Analysis, RankedMove
from litstool.search.control import Control
from litstool.search.results import OUTCOME, SCORE, SearchResult

TURN = 0.5
"""A chance above this is ahead."""

RIGHT, WRONG, CLOSE = "right", "wrong", "close"
"""What can be said of a choice to swap or not to."""

LEAST_LOSS, LEAST_GAMES = 0.1, 100
"""A smaller difference of two chances, or one of fewer games each, is no more than what quick play
misjudges."""

_CLOSE_TO_EVEN = 0.04
_FOR_WINNERS, _FOR_PROOFS = 0.45, 0.65
"""The parts of the time by which the winners, then the margins, must be proven."""

_GLANCE = 0.02
"""The part of the time in which a margin is proven along with the winner, if it can be."""

_LEAST_SECONDS = 0.02

Worth = tuple[int, int]
"""A value of the side named first: its margin, and 1, 0 or -1 as it wins, draws or loses.

In this order: a greater margin is better, and of equal ones the one that wins by the last piece.
"""
_LEAST, _MOST = (-(10**6), -1), (10**6, 1)
_DRAWN, _JUST_WON, _JUST_LOST = (0, 0), (0, 1), (0, -1)


@dataclass(frozen=True)
class MoveReview:
    """One entry of a game: what was played, by which side, and the positions before and after.

    ``lost`` is what it cost in points of the final margin where both are proven, ``lost_chance``
    in chance to win where both are estimated.  ``was_best`` says whether no move was better, None
    where that is not known.  ``turned`` says that the winner changed by it, where both are proven,
    or else who is ahead: the side or, by a wrong choice to swap or to play on, the person.
    ``swap`` judges that choice, where there was one; ``leaves_even`` a first piece under the pie
    rule, by estimates.
    """

    number: int
    move: str
    side: str
    before: Analysis
    after: Analysis
    lost: int | None = None
    lost_chance: float | None = None
    was_best: bool | None = None
    turned: bool = False
    swap: str | None = None
    leaves_even: bool | None = None

    @property
    def is_swap(self) -> bool:
        """Whether this entry is the swap."""
        return self.move == SWAP

    @property
    def better(self) -> tuple[RankedMove, ...]:
        """The moves that are surely better, best first, where the one played was not best.

        Proven to keep what the move gave away, or of the same search with an interval above its.
        """
        if self.was_best is not False:
            return ()
        played = next((each for each in self.before.moves if each.move == self.move), None)
        return tuple(each for each in self.before.moves if self._is_better(each, played))

    def _is_better(self, move: RankedMove, played: RankedMove | None) -> bool:
        if move.move == self.move:
            return False
        if self.before.exact:
            keeps_all = move.margin is not None and move.margin == self.before.margin
            keeps_result = self.after.exact and self.after.winner != self.before.winner
            return move.winner == self.before.winner and (keeps_all or keeps_result)
        high = None if played is None else played.high
        return high is not None and move.low is not None and move.low > high


@dataclass(frozen=True)
class Review:
    """A whole game.  ``start`` is the position before the first move; ``sides`` in the game's
    order; ``interrupted`` says that the early positions were given less than their time."""

    sides: tuple[str, str]
    start: Analysis
    moves: tuple[MoveReview, ...]
    seconds: float
    interrupted: bool

    @property
    def exact_from(self) -> int | None:
        """The number of the first move from which on every value is proven, 0 for the start.

        None where not even the end is.
        """
        first = None
        for each in reversed(self.moves):
            if not each.after.exact:
                return first
            first = each.number
        return 0 if self.start.exact else first


def review(
    record: Record,
    *,
    time_limit: float,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Review:
    """Review a game in about ``time_limit`` seconds.

    :raises IllegalError: the game breaks the rules.
    """
    positions = record.replay()
    games.of(record).engine().make_ready(positions[0], on_compile, whole_game=True)
    return _Reviewer(record, positions, time_limit, seed, (control or Control()).begin()).run()


@dataclass
class _Stage:
    """A position of the game and what is known of it: proven limits on its worth, the solver's
    moves where it was solved, the engine's estimate where not."""

    position: Position
    low: Worth = _LEAST
    high: Worth = _MOST
    solved: SearchResult | None = None
    estimate: Analysis | None = None

    @property
    def is_exact(self) -> bool:
        """Whether winner and margin are proven."""
        return self.low == self.high

    def winner(self, sides: tuple[str, str]) -> str | None:
        """The proven winner, ``draw`` for none."""
        if self.low >= _JUST_WON:
            return sides[0]
        if self.high <= _JUST_LOST:
            return sides[1]
        return DRAW if self.low == self.high == _DRAWN else None

    @property
    def margin(self) -> int | None:
        """The proven margin."""
        return self.low[0] if self.low[0] == self.high[0] else None

    def learn(self, low: Worth, high: Worth) -> None:
        """Add proven limits."""
        self.low, self.high = max(self.low, low), min(self.high, high)


@dataclass
class _Reviewer:
    """One call of :func:`review`."""

    record: Record
    positions: Sequence[Position]
    time_limit: float
    seed: int
    control: Control

    def __post_init__(self) -> None:
        game = games.of(self.record)
        self.sides = game.sides
        self.engine, self.solver = game.engine(), game.solver()
        self.stages = [_Stage(position) for position in self.positions]
        self.texts = [text_of(move) for move in self.record.moves]

    def run(self) -> Review:
        """Prove, estimate, judge."""
        self.prove()
        self.estimate()
        analyses = [self.analysis(ply) for ply in range(len(self.stages))]
        return Review(
            self.sides,
            analyses[0],
            tuple(self.judged(ply, *analyses[ply : ply + 2]) for ply in range(len(self.texts))),
            self.control.seconds,
            self.control.interrupted,
        )

    def left(self, part: float = 1.0) -> float:
        """Seconds until a part of the time is over."""
        return part * self.time_limit - self.control.seconds

    # -- proofs --------------------------------------------------------------------------------

    def prove(self) -> None:
        """Work backwards: who wins, as far forward as it goes, and then by how much."""
        for stage in self.stages:
            if (winner := self.engine.known_winner(stage.position)) is not None:
                self.learn_winner(stage, winner)
        self.spread()
        quick = True
        for stage in reversed(self.stages):
            if quick:
                quick = self.solve(stage, SCORE, min(self.left(_FOR_WINNERS), self.glance))
            if stage.winner(self.sides) is None:
                self.solve(stage, OUTCOME, self.left(_FOR_WINNERS))
            if stage.winner(self.sides) is None:
                break
        for stage in reversed(self.stages):
            if stage.winner(self.sides) is None or self.left(_FOR_PROOFS) <= 0:
                break
            self.solve(stage, SCORE, self.left(_FOR_PROOFS))

    @property
    def glance(self) -> float:
        return max(_LEAST_SECONDS, _GLANCE * self.time_limit)

    def solve(self, stage: _Stage, objective: str, seconds: float) -> bool:
        """Ask the solver and spread what it proves; whether that is all that was asked."""
        if stage.is_exact and (stage.solved is not None or self.played_is_best(stage)):
            return True
        if (seconds <= 0 and not stage.position.is_finished) or self.control.interrupted:
            return False
        control = self.control.within(max(seconds, 0.001))
        found = self.solver.solve(stage.position, objective=objective, control=control)
        if found.bounds is not None:
            low, high = found.bounds
            stage.learn((low, -1), (high, 1))
        if found.winner is not None:
            self.learn_winner(stage, found.winner, found.margin)
            # A move is proven best where the search is done, and as good where it wins.
            if found.solved or found.winner == stage.position.to_move:
                stage.solved = found
        self.spread()
        return found.solved

    def learn_winner(self, stage: _Stage, winner: str, margin: int | None = None) -> None:
        """Add a proven winner and, where it is known, the margin."""
        outcome = {self.sides[0]: 1, self.sides[1]: -1}.get(winner, 0)
        if margin is not None or outcome == 0:
            worth = (margin or 0, outcome)
            stage.learn(worth, worth)
        elif outcome > 0:
            stage.learn(_JUST_WON, _MOST)
        else:
            stage.learn(_LEAST, _JUST_LOST)

    def spread(self) -> None:
        """Take every limit to the neighbouring positions as far as it holds there.

        A position is worth at least as much to the side to move as the one after its move; the
        swap changes nothing.
        """
        last = None
        while last != (last := [(stage.low, stage.high) for stage in self.stages]):
            for ply, text in enumerate(self.texts):
                before, after = self.stages[ply : ply + 2]
                by_first = before.position.to_move == self.sides[0]
                if by_first or text == SWAP:
                    before.learn(after.low, _MOST)
                    after.learn(_LEAST, before.high)
                if not by_first or text == SWAP:
                    before.learn(_LEAST, after.high)
                    after.learn(before.low, _MOST)

    def played_is_best(self, stage: _Stage) -> bool:
        """Whether the move played from a position is proven to be as good as any."""
        ply = next(ply for ply, each in enumerate(self.stages) if each is stage)
        if ply == len(self.texts):
            return False
        return self._best_by_proof(ply) is True

    # -- estimates -----------------------------------------------------------------------------

    def estimate(self) -> None:
        """Look at each position that is not proven, by one tree search each."""
        settings = replace(self.engine.BEST, use_solver=False)
        waiting = list(self._to_estimate())
        while waiting:
            ply = waiting.pop(0)
            stage = self.stages[ply]
            if stage.winner(self.sides) is not None:
                continue
            # After a stop each of the rest is given a glance, so that there is a value for all.
            seconds, control = _LEAST_SECONDS, Control()
            if not self.control.interrupted:
                seconds = max(_LEAST_SECONDS, self.left() / (len(waiting) + 1))
                control = self.control
            found = self.engine.choose(
                stage.position, time_limit=seconds, seed=self.seed, control=control,
                settings=settings,
            )  # fmt: skip
            self.learn_from_tree(ply, found)

    def _to_estimate(self) -> Iterator[int]:
        """The positions without a proven winner; one of the two on either side of a swap."""
        for ply, stage in enumerate(self.stages):
            before_swap = ply < len(self.texts) and self.texts[ply] == SWAP
            if stage.winner(self.sides) is None and not before_swap:
                yield ply

    def learn_from_tree(self, ply: int, found: Analysis) -> None:
        """Keep an estimate, and what the tree search proved on its way."""
        stage = self.stages[ply]
        stage.estimate = found
        if ply and self.texts[ply - 1] == SWAP:
            self.stages[ply - 1].estimate = found
        if found.winner is not None:
            self.learn_winner(stage, found.winner, found.margin)
        if ply < len(self.texts):
            for each in found.moves:
                if each.move == self.texts[ply] and each.winner is not None:
                    self.learn_winner(self.stages[ply + 1], each.winner, each.margin)
        self.spread()

    # -- judgement -----------------------------------------------------------------------------

    def analysis(self, ply: int) -> Analysis:
        """What is known of a position: proven where it is, else estimated."""
        stage = self.stages[ply]
        position, estimate = stage.position, stage.estimate
        mover, winner = position.to_move, stage.winner(self.sides)
        can_swap = position.can_swap
        if winner is None:
            assert estimate is not None
            return replace(estimate, can_swap=can_swap, winner=None, margin=None)
        chance = {self.sides[0]: 1.0, self.sides[1]: 0.0}.get(winner, 0.5)
        moves: tuple[RankedMove, ...] = ()
        line: tuple[str, ...] = ()
        rate = {mover: 1.0, DRAW: 0.5}.get(winner, 0.0)
        solved = stage.solved
        if solved is not None and solved.best and solved.margin == stage.margin:
            line = solved.line or solved.best
            moves = (RankedMove(line[0], rate, None, None, 0, winner, stage.margin),)
        elif ply < len(self.texts) and self.texts[ply] != SWAP and self._best_by_proof(ply):
            line = (self.texts[ply],)
            moves = (RankedMove(line[0], rate, None, None, 0, winner, stage.margin),)
        elif solved is not None and solved.best and winner == mover:
            line = solved.line or solved.best
            moves = (RankedMove(line[0], rate, None, None, 0, winner, solved.margin),)
        elif estimate is not None and estimate.winner == winner == mover:
            moves = tuple(each for each in estimate.moves if each.winner == winner)
            line = estimate.line
        return Analysis(
            to_move=mover,
            choice=moves[0].move if moves else None,
            moves=moves,
            line=line,
            winner=winner,
            margin=stage.margin,
            chance=chance,
            can_swap=can_swap,
        )

    def judged(self, ply: int, before: Analysis, after: Analysis) -> MoveReview:
        """The entry of one move or swap."""
        entry = MoveReview(ply + 1, self.texts[ply], before.to_move, before, after)
        if before.can_swap:
            entry = replace(entry, swap=on_swap(before, swapped=entry.is_swap))
        if not entry.is_swap:
            entry = self._judged_move(ply, entry)
        return replace(entry, turned=True) if hands_over(entry) else entry

    def _judged_move(self, ply: int, entry: MoveReview) -> MoveReview:
        """The entry of a move, the swap left aside."""
        before, after = entry.before, entry.after
        if self.positions[ply].will_be_swapped:
            # Under the pie rule the first piece should leave the game even, not gain the most.
            if after.exact or after.chance is None:
                return entry
            return replace(entry, leaves_even=abs(after.chance - TURN) < 0.1)
        if before.winner is None and after.winner is None:
            return self._by_estimate(entry)
        turned = before.exact and after.exact and before.winner != after.winner
        lost = None
        if before.margin is not None and after.margin is not None:
            lost = abs(before.margin - after.margin)
        was_best = self._best_by_proof(ply)
        if was_best is False and not (turned or lost):
            was_best = None  # Some points are lost, but how many is not proven.
        return replace(entry, was_best=was_best, turned=turned, lost=lost)

    def _best_by_proof(self, ply: int) -> bool | None:
        """Whether the move played was as good as any, as far as that is proven."""
        before, after = self.stages[ply : ply + 2]
        if before.position.to_move == self.sides[0]:
            kept, lost = after.low >= before.high, after.high < before.low
        else:
            kept, lost = after.high <= before.low, after.low > before.high
        return True if kept else False if lost else None

    def _by_estimate(self, entry: MoveReview) -> MoveReview:
        """Compare the move played with the best one, both of one search.

        The search of the position after the move must agree, so that one that went astray blames
        nobody.
        """
        best = entry.before.moves[0]
        if entry.move == best.move:
            return replace(entry, was_best=True, lost_chance=0.0)
        played = next((each for each in entry.before.moves if each.move == entry.move), None)
        if (
            played is None
            or played.win_rate is None
            or played.high is None
            or best.win_rate is None
            or best.low is None
            or entry.after.chance is None
            or min(best.games, played.games) < LEAST_GAMES
        ):
            return entry
        chance = entry.after.chance
        confirmed = chance if entry.side == self.sides[0] else 1.0 - chance
        lost = best.win_rate - max(played.win_rate, confirmed)
        if max(played.high, confirmed) >= best.low or lost < LEAST_LOSS:
            return entry
        turned = best.win_rate > TURN > max(played.win_rate, confirmed)
        return replace(entry, was_best=False, lost_chance=lost, turned=turned)


def on_swap(before: Analysis, *, swapped: bool) -> str | None:
    """Whether to swap was right: the second player wants the side that is ahead."""
    if before.chance is None:
        return None
    if before.chance == TURN or (not before.exact and abs(before.chance - TURN) < _CLOSE_TO_EVEN):
        return CLOSE
    return RIGHT if swapped == (before.chance > TURN) else WRONG


def hands_over(entry: MoveReview) -> bool:
    """Whether a wrong choice to swap, or not to, put the other person ahead.

    The person who chose could have had the side that is ahead, and the other one has it now.
    """
    before, after = entry.before, entry.after
    if entry.swap != WRONG or before.exact != after.exact:
        return False
    if before.exact:
        return before.winner == after.winner
    assert before.chance is not None and after.chance is not None
    ahead, still = before.chance - TURN, after.chance - TURN
    return 2 * abs(ahead) >= LEAST_LOSS and ahead * still > 0
