"""Coefficients: one per contact or one for all, their units, and what is said about bad ones."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from trundle import laws
from trundle.errors import LawError

N = 400
RNG = np.random.default_rng(0)
VALUES = {name: RNG.uniform(0.01, 1.0, N) * RNG.integers(0, 4, N).clip(0, 1) for name in "abc"}


def spread(values, i=None):
    return values if i is None else float(values[i])


BUILD = {
    "coulomb": lambda i=None: laws.Coulomb(spread(VALUES["a"], i)),
    "rolling": lambda i=None: laws.Rolling(spread(VALUES["a"], i), spread(VALUES["b"], i)),
    "one-array": lambda i=None: laws.Rolling(spread(VALUES["a"], i), 0.1),
    "slide-roll-spin": lambda i=None: laws.SlideRollSpin(*(spread(VALUES[k], i) for k in "abc")),
    "superellipse": lambda i=None: laws.Superellipse(spread(VALUES["a"], i), spread(VALUES["b"], i), 6),
    "non-associated": lambda i=None: laws.Superellipse(
        spread(VALUES["a"] + 0.1, i), spread(VALUES["b"] + 0.1, i), 3, k=0
    ),
    "rhombus": lambda i=None: laws.Superellipse(spread(VALUES["a"], i), spread(VALUES["b"], i), 1),
    "contensou": lambda i=None: laws.Contensou(spread(VALUES["a"], i), spread(VALUES["b"], i)),
    "product": lambda i=None: (
        laws.Superellipse(spread(VALUES["a"], i), 0.3, 6) * laws.Roll(spread(VALUES["b"], i)) * laws.Spin(0.1)
    ),
}


@pytest.mark.parametrize("name", BUILD)
def test_one_coefficient_per_contact_is_the_same_as_one_law_per_contact(name):
    law = BUILD[name]()
    assert law.count == N
    p = RNG.standard_normal((N, law.d))
    y = RNG.standard_normal((N, law.d))
    results = {
        "project": law.project(p),
        "section": law.project_section(p[:, 1:], np.abs(p[:, 0])),
        "support": law.support(p[:, 1:]),
        "correction": law.correction(y),
        "dissipation": law.dissipation(y, law.project(p)),
    }
    for i in range(0, N, 7):
        one = BUILD[name](i)
        assert (one.project(p[i]) == results["project"][i]).all()
        assert (one.project_section(p[i, 1:], abs(p[i, 0])) == results["section"][i]).all()
        assert one.support(p[i, 1:]) == results["support"][i]
        assert one.correction(y[i]) == results["correction"][i]
        assert one.dissipation(y[i], one.project(p[i])) == results["dissipation"][i]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: laws.Coulomb(-0.1), r"Coulomb: mu = -0.1 is not a coefficient; it is a finite number >= 0 \[-\]"),
        (lambda: laws.Rolling(0.3, np.nan), r"mu_r = nan .* \[m\]"),
        (lambda: laws.Coulomb(np.inf), "mu = inf"),
        (lambda: laws.Coulomb([0.3, -0.2, 0.1]), r"mu = -0.2 \(contact 1\)"),
        (lambda: laws.Coulomb("much"), "'much' is not a number"),
        (lambda: laws.Coulomb(np.zeros((2, 2))), r"shape \(2, 2\)"),
        (lambda: laws.Coulomb([]), "empty"),
        (lambda: laws.Rolling([0.1, 0.2], [0.1, 0.2, 0.3]), r"different lengths: \[2, 3\]"),
        (lambda: laws.Superellipse(0.3, 0.1, 0.5), "not convex"),
        (lambda: laws.Superellipse(0.3, 0.1, [2, 3]), "not one number"),
        (lambda: laws.Superellipse(0.3, 0.1, np.nan), "not one number"),
        (lambda: laws.Superellipse(0.3, 0.1, 2, np.inf), "not finite"),
        (lambda: laws.Superellipse(0.3, 0.1, np.inf, 0), "rectangle"),
        (lambda: laws.Superellipse(1e-3, 1.0, 50, 10), "overflows"),
        (lambda: laws.Coulomb(0.3) * laws.Superellipse(0.3, 0.1), "rows t1, t2 belong to two factors"),
        (lambda: laws.Coulomb(0.3) * 2.0, "not a contact law"),
        (lambda: laws.Coulomb(0.3) * laws.Bilateral(2), "not a contact law"),
        (lambda: laws.Coulomb([0.1, 0.2]) * laws.Roll([0.1, 0.2, 0.3]), r"\[2, 3\] contacts"),
        (lambda: laws.Bilateral(0), "number of rows"),
        (lambda: laws.Bilateral(1.5), "number of rows"),
    ],
)
def test_bad_coefficients_are_named_with_their_value_and_unit(build, words):
    with pytest.raises(LawError, match=words):
        build()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda law: law.project(np.ones((4, 3))),
            r"p has shape \(4, 3\); its last axis holds 5 rows \(n, t1, t2, r1, r2\)",
        ),
        (lambda law: law.project(1.0), "last axis"),
        (lambda law: law.support(np.ones(5)), r"w has shape \(5,\); its last axis holds 4 rows"),
        (lambda law: law.mode(np.ones((2, 5)), np.ones((2, 3))), "p has shape"),
    ],
)
def test_arrays_of_the_wrong_shape_are_refused(call, words):
    with pytest.raises(LawError, match=words):
        call(laws.Rolling(0.3, 0.1))


def test_wrong_number_of_contacts_is_refused():
    with pytest.raises(LawError, match="2 contacts, the coefficients are for 3"):
        laws.Coulomb([0.1, 0.2, 0.3]).project(np.ones((2, 3)))


def test_a_law_is_a_value():
    law = laws.Rolling(0.3, [0.1, 0.2])
    assert law == laws.Rolling(0.3, [0.1, 0.2])
    assert law != laws.Rolling(0.3, [0.1, 0.3])
    assert hash(law) == hash(laws.Rolling(0.3, [0.1, 0.2]))
    assert replace(law, mu=0.5).mu == 0.5
    with pytest.raises(FrozenInstanceError):
        law.mu = 0.4
    assert laws.Coulomb(0.3) * laws.Roll(0.1) == laws.Coulomb(0.3) * laws.Roll(0.1)
    assert len({laws.Coulomb(0.3), laws.Coulomb(0.3), laws.Coulomb(0.4)}) == 2


def test_a_law_does_not_change_with_the_array_it_was_made_from():
    mu = np.array([0.1, 0.2])
    law = laws.Coulomb(mu)
    mu[0] = 9.0
    assert law.mu[0] == 0.1
    with pytest.raises(ValueError, match="read-only"):
        law.mu[0] = 9.0


@pytest.mark.parametrize("law", [laws.Superellipse(0.3, 0.1, 6) * laws.Roll(0.1), laws.Contensou([0.3, 0.4], 0.1)])
def test_a_law_can_be_sent_to_another_process(law):
    p = np.random.default_rng(1).standard_normal((2, law.d))
    law.project(p)
    copied = pickle.loads(pickle.dumps(law))
    assert copied == law
    assert (copied.project(p) == law.project(p)).all()


def test_one_point_and_many_give_arrays_of_the_same_shape():
    law = laws.Rolling(0.3, 0.1)
    assert law.project(np.ones(5)).shape == (5,)
    assert law.project(np.ones((2, 3, 5))).shape == (2, 3, 5)
    assert law.project_section(np.ones((7, 4)), 1.0).shape == (7, 4)
    assert law.project_section(np.ones((7, 4)), np.arange(7.0)).shape == (7, 4)
    assert law.support(np.ones((7, 4))).shape == (7,)
    assert np.ndim(law.support(np.ones(4))) == 0
    assert law.correction(np.ones((7, 5))).shape == (7,)
    assert law.mode(np.ones((7, 5)), np.ones((7, 5))).shape == (7,)
    assert isinstance(law.mode(np.ones(5), np.ones(5)), str)
