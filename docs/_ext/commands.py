"""A page for every command, made from click before the site is read: ``reference/commands/``."""

from __future__ import annotations

import re
from pathlib import Path

import click
from sphinx.application import Sphinx

from litstool.cli.main import COMMANDS, module_of

_PAGE = """```{{eval-rst}}
.. click:: {module}:command
   :prog: litstool {name}
   :nested: full
```
"""


def write_pages(app: Sphinx) -> None:
    """Write the pages; one that is as it was keeps its time, so that it is not read again."""
    folder = Path(app.srcdir) / "reference" / "commands"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        folder / f"{name}.md": _PAGE.format(module=module_of(name), name=name) for name in COMMANDS
    }
    for path in set(folder.iterdir()) - set(pages):
        path.unlink()
    for path, text in pages.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def plain_words(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Help texts are plain: examples are shown as they are typed, and no character is markup."""
    made: list[str] = []
    for line in lines:
        if line.startswith("| ") and line.endswith(":") and not line.startswith("|  "):
            made += [_escaped(line[2:]), "", ".. code-block:: sh", ""]
        elif line.startswith("| "):
            made.append(f"   {line[2:]}")
        elif line.lstrip().startswith((".. ", ":default:", ":options:")):
            made.append(line)
        else:
            made.append(_escaped(line))
    lines[:] = made


def _escaped(line: str) -> str:
    return re.sub(r"([*`|\\])", r"\\\1", line)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", write_pages)
    for part in ("description", "options", "arguments"):
        app.connect(f"sphinx-click-process-{part}", plain_words)
    return {"parallel_read_safe": True}
