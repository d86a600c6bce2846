"""FCLIB's HDF5 format for contact problems: read and write, with joints, reference solution and guesses.

One group at the root holds the problem; ``/solution`` and ``/guesses/1, 2, ...`` may stand beside it.

==========================================  ==========================================================
``fclib_local``, ``fclib_local_rolling``    matrices ``W`` [``V``, ``R``], ``vectors/{q,mu[,mu_r][,s]}``
``fclib_global``, ``fclib_global_rolling``  matrices ``M``, ``H`` [``G``], ``vectors/{f,w,mu[,mu_r][,b]}``
all of them                                 ``spacedim``, ``info/{title,description,math_info}``
==========================================  ==========================================================

``spacedim`` is the number of rows of a contact: 2 or 3, with rolling 5 (in 2-D 3).  A matrix is a group
``m n nz nzmax p i x`` in CSparse's manner.  FCLIB's equations, with the equality constraints in brackets::

    local:   u = W r [+ V λ] + q                      [0 = Vᵀ r + R λ + s]
    global:  M v = H r [+ G λ] + f,  u = Hᵀ v + w     [0 = Gᵀ v + b]

The constraints become bilateral rows after the contacts, without change of sign: p = (r, λ), y = (u, 0) and::

    W' = [[W, V], [Vᵀ, R]],  q' = (q, s)              H' = [H, G]ᵀ,  b' = (w, b)

``fclib_local_rolling`` is our name, by analogy: FCLIB defines rolling for global problems only.  FCLIB's
documentation says that ``p`` of a triplet matrix has the rows and ``i`` the columns; its files, as CSparse,
have it the other way round, and so have we.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from scipy import sparse

from trundle.contact import files
from trundle.contact.problem import ContactProblem
from trundle.errors import ProblemError
from trundle.laws import Bilateral, Coulomb, Coulomb2D, Law, Rolling, Rolling2D

# In the order of preference, if a file has several: FCLIB allows a local and a global form of one problem.
GROUPS = ("fclib_local", "fclib_local_rolling", "fclib_global", "fclib_global_rolling")
INFO = ("title", "description", "math_info")
# The laws that can be written, and their coefficients in the file.
COEFFICIENTS: dict[type[Law], tuple[str, ...]] = {
    Coulomb: ("mu",),
    Coulomb2D: ("mu",),
    Rolling: ("mu", "mu_r"),
    Rolling2D: ("mu", "mu_r"),
}
SOLUTION = ("u", "r", "l", "v")
PROBLEM = (
    "spacedim",
    *(f"vectors/{name}" for name in ("mu", "mu_r", "q", "s", "f", "w", "b")),
    *(f"{matrix}/{part}" for matrix in "WVRMHG" for part in ("m", "n", "nz", "p", "i", "x")),
    *(f"info/{name}" for name in INFO),
)
COMPRESSED_COLUMNS, COMPRESSED_ROWS = -1, -2

Datasets = dict[str, Any]
Vectors = dict[str, np.ndarray]


def read_fclib(path: str | os.PathLike[str]) -> ContactProblem:
    """Read a contact problem from an FCLIB file.

    Parameters
    ----------
    path : str or PathLike
        An HDF5 file with a group ``fclib_local``, ``fclib_global``, ``fclib_global_rolling`` or
        ``fclib_local_rolling``.  If there are several, a local one is read.

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
    rolling = "vectors/mu_r" in group.datasets or group.name.endswith("_rolling")
    mu_r = group.vector("vectors/mu_r", mu.size) if rolling else None
    known = (3, 5) if rolling else (2, 3)
    if d not in known:
        group.fail("spacedim", f"= {d}. Known {'with' if rolling else 'without'} mu_r: {known[0]} and {known[1]}.")
    if not mu.size:
        group.fail("vectors/mu", "is empty. A contact problem has at least 1 contact.")
    files.check_coefficients(group.source, f"{group.name}/vectors/mu", mu, "-")
    if mu_r is not None:
        files.check_coefficients(group.source, f"{group.name}/vectors/mu_r", mu_r, "m")
    read = _read_reduced if group.name.startswith("fclib_local") else _read_global
    contents, constraints = read(group, mu.size * d)
    laws = [files.contact_law(mu, mu_r, d), *([Bilateral(constraints)] if constraints else [])]
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


def read_guesses(path: str | os.PathLike[str]) -> list[Vectors]:
    """Read the initial guesses that an FCLIB file may hold (or an empty list), each as in `read_solution`."""
    file = files.existing_file(path)
    guesses: list[Vectors] = []
    while True:
        group = _extract(file, (f"guesses/{len(guesses) + 1}",), SOLUTION)
        if not group.name:
            return guesses
        guesses.append(group.solution())


def write_fclib(
    problem: ContactProblem,
    path: str | os.PathLike[str],
    *,
    solution: Mapping[str, np.ndarray] | None = None,
    guesses: Sequence[Mapping[str, np.ndarray]] = (),
) -> None:
    """Write a contact problem to an FCLIB file, replacing what was there.

    The same problem always gives the same bytes: compressed columns with sorted indices, no time stamps.

    Parameters
    ----------
    problem : ContactProblem
        Formulation ``"exact"``; one kind of law for all contacts (Coulomb, Coulomb2D, Rolling or Rolling2D);
        joints (`Bilateral`) after the contacts.
    path : str or PathLike
        The file.
    solution : mapping, optional
        Reference solution as of `read_solution`: ``u`` and ``r``, with joints ``l``, in global form ``v``.
    guesses : sequence of mappings, optional
        Initial guesses, each as ``solution``.

    Raises
    ------
    ProblemError
        If the format cannot hold the problem, or the file cannot be written.
    """
    file = files.as_path(path)
    if problem.formulation != "exact":
        raise ProblemError(
            f"{file}: FCLIB has no place for formulation = {problem.formulation!r}; it would be read as "
            "'exact'.\n  Write the problem with formulation='exact', and choose another after reading."
        )
    law, coefficients, constraints = _contact_coefficients(problem, file)
    m = coefficients["mu"].size * law.d
    datasets: Datasets = {"spacedim": _int(law.d)}
    datasets |= {f"vectors/{name}": value for name, value in coefficients.items()}
    datasets |= _reduced_datasets(problem, m, file) if problem.form == "reduced" else _global_datasets(problem, m)
    datasets |= {f"info/{name}": str(getattr(problem, name) or "") for name in INFO}
    group = "fclib_local" if problem.form == "reduced" else "fclib_global"
    group += "_rolling" if "mu_r" in coefficients else ""
    tree = {f"{group}/{name}": value for name, value in datasets.items()}
    sizes = {"u": m, "r": m, "l": constraints, "v": problem.M.shape[0] if problem.form == "global" else 0}
    if solution is not None:
        tree |= _solution_datasets("solution", solution, sizes, file)
    for number, guess in enumerate(guesses, start=1):
        tree |= _solution_datasets(f"guesses/{number}", guess, sizes, file)
    if guesses:
        tree["guesses/number_of_guesses"] = _int(len(guesses))
    image = _hdf5_image(tree)
    try:
        file.write_bytes(image)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise ProblemError(
            f"{str(file)!r}: cannot be written ({reason}). Does the folder exist, and may you write there?"
        ) from error


# --- reading ---------------------------------------------------------------------------------------------


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
    except ProblemError:
        raise
    except Exception as error:  # a damaged file makes HDF5 raise almost anything
        raise ProblemError(
            f"{file}: the HDF5 file is cut off or damaged ({str(error)!a}).\n  Copy or write it again."
        ) from error
    return _Group(str(file), name, found, others)


def _first_links(root: Any, limit: int = 20) -> list[str]:
    """The names of what a file has at its root, at most so many."""
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
        """A dataset with finite numbers, so many if a size is given."""
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


# --- writing ---------------------------------------------------------------------------------------------


def _contact_coefficients(problem: ContactProblem, file: Path) -> tuple[Law, Vectors, int]:
    """Give a law of the contacts, all of one kind, their coefficients, and the number of joint rows."""
    laws = list(zip(problem.laws, problem.counts, strict=True))
    contacts = [(law, count) for law, count in laws if not isinstance(law, Bilateral)]
    holds = f"It holds {', '.join(kind.__name__ for kind in COEFFICIENTS)} and joints (Bilateral)."
    for law, _ in contacts:
        if type(law) not in COEFFICIENTS:
            raise ProblemError(f"{file}: FCLIB has no place for the law {type(law).__name__}.\n  {holds}")
    if not contacts:
        raise ProblemError(f"{file}: the problem has no contacts, and FCLIB holds contact problems.\n  {holds}")
    kinds = list(dict.fromkeys(type(law) for law, _ in contacts))
    if len(kinds) > 1:
        raise ProblemError(
            f"{file}: FCLIB holds one law for all contacts, but the problem has "
            f"{' and '.join(kind.__name__ for kind in kinds)}.\n"
            "  Give all contacts the law with the most rows, its coefficients 0 where there is no friction."
        )
    if any(isinstance(law, Bilateral) for law, _ in laws[: len(contacts)]):
        raise ProblemError(
            f"{file}: FCLIB has joints after contacts, the problem has joints (Bilateral) before contacts.\n"
            "  Put the rows and laws of the contacts first."
        )
    names = COEFFICIENTS[kinds[0]]
    values = {
        name: np.concatenate([np.broadcast_to(getattr(law, name), count) for law, count in contacts]) for name in names
    }
    return contacts[0][0], values, sum(law.d * count for law, count in laws[len(contacts) :])


def _reduced_datasets(problem: ContactProblem, m: int, file: Path) -> Datasets:
    """W and q and, for the joints, V, R and s."""
    W = _by_columns(problem.W)
    datasets: Datasets = _matrix_datasets("W", W[:m, :m]) | {"vectors/q": problem.q[:m]}
    if W.shape[0] == m:
        return datasets
    V, lower = W[:m, m:], W[m:, :m]
    asymmetry = abs(V - lower.T).max() / max(abs(W).max(), np.finfo(float).tiny)
    if asymmetry > 1e-12:  # more than the round-off of H M⁻¹ Hᵀ
        raise ProblemError(
            f"{file}: W is not symmetric between contacts and joints (by {asymmetry:.1e} of its largest "
            "entry), but FCLIB stores only one of the two blocks.\n"
            "  Write (W + Wᵀ) / 2, or the problem in global form."
        )
    datasets |= _matrix_datasets("V", V) | _matrix_datasets("R", W[m:, m:])
    return datasets | {"vectors/s": problem.q[m:]}


def _global_datasets(problem: ContactProblem, m: int) -> Datasets:
    """M, H, f and w and, for the joints, G and b."""
    H = _by_columns(_by_columns(problem.H).T)
    datasets = _matrix_datasets("M", problem.M) | _matrix_datasets("H", H[:, :m])
    datasets |= {"vectors/f": problem.f, "vectors/w": problem.b[:m]}
    if H.shape[1] > m:
        datasets |= _matrix_datasets("G", H[:, m:]) | {"vectors/b": problem.b[m:]}
    return datasets


def _by_columns(matrix: Any) -> sparse.csc_array:
    """A copy in the canonical form: compressed columns, indices sorted, entries at the same place added."""
    canonical = sparse.csc_array(matrix, dtype=np.float64, copy=True)
    canonical.sum_duplicates()
    return canonical


def _matrix_datasets(name: str, matrix: Any) -> Datasets:
    """A matrix in CSparse's manner, by compressed columns."""
    A = _by_columns(matrix)
    if max(A.nnz, *A.shape) > np.iinfo(np.int32).max:
        raise ProblemError(f"{name} has {A.nnz} entries, but FCLIB counts with 32 bits. Write a smaller problem.")
    parts = {
        "m": _int(A.shape[0]),
        "n": _int(A.shape[1]),
        "nz": _int(COMPRESSED_COLUMNS),
        "nzmax": _int(A.nnz),
    }
    parts |= {"p": A.indptr.astype("<i4"), "i": A.indices.astype("<i4"), "x": A.data}
    return {f"{name}/{key}": value for key, value in parts.items()}


def _int(value: int) -> np.ndarray:
    """A number as FCLIB stores it: one 32-bit integer in an array of length 1."""
    return np.array([value], dtype="<i4")


def _solution_datasets(name: str, given: Mapping[str, Any], sizes: Mapping[str, int], file: Path) -> Datasets:
    """The vectors of a solution or guess, which must be those that the problem has."""
    datasets: Datasets = {}
    for key, size in sizes.items():
        if size == 0:
            continue
        if key not in given:
            raise ProblemError(f"{file}: {name} has no {key!r}; this problem needs one of shape ({size},).")
        value = np.asarray(given[key], dtype=np.float64)
        if value.shape != (size,):
            raise ProblemError(f"{file}: {name}/{key} has shape {value.shape}, but must have ({size},).")
        datasets[f"{name}/{key}"] = value
    return datasets


def _hdf5_image(tree: Datasets) -> bytes:
    """The bytes of an HDF5 file with these datasets.

    Made in memory, so that an error leaves no half-written file; without time stamps, so that the bytes
    depend on the contents alone.
    """
    import h5py

    with h5py.File("image", "w", driver="core", backing_store=False) as root:
        for name, value in tree.items():
            if not isinstance(value, str):
                stored = value if value.dtype.kind == "i" else np.asarray(value, dtype="<f8")
                root.create_dataset(name, data=stored, track_times=False)
                continue
            # A string that ends with a null, as C programs read it; h5py itself would pad it with nulls.
            text = value.encode("utf-8", "replace")
            kind = h5py.h5t.C_S1.copy()
            kind.set_size(len(text) + 1)
            kind.set_strpad(h5py.h5t.STR_NULLTERM)
            kind.set_cset(h5py.h5t.CSET_ASCII if text.isascii() else h5py.h5t.CSET_UTF8)
            folder, _, last = name.rpartition("/")
            space = h5py.h5s.create(h5py.h5s.SCALAR)
            options = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            options.set_obj_track_times(False)
            dataset = h5py.h5d.create(root.require_group(folder).id, last.encode(), kind, space, options)
            dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array(text, dtype=f"S{len(text) + 1}"), kind)
        root.flush()
        return bytes(root.id.get_file_image())
