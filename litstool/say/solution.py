"""What ``solve`` says to people."""

from __future__ import annotations

from litstool import games
from litstool.game import Record
from litstool.say.layout import wrapped
from litstool.say.moves import replay
from litstool.say.results import bounds, score, sentence, won
from litstool.search.control import Progress
from litstool.search.results import SearchResult


def solution_lines(result: SearchResult, record: Record, interrupted: bool, wide: int) -> list[str]:
    """The verdict, the best moves, the line of play and, where asked for, every move."""
    game = games.of(record)
    sides = game.sides
    told = wrapped(verdict(result, interrupted), wide, 2)
    if result.best:
        known = "Best move" if result.solved else "Best so far, not proven"
        known += "s" * (len(result.best) > 1 and result.solved)
        told += wrapped(f"{known}: {'  '.join(result.best)}", wide, 2)
    elif result.by_book and result.solved:
        told += wrapped(
            "With which move is not in the swap book; litstool analyze looks for a good one.", wide
        )
    if result.bounds is not None:
        told.append(f"Proven: {bounds(*result.bounds, sides, result.winner)}")
    if result.line and not result.by_book:
        steps = replay(game, record.position(), result.line)
        told += ["", "Line of play:"]
        told += [
            f"  {number:>2}. {side:<5} {move:<22} {effect}"
            for number, (side, move, effect) in enumerate(steps, 1)
        ]
    if result.moves or (result.moves is not None and not result.solved):
        heading = f"Every move ({len(result.moves)}):" if result.moves else "No move is proved yet."
        told += ["", heading, *_every_move(result)]
    return [*told, "", f"{result.nodes:,} nodes, {result.seconds:.3f} s"]


def verdict(result: SearchResult, interrupted: bool = False) -> str:
    """Who wins and by how much, as far as that is proven."""
    if result.solved and result.winner is not None:
        told = sentence(won(result.winner, result.margin))
        if result.by_book:
            told += " (swap book)"
        if result.final_score is not None:
            told += f" (final score {score(result.final_score)})"
        return told
    why = "interrupted before it was solved" if interrupted else "not solved in the time"
    if result.winner is None:
        return f"{sentence(why)}."
    by_book = " (swap book)" if result.by_book else ""
    return f"{sentence(won(result.winner))}{by_book}; by how much was {why}."


def _every_move(result: SearchResult) -> list[str]:
    words = {each.move: won(each.winner, each.margin, brief=True) for each in result.moves or ()}
    across = max(map(len, words.values()), default=0)
    return [f"  {sentence(told):<{across}}  {move}" for move, told in words.items()]


def progress(label: str, sides: tuple[str, str], found: Progress) -> str:
    """How far a search is, of the position with this label."""
    parts = [label] if label else []
    parts += [f"{found.done} of {found.total} moves"] if found.total else []
    parts.append(f"{found.nodes:,} nodes, {found.nodes / max(found.seconds, 1e-3):,.0f}/s")
    if found.bounds:
        parts.append(bounds(*found.bounds, sides))
    if found.best:
        parts.append(f"best {found.best}")
    if 0 < found.done < found.total:
        left = found.seconds / found.done * (found.total - found.done)
        parts.append(f"about {left:,.0f} s left")
    return ", ".join(parts)
