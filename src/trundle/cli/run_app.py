"""The commands that simulate a scene file or prepare for it: their arguments and their help.

What a command does is imported when it runs: `trundle --help` must not wait for compiled kernels.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trundle.cli.option_groups import Conduct, Kept, Stepping, option, with_groups


@with_groups
def run(
    *,
    scene: Annotated[
        Path | None, typer.Argument(metavar="SCENE.toml", help="The scene; not with --resume.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None, option("-o", "--output", metavar="RUN.h5", help="The recording; SCENE.h5 here if left out.")
    ] = None,
    resume: Annotated[
        Path | None, option(metavar="RUN.h5", help="Continue a run that was ended, killed or finished.")
    ] = None,
    stepping: Stepping,
    kept: Kept,
    conduct: Conduct,
) -> None:
    """Simulate a scene and record it in one HDF5 file, which ParaView, h5py and `trundle view` open.

    Options that are given here win over those in the file. The recording is
    written as the run goes and can be read at any moment; whatever ends the
    run, --resume continues it to the same bits as if it had never stopped.
    Ctrl-C stops after the current step.

    [bold]Examples[/]

      trundle run pile.toml -o pile.h5

      trundle run pile.toml -o fine.h5 --time-step 1e-3 --tolerance 1e-6 --fps 25

      trundle run --resume pile.h5 --duration 10

      trundle run pile.toml --view

      trundle run pile.toml --stop 'at rest 0.2'

      trundle run pile.toml --save-problems hard --when 'iterations > 1000 or not converged'

    [bold]Exit code[/]  0 done (missed tolerances are warnings), 1 a step failed, 2 bad input, 3 damaged file, 4 disk, 130 Ctrl-C.
    """
    from trundle.cli import terminal

    terminal.stop_unless(
        (scene is None) != (resume is None), "run what? Give a scene file, or --resume RUN.h5; one of them."
    )
    terminal.stop_unless(
        scene is None or not scene.is_dir(), f"{scene} is a folder: give a scene file in it, such as pile.toml."
    )
    terminal.stop_unless(resume is None or output is None, "--resume goes on in the same file: leave out -o.")
    terminal.stop_unless(
        kept.when is None or kept.save_problems is not None, "--when chooses what --save-problems DIR writes."
    )
    from trundle.cli import running, viewing

    request = running.Request(scene, output, resume, stepping, kept, conduct)
    with viewing.beside(running.target(request), conduct.view):
        running.run(request)


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


def warm(
    kinds: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KIND]...", show_default=False, help="sphere, box, ..., terrain, machine, pile; default: all."),
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes that compile at the same time; 0: one per core.")] = 0,
) -> None:  # fmt: skip
    """Compile kernels before they are needed, so that first runs start at once.

    Kernels are compiled when a scene first needs them, which takes 5 to 30 s.
    They are kept in your cache folder until trundle is updated.

    [bold]Examples[/]

      trundle warm

      trundle warm box terrain
    """
    from trundle.cli import warming

    warming.warm(kinds or [], workers)
