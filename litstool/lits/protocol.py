"""LTP: the engine over standard input and output, as LITS programs speak to each other.

A command is a line, its answer some lines and then ``ok``.  An error is ``err``, a line that says
what is wrong, and ``ok``; the game stays as it was.  The game line is that of the public engines:
100 pattern characters, then ``; `` and each move.

Source of the commands and of the form of the answers: the public engine blits-rs.  Differences from
it, beside those that ``ABOUT`` tells: ``undo`` at the start is an error; ``options`` has one;
``print`` gives letters, not coloured squares; there is ``stop``.

Input is read while the engine thinks, so that it hears ``stop`` and ``quit`` then.  Both have their
answer in their turn, after that of ``bestmove``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import BinaryIO

from litstool.errors import IllegalError, LitstoolError, UsageError, printable
from litstool.files.reading import Source, nearest
from litstool.files.typed import ReadAhead, Typed
from litstool.game import SWAP
from litstool.lits.board import Pattern
from litstool.lits.game import Game, Move, legal_order
from litstool.lits.notation import (
    engine_move,
    parse_move,
    pattern_named,
    read_engine_line,
    read_text,
    rows_of,
    write_engine_line,
)
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.search.control import Control

DEFAULT_SECONDS = 5.0
MOST_DEPTH = 99
_DEPTH = re.compile(r"[1-9][0-9]?", re.ASCII)
_TIME = re.compile(r"(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)", re.ASCII)
_BLANK = Pattern.from_rows(["." * 10] * 10)
_SWITCH = {"on": True, "off": False}

_TOGETHER_SECONDS = 0.3
"""A ``quit`` that comes so soon after ``bestmove`` is of one script with it, and waits."""

ABOUT = """\
newgame, play, swap and undo answer with the game line: the 100 characters of the pattern, then
"; " and each move, cells as row and column from 0.  An error is "err", a message and "ok", and
the game stays as it was.

After swap the symbols stay as they are and O is to move.  (One known engine turns the symbols
instead and keeps X to move.)  Any 10 x 10 pattern is accepted.  On equal scores the side that
placed the last piece wins."""
"""What to know of the answers."""


class Engine:
    """The state of a conversation: the game, and the line of the last ``bestmove``.

    With ``swaps`` off there is no pie rule: no swap is listed, accepted or answered.  At
    ``newgame`` all that the engine runs in a game is made ready, so that ``bestmove`` keeps to its
    time; ``on_compile`` is called where that takes more than a moment.
    """

    def __init__(
        self,
        version: str,
        seed: int = 0,
        swaps: bool = True,
        on_compile: Callable[[], None] | None = None,
    ) -> None:
        self.version = version
        self.seed = seed
        self.swaps = swaps
        self.on_compile = on_compile
        self.game: Game | None = None
        self.line: tuple[str, ...] | None = None
        self.ended = False
        self._number = 0
        self._thinking: Control | None = None
        self._thinking_since = 0.0
        self._stopped_through = 0

    def answer(self, line: str) -> list[str]:
        """The lines that answer a command; the last is ``ok`` unless it was ``quit``."""
        word, rest = [*line.split(maxsplit=1), "", ""][:2]
        before = self.game, self.line, self.swaps
        try:
            if not word:
                return ["ok"]
            if word not in COMMANDS:
                raise UsageError(f"unknown command {word!r}; {nearest(word, COMMANDS)}")
            lines = COMMANDS[word].answer(self, rest.strip())
        except Exception as error:
            # Whatever it is, the other program waits for an answer, and the game goes on.
            self.game, self.line, self.swaps = before
            return _refusal(error)
        return lines if self.ended else [*lines, "ok"]

    def run(self, stream: BinaryIO) -> Iterator[list[str]]:
        """The answers to lines of input, one by one, until ``quit`` or the end."""
        lines = ReadAhead(stream, self._hear)
        while not self.ended and (typed := lines.next()) is not None:
            self._number = typed.number
            if isinstance(typed.line, LitstoolError):
                yield _refusal(typed.line)
            else:
                yield self.answer(typed.line)

    def _hear(self, typed: Typed) -> bool:
        """Stop to think where a line says so; whether there may be more to hear.

        Called in the thread that reads.
        """
        word = typed.line.partition(" ")[0].strip() if isinstance(typed.line, str) else ""
        thinking = self._thinking
        is_late = time.monotonic() - self._thinking_since > _TOGETHER_SECONDS
        if word == "stop" or (word == "quit" and thinking is not None and is_late):
            # What is still waiting to be thought about is stopped, too.
            self._stopped_through = typed.number
            if thinking is not None:
                thinking.stop()
        return word != "quit"

    @contextmanager
    def _think(self) -> Iterator[Control]:
        """The control of what is thought about, which a line that comes meanwhile may stop."""
        control = Control()
        self._thinking_since = time.monotonic()
        self._thinking = control
        if self._stopped_through > self._number:
            control.stop()
        try:
            yield control
        finally:
            self._thinking = None

    def _playing(self) -> Game:
        if self.game is None:
            raise UsageError("no game in progress; start one with newgame")
        return self.game

    def _position(self) -> Position:
        """The position of the game; without the pie rule one in which nobody can swap any more."""
        position = self._playing().position()
        return position if self.swaps else replace(position, swapped=True)

    def _info(self, rest: str) -> list[str]:
        return [f"id litstool v{self.version}"]

    def _new_game(self, rest: str) -> list[str]:
        if rest.lower().startswith("mijnlieff"):
            raise UsageError("only Battle of LITS is played by this protocol")
        if not rest:
            game = Game(pattern=_BLANK, ordered=True)
        elif (named := pattern_named(rest)) is not None:
            game = Game(pattern=named, ordered=True)
        else:
            source = Source("the game line", rest)
            line = rest.strip().rstrip(";")
            is_line = ";" in line or "/" not in line
            game = read_engine_line(line, source) if is_line else read_text(source)
        answer = self._become(_forms_filled_in(game))
        from litstool.lits import engine

        engine.make_ready(game.position(), self.on_compile, whole_game=True)
        return answer

    def _play(self, rest: str) -> list[str]:
        if not rest:
            raise UsageError("there is no move; expected one such as L[00,01,02,10]")
        return self._with(parse_move(rest))

    def _swap(self, rest: str) -> list[str]:
        return self._with(SWAP)

    def _with(self, move: Move) -> list[str]:
        game = self._playing()
        return self._become(replace(game, moves=(*game.moves, move), ordered=True))

    def _become(self, game: Game) -> list[str]:
        """Go on with a game, if it is legal, and answer with its line."""
        game.position()
        if SWAP in game.moves and not self.swaps:
            raise UsageError("swap is off, so there is no pie rule; see options")
        self.game, self.line = game, None
        return [write_engine_line(game)]

    def _undo(self, rest: str) -> list[str]:
        game = self._playing()
        if not game.moves:
            raise UsageError("there is no move to take back")
        return self._become(game.at(len(game.moves) - 1))

    def _best_move(self, rest: str) -> list[str]:
        from litstool.lits import engine

        position = self._position()
        words = rest.split()
        if words and words[0] not in ("depth", "time"):
            raise UsageError(f"unknown limit {words[0]!r}; expected depth N or time HH:MM:SS")
        if len(words) not in (0, 2):
            raise UsageError("expected bestmove depth N or bestmove time HH:MM:SS")
        depth = _depth(words[1]) if words and words[0] == "depth" else None
        seconds = _seconds(words[1]) if words and words[0] == "time" else DEFAULT_SECONDS
        if position.is_finished:
            raise UsageError("the game is over; there is no move")
        with self._think() as control:
            if depth is not None:
                line = engine.at_depth(position, depth, self.on_compile, control)
            else:
                found = engine.choose(
                    position, time_limit=seconds, seed=self.seed, control=control,
                    on_compile=self.on_compile,
                )  # fmt: skip
                assert found.choice is not None
                line = (SWAP, *found.line) if found.choice == SWAP else found.line
        self.line = line
        return [_written(line[0])]

    def _valid_moves(self, rest: str) -> list[str]:
        position = self._position()
        moves: list[Move] = list(position.moves())
        if position.can_swap:
            moves.append(SWAP)
        return [str(len(moves)), "; ".join(engine_move(move) for move in moves)]

    def _score(self, rest: str) -> list[str]:
        return [str(self._position().margin)]

    def _print(self, rest: str) -> list[str]:
        return rows_of(self._playing())

    def _line(self, rest: str) -> list[str]:
        self._playing()
        if self.line is None:
            raise UsageError("the board changed since the last bestmove, or there was none")
        return ["; ".join(_written(move) for move in self.line)]

    def _options(self, rest: str) -> list[str]:
        words = rest.lower().split()
        if words:
            if len(words) != 2 or words[0] != "swap" or words[1] not in _SWITCH:
                raise UsageError(f"{rest!r} sets no option; expected swap on or swap off")
            swaps = _SWITCH[words[1]]
            if not swaps and self.game is not None and SWAP in self.game.moves:
                raise UsageError("the game has a swap already; take it back first")
            self.swaps, self.line = swaps, None
        return ["swap " + ("on" if self.swaps else "off")]

    def _stop(self, rest: str) -> list[str]:
        return []

    def _help(self, rest: str) -> list[str]:
        return [f"{command.form}: {command.meaning}" for command in COMMANDS.values()]

    def _quit(self, rest: str) -> list[str]:
        self.ended = True
        return []


@dataclass(frozen=True)
class Command:
    """A command: how it is written, what it does, and the method that answers it."""

    form: str
    meaning: str
    answer: Callable[[Engine, str], list[str]]


_ALL = (
    Command("info", "id NAME vVERSION", Engine._info),
    Command(
        "newgame [GAME]",
        "start from a game line or a standard board's name (none: a blank board)",
        Engine._new_game,
    ),
    Command("play MOVE", "play a move such as L[00,01,02,10], or swap", Engine._play),
    Command("swap", "the pie rule's swap: the symbols stay, and O is to move", Engine._swap),
    Command("undo", "take back the last move or swap", Engine._undo),
    Command(
        "bestmove [depth N|time HH:MM:SS]",
        "the best move found (without a limit: 5 s)",
        Engine._best_move,
    ),
    Command("stop", "while it thinks: answer with the best move so far", Engine._stop),
    Command(
        "validmoves",
        "how many legal moves there are, then the moves, swap among them",
        Engine._valid_moves,
    ),
    Command("score", "X's uncovered symbols minus O's", Engine._score),
    Command(
        "print",
        "the board in ten lines: X and O, the letters of the pieces, . for a blank",
        Engine._print,
    ),
    Command("pv", "the line of play that the last bestmove expects", Engine._line),
    Command(
        "options [swap on|off]",
        "the options and their values; or set one: swap off is no pie rule",
        Engine._options,
    ),
    Command("help", "these commands", Engine._help),
    Command("quit", "end; while it thinks, with the best move so far", Engine._quit),
)
COMMANDS = {command.form.split()[0]: command for command in _ALL}
"""The commands by their first words."""


def _forms_filled_in(game: Game) -> Game:
    """A game whose pieces, if their order is unknown, are moves in some legal order."""
    if not game.pieces:
        return game
    return replace(game, pieces=(), moves=(*legal_order(game.pieces), *game.moves), ordered=True)


def _written(text: str) -> str:
    move = parse_move(text)
    return engine_move(move) if isinstance(move, Placement) else move


def _depth(text: str) -> int:
    if _DEPTH.fullmatch(text) is None:
        raise UsageError(f"the depth {text!r} should be a whole number from 1 to {MOST_DEPTH}")
    return int(text)


def _seconds(text: str) -> float:
    match = _TIME.fullmatch(text)
    if match is None or int(match[2]) > 59 or float(match[3]) >= 60:
        raise UsageError(f"the time {text!r} should be HH:MM:SS, such as 00:00:05")
    seconds = 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])
    if seconds <= 0:
        raise UsageError("the time should be more than 0")
    return seconds


def _refusal(error: Exception) -> list[str]:
    """The answer to what cannot be done."""
    if isinstance(error, IllegalError):
        reasons = "; ".join(f"{each.rule}: {each.message}" for each in error.violations)
        text = f"not legal: {reasons}"
    elif isinstance(error, LitstoolError):
        text = error.message
    elif isinstance(error, MemoryError):
        text = "there is not enough memory for this"
    else:
        text = f"an error of litstool itself: {type(error).__name__}: {error}"
    return ["err", printable(" ".join(text.split())), "ok"]
