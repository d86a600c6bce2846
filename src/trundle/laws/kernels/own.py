"""Calls by address: laws that users wrote, and the built-in ones that are more than disks.

Kernels get an array `own` of the addresses of compiled functions.  They are compiled once for all laws and stay in
numba's cache on disk, and a call costs a few nanoseconds.  A user's law is a pair of functions, PROJECT and SUPPORT.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

from llvmlite import ir
from numba import carray, float64, int64, njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from trundle.laws.kernels.curves import INLINE

MOST_ROWS = 5
AT_SECTION, AT_SUPPORT, AT_PROJECT, FIRST_OWN = 0, 1, 2, 3  # places in `own`; a user's law takes two

_VECTOR = types.Array(float64, 1, "C")
_TABLE = types.Array(float64, 2, "C")
_NUMBERS = types.Array(int64, 2, "C")
_ADDRESSES = types.Array(int64, 1, "C")

PROJECT = types.void(_VECTOR, float64, _VECTOR, _VECTOR)  # (x, r_n, coefficients, out)
SUPPORT = float64(_VECTOR, _VECTOR)  # (w, coefficients) -> sigma(w)

# those of `trundle.laws.general`; section writes g, dg/dr and t to its last argument
GENERAL_SECTION = types.void(
    _NUMBERS, _TABLE, _ADDRESSES, int64, int64, _VECTOR, float64, _VECTOR, float64, _VECTOR
)  # fmt: skip
GENERAL_SUPPORT = float64(_NUMBERS, _TABLE, _ADDRESSES, int64, int64, _VECTOR)
GENERAL_PROJECT = types.void(_NUMBERS, _NUMBERS, _TABLE, _ADDRESSES, int64, int64, _VECTOR, _VECTOR)


def _call_at_address(context, builder, signature, arguments):
    """Call the function whose address is the first argument, as numba's cfunc compiles it."""
    kinds = [context.get_value_type(kind) for kind in signature.args[1:]]
    function = ir.FunctionType(context.get_value_type(signature.return_type), kinds)
    pointer = builder.inttoptr(arguments[0], function.as_pointer())
    result = builder.call(pointer, arguments[1:])
    return context.get_dummy_value() if signature.return_type == types.none else result


@intrinsic
def call_project(typing_context, address, x, r_n, coefficients, out):
    return types.none(int64, *PROJECT.args), _call_at_address


@intrinsic
def call_support(typing_context, address, w, coefficients):
    return float64(int64, *SUPPORT.args), _call_at_address


@intrinsic
def call_general_section(typing_context, address, block, coef, own, b, base, x, r, out, t, result):
    return types.none(int64, *GENERAL_SECTION.args), _call_at_address


@intrinsic
def call_general_support(typing_context, address, block, coef, own, b, base, w):
    return float64(int64, *GENERAL_SUPPORT.args), _call_at_address


@intrinsic
def call_general_project(typing_context, address, contact, block, coef, own, c, base, x, out):
    return types.none(int64, *GENERAL_PROJECT.args), _call_at_address


@intrinsic
def space_on_stack(typing_context):
    """Pointer to MOST_ROWS floats that live until the calling function returns."""

    def generate(context, builder, signature, arguments):
        return cgutils.alloca_once(builder, ir.DoubleType(), size=MOST_ROWS)

    return types.CPointer(float64)(), generate


def _borrowed(context, builder, pointer, size):
    """Array of `size` floats at a pointer, without counting references, which would cost more than a law."""
    array = make_array(_VECTOR)(context, builder)
    width = context.get_constant(types.intp, 8)
    populate_array(array, data=pointer, shape=[size], strides=[width], itemsize=width, meminfo=None)
    return array._getvalue()


@intrinsic
def part_of(typing_context, vector, first, size):
    """vector[first : first + size], to be used while the vector lives."""

    def generate(context, builder, signature, arguments):
        data = make_array(_VECTOR)(context, builder, arguments[0]).data
        return _borrowed(context, builder, builder.gep(data, [arguments[1]]), arguments[2])

    return _VECTOR(_VECTOR, int64, int64), generate


@intrinsic
def row_of(typing_context, table, row):
    """table[row], to be used while the table lives."""

    def generate(context, builder, signature, arguments):
        array = make_array(_TABLE)(context, builder, arguments[0])
        width = builder.extract_value(array.shape, 1)
        pointer = builder.gep(array.data, [builder.mul(arguments[1], width)])
        return _borrowed(context, builder, pointer, width)

    return _VECTOR(_TABLE, int64), generate


@intrinsic
def borrow(typing_context, array):
    """The same array without its reference count, to be used while the array lives.

    A compiled function counts references to every array that it hands to another one, in every round of a loop: for a
    sweep over contacts that costs more than the arithmetic.
    """

    def generate(context, builder, signature, arguments):
        copy = make_array(array)(context, builder, arguments[0])
        copy.meminfo = ir.Constant(copy.meminfo.type, None)
        copy.parent = ir.Constant(copy.parent.type, None)
        return copy._getvalue()

    return array(array), generate


@njit(**INLINE)
def own_section(own, law, coef, b, x, first, size, r, out):
    """Projection of rows of x onto r C by a user's law; x and out may be the same array.  Returns g(r)."""
    held = carray(space_on_stack(), (MOST_ROWS,))
    held[0] = x[first]
    if size > 1:
        held[1] = x[first + 1]
    if size > 2:
        for i in range(2, size):
            held[i] = x[first + i]
    f = part_of(out, first, size)
    call_project(own[law], part_of(held, 0, size), r, row_of(coef, b), f)
    if r <= 0.0:
        return call_support(own[law + 1], part_of(held, 0, size), row_of(coef, b))
    g = 0.0
    for i in range(size):
        g += (held[i] - f[i]) * f[i]
    return max(g / r, 0.0)


@njit(**INLINE)
def own_place(own, law, coef, b, x, first, size, r):
    """As `own_section`, in place and without g."""
    held = carray(space_on_stack(), (MOST_ROWS,))
    held[0] = x[first]
    if size > 1:
        held[1] = x[first + 1]
    if size > 2:
        for i in range(2, size):
            held[i] = x[first + i]
    call_project(own[law], part_of(held, 0, size), r, row_of(coef, b), part_of(x, first, size))


@njit(**INLINE)
def own_support(own, law, coef, b, w, first, size):
    """Support function of a user's law at rows of w."""
    return call_support(own[law + 1], part_of(w, first, size), row_of(coef, b))
