"""FCLIB's HDF5 format for contact problems: read, with joints, reference solution and guesses.

One group at the root holds the problem; ``/solution`` and ``/guesses/1, 2, ...`` may stand beside it.

==========================================  ==========================================================
``fclib_local``, ``fclib_local_rolling``    matrices ``W`` [``V``, ``R``], ``vectors/{q,mu[,mu_r][,s]}``
``fclib_global``, ``fclib_global_rolling``  matrices ``M``, ``H`` [``G``], ``vectors/{f,w,mu[,mu_r][,b]}``
``fclib_{local,global}_spinning``           as with rolling, and ``vectors/mu_s``
all of them                                 ``spacedim``, ``info/{title,description,math_info}``
==========================================  ==========================================================

``spacedim`` is the number of rows of a contact: 2 or 3, with rolling 5 (in 2-D 3), with spinning as well 6.  A matrix is a group
``m n nz nzmax p i x`` in CSparse's manner.  FCLIB's equations, with the equality constraints in brackets::

    local:   u = W r [+ V λ] + q                      [0 = Vᵀ r + R λ + s]
    global:  M v = H r [+ G λ] + f,  u = Hᵀ v + w     [0 = Gᵀ v + b]

The constraints become bilateral rows after the contacts, without change of sign: p = (r, λ), y = (u, 0) and::

    W' = [[W, V], [Vᵀ, R]],  q' = (q, s)              H' = [H, G]ᵀ,  b' = (w, b)

``fclib_local_rolling`` and ``..._spinning`` (rows n, t1, t2, s, r1, r2) are our names, by analogy: FCLIB defines rolling
for global problems only, and no spinning.  A solution may hold ``modes``, a code per contact (`laws.base.mode_names`).  FCLIB's
documentation says that ``p`` of a triplet matrix has the rows and ``i`` the columns; its files, as CSparse,
have it the other way round, and so have we.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from scipy import sparse

from trundle.contact import files
from trundle.contact.problem import ContactProblem
from trundle.errors import DAMAGED, ProblemError
from trundle.laws import Bilateral

# In the order of preference, if a file has several: FCLIB allows a local and a global form of one problem.
GROUPS = (
    "fclib_local", "fclib_local_rolling", "fclib_local_spinning", "fclib_global", "fclib_global_rolling",
    "fclib_global_spinning",
)  # fmt: skip
INFO = ("title", "description", "math_info")
SOLUTION = ("u", "r", "l", "v")
PROBLEM = (
    "spacedim",
    *(f"vectors/{name}" for name in ("mu", "mu_r", "mu_s", "q", "s", "f", "w", "b")),
    *(f"{matrix}/{part}" for matrix in "WVRMHG" for part in ("m", "n", "nz", "p", "i", "x")),
    *(f"info/{name}" for name in INFO),
)
CHECKSUMS = "trundle/checksums"  # ours: CRC-32 of all datasets, a JSON text; files of other programs have none
COMPRESSED_COLUMNS, COMPRESSED_ROWS = -1, -2

Datasets = dict[str, Any]
Vectors = dict[str, np.ndarray]


def read_fclib(path: str | os.PathLike[str]) -> ContactProblem:
    """Read a contact problem from an FCLIB file.

    Parameters
    ----------
    path : str or PathLike
        An HDF5 file with one of the groups of `GROUPS`.  If there are several, a local one is read.

    Returns
    -------
    ContactProblem
        Contacts first, then the equality constraints as rows of the law `Bilateral`.  The matrices are
        sparse; H, shape (rows, bodies' velocities), is the transpose of the file's [H, G].

    Raises
    ------
    ProblemError
        If the file is damaged, has no such group, lacks a dataset, or holds impossible values.
    """
    group = _extract(files.existing_file(path), GROUPS, PROBLEM)
    if not group.name:
        raise ProblemError(
            f"{group.source}: HDF5, but not FCLIB: no group {', '.join(GROUPS[:-1])} or {GROUPS[-1]}.\n"
            f"  The file has at its root: {', '.join(map(ascii, group.root)) or 'nothing'}."
        )
    d = group.integer("spacedim")
    mu = group.vector("vectors/mu")
    spinning = "vectors/mu_s" in group.datasets or group.name.endswith("_spinning")
    rolling = spinning or "vectors/mu_r" in group.datasets or group.name.endswith("_rolling")
    mu_r = group.vector("vectors/mu_r", mu.size) if rolling else None
    mu_s = group.vector("vectors/mu_s", mu.size) if spinning else None
    known, words = ((6,), "with mu_s") if spinning else ((3, 5), "with mu_r") if rolling else ((2, 3), "without mu_r")
    if d not in known:
        group.fail("spacedim", f"= {d}. Known {words}: {' and '.join(map(str, known))}.")
    if not mu.size:
        group.fail("vectors/mu", "is empty. A contact problem has at least 1 contact.")
    files.check_coefficients(group.source, f"{group.name}/vectors/mu", mu, "-")
    if mu_r is not None:
        files.check_coefficients(group.source, f"{group.name}/vectors/mu_r", mu_r, "m")
    if mu_s is not None:
        files.check_coefficients(group.source, f"{group.name}/vectors/mu_s", mu_s, "m")
    read = _read_reduced if group.name.startswith("fclib_local") else _read_global
    contents, constraints = read(group, mu.size * d)
    laws = [files.contact_law(mu, mu_r, d, mu_s), *([Bilateral(constraints)] if constraints else [])]
    contents |= {name: _text(group.datasets.get(f"info/{name}", "")) for name in INFO}
    return ContactProblem(tuple(laws), **contents, source=group.source)


def read_solution(path: str | os.PathLike[str]) -> Vectors | None:
    """Read the reference solution that an FCLIB file may hold.

    Many files hold zeros or an unfinished iterate there: judge it with the residual before using it.

    Returns
    -------
    dict or None
        Vectors by FCLIB's names: ``u`` velocities [m/s, rad/s] and ``r`` impulses [N s, N m s] of the
        contacts, ``l`` impulses of the constraints, ``v`` velocities of the bodies (global problems).
        None if the file has no solution.
    """
    group = _extract(files.existing_file(path), ("solution",), SOLUTION)
    return group.solution() if group.name else None


def read_modes(path: str | os.PathLike[str]) -> np.ndarray | None:
    """Read the state of each contact in the reference solution, codes of `laws.base.mode_names`; None if there are none."""
    group = _extract(files.existing_file(path), ("solution",), ("modes",))
    return group.take("modes", "iu", "integers") if "modes" in group.datasets else None


def read_guesses(path: str | os.PathLike[str]) -> list[Vectors]:
    """Read the initial guesses that an FCLIB file may hold (or an empty list), each as in `read_solution`."""
    file = files.existing_file(path)
    guesses: list[Vectors] = []
    while True:
        group = _extract(file, (f"guesses/{len(guesses) + 1}",), SOLUTION)
        if not group.name:
            return guesses
        guesses.append(group.solution())


def _extract(file: Path, names: Sequence[str], datasets: Sequence[str]) -> _Group:
    """Take these datasets, those that there are, of the first of these groups that there is into memory.

    Everything is looked up by its name: to walk through a damaged file may take forever.
    """
    import h5py

    def find(place: Any, path: str) -> Any:
        """What is linked there, or None.  An object that is linked but unreadable is an error, not None."""
        for part in path.split("/"):
            if not isinstance(place, h5py.Group) or not place.id.links.exists(part.encode()):
                return None
            place = place[part]
        return place

    found: Datasets = {}
    try:
        if not h5py.is_hdf5(file):
            raise ProblemError(f"{file}: not an HDF5 file. FCLIB files are HDF5; `load_problem` also reads text.")
        files.check_heaps(file)
        # Compression saves at most about a factor of thousand; a larger claim is a damaged number.
        room = 1024 * file.stat().st_size
        with h5py.File(file, "r") as root:
            name = next((name for name in names if isinstance(find(root, name), h5py.Group)), "")
            for key in datasets if name else ():
                item = find(root, f"{name}/{key}")
                if isinstance(item, h5py.Dataset):
                    if item.nbytes > room:
                        raise OSError(f"{name}/{key} claims {item.nbytes} bytes")
                    found[key] = item[()]
            others = _first_links(root)
            sums = find(root, CHECKSUMS) if name else None
            if sums is not None:
                _compare(name, found, datasets, json.loads(sums[()]))
    except ProblemError:
        raise
    except Exception as error:  # a damaged file makes HDF5 raise almost anything
        told = ProblemError(f"{file}: the HDF5 file is cut off or damaged ({str(error)!a}).\n  Copy or write it again.")
        told.exit_code = DAMAGED
        raise told from error
    return _Group(str(file), name, found, others)


def checksum(value: Any) -> int:
    """CRC-32 of a dataset, as it is stored."""
    if isinstance(value, str):
        return zlib.crc32(value.encode("utf-8", "replace"))
    if isinstance(value, bytes):
        return zlib.crc32(value)
    stored = np.ascontiguousarray(value)
    return zlib.crc32(stored.astype("<i8" if stored.dtype.kind in "iu" else "<f8").tobytes())


def _compare(group: str, found: Datasets, wanted: Sequence[str], sums: dict[str, int]) -> None:
    """Raise unless all datasets of a group are what was written."""
    for key in wanted:
        told = sums.get(f"{group}/{key}")
        if (told is None) != (key not in found) or (told is not None and checksum(found[key]) != told):
            raise OSError(f"{group}/{key} is not what was written")


def _first_links(root: Any, limit: int = 20) -> list[str]:
    """The names of what a file has at its root, up to a maximum number."""
    names: list[str] = []

    def collect(name: bytes) -> bool | None:
        names.append(name.decode("utf-8", "backslashreplace"))
        return True if len(names) >= limit else None  # anything but None stops

    root.id.links.iterate(collect)
    return names


class _Group:
    """The datasets of one group of a file, checked as they are taken.

    Attributes
    ----------
    source, name : str
        The file and the group; the name is empty if the file does not have the group.
    datasets : dict
        The values of its datasets by their names within the group.
    root : list of str
        What the file has at its root.
    """

    def __init__(self, source: str, name: str, datasets: Datasets, root: Sequence[str] = ()) -> None:
        self.source = source
        self.name = name
        self.datasets = datasets
        self.root = root

    def fail(self, field: str, message: str) -> NoReturn:
        """Raise a ProblemError about a field."""
        raise ProblemError(f"{self.source}: {self.name}/{field} {message}")

    def has(self, name: str) -> bool:
        """Whether there is a group within this one that has a dataset."""
        return any(key.startswith(f"{name}/") for key in self.datasets)

    def take(self, field: str, kinds: str, what: str) -> np.ndarray:
        """A dataset as a one-dimensional array, its type one of numpy's kinds."""
        if field not in self.datasets:
            there = ", ".join(self.datasets) or "nothing that FCLIB knows"
            self.fail(field, f"is missing. {self.name} has: {there}. Write the file again with it.")
        value = np.asarray(self.datasets[field])
        if value.dtype.kind not in kinds or value.ndim > 1:
            self.fail(field, f"must be {what}, but is of type {value.dtype} and shape {value.shape}.")
        return np.atleast_1d(value)

    def integer(self, field: str) -> int:
        """A dataset with one integer."""
        value = self.take(field, "iu", "an integer")
        if value.size != 1:
            self.fail(field, f"must be one integer, but has {value.size} entries.")
        return int(value[0])

    def vector(self, field: str, size: int | None = None) -> np.ndarray:
        """A dataset with finite numbers; their count is checked if a size is given."""
        value = self.take(field, "fiu", "numbers").astype(np.float64)
        if size is not None and value.size != size:
            self.fail(field, f"has {value.size} entries, but must have {size} to fit the other fields.")
        files.check_finite(self.source, f"{self.name}/{field}", value)
        return value

    def solution(self) -> Vectors:
        """The vectors of a solution or guess, those that are there."""
        return {key: self.vector(key) for key in self.datasets}

    def matrix(self, field: str, rows: int | None = None, columns: int | None = None) -> sparse.csc_array:
        """A sparse matrix, by columns, sorted, the entries at the same place added."""
        m, n = self.integer(f"{field}/m"), self.integer(f"{field}/n")
        if min(m, n) < 1 or rows not in (None, m) or columns not in (None, n):
            wanted = " x ".join("any" if size is None else str(size) for size in (rows, columns))
            self.fail(field, f"is {m} x {n}, but must be {wanted} to fit the other fields.")
        x = self.take(f"{field}/x", "fiu", "numbers").astype(np.float64)
        row, column = self._places(field, m, n, x.size)
        outside = np.flatnonzero((row < 0) | (row >= m) | (column < 0) | (column >= n))
        if outside.size:
            k = outside[0]
            self.fail(field, f"has entry {k} at ({row[k]}, {column[k]}), outside {m} x {n}.")
        matrix = sparse.csc_array((x[: row.size], (row, column)), shape=(m, n))
        matrix.sum_duplicates()
        files.check_finite(self.source, f"{self.name}/{field}", matrix)
        return matrix

    def _places(self, field: str, m: int, n: int, entries: int) -> tuple[np.ndarray, np.ndarray]:
        """Row and column of each entry of a matrix, from any of CSparse's three storages."""
        nz = self.integer(f"{field}/nz")
        p, i = (self.take(f"{field}/{key}", "iu", "integers").astype(np.int64) for key in "pi")
        if nz >= 0:  # triplet; there may be more room (nzmax) than entries
            if min(p.size, i.size, entries) < nz:
                self.fail(field, f"has nz = {nz}, but {p.size}, {i.size} and {entries} entries in p, i and x.")
            return i[:nz], p[:nz]
        if nz not in (COMPRESSED_COLUMNS, COMPRESSED_ROWS):
            self.fail(f"{field}/nz", f"= {nz}. Known: -1 (compressed columns), -2 (rows), or the entries (triplet).")
        lines, room = n if nz == COMPRESSED_COLUMNS else m, min(i.size, entries)
        if p.size != lines + 1 or p[0] != 0 or (np.diff(p) < 0).any() or p[-1] > room:
            self.fail(f"{field}/p", f"does not rise from 0 to at most {room} in {lines + 1} entries.")
        line, place = np.repeat(np.arange(lines), np.diff(p)), i[: p[-1]]
        return (place, line) if nz == COMPRESSED_COLUMNS else (line, place)


def _read_reduced(group: _Group, m: int) -> tuple[dict[str, Any], int]:
    """Read W and q, bordered by V, R and s if they are there; also give the number of constraints."""
    W, q = group.matrix("W", m, m), group.vector("vectors/q", m)
    if not group.has("V") and not group.has("R"):
        return {"W": W, "q": q}, 0
    V = group.matrix("V", rows=m)
    R, s = group.matrix("R", V.shape[1], V.shape[1]), group.vector("vectors/s", V.shape[1])
    W = sparse.csc_array(sparse.block_array([[W, V], [V.T, R]], format="csc"))
    return {"W": W, "q": np.concatenate((q, s))}, s.size


def _read_global(group: _Group, m: int) -> tuple[dict[str, Any], int]:
    """Read M, H, f and w, with G and b below if they are there; also give the number of constraints."""
    M = group.matrix("M")
    nv = M.shape[0]
    if M.shape[1] != nv:
        group.fail("M", f"is {nv} x {M.shape[1]}, but must be square.")
    H, f, w = group.matrix("H", nv, m), group.vector("vectors/f", nv), group.vector("vectors/w", m)
    if not group.has("G"):
        return {"M": M, "H": sparse.csc_array(H.T), "f": f, "b": w}, 0
    G = group.matrix("G", rows=nv)
    b = group.vector("vectors/b", G.shape[1])
    H = sparse.csc_array(sparse.hstack([H, G], format="csc").T)
    return {"M": M, "H": H, "f": f, "b": np.concatenate((w, b))}, b.size


def _text(value: Any) -> str:
    """A string dataset of any of HDF5's kinds."""
    if isinstance(value, np.ndarray):
        value = value.ravel()[0] if value.size else ""
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return value.decode("latin-1")
    return str(value)
