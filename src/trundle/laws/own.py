"""How compiled kernels call laws that users wrote.

A user's law is a pair of compiled functions of fixed signature.  Kernels get their addresses in an array: they are
compiled once for all laws, stay in numba's cache on disk, and a call costs a few nanoseconds.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import carray, float64, int64, njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from trundle.laws.curves import JIT

MOST_ROWS = 5

_VECTOR = types.Array(float64, 1, "C")
PROJECT = types.void(_VECTOR, float64, _VECTOR, _VECTOR)  # (x, r_n, coefficients, out)
SUPPORT = float64(_VECTOR, _VECTOR)  # (w, coefficients) -> sigma(w)

NO_OWN = np.zeros((0, 2), np.int64)
_kept = []  # an address is good as long as its function lives


def addresses(pairs: list) -> np.ndarray:
    """Addresses of (project, support) pairs of compiled functions, shape (count, 2), in order."""
    _kept.extend(pair for pair in pairs if not any(pair[0] is old[0] for old in _kept))
    return np.array([[project.address, support.address] for project, support in pairs], np.int64).reshape(-1, 2)


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
def space_on_stack(typing_context):
    """Pointer to MOST_ROWS floats that live until the calling function returns."""

    def generate(context, builder, signature, arguments):
        return cgutils.alloca_once(builder, ir.DoubleType(), size=MOST_ROWS)

    return types.CPointer(float64)(), generate


@njit(**JIT)
def own_project(own, law, x, r_n, coefficients, out):
    """Projection of x onto r_n C by a user's law; x and out may be the same array."""
    held = carray(space_on_stack(), (MOST_ROWS,))[: x.shape[0]]
    for i in range(x.shape[0]):
        held[i] = x[i]
    call_project(own[law, 0], held, r_n, coefficients, out)


@njit(**JIT)
def own_support(own, law, w, coefficients):
    """Support function of a user's law."""
    return call_support(own[law, 1], w, coefficients)
