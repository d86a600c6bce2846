"""The ways of the blocks of a study as one recording, for `trundle view` and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle import output
from trundle.record import layout, sampling
from trundle.record.writer import Writer
from trundle.rockfall.slope import BARRIER, REST, ROCK, TIME
from trundle.scene.values import Array
from trundle.step.report import LEDGER_TYPE

if TYPE_CHECKING:
    from trundle.rockfall.study import Results

NAME = "blocks.h5"
COLUMNS = (
    "time",
    "x",
    "y",
    "z",
    "speed",
    "vx",
    "vy",
    "vz",
    "wx",
    "wy",
    "wz",
    "qw",
    "qx",
    "qy",
    "qz",
)  # of thinned paths
VELOCITY, SPIN, TURN = slice(5, 8), slice(8, 11), slice(11, 15)
STAYS = (REST, BARRIER, TIME)  # other blocks are gone after their last place


def write_recording(results: Results) -> Path | None:
    """Write blocks.h5: the terrain and all blocks whose paths were kept, as if they had been released together.

    Blocks that stopped stay where they are, those that left the terrain are gone.  It has neither contacts nor an energy ledger.
    """
    case, paths = results.case, results.paths
    if not paths:
        return None
    numbers = sorted(paths)
    every = max(1, round(case.output.every / case.options.time_step)) * case.options.time_step
    target = results.folder / NAME
    with output.beside(target) as part:
        layout.create(part, _header(results, numbers))
        writer = Writer(part)
        try:
            stays = [results.deposits[b]["stop_reason"] in STAYS for b in numbers]
            rows = [_on_frames(paths[b], stay) for b, stay in zip(numbers, stays, strict=True)]
            frames = max(len(row) for row in rows)
            radius = np.array([0.0, *(case.shape_of(b)[0].bounding_radius for b in numbers)])
            for k in range(frames):
                writer.frame(k * every, _points(rows, stays, k, case.terrain.ground.offset, radius), {})
                if k % 100 == 99:
                    writer.commit(None)
            writer.finish(None, True)
        finally:
            writer.close()
    return target


def _header(results: Results, numbers: list[int]) -> layout.Header:
    case = results.case
    bodies = np.zeros(1 + len(numbers), layout.BODY_TYPE)
    ground = case.terrain.ground
    bodies[0] = ("ground", json.dumps(ground.as_table()), np.inf, ground.bounding_radius, case.terrain.surface, True)
    several = case.release.seeds > 1
    for i, block in enumerate(numbers, 1):
        shape, mass = case.shape_of(block)
        row = results.deposits[block]
        name = f"block {row['run']}" + (f" seed {row['seed']}" if several else "")
        bodies[i] = (name, json.dumps(shape.as_table()), mass, shape.bounding_radius, ROCK, False)
    options = {
        "time_step": case.options.time_step,
        "duration": case.options.duration,
        "tolerance": case.options.tolerance,
    }
    return layout.Header(bodies, "", options, LEDGER_TYPE, sampling.MODES, case.seed)


def _on_frames(path: Array, stays: bool) -> Array:
    """Rows of a thinned path, one per frame; its last one, at rest, follows them if the block stays."""
    rows = path[:-1] if len(path) > 1 else path
    if not stays:
        return rows
    end = path[-1:].copy()
    end[:, VELOCITY.start : SPIN.stop] = 0.0
    return np.concatenate([rows, end])


def _points(rows: list[Array], stays: list[bool], k: int, offset: tuple[float, float], radius: Array) -> dict[str, Any]:
    """Columns of a frame: the ground, and the blocks that are there."""
    there = [(i, row[min(k, len(row) - 1)]) for i, row in enumerate(rows, 1) if k < len(row) or stays[i - 1]]
    body = np.array([0, *(i for i, _ in there)])
    table = np.array([np.zeros(len(COLUMNS)), *(row for _, row in there)])
    table[0, TURN.start] = 1.0
    position = table[:, 1:4].copy()
    position[1:, :2] -= offset
    return {
        "body": body, "position": position, "velocity": table[:, VELOCITY].copy(), "angular_velocity": table[:, SPIN].copy(),
        "orientation": table[:, TURN].copy(), "radius": radius[body],
    }  # fmt: skip
