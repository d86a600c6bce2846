"""Proofs that a contact problem has no solution."""

from __future__ import annotations

import numpy as np
import scipy

from trundle.contact.scaled import ScaledProblem
from trundle.laws.kernels.sections import FREE
from trundle.laws.table import LawTable

ROWS = 3000  # above this the search for a certificate is not attempted
NEARLY_SOLVED = 1e-6  # residual below which there is nothing to explain: a contradiction would keep it above
VANISHES = 1e-9  # size of W d, rows and columns divided by the root of their diagonal, that counts as zero


def why_no_solution(problem: ScaledProblem, residual: float) -> str:
    """A reason why no p makes all normal velocities non-negative and all joint velocities zero, or "" if none is found.

    A combination d of normal impulses >= 0 and joint impulses with W^T d = 0 but q . d < 0 is a certificate: for every
    p, y . d = q . d < 0, while a solution has u_n >= 0 and joint velocities 0 (Farkas' lemma).

    residual : the best one known.
    """
    from scipy.optimize import nnls  # slow to import, and seldom needed

    table = problem.table
    if len(problem.q) > ROWS or residual < NEARLY_SOLVED:
        return ""
    heads = table.contact[:-1, 2] == 1
    normal = table.contact[:-1, 0][heads]
    joint = _joint_rows(table)
    rows = np.concatenate([normal, joint])
    if not len(rows):
        return ""
    # a light body beside a heavy one is no certificate: every row and column in units of its own diagonal entry
    diagonal = np.sqrt(np.maximum(problem.matrix.diagonal(), 0.0))
    unit = np.where(diagonal > 0.0, diagonal, float(np.max(diagonal, initial=0.0)) or 1.0)
    W = scipy.sparse.csr_array(problem.matrix)[rows].toarray().T / unit[:, None] / unit[rows]
    # joint impulses have either sign: twice, with both signs, for the non-negative least squares
    A = np.hstack([W, -W[:, len(normal) :]])
    cost = np.concatenate([problem.q[rows] / unit[rows], -problem.q[joint] / unit[joint]])
    cost /= float(np.linalg.norm(cost)) or 1.0
    target = np.zeros(A.shape[0] + 1)
    target[-1] = -1.0
    d, _ = nnls(np.vstack([A, cost]), target, maxiter=20 * A.shape[1] + 100)
    if not (np.linalg.norm(A @ d) <= VANISHES * np.linalg.norm(d) and cost @ d < -0.5):
        return ""
    contacts = np.flatnonzero(heads)[d[: len(normal)] > 1e-6 * np.max(d)]
    shown = ", ".join(str(c) for c in contacts[:8]) + (" ..." if len(contacts) > 8 else "")
    which = f"contacts {shown}" if len(contacts) else "the joints"
    return f"{which} are driven together and no impulse can part them (W d = 0 with q . d < 0)"


def _joint_rows(table: LawTable) -> np.ndarray:
    """Rows of the bilateral constraints."""
    parts = [np.arange(first, first + size) for kind, first, size, _ in table.block if kind == FREE]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
