"""Arguments and help of `trundle problems`; what it does is in `cli.problems`, imported when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trundle.cli.help import App

app = App()

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a library.")]


@app.command()
def make(
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Where to write the problems.")] = (
        Path("problems")
    ),
    count: Annotated[int, typer.Option(help="How many: the first ones of the library.")] = 500,
    seed: Annotated[int, typer.Option(help="Another seed gives another library.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes.")] = 1,
    certificates: Annotated[
        bool, typer.Option(help="Solve every problem to 1e-12, and store solution and modes where that succeeds.")
    ] = True,
    again: Annotated[bool, typer.Option("--again", help="Try again where no solution was found before.")] = False,
) -> None:
    """Make a library of contact problems with sliding, rolling and spinning friction.

    Piles of spheres, soups of primitives, polyhedra in a chute, arches and
    walls, rockfall, thrust bearings; 10 to 6,000 contacts; mu up to 1, mu_r up
    to a radius; every 20th from the middle of a collapse. FCLIB files
    (HDF5), and catalogue.csv with family, law, size and hardness of each. The same
    seed gives the same problems. After Ctrl-C the same command goes on.

    [bold]Examples[/]

      trundle problems make -o problems --count 40

      trundle problems make -o problems --count 500 --workers 2
    """
    from trundle.cli import problems

    problems.make(folder, count, seed, workers, certificates, again)


@app.command("list")
def list_problems(folder: Folder = Path("problems")) -> None:
    """Show what a library holds: families, laws, sizes, hardness, and how many solutions are certified.

    [bold]Example[/]

      trundle problems list problems
    """
    from trundle.cli import problems

    problems.show(folder)


@app.command()
def check(folder: Folder = Path("problems")) -> None:
    """Compute the residuals and modes of all stored solutions anew.

    [bold]Example[/]

      trundle problems check problems

    [bold]Exit code[/]  0 all hold, 3 a file is damaged or says something wrong.
    """
    from trundle.cli import problems

    problems.check(folder)
