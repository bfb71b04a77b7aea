"""``litstool validate``: legal or not, and every rule broken."""

from __future__ import annotations

from litstool.cli.common import json_lines_option, positions_argument, subcommand
from litstool.grid import names
from litstool.say.results import won
from litstool.terminal.many import Answer, Asked, answer_each
from litstool.terminal.printing import NO, YES


@subcommand("validate")
@positions_argument
@json_lines_option
def command(arguments: tuple[str, ...], as_json: bool, as_json_lines: bool) -> int:
    """Say whether each POSITION is legal, and name every rule that it breaks.

    A file may hold many positions, and a folder many files.

    \b
    Examples:
      litstool validate game.yaml
      litstool validate examples/illegal
      litstool validate 'T3/TTL1/T1L1/IIII'
      litstool pattern new -n 100 | litstool validate - --jsonl

    Exit status: 0 all legal, 1 one is not, 2 one cannot be read.
    """
    return answer_each(
        arguments,
        _judge,
        as_json=as_json,
        as_json_lines=as_json_lines,
        heading=lambda label: [],
        always_listed=True,
    )


def _judge(asked: Asked) -> Answer:
    game = asked.record
    violations = game.violations()
    position = game.position_as_written()
    count = len(game.all_pieces)
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
    lines = [f"{asked.label}: {verdict}, {count} piece{'s' * (count != 1)}, {state}"]
    for each in violations:
        cells = f" [{names(each.cells)}]" if each.cells else ""
        lines.append(f"  {each.rule}: {each.message}{cells}")
    return Answer(document, lines, NO if violations else YES)
