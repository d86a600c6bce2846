"""Scenes: bodies, surfaces, joints, loads, gravity."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trundle import checked
from trundle.errors import SceneError, TrundleWarning, unknown
from trundle.laws.base import Law
from trundle.laws.builtin import is_orthotropic
from trundle.scene.constraints import Constraint, make_constraint
from trundle.scene.emitters import Emitter
from trundle.scene.fields import Field, make_field
from trundle.scene.joints import Joint, make_joint
from trundle.scene.loads import Load, make_load
from trundle.scene.locks import as_locked, as_plane
from trundle.scene.materials import HertzMindlin, Material
from trundle.scene.motions import Prescribed, as_motion
from trundle.scene.restitution import Restitution, as_restitution
from trundle.scene.shapes import Shape
from trundle.scene.tables import SceneText
from trundle.scene.values import Array, direction, is_list, label, number, quaternion, vector

ROLLING = ("classical", "contour")
DIGITS = 1e-4  # relative: inertias printed with five digits pass
SHOWN = 4  # things of a kind that a scene names when it is printed


@dataclass
class Body:
    """A body as the user described it; SI units, angular velocity in the world frame.

    position, velocity: of the origin of the shape, which is its centre of mass unless `centre_of_mass` (3,) [m] says
    otherwise, in the frame of the body.  inertia (3, 3) [kg m^2] about the centre of mass in the frame of the body; mass and
    inertia are infinite for bodies that cannot be pushed: fixed ones, and those with a motion.  emitter: the one
    that will pour it; until then it is not present.  group: of bodies for `Scene.ignore`.
    """

    name: str
    shape: Shape
    mass: float
    inertia: Array
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    surface: str
    fixed: bool
    motion: Prescribed | None = None
    emitter: str | None = None
    group: str | None = None
    centre_of_mass: Array = dataclasses.field(default_factory=lambda: np.zeros(3))
    locked: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pair:
    """What happens where two surfaces touch.

    ratio: lengths of the law are ratios to the effective radius of a contact; axis: direction in the frame of the body
    `axis_of` that t1 follows; stiffness (4,): of the normal [N/m], sliding [N/m], spinning and rolling [N m/rad] rows;
    rolling: what rolling friction works on, "classical" or "contour"; rolling_viscosity [N m s], or [N s/m] for the latter.
    """

    law: Law
    restitution: float | Restitution
    ratio: bool = False
    axis: tuple[float, float, float] | None = None
    axis_of: str | None = None
    stiffness: tuple[float, float, float, float] | HertzMindlin = (math.inf,) * 4
    material: Material | None = None
    rolling: str = "classical"
    rolling_viscosity: float = 0.0


@dataclass
class Scene:
    """Bodies with surfaces, laws for pairs of surfaces, joints, loads, and gravity [m/s^2].

    planar: "xy", "xz" or "yz": all bodies move in this plane and turn about its normal only; `Coulomb2D` and `Rolling2D` are laws
    of such scenes.

    >>> scene = Scene(gravity=(0, 0, -9.81))
    >>> scene.add(Sphere(radius=0.5), name="ball", density=2500.0, position=(0, 0, 0.5), surface="rock")
    >>> scene.add(HalfSpace(normal=(0, 0, 1)), name="ground", fixed=True, surface="soil")
    >>> scene.surface("rock", "soil", law=laws.Rolling(mu=0.2, mu_r=0.04), restitution=0.0)
    """

    gravity: Any = (0.0, 0.0, -9.81)
    bodies: list[Body] = dataclasses.field(default_factory=list)
    pairs: dict[tuple[str, str], Pair] = dataclasses.field(default_factory=dict)
    joints: list[Joint] = dataclasses.field(default_factory=list)
    loads: list[Load] = dataclasses.field(default_factory=list)
    fields: list[Field] = dataclasses.field(default_factory=list)
    constraints: list[Constraint] = dataclasses.field(default_factory=list)
    emitters: list[Emitter] = dataclasses.field(default_factory=list)
    ignored: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    planar: str | None = None
    source: SceneText | None = dataclasses.field(default=None, repr=False, compare=False)  # the file it was read from

    def __post_init__(self) -> None:
        self.gravity = vector("Scene", "gravity", self.gravity, "m/s^2")
        self.planar = as_plane(self.planar)
        self._names: dict[str, int] = {}

    def __repr__(self) -> str:
        """A line for the scene, and one for each kind of thing in it."""
        shapes = Counter(type(body.shape).__name__ for body in self.bodies)
        kinds = ", ".join(f"{count:,} {name}" for name, count in shapes.most_common())
        g = ", ".join(f"{x:g}" for x in self.gravity)
        lines = [f"<Scene: {len(self.bodies):,} bodies ({kinds or 'none'}), gravity ({g}) m/s^2>"]
        for what, names in (
            ("surfaces", [f"{one}-{other}: {pair.law!r}" for (one, other), pair in self.pairs.items()]),
            ("joints", [joint.name for joint in self.joints]),
            ("emitters", [emitter.name for emitter in self.emitters]),
            ("loads on", [load.body for load in self.loads]),
            ("fields", [one.place.removeprefix("field ") for one in self.fields]),
            ("constraints", [constraint.name for constraint in self.constraints]),
            ("no collisions of", [f"{one} with {other}" for one, other in self.ignored]),
        ):
            more = f", ... ({len(names):,} in all)" if len(names) > SHOWN else ""
            lines += [f"  {what}: {', '.join(names[:SHOWN])}{more}"] if names else []
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """What a notebook shows: a picture of the start, and what is in the scene."""
        from trundle.view.notebook import scene_html  # upwards, when it is asked for, as in `trundle.record.showing`

        return scene_html(self)

    def add(
        self,
        shape: Shape,
        *,
        name: str | None = None,
        density: float | None = None,
        mass: float | None = None,
        inertia: Any = None,
        position: Any = (0.0, 0.0, 0.0),
        orientation: Any = (1.0, 0.0, 0.0, 0.0),
        velocity: Any = (0.0, 0.0, 0.0),
        angular_velocity: Any = (0.0, 0.0, 0.0),
        surface: str = "default",
        fixed: bool = False,
        motion: Any = None,
        group: str | None = None,
        centre_of_mass: Any = (0.0, 0.0, 0.0),
        locked: Any = (),
    ) -> str:
        """Add a body; returns its name.

        density [kg/m^3] or mass [kg], one of the two, none if `fixed` or moved; inertia [kg m^2] about the centre of mass,
        frame of the body, (3,) or (3, 3), instead of the shape's own; position of the shape's origin [m]; orientation:
        unit quaternion (w, x, y, z); velocity of the shape's origin [m/s]; angular_velocity [rad/s], world frame; motion: a
        prescribed one (`trundle.Steady`, `Oscillation`, `Table`, or a function of time), which nothing can disturb; group:
        a name for bodies that `ignore` treats alike.

        centre_of_mass [m], in the frame of the shape: of a loaded body, such as a tippe top.  Shapes have their origin at the
        centre of mass of a homogeneous body, and so it is where this is left out.  Positions and velocities of the body, in
        states, recordings and pictures, stay those of the shape's origin; its inertia is about the centre of mass.

        locked: degrees of freedom that the body does not have, names out of x, y, z (of its centre of mass), rx, ry, rz (turns
        about the axes of the world), e.g. "y rx rz" for a body that stays in a plane y = const.
        """
        if not isinstance(shape, Shape):
            raise SceneError(f"add: {shape!r} is not a shape; give e.g. Sphere(radius=0.1).")
        name = f"body{len(self.bodies)}" if name is None else label("add", "name", name)
        place = f"body '{name}'"
        if name in self._names:
            raise SceneError(f"{place}: there is a body of this name already; names are unique.")
        if not isinstance(fixed, (bool, np.bool_)):
            raise SceneError(f"{place}: fixed = {fixed!r} must be true or false.")
        prescribed = None if motion is None else as_motion(place, motion)
        held = bool(fixed) or prescribed is not None
        if fixed and prescribed is not None:
            raise SceneError(f"{place}: give fixed or motion, not both.")
        speeds = [
            vector(place, "velocity", velocity, "m/s"),
            vector(place, "angular_velocity", angular_velocity, "rad/s"),
        ]
        if held and np.any(speeds):
            raise SceneError(
                f"{place}: a fixed body has no velocity. Leave it out, or give motion=Steady(velocity=..., "
                "angular_velocity=...) for a body that moves as prescribed."
            )
        if prescribed is not None:
            speeds = [prescribed(0.0)[:3], prescribed(0.0)[3:]]
        centre = vector(place, "centre_of_mass", centre_of_mass, "m")
        for key, given in (
            ("density", density), ("mass", mass), ("inertia", inertia),
            ("centre_of_mass", centre_of_mass if np.any(centre) else None),
            ("locked", None if is_list(locked) and len(locked) == 0 else locked),
        ):  # fmt: skip
            if held and given is not None:
                kind = "fixed" if fixed else "prescribed"
                raise SceneError(
                    f"{place}: {key} = {given!r} would have no effect: nothing pushes a {kind} body. Leave {key} out, or "
                    f"{'fixed' if fixed else 'motion'} if the body is to move freely."
                )
        weight = self._mass(place, shape, density, mass, held)
        self.bodies.append(
            Body(
                name, shape, weight, self._inertia(place, shape, weight, inertia), vector(place, "position", position, "m"),
                quaternion(place, orientation), speeds[0], speeds[1], label(place, "surface", surface), bool(fixed),
                prescribed, group=None if group is None else label(place, "group", group),
                centre_of_mass=centre, locked=as_locked(place, locked),
            )
        )  # fmt: skip
        self._names[name] = len(self.bodies) - 1
        return name

    @staticmethod
    def _mass(place: str, shape: Shape, density: float | None, mass: float | None, held: bool) -> float:
        for name, value, unit in (("density", density, "kg/m^3"), ("mass", mass, "kg")):
            if value is not None:
                number(place, name, value, unit, positive=True)
        if held:
            return np.inf
        if not shape.bounded:
            raise SceneError(f"{place}: a {type(shape).__name__} can only be fixed ground: add fixed=True.")
        own = getattr(shape, "own_mass", None)
        if own is not None and density is not None:
            raise SceneError(f"{place}: the parts of its shape have densities of their own. Leave density out.")
        if own is not None and mass is None:
            return float(own)
        if (density is None) == (mass is None):
            raise SceneError(f"{place}: give density [kg/m^3] or mass [kg], one of them.")
        if mass is not None:
            return float(mass)
        weight = float(density) * shape.volume  # type: ignore[arg-type]
        if not 0.0 < weight < np.inf:
            raise SceneError(
                f"{place}: a {type(shape).__name__} has a volume of {shape.volume:g} m^3, so density = {density:g} kg/m^3 "
                "gives it no mass. Give mass [kg]."
            )
        return weight

    @staticmethod
    def _inertia(place: str, shape: Shape, mass: float, given: Any) -> Array:
        if given is None:
            if np.isinf(mass):
                return np.diag([np.inf] * 3)
            unit = np.asarray(shape.unit_inertia, dtype=float)
            return mass * (np.diag(unit) if unit.ndim == 1 else unit)
        if not is_list(given) or len(given) != 3:
            raise SceneError(
                f"{place}: inertia = {given!r} must be 3 principal moments or a symmetric (3, 3) [kg m^2]."
            )
        flat = not is_list(given[0])
        tensor = np.diag(vector(place, "inertia", given, "kg m^2")) if flat else np.array(
            [vector(place, "a row of inertia", row, "kg m^2") for row in given]
        )  # fmt: skip
        if tensor.shape != (3, 3) or np.abs(tensor - tensor.T).max() > DIGITS * np.abs(tensor).max():
            raise SceneError(
                f"{place}: inertia = {given!r} must be 3 principal moments or a symmetric (3, 3) [kg m^2]."
            )
        tensor = 0.5 * (tensor + tensor.T)
        moments = np.linalg.eigvalsh(tensor)
        if moments[0] <= 0.0 or moments[2] > (moments[0] + moments[1]) * (1.0 + DIGITS):
            raise SceneError(
                f"{place}: inertia has principal moments {moments.tolist()} kg m^2; they must be positive, and the "
                "largest at most the sum of the others."
            )
        return tensor

    def surface(
        self,
        one: str,
        other: str,
        *,
        law: Law,
        restitution: Any = 0.0,
        ratio: bool = False,
        axis: Any = None,
        axis_of: str | None = None,
        stiffness: Any = None,
        material: Material | None = None,
        rolling: str = "classical",
        rolling_viscosity: float = 0.0,
    ) -> None:
        """Say what happens where surfaces `one` and `other` touch: a friction law and a restitution [-].

        restitution: a number, a law of the approach speed such as `trundle.ThresholdRestitution`, or a function of it [m/s],
        which is kept as a table; how several contacts bounce at once is the option `impact` of `simulate`.
        ratio: the lengths of the law (mu_r, mu_s, patch_radius) are ratios, to be multiplied by the effective radius
        1 / (1 / R_a + 1 / R_b) of each contact.  axis, axis_of: the x-axis t1 of an orthotropic law follows this
        direction in the frame of this body, projected onto the tangent.  stiffness, for formulations "compliant" and "relaxed":
        k_n [N/m], or (k_n, k_t), or (k_n, k_t, k_s, k_r) with [N m/rad] for the moments; rigid where not given; or
        `trundle.HertzMindlin(young=..., poisson=..., load=...)`, the elastic data of round surfaces.
        material, for formulation="history": `trundle.Hooke` or `trundle.Hertz`.  A pair has one law: what is said last
        holds, with a warning if it differs from what was said before.

        rolling: "classical" friction works on the relative angular velocity in the tangent plane, "contour" on the speed
        at which the contact point moves along the rim of a disk or cylinder (le Saux et al. (2005), (2.23)); mu_r is then
        a ratio [-].  rolling_viscosity: a torque -c w [N m s], or a force -c gamma_R along the rim [N s/m], besides the law.
        """
        one, other = label("surface", "one", one), label("surface", "other", other)
        place = f"surfaces '{one}' and '{other}'"
        if not isinstance(law, Law) or "n" not in law.rows:
            raise SceneError(f"{place}: law = {law!r} is not a contact law; see trundle.laws.")
        if law.count is not None:
            raise SceneError(f"{place}: coefficients of a surface are numbers, not arrays.")
        bounce = as_restitution(place, restitution)
        if (axis is None) != (axis_of is None):
            raise SceneError(f"{place}: axis and axis_of belong together: a direction, and the body it is fixed to.")
        if axis is None and is_orthotropic(law):
            raise SceneError(
                f"{place}: {type(law).__name__} differs from direction to direction: give axis and axis_of, the direction "
                "that its x-axis follows and the body that it is fixed to."
            )
        along = None if axis is None else tuple(direction(place, "axis", axis).tolist())
        if axis_of is not None:
            axis_of = label(place, "axis_of", axis_of)
        if material is not None and not isinstance(material, Material):
            raise SceneError(f"{place}: material = {material!r}: give trundle.Hooke(...) or trundle.Hertz(...).")
        if not (rolling is None or isinstance(rolling, str)) or rolling not in ROLLING:
            raise SceneError(f"{place}: " + unknown("rolling", rolling, ROLLING))
        viscosity = number(place, "rolling_viscosity", rolling_viscosity, "N m s", least=0.0)
        if rolling == "contour" and "r1" not in law.rows and viscosity == 0.0:
            raise SceneError(
                f"{place}: rolling = 'contour', but {type(law).__name__} has no rolling friction. Multiply it by "
                "laws.Roll(mu_r=...), or give rolling_viscosity."
            )
        ratio = checked.flag(SceneError, f"{place}: ratio", ratio)
        if rolling == "contour" and ratio:
            raise SceneError(
                f"{place}: give ratio or rolling = 'contour', not both: mu_r of the contour is a ratio already."
            )
        pair = Pair(
            law, bounce, ratio, along, axis_of, _stiffness(place, stiffness), material, rolling, viscosity  # type: ignore[arg-type]
        )  # fmt: skip
        before = self.pairs.get(_key(one, other))
        if before is not None and repr(before) != repr(pair):
            warnings.warn(
                f"{place}: {law!r} and all that is said with it replaces what was said before, {before.law!r} ...: a pair "
                f"has one law. To change it without this warning, say scene.pairs.pop({_key(one, other)!r}) first.",
                TrundleWarning,
                stacklevel=2,
            )
        self.pairs[_key(one, other)] = pair

    def joint(
        self,
        kind: str,
        one: str,
        other: str | None = None,
        *,
        name: str | None = None,
        position: Any = None,
        other_position: Any = None,
        axis: Any = None,
        motor: Any = None,
        max_force: float | None = None,
        friction: float = 0.0,
        collide: bool = False,
        stiffness: float = 0.0,
        damping: float = 0.0,
        target: Any = None,
        limits: Any = None,
        restitution: float = 0.0,
    ) -> str:
        """Join two bodies, or a body and the world; returns the joint's name.

        kind: "fixed", "ball", "hinge" (turns about axis), "slider" (moves along axis), "cylindrical" (both), "planar" (moves
        across axis and turns about it), "distance" and "spring" (between position on `one` and other_position on `other`, their
        centres if left out).  position [m], axis: world frame at the start.
        motor: speed of `other` relative to `one`, or of `one` relative to the world if there is no other, about or along the
        axis [rad/s, m/s], a number or a function of time [s], or of time and state, with at most max_force [N m, N];
        friction: dry friction +-S [N m, N] of a hinge or slider.  The two bodies do not touch each other unless `collide`.

        Of a hinge, slider or spring: stiffness [N m/rad, N/m] and damping [N m s/rad, N s/m], implicit, so that stiff springs
        are stable; target: where the spring is without force, an angle [rad] or way [m] from the start, or the length [m] of a
        spring, that of the start if left out.  A target that is a function of time, or of time and state, or a max_force
        without a motor make it a position servo.  limits: (low, high) of the same quantity, with a restitution [-]; a spring with
        nothing but an upper limit is a rope.
        """
        name = f"joint{len(self.joints)}" if name is None else label("joint", "name", name)
        if any(joint.name == name for joint in self.joints):
            raise SceneError(f"joint '{name}': there is a joint of this name already; names are unique.")
        bodies = [self.bodies[self.index(body)] for body in (one, other) if body is not None]
        if all(np.isinf(body.mass) for body in bodies):
            raise SceneError(f"joint '{name}': none of its bodies can move.")
        positions = {body.name: body.position for body in bodies}
        self.joints.append(
            make_joint(
                kind,
                one,
                other,
                name,
                positions,
                position,
                other_position,
                axis,
                motor,
                max_force,
                friction,
                collide,
                stiffness,
                damping,
                target,
                limits,
                restitution,
            )
        )
        return name

    def ignore(self, one: str, other: str) -> None:
        """Let bodies not collide with each other: one, other: names of bodies or of groups (`group=` of `add` and `emit`).

        ``scene.ignore("blocks", "blocks")``: the bodies of the group "blocks" pass through each other, and each of them touches
        all other bodies.  The contact search leaves out bodies that can touch no other one, so that thousands of blocks on one
        terrain cost as much as each of them alone.
        """
        pair = label("ignore", "one", one), label("ignore", "other", other)
        if pair not in self.ignored and pair[::-1] not in self.ignored:
            self.ignored.append(pair)

    def load(
        self,
        body: str,
        *,
        force: Any = (0.0, 0.0, 0.0),
        torque: Any = (0.0, 0.0, 0.0),
        point: Any = (0.0, 0.0, 0.0),
        frame: str = "world",
        start: float = -math.inf,
        end: float = math.inf,
    ) -> None:
        """Put a force [N] and a torque [N m] on a body between the times start and end [s].

        point: where the force acts, in the frame of the body [m], from the origin of its shape; frame: "world", or "body" for
        a load that turns with it.  force and torque may be functions of time [s], or of time and state:
        ``scene.load("cart", force=lambda time, state: (-40.0 * state.position("cart")[0], 0, 0))``, see `StateView`.
        """
        if np.isinf(self.bodies[self.index(body)].mass):
            raise SceneError(f"load on '{body}': a fixed or prescribed body does not feel forces.")
        self.loads.append(make_load(body, force, torque, point, frame, start, end))

    def field(self, field: Any, bodies: Any = None, *, implicit: bool = False, derivative: Any = None) -> None:
        """Let a force field f(q, v, t) act on bodies.

        field: `trundle.Drag`, `trundle.CentralSpring` or `trundle.LinearField`, or a function of time [s] and state (`StateView`)
        that returns forces [N] at the centres of mass, world frame, shape (n, 3) for n bodies, or with torques [N m], (n, 6);
        (3,) or (6,) will do for one body.  bodies: a name, the name of a group (`group=` of `add` and `emit`), or a list of
        them; all movable bodies if left out.  A function may couple its bodies; it should depend on no others.

        implicit: the theta-method with the derivatives of the field, M + h theta C + h^2 theta^2 K, which is stable however
        stiff the field is.  derivative: a function of time and state that returns the derivatives of all loads
        (force and torque of each body) by the positions (displacement and rotation of each body) and by the velocities, two
        arrays (6 n, 6 n); differences if left out.
        """
        names = self._chosen("field", bodies)
        for name in names:
            if np.isinf(self.bodies[self.index(name)].mass):
                raise SceneError(f"field on '{name}': a fixed or prescribed body does not feel forces.")
        self.fields.append(make_field(names, field, implicit, derivative, bodies is None))

    def constraint(
        self, bodies: Any, function: Any, *, gradient: Any = None, level: str = "position", name: str | None = None
    ) -> str:
        """Hold bodies on equations Psi(q, t) = 0; returns the constraint's name.

        function: of time [s] and state (`StateView`), returns a number or a list of k numbers that stay zero.  bodies: the name,
        or a list of n names, of the bodies that it depends on.  gradient: a function of time and state that returns the
        derivatives (k, n, 6) by displacement [1/m] and rotation [1/rad] of each body, world frame; differences if left out.
        level: "velocity" for equations a(q, t) . v + b(q, t) = 0 that are linear in the velocities, such as rolling without
        sliding; gradient has the derivatives by velocity and angular velocity then.  Bodies of a constraint still collide.
        """
        name = f"constraint{len(self.constraints)}" if name is None else label("constraint", "name", name)
        if any(one.name == name for one in self.constraints):
            raise SceneError(f"constraint '{name}': there is a constraint of this name already; names are unique.")
        names = [bodies] if isinstance(bodies, str) else bodies
        if not is_list(names) or not len(names) or len(set(map(str, names))) < len(names):
            raise SceneError(
                f"constraint '{name}': bodies = {bodies!r} must be the name of a body or a list of different ones."
            )
        if all(np.isinf(self.bodies[self.index(body)].mass) for body in names):
            raise SceneError(f"constraint '{name}': none of its bodies can move.")
        self.constraints.append(make_constraint(name, names, function, gradient, level))
        return name

    def _chosen(self, what: str, given: Any) -> list[str]:
        """Names of the bodies that a name, the name of a group, or a list of them stands for."""
        if given is None:
            return [body.name for body in self.bodies if np.isfinite(body.mass)]
        names = [given] if isinstance(given, str) else given
        if not is_list(names) or not len(names):
            raise SceneError(f"{what}: bodies = {given!r} must be the name of a body or group, or a list of them.")
        chosen: dict[str, None] = {}
        for name in names:
            group = [body.name for body in self.bodies if body.group is not None and body.group == name]
            chosen |= dict.fromkeys(group if group else [self.bodies[self.index(name)].name])
        return list(chosen)

    def emit(
        self,
        shape: Shape,
        *,
        rate: float,
        count: int,
        region: Any,
        name: str | None = None,
        seed: int = 0,
        sizes: Any = None,
        density: float | None = None,
        mass: float | None = None,
        surface: str = "default",
        velocity: Any = (0.0, 0.0, 0.0),
        angular_velocity: Any = (0.0, 0.0, 0.0),
        orientation: Any = "random",
        start: float = 0.0,
        group: str | None = None,
    ) -> str:
        """Pour `count` bodies from a region, `rate` [1/s] of them from the time `start` [s] on; returns the emitter's name.

        region: `trundle.BoxRegion` or `CylinderRegion`; sizes: a distribution of a factor on the shape's lengths, `Uniform`,
        `Normal`, `Choice` or `Grading`; mass [kg] is that at the factor 1.  The bodies are called name.0, name.1, and so on;
        which they are depends on seed and name only.  group: that of the bodies, see `ignore`.
        """
        name = f"emitter{len(self.emitters)}" if name is None else label("emit", "name", name)
        if any(emitter.name == name for emitter in self.emitters):
            raise SceneError(f"emitter '{name}': there is an emitter of this name already; names are unique.")
        emitter = Emitter(
            name, shape, rate, count, region, seed, sizes, density, mass, surface, velocity, angular_velocity,
            orientation, start, group,
        )  # fmt: skip
        before = len(self.bodies)
        try:
            for k in range(emitter.count):
                self.add(**emitter.body(k))
                self.bodies[-1].emitter = name
        except SceneError:  # all or none of them
            for body in self.bodies[before:]:
                del self._names[body.name]
            del self.bodies[before:]
            raise
        self.emitters.append(emitter)
        return name

    def index(self, name: str) -> int:
        """Number of a body."""
        if not isinstance(name, str) or name not in self._names:
            raise SceneError(unknown("body", name, self._names))
        return self._names[name]


def _stiffness(place: str, given: Any) -> tuple[float, ...] | HertzMindlin:
    if isinstance(given, HertzMindlin):
        return given
    many = is_list(given)
    values: Sequence[Any] = () if given is None else list(given) if many else [given]
    if len(values) not in (0, 1, 2, 4):
        raise SceneError(
            f"{place}: stiffness = {given!r} must be k_n, (k_n, k_t), (k_n, k_t, k_s, k_r) or HertzMindlin(...)."
        )
    units = ("N/m", "N/m", "N m/rad", "N m/rad")
    found = [
        number(place, f"stiffness[{i}]", value, unit, positive=True, infinite=True)
        for i, (value, unit) in enumerate(zip(values, units, strict=False))
    ]
    return (*found, *[math.inf] * (4 - len(found)))


def _key(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one <= other else (other, one)
