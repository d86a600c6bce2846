"""Laws that users write: what is refused and why, where the compiled code is kept, and how kernels call it."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import numpy as np
import pytest

from trundle import laws
from trundle.errors import LawError
from trundle.laws.kernels import sections as kernels
from trundle.laws.table import build_table

SQUARE = '''
from __future__ import annotations
from trundle import laws

@laws.own(rows=("t1", "t2"))
class Square:
    """|f_i| <= mu r_n."""

    mu: laws.Ratio
    size: laws.Length = 0.1

    def project_section(f, r_n, c, out):
        for i in range(2):
            out[i] = min(max(f[i], -c[0] * r_n), c[0] * r_n)

    def support(w, c):
        return c[0] * (abs(w[0]) + abs(w[1]))

    @property
    def double(self):
        return 2 * self.mu
'''


def clip(f, r_n, c, out):
    for i in range(f.shape[0]):
        out[i] = min(max(f[i], -c[0] * r_n), c[0] * r_n)


def box(w, c):
    total = 0.0
    for i in range(w.shape[0]):
        total += abs(w[i])
    return c[0] * total


def make(annotations, project=clip, support=box, rows=("t1", "t2"), **others):
    members = {"__annotations__": annotations, "project_section": project, "support": support, **others}
    return laws.own(rows=rows)(type("Mine", (), members))


def no_attribute(w, c):
    return w.length


def unknown_name(w, c):
    return norm_of(w)  # noqa: F821


def swapped(c, w):
    return 0.0


def returns_the_load(f, r_n, c, out):
    return f


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"annotations": {"mu": laws.Ratio, "n": int}}, "n is not annotated as a coefficient"),
        ({"annotations": {"mu": float}}, "mu is not annotated as a coefficient"),
        ({"annotations": {f"mu_{i}": laws.Ratio for i in range(7)}}, "7 coefficients; give 1 to 6"),
        ({"annotations": {"d": laws.Ratio}}, "the name 'd' belongs to every law"),
        ({"annotations": {"mu": laws.Ratio}, "mode": 3}, "the name 'mode' belongs to every law"),
        ({"annotations": {"mu": "lows.Ratio"}}, "name 'lows' is not defined"),
        ({"annotations": {"mu": laws.Ratio}, "support": swapped}, r"arguments \(c, w\); it is  def support\(w, c\)"),
        ({"annotations": {"mu": laws.Ratio}, "support": 3}, r"it needs a function  def support\(w, c\)"),
        ({"annotations": {"mu": laws.Ratio}, "support": no_attribute}, "Unknown attribute 'length'"),
        ({"annotations": {"mu": laws.Ratio}, "support": unknown_name}, "'norm_of' is not defined"),
        ({"annotations": {"mu": laws.Ratio}, "project": returns_the_load}, "returns nothing"),
        ({"annotations": {"mu": laws.Ratio}, "rows": ()}, "consecutive"),
        ({"annotations": {"mu": laws.Ratio}, "rows": ("t2", "t1")}, "consecutive"),
        ({"annotations": {"mu": laws.Ratio}, "rows": ("x",)}, "unknown row 'x'. Known: r1, r2, s, t1, t2"),
    ],
)
def test_what_is_no_law_is_refused_with_a_reason(arguments, words):
    with pytest.raises(LawError, match=words):
        make(**arguments)


@pytest.mark.parametrize("rows", [("t1",), ("s",), ("r1", "r2"), ("t1", "t2", "s"), ("t1", "t2", "s", "r1", "r2")])
def test_a_law_may_act_on_any_neighbouring_rows(rows):
    law = make({"mu": laws.Ratio}, rows=rows)(mu=0.3)
    assert law.rows == ("n", *rows)
    assert laws.check(law), str(laws.check(law))


def test_annotations_may_be_text_and_coefficients_have_defaults(tmp_path):
    namespace = {"__name__": "not_a_module"}
    exec(compile(SQUARE, "<typed in>", "exec"), namespace)
    law = namespace["Square"](mu=0.5)
    assert law.size == 0.1
    assert law.double == 1.0
    assert law.blocks()[0].lengths == (False, True)
    assert law.project([1.0, 2.0, 0.1]).tolist() == pytest.approx([1.6, 0.8, 0.1])
    with pytest.raises(LawError, match=r"mu = -1 is not a coefficient"):
        namespace["Square"](mu=-1.0)


def test_compiled_code_is_kept_on_disk_beside_the_file(tmp_path):
    (tmp_path / "square_law.py").write_text(SQUARE)
    program = """
        import time
        import trundle.laws.custom as custom
        from numba.core import event
        compiled = []
        class Listener(event.Listener):
            def on_start(self, e): compiled.append(1)
            def on_end(self, e): pass
        event.register("numba:compile", Listener())
        import square_law
        print(square_law.Square._functions[0]._cache_hits)
    """
    hits = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, capture_output=True, text=True, check=True,
            env=_environment(),
        )  # fmt: skip
        hits.append(int(run.stdout))
    assert hits == [0, 1]


def _environment():
    import os

    import trundle

    source = os.path.dirname(os.path.dirname(trundle.__file__))
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    return environment | {"PYTHONPATH": os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])}


def writes_before_it_has_read(f, r_n, c, out):
    out[0] = 0.0
    out[1] = 0.0
    clip_size = c[0] * r_n
    for i in range(2):
        out[i] = min(max(f[i], -clip_size), clip_size)


def test_a_law_may_write_its_result_before_it_has_read_the_load():
    """Solvers project in place: the law must still see the load it was given."""
    law = make({"mu": laws.Ratio}, project=writes_before_it_has_read)(mu=0.5)
    contact, block, coef, own = law.table[:4]
    x = np.array([1.0, 0.4, -3.0])
    kernels.section_many(contact, block, coef, own, x[1:], np.ones(1), x[1:], 2, 0, 1)
    assert x.tolist() == [1.0, 0.4, -0.5]


def test_a_problem_may_hold_many_laws_of_ones_own():
    many = [make({"mu": laws.Ratio})(mu=0.1 * (i + 1)) for i in range(7)]
    table = build_table(many, [2] * 7)
    p = np.random.default_rng(0).standard_normal((14, 3))
    out = np.empty_like(p)
    kernels.project_many(*table[:4], p.reshape(-1), out.reshape(-1), 3, 0, 14)
    expected = np.vstack([law.project(p[2 * i : 2 * i + 2]) for i, law in enumerate(many)])
    assert (out == expected).all()


def test_own_law_with_one_coefficient_per_contact_beside_built_in_factors():
    square = make({"mu": laws.Ratio})
    mu = np.array([0.1, 0.5, 0.0])
    law = square(mu=mu) * laws.Roll(0.2)
    p = np.random.default_rng(1).standard_normal((3, 5))
    same = laws.Superellipse(mu, mu, np.inf) * laws.Roll(0.2)
    np.testing.assert_allclose(law.project(p), same.project(p), atol=1e-15)


def test_own_projection_onto_the_cone_is_as_exact_as_the_section():
    """Without derivatives the normal part is found by secants; a square against the built-in rectangle."""
    square = make({"mu": laws.Ratio})(mu=0.7)
    p = np.random.default_rng(2).standard_normal((20_000, 3)) * 10.0 ** np.random.default_rng(3).uniform(
        -9, 9, (20_000, 1)
    )
    difference = np.abs(square.project(p) - laws.Superellipse(0.7, 0.7, np.inf).project(p)).max(axis=1)
    assert (difference / np.abs(p).max(axis=1)).max() <= 2e-15
