"""Coefficients that depend on the motion and the load of their contact, compiled; see `trundle.laws.coefficients`.

Everything here takes floats and arrays only, and never raises.
"""

from __future__ import annotations

import math

from numba import float64, int64, njit
from numba.extending import intrinsic

from trundle.laws.kernels.curves import JIT
from trundle.laws.kernels.own import _call_at_address

STRIBECK, TABLE, FUNCTION, HERTZ_PATCH = 0, 1, 2, 3
PARAMETERS = 6  # of a curve: its kind, and up to five numbers
OF_SPEED = float64(float64)


@intrinsic
def call_of_speed(typing_context, address, v):
    return float64(int64, float64), _call_at_address


@njit(**JIT)
def value_at(curve, call, points, k, v, load, radius):
    """Coefficient k at the speed v >= 0 [m/s or rad/s], the normal load [N] and the effective radius [m] of a contact."""
    kind = curve[k, 0]
    if kind == STRIBECK:  # static, kinetic, speed, exponent, viscous
        static, kinetic, speed = curve[k, 1], curve[k, 2], curve[k, 3]
        if speed > 0.0:
            return kinetic + (static - kinetic) * math.exp(-((v / speed) ** curve[k, 4])) + curve[k, 5] * v
        return static if v <= 0.0 else kinetic + curve[k, 5] * v
    if kind == TABLE:  # first row and number of rows in points (P, 2)
        first, last = int(curve[k, 1]), int(curve[k, 1]) + int(curve[k, 2]) - 1
        if v >= points[last, 0]:
            return points[last, 1]
        i = first
        while points[i + 1, 0] < v:
            i += 1
        if v <= points[i, 0]:
            return points[i, 1]
        share = (v - points[i, 0]) / (points[i + 1, 0] - points[i, 0])
        return points[i, 1] + share * (points[i + 1, 1] - points[i, 1])
    if kind == FUNCTION:
        return max(call_of_speed(call[k], v), 0.0)
    return (0.75 * max(load, 0.0) * radius / curve[k, 1]) ** (1.0 / 3.0)  # effective modulus
