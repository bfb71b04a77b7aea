"""Who plays which side, and who of them has won.

The pie rule makes the two people change places, so that a file's first player may end up with the
second side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from litstool import games
from litstool.errors import printable
from litstool.game import SEATS, Record
from litstool.say.results import Sides, won
from litstool.snapshot import Snapshot


@dataclass(frozen=True)
class Person:
    """Who plays a side at the end of a record: the seat, and the name where the record has one."""

    seat: str
    name: str | None
    swapped: bool

    def __str__(self) -> str:
        return self.name or f"the {self.seat} player"


@dataclass(frozen=True)
class People:
    """Who plays each side, in the game's order of the sides."""

    of_side: Mapping[str, Person]

    @classmethod
    def seated(cls, sides: Sides, players: Mapping[str, str], swapped: bool) -> People:
        """The people of a game; ``players`` are the names by seat."""
        seats = reversed(SEATS) if swapped else iter(SEATS)
        names = {seat: printable(name) for seat, name in players.items()}
        people = {
            side: Person(seat, names.get(seat), swapped)
            for side, seat in zip(sides, seats, strict=True)
        }
        return cls(people)

    @classmethod
    def of(cls, record: Record) -> People:
        """The people after the moves of a record."""
        swapped = record.position_as_written().swapped
        return cls.seated(games.of(record).sides, record.players, swapped)

    @classmethod
    def shown(cls, snapshot: Snapshot) -> People:
        """The people of a snapshot."""
        return cls.seated(snapshot.sides, snapshot.players, snapshot.swapped)

    def line(self) -> str | None:
        """Who plays which side: ``X: Bela (second player, after the swap), O: Ada``.

        None where nobody is named and nobody has swapped: the first player has the first side.
        """
        if not any(person.name or person.swapped for person in self.of_side.values()):
            return None
        parts = []
        for side, person in self.of_side.items():
            told = f"{side}: {person}"
            if person.swapped and person.seat == SEATS[1]:
                told += f" ({'second player, ' if person.name else ''}after the swap)"
            parts.append(told)
        return ", ".join(parts)

    def result(self, winner: str, margin: int) -> str:
        """The result of a finished game, its winner named: ``X (Bela) wins by 3``."""
        person = self.of_side.get(winner)
        named = f"{winner} ({person.name})" if person is not None and person.name else winner
        return won(named, margin)


def players_line(record: Record) -> str | None:
    """Who plays which side after the moves of a record; None where there is nothing to say."""
    return People.of(record).line()


def result_line(record: Record) -> str | None:
    """The result of a finished record; None where the game is not over."""
    position = record.position_as_written()
    if position.winner is None:
        return None
    return People.of(record).result(position.winner, position.margin)
