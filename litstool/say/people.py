"""Who plays which side, and who of them has won.

The pie rule makes the two people change places, so that a file's first player may end up with the
second side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from litstool import games
from litstool.errors import printable
from litstool.say.results import won

SEATS = ("first", "second")
"""The keys of the players in a game's file: who begins, and who answers."""


@dataclass(frozen=True)
class Person:
    """Who plays a side at the end of a record: the seat, and the name where the record has one."""

    seat: str
    name: str | None
    swapped: bool

    def __str__(self) -> str:
        return self.name or f"the {self.seat} player"


def sides_of(record: Any) -> tuple[str, str]:
    """The sides of a record's game, the one named first in front."""
    first, second = games.room(record.game, "board").SIDES
    return first, second


def people(record: Any) -> dict[str, Person]:
    """Who plays each side after the moves of a record."""
    swapped = bool(getattr(record.position_as_written(), "swapped", False))
    seats = reversed(SEATS) if swapped else iter(SEATS)
    names = {seat: printable(name) for seat, name in record.players.items()}
    return {
        side: Person(seat, names.get(seat), swapped)
        for side, seat in zip(sides_of(record), seats, strict=True)
    }


def players_line(record: Any) -> str | None:
    """Who plays which side: ``X: Bela (second player, after the swap), O: Ada``.

    None where the record names nobody and nobody has swapped: the first player has the first side.
    """
    found = people(record)
    if not any(person.name or person.swapped for person in found.values()):
        return None
    parts = []
    for side, person in found.items():
        told = f"{side}: {person}"
        if person.swapped and person.seat == SEATS[1]:
            told += f" ({'second player, ' if person.name else ''}after the swap)"
        parts.append(told)
    return ", ".join(parts)


def result_line(record: Any) -> str | None:
    """The result of a finished record, its winner named: ``X (Bela) wins by 3``.

    None where the game is not over.
    """
    position = record.position_as_written()
    if not position.is_finished:
        return None
    winner = str(position.winner)
    person = people(record).get(winner)
    named = f"{winner} ({person.name})" if person is not None and person.name else winner
    return won(named, position.margin)
