"""Files of contact problems: real ones, tiny ones by hand, round trips, and everything that can be wrong."""

from __future__ import annotations

import contextlib
import os
import struct
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from trundle.contact.fclib import CHECKSUMS, read_fclib, read_guesses, read_modes, read_solution
from trundle.contact.fclib_writing import write_fclib
from trundle.contact.files import load_problem, save_problem
from trundle.contact.problem import ContactProblem
from trundle.contact.siconos import read_siconos
from trundle.errors import ProblemError
from trundle.laws import Bilateral, Coulomb, Coulomb2D, Roll, Rolling, Rolling2D, SlideRollSpin

# Real files are unsymmetric by up to 1e-3; that the problem says so is tested with the problem.
pytestmark = pytest.mark.filterwarnings("ignore::trundle.errors.TrundleWarning")

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("TRUNDLE_PROBLEMS") or REPOSITORY.parent / "shared" / "problems")

# form, law, contacts, velocities of the bodies (global only)
REAL: dict[str, tuple[str, type, int, int | None]] = {
    "rolling/Chute-ndof-768-nc-4-3.hdf5": ("global", Rolling, 4, 768),
    "rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat": ("global", Rolling, 4, 768),
    "rolling/RFC3D_sphere_1.dat": ("reduced", Rolling, 1, None),
    "rolling/RFC3D_sphere_2.dat": ("reduced", Rolling, 1, None),
    "rolling/pile_20_01317.dat": ("reduced", Rolling, 20, None),
    "rolling/pile_50_02721.dat": ("reduced", Rolling, 50, None),
    "rolling/rfc3d_sphere_from_grfc3d.dat": ("reduced", Rolling, 2, None),
    "rolling/rfc3d_sphere_from_grfc3d_dense.dat": ("reduced", Rolling, 2, None),
    "rolling/rockfall_14_25792.dat": ("reduced", Rolling, 14, None),
    "sliding/Capsules-i100-1090.dat": ("reduced", Coulomb, 276, None),
    "sliding/Capsules-i125-1213.hdf5": ("reduced", Coulomb, 286, None),
    "sliding/Confeti-ex03-Fc3D-SBM.dat": ("reduced", Coulomb, 54, None),
    "sliding/Confeti-ex13-Fc3D-SBM.dat": ("reduced", Coulomb, 107, None),
    "sliding/FC2D_SliderCrankLagrangian00000.dat": ("reduced", Coulomb2D, 2, None),
    "sliding/FC3D_Example1_SBM.dat": ("reduced", Coulomb, 3, None),
    "sliding/FrictionContact3D_RR_1c.dat": ("reduced", Coulomb, 1, None),
    "sliding/FrictionContactProblem00237.dat": ("reduced", Coulomb2D, 376, None),
    "sliding/GFC3D_Example00_badly_scaled.dat": ("global", Coulomb, 1, 3),
    "sliding/GFC3D_Example0_SBM.dat": ("global", Coulomb, 1, 9),
    "sliding/GFC3D_TwoRods1.dat": ("global", Coulomb, 3, 54),
    "sliding/NESpheres_30_1.dat": ("reduced", Coulomb, 44, None),
    "sliding/OneObject-i100000-316.hdf5.dat": ("reduced", Coulomb, 25, None),
    "sliding/RockPile_tob1.dat": ("reduced", Coulomb, 463, None),
    "sliding/Rover1040.dat": ("reduced", Coulomb, 5, None),
    "sliding/Rover4396.dat": ("reduced", Coulomb, 2, None),
    "sliding/Spheres-i099-356-679.hdf5": ("global", Coulomb, 356, 12000),
    "sliding/fc2d_granularflowonwall_02020_00213.dat": ("reduced", Coulomb2D, 2020, None),
    "sliding/gfc2d_granularflowonwall_00069_00350.dat": ("global", Coulomb2D, 69, 900),
}


def real(name: str) -> Path:
    """The path of a real file, or a visible skip."""
    if not FOLDER.is_dir():
        pytest.skip(f"no folder of contact problems ({FOLDER.name}); set TRUNDLE_PROBLEMS")
    if not (FOLDER / name).is_file():
        pytest.skip(f"{name} is not in the folder of contact problems")
    return FOLDER / name


def dense(matrix: Any) -> np.ndarray:
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def fields(problem: ContactProblem) -> dict[str, Any]:
    """The numbers of a problem, all as sparse matrices (a dense M of 12000 x 12000 would take a gigabyte)."""
    names = ("W", "q") if problem.form == "reduced" else ("M", "H", "f", "b")
    numbers = {name: getattr(problem, name) for name in names}
    for law in problem.laws:
        numbers |= {name: getattr(law, name) for name in ("mu", "mu_r") if hasattr(law, name)}
    return {name: sparse.csr_array(np.atleast_2d(v) if np.ndim(v) == 1 else v) for name, v in numbers.items()}


def same(a: ContactProblem, b: ContactProblem, rtol: float = 0.0) -> None:
    """Two problems have the same form, laws and numbers, relative to the largest of each field."""
    assert (a.form, [type(law) for law in a.laws]) == (b.form, [type(law) for law in b.laws])
    others = fields(b)
    for name, value in fields(a).items():
        assert abs(others[name] - value).max() <= rtol * abs(value).max(), name


# --- real files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_loads_with_the_right_dimensions(name: str) -> None:
    form, law, contacts, velocities = REAL[name]
    problem = load_problem(real(name))
    m = contacts * problem.laws[0].d
    assert (problem.form, [type(law) for law in problem.laws]) == (form, [law])
    assert problem.laws[0].count == contacts
    if form == "reduced":
        assert problem.W.shape == (m, m)
        assert problem.q.shape == (m,)
    else:
        assert problem.M.shape == (velocities, velocities)
        assert problem.H.shape == (m, velocities)
        assert (problem.f.shape, problem.b.shape) == ((velocities,), (m,))
    assert name.rsplit("/", 1)[1] in problem.source


def test_every_file_in_the_folder_loads() -> None:
    real(next(iter(REAL)))
    for file in sorted(FOLDER.rglob("*")):
        if file.suffix in (".dat", ".hdf5"):
            load_problem(file)


def test_the_text_and_the_hdf5_file_of_the_chute_are_the_same_problem() -> None:
    text, hdf5 = (
        load_problem(real(f"rolling/{n}Chute-ndof-768-nc-4-3.{k}")) for n, k in (("GRFC3D_", "dat"), ("", "hdf5"))
    )
    same(hdf5, text, rtol=1e-5)  # the text has six digits of M and H


def test_the_sparse_and_the_dense_file_of_the_sphere_are_the_same_problem() -> None:
    names = ("rolling/rfc3d_sphere_from_grfc3d.dat", "rolling/rfc3d_sphere_from_grfc3d_dense.dat")
    same(*(load_problem(real(name)) for name in names), rtol=1e-5)  # the sparse text has six digits


@pytest.mark.parametrize("name", REAL)
def test_a_real_file_survives_write_read_write_bit_by_bit(name: str, tmp_path: Path) -> None:
    problem = load_problem(real(name))
    first, second = tmp_path / "first.hdf5", tmp_path / "second.hdf5"
    save_problem(problem, first)
    again = load_problem(first)
    save_problem(again, second)
    assert first.read_bytes() == second.read_bytes()
    same(problem, again)
    assert (again.title, again.description) == (problem.title, problem.description)


def test_the_largest_text_file_is_read_in_well_under_two_seconds() -> None:
    file = real("sliding/fc2d_granularflowonwall_02020_00213.dat")
    start = time.perf_counter()
    read_siconos(file)
    assert time.perf_counter() - start < 2.0


@pytest.mark.parametrize("name", [name for name in REAL if name.endswith(".hdf5")])
def test_our_fclib_file_has_the_datasets_and_types_of_the_original(name: str, tmp_path: Path) -> None:
    original, ours = real(name), tmp_path / "ours.hdf5"
    write_fclib(read_fclib(original), ours, solution=read_solution(original), guesses=read_guesses(original))
    written = layout(ours)
    assert written.pop(CHECKSUMS) == ("null-terminated", 0)  # ours, beside the format
    assert written == layout(original)


def layout(file: Path) -> dict[str, tuple[str, int]]:
    """Kind and rank of every dataset: what a C program that reads FCLIB relies on."""
    found: dict[str, tuple[str, int]] = {}

    def note(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            text = item.dtype.kind == "S"
            found[name] = (
                "null-terminated" if text and item.id.get_type().get_strpad() == 0 else str(item.dtype),
                item.ndim,
            )

    with h5py.File(file) as root:
        root.visititems(note)
    return found


# --- round trips -----------------------------------------------------------------------------------------

LAWS: dict[str, Callable[[np.ndarray], Any]] = {
    "Coulomb": lambda mu: Coulomb(mu=mu),
    "Coulomb2D": lambda mu: Coulomb2D(mu=mu),
    "Rolling": lambda mu: Rolling(mu=mu, mu_r=0.01 * mu),
    "Rolling2D": lambda mu: Rolling2D(mu=mu, mu_r=0.01 * mu),
    "SlideRollSpin": lambda mu: SlideRollSpin(mu=mu, mu_r=0.01 * mu, mu_s=0.02 * mu),
}


def made_up(law: str = "Coulomb", form: str = "reduced", joints: int = 0, **more: Any) -> ContactProblem:
    """Three contacts and some joint rows with random, exactly symmetric matrices."""
    rng = np.random.default_rng(len(law) + joints)
    contacts = LAWS[law](np.array([0.3, 0.0, 0.7]))
    m, nv = 3 * contacts.d + joints, 24
    H = sparse.random_array((m, nv), density=0.5, rng=rng, format="csr") + sparse.eye_array(m, nv)
    laws = [contacts, Bilateral(joints)] if joints else [contacts]
    info = {"title": "made up", "description": "\nüber drei Zeilen\n", "math_info": ""} | more
    if form == "global":
        M, f, b = sparse.diags_array(rng.uniform(1, 2, nv)), rng.normal(size=nv), rng.normal(size=m)
        return ContactProblem(laws, M=M, H=H, f=f, b=b, **info)
    return ContactProblem(laws, W=(H @ H.T).toarray(), q=rng.normal(size=m), **info)


@pytest.mark.parametrize("joints", [0, 4])
@pytest.mark.parametrize("form", ["reduced", "global"])
@pytest.mark.parametrize("law", LAWS)
def test_write_read_write_is_bit_identical(law: str, form: str, joints: int, tmp_path: Path) -> None:
    problem = made_up(law, form, joints)
    first, second = tmp_path / "first.h5", tmp_path / "second.hdf5"
    write_fclib(problem, first)
    again = read_fclib(first)
    write_fclib(again, second)
    assert first.read_bytes() == second.read_bytes()
    same(problem, again)
    assert again.laws[0] == problem.laws[0]
    for name in ("title", "description", "math_info"):
        assert getattr(again, name) == getattr(problem, name)


def test_the_same_problem_gives_the_same_bytes_at_another_time(tmp_path: Path) -> None:
    first, second = tmp_path / "first.h5", tmp_path / "second.h5"
    write_fclib(made_up(), first)
    time.sleep(1.1)  # HDF5 counts time stamps in seconds
    write_fclib(made_up(), second)
    assert first.read_bytes() == second.read_bytes()


def test_dense_sparse_and_unsorted_matrices_give_the_same_bytes(tmp_path: Path) -> None:
    problem = made_up()
    entries = sparse.coo_array(problem.W)
    backwards = [part[::-1] for part in (*entries.coords, entries.data)]
    twice = sparse.coo_array((np.repeat(backwards[2] / 2, 2), (backwards[0].repeat(2), backwards[1].repeat(2))))
    written = []
    for W in (dense(problem.W), sparse.csr_array(problem.W), twice):
        write_fclib(ContactProblem(problem.laws, W=W, q=problem.q), tmp_path / "problem.h5")
        written.append((tmp_path / "problem.h5").read_bytes())
    assert written[0] == written[1] == written[2]


def test_compressed_files_hold_the_same_numbers_and_the_modes_of_the_solution(tmp_path: Path) -> None:
    plain, small = tmp_path / "plain.hdf5", tmp_path / "small.hdf5"
    m = 3 * 120
    W = sparse.block_diag([np.eye(3)] * 120)
    problem = ContactProblem(Coulomb(mu=np.full(120, 0.5)), W=W, q=np.arange(m, dtype=float))
    vectors = {"u": np.zeros(m), "r": np.ones(m)}
    codes = np.arange(120) % 9
    write_fclib(problem, plain, solution=vectors)
    write_fclib(problem, small, solution=vectors, modes=codes, compress=True)
    same(read_fclib(plain), read_fclib(small))
    assert small.stat().st_size < plain.stat().st_size
    assert read_modes(plain) is None
    assert (read_modes(small) == codes).all()


@pytest.mark.parametrize("form", ["reduced", "global"])
def test_solution_and_guesses_come_back(form: str, tmp_path: Path) -> None:
    problem, file = made_up("Coulomb", form, joints=2), tmp_path / "problem.hdf5"
    sizes = {"u": 9, "r": 9, "l": 2} | ({"v": 24} if form == "global" else {})
    vectors = [{name: np.arange(size) + k for name, size in sizes.items()} for k in range(12)]
    write_fclib(problem, file, solution=vectors[0], guesses=vectors[1:])
    solution, guesses = read_solution(file), read_guesses(file)
    assert solution is not None
    assert len(guesses) == 11  # more than nine: 10 comes after 9, not after 1
    for given_, found in zip(vectors, [solution, *guesses], strict=True):
        assert found.keys() == given_.keys()
        assert all((found[name] == given_[name]).all() for name in found)


def test_a_file_without_solution_and_guesses_says_so(tmp_path: Path) -> None:
    write_fclib(made_up(), tmp_path / "problem.hdf5")
    assert read_solution(tmp_path / "problem.hdf5") is None
    assert read_guesses(tmp_path / "problem.hdf5") == []


# --- FCLIB files made by hand ----------------------------------------------------------------------------

A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 2.0]])


def put(root: h5py.File, name: str, value: Any) -> None:
    """Write a dataset, replacing what was there; None removes it."""
    if name in root:
        del root[name]
    if value is not None:
        root[name] = value


def put_matrix(root: h5py.File, name: str, matrix: np.ndarray, storage: str = "csc") -> None:
    m, n = matrix.shape
    if storage == "triplet":
        entries = sparse.coo_array(matrix)
        i, p, x, nz = (*entries.coords, entries.data, entries.nnz)
    else:
        entries = sparse.csc_array(matrix) if storage == "csc" else sparse.csr_array(matrix)
        i, p, x, nz = entries.indices, entries.indptr, entries.data, {"csc": -1, "csr": -2}[storage]
    for key, value in {"m": [m], "n": [n], "nz": [nz], "nzmax": [len(x)], "p": p, "i": i}.items():
        put(root, f"{name}/{key}", np.asarray(value, dtype=np.int32))
    put(root, f"{name}/x", x)


def local(file: Path, storage: str = "csc", **changes: Any) -> Path:
    """A file with one contact, y = A p + (1, 2, 3); changes: dataset = value, with __ for /."""
    with h5py.File(file, "w") as root:
        put(root, "fclib_local/spacedim", np.array([3], dtype=np.int32))
        put(root, "fclib_local/vectors/mu", np.array([0.5]))
        put(root, "fclib_local/vectors/q", np.array([1.0, 2.0, 3.0]))
        put_matrix(root, "fclib_local/W", A, storage)
        for name, value in changes.items():
            put(root, "fclib_local/" + name.replace("__", "/"), value)
    return file


@pytest.mark.parametrize("storage", ["triplet", "csc", "csr"])
def test_fclib_matrices_of_all_storages_are_read(storage: str, tmp_path: Path) -> None:
    unsymmetric = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])
    with h5py.File(local(tmp_path / "a.h5"), "r+") as root:
        del root["fclib_local"]
        root["fclib_global/spacedim"] = np.array([3], dtype=np.int32)
        root["fclib_global/vectors/mu"] = [0.5]
        root["fclib_global/vectors/f"] = [1.0, 2.0]
        root["fclib_global/vectors/w"] = [3.0, 4.0, 5.0]
        put_matrix(root, "fclib_global/M", np.diag([2.0, 3.0]), storage)
        put_matrix(root, "fclib_global/H", unsymmetric, storage)
    problem = load_problem(tmp_path / "a.h5")
    assert (dense(problem.M) == np.diag([2.0, 3.0])).all()
    assert (dense(problem.H) == unsymmetric.T).all()  # the file has M v = H r + f, we have M v = Hᵀ p + f
    assert problem.f.tolist() == [1.0, 2.0]
    assert problem.b.tolist() == [3.0, 4.0, 5.0]


def test_triplets_with_room_to_spare_and_repeated_places_are_added(tmp_path: Path) -> None:
    # Three entries, two of them at (0, 0), in arrays with room for five, as Siconos writes them.
    triplet = {"nz": [4], "nzmax": [5], "p": [0, 0, 1, 2, 9], "i": [0, 0, 1, 2, 9]}
    changes = {f"W__{key}": np.array(value, dtype=np.int32) for key, value in triplet.items()}
    file = local(tmp_path / "a.h5", **changes, W__x=np.array([1.0, 2.0, 4.0, 5.0, np.nan]))
    assert (dense(load_problem(file).W) == np.diag([3.0, 4.0, 5.0])).all()


def test_equality_constraints_of_a_local_problem_keep_their_signs(tmp_path: Path) -> None:
    V, R, s = (
        np.array([[1.0, 0.0], [-2.0, 0.5], [0.0, 3.0]]),
        np.array([[9.0, 1.0], [1.0, 8.0]]),
        np.array([6.0, 7.0]),
    )
    with h5py.File(local(tmp_path / "a.h5"), "r+") as root:
        put_matrix(root, "fclib_local/V", V)
        put_matrix(root, "fclib_local/R", R)
        root["fclib_local/vectors/s"] = s
    problem = load_problem(tmp_path / "a.h5")
    r, l = np.array([1.0, -2.0, 3.0]), np.array([-4.0, 5.0])
    y = problem.W @ np.concatenate((r, l)) + problem.q
    # FCLIB: u = W r + V λ + q,  0 = Vᵀ r + R λ + s
    np.testing.assert_allclose(y, np.concatenate((A @ r + V @ l + [1, 2, 3], V.T @ r + R @ l + s)), rtol=1e-15)
    assert [type(law) for law in problem.laws] == [Coulomb, Bilateral]
    assert problem.laws[1].d == 2


def test_equality_constraints_of_a_global_problem_keep_their_signs(tmp_path: Path) -> None:
    problem, file = made_up("Rolling", "global", joints=2), tmp_path / "a.h5"
    write_fclib(problem, file)
    with h5py.File(file) as root:
        group = root["fclib_global_rolling"]
        H, G = (sparse.csc_array((group[k]["x"][:], group[k]["i"][:], group[k]["p"][:])).toarray() for k in "HG")
        w, b = group["vectors/w"][:], group["vectors/b"][:]
    v, r, l = np.arange(24.0), np.arange(15.0), np.array([1.0, -2.0])
    # FCLIB: M v = H r + G λ + f,  u = Hᵀ v + w,  0 = Gᵀ v + b
    np.testing.assert_allclose(problem.H.T @ np.concatenate((r, l)), H @ r + G @ l, rtol=1e-13)
    np.testing.assert_allclose(problem.H @ v + problem.b, np.concatenate((H.T @ v + w, G.T @ v + b)), rtol=1e-13)


@pytest.mark.parametrize("title", ["plain", "über", np.bytes_("über".encode("latin-1")), np.bytes_(b"fixed")])
def test_titles_of_any_kind_are_read(title: Any, tmp_path: Path) -> None:
    expected = title if isinstance(title, str) else title.decode("latin-1")
    assert load_problem(local(tmp_path / "a.h5", info__title=title)).title == expected


def test_a_local_form_is_preferred_to_a_global_one(tmp_path: Path) -> None:
    with h5py.File(local(tmp_path / "a.h5"), "r+") as root:
        root.create_group("fclib_global")
    assert load_problem(tmp_path / "a.h5").form == "reduced"


def test_hdf5_after_a_user_block_is_found(tmp_path: Path) -> None:
    plain = local(tmp_path / "plain.h5").read_bytes()
    (tmp_path / "block.dat").write_bytes(b"a note about the file".ljust(512, b"\0") + plain)
    same(load_problem(tmp_path / "plain.h5"), load_problem(tmp_path / "block.dat"))


# --- text files made by hand -----------------------------------------------------------------------------

I3 = "0 3 3  3 3  1 0 0  0 1 0  0 0 1"
CSPARSE = "CSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
TRIPLET = CSPARSE + "triplet: 4-by-3, nzmax: 9 nnz: 5\n 0 0 : 1\n 3 2 : 1.5\n 1 1 : -2\n 2 0 : 7e-1\n 3 2 : 1\n"
COLUMNS = (
    CSPARSE + "4-by-3, nzmax: 4 nnz: 4, 1-norm: 9\n"
    "col 0 : locations 0 to 1\n 0 : 1\n 2 : 0.7\n"
    "col 1 : locations 2 to 2\n 1 : -2\ncol 2 : locations 3 to 3\n 3 : 2.5\n"
)
BLOCKS = "3  2 2  1 4  2 3  3 3  0 1 3  0 0 1  0  1 0  1  0 0.7 0 -2 0 0  2  0 0 2.5"
H4 = np.array([[1.0, 0, 0], [0, -2, 0], [0.7, 0, 0], [0, 0, 2.5]])
MATRICES = {
    "dense": f"0 4 3  4 3  {' '.join(map(str, H4.ravel(order='F')))}",
    "blocks": f"1 4 3  {BLOCKS}",
    "triplet": f"2 4 3  1\n{TRIPLET}",
    "columns": f"2 4 3  2\n{COLUMNS}",
}


def text(tmp_path: Path, content: str | bytes) -> Path:
    file = tmp_path / "problem.dat"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


@pytest.mark.parametrize("storage", MATRICES)
def test_text_matrices_of_all_storages_are_read(storage: str, tmp_path: Path) -> None:
    M = "0 4 4  4 4  " + " ".join(map(str, np.diag([1.0, 2, 3, 4]).ravel()))
    problem = load_problem(text(tmp_path, f"3 1\n{M}\n{MATRICES[storage]}\n1 2 3 4\n5 6 7\n0.5\n"))
    assert problem.form == "global"
    np.testing.assert_array_equal(dense(problem.H), H4.T)  # the file has M v = H p + f
    np.testing.assert_array_equal(dense(problem.M), np.diag([1.0, 2, 3, 4]))
    assert problem.f.tolist() == [1, 2, 3, 4]
    assert problem.b.tolist() == [5, 6, 7]


def test_text_matrices_by_compressed_rows_are_read(tmp_path: Path) -> None:
    rows = CSPARSE + "3-by-3, nzmax: 4 nnz: 4, 1-norm: 1\ncol 0 : locations 0 to 1\n 0 : 1\n 2 : 5\n"
    rows += "col 1 : locations 2 to 1\ncol 2 : locations 2 to 3\n 1 : 6\n 2 : 7\n"
    problem = load_problem(text(tmp_path, f"3 1\n{I3}\n2 3 3 3\n{rows}\n1 2 3\n4 5 6\n0.5"))
    np.testing.assert_array_equal(dense(problem.H), np.array([[1.0, 0, 5], [0, 0, 0], [0, 6, 7]]).T)


def test_an_empty_block_matrix_is_read(tmp_path: Path) -> None:
    assert not dense(load_problem(text(tmp_path, f"3 1 {I3}  1 3 3 0  1 2 3  4 5 6  0.5")).H).any()


@pytest.mark.parametrize(
    "content, law",
    [
        (f"3 1 {I3}  1 2 3  0.5", Coulomb(mu=[0.5])),
        (f"3 1 {I3}  1 2 3  0.5  0", Coulomb(mu=[0.5])),  # a lone 0 or 1 is the flag of old versions
        (f"3 1 {I3}  1 2 3  0.5  1\n", Coulomb(mu=[0.5])),
        (f"3 1 {I3}  1 2 3  0.5  0.0", Rolling2D(mu=[0.5], mu_r=[0.0])),
        (f"3 1 {I3}  1 2 3  0.5  0.1  0", Rolling2D(mu=[0.5], mu_r=[0.1])),
        ("2 1  0 2 2 2 2 1 0 0 1  1 2  0.5", Coulomb2D(mu=[0.5])),
        ("2 1  0 2 2 2 2 1 0 0 1  1 2  0.5  1", Coulomb2D(mu=[0.5])),
        (
            f"5 1  0 5 5 5 5 {' '.join(map(str, np.eye(5).ravel()))}  1 2 3 4 5  0.5  1",
            Rolling(mu=[0.5], mu_r=[1.0]),
        ),
        (
            f"3 2  0 6 6 6 6 {' '.join(map(str, np.eye(6).ravel()))}  1 2 3 4 5 6  .5 .6  .1 0",
            Rolling2D(mu=[0.5, 0.6], mu_r=[0.1, 0]),
        ),
    ],
)
def test_the_number_of_words_tells_the_law(content: str, law: Any, tmp_path: Path) -> None:
    problem = load_problem(text(tmp_path, content))
    assert problem.form == "reduced"
    assert problem.laws[0] == law
    np.testing.assert_array_equal(problem.q, np.arange(1, problem.q.size + 1))


def test_line_ends_of_other_systems_and_tabs_do_not_matter(tmp_path: Path) -> None:
    assert load_problem(text(tmp_path, f"3\r\n1\r\n{I3}\r\n1\t2\t3\r\n0.5\r\n")).q.tolist() == [1, 2, 3]


# --- what can be wrong -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content, message",
    [
        ("", "the file is empty"),
        (" \n\t\n", "the file begins with ''"),
        ("<html>", "line 1: the file begins with '<html>', not with the rows of a contact"),
        ("4 1", "line 1: the file begins with '4'"),
        ("3", "line 1: the file ends before the number of contacts"),
        ("3 -1", "'-1' is not an integer from 0"),
        ("3 0", "there are 0 contacts"),
        ("3 1 7 3 3", "has storage 7. Known: 0"),
        ("3 1\n0 3 3\n3 4", "line 3: .* is 3 x 3 at first, but 3 x 4"),
        ("3 1\n0 3 2  3 2\n1 2 3 4 5 6", "3 x 2, but must be square"),
        ("3 1\n0 3 3  3 3\n1 0 0  0 1 0  0 0", "line 3: the file ends within .*: 9 numbers needed, 8 there"),
        (f"3 1\n{I3}\n1 2 3", "line 3: 3 numbers follow the matrices, but 1 contacts of 3 rows need 4 or 5"),
        (f"3 1\n{I3}\n1 2 3\n0.5\n0.1\n7", "6 numbers follow the matrices, but .* need 4 or 5"),
        (
            f"3 1\n{I3}\n1.5 2 3\n0.5\n0.1\n7 8",
            "7 words follow the first matrix. .* which '1.5' cannot begin",
        ),
        (f"3 2\n{I3}\n1 2 3", "first matrix is 3 x 3, but 2 contacts of 3 rows need 6 x 6"),
        (f"3 1\n{I3}\n1 2 x\n0.5", "line 3: 'x' is not a number"),
        (f"3 1\n{I3}\n1 2 1_0\n0.5", "'1_0' is not a number"),
        (f"3 1\n{I3}\n1 nan 3\n0.5", r"q\[1\] = nan"),
        (f"3 1\n{I3}\n1 2 -1e999\n0.5", r"q\[2\] = -inf"),
        (f"3 1\n{I3}\n1 2 3\n-0.5", r"mu\[0\] = -0.5 .* is negative"),
        (f"3 1\n{I3}\n1 2 3\n0.5 -0.5", r"mu_r\[0\] = -0.5 .* is negative"),
        ("3 1\n0 3 3  3 3  1 0 0  0 inf 0  0 0 1\n1 2 3\n0.5", r"W\[1, 1\] = inf"),
        ("3 1\n0 99999999 99999999", "no more of either than the file has words"),
        ("3 1\n0 99999999999999999999 3", "is not an integer from 0"),
        (
            f"3 1\n{I3}\n0 4 3  4 3  {'1 ' * 12}  1 2 3  4 5 6  0.5",
            r"second matrix \(H\) is 4 x 3, but must be 3 x 3",
        ),
        ("3 1\n1 3 3\n1 1 1 3 4 2 1 0 1 0 0" + " 1" * 9, "block column sizes .* do not add up"),
        ("3 1\n1 3 3\n1 1 1 3 3 2 1 0 2 0 0" + " 1" * 9, "do not describe 1 blocks"),
        ("3 1\n1 3 3\n1 1 1 3 3 2 1 0 1 0 5" + " 1" * 9, "block 0 .* is numbered '5'"),
        ("3 1\n2 3 3 5\n", "has origin 5. Known"),
        ("3 1\n2 3 3 1\nSuiteSparse nnz: 0\n", "line 3: .* no header of CSparse"),
        (f"3 1\n2 3 3 1\n{CSPARSE}triplet: 3-by-4, nzmax: 1 nnz: 1\n 0 0 : 1\n", "its header says '3-by-4,'"),
        (f"3 1\n2 3 3 1\n{CSPARSE}triplet: 3-by-3, nzmax: 2 nnz: 2\n 0 0 : 1\n", "ends within the 2 entries"),
        (
            f"3 1\n2 3 3 1\n{CSPARSE}triplet: 3-by-3, nzmax: 1 nnz: 1\n 0 3 : 1\n",
            r"entry 0 .* is at \(0, 3\)",
        ),
        (
            f"3 1\n2 3 3 1\n{CSPARSE}triplet: 3-by-3, nzmax: 1 nnz: 1\n 0 0 ; 1\n",
            "line 5: expected ':', found ';'",
        ),
        (
            f"3 1\n2 3 3 2\n{CSPARSE}3-by-3, nzmax: 1 nnz: 1, 1-norm: 1\ncol 1 : locations 0 to 0\n",
            'expected "col 0',
        ),
        (
            f"3 1\n2 3 3 2\n{CSPARSE}3-by-3, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 0\n",
            "ends within column 0",
        ),
        (b"\x1f\x8b\x08\x00\x00", "neither HDF5 nor text"),
    ],
)
def test_a_wrong_text_file_is_an_error_that_says_what_is_wrong(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=message) as error:
        load_problem(text(tmp_path, content))
    assert "problem.dat" in str(error.value)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"spacedim": None}, "spacedim is missing. fclib_local has: vectors/mu, vectors/q"),
        ({"spacedim": np.array([4], dtype=np.int32)}, "spacedim = 4. Known without mu_r: 2 and 3"),
        ({"spacedim": np.array([3.5])}, "spacedim must be an integer, but is of type float64"),
        ({"spacedim": np.array([3, 3])}, "spacedim must be one integer, but has 2 entries"),
        ({"spacedim": np.array([2], dtype=np.int32)}, "W is 3 x 3, but must be 2 x 2"),
        ({"vectors/q": None}, "vectors/q is missing"),
        ({"vectors/q": np.ones(4)}, "vectors/q has 4 entries, but must have 3"),
        ({"vectors/q": np.array([1, np.nan, np.inf])}, r"vectors/q\[1\] = nan .* nor are 1 others"),
        ({"vectors/q": "text"}, "vectors/q must be numbers"),
        ({"vectors/mu": np.array([-0.1])}, r"vectors/mu\[0\] = -0.1 .* is negative"),
        ({"vectors/mu": np.array([])}, "vectors/mu is empty"),
        ({"vectors/mu_r": np.array([0.1, 0.1])}, "vectors/mu_r has 2 entries, but must have 1"),
        ({"vectors/mu_r": np.array([-0.1])}, r"mu_r\[0\] = -0.1 .* is negative"),
        ({"W/x": None}, "W/x is missing"),
        ({"W/m": None}, "W/m is missing"),
        ({"W/x": np.ones(3)}, "W/p does not rise from 0 to at most 3"),
        ({"W/x": np.array([1, 2, np.nan, 4, 5, 6, 7])}, r"W\[0, 1\] = nan"),
        ({"W/p": np.array([0, 5, 2, 7])}, "W/p does not rise"),
        ({"W/p": np.array([0, 7])}, "W/p does not rise from 0 to at most 7 in 4 entries"),
        ({"W/i": np.array([0, 1, 0, 1, 2, 1, 3])}, r"W has entry 6 at \(3, 2\), outside 3 x 3"),
        ({"W/nz": np.array([99])}, "W has nz = 99, but 4, 7 and 7 entries"),
        ({"W/nz": np.array([-3])}, "W/nz = -3. Known"),
        ({"V/m": np.array([3])}, "V/n is missing"),
    ],
)
def test_a_wrong_fclib_file_is_an_error_that_names_the_field(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = local(tmp_path / "wrong.h5", **{name.replace("/", "__"): value for name, value in changes.items()})
    with pytest.raises(ProblemError, match=message) as error:
        load_problem(file)
    assert "wrong.h5" in str(error.value)


def test_an_hdf5_file_that_is_not_fclib_is_named_with_its_groups(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "other.h5", "w") as root:
        root["temperature/field"] = np.ones(3)
        root["fclib_local"] = 1.0  # a dataset, not a group
    with pytest.raises(ProblemError, match="not FCLIB: no group .*\n.* has at its root: 'fclib_local', 'temperature'"):
        load_problem(tmp_path / "other.h5")


def test_a_truncated_hdf5_file_is_an_error(tmp_path: Path) -> None:
    file = local(tmp_path / "cut.h5")
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(ProblemError, match="cut.h5: the HDF5 file is cut off or damaged"):
        load_problem(file)


def test_a_circle_that_would_fill_the_memory_is_an_error(tmp_path: Path) -> None:
    file = local(tmp_path / "circle.h5")
    content = bytearray(file.read_bytes())
    free, begin = struct.unpack_from("<QQ", content, content.index(b"HEAP") + 16)
    struct.pack_into("<Q", content, begin + free, free)  # the first free place names itself as the next
    file.write_bytes(content)
    with pytest.raises(ProblemError, match="circle.h5: the HDF5 file is damaged .* is a circle"):
        load_problem(file)


def test_a_text_file_given_to_the_fclib_reader_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="not an HDF5 file"):
        read_fclib(text(tmp_path, "3 1"))


def test_a_missing_file_is_an_error_that_guesses_which_was_meant(tmp_path: Path) -> None:
    local(tmp_path / "chute.h5")
    with pytest.raises(ProblemError, match="no such file. Did you mean 'chute.h5'"):
        load_problem(tmp_path / "shute.h5")
    with pytest.raises(ProblemError, match="no such file"):
        load_problem(str(tmp_path / "nowhere" / "chute.h5"))


@pytest.mark.parametrize(
    "path, message", [("", "is a folder"), ("\0", "no such file"), (3, "not int"), (None, "not NoneType")]
)
def test_a_path_that_is_none_is_an_error(path: Any, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        load_problem(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path) -> None:
    for file in (text(tmp_path, "3 1"), local(tmp_path / "a.h5")):
        file.chmod(0)
        with pytest.raises(ProblemError, match="cannot be read"):
            load_problem(file)


# --- what cannot be written ------------------------------------------------------------------------------


def test_only_hdf5_is_written(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=r"suffix '.dat'.\n.* name the file 'problem.hdf5'"):
        save_problem(made_up(), tmp_path / "problem.dat")


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="cannot be written"):
        save_problem(made_up(), tmp_path / "nowhere" / "problem.hdf5")


def test_other_formulations_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="formulation = 'relaxed'"):
        save_problem(made_up(formulation="relaxed"), tmp_path / "problem.h5")
    assert not (tmp_path / "problem.h5").exists()


def eye_problem(*laws: Any) -> ContactProblem:
    m = sum(law.d for law in laws)
    return ContactProblem(list(laws), W=np.eye(m), q=np.ones(m))


@pytest.mark.parametrize(
    "laws, message",
    [
        ((Roll(mu_r=[0.1]),), "no place for the law Roll"),
        (
            (Coulomb(mu=[0.3]), Rolling(mu=[0.3], mu_r=[0.1])),
            "one law for all contacts, .* Coulomb and Rolling",
        ),
        (
            (Coulomb(mu=[0.3]), Rolling2D(mu=[0.3], mu_r=[0.1])),
            "one law for all contacts, .* Coulomb and Rolling2D",
        ),
        ((Bilateral(2), Coulomb(mu=[0.3])), "joints .* before contacts"),
        ((Bilateral(2),), "no contacts"),
    ],
)
def test_laws_that_fclib_cannot_hold_are_not_written(laws: tuple[Any, ...], message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=message):
        save_problem(eye_problem(*laws), tmp_path / "problem.h5")


def test_several_laws_of_one_kind_and_several_joints_are_written_as_one(tmp_path: Path) -> None:
    laws = (Coulomb(mu=[0.1]), Coulomb(mu=[0.2, 0.3]), Bilateral(2), Bilateral(1))
    m = 3 + 6 + 3
    save_problem(ContactProblem(list(laws), W=np.eye(m), q=np.arange(m)), tmp_path / "a.h5")
    problem = load_problem(tmp_path / "a.h5")
    assert problem.laws[0] == Coulomb(mu=[0.1, 0.2, 0.3])
    assert [law.d for law in problem.laws] == [3, 3]
    assert problem.q.tolist() == list(range(m))


@pytest.mark.parametrize(
    "solution, message",
    [
        ({"u": np.ones(9)}, "solution has no 'r'"),
        ({"u": np.ones(9), "r": np.ones(8)}, r"solution/r has shape \(8,\)"),
    ],
)
def test_a_solution_that_does_not_fit_is_not_written(solution: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match=message):
        write_fclib(made_up(), tmp_path / "problem.h5", solution=solution)


# --- damage at random: either it loads, or it is a ProblemError --------------------------------------------

DAMAGE = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module", params=["dense", "blocks", "triplet", "columns", "hdf5"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a good file."""
    folder = tmp_path_factory.mktemp("whole")
    if request.param == "hdf5":
        vectors = {"u": np.ones(15), "r": np.ones(15), "l": np.ones(2), "v": np.ones(24)}
        write_fclib(made_up("Rolling", "global", joints=2), folder / "a.h5", solution=vectors, guesses=[vectors])
        return (folder / "a.h5").read_bytes()
    M = "0 4 4  4 4  " + " ".join(map(str, np.diag([1.0, 2, 3, 4]).ravel()))
    return f"3 1\n{M}\n{MATRICES[request.param]}\n1 2 3 4\n5 6 7\n0.5\n".encode()


def loads_or_says_why_not(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    for read in (load_problem, read_solution, read_guesses):
        with contextlib.suppress(ProblemError):
            read(file)


@DAMAGE
@given(part=st.floats(0.0, 1.0))
def test_a_file_cut_off_anywhere_loads_or_is_a_problem_error(part: float, whole: bytes, tmp_path: Path) -> None:
    loads_or_says_why_not(tmp_path / "cut", whole[: int(part * len(whole))])


@DAMAGE
@given(hits=st.lists(st.tuples(st.floats(0.0, 1.0, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8))
def test_a_file_with_damaged_bytes_loads_or_is_a_problem_error(
    hits: list[tuple[float, int]], whole: bytes, tmp_path: Path
) -> None:
    content = bytearray(whole)
    for place, byte in hits:
        content[int(place * len(content))] = byte
    loads_or_says_why_not(tmp_path / "hit", bytes(content))
