"""The arrays that the stages of a step work in, for a model."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from trundle.contact.kernels.bodies import RECORD
from trundle.contact.rigid import LawSheet
from trundle.detect.kernels.contacts import REALS, WHOLES
from trundle.kernels.lanes import LANES
from trundle.laws.builtin import Superellipse, is_smooth, lies_flat
from trundle.laws.coefficients import flatten
from trundle.laws.kernels.sections import DISK, OWN
from trundle.scene.joints import JointArrays
from trundle.scene.model import Model
from trundle.scene.restitution import lay_out
from trundle.space import Space
from trundle.step.kernels import places
from trundle.step.kernels.strike import IMPACT_TOLERANCE

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def make_space(model: Model, sheet: LawSheet, centred: bool) -> Space:
    """A space with everything that does not depend on the number of contacts; centred: smooth laws hold at mean velocities."""
    space = Space(places.NAMES)
    bodies = len(model.mass)
    free = np.isfinite(model.mass)
    prescribed = np.zeros(bodies, bool)
    prescribed[[b for b, _ in model.motions]] = True
    space.make(
        before=(bodies, 3), middle=(bodies, 3), turned=(bodies, 4), start=(bodies, 6), free=(bodies, 6), mean=(bodies, 6),
        momentum=(bodies, 3), world=(bodies, 3, 3), shift=(bodies, 6), place_before=(bodies, 3), turn_before=(bodies, 4),
        load_impulse=(bodies, 6), v=(bodies + 1, 8),
        v_before=(bodies + 1, 8), j_rows=(bodies + 1, 8), options=(places.OPTION_COUNT,), results=(places.RESULT_COUNT,),
        steps=(1, places.COLUMNS), small=(6,),
    )  # fmt: skip
    offset = bool(np.any(model.centre_of_mass))  # otherwise the origins are the centres of mass
    space.put(
        centre=model.centre_of_mass[: bodies if offset else 0],
        origin=np.zeros((bodies, 3)) if offset else space["middle"],
    )
    space.make(np.int64, numbers=(places.NUMBER_COUNT,), taken=(bodies,))
    space.put(
        mass=model.mass.copy(), inertia=np.where(np.isfinite(model.inertia), model.inertia, 0.0),
        gravity=model.gravity.copy(),
        round=np.all(model.inverse_inertia == model.inverse_inertia[:, :1, :1] * np.eye(3), axis=(1, 2)), prescribed=prescribed,
        kind=model.geometry.kind, parameters=model.geometry.size, size_of=model.size.copy(),
        motion_body=np.array([b for b, _ in model.motions], np.int64), motion_velocity=np.zeros((1, len(model.motions), 6)),
        load_body=np.array([model.number_of[load.body] for load in model.loads], np.int64),
        load_in_body=np.array([load.frame == "body" for load in model.loads], bool),
        load_point=np.array(
            [load.point - model.centre_of_mass[model.number_of[load.body]] for load in model.loads], float
        ).reshape(-1, 3),
        load_value=np.zeros((1, len(model.loads), 6)),
    )  # fmt: skip
    rough = model.rough if len(model.rough) else np.zeros((len(model.surface_names), 3))
    space.put(rough=np.ascontiguousarray(rough), rough_key=np.arange(bodies))
    _put_laws(space, model, sheet)
    space["flat_law"] = np.array([lies_flat(law) for law in model.laws], bool)
    space["smooth"] = np.array([centred and is_smooth(law) for law in model.laws], bool)
    _put_joints(space, model.joints, free)
    return space


def _put_laws(space: Space, model: Model, sheet: LawSheet) -> None:
    plain = sheet.template.contact[:-1, 3].copy()
    restitution, tables = lay_out(model.bounce)
    disks = np.zeros((len(model.laws), 3))
    columns = {1: 0, 3: 1, 4: 2}
    lanes = plain == 1
    for i in range(len(model.laws)):
        for b in range(sheet.start[i], sheet.start[i] + sheet.count[i]):
            kind, row, size = sheet.block[b, :3]
            if kind != DISK or (int(row), int(size)) not in ((1, 2), (3, 1), (4, 2)):
                lanes[i] = False
                continue
            disks[i, columns[int(row)]] = sheet.template.coef[b, 0]
    lanes &= np.all(sheet.weight == 1.0, axis=1) & ~model.contour & ~np.array([law.varies for law in model.laws], bool)
    curve, coefficients = sheet.curves
    curves, calls, points = flatten(coefficients)
    space.put(
        law_first=np.ascontiguousarray(sheet.start), law_count=np.ascontiguousarray(sheet.count), law_plain=plain,
        law_block=sheet.block, law_coef=sheet.template.coef, law_lengths=sheet.template.lengths, law_weight=sheet.weight,
        law_uses=sheet.uses, disks=disks, parts=sheet.motions, in_lanes=lanes, own=sheet.template.own,
        restitution=restitution, restitution_table=tables, bounces=model.restitution > 0.0,
        ratio=model.ratio, equivalent=model.equivalent_radius, axis=model.axis, axis_of=model.axis_of,
        stiffness=np.ascontiguousarray(model.stiffness), elastic_load=model.elastic_load,
        contour=model.contour, viscosity=model.viscosity,
        at_mean=_at_mean(model, sheet), law_curve=curve, curves=curves, curve_call=calls, curve_points=points,
    )  # fmt: skip


def _at_mean(model: Model, sheet: LawSheet) -> NDArray[np.bool_]:
    """Which parts of the laws (L, 3), sliding, spinning, rolling, hold at the mean velocity of a step, see `slide`: those that
    depend on the direction of their own two rows.

    Flat sides of a set hold a velocity across them so fast that its mean would ring: such laws hold at the end.
    """
    found = np.zeros((len(model.laws), 3), bool)
    for i, law in enumerate(model.laws):
        if not law.varies and not is_smooth(law):
            blocks = sheet.block[sheet.start[i] : sheet.start[i] + sheet.count[i]]
            rounded = blocks[blocks[:, 0] != OWN, 1:3].tolist()
            angular = any(isinstance(one, Superellipse) and one.angular for one in (law, *getattr(law, "factors", ())))
            found[i] = [1, 2] in rounded and not angular, False, [4, 2] in rounded and not model.contour[i]
    return found


def _put_joints(space: Space, joints: JointArrays, movable: NDArray[np.bool_]) -> None:
    n = len(joints)
    held, first = held_rows(joints, movable)
    m = len(held)
    uses = joints.held.copy()
    driven = joints.driven >= 0
    uses[driven, joints.driven[driven]] = True
    space.put(
        joint_body=np.ascontiguousarray(joints.body), joint_anchor=np.ascontiguousarray(joints.anchor.reshape(2 * n, 3)),
        joint_axes=np.ascontiguousarray(joints.frame.reshape(2 * n, 3, 3)), joint_held=np.ascontiguousarray(joints.held),
        joint_driven=np.ascontiguousarray(joints.driven), joint_speed=joints.speed.copy(), joint_limit=joints.limit.copy(),
        joint_motor=np.ascontiguousarray(joints.motor), joint_distance=joints.length.copy(), joint_uses=uses, held=held,
        held_first=first, joint_role=joints.role, joint_stiffness=joints.stiffness, joint_damping=joints.damping,
        joint_rest=joints.rest.copy(), joint_bounce=joints.restitution, joint_x=start_of(joints),
    )  # fmt: skip
    entries = int(np.sum(np.arange(m) - first + 1))
    space.make(
        joint_frame=(2 * n, 3, 3), joint_point=(2 * n, 3), joint_error=(n, 6), joint_length=(n,), factor=(entries + m,),
        held_diagonal=(m,), held_right=(3 * m,),
    )  # fmt: skip


def start_of(joints: JointArrays) -> Array:
    """Where the rows of springs and limits are at the start, up to whole turns: 0, or a length [m]."""
    return joints.length.copy()


def held_rows(joints: JointArrays, movable: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Joint and row (m, 2) of all rows without a bound, in an order with a small envelope of their matrix; its first columns."""
    n = len(joints)
    if not n:
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    rows = joints.held.copy()
    free = np.flatnonzero((joints.driven >= 0) & np.isinf(joints.limit))
    rows[free, joints.driven[free]] = True
    owner = np.repeat(np.arange(n), 2)
    incidence = coo_array((np.ones(2 * n), (owner, joints.body.ravel())), shape=(n, len(movable))).tocsc()[:, movable]
    graph = (incidence @ incidence.T).tocsr()
    order = reverse_cuthill_mckee(graph, symmetric_mode=True)
    held = np.array([(j, k) for j in order for k in np.flatnonzero(rows[j])], np.int64).reshape(-1, 2)
    begins = np.full(n, len(held), np.int64)
    np.minimum.at(begins, held[:, 0], np.arange(len(held)))
    first = np.empty(len(held), np.int64)
    for i, (j, _) in enumerate(held):
        near = graph.indices[graph.indptr[j] : graph.indptr[j + 1]]
        first[i] = min(int(begins[near].min()), i)
    return held, first


# of impacts alone, beside what `make_room` makes
OF_IMPACTS = ("numbers", "options", "results", "taken", "v", "v_before", "j_rows", "free", "world")
ROWS_OF_IMPACTS = (
    "row_left",
    "row_push",
    "row_soft",
    "row_bias",
    "row_inverse",
    "row_work",
    "row_weight",
    "row_impulse",
)


def make_impact_space(space: Space, stages: Ints) -> Space:
    """The space in which an impact is solved: its own contacts and velocities, bodies, laws and joints of the step's space."""
    bodies = len(space["mass"])
    space.make(
        free_before=(bodies, 6),
        acceleration=(bodies, 6),
        kick=(bodies, 6),
        kick_time=(bodies, 6),
        last_turn=(bodies, 4),
        last_time=(bodies,),
    )
    space.make(bool, marked=(bodies,))
    space.put(given_impact=np.zeros(0, np.int64), given_rows=np.zeros((0, 1, 6)))
    own = Space(places.NAMES)
    for name in (*OF_IMPACTS, *(ROWS_OF_IMPACTS if "row_kind" in space else ())):
        own[name] = np.zeros_like(space[name])
    own["options"][places.TOLERANCE] = IMPACT_TOLERANCE
    own.put(**{name: space[name] for name in ("law_count", "curves", "smooth", "flat_law", "viscosity")})
    make_room(own, 0, 1)
    mine = {places.NAMES.index(name) for name in places.NAMES if name in own}
    shared = [k for k in range(len(places.NAMES)) if k not in mine]
    space.put(impact_space=own.at, impact_shared=np.array(shared, np.int64), impact_stages=stages)
    return own


def make_impact_room(space: Space, own: Space, joints: int, contacts: int) -> None:
    """Arrays for impacts among so many contacts."""
    n = joints + contacts
    make_room(own, joints, contacts)
    space.make(impact=(n, 6), old_force=(n, 6), closing=(contacts,), approach=(contacts,))
    space.make(bool, in_impact=(contacts,), stopped=(contacts,))
    space.make(np.int64, struck=(contacts,))


def make_room(space: Space, joints: int, contacts: int) -> None:
    """Arrays for so many contacts; the warm start is kept."""
    n, g = joints + contacts, contacts  # groups, at worst one per contact
    blocks = max(3, int(np.max(space["law_count"], initial=0))) * n + 1
    names = ("old_key", "old_impulse", "old_slip", "begin_key", "begin_gap", "begin_arm", "begin_normal")
    kept = {name: space[name] for name in names if name in space}
    faces = contacts if space["flat_law"].any() else 0
    slips = n if len(space["curves"]) or space["smooth"].any() or faces else 0
    space.make(
        point=(contacts, 3), normal=(contacts, 3), gap=(contacts,), radius=(contacts, 2), found_real=(contacts, REALS),
        frames=(contacts, 3, 3),
        frame=(n, 6, 3), arm=(n, 2, 3), bias=(n, 6), compliance=(n, 6), impulse=(n, 6), relative=(6 * n,), wanted=(n, 6),
        push=(n, 6), old_impulse=(n, 6), solved_impulse=(n, 6), late_push=(contacts,), begin_gap=(contacts,),
        begin_arm=(contacts, 2, 3), begin_normal=(contacts, 3), begin_velocity=(contacts, 6), l_frame=(n, 6, 3),
        l_arm=(n, 2, 3), l_bias=(n, 6),
        l_compliance=(n, 6), l_coef=(blocks, 6), l_weight=(6 * n,), l_length=(n,), l_rho=(n,), l_w_nn=(n,), l_step=(blocks,),
        l_p=(6 * n,), l_before=(6 * n,), l_z=(6 * n,), l_y=(6 * n,), l_change=(6 * n,), l_work=(6 * n,),
        old_slip=(slips, 3), slip=(slips, 15), slip_end=(slips, 3), centred=(slips, 7), face_radius=(faces,),
        records=(g, RECORD, LANES), lane_p=(g, 6, LANES), lane_before=(g, 6, LANES),
    )  # fmt: skip
    space.make(
        np.int64, face=(faces,), body=(contacts, 2), law=(contacts,), key=(contacts,), feature=(contacts,), begin_key=(contacts,),
        found=(contacts, WHOLES), order=(contacts,), by_second=(contacts,), link=(n, 2), old_key=(n,), solved_key=(contacts,),
        listed=(n + 1,), l_link=(n, 2), l_table=(n + 1, 4), l_block=(blocks, 4), filled=(g,), place=(contacts,),
    )  # fmt: skip
    space.make(np.int32, lane_body=(g, 2, LANES))
    space.make(
        bool,
        touching=(contacts,),
        followed=(contacts,),
        stuck=(contacts, 3),
        moving=(contacts, 3),
        l_uses=(n, 6),
        link_uses=(n, 6),
        l_lengths=(blocks, 6),
    )
    space.make(damped=(contacts if space["viscosity"].any() else 0, 2))
    space.put(units=np.ones(n), factors=np.ones(contacts))
    for name, old in kept.items():
        space[name][: len(old)] = old
