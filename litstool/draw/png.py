"""A picture as PNG: the same SVG, turned into pixels by resvg."""

from __future__ import annotations

from litstool.draw.svg import size_of
from litstool.errors import UsageError

DEFAULT_SCALE = 2.0
MOST_PIXELS = 64_000_000


def render(svg: str, scale: float = DEFAULT_SCALE) -> bytes:
    """An SVG document as a PNG file, ``scale`` pixels to its unit.

    :raises UsageError: the picture would have no pixels, or more than 64 million.
    """
    import resvg_py

    wide, high = (round(side * scale) for side in size_of(svg))
    if not 0 < wide * high <= MOST_PIXELS:
        fault = "large: choose a smaller" if wide * high else "small: choose a larger"
        raise UsageError(f"a picture of {wide} x {high} pixels is too {fault} scale")
    # Letters are outlines already; only other scripts need a font of this machine.
    alone = "<text" not in svg
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, zoom=scale, skip_system_fonts=alone)  # type: ignore[call-arg]
    )
