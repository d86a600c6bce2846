"""Section 6.2: a linear guideway with recirculating balls.

36 steel balls of 6.4 mm in four rows between a rail and a carriage, contacts at 45 deg.  x is the direction of travel, the
load F_y of the paper acts along -z here.

Which rolling coefficient belongs to F_x = zeta F_y?  A ball that rolls between two parallel raceways moves at v / 2 and turns
at v / (2 R_b), at both contacts relative to what it touches: it dissipates 2 rho N v / (2 R_b), which is a force rho N / R_b.
The load is carried by the two rows that face it, 2 N_row cos 45 = F_y, so that the normal forces sum to sqrt(2) F_y:

    F_x = sqrt(2) rho F_y / R_b = zeta F_y   for   rho = zeta R_b / sqrt(2),

not for the paper's rho = zeta R_b, which gives sqrt(2) zeta F_y.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import Box, Scene, Sphere, laws, simulate
from trundle.papers.report import Progress, Report

Array = NDArray[np.float64]
BALL, BALLS, PITCH, STEEL = 3.2e-3, 9, 8.0e-3, 7800.0  # radius [m], per row, distance [m], density [kg/m^3]
ZETA, SEAL = 0.005, 5.3  # [-], [N]
YOUNG, POISSON = 207e9, 0.3
MU, SPEED, TIME_STEP = 0.2, 0.05, 1e-4
RAIL = 10e-3  # distance of the rail's raceways from its middle [m]
PLATE, LENGTH, WIDTH = 4e-3, 0.12, 12e-3  # raceways of the carriage: thickness, length, width [m]
ROD = 0.3  # [m]


def hertz_mindlin(load: float) -> tuple[float, float]:
    """Normal and tangential stiffness [N/m] of a ball on a flat raceway at a normal load [N]."""
    modulus = YOUNG / (2.0 * (1.0 - POISSON**2))
    depth = (3.0 * load / (4.0 * modulus * np.sqrt(BALL))) ** (2.0 / 3.0)
    normal = 1.5 * load / depth
    return normal, normal * 2.0 * (1.0 - POISSON) / (2.0 - POISSON)


def rolling_coefficient(zeta: float = ZETA) -> float:
    """rho [m] for which two rows at 45 deg resist with zeta F_y."""
    return zeta * BALL / np.sqrt(2.0)


def scene(load: float, rho: float, speed: float, seal: float, pull: float | None) -> Scene:
    """The guideway under a load [N], driven at a speed [m/s] by a motor, or pulled by a force [N] from rest.

    The carriage is four raceways joined rigidly; rods along x, which transmit nothing else, connect it with the motor and
    with the seal, whose dry friction is a box constraint +-S.
    """
    made = Scene(gravity=(0.0, 0.0, 0.0))
    rows = [np.array([0.0, a, b]) / np.sqrt(2.0) for a in (1.0, -1.0) for b in (1.0, -1.0)]
    for i, n in enumerate(rows):
        _add_row(made, i, n, speed if pull is None else 0.0)
        if i:
            made.joint("fixed", "race0", f"race{i}", position=(0.0, 0.0, 0.0))
        made.load(f"race{i}", force=(0.0 if pull is None else 0.25 * pull, 0.0, -0.25 * load))
    stiffness = hertz_mindlin(max(load, 1.0) * np.sqrt(2.0) / (2 * BALLS))
    law = laws.Rolling(mu=MU, mu_r=rho)
    for other in ("rail", "carriage"):
        made.surface("ball", other, law=law, stiffness=stiffness)
    for one, other in itertools.combinations_with_replacement(("ball", "carriage", "rail", "driver"), 2):
        if {one, other} not in ({"ball", "rail"}, {"ball", "carriage"}):
            made.surface(one, other, law=laws.Coulomb(mu=0.0))  # these never touch
    sides = {"seal": -1.0} if pull is not None else {"seal": -1.0, "motor": 1.0}
    for name, side in sides.items():
        made.add(
            Sphere(radius=1e-3), name=name, mass=1e-3, position=(side * ROD, 0.0, 0.0), surface="driver",
            velocity=(speed if pull is None else 0.0, 0.0, 0.0),
        )  # fmt: skip
        drive: dict[str, Any] = {"friction": seal} if name == "seal" else {"motor": speed, "max_force": 1e5}
        made.joint("slider", "rail0", name, name=f"{name} slider", axis=(1, 0, 0), position=(side * ROD, 0, 0), **drive)
        made.joint("distance", "race0", name, position=(0.0, 0.0, 0.0), other_position=(side * ROD, 0.0, 0.0))
    return made


def _add_row(made: Scene, i: int, n: Array, speed: float) -> None:
    """A raceway of the rail, one of the carriage, and the balls between them, rolling at half the carriage's speed."""
    angle = float(np.arctan2(-n[1], n[2]))  # turns z to n about x
    turned = (np.cos(0.5 * angle), np.sin(0.5 * angle), 0.0, 0.0)
    made.add(
        Box(size=(LENGTH, WIDTH, PLATE)), name=f"rail{i}", fixed=True, position=tuple((RAIL - 0.5 * PLATE) * n),
        orientation=turned, surface="rail",
    )  # fmt: skip
    made.add(
        Box(size=(LENGTH, WIDTH, PLATE)), name=f"race{i}", mass=0.25, orientation=turned, velocity=(speed, 0.0, 0.0),
        position=tuple((RAIL + 2.0 * BALL + 0.5 * PLATE) * n), surface="carriage",
    )  # fmt: skip
    rolling = np.array([0.5 * speed, 0.0, 0.0])
    for k in range(BALLS):
        made.add(
            Sphere(radius=BALL), name=f"ball{i}.{k}", density=STEEL, velocity=tuple(rolling),
            position=tuple((RAIL + BALL) * n + np.array([(k - (BALLS - 1) / 2) * PITCH, 0.0, 0.0])),
            angular_velocity=tuple(np.cross(n, rolling) / BALL), surface="ball",
        )  # fmt: skip


@dataclass(frozen=True)
class Resistance:
    """Force of the motor [N] in the steady state, its spread [N] over the last steps, sum of the normal forces on the rail
    [N], speed of the carriage [m/s] at the end."""

    force: float
    spread: float
    normal: float
    speed: float


def resistance(
    load: float, rho: float, *, speed: float = SPEED, seal: float = SEAL, pull: float | None = None, steps: int = 300,
    formulation: str = "compliant",
) -> Resistance:  # fmt: skip
    """Drive the guideway at a speed, or pull it, and measure.  formulation "relaxed": the model of the paper, N + C."""
    forces: list[float] = []
    normals: list[float] = []

    def keep(step: Any, _: Any) -> None:
        forces.append(float(step.joint_impulse[-2, 0]) / TIME_STEP if pull is None else 0.0)
        normals.append(float(np.sum(step.impulse[:, 0])) / TIME_STEP)

    run = simulate(
        scene(load, rho, speed, seal, pull), steps * TIME_STEP, TIME_STEP, theta=1.0, tolerance=1e-10,
        formulation=formulation, every=steps, progress=keep,
    )  # fmt: skip
    late = np.array(forces[-steps // 4 :])
    return Resistance(
        abs(float(np.mean(late))), float(np.ptp(late)), 0.5 * float(np.mean(normals[-steps // 4 :])),
        float(run.velocity("race0")[-1, 0]),
    )  # fmt: skip


def section_6_2(report: Report, quick: bool, progress: Progress) -> None:
    """F_x over the rolling coefficient (figure 8) and over the load, with and without seals; sticking."""
    from matplotlib import pyplot as plt

    steps = 100 if quick else 300
    report.remark(
        f"Guideway: {4 * BALLS} balls of {2e3 * BALL:g} mm in four rows at 45 deg, {1e3 * PITCH:g} mm apart; contacts with the "
        f"Hertz-Mindlin stiffness of steel (E = {YOUNG / 1e9:g} GPa, nu = {POISSON}) at their load, mu = {MU}; zeta = {ZETA}, "
        f"S = {SEAL} N, {SPEED} m/s, h = {TIME_STEP:g} s, tolerance 1e-10. Pitch, mu, E, nu and speed are ours: not in the text."
    )
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.8), layout="constrained")
    _over_coefficient(report, left, [1.0, 2.0] if quick else [0.0, 0.5, 1.0, np.sqrt(2.0), 2.0], steps, progress)
    _over_load(report, right, [100.0, 490.0] if quick else [100.0, 250.0, 1000.0], steps, progress)
    report.figure(figure, "figure-8", "Resistance of the guideway: engine (dots) and formula (lines).")
    _claim_sticking(report, steps)


def _over_coefficient(report: Report, ax: Any, factors: list[float], steps: int, progress: Progress) -> None:
    """Figure 8: F_x at 490 N over rho, with and without the seals."""
    load, worst = 490.0, 0.0
    rho = np.array(factors) * rolling_coefficient()
    for k, (seal, colour, label) in enumerate(((0.0, "#edae49", "without seals"), (SEAL, "#00798c", "with seals"))):
        progress("guideway over rho", 0.3 * k)
        forces = np.array([resistance(load, float(r), seal=seal, steps=steps).force for r in rho])
        expected = np.sqrt(2.0) * rho * load / BALL + seal
        worst = max(worst, float(np.abs(forces - expected).max()))
        ax.plot(1e6 * rho, forces, "o", color=colour, markersize=5)
        ax.plot(1e6 * rho, expected, color=colour, linewidth=1.0, label=label)
    for r, name in ((rolling_coefficient(), "ζ R / √2"), (ZETA * BALL, "ζ R")):
        ax.axvline(1e6 * r, color="0.75", linewidth=0.8, zorder=0)
        ax.annotate(name, (1e6 * r, 0.2), fontsize=8, rotation=90, ha="right")
    ax.set(
        xlabel="rolling friction ρ [µm]", ylabel="resistance $F_x$ [N]", title="Figure 8: load 490 N", ylim=(0.0, None)
    )
    ax.legend(frameon=False, fontsize=8)
    report.judge(
        "F_x grows linearly with rho, and by S with the seals", "section 6.2, figure 8", paper="a line, and the same + S",
        ours=worst, unit="N", agrees=worst < 0.01 * ZETA * load,
        note="largest difference from sqrt(2) rho F_y / R_b + S (derived in docs/theory/rolling.md), load 490 N",
    )  # fmt: skip


def _over_load(report: Report, ax: Any, loads: list[float], steps: int, progress: Progress) -> None:
    """F_x over the load, with the derived and with the paper's rolling coefficient."""
    derived, printed = rolling_coefficient(), ZETA * BALL
    for k, (rho, colour, label) in enumerate(((derived, "#00798c", "ρ = ζ R / √2"), (printed, "#d1495b", "ρ = ζ R"))):
        progress("guideway over the load", 0.6 + 0.2 * k)
        found = [resistance(load, rho, steps=steps) for load in loads]
        forces = np.array([item.force for item in found])
        _claim_force(report, rho == derived, SEAL, loads, forces, found)
        ax.plot(loads, forces, "o", color=colour, markersize=5)
        ax.plot(loads, [rho / derived * ZETA * load + SEAL for load in loads], color=colour, linewidth=1.0, label=label)
    _claim_formulations(report, loads, steps, progress)
    ax.plot(loads, [ZETA * load + SEAL for load in loads], ":", color="0.2", label="ζ $F_y$ + S")
    ax.set(xlabel="load $F_y$ [N]", ylabel="resistance $F_x$ [N]", title="with seals")
    ax.legend(frameon=False, fontsize=8)


def _claim_formulations(report: Report, loads: list[float], steps: int, progress: Progress) -> None:
    """The paper's own model, relaxed contacts with compliance (N + C), and rigid ones, against the same formula."""
    progress("guideway, relaxed and rigid", 0.95)
    formula = ZETA * np.array(loads) + SEAL
    relaxed, rigid = (
        [resistance(load, rolling_coefficient(), steps=steps, formulation=name) for load in loads]
        for name in ("relaxed", "exact")
    )
    report.compare(
        "F_x in the paper's own model, relaxed with compliance (N + C), rho = zeta R_b / sqrt(2)",
        "sections 3, 6.2", paper=formula.tolist(), ours=[item.force for item in relaxed], unit="N",
        tolerance=0.01 * float(formula.min()),
        note="all other forces of this report are of formulation compliant, which has no relaxation",
    )  # fmt: skip
    sums = [item.normal / (np.sqrt(2.0) * load) for item, load in zip(rigid, loads, strict=True)]
    report.add_ours(
        "F_x with rigid contacts (exact), rho = zeta R_b / sqrt(2)", "section 6.2", ours=[item.force for item in rigid], unit="N",
        note="36 rigid balls in four rows are statically indeterminate: opposite rows may press on each other without a load. "
        f"Normals sum to {min(sums):.3f} to {max(sums):.3f} of sqrt(2) F_y, and resist in proportion",
    )  # fmt: skip


def _claim_force(
    report: Report, right: bool, seal: float, loads: list[float], forces: Array, found: list[Resistance]
) -> None:
    formula = ZETA * np.array(loads) + seal
    what = f"F_x = zeta F_y + {seal:g} N for F_y = {', '.join(f'{load:g}' for load in loads)} N"
    normal = max(abs(item.normal / (np.sqrt(2.0) * load) - 1.0) for item, load in zip(found, loads, strict=True))
    if right:
        report.compare(
            f"{what}, rho = zeta R_b / sqrt(2)", "section 6.2, figure 8", paper=formula.tolist(), ours=forces.tolist(), unit="N",
            tolerance=0.01 * float(formula.min()), note=f"rho from the geometry; normals sum to sqrt(2) F_y within {normal:.1e}",
        )  # fmt: skip
        return
    report.judge(
        f"{what}, rho = zeta R_b as printed", "section 6.2", paper=formula.tolist(), ours=forces.tolist(), unit="N",
        agrees=bool(np.all(np.abs(forces / formula - 1.0) < 0.01)),
        note="two rows at 45 deg carry sqrt(2) F_y: the rolling part is sqrt(2) times larger",
    )  # fmt: skip


def _claim_sticking(report: Report, steps: int) -> None:
    """At rest the guideway holds against less than zeta F_y + S, and moves under more."""
    limit = ZETA * 490.0 + SEAL
    speeds = [
        resistance(490.0, rolling_coefficient(), speed=0.0, pull=share * limit, steps=steps).speed
        for share in (0.95, 1.3)
    ]
    time = steps * TIME_STEP
    report.judge(
        "for zero speed it sticks: 95 % of the resistance does not move it, 130 % does", "section 6.2", paper="sticks",
        ours=speeds, unit="m/s", agrees=abs(speeds[0]) < 0.05 * speeds[1] and speeds[1] > 0.0,
        note=f"speed after {time:g} s at a load of 490 N; what is left at 95 % is the contacts' compliance",
    )  # fmt: skip
