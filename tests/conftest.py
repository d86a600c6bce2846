"""What all tests share: the folder of contact problems that other programs made."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SUFFIXES = (".dat", ".hdf5")
BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "problems"
FOLDER = Path(os.environ.get("TRUNDLE_PROBLEMS", BESIDE_THE_CHECKOUT))
MISSING = f"no folder of contact problems at {FOLDER}; name one in TRUNDLE_PROBLEMS"


@pytest.fixture(scope="session")
def problems() -> Path:
    """Folder of contact problems; the test is skipped where there is none."""
    if not FOLDER.is_dir():
        pytest.skip(MISSING)
    return FOLDER


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `problem_file` runs on every file of the folder."""
    if "problem_file" not in metafunc.fixturenames:
        return
    files = sorted(file for file in FOLDER.rglob("*") if file.suffix in SUFFIXES)
    values = [pytest.param(file, id=file.relative_to(FOLDER).as_posix()) for file in files]
    nothing = [pytest.param(None, id="none", marks=pytest.mark.skip(reason=MISSING))]
    metafunc.parametrize("problem_file", values or nothing)
