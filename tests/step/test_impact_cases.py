"""Impacts of the DEM verification literature as rigid bodies have them: exact formulation, restitution, Coulomb's friction.

The eight kinds of Chung & Ooi (2011), "Benchmark tests for verifying discrete element modelling codes at particle impact level",
with numbers of our own: there springs give the times and forces of an impact, here it has none, and what is left are the
velocities after it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from trundle import HalfSpace, Scene, Sphere, laws, simulate


@dataclass(frozen=True)
class Ball:
    """A sphere: radius [m], mass [kg], velocity [m/s] and angular velocity [rad/s] before the impact."""

    radius: float
    mass: float
    velocity: tuple[float, float, float]
    omega: tuple[float, float, float] = (0.0, 0.0, 0.0)


Impact = tuple[Ball, Ball | None, float, float]  # the other one, or the wall z = 0 below; e, mu


def oblique(degrees, speed=3.9):
    t = np.radians(degrees)
    return Ball(2.5e-3, 2e-4, (speed * np.sin(t), 0.0, -speed * np.cos(t)))


SPINS = (0.175, 1.0, 4.0, 20.0)  # [rad/s]
CASES: dict[str, list[Impact]] = {
    "1: two equal spheres, elastic": [
        (Ball(0.01, 0.01, (0, 0, -v)), Ball(0.01, 0.01, (0, 0, v)), 1.0, 0.35) for v in (0.1, 10.0)
    ],
    "2: sphere and wall, elastic": [(Ball(0.1, m, (0, 0, -0.2)), None, 1.0, 0.0) for m in (7.0, 11.3)],
    "3: sphere and wall, e = 0 to 1": [(Ball(2.5e-3, 2e-4, (0, 0, -3.9)), None, e, 0.0) for e in np.linspace(0.0, 1.0, 6)],
    "4: oblique at one speed, 0 to 85 degrees": [(oblique(a), None, 0.98, 0.092) for a in range(0, 90, 5)],
    "5: oblique at one normal speed": [
        (Ball(1e-5, 3e-11, (s, 0.0, -5.0)), None, 1.0, 0.3) for s in (0.0, 0.5, 2.0, 5.0, 10.5, 50.0)
    ],
    "6: sphere that spins and wall": [
        (Ball(0.1, 11.3, (0, 0, -0.2), (0.0, w, 0.3 * w)), None, 0.5, 0.4) for w in SPINS
    ],
    "7: two equal spheres, one spins": [
        (Ball(0.1, 11.3, (0, 0, -0.2), (w, 0.5 * w, 0.0)), Ball(0.1, 11.3, (0, 0, 0.2)), 0.5, 0.4) for w in SPINS
    ],
    "8: two spheres of different size, one spins": [
        (Ball(0.1, 11.3, (0, 0, -0.2), (w, 0.5 * w, 0.0)), Ball(0.5, 1412.5, (0, 0, 0.2)), 0.5, 0.4) for w in SPINS
    ],
}  # fmt: skip


def closed_form(ball: Ball, other: Ball | None, e: float, mu: float):
    """Velocities after the impact: p_n = (1 + e) |u_n| / (1/m1 + 1/m2); friction stops the slip, or is mu p_n against it.

    n = z, from `other` (below) to `ball`; the slip of a point feels 1/m + R^2 / I = 7/2 / m of each sphere.
    """
    n, v, w = np.array([0.0, 0.0, 1.0]), np.array(ball.velocity, float), np.array(ball.omega, float)
    u, light = v + np.cross(w, -ball.radius * n), 1.0 / ball.mass
    if other is not None:
        light += 1.0 / other.mass
        u = u - np.array(other.velocity) - np.cross(other.omega, other.radius * n)
    normal = (1.0 + e) * -u[2] / light
    slip = u - u[2] * n
    stop = slip / (3.5 * light)
    size = np.linalg.norm(stop)
    push = normal * n - stop * min(1.0, mu * normal / size if size > 0.0 else 1.0)
    after = []
    for one, sign, arm in ((ball, 1.0, -n), (other, -1.0, n)):
        if one is not None:
            inertia = 0.4 * one.mass * one.radius**2
            after += [
                np.array(one.velocity) + sign * push / one.mass,
                np.array(one.omega) + np.cross(one.radius * arm, sign * push) / inertia,
            ]
    return np.array(after)


def simulated(ball: Ball, other: Ball | None, e: float, mu: float, impact: str):
    """The same, after 20 steps of which one has the impact, somewhere within it."""
    scene = Scene(gravity=(0, 0, 0))
    closing = other.velocity[2] - ball.velocity[2] if other else -ball.velocity[2]
    h = 0.05 * ball.radius / max(closing, np.linalg.norm(ball.velocity))
    gap = 7.3 * h * closing
    names = ["ball"]
    if other is None:
        scene.add(HalfSpace(), name="wall", fixed=True, surface="s")
    else:
        names.append("other")
        scene.add(
            Sphere(radius=other.radius), name="other", mass=other.mass, position=(0, 0, -other.radius), surface="s",
            velocity=other.velocity, angular_velocity=other.omega,
        )  # fmt: skip
    shift = np.array(ball.velocity) * [1.0, 1.0, 0.0] * 7.3 * h  # so that they meet head on
    scene.add(
        Sphere(radius=ball.radius), name="ball", mass=ball.mass, position=(0, 0, ball.radius + gap) - shift, surface="s",
        velocity=ball.velocity, angular_velocity=ball.omega,
    )  # fmt: skip
    scene.surface("s", "s", law=laws.Coulomb(mu=mu), restitution=float(e))
    run = simulate(scene, 20 * h, h, impact=impact, every=20)
    return np.array([x for name in names for x in (run.velocity(name)[-1], run.angular_velocity(name)[-1])]), run


def worst(case: str, impact: str) -> float:
    """Largest error of velocities and of speeds of rotation times the radius, relative to the speed of the approach."""
    errors = []
    for ball, other, e, mu in CASES[case]:
        found, run = simulated(ball, other, e, mu, impact)
        assert not run.warnings
        scale = np.array([1.0, ball.radius] if other is None else [1.0, ball.radius, 1.0, other.radius])
        size = np.linalg.norm(ball.velocity) + ball.radius * np.linalg.norm(ball.omega)
        errors.append(np.abs((found - closed_form(ball, other, e, mu)) * scale[:, None]).max() / size)
    return max(errors)


@pytest.mark.parametrize("impact", ["newton", "poisson", "sequential"])
@pytest.mark.parametrize("case", list(CASES))
def test_velocities_after_an_impact_are_those_of_rigid_bodies(case, impact):
    # round-off of positions over the radius, 1e-13 to which impacts are solved
    assert worst(case, impact) < 1e-11


def test_the_closed_form_knows_sticking_and_sliding():
    """Cases 4 to 8 have both, so that the comparison tells them apart."""
    for case in list(CASES)[3:]:
        stuck = []
        for ball, other, e, mu in CASES[case]:
            v, w = closed_form(ball, other, e, mu)[:2]
            u = v + np.cross(w, (0, 0, -ball.radius))
            if other is not None:
                u = u - other_point(ball, other, e, mu)
            stuck.append(bool(np.hypot(u[0], u[1]) < 1e-12 * (1.0 + np.abs(u).max())))
        assert set(stuck) == {True, False}, case


def other_point(ball, other, e, mu):
    """Velocity of the point of `other` that was touched, after the impact."""
    v, w = closed_form(ball, other, e, mu)[2:]
    return v + np.cross(w, (0, 0, other.radius))


if __name__ == "__main__":  # the table of docs/time-stepping.md
    for name in CASES:
        print(
            f"| {name} | "
            + " | ".join(f"{worst(name, mode):.0e}" for mode in ("newton", "poisson", "sequential"))
            + " |"
        )
