"""``litstool puzzle``: make, check and show endgame puzzles."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litstool.cli.common import (
    SEED,
    ascii_option,
    complete_file,
    complete_from,
    complete_position,
    group,
    json_lines_option,
    positive,
    subcommand,
)
from litstool.errors import IllegalError, UsageError, printable
from litstool.search.control import Control
from litstool.terminal.many import Answer, Asked, answer_each, parts_of
from litstool.terminal.printing import INTERRUPTED, NO, UNDECIDED, YES, note, print_json
from litstool.terminal.progress import progress_line
from litstool.terminal.screen import drawn

if TYPE_CHECKING:
    from litstool.tasks.puzzles import Puzzle

WORDS = ("one", "two", "three", "four", "five")

_ADVICE = (
    "try other --plies (shorter ones are easier and more common), another --seed, no --grade, "
    "or a longer --time-limit"
)
_ADVICE_ON_GAMES = "try other --plies (up to the length of the game), --moves or games"


@group("puzzle")
def command() -> None:
    """Endgame puzzles: one winning move, and not the greediest.

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


def _game(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    from litstool import games
    from litstool.files.reading import nearest

    names = [game.name for game in games.GAMES if game.puzzles is not None]
    if value is not None and value.lower() not in names:
        raise UsageError(f"--game {value!r} is no game with puzzles; {nearest(value, names)}")
    return None if value is None else value.lower()


def _plies(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    from litstool.tasks.puzzle_making import LEAST_PLIES, MOST_PLIES

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
    "--game", callback=_game, metavar="GAME",
    help="Puzzles of this game: battle-of-lits, the default, or mijnlieff.",
)  # fmt: skip
@click.option(
    "--board", default="all", show_default=True, metavar="POSITION",
    help="An empty board: a standard one, a file or one line; or all of the game in turn.",
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
    game: str | None,
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
    from litstool.files.reading import DOCUMENT_ENDINGS, check_ending, document_text, write_yaml
    from litstool.files.writing import check_outputs, make_folder, write_file
    from litstool.say import puzzle as say
    from litstool.tasks import puzzle_making as making
    from litstool.tasks.puzzles import Undecided

    if game is not None and board != "all":
        raise UsageError("--board and --game exclude each other: a board is of a game")
    if game_files and board != "all":
        raise UsageError("--board and --from exclude each other: a game has its own board")
    supplied = [making.played_game(argument) for argument in game_files]
    boards = making.usual_boards(game, supplied)
    if board != "all":
        boards = dict([making.empty_board(board)])
    wanted = making.PuzzleSet(boards, supplied, plies, winning, grade, number, first, seed)
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
    for each in wanted.numbers:
        path = folder / f"puzzle-{each:02}.yaml" if folder is not None else output
        if folder is not None and path is not None and making.is_there(path):
            there += 1
            continue
        try:
            puzzle = wanted.make(each, Control(time_limit))
        except KeyboardInterrupt:
            note("interrupted; the same command goes on from here" if folder else "interrupted")
            status = INTERRUPTED
            break
        except Undecided as undecided:
            note(f"{undecided.message} ({time_limit:g} s); {_ADVICE}")
            status = UNDECIDED
            break
        if puzzle is None:
            note(f"the games given have no such position; {_ADVICE_ON_GAMES}")
            status = NO
            break
        name = (puzzle.record.name or "a game") if supplied else wanted.board_of(each)
        puzzle = say.titled(puzzle, each, name)
        documents.append(puzzle.to_document())
        if path is not None:
            write_file(path, document_text(documents[-1], path))
            note(f"{path}: {say.summary(puzzle)}")
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
    from litstool.say import puzzle as say
    from litstool.tasks.puzzle_check import check
    from litstool.tasks.puzzles import of

    def answer(asked: Asked) -> Answer:
        puzzle = of(asked.source, asked.record)
        try:
            with progress_line(partial(say.progress, asked.label)) as show:
                faults = check(puzzle, winning, Control(time_limit, show))
        except IllegalError as error:
            faults = [f"{each.rule}: {each.message}" for each in error.violations]
        lines = say.checked(asked.label, puzzle, faults)
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
    from litstool.say import puzzle as say
    from litstool.tasks.puzzles import of_legal

    if output is None and (title is not None or author is not None):
        raise UsageError("--title and --author are for a sheet: give -o FILE.pdf or FILE.html")
    loaded = [of_legal(*part.read()) for part in parts_of(arguments)]
    if as_json:
        print_json({"puzzles": [say.document(puzzle, solution) for puzzle in loaded]})
    elif output is not None:
        from litstool.draw import puzzles as sheets

        check_outputs({"-o": output}, arguments)
        heading = title or ("Solutions" if solution else "Puzzles")
        sheet = sheets.Sheet(heading, author, int(per_page), paper)
        sheets.write(output, loaded, solution, sheet)
        note(f"{output}: {len(loaded)} board{'s' * (len(loaded) != 1)}")
    else:
        for number, puzzle in enumerate(loaded, 1):
            if len(loaded) > 1:
                click.echo(f"\nPuzzle {number}")
            _print(puzzle, solution)
    return YES


def _print(puzzle: Puzzle, solution: bool) -> None:
    from litstool.draw.picture import Picture
    from litstool.say import puzzle as say
    from litstool.say.position import snapshot_of
    from litstool.tasks.puzzles import explained

    if solution:
        lines = [printable(puzzle.record.name or "A puzzle"), say.task(puzzle)]
        lines += say.solution(puzzle, *explained(puzzle))
    else:
        lines = [*drawn(Picture.of(snapshot_of(puzzle.record, []))), "", say.task(puzzle)]
    for line in lines:
        click.echo(line)


for _each in (new_command, check_command, show_command):
    command.add_command(_each)
