"""``litstool validate``: legal or not, and every rule broken."""

from __future__ import annotations

from litstool.cli.common import json_lines_option, positions_argument, subcommand
from litstool.say import judgement
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
    document, lines = judgement.judged(asked.record, asked.label)
    return Answer(document, lines, YES if document["legal"] else NO)
