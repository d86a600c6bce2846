"""Laws of the user's own, and the check that judges laws."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from trundle import ContactProblem, laws, solve
from trundle.errors import LawError

DOCS = Path(__file__).parents[2] / "docs"

DISK = '''
import math
from trundle import laws

@laws.own(rows=("t1", "t2"))
class Disk:
    """Coulomb's law, written again."""

    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        norm = math.sqrt(f[0] * f[0] + f[1] * f[1])
        scale = 1.0 if norm <= c[0] * r_n else c[0] * r_n / norm
        out[0] = scale * f[0]
        out[1] = scale * f[1]

    def support(w, c):
        return c[0] * math.sqrt(w[0] * w[0] + w[1] * w[1])

NUMBER = 3
GIVEN = Disk(mu=0.7)
'''


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "my_disk_law.py"
    path.write_text(DISK)
    sys.path.insert(0, str(path.parent))
    import my_disk_law

    yield my_disk_law
    sys.path.remove(str(path.parent))


def test_every_command_of_the_how_to_page_runs(tmp_path, monkeypatch):
    text = (DOCS / "howto-law.md").read_text()
    code = "\n\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    assert code.count("@laws.own") == 2
    (tmp_path / "howto_page.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    import howto_page

    assert howto_page.report.passed


def test_own_disk_projects_like_coulomb(module):
    rng = np.random.default_rng(1)
    mu = rng.uniform(0, 1, 500)
    p = rng.normal(size=(500, 3))
    np.testing.assert_allclose(module.Disk(mu=mu).project(p), laws.Coulomb(mu=mu).project(p), atol=1e-14)
    np.testing.assert_allclose(module.Disk(mu=mu).support(p[:, 1:]), laws.Coulomb(mu=mu).support(p[:, 1:]), rtol=1e-15)
    assert module.Disk(mu=0.3).mode([0, 1.0, 0], [1.0, -0.3, 0]) == "sliding"


@pytest.mark.parametrize("solver", ["gauss-seidel", "nesterov", "newton", "apgd", "fixed-point", "admm", "auto"])
def test_own_disk_solves_like_coulomb(module, solver):
    rng = np.random.default_rng(2)
    A = rng.normal(size=(12, 12))
    W, q = A @ A.T + np.eye(12), rng.normal(size=12)
    own = solve(ContactProblem(module.Disk(mu=0.4), W=W, q=q), solver, tolerance=1e-10)
    built_in = solve(ContactProblem(laws.Coulomb(mu=0.4), W=W, q=q), solver, tolerance=1e-10)
    assert own.converged
    np.testing.assert_allclose(own.p, built_in.p, atol=1e-8)


def test_own_law_is_a_factor_of_products(module):
    law = module.Disk(mu=0.4) * laws.Roll(mu_r=0.02) * laws.Spin(mu_s=0.01)
    same = laws.SlideRollSpin(mu=0.4, mu_r=0.02, mu_s=0.01)
    p = np.random.default_rng(3).normal(size=(300, 6))
    np.testing.assert_allclose(law.project(p), same.project(p), atol=1e-12)


@pytest.mark.parametrize(
    "law",
    [
        laws.Coulomb(0.3), laws.Coulomb2D(0.3), laws.Rolling(0.3, 0.01), laws.SlideRollSpin(0.3, 0.01, 0.02),
        laws.Superellipse(0.3, 0.1, 6), laws.Superellipse(0.3, 0.1, 1.2), laws.Superellipse(0.3, 0.1, 1),
        laws.Superellipse(0.3, 0.1, np.inf), laws.Contensou(0.3, 0.02), laws.Superellipse(0.3, 0.1, 6) * laws.Roll(0.2),
    ],
    ids=lambda law: type(law).__name__ + str(getattr(law, "q", "")),
)  # fmt: skip
def test_every_built_in_law_is_a_law(law):
    report = laws.check(law)
    assert report, str(report)


def test_the_truncated_series_is_not_a_law():
    report = laws.check(laws.Contensou(0.3, 0.02, series=True))
    assert not report
    assert "the set is not convex" in str(report)
    assert "It is not a law" in str(report)


def broken(project, support):
    return laws.own(rows=("t1", "t2"))(
        type("Broken", (), {"__annotations__": {"mu": laws.Ratio}, "project_section": project, "support": support})
    )(mu=0.5)


def clip(f, r_n, c, out):
    for i in range(2):
        out[i] = min(max(f[i], -c[0] * r_n), c[0] * r_n)


def box_support(w, c):
    return c[0] * (abs(w[0]) + abs(w[1]))


def halving(f, r_n, c, out):
    for i in range(2):
        out[i] = 0.5 * min(max(f[i], -c[0] * r_n), c[0] * r_n)


def fixed_size(f, r_n, c, out):
    for i in range(2):
        out[i] = min(max(f[i], -c[0]), c[0])


def pushing(f, r_n, c, out):
    for i in range(2):
        out[i] = min(max(f[i], 0.1 * r_n), c[0] * r_n)


def backwards(f, r_n, c, out):
    for i in range(2):
        out[i] = -min(max(f[i], -c[0] * r_n), c[0] * r_n)


def star(f, r_n, c, out):
    # two crossed bars: not convex
    wide, narrow = (0, 1) if abs(f[0]) > abs(f[1]) else (1, 0)
    out[wide] = min(max(f[wide], -c[0] * r_n), c[0] * r_n)
    out[narrow] = min(max(f[narrow], -0.1 * c[0] * r_n), 0.1 * c[0] * r_n)


def dividing(f, r_n, c, out):
    for i in range(2):
        x = f[i] / c[0]
        out[i] = c[0] * min(max(x, -r_n), r_n)


def small_support(w, c):
    return 0.5 * c[0] * (abs(w[0]) + abs(w[1]))


@pytest.mark.parametrize(
    ("project", "support", "words"),
    [
        (halving, box_support, "its result is not in the set"),
        (fixed_size, box_support, "scale the set with r_n"),
        (pushing, box_support, "must contain 0"),
        (backwards, box_support, "must oppose the motion"),
        (star, box_support, "not convex"),
        (dividing, box_support, "do not divide by coefficients"),
        (clip, small_support, "support is too small"),
    ],
)
def test_the_check_says_in_words_what_is_wrong(project, support, words):
    report = laws.check(broken(project, support))
    assert not report
    assert words in str(report)


def test_the_square_is_a_law():
    assert laws.check(broken(clip, box_support))


def test_laws_are_found_by_module_and_by_file(module):
    assert laws.load("my_disk_law:GIVEN").mu == 0.7
    assert laws.load(f"{module.__file__}:Disk").mu == 0.4


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("my_disk_law", "module:Name"),
        ("my_disk_law:Disc", "Did you mean 'Disk'"),
        ("my_disk_law:NUMBER", "not a law"),
        ("no_such_module_here:Disk", "no module"),
        ("no_such_file.py:Disk", "no file"),
    ],
)
def test_a_law_that_is_not_found_says_what_there_is(module, where, words):
    with pytest.raises(LawError, match=words):
        laws.load(where)


def test_a_law_without_its_functions_or_with_unknown_rows_is_refused():
    with pytest.raises(LawError, match="support"):
        laws.own(rows=("t1", "t2"))(type("Half", (), {"__annotations__": {"mu": laws.Ratio}, "project_section": clip}))
    with pytest.raises(LawError, match="Known: r1, r2, s, t1, t2"):
        laws.own(rows=("t3",))
    with pytest.raises(LawError, match="product of laws"):
        laws.own(rows=("t1", "r1"))
    with pytest.raises(LawError, match="coefficients"):
        laws.own(rows=("t1", "t2"))(type("Bare", (), {"project_section": clip, "support": box_support}))
    with pytest.raises(LawError, match="arguments"):
        laws.own(rows=("t1", "t2"))(
            type("Odd", (), {"__annotations__": {"mu": laws.Ratio}, "project_section": box_support, "support": clip})
        )


def test_code_that_cannot_be_compiled_is_explained():
    def uses_a_dictionary(w, c):
        return {"a": w}["b"].something

    with pytest.raises(LawError, match="cannot be compiled"):
        broken(clip, uses_a_dictionary)


def test_a_file_that_ends_the_program_is_an_error_not_an_end(tmp_path):
    file = tmp_path / "leaves.py"
    file.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(LawError, match="ends the program"):
        laws.load(f"{file}:Groove")
