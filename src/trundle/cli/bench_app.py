"""Arguments and help of `trundle bench`; what it does is in `cli.bench`, imported when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trundle.cli.help import App

app = App()

Against = Annotated[
    str,
    typer.Option(
        metavar="ENGINES", show_default=False,
        help="Others on the same scene: mujoco,pybullet,rapier,siconos; those that are not installed are named.",
    ),
]  # fmt: skip
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command()
def pile(
    n: Annotated[int, typer.Option("--n", help="Number of spheres.")] = 10_000,
    duration: Annotated[float, typer.Option(help="Simulated time \\[s].")] = 1.4,
    time_step: Annotated[float, typer.Option(help="Time step \\[s].")] = 5e-3,
    tolerance: Annotated[float, typer.Option(help="Relative residual of every step.")] = 1e-4,
    threads: Annotated[int, typer.Option(help="Threads; the result has the same bits for any number.")] = 1,
    against: Against = "",
    budget: Annotated[float, typer.Option(help="CPU seconds after which another engine is stopped.")] = 600.0,
    as_json: Json = False,
) -> None:
    """Drop spheres into a box and time the fall and the rest.

    Spheres of 45 mm with mu = 0.6, mu_r = mu_s = 10 mm fall from a loose grid;
    a box of 2 m x 2 m for 10,000. Every step is solved to the tolerance, which
    is checked by the natural map of the exact problem.

    [bold]Examples[/]

      trundle bench pile --n 10000 --duration 1.4 --tolerance 1e-4 --threads 1 --json

      trundle bench pile --n 1000 --against mujoco,pybullet
    """
    from trundle.cli import bench

    bench.pile(n, duration, time_step, tolerance, threads, against, budget, as_json)


@app.command()
def shapes(
    kind: Annotated[
        str,
        typer.Option(metavar="KINDS", help="box, polyhedron, capsule, ellipsoid, clump, sphere; several with commas."),
    ] = "box,polyhedron,capsule,ellipsoid,clump,sphere",
    n: Annotated[int, typer.Option("--n", help="Number of bodies.")] = 250,
    duration: Annotated[float, typer.Option(help="Simulated time \\[s].")] = 1.0,
    time_step: Annotated[float, typer.Option(help="Time step \\[s].")] = 5e-3,
    tolerance: Annotated[float, typer.Option(help="Relative residual of every step.")] = 1e-4,
    against: Annotated[
        str, typer.Option(metavar="ENGINES", show_default=False, help="Others on the same scene: pybullet,mujoco.")
    ] = "",
    budget: Annotated[float, typer.Option(help="CPU seconds after which another engine is stopped.")] = 300.0,
    as_json: Json = False,
) -> None:
    """Drop bodies of one shape into a box of walls and time the fall and the rest.

    Boxes of 50 x 40 x 30 mm, polyhedra of 12 corners, capsules, ellipsoids,
    clumps of three spheres, spheres; mu = 0.5, mu_r = mu_s = 0.1 mm. A first
    run, which compiles, is not counted; the last quarter counts as rest.

    [bold]Example[/]

      trundle bench shapes --kind box,capsule --n 250 --against pybullet,mujoco --json
    """
    from trundle.cli import bench

    bench.shapes(kind, n, duration, time_step, tolerance, against, budget, as_json)


@app.command()
def sphere(
    duration: Annotated[float, typer.Option(help="Simulated time \\[s].")] = 6.0,
    time_step: Annotated[float, typer.Option(help="Time step \\[s].")] = 1e-3,
    tolerance: Annotated[float, typer.Option(help="Relative residual of every step.")] = 1e-10,
    against: Against = "",
    as_json: Json = False,
) -> None:
    """Let a sphere roll until it stops: distance against the closed form, and the cost of a step.

    [bold]Example[/]

      trundle bench sphere --against mujoco,pybullet
    """
    from trundle.cli import bench

    bench.sphere(duration, time_step, tolerance, against, as_json)


@app.command()
def problems(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files (.hdf5, .dat) or folders of them.")],
    solver: Annotated[str, typer.Option(help="Solver; see trundle solvers.")] = "auto",
    tolerance: Annotated[float, typer.Option(help="Relative residual.")] = 1e-8,
    against: Annotated[
        str, typer.Option(metavar="siconos", show_default=False, help="Siconos' Gauss-Seidel on the same files.")
    ] = "",
    budget: Annotated[float, typer.Option(help="Seconds after which a solve of Siconos is stopped.")] = 60.0,
    as_json: Json = False,
) -> None:
    """Solve contact problems from files and time it.

    Siconos runs in the interpreter that has it (Debian: apt install
    python3-siconos), right after ours, to the same residual.

    [bold]Examples[/]

      trundle bench problems problems/

      trundle bench problems problems/rolling --against siconos --budget 5
    """
    from trundle.cli import bench

    bench.problems(paths, solver, tolerance, against, budget, as_json)
