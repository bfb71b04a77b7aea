"""Matches between players of Battle of LITS, for choosing how the engine plays.

    python benchmarks/matches.py engine:1 greedy --games 200 -o greedy.jsonl

plays 200 games on the four standard boards under the pie rule.  The first pieces are drawn by the
seed from those that greedy play finds near to even, and each is played twice, with the players'
seats exchanged; the second player decides on the swap.  Every game is a line of the output file, so
a match that is broken off goes on where it stopped.  The result comes with a 95 % interval.

A player is ``random``, ``greedy``, or ``engine``, ``tree`` (no solver), ``solver`` (no tree search
to speak of) with its seconds a move, and settings after it: ``engine:0.5,noise=64``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from litstool.analysis import interval
from litstool.chance import seed_for
from litstool.lits import engine
from litstool.lits.game import SWAP
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.playouts import GREEDY, Board, play_after_each
from litstool.lits.position import Position

NEAR_EVEN = 0.12
"""How far from a half X's share of greedy games may be after a first piece of a match."""


class Player:
    """A player by its name on the command line."""

    def __init__(self, text: str) -> None:
        self.text = text
        kind, _, rest = text.partition(":")
        seconds, *options = rest.split(",")
        self.kind, self.seconds = kind, float(seconds or 0)
        settings = engine.BEST
        for option in options:
            name, _, value = option.partition("=")
            settings = replace(settings, **{name: float(value) if "." in value else int(value)})
        if kind == "tree":
            settings = replace(settings, use_solver=False)
        if kind == "solver":
            settings = replace(settings, use_tree=False)
        self.settings = settings

    def move(self, position: Position, seed: int) -> str:
        if self.kind == "random":
            return engine.random_move(position, seed)
        if self.kind == "greedy":
            return engine.greedy(position, seed)
        found = engine.choose(position, time_limit=self.seconds, seed=seed, settings=self.settings)
        assert found.choice is not None
        return found.choice


@lru_cache
def first_pieces(name: str) -> list[int]:
    """The first pieces of a board after which greedy play is near to even, by number."""
    board = Board(pattern_named(name))
    rates = play_after_each(board, GREEDY, 200, seed=1) / 200
    return [int(number) for number in np.flatnonzero(abs(rates - 0.5) < NEAR_EVEN)]


def play(index: int, players: list[Player], seed: int) -> dict[str, Any]:
    """Game number ``index``: boards in turn, each first piece twice, seats exchanged."""
    pair, seat = divmod(index, 2)
    names = pattern_names()
    name = names[pair % len(names)]
    choices = first_pieces(name)
    opening = choices[seed_for(seed, pair) % len(choices)]
    position = Position.empty(pattern_named(name))
    position = position.placed(position.placements.all[opening])
    moves = [position.pieces[0].notation]
    # Who owns X: the seat of the first piece, until a swap.
    owner = {"X": players[seat], "O": players[1 - seat]}
    started, spent = time.perf_counter(), dict.fromkeys((0, 1), 0.0)
    while not position.is_finished:
        player = owner[position.to_move]
        before = time.perf_counter()
        text = player.move(position, seed_for(seed, index, len(moves)))
        spent[players.index(player)] += time.perf_counter() - before
        moves.append(text)
        position = engine.after(position, engine.parse(text, position))
        if text == SWAP:
            owner = {"X": owner["O"], "O": owner["X"]}
    winner = owner[str(position.winner)]
    return {
        "game": index,
        "board": name,
        "first": players[seat].text,
        "moves": moves,
        "margin": position.margin,
        "winner": players.index(winner),
        "as": position.winner,
        "seconds": round(time.perf_counter() - started, 1),
        "spent": [round(each, 1) for each in spent.values()],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    players = [Player(text) for text in options.players]
    head = {"players": options.players, "seed": options.seed}
    done: dict[int, dict[str, Any]] = {}
    if options.output.exists():
        first, *lines = options.output.read_text().splitlines()
        if json.loads(first) != head:
            raise SystemExit(f"{options.output} is of another match: {first}")
        done = {entry["game"]: entry for entry in map(json.loads, lines)}
    else:
        options.output.write_text(json.dumps(head) + "\n")
    engine.prepare(Position.empty(pattern_named("boxes")))
    for index in range(options.games):
        if index not in done:
            done[index] = play(index, players, options.seed)
            with options.output.open("a") as file:
                file.write(json.dumps(done[index]) + "\n")
        wins = sum(entry["winner"] == 0 for entry in done.values())
        low, high = interval(wins, len(done))
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        if index % 10 < 9 and index + 1 < options.games and not sys.stdout.isatty():
            continue
        print(
            f"\r{len(done)} games: {options.players[0]} won {wins} "
            f"({wins / len(done):.1%}, 95 % interval {low:.1%} to {high:.1%}), load {load:.1f}",
            end="",
            flush=True,
        )
    print()
    for side in "XO":
        games = [
            entry for entry in done.values() if (entry["as"] == side) == (entry["winner"] == 0)
        ]
        wins = sum(entry["winner"] == 0 for entry in games)
        print(f"  as {side}: {wins} of {len(games)}")
    for name in pattern_names():
        games = [entry for entry in done.values() if entry["board"] == name]
        print(f"  {name}: {sum(entry['winner'] == 0 for entry in games)} of {len(games)}")


if __name__ == "__main__":
    main()
