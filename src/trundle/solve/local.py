"""Gauss-Seidel with an exact solve of every one-contact problem."""

from __future__ import annotations

import numpy as np

from trundle.contact.blocks import to_blocks
from trundle.contact.scaled import ScaledProblem
from trundle.solve.base import Array, norm
from trundle.solve.monitor import Monitor


def exact_sweeps(problem: ScaledProblem, p: Array, monitor: Monitor) -> None:
    """Sweep over the contacts, solving (67) of Acary & Bourrier (2021) for each to round-off."""
    from trundle.solve.newton import Newton

    row = problem.table.contact[:, 0]
    parts = [_one_contact(problem, c) for c in range(len(row) - 1)]
    method = Newton(proximal=1e-8, sweeps=20)
    while not monitor.done:
        for c, part in enumerate(parts):
            rows = slice(row[c], row[c + 1])
            W_c = problem.matrix[rows, :]
            q_c = problem.q[rows] + W_c @ p - part.matrix @ p[rows]
            size = norm(q_c) or 1.0
            one = ScaledProblem(
                part.table,
                part.make_blocks,
                np.ascontiguousarray(q_c),
                part.scale,
                part.rho,
                size,
                problem.relaxed,
            )
            watch = Monitor(one, 1e-15, 60)
            start = p[rows].copy()
            watch.report(start, 0)
            method.run(one, start, watch)
            p[rows] = watch.best if np.isfinite(watch.best_residual) else start
        monitor.report(p, 1)


def _one_contact(problem: ScaledProblem, c: int) -> ScaledProblem:
    """The problem of contact c alone, without its q."""
    table = problem.table
    first, last = table.contact[c], table.contact[c + 1]
    rows, blocks = slice(first[0], last[0]), slice(first[1], last[1])
    contact = table.contact[c : c + 2].copy()
    contact[:, 0] -= first[0]
    contact[:, 1] -= first[1]
    block = table.block[blocks].copy()
    block[:, 1] -= first[0]
    alone = table._replace(
        contact=contact, block=block, coef=table.coef[blocks].copy(), weight=table.weight[rows].copy(),
        moment=table.moment[rows], lengths=table.lengths[blocks],
    )  # fmt: skip
    W = to_blocks(problem.matrix[rows, rows], contact[:, 0])
    q = np.zeros(last[0] - first[0])
    return ScaledProblem(
        alone, lambda: W, q, problem.scale[rows], problem.rho[c : c + 1].copy(), 1.0,
        problem.relaxed,
    )  # fmt: skip
