"""The board in a real browser, as someone at it uses it: by mouse, touch and keys, wide and narrow.

Needs Chromium with its driver, selenium and the extra ``board``; without them these tests are
skipped, and say why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra board is not installed")
pytest.importorskip("uvicorn", reason="the extra board is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from board_page import Page, Server
from browser import (
    BROWSER,
    DESKTOP,
    DOWN,
    DRIVER,
    END,
    ENTER,
    HOME,
    LEFT,
    PHONE,
    RIGHT,
    TAB,
    UP,
    start_browser,
)
from conftest import EXAMPLES

from litstool import games
from litstool.board import desk, shelf
from litstool.board.fields import Fields

pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None,
    reason="no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)",
)
FIRST, SECOND = "S:h5,i5,i6,j6", "L:e5,f5,g5,e6"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.end()


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    browser = start_browser()
    yield browser
    browser.quit()


@pytest.fixture
def page(driver: Any, server: Server) -> Iterator[Page]:
    opened = Page(driver, server)
    opened.open()
    yield opened
    # Whatever was done: no errors on the console, and no request to any other host.
    assert opened.problems() == []


def move_made(page: Page, *moves: str) -> None:
    page.until(lambda: page.line == list(moves), f"not {moves}, but {page.line}")


# --- playing and exploring --------------------------------------------------------------------


def test_a_piece_is_laid_by_pressing_four_cells(page: Page) -> None:
    page.cells("h5", "i5", "i6")
    assert len(page.all("rect.mark.chosen")) == 3
    # What can still be covered together with these: the cells of pieces that have all three.
    can = page.run("return [...document.querySelectorAll('circle.can')].map((c) => c.dataset.cell)")
    assert {"j6", "i7", "g5"} <= set(can) and "a1" not in can
    page.cell("j6")
    move_made(page, FIRST)
    assert page.pieces == ["h5 i5 i6 j6"]
    page.says("O, who may swap instead")


def test_a_piece_is_laid_by_dragging_over_four_cells(page: Page) -> None:
    from selenium.webdriver import ActionChains

    cells = [page.find(f"[role=gridcell][data-cell={name}]") for name in ("h5", "i5", "i6", "j6")]
    chain = ActionChains(page.driver).click_and_hold(cells[0])
    for each in cells[1:]:
        chain = chain.move_to_element(each)
    chain.release().perform()
    move_made(page, FIRST)


@pytest.mark.parametrize("dragged", [False, True])
def test_a_piece_is_laid_by_touch(page: Page, dragged: bool) -> None:
    page.resize(*PHONE)
    points = []
    for name in ("h5", "i5", "i6", "j6"):
        box = page.run(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]",
            f"[role=gridcell][data-cell={name}]",
        )
        points.append({"x": box[0], "y": box[1]})

    def touch(kind: str, *at: dict[str, float]) -> None:
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(at)}
        )

    if dragged:
        touch("touchStart", points[0])
        for point in points[1:]:
            touch("touchMove", point)
        touch("touchEnd")
    else:
        for point in points:
            touch("touchStart", point)
            touch("touchEnd")
    move_made(page, FIRST)


def test_a_shape_is_taken_turned_and_put_down(page: Page) -> None:
    page.click("[data-kind=S]")
    page.click("#turn")
    page.cell("e5")
    page.until(lambda: len(page.line) == 1)
    (turned,) = page.pieces
    rows = {cell[1:] for cell in turned.split()}
    assert len(rows) == 3, turned
    # Put down at once where it may not stand, it says why, and stays in the hand.
    page.click("[data-kind=T]")
    page.cell("a1")
    page.says("off the board")
    assert len(page.line) == 1


def test_the_keys_alone_lay_a_piece(page: Page) -> None:
    page.run("document.querySelector('[role=gridcell][tabindex=\"0\"]').focus()")
    focused = "return document.activeElement.dataset.cell"
    assert page.run(focused) == "f6"
    page.press(LEFT, UP)
    assert page.run(focused) == "e5"
    page.press(ENTER, DOWN, ENTER, DOWN, ENTER, RIGHT, ENTER)
    move_made(page, "L:e5,e6,e7,f7")
    # The cursor stays, and a shape is taken, turned and put down by keys too.
    assert page.run(focused) == "f7"
    page.press("i", "r", RIGHT, DOWN, ENTER)
    page.until(lambda: len(page.line) == 2)
    assert "g8" in page.line[1]


def test_an_illegal_try_says_which_rule_and_where(page: Page) -> None:
    page.cells("h5", "i5", "i6", "j6")
    move_made(page, FIRST)
    page.cells("a1", "a2", "a3", "a4")
    page.says("disconnected: I:a1,a2,a3,a4 shares no edge with a piece on the board")
    assert len(page.all("rect.mark.wrong")) == 4 and page.line == [FIRST]


def test_moves_are_taken_back_and_branch_into_a_tree(page: Page) -> None:
    page.visit(f"#start=boxes&moves={FIRST}+{SECOND}*")
    move_made(page, FIRST, SECOND)
    page.click("[data-go=back]")
    page.until(lambda: page.pieces == ["h5 i5 i6 j6"])
    page.cells("i1", "i2", "i3", "i4")
    move_made(page, FIRST, SECOND, "I:i1,i2,i3,i4")
    assert len(page.all(".tree li.beside")) == 1
    page.button("Make main line")
    move_made(page, FIRST, "I:i1,i2,i3,i4", SECOND)
    page.click(f".move[data-move='{SECOND}']")
    page.until(lambda: "e5 f5 g5 e6" in page.pieces)
    page.press(LEFT, HOME)
    page.until(lambda: page.pieces == [])
    page.press(END)
    page.until(lambda: "i1 i2 i3 i4" in page.pieces)
    page.button("Remove from here")
    move_made(page, FIRST, SECOND)


def test_the_swap_with_the_advice_of_the_book(page: Page) -> None:
    page.visit(f"#start=boxes&moves={FIRST}*")
    page.says("Swap book")
    page.click("[data-move=swap]")
    move_made(page, FIRST, "swap")
    page.says("after the swap")


# --- analysis ---------------------------------------------------------------------------------


def test_an_analysis_ranks_moves_and_shows_who_is_ahead(page: Page) -> None:
    page.visit("#start=LLL1/L3/4/4+O")
    page.until(lambda: page.all(".candidate"))
    page.says("exactly")
    page.until(lambda: page.find("#worth").get_attribute("class") == "worth exact")
    page.run("document.querySelector('.candidate').dispatchEvent(new PointerEvent('pointerenter'))")
    assert len(page.all("rect.mark.shown")) == 4
    best = page.until(lambda: page.find(".candidate").get_attribute("data-move"))
    page.click(".candidate")
    move_made(page, best)


def test_an_analysis_goes_on_and_stops_when_the_position_changes(page: Page) -> None:
    page.visit(f"#start=boxes&moves={FIRST}+swap*")
    page.until(lambda: page.all(".candidate"))
    turns = page.server.served.bench.turns
    page.click(".candidate")
    page.until(lambda: len(page.line) == 3)
    page.until(lambda: turns.count <= 1)
    page.click("#analysis-switch")
    page.until(lambda: turns.count == 0)
    assert not page.find("#worth").is_displayed() and not page.find("#analysis").is_displayed()
    # It stays off for who wants to think themselves.
    page.visit("#start=boxes")
    assert not page.find("#worth").is_displayed()


def test_heat_maps_and_numbers(page: Page) -> None:
    page.visit(f"#start=boxes&moves={FIRST}*")
    page.choose("#heat", "gain")
    page.until(lambda: page.all("#stage .heat"))
    page.click("input[type=checkbox]:not(#analysis-switch)")
    page.until(lambda: page.all("#stage .disc"))


# --- setting up, opening, saving --------------------------------------------------------------


def test_a_position_is_set_up_cell_by_cell(page: Page) -> None:
    page.click("[data-mode=setup]")
    page.button("Clear all")
    page.click("[data-letter=L]")
    page.cells("a1", "b1", "c1")
    page.says("shape: 3 neighbouring cells marked L")
    page.cell("a2")
    page.until(lambda: not page.all(".problems"))
    page.choose("[data-key='supply-T']", "0")
    page.click("[data-letter='#']")
    page.cell("j10")
    page.says("T 0")
    page.click("#use")
    page.until(lambda: page.all("[data-kind=T]:disabled"))
    assert page.pieces == ["a1 b1 c1 a2"]
    assert (
        page.until(lambda: page.find("[role=gridcell][data-cell=j10]").get_attribute("aria-label"))
        == "j10, hole"
    )
    # The address holds it, so that a bookmark brings it back.
    place = page.run("return location.hash")
    page.visit()
    assert page.pieces == []
    page.visit(place)
    assert page.pieces == ["a1 b1 c1 a2"]


def test_what_is_no_position_yet_is_drawn_and_said(page: Page) -> None:
    page.visit("#start=mijnlieff+4/4/4/4+Light")
    page.click("[data-mode=setup]")
    page.click("[aria-label='Column added']")
    page.says("the board has 20 cells instead of 16")
    page.click("#use")
    assert "20 cells" in page.until(lambda: page.find("#told").text)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_a_game_is_pasted_and_saved(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    page.click("#open")
    page.find("#paste").send_keys(f'pattern: boxes\nmoves: ["{FIRST}", swap]\nname: Ours')
    page.click("#open-text")
    move_made(page, FIRST, "swap")
    page.says("Ours is on the board")
    page.click("#save")
    page.until(lambda: "swap" in page.find("#written").get_property("value"))
    page.choose("#notation", "ltp")
    page.until(lambda: "swap" in page.find("#written").get_property("value").lower())
    page.choose("#notation", "line")
    page.until(lambda: "Not carried over: the order of the moves" in page.find("#lost").text)
    for each in page.all("[data-picture]"):
        each.click()
    page.click("dialog [aria-label=Close]")
    page.until(lambda: not page.all("dialog"), "the dialog stays")


def test_an_unreadable_text_says_why(page: Page) -> None:
    page.click("#open")
    page.find("#paste").send_keys("pattern: boxs")
    page.click("#open-text")
    page.until(lambda: "'boxs' is no pattern" in page.find("dialog .problem").text)
    assert page.pieces == []


def test_a_file_is_opened_and_of_many_one_is_chosen(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text("LLL1/L3/4/4 O\nmijnlieff 4/1S2/4/4 Dark last=straight@b2\n")
    page.click("#open")
    page.find("#file").send_keys(str(file))
    page.button("two.txt, 2", "dialog")
    page.until(lambda: page.pieces == ["b2"])
    page.says("straight@b2 allows")


def test_a_file_is_dropped(page: Page) -> None:
    page.run(
        "const data = new DataTransfer();"
        "data.items.add(new File(['LLL1/L3/4/4 O'], 'x.txt'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}))"
    )
    page.until(lambda: page.pieces == ["a1 b1 c1 a2"])


def test_a_new_game_on_any_board(page: Page) -> None:
    page.click("#new")
    page.choose("[data-game=mijnlieff]", "arrangement 2")
    page.click("[data-begin=mijnlieff]")
    page.until(lambda: page.all("circle.allowed"))
    assert "mijnlieff" in page.run("return location.hash")


def test_mijnlieff_is_played(page: Page) -> None:
    page.visit("#start=mijnlieff+4/4/4/4+Light")
    page.cell("a1")
    page.click(".which [data-move='pusher@a1']")
    move_made(page, "pusher@a1")
    page.click("[data-kind=straight]")
    page.cell("d4")
    move_made(page, "pusher@a1", "straight@d4")
    page.click("[data-kind=puller]")
    page.cell("a1")
    page.says("occupied:")


# --- making boards ----------------------------------------------------------------------------


def test_a_board_is_made_by_a_recipe_edited_and_played(page: Page) -> None:
    page.click("[data-mode=make]")
    page.choose("[data-key=size]", "8x8")
    page.choose("[data-key=symmetry]", "half-turn")
    page.run("document.querySelector('#seed').value = '7'")
    page.click("#make")
    page.says("Made with seed 7", 120)
    page.until(lambda: "half-turn" in page.find("#report").text)
    assert len(page.all("#stage .symbol.X")) == len(page.all("#stage .symbol.O")) > 10
    # The report goes along while one edits.
    page.click("[data-letter='#']")
    page.cell("a1")
    page.until(lambda: "half-turn" not in page.find("#report").text)
    page.click("#use")
    page.until(lambda: page.all("[data-kind=L]"))
    assert (
        page.until(lambda: page.find("[role=gridcell][data-cell=a1]").get_attribute("aria-label"))
        == "a1, hole"
    )


def test_a_recipe_that_cannot_be_says_so(page: Page) -> None:
    page.click("[data-mode=make]")
    page.choose("[data-key=size]", "10")
    page.click("#make")
    page.says("rows x columns, such as 10x10")
    page.choose("[data-key=size]", "5x5")
    page.choose("[data-key=symbols]", "20")
    page.click("#make")
    page.says("do not fit on a board of 25 cells")


def test_mijnlieff_boards_are_made(page: Page) -> None:
    page.visit("#start=mijnlieff+4/4/4/4+Light&do=make")
    page.run("document.querySelector('#seed').value = '3'")
    page.click("#make")
    page.says("Made with seed 3")
    page.until(lambda: "threes in a row" in page.find("#report").text)
    page.click("#use")
    page.until(lambda: page.all("circle.allowed"))


# --- asking -----------------------------------------------------------------------------------


def test_a_question_is_answered_by_a_play_to_step_through(page: Page) -> None:
    page.visit("#start=4/4/4/4&do=ask")
    page.cells("a1", "d4")
    page.click("[data-letter='!']")
    page.cell("b2")
    page.choose("[data-key=aim]", "fewest pieces")
    page.click("#ask")
    page.says("Fewest pieces: 2, proved", 60)
    page.click("#step-through")
    page.until(lambda: len(page.pieces) == 1)
    page.press(RIGHT)
    page.until(lambda: len(page.pieces) == 2)
    covered = set(" ".join(page.pieces).split())
    assert {"a1", "d4"} <= covered and "b2" not in covered


def test_what_is_impossible_is_said_with_its_reason(page: Page) -> None:
    page.visit("#start=4/4/4/4&do=ask")
    page.choose("[data-key=at-least]", "9")
    page.click("#ask")
    page.says("Impossible.", 60)
    page.choose("[data-key=at-least]", "x")
    page.click("#ask")
    page.says("should be a whole number")


def test_mijnlieff_is_asked_too(page: Page) -> None:
    page.visit("#start=mijnlieff+4/4/4/4+Light&do=ask")
    page.click("[data-letter=S]")
    page.cell("a1")
    page.choose("[data-key=at-most]", "1")
    page.click("#ask")
    page.says("Possible.", 60)
    page.click("#step-through")
    move_made(page, "straight@a1")


# --- puzzles ----------------------------------------------------------------------------------


def test_a_puzzle_is_solved_and_remembered(page: Page) -> None:
    page.click("[data-mode=puzzles]")
    page.click("[data-puzzle=puzzle-03]")
    found = shelf.puzzle(Fields({"name": "puzzle-03"}))
    page.says("to move and win.")
    assert page.all("#analysis-switch") == []
    page.click("#hint")
    page.says("Look for a piece of the kind")
    page.click("#hint")
    page.says("It covers")
    before = len(found["moves"])
    while "Solved" not in page.run(PUZZLE_SAYS):
        played = page.line[before:]
        line = next(each for each in found["lines"] if each[: len(played)] == played)
        page.cells(*line[len(played)].split(":")[1].split(","))
        page.until(
            lambda played=played: (
                len(page.line) > before + len(played)
                and page.run(PUZZLE_SAYS).startswith(("Right", "Solved"))
            ),
            "no answer",
            120,
        )
    page.says("Solved, with 2 hints.")
    page.visit("#start=boxes&do=puzzles")
    page.until(lambda: "✓" in page.find("[data-puzzle=puzzle-03]").get_attribute("textContent"))


PUZZLE_SAYS = "return document.querySelector('#puzzle-says')?.textContent ?? ''"


def test_a_wrong_move_is_refuted_and_the_solution_shown(page: Page) -> None:
    page.click("[data-mode=puzzles]")
    page.click("[data-puzzle=puzzle-03]")
    page.says("to move and win.")
    # The greediest move is never the solution of a puzzle.
    found = shelf.puzzle(Fields({"name": "puzzle-03"}))
    place = {"start": found["start"], "moves": found["moves"]}
    legal = desk.view(Fields(place))["legal"]
    greedy = max(legal, key=lambda each: int(each["gain"]))
    page.cells(*greedy["cells"])
    page.says("No: after that", 120)
    page.click("#solution")
    page.says("The solution is in the moves")
    assert len(page.line) > len(found["moves"]) + 3
    page.click("#again")
    page.until(lambda: page.line == found["moves"])


def test_the_puzzles_of_every_game_are_on_the_shelf(page: Page) -> None:
    found = {each["name"]: each for each in shelf.listed(Fields({}))["puzzles"]}
    files = sorted((EXAMPLES / "puzzles").rglob("*.yaml"))
    assert len(found) == len(files) >= 80
    assert {each["game"] for each in found.values()} == {game.name for game in games.GAMES}
    saves = next(name for name, each in found.items() if "saves the draw" in each["label"])
    page.click("[data-mode=puzzles]")
    page.run("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    page.click(f"[data-puzzle='{saves}']")
    page.says("to move and save the draw")


def test_a_position_of_mijnlieff_is_a_puzzle_too(page: Page) -> None:
    page.visit("#start=mijnlieff+4/4/4/4+Light")
    for move in ("a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"):
        page.cell(move)
        if page.all(".which button"):
            page.click(".which button")
    page.click("[data-mode=puzzles]")
    page.click("#puzzle-here")
    page.says("to move and win.")
    page.click("#solution")
    page.says("The solution is in the moves", 120)


# --- a game against the engine ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "seat"), [("4/4/4/4", "second"), ("mijnlieff+4/4/4/4+Light", "first")]
)
def test_a_game_is_played_to_its_end_and_reviewed(page: Page, start: str, seat: str) -> None:
    page.visit(f"#start={start}&do=play")
    page.choose("#seat", seat)
    page.choose("#level", "greedy")
    page.choose("#minutes", "5")
    page.click("#begin")
    for _ in range(20):
        page.until(lambda: "Your turn" in page.run(SAYS) or "over" in page.run(SAYS), "turn", 120)
        if "over" in page.run(SAYS):
            break
        before = len(page.line)
        move = page.run("return window.litstool.store.view.legal[0] ?? null")
        if move is None:
            page.click(".tray .other")
        elif ":" in move["move"]:
            page.cells(*move["cells"])
        else:
            page.click(f"[data-kind={move['kind']}]")
            page.cells(*move["cells"])
        page.until(lambda before=before: len(page.line) > before, "a move")
    assert "The game is over" in page.run(SAYS) and page.until(
        lambda: page.find("#clock").text
    ).startswith(("4:", "5:"))
    page.click("#review")
    page.until(lambda: page.all(".chart svg"), "no review", 120)
    assert len(page.all(".review li")) == len(page.line)
    page.click(".review .move")
    page.until(lambda: len(page.pieces) == 1)


SAYS = "return document.querySelector('#game-says')?.textContent ?? ''"


def test_the_clock_ends_a_game_and_a_move_is_taken_back(page: Page) -> None:
    page.visit("#start=5/5/5/5/5&do=play")
    page.choose("#level", "random")
    page.choose("#minutes", "0.5")
    page.click("#begin")
    page.until(lambda: "Your turn" in page.run(SAYS))
    page.cells("c3", "c4", "c5", "d5")
    page.until(lambda: len(page.line) >= 2 and "Your turn" in page.run(SAYS))
    page.click("#take-back")
    page.until(lambda: page.pieces == [] and "Your turn" in page.run(SAYS))
    page.run("window.litstool.game.current.left = 0.1")
    page.says("Your time is up")


# --- how it looks -----------------------------------------------------------------------------


def axe() -> str | None:
    """The text of axe-core, where a package has it."""
    found = find_spec("axe_playwright_python")
    places = found.submodule_search_locations if found else None
    return None if not places else (Path(places[0]) / "axe.min.js").read_text("utf-8")


PLACES = {
    "explore": f"#start=boxes&moves={FIRST}+{SECOND}*",
    "mijnlieff": "#start=mijnlieff+4/1S2/4/4+Dark+last%3Dstraight@b2",
    "setup": f"#start=boxes&moves={FIRST}*&do=setup",
    "make": "#start=boxes&do=make",
    "ask": f"#start=boxes&moves={FIRST}*&do=ask",
    "puzzles": "#start=boxes&do=puzzles",
    "play": f"#start=boxes&moves={FIRST}*&do=play",
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_it_fits_and_all_can_use_it(
    page: Page, size: tuple[int, int], scheme: str, name: str
) -> None:
    page.resize(*size)
    page.scheme(scheme)
    page.visit(PLACES[name])
    assert page.run("return document.documentElement.scrollWidth") <= size[0]
    # Asked in one go: an update may draw the board anew between finding and measuring it.
    measured = (
        "const drawn = document.querySelector('#stage svg');"
        "return drawn && drawn.getBoundingClientRect().width"
    )
    wide = page.until(lambda: page.run(measured))
    assert 250 <= wide <= size[0]
    red = int(
        page.run("return getComputedStyle(document.body).backgroundColor")
        .split("(")[1]
        .split(",")[0]
    )
    assert (red < 60) == (scheme == "dark")
    if (text := axe()) is None:
        pytest.skip("axe-core is not installed (pip install axe-playwright-python)")
    page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": text})
    found = page.driver.execute_async_script(
        "const done = arguments[0]; axe.run().then((r) => done(r.violations.map((v) =>"
        "[v.impact, v.id, v.nodes.map((n) => n.html.slice(0, 150))])))"
    )
    serious = [each for each in found if each[0] in ("serious", "critical")]
    assert serious == [], json.dumps(serious, indent=1)


def test_everything_is_reached_with_the_tab_key(page: Page) -> None:
    page.click("#analysis-switch")
    page.run("document.activeElement.blur()")
    seen = set()
    for _ in range(40):
        page.press(TAB)
        seen.add(
            page.run(
                "const e = document.activeElement, d = e.dataset;"
                "return d.cell || d.mode || d.go || d.kind || e.id"
            )
        )
    wanted = {"explore", "setup", "new", "open", "save", "first", "last", "L", "S", "turn"}
    assert wanted | {"f6", "analysis-switch", "heat"} <= seen
