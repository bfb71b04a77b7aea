"""Mijnlieff in text: what is written is read again, and what cannot be read is said where."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import EXAMPLES
from test_mijnlieff_rules import random_game

from litstool import games
from litstool.errors import FormatError, LitstoolError, NotationError, UsageError
from litstool.files.reading import Source, write_json, write_yaml
from litstool.game import text_of
from litstool.grid import Cell
from litstool.mijnlieff import notation
from litstool.mijnlieff.board import arrangements, board_of, outline_of_offsets, standard_board
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.position import PASS, Move, Piece, Position
from litstool.mijnlieff.room import GAME
from litstool.say.moves import listed, replay

LINE = "mijnlieff 4/1S2/4/4 Dark last=straight@b2 gaps=ignore"


def read(text: str) -> Game:
    game = games.read(Source("test", text))
    assert isinstance(game, Game)
    return game


def same(one: Game, other: Game) -> bool:
    """Equal but for the order of the pieces on the board at the start."""
    return replace(one, pieces=tuple(sorted(one.pieces))) == replace(
        other, pieces=tuple(sorted(other.pieces))
    )


def random_records(seed: int) -> list[Game]:
    """Games of every arrangement, some from a board with pieces on."""
    chance = random.Random(seed)
    found = []
    for number, offsets in enumerate(arrangements()):
        gaps = ("block", "ignore")[number % 2]
        opening = ("outside", "free")[number % 3 == 0]
        board = board_of(outline_of_offsets(offsets), gaps, opening)
        positions = random_game(board, chance)
        moves: list[Move] = []
        for before, after in pairwise(positions):
            move = PASS if before.must_pass else after.last
            assert move is not None
            moves.append(move)
        cut = chance.randrange(len(moves))
        start = positions[cut]
        found.append(Game(board, moves=tuple(moves), ordered=True, name="A game", note="no"))
        if start.pieces:
            found.append(
                Game(
                    board,
                    start.pieces,
                    start.to_move,
                    start.last,
                    tuple(moves[cut:]),
                    True,
                    source="yes",
                    players={"first": "Ada", "second": "2010-10-10"},
                )
            )
    return found


@pytest.mark.parametrize("writer", [write_yaml, write_json])
def test_a_game_as_a_document_is_read_again(writer) -> None:  # type: ignore[no-untyped-def]
    for game in random_records(1):
        assert same(read(writer(notation.write_document(game))), game)


def test_a_position_as_text_and_on_one_line_is_read_again() -> None:
    for game in random_records(2):
        for ply in (0, len(game.moves) // 2, len(game.moves)):
            cut = game.at(ply)
            position = cut.position()
            for text in (notation.write_text(cut), notation.write_line(cut)):
                again = read(text)
                assert set(again.pieces) == set(position.pieces)
                assert again.board == position.board
                assert again.to_move == position.to_move and again.last == position.last
                assert not again.violations()


def test_the_line_of_the_interface() -> None:
    game = read(LINE)
    assert game.board.gaps == "ignore" and game.to_move == "Dark"
    assert game.last == Piece("straight", Cell(1, 1))
    assert notation.write_line(game) == LINE
    assert game.position().allowed.bit_count() == 6


def test_a_grid_with_labels_comments_and_spaces() -> None:
    game = read(
        "; a comment\ngame: mijnlieff\nTo-Move: light\nlast: l@B4\n\n  1 2 3 4\n"
        "1 S . . .\n2 . . - _\n3 s . . .\n4 . l . .\n"
    )
    assert game.last == Piece("puller", Cell(3, 1))
    assert [placed.letter for placed in game.pieces] == ["S", "s", "l"]
    assert game.to_move == "Light"


def test_upper_and_lower_case_tell_the_sides() -> None:
    game = read("mijnlieff SDPL/sdpl/4/4 Light")
    sides = [placed.side for placed in game.pieces]
    assert sides == ["Light"] * 4 + ["Dark"] * 4


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("straight@b3", Piece("straight", Cell(2, 1))),
        ("S@B3", Piece("straight", Cell(2, 1))),
        (" d @ a1 ", Piece("diagonal", Cell(0, 0))),
        ("p@h8", Piece("pusher", Cell(7, 7))),
        ("L@c1", Piece("puller", Cell(0, 2))),
        ("puller\tC1", Piece("puller", Cell(0, 2))),
        ("PASS", PASS),
    ],
)
def test_moves_are_read(text: str, move: Move) -> None:
    assert notation.parse_move(text) == move


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("b3", "expected a kind and a cell"),
        ("strait@b3", "did you mean 'straight'"),
        ("x@b3", "no kind of piece"),
        ("s@33", "no cell"),
        ("", "expected a kind"),
        ("x b3", "expected a kind and a cell"),
        ("s z99 b3", "expected a kind and a cell"),
        ("s 33", "no cell"),
    ],
)
def test_what_is_no_move_is_said(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        notation.parse_move(text)


OFFSETS = "[[0, 1], [0, 3], [2, 0], [2, 2]]"


def test_a_board_is_given_by_the_offsets_of_its_2x2_boards() -> None:
    expected = board_of(outline_of_offsets(((0, 1), (0, 3), (2, 0), (2, 2))))
    assert read(f"game: mijnlieff\noffsets: {OFFSETS}\nmoves: []\n").board == expected
    assert read("game: mijnlieff\noffsets: 0,1 0,3 2,0 2,2\n").board == expected
    document = f'{{"game": "mijnlieff", "offsets": {OFFSETS}, "gaps": "ignore"}}'
    assert read(document).board == replace(expected, gaps="ignore")


def test_without_a_board_a_document_is_played_on_the_square() -> None:
    game = read('game: mijnlieff\nmoves: ["s@a1", "pass"]\n')
    assert game.board == standard_board()
    assert [each.rule for each in game.violations()] == ["pass"]


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("game: mijnlieff\n....\n....\n....\n....\nlast: s@a1\n", "above the grid", 6),
        ("game: mijnlieff\nlast: s@\n....\n....\n....\n....\n", "no cell", 2),
        ("game: mijnlieff\nlast: pass\n....\n....\n....\n....\n", "leave it out", 2),
        ("game: mijnlieff\ngaps: closed\n....\n....\n....\n....\n", "did you|expected", 2),
        ("game: mijnlieff\nto-move: X\n....\n....\n....\n....\n", "Light, Dark", 2),
        ("game: mijnlieff\n....\n.Q..\n....\n....\n", "unknown letter 'Q'", 3),
        ("game: mijnlieff\n....\n...\n....\n....\n", "ragged", 3),
        ("game: mijnlieff\n....\n....\n....\n", "12 cells instead of 16", None),
        ("game: mijnlieff\nS...\n....\n....\n....\n", "to-move is missing", None),
        ("game: mijnlieff\noffsets: 0,0 0,1 2,0 2,2\n", "overlap", 2),
        ("game: mijnlieff\noffsets: 0,0 0,2 2,0\n", "are no offsets", 2),
        ("game: mijnlieff\nsupply: 3\n....\n....\n....\n....\n", "unknown key", 2),
        ("mijnlieff 4/4/4/4 Grey", "fits nowhere", None),
        ("mijnlieff 4/4/4/4 Light first=a1", "unknown key", None),
        ("mijnlieff 4/4/4/4 Light Dark", "given twice", None),
        ("mijnlieff S3/4/4/4", "to-move is missing", None),
        ("mijnlieff 999/4 Light", "too many", None),
        ("game: mijnlieff\nboard: |\n  S...\n  ....\n  ....\n  ....\nmoves: []\n", "to-move", 2),
        ("game: mijnlieff\nmoves: [s@a1, q@b2]\n", "no kind", 2),
        ("game: mijnlieff\nmoves:\n- [s, a1]\n", "quoted", 3),
        ("game: mijnlieff\npattern: boxes\nmoves: []\n", "unknown key 'pattern'", 2),
        ("game: mijnlieff\nto-move: X\nmoves: []\n", "Light", 2),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(text: str, says: str, line: int | None) -> None:
    with pytest.raises(LitstoolError, match=says) as error:
        read(text)
    assert isinstance(error.value, NotationError | FormatError)
    if line is not None:
        assert error.value.where == f"test, line {line}"


def test_contradictions_between_a_document_and_its_board() -> None:
    board = "game: mijnlieff\nboard: |\n  to-move: Dark\n  gaps: ignore\n" + "  ....\n" * 4
    assert read(board).board.gaps == "ignore"
    for key, says in (("to-move: Light", "board says Dark"), ("gaps: block", "board says ignore")):
        with pytest.raises(FormatError, match=says):
            read(board + key + "\n")


def test_what_no_grid_can_show() -> None:
    for move in ("s@e1", "d@a1"):
        game = read(f'game: mijnlieff\nmoves: ["s@a1", "{move}"]\n')
        with pytest.raises(LitstoolError, match="cannot show"):
            notation.write_line(game)
        # It is drawn and judged all the same.
        assert len(game.position_as_written().pieces) == 1
        assert len(game.all_pieces) == 2


def test_what_is_lost_in_each_notation() -> None:
    game = replace(random_records(3)[0], players={"first": "Ada"})
    assert notation.losses(game, "yaml") == []
    assert notation.losses(game, "text") == ["the order of the moves", "note", "players"]
    assert "the name" in notation.losses(game, "line")


def test_cutting_a_game() -> None:
    game = random_records(4)[0]
    assert len(game.replay()) == len(game.moves) + 1
    for ply, position in enumerate(game.replay()):
        assert game.at(ply).position() == position
    for ply in (-1, len(game.moves) + 1):
        with pytest.raises(UsageError):
            game.at(ply)


def test_the_examples_are_legal() -> None:
    paths = sorted((EXAMPLES / "mijnlieff").glob("*"))
    records = [path for path in paths if path.name != "arrangements.yaml"]
    assert len(records) >= 8
    for path in records:
        _, game = games.load(str(path))
        assert isinstance(game, Game), path
        assert game.violations() == []


# Listing


def test_the_list_of_moves_with_its_filters() -> None:
    position = read(LINE).position()
    _, document, lines = listed(GAME, position, None, (), None)
    assert document["to_move"] == "Dark" and document["count"] == 24 == len(document["moves"])
    assert document["moves"][0] == {
        "move": "straight@b1",
        "kind": "straight",
        "cell": "b1",
        "gain": 0,
    }
    assert lines[-1] == "24 moves for Dark"
    assert listed(GAME, position, "p", (), "gain").document["count"] == 6
    assert listed(GAME, position, "Pusher", [Cell(0, 1)], None).document["count"] == 1
    with pytest.raises(UsageError, match="no kind"):
        listed(GAME, position, "tower", (), None)


def test_a_forced_pass_in_the_list() -> None:
    position = games.load(str(EXAMPLES / "mijnlieff" / "two-passes.yaml"))[1].at(6).position()
    _, document, lines = listed(GAME, position, None, (), None)
    assert [each["move"] for each in document["moves"]] == ["pass"]
    assert "must pass" in lines[-1]


def test_a_line_of_play_is_told_with_its_scores() -> None:
    path: Path = EXAMPLES / "mijnlieff" / "last-turn-taken.yaml"
    game = games.load(str(path))[1]
    line = [text_of(move) for move in game.moves]
    told = list(replay(GAME, Position.empty(game.board), line))
    assert [text for _, text, _ in told] == line
    end = game.position()
    score = f"Light {end.score('Light')}, Dark {end.score('Dark')}"
    assert told[-1][2].endswith(score)
