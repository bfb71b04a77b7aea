"""A served board and a window of a browser at it, for the tests of the page."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from browser import Window

from litstool.board.serve import Served, bound, wait_until_started


class Server:
    """A board that is served by a thread of this process."""

    def __init__(self, first: str | None = None) -> None:
        self.served = Served(bound("127.0.0.1", None), first)
        self.thread = threading.Thread(
            target=lambda: self.served.server.run(sockets=[self.served.listening]), daemon=True
        )
        self.served.server.on_start = lambda: None
        self.thread.start()
        wait_until_started(self.served)

    def end(self) -> None:
        self.served.server.should_exit = True
        self.thread.join(10)
        self.served.bench.close()
        self.served.listening.close()


class Page(Window):
    """The board as someone at the browser has it."""

    def __init__(self, driver: Any, server: Server) -> None:
        super().__init__(driver)
        self.server = server
        self.base = server.served.base

    def open(self, place: str = "") -> None:
        """Open the first address, with nothing remembered."""
        self.driver.get("about:blank")
        self.driver.get(self.server.served.address)
        self.run("localStorage.clear()")
        self.visit(place)

    def visit(self, place: str = "") -> None:
        """Open an address of the page as a bookmark would."""
        self.driver.get("about:blank")
        self.driver.get(f"{self.base}/{place}")
        self.until(lambda: self.run("return document.body.dataset.ready === 'true'"))

    def find(self, selector: str) -> Any:
        self.until(lambda: bool(self.all(selector)), f"no {selector}")
        return self.all(selector)[0]

    def until(self, holds: Callable[[], Any], what: str = "", seconds: float = 20.0) -> Any:
        """Wait until something holds."""
        end = time.monotonic() + seconds
        while True:
            try:
                if found := holds():
                    return found
            except Exception as error:
                if type(error).__name__ != "StaleElementReferenceException":
                    raise
            if time.monotonic() > end:
                told = self.run("return document.body.innerText")
                raise AssertionError(f"{what or 'it did not come'}; the page says:\n{told[:3000]}")
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        def clicked() -> bool:
            element = self.find(selector)
            if not element.is_enabled():
                return False
            self.run("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
            return True

        self.until(clicked, f"{selector} cannot be clicked")

    def button(self, words: str, within: str = "") -> None:
        """Click the button with these words."""
        script = (
            "return [...document.querySelectorAll(arguments[1] + ' button')]"
            ".find((each) => each.textContent.trim() === arguments[0] && each.checkVisibility())"
        )
        element = self.until(lambda: self.run(script, words, within), f"no button {words!r}")
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def cell(self, name: str) -> None:
        """Press a cell of the board."""
        self.click(f"[data-cell='{name}'][role=gridcell]")

    def cells(self, *names: str) -> None:
        for name in names:
            self.cell(name)

    def choose(self, selector: str, value: str) -> None:
        """Choose a value of a list."""
        self.run(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
            self.find(selector),
            value,
        )

    def says(self, words: str, seconds: float = 20.0) -> None:
        """Wait until the page shows some words."""
        self.until(
            lambda: words in self.run("return document.body.innerText"), f"no {words!r}", seconds
        )

    @property
    def pieces(self) -> list[str]:
        """The cells of each piece that is drawn."""
        script = (
            "return [...document.querySelectorAll('#stage .piece, #stage .counter')]"
            ".map((each) => each.dataset.cells || each.dataset.cell)"
        )
        return sorted(self.run(script))

    @property
    def line(self) -> list[str]:
        """The moves of the tree as they are listed."""
        script = (
            "return [...document.querySelectorAll('.tree .move')].map((each) => each.dataset.move)"
        )
        return [each for each in self.run(script) if each]

    def problems(self) -> list[str]:
        """Errors of the console, and requests to any other host."""
        own = (self.base, "about:", "data:", "blob:")
        return [
            *self.complaints(),
            *(each for each in self.requested() if not each.startswith(own)),
        ]
