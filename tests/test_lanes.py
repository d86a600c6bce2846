"""Eight numbers at a time: every operation against numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from trundle.kernels.lanes import (  # fmt: skip
    LANES,
    add_rows,
    every,
    gather,
    larger,
    load,
    load3,
    root,
    size,
    smaller,
    some,
    store,
    sum_of,
    where,
)

numbers = st.floats(-1e100, 1e100, allow_subnormal=False)
eight = st.lists(numbers, min_size=LANES, max_size=LANES).map(np.array)


@njit
def compute(x, out):
    """All operations on the two fields of x (1, 2, 8)."""
    a, b = load(x, 0, 0), load(x, 0, 1)
    store(out, 0, 0, a + b)
    store(out, 0, 1, a - b)
    store(out, 0, 2, a * b)
    store(out, 0, 3, a / b)
    store(out, 0, 4, -a)
    store(out, 0, 5, root(size(a)))
    store(out, 0, 6, larger(a, b))
    store(out, 0, 7, smaller(a, b))
    store(out, 0, 8, where(a > b, a, every(2.0)))
    store(out, 0, 9, where(a <= 0.5, a, b))
    store(out, 0, 10, 2.0 * a)
    store(out, 0, 11, a - 0.5)
    total = every(0.0)
    total += a
    total -= b
    store(out, 0, 12, total)
    return sum_of(a), some(a > b)


@settings(deadline=None)  # the first example compiles
@given(eight, eight)
def test_operations_are_those_of_numbers(a, b):
    b = np.where(b == 0.0, 1.0, b)
    out = np.zeros((1, 13, LANES))
    with np.errstate(over="ignore"):
        total, any_larger = compute(np.stack([a, b])[None], out)
        wanted = [
            a + b, a - b, a * b, a / b, -a, np.sqrt(np.abs(a)), np.maximum(a, b), np.minimum(a, b),
            np.where(a > b, a, 2.0), np.where(a <= 0.5, a, b), 2.0 * a, a - 0.5, a - b,
        ]  # fmt: skip
    for k, each in enumerate(wanted):
        assert np.array_equal(out[0, k], each), k
    assert total == pytest.approx(float(a.sum()), rel=1e-12, abs=1e-12 * np.abs(a).sum())
    assert any_larger == bool(np.any(a > b))


@njit
def move(v, index, x, out):
    """Rows of v in lanes, into out (1, 16, 8), and six fields of x added to them."""
    for side in range(2):
        a, b, c, d = gather(v, index, 0, side, 0)
        e, f, g, h = gather(v, index, 0, side, 4)
        first = 8 * side
        store(out, 0, first, a)
        store(out, 0, first + 1, b)
        store(out, 0, first + 2, c)
        store(out, 0, first + 3, d)
        store(out, 0, first + 4, e)
        store(out, 0, first + 5, f)
        store(out, 0, first + 6, g)
        store(out, 0, first + 7, h)
    x0, x1, x2 = load3(x, 0, 0)
    x3, x4, x5 = load3(x, 0, 3)
    add_rows(v, index, 0, 1, x0, x1, x2, x3, x4, x5)


def test_rows_become_lanes_and_back():
    rng = np.random.default_rng(3)
    v, x = rng.normal(size=(30, 8)), rng.normal(size=(1, 6, LANES))
    index = rng.permutation(30)[: 2 * LANES].reshape(1, 2, LANES).astype(np.int32)
    out, before = np.zeros((1, 16, LANES)), v.copy()
    move(v, index, x, out)
    assert np.array_equal(out[0], np.concatenate([before[index[0, 0]].T, before[index[0, 1]].T]))
    wanted = before.copy()
    wanted[index[0, 1], :6] += x[0].T
    assert np.array_equal(v, wanted)


@njit
def copy(x, out):
    store(out, 0, 0, load(x, 0, 1))


@pytest.mark.parametrize("to", [np.float32, np.float64])
@pytest.mark.parametrize("of", [np.float32, np.float64])
def test_single_precision_can_be_read_and_written(of, to):
    x = np.random.default_rng(4).normal(size=(1, 2, LANES)).astype(of)
    out = np.zeros((1, 1, LANES), to)
    copy(x, out)
    assert np.array_equal(out[0, 0], x[0, 1].astype(to))
