"""The commands that look at a recording: their arguments and their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trundle.cli.option_groups import Camera, option, with_groups


@with_groups
def view(
    *,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="RUN.h5", help="A recording, finished or still being written; or a folder of `rockfall`."
        ),
    ],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 takes a free one.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser; otherwise only say its address.")] = True,
    camera: Camera,
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

    viewing.view(file, port, browser, camera.drape or (), viewing.camera_look(camera))


@with_groups
def export(
    *,
    file: Annotated[Path, typer.Argument(metavar="RUN.h5", help="A recording, finished or not.")],
    lammps: Annotated[Path | None, option(metavar="FILE", help="LAMMPS text dump, for OVITO.")] = None,
    xyz: Annotated[Path | None, option(metavar="FILE", help="Extended XYZ, for OVITO.")] = None,
    csv: Annotated[
        Path | None,
        option(metavar="DIR", help="Tables: bodies, frames, contacts, joints, steps, energy."),
    ] = None,
    html: Annotated[
        Path | None,
        option(metavar="FILE", help="The viewer with the run in it, one file, offline."),
    ] = None,
    png: Annotated[Path | None, option(metavar="FILE", help="A picture of --frame.")] = None,
    mp4: Annotated[Path | None, option(metavar="FILE", help="A film (needs ffmpeg).")] = None,
    gif: Annotated[Path | None, option(metavar="FILE", help="A film that needs nothing.")] = None,
    frame: Annotated[int, typer.Option(help="Frame of the picture; negative: from the end.")] = -1,
    every: Annotated[int | None, option(metavar="FRAMES", help="Keep every n-th frame in the page.")] = None,
    colour: Annotated[str, typer.Option(help="Of pictures: speed, spin, force, mode, plain.")] = "speed",
    arrows: Annotated[bool, typer.Option("--arrows", help="Draw contact forces.")] = False,
    chains: Annotated[bool, typer.Option("--chains", help="Draw force chains.")] = False,
    size: Annotated[str, typer.Option(metavar="WxH", help="Pixels of pictures and films.")] = "1280x720",
    zoom: Annotated[float, typer.Option(help="Of pictures; > 1 is nearer.")] = 1.0,
    camera: Camera,
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

    look = {"colour": colour, "arrows": arrows, "chains": chains, "zoom": zoom}
    terminal.stop_unless(not (camera.drape and camera.terrain), "give --terrain or --drape, not both.")
    look |= viewing.camera_look(camera)
    drawing = viewing.Drawing(html, png, mp4, gif, frame, every, speed, fps, size, look, tuple(camera.drape or ()))
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


def measure(
    file: Annotated[Path | None, typer.Argument(metavar="RUN.h5", help="A recording.", show_default=False)] = None,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="MEASURE", help="All if left out; see --list.", show_default=False)
    ] = None,
    frame: Annotated[int, typer.Option(help="Number of the frame; -1 is the last.")] = -1,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object instead of a table.")] = False,
    plots: Annotated[Path | None, option(metavar="DIR", help="Draw those that have a figure.")] = None,
    options: Annotated[
        list[str] | None,
        option("--set", metavar="MEASURE.OPTION=VALUE", help="Options; see --list."),
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
