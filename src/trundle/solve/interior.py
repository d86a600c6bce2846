"""Interior point method for laws made of disks, ellipses and other smooth curves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from trundle.contact.blocks import to_blocks
from trundle.contact.scaled import ScaledProblem
from trundle.errors import SolverError
from trundle.laws.kernels.curves import SUPERELLIPSE
from trundle.laws.kernels.sections import DISK, FREE, PLAIN
from trundle.solve.base import Array, Solver
from trundle.solve.central_path import follow
from trundle.solve.interior_state import CURVES, InteriorState
from trundle.solve.monitor import Monitor


def can_treat(problem: ScaledProblem) -> bool:
    """Whether all blocks are disks, intervals or free rows."""
    return bool(np.all(np.isin(problem.table.block[:, 0], (DISK, FREE))))


def can_treat_curves(problem: ScaledProblem) -> bool:
    """Whether all blocks are disks, free rows, or curves whose gauge is known, with the normal of the set as direction."""
    table = problem.table
    kind, coef = table.block[:, 0], table.coef
    curved = np.isin(kind, CURVES)
    associated = [bool(np.all(table.weight[row : row + size] == 1.0)) for _, row, size, _ in table.block[curved]]
    real = np.all(coef[curved, 1] > 0.0) | np.all(coef[curved, 0] == 0.0)
    return bool(np.all(curved | np.isin(kind, (DISK, FREE))) and all(associated) and real)


def ellipses(problem: ScaledProblem) -> NDArray[np.int64]:
    """Numbers of the blocks that are superellipses with q = 2: second-order cones."""
    table = problem.table
    return np.flatnonzero((table.block[:, 0] == SUPERELLIPSE) & (table.coef[:, 2] == 2.0))


def without_ellipses(problem: ScaledProblem) -> tuple[ScaledProblem, Array]:
    """The same problem with disks in place of ellipses, and the factors (m,) from its impulses to those of `problem`.

    |(f_x / mu_x, f_y / mu_y)| <= r is a disk for f' = f mu / (mu_x, mu_y), mu the geometric mean, whose velocity is
    w' = w (mu_x, mu_y) / mu; where the law is not associated, its factors on the velocity go into w' as well.
    """
    chosen, table = ellipses(problem), problem.table
    stretch = np.ones(len(problem.q))
    if not len(chosen):
        return problem, stretch
    block, coef, contact, weight = table.block.copy(), table.coef.copy(), table.contact.copy(), table.weight.copy()
    velocity = stretch.copy()
    for b in chosen:
        rows, mu = slice(block[b, 1], block[b, 1] + 2), coef[b, :2]
        mean = float(np.sqrt(mu[0] * mu[1]))
        stretch[rows] = mu / mean if mean > 0.0 else 1.0
        velocity[rows] = stretch[rows] * weight[rows]
        weight[rows] = 1.0
        block[b, 0], coef[b, 0], coef[b, 1:] = DISK, mean, 0.0
    plain = np.array([np.all(block[one[1] : two[1], 0] == DISK) for one, two in pairwise(contact)])
    contact[:-1, PLAIN] = plain
    matrix = to_blocks(sp.csr_array(sp.diags(velocity) @ problem.matrix @ sp.diags(stretch)), contact[:, 0])
    disks = table._replace(block=block, coef=coef, contact=contact, weight=weight)
    return replace(
        problem, table=disks, make_blocks=lambda: matrix, q=velocity * problem.q, scale=problem.scale * stretch, bodies=None
    ), stretch  # fmt: skip


@dataclass(frozen=True)
class InteriorPoint(Solver):
    """Primal-dual interior point method on the exact (or relaxed) law, with Mehrotra's predictor and corrector.

    The law of each disk is a complementarity of second-order cones, (mu r_n, f) o (t, w) = 0 with t >= |w|, beside
    r_n u_n = 0: not monotone, but the central path can be followed in 10 to 30 factorisations where one exists.  It
    does not use a guess.  Only for laws made of disks, intervals and ellipses (Coulomb, rolling, spinning, superellipses
    with q = 2, associated or not), and joints.

    boundary : share of the way to the boundary of the cones that a step may go.
    turns : follow the path also where it turns back (`trundle.solve.central_path`), with ten times the work; not with
        ellipses.
    """

    name: ClassVar[str] = "interior-point"
    default_iterations: ClassVar[int] = 100
    boundary: float = 0.995
    turns: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.boundary < 1.0:
            raise SolverError(f"interior-point: boundary = {self.boundary:g} must lie between 0 and 1.")

    def run(self, problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
        given, (problem, stretch) = problem, without_ellipses(problem)
        if not can_treat_curves(problem):
            raise SolverError(
                "interior-point works for laws made of disks, intervals, superellipses and patches (Contensou, FlatPatch; "
                "superellipses with k = 1 unless q = 2, patches with a radius > 0); this problem has another one. Use 'auto' or "
                "'newton'."
            )
        if self.turns and (given is not problem or not can_treat(problem)):
            raise SolverError("interior-point: turns = True is for disks; this problem has another law. Leave it out.")
        if self.turns:
            follow(problem, p, monitor, self.boundary)
            return
        state = InteriorState(problem)
        short = 0
        while not monitor.done and short < 6:
            step = state.advance(self.boundary)
            if step is None:
                monitor.note = "the Newton matrix of the interior point method is singular"
                break
            monitor.report(stretch * state.p, 1, state.model.entries)
            short = short + 1 if step < 0.05 else 0
        p[:] = stretch * state.p
