"""Section 4.5: an ellipsoid falls over, and spins upright and flat."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.kernels.rotations import rotation_matrix
from trundle.laws import Rolling, SlideRollSpin
from trundle.laws.base import Law
from trundle.papers.fang_negrut_2020.scenes import MU_K, STATIC, Coulomb, G, H, first_time, start
from trundle.papers.fang_negrut_2020.snapshots import draw, taken
from trundle.papers.report import Progress, Report
from trundle.run.simulate import simulate
from trundle.scene import Ellipsoid, HalfSpace, Scene, Sphere
from trundle.scene.materials import Hertz, Hooke, Material
from trundle.scene.shapes import Shape
from trundle.step.kernels import history as columns

Array = NDArray[np.float64]
COULOMB = Coulomb(mu=MU_K)
AXES, TALL = (0.02, 0.02, 0.05), (0.2, 0.2, 0.5)  # [m], of table 7 and of the ellipsoid that falls over
STEEL = (2e11, 0.3, 8e3)
FLAT = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)  # long axis along -y
POSES: dict[str, tuple[Shape, tuple[float, ...], float]] = {
    "sphere": (Sphere(float(np.prod(AXES) ** (1 / 3))), (1.0, 0.0, 0.0, 0.0), float(np.prod(AXES) ** (1 / 3))),
    "ellipsoid (flat)": (Ellipsoid(AXES), FLAT, 0.02),
    "ellipsoid (upright)": (Ellipsoid(AXES), (1.0, 0.0, 0.0, 0.0), 0.05),
}
TABLE_7 = {
    "sphere": (36.84, 1.80e-2, 3.88e-3, 6.96e-5),
    "ellipsoid (flat)": (29.0, 2.11e-2, 3.58e-3, 7.53e-5),
    "ellipsoid (upright)": (125.0, 7.95e-3, 5.82e-3, 4.63e-5),
}


def on_ground(
    shape: Shape, height: float, material: Material | None, law: Law = COULOMB, *, mass: float, orientation: Any,
    velocity: Any, spin: Any, ratio: bool = False,
) -> Scene:  # fmt: skip
    """A body on a flat surface."""
    scene = Scene(gravity=(0, 0, -G))
    scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="ground")
    scene.add(
        shape, name="body", mass=mass, position=(0, 0, height), orientation=orientation, velocity=velocity,
        angular_velocity=spin, surface="body",
    )  # fmt: skip
    scene.surface("ground", "body", law=law, material=material, ratio=ratio)
    return scene


def spinning(name: str, K: float = 5e6) -> Scene:
    """A body of table 7 at rest in its dent in rigid ground, spun at 1 rad/s."""
    shape, orientation, height = POSES[name]
    young, poisson, density = STEEL
    mass = density * shape.volume
    curvature = TABLE_7_CURVATURE[name]
    depth = (mass * G / (4 / 3 * young / (1 - poisson**2) / np.sqrt(curvature))) ** (2 / 3)
    material = Hertz(
        young=(young, np.inf), poisson=poisson, restitution=1.0, tangential_stiffness=K, static=STATIC, cap_damping=False,
        spinning_resistance="hertz",
    )  # fmt: skip
    return on_ground(
        shape, height - depth, material, mass=mass, orientation=orientation, velocity=(0, 0, 0), spin=(0, 0, 1.0)
    )


TABLE_7_CURVATURE = {
    "sphere": 1 / float(np.prod(AXES) ** (1 / 3)), "ellipsoid (flat)": 0.5 * (1 / 0.02 + 0.02 / 0.05**2),
    "ellipsoid (upright)": 0.05 / 0.02**2,
}  # fmt: skip


def measured(name: str, seconds: float) -> tuple[float, float, float, float, float]:
    """Curvature, K_psi, static spin threshold, largest torque, and the slowing down [rad/s^2], from a simulation.

    The torque of a body that spins is the kinetic one, in which damping has no part; the largest is mu_s / mu_k times as large.
    """
    stepper, state = start(spinning(name))
    torques, spins = [], []
    for _ in range(round(seconds / H)):
        report = stepper.step(state, H)
        torques.append(abs(report.solution.p[0, 6]))
        spins.append(state.angular_velocity[1, 2])
    record = stepper.memory()["record"][0]
    K = float(record[columns.K_SPIN])
    radius = float(report.contacts.effective_radius[0])
    largest = STATIC * torques[-1]
    tail = slice(len(spins) // 2, None)
    slowing = -np.polyfit(H * np.arange(len(spins))[tail], np.array(spins)[tail], 1)[0]
    return 1 / radius, K, largest / K, largest, float(slowing)


def falling() -> Scene:
    """Section 4.5.1: an ellipsoid on its tip, pushed along y."""
    material = Hooke(
        stiffness=1e7, damping=0.0, tangential_stiffness=1e5, tangential_damping=1414.21, static=STATIC, cap_damping=False,
        rolling="per-body", rolling_resistance=0.2,
    )  # fmt: skip
    return on_ground(
        Ellipsoid(TALL), 0.5 - 5.0 * G / 1e7, material, mass=5.0, orientation=(1, 0, 0, 0), velocity=(0, 0.3, 0), spin=(0, 0, 0)
    )  # fmt: skip


def _snapshots(report: Report, quick: bool) -> None:
    import matplotlib.pyplot as plt

    times = [0.0, 0.6, 0.9, 1.35, 1.8, *([] if quick else [20.0])]
    run, frames = taken(falling(), times)
    figure, axes = plt.subplots(1, len(times), figsize=(2.1 * len(times), 2.6), layout="constrained")
    for axis, k in zip(axes, frames, strict=True):
        draw(axis, run, k, (1, 2), {"body": TALL})
        axis.axhline(0.0, color="0.3", lw=1.0)
        middle = float(run.position("body")[k, 1])
        axis.set(xlim=(middle - 0.75, middle + 0.75), ylim=(-0.15, 1.35))
    report.figure(figure, "ellipsoid-snapshots", "Figure 12, snapshots of the ellipsoid that falls over, seen along x")


def resting() -> tuple[float, float, float]:
    """Tilt of the long axis [rad], height [m] and speed [m/s] of the ellipsoid 20 s after the push."""
    run, (k,) = taken(falling(), (20.0,))
    x, y = run.orientation("body")[k, 1:3]
    tilt = float(np.arccos(np.clip(abs(1 - 2 * (x * x + y * y)), 0, 1)))
    return tilt, float(run.position("body")[k, 2]), float(np.linalg.norm(run.velocity("body")[k]))


def fall(duration: float, every: int) -> dict[str, Array]:
    """Its motion: time, height, velocity y, angular velocity x, tilt of the long axis [rad]."""
    stepper, state = start(falling())
    rows, R = [], np.empty((3, 3))
    for k in range(round(duration / H)):
        stepper.step(state, H)
        if (k + 1) % every == 0:
            rotation_matrix(state.orientation, 1, R)
            rows.append(
                (state.time, state.position[1, 2], state.velocity[1, 1], state.angular_velocity[1, 0],
                 np.arccos(np.clip(abs(R[2, 2]), 0, 1)))
            )  # fmt: skip
    return dict(zip(("time", "height", "v", "w", "tilt"), np.array(rows).T, strict=True))


def run(report: Report, quick: bool, progress: Progress) -> None:
    """Table 7 and the fall."""
    results = {}
    for k, name in enumerate(POSES):
        progress(f"spinning {name}", 0.1 * k)
        results[name] = measured(name, 0.1 if quick else 0.6)
        given = TABLE_7[name]
        for i, (what, unit) in enumerate(
            (
                ("curvature", "1/m"),
                ("K_psi", "N m"),
                ("static spin threshold", "rad"),
                ("largest elastic torque", "N m"),
            )
        ):
            # three digits as printed: half a unit of the last one
            digits = 0.5 * 10.0 ** (np.floor(np.log10(given[i])) - 2)
            twice = name == "sphere" and what == "K_psi"
            report.compare(f"{name}: {what}", "table 7", paper=given[i], ours=results[name][i], unit=unit,
                           tolerance=1.01 * digits if twice else digits, note="1.795e-2, and that rounded once more, is the "
                           "paper's 1.80e-2" if twice else "")  # fmt: skip
    report.remark(
        "Table 7: rigid ground, E_eff = E / (1 - ν²), R_eff = 1 / 𝒦 with the mean curvature 𝒦, μ_s = 0.25. Its torque, called "
        "kinetic, is the static maximum."
    )
    shapes = {name: POSES[name][0] for name in POSES}
    inertia = {"ellipsoid (flat)": (0.02**2 + 0.05**2) / 5, "ellipsoid (upright)": 2 * 0.02**2 / 5}
    stop = {}
    for name, per_mass in inertia.items():
        mass = STEEL[2] * shapes[name].volume
        stop[name] = per_mass * mass / (results[name][3] / STATIC)
    flat, upright = stop["ellipsoid (flat)"], stop["ellipsoid (upright)"]
    report.judge("lying flat, the ellipsoid stops sooner", "4.5.2", paper="sooner", unit="s", agrees=flat < upright,
                 ours=[flat, upright],
                 note="ours: omega_0 I / T, flat and upright. Its torque is 1.6 times larger, its moment of inertia 3.6 "
                      "times: with the paper's own numbers the flat one stops later")  # fmt: skip
    if not quick:
        rates = [results[name][4] for name in inertia]
        closed = [1.0 / stop[name] for name in inertia]
        report.judge("simulated slowing down, flat and upright", "4.5.2, ours", ours=rates, unit="rad/s²",
                     paper=f"T / I by table 7: {closed[0]:.4f}, {closed[1]:.4f}",
                     agrees=bool(np.allclose(rates, closed, rtol=0.02)))  # fmt: skip
    progress("spinning, exact", 0.3)
    rest = [exact_stop(name, results[name][3] / STATIC) for name in inertia]
    report.add_ours("the exact formulation stops, flat and upright, at", "4.5.2", ours=rest, unit="s",
                    note="h = 10 ms, mu_s such that the torque is the kinetic one: 0.8 of the table's")  # fmt: skip
    progress("falling over", 0.35)
    report.remark(
        "Ellipsoid falling over, parameters used: table 6, Hooke with k_n = 1e7 N/m without damping, K_r by (2b) with the "
        "curvature at the contact point, D_r = 2 √(I K_r), true geodesics."
    )
    motion = fall(1.9 if quick else 6.0, 20)
    t, w = motion["time"], motion["w"]
    turns = t[1:][np.sign(w[1:]) != np.sign(w[:-1])]
    between = turns[(turns > 0.9) & (turns < 1.8)]
    report.judge("the ellipsoid falls over, and its rolling changes direction between 0.9 and 1.8 s", "4.5.1",
                 paper="0.9 to 1.8 s", ours=turns[:4].tolist(), unit="s", agrees=len(between) > 0)  # fmt: skip
    if not quick:
        progress("coming to rest", 0.7)
        tilt, height, speed = resting()
        report.judge("it settles flat", "figure 12f", paper="flat", ours=[float(np.degrees(tilt)), height], unit="°, m",
                     agrees=bool(abs(tilt - np.pi / 2) < 0.05 and abs(height - 0.2) < 2e-3),
                     note=f"after 20 s it rests, at {speed:.0e} m/s; agrees within 0.05 rad of 90°. Rolling friction holds tilts "
                          "up to 2 eta_r mu_s R / (R - b) = 0.12 rad, R = 1.25 m, b = 0.2 m")  # fmt: skip
    progress("falling over, exact", 0.9)
    rigid = fall_exact(1.9 if quick else 6.0)
    turns = rigid["time"][1:][rigid["w"][1:] * rigid["w"][:-1] < 0.0]
    report.add_ours("rolling of the exact formulation changes direction at", "4.5.1", ours=turns[:4].tolist(), unit="s",
                    note=f"h = 1 ms, mu_k = 0.2, mu_r = 2 eta_r mu_k R_eff; tilt at the end "
                         f"{np.degrees(rigid['tilt'][-1]):.1f}°, with history {np.degrees(motion['tilt'][-1]):.1f}°")  # fmt: skip
    _figure(report, motion, rigid)
    _snapshots(report, quick)


def exact_stop(name: str, torque: float) -> float:
    """Time [s] at which a body of table 7 that is spun at 1 rad/s rests with formulation="exact"."""
    shape, orientation, height = POSES[name]
    mass = STEEL[2] * shape.volume
    law = SlideRollSpin(mu=MU_K, mu_r=0.0, mu_s=torque / (mass * G))
    scene = on_ground(
        shape, height, None, law, mass=mass, orientation=orientation, velocity=(0, 0, 0), spin=(0, 0, 1.0)
    )  # fmt: skip
    run = simulate(scene, 7.0, 1e-2, formulation="exact")
    return first_time(run.time, np.abs(run.angular_velocity("body")[:, 2]) < 1e-9)


def fall_exact(duration: float) -> dict[str, Array]:
    """As `fall`, with formulation="exact"."""
    scene = on_ground(
        Ellipsoid((0.2, 0.2, 0.5)), 0.5, None, Rolling(mu=MU_K, mu_r=2 * 0.2 * MU_K), ratio=True, mass=5.0,
        orientation=(1, 0, 0, 0), velocity=(0, 0.3, 0), spin=(0, 0, 0),
    )  # fmt: skip
    run = simulate(scene, duration, 1e-3, formulation="exact", every=2)
    x, y = run.orientation("body").T[1:3]
    tilt = np.arccos(np.clip(np.abs(1 - 2 * (x * x + y * y)), 0, 1))
    return {
        "time": run.time, "height": run.position("body")[:, 2], "v": run.velocity("body")[:, 1],
        "w": run.angular_velocity("body")[:, 0], "tilt": tilt,
    }  # fmt: skip


def _figure(report: Report, motion: dict[str, Array], rigid: dict[str, Array]) -> None:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    for axis, key, text in zip(
        axes, ("tilt", "height", "w"), ("tilt of the long axis [rad]", "height of the centre [m]", "rolling velocity [rad/s]"),
        strict=True,
    ):  # fmt: skip
        axis.plot(motion["time"], motion[key], label="history")
        axis.plot(rigid["time"], rigid[key], "k:", label="exact")
        axis.set_xlabel("time [s]")
        axis.set_ylabel(text)
        axis.grid(alpha=0.3)
    axes[0].legend()
    report.figure(figure, "ellipsoid", "Section 4.5.1: the ellipsoid falls over and settles flat")
