"""Writing a recording as a run goes."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import interrupts
from trundle.errors import DamageError, RecordingError
from trundle.output import cannot_write
from trundle.record import layout, sums
from trundle.record.layout import COMMITS, COUNTERS, CURRENT, PROVENANCE, SLOTS
from trundle.record.store import StoreFile

PATIENCE = 1.0  # seconds of a run that a kill may cost
SHARE = 0.01  # of the time that commits may take; where they take longer they are rarer
MOST_BYTES = 64_000_000  # that wait in memory
POINT_COLUMNS = tuple((name, f"VTKHDF/PointData/{name}") for name in layout.POINT_DATA)
CONTACT_COLUMNS = tuple((name, f"contacts/{name}") for name in (*layout.CONTACT_DATA, *layout.SPRING_DATA))
FRAME_COLUMNS = (
    "VTKHDF/Steps/Values", "VTKHDF/NumberOfPoints", "VTKHDF/Steps/PointOffsets", "VTKHDF/Steps/PartOffsets",
    "VTKHDF/Steps/NumberOfParts", "contacts/offset", "contacts/count",
)  # fmt: skip
NOTHING = np.zeros(0, "u1")
SLACK = 500_000  # bytes for HDF5's own tables, reserved for each commit


class Writer:
    """Appends frames and steps to a recording; what was committed stays, whatever happens to the process.

    A commit writes the rows that have come in since the last one together with a checkpoint, and only then says, by
    one small write, that they count.
    """

    def __init__(
        self, path: str | Path, counts: Mapping[str, int] | None = None, stage: Mapping[str, Any] | None = None
    ) -> None:
        """Go on after what was committed, or after `counts` rows of it: those behind them are written again.

        stage : what /provenance shall say about the run from here on
        """
        self.path, self._stage = Path(path), stage
        try:
            self._store = StoreFile(self.path, "r+")
        except OSError as error:
            raise cannot_write(path, error) from error
        if not self._store.lock():
            self._store.close()
            raise RecordingError(
                f"{path}: another run is writing to this file. Wait for it, close it (Simulation.close), or give another name."
            )
        import h5py

        try:
            self._file = h5py.File(
                self._store, "r+", libver=layout.LIBRARY, rdcc_nbytes=0
            )  # rows go straight to the file
            self._open(counts)
        except (OSError, RuntimeError, KeyError, ValueError) as error:
            self._store.close()
            raise DamageError(f"{path}: cannot be opened as a recording ({error}).") from error
        except RecordingError:
            self._file.close()
            self._store.close()
            raise

    def _open(self, counts: Mapping[str, int] | None) -> None:
        self._walk()
        if self._stage is not None:
            self._add_stage(self._stage)
        self._file.swmr_mode = True
        commit = layout.committed(self._file)
        self._slot, self._serial = commit.slot, commit.serial
        self.counts = {name: int(counts[name]) for name in COUNTERS} if counts else dict(commit.counts)
        self._checkpoint = self._file[SLOTS[self._slot]][: commit.length].tobytes()
        self._columns = layout.columns_in(self._file)
        old = [name for name in layout.RENAMED if name in (self._file["energy"].dtype.names or ())]
        self._old_names = {layout.RENAMED[name]: name for name in old}  # columns of the ledger have these in this file
        self._summed = sums.frame_columns(self._columns) if sums.FRAMES in self._columns else []
        self._sets = {name: self._file[name] for name in self._columns}
        self._rounding = sum(int(np.prod(data.chunks)) * data.dtype.itemsize for data in self._sets.values())
        self._waiting: dict[str, list[NDArray[Any]]] = {name: [] for name in self._columns}
        self._frames: list[tuple[float, ...]] = []  # rows of FRAME_COLUMNS
        self._written = dict(self.counts)
        self._bytes, self._failed = 0, False
        self._last, self._cost = time.perf_counter(), 0.0
        fixed = [name for name in (CURRENT, COMMITS, "options", sums.OPTIONS) if name in self._file]
        self._offsets = {name: self._file[name].id.get_offset() for name in fixed}

    def _walk(self) -> None:
        """Look at HDF5's tables of all pieces of all datasets, so that damage is found here.

        In the mode with readers HDF5 takes a wrong checksum for a write in progress, and waits, each time twice as long.
        """
        for name in [*layout.columns_in(self._file), *SLOTS]:
            data = self._file[name]
            if data.id.get_num_chunks():
                data[-1:]

    def _add_stage(self, stage: Mapping[str, Any]) -> None:
        """Add a line to /provenance; only before the file is in the mode in which others may read it."""
        if PROVENANCE in self._file:  # not in files of format 1
            data, line = self._file[PROVENANCE], np.frombuffer(sums.line_of(stage), "u1")
            data.resize(len(data) + len(line), axis=0)
            data[-len(line) :] = line

    # --- what comes in --------------------------------------------------------------------------------

    def _add(self, name: str, rows: NDArray[Any]) -> None:
        self._waiting[name].append(rows)
        self._bytes += rows.nbytes

    def frame(
        self, time: float, points: Mapping[str, NDArray[Any]], contacts: Mapping[str, NDArray[Any]],
        joints: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:  # fmt: skip
        """Add a frame: `position` and the columns of PointData of the bodies present, the columns of /contacts and /joints.

        `contacts` may be empty, where there are none; `joints` is needed where there are joints, or constraints, whose columns
        have whole names.  The writer keeps the
        arrays: they must not change afterwards.
        """
        n, c = len(points["body"]), len(contacts["body"]) if contacts else 0
        self._add("VTKHDF/Points", points["position"])
        for name, column in POINT_COLUMNS:
            self._add(column, points[name])
        if c:
            for name, column in CONTACT_COLUMNS:
                if column in self._waiting:  # of springs: only in recordings of "history" by this version
                    self._add(column, contacts[name])
        for name, values in (joints or {}).items():
            column = name if "/" in name else f"joints/{name}"
            if column in self._waiting:  # files of earlier versions have no place for them
                self._add(column, values[None])
        counts = self.counts
        self._frames.append((time, n, counts["points"], counts["frames"], 1, counts["contacts"], c))
        counts["frames"] += 1
        counts["points"] += n
        counts["contacts"] += c

    def steps(self, steps: NDArray[np.void], energy: NDArray[np.void]) -> None:
        """Add rows of the tables /steps and /energy, as many of one as of the other."""
        self._add("steps", steps)
        self._add("energy", layout.with_columns(energy, self._old_names))
        self.counts["steps"] += len(steps)

    # --- what is kept ---------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Bytes that have come in since the last commit."""
        return self._bytes

    @property
    def due(self) -> bool:
        """Whether it is time for a commit."""
        waited = time.perf_counter() - self._last
        return waited > max(PATIENCE, self._cost / SHARE) or self._bytes > MOST_BYTES

    def commit(self, memory: Mapping[str, Any] | None, attributes: Mapping[str, Any] | None = None) -> None:
        """Write what has come in, and the checkpoint from which the run can go on after it; None: the former one."""
        start = time.perf_counter()
        with interrupts.held_back(), self._told():
            self._checkpoint = self._checkpoint if memory is None else layout.pack(memory)
            self._commit(self._checkpoint, attributes or {})
        self._last = time.perf_counter()
        self._cost = self._last - start

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """A write that fails within it is said; after that nothing more is written."""
        try:
            yield
            self._check()
        except (OSError, RuntimeError) as error:
            self._failed = True
            cause = self._store.failure or (error if isinstance(error, OSError) else OSError(str(error)))
            held = self._written["frames"]
            after = f"It holds {held} frames, from which the run can be resumed." if self.path.exists() and held else ""
            raise cannot_write(self.path, cause, after) from error

    def _check(self) -> None:
        if self._store.failure is not None:
            raise self._store.failure

    def _commit(self, checkpoint: bytes, attributes: Mapping[str, Any]) -> None:
        slot = 1 - self._slot
        self._store.check_there()
        self._check()
        self._store.reserve(self._bytes + len(checkpoint) + self._rounding + SLACK)
        for name, rows in self._rows():
            self._append(name, rows)
        self._write_slot(slot, checkpoint)
        self._file["VTKHDF/Steps"].attrs.modify("NSteps", np.int64(self.counts["frames"]))
        for name, value in attributes.items():
            self._file.attrs.modify(name, value)
        self._file.flush()
        self._check()
        self._declare(slot, checkpoint)
        self._check()
        self._waiting, self._frames = {name: [] for name in self._columns}, []
        self._written, self._bytes = dict(self.counts), 0

    def _rows(self) -> Iterator[tuple[str, NDArray[Any] | None]]:
        """What has come in, column by column, and in the end its checksums."""
        columns = dict(zip(FRAME_COLUMNS, zip(*self._frames, strict=True), strict=False))
        counts: dict[str, Any] = {
            "frames": [1] * len(self._frames),
            "steps": [1] * (self.counts["steps"] - self._written["steps"]),
        }
        counts |= {"points": columns.get(FRAME_COLUMNS[1], ()), "contacts": columns.get(FRAME_COLUMNS[-1], ())}
        found: dict[str, NDArray[np.uint32]] = {}
        for name, (belongs, _, _) in self._columns.items():
            if name in (sums.FRAMES, sums.STEPS):
                wanted = self._summed if name == sums.FRAMES else sums.STEP_COLUMNS
                yield name, np.stack([found[one] for one in wanted], axis=1) if len(counts[belongs]) else None
                continue
            arrays = [np.array(columns[name])] if name in columns else self._waiting[name]
            rows = None
            if arrays:
                rows = np.concatenate(arrays) if len(arrays) > 1 else arrays[0]
                rows = rows.astype(self._sets[name].dtype, copy=False)
            if self._summed and name not in sums.EMPTY:
                found[name] = sums.crcs(NOTHING if rows is None else rows, counts[belongs])
            yield name, rows

    def _append(self, name: str, rows: NDArray[Any] | None) -> None:
        belongs = self._columns[name][0]
        data, start, end = self._sets[name], self._written[belongs], self.counts[belongs]
        if data.shape[0] < end:
            data.resize(end, axis=0)
        if rows is not None:
            data[start:end] = rows

    def _write_slot(self, slot: int, checkpoint: bytes) -> None:
        data = self._file[SLOTS[slot]]
        if len(data) < len(checkpoint):
            data.resize(len(checkpoint), axis=0)
        data[: len(checkpoint)] = np.frombuffer(checkpoint, "u1")

    def _declare(self, slot: int, checkpoint: bytes, serial: int | None = None) -> None:
        """Say that a slot and the rows before it count."""
        self._serial = self._serial + 1 if serial is None else serial
        counts = [self.counts[name] for name in COUNTERS]
        if CURRENT in self._offsets:  # format 1
            row = np.array([*counts, len(checkpoint)], "<i8").tobytes()
        else:
            row = sums.commit_row(self._serial, counts, checkpoint).tobytes()
        self._store.put(self._offsets[COMMITS] + slot * len(row), row)
        if CURRENT in self._offsets:
            self._store.put(self._offsets[CURRENT], np.array(slot, "<i8").tobytes())
        self._slot = slot

    def set_options(self, options: Mapping[str, Any]) -> None:
        """Change the recorded arguments of `simulate`, for a run that is continued."""
        text, room = layout.options_text(options), self._file["options"].dtype.itemsize
        if len(text) > room:
            raise RecordingError(f"{self.path}: there is no room for the options of the continued run.")
        with interrupts.held_back(), self._told():
            if (
                sums.OPTIONS in self._offsets
            ):  # first beside that of the old ones: one of the two is right at any moment
                self._store.put(self._offsets[sums.OPTIONS] + 4, np.array(sums.crc(text), "<u4").tobytes())
            self._store.put(self._offsets["options"], text.ljust(room, b"\0"))
            if sums.OPTIONS in self._offsets:
                self._store.put(self._offsets[sums.OPTIONS], np.array(sums.crc(text), "<u4").tobytes())

    def finish(
        self, memory: Mapping[str, Any] | None, finished: bool, attributes: Mapping[str, Any] | None = None
    ) -> None:
        """The last commit; afterwards the file depends on the run alone, not on when it was committed.

        Nothing is done after a write that failed: the file holds what was committed before.
        """
        if self._failed:
            return
        self.commit(memory, attributes)
        checkpoint, other = self._checkpoint, 1 - self._slot
        with interrupts.held_back(), self._told():
            self._file.attrs.modify("finished", np.int64(finished))  # not before all that belongs to it counts
            self._store.reserve(SLACK + len(checkpoint))
            self._write_slot(other, checkpoint)
            self._file.flush()
            self._check()
            self._declare(other, checkpoint)  # now both slots hold the same
            for slot in (1, 0):
                self._declare(slot, checkpoint, serial=0)
            for slot_name in SLOTS:
                self._file[slot_name].resize(len(checkpoint), axis=0)
            for name, (belongs, _, _) in self._columns.items():
                if self._sets[name].shape[0] > self.counts[belongs]:  # left over from a run that went differently
                    self._sets[name].resize(self.counts[belongs], axis=0)
            self._file.flush()

    def rename(self, path: Path) -> None:
        """Give the file its name, at which it appears with all that was committed."""
        self.close()
        try:
            os.replace(self.path, path)
        except OSError as error:
            raise cannot_write(path, error) from error
        Writer.__init__(self, path)

    def close(self) -> None:
        """Let go of the file; what was not committed is lost."""
        if self._file.id.valid:
            try:
                with interrupts.held_back():
                    self._file.close()
            except Exception as error:  # h5py passes on whatever happens in its file object
                if not self._failed:
                    raise RecordingError(f"{self.path}: cannot be closed ({error}).") from error
            finally:
                self._store.close()
