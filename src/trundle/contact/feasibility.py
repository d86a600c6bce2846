"""Proofs that a contact problem has no solution."""

from __future__ import annotations

import numpy as np
import scipy.optimize
import scipy.sparse as sp

from trundle.contact.problem import ContactProblem
from trundle.laws.kernels import FREE
from trundle.laws.table import LawTable

ROWS = 3000  # above this the search for a certificate is not attempted


def why_no_solution(problem: ContactProblem) -> str:
    """A reason why no p makes all normal velocities non-negative and all joint velocities zero, or "" if none is found.

    A combination d of normal impulses >= 0 and joint impulses with W d = 0 but q . d < 0 is a certificate: for every p,
    y . d = q . d < 0, while a solution has u_n >= 0 and joint velocities 0 (Farkas' lemma).
    """
    scaled = problem.scaled
    table = scaled.table
    if len(scaled.q) > ROWS:
        return ""
    heads = table.contact[:-1, 2] == 1
    normal = table.contact[:-1, 0][heads]
    joint = _joint_rows(table)
    rows = np.concatenate([normal, joint])
    if not len(rows):
        return ""
    W = sp.csr_array(scaled.matrix)[:, rows].toarray()
    size = float(np.max(np.abs(scaled.matrix.diagonal()), initial=0.0)) or 1.0
    # joint impulses have either sign: twice, with both signs, for the non-negative least squares
    A = np.hstack([W / size, -W[:, len(normal) :] / size])
    cost = np.concatenate([scaled.q[rows], -scaled.q[joint]]) / scaled.size
    target = np.zeros(A.shape[0] + 1)
    target[-1] = -1.0
    d, misfit = scipy.optimize.nnls(np.vstack([A, cost]), target, maxiter=20 * A.shape[1] + 100)
    if misfit > 1e-7:
        return ""
    contacts = np.flatnonzero(heads)[d[: len(normal)] > 1e-6 * np.max(d)]
    shown = ", ".join(str(c) for c in contacts[:8]) + (" ..." if len(contacts) > 8 else "")
    which = f"contacts {shown}" if len(contacts) else "the joints"
    return f"{which} are driven together and no impulse can part them (W d = 0 with q . d < 0)"


def _joint_rows(table: LawTable) -> np.ndarray:
    """Rows of the bilateral constraints."""
    parts = [np.arange(first, first + size) for kind, first, size, _ in table.block if kind == FREE]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
