"""``litstool play``: a game in the terminal."""

from __future__ import annotations

import shlex
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    SEED,
    YES,
    announce_compiling,
    complete_position,
    positive,
    print_json,
    progress_line,
    subcommand,
)
from litstool.cli.keyboard import Endings, EndOfInput, line_reader
from litstool.cli.screen import ascii_option, drawn, screen_of, showable
from litstool.draw.picture import Picture
from litstool.errors import IllegalError, LitstoolError, NotationError, UsageError, printable
from litstool.files.reading import exists, nearest, write_yaml
from litstool.grid import Cell
from litstool.say import results
from litstool.say.moves import listed
from litstool.say.position import snapshot_of
from litstool.search.analysis import Analysis
from litstool.search.control import Control, Progress
from litstool.tasks.play import ENGINE, LEVELS, PERSON, SEATS, Table, check_place

DEFAULT_BOARD = "boxes"

_OF_THE_GAME = {
    games.LITS: {
        "MOVE": "play it: L:a1,b1,c1,a2 or L a1 b1 c1 a2, or its four cells a1 b1 c1 a2",
        "swap": "the pie rule: take over X and the first piece instead of moving",
        "moves [L|I|T|S] [CELL]": "the legal moves, best gain first (20; 'moves all' for all)",
    },
    games.MIJNLIEFF: {
        "MOVE": "play it: straight@b3, diagonal@a1 ... or short: S@b3, D@a1, P@c2, L@d4",
        "moves [KIND] [CELL]": "the legal moves, best gain first (20; 'moves all' for all)",
    },
}
_OF_ANY_GAME = {
    "undo": "take your last move back, and the engine's answer",
    "hint": "what the engine would play here",
    "show": "the board again",
    "save FILE": "write the game to a file",
    "level NAME": f"the engine's strength: {', '.join(LEVELS)}",
    "quit": "stop; the game is saved",
}


def commands(game: str) -> dict[str, str]:
    """What can be typed in a game and what it does."""
    return {**_OF_THE_GAME[game], **_OF_ANY_GAME}


def command_words(game: str) -> list[str]:
    """The first words of the commands."""
    return [*(name.split()[0] for name in commands(game) if name != "MOVE"), "help"]


@subcommand("play")
@ascii_option
@click.argument(
    "argument", metavar="[POSITION]", default=DEFAULT_BOARD, shell_complete=complete_position
)
@click.option(
    "--engine",
    "engine_seat",
    type=click.Choice([*SEATS, "both", "none"]),
    default="second",
    show_default=True,
    help="Which player the engine is; none for two people.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="strong",
    show_default=True,
    help="random: any move; greedy: most points at once; quick: 0.2 s; strong: --time.",
)
@click.option(
    "--time",
    "seconds",
    type=float,
    default=2.0,
    show_default=True,
    callback=positive,
    metavar="S",
    help="Seconds the engine may think about a move.",
)
@click.option(
    "--save",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the game in FILE (.yaml or .json) after every move: a new one, or this game's.",
)
@click.option("--seed", type=SEED, help="Make the engine's choices repeatable.")
def command(
    argument: str,
    engine_seat: str,
    level: str,
    seconds: float,
    path: Path | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Play a game against the engine or another person, in the terminal.

    POSITION is where to begin: a standard board (boxes if left out), a game to go on with, or any
    position of Battle of LITS or Mijnlieff.  A move is typed in the notation or as its four cells;
    "help" lists the commands.  The first player has X until the pie rule's swap.

    Nothing is lost on Ctrl-C, at the end of the input, or whatever else ends the game: it is
    written to the --save file, or to a new file of the current folder (if that cannot be, at home
    or among the temporary files), and the command to go on with it is printed.

    \b
    Examples:
      litstool play
      litstool play stripes --engine first --level quick
      litstool play monogram --engine none --save evening.yaml
      litstool play evening.yaml --time 10

    With --json the conversation is on standard error, and the game is printed at the end.
    """
    source, record = games.load(argument)
    try:
        record.position()
    except IllegalError as error:
        raise IllegalError(error.violations, source.name) from None
    if path is not None:
        _check_place(path, argument)
    seats = {"both": SEATS, "none": ()}.get(engine_seat, (engine_seat,))
    players = {seat: ENGINE if seat in seats else PERSON for seat in SEATS}
    chosen = int(time.time()) if seed is None else seed
    table = Table(record, players, level, seconds, chosen)
    read = line_reader(partial(_completions, table))
    return _Conversation(table, path, as_json, read).run()


def _check_place(path: Path, argument: str) -> None:
    """See before the game that it can be kept in a file, and that nothing else is lost by it.

    :raises UsageError: another game or anything else is there.
    :raises WriteError: nothing can be written there.
    """
    if exists(path) and not (exists(argument) and path.samefile(argument)):
        raise UsageError(
            f"--save {path}: the file is there already; give a new name, or go on with that game: "
            f"litstool play {path} --save {path}"
        )
    check_place(path)


def _completions(table: Table) -> list[str]:
    """What can be typed now: the commands and the legal moves."""
    return [*command_words(table.record.game), *map(_written, table.position.moves())]


def _written(move: Any) -> str:
    return move if isinstance(move, str) else str(move.notation)


def introduction(table: Table) -> Iterator[str]:
    """Whom one plays, and what to type."""
    sides = table.sides
    people = [seat for seat in SEATS if table.players[seat] == PERSON]
    strength = f"level {table.level}" + (
        f", {table.seconds:g} s a move" if table.level == "strong" else ""
    )
    if len(people) == 1:
        (you,) = people
        other = next(seat for seat in SEATS if seat != you)
        yield (
            f"You are the {you} player and have {sides[you]}; the engine ({strength}) is the "
            f"{other} player and has {sides[other]}."
        )
    elif people:
        yield f"Two people play: {_both(sides)}."
    else:
        yield f"The engine ({strength}) plays itself: {_both(sides)}."
    if not people or table.position.is_finished:
        return
    example = _written(next(iter(table.position.moves())))
    shape, colon, cells = example.partition(":")
    also = f" or {shape} {cells.replace(',', ' ')}" if colon else ""
    yield (
        f"Type a move, such as {example}{also}. Type moves for the legal moves, help for all that "
        "can be typed, quit to stop; the game is saved then."
    )


def _both(sides: dict[str, str]) -> str:
    return ", ".join(f"the {seat} player has {sides[seat]}" for seat in SEATS)


class _Leave(Exception):
    """The person wants to stop."""


@dataclass
class _Conversation:
    """A game being played: asks, answers and prints.

    ``kept`` are the moves that some file has, ``kept_in`` the file that this conversation wrote
    them to.  Only the files of this game, ``own``, are ever written over.
    """

    table: Table
    path: Path | None
    as_json: bool
    read: Callable[[str], str]
    kept: tuple[Any, ...] = field(init=False)
    kept_in: Path | None = None
    own: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.kept = self.table.record.moves
        if self.path is not None and exists(self.path):
            self.own.add(self.path)

    def say(self, text: str = "") -> None:
        """Print a line as it is."""
        stream = sys.stderr if self.as_json else sys.stdout
        click.echo(showable(text, stream), file=stream)

    def tell(self, text: str, indent: int = 0) -> None:
        """Print words, broken between them where the terminal is narrower; later lines indented."""
        width = screen_of(sys.stderr if self.as_json else sys.stdout).width
        if width is None:
            self.say(text)
            return
        for line in textwrap.wrap(
            text, max(width - 1, indent + 20), subsequent_indent=" " * indent,
            break_long_words=False, break_on_hyphens=False,
        ):  # fmt: skip
            self.say(line)

    def run(self) -> int:
        """Play to the end or until the person leaves; the exit status.

        Whatever ends it, the game is kept.
        """
        status = YES
        with Endings() as endings:
            try:
                self.play()
            except (_Leave, EndOfInput):
                pass
            except KeyboardInterrupt:
                status = INTERRUPTED
            except Exception:
                if not endings.heard:
                    raise
                # What was broken off says so in its own words.
                status = INTERRUPTED
            finally:
                endings.deaf = True
                self.keep()
            if self.as_json:
                self.print_document()
        return status

    def play(self) -> None:
        """Play until the game is over."""
        for text in introduction(self.table):
            self.tell(text)
        self.show()
        while not self.table.position.is_finished:
            if self.table.is_engines_turn:
                self.engine_moves()
            else:
                self.person_moves()
        self.tell_result()

    # -- moves ---------------------------------------------------------------------------------

    def engine_moves(self) -> None:
        side, seat = self.table.position.to_move, self.table.seat
        with progress_line(_thinking) as on_progress:
            control = Control(on_progress=on_progress)
            text, found = self.table.think(control, announce_compiling)
        if control.interrupted:
            raise KeyboardInterrupt
        text = self.table.play(text)
        told = f"{side} (engine, {seat} player): {text}"
        if found is not None:
            told += f"   [{estimate(found, self.table)}]"
        self.say(told)
        self.after_move()

    def person_moves(self) -> None:
        position = self.table.position
        swap = " (or swap)" if getattr(position, "can_swap", False) else ""
        word = ""
        try:
            line = " ".join(self.read(f"{position.to_move} to move{swap}> ").split())
            word, _, rest = line.partition(" ")
            if line and not self.obey(word.lower(), rest):
                played = self.table.play(line)
                self.say(f"{position.to_move}: {played}")
                self.after_move()
        except NotationError as error:
            hint = nearest(word, command_words(self.table.record.game)) if word.isalpha() else ""
            self.tell(hint if hint.startswith("did") else f"{error}; type help for the commands")
        except IllegalError as error:
            self.say("That is not legal:")
            for fault in error.violations:
                self.tell(f"  {fault.rule}: {printable(fault.message)}", 4)
        except LitstoolError as error:
            self.tell(str(error))

    def after_move(self) -> None:
        if self.path is not None:
            try:
                self.save(self.path)
            except LitstoolError as error:
                self.tell(f"The game could not be saved: {error}")
        if not self.table.is_engines_turn or self.table.position.is_finished:
            self.show()

    # -- commands ------------------------------------------------------------------------------

    def obey(self, word: str, rest: str) -> bool:
        """Do what a command says; False where the word is none."""
        if word in ("quit", "exit", "q"):
            raise _Leave
        if word in ("help", "?"):
            for name, meaning in commands(self.table.record.game).items():
                self.tell(f"  {name:<24}{meaning}", 26)
        elif word == "show" and not rest:
            self.show()
        elif word == "undo" and not rest:
            count = self.table.undo()
            self.say(f"{count} move{'s' * (count != 1)} taken back")
            self.after_move()
        elif word == "hint" and not rest:
            with progress_line(_thinking) as on_progress:
                control = Control(on_progress=on_progress)
                found = self.table.hint(control, announce_compiling)
            if control.interrupted:
                raise KeyboardInterrupt
            self.say(f"Hint: {found.choice}   [{estimate(found, self.table)}]")
        elif word == "moves":
            self.moves(rest.split())
        elif word == "save":
            path = Path(rest) if rest else self.path
            if path is None:
                self.say("save where? Give a file, such as: save game.yaml")
            else:
                self.save(path)
                self.say(f"Saved. To go on later: {_command('play', path)}")
        elif word == "level":
            if rest.lower() not in LEVELS:
                self.tell(printable(f"{rest!r} is no level; {nearest(rest, LEVELS)}"))
            else:
                self.table.level = rest.lower()
                self.say(f"The engine now plays at level {self.table.level}")
        else:
            return False
        return True

    def moves(self, words: list[str]) -> None:
        outline = self.table.position.outline
        most: int | None = 20
        shape: str | None = None
        cells = []
        for word in words:
            cell = Cell.parse(word)
            if word.lower() == "all":
                most = None
            elif cell is not None and cell not in outline:
                raise UsageError(f"{word!r} is no cell of this board")
            elif cell is not None:
                cells.append(cell)
            elif shape is not None:
                raise UsageError(f"{word!r} is one too many: moves takes one shape, and cells")
            else:
                shape = word
        lines = listed(self.table.game, self.table.position, shape, cells, "gain").lines
        count = len(lines) - 1
        shown = lines if most is None or count <= most else lines[:most]
        for line in shown:
            self.say(line)
        if len(shown) < len(lines):
            self.say(f"… {count} moves in all")

    # -- what is shown -------------------------------------------------------------------------

    def show(self) -> None:
        stream = sys.stderr if self.as_json else sys.stdout
        self.say()
        for line in drawn(Picture.of(snapshot_of(self.table.record, [])), stream):
            self.say(line)
        self.say()

    def tell_result(self) -> None:
        won = self.table.winner
        assert won is not None
        side, seat = won
        told = results.won(side, self.table.position.margin)
        if seat is None:
            self.say(f"The game is over: {told}.")
            return
        who = "the engine" if self.table.players[seat] == ENGINE else "you"
        if len(set(self.table.players.values())) == 1:
            who = f"the {seat} player"
        self.say(f"The game is over: {told} ({who}).")

    def save(self, path: Path) -> None:
        """Write the game to a file of its own: a new one, or one that it was written to before.

        :raises LitstoolError: it cannot be written, or something else is there.
        """
        self.table.save(path, new=path not in self.own)
        self.own.add(path)
        moves = self.table.record.moves
        if self.kept_in is None or self.kept != moves:
            self.kept, self.kept_in = moves, path

    def keep(self) -> None:
        """Lose nothing: save what is not saved yet, or print it, and say how to go on."""
        table = self.table
        if table.record.moves and table.record.moves != self.kept:
            places = [table.save_somewhere]
            if self.path is not None:
                places.insert(0, partial(self._save_in, self.path))
            for place in places:
                try:
                    self.kept_in = place()
                    break
                except Exception as error:
                    self.leave_word(f"The game could not be saved: {error}")
            else:
                self.leave_word("Here it is:", write_yaml(table.document()))
                return
        if self.kept_in is None:
            return
        go_on = "To go on:", "play"
        if table.position.is_finished:
            go_on = "To look at it again:", "analyze"
        self.leave_word(
            f"Saved as {printable(str(self.kept_in))}.",
            f"{go_on[0]} {_command(go_on[1], self.kept_in)}",
        )

    def _save_in(self, path: Path) -> Path:
        self.save(path)
        return path

    def leave_word(self, *lines: str) -> None:
        """Print lines at the end of the game to whatever can still be written to."""
        streams = [sys.stdout, sys.stderr]
        for stream in reversed(streams) if self.as_json else streams:
            try:
                if stream is not None:
                    for line in lines:
                        click.echo(line, file=stream)
                    return
            except (OSError, ValueError):
                continue

    def print_document(self) -> None:
        won = self.table.winner
        notation = games.room(self.table.record.game, "notation")
        print_json(
            {
                "game": notation.write_document(self.table.record),
                "finished": won is not None,
                "winner": won[0] if won else None,
                "winning_player": won[1] if won else None,
                "engine": [seat for seat in SEATS if self.table.players[seat] == ENGINE],
            }
        )


def _command(name: str, path: Path) -> str:
    """What to type in a shell to go on with a file."""
    return printable(f"litstool {name} {shlex.quote(str(path))}")


def _thinking(progress: Progress) -> str:
    return f"thinking, {progress.seconds:.0f} s" + (
        f", best {progress.best}" if progress.best else ""
    )


def estimate(found: Analysis, table: Table) -> str:
    """What an engine thinks of its move, in a few words."""
    chosen = next((each for each in found.moves if each.move == found.choice), None)
    if found.winner is not None and (chosen is None or chosen.exact):
        return f"{results.won(found.winner, found.margin)}, exactly"
    sides = table.game.sides
    if chosen is not None and chosen.win_rate is not None:
        return results.worth_of_move(chosen, sides, found.to_move)
    return results.verdict(found, sides)
