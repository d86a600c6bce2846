"""A recording as the page needs it: head, frames, contacts, series, one body's history.

Works while another process is still writing the file: it is opened anew when it has changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trundle.errors import DiskError, RecordingError, TrundleError
from trundle.record import Recording
from trundle.view import geometry
from trundle.view.drape import Drape
from trundle.view.packing import pack
from trundle.view.terrain import all_paths, check_look

T = TypeVar("T")
SLIDING, ROLLING, SPINNING, TOUCHING = 1, 2, 4, 8  # bits of a contact's or body's mode; 0: no contact
MOTIONS = {"sliding": SLIDING, "rolling": ROLLING, "spinning": SPINNING}
NO_CONTACT = ("take-off", "open", "inactive", "")
ROWS_OF_SERIES = 2_000  # more steps than this are thinned out for the plots
POINTS_OF_HISTORY = 1_500
FRAMES_OF_RANGE = 12  # frames looked at for the range of colours
QUANTILE = 0.98
QUANTILE_OF_FORCES = 0.9  # those of impacts are far above all others
STORED = ("time", "kinetic", "potential", "elastic")  # columns of the ledger that are states, not changes
FLYING, MANY = 0.015, 200  # share of bodies on each side that may leave the picture, where there are many
CACHE_BYTES = 64_000_000
ORIENTATION = 32767  # a quaternion's 1 as a 16-bit number


class RunSource:
    """Reads one recording for the page; safe to use from several threads.

    drapes : pictures that can be laid over its terrain ; look : what the page shows first, see `view.terrain.check_look`
    Raises `TrundleError` with an explanation where the file is missing, damaged or no recording.
    """

    def __init__(self, path: str | Path, drapes: Sequence[Drape] = (), look: Mapping[str, Any] | None = None) -> None:
        self.path, self.drapes, self.look = Path(path), tuple(drapes), dict(look or {})
        self._head: tuple[tuple[Any, ...], bytes] | None = None  # state of the file, answer
        self._lock = threading.RLock()
        self._recording: Recording | None = None
        self._stamp: tuple[int, int] | None = None
        self._packed: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._ranges: tuple[int, dict[str, tuple[float, float]]] | None = None
        self._reading(lambda run: check_look(run, self.drapes, self.look))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._recording is not None:
                self._recording.close()
            self._recording = None
            self._packed.clear()

    # --- the file -------------------------------------------------------------------------------------

    def _open(self) -> Recording:
        """The recording, opened anew if the file has changed."""
        try:
            status = self.path.stat()
        except OSError as error:
            raise RecordingError(f"{self.path}: cannot be read ({error.strerror}).") from error
        stamp = (status.st_mtime_ns, status.st_size)
        if self._recording is None or stamp != self._stamp:
            self.close()
            self._recording = Recording(self.path)
            self._stamp = stamp
        return self._recording

    def _reading(self, work: Callable[[Recording], T]) -> T:
        """What `work` returns, with an explanation instead of errors of the library below."""
        with self._lock:
            try:
                return work(self._open())
            except TrundleError:
                self.close()
                raise
            except MemoryError as error:
                self.close()
                raise DiskError(
                    f"{self.path}: out of memory ({error}). Allow more (`ulimit -v`); if the file is small, it is damaged: "
                    "see `trundle verify`."
                ) from error
            except (OSError, KeyError, RuntimeError, ValueError, IndexError, TypeError) as error:
                self.close()
                first = (str(error).splitlines() or [type(error).__name__])[0]
                raise RecordingError(f"{self.path}: cannot be read ({first}). The file is damaged.") from error

    # --- what the page asks for -----------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """How much there is: frames, bodies, finished; frames grow while a run is being written."""
        return self._reading(
            lambda run: {"frames": run.frame_count, "bodies": len(run.bodies), "finished": run.finished}
        )

    def times(self) -> bytes:
        """Time of every frame [s]."""
        return self._reading(lambda run: pack({}, {"time": run.time}))

    def head(self) -> bytes:
        """Everything that does not change from frame to frame; made anew when the file has changed."""

        def made(run: Recording) -> bytes:
            state = (self._stamp, run.frame_count, run.finished)
            if self._head is None or self._head[0] != state:
                self._head = state, pack(*self.head_parts(run))
            return self._head[1]

        return self._reading(made)

    def recording(self, work: Callable[[Recording], T]) -> T:
        """What `work` makes of the recording, while no other thread reads it."""
        return self._reading(work)

    def head_parts(self, run: Recording) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """What is packed in `head`: meta and arrays."""
        groups, numbers, scales = group_bodies(run.bodies)
        surfaces, surface = surfaces_of(run)
        arrays: dict[str, NDArray[Any]] = {
            "group": numbers,
            "scale": scales,
            "radius": np.where(np.isfinite(run.bodies["radius"]), run.bodies["radius"], 0.0).astype(np.float32),
            "fixed": held_bodies(run).astype(np.uint8),
            "surface": surface,
            "times": run.time,
        }
        for i, look in enumerate(groups):
            if look.vertices is not None and look.triangles is not None:
                arrays[f"vertices{i}"] = look.vertices.astype(np.float32)
                arrays[f"triangles{i}"] = look.triangles
        for i, drape in enumerate(self.drapes):
            arrays[f"drape{i}"] = drape.pixels
        planes = np.array([look.kind == "plane" for look in groups], bool)[numbers]
        low, high = measure_box(run, planes)
        meta = {
            "title": self.path.name,
            "low": low.tolist(),
            "high": high.tolist(),
            "version": str(run.attributes.get("trundle", "")),
            "finished": run.finished,
            "bodies": len(run.bodies),
            "names": list(run.names),
            "surfaces": surfaces,
            "joints": joints_of(run),
            "telling": telling_frame(run),
            "groups": [
                {
                    "kind": g.kind,
                    "normal": g.normal,
                    "offset": g.offset,
                    "round": g.round,
                    "hollow": g.hollow,
                    "note": g.note,
                    "ground": g.ground and bool(arrays["fixed"][numbers == i].all()),
                    "corner": g.corner,
                }
                for i, g in enumerate(groups)
            ],
            "drapes": [d.about for d in self.drapes],
            "look": self.look,
            "options": {name: value for name, value in run.options.items() if _sayable(value)},
            "force_unit": "N" if _time_step(run) else "N s",
        }
        return meta, arrays

    def frame(self, k: int) -> bytes:
        """Bodies of frame k: body, position [m], orientation (int16), speed [m/s], spin [rad/s], force [N], mode."""
        return self._remembered("frame", k, lambda run: pack({"frame": k}, frame_arrays(run, k)))

    def contacts(self, k: int) -> bytes:
        """Contacts of frame k: body (C, 2), point [m], force on the second body [N], normal force [N], mode."""
        return self._remembered("contacts", k, lambda run: pack({"frame": k}, contact_arrays(run, k)))

    def _remembered(self, kind: str, k: int, work: Callable[[Recording], bytes]) -> bytes:
        def cached(run: Recording) -> bytes:
            if (kind, k) not in self._packed:
                self._packed[kind, k] = work(run)
                while sum(map(len, self._packed.values())) > CACHE_BYTES and len(self._packed) > 1:
                    self._packed.popitem(last=False)
            self._packed.move_to_end((kind, k))
            return self._packed[kind, k]

        return self._reading(cached)

    def ranges(self) -> dict[str, tuple[float, float]]:
        """First and last value of each scale of colours, and of the normal forces, from a few frames."""

        def work(run: Recording) -> dict[str, tuple[float, float]]:
            if self._ranges is None or self._ranges[0] != run.frame_count:
                self._ranges = (run.frame_count, measure_ranges(run))
            return self._ranges[1]

        return self._reading(work)

    def series(self) -> bytes:
        """Energy ledger (changes summed up over time) and residual of the steps, thinned out for plots."""

        def work(run: Recording) -> bytes:
            energy, steps = run.energy, run.steps
            few, worst = _thinned(len(energy)), _worst(steps["residual"])
            arrays: dict[str, NDArray[Any]] = {}
            for name in energy.dtype.names or ():
                values = energy[name].astype(float)
                arrays[f"energy/{name}"] = (values if name in STORED else np.cumsum(values))[few]
            for name in ("time", "residual", "contacts", "iterations"):
                arrays[f"steps/{name}"] = steps[name][worst].astype(float)
            return pack({}, arrays)

        return self._reading(work)

    def paths(self) -> bytes:
        """The ways of all bodies that move, thinned out."""
        return self._reading(lambda run: pack({}, all_paths(run)))

    def history(self, body: int) -> bytes:
        """Path and velocities of one body over the frames in which it is present."""

        def work(run: Recording) -> bytes:
            if not 0 <= body < len(run.names):
                raise RecordingError(f"{self.path}: no body {body}; there are {len(run.names)}, counted from 0.")
            name = run.names[body]
            position = run.position(name)
            there = np.flatnonzero(np.isfinite(position[:, 0]))
            few = there[_thinned(len(there), POINTS_OF_HISTORY)]
            arrays = {"time": run.time[few], "position": position[few], "velocity": run.velocity(name)[few],
                      "angular_velocity": run.angular_velocity(name)[few]}  # fmt: skip
            return pack({"body": body}, arrays)

        return self._remembered("history", body, work)


def group_bodies(bodies: NDArray[np.void]) -> tuple[list[geometry.Appearance], NDArray[np.uint32], NDArray[np.float32]]:
    """Looks that occur, and for each body the number of its look and the scale of the unit shape [m], (B,), (B, 3)."""
    groups: list[geometry.Appearance] = []
    group_of: dict[str, int] = {}
    known: dict[str, tuple[int, tuple[float, float, float]]] = {}
    numbers, scales = np.zeros(len(bodies), np.uint32), np.zeros((len(bodies), 3), np.float32)
    for i, (text, radius) in enumerate(zip(bodies["shape"], bodies["radius"], strict=True)):
        if text not in known:
            look, scale = geometry.appearance(text, radius)
            label = geometry.key(text) + look.note
            if label not in group_of:
                group_of[label] = len(groups)
                groups.append(look)
            known[text] = (group_of[label], scale)
        numbers[i], scales[i] = known[text]
    return groups, numbers, scales


def held_bodies(run: Recording) -> NDArray[np.bool_]:
    """Which bodies nothing can push, (B,): fixed ones, and those that move as prescribed."""
    return run.bodies["fixed"].astype(bool) | ~np.isfinite(run.bodies["mass"].astype(float))


def frame_arrays(run: Recording, k: int) -> dict[str, NDArray[Any]]:
    """Bodies of a frame as they are packed."""
    frame = run.frame(k)
    force, mode = _loads(contact_arrays(run, k), len(run.bodies))
    point, axis = run.joint_places(k)
    return {
        "joint_point": point.astype(np.float32),
        "joint_axis": axis.astype(np.float32),
        "body": frame.body.astype(np.uint32),
        "position": frame.position.astype(np.float32),
        "orientation": np.rint(frame.orientation * ORIENTATION).astype(np.int16),
        "speed": np.linalg.norm(frame.velocity, axis=1).astype(np.float32),
        "spin": np.linalg.norm(frame.angular_velocity, axis=1).astype(np.float32),
        "force": force[frame.body].astype(np.float32),
        "mode": mode[frame.body],
    }


def contact_arrays(run: Recording, k: int) -> dict[str, NDArray[Any]]:
    """Contacts of a frame as they are packed."""
    contacts = run.contacts(k)
    per_second = 1.0 / (_time_step(run) or 1.0)
    bits = np.array([mode_bits(name) for name in run.modes] or [TOUCHING], np.uint8)
    normal = contacts.impulse[:, 0] * per_second
    force = np.einsum("ci,cij->cj", contacts.impulse[:, :3], contacts.frame) * per_second
    return {
        "body": contacts.body.astype(np.uint32),
        "point": contacts.point.astype(np.float32),
        "force": force.astype(np.float32),
        "normal": normal.astype(np.float32),
        "mode": np.where(normal > 0.0, bits[contacts.code], 0).astype(np.uint8),
    }


def measure_ranges(run: Recording, count: int = FRAMES_OF_RANGE) -> dict[str, tuple[float, float]]:
    """First and last value of each scale of colours, from `count` frames, fixed bodies left out.

    Speeds, spins and forces reach from 0 to a quantile of all values together: the largest of a run are those of single
    impacts, beside which everything else looks the same.  Heights and sizes reach from the lowest to the highest.
    """
    found: dict[str, list[NDArray[Any]]] = {"speed": [], "spin": [], "force": [], "normal": []}
    moves, heights = ~held_bodies(run), [np.zeros(0)]
    for k in _thinned(run.frame_count, count):
        frame, normal = frame_arrays(run, int(k)), contact_arrays(run, int(k))["normal"]
        moving = moves[frame["body"]]
        for name in ("speed", "spin", "force"):
            found[name].append(frame[name][moving])
        found["normal"].append(normal)
        heights.append(frame["position"][moving, 2])
    ranges = {"height": (0.0, 0.0), "size": (0.0, 0.0)}
    for name, values in found.items():
        pooled = np.concatenate([v[v > 0.0] for v in values]) if values else np.zeros(0)
        share = QUANTILE_OF_FORCES if name in ("force", "normal") else QUANTILE
        ranges[name] = (0.0, float(np.quantile(pooled, share)) if len(pooled) else 0.0)
    radius = run.bodies["radius"][moves].astype(float)
    height, radius = np.concatenate(heights), radius[np.isfinite(radius)]
    ranges["height"] = (
        (float(np.quantile(height, 1 - QUANTILE)), float(np.quantile(height, QUANTILE))) if len(height) else (0.0, 0.0)
    )
    ranges["size"] = (float(radius.min()), float(radius.max())) if len(radius) else (0.0, 0.0)
    return ranges


def surfaces_of(run: Recording) -> tuple[list[str], NDArray[np.uint32]]:
    """Names of the surfaces, and the number of each body's, (B,)."""
    names, numbers = np.unique(run.bodies["surface"].astype(str), return_inverse=True)
    return names.tolist(), numbers.astype(np.uint32)


def joints_of(run: Recording) -> list[dict[str, Any]]:
    """Name and kind of each joint, and the numbers of its bodies; -1 is the world."""
    number = {name: i for i, name in enumerate(run.names)}
    return [
        {
            "name": joint["name"],
            "kind": joint["kind"],
            "bodies": [number.get(joint[side], -1) for side in ("one", "other")],
        }
        for joint in run.joints
    ]


def telling_frame(run: Recording, frames: NDArray[np.int64] | None = None) -> int:
    """The frame to open a run with, out of `frames`: much moves, and much touches."""
    chosen = np.arange(run.frame_count) if frames is None else frames
    energy, steps = run.energy, run.steps
    if not len(chosen) or not len(steps) or "kinetic" not in (energy.dtype.names or ()):
        return 0
    row = np.clip(np.searchsorted(steps["time"], run.time[chosen] * (1 - 1e-9)), 0, len(steps) - 1)
    score = sum(
        values / (values.max() or 1.0) for values in (energy["kinetic"][row], steps["contacts"][row].astype(float))
    )
    return int(np.argmax(score >= 0.8 * np.max(score)))  # the first of them: it plays on from there


def measure_box(run: Recording, planes: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Corners of the box that bodies move in [m], from the first, middle and last frame; planes: (B,) not counted.

    Of many bodies, the few that fly off are left out: nobody wants to see the others as dots.
    """
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    radius = np.where(np.isfinite(run.bodies["radius"]), run.bodies["radius"], 0.0).astype(float)
    for k in {0, run.frame_count // 2, run.frame_count - 1} if run.frame_count else ():
        frame = run.frame(k)
        shown = ~planes[frame.body]
        moving = shown & ~held_bodies(run)[frame.body]
        used = moving if np.any(moving) else shown
        if np.any(used):
            out = FLYING if np.count_nonzero(used) > MANY else 0.0
            r = radius[frame.body[used], None]
            low = np.minimum(low, np.quantile(frame.position[used] - r, out, axis=0))
            high = np.maximum(high, np.quantile(frame.position[used] + r, 1.0 - out, axis=0))
    if not (np.all(np.isfinite(low)) and np.all(np.isfinite(high))):
        low, high = np.full(3, -0.5), np.full(3, 0.5)
    return low, high


def mode_bits(name: str) -> int:
    """Bits of a contact's mode from its name, such as "sliding+rolling"."""
    if name in NO_CONTACT:
        return 0
    return TOUCHING | sum(bit for word, bit in MOTIONS.items() if word in name.split("+"))


def _loads(contacts: dict[str, NDArray[Any]], count: int) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """Sum of the normal forces on each body [N], and what its contacts do, as bits."""
    force, mode = np.zeros(count), np.zeros(count, np.uint8)
    for side in (0, 1):
        body = contacts["body"][:, side]
        force += np.bincount(body, contacts["normal"], count)[:count]
        np.bitwise_or.at(mode, body, contacts["mode"])
    return force, mode


def _thinned(count: int, most: int = ROWS_OF_SERIES) -> NDArray[np.int64]:
    """Numbers of at most `most` of `count` rows, the first and the last among them."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, most)).astype(np.int64))


def _worst(values: NDArray[Any]) -> NDArray[np.int64]:
    """One row of every stretch of steps: that of the largest value, so that no peak is lost."""
    size = -(-len(values) // ROWS_OF_SERIES) or 1
    filled = np.where(np.isnan(values), np.inf, values)
    starts = range(0, len(values), size)
    return np.array([start + int(np.argmax(filled[start : start + size])) for start in starts], np.int64)


def _sayable(value: Any) -> bool:
    """Whether JSON can say it: a text, or a finite number."""
    return isinstance(value, (str, bool)) or (isinstance(value, (int, float)) and bool(np.isfinite(value)))


def _time_step(run: Recording) -> float | None:
    """Time step [s], which turns impulses into forces."""
    value = run.options.get("time_step")
    return float(value) if isinstance(value, (int, float)) and value > 0 else None
