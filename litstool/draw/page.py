"""Pages: a board, the report of a game and sheets of puzzles, each one HTML file by itself.

A page asks no other file or host for anything, and its content policy forbids it to; only the
script that came with it may run.  Text is escaped by the template engine, drawings are trees.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from litstool.draw import svg
from litstool.draw.chart import chart
from litstool.draw.picture import MAY_PLACE, Picture, drawn_legend, spoken
from litstool.draw.reviewed import ReviewedGame, ReviewedMove, Value
from litstool.say import results
from litstool.say.position import Fact

TEMPLATES = Path(__file__).parent / "templates"


def picture_page(*pictures: Picture) -> str:
    """A page with a board or several, their facts and what their marks mean."""
    title = "Boards" if len(pictures) > 1 else pictures[0].title or "A board"
    entries = dict.fromkeys(entry for picture in pictures for entry in picture.legend)
    marks = replace(pictures[0], legend=tuple(entries))
    return _page("board.html", None, title=title, pictures=pictures, marks=marks)


def report(game: ReviewedGame) -> str:
    """The report of a game: a board for each move, to step through, and the chart.

    Without scripts, and in print, the boards stand one below the other.
    """
    shown = [_Stage(0, None, game.start, game.scores, game.value, game)]
    for number, move in enumerate(game.moves, 1):
        shown.append(_Stage(number, move, move.picture, move.scores, move.value, game))
    kinds = [stage.value for stage in shown if stage.value]
    entries = dict.fromkeys(entry for stage in shown for entry in stage.picture.legend)
    return _page(
        "report.html",
        "report.js",
        title=game.title,
        game=game,
        stages=shown,
        chart=chart(game) if game.moves else None,
        marks=replace(game.start, legend=tuple(entries)),
        has_losses=any(move.lost or move.lost_chance for move in game.moves),
        has_turns=any(move.turned for move in game.moves),
        has_values=bool(kinds),
        has_estimates=any(not value.exact for value in kinds),
    )


@dataclass(frozen=True)
class SheetBoard:
    """One board of a sheet: its picture, what stands above it and what below."""

    picture: Picture
    heading: str
    text: str = ""


def sheet(
    title: str,
    boards: list[SheetBoard],
    per_page: int,
    paper: str = "A4",
    author: str | None = None,
) -> str:
    """A sheet to print, ``per_page`` boards to a page (1, 2, 4 or 6)."""
    legend = sheet_legend(boards)
    pages = [boards[start : start + per_page] for start in range(0, len(boards), per_page)]
    return _page(
        "sheet.html", None, title=title, pages=pages, per_page=per_page, paper=PAPERS[paper],
        legend=legend, author=author,
    )  # fmt: skip


_SPELLED = {"░░░": "grey", MAY_PLACE: "ring"}
"""Marks of a legend that the font has no sign for, as they look in a drawing."""


def sheet_legend(boards: list[SheetBoard]) -> str:
    """The legends of all boards of a sheet in one line, for the foot of its pages."""
    entries = [entry for board in boards for entry in drawn_legend(board.picture)]
    return "; ".join(
        f"{_SPELLED.get(mark, mark)} {words}" for mark, words in dict.fromkeys(entries)
    )


PAPERS = {"A4": (210, 297), "letter": (215.9, 279.4)}
"""Paper sizes: width and height in millimetres."""


@dataclass(frozen=True)
class _Stage:
    """A position of a report with its number, 0 before the first move."""

    number: int
    move: ReviewedMove | None
    picture: Picture
    scores: tuple[int, int]
    value: Value | None
    game: ReviewedGame

    @property
    def lead(self) -> str:
        """Who is ahead, in words."""
        return results.lead(self.scores[0] - self.scores[1], self.game.sides)

    @property
    def short_lead(self) -> str:
        """Who is ahead, as the list of moves has it."""
        return results.lead(self.scores[0] - self.scores[1], self.game.sides, brief=True)

    @property
    def gain(self) -> int | None:
        """How far the move brought its side forward; None at the start."""
        if self.move is None:
            return None
        before = self.game.moves[self.number - 2].scores if self.number > 1 else self.game.scores
        change = (self.scores[0] - self.scores[1]) - (before[0] - before[1])
        return change if self.move.side == self.game.sides[0] else -change

    @property
    def facts(self) -> list[Fact]:
        """The facts of the picture that the report does not say in its own words."""
        told = ("Players", "Last move", "Score")
        return [fact for fact in self.picture.facts if fact.label not in told]

    @property
    def heading(self) -> str:
        """The number and who moves."""
        if self.move is None:
            return "Start"
        who = f" ({self.move.player})" if self.move.player else ""
        return f"Move {self.number}: {self.move.side}{who}"

    @property
    def said(self) -> str:
        """What a screen reader announces when this position comes up."""
        sides = self.game.sides
        scores = results.score(dict(zip(sides, self.scores, strict=True)))
        parts = [f"{self.heading} plays {self.move.move}." if self.move else "Start of the game."]
        parts.append(f"Score {scores}: {self.lead}.")
        if self.value:
            kind = "Proven" if self.value.exact else "Estimated"
            parts.append(f"{kind}: {self.value.words(sides)}.")
        if self.move and self.move.lost:
            parts.append(f"The move lost {self.lost}.")
        if self.move and self.move.turned:
            parts.append("The result turned here.")
        return " ".join(parts)

    @property
    def lost(self) -> str | None:
        """What the move cost, in words; None where that is not known."""
        return None if self.move is None else results.loss(self.move.lost, self.move.lost_chance)


def _page(template: str, script: str | None, **values: Any) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: svg.clean(value) if type(value) is str else value,
    )
    environment.globals.update(
        draw=lambda picture: Markup(svg.drawing(picture, texts=False)),
        spoken=spoken,
        drawn_legend=drawn_legend,
        markup=Markup,
    )
    style = (TEMPLATES / "style.css").read_text("utf-8")
    code = (TEMPLATES / script).read_text("utf-8") if script else ""
    policy = f"default-src 'none'; style-src '{_digest(style)}'"
    if code:
        policy += f"; script-src '{_digest(code)}'"
    return environment.get_template(template).render(
        style=Markup(style), script=Markup(code), policy=policy, **values
    )


def _digest(text: str) -> str:
    """A text's SHA-256 as a content policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
