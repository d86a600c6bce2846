"""What `trundle run` says at the end of a run, and `trundle info` about a recording."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.markup import escape

from trundle.cli import terminal
from trundle.record.reader import Recording
from trundle.run.options import OF_SOLVED_STEPS
from trundle.scene.joints import WORLD
from trundle.step.report import GAINS, LOSSES, STORED

MOST_JOINTS = 8  # named one by one
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def size_in_words(count: int) -> str:
    """A number of bytes."""
    for factor, prefix in PREFIXES:
        if count >= factor:
            return f"{count / factor:.3g} {prefix}B"
    return f"{count} B"


def seconds_in_words(seconds: float) -> str:
    """A time that someone has waited."""
    if seconds < 120.0:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def ledger_sums(energy: NDArray[np.void]) -> dict[str, float]:
    """Energy at the start and at the end [J], what came and went in between, and by how much the sum fails to close."""
    if not len(energy):
        return {}
    change = {name: float(np.sum(energy[name])) for name in (*GAINS, *LOSSES)}
    total = np.sum([energy[name] for name in STORED], axis=0)
    first = {name: float(energy[name][0]) for name in (*GAINS, *LOSSES)}
    start = float(total[0]) - sum(first[name] for name in GAINS) + sum(first[name] for name in LOSSES)
    end = float(total[-1])
    rest = end - start - sum(change[name] for name in GAINS) + sum(change[name] for name in LOSSES)
    return {"start": start, **change, "end": end, "unexplained": rest}


def facts(run: Recording) -> dict[str, Any]:
    """Everything about a recording that can be said in numbers and words; ready for JSON."""
    steps, options, attributes = run.steps, run.options, run.attributes
    done = len(steps)
    bodies = run.bodies[run.bodies["name"] != WORLD]  # it only stands for what joints hold on to
    shapes = Counter(str(json.loads(text).get("shape")) for text in bodies["shape"])
    numbers: dict[str, Any] = {
        "file": str(run.path), "size": run.path.stat().st_size, "finished": run.finished,
        "created": str(attributes["created"]), "versions": run.versions, "seed": run.seed, "options": options,
        "bodies": len(bodies), "shapes": dict(shapes), "present_at_end": len(run.frame(-1)) if run.frame_count else 0,
        "frames": run.frame_count, "time": float(steps["time"][-1]) if done else 0.0, "steps": done,
        "wall_time": float(attributes["wall_time"]), "cpu_time": float(attributes["cpu_time"]),
    }  # fmt: skip
    if len(run.joints):
        loads = run.largest_joint_loads()
        numbers["joints"] = [
            {
                **{key: str(joint[key]) for key in ("name", "kind", "one", "other")},
                "force_max": force,
                "torque_max": torque,
            }
            for joint, (force, torque) in zip(run.joints, loads.tolist(), strict=True)
        ]
    if _explicit(options):
        numbers["options"] = {name: value for name, value in options.items() if name not in OF_SOLVED_STEPS}
    if done:
        numbers |= {
            "contacts_mean": float(np.mean(steps["contacts"])), "contacts_max": int(np.max(steps["contacts"])),
            "energy": ledger_sums(run.energy),
        }  # fmt: skip
    if done and not _explicit(options):
        missed = ~steps["converged"]
        numbers |= {
            "iterations_mean": float(np.mean(steps["iterations"])), "residual_max": float(np.max(steps["residual"])),
            "residual_median": float(np.median(steps["residual"])), "steps_missed": int(missed.sum()),
        }  # fmt: skip
    return numbers


def _explicit(options: dict[str, Any]) -> bool:
    """Whether forces follow from positions: nothing is solved then."""
    return bool(options["formulation"] == "history")


def print_facts(numbers: dict[str, Any]) -> None:
    """The facts as a table that a person likes to read."""
    table = terminal.plain_table("", "")
    table.show_header = False
    table.box = None
    for name, value in _rows(numbers):
        table.add_row(f"[bold]{name}[/]" if name else "", value)
    terminal.output().print(table)


def _lengths(options: dict[str, Any], h: float) -> str:
    accuracy = options.get("accuracy")
    return f"{h:g} s" if accuracy is None else f"lengths for an accuracy of {accuracy:g}"


def _rows(numbers: dict[str, Any]) -> list[tuple[str, str]]:
    options, steps, h = numbers["options"], numbers["steps"], float(numbers["options"]["time_step"])
    reached, wanted = numbers["time"], float(options["duration"])
    end = "finished" if numbers["finished"] else f"not finished: {reached:g} of {wanted:g} s"
    shapes = ", ".join(f"{count:,} {name}" for name, count in sorted(numbers["shapes"].items()))
    rows = [
        ("file", f"{escape(numbers['file'])}, {size_in_words(numbers['size'])}, {numbers['frames']:,} frames, {end}"),
        ("bodies", f"{numbers['bodies']:,} ({escape(shapes)})"),
        (
            "steps",
            f"{steps:,} of {_lengths(options, h)}: {reached:g} s simulated, {escape(_method(options))}",
        ),
    ]
    rows += _joint_rows(numbers.get("joints", []))
    if not steps:
        return rows
    rows += [
        ("contacts", f"{numbers['contacts_mean']:.4g} on average, {numbers['contacts_max']:,} at most"),
        *([] if _explicit(options) else _solved_rows(numbers)),
        *_energy_rows(numbers["energy"]),
        (
            "time",
            f"{seconds_in_words(numbers['wall_time'])}, CPU {seconds_in_words(numbers['cpu_time'])} "
            f"({numbers['cpu_time'] / reached:.3g} CPU s per simulated s)",
        ),
    ]
    return rows


def _solved_rows(numbers: dict[str, Any]) -> list[tuple[str, str]]:
    """How well the contact problems were solved."""
    missed, tolerance = numbers["steps_missed"], numbers["options"]["tolerance"]
    verdict = f"[yellow]{missed:,} steps missed {tolerance:.0e}[/]" if missed else f"all below {tolerance:.0e}"
    return [
        ("residual", f"{numbers['residual_max']:.1e} at most, median {numbers['residual_median']:.1e}; {verdict}"),
        ("iterations", f"{numbers['iterations_mean']:.3g} per step"),
    ]


def _method(options: dict[str, Any]) -> str:
    """How the steps were taken."""
    if _explicit(options):
        return "history"
    solver = options.get("solver", "auto")
    name = solver if isinstance(solver, str) else solver.get("name", solver.get("own"))
    return f"theta = {options['theta']:g}, {options['formulation']}" + ("" if name == "auto" else f", {name}")


def _joint_rows(joints: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The joints by name, with what they carried at most."""
    rows = [
        f"{joint['name']} ({joint['kind']}, {joint['one']} - {joint['other']}): up to {joint['force_max']:.4g} N, "
        f"{joint['torque_max']:.4g} N m"
        for joint in joints[:MOST_JOINTS]
    ]
    if len(joints) > MOST_JOINTS:
        rows.append(f"and {len(joints) - MOST_JOINTS:,} more")
    return [("" if i else "joints", escape(text)) for i, text in enumerate(rows)]


def _energy_rows(energy: dict[str, float]) -> list[tuple[str, str]]:
    """The ledger from top to bottom; what is nothing but rounding is not worth a line."""
    least = 1e-12 * max(abs(value) for value in energy.values())
    rows = [("energy", f"{energy['start']:13.6g} J at the start")]
    for sign, names in ((1.0, GAINS), (-1.0, LOSSES)):
        counts = {name: text for name, text in names.items() if abs(energy[name]) > least}
        for name, text in counts.items():
            said = text.replace("lost", "gained", 1) if sign * energy[name] > 0.0 else text
            rows.append(("", f"{sign * energy[name]:+13.6g} J {said}"))
    rows.append(("", f"{energy['end']:13.6g} J at the end; unexplained: {energy['unexplained']:.1e} J"))
    return rows


def info(path: Path, as_json: bool, scene: bool, provenance: bool = False) -> None:
    """`trundle info`."""
    with Recording(path) as run:
        if scene:
            from trundle.run.options import Options
            from trundle.scene.files import OPTIONS
            from trundle.scene.tables import toml_table

            given = Options(**run.options).arguments()
            if _explicit(given):
                given = {name: value for name, value in given.items() if name not in OF_SOLVED_STEPS}
            wanted = {name: value for name, value in given.items() if name in OPTIONS and value is not None}
            terminal.say(run.scene.rstrip("\n") + "\n\n" + toml_table("[simulation]", wanted).rstrip("\n"))
            return
        if provenance:
            _print_provenance(run, as_json)
            return
        numbers = facts(run)
    if as_json:
        print(json.dumps(numbers, indent=2))
        return
    print_facts(numbers)
    known = ", ".join(f"{name} {number}" for name, number in numbers["versions"].items())
    terminal.output().print(f"[dim]made {escape(numbers['created'])} with {escape(known)}[/]")


def _print_provenance(run: Recording, as_json: bool) -> None:
    """How a run was made, stage by stage."""
    if as_json:
        print(json.dumps({"stages": run.stages, "scene": run.scene}, indent=2))
        return
    if not run.stages:
        terminal.say(f"{run.path}: a file of format 1 tells its versions only: {json.dumps(run.versions)}")
    for i, stage in enumerate(run.stages):
        terminal.say(f"stage {i + 1} of {len(run.stages)}")
        for name, value in stage.items():
            shown = ", ".join(f"{k} = {v}" for k, v in value.items()) if isinstance(value, dict) else value
            terminal.say(f"  {name:9} {'; '.join(shown) if isinstance(shown, list) else shown}")
