"""Acary & Bourrier (2021): the sphere of section 6.1 and the piles of section 6.2."""

from __future__ import annotations

import numpy as np
import pytest

from trundle import TrundleWarning
from trundle.papers import reproduce
from trundle.papers.acary_bourrier_2021.pile import MU_R, _claim_regimes, measured, pour
from trundle.papers.acary_bourrier_2021.sphere import roll
from trundle.papers.report import Report


@pytest.mark.parametrize(("mu", "mu_r"), [(0.2, 0.04), (0.05, 0.04), (0.3, 0.004)])
def test_figure_2_distance_is_the_closed_form(mu, mu_r):
    # theta = 1/2 is exact within a phase: only the steps in which one ends differ, by O(h^2)
    values = roll(mu, mu_r, steps=200)
    assert values["stopped"]
    assert values["distance"] == pytest.approx(values["closed_form"], rel=1e-4)


def test_figure_3_values_at_the_transitions_and_loads_between(tmp_path):
    report = reproduce("acary-bourrier-2021", tmp_path, "figure-3", quick=True, time_step=4e-3)
    assert len(report.claims) == 12
    assert [claim.claim for claim in report.claims if claim.verdict != "agrees"] == []
    assert (tmp_path / "figure-3.png").exists()


def test_piles_are_one_layer_without_rolling_friction_and_higher_with_it():
    # 25 spheres: enough for a second layer, whose grains lie in the hollows of the first
    flat, steep = (measured(0.3, mu_r, seed=1, count=25, time_step=2e-3) for mu_r in (1e-5, 1e-2))
    assert flat["height"] == pytest.approx(1.0, abs=0.01)
    assert steep["height"] > 1.7
    assert steep["settled"]
    assert steep["base_radius"] < 3.0
    assert np.isfinite(flat["base_radius"])


@pytest.mark.parametrize(
    ("last", "wrong"),
    [(1.0, []), (1.6, [f"third regime, mu = {mu}: the height does not depend on mu_r" for mu in (0.3, 0.5, 0.7)])],
)
def test_the_regimes_of_figure_5_are_judged_by_heights_and_radii(tmp_path, last, wrong):
    # heights and radii such as come out, in diameters, spread 6 %; the last three heights made larger than a plateau allows
    pandas = pytest.importorskip("pandas")
    rise = np.array([1, 1, 1, 1.9, 3.0, 4.0, 5.0, 5.0, 5.0, 5.0 * last, 5.0 * last, 5.0 * last])
    radius = np.array([24, 22, 20, 8, 6, 5, 4, 4, 4, 4, 4, 4])
    rows = [
        {"mu": mu, "mu_r": mu_r, "height": 1.0 + (level + noise) * (h - 1.0), "base_radius": r, "on_plane": 250,
         "settled": True, "missed_steps": 0}
        for mu, level in ((0.3, 1.0), (0.5, 1.2), (0.7, 1.3))
        for mu_r, h, r in zip(MU_R, rise, radius, strict=True)
        for noise in (-0.06, 0.0, 0.06)
    ]  # fmt: skip
    table = pandas.DataFrame(rows)
    report = Report("acary-bourrier-2021", "piles", tmp_path)
    _claim_regimes(report, table, {mu: group.groupby("mu_r").mean() for mu, group in table.groupby("mu")})
    assert len(report.claims) == 17
    assert [claim.claim for claim in report.claims if claim.verdict == "differs"] == wrong


def test_a_plateau_of_too_few_rolling_lengths_is_not_tested(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [
        {"mu": mu, "mu_r": mu_r, "height": h, "base_radius": 10.0 / h, "on_plane": 250, "settled": True, "missed_steps": 0}
        for mu in (0.3, 0.5, 0.7) for mu_r, h in ((1e-5, 1.0), (1e-3, 3.0), (3e-3, 5.0 + mu), (5e-3, 5.0 + mu))
    ]  # fmt: skip
    table = pandas.DataFrame(rows)
    report = Report("acary-bourrier-2021", "piles", tmp_path)
    _claim_regimes(report, table, {mu: group.groupby("mu_r").mean() for mu, group in table.groupby("mu")})
    third = [claim for claim in report.claims if "does not depend on mu_r" in claim.claim]
    assert [claim.verdict for claim in third] == ["not tested"] * 6
    assert not [claim for claim in report.claims if claim.verdict == "differs"]


def test_a_rolling_length_of_a_hundred_radii_runs_with_a_warning_and_keeps_spheres_from_rolling():
    """Figure 5 goes to mu_r = 1 m: spheres on the plane do not roll; nothing keeps them from spinning about its normal."""
    with pytest.warns(TrundleWarning, match="100 times the radius"):
        run = pour(0.5, 1.0, count=6)
    low = [name for name in run.names if name != "plane" and run.position(name)[-1, 2] < 1.1 * 0.01]
    assert len(low) > 2
    assert max(np.linalg.norm(run.angular_velocity(name)[-1, :2]) for name in low) < 1e-6
    assert np.all(run.steps["converged"])
