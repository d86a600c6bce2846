"""A scene as flat arrays: what the kernels see of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, unknown
from trundle.kinds import HEIGHT_FIELD, MESH
from trundle.laws.base import Law
from trundle.scene.constraints import Constraint
from trundle.scene.fields import Field
from trundle.scene.geometry import Geometry, build_geometry, overlap_size
from trundle.scene.joints import WORLD, JointArrays, lay_out_joints
from trundle.scene.loads import Load, MotorSpeed
from trundle.scene.locks import find_locks, in_space
from trundle.scene.materials import HertzMindlin, Material
from trundle.scene.meetings import Meetings, find_meetings
from trundle.scene.motions import Prescribed
from trundle.scene.restitution import Restitution, largest
from trundle.scene.scene import Body, Pair, Scene
from trundle.scene.shapes import Shape
from trundle.scene.shapes_hollow import Hollow
from trundle.scene.state_view import StateView, origins
from trundle.scene.values import Array

Ints = NDArray[np.int64]
PARAMETERS = 6


@dataclass
class State:
    """Where everything is: time [s], position (B, 3) [m] of the centres of mass, orientation (B, 4), velocity (B, 3) [m/s],
    angular_velocity (B, 3) [rad/s], world frame; present (B,): False for bodies that are still to be poured."""

    time: float
    position: Array
    orientation: Array
    velocity: Array
    angular_velocity: Array
    present: NDArray[np.bool_]

    def copy(self) -> State:
        """A state that shares nothing with this one."""
        return State(
            self.time, self.position.copy(), self.orientation.copy(), self.velocity.copy(),
            self.angular_velocity.copy(), self.present.copy(),
        )  # fmt: skip


@dataclass(frozen=True)
class Nowhere(Shape):
    """No shape at all: the body that stands for the world in joints."""

    kind: ClassVar[int] = -1
    bounded: ClassVar[bool] = False


@dataclass(frozen=True)
class Model:
    """The unchanging part of a scene, B bodies and L pairs of surfaces.

    mass (B,) [kg], inf if fixed or prescribed ; inertia (B, 3, 3) [kg m^2], body frame
    kind (B,), parameters (B, 6) shapes ; radius (B,) bounding radius [m]
    surface (B,) number of the surface ; pair (S, S) number of the law of two surfaces, -1 if none was given
    laws, restitution (largest at any speed), bounce (as given), ratio, axis (L, 3), axis_of (L,)
        (-1: none), stiffness (L, 4) : of the pairs
    elastic_load (L,) [N] : at which springs are linearised whose stiffness, that of the effective radius 1 m, depends on the
        radius; 0 for others
    motions : bodies that move as prescribed ; joints, loads ; materials (L) : of the pairs, for formulation "history"
    joint_names, joint_kinds : of the joints
    motors, targets : speeds of motors and targets of servos that are functions, by the number of the joint
    contour, viscosity (L,) : whether rolling is measured along a rim, viscosity of rolling [N m s, or N s/m]
    centre_of_mass (B, 3) [m] : in the frames of the shapes
    meetings : which bodies can touch each other
    grounds : number, position and orientation of meshes and height fields that never move
    zones : surfaces of the triangles of grounds that have several, by the number of the body
    rough (S, 3) : of the surfaces, slope [-], size of facets [m] and seed; 0 where they are smooth
    fields, constraints : of users, and the number of equations of each constraint
    """

    names: tuple[str, ...]
    shapes: tuple[Shape, ...]
    mass: Array
    inertia: Array
    kind: Ints
    parameters: Array
    radius: Array
    surface: Ints
    surface_names: tuple[str, ...]
    pair: Ints
    laws: tuple[Law, ...]
    restitution: Array
    bounce: tuple[float | Restitution, ...]
    ratio: NDArray[np.bool_]
    axis: Array
    axis_of: Ints
    stiffness: Array
    gravity: Array
    motions: tuple[tuple[int, Prescribed], ...]
    joints: JointArrays
    loads: tuple[Load, ...]
    meetings: Meetings
    centre_of_mass: Array
    materials: tuple[Material | None, ...] = ()
    contour: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool))
    viscosity: Array = field(default_factory=lambda: np.zeros(0))
    grounds: tuple[tuple[int, Array, Array], ...] = ()
    motors: dict[int, MotorSpeed] = field(default_factory=dict)
    targets: dict[int, MotorSpeed] = field(default_factory=dict)
    zones: dict[int, Ints] = field(default_factory=dict)
    rough: Array = field(default_factory=lambda: np.zeros((0, 3)))
    fields: tuple[Field, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    equations: tuple[int, ...] = ()
    elastic_load: Array = field(default_factory=lambda: np.zeros(0))
    joint_names: tuple[str, ...] = ()
    joint_kinds: tuple[str, ...] = ()

    @property
    def has_rows(self) -> bool:
        """Whether it has constraints or implicit fields, rows of any gradient."""
        return bool(self.constraints) or any(field.implicit for field in self.fields)

    @cached_property
    def geometry(self) -> Geometry:
        """The shapes as flat arrays, for contact detection."""
        return build_geometry(self.shapes, self.grounds)

    @cached_property
    def size(self) -> Array:
        """Lengths that overlaps of bodies are compared with (B,) [m], infinite for those without an inside."""
        return np.array([overlap_size(shape) if shape.kind >= 0 else np.inf for shape in self.shapes])

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Numbers of the bodies by name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def _centre(self) -> Array | None:
        return self.centre_of_mass if np.any(self.centre_of_mass) else None

    def view(self, state: State) -> StateView:
        """A state as users see it."""
        return StateView(self.number_of, state, self._centre, self)

    def shapes_at(self, state: State) -> State:
        """A state with positions and velocities of the shapes' origins instead of the centres of mass."""
        if self._centre is None:
            return state
        position, velocity = origins(state, self._centre)
        return State(state.time, position, state.orientation, velocity, state.angular_velocity, state.present)

    @cached_property
    def equivalent_radius(self) -> Array:
        """Radius (B,) [m] of the ball of the same volume: what lengths of laws that are ratios refer to.

        That of a disk without thickness is its own radius; ground has none, inf.
        """
        return np.array([_equivalent_radius(shape) for shape in self.shapes])

    def effective_radius(self, body: Ints) -> Array:
        """1 / (1 / R_a + 1 / R_b) [m] of pairs of bodies (n, 2), R the equivalent radii."""
        return 1.0 / np.sum(1.0 / self.equivalent_radius[body], axis=1)

    @cached_property
    def inverse_mass(self) -> Array:
        """1 / m (B,) [1/kg], 0 for bodies that cannot be pushed."""
        return 1.0 / self.mass

    @cached_property
    def inverse_inertia(self) -> Array:
        """Inverse of the inertia (B, 3, 3) in the body frame, 0 for bodies that cannot be pushed."""
        inverse = np.zeros_like(self.inertia)
        free = np.isfinite(self.mass)
        inverse[free] = np.linalg.inv(self.inertia[free])
        # a diagonal tensor stays diagonal to the last bit
        for i in np.flatnonzero(free):
            if np.count_nonzero(self.inertia[i] - np.diag(np.diag(self.inertia[i]))) == 0:
                inverse[i] = np.diag(1.0 / np.diag(self.inertia[i]))
        return inverse

    @cached_property
    def isotropic(self) -> bool:
        """Whether the inertia of every movable body is a multiple of the unit tensor."""
        free = np.isfinite(self.mass)
        return bool(np.all(self.inertia[free] == self.inertia[free][:, :1, :1] * np.eye(3)))


def build_model(scene: Scene) -> tuple[Model, State]:
    """Check a scene as a whole and turn it into arrays."""
    # those to be poured come last, as in a scene file
    bodies = sorted(scene.bodies, key=lambda body: body.emitter is not None)
    if not bodies:
        raise SceneError("the scene has no bodies: use scene.add(...).")
    names = [body.name for body in bodies]
    surfaces = surface_names(bodies)
    number = {name: i for i, name in enumerate(surfaces)}
    pairs = _check_pairs(scene, surfaces)
    pair = np.full((len(surfaces), len(surfaces)), -1, np.int64)
    for i, (one, other) in enumerate(pairs):
        pair[number[one], number[other]] = pair[number[other], number[one]] = i
    given = list(pairs.values())
    laws = tuple(in_space(p.law, scene.planar, f"surfaces '{one}' and '{other}'") for (one, other), p in pairs.items())
    for p in given:
        if p.axis_of is not None and p.axis_of not in names:
            raise SceneError("axis_of: " + unknown("body", p.axis_of, names))
    locks = find_locks(scene, bodies)
    if locks or any(joint.other is None for joint in scene.joints):
        bodies.append(_world())
    parameters = np.zeros((len(bodies), PARAMETERS))
    for i, body in enumerate(bodies):
        parameters[i, : len(body.shape.parameters)] = body.shape.parameters[:PARAMETERS]
    centre = np.array([body.centre_of_mass for body in bodies])
    velocity, turning = (
        np.array([getattr(body, name) for body in bodies]) for name in ("velocity", "angular_velocity")
    )
    position, orientation = (np.array([getattr(body, name) for body in bodies]) for name in ("position", "orientation"))
    if np.any(centre):
        said = State(0.0, position, orientation, velocity, turning, np.ones(len(bodies), bool))
        position, velocity = origins(said, -centre)
    number_of = {body.name: i for i, body in enumerate(bodies)}
    model = Model(
        names=tuple(body.name for body in bodies), shapes=tuple(body.shape for body in bodies),
        mass=np.array([body.mass for body in bodies]), inertia=np.array([body.inertia for body in bodies]),
        kind=np.array([body.shape.kind for body in bodies], np.int64), parameters=parameters,
        radius=np.array([body.shape.bounding_radius for body in bodies]),
        surface=np.array([number.get(body.surface, 0) for body in bodies], np.int64), surface_names=tuple(surfaces),
        pair=pair, laws=laws, restitution=np.array([largest(p.restitution) for p in given]),
        bounce=tuple(p.restitution for p in given),
        ratio=np.array([p.ratio for p in given], bool),
        axis=np.array([p.axis or (0.0, 0.0, 0.0) for p in given]).reshape(-1, 3),
        axis_of=np.array([-1 if p.axis_of is None else names.index(p.axis_of) for p in given], np.int64),
        stiffness=np.array([_at_unit_radius(p) for p in given]).reshape(-1, 4),
        elastic_load=np.array([p.stiffness.load if isinstance(p.stiffness, HertzMindlin) else 0.0 for p in given]),
        gravity=np.asarray(scene.gravity, float),
        motions=tuple((i, body.motion) for i, body in enumerate(bodies) if body.motion is not None),
        joint_names=tuple(joint.name for joint in scene.joints), joint_kinds=tuple(joint.kind for joint in scene.joints),
        joints=lay_out_joints(tuple(scene.joints), locks, number_of, position, orientation), loads=tuple(scene.loads),
        materials=tuple(p.material for p in given), contour=np.array([p.rolling == "contour" for p in given], bool),
        viscosity=np.array([p.rolling_viscosity for p in given], float),
        grounds=tuple(
            (i, body.position, body.orientation)
            for i, body in enumerate(bodies) if body.fixed and body.shape.kind in (MESH, HEIGHT_FIELD)
        ),
        centre_of_mass=centre,
        zones={
            i: np.array([*(number[name] for name in _soils(body)), number[body.surface]], np.int64)[body.shape.zones]  # type: ignore[attr-defined]
            for i, body in enumerate(bodies) if getattr(body.shape, "zones", None) is not None
        },
        rough=_roughness(bodies, number), fields=tuple(_whole(one, bodies) for one in scene.fields),
        constraints=tuple(scene.constraints),
        meetings=find_meetings(
            names, [body.group for body in bodies], scene.ignored, scene.joints, number_of, WORLD
        ),
        motors={
            j: MotorSpeed(joint.name, joint.motor, joint.speed_unit)
            for j, joint in enumerate(scene.joints) if callable(joint.motor)
        },
        targets={
            j: MotorSpeed(joint.name, joint.target, "rad" if joint.kind == "hinge" else "m", "target")
            for j, joint in enumerate(scene.joints) if callable(joint.target)
        },
    )  # fmt: skip
    state = State(
        0.0, position, orientation, velocity, turning,
        np.array([body.name != WORLD and body.emitter is None for body in bodies], bool),
    )  # fmt: skip
    for given_field in model.fields:
        given_field.loads(model, 0.0, state)  # a function that returns something else is refused here
    return replace(model, equations=tuple(c.check(model, state) for c in model.constraints)), state


def surface_names(bodies: Sequence[Body]) -> list[str]:
    """Names of all surfaces: of bodies, and of the zones of grounds."""
    return sorted({body.surface for body in bodies} | {name for body in bodies for name in _soils(body)})


def _soils(body: Body) -> tuple[str, ...]:
    """Names of the surfaces of a ground's zones."""
    return getattr(body.shape, "soils", ())


def _equivalent_radius(shape: Shape) -> float:
    if not shape.bounded or isinstance(shape, Hollow):
        return np.inf
    return float(np.cbrt(0.75 * shape.volume / np.pi)) if shape.volume > 0.0 else shape.bounding_radius


def _at_unit_radius(pair: Pair) -> tuple[float, ...]:
    """Stiffness of a pair, that of the effective radius 1 m where it depends on it."""
    return pair.stiffness.at_radius(1.0) if isinstance(pair.stiffness, HertzMindlin) else pair.stiffness


def _whole(one: Field, bodies: Sequence[Body]) -> Field:
    """A field with the names of all movable bodies, if it acts on all of them."""
    if not one.whole:
        return one
    return replace(one, bodies=tuple(body.name for body in bodies if np.isfinite(body.mass)))


def _roughness(bodies: Sequence[Body], number: dict[str, int]) -> Array:
    """Slope, size of facets and seed (S, 3) of the surfaces of grounds."""
    rough = np.zeros((len(number), 3))
    for body in bodies:
        given = getattr(body.shape, "roughness", None)
        if given is None:
            continue
        names = {body.surface, *body.shape.soils}  # type: ignore[attr-defined]
        tables = dict.fromkeys(names, given) if "tilt" in given else given
        for name, table in tables.items():
            if name not in names:
                raise SceneError(f"body '{body.name}': roughness: " + unknown("surface", name, names))
            rough[number[name]] = np.tan(table["tilt"]), table["size"], table["seed"]
    return rough


def _check_pairs(scene: Scene, surfaces: list[str]) -> dict[tuple[str, str], Pair]:
    """The pairs in a fixed order; an error for surfaces that no body has."""
    for one, other in scene.pairs:
        for name in (one, other):
            if name not in surfaces:
                raise SceneError(
                    f"surfaces '{one}' and '{other}': no body uses surface '{name}'. Known surfaces: "
                    f"{', '.join(surfaces)}."
                )
    return dict(sorted(scene.pairs.items()))


def _world() -> Body:
    zero = np.zeros(3)
    still = np.array([1.0, 0.0, 0.0, 0.0])
    return Body(WORLD, Nowhere(), np.inf, np.diag([np.inf] * 3), zero, still, zero, zero, "", True)
