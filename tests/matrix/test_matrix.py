"""Law x formulation x shape x ground x scheme against closed forms: a body of 1 kg on a plane.

Tolerances, all from one source (`Slack`):
exact     round-off: the contact problems are solved to 1e-10 of velocities below 1 m/s, and a run has some hundred steps.
          Where motion changes within a step, that step is of first order; at theta = 1 positions are.
relaxed   bodies that move lift off by h sigma(w).  They start so; while w changes they rise at u_n = h d sigma / dt, which
          changes their velocity by mu u_n.
compliant, history   contacts give way by m g / k; transients have died after half of a run.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
import references
from axes import MASS, MU, STIFFNESS, Case, G

GENTLE, STEEP = 0.2, 0.45  # slopes [rad]: below and above the angle of friction
NEARLY_LEVEL = math.atan(0.04)  # below the angle of rolling friction, mu_r / R = 0.05


class Slack:
    """By how much a case may differ from its closed form."""

    def __init__(self, case: Case) -> None:
        how, friction, it = case.how, case.friction, case.it
        self.h, self.form, self.theta = how.h, how.formulation, how.theta
        self.k_n, self.k_t, _, self.k_r = STIFFNESS.get(self.form, (math.inf,) * 4)
        self.R = it.radius or 1.0
        self.round = 100.0 * case.tolerance  # [m/s], [m]: over some hundred steps
        self.still = case.tolerance  # the same times g h, for a body that never moves
        # rigid bodies on several contacts with moments: the centre of pressure is free within mu_r, so that they may yaw
        self.free = friction.mu_r if not it.rolls and self.form in ("exact", "relaxed") else 0.0
        self.soft = self.form in ("compliant", "history")
        self.sag = 2.0 * MASS * G / self.k_n  # with overshoot
        self.mu_r = friction.mu_r
        # springs of sliding and rolling at their bounds, as ways of the body
        self.wound = friction.mu * MASS * G / self.k_t + friction.mu_r * MASS * G * self.R / self.k_r
        self.slow = 0.3 if self.form == "history" else 0.2  # duration [s] whose half lets transients die

    def rate(self) -> float:
        """Of accelerations in the second half of a run [m/s^2]: round-off, and transients, which decay as exp(-75 t)."""
        return 10.0 * self.round + {"compliant": 1e-6 * G, "history": 1e-4 * G}.get(self.form, 0.0)

    def lift(self, rate: float) -> float:
        """Velocity that lifting off changes, if the body's sliding changes at a rate [m/s^2]."""
        return 2.0 * MU * self.h * MU * rate if self.form == "relaxed" else 0.0

    def yaw(self, rate: float) -> float:
        """Angle between sliding and friction [rad] if the centre of pressure is off by mu_r.

        The torque mu m g mu_r turns a body of gyration 0.06 m; corners at 0.13 m get across what sliding gets at `rate`.
        """
        return min(MU * G * self.free / 0.06**2 * 0.13 / rate, 1.0)

    def first_order(self, way: float) -> float:
        """Of positions at theta = 1 and of explicit Euler: half a step of the change of velocity."""
        return 0.5 * self.h * way if self.theta == 1.0 or self.form == "history" else 0.0


def lifted(case: Case, velocity=0.0, rolling=0.0, spinning=0.0) -> float:
    """The gap h sigma(w) above which a relaxed contact moves without being lifted further."""
    friction = case.friction
    if case.how.formulation != "relaxed":
        return 0.0
    return case.how.h * (friction.weight * friction.mu * velocity + friction.mu_r * rolling + friction.mu_s * spinning)


def check_books(case, motion):
    """All steps converged, nothing to warn of, every loss is one, and the ledger closes."""
    run, energy = motion.run, motion.run.energy
    assert run.warnings == []
    assert np.all(run.steps["converged"])
    stored = energy["kinetic"] + energy["potential"] + energy["elastic"]
    lost = sum(energy[name] for name in ("sliding", "rolling", "spinning", "impact", "joints", "numerical"))
    change = energy["external"] + energy["poured"] - lost
    scale = np.abs(energy["potential"]).max() + energy["kinetic"].max()
    np.testing.assert_allclose(np.diff(stored), change[1:], rtol=0, atol=1e-14 * scale + 1e-15)
    # relaxed: the normal impulse m g h lifts the body at up to h d sigma / dt
    h = case.how.h
    lifting = 5.0 * MASS * G * h * h * MU * G if case.how.formulation == "relaxed" else 0.0
    # springs are integrated implicitly: what a single step takes from them may be negative, but not all of them together
    soft = case.how.formulation in ("compliant", "history")
    for name in ("sliding", "rolling", "spinning", "impact"):
        assert (energy[name].sum() if soft else energy[name].min()) >= -case.tolerance * G - lifting, name


def only(condition):
    """Cases that a test is for."""

    def mark(test):
        test.suits = condition
        return test

    return mark


# --- slopes ---------------------------------------------------------------------------------------------------------


@only(lambda case: not case.it.rolls or case.friction.mu_r > 0.0)
def test_a_body_below_its_angle_of_friction_stays(case):
    slack = Slack(case)
    slope = NEARLY_LEVEL if case.it.rolls else GENTLE
    motion = case.run(slack.slow, slope=slope)
    moved = np.linalg.norm(motion.position - motion.position[0], axis=1)
    if slack.soft:
        # sliding and rolling springs, rocking on the normal ones, and sliding while these are not yet loaded
        give = MASS * G * math.sin(slope) * (1.0 / slack.k_t + slack.R**2 / slack.k_r + 3.0 / slack.k_n)
        assert moved.max() <= 4.0 * give + slack.sag
        assert np.abs(motion.velocity[-1]).max() <= slack.rate() * 0.5 * slack.slow
    else:
        assert moved.max() <= slack.still
        assert np.abs(motion.velocity).max() <= slack.still
    check_books(case, motion)


def test_a_body_above_its_angle_of_friction_accelerates_as_the_law_says(case):
    slack, it = Slack(case), case.it
    if it.rolls:
        slope, a = GENTLE, references.rolling(G, GENTLE, it.radius, it.k, case.friction.mu_r)
    else:
        slope, a = STEEP, references.sliding(G, STEEP, case.friction.mu)
    motion = case.run(slack.slow, slope=slope)
    # rolling: another lever, for the body sinks in or lifts off
    lever = a * (slack.sag + lifted(case, 0.0, a * slack.slow / slack.R)) / slack.R if it.rolls else 0.0
    yaw = slack.yaw(a)
    within = slack.rate() + lever
    assert motion.rate(motion.velocity) == pytest.approx([a, 0.0, 0.0], abs=within + MU * G * yaw)
    turns = a / it.radius if it.rolls else 0.0
    spin = motion.rate(motion.spin)
    assert spin[:2] == pytest.approx([0.0, turns], abs=(within + lever) / slack.R)
    assert spin[2] == pytest.approx(0.0, abs=(within + yaw * a) / 0.1)
    if not slack.soft:
        way = slack.round + slack.first_order(a * slack.slow) + slack.lift(a) + MU * G * yaw * slack.slow**2
        assert motion.position[:, 0] == pytest.approx(0.5 * a * motion.time**2, abs=way)
    check_books(case, motion)


# --- level ground ---------------------------------------------------------------------------------------------------


@only(lambda case: not case.it.rolls)
def test_a_sliding_body_stops_where_the_closed_form_says(case):
    slack, v0, mu = Slack(case), 0.5, case.friction.mu
    motion = case.run(0.25, velocity=(v0, 0, 0), gap=lifted(case, v0))
    x, v = references.stopping(v0, G, mu, motion.time)
    event = 0.5 * mu * G * slack.h**2
    # yawing turns friction away from x by up to yaw: second order
    speed = slack.lift(mu * G) + slack.round + 0.5 * v0 * slack.yaw(mu * G) ** 2
    way = event + slack.first_order(v0) + speed * (1.0 + motion.time)
    if (
        slack.soft
    ):  # springs are loaded late by `wound`, and give it back; the normal impulse is short of that of the sag
        assert motion.position[-1, 0] == pytest.approx(x[-1], abs=way[-1] + 3.0 * slack.wound + mu * slack.sag)
        assert np.abs(motion.velocity[-1]).max() <= 1e-3
    else:
        assert np.all(np.abs(motion.position[:, 0] - x) <= way)
        assert motion.velocity[:, 0] == pytest.approx(v, abs=speed)
    assert motion.position[-1, 2] == pytest.approx(case.it.height, abs=slack.sag + lifted(case, v0) + slack.round)
    check_books(case, motion)


@only(lambda case: case.it.rolls)
def test_a_body_set_down_without_spin_slips_and_then_rolls(case):
    slack, it, friction, v0 = Slack(case), case.it, case.friction, 0.5
    motion = case.run(0.25, velocity=(v0, 0, 0), gap=lifted(case, v0))
    v, w = references.thrown(v0, G, it.radius, it.k, friction.mu, friction.mu_r, motion.time)
    event = friction.mu_r / it.radius * G * slack.h
    within = slack.round + event + slack.lift(MU * G * (1.0 + 1.0 / it.k))
    if slack.soft:  # lever shorter by the sag; rolling friction late by the springs' times
        within += 2.0 * v0 * slack.sag / it.radius + friction.mu_r / it.radius * G * 2.0 / math.sqrt(slack.k_n)
    assert motion.velocity[-1] == pytest.approx([v[-1], 0.0, 0.0], abs=within)
    assert motion.spin[-1] == pytest.approx([0.0, w[-1], 0.0], abs=2.0 * within / it.radius)
    check_books(case, motion)


@only(lambda case: case.it.rolls)
def test_a_rolling_body_is_slowed_by_its_rolling_friction_alone(case):
    slack, it, friction, v0 = Slack(case), case.it, case.friction, 0.05
    w0 = v0 / it.radius
    motion = case.run(0.25, velocity=(v0, 0, 0), spin=(0, w0, 0), gap=lifted(case, 0.0, w0))
    x, v = references.rolling_to_rest(v0, G, it.radius, it.k, friction.mu_r, motion.time)
    event = 0.5 * -references.rolling(G, 0.0, it.radius, it.k, friction.mu_r) * slack.h**2
    lift = slack.lift(friction.mu_r * G / it.radius) * friction.mu_r / it.radius / MU
    if slack.soft:
        sinks = 2.0 * v0 * slack.sag / it.radius
        late = 3.0 * friction.mu_r * MASS * G * it.radius / slack.k_r + friction.mu_r / it.radius * slack.sag
        assert motion.position[-1, 0] == pytest.approx(
            x[-1], abs=late + sinks * motion.time[-1] + event + slack.first_order(v0)
        )
        assert motion.velocity[-1, 0] == pytest.approx(v[-1], abs=sinks + 1e-3 * (friction.mu_r > 0.0))
    else:
        assert motion.velocity[:, 0] == pytest.approx(v, abs=slack.round + lift)
        way = event + slack.first_order(v0) + slack.round + lift * motion.time
        assert np.all(np.abs(motion.position[:, 0] - x) <= way)
    assert motion.velocity[:, 1] == pytest.approx(0.0, abs=slack.round + slack.sag)
    check_books(case, motion)


def spin_lever(case):
    """Torque about the normal per normal force, or None where it has no closed form."""
    friction, it = case.friction, case.it
    if not it.gyration:
        return None
    if not it.arm:
        return friction.mu_s
    isotropic = case.law in (
        "Coulomb friction", "rolling friction", "sliding, rolling and spinning friction", "a user's law of spinning",
    )  # fmt: skip
    return friction.mu * it.arm + friction.mu_s if isotropic else None


@only(lambda case: spin_lever(case) is not None)
def test_a_spinning_body_slows_down_as_the_law_says(case):
    slack, it, w0 = Slack(case), case.it, 25.0
    lever = spin_lever(case)
    motion = case.run(slack.slow, spin=(0, 0, w0), gap=lifted(case, w0 * it.arm, 0.0, w0))
    w = references.spinning(w0, G, lever, it.gyration, motion.time)
    assert w[-1] > 0.0
    rate = -lever * G / it.gyration**2
    # a lever of 0.1 m, about that of the largest radius of gyration
    # corners run around circles: the direction of their friction is of second order; moments may shift the loads between them
    circle = -rate * ((w0 * slack.h) ** 2 + 0.1 * slack.free / it.arm) if it.arm else 0.0
    assert motion.rate(motion.spin) == pytest.approx([0.0, 0.0, rate], abs=slack.rate() / 0.1 + circle)
    rise = slack.h * lever * -rate if slack.form == "relaxed" else 0.0  # of h sigma(w)
    if not slack.soft:
        lift = 2.0 * rise * lever / it.gyration**2
        assert motion.spin[:, 2] == pytest.approx(w, abs=slack.round / 0.1 + lift + circle * slack.slow)
    drift = (
        MU * G * slack.slow * (slack.free / it.arm + w0 * slack.h) if it.arm else 0.0
    )  # loads differ between corners
    assert motion.velocity[-1, 2] == pytest.approx(0.0, abs=2.0 * rise + 1e-6)
    assert motion.velocity[-1, :2] == pytest.approx(0.0, abs=drift + 1e-6)
    check_books(case, motion)


def test_a_body_falls_and_rests_at_its_height(case):
    slack, height = Slack(case), 0.01
    motion = case.run(slack.slow, gap=height)
    z = motion.position[:, 2] - case.it.height
    fall = references.falling(height, G, motion.time)
    flies = motion.time < math.sqrt(2.0 * height / G) - 2.0 * slack.h
    assert z[flies] == pytest.approx(fall[flies], abs=slack.round + slack.first_order(G * 0.05))
    assert z[-1] == pytest.approx(0.0, abs=slack.sag + 1e-3 * 0.1)  # 1e-3 of the body may be left as an overlap
    assert np.abs(motion.velocity[-1]).max() <= (1e-3 if slack.soft else slack.round)
    assert np.abs(motion.position[-1, :2]).max() <= slack.round + (1e-6 if slack.soft else 0.0)
    check_books(case, motion)
