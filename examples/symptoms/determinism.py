"""A heap of boxes, run twice and continued from the middle: the same numbers?  python examples/symptoms/determinism.py"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from engines import Body, MuJoCo, PyBullet, Row, Trundle, World, installed, now, save

import trundle

BOXES, TIME_STEP = 40, 2e-3
HALF, STEPS, EVERY = 200, 2000, 10  # steps until the state is kept, in all, and from picture to picture
ROWS = [Row("trundle", Trundle, {"tolerance": 1e-4, "theta": 1.0}), Row("MuJoCo", MuJoCo), Row("PyBullet", PyBullet)]


def heap() -> World:
    """Boxes in five layers, turned at random, that fall on a plane."""
    random = np.random.default_rng(1)
    bodies = []
    for k in range(BOXES):
        column, row, layer = k % 4, (k // 4) % 2, k // 8
        q = random.normal(size=4)
        place = (0.07 * column + 0.002 * layer, 0.07 * row + 0.003 * layer, 0.05 + 0.07 * layer)
        bodies.append(Body("box", (0.05, 0.04, 0.03), 0.15, place, orientation=tuple(q / np.linalg.norm(q))))
    return World(tuple(bodies), TIME_STEP, mu=0.5)


def path(engine: Any, steps: int) -> np.ndarray:
    """Positions [m] after every EVERY-th of some steps, shape (F, B, 3)."""
    places = []
    for k in range(steps):
        engine.step()
        if (k + 1) % EVERY == 0:
            places.append(engine.position())
    return np.array(places)


def continued(row: Row, world: World) -> np.ndarray:
    """The second part of the path, by a new world that goes on from a state as the engine saves it."""
    engine, other = row.engine(world, **row.settings), row.engine(world, **row.settings)
    path(engine, HALF)
    if row.engine is MuJoCo:
        import mujoco

        kind = mujoco.mjtState.mjSTATE_INTEGRATION
        state = np.zeros(mujoco.mj_stateSize(engine.model, kind))
        mujoco.mj_getState(engine.model, engine.data, state, kind)
        mujoco.mj_setState(other.model, other.data, state, kind)
    else:
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "state.bullet")
            engine.pybullet.saveBullet(file, physicsClientId=engine.client)
            other.pybullet.restoreState(fileName=file, physicsClientId=other.client)
    return path(other, STEPS - HALF)


def resumed(scene: trundle.Scene) -> np.ndarray:
    """trundle's second part: a recording that ends in the middle, resumed, with two threads."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "heap.h5"
        options = {"time_step": TIME_STEP, "every": EVERY, "progress": False, **ROWS[0].settings}
        trundle.simulate(scene, HALF * TIME_STEP, record=file, **options)
        run = trundle.resume(file, duration=STEPS * TIME_STEP, threads=2, progress=False)
        return np.stack([run.position(f"b{k}") for k in range(BOXES)], axis=1)[HALF // EVERY + 1 :]


def placed(row: Row, world: World) -> np.ndarray:
    """The second part by a new world that is given positions and velocities alone."""
    engine = row.engine(world, **row.settings)
    path(engine, HALF)
    other = row.engine(now(engine, world), **row.settings)
    return path(other, STEPS - HALF)


def main() -> None:
    """Measure and draw."""
    world = heap()
    figure, axes = plt.subplots(figsize=(8.0, 4.2), layout="constrained")
    print(f"{BOXES} boxes fall, {STEPS} steps; largest difference of a position")
    time = TIME_STEP * EVERY * np.arange(1, STEPS // EVERY + 1)
    for row in installed(ROWS):
        engine = row.engine(world, **row.settings)
        first = path(engine, STEPS)
        again = np.abs(path(row.engine(world, **row.settings), STEPS) - first).max()
        second = first[HALF // EVERY :]
        saved = resumed(engine.scene) if row.engine is Trundle else continued(row, world)
        new = np.abs(placed(row, world) - second).max(axis=(1, 2))
        print(
            f"  {row.name:10s} run again {again:.1e} m; from its saved state {np.abs(saved - second).max():.1e} m; "
            f"from positions and velocities {new.max():.1e} m"
        )
        axes.plot(time[HALF // EVERY :], np.maximum(new, 1e-17), **row.look)
    axes.set(xlabel="time [s]", ylabel="largest difference [m]", yscale="log", ylim=(1e-17, 1.0))
    axes.set_title(
        "A heap continued from positions and velocities alone, against the run that was not interrupted", fontsize=10
    )
    axes.legend(fontsize=8)
    save(figure, "determinism.png")


if __name__ == "__main__":
    main()
