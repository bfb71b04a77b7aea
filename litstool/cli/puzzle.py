"""``litstool puzzle``: make, check and show endgame puzzles."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litstool.cli.common import (
    INTERRUPTED,
    NO,
    SEED,
    UNDECIDED,
    YES,
    complete_file,
    complete_from,
    complete_position,
    group,
    note,
    positive,
    print_json,
    progress_line,
    subcommand,
)
from litstool.cli.many import Answer, Asked, answer_each, json_lines_option, parts_of
from litstool.cli.screen import ascii_option, drawn
from litstool.draw.picture import Picture
from litstool.errors import (
    FormatError,
    IllegalError,
    LitstoolError,
    UsageError,
    printable,
)
from litstool.lits.game import Game
from litstool.search.control import Control

if TYPE_CHECKING:
    from litstool.search.control import Progress
    from litstool.tasks.puzzles import Puzzle

WORDS = ("one", "two", "three", "four", "five")

_SHOW_SECONDS = 3.0
"""What working out a solution may take that a file does not have, and a refutation."""


@group("puzzle")
def command() -> None:
    """Endgame puzzles of Battle of LITS: one winning move, and not the greediest.

    \b
    Examples:
      litstool puzzle new --plies 5 --moves one --seed 7
      litstool puzzle check examples/puzzles/*.yaml
      litstool puzzle show examples/puzzles/puzzle-01.yaml
    """


def _count(context: click.Context, parameter: click.Parameter, value: str) -> int:
    number = WORDS.index(value.lower()) + 1 if value.lower() in WORDS else None
    if (
        number is None
        and value.isascii()
        and value.isdigit()
        and len(value) < 3
        and 1 <= int(value) <= 20
    ):
        number = int(value)
    if number is None:
        raise UsageError(f"{parameter.opts[-1]} {value!r} is no number of moves: one, two, 3 ...")
    return number


def _grade(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    from litstool.files.reading import nearest
    from litstool.tasks.puzzles import GRADES

    if value is not None and value.lower() not in GRADES:
        raise UsageError(f"--grade {value!r} is no grade; {nearest(value, GRADES)}")
    return None if value is None else value.lower()


def _plies(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    from litstool.tasks.puzzles import LEAST_PLIES, MOST_PLIES

    match = re.fullmatch(r"(\d{1,2})(?:-(\d{1,2}))?", value, re.ASCII)
    if match:
        low, high = int(match[1]), int(match[2] or match[1])
        if LEAST_PLIES <= low <= high <= MOST_PLIES:
            return low, high
    raise UsageError(
        f"--plies {value!r} is out of range: it should be {LEAST_PLIES} to {MOST_PLIES}, "
        "or two such numbers as 3-9"
    )


@subcommand("new")
@click.option(
    "--plies", default="5", show_default=True, callback=_plies, metavar="N|N-M",
    help="How long best play lasts; a range makes them longer from puzzle to puzzle.",
)  # fmt: skip
@click.option(
    "--moves", "winning", default="one", show_default=True, callback=_count, metavar="one|two|N",
    help="How many moves win.",
)  # fmt: skip
@click.option("-n", "number", type=click.IntRange(1, 1000), default=1, help="How many puzzles.")
@click.option(
    "--first", type=click.IntRange(1, 9999), default=1, show_default=True, metavar="N",
    help="Number the puzzles from N, to add to a folder.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Other puzzles for another.")
@click.option(
    "--board", default="all", show_default=True, metavar="POSITION",
    help="An empty board: a standard one, a file or one line; or all standard ones in turn.",
    shell_complete=complete_position,
)  # fmt: skip
@click.option(
    "--from", "game_files", multiple=True, metavar="GAME", shell_complete=complete_file,
    help="Take positions of this game instead of made-up games.",
)  # fmt: skip
@click.option(
    "--grade", callback=_grade, metavar="GRADE",
    shell_complete=complete_from("easy", "medium", "hard"),
    help="Only puzzles of this grade: easy, medium, hard or 'very hard'.",
)  # fmt: skip
@click.option(
    "--time-limit", type=float, default=60.0, show_default=True, callback=positive, metavar="S",
    help="Give up a puzzle after S seconds of looking.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE|FOLDER",
    help="Where to write: a .yaml or .json file, or a folder, as more than one needs.",
)  # fmt: skip
def new_command(
    plies: tuple[int, int],
    winning: int,
    number: int,
    first: int,
    seed: int,
    board: str,
    game_files: tuple[str, ...],
    grade: str | None,
    time_limit: float,
    output: Path | None,
    as_json: bool,
) -> int:
    """Make endgame puzzles with exactly so many winning moves, none of the greediest.

    Positions come from greedy games with some random moves, or from the games given.  Each puzzle
    has its solution tree and a grade from measured properties.  The same options make the same
    puzzles; those that a folder has already are not made again, so a run that was stopped goes on.

    \b
    Examples:
      litstool puzzle new --plies 5 --moves one --seed 7
      litstool puzzle new --plies 3-9 -n 50 --seed 1 -o puzzles
      litstool puzzle new --plies 7 --from game.yaml
      litstool puzzle new --plies 6 --grade hard --board my-board.txt

    Exit status: 0 done, 1 the games given have no such position, 3 none was found in the time,
    130 interrupted.
    """
    from litstool import games
    from litstool.files.reading import (
        DOCUMENT_ENDINGS,
        check_ending,
        document_text,
        write_yaml,
    )
    from litstool.files.writing import check_outputs, make_folder, write_file
    from litstool.tasks import puzzles

    if game_files and board != "all":
        raise UsageError("--board and --from exclude each other: a game has its own board")
    boards = [_board(name) for name in (puzzles.board_names() if board == "all" else [board])]
    supplied = []
    for argument in game_files:
        source, game = games.load(argument)
        if not isinstance(game, Game):
            raise UsageError("puzzles are of Battle of LITS only", source.name)
        game.position()
        supplied.append(game)
    if number > 1 and output is None and not as_json:
        raise UsageError("more than one puzzle needs -o FOLDER")
    folder = output if output is not None and (output.is_dir() or not output.suffix) else None
    if folder is not None:
        make_folder(folder)
    elif output is not None:
        check_ending(output, DOCUMENT_ENDINGS)
        if number > 1:
            raise UsageError(f"more than one puzzle needs -o FOLDER, not a file ({output})")
        check_outputs({"-o": output}, game_files)
    documents, status, there = [], YES, 0
    low, high = plies
    for index in range(first - 1, first - 1 + number):
        length = low + (index - first + 1) * (high - low + 1) // number
        path = folder / f"puzzle-{index + 1:02}.yaml" if folder is not None else output
        if folder is not None and path is not None and _is_there(path):
            there += 1
            continue
        name, empty = boards[index % len(boards)]
        # Both sides win in turn on each board.
        side = "XO"[(index // len(boards)) % 2] if number > 1 else None
        control = Control(time_limit)
        try:
            puzzle = puzzles.made(
                empty.pattern, length, winning, seed * 10_007 + index, supply=empty.supply,
                side=side, grade=grade, supplied=supplied, control=control,
            )  # fmt: skip
        except KeyboardInterrupt:
            note("interrupted; the same command goes on from here" if folder else "interrupted")
            status = INTERRUPTED
            break
        except puzzles.Undecided as undecided:
            note(f"{undecided.message} ({time_limit:g} s); {_ADVICE}")
            status = UNDECIDED
            break
        if puzzle is None:
            note(f"the games given have no such position; {_ADVICE_ON_GAMES}")
            status = NO
            break
        puzzle = _named(puzzle, index, name, supplied)
        documents.append(puzzle.to_document())
        if path is not None:
            write_file(path, document_text(documents[-1], path))
            note(f"{path}: {_summary(puzzle)}")
        elif not as_json:
            click.echo(write_yaml(documents[-1]), nl=False)
    if there:
        note(
            f"{folder}: {there} of {number} puzzles were there already; --first {first + number} "
            "adds others"
        )
    if as_json:
        print_json({"puzzles": documents})
    return status


_ADVICE = (
    "try other --plies (shorter ones are easier and more common), another --seed, no --grade, "
    "or a longer --time-limit"
)
_ADVICE_ON_GAMES = "try other --plies (up to the length of the game), --moves or games"


def _board(argument: str) -> tuple[str, Any]:
    """The name and the empty position of a board to make puzzles on.

    :raises UsageError: it is no empty board of Battle of LITS.
    """
    from litstool import games

    source, game = games.load(argument)
    if not isinstance(game, Game):
        raise UsageError("puzzles are of Battle of LITS only", source.name)
    position = game.position()
    if position.pieces or position.to_move != "X" or position.is_finished:
        raise UsageError(
            "--board wants an empty board with X to move; positions of a game are --from",
            source.name,
        )
    return game.name or Path(source.name).stem, position


def _is_there(path: Path) -> bool:
    """Whether a puzzle is in its file already; an empty file, as a full disk leaves it, has none.

    :raises LitstoolError: something else is there.
    """
    from litstool.tasks import puzzles

    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return False
    try:
        _, there = puzzles.load(str(path))
        if there.claim is None:
            raise FormatError("is no puzzle", str(path))
    except LitstoolError as error:
        again = f"{error.message}; remove it to have it made again"
        raise FormatError(again, error.where or str(path)) from None
    return True


def _named(puzzle: Puzzle, index: int, board: str, supplied: list[Any]) -> Puzzle:
    from litstool.tasks import puzzles

    claim = puzzle.claim
    assert claim is not None
    if supplied:
        board = puzzle.game.name or "a game"
    count = "one move wins" if claim.winning == 1 else f"{claim.winning} moves win"
    name = f"{board.capitalize()}: {claim.winner} to move wins in {claim.plies} plies"
    return puzzles.named(puzzle, name, f"Puzzle {index + 1}, {claim.grade}: {count}.")


def _summary(puzzle: Puzzle) -> str:
    claim = puzzle.claim
    if claim is None:
        return "no claims"
    return f"{claim.grade}, {claim.winner} wins in {claim.plies} plies"


@subcommand("check")
@json_lines_option
@click.argument(
    "arguments", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file
)
@click.option(
    "--moves", "winning", default="one", show_default=True, callback=_count, metavar="one|two|N",
    help="How many moves should win, where the file does not say.",
)  # fmt: skip
@click.option(
    "--time-limit", type=float, default=30.0, show_default=True, callback=positive, metavar="S",
    help="Give up a puzzle after S seconds.",
)  # fmt: skip
def check_command(
    arguments: tuple[str, ...],
    winning: int,
    time_limit: float,
    as_json: bool,
    as_json_lines: bool,
) -> int:
    """Verify puzzle files exactly: the winning moves, the margin, every line and the measures.

    A FILE may hold several, and a folder many.  Any position may be checked: one without claims
    should have exactly one winning move (or --moves), not of the largest gain.

    Exit status: 0 all sound, 1 one is not, 2 one cannot be read, 3 one is undecided within
    --time-limit, 130 interrupted.

    \b
    Example:
      litstool puzzle check examples/puzzles
    """
    from litstool.tasks import puzzles

    def answer(asked: Asked) -> Answer:
        puzzle = puzzles.of(asked.source, asked.record)
        try:
            with progress_line(partial(_searching, asked.label)) as show:
                faults = puzzles.check(puzzle, winning, Control(time_limit, show))
        except IllegalError as error:
            faults = [f"{each.rule}: {each.message}" for each in error.violations]
        lines = [f"{asked.label}: sound ({_summary(puzzle)})"]
        if faults:
            lines = [f"{asked.label}: NOT sound", *(f"  {fault}" for fault in faults)]
        document = {"sound": not faults, "faults": faults}
        return Answer(document, map(printable, lines), NO if faults else YES)

    return answer_each(
        arguments,
        answer,
        as_json=as_json,
        as_json_lines=as_json_lines,
        heading=lambda label: [],
        always_listed=True,
        errors_listed=True,
    )


def _searching(name: str, progress: Progress) -> str:
    return f"{name}: {progress.seconds:.0f} s, {progress.nodes:,} nodes"


@subcommand("show")
@ascii_option
@click.argument(
    "arguments", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file
)
@click.option("--solution", is_flag=True, help="The solutions instead of the puzzles.")
@click.option(
    "-o", "--output", metavar="FILE.html|.pdf", shell_complete=complete_file,
    help="A sheet to print, instead of text.",
)  # fmt: skip
@click.option("--title", metavar="TEXT", help="The sheet's title, else Puzzles or Solutions.")
@click.option("--author", metavar="TEXT", help="Who made the sheet, below its title.")
@click.option(
    "--per-page", type=click.Choice(["1", "2", "4", "6"]), default="2", show_default=True,
    help="Puzzles on a page of the sheet.",
)  # fmt: skip
@click.option("--paper", type=click.Choice(["A4", "letter"]), default="A4", show_default=True)
def show_command(
    arguments: tuple[str, ...],
    solution: bool,
    output: str | None,
    title: str | None,
    author: str | None,
    per_page: str,
    paper: str,
    as_json: bool,
) -> int:
    """Show puzzles without their solutions, or with --solution the solutions.

    A FILE may hold several, and a folder many.  A solution also says why the move that brings the
    most points at once fails.

    \b
    Examples:
      litstool puzzle show examples/puzzles/puzzle-01.yaml
      litstool puzzle show examples/puzzles/puzzle-01.yaml --solution
      litstool puzzle show examples/puzzles/*.yaml --per-page 4 -o sheet.pdf
      litstool puzzle show examples/puzzles --title 'For Sunday' --author Ada -o sheet.pdf
      litstool puzzle show examples/puzzles/*.yaml --solution -o solutions.html
    """
    from litstool.files.writing import check_outputs
    from litstool.tasks import puzzles

    if output is None and (title is not None or author is not None):
        raise UsageError("--title and --author are for a sheet: give -o FILE.pdf or FILE.html")
    loaded = []
    for part in parts_of(arguments):
        source, record = part.read()
        puzzle = puzzles.of(source, record)
        try:
            puzzle.game.position()
        except IllegalError as error:
            raise IllegalError(error.violations, source.name) from None
        loaded.append(puzzle)
    if as_json:
        documents = [puzzle.to_document() for puzzle in loaded]
        if not solution:
            for document in documents:
                claim = document.pop("puzzle", {})
                document["puzzle"] = {
                    key: claim[key]
                    for key in ("winner", "winning", "plies", "grade")
                    if key in claim
                }
        print_json({"puzzles": documents})
    elif output is not None:
        check_outputs({"-o": output}, arguments)
        heading = title or ("Solutions" if solution else "Puzzles")
        _sheet(loaded, solution, output, heading, author, int(per_page), paper)
    else:
        for number, puzzle in enumerate(loaded, 1):
            _print(puzzle, number if len(loaded) > 1 else None, solution)
    return YES


def _task(puzzle: Puzzle) -> str:
    claim = puzzle.claim
    if claim is None:
        return f"{puzzle.position.to_move} to move. Find the winning move."
    what = "the winning move" if claim.winning == 1 else f"the {claim.winning} winning moves"
    grade = f" ({claim.grade})" if claim.grade else ""
    return f"{claim.winner} to move. Find {what}{grade}."


def _solution_text(puzzle: Puzzle) -> list[str]:
    """The solution as lines of text; worked out where the file has none."""
    from litstool.tasks import puzzles

    claim = puzzle.claim
    if claim is None or not claim.lines:
        wins, _, line = puzzles.winning_moves(puzzle.position, Control(_SHOW_SECONDS))
        if not wins:
            return ["No move wins."]
        return [
            f"Solution: {'  '.join(wins)}", *_why_not_greed(puzzle), "",
            f"Best play: {' '.join(line)}",
        ]  # fmt: skip
    lines = [f"Solution: {'  '.join(claim.solution)}", *_why_not_greed(puzzle), ""]
    lines.append(
        "Best play, then an answer to every " + ("reply:" if claim.complete else "first reply:")
    )
    before: tuple[str, ...] = ()
    for line in claim.lines:
        shared = 0
        if line is not claim.lines[0]:
            while shared < min(len(before), len(line)) and before[shared] == line[shared]:
                shared += 1
            before = line
        shared = min(shared, len(line) - 1)
        lines.append("  " * (shared + 1) + f"{shared + 1}. " + " ".join(line[shared:]))
    return lines


def _why_not_greed(puzzle: Puzzle) -> list[str]:
    """A line on what happens after the move that brings the most points at once."""
    from litstool.say import results
    from litstool.tasks import puzzles

    try:
        found = puzzles.refutation_of_greed(puzzle.position, Control(_SHOW_SECONDS))
    except puzzles.Undecided:
        return []
    if found is None:
        return []
    points = f"{found.gain} point{'s' * (found.gain != 1)}"
    play = f"after {' '.join(found.line)} " if found.line else ""
    return [
        f"The greedy move {found.move} brings {points} at once and fails: "
        f"{play}{results.won(found.winner, found.margin)}."
    ]


def _print(puzzle: Puzzle, number: int | None, solution: bool) -> None:
    from litstool.say.position import snapshot_of

    if number is not None:
        click.echo(f"\nPuzzle {number}")
    if not solution:
        for line in drawn(Picture.of(snapshot_of(puzzle.game, []))):
            click.echo(line)
        click.echo()
        click.echo(_task(puzzle))
        return
    click.echo(printable(puzzle.game.name or "A puzzle"))
    click.echo(_task(puzzle))
    for line in _solution_text(puzzle):
        click.echo(line)


def _unmarked(picture: Picture) -> Picture:
    """A picture for a sheet: without title, and without the marks of what cannot be covered."""
    squares = {cell: replace(square, bracketed=False) for cell, square in picture.squares.items()}
    legend = tuple(line for line in picture.legend if not line.startswith("["))
    return replace(picture, title=None, squares=squares, legend=legend)


def _sheet(
    loaded: list[Puzzle],
    solution: bool,
    output: str,
    title: str,
    author: str | None,
    per_page: int,
    paper: str,
) -> None:
    from litstool.draw import page
    from litstool.draw.picture import split_fact
    from litstool.files.reading import check_ending
    from litstool.files.writing import write_file
    from litstool.lits.notation import parse_move
    from litstool.say.position import snapshot_of

    ending = check_ending(output, (".html", ".pdf"))
    boards = []
    for number, puzzle in enumerate(loaded, 1):
        game = puzzle.game
        heading = f"{number}. {game.name or _task(puzzle)}"
        if not solution:
            picture = _unmarked(Picture.of(snapshot_of(game, [])))
            facts = [split_fact(fact) for fact in picture.facts]
            told = [f"{label} {said}." for label, said in facts if label in ("Score", "Supply")]
            boards.append(page.SheetBoard(picture, heading, " ".join([_task(puzzle), *told])))
            continue
        line = puzzle.claim.lines[0] if puzzle.claim and puzzle.claim.lines else ()
        if not line:
            from litstool.tasks import puzzles

            line = puzzles.winning_moves(puzzle.position, Control(_SHOW_SECONDS))[2]
        # The pieces of the line alone are numbered, from 1.
        shown = replace(
            game,
            pieces=game.all_pieces,
            moves=tuple(parse_move(text) for text in line),
            to_move=game.side_to_move,
            to_move_at_start=True,
        )
        picture = _unmarked(Picture.of(snapshot_of(shown, [], numbers=True)))
        told = ["Best play: " + " ".join(line) + ".", *_why_not_greed(puzzle)]
        boards.append(page.SheetBoard(picture, heading, " ".join(told)))
    if ending == ".pdf":
        from litstool.draw import pdf

        write_file(output, pdf.sheet(title, boards, per_page, paper, author))
    else:
        write_file(output, page.sheet(title, boards, per_page, paper, author))
    note(f"{output}: {len(boards)} board{'s' * (len(boards) != 1)}")


for _each in (new_command, check_command, show_command):
    command.add_command(_each)
