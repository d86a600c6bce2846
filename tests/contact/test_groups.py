"""Groups of eight contacts that are visited at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trundle.contact.kernels import grain_threads
from trundle.contact.kernels import order as order_kernels
from trundle.kernels.lanes import LANES


@st.composite
def graphs(draw):
    """Contacts between bodies, some of them fixed, in two slabs that come one after the other."""
    bodies = draw(st.integers(2, 30))
    count = draw(st.integers(0, 120))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    inverse_mass = (rng.random(bodies) < 0.8).astype(float)
    inverse_mass[0] = 1.0
    body = np.stack([rng.integers(0, bodies, count), rng.integers(0, bodies, count)], axis=1)
    body[body[:, 0] == body[:, 1], 1] += 1
    body %= bodies
    slab = np.sort(rng.integers(0, 2, count))
    return body, inverse_mass, slab, rng.permutation(count), rng.random(count) < 0.3


def grouped(group, body, inverse_mass, slab, number, idle):
    """Places of the contacts, first groups of the slabs and the contacts at the places; `number` (C,): order of the sweeps."""
    count = len(body)
    order = np.lexsort((number, slab))
    start = np.searchsorted(slab[order], [0, 1, 2])
    place, groups = np.empty(count, np.int64), np.empty(2, np.int64)
    latest, filled = np.empty(len(inverse_mass), np.int64), np.empty(count, np.int8)
    group(start, order, body, inverse_mass, idle, latest, filled, place, groups)
    contacts = np.empty(LANES * int(groups.sum()), np.int64)
    order_kernels.number_places(groups, slab, start, place, contacts)
    return order, start, place, contacts


@settings(deadline=None)  # the first example compiles
@given(graphs())
def test_every_contact_has_a_place_and_groups_share_no_body_that_moves(graph):
    body, inverse_mass, slab, _, idle = graph
    _, start, place, contacts = grouped(order_kernels.group_all, *graph)
    assert len(set(place.tolist())) == len(body)
    assert np.array_equal(contacts[place], np.arange(len(body)))
    assert np.count_nonzero(contacts >= 0) == len(body)
    for t in range(2):
        assert np.all((place[slab == t] // LANES >= start[t]) & (place[slab == t] // LANES < start[t + 1]))
    for group in contacts.reshape(-1, LANES):
        bodies = body[group[group >= 0]].ravel()
        moving = bodies[inverse_mass[bodies] > 0.0]
        assert len(set(moving.tolist())) == len(moving)
        assert len(bodies)  # no group is empty
    for t in range(2):
        groups = place[slab == t] // LANES
        assert np.all(groups[idle[slab == t]] > groups[~idle[slab == t]].max(initial=-1))


@settings(deadline=None)  # the first example compiles
@given(graphs())
def test_contacts_that_share_a_body_are_visited_in_their_order(graph):
    body, inverse_mass, _, _, idle = graph
    order, _, place, _ = grouped(order_kernels.group_all, *graph)
    for b in np.flatnonzero(inverse_mass):
        for kind in (False, True):
            mine = [c for c in order if b in body[c] and idle[c] == kind]
            assert np.all(np.diff(place[mine] // LANES) > 0)


def test_contacts_without_common_bodies_fill_the_groups():
    count = 50
    body = np.stack([np.arange(count), np.full(count, count)], axis=1)  # fifty spheres on the ground
    inverse_mass = np.append(np.ones(count), 0.0)
    graph = body, inverse_mass, np.zeros(count, np.int64), np.arange(count), np.zeros(count, bool)
    *_, contacts = grouped(order_kernels.group_all, *graph)
    assert len(contacts) == LANES * -(-count // LANES)


@pytest.mark.parametrize("seed", range(3))
def test_several_threads_find_the_same_groups(seed):
    rng = np.random.default_rng(seed)
    body = np.concatenate([rng.integers(0, 20, (300, 2)), rng.integers(20, 40, (300, 2))])
    body = body[body[:, 0] != body[:, 1]]
    graph = (
        body,
        np.ones(40),
        (body[:, 0] >= 20).astype(np.int64),
        rng.permutation(len(body)),
        rng.random(len(body)) < 0.3,
    )
    one, other = (grouped(group, *graph) for group in (order_kernels.group_all, grain_threads.group_all))
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)


def test_contacts_are_idle_if_they_carried_nothing_and_open():
    key = np.array([3, 5, 8, 9, 12])
    old_key, old = np.array([1, 5, 8, 12]), np.zeros((4, 8))
    old[2, 0] = 1.0  # of the contact with key 8
    body, normal = np.tile([0, 1], (5, 1)), np.tile([0.0, 0.0, 1.0], (5, 1))
    v = np.array([[0.0, 0.0, 0.0], [9.0, 0.0, -1.0]])  # closes by 0.1 in the step
    gap = np.array([0.2, 0.2, 0.2, 0.05, 0.0])
    for on in (order_kernels, grain_threads):
        idle = np.zeros(5, bool)
        on.find_all_idle(np.array([0, 1, 2]), key, old_key, old, body, normal, gap, v, 0.1, idle)
        assert idle.tolist() == [True, True, False, False, False]
