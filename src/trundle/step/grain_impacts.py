"""Impacts of spheres with restitution among many: the stages of all bodies, on groups of contacts that are not too large."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trundle.contact.rigid import LawSheet
from trundle.detect.contacts import Contacts
from trundle.scene.model import Model
from trundle.solve.policy import POLICY
from trundle.space import addresses
from trundle.step.kernels import assemble, impacts, lanes, motion, places, solution
from trundle.step.kernels.grain_impacts import find_groups, strike_groups
from trundle.step.workspace import OF_IMPACTS, make_impact_room, make_impact_space, make_room, make_space

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
MOST = 64  # contacts in a group within which impacts follow each other; in larger ones all are at the end of the step
# arrays of bodies that the stages need: how long a row is
ROWS: dict[str, tuple[int, ...]] = {
    "middle": (3,), "start": (6,), "free": (6,), "world": (3, 3), "v": (8,), "v_before": (8,), "j_rows": (8,),
    "inverse_mass": (), "orientation": (4,),
}  # fmt: skip
OF_PATHS = (
    "free_before",
    "acceleration",
    "kick",
    "kick_time",
    "last_turn",
    "last_time",
    "marked",
)  # of `make_impact_space`


@dataclass
class Struck:
    """What impacts did: kick (B, 6), kick_time (B, 6), impulses (C, 6) in the contact frames, losses from LOST_NORMAL on.

    rows (C,), bias (C,) [m/s]: contacts with another target than their gap, and this; gap (C,) [m]; large (C,): contacts in
    groups that were left alone.
    """

    kick: Array
    kick_time: Array
    impulse: Array
    lost: Array
    rows: NDArray[np.bool_]
    bias: Array
    gap: Array
    large: NDArray[np.bool_]

    def missed(self, size: float) -> float:
        """How far impacts are from solved, relative to velocities of this size [m/s] or their own."""
        residual, own = (float(self.lost[k - places.LOST_NORMAL]) for k in (places.IMPACT_RESIDUAL, places.IMPACT_SIZE))
        return residual / max(own, size)


class GrainImpacts:
    """Finds the impacts of a step."""

    def __init__(self, model: Model, sheet: LawSheet, theta: float, relaxed: bool, margin: float, most: int) -> None:
        self.space = space = make_space(model, sheet, centred=False)
        cap = 2 * MOST + 1  # bodies of a group at most
        for name, width in ROWS.items():
            space[name] = np.zeros((cap + self._longer(name), *width))
        for name in ("can_be_pushed", "moves", "round", "prescribed"):
            space[name] = np.full(cap, name == "round")
        space.make(np.int64, kind=(cap,), taken=(cap,))
        space["mass"] = np.ones(cap)
        sweep = lanes.sweep_all_at_once if relaxed else lanes.sweep
        verbs = [lanes.apply, lanes.begin, sweep, lanes.judge, lanes.measure, lanes.write, lanes.read, sweep]
        space["verbs"] = addresses(verbs).reshape(-1, places.VERB_COUNT)
        solving = [assemble.list_joints, assemble.fill_lanes, solution.measure_velocity, solution.solve_links]
        make_room(space, 0, MOST)
        self.own = make_impact_space(space, addresses(solving))
        make_impact_room(space, self.own, 0, MOST)
        self._stages = addresses([assemble.link_contacts, impacts.bounce])
        options, numbers = space["options"], space["numbers"]
        options[places.THETA], options[places.MARGIN], options[places.RELAXED] = theta, margin, float(relaxed)
        options[places.CLOSED_GAP] = 0.0 if relaxed else motion.CLOSED * margin
        options[places.ROLLING_CLOSED] = motion.ROLLING_CLOSED * margin
        options[places.KEEPS_MOMENTUM] = 1.0
        numbers[places.LIMIT], numbers[places.MOST] = POLICY.sweeps_before_newton, most
        mine = [*ROWS, "can_be_pushed", "moves", "round", "prescribed", "kind", "taken", "mass", *OF_PATHS]
        self._lengths, self._longer_by = self._places(mine)
        self._own_lengths, self._own_longer_by = self._places([name for name in OF_IMPACTS if name in mine])

    @staticmethod
    def _longer(name: str) -> int:
        return int(name in ("v", "v_before", "j_rows"))

    def _places(self, names: list[str]) -> tuple[Ints, Ints]:
        where = np.array([places.NAMES.index(name) for name in names], np.int64)
        return where, np.array([self._longer(name) for name in names], np.int64)

    def strike(
        self, contacts: Contacts, factor: Array | None, bounces: NDArray[np.bool_], rows: Array, middle: Array, start: Array,
        free: Array, inverse_mass: Array, turn: Array, kind: Ints, h: float,
    ) -> Struck:  # fmt: skip
        """Impacts of a step of h [s].  rows (C, 6): impulses that contacts had; bounces (C,): those with a restitution."""
        n = len(contacts)
        kick, kick_time, impulse = np.zeros_like(start), np.zeros_like(start), np.zeros((n, 6))
        lost, bias, gap = np.zeros(places.RESULT_COUNT - places.LOST_NORMAL), np.zeros(n), contacts.gap.copy()
        order, first = np.empty(n, np.int64), np.empty(n + 1, np.int64)
        groups, large = find_groups(
            MOST,
            contacts.body,
            contacts.normal,
            gap,
            bounces,
            rows[:, 0] > 0.0,
            start,
            free,
            inverse_mass,
            h,
            order,
            first,
        )
        end = first[groups]
        self.space["options"][places.H] = h
        strike_groups(
            order, first, groups, contacts.body, contacts.point, contacts.normal, gap, contacts.law, contacts.radius,
            np.ones(n) if factor is None else factor, rows, middle, start, free, inverse_mass, turn, kind, self.space.at,
            self.own.at, self._lengths, self._longer_by, self._own_lengths, self._own_longer_by, self._stages, kick, kick_time,
            impulse, bias, lost,
        )  # fmt: skip
        changed, in_large = np.zeros(n, bool), np.zeros(n, bool)
        changed[order[:end]] = True
        in_large[-1 - order[end : end + large]] = True
        return Struck(kick, kick_time, impulse, lost, changed, bias, gap, in_large)
