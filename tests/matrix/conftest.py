"""`pytest tests/matrix --full` runs the whole product of the axes instead of all pairs."""

from __future__ import annotations

from itertools import product

from axes import AXES, Case
from covering import all_pairs


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="the whole matrix, not only all pairs of its axes")


def pytest_generate_tests(metafunc):
    if "case" not in metafunc.fixturenames:
        return
    full = metafunc.config.getoption("--full", default=False)
    cases = [Case(*row) for row in (product(*AXES[:-1]) if full else all_pairs(AXES))]
    suits = getattr(metafunc.function, "suits", lambda case: True)
    metafunc.parametrize("case", [case for case in cases if suits(case)], ids=str)
