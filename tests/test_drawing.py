"""The terminal drawing shows the position: cells, pieces as joined areas, holes, safe cells."""

from __future__ import annotations

import io
import random
import re
from itertools import product
from typing import Any

import pytest
from conftest import (
    EXAMPLES,
    OUTLINES,
    STANDARD_BOARDS,
    SUPPLIES,
    Run,
    contrast,
    random_play,
    random_symbols,
)
from rich.style import Style

import litstool
from litstool.draw import terminal
from litstool.draw.picture import Picture
from litstool.draw.terminal import Screen
from litstool.grid import Cell, bits
from litstool.lits import drawing
from litstool.lits.board import Pattern
from litstool.lits.game import Game
from litstool.lits.notation import write_line
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.say.position import snapshot_of
from litstool.terminal import screen

COLOR_CODE = re.compile(r"\x1b\[[0-9;]*m")


def drawn(game: Game, **screen: Any) -> list[str]:
    return terminal.picture_lines(Picture.of(snapshot_of(game)), Screen(**screen))


class Board:
    """A drawing taken apart again: what stands in each cell, and where the walls are."""

    def __init__(self, lines: list[str], rows: int, columns: int) -> None:
        top = next(number for number, line in enumerate(lines) if line.split()[:1] == ["a"])
        self.left = len(str(rows)) + 1
        width = self.left + 4 * columns + 1
        self.header = lines[top].split()
        body = lines[top + 1 : top + 2 + 2 * rows]
        self.lines = [line.ljust(width) for line in body]
        self.labels = [line[: self.left].strip() for line in self.lines[1::2]]

    def cell(self, cell: Cell) -> str:
        """The three characters of a cell."""
        start = self.left + 1 + 4 * cell.column
        return self.lines[1 + 2 * cell.row][start : start + 3]

    def wall_right_of(self, cell: Cell) -> bool:
        return self.lines[1 + 2 * cell.row][self.left + 4 + 4 * cell.column] == "│"

    def wall_below(self, cell: Cell) -> bool:
        start = self.left + 1 + 4 * cell.column
        return self.lines[2 + 2 * cell.row][start : start + 3] == "───"


def some_games() -> list[Game]:
    games = []
    for name, supply in product(OUTLINES, ("full", "plenty")):
        chance = random.Random(name + supply)
        start = Position.empty(random_symbols(OUTLINES[name], chance), SUPPLIES[supply])
        positions = list(random_play(start, chance))
        for at in (positions[0], positions[len(positions) // 2], positions[-1]):
            games.append(Game(at.pattern, at.supply, moves=at.pieces, ordered=True))
    return games


@pytest.mark.parametrize("game", some_games(), ids=write_line)
def test_every_cell_is_drawn_as_what_it_is(game: Game) -> None:
    position = game.position()
    outline = position.outline
    board = Board(drawn(game), outline.rows, outline.columns)
    assert board.header == [chr(ord("a") + column) for column in range(outline.columns)]
    assert board.labels == [str(row + 1) for row in range(outline.rows)]
    owner = position.cell_of_piece()
    safe = set() if position.is_finished else drawing.locked_cells(position)
    for row, column in product(range(outline.rows), range(outline.columns)):
        cell = Cell(row, column)
        shown = board.cell(cell)
        if cell not in outline:
            assert shown == "░░░"
        elif cell in owner:
            assert shown == f" {owner[cell].shape} "
        else:
            symbol = position.pattern.symbol(cell)
            assert shown[1] == (symbol if symbol in "XO" else " " if cell in safe else "·")
            assert (shown[0], shown[2]) == (("[", "]") if cell in safe else (" ", " "))


@pytest.mark.parametrize("game", some_games(), ids=write_line)
def test_walls_run_round_each_piece_and_nowhere_else(game: Game) -> None:
    outline = game.pattern.outline
    board = Board(drawn(game), outline.rows, outline.columns)
    owner = game.position().cell_of_piece()

    def area(cell: Cell) -> object:
        return owner.get(cell, "open") if cell in outline else "outside"

    for row, column in product(range(outline.rows), range(outline.columns)):
        cell, right, below = Cell(row, column), Cell(row, column + 1), Cell(row + 1, column)
        assert board.wall_right_of(cell) is (area(cell) != area(right))
        assert board.wall_below(cell) is (area(cell) != area(below))


def test_corners_join_the_walls_that_meet_there() -> None:
    arms = {
        **{" ": 0, "╶": 1, "╴": 2, "─": 3, "╷": 4, "┌": 5, "┐": 6, "┬": 7},
        **{"╵": 8, "└": 9, "┘": 10, "┴": 11, "│": 12, "├": 13, "┤": 14, "┼": 15},
    }
    for game in some_games():
        outline = game.pattern.outline
        board = Board(drawn(game), outline.rows, outline.columns)
        for row, column in product(range(outline.rows + 1), range(outline.columns + 1)):
            up = row > 0 and board.wall_right_of(Cell(row - 1, column - 1))
            down = row < outline.rows and board.wall_right_of(Cell(row, column - 1))
            left = column > 0 and board.wall_below(Cell(row - 1, column - 1))
            right = column < outline.columns and board.wall_below(Cell(row - 1, column))
            corner = board.lines[2 * row][board.left + 4 * column]
            assert arms[corner] == 8 * up + 4 * down + 2 * left + right


@pytest.mark.parametrize("name", [*STANDARD_BOARDS, "/".join(["16"] * 16), "4/4/4/4"])
def test_the_board_fits_80_columns(run: Run, name: str) -> None:
    out = run("show", name).out
    assert max(map(len, out.splitlines())) <= 80
    assert not any(line != line.rstrip() for line in out.splitlines())


@pytest.mark.parametrize(
    "path", [*EXAMPLES.glob("*.yaml"), *EXAMPLES.glob("*.txt")], ids=lambda path: path.name
)
def test_the_examples_fit_80_columns(run: Run, path) -> None:
    if "extremes" in path.name:
        pytest.skip("several positions in one file")
    assert max(map(len, run("show", path).out.splitlines())) <= 80


# Colours


@pytest.mark.parametrize("colors", terminal.STYLES)
def test_colour_adds_nothing_but_colour(colors: str) -> None:
    for game in some_games():
        plain, colored = drawn(game), drawn(game, colors=colors)
        assert [COLOR_CODE.sub("", line).rstrip() for line in colored] == plain
        assert not any("\x1b" in line for line in plain)


def test_the_pieces_have_the_usual_colours() -> None:
    """L red, I yellow, T green, S blue: told by the strongest parts of the background colour."""
    game = litstool.load(str(EXAMPLES / "longest-18.txt"))
    text = "\n".join(drawn(game, colors="truecolor"))
    wanted = {"L": "r", "I": "rg", "T": "g", "S": "b"}
    for shape in SHAPES:
        found = set(re.findall(rf"48;2;(\d+);(\d+);(\d+)m {shape} ", text))
        assert len(found) == 1
        parts = dict(zip("rgb", map(int, found.pop()), strict=True))
        strong = {part for part in parts if parts[part] > 0.75 * max(parts.values())}
        if shape == "S":
            strong = {max(parts, key=parts.__getitem__)}
        assert strong == set(wanted[shape])


def test_a_piece_is_one_joined_area_of_its_colour() -> None:
    game = litstool.parse("IIII/..../..../.... O")
    _, _, row, *_ = drawn(game, colors="truecolor")
    colours = set(re.findall(r"48;2;(\d+;\d+;\d+)m", row))
    assert len(colours) == 1
    plain = COLOR_CODE.sub("", row)
    assert plain == "1 │ I   I   I   I │"
    assert row.count("\x1b[0m") <= 9


# The sixteen colours of usual terminals: the eight of SGR 30 to 37, then the bright ones.
PALETTES = {
    "VGA": "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa "
    "555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "xterm": "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 "
    "7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "Windows": "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc "
    "767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2",
    "GNOME": "171421 c01c28 26a269 a2734c 12488b a347ba 2aa1b3 d0cfcc "
    "5e5c64 f66151 33da7a e9ad0c 2a7bde c061cb 33c7de ffffff",
    "macOS": "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf "
    "666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
}


def colors_of(style: Style, palette: str | None) -> tuple[Any, Any]:
    """A style's colours of text and ground, None for the terminal's own."""
    found = []
    for color in (style.color, style.bgcolor):
        if color is None or color.is_default:
            found.append(None)
        elif palette is None:
            assert color.triplet is not None
            found.append(color.triplet)
        else:
            assert color.number is not None
            found.append(bytes.fromhex(PALETTES[palette].split()[color.number]))
    return found[0], found[1]


@pytest.mark.parametrize("palette", [None, *PALETTES])
def test_every_colour_is_legible_on_black_and_on_white(palette: str | None) -> None:
    """Three at least where the terminal has the last word, as for large letters; else 4.5."""
    least = 3 if palette else 4.5
    for fill, words in terminal.STYLES["standard" if palette else "truecolor"].items():
        text, ground = colors_of(Style.parse(words), palette)
        if text is None:
            assert ground is None
            continue
        # The darkest and the lightest ground that text of no ground of its own may stand on.
        for other in (ground,) if ground is not None else ((0, 0, 0), (255, 255, 255)):
            assert contrast(text, other) >= least, fill


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(), encoding)

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm"}, "standard"),
        ({"TERM": "linux"}, "standard"),
        ({"TERM": "xterm-256color"}, "standard"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "truecolor"),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, "truecolor"),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, None),
        ({"TERM": "xterm", "NO_COLOR": "1"}, None),
        ({"TERM": "xterm", "FORCE_COLOR": "1", "NO_COLOR": "1"}, None),
        ({"TERM": "xterm", "FORCE_COLOR": "0"}, None),
    ],
)
def test_a_terminal_gets_the_colours_it_has(
    environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert screen.screen_of(Terminal()).colors == expected
    monkeypatch.setenv("FORCE_COLOR", environment.get("FORCE_COLOR", ""))
    assert screen.screen_of(io.StringIO()).colors is None


def test_colour_can_be_forced_where_there_is_no_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLORTERM", raising=False)
    assert "\x1b" not in run("show", "boxes").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    codes = set(COLOR_CODE.findall(run("show", "boxes").out))
    assert codes and not any("38;" in code or "48;" in code for code in codes)
    assert "\x1b" not in run("show", "boxes", "--no-color").out


# What the terminal can show


ASCII_WALLS = str.maketrans("─│·░" + "┌┐┬└┘┴├┤┼", "-|.#" + "+" * 9)


def test_ascii_has_the_same_columns() -> None:
    for game in some_games():
        plain = drawn(game, ascii_only=True)
        assert "\n".join(plain).isascii()
        assert plain == [line.translate(ASCII_WALLS) for line in drawn(game)]


@pytest.mark.parametrize(
    ("encoding", "ascii_only"),
    [("utf-8", False), ("cp437", False), ("cp1252", True), ("latin-1", True), ("ascii", True)],
)
def test_a_terminal_without_lines_gets_ascii(encoding: str, ascii_only: bool) -> None:
    assert screen.screen_of(Terminal(encoding)).ascii_only is ascii_only


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", EXAMPLES / "holes.txt"],
        ["show", "mijnlieff S3/4/4/4 Dark last=straight@a1"],
        ["pattern", "show", "boxes"],
        ["reach", "4/4/4/4", "--pieces", "1"],
        ["puzzle", "show", EXAMPLES / "puzzles" / "puzzle-01.yaml"],
    ],
    ids=lambda arguments: " ".join(map(str, arguments[:2])),
)
def test_every_drawing_can_be_ascii(run: Run, arguments: list[object]) -> None:
    done = run(*arguments, "--ascii")
    assert done.status == 0, done.err
    assert done.out.isascii() and "+---" in done.out
    assert not run(*arguments).out.isascii()


def test_other_texts_are_written_as_near_as_the_encoding_allows() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii", screen.PLAIN_ERRORS)
    print("… 25–30 % ±1 é ─", file=stream, flush=True)
    assert stream.buffer.getvalue() == b"... 25-30 % +-1 ? -\n"
    assert screen.showable("██│··", Terminal("cp1252")) == "##|.."
    assert screen.showable("██│··", Terminal()) == "██│··"


@pytest.mark.parametrize("width", [36, 50, 60, 67])
def test_a_board_wider_than_the_terminal_has_narrow_cells(width: int) -> None:
    chance = random.Random(16)
    start = Position.empty(random_symbols(["." * 16] * 16, chance))
    position = list(random_play(start, chance, 14))[-1]
    game = Game(position.pattern, pieces=position.pieces, name="A long name " * 12)
    lines = drawn(game, width=width)
    assert max(map(len, lines)) <= width
    body = [line for line in lines if re.match(r" *\d+ ", line)]
    owner, safe = position.cell_of_piece(), drawing.locked_cells(position)
    for row, column in product(range(16), range(16)):
        cell = Cell(row, column)
        mark = body[row][4 + 2 * column]
        symbol = position.pattern.symbol(cell)
        expected = symbol if symbol in "XO" else " " if cell in safe else "·"
        if cell in owner:
            expected = owner[cell].shape
        assert mark == (expected.lower() if cell in safe else expected)
    assert safe and not position.is_finished
    assert any(line.startswith("x o ") for line in lines)
    roomy = drawn(game, width=68)
    assert max(map(len, roomy)) == 68 and any("[" in line for line in roomy)


# Cells that no piece can ever cover


def reachable_cells(position: Position, most: int) -> int | None:
    """Every cell that some play from here covers, by trying them all; None beyond ``most`` sets."""
    covered, seen, waiting = 0, {0}, [(0, position)]
    while waiting:
        added, at = waiting.pop()
        covered |= at.covered
        for number in bits(at.legal):
            key = added | 1 << number
            if key not in seen:
                seen.add(key)
                waiting.append((key, at.placed(at.placements.all[number])))
        if len(seen) > most:
            return None
    return covered & ~position.covered


@pytest.mark.parametrize("supply", SUPPLIES)
@pytest.mark.parametrize("name", OUTLINES)
def test_a_cell_marked_safe_is_never_covered_by_any_play(name: str, supply: str) -> None:
    chance = random.Random(name + supply)
    tried = 0
    for _ in range(2):
        start = Position.empty(Pattern.from_rows(OUTLINES[name]), SUPPLIES[supply])
        for position in reversed(list(random_play(start, chance))):
            reachable = reachable_cells(position, 1500)
            if reachable is None:
                break
            safe = position.outline.mask(drawing.locked_cells(position))
            assert not safe & reachable
            tried += 1
    assert tried >= 2


def test_nearly_every_cell_out_of_reach_is_marked() -> None:
    out_of_reach = marked = 0
    for seed in range(12):
        start = litstool.load(STANDARD_BOARDS[seed % 4]).position()
        *_, position, _last = random_play(start, random.Random(seed))
        reachable = reachable_cells(position, 1500)
        assert reachable is not None
        free = position.outline.mask(position.outline.cells) & ~position.covered
        out_of_reach += (free & ~reachable).bit_count()
        marked += len(drawing.locked_cells(position))
    assert out_of_reach > 100 and marked >= 0.98 * out_of_reach


def test_a_part_of_the_board_without_a_piece_is_safe_once_the_game_is_elsewhere() -> None:
    position = litstool.parse("board: '4#4/4#4/4#4/4#4'\nmoves: ['I:a1,b1,c1,d1']").position()
    assert {cell.name for cell in drawing.locked_cells(position)} >= {
        f"{column}{row}" for column in "fghi" for row in (1, 2, 3, 4)
    }
    assert not drawing.locked_cells(litstool.parse("4#4/4#4/4#4/4#4").position())


def test_a_finished_position_has_no_marks_but_the_document_names_every_cell(run: Run) -> None:
    path = EXAMPLES / "shortest-9.txt"
    assert "[" not in run("show", path).out
    document = run("show", path, "--json").json
    assert len(document["safe"]) == 100 - 36


# Positions that break rules are drawn too


@pytest.mark.parametrize(
    "path", sorted((EXAMPLES / "illegal").iterdir()), ids=lambda path: path.stem
)
def test_illegal_positions_are_drawn_and_said_to_be(run: Run, path) -> None:
    outcome = run("show", path)
    assert outcome.status == 1
    assert "Not legal:" in outcome.out and f"  {path.stem}: " in outcome.out
    game = litstool.load(str(path))
    board = Board(outcome.out.splitlines(), game.pattern.outline.rows, game.pattern.outline.columns)
    for piece in game.all_pieces:
        for cell in piece.cells:
            if cell in game.pattern.outline:
                assert board.cell(cell)[1] in (piece.shape, "!")


def test_an_overlap_is_marked(run: Run) -> None:
    out = run("show", EXAMPLES / "illegal" / "overlap.yaml").out
    assert Board(out.splitlines(), 6, 6).cell(Cell(1, 3)) == " ! "
    assert "overlap here" in out


def test_a_full_block_is_marked(run: Run) -> None:
    for options, marks in (((), ["I!", "S!"] * 2), (("--ascii", "--numbers"), ["I!", "S!"] * 2)):
        out = run("show", EXAMPLES / "illegal" / "2x2.txt", *options).out
        board = Board(out.splitlines(), 6, 6)
        block = [board.cell(Cell(row, column)).strip() for row in (2, 3) for column in (1, 2)]
        assert block == marks and "wholly covered" in out
        assert board.cell(Cell(1, 1)).strip() == "I"


def test_a_piece_off_the_board_is_down_all_the_same(run: Run) -> None:
    """It is drawn, so it is out of the supply, and what it covers is no point."""
    path = EXAMPLES / "illegal" / "off-board.yaml"
    document = run("show", path, "--json").json
    assert document["supply_left"] == {"L": 5, "I": 4, "T": 4, "S": 5}
    # Of the ten symbols that the file has, the O on e3 is under the piece.
    assert document["scores"] == {"X": 5, "O": 6} and document["margin"] == -1
    assert "I 4, T 4, S 5 (2 pieces down)" in run("show", path).out


def test_a_board_of_holes_alone(run: Run) -> None:
    outcome = run("show", "####/####/####/####")
    assert outcome.status == 0
    assert outcome.out.count("░░░") == 16 + 1  # and the legend
    assert "no piece can be placed" in outcome.out


# What stands below the board


def facts(out: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Z][a-z]+(?: [a-z]+)?)  +(.*)$", out, re.MULTILINE))


def test_scores_supply_turn_and_last_move(run: Run) -> None:
    path = EXAMPLES / "game-with-swap.yaml"
    game = litstool.load(str(path))
    for ply in range(len(game.moves) + 1):
        position = game.at(ply).position()
        told = facts(run("show", path, "--ply", ply).out)
        score = re.match(r"X (\d+), O (\d+): (.*)", told["Score"])
        assert score
        assert (int(score[1]), int(score[2])) == (position.score("X"), position.score("O"))
        lead = position.margin
        assert score[3] == (f"{'X' if lead > 0 else 'O'} ahead by {abs(lead)}" if lead else "level")
        left = dict(re.findall(r"([LITS]) (\d+)", told["Supply"].split("(")[0]))
        assert tuple(int(left[shape]) for shape in SHAPES) == position.supply_left
        assert f"({len(position.pieces)} piece" in told["Supply"]
        if position.is_finished:
            assert "To move" not in told and told["Finished"].startswith(str(position.winner))
        else:
            assert told["To move"].startswith(position.to_move)
            assert ("swap" in told["To move"]) is position.can_swap
        assert ("Last move" in told) is (ply > 0)


def test_a_tie_is_said_to_go_to_the_last_piece(run: Run) -> None:
    for seed in range(6):
        *_, last = random_play(
            Position.empty(Pattern.from_rows(["....."] * 5)), random.Random(seed)
        )
        line = write_line(Game(last.pattern, pieces=last.pieces))
        told = facts(run("show", line).out)["Finished"]
        assert told == f"{last.last_mover} wins on equal scores, with the last piece"
