"""Places of the arrays that the search for contacts works in, see `trundle.kernels.space`: the first ones of a time step.

B bodies, N rows: bodies and the parts of compound ones, C contacts.  The arrays of contacts have room for more than there are.
"""

from __future__ import annotations

(
    # the state that contacts are looked for in; origins of shapes, where they are not the centres; velocities at the end (B, 6)
    MIDDLE, ORIGIN, TURNED, VELOCITY, ANGULAR_VELOCITY, FREE, CENTRE, CAN_BE_PUSHED, GRAVITY,
    # scalars: see below
    OPTIONS, NUMBERS,
    # shapes, lists and work, see `arrays`; parts of compound bodies; what is found; pairs that do not collide; who is there
    SOLID_KIND, SOLID_SIZE, SOLID_RADIUS, SOLID_INNER, SOLID_FIRST, SOLID_LENGTH, SOLID_VERTEX, SOLID_PLANE, SOLID_LOOP_FIRST,
    SOLID_LOOP, SOLID_EDGE, SOLID_BALL, GEO_TRIANGLE, GEO_ACROSS, GEO_TILT, GEO_SIDE, GEO_FAN_FIRST, GEO_FAN, GEO_LEAF,
    GEO_NODE, LIST_BOUNDED, LIST_PLANES, LIST_MESHES, LIST_SPHERES, LIST_OTHERS, LIST_TURNED, LIST_HELD, LIST_SURFACE,
    LIST_PAIR, LIST_ZONE_OF, LIST_ZONE, ROOM_REACH, ROOM_OUTER, ROOM_R, ROOM_PLANE, ROOM_PACKED, ROOM_RIMS, ROOM_POINTS,
    ROOM_POINT_IDS, ROOM_CURVED, ROOM_START, NEAR_PAIRS, NEAR_AXIS, NEAR_COUNTS, NEAR_MEMBERS, NEAR_PLACE, NEAR_SKIN, NEAR_CELL,
    NEAR_BODIES, NEAR_WHERE, NEAR_START, NEAR_OLD_PAIRS, NEAR_OLD_AXIS, NEAR_SPARE, NEAR_GROUP, NEAR_MEETS, POLY_MEMBERS,
    POLY_FIRST, POLY_CORNER, POLY_FACE, POLY_EDGE, POLY_BEND, POLY_MOST, PATCH_CORNERS, PATCH_NUMBERS, PATCH_FACING, PATCH_SEEN,
    PATCH_SLOPE, PATCH_LINES, PATCH_TABLES, PATCH_TANGENTS, PATCH_PLACES, PATCH_IDS, PATCH_GAPS, PATCH_SPOTS, SEEK_D, SEEK_N,
    SEEK_NEAR, SEEK_W, SEEK_P, SEEK_SHARE, SEEK_VECTORS, SEEK_NEWTON, SEEK_DIRECTIONS, MESH_POINTS, MESH_POINT_IDS, MESH_CURVED,
    MESH_RIM, MESH_STACK, MESH_TRIANGLE, MESH_EDGE, MESH_EDGE_SIZE, MESH_MIDDLE, MESH_CANDIDATES, HOLLOW_WALLS, HOLLOW_MEMBERS,
    HOLLOW_RIMS, PART_OWNER, PART_NUMBER, PART_AT, PART_TURN, PART_MOST, ROW_PLACE, ROW_PRESENT, FOUND, FOUND_REAL, ORDER,
    BY_SECOND, APART, GROUP, MEETS, PRESENT,
    # contacts (C,)
    BODY, POINT, NORMAL, GAP, LAW, KEY, RADIUS, LATE_PUSH,
) = range(131)  # fmt: skip
NAMES = tuple(sorted((n.lower() for n, v in globals().items() if n.isupper()), key=lambda n: globals()[n.upper()]))

# numbers: whole scalars
STEP_DONE, CONTACTS, CULPRIT, LOOKED, FEATURES, CODES, COUNT, NEAR, CANDIDATES, LATE_FROM, AHEAD = range(11)
NUMBER_COUNT = 11
# options: real scalars
H, MARGIN = range(2)
OPTION_COUNT = 2
# codes of stages that ask for Python
MORE_ROOM, MORE_PAIRS, MORE_CANDIDATES, NO_LAW, NOT_FINITE = range(1, 6)
