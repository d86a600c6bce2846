"""Solves the contact problem of a time step: sweeps without a matrix first, matrix methods where they stall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import RigidProblem
from trundle.solve import grain_kernels, rigid_kernels
from trundle.solve.auto import Auto
from trundle.solve.monitor import Monitor

Array = NDArray[np.float64]
MATRIX_CONTACTS = 1500  # above this the matrix methods do not pay inside a time step


@dataclass(frozen=True)
class StepSolution:
    """Impulses p' (6 C,) in scaled units, velocities v (B, 6), the residual and the sweeps it took."""

    p: Array
    v: Array
    residual: float
    iterations: int
    converged: bool


class _Sweeps:
    """Accelerated sweeps over a problem in general: impulses p' (6 C,) and velocities v (B, 6)."""

    def __init__(self, problem: RigidProblem, p: Array) -> None:
        self.problem, self.p, self.v = problem, p, problem.body_velocity(p)
        self._before, self._work, self._y = np.empty_like(p), np.zeros_like(p), np.zeros(6)
        self.restart()

    def restart(self) -> None:
        """Start the momentum again from p, with velocities free of gathered rounding."""
        self.v = self.problem.body_velocity(self.impulses())
        self._z, self._vz, self._state = self.p.copy(), self.v.copy(), np.array([1.0, np.inf, 1.3])

    def impulses(self) -> Array:
        """p' (6 C,) as it is now."""
        return self.p

    def sweep(self, count: int) -> None:
        """Do `count` sweeps."""
        problem = self.problem
        rigid_kernels.nesterov(
            *problem.table[:4], problem.table.weight, *problem.geometry, problem.inverse_mass, problem.inverse_inertia,
            problem.bias, problem.rho, problem.W_nn, problem.step,
            self.p, self.v, self._z, self._vz, self._before, self._work, self._y, self._state, count,
        )  # fmt: skip


class _GrainSweeps(_Sweeps):
    """The same for grains, with friction as vectors (C, 8)."""

    def __init__(self, problem: RigidProblem, p: Array) -> None:
        assert problem.disks is not None
        self.problem = problem
        a, b = problem.body.T
        n = problem.frame[:, 0]
        mass, self.turn = problem.inverse_mass, np.ascontiguousarray(problem.inverse_inertia[:, 0, 0])
        self.record = record = np.empty((len(n), grain_kernels.RECORD))
        record[:, :3] = n
        record[:, 3] = np.where(mass[a] > 0.0, np.einsum("ci,ci->c", problem.arm[:, 0], n), 0.0)
        record[:, 4] = np.where(mass[b] > 0.0, -np.einsum("ci,ci->c", problem.arm[:, 1], n), 0.0)
        record[:, 5] = problem.bias
        W_nn = mass[a] + mass[b]
        record[:, 6] = 1.0 / W_nn
        record[:, 7] = 1.0 / (W_nn + record[:, 3] ** 2 * self.turn[a] + record[:, 4] ** 2 * self.turn[b])
        record[:, 8] = 1.0 / (self.turn[a] + self.turn[b])
        record[:, 9:] = problem.disks
        self.p = self._to_vectors(p)
        self._before = np.empty_like(self.p)
        self.restart()

    def _to_vectors(self, p: Array) -> Array:
        rows, frame, length = p.reshape(-1, 6), self.problem.frame, self.problem.length[:, None]
        out = np.empty((len(rows), grain_kernels.IMPULSE))
        out[:, 0] = rows[:, 0]
        out[:, 1:4] = rows[:, 1:2] * frame[:, 1] + rows[:, 2:3] * frame[:, 2]
        out[:, 4] = rows[:, 3] * length[:, 0]
        out[:, 5:] = (rows[:, 4:5] * frame[:, 1] + rows[:, 5:] * frame[:, 2]) * length
        return out

    def impulses(self) -> Array:
        rows, frame, length = np.empty((len(self.p), 6)), self.problem.frame, self.problem.length
        rows[:, 0] = self.p[:, 0]
        rows[:, 3] = self.p[:, 4] / length
        for i in (1, 2):
            rows[:, i] = np.einsum("ci,ci->c", self.p[:, 1:4], frame[:, i])
            rows[:, 3 + i] = np.einsum("ci,ci->c", self.p[:, 5:], frame[:, i]) / length
        return rows.ravel()

    def sweep(self, count: int) -> None:
        grain_kernels.nesterov(
            self.problem.body, self.record, self.problem.inverse_mass, self.turn,
            self.p, self.v, self._z, self._vz, self._before, self._state, count,
        )  # fmt: skip


def solve_step(problem: RigidProblem, p: Array, tolerance: float, max_sweeps: int) -> StepSolution:
    """Solve from the guess p' (6 C,), which is changed, to a relative residual of `tolerance`."""
    if not len(problem.body):
        return StepSolution(p, problem.v_free.copy(), 0.0, 0, True)
    sweeps = (_GrainSweeps if problem.disks is not None else _Sweeps)(problem, p)
    done, count = 0, 5
    small = len(problem.body) <= MATRIX_CONTACTS
    limit = min(max_sweeps, 200) if small else max_sweeps
    while done < limit:
        sweeps.sweep(count)
        done += count
        p = sweeps.impulses()
        if problem.residual(p, sweeps.v) <= tolerance:
            # the velocities gather the rounding of every update: judge with those that belong to p
            sweeps.restart()
            residual = problem.residual(p, sweeps.v)
            if residual <= tolerance:
                return StepSolution(p, sweeps.v, residual, done, True)
        count = 10
    if small:
        p, _, used = _with_matrix(problem, p, tolerance, max_sweeps)
        done += used
    v = problem.body_velocity(p)
    residual = problem.residual(p, v)
    return StepSolution(p, v, residual, done, residual <= tolerance)


def _with_matrix(problem: RigidProblem, p: Array, tolerance: float, max_sweeps: int) -> tuple[Array, float, int]:
    scaled, rows = problem.scaled
    monitor = Monitor(scaled, tolerance, max_sweeps)
    start = np.ascontiguousarray(p[rows])
    monitor.report(start, 0)
    if not monitor.done:
        Auto().run(scaled, start, monitor)
    full = np.zeros_like(p)
    full[rows] = monitor.best
    return full, monitor.best_residual, monitor.iterations
