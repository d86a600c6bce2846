"""FCLIB's HDF5 format for contact problems: writing.  The format is described in `trundle.contact.fclib`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trundle import output
from trundle.contact import files
from trundle.contact.fclib import CHECKSUMS, COMPRESSED_COLUMNS, INFO, Datasets, Vectors, checksum
from trundle.contact.problem import ContactProblem
from trundle.errors import DiskError, ProblemError, RecordingError
from trundle.laws import Bilateral, Coulomb, Coulomb2D, Law, Rolling, Rolling2D, SlideRollSpin

LONG = 100  # entries from which on an array is worth compressing

# The laws that can be written, and their coefficients in the file.
COEFFICIENTS: dict[type[Law], tuple[str, ...]] = {
    Coulomb: ("mu",),
    Coulomb2D: ("mu",),
    Rolling: ("mu", "mu_r"),
    Rolling2D: ("mu", "mu_r"),
    SlideRollSpin: ("mu", "mu_r", "mu_s"),
}


def write_fclib(
    problem: ContactProblem,
    path: str | os.PathLike[str],
    *,
    solution: Mapping[str, np.ndarray] | None = None,
    guesses: Sequence[Mapping[str, np.ndarray]] = (),
    modes: np.ndarray | None = None,
    compress: bool = False,
) -> None:
    """Write a contact problem to an FCLIB file, replacing what was there.

    The same problem always gives the same bytes: compressed columns with sorted indices, no time stamps.

    Parameters
    ----------
    problem : ContactProblem
        Formulation ``"exact"``; one kind of law for all contacts (Coulomb, Coulomb2D, Rolling, Rolling2D or SlideRollSpin);
        joints (`Bilateral`) after the contacts.
    path : str or PathLike
        The file.
    solution : mapping, optional
        Reference solution as of `read_solution`: ``u`` and ``r``, with joints ``l``, in global form ``v``.
    guesses : sequence of mappings, optional
        Initial guesses, each as ``solution``.
    modes : integer array, optional
        State of each contact in the solution, codes of `laws.base.mode_names`; `read_modes` reads them.
    compress : bool
        Store long arrays compressed (gzip, which every HDF5 library reads): a third of the size.

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
    group += "_spinning" if "mu_s" in coefficients else "_rolling" if "mu_r" in coefficients else ""
    tree = {f"{group}/{name}": value for name, value in datasets.items()}
    sizes = {"u": m, "r": m, "l": constraints, "v": problem.M.shape[0] if problem.form == "global" else 0}
    if solution is not None:
        tree |= _solution_datasets("solution", solution, sizes, file)
        if modes is not None:
            tree["solution/modes"] = np.asarray(modes).astype("<i4")
    for number, guess in enumerate(guesses, start=1):
        tree |= _solution_datasets(f"guesses/{number}", guess, sizes, file)
    if guesses:
        tree["guesses/number_of_guesses"] = _int(len(guesses))
    tree[CHECKSUMS] = json.dumps({name: checksum(value) for name, value in tree.items()})
    image = _hdf5_image(tree, compress)
    try:
        with output.beside(file) as unfinished:
            unfinished.write_bytes(image)
    except DiskError:
        raise
    except (RecordingError, ValueError) as error:  # ValueError: a null character in the name
        raise ProblemError(f"{error} Does the folder of {str(file)!r} exist?") from error


def check_laws(laws: Sequence[Law], file: Path) -> list[type[Law]]:
    """The kinds of the contacts' laws, or an error if the format cannot hold them."""
    holds = f"It holds {', '.join(kind.__name__ for kind in COEFFICIENTS)} and joints (Bilateral)."
    for law in laws:
        if type(law) not in COEFFICIENTS:
            raise ProblemError(f"{file}: FCLIB has no place for the law {type(law).__name__}.\n  {holds}")
    if not laws:
        raise ProblemError(f"{file}: the problem has no contacts, and FCLIB holds contact problems.\n  {holds}")
    kinds = list(dict.fromkeys(type(law) for law in laws))
    if len(kinds) > 1:
        raise ProblemError(
            f"{file}: FCLIB holds one law for all contacts, but the problem has "
            f"{' and '.join(kind.__name__ for kind in kinds)}.\n"
            "  Give all contacts the law with the most rows, its coefficients 0 where there is no friction."
        )
    return kinds


def _contact_coefficients(problem: ContactProblem, file: Path) -> tuple[Law, Vectors, int]:
    """Give a law of the contacts, all of one kind, their coefficients, and the number of joint rows."""
    laws = list(zip(problem.laws, problem.counts, strict=True))
    contacts = [(law, count) for law, count in laws if not isinstance(law, Bilateral)]
    kinds = check_laws([law for law, _ in contacts], file)
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


def _hdf5_image(tree: Datasets, compress: bool) -> bytes:
    """The bytes of an HDF5 file with these datasets.

    Made in memory, so that an error leaves no half-written file; without time stamps, so that the bytes
    depend on the contents alone.
    """
    import h5py

    with h5py.File("image", "w", driver="core", backing_store=False) as root:
        for name, value in tree.items():
            if not isinstance(value, str):
                stored = value if value.dtype.kind == "i" else np.asarray(value, dtype="<f8")
                more = {"compression": 9, "shuffle": True} if compress and stored.size > LONG else {}
                root.create_dataset(name, data=stored, track_times=False, **more)
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
