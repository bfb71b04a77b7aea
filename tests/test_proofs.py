"""Every kind of no comes with a proof that three checkers accept, and that refuse a wrong one.

The tests' own plain checker and the package's always; drat-trim where it is installed, or where
its source is found: in ``DRAT_TRIM_SOURCE`` or in ``shared/tools`` beside the checkout.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import rup_checker
from conftest import ROOT, Run
from test_mijnlieff_reach import EMPTY, starts
from test_reach import WORLDS, random_question, reachable

from litstool.errors import FormatError, SourceError
from litstool.lits.questions import Question
from litstool.lits.reach import reach
from litstool.mijnlieff import questions as mijnlieff_questions
from litstool.mijnlieff import reach as mijnlieff_reach
from litstool.mijnlieff.position import Piece
from litstool.mijnlieff.position import Position as OtherPosition
from litstool.proofs import check_proof
from litstool.search.asking import DECIDE, Forced, ListAll, Means, Optimise, Wish
from litstool.search.control import Control

Accepts = Callable[[Path, Path], bool]


def drat_trim_source() -> Path | None:
    beside = [folder / "shared" / "tools" / "drat-trim.c" for folder in ROOT.parents]
    named = os.environ.get("DRAT_TRIM_SOURCE")
    found = [Path(named)] if named else [path for path in beside if path.exists()]
    return found[0] if found else None


@pytest.fixture(scope="session")
def drat_trim(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    """The public checker; None where it is neither installed nor can be compiled."""
    if installed := shutil.which("drat-trim"):
        return installed
    source, compiler = drat_trim_source(), shutil.which("cc")
    if source is None or compiler is None:
        return None
    program = tmp_path_factory.mktemp("drat") / "drat-trim"
    subprocess.run([compiler, "-O2", "-w", source, "-o", program], check=True)
    return str(program)


@pytest.fixture
def accepted(drat_trim: str | None) -> Accepts:
    """Whether the checkers accept a proof; they must agree."""

    def accepts(formula: Path, proof: Path) -> bool:
        _, clauses = rup_checker.read_dimacs(formula)
        verdicts = [
            rup_checker.is_refutation(clauses, rup_checker.read_proof(proof)),
            check_proof(formula, proof).holds,
        ]
        if drat_trim is not None:
            done = subprocess.run(
                [drat_trim, formula, proof], capture_output=True, text=True, check=False
            )
            verdicts.append("s VERIFIED" in done.stdout)
        assert len(set(verdicts)) == 1, verdicts
        return verdicts[0]

    return accepts


@pytest.fixture
def files(tmp_path: Path) -> Means:
    return Means(dimacs=tmp_path / "no.cnf", proof=tmp_path / "no.drup")


def were_accepted(accepted: Accepts, files: Means) -> bool:
    assert files.dimacs is not None and files.proof is not None
    return accepted(files.dimacs, files.proof)


def test_the_public_checker_is_there(drat_trim: str | None) -> None:
    if drat_trim is None:
        pytest.skip("no drat-trim on the PATH and no source of it: two checkers have to do")


# --- each kind of no --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        *("pieces", "at_least", "at_most", "finished", "winner", "margin", "score"),
        *("include", "exclude", "covered", "uncovered", "target"),
    ],
)
def test_a_no_of_each_condition(condition: str, accepted: Accepts, files: Means) -> None:
    """Of questions by chance, which need this condition for their no."""
    chance = random.Random(condition)
    worlds = [WORLDS[name] for name in ("4x4 scarce", "5x5 after one", "4x5 with holes")]
    everything = [list(reachable(world).values()) for world in worlds]
    proved = 0
    for _ in range(4000):
        number = chance.randrange(len(worlds))
        question, satisfies = random_question(worlds[number], everything[number], chance)
        usual = type(question)(worlds[number])
        if getattr(question, condition) == getattr(usual, condition):
            continue
        if any(map(satisfies, everything[number])):
            continue
        without = replace(question, **{condition: getattr(usual, condition)})
        if not any(map(without.met_by, everything[number])):
            continue
        result = reach(question, DECIDE, files)
        assert result.possible is False
        if not result.effort.calls:
            continue  # an argument decides
        assert were_accepted(accepted, files)
        proved += 1
        if proved == 2:
            return
    pytest.fail("too few questions whose no takes a solver")


@pytest.mark.parametrize("name", ["4x4", "5x5 after one"])
@pytest.mark.parametrize(
    "wish",
    [
        *(Optimise(objective, sign) for objective in ("pieces", "margin") for sign in (1, -1)),
        ListAll(),
        Forced(),
    ],
    ids=str,
)
def test_nothing_better_and_nothing_else(
    name: str, wish: Wish, accepted: Accepts, files: Means
) -> None:
    result = reach(Question(WORLDS[name]), wish, files)
    assert result.possible and result.decided
    assert result.written == (files.dimacs, files.proof)
    assert were_accepted(accepted, files)
    # What was demanded beyond the answers is said, and without it the formula can hold.
    assert files.dimacs is not None and "c Added: " in files.dimacs.read_text(encoding="utf-8")
    reach(Question(WORLDS[name]), wish, replace(files, proof=None))
    assert not were_accepted(accepted, files)


def conditions_of(start: OtherPosition) -> dict[str, dict[str, object]]:
    """Conditions that some positions cannot satisfy, by their name."""
    on_board, free = len(start.pieces), start.board.cells_of(start.empty_cells)
    return {
        "passes": {"passes": 3},
        "pieces": {"pieces": on_board + 4, "finished": False},
        "at least": {"at_least": on_board + 4, "finished": False},
        "at most": {"at_most": on_board + 1, "finished": True},
        "winner": {"winner": "Dark", "passes": 1},
        "margin": {"margin": start.margin + 2, "finished": True},
        "score": {"score": (start.score("Light"), start.score("Dark") + 1), "passes": 1},
        "include": {"include": (Piece("puller", free[0]), Piece("puller", free[-1]))},
        "exclude": {"exclude": tuple(Piece("pusher", each) for each in free), "finished": True},
        "covered": {"covered": start.board.mask(free[:3]), "at_most": on_board + 3},
        "uncovered": {"uncovered": start.board.mask(free[:2]), "finished": True},
        "target": {
            "target": mijnlieff_questions.Target(
                start.outline,
                sides=(("Light", free[0]), ("Light", free[1])),
                empty=frozenset(free[2:3]),
            )
        },
    }


@pytest.mark.parametrize("name", conditions_of(EMPTY))
def test_a_no_of_the_other_game(name: str, accepted: Accepts, files: Means) -> None:
    for start in starts(5, 60, 9):
        question = mijnlieff_questions.Question(start, **conditions_of(start)[name])  # type: ignore[arg-type]
        result = mijnlieff_reach.reach(question, DECIDE, files)
        if result.possible is False and result.effort.calls:
            assert were_accepted(accepted, files)
            return
    pytest.fail("no question whose no takes a solver")


@pytest.mark.parametrize(
    "wish",
    [
        *(Optimise(each, sign) for each in ("pieces", "margin", "passes") for sign in (1, -1)),
        ListAll(),
        Forced(),
    ],
    ids=str,
)
def test_nothing_better_and_nothing_else_of_the_other_game(
    wish: Wish, accepted: Accepts, files: Means
) -> None:
    start = starts(4, 1, 1)[0]
    result = mijnlieff_reach.reach(mijnlieff_questions.Question(start, finished=True), wish, files)
    assert result.possible and result.decided
    assert were_accepted(accepted, files)


def test_what_is_not_proved_has_no_proof(files: Means) -> None:
    for wish in (DECIDE, ListAll(3), Forced()):
        control = Control(0.0) if isinstance(wish, Forced) else None
        result = reach(Question(WORLDS["4x4"]), wish, files, control)
        assert result.written == (files.dimacs,)
        assert any(note.startswith("no proof was written") for note in result.notes)


@pytest.mark.parametrize(
    ("conditions", "argument"),
    [
        ({"pieces": 4}, "4 disjoint 2x2 blocks"),
        ({"covered": 0b1111, "at_most": 0}, "4 more cells"),
        ({"score": (0, None), "at_most": 1}, "symbols"),
        ({"margin": 15}, "margin"),
    ],
    ids=str,
)
def test_a_proof_beside_an_argument(
    conditions: dict[str, object], argument: str, accepted: Accepts, files: Means
) -> None:
    """Where counting decides, the formula of the rules has a proof too, or both say why."""
    question = Question(WORLDS["4x4"], **conditions)  # type: ignore[arg-type]
    result = reach(question, DECIDE, files)
    assert result.possible is False and result.notes[0].startswith("an argument decides")
    assert were_accepted(accepted, files)
    for path in result.written:
        assert argument in path.read_text(encoding="utf-8")


# --- wrong proofs -----------------------------------------------------------------------------


@pytest.fixture
def proved(files: Means) -> Means:
    question = Question(WORLDS["4x4"], pieces=3, finished=False)
    assert reach(question, DECIDE, files).possible is False
    return files


def test_wrong_proofs_are_refused(proved: Means, accepted: Accepts) -> None:
    assert proved.dimacs is not None and proved.proof is not None
    assert accepted(proved.dimacs, proved.proof)
    lines = proved.proof.read_text(encoding="utf-8").splitlines()
    steps = [line for line in lines if not line.startswith(("c", "d"))]
    units = sorted({abs(int(line.split()[0])) for line in steps if len(line.split()) > 1})
    for wrong in ([], ["0"], [f"{units[-1]} 0", f"-{units[-1]} 0", "0"], steps[len(steps) // 2 :]):
        proved.proof.write_text("\n".join([*wrong, ""]), encoding="utf-8")
        assert not accepted(proved.dimacs, proved.proof), wrong[:3]


def test_a_proof_of_another_formula_is_refused(proved: Means, accepted: Accepts) -> None:
    assert proved.dimacs is not None and proved.proof is not None
    text = proved.dimacs.read_text(encoding="utf-8").splitlines()
    head = next(number for number, line in enumerate(text) if line.startswith("p"))
    _, _, variables, clauses = text[head].split()
    # Without its last clauses the formula can hold.
    fewer = int(clauses) - 200
    shorter = [*text[:head], f"p cnf {variables} {fewer}", *text[head + 1 : -200]]
    proved.dimacs.write_text("\n".join([*shorter, ""]), encoding="utf-8")
    assert not accepted(proved.dimacs, proved.proof)


# --- the command ------------------------------------------------------------------------------


def test_a_user_checks_a_proof(run: Run, tmp_path: Path) -> None:
    formula, proof = tmp_path / "no.cnf", tmp_path / "no.p"
    words = ["5/5/5/5/5", "--finished", "--pieces", "1"]
    assert run("reach", *words, "--dimacs", formula, "--proof", proof).status == 1
    done = run("reach", "--check-proof", formula, proof)
    assert done.status == 0 and "Verified" in done.out
    assert run("reach", "--check-proof", formula, proof, "--json").json["verified"] is True
    proof.write_text("0\n", encoding="ascii")
    done = run("reach", "--check-proof", formula, proof)
    assert done.status == 1 and "line 1 of the proof" in done.out
    done = run("reach", "--check-proof", formula, proof, "--json")
    assert done.json == {"verified": False, "steps": 0, "line": 1}
    proof.write_text("c nothing\n", encoding="ascii")
    assert "no contradiction" in run("reach", "--check-proof", formula, proof).out


@pytest.mark.parametrize(
    ("formula", "proof", "says"),
    [
        ("1 0\n", "0\n", "line 1: expected a line such as 'p cnf"),
        ("p cnf 1 1\np cnf 1 1\n1 0\n", "0\n", "line 2: expected one line"),
        ("p cnf 1 1\n2 0\n", "0\n", "line 2: there is no variable 2 of 1"),
        ("p cnf 1 1\n1\n", "0\n", "ends within a clause"),
        ("p cnf 1 2\n1 0\n", "0\n", "has 1 clauses, and 2"),
        ("p cnf -1 2\n1 0\n", "0\n", "out of range"),
        ("p cnf 1 1\nx 0\n", "0\n", "line 2: expected whole numbers"),
        ("", "0\n", "it is no formula"),
        ("p cnf 1 2\n1 0\n-1 0\n", "1\n", "line 1: expected one clause"),
        ("p cnf 1 1\n1 0\n", "1 0 2 0\n", "line 1: expected one clause"),
        ("p cnf 1 1\n1 0\n", "999999999999 0\n", "out of range"),
        ("p cnf 1 1\n1 0\n", "\x00\xff\n", "expected whole numbers"),
    ],
)
def test_files_that_are_no_proofs(
    run: Run, tmp_path: Path, formula: str, proof: str, says: str
) -> None:
    (tmp_path / "f").write_text(formula, encoding="latin-1")
    (tmp_path / "p").write_text(proof, encoding="latin-1")
    done = run("reach", "--check-proof", tmp_path / "f", tmp_path / "p")
    assert done.status == 2 and says in done.err and done.err.count("\n") == 1
    with pytest.raises(FormatError):
        check_proof(tmp_path / "f", tmp_path / "p")


def test_a_proof_that_is_not_there(run: Run, tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        check_proof(tmp_path / "none.cnf", tmp_path / "none.p")
    assert run("reach", "--check-proof", tmp_path, tmp_path).status == 2
    assert run("reach").status == 2
