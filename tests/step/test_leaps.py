"""Scenes of one body on half-spaces take many steps at once: the same bits, and nothing goes unseen."""

from __future__ import annotations

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.detect.contacts import Detector
from trundle.run.watch import Watch
from trundle.scene.geometry import inner_radius
from trundle.step.stepper import FAST

SHAPES = {
    "sphere": trundle.Sphere(0.1), "box": trundle.Box((0.2, 0.15, 0.1)), "disk": trundle.Disk(0.1),
    "clump": trundle.Clump(centres=[(0, 0, 0), (0.1, 0, 0)], radii=[0.05, 0.07]),
}  # fmt: skip


def thrown(shape, speed, restitution=0.3, friction=0.4):
    """A body thrown onto a floor and against a wall."""
    scene = trundle.Scene()
    q = np.array([0.8, 0.3, -0.4, 0.2])
    scene.add(
        shape, name="body", mass=1.3, position=(0, 0, 0.3), orientation=q / np.linalg.norm(q), velocity=(speed, 0.3, -1),
        angular_velocity=(3, -2, 4),
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="floor", fixed=True)
    scene.add(trundle.HalfSpace(normal=(-1, 0, 0), offset=-1.0), name="wall", fixed=True)
    law = laws.SlideRollSpin(mu=friction, mu_r=1e-3, mu_s=1e-3)
    scene.surface("default", "default", law=law, restitution=restitution)
    return scene


@pytest.mark.parametrize("scheme", ["moreau-jean", "moreau-midpoint"])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.filterwarnings("ignore::trundle.TrundleWarning")
def test_leaps_steps_with_a_callback_and_recorded_ones_have_the_same_bits(tmp_path, name, scheme):
    def run(**more):
        return trundle.simulate(thrown(SHAPES[name], 2.0), 0.3, 2e-3, scheme=scheme, **more)

    leaping = run(every=7)
    others = [
        run(every=7, progress=lambda *_: None), run(every=7, record=tmp_path / "a.h5"),
        run(every=7, record=tmp_path / "b.h5", progress=lambda *_: None), run(every=1),
    ]  # fmt: skip
    for other in others:
        assert leaping.energy.tobytes() == other.energy.tobytes()
        assert leaping.steps.tobytes() == other.steps.tobytes()
        assert leaping.warnings == other.warnings
        for quantity in ("position", "orientation", "velocity", "angular_velocity"):
            assert np.array_equal(getattr(leaping.final, quantity), getattr(other.final, quantity))


def test_every_step_of_a_fast_body_is_looked_at(monkeypatch):
    seen, calls = [], [0]

    def missed(self, before, after):
        assert 0.0 < np.abs(after.position - before.position).max() < 2.0
        seen.append(after.time)
        return np.zeros((0, 2), np.int64)

    def look(self, rows, before, after):
        calls[0] += 1
        watched(self, rows, before, after)

    watched = Watch.look
    monkeypatch.setattr(Detector, "missed", missed)
    monkeypatch.setattr(Watch, "look", look)
    shape = trundle.Sphere(0.1)
    trundle.simulate(thrown(shape, 0.5, restitution=0.9), 1.0, 2e-3, every=1000)
    assert calls[0] < 100  # it leaps
    assert not seen
    scene = thrown(shape, 0.5, restitution=0.9)
    scene.gravity = np.array([0, 0, -2000.0])
    with pytest.warns(trundle.TrundleWarning, match="times that of the Earth"):
        run = trundle.simulate(scene, 0.2, 2e-3, every=1)
    way = np.abs(np.diff(run.position("body"), axis=0)).max(axis=1)
    fast = run.time[1:][way > FAST * inner_radius(shape)]
    assert len(fast) > 5
    assert set(fast) == set(seen)


def falling(restitution, duration=0.02, time_step=1e-4, **options):
    """A rod that hits the floor with its end while slipping; the slip turns around (Kane & Levinson 1985)."""
    scene, turn = trundle.Scene(), 0.7  # of the rod from the horizontal
    scene.add(
        trundle.Capsule(0.01, 1.0), name="rod", mass=1.0, position=(0, 0, 0.5 * np.sin(turn) + 0.02),
        orientation=(np.cos(0.5 * (np.pi / 2 - turn)), 0, np.sin(0.5 * (np.pi / 2 - turn)), 0), velocity=(0.9, 0, -3.0),
    )  # fmt: skip
    scene.add(trundle.HalfSpace(), name="floor", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(mu=0.6), restitution=restitution)
    return trundle.simulate(scene, duration, time_step, **options)


def test_impacts_that_gain_energy_are_told():
    assert not falling(0.0).warnings
    with pytest.warns(trundle.TrundleWarning, match=r"impacts gained .* J in all, most at t = .*Newton's restitution"):
        gained = falling(0.9)
    energy = gained.energy["kinetic"] + gained.energy["potential"]
    assert energy[-1] > energy[0]  # so it is


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_friction_that_turns_the_slip_around_gives_back_a_part_of_what_the_impact_takes(restitution):
    energy = falling(restitution, 0.01, 1e-5, tolerance=1e-12).energy
    lost = energy["impact"].max()
    assert lost > 1.0  # J, of the 4.9 J that it has
    for part in ("sliding", "rolling", "spinning", "impact"):
        assert energy[part].min() >= -1e-12
    # the position of the rod changes by h v within the step, so that its energy is known to h times the rate at which it turns
    assert np.abs(energy["numerical"]).sum() < 1e-3 * lost


def test_a_small_bob_that_swings_fast_needs_no_look_after_every_step():
    """It moves by more than its size per step, but nothing is near: the steps of a call are done in one go."""
    scene = trundle.Scene()
    scene.add(trundle.Sphere(0.01), name="bob", mass=1.0, position=(2.0, 0.0, 0.0), velocity=(0.0, 0.0, -12.0))
    scene.joint("ball", "bob", position=(0.0, 0.0, 0.0))
    simulation = trundle.Simulation(scene, time_step=1e-3)
    loop = simulation._loop
    rows = loop.stepper.advance(loop.state, 1e-3, 50)
    assert len(rows) == 50
    assert rows["way"].min() > FAST
