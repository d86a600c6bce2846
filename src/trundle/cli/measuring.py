"""`trundle measure`: numbers and figures from a recording."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from trundle.cli import terminal
from trundle.errors import MeasureError

INTERVAL = "_interval"  # ends the key of half the width of a 95 % interval


def print_list() -> None:
    """Write the measures with what they tell."""
    from trundle.measure.catalogue import MEASURES
    from trundle.measure.plots import DRAWINGS

    table = terminal.plain_table("measure", "figure", "what it tells", "options (--set)")
    for name, measure in MEASURES.items():
        options = ", ".join(
            key if value is None else f"{key} = {list(value) if isinstance(value, tuple) else value}"
            for key, value in measure.options.items()
        )
        # units stand in brackets, which are markup otherwise
        table.add_row(name, "yes" if name in DRAWINGS else "", escape(measure.what), escape(options))
    terminal.output().print(table)


def read_options(texts: list[str]) -> dict[str, dict[str, Any]]:
    """Options of measures from "angle-of-repose.sectors=24"."""
    options: dict[str, dict[str, Any]] = {}
    for text in texts:
        path, _, value = text.partition("=")
        name, _, option = path.strip().rpartition(".")
        try:
            read = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            name = ""
        terminal.stop_unless(
            bool(name),
            f'--set {text}: write MEASURE.OPTION=VALUE, such as angle-of-repose.sectors=24 or "run-out.origin=[0, 0]".',
        )
        options.setdefault(name, {})[option] = read
    return options


def run(file: Path, names: list[str], frame: int, as_json: bool, plots: Path | None, texts: list[str]) -> None:
    """Measure a recording; a measure without an answer is reported and makes the exit code 1."""
    from trundle.measure.catalogue import MEASURES, check_names, check_options, measure_all
    from trundle.measure.plots import DRAWINGS, draw
    from trundle.record.reader import Recording

    check_names(names)
    options = read_options(texts)
    check_options(options, names or MEASURES)
    if plots is not None:
        terminal.make_folder(plots, "--plots")
    values: dict[str, Any] = {}
    failed: dict[str, str] = {}
    written = []
    with Recording(file) as recording:
        for name in names or MEASURES:
            try:
                own = options.get(name, {})
                values[name] = measure_all(recording, [name], frame, options={name: own})
                if plots is not None and name in DRAWINGS:
                    written.append(draw(recording, name, plots / f"{name}.png", frame, **own))
            except MeasureError as error:
                failed[name] = str(error)
    if as_json:
        flat = {key: value for found in values.values() for key, value in found.items()}
        typer.echo(json.dumps({key: _plain(value) for key, value in flat.items()}, indent=1))
    else:
        _print_table(values)
    if written:
        terminal.say(f"written: {', '.join(map(str, written))}", err=as_json)
    if names or not values:
        for message in failed.values():
            terminal.print_error(message)
    elif failed:  # asked for everything, one expects that some have no answer here
        terminal.say(f"no answer here: {', '.join(failed)}; trundle measure {file} NAME says why", err=True)
    raise typer.Exit(terminal.NOT_CONVERGED if failed and (names or not values) else terminal.CONVERGED)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_table(values: dict[str, dict[str, Any]]) -> None:
    from trundle.measure.catalogue import unit_of

    table = terminal.plain_table("measure", "value", "unit", "", right=("value",))
    for name, found in values.items():
        shown = {key: value for key, value in found.items() if not key.endswith(INTERVAL)}
        for i, (key, value) in enumerate(shown.items()):
            text = f"{value:.6g}" if isinstance(value, float) else str(value)
            if isinstance(value, bool):
                text = "yes" if value else "no"
            if key + INTERVAL in found:
                text = f"{value:.4g} ± {found[key + INTERVAL]:.2g}"
            table.add_row(name if i == 0 else "", text, unit_of(key), key.replace("_", " "))
    terminal.output().print(table)
