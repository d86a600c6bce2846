"""What trundle says when something is wrong: the place, the value, what is allowed, and the remedy."""

from __future__ import annotations

import difflib
import math
import re
import sys
import warnings
from collections.abc import Iterable

import numpy as np

MOST_NAMES = 40  # that a message lists
NUMPY_NUMBER = re.compile(r"\bnp\.(?:float|int|uint)\d+\(([^()]*)\)")  # what users gave is a number to them

# Exit codes of the command line.  A signal n ends with 128 + n: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
DONE, NOT_CONVERGED, BAD_INPUT, DAMAGED, DISK = range(5)


class TrundleError(Exception):
    """Base of every error that trundle raises on purpose."""

    exit_code = BAD_INPUT

    def __init__(self, *args: object) -> None:
        super().__init__(*(NUMPY_NUMBER.sub(r"\1", arg) if isinstance(arg, str) else arg for arg in args))


class LawError(TrundleError):
    """A friction law that is unknown, has a bad coefficient, or breaks a rule that every law must keep."""


class ProblemError(TrundleError):
    """A contact problem, or a file that should hold one, that cannot be used as it is."""


class SolverError(TrundleError):
    """An unknown solver, an unknown option, or a solver that cannot honour the problem it was given."""


class SceneError(TrundleError):
    """A scene that cannot be simulated as it is."""


class SimulationError(TrundleError):
    """A run that cannot go on: a NaN, a body that left the world, a step that failed."""

    exit_code = NOT_CONVERGED


class MeasureError(TrundleError):
    """A measure that has no answer for what it was given."""


class CampaignError(TrundleError):
    """A campaign that cannot be run as it is described."""


class RecordingError(TrundleError):
    """A file that is no recording, is damaged, or cannot be written or continued."""


class DamageError(RecordingError):
    """A recording that is no longer what was written: cut off, overwritten, with flipped bits."""

    exit_code = DAMAGED


class DiskError(RecordingError):
    """A file that cannot be written: the disk is full, a quota used up, a folder read-only."""

    exit_code = DISK


class TrundleWarning(UserWarning):
    """Something was accepted that the user should know about."""


def known(given: object, names: Iterable[str]) -> bool:
    """Whether something is one of these names: a text, not an array or a list that happens to compare."""
    return isinstance(given, str) and given in names


def whole(value: object) -> bool:
    """Whether something is a whole number, and neither True nor False."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def real(value: object) -> bool:
    """Whether something is a finite real number, and neither True nor False."""
    try:
        return (
            isinstance(value, (int, float, np.integer, np.floating))
            and not isinstance(value, bool)
            and math.isfinite(value)
        )
    except OverflowError:  # a whole number that no float can hold
        return False


def unknown(what: str, given: object, known: Iterable[str]) -> str:
    """Say that ``given`` is not a known ``what``, list the known ones and guess which was meant."""
    names = sorted(known)
    more = f", and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    message = f"unknown {what} {given!r}. Known: {', '.join(names[:MOST_NAMES])}{more}."
    close = difflib.get_close_matches(str(given), names, n=1, cutoff=0.5)
    return f"{message} Did you mean {close[0]!r}?" if close else message


def warn(text: str) -> None:
    """Give a warning, at the line of the user's that led to it."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).startswith("trundle."):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, TrundleWarning, stacklevel=level)
