"""What is said of boards that were made: as grids, lines, files and documents, and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litstool.files.reading import document_text
from litstool.lits import notation
from litstool.lits.board import SIDES
from litstool.lits.game import Game
from litstool.lits.pattern.made import MadeBoard
from litstool.lits.pattern.sample import Sampler, describe
from litstool.lits.pattern.symmetry import exchange_names
from litstool.search.control import Progress

if TYPE_CHECKING:
    from litstool.lits.pattern.fair import FairBoard

_ENDS = {
    "reached": "near enough",
    "effort": "the games set for it are played",
    "exhausted": "there are no other boards near",
    "time limit": "the time is up",
    "interrupted": "interrupted",
}


def line(board: MadeBoard) -> str:
    """The board as a one-line position."""
    return notation.write_line(Game(board.pattern))


def grid(board: MadeBoard) -> str:
    """The board as a grid with its name."""
    return "\n".join([f"name: {board.name}", *board.pattern.rows()]) + "\n"


def file_text(board: MadeBoard, ending: str) -> str:
    """What a file with this ending holds: a grid in .txt, else a document."""
    if ending == ".txt":
        return grid(board)
    note = None if board.fair is None else fair(board.fair)
    game = Game(board.pattern, name=board.name, note=note)
    return document_text(notation.write_document(game), f"board{ending}")


def document(board: MadeBoard) -> dict[str, Any]:
    """The entry of ``pattern new --json``."""
    entry: dict[str, Any] = {
        "name": board.name,
        "pattern": list(board.pattern.rows()),
        "line": line(board),
        "symbols": {side: board.pattern.count(side) for side in SIDES},
        "symmetries": exchange_names(board.pattern),
    }
    if (found := board.fair) is not None:
        entry["fair"] = {
            "measure": found.measure,
            "value": None if found.value is None else round(found.value, 6),
            "interval": None if found.interval is None else [round(e, 6) for e in found.interval],
            "games": found.games,
            "generations": found.generations,
            "stopped": found.stopped,
        }
    return entry


def documents(
    entries: list[dict[str, Any]], sampler: Sampler, seed: int, by_search: bool
) -> dict[str, Any]:
    """The document of ``pattern new --json``."""
    return {
        "seed": seed,
        "recipe": describe(sampler.recipe),
        "sampling": sampling(sampler, by_search),
        "boards": entries,
    }


def sampling(sampler: Sampler, by_search: bool) -> str:
    """How the boards were drawn."""
    if by_search:
        return f"a search for fair play, from boards of which {sampler.sampling}"
    return sampler.sampling


def fair(found: FairBoard) -> str:
    """What a search for fair play came to."""
    if found.value is None:
        said = "how fair it plays was not measured"
    elif found.interval is not None:
        low, high = found.interval
        said = (
            f"X wins {100 * found.value:.1f} % ({100 * low:.1f} % to {100 * high:.1f} %) "
            "of greedy games"
        )
    else:
        said = f"{100 * found.value:.1f} % of the first moves are even"
    return f"{said}; {found.games:,} games, search ended: {_ENDS[found.stopped]}"


def progress(found: Progress) -> str:
    """How far the making is."""
    if found.best is None:
        return f"{found.done:,} of {found.total:,} boards"
    return (
        f"generation {found.nodes}, {found.done:,} of {found.total:,} games, "
        f"best so far: {found.best}"
    )
