"""What the tolerance of a step costs, and what it changes in the result: six scenes at 1e-3 to 1e-8.

    python benchmarks/accuracy.py                                    print the table
    python benchmarks/accuracy.py --write docs/accuracy.md           put it into the page, and the picture beside it
    python benchmarks/accuracy.py --scenes ball,stack --tolerances 1e-4,1e-8

CPU seconds are those of the steps of one run, kernels loaded.  Heaps and columns depend on their start: the column "other starts"
is half the range of the result over three random starts at 1e-4, to which differences between tolerances are to be compared.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import trundle
from trundle.measure import angle_of_repose, run_out

BEGIN, END = "<!-- table of benchmarks/accuracy.py -->", "<!-- end of the table -->"
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
STARTS = 3


@dataclass(frozen=True)
class Case:
    """A scene by its random start, the options of its run, and what is asked of it.

    exact : closed form, if there is one ; starts : whether the result depends on the random start
    """

    name: str
    question: str
    unit: str
    build: Callable[[int], trundle.Scene]
    options: dict[str, Any]
    answer: Callable[[trundle.Run], float]
    exact: float | None = None
    starts: bool = False


def floor(scene: trundle.Scene, law: Any, normal: Any = (0, 0, 1)) -> trundle.Scene:
    """A fixed floor of the only surface."""
    scene.add(trundle.HalfSpace(normal=normal), name="floor", fixed=True, surface="stone")
    scene.surface("stone", "stone", law=law)
    return scene


# --- one body ----------------------------------------------------------------------------------------


def ball(_: int) -> trundle.Scene:
    """Acary & Bourrier (2021), section 6.1."""
    scene = trundle.Scene()
    scene.add(
        trundle.Sphere(0.5), name="ball", density=2500, position=(0, 0, 0.5), velocity=(2.5, 0, 0),
        angular_velocity=(0, 5, 0), surface="stone",
    )  # fmt: skip
    return floor(scene, trundle.laws.Rolling(mu=0.2, mu_r=0.04))


def travelled(name: str) -> Callable[[trundle.Run], float]:
    """Distance of a body along x [m]."""
    return lambda run: float(run.position(name)[-1, 0] - run.position(name)[0, 0])


# --- machines ----------------------------------------------------------------------------------------


def cart(_: int) -> trundle.Scene:
    """A cart on four wheels whose axles have dry friction, which rolls until it stops."""
    scene = trundle.Scene()
    scene.add(
        trundle.Box((1.0, 0.5, 0.1)), name="cart", mass=20, position=(0, 0, 0.3), velocity=(2, 0, 0), surface="stone"
    )
    for i, (x, y) in enumerate(((0.4, 0.4), (0.4, -0.4), (-0.4, 0.4), (-0.4, -0.4))):
        scene.add(
            trundle.Sphere(0.12), name=f"wheel {i}", mass=2, position=(x, y, 0.12), velocity=(2, 0, 0),
            angular_velocity=(0, 2 / 0.12, 0), surface="stone",
        )  # fmt: skip
        scene.joint("hinge", "cart", f"wheel {i}", position=(x, y, 0.12), axis=(0, 1, 0), friction=0.8)
    return floor(scene, trundle.laws.Rolling(mu=0.8, mu_r=0.001))


def cart_stop() -> float:
    """v^2 / (2 a): all kinetic energy goes into the axles and into rolling, as long as nothing slides [m]."""
    mass, inertia, r = 20 + 4 * 2, 0.4 * 2 * 0.12**2, 0.12
    force = 4 * 0.8 / r + mass * 9.81 * 0.001 / r
    return (mass + 4 * inertia / r**2) * 2.0**2 / (2 * force)


def stack(seed: int) -> trundle.Scene:
    """A stack of eight boxes on a slope of 10 degrees, on which it should stay."""
    tilt = math.radians(10)
    scene = trundle.Scene(gravity=(9.81 * math.sin(tilt), 0, -9.81 * math.cos(tilt)))
    for i in range(8):
        scene.add(
            trundle.Box((0.3, 0.3, 0.1)),
            name=f"box {i}",
            density=2000,
            position=(0, 0, 0.05 + 0.1 * i),
            surface="stone",
        )
    return floor(scene, trundle.laws.Coulomb(mu=0.6))


def creep(run: trundle.Run) -> float:
    """Largest way of a box [mm]."""
    return 1e3 * float(np.linalg.norm(run.final.position[:8] - run.frame(0).position[:8], axis=1).max())


# --- heaps -------------------------------------------------------------------------------------------


def heap(seed: int) -> trundle.Scene:
    """400 spheres that are dropped onto a rough floor."""
    scene, random = trundle.Scene(), np.random.default_rng(seed)
    for i in range(400):
        layer, rest = divmod(i, 25)
        shift = 0.45 * (layer % 2)  # columns of spheres with rolling friction would stay standing
        place = np.array([rest % 5 - 2 + shift, rest // 5 - 2 + shift, layer + 0.6]) * 0.045
        place += random.uniform(-0.002, 0.002, 3)
        scene.add(trundle.Sphere(0.02), density=2500, position=place, surface="stone")
    return floor(scene, trundle.laws.SlideRollSpin(mu=0.8, mu_r=0.006, mu_s=0.001))


def repose(run: trundle.Run) -> float:
    """Angle of repose [deg]."""
    return float(angle_of_repose(run.final.position[:400], np.full(400, 0.02)).angle)


def boxes(seed: int) -> trundle.Scene:
    """40 boxes that are dropped into a bin of four walls."""
    scene, random = trundle.Scene(), np.random.default_rng(seed)
    for i in range(40):
        layer, rest = divmod(i, 16)
        place = np.array([rest % 4 - 1.5, rest // 4 - 1.5, layer + 0.6]) * 0.07 + random.uniform(-0.002, 0.002, 3)
        turn = random.normal(size=4)
        scene.add(
            trundle.Box((0.05, 0.04, 0.03)),
            density=2500,
            position=place,
            orientation=turn / np.linalg.norm(turn),
            surface="stone",
        )
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        scene.add(trundle.HalfSpace(normal=normal, offset=-0.15), fixed=True, surface="stone")
    return floor(scene, trundle.laws.Coulomb(mu=0.5))


def level(run: trundle.Run) -> float:
    """Mean height of the centres [mm]."""
    return 1e3 * float(run.final.position[:40, 2].mean())


def column(seed: int) -> trundle.Scene:
    """A column of 250 spheres, twice as high as wide, whose walls are gone."""
    scene, random = trundle.Scene(), np.random.default_rng(seed)
    for i in range(250):
        layer, rest = divmod(i, 25)
        place = np.array([rest % 5 + layer % 2 / 2, rest // 5 + layer % 2 / 2, 0.71 * layer + 0.5]) * 0.0405
        scene.add(trundle.Sphere(0.02), density=2500, position=place + random.uniform(-1e-4, 1e-4, 3), surface="stone")
    return floor(scene, trundle.laws.Rolling(mu=0.5, mu_r=0.002))


def spread(run: trundle.Run) -> float:
    """Distance within which 95 % of the spheres lie [m]."""
    place = run.final.position[:250]
    return float(run_out(place, np.full(250, 0.02), origin=place[:, :2].mean(axis=0), share=0.95))


PILE = {"duration": 1.0, "time_step": 2e-3, "theta": 1.0}
CASES = (
    Case(
        "ball", "stop distance of a rolling ball", "m", ball, {"duration": 6.0, "time_step": 2e-3}, travelled("ball"), 5.57467
    ),
    Case(
        "cart", "stop distance of a cart with brakes", "m", cart, {"duration": 4.0, "time_step": 1e-3}, travelled("cart"),
        cart_stop(),
    ),
    Case("stack", "creep of eight stacked boxes on a slope in 2 s", "mm", stack, PILE | {"duration": 2.0}, creep, 0.0),
    Case("boxes", "mean height of 40 boxes in a bin", "mm", boxes, PILE | {"duration": 0.6}, level, starts=True),
    Case("heap", "angle of repose of 400 spheres", "deg", heap, PILE | {"duration": 1.6}, repose, starts=True),
    Case("column", "run-out of a column of 250 spheres", "m", column, PILE, spread, starts=True),
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """Of one run: CPU seconds, steps that missed, the answer; reached [s]: nan, or when it was stopped."""

    cpu: float
    missed: int
    steps: int
    value: float
    reached: float = math.nan


def measured(case: Case, tolerance: float, limit: float, seed: int = 1, **options: Any) -> Result:
    """Run a scene at a tolerance, for at most `limit` CPU seconds if it is one of many bodies."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", trundle.TrundleWarning)
        given = {"every": 10**6, **case.options, **options}
        duration, h = given.pop("duration"), given.pop("time_step")
        end = [math.inf]
        stop = (lambda t, state: time.process_time() > end[0]) if case.starts else None
        simulation = trundle.Simulation(case.build(seed), h, tolerance, stop=stop, **given)
        simulation.step()  # load kernels
        began = time.process_time()
        end[0] = began + limit
        run = simulation.run(duration - h, progress=False)
        cpu = time.process_time() - began
    missed = int((~run.steps["converged"]).sum())
    if simulation.stopped:
        return Result(cpu, missed, len(run.steps), math.nan, simulation.time)
    return Result(cpu, missed, len(run.steps), case.answer(run))


def digits(case: Case, value: float) -> str:
    """A value with the digits that matter."""
    if math.isnan(value):
        return "–"
    if case.exact == 0.0:
        return f"{value:.2g}"
    return f"{value:.1f}" if case.unit in ("deg", "mm") else f"{value:.5f}" if case.exact else f"{value:.3f}"


def in_words(one: Result) -> str:
    """What a run cost."""
    cost = f"{one.cpu:.2g} s" if math.isnan(one.reached) else f"> {one.cpu:.0f} s (at t = {one.reached:.2f} s)"
    return cost + (f", {one.missed} missed" if one.missed else "")


def table(
    cases: list[Case], found: dict[tuple[str, float], Result], scatter: dict[str, float], levels: list[float]
) -> str:
    """The table of the page."""
    head = ["scene", *(f"{level:.0e}" for level in levels), "closed form", "other starts"]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    for case in cases:
        cells = [f"**{case.name}**: {case.question} [{case.unit}]"]
        cells += [digits(case, found[case.name, level].value) for level in levels]
        cells.append("" if case.exact is None else digits(case, case.exact))
        cells.append(f"± {digits(case, scatter[case.name])}" if case.name in scatter else "")
        lines.append("| " + " | ".join(cells) + " |")
        costs = [found[case.name, level] for level in levels]
        words = [in_words(one) for one in costs]
        lines.append("| " + " | ".join(["CPU", *words, "", ""]) + " |")
    return "\n".join(lines)


def draw(cases: list[Case], found: dict[tuple[str, float], Result], levels: list[float], path: Path) -> None:
    """CPU time over the tolerance, relative to that of the coarsest."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = figure.subplots()
    for i, case in enumerate(cases):
        costs = np.array([found[case.name, level].cpu for level in levels])
        costs[[not math.isnan(found[case.name, level].reached) for level in levels]] = np.nan
        axes.plot(levels, costs / costs[0], marker="o", ms=4, label=f"{case.name} ({costs[0]:.2g} s)", color=f"C{i}")
    axes.set(xscale="log", yscale="log", xlabel="tolerance", ylabel=f"CPU time / CPU time at {levels[0]:.0e}")
    axes.invert_xaxis()
    axes.grid(True, which="major", color="#E5E5E5", lw=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(title=f"scene (CPU at {levels[0]:.0e})", fontsize=8.5, title_fontsize=8.5)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Measure, print, and write into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", default=",".join(case.name for case in CASES))
    parser.add_argument("--tolerances", default=",".join(f"{t:.0e}" for t in TOLERANCES))
    parser.add_argument(
        "--write", type=Path, help="page whose table is replaced; the picture goes to pictures/ beside it"
    )
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a run of many bodies (default 60)")
    given = parser.parse_args()
    chosen = [case for case in CASES if case.name in given.scenes.split(",")]
    levels = [float(text) for text in given.tolerances.split(",")]
    found: dict[tuple[str, float], Result] = {}
    scatter: dict[str, float] = {}
    for case in chosen:
        silent = replace(case, answer=lambda run: 0.0)
        measured(
            silent, 1e-15, given.limit, duration=20 * case.options["time_step"], max_iterations=2_000
        )  # loads all solvers
        measured(silent, levels[0], given.limit)  # and what a whole run needs
        for level in levels:
            found[case.name, level] = one = measured(case, level, given.limit)
            print(
                f"{case.name:8} {level:.0e}: {digits(case, one.value)} {case.unit}, {in_words(one)}",
                flush=True,
            )
        if case.starts:
            values = [measured(case, 1e-4, given.limit, seed).value for seed in range(2, 2 + STARTS)]
            scatter[case.name] = 0.5 * (max(values) - min(values))
    text = table(chosen, found, scatter, levels)
    print("\n" + text)
    if given.write is not None:
        page = given.write.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        given.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}", encoding="utf-8")
        draw(chosen, found, levels, given.write.parent / "pictures" / "accuracy.png")


if __name__ == "__main__":
    main()
