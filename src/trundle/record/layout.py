"""The layout of a recording, as docs/architecture.md describes it: names, types, and the file before the first frame."""

from __future__ import annotations

import io
import json
import platform
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import DamageError
from trundle.output import cannot_write, discard
from trundle.record import sums
from trundle.step.report import STEP_TYPE

if TYPE_CHECKING:
    import h5py

FORMAT = 2  # 1: without checksums, texts of variable length, which HDF5 itself does not check
LIBRARY = ("v110", "v110")  # HDF5 1.10 and later read it: the oldest that has SWMR
TEXT = np.dtype(object)
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
# of contacts with springs that remember, formulation "history": what the springs alone contribute to the impulse; deflections
SPRING_DATA = {"elastic": ((6,), "f8"), "deflection": ((8,), "f8")}
# of every joint in a frame
JOINT_DATA = {"impulse": (6,), "point": (3,), "frame": (3, 3), "motion": (2,)}
JOINTS = "joints/list"
# of every body of a constraint in a frame: impulse of the constraint on it [N s, N m s] about its centre of mass, world frame
CONSTRAINT_TYPE = np.dtype([("name", TEXT), ("body", TEXT)])
CONSTRAINTS, CONSTRAINT_IMPULSE = "constraints/list", "constraints/impulse"
RENAMED = {"scheme": "numerical"}  # columns of the ledger in files of version 0.1, and what they are called now
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
COMMITS = "checkpoint/commits"  # counters and length of each slot; the newest one that is whole holds
CURRENT = "checkpoint/current"  # which slot holds, in format 1
PROVENANCE = "provenance"  # how it was made: a line for every stage of the run
ROWS_OF_CHUNK = {"frames": 512, "steps": 1024}
LEAST_ROWS, MOST_ROWS = 256, 16384
SLOT_CHUNK, STAGE_CHUNK = 1 << 16, 1 << 12


@dataclass(frozen=True, eq=False)
class Header:
    """What a recording holds before its first frame.

    bodies: a row of `BODY_TYPE` for each; scene: text of a scene file; options: the arguments of `simulate`;
    ledger: type of a row of /energy; modes: names of the mode codes; joints: a row of `JOINT_TYPE` for each;
    provenance: of the first stage of the run; springs: whether contacts have the columns of `SPRING_DATA`;
    constraints: a row of `CONSTRAINT_TYPE` for each body of each constraint.
    """

    bodies: NDArray[np.void]
    scene: str
    options: dict[str, Any]
    ledger: np.dtype[np.void]
    modes: tuple[str, ...]
    seed: int = 0
    joints: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, JOINT_TYPE))
    provenance: dict[str, Any] = field(default_factory=dict)
    springs: bool = False
    constraints: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, CONSTRAINT_TYPE))


def options_text(options: Mapping[str, Any]) -> bytes:
    """The options as JSON."""
    return json.dumps(options, sort_keys=True).encode()


@cache
def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    import h5py

    # ours from the package: metadata of a checkout are those of the day it was installed
    ours = sys.modules["trundle"].__version__
    packages = {"trundle": ours, **{name: version(name) for name in ("numpy", "scipy", "numba", "h5py")}}
    return {**packages, "hdf5": h5py.version.hdf5_version, "python": platform.python_version()}


def create(path: Path, header: Header) -> None:
    """Write the file without frames."""
    import h5py

    image = io.BytesIO()  # HDF5 itself may crash where a disk is full
    with h5py.File(image, "w", libver=LIBRARY) as file:
        _fill(file, header)
    try:
        path.write_bytes(image.getbuffer())
    except OSError as error:
        discard(path)
        raise cannot_write(path, error) from error


def _fill(file: h5py.File, header: Header) -> None:
    known = versions()
    file.attrs.update({"trundle": np.bytes_(known["trundle"]), "format": FORMAT, "seed": header.seed})
    file.attrs.update(
        {"versions": np.bytes_(json.dumps(known)), "created": np.bytes_(time.strftime("%Y-%m-%dT%H:%M:%S%z"))}
    )
    for name, value in (("finished", np.int64(0)), ("wall_time", 0.0), ("cpu_time", 0.0)):  # change as the run goes
        file.attrs[name] = value
    text = options_text(header.options)
    file["options"] = np.array(text, f"S{1024 * (len(text) // 1024 + 2)}")  # room for other values, see `resume`
    file[sums.OPTIONS] = np.full(2, sums.crc(text), "u4")
    file["scene"] = _text(header.scene)
    file["bodies"], file["shapes"] = _filed_bodies(header.bodies)
    file["modes"] = _texts(header.modes)
    if len(header.joints):
        file[JOINTS] = _filed(header.joints)
    if len(header.constraints):
        file[CONSTRAINTS] = _filed(header.constraints)
    file[sums.FIXED] = np.array([sums.crc(file[name][()]) for name in sums.FIXED_SETS if name in file], "u4")
    _make_columns(file, header)
    _make_vtk(file, len(header.bodies))
    for slot in SLOTS:
        file.create_dataset(slot, (0,), "u1", maxshape=(None,), chunks=(SLOT_CHUNK,))
    file[COMMITS] = np.tile(sums.commit_row(0, [0] * len(COUNTERS), b""), (2, 1))
    line = np.frombuffer(sums.line_of(header.provenance), "u1")
    file.create_dataset(PROVENANCE, data=line, maxshape=(None,), chunks=(STAGE_CHUNK,))


# --- texts --------------------------------------------------------------------------------------------
# Of a fixed length: HDF5 keeps others in a heap without checksums, and a flipped bit there can make it run in circles.


def _texts(values: Sequence[str] | NDArray[Any]) -> NDArray[Any]:
    """Texts as an array of bytes, of the length of the longest."""
    encoded = [value.encode("utf-8", "replace") for value in values]
    length = max(map(len, encoded), default=0) or 1
    return np.array(encoded, np.dtype(f"S{length}", metadata={"h5py_encoding": "utf-8"}))  # as h5py.string_dtype


def _text(value: str) -> NDArray[Any]:
    return _texts([value])[0:1].reshape(())


def _filed(table: NDArray[np.void]) -> NDArray[np.void]:
    """A table with texts of a fixed length."""
    columns = {n: _texts(table[n]) if table.dtype[n].hasobject else table[n] for n in table.dtype.names or ()}
    filed = np.zeros(len(table), [(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        filed[name] = column
    return filed


def _filed_bodies(bodies: NDArray[np.void]) -> tuple[NDArray[np.void], NDArray[Any]]:
    """The table /bodies, whose shapes are lines of the text /shapes: many bodies share one, and meshes are long."""
    lines = {text: i for i, text in enumerate(dict.fromkeys(bodies["shape"]))}
    table = np.zeros(len(bodies), [(n, "i4" if n == "shape" else BODY_TYPE[n]) for n in BODY_TYPE.names or ()])
    for name in table.dtype.names or ():
        table[name] = [lines[text] for text in bodies[name]] if name == "shape" else bodies[name]
    return _filed(table), _text("\n".join(lines))


def columns_of(
    ledger: np.dtype[np.void], joints: int, springs: bool, checksums: bool = True,
    joint_data: Iterable[str] = tuple(JOINT_DATA), constraints: int = 0,
) -> dict[str, tuple[str, tuple[int, ...], Any]]:  # fmt: skip
    """All datasets that grow; those of joints, of constraints and of springs in contacts only where there are such, in earlier
    files not all.
    """
    wanted = joint_data if joints else ()
    of_joints = {f"joints/{name}": ("frames", (joints, *JOINT_DATA[name]), "f8") for name in wanted}
    if constraints:
        of_joints[CONSTRAINT_IMPULSE] = ("frames", (constraints, 6), "f8")
    of_springs = {f"contacts/{name}": ("contacts", *kind) for name, kind in SPRING_DATA.items() if springs}
    columns = {**COLUMNS, **of_springs, **of_joints, "steps": ("steps", (), STEP_TYPE), "energy": ("steps", (), ledger)}
    if checksums:
        columns[sums.FRAMES] = ("frames", (len(sums.frame_columns(columns)),), "u4")
        columns[sums.STEPS] = ("steps", (len(sums.STEP_COLUMNS),), "u4")
    return columns


def with_columns(rows: NDArray[np.void], renamed: Mapping[str, str]) -> NDArray[np.void]:
    """The same rows, a column of which has another name."""
    kind = rows.dtype
    names = kind.names or ()
    if kind.fields is None or not any(name in renamed for name in names):
        return rows
    formats, offsets = [kind.fields[name][0] for name in names], [kind.fields[name][1] for name in names]
    given = [renamed.get(name, name) for name in names]
    return rows.view(np.dtype({"names": given, "formats": formats, "offsets": offsets, "itemsize": kind.itemsize}))


def columns_in(file: h5py.File) -> dict[str, tuple[str, tuple[int, ...], Any]]:
    """All datasets of a file that grow."""
    joints, springs = len(file[JOINTS]) if JOINTS in file else 0, "contacts/deflection" in file
    there = [name for name in JOINT_DATA if name != "motion" or f"joints/{name}" in file]
    constraints = len(file[CONSTRAINTS]) if CONSTRAINTS in file else 0
    return columns_of(file["energy"].dtype, joints, springs, sums.FRAMES in file, there, constraints)


def _make_columns(file: h5py.File, header: Header) -> None:
    bodies = len(header.bodies)
    rows = {**ROWS_OF_CHUNK, "points": 8 * bodies, "contacts": 24 * bodies}  # some frames to a chunk, for speed
    columns = columns_of(header.ledger, len(header.joints), header.springs, constraints=len(header.constraints))
    for name, (belongs, shape, dtype) in columns.items():
        length = min(max(rows[belongs], LEAST_ROWS), MOST_ROWS)
        if name.startswith(("joints/", "constraints/")):
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


@dataclass(frozen=True)
class Commit:
    """What counts in a file: a slot, how many rows of each kind, the length of its checkpoint [bytes] and its checksum.

    serial: the newest has the largest; whole: whether both records of commits are as they were written.
    """

    slot: int
    counts: dict[str, int]
    length: int
    crc: int | None = None
    serial: int = 0
    whole: bool = True


def commits(file: h5py.File) -> list[Commit]:
    """The commits that hold, the newest first; none if both records are damaged."""
    rows = file[COMMITS][()]
    if CURRENT in file:  # format 1
        slot = int(file[CURRENT][0]) & 1
        row = [int(value) for value in rows[slot]]
        return [Commit(slot, dict(zip(COUNTERS, row, strict=False)), row[-1])]
    good = [i for i in range(2) if sums.is_commit(rows[i])]
    found = []
    for i in sorted(good, key=lambda i: -rows[i, 0]):
        serial, *counts, length, crc, _ = (int(value) for value in rows[i])
        found.append(Commit(i, dict(zip(COUNTERS, counts, strict=True)), length, crc, serial, len(good) == 2))
    return found


def committed(file: h5py.File) -> Commit:
    """The commit that holds."""
    found = commits(file)
    if not found:
        raise DamageError(f"/{COMMITS} is damaged: nothing tells what else in the file counts")
    return found[0]


def read_checkpoint(file: h5py.File) -> dict[str, NDArray[Any]]:
    """What the run needs to go on; where the last checkpoint is damaged, the one before."""
    for commit in commits(file):
        data = file[SLOTS[commit.slot]][: commit.length].tobytes()
        if commit.crc is None or (len(data) == commit.length and sums.crc(data) == commit.crc):
            return unpack(data)
    raise ValueError("it is damaged")
