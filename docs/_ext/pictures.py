"""The directive ``picture``: what a command of litstool draws while the site is built.

    ```{picture} show endgame-5 --numbers
    :caption: The last move is T:a1,a2,b2,a3.
    ```

The argument is a command without ``litstool`` and without ``-o``.  What stands in the directive is
its standard input, so that a position can be written where it is drawn.  ``:broken:`` says that
the position breaks the rules.  A page is read again whenever a file of litstool has changed: no
picture can be older than what draws it.
"""

from __future__ import annotations

import hashlib
import io
import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from html import unescape
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import litstool
from litstool.cli.main import main

_PACKAGE = Path(litstool.__file__).parent
_SOURCES = [
    path
    for folder in (_PACKAGE, _PACKAGE.parent / "patterns", _PACKAGE.parent / "examples")
    for path in folder.rglob("*")
    if path.suffix in {".py", ".txt", ".yaml", ".svg"}
]


class Picture(SphinxDirective):
    """A figure with the picture that a command writes."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "caption": directives.unchanged,
        "broken": directives.flag,
        "width": directives.length_or_percentage_or_unitless,
    }

    def run(self) -> list[nodes.Node]:
        for path in _SOURCES:
            self.env.note_dependency(str(path))
        command = self.arguments[0]
        text = "\n".join(self.content) + "\n"
        name = hashlib.sha256(f"{command}\n{text}".encode()).hexdigest()[:16]
        folder = Path(self.env.srcdir) / "_made"
        folder.mkdir(exist_ok=True)
        file = folder / f"{name}.svg"
        file.unlink(missing_ok=True)
        said = io.StringIO()
        typed = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        with mock.patch.object(sys, "stdin", typed), redirect_stderr(said), redirect_stdout(said):
            status = main([*shlex.split(command), "-o", str(file)])
        if status != ("broken" in self.options) or not file.exists():
            raise self.error(f"litstool {command}: exit {status}: {said.getvalue()}")
        image = nodes.image(uri=f"/_made/{file.name}", alt=_alt(file.read_text(encoding="utf-8")))
        if "width" in self.options:
            image["width"] = self.options["width"]
        figure = nodes.figure("", image, classes=["made"])
        if caption := self.options.get("caption"):
            parsed, messages = self.state.inline_text(caption, self.lineno)
            figure += nodes.caption(caption, "", *parsed, *messages)
        self.set_source_info(figure)
        return [figure]


def _alt(svg: str) -> str:
    """What the drawing says of itself, for those who do not see it."""
    found = re.search(r"<desc>(.*?)</desc>", svg, re.DOTALL)
    return unescape(found[1]) if found else ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_directive("picture", Picture)
    return {"parallel_read_safe": True}
