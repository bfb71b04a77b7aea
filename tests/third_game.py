"""Rows of three: a tiny game that the house serves though it knows nothing of it.

Two sides, A and B, take turns to place a stone on an empty cell of a board of any outline; the
game ends when the board is full.  Each full row of three cells, across or down, of one side's
stones is a point.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

from litstool.errors import IllegalError, NotationError, UsageError, Violation
from litstool.files.many import TextForms
from litstool.files.reading import (
    Node,
    Source,
    TextForm,
    compress_rows,
    expand_line,
    grid_rows,
    split_text,
)
from litstool.game import ListedMove, Room, text_of
from litstool.grid import Cell, Outline
from litstool.search.analysis import Analysis, RankedMove
from litstool.search.results import MoveValue, SearchResult
from litstool.snapshot import Snapshot, Square

NAME, SIDES = "rows-of-three", ("A", "B")
FORMS = TextForms(cells="0123456789AB.#/", keys=("game", "to-move", "name"), word=NAME)


class Stone(NamedTuple):
    cell: Cell

    @property
    def notation(self) -> str:
        return self.cell.name


def parse_move(text: str) -> Stone:
    if (cell := Cell.parse(text)) is None:
        raise NotationError(f"{text!r} is not a move: expected a cell such as b2")
    return Stone(cell)


@dataclass(frozen=True)
class Position:
    outline: Outline
    pieces: tuple[tuple[Cell, str], ...] = ()
    to_move: str = SIDES[0]
    game = NAME
    can_swap = will_be_swapped = swapped = False

    @cached_property
    def at(self) -> dict[Cell, str]:
        return dict(self.pieces)

    @property
    def is_finished(self) -> bool:
        return all(cell in self.at for cell in self.outline.cells)

    @property
    def margin(self) -> int:
        return self.score("A") - self.score("B")

    @property
    def winner(self) -> str | None:
        if not self.is_finished:
            return None
        return "draw" if self.margin == 0 else SIDES[self.margin < 0]

    def score(self, side: str) -> int:
        runs = [
            [Cell(cell.row + down * step, cell.column + right * step) for step in range(3)]
            for cell in self.outline.cells
            for down, right in ((0, 1), (1, 0))
        ]
        return sum(all(self.at.get(cell) == side for cell in run) for run in runs)

    def moves(self) -> Iterator[Stone]:
        return (Stone(cell) for cell in self.outline.cells if cell not in self.at)

    def play(self, move: str) -> Position:
        stone = parse_move(move)
        if faults := faults_of(self, stone, None):
            raise IllegalError(faults)
        return self.placed(stone)

    def placed(self, stone: Stone) -> Position:
        pieces = (*self.pieces, (stone.cell, self.to_move))
        return replace(self, pieces=pieces, to_move=SIDES[self.to_move == "A"])


def faults_of(position: Position, stone: Stone, number: int | None) -> list[Violation]:
    if stone.cell not in position.outline:
        return [Violation("off-board", f"{stone.notation} is no cell", (stone.cell,), number)]
    if stone.cell in position.at:
        return [Violation("occupied", f"{stone.notation} is taken", (stone.cell,), number)]
    return []


@dataclass(frozen=True)
class Record:
    start: Position
    moves: tuple[Stone, ...] = ()
    name: str | None = None
    source: str | None = None
    note: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    game = NAME

    @property
    def all_pieces(self) -> tuple[Any, ...]:
        return self.position_as_written().pieces

    def at(self, ply: int | None) -> Record:
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise UsageError(f"--ply {ply} is out of range: the game has {len(self.moves)} moves")
        return replace(self, moves=self.moves[:ply])

    def violations(self) -> list[Violation]:
        found, position = [], self.start
        for number, move in enumerate(self.moves, 1):
            found += faults_of(position, move, number)
            position = position.placed(move)
        return found

    def position(self, ply: int | None = None) -> Position:
        if faults := self.at(ply).violations():
            raise IllegalError(faults)
        return self.at(ply).position_as_written()

    def position_as_written(self) -> Position:
        return self.replay_as_written()[-1]

    def replay(self) -> Sequence[Position]:
        self.position()
        return self.replay_as_written()

    def replay_as_written(self) -> list[Position]:
        return list(itertools.accumulate(self.moves, Position.placed, initial=self.start))

    def played(self, move: str) -> Record:
        return replace(self, moves=(*self.moves, parse_move(move)))

    def named(self, players: Mapping[str, str]) -> Record:
        return replace(self, players=players)


class Notation:
    def read_text(self, source: Source) -> Record:
        form = split_text(source, FORMS.keys)
        if len(form.rows) == 1:
            words = form.rows[0][1].split()
            words = words[1:] if words[0].lower() == NAME else words
            grid = tuple((1, row) for row in expand_line(words[0], source))
            form = TextForm(source, {"to-move": (words[-1], 1)} if words[1:] else {}, grid)
        rows = grid_rows(form, "AB.#", lambda rows, columns: None)
        cells = {Cell(r, c): mark for r, row in enumerate(rows) for c, mark in enumerate(row)}
        holes = frozenset(cell for cell, mark in cells.items() if mark == "#")
        pieces = tuple((cell, mark) for cell, mark in cells.items() if mark in SIDES)
        outline = Outline(len(rows), len(rows[0]), holes)
        to_move = form.choice("to-move", SIDES) or SIDES[len(pieces) % 2]
        name = form.keys["name"][0] if "name" in form.keys else None
        return Record(Position(outline, pieces, to_move), name=name)

    def read_document(self, root: Node) -> Record:
        keys = root.mapping("a file of rows of three", ("game", "board", "moves", "players"))
        record = self.read_text(replace(root.source, text=keys["board"].text("board")))
        items = keys["moves"].items("moves") if "moves" in keys else ()
        moves = tuple(parse_move(item.text("a move")) for item in items)
        named = keys["players"].mapping("players", ("first", "second")) if "players" in keys else {}
        players = {seat: node.text(seat) for seat, node in named.items()}
        return replace(record, moves=moves, players=players)

    def rows_of(self, position: Position) -> list[str]:
        cells = [[Cell(r, c) for c in range(position.outline.columns)]
                 for r in range(position.outline.rows)]  # fmt: skip
        marks = dict.fromkeys(position.outline.holes, "#") | position.at
        return ["".join(marks.get(cell, ".") for cell in row) for row in cells]

    def write_text(self, game: Record) -> str:
        position = game.position_as_written()
        rows = "\n".join(self.rows_of(position))
        return f"game: {NAME}\nto-move: {position.to_move}\n{rows}\n"

    def write_line(self, game: Record) -> str:
        position = game.position_as_written()
        return f"{NAME} {compress_rows(self.rows_of(position))} {position.to_move}"

    def write_document(self, game: Record) -> dict[str, Any]:
        moves = [text_of(move) for move in game.moves]
        board = "\n".join(self.rows_of(game.start)) + "\n"
        players = {"players": dict(game.players)} if game.players else {}
        return {"game": NAME, "board": board, "moves": moves, **players}

    def losses(self, game: Record, target: str) -> list[str]:
        return ["the order of the moves"] if game.moves and target in ("text", "line") else []


def snapshot(
    game: Record, violations: Sequence[Violation], *, numbers: bool = False, heat: str | None = None
) -> Snapshot:
    position = game.position_as_written()
    return Snapshot(
        game=NAME, name=game.name, outline=position.outline,
        squares={
            cell: Square(position.at.get(cell, "·"), region=cell if cell in position.at else None)
            for cell in position.outline.cells
        },
        sides=("A", "B"), scores={side: position.score(side) for side in SIDES},
        margin=position.margin, pieces=len(position.pieces),
        moves=tuple(text_of(move) for move in game.moves), to_move=position.to_move,
        is_finished=position.is_finished, winner=position.winner, players=game.players,
        swapped=False, violations=tuple(violations),
    )  # fmt: skip


def listed(position: Position, kind: str | None, covers: Iterable[Cell]) -> list[ListedMove]:
    sign = 1 if position.to_move == "A" else -1
    return [
        ListedMove(move.notation, sign * (position.placed(move).margin - position.margin),
                   (move.cell,), {})
        for move in position.moves() if set(covers) <= {move.cell}
    ]  # fmt: skip


def best_line(position: Position) -> tuple[int, tuple[str, ...]]:
    """The final margin under best play and a line that shows it."""
    if position.is_finished:
        return position.margin, ()
    best = max if position.to_move == "A" else min
    lines = ((move, best_line(position.placed(move))) for move in position.moves())
    tried = [(margin, (move.notation, *line)) for move, (margin, line) in lines]
    return best(tried, key=lambda each: each[0])


def solve(position: Position, *, all_moves: bool = False, **options: Any) -> SearchResult:
    margin, line = best_line(position)
    winner = "draw" if margin == 0 else SIDES[margin < 0]
    values = tuple(
        MoveValue(move.notation, "draw" if value == 0 else SIDES[value < 0], value)
        for move in position.moves() for value in [best_line(position.placed(move))[0]]
    )  # fmt: skip
    return SearchResult(True, position.to_move, "score", winner, margin, None, None, line[:1], line,
                        1, 0.0, values if all_moves else None)  # fmt: skip


def analyze(position: Position, **options: Any) -> Analysis:
    found = solve(position)
    moves = tuple(RankedMove(move, 1.0, None, None, 0, found.winner, found.margin)
                  for move in found.best)  # fmt: skip
    choice = found.best[0] if found.best else None
    return Analysis(position.to_move, choice, moves, found.line, found.winner, found.margin)


def first_move(position: Position, seed: int = 0) -> str:
    return next(position.moves()).notation


def nothing(*args: Any, **options: Any) -> None:
    pass


SOLVER = SimpleNamespace(solve=solve, make_ready=nothing)
ENGINE = SimpleNamespace(
    BEST=None, analyze=analyze, choose=analyze, greedy=first_move, random_move=first_move,
    make_ready=nothing, known_winner=nothing,
)  # fmt: skip


def given(value: Any) -> Callable[[], Any]:
    return lambda: value


GAME: Room[Record, Position] = Room(
    name=NAME, title="Rows of three", sides=("A", "B"), kinds=("stone",), forms=FORMS,
    notation=Notation, drawing=given(SimpleNamespace(HEATS={}, snapshot=snapshot)),
    listing=given(SimpleNamespace(moves=listed, beside=lambda position: ({}, []))),
    solver=given(SOLVER), engine=given(ENGINE), record_of=Record,
)  # fmt: skip
