"""``litstool play``: a game in the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from litstool import games
from litstool.analysis import Analysis
from litstool.cli.common import (
    INTERRUPTED,
    YES,
    announce_compiling,
    complete_position,
    note,
    positive,
    print_json,
    progress_line,
    subcommand,
)
from litstool.cli.screen import ascii_option, drawn, showable
from litstool.errors import IllegalError, LitstoolError, NotationError, UsageError
from litstool.files import exists, nearest, write_yaml
from litstool.play import ENGINE, LEVELS, PERSON, SEATS, Table, check_place
from litstool.results import Control, Progress
from litstool.say import results
from litstool.say.people import sides_of

DEFAULT_BOARD = "boxes"

_OF_THE_GAME = {
    games.LITS: {
        "MOVE": "play it: L:a1,b1,c1,a2, or its four cells a1 b1 c1 a2",
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
@click.option("--seed", type=int, help="Make the engine's choices repeatable.")
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

    Nothing is lost on Ctrl-C or at the end of the input: the game is written to the --save file, or
    to a new file of the current folder, and the command to go on with it is printed.

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
    return _Conversation(table, path, as_json, _reader(table)).run()


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


def _reader(table: Table) -> Callable[[str], str]:
    """How a line is asked for: with editing and completion in a terminal, else plainly.

    Raises EOFError at the end of the input.
    """
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import WordCompleter

        def words() -> list[str]:
            moves = [
                each if isinstance(each, str) else each.notation for each in table.position.moves()
            ]
            return [*command_words(table.record.game), *moves]

        session: Any = PromptSession(
            completer=WordCompleter(words, sentence=True), complete_while_typing=False
        )
        return lambda prompt: str(session.prompt(prompt))

    def read(prompt: str) -> str:
        click.echo(prompt, nl=False, err=True)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise EOFError
        # So that what is on the screen or in a log reads as it would at a keyboard.
        click.echo(line.rstrip("\n"), err=True)
        return line

    return read


class _Leave(Exception):
    """The person wants to stop."""


@dataclass
class _Conversation:
    """A game being played: asks, answers and prints."""

    table: Table
    path: Path | None
    as_json: bool
    read: Callable[[str], str]
    saved_moves: int = field(init=False)
    saved_as: Path | None = None

    def __post_init__(self) -> None:
        self.saved_moves = len(self.table.record.moves)

    def say(self, text: str = "") -> None:
        stream = sys.stderr if self.as_json else sys.stdout
        click.echo(showable(text, stream), file=stream)

    def run(self) -> int:
        """Play to the end or until the person leaves; the exit status."""
        status = YES
        try:
            self.show()
            while not self.table.position.is_finished:
                if self.table.is_engines_turn:
                    self.engine_moves()
                else:
                    self.person_moves()
            self.tell_result()
        except (_Leave, EOFError):
            pass
        except KeyboardInterrupt:
            status = INTERRUPTED
        self.keep()
        if self.as_json:
            self.print_document()
        return status

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
        line = " ".join(self.read(f"{position.to_move} to move{swap}> ").split())
        word, _, rest = line.partition(" ")
        if not line:
            return
        try:
            if not self.obey(word.lower(), rest):
                played = self.table.play(line)
                self.say(f"{position.to_move}: {played}")
                self.after_move()
        except NotationError as error:
            hint = nearest(word, command_words(self.table.record.game)) if word.isalpha() else ""
            self.say(hint if hint.startswith("did") else f"{error}; type help for the commands")
        except IllegalError as error:
            self.say("That is not legal:")
            for fault in error.violations:
                self.say(f"  {fault.rule}: {fault.message}")
        except LitstoolError as error:
            self.say(str(error))

    def after_move(self) -> None:
        if self.path is not None:
            try:
                self.table.save(self.path)
                self.saved_moves = len(self.table.record.moves)
            except LitstoolError as error:
                note(f"the game could not be saved: {error}")
        if not self.table.is_engines_turn or self.table.position.is_finished:
            self.show()

    # -- commands ------------------------------------------------------------------------------

    def obey(self, word: str, rest: str) -> bool:
        """Do what a command says; False where the word is none."""
        if word in ("quit", "exit", "q"):
            raise _Leave
        if word in ("help", "?"):
            for name, meaning in commands(self.table.record.game).items():
                self.say(f"  {name:<24}{meaning}")
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
                return True
            if path.exists() and path not in (self.path, self.saved_as):
                self.say(f"{path} is there already; give a new name")
                return True
            self.table.save(path)
            self.saved_as = path
            self.saved_moves = len(self.table.record.moves)
            self.say(f"Saved. To go on later: litstool play {path}")
        elif word == "level":
            if rest.lower() not in LEVELS:
                self.say(f"{rest!r} is no level; {nearest(rest, LEVELS)}")
            else:
                self.table.level = rest.lower()
                self.say(f"The engine now plays at level {self.table.level}")
        else:
            return False
        return True

    def moves(self, words: list[str]) -> None:
        from litstool.grid import Cell

        most: int | None = 20
        shape: str | None = None
        cells = []
        for word in words:
            cell = Cell.parse(word)
            if word.lower() == "all":
                most = None
            elif cell is not None:
                cells.append(cell)
            else:
                shape = word
        listing = games.room(self.table.record.game, "listing")
        document, lines = listing.moves(self.table.position, shape, cells, "gain")
        count = int(document["count"])
        shown = lines if most is None or count <= most else lines[:most]
        for line in shown:
            self.say(line)
        if len(shown) < len(lines):
            self.say(f"… {count} moves in all")

    # -- what is shown -------------------------------------------------------------------------

    def show(self) -> None:
        drawing = games.drawing(self.table.record.game)
        stream = sys.stderr if self.as_json else sys.stdout
        self.say()
        for line in drawn(drawing.picture(self.table.record, []), stream):
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

    def keep(self) -> None:
        """Lose nothing: save what is not saved yet, and say how to go on."""
        table = self.table
        count = len(table.record.moves)
        if count == 0 or (self.saved_moves == count and self.path is None):
            return
        fresh = Path(time.strftime("litstool-%Y%m%d-%H%M%S.yaml"))
        for path in (self.path or fresh, fresh):
            try:
                table.save(path)
                break
            except LitstoolError as error:
                note(f"the game could not be saved: {error}")
        else:
            note("here it is:")
            note(write_yaml(table.document()))
            return
        if table.position.is_finished:
            self.say(f"Saved as {path}. To look at it again: litstool analyze {path}")
        else:
            self.say(f"Saved as {path}. To go on: litstool play {path}")

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


def _thinking(progress: Progress) -> str:
    return f"thinking, {progress.seconds:.0f} s" + (
        f", best {progress.best}" if progress.best else ""
    )


def estimate(found: Analysis, table: Table) -> str:
    """What an engine thinks of its move, in a few words."""
    chosen = next((each for each in found.moves if each.move == found.choice), None)
    if found.winner is not None and (chosen is None or chosen.exact):
        return f"{results.won(found.winner, found.margin)}, exactly"
    sides = sides_of(table.record)
    if chosen is not None and chosen.win_rate is not None:
        return results.worth_of_move(chosen, sides, found.to_move)
    return results.verdict(found, sides)
