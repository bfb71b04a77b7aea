"""The compiled search: is a position worth more than ``alpha`` to the side to move?

A null-window negamax with a transposition table over the game's future gains (values: see
``lits/solver``).  It always returns a proven bound on the value: from below if above ``alpha``,
from above otherwise ("fail-soft").

``state``     what a search works on: the game, the stack of plies, what threads share
``keys``      what still matters of a position, as two numbers
``table``     the transposition table
``bounds``    what a side can still gain at most
``children``  a position's moves: dropped, settled or kept by bounds, and put in order
``loop``      the search itself

What keeps the tree small, in the order of a node's life: the key, the bounds, the order.  Several
threads may run the search on the same question with one table: each puts off, once, a child that
another is at work on, and leaves a subtree when the table shows that it is settled (after
T. Kerrigan's simplified ABDADA).
"""
