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

from trundle import interrupts
from trundle.cli import look_app, record_app, run_app, study_app
from trundle.cli.bench_app import app as bench_app
from trundle.cli.help import FILES, LOOK, PAPERS, PROBLEMS, SIMULATE, App, Group, print_error
from trundle.cli.problems_app import app as problems_app
from trundle.errors import DISK, TrundleError
from trundle.output import limit_behind, refused_by_the_system


class Formulation(StrEnum):
    """What is done with the law."""

    exact = "exact"
    relaxed = "relaxed"


class Commands(Group):
    """The commands: an error that trundle raises on purpose becomes one message and its exit code, a signal 128 + its number."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except (OSError, MemoryError, SystemError, ImportError, RuntimeError) as error:
            said = refused_by_the_system(error)
            if said is None:
                raise
            print_error(said)
            sys.exit(said.exit_code)

    def invoke(self, ctx: Any) -> Any:
        try:
            with interrupts.let_through():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo(interrupts.in_words(interrupts.received), err=True)
            raise typer.Exit(interrupts.exit_code()) from None
        except TrundleError as error:
            limit = limit_behind(error)
            print_error(f"{error}\n  {limit}" if limit else error)
            raise typer.Exit(DISK if limit else error.exit_code) from None


app = App(
    name="trundle",
    cls=Commands,
    pretty_exceptions_enable=False,  # an unexpected error shows Python's own traceback
)

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

    [bold]Exit codes[/]  0 done; 1 not converged, a step failed, no answer; 2 bad input; 3 a damaged file; 4 the disk is full or
    cannot be written; 128 + n ended by signal n: 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP.
    """


app.command(rich_help_panel=SIMULATE)(run_app.run)
app.command(rich_help_panel=SIMULATE)(run_app.check)
app.command(rich_help_panel=LOOK)(look_app.view)
app.command(rich_help_panel=LOOK)(record_app.info)
app.command(rich_help_panel=LOOK)(look_app.measure)
app.command(rich_help_panel=LOOK)(look_app.export)


@app.command(rich_help_panel=PROBLEMS)
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
    history: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the residual of every iteration into this CSV file.", show_default=False
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

      trundle solve pile.dat --solver fixed-point --history residuals.csv

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
    terminal.stop_unless(
        history is None or history.parent.is_dir(),
        f"--history {history}: there is no folder {history and history.parent}.",
    )
    request = solving.Request(method, tolerance, max_iterations, formulation.value, save, history)
    outcomes, interrupted = solving.solve_files(files, request)
    if history is not None:
        solving.write_history(outcomes, history)
    if as_json:
        solving.print_json(outcomes)
    else:
        solving.print_table(outcomes)
    for outcome in outcomes:
        if outcome.error:
            terminal.print_error(outcome.error)
    if interrupted and len(outcomes) < len(files):
        terminal.say(f"interrupted: {len(files) - len(outcomes)} of {len(files)} files were not begun", err=True)
    raise typer.Exit(solving.exit_code(outcomes, interrupted))


@app.command(rich_help_panel=PROBLEMS)
def compare(
    files: Files,
    picture: Annotated[Path, typer.Option("-o", "--output", metavar="PNG", help="The picture: .png, .pdf or .svg.")],
    solvers: Annotated[
        str,
        typer.Option(metavar="A,B,C", help="Solvers, with commas between them; all if left out.", show_default=False),
    ] = "",
    tolerance: Tolerance = 1e-8,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="Limit of CPU time for each solve.")] = 10.0,
    formulation: Annotated[
        Formulation, typer.Option(help="exact, or relaxed: the convex problem, which clarabel solves, too.")
    ] = Formulation.exact,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A report, .md or .html: shares solved by residual, size, family.", show_default=False
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Numbers of every solve; beside the picture if left out.", show_default=False
        ),
    ] = None,
) -> None:
    """Run the solvers over the files, and draw their time and accuracy profiles.

    The profile shows, for every solver, the share of the files that it
    solved within a factor of the shortest time of any solver (Dolan & Moré,
    2002): high on the left is fast, high on the right is reliable. The accuracy
    profile shows the share that it brought to a residual within the time
    limit; give a tolerance of 1e-12 to see all of it. Beside them is the time of
    each solve. A solver that cannot treat a problem is marked n/a, not failed.

    [bold]Examples[/]

      trundle compare problems/*.hdf5 -o profile.png

      trundle compare *.dat -o fast.png --solvers nesterov,newton,auto --time-limit 2

      trundle compare problems/*.hdf5 -o fine.png --tolerance 1e-12 --time-limit 60 --report fine.md

      trundle compare *.dat -o convex.png --formulation relaxed --solvers auto,clarabel

    [bold]Exit code[/]  0 done, whoever won; 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import comparing, comparing_report, profile_picture, terminal

    terminal.stop_unless(tolerance > 0.0, f"--tolerance {tolerance:g} must be a positive number, such as 1e-8.")
    terminal.stop_unless(time_limit > 0.0, f"--time-limit {time_limit:g} must be a positive number of seconds.")
    kinds = (".png", ".pdf", ".svg")
    terminal.stop_unless(picture.suffix in kinds, f"-o {picture}: the name must end in {', '.join(kinds)}.")
    csv_file = table or picture.with_suffix(".csv")
    terminal.make_folder(picture.parent, "-o")
    terminal.make_folder(csv_file.parent, "--csv")
    if report is not None:
        comparing_report.check_path(report)
        terminal.make_folder(report.parent, "--report")
    chosen = comparing.chosen_solvers(solvers)
    result = comparing.compare_files(files, chosen, tolerance, time_limit, formulation.value, csv_file)
    if result.runs:
        comparing.print_summary(result.runs)
        comparing.write_csv(result.runs, csv_file)
        profile_picture.draw_comparison(result.runs, picture, tolerance, time_limit)
        written = [picture, csv_file]
        if report is not None:
            comparing_report.write_report(result.runs, report, picture, tolerance, time_limit, formulation.value)
            written.append(report)
        terminal.say("written: " + ", ".join(map(str, written)))
    for message in result.errors:
        terminal.print_error(message)
    if result.interrupted:
        terminal.say("interrupted: the solves that were finished are above", err=True)
        raise typer.Exit(interrupts.exit_code())
    raise typer.Exit(terminal.BAD_INPUT if result.errors else terminal.CONVERGED)


@app.command("check-law", rich_help_panel=PROBLEMS)
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
    terminal.say(str(report))
    raise typer.Exit(terminal.CONVERGED if report else terminal.NOT_CONVERGED)


class Demo(StrEnum):
    """What there is to show."""

    pile = "pile"
    problem = "problem"


@app.command(rich_help_panel=SIMULATE)
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


@app.command(rich_help_panel=PROBLEMS)
def laws() -> None:
    """List the friction laws with their rows, coefficients and units.

    [bold]Example[/]

      trundle laws
    """
    from trundle.cli import listing

    listing.print_laws()


@app.command(rich_help_panel=PROBLEMS)
def solvers() -> None:
    """List the solvers with their options and defaults.

    [bold]Example[/]

      trundle solvers
    """
    from trundle.cli import listing

    listing.print_solvers()


app.command(rich_help_panel=PAPERS)(study_app.reproduce)
app.command(rich_help_panel=PAPERS)(study_app.sweep)
app.command(rich_help_panel=SIMULATE)(study_app.rockfall)
app.add_typer(
    bench_app,
    name="bench",
    help="Time piles, a sphere and contact problems, beside other engines.",
    rich_help_panel=PAPERS,
)
app.add_typer(
    problems_app,
    name="problems",
    help="Make a library of contact problems, list it, check its solutions.",
    rich_help_panel=PROBLEMS,
)
for command in (record_app.verify, record_app.repair, record_app.rerun, run_app.warm):
    app.command(rich_help_panel=FILES)(command)


def main() -> None:
    """Run the command line."""
    interrupts.take_over(begun=True)
    try:
        app()
    except KeyboardInterrupt:  # while the command was being read
        typer.echo(interrupts.in_words(interrupts.received), err=True)
        sys.exit(interrupts.exit_code())
