"""What is written can be read again, in every form, and reading forgives what it says it does."""

from __future__ import annotations

import itertools
import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import DATA, EXAMPLES, STANDARD_BOARDS, Run, random_play, random_symbols
from hypothesis import example, given, settings
from hypothesis import strategies as st

import litstool
from litstool.errors import NotationError
from litstool.files.reading import decode, write_json, write_yaml
from litstool.grid import Cell
from litstool.lits import notation
from litstool.lits.board import Pattern
from litstool.lits.game import SWAP, Game
from litstool.lits.placements import SHAPES, Placement, placements_of, shape_of
from litstool.lits.position import Position


def essence(position: Position) -> tuple[object, ...]:
    """What every notation must carry of a position: what is seen on the board, and who moves."""
    seen = [
        "#" if cell not in position.outline else position.pattern.symbol(cell)
        for row in range(position.outline.rows)
        for column in range(position.outline.columns)
        if not position.covered & position.outline.bit(cell := Cell(row, column))
    ]
    return (
        position.outline,
        "".join(seen),
        frozenset(position.pieces),
        position.to_move,
        position.supply,
        position.legal,
    )


supplies = st.tuples(*[st.integers(0, 20)] * 4)


@st.composite
def games(draw: st.DrawFn, any_board: bool = True) -> Game:
    """A legal game, its order known or not, on a board of any outline or fit for LTP."""
    rows, columns = (draw(st.integers(4, 8)), draw(st.integers(4, 8))) if any_board else (10, 10)
    letters = "XO.#" if any_board else "XO."
    cells = draw(
        st.lists(st.sampled_from(letters), min_size=rows * columns, max_size=rows * columns)
    )
    pattern = Pattern.from_rows(
        "".join(cells[start : start + columns]) for start in range(0, len(cells), columns)
    )
    supply = draw(st.one_of(st.just((5, 5, 5, 5)), supplies)) if any_board else (5, 5, 5, 5)
    position = Position.empty(pattern, supply)
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=8)):
        moves = list(position.moves())
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
    moves_made: tuple[Placement | str, ...] = position.pieces
    if len(moves_made) > 1 and draw(st.booleans()):
        moves_made = (moves_made[0], SWAP, *moves_made[1:])
    if draw(st.booleans()):
        return Game(pattern, supply, moves=moves_made, ordered=True)
    return Game(pattern, supply, pieces=position.pieces)


# Moves

formed_moves = st.sampled_from(placements_of(Pattern.from_rows(["." * 16] * 16).outline).all)


def engine_form(move: Placement, chance: random.Random) -> str:
    cells = [f"{cell.row}{cell.column}" for cell in chance.sample(move.cells, 4)]
    return f"{move.shape}[{chance.choice([',', ', ', ' ']).join(cells)}]"


@given(formed_moves, st.randoms(use_true_random=False))
def test_a_move_is_read_in_every_accepted_form(move: Placement, chance: random.Random) -> None:
    assert litstool.parse_move(move.notation) == move
    cells = [cell.name for cell in chance.sample(move.cells, 4)]
    between = chance.choice([",", ", ", " ", "  ", " , ", "\t"])
    head = chance.choice([move.shape + ":", move.shape + " : ", move.shape.lower() + ":", ""])
    text = f"  {head}{between.join(cells)} "
    for form in (text, text.upper(), text.lower()):
        assert litstool.parse_move(form) == move
    if all(cell.row < 10 and cell.column < 10 for cell in move.cells):
        assert litstool.parse_move(engine_form(move, chance)) == move
        assert litstool.parse_move(engine_form(move, chance).lower()) == move
        assert litstool.parse_move(notation.engine_move(move)) == move


@given(st.sets(st.tuples(st.integers(0, 25), st.integers(0, 98)), min_size=4, max_size=4))
def test_any_four_cells_are_a_move_whatever_they_form(places: set[tuple[int, int]]) -> None:
    cells = tuple(sorted(Cell(row, column) for column, row in places))
    move = litstool.parse_move(" ".join(cell.name for cell in cells))
    assert move == Placement(shape_of(cells) or "?", cells)
    assert litstool.parse_move(move.notation) == move


def test_written_cells_are_sorted_by_row_then_column() -> None:
    assert litstool.parse_move("a2,c1,b1,a1").notation == "L:a1,b1,c1,a2"
    assert litstool.parse_move("L[10,02,01,00]").notation == "L:a1,b1,c1,a2"
    assert litstool.parse_move(" l\ta2 c1,b1 a1").notation == "L:a1,b1,c1,a2"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ":", "L", "L:", "L:a1,b1,c1", "L:a1,b1,c1,a2,a3", "L:a1,a1,b1,c1", "a1b1c1a2"),
        *("Q:a1,b1,c1,a2", "LI:a1,b1,c1,a2", "LITS:a1,b1,c1,a2", ":a1,b1,c1,a2", "L:a0,b1,c1,a2"),
        *("L:a100,b1,c1,a2", "L:1a,b1,c1,a2", "L:aa1,b1,c1,a2", "L:a1;b1;c1;a2", "L:a1,b1,c1,-2"),
        *("L[00,01,02]", "L[00,01,02,1]", "L[00,01,02,00]", "L[00 01 02 10", "Q[00,01,02,10]"),
        *("L:a１,b1,c1,a2", "L:ａ1,b1,c1,a2", "L:ſ1,b1,c1,a2", "L[０0,01,02,10]", "S:K1,ı1,c1,a2"),
        *("swap swap", "pass", "straight@b3", "L:a1,b1,c1,a2\nL:a1,b1,c1,a2", "L:L:a1,b1,c1,a2"),
    ],
)
def test_text_that_is_not_four_different_cells_is_no_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        litstool.parse_move(text)
    assert repr(text) in str(caught.value)
    example = "L[00,01,02,10]" if "[" in text else "L:a1,b1,c1,a2"
    assert f"such as {example}" in str(caught.value)


@given(st.text(max_size=30))
def test_no_text_breaks_the_move_reader(text: str) -> None:
    try:
        move = litstool.parse_move(text)
    except NotationError:
        return
    assert litstool.parse_move(notation.text_of(move)) == move


@given(supplies)
def test_a_supply_is_read_as_it_is_written(supply: tuple[int, int, int, int]) -> None:
    assert notation.parse_supply(notation.write_supply(supply)) == supply
    assert notation.parse_supply(notation.write_supply(supply, ",").lower()) == supply
    assert notation.parse_supply(f"T{supply[2]}") == (5, 5, supply[2], 5)


# Whole games and positions


@given(games())
def test_every_form_keeps_the_position(game: Game) -> None:
    wanted = essence(game.position())
    written = [notation.write_text(game), notation.write_line(game)]
    document = notation.write_document(game)
    written += [write_yaml(document), write_json(document)]
    for text in written:
        again = litstool.parse(text)
        assert essence(again.position()) == wanted, text
        # And from each form to each other one.
        for target in (notation.write_text(again), notation.write_line(again)):
            assert essence(litstool.parse(target).position()) == wanted
        for write in (write_yaml, write_json):
            assert (
                essence(litstool.parse(write(notation.write_document(again))).position()) == wanted
            )


@given(games())
def test_yaml_and_json_keep_the_whole_game(game: Game) -> None:
    for write in (write_yaml, write_json):
        again = litstool.parse(write(notation.write_document(game)))
        assert again.moves == game.moves and again.ordered == game.ordered
        assert set(again.pieces) == set(game.pieces)
        assert again.pattern == game.pattern and again.supply == game.supply


@given(games(any_board=False))
@settings(max_examples=25)
def test_the_game_line_keeps_pattern_and_moves(game: Game) -> None:
    again = litstool.parse(notation.write_engine_line(game))
    assert again.pattern == game.pattern
    assert essence(again.position()) == essence(game.position())
    if game.ordered:
        assert again.moves == game.moves


@given(games())
def test_the_rows_of_one_line_and_grid_are_stable(game: Game) -> None:
    """Printing what was read from a print changes nothing."""
    text, line = notation.write_text(game), notation.write_line(game)
    assert notation.write_text(litstool.parse(text)) == text
    assert notation.write_line(litstool.parse(line)) == line
    assert notation.write_line(litstool.parse(text)) == line


printed = st.text(
    alphabet=st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40
)


@example("\x85", "\u2028 \u2029", {"first": "\r", "second": "a\r\nb"})
@example("a\nb \n", " \x85\nx", {"first": "\ufeff\ufffe", "second": "\x7f\x1b"})
@given(printed, printed, st.dictionaries(st.sampled_from(["first", "second"]), printed))
def test_free_text_is_kept_as_written(name: str, note: str, players: dict[str, str]) -> None:
    game = replace(litstool.load("boxes"), name=name, source=note[:10], note=note, players=players)
    document = notation.write_document(game)
    for write in (write_yaml, write_json, json.dumps):
        again = litstool.parse(write(document))
        assert (again.name or "", again.note or "", again.source or "") == (name, note, note[:10])
        assert again.players == players


@pytest.mark.parametrize(
    "word",
    ["no", "yes", "null", "~", "1.0", "2010-05-04", "0x1F", "on", "=", "<<", "- a", "a: b", "#x"],
)
def test_free_text_that_yaml_knows_as_something_else_stays_text(word: str) -> None:
    game = replace(litstool.load("boxes"), name=word, note=word)
    again = litstool.parse(write_yaml(notation.write_document(game)))
    assert (again.name, again.note) == (word, word)


@pytest.mark.parametrize("word", ["no", "null", "1.0", "2010-05-04", "0x1F", "on", "12:30:00"])
def test_unquoted_words_of_yaml_stay_text(word: str) -> None:
    assert litstool.parse(f"pattern: boxes\nname: {word}").name == word


# Grids as people write them


@st.composite
def decorated(draw: st.DrawFn, game: Game) -> bytes:
    """The grid of a game with labels, spaces, other blanks, cases, comments and line ends."""
    chance = random.Random(draw(st.integers(0, 10**9)))
    rows = notation.rows_of(game)
    if draw(st.booleans()):
        rows = [row.replace(".", draw(st.sampled_from(".-_"))) for row in rows]
    if draw(st.booleans()):
        rows = [row.lower() for row in rows]
    between = draw(st.sampled_from(["", " ", "\t", "  "]))
    rows = [between.join(row) for row in rows]
    if draw(st.booleans()):
        rows = [f"{number:>2} {row}" for number, row in enumerate(rows, 1)]
    if draw(st.booleans()):
        rows = [f"{row} {number}" for number, row in enumerate(rows, 1)]
    label = draw(st.sampled_from(["", "letters", "capitals", "digits"]))
    if label:
        columns = game.pattern.outline.columns
        letters = [chr(ord("a") + column) for column in range(columns)]
        if label == "digits":
            letters = [str(column % 10) for column in range(columns)]
        line = "   " + " ".join(letters)
        rows = [line.upper() if label == "capitals" else line, *rows]
        if draw(st.booleans()):
            rows.append(line)
    lines = [f"To-Move : {game.side_to_move.lower()}"]
    lines.append(f"SUPPLY: {notation.write_supply(game.supply)}")
    chance.shuffle(lines)
    lines += rows
    if draw(st.booleans()):
        for comment in ("; a comment", "", "   ", ";moves: none", "\t"):
            lines.insert(chance.randrange(len(lines) + 1), comment)
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(lines) + draw(st.sampled_from(["", end, end * 3]))
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


@given(st.data(), games())
@settings(max_examples=150)
def test_a_grid_is_read_however_it_is_decorated(data: st.DataObject, game: Game) -> None:
    written = data.draw(decorated(game))
    again = litstool.parse(decode(written, "grid"))
    assert essence(again.position()) == essence(game.position())


@pytest.mark.parametrize(
    "line",
    [
        "4/4/4/4",
        "..../..../..../....",
        "1.2/2-1/_3/4",
        "4/4/4/4 x",
        "  4/4/4/4   X  ",
        "4/4/4/4 X supply=L5,I5,T5,S5",
        "4/4/4/4 supply=l5",
    ],
)
def test_one_line_forms_of_an_empty_board(line: str) -> None:
    assert essence(litstool.parse(line).position()) == essence(
        Position.empty(Pattern.from_rows(["...."] * 4))
    )


@pytest.mark.parametrize(
    "grid",
    [
        "X O X O\nO X O X\nX X O O\nO O X X",
        " 9 X O X O\n10 O X O X\n11 X X O O\n12 O O X X",
        "XOXO\nOXOX\nXXOO\nOOXX",
        "X\tO\tX\tO\nO\tX\tO\tX\nX\tX\tO\tO\nO\tO\tX\tX",
        "XO XO\nO XOX\nXXOO\n..XX",
    ],
)
def test_spaces_between_cells_where_they_cannot_be_cells(grid: str) -> None:
    outline = litstool.parse(grid).pattern.outline
    assert (outline.rows, outline.columns) == (4, 4)


def test_a_run_of_digits_is_one_number() -> None:
    position = litstool.parse("10/X8O/10/10/10/10/10/10/10/10").position()
    assert (position.outline.rows, position.outline.columns) == (10, 10)
    assert (position.score("X"), position.score("O")) == (1, 1)
    assert litstool.parse("/".join(["16"] * 16)).pattern.outline.columns == 16


def test_the_interface_example_reads_and_prints() -> None:
    text = (
        "to-move: O\nOOOO.OOOO.\nO...XOXXXX\nO...XTX..X\nO.OOTTT..X\nO..OXOOO.X\n"
        "O.XXXOX..X\nO..OXOXX.X\nO..OXO...X\nOOOOXO...X\n.XXXX.XXXX\n"
    )
    game = litstool.parse(text)
    assert [piece.notation for piece in game.pieces] == ["T:f3,e4,f4,g4"]
    assert notation.write_text(game) == text
    monogram = litstool.load("monogram").position()
    assert game.position().legal == monogram.play(litstool.parse_move("T:f3,e4,f4,g4")).legal


# Names, paths, boards inside documents


@pytest.mark.parametrize("name", STANDARD_BOARDS)
def test_a_pattern_is_a_name_a_path_a_grid_or_one_line(name: str, tmp_path) -> None:
    pattern = litstool.load(name).pattern
    grid = "\n".join(pattern.rows())
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "my board.txt").write_text(grid, encoding="utf-8")
    (tmp_path / "nested.yaml").write_text(write_yaml({"pattern": grid + "\n"}), encoding="utf-8")
    forms = [
        name,
        name.upper(),
        f"'{name}'",
        "sub/my board.txt",
        str(tmp_path / "sub" / "my board.txt"),
        "nested.yaml",
        notation.write_line(Game(pattern)).split()[0],
        "|\n" + re.sub("^", "  ", grid, flags=re.MULTILINE),
    ]
    for form in forms:
        file = tmp_path / "game.yaml"
        file.write_text(f"pattern: {form}\nmoves: []\n", encoding="utf-8")
        assert litstool.load(str(file)).pattern == pattern, form


@pytest.mark.parametrize(
    "start",
    ["IIII4/8/8/8/8/8/8/8 O", "|\n  to-move: O\n  IIII....\n" + "  ........\n" * 7],
)
def test_moves_go_on_from_a_board_in_every_form(start: str) -> None:
    game = litstool.parse(f'board: {start}\nmoves: ["L:a2,a3,b3,c3"]')
    position = game.position()
    assert len(position.pieces) == 2 and position.to_move == "X"
    for write in (write_yaml, write_json):
        again = litstool.parse(write(notation.write_document(game)))
        assert essence(again.position()) == essence(position)
        assert again.moves == game.moves


@pytest.mark.parametrize("moves", ["", '"I:a1,b1,c1,d1"', '"I:a1,b1,c1,d1", "L:a2,a3,b3,c3"'])
def test_the_side_to_move_of_an_empty_board_survives_its_moves(moves: str) -> None:
    game = litstool.parse(f"board: 8/8/8/8\nmoves: [{moves}]\nto-move: X")
    assert game.violations() == []
    again = litstool.parse(write_yaml(notation.write_document(game)))
    assert again.violations() == [] and again.side_to_move == game.side_to_move


def test_the_form_is_told_by_the_content_not_the_name(tmp_path) -> None:
    forms = {
        "a.txt": "pattern: boxes\n",
        "b.yaml": "10/10/10/10/10/10/10/10/10/10",
        "c": ' \n {"pattern": "boxes"}',
        "d.json": "---\n# a comment\nname: x\nboard: 10/10/10/10/10/10/10/10/10/10\n",
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert litstool.load(str(tmp_path / name)).position().legal.bit_count() == 1292


# The command converts between all forms

CONVERTED = ["game-with-swap.yaml", "game-without-swap.yaml", "longest-18.txt", "monogram.yaml"]


@pytest.mark.parametrize("name", CONVERTED)
@pytest.mark.parametrize(
    ("first", "second"),
    list(itertools.permutations(("text", "line", "yaml", "json", "ltp"), 2)),
)
def test_convert_there_and_on(run: Run, name: str, first: str, second: str) -> None:
    wanted = essence(litstool.load(str(EXAMPLES / name)).position())
    there = run("convert", EXAMPLES / name, "--to", first)
    assert there.status == 0
    assert essence(litstool.parse(there.out).position()) == wanted
    on = run("convert", "-", "--to", second, stdin=there.out.encode())
    assert on.status == 0
    assert essence(litstool.parse(on.out).position()) == wanted


@pytest.mark.parametrize("target", ["text", "line", "yaml", "json"])
@pytest.mark.parametrize("path", sorted((EXAMPLES / "illegal").iterdir()), ids=lambda p: p.stem)
def test_what_is_wrong_stays_wrong_or_is_refused(run: Run, path: Path, target: str) -> None:
    written = run("convert", path, "--to", target)
    carried = {"2x2", "disconnected", "shape", "supply", "to-move"}
    if target in ("yaml", "json") or path.stem in carried:
        assert written.status == 0
        again = litstool.parse(written.out).violations()
        assert {each.rule for each in again} == {
            each.rule for each in litstool.load(path).violations()
        }
    else:
        assert (written.status, written.out) == (1, "")
        assert path.name in written.err and "cannot" in written.err


def test_pieces_that_touch_in_a_drawing_stay_apart(run: Run) -> None:
    drawn = run("show", EXAMPLES / "illegal" / "same-shape.yaml").out.encode()
    written = run("convert", "-", "--to", "yaml", stdin=drawn)
    assert written.status == 0
    assert {each.rule for each in litstool.parse(written.out).violations()} == {"same-shape"}
    refused = run("convert", "-", "--to", "line", stdin=drawn)
    assert refused.status == 1 and "line cannot carry" in refused.err


@pytest.mark.parametrize("target", ["text", "line", "yaml", "json", "ltp"])
def test_a_puzzle_does_not_lose_its_claims_without_a_word(run: Run, target: str) -> None:
    outcome = run("convert", EXAMPLES / "puzzles" / "puzzle-01.yaml", "--to", target)
    assert outcome.status == 0 and "what the puzzle claims" in outcome.err


def test_the_public_game_line_is_100_characters_and_the_moves(run: Run) -> None:
    game = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    line = run("convert", EXAMPLES / "game-with-swap.yaml", "--to", "ltp").out.rstrip("\n")
    symbols, *moves = line.split("; ")
    assert symbols == "".join(game.pattern.rows()) and len(symbols) == 100
    assert moves[:2] == ["T[25,34,35,36]", "swap"]
    assert len(moves) == len(game.moves)


def test_the_extremes_are_read_whole() -> None:
    text = (DATA / "extremes.yaml").read_text(encoding="utf-8")
    assert text.startswith("# Origin")
    grids = re.findall(r"^(\S+): \|\n((?:  .*\n)+)", text, re.MULTILINE)
    assert len(grids) == 3
    for _, grid in grids:
        game = litstool.parse(grid)
        assert all(piece.is_formed() for piece in game.pieces)
        assert {piece.shape for piece in game.pieces} == set(SHAPES) & set(grid)


def test_random_plays_read_one_way_only() -> None:
    """In a legal position equal letters that touch are one piece: reading finds the same pieces."""
    for seed, name in enumerate(STANDARD_BOARDS):
        chance = random.Random(seed)
        position = Position.empty(random_symbols(["." * 12] * 9, chance), (9, 9, 9, 9))
        for at in random_play(position, chance):
            game = Game(at.pattern, at.supply, pieces=at.pieces)
            assert set(litstool.parse(notation.write_line(game)).pieces) == set(at.pieces), name


@given(st.text(alphabet="XOLITS.#-_ /0123456789\n\t:;{}[]\"'abk=?&*!|>", max_size=60))
@settings(max_examples=300)
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        game = litstool.parse(text)
    except litstool.LitstoolError as error:
        assert error.message
        return
    game.violations()
    game.position_as_written()


def test_a_row_of_column_numbers_is_no_row_of_cells() -> None:
    game = litstool.parse("to-move: X\n   0 1 2 3\nX X X X\nX O X X\nX X X X\nX X X X")
    assert list(game.pattern.rows()) == ["XXXX", "XOXX", "XXXX", "XXXX"]
