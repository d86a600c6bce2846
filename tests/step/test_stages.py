"""The compiled stages of a step against the contact problem that they solve, written down once more in other code."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws
from trundle.contact.rigid import RigidProblem
from trundle.scene.joints import JointArrays
from trundle.scene.model import build_model
from trundle.solve.kernels.held import factorise, substitute
from trundle.step import staged
from trundle.step.kernels import places, solution
from trundle.step.kernels.joints import place_joints
from trundle.step.moreau_jean import MoreauJean
from trundle.step.workspace import held_rows

G, H = 9.81, 5e-3
DISKS = laws.SlideRollSpin(0.4, 0.01, 0.005)
ELLIPSE = laws.Superellipse(0.2, 0.5, q=1.7, k=2.0) * laws.Roll(0.01)
ALONG = {"axis": (1, 0, 0), "axis_of": "ground"}
# of pairs of bodies and of the ground; only laws made of disks are visited in lanes
LAWS = {
    "coulomb": ({"law": laws.Coulomb(0.4)}, {"law": laws.Coulomb(0.6)}),
    "disks": ({"law": DISKS}, {"law": DISKS}),
    "ratio": ({"law": laws.SlideRollSpin(0.4, 0.1, 0.05), "ratio": True}, {"law": DISKS}),
    "contensou": ({"law": laws.Contensou(0.4, patch_radius=0.01)}, {"law": laws.Contensou(0.3, patch_radius=0.02)}),
    "superellipse": ({"law": ELLIPSE, **ALONG}, {"law": ELLIPSE, **ALONG}),
    "both kinds": ({"law": DISKS}, {"law": laws.Contensou(0.3, patch_radius=0.02) * laws.Roll(0.01)}),
}


def heap(pairs, ground, joints=False, compliant=False, count=7):
    """Spheres and boxes that fall onto each other and onto the ground; some on joints, one of them driven."""
    scene, rng = trundle.Scene(gravity=(0, 0, -G)), np.random.default_rng(3)
    scene.add(trundle.HalfSpace(), name="ground", fixed=True, surface="soil")
    for i in range(count):
        where = (0.101 * (i % 3), 0.005 * rng.random(), 0.051 + 0.101 * (i // 3))
        shape = trundle.Box((0.1, 0.09, 0.098)) if i == 4 else trundle.Sphere(0.05 if i % 2 else 0.045)
        scene.add(
            shape, name=f"b{i}", mass=1.0 + i, position=where, velocity=0.3 * rng.normal(size=3),
            angular_velocity=rng.normal(size=3), surface="flat" if i == 4 else "rock",
        )  # fmt: skip
    more = {"stiffness": (1e5, 5e4, 10.0, 10.0)} if compliant else {}
    scene.surface("rock", "rock", **pairs, **more)
    scene.surface("soil", "rock", **ground, **more)
    for other in ("soil", "rock", "flat"):
        scene.surface("flat", other, law=laws.Coulomb(0.3), **({"stiffness": (1e5, 5e4)} if compliant else {}))
    if joints:
        scene.joint("hinge", "b3", "b5", position=(0.05, 0, 0.2), axis=(0, 1, 0), motor=2.0, max_force=0.5)
        scene.joint("slider", "b6", position=(0.2, 0, 0.2), axis=(0, 0, 1), friction=1.0)
        scene.joint("ball", "b0", "b3", position=(0, 0, 0.1))
        scene.joint("hinge", "b1", position=(0.1, 0, 0.2), axis=(1, 0, 0), motor=-0.7)  # as strong as it takes
    return scene


def stepper_of(scene, **options):
    model, state = build_model(scene)
    return MoreauJean(model, **{"theta": 0.5, "tolerance": 1e-9, **options}), state


def judged(stepper, rows):
    """Residual that the stages find at impulses (N, 6), in the problem of the last step."""
    space = stepper.space
    place_joints(  # at the end of the step they were placed where the bodies are then
        *(space[name] for name in ("joint_body", "joint_anchor", "joint_axes", "joint_distance", "middle", "turned")),
        space["joint_frame"], space["joint_point"],
    )  # fmt: skip
    space["impulse"][: len(rows)] = rows
    stepper._run([solution.judge])
    return float(stepper.space["results"][places.RESIDUAL])


@pytest.mark.parametrize("joints", [False, True], ids=["free", "joints"])
@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant"])
@pytest.mark.parametrize("law", LAWS)
def test_stages_have_the_residual_of_the_problem(law, formulation, joints):
    scene = heap(*LAWS[law], joints, formulation == "compliant")
    stepper, state = stepper_of(scene, formulation=formulation, tolerance=1e-6)
    stepper.advance_all(state, H, 12)
    report, inputs = stepper.report(), stepper._inputs()
    assert report.solution.converged
    assert len(report.contacts) > 4
    assert report.joints == 4 * joints
    groups, listed = (int(stepper.space["numbers"][k]) for k in (places.GROUPS, places.LISTED_COUNT))
    assert bool(groups) == (formulation != "compliant")  # at least the box is in lanes
    assert bool(listed) == (joints or formulation == "compliant" or law in ("contensou", "superellipse", "both kinds"))
    rigid, (problem, rows) = RigidProblem(*inputs), report.problem
    assert problem.formulation == formulation
    p = rigid.from_rows(stepper.space["impulse"][: len(rigid)])
    # velocities are sums of some dozen products, rounded relative to those without contacts
    close = {"rel": 1e-9, "abs": 1e-13}
    assert rigid.residual(p, rigid.body_velocity(p)) == pytest.approx(report.solution.residual, **close)
    assert problem.residual(rows) == pytest.approx(report.solution.residual, **close)
    assert rigid.body_velocity(p) == pytest.approx(report.solution.v, abs=1e-12)
    rng = np.random.default_rng(1)
    for size in (0.0, 1e-3, 1.0):  # also far from a solution
        p = np.where(rigid.uses.ravel(), size * rng.normal(size=rigid.uses.size), 0.0)
        mine = judged(stepper, rigid.keep(p))
        assert mine == pytest.approx(rigid.residual(p, rigid.body_velocity(p)), rel=1e-12, abs=1e-13)
        assert mine == pytest.approx(problem.residual(rigid.to_problem_rows(p)), rel=1e-12, abs=1e-13)


# --- lanes and lists ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("joints", [False, True], ids=["free", "joints"])
@pytest.mark.parametrize("formulation", ["exact", "relaxed"])
@pytest.mark.parametrize("law", ["coulomb", "disks", "ratio"])
def test_lanes_and_lists_have_the_same_fixed_point(law, formulation, joints, monkeypatch):
    # a scene that is all lists: the same laws, visited one by one
    model, state = build_model(heap(*LAWS[law], joints))
    options = {"theta": 0.5, "tolerance": 1e-12, "formulation": formulation}
    lanes = MoreauJean(model, **options)
    listed = all_listed(model, options, monkeypatch)
    other = state.copy()
    for _ in range(12):
        one, two = lanes.step(state, H), listed.step(other, H)
        assert len(one.contacts) == len(two.contacts)
        assert one.solution.converged
        assert two.solution.converged
        assert two.solution.residual == pytest.approx(one.solution.residual, abs=1e-9)
        np.testing.assert_allclose(two.solution.v, one.solution.v, atol=1e-9)
        # the same start for the next step: what differs is only how it is solved
        for name in ("position", "orientation", "velocity", "angular_velocity"):
            getattr(other, name)[:] = getattr(state, name)
        listed.recall(lanes.memory())
    assert len(one.contacts) > 4
    assert lanes.space["numbers"][places.GROUPS] > 0
    assert listed.space["numbers"][places.GROUPS] == 0
    # and what one of them found is a solution for the other
    rows = lanes.space["impulse"][: one.joints + len(one.contacts)].copy()
    assert judged(listed, rows) == pytest.approx(one.solution.residual, abs=1e-12)


def all_listed(model, options, monkeypatch):
    """A stepper that visits all contacts one by one."""

    def make_space(*given):
        space = make(*given)
        space["in_lanes"][:] = False
        return space

    with monkeypatch.context() as patch:
        make = staged.make_space
        patch.setattr(staged, "make_space", make_space)
        return MoreauJean(model, **options)


# --- rows that joints hold ------------------------------------------------------------------------------------------


def chain(links=30):
    """Bars of 0.1 m on hinges, level, with one end held: it falls and swings."""
    scene = trundle.Scene(gravity=(0, 0, -G))
    for i in range(links):
        scene.add(trundle.Box((0.1, 0.02, 0.02)), name=f"l{i}", mass=0.1, position=(0.1 * i + 0.05, 0, 0))
        other = (f"l{i - 1}",) if i else ()
        scene.joint("hinge", f"l{i}", *other, position=(0.1 * i, 0, 0), axis=(0, 1, 0))
    scene.surface("default", "default", law=laws.Coulomb(0.3))
    return scene


def loop():
    """A parallelogram of three bars on four hinges with parallel axes: 20 rows, of which three depend on the others."""
    scene = trundle.Scene(gravity=(0, 0, -G))
    for name, place, turn in (("left", (0.1, 0, 0.1), np.pi / 8), ("right", (1.1, 0, 0.1), np.pi / 8)):
        scene.add(
            trundle.Box((0.02, 0.02, 0.2828)), name=name, mass=0.5, position=place,
            orientation=(np.cos(turn), 0, np.sin(turn), 0),
        )  # fmt: skip
    scene.add(trundle.Box((1.0, 0.02, 0.02)), name="top", mass=1.0, position=(0.7, 0, 0.2))
    scene.joint("hinge", "left", position=(0, 0, 0), axis=(0, 1, 0))
    scene.joint("hinge", "right", position=(1, 0, 0), axis=(0, 1, 0))
    scene.joint("hinge", "left", "top", position=(0.2, 0, 0.2), axis=(0, 1, 0))
    scene.joint("hinge", "right", "top", position=(1.2, 0, 0.2), axis=(0, 1, 0))
    scene.surface("default", "default", law=laws.Coulomb(0.3))
    return scene


def apart(model, state):
    """Distances of the two points of every joint [m]."""
    first, second = (
        state.position[b] + Rotation.from_quat(state.orientation[b], scalar_first=True).apply(x)
        for b, x in zip(model.joints.body.T, model.joints.anchor.transpose(1, 0, 2), strict=True)
    )
    return np.linalg.norm(second - first, axis=1)


@pytest.mark.parametrize(("build", "h"), [(chain, 1e-3), (loop, 1e-3), (loop, 5e-3)])
def test_chains_and_closed_loops_keep_their_joints(build, h):
    stepper, state = stepper_of(build(), tolerance=1e-10)
    worst = 0.0
    for _ in range(round(0.5 / h)):
        rows = stepper.advance(state, h, 1)
        assert rows["converged"].all()
        worst = max(worst, apart(stepper.model, state).max())
    assert worst < 1e-10
    assert np.abs(state.velocity).max() > 0.5  # it does move


def test_a_closed_loop_moves_as_its_one_degree_of_freedom_demands():
    # the top bar only shifts: (m_top l^2 + 2 (m l^2 / 4 + I)) a'' = (m_top l + 2 m l / 2) g sin(a), a from the vertical
    l = 0.2 * np.sqrt(2)
    inertia = 0.5 * (0.2828**2 + 0.02**2) / 12
    total = 1.0 * l**2 + 2 * (0.5 * l**2 / 4 + inertia)
    exact = solve_ivp(
        lambda t, y: [y[1], (1.0 * l + 0.5 * l) * G * np.sin(y[0]) / total], (0, 0.5), [np.pi / 4, 0.0], rtol=1e-11, atol=1e-12
    ).y[0, -1]  # fmt: skip
    errors = []
    for h in (2e-3, 1e-3):
        stepper, state = stepper_of(loop(), tolerance=1e-12)
        stepper.advance_all(state, h, round(0.5 / h))
        top = state.position[stepper.model.number_of["top"]] - (0.5, 0, 0)
        errors.append(abs(np.arctan2(top[0], top[2]) - exact))
        assert np.abs(state.angular_velocity[stepper.model.number_of["top"]]).max() < 1e-8
    errors = np.abs((np.array(errors) + np.pi) % (2 * np.pi) - np.pi)
    assert errors[1] < 100 * 1e-3**2
    assert errors[0] / errors[1] == pytest.approx(4.0, abs=0.5)  # the midpoint rule is of second order


def random_joints(rng, bodies, pairs, rows):
    """Joints with random axes and arms: arrays of `factorise`, and the dense matrix of the held rows."""
    n = len(pairs)
    held = np.zeros((n, 6), bool)
    held[:, :rows] = True
    joints = JointArrays(
        body=np.array(pairs), anchor=np.zeros((n, 2, 3)), frame=np.zeros((n, 2, 3, 3)), held=held, driven=np.full(n, -1),
        speed=np.zeros(n), limit=np.full(n, np.inf), length=np.zeros(n), motor=np.zeros(n, bool), collide=np.zeros(n, bool),
        sign=np.ones(n), owner=np.arange(n), role=np.zeros(n, np.int64), stiffness=np.zeros(n), damping=np.zeros(n),
        rest=np.zeros(n), restitution=np.zeros(n), turned=np.zeros(n, bool),
    )  # fmt: skip
    inverse_mass = np.append(rng.uniform(0.5, 2.0, bodies), 0.0)  # the last is fixed
    spread = rng.normal(size=(bodies + 1, 3, 3))
    J = spread @ spread.transpose(0, 2, 1) + np.eye(3)
    J[-1] = 0.0
    axes = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]
    frame, arm = np.concatenate([axes, axes], axis=1), rng.normal(size=(n, 2, 3))
    order, first = held_rows(joints, inverse_mass > 0.0)
    A = np.zeros((len(order), 6 * (bodies + 1)))
    for i, (c, row) in enumerate(order):
        for side, sign in ((0, -1.0), (1, 1.0)):
            b, x = pairs[c][side], frame[c, row]
            if row < 3:
                A[i, 6 * b : 6 * b + 3] += sign * x
            A[i, 6 * b + 3 : 6 * b + 6] += sign * (np.cross(arm[c, side], x) if row < 3 else x)
    M = np.zeros((6 * (bodies + 1),) * 2)
    for b in range(bodies + 1):
        M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = inverse_mass[b] * np.eye(3)
        M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = J[b]
    return (order, first, np.array(pairs), frame, arm, inverse_mass, J, np.zeros((len(pairs), 6))), A @ M @ A.T


def factor_of(arrays):
    order, first = arrays[:2]
    m = len(order)
    factor, diagonal = np.zeros(int(np.sum(np.arange(m) - first + 1)) + m), np.zeros(m)
    factorise(*arrays, factor, diagonal)
    return factor, diagonal


GRAPHS = {
    "one": [(0, 3)],
    "chain": [(i, i + 1) for i in range(12)],  # the last is fixed
    "tree": [(12, 0), (0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6), (7, 3), (8, 3), (9, 8), (10, 11)],
    "loops": [(i, (i + 1) % 8) for i in range(8)] + [(0, 4), (8, 12), (9, 8), (10, 9), (10, 11), (11, 12)],
}


@pytest.mark.parametrize("graph", GRAPHS)
def test_the_factor_of_held_rows_is_that_of_the_dense_matrix(graph):
    rng, pairs = np.random.default_rng(5), GRAPHS[graph]
    arrays, W = random_joints(rng, 3 if graph == "one" else 12, pairs, rows=3)
    factor, diagonal = factor_of(arrays)
    assert diagonal == pytest.approx(np.diag(W), rel=1e-13)
    right = rng.normal(size=len(W))
    x = right.copy()
    substitute(arrays[1], factor, x)
    expected = np.linalg.solve(W, right)
    assert x == pytest.approx(expected, abs=1e-14 * np.linalg.cond(W) * np.abs(expected).max())


def test_a_chain_has_a_factor_that_is_hardly_larger_than_its_matrix():
    arrays, W = random_joints(np.random.default_rng(5), 12, GRAPHS["chain"], rows=5)
    assert len(factor_of(arrays)[0]) <= np.count_nonzero(np.tril(W)) + 2 * 5 * len(GRAPHS["chain"]) * 5


def test_rows_that_depend_on_others_carry_nothing_and_the_others_are_solved():
    # two bodies joined twice by all six rows, with the same arms: the second joint says nothing new
    rng = np.random.default_rng(6)
    arrays, _ = random_joints(rng, 3, [(0, 1), (0, 1), (1, 3)], rows=6)
    order, _, _, frame, arm = arrays[:5]
    frame[1], arm[1] = frame[0], arm[0]
    factor, _ = factor_of(arrays)
    once = arrays_without(arrays, 1)
    factor_once, _ = factor_of(once)
    right = rng.normal(size=(3, 6))
    right[1] = right[0]
    x = np.array([right[c, row] for c, row in order])
    substitute(arrays[1], factor, x)
    y = np.array([right[2 * c, row] for c, row in once[0]])
    substitute(once[1], factor_once, y)
    assert np.count_nonzero(x == 0.0) == 6
    total = np.zeros((3, 6))
    np.add.at(total, (order[:, 0], order[:, 1]), x)
    total[0] += total[1]
    expected = np.zeros((3, 6))
    np.add.at(expected, (2 * once[0][:, 0], once[0][:, 1]), y)
    assert total[[0, 2]] == pytest.approx(expected[[0, 2]], rel=1e-9, abs=1e-9)


def arrays_without(arrays, joint):
    """The same without one of three joints."""
    order, _, link, frame, arm, inverse_mass, J, E = arrays
    keep = np.arange(len(link)) != joint
    kept = order[order[:, 0] != joint].copy()
    kept[:, 0] -= kept[:, 0] > joint
    return kept, np.zeros(len(kept), np.int64), link[keep], frame[keep], arm[keep], inverse_mass, J, E[keep]


# --- contacts that close because of others --------------------------------------------------------------------------


def test_a_ball_that_another_hits_is_not_pushed_into_the_floor():
    scene, R = trundle.Scene(), 0.0225
    scene.add(trundle.HalfSpace(), name="floor", fixed=True, surface="f")
    scene.add(trundle.Sphere(radius=R), name="a", density=2000.0, position=(0, 0, R + 0.004), surface="g")
    scene.add(
        trundle.Sphere(radius=R), name="b", density=2000.0, position=(0, 0, 3 * R + 0.0045), velocity=(0, 0, -4.0),
        surface="g",
    )  # fmt: skip
    for pair in (("f", "g"), ("g", "g")):
        scene.surface(*pair, law=laws.SlideRollSpin(mu=0.6, mu_r=0.001, mu_s=0.001))
    depth = trundle.simulate(scene, 0.5, 5e-3, theta=1.0).position("a")[:, 2] - R
    assert depth.min() > -0.01 * R


# --- the same bits --------------------------------------------------------------------------------------------------


def assert_same(one, other):
    for name in ("position", "orientation", "velocity", "angular_velocity"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.time == other.time


@pytest.mark.parametrize(
    ("law", "joints", "options"),
    [
        ("disks", False, {}),
        ("both kinds", True, {}),
        ("superellipse", False, {"formulation": "relaxed", "tolerance": 1e-5}),
        ("disks", True, {"formulation": "compliant"}),
        ("contensou", False, {"scheme": "moreau-midpoint"}),
    ],
)  # fmt: skip
def test_steps_have_the_same_bits_however_they_are_divided(law, joints, options):
    scene = heap(*LAWS[law], joints, options.get("formulation") == "compliant")
    whole, state = stepper_of(scene, **options)
    start = state.copy()
    rows = whole.advance_all(state, H, 30)
    assert rows["contacts"].max() > 4
    singly, other = stepper_of(scene, **options)[0], start.copy()
    found = [singly.advance(other, H, 1) for _ in range(30)]
    assert all(len(row) == 1 for row in found)
    assert np.array_equal(np.concatenate(found), rows)
    assert_same(state, other)
    # and by another stepper that goes on from what the first remembers
    first, third = stepper_of(scene, **options)[0], start.copy()
    before = first.advance_all(third, H, 13)
    memory = {name: value.copy() for name, value in first.memory().items()}
    second = stepper_of(scene, **options)[0]
    second.recall(memory)
    after = second.advance_all(third, H, 17)
    assert np.array_equal(np.concatenate([before, after]), rows)
    assert_same(state, third)
    for name, value in whole.memory().items():
        assert np.array_equal(value, second.memory()[name], equal_nan=value.dtype == float), name
