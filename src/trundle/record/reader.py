"""Reading a recording, also while its run is still going on."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from trundle.errors import DamageError, DiskError, RecordingError, warn
from trundle.output import file_path
from trundle.record import layout, sums
from trundle.record.frames import Frame, FrameContacts
from trundle.record.questions import Array, Questions
from trundle.record.store import SIGNATURE
from trundle.scene.joints import TWO_POINTS, WORLD

if TYPE_CHECKING:
    import h5py

Counts = Sequence[int] | NDArray[np.int64]
BLOCK = 1_000_000  # rows that are looked through at once
STEPS_AT_ONCE = 20_000  # rows of the tables of steps
SUMS_KEPT = 512  # frames whose checksums are remembered
DATASET_OF = {
    "position": "VTKHDF/Points",
    **{name: f"VTKHDF/PointData/{name}" for name in ("orientation", "velocity", "angular_velocity")},
}
DAMAGED = "The file is damaged there; what stands before can be read, `trundle repair` saves it."
WIDTH = {"position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3}


class Recording(Questions):
    """A run in a file: the same questions as to a `Run`, and frames and contacts one by one.

    Nothing is read before it is asked for.  The number of frames is that of the moment of opening.

    >>> with Recording("run.h5") as run:
    ...     height = run.position("ball")[:, 2]
    ...     last = run.frame(-1)
    """

    def __init__(self, path: str | Path, *, lenient: bool = False) -> None:
        """Open a file; lenient: also one whose datasets are not all there, for those who repair it."""
        self.path = file_path("recording", path)
        self._file, self._source = _open(self.path, lenient)
        try:
            commit = layout.committed(self._file)
            self._counts, columns = commit.counts, layout.columns_in(self._file)
            self._checked = sums.FRAMES in columns  # format 1 has no checksums
            self._summed = {name: i for i, name in enumerate(sums.frame_columns(columns))}
            self._kept_sums: tuple[int, NDArray[np.uint32]] = (0, np.zeros((0, len(self._summed)), np.uint32))
            self._indices: dict[str, NDArray[Any]] = {}
            for name, (belongs, _, _) in columns.items():
                if not lenient and self._file[name].shape[0] < self._counts[belongs]:
                    raise DamageError(f"/{name} is shorter than the file says")
            if not commit.whole and not self.finished:
                warn(f"{path}: the record of its last commit is damaged. What was committed before it is shown.")
        except DamageError as error:
            self.close()
            raise DamageError(f"{path}: {error}: it is damaged.") from None
        except (OSError, KeyError, RuntimeError, ValueError, AttributeError, MemoryError) as error:
            self.close()
            raise DamageError(f"{path}: is damaged ({_first_line(error)}).") from error

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
        return self._value(name, slice(start, stop, step))

    def _value(self, name: str, rows: Any = ()) -> Any:
        """Rows of a dataset as they are in the file."""
        if not self._file.id.valid:
            raise RecordingError(f"{self.path}: this recording is closed. Open it again.")
        try:
            return self._file[name][rows]
        except MemoryError as error:
            if self._file[name].nbytes <= self.path.stat().st_size:  # else lengths are not what they were
                raise DiskError(f"{self.path}: out of memory ({error}). Allow more (`ulimit -v`).") from error
            raise DamageError(f"{self.path}: /{name} is longer than the file. {DAMAGED}") from error
        except (OSError, KeyError, RuntimeError) as error:
            if "memory allocation failed" in str(error):
                raise DiskError(
                    f"{self.path}: /{name} cannot be read: out of memory. Allow more (`ulimit -v`)."
                ) from error
            raise DamageError(f"{self.path}: /{name} cannot be read ({_first_line(error)}). {DAMAGED}") from error

    # --- checksums --------------------------------------------------------------------------------------

    def damaged_frames(self, name: str, rows: NDArray[Any], first: int, counts: Counts) -> NDArray[np.int64]:
        """Numbers of the frames, from `first` on, whose rows of a dataset are not what was written; counts: rows of each."""
        if not self._checked:
            return np.zeros(0, np.int64)
        known = self._sums(first, first + len(counts))[:, self._summed[name]]
        return first + np.flatnonzero(known != sums.crcs(rows, counts))

    def _sums(self, first: int, last: int) -> NDArray[np.uint32]:
        """Checksums of some frames; those around them are remembered, for frames are asked for one by one."""
        start, kept = self._kept_sums
        if not start <= first <= last <= start + len(kept):
            start, kept = first, self._read(sums.FRAMES, first, min(max(last, first + SUMS_KEPT), self.frame_count))
            self._kept_sums = start, kept
        return kept[first - start : last - start]

    def _good(self, name: str, rows: NDArray[Any], first: int, counts: Counts) -> NDArray[Any]:
        """Rows of a dataset, if they are what was written."""
        bad = self.damaged_frames(name, rows, first, counts)
        if len(bad):
            raise DamageError(f"{self.path}: /{name}, frame {bad[0]}: its checksum is wrong. {DAMAGED}")
        return rows

    def damaged_steps(self, name: str, rows: NDArray[Any], first: int = 0) -> NDArray[np.int64]:
        """Numbers of the steps, rows of `steps` or `energy` from `first` on, that are not what was written."""
        if not self._checked:
            return np.zeros(0, np.int64)
        known = self._read(sums.STEPS, first, first + len(rows))[:, sums.STEP_COLUMNS.index(name)]
        return first + np.flatnonzero(known != sums.crcs(rows, [1] * len(rows)))

    def _table(self, name: str, start: int = 0, stop: int | None = None) -> NDArray[np.void]:
        rows = self._read(name, start, self._counts["steps"] if stop is None else stop)
        bad = self.damaged_steps(name, rows, start)
        if len(bad):
            raise DamageError(f"{self.path}: /{name}, step {bad[0]}: its checksum is wrong. {DAMAGED}")
        return layout.with_columns(rows, layout.RENAMED)

    def _fixed(self, name: str) -> Any:
        """A dataset that does not change, if it is what was written."""
        value = self._value(name)
        if self._checked:
            names = [one for one in sums.FIXED_SETS if one in self._file]
            if int(self._value(sums.FIXED)[names.index(name)]) != sums.crc(value):
                raise DamageError(f"{self.path}: /{name}: its checksum is wrong. {DAMAGED}")
        return value

    def _text(self, name: str) -> str:
        value = self._fixed(name)
        return str(value.decode() if isinstance(value, bytes) else value)

    # --- the run as a whole ---------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether the run has come to its end."""
        return bool(self._file.attrs["finished"])

    @property
    def attributes(self) -> dict[str, Any]:
        """Version of trundle, format, seed, when it was made, wall_time and cpu_time [s]."""
        return {name: _word(value) for name, value in self._file.attrs.items() if name != "versions"}

    @cached_property
    def versions(self) -> dict[str, str]:
        """Versions of the packages that the run was made with."""
        return dict(json.loads(_word(self._file.attrs["versions"])))

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self._file.attrs["seed"])

    @cached_property
    def scene(self) -> str:
        """The scene as the text of a scene file."""
        return self._text("scene")

    @cached_property
    def options(self) -> dict[str, Any]:
        """The arguments of `simulate`."""
        text = bytes(self._value("options"))
        if self._checked and sums.crc(text) not in self._value(sums.OPTIONS):
            raise DamageError(f"{self.path}: /options: its checksum is wrong. {DAMAGED}")
        return dict(json.loads(text))

    @cached_property
    def stages(self) -> list[dict[str, Any]]:
        """How the run was made: for its start, and for each time that it was continued, scene, options, versions, machine."""
        if layout.PROVENANCE not in self._file:  # format 1
            return []
        lines = bytes(self._value(layout.PROVENANCE)).splitlines(keepends=True)
        found = [sums.table_of(line.rstrip(b"\n")) for line in lines if line.endswith(b"\n")]
        if None in found:
            raise DamageError(
                f"{self.path}: /{layout.PROVENANCE}, line {found.index(None)}: its checksum is wrong. {DAMAGED}"
            )
        return [stage for stage in found if stage]

    @cached_property
    def bodies(self) -> NDArray[np.void]:
        """A table: name, shape (JSON), mass [kg], radius [m] of the ball around it, surface, fixed."""
        table = _texts(self._fixed("bodies"))
        if self._checked:
            shapes, lines = self._text("shapes").split("\n"), table["shape"].astype(int)
            table = table.astype(layout.BODY_TYPE)
            table["shape"] = [shapes[i] for i in lines]
        # the last row, if any, stands for what joints hold on to, and is no body
        return table[table["name"] != WORLD]

    @cached_property
    def names(self) -> Sequence[str]:
        """Names of the bodies; their places are the bodies' numbers."""
        return tuple(self.bodies["name"])

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """Names of the mode codes."""
        return tuple(value.decode() for value in self._fixed("modes"))

    # --- over time ------------------------------------------------------------------------------------

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self._counts["frames"]

    @cached_property
    def time(self) -> Array:
        """Times of the frames [s], shape (T,)."""
        return self._index("VTKHDF/Steps/Values", 0, self.frame_count)

    @cached_property
    def energy(self) -> NDArray[np.void]:
        """The ledger: one row per step [J]."""
        return self._table("energy")

    @cached_property
    def steps(self) -> NDArray[np.void]:
        """Contacts, residual, iterations and converged of every step."""
        return self._table("steps")

    def step_rows(self, count: int) -> Iterator[NDArray[np.void]]:
        """The first `count` rows of the tables `steps` and `energy` as one table, piece by piece."""
        for start in range(0, count, STEPS_AT_ONCE):
            steps, energy = (self._table(name, start, min(start + STEPS_AT_ONCE, count)) for name in sums.STEP_COLUMNS)
            columns = {name: table[name] for table in (energy, steps) for name in table.dtype.names or ()}
            rows = np.zeros(len(steps), [(name, values.dtype) for name, values in columns.items()])
            for name, values in columns.items():
                rows[name] = values
            yield rows

    def _index(self, name: str, start: int, stop: int) -> NDArray[Any]:
        """Rows of a dataset that has one number for each frame."""
        return self._good(name, self._raw_index(name)[start:stop], start, [1] * (stop - start))

    def _raw_index(self, name: str) -> NDArray[Any]:
        """All of such a dataset, as it is in the file."""
        if name not in self._indices:
            self._indices[name] = self._read(name, 0, self.frame_count)
        return self._indices[name]

    def _joint_rows(self, quantity: str, start: int, stop: int) -> Array:
        name = f"joints/{quantity}"
        return self._good(name, self._read(name, start, stop), start, [1] * (stop - start))

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        return self._index("VTKHDF/NumberOfPoints", 0, self.frame_count)

    @cached_property
    def _offsets(self) -> NDArray[np.int64]:
        return self._index("VTKHDF/Steps/PointOffsets", 0, self.frame_count)

    @property
    def contact_counts(self) -> NDArray[np.int64]:
        """Number of contacts of every frame, shape (T,)."""
        return self._index("contacts/count", 0, self.frame_count)

    def _series(self, quantity: str, body: int) -> Array:
        series = np.full((self.frame_count, WIDTH[quantity]), np.nan)
        everybody = bool(self.frame_count and np.all(self._sizes == len(self.bodies)))
        name, first = DATASET_OF[quantity], 0
        while first < self.frame_count:
            start = int(self._offsets[first])
            last = max(first + 1, int(np.searchsorted(self._offsets, start + BLOCK)))
            counts = self._sizes[first:last]
            stop = start + int(counts.sum())
            rows = self._good(name, self._read(name, start, stop), first, counts)
            if everybody:
                series[first:last] = rows[body :: len(self.bodies)]
            else:
                numbers = "VTKHDF/PointData/body"
                found = np.flatnonzero(self._good(numbers, self._read(numbers, start, stop), first, counts) == body)
                frame = np.searchsorted(self._offsets, start + found, side="right") - 1
                series[frame] = rows[found]
            first = last
        return series

    @property
    def has_springs(self) -> bool:
        """Whether its contacts have springs that remember: `elastic` and `deflection` of `FrameContacts`."""
        return "contacts/deflection" in self._file

    @cached_property
    def joints(self) -> NDArray[np.void]:
        """A table: name, kind, one, other ("world" for joints that hold on to it); empty where there are no joints."""
        if layout.JOINTS not in self._file:
            return np.zeros(0, layout.JOINT_TYPE)
        table = _texts(self._fixed(layout.JOINTS))
        table["other"][table["other"] == WORLD] = "world"
        return table

    @cached_property
    def joint_names(self) -> Sequence[str]:
        """Names of the joints."""
        return tuple(self.joints["name"])

    @property
    def _joint_kinds(self) -> Sequence[str]:
        return tuple(self.joints["kind"])

    def _has_joint_data(self, quantity: str) -> bool:
        return f"joints/{quantity}" in self._file

    @property
    def _time_step(self) -> float:
        return float(self.options["time_step"])

    def _joint_series(self, quantity: str, joint: int) -> Array:
        return self._joint_rows(quantity, 0, self.frame_count)[:, joint]

    @cached_property
    def constraints(self) -> NDArray[np.void]:
        """A table: name and body, a row for each body of each constraint; empty where there are no constraints."""
        if layout.CONSTRAINTS not in self._file:
            return np.zeros(0, layout.CONSTRAINT_TYPE)
        return _texts(self._fixed(layout.CONSTRAINTS))

    @cached_property
    def _constrained(self) -> list[tuple[str, str]]:
        return [(str(name), str(body)) for name, body in self.constraints.tolist()]

    def _constraint_series(self, row: int) -> Array:
        name = layout.CONSTRAINT_IMPULSE
        rows = self._read(name, 0, self.frame_count)
        return self._good(name, rows, 0, [1] * self.frame_count)[:, row]

    def largest_joint_loads(self) -> Array:
        """The largest mean force [N] and torque [N m] of every joint within a recorded step, shape (J, 2)."""
        count, largest = len(self.joints), np.zeros((len(self.joints), 2))
        block = max(1, BLOCK // max(1, 6 * count))
        for start in range(1, self.frame_count if count else 0, block):  # no step led to the first frame
            impulse = self._joint_rows("impulse", start, min(start + block, self.frame_count))
            size = np.linalg.norm(impulse.reshape(-1, count, 2, 3), axis=3)
            largest = np.fmax(largest, np.fmax.reduce(size, axis=0))
        return largest / self._time_step

    # --- one moment -----------------------------------------------------------------------------------

    def frame(self, i: int) -> Frame:
        """The i-th frame, with the bodies present; -1 is the last."""
        k = self._number(i, f"{self.path}: ")
        time = float(self._index("VTKHDF/Steps/Values", k, k + 1)[0])
        rows = self._rows_of("VTKHDF/Steps/PointOffsets", "VTKHDF/NumberOfPoints", k)
        columns = {name: self._piece(f"VTKHDF/PointData/{name}", k, *rows) for name in layout.POINT_DATA}
        return Frame(time=time, position=self._piece("VTKHDF/Points", k, *rows), **columns)

    def contacts(self, i: int) -> FrameContacts:
        """The contacts of the step that led to the i-th frame; the first frame has none."""
        k = self._number(i, f"{self.path}: ")
        time = float(self._index("VTKHDF/Steps/Values", k, k + 1)[0])
        rows = self._rows_of("contacts/offset", "contacts/count", k)
        wanted = (*layout.CONTACT_DATA, *(layout.SPRING_DATA if self.has_springs else ()))
        columns = {name: self._piece(f"contacts/{name}", k, *rows) for name in wanted}
        code = columns.pop("mode")
        mode = np.array(self.modes)[code]
        h = float(self.options.get("time_step", np.nan))
        return FrameContacts(time, code=code, mode=mode, names=self.names, time_step=h, **columns)

    def _rows_of(self, offsets: str, counts: str, k: int) -> tuple[int, int]:
        start = int(self._index(offsets, k, k + 1)[0])
        return start, start + int(self._index(counts, k, k + 1)[0])

    def _piece(self, name: str, k: int, start: int, stop: int) -> NDArray[Any]:
        return self._good(name, self._read(name, start, stop), k, [stop - start])

    def joint_places(self, i: int) -> tuple[Array, Array]:
        """Points [m] and axes (unit vectors) of the joints in the i-th frame, shape (J, 3) both.

        Joints with two points have the vector from the first to the second [m] instead of an axis.  No step led to the first
        frame: it has those of the second.
        """
        k = min(max(self._number(i, f"{self.path}: "), 1), self.frame_count - 1)
        if not len(self.joints):
            return np.zeros((0, 3)), np.zeros((0, 3))
        axis = self._joint_rows("frame", k, k + 1)[0, :, 0]
        if self._has_joint_data("motion"):
            two = np.isin(self.joints["kind"].astype(str), TWO_POINTS)
            axis = np.where(two[:, None], self._joint_rows("motion", k, k + 1)[0, :, :1], 1.0) * axis
        return self._joint_rows("point", k, k + 1)[0], axis

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """What `simulate` needs to continue the run."""
        if layout.committed(self._file).length == 0:
            raise RecordingError(f"{self.path}: was saved while its simulation went on, and cannot be continued.")
        try:
            return layout.read_checkpoint(self._file)
        except (OSError, KeyError, ValueError, RuntimeError, EOFError, BadZipFile, MemoryError) as error:
            raise DamageError(f"{self.path}: its checkpoint cannot be read ({_first_line(error)}).") from error


def open_recording(path: str | Path) -> Recording:
    """Open the recording of a run, finished or not."""
    return Recording(path)


def _word(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].strip("'\"")


def _texts(raw: NDArray[np.void]) -> NDArray[np.void]:
    """A table whose texts are str, not bytes."""
    text = {name: raw.dtype[name].kind in "OS" for name in raw.dtype.names or ()}
    table = np.empty(len(raw), [(name, object if text[name] else raw.dtype[name]) for name in text])
    for name in text:
        table[name] = [value.decode() for value in raw[name]] if text[name] else raw[name]
    return table


class _Source(io.FileIO):
    """The file as HDF5 reads it.  Given a name, HDF5 would share what it knows with all who have the file open in this
    process, and so never see how it grows."""

    def __del__(self) -> None:
        self.close()  # without the warning: runs that nobody closes are common, and harmless


def _open(path: Path, lenient: bool = False) -> tuple[h5py.File, _Source]:
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
            raise DamageError(
                f"{path}: cannot be opened ({_first_line(error)}). The file is cut off or damaged; copy it again."
            ) from error
        try:
            _check(path, file, lenient)
        except Exception as error:
            file.close()
            if isinstance(error, RecordingError):
                raise
            raise DamageError(f"{path}: is damaged ({_first_line(error)}).") from error
    except RecordingError:
        source.close()
        raise
    return file, source


# Texts of variable length, as format 1 has them, lie in a heap without checksums, in which HDF5 can run in circles.
PROBE = """
import sys, h5py
with h5py.File(sys.argv[1], "r") as file:
    dict(file.attrs)
    for name in ("scene", "options", "bodies", "modes", "joints/list", "constraints/list"):
        if name in file:
            file[name][()]
"""
PROBE_SECONDS = 20.0


@cache
def _probed(path: Path, changed: int, size: int) -> str:
    """Read the texts of a file in a process that is watched; returns what is wrong with them."""
    command = [sys.executable, "-c", PROBE, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PROBE_SECONDS + size / 1e7)
    except subprocess.TimeoutExpired:
        return "HDF5 does not come to an end with its texts"
    except OSError:
        return ""
    lines = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else (lines[-1] if lines else f"HDF5 fails, signal {-done.returncode}")


def _probe(path: Path) -> None:
    status = path.stat()
    wrong = _probed(path, status.st_mtime_ns, status.st_size)
    if wrong:
        raise DamageError(f"{path}: is damaged ({wrong}).")


def _check(path: Path, file: h5py.File, lenient: bool) -> None:
    if "format" not in file.attrs or "trundle" not in file.attrs:
        raise RecordingError(f"{path}: is an HDF5 file, but not a recording of trundle.")
    version = int(file.attrs["format"])
    if version == 1:
        _probe(path)
    if version > layout.FORMAT:
        raise RecordingError(
            f"{path}: has format {version}, written by trundle {_word(file.attrs['trundle'])}; this version reads up to "
            f"{layout.FORMAT}. Install a newer trundle."
        )
    own = [layout.CURRENT] if version == 1 else ["shapes", sums.FRAMES, sums.STEPS, sums.FIXED, sums.OPTIONS]
    wanted = ["scene", "options", "bodies", "modes", layout.COMMITS, *own, *layout.SLOTS, *layout.COLUMNS]
    missing = [name for name in [*wanted, "steps", "energy"] if name not in file]
    if missing and not lenient:
        raise DamageError(f"{path}: lacks {', '.join('/' + name for name in missing[:5])}: it is damaged.")
