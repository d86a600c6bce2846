"""Checks of a scene as a whole, before its first step: everything that is wrong with it, in words."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trundle.errors import SceneError, TrundleWarning
from trundle.kinds import BOX, HALF_SPACE, HEIGHT_FIELD, MESH, POLYHEDRON
from trundle.laws.base import Law, units_of
from trundle.laws.builtin import Product
from trundle.laws.coefficients import Coefficient, HertzPatch
from trundle.scene.emitters import Emitter
from trundle.scene.model import Model, State
from trundle.scene.motions import Motion, Oscillation
from trundle.scene.pouring import Detect, Pouring
from trundle.scene.scene import Scene
from trundle.scene.shapes import Mesh, Sphere
from trundle.scene.surfaces import normals, rotation

FLAT = (BOX, POLYHEDRON, HALF_SPACE, MESH, HEIGHT_FIELD)  # shapes without a radius of curvature
OVERLAP = 1e-2  # penetration at the start, relative to the smaller body, that is an error
FALL = 1.0  # g h^2, and ...
FLIGHT = 10.0  # ... speed times h, relative to the radius of a body, above which a time step is an error
NEAR_FLIGHT = 1.0  # and a warning
PERIOD = 10.0  # time steps of an oscillation, at least
TURN = 1.0  # angle [rad] per step above which a body that is no ball gets a warning
HEAVY = 1e5  # gravity [m/s^2] that is an error, and ...
UNUSUAL = 1e3  # ... a warning
FARTHEST, FASTEST = 1e9, 1e9  # [m], [m/s] or [rad/s]: beyond, squares of products overflow sooner or later
LIGHTEST, HEAVIEST = 1e-30, 1e30  # [kg]
THINNEST = 1e-15  # a moment of inertia relative to mass x radius^2
ROUGHEST = 1e6  # a coefficient of friction [-]
MOST_STEPS = 10**9
SHORTEST = 1e-15  # time step [s]


def check_start(
    scene: Scene, model: Model, state: State, time_step: float, detect: Detect, behind: Callable[[Model, State], Any]
) -> None:
    """Raise SceneError with all that is wrong with a scene at the start; warn of what is only unusual.

    detect : finds the contacts of a state that can close within a time [s]; that of a `Detector`
    behind : finds the bodies behind surfaces; `trundle.detect.behind.bodies_behind`
    """
    beyond: list[Any] = []
    found = list(problems(scene, model, state, time_step))
    if not found:  # contacts can be looked for
        contacts, beyond = detect(state, 0.0), behind(model, state)
        found = [
            *overlaps(model, contacts), *wrong_sides(model, contacts, beyond), *blocked_emitters(scene, model, state, detect)
        ]  # fmt: skip
    if scene.source is not None:
        found = [scene.source.located(message) for message in found]
    if len(found) == 1:
        raise SceneError(found[0])
    if found:
        name = "the scene" if scene.source is None else scene.source.name
        raise SceneError(f"{name} has {len(found)} errors:\n" + "\n".join(f"- {message}" for message in found))
    for remark in (*remarks(model, state, time_step), *other_sides(model, beyond), *upside_down(scene, model, beyond)):
        warnings.warn(remark, TrundleWarning, stacklevel=3)


def problems(scene: Scene, model: Model, state: State, time_step: float) -> Iterator[str]:
    """What is wrong with a scene without looking at its contacts."""
    spoiled = [*_not_finite(model, state), *_out_of_range(model, state)]
    yield from spoiled
    yield from _missing_laws(model)
    yield from _flat_patches(model)
    yield from _long_coefficients(model)
    yield from _held_by_emitters(scene)
    if not spoiled:  # sizes and speeds can be compared
        huge = [*_huge_steps(model, state, time_step)]
        yield from huge
        yield from _huge_loads(model, state, time_step)
        if not huge:
            yield from _fast_oscillations(model, time_step)


def remarks(model: Model, state: State, time_step: float) -> Iterator[str]:
    """What is unusual, but may be meant."""
    size = math.hypot(*model.gravity)
    if UNUSUAL < size <= HEAVY:
        yield f"gravity = {model.gravity.tolist()} m/s^2 is {size / 9.81:.2g} times that of the Earth."
    free = np.isfinite(model.mass)
    if not np.any(free):
        yield "no body can move: all are fixed or move as prescribed."
        return
    yield from _large_ratios(model)
    way = np.linalg.norm(state.velocity, axis=1) * time_step / np.where(free, model.radius, np.inf)
    if np.any(way > NEAR_FLIGHT):
        i = int(np.argmax(way))
        yield (
            f"body '{model.names[i]}' moves {way[i]:.2g} times its radius within a time step of {time_step:g} s, and may jump "
            f"over thin bodies. A time step of {time_step * NEAR_FLIGHT / way[i]:.1g} s would be safe."
        )
    smallest = int(np.argmin(np.where(free, model.radius, np.inf)))
    for b, motion in model.motions:
        speed = motion.fastest() if isinstance(motion, Motion) else math.hypot(*motion(state.time)[:3])
        way = speed * time_step / model.radius[smallest]
        if way > FLIGHT:
            yield (
                f"body '{model.names[b]}' moves as prescribed by {way:.2g} times the radius of '{model.names[smallest]}' within "
                f"a time step of {time_step:g} s, and may pass through it. A time step of {time_step / way:.1g} s would be safe."
            )
    round_ones = np.array([isinstance(shape, Sphere) for shape in model.shapes])
    turn = np.where(free & ~round_ones, np.linalg.norm(state.angular_velocity, axis=1) * time_step, 0.0)
    if np.any(turn > TURN):
        i = int(np.argmax(turn))
        yield (
            f"body '{model.names[i]}' turns by {turn[i]:.2g} rad within a time step of {time_step:g} s. A time step of "
            f"{time_step * 0.1 / turn[i]:.1g} s would follow it."
        )


def advised_time_step(model: Model, state: State) -> float:
    """A time step [s] in which no body falls by more than 1 % of its radius from rest, nor flies by more than half of it."""
    free = np.flatnonzero(np.isfinite(model.mass))
    if len(free) == 0:
        return math.inf
    radius, speed = model.radius[free], np.linalg.norm(state.velocity[free], axis=1)
    with np.errstate(divide="ignore"):
        fall = 0.1 * math.sqrt(float(radius.min()) / size) if (size := math.hypot(*model.gravity)) > 0.0 else math.inf
        return min(fall, float(np.min(0.5 * radius / speed)))


def step_count(duration: float, time_step: float) -> int:
    """Number of time steps [s] in a duration [s], or an error if there is no end to them."""
    if time_step < SHORTEST:
        raise SceneError(
            f"simulate: time_step = {time_step:g} s is shorter than {SHORTEST:g} s. It is in seconds, e.g. 1e-3."
        )
    count = duration / time_step
    if count > MOST_STEPS:
        raise SceneError(
            f"simulate: duration = {duration:g} s with time_step = {time_step:g} s takes {count:.2g} steps, more than "
            f"{MOST_STEPS:.0e}. Both are in seconds."
        )
    return max(1, round(count))


def _not_finite(model: Model, state: State) -> Iterator[str]:
    """Values that were changed after they had been checked."""
    for name, unit in (
        ("position", "m"), ("orientation", "-"), ("velocity", "m/s"), ("angular_velocity", "rad/s"),
    ):  # fmt: skip
        wrong = ~np.all(np.isfinite(getattr(state, name)), axis=1)
        if np.any(wrong):
            i = int(np.argmax(wrong))
            yield f"body '{model.names[i]}': {name} = {getattr(state, name)[i].tolist()} must be finite numbers [{unit}]."
    wrong = np.isnan(model.mass) | (model.mass <= 0.0) | np.any(np.isnan(model.inertia), axis=(1, 2))
    if np.any(wrong):
        i = int(np.argmax(wrong))
        yield f"body '{model.names[i]}': mass = {model.mass[i]:g} kg must be positive and its inertia finite."
    lengths = np.abs(np.linalg.norm(np.nan_to_num(state.orientation, nan=1.0), axis=1) - 1.0)
    if np.any(lengths > 1e-6):
        i = int(np.argmax(lengths))
        yield (
            f"body '{model.names[i]}': orientation = {state.orientation[i].tolist()} must be a quaternion (w, x, y, z) of "
            "length 1."
        )


def _out_of_range(model: Model, state: State) -> Iterator[str]:
    """Numbers that no computation in double precision survives."""
    size = math.hypot(*model.gravity)
    if size > HEAVY:
        yield (
            f"gravity = {model.gravity.tolist()} m/s^2 is {size / 9.81:.2g} times that of the Earth. It is in m/s^2, e.g. "
            "(0, 0, -9.81)."
        )
    for name, most, unit in (
        ("position", FARTHEST, "m"), ("velocity", FASTEST, "m/s"), ("angular_velocity", FASTEST, "rad/s"),
    ):  # fmt: skip
        largest = np.abs(getattr(state, name)).max(axis=1)
        if np.any(largest > most):
            i = int(np.argmax(largest))
            yield f"body '{model.names[i]}': {name} = {getattr(state, name)[i].tolist()} {unit} is beyond {most:g} {unit}."
    free = np.isfinite(model.mass)
    light = free & ~((model.mass >= LIGHTEST) & (model.mass <= HEAVIEST))
    if np.any(light):
        i = int(np.argmax(light))
        yield (
            f"body '{model.names[i]}': mass = {model.mass[i]:g} kg is out of range; masses are between {LIGHTEST:g} and "
            f"{HEAVIEST:g} kg. Change mass, density or size."
        )
        return
    movable = np.flatnonzero(free)
    moments = np.linalg.eigvalsh(model.inertia[movable])
    # radius of gyration^2 against the size of the body
    share = moments / (model.mass[movable] * np.minimum(model.radius[movable], 1e9) ** 2)[:, None]
    odd = (share[:, 0] < THINNEST) | (share[:, 2] > 1.0 / THINNEST)
    if np.any(odd):
        k = int(np.argmax(odd))
        yield (
            f"body '{model.names[movable[k]]}': inertia = {moments[k].tolist()} kg m^2 does not fit its mass of "
            f"{model.mass[movable[k]]:g} kg and its radius of {model.radius[movable[k]]:g} m. Leave it out for that of the shape."
        )
    for i, law in enumerate(model.laws):
        for name, value in _coefficients(law, "-"):
            if value > ROUGHEST:
                yield f"{pair_words(model, i)}: {name} = {value:g} is no coefficient of friction; it is at most {ROUGHEST:g} [-]."


def pair_words(model: Model, i: int) -> str:
    """Name of the i-th pair of surfaces."""
    one, other = np.argwhere(model.pair == i)[0]
    return f"surfaces '{model.surface_names[one]}' and '{model.surface_names[other]}'"


def _missing_laws(model: Model) -> Iterator[str]:
    """Pairs of surfaces of bodies that can meet: at least one of them can be pushed, and they collide."""
    touchable = np.array([shape.kind >= 0 for shape in model.shapes])
    free = np.isfinite(model.mass)
    names = model.surface_names
    known = model.meetings
    # bodies of one surface and one group have the same partners
    wears, groups = _surfaces_of(model), np.eye(len(known.meets), dtype=np.int64)[known.group]
    every, held = wears[touchable].T @ groups[touchable], wears[touchable & ~free].T @ groups[touchable & ~free]
    meets = known.meets.astype(np.int64)
    meetings = every @ meets @ every.T - held @ meets @ held.T
    alone = (every - held) @ np.diag(meets)  # pairs of a body with itself
    np.fill_diagonal(meetings, (np.diag(meetings) - alone) // 2)
    for a, b in known.apart:
        both = touchable[a] and touchable[b] and (free[a] or free[b])
        if both and known.meets[known.group[a], known.group[b]]:
            one, other = model.surface[a], model.surface[b]
            meetings[one, other] -= 1
            if one != other:
                meetings[other, one] -= 1
    for one, other in np.argwhere(np.triu((meetings > 0) & (model.pair < 0))):
        a, b = meeting(model, touchable, one, other) or (0, 0)
        first, second = model.names[a], model.names[b]
        laws = f"surface('{names[one]}', '{names[other]}', law=...)"
        yield (
            f"bodies '{first}' and '{second}' can meet, but there is no law for their surfaces '{names[one]}' and "
            f"'{names[other]}'. Add scene.{laws}, or in a scene file [[surfaces]] with "
            f'between = ["{names[one]}", "{names[other]}"].'
        )


def _surfaces_of(model: Model) -> Any:
    """Which surfaces bodies have (B, S): one, or those of the zones of a ground."""
    wears = np.zeros((len(model.names), len(model.surface_names)), np.int64)
    wears[np.arange(len(model.names)), model.surface] = 1
    for i, zone in model.zones.items():
        wears[i] = np.bincount(zone, minlength=wears.shape[1]) > 0
    return wears


def meeting(model: Model, which: Any, one: int, other: int) -> tuple[int, int] | None:
    """Two of these bodies, with these surfaces, that can meet: one of them can be pushed, and no joint keeps them together."""
    wears = _surfaces_of(model)
    for first in np.flatnonzero(which & np.isfinite(model.mass) & np.isin(model.surface, (one, other))):
        theirs = other if model.surface[first] == one else one
        partners = np.flatnonzero(which & (wears[:, theirs] > 0) & (np.arange(len(which)) != first))
        met = partners[~model.meetings.never(np.stack([np.full(len(partners), first), partners], axis=1))]
        if len(met):
            return int(first), int(met[0])
    return None


def _flat_patches(model: Model) -> Iterator[str]:
    """Bodies that can only touch with flat surfaces, under a law whose patch follows from the radius of curvature."""
    patches = np.array([_has_hertz_patch(law) for law in model.laws], bool)
    for place, pair in _flat_pairs(model, patches):
        yield (
            f"{place}: the patch of their law depends on the radius of curvature, but bodies {pair} have flat surfaces, without "
            "one. Give patch_radius [m], or give these bodies a surface of their own."
        )


def flat_ratios(model: Model) -> Iterator[str]:
    """Bodies that can only touch with flat surfaces, under springs whose lengths are ratios to the curvature at the contact."""
    for place, pair in _flat_pairs(model, model.ratio):
        yield (
            f"{place}: in formulation 'history' the lengths of their law are ratios to the radius of curvature, but bodies "
            f"{pair} have flat surfaces, without one. Give lengths [m] and leave out ratio."
        )


def _flat_pairs(model: Model, laws: Any) -> Iterator[tuple[str, str]]:
    """Pairs of surfaces with one of these laws (L,) and two bodies with flat surfaces that have them, in words."""
    flat = np.isin(model.kind, FLAT)
    for i in np.flatnonzero(laws):
        one, other = np.argwhere(model.pair == i)[0]
        met = meeting(model, flat, int(one), int(other))
        if met is not None:
            a, b = (f"'{model.names[k]}' ({type(model.shapes[k]).__name__})" for k in met)
            yield pair_words(model, int(i)), f"{a} and {b}"


def _has_hertz_patch(law: Law) -> bool:
    return any(isinstance(value, HertzPatch) for block in law.blocks() for value in block.coef)


def _coefficients(law: Law, unit: str) -> Iterator[tuple[str, float]]:
    """Coefficients of a law that have a unit."""
    for factor in law.factors if isinstance(law, Product) else (law,):
        for name, given in units_of(type(factor)).items():
            if given == unit:
                value = getattr(factor, name)
                yield name, value.largest if isinstance(value, Coefficient) else float(value)


def _long_coefficients(model: Model) -> Iterator[str]:
    """A rolling coefficient larger than a body it is for is a ratio given for a length."""
    free = np.isfinite(model.mass)
    for i, law in enumerate(model.laws):
        place = pair_words(model, i)
        bodies = np.flatnonzero(free & np.isin(model.surface, np.argwhere(model.pair == i)[0]))
        for name, value in _coefficients(law, "m"):
            if name == "mu_r" and model.contour[i]:
                if value > 1.0:
                    yield f"{place}: {name} = {value:g} times the radius is longer than a body; a ratio is at most 1."
                continue
            if len(bodies) == 0 or model.ratio[i]:
                continue
            smallest = int(bodies[np.argmin(model.radius[bodies])])
            radius = float(model.radius[smallest])
            if value > radius:
                yield (
                    f"{place}: {name} = {value:g} m is larger than the radius of '{model.names[smallest]}' ({radius:g} m).\n"
                    f"  {name} is a length [m], not a ratio. Did you mean {value:g} x radius = {value * radius:g}?"
                )


def _large_ratios(model: Model) -> Iterator[str]:
    """Ratios of which it is certain that they are ratios, and that keep bodies from rolling or spinning."""
    for i in np.flatnonzero(model.ratio & ~model.contour):
        for name, value in _coefficients(model.laws[i], "m"):
            if value > 1.0:
                yield f"{pair_words(model, int(i))}: {name} = {value:g} times the radius: such bodies hardly roll or spin."


def _huge_steps(model: Model, state: State, time_step: float) -> Iterator[str]:
    """A body that falls or flies far beyond its own size within a step."""
    free = np.flatnonzero(np.isfinite(model.mass))
    if len(free) == 0:
        return
    radius = model.radius[free]
    better = f"Use a smaller one, e.g. {advised_time_step(model, state):.1g} s."
    fall = math.hypot(*model.gravity) * time_step * time_step / radius
    if np.any(fall > FALL):
        i = int(np.argmax(fall))
        yield (
            f"time_step = {time_step:g} s is huge: body '{model.names[free[i]]}' would fall by {fall[i] * radius[i]:.2g} m from "
            f"step to step, more than its radius ({radius[i]:g} m). {better}"
        )
        return
    flight = np.linalg.norm(state.velocity[free], axis=1) * time_step / radius
    if np.any(flight > FLIGHT):
        i = int(np.argmax(flight))
        yield (
            f"time_step = {time_step:g} s is huge: body '{model.names[free[i]]}' would move by {flight[i] * radius[i]:.2g} m "
            f"within it, {flight[i]:.2g} times its radius ({radius[i]:g} m). {better}"
        )


def _huge_loads(model: Model, state: State, time_step: float) -> Iterator[str]:
    """A load that throws its body far beyond its own size, or turns it around many times, within a step from rest."""
    view = model.view(state)
    for load in model.loads:
        i = model.number_of[load.body]
        force, torque = (math.hypot(*vector) for vector in load.at(max(load.start, 0.0), view))
        way = force / model.mass[i] * time_step**2 / model.radius[i]
        angle = torque / float(np.trace(model.inertia[i])) * time_step**2
        if max(way, angle) > FLIGHT:
            what = f"force of {force:g} N" if way > FLIGHT else f"torque of {torque:g} N m"
            yield (
                f"load on '{load.body}': its {what} is huge: it would throw the body around within a step of {time_step:g} "
                f"s. Its mass is {model.mass[i]:g} kg; check the units, or use a smaller time step."
            )


def _fast_oscillations(model: Model, time_step: float) -> Iterator[str]:
    """Oscillations of which a time step sees little: velocities are taken once in each."""
    for b, motion in model.motions:
        if not isinstance(motion, Oscillation):
            continue
        steps = 1.0 / (motion.frequency * time_step)
        if steps < PERIOD:
            yield (
                f"body '{model.names[b]}', motion: frequency = {motion.frequency:g} Hz has {steps:.2g} time steps of "
                f"{time_step:g} s per period, and needs at least {PERIOD:g}. Use time_step <= "
                f"{1.0 / (PERIOD * motion.frequency):.2g} s."
            )


def _held_by_emitters(scene: Scene) -> Iterator[str]:
    """Joints of bodies that are not there yet."""
    poured = {body.name: body.emitter for body in scene.bodies if body.emitter is not None}
    for joint in scene.joints:
        for name in (joint.one, joint.other):
            if name in poured:
                yield (
                    f"joint '{joint.name}': body '{name}' is poured by the emitter '{poured[name]}' and is not there at the "
                    "start. Add it with scene.add, or [[bodies]]."
                )


def overlaps(model: Model, contacts: Any) -> Iterator[str]:
    """Bodies that are inside each other.  contacts: body (C, 2), gap (C,) [m]."""
    if len(contacts.gap) == 0:
        return
    size = np.min(model.radius[contacts.body], axis=1)
    deep = contacts.gap < -OVERLAP * size
    if np.any(deep):
        worst = int(np.argmin(np.where(deep, contacts.gap / size, 0.0)))
        a, b = contacts.body[worst]
        pairs = len(np.unique(contacts.body[deep], axis=0))
        more = f" So do {pairs - 1} other pairs." if pairs > 1 else ""
        yield (
            f"bodies '{model.names[a]}' and '{model.names[b]}' overlap by {-contacts.gap[worst]:.3g} m at the start. Move them "
            f"apart by at least that.{more}"
        )


def wrong_sides(model: Model, contacts: Any, behind: Any) -> Iterator[str]:
    """Bodies inside closed meshes, below height fields, or cutting through a mesh from behind, that do not overlap by
    what contact detection says."""
    touching = {frozenset(pair) for pair in contacts.body[contacts.gap < 0.0].tolist()}
    wrong = [one for one in behind if one.sure and frozenset((one.body, one.ground)) not in touching]
    if wrong:
        worst = max(wrong, key=lambda one: one.depth)
        name, ground = model.names[worst.body], model.names[worst.ground]
        more = f" So are {len(wrong) - 1} other bodies." if len(wrong) > 1 else ""
        inside = isinstance(model.shapes[worst.ground], Mesh)
        other = f" If '{ground}' is solid on its other side, as a drum is, give Mesh(..., flip=True)." if inside else ""
        yield (
            f"bodies '{name}' and '{ground}' overlap at the start: the centre of '{name}' is {worst.depth:.3g} m behind the "
            f"surface. Move it to the side that the triangles look to.{other}{more}"
        )


def behind_mesh(body: str, ground: str) -> str:
    """The cause, for all messages about it."""
    return f"body '{body}' is behind the mesh '{ground}'"


REMEDY = (
    "an open mesh is one-sided, and bodies touch it only from the side from which its triangles are seen counterclockwise. "
    "If it should hold bodies on its other side, give Mesh(..., flip=True), or flip = true in a scene file."
)


def other_sides(model: Model, behind: Any) -> Iterator[str]:
    """Bodies behind open meshes, which may be meant."""
    far = [one for one in behind if not one.sure]
    if far:
        cause = behind_mesh(model.names[far[0].body], model.names[far[0].ground])
        more = f" So are {len(far) - 1} other bodies." if len(far) > 1 else ""
        yield f"{cause} at the start, {far[0].depth:.3g} m from it: {REMEDY}{more}"


def upside_down(scene: Scene, model: Model, behind: Any) -> Iterator[str]:
    """Meshes that look down while bodies will come from above: listed clockwise, or ceilings."""
    size = math.hypot(*model.gravity)
    if size == 0.0:
        return
    up = -model.gravity / size
    starts = [body.position for body in scene.bodies if np.isfinite(body.mass) and body.emitter is None]
    starts += [corner for emitter in scene.emitters for corner in emitter.region.bounds()]
    highest = max((float(start @ up) for start in starts), default=-math.inf)
    said = {one.ground for one in behind}
    for i, position, orientation in model.grounds:
        shape = model.shapes[i]
        if i in said or not isinstance(shape, Mesh):
            continue
        local = up @ rotation(orientation)
        top = float((shape.vertices @ local).max() + position @ up)
        if highest > top and np.all(normals(shape.vertices, shape.faces) @ local < 0.0):
            yield f"all triangles of the mesh '{model.names[i]}' look down, and bodies fall through from above: {REMEDY}"


def blocked_emitters(scene: Scene, model: Model, state: State, detect: Detect) -> Iterator[str]:
    """Emitters without room among the bodies that never give way."""
    held = np.isinf(model.mass)
    held[[i for i, _ in model.motions]] = False  # these may move out of the way
    for emitter in scene.emitters:

        def fits(among: Any, emitter: Emitter = emitter) -> bool:
            trial = state.copy()
            trial.present &= among
            return bool(Pouring(_Only(emitter), model, detect).pour(trial, emitter.start))  # type: ignore[arg-type]

        if not fits(held):
            alone = [
                model.names[i] for i in np.flatnonzero(held & state.present) if not fits(np.arange(len(held)) == i)
            ]
            where = f"inside body '{alone[0]}'" if alone else "blocked by the fixed bodies around it"
            yield (
                f"emitter '{emitter.name}': its region is {where}: none of the spots for its first body is free. Move the region "
                "away, or make it larger."
            )


class _Only:
    """A scene with one emitter, as far as `Pouring` looks at it."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitters = [emitter]


__all__ = ["advised_time_step", "blocked_emitters", "check_start", "overlaps", "problems", "remarks", "step_count"]
