"""How fast the exact solver is: against reference seconds, a plain search and easyAI.

    python benchmarks/solve.py endgames     set by set, ratios to the reference seconds and nodes
    python benchmarks/solve.py baselines    ratios to plain numba search and to easyAI, same run
    python benchmarks/solve.py techniques   each technique of the search switched off
    python benchmarks/solve.py random       median seconds of 20 random positions, 8 and 7 down
    python benchmarks/solve.py whole        the standard boards from the empty board
    python benchmarks/solve.py threads      two threads against one
    python benchmarks/solve.py all          all of it

Seconds are processor seconds of one core with compiled kernels loaded, set-up included, except
for ``whole``, ``random`` and ``threads``, which tell wall time.  The reference is a C prototype
with AVX-512 on one core, whose seconds and nodes come with the endgames
(``tests/data/endgames.json``); a node is a position whose children are all expanded.
easyAI is in the ``benchmark`` extra; without it that part is left out.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from litstool.grid import Cell
from litstool.lits.board import Pattern
from litstool.lits.kernel import state
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.lits.reference_search import plain_search, value_of
from litstool.lits.solver import Solving, make_ready
from litstool.search.results import OUTCOME, SCORE

DATA = Path(__file__).parent.parent / "tests" / "data" / "endgames.json"
ENTRIES = json.loads(DATA.read_text(encoding="utf-8"))["positions"]
PIECES = sorted({entry["pieces_down"] for entry in ENTRIES}, reverse=True)


_EASYAI_DEPTH = 12
"""More plies than are left with eight pieces down."""


class Effort(NamedTuple):
    """What a search took."""

    seconds: float
    nodes: int


def position_of(entry: dict[str, Any]) -> Position:
    """A position of the data file."""
    position = Position.empty(Pattern.from_rows(entry["pattern"].split("/")))
    for move in entry["moves"]:
        shape, cells = move.split(":")
        position = position.play(Placement.of(shape, [Cell.parse(c) for c in cells.split(",")]))
    return position


def entries_of(pieces: int) -> list[dict[str, Any]]:
    """The endgames with so many pieces down."""
    return [entry for entry in ENTRIES if entry["pieces_down"] == pieces]


def is_right(entry: dict[str, Any], objective: str, result: Any) -> bool:
    """Whether a result has the file's winner and, for the score, its margin and last mover."""
    if result.winner != entry["winner"]:
        return False
    found = (result.margin, result.last_mover)
    return objective == OUTCOME or found == (entry["margin"], entry["last_mover"])


def effort(entry: dict[str, Any], objective: str, techniques: int | None = None) -> Effort:
    """Solve an endgame, check the answer, tell the effort."""
    position = position_of(entry)
    start = time.process_time()
    solving = Solving(position, objective, False, 256, 1)
    if techniques is not None:
        solving.searcher.techniques = techniques
    solving.run()
    seconds = time.process_time() - start
    result = solving.result()
    assert is_right(entry, objective, result), entry
    return Effort(seconds, result.nodes)


def total(pieces: int, objective: str, techniques: int | None = None) -> Effort:
    """The effort of all endgames with so many pieces down."""
    efforts = [effort(entry, objective, techniques) for entry in entries_of(pieces)]
    return Effort(sum(each.seconds for each in efforts), sum(each.nodes for each in efforts))


def reference(pieces: int, objective: str) -> Effort:
    """The reference's effort on the same."""
    found = [entry["reference"] for entry in entries_of(pieces)]
    return Effort(
        sum(each[f"{objective}_seconds"] for each in found),
        sum(each[f"{objective}_nodes"] for each in found),
    )


def warm() -> None:
    """Load the kernels for every size of board that the endgames have."""
    for pieces in (max(PIECES), min(PIECES)):
        for entry in entries_of(pieces):
            make_ready(position_of(entry))


@click.group()
def main() -> None:
    """Measure the exact solver."""


@main.command()
def endgames() -> None:
    """Ratios to the reference seconds and nodes, set by set; growth per ply; nodes a second."""
    warm()
    for objective in (OUTCOME, SCORE):
        click.echo(f"\n{objective}: all answers right")
        click.echo("down  positions  seconds  reference  ratio      nodes  ratio  growth  nodes/s")
        before = None
        for pieces in PIECES:
            mine, theirs = total(pieces, objective), reference(pieces, objective)
            mean = mine.nodes / len(entries_of(pieces))
            growth = f"{mean / before:6.1f}" if before else "      "
            before = mean
            click.echo(
                f"{pieces:4}  {len(entries_of(pieces)):9}  {mine.seconds:7.3f}  "
                f"{theirs.seconds:9.3f}  {mine.seconds / theirs.seconds:5.2f}  {mine.nodes:9}  "
                f"{mine.nodes / theirs.nodes:5.2f}  {growth}  {mine.nodes / mine.seconds:8.0f}"
            )


@main.command()
@click.option("--most-seconds", default=600.0, help="Stop a plain set after so many seconds.")
def baselines(most_seconds: float) -> None:
    """Ratios to the plain numba search (9 to 5 down) and to easyAI (9 and 8 down)."""
    warm()
    plain_search(position_of(entries_of(9)[0]), OUTCOME, 1)
    click.echo("plain numba search (table, gain ordering), who wins")
    click.echo("down  positions  plain s    nodes/s  solver s  times faster")
    for pieces in (9, 8, 7, 6, 5):
        plain = Effort(0.0, 0)
        seconds = 0.0
        count = 0
        for entry in entries_of(pieces):
            if plain.seconds > most_seconds:
                break
            position = position_of(entry)
            start = time.process_time()
            result = plain_search(position, OUTCOME)
            plain = Effort(plain.seconds + time.process_time() - start, plain.nodes + result.nodes)
            level = value_of(position, 0, entry["winner"]) - 1
            won = result.value > level + (entry["winner"] != position.to_move)
            assert won == (entry["winner"] == position.to_move)
            seconds += effort(entry, OUTCOME).seconds
            count += 1
        click.echo(
            f"{pieces:4}  {count:9}  {plain.seconds:7.2f}  {plain.nodes / plain.seconds:9.0f}  "
            f"{seconds:8.4f}  {plain.seconds / seconds:12.0f}"
        )
    try:
        solve_with = easyai_solver()
    except ImportError:
        click.echo("easyAI is not installed: pip install 'litstool[benchmark]'")
        return
    click.echo("\neasyAI (Negamax with its table, moves by gain)")
    click.echo("down  objective  positions  easyAI s  nodes/s  solver s  times faster")
    together = {OUTCOME: [0.0, 0.0], SCORE: [0.0, 0.0]}
    for pieces in (9, 8):
        for objective in (OUTCOME, SCORE):
            seconds = theirs = 0.0
            nodes = count = 0
            for entry in entries_of(pieces):
                if theirs > most_seconds:
                    break
                position = position_of(entry)
                start = time.process_time()
                answer, expanded = solve_with(position, objective)
                theirs += time.process_time() - start
                nodes += expanded
                if objective == OUTCOME:
                    assert (answer > 0) == (entry["winner"] == position.to_move), entry
                else:
                    now = position.margin if position.to_move == "X" else -position.margin
                    value = value_of(position, entry["margin"], entry["last_mover"])
                    assert answer == 3 * now + value, entry
                seconds += effort(entry, objective).seconds
                count += 1
            click.echo(
                f"{pieces:4}  {objective:9}  {count:9}  {theirs:8.1f}  {nodes / theirs:7.0f}  "
                f"{seconds:8.4f}  {theirs / seconds:12.0f}"
            )
            together[objective][0] += theirs
            together[objective][1] += seconds
    for objective, (theirs, seconds) in together.items():
        click.echo(f"8 and 9 down together, {objective}: {theirs / seconds:.0f} times faster")


def easyai_solver() -> Callable[[Position, str], tuple[int, int]]:
    """A function that has easyAI solve a position: the result, and the nodes it expanded.

    The result is 3 x the final margin + 1 or - 1 for the last mover, to the side to move, or where
    only the outcome is asked a number above 0 for a win.

    :raises ImportError: easyAI is not installed.
    """
    from easyAI import AI_Player, Negamax, TwoPlayerGame
    from easyAI.AI.TranspositionTable import TranspositionTable

    class Lits(TwoPlayerGame):  # type: ignore[misc]
        """The game as easyAI wants it, on the plain-Python position."""

        def __init__(self, players: list[Any], position: Position, objective: str) -> None:
            self.players = players
            self.objective = objective
            self.current_player = 1
            self.line = [position]
            self.expanded = 0

        def possible_moves(self) -> list[Placement]:
            self.expanded += 1
            position = self.line[-1]
            return sorted(position.moves(), key=position.gain, reverse=True)

        def make_move(self, move: Placement) -> None:
            self.line.append(self.line[-1].placed(move))

        def unmake_move(self, move: Placement) -> None:
            self.line.pop()

        def is_over(self) -> bool:
            return self.line[-1].is_finished

        def scoring(self) -> int:
            position = self.line[-1]
            if self.objective == OUTCOME:
                return 100 if position.winner == position.to_move else -100
            # The side that is to move at the end has not placed the last piece.
            return 3 * (position.margin if position.to_move == "X" else -position.margin) - 1

        def ttentry(self) -> tuple[int, ...]:
            position = self.line[-1]
            return (position.covered, position.alive, position.reach, *position.supply_left)

        def show(self) -> None:
            raise NotImplementedError

    def solve_with(position: Position, objective: str) -> tuple[int, int]:
        bound = {"win_score": 90} if objective == OUTCOME else {}
        ai = Negamax(_EASYAI_DEPTH, tt=TranspositionTable(), **bound)
        game = Lits([AI_Player(ai), AI_Player(ai)], position, objective)
        ai(game)
        # easyAI adds a thousandth of a result for every ply that is left of the depth: too
        # little to change the order of results, and taken off by rounding.
        return round(ai.alpha / (1 + 0.001 * (_EASYAI_DEPTH - 5))), game.expanded

    return solve_with


@main.command()
def techniques() -> None:
    """Nodes and seconds with each technique switched off, as factors."""
    warm()
    names = {
        "all bounds": state.BOUNDS,
        "prices (each symbol counts 1)": state.PRICED,
        "reply bound": state.REPLY,
        "order by symbols and replies left": state.ORDER,
        "key of what matters only": state.KEY,
        "killer moves and haste": state.HASTE,
    }
    every = state.ALL_TECHNIQUES
    for pieces, objective in ((5, OUTCOME), (6, SCORE)):
        whole = total(pieces, objective)
        click.echo(f"\n{objective}, {pieces} down: {whole.nodes} nodes, {whole.seconds:.2f} s")
        for name, flag in names.items():
            without = total(pieces, objective, every & ~flag)
            click.echo(
                f"  without {name:34} nodes x {without.nodes / whole.nodes:6.2f}   "
                f"seconds x {without.seconds / whole.seconds:6.2f}"
            )


def random_endgame(chance: random.Random, pieces: int) -> Position:
    """A random 30/30 pattern after so many random moves, not finished."""
    while True:
        symbols = list("X" * 30 + "O" * 30 + "." * 40)
        chance.shuffle(symbols)
        rows = ["".join(symbols[start : start + 10]) for start in range(0, 100, 10)]
        position = Position.empty(Pattern.from_rows(rows))
        while not position.is_finished and len(position.pieces) < pieces:
            position = position.placed(chance.choice(list(position.moves())))
        if not position.is_finished:
            return position


@main.command(name="random")
def random_positions() -> None:
    """Median wall seconds of 20 seeded random positions with 8 and with 7 pieces down."""
    warm()
    chance = random.Random(2011)
    for pieces in (8, 7):
        for objective in (SCORE, OUTCOME):
            seconds = []
            for _ in range(20):
                position = random_endgame(chance, pieces)
                start = time.perf_counter()
                Solving(position, objective, False, 256, 1).run()
                seconds.append(time.perf_counter() - start)
            click.echo(
                f"{pieces} down, {objective}: median {statistics.median(seconds):.4f} s, "
                f"longest {max(seconds):.4f} s"
            )


@main.command()
@click.option("--threads", default=2)
@click.option("--hash", "hash_mib", default=1024)
def whole(threads: int, hash_mib: int) -> None:
    """The standard boards from the empty board: who wins without the pie rule."""
    for name in pattern_names():
        pattern = pattern_named(name)
        assert pattern is not None
        position = Position.empty(pattern)
        make_ready(position)
        wall, processor = time.perf_counter(), time.process_time()
        solving = Solving(position, OUTCOME, False, hash_mib, threads)
        solving.run()
        result = solving.result()
        click.echo(
            f"{name}: {result.winner} wins by {result.best[0]}; {result.nodes} nodes, "
            f"{time.perf_counter() - wall:.1f} s, {threads} threads "
            f"({time.process_time() - processor:.1f} processor seconds)"
        )


@main.command()
def threads() -> None:
    """Two threads against one on the longest endgames and an empty board."""
    entries = sorted(ENTRIES, key=lambda entry: -entry["reference"]["score_nodes"])[:5]
    positions = [(position_of(entry), SCORE) for entry in entries]
    boxes = pattern_named("boxes")
    assert boxes is not None
    positions.append((Position.empty(boxes), OUTCOME))
    for position, objective in positions:
        make_ready(position)
        seconds = []
        results = []
        for number in (1, 2):
            start = time.perf_counter()
            solving = Solving(position, objective, False, 512, number)
            solving.run()
            seconds.append(time.perf_counter() - start)
            results.append(solving.result())
        assert results[0].winner == results[1].winner
        assert results[0].margin == results[1].margin
        click.echo(
            f"{len(position.pieces)} down, {objective}: {seconds[0]:.2f} s alone, "
            f"{seconds[1]:.2f} s by two: {seconds[0] / seconds[1]:.2f} times faster; "
            f"nodes {results[0].nodes} and {results[1].nodes}"
        )


@main.command(name="all")
@click.pass_context
def everything(context: click.Context) -> None:
    """All of it, one after the other."""
    for command in (endgames, baselines, techniques, random_positions, whole, threads):
        click.echo(f"\n== {command.name}")
        context.invoke(command)


if __name__ == "__main__":
    main()
