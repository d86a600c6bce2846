"""A space: the arrays that compiled stages work in, by name; and stages, compiled when a scene first needs them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numba import cfunc
from numba.core.event import Listener, install_listener
from numpy.typing import NDArray

from trundle.kernels.rotations import JIT
from trundle.kernels.space import STAGE, run_stages

PATIENCE = 0.5  # seconds of compilation after which it is told
KINDS = (np.dtype(float), np.dtype(np.int64), np.dtype(np.int32), np.dtype(bool))


class Space:
    """Named arrays, and the table of their addresses that stages take; see `trundle.kernels.space`.

    names: in the order of their places.  An array is put in, or replaced, by name, and stays the caller's: nothing is copied.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._place = {name: k for k, name in enumerate(names)}
        self._array: dict[str, NDArray[Any]] = {}
        self.at = np.zeros((len(names), 4), np.int64)

    def __setitem__(self, name: str, array: NDArray[Any]) -> None:
        assert array.flags.c_contiguous, name
        assert array.dtype in KINDS, name
        self._array[name] = array
        self.at[self._place[name]] = (array.ctypes.data, *array.shape, *[0] * (3 - array.ndim))

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._array[name]

    def __contains__(self, name: str) -> bool:
        return name in self._array

    def extend(self, names: Sequence[str]) -> None:
        """Places for more arrays, behind those that there are."""
        self._place |= {name: len(self.at) + k for k, name in enumerate(names)}
        self.at = np.concatenate([self.at, np.zeros((len(names), 4), np.int64)])

    def put(self, **arrays: NDArray[Any]) -> None:
        """Put in several arrays."""
        for name, array in arrays.items():
            self[name] = array

    def make(self, dtype: type = float, **shapes: tuple[int, ...]) -> None:
        """Put in arrays of zeros."""
        for name, shape in shapes.items():
            self[name] = np.zeros(shape, dtype)


@cache
def compiled(function: Callable[..., Any]) -> Any:
    """A stage, compiled or loaded from the cache on disk."""
    return cfunc(STAGE, nogil=True, **JIT)(function)


class _Notice(Listener):
    """Tells whoever waits for compilation in a terminal or a notebook so, once: numba runs a pass only where it compiles."""

    def __init__(self) -> None:
        self.told, self._begun = not _watched(), time.perf_counter()

    def on_start(self, event: Any) -> None:
        if not self.told and time.perf_counter() - self._begun > PATIENCE:
            self.told = True
            text = "compiling kernels for this scene, which takes up to half a minute; they are kept for the next time"
            print(f"trundle: {text}", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


@cache
def _notice() -> _Notice:
    return _Notice()


def addresses(stages: Sequence[Callable[..., Any]]) -> NDArray[np.int64]:
    """Addresses of stages, for `run_stages`."""
    with install_listener("numba:run_pass", _notice()):
        return np.array([compiled(stage).address for stage in stages], np.int64)


def _watched() -> bool:
    """Whether somebody looks at what is written: a terminal or a notebook."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


__all__ = ["Space", "addresses", "compiled", "run_stages"]
