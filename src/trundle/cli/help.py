"""How commands show their help, flags without a type and commands in groups, and their errors; loads nothing more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from trundle.output import clean

SIMULATE, LOOK, PROBLEMS = "Simulate", "Look and measure", "Laws and contact problems"
PAPERS, FILES = "Papers, campaigns, benchmarks", "Files and set-up"


class _FlagsWithoutType:
    """A command whose flags are shown without the word <bool>."""

    def get_params(self, ctx: Any) -> list[Any]:
        params: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for param in params:
            if getattr(param, "is_flag", False) and param.metavar is None:
                param.metavar = ""
        return params


class Command(_FlagsWithoutType, TyperCommand):
    """A command."""


class Group(_FlagsWithoutType, TyperGroup):
    """A command that has commands."""


class App(typer.Typer):
    """Commands whose help reads as ours does."""

    def __init__(self, **options: Any) -> None:
        shared = {"rich_markup_mode": "rich", "context_settings": {"help_option_names": ["-h", "--help"]}}
        super().__init__(**{"cls": Group, "no_args_is_help": True, **shared, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[..., Any]:
        """Register a function as a command; `rich_help_panel` is the group it is listed in."""
        return super().command(name, **{"cls": Command, **options})


def print_error(error: object) -> None:
    """Write one clear message to stderr."""
    typer.echo(f"{typer.style('error:', fg='red', bold=True)} {clean(error)}", err=True)
