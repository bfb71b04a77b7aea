"""How quickly the board answers: a press on it, the first line of an analysis, many pages at once.

    python benchmarks/board.py

Needs Chromium with its driver, selenium and the extra ``board``.  Aims: a press is answered in
under 100 ms (median), an analysis has its first line in under 300 ms once its kernels are loaded,
and a move is answered in under a second while twenty pages analyse.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from board_page import Page, Server
from browser import start_browser
from websockets.sync.client import connect

PRESSES, PAGES = 50, 20
MOVE = "S:h5,i5,i6,j6"

_PLAY = """
const done = arguments[0], { store } = window.litstool;
const times = [];
(async () => {
  while (times.length < %d) {
    if (store.view.finished || !store.view.legal.length) await store.go(store.tree.root);
    const legal = store.view.legal, move = legal[(times.length * 7919) %% legal.length];
    const begun = performance.now();
    await store.play(move.move);
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    times.push(performance.now() - begun);
  }
  done(times);
})();
"""


def talking(server: Server) -> Any:
    """A conversation as a page has it."""
    served = server.served
    return connect(
        f"ws://127.0.0.1:{served.port}/talk",
        origin=served.base,  # type: ignore[arg-type]
        additional_headers={"Cookie": f"litstool-{served.port}={served.token}"},
        max_size=None,
    )


def answered(socket: Any, number: int, name: str, **fields: Any) -> float:
    """Seconds until a question is answered, or a work has its first result."""
    begun = time.perf_counter()
    socket.send(json.dumps({"id": number, "ask": name, "with": fields}))
    while True:
        message = json.loads(socket.recv(timeout=120))
        if message["id"] == number and not message.get("part", {}).get("compiling"):
            return time.perf_counter() - begun


def main() -> None:
    """Print the three measurements."""
    server = Server()
    try:
        driver = start_browser()
        try:
            page = Page(driver, server)
            page.open()
            page.click("#analysis-switch")
            driver.set_script_timeout(120)
            times = driver.execute_async_script(_PLAY % PRESSES)
        finally:
            driver.quit()
        print(
            f"a press on the board to the drawn answer: median {statistics.median(times):.0f} ms, "
            f"longest {max(times):.0f} ms ({PRESSES} moves)"
        )
        with talking(server) as socket:
            answered(socket, 1, "analyse", start="boxes", moves=[MOVE, "swap"])
            socket.send(json.dumps({"stop": 1}))
            firsts = []
            for number in range(2, 7):
                time.sleep(0.3)
                firsts.append(answered(socket, number, "analyse", start="boxes", moves=[MOVE]))
                socket.send(json.dumps({"stop": number}))
        print(f"the first line of an analysis: median {1000 * statistics.median(firsts):.0f} ms")
        pages = [talking(server) for _ in range(PAGES)]
        sockets = [each.__enter__() for each in pages]
        for number, socket in enumerate(sockets):
            moves = [MOVE, "swap"] if number % 2 else [MOVE]
            fields = {"start": "boxes", "moves": moves}
            socket.send(json.dumps({"id": 1, "ask": "analyse", "with": fields}))
        time.sleep(3)
        asked = [answered(socket, 2, "view", start="boxes", moves=[MOVE]) for socket in sockets]
        print(
            f"a move while {PAGES} pages analyse: median {1000 * statistics.median(asked):.0f} ms, "
            f"longest {1000 * max(asked):.0f} ms"
        )
        for each in pages:
            each.__exit__(None, None, None)
        with talking(server) as asking, talking(server) as playing:
            fields = {"start": "boxes", "conditions": {"at-least": "18", "finished": "over"}}
            asking.send(json.dumps({"id": 1, "ask": "reach", "with": fields}))
            time.sleep(1)
            asked = [answered(playing, n, "view", start="boxes", moves=[MOVE]) for n in range(9)]
            asking.send(json.dumps({"stop": 1}))
        print(f"a move while a question is worked on: longest {1000 * max(asked):.0f} ms")
    finally:
        server.end()


if __name__ == "__main__":
    main()
