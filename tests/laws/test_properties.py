"""What every projection onto a convex cone must do, at points that hypothesis chooses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import CURVED, DISKS

from trundle import laws

CASES = [
    *DISKS,
    *CURVED,
    laws.Superellipse(0.3, 0.1, 1),
    laws.Superellipse(0.3, 0.1, 1) * laws.Spin(0.2),
    laws.Superellipse(0.2, 0.7, 3, k=0),
]
LAWS = [getattr(case, "law", case) for case in CASES]
NAMES = [str(case) for case in CASES]

sizes = st.sampled_from([1e-12, 1e-3, 1.0, 1e3, 1e12])
numbers = st.one_of(
    st.floats(-10.0, 10.0, allow_subnormal=False),
    st.sampled_from([0.0, 1.0, -1.0, 0.3, -0.3, 1e-8, -1e-15, 1e-30, 0.1, 3.0]),
)
ROUNDING = 4e-15  # some roundings, relative to the largest component in play

every_law = pytest.mark.parametrize("law", LAWS, ids=NAMES)
moderate = settings(max_examples=40, deadline=None, derandomize=True, database=None)


@st.composite
def point(draw, d=6):
    return draw(sizes) * np.array(draw(st.lists(numbers, min_size=d, max_size=d)))


def size_of(*points):
    return max(np.abs(x).max() for x in points)


@every_law
@given(x=point())
@moderate
def test_projecting_twice_changes_nothing(law, x):
    once = law.project(x[: law.d])
    assert np.abs(law.project(once) - once).max() <= ROUNDING * size_of(x)


@every_law
@given(x=point(), y=point())
@moderate
def test_distances_never_grow(law, x, y):
    x, y = x[: law.d], y[: law.d]
    grown = np.linalg.norm(law.project(x) - law.project(y)) - np.linalg.norm(x - y)
    assert grown <= ROUNDING * size_of(x, y)


@every_law
@given(x=point(), factor=st.floats(1e-6, 1e6))
@moderate
def test_the_projection_scales_with_the_load(law, x, factor):
    x = x[: law.d]
    assert np.abs(law.project(factor * x) - factor * law.project(x)).max() <= ROUNDING * factor * size_of(x)


@every_law
@given(x=point())
@moderate
def test_moreau_decomposition(law, x):
    """x = p + d with p in K, d in the polar cone, p . d = 0."""
    x = x[: law.d]
    p = law.project(x)
    d = x - p
    scale = size_of(x)
    f, r_n = p[1:], p[0]
    assert r_n >= 0.0
    assert np.abs(law.project_section(f, r_n) - f).max() <= ROUNDING * scale
    assert d[0] + law.support(d[1:]) <= ROUNDING * scale
    assert abs(p @ d) <= ROUNDING * scale**2


@every_law
@given(w=point(), v=point())
@moderate
def test_the_support_function_is_sublinear(law, w, v):
    w, v = w[: law.d - 1], v[: law.d - 1]
    assert law.support(w + v) <= law.support(w) + law.support(v) + ROUNDING * size_of(w, v)
    assert abs(law.support(3.0 * w) - 3.0 * law.support(w)) <= ROUNDING * size_of(w)
    assert law.support(w) >= 0.0


@every_law
@given(w=point(), f=point())
@moderate
def test_no_point_of_the_section_is_beyond_the_support_function(law, w, f):
    w, f = w[: law.d - 1], f[: law.d - 1]
    c = law.project_section(f, 1.0)
    assert c @ w <= law.support(w) + ROUNDING * size_of(w)
