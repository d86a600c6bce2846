"""What the solvers compute once per problem: steps and inverses of the diagonal blocks, and the pattern of their matrices."""

from __future__ import annotations

from collections import namedtuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from trundle.contact.blocks import positions
from trundle.contact.scaled import ScaledProblem
from trundle.solve.factor import Pattern
from trundle.solve.kernels import local as local_kernels
from trundle.solve.kernels.block_factor import order_nodes

Array = NDArray[np.float64]

Steps = namedtuple("Steps", "diagonal rho step inverse inverse_at")
Steps.__doc__ = """Local metric: diagonal (C,) number of the diagonal block; rho (C,) 1 / largest eigenvalue of W_cc;
step (B,) 1 / largest eigenvalue of each friction block; inverse, inverse_at: inverses of disks and joints, flat."""

_known: WeakKeyDictionary[ScaledProblem, Steps] = WeakKeyDictionary()
_patterns: WeakKeyDictionary[ScaledProblem, Pattern] = WeakKeyDictionary()

# place, first, later: see `kernels.block_factor`
Graph = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
_of_bodies: WeakKeyDictionary[ScaledProblem, Graph] = WeakKeyDictionary()
_of_contacts: WeakKeyDictionary[ScaledProblem, Graph] = WeakKeyDictionary()


def prepare(problem: ScaledProblem) -> Steps:
    """Steps of every contact and friction block, computed once per problem."""
    steps = _known.get(problem)
    if steps is None:
        steps = _known[problem] = _prepare(problem)
    return steps


def pattern(problem: ScaledProblem) -> Pattern:
    """Where the entries of W and of the matrices of Newton's method are, with the order of the last factorisation."""
    found = _patterns.get(problem)
    if found is None:
        rows, columns = positions(problem.blocks, problem.table.contact[:, 0])
        found = _patterns[problem] = Pattern(rows, columns, len(problem.q))
    return found


def steps_of(problem: ScaledProblem) -> tuple[Array, Array, float]:
    """rho (C,), step (blocks,) and the mean diagonal entry of W, from the bodies where they are known: W need not be made."""
    if problem.bodies is not None:
        return problem.rho, problem.bodies.step, float(np.mean(1.0 / problem.rho)) if len(problem.rho) else 1.0
    steps, blocks, m = prepare(problem), problem.blocks, len(problem.q)
    rows, columns = positions(blocks, problem.table.contact[:, 0])
    return steps.rho, steps.step, float(np.sum(blocks.data[rows == columns])) / m if m else 1.0


def graph_of_bodies(problem: ScaledProblem) -> Graph:
    """Order of elimination of the bodies, found once per problem."""
    found = _of_bodies.get(problem)
    if found is None:
        assert problem.bodies is not None
        found = _of_bodies[problem] = order_nodes(len(problem.bodies.M), problem.bodies.body)
    return found


def graph_of_contacts(problem: ScaledProblem) -> Graph:
    """Order of elimination of the contacts, found once per problem."""
    found = _of_contacts.get(problem)
    if found is None:
        ptr, col = problem.blocks[:2]
        pairs = np.stack([np.repeat(np.arange(len(ptr) - 1), np.diff(ptr)), col], axis=1)
        found = _of_contacts[problem] = order_nodes(len(ptr) - 1, pairs)
    return found


def _prepare(problem: ScaledProblem) -> Steps:
    contact, block, _, _ = problem.laws
    diagonal, rho = np.empty(len(contact) - 1, np.int64), problem.rho.copy()
    step, inverse_at = np.empty(len(block)), np.empty(len(block), np.int64)
    inverse, left = local_kernels.local_steps(
        contact, block, *problem.blocks, problem.table.weight, rho, diagonal, step, inverse_at
    )
    owner = np.searchsorted(contact[:, 1], np.flatnonzero(left), side="right") - 1 if left.any() else ()
    for b, c in zip(np.flatnonzero(left), owner, strict=True):
        row, end = contact[c : c + 2, 0]
        d, (first, n) = end - row, block[b, 1:3]
        at = problem.blocks.start[diagonal[c]]
        whole = problem.blocks.data[at : at + d * d].reshape(d, d)
        part = whole[first - row : first - row + n, first - row : first - row + n]
        inverse[inverse_at[b] : inverse_at[b] + n * n] = np.linalg.pinv(part, rcond=1e-13).ravel()
    return Steps(diagonal, rho, step, inverse, inverse_at)
