"""The axes of the matrix: laws, methods, bodies, grounds and frames, and the scene of a case.

Everything is said in the frame of the plane: the ground is below z = 0, motion is along x, the law's t1 too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import references
from own_laws import Drill, Groove
from scipy.spatial.transform import Rotation

import trundle
from trundle import laws

G = 9.81
MASS = 1.0
MU, MU_Y, MU_R, MU_S, PATCH = 0.3, 0.2, 5e-3, 2e-3, 0.01


class Friction(NamedTuple):
    """A law, and the bounds that motion along x has in it: mu [-], mu_r and mu_s [m].

    weight: factor on sliding along x where the law is not associated, hjiaj (43) with geometric mean 1.
    """

    law: Any
    mu_r: float = 0.0
    mu_s: float = 0.0
    mu: float = MU
    weight: float = 1.0


def by_speed(value):
    """The same value at every speed, by the way of those that vary."""
    return laws.Stribeck(static=value, kinetic=value, speed=0.01)


SHARP = laws.Superellipse(mu_x=MU, mu_y=MU_Y, q=4)
LAWS = {
    "Coulomb friction": Friction(laws.Coulomb(MU)),
    "rolling friction": Friction(laws.Rolling(MU, MU_R), MU_R),
    "sliding, rolling and spinning friction": Friction(laws.SlideRollSpin(MU, MU_R, MU_S), MU_R, MU_S),
    "a superellipse": Friction(SHARP),
    "a superellipse that is not associated": Friction(
        laws.Superellipse(mu_x=MU, mu_y=MU_Y, q=2, k=0), weight=MU_Y / MU
    ),
    "a rhombus": Friction(laws.Superellipse(mu_x=MU, mu_y=MU_Y, q=1)),
    "a rectangle": Friction(laws.Superellipse(mu_x=MU, mu_y=MU_Y, q=math.inf)),
    "Contensou friction": Friction(laws.Contensou(MU, PATCH), 0.0, references.contensou_lever(MU, PATCH)),
    "Contensou times rolling friction": Friction(
        laws.Contensou(MU, PATCH) * laws.Roll(MU_R), MU_R, references.contensou_lever(MU, PATCH)
    ),
    "superellipse times rolling times spinning": Friction(SHARP * laws.Roll(MU_R) * laws.Spin(MU_S), MU_R, MU_S),
    "friction by speed": Friction(laws.SlideRollSpin(by_speed(MU), by_speed(MU_R), by_speed(MU_S)), MU_R, MU_S),
    "a user's law of sliding": Friction(Groove(MU, MU_Y)),
    "a user's law of spinning": Friction(laws.Rolling(MU, MU_R) * Drill(share=0.2, lever=MU_S / 0.2), MU_R, MU_S),
}


class Method(NamedTuple):
    """Arguments of `simulate`, and the time step [s]."""

    formulation: str
    theta: float = 0.5
    scheme: str = "moreau-jean"
    h: float = 2e-3


METHODS = {
    "exact": Method("exact"),
    "exact, theta 1": Method("exact", 1.0),
    "exact, midpoint scheme": Method("exact", 0.5, "moreau-midpoint"),
    "relaxed": Method("relaxed"),
    "relaxed, theta 1": Method("relaxed", 1.0),
    "relaxed, midpoint scheme": Method("relaxed", 0.5, "moreau-midpoint"),
    "compliant": Method("compliant"),
    "compliant, theta 1": Method("compliant", 1.0),
    "history": Method("history", h=2.5e-4),
}
# of one contact [N/m], [N m/rad]: periods of some ms for 1 kg, so that transients have died after 0.1 s
STIFFNESS = {"compliant": (1e6, 1e6, 1e4, 1e4), "history": (2e4, 2e4, 50.0, 50.0)}


class Body(NamedTuple):
    """A body that lies on the plane: its shape, the rotation vector that lays it down, the height of its centre [m].

    radius [m] and k = I / (m radius^2) of rolling along x, 0 for bodies that do not roll; gyration [m] about the normal for
    those that can spin on one point, or on corners at the distance `arm` [m]; contacts: in how many points it touches.
    """

    shape: Any
    height: float
    turned: tuple[float, float, float] = (0.0, 0.0, 0.0)
    radius: float = 0.0
    k: float = 0.0
    gyration: float = 0.0
    arm: float = 0.0

    @property
    def rolls(self) -> bool:
        return self.radius > 0.0


R, LONG = 0.1, 0.2
LAID = (-0.5 * math.pi, 0.0, 0.0)  # z of the body along y
AHEAD = (0.0, 0.5 * math.pi, 0.0)  # z of the body along x
HEXAGON = [
    (R * math.cos(a), R * math.sin(a), z) for a in np.arange(6) * math.pi / 3 for z in (-0.05, 0.05)
]  # of a prism
SQUARE = [(x, y, 0.0) for x in (-0.06, 0.06) for y in (-0.06, 0.06)]
BODIES = {
    "a sphere": Body(trundle.Sphere(R), R, (), R, 0.4, math.sqrt(references.ball(R))),
    "a box": Body(
        trundle.Box((0.2, 0.16, 0.1)), 0.05, gyration=math.sqrt(references.box_axis(0.2, 0.16)), arm=math.hypot(0.1, 0.08)
    ),
    "a prism": Body(trundle.Polyhedron(HEXAGON), 0.05),
    "a standing cylinder": Body(trundle.Cylinder(R, 0.1), 0.05),
    "a lying cylinder": Body(trundle.Cylinder(R, LONG), R, LAID, R, 0.5),
    "a lying disk": Body(trundle.Disk(R), 0.0),
    "an upright disk": Body(trundle.Disk(R), R, LAID, R, 0.5),
    "a capsule lying across": Body(
        trundle.Capsule(R, LONG), R, LAID, R, references.capsule_axis(R, LONG) / R**2
    ),
    "a capsule lying along": Body(trundle.Capsule(R, LONG), R, AHEAD),
    "an ellipsoid": Body(
        trundle.Ellipsoid((R, R, 0.15)), R, LAID, R, references.ellipsoid_axis(R, R) / R**2,
        math.sqrt(references.ellipsoid_axis(R, 0.15)),
    ),
    "a clump of four": Body(trundle.Clump(SQUARE, 0.06), 0.06),
    "a clump of two": Body(trundle.Clump([(0, -R, 0), (0, R, 0)], R), R, (), R, 0.4),
}  # fmt: skip
FRAMES = {
    "": (Rotation.identity(), np.zeros(3)),
    "turned and shifted": (Rotation.from_quat([0.36, -0.48, 0.64, 0.48]), np.array([2.0, -3.0, 1.5])),
}

# --- grounds --------------------------------------------------------------------------------------------------------

BELT = np.array([0.2, 0.1, 0.0])  # [m/s]
EDGE = 0.02  # x [m] of a seam between two grounds, under the body


def grid(x0=-0.97, x1=1.03, z=0.0, n=5):
    """Vertices and triangles of a rectangle, counterclockwise from above, with edges under the body."""
    x, y = np.meshgrid(np.linspace(x0, x1, n), np.linspace(-1.04, 0.96, n), indexing="ij")
    a = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    faces = np.concatenate([np.stack([a, a + n, a + n + 1], 1), np.stack([a, a + n + 1, a + 1], 1)])
    return np.stack([x.ravel(), y.ravel(), np.full(n * n, z)], 1), faces


def field(x0=-0.97, x1=1.03, z=0.0, n=5):
    """Level ground as a height field."""
    spacing = ((x1 - x0) / (n - 1), 2.0 / (n - 1))
    return trundle.HeightField(np.full((n, n), z), spacing, origin=(x0, -1.04, 0.0))


def block():
    """The triangles of a cuboid below z = 0, listed clockwise from outside."""
    vertices = np.array([(x, y, z) for x in (-1.0, 1.1) for y in (-1.0, 1.1) for z in (-0.5, 0.0)])
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
             (1, 5, 7), (1, 7, 3)]  # fmt: skip
    return vertices, np.array(faces)[:, ::-1]


@dataclass(frozen=True)
class Grounds:
    """Shapes with names and offsets; the last one is under the body.  belt: it moves."""

    shapes: tuple[Any, ...]
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    belt: bool = False


GROUNDS = {
    "a half-space": Grounds((trundle.HalfSpace(),)),
    "a mesh": Grounds((trundle.Mesh(*grid()),)),
    "a mesh listed clockwise": Grounds((trundle.Mesh(grid()[0], grid()[1][:, ::-1], flip=True),)),
    "a closed mesh listed inside out": Grounds((trundle.Mesh(*block()),)),
    "a height field": Grounds((field(),)),
    "the second of two height fields": Grounds((field(-3.0, -1.2, -0.7, 4), field())),
    "the second of two meshes": Grounds((trundle.Mesh(*grid(-3.0, -1.2, -0.7)), trundle.Mesh(*grid()))),
    "the seam of two height fields": Grounds((field(-0.97, EDGE), field(EDGE, 1.03))),
    "the seam of a mesh and a height field": Grounds((trundle.Mesh(*grid(-0.97, EDGE)), field(EDGE, 1.03))),
    "a fixed box": Grounds((trundle.Box((2.0, 2.0, 1.0)),), (0.0, 0.0, -0.5)),
    "a belt": Grounds((trundle.Box((2.0, 2.0, 1.0)),), (0.0, 0.0, -0.5), belt=True),
}
AXES = [list(axis) for axis in (LAWS, METHODS, BODIES, GROUNDS, FRAMES)]


# --- a case ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One cell of the matrix, by the names of its values."""

    law: str
    method: str
    body: str
    ground: str
    frame: str = ""

    def __str__(self) -> str:
        return f"{self.body} on {self.ground}, {self.law}, {self.method}" + (f", {self.frame}" if self.frame else "")

    @property
    def friction(self) -> Friction:
        return LAWS[self.law]

    @property
    def how(self) -> Method:
        return METHODS[self.method]

    @property
    def it(self) -> Body:
        return BODIES[self.body]

    @property
    def tolerance(self) -> float:
        """Of the contact problems; redundant contacts with Contensou's ball do not always reach 1e-10."""
        return 1e-8 if "Contensou" in self.law else 1e-10

    @property
    def belt(self) -> np.ndarray:
        return BELT if GROUNDS[self.ground].belt else np.zeros(3)

    def scene(self, slope=0.0, velocity=(0, 0, 0), spin=(0, 0, 0), gap=0.0, **surface):
        """The body above the ground, gravity leaning by `slope` [rad] towards x; velocities relative to the ground."""
        turn, shift = FRAMES[self.frame]
        ground, it = GROUNDS[self.ground], self.it
        g = G * np.array([math.sin(slope), 0.0, -math.cos(slope)])
        scene = trundle.Scene(gravity=turn.apply(g))
        for i, shape in enumerate(ground.shapes):
            last = i == len(ground.shapes) - 1
            scene.add(
                shape, name="ground" if last else f"ground {i}", surface="soil",
                position=turn.apply(ground.offset) + shift, orientation=turn.as_quat(scalar_first=True),
                **({"motion": trundle.Steady(velocity=turn.apply(self.belt))} if ground.belt else {"fixed": True}),
            )  # fmt: skip
        laid = turn * Rotation.from_rotvec(it.turned or (0, 0, 0))
        scene.add(
            it.shape, name="body", mass=MASS, position=turn.apply([0.0, 0.0, it.height + gap]) + shift,
            orientation=laid.as_quat(scalar_first=True), velocity=turn.apply(np.add(velocity, self.belt)),
            angular_velocity=turn.apply(spin), surface="rock",
        )  # fmt: skip
        scene.surface("rock", "soil", **self.surface(), **surface)
        return scene

    def surface(self):
        """What is said of the two surfaces."""
        said: dict[str, Any] = {"law": self.friction.law, "axis": (1, 0, 0), "axis_of": "ground"}
        form = self.how.formulation
        if form == "compliant":
            said["stiffness"] = STIFFNESS[form]
        if form == "history":
            k_n, k_t, k_s, k_r = STIFFNESS[form]
            rows = self.friction.law.rows
            said["material"] = trundle.Hooke(
                stiffness=k_n, tangential_stiffness=k_t, spinning_stiffness=k_s if "s" in rows else None,
                rolling_stiffness=k_r if "r1" in rows else None,
            )  # fmt: skip
        return said

    def run(self, duration, **start):
        """Simulate the scene of `start`; what happened, in the frame of the plane and relative to the ground."""
        how = self.how
        run = trundle.simulate(
            self.scene(**start), duration, how.h, formulation=how.formulation, theta=how.theta, scheme=how.scheme,
            tolerance=self.tolerance,
        )  # fmt: skip
        turn, shift = FRAMES[self.frame]
        back = turn.inv()
        time = run.time
        return Motion(
            time, back.apply(run.position("body") - shift) - time[:, None] * self.belt,
            back.apply(run.velocity("body")) - self.belt, back.apply(run.angular_velocity("body")), run,
        )  # fmt: skip


class Motion(NamedTuple):
    """Times (n,) [s], position, velocity, angular velocity (n, 3) of the body in the frame of the plane, and the run."""

    time: Any
    position: Any
    velocity: Any
    spin: Any
    run: Any

    def rate(self, values):
        """Mean rate of change in the second half of the time."""
        half = len(self.time) // 2
        return (values[-1] - values[half]) / (self.time[-1] - self.time[half])
