"""What is said at the table: what can be typed, what happens, how it ends and how to go on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from litstool.errors import printable
from litstool.files.reading import nearest, write_yaml
from litstool.game import SEATS
from litstool.say import results
from litstool.say.moves import listed
from litstool.search.analysis import Analysis
from litstool.search.control import Progress
from litstool.tasks.conversation import (
    Begun,
    Event,
    HelpAsked,
    Hinted,
    Kept,
    LevelSet,
    MovesAsked,
    NoMove,
    NotKept,
    NotLegal,
    NotSaved,
    Over,
    Played,
    Refused,
    Saved,
    Undone,
)
from litstool.tasks.play import ENGINE, LEVELS, PERSON, Table

_OF_ANY_GAME = {
    "undo": "take your last move back, and the engine's answer",
    "hint": "what the engine would play here",
    "show": "the board again",
    "save FILE": "write the game to a file",
    "level NAME": f"the engine's strength: {', '.join(LEVELS)}",
    "quit": "stop; the game is saved",
}
_COLUMN = 24
_MOST_MOVES = 20


class Line(NamedTuple):
    """A line of what is said.

    ``indent`` is how far it is set in where it goes on below; None where it stays as it is.
    """

    text: str
    indent: int | None = 0


def commands(table: Table) -> dict[str, str]:
    """What can be typed and what it does."""
    kinds = table.game.kinds
    kind = "|".join(kinds) if all(len(each) == 1 for each in kinds) else "KIND"
    best = f"the legal moves, best gain first ({_MOST_MOVES}; 'moves all' for all)"
    usual = "play it, as moves writes it"
    return {"MOVE": usual, **table.game.typed, f"moves [{kind}] [CELL]": best, **_OF_ANY_GAME}


def command_words(table: Table) -> list[str]:
    """The first words of the commands."""
    return [*(name.split()[0] for name in commands(table) if name != "MOVE"), "help"]


def completions(table: Table) -> list[str]:
    """What can be typed now: the commands and the legal moves."""
    return [*command_words(table), *table.moves()]


def question(table: Table) -> str:
    """Who is asked for a move."""
    swap = " (or swap)" if table.position.can_swap else ""
    return f"{table.position.to_move} to move{swap}> "


def thinking(progress: Progress) -> str:
    """How far the engine is."""
    best = f", best {progress.best}" if progress.best else ""
    return f"thinking, {progress.seconds:.0f} s{best}"


def told(event: Event, table: Table) -> Iterator[Line]:
    """What is said of an event; nothing of a wish to see the board.

    :raises UsageError: moves of no kind of piece are asked for.
    """
    match event:
        case Begun():
            yield from _introduction(table)
        case HelpAsked():
            for name, meaning in commands(table).items():
                yield Line(f"  {name:<{_COLUMN}}{meaning}", _COLUMN + 2)
        case MovesAsked():
            yield from _moves(event, table)
        case Played(side, move, None, _):
            yield Line(f"{side}: {move}", None)
        case Played(side, move, seat, found):
            worth = "" if found is None else f"   [{estimate(found, table)}]"
            yield Line(f"{side} (engine, {seat} player): {move}{worth}", None)
        case Undone(count):
            yield Line(f"{count} move{'s' * (count != 1)} taken back", None)
        case Hinted(found):
            yield Line(f"Hint: {found.choice}   [{estimate(found, table)}]", None)
        case LevelSet(level):
            yield Line(f"The engine now plays at level {level}", None)
        case Saved(path):
            yield Line(f"Saved. To go on later: {_command('play', path)}", None)
        case NoMove(word, error):
            hint = nearest(word, command_words(table)) if word.isalpha() else ""
            usual = f"{error}; type help for the commands"
            yield Line(hint if hint.startswith("did") else usual)
        case NotLegal(error):
            yield Line("That is not legal:", None)
            for fault in error.violations:
                yield Line(f"  {fault.rule}: {printable(fault.message)}", 4)
        case Refused(error):
            yield Line(str(error))
        case Over():
            yield Line(_result(event, table), None)
        case NotSaved(error):
            yield Line(f"The game could not be saved: {error}")
        case Kept(path):
            yield Line(f"Saved as {printable(str(path))}.", None)
            go_on = f"To go on: {_command('play', path)}"
            again = f"To look at it again: {_command('analyze', path)}"
            yield Line(again if table.position.is_finished else go_on, None)
        case NotKept(document):
            yield Line("Here it is:", None)
            yield Line(write_yaml(document), None)


def _introduction(table: Table) -> Iterator[Line]:
    """Whom one plays, and what to type."""
    sides = table.sides
    people = [seat for seat in SEATS if table.players[seat] == PERSON]
    seconds = f", {table.seconds:g} s a move" if table.level == "strong" else ""
    strength = f"level {table.level}{seconds}"
    both = ", ".join(f"the {seat} player has {sides[seat]}" for seat in SEATS)
    if len(people) == 1:
        (you,) = people
        other = next(seat for seat in SEATS if seat != you)
        yield Line(
            f"You are the {you} player and have {sides[you]}; the engine ({strength}) is the "
            f"{other} player and has {sides[other]}."
        )
    elif people:
        yield Line(f"Two people play: {both}.")
    else:
        yield Line(f"The engine ({strength}) plays itself: {both}.")
    if not people or table.position.is_finished:
        return
    example = next(table.moves())
    kind, colon, cells = example.partition(":")
    also = f" or {kind} {cells.replace(',', ' ')}" if colon else ""
    yield Line(
        f"Type a move, such as {example}{also}. Type moves for the legal moves, help for all that "
        "can be typed, quit to stop; the game is saved then."
    )


def _moves(asked: MovesAsked, table: Table) -> Iterator[Line]:
    """The legal moves, the best first."""
    found = listed(table.game, table.position, asked.kind, asked.cells, "gain")
    count = len(found.moves)
    is_cut = not asked.all and count > _MOST_MOVES
    for line in found.lines[:_MOST_MOVES] if is_cut else found.lines:
        yield Line(line, None)
    if is_cut:
        yield Line(f"… {count} moves in all", None)


def _result(over: Over, table: Table) -> str:
    """Who has won, and who that is."""
    result = results.won(over.side, table.position.margin)
    if over.seat is None:
        return f"The game is over: {result}."
    who = "the engine" if table.players[over.seat] == ENGINE else "you"
    if len(set(table.players.values())) == 1:
        who = f"the {over.seat} player"
    return f"The game is over: {result} ({who})."


def estimate(found: Analysis, table: Table) -> str:
    """What an engine thinks of its move, in a few words."""
    sides = table.game.sides
    chosen = next((each for each in found.moves if each.move == found.choice), None)
    proven = found.exact and (chosen is None or chosen.exact)
    if proven or chosen is None or chosen.win_rate is None:
        return results.verdict(found, sides)
    return results.worth_of_move(chosen, sides, found.to_move)


def document(table: Table) -> dict[str, object]:
    """The document of ``play --json``."""
    won = table.winner
    return {
        "game": table.game.notation().write_document(table.record),
        "finished": won is not None,
        "winner": won[0] if won else None,
        "winning_player": won[1] if won else None,
        "engine": [seat for seat in SEATS if table.players[seat] == ENGINE],
    }


def _command(name: str, path: Path) -> str:
    """What to type in a shell to go on with a file."""
    return printable(f"litstool {name} {shlex.quote(str(path))}")
