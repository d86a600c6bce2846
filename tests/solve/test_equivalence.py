"""The exact law in its three forms, its bipotential and its dissipation, on solved problems.

Acary & Bourrier (2021): the disjunctive form (21), the inclusions (22) and the cone complementarity problem (33) say
the same.  Each is written out here again, without the package, as a violation that is zero where the form holds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from small_problems import LAWS, of_one_law

from trundle import ContactProblem, laws, solve

# The forms divide by r_n: where a contact carries 1e-5 of the largest load, a residual of 1e-13 becomes 1e-8 there.
# That is still far below what a wrong impulse gives (1e-5 and more, tested below).
SOLVED, TOLERANCE = 1e-13, 1e-8
DISKS = {
    "Coulomb": lambda law: [(law.mu, slice(1, 3))],
    "Rolling": lambda law: [(law.mu, slice(1, 3)), (law.mu_r, slice(3, 5))],
    "SlideRollSpin": lambda law: [(law.mu, slice(1, 3)), (law.mu_s, slice(3, 4)), (law.mu_r, slice(4, 6))],
}
Groups = list[tuple[float, slice]]


def disjunctive_form(y: np.ndarray, p: np.ndarray, groups: Groups, small: float) -> float:
    """Violation of (21): take-off, or a closed contact whose groups stick within, or move against, their bound."""
    if p[0] <= small:
        return max(float(np.abs(p).max()), -min(y[0], 0.0))
    wrong = abs(y[0])
    for mu, rows in groups:
        f, w = p[rows], y[rows]
        size, speed = np.linalg.norm(f), np.linalg.norm(w)
        wrong = max(wrong, size - mu * p[0])
        if size < mu * p[0] - small:
            wrong = max(wrong, speed)
        else:
            wrong = max(wrong, float(np.linalg.norm(size * w + speed * f)) / (mu * p[0]))
    return float(wrong)


def inclusions(y: np.ndarray, p: np.ndarray, groups: Groups, small: float) -> float:
    """Violation of (22), by the definition of the normal cone: -u in N_C(r) if u . (z - r) >= 0 for all z in C.

    The linear function is smallest at s = 0 or at s -> inf for the normal part, and on the circle against w.
    """
    wrong = max(-p[0], -y[0], y[0] * p[0] / max(p[0], small))
    for mu, rows in groups:
        f, w = p[rows], y[rows]
        radius = mu * max(p[0], 0.0)
        wrong = max(wrong, np.linalg.norm(f) - radius)
        if radius > small:
            lowest = -radius * np.linalg.norm(w)
            wrong = max(wrong, (w @ f - lowest) / radius)
    return float(wrong)


def complementarity(y: np.ndarray, p: np.ndarray, groups: Groups, small: float) -> float:
    """Violation of (33), K* contains y-hat, orthogonal to p in K, with y-hat of (32) and K* of (26)."""
    sigma = sum(mu * np.linalg.norm(y[rows]) for mu, rows in groups)
    corrected = y.copy()
    corrected[0] += sigma
    outside_dual = sigma - corrected[0]
    outside = max(np.linalg.norm(p[rows]) - mu * p[0] for mu, rows in groups)
    return float(max(outside_dual, outside, -p[0], abs(corrected @ p) / max(p[0], small)))


FORMS = [disjunctive_form, inclusions, complementarity]


def contact_by_contact(problem: ContactProblem, p: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Velocities and impulses of every contact, in units of the largest free velocity and the largest impulse."""
    speeds = problem.velocity(p).reshape(problem.contact_count, -1) / np.abs(problem.q).max()
    loads = p.reshape(problem.contact_count, -1) / np.abs(p).max()
    return list(zip(speeds, loads, strict=True))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", DISKS)
@pytest.mark.parametrize("seed", range(4))
def test_every_form_of_the_law_holds_at_a_solution(form: Callable[..., float], law: str, seed: int):
    problem = of_one_law(law, contacts=8, seed=seed)
    solution = solve(problem, tolerance=SOLVED)
    assert solution.converged, solution.message
    groups = DISKS[law](LAWS[law])
    assert max(form(y, p, groups, TOLERANCE) for y, p in contact_by_contact(problem, solution.p)) <= TOLERANCE


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("law", DISKS)
def test_no_form_of_the_law_holds_beside_a_solution(form: Callable[..., float], law: str):
    problem = of_one_law(law, contacts=8, seed=0)
    p = solve(problem, tolerance=SOLVED).p
    rng = np.random.default_rng(0)
    groups = DISKS[law](LAWS[law])
    for _ in range(20):
        moved = contact_by_contact(problem, p * (1.0 + 0.01 * rng.normal(size=len(p))))
        assert max(form(y, f, groups, TOLERANCE) for y, f in moved) > 100 * TOLERANCE


def test_solved_problems_show_every_mode_of_the_rolling_law():
    # so that the tests above have seen all five lines of (21)
    seen: set[str] = set()
    for seed in range(12):
        seen |= set(solve(of_one_law("Rolling", contacts=8, seed=seed)).modes)
    wide = of_one_law("Rolling", contacts=8, seed=3)
    stiff = ContactProblem([laws.Rolling(0.1, 0.02)] * 8, W=wide.W, q=wide.q)
    seen |= set(solve(stiff).modes)
    assert seen == {"take-off", "sticking", "sliding", "rolling", "sliding+rolling"}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(2))
def test_power_lost_is_the_dissipation_and_the_bipotential(law: str, seed: int):
    # (43): -y . p = r_n sigma(-w); (55) with equality at a solution, and above -y . p elsewhere
    problem = of_one_law(law, contacts=8, seed=seed)
    solution = solve(problem, tolerance=SOLVED)
    assert solution.converged, solution.message
    one = LAWS[law]
    for y, p in contact_by_contact(problem, solution.p):
        y[np.abs(y) < TOLERANCE] = 0.0  # sticking to round-off is sticking: u_n = -1e-16 is not u_n < 0
        lost = -(y @ p)
        assert one.dissipation(y, p) == pytest.approx(lost, abs=TOLERANCE)
        assert one.bipotential(y, p) == pytest.approx(lost, abs=TOLERANCE)
        assert lost >= -TOLERANCE
        moved = y + np.array([0.0, *(0.1 * np.ones(len(y) - 1))])
        assert one.bipotential(moved, p) >= -(moved @ p) - TOLERANCE


@pytest.mark.parametrize("law", LAWS)
def test_friction_of_the_exact_law_never_creates_energy(law: str):
    # kinetic energy gained = 1/2 p . W p + q . p <= 0 for q = H v: energy of v + M^-1 H^T p less that of v
    problem = of_one_law(law, contacts=8, seed=1)
    p = solve(problem, tolerance=1e-12).p
    assert 0.5 * p @ problem.W @ p + problem.q @ p <= 1e-12 * np.abs(problem.q).max() * np.abs(p).max()
