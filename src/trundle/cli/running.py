"""`trundle run`: a scene file in, a recording out, and a run that a person can follow."""

from __future__ import annotations

import json
import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from trundle.cli import summary, terminal
from trundle.cli.option_places import option_places
from trundle.errors import RecordingError, SceneError, SimulationError, TrundleWarning
from trundle.record.reader import Recording
from trundle.scene.files import load_scene
from trundle.scene.model import State
from trundle.simulate import Run, resume, simulate
from trundle.step.report import StepReport

FAILED = 1
REFRESH = 0.1  # seconds between two looks of the progress bar


class Bar:
    """Progress on stderr, if that is a terminal: time, contacts, residual, energy, time left."""

    def __init__(self, quiet: bool) -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._last = 0.0
        self._bar: Progress | None = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if self._wanted:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False), BarColumn(bar_width=24), TextColumn("{task.fields[text]}"),
                TimeRemainingColumn(compact=True), console=terminal.messages(), transient=True,
            )  # fmt: skip
            self._task = self._bar.add_task("starting", total=None, text="kernels are compiled on first use")
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def callback(self) -> Bar | None:
        """For `simulate`; nothing where nothing is shown, since a run that tells of every step takes them one by one."""
        return self if self._wanted else None

    def expect(self, duration: float) -> None:
        """The simulated time [s] at which the run ends."""
        self._duration = duration

    def __call__(self, report: StepReport, state: State) -> None:
        """Show a step."""
        now = time.perf_counter()
        if self._bar is None or now - self._last < REFRESH:
            return
        first, self._last = self._last == 0.0, now
        if first:
            self._bar.reset(self._task, total=self._duration)
        text = (
            f"contacts {len(report.contacts):,}  residual {report.solution.residual:.1e}  "
            f"energy {report.ledger.total:.4g} J"
        )
        description = f"t = {state.time:.4g} of {self._duration:g} s"
        self._bar.update(self._task, completed=state.time, description=description, text=text)


@dataclass(frozen=True)
class Request:
    """What the command line asks for; options that were not given are None."""

    scene: Path | None
    output: Path | None
    resumed: Path | None
    options: dict[str, Any]
    threads: int | None
    force: bool
    quiet: bool
    as_json: bool


def run(request: Request) -> None:
    """Run, tell, and end with an exit code."""
    given = {name: value for name, value in request.options.items() if value is not None}
    code = terminal.CONVERGED
    with warnings.catch_warnings(record=True) as caught, Bar(request.quiet) as bar:
        warnings.simplefilter("always", TrundleWarning)
        try:
            done = _resume(request, given, bar) if request.resumed else _start(request, given, bar)
        except SimulationError as error:
            done, failure = None, error
    said = [str(one.message) for one in caught if issubclass(one.category, TrundleWarning)]
    if done is not None and done.interrupted:
        said.remove(done.warnings[-1])  # said below, with the command
    if done is None:
        summary.print_warnings(said)
        terminal.print_error(failure)
        typer.echo(f"what was done until then is in {request.resumed or _output(request)}", err=True)
        raise typer.Exit(FAILED)
    assert done.recording is not None
    with Recording(done.recording) as recording:
        numbers = summary.facts(recording) | {"warnings": said}
    if request.as_json:
        typer.echo(json.dumps(numbers, indent=2))
    elif not request.quiet:
        summary.print_facts(numbers)
    summary.print_warnings(said)
    if done.interrupted:
        reached = f"interrupted at t = {done.final.time:g} s of {numbers['options']['duration']:g} s"
        typer.echo(f"{reached}; continue with: trundle run --resume {done.recording}", err=True)
        code = terminal.INTERRUPTED
    elif not request.quiet and not request.as_json:
        typer.echo(f"next: trundle view {done.recording}")
    raise typer.Exit(code)


def _start(request: Request, given: dict[str, Any], bar: Bar) -> Run:
    assert request.scene is not None
    scene, options = load_scene(request.scene)
    if request.threads is not None:
        given = given | {"threads": request.threads}
    if "every" in given or "frames_per_second" in given:
        options = {name: value for name, value in options.items() if name not in ("every", "frames_per_second")}
    in_file = options.keys() - given.keys()
    options |= given
    for name in ("duration", "time_step"):
        if name not in options:
            option = "--" + name.replace("_", "-")
            raise SceneError(
                f"{request.scene}: {name} [s] is missing. Add it to [simulation] in the file, or give {option} SECONDS."
            )
    output = _output(request)
    _spare(output, request.force)
    bar.expect(float(options["duration"]))
    with option_places(scene, in_file):
        return simulate(scene, record=output, progress=bar.callback, **options)


def _resume(request: Request, given: dict[str, Any], bar: Bar) -> Run:
    assert request.resumed is not None
    others = [name for name in given if name != "duration"]
    if others:
        option = "--" + others[0].replace("_", "-")
        raise RecordingError(f"{option} belongs to a new run: a continued one keeps its options, but for --duration.")
    with Recording(request.resumed) as recording:
        bar.expect(float(given.get("duration", recording.options["duration"])))
    return resume(request.resumed, duration=given.get("duration"), threads=request.threads, progress=bar.callback)


def target(request: Request) -> Path:
    """The recording that a run writes to."""
    return request.resumed or _output(request)


def _output(request: Request) -> Path:
    assert request.scene is not None
    return request.output or Path(request.scene.with_suffix(".h5").name)


def _spare(output: Path, force: bool) -> None:
    """Do not replace a run that someone may want to continue."""
    if force or not output.is_file():
        return
    with Recording(output) as before:
        if not before.finished:
            raise RecordingError(
                f"{output}: holds a run that is not finished. Continue it with --resume {output}, replace it with --force, "
                "or give another name."
            )
