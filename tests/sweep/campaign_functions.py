"""What the campaigns of the tests compute."""

from __future__ import annotations

import os
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np

from trundle.errors import TrundleWarning


def noisy(a: float, b: float = 1.0, seed: int = 0) -> dict[str, object]:
    if a == 3:
        raise ValueError("three is bad")
    if a == 4:
        warnings.warn("four is doubtful", TrundleWarning, stacklevel=1)
    return {"sum": a + b + np.random.default_rng(seed).random(), "large": np.bool_(a > 2), "word": f"a{a}"}


def deadly(a: int, folder: str, always: bool = False) -> dict[str, object]:
    """The worker of a = 1 dies, once or always; a sum whose last bits depend on the number of threads."""
    Path(folder, f"started-{a}-{time.monotonic_ns()}").touch()
    if a == 1 and (always or len(list(Path(folder).glob("started-1-*"))) == 1):
        os._exit(1)
    matrix = np.random.default_rng(a).normal(size=(300, 300))
    compiled = numba.njit(
        lambda x: 1.0 * x
    )  # on a new machine much is compiled on the workers: numba then looks at its settings
    return {
        "value": float(compiled(a)),
        "sum": float(np.linalg.inv(matrix @ matrix).sum()),
        "threads": numba.get_num_threads(),
    }


@dataclass(frozen=True)
class Answer:
    force: float
    right: bool


def answer(a: float) -> Answer:
    return Answer(2.0 * a, a > 1.0)


def slow(a: int, folder: str) -> float:
    time.sleep(0.15)
    Path(folder, f"done-{a}-{time.monotonic_ns()}").touch()
    return float(a)


def worded(a: float, kind: str) -> float:
    return a if kind == "plus" else -a


def shapeless(a: int) -> object:
    return {"list": [a, a]}
