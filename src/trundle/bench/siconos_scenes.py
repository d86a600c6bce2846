"""The scenes of the benchmarks in Siconos, which runs in an interpreter of its own; see `with_siconos`."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from trundle.bench.pile import PileScene
from trundle.bench.sphere import SphereScene
from trundle.bench.with_siconos import python_with_siconos
from trundle.errors import SolverError

TOLERANCE = 1e-4  # of its Gauss-Seidel in piles, in its own measure
FINE = 1e-10
THICK = 1.0  # [m], of floors and walls: boxes, for spheres roll askew on its planes
LONGEST = 600.0  # CPU seconds
MOST = 1000  # spheres: its rolling solver has a dense matrix


def pile(scene: PileScene, time_step: float) -> dict[str, Any]:
    """The pile as the worker wants it; theta = 1."""
    position, w = scene.positions(), scene.half_width
    high, long = float(position[:, 2].max()) + 1.0, 2.0 * (w + THICK)
    boxes: list[tuple[list[float], list[float]]] = [([long, long, THICK], [0.0, 0.0, -0.5 * THICK])]
    for axis in (0, 1):
        for side in (-1.0, 1.0):
            size, place = [long, long, 2.0 * high], [0.0, 0.0, 0.0]
            size[axis], place[axis] = THICK, side * (w + 0.5 * THICK)
            boxes.append((size, place))
    return {
        "radius": 0.5 * scene.diameter, "mass": scene.mass, "gravity": scene.gravity, "mu": scene.mu, "mu_r": scene.mu_r,
        "position": position.tolist(), "velocity": [[0.0] * 6] * scene.n, "boxes": boxes,
        "theta": 1.0, "time_step": time_step, "tolerance": TOLERANCE,
    }  # fmt: skip


def sphere(scene: SphereScene, time_step: float) -> dict[str, Any]:
    """The rolling sphere; theta = 1/2."""
    return {
        "radius": scene.radius, "mass": scene.mass, "gravity": scene.gravity, "mu": scene.mu, "mu_r": scene.mu_r,
        "position": [[0.0, 0.0, scene.radius]], "velocity": [[scene.speed, 0.0, 0.0, 0.0, scene.spin, 0.0]],
        "boxes": [([100.0, 100.0, THICK], [0.0, 0.0, -0.5 * THICK])],
        "theta": 0.5, "time_step": time_step, "tolerance": FINE,
    }  # fmt: skip


class World:
    """A scene in a process of its own; cpu: seconds that its steps took; position, velocity (n, 3)."""

    def __init__(self, scene: dict[str, Any]) -> None:
        found = python_with_siconos()
        if found is None:
            raise SolverError("siconos: there is no interpreter that has it. Install python3-siconos.")
        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / "scene.json"
        path.write_text(json.dumps(scene))
        worker = Path(__file__).with_name("siconos_scene_worker.py")
        self._process = subprocess.Popen(
            [found[0], str(worker), str(path)], cwd=self._folder.name, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.cpu, self._allowed = 0.0, LONGEST
        self.position, velocity = np.array(scene["position"]), np.array(scene["velocity"])
        self.velocity = velocity[:, :3]

    def allow(self, seconds: float) -> None:
        """CPU seconds that all steps together may take."""
        self._allowed = seconds

    def step(self) -> None:
        """One time step; EOFError if its time is up."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{self._allowed!r}\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise EOFError
        answer = json.loads(line)
        self.cpu = answer["cpu"]
        self.position, self.velocity = np.array(answer["position"]), np.array(answer["velocity"])

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()
