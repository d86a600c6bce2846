"""Arguments of public functions, checked where they come in: a wrong kind, shape or size is the error of its room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import TrundleError, real
from trundle.errors import whole as is_whole

Error = type[TrundleError]
MOST_SHOWN = 200  # characters of a value that a message repeats


def shown(value: object) -> str:
    """A value for a message, not too long."""
    try:
        text = repr(value)
    except Exception:  # of a user's own class
        text = f"<{type(value).__name__}>"
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def instance(error: Error, name: str, value: Any, kind: type | tuple[type, ...], remedy: str) -> Any:
    """Something of a class, or of one of several; True and False are no whole numbers."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise error(f"{name} = {shown(value)} must be {remedy}.")
    return value


def flag(error: Error, name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise error(f"{name} = {shown(value)} must be True or False.")
    return bool(value)


def text(error: Error, name: str, value: Any) -> str:
    """A text that may be empty."""
    return str(instance(error, name, value, str, "a text"))


def whole(error: Error, name: str, value: Any, least: int = 0, most: int = 2**63 - 1) -> int:
    """A whole number within limits."""
    if not is_whole(value) or not least <= value <= most:
        raise error(f"{name} = {shown(value)} must be a whole number, {least} to {most}.")
    return int(value)


def finite(error: Error, name: str, value: Any, unit: str = "-", least: float = -np.inf, most: float = np.inf) -> float:
    """A finite number within limits."""
    if not real(value) or not least <= value <= most:
        limits = f", {least:g} to {most:g}" if np.isfinite([least, most]).any() else ""
        raise error(f"{name} = {shown(value)} must be a finite number{limits} [{unit}].")
    return float(value)


def numbers(
    error: Error, name: str, value: Any, shape: tuple[int | None, ...] | None = None, unit: str = "-"
) -> NDArray[np.float64]:
    """Finite numbers; shape: their number along every axis, None where any will do; without it any shape will."""
    found = _array(error, name, value, "iuf", f"numbers [{unit}]", shape).astype(float)
    if not np.all(np.isfinite(found)):
        raise error(f"{name} = {shown(value)} must be finite numbers [{unit}].")
    return found


def places(
    error: Error, name: str, value: Any, shape: tuple[int | None, ...], most: int | None = None
) -> NDArray[np.int64]:
    """Whole numbers >= 0, and < most."""
    found = _array(error, name, value, "iuf", "whole numbers", shape)
    if found.size and not (np.all(found == np.floor(found)) and found.min() >= 0 and found.max() < (most or 2**31)):
        raise error(f"{name} = {shown(value)} must be whole numbers, 0 to {(most or 2**31) - 1}.")
    return found.astype(np.int64)


def _array(
    error: Error, name: str, value: Any, kinds: str, what: str, shape: tuple[int | None, ...] | None
) -> NDArray[Any]:
    try:
        found = np.asarray(value)
    except (TypeError, ValueError):
        found = np.array(None)
    if found.size == 0 and shape is not None and None in shape and found.dtype.kind in "iufO":
        found = np.zeros([n or 0 for n in shape])
    if found.dtype.kind not in kinds:
        raise error(f"{name} = {shown(value)} are not {what}.")
    if shape is not None and (
        found.ndim != len(shape) or any(n not in (None, m) for n, m in zip(shape, found.shape, strict=True))
    ):
        wanted = ", ".join("n" if n is None else str(n) for n in shape)
        raise error(
            f"{name} has the shape {found.shape}; ({wanted}{',' if len(shape) == 1 else ''}) is needed: {what}."
        )
    return found
