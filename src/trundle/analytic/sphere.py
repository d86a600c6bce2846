"""A sphere on a plane: sliding, rolling and spinning friction, level or inclined, until it rests.

Frame of the plane: x downhill, y across, z along the normal.  With u the velocity of the centre along the plane and
v = R (omega_y, -omega_x) the velocity at which it would roll, the slip is s = u - v, and per unit of mass

    u' = a + f,   v' = (M - f) / k,   |f| <= mu G opposes s,   |M| <= mu_r G / R opposes v,

with a = g sin(slope) along x, G = g cos(slope), inertia k m R^2 (k = 2/5).  Spinning is apart: |m_s| <= mu_s G.
Where s, u and v lie on one line all accelerations are constant within a phase, and the phases follow in closed form;
otherwise a phase is integrated (to about 1e-11) unless it, too, has constant accelerations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp

Array = NDArray[np.float64]
SAME = 1e-13  # velocities below this share of the largest one are zero
PHASES = 50
INTEGRATION = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}


@dataclass(frozen=True)
class Phase:
    """A stretch of time in one state: slides, rolls (both may be), or rests.

    start, end: [s], end may be inf ; acceleration (2, 2): of u and v, constant, or None where it was integrated
    values (3, 2): position, u and v at the start ; solution: dense output of the integration, or None
    """

    start: float
    end: float
    slides: bool
    rolls: bool
    values: Array
    acceleration: Array | None
    solution: Any = None

    @property
    def name(self) -> str:
        """ "sliding", "rolling", "sliding+rolling" or "rest"."""
        return "+".join(word for word, on in (("sliding", self.slides), ("rolling", self.rolls)) if on) or "rest"

    def at(self, t: float) -> Array:
        """Position [m], u and v [m/s] at a time, shape (3, 2)."""
        if self.acceleration is None:
            return np.asarray(self.solution(t), float).reshape(3, 2)
        dt = t - self.start
        out = self.values.copy()
        out[0] += self.values[1] * dt + 0.5 * self.acceleration[0] * dt * dt
        out[1:] += self.acceleration * dt
        return out


@dataclass(frozen=True)
class Motion:
    """What a sphere does after its launch: phases, and position, velocity and angular velocity at any time."""

    sphere: SphereOnPlane
    phases: tuple[Phase, ...]
    spin: float

    @property
    def transitions(self) -> list[float]:
        """Times [s] at which a phase ends and another begins."""
        return [phase.start for phase in self.phases[1:]]

    @property
    def stop_time(self) -> float:
        """Time [s] at which the centre comes to rest for good; inf if it never does.  It may go on spinning."""
        last = self.phases[-1]
        return last.start if last.name == "rest" else math.inf

    @property
    def stop_position(self) -> Array:
        """Where it comes to rest, relative to the launch [m], shape (2,); inf if it never does."""
        if math.isinf(self.stop_time):
            return np.full(2, np.inf)
        return self.phases[-1].values[0].copy()

    @property
    def stop_distance(self) -> float:
        """Distance [m] from the launch to where it comes to rest."""
        return float(np.linalg.norm(self.stop_position))

    @property
    def spin_stop_time(self) -> float:
        """Time [s] at which spinning ends; inf if it never does."""
        if self.spin == 0.0:
            return 0.0
        return abs(self.spin) / self.sphere.spin_deceleration if self.sphere.mu_s > 0.0 else math.inf

    def _at(self, times: ArrayLike) -> Array:
        times = np.atleast_1d(np.asarray(times, float))
        starts = np.array([phase.start for phase in self.phases])
        which = np.maximum(np.searchsorted(starts, times, side="right") - 1, 0)
        return np.array([self.phases[i].at(float(t)) for i, t in zip(which, times, strict=True)]).reshape(-1, 3, 2)

    def position(self, times: ArrayLike) -> Array:
        """Centre relative to the launch [m], in the frame of the plane, shape (T, 2)."""
        return self._at(times)[:, 0]

    def velocity(self, times: ArrayLike) -> Array:
        """Velocity of the centre [m/s], shape (T, 2)."""
        return self._at(times)[:, 1]

    def angular_velocity(self, times: ArrayLike) -> Array:
        """Angular velocity [rad/s], in the frame of the plane, shape (T, 3)."""
        v = self._at(times)[:, 2] / self.sphere.radius
        slowed = self.sphere.spin_deceleration * np.atleast_1d(np.asarray(times, float))
        spin = np.copysign(np.maximum(abs(self.spin) - slowed, 0.0), self.spin)
        return np.column_stack([-v[:, 1], v[:, 0], spin])


@dataclass(frozen=True)
class SphereOnPlane:
    """Sphere of a radius [m] on a plane with friction mu [-], mu_r [m], mu_s [m]; slope [rad]; inertia / (m R^2) [-].

    >>> SphereOnPlane(0.5, mu=0.2, mu_r=0.04).launch(velocity=2.5, angular_velocity=5.0).stop_distance
    5.574...
    """

    radius: float
    mu: float
    mu_r: float = 0.0
    mu_s: float = 0.0
    gravity: float = 9.81
    slope: float = 0.0
    inertia: float = 0.4

    def __post_init__(self) -> None:
        for name in ("radius", "gravity", "inertia"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"SphereOnPlane: {name} = {getattr(self, name)!r} must be positive.")
        for name in ("mu", "mu_r", "mu_s"):
            if not getattr(self, name) >= 0.0:
                raise ValueError(f"SphereOnPlane: {name} = {getattr(self, name)!r} must not be negative.")
        if not abs(self.slope) < 0.5 * math.pi:
            raise ValueError(f"SphereOnPlane: slope = {self.slope!r} rad must be less than pi/2.")

    @property
    def load(self) -> float:
        """Normal force per mass G [m/s^2]."""
        return self.gravity * math.cos(self.slope)

    @property
    def pull(self) -> Array:
        """Acceleration of gravity along the plane [m/s^2], shape (2,)."""
        return np.array([self.gravity * math.sin(self.slope), 0.0])

    @property
    def slide_limit(self) -> float:
        """Largest friction force per mass [m/s^2]."""
        return self.mu * self.load

    @property
    def roll_limit(self) -> float:
        """Largest rolling torque per mass and radius [m/s^2]."""
        return self.mu_r * self.load / self.radius

    @property
    def spin_deceleration(self) -> float:
        """Rate at which spinning slows down [rad/s^2]."""
        return self.mu_s * self.load / (self.inertia * self.radius**2)

    def launch(self, velocity: Any, angular_velocity: Any = 0.0) -> Motion:
        """Motion from a velocity [m/s] and an angular velocity [rad/s].

        Numbers are for motion downhill: velocity along x, angular velocity about y.  Otherwise velocity (2,) along
        the plane and angular_velocity (3,), in the frame of the plane.
        """
        u = np.array([velocity, 0.0], float) if np.ndim(velocity) == 0 else np.asarray(velocity, float)[:2]
        omega = np.array([0.0, angular_velocity, 0.0]) if np.ndim(angular_velocity) == 0 else angular_velocity
        omega = np.asarray(omega, float)
        v = self.radius * np.array([omega[1], -omega[0]])
        values = np.array([np.zeros(2), u, v])
        phases: list[Phase] = []
        time, fastest = 0.0, max(float(np.abs(values).max()), 1e-300)
        while len(phases) < PHASES:
            phase = self._phase(time, values, SAME * fastest)
            phases.append(phase)
            if math.isinf(phase.end):
                return Motion(self, tuple(phases), float(omega[2]))
            time, values = phase.end, self._cleaned(phase, SAME * fastest)
        raise ArithmeticError(f"SphereOnPlane: {PHASES} phases and no end; it should not need that many.")

    # --- one phase -----------------------------------------------------------------------------------

    def _cleaned(self, phase: Phase, small: float) -> Array:
        """Values at the end of a phase, with velocities that have come to zero set to exactly that."""
        values = phase.at(phase.end)
        # what ended the phase is zero up to the rounding of its own size at the start
        sizes = np.linalg.norm([phase.values[1] - phase.values[2], phase.values[2]], axis=1)
        small = max(small, 1e-10 * float(sizes.max())) if phase.acceleration is None else small
        if phase.slides and np.linalg.norm(values[1] - values[2]) <= max(small, 1e-12 * sizes[0]):
            values[1] = values[2] = (values[1] + self.inertia * values[2]) / (1.0 + self.inertia)
        if not phase.slides:
            values[2] = values[1]
        if phase.rolls and np.linalg.norm(values[2]) <= max(small, 1e-12 * sizes[1]):
            if np.array_equal(values[1], values[2]):
                values[1] = 0.0
            values[2] = 0.0
        return values

    def _phase(self, time: float, values: Array, small: float) -> Phase:
        """The phase that begins at a time with these values."""
        u, v = values[1], values[2]
        slip = u - v
        # directions of slip and roll: of the motion, or of the one that begins, or None where there is none
        d_s = slip / np.linalg.norm(slip) if np.linalg.norm(slip) > small else None
        d_v = v / np.linalg.norm(v) if np.linalg.norm(v) > small else None
        d_s, d_v = self._begins(d_s, d_v)
        rates = self._rates(d_s, d_v)
        slides, rolls = d_s is not None, d_v is not None
        # what moves against friction, its direction and its rate; without friction it ends nothing
        moves = [
            (w, d, rate)
            for w, d, rate, limit in (
                (slip, d_s, rates[0] - rates[1], self.slide_limit),
                (v, d_v, rates[1], self.roll_limit),
            )
            if d is not None and limit > 0.0
        ]
        if not all(self._stays(d, rate) for _, d, rate in moves):
            return self._integrated(time, values, d_s, d_v)
        left = [float(np.linalg.norm(w)) / -float(d @ rate) for w, d, rate in moves if float(d @ rate) < 0.0]
        return Phase(time, time + min(left, default=math.inf), slides, rolls, values.copy(), rates)

    @staticmethod
    def _stays(direction: Array, rate: Array) -> bool:
        """Whether a vector along `direction` that changes at `rate` keeps its direction."""
        across = rate - direction * float(direction @ rate)
        return bool(np.linalg.norm(across) <= 1e-14 * float(np.linalg.norm(rate)))

    def _rates(self, d_s: Array | None, d_v: Array | None) -> Array:
        """Accelerations of u and v for directions of slip and roll; None: it does not move, and is held."""
        a, k = self.pull, self.inertia
        roll = np.zeros(2) if d_v is None else -self.roll_limit * d_v
        if d_s is not None:
            f = -self.slide_limit * d_s
            return np.array([a + f, np.zeros(2) if d_v is None else (roll - f) / k])
        if d_v is None:
            return np.zeros((2, 2))
        together = (a + roll) / (1.0 + k)
        return np.array([together, together])

    def _begins(self, d_s: Array | None, d_v: Array | None) -> tuple[Array | None, Array | None]:
        """Directions in which slip or roll begins where there is none yet.

        With W positive definite exactly one choice is consistent: held with a force within the limit, or moving
        along the acceleration that the largest force leaves.
        """
        a, k = self.pull, self.inertia
        if d_s is None and d_v is None:
            return self._begins_from_rest()
        if d_s is None and d_v is not None:
            roll = -self.roll_limit * d_v
            held = (roll - k * a) / (1.0 + k)  # the friction force that keeps it from slipping
            if np.linalg.norm(held) > self.slide_limit * (1.0 + 1e-14):
                d_s = -held / np.linalg.norm(held)
        elif d_v is None and d_s is not None:
            f = -self.slide_limit * d_s
            if self.slide_limit > self.roll_limit * (1.0 + 1e-14):
                d_v = -f / np.linalg.norm(f)
        return d_s, d_v

    def _begins_from_rest(self) -> tuple[Array | None, Array | None]:
        a, k = self.pull, self.inertia
        size = float(np.linalg.norm(a))
        if size == 0.0 or (size <= self.slide_limit and size <= self.roll_limit):
            return None, None
        down = a / size
        # rolls without slip, slides without roll, or both
        if size > self.roll_limit and (k * size + self.roll_limit) / (1.0 + k) <= self.slide_limit:
            return None, down
        if self.slide_limit <= self.roll_limit:
            return down, None
        return down, down

    def _integrated(self, time: float, values: Array, d_s: Array | None, d_v: Array | None) -> Phase:
        """A phase whose directions turn, integrated until slip or roll has all but ended."""
        slides, rolls = d_s is not None, d_v is not None

        def direction(w: Array, begin: Array | None) -> Array | None:
            size = float(np.linalg.norm(w))
            return begin if begin is None or size == 0.0 else w / size

        def rate(_: float, y: Array) -> Array:
            u, v = y[2:4], y[4:6]
            rates = self._rates(direction(u - v, d_s) if slides else None, direction(v, d_v) if rolls else None)
            return np.concatenate([u, rates[0], rates[1]])

        scale = float(np.abs(values[1:]).max())
        limit = 1e-11 * scale
        events = []
        for on, size, limited in (
            (slides, lambda y: y[2:4] - y[4:6], self.slide_limit),
            (rolls, lambda y: y[4:6], self.roll_limit),
        ):
            if on and limited > 0.0:

                def event(_: float, y: Array, size: Any = size) -> float:
                    return float(np.linalg.norm(size(y))) - limit

                event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]
                events.append(event)
        limits: list[float] = [x for x in (self.slide_limit, self.roll_limit, self.gravity) if x > 0.0]
        slowest = min(limits)
        horizon = time + 1e3 * scale / slowest
        found = solve_ivp(
            rate, (time, horizon), values.ravel(), events=events or None, dense_output=True, **INTEGRATION
        )
        if found.status != 1:
            return Phase(time, math.inf, slides, rolls, values.copy(), None, _until(found.sol, horizon))
        return _finished(time, found, rate, slides, rolls, values, limit)


def _until(solution: Any, horizon: float) -> Any:
    """A dense output that refuses times it was not integrated to."""

    def at(t: float) -> Array:
        if t > horizon:
            raise ValueError(
                f"SphereOnPlane: t = {t:g} s lies beyond {horizon:g} s, to which the motion was integrated."
            )
        return np.asarray(solution(t))

    return at


def _finished(time: float, found: Any, rate: Any, slides: bool, rolls: bool, values: Array, limit: float) -> Phase:
    """The phase of an integration that stopped just before slip or roll ended; the rest of it is a straight line."""
    end, y = float(found.t[-1]), found.y[:, -1]
    slope = rate(end, y)
    left = []
    for on, w, change in ((slides, y[2:4] - y[4:6], slope[2:4] - slope[4:6]), (rolls, y[4:6], slope[4:6])):
        size = float(np.linalg.norm(w))
        if on and size <= 1.5 * limit:
            left.append(size * size / max(-float(w @ change), 1e-300))
    last = end + min(left)

    def solution(t: float) -> Array:
        return np.asarray(found.sol(t)) if t <= end else y + (t - end) * slope

    return Phase(time, last, slides, rolls, values.copy(), None, solution)


__all__ = ["Motion", "Phase", "SphereOnPlane"]
