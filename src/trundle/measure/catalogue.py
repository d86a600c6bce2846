"""Measures by name: what `trundle measure` and campaigns can ask of a run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import MeasureError, known, unknown
from trundle.measure import motion, network, pile
from trundle.measure.snapshot import Snapshot

Values = dict[str, float | int | bool | str]
Options = dict[str, dict[str, Any]]
Vector = Sequence[float] | None


@dataclass(frozen=True)
class Measure:
    """A measure: what it tells, how, and whether it needs the contacts that only recordings keep.

    The keywords of the function are the measure's options; a list stands for an array, and defaults say the rest.
    """

    what: str
    function: Callable[..., Values]
    contacts: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """Options by name, with their defaults."""
        parameters = inspect.signature(self.function).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def _repose(
    s: Snapshot, *, sectors: int = pile.SECTORS, centre: Vector = None, ground: float | None = None,
    toe: float = pile.TOE, apex: float = pile.APEX,
) -> Values:  # fmt: skip
    found = pile.angle_of_repose(
        s.position,
        s.radius,
        sectors=sectors,
        centre=centre,
        ground=_ground(s, ground),
        toe=toe,
        apex=apex,
        extent=s.extent,
    )
    return _repose_values(s, found)


def _half(
    s: Snapshot, *, sectors: int = pile.SECTORS, centre: Vector = None, direction: Vector = (1.0, 0.0),
    ground: float | None = None, toe: float = pile.TOE, apex: float = pile.APEX,
) -> Values:  # fmt: skip
    found = pile.angle_of_repose(
        s.position, s.radius, kind="half", sectors=sectors, centre=centre, direction=direction or (1.0, 0.0),
        ground=_ground(s, ground), toe=toe, apex=apex, extent=s.extent,
    )  # fmt: skip
    return _repose_values(s, found)


def _ground(s: Snapshot, height: float | None) -> float:
    return s.ground if height is None else float(height)


def _repose_values(s: Snapshot, found: pile.Repose) -> Values:
    rest = pile.settled(s.velocity, s.radius, gravity=s.gravity or 9.81)
    return {
        "angle": found.angle, "angle_interval": found.interval, "angle_r_squared": found.r_squared,
        "angle_sectors": found.used, "settled": rest.settled,
    }  # fmt: skip


def _height(s: Snapshot, *, ground: float | None = None) -> Values:
    height = pile.pile_height(s.position, s.radius, ground=_ground(s, ground), extent=s.extent)
    return {"height": height, "height_in_diameters": height / (2.0 * float(np.mean(s.radius)))}


def _base(s: Snapshot, *, ground: float | None = None, tolerance: float = 0.01) -> Values:
    radius = pile.base_radius(s.position, s.radius, ground=_ground(s, ground), tolerance=tolerance, extent=s.extent)
    return {"base_radius": radius, "base_radius_in_diameters": radius / (2.0 * float(np.mean(s.radius)))}


def _run_out(s: Snapshot, *, origin: Vector = None) -> Values:
    origin = np.mean(s.position[:, :2], axis=0) if origin is None else origin
    return {
        "run_out": pile.run_out(s.position, s.radius, origin=origin),
        "run_out_95": pile.run_out(s.position, s.radius, origin=origin, share=0.95),
    }


def _settled(s: Snapshot) -> Values:
    rest = pile.settled(s.velocity, s.radius, gravity=s.gravity or 9.81)
    return {"settled": rest.settled, "moving_share": rest.moving, "fastest": rest.fastest}


def _stopping(s: Snapshot, *, threshold: float = 1e-6) -> Values:
    """Of the only movable body, or of the one that stops last, up to the snapshot's frame."""
    last = motion.last_stop(s.run, s.grain, s.radius, s.number, threshold=threshold)
    return {
        "stopping_time": last.time, "stopping_distance": last.distance, "stopping_path": last.path,
        "stopped": last.stopped,
    }  # fmt: skip


def _coordination(s: Snapshot) -> Values:
    net = s.network
    found = network.coordination(net.body, s.grain, net.normal_force)
    return {"coordination": found.mean, "coordination_mechanical": found.mechanical, "rattlers": found.rattlers}


def _forces(s: Snapshot) -> Values:
    found = network.force_distribution(s.network.normal_force)
    return {"force_mean": found.mean, "force_largest": found.largest, "force_strong": found.strong,
            "force_gini": found.gini}  # fmt: skip


def _chains(s: Snapshot, *, angle: float = network.ALIGNED) -> Values:
    net = s.network
    found = network.force_chains(s.grain, s.position, net.body, net.point, net.force, angle=angle)
    return {"chains": found.count, "chain_share": found.share, "chain_length": found.length}


def _fabric(s: Snapshot) -> Values:
    found = network.fabric(s.network.normal[s.between_grains])
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
    "fabric": Measure("anisotropy of the directions of the contacts between grains", _fabric, True),
    "modes": Measure("share of the contacts that stick, slide, roll, spin ...", _modes, True),
    "energy": Measure("the ledger, summed over the run [J]", _energy),
}

# of the values; the others are counts, shares and ratios
UNITS = {
    "angle": "deg", "height": "m", "base_radius": "m", "run_out": "m", "run_out_95": "m", "fastest": "m/s",
    "stopping_time": "s", "stopping_distance": "m", "stopping_path": "m", "force_mean": "N",
}  # fmt: skip


def unit_of(key: str) -> str:
    """Unit of a value, "" if it has none."""
    return "J" if key.startswith("energy_") else UNITS.get(key.removesuffix("_interval"), "")


def check_names(names: Iterable[str]) -> None:
    """All are known measures."""
    for name in names:
        if not known(name, MEASURES):
            raise MeasureError(unknown("measure", name, MEASURES))


def check_options(options: Options, names: Iterable[str]) -> None:
    """All options belong to one of the named measures, and have values of the right kind."""
    wanted = list(names)
    for name, given in options.items():
        if name not in wanted:
            raise MeasureError(f"options of {name!r}: " + unknown("measure", name, wanted))
        own = MEASURES[name].options
        for option, value in checked.instance(MeasureError, f"options of {name!r}", given, dict, "a table").items():
            if not own:
                raise MeasureError(f"{name} has no options, and {option} = {value!r} is given.")
            if option not in own:
                raise MeasureError(f"{name}: " + unknown("option", option, own))
            pair = option in ("centre", "direction", "origin")
            good = isinstance(value, list | tuple) and len(value) == 2 if pair else _number(value)
            if not good or (pair and not all(map(_number, value))):
                raise MeasureError(
                    f"{name}: {option} = {value!r} must be {'two numbers, [x, y]' if pair else 'a number'}."
                )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(value))


def measure_all(run: Any, names: Iterable[str], number: int = -1, *, options: Options | None = None) -> Values:
    """Values of several measures at a frame of a run, together.

    options : of the measures, by name: {"angle-of-repose": {"sectors": 24}}; `MEASURES[name].options` lists them
    """
    if isinstance(names, str) or getattr(names, "ndim", 1) != 1 or not isinstance(names, Iterable):
        raise MeasureError(f"names = {checked.shown(names)} must be a list of names of measures.")
    wanted = list(names)
    check_names(wanted)
    asked = {} if options is None else checked.instance(MeasureError, "options", options, dict, "a table, by measure")
    check_options(asked, wanted)
    snapshot = Snapshot(run, number)
    values: Values = {}
    for name in wanted:
        try:
            values.update(MEASURES[name].function(snapshot, **asked.get(name, {})))
        except MeasureError as error:
            raise MeasureError(f"{name}, t = {snapshot.time:g} s: {error}") from None
    return values
