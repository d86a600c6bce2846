"""Numbers of the places of arrays, scalars and results."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from trundle.step.kernels import history_places, places


@pytest.mark.parametrize("module", [places, history_places], ids=lambda module: module.__name__.split(".")[-1])
def test_no_name_of_a_place_stands_for_two_of_them(module):
    tree = ast.parse(Path(module.__file__).read_text())
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    names = Counter(node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
    assert len(names) > 10
    assert [name for name, count in names.items() if count > 1] == []
