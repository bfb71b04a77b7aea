"""What the compiled search works on: the game, its stack of plies, what its threads share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from litstool.lits.kernels import Tables

BOUNDS, PRICED, REPLY, ORDER, KEY, HASTE = 1, 2, 4, 8, 16, 32
ALL_TECHNIQUES = 63
"""Flags of what the search uses; switched off only to measure or to test."""

NO_MOVE = 8191
STOPPED = -100_000
NOTHING_YET = -30_000
"""Below every value: the best of a node of which no move has been looked at."""

# Entries of the control array, which the search and its caller share.
(
    STOP,  # 1 asks the search to stop
    NODES,  # nodes expanded so far
    NODE_LIMIT,  # stop after so many
    ROOT_DONE,  # root moves searched
    ROOT_TOTAL,  # root moves in all
    ROOT_BEST,  # the best root move
    CLUSTERS,  # clusters of the table in use
    STORED,  # entries stored since the table was new
    TEAM,  # threads at work on the question
    CLAIMS,  # claims written for an audit
    CONTROL_SIZE,
) = range(11)


class SearchTables(NamedTuple):
    """What does not change in a search (n placements, w words a row, c cells).

    ``tables``       of the placements that may still be played, numbered by falling gain for X
    ``gains``        2 x n, for X and for O
    ``classes``      6 x w: 3 x side + k, the placements that gain for the side without covering
                     its own symbols (k = 0), or also three for one (1), or also two for one (2)
    ``gaining``      8 x w: 4 x side + k - 1, the placements that gain the side at least k
    ``cells``        3 x c, first ``cell_counts``: coverable X symbols, O symbols, blank cells
    ``places``       c, the cells as bits of a 16x16 board (4 words)
    ``block_board``  4 words, the top left cells of the 2x2 blocks on that board
    ``mixers``       6 x w, random odd numbers for the keys
    """

    tables: Tables
    gains: np.ndarray
    classes: np.ndarray
    gaining: np.ndarray
    cells: np.ndarray
    cell_counts: np.ndarray
    places: np.ndarray
    block_board: np.ndarray
    mixers: np.ndarray


class Work(NamedTuple):
    """The stack of one search, ply by ply.

    The position: ``alive`` and ``legal`` placements (of shapes in the supply), ``covered`` cells
    (4 words), ``nibbles`` of the 2x2 blocks, ``supply`` left of the 4 shapes.

    What was found out about it: ``lists``, of the cells that can still be covered (ply k's own
    are at k + 1, its parent's at k), ``prices`` of cells and their sum ``whole``, for X and for O
    as the side that gains; ``keys``; ``size``, the number of live placements.

    Its children: ``pending``, the legal moves not looked at yet, and those that are still to be
    searched, first ``kept`` of ``child_alive``, ``child_legal`` (at ply x n + number),
    ``child_move``, ``child_score``.  The search: ``alpha``, ``best`` value and ``best_move`` so
    far, the ``current`` move, the node count when it was ``entered``, how many children were
    ``searched``, the ``mark`` that tells other threads of the current child, and the ``killer``,
    the move that last settled a position at this ply for the side to move.

    ``coverable`` and ``fillable`` are boards of 4 words for the moment.
    """

    alive: np.ndarray
    legal: np.ndarray
    covered: np.ndarray
    nibbles: np.ndarray
    supply: np.ndarray
    lists: np.ndarray
    list_counts: np.ndarray
    prices: np.ndarray
    whole: np.ndarray
    keys: np.ndarray
    size: np.ndarray
    pending: np.ndarray
    child_alive: np.ndarray
    child_legal: np.ndarray
    child_move: np.ndarray
    child_score: np.ndarray
    kept: np.ndarray
    alpha: np.ndarray
    best: np.ndarray
    best_move: np.ndarray
    current: np.ndarray
    entered: np.ndarray
    searched: np.ndarray
    mark: np.ndarray
    killer: np.ndarray
    coverable: np.ndarray
    fillable: np.ndarray


class Shared(NamedTuple):
    """What the threads of a search share: the transposition table, in clusters of four entries
    of two words, and the marks of the children that are being searched.

    ``claims``, empty but in tests, takes what the search concludes: see ``loop.claim``.
    """

    table: np.ndarray
    busy: np.ndarray
    claims: np.ndarray
