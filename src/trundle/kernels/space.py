"""Compiled access to a `Space`: arrays by place, and stages, compiled functions of a space, called by address.

A space is a table at (places, 4): address, and up to three lengths, of every array that a step works in.  A stage takes the
table alone, so that stages are compiled one by one, only where a scene needs them, and none of them contains the code of
another.  (Passed as a tuple of dozens of arrays, the same code takes ten times as long to compile.)  Never raises.
"""

from __future__ import annotations

from llvmlite import ir
from numba import boolean, carray, float64, int32, int64, njit, types
from numba.extending import intrinsic

from trundle.kernels.rotations import INNER, JIT

TABLE = types.Array(int64, 2, "C")
STAGE = int64(TABLE)
GO_ON = 0  # what a stage returns; other codes > 0 ask for Python; < 0: go on with stage -code - 1 of the list


def _pointer(kind):
    @intrinsic
    def as_pointer(typing_context, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(types.CPointer(kind)))

        return types.CPointer(kind)(int64), generate

    return as_pointer


_to_reals, _to_wholes, _to_numbers, _to_flags = (_pointer(kind) for kind in (float64, int64, int32, boolean))


@njit(**INNER)
def real1(at, k):
    """The array of floats (n,) at place k."""
    return carray(_to_reals(at[k, 0]), (at[k, 1],))


@njit(**INNER)
def real2(at, k):
    """The array of floats (n, m) at place k."""
    return carray(_to_reals(at[k, 0]), (at[k, 1], at[k, 2]))


@njit(**INNER)
def real3(at, k):
    """The array of floats (n, m, l) at place k."""
    return carray(_to_reals(at[k, 0]), (at[k, 1], at[k, 2], at[k, 3]))


@njit(**INNER)
def whole1(at, k):
    """The array of int64 (n,) at place k."""
    return carray(_to_wholes(at[k, 0]), (at[k, 1],))


@njit(**INNER)
def whole2(at, k):
    """The array of int64 (n, m) at place k."""
    return carray(_to_wholes(at[k, 0]), (at[k, 1], at[k, 2]))


@njit(**INNER)
def number3(at, k):
    """The array of int32 (n, m, l) at place k."""
    return carray(_to_numbers(at[k, 0]), (at[k, 1], at[k, 2], at[k, 3]))


@njit(**INNER)
def flag1(at, k):
    """The array of truth values (n,) at place k."""
    return carray(_to_flags(at[k, 0]), (at[k, 1],))


@njit(**INNER)
def flag2(at, k):
    """The array of truth values (n, m) at place k."""
    return carray(_to_flags(at[k, 0]), (at[k, 1], at[k, 2]))


@intrinsic
def call_stage(typing_context, address, at):
    """What the stage at an address returns for a space."""

    def generate(context, builder, signature, arguments):
        kinds = [context.get_value_type(kind) for kind in STAGE.args]
        function = ir.FunctionType(context.get_value_type(STAGE.return_type), kinds)
        return builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])

    return STAGE.return_type(int64, TABLE), generate


@njit(nogil=True, **JIT)
def run_stages(at, stages, first, done, steps):
    """Run a list of stages, from the first-th on, until `steps` steps are done; done (1,): steps so far, changed in place.

    Returns where it stopped: the stage, and its code; GO_ON if all steps are done.
    """
    s = first
    while done[0] < steps:
        while s < stages.shape[0]:
            code = call_stage(stages[s], at)
            if code > 0:
                return s, code
            s = -code - 1 if code < 0 else s + 1
        done[0] += 1
        s = 0
    return 0, GO_ON


# Loops of their own: numba compiles a second per function for array[:] = value, most of it for errors that cannot happen.
@njit(**INNER)
def clear1(array):
    """array[:] = 0."""
    for i in range(array.shape[0]):
        array[i] = 0.0


@njit(**INNER)
def clear2(array, n):
    """array[:n] = 0."""
    for i in range(n):
        for k in range(array.shape[1]):
            array[i, k] = 0.0


@njit(**INNER)
def copy1(source, target):
    """target[:] = source."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@njit(**INNER)
def copy2(source, target, n):
    """target[:n] = source[:n]."""
    for i in range(n):
        for k in range(target.shape[1]):
            target[i, k] = source[i, k]
