"""What ``validate`` says: whether a position is legal, and every rule that it breaks."""

from __future__ import annotations

from typing import Any

from litstool.game import Record
from litstool.grid import names
from litstool.say.results import won


def judged(record: Record, label: str) -> tuple[dict[str, Any], list[str]]:
    """The entry of ``validate --json`` for a record, and its lines of text."""
    violations = record.violations()
    position = record.position_as_written()
    count = len(record.all_pieces)
    document = {
        "legal": not violations,
        "violations": [each.to_json() for each in violations],
        "pieces": count,
        "to_move": position.to_move,
        "finished": position.is_finished,
    }
    state = f"{position.to_move} to move"
    if position.is_finished:
        state = f"finished, {won(str(position.winner), position.margin)}"
    verdict = "legal" if not violations else "not legal"
    lines = [f"{label}: {verdict}, {count} piece{'s' * (count != 1)}, {state}"]
    for each in violations:
        cells = f" [{names(each.cells)}]" if each.cells else ""
        lines.append(f"  {each.rule}: {each.message}{cells}")
    return document, lines
