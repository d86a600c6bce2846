"""What finishes a step that its sweeps did not solve."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from trundle.bench import ShapesScene
from trundle.contact.rigid import RigidProblem
from trundle.scene.model import build_model
from trundle.solve import turns
from trundle.solve.monitor import Monitor
from trundle.step.grains import Grains
from trundle.step.moreau_jean import MoreauJean

TOLERANCE, TIME_STEP = 1e-6, 5e-3


@pytest.fixture(scope="module")
def heap_of_boxes():
    """A step of 30 boxes that have fallen onto each other, most contacts redundant."""
    model, state = build_model(ShapesScene("box", 30, seed=1).build())
    stepper = MoreauJean(model, theta=1.0, tolerance=TOLERANCE)
    stepper.advance_all(state, TIME_STEP, 60)
    problem = RigidProblem(*stepper._inputs())
    assert len(problem) > 60
    return problem, problem.from_rows(stepper.space["impulse"][: len(problem)])


def residual(problem, p):
    scaled, rows = problem.scaled
    return scaled.residual(np.ascontiguousarray(p[rows]))


def no_sweeps(p, count):
    return p, count


def test_proximal_steps_alone_solve_a_heap_from_a_guess_that_is_nearly_right(heap_of_boxes):
    problem, known = heap_of_boxes
    p, _ = turns.take_turns(problem, 0.99 * known, TOLERANCE, 60_000, no_sweeps, 5_000)
    assert residual(problem, 0.99 * known) > 1e3 * TOLERANCE
    assert residual(problem, p) <= TOLERANCE


def test_a_step_whose_guess_leads_nowhere_is_solved_along_the_central_path(heap_of_boxes, monkeypatch):
    """As in heaps of boxes where a few contacts go round in circles, with sweeps as with proximal steps."""
    problem, known = heap_of_boxes
    monkeypatch.setattr(turns, "POLICY", replace(turns.POLICY, contacts_for_path=10))
    monkeypatch.setattr(turns.ProximalPoint, "advance", lambda self, p, monitor: monitor.spend(1))
    p, _ = turns.take_turns(problem, 50.0 * known, TOLERANCE, 60_000, no_sweeps, 5_000)
    assert residual(problem, p) <= TOLERANCE


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_no_step_of_a_pile_of_spheres_goes_round_in_circles(seed):
    """Each of these falls had a step of 600 contacts in which sweeps went round in circles until all work was done."""
    model, state = build_model(ShapesScene("sphere", 250, seed).build())
    rows = Grains(model, theta=0.5, tolerance=1e-4).advance_all(state, TIME_STEP, 135)
    assert rows["converged"].all()
    assert rows["contacts"].max() > 500


def test_a_path_apart_begins_with_no_iterate_and_a_share_of_the_work(heap_of_boxes):
    scaled, rows = heap_of_boxes[0].scaled
    monitor = Monitor(scaled, TOLERANCE, 1_000)
    monitor.report(np.ascontiguousarray(heap_of_boxes[1][rows]), 200)
    apart = monitor.apart(scaled, 0.5 * TOLERANCE, 0.5)
    assert apart.max_iterations == 400
    assert apart.tolerance == 0.5 * TOLERANCE
    assert apart.best_residual == np.inf
    assert monitor.converged


@pytest.mark.parametrize(("seed", "steps"), [(3, 130), (35, 170)])
def test_hard_steps_of_a_fall_of_spheres_are_solved_along_the_path(seed, steps):
    """Each of these falls missed a step while the path ended where its equations lost their accuracy."""
    model, state = build_model(ShapesScene("sphere", 250, seed).build())
    rows = Grains(model, theta=1.0, tolerance=1e-4).advance_all(state, TIME_STEP, steps)
    assert rows["converged"].all()


def test_the_work_of_a_step_is_bounded_however_often_its_contacts_are_looked_for():
    """A tolerance below round-off uses up all sweeps; each further look costs the first few sweeps and a factorisation."""
    most = 2_000
    model, state = build_model(ShapesScene("box", 30, seed=1).build())
    rows = MoreauJean(model, theta=1.0, tolerance=1e-17, max_sweeps=most).advance_all(state, TIME_STEP, 50)
    assert most <= rows["iterations"].max() <= 1.2 * most


@pytest.mark.parametrize("seed", [4, 6, 7])
def test_bodies_of_the_benchmark_do_not_overlap_at_the_beginning(seed):
    model, state = build_model(ShapesScene("box", 250, seed).build())
    gap = MoreauJean(model, theta=1.0, tolerance=TOLERANCE).contacts_at(state, 0.0).gap
    assert np.min(gap, initial=0.0) > -1e-7
