"""The commands about recordings as files: their arguments and their help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Recorded = Annotated[Path, typer.Argument(metavar="RUN.h5", help="A recording, finished or not.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def info(
    file: Recorded,
    as_json: AsJson = False,
    scene: Annotated[bool, typer.Option("--scene", help="Print its scene file instead.")] = False,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="Tell how it was made: stages, versions, source, machine.")
    ] = False,
) -> None:
    """Tell what is in a recording: bodies, steps, residuals, the energy ledger, times and versions.

    [bold]Examples[/]

      trundle info pile.h5

      trundle info pile.h5 --scene > again.toml

      trundle info pile.h5 --provenance
    """
    from trundle.cli import summary

    summary.info(file, as_json, scene, provenance)


def verify(file: Recorded, as_json: AsJson = False) -> None:
    """Read all of a recording, and compare it with its checksums.

    Damage is named: the dataset, and its frames or steps. Everything else in
    the file can still be read, and `trundle repair` saves it.

    [bold]Example[/]

      trundle verify pile.h5

    [bold]Exit code[/]  0 it is as it was written, 3 it is damaged, 2 it is no recording.
    """
    from trundle.cli import recordings

    recordings.verify(file, as_json)


def repair(
    file: Recorded,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="SAVED.h5", help="Where to write what is whole.")],
) -> None:
    """Save what is whole of a damaged recording into another file.

    Frames whose bodies are damaged are left out; what is missing is said, and
    recorded in the new file. A run whose checkpoint is whole can be continued.

    [bold]Example[/]

      trundle repair pile.h5 -o saved.h5

    [bold]Exit code[/]  0 the new file holds everything, 1 something is lost, 3 nothing can be saved, 4 it cannot be written.
    """
    from trundle.cli import recordings

    recordings.repair(file, output)


def rerun(
    file: Recorded,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="AGAIN.h5", help="Keep the repetition.", show_default=False),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Let the scene run Python files that it names, from the recording's folder.")
    ] = False,
) -> None:
    """Repeat a recorded run from its own scene and options, and say whether the bits agree.

    [bold]Example[/]

      trundle rerun pile.h5

    [bold]Exit code[/]  0 every number is the same, 1 some differ, 2 it cannot be repeated.
    """
    from trundle.cli import recordings

    recordings.rerun(file, output, trust)
