"""Scenes of the paper's experiments, and their traces over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.laws import Coulomb, Rolling
from trundle.laws.base import Law
from trundle.run.simulate import simulate
from trundle.scene import HalfSpace, Scene, Sphere
from trundle.scene.materials import GivenForce, Material
from trundle.scene.model import State, build_model
from trundle.step.history import History
from trundle.step.kernels import history as columns

Array = NDArray[np.float64]
G = 9.8
H = 1e-4
MU_K, MU_S = 0.2, 0.25
STATIC = MU_S / MU_K
K_E = 1e5
UNTURNABLE = 1e25  # moment of inertia [kg m^2] of the brick, which the paper treats as a point


def body_on_plane(
    material: Material | None,
    law: Law,
    *,
    angle: float = 0.0,
    mass: float,
    radius: float,
    inertia: float | None = None,
    velocity: float = 0.0,
    spin: float = 0.0,
    depth: float = 0.0,
) -> Scene:
    """A sphere on a plane in tilted gravity, downhill +x; velocity [m/s] along x, spin [rad/s] about the normal."""
    scene = Scene(gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="ground")
    scene.add(
        Sphere(radius=radius), name="body", mass=mass, inertia=None if inertia is None else (inertia,) * 3,
        position=(0, 0, radius - depth), velocity=(velocity, 0, 0), angular_velocity=(0, 0, spin), surface="body",
    )  # fmt: skip
    scene.surface("ground", "body", law=law, material=material)
    return scene


def start(scene: Scene) -> tuple[History, State]:
    """Stepper and first state."""
    model, state = build_model(scene)
    return History(model), state


@dataclass
class Trace:
    """One body and its contact with the ground over time: position x, velocity v, angular velocity w (y and z), friction."""

    time: Array
    x: Array
    v: Array
    w: Array  # about y: rolling downhill is positive
    spin: Array
    slide: Array  # elastic force on the body along x [N]
    damping: Array  # damping force along x [N]
    roll: Array  # rolling torque about y, elastic and damping [N m]
    elastic_roll: Array
    slide_mode: NDArray[np.int64]
    roll_mode: NDArray[np.int64]
    twist: Array  # spin deflection [rad]
    slip: Array  # slip of the contact along x in the step before [m]


def trace(stepper: History, state: State, duration: float, every: int = 1, h: float = H) -> Trace:
    """Record a scene of `body_on_plane` for a duration [s], every n-th step."""
    rows: list[tuple[Any, ...]] = []
    radius = float(stepper.model.radius[1])
    for _ in range(round(duration / h / every)):
        if every > 1:
            stepper.advance_all(state, h, every - 1)
        report = stepper.step(state, h)
        record: Array = stepper.memory()["record"].astype(float)
        if not len(record):
            rows.append((state.time, state.position[1, 0], *[0.0] * 11))
            continue
        u, n = record[0, columns.U0 : columns.U0 + 3], record[0, columns.N0 : columns.N0 + 3]
        w = np.cross(n, u)
        loads = report.solution.p[0]
        S = record[0, columns.SLIDE] * u + record[0, columns.SLIDE + 1] * w
        theta = record[0, columns.ROLL_B] * u + record[0, columns.ROLL_B + 1] * w
        slide = -record[0, columns.K_SLIDE] * S[0]
        torque = -record[0, columns.K_ROLL] * np.cross(n, theta)[1] if np.isfinite(record[0, columns.K_ROLL]) else 0.0
        mode = int(record[0, columns.MODE])
        friction = loads[1:4] - (loads[1:4] @ n) * n
        rows.append(
            (
                state.time, state.position[1, 0], state.velocity[1, 0], state.angular_velocity[1, 1],
                state.angular_velocity[1, 2], slide, friction[0] - slide, loads[5], torque, mode & 1, mode & 4,
                record[0, columns.SPIN], h * (state.velocity[1, 0] - radius * state.angular_velocity[1, 1]),
            )
        )  # fmt: skip
    table = np.array(rows).T
    time, x, v, w, spin, slide, damping, roll, elastic, slides, rolls, twist, slip = table
    return Trace(
        time, x, v, w, spin, slide, damping, roll, elastic, slides.astype(np.int64), rolls.astype(np.int64), twist, slip
    )


def given(normal: float, **more: Any) -> GivenForce:
    """The paper's prescribed normal force with its usual springs."""
    return GivenForce(**{"force": normal, "tangential_stiffness": K_E, "static": STATIC, "cap_damping": False, **more})


def exact_velocity(scene: Scene, duration: float, h: float = 1e-3) -> tuple[Array, Array, Array, Array]:
    """The same scene with formulation="exact": time, and v, w_y, w_z of the body."""
    run = simulate(scene, duration, h, formulation="exact", tolerance=1e-10)
    omega = run.angular_velocity("body")
    return run.time, run.velocity("body")[:, 0], omega[:, 1], omega[:, 2]


def first_time(time: Array, condition: NDArray[np.bool_]) -> float:
    """First time at which a condition holds, NaN if never."""
    return float(time[np.argmax(condition)]) if np.any(condition) else float("nan")


__all__ = [
    "Coulomb", "G", "H", "K_E", "MU_K", "MU_S", "Rolling", "STATIC", "Trace", "UNTURNABLE", "body_on_plane",
    "exact_velocity", "first_time", "given", "start", "trace",
]  # fmt: skip
