"""Stages that look for the contacts of a state, one for every kind of pair, see `trundle.kernels.space`.  Never raise.

They fill a buffer, `found`, and count on where it is full: `sort_contacts` asks for more room.  A time step runs them in its
middle, among stages of its own, and ahead of it, see `step.kernels.ahead`.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numba import njit

from trundle.detect.kernels import places as P
from trundle.detect.kernels.arrays import OnMesh, Patches, Placed, Polytopes, Search, Solids
from trundle.detect.kernels.capsules import capsule_contacts
from trundle.detect.kernels.contacts import (
    PUSH,
    SEARCHES,
    gather_range,
    order_contacts,
    pack_spheres,
    reaches,
    sphere_pairs,
    sphere_planes,
)
from trundle.detect.kernels.ellipsoids import ellipsoid_contacts
from trundle.detect.kernels.hollow import wall_contacts
from trundle.detect.kernels.mesh import mesh_contacts
from trundle.detect.kernels.narrow import convex_contacts, edge_contacts
from trundle.detect.kernels.near import NearPairs, find_near
from trundle.detect.kernels.pair import ball_contacts, ball_shape_contacts
from trundle.detect.kernels.plane import plane_contacts, rotations, world_planes
from trundle.detect.kernels.polytopes import polytope_contacts
from trundle.kernels.rotations import INNER, rotation_matrix
from trundle.kernels.search import place_of
from trundle.kernels.space import GO_ON, flag1, flag2, real1, real2, real3, whole1, whole2
from trundle.kinds import SPHERE

Surfaces = namedtuple(  # as `scene.geometry.Geometry`
    "Surfaces",
    "kind size radius inner first length vertex plane loop_first loop edge ball "
    "triangle across tilt side fan_first fan leaf node",
)


@njit(**INNER)
def solids(at):
    """Shapes apart from meshes."""
    return Solids(
        whole1(at, P.SOLID_KIND), real2(at, P.SOLID_SIZE), real1(at, P.SOLID_RADIUS), real1(at, P.SOLID_INNER),
        whole2(at, P.SOLID_FIRST), whole2(at, P.SOLID_LENGTH), real2(at, P.SOLID_VERTEX), real2(at, P.SOLID_PLANE),
        whole1(at, P.SOLID_LOOP_FIRST), whole1(at, P.SOLID_LOOP), whole2(at, P.SOLID_EDGE), real2(at, P.SOLID_BALL),
    )  # fmt: skip


@njit(**INNER)
def surfaces(at):
    """All shapes."""
    return Surfaces(
        whole1(at, P.SOLID_KIND), real2(at, P.SOLID_SIZE), real1(at, P.SOLID_RADIUS), real1(at, P.SOLID_INNER),
        whole2(at, P.SOLID_FIRST), whole2(at, P.SOLID_LENGTH), real2(at, P.SOLID_VERTEX), real2(at, P.SOLID_PLANE),
        whole1(at, P.SOLID_LOOP_FIRST), whole1(at, P.SOLID_LOOP), whole2(at, P.SOLID_EDGE), real2(at, P.SOLID_BALL),
        whole2(at, P.GEO_TRIANGLE), whole2(at, P.GEO_ACROSS), real2(at, P.GEO_TILT), whole2(at, P.GEO_SIDE),
        whole1(at, P.GEO_FAN_FIRST), whole1(at, P.GEO_FAN), whole1(at, P.GEO_LEAF), real2(at, P.GEO_NODE),
    )  # fmt: skip


@njit(**INNER)
def near_pairs(at):
    """Pairs of bodies that are near each other."""
    return NearPairs(
        whole2(at, P.NEAR_PAIRS), real2(at, P.NEAR_AXIS), whole1(at, P.NEAR_COUNTS), whole1(at, P.NEAR_MEMBERS),
        real2(at, P.NEAR_PLACE), real1(at, P.NEAR_SKIN), whole1(at, P.NEAR_CELL), whole2(at, P.NEAR_BODIES),
        real2(at, P.NEAR_WHERE), whole1(at, P.NEAR_START), whole2(at, P.NEAR_OLD_PAIRS), real2(at, P.NEAR_OLD_AXIS),
        whole2(at, P.NEAR_SPARE), whole1(at, P.NEAR_GROUP), flag2(at, P.NEAR_MEETS),
    )  # fmt: skip


@njit(**INNER)
def polytopes(at):
    """Boxes and polyhedra."""
    return Polytopes(
        whole1(at, P.POLY_MEMBERS), whole2(at, P.POLY_FIRST), real2(at, P.POLY_CORNER), real2(at, P.POLY_FACE),
        whole2(at, P.POLY_EDGE), real1(at, P.POLY_BEND), whole1(at, P.POLY_MOST),
    )  # fmt: skip


@njit(**INNER)
def patches(at):
    """Work for faces that meet."""
    return Patches(
        real3(at, P.PATCH_CORNERS), whole2(at, P.PATCH_NUMBERS), real2(at, P.PATCH_FACING), real3(at, P.PATCH_SEEN),
        real2(at, P.PATCH_SLOPE), real3(at, P.PATCH_LINES), real3(at, P.PATCH_TABLES), real2(at, P.PATCH_TANGENTS),
        real2(at, P.PATCH_PLACES), whole1(at, P.PATCH_IDS), real2(at, P.PATCH_GAPS), real2(at, P.PATCH_SPOTS),
    )  # fmt: skip


@njit(**INNER)
def seeking(at):
    """Work for convex bodies."""
    return Search(
        real1(at, P.SEEK_D), real1(at, P.SEEK_N), real2(at, P.SEEK_NEAR), real2(at, P.SEEK_W), real2(at, P.SEEK_P),
        real1(at, P.SEEK_SHARE), real2(at, P.SEEK_VECTORS), real2(at, P.SEEK_NEWTON), real2(at, P.SEEK_DIRECTIONS),
    )  # fmt: skip


@njit(**INNER)
def on_mesh(at):
    """Work for meshes."""
    return OnMesh(
        real2(at, P.MESH_POINTS), whole1(at, P.MESH_POINT_IDS), real1(at, P.MESH_CURVED), real1(at, P.MESH_RIM),
        whole1(at, P.MESH_STACK), real2(at, P.MESH_TRIANGLE), real2(at, P.MESH_EDGE), real1(at, P.MESH_EDGE_SIZE),
        real1(at, P.MESH_MIDDLE), whole2(at, P.MESH_CANDIDATES),
    )  # fmt: skip


@njit(**INNER)
def placed(at):
    """Where shapes are in the middle."""
    return Placed(
        real2(at, P.ROW_PLACE),
        real3(at, P.ROOM_R),
        real1(at, P.ROOM_REACH),
        flag1(at, P.LIST_HELD),
        real1(at, P.OPTIONS)[P.MARGIN],
    )


@njit(**INNER)
def reach_all(h, fall, s, position, velocity, turning, present, margin, reach, outer):
    """How far bodies reach within h, written to reach (B,), and the radii of balls around all that they reach, outer (B,).

    fall [m]: added to every reach.  Absent bodies reach nothing.  Returns whether positions and reaches are finite.
    """
    reaches(h, s.kind, s.radius, velocity, turning, reach)
    finite = True
    for i in range(velocity.shape[0]):
        reach[i] += fall
        total = reach[i] + abs(position[i, 0]) + abs(position[i, 1]) + abs(position[i, 2])
        finite = finite and total < np.inf
        outer[i] = s.radius[i] + reach[i] + 0.5 * margin
        if not present[i]:
            reach[i] = -np.inf
    return finite


@njit(**INNER)
def extend_reach(at, v, fall, slack):
    """Reaches (B,) at other body velocities, where they are larger by more than a share of the body; whether there are any."""
    reach, outer, radius = real1(at, P.ROOM_REACH), real1(at, P.ROOM_OUTER), real1(at, P.SOLID_RADIUS)
    kind, pushed, h, grown = whole1(at, P.SOLID_KIND), flag1(at, P.CAN_BE_PUSHED), real1(at, P.OPTIONS)[P.H], False
    for i in range(pushed.shape[0]):
        if not pushed[i]:
            continue
        w = v[i]
        speed = math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
        if kind[i] != SPHERE and radius[i] < np.inf:
            speed += radius[i] * math.sqrt(w[3] * w[3] + w[4] * w[4] + w[5] * w[5])
        further = h * speed + fall
        if further > reach[i] + slack * radius[i]:
            outer[i] += further - reach[i]
            reach[i] = further
            grown = True
    return grown


@njit(**INNER)
def place_origins(at, orientation):
    """Origins of the shapes of all bodies, whose centres of mass are in the middle."""
    middle, origin, centre, Q = real2(at, P.MIDDLE), real2(at, P.ORIGIN), real2(at, P.CENTRE), np.empty((3, 3))
    for i in range(middle.shape[0]):
        x, y, z = centre[i, 0], centre[i, 1], centre[i, 2]
        for k in range(3):
            origin[i, k] = middle[i, k]
        if x != 0.0 or y != 0.0 or z != 0.0:
            rotation_matrix(orientation, i, Q)
            for k in range(3):
                origin[i, k] -= Q[k, 0] * x + Q[k, 1] * y + Q[k, 2] * z


def place_shapes(at):
    """Where some centre of mass is not the origin of its shape: origins in the middle; they move as bodies turn."""
    place_origins(at, real2(at, P.TURNED))
    reach, outer, centre, h = (
        real1(at, P.ROOM_REACH),
        real1(at, P.ROOM_OUTER),
        real2(at, P.CENTRE),
        real1(at, P.OPTIONS)[P.H],
    )
    turning, free = real2(at, P.ANGULAR_VELOCITY), real2(at, P.FREE)
    for i in range(centre.shape[0]):
        arm = math.sqrt(centre[i, 0] ** 2 + centre[i, 1] ** 2 + centre[i, 2] ** 2)
        before = turning[i, 0] ** 2 + turning[i, 1] ** 2 + turning[i, 2] ** 2
        after = free[i, 3] ** 2 + free[i, 4] ** 2 + free[i, 5] ** 2
        further = h * arm * math.sqrt(max(before, after))
        reach[i] += further
        outer[i] += further
    return GO_ON


def reach_out(at):
    """How far bodies reach within the step."""
    options, numbers, g, h = (
        real1(at, P.OPTIONS),
        whole1(at, P.NUMBERS),
        real1(at, P.GRAVITY),
        real1(at, P.OPTIONS)[P.H],
    )
    fall = 0.5 * h**2 * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    numbers[P.LOOKED] = numbers[P.AHEAD] = 0
    if not reach_all(
        h, fall, solids(at), real2(at, P.MIDDLE), real2(at, P.VELOCITY), real2(at, P.ANGULAR_VELOCITY), flag1(at, P.PRESENT),
        options[P.MARGIN], real1(at, P.ROOM_REACH), real1(at, P.ROOM_OUTER),
    ):  # fmt: skip
        return P.NOT_FINITE
    if real2(at, P.FREE).shape[0] > 0:
        extend_reach(at, real2(at, P.FREE), fall, 0.0)
    rotations(whole1(at, P.LIST_TURNED), real2(at, P.TURNED), real3(at, P.ROOM_R))
    world_planes(
        whole1(at, P.LIST_PLANES),
        real2(at, P.SOLID_SIZE),
        real2(at, P.MIDDLE),
        real2(at, P.TURNED),
        real2(at, P.ROOM_PLANE),
    )
    return GO_ON


def touch_planes(at):
    """Spheres on half-spaces: the first to be looked for."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.NEAR], numbers[P.CANDIDATES] = 0, 0
    first = numbers[P.LATE_FROM] if numbers[P.AHEAD] else 0
    numbers[P.COUNT] = sphere_planes(
        whole1(at, P.LIST_PLANES), real2(at, P.ROOM_PLANE), whole1(at, P.LIST_SPHERES), real2(at, P.SOLID_SIZE),
        real2(at, P.ROW_PLACE),
        real1(at, P.ROOM_REACH), real1(at, P.OPTIONS)[P.MARGIN], first, whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def stand_on_planes(at):
    """Other bodies on half-spaces."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = plane_contacts(
        solids(at), whole1(at, P.LIST_PLANES), real2(at, P.ROOM_PLANE), whole1(at, P.LIST_OTHERS), real3(at, P.ROOM_R),
        real2(at, P.ROW_PLACE), real1(at, P.ROOM_REACH), real1(at, P.OPTIONS)[P.MARGIN], real3(at, P.ROOM_RIMS),
        real2(at, P.ROOM_POINTS), whole1(at, P.ROOM_POINT_IDS), real1(at, P.ROOM_CURVED), numbers[P.COUNT],
        whole2(at, P.FOUND),
        real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_meshes(at):
    """Bodies on meshes and height fields, apart from edges."""
    numbers, on = whole1(at, P.NUMBERS), on_mesh(at)
    numbers[P.COUNT], numbers[P.CANDIDATES] = mesh_contacts(
        surfaces(at), whole1(at, P.LIST_MESHES), whole1(at, P.LIST_SPHERES), whole1(at, P.LIST_OTHERS), real2(at, P.ROW_PLACE),
        real3(at, P.ROOM_R), real1(at, P.ROOM_REACH), real1(at, P.OPTIONS)[P.MARGIN], on, numbers[P.COUNT],
        whole2(at, P.FOUND), real2(at, P.FOUND_REAL), 0, on.candidates,
    )  # fmt: skip
    return P.MORE_CANDIDATES if numbers[P.CANDIDATES] > on.candidates.shape[0] else GO_ON


def touch_walls(at):
    """Bodies inside of hollow ones."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = wall_contacts(
        solids(at), whole1(at, P.HOLLOW_WALLS), whole1(at, P.HOLLOW_MEMBERS), real3(at, P.HOLLOW_RIMS), real2(at, P.ROW_PLACE),
        real3(at, P.ROOM_R), real1(at, P.ROOM_REACH), flag1(at, P.LIST_HELD), real1(at, P.OPTIONS)[P.MARGIN], numbers[P.COUNT],
        whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def find_pairs(at):
    """Pairs of bodies that are near each other."""
    numbers, near = whole1(at, P.NUMBERS), near_pairs(at)
    numbers[P.NEAR] = find_near(
        real2(at, P.ROW_PLACE), whole1(at, P.LIST_BOUNDED), flag1(at, P.ROW_PRESENT), real1(at, P.ROOM_OUTER), near
    )
    return P.MORE_PAIRS if numbers[P.NEAR] > near.pairs.shape[0] else GO_ON


@njit(**INNER)
def pack_all_spheres(at):
    """What pairs of spheres need to know of them."""
    pack_spheres(
        whole1(at, P.SOLID_KIND), flag1(at, P.LIST_HELD), real2(at, P.SOLID_SIZE), real2(at, P.ROW_PLACE),
        real1(at, P.ROOM_REACH), real1(at, P.OPTIONS)[P.MARGIN], real2(at, P.ROOM_PACKED),
    )  # fmt: skip


def touch_spheres(at):
    """Pairs of spheres."""
    numbers = whole1(at, P.NUMBERS)
    pack_all_spheres(at)
    numbers[P.COUNT] = sphere_pairs(
        whole2(at, P.NEAR_PAIRS), 0, numbers[P.NEAR], real2(at, P.ROOM_PACKED), numbers[P.COUNT], whole2(at, P.FOUND),
        real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_clumps(at):
    """Pairs of clumps, and of clumps and spheres."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = ball_contacts(
        solids(at), placed(at), whole2(at, P.NEAR_PAIRS), numbers[P.NEAR],
        numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_balls(at):
    """Spheres and clumps with convex bodies."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = ball_shape_contacts(
        solids(at), placed(at), whole2(at, P.NEAR_PAIRS), real2(at, P.NEAR_AXIS), numbers[P.NEAR],
        numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_capsules(at):
    """Pairs of capsules."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = capsule_contacts(
        solids(at), placed(at), whole2(at, P.NEAR_PAIRS), real2(at, P.NEAR_AXIS), numbers[P.NEAR],
        numbers[P.CODES], numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_ellipsoids(at):
    """Pairs of ellipsoids."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = ellipsoid_contacts(
        solids(at), placed(at), whole2(at, P.NEAR_PAIRS), real2(at, P.NEAR_AXIS), numbers[P.NEAR],
        numbers[P.CODES], numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_polytopes(at):
    """Pairs of boxes and polyhedra."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = polytope_contacts(
        solids(at), placed(at), polytopes(at), patches(at), whole2(at, P.NEAR_PAIRS), real2(at, P.NEAR_AXIS), numbers[P.NEAR],
        numbers[P.CODES], numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_others(at):
    """All other pairs of convex bodies."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = convex_contacts(
        solids(at), placed(at), seeking(at), patches(at), whole2(at, P.NEAR_PAIRS), real2(at, P.NEAR_AXIS), numbers[P.NEAR],
        numbers[P.CODES], numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


def touch_edges(at):
    """Edges of meshes with convex bodies."""
    numbers = whole1(at, P.NUMBERS)
    numbers[P.COUNT] = edge_contacts(
        surfaces(at), solids(at), placed(at), seeking(at), patches(at), on_mesh(at), numbers[P.CANDIDATES], numbers[P.CODES],
        numbers[P.COUNT], whole2(at, P.FOUND), real2(at, P.FOUND_REAL),
    )  # fmt: skip
    return GO_ON


@njit(**INNER)
def never_meet(at, a, b):
    """Whether two bodies do not collide, see `scene.meetings`."""
    apart, group = whole1(at, P.APART), whole1(at, P.GROUP)
    if not flag2(at, P.MEETS)[group[a], group[b]]:
        return True
    if apart.shape[0] == 0:
        return False
    mine = min(a, b) * group.shape[0] + max(a, b)
    k = place_of(apart, apart.shape[0], mine)
    return k < apart.shape[0] and apart[k] == mine


@njit(**INNER)
def put_in_order(at, count, order):
    """The order of contacts that were found by their identities."""
    order_contacts(count, whole2(at, P.FOUND), whole1(at, P.ROOM_START), whole1(at, P.BY_SECOND), order[:count])


def sort_contacts(at):
    """Numbers of the contacts that were found in the order of their identities, without those of bodies that do not collide."""
    numbers, found, order, n = whole1(at, P.NUMBERS), whole2(at, P.FOUND), whole1(at, P.ORDER), 0
    if numbers[P.COUNT] > found.shape[0]:
        return P.MORE_ROOM
    put_in_order(at, numbers[P.COUNT], order)
    for m in range(numbers[P.COUNT]):
        c = order[m]
        if not never_meet(at, found[c, 0], found[c, 1]):
            order[n] = c
            n += 1
    numbers[P.CONTACTS] = n
    return GO_ON


def gather_contacts(at):
    """Contacts in this order, with their laws."""
    numbers, found, real, push = (
        whole1(at, P.NUMBERS),
        whole2(at, P.FOUND),
        real2(at, P.FOUND_REAL),
        real1(at, P.LATE_PUSH),
    )
    order, late = whole1(at, P.ORDER), numbers[P.FEATURES] // SEARCHES
    missing = gather_range(
        order, 0, numbers[P.CONTACTS], found, real, numbers[P.FEATURES], whole1(at, P.LIST_SURFACE), whole1(at, P.LIST_ZONE_OF),
        whole1(at, P.LIST_ZONE), whole2(at, P.LIST_PAIR), whole2(at, P.BODY), real2(at, P.POINT), real2(at, P.NORMAL),
        real1(at, P.GAP), real2(at, P.RADIUS), whole1(at, P.LAW), whole1(at, P.KEY),
    )  # fmt: skip
    if missing >= 0:
        numbers[P.CULPRIT] = missing
        return P.NO_LAW
    for m in range(min(numbers[P.CONTACTS], push.shape[0])):
        c = order[m]
        push[m] = real[c, PUSH] if found[c, 2] >= late else 0.0
    return GO_ON
