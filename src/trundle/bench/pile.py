"""Spheres that fall into a box and come to rest: the cost of a simulated second."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from trundle import laws
from trundle.bench.kernels import memory as kernels
from trundle.contact import grains
from trundle.detect import contacts as detection
from trundle.detect.contacts import Contacts
from trundle.errors import SceneError
from trundle.scene.model import State, build_model
from trundle.scene.scene import Scene
from trundle.scene.shapes import HalfSpace, Sphere
from trundle.step.grains import Grains

Array = NDArray[np.float64]
Progress = Callable[[float], object]
REST = 0.2  # [s] at the end of a run that counts as rest


@dataclass(frozen=True)
class PileScene:
    """n equal spheres above a box, in a loose grid whose layers are shifted, each moved a little at random.

    Lengths [m], density [kg/m^3], mu [-], mu_r, mu_s [m].  The box is 2 m x 2 m for 10,000 spheres, and as large per
    sphere for other numbers.
    """

    n: int = 10_000
    diameter: float = 0.045
    density: float = 2500.0
    mu: float = 0.6
    mu_r: float = 0.01
    mu_s: float = 0.01
    gravity: float = 9.81
    spacing: float = 1.2
    seed: int = 0

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SceneError(f"bench pile: n = {self.n} must be at least 1.")

    @property
    def half_width(self) -> float:
        """From the middle of the box to its walls [m]."""
        return max(math.sqrt(self.n / 10_000.0), 2.0 * self.diameter)

    @property
    def mass(self) -> float:
        """Of one sphere [kg]."""
        return self.density * math.pi / 6.0 * self.diameter**3

    def positions(self) -> Array:
        """Centres at the start, shape (n, 3) [m]."""
        d, w = self.diameter, self.half_width
        step = self.spacing * d
        side = max(1, int(2.0 * w / step) - 1)
        number = np.arange(self.n)
        layer, rest = np.divmod(number, side * side)
        grid = np.stack([*np.divmod(rest, side), layer], axis=1).astype(float)
        shift = 0.45 * step * (layer % 2)
        position = step * grid + np.array([d - w, d - w, d])
        position[:, :2] += shift[:, None]
        return position + np.random.default_rng(self.seed).uniform(-0.02, 0.02, (self.n, 3)) * d

    def walls(self) -> list[tuple[tuple[float, float, float], float]]:
        """Normals and offsets [m] of floor and walls."""
        w = self.half_width
        return [((0, 0, 1), 0.0), ((1, 0, 0), -w), ((-1, 0, 0), -w), ((0, 1, 0), -w), ((0, -1, 0), -w)]

    def build(self) -> Scene:
        """The scene of trundle."""
        scene = Scene(gravity=(0.0, 0.0, -self.gravity))
        ball = Sphere(radius=0.5 * self.diameter)
        for x in self.positions():
            scene.add(ball, density=self.density, position=x, surface="grain")
        for normal, offset in self.walls():
            scene.add(HalfSpace(normal=normal, offset=offset), fixed=True, surface="grain")
        scene.surface("grain", "grain", law=laws.SlideRollSpin(mu=self.mu, mu_r=self.mu_r, mu_s=self.mu_s))
        return scene


class _Clock:
    """CPU and wall seconds since it was made."""

    def __init__(self) -> None:
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    @property
    def cpu(self) -> float:
        return time.process_time() - self._cpu

    @property
    def wall(self) -> float:
        return time.perf_counter() - self._wall


def peak_memory() -> float:
    """Largest resident memory of this process so far [bytes]; nan where the system does not tell (Windows)."""
    try:
        import resource
    except ImportError:
        return math.nan
    used = float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return used if sys.platform == "darwin" else 1024.0 * used


def run_pile(
    scene: PileScene, duration: float = 1.4, time_step: float = 5e-3, tolerance: float = 1e-4, threads: int = 1,
    max_sweeps: int = 100_000, progress: Progress | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Let a pile fall for `duration` [s] and come to rest; theta = 1, every step solved to `tolerance`.

    Returns
    -------
    dict
        cpu_per_simulated_second, wall_per_simulated_second; cpu_at_rest: the same over the last 0.2 s (at most a quarter
        of the run); contacts at the end; residual_max, residual_median, missed: of the steps; penetration_mean,
        penetration_max at the end [diameters]; rss_mb, bytes_per_contact; kinetic_energy at the end [J];
        sweeps; ns_per_contact_and_sweep; profile: CPU seconds in detection, solver and everything else; cache_gb_per_s:
        see `cache_speed`, after the run; handover_gb_per_s: see `handover_speed`, if there are several threads.
    """
    most = int(numba.config.NUMBA_NUM_THREADS)
    if not 1 <= threads <= most:
        raise SceneError(f"bench pile: threads = {threads} must lie between 1 and {most}, the cores of this machine.")
    if not duration > 0.0 or not time_step > 0.0 or not tolerance > 0.0:
        raise SceneError("bench pile: duration [s], time_step [s] and tolerance [-] must be positive.")
    numba.set_num_threads(threads)
    _warm_up(time_step, threads)
    model, state = build_model(scene.build())
    if progress is not None:
        progress(0.0)  # what shows it takes memory, too
    before = peak_memory()
    stepper = Grains(model, theta=1.0, tolerance=tolerance, max_sweeps=max_sweeps)
    detection = _timed_detection(stepper)
    steps = max(1, round(duration / time_step))
    rest = max(1, round(min(REST, duration / 4.0) / time_step))
    table = np.zeros((steps, 4))  # contacts, residual, sweeps, CPU of the solver
    clock, until_rest = _Clock(), 0.0
    kinetic, most_contacts = 0.0, 1
    for k in range(steps):
        if k == steps - rest:
            until_rest = clock.cpu
        *table[k], kinetic = _step(stepper, state, time_step)
        most_contacts = max(most_contacts, int(table[k, 0]))
        if progress is not None:
            progress((k + 1) * time_step)
    cpu, wall = clock.cpu, clock.wall
    gap = stepper.detector.detect(state, 0.0).gap
    overlap = np.maximum(-gap[gap < 0.0], 0.0)
    touching = max(1, int(np.sum(gap <= stepper.detector.margin)))
    visits = float(np.sum(table[:, 0] * table[:, 2]))
    return {
        "scene": "pile", "n": scene.n, "duration": duration, "time_step": time_step, "tolerance": tolerance,
        "threads": threads, "steps": steps,
        "cpu_per_simulated_second": cpu / (steps * time_step),
        "wall_per_simulated_second": wall / (steps * time_step),
        "cpu_at_rest": (cpu - until_rest) / (rest * time_step),
        "contacts": int(table[-1, 0]),
        "residual_max": float(table[:, 1].max()),
        "residual_median": float(np.median(table[:, 1])),
        "missed": int(np.sum(table[:, 1] > tolerance)),
        "penetration_mean": float(overlap.sum()) / touching / scene.diameter,
        "penetration_max": float(overlap.max(initial=0.0)) / scene.diameter,
        "rss_mb": peak_memory() / 2**20,
        "bytes_per_contact": (peak_memory() - before) / most_contacts,
        "kinetic_energy": kinetic,
        "wall": wall, "cpu": cpu, "sweeps": int(table[:, 2].sum()),
        "sweeps_per_step_max": int(table[:, 2].max()),
        "ns_per_contact_and_sweep": 1e9 * float(table[:, 3].sum()) / max(visits, 1.0),
        "profile": {
            "detection": detection[0], "solver": float(table[:, 3].sum()),
            "other": cpu - detection[0] - float(table[:, 3].sum()),
        },
        "cache_gb_per_s": cache_speed(),
        **({"handover_gb_per_s": handover_speed()} if threads > 1 else {}),
    }  # fmt: skip


def cache_speed(megabytes: int = 16) -> float:
    """How fast one core reads an array again and again [GB/s].

    On virtual machines others use the same cache: the figures of a run are to be read beside this one.
    """
    values = np.ones(megabytes * 2**20 // 8)
    kernels.add_up(values)
    begun = time.perf_counter()
    for _ in range(20):
        kernels.add_up(values)
    return 20 * values.nbytes / (time.perf_counter() - begun) / 1e9


def handover_speed(megabytes: int = 8, rounds: int = 20) -> float:
    """How fast a core changes what another one has just written [GB/s].

    The two cores of a virtual machine may or may not share a cache, and that may change from minute to minute.
    """
    parts = np.ones((2, megabytes * 2**20 // 8))
    kernels.swap_parts(parts, 2)
    begun = time.perf_counter()
    kernels.swap_parts(parts, rounds)
    return rounds * parts[0].nbytes / (time.perf_counter() - begun) / 1e9


def _step(stepper: Grains, state: State, time_step: float) -> tuple[float, ...]:
    """Contacts, residual, sweeps, CPU seconds of the solver, kinetic energy; the report, and its contacts, are let go."""
    report = stepper.step(state, time_step)
    solution = report.solution
    return len(report.contacts), solution.residual, solution.iterations, solution.seconds, report.ledger.kinetic


def _timed_detection(stepper: Grains) -> list[float]:
    """CPU seconds that the stepper's detection takes, counted from now on."""
    spent, detect = [0.0], stepper.detector.detect

    def timed(state: State, time_step: float) -> Contacts:
        begun = time.process_time()
        contacts = detect(state, time_step)
        spent[0] += time.process_time() - begun
        return contacts

    stepper.detector.detect = timed  # type: ignore[method-assign]
    return spent


def _warm_up(time_step: float, threads: int) -> None:
    """Load or compile what the run needs: it is not counted.  A small pile, so that it leaves no memory to be used again."""
    if threads > 1:
        with _instead((grains, "THREADED", 0), (detection, "THREADED", 0)):
            _fall(time_step, 1e-2, 20)
    _fall(time_step, 1e-15, 300)  # no solver reaches that: all are asked, the matrix methods too


@contextmanager
def _instead(*limits: tuple[ModuleType, str, Any]) -> Iterator[None]:
    """Other limits of modules within it: a small pile is treated as a large one."""
    kept = [getattr(module, name) for module, name, _ in limits]
    for module, name, value in limits:
        setattr(module, name, value)
    try:
        yield
    finally:
        for (module, name, _), value in zip(limits, kept, strict=True):
            setattr(module, name, value)


def _fall(time_step: float, tolerance: float, max_sweeps: int) -> None:
    """Thirty steps of 64 spheres."""
    model, state = build_model(PileScene(n=64, spacing=1.05).build())
    stepper = Grains(model, theta=1.0, tolerance=tolerance, max_sweeps=max_sweeps)
    for _ in range(30):
        stepper.step(state, time_step)
