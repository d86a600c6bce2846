"""Newton's method on the present modes of the contacts, with long steps where modes do not settle by themselves.

Piles have more contacts than determine their motion.  Where the gaps of such contacts contradict each other, be it by 1e-9 m/s,
a Newton step can only share the contradiction among them: no impulse within the present modes removes it.  The residual then
stays while impulses that W does not determine move along a straight line, slowly, until a contact opens or slips.  Here such a
ray is followed to its end at once: it is the pivot of an active-set method.
"""

from __future__ import annotations

import math

import numpy as np

from trundle.contact.kernels.natural import natural_map
from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Linearisation

SAME, LESS = 1.001, 0.9  # factors of the residual between which a step changes nothing but impulses
SHORTEST, DOUBLINGS, BISECTIONS = 1e-4, 24, 6


class _Rays:
    """Impulses p and their residual."""

    def __init__(self, problem: ScaledProblem, p: Array, delta: float) -> None:
        self.problem, self.p, self.delta = problem, p, delta
        self.model = Linearisation(problem)
        self.size = problem.residual(p)
        self._work = np.zeros((2, len(p)))
        self._still = np.zeros_like(p)

    def _trial(self, direction: Array, share: float) -> tuple[Array, float]:
        """Impulses some way along a direction, moved into their cones, and their residual."""
        problem, (change, work) = self.problem, self._work
        x = self.p + share * direction
        natural_map(*problem.laws, problem.table.weight, problem.rho, problem.relaxed, x, self._still, change, work)
        x -= change
        return x, problem.residual(x)

    def advance(self) -> bool:
        """One step; False if the equations are singular."""
        self.model.evaluate(self.p, 0.0, self.p)
        direction = self.model.direction(self.delta)
        if direction is None:
            return False
        share, highest = 1.0, SAME * self.size
        x, size = self._trial(direction, share)
        while not size <= highest and share > SHORTEST:
            share *= 0.5
            x, size = self._trial(direction, share)
        if LESS * self.size <= size <= highest:
            x, size = self._to_end(direction, share, x, size, highest)
        self.p, self.size = x, size
        return math.isfinite(size)

    def _to_end(self, direction: Array, share: float, x: Array, size: float, highest: float) -> tuple[Array, float]:
        """Along a ray on which the residual stays: until it falls, or just beyond the place where it rises."""
        low, high = share, math.inf
        for _ in range(DOUBLINGS):
            further, there = self._trial(direction, 2.0 * low)
            if not there <= highest:
                high = 2.0 * low
                break
            low, x, size = 2.0 * low, further, there
            if there < LESS * self.size:
                break
        if math.isinf(high):
            return x, size
        for _ in range(BISECTIONS):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self._trial(direction, middle)[1] <= highest else (low, middle)
        return self._trial(direction, high)


def follow_rays(problem: ScaledProblem, p: Array, monitor: Monitor, delta: float, most: int) -> None:
    """At most so many steps from p, which is changed; an iteration is a factorisation.  delta: see `Linearisation`."""
    rays = _Rays(problem, p.copy(), delta)
    for _ in range(min(most, monitor.remaining)):
        if monitor.done or not rays.advance():
            break
        monitor.report(rays.p, 1, rays.model.entries)
    p[:] = rays.p
