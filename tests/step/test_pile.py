"""Many grains: they come to rest, they do not sink into each other, and the same scene gives the same bits."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numba
import numpy as np
import pytest

from trundle import HalfSpace, Scene, Sphere, laws, simulate
from trundle.bench import PileScene
from trundle.contact import grains, layout
from trundle.contact.kernels import grains as contact_kernels
from trundle.detect import Detector
from trundle.run.loop import make_stepper
from trundle.run.options import Options
from trundle.scene import Box
from trundle.scene.model import build_model
from trundle.solve import rigid
from trundle.solve.kernels import grains as grain_kernels
from trundle.solve.proximal import ProximalPoint
from trundle.step import grains as grain_stepper
from trundle.step.grains import FROM, Grains
from trundle.step.moreau_jean import MoreauJean

D = 0.045


def heap(count=40):
    """Spheres dropped from a loose grid with shifted layers into a square box."""
    scene = Scene()
    side, gap = 4, 1.2 * D
    wide = 5.3 * D
    rng = np.random.default_rng(7)
    for k in range(count):
        layer, rest = divmod(k, side * side)
        i, j = divmod(rest, side)
        shift = 0.4 * gap * (layer % 2)
        position = np.array([i * gap + 0.6 * D + shift, j * gap + 0.6 * D + shift, 0.6 * D + layer * gap])
        scene.add(
            Sphere(radius=D / 2), density=2500.0, position=position + rng.uniform(-0.02, 0.02, 3) * D, surface="grain"
        )
    for normal, offset in (((0, 0, 1), 0), ((1, 0, 0), 0), ((0, 1, 0), 0), ((-1, 0, 0), -wide), ((0, -1, 0), -wide)):
        scene.add(HalfSpace(normal=normal, offset=offset), fixed=True, surface="wall")
    law = laws.SlideRollSpin(mu=0.6, mu_r=0.01, mu_s=0.01)
    scene.surface("grain", "grain", law=law)
    scene.surface("grain", "wall", law=law)
    return scene


@pytest.fixture(scope="module", params=[40, FROM], ids=["any bodies", "grains"])
def count(request):
    """So many spheres that they are bodies as any other, or grains with their own storage."""
    return request.param


@pytest.fixture(scope="module")
def run(count):
    return simulate(heap(count), 1.0, 5e-3, theta=1.0, tolerance=1e-6, every=200)


def test_every_step_of_a_heap_meets_its_tolerance(run):
    assert run.steps["converged"].all()
    assert run.steps["contacts"].max() > 60


def test_a_heap_comes_to_rest(run):
    # every step is solved to 1e-6 of the free velocities, g h = 0.05 m/s at some hundred contacts
    assert np.abs(run.final.velocity).max() < 1e-6
    assert run.energy["kinetic"][-1] < 1e-12


def test_grains_do_not_sink_into_each_other(run):
    contacts = Detector(run.model).detect(run.final, 0.0)
    assert -np.minimum(contacts.gap, 0.0).mean() < 1e-3 * D
    assert contacts.gap.min() > -0.02 * D


def test_friction_and_impact_take_the_energy_and_give_none_back(run):
    for name in ("sliding", "rolling", "spinning", "impact"):
        assert run.energy[name].sum() > 0.0


def test_the_same_scene_gives_the_same_bits(run, count):
    again = simulate(heap(count), 1.0, 5e-3, theta=1.0, tolerance=1e-6, every=200)
    assert np.array_equal(again.final.position, run.final.position)
    assert np.array_equal(again.steps, run.steps)


def several_laws(scene):
    """Another law at the walls, and a third one with ratios between grains of the first layer and the others."""
    for body in scene.bodies[:8]:
        body.surface = "rough"
    scene.pairs.pop(("grain", "wall"))
    scene.surface("grain", "wall", law=laws.Coulomb(mu=0.3))
    scene.surface("rough", "wall", law=laws.Rolling(mu=0.9, mu_r=0.004))
    scene.surface("rough", "rough", law=laws.SlideRollSpin(mu=0.4, mu_r=0.2, mu_s=0.1), ratio=True)
    scene.surface("grain", "rough", law=laws.SlideRollSpin(mu=0.4, mu_r=0.2, mu_s=0.1), ratio=True)
    return scene


@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
@pytest.mark.parametrize("build", [lambda: heap(20), lambda: several_laws(heap(20))], ids=["one law", "several laws"])
def test_grains_and_general_bodies_follow_the_same_equations(build, formulation):
    model, state = build_model(build())
    other, options = state.copy(), {"theta": 1.0, "tolerance": 1e-11, "formulation": formulation}
    rows = [kind(model, **options).advance_all(at, 2e-3, 50) for kind, at in ((Grains, state), (MoreauJean, other))]
    for one in rows:
        assert one["contacts"].max() > 10
        assert one["converged"].all()
    np.testing.assert_allclose(state.position, other.position, atol=1e-8 * D)


def test_many_spheres_are_grains_and_fewer_or_others_are_not():
    def chosen(scene, formulation="exact"):
        return type(make_stepper(build_model(scene)[0], Options(0.1, 2e-3, 1.0, formulation, 1e-6, 1000, 1)))

    assert chosen(heap(FROM)) is Grains
    assert chosen(several_laws(heap(FROM)), formulation="relaxed") is Grains
    assert chosen(heap(FROM - 1)) is MoreauJean
    assert chosen(heap(FROM), formulation="compliant") is MoreauJean
    mixed = heap(FROM)
    mixed.add(Box(size=(D, D, D)), density=1.0, position=(2.6 * D, 2.6 * D, 50.0), surface="wall")
    mixed.surface("wall", "wall", law=laws.Coulomb(mu=0.3))
    assert chosen(mixed) is MoreauJean


def test_sweeps_of_the_natural_map_go_to_a_solution_and_stay_there(monkeypatch):
    problems = []

    def keep(problem, *rest):
        found = rigid.solve_step(problem, *rest)
        problems.append((problem, found))
        return found

    monkeypatch.setattr(grain_stepper, "solve_step", keep)
    model, state = build_model(heap(20))
    stepper = Grains(model, theta=1.0, tolerance=1e-8)
    for _ in range(60):
        stepper.step(state, 5e-3)
    problem, found = problems[-1]
    monkeypatch.setattr(rigid, "POLICY", replace(rigid.POLICY, calm_rounds=10**9))

    def calm(p):
        sweeps = rigid._GrainSweeps(problem, p, 1e-4)
        sweeps._kind = grain_kernels.CALM
        return sweeps

    assert found.converged
    assert calm(found.p.copy()).sweep(1) < 1e-7 * problem.size
    p = problem.no_impulses()
    assert len(problem) > 20
    assert problem.residual(p, problem.body_velocity(p)) > 0.1
    sweeps = calm(p)
    for _ in range(30):
        sweeps.sweep(10)
    np.testing.assert_allclose(sweeps.v, problem.body_velocity(sweeps.p), atol=1e-11)
    assert problem.residual(sweeps.p, sweeps.v) < 1e-3


def test_sweeps_that_get_nowhere_take_turns(monkeypatch):
    kinds, original = [], rigid._GrainSweeps.restart

    def restart(self):
        kinds.append(self._kind)
        original(self)

    monkeypatch.setattr(rigid._GrainSweeps, "restart", restart)
    # nothing counts as progress
    monkeypatch.setattr(rigid, "POLICY", replace(rigid.POLICY, round=10, round_progress=1e-6))
    run = simulate(heap(FROM), 0.4, 5e-3, theta=1.0, tolerance=1e-4)
    turns = "".join(str(kind) for kind in kinds)
    assert f"{grain_kernels.EXACT}{grain_kernels.CALM}" in turns
    assert f"{grain_kernels.CALM}{grain_kernels.EXACT}" in turns
    assert run.steps["converged"].all()


def test_sweeps_go_on_from_what_the_matrix_methods_have_found(monkeypatch):
    asked = []

    def no_better(self, p, monitor):
        asked.append(len(p))
        monitor.spend(1)

    monkeypatch.setattr(rigid, "POLICY", replace(rigid.POLICY, sweeps_before_matrix_to_coarse_tolerance=5))
    monkeypatch.setattr(ProximalPoint, "advance", no_better)
    run = simulate(heap(FROM), 0.3, 5e-3, theta=1.0, tolerance=1e-3)
    assert asked
    assert run.steps["converged"].all()


def test_a_pile_of_250_grains_at_rest_does_not_creep():
    # a residual of 1e-13 relative to |q'|, about g h sqrt(C) = 1 m/s, leaves velocities of the same size
    model, state = build_model(PileScene(n=250).build())
    stepper = Grains(model, theta=1.0, tolerance=1e-4, max_sweeps=1500)
    for tolerance, steps in ((1e-4, 300), (1e-6, 100), (1e-8, 100), (1e-13, 5)):
        stepper.tolerance = tolerance
        for _ in range(steps):
            report = stepper.step(state, 5e-3)
    start = state.position.copy()
    for _ in range(20):
        report = stepper.step(state, 5e-3)
        assert report.solution.converged
        assert np.abs(state.velocity).max() < 1e-12
    assert np.abs(state.position - start).max() < 1e-12 * 20 * 5e-3


@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
def test_any_number_of_threads_gives_the_same_bits(monkeypatch, formulation):
    monkeypatch.setattr(grains, "THREADED", 0)
    monkeypatch.setattr(layout, "CONTACTS_PER_CELL", 8)
    monkeypatch.setattr(layout, "CONTACTS_PER_SLAB", 20)  # several slabs of both parities
    ends = []
    before = numba.get_num_threads()
    for threads in (1, 2):
        numba.set_num_threads(threads)
        model, state = build_model(PileScene(n=150).build())
        stepper = Grains(model, theta=1.0, tolerance=1e-5, formulation=formulation)
        for _ in range(60):
            report = stepper.step(state, 5e-3)
        ends.append((state, report))
    numba.set_num_threads(before)
    (one, first), (two, second) = ends
    assert len(first.contacts) > 100
    assert np.array_equal(one.position, two.position)
    assert np.array_equal(one.angular_velocity, two.angular_velocity)
    assert first.solution.iterations == second.solution.iterations


def test_a_step_takes_less_than_a_kilobyte_per_contact():
    model, state = build_model(PileScene(n=3000).build())
    stepper = Grains(model, theta=1.0, tolerance=1e-2)
    for _ in range(39):
        stepper.step(state, 5e-3)
    tracemalloc.start()
    try:
        count = len(stepper.step(state, 5e-3).contacts)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count > 8000
    assert peak < 700 * count  # what the last step has left and the bodies themselves make 150 of it


def test_a_sphere_with_three_moments_of_inertia_tumbles_among_many_as_alone():
    ends = []
    for count in (1, 64):
        scene = Scene(gravity=(0.0, 0.0, 0.0))
        for k in range(count):
            scene.add(
                Sphere(radius=0.05), mass=1.0, inertia=np.diag([1.0e-3, 1.5e-3, 2.0e-3]), position=(0.2 * k, 0.0, 0.0),
                angular_velocity=(1.0, 2.0, 3.0),
            )  # fmt: skip
        scene.surface("default", "default", law=laws.Coulomb(mu=0.5))
        ends.append(simulate(scene, duration=0.2, time_step=1e-3).final.angular_velocity)
    assert abs(ends[0][0, 0] - 1.0) > 0.1
    np.testing.assert_array_equal(ends[1], np.tile(ends[0], (64, 1)))


def test_a_layout_serves_as_long_as_the_contacts_are_the_same(monkeypatch):
    made = []

    def counted(*known):
        made.append(len(known[0]))
        return layout.lay_out(*known)

    monkeypatch.setattr(grains, "lay_out", counted)
    model, state = build_model(heap())
    one, other = (Grains(model, theta=1.0, tolerance=1e-5) for _ in range(2))
    for _ in range(120):
        one.step(state, 5e-3)
    assert 10 < len(made) < 115
    # another stepper goes on to the same bits: the order of sweeps is part of what is remembered
    copy, before = state.copy(), len(made)
    other.recall({name: value.copy() for name, value in one.memory().items()})
    for _ in range(5):
        first, second = one.step(state, 5e-3), other.step(copy, 5e-3)
    assert len(made) == before
    assert len(first.contacts) > 60
    assert first.solution.iterations == second.solution.iterations
    assert np.array_equal(state.position, copy.position)
    assert np.array_equal(state.angular_velocity, copy.angular_velocity)


def test_slabs_of_one_parity_share_no_body_that_moves(monkeypatch):
    monkeypatch.setattr(layout, "CONTACTS_PER_SLAB", 30)
    model, state = build_model(PileScene(n=400).build())
    stepper = Grains(model, theta=1.0, tolerance=1e-3)
    for _ in range(60):
        stepper.step(state, 5e-3)
    contacts = stepper.detector.detect(state, 5e-3)
    free = np.zeros((len(model.mass), 6))
    problem = grains.GrainProblem(
        contacts, state.position, np.ones((1, 3)), np.ones((1, 3), bool), stepper.inverse_mass, np.ones(len(free)), free, 1.0,
        threads=2,
    )  # fmt: skip
    slabs = len(problem.start) - 1
    assert slabs >= 4
    assert np.array_equal(np.sort(problem.order[problem.order >= 0]), np.arange(len(contacts)))
    assert problem.share[0, 0] == 0
    assert problem.share[0, -1] == problem.share[1, 0] == slabs // 2
    assert problem.share[1, -1] == slabs
    for parity in range(2):
        seen: set[int] = set()
        for t in range(parity * slabs // 2, (parity + 1) * slabs // 2):
            bodies = problem.body[problem.start[t] : problem.start[t + 1]].ravel()
            here = set(bodies[problem.v_free[bodies, contact_kernels.PER_MASS] > 0.0].tolist())
            assert here
            # of the rows that all fixed bodies are, every slab has its own
            assert set(bodies.tolist()) - here <= {len(free) + t}
            assert not here & seen
            seen |= here


@pytest.mark.parametrize(("ratio", "formulation"), [(False, "exact"), (True, "exact"), (False, "relaxed")])
def test_grains_on_fixed_boxes_and_spheres_follow_the_equations_of_general_bodies(ratio, formulation):
    scene, rng = Scene(), np.random.default_rng(1)
    for k in range(18):
        layer, rest = divmod(k, 9)
        place = np.array([*np.divmod(rest, 3), layer]) * 0.11 + (0, 0, 0.12) + rng.uniform(-0.003, 0.003, 3)
        scene.add(Sphere(radius=0.05), density=2000.0, position=place, surface="a")
    scene.add(Box(size=(2.0, 2.0, 0.1)), fixed=True, position=(0, 0, -0.0501), surface="a")
    scene.add(Sphere(radius=0.3), fixed=True, position=(0.1, 0.1, -0.26), surface="a")
    size = 1.0 if ratio else 0.05
    scene.surface("a", "a", law=laws.SlideRollSpin(mu=0.5, mu_r=0.1 * size, mu_s=0.04 * size), ratio=ratio)
    model, state = build_model(scene)
    # sweeps over the general form of the relaxed problem converge slowly
    tolerance = 1e-10 if formulation == "exact" else 1e-7
    other = state.copy()
    fast, general = (
        kind(model, theta=1.0, tolerance=tolerance, formulation=formulation) for kind in (Grains, MoreauJean)
    )
    for _ in range(80):
        report = fast.step(state, 2e-3)
        general.step(other, 2e-3)
    assert len(report.contacts) > 8
    np.testing.assert_allclose(state.position, other.position, atol=1e2 * tolerance)
