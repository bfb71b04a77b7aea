"""The report of a game in a real browser: stepping, keys, the chart, widths, and no network.

Needs Chromium and its driver (Debian: chromium and chromium-driver) and selenium; without them
these tests are skipped, and say why.
"""

from __future__ import annotations

import base64
import dataclasses
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import (
    BROWSER,
    DESKTOP,
    DRIVER,
    END,
    ENTER,
    HOME,
    LEFT,
    PHONE,
    RIGHT,
    Window,
    start_browser,
)
from conftest import EXAMPLES

import litstool
from litstool.draw import chart, page
from litstool.draw.reviewed import Alternative, ReviewedGame, Value, record

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None,
    reason="no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)",
)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    browser = start_browser()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def review() -> ReviewedGame:
    """A game with values, lost points and better moves, as an analysis would fill them in."""
    game = record(litstool.load(str(EXAMPLES / "game-with-swap.yaml")))
    moves = []
    for number, move in enumerate(game.moves, 1):
        exact = number > 8
        value = Value(-5 if exact else 0.5, None if exact else 0.55, exact, "O" if exact else None)
        best = (Alternative("S:a1,b1,b2,c2", value), Alternative(move.move, value))
        moves.append(
            dataclasses.replace(
                move, value=value, best=best, was_best=False, lost=number % 2, turned=number == 9
            )
        )
    return dataclasses.replace(game, moves=tuple(moves), value=Value(1.0, 0.6))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, review: ReviewedGame) -> str:
    file: Path = tmp_path_factory.mktemp("report") / "game.html"
    file.write_text(page.report(review), "utf-8")
    return file.as_uri()


class Report(Window):
    """The report as someone at the browser has it."""

    def __init__(self, driver: Any, address: str) -> None:
        super().__init__(driver)
        self.address = address
        self.open()

    def open(self, place: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(self.address + place)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def click(self, name: str) -> None:
        self.find(f"button[data-go={name}]").click()

    @property
    def shown(self) -> int:
        """The one position that is shown, told alike by boards, counter, list and chart."""
        seen = self.run(
            """
            const boards = [...document.querySelectorAll("article.ply .stage")];
            const current = [...document.querySelectorAll(".moves a[aria-current=step]")];
            const left = (part) => document.querySelector(part).getBBox().x;
            const shown = boards.filter((board) => board.checkVisibility());
            const ply = shown[0].closest("article").dataset.ply;
            return {
              shown: shown.map((board) => board.closest("article").dataset.ply),
              listed: current.map((link) => link.dataset.ply),
              counter: document.querySelector(".where").textContent,
              offset: left(".cursor") - left(`.hit[data-ply="${ply}"]`),
            };
            """
        )
        (ply,) = seen["shown"]
        assert seen["listed"] == [ply] and seen["counter"] == f"{ply} / 15"
        assert abs(seen["offset"]) < 0.5
        return int(ply)


@pytest.fixture
def report(driver: Any, address: str) -> Iterator[Report]:
    opened = Report(driver, address)
    yield opened
    # Whatever was done: no errors on the console, and no request but for the file itself.
    assert opened.complaints() == []
    asked = {each.split("#")[0] for each in opened.requested()}
    assert asked <= {address, "about:blank"} and address in asked


def test_buttons_step_and_stop_at_the_ends(report: Report) -> None:
    assert report.shown == 15
    report.click("on")
    assert report.shown == 15
    report.click("first")
    assert report.shown == 0
    report.click("back")
    assert report.shown == 0
    for ply in (1, 2, 3):
        report.click("on")
        assert report.shown == ply
    report.click("back")
    assert report.shown == 2
    report.click("last")
    assert report.shown == 15


def test_keys_step(report: Report) -> None:
    report.press(HOME)
    assert report.shown == 0
    report.press(RIGHT, RIGHT, RIGHT)
    assert report.shown == 3
    report.press(LEFT)
    assert report.shown == 2
    report.press(END)
    assert report.shown == 15


def test_everything_can_be_reached_and_used_with_the_keyboard_alone(report: Report) -> None:
    report.press("\ue004")  # Tab
    assert report.run("return document.activeElement.dataset.go") == "first"
    report.press(ENTER)
    assert report.shown == 0
    # The button keeps the focus although there is nothing more before the start.
    assert report.run("return document.activeElement.dataset.go") == "first"
    report.press("\ue004", "\ue004", ENTER)
    assert report.shown == 1
    report.press("\ue004", "\ue004", "\ue004", "\ue004", ENTER)
    assert report.run("return document.activeElement.dataset.ply") == str(report.shown) == "2"


def test_a_click_on_the_chart_goes_to_that_move(report: Report) -> None:
    for ply in (4, 0, 11, 15):
        column = report.find(f".chart .hit[data-ply='{ply}']")
        webdriver.ActionChains(report.driver).move_to_element(column).click().perform()
        assert report.shown == ply


def test_a_click_on_a_move_goes_there(report: Report) -> None:
    report.find(".moves a[data-ply='6']").click()
    assert report.shown == 6


def test_the_board_shows_the_position_of_the_move(report: Report) -> None:
    game = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    for ply in (0, 1, 2, 7, 15):
        report.find(f".chart .hit[data-ply='{ply}']").click()
        pieces = [
            each.get_attribute("data-cells").split() for each in report.all(f"#move-{ply} .piece")
        ]
        assert report.find(f"#move-{ply} .stage").is_displayed()
        expected = [[cell.name for cell in piece.cells] for piece in game.at(ply).all_pieces]
        assert sorted(pieces) == sorted(expected)
        text = report.find(f"#move-{ply} .info").text
        position = game.at(ply).position()
        assert f"X {position.score('X')}, O {position.score('O')}" in text


def test_values_best_moves_and_losses_are_told(report: Report) -> None:
    report.find(".moves a[data-ply='9']").click()
    text = report.find("#move-9 .info").text
    for words in ("The result turned here", "O wins by 5", "proven", "1 point", "Better was"):
        assert words in text
    report.find(".moves a[data-ply='4']").click()
    assert "estimate" in report.find("#move-4 .info").text


def test_a_step_is_announced_to_a_screen_reader(report: Report) -> None:
    live = report.find("[aria-live=polite]")
    assert live.get_attribute("textContent") == ""
    report.click("first")
    assert live.get_attribute("textContent").startswith("Start of the game.")
    report.click("on")
    words = live.get_attribute("textContent")
    assert "Move 1: X (Ada) plays T:f3,e4,f4,g4." in words and "Score X 32, O 32: level." in words
    # It is out of sight, but there for a reader.
    assert live.is_displayed() and report.run("return arguments[0].offsetWidth", live) <= 1


def test_a_screen_reader_finds_names_for_all_there_is(report: Report) -> None:
    tree = report.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named: dict[str, list[str]] = {}
    for node in tree:
        if not node.get("ignored"):
            role = node.get("role", {}).get("value", "")
            named.setdefault(role, []).append(node.get("name", {}).get("value", ""))
    assert {"First position", "Previous move", "Next move", "Last position"} <= set(named["button"])
    images = named.get("image", []) + named.get("img", [])
    assert any(name.startswith("Monogram") for name in images)
    assert any(name.startswith("Chart of the game. Start: level") for name in images)
    assert len(named["link"]) == 16 and all(named["link"])


def test_a_link_to_a_move_opens_it(report: Report) -> None:
    report.open("#move-5")
    assert report.shown == 5
    report.run("location.hash = '#move-8'")
    wait = report.run("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert wait is None and report.shown == 8
    report.open("#move-99")
    assert report.shown == 15
    report.open("#nonsense")
    assert report.shown == 15


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        (PHONE, "light"),
        (PHONE, "dark"),
        (DESKTOP, "light"),
        (DESKTOP, "dark"),
        ((320, 600), "light"),
        ((800, 600), "light"),
    ],
    ids=str,
)
def test_it_fits_the_width_of_phones_and_desktops(
    report: Report, size: tuple[int, int], scheme: str
) -> None:
    report.resize(*size)
    report.scheme(scheme)
    report.open("#move-9")
    assert report.run("return document.documentElement.scrollWidth") <= size[0]
    board = report.find("#move-9 .stage svg").rect
    assert 250 <= board["width"] <= size[0] and board["x"] >= 0
    # The buttons are in view without scrolling, and large enough for a thumb.
    for button in report.all(".controls button"):
        box = report.run(
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.left, box.top, box.right, box.bottom]",
            button,
        )
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]
        assert box[2] - box[0] >= 44 and box[3] - box[1] >= 44
    page_color = report.run("return getComputedStyle(document.body).backgroundColor")
    red = int(page_color.split("(")[1].split(",")[0])
    assert (red < 60) == (scheme == "dark")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_it_opens_at_its_top(report: Report, size: tuple[int, int]) -> None:
    report.resize(*size)
    report.open()
    # The browser goes to the place of a fragment only after the page is loaded.
    time.sleep(0.3)
    assert report.run("return window.scrollY") == 0
    assert report.find("h1").rect["y"] >= 0


def test_the_list_of_moves_follows(report: Report) -> None:
    report.resize(*DESKTOP)
    report.open("#move-0")
    for key, ply in ((END, 15), (HOME, 0)):
        report.press(key)
        inside = report.run(
            """
            const list = document.querySelector(".moves ol").getBoundingClientRect();
            const link = document.querySelector(".moves a[aria-current]").getBoundingClientRect();
            return [link.top - list.top, list.bottom - link.bottom];
            """
        )
        assert report.shown == ply and min(inside) > -1


def test_it_prints_on_few_pages(report: Report) -> None:
    """Every position is there, whole, several to a page, with the chart and the moves."""
    report.open("#move-3")
    printed = report.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    data = base64.b64decode(printed["data"])
    assert len(re.findall(rb"/Type /Page\b", data)) <= 3
    report.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        boards = report.all("article.ply .stage svg")
        assert len(boards) == 16 and all(each.is_displayed() for each in boards)
        assert min(each.rect["width"] for each in boards) > 120
        assert report.find(".chart svg").is_displayed() and report.find(".heads").is_displayed()
        assert not report.find(".chart .cursor").is_displayed()
        # A full dot must not print as an empty one.
        kept = "return getComputedStyle(document.querySelector(arguments[0])).printColorAdjust"
        assert {report.run(kept, each) for each in (".swatch", ".dot.exact")} == {"exact"}
    finally:
        report.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_the_columns_of_the_moves_stand_under_their_heads(
    report: Report, size: tuple[int, int]
) -> None:
    report.resize(*size)
    for kind, words in (("notation", "Move"), ("loss", "Lost"), ("lead", "Lead")):
        head = report.find(f".heads .{kind}")
        assert head.text == words
        right = head.rect["x"] + head.rect["width"]
        for cell in report.all(f".moves a .{kind}"):
            if kind == "notation":
                assert abs(cell.rect["x"] - head.rect["x"]) < 45
                # One line each, beside the mark of the move that turned the result too.
                assert cell.rect["height"] < 30
            else:
                assert abs(cell.rect["x"] + cell.rect["width"] - right) < 2


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_the_texts_of_the_chart_are_large_enough(report: Report, size: tuple[int, int]) -> None:
    report.resize(*size)
    scale = report.find(".chart svg").rect["width"] / chart.WIDE
    assert scale * chart.TEXT_SIZE >= 11


def test_without_scripts_every_position_can_be_read(report: Report) -> None:
    report.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        report.open()
        boards = report.all("article.ply .stage svg")
        assert len(boards) == 16 and all(each.is_displayed() for each in boards)
        assert not report.find(".controls").is_displayed()
    finally:
        report.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
