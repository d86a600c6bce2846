"""The layout of a recording, as docs/architecture.md describes it: names, types, and the file before the first frame."""

from __future__ import annotations

import io
import json
import os
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import RecordingError
from trundle.step.report import STEP_TYPE

if TYPE_CHECKING:
    import h5py

FORMAT = 1
LIBRARY = ("v110", "v110")  # HDF5 1.10 and later read it: the oldest that has SWMR
TEXT = np.dtype("O", metadata={"vlen": str})  # as h5py.string_dtype(), which takes a tenth of a second to import
BODY_TYPE = np.dtype(
    [("name", TEXT), ("shape", TEXT), ("mass", float), ("radius", float), ("surface", TEXT), ("fixed", bool)]
)
JOINT_TYPE = np.dtype([("name", TEXT), ("kind", TEXT), ("one", TEXT), ("other", TEXT)])
COUNTERS = ("frames", "points", "contacts", "steps")

# columns that grow: what a row of them belongs to, shape of a row, type
POINT_DATA = {
    "body": ((), "i4"), "velocity": ((3,), "f8"), "angular_velocity": ((3,), "f8"), "orientation": ((4,), "f8"),
    "radius": ((), "f8"),
}  # fmt: skip
CONTACT_DATA = {
    "body": ((2,), "i4"), "point": ((3,), "f8"), "frame": ((3, 3), "f8"), "gap": ((), "f8"), "impulse": ((6,), "f8"),
    "velocity": ((6,), "f8"), "mode": ((), "u1"),
}  # fmt: skip
# of every joint in a frame
JOINT_DATA = {"impulse": (6,), "point": (3,), "frame": (3, 3)}
JOINTS = "joints/list"
COLUMNS: dict[str, tuple[str, tuple[int, ...], Any]] = {
    "VTKHDF/Points": ("points", (3,), "f8"),
    **{f"VTKHDF/PointData/{name}": ("points", *kind) for name, kind in POINT_DATA.items()},
    "VTKHDF/NumberOfPoints": ("frames", (), "i8"),
    "VTKHDF/Steps/Values": ("frames", (), "f8"),
    "VTKHDF/Steps/PointOffsets": ("frames", (), "i8"),
    "VTKHDF/Steps/PartOffsets": ("frames", (), "i8"),
    "VTKHDF/Steps/NumberOfParts": ("frames", (), "i8"),
    "VTKHDF/Steps/CellOffsets": ("frames", (4,), "i8"),
    "VTKHDF/Lines/NumberOfCells": ("frames", (), "i8"),
    **{f"contacts/{name}": ("contacts", *kind) for name, kind in CONTACT_DATA.items()},
    "contacts/offset": ("frames", (), "i8"),
    "contacts/count": ("frames", (), "i8"),
}
# Columns of VTKHDF that hold the same numbers as another one are links to it.  A body is one vertex, so that cells, their
# connectivity and its offsets are the same 0, 1, 2 ... in every frame and are stored once.
LINKS = {
    "VTKHDF/Steps/NumberOfPoints": "VTKHDF/NumberOfPoints",
    "VTKHDF/Vertices/NumberOfCells": "VTKHDF/NumberOfPoints",
    "VTKHDF/Vertices/NumberOfConnectivityIds": "VTKHDF/NumberOfPoints",
    "VTKHDF/Steps/ConnectivityIdOffsets": "VTKHDF/Steps/CellOffsets",
    **{f"VTKHDF/Steps/PointDataOffsets/{name}": "VTKHDF/Steps/PointOffsets" for name in POINT_DATA},
    "VTKHDF/Lines/NumberOfConnectivityIds": "VTKHDF/Lines/NumberOfCells",
    **{
        f"VTKHDF/{kind}/{name}": "VTKHDF/Lines/NumberOfCells"
        for kind in ("Polygons", "Strips")
        for name in ("NumberOfCells", "NumberOfConnectivityIds")
    },
}
SLOTS = ("checkpoint/a", "checkpoint/b")
CURRENT, COMMITS = "checkpoint/current", "checkpoint/commits"  # which slot holds; counters and length of each
ROWS_OF_CHUNK = {"frames": 512, "steps": 1024}
LEAST_ROWS, MOST_ROWS = 256, 16384
SLOT_CHUNK = 1 << 16


@dataclass(frozen=True, eq=False)
class Header:
    """What a recording holds before its first frame.

    bodies: a row of `BODY_TYPE` for each; scene: text of a scene file; options: the arguments of `simulate`;
    ledger: type of a row of /energy; modes: names of the mode codes; joints: a row of `JOINT_TYPE` for each.
    """

    bodies: NDArray[np.void]
    scene: str
    options: dict[str, Any]
    ledger: np.dtype[np.void]
    modes: tuple[str, ...]
    seed: int = 0
    joints: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, JOINT_TYPE))


def options_text(options: Mapping[str, Any]) -> bytes:
    """The options as JSON."""
    return json.dumps(options, sort_keys=True).encode()


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    import h5py

    packages = {name: version(name) for name in ("trundle", "numpy", "scipy", "numba", "h5py")}
    return {**packages, "hdf5": h5py.version.hdf5_version, "python": platform.python_version()}


def unfinished_name(path: Path) -> Path:
    """Where a recording is until it holds its first frame."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def create(path: Path, header: Header) -> None:
    """Write the file without frames."""
    import h5py

    try:
        with h5py.File(path, "w", libver=LIBRARY) as file:
            _fill(file, header)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise RecordingError(f"{path}: cannot be written ({error.strerror or error}).") from error


def _fill(file: h5py.File, header: Header) -> None:
    known = versions()
    file.attrs.update(
        {"trundle": known["trundle"], "format": FORMAT, "seed": header.seed, "versions": json.dumps(known)}
    )
    file.attrs["created"] = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    for name, value in (("finished", np.int64(0)), ("wall_time", 0.0), ("cpu_time", 0.0)):  # change as the run goes
        file.attrs[name] = value
    file["scene"] = header.scene
    text = options_text(header.options)
    file["options"] = np.array(text, f"S{1024 * (len(text) // 1024 + 2)}")  # room for other values, see `resume`
    bodies = file.create_dataset("bodies", header.bodies.shape, BODY_TYPE)
    file.create_dataset("modes", data=list(header.modes), dtype=TEXT)
    _make_columns(file, header)
    _make_vtk(file, len(header.bodies))
    for slot in SLOTS:
        file.create_dataset(slot, (0,), "u1", maxshape=(None,), chunks=(SLOT_CHUNK,))
    file[CURRENT] = np.zeros(1, "i8")
    file[COMMITS] = np.zeros((2, len(COUNTERS) + 1), "i8")
    if len(header.joints):
        file[JOINTS] = header.joints
    # Last: after the texts of some 20,000 bodies, HDF5 2.0 puts the next object in the place of this one.
    bodies[...] = header.bodies


def columns_of(ledger: np.dtype[np.void], joints: int) -> dict[str, tuple[str, tuple[int, ...], Any]]:
    """All datasets that grow; those of joints only where there are joints."""
    of_joints = {f"joints/{name}": ("frames", (joints, *shape), "f8") for name, shape in JOINT_DATA.items() if joints}
    return {**COLUMNS, **of_joints, "steps": ("steps", (), STEP_TYPE), "energy": ("steps", (), ledger)}


def columns_in(file: h5py.File) -> dict[str, tuple[str, tuple[int, ...], Any]]:
    """All datasets of a file that grow."""
    return columns_of(file["energy"].dtype, len(file[JOINTS]) if JOINTS in file else 0)


def _make_columns(file: h5py.File, header: Header) -> None:
    bodies = len(header.bodies)
    rows = {**ROWS_OF_CHUNK, "points": 8 * bodies, "contacts": 24 * bodies}  # some frames to a chunk, for speed
    for name, (belongs, shape, dtype) in columns_of(header.ledger, len(header.joints)).items():
        length = min(max(rows[belongs], LEAST_ROWS), MOST_ROWS)
        if name.startswith("joints/"):
            length = max(1, ROWS_OF_CHUNK["frames"] // shape[0])
        file.create_dataset(name, (0, *shape), dtype, maxshape=(None, *shape), chunks=(length, *shape))
    for name, target in LINKS.items():
        file[name] = file[target]


def _make_vtk(file: h5py.File, bodies: int) -> None:
    group = file["VTKHDF"]
    group.attrs["Version"] = np.array([2, 0], "i8")
    group.attrs.create("Type", np.bytes_("PolyData"))
    group["Steps"].attrs["NSteps"] = np.int64(0)
    group["Vertices/Connectivity"] = np.arange(bodies, dtype="i8")
    group["Vertices/Offsets"] = np.arange(bodies + 1, dtype="i8")
    for kind in ("Lines", "Polygons", "Strips"):
        group[f"{kind}/Connectivity"] = np.zeros(0, "i8")
        group[f"{kind}/Offsets"] = np.zeros(1, "i8")


# --- checkpoints ------------------------------------------------------------------------------------


def pack(memory: Mapping[str, Any]) -> bytes:
    """Arrays as the bytes of an .npz file; the same arrays give the same bytes."""
    stream = io.BytesIO()
    np.savez(stream, **memory)
    return stream.getvalue()


def unpack(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays again."""
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def committed(file: h5py.File) -> tuple[int, dict[str, int], int]:
    """The slot that holds, how many rows of each kind count, and the length of the checkpoint [bytes]."""
    slot = int(file[CURRENT][0]) & 1
    row = file[COMMITS][slot]
    return slot, {name: int(value) for name, value in zip(COUNTERS, row, strict=False)}, int(row[-1])


def read_checkpoint(file: h5py.File) -> dict[str, NDArray[Any]]:
    """What the run needs to go on."""
    slot, _, length = committed(file)
    return unpack(file[SLOTS[slot]][:length].tobytes())
