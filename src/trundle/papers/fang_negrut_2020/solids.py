"""Brick and disk of sections 4.1 and 4.2 as what they are: a box on four corners, a cylinder on its side.

The paper treats both as one contact with a given normal force.  Here the normal force is that of Hooke springs, and the paper's
stiffnesses K_E, K_r and dashpots are shared among the contacts, so that their sums are the paper's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.laws import Coulomb, Rolling
from trundle.papers.fang_negrut_2020.scenes import K_E, MU_K, STATIC, G, H
from trundle.run.result import Run
from trundle.run.simulate import simulate
from trundle.scene import Box, Cylinder, HalfSpace, Scene
from trundle.scene.materials import Hooke

Array = NDArray[np.float64]
NORMAL = 1e6  # stiffness of all normal springs together [N/m]
ON_ITS_SIDE = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # axis of the cylinder along y


def _springs(contacts: int, mass: float, **more: Any) -> Hooke:
    """Normal springs with critical dashpots, and the paper's K_E, of so many contacts."""
    return Hooke(
        stiffness=NORMAL / contacts, damping=2 * np.sqrt(NORMAL * mass) / contacts, tangential_stiffness=K_E / contacts,
        tangential_damping=2 * np.sqrt(mass * K_E) / contacts, static=STATIC, **more,
    )  # fmt: skip


def _scene(angle: float) -> Scene:
    scene = Scene(gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="ground")
    return scene


def brick(angle: float, mass: float = 1.0) -> Scene:
    """A box of 0.2 x 0.2 x 0.1 m at rest in its springs, downhill +x."""
    scene = _scene(angle)
    depth = mass * G * np.cos(angle) / NORMAL
    scene.add(Box(size=(0.2, 0.2, 0.1)), name="body", mass=mass, position=(0, 0, 0.05 - depth), surface="body")
    scene.surface("ground", "body", law=Coulomb(mu=MU_K), material=_springs(4, mass))
    return scene


def disk(mass: float, radius: float, speed: float, mu_r: float, K_r: float, D_r: float) -> Scene:
    """A cylinder of 0.1 m on its side; K_r [N m/rad], D_r [N m s/rad]: of both contacts together."""
    scene = _scene(0.0)
    scene.add(
        Cylinder(radius=radius, height=0.1), name="body", mass=mass, position=(0, 0, radius - mass * G / NORMAL),
        orientation=ON_ITS_SIDE, velocity=(speed, 0, 0), surface="body",
    )  # fmt: skip
    material = _springs(2, mass, rolling="per-body", rolling_stiffness=K_r / 2, rolling_damping=D_r / 2)
    scene.surface("ground", "body", law=Rolling(mu=MU_K, mu_r=mu_r), material=material)
    return scene


def followed(scene: Scene, duration: float, every: int = 10) -> Run:
    """The run with formulation "history" and the paper's step."""
    return simulate(scene, duration, H, formulation="history", every=every, progress=None)


def elastic_friction(run: Run, k: int = -1) -> float:
    """Elastic friction of all contacts uphill, along -x, in a frame [N]."""
    found = run.contacts(k)
    return float(-found.elastic_force[:, 0].sum())
