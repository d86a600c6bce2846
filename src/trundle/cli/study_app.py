"""The commands that make many runs and a report of them, papers, campaigns and rockfall: their arguments and their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trundle.cli.option_groups import Workers, option, with_groups


def reproduce(
    paper: Annotated[
        str | None, typer.Argument(metavar="PAPER", help="Key of a paper, or all.", show_default=False)
    ] = None,
    only: Annotated[str | None, option(metavar="NAME", help="One part of the paper; see --list.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A shorter version: seconds instead of minutes.")] = False,
    folder: Annotated[
        Path | None,
        option("-o", "--output", metavar="DIR", help="Where to write; out/PAPER if left out."),
    ] = None,
    time_step: Annotated[float | None, option(metavar="SECONDS", help="Instead of the paper's own.")] = None,
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


@with_groups
def sweep(
    *,
    file: Annotated[Path, typer.Argument(metavar="CAMPAIGN.toml", help="What is run, and what varies.")],
    folder: Annotated[
        Path | None,
        option("-o", "--output", metavar="DIR", help="Where to write; out/CAMPAIGN if left out."),
    ] = None,
    where: Workers,
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

    sweeping.run(file, folder, where.workers, where.scheduler, retry, plots, dry)


@with_groups
def rockfall(
    *,
    file: Annotated[Path, typer.Argument(metavar="CASE.toml", help="Terrain, soils, blocks, release.")],
    folder: Annotated[
        Path | None,
        option("-o", "--output", metavar="DIR", help="Where to write; out/CASE if left out."),
    ] = None,
    release: Annotated[
        Path | None,
        option(metavar="FILE.csv", help="A release table, instead of the case's own release."),
    ] = None,
    data: Annotated[Path | None, option(metavar="DIR", help="Folder of the files that the case names.")] = None,
    seeds: Annotated[
        int | None,
        option(min=1, help="Times that every row of a release table is repeated."),
    ] = None,
    where: Workers,
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

    rockfalling.run(file, folder, release, data, seeds, where.workers, where.scheduler, calibrate, report)
