"""Sets of placements as wide numbers inside compiled code.

A *row* is a set of placements: a whole number of 512-bit lines of ``uint64`` words in memory, one
number in registers.  ``row(table, index, lines)`` reads one, ``a & b``, ``a | b`` and
``without(a, b)`` work on whole rows, ``count(a)`` counts members, ``meets(a, b)`` asks for a
common one.  The number of lines is part of the *type*, so that the compiler lays a row out in
vector registers (one AVX-512 register a line; two or four smaller ones on older machines) and
there is no loop left over the words of a set.  ``lines`` is a tuple of that many zeros: its length
says the number to the compiler.

These are numba intrinsics: each writes the LLVM instruction of its name.
"""
# mypy: ignore-errors

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

WORDS_A_LINE = 8
BITS_A_LINE = 64 * WORDS_A_LINE

_WORD = ir.IntType(64)


class RowType(types.Type):
    """The numba type of a row of so many lines."""

    def __init__(self, lines: int) -> None:
        self.lines = lines
        super().__init__(name=f"Row({lines})")


_LINE = ir.VectorType(_WORD, WORDS_A_LINE)


@register_model(RowType)
class _RowModel(models.PrimitiveModel):
    """An array of lines: wider vectors than the machine's are compiled badly."""

    def __init__(self, data_model_manager, row_type) -> None:
        super().__init__(data_model_manager, row_type, ir.ArrayType(_LINE, row_type.lines))


def lines_for(members: int) -> tuple[int, ...]:
    """The ``lines`` argument for sets of up to so many members, at least one line."""
    return (0,) * max(1, -(-members // BITS_A_LINE))


def _address(builder, row_type, context, signature, arguments, table=0, offset=0):
    """Where a row is: argument ``table`` is the table, the next one the index (less ``offset``).

    The rows of a table follow each other without gaps.
    """
    array = cgutils.create_struct_proxy(signature.args[table])(
        context, builder, value=arguments[table]
    )
    index_type = signature.args[table + 1]
    index = context.cast(builder, arguments[table + 1], index_type, types.intp)
    first_line = builder.mul(index, ir.Constant(_WORD, row_type.lines))
    first_line = builder.add(first_line, ir.Constant(_WORD, offset * row_type.lines))
    return builder.gep(builder.bitcast(array.data, _LINE.as_pointer()), [first_line])


def _is_table(table) -> bool:
    return (
        isinstance(table, types.Array)
        and table.ndim == 2
        and table.dtype == types.uint64
        and table.layout == "C"
    )


def _lines_at(builder, place, number: int):
    """Pointers to the lines of a row in memory."""
    first = builder.bitcast(place, _LINE.as_pointer())
    return [builder.gep(first, [ir.Constant(ir.IntType(32), line)]) for line in range(number)]


def _lines_of(builder, value, row_type):
    return [builder.extract_value(value, line) for line in range(row_type.lines)]


def _row_from(builder, lines):
    value = ir.Constant(ir.ArrayType(_LINE, len(lines)), ir.Undefined)
    for number, line in enumerate(lines):
        value = builder.insert_value(value, line, number)
    return value


def _call(builder, name: str, result, argument):
    function_type = ir.FunctionType(result, [argument.type])
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, [argument])


def _folded(builder, lines, operation: str):
    """One line from several by ``or`` or ``add``."""
    whole = lines[0]
    for line in lines[1:]:
        whole = getattr(builder, operation)(whole, line)
    return whole


def _sum(builder, line):
    return _call(builder, f"llvm.vector.reduce.add.v{WORDS_A_LINE}i64", _WORD, line)


def _is_not_empty(builder, lines):
    whole = _folded(builder, lines, "or_")
    nonzero = builder.icmp_unsigned("!=", whole, ir.Constant(_LINE, None))
    flags = ir.IntType(WORDS_A_LINE)
    return builder.icmp_unsigned("!=", builder.bitcast(nonzero, flags), ir.Constant(flags, 0))


@intrinsic
def row(typing_context, table, index, lines):
    """Row ``index`` of a two-dimensional table of words."""
    if not (_is_table(table) and isinstance(lines, types.UniTuple)):
        return None
    result = RowType(len(lines))

    def generate(context, builder, signature, arguments):
        place = _address(builder, result, context, signature, arguments)
        pointers = _lines_at(builder, place, result.lines)
        return _row_from(builder, [builder.load(pointer, align=8) for pointer in pointers])

    return result(table, index, lines), generate


@intrinsic
def put(typing_context, table, index, value):
    """Write a row to row ``index`` of a two-dimensional table of words."""
    if not (_is_table(table) and isinstance(value, RowType)):
        return None

    def generate(context, builder, signature, arguments):
        place = _address(builder, value, context, signature, arguments)
        lines = _lines_of(builder, arguments[2], value)
        for pointer, line in zip(_lines_at(builder, place, value.lines), lines, strict=True):
            builder.store(line, pointer, align=8)
        return context.get_dummy_value()

    return types.void(table, index, value), generate


@intrinsic
def no_members(typing_context, lines):
    """The empty set."""
    result = RowType(len(lines))

    def generate(context, builder, signature, arguments):
        return ir.Constant(context.get_value_type(result), None)

    return result(lines), generate


def _binary(name: str):
    def build(typing_context, left, right):
        if not (isinstance(left, RowType) and left == right):
            return None

        def generate(context, builder, signature, arguments):
            both = zip(*(_lines_of(builder, each, left) for each in arguments), strict=True)
            if name == "without":
                found = [builder.and_(first, builder.not_(second)) for first, second in both]
            elif name == "and":
                found = [builder.and_(first, second) for first, second in both]
            else:
                found = [builder.or_(first, second) for first, second in both]
            return _row_from(builder, found)

        return left(left, right), generate

    return build


@intrinsic
def _and(typing_context, left, right):
    return _binary("and")(typing_context, left, right)


@intrinsic
def _or(typing_context, left, right):
    return _binary("or")(typing_context, left, right)


@intrinsic
def without(typing_context, left, right):
    """The members of the first set that are not in the second."""
    return _binary("without")(typing_context, left, right)


@overload(operator.and_)
def _overload_and(left, right):
    if isinstance(left, RowType):
        return lambda left, right: _and(left, right)
    return None


@overload(operator.or_)
def _overload_or(left, right):
    if isinstance(left, RowType):
        return lambda left, right: _or(left, right)
    return None


@intrinsic
def has_members(typing_context, value):
    """Whether a set is not empty."""
    if not isinstance(value, RowType):
        return None

    def generate(context, builder, signature, arguments):
        return _is_not_empty(builder, _lines_of(builder, arguments[0], value))

    return types.boolean(value), generate


@intrinsic
def meets(typing_context, left, right):
    """Whether two sets have a common member."""
    if not (isinstance(left, RowType) and left == right):
        return None

    def generate(context, builder, signature, arguments):
        both = zip(*(_lines_of(builder, each, left) for each in arguments), strict=True)
        return _is_not_empty(builder, [builder.and_(first, second) for first, second in both])

    return types.boolean(left, right), generate


@intrinsic
def count(typing_context, value):
    """How many members a set has."""
    if not isinstance(value, RowType):
        return None

    def generate(context, builder, signature, arguments):
        name = f"llvm.ctpop.v{WORDS_A_LINE}i64"
        counts = [
            _call(builder, name, _LINE, line) for line in _lines_of(builder, arguments[0], value)
        ]
        return _sum(builder, _folded(builder, counts, "add"))

    return types.int64(value), generate


@intrinsic
def mixed(typing_context, left, right, table, index, lines):
    """64 well mixed bits of two rows together, with three rows of odd multipliers from a table."""
    if not (isinstance(left, RowType) and left == right and _is_table(table)):
        return None

    def generate(context, builder, signature, arguments):
        keys = []
        for offset in range(3):
            place = _address(builder, left, context, signature, arguments, 2, offset)
            pointers = _lines_at(builder, place, left.lines)
            keys.append([builder.load(pointer, align=8) for pointer in pointers])

        def folded(value, bits):
            shift = ir.Constant(_LINE, [bits] * WORDS_A_LINE)
            return builder.xor(value, builder.lshr(value, shift))

        found = []
        first_lines, second_lines = (_lines_of(builder, each, left) for each in arguments[:2])
        for first, second, one, two, three in zip(first_lines, second_lines, *keys, strict=True):
            first = folded(builder.mul(first, one), 32)
            second = folded(builder.mul(second, two), 29)
            # A third number is added, so that words of zeros are not left as they are.
            both = builder.add(builder.add(first, second), three)
            both = folded(builder.mul(both, one), 32)
            found.append(folded(builder.mul(both, two), 31))
        return _sum(builder, _folded(builder, found, "add"))

    return types.uint64(left, right, table, index, lines), generate


@intrinsic
def trailing_zeros(typing_context, word):
    """The number of the lowest bit of a word that is not zero."""
    if word != types.uint64:
        return None

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(word), generate


@intrinsic
def leading_zeros(typing_context, word):
    """How many zeros stand above the highest bit of a word that is not zero."""
    if word != types.uint64:
        return None

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(word), generate
