"""The board's server: what it answers, whom it refuses, and that it stays up."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra board is not installed")
pytest.importorskip("uvicorn", reason="the extra board is not installed")
pytest.importorskip("websockets", reason="the extra board is not installed")

import httpx
from board_page import Server
from waiting import BUSY
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from litstool.board import desk, talk
from litstool.board.fields import Fields
from litstool.board.serve import MOST_CONNECTIONS, bound
from litstool.cli.main import main
from litstool.errors import LitstoolError, UsageError

GAME = ("boxes", ("S:h5,i5,i6,j6", "swap", "L:e5,f5,g5,e6"))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.end()


class Talker:
    """A page's conversation, without a page."""

    def __init__(self, server: Server) -> None:
        self.closing = ExitStack()
        self.socket = self.closing.enter_context(open_socket(server))
        self.number = 0

    def close(self) -> None:
        self.closing.close()

    def begin(self, what: str, **fields: Any) -> int:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "ask": what, "with": fields}))
        return self.number

    def next(self, number: int, seconds: float = 180.0) -> dict[str, Any]:
        """The next message that answers a question."""
        while True:
            message: dict[str, Any] = json.loads(self.socket.recv(timeout=seconds))
            if message["id"] == number:
                return message

    def ask(self, what: str, **fields: Any) -> dict[str, Any]:
        """The answer to a question."""
        found = self.next(self.begin(what, **fields))
        assert "done" in found, found
        return dict(found["done"])

    def work(self, what: str, **fields: Any) -> list[dict[str, Any]]:
        """All parts of a work."""
        number, parts = self.begin(what, **fields), []
        while "part" in (message := self.next(number)):
            parts.append(message["part"])
        assert "done" in message, message
        return parts


def open_socket(server: Server, **headers: str) -> AbstractContextManager[ClientConnection]:
    served = server.served
    given = {
        "Origin": served.base,
        "Cookie": f"litstool-{served.port}={served.token}",
        **headers,
    }
    kept = {name: value for name, value in given.items() if value}
    origin = kept.pop("Origin", None)
    return connect(
        f"ws://127.0.0.1:{served.port}/talk",
        origin=origin,  # type: ignore[arg-type]
        additional_headers=kept,
        open_timeout=10,
        max_size=None,
    )


@pytest.fixture
def talker(server: Server) -> Iterator[Talker]:
    opened = Talker(server)
    yield opened
    opened.close()


def get(server: Server, path: str = "/", method: str = "GET", **options: Any) -> httpx.Response:
    cookies = {f"litstool-{server.served.port}": server.served.token}
    headers = {**options.pop("headers", {})}
    if options.pop("with_token", True):
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    return httpx.request(
        method, f"{server.served.base}{path}", headers=headers, trust_env=False, **options
    )


# --- who is let in ----------------------------------------------------------------------------


def test_the_first_address_gives_the_token_as_a_cookie_that_no_script_sees(server: Server) -> None:
    answer = get(server, f"/?token={server.served.token}", with_token=False)
    assert answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


@pytest.mark.parametrize("path", ["/", "/main.js", "/talk", "/?token=wrong", "/?token=%C3%A9"])
def test_without_the_token_nothing_is_given(server: Server, path: str) -> None:
    answer = get(server, path, with_token=False)
    assert answer.status_code == 403 and "litstool board" in answer.text


def test_every_answer_has_the_headers_of_security(server: Server) -> None:
    for answer in (get(server), get(server, with_token=False), get(server, "/nothing")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Cookie": "litstool=; ;;=x\x01"}, 403),
    ],
    ids=str,
)
def test_other_sites_are_refused(server: Server, headers: dict[str, str], status: int) -> None:
    with_token = "Cookie" not in headers
    assert get(server, headers=headers, with_token=with_token).status_code == status


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Cookie": ""},
        {"Cookie": "litstool-1=x"},
    ],
    ids=str,
)
def test_a_conversation_needs_our_origin_and_the_token(
    server: Server, headers: dict[str, str]
) -> None:
    with pytest.raises(InvalidStatus) as refused, open_socket(server, **headers):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_get_is_answered(server: Server, method: str) -> None:
    assert get(server, method=method).status_code == 405


@pytest.mark.parametrize(
    "path",
    ["/../serve.py", "/%2e%2e/serve.py", "/..%2fserve.py", "//etc/passwd", "/index.html", "/x.js"],
)
def test_no_file_but_the_pages_is_given(server: Server, path: str) -> None:
    assert get(server, path).status_code == 404


def test_a_large_body_is_refused_and_the_server_stays_up(server: Server) -> None:
    try:
        answer = get(server, method="POST", content=b"x" * 10_000_000)
        assert answer.status_code == 405
    except httpx.TransportError:
        pass  # It was cut off while it was sent.
    assert get(server).status_code == 200


def test_a_large_message_ends_that_conversation_alone(server: Server, talker: Talker) -> None:
    other = Talker(server)
    with pytest.raises(ConnectionClosed):
        # It may be refused before all of it is sent, or after.
        other.socket.send("x" * (talk.MOST_BYTES + 1))
        other.socket.recv(timeout=10)
    other.close()
    assert talker.ask("view", start="boxes")["to_move"] == "X"


MALFORMED = [
    "",
    "no",
    "[]",
    "null",
    "1",
    "[" * 100_000,
    '{"id": 1}',
    '{"ask": "view"}',
    '{"id": -1, "ask": "view"}',
    '{"id": 1.5, "ask": "view"}',
    '{"id": true, "ask": "view"}',
    '{"id": 1, "ask": 2}',
    '{"id": 1, "ask": "nothing"}',
    '{"id": 1, "ask": "view", "with": []}',
    '{"id": 1, "ask": "view", "with": {}}',
    '{"id": 1, "ask": "view", "with": {"start": 3}}',
    '{"id": 1, "ask": "view", "with": {"start": "boxes", "moves": "x"}}',
    '{"id": 1, "ask": "view", "with": {"start": "boxes", "moves": [1]}}',
    '{"id": 1, "ask": "view", "with": {"start": "boxes", "moves": ["x"]}}',
    '{"id": 1, "ask": "view", "with": {"start": "boxes", "heat": "x"}}',
    '{"id": 1, "ask": "view", "with": {"start": "boxes", "numbers": 1}}',
    '{"id": 1, "ask": "view", "with": {"start": ""}}',
    '{"id": 1, "ask": "view", "with": {"start": "\\ud800"}}',
    '{"id": 1, "ask": "view", "with": {"start": "nobody"}}',
    '{"id": 1, "ask": "view", "with": {"start": "../../etc/passwd"}}',
    '{"id": 1, "ask": "play", "with": {"start": "boxes"}}',
    '{"id": 1, "ask": "set up", "with": {"game": "chess", "rows": []}}',
    '{"id": 1, "ask": "set up", "with": {"game": "battle-of-lits", "rows": ["?"]}}',
    '{"id": 1, "ask": "write", "with": {"start": "boxes", "to": "pgn"}}',
    '{"id": 1, "ask": "picture", "with": {"start": "boxes", "to": "exe"}}',
    '{"id": 1, "ask": "analyse", "with": {"start": 1}}',
    '{"stop": "x"}',
    '{"stop": null}',
]


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: text[:60])
def test_a_malformed_message_is_answered_with_an_error(talker: Talker, text: str) -> None:
    talker.socket.send(text)
    answer = json.loads(talker.socket.recv(timeout=20))
    assert set(answer) == {"id", "error"} and answer["error"]["kind"] != "fault", answer
    assert talker.ask("view", start="boxes")["to_move"] == "X"


def test_bytes_are_answered_with_an_error(talker: Talker) -> None:
    talker.socket.send(b"\0\1")
    assert "error" in json.loads(talker.socket.recv(timeout=20))


def test_a_thousand_connections_leave_it_up(server: Server) -> None:
    sockets = []
    try:
        for _ in range(1000):
            try:
                sockets.append(socket.create_connection(("127.0.0.1", server.served.port), 5))
            except OSError:
                break
        assert len(sockets) > MOST_CONNECTIONS
    finally:
        for each in sockets:
            each.close()
    end = time.monotonic() + 10
    while True:
        try:
            assert get(server).status_code == 200
            return
        except httpx.TransportError:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_page_that_asks_too_much_is_told(talker: Talker) -> None:
    numbers = [talker.begin("analyse", start="boxes") for _ in range(talk.MOST_WORKS + 1)]
    while "error" not in (message := json.loads(talker.socket.recv(timeout=20))):
        continue
    assert message["id"] == numbers[-1] and message["error"]["kind"] == "busy"


# --- what it answers --------------------------------------------------------------------------


def test_a_view_has_the_drawing_the_moves_and_words(talker: Talker) -> None:
    start, moves = GAME
    view = talker.ask("view", start=start, moves=list(moves))
    assert view["to_move"] == "X" and view["svg"].startswith("<svg") and not view["violations"]
    assert all(each["cells"] and each["kind"] in "LITS" for each in view["legal"])
    assert "covered" not in view["cells"]["a1"] and view["cells"]["e5"].startswith("L")
    first = talker.ask("view", start=start, moves=[moves[0]])
    assert [each["move"] for each in first["others"]] == ["swap"]
    assert len(talker.ask("view", start="boxes")["legal"]) == 1292


def test_an_illegal_try_says_which_rule_and_where(talker: Talker) -> None:
    cells = ["h6", "h7", "h8", "h9"]
    assert talker.ask("play", start="boxes", cells=cells) == {"move": "I:h6,h7,h8,h9"}
    found = talker.ask(
        "play", start="boxes", moves=["I:h6,h7,h8,h9"], cells=["a1", "a2", "a3", "a4"]
    )
    rules = {each["rule"]: each["cells"] for each in found["illegal"]}
    assert rules == {"disconnected": ["a1", "a2", "a3", "a4"]}


def test_a_mijnlieff_move_is_tried_too(talker: Talker) -> None:
    line = "mijnlieff 4/4/4/4 Light"
    assert talker.ask("play", start=line, kind="pusher", cells=["a1"]) == {"move": "pusher@a1"}
    found = talker.ask("play", start=line, kind="pusher", cells=["b2"])
    assert [each["rule"] for each in found["illegal"]] == ["opening"]


def test_a_game_is_opened_with_its_moves_and_written_again(talker: Talker) -> None:
    text = 'pattern: boxes\nmoves: ["S:h5,i5,i6,j6", swap, "L:e5,f5,g5,e6"]\n'
    (record,) = talker.ask("open", text=text, name="game.yaml")["records"]
    assert record["moves"] == ["S:h5,i5,i6,j6", "swap", "L:e5,f5,g5,e6"]
    place = {"start": record["start"], "moves": record["moves"]}
    for to in ("yaml", "json", "ltp"):
        written = talker.ask("write", **place, to=to)["text"]
        (again,) = talker.ask("open", text=written)["records"]
        assert again["moves"] == record["moves"] or to == "ltp"
    line = talker.ask("write", **place, to="line")
    assert "the swap" in line["lost"] and line["text"].endswith(" X")


def test_a_game_with_an_illegal_move_is_opened_up_to_there(talker: Talker) -> None:
    text = 'pattern: boxes\nmoves: ["S:h5,i5,i6,j6", "L:a1,b1,c1,a2", "T:a5,a6,b6,a7"]\n'
    (record,) = talker.ask("open", text=text)["records"]
    assert record["moves"] == ["S:h5,i5,i6,j6"] and "move 2 (O)" in record["problem"]


@pytest.mark.parametrize("line", ["mijnlieff 4/1S2/4/4 Dark last=straight@b2", "4/LLL1/L3/4 O"])
def test_a_line_stays_a_line_in_the_address(line: str) -> None:
    (record,) = desk.opened(Fields({"text": line}))["records"]
    assert record["start"] == line


def test_setting_up_tells_what_is_wrong(talker: Talker) -> None:
    grid = talker.ask("grid", start="boxes", moves=["I:h6,h7,h8,h9"])
    assert grid["rows"][5][7] == "I" and grid["keys"] == {}
    rows = ["LLL.", "....", "....", "...."]
    fields = {"game": "battle-of-lits", "rows": rows, "keys": {}}
    found = talker.ask("set up", **fields)
    assert [each["rule"] for each in found["violations"]] == ["shape"] and found["svg"]
    rows[1] = "L..."
    found = talker.ask("set up", **fields)
    assert found["violations"] == [] and found["start"] == "LLL1/L3/4/4 O"
    odd = talker.ask("set up", game="mijnlieff", rows=["S.", ".."], keys={"to-move": "Dark"})
    assert "instead of 16" in odd["problem"] and odd["svg"] and odd["start"] is None


def test_an_illegal_position_is_shown_with_its_violations(talker: Talker) -> None:
    view = talker.ask("view", start="LLL1/L3/4/LLLL O")
    assert {each["rule"] for each in view["violations"]} == {
        "shape",
        "disconnected",
        "to-move",
    }
    assert view["legal"] == [] and view["cells"]["a1"].startswith("L")


def test_an_analysis_is_streamed_until_all_is_proven(talker: Talker) -> None:
    parts = talker.work("analyse", start="LLL1/L3/4/4 O")
    last = parts[-1]
    assert last["final"] and last["exact"] and last["chance"] in (0.0, 1.0)
    assert all(each["exact"] for each in last["moves"])


def test_a_stopped_analysis_says_no_more(talker: Talker) -> None:
    number = talker.begin("analyse", start="boxes", moves=list(GAME[1]))
    assert "part" in talker.next(number)
    talker.socket.send(json.dumps({"stop": number}))
    talker.ask("view", start="boxes")
    with pytest.raises(TimeoutError):
        talker.socket.recv(timeout=1.0)


def test_a_page_that_goes_stops_its_analyses(server: Server) -> None:
    talker = Talker(server)
    assert "part" in talker.next(talker.begin("analyse", start="boxes"))
    talker.close()
    end = time.monotonic() + 120
    while server.served.bench.turns.count:
        assert time.monotonic() < end
        time.sleep(0.02)


# --- fields -----------------------------------------------------------------------------------


def test_numbers_that_are_none_are_refused() -> None:
    for value in (True, "1", None, float("nan"), 11, -1):
        with pytest.raises(UsageError):
            Fields({"n": value}).number("n", 0, 10)
    assert Fields({"n": 3}).number("n", 0, 10) == 3


def test_texts_that_are_too_long_are_refused() -> None:
    with pytest.raises(UsageError):
        Fields({"t": "x" * 5000}).word("t")
    with pytest.raises(UsageError):
        Fields({"t": ["x"] * 65}).words("t")
    with pytest.raises(LitstoolError):
        desk.view(Fields({"start": "boxes", "moves": ["S:h5,i5,i6,j6", "swap", "swap"]}))


# --- the command ------------------------------------------------------------------------------


def test_a_port_in_use_is_told_with_a_free_one() -> None:
    taken = bound("127.0.0.1", None)
    try:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=rf"--port {port}: address.* in use; \d+ is free"):
            bound("127.0.0.1", port)
    finally:
        taken.close()
    with pytest.raises(UsageError, match="no such address"):
        bound("192.0.2.1", None)


def test_without_the_extra_one_line_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [each for each in sys.modules if each.startswith("litstool.board.se")]:
        monkeypatch.delitem(sys.modules, name)
        monkeypatch.delattr(name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["board", "--no-browser"]) == 2
    expected = "litstool: the board needs uvicorn: pip install 'litstool[board]'\n"
    assert capsys.readouterr().err == expected


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_ends_it_at_once_with_an_analysis_running() -> None:
    command = [sys.executable, "-m", "litstool", "board", "boxes", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
        assert match is not None, line
        port, token = match.groups()
        with connect(
            f"ws://127.0.0.1:{port}/talk",
            origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]
            additional_headers={"Cookie": f"litstool-{port}={token}"},
        ) as talking:
            talking.send(json.dumps({"id": 1, "ask": "analyse", "with": {"start": "boxes"}}))
            assert "part" in json.loads(talking.recv(timeout=60))
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=20)
        assert process.returncode == 0 and out.endswith("The board has ended.\n"), (out, err)
        assert time.monotonic() - began < BUSY and err == ""
    finally:
        process.kill()
        process.wait()
