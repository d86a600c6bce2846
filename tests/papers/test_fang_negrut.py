"""Fang & Negrut (2020), quick forms of its experiments."""

import numpy as np
import pytest

from trundle.papers import load, reproduce
from trundle.papers.fang_negrut_2020 import phases, stack

KEY = "fang-negrut-2020"
# claims of the paper that do not follow from its own numbers; the notes of the report say why
REFUTED = {
    "lying flat, the ellipsoid stops sooner",
    "sliding turns into rolling",  # 0.104 s with the paper's uncapped damping, 0.116 s in closed form; the paper says 0.11
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
