"""The four simulations of section 4 as scenes, and what their figures show as series over time."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle import laws
from trundle.analytic.disk import RollingState, ThinDisk, rolling_state
from trundle.errors import TrundleWarning
from trundle.laws.base import Law
from trundle.run.simulate import simulate
from trundle.scene.scene import Scene
from trundle.scene.shapes import Disk, HalfSpace

Array = NDArray[np.float64]
MASS, RADIUS, GRAVITY = 0.3048, 3.75e-2, 9.81  # kg, m, m/s^2
MU, PATCH, MU_CONTOUR = 0.3, 2e-3, 0.3e-3  # -, m, -
SPEED, DELTA = 10.0, 0.035  # rad/s, rad: initial angular velocity, (4.2)
DURATION = 80.0  # s
DISK = ThinDisk(MASS, RADIUS, GRAVITY)
FRAME_TIME = 5e-3  # s
PAPERS, OURS = "moreau-midpoint", "moreau-jean"  # the scheme of section 3, and our default

LAWS: dict[int, Law] = {
    1: laws.Coulomb(mu=MU),
    2: laws.Coulomb(mu=MU) * laws.Roll(mu_r=MU_CONTOUR),
    3: laws.Contensou(mu=MU, patch_radius=PATCH),
    4: laws.Contensou(mu=MU, patch_radius=PATCH) * laws.Roll(mu_r=MU_CONTOUR),
}
NAMES = {
    1: "Coulomb friction",
    2: "Coulomb and contour friction",
    3: "Coulomb-Contensou friction",
    4: "Coulomb-Contensou and contour friction",
}


def start() -> RollingState:
    """The initial condition (4.1), (4.2) in the angles of section 5."""
    omega = SPEED * np.array([math.sin(DELTA), -math.cos(DELTA), 0.0])
    return rolling_state((0.0, 0.0), (0.0, -1.0, 0.0), omega)


def build_scene(case: int) -> Scene:
    """The disk on the table at t = 0, upright and rolling, with the friction of a case."""
    sin, cos = math.sin(DELTA), math.cos(DELTA)
    scene = Scene(gravity=(0.0, 0.0, -GRAVITY))
    scene.add(
        Disk(radius=RADIUS),
        name="disk",
        mass=MASS,
        position=(0.0, 0.0, RADIUS),
        orientation=(math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0),
        velocity=(-RADIUS * SPEED * cos, -RADIUS * SPEED * sin, 0.0),
        angular_velocity=(SPEED * sin, -SPEED * cos, 0.0),
        surface="disk",
    )
    scene.add(HalfSpace(normal=(0.0, 0.0, 1.0)), name="table", fixed=True, surface="table")
    contour = "contour" if case in (2, 4) else "classical"
    scene.surface("disk", "table", law=LAWS[case], rolling=contour)
    return scene


@dataclass(frozen=True)
class Series:
    """A run of a disk on a table.

    Frames: time (T,) [s]; position (T, 3) [m]; beta (T,) [rad] from the vertical, tilt the same with its sign; alpha_rate,
    gamma_rate (T,) [rad/s]: alpha' and |gamma'|; height (T,) gap of contact 1 [m]; slip (T,) [m/s] of contact 1; energy (T,) [J].
    Steps: step_time (S,) [s]; contacts (S,); slid (S,) [m/s]: slip speed from the energy that sliding took; step_energy (S,).
    """

    time: Array
    position: Array
    beta: Array
    tilt: Array
    alpha_rate: Array
    gamma_rate: Array
    height: Array
    slip: Array
    energy: Array
    step_time: Array
    contacts: Array
    slid: Array
    step_energy: Array
    cpu_time: float
    warnings: tuple[str, ...]

    @property
    def rho(self) -> Array:
        """r / R = -alpha' / gamma' (T,), (5.11)."""
        return self.alpha_rate / np.maximum(self.gamma_rate, 1e-12)

    @property
    def indicator(self) -> Array:
        """chi (T,), (5.28)."""
        return np.asarray(DISK.feasibility(self.beta, self.rho, MU))

    @property
    def stop(self) -> float:
        """First time [s] at which all three contacts are active and the energy has gone; NaN if it never is."""
        flat = (self.contacts >= 3) & (self.step_energy < 1e-3 * self.step_energy[0])
        return float(self.step_time[np.argmax(flat)]) if flat.any() else math.nan


def series_of(
    scene: Scene,
    duration: float,
    h: float,
    scheme: str,
    tell: Callable[[str, float], None] | None = None,
    radius: float = RADIUS,
    mu: float = MU,
    tolerance: float = 1e-8,
) -> Series:
    """Simulate a scene with one body called "disk" and turn the run into series."""
    if tell is not None:
        tell(f"{duration:g} s in steps of {h:g} s", 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrundleWarning)  # they are in the report
        run = simulate(scene, duration, h, scheme=scheme, every=max(1, round(FRAME_TIME / h)), tolerance=tolerance)
    x, q = run.position("disk"), run.orientation("disk")
    v, w = run.velocity("disk"), run.angular_velocity("disk")
    axis = np.column_stack(
        [
            2.0 * (q[:, 1] * q[:, 3] + q[:, 0] * q[:, 2]),
            2.0 * (q[:, 2] * q[:, 3] - q[:, 0] * q[:, 1]),
            1.0 - 2.0 * (q[:, 1] ** 2 + q[:, 2] ** 2),
        ]
    )
    level = np.maximum(np.hypot(axis[:, 0], axis[:, 1]), 1e-12)
    alpha = (w[:, 2] - axis[:, 2] * np.sum(w * axis, axis=1)) / level**2
    gamma = np.sum(w * axis, axis=1) - alpha * axis[:, 2]
    up = -axis * axis[:, 2:]
    up[:, 2] += 1.0
    arm = -radius * up / level[:, None]
    slip = v + np.cross(w, arm)
    side = -np.sign(axis[:, 2]) * np.sign(gamma)  # alpha' for the axis along which beta >= 0 and gamma' <= 0
    ledger = run.energy
    mass_g = float(run.model.mass[0]) * float(np.linalg.norm(run.model.gravity))
    return Series(
        time=run.time,
        position=x,
        beta=np.arcsin(np.minimum(np.abs(axis[:, 2]), 1.0)),
        tilt=np.arcsin(np.clip(-axis[:, 2], -1.0, 1.0)),
        alpha_rate=side * alpha,
        gamma_rate=np.abs(gamma),
        height=x[:, 2] - radius * level,
        slip=np.hypot(slip[:, 0], slip[:, 1]),
        energy=np.interp(run.time, ledger["time"], ledger["kinetic"] + ledger["potential"]),
        step_time=ledger["time"],
        contacts=run.steps["contacts"],
        slid=ledger["sliding"] / (mu * mass_g * h),
        step_energy=ledger["kinetic"] + ledger["potential"],
        cpu_time=run.cpu_time,
        warnings=tuple(run.warnings),
    )


def run_case(
    case: int,
    duration: float,
    h: float,
    scheme: str = PAPERS,
    tell: Callable[[str, float], None] | None = None,
) -> Series:
    """Simulate one of the four cases."""
    return series_of(build_scene(case), duration, h, scheme, tell)
