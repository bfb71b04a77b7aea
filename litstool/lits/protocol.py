"""LTP: the engine over standard input and output, as LITS programs speak to each other.

A command is a line, its answer some lines and then ``ok``.  An error is ``err``, a line that says
what is wrong, and ``ok``; the game stays as it was.  The game line is that of the public engines:
100 pattern characters, then ``; `` and each move.

Source of the commands and of the form of the answers: the public engine blits-rs.  Differences from
it: any 10 x 10 pattern is accepted, with or without half-turn symmetry; ``undo`` at the start is an
error; on equal scores the last piece wins; after ``swap`` the symbols stay as they are and O is to
move, where that engine turns the symbols and keeps X to move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from litstool.errors import IllegalError, LitstoolError, UsageError
from litstool.files import Source, nearest
from litstool.lits.board import Pattern
from litstool.lits.game import SWAP, Game, Move, legal_order
from litstool.lits.notation import (
    engine_move,
    parse_move,
    pattern_named,
    read_engine_line,
    read_text,
    write_engine_line,
)
from litstool.lits.placements import Placement

DEFAULT_SECONDS = 5.0
MOST_DEPTH = 99
_TIME = re.compile(r"(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,6})?)", re.ASCII)
_BLANK = Pattern.from_rows(["." * 10] * 10)

HELP = {
    "info": "id NAME vVERSION",
    "newgame [GAME]": "start from a game line or a standard board's name (none: a blank board)",
    "play MOVE": "play a move such as L[00,01,02,10], or swap",
    "swap": "the pie rule's swap: the symbols stay, and O is to move",
    "undo": "take back the last move or swap",
    "bestmove [depth N | time HH:MM:SS]": "the best move found",
    "validmoves": "how many legal moves there are, then the moves",
    "score": "X's uncovered symbols minus O's",
    "pv": "the line of play that the last bestmove expects",
    "quit": "end",
}


class Engine:
    """The state of a conversation: the game, and the line of the last ``bestmove``."""

    def __init__(self, version: str, seed: int = 0) -> None:
        self.version = version
        self.seed = seed
        self.game: Game | None = None
        self.line: tuple[str, ...] | None = None
        self.ended = False
        self.commands: dict[str, Callable[[str], list[str]]] = {
            "info": self._info,
            "newgame": self._new_game,
            "play": self._play,
            "swap": self._swap,
            "undo": self._undo,
            "bestmove": self._best_move,
            "validmoves": self._valid_moves,
            "score": self._score,
            "pv": self._line,
            "options": self._options,
            "help": self._help,
            "quit": self._quit,
        }

    def answer(self, line: str) -> list[str]:
        """The lines that answer a command; the last is ``ok`` unless it was ``quit``."""
        word, _, rest = line.strip().partition(" ")
        try:
            if not word:
                return ["ok"]
            if word not in self.commands:
                raise UsageError(f"unknown command {word!r}; {nearest(word, self.commands)}")
            lines = self.commands[word](rest.strip())
        except IllegalError as error:
            reasons = "; ".join(f"{each.rule}: {each.message}" for each in error.violations)
            return ["err", _one_line(f"not legal: {reasons}"), "ok"]
        except LitstoolError as error:
            return ["err", _one_line(error.message), "ok"]
        return lines if self.ended else [*lines, "ok"]

    def run(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """The answers to lines of input, one by one, until ``quit`` or the end."""
        for line in lines:
            yield self.answer(line)
            if self.ended:
                return

    def _playing(self) -> Game:
        if self.game is None:
            raise UsageError("no game in progress; start one with newgame")
        return self.game

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
        game = _forms_filled_in(game)
        game.position()
        text = write_engine_line(game)
        self.game, self.line = game, None
        return [text]

    def _play(self, rest: str) -> list[str]:
        if not rest:
            raise UsageError("there is no move; expected one such as L[00,01,02,10]")
        return self._with(parse_move(rest))

    def _swap(self, rest: str) -> list[str]:
        return self._with(SWAP)

    def _with(self, move: Move) -> list[str]:
        game = self._playing()
        game = replace(game, moves=(*game.moves, move), ordered=True)
        game.position()
        self.game, self.line = game, None
        return [write_engine_line(game)]

    def _undo(self, rest: str) -> list[str]:
        game = self._playing()
        if not game.moves:
            raise UsageError("there is no move to take back")
        self.game, self.line = game.at(len(game.moves) - 1), None
        return [write_engine_line(self.game)]

    def _best_move(self, rest: str) -> list[str]:
        from litstool.lits import engine

        position = self._playing().position()
        words = rest.split()
        if words and words[0] not in ("depth", "time"):
            raise UsageError(f"unknown limit {words[0]!r}; expected depth N or time HH:MM:SS")
        if len(words) not in (0, 2):
            raise UsageError("expected bestmove depth N or bestmove time HH:MM:SS")
        depth = _depth(words[1]) if words and words[0] == "depth" else None
        seconds = _seconds(words[1]) if words and words[0] == "time" else DEFAULT_SECONDS
        if position.is_finished:
            raise UsageError("the game is over; there is no move")
        if depth is not None:
            line = engine.at_depth(position, depth)
        else:
            found = engine.choose(position, time_limit=seconds, seed=self.seed)
            assert found.choice is not None
            line = (SWAP, *found.line) if found.choice == SWAP else found.line
        self.line = line
        return [_written(line[0])]

    def _valid_moves(self, rest: str) -> list[str]:
        moves = list(self._playing().position().moves())
        return [str(len(moves)), "; ".join(engine_move(move) for move in moves)]

    def _score(self, rest: str) -> list[str]:
        return [str(self._playing().position().margin)]

    def _line(self, rest: str) -> list[str]:
        self._playing()
        if self.line is None:
            raise UsageError("the board changed since the last bestmove, or there was none")
        return ["; ".join(_written(move) for move in self.line)]

    def _options(self, rest: str) -> list[str]:
        return []

    def _help(self, rest: str) -> list[str]:
        return [f"{command}: {meaning}" for command, meaning in HELP.items()]

    def _quit(self, rest: str) -> list[str]:
        self.ended = True
        return []


def _forms_filled_in(game: Game) -> Game:
    """A game whose pieces, if their order is unknown, are moves in some legal order."""
    if not game.pieces:
        return game
    return replace(game, pieces=(), moves=(*legal_order(game.pieces), *game.moves), ordered=True)


def _written(text: str) -> str:
    move = parse_move(text)
    return engine_move(move) if isinstance(move, Placement) else move


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= MOST_DEPTH:
        raise UsageError(f"the depth {text!r} should be a whole number from 1 to {MOST_DEPTH}")
    return int(text)


def _seconds(text: str) -> float:
    match = _TIME.fullmatch(text)
    if match is None:
        raise UsageError(f"the time {text!r} should be HH:MM:SS, such as 00:00:05")
    seconds = 3600 * int(match[1]) + 60 * int(match[2]) + float(match[3])
    if seconds <= 0:
        raise UsageError("the time should be more than 0")
    return seconds


def _one_line(text: str) -> str:
    return " ".join(text.split())
