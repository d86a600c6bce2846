"""Places of the arrays of history friction, see `places`; B bodies, N slots, C contacts.

A slot is a row of the memory: of a closed contact, or of a pair of spheres that may come to touch.
"""

from __future__ import annotations

from trundle.step.kernels import places

NAMES = (
    "pull", "turns", "spring_parameters", "record", "slot_key", "pair_body", "pair_law", "pair_which", "slot", "which",
    "constants", "body_kind", "example", "plane_of", "contact_loads", "work", "coef_room", "sums", "counts", "list_reach",
    "rim_frame", "locked",
)  # fmt: skip
(
    PULLS, TURNS, SPRING_PARAMETERS, RECORDS, SLOT_KEY, PAIR_BODY, PAIR_LAW, PAIR_WHICH, SLOT, WHICH, CONSTANTS, BODY_KIND,
    EXAMPLE, PLANE_OF, CONTACT_LOADS, WORK, COEF_ROOM, SUMS, COUNTS, LIST_REACH,
    RIM_FRAMES, LOCKED,
) = range(len(places.NAMES), len(places.NAMES) + len(NAMES))  # fmt: skip
# counts: used slots; which of the two records is the present one; pairs with planes come first; whether the list is stale;
# whether loads are noted for a report; whether all pairs are listed
SLOTS, NOW, ON_PLANES, STALE, NOTED, EVERY = range(6)
COUNT_COUNT = 6
NO_PATCH = 32  # code: Hertz' theory has no patch at this contact
# columns of what pairs of spheres, or of plane and sphere, keep from step to step
R_EFF, SIZE, M_EFF, M_MEAN, I_MEAN = 0, 1, 2, 3, 4  # effective and smaller radius, masses, moment of inertia
STIFF, COEFFICIENTS, DASHPOTS = 5, 8, 10  # K_E, K_R, K_psi; mu_r, mu_s; normal, sliding, rolling, spinning
CONSTANT_COUNT = 14
REACH, ROOM = 0, 1  # of the list: gap up to which pairs are on it, square of the way that spheres may go [m, m^2]
