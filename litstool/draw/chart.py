"""The chart of a report: the lead after each move, and the value where it is known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from litstool.draw.geometry import at, number
from litstool.draw.letters import BOLD
from litstool.draw.reviewed import ReviewedGame, Value
from litstool.draw.svg import SYMBOLS, add, add_text, clean
from litstool.say import results

WIDE = 420.0
_LEFT, _RIGHT, _TOP, _BELOW = 48.0, 10.0, 40.0, 30.0
_MARGIN_HIGH, _CHANCE_HIGH, _GAP = 180.0, 74.0, 30.0
TEXT_SIZE = 13.0
"""Of titles and labels, in units of ``WIDE``."""
_MARK = 16.0
_EDGE = 8.0
_LINE = "#6d28d9"
_USUAL = tuple(SYMBOLS.values())
_COLORS = SYMBOLS | {"Light": "#b98a3a", "Dark": "#5d4230"}
"""The colours of sides that have their own; the first and second side of others have the usual."""


def chart(game: ReviewedGame) -> str:
    """The chart as SVG, for a page: each move has a column of the class ``hit``.

    Bars are the lead on the board after each move, the line the final margin to expect; a
    second strip, where there are estimates, the chance to win.  Proven values are full dots.
    """
    leads = [one - other for one, other in (game.scores, *(move.scores for move in game.moves))]
    values = [game.value, *(move.value for move in game.moves)]
    margins = _known(values, lambda value: value.margin)
    chances = _known(values, lambda value: _share(value, game.sides))
    root = Element("svg", {"role": "img", "aria-label": _spoken(game, leads, values)})
    high = _TOP + _MARGIN_HIGH + _BELOW
    most = max([abs(lead) for lead in leads] + [abs(margin) for margin, _ in margins.values()])
    most = max(most, 2)
    step = (WIDE - _LEFT - _RIGHT) / len(leads)

    def across(ply: int) -> float:
        return _LEFT + (ply + 0.5) * step

    def down(margin: float) -> float:
        return _TOP + _MARGIN_HIGH * (0.5 - 0.47 * margin / most)

    for tick in _ticks(most):
        line = f"M{at(_LEFT, down(tick))}H{number(WIDE - _RIGHT)}"
        kind = "axis" if tick == 0 else "rule"
        add(root, "path", kind, fill="none", stroke="#9aa1ad" if tick == 0 else "#dcdfe4", d=line)
        label = f"{game.sides[tick < 0]} {abs(tick)}" if tick else "0"
        if len(label) > 5:
            label = f"{label[0]} {abs(tick)}"
        add_text(root, label, _LEFT - 6, down(tick) + 4.5, TEXT_SIZE, kind="muted", anchor="end")
    add_text(root, "Points ahead", _EDGE, TEXT_SIZE + 6, TEXT_SIZE, weight=BOLD, kind="ink")
    for ply, lead in enumerate(leads):
        if lead:
            side = game.sides[lead < 0]
            top, bottom = sorted((down(lead), down(0)))
            bar = {"x": across(ply) - step * 0.32, "y": top, "height": bottom - top}
            kind = f"bar side-{int(lead < 0)}"
            add(
                root,
                "rect",
                kind,
                width=step * 0.64,
                rx=1.5,
                fill=_COLORS.get(side, _USUAL[lead < 0]),
                **bar,
            )
    _line(root, {ply: (across(ply), down(value), exact) for ply, (value, exact) in margins.items()})
    if not all(exact for _, exact in chances.values()):
        title = f"{game.sides[0]}'s chance to win"
        add_text(root, title, _EDGE, high + 4, TEXT_SIZE, weight=BOLD, kind="ink")
        base = high + _GAP - 12 + _CHANCE_HIGH

        def share(chance: float) -> float:
            return base - _CHANCE_HIGH * chance

        for chance, label in ((0, "0 %"), (0.5, "50 %"), (1, "100 %")):
            line = f"M{at(_LEFT, share(chance))}H{number(WIDE - _RIGHT)}"
            add(root, "path", "rule", fill="none", stroke="#dcdfe4", d=line)
            add_text(
                root, label, _LEFT - 6, share(chance) + 4.5, TEXT_SIZE, kind="muted", anchor="end"
            )
        points = {
            ply: (across(ply), share(value), exact) for ply, (value, exact) in chances.items()
        }
        _line(root, points)
        high = base + _BELOW
    every = max(1, math.ceil(len(leads) / 12))
    for ply in range(0, len(leads), every):
        add_text(root, str(ply), across(ply), high - 9, TEXT_SIZE, kind="muted", anchor="middle")
    add_text(root, "move", _EDGE, high - 9, TEXT_SIZE, kind="muted")
    for ply, move in enumerate(game.moves, 1):
        if move.turned:
            style = {"weight": BOLD, "kind": "turned", "anchor": "middle"}
            add_text(root, "!", across(ply), _TOP, _MARK, **style)
    column = {"y": 0.0, "width": step, "height": high}
    cursor = add(root, "rect", "cursor", x=_LEFT, fill="#1a5fa8", fill_opacity=0.14, **column)
    cursor.set("data-step", number(step))
    cursor.set("data-left", number(_LEFT))
    for ply in range(len(leads)):
        hit = add(root, "rect", "hit", x=_LEFT + ply * step, fill="#000000", **column)
        hit.set("fill-opacity", "0")
        hit.set("data-ply", str(ply))
    root.set("viewBox", f"0 0 {number(WIDE)} {number(high)}")
    return ElementTree.tostring(root, encoding="unicode")


def _known(
    values: list[Value | None], amount_of: Callable[[Value], float | None]
) -> dict[int, tuple[float, bool]]:
    found = {}
    for ply, value in enumerate(values):
        amount = None if value is None else amount_of(value)
        if value is not None and amount is not None:
            found[ply] = (amount, value.exact)
    return found


def _share(value: Value, sides: tuple[str, str]) -> float | None:
    """The first side's chance to win, all or nothing where the winner is proven."""
    if not value.exact:
        return value.chance
    if value.winner == "draw":
        return 0.5
    if value.margin:
        return float(value.margin > 0)
    return None if value.winner is None else float(value.winner == sides[0])


def _ticks(most: float) -> Iterator[int]:
    step = next(each for each in (1, 2, 5, 10, 20, 50, 100) if most / each <= 3.2 or each == 100)
    yield from range(-int(most // step) * step, int(most) + 1, step)


def _line(root: Element, points: dict[int, tuple[float, float, bool]]) -> None:
    """Join the points of neighbouring moves, and mark each: full where proven."""
    path = ""
    for ply, (x, y, _) in points.items():
        path += f"{'L' if ply - 1 in points else 'M'}{at(x, y)}"
    style = {"fill": "none", "stroke": _LINE, "stroke_linejoin": "round"}
    if path:
        # A light edge sets the line off from the bars.
        halo = style | {"stroke": "#ffffff"}
        add(root, "path", "halo", stroke_width=5.0, d=path, **halo)
        add(root, "path", "value", stroke_width=2.2, d=path, **style)
    for x, y, exact in points.values():
        fill = _LINE if exact else "#ffffff"
        kind = "point exact" if exact else "point"
        add(root, "circle", kind, cx=x, cy=y, r=4, fill=fill, stroke=_LINE, stroke_width=1.8)


def _spoken(game: ReviewedGame, leads: list[int], values: list[Value | None]) -> str:
    """The chart in words."""
    parts = ["Chart of the game."]
    for ply, (lead, value) in enumerate(zip(leads, values, strict=True)):
        who = results.lead(lead, game.sides)
        text = f"{f'Move {ply}' if ply else 'Start'}: {who}"
        if value is not None:
            text += f", {'exactly' if value.exact else 'about'} {value.words(game.sides)}"
        parts.append(text + ".")
    return clean(" ".join(parts))
