"""What the subcommands of ``litstool pattern`` share: options, and boards that are read."""

from __future__ import annotations

from typing import Any

import click

from litstool.cli import common
from litstool.cli.common import SEED
from litstool.errors import UsageError
from litstool.files.reading import Source
from litstool.lits.game import Game
from litstool.terminal.printing import note


def _band(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not 0 < value <= 0.5:
        raise UsageError(f"--band {value} is out of range: above 0, to 0.5")
    return value


seed_option = click.option("--seed", type=SEED, metavar="N", help="Where chance begins.")
threads_option = common.threads_option("Play on N cores.")
band_option = click.option(
    "--band", type=float, default=0.05, show_default=True, callback=_band, metavar="D",
    help="A win rate is even within D of one half.",
)  # fmt: skip


def checked_pattern(source: Source, game: Any) -> Any:
    """A game that has a pattern which is known; says what else of it does not matter.

    :raises UsageError: it has none, or not all of it is known.
    """
    if not isinstance(game, Game):
        raise UsageError("only Battle of LITS has patterns", source.name)
    if game.pattern.unknown:
        raise UsageError(
            "the symbols under the pieces are not known; give the board without pieces",
            source.name,
        )
    tell_left_aside(source, game, "empty board")
    return game


def tell_left_aside(source: Source, game: Any, what: str, *more: str) -> None:
    """Say which keys of a file do not matter where only the empty board, or its outline, does."""
    written = {
        "moves": game.moves,
        "pieces": game.pieces,
        "to-move": game.to_move != "X" and game.to_move,
        "players": game.players,
    }
    aside = [key for key, value in written.items() if value] + list(more)
    if aside:
        note(f"note: {source.name}: only the {what} matters here, not {', '.join(aside)}")
