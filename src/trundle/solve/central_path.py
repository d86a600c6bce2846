"""The central path of the exact law, followed around its turns by power series.

Points inside the cones with r_n u_n = nu and (mu r_n, f) o (t, w) = nu e at every contact form a smooth curve that begins at a
unique point for large nu and ends at a solution for nu = 0.  The law is not monotone, so the curve may turn back: nu has to
rise before it can fall again, and a method that only lowers nu loses it.  Here a step is measured along the curve, in log nu
and the relative change of all impulses and velocities (pseudo-arclength), and nu follows as it may.

The equations are bilinear, so one factorisation gives as many terms of the Taylor series along the curve as one likes
(asymptotic numerical method, Cochelin 1994): a step goes as far as the series converges, and needs no correction but one
with the factor of the next step.  That is a tenth of the factorisations of a predictor and corrector.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array
from trundle.solve.interior_state import InteriorState
from trundle.solve.kernels import interior as kernels
from trundle.solve.kernels import series
from trundle.solve.monitor import Monitor
from trundle.solve.newton import Newton
from trundle.solve.proximal import ProximalPoint

Point = tuple[Array, Array, Array]  # p, y, t
Solve = Callable[[Array], Array]  # of linear equations

ORDER = 16  # of the series
TRUNCATION = (1e-5, 1e-7)  # size of the last term of a series; where the path is lost, again with the next
DEVIATION = 10.0  # largest distance from centrality after a step, times the truncation
ROUNDING, MOST_ROUNDING = 1e-14, 0.3  # and what rounding adds to it near the end, relative to the largest product
LONGER, SHORTER, SHORTENINGS = (
    1.6,
    0.85,
    80,
)  # first step as a multiple of the estimate; factor and number of shorter ones
CENTRED, CENTRING = (
    1e-8,
    (30, 10),
)  # distance from centrality at which the path begins; steps to get there, and from near it
BACK = 1e6  # multiple of the first nu at which the path is lost: it went back
SHORT = 0.1  # step of the interior point method at which the path turns, Newton's being 1
BACK_FROM_TURN = 2  # steps
NEARLY, POLISH_EVERY, POLISH_STEPS, LAST_STEPS = (
    1e-3,
    0.1,
    10,
    60,
)  # residual and fall of nu from which on Newton tries to finish
PROXIMAL, FAR = 1e-4, 1e-2  # of the steps from the first turn; residual there from which on they lead nowhere
LAST = 1e-24  # share of the first nu at which rounding takes over


def follow(problem: ScaledProblem, p: Array, monitor: Monitor, boundary: float) -> None:
    """Follow the path to its end, whatever p is; an iteration is a factorisation.

    Predictor and corrector of the interior point method as far as the first turn, then series.  Newton's method on the law
    itself tries to finish whenever nu has fallen by much: near the end it converges quadratically.
    """
    state = InteriorState(problem)
    monitor.report(np.zeros_like(p), 0)
    nearest = to_first_turn(state, monitor, boundary)
    if problem.bodies is not None and monitor.best_residual < FAR and not monitor.done:
        p[:] = nearest  # central: contacts that stick are well inside their cones, and stay there
        ProximalPoint(problem, PROXIMAL).descend(p, monitor)
    for path in (
        lambda: _Path(problem, TRUNCATION[0], state),
        lambda: _Path(problem, TRUNCATION[0]),
        lambda: _Path(problem, TRUNCATION[1]),
    ):
        if monitor.done or _follow(problem, path(), p, monitor):
            break
    if not monitor.done:
        p[:] = monitor.best
        _finish(problem, p, monitor, LAST_STEPS)
        monitor.note = "the central path of the interior point method could not be followed any further"


def to_first_turn(state: InteriorState, monitor: Monitor, boundary: float) -> Array:
    """Steps of the interior point method, and back by some from the last that is long: the path turns sharply there.

    Returns the impulses of least residual.
    """
    passed = [(state.p.copy(), state.y.copy(), state.t.copy())]
    nearest, least = state.p.copy(), math.inf
    while not monitor.done:
        step = state.advance(boundary)
        if step is None or step < SHORT:
            break
        passed = [*passed[-BACK_FROM_TURN:], (state.p.copy(), state.y.copy(), state.t.copy())]
        residual = monitor.report(state.p, 1, state.model.entries)
        if residual < least:
            nearest, least = state.p.copy(), residual
    state.p[:], state.y[:], state.t[:] = passed[0]
    return nearest


def _follow(problem: ScaledProblem, path: _Path, p: Array, monitor: Monitor) -> bool:
    """To the end of the path, or as far as the iterations reach; False if the path was not found, or lost."""
    reported, first, tried = 0, path.nu, path.nu
    going = found = path.begin(monitor.remaining)
    while True:
        p[:] = path.state.p
        residual = monitor.report(p, path.factorisations - reported, path.entries)
        reported = path.factorisations
        polish = residual < NEARLY and path.nu < POLISH_EVERY * tried
        if polish and not monitor.done:
            tried = path.nu
            _finish(problem, p, monitor, POLISH_STEPS)
        if monitor.done or not going or path.nu > BACK * first:
            return found and path.nu < first
        going = path.nu > LAST * first and path.advance()


def _finish(problem: ScaledProblem, p: Array, monitor: Monitor, most: int) -> None:
    """Newton steps from p, as many as are left, reported as one."""
    most = min(most, monitor.remaining)
    if most > 0 and np.all(np.isfinite(p)):
        watch = Monitor(problem, monitor.tolerance, most)
        watch.report(p, 0)
        Newton().run(problem, p, watch)
        monitor.report(watch.best, watch.iterations, watch.entries)


class _Path:
    """A point of the path, and the direction in which it goes on."""

    def __init__(self, problem: ScaledProblem, truncation: float, near: InteriorState | None = None) -> None:
        self.problem, self.truncation = problem, truncation
        self.state = state = near or InteriorState(problem)
        self.factorisations = self.entries = 0
        self._centring = CENTRING[near is not None]
        self.nu = (3.0 if near else 10.0) * float(kernels.gap(*self._arguments)) if len(problem.q) else 0.0
        m, blocks = len(state.p), len(state.t)
        self._terms = np.zeros((m, ORDER + 1)), np.zeros((m, ORDER + 1)), np.zeros((blocks, ORDER + 1))
        self._g, self._along_nu = np.zeros(m + blocks), np.zeros(m + blocks)
        series.direction_of_nu(*state.laws, self._along_nu)
        self._ahead: tuple[Point, float] | None = None  # derivative of the point and of nu at the end of the last step

    @property
    def _point(self) -> Point:
        return self.state.p, self.state.y, self.state.t

    @property
    def _arguments(self) -> tuple:
        return (*self.state.laws, self.problem.relaxed, *self._point)

    def begin(self, most: int) -> bool:
        """Find the path where it begins, by Newton steps."""
        for _ in range(min(most, self._centring)):
            if not self.nu > 0.0:
                return False
            missing = self.problem.velocity(self.state.p) - self.state.y
            solve = self._factor()
            if solve is None:
                return False
            step = self.state.step(solve, missing, self.nu, self.state.zero)
            length = min(1.0, 0.95 * float(min(kernels.longest_step(*self._arguments, *step))))
            for value, change in zip(self._point, step, strict=True):
                value += length * change
            if not length > 0.0:
                return False
            if length == 1.0 and self._off_centre(self.nu) <= CENTRED:
                return True
        return False

    def advance(self) -> bool:
        """Go on by one series; False if that is not possible."""
        solve = self._factor()
        if solve is None:
            return False
        self._correct(solve)
        units = tuple(np.empty_like(part) for part in self._point)
        kernels.relative_units(*self._arguments, *units)
        nus = self._expand(solve, units)
        return nus is not None and self._step(nus, self._sizes(nus, units))

    def _factor(self) -> Solve | None:
        """Solver of Newton's equations at this point."""
        self.state.linearise(0.0, self.state.zero)
        solve = self.state.factor()
        self.factorisations += 1
        self.entries = 2 * self.state.model.entries  # the terms of the series take as long again
        return solve

    def _off_centre(self, nu: float) -> float:
        return float(kernels.off_centre(*self._arguments, nu))

    def _correct(self, solve: Solve) -> None:
        """One Newton step back to the path, if it helps."""
        before = self._off_centre(self.nu)
        if before <= CENTRED:
            return
        kept = [part.copy() for part in self._point]
        series.deviation(*self._arguments, self.nu, self._g)
        for value, change in zip(self._point, self._solve(solve, self._g), strict=True):
            value += change
        if not series.inside(*self._arguments) or not self._off_centre(self.nu) < before:
            for value, old in zip(self._point, kept, strict=True):
                value[:] = old

    def _solve(self, solve: Solve, g: Array) -> Point:
        """dp, dy, dt of the linear equations of the path, with the right-hand side g."""
        state = self.state
        series.without_slacks(*state.laws, self.problem.relaxed, state.p, g, state.model.F)
        dp = solve(state.model.F)
        dy, dt = self.problem.times(dp), np.empty_like(state.t)
        series.slacks(*state.laws, *self._point, g, dp, dy, dt)
        return dp, dy, dt

    def _expand(self, solve: Solve, units: tuple[Array, ...]) -> Array | None:
        """Fill the terms of the series in the arclength a; returns those of nu."""
        P, Y, T = self._terms
        by_nu = self._solve(solve, self._along_nu)
        square = series.dot(*units, *by_nu, *by_nu)
        if not math.isfinite(square):
            return None
        nus = np.zeros(ORDER + 1)
        rate = self.nu / math.hypot(1.0, math.sqrt(square) * self.nu)
        ahead = -1.0  # nu falls at first, then the direction is kept
        if self._ahead is not None:
            ahead = series.dot(*units, *self._ahead[0], *by_nu) + self._ahead[1] / self.nu / self.nu
        rate = math.copysign(rate, ahead)
        nus[:2] = self.nu, rate
        tangent = [rate * part for part in by_nu]
        for X, value, slope in zip(self._terms, self._point, tangent, strict=True):
            X[:, 0], X[:, 1] = value, slope
        length = rate * square + rate / self.nu / self.nu
        for k in range(2, ORDER + 1):
            series.lower_products(*self.state.laws, self.problem.relaxed, P, Y, T, k, self._g)
            change = self._solve(solve, self._g)
            nus[k] = -series.dot(*units, *tangent, *change) / length
            for X, part, slope in zip(self._terms, change, by_nu, strict=True):
                series.set_order(part, nus[k], slope, k, X)
        return nus

    def _sizes(self, nus: Array, units: tuple[Array, ...]) -> float:
        """Length of the step at which the last two terms of the series are as small as the truncation."""
        length = math.inf
        for k in (ORDER - 1, ORDER):
            term = [np.ascontiguousarray(X[:, k]) for X in self._terms]
            size = math.sqrt(series.dot(*units, *term, *term) + (nus[k] / self.nu) ** 2)
            if not math.isfinite(size):
                return 0.0
            length = min(length, (self.truncation / max(size, 1e-300)) ** (1.0 / (k - 1)))
        return length

    def _step(self, nus: Array, length: float) -> bool:
        """To the end of the series, or as far as it stays on the path."""
        kept = [part.copy() for part in self._point]
        slopes = tuple(np.empty_like(part) for part in self._point)
        length *= LONGER
        powers = np.polynomial.Polynomial(nus)
        largest = float(np.abs(self.state.p).max()) * float(np.abs(self.problem.q).max())  # of the products that are nu
        for _ in range(SHORTENINGS if length > 0.0 else 0):
            nu = float(powers(length))
            if nu > 0.0:
                for X, value, slope in zip(self._terms, self._point, slopes, strict=True):
                    series.sum_series(X, length, value, slope)
                far = DEVIATION * self.truncation + min(ROUNDING * largest / nu, MOST_ROUNDING)
                if series.inside(*self._arguments) and self._off_centre(nu) <= far:
                    self._ahead = (slopes[0], slopes[1], slopes[2]), float(powers.deriv()(length))
                    self.nu = nu
                    return True
            length *= SHORTER
        for value, old in zip(self._point, kept, strict=True):
            value[:] = old
        return False
