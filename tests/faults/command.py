"""A command of trundle, called in this process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any
from unittest.mock import patch

from typer import testing
from typer.main import get_command

from trundle.cli import app

_tree = cache(get_command)  # takes ten times as long as most commands


def invoke(words: Sequence[str]) -> Any:
    """Exit code, output and exception of a command."""
    with patch.object(testing, "_get_command", _tree):
        return testing.CliRunner().invoke(app, list(words))
