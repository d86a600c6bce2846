"""`trundle demo problem`: a heap of rollers at the moment it begins to collapse, solved, told and drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import typer

from trundle.cli import terminal
from trundle.cli.demo_picture import draw_heap
from trundle.cli.heap import build_heap, heap_problem
from trundle.cli.solving import count_modes, modes_in_words, save, time_in_words
from trundle.solve import ContactSolution, solve
from trundle.solve.profile import warm_up

MU = 0.15
ROLLING_RATIO = 0.12
TIME_STEP = 0.01  # [s]
TOLERANCE = 1e-10
RACERS = ("gauss-seidel", "nesterov", "newton")
RACE_ITERATIONS = 10_000


def run(folder: Path) -> None:
    """Solve the heap, print what came out, and write `heap.png` and `heap.hdf5` into a folder."""
    terminal.make_folder(folder, "-o")
    heap = build_heap()
    problem = heap_problem(heap, MU, ROLLING_RATIO, TIME_STEP)
    typer.echo(
        f"{len(heap.radius)} rollers, {problem.contact_count} contacts, one time step of {TIME_STEP:g} s from rest.\n"
        f"Law of each contact: |f_t| <= mu r_n and |m_r| <= mu_r r_n, mu = {MU:g}, mu_r = {ROLLING_RATIO:g} x radius."
    )
    with terminal.Activity(1) as activity:
        activity.say("preparing the solvers (compiled on first use)")
        warm_up(["auto", *RACERS])
        exact = solve(problem, tolerance=TOLERANCE)
        relaxed = solve(replace(problem, formulation="relaxed"), "nesterov", tolerance=TOLERANCE)
        races = [
            solve(problem, name, tolerance=TOLERANCE, max_iterations=RACE_ITERATIONS, history=True) for name in RACERS
        ]
        activity.say("drawing")
        picture, file = folder / "heap.png", folder / "heap.hdf5"
        draw_heap(heap, exact, relaxed, races, picture)
        save(exact, file)
    _print_table({"exact": exact, "relaxed": relaxed})
    typer.echo(
        "Exact: no contact opens because it slides or rolls.  "
        "Relaxed: a convex problem, but moving contacts lift off.\n\n"
        f"written: {picture}, {file}\n"
        f"next:    trundle solve {file} --solver newton"
    )


def _print_table(solutions: dict[str, ContactSolution]) -> None:
    right = ("residual", "iterations", "time", "lift-off \\[m/s]")
    table = terminal.plain_table("formulation", "modes", *right, right=right)
    for name, solution in solutions.items():
        lift = float(np.max(solution.problem.dilatancy(solution.p), initial=0.0))
        table.add_row(
            name,
            modes_in_words(count_modes(solution)),
            f"{solution.residual:.1e}",
            str(solution.iterations),
            time_in_words(solution.solve_time),
            f"{lift:.2g}",
        )
    terminal.output().print(table)
