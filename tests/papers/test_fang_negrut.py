"""Fang & Negrut (2020), quick forms of its experiments."""

import numpy as np
import pytest

from trundle.papers import load, reproduce
from trundle.papers.fang_negrut_2020 import disk, phases, snapshots, solids, stack

KEY = "fang-negrut-2020"
# claims of the paper that do not follow from its own numbers; the notes of the report say why
REFUTED = {
    "lying flat, the ellipsoid stops sooner",
    "sliding turns into rolling",  # 0.104 s with the paper's uncapped damping, 0.116 s in closed form; the paper says 0.11
    "cylinder on its side: sliding turns into rolling",  # likewise: 0.116 s
    "box on four corners: it sticks at alpha = atan mu_s",  # at the threshold: its upper corners carry less
    "states agree with the analytic borders",  # with the stated damping the sphere overruns the static border
}


def claims_of(part, folder):
    return {claim.claim: claim for claim in reproduce(KEY, folder, part, quick=True).claims}


@pytest.mark.parametrize("part", list(load(KEY).PARTS))
def test_every_claim_of_a_part_agrees_or_is_refuted_in_words(part, tmp_path):
    claims = claims_of(part, tmp_path)
    assert claims
    for name, claim in claims.items():
        if name in REFUTED:
            assert claim.verdict == "differs"
            assert claim.note
        else:
            assert claim.verdict != "differs", claim
    assert (tmp_path / "report.md").exists()
    assert list(tmp_path.glob("*.png"))


def test_analytic_borders_of_appendix_d():
    eta = np.array([0.3])
    for slope, state in (
        (0.149, 0),
        (0.151, 1),
        (0.574, 1),
        (0.576, 2),
    ):  # 2 eta mu_s = 0.15, 3.5 mu_s - 5 eta mu_k = 0.575
        assert phases.analytic(np.arctan([slope]), eta)[0] == state
    assert phases.analytic(np.arctan([0.6]), np.array([0.55]))[0] == 3


@pytest.mark.parametrize(("degrees", "eta"), [(5.0, 0.3), (12.0, 0.3), (29.9, 0.4), (24.0, 0.45)])
def test_damped_sphere_ends_in_the_state_of_appendix_d(degrees, eta):
    angle = np.radians(degrees)
    assert phases.outcome(angle, eta, 2.0) == phases.analytic(np.array([angle]), np.array([eta]))[0]


def test_little_damping_moves_the_static_border_to_the_kinetic_coefficient():
    """Between tan(alpha) = 2 eta mu_k = 0.12 and 2 eta mu_s = 0.15."""
    angle = np.arctan(0.135)
    assert phases.outcome(angle, 0.3, 0.5) == 1
    assert phases.outcome(angle, 0.3, 2.0) == 0


def test_static_limit_of_the_stack_without_rolling_resistance_is_that_of_the_half_angle():
    """Spheres without rolling friction carry a top one only if tan(beta / 2) <= mu, sin(beta) = (1 + gap / 2) / 2."""
    beta = np.arcsin(0.5 * 1.15)
    assert stack.static_limit(0.0, 0.3, mu=np.tan(beta / 2) - 1e-6) == pytest.approx(0.0, abs=1e-6)
    assert stack.static_limit(0.0, 0.3, mu=np.tan(beta / 2) + 1e-6) > 100.0


def test_a_real_box_slides_as_the_point_of_the_paper_does():
    """a = g (sin - mu_k cos) once all corners slide, E_f = mu_k m g cos; it sticks with E_f = m g sin below atan mu_k."""
    steep, flat = (solids.followed(solids.brick(angle), 0.15) for angle in (0.25, 0.18))
    v, half = steep.velocity("body")[:, 0], len(steep.time) // 2
    slope = (v[-1] - v[half]) / (steep.time[-1] - steep.time[half])
    assert slope == pytest.approx(9.8 * (np.sin(0.25) - 0.2 * np.cos(0.25)), rel=1e-3)
    assert solids.elastic_friction(steep) == pytest.approx(0.2 * 9.8 * np.cos(0.25), rel=1e-6)
    assert solids.elastic_friction(flat) == pytest.approx(9.8 * np.sin(0.18), rel=1e-6)
    assert abs(flat.velocity("body")[-1, 0]) < 1e-9


def test_a_real_cylinder_rolls_to_rest_as_the_closed_form_says():
    scene = solids.disk(5.0, 0.2, 0.5, 0.4 * 0.2 * 0.2, 1600.0, 2 * np.sqrt(0.1 * 1600.0))
    run = solids.followed(scene, 1.6)
    v = run.velocity("body")[:, 0]
    slip, rest = disk.closed_forms(disk.TORQUE)
    # the rolling spring stretches by mu_r N / K_r before it yields, for a few ms: 1 % of the time to rest
    assert run.time[np.argmax(v <= 1e-9)] == pytest.approx(rest, rel=0.01)
    assert v[np.argmin(np.abs(run.time - slip))] == pytest.approx(0.5 - 0.2 * 9.8 * slip, rel=0.01)
    assert abs(v[-1]) < 1e-12
    assert len(run.contacts(-1)) == 2


def test_outlines_of_snapshots_are_silhouettes():
    """An ellipsoid (a, b, c) tilted by t about x, seen along x: half height sqrt((b sin t)^2 + (c cos t)^2)."""
    c, s = np.cos(0.4), np.sin(0.4)
    R = np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
    outline = snapshots._outline(R, (0.2, 0.3, 0.5), 0)
    assert outline[2].max() == pytest.approx(np.hypot(0.3 * s, 0.5 * c), rel=1e-3)
    assert outline[1].max() == pytest.approx(np.hypot(0.3 * c, 0.5 * s), rel=1e-3)
