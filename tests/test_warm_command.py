"""`trundle warm` compiles what it says, and names what it does not know."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from trundle.cli import warming
from trundle.cli.app import app


@pytest.mark.parametrize("name", warming.SCENES)
def test_every_kind_of_scene_runs(name):
    assert warming._compile(name)[0] == name


def test_an_unknown_kind_is_named_with_those_that_are_known():
    done = CliRunner().invoke(app, ["warm", "bx"])
    assert done.exit_code != 0
    assert "bx" in str(done.exception) + done.output
