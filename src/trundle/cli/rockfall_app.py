"""`trundle rockfall`: blocks on a terrain, from a case file to maps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def rockfall(
    file: Annotated[Path, typer.Argument(metavar="CASE.toml", help="Terrain, soils, blocks, release.")],
    folder: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="DIR", help="Where to write; out/CASE if left out.", show_default=False),
    ] = None,
    release: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="A release table, instead of the case's own release.", show_default=False
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the files that the case names.", show_default=False)
    ] = None,
    seeds: Annotated[
        int | None,
        typer.Option(min=1, help="Times that every row of a release table is repeated.", show_default=False),
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
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Fit the parameters of \\[calibration] to the observed run-outs.")
    ] = False,
    report: Annotated[bool, typer.Option(help="Draw report.png and report.html.")] = True,
) -> None:
    """Let blocks fall on a terrain, one after the other, and draw maps.

    Blocks do not see each other. Each ends at rest, out of the terrain,
    where it has no data, at a barrier, or when its time is over. Stop it
    whenever you like: the same command computes only what is missing. The
    results do not depend on the number of workers.

    [bold]Writes[/]  deposits, passes of barriers (CSV, Parquet, GeoJSON),
    thinned trajectories, maps (ASC, GeoTIFF) of reach probability, count and
    quantiles of velocity, energy and jump height, report.html, report.png.

    [bold]Examples[/]

      trundle rockfall slope.toml -o out/slope

      trundle rockfall examples/tschamut/case.toml --release runs.csv -o out

      trundle rockfall case.toml --calibrate -o out/fit

    docs/howto-rockfall.md has more.

    [bold]Exit code[/]  0 all done, 2 bad input, 130 Ctrl-C.
    """
    from trundle.cli import rockfalling

    rockfalling.run(file, folder, release, data, seeds, workers, scheduler, calibrate, report)
