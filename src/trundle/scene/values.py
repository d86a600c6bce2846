"""Numbers, vectors and names that users give, checked where they come in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError

Array = NDArray[np.float64]
LARGEST = 1e30  # of anything in SI units: beyond, products of a few of them overflow


def is_list(value: Any) -> bool:
    """Whether something has entries: a list, a tuple or an array, but no array of no dimensions."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def number(
    place: str, name: str, value: Any, unit: str, *, positive: bool = False, least: float = -math.inf,
    most: float = math.inf, infinite: bool = False,
) -> float:  # fmt: skip
    """A number within its limits, or an error with the place, the field and its unit."""
    if isinstance(value, (bool, np.bool_, str, bytes)) or value is None:
        raise SceneError(f"{place}: {name} = {value!r} is not a number [{unit}].")
    try:
        result = float(value)
    except (TypeError, ValueError, OverflowError):
        raise SceneError(f"{place}: {name} = {value!r} is not a number [{unit}].") from None
    if math.isnan(result) or (math.isinf(result) and not infinite):
        raise SceneError(f"{place}: {name} = {result:g} {unit} must be finite.")
    if abs(result) > LARGEST and not math.isinf(result):
        raise SceneError(f"{place}: {name} = {result:g} {unit} is out of range; numbers go up to {LARGEST:g}.")
    if positive and result <= 0.0:
        raise SceneError(f"{place}: {name} = {result:g} {unit} must be positive.")
    if not least <= result <= most:
        limits = f"between {least:g} and {most:g}" if math.isfinite(most) else f"at least {least:g}"
        raise SceneError(f"{place}: {name} = {result:g} {unit} must be {limits}.")
    return result


def vector(place: str, name: str, value: Any, unit: str, size: int = 3) -> Array:
    """A finite vector, or an error with the place, the field and its unit."""
    try:
        array = np.asarray(value)
        # numpy takes True among numbers for 1
        truth = isinstance(value, (list, tuple)) and any(isinstance(x, bool) for x in value)
        if array.dtype.kind not in "iuf" or truth:
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise SceneError(f"{place}: {name} = {value!r} is not {size} numbers [{unit}].") from None
    if array.shape != (size,) or not np.all(np.isfinite(array)):
        raise SceneError(f"{place}: {name} = {value!r} must be {size} finite numbers [{unit}].")
    if size and np.abs(array).max() > LARGEST:
        raise SceneError(f"{place}: {name} = {value!r} {unit} is out of range; numbers go up to {LARGEST:g}.")
    return array


def unit(array: Array, length: float) -> Array:
    """A vector of length 1; what has that length already, to round-off, keeps its bits."""
    return array if abs(length - 1.0) < 1e-15 else array / length


def direction(place: str, name: str, value: Any) -> Array:
    """A vector scaled to length 1, or an error."""
    array = vector(place, name, value, "-")
    length = float(np.linalg.norm(array))
    if length < 1e-12:
        raise SceneError(f"{place}: {name} = {value!r} has no direction; give e.g. (0, 0, 1).")
    return unit(array, length)


def quaternion(place: str, value: Any) -> Array:
    """A unit quaternion (w, x, y, z), or an error."""
    array = vector(place, "orientation", value, "-", 4)
    length = math.hypot(*array)
    if abs(length - 1.0) > 1e-6:
        raise SceneError(
            f"{place}: orientation = {value!r} has length {length:g}; a quaternion (w, x, y, z) has length 1."
        )
    return unit(array, length)


def label(place: str, name: str, value: Any) -> str:
    """A name that is not empty, or an error."""
    if not isinstance(value, str) or not value.strip():
        raise SceneError(f"{place}: {name} = {value!r} is not a name.")
    if "\0" in value or (not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value)):
        raise SceneError(f"{place}: {name} = {value!r} has a character that no file can hold.")
    return value
