"""Text as outlines, so that a drawing looks the same wherever it is opened.

The letters are those of the font Inter, which travels with the package (``fonts/``, under the SIL
Open Font License).  A picture then needs no font of the reader's machine, and neither does the
program that turns it into pixels or into a PDF.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from unicodedata import bidirectional

FONTS = Path(__file__).parent / "fonts"
REGULAR, BOLD = "Regular", "SemiBold"
CAP_HEIGHT = 0.727
"""Height of a capital letter as a part of the font size."""


def font_file(weight: str) -> Path:
    """The file of a weight: ``REGULAR`` or ``BOLD``."""
    return FONTS / f"Inter-{weight}.ttf"


@lru_cache(maxsize=2)
def _font(weight: str) -> tuple[Any, dict[int, str], Any, int]:
    from fontTools.ttLib import TTFont

    font = TTFont(font_file(weight))
    return font.getGlyphSet(), font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm


def known(text: str) -> bool:
    """Whether the font has every character of a text."""
    characters = _font(REGULAR)[1]
    return all(ord(character) in characters for character in text)


def parts_by_font(text: str) -> list[str]:
    """A text in parts that the font has as a whole, and parts that need another one.

    Words of another font stay joined; a text that runs from the right stays whole.
    """
    characters = _font(REGULAR)[1]
    if known(text) or any(bidirectional(each) in ("R", "AL") for each in text):
        return [text]
    strange = "".join(
        " " if each == " " else "?" if ord(each) in characters else "x" for each in text
    )
    ends = {end for found in re.finditer("x( *x)*", strange) for end in found.span()}
    cuts = sorted({0, len(text)} | ends)
    return [text[start:end] for start, end in pairwise(cuts)]


UNKNOWN = "?"
"""What stands for a character that the font lacks where there is no other font."""


def in_font(text: str) -> str:
    """A text with :data:`UNKNOWN` for each character that the font lacks."""
    characters = _font(REGULAR)[1]
    return "".join(each if ord(each) in characters else UNKNOWN for each in text)


def width(text: str, size: float, weight: str = REGULAR) -> float:
    """How wide a text is at a font size, in the units of the size."""
    _, characters, advances, units = _font(weight)
    fallback = units * 6 // 10
    total = 0
    for character in text:
        glyph = characters.get(ord(character))
        # A character of another script: about as wide as it is high.
        total += advances[glyph][0] if glyph else (fallback if ord(character) < 0x2E80 else units)
    return total * size / units


@lru_cache(maxsize=4096)
def outline(text: str, size: float, weight: str = REGULAR) -> str:
    """The path of a text that starts at 0 on the base line 0, in tenths of the units of ``size``.

    Whole tenths and steps from point to point keep it short.  Characters that the font lacks are
    left out: see :func:`known`.
    """
    from fontTools.pens.transformPen import TransformPen

    glyphs, characters, advances, units = _font(weight)
    scale = size * 10 / units
    commands: list[str] = []
    pen = _pen(glyphs, commands)
    x = 0.0
    for character in text:
        glyph = characters.get(ord(character))
        if glyph is None:
            continue
        glyphs[glyph].draw(TransformPen(pen, (scale, 0, 0, -scale, x, 0)))
        x += advances[glyph][0] * scale
    return "".join(commands)


def _pen(glyphs: Any, commands: list[str]) -> Any:
    """A pen that writes the steps between points rounded to whole numbers."""
    from fontTools.pens.basePen import BasePen

    here = start = (0, 0)

    def step(*points: tuple[float, float]) -> str:
        nonlocal here
        ends = [(round(x), round(y)) for x, y in points]
        numbers = [value for x, y in ends for value in (x - here[0], y - here[1])]
        here = ends[-1]
        text = " ".join(map(str, numbers))
        return text.replace(" -", "-")

    class Compact(BasePen):  # type: ignore[misc]
        def _moveTo(self, point: tuple[float, float]) -> None:
            nonlocal start
            commands.append("m" + step(point))
            start = here

        def _lineTo(self, point: tuple[float, float]) -> None:
            commands.append("l" + step(point))

        def _qCurveToOne(self, control: tuple[float, float], point: tuple[float, float]) -> None:
            commands.append("q" + step(control, point))

        def _closePath(self) -> None:
            nonlocal here
            commands.append("z")
            here = start

    return Compact(glyphs)


def wrapped(text: str, size: float, room: float, weight: str = REGULAR) -> list[str]:
    """A text broken between words into lines no wider than ``room``, long words broken too."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width(longer, size, weight) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        # A word longer than a line is broken where the line is full.
        start, used = 0, 0.0
        for place, character in enumerate(word):
            step = width(character, size, weight)
            if used + step > room and place > start:
                lines.append(word[start:place])
                start, used = place, 0.0
            used += step
        word = word[start:]
        line = word
    return [*lines, line]
