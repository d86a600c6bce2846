"""The central path of the exact law, followed around its turns.

Points inside the cones with r_n u_n = nu and (mu r_n, f) o (t, w) = nu e at every contact form a smooth curve that begins at a
unique point for large nu and ends at a solution for nu = 0.  The law is not monotone, so the curve may turn back: nu has to
rise before it can fall again, and a method that only lowers nu loses it.  Here a step is measured along the curve, in log nu
and the relative change of all impulses and velocities (pseudo-arclength), and nu follows as it may.  Which way is onwards is
told by the sign of the determinant of Newton's matrix: it changes where the curve turns, so nu falls onwards where it is that
of the beginning (degree theory), even after a leap to another part of the curve.
"""

from __future__ import annotations

import math

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.solve import interior_kernels as kernels
from trundle.solve.base import Array
from trundle.solve.interior_state import InteriorState
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Newton

Point = tuple[Array, Array, Array]  # p, y, t

TURN, SHARP = 0.6, 1e-3  # cosine of the largest angle between two tangents, unless the step is as short as that
ON_PATH = 1e-4  # relative deviation from centrality; a looser one lets the two sides of a sharp turn be mixed up
LEAP = 0.2  # share of nu that is tried without following the path, where it runs straight
CORRECTIONS = 8
PREDICTED = 0.7  # share of the way to the boundary of the cones that a predictor may go
LONGEST, SHORTEST = 1.0, 1e-9  # steps
POLISH_EVERY, POLISH_STEPS, LAST_STEPS = 0.05, 20, 60  # fall of nu after which Newton tries to finish; its iterations
LAST = 1e-24  # share of the first nu at which rounding takes over


def follow(problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
    """Follow the path from its beginning, whatever p is; an iteration is a factorisation.

    Newton's method on the law itself tries to finish whenever nu has fallen by much: near the end it converges
    quadratically, and the path only linearly.
    """
    path = _Path(problem, monitor.remaining)
    going, reached, reported = path.begin(), path.nu, 0
    while going:
        p[:] = path.state.p
        monitor.report(p, path.factorisations - reported)
        reported = path.factorisations
        if monitor.done:
            return
        if path.nu <= POLISH_EVERY * reached:
            reached = path.nu
            _finish(problem, p, monitor, POLISH_STEPS)
        path.allowed = path.factorisations + monitor.remaining
        going = not monitor.converged and path.advance()
    if not monitor.converged:  # at the end of the path, or it was lost
        p[:] = path.state.p
        monitor.report(p, path.factorisations - reported)
        _finish(problem, p, monitor, LAST_STEPS)
        monitor.note = "the central path of the interior point method could not be followed any further"


def _finish(problem: ScaledProblem, p: Array, monitor: Monitor, most: int) -> None:
    """Newton steps from p, as many as are left, reported as one."""
    most = min(most, monitor.remaining)
    if most > 0 and np.all(np.isfinite(p)):
        watch = Monitor(problem, monitor.tolerance, most)
        watch.report(p, 0)
        Newton().run(problem, p, watch)
        monitor.report(watch.best, watch.iterations)


class _Path:
    """A point of the path, and the direction in which it goes on."""

    def __init__(self, problem: ScaledProblem, allowed: int) -> None:
        self.problem = problem
        self.allowed = allowed  # factorisations in all
        self.state = InteriorState(problem)
        self.factorisations = 0
        self.nu = 10.0 * float(kernels.gap(*self._arguments)) if len(problem.q) else 0.0
        self.last = LAST * self.nu
        self.length = 0.5
        self.sign = self.first_sign = 0.0  # of the determinant, here and at the beginning
        self.onwards: tuple[Point, float] | None = None  # unit tangent and its part in log nu
        self.patience, self.wait = 1, 0

    @property
    def _point(self) -> Point:
        return self.state.p, self.state.y, self.state.t

    @property
    def _arguments(self) -> tuple:
        return (*self.state.laws, self.problem.relaxed, *self._point)

    def begin(self) -> bool:
        """Find the path where it begins."""
        found = self.nu > 0.0 and self._centre(self.nu, 60)
        self.first_sign = self.sign
        return found

    def advance(self) -> bool:
        """Go on by one step; False at the end, or if that is not possible."""
        if not self.last < self.nu:
            return False
        if self.wait <= 0 and self.sign == self.first_sign:
            if self._leap():
                return True
            self.patience = min(2 * self.patience, 64)
            self.wait = self.patience
        self.wait -= 1
        return self._step_along()

    def _leap(self) -> bool:
        """Look for the path at a much smaller nu, by Newton steps from here."""
        before = self._keep()
        if self._centre(LEAP * self.nu, CORRECTIONS):
            self.nu *= LEAP
            self.onwards = None
            self.patience = 1
            return True
        self._restore(before)
        return False

    def _step_along(self) -> bool:
        """Predictor along the tangent, then corrections across it; shorter if they do not converge or it turns much."""
        onwards = self.onwards or self._direction()
        if onwards is None:
            return False
        before, nu, units = self._keep(), self.nu, self._units()
        while self.length > SHORTEST:
            length = min(self.length, LONGEST, PREDICTED * self._room(onwards[0]))
            self._move(onwards[0], length)
            found = self._correct(math.log(nu) + length * onwards[1], *onwards, units)
            if found is not None:
                self.nu, corrections = found
                self.onwards = self._direction()
                if self.onwards and (length < SHARP or self._cosine(onwards, units) > TURN):
                    self.length = length * 1.5 if corrections <= 3 else length if corrections <= 5 else 0.7 * length
                    return True
            self.nu = nu
            self._restore(before)
            self.length = 0.5 * length
        return False

    def _cosine(self, before: tuple[Point, float], units: Point) -> float:
        """Of the angle between the tangent before and now, nearly."""
        assert self.onwards is not None
        return _product(self.onwards[0], before[0], units) + self.onwards[1] * before[1]

    def _direction(self) -> tuple[Point, float] | None:
        """Unit tangent and its part in log nu, pointing onwards."""
        steps = self._newton(self.nu)
        if steps is None:
            return None
        slope, units = steps[1], self._units()
        norm = math.sqrt(_product(slope, slope, units) + 1.0)
        sign = (-1.0 if self.sign == self.first_sign else 1.0) / norm
        return (sign * slope[0], sign * slope[1], sign * slope[2]), sign

    def _correct(self, log_nu: float, tangent: Point, falls: float, units: Point) -> tuple[float, int] | None:
        """Newton steps back to the path, across the tangent; nu and their number, or None."""
        deviation = math.inf
        for count in range(1, CORRECTIONS + 1):
            steps = self._newton(math.exp(log_nu))
            if steps is None:
                return None
            change, slope = steps
            shift = -_product(change, tangent, units) / (_product(slope, tangent, units) + falls)
            step = (change[0] + shift * slope[0], change[1] + shift * slope[1], change[2] + shift * slope[2])
            if not abs(shift) <= 1.0 or not self._room(step) > 1.05:
                return None
            self._move(step, 1.0)
            log_nu += shift
            before, deviation = deviation, float(kernels.off_centre(*self._arguments, math.exp(log_nu)))
            if deviation <= ON_PATH:
                return math.exp(log_nu), count
            if not deviation <= 2.0 * before:
                return None
        return None

    def _centre(self, nu: float, most: int) -> bool:
        """Newton steps to the point of the path at a given nu."""
        for _ in range(most):
            steps = self._newton(nu)
            if steps is None:
                return False
            length = min(1.0, 0.95 * self._room(steps[0]))
            self._move(steps[0], length)
            if length == 1.0 and kernels.off_centre(*self._arguments, nu) <= ON_PATH:
                return True
        return False

    def _newton(self, nu: float) -> tuple[Point, Point] | None:
        """Newton step to centrality nu, and the derivative of that point by log nu; one factorisation for both."""
        if self.factorisations >= self.allowed:
            return None
        state = self.state
        missing = self.problem.velocity(state.p) - state.y
        state.linearise(nu, state.zero)
        solve = state.model.factor(0.0)
        self.factorisations += 1
        if solve is None:
            return None
        self.sign = solve.sign
        first = state.step(solve, missing, nu, state.zero)
        second = state.step(solve, missing, 2.0 * nu, state.zero)
        if not all(np.all(np.isfinite(part)) for part in (*first, *second)):
            return None
        return first, (second[0] - first[0], second[1] - first[1], second[2] - first[2])

    def _units(self) -> Point:
        units = tuple(np.empty_like(part) for part in self._point)
        kernels.relative_units(*self._arguments, *units)
        return units[0], units[1], units[2]

    def _room(self, step: Point) -> float:
        """How often a step can be taken before the boundary of a cone is reached."""
        return float(min(kernels.longest_step(*self._arguments, *step)))

    def _move(self, step: Point, length: float) -> None:
        for value, change in zip(self._point, step, strict=True):
            value += length * change

    def _keep(self) -> Point:
        p, y, t = self._point
        return p.copy(), y.copy(), t.copy()

    def _restore(self, point: Point) -> None:
        for value, kept in zip(self._point, point, strict=True):
            value[:] = kept


def _product(a: Point, b: Point, units: Point) -> float:
    """Scalar product of two moves in relative units, per row of p."""
    total = sum(float(np.sum(x * y * unit * unit)) for x, y, unit in zip(a, b, units, strict=True))
    return total / max(len(a[0]), 1)
