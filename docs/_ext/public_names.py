"""References of the Python pages go to the public name of what a docstring or a type names.

Types say where a class is written (``litstool.search.control.Control``), the pages where it is
imported from (``litstool.Control``).  What has no public name is plain text.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import litstool


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Node | None:
    """What a reference of a Python page is replaced with, where Sphinx has found nothing."""
    if node.get("refdomain") != "py":
        return None
    target = str(node.get("reftarget", ""))
    name = target.rpartition(".")[2]
    if name in litstool.__all__ and target != f"litstool.{name}":
        domain = env.get_domain("py")
        found = domain.resolve_any_xref(
            env, node["refdoc"], app.builder, f"litstool.{name}", node, text
        )
        if found:
            return found[0][1]
    # A slip in a reference to a public name is told by Sphinx.
    return None if target.startswith("litstool.") and name in litstool.__all__ else text


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True}
