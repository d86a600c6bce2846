"""Reading a recording, also while its run is still going on."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from trundle.errors import RecordingError
from trundle.record import layout
from trundle.record.questions import Array, Questions
from trundle.record.store import SIGNATURE
from trundle.scene.joints import WORLD

if TYPE_CHECKING:
    import h5py

BLOCK = 1_000_000  # rows that are looked through at once
DATASET_OF = {
    "position": "VTKHDF/Points",
    **{name: f"VTKHDF/PointData/{name}" for name in ("orientation", "velocity", "angular_velocity")},
}
WIDTH = {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3}


@dataclass(frozen=True, eq=False)
class Frame:
    """The n bodies that are present at a time [s].

    body (n,) their numbers; position (n, 3) [m]; orientation (n, 4), (w, x, y, z); velocity (n, 3) [m/s];
    angular_velocity (n, 3) [rad/s], world frame; radius (n,) of the ball around each [m], 0 for unbounded ones.
    """

    time: float
    body: NDArray[np.int32]
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    radius: Array

    def __len__(self) -> int:
        return len(self.body)


@dataclass(frozen=True, eq=False)
class FrameContacts:
    """The c contacts of the step that led to a frame.

    body (c, 2); point (c, 3) [m]; frame (c, 3, 3), rows n, t1, t2, n from the first body to the second; gap (c,) [m];
    impulse (c, 6) [N s, N m s] on the second body and velocity (c, 6) [m/s, rad/s] of it relative to the first, in the
    contact frame: n, t1, t2, s, r1, r2; code (c,) of the mode, mode (c,) its name.  names: of all bodies; time_step [s].

    Forces and torques are the means over the step, in the world frame, on the second body.
    """

    time: float
    body: NDArray[np.int32]
    point: Array
    frame: Array
    gap: Array
    impulse: Array
    velocity: Array
    code: NDArray[np.uint8]
    mode: NDArray[np.str_]
    names: Sequence[str] = ()
    time_step: float = np.nan

    def __len__(self) -> int:
        return len(self.gap)

    @property
    def bodies(self) -> NDArray[np.str_]:
        """Names of the two bodies, shape (c, 2)."""
        return np.array(self.names, dtype=str)[self.body] if len(self) else np.zeros((0, 2), str)

    @property
    def normal(self) -> Array:
        """Unit normals from the first body to the second, shape (c, 3)."""
        return self.frame[:, 0]

    def _part(self, rows: slice, axes: slice) -> Array:
        return np.einsum("ck,ckx->cx", self.impulse[:, rows], self.frame[:, axes]) / self.time_step

    @property
    def normal_force(self) -> Array:
        """Force along the normal [N], shape (c, 3)."""
        return self._part(slice(0, 1), slice(0, 1))

    @property
    def sliding_force(self) -> Array:
        """Friction force [N], shape (c, 3)."""
        return self._part(slice(1, 3), slice(1, 3))

    @property
    def spinning_torque(self) -> Array:
        """Torque about the normal [N m], shape (c, 3)."""
        return self._part(slice(3, 4), slice(0, 1))

    @property
    def rolling_torque(self) -> Array:
        """Torque in the tangent plane [N m], shape (c, 3)."""
        return self._part(slice(4, 6), slice(1, 3))

    @property
    def force(self) -> Array:
        """Force at the contact point [N], shape (c, 3)."""
        return self.normal_force + self.sliding_force

    @property
    def torque(self) -> Array:
        """Torque besides that of the force, spinning and rolling [N m], shape (c, 3)."""
        return self.spinning_torque + self.rolling_torque


class Recording(Questions):
    """A run in a file: the same questions as to a `Run`, and frames and contacts one by one.

    Nothing is read before it is asked for.  The number of frames is that of the moment of opening.

    >>> with Recording("run.h5") as run:
    ...     height = run.position("ball")[:, 2]
    ...     last = run.frame(-1)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file, self._source = _open(self.path)
        try:
            _, self._counts, _ = layout.committed(self._file)
            for name, (belongs, _, _) in layout.columns_in(self._file).items():
                if self._file[name].shape[0] < self._counts[belongs]:
                    raise RecordingError(f"{path}: /{name} is shorter than the file says: it is damaged.")
        except RecordingError:
            self.close()
            raise
        except (OSError, KeyError, RuntimeError, ValueError, AttributeError, MemoryError) as error:
            self.close()
            raise RecordingError(f"{path}: is damaged ({_first_line(error)}).") from error

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        end = f"until t = {self.time[-1]:g} s" if self.frame_count else "yet"
        state = "" if self.finished else ", not finished"
        return f"<Recording {self.path.name!r}: {len(self.names):,} bodies, {self.frame_count:,} frames {end}{state}>"

    def _recorded(self) -> Path:
        return self.path

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
        self._source.close()

    def _read(self, name: str, start: int, stop: int, step: int = 1) -> NDArray[Any]:
        if not self._file.id.valid:
            raise RecordingError(f"{self.path}: this recording is closed. Open it again.")
        try:
            return self._file[name][start:stop:step]
        except (
            OSError,
            KeyError,
            RuntimeError,
            MemoryError,
        ) as error:  # of memory: lengths are no longer what they were
            raise RecordingError(
                f"{self.path}: /{name} cannot be read ({_first_line(error)}). The file is damaged."
            ) from error

    # --- the run as a whole ---------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end."""
        return bool(self._file.attrs["finished"])

    @property
    def attributes(self) -> dict[str, Any]:
        """Version of trundle, format, seed, when it was made, wall_time and cpu_time [s]."""
        return {name: value for name, value in self._file.attrs.items() if name != "versions"}

    @cached_property
    def versions(self) -> dict[str, str]:
        """Versions of the packages that the run was made with."""
        return dict(json.loads(self._file.attrs["versions"]))

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self._file.attrs["seed"])

    @cached_property
    def scene(self) -> str:
        """The scene as the text of a scene file."""
        return str(self._file["scene"].asstr()[()])

    @cached_property
    def options(self) -> dict[str, Any]:
        """The arguments of `simulate`."""
        return dict(json.loads(self._file["options"][()]))

    @cached_property
    def bodies(self) -> NDArray[np.void]:
        """A table: name, shape (JSON), mass [kg], radius [m] of the ball around it, surface, fixed."""
        table = _texts(self._file["bodies"][()])
        return table[
            table["name"] != WORLD
        ]  # the last row, if any: it stands for what joints hold on to, and is no body

    @cached_property
    def names(self) -> Sequence[str]:
        """Names of the bodies; their places are the bodies' numbers."""
        return tuple(self.bodies["name"])

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """Names of the mode codes."""
        return tuple(self._file["modes"].asstr()[()])

    # --- over time ------------------------------------------------------------------------------------

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self._counts["frames"]

    @cached_property
    def time(self) -> Array:
        """Times of the frames [s], shape (T,)."""
        return self._read("VTKHDF/Steps/Values", 0, self.frame_count)

    @cached_property
    def contact_counts(self) -> NDArray[np.int64]:
        """Number of contacts of each frame, shape (T,)."""
        return self._read("contacts/count", 0, self.frame_count)

    @cached_property
    def energy(self) -> NDArray[np.void]:
        """The ledger: one row per step [J]."""
        return self._read("energy", 0, self._counts["steps"])

    @cached_property
    def steps(self) -> NDArray[np.void]:
        """Contacts, residual, iterations and converged of every step."""
        return self._read("steps", 0, self._counts["steps"])

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return self._read("VTKHDF/NumberOfPoints", 0, self.frame_count)

    @cached_property
    def _offsets(self) -> NDArray[np.int64]:
        return self._read("VTKHDF/Steps/PointOffsets", 0, self.frame_count)

    def _series(self, quantity: str, body: int) -> Array:
        rows, count = self._counts["points"], len(self.bodies)
        if self.frame_count and np.all(self._sizes == count):
            return self._read(DATASET_OF[quantity], body, rows, count)
        series = np.full((self.frame_count, WIDTH[quantity]), np.nan)
        for start in range(0, rows, BLOCK):
            stop = min(start + BLOCK, rows)
            found = np.flatnonzero(self._read("VTKHDF/PointData/body", start, stop) == body)
            if len(found):
                frame = np.searchsorted(self._offsets, start + found, side="right") - 1
                series[frame] = self._read(DATASET_OF[quantity], start, stop)[found]
        return series

    @cached_property
    def joints(self) -> NDArray[np.void]:
        """A table: name, kind, one, other ("world" for joints that hold on to it); empty where there are no joints."""
        if layout.JOINTS not in self._file:
            return np.zeros(0, layout.JOINT_TYPE)
        table = _texts(self._file[layout.JOINTS][()])
        table["other"][table["other"] == WORLD] = "world"
        return table

    @cached_property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints."""
        return tuple(self.joints["name"])

    @property
    def _time_step(self) -> float:
        return float(self.options["time_step"])

    def _joint_series(self, quantity: str, joint: int) -> Array:
        return self._read(f"joints/{quantity}", 0, self.frame_count)[:, joint]

    def largest_joint_loads(self) -> Array:
        """The largest mean force [N] and torque [N m] of every joint within a recorded step, shape (J, 2)."""
        count, largest = len(self.joints), np.zeros((len(self.joints), 2))
        block = max(1, BLOCK // max(1, 6 * count))
        for start in range(1, self.frame_count if count else 0, block):  # no step led to the first frame
            impulse = self._read("joints/impulse", start, min(start + block, self.frame_count))
            size = np.linalg.norm(impulse.reshape(-1, count, 2, 3), axis=3)
            largest = np.fmax(largest, np.fmax.reduce(size, axis=0))
        return largest / self._time_step

    # --- one moment -----------------------------------------------------------------------------------

    def frame(self, i: int) -> Frame:
        """The i-th frame, with the bodies present; -1 is the last."""
        k = self._number(i, f"{self.path}: ")
        rows = int(self._offsets[k]), int(self._offsets[k] + self._sizes[k])
        columns = {name: self._read(f"VTKHDF/PointData/{name}", *rows) for name in layout.POINT_DATA}
        return Frame(time=float(self.time[k]), position=self._read("VTKHDF/Points", *rows), **columns)

    def contacts(self, i: int) -> FrameContacts:
        """The contacts of the step that led to the i-th frame; the first frame has none."""
        k = self._number(i, f"{self.path}: ")
        start = int(self._read("contacts/offset", k, k + 1)[0])
        stop = start + int(self._read("contacts/count", k, k + 1)[0])
        columns = {name: self._read(f"contacts/{name}", start, stop) for name in layout.CONTACT_DATA}
        code = columns.pop("mode")
        mode = np.array(self.modes)[code]
        h = float(self.options.get("time_step", np.nan))
        return FrameContacts(float(self.time[k]), code=code, mode=mode, names=self.names, time_step=h, **columns)

    def joint_places(self, i: int) -> tuple[Array, Array]:
        """Points [m] and axes (unit vectors) of the joints in the i-th frame, shape (J, 3) both.

        No step led to the first frame: it has those of the second.
        """
        k = min(max(self._number(i, f"{self.path}: "), 1), self.frame_count - 1)
        if not len(self.joints):
            return np.zeros((0, 3)), np.zeros((0, 3))
        return self._read("joints/point", k, k + 1)[0], self._read("joints/frame", k, k + 1)[0, :, 0]

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """What `simulate` needs to continue the run."""
        if layout.committed(self._file)[2] == 0:
            raise RecordingError(f"{self.path}: was saved while its simulation went on, and cannot be continued.")
        try:
            return layout.read_checkpoint(self._file)
        except (OSError, KeyError, ValueError, RuntimeError, EOFError, BadZipFile, MemoryError) as error:
            raise RecordingError(f"{self.path}: its checkpoint cannot be read ({_first_line(error)}).") from error


def open_recording(path: str | Path) -> Recording:
    """Open the recording of a run, finished or not."""
    return Recording(path)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].strip("'\"")


def _texts(raw: NDArray[np.void]) -> NDArray[np.void]:
    """A table whose texts are str, not bytes."""
    text = {name: raw.dtype[name].hasobject for name in raw.dtype.names or ()}
    table = np.empty(len(raw), [(name, object if text[name] else raw.dtype[name]) for name in text])
    for name in text:
        table[name] = [value.decode() for value in raw[name]] if text[name] else raw[name]
    return table


class _Source(io.FileIO):
    """The file as HDF5 reads it.  Given a name, HDF5 would share what it knows with all who have the file open in this
    process, and so never see how it grows."""

    def __del__(self) -> None:
        self.close()  # without the warning: runs that nobody closes are common, and harmless


def _open(path: Path) -> tuple[h5py.File, _Source]:
    import h5py

    try:
        source = _Source(path, "r")
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read ({error.strerror}).") from error
    try:
        if source.read(8) != SIGNATURE:
            raise RecordingError(
                f"{path}: is not an HDF5 file. Recordings are written by `trundle run scene.toml -o run.h5`."
            )
        try:
            file = h5py.File(source, "r")
        except OSError as error:
            raise RecordingError(
                f"{path}: cannot be opened ({_first_line(error)}). The file is cut off or damaged; copy it again."
            ) from error
        try:
            _check(path, file)
        except Exception as error:
            file.close()
            if isinstance(error, RecordingError):
                raise
            raise RecordingError(f"{path}: is damaged ({_first_line(error)}).") from error
    except RecordingError:
        source.close()
        raise
    return file, source


def _check(path: Path, file: h5py.File) -> None:
    if "format" not in file.attrs or "trundle" not in file.attrs:
        raise RecordingError(f"{path}: is an HDF5 file, but not a recording of trundle.")
    if int(file.attrs["format"]) > layout.FORMAT:
        raise RecordingError(
            f"{path}: has format {int(file.attrs['format'])}, written by trundle {file.attrs['trundle']}; this version "
            f"reads up to {layout.FORMAT}. Install a newer trundle."
        )
    wanted = ["scene", "options", "bodies", "modes", layout.CURRENT, layout.COMMITS, *layout.SLOTS, *layout.COLUMNS]
    missing = [name for name in [*wanted, "steps", "energy"] if name not in file]
    if missing:
        raise RecordingError(f"{path}: lacks {', '.join('/' + name for name in missing[:5])}: it is damaged.")
