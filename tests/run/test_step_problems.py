"""The contact problems of steps: for every solver, kept, saved, and read back."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import trundle
from trundle import laws
from trundle.contact.rigid import RigidProblem
from trundle.errors import ProblemError, RecordingError, SceneError, SimulationError
from trundle.run.problems import row_condition
from trundle.scene.model import build_model
from trundle.solve import SOLVERS, Solver
from trundle.solve.gauss_seidel import GaussSeidel
from trundle.step.moreau_jean import MoreauJean
from trundle.step.report import STEP_TYPE

EPS = np.finfo(float).eps
ROUNDING = 1000 * EPS  # of velocities that are summed in another order, relative to the free ones
G = 9.81
LAWS = {
    "coulomb": {"law": laws.Coulomb(0.4)},
    "rolling": {"law": laws.Rolling(0.4, 0.01)},
    "all": {"law": laws.SlideRollSpin(0.4, 0.01, 0.005)},
    "contensou": {"law": laws.Contensou(0.4, patch_radius=0.01)},
    "product": {
        "law": laws.Superellipse(0.2, 0.5, q=1.7, k=2.0) * laws.Roll(0.01),
        "axis": (1, 0, 0),
        "axis_of": "ground",
    },
    "ratio": {"law": laws.SlideRollSpin(0.4, 0.1, 0.05), "ratio": True},
}


def heap(surface: dict, joints: bool = False) -> trundle.Scene:
    """Six spheres of two sizes that fall onto each other and the ground, two of them on joints."""
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    rng = np.random.default_rng(3)
    for i in range(6):
        where = (0.101 * (i % 3), 0.005 * rng.random(), 0.051 + 0.101 * (i // 3))
        scene.add(
            trundle.Sphere(0.05 if i % 2 else 0.045), name=f"b{i}", mass=1.0 + i, position=where,
            velocity=0.3 * rng.normal(size=3), angular_velocity=rng.normal(size=3), surface="rock",
        )  # fmt: skip
    scene.surface("soil", "rock", **surface)
    scene.surface("rock", "rock", **surface)
    if joints:
        scene.joint("hinge", "b3", "b4", position=(0.05, 0, 0.2), axis=(0, 1, 0), motor=2.0, max_force=0.5)
        scene.joint("slider", "b5", position=(0.2, 0, 0.2), axis=(0, 0, 1), friction=1.0)
        scene.joint("ball", "b0", "b3", position=(0, 0, 0.1))
    return scene


def problems_of(scene, steps=30, **options):
    """Problems, guesses and solutions p' of steps."""
    model, state = build_model(scene)
    stepper = MoreauJean(model, **{"theta": 1.0, "tolerance": 1e-9, **options})
    found = []
    for _ in range(steps):
        report = stepper.step(state, 5e-3)
        found.append((report.problem, report.solution))
    return found


@pytest.mark.parametrize("joints", [False, True])
@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant"])
@pytest.mark.parametrize("law", LAWS)
def test_the_problem_of_a_step_has_the_steps_own_residual(law, formulation, joints, monkeypatch):
    surface = dict(LAWS[law])
    if formulation == "compliant":
        surface["stiffness"] = (1e5, 5e4, 10.0, 10.0)
    made, init = [], RigidProblem.__post_init__
    monkeypatch.setattr(RigidProblem, "__post_init__", lambda self: (init(self), made.append(self))[0])
    problems_of(heap(surface, joints), steps=12, formulation=formulation, tolerance=1e-6)
    rng = np.random.default_rng(1)
    step = max(made, key=len)
    problem = step.to_problem()
    assert problem.formulation == formulation
    assert len(step) - step.joints == problem.contact_count > 4
    for size in (0.0, 1e-3, 1.0):  # also far from a solution
        p = np.where(step.uses.ravel(), size * rng.normal(size=step.uses.size), 0.0)
        there = step.to_problem_rows(p)
        assert np.array_equal(step.from_problem_rows(there) == 0.0, p == 0.0)
        assert step.from_problem_rows(there) == pytest.approx(p, rel=4 * EPS)
        mine = step.residual(p, step.body_velocity(p))
        # sums of some dozen products of impulses that are not small against q
        assert problem.residual(there) == pytest.approx(mine, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_takes_time_steps(name):
    scene, options = heap(LAWS["rolling"], joints=True), {"theta": 1.0, "tolerance": 1e-7}
    formulation = "exact" if "exact" in SOLVERS[name].formulations else SOLVERS[name].formulations[0]
    expected = trundle.simulate(scene, 0.1, 5e-3, formulation=formulation, **options)
    run = trundle.simulate(scene, 0.1, 5e-3, formulation=formulation, solver=SOLVERS[name](), **options)
    if not np.all(run.steps["converged"]):  # plain methods take too many sweeps for some of these steps
        assert name in ("extragradient", "fixed-point", "tasora-anitescu", "le-saux", "accelerated-gradient", "admm")
        assert any("missed the tolerance" in text for text in run.warnings)
    else:
        assert run.final.velocity == pytest.approx(expected.final.velocity, abs=1e-4)


@dataclasses.dataclass(frozen=True)
class Mine(Solver):
    """A user's solver: Gauss-Seidel under another name."""

    name = "mine"

    def run(self, problem, p, monitor):
        GaussSeidel().run(problem, p, monitor)


def test_a_users_own_solver_takes_time_steps_and_resumes(tmp_path):
    from test_run import assert_same_file, stop_after

    scene, options = heap(LAWS["rolling"]), {"theta": 1.0, "tolerance": 1e-7, "solver": Mine()}
    trundle.simulate(scene, 0.05, 5e-3, **options, record=tmp_path / "whole.h5")
    with pytest.warns(trundle.TrundleWarning, match="interrupted"):
        trundle.simulate(scene, 0.05, 5e-3, **options, record=tmp_path / "parts.h5", progress=stop_after(4))
    with pytest.raises(RecordingError, match="a solver of your own, Mine"):
        trundle.resume(tmp_path / "parts.h5")
    trundle.resume(tmp_path / "parts.h5", solver=Mine())
    assert_same_file(tmp_path / "whole.h5", tmp_path / "parts.h5")


def test_solvers_that_cannot_do_it_say_so_before_the_run():
    scene = heap(LAWS["rolling"])
    with pytest.raises(SceneError, match="cannot honour formulation = 'relaxed', only exact"):
        trundle.simulate(scene, 0.1, 5e-3, solver="le-saux", formulation="relaxed")
    with pytest.raises(SceneError, match="unknown solver 'newtn'.*Did you mean 'newton'"):
        trundle.simulate(scene, 0.1, 5e-3, solver="newtn")
    with pytest.raises(SceneError, match="formulation = 'history' solves no contact problem"):
        trundle.simulate(scene, 0.1, 5e-3, solver="newton", formulation="history")


def check_residual(run, k):
    problem, p = run.problem(k), run.impulses(k)
    assert problem.residual(p) == pytest.approx(run.steps[k]["residual"], rel=1e-9, abs=ROUNDING)


def test_the_last_problem_is_always_there_and_others_if_they_are_asked_for():
    scene, options = heap(LAWS["all"]), {"theta": 1.0, "tolerance": 1e-9}
    run = trundle.simulate(scene, 0.2, 5e-3, **options)
    check_residual(run, -1)
    assert run.problem().contact_count == run.steps[-1]["contacts"]
    with pytest.raises(SimulationError, match=r"of step 3 was not kept; kept are: none"):
        run.problem(3)
    run = trundle.simulate(scene, 0.2, 5e-3, **options, keep_problems="contacts >= 6")
    assert run.problems == np.flatnonzero(run.steps["contacts"] >= 6).tolist() != []
    for k in run.problems:
        check_residual(run, k)
    with pytest.raises(SceneError, match="unknown column 'contact'"):
        trundle.simulate(scene, 0.2, 5e-3, keep_problems="contact > 3")


def test_the_last_problem_of_one_body_is_there_too():
    scene = trundle.Scene(gravity=(0, 0, -G))
    scene.add(trundle.Box((0.3, 0.2, 0.1)), name="box", mass=3.0, position=(0, 0, 0.05), velocity=(0.8, 0.3, 0))
    scene.add(trundle.HalfSpace(), name="ground", fixed=True)
    scene.surface("default", "default", law=laws.Coulomb(0.3))
    run = trundle.simulate(scene, 0.1, 2e-3, every=1000)
    assert run.problem(-1).contact_count == 4
    assert run.problem(-1).residual(run.impulses(-1)) <= 1e-8


def test_saved_problems_read_back_with_the_same_residual(tmp_path):
    from trundle.contact.fclib import read_solution

    scene, folder = heap(LAWS["rolling"]), tmp_path / "hard"
    run = trundle.simulate(
        scene, 0.1, 5e-3, theta=1.0, tolerance=1e-9, save_problems=folder, keep_problems="contacts > 5 and time > 0.05"
    )  # fmt: skip
    kept = np.flatnonzero((run.steps["contacts"] > 5) & (run.steps["time"] > 0.05))
    assert sorted(file.name for file in folder.iterdir()) == [f"step-{k:06d}.hdf5" for k in kept]
    for k in kept:
        problem = trundle.load_problem(folder / f"step-{k:06d}.hdf5")
        p = read_solution(folder / f"step-{k:06d}.hdf5")["r"]
        # other sums of the same numbers
        assert problem.residual(p) == pytest.approx(run.steps[k]["residual"], rel=1e-9, abs=ROUNDING)
        assert trundle.solve(problem, tolerance=1e-9).converged


def test_problems_with_joints_are_saved_with_their_residual(tmp_path):
    from trundle.contact.fclib import read_solution

    scene = heap(LAWS["coulomb"])
    scene.joint("hinge", "b3", "b4", position=(0.05, 0, 0.2), axis=(0, 1, 0))
    run = trundle.simulate(scene, 0.05, 5e-3, theta=1.0, tolerance=1e-9, save_problems=tmp_path / "all")
    for k in range(len(run.steps)):
        file = tmp_path / "all" / f"step-{k:06d}.hdf5"
        if run.steps[k]["contacts"]:
            found = read_solution(file)
            p, problem = np.concatenate([found["r"], found["l"]]), trundle.load_problem(file)
            assert problem.residual(p) == pytest.approx(run.steps[k]["residual"], rel=1e-9, abs=ROUNDING)


def test_what_fclib_cannot_hold_is_said_before_the_run(tmp_path):
    with pytest.raises(ProblemError, match="no place for the law Contensou"):
        trundle.simulate(heap(LAWS["contensou"]), 0.1, 5e-3, save_problems=tmp_path / "x")
    with pytest.raises(SceneError, match="no place for formulation = 'relaxed'"):
        trundle.simulate(heap(LAWS["rolling"]), 0.1, 5e-3, save_problems=tmp_path / "x", formulation="relaxed")
    assert not (tmp_path / "x").exists()


ROW = np.zeros((), STEP_TYPE)
ROW["time"], ROW["contacts"], ROW["iterations"], ROW["residual"], ROW["converged"] = 0.5, 12, 1500, 1e-6, False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("iterations > 1000", True), ("iterations > 1000 and contacts < 10", False), ("not converged", True),
        ("converged or residual >= 1e-6", True), ("0.1 < time < 0.6", True), ("iterations / contacts > 200", False),
        ("-contacts + 2 * 6 == 0", True), ("iterations / (contacts - 12) > 1", False),
    ],
)  # fmt: skip
def test_conditions_on_steps_mean_what_they_say(text, expected):
    assert row_condition(text)(ROW) is expected


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')", "iterations.__class__", "[c for c in (1,)]", "lambda: 1", "iterations >", "'a' > 1",
        "contacts ** 9999999", "steps[0]", "iteration > 3", "1 if converged else 0", "f'{time}'", "time @ time", "", "(" * 500,
        "not " * 200 + "converged", "x" * 5000, "contacts > 1j", "contacts in (1, 2)", "None", "time := 3",
    ],
)  # fmt: skip
def test_nothing_but_conditions_is_understood(text):
    with pytest.raises(SceneError, match="condition"):
        row_condition(text)
