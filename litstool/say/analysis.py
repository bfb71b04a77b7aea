"""What the analysis of a position says to people."""

from __future__ import annotations

from itertools import groupby

from litstool.game import SWAP, Position
from litstool.say.layout import wrapped
from litstool.say.results import Sides, percent, sentence, verdict, won
from litstool.say.review import aside
from litstool.search.analysis import Analysis, RankedMove


def analysis_lines(
    found: Analysis, position: Position, sides: Sides, most: int, wide: int
) -> list[str]:
    """The best move, the line to expect and at most so many moves, ranked."""
    if found.choice is None:
        return wrapped(f"The game is over: {verdict(found, sides)}", wide, 2)
    told = wrapped(
        f"{found.to_move} to move: {verdict(found, sides)}{aside(found, position)}", wide, 2
    )
    if found.choice == SWAP:
        take = f"the second player should take over {sides[0]} and the first piece"
        told += wrapped(f"Swap: {take}", wide, 2)
        told.append(f"If {sides[1]} plays on: {found.moves[0].move}")
    else:
        told.append(f"Best move: {found.choice}")
        if found.can_swap:
            told.append(f"No swap: the second player should play on as {sides[1]}")
    if len(found.line) > 1:
        told += ["Line:", *wrapped("  " + "  ".join(found.line), min(wide, 62), 2)]
    if found.note:
        told += ["", *wrapped(f"Note: {found.note}", wide)]
    told += ["", *_ranking(found, position, sides, most, wide)]
    effort = [f"{found.games:,} games"] if found.games else []
    effort += [f"{found.nodes:,} nodes"] if found.nodes else []
    return [*told, "", ", ".join([*effort, f"{found.seconds:.1f} s"])]


def _ranking(found: Analysis, position: Position, sides: Sides, most: int, wide: int) -> list[str]:
    """The moves under headings that say which results are proven and which estimated."""
    shown = found.moves[:most]
    across = max(4, *(len(each.move) for each in shown))
    told: list[str] = []
    number = 0
    for exact, group in groupby(shown, key=lambda each: each.exact):
        # The opening is ranked by how even it leaves the game: the mover's share would mislead.
        whose = sides[0] if position.will_be_swapped else found.to_move
        head = "result, exactly" if exact else f"{whose + ' wins':>10}   95 % interval     games"
        told += [""] * bool(told)
        told.append(f"    {'move':<{across}}  {head}")
        for each in group:
            number += 1
            told.append(f"{number:>3} {each.move:<{across}}  {_worth(each)}")
    legal = sum(1 for _ in position.moves())
    if len(found.moves) < legal:
        few = f"{len(found.moves)} of {legal:,} moves looked at"
        few += ": the most even by quick games" * position.will_be_swapped
        told += wrapped(f"    … {few}", wide, 6)
    elif len(found.moves) > most:
        told.append(f"    … {len(found.moves)} moves in all")
    return told


def _worth(move: RankedMove) -> str:
    if move.winner is not None:
        return sentence(won(move.winner, move.margin, brief=True))
    if move.win_rate is None or move.low is None or move.high is None:
        return "not tried"
    between = f"{100 * move.low:.1f} to {100 * move.high:.1f}"
    return f"{percent(move.win_rate):>10}  {between:>14} {move.games:>9,}"
