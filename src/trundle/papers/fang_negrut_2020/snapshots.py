"""The paper's snapshots (figures 9, 11, 12, 14): outlines of the bodies with their frames, velocities and friction forces.

Colours are the paper's: body frame red, contact frame green, velocity blue, friction force magenta.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.kernels.rotations import rotation_matrix
from trundle.papers.fang_negrut_2020.scenes import H
from trundle.run.result import Run
from trundle.run.simulate import simulate
from trundle.scene import Scene

Array = NDArray[np.float64]
BODY, CONTACT, VELOCITY, FRICTION = "#d62728", "#2ca02c", "#1f77b4", "#c51bd6"
OUTLINE = 96  # points


def taken(scene: Scene, times: Sequence[float], h: float = H) -> tuple[Run, list[int]]:
    """A run with formulation "history", and the frames nearest to some times [s]."""
    every = max(1, round(2e-3 / h))
    run = simulate(scene, float(times[-1]), h, formulation="history", every=every, progress=None)
    return run, [int(np.argmin(np.abs(run.time - time))) for time in times]


def draw(
    axis: Any, run: Run, k: int, plane: tuple[int, int], axes: Mapping[str, Sequence[float]], tilt: float = 0.0
) -> None:
    """Frame k as seen along the third axis; axes: half-axes of the bodies [m]; tilt [rad] of the picture (an incline)."""
    turn = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    largest = max(max(sizes) for sizes in axes.values())
    contacts = run.contacts(max(k, 1))
    for name, sizes in axes.items():
        centre, R = _pose(run, name, k)
        outline = turn @ _outline(R, sizes, 3 - sum(plane))[list(plane)] + (turn @ centre[list(plane)])[:, None]
        axis.fill(*outline, facecolor="0.93", edgecolor="0.3", lw=1.2)
        for column in R.T:
            _arrow(axis, turn, plane, centre, 0.75 * min(sizes) * column, BODY)
        speed = run.velocity(name)[k]
        if np.linalg.norm(speed) > 1e-4:
            _arrow(axis, turn, plane, centre, 0.8 * largest * speed / np.linalg.norm(speed), VELOCITY)
    for c in range(len(contacts)):
        for tangent in contacts.frame[c]:
            _arrow(axis, turn, plane, contacts.point[c], 0.3 * largest * tangent, CONTACT)
        force, most = contacts.sliding_force[c], np.linalg.norm(contacts.normal_force[c])
        if np.linalg.norm(force) > 1e-6 * most:
            _arrow(axis, turn, plane, contacts.point[c], 3.0 * largest * force / most, FRICTION)
    axis.set(aspect="equal", xticks=[], yticks=[])
    axis.text(0.03, 0.97, f"t = {run.time[k]:.3g} s", transform=axis.transAxes, va="top", fontsize=8)


def _pose(run: Run, name: str, k: int) -> tuple[Array, Array]:
    R = np.empty((3, 3))
    rotation_matrix(run.orientation(name), k, R)
    return run.position(name)[k], R


def _outline(R: Array, sizes: Sequence[float], along: int) -> Array:
    """Silhouette (3, n) of an ellipsoid as seen along a coordinate: the image of the unit circle across D^-1 R^T e."""
    D = np.diag(np.asarray(sizes, float))
    across = np.linalg.svd(np.linalg.solve(D, R[along])[None])[2][1:]
    angle = np.linspace(0.0, 2.0 * np.pi, OUTLINE)
    return np.asarray(R @ D @ (across.T @ np.array([np.cos(angle), np.sin(angle)])))


def _arrow(axis: Any, turn: Array, plane: tuple[int, int], start: Array, vector: Array, colour: str) -> None:
    a = turn @ np.asarray(start)[list(plane)]
    b = a + turn @ np.asarray(vector)[list(plane)]
    axis.annotate("", b, a, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.4, "shrinkA": 0, "shrinkB": 0})
