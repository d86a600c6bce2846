"""All contacts of a state but those of two spheres, in compiled calls before and after these; never raises.

Every stage can be called on its own: `reach_all`, `sphere_planes`, `plane_contacts`, `find_near`, `ball_contacts`,
`ball_shape_contacts`, `capsule_contacts`, `ellipsoid_contacts`, `polytope_contacts`, `convex_contacts`, `mesh_contacts`,
`wall_contacts`, `edge_contacts`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.detect.kernels.arrays import Placed
from trundle.detect.kernels.capsules import capsule_contacts
from trundle.detect.kernels.contacts import pack_spheres, reaches, sphere_planes
from trundle.detect.kernels.ellipsoids import ellipsoid_contacts
from trundle.detect.kernels.hollow import wall_contacts
from trundle.detect.kernels.mesh import mesh_contacts
from trundle.detect.kernels.narrow import convex_contacts, edge_contacts
from trundle.detect.kernels.near import find_near
from trundle.detect.kernels.pair import ball_contacts, ball_shape_contacts
from trundle.detect.kernels.plane import plane_contacts, rotations, world_planes
from trundle.detect.kernels.polytopes import polytope_contacts
from trundle.kernels.rotations import INNER, JIT

BEFORE, AFTER = 0, 1


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


@njit(**JIT)
def find_contacts(
    part, done, h, gravity, margin, codes, position, orientation, velocity, turning, present, s, lists, room, near,
    solid, balls, ball_shapes, capsules, ellipsoids, poly, general, patches, search, mesh, on, hollow, whole, real,
):  # fmt: skip
    """Contacts of a state that are closed or can close within h, written to whole (.., 3) and real (.., REALS), see `put`.

    s: Solids; lists: Lists; room: Room; near: NearPairs, all with their arrays (`kernels.arrays`).  For what the scene has
    none of, None is given, and nothing is compiled: solid, balls, ball_shapes, capsules, ellipsoids, general (True: there are
    bodies other than spheres; pairs of clumps; ...), poly (Polytopes), patches (Patches), search (Search), mesh (Geometry),
    on (OnMesh), hollow (Walls).

    part: BEFORE the pairs of spheres, which others find, on several threads if need be; or AFTER them: done (3,) are the
    numbers so far of contacts, near pairs and candidates on meshes.

    Returns these numbers: where one is larger than there is room for, give more and begin again; and whether the state is
    finite.
    """
    reach = room.reach
    count, total, wanted = done
    if part != AFTER:
        fall = 0.5 * h**2 * math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
        if not reach_all(h, fall, s, position, velocity, turning, present, margin, reach, room.outer):
            return 0, 0, 0, False
        rotations(lists.turned, orientation, room.R)
        world_planes(lists.planes, s.size, position, orientation, room.plane)
        count = sphere_planes(lists.planes, room.plane, lists.spheres, s.size, position, reach, margin, 0, whole, real)
        if solid is not None:
            count = plane_contacts(
                s, lists.planes, room.plane, lists.others, room.R, position, reach, margin, room.rims, room.points,
                room.point_ids, room.curved, count, whole, real,
            )  # fmt: skip
        if mesh is not None:
            count, wanted = mesh_contacts(
                mesh, lists.meshes, lists.spheres, lists.others, position, room.R, reach, margin, on, count, whole,
                real, 0, on.candidates,
            )  # fmt: skip
            if wanted > on.candidates.shape[0]:
                return count, 0, wanted, True
        if hollow is not None:
            count = wall_contacts(
                s, hollow.walls, hollow.members, hollow.rims, position, room.R, reach, lists.held, margin, count, whole, real
            )  # fmt: skip
        total = find_near(position, lists.bounded, present, room.outer, near)
        pack_spheres(s.kind, lists.held, s.size, position, reach, margin, room.packed)
        return count, total, wanted, True
    pairs, axis = near.pairs, near.axis
    placed = Placed(position, room.R, reach, lists.held, margin)
    if balls is not None:
        count = ball_contacts(s, placed, pairs, total, count, whole, real)
    if ball_shapes is not None:
        count = ball_shape_contacts(s, placed, pairs, axis, total, count, whole, real)
    if capsules is not None:
        count = capsule_contacts(s, placed, pairs, axis, total, codes, count, whole, real)
    if ellipsoids is not None:
        count = ellipsoid_contacts(s, placed, pairs, axis, total, codes, count, whole, real)
    if poly is not None:
        count = polytope_contacts(s, placed, poly, patches, pairs, axis, total, codes, count, whole, real)
    if general is not None:
        count = convex_contacts(s, placed, search, patches, pairs, axis, total, codes, count, whole, real)
    if mesh is not None and search is not None:
        count = edge_contacts(mesh, s, placed, search, patches, on, wanted, codes, count, whole, real)
    return count, total, wanted, True
