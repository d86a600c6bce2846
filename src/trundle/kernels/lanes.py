"""Eight numbers at a time in compiled code: a type `lanes` for numba, with arithmetic, loads and stores.

A processor does as much with a vector of four or eight numbers as with one.  Compilers find that out by themselves in
simple loops only; where eight contacts are to be visited at once it has to be said.  Kernels read as with numbers:

    x, y = load(p, g, 0), load(p, g, 1)           # p (G, fields, LANES): p[g, 0, :] and p[g, 1, :]
    length = root(x * x + y * y)                  # +, -, *, /, <=, > with lanes or floats on either side
    store(p, g, 0, where(length > 1.0, x / length, x))

Nothing here can be called from Python.  Vectors are those of LLVM, which splits them where the processor's are shorter.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin, lower_cast
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, models, register_model

LANES = 8
ROW = 8  # numbers in a row of `gather` and `add_rows`
HALF = 4  # numbers of a row that are turned into lanes at a time

_DOUBLE, _SINGLE, _BIT, _INT32, _INT64 = ir.DoubleType(), ir.FloatType(), ir.IntType(1), ir.IntType(32), ir.IntType(64)
_VECTOR, _SINGLES, _BITS = (ir.VectorType(kind, LANES) for kind in (_DOUBLE, _SINGLE, _BIT))
_QUAD = ir.VectorType(_DOUBLE, HALF)


class _Lanes(types.Type):
    """The type of eight floats."""


class _Mask(types.Type):
    """The type of eight truth values."""


lanes, mask = _Lanes("lanes"), _Mask("mask")


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: types.Type) -> None:
        super().__init__(manager, fe_type, _VECTOR)


@register_model(_Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: types.Type) -> None:
        super().__init__(manager, fe_type, _BITS)


# --- arithmetic ---------------------------------------------------------------------------------------


@lower_cast(types.float64, lanes)
def _spread(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
    """A float in all lanes."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    one = builder.insert_element(nothing, value, _INT32(0))
    return _shuffle(builder, one, nothing, [0] * LANES)


def _define(op: Callable[..., Any], emit: Callable[..., Any], result: types.Type, count: int = 2) -> None:
    """Give a Python operator a meaning for lanes, or lanes and floats."""

    @infer_global(op)
    class Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == count and lanes in args and all(a in (lanes, types.float64) for a in args):
                return signature(result, *[lanes] * count)
            return None

    @lower_builtin(op, *[lanes] * count)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *args)


for _op in (operator.add, operator.iadd):
    _define(_op, lambda b, x, y: b.fadd(x, y), lanes)
for _op in (operator.sub, operator.isub):
    _define(_op, lambda b, x, y: b.fsub(x, y), lanes)
for _op in (operator.mul, operator.imul):
    _define(_op, lambda b, x, y: b.fmul(x, y), lanes)
_define(operator.truediv, lambda b, x, y: b.fdiv(x, y), lanes)
_define(operator.gt, lambda b, x, y: b.fcmp_ordered(">", x, y), mask)
_define(operator.le, lambda b, x, y: b.fcmp_ordered("<=", x, y), mask)
_define(operator.neg, lambda b, x: b.fneg(x), lanes, count=1)


def _function(emit: Callable[..., Any], result: types.Type, *arguments: types.Type) -> Any:
    """A function of lanes for compiled code, from what it emits."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(builder, *args)

    if len(arguments) == 1:
        return intrinsic(lambda typingctx, x: (result(*arguments), codegen))
    if len(arguments) == 2:
        return intrinsic(lambda typingctx, x, y: (result(*arguments), codegen))
    return intrinsic(lambda typingctx, x, y, z: (result(*arguments), codegen))


def _of_llvm(name: str) -> Callable[..., Any]:
    def emit(builder: Any, x: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{LANES}f64"), [x])

    return emit


def _add_up(builder: Any, x: Any) -> Any:
    parts = [builder.extract_element(x, _INT32(k)) for k in range(LANES)]
    while len(parts) > 1:
        parts = [builder.fadd(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
    return parts[0]


def _any(builder: Any, x: Any) -> Any:
    number = ir.IntType(LANES)
    return builder.icmp_unsigned("!=", builder.bitcast(x, number), number(0))


every = _function(lambda b, x: _spread(None, b, None, None, x), lanes, types.float64)  # a float in all lanes
root = _function(_of_llvm("sqrt"), lanes, lanes)
size = _function(_of_llvm("fabs"), lanes, lanes)  # |x|
larger = _function(lambda b, x, y: b.select(b.fcmp_ordered(">", x, y), x, y), lanes, lanes, lanes)
smaller = _function(lambda b, x, y: b.select(b.fcmp_ordered("<", x, y), x, y), lanes, lanes, lanes)
where = _function(lambda b, m, x, y: b.select(m, x, y), lanes, mask, lanes, lanes)  # x where m, else y
some = _function(_any, types.boolean, mask)  # whether any is true
sum_of = _function(_add_up, types.float64, lanes)


# --- memory -------------------------------------------------------------------------------------------


def _data(context: Any, builder: Any, kind: types.Array, array: Any) -> Any:
    return context.make_array(kind)(context, builder, array)


def _field(context: Any, builder: Any, kind: types.Array, array: Any, g: Any, k: Any) -> Any:
    """Address of array[g, k, :] of an array (G, fields, LANES) of float64 or float32."""
    parts = _data(context, builder, kind, array)
    fields = cgutils.unpack_tuple(builder, parts.shape, 3)[1]
    group = builder.gep(parts.data, [builder.mul(g, builder.mul(fields, _INT64(LANES)))], inbounds=True)
    place = builder.gep(group, [builder.mul(k, _INT64(LANES))], inbounds=True)
    return builder.bitcast(place, (_SINGLES if kind.dtype == types.float32 else _VECTOR).as_pointer())


@intrinsic
def load(typingctx: Any, array: Any, g: Any, k: Any) -> Any:
    """array[g, k, :] of an array (G, fields, LANES) of float64 or float32."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        found = builder.load(_field(context, builder, sig.args[0], *args), align=4)
        return builder.fpext(found, _VECTOR) if found.type == _SINGLES else found

    return lanes(array, types.int64, types.int64), codegen


@intrinsic
def load3(typingctx: Any, array: Any, g: Any, k: Any) -> Any:
    """Three fields of an array (G, fields, LANES) from field k: a vector per lane."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array, g, k = args
        fields = (
            _field(context, builder, sig.args[0], array, g, builder.add(k, _INT64(i), flags=["nsw"])) for i in range(3)
        )
        found = [builder.load(field, align=8) for field in fields]
        return context.make_tuple(builder, sig.return_type, found)

    return types.UniTuple(lanes, 3)(array, types.int64, types.int64), codegen


@intrinsic
def store(typingctx: Any, array: Any, g: Any, k: Any, x: Any) -> Any:
    """array[g, k, :] = x for an array (G, fields, LANES) of float64 or float32."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        single = sig.args[0].dtype == types.float32
        x = builder.fptrunc(args[3], _SINGLES) if single else args[3]
        builder.store(x, _field(context, builder, sig.args[0], *args[:3]), align=4)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64, lanes), codegen


def _shuffle(builder: Any, x: Any, y: Any, places: Sequence[int]) -> Any:
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(_INT32, len(places)), list(places)))


def _turn(builder: Any, a: Any, b: Any, c: Any, d: Any) -> list[Any]:
    """Four vectors of four, transposed."""
    low, high = (0, 4, 2, 6), (1, 5, 3, 7)
    first, last = (0, 1, 4, 5), (2, 3, 6, 7)
    even = _shuffle(builder, a, b, low), _shuffle(builder, c, d, low)
    odd = _shuffle(builder, a, b, high), _shuffle(builder, c, d, high)
    return [
        _shuffle(builder, *even, first), _shuffle(builder, *odd, first), _shuffle(builder, *even, last),
        _shuffle(builder, *odd, last),
    ]  # fmt: skip


def _rows(context: Any, builder: Any, kinds: Any, where: Any, column: Any) -> list[Any]:
    """Addresses of array[index[g, side, lane], column] for every lane; where: array (N, ROW), index (G, 2, LANES), g, side."""
    array, index, g, side = where
    rows, number = _data(context, builder, kinds[0], array), _data(context, builder, kinds[1], index)
    first = builder.mul(builder.add(builder.mul(g, _INT64(2)), side), _INT64(LANES))
    numbers = builder.gep(number.data, [first], inbounds=True)
    found = []
    for k in range(LANES):
        i = builder.sext(builder.load(builder.gep(numbers, [_INT64(k)], inbounds=True)), _INT64)
        row = builder.gep(rows.data, [builder.mul(i, _INT64(ROW))], inbounds=True)
        found.append(builder.bitcast(builder.gep(row, [column], inbounds=True), _QUAD.as_pointer()))
    return found


@intrinsic
def gather(typingctx: Any, array: Any, index: Any, g: Any, side: Any, column: Any) -> Any:
    """Four columns from `column` on (0 or 4) of the rows index[g, side, :]; array (N, 8), index (G, 2, LANES) of int32."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        places = _rows(context, builder, sig.args, args[:4], args[4])
        blocks = [
            _turn(builder, *(builder.load(place, align=8) for place in places[k : k + HALF]))
            for k in range(0, LANES, HALF)
        ]
        found = [_shuffle(builder, x, y, range(LANES)) for x, y in zip(*blocks, strict=True)]
        return context.make_tuple(builder, sig.return_type, found)

    integer = types.int64
    return types.UniTuple(lanes, HALF)(array, index, integer, integer, integer), codegen


@intrinsic
def add_rows(
    typingctx: Any, array: Any, index: Any, g: Any, side: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any
) -> Any:
    """Add six columns to the rows index[g, side, :] of array (N, 8), index as in `gather`.

    Rows of different lanes are different, or get zeros.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        where, columns = args[:4], args[4:]
        nothing = ir.Constant(_QUAD, [0.0] * HALF)
        for first, chosen in ((0, columns[:HALF]), (HALF, columns[HALF:])):
            places = _rows(context, builder, sig.args, where, _INT64(first))
            for k in range(0, LANES, HALF):
                quads = [_shuffle(builder, x, x, range(k, k + HALF)) for x in chosen]
                quads += [nothing] * (HALF - len(quads))
                for place, more in zip(places[k : k + HALF], _turn(builder, *quads), strict=True):
                    builder.store(builder.fadd(builder.load(place, align=8), more), place, align=8)
        return context.get_dummy_value()

    integer = types.int64
    return types.void(array, index, integer, integer, *[lanes] * 6), codegen


def _prefetch(builder: Any, place: Any, locality: int) -> None:
    """Ask for a line of memory; locality: 3 for the first level of the cache, 2 for the second."""
    byte = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [byte, _INT32, _INT32, _INT32])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [builder.bitcast(place, byte), _INT32(0), _INT32(locality), _INT32(1)])


@intrinsic
def fetch(typingctx: Any, array: Any, g: Any, k: Any) -> Any:
    """Ask for array[g, k, :] of an array (G, fields, LANES) beforehand; g may be beyond the end.

    Into the second level of the cache: the first one has fewer places for lines that are on their way than a group has lines.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _prefetch(builder, _field(context, builder, sig.args[0], *args), 2)
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), codegen


@intrinsic
def fetch_rows(typingctx: Any, array: Any, index: Any, g: Any, side: Any) -> Any:
    """Ask for the rows index[g, side, :] of array (N, 8) beforehand, into the first level of the cache; see `gather`."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        for place in _rows(context, builder, sig.args, args, _INT64(0)):
            _prefetch(builder, place, 3)
        return context.get_dummy_value()

    return types.void(array, index, types.int64, types.int64), codegen
