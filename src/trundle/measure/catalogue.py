"""Measures by name: what `trundle measure` and campaigns can ask of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle.errors import MeasureError, unknown
from trundle.measure import motion, network, pile
from trundle.measure.snapshot import Snapshot

Values = dict[str, float | int | bool | str]


@dataclass(frozen=True)
class Measure:
    """A measure: what it tells, how, and whether it needs the contacts that only recordings keep."""

    what: str
    function: Callable[[Snapshot], Values]
    contacts: bool = False


def _repose(s: Snapshot) -> Values:
    return _repose_values(s, "cone")


def _half(s: Snapshot) -> Values:
    return _repose_values(s, "half")


def _repose_values(s: Snapshot, kind: str) -> Values:
    found = pile.angle_of_repose(s.position, s.radius, kind=kind, ground=s.ground)
    rest = pile.settled(s.velocity, s.radius, gravity=s.gravity or 9.81)
    return {
        "angle": found.angle, "angle_interval": found.interval, "angle_r_squared": found.r_squared,
        "angle_sectors": found.used, "settled": rest.settled,
    }  # fmt: skip


def _height(s: Snapshot) -> Values:
    height = pile.pile_height(s.position, s.radius, ground=s.ground)
    return {"height": height, "height_in_diameters": height / (2.0 * float(np.mean(s.radius)))}


def _base(s: Snapshot) -> Values:
    radius = pile.base_radius(s.position, s.radius, ground=s.ground)
    return {"base_radius": radius, "base_radius_in_diameters": radius / (2.0 * float(np.mean(s.radius)))}


def _run_out(s: Snapshot) -> Values:
    origin = np.mean(s.position[:, :2], axis=0)
    return {
        "run_out": pile.run_out(s.position, s.radius, origin=origin),
        "run_out_95": pile.run_out(s.position, s.radius, origin=origin, share=0.95),
    }


def _settled(s: Snapshot) -> Values:
    rest = pile.settled(s.velocity, s.radius, gravity=s.gravity or 9.81)
    return {"settled": rest.settled, "moving_share": rest.moving, "fastest": rest.fastest}


def _stopping(s: Snapshot) -> Values:
    """Of the only movable body, or of the one that stops last."""
    run, stops = s.run, []
    for number, radius in zip(s.grain, s.radius, strict=True):
        name = run.names[number]
        speed = np.linalg.norm(run.velocity(name), axis=1) + radius * np.linalg.norm(run.angular_velocity(name), axis=1)
        here = np.isfinite(speed)
        stops.append(motion.stopping(np.asarray(run.time)[here], run.position(name)[here], speed[here]))
    last = max(stops, key=lambda stop: (not stop.stopped, stop.time))
    return {
        "stopping_time": last.time, "stopping_distance": last.distance, "stopping_path": last.path,
        "stopped": all(stop.stopped for stop in stops),
    }  # fmt: skip


def _coordination(s: Snapshot) -> Values:
    net = s.network
    found = network.coordination(net.body, s.grain, net.normal_force)
    return {"coordination": found.mean, "coordination_mechanical": found.mechanical, "rattlers": found.rattlers}


def _forces(s: Snapshot) -> Values:
    found = network.force_distribution(s.network.normal_force)
    return {"force_mean": found.mean, "force_largest": found.largest, "force_strong": found.strong,
            "force_gini": found.gini}  # fmt: skip


def _chains(s: Snapshot) -> Values:
    net = s.network
    found = network.force_chains(s.grain, s.position, net.body, net.point, net.force)
    return {"chains": found.count, "chain_share": found.share, "chain_length": found.length}


def _fabric(s: Snapshot) -> Values:
    net = s.network
    carrying = network.loaded(net.normal_force)
    found = network.fabric(net.normal[carrying])
    vertical = float(found.tensor[2, 2])
    return {"fabric_anisotropy": found.anisotropy, "fabric_vertical": vertical}


def _modes(s: Snapshot) -> Values:
    shares = network.mode_fractions(s.network.mode)
    return {f"mode_{name}": share for name, share in shares.items()}


def _energy(s: Snapshot) -> Values:
    energy = s.run.energy
    if energy.dtype.names is None or len(energy) == 0:
        raise MeasureError("energy: the run has no steps.")
    states = ("kinetic", "potential", "elastic")
    return {
        f"energy_{name}": float(energy[name][-1] if name in states else np.sum(energy[name]))
        for name in energy.dtype.names
        if name != "time"
    }


MEASURES = {
    "angle-of-repose": Measure("slope of a conical pile [deg], ± 95 % interval, R², settled or not", _repose),
    "angle-of-half-pile": Measure("the same of a pile that leans on a wall at low x", _half),
    "height": Measure("top of the highest grain over the ground [m], and in diameters", _height),
    "base-radius": Measure("mean distance of the grains on the ground from their centroid [m]", _base),
    "run-out": Measure("reach of the farthest grain, and of 95 % of them, from the centroid [m]", _run_out),
    "settled": Measure("share of grains that still move, fastest [m/s]", _settled),
    "stopping": Measure("time [s] and distance [m] at which the last body stopped", _stopping),
    "coordination": Measure("contacts per grain, with and without rattlers", _coordination, True),
    "forces": Measure("normal forces: mean [N], largest / mean, share above the mean, Gini", _forces, True),
    "force-chains": Measure("chains of highly stressed grains: number, share of grains, mean length", _chains, True),
    "fabric": Measure("anisotropy of the contact directions", _fabric, True),
    "modes": Measure("share of the contacts that stick, slide, roll, spin ...", _modes, True),
    "energy": Measure("the ledger, summed over the run [J]", _energy),
}


def check_names(names: Iterable[str]) -> None:
    """All are known measures."""
    for name in names:
        if name not in MEASURES:
            raise MeasureError(unknown("measure", name, MEASURES))


def measure_all(run: Any, names: Iterable[str], number: int = -1) -> Values:
    """Values of several measures at a frame of a run, together."""
    wanted = list(names)
    check_names(wanted)
    snapshot = Snapshot(run, number)
    values: Values = {}
    for name in wanted:
        try:
            values.update(MEASURES[name].function(snapshot))
        except MeasureError as error:
            raise MeasureError(f"{name}, t = {snapshot.time:g} s: {error}") from None
    return values
