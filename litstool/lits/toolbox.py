"""Battle of LITS on a table in the browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from litstool.errors import UsageError
from litstool.grid import SYMMETRIES
from litstool.lits import notation
from litstool.lits.board import LEAST_SIDE, MOST_SIDE, SIDES
from litstool.lits.game import Game
from litstool.lits.pattern.recipe import EVEN_AREAS, SPREADS
from litstool.lits.placements import SHAPES, orientations
from litstool.lits.position import Position
from litstool.search.control import Control
from litstool.toolbox import Key, Kind, Letter, Toolbox

_EXCHANGES = tuple(each.name for each in SYMMETRIES[1:] if "three" not in each.name)


def _left(position: Position) -> Mapping[str, int]:
    return dict(zip(SHAPES, position.supply_left, strict=True))


def _tried(kind: str | None, cells: Sequence[str]) -> str:
    return f"{kind}:{','.join(cells)}" if kind else ",".join(cells)


def _whole(said: Mapping[str, str], key: str) -> int | None:
    text = said.get(key, "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 6:
        raise UsageError(f"{key} should be a whole number, not {text[:20]!r}")
    return int(text)


def _make(said: Mapping[str, str], seed: int, control: Control) -> str:
    """A board by a recipe, as one line.

    :raises UsageError: the recipe makes no sense.
    """
    import re

    from litstool.grid import Outline
    from litstool.lits.pattern.recipe import make_recipe, parse_spread
    from litstool.lits.pattern.sample import Sampler

    size = re.fullmatch(r"\s*(\d{1,2})\s*[xX×]\s*(\d{1,2})\s*", said.get("size") or "10x10")
    if size is None:
        raise UsageError("the size should be rows x columns, such as 10x10")
    symbols = _whole(said, "symbols")
    percent = _whole(said, "reach-even")
    recipe = make_recipe(
        Outline(int(size[1]), int(size[2])),
        symbols,
        symbols,
        [said["symmetry"]] if said.get("symmetry") else [],
        False,
        [said["even"]] if said.get("even") else [],
        parse_spread(said["spread"]) if said.get("spread") else None,
        None if percent is None else float(percent),
        control,
    )
    return notation.write_line(Game(Sampler(recipe, control).board(seed)))


def _report(game: Game) -> list[tuple[str, str]]:
    """How balanced a board is, without any games played."""
    from litstool.lits.pattern.report import report_on

    found = report_on(game.pattern, supply=game.supply)
    said = [
        ("Symbols", f"X {game.pattern.count('X')}, O {game.pattern.count('O')}"),
        ("Exchanging", ", ".join(found.exchange_symmetries) or "none"),
        ("Keeping", ", ".join(found.self_symmetries) or "none"),
    ]
    for kind in found.areas:
        uneven = [f"{area.name} {area.x}:{area.o}" for area in found.uneven(kind)]
        said.append((f"Even {kind}", f"all but {', '.join(uneven)}" if uneven else "all"))
    like = found.clumping["like"].z
    if like is not None:
        said.append(("Like symbols", f"{'clumped' if like > 0 else 'apart'}, z {like:+.1f}"))
    said.append(("Exposure", f"X {100 * found.more_exposed:+.1f} % against O"))
    return said


_PIECES = tuple(Letter(shape, f"a cell of a piece {shape}", shape, True) for shape in SHAPES)

TOOLBOX = Toolbox(
    kinds=tuple(
        Kind(
            shape,
            shape,
            tuple(tuple((cell.row, cell.column) for cell in way) for way in orientations(shape)),
        )
        for shape in SHAPES
    ),
    letters=(
        Letter("X", "the symbol X", "X"),
        Letter("O", "the symbol O", "O"),
        Letter(".", "blank"),
        Letter("#", "a hole"),
        *_PIECES,
    ),
    keys=(
        Key("to-move", "To move", ("", *SIDES)),
        Key("supply", "Pieces of the whole game", numbers=tuple(SHAPES), usual="5"),
    ),
    asked=(
        Letter("?", "anything"),
        Letter("+", "covered"),
        Letter("!", "not covered"),
        *(Letter(shape, f"covered by {shape}", shape, True) for shape in SHAPES),
    ),
    conditions=(
        Key("finished", "The game is", ("", "over", "not over")),
        Key("winner", "Won by", ("", *SIDES)),
        Key("at-least", "Pieces, at least"),
        Key("at-most", "Pieces, at most"),
        Key("include", "With these pieces"),
        Key("exclude", "Without these pieces"),
        Key(
            "aim",
            "Look for",
            ("", "most pieces", "fewest pieces", "largest margin", "smallest margin"),
        ),
    ),
    least_side=LEAST_SIDE,
    most_side=MOST_SIDE,
    left=_left,
    tried=_tried,
    recipe=(
        Key("size", "Rows x columns", usual="10x10"),
        Key("symbols", "X and O, each"),
        Key("symmetry", "X and O exchanged by", ("", *_EXCHANGES)),
        Key("even", "As many X as O in", ("", *EVEN_AREAS)),
        Key("spread", "Like symbols stand", ("", *SPREADS)),
        Key("reach-even", "Equally exposed, to percent"),
    ),
    make=_make,
    report=_report,
)
