"""A block that slides on an orthotropic superelliptic surface: a reference by quadrature.

Per unit of mass and with the principal directions as axes, the velocity u of a block on a level floor obeys

    u_i' = -g mu_i (z_i / |z|_s)^(s-1) sign(u_i),   z_i = mu_i a_i |u_i|,   1/q + 1/s = 1,

with a = diag(Q^q), a_y / a_x = (mu_y / mu_x)^(q (k-1)): Hjiaj et al. (2004), eqs. (21)-(26), in corrected form (the exponent
1/(q-1) = s - 1 belongs to the norm too).  The ratio of the two equations separates: with p = 2 - s

    u_x^p - K u_y^p = const  (q != 2),   u_x = const u_y^K  (q = 2),   K = (mu_x / mu_y)^s (a_x / a_y)^(s-1),

so that time and position are integrals over one velocity.  For q > 2, p > 0 and one component reaches zero in finite time,
unless const = 0; the other then brakes alone at g mu.  For q <= 2 both vanish together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad

from trundle.errors import TrundleError

Array = NDArray[np.float64]
ROUND_OFF = 1e-13  # [m/s]
ACCURACY = {"epsabs": 1e-13, "epsrel": 1e-12, "limit": 400}


@dataclass(frozen=True)
class Sliding:
    """Coefficients mu_x, mu_y [-], roundness q > 1, direction rule k, gravity [m/s^2]."""

    mu_x: float
    mu_y: float
    q: float = 2.0
    k: float = 1.0
    gravity: float = 9.81

    def __post_init__(self) -> None:
        if not 1.0 < self.q < np.inf:
            raise TrundleError(f"Sliding: q = {self.q} must be greater than 1 and finite.")

    @property
    def s(self) -> float:
        """Exponent of the dual norm."""
        return self.q / (self.q - 1.0)

    @property
    def weight(self) -> Array:
        """Diagonal of Q^q, of geometric mean 1."""
        half = (self.mu_y / self.mu_x) ** (0.5 * self.q * (self.k - 1.0))
        return np.array([1.0 / half, half])

    @property
    def _mu(self) -> Array:
        return np.array([self.mu_x, self.mu_y])

    def deceleration(self, u: Array) -> Array:
        """Magnitudes g mu_i (z_i / |z|)^(s-1) [m/s^2] for speeds u (2,) > 0."""
        z = self._mu * self.weight * np.abs(u)
        largest = np.max(z)
        z = z / largest
        norm = np.sum(z**self.s) ** (1.0 / self.s)
        return self.gravity * self._mu * (z / norm) ** (self.s - 1.0)

    def stop(self, velocity: Array) -> Stop:
        """Where and when a block launched with `velocity` (2,) [m/s] stops."""
        sign, speed = np.sign(velocity), np.abs(np.asarray(velocity, float))
        if np.any(speed == 0.0):
            return self._straight(speed, sign)
        first = self._first_to_stop(speed)
        time, way, left = self._together(speed, first)
        braking = self._mu * self.gravity
        one = time
        if left > 0.0:  # one component goes on
            last = 1 - first
            time += left / braking[last]
            way[last] += left**2 / (2.0 * braking[last])
        return Stop(time, sign * way, one, first if left > 0.0 else -1)

    def _straight(self, speed: Array, sign: Array) -> Stop:
        braking = self._mu * self.gravity
        return Stop(float(np.max(speed / braking)), sign * speed**2 / (2.0 * braking), 0.0, int(np.argmin(speed)))

    def _constants(self) -> tuple[float, float]:
        """p and K."""
        a = self.weight
        return 2.0 - self.s, (self.mu_x / self.mu_y) ** self.s * (a[0] / a[1]) ** (self.s - 1.0)

    def _first_to_stop(self, speed: Array) -> int:
        """The component that vanishes first, or becomes negligible beside the other: 0 for x, 1 for y."""
        p, K = self._constants()
        if self.q == 2.0:
            return 0 if K > 1.0 else 1
        constant = speed[0] ** p - K * speed[1] ** p
        return int(constant > 0.0) if p > 0.0 else int(constant < 0.0)

    def other(self, speed: Array, first: int, u: float) -> float:
        """Speed of the component that lasts, when that of `first` is u."""
        p, K = self._constants()
        exponent, factor = (K, 1.0 / K) if first == 0 else (1.0 / K, K)
        last = 1 - first
        if self.q == 2.0:
            return float(speed[last] * (u / speed[first]) ** (1.0 / exponent))
        # u_last^p = u_last0^p + factor (u^p - u_first0^p)
        return float(max(speed[last] ** p + factor * (u**p - speed[first] ** p), 0.0) ** (1.0 / p))

    def _together(self, speed: Array, first: int) -> tuple[float, Array, float]:
        """Time and way until the first component vanishes, and the speed that the other then has.

        The variable is a share of the way from the start to the end, chosen so that the integrands are smooth there.
        """
        last, p = 1 - first, self._constants()[0]

        def speeds(share: float) -> tuple[Array, float]:
            """Both speeds, and minus the derivative of the integration's velocity by the share."""
            pair = np.empty(2)
            if p > 0.0:  # share = (u_first / u_first0)^p
                pair[first] = speed[first] * share ** (1.0 / p)
                pair[last] = self.other(speed, first, pair[first])
                return pair, speed[first] / p * share ** (1.0 / p - 1.0)
            # the last one's own speed: the other is small beside it
            pair[last] = speed[last] * share
            pair[first] = self.other(speed, last, pair[last])
            return pair, float(speed[last])

        moving = first if p > 0.0 else last

        def integrand(share: float, power: int) -> float:
            if share == 0.0:  # both speeds are zero, and so is what is left of the way
                return 0.0
            pair, derivative = speeds(share)
            dt = derivative / self.deceleration(pair)[moving]
            return float(dt if power < 0 else dt * pair[power])

        time, x, y = (quad(integrand, 0.0, 1.0, args=(power,), **ACCURACY)[0] for power in (-1, 0, 1))
        left = self.other(speed, first, 0.0) if p > 0.0 else 0.0
        return float(time), np.array([x, y]), left

    def path(self, velocity: Array, times: Array | None = None) -> tuple[Array, Array]:
        """Times (T,) [s] and positions (T, 2) [m] along the way, by integration of the equations of motion.

        times : ascending from 0; 400 until the stop if None
        """
        from scipy.integrate import solve_ivp

        stop = self.stop(velocity)
        sign, speed = np.sign(velocity), np.abs(np.asarray(velocity, float))
        times = np.linspace(0.0, stop.time, 400) if times is None else np.asarray(times, float)
        until = stop.first_time if stop.first >= 0 and stop.first_time > 0.0 else stop.time

        def rate(_: float, y: Array) -> Array:
            u = np.maximum(y[2:], 0.0)
            return np.concatenate([u, -self.deceleration(u) * (u > 0.0)]) if np.any(u > 0.0) else np.zeros(4)

        start = np.concatenate([np.zeros(2), speed])
        early = times[times <= until]
        found = solve_ivp(rate, (0.0, until), start, method="DOP853", t_eval=early, rtol=1e-11, atol=1e-13)
        way = np.tile(np.abs(stop.position), (len(times), 1))
        way[: len(early)] = found.y[:2].T
        if stop.first >= 0:
            last = 1 - stop.first
            rest = np.maximum(stop.time - times[len(early) :], 0.0)
            way[len(early) :, last] -= 0.5 * self.gravity * self._mu[last] * rest**2
        return times, sign * way

    def misfit(self, load: Array, before: Array, after: Array) -> float:
        """How far a load (2,) per normal load is from those of the velocities between two (2,) [m/s], relative to the condition.

        Points of the condition are f_i = mu_i c_i, |c|_q = 1; where the block comes to rest, all loads inside are allowed.
        """
        c = load / self._mu
        off = float(np.linalg.norm(c, self.q) - 1.0)
        ends = [np.where(np.abs(u) < ROUND_OFF, 0.0, u) for u in (before, after)]
        if not ends[1].any():
            return max(off, 0.0)
        angles = [float(np.arctan2(*(np.sign(u) * self.deceleration(u) / self._mu)[::-1])) for u in ends]
        angle = float(np.arctan2(c[1], c[0]))
        return max(abs(off), min(angles) - angle, angle - max(angles))


@dataclass(frozen=True, eq=False)
class Stop:
    """time [s], position (2,) [m]; first_time [s]: when component `first` (0 x, 1 y) vanished; -1: both at the end."""

    time: float
    position: Array
    first_time: float
    first: int
