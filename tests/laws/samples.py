"""Laws to be tested, what they are in the words of the references, and the points that are hard for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle import laws


@dataclass(frozen=True)
class Case:
    """A law and its description: disks (columns, radius) and a curve (kind, columns, columns, coefficients)."""

    name: str
    law: laws.Law
    disks: tuple[Any, ...] = ()
    curve: Any = None

    def __str__(self) -> str:
        return self.name


def _superellipse(mu_x: float, mu_y: float, q: float) -> Case:
    curve = ("superellipse", [1], [2], (mu_x, mu_y, q))
    return Case(f"superellipse-{q:g}", laws.Superellipse(mu_x, mu_y, q), curve=curve)


def _contensou(mu: float, patch: float) -> Case:
    curve = ("contensou", [1, 2], [3], (mu, patch))
    return Case(f"contensou-{patch:g}", laws.Contensou(mu, patch), curve=curve)


DISKS = (
    Case("coulomb", laws.Coulomb(0.3), (([1, 2], 0.3),)),
    Case("coulomb-2d", laws.Coulomb2D(1.2), (([1], 1.2),)),
    Case("rolling", laws.Rolling(0.7, 0.05), (([1, 2], 0.7), ([3, 4], 0.05))),
    Case("rolling-2d", laws.Rolling2D(0.3, 0.4), (([1], 0.3), ([2], 0.4))),
    Case("slide-roll-spin", laws.SlideRollSpin(0.3, 0.2, 0.1), (([1, 2], 0.3), ([3], 0.1), ([4, 5], 0.2))),
    Case("spin", laws.Spin(0.02), (([1], 0.02),)),
    Case("roll", laws.Roll(0.02), (([1, 2], 0.02),)),
    Case("rectangle", laws.Superellipse(0.3, 0.8, np.inf), (([1], 0.3), ([2], 0.8))),
    Case("frictionless", laws.SlideRollSpin(0.0, 0.0, 0.0), (([1, 2], 0.0), ([3], 0.0), ([4, 5], 0.0))),
    Case("no-rolling", laws.Rolling(0.3, 0.0), (([1, 2], 0.3), ([3, 4], 0.0))),
    Case("one-way-1", laws.Superellipse(0.0, 0.3, 6), (([1], 0.0), ([2], 0.3))),
    Case("one-way-2", laws.Superellipse(0.3, 0.0, 1.2), (([1], 0.3), ([2], 0.0))),
    Case("one-way-rhombus", laws.Superellipse(0.3, 0.0, 1), (([1], 0.3), ([2], 0.0))),
    Case("patch-of-no-size", laws.Contensou(0.3, 0.0), (([1, 2], 0.3), ([3], 0.0))),
    Case("patch-without-friction", laws.Contensou(0.0, 0.3), (([1, 2], 0.0), ([3], 0.0))),
)

CURVED = (
    *(_superellipse(0.3, 0.1, q) for q in (1.01, 1.2, 2, 50)),
    *(_superellipse(1.3, 1.1, q) for q in (6, 20)),
    _contensou(0.3, 2e-3),
    _contensou(0.9, 0.8),
    Case(
        "superellipse-x-roll-x-spin",
        laws.Superellipse(0.5, 0.3, 6) * laws.Roll(0.3) * laws.Spin(0.2),
        (([3], 0.2), ([4, 5], 0.3)),
        ("superellipse", [1], [2], (0.5, 0.3, 6)),
    ),
    Case(
        "contensou-x-roll",
        laws.Contensou(0.3, 0.5) * laws.Roll(0.3),
        (([4, 5], 0.3),),
        ("contensou", [1, 2], [3], (0.3, 0.5)),
    ),
)


def random_points(law: laws.Law, count: int, seed: int = 0) -> np.ndarray:
    """Points of the unit size, of sizes from 1e-12 to 1e12 row by row, next to axes, and next to the boundary."""
    rng = np.random.default_rng(seed)
    d = law.d
    x = rng.standard_normal((count, d))
    part = rng.integers(0, 5, count)
    wide = part == 1
    x[wide] *= 10.0 ** rng.uniform(-12, 12, (wide.sum(), d))
    scaled = part == 2
    x[scaled] *= 10.0 ** rng.uniform(-12, 12, (scaled.sum(), 1))
    off_axis = np.flatnonzero(part == 3)
    x[off_axis, rng.integers(1, d, off_axis.size)] *= 10.0 ** rng.uniform(-250, -1, off_axis.size)
    edge = np.flatnonzero(part == 4)
    near = law.project(x[edge])
    x[edge] = near * (1.0 + rng.choice([0.0, 1e-16, -3e-16, 1e-15, -1e-15, 1e-12, -1e-9], near.shape))
    return x


def edge_points(law: laws.Law) -> np.ndarray:
    """Apex, axes, interior, faces, edges, polar cone and their boundaries, each in sizes from 1e-12 to 1e12."""
    rng = np.random.default_rng(7)
    d = law.d
    axes = np.vstack([np.eye(d), -np.eye(d)])
    signs = np.array(np.meshgrid(*[[-1.0, 0.0, 1.0]] * d)).reshape(d, -1).T
    w = np.vstack([signs[:, 1:], rng.standard_normal((50, d - 1)), 1e-9 * signs[:, 1:]])
    far = law.project_section(1e9 * w, np.ones(len(w)))  # faces, edges and corners of the section
    boundary = np.column_stack([np.ones(len(w)), far])
    polar = np.column_stack([-law.support(w), w])  # boundary of the polar cone
    normal = np.column_stack([-law.support(w) * (1.0 - 1e-12), w])
    shifted = boundary + rng.choice([-1e-15, 0.0, 1e-15], boundary.shape)
    outward = boundary + np.column_stack([-law.support(w), w])  # along the normal: projected back to where it came from
    corner = np.array([1.0, *np.where(np.arange(d - 1) % 2 == 0, 1e-20, 1.0)])
    all_points = [np.zeros((1, d)), axes, signs, boundary, boundary * 0.5, polar, polar * [[2.0] + [1.0] * (d - 1)]]
    all_points += [normal, shifted, outward, corner[None], boundary * (1 + 1e-15), boundary * (1 - 1e-15)]
    points = np.vstack(all_points)
    return np.vstack([points * size for size in (1.0, 1e-12, 1e12)])
