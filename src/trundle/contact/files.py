"""Contact problems in files: the kind is found out from the content, and everything is checked at the door.

`load_problem` reads FCLIB (HDF5) and Siconos (text), `save_problem` writes FCLIB.  The checks that both
formats share live here, too; the rest is in `trundle.contact.fclib` and `trundle.contact.siconos`.
"""

from __future__ import annotations

import difflib
import errno
import mmap
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from trundle.errors import ProblemError
from trundle.laws import Coulomb, Coulomb2D, Law, Rolling, Rolling2D, SlideRollSpin

if TYPE_CHECKING:
    from trundle.contact.problem import ContactProblem

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
HDF5_SUFFIXES = (".hdf5", ".h5")
LOCAL_HEAP = b"HEAP\0\0\0\0"
LARGEST_SCAN = 1 << 30  # bytes of a file that `check_heaps` looks through; that takes about a second


def load_problem(path: str | os.PathLike[str]) -> ContactProblem:
    """Read a contact problem from a file, FCLIB (HDF5) or Siconos text, whatever its name.

    Parameters
    ----------
    path : str or PathLike
        The file.

    Returns
    -------
    ContactProblem
        Reduced, y = W p + q, or global, M v = f + Hᵀ p and y = H v + b, as the file has it.

    Raises
    ------
    ProblemError
        If there is no such file, or it is empty, damaged, of another kind, or holds an impossible problem.
    """
    # The formats are imported where they are needed: h5py takes longer to import than most problems to solve.
    file = existing_file(path)
    try:
        with file.open("rb") as stream:
            start = stream.read(1 << 16)
    except OSError as error:
        raise unreadable(file, error) from error
    if not start.startswith(HDF5_SIGNATURE) and b"\0" not in start:
        from trundle.contact.siconos import read_siconos

        return read_siconos(file)
    import h5py

    # The library is asked because HDF5 may follow a user block of 512, 1024, ... bytes of anything.
    if not start.startswith(HDF5_SIGNATURE) and not h5py.is_hdf5(file):
        raise ProblemError(
            f"{file}: neither HDF5 nor text (byte {start.index(0)} is 0; the file begins with "
            f"{start[:8].hex(' ')}).\n"
            "  Known kinds: FCLIB (HDF5) and Siconos (text). Is the file compressed, or damaged?"
        )
    from trundle.contact.fclib import read_fclib

    return read_fclib(file)


def save_problem(problem: ContactProblem, path: str | os.PathLike[str]) -> None:
    """Write a contact problem to a file in FCLIB's HDF5 format.

    Parameters
    ----------
    problem : ContactProblem
        Reduced or global, formulation ``"exact"``; Coulomb or Rolling, 3-D or 2-D; joints after the contacts.
    path : str or PathLike
        A name that ends in ``.hdf5`` or ``.h5``.  An existing file is replaced.

    Raises
    ------
    ProblemError
        If the name ends differently, the format cannot hold the problem, or the file cannot be written.
    """
    from trundle.contact.problem import ContactProblem

    if not isinstance(problem, ContactProblem):
        raise ProblemError(f"save_problem: {problem!r} is not a ContactProblem.")
    file = as_path(path)
    if file.suffix.lower() not in HDF5_SUFFIXES:
        raise ProblemError(
            f"{file}: cannot write a contact problem with the suffix {file.suffix!r}.\n"
            f"  Problems are written as FCLIB (HDF5): name the file {file.stem + '.hdf5'!r}."
        )
    from trundle.contact.fclib_writing import write_fclib

    write_fclib(problem, file)


# --- the checks that both formats share ------------------------------------------------------------------


def as_path(path: str | os.PathLike[str]) -> Path:
    """Give a Path, or say what a path may be."""
    try:
        return Path(path)
    except TypeError:
        raise ProblemError(f"a path must be a string or a path object, not {type(path).__name__} ({path!r}).") from None


def existing_file(path: str | os.PathLike[str]) -> Path:
    """Give the path of a file that exists and is not empty, or say what is there instead."""
    file = as_path(path)
    try:
        if file.is_dir():
            raise ProblemError(f"{file}: is a folder. Give one of the files in it.")
        if not file.exists():
            neighbours = [entry.name for entry in file.parent.iterdir()] if file.parent.is_dir() else []
            close = difflib.get_close_matches(file.name, neighbours, n=1)
            hint = f"Did you mean {close[0]!r}?" if close else f"Looked in {str(file.parent.absolute())!r}."
            raise ProblemError(f"{file}: there is no such file. {hint}")
        if file.is_file() and file.stat().st_size == 0:
            raise ProblemError(f"{file}: the file is empty. Was writing it interrupted?")
        if not os.access(file, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise unreadable(file, error) from error
    return file


def unreadable(file: Path, error: Exception) -> ProblemError:
    """Make an error about a file that the system does not hand out."""
    reason = getattr(error, "strerror", None) or str(error)
    return ProblemError(f"{str(file)!r}: cannot be read ({reason}). Check its name and who may read it.")


def check_heaps(file: Path) -> None:
    """Raise a ProblemError if the free space in a name table of an HDF5 file is listed in a circle.

    Such damage is rare, but HDF5 follows the circle until the memory of the machine is full.  After the
    signature of a local heap stand its size, the first free place in it, and where it begins, each 8 bytes; at
    each free place stands the next one, and 1 at the last.
    """
    if not 0 < file.stat().st_size <= LARGEST_SCAN:
        return
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        base, at = data.find(HDF5_SIGNATURE), data.find(LOCAL_HEAP)
        while 0 <= at <= len(data) - 32:
            size, free, begin = struct.unpack_from("<QQQ", data, at + 8)
            begin += base  # places are counted from the signature, which may follow a user block
            seen: set[int] = set()
            while free != 1 and free < size and begin + free + 8 <= len(data):
                if free in seen:
                    raise ProblemError(
                        f"{file}: the HDF5 file is damaged (the free list of the heap at byte {at} is a circle).\n"
                        "  Copy or write it again."
                    )
                seen.add(free)
                (free,) = struct.unpack_from("<Q", data, begin + free)
            at = data.find(LOCAL_HEAP, at + 4)


def check_finite(source: str, field: str, values: Any) -> None:
    """Raise a ProblemError that names the first NaN or infinity in a dense or sparse array."""
    is_sparse = scipy.sparse.issparse(values)
    bad = np.argwhere(~np.isfinite(values.data if is_sparse else values))
    if not bad.size:
        return
    first = tuple(bad[0])
    value = values.data[first] if is_sparse else values[first]
    place = [index[first] for index in values.tocoo().coords] if is_sparse else first
    others = f", nor are {len(bad) - 1} others" if len(bad) > 1 else ""
    raise ProblemError(
        f"{source}: {field}[{', '.join(map(str, place))}] = {value} (counted from 0) is not a finite number{others}.\n"
        "  The program that wrote the file failed before; write it again from a healthy step."
    )


def check_coefficients(source: str, field: str, values: np.ndarray, unit: str) -> None:
    """Raise a ProblemError that names the first coefficient that is negative or not finite."""
    check_finite(source, field, values)
    bad = np.flatnonzero(values < 0)
    if bad.size:
        raise ProblemError(
            f"{source}: {field}[{bad[0]}] = {values[bad[0]]} (contacts counted from 0) is negative.\n"
            f"  A friction coefficient [{unit}] is 0 or positive; 0 means no friction."
        )


def contact_law(mu: Any, mu_r: Any, rows: int, mu_s: Any = None) -> Law:
    """Give the law of contacts with a given number of rows.

    Parameters
    ----------
    mu : ndarray, shape (contacts,)
        Sliding coefficients [-].
    mu_r : ndarray, shape (contacts,), or None
        Rolling coefficients [m], or None for a law without rolling friction.
    rows : int
        Rows of a contact: 2 or 3 without rolling, 5 or (in 2-D) 3 with rolling, 6 with spinning as well.
    mu_s : ndarray, shape (contacts,), or None
        Spinning coefficients [m], beside mu_r.
    """
    if mu_s is not None:
        return SlideRollSpin(mu=mu, mu_r=mu_r, mu_s=mu_s)
    if mu_r is None:
        return Coulomb(mu=mu) if rows == 3 else Coulomb2D(mu=mu)
    return Rolling(mu=mu, mu_r=mu_r) if rows == 5 else Rolling2D(mu=mu, mu_r=mu_r)
