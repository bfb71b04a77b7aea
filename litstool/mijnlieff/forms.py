"""What the texts of Mijnlieff look like."""

from __future__ import annotations

import re

from litstool.files.many import TextForms

FORMS = TextForms(
    cells="0123456789SDPL.#/",
    keys=("game", "to-move", "last", "gaps", "opening", "offsets", "name"),
    word="mijnlieff",
    moves=re.compile(r"(?:(?:[a-z]|straight|diagonal|pusher|puller)\s*@|pass(?![^\s.;]))", re.I),
    drawn=re.compile(r"^Light has ", re.MULTILINE),
)
