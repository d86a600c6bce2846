"""Closed forms that the matrix compares with, and nothing of trundle.

A body of mass m on a plane, gravity g at the angle `slope` to its normal, x downhill; R: radius of rolling, k = I / (m R^2).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.integrate import solve_ivp

# --- translation ----------------------------------------------------------------------------------------------------


def sliding(g, slope, mu):
    """Acceleration downhill of a body that slides downhill.

    m a = m g sin(slope) - mu N,  N = m g cos(slope).
    """
    return g * (math.sin(slope) - mu * math.cos(slope))


def stopping(v0, g, mu, t):
    """Way and speed of a body that slides to rest on level ground.

    v = v0 - mu g t until v = 0, then it stays: friction can hold it.
    """
    t = np.minimum(t, v0 / (mu * g))
    return v0 * t - 0.5 * mu * g * t * t, v0 - mu * g * t


def falling(height, g, t):
    """Height above the ground of a body that falls from rest and does not rebound: z = height - g t^2 / 2 >= 0."""
    return np.maximum(height - 0.5 * g * t * t, 0.0)


# --- rolling --------------------------------------------------------------------------------------------------------


def rolling(g, slope, R, k, mu_r):
    """Acceleration downhill of a body that rolls downhill.

    Moments about the point of contact: (m R^2 + I) a / R = m g R sin(slope) - mu_r N.
    """
    return g * (math.sin(slope) - mu_r / R * math.cos(slope)) / (1.0 + k)


def rolling_to_rest(v0, g, R, k, mu_r, t):
    """Way and speed of a body that rolls on level ground: `rolling` at slope 0 until it stops."""
    a = -rolling(g, 0.0, R, k, mu_r)
    if a > 0.0:
        t = np.minimum(t, v0 / a)
    return v0 * t - 0.5 * a * t * t, v0 - a * t


def thrown(v0, g, R, k, mu, mu_r, t):
    """Speed and spin (about the axis of rolling) of a body that is set down at v0 without spin on level ground.

    While it slips, m v' = -mu m g and I w' = mu m g R - mu_r m g; it rolls from v = R w on, with `rolling` at slope 0.
    """
    turning = g * (mu * R - mu_r) / (k * R * R)
    slips = v0 / (mu * g + R * turning)
    first = np.minimum(t, slips)
    v = v0 - mu * g * first
    _, later = rolling_to_rest(v0 - mu * g * slips, g, R, k, mu_r, np.maximum(t - slips, 0.0))
    v = np.where(t > slips, later, v)
    return v, np.where(t > slips, v / R, turning * first)


def spinning(w0, g, lever, gyration, t):
    """Spin about the normal under a torque lever x N: I w' = -lever m g, I = m gyration^2, until it stops."""
    return np.maximum(w0 - lever * g / gyration**2 * t, 0.0)


def contensou_lever(mu, patch_radius):
    """Torque per normal force of a round patch that only spins, Hertz' pressure p = 3 N / (2 pi a^2) sqrt(1 - (r/a)^2).

    mu / N times the integral of p r dA = 3 mu / a^2 int_0^a sqrt(1 - (r/a)^2) r^2 dr = 3 pi / 16 mu a.
    """
    return 3.0 * math.pi / 16.0 * mu * patch_radius


# --- direction of friction ------------------------------------------------------------------------------------------


def superelliptic_friction(w, mu_x, mu_y, q, k):
    """Friction per normal force of a sliding velocity w (2,).

    Outward normal of the potential |f_x / p_x|^q + |f_y / p_y|^q at f is -w, p_y / p_x = (mu_y / mu_x)^k, and f lies on
    |f_x / mu_x|^q + |f_y / mu_y|^q = 1.  So |f_i| ~ (p_i^q |w_i|)^(1 / (q - 1)), and the size follows.
    """
    p = np.array([1.0, (mu_y / mu_x) ** k])
    w = np.asarray(w, float)
    f = -np.sign(w) * (p**q * np.abs(w) / np.abs(w).max()) ** (1.0 / (q - 1.0))
    return f / np.sum(np.abs(f / np.array([mu_x, mu_y])) ** q) ** (1.0 / q)


def sliding_path(v0, g, friction, t):
    """Velocities (n, 2) at times t of a body that slides with v' = g f(v), integrated to 1e-12."""
    found = solve_ivp(lambda _, v: g * friction(v), (0.0, t[-1]), v0, t_eval=t, rtol=1e-12, atol=1e-14, method="DOP853")
    return found.y.T


# --- shapes: squares of radii of gyration, I / m [m^2] ---------------------------------------------------------------


def ball(R):
    """(2/5) R^2 about any axis."""
    return 0.4 * R * R


def cylinder_axis(R):
    """R^2 / 2 about its axis; the same for a disk."""
    return 0.5 * R * R


def capsule_axis(R, height):
    """About its axis: cylinder of the volume pi R^2 height with R^2 / 2, and a ball with (2/5) R^2."""
    tube, ends = height, 4.0 / 3.0 * R
    return (tube * cylinder_axis(R) + ends * ball(R)) / (tube + ends)


def ellipsoid_axis(b, c):
    """(b^2 + c^2) / 5 about the third axis."""
    return 0.2 * (b * b + c * c)


def box_axis(a, b):
    """(a^2 + b^2) / 12 about the third axis."""
    return (a * a + b * b) / 12.0
