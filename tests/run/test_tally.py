"""Sums over a run's steps, counted as they come."""

import numpy as np
import pytest
from scipy.ndimage import minimum_filter1d

import trundle
from trundle.run.tally import LASTING, Tally
from trundle.step.report import GAINS, LOSSES, ROW_TYPE, STORED


def _rows(count, seed):
    rng = np.random.default_rng(seed)
    rows = np.zeros(count, ROW_TYPE)
    rows["time"] = 0.1 * np.arange(1, count + 1)
    for name in (*STORED, *GAINS, *LOSSES):
        rows[name] = rng.normal(size=count)
    rows["residual"], rows["converged"] = rng.random(count), rng.random(count) < 0.9
    return rows


def _largest_rise(rows):
    """The definition, over the whole table at once."""
    left = sum(rows[name] for name in STORED) - np.cumsum(sum(rows[name] for name in GAINS))
    left = np.concatenate([[left[0] + sum(rows[name][0] for name in LOSSES)], left])
    window = max(1, min(LASTING, len(left) // 10))
    lasting = minimum_filter1d(left, window, origin=-(window // 2))[: len(left) - window + 1]
    rise = lasting - np.minimum.accumulate(left)[: len(lasting)]
    return rise.max(), rows["time"][max(int(np.argmax(rise)) - 1, 0)]


@pytest.mark.parametrize("count", [1, 2, 9, 100, 998, 999, 1000, 1001, 5000])
@pytest.mark.parametrize("piece", [1, 7, 999, 1000, 3000])
def test_a_tally_of_pieces_is_that_of_the_whole_table(count, piece):
    rows, tally = _rows(count, count), Tally()
    for start in range(0, count, piece):
        tally.add(rows[start : start + piece])
        if start % 5 == 0:
            tally.close()  # what is asked in between changes nothing
            tally.rise()
    tally.close()
    assert tally.steps == count
    assert tally.missed == np.count_nonzero(~rows["converged"])
    if tally.missed:
        assert tally.worst_residual == rows["residual"][~rows["converged"]].max()
        assert rows["residual"][rows["time"] == tally.worst_time] == tally.worst_residual
    loss = rows["sliding"] + rows["rolling"] + rows["spinning"] + rows["impact"]
    assert tally.impact_gain == pytest.approx(-loss[loss < 0.0].sum(), rel=1e-12)
    assert tally.kinetic == max(0.0, rows["kinetic"].max())
    assert tally.numerical == pytest.approx(rows["numerical"].sum(), rel=1e-12, abs=1e-12)
    rise, when = _largest_rise(rows)
    assert tally.rise() == pytest.approx((rise, when), rel=1e-9, abs=1e-9)


def test_a_resumed_run_warns_of_what_happened_before_it_was_interrupted(tmp_path):
    def scene():
        made = trundle.Scene()
        made.add(trundle.HalfSpace(), name="ground", fixed=True)
        for i, where in enumerate(trundle.grid((3, 3, 3), 0.2, first=(0, 0, 0.1))):
            made.add(trundle.Sphere(0.1), name=f"b{i}", density=1000.0, position=where)
        made.surface("default", "default", law=trundle.laws.SlideRollSpin(mu=0.3, mu_r=1e-3, mu_s=1e-3))
        return made

    options = {"tolerance": 1e-14, "max_iterations": 1}
    with pytest.warns(trundle.TrundleWarning, match="missed the tolerance"):
        whole = trundle.simulate(scene(), 0.1, 5e-3, **options)
    path = tmp_path / "run.h5"
    with pytest.warns(trundle.TrundleWarning, match="missed the tolerance"):
        trundle.simulate(scene(), 0.05, 5e-3, record=path, **options)
    with pytest.warns(trundle.TrundleWarning, match="of 20 steps missed"):
        resumed = trundle.resume(path, duration=0.1)
    assert resumed.warnings == whole.warnings


def test_a_run_that_is_asked_for_its_result_reads_no_tables_until_they_are_wanted(tmp_path):
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.1), name="ball", density=1000.0)
    with trundle.Simulation(scene, 1e-3, record=tmp_path / "run.h5") as simulation:
        run = simulation.run(0.1, progress=False)
        assert not {"steps", "energy"} & vars(run).keys()
        assert len(run.steps) == 100
