"""A thin disk that rolls on a plane: steady motions, small oscillations, decay of energy, and the smooth equations.

Le Saux, Leine & Glocker (2005), section 5, in corrected form.  Angles: alpha turns the line of steepest descent about
the vertical, beta [rad] is the inclination *from the vertical* (pi/2: flat), gamma turns the disk about its own axis.
Frame K: e_x horizontal along the rim, e_y the axis of the disk, e_z in the disk, upwards; rho = r / R with R the radius
of the circle that the contact point draws.

Corrections: (5.3) second component 2 alpha' beta' cos beta, third 2 beta' gamma'; (5.37) a = sqrt(6) mu_R m^(3/2)
(g/r)^2 r^3; (5.40) a = 6 c (g/r)^2 m r^4; "5.7 Hz" of section 6 is an angular frequency [rad/s].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

Array = NDArray[np.float64]
PIVOT_TORQUE = 3.0 * math.pi / 16.0  # largest torque of a Hertzian patch per mu N epsilon

POWERS = {  # dE/dt = -a E**power, section 5.5
    "dry-contour": -0.5,  # (5.37)
    "viscous-contour": -1.0,  # (5.40)
    "dry-rolling": 0.5,  # (5.46)
    "viscous-rolling": 1.0,  # (5.49)
    "contensou": 1.5,  # (5.53)
}
RULES = {"contensou+contour": "dry-contour"}  # section 6: which of two mechanisms rules at the end
DISSIPATIONS = (*POWERS, *RULES)


@dataclass(frozen=True)
class ThinDisk:
    """A thin uniform disk: mass [kg], radius [m], gravity [m/s^2]; A = m r^2 / 4, C = m r^2 / 2."""

    mass: float
    radius: float
    gravity: float = 9.81

    def __post_init__(self) -> None:
        for name in ("mass", "radius", "gravity"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"ThinDisk: {name} = {getattr(self, name)!r} must be positive.")

    @property
    def _g(self) -> float:
        return self.gravity / self.radius

    # --- steady motions, sections 5.2 to 5.4 --------------------------------------------------------------

    def circular_rolling(self, beta: float, rho: float) -> tuple[float, float]:
        """alpha', gamma' [rad/s] of circular rolling at an inclination, (5.11), (5.12); alpha' >= 0.

        0 < rho < 6 / (5 sin beta), 0 < beta < pi/2.
        """
        s, c = math.sin(beta), math.cos(beta)
        if not 0.0 < beta < 0.5 * math.pi:
            raise ValueError(f"circular_rolling: beta = {beta:g} must lie between 0 and pi/2.")
        if not 0.0 < rho < 6.0 / (5.0 * s):
            raise ValueError(f"circular_rolling: rho = {rho:g} must lie between 0 and {6.0 / (5.0 * s):g}.")
        gamma = -math.sqrt(4.0 * self._g * s / ((6.0 - 5.0 * rho * s) * rho * c))
        return -rho * gamma, gamma

    def stationary_rolling(self, beta: float) -> tuple[float, float]:
        """alpha', gamma' [rad/s] of circular rolling with the centre of mass at rest, (5.13), (5.14)."""
        return self.circular_rolling(beta, 1.0 / math.sin(beta))

    def stationary_angular_speed(self, beta: float) -> float:
        """|omega| [rad/s] in stationary rolling, (5.15)."""
        return math.sqrt(4.0 * self._g * math.cos(beta))

    def nutation_frequency(self, beta: Any, alpha_rate: Any, gamma_rate: Any) -> Any:
        """Angular frequency [rad/s] of small oscillations around circular rolling, (5.22); NaN where unstable."""
        square = np.square(alpha_rate) + 0.2 * (
            14.0 * np.multiply(alpha_rate, gamma_rate) * np.sin(beta)
            + 12.0 * np.square(gamma_rate)
            - 4.0 * self._g * np.cos(beta)
        )
        with np.errstate(invalid="ignore"):
            out = np.sqrt(square)
        return out if np.ndim(out) else float(out)

    def stationary_nutation_frequency(self, beta: float) -> float:
        """The same for stationary rolling [rad/s], after (5.22)."""
        rho = 1.0 / math.sin(beta)
        return math.sqrt(0.8 * self._g * (4.0 * rho**2 - 1.0) / (rho * math.sqrt(rho**2 - 1.0)))

    @staticmethod
    def feasibility(beta: Any, rho: Any, mu: float) -> Any:
        """Indicator chi: friction that circular rolling needs, per mu N; it sticks where chi <= 1, (5.28), (5.29)."""
        s = np.sin(beta)
        return (1.0 - rho * s) * 4.0 * s / ((6.0 - 5.0 * rho * s) * np.cos(beta) * mu)

    # --- energy, section 5.5 ------------------------------------------------------------------------------

    def energy(self, beta: Any, alpha_rate: Any, beta_rate: Any, gamma_rate: Any) -> Any:
        """Kinetic and potential energy [J] of pure rolling, (5.30), (5.31)."""
        turn = alpha_rate * np.sin(beta) + gamma_rate
        half = 0.5 * self.mass * self.radius**2
        kinetic = half * (
            turn**2 + beta_rate**2 + 0.25 * beta_rate**2 + 0.5 * turn**2 + 0.25 * alpha_rate**2 * np.cos(beta) ** 2
        )
        return kinetic + self.mass * self.gravity * self.radius * np.cos(beta)

    def stationary_energy(self, beta: Any) -> Any:
        """Energy [J] of stationary rolling near the plane, (5.33): exact, as the disk then only has alpha' cos beta."""
        return 1.5 * self.mass * self.radius * self.gravity * np.cos(beta)

    def decay(
        self, dissipation: str, coefficient: float, energy: float, *, patch_radius: float = 0.0, mu: float = 0.0
    ) -> Decay:
        """Decay of an initial energy [J] in the final stage, (5.37)-(5.54).

        dissipation : coefficient
            "dry-contour": mu_R [-] ; "viscous-contour": c [N s/m] ; "dry-rolling": mu_r [m] ;
            "viscous-rolling": c [N m s] ; "contensou": mu [-], with patch_radius [m] ;
            "contensou+contour": mu_R of the contour [-], with mu and patch_radius of the patch
        """
        if dissipation not in DISSIPATIONS:
            raise ValueError(f"decay: unknown dissipation {dissipation!r}. Known: {', '.join(DISSIPATIONS)}.")
        if not (energy > 0.0 and coefficient >= 0.0):
            raise ValueError(
                f"decay: energy = {energy!r} must be positive and coefficient = {coefficient!r} not negative."
            )
        if "contensou" in dissipation and not patch_radius > 0.0:
            raise ValueError(f"decay: {dissipation!r} needs the radius of the contact patch: patch_radius [m] > 0.")
        if dissipation == "contensou+contour":
            patch = self.decay_rate("contensou", mu, patch_radius)
            return Decay(dissipation, self.decay_rate("dry-contour", coefficient), energy, patch)
        return Decay(dissipation, self.decay_rate(dissipation, coefficient, patch_radius), energy)

    def decay_rate(self, dissipation: str, coefficient: float, patch_radius: float = 0.0) -> float:
        """The constant a of dE/dt = -a E**power [SI]."""
        m, r, g = self.mass, self.radius, self._g
        factors = {
            "dry-contour": math.sqrt(6.0) * m**1.5 * g**2 * r**3,
            "viscous-contour": 6.0 * g**2 * m * r**4,
            "dry-rolling": 2.0 * math.sqrt(6.0) / 3.0 * g * math.sqrt(m),
            "viscous-rolling": 8.0 / (3.0 * m * r**2),
            "contensou": math.pi * math.sqrt(2.0) / (4.0 * math.sqrt(3.0)) * patch_radius / (r**2 * math.sqrt(m)),
        }
        return coefficient * factors[dissipation]

    # --- smooth rolling, section 5.1 ----------------------------------------------------------------------

    def roll(self, start: RollingState, duration: float, friction: RollingFriction | None = None) -> Rolling:
        """Integrate the equations of pure rolling (5.5)-(5.7) to about 1e-12, with dissipation if `friction` is given.

        Ends early where the disk has fallen (1 mrad from flat), or where pivoting or rolling against dry friction stops.
        """
        friction = friction or RollingFriction()
        y0 = np.array([*start.position, start.alpha, start.beta, start.gamma, *start.rates])

        def rate(_: float, y: Array) -> Array:
            return self._rolling_rate(y, friction)

        def fallen(_: float, y: Array) -> float:
            return 0.5 * math.pi - 1e-3 - abs(float(y[3]))

        def pivots(_: float, y: Array) -> float:
            return float(y[5] + y[7] * math.sin(y[3])) if friction.pivot > 0.0 else 1.0

        def rolls(_: float, y: Array) -> float:
            return float(y[7]) if friction.contour > 0.0 else 1.0

        events = (fallen, pivots, rolls)
        for event in events:
            event.terminal = True  # type: ignore[attr-defined]
        found = solve_ivp(
            rate, (0.0, duration), y0, method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True, events=events
        )
        if found.status < 0:
            raise ArithmeticError(f"ThinDisk.roll: {found.message}")
        return Rolling(self, float(found.t[-1]), found.sol, friction)

    def accelerations(self, beta: float, rates: ArrayLike, friction: RollingFriction | None = None) -> Array:
        """alpha'', beta'', gamma'' [rad/s^2] from (5.5)-(5.7) and generalised friction forces, shape (3,)."""
        da, db, dc = (float(x) for x in np.asarray(rates, float))
        return self._accelerations(beta, da, db, dc, friction or RollingFriction())[:3]

    def _rolling_rate(self, y: Array, friction: RollingFriction) -> Array:
        alpha, beta, da, db, dc = y[2], y[3], y[5], y[6], y[7]
        accelerations = self._accelerations(beta, da, db, dc, friction)[:3]
        along, across = self.radius * (da * math.sin(beta) + dc), -self.radius * db  # (5.2), frame K
        c, s = math.cos(alpha), math.sin(alpha)
        vx = along * c - across * math.cos(beta) * s
        vy = along * s + across * math.cos(beta) * c
        return np.array([vx, vy, da, db, dc, *accelerations])

    def _accelerations(self, beta: float, da: float, db: float, dc: float, friction: RollingFriction) -> Array:
        """alpha'', beta'', gamma'' and the normal force [N]."""
        m, r, s, c = self.mass, self.radius, math.sin(beta), math.cos(beta)
        unit = 0.25 * m * r * r  # (5.5)-(5.7) are the equations of motion divided by this
        free = (5.0 * da * da * s * c + 6.0 * da * dc * c + 4.0 * self._g * s) / 5.0
        # Q_beta = N times a number, and N = m (g + z'') depends on beta'': one linear equation
        dry, viscous = friction.about_rim(beta, db, dc)
        lift = m * (self.gravity - r * (s * (free + viscous / (5.0 * unit)) + c * db * db))
        N = lift / (1.0 + m * r * s * dry / (5.0 * unit))
        ddb = free + (dry * N + viscous) / (5.0 * unit)
        q_alpha, q_gamma = friction.about_axes(beta, da, db, dc, N, r)
        right = np.array([
            q_alpha / unit - 10.0 * da * db * s * c - 2.0 * db * dc * c,
            q_gamma / unit - 10.0 * da * db * c,
        ])  # fmt: skip
        # (5.5) - sin(beta) (5.7): cos^2(beta) alpha'' = right
        dda = (right[0] - s * right[1]) / (c * c)
        ddc = right[1] / 6.0 - s * dda
        return np.array([dda, ddb, ddc, N])


@dataclass(frozen=True)
class RollingFriction:
    """Dissipation of a disk that does not slip, as generalised forces.

    contour: mu_R [-] ; contour_viscosity: c [N s/m] ; rolling: mu_r [m] ; rolling_viscosity: c [N m s] ;
    pivot: largest torque per normal force [m], 3 pi / 16 mu epsilon for a Hertzian patch
    """

    contour: float = 0.0
    contour_viscosity: float = 0.0
    rolling: float = 0.0
    rolling_viscosity: float = 0.0
    pivot: float = 0.0

    def about_rim(self, beta: float, db: float, dc: float) -> tuple[float, float]:
        """Force on beta: per normal force [m], and the viscous part [N m]; classical rolling friction, (5.42), (5.43)."""
        size = math.hypot(db, dc * math.cos(beta))
        return (-self.rolling * db / size if size > 0.0 else 0.0), -self.rolling_viscosity * db

    def about_axes(self, beta: float, da: float, db: float, dc: float, N: float, r: float) -> tuple[float, float]:
        """Forces on alpha and gamma [N m]."""
        cos, sin = math.cos(beta), math.sin(beta)
        size = math.hypot(db, dc * cos)
        couple = -self.rolling_viscosity * dc * cos - (self.rolling * N * dc * cos / size if size > 0.0 else 0.0)
        contour = -r * (self.contour * N * np.sign(dc) + self.contour_viscosity * r * dc)
        pivot = -self.pivot * N * np.sign(da + dc * sin)
        return float(pivot), float(couple * cos + contour + pivot * sin)


@dataclass(frozen=True)
class RollingState:
    """Centre (x, y) [m], angles alpha, beta, gamma [rad] and their rates [rad/s]."""

    position: tuple[float, float]
    alpha: float
    beta: float
    gamma: float
    rates: tuple[float, float, float]


@dataclass(frozen=True)
class Rolling:
    """A pure rolling motion from 0 to `end` [s]."""

    disk: ThinDisk
    end: float
    solution: Callable[[Any], Array]
    friction: RollingFriction

    def _at(self, times: ArrayLike) -> Array:
        times = np.atleast_1d(np.asarray(times, float))
        if np.any(times > self.end * (1.0 + 1e-12)) or np.any(times < 0.0):
            raise ValueError(f"Rolling: times must lie between 0 and {self.end:g} s.")
        return np.asarray(self.solution(np.minimum(times, self.end))).T

    def position(self, times: ArrayLike) -> Array:
        """Centre of mass [m], shape (T, 3); the disk touches the plane z = 0."""
        y = self._at(times)
        return np.column_stack([y[:, :2], self.disk.radius * np.cos(y[:, 3])])

    def angles(self, times: ArrayLike) -> Array:
        """alpha, beta, gamma [rad], shape (T, 3)."""
        return self._at(times)[:, 2:5]

    def rates(self, times: ArrayLike) -> Array:
        """Rates of the angles [rad/s], shape (T, 3)."""
        return self._at(times)[:, 5:]

    def angular_velocity(self, times: ArrayLike) -> Array:
        """Angular velocity [rad/s], world frame, shape (T, 3)."""
        y = self._at(times)
        alpha, beta = y[:, 2], y[:, 3]
        cos, sin = np.cos(alpha), np.sin(alpha)
        level = y[:, 7] * np.cos(beta)
        return np.column_stack(
            [y[:, 6] * cos - level * sin, y[:, 6] * sin + level * cos, y[:, 5] + y[:, 7] * np.sin(beta)]
        )

    def axis(self, times: ArrayLike) -> Array:
        """Unit vector along the axis of the disk, e_y of frame K, world frame, shape (T, 3)."""
        y = self._at(times)
        level = np.cos(y[:, 3])
        return np.column_stack([-level * np.sin(y[:, 2]), level * np.cos(y[:, 2]), np.sin(y[:, 3])])

    def energy(self, times: ArrayLike) -> Array:
        """Total energy [J], shape (T,)."""
        y = self._at(times)
        return np.asarray(self.disk.energy(y[:, 3], y[:, 5], y[:, 6], y[:, 7]))


def rolling_state(position: ArrayLike, axis: ArrayLike, angular_velocity: ArrayLike) -> RollingState:
    """Angles and rates of a rolling disk from its centre, the unit vector along its axis and its angular velocity.

    The axis may be given in either direction; that of e_y in frame K has beta >= 0, and where the disk stands upright
    the one in which beta grows.  Not defined for a disk that lies flat.
    """
    where, e_y, omega = (np.asarray(x, float) for x in (position, axis, angular_velocity))
    level = math.hypot(e_y[0], e_y[1])
    if level < 1e-12:
        raise ValueError("rolling_state: the disk lies flat; alpha and gamma are not defined.")
    e_x = np.array([e_y[1], -e_y[0], 0.0]) / level
    falling = float(omega @ e_x)
    if e_y[2] < -1e-14 or (abs(e_y[2]) <= 1e-14 and falling < 0.0):
        e_y, e_x, falling = -e_y, -e_x, -falling
    beta = math.atan2(float(e_y[2]), level)
    upwards = np.array([0.0, 0.0, 1.0]) - e_y[2] * e_y  # e_z of frame K times cos(beta)
    alpha_rate = float(omega @ upwards) / level**2
    gamma = float(omega @ e_y) - alpha_rate * float(e_y[2])
    return RollingState(
        (float(where[0]), float(where[1])), math.atan2(e_x[1], e_x[0]), beta, 0.0, (alpha_rate, falling, gamma)
    )


@dataclass(frozen=True)
class Decay:
    """Energy of a disk in its final stage, dE/dt = -a E**power; for "contensou+contour" both act: -a / sqrt(E) - b E**1.5.

    a, b in SI units ; start: energy at t = 0 [J]
    """

    dissipation: str
    a: float
    start: float
    b: float = 0.0

    @property
    def power(self) -> float:
        """Exponent of the energy in dE/dt; where two mechanisms act, of the one that rules as E -> 0."""
        return POWERS[RULES.get(self.dissipation, self.dissipation)]

    @property
    def exponent(self) -> float:
        """n of  alpha' ~ (t_f - t)**(-1/n), (6.2): 3, 4 and 1 for the three mechanisms that stop the disk.

        n = 2 (1 - power); viscous rolling decays exponentially (n = 0), Contensou friction as t**-2 (n = -1).
        """
        return 2.0 * (1.0 - self.power)

    @property
    def end(self) -> float:
        """Time [s] at which the energy is zero; inf where it only tends to that."""
        if self.a == 0.0 or self.power >= 1.0:
            return math.inf
        if self.b:
            return float(quad(lambda e: math.sqrt(e) / (self.a + self.b * e * e), 0.0, self.start, epsabs=0.0)[0])
        return float(self.start ** (1.0 - self.power) / ((1.0 - self.power) * self.a))

    def rate(self, energy: Any) -> Any:
        """dE/dt [W]."""
        return -self.a * energy**self.power - self.b * energy**1.5

    def energy(self, times: ArrayLike) -> Array:
        """Energy [J] at times [s], shape (T,): (5.38), (5.41), (5.47), (5.50), (5.54)."""
        t = np.atleast_1d(np.asarray(times, float))
        if self.b:
            return np.array([self._both(x) for x in t])
        if self.power == 1.0:
            return np.asarray(self.start * np.exp(-self.a * t))
        left = self.start ** (1.0 - self.power) - (1.0 - self.power) * self.a * t
        return np.asarray(np.maximum(left, 0.0) ** (1.0 / (1.0 - self.power)))

    def _both(self, time: float) -> float:
        """Energy where both act: the inverse of the time that a loss of energy takes."""
        if time >= self.end:
            return 0.0
        if time <= 0.0:
            return self.start

        def late(energy: float) -> float:
            return float(quad(lambda e: math.sqrt(e) / (self.a + self.b * e * e), energy, self.start)[0]) - time

        return float(brentq(late, 0.0, self.start, xtol=1e-14 * self.start))


__all__ = ["DISSIPATIONS", "Decay", "Rolling", "RollingFriction", "RollingState", "ThinDisk", "rolling_state"]
