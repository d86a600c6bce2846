"""A thin disk on a table with Coulomb-Contensou friction as an equation of motion, which knows nothing of trundle.

Le Saux, Leine & Glocker (2005), case 3.  The contact sticks (no slip, no spin about the normal) until the force and the torque
that this takes reach the boundary of the friction set; then it slides and spins, and both follow from the velocities by the
potential phi of a Hertzian patch (the exact closed form, not the paper's series).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

UP = np.array([0.0, 0.0, 1.0])


def phi(s):
    """Potential of friction per mu N for slip / (patch radius * spin) = s, and its derivative."""
    if s <= 1.0:
        return 3 * math.pi / 16 * (1 + s**2 - s**4 / 8), 3 * math.pi / 16 * (2 * s - s**3 / 2)
    if s > 1e3:  # phi = s + 1 / (5 s) + ...: a patch that hardly spins
        return s + 0.1 / s, 1.0 - 0.1 / s**2
    a, root = math.asin(1 / s), math.sqrt(s**2 - 1)
    value = 3 / 8 * (1 + s**2 - s**4 / 8) * a + (21 / 32 + 3 * s**2 / 64) * root
    return value, 3 / 8 * (2 * s - s**3 / 2) * a - 3 / 8 * (1 + s**2 - s**4 / 8) / (s * root) + 3 * s / 32 * root + (
        21 / 32 + 3 * s**2 / 64
    ) * s / root


class Disk:
    """State: axis (3), centre (3), velocity (3), angular velocity (3); world frame, SI units."""

    def __init__(self, mass, radius, gravity, mu, patch):
        self.m, self.r, self.g, self.mu, self.patch = mass, radius, gravity, mu, patch

    def arm(self, a, w):
        """From the centre to the contact point, and its rate."""
        da = np.cross(w, a)
        level, dlevel = UP - a[2] * a, -(da[2] * a + a[2] * da)
        size = np.linalg.norm(level)
        unit = level / size
        return -self.r * unit, -self.r * (dlevel - unit * (unit @ dlevel)) / size

    def inverse_inertia(self, a):
        across = 4.0 / (self.m * self.r**2)
        return across * np.eye(3) - 0.5 * across * np.outer(a, a)

    def rates(self, y, rows, given):
        """Rate of the state, and the force and torque (6,) on the contact: given, plus rows of it that hold velocities."""
        a, v, w = y[:3], y[6:9], y[9:]
        r, dr = self.arm(a, w)
        J = self.inverse_inertia(a)
        momentum = np.linalg.solve(J, w)
        H = np.hstack([np.vstack([np.eye(3), np.zeros((3, 3))]), np.vstack([np.cross(np.eye(3), r).T, np.eye(3)])])
        M = np.block([[np.eye(3) / self.m, np.zeros((3, 3))], [np.zeros((3, 3)), J]])
        free = np.concatenate([-self.g * UP, -J @ np.cross(w, momentum)])
        drift = np.concatenate([np.cross(w, dr), np.zeros(3)])
        # H dv + drift = 0 on the rows that are held; a given load is a multiple of the normal force
        load = np.zeros((6, len(rows)))
        for k, row in enumerate(rows):
            load[row, k] = 1.0
        load[:, 0] += given
        found = np.linalg.solve((H @ M @ H.T @ load)[rows], -(H @ free + drift)[rows])
        change = free + M @ H.T @ (load @ found)
        return np.concatenate([np.cross(w, a), v, change]), load @ found

    def stick(self, _, y):
        return self.rates(y, [2, 0, 1, 5], np.zeros(6))[0]

    def direction(self, y):
        """s of the load that sticking takes, and by how much it exceeds the boundary of the set."""
        load = self.rates(y, [2, 0, 1, 5], np.zeros(6))[1] / (
            self.mu * (self.rates(y, [2, 0, 1, 5], np.zeros(6))[1][2])
        )
        force, torque = math.hypot(load[0], load[1]), abs(load[5]) / self.patch

        def ratio(log_s):
            value, slope = phi(math.exp(log_s))
            return slope * torque - (value - math.exp(log_s) * slope) * force

        s = math.exp(brentq(ratio, -30, 6)) if force > 0.0 else 0.0
        value, slope = phi(s)
        return s, math.hypot(force, torque) / math.hypot(slope, value - s * slope) - 1.0, load

    def slide(self, _, y):
        a, v, w = y[:3], y[6:9], y[9:]
        slip = (v + np.cross(w, self.arm(a, w)[0]))[:2]
        spin, size = self.patch * w[2], math.hypot(*slip)
        s = size / abs(spin) if spin else math.inf
        value, slope = phi(min(s, 1e12))
        given = np.zeros(6)
        given[:2] = -self.mu * slope * slip / size if size else 0.0
        given[5] = -self.mu * self.patch * (value - min(s, 1e12) * slope) * np.sign(spin)
        return self.rates(y, [2], given)[0]

    def move(self, y, times):
        """States (T, 12) at some times."""

        def reaches(_, y):
            return self.direction(y)[1]

        reaches.terminal = True
        end = float(times[-1])
        first = solve_ivp(
            self.stick, (0, end), y, method="DOP853", rtol=1e-11, atol=1e-13, events=reaches, dense_output=True
        )
        if not len(first.t_events[0]):
            return first.sol(times).T
        onset, y = float(first.t_events[0][0]), first.y_events[0][0].copy()
        # motion begins along the normal of the set: any small velocity with the right s will do
        s, _, load = self.direction(y)
        spin = -1e-9 / self.patch * np.sign(load[5])
        slip = -1e-9 * s * load[:2] / math.hypot(load[0], load[1])
        y[11] += spin
        y[6:9] += np.array([*slip, 0.0]) - np.cross([0, 0, spin], self.arm(y[:3], y[9:])[0])
        then = solve_ivp(self.slide, (onset, end), y, method="Radau", rtol=1e-9, atol=1e-12, dense_output=True)
        return np.array([(first.sol if t <= onset else then.sol)(t) for t in times])

    def energy(self, y):
        a, v, w = y[:, :3], y[:, 6:9], y[:, 9:]
        along = np.sum(a * w, axis=1)
        turning = 0.25 * self.m * self.r**2 * (np.sum(w * w, axis=1) + along**2)
        return 0.5 * (self.m * np.sum(v * v, axis=1) + turning) + self.m * self.g * y[:, 5]
