"""The commands about scenes and runs: their arguments and their help.

What a command does is imported when it runs: `trundle --help` must not wait for compiled kernels.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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


def run(
    scene: Annotated[
        Path | None, typer.Argument(metavar="SCENE.toml", help="The scene; not with --resume.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="RUN.h5", help="The recording; SCENE.h5 here if left out.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RUN.h5", help="Continue a run that was ended, killed or finished.", show_default=False),
    ] = None,
    duration: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Simulated time, from the start.", show_default=False)
    ] = None,
    time_step: Annotated[
        str | None,
        typer.Option(metavar="SECONDS", help="Time step; auto: as long as --accuracy allows.", show_default=False),
    ] = None,
    accuracy: Annotated[
        float | None,
        typer.Option(
            help="Of --time-step auto: relative, on positions and velocities.  [dim](1e-4)[/]", show_default=False
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            help="Residual of every step, a ratio to the free velocity. [dim](1e-8; heaps 1e-4)[/]", show_default=False
        ),
    ] = None,
    theta: Annotated[
        float | None, typer.Option(help="0.5: second order; 1: damps, for piles.  [dim](0.5)[/]", show_default=False)
    ] = None,
    formulation: Annotated[
        RunFormulation | None, typer.Option(help="What is done with the law.  [dim](exact)[/]", show_default=False)
    ] = None,
    scheme: Annotated[
        RunScheme | None, typer.Option(help="Time stepping.  [dim](moreau-jean)[/]", show_default=False)
    ] = None,
    impact: Annotated[
        RunImpact | None,
        typer.Option(help="How contacts that close at once bounce.  [dim](newton)[/]", show_default=False),
    ] = None,
    max_iterations: Annotated[
        int | None, typer.Option(help="Limit of iterations per step.  [dim](60000)[/]", show_default=False)
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Solver of every step, as in trundle solve.  [dim](auto)[/]", show_default=False
        ),
    ] = None,
    stop: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="Stop early: 'at rest SECONDS', or 'at rest SECONDS SPEED' (m/s).", show_default=False
        ),
    ] = None,
    save_problems: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write contact problems of steps as FCLIB files.", show_default=False),
    ] = None,
    when: Annotated[
        str | None,
        typer.Option(metavar="CONDITION", help="Only those: e.g. 'iterations > 1000'.", show_default=False),
    ] = None,
    every: Annotated[
        int | None, typer.Option(metavar="STEPS", help="Steps per recorded frame.", show_default=False)
    ] = None,
    fps: Annotated[
        float | None, typer.Option(metavar="RATE", help="Or: frames per simulated second.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Instead of the seeds of the emitters in the scene.", show_default=False)
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="Maximum number of threads; the result does not depend on it.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a recording that is there.")] = False,
    trust: Annotated[
        bool, typer.Option("--trust", help="With --resume: run Python code that the recorded scene names.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Neither progress nor summary; warnings only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    view: Annotated[bool, typer.Option("--view", help="Show it in the browser as it goes; Ctrl-C closes it.")] = False,
) -> None:
    """Simulate a scene and record it in one HDF5 file, which ParaView, h5py and `trundle view` open.

    Options that are given here win over those in the file. The recording is
    written as the run goes and can be read at any moment; whatever ends the
    run, --resume continues it to the same bits as if it had never stopped.
    Ctrl-C stops after the current step.

    [bold]Examples[/]

      trundle run pile.toml -o pile.h5

      trundle run pile.toml -o fine.h5 --time-step 1e-3 --tolerance 1e-6 --fps 25

      trundle run --resume pile.h5 --duration 10

      trundle run pile.toml --view

      trundle run pile.toml --stop 'at rest 0.2'

      trundle run pile.toml --save-problems hard --when 'iterations > 1000 or not converged'

    [bold]Exit code[/]  0 done (missed tolerances are warnings), 1 a step failed, 2 bad input, 3 damaged file, 4 disk, 130 Ctrl-C.
    """
    from trundle.cli import terminal

    terminal.stop_unless(
        (scene is None) != (resume is None), "run what? Give a scene file, or --resume RUN.h5; one of them."
    )
    terminal.stop_unless(
        scene is None or not scene.is_dir(), f"{scene} is a folder: give a scene file in it, such as pile.toml."
    )
    terminal.stop_unless(resume is None or output is None, "--resume goes on in the same file: leave out -o.")
    from trundle.cli import running

    options = {
        "duration": duration, "time_step": running.time_step(time_step), "accuracy": accuracy, "tolerance": tolerance,
        "theta": theta, "formulation": formulation and formulation.value, "max_iterations": max_iterations, "every": every,
        "frames_per_second": fps, "seed": seed, "scheme": scheme and scheme.value,
        "impact": impact and impact.value, "solver": solver, "stop": stop,
    }  # fmt: skip
    terminal.stop_unless(when is None or save_problems is not None, "--when chooses what --save-problems DIR writes.")
    problems = {} if save_problems is None else {"save_problems": save_problems, "keep_problems": when or True}
    request = running.Request(scene, output, resume, options, problems, threads, force, quiet, as_json, trust)
    from trundle.cli import viewing

    with viewing.beside(running.target(request), view):
        running.run(request)


def export(
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="A recording, finished or not.")],
    lammps: Annotated[
        Path | None, typer.Option(metavar="FILE", help="LAMMPS text dump, for OVITO.", show_default=False)
    ] = None,
    xyz: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Extended XYZ, for OVITO.", show_default=False)
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Tables: bodies, frames, contacts, joints, steps, energy.", show_default=False
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The viewer with the run in it, one file, offline.", show_default=False),
    ] = None,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help="A picture of --frame.", show_default=False)] = None,
    mp4: Annotated[Path | None, typer.Option(metavar="FILE", help="A film (needs ffmpeg).", show_default=False)] = None,
    gif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A film that needs nothing.", show_default=False)
    ] = None,
    frame: Annotated[int, typer.Option(help="Frame of the picture; negative: from the end.")] = -1,
    every: Annotated[
        int | None, typer.Option(metavar="FRAMES", help="Keep every n-th frame in the page.", show_default=False)
    ] = None,
    colour: Annotated[str, typer.Option(help="Of pictures: speed, spin, force, mode, plain.")] = "speed",
    arrows: Annotated[bool, typer.Option("--arrows", help="Draw contact forces.")] = False,
    chains: Annotated[bool, typer.Option("--chains", help="Draw force chains.")] = False,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels of pictures and films.")] = "1280x720",
    zoom: Annotated[float, typer.Option(help="Of pictures; > 1 is nearer.")] = 1.0,
    follow: Annotated[
        str | None, typer.Option(metavar="BODY", help="The camera goes with a body.", show_default=False)
    ] = None,
    aim: Annotated[
        str | None,
        typer.Option("--target", metavar="X,Y,Z", help="The camera looks at this place \\[m].", show_default=False),
    ] = None,
    terrain: Annotated[
        str | None, typer.Option(help="plain, hillshade, or elevation for colours by height.", show_default=False)
    ] = None,
    drape: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Lay a raster (.asc, .tif) or an image over the terrain.", show_default=False
        ),
    ] = None,
    paths: Annotated[bool, typer.Option("--paths", help="Draw the ways of bodies.")] = False,
    speed: Annotated[float, typer.Option(help="Of films: seconds of the run per second.")] = 1.0,
    fps: Annotated[float, typer.Option(help="Of films: pictures per second.")] = 25.0,
) -> None:
    """Write a recording as a page, picture or film, or in other formats; ParaView opens the file itself.

    [bold]Examples[/]

      trundle export pile.h5 --html pile.html            send it to anyone

      trundle export pile.h5 --png pile.png --colour mode --frame 120

      trundle export pile.h5 --mp4 pile.mp4 --speed 0.2 --chains

      trundle export pile.h5 --lammps pile.dump --csv tables
    """
    from trundle.cli import terminal, viewing

    look = {"colour": colour, "arrows": arrows, "chains": chains, "zoom": zoom, "terrain": terrain, "paths": paths}
    terminal.stop_unless(not (drape and terrain), "give --terrain or --drape, not both.")
    look |= {"follow": follow, "target": None if aim is None else viewing.place_of(aim)}
    drawing = viewing.Drawing(html, png, mp4, gif, frame, every, speed, fps, size, look, tuple(drape or ()))
    targets = {"--lammps": lammps, "--xyz": xyz, "--csv": csv}
    for target in (*targets.values(), html, png, mp4, gif):
        # before anything is opened for writing: the recording would be gone
        if target is not None and target.exists() and file.exists() and target.samefile(file):
            terminal.stop_unless(False, f"{target}: is the recording itself, which is not replaced. Give another name.")
    if drawing.wanted:
        viewing.draw(file, drawing)
    if any(targets.values()) or not drawing.wanted:
        from trundle.cli import exporting

        exporting.run(file, {**targets, "--html": None, "--png": None, "--mp4": None, "--gif": None})


def check(
    scene: Annotated[Path, typer.Argument(metavar="SCENE.toml", help="The scene.", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Check a scene file without running it, and tell what is in it.

    Everything that `trundle run` would refuse is told at once, with the line
    of the file and the remedy: unknown keys, bad values, missing laws,
    overlaps at the start, a time step that is too long. Otherwise: bodies,
    masses, surfaces and their laws, emitters, and what time step to use.

    [bold]Examples[/]

      trundle check pile.toml

      trundle check pile.toml --json

    [bold]Exit code[/]  0 it can be simulated, 2 it cannot.
    """
    from trundle.cli import checking

    checking.check(scene, as_json)


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="Key of a paper, or all.", show_default=False)
    ] = None,
    only: Annotated[
        str | None, typer.Option(metavar="NAME", help="One part of the paper; see --list.", show_default=False)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A shorter version: seconds instead of minutes.")] = False,
    folder: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Where to write; out/PAPER if left out.", show_default=False
        ),
    ] = None,
    time_step: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Instead of the paper's own.", show_default=False)
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also parts that an earlier run has finished.")] = False,
    show: Annotated[bool, typer.Option("--list", help="List the papers and their parts.")] = False,
) -> None:
    """Reproduce a paper: every number in its text beside ours, and its figures.

    Writes report.md to read, report.json to compute with, and the figures as
    PNG. Each claim agrees, differs (the note says why), is not tested by this
    run, or is not in the paper's text. `all` writes each paper into a folder
    of its own. Parts that are finished are kept: a run that was interrupted
    goes on with the next part.

    [bold]Examples[/]

      trundle reproduce --list

      trundle reproduce le-saux-2005 --only case-2 -o out

      trundle reproduce all --quick

    [bold]Exit code[/]  0 it ran, whatever the verdicts; 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import reproduce as reproducing
    from trundle.cli import terminal

    if show:
        reproducing.print_list()
        return
    terminal.stop_unless(paper is not None, "name a paper, or all; `trundle reproduce --list` shows them.")
    terminal.stop_unless(
        time_step is None or time_step > 0.0, f"--time-step {time_step} must be a positive number of seconds."
    )
    reproducing.run(str(paper), only, quick, folder or Path("out") / str(paper), time_step, again)


def measure(
    file: Annotated[Path | None, typer.Argument(metavar="RUN.h5", help="A recording.", show_default=False)] = None,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="MEASURE", help="All if left out; see --list.", show_default=False)
    ] = None,
    frame: Annotated[int, typer.Option(help="Number of the frame; -1 is the last.")] = -1,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object instead of a table.")] = False,
    plots: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw those that have a figure.", show_default=False)
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="MEASURE.OPTION=VALUE", help="Options; see --list.", show_default=False),
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="List the measures and their options.")] = False,
) -> None:
    """Measure a recording: angle of repose, run-out, contact network, energy.

    [bold]Examples[/]

      trundle measure --list

      trundle measure pile.h5 angle-of-repose height --plots figures

      trundle measure pile.h5 angle-of-repose --set angle-of-repose.sectors=24

      trundle measure pile.h5 coordination forces fabric --json

    [bold]Exit code[/]  0 done, 1 a measure has no answer, 2 bad input.
    """
    from trundle.cli import measuring, terminal

    if show:
        measuring.print_list()
        return
    if file is None:
        terminal.stop_unless(False, "which recording? trundle measure RUN.h5, or --list.")
    else:
        measuring.run(file, names or [], frame, as_json, plots, options or [])


def sweep(
    file: Annotated[Path, typer.Argument(metavar="CAMPAIGN.toml", help="What is run, and what varies.")],
    folder: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", help="Where to write; out/CAMPAIGN if left out.", show_default=False
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0, help="Processes on this machine; one per core if left out, 0: no dask.", show_default=False
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A running dask cluster, e.g. tcp://host:8786.", show_default=False),
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Compute failed runs again.")] = False,
    plots: Annotated[bool, typer.Option(help="Draw every value over what varies.")] = True,
    dry: Annotated[bool, typer.Option("--dry-run", help="Check the campaign and say how much there is to do.")] = False,
) -> None:
    """Run a campaign over parameters, on all cores or on a cluster.

    A campaign varies the fields of a scene file, or the parameters of a
    Python function: on a grid, at random or as a Latin hypercube, with seeds
    as replicates. Stop it whenever you like: the same command computes only
    what is missing. The table does not depend on the number of workers.

    [bold]A campaign[/]

      scene = "pile.toml"

      measures = ["angle-of-repose", "height"]

      replicates = 3

      \\[vary]

      "surfaces.0.law.mu_r" = { from = 0.0, to = 0.01, count = 6 }

    [bold]Examples[/]

      trundle sweep repose.toml -o out/repose

      trundle sweep repose.toml --scheduler tcp://login1:8786

    docs/howto-campaign.md has more, SLURM clusters among it.

    [bold]Exit code[/]  0 all done, 1 some runs failed, 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import sweeping

    sweeping.run(file, folder, workers, scheduler, retry, plots, dry)


def view(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="RUN.h5", help="A recording, finished or still being written; or a folder of `rockfall`."
        ),
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser; otherwise only say its address.")] = True,
    terrain: Annotated[
        str | None, typer.Option(help="plain, hillshade, or elevation for colours by height.", show_default=False)
    ] = None,
    drape: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Lay a raster (.asc, .tif) or an image over the terrain.", show_default=False
        ),
    ] = None,
    paths: Annotated[bool, typer.Option("--paths", help="Draw the ways of all bodies.")] = False,
    follow: Annotated[
        str | None, typer.Option(metavar="BODY", help="The camera goes with a body.", show_default=False)
    ] = None,
    aim: Annotated[
        str | None,
        typer.Option("--target", metavar="X,Y,Z", help="The camera looks at this place \\[m].", show_default=False),
    ] = None,
) -> None:
    """Look at a run in the browser: play, turn, pick bodies, forces, plots.

    The page comes from this machine alone (127.0.0.1), needs no internet, and
    follows a run that is still being written. Ctrl-C ends it.

    [bold]Examples[/]

      trundle view run.h5

      trundle view run.h5 --port 8000 --no-browser     then, from elsewhere: ssh -L 8000:127.0.0.1:8000 thismachine

      trundle view out/slope --paths                   a study of `trundle rockfall`, with its maps over the terrain

      trundle view run.h5 --drape orthophoto.tif --follow block
    """
    from trundle.cli import viewing

    look = {
        "ground": terrain,
        "paths": paths,
        "follow": follow,
        "target": None if aim is None else viewing.place_of(aim),
    }
    viewing.view(file, port, browser, drape or (), {key: value for key, value in look.items() if value})


def warm(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KIND]...", show_default=False, help="sphere, box, ..., terrain, machine, pile; default: all."),
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes that compile at the same time; 0: one per core.")] = 0,
) -> None:  # fmt: skip
    """Compile kernels before they are needed, so that first runs start at once.

    Kernels are compiled when a scene first needs them, which takes 5 to 30 s.
    They are kept in your cache folder until trundle is updated.

    [bold]Examples[/]

      trundle warm

      trundle warm box terrain
    """
    from trundle.cli import warming

    warming.warm(kinds or [], workers)
