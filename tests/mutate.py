"""Faults put in on purpose, to see whether the tests find them.

    python tests/mutate.py lits/legality tasks/puzzles --number 10 --seed 1

makes so many changes in each module, one at a time: a comparison, a number, a sign, an "and", a
condition, what is returned, or a statement left out.  Each is tried in a copy of the project by
the module's own tests (TESTS), up to the first that fails.  A change that all of them pass is
shown: it makes no difference to anyone, or a test is missing.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

TESTS = {
    "lits/legality": "legality rules",
    "lits/position": "rules legality library",
    "lits/placements": "rules legality",
    "lits/bounds": "reach",
    "lits/kernel/bounds": "solver",
    "lits/pattern": "pattern",
    "lits/book": "book",
    "mijnlieff/legality": "mijnlieff_rules",
    "mijnlieff/position": "mijnlieff_rules library",
    "tasks/puzzles": "puzzles",
    "tasks/puzzle_making": "puzzles",
    "tasks/puzzle_check": "puzzles",
    "tasks/play": "play",
    "cli/play": "play",
}
"""The tests of a module, or of a folder of modules: the middles of their files' names."""

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
    **{ast.Div: ast.Mult, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr},
}
SECONDS = 150
"""Computing time that the tests of a module may take; more is a loop without end."""


@dataclass(frozen=True)
class Change:
    """A part of a source, from one offset to another in bytes, and what stands there instead."""

    start: int
    end: int
    line: int
    text: str


def changes(source: bytes) -> list[Change]:
    """Every change of a source that is known here."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, is_condition in parts(ast.parse(source)):
        for instead in instead_of(node, is_condition):
            text = ast.unparse(ast.fix_missing_locations(instead))
            assert node.end_lineno is not None and node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = f"({text})" if isinstance(node, ast.expr) else text
            found.append(Change(start, end, node.lineno, text))
    return found


def parts(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, bool]]:
    """All that is run within a part of a program, and whether it is the condition of an ``if``.

    Types and texts are left alone.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.JoinedStr) or not isinstance(child, ast.AST):
                continue
            if isinstance(child, (ast.expr, ast.stmt)):
                yield child, name == "test"
            yield from parts(child)


def instead_of(node: ast.expr | ast.stmt, is_condition: bool) -> Iterator[ast.AST]:
    """What may stand instead of a part of a program."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[operator]):
            other.ops = [COMPARED[type(operator)]()]
            yield other
        case ast.BoolOp(op=operator):
            other.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield other
        case ast.BinOp(op=operator) if type(operator) in REPLACED:
            other.op = REPLACED[type(operator)]()
            yield other
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield other.operand
        case ast.Constant(value=bool(truth)):
            other.value = not truth
            yield other
        case ast.Constant(value=int(number)):
            other.value = number + 1
            yield other
        case ast.Name() | ast.Attribute() | ast.Call() if is_condition:
            yield ast.UnaryOp(ast.Not(), other)
        case ast.Return(value=ast.expr()) if not is_none(other.value):
            other.value = ast.Constant(None)
            yield other
        case ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()


def is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def tests_of(module: str) -> list[str]:
    """The files of a module's tests."""
    for name in (module, module.rpartition("/")[0]):
        if name in TESTS:
            return [f"tests/test_{each}.py" for each in TESTS[name].split()]
    raise SystemExit(f"which tests are those of {module}?  Enter them in TESTS")


def outcome(folder: Path, tests: list[str]) -> str:
    """What pytest says of the copy in a folder: ``passed``, ``failed`` or ``too long``."""
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, check=False, preexec_fn=limit_time,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode == -signal.SIGXCPU:
        return "too long"
    return "failed" if done.returncode else "passed"


def limit_time() -> None:
    """Of this process, so that it is the same however busy the machine is."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))


def copy_project(folder: Path) -> None:
    skipped = shutil.ignore_patterns(".*", "build", "dist")
    shutil.copytree(ROOT, folder, ignore=skipped, dirs_exist_ok=True)
    shutil.copytree(ROOT / ".ci", folder / ".ci")


def try_module(module: str, number: int, seed: int, only: str, folder: Path) -> tuple[int, int]:
    """Try changes of a module; how many were made, and how many were found."""
    path = folder / "litstool" / f"{module}.py"
    source, tests = path.read_bytes(), [*tests_of(module), "-k", only]
    if (what := outcome(folder, tests)) != "passed":
        raise SystemExit(f"the tests of {module} without any change: {what}")
    every = changes(source)
    chosen = random.Random(f"{module}{seed}").sample(every, min(number, len(every)))
    found = 0
    for change in sorted(chosen, key=lambda each: each.start):
        text = change.text.encode()
        path.write_bytes(source[: change.start] + text + source[change.end :])
        begun = time.monotonic()
        what = outcome(folder, tests)
        found += what != "passed"
        before = source[change.start : change.end].decode()
        print(f"{what:8} {time.monotonic() - begun:4.0f} s  {module}:{change.line}", flush=True)
        if what == "passed":
            print(f"    {before}\n    ->  {change.text}", flush=True)
    path.write_bytes(source)
    return len(chosen), found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="+", metavar="MODULE", help="as lits/legality")
    parser.add_argument("--number", type=int, default=10, help="changes for each module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="tests with such names, as for pytest -k")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        copy_project(Path(name))
        for module in options.modules:
            made, found = try_module(module, options.number, options.seed, options.only, Path(name))
            print(f"{module}: {made} changes made, {found} found", flush=True)


if __name__ == "__main__":
    main()
