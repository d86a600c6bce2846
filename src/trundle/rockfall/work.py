"""What a worker does: the ways of a batch of blocks, and what is kept of them."""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from trundle import output
from trundle.errors import CampaignError
from trundle.rockfall.case import Case, parse
from trundle.rockfall.recording import COLUMNS
from trundle.rockfall.slope import Path as Way
from trundle.scene.values import Array

QUANTITIES = ("velocity", "translational", "rotational", "jump_height")  # of which maps have quantiles
_cases: dict[str, Case] = {}  # of this process: terrain and steppers are built once


def case_of(text: str, folder: str, data: str, release: str, name: str, content: str) -> Case:
    """The case of a text, kept for the next batch; content: see `run_batch`."""
    key = hashlib.sha256(json.dumps([text, folder, data, release, content]).encode()).hexdigest()
    if key not in _cases:
        _cases.clear()
        _cases[key] = Case(parse(text, name), Path(folder), data=data or None, release=release or None, name=name)
    return _cases[key]


def run_batch(
    text: str, folder: str, data: str, release: str, name: str, first: int, last: int, files: str, content: str
) -> dict[str, Any]:
    """Compute blocks first to last - 1 of a case and write what is kept of them to a file.

    content : hash of the files that the case refers to; part of the identity of the work
    """
    case = case_of(text, folder, data, release, name, content)
    kept = [keep(case, case.slope.fall(case.start(block))) for block in range(first, last)]
    path = Path(files) / f"{first:08d}-{last:08d}-{content[:12]}.npz"
    arrays: dict[str, Any] = {
        "rows": np.array(json.dumps([k["row"] for k in kept])),
        "passes": np.array(json.dumps([p for k in kept for p in k["passes"]])),
        **{key: np.concatenate([k[key] for k in kept]) for key in ("cell", "cell_block", "cell_values", "path_block", "path")},
    }  # fmt: skip
    with output.beside(path) as part, part.open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    return {"file": path.name, "blocks": last - first, "steps": sum(k["steps"] for k in kept), "digest": digest(path)}


def digest(path: Path) -> str:
    """SHA-256 of the file of a batch, "" if there is none that can be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def load_batch(path: Path) -> dict[str, Any]:
    """What `run_batch` wrote."""
    try:
        with np.load(path) as found:
            arrays = {key: found[key] for key in found.files}
        return arrays | {key: json.loads(str(arrays[key])) for key in ("rows", "passes")}
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:  # changed since it was looked at
        raise CampaignError(f"{path}: damaged ({error}). Start again: it is computed anew.") from None


def keep(case: Case, way: Way) -> dict[str, Any]:
    """What is kept of the way of a block: its row, its passes, the largest values in every cell of the maps, a thinned path."""
    place, seed = case.row(way.start.block)
    dx, dy = case.terrain.ground.offset
    x, y, z = way.position[-1]
    ground = float(case.terrain.height(x, y))
    start = way.start.position
    runout = math.hypot(x + dx - place.x, y + dy - place.y)
    apex = case.output.apex or (place.x, place.y)
    apex_z = float(case.terrain.height(apex[0] - dx, apex[1] - dy))
    below = math.hypot(x + dx - apex[0], y + dy - apex[1])
    drop = apex_z - (ground if ground == ground else z)
    top_z = float(case.terrain.height(place.x - dx, place.y - dy))
    mass = way.start.mass
    speed = np.linalg.norm(way.velocity, axis=1)
    row = {
        "run": place.run, "seed": seed, "x": x + dx, "y": y + dy, "z": ground if ground == ground else z, "runout": runout,
        "stop_reason": way.stop, "time": float(way.time[-1]), "mass": mass, "volume": way.start.shape.volume,
        "release_x": place.x, "release_y": place.y, "release_z": float(start[2]), "largest_speed": float(speed.max()),
        "reach_angle": math.degrees(math.atan2(top_z - (ground if ground == ground else z), max(runout, 1e-9))),
        "shadow_angle": math.degrees(math.atan2(drop, max(below, 1e-9))), "missed_steps": way.missed,
    }  # fmt: skip
    passes = [
        {"run": place.run, "seed": seed, **{**p, "x": p["x"] + dx, "y": p["y"] + dy}, "mass": mass} for p in way.passes
    ]
    cell, values = cells_of(case, way, speed)
    every = max(1, round(case.output.every / case.options.time_step))
    thin = np.zeros((0, len(COLUMNS)))
    if case.keeps_path(way.start.block):
        rows = np.unique(np.r_[np.arange(0, len(way.time), every), len(way.time) - 1])
        thin = np.column_stack([
            way.time[rows], way.position[rows] + [dx, dy, 0.0], speed[rows], way.velocity[rows], way.angular_velocity[rows],
            way.orientation[rows],
        ])  # fmt: skip
    return {
        "row": row, "passes": passes, "cell": cell, "cell_block": np.full(len(cell), way.start.block), "cell_values": values,
        "path": thin, "path_block": np.full(len(thin), way.start.block), "steps": len(way.time),
    }  # fmt: skip


def map_grid(case: Case) -> tuple[tuple[float, float], float, tuple[int, int]]:
    """Lower left corner of the first cell of the maps [m, ground's frame], side of the cells [m], numbers along x and y."""
    t = case.terrain
    side = case.output.cell or max(t.spacing)
    low = [t.origin[k] - 0.5 * t.spacing[k] for k in range(2)]
    high = [t.origin[k] + (t.heights.shape[k] - 0.5) * t.spacing[k] for k in range(2)]
    nx, ny = (max(1, math.ceil((high[k] - low[k]) / side - 1e-9)) for k in range(2))
    return (low[0], low[1]), side, (nx, ny)


def cells_of(case: Case, way: Way, speed: Array) -> tuple[Array, Array]:
    """Cells that a block passes (n,), and the largest velocity, energies and jump height in each of them (n, 4).

    jump height [m]: of the centre above the ground, less that of a block that lies on it, its volume-equivalent radius.
    """
    (x0, y0), side, (nx, ny) = map_grid(case)
    # between steps the block may cross a corner of a cell: steps are shorter than cells
    i = np.floor((way.position[:, 0] - x0) / side).astype(np.int64)
    j = np.floor((way.position[:, 1] - y0) / side).astype(np.int64)
    inside = (i >= 0) & (j >= 0) & (i < nx) & (j < ny)
    radius = (0.75 * way.start.shape.volume / math.pi) ** (1.0 / 3.0)
    jump = np.maximum(way.position[:, 2] - case.terrain.height(way.position[:, 0], way.position[:, 1]) - radius, 0.0)
    values = np.column_stack([speed, 0.5 * way.start.mass * speed**2, way.rotational, np.nan_to_num(jump)])[inside]
    cell, place = np.unique((i * ny + j)[inside], return_inverse=True)
    largest = np.zeros((len(cell), 4))
    np.maximum.at(largest, place.reshape(-1), values)
    return cell, largest
