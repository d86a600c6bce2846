"""Two capsules that lie nearly side by side: nearest points and ends."""

from __future__ import annotations

import numpy as np
import pytest
from bodies import bodies

from trundle.scene import Capsule

R, HALF = 0.1, 0.3


def axis_of(q):
    w, x, y, z = q
    return np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])


@pytest.mark.parametrize("angle", [0.06, 0.15, 0.4])
def test_every_contact_is_a_distance_of_points_on_both_axes(angle):
    detector, state = bodies(Capsule(R, 2 * HALF), Capsule(R, 2 * HALF))
    rng = np.random.default_rng(2)
    most = 0
    for _ in range(10):
        state.position[1] = 2.05 * R, *rng.uniform(-0.05, 0.05, 2)
        state.orientation[1] = np.cos(angle / 2), np.sin(angle / 2), 0, 0  # about x: seen along the normal they cross
        state.velocity[1, 0] = -1.0
        contacts = detector.detect(state, 0.2)
        u, v = axis_of(state.orientation[0]), axis_of(state.orientation[1])
        s = np.linspace(-HALF, HALF, 601)
        apart = np.linalg.norm(
            (state.position[1] + s[:, None] * v)[None] - (state.position[0] + s[:, None] * u)[:, None], axis=2
        )
        # sampling of h = 1 mm finds the least distance d to h^2 / (8 d)
        assert contacts.gap.min() == pytest.approx(apart.min() - 2 * R, abs=2e-6)
        for gap, normal, point in zip(contacts.gap, contacts.normal, contacts.point, strict=True):
            on_a, on_b = point - (R + gap / 2) * normal, point + (R + gap / 2) * normal
            for place, centre, axis in ((on_a, state.position[0], u), (on_b, state.position[1], v)):
                along = (place - centre) @ axis
                assert abs(along) <= HALF + 1e-12
                assert np.linalg.norm(place - centre - along * axis) < 1e-12
        most = max(most, len(contacts))
    assert most >= 2  # an end within reach is a contact, too


def test_capsules_that_cross_are_separated_across_both_axes():
    detector, state = bodies(Capsule(R, 2 * HALF), Capsule(R, 2 * HALF))
    state.orientation[1] = np.cos(np.pi / 4), np.sin(np.pi / 4), 0, 0
    for depth in (0.0, 1e-3, 0.19):
        state.position[1] = depth, 0.02, 0.03
        contacts = detector.detect(state, 0.0)
        assert contacts.gap.min() == pytest.approx(depth - 2 * R, abs=1e-14)
        assert abs(contacts.normal[np.argmin(contacts.gap), 0]) == pytest.approx(1.0, abs=1e-12)
