"""The commands, their arguments and their help.

What a command does is imported when it runs: `trundle --help` must not wait for compiled kernels.
"""

from __future__ import annotations

import sys
import traceback
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from trundle.cli.bench_app import app as bench_app
from trundle.errors import TrundleError


class Formulation(StrEnum):
    """What is done with the law."""

    exact = "exact"
    relaxed = "relaxed"


class Commands(TyperGroup):
    """The commands; an error that trundle raises on purpose becomes one message and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TrundleError as error:
            from trundle.cli import terminal

            terminal.print_error(error)
            raise typer.Exit(terminal.BAD_INPUT) from None


app = typer.Typer(
    name="trundle",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # an unexpected error shows Python's own traceback
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(bench_app, name="bench", help="Time piles, a sphere and contact problems, beside other engines.")

Files = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Contact problems: FCLIB (HDF5) or Siconos text (.dat).")
]
Tolerance = Annotated[float, typer.Option(help="Relative residual at which a problem counts as solved.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        import trundle

        typer.echo(f"trundle {trundle.__version__}")
        raise typer.Exit


@app.callback()
def trundle_command(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Frictional contact with sliding, spinning and rolling: a friction law is a convex set.

    [bold]Start here[/]

      trundle demo                             pour two piles, and see them

      trundle run SCENE.toml -o run.h5         simulate a scene

      trundle solve FILE...                    solve contact problems

      trundle compare FILE... -o profile.png   find the best solver

    Every command explains itself, with examples:  trundle solve --help
    """


class RunFormulation(StrEnum):
    """What a time step does with the law."""

    exact = "exact"
    relaxed = "relaxed"
    compliant = "compliant"
    history = "history"


class RunScheme(StrEnum):
    """How time is stepped."""

    moreau_jean = "moreau-jean"
    moreau_midpoint = "moreau-midpoint"


@app.command()
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
    time_step: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time step.", show_default=False)] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(help="Residual of every step, a ratio to the free velocity. [dim](1e-8)[/]", show_default=False),
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
    max_iterations: Annotated[
        int | None, typer.Option(help="Limit of iterations per step.  [dim](20000)[/]", show_default=False)
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
        int | None, typer.Option(help="Use at most so many; the result does not depend on it.", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a recording of an unfinished run.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Neither progress nor summary; warnings only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    view: Annotated[bool, typer.Option("--view", help="Show it in the browser as it goes; Ctrl-C closes it.")] = False,
) -> None:
    """Simulate a scene and record it in one HDF5 file, which ParaView, h5py and `trundle view` open.

    Options that are given here win over those in the file. The recording is
    written as the run goes and can be read at any moment; whatever ends the
    run, --resume continues it to the same bits as if it had never stopped.
    Ctrl-C ends it after the step that is going on.

    [bold]Examples[/]

      trundle run pile.toml -o pile.h5

      trundle run pile.toml -o fine.h5 --time-step 1e-3 --tolerance 1e-6 --fps 25

      trundle run --resume pile.h5 --duration 10

      trundle run pile.toml --view

    [bold]Exit code[/]  0 done (missed tolerances are warnings), 1 a step failed, 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import terminal

    terminal.stop_unless(
        (scene is None) != (resume is None), "run what? Give a scene file, or --resume RUN.h5; one of them."
    )
    terminal.stop_unless(resume is None or output is None, "--resume goes on in the same file: leave out -o.")
    from trundle.cli import running

    options = {
        "duration": duration, "time_step": time_step, "tolerance": tolerance, "theta": theta,
        "formulation": formulation and formulation.value, "max_iterations": max_iterations, "every": every,
        "frames_per_second": fps, "seed": seed, "scheme": scheme and scheme.value,
    }  # fmt: skip
    request = running.Request(scene, output, resume, options, threads, force, quiet, as_json)
    from trundle.cli import viewing

    with viewing.beside(running.target(request), view):
        running.run(request)


@app.command()
def info(
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="A recording, finished or not.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    scene: Annotated[bool, typer.Option("--scene", help="Print its scene file instead.")] = False,
) -> None:
    """Tell what is in a recording: bodies, steps, residuals, the energy ledger, times and versions.

    [bold]Examples[/]

      trundle info pile.h5

      trundle info pile.h5 --scene > again.toml
    """
    from trundle.cli import summary

    summary.info(file, as_json, scene)


@app.command()
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
        typer.Option(metavar="DIR", help="Tables: bodies, frames, contacts, steps, energy.", show_default=False),
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
    from trundle.cli import viewing

    look = {"colour": colour, "arrows": arrows, "chains": chains, "zoom": zoom}
    drawing = viewing.Drawing(html, png, mp4, gif, frame, every, speed, fps, size, look)
    targets = {"--lammps": lammps, "--xyz": xyz, "--csv": csv}
    if drawing.wanted:
        viewing.draw(file, drawing)
    if any(targets.values()) or not drawing.wanted:
        from trundle.cli import exporting

        exporting.run(file, {**targets, "--html": None, "--png": None, "--mp4": None, "--gif": None})


@app.command()
def solve(
    files: Files,
    solver: Annotated[str, typer.Option(metavar="NAME", help="One of those that `trundle solvers` lists.")] = "auto",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="An option of the solver; may be given several times."),
    ] = None,
    tolerance: Tolerance = 1e-8,
    max_iterations: Annotated[
        int | None, typer.Option(help="Limit of iterations; each solver has its own default.", show_default=False)
    ] = None,
    formulation: Annotated[
        Formulation,
        typer.Option(help="exact: no contact opens by friction; relaxed: the convex problem of Tasora & Anitescu."),
    ] = Formulation.exact,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list instead of a table.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write problem and solution as FCLIB (HDF5) into this folder; a solve that failed, as a guess.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Solve contact problems from files, and show modes, residual, iterations and time.

    The residual is the natural map of the problem, relative to the free
    velocity: the problem computes it, not the solver. Ctrl-C shows what is
    done, with the best iterate of the running solve.

    [bold]Examples[/]

      trundle solve pile.hdf5

      trundle solve steps/*.dat --tolerance 1e-12 --json > solutions.json

      trundle solve pile.dat --solver gauss-seidel --option relaxation=1.2

    [bold]Exit code[/]  0 all converged, 1 some did not, 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import solving, terminal

    terminal.stop_unless(
        save is None or formulation is Formulation.exact,
        "--save: FCLIB files have no place for the relaxed formulation. Leave one of --save and --formulation out.",
    )
    terminal.stop_unless(tolerance > 0.0, f"--tolerance {tolerance:g} must be a positive number, such as 1e-8.")
    terminal.stop_unless(
        max_iterations is None or max_iterations >= 1, f"--max-iterations {max_iterations} must be at least 1."
    )
    method = solving.make_solver(solver, option or [])
    request = solving.Request(method, tolerance, max_iterations, formulation.value, save)
    outcomes, interrupted = solving.solve_files(files, request)
    if as_json:
        solving.print_json(outcomes)
    else:
        solving.print_table(outcomes)
    for outcome in outcomes:
        if outcome.error:
            terminal.print_error(outcome.error)
    if interrupted and len(outcomes) < len(files):
        typer.echo(f"interrupted: {len(files) - len(outcomes)} of {len(files)} files were not begun", err=True)
    raise typer.Exit(solving.exit_code(outcomes, interrupted))


@app.command()
def compare(
    files: Files,
    picture: Annotated[Path, typer.Option("-o", "--output", metavar="PNG", help="The picture: .png, .pdf or .svg.")],
    solvers: Annotated[
        str,
        typer.Option(metavar="A,B,C", help="Solvers, with commas between them; all if left out.", show_default=False),
    ] = "",
    tolerance: Tolerance = 1e-8,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="Limit for each solve.")] = 10.0,
    table: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Numbers of every solve; beside the picture if left out.", show_default=False
        ),
    ] = None,
) -> None:
    """Run the solvers over the files, and draw their performance profile.

    The profile shows, for every solver, the share of the files that it
    solved within a factor of the shortest time of any solver (Dolan & Moré,
    2002): high on the left is fast, high on the right is reliable. Beside it
    is the time of each solve. A solver that cannot treat a problem is marked
    n/a, not failed.

    [bold]Examples[/]

      trundle compare problems/*.hdf5 -o profile.png

      trundle compare *.dat -o fast.png --solvers nesterov,newton,auto --time-limit 2

    [bold]Exit code[/]  0 done, whoever won; 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import comparing, profile_picture, terminal

    terminal.stop_unless(tolerance > 0.0, f"--tolerance {tolerance:g} must be a positive number, such as 1e-8.")
    terminal.stop_unless(time_limit > 0.0, f"--time-limit {time_limit:g} must be a positive number of seconds.")
    kinds = (".png", ".pdf", ".svg")
    terminal.stop_unless(picture.suffix in kinds, f"-o {picture}: the name must end in {', '.join(kinds)}.")
    csv_file = table or picture.with_suffix(".csv")
    terminal.make_folder(picture.parent, "-o")
    terminal.make_folder(csv_file.parent, "--csv")
    result = comparing.compare_files(files, comparing.chosen_solvers(solvers), tolerance, time_limit)
    if result.runs:
        comparing.print_summary(result.runs)
        comparing.write_csv(result.runs, csv_file)
        profile_picture.draw_comparison(result.runs, picture, tolerance, time_limit)
        typer.echo(f"written: {picture}, {csv_file}")
    for message in result.errors:
        terminal.print_error(message)
    if result.interrupted:
        typer.echo("interrupted: the solves that were finished are above", err=True)
        raise typer.Exit(terminal.INTERRUPTED)
    raise typer.Exit(terminal.BAD_INPUT if result.errors else terminal.CONVERGED)


@app.command()
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


@app.command("check-law")
def check_law(
    law: Annotated[str, typer.Argument(metavar="MODULE:NAME", help="A law: module:Name, or file.py:Name.")],
) -> None:
    """Test whether a law of your own is one: a projection onto a convex set, and its support function.

    Tried on many random loads: projecting twice changes nothing, distances
    never grow, the set scales with the normal load, projection and support
    function belong together, and friction never creates energy. What is
    wrong is said in words.

    [bold]Examples[/]

      trundle check-law pyramid.py:Pyramid

      trundle check-law my_package.laws:Ellipse

    A law takes about 15 lines; examples/own_law.py is one.

    [bold]Exit code[/]  0 it is a law, 1 it is not, 2 it could not be loaded.
    """
    from trundle import laws
    from trundle.cli import terminal

    sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    try:
        loaded = laws.load(law)
    except TrundleError:
        raise
    except Exception:  # the user's own code failed: its traceback says where, and 1 would mean that it is not a law
        traceback.print_exc()
        raise typer.Exit(terminal.BAD_INPUT) from None
    report = laws.check(loaded)
    typer.echo(str(report))
    raise typer.Exit(terminal.CONVERGED if report else terminal.NOT_CONVERGED)


class Demo(StrEnum):
    """What there is to show."""

    pile = "pile"
    problem = "problem"


@app.command()
def demo(
    what: Annotated[Demo, typer.Argument(help="What to show.")] = Demo.pile,
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where to write the picture.")] = (
        Path("out")
    ),
) -> None:
    """Pour a pile of grains without and with rolling friction, and draw both.

    The same grains fall in the same way onto a rough plate; only the rolling
    friction differs. Their angles of repose are printed and a picture is
    written to a folder. [bold]trundle demo problem[/] shows one time step
    instead: a heap of rollers that begins to collapse, which of its contacts
    stick, slide and roll, and how the solvers get there.

    [bold]Examples[/]

      trundle demo -o out

      trundle demo problem
    """
    if what is Demo.problem:
        from trundle.cli import demo as show

        show.run(folder)
        return
    from trundle.cli import demo_pile

    demo_pile.run(folder)


@app.command()
def laws() -> None:
    """List the friction laws with their rows, coefficients and units.

    [bold]Example[/]

      trundle laws
    """
    from trundle.cli import listing

    listing.print_laws()


@app.command()
def solvers() -> None:
    """List the solvers with their options and defaults.

    [bold]Example[/]

      trundle solvers
    """
    from trundle.cli import listing

    listing.print_solvers()


@app.command()
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
    show: Annotated[bool, typer.Option("--list", help="List the papers and their parts.")] = False,
) -> None:
    """Reproduce a paper: every number in its text beside ours, and its figures.

    Writes report.md to read, report.json to compute with, and the figures as
    PNG. Each claim agrees, differs (the note says why) or is not in the
    paper's text. `all` writes each paper into a folder of its own.

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
    reproducing.run(str(paper), only, quick, folder or Path("out") / str(paper), time_step)


@app.command()
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
    show: Annotated[bool, typer.Option("--list", help="List the measures.")] = False,
) -> None:
    """Measure a recording: angle of repose, run-out, contact network, energy.

    [bold]Examples[/]

      trundle measure --list

      trundle measure pile.h5 angle-of-repose height --plots figures

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
        measuring.run(file, names or [], frame, as_json, plots)


@app.command()
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


@app.command()
def view(
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="A recording, finished or still being written.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser; otherwise only say its address.")] = True,
) -> None:
    """Look at a run in the browser: play, turn, pick bodies, forces, plots.

    The page comes from this machine alone (127.0.0.1), needs no internet, and
    follows a run that is still being written. Ctrl-C ends it.

    [bold]Examples[/]

      trundle view run.h5

      trundle view run.h5 --port 8000 --no-browser     then, from elsewhere: ssh -L 8000:127.0.0.1:8000 thismachine
    """
    from trundle.cli import viewing

    viewing.view(file, port, browser)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(130)
