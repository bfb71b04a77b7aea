"""SVG, PNG, PDF and HTML show the position, are well formed, and are the same each time."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import math
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from conftest import EXAMPLES, STANDARD_BOARDS, Run, contrast
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import litstool
from litstool.draw import geometry, letters, page, pdf, png, svg, terminal
from litstool.draw.chart import chart
from litstool.draw.picture import Picture, spoken
from litstool.draw.reviewed import Alternative, ReviewedGame, Value, record
from litstool.errors import UsageError
from litstool.grid import Cell, Outline
from litstool.lits import drawing as lits
from litstool.lits.game import SWAP, Game
from litstool.say.position import snapshot_of
from litstool.snapshot import Square

SVG = "{http://www.w3.org/2000/svg}"
# extremes.yaml is a list of records, not a position.
POSITION_FILES = [
    path
    for path in sorted([*EXAMPLES.iterdir(), *(EXAMPLES / "illegal").iterdir()])
    if path.suffix in (".txt", ".yaml", ".json") and path.stem != "extremes"
]
BAD_NAME = "<script>alert('1')</script> & \"quoted\" ]]>"


def game_of(name: str, ply: int | None = None) -> Game:
    return litstool.load(str(EXAMPLES / name)).at(ply)


def picture_of(game: Game, **style: Any) -> Picture:
    return Picture.of(snapshot_of(game, **style))


def tree(picture: Picture, texts: bool = True) -> Element:
    return ElementTree.fromstring(svg.drawing(picture, texts))


def of_class(root: Element, kind: str) -> list[Element]:
    return [each for each in root.iter() if kind in (each.get("class") or "").split()]


# Geometry

cell_sets = st.sets(st.builds(Cell, st.integers(0, 5), st.integers(0, 5)), min_size=1)


def area(loop: list[tuple[float, float]]) -> float:
    """Twice the area, positive where the loop runs clockwise as it is seen."""
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*loop, loop[0]]))


@given(cell_sets)
def test_boundary_loops_enclose_just_the_cells(cells: set[Cell]) -> None:
    loops = geometry.loops(cells)
    assert sum(area(loop) for loop in loops) == 2 * len(cells)
    for loop in loops:
        # Every corner is a turn, and sides are across and upright by turns.
        for before, corner, after in zip(
            [loop[-1], *loop], loop, [*loop[1:], loop[0]], strict=False
        ):
            assert (before[0] == corner[0]) != (corner[0] == after[0])


@given(cell_sets)
def test_a_boundary_has_as_long_sides_as_cells_without_a_neighbour(cells: set[Cell]) -> None:
    length = sum(
        abs(ax - bx) + abs(ay - by)
        for loop in geometry.loops(cells)
        for (ax, ay), (bx, by) in pairwise([*loop, loop[0]])
    )
    assert length == sum(near not in cells for cell in cells for near in cell.edge_neighbours())


@given(cell_sets)
def test_inner_lines_are_the_edges_that_two_cells_share(cells: set[Cell]) -> None:
    drawn = re.findall(r"[hv]([\d.]+)", geometry.inner_lines(cells, 0, 0))
    shared = sum(near in cells for cell in cells for near in cell.edge_neighbours()) // 2
    assert sum(map(float, drawn)) == shared * geometry.CELL


@given(cell_sets, st.sampled_from(["/", "\\", "dots"]))
def test_hatching_stays_inside_the_cells_and_reaches_each(cells: set[Cell], style: str) -> None:
    path = geometry.hatch(style, cells, 100, 200, 7, 3)
    touched = set()
    for command in path.split("M")[1:]:
        points = [float(each) for each in re.findall(r"-?[\d.]+", command.split("h")[0])]
        for x, y in zip(points[::2], points[1::2], strict=True):
            near = {
                Cell(math.floor((y + down - 200) / 40), math.floor((x + right - 100) / 40))
                for down in (-0.02, 0.02)
                for right in (-0.02, 0.02)
            }
            assert near & cells
            touched |= near
    assert cells <= touched


# Letters


def test_letters_are_as_wide_as_drawn() -> None:
    assert letters.width("", 20) == 0
    assert letters.width("LL", 20) == pytest.approx(2 * letters.width("L", 20))
    assert letters.width("L", 40) == pytest.approx(2 * letters.width("L", 20))
    assert letters.width("W", 20, letters.BOLD) > letters.width("W", 20) > letters.width("i", 20)


def test_the_font_has_the_alphabets_of_names() -> None:
    assert letters.known("Żółć, Ærø, Ёлка, Ωμέγα: “10 %” – 3½…")
    assert not letters.known("東京")


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=80))
def test_wrapped_text_loses_nothing_and_fits(text: str) -> None:
    lines = letters.wrapped(text, 14, 90)
    assert "".join("".join(lines).split(" ")) == "".join(text.split(" "))
    for line in lines:
        assert letters.width(line, 14) <= 90 or len(line) == 1


# SVG


@pytest.mark.parametrize("path", POSITION_FILES, ids=lambda path: path.stem)
def test_every_example_becomes_well_formed_svg(path: Path) -> None:
    game = litstool.load(str(path))
    root = tree(picture_of(game))
    assert root.tag == f"{SVG}svg"
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert (wide, high) == (float(root.attrib["width"]), float(root.attrib["height"]))
    assert wide >= game.pattern.outline.columns * geometry.CELL
    assert high >= game.pattern.outline.rows * geometry.CELL
    assert root.attrib["role"] == "img" and root.attrib["aria-label"]


@pytest.mark.parametrize("name", ["holes.txt", "boxes.yaml", "game-with-swap.yaml"])
def test_every_cell_symbol_and_piece_is_there(name: str) -> None:
    game = game_of(name)
    root = tree(picture_of(game))
    position = game.position()
    for side, kind in (("X", "X"), ("O", "O")):
        symbols = {each.get("data-cell") for each in of_class(root, kind)}
        expected = {
            cell.name
            for cell in game.pattern.outline.cells
            if game.pattern.symbol(cell) == side and cell not in position.cell_of_piece()
        }
        assert symbols == expected and len(symbols) == position.score(side)
    pieces = {each.get("data-cells"): each.get("class") for each in of_class(root, "piece")}
    assert pieces == {
        " ".join(cell.name for cell in piece.cells): f"piece {piece.shape}"
        for piece in game.all_pieces
    }
    (board,) = of_class(root, "cells")
    corners = [
        tuple(map(float, each.split())) for each in re.findall(r"[\d.]+ [\d.]+", board.attrib["d"])
    ]
    assert len(of_class(root, "hole")) == 2 * bool(game.pattern.outline.holes)
    # The board is all its cells: no corner is off the grid.
    x, y = min(x for x, _ in corners), min(y for _, y in corners)
    assert all((a - x) % geometry.CELL == (b - y) % geometry.CELL == 0 for a, b in corners)
    labels = game.pattern.outline.rows + game.pattern.outline.columns
    assert len(of_class(root, "label")) == labels


def test_shapes_differ_without_their_colours() -> None:
    game = game_of("game-with-swap.yaml")
    looks: dict[str, set[tuple[str, ...]]] = {}
    for group in of_class(tree(picture_of(game)), "piece"):
        shape = group.attrib["class"].split()[1]
        hatching = [each for each in group if each.get("class") == "hatch"]
        path = hatching[0].attrib["d"] if hatching else ""
        # The slant of the first line tells / from \, dots have no length.
        first = re.match(r"M([\d.]+) ([\d.]+)(?:L([\d.]+) ([\d.]+)|h)", path)
        slant = "none"
        if first and first[3]:
            rise = (float(first[4]) - float(first[2])) / (float(first[3]) - float(first[1]))
            slant = "down" if rise > 0 else "up"
        elif first:
            slant = "dots"
        looks.setdefault(shape, set()).add((slant,))
        assert any(each.get("class") == "letter" for each in group)
    assert looks == {"L": {("up",)}, "I": {("none",)}, "T": {("dots",)}, "S": {("down",)}}


def test_last_move_is_marked_and_a_swap_marks_none() -> None:
    game = game_of("game-with-swap.yaml")
    for ply in range(len(game.moves) + 1):
        root = tree(picture_of(game.at(ply)), texts=False)
        marked = [each.get("data-cells") for each in root.iter() if each.get("data-last")]
        move = game.moves[ply - 1] if ply else SWAP
        expected = [] if isinstance(move, str) else [" ".join(each.name for each in move.cells)]
        assert marked == expected
        assert len(of_class(root, "last")) == len(expected)


def test_pieces_are_numbered_by_the_move_that_placed_them() -> None:
    game = game_of("game-with-swap.yaml")
    picture = picture_of(game, numbers=True)
    numbers = picture.numbered()
    assert sorted(numbers.values()) == [
        number for number, move in enumerate(game.moves, 1) if move != SWAP
    ]
    for cell, number in numbers.items():
        assert cell in game.moves[number - 1].cells
    assert len(of_class(tree(picture), "disc")) == len(game.all_pieces)
    assert not picture_of(game_of("longest-18.txt"), numbers=True).numbered()


def test_safe_cells_are_bracketed() -> None:
    game = game_of("game-with-swap.yaml", 9)
    safe = lits.locked_cells(game.position())
    assert safe and len(of_class(tree(picture_of(game)), "safe")) == len(safe)


def test_overlapping_pieces_carry_a_warning() -> None:
    game = game_of("illegal/overlap.yaml")
    root = tree(picture_of(game))
    assert [each.get("data-cell") for each in of_class(root, "warning")] == ["d2"]


def test_a_full_block_is_framed() -> None:
    picture = picture_of(game_of("illegal/2x2.txt"))
    (frame,) = of_class(tree(picture), "faulty")
    assert frame.get("data-cells") == "b3 c3 b4 c4"
    # In the words for who cannot see it, too; on the page the legend has the frame.
    assert "I against the rules, S against the rules" in spoken(picture)
    assert '<i class="fault">' in page.picture_page(picture)
    assert not of_class(tree(picture_of(game_of("illegal/overlap.yaml"))), "faulty")


@pytest.mark.parametrize("ply", [0, 1, 4, 15])
def test_heat_maps_say_what_the_legal_moves_say(ply: int) -> None:
    game = game_of("game-with-swap.yaml", ply)
    position = game.position()
    moves = list(position.moves())
    covered = Counter(cell for move in moves for cell in move.cells)
    for heat, number in (
        ("moves", lambda cell: covered[cell]),
        ("gain", lambda cell: max(position.gain(move) for move in moves if cell in move.cells)),
    ):
        picture = picture_of(game, heat=heat)
        shown = {cell: each.heat for cell, each in picture.squares.items() if each.heat is not None}
        assert shown == {cell: number(cell) for cell in covered}
        root = tree(picture)
        assert len(of_class(root, "heat-number")) == len(shown)
        assert len(of_class(root, "heat")) == sum(bool(value) for value in shown.values())


def test_heat_has_the_deepest_colour_where_the_number_is_largest() -> None:
    values = {Cell(0, 0): 1.0, Cell(0, 1): 4.0, Cell(0, 2): -2.0, Cell(0, 3): 0.0}
    squares = {cell: Square("·", heat=heat) for cell, heat in values.items()}
    heats = of_class(tree(Picture(Outline(1, 4), squares)), "heat")
    covers = [float(each.attrib["fill-opacity"]) for each in heats]
    assert covers[0] < covers[2] < covers[1]
    assert heats[0].get("fill") == heats[1].get("fill") != heats[2].get("fill")


def test_symbols_and_numbers_can_be_read_on_the_deepest_heat() -> None:
    values = {Cell(0, 0): 4.0, Cell(0, 1): -4.0}
    squares = {cell: Square("X", fill="X", heat=heat) for cell, heat in values.items()}
    for cell in of_class(tree(Picture(Outline(1, 2), squares)), "heat"):
        cover = float(cell.attrib["fill-opacity"])
        tone = bytes.fromhex(cell.attrib["fill"][1:])
        ground = [255 - cover * (255 - part) for part in tone]
        for mark in (*svg.SYMBOLS.values(), "#1f2430"):
            assert contrast(bytes.fromhex(mark[1:]), ground) >= 3


def test_same_position_makes_the_same_files() -> None:
    picture = picture_of(game_of("holes.txt"))
    drawing = svg.drawing(picture)
    assert drawing == svg.drawing(picture_of(game_of("holes.txt")))
    assert png.render(drawing) == png.render(drawing)
    boards = [page.SheetBoard(picture, "One", "X to move")]
    assert pdf.sheet("Sheet", boards, 2) == pdf.sheet("Sheet", boards, 2)
    assert page.picture_page(picture) == page.picture_page(picture)


@pytest.mark.parametrize(
    "name",
    [
        BAD_NAME,
        "\x00\x07\x1b[31mred\ufffe",
        "\u202edesrever\u2066",
        "東京 <b>",
        "x" * 3000,
        "word " * 400,
        " ",
        "]]>-->",
    ],
    ids=["markup", "controls", "turned", "script", "long", "words", "blank", "ends"],
)
def test_names_of_any_kind_are_text_and_nothing_more(name: str) -> None:
    players = {"first": name, "second": "B"}
    game = dataclasses.replace(game_of("boxes.yaml"), name=name, players=players)
    root = tree(picture_of(game))
    told = svg.drawing(picture_of(game)) + page.picture_page(picture_of(game))
    told += "\n".join(terminal.picture_lines(picture_of(game)))
    assert not set(told) & set("\x00\x07\x1b\ufffe\u202e\u2066")
    assert Counter(each.tag for each in root.iter())[f"{SVG}script"] == 0
    assert root.find(f"{SVG}title").text == svg.clean(name)  # type: ignore[union-attr]
    assert len(png.render(svg.drawing(picture_of(game)), 0.25)) > 500
    assert PageParts(page.picture_page(picture_of(game))).tags["script"] == 0


def test_pictures_name_who_plays_which_side_and_who_won() -> None:
    """In the terminal, in the drawing's description and on pages; the swap counts."""
    game = game_of("game-with-swap.yaml")
    assert dict(game.players) == {"first": "Ada", "second": "Bela"}
    won = litstool.load(str(EXAMPLES / "mijnlieff" / "last-turn-taken.yaml"))
    won = dataclasses.replace(won, players={"first": "Ada", "second": "Bela"})
    for record_, told in (
        (game.at(1), ("X: Ada, O: Bela",)),
        (game.at(2), ("X: Bela (second player, after the swap), O: Ada",)),
        (game, ("X: Bela (second player", "O (Ada) wins by 5")),
        (dataclasses.replace(game.at(2), players={}), ("X: the second player", "after the")),
        (won, ("Light: Ada, Dark: Bela", "Light (Ada) wins by 1")),
    ):
        picture = Picture.of(snapshot_of(record_, []))
        text = "\n".join(terminal.picture_lines(picture))
        assert re.search("^Players +" + re.escape(told[0]), text, re.MULTILINE)
        description = tree(picture).find(f"{SVG}desc").text  # type: ignore[union-attr]
        shown = PageParts(page.picture_page(picture)).text
        assert all(words in each for words in told for each in (text, description, shown))
    nameless = dataclasses.replace(game.at(1), players={})
    assert "Players" not in [fact.label for fact in picture_of(nameless).facts]
    # The report's head names them already.
    report = page.report(record(game))
    assert "O (Ada) wins by 5" in report and "<dt>Players" not in report


def test_long_texts_stay_within_the_picture() -> None:
    game = dataclasses.replace(game_of("illegal/overlap.yaml"), name="Wide words " * 30 + "x" * 90)
    root = tree(picture_of(game))
    wide = float(root.attrib["width"])
    pattern = re.compile(r"translate\(([\d.]+) ([\d.]+)\)scale\(.1\)")
    texts = [each for each in root.iter() if pattern.match(each.get("transform", ""))]
    assert len(texts) > 10
    for each in texts:
        across, down = map(float, pattern.match(each.attrib["transform"]).groups())  # type: ignore[union-attr]
        x = start = right = 0.0
        for command, numbers in re.findall(r"([mlqz])([^mlqz]*)", each.attrib["d"]):
            values = [int(value) for value in re.findall(r"-?\d+", numbers)]
            if command == "z":
                x = start
                continue
            x += values[-2]
            start = x if command == "m" else start
            right = max(right, x)
        assert across >= 0
        assert across + right / 10 <= wide
        assert 0 < down < float(root.attrib["height"])


# PNG


@pytest.mark.parametrize("scale", [0.5, 1, 2, 2.5])
def test_png_has_the_size_of_the_svg(scale: float) -> None:
    drawing = svg.drawing(picture_of(game_of("holes.txt")))
    root = ElementTree.fromstring(drawing)
    image = Image.open(io.BytesIO(png.render(drawing, scale)))
    image.load()
    size = [float(root.attrib[side]) * scale for side in ("width", "height")]
    assert image.format == "PNG" and image.size == pytest.approx(size, abs=0.5)


def test_png_has_the_colours_of_the_pieces_and_blank_cells() -> None:
    game = game_of("game-with-swap.yaml")
    picture = picture_of(game)
    drawing = svg.drawing(picture, texts=False)
    image = Image.open(io.BytesIO(png.render(drawing, 1))).convert("RGB")
    for cell, square in picture.squares.items():
        # Near a corner, beside letter, hatching and symbol; the board alone starts at 28, 28.
        near = [
            image.getpixel((28 + cell.column * 40 + right, 28 + cell.row * 40 + down))
            for right in range(6, 11)
            for down in range(6, 11)
        ]
        colors = Counter("#{:02x}{:02x}{:02x}".format(*color) for color in near)  # type: ignore[misc]
        # Hatching may cross the sample, but not fill it.
        assert colors[svg.PIECES.get(square.fill or "", "#ffffff")] >= 6, cell.name


@pytest.mark.parametrize("scale", [1e-6, 1000])
def test_png_of_no_or_too_many_pixels_is_refused(scale: float) -> None:
    with pytest.raises(UsageError, match="scale"):
        png.render(svg.drawing(picture_of(game_of("boxes.yaml"))), scale)


# Pages


class PageParts(HTMLParser):
    """What a page is made of: its elements counted, its links, and its inline code."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []
        self.inline: dict[str, str] = {}
        self.handlers: list[str] = []
        self.policy = ""
        self.text = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self._inside = tag
        values = dict(attributes)
        self.links += [
            values[name] or "" for name in ("href", "src", "xlink:href") if name in values
        ]
        self.handlers += [name for name in values if name.startswith("on") or name == "style"]
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("style", "script"):
            self.inline[self._inside] = self.inline.get(self._inside, "") + data
        else:
            self.text += data


def analysed(game: Game) -> ReviewedGame:
    """A report with everything an analysis may fill in."""
    review = record(game)
    moves = []
    for number, move in enumerate(review.moves, 1):
        exact = number > 8
        value = Value(-5 if exact else 1.4, None if exact else 0.62, exact, "O" if exact else None)
        other = Alternative("S:a1,b1,b2,c2", value)
        filled: dict[str, Any] = {"value": value, "lost": number % 3, "turned": number == 9}
        if number % 3:
            filled |= {"best": (other, Alternative(move.move, value)), "was_best": False}
        moves.append(dataclasses.replace(move, **filled, remark=BAD_NAME))
    return dataclasses.replace(
        review, moves=tuple(moves), value=Value(0.0, 0.5), facts=(BAD_NAME,), analysis=BAD_NAME
    )


def pages() -> dict[str, str]:
    game = dataclasses.replace(
        game_of("game-with-swap.yaml"), name=BAD_NAME, players={"first": BAD_NAME, "second": "B"}
    )
    boards = [page.SheetBoard(picture_of(game), BAD_NAME, BAD_NAME)] * 3
    return {
        "board": page.picture_page(picture_of(game, heat="gain", numbers=True)),
        "report": page.report(record(game)),
        "analysed": page.report(analysed(game)),
        "sheet": page.sheet(BAD_NAME, boards, 2),
    }


@pytest.mark.parametrize("name", ["board", "report", "analysed", "sheet"])
def test_pages_stand_alone_and_run_no_foreign_code(name: str) -> None:
    text = pages()[name]
    parts = PageParts(text)
    assert all(link.startswith("#") for link in parts.links)
    assert not parts.handlers
    assert not {"link", "img", "iframe", "base", "object", "form"} & set(parts.tags)
    assert parts.tags["script"] == (name in ("report", "analysed"))
    assert "url(" not in text and "@import" not in text and "fetch(" not in text
    # The policy names just the style sheet and the script that are there.
    assert parts.policy.startswith("default-src 'none'; ")
    digests = {
        kind: base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        for kind, code in parts.inline.items()
    }
    for kind, digest in digests.items():
        assert f"{kind}-src 'sha256-{digest}'" in parts.policy
    assert parts.policy.count("sha256") == len(digests)
    assert BAD_NAME in parts.text


def test_a_report_has_every_position_and_says_every_move() -> None:
    game = game_of("game-with-swap.yaml")
    review = record(game)
    parts = PageParts(page.report(review))
    assert parts.tags["article"] == len(game.moves) + 1
    for move, position in zip(review.moves, game.replay()[1:], strict=True):
        assert move.move in parts.text
        assert move.scores == (position.score("X"), position.score("O"))
    assert [move.side for move in review.moves[:4]] == ["X", "O", "O", "X"]
    # The swap hands X to the second player.
    assert review.players == {"X": "Bela", "O": "Ada"}
    assert [move.player for move in review.moves[:4]] == ["Ada", "Bela", "Ada", "Bela"]


def test_a_report_of_a_broken_game_says_what_is_broken() -> None:
    game = game_of("illegal/after-end.yaml")
    review = record(game)
    assert len(review.problems) == len(game.violations()) > 0
    text = PageParts(page.report(review)).text
    assert all(problem in text for problem in review.problems)


def test_a_report_of_no_move_is_one_board() -> None:
    parts = PageParts(page.report(record(game_of("boxes.yaml"))))
    assert parts.tags["article"] == 1 and parts.tags["button"] == 0


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Value(3, None, True, "X"), "X wins by 3"),
        (Value(-1, None, True, "O"), "O wins by 1"),
        (Value(0, None, True, "O"), "O wins on equal scores, with the last piece"),
        (Value(None, None, True, "X"), "X wins"),
        (Value(0, None, True, "draw"), "a draw"),
        (Value(-2.04, 0.25), "O ahead by about 2, chance to win: O 75 %"),
        (Value(None, 0.5), "chance to win: even"),
        (Value(0.0), "level"),
        (Value(-0.04), "level"),
        (Value(), "not known"),
    ],
)
def test_values_in_words(value: Value, words: str) -> None:
    assert value.words(("X", "O")) == words


def test_the_chart_has_a_bar_for_every_lead_and_a_point_for_every_value() -> None:
    review = analysed(game_of("game-with-swap.yaml"))
    root = ElementTree.fromstring(
        chart(review).replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"')
    )
    leads = [one - other for one, other in (review.scores, *(move.scores for move in review.moves))]
    assert len(of_class(root, "hit")) == len(leads)
    bars = of_class(root, "bar")
    assert len(bars) == sum(lead != 0 for lead in leads)
    heights = [float(bar.attrib["height"]) for bar in bars]
    sizes = [abs(lead) for lead in leads if lead]
    unit = heights[0] / sizes[0]
    assert heights == pytest.approx([unit * size for size in sizes], abs=0.02)
    # The last seven margins are proven, and so is who wins; the nine before, with the start's,
    # are estimates.
    assert len(of_class(root, "exact")) == 7 + 7
    assert len(of_class(root, "point")) == 16 + 16
    proven = [float(dot.attrib["cy"]) for dot in of_class(root, "exact")[7:]]
    assert len(set(proven)) == 1 and proven[0] > float(of_class(root, "point")[16].attrib["cy"])
    assert len(of_class(root, "turned")) == 1


def test_words_for_who_cannot_see_the_board() -> None:
    words = spoken(picture_of(game_of("holes.txt")))
    assert "Row 1: hole, hole, blank, X, O, safe, T, safe O, hole, hole." in words


# Sheets


@pytest.mark.parametrize(("per_page", "expected"), [(1, 7), (2, 4), (6, 2)])
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_sheets_have_so_many_boards_to_a_page(per_page: int, expected: int, paper: str) -> None:
    picture = picture_of(game_of("illegal/overlap.yaml"))
    boards = [page.SheetBoard(picture, f"Puzzle {number}", "X to move") for number in range(7)]
    data = pdf.sheet("Puzzles", boards, per_page, paper)
    assert data.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", data)) == expected
    parts = PageParts(page.sheet("Puzzles", boards, per_page, paper))
    assert parts.tags["section"] == expected
    assert parts.tags["svg"] == 7


# The command


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html", "SVG"])
def test_show_writes_a_file_and_says_so(run: Run, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"board.{ending}"
    done = run("show", EXAMPLES / "game-with-swap.yaml", "-o", target)
    assert (done.status, done.out) == (0, "")
    assert done.err == f"wrote {target}\n"
    data = target.read_bytes()
    starts = {"svg": b"<svg ", "png": b"\x89PNG\r\n", "pdf": b"%PDF-", "html": b"<!DOCTYPE html>"}
    assert data.startswith(starts[ending.lower()])


SEVERAL = [
    "boxes",
    EXAMPLES / "game-with-swap.yaml",
    EXAMPLES / "mijnlieff" / "last-turn-taken.yaml",
]


def test_several_positions_stand_side_by_side_each_with_its_name(run: Run, tmp_path: Path) -> None:
    for ending in ("svg", "html"):
        target = tmp_path / f"boards.{ending}"
        done = run("show", *SEVERAL, "-o", target)
        assert (done.status, done.out, done.err) == (0, "", f"wrote {target}\n")
        text = target.read_text("utf-8")
        assert text.count('class="board"') == 3
    parts = PageParts(text)
    for words in ("Boxes", "Monogram, with the swap", "A last turn taken", "O (Ada) wins by 5"):
        assert words in parts.text
    # What the marks mean is said once, and a game among several is no report.
    assert parts.text.count("Straight") == 1 and not parts.tags["script"]
    root = ElementTree.parse(tmp_path / "boards.svg").getroot()
    boards = [picture_of(litstool.load(str(path))) for path in SEVERAL[:2]]
    assert float(root.attrib["width"]) == sum(svg.size(board)[0] for board in boards)
    (tmp_path / "two.txt").write_text("4/4/4/4\n5/5/5/5/5\n")
    assert run("show", tmp_path / "two.txt", "4/4/4/X3", "-o", tmp_path / "b.html").status == 0
    headings = re.findall(r"<h1>(.*)</h1>", (tmp_path / "b.html").read_text("utf-8"))
    assert headings == ["two.txt, 1", "two.txt, 2", "&#39;4/4/4/X3&#39;"]


def test_a_picture_that_cannot_be_read_leaves_the_others(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "two.svg"
    done = run("show", "boxes", "4/4/4/", "stripes", "-o", target)
    assert done.status == 2 and "4/4/4/" in done.err
    assert target.read_text("utf-8").count('class="board"') == 2
    (tmp_path / "again").mkdir()
    (tmp_path / "game.svg").write_text("4/4/4/4")
    for output in (tmp_path / "game.svg", tmp_path / "again" / ".." / "game.svg"):
        refused = run("show", tmp_path / "game.svg", "boxes", "-o", output)
        assert refused.status == 2 and "over the input" in refused.err
        assert (tmp_path / "game.svg").read_text() == "4/4/4/4"


def test_several_positions_are_drawn_one_after_the_other(run: Run) -> None:
    done = run("show", *SEVERAL)
    texts = [f"{each}:\n{run('show', each).out}" for each in SEVERAL]
    assert done.out == "\n".join(texts)
    entries = run("show", *SEVERAL, "--json").json["results"]
    assert [entry["source"] for entry in entries] == list(map(str, SEVERAL))
    assert [entry["finished"] for entry in entries] == [False, True, True]


def test_a_pdf_is_drawn_in_lines_and_has_four_boards_to_a_page(run: Run, tmp_path: Path) -> None:
    wide, high = svg.size_of(svg.drawing(picture_of(litstool.load("boxes"))))
    for count, pages in ((1, 1), (4, 1), (5, 2)):
        target = tmp_path / f"{count}.pdf"
        assert run("show", *["boxes"] * count, "-o", target).status == 0
        data = target.read_bytes()
        assert len(re.findall(rb"/Type /Page\b", data)) == pages
        assert b"/Subtype /Image" not in data
        (box,) = set(re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data))
        millimetres = [float(side) / 72 * 25.4 for side in box]
        expected = [wide / 4, high / 4] if count == 1 else [210, 297]
        assert millimetres == pytest.approx(expected, abs=0.1)


def test_letters_that_a_font_lacks_are_told_or_left_to_another_font(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "game.yaml"
    file.write_text("pattern: boxes\nname: Ada - 東京 京 (ok)\n", "utf-8")
    done = run("show", file, "-o", tmp_path / "x.pdf")
    assert done.status == 0 and "東京" in done.err
    assert run("show", file, "-o", tmp_path / "x.svg").err.count("\n") == 1
    root = ElementTree.parse(tmp_path / "x.svg").getroot()
    assert [each.text for each in root.iter(f"{SVG}text")] == ["東京 京"]
    assert letters.parts_by_font("a 東") == ["a ", "東"] and letters.parts_by_font("") == [""]
    assert letters.parts_by_font("שלום ab") == ["שלום ab"]


def test_show_draws_an_illegal_position_and_exits_1(run: Run, tmp_path: Path) -> None:
    done = run("show", EXAMPLES / "illegal" / "overlap.yaml", "-o", tmp_path / "a.svg", "--json")
    assert done.status == 1 and done.json["legal"] is False
    assert (tmp_path / "a.svg").is_file()


@pytest.mark.parametrize("name", ["board.gif", "board", "board.svg.txt", ".svg", ""])
def test_show_names_the_endings_it_knows(
    run: Run, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("show", "boxes", "-o", name)
    assert done.status == 2 and ".svg, .png, .pdf or .html" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["missing/board.svg", "file.txt/board.png", "folder.html"])
def test_show_says_why_a_file_cannot_be_written(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "folder.html").mkdir()
    done = run("show", "boxes", "-o", tmp_path / name)
    assert done.status == 2 and len(done.err.splitlines()) == 1
    assert f"{tmp_path / name}: cannot be written" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--heat", "gian"], "did you mean 'gain'?"),
        (["--scale", "3"], ".png"),
        (["-o", "x.svg", "--scale", "3"], ".png"),
        (["-o", "x.png", "--scale", "-1"], "above 0"),
        (["-o", "x.png", "--scale", "nan"], "above 0"),
    ],
)
def test_show_refuses_options_that_make_no_sense(
    run: Run,
    options: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("show", "boxes", *options)
    assert done.status == 2 and message in done.err
    assert list(tmp_path.iterdir()) == []


def test_show_numbers_pieces_and_heat_in_the_terminal(run: Run) -> None:
    drawn = run("show", EXAMPLES / "game-with-swap.yaml", "--numbers", "--ply", "3").out
    board = drawn.split("Last move")[0]
    # Move 2 was the swap.
    assert re.findall(r"│ *(\d+) │", board) == ["1", "3"]
    game = game_of("game-with-swap.yaml", 3)
    heat = run("show", EXAMPLES / "game-with-swap.yaml", "--heat", "moves", "--ply", "3").out
    squares = picture_of(game, heat="moves").squares.values()
    counts = [int(each.heat) for each in squares if each.heat is not None]
    body = "".join(line[4:] for line in heat.splitlines() if re.match(r" *\d+ │", line))
    assert [int(each) for each in re.findall(r"\d+", body)] == counts
    # The symbols stand beside the numbers.
    marks = [square.text for square in squares if square.heat is not None]
    assert re.findall(r"([XO·]) *\d", body) == marks


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_standard_boards_have_their_symbols(board: str) -> None:
    root = tree(picture_of(litstool.load(board)))
    each = 34 if board == "monogram" else 30
    assert [len(of_class(root, side)) for side in "XO"] == [each, each]
