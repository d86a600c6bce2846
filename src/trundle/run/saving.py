"""A run in memory as a recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from trundle import output
from trundle.errors import TrundleError
from trundle.record import layout, provenance, sampling
from trundle.record.questions import Questions
from trundle.record.writer import Writer
from trundle.run.options import Options
from trundle.scene.model import Model
from trundle.scene.scene import Scene
from trundle.scene.writing import dump_scene
from trundle.step.report import LEDGER_TYPE

if TYPE_CHECKING:
    from trundle.run.loop import Loop

UNREADABLE = "# This scene cannot be written as a scene file:"


def header(scene: Scene, model: Model, options: Options, folder: Path) -> layout.Header:
    """What a recording holds before its first frame."""
    try:
        text = dump_scene(scene, name_functions=True, folder=folder)
    except TrundleError as error:
        text = "\n# ".join([UNREADABLE, *str(error).splitlines()]) + "\n"
    seeds = [emitter.seed for emitter in scene.emitters]
    seed = options.seed if options.seed is not None else (seeds[0] if seeds else 0)
    table = options.as_table()
    joints = sampling.joint_table(scene.joints)
    made = provenance.stage(0, text, model, table)
    springs = options.formulation == "history"
    return layout.Header(
        sampling.body_table(model), text, table, LEDGER_TYPE, sampling.MODES, seed, joints, made, springs,
        sampling.constraint_table(scene.constraints),
    )  # fmt: skip


def save_run(run: Questions, loop: Loop, scene: Scene, number: int, target: Path) -> None:
    """Write a run of `number` steps.  It can be resumed unless its simulation has gone on since."""
    unfinished = output.part_of(target)
    try:
        layout.create(unfinished, header(scene, loop.model, loop.options, target.parent))
        writer = Writer(unfinished)
        try:
            counts: dict[str, int] = {}
            joints = _joints(run)
            for k in range(run.frame_count):
                counts = dict(writer.counts)
                _write_frame(writer, run, k, {name: values[k] for name, values in joints.items()})
            writer.steps(run.steps, run.energy)
            here = loop.number == number
            memory = loop.memory() if here else None
            if memory is not None:  # a last frame that is not due is none that a longer run has
                counts = {**(writer.counts if memory["framed"] else counts), "steps": len(run.steps)}
                memory |= {f"count.{name}": np.array(value) for name, value in counts.items()}
            writer.finish(memory, finished=not loop.interrupted)
            writer.rename(target)
        finally:
            writer.close()
    finally:
        output.discard(unfinished)


def _joints(run: Questions) -> dict[str, Any]:
    """Columns of /joints over all frames, shape (T, J, ...), and of /constraints."""
    numbers = range(len(run.joint_names))
    wanted = [name for name in layout.JOINT_DATA if run.joint_names and run._has_joint_data(name)]
    found = {name: np.stack([run._joint_series(name, j) for j in numbers], axis=1) for name in wanted}
    if run._constrained:
        rows = range(len(run._constrained))
        found[layout.CONSTRAINT_IMPULSE] = np.stack([run._constraint_series(row) for row in rows], axis=1)
    return found


def _write_frame(writer: Writer, run: Questions, k: int, joints: dict[str, Any]) -> None:
    frame, contacts = run.frame(k), run.contacts(k)
    points = {name: getattr(frame, name) for name in ("position", *layout.POINT_DATA)}
    columns: dict[str, Any] = {
        name: contacts.code if name == "mode" else getattr(contacts, name)
        for name in (*layout.CONTACT_DATA, *layout.SPRING_DATA)
    }
    writer.frame(frame.time, points, columns if len(contacts) else {}, joints)
