"""Balanced random symbol patterns of Battle of LITS, and how fair a pattern is.

* ``symmetry``: boards whose X and O a symmetry exchanges: the orbits of the cells;
* ``recipe``: what a board shall be like, in whole numbers;
* ``sample``: boards drawn at random by a recipe (``chain`` is its compiled walk, ``prove`` tells
  by SAT that no board fits);
* ``balance``: what a board's symbols look like: lines, clumping, exposure;
* ``measure``: what play makes of a board: win rates, and the pie rule;
* ``fair``: the search for boards that play fairly.
"""
