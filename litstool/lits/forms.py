"""What the texts of Battle of LITS look like."""

from __future__ import annotations

import re

from litstool.files.many import TextForms

LOG_WORDS = "Applying action"
"""How a line of a log of many games begins."""

FORMS = TextForms(
    cells="0123456789XOLITS.#_/-",
    keys=("game", "to-move", "supply", "name"),
    whole=re.compile(r"[XO._-]{100}|[0-9a-e]{100},[0-9,XO]*", re.IGNORECASE),
    long_row=re.compile(r"[XO._-]{40,}|[0-9a-e]{100},[0-9,XO]+", re.IGNORECASE),
    moves=re.compile(
        r"(?:[0-9]{1,3}[.)](?:\.\.)?\s*)?"
        r"(?:[LITS?]\s*[:\[]|[LITS](?:\s+[0-9]{1,2}){8}|[LITS]\s+[a-p]\s?[0-9]"
        r"|[a-p][0-9]{1,2}[\s,]|[a-p]\s+[0-9]"
        r"|(?:swap|resign(?:s|ed)?|[XO] resign(?:s|ed)?)(?![^\s.;])|Applying action\b)",
        re.IGNORECASE,
    ),
    log=LOG_WORDS,
)
