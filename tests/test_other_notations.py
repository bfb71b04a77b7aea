"""Drawings are read back, and so are the notations of other programs, each told by its form."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from conftest import DATA, EXAMPLES, Run

import litstool
from litstool.draw import terminal
from litstool.draw.picture import Picture
from litstool.draw.terminal import Screen
from litstool.errors import LitstoolError, NotationError
from litstool.lits import others
from litstool.lits.game import SWAP
from litstool.lits.placements import SHAPES
from litstool.say.position import snapshot_of

# Drawings

DRAWN = sorted(
    path
    for folder in (".", "illegal", "mijnlieff", "puzzles")
    for path in (EXAMPLES / folder).glob("*.*")
    if path.suffix in (".txt", ".yaml")
    and path.stem not in ("extremes", "arrangements")
    and not (path.parent.name == "puzzles" and not path.stem.endswith("1"))
)
SCREENS = {
    "lines": Screen(),
    "ASCII": Screen(ascii_only=True),
    "narrow": Screen(width=30),
    "colours": Screen(colors="standard"),
}


def essence(game: litstool.Game) -> tuple[object, ...]:
    """What a drawing carries of a position."""
    position = game.position_as_written()
    rows = [
        ["" if cell in position.cell_of_piece() else game.pattern.symbol(cell)]
        for cell in game.pattern.outline.cells
    ]
    return (
        rows,
        frozenset(game.all_pieces),
        position.to_move,
        position.supply_left,
        position.can_swap,
        position.legal,
        {fault.rule for fault in game.violations()},
    )


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_a_drawing_is_read_back(path: Path, screen: str) -> None:
    game = litstool.load(path)
    picture = Picture.of(snapshot_of(game))
    text = "\n".join(terminal.picture_lines(picture, SCREENS[screen]))
    try:
        again = litstool.parse(text)
    except NotationError as error:
        # Only where the file breaks a rule that a drawing cannot show.
        assert path.parent.name == "illegal", error
        assert "overlap" in str(error) or "not legal" in str(error)
        return
    if screen != "narrow":
        assert again.name == game.name
    if game.game == "mijnlieff":
        one, other = game.position(), again.position()
        assert (one.board, one.to_move, one.is_finished) == (
            other.board,
            other.to_move,
            other.is_finished,
        )
        assert set(one.pieces) == set(other.pieces) and list(one.moves()) == list(other.moves())
    else:
        assert essence(again) == essence(game)


def test_every_position_of_a_game_is_read_back() -> None:
    for name in ("game-with-swap.yaml", "mijnlieff/two-passes.yaml"):
        game = litstool.load(EXAMPLES / name)
        for ply in range(len(game.moves) + 1):
            cut = game.at(ply)
            picture = Picture.of(snapshot_of(cut, []))
            again = litstool.parse("\n".join(terminal.picture_lines(picture))).position()
            position = cut.position()
            assert again.to_move == position.to_move
            assert again.is_finished == position.is_finished
            assert set(again.moves()) == set(position.moves())
            if game.game != "mijnlieff":
                assert again.can_swap == position.can_swap


def test_a_drawing_with_numbers_or_a_heat_map(run: Run) -> None:
    path = EXAMPLES / "endgame-5.yaml"
    for options in (("--numbers",), ("--heat", "moves"), ("--ascii", "--heat", "gain")):
        shown = run("show", path, *options).out
        assert essence(litstool.parse(shown)) == essence(litstool.load(path))
    shown = run("show", path).out.encode()
    assert run("moves", "-", stdin=shown).out == run("moves", path).out


def test_several_drawings_and_a_grid(run: Run) -> None:
    shown = [run("show", name).out for name in ("boxes", EXAMPLES / "holes.txt", "4/4/4/4")]
    games = litstool.parse_all("".join(shown))
    assert [game.name for game in games] == ["Boxes", "A ring of holes", None]
    assert len(games[1].pieces) == 2


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("│ X   X   X", "│ X   Q   X", "line 5: b1: 'Q'"),
        (" 3 │", " 4 │", "row 4 stands where row 3"),
    ],
)
def test_a_damaged_drawing_is_told_with_its_place(run: Run, old: str, new: str, told: str) -> None:
    shown = run("show", "boxes").out.replace(old, new, 1)
    outcome = run("moves", "-", stdin=shown.encode())
    assert outcome.status == 2 and told in outcome.err


def test_a_supply_as_it_is_shown() -> None:
    grid = "supply: L 2, I 2, T 3, S 4\n" + "......\n" * 6
    assert litstool.parse(grid).supply == (2, 2, 3, 4)


# Moves

BOARD = "." * 100
MOVE = litstool.parse_move("L:e8,f8,g8,g9")


@pytest.mark.parametrize(
    "text",
    [
        "L 7 4 7 5 7 6 8 6",
        "l 8 6  7 4\t7 5 7 6",
        "E 8 F 8 G 8 G 9",
        "L e8 f8 g8 g9",
        "E8\tF8 G8 G9",
        "L[74,75,76,86]",
        "l[ 74 75\t76, 86 ]",
        "Applying action 1085) 74, L, ThreeQuarters, Flipped...",
    ],
)
def test_a_move_in_the_notation_of_another_program(text: str) -> None:
    assert litstool.parse_move(text) == MOVE
    assert litstool.parse(f"{BOARD}\n{text}\n").moves == (MOVE,)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("L[00,01,02,1]", "such as L[00,01,02,10]"),
        ("L 7 4 7 5 7 6 8", "such as L 0 0 0 1 0 2 1 0"),
        ("L:a1,b1,c1", "such as L:a1,b1,c1,a2"),
    ],
)
def test_an_error_speaks_the_notation_it_was_given(text: str, told: str) -> None:
    with pytest.raises(NotationError, match="not a move") as caught:
        litstool.parse_move(text)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("736) 47, S, None, Flipped...", "S[47,48,58,59]"),
        ("674) 44, L, ThreeQuarters, None", "L[44,45,46,54]"),
        ("4) 0, L, Half, None...", "L[01,02,12,22]"),
        ("834) 54, S, Quarter, Flipped", "S[56,65,66,75]"),
        ("1131) 75, L, Quarter, Flipped...", "L[85,95,96,97]"),
        ("324) 21, I, None, None", "I[21,31,41,51]"),
        ("959) 63, T, Quarter, None", "T[63,73,74,83]"),
        ("910) 60, S, Quarter, None...", "S[60,70,71,81]"),
        ("133) 7, L, ThreeQuarters, Flipped", "L[07,08,09,19]"),
    ],
)
def test_moves_of_a_public_log(line: str, move: str) -> None:
    assert litstool.parse_move(f"Applying action {line}") == litstool.parse_move(move)


def test_every_way_a_piece_lies_is_a_piece() -> None:
    for shape in SHAPES:
        found = {
            others.logged_move(f"Applying action 1) 44, {shape}, {turn}, {flip}")
            for turn in ("None", "Quarter", "Half", "ThreeQuarters")
            for flip in ("None", "Flipped")
        }
        assert all(move is not None and move.is_formed() for move in found)


# Games

MOVES = "T:f3,e4,f4,g4", "L:e5,c6,d6,e6", "T:a5,a6,b6,a7"


@pytest.mark.parametrize(
    "text",
    [
        "1. {0} 2. swap 3. {1}",
        "1) {0}\n2) swap\n3) {1}",
        "1.{0} 2.swap 3.{1} resign",
        "{0}\nswap\n; a comment\n\n{1}\nX resigns",
        "{0} swap {1}",
        "{0}; swap; {1}",
    ],
)
@pytest.mark.parametrize("board", ["monogram", "name: M\nto-move: X\nMonogram", "grid", "line"])
def test_moves_below_a_board(text: str, board: str) -> None:
    monogram = litstool.load("monogram")
    if board in ("grid", "line"):
        rows = monogram.pattern.rows()
        board = "\n".join(rows) if board == "grid" else "".join(rows)
    game = litstool.parse(f"{board}\n{text.format(*MOVES)}\n")
    assert game.pattern == monogram.pattern
    assert game.moves == (litstool.parse_move(MOVES[0]), SWAP, litstool.parse_move(MOVES[1]))
    assert not game.violations()
    assert (game.note is not None) == ("resign" in text)


def test_what_follows_a_resignation_is_refused_with_its_line() -> None:
    with pytest.raises(NotationError, match="line 3: nothing may follow"):
        litstool.parse(f"monogram\nresign\n{MOVES[0]}")
    with pytest.raises(NotationError, match="no board; put the board"):
        litstool.parse(f"{MOVES[0]}\nswap")


def log_of(games: list[litstool.Game]) -> str:
    """The moves of games as another program logs them."""
    written = {}
    for place in range(100):
        for shape in SHAPES:
            for turn in ("None", "Quarter", "Half", "ThreeQuarters"):
                for flip in ("None", "Flipped"):
                    words = f"{place}, {shape}, {turn}, {flip}"
                    written[others.logged_move(f"Applying action 1) {words}")] = words
    lines = [written[move] for game in games for move in game.moves]
    return "".join(
        f"Applying action {number}) {line}{'...' * (number % 2)}\n"
        for number, line in enumerate(lines)
    )


def test_a_log_is_parted_where_a_game_is_over(run: Run) -> None:
    lines = (DATA / "outside-games.tsv").read_text().splitlines()
    games = [litstool.parse(line.split("\t")[-1]) for line in lines if not line.startswith("#")]
    log = "stripes\n" + log_of(games[:5])
    assert [game.moves for game in litstool.parse_all(log)] == [game.moves for game in games[:5]]
    outcome = run("convert", "-", "--to", "ltp", stdin=log.encode())
    assert outcome.status == 0 and len(outcome.out.splitlines()) == 5
    damaged = log.replace("Applying action 3) ", "Applying action 3) nothing", 1)
    told = run("validate", "-", stdin=damaged.encode())
    assert told.status == 2 and "standard input, line 5: " in told.err


# Positions


def digits_of(game: litstool.Game) -> str:
    """A position as the older engine writes it."""
    on = {cell: piece.shape for piece in game.all_pieces for cell in piece.cells}
    values = [
        5 * ".XO".index(game.pattern.symbol(cell))
        + (" " + "".join(SHAPES)).index(on.get(cell, " "))
        for cell in game.pattern.outline.cells
    ]
    position = game.position()
    left = "".join(map(str, position.supply_left))
    return f"{''.join(f'{value:x}' for value in values)},{left},{position.to_move}"


@pytest.mark.parametrize("name", ["boxes.yaml", "game-with-swap.yaml", "endgame-5.yaml"])
def test_a_position_of_a_hundred_digits(run: Run, name: str) -> None:
    game = litstool.load(EXAMPLES / name)
    line = digits_of(game)
    assert len(line) == 107
    again = litstool.parse(line)
    assert again.pattern == game.pattern and not again.violations()
    assert set(again.pieces) == set(game.all_pieces)
    assert (again.side_to_move, again.supply) == (game.side_to_move, game.supply)
    assert run("validate", line).status == 0
    assert litstool.parse(line[:-2]).pieces == again.pieces
    assert len(litstool.parse_all(f"{line}\n{line}\n")) == 2


def test_a_position_of_digits_with_moves_below() -> None:
    start = digits_of(litstool.load("monogram"))
    game = litstool.parse(f"{start}\nT[25,34,35,36]\nL[44,52,53,54]\n")
    assert len(game.moves) == 2 and not game.violations()
    with pytest.raises(LitstoolError, match="at most 5 each"):
        litstool.parse(start.replace(",5555", ",5655"))


# Time


@pytest.mark.parametrize(
    "unit",
    [
        "a ",
        "a !",
        "L 1 ",
        "1. ",
        "x;",
        "L[",
        "\t",
        "resign ",
        "0a",
        "T:",
        "[X]",
        "4/",
        "--- ",
        "Applying action 1) ",
        "supply: L ",
        "    a   b   c\n   ┌",
    ],
)
def test_reading_grows_no_faster_than_the_text(unit: str) -> None:
    def seconds(times: int) -> float:
        best = float("inf")
        for _ in range(2):
            started = time.process_time()
            for text in (unit * times, "boxes\n" + unit * times, "T:f3,e4,f4,g4 " + unit * times):
                for read in (litstool.parse, litstool.parse_move):
                    with contextlib.suppress(LitstoolError):
                        read(text)
            best = min(best, time.process_time() - started)
        return best

    assert seconds(8_000) < max(0.1, 12 * seconds(2_000))
