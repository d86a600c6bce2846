"""The contact law in its three forms, on pairs (y, p) constructed for every mode."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from trundle import laws

MU, MU_R = 0.6, 0.2
DIRECTION_T = np.array([0.6, -0.8])
DIRECTION_R = np.array([-0.28, 0.96])


def rolling_pairs():
    """(mode, y, p) that obey Acary & Bourrier (2021), eq. (21), for mu = 0.6, mu_r = 0.2."""
    r_n = 2.5
    yield "take-off", [0.7, 0.1, -0.2, 0.3, 0.4], [0.0] * 5
    yield "take-off", [0.0, 0.1, -0.2, 0.3, 0.4], [0.0] * 5
    for slide, roll in itertools.product((0.0, 1.3), repeat=2):
        size_t = MU * r_n if slide else 0.7 * MU * r_n
        size_r = MU_R * r_n if roll else 0.4 * MU_R * r_n
        y = [0.0, *(-slide * DIRECTION_T), *(-roll * DIRECTION_R)]
        p = [r_n, *(size_t * DIRECTION_T), *(size_r * DIRECTION_R)]
        mode = "+".join(name for name, moves in (("sliding", slide), ("rolling", roll)) if moves) or "sticking"
        yield mode, y, p


def wrong_pairs():
    """Pairs that break the law in one way each."""
    good = {mode: (np.array(y), np.array(p)) for mode, y, p in rolling_pairs()}
    y, p = good["sliding+rolling"]
    yield "sinks in", y + [-0.1, 0, 0, 0, 0], p
    yield "separates under load", y + [0.1, 0, 0, 0, 0], p
    yield "pulls", y, -p
    yield "slides in the wrong direction", y * [1, -1, 1, 1, 1], p
    yield "rolls with too little moment", y, p * [1, 1, 1, 0.5, 0.5]
    yield "too much friction", y, p * [1, 1.5, 1.5, 1, 1]
    yield "pushes itself", y * [1, -1, -1, 1, 1], p
    yield "friction without load", *(np.array(v) for v in ([0.1, 0, 0, 0, 0], [0, 0.3, 0, 0, 0]))
    y, p = good["sticking"]
    yield "creeps while sticking", y + [0, 1e-3, 0, 0, 0], p


def inclusion(y, p, tolerance=1e-12):
    """Acary & Bourrier (2021), eq. (22): three normal cones, each as p = proj(p - y)."""
    law = laws.Rolling(MU, MU_R)
    r_n, u_n = p[0], y[0]
    normal = abs(r_n - max(r_n - u_n, 0.0))
    friction = p[1:] - law.project_section(p[1:] - y[1:], r_n)
    return max(normal, np.abs(friction).max()) <= tolerance


def complementarity(y, p, tolerance=1e-12):
    """Eqs. (26), (32), (33): K* contains y-hat, K contains p, and they are orthogonal."""
    law = laws.Rolling(MU, MU_R)
    y_hat = y + [law.correction(y), 0, 0, 0, 0]
    in_dual = MU * np.linalg.norm(y_hat[1:3]) + MU_R * np.linalg.norm(y_hat[3:]) <= y_hat[0] + tolerance
    in_cone = np.abs(law.project(p) - p).max() <= tolerance
    return bool(in_dual and in_cone and abs(y_hat @ p) <= tolerance)


def disjunctive(y, p, tolerance=1e-12):
    """Eq. (21), the five modes as printed."""
    u_n, u_t, w_r = y[0], y[1:3], y[3:]
    r_n, r_t, m_r = p[0], p[1:3], p[3:]
    if np.abs(p).max() <= tolerance:
        return u_n >= -tolerance

    def block(limit, load, velocity):
        size, speed = np.linalg.norm(load), np.linalg.norm(velocity)
        sticks = speed <= tolerance and size <= limit + tolerance
        opposed = np.abs(size * velocity + speed * load).max() <= tolerance
        return sticks or (abs(size - limit) <= tolerance and opposed)

    return bool(r_n > 0.0 and abs(u_n) <= tolerance and block(MU * r_n, r_t, u_t) and block(MU_R * r_n, m_r, w_r))


@pytest.mark.parametrize(("mode", "y", "p"), list(rolling_pairs()))
def test_the_three_forms_hold_together_in_every_mode(mode, y, p):
    y, p = np.array(y), np.array(p)
    assert disjunctive(y, p)
    assert inclusion(y, p)
    assert complementarity(y, p)
    assert laws.Rolling(MU, MU_R).mode(y, p) == mode


@pytest.mark.parametrize(("what", "y", "p"), list(wrong_pairs()), ids=lambda v: v if isinstance(v, str) else "")
def test_the_three_forms_fail_together(what, y, p):
    assert not disjunctive(y, p)
    assert not inclusion(y, p)
    assert not complementarity(y, p)


def test_the_three_forms_agree_on_the_fixed_points_of_the_projection():
    """p = proj_K(p - rho y-hat), eq. (61), by iteration for random diagonal W and random q."""
    rng = np.random.default_rng(0)
    law = laws.Rolling(MU, MU_R)
    W = rng.uniform(0.5, 2.0, (300, 5))
    q = rng.standard_normal((300, 5))
    q[:100, 1:] *= 0.05  # little to stop: these stick
    p = np.zeros((300, 5))
    for _ in range(1500):
        y_hat = W * p + q
        y_hat[:, 0] += law.correction(y_hat)
        p = law.project(p - 0.3 * y_hat)
    y = W * p + q
    for velocity, load in zip(y, p, strict=True):
        assert disjunctive(velocity, load, 1e-10)
        assert inclusion(velocity, load, 1e-10)
        assert complementarity(velocity, load, 1e-10)
    modes = set(law.mode(y, p, reference=q))
    assert modes == {"take-off", "sticking", "sliding", "rolling", "sliding+rolling"}


GROUPS = {"sliding": slice(1, 3), "spinning": slice(3, 4), "rolling": slice(4, 6)}


@pytest.mark.parametrize("moving", [m for n in range(4) for m in itertools.combinations(GROUPS, n)])
@pytest.mark.parametrize(
    "law",
    [laws.SlideRollSpin(0.5, 0.02, 0.01), laws.Superellipse(0.5, 0.3, 6) * laws.Roll(0.02) * laws.Spin(0.01)],
    ids=["disks", "superellipse"],
)
def test_every_combination_of_sliding_spinning_and_rolling_has_its_name(law, moving):
    y = np.zeros(6)
    for name in moving:
        y[GROUPS[name]] = -np.array([0.3, 0.4])[: GROUPS[name].stop - GROUPS[name].start]
    f = law.project_section(-1e9 * y[1:], 3.0)  # on the boundary where it moves
    held = np.array([name not in moving for name in GROUPS for _ in range(GROUPS[name].stop - GROUPS[name].start)])
    f[held] = 0.3 * law.project_section(1e9 * np.ones(5), 3.0)[held]  # inside elsewhere
    names = "+".join(name for name in GROUPS if name in moving) or "sticking"
    assert law.mode(y, [3.0, *f]) == names


@pytest.mark.parametrize(
    ("law", "y", "p", "mode"),
    [
        (laws.Coulomb(0.5), [0, 0, -1], [2, 0, 1], "sliding"),
        (laws.Coulomb(0.5), [0, 0, 0], [2, 0, 1], "sticking"),  # on the boundary, but at rest
        (laws.Coulomb(0.5), [1, 0, 0], [0, 0, 0], "take-off"),
        (laws.Coulomb2D(0.5), [0, 1], [2, -1], "sliding"),
        (laws.Rolling2D(0.5, 0.1), [0, 0, 1], [2, 0.3, -0.2], "rolling"),
        (laws.Spin(0.1), [0, 1], [2, -0.2], "spinning"),
        (laws.Roll(0.1), [0, 1, 0], [2, -0.2, 0], "rolling"),
        (laws.Coulomb(0.0), [0, 1, 0], [2, 0, 0], "sliding"),  # no friction: any motion slides
        (laws.Coulomb(0.0), [0, 0, 0], [2, 0, 0], "sticking"),
        (laws.Superellipse(0.0, 0.3, 2), [0, 1, 0], [2, 0, 0.1], "sliding"),  # free along t1, held along t2
        (laws.Superellipse(0.3, 0.0, 2), [0, 0, 1], [2, 0.1, 0], "sliding"),
        (laws.Superellipse(0.3, 0.3, np.inf), [0, -1, 0], [2, 0.6, 0.1], "sliding"),
        (laws.Superellipse(0.3, 0.3, 1), [0, -1, 0], [2, 0.6, 0.0], "sliding"),
        (laws.Bilateral(2), [0, 0], [3, -1], "sticking"),
        (laws.Bounded(0.4), [-1.0], [0.4], "sliding"),
        (laws.Bounded(0.4), [0.0], [0.1], "sticking"),
    ],
)
def test_modes_of_simple_contacts(law, y, p, mode):
    assert law.mode(np.array(y, float), np.array(p, float)) == mode


def test_a_patch_that_slides_and_spins_does_both_at_once():
    law = laws.Contensou(0.5, 0.02)
    for slide, spin, mode in ((0.1, 0.0, "sliding"), (0.0, 3.0, "spinning"), (0.1, 3.0, "sliding+spinning")):
        y = np.array([0.0, 0.6 * slide, 0.8 * slide, spin])
        f = law.project_section(-1e9 * y[1:], 2.0)
        assert law.mode(y, [2.0, *f]) == mode


def test_many_contacts_give_many_modes():
    modes, y, p = zip(*rolling_pairs(), strict=True)
    assert list(laws.Rolling(MU, MU_R).mode(np.array(y), np.array(p))) == list(modes)


def test_rounding_is_not_motion_if_there_is_something_to_compare_with():
    law = laws.Coulomb(0.5)
    y, p = np.array([[0.0, 1e-17, 0.0]]), np.array([[2.0, -1.0, 0.0]])
    assert law.mode(y, p, reference=np.array([[-1.0, 0.3, 0.0]]))[0] == "sticking"
