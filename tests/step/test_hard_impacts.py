"""Impacts that sweeps do not solve."""

from __future__ import annotations

import numpy as np

from trundle import Box, HalfSpace, Scene
from trundle.bench import ShapesScene
from trundle.laws import SlideRollSpin
from trundle.scene.model import build_model
from trundle.step.moreau_jean import MoreauJean

TOLERANCE, TIME_STEP, STEPS = 1e-8, 2e-3, 110


def heap(monkeypatch):
    """Rows of steps of 20 boxes that bounce into a heap, and the residuals of impacts that sweeps did not solve."""
    placed = ShapesScene("box", 20, seed=1)
    scene, law = Scene(), SlideRollSpin(mu=0.5, mu_r=1e-4, mu_s=1e-4)
    for i, (normal, offset) in enumerate(placed.walls):
        scene.add(HalfSpace(normal=normal, offset=offset), name=f"wall {i}", fixed=True, surface="wall")
    for i, (x, q, _) in enumerate(placed.bodies):
        shape = Box(size=(0.05, 0.04, 0.03))
        scene.add(shape, name=f"box {i}", density=2500.0, position=x, orientation=tuple(q), surface="box")
    scene.surface("box", "box", law=law, restitution=0.3)
    scene.surface("box", "wall", law=law, restitution=0.3)
    model, state = build_model(scene)
    stepper = MoreauJean(model, theta=0.5, tolerance=TOLERANCE)
    missed, ask = [], MoreauJean._ask_for_impact

    def noted(self):
        missed.append(float(self._own["results"][0]))
        ask(self)

    monkeypatch.setattr(MoreauJean, "_ask_for_impact", noted)
    return stepper.advance_all(state, TIME_STEP, STEPS), np.array(missed)


def test_impacts_on_which_sweeps_stall_are_solved_to_the_tolerance_of_the_step(monkeypatch):
    rows, missed = heap(monkeypatch)
    assert len(missed) > 0
    assert missed.min() > TOLERANCE
    assert rows["converged"].all()
    assert rows["residual"].max() <= TOLERANCE
