"""How the site is built: ``sphinx-build -W --keep-going -n docs docs/_build/html``."""

from __future__ import annotations

import sys
from pathlib import Path

from litstool import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "litstool"
author = "the authors of litstool"
release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
    "commands",
    "pictures",
    "public_names",
]
exclude_patterns = ["_build", "_made"]
suppress_warnings = ["toc.empty_glob"]

myst_enable_extensions = ["attrs_block", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = "litstool"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False

# A copied example is what is typed, without the prompt and what was answered.
copybutton_prompt_text = "$ "
copybutton_exclude = ".linenos, .go"

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

# Asked for by name, where there is a network: sphinx-build -b linkcheck docs docs/_build/links
linkcheck_anchors = False
