"""What is damaged in a recording, and what can be saved of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import output
from trundle.errors import DamageError, RecordingError
from trundle.record import layout, sums
from trundle.record.reader import Recording
from trundle.record.writer import Writer

POINTS = {"VTKHDF/Points": "position", **{f"VTKHDF/PointData/{name}": name for name in layout.POINT_DATA}}
CONTACTS = {f"contacts/{name}": name for name in (*layout.CONTACT_DATA, *layout.SPRING_DATA)}
POINT_ROWS, CONTACT_ROWS = ("VTKHDF/Steps/PointOffsets", "VTKHDF/NumberOfPoints"), ("contacts/offset", "contacts/count")
TIME = "VTKHDF/Steps/Values"
ROWS_AT_ONCE = 500_000
MOST_NAMED = 5  # frames of a dataset
BYTES_WAITING = 32_000_000


@dataclass(frozen=True)
class Damage:
    """A dataset with frames or steps that are not what was written; without numbers: all of it."""

    dataset: str
    numbers: tuple[int, ...] = ()
    what: str = "frame"

    def __str__(self) -> str:
        if not self.numbers:
            return f"/{self.dataset}"
        several = len(self.numbers) > 1
        named = ", ".join(map(str, self.numbers[:MOST_NAMED]))
        more = f" and {len(self.numbers) - MOST_NAMED} more" if len(self.numbers) > MOST_NAMED else ""
        return f"/{self.dataset}: {self.what}{'s' if several else ''} {named}{more}"


@dataclass(frozen=True)
class Verdict:
    """What `verify` found: the damage, the frames that are whole, all frames, and whether there are checksums at all."""

    damage: tuple[Damage, ...]
    whole: NDArray[np.bool_]
    checked: bool
    finished: bool

    def __bool__(self) -> bool:
        return not self.damage


def verify(path: str | Path) -> Verdict:
    """Read all of a recording, and compare it with its checksums."""
    with Recording(path, lenient=True) as run:
        return examine(run)


def examine(run: Recording) -> Verdict:
    """The same of a recording that is open."""
    count, columns = run.frame_count, layout.columns_in(run._file)
    ones, none = np.ones(count, np.int64), np.zeros(count, bool)
    bad: dict[str, NDArray[np.bool_]] = {}
    for name, (belongs, *_) in columns.items():
        if belongs == "frames" and name in run._summed:
            bad[name] = _bad_frames(run, name, lambda first, last: (first, last), ones, none)
    for names, (offsets, counts) in ((POINTS, POINT_ROWS), (CONTACTS, CONTACT_ROWS)):
        lost = bad[offsets] | bad[counts]
        # where a frame is lost, nothing is read
        start, size = (np.where(lost, 0, run._raw_index(n) if not lost.all() else 0) for n in (offsets, counts))
        for name in (one for one in names if one in columns):
            bad[name] = _bad_frames(run, name, _rows_from(start, size), size, lost)
    found = [Damage(name) for name in _bad_fixed(run)]
    found += [Damage(name, tuple(np.flatnonzero(b).tolist())) for name, b in bad.items() if b.any()]
    for name in sums.STEP_COLUMNS:
        steps = _bad_steps(run, name)
        if steps.any():
            found.append(Damage(name, tuple(np.flatnonzero(steps).tolist()), "step"))
    whole = ~np.any(list(bad.values()), axis=0) if count else none
    return Verdict(tuple(found), whole, run._checked, run.finished)


def _rows_from(start: NDArray[np.int64], size: NDArray[np.int64]) -> Callable[[int, int], tuple[int, int]]:
    return lambda first, last: (int(start[first]), int(start[last - 1] + size[last - 1]))


def _bad_frames(
    run: Recording, name: str, rows: Callable[[int, int], tuple[int, int]], size: NDArray[np.int64], lost: NDArray[np.bool_]
) -> NDArray[np.bool_]:  # fmt: skip
    """Frames whose rows of a dataset are damaged, or cannot be found; several are read at once where all is well."""
    bad = lost.copy()
    for first, last in _pieces(size, lost):
        try:
            found = run.damaged_frames(name, run._read(name, *rows(first, last)), first, size[first:last])
            bad[found] = True
        except (DamageError, ValueError):
            for k in range(first, last) if last - first > 1 else ():
                try:
                    bad[run.damaged_frames(name, run._read(name, *rows(k, k + 1)), k, size[k : k + 1])] = True
                except (DamageError, ValueError):
                    bad[k] = True
            bad[first] |= last - first == 1
    return bad


def _pieces(size: NDArray[np.int64], lost: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Runs of frames whose rows can be found, up to a number of rows together."""
    first = 0
    while first < len(size):
        if lost[first]:
            first += 1
            continue
        last, rows = first, 0
        while last < len(size) and not lost[last] and (last == first or rows + size[last] <= ROWS_AT_ONCE):
            rows += int(size[last])
            last += 1
        yield first, last
        first = last


def _bad_steps(run: Recording, name: str) -> NDArray[np.bool_]:
    count = run._counts["steps"]
    bad = np.zeros(count, bool)
    for first in range(0, count, layout.ROWS_OF_CHUNK["steps"]):
        last = min(first + layout.ROWS_OF_CHUNK["steps"], count)
        try:
            bad[run.damaged_steps(name, run._read(name, first, last), first)] = True
        except DamageError:
            bad[first:last] = True
    return bad


def _bad_fixed(run: Recording) -> list[str]:
    """Datasets that do not change, and checkpoints, that are damaged."""
    bad = []
    for name, ask in (
        ("scene", lambda: run.scene), ("bodies", lambda: run.bodies), ("modes", lambda: run.modes),
        ("joints/list", lambda: run.joints), (layout.CONSTRAINTS, lambda: run.constraints),
        ("options", lambda: run.options), (layout.PROVENANCE, lambda: run.stages),
        ("checkpoint", run.checkpoint),
    ):  # fmt: skip
        try:
            ask()
        except (RecordingError, ValueError, KeyError, IndexError, OSError, RuntimeError):
            if name != "checkpoint" or run.frame_count:
                bad.append(name)
    if not layout.committed(run._file).whole:
        bad.append(layout.COMMITS)
    return bad


# --- repair -------------------------------------------------------------------------------------------


def repair(path: str | Path, target: str | Path) -> tuple[Verdict, list[str]]:
    """Write what is whole of a recording into another one; returns what was wrong, and what is not in the new one.

    Frames whose bodies are damaged are left out; where only contacts or joints of a frame are, it has none, or NaN.  Steps whose
    rows are damaged are left out.  The new file can be continued if the checkpoint is whole.
    """
    path, target = Path(path), Path(target)
    if target.exists():
        raise RecordingError(f"{target}: there is such a file already, which is not replaced. Give another name.")
    with Recording(path, lenient=True) as run:
        verdict = examine(run)
        bad = {damage.dataset: damage for damage in verdict.damage}
        needed = [name for name in ("bodies", "modes", "options", "joints/list", "constraints/list") if name in bad]
        if needed:
            raise DamageError(
                f"{path}: cannot be repaired, for /{needed[0]} is damaged: nothing tells what the rest means."
            )
        with output.beside(target) as unfinished:
            left_out = _Copy(run, verdict, bad).write(unfinished)
    return verdict, left_out


class _Copy:
    """Copies what is whole."""

    def __init__(self, run: Recording, verdict: Verdict, bad: dict[str, Damage]) -> None:
        self.run, self.verdict, self.bad = run, verdict, bad
        self.good_points, self.good_contacts, self.good_joints = (
            self._good(names) for names in (
                (*POINTS, *POINT_ROWS, TIME), (*CONTACTS, *CONTACT_ROWS),
                [*(f"joints/{name}" for name in layout.JOINT_DATA), layout.CONSTRAINT_IMPULSE],
            )
        )  # fmt: skip
        self.good_steps = np.ones(run._counts["steps"], bool)
        for name in sums.STEP_COLUMNS:
            if name in bad:
                self.good_steps[list(bad[name].numbers)] = False

    def _good(self, names: Any) -> NDArray[np.bool_]:
        good = np.ones(self.run.frame_count, bool)
        for name in names:
            if name in self.bad:
                good[list(self.bad[name].numbers)] = False
        return good

    def left_out(self) -> list[str]:
        """What the copy lacks, in words."""
        said = []
        for good, text in (
            (self.good_points, "frames are left out"),
            (self.good_contacts | ~self.good_points, "frames have lost their contacts"),
            (self.good_joints | ~self.good_points, "frames have lost the loads of joints and constraints"),
            (self.good_steps, "steps are left out"),
        ):  # fmt: skip
            lost = np.flatnonzero(~good)
            if len(lost):
                said.append(f"{len(lost)} of {len(good)} {text}, the first is {lost[0]}")
        for name, text in (
            ("scene", "the scene is lost"),
            ("checkpoint", "the checkpoint is lost: it cannot be continued"),
        ):
            if name in self.bad:
                said.append(text)
        return said

    def write(self, path: Path) -> list[str]:
        run, said = self.run, self.left_out()
        scene = "# This scene was damaged." if "scene" in self.bad else run.scene
        energy = run._file["energy"].dtype
        joints = run.joints.astype(layout.JOINT_TYPE)
        stages = [] if layout.PROVENANCE in self.bad else run.stages
        made, springs = (stages[0] if stages else {}), run.has_springs
        constraints = run.constraints.astype(layout.CONSTRAINT_TYPE)
        header = layout.Header(
            run.bodies, scene, run.options, energy, run.modes, run.seed, joints, made, springs, constraints
        )
        layout.create(path, header)
        note = {"repaired": [str(damage) for damage in self.verdict.damage], "left_out": said}
        for stage in stages[1:]:
            Writer(path, stage=stage).close()
        writer = Writer(path, stage=note)
        try:
            self._frames(writer)
            self._steps(writer)
            times = {name: run.attributes[name] for name in ("wall_time", "cpu_time")}
            writer.finish(self._memory(), run.finished and not said, times)
        finally:
            writer.close()
        return said

    def _frames(self, writer: Writer) -> None:
        run, shapes = self.run, {name: (len(self.run.joints), *shape) for name, shape in layout.JOINT_DATA.items()}
        for k in np.flatnonzero(self.good_points):
            frame = run.frame(int(k))
            points = {name: getattr(frame, name) for name in POINTS.values()}
            contacts: dict[str, NDArray[Any]] = {}
            if self.good_contacts[k]:
                rows = run._rows_of(*CONTACT_ROWS, int(k))
                contacts = {
                    name: run._read(dataset, *rows) for dataset, name in CONTACTS.items() if dataset in run._summed
                }
            joints = {
                name: run._read(f"joints/{name}", int(k), int(k) + 1)[0] if self.good_joints[k] else np.full(shape, np.nan)
                for name, shape in shapes.items() if shape[0] and f"joints/{name}" in run._summed
            }  # fmt: skip
            if len(run.constraints):
                name, lost = layout.CONSTRAINT_IMPULSE, np.full((len(run.constraints), 6), np.nan)
                joints[name] = run._read(name, int(k), int(k) + 1)[0] if self.good_joints[k] else lost
            writer.frame(frame.time, points, contacts, joints)
            if writer.waiting > BYTES_WAITING:
                writer.commit(None)

    def _steps(self, writer: Writer) -> None:
        count = len(self.good_steps)
        for first in range(0, count, ROWS_AT_ONCE):
            last = min(first + ROWS_AT_ONCE, count)
            keep = np.flatnonzero(self.good_steps[first:last])
            if len(keep):
                writer.steps(*(self.run._read(name, first, last)[keep] for name in sums.STEP_COLUMNS))

    def _memory(self) -> dict[str, Any] | None:
        """The checkpoint, which knows how many rows of the copy are before it."""
        if "checkpoint" in self.bad:
            return None
        memory = dict(self.run.checkpoint())
        if "count.frames" in memory:
            before = np.arange(self.run.frame_count) < int(memory["count.frames"])
            kept = before & self.good_points
            sizes = self.run._raw_index(POINT_ROWS[1]), self.run._raw_index(CONTACT_ROWS[1])
            memory["count.frames"] = np.array(int(kept.sum()))
            memory["count.points"] = np.array(int(sizes[0][kept].sum()))
            memory["count.contacts"] = np.array(int(sizes[1][kept & self.good_contacts].sum()))
            memory["count.steps"] = np.array(int(self.good_steps[: int(memory["count.steps"])].sum()))
        return memory
