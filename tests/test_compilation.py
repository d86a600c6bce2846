"""Compilation in less time gives the same code."""

from __future__ import annotations

import gc

import numba
import numpy as np
import pytest
from numba.core import event

from trundle import compilation


@pytest.mark.parametrize("order", [(False, True, False), (True, False, True)])
@pytest.mark.parametrize("function", [np.nansum, np.median])
def test_calls_take_the_options_of_the_kernel_that_is_compiled(function, order):
    # numba compiles what stands for these functions anew for each set of options
    found = []
    for fast in order:
        kernel = numba.njit(fastmath=fast)(lambda x: function(x))
        assert kernel(np.array([1.0, 2.0, 3.0])) == function([1.0, 2.0, 3.0])
        found.append(next(iter(kernel.inspect_llvm().values())).count(" fast "))
    assert [n > 0 for n in found] == list(order)


def test_types_of_a_call_are_searched_for_once(monkeypatch):
    searched = []

    def kernel(x, y):
        return (x * y + x * x - y * y) / (x * x + y * y) + (x - y) * (x + y)

    monkeypatch.setattr(compilation, "_search", counted(compilation._search, searched))
    assert numba.njit(kernel)(np.float32(1.0), np.float32(2.0)) == pytest.approx(kernel(1.0, 2.0))
    numba.njit(lambda x, y: x * y * y)(np.float32(1.0), np.float32(2.0))
    assert len(searched) == len({id(function) for function in searched}) <= 4


def counted(search, calls):
    def count(self, context, args, kws):
        if args == (numba.float32, numba.float32):
            calls.append(self)
        return search(self, context, args, kws)

    return count


@pytest.mark.parametrize("usual", [(700, 10, 10), (0, 10, 10)])
def test_garbage_collector_is_as_before_when_the_compiler_is_done(usual):
    before, seen = gc.get_threshold(), []

    class Look(event.Listener):
        def on_start(self, event):
            seen.append(gc.get_threshold())

        def on_end(self, event):
            pass

    try:
        gc.set_threshold(*usual)
        with event.install_listener("numba:run_pass", Look()):
            numba.njit(lambda x: x + 1.0)(1.0)
        assert gc.get_threshold() == usual
        assert set(seen) == {compilation.FEW_COLLECTIONS if usual[0] else usual}
    finally:
        gc.set_threshold(*before)


def test_kernels_are_compiled_once_for_all_integers_that_a_call_may_name():
    rows = numba.njit(lambda x, k: x[k] + k)
    rows.py_func.__module__ = "trundle.kernels.of_a_test"
    calls = numba.njit(lambda x: rows(x, 0) + rows(x, 1) + rows(x, 2))
    assert calls(np.array([1.0, 2.0, 4.0])) == 10.0
    assert len(rows.signatures) == 1
