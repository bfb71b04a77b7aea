"""Matches between players of a game, for choosing how its engine plays.

    python benchmarks/matches.py engine:1 greedy --games 200 -o greedy.jsonl
    python benchmarks/matches.py engine:0.2 greedy --game mijnlieff -o greedy.jsonl

A game of Battle of LITS is on one of the four standard boards under the pie rule.  The first pieces
are drawn by the seed from those that greedy play finds near to even; the second player decides on
the swap.  A game of Mijnlieff starts on the empty board of one of the arrangements of four 2x2
boards, under the official rules, each of them once before any comes again.  Each start is played
twice, with the players' seats exchanged.  Every game is a line of the output file, so a match that
is broken off goes on where it stopped.  The result is the score of the player named first, a draw
counted as a half, with a 95 % interval.

A player is ``random``, ``greedy``, or ``engine``, ``tree`` (no solver), ``solver`` (no tree search
to speak of) with its seconds a move, and settings after it: ``engine:0.5,noise=64``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from litstool import games
from litstool.lits.game import SWAP
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.playouts import GREEDY, PlayoutTables, play_after_each
from litstool.lits.position import Position
from litstool.lits.room import GAME as LITS_GAME
from litstool.mijnlieff.board import arrangements, board_of, outline_of_offsets
from litstool.mijnlieff.position import Position as MijnlieffPosition
from litstool.mijnlieff.room import GAME as MIJNLIEFF_GAME
from litstool.search.analysis import interval
from litstool.search.chance import seed_for

LITS, MIJNLIEFF = LITS_GAME.name, MIJNLIEFF_GAME.name

NEAR_EVEN = 0.12
"""How far from a half X's share of greedy games may be after a first piece of a match."""


class Player:
    """A player of a game by its name on the command line."""

    def __init__(self, text: str, game: str) -> None:
        self.text = text
        self.engine = games.named(game).engine()
        kind, _, rest = text.partition(":")
        seconds, *options = rest.split(",")
        self.kind, self.seconds = kind, float(seconds or 0)
        settings = self.engine.BEST
        for option in options:
            name, _, value = option.partition("=")
            settings = replace(settings, **{name: float(value) if "." in value else int(value)})
        if kind == "tree":
            settings = replace(settings, use_solver=False)
        if kind == "solver":
            settings = replace(settings, use_tree=False)
        self.settings = settings

    def move(self, position: Any, seed: int) -> str:
        if self.kind == "random":
            return self.engine.random_move(position, seed)
        if self.kind == "greedy":
            return self.engine.greedy(position, seed)
        found = self.engine.choose(
            position, time_limit=self.seconds, seed=seed, settings=self.settings
        )
        assert found.choice is not None
        return found.choice


@lru_cache
def first_pieces(name: str) -> list[int]:
    """The first pieces of a board after which greedy play is near to even, by number."""
    board = PlayoutTables(pattern_named(name))
    rates = play_after_each(board, GREEDY, 200, seed=1).wins / 200
    return [int(number) for number in np.flatnonzero(abs(rates - 0.5) < NEAR_EVEN)]


def start_of(game: str, pair: int, seed: int) -> tuple[str, Any, list[str]]:
    """The board's name, the position and the moves so far that a pair of games starts from."""
    if game == MIJNLIEFF:
        every = arrangements()
        turn = np.random.default_rng(seed_for(seed, pair // len(every))).permutation(len(every))
        offsets = every[turn[pair % len(every)]]
        name = " ".join(f"{row},{column}" for row, column in offsets)
        return name, MijnlieffPosition.empty(board_of(outline_of_offsets(offsets))), []
    names = pattern_names()
    name = names[pair % len(names)]
    choices = first_pieces(name)
    opening = choices[seed_for(seed, pair) % len(choices)]
    position = Position.empty(pattern_named(name))
    position = position.placed(position.placements.all[opening])
    return name, position, [position.pieces[0].notation]


def play(index: int, players: list[Player], game: str, seed: int) -> dict[str, Any]:
    """Game number ``index``: boards in turn, each start twice, seats exchanged."""
    pair, seat = divmod(index, 2)
    name, position, moves = start_of(game, pair, seed)
    engine = games.named(game).engine()
    # Who owns the side named first: the first seat, until a swap.
    first, second = games.named(game).sides
    owner = {first: players[seat], second: players[1 - seat]}
    started, spent = time.perf_counter(), dict.fromkeys((0, 1), 0.0)
    while not position.is_finished:
        player = owner[position.to_move]
        before = time.perf_counter()
        text = player.move(position, seed_for(seed, index, len(moves)))
        spent[players.index(player)] += time.perf_counter() - before
        moves.append(text)
        position = engine.after(position, engine.parse(text, position))
        if text == SWAP:
            owner = dict(zip(owner, reversed(owner.values()), strict=True))
    winner = owner.get(position.winner)
    return {
        "game": index,
        "board": name,
        "first": players[seat].text,
        "moves": moves,
        "margin": position.margin,
        "winner": None if winner is None else players.index(winner),
        "side": {players.index(player): side for side, player in owner.items()}[0],
        "seconds": round(time.perf_counter() - started, 1),
        "spent": [round(each, 1) for each in spent.values()],
    }


def score_of(entries: Iterable[dict[str, Any]]) -> float:
    """The score of the player named first: games won, and half of those drawn."""
    return sum({0: 1.0, None: 0.5}.get(entry["winner"], 0.0) for entry in entries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs=2)
    parser.add_argument("--game", choices=("lits", MIJNLIEFF), default="lits")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    game = MIJNLIEFF if options.game == MIJNLIEFF else LITS
    players = [Player(text, game) for text in options.players]
    head = {"players": options.players, "seed": options.seed}
    if game == MIJNLIEFF:
        head["game"] = game
    done: dict[int, dict[str, Any]] = {}
    if options.output.exists():
        first, *lines = options.output.read_text().splitlines()
        if json.loads(first) != head:
            raise SystemExit(f"{options.output} is of another match: {first}")
        done = {entry["game"]: entry for entry in map(json.loads, lines)}
    else:
        options.output.write_text(json.dumps(head) + "\n")
    games.named(game).engine().make_ready(start_of(game, 0, options.seed)[1])
    for index in range(options.games):
        if index not in done:
            done[index] = play(index, players, game, options.seed)
            with options.output.open("a") as file:
                file.write(json.dumps(done[index]) + "\n")
        score = score_of(done.values())
        low, high = interval(score, len(done))
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
        if index % 10 < 9 and index + 1 < options.games and not sys.stdout.isatty():
            continue
        print(
            f"\r{len(done)} games: {options.players[0]} scored {score:g} "
            f"({score / len(done):.1%}, 95 % interval {low:.1%} to {high:.1%}), load {load:.1f}",
            end="",
            flush=True,
        )
    print()
    drawn = sum(entry["winner"] is None for entry in done.values())
    if drawn:
        print(f"  drawn: {drawn}")
    groups = {"side": "as ", "board": ""} if game == LITS else {"side": "as "}
    for field, word in groups.items():
        for value in sorted({entry[field] for entry in done.values()}):
            of_value = [entry for entry in done.values() if entry[field] == value]
            print(f"  {word}{value}: {score_of(of_value):g} of {len(of_value)}")


if __name__ == "__main__":
    main()
