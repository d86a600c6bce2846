"""Bodies in bowls, loops, drums, tubes and bearings against energy, statics and own equations of motion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import trundle
from trundle import laws

g = 9.81
ON_SIDE = (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)  # the axis of a wall along -y


def scene_of(wall, body, law, restitution=0.0, wall_with=None, gravity=(0, 0, -g), **given):
    scene = trundle.Scene(gravity=gravity)
    scene.add(wall, name="wall", surface="w", **({"fixed": True} if wall_with is None else wall_with))
    scene.add(body, name="b", surface="b", **{"mass": 1.0, **given})
    scene.surface("b", "w", law=law, restitution=restitution)
    return scene


def energy(run, lowest):
    """Kinetic and potential energy above that of rest at the lowest point."""
    return run.energy["kinetic"] + run.energy["potential"] + g * lowest


R, r = 0.5, 0.05
STARTS = {
    "slides from rest": (0.0, 1.2, 0.0, 0.0),
    "slides through the bottom": (0.0, 0.0, 2.0, 0.0),
    "rolls from rest": (5.0, 1.2, 0.0, 0.0),
    "rolls through the bottom": (5.0, 0.0, 1.8, 0.0),
    "rolls around": (5.0, 0.6, 0.0, 1.2),
}


@pytest.mark.parametrize("restitution", [0.0, 0.5])
@pytest.mark.parametrize("name", list(STARTS))
def test_a_ball_in_a_bowl_keeps_its_energy(name, restitution):
    mu, angle, along, across = STARTS[name]
    out = np.array([math.sin(angle), 0, -math.cos(angle)])
    v = np.array([along, across, 0.0])
    scene = scene_of(
        trundle.SphereInside(R), trundle.Sphere(r), laws.Coulomb(mu=mu), restitution, position=(R - r) * out, velocity=v,
        angular_velocity=np.cross(-out, v) / r if mu else (0, 0, 0),
    )  # fmt: skip
    run = trundle.simulate(scene, 20.0, 1e-3, every=10**9)
    E = energy(run, R - r)
    assert np.abs(E / E[0] - 1.0).max() < 1e-6
    assert run.energy["impact"].max() < 1e-15
    assert not run.warnings


WALLS = {
    "cylinder": trundle.CylinderInside(1.0, 1.0),
    "tube": trundle.TorusInside(0.8, 0.2),
    "outer race": trundle.TorusInside(0.8, 0.2, arc=(-1.5, 1.5)),
}


@pytest.mark.parametrize("wall", list(WALLS))
@pytest.mark.parametrize("rolls", [False, True])
@pytest.mark.parametrize("factor", [1.001, 0.999])
def test_a_ball_passes_a_loop_above_its_critical_speed_only(wall, rolls, factor):
    """v^2 = g (R - r) at the top; at the bottom 5 and, rolling, 27/7 times that."""
    way, r = 0.9, 0.1
    v = factor * math.sqrt((27 / 7 if rolls else 5) * g * way)
    scene = scene_of(
        WALLS[wall], trundle.Sphere(r), laws.Coulomb(mu=50.0 if rolls else 0.0),
        wall_with={"fixed": True, "orientation": ON_SIDE},
        position=(0, 0, -way), velocity=(v, 0, 0), angular_velocity=(0, v / r if rolls else 0, 0),
    )  # fmt: skip
    sim = trundle.Simulation(scene, 1e-3)
    held = []
    while sim.state.position("b")[0] > -0.3 or sim.state.position("b")[2] < 0.0:  # until it is beyond the top
        sim.step()
        held.append(float(sim.contacts().impulse[:, 0].sum()))
    assert (min(held) > 0.0) == (factor > 1.0)


def test_a_ball_rolls_to_and_fro_in_a_bowl_as_its_equation_of_motion_says():
    """7/5 (R - r) angle'' = -g sin(angle): velocities are second order, so half the step leaves a quarter of the error."""
    way, angle, end = R - r, 1.0, 1.3
    exact = solve_ivp(
        lambda t, y: (y[1], -5 / 7 * g / way * math.sin(y[0])), (0, end), (angle, 0.0), rtol=1e-12, atol=1e-13
    ).y[0, -1]
    errors = []
    for h in (2e-3, 1e-3):
        scene = scene_of(
            trundle.SphereInside(R), trundle.Sphere(r), laws.Coulomb(mu=5.0),
            position=(way * math.sin(angle), 0, -way * math.cos(angle)),
        )  # fmt: skip
        x = trundle.simulate(scene, end, h, every=10**9).position("b")[-1]
        errors.append(abs(math.atan2(x[0], -x[2]) - exact))
    assert errors[1] < 1e-4
    assert 3.5 < errors[0] / errors[1] < 4.5


@pytest.mark.parametrize("shape", [trundle.Sphere(0.05), trundle.Cylinder(0.05, 0.1), trundle.Capsule(0.05, 0.1)])
def test_a_body_in_a_drum_stays_at_the_angle_of_rolling_friction(shape):
    """tan(angle) = mu_r / r, where the body turns in its place."""
    mu_r, speed = 0.004, 2.0
    angle = math.atan(mu_r / r)
    scene = scene_of(
        trundle.CylinderInside(R, 0.4), shape, laws.Rolling(mu=0.5, mu_r=mu_r),
        wall_with={"orientation": ON_SIDE, "motion": trundle.Steady(angular_velocity=(0, speed, 0))}, orientation=ON_SIDE,
        position=((R - r) * -math.sin(angle), 0, (R - r) * -math.cos(angle)), angular_velocity=(0, speed * R / r, 0),
    )  # fmt: skip
    run = trundle.simulate(scene, 5.0, 1e-3, every=10)
    x = run.position("b")
    assert np.abs(np.arctan2(-x[:, 0], -x[:, 2]) - angle).max() < 1e-9
    # what the drum gives is what rolling takes
    assert run.energy["rolling"].sum() == pytest.approx(run.energy["external"].sum(), rel=1e-9)


def test_a_ball_and_the_drum_on_its_axle_keep_their_energy():
    scene = scene_of(
        trundle.CylinderInside(R, 0.4), trundle.Sphere(r), laws.Coulomb(mu=5.0), wall_with={"mass": 3.0, "orientation": ON_SIDE},
        position=((R - r) * math.sin(1.0), 0, -(R - r) * math.cos(1.0)),
    )  # fmt: skip
    scene.joint("hinge", "wall", position=(0, 0, 0), axis=(0, 1, 0))
    run = trundle.simulate(scene, 5.0, 1e-3, every=50)
    E = energy(run, R - r)
    assert np.abs(E / E[0] - 1.0).max() < 1e-6
    # the ball pulls the drum along
    assert np.abs(run.angular_velocity("wall")).max() > 0.1


def test_a_ball_in_a_free_shell_keeps_momentum_and_energy():
    scene = scene_of(
        trundle.SphereInside(R), trundle.Sphere(r), laws.Coulomb(mu=5.0), wall_with={"mass": 2.0}, gravity=(0, 0, 0),
        position=(0, 0, -(R - r)), velocity=(1.0, 0, 0), angular_velocity=(0, 1.0 / r, 3.0),
    )  # fmt: skip
    run = trundle.simulate(scene, 5.0, 1e-3, every=50)
    momentum = 2.0 * run.velocity("wall") + run.velocity("b")
    assert np.abs(momentum - momentum[0]).max() < 1e-12
    J, j = 2.0 * 2 / 3 * R**2, 0.4 * r**2
    spin = J * run.angular_velocity("wall") + j * run.angular_velocity("b")
    spin += 2.0 * np.cross(run.position("wall"), run.velocity("wall")) + np.cross(run.position("b"), run.velocity("b"))
    assert np.abs(spin - spin[0]).max() < 1e-11
    E = run.energy["kinetic"]
    assert np.abs(E / E[0] - 1.0).max() < 1e-6


def disk_on_mirror(tilt, law, radius=0.05, mirror=0.5, **more):
    """A disk that rolls around in a concave mirror with its centre at rest on the mirror's axis.

    Its angular velocity points to the contact, -W sin(tilt) d; the torque of its weight about the centre turns its angular
    momentum: W^2 = 4 g / (r sin(tilt)), whatever the mirror's radius.
    """
    polar = math.asin(radius * math.cos(tilt) / mirror)
    low = mirror * np.array([math.sin(polar), 0, -math.cos(polar)])
    down = np.array([math.cos(tilt), 0, -math.sin(tilt)])  # from the centre to the contact
    return scene_of(
        trundle.SphereInside(mirror, angle=1.0), trundle.Disk(radius), law,
        wall_with={"fixed": True, "position": (0, 0, -mirror * (1 + math.cos(1.0)) / 2)}, position=low - radius * down,
        orientation=(math.cos(tilt / 2), 0, math.sin(tilt / 2), 0),
        angular_velocity=-math.sqrt(4 * g / (radius * math.sin(tilt))) * math.sin(tilt) * down, **more,
    )  # fmt: skip


@pytest.mark.parametrize("tilt", [0.3, 0.8])
def test_a_disk_that_rolls_around_in_a_concave_mirror_keeps_its_energy_and_its_place(tilt):
    errors = []
    for h in (1e-3, 5e-4):
        run = trundle.simulate(disk_on_mirror(tilt, laws.Coulomb(mu=5.0)), 2.0, h, every=10)
        E = energy(run, 0.5)
        errors.append(float(np.abs(E / E[0] - 1.0).max()))
        assert not run.warnings
    assert errors[0] < 1e-5
    assert errors[1] < errors[0] / 3.5 + 1e-9
    assert np.linalg.norm(run.position("b")[:, :2], axis=1).max() < 2e-4


def test_the_balls_of_a_bearing_carry_its_load_as_stribeck_says():
    """Q = Q_max cos(psi) for balls below the load, with linear springs and no clearance: Q_max = F / sum of cos^2."""
    balls, ring, ball, load = 11, 0.04, 0.01, 50.0
    scene = trundle.Scene(gravity=(0, 0, 0))
    scene.add(trundle.TorusInside(ring, 1.04 * ball, arc=(-1.2, 1.2)), name="outer", fixed=True, surface="steel",
              orientation=ON_SIDE, position=(0, 0, 0))  # fmt: skip
    scene.add(
        trundle.Cylinder(ring - ball + 0.04 * ball, 0.03), name="shaft", mass=1.0, surface="steel", orientation=ON_SIDE
    )
    psi = 2 * math.pi * np.arange(balls) / balls
    for k, at in enumerate(psi):
        place = (ring + 0.04 * ball) * np.array([math.sin(at), 0, -math.cos(at)])
        scene.add(trundle.Sphere(ball), name=f"ball{k}", mass=0.03, position=place, surface="steel")
    scene.surface("steel", "steel", law=laws.Coulomb(mu=0.3), stiffness=1e6)
    scene.load("shaft", force=(0, 0, -load))
    sim = trundle.Simulation(scene, 1e-3, formulation="compliant", tolerance=1e-12)
    sim.run(0.3)
    contacts = sim.contacts()
    force = {}
    for (a, b), p in zip(contacts.body, contacts.impulse[:, 0] / 1e-3, strict=True):
        if "outer" in (sim.names[a], sim.names[b]):
            force[sim.names[b] if sim.names[a] == "outer" else sim.names[a]] = p
    carried = np.maximum(np.cos(psi), 0.0)
    expected = load * carried / np.sum(carried**2)
    measured = np.array([force.get(f"ball{k}", 0.0) for k in range(balls)])
    # springs in series turn the balls' directions by a deflection over a radius, 50 N / 1e6 N/m / 4 cm
    assert measured == pytest.approx(expected, abs=5e-3 * load)


@pytest.mark.parametrize("tilt", [0.3, 0.8])
def test_contour_friction_works_on_the_way_of_the_contact_along_the_rim(tilt):
    """The contact goes round a circle of radius r cos(tilt) with W: mu_R N W r cos(tilt), le Saux et al. (2005), (2.33)."""
    mu_r, h, radius, mirror = 1e-6, 1e-4, 0.05, 0.2
    scene = disk_on_mirror(tilt, laws.Coulomb(mu=5.0) * laws.Roll(mu_r=mu_r), radius, mirror)
    pair = scene.pairs.pop(("b", "w"))
    scene.surface("b", "w", law=pair.law, rolling="contour")
    run = trundle.simulate(scene, 20 * h, h, every=1)
    weight = g * math.sqrt(1.0 - (radius * math.cos(tilt) / mirror) ** 2)
    expected = mu_r * weight * math.sqrt(4 * g / (radius * math.sin(tilt))) * radius * math.cos(tilt) * h
    assert run.energy["rolling"][2:] == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("formulation", ["exact", "relaxed", "compliant", "history"])
def test_a_ball_comes_to_rest_in_a_funnel_in_every_formulation(formulation):
    """It hangs in the cone by three contacts of N = m g / (3 sin(half angle)) each."""
    wall, r = trundle.ConeInside(0.3, 0.4), 0.05
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(wall, name="wall", fixed=True, surface="w")
    scene.add(trundle.Sphere(r), name="b", mass=1.0, position=(0, 0, r / 0.6 - wall.centroid[2]), surface="b")
    more = {"material": trundle.Hooke(stiffness=1e6)} if formulation == "history" else {}
    scene.surface("b", "w", law=laws.Coulomb(mu=0.0), stiffness=1e6, **more)
    h = 1e-4 if formulation == "history" else 1e-3
    sim = trundle.Simulation(scene, h, formulation=formulation)
    sim.run(0.5)
    force = sim.contacts().impulse[:, 0] / h
    assert force == pytest.approx(g / 3 / 0.6, rel=1e-3)


def test_history_rolls_in_a_drum_on_the_difference_of_curvatures():
    """A ball that rolls in a drum stays at the angle of rolling friction with springs, too: Fang & Negrut (2020), figure 4."""
    mu_r, speed = 0.004, 2.0
    angle = math.atan(mu_r / r)
    scene = trundle.Scene(gravity=(0, 0, -g))
    scene.add(
        trundle.CylinderInside(R, 0.4), name="wall", surface="w", orientation=ON_SIDE,
        motion=trundle.Steady(angular_velocity=(0, speed, 0)),
    )  # fmt: skip
    place = (R - r) * np.array([-math.sin(angle), 0, -math.cos(angle)])
    scene.add(
        trundle.Sphere(r), name="b", mass=1.0, position=place, angular_velocity=(0, speed * R / r, 0), surface="b"
    )
    scene.surface("b", "w", law=laws.Rolling(mu=0.5, mu_r=mu_r), material=trundle.Hertz(young=1e8))
    x = trundle.simulate(scene, 1.0, 1e-4, every=100, formulation="history").position("b")
    # it sinks in at the start, by 40 um, and swings about the angle
    assert np.abs(np.arctan2(-x[:, 0], -x[:, 2]) - angle).max() < 1e-3
