"""Recordings in the formats of others: LAMMPS dump and extended XYZ, which OVITO opens, and CSV.

Lengths are in metres.  Particle formats have no place for unbounded bodies such as half-spaces, which are left out.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import output
from trundle.record.frames import Frame
from trundle.record.layout import CONTACT_DATA, SPRING_DATA
from trundle.record.reader import Recording

NUMBER = "%.12g"
Told = Callable[[int], object]  # called with the number of frames done
LAMMPS_COLUMNS = (
    "id", "type", "x", "y", "z", "vx", "vy", "vz", "omegax", "omegay", "omegaz", "quatw", "quati", "quatj", "quatk",
    "radius", "mass", "shapex", "shapey", "shapez",
)  # fmt: skip
# Orientation and Aspherical Shape are the names that OVITO knows; its quaternions are (x, y, z, w)
XYZ_PROPERTIES = (
    "species:S:1:pos:R:3:id:I:1:velo:R:3:AngularVelocity:R:3:Orientation:R:4:radius:R:1:mass:R:1:Aspherical_Shape:R:3"
)
FRAME_COLUMNS = (
    "frame", "time", "body", "name", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
)  # fmt: skip
ROWS = ("n", "t1", "t2", "s", "r1", "r2")


def half_axes(text: str) -> tuple[float, float, float]:
    """Half the extent of a shape along its axes [m], as OVITO draws ellipsoids and boxes; zeros for a ball."""
    table = json.loads(text)
    if "semi_axes" in table:
        return tuple(float(x) for x in table["semi_axes"])  # type: ignore[return-value]
    if "size" in table:
        return tuple(0.5 * float(x) for x in table["size"])  # type: ignore[return-value]
    return (0.0, 0.0, 0.0)


class Particles:
    """Columns of the bounded bodies of a recording that do not change."""

    def __init__(self, run: Recording) -> None:
        bodies = run.bodies
        self.bounded = np.isfinite(bodies["radius"])
        self.mass = np.where(np.isfinite(bodies["mass"]), bodies["mass"], 0.0)
        self.half_axes = np.array([half_axes(text) for text in bodies["shape"]]).reshape(-1, 3)
        surfaces = sorted(set(bodies["surface"]))
        self.type = np.array([surfaces.index(name) + 1 for name in bodies["surface"]])
        self.species = np.array([re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", "_", name) or "body" for name in bodies["surface"]])

    def of(self, frame: Frame) -> tuple[NDArray[np.bool_], NDArray[Any]]:
        """Which rows of a frame are particles, and the numbers of their bodies."""
        rows = self.bounded[frame.body]
        return rows, frame.body[rows]


def _frames(run: Recording, told: Told | None) -> Iterator[tuple[int, Frame]]:
    for k in range(run.frame_count):
        yield k, run.frame(k)
        if told is not None:
            told(k + 1)


def _bounds(position: NDArray[np.float64], radius: NDArray[np.float64]) -> NDArray[np.float64]:
    """Box (2, 3) [m] around balls."""
    if not len(position):
        return np.array([[0.0] * 3, [1.0] * 3])
    return np.array([(position - radius[:, None]).min(axis=0), (position + radius[:, None]).max(axis=0)])


def export_lammps(run: Recording, path: str | Path, told: Told | None = None) -> None:
    """Write a LAMMPS text dump (units si): a snapshot per frame, `ITEM: TIMESTEP` counts steps."""
    particles = Particles(run)
    h = float(run.options["time_step"])
    formats = " ".join(["%d", "%d", *[NUMBER] * (len(LAMMPS_COLUMNS) - 2)])
    with output.writing(path, newline="") as stream:
        stream.write("ITEM: UNITS\nsi\n")
        for _, frame in _frames(run, told):
            rows, body = particles.of(frame)
            position, radius = frame.position[rows], frame.radius[rows]
            low, high = _bounds(position, radius)
            stream.write(f"ITEM: TIME\n{frame.time:.12g}\nITEM: TIMESTEP\n{round(frame.time / h)}\n")
            stream.write(f"ITEM: NUMBER OF ATOMS\n{len(body)}\nITEM: BOX BOUNDS ff ff ff\n")
            stream.write("".join(f"{a:.12g} {b:.12g}\n" for a, b in zip(low, high, strict=True)))
            stream.write(f"ITEM: ATOMS {' '.join(LAMMPS_COLUMNS)}\n")
            table = np.column_stack([
                body + 1, particles.type[body], position, frame.velocity[rows], frame.angular_velocity[rows],
                frame.orientation[rows], radius, particles.mass[body], 2.0 * particles.half_axes[body],
            ])  # fmt: skip
            np.savetxt(stream, table, formats)


def export_xyz(run: Recording, path: str | Path, told: Told | None = None) -> None:
    """Write extended XYZ: a block per frame, species are the surfaces."""
    particles = Particles(run)
    formats = " ".join(["%d", *[NUMBER] * 15])
    with output.writing(path, newline="") as stream:
        for _, frame in _frames(run, told):
            rows, body = particles.of(frame)
            position, radius = frame.position[rows], frame.radius[rows]
            low, high = _bounds(position, radius)
            size = np.diag(high - low).ravel()
            stream.write(f'{len(body)}\nLattice="{" ".join(f"{x:.12g}" for x in size)}" ')
            stream.write(f'Origin="{" ".join(f"{x:.12g}" for x in low)}" pbc="F F F" ')
            stream.write(f"Properties={XYZ_PROPERTIES} Time={frame.time:.12g}\n")
            table = np.column_stack([
                body, frame.velocity[rows], frame.angular_velocity[rows], np.roll(frame.orientation[rows], -1, axis=1),
                radius, particles.mass[body], particles.half_axes[body],
            ])  # fmt: skip
            where = [" ".join(NUMBER % x for x in point) for point in position]
            for name, point, row in zip(particles.species[body], where, table, strict=True):
                stream.write(f"{name} {point} {formats % tuple(row)}\n")


def export_csv(run: Recording, folder: str | Path, told: Told | None = None) -> list[Path]:
    """A folder of tables: bodies, frames, contacts, steps, energy, joints and constraints if there are any; returns them."""
    folder = Path(folder)
    output.make_folder(folder)
    tables = [folder / f"{name}.csv" for name in ("bodies", "steps", "energy", "frames", "contacts")]
    if len(run.joints):
        tables.append(folder / "joints.csv")
        _joint_table(run, tables[-1])
    if len(run.constraints):
        tables.append(folder / "constraints.csv")
        _constraint_table(run, tables[-1])
    for file, table in zip(tables[:3], (run.bodies, run.steps, run.energy), strict=True):
        with output.writing(file, newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(table.dtype.names or ())
            writer.writerows([output.cell(x) if isinstance(x, str) else x for x in row] for row in table.tolist())
    with output.writing(tables[3], newline="") as frames, output.writing(tables[4], newline="") as contacts:
        csv.writer(frames).writerow(FRAME_COLUMNS)
        csv.writer(contacts).writerow(_contact_columns(run.has_springs))
        names = [output.cell(name) for name in run.names]
        for k, frame in _frames(run, told):
            _frame_rows(csv.writer(frames), names, k, frame)
            _contact_rows(csv.writer(contacts), run, k)
    return tables


def _frame_rows(writer: Any, names: Sequence[str], k: int, frame: Frame) -> None:
    table = np.column_stack([frame.position, frame.orientation, frame.velocity, frame.angular_velocity]).tolist()
    writer.writerows(
        [k, frame.time, body, names[body], *row] for body, row in zip(frame.body.tolist(), table, strict=True)
    )


def _joint_table(run: Recording, file: Path) -> None:
    """A row per joint and frame, but for the first frame: point [m], force [N] and torque [N m] on the second body."""
    columns = [f"{name}{x}" for name in ("", "force_", "torque_") for x in "xyz"]
    with output.writing(file, newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["frame", "time", "joint", "one", "other", *columns])
        for joint in run.joints:
            name = joint["name"]
            table = np.concatenate([run.joint_point(name), run.joint_force(name), run.joint_torque(name)], axis=1)
            writer.writerows(
                [k, time, *map(output.cell, (name, joint["one"], joint["other"])), *row]
                for k, (time, row) in enumerate(zip(run.time.tolist(), table.tolist(), strict=True))
                if k
            )


def _constraint_table(run: Recording, file: Path) -> None:
    """A row per body of a constraint and frame, but for the first frame: force [N] and torque [N m] on it."""
    with output.writing(file, newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            ["frame", "time", "constraint", "body", *(f"{name}_{x}" for name in ("force", "torque") for x in "xyz")]
        )
        for name, body in run.constraints.tolist():
            table = np.concatenate([run.constraint_force(name, body), run.constraint_torque(name, body)], axis=1)
            writer.writerows(
                [k, time, output.cell(name), output.cell(body), *row]
                for k, (time, row) in enumerate(zip(run.time.tolist(), table.tolist(), strict=True))
                if k
            )


def _contact_columns(springs: bool) -> list[str]:
    axes = [f"{axis}_{x}" for axis in ("n", "t1", "t2") for x in "xyz"]
    rows = [f"{name}_{row}" for name in ("impulse", "velocity") for row in ROWS]
    if springs:
        rows += [f"{name}_{row}" for name in SPRING_DATA for row in ROWS] + [
            "deflection_first_r1",
            "deflection_first_r2",
        ]
    return ["frame", "time", "body_a", "body_b", "x", "y", "z", *axes, "gap", *rows, "mode"]


def _contact_rows(writer: Any, run: Recording, k: int) -> None:
    contacts = run.contacts(k)
    if not len(contacts):
        return
    numbers = [name for name in CONTACT_DATA if name not in ("body", "mode")] + list(SPRING_DATA) * run.has_springs
    columns = [getattr(contacts, name).reshape(len(contacts), -1) for name in numbers]
    table = np.column_stack(columns).tolist()
    writer.writerows(
        [k, contacts.time, *pair, *row, mode]
        for pair, row, mode in zip(contacts.body.tolist(), table, contacts.mode.tolist(), strict=True)
    )
