"""Tasora & Anitescu (2013): rolling disk, guideway, pile."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from trundle.papers import reproduce
from trundle.papers.report import Report
from trundle.papers.tasora_anitescu_2013 import guideway
from trundle.papers.tasora_anitescu_2013.disk import RHO, roll
from trundle.papers.tasora_anitescu_2013.pile import _claim_curve, figure_13, scene


def test_the_disk_follows_the_analytic_line_and_its_gap_the_prediction(tmp_path):
    report = reproduce("tasora-anitescu-2013", tmp_path, "disk", quick=True)
    assert [claim.claim for claim in report.claims if claim.verdict == "differs"] == []


@pytest.mark.parametrize("h", [0.02, 0.005])
def test_the_relaxed_gap_shrinks_with_the_time_step(h):
    found = roll("relaxed", h, gap=h * RHO, duration=1.0)
    np.testing.assert_allclose(found.gap, found.predicted, rtol=1e-9)
    assert found.gap[0] == pytest.approx(h * RHO, rel=0.01)


def test_a_small_step_makes_the_relaxed_disk_hop_off_a_closed_contact():
    # thrown up at rho omega = 0.02 m/s, more than g h: it flies before it comes down to its gap
    found = roll("relaxed", 5e-4, duration=0.2)
    assert found.gap.max() > 1.5 * 5e-4 * RHO
    np.testing.assert_allclose(found.gap[-50:], found.predicted[-50:], rtol=1e-9)


def test_the_guideway_resists_with_zeta_times_the_load_and_its_seal():
    found = guideway.resistance(490.0, guideway.rolling_coefficient(), steps=100)
    assert found.force == pytest.approx(0.005 * 490.0 + 5.3, rel=0.01)
    assert found.normal == pytest.approx(np.sqrt(2.0) * 490.0, rel=0.001)  # two rows at 45 degrees
    printed = guideway.resistance(490.0, 0.005 * guideway.BALL, seal=0.0, steps=100)
    assert printed.force == pytest.approx(np.sqrt(2.0) * 0.005 * 490.0, rel=0.01)


def test_the_guideway_in_the_papers_own_model_needs_the_same_force():
    # relaxed contacts with compliance, N + C, beside compliant ones without relaxation: 1 % wanted
    rho = guideway.rolling_coefficient()
    compliant, relaxed = (
        guideway.resistance(490.0, rho, steps=60, formulation=name).force for name in ("compliant", "relaxed")
    )
    assert relaxed == pytest.approx(compliant, rel=1e-2)


def test_rigid_balls_of_the_guideway_resist_in_proportion_to_what_presses_them():
    # statically indeterminate: opposite rows may press on each other, so that the normals sum to sqrt(2) F_y or more
    rho = guideway.rolling_coefficient()
    rigid = guideway.resistance(490.0, rho, steps=60, formulation="exact")
    assert rigid.normal > (1.0 - 1e-6) * np.sqrt(2.0) * 490.0
    assert rigid.force - 5.3 == pytest.approx(rho * rigid.normal / guideway.BALL, rel=1e-2)


def test_the_guideway_holds_below_its_resistance():
    limit = 0.005 * 490.0 + 5.3
    held = guideway.resistance(490.0, guideway.rolling_coefficient(), speed=0.0, pull=0.95 * limit, steps=100)
    pulled = guideway.resistance(490.0, guideway.rolling_coefficient(), speed=0.0, pull=1.5 * limit, steps=100)
    assert abs(held.speed) < 0.02 * pulled.speed


def test_a_pile_without_a_slope_is_not_judged(tmp_path):
    report = Report("tasora-anitescu-2013", "piles", tmp_path)
    figure_13(report, lambda *_: None, 30, [0.0, 0.01], formulations=("exact", "relaxed"))
    assert [claim.verdict for claim in report.claims] == ["not tested", "not in the paper's text"] * 2
    untested, cost = report.claims[:2]
    assert "has no slope to measure" in untested.note
    assert "processor time" in cost.note
    assert cost.note.startswith("0 runs failed")
    assert report.figures[0][0] == "figure-13-30.png"
    assert "0.29 m wide" in report.as_markdown()


@pytest.mark.parametrize(
    ("angles", "wrong"),
    [((np.nan, 20.0, 35.0), []), ((5.0, 30.0, 54.0), ["axis"]), ((20.0, 30.0, 24.0), ["almost flat", "trend"])],
)
def test_the_curve_is_judged_where_there_are_slopes(tmp_path, angles, wrong):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {"rho": [0.0, 0.005, 0.01], "angle": angles, "interval": 1.0, "height": 5.0, "moving": 0.0, "settled": True,
         "warnings": "", "missed_steps": 0}
    )  # fmt: skip
    report = Report("tasora-anitescu-2013", "piles", tmp_path)
    result = SimpleNamespace(good=table, failed=0, run_seconds=2.0, cpu_seconds=1.0)
    _claim_curve(report, result, "exact", 1000)
    differing = [claim.claim for claim in report.claims if claim.verdict == "differs"]
    assert len(differing) == len(wrong)
    assert all(name in claim for name, claim in zip(wrong, differing, strict=True))
    flat, _, rising = report.claims[:3]
    assert "floor without walls" in flat.note
    assert "f_rho = [0.0, 0.222, 0.444]" in rising.note


def test_a_smaller_pile_has_the_same_grains_and_fall():
    small, large = (scene(0.01, 0, grains).emitters[0] for grains in (100, 800))
    assert small.shape == large.shape
    assert small.region.low[2] == large.region.low[2]
    assert small.count / small.rate == pytest.approx(0.5 * large.count / large.rate)
