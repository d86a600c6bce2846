"""Modes in recordings are those that the laws name."""

from __future__ import annotations

import numpy as np
import pytest

from trundle import laws
from trundle.laws.base import ROWS
from trundle.laws.kernels.sections import DISK
from trundle.record.kernels import modes as kernels
from trundle.record.sampling import NO_DISKS, _caps


@pytest.mark.parametrize(
    "law",
    [
        laws.Coulomb(0.3),
        laws.Rolling(0.3, 0.02),
        laws.SlideRollSpin(0.3, 0.02, 0.01),
        laws.SlideRollSpin(0.3, 0.0, 0.0),
    ],
    ids=["coulomb", "rolling", "all", "zeros"],
)
def test_compiled_modes_are_those_of_the_law(law):
    rng = np.random.default_rng(0)
    columns = [ROWS.index(row) for row in law.rows]
    p, y = np.zeros((2000, 6)), np.zeros((2000, 6))
    free = rng.normal(0, 0.5, (2000, law.d))
    free[:, 0] = rng.normal(0.5, 1.0, 2000)
    p[:, columns] = law.project(free)  # inside, on the boundary, and zero
    y[:, columns] = rng.normal(0, 1, (2000, law.d)) * rng.choice([0.0, 1e-12, 1.0], (2000, law.d))
    reference = np.array([0.05, 0.5, 0.5])
    code = np.zeros(2000, np.uint8)
    cap = np.array([_caps(law)])
    kernels.disk_modes(np.zeros(2000, np.int64), p, y, cap, 1e-8, reference, code)
    full = np.array([[0.05, 0.05, 0.0, 0.5, 0.5, 0.0]])[:, columns]
    np.testing.assert_array_equal(code, law.mode_codes(y[:, columns], p[:, columns], 1e-8, full))
    assert len(np.unique(code)) >= 3


def test_other_laws_are_left_to_themselves():
    law = laws.Superellipse(0.3, 0.2, 4.0)
    assert any(block.kind != DISK for block in law.blocks())
    assert _caps(law) == NO_DISKS
