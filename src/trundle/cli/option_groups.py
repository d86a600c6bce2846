"""Options of commands, written once: groups that several commands share, and the many of `trundle run`.

A group is a frozen dataclass, a field per option.  `with_groups` makes a command's parameter of such a class the options that
its fields declare, in their order; the command gets the object.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """The command with a parameter per field of its groups, as typer reads them."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name not in groups:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        group = groups[parameter.name]
        declared = get_type_hints(group, include_extras=True)
        parameters += [
            inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default, annotation=declared[f.name])
            for f in fields(group)
        ]

    @functools.wraps(command)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{f.name: given.pop(f.name) for f in fields(group)})
        command(**given)

    parameters = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called


def option(*names: str, metavar: str | None = None, help: str, **more: Any) -> Any:
    """An option whose default, nothing or what the help says, is not shown."""
    return typer.Option(*names, metavar=metavar, help=help, show_default=False, **more)


# --- shared by several commands -----------------------------------------------------------------------


@dataclass(frozen=True)
class Camera:
    """What `view` and `export` look at, and how they draw the terrain."""

    follow: Annotated[str | None, option(metavar="BODY", help="The camera goes with a body.")] = None
    aim: Annotated[str | None, option("--target", metavar="X,Y,Z", help="The camera looks at this place \\[m].")] = None
    terrain: Annotated[str | None, option(help="plain, hillshade, or elevation for colours by height.")] = None
    drape: Annotated[
        list[Path] | None, option(metavar="FILE", help="Lay a raster (.asc, .tif) or an image over the terrain.")
    ] = None
    paths: Annotated[bool, typer.Option("--paths", help="Draw the paths of bodies.")] = False


@dataclass(frozen=True)
class Workers:
    """Where the runs of `sweep` and `rockfall` are computed."""

    workers: Annotated[
        int | None, option(min=0, help="Processes on this machine; one per core if left out, 0: no dask.")
    ] = None
    scheduler: Annotated[
        str | None, option(metavar="ADDRESS", help="A running dask cluster, e.g. tcp://host:8786.")
    ] = None


# --- trundle run --------------------------------------------------------------------------------------


class RunFormulation(StrEnum):
    """What a time step does with the law."""

    exact = "exact"
    relaxed = "relaxed"
    compliant = "compliant"
    history = "history"


class RunImpact(StrEnum):
    """How contacts that close at once bounce."""

    newton = "newton"
    poisson = "poisson"
    sequential = "sequential"


class RunScheme(StrEnum):
    """How time is stepped."""

    moreau_jean = "moreau-jean"
    moreau_midpoint = "moreau-midpoint"


@dataclass(frozen=True)
class Stepping:
    """Options of `simulate`, under its names but for fps; None: as the scene file says, or its default."""

    duration: Annotated[float | None, option(metavar="SECONDS", help="Simulated time, from the start.")] = None
    time_step: Annotated[
        str | None, option(metavar="SECONDS", help="Time step; auto: as long as --accuracy allows.")
    ] = None
    accuracy: Annotated[
        float | None, option(help="Of --time-step auto: relative, on positions and velocities.  [dim](1e-4)[/]")
    ] = None
    tolerance: Annotated[
        float | None, option(help="Residual of every step, a ratio to the free velocity. [dim](1e-8; heaps 1e-4)[/]")
    ] = None
    theta: Annotated[float | None, option(help="0.5: second order; 1: damps, for piles.  [dim](0.5)[/]")] = None
    formulation: Annotated[RunFormulation | None, option(help="What is done with the law.  [dim](exact)[/]")] = None
    scheme: Annotated[RunScheme | None, option(help="Time stepping.  [dim](moreau-jean)[/]")] = None
    impact: Annotated[RunImpact | None, option(help="How contacts that close at once bounce.  [dim](newton)[/]")] = None
    max_iterations: Annotated[int | None, option(help="Limit of iterations per step.  [dim](200000)[/]")] = None
    solver: Annotated[
        str | None, option(metavar="NAME", help="Solver of every step, as in trundle solve.  [dim](auto)[/]")
    ] = None
    stop: Annotated[
        str | None,
        option(metavar="WORDS", help="Stop early: 'at rest SECONDS', or 'at rest SECONDS SPEED' (m/s)."),
    ] = None


@dataclass(frozen=True)
class Kept:
    """What `trundle run` writes beside the last state."""

    save_problems: Annotated[
        Path | None, option(metavar="DIR", help="Write contact problems of steps as FCLIB files.")
    ] = None
    when: Annotated[str | None, option(metavar="CONDITION", help="Only those: e.g. 'iterations > 1000'.")] = None
    every: Annotated[int | None, option(metavar="STEPS", help="Steps per recorded frame.")] = None
    fps: Annotated[float | None, option(metavar="RATE", help="Or: frames per simulated second.")] = None


@dataclass(frozen=True)
class Conduct:
    """How `trundle run` goes about it, and what it says."""

    seed: Annotated[int | None, option(help="Instead of the seeds of the emitters in the scene.")] = None
    threads: Annotated[int | None, option(help="Maximum number of threads; the result does not depend on it.")] = None
    force: Annotated[bool, typer.Option("--force", help="Replace a recording that is there.")] = False
    trust: Annotated[
        bool, typer.Option("--trust", help="With --resume: run Python code that the recorded scene names.")
    ] = False
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Neither progress nor summary; warnings only.")] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False
    view: Annotated[bool, typer.Option("--view", help="Show it in the browser as it goes; Ctrl-C closes it.")] = False
