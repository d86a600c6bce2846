# ruff: noqa: E501 - a table of values
"""Misuse of the Python interface: every argument of every public call with values of a wrong type, shape, sign or size."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import signal
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from api_calls import table_of_calls

import trundle
from trundle import laws
from trundle.errors import TrundleError

SECONDS = 20  # until a call counts as hung
BAD: list[Any] = [
    None, True, False, "x", "", b"x", math.nan, math.inf, -math.inf, -1, 0, -0.5, 1e-320, 1e300, 10**400, 2**70, 3 + 4j, [], (), {}, {"a": 1},
    [1, 2], [1, 2, 3], [[1, 2], [3]], [[1, 2, 3]], [None], ["a", "b"], "abc", [math.nan] * 3, np.array(3.0), np.array("x"),
    np.zeros((2, 2)), np.zeros(0), np.array([1, "a"], object), np.array(None), object(), lambda: 0, print, int, Path("x"), range(3),
    trundle.Sphere(0.1), laws.Coulomb(mu=0.3), trundle.Scene(), np.float64(2.0), np.int8(-3), "1", "\x00", "\ud800", iter([1]), slice(1),
    "auto", ("x", "y"), {"kind": "x"}, {"kind": []}, {1: 2}, [0.5, "x"], [{}], [[]], [[[]]], np.zeros((3, 3, 3)), np.ones(3, bool),
    np.array([1.0, np.nan]), np.datetime64("2020-01-01"), decimal.Decimal("0.1"), fractions.Fraction(1, 3), datetime.date(2020, 1, 1),
    "=1+1", "a\nb", "\x1b[31m", "..", "/", {1, 2}, np.ma.masked, np.zeros(3, complex), (1, 2, 3, 4), -(2**70), type, Ellipsis, NotImplemented,
]  # fmt: skip


# what may be a function of the user, which may raise what it likes
USERS = ("progress", "keep_problems", "motor", "speed", "force", "torque", "stop", "target", "function", "restitution")


def _tick(*_: object) -> None:
    raise TimeoutError("hung")


def misuse(folder: Path, count: int | None = None, seed: int = 0, taken: list[str] | None = None) -> dict[str, Any]:
    """Call everything with bad arguments, or with `count` of them at random; returns counts and what raised something raw.

    taken : gets the calls that were accepted, to be looked through
    """
    table = table_of_calls(folder)
    jobs = [(name, key, i) for name, (_, given) in table.items() for key in given for i in range(len(BAD))]
    if count is not None:
        jobs = [
            jobs[i]
            for i in np.sort(np.random.default_rng(seed).choice(len(jobs), min(count, len(jobs)), replace=False))
        ]
    counts, failures = {"calls": 0, "refused": 0, "accepted": 0}, []
    former = signal.signal(signal.SIGALRM, _tick)
    try:
        for name, key, i in jobs:
            function, given = table[name]
            if key in USERS and callable(BAD[i]):
                continue
            if (name, key) == ("Simulation.step", "n") and isinstance(BAD[i], int) and BAD[i] > 10**9:
                continue  # so many steps take their time
            counts["calls"] += 1
            signal.alarm(SECONDS)
            try:
                with warnings.catch_warnings(), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    function(**{**given, key: BAD[i]})
                counts["accepted"] += 1
                if taken is not None:
                    taken.append(f"{name}({key}={_short(BAD[i])})")
            except TrundleError:
                counts["refused"] += 1
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{Path(place.filename).name}:{place.lineno}"
                failures.append(f"{name}({key}={_short(BAD[i])}): {type(error).__name__}: {str(error)[:90]} [{where}]")
            finally:
                signal.alarm(0)
    finally:
        signal.signal(signal.SIGALRM, former)
    return {**counts, "failures": failures}


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."
