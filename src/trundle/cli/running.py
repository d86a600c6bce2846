"""`trundle run`: a scene file in, a recording out, and a run that a person can follow."""

from __future__ import annotations

import json
import warnings
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from trundle import interrupts
from trundle.cli import summary, terminal
from trundle.cli.option_groups import Conduct, Kept, Stepping
from trundle.cli.option_places import option_places
from trundle.errors import RecordingError, SceneError, SimulationError, TrundleWarning
from trundle.record.reader import Recording
from trundle.run.options import AUTO
from trundle.run.result import Run
from trundle.run.simulate import resume, simulate
from trundle.scene.files import load_scene

FAILED = 1


@dataclass(frozen=True)
class Request:
    """What the command line asks for: a scene, or a recording to continue; options that were not given are None."""

    scene: Path | None
    output: Path | None
    resumed: Path | None
    stepping: Stepping
    kept: Kept
    conduct: Conduct

    def given(self) -> dict[str, Any]:
        """The options of `simulate` that were given, under its names."""
        options = asdict(self.stepping) | {
            "time_step": time_step(self.stepping.time_step), "every": self.kept.every,
            "frames_per_second": self.kept.fps, "seed": self.conduct.seed,
        }  # fmt: skip
        plain = {name: value.value if isinstance(value, StrEnum) else value for name, value in options.items()}
        return {name: value for name, value in plain.items() if value is not None}

    @property
    def problems(self) -> dict[str, Any]:
        """The arguments of `simulate` about contact problems of steps."""
        if self.kept.save_problems is None:
            return {}
        return {"save_problems": self.kept.save_problems, "keep_problems": self.kept.when or True}


def run(request: Request) -> None:
    """Run, tell, and end with an exit code."""
    given, conduct = request.given(), request.conduct
    code = terminal.CONVERGED
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TrundleWarning)
        try:
            with interrupts.kept():
                done = _resume(request, given) if request.resumed else _start(request, given)
        except SimulationError as error:
            done, failure = None, error
    said = [str(one.message) for one in caught if issubclass(one.category, TrundleWarning)]
    if done is not None and done.interrupted:
        said.remove(done.warnings[-1])  # said below, with the command
    if done is None:
        terminal.print_warnings(said)
        terminal.print_error(failure)
        terminal.say(f"what was done until then is in {request.resumed or _output(request)}", err=True)
        raise typer.Exit(FAILED)
    assert done.recording is not None
    with Recording(done.recording) as recording:
        numbers = summary.facts(recording) | {"warnings": said, "stopped": done.stopped}
    if conduct.as_json:
        typer.echo(json.dumps(numbers, indent=2))
    elif not conduct.quiet:
        summary.print_facts(numbers)
    terminal.print_warnings(said)
    if done.interrupted:
        wanted = numbers["options"]["duration"]
        reached = f"{interrupts.in_words(interrupts.received)} at t = {done.final.time:g} s of {wanted:g} s"
        terminal.say(f"{reached}; continue with: trundle run --resume {done.recording}", err=True)
        code = interrupts.exit_code()
    elif done.stopped and not conduct.quiet:
        terminal.say(
            f"stopped: {done.stopped}; to go on: trundle run --resume {done.recording} --duration SECONDS", err=True
        )
    if not done.interrupted and not conduct.quiet and not conduct.as_json:
        terminal.say(f"next: trundle view {done.recording}")
    raise typer.Exit(code)


def time_step(text: str | None) -> float | str | None:
    """What --time-step gives: seconds, or the word."""
    if text is None or text == AUTO:
        return text
    try:
        return float(text)
    except ValueError:
        terminal.stop_unless(False, f"--time-step {text}: give a number of seconds, or {AUTO}.")
        raise


def _start(request: Request, given: dict[str, Any]) -> Run:
    assert request.scene is not None
    scene, options = load_scene(request.scene)
    if request.conduct.threads is not None:
        given = given | {"threads": request.conduct.threads}
    if "every" in given or "frames_per_second" in given:
        options = {name: value for name, value in options.items() if name not in ("every", "frames_per_second")}
    if given.get("time_step", AUTO) != AUTO:
        options.pop("accuracy", None)
    in_file = options.keys() - given.keys()
    options |= given
    for name in ("duration", "time_step"):
        if name not in options:
            option = "--" + name.replace("_", "-")
            raise SceneError(
                f"{request.scene}: {name} [s] is missing. Add it to [simulation] in the file, or give {option} SECONDS."
            )
    output = _output(request)
    _spare(output, request.conduct.force)
    with option_places(scene, in_file):
        return simulate(scene, record=output, progress=not request.conduct.quiet, **request.problems, **options)


def _resume(request: Request, given: dict[str, Any]) -> Run:
    assert request.resumed is not None
    others = [name for name in (*given, *request.problems) if name not in ("duration", "stop")]
    if others:
        option = "--" + others[0].replace("_", "-")
        raise RecordingError(
            f"{option} belongs to a new run: a continued one keeps its options, but for --duration and --stop."
        )
    return resume(
        request.resumed, duration=given.get("duration"), stop=given.get("stop"), threads=request.conduct.threads,
        progress=not request.conduct.quiet, trust=request.conduct.trust,
    )  # fmt: skip


def target(request: Request) -> Path:
    """The recording that a run writes to."""
    return request.resumed or _output(request)


def _output(request: Request) -> Path:
    assert request.scene is not None
    return request.output or Path(request.scene.with_suffix(".h5").name)


def _spare(output: Path, force: bool) -> None:
    """Do not replace a run without being told to."""
    if force or not output.is_file():
        return
    with Recording(output) as before:
        if not before.finished:
            raise RecordingError(
                f"{output}: holds a run that is not finished. Continue it with --resume {output}, replace it with --force, "
                "or give another name."
            )
    raise RecordingError(f"{output}: holds a finished run. Replace it with --force, or give another name with -o.")
