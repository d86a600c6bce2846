"""`trundle bench`: piles, a sphere and contact problems, timed, beside other engines."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import typer

from trundle.bench import (
    PileScene,
    ShapesScene,
    SphereScene,
    rivals,
    run_pile,
    run_problems,
    run_shapes,
    run_sphere,
    shapes_of,
)
from trundle.bench.problems import problem_files
from trundle.cli import terminal
from trundle.errors import SolverError

# key, what it is, how it is written
PILE_LINES = (
    ("cpu_per_simulated_second", "CPU seconds per simulated second", ".3g"),
    ("wall_per_simulated_second", "wall seconds per simulated second", ".3g"),
    ("cpu_at_rest", "CPU seconds per simulated second at rest", ".3g"),
    ("contacts", "contacts at the end", "d"),
    ("residual_max", "residual of the steps, largest", ".2e"),
    ("residual_median", "residual of the steps, median", ".2e"),
    ("missed", "steps that missed the tolerance", "d"),
    ("penetration_mean", "penetration, mean [diameters]", ".2e"),
    ("penetration_max", "penetration, largest [diameters]", ".2e"),
    ("rss_mb", "memory of the process [MB]", ".0f"),
    ("bytes_per_contact", "memory that the run added, per contact [B]", ".0f"),
    ("kinetic_energy", "kinetic energy at the end [J]", ".2e"),
    ("sweeps", "sweeps in all", "d"),
    ("sweeps_per_step_max", "sweeps of the hardest step", "d"),
    ("ns_per_contact_and_sweep", "CPU per contact and sweep [ns]", ".1f"),
    ("cache_gb_per_s", "16 MB read again and again [GB/s]", ".0f"),
    ("handover_gb_per_s", "8 MB handed from core to core [GB/s]", ".0f"),
)


def pile(
    n: int, duration: float, time_step: float, tolerance: float, threads: int, against: str, budget: float,
    as_json: bool,
) -> None:  # fmt: skip
    """Time a pile, and others on the same scene."""
    chosen = rivals.rivals_named(against)
    scene = PileScene(n=n)
    with terminal.Activity(100) as activity:
        activity.say(f"{n} spheres: preparing")
        result = run_pile(
            scene, duration, time_step, tolerance, threads,
            progress=lambda t: activity.say(f"{n} spheres: t = {t:.3f} of {duration:g} s"),
        )  # fmt: skip
        others = _others(chosen, lambda rival: _pile_beside(activity, rival, scene, duration, time_step, budget))
    _compare(others, result, ("cpu_per_simulated_second", "cpu_at_rest"))
    if as_json:
        typer.echo(json.dumps({**result, **({"against": others} if others else {})}))
        return
    typer.echo(
        f"{n} spheres, {duration:g} s in steps of {time_step:g} s, tolerance {tolerance:g}, {threads} thread(s)\n"
    )
    _print_lines(result, PILE_LINES)
    spent = result["profile"]
    typer.echo("  where the CPU time went: " + ", ".join(f"{name} {spent[name]:.1f} s" for name in spent))
    _print_others(others, ("cpu_per_simulated_second", "cpu_at_rest", "penetration_mean", "kinetic_energy"))


def shapes(
    kinds: str, n: int, duration: float, time_step: float, tolerance: float, against: str, budget: float, as_json: bool
) -> None:
    """Time piles of bodies of several shapes, and others on the same scenes."""
    scenes = [ShapesScene(kind.strip(), n) for kind in kinds.split(",") if kind.strip()]
    engines = [name.strip().lower() for name in against.split(",") if name.strip()]
    rows = []
    with terminal.Activity(100) as activity:
        for scene in scenes:
            title = f"{n} bodies, {scene.kind}"
            activity.say(f"{title}: preparing")
            ours = run_shapes(
                scene, duration, time_step, tolerance,
                partial(_tell, activity, title, duration),
            )  # fmt: skip
            rows.append(ours)
            for engine in engines:
                activity.say(f"{title}: {engine}, at most {budget:g} s CPU")
                other = shapes_of(engine, scene, duration, time_step, budget)
                rows.append(other)
    if as_json:
        typer.echo(json.dumps(rows))
        return
    for row in rows:
        _compare([row], next(ours for ours in rows if ours["kind"] == row["kind"]), ("cpu_per_simulated_second",))
    right = ("CPU s per s", "at rest", "contacts", "residual", "missed", "overlap", "times ours")
    table = terminal.plain_table("kind", "engine", *right, right=right)
    for row in rows:
        if "skipped" in row:
            table.add_row(row["kind"], row["engine"], row["skipped"])
            continue
        at_rest, ratio = row["cpu_at_rest"], row.get("cpu_per_simulated_second_ratio")
        table.add_row(
            row["kind"], row["engine"], f"{row['cpu_per_simulated_second']:.3g}", "" if at_rest is None else f"{at_rest:.3g}",
            str(row["contacts"]), "" if row["residual_max"] is None else f"{row['residual_max']:.1e}",
            "" if row["missed"] is None else str(row["missed"]),
            "" if row["overlap_max"] is None else f"{100.0 * row['overlap_max']:.1f} %", "" if ratio is None else f"{ratio:.3g}",
        )  # fmt: skip
    terminal.output().print(table)


def _tell(activity: terminal.Activity, title: str, duration: float, t: float) -> None:
    activity.say(f"{title}: t = {t:.3f} of {duration:g} s")


def sphere(duration: float, time_step: float, tolerance: float, against: str, as_json: bool) -> None:
    """Time a sphere that stops, and others on the same scene."""
    chosen = rivals.rivals_named(against)
    scene = SphereScene()
    result = run_sphere(scene, duration, time_step, tolerance)
    others = _others(chosen, lambda rival: rivals.sphere_of(rival, scene, duration, time_step))
    _compare(others, result, ("cpu_per_simulated_second",))
    stopped = result["error"] is not None
    if not stopped:  # so the distances of the others say nothing either
        others = [other | {"error": None} if "error" in other else other for other in others]
    if as_json:
        typer.echo(json.dumps({**result, **({"against": others} if others else {})}))
        return
    typer.echo(f"sphere that slides, rolls and stops; steps of {time_step:g} s\n")
    lines = (
        ("stop_distance", "stop distance [m]" if stopped else "distance so far [m]", ".6f"),
        ("exact", "closed form [m]", ".6f"),
        ("error", "relative error", ".2e"), ("final_speed", "speed at the end [m/s]", ".1e"),
        ("cpu_per_step", "CPU per step [s]", ".2e"), ("residual_max", "residual, largest", ".1e"),
    )  # fmt: skip
    _print_lines(result, lines)
    if not stopped:
        typer.echo(
            f"  has not stopped yet after {duration:g} s; the closed form stops at {scene.stop_time:.3g} s: give a longer "
            "--duration for the error"
        )
    _print_others(others, ("stop_distance", "error", "final_speed", "cpu_per_simulated_second"))


def problems(paths: list[Path], solver: str, tolerance: float, against: str, budget: float, as_json: bool) -> None:
    """Time a solver on files, and Siconos on the same ones."""
    files = problem_files(paths)
    chosen = rivals.rivals_named(against)
    for rival in chosen:
        if rival.name != "siconos":
            raise SolverError(f"--against {rival.name}: it simulates and does not read contact problems; siconos does.")
    with terminal.Activity(len(files)) as activity:
        activity.say(f"{len(files)} files")
        rows = run_problems(
            files, solver, tolerance, progress=lambda k: activity.say(f"{k:.0f} of {len(files)} files"),
            siconos=bool(chosen), budget=budget,
        )  # fmt: skip
    if as_json:
        typer.echo(json.dumps(rows))
        return
    right: tuple[str, ...] = ("contacts", "CPU \\[ms]", "residual", "iterations")
    if chosen:
        right += ("Siconos \\[ms]", "times ours")
    table = terminal.plain_table("file", *right, right=right)
    for row in rows:
        mark = "" if row["converged"] else "  (missed)"
        table.add_row(
            row["file"], str(row["contacts"]), f"{1e3 * row['cpu']:.3g}", f"{row['residual']:.1e}{mark}",
            str(row["iterations"]), *(_beside(row["siconos"]) if chosen else ()),
        )  # fmt: skip
    terminal.output().print(table)
    solved = sum(row["converged"] for row in rows)
    typer.echo(
        f"{solved} of {len(rows)} solved to {tolerance:g} with {solver}, {sum(r['cpu'] for r in rows):.3g} s CPU"
    )


def _beside(siconos: dict[str, Any]) -> tuple[str, str]:
    """Columns of what Siconos did."""
    if "cpu" not in siconos:
        return siconos["note"], ""
    return f"{1e3 * siconos['cpu']:.3g}", f"{siconos['ratio']:.3g}" if "ratio" in siconos else ""


def _pile_beside(
    activity: terminal.Activity, rival: rivals.Rival, scene: PileScene, duration: float, time_step: float, budget: float
) -> dict[str, Any]:
    activity.say(f"{rival.name}, at most {budget:g} s CPU")
    return rivals.pile_of(rival, scene, duration, time_step, budget)


def _others(chosen: list[rivals.Rival], run: Any) -> list[dict[str, Any]]:
    """Results of those that are installed, one after the other; the others by name and how to get them."""
    return [
        run(rival) if rival.installed else {"engine": rival.name, "absent": rival.install, "note": rival.note}
        for rival in chosen
    ]


def _compare(others: list[dict[str, Any]], ours: dict[str, Any], keys: tuple[str, ...]) -> None:
    """Add how many times as long as trundle each took."""
    for other in others:
        for key in keys:
            if other.get(key) is not None and ours[key] > 0.0:
                other[f"{key}_ratio"] = other[key] / ours[key]


def _print_lines(result: dict[str, Any], lines: tuple[tuple[str, str, str], ...]) -> None:
    for key, label, form in lines:
        if result.get(key) is not None:
            typer.echo(f"  {label:<44} {result[key]:{form}}")


def _print_others(others: list[dict[str, Any]], keys: tuple[str, ...]) -> None:
    for other in others:
        typer.echo("")
        if "absent" in other:
            typer.echo(f"  {other['engine']}: not installed ({other['absent']})")
            continue
        if "skipped" in other:
            typer.echo(f"  {other['engine']}: {other['skipped']}")
            continue
        ended = "" if other.get("finished", True) else f"; stopped at t = {other['simulated']:.3g} s"
        typer.echo(f"  {other['engine']} ({other['note']}{ended})")
        for key in keys:
            if other.get(key) is not None:
                ratio = f"   {other[key + '_ratio']:.3g} times ours" if key + "_ratio" in other else ""
                typer.echo(f"    {key.replace('_', ' '):<42} {other[key]:.4g}{ratio}")
