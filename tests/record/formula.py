"""Recordings of bodies that follow a formula, so that every number in a file can be checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from trundle.record import layout
from trundle.record.reader import Recording
from trundle.record.writer import Writer

LEDGER = np.dtype([("time", float), ("kinetic", float)])
MODES = ("take-off", "sticking", "sliding")
STEPS = 3  # per frame


def create(path: Path, bodies: int = 4) -> None:
    table = np.zeros(bodies, layout.BODY_TYPE)
    table["name"] = [f"ball{i}" for i in range(bodies)]
    table["shape"], table["surface"] = '{"shape": "Sphere", "radius": 0.1}', "rock"
    table["mass"], table["radius"] = 1.0, 0.1
    layout.create(path, layout.Header(table, "gravity = [0, 0, -9.81]", {"duration": 1.0}, LEDGER, MODES, seed=7))


def points(k: int, bodies: int = 4) -> dict[str, Any]:
    """Frame k: one body less than there are until frame 5."""
    n = bodies - (k < 5)
    value = k + 0.01 * np.arange(n)
    return {
        "body": np.arange(n), "position": np.outer(value, [1, 2, 3]), "velocity": np.outer(value, [4, 5, 6]),
        "angular_velocity": np.outer(value, [7, 8, 9]), "orientation": np.outer(value, [1, 0, 0, 1]),
        "radius": np.full(n, 0.1),
    }  # fmt: skip


def contacts(k: int) -> dict[str, Any]:
    """Frame k has k % 7 contacts."""
    c = k % 7
    value = k + 0.01 * np.arange(c)
    return {
        "body": np.tile([0, 1], (c, 1)), "point": np.outer(value, [1, 1, 1]), "frame": np.tile(np.eye(3), (c, 1, 1)),
        "gap": value, "impulse": np.outer(value, np.arange(6)), "velocity": np.outer(value, np.ones(6)),
        "mode": np.arange(c) % 3,
    }  # fmt: skip


def tables(k: int) -> tuple[Any, Any]:
    steps, energy = np.zeros(STEPS, layout.STEP_TYPE), np.zeros(STEPS, LEDGER)
    steps["time"] = energy["time"] = 0.1 * k + 0.01 * np.arange(STEPS)
    energy["kinetic"] = k
    return steps, energy


def memory(k: int) -> dict[str, Any]:
    return {"frame": np.array(k), "state": np.arange(50.0 * (1 + k % 3)) + k}


def add_frame(writer: Writer, k: int) -> None:
    writer.frame(0.1 * k, points(k), contacts(k))
    writer.steps(*tables(k))


def check(run: Recording, checkpoint: bool = True) -> int:
    """Compare all that a recording says it holds with the formula; returns the number of frames."""
    count = run.frame_count
    np.testing.assert_array_equal(run.time, 0.1 * np.arange(count))
    assert len(run.steps) == len(run.energy) == STEPS * count
    np.testing.assert_array_equal(run.energy["kinetic"], np.repeat(np.arange(count), STEPS))
    for k in range(count):
        frame, touching = run.frame(k), run.contacts(k)
        for name, value in points(k).items():
            np.testing.assert_array_equal(getattr(frame, name), value)
        for name, value in contacts(k).items():
            np.testing.assert_array_equal(getattr(touching, "code" if name == "mode" else name), value)
    if count and checkpoint:
        saved = run.checkpoint()
        assert int(saved["frame"]) == count
        np.testing.assert_array_equal(saved["state"], memory(count)["state"])
    return count
