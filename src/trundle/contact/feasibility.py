"""Proofs that a contact problem has no solution, and the assumption under which it has one.

Existence is known where contact impulses cannot balance each other: gamma in K, W gamma = 0 => gamma = 0, pointedness in Tasora
& Anitescu (2013), eq. (45), or at least not against the free velocity: W gamma = 0 => q . gamma > 0, which is the alternative of
"some v has H v + w in the interior of K*", the assumption of the existence result that Acary & Bourrier (2021, section 5)
refer to.  A gamma that violates both is looked for; in the relaxed problem it proves that there is no solution.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from trundle.contact.scaled import ScaledProblem
from trundle.laws.kernels.sections import FREE
from trundle.laws.table import LawTable

Array = NDArray[np.float64]
ROWS = 3000  # above this the search for a certificate is not attempted
NEARLY_SOLVED = 1e-6  # residual below which there is nothing to explain: a contradiction would keep it above
FRICTION_ROWS, FRICTION_ROUNDS = 900, 60  # the same for impulses with friction, and how often directions are added
VANISHES = 1e-9  # size of W d, rows and columns divided by the root of their diagonal, that counts as zero


def why_no_solution(problem: ScaledProblem, residual: float) -> str:
    """A reason why no p makes all normal velocities non-negative and all joint velocities zero, or "" if none is found.

    A combination d of normal impulses >= 0 and joint impulses with W^T d = 0 but q . d < 0 is a certificate: for every
    p, y . d = q . d < 0, while a solution has u_n >= 0 and joint velocities 0 (Farkas' lemma).  In the relaxed problem y is in
    K*, so that impulses with friction are certificates, too.

    residual : the best one known.
    """
    if len(problem.q) > ROWS or residual < NEARLY_SOLVED:
        return ""
    normal = _driven_together(problem)
    if normal or not problem.relaxed:
        return normal
    caught = caught_by_friction(problem, residual)
    return f"{caught}, and are driven together" if caught else ""


def caught_by_friction(problem: ScaledProblem, residual: float) -> str:
    """Contacts whose impulses, within friction, balance each other and oppose the free velocity; "" if none are found."""
    table = problem.table
    if len(problem.q) > FRICTION_ROWS or residual < NEARLY_SOLVED or np.any(table.weight != 1.0):
        return ""
    gamma = _balanced(problem)
    if gamma is None:
        return ""
    size = np.maximum.reduceat(np.abs(gamma), table.contact[:-1, 0])
    shown = _named(np.flatnonzero(size > 1e-6 * np.max(size)))
    return (
        f"{shown} can hold each other by friction: their cone is not pointed (Tasora & Anitescu 2013, eq. (45): W gamma = 0 with "
        "gamma in K, and q . gamma < 0)"
    )


def _balanced(problem: ScaledProblem) -> Array | None:
    """gamma in K with W gamma = 0 and q . gamma < 0, or None.

    Non-negative least squares over a growing set of directions in K: each round adds, for every contact, that in which the
    residual falls most, the projection of its negative gradient.
    """
    from scipy.optimize import nnls

    q, contact = problem.q, problem.table.contact
    W = scipy.sparse.csr_array(problem.matrix).toarray()
    W /= float(np.max(np.abs(W), initial=0.0)) or 1.0
    A = np.vstack([W, q / (float(np.linalg.norm(q)) or 1.0)])
    target = np.zeros(len(A))
    target[-1] = -1.0
    directions, weight = np.zeros((len(q), 0)), np.zeros(0)
    rows = np.repeat(np.arange(len(contact) - 1), np.diff(contact[:, 0]))
    for _ in range(FRICTION_ROUNDS):
        slope = A.T @ (A @ (directions @ weight) - target)
        steepest = problem.project(-slope)
        for free in _joint_rows(problem.table):  # of either sign
            steepest[free] = -slope[free]
        size = np.sqrt(np.bincount(rows, steepest**2, minlength=len(contact) - 1))
        new = np.flatnonzero(size > 1e-14)
        if not len(new):
            return None
        added = np.zeros((len(q), len(new)))
        for k, c in enumerate(new):
            added[rows == c, k] = steepest[rows == c] / size[c]
        directions = np.hstack([directions[:, weight > 0.0], added])
        weight, _ = nnls(A @ directions, target, maxiter=20 * directions.shape[1] + 100)
        gamma = directions @ weight
        if np.linalg.norm(W @ gamma) <= VANISHES * np.linalg.norm(gamma) and A[-1] @ gamma < -0.5:
            return gamma
    return None


def _named(contacts: NDArray[np.int64]) -> str:
    return "contacts " + ", ".join(str(c) for c in contacts[:8]) + (" ..." if len(contacts) > 8 else "")


def _driven_together(problem: ScaledProblem) -> str:
    """The certificate of normal and joint impulses, in words."""
    from scipy.optimize import nnls  # slow to import, and seldom needed

    table = problem.table
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
    which = _named(contacts) if len(contacts) else "the joints"
    return (
        f"{which} are driven together and no impulse can part them (W d = 0 with q . d < 0): their cone is not pointed, "
        "Tasora & Anitescu (2013), eq. (45), and no velocity separates them"
    )


def _joint_rows(table: LawTable) -> np.ndarray:
    """Rows of the bilateral constraints."""
    parts = [np.arange(first, first + size) for kind, first, size, _ in table.block if kind == FREE]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
