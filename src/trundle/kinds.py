"""Integer codes that scenes and kernels share, each defined here alone."""

from __future__ import annotations

# kinds of shapes
SPHERE, HALF_SPACE, BOX, ELLIPSOID, DISK, CYLINDER, CAPSULE, POLYHEDRON, CLUMP, MESH, HEIGHT_FIELD = range(11)
SPHERE_INSIDE, CYLINDER_INSIDE, CONE_INSIDE, TORUS_INSIDE = HOLLOWS = tuple(
    range(11, 15)
)  # walls that are touched from inside
CONE, COMPOUND = range(15, 17)
# what happens when bodies bounce
NEWTON, POISSON, SEQUENTIAL = range(3)

FORMULATIONS = ("exact", "relaxed", "compliant", "history")
SOLVED_FORMULATIONS = FORMULATIONS[:3]  # those that solve a contact problem
IMPACTS = ("newton", "poisson", "sequential")  # in the order of their codes
