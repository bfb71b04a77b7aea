"""A reach question as a formula: one variable a placement, cells, contacts, counts, the end.

For each placement p there is a variable; for each cell literals ``covered`` and, by shape,
``shaped``.  The rules are then short clauses: p makes ``shaped`` of its cells true and, for its
own shape, of all its neighbour cells false.  That excludes contacts of equal shapes and overlaps
within a shape (an overlapping piece of the shape has a cell next to p's), and "one shape a cell"
excludes all other overlaps.  No block may have four ``covered`` cells.

Pieces are counted by their first cell, shape by shape, and the margin by cells: X's symbols
uncovered and O's covered, which needs no weights.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cached_property

from litstool.grid import Cell, bits
from litstool.lits.board import SIDES
from litstool.lits.bounds import packings
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.lits.questions import Scope
from litstool.sat import (
    CONNECTIONS,
    Formula,
    Solver,
    connect,
    merge_tallies,
    more_than,
    separators,
    solve_connected,
    tally,
    tally_together,
)

LAZY = "lazy"
METHODS = (LAZY, *CONNECTIONS)

_MOST_SPARE = 8
"""Where more cells than these are spare, counting them does not help."""


class ReachFormula:
    """The formula of a question, for the scope that it has.

    ``placed``   number of a candidate placement -> its variable
    ``covered``  cell -> literal, constant where it is known
    ``shaped``   (cell, shape) -> literal, for pieces still to come
    ``further``  the count of further pieces, up to one more than the question allows
    ``method``   how connectivity is enforced: ``lazy`` means by :meth:`cuts`, from outside

    ``shuffle`` puts the placements into another order; ``reason`` says when to stop
    (:meth:`Limits.reason`).  With ``implied`` clauses that follow from the rules are added.

    :raises StoppedError: there is a reason to stop.
    :raises TooLargeError: the formula outgrows its memory.
    """

    def __init__(
        self,
        scope: Scope,
        method: str = LAZY,
        shuffle: random.Random | None = None,
        reason: Callable[[], str | None] = lambda: None,
        implied: bool = True,
    ) -> None:
        self.scope = scope
        self.method = method
        self.formula = Formula(reason=reason)
        numbers = list(bits(scope.candidates))
        if shuffle is not None:
            shuffle.shuffle(numbers)
        self.placed = {number: self.formula.new() for number in numbers}
        self._of_variable = {variable: number for number, variable in self.placed.items()}
        self._cover()
        self._keep_apart()
        self._demand_cells()
        self._count_pieces()
        if implied:
            self._spare_cells()
        self._touch()
        if method != LAZY:
            self._connect()
        if scope.finished is not None:
            self._end(scope.finished)
        if scope.question.margin is not None:
            self.formula.add(self.margin_at_least(scope.question.margin))
        for side, score in zip(SIDES, scope.question.score, strict=True):
            if score is not None:
                self._score(side, score)
        if scope.question.winner is not None:
            self._win(scope.question.winner)

    # --- the rules ---------------------------------------------------------------------------

    def _cover(self) -> None:
        formula, tables = self.formula, self.scope.tables
        start = self.scope.start
        self.covered: dict[Cell, int] = {}
        self.shaped: dict[tuple[Cell, str], int] = {}
        self._over: dict[tuple[Cell, str], list[int]] = {
            (cell, shape): [] for cell in tables.outline.cells for shape in SHAPES
        }
        for number, variable in self.placed.items():
            placement = tables.all[number]
            for cell in placement.cells:
                self._over[cell, placement.shape].append(variable)
        for cell in tables.outline.cells:
            if start.covered & tables.outline.bit(cell):
                self.covered[cell] = Formula.TRUE
                self.shaped.update({(cell, shape): Formula.FALSE for shape in SHAPES})
                continue
            by_shape = [formula.either(self._over[cell, shape]) for shape in SHAPES]
            self.shaped.update(
                {(cell, shape): literal for shape, literal in zip(SHAPES, by_shape, strict=True)}
            )
            formula.at_most_one(by_shape)
            self.covered[cell] = formula.either(by_shape)

    def _keep_apart(self) -> None:
        formula, tables = self.formula, self.scope.tables
        self._near = {cell: tuple(cell.edge_neighbours()) for cell in self.covered}
        for number, variable in self.placed.items():
            shape = tables.all[number].shape
            for neighbour in self._around(number):
                formula.add(-variable, -self.shaped[neighbour, shape])
        for block in tables.outline.blocks():
            formula.add(*(-self.covered[cell] for cell in block))

    def _around(self, number: int) -> list[Cell]:
        """The cells of the board next to those of a placement."""
        cells = self.scope.tables.all[number].cells
        near = dict.fromkeys(each for cell in cells for each in self._near[cell])
        return [each for each in near if each in self.covered and each not in cells]

    def _touch(self) -> None:
        """Every piece touches another, unless it may be the only one: true of connected sets."""
        scope = self.scope
        alone_allowed = not scope.start.pieces and scope.fewest < 2
        for number, variable in self.placed.items():
            around = [self.covered[cell] for cell in self._around(number)]
            if alone_allowed:
                around.append(-more_than(self.further, 1))
            self.formula.add(-variable, *around)
        if not scope.start.pieces:
            return
        # Something must touch the pieces on the board.
        touching = [
            variable for number, variable in self.placed.items() if scope.start.reach >> number & 1
        ]
        self.formula.add(-more_than(self.further, 0), *touching)

    # --- what is asked -----------------------------------------------------------------------

    def _demand_cells(self) -> None:
        scope, outline = self.scope, self.scope.tables.outline
        for cell in outline.cells_of(scope.required):
            self.formula.add(self.covered[cell])
        for number in bits(scope.forced):
            self.formula.add(self.placed[number])

    def _count_pieces(self) -> None:
        formula, scope, tables = self.formula, self.scope, self.scope.tables
        # One more than the most, so that "too many" is a literal of the count.
        cap = scope.most + 1
        self.of_shape: dict[str, list[int]] = {}
        for shape, left in zip(SHAPES, scope.start.supply_left, strict=True):
            starting: dict[Cell, list[int]] = {}
            for number, variable in self.placed.items():
                placement = tables.all[number]
                if placement.shape == shape:
                    starting.setdefault(placement.cells[0], []).append(variable)
            firsts = [formula.either(variables) for variables in starting.values()]
            counted = tally(formula, firsts, min(left + 1, cap))
            formula.add(-more_than(counted, left))
            self.of_shape[shape] = counted[:left]
        l_count, i_count, t_count, s_count = (self.of_shape[shape] for shape in SHAPES)
        self.further = merge_tallies(
            formula,
            merge_tallies(formula, l_count, i_count, cap),
            merge_tallies(formula, t_count, s_count, cap),
            cap,
        )
        formula.add(-more_than(self.further, scope.most))
        formula.add(more_than(self.further, scope.fewest - 1))
        for number, need in scope.needs.items():
            formula.add(-self.placed[number], more_than(self.further, need - 1))

    def _spare_cells(self) -> None:
        """Say how many cells can stay open beyond the one that each disjoint 2x2 block keeps.

        Implied, and found by no solver in good time: with many pieces hardly any cell is spare.
        """
        scope, outline = self.scope, self.scope.tables.outline
        on_board = len(scope.start.pieces)
        coverable = scope.coverable()
        for packing in packings(scope):
            room = coverable.bit_count() - len(packing) - 4 * on_board
            # spare[k]: more than k cells are spare; further pieces leave at most room - 4 pieces.
            least = room - 4 * scope.most
            if least > _MOST_SPARE:
                continue
            in_blocks, spare = 0, []
            for block in packing:
                in_blocks |= block
                open_cells = [-self.covered[cell] for cell in outline.cells_of(block)]
                spare.append(tally(self.formula, open_cells, 4)[1:])
            for cell in outline.cells_of(coverable & ~in_blocks):
                spare.append([-self.covered[cell]])
            cap = min(room, _MOST_SPARE) + 1
            spares = tally_together(self.formula, spare, cap)
            for further in range(scope.fewest, scope.most + 1):
                left = room - 4 * further
                if left < cap:
                    self.formula.add(
                        -more_than(self.further, further - 1), -more_than(spares, left)
                    )

    def _connect(self) -> None:
        formula, outline = self.formula, self.scope.tables.outline
        edges = [
            (cell, neighbour)
            for cell in outline.cells
            for neighbour in cell.edge_neighbours()
            if cell < neighbour
            and self.covered.get(neighbour, Formula.FALSE) != Formula.FALSE
            and self.covered[cell] != Formula.FALSE
        ]
        inside = {cell: literal for cell, literal in self.covered.items() if literal != -1}
        connect(formula, edges, inside, self._roots(inside), self.method)

    def _roots(self, inside: dict[Cell, int]) -> dict[Cell, int]:
        """The pieces on the board; else a cell that must be covered; else the first one that is."""
        scope, outline = self.scope, self.scope.tables.outline
        if scope.start.pieces:
            return {cell: Formula.TRUE for cell, literal in inside.items() if literal == 1}
        certain = list(outline.cells_of(scope.required))
        certain += [
            cell for number in bits(scope.forced) for cell in scope.tables.all[number].cells
        ]
        if certain:
            return {self._most_central(certain): Formula.TRUE}
        roots: dict[Cell, int] = {}
        earlier = Formula.FALSE
        for cell, literal in sorted(inside.items()):
            roots[cell] = self.formula.both([literal, -earlier])
            earlier = self.formula.either([earlier, literal])
        return roots

    def _most_central(self, cells: list[Cell]) -> Cell:
        outline = self.scope.tables.outline
        return min(
            cells,
            key=lambda cell: (
                abs(2 * cell.row + 1 - outline.rows) + abs(2 * cell.column + 1 - outline.columns),
                cell,
            ),
        )

    # --- the end of the game -----------------------------------------------------------------

    def _end(self, finished: bool) -> None:
        """Finished: every placement is blocked.  Not finished: one is not."""
        formula, start, tables = self.formula, self.scope.start, self.scope.tables
        exhausted = {shape: self.used_up(place) for place, shape in enumerate(SHAPES)}
        # On an empty board a piece needs no contact.
        empty = Formula.FALSE if start.pieces else -more_than(self.further, 0)
        filled: dict[frozenset[Cell], int] = {}
        open_moves = []
        for number in bits(start.alive):
            placement = tables.all[number]
            if exhausted[placement.shape] == Formula.TRUE:
                continue
            mask = tables.cell_masks[number]
            blocked = [exhausted[placement.shape]]
            blocked += [self.covered[cell] for cell in placement.cells]
            for block in tables.blocks[number]:
                rest = frozenset(tables.outline.cells_of(block & ~mask))
                if rest not in filled:
                    filled[rest] = formula.both(self.covered[cell] for cell in rest)
                blocked.append(filled[rest])
            around = [self.covered[cell] for cell in self._around(number)]
            blocked += [self.shaped[cell, placement.shape] for cell in self._around(number)]
            if finished:
                # Whatever touches the placement, something blocks it.
                touched = formula.either([empty, *around])
                formula.add(-touched, *blocked)
            else:
                legal = formula.new()
                for literal in blocked:
                    formula.add(-legal, -literal)
                formula.add(-legal, empty, *around)
                open_moves.append(legal)
        if not finished:
            formula.add(*open_moves)

    @cached_property
    def _margin(self) -> list[int]:
        """The count of X's symbols uncovered and O's covered."""
        pattern = self.scope.start.pattern
        outline = pattern.outline
        literals = [-self.covered[cell] for cell in outline.cells_of(pattern.x_cells)]
        literals += [self.covered[cell] for cell in outline.cells_of(pattern.o_cells)]
        return tally(self.formula, literals, len(literals))

    def margin_at_least(self, margin: int) -> int:
        """A literal: X's margin is at least this."""
        return more_than(self._margin, margin + self.scope.start.pattern.count("O") - 1)

    def _score(self, side: str, score: int) -> None:
        """A side has exactly so many symbols uncovered."""
        pattern = self.scope.start.pattern
        cells = pattern.x_cells if side == "X" else pattern.o_cells
        literals = [-self.covered[cell] for cell in pattern.outline.cells_of(cells)]
        uncovered = tally(self.formula, literals, len(literals))
        self.formula.add(more_than(uncovered, score - 1))
        self.formula.add(-more_than(uncovered, score))

    def pieces_at_least(self, pieces: int) -> int:
        """A literal: at least so many pieces are on the board in the end."""
        return more_than(self.further, pieces - len(self.scope.start.pieces) - 1)

    def _win(self, winner: str) -> None:
        """The higher score wins, and on equal scores the side that placed the last piece."""
        formula = self.formula
        ahead, level = self.margin_at_least(1), self.margin_at_least(0)
        on_board = len(self.scope.start.pieces)
        if winner == "X":
            formula.add(level)
        else:
            formula.add(-ahead)
        # X placed the last of an odd number of pieces; an empty board was placed by nobody.
        for further in range(self.scope.most + 1):
            pieces = on_board + further
            if pieces % 2 == (1 if winner == "X" else 0) and pieces:
                continue
            exactly = [more_than(self.further, further - 1), -more_than(self.further, further)]
            decided = ahead if winner == "X" else -level
            formula.add(*(-literal for literal in exactly), decided)

    # --- solving -----------------------------------------------------------------------------

    def solve(
        self,
        solver: Solver,
        assumptions: Sequence[int] = (),
        most_conflicts: int | None = None,
    ) -> bool | None:
        """Ask a solver that has the formula for a model that is connected."""
        if self.method != LAZY:
            return solver.solve(assumptions, most_conflicts)
        return solve_connected(solver, self.cuts, assumptions, most_conflicts)

    def used_up(self, shape: int) -> int:
        """A literal: all pieces of a shape, by its place, are on the board."""
        left = self.scope.start.supply_left[shape]
        return Formula.TRUE if left <= 0 else more_than(self.of_shape[SHAPES[shape]], left - 1)

    # --- answers -----------------------------------------------------------------------------

    def numbers_in(self, model: set[int]) -> list[int]:
        """The placements that a model has."""
        return [self._of_variable[literal] for literal in model if literal in self._of_variable]

    @cached_property
    def _neighbours(self) -> dict[Cell, tuple[Cell, ...]]:
        return {
            cell: tuple(near for near in cell.edge_neighbours() if near in self.covered)
            for cell in self.covered
        }

    @cached_property
    def _start_cells(self) -> set[Cell]:
        return {cell for cell, literal in self.covered.items() if literal == Formula.TRUE}

    def cuts(self, model: set[int]) -> list[list[int]]:
        """Clauses that hold of every connected set and that this one breaks; none if it is."""
        chosen = {cell for cell, literal in self.covered.items() if literal in model}
        return separators(self._neighbours, self.covered, chosen, self._start_cells)

    def blocking(self, position: Position) -> list[int]:
        """A clause that excludes the further pieces of a position and no other set."""
        tables, start = self.scope.tables, self.scope.start
        further = position.pieces[len(start.pieces) :]
        others = [
            literal
            for cell, literal in self.covered.items()
            if not position.covered & tables.outline.bit(cell)
            and literal not in (Formula.TRUE, Formula.FALSE)
        ]
        return [-self.placed[tables.number[piece]] for piece in further] + others
