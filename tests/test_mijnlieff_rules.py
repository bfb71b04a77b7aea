"""The rules of Mijnlieff: boards, restrictions, passing, the last turn, the score, legality."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from conftest import EXAMPLES
from plain_mijnlieff import PlainGame

from litstool.errors import IllegalError, LitstoolError
from litstool.files.reading import read_file, read_tree
from litstool.grid import SYMMETRIES, Cell, Outline
from litstool.mijnlieff.board import (
    KINDS,
    SIDES,
    Board,
    arrangement_of,
    arrangements,
    board_of,
    opponent,
    outline_of_offsets,
    standard_board,
)
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.legality import find_play, replayed
from litstool.mijnlieff.notation import parse_move, read_document
from litstool.mijnlieff.position import PASS, Piece, Placed, Position

RING = ((0, 1), (1, 3), (3, 2), (2, 0))
SQUARE = standard_board()


def plain_of(board: Board) -> PlainGame:
    return PlainGame(
        frozenset((cell.row, cell.column) for cell in board.cells),
        board.each_kind,
        board.gaps == "block",
        board.opening == "outside",
    )


def plain_pieces(position: Position) -> dict[tuple[int, int], tuple[int, str]]:
    return {
        (placed.cell.row, placed.cell.column): (SIDES.index(placed.side), placed.kind)
        for placed in position.pieces
    }


def played(*moves: str, board: Board = SQUARE) -> Position:
    return replayed(Position.empty(board), [parse_move(move) for move in moves])


def cells(text: str) -> tuple[Cell, ...]:
    found = [Cell.parse(word) for word in text.split()]
    assert None not in found
    return tuple(found)  # type: ignore[arg-type]


def random_game(board: Board, chance: random.Random) -> list[Position]:
    positions = [Position.empty(board)]
    while not positions[-1].is_finished:
        positions.append(positions[-1].play(chance.choice(list(positions[-1].moves()))))
    return positions


# Boards


def test_there_are_60_arrangements_up_to_symmetry_and_391_in_all() -> None:
    # Counted a second time as sets of cells, grown in every direction.
    layer = {frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})}
    for _ in range(3):
        larger = set()
        for shape in layer:
            for row in range(-3, 9):
                for column in range(-3, 9):
                    block = {(row + down, column + right) for down in (0, 1) for right in (0, 1)}
                    edges = {
                        (r + down, c + right)
                        for r, c in block
                        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
                    }
                    if not block & shape and edges & shape:
                        joined = shape | block
                        top = min(r for r, _ in joined)
                        left = min(c for _, c in joined)
                        larger.add(frozenset((r - top, c - left) for r, c in joined))
        layer = larger
    assert len(layer) == 391
    boards = [board_of(outline_of_offsets(offsets)) for offsets in arrangements()]
    assert sum(8 // len(board.symmetries) for board in boards) == 391
    assert len(boards) == len(set(arrangements())) == 60


def test_every_arrangement_is_found_again_in_every_image() -> None:
    for offsets in arrangements():
        board = board_of(outline_of_offsets(offsets))
        assert board.offsets() == tuple(sorted(offsets))
        for symmetry in SYMMETRIES:
            assert arrangement_of(board.transformed(symmetry)) == offsets


def test_rows_and_columns_of_gaps_round_a_board_are_accepted() -> None:
    outline = Outline(5, 6, frozenset(Cell(r, c) for r in range(5) for c in range(6)
                                      if r == 0 or c in (0, 5)))  # fmt: skip
    assert arrangement_of(board_of(outline)) == arrangement_of(SQUARE)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (["....", "...."], "8 cells instead of 16"),
        (["....", "....", "####", "....", "...."], "2 parts"),
        (["...#....", "........", "#######."], "one that starts at c1 would need d1"),
        (["...", "...", "...", "...", "...", ".##"], "one that starts at c1 would need d1,d2"),
    ],
)
def test_a_grid_that_is_no_arrangement_is_refused(rows: list[str], says: str) -> None:
    gaps = {Cell(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell == "#"}
    with pytest.raises(LitstoolError, match=says):
        board_of(Outline(len(rows), len(rows[0]), frozenset(gaps)))


def test_the_square_has_24_windows_and_12_outside_cells() -> None:
    assert len(SQUARE.windows) == 24
    assert SQUARE.outside.bit_count() == 12
    assert not SQUARE.outside & SQUARE.mask(cells("b2 c2 b3 c3"))


def test_an_inner_gap_makes_the_cells_round_it_outside_cells() -> None:
    ring = board_of(outline_of_offsets(RING))
    assert ring.outside & ring.mask(cells("c2 b3 d3 c4")) == ring.mask(cells("c2 b3 d3 c4"))


def test_a_board_has_the_symmetries_that_map_its_cells_on_themselves() -> None:
    assert len(SQUARE.symmetries) == 8
    assert len(board_of(outline_of_offsets(RING)).symmetries) == 4


# Restrictions


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        ("straight", "a1 c1 d1 b2 b3 b4"),
        ("diagonal", "a2 c2 d3"),
        ("puller", "a1 c1 a2 b2 c2"),
        ("pusher", "d1 d2 a3 b3 c3 d3 a4 b4 c4 d4"),
    ],
)
def test_what_each_kind_allows_from_b1(kind: str, allowed: str) -> None:
    position = played(f"{kind}@b1")
    assert SQUARE.cells_of(position.allowed) == tuple(sorted(cells(allowed)))


def test_an_occupied_cell_does_not_block_but_a_gap_does() -> None:
    position = played("straight@b1", "straight@b2", "straight@a2")
    assert position.allowed & SQUARE.mask(cells("c2 d2")) == SQUARE.mask(cells("c2 d2"))
    ring = outline_of_offsets(RING)
    assert Cell(2, 3) not in board_of(ring).cells_of(
        played("straight@b3", board=board_of(ring)).allowed
    )
    ignoring = board_of(ring, gaps="ignore")
    assert Cell(2, 3) in ignoring.cells_of(played("straight@b3", board=ignoring).allowed)


@pytest.mark.parametrize("gaps", ["block", "ignore"])
def test_tables_agree_with_the_plain_rules_on_every_arrangement(gaps: str) -> None:
    for offsets in arrangements():
        board = board_of(outline_of_offsets(offsets), gaps)
        plain = plain_of(board)
        for kind in KINDS:
            for number, piece in enumerate(board.cells):
                expected = [each for each in board.cells if plain.allows(kind, piece, each)]
                assert board.cells_of(board.allowed[kind][number]) == tuple(expected)


# Opening, passing, the last turn


def test_the_first_piece_is_on_an_outside_cell_unless_the_opening_is_free() -> None:
    with pytest.raises(IllegalError) as error:
        played("straight@b2")
    assert [each.rule for each in error.value.violations] == ["opening"]
    free = standard_board(opening="free")
    assert len(list(Position.empty(free).moves())) == 64
    assert len(list(Position.empty(SQUARE).moves())) == 48
    assert played("straight@b2", board=free).to_move == "Dark"


def test_a_pass_is_a_move_where_it_is_forced_and_only_there() -> None:
    with pytest.raises(IllegalError) as error:
        played("straight@a1", PASS)
    assert [each.rule for each in error.value.violations] == ["pass"]
    for position in example("two-passes"):
        if position.must_pass:
            assert list(position.moves()) == [PASS]
            with pytest.raises(IllegalError):
                position.play(Piece("straight", Cell(0, 0)))
        else:
            assert not position.is_legal(PASS)


def test_after_a_pass_any_empty_cell_is_allowed() -> None:
    for seed in range(40):
        for before, after in _steps(random_game(SQUARE, random.Random(seed))):
            if before.must_pass:
                assert list(before.moves()) == [PASS]
                assert after.allowed == after.empty_cells and after.last is None
                assert not after.must_pass


def _steps(positions: list[Position]) -> list[tuple[Position, Position]]:
    return list(pairwise(positions))


def test_two_passes_never_follow_each_other() -> None:
    for seed in range(100):
        for before, after in _steps(random_game(SQUARE, random.Random(seed))):
            assert not (before.must_pass and after.must_pass)


def example(name: str) -> list[Position]:
    """The positions of an example game, each move made by the rules."""
    source = read_file(EXAMPLES / "mijnlieff" / f"{name}.yaml")
    return read_document(read_tree(source, "yaml")).replay()


def test_one_side_may_have_to_pass_at_two_turns_in_a_row() -> None:
    positions = example("two-passes")
    # Dark's Diagonal on c1 looks at b2, a3 and d2, all of them taken, and then its Puller on d1
    # has c1, c2 and d2 for neighbours, all taken too.
    before, between, after = positions[6], positions[8], positions[9]
    assert before.must_pass and between.must_pass
    assert before.to_move == between.to_move == "Light"
    assert not SQUARE.mask(cells("b2 d2 a3")) & before.empty_cells
    assert before.last == Piece("diagonal", Cell(0, 2))
    assert positions[7].last is None and positions[7].allowed == positions[7].empty_cells
    assert between.last == Piece("puller", Cell(0, 3))
    assert after.to_move == "Dark" and after.allowed == after.empty_cells
    assert after.cells_of("Dark").bit_count() == after.cells_of("Light").bit_count() + 1


def test_the_last_turn_is_taken() -> None:
    *_, before, last_turn, end = example("last-turn-taken")
    mover = last_turn.to_move
    # The eighth piece is placed and leaves the other side, which has two, a cell.
    assert before.pieces_left(before.to_move) == 1
    assert last_turn.pieces_left(opponent(mover)) == 0
    assert last_turn.pieces_left(mover) == 2 and last_turn.allowed
    assert end.is_finished and end.pieces_left(mover) == 1
    assert all(last_turn.play(move).is_finished for move in last_turn.moves())


def test_the_last_turn_is_forfeited() -> None:
    *_, before, last_turn, end = example("last-turn-forfeited")
    mover = last_turn.to_move
    # The eighth piece leaves the other side no cell: its pass is recorded, and the game is over.
    assert before.pieces_left(before.to_move) == 1
    assert last_turn.pieces_left(opponent(mover)) == 0
    assert last_turn.pieces_left(mover) == 1 and last_turn.empty_cells
    assert list(last_turn.moves()) == [PASS] and not last_turn.is_finished
    assert end.is_finished and list(end.moves()) == []
    with pytest.raises(IllegalError) as error:
        end.play(PASS)
    assert [each.rule for each in error.value.violations] == ["after-end"]


def test_a_game_ends_after_the_last_turn_and_never_before() -> None:
    ends = {"taken": 0, "forfeited": 0, "full": 0}
    for seed in range(300):
        positions = random_game(SQUARE, random.Random(seed))
        assert not any(position.is_finished for position in positions[:-1])
        last, end = positions[-2], positions[-1]
        assert end.pieces_left(end.to_move) == 0
        if last.must_pass:
            ends["forfeited"] += 1
        else:
            ends["full" if not end.empty_cells else "taken"] += 1
    assert min(ends.values()) > 0


# Score


def test_a_line_of_four_and_two_of_three_are_four_points() -> None:
    line = [Placed("Light", "straight", cell) for cell in cells("a1 b1 c1 d1 a2 a3 b2")]
    # Row a1-d1 is 2, column a1-a3 is 1; b2 makes the diagonal c1-b2-a3 of 1.
    assert Position(SQUARE, tuple(line)).score("Light") == 4


def test_the_score_is_that_of_the_runs_on_every_arrangement() -> None:
    chance = random.Random(5)
    for offsets in arrangements():
        board = board_of(outline_of_offsets(offsets))
        plain = plain_of(board)
        for _ in range(5):
            position = chance.choice(random_game(board, chance)[8:])
            for number, side in enumerate(SIDES):
                points = position.score(side)
                assert points == plain.score(plain_pieces(position), number)
                assert points == sum(run.points for run in position.runs() if run.side == side)


def test_moves_agree_with_the_plain_rules() -> None:
    chance = random.Random(6)
    for offsets in arrangements()[::6]:
        for gaps, opening in (("block", "outside"), ("ignore", "free")):
            board = board_of(outline_of_offsets(offsets), gaps, opening)
            plain = plain_of(board)
            for position in random_game(board, chance):
                pieces = plain_pieces(position)
                side = SIDES.index(position.to_move)
                last = position.last and (position.last.kind, tuple(position.last.cell))
                left = plain.left(pieces, side)
                expected = {
                    f"{kind}@{Cell(*cell).name}"
                    for cell in plain.allowed(pieces, last)
                    for kind in KINDS
                    if left[kind]
                }
                found = {m if isinstance(m, str) else m.notation for m in position.moves()}
                if any(left.values()) and not expected:
                    expected = {PASS}
                assert found == expected


# Games as written


def rules_of(*moves: str, board: Board = SQUARE) -> list[tuple[str, int | None]]:
    game = Game(board, moves=tuple(parse_move(move) for move in moves), ordered=True)
    return [(each.rule, each.move) for each in game.violations()]


def test_each_broken_rule_is_named_with_the_number_of_its_move() -> None:
    assert rules_of("straight@a1", "straight@a1") == [("occupied", 2), ("restriction", 2)]
    assert rules_of("straight@e9") == [("off-board", 1)]
    assert rules_of("straight@b2") == [("opening", 1)]
    assert rules_of("puller@a1", "straight@d4") == [("restriction", 2)]
    assert rules_of("pusher@a1", PASS) == [("pass", 2)]
    assert rules_of("straight@a1", "straight@b1", "straight@c1", "straight@d1", "straight@d2") == [
        ("too-many", 5)
    ]


def test_a_pass_left_out_is_named() -> None:
    moves = [
        "diagonal@d3", "pusher@c2", "puller@a3", "pusher@b2", "puller@d2", "diagonal@c1",
    ]  # fmt: skip
    assert rules_of(*moves) == []
    # Light must pass now; a move written instead, meant as Dark's, is Light's.
    assert rules_of(*moves, "puller@d1") == [("too-many", 7), ("restriction", 7), ("pass", 7)]
    assert rules_of(*moves, "straight@d1") == [("restriction", 7), ("pass", 7)]
    assert rules_of(*moves, PASS, "puller@d1") == []


def test_nothing_may_follow_the_end() -> None:
    positions = random_game(SQUARE, random.Random(1))
    moves = []
    for before, after in _steps(positions):
        moves.append(PASS if before.must_pass else after.last)
    game = Game(SQUARE, moves=(*moves, PASS), ordered=True)  # type: ignore[arg-type]
    assert [(each.rule, each.move) for each in game.violations()] == [("after-end", len(moves) + 1)]
    assert not Game(SQUARE, moves=tuple(moves), ordered=True).violations()  # type: ignore[arg-type]


# Positions without order


def test_positions_of_real_games_are_legal_and_their_play_replays() -> None:
    chance = random.Random(7)
    for number, offsets in enumerate(arrangements()):
        board = board_of(outline_of_offsets(offsets), ("block", "ignore")[number % 2])
        for position in random_game(board, chance)[::3]:
            shuffled = list(position.pieces)
            chance.shuffle(shuffled)
            asked = replace(position, pieces=tuple(shuffled))
            search = find_play(asked)
            assert search.moves is not None
            reached = replayed(Position.empty(board), search.moves)
            assert set(reached.pieces) == set(position.pieces)
            assert reached.to_move == position.to_move
            assert reached.is_finished == position.is_finished
            if not position.is_finished:
                assert reached.allowed == position.allowed


def grid(*rows: str, to_move: str, last: str | None = None, board: Board = SQUARE) -> Game:
    letters = {"s": "straight", "d": "diagonal", "p": "pusher", "l": "puller"}
    pieces = tuple(
        Placed("Light" if letter.isupper() else "Dark", letters[letter.lower()], Cell(r, c))
        for r, row in enumerate(rows)
        for c, letter in enumerate(row)
        if letter not in ".#"
    )
    move = None if last is None else parse_move(last)
    assert not isinstance(move, str)
    return Game(board, pieces, to_move, move)


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (grid("S...", "....", "....", "....", to_move="Dark", last="straight@a1"), []),
        (grid("S...", "....", "....", "....", to_move="Light", last="straight@a1"), ["to-move"]),
        (grid("S...", "....", "....", "....", to_move="Dark", last="diagonal@a1"), ["restriction"]),
        (grid("S...", "....", "....", "....", to_move="Dark", last="straight@a2"), ["restriction"]),
        (grid("S...", "....", "....", "....", to_move="Dark"), ["unreachable"]),
        (grid("....", "....", "....", "....", to_move="Dark"), ["to-move"]),
        (grid("....", "....", "....", "....", to_move="Light"), []),
        (
            grid("s...", "....", "....", "....", to_move="Light", last="straight@a1"),
            ["unreachable"],
        ),
        (grid("SSS.", "....", "....", "....", to_move="Dark", last="straight@a1"), ["too-many"]),
        # A Puller in the corner does not allow the far corner, and the other order neither.
        (grid("L...", "....", "....", "...l", to_move="Light", last="puller@d4"), ["unreachable"]),
        (grid("P...", "....", "....", "...l", to_move="Light", last="puller@d4"), []),
        # Two Light pieces and none of Dark: Dark cannot have had to pass.
        (grid("SD..", "....", "....", "....", to_move="Dark", last="diagonal@b1"), ["unreachable"]),
    ],
)
def test_what_is_wrong_with_a_position(game: Game, rules: list[str]) -> None:
    assert [each.rule for each in game.violations()] == rules


def test_the_search_for_play_agrees_with_trying_every_order() -> None:
    """On all small sets of pieces of a small board, reached or not, with and without a last one."""
    board = Board(Outline(2, 3), each_kind=1, opening="free")
    reached, unrestricted = set(), set()
    waiting = [Position.empty(board)]
    while waiting:
        position = waiting.pop()
        key = (frozenset(position.pieces), position.to_move, position.last)
        if key in reached or len(position.pieces) > 3:
            continue
        reached.add(key)
        moves = list(position.moves())
        waiting += [position.play(move) for move in moves]
        cells = {move.cell for move in moves if isinstance(move, Piece)}
        if position.last is None or not moves or len(cells) == position.empty_cells.bit_count():
            unrestricted.add((frozenset(position.pieces), position.to_move))
    chance = random.Random(3)
    hits = free_hits = 0
    for _ in range(3000):
        size = chance.randint(1, 3)
        pieces = tuple(
            Placed(chance.choice(SIDES), chance.choice(KINDS), cell)
            for cell in chance.sample(board.cells, size)
        )
        last = chance.choice(pieces)
        position = Position(board, pieces, opponent(last.side), last.piece)
        if any(min(position.supply_left(side).values()) < 0 for side in SIDES):
            continue
        found = find_play(position).moves is not None
        assert found == ((frozenset(pieces), position.to_move, position.last) in reached)
        hits += found
        asked = Position(board, pieces, chance.choice(SIDES))
        found = find_play(asked).moves is not None
        assert found == ((frozenset(pieces), asked.to_move) in unrestricted)
        free_hits += found
    assert hits > 200 and free_hits > 50


def test_how_legal_play_would_bring_the_pieces_about_is_told() -> None:
    (one,) = grid("S...", "....", "....", "....", to_move="Dark").violations()
    assert "with Dark to move after straight@a1, but not with Dark to move without a" in one.message
    (none,) = grid("SD..", "....", "....", "....", to_move="Dark", last="diagonal@b1").violations()
    assert none.message.startswith("no legal play puts these pieces on the board: all ")
