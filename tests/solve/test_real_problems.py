"""Contact problems that other programs made, solved to 1e-8 and to round-off.

They are looked for beside the checkout, or in the folder that TRUNDLE_PROBLEMS names; see tests/conftest.py.
"""

from __future__ import annotations

import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from trundle import ContactProblem, TrundleWarning, load_problem, solve

HARDEST = "RockPile_tob1.dat"  # has its own test below
# Modes at the solution: take-off, sticking and moving (sliding, rolling or both) contacts.
MODES = {
    "Chute-ndof-768-nc-4-3.hdf5": (1, 0, 3),
    "GRFC3D_Chute-ndof-768-nc-4-3.dat": (1, 0, 3),
    "RFC3D_sphere_1.dat": (0, 1, 0),
    "RFC3D_sphere_2.dat": (0, 0, 1),
    "pile_20_01317.dat": (2, 11, 7),
    "pile_50_02721.dat": (4, 27, 19),
    "rfc3d_sphere_from_grfc3d.dat": (0, 2, 0),
    "rfc3d_sphere_from_grfc3d_dense.dat": (0, 2, 0),
    "rockfall_14_25792.dat": (1, 8, 5),
    "Capsules-i100-1090.dat": (25, 222, 29),
    "Capsules-i125-1213.hdf5": (21, 251, 14),
    "Confeti-ex03-Fc3D-SBM.dat": (18, 22, 14),
    "Confeti-ex13-Fc3D-SBM.dat": (67, 0, 40),
    "FC2D_SliderCrankLagrangian00000.dat": (0, 0, 2),
    "FC3D_Example1_SBM.dat": (0, 0, 3),
    "FrictionContact3D_RR_1c.dat": (0, 0, 1),
    "FrictionContactProblem00237.dat": (181, 163, 32),
    "GFC3D_Example00_badly_scaled.dat": (0, 0, 1),
    "GFC3D_Example0_SBM.dat": (0, 0, 1),
    "GFC3D_TwoRods1.dat": (2, 0, 1),
    "NESpheres_30_1.dat": (41, 3, 0),
    "OneObject-i100000-316.hdf5.dat": (7, 5, 13),
    "Rover1040.dat": (0, 1, 4),
    "Rover4396.dat": (0, 0, 2),
    "Spheres-i099-356-679.hdf5": (88, 253, 15),
    "fc2d_granularflowonwall_02020_00213.dat": (1282, 457, 281),
    "gfc2d_granularflowonwall_00069_00350.dat": (19, 47, 3),
}


def load(file: Path) -> ContactProblem:
    """A problem, without a word about crooked data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrundleWarning)
        return load_problem(file)


@pytest.fixture
def problem(problem_file: Path) -> ContactProblem:
    if problem_file.name == HARDEST:
        pytest.skip("has its own test: the hardest file")
    return load(problem_file)


def test_auto_reaches_1e_8(problem: ContactProblem):
    solution = solve(problem, "auto", tolerance=1e-8)
    assert solution.converged, solution.message
    assert problem.residual(solution.p) <= 1e-8


def test_auto_reaches_1e_12_or_round_off_and_finds_the_known_modes(problem: ContactProblem, problem_file: Path):
    solution = solve(problem, "auto", tolerance=1e-12)
    # rounding of W p + q alone causes `roundoff`, and a few such errors add up
    assert solution.residual <= max(1e-12, 20.0 * problem.roundoff(solution.p)), solution.message
    known = MODES.get(problem_file.name)
    if known is not None:
        found = Counter(solution.modes)
        take_off, sticking = found.pop("take-off", 0), found.pop("sticking", 0)
        # impulses of redundant contacts are not unique: which of them carry nothing may depend on the machine
        slack = 0 if problem.contact_count <= 60 else 0.02 * problem.contact_count
        assert (take_off, sticking, sum(found.values())) == pytest.approx(known, abs=slack)


def test_solution_obeys_signorini_and_the_bound_of_friction(problem: ContactProblem):
    # in SI units and without the residual: 0 <= u_n, 0 <= r_n, u_n r_n = 0, p in K
    solution = solve(problem, "auto", tolerance=1e-12)
    size_y, size_p = np.abs(problem.free_velocity).max(), np.abs(solution.p).max()
    parts = zip(problem.laws, problem.split(solution.y), problem.split(solution.p), strict=True)
    for law, y, p in parts:
        if "n" in law.rows:
            assert y[:, 0].min() >= -1e-8 * size_y
            assert p[:, 0].min() >= -1e-8 * size_p
            assert np.abs(y[:, 0] * p[:, 0]).max() <= 1e-8 * size_y * size_p
            assert np.abs(p - law.project(p)).max() <= 1e-8 * size_p


@pytest.mark.parametrize("name", ["pile_50_02721.dat", "rockfall_14_25792.dat", "Capsules-i125-1213.hdf5"])
def test_start_from_the_last_solution_saves_iterations(problems: Path, name: str):
    problem = load(next(problems.rglob(name)))
    first = solve(problem, tolerance=1e-10)
    later = solve(problem, tolerance=1e-10, guess=first.p * (1.0 + 1e-7))
    assert later.converged
    assert later.iterations < first.iterations


def test_reduced_and_global_files_of_one_problem_have_the_same_solution(problems: Path):
    pair = [
        load(next(problems.rglob(name)))
        for name in ("rfc3d_sphere_from_grfc3d.dat", "rfc3d_sphere_from_grfc3d_dense.dat")
    ]
    velocities = [solve(problem, tolerance=1e-12).y for problem in pair]
    assert velocities[0] == pytest.approx(velocities[1], abs=1e-10)


def test_hdf5_and_text_file_of_one_chute_have_the_same_solution(problems: Path):
    pair = [load(next(problems.rglob(f"*Chute-ndof-768-nc-4-3.{kind}"))) for kind in ("hdf5", "dat")]
    velocities = [solve(problem, tolerance=1e-12).y for problem in pair]
    # the text has 6 digits, and q is of size 1
    assert velocities[0] == pytest.approx(velocities[1], abs=1e-4)


@pytest.mark.slow
def test_hardest_file_is_solved_by_following_the_central_path_around_its_turns(problems: Path):
    # 463 contacts, mu = 1, W of rank 743 for 1389 rows and unsymmetric by 1.4e-3: see docs/solvers.md.
    problem = load(next(problems.rglob(HARDEST)))
    solution = solve(problem, "interior-point", turns=True, tolerance=1e-12, max_iterations=10_000)
    assert solution.converged, solution.message
    assert problem.residual(solution.p) <= 1e-12
