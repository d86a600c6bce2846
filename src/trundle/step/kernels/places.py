"""Places of the arrays that a time step works in, behind those of the search for contacts, see `trundle.kernels.space`.

B bodies, J joints, C contacts, N = J + C.
The arrays of contacts have room for more than there are: numbers[CONTACTS] says how many count.
"""

from __future__ import annotations

from trundle.detect.kernels import places as search
from trundle.detect.kernels.places import *  # noqa: F403 - so that a stage finds all of them in one place

(
    # state, the middle of the step, and its velocities: start, free, mean (B, 6), end (B + 1, 8)
    POSITION, ORIENTATION, BEFORE, START, MEAN, MOMENTUM, WORLD,
    # bodies (B,)
    MASS, INERTIA, INVERSE_MASS, INVERSE_INERTIA, ROUND, MOVES, MOVABLE, SIZE_OF, PRESCRIBED,
    KIND, PARAMETERS,
    # loads and prescribed motions, values for every step of an advance
    LOAD_BODY, LOAD_IN_BODY, LOAD_POINT, LOAD_VALUE, LOAD_IMPULSE, MOTION_BODY, MOTION_VELOCITY,
    # scalars, and the table of steps: see below
    RESULTS, STEPS, VERBS,
    # laws (L,): blocks one after the other; coefficients of disks, and which parts they have
    LAW_FIRST, LAW_COUNT, LAW_PLAIN, LAW_BLOCK, LAW_COEF, LAW_LENGTHS, LAW_WEIGHT, LAW_USES, DISKS, PARTS, IN_LANES, OWN,
    RESTITUTION, RESTITUTION_TABLE, BOUNCES, RATIO, AXIS, AXIS_OF, STIFFNESS, CONTOUR, VISCOSITY,
    # coefficients that vary: which of the curves each one of a block follows (blocks, 6), -1 for a number; curves, see `laws`
    LAW_CURVE, CURVES, CURVE_CALL, CURVE_POINTS, SMOOTH, FLAT_LAW,
    # joints (J,); axes, points of both bodies at the middle and at the end
    JOINT_BODY, JOINT_ANCHOR, JOINT_AXES, JOINT_HELD, JOINT_DRIVEN, JOINT_SPEED, JOINT_LIMIT, JOINT_MOTOR, JOINT_DISTANCE,
    JOINT_USES, JOINT_FRAME, JOINT_POINT, JOINT_ERROR, JOINT_LENGTH,
    # springs, servos and limits: `springs`; where they are at the end of the last step
    JOINT_ROLE, JOINT_STIFFNESS, JOINT_DAMPING, JOINT_REST, JOINT_BOUNCE, JOINT_X,
    # rows that joints hold: joint and row, first column of their envelope, the factor, diagonal, right-hand side
    HELD, HELD_FIRST, FACTOR, HELD_DIAGONAL, HELD_RIGHT,
    # slope, size and seed of the roughness of surfaces (S, 3), keys of it (B,); the way of a body (steps, 13); volume-equivalent
    # radii of bodies (B,)
    ROUGH, ROUGH_KEY, TRACK, EQUIVALENT,
    # contacts (C,)
    FRAMES, FACTORS, TOUCHING, FEATURE,
    # joints and contacts (N,): bodies, directions, arms; rows (N, 6) in SI units
    LINK, FRAME, ARM, BIAS, COMPLIANCE, IMPULSE, UNITS, RELATIVE, WANTED, PUSH, LINK_USES,
    # impacts: free velocities without them, accelerations, kicks, and kicks times their times (B, 6); orientations and times of
    # the last impacts of bodies; impulses and forces (N, 6); when contacts close, how fast, whether they are struck, whether a
    # slow impact stopped them, how many impacts they began (C,); the space in which an impact is solved, what it shares with
    # this one, its stages
    FREE_BEFORE, ACCELERATION, KICK, KICK_TIME, LAST_TURN, LAST_TIME, MARKED, IMPACT, OLD_FORCE, CLOSING, APPROACH, IN_IMPACT,
    STOPPED, STRUCK, IMPACT_SPACE, IMPACT_SHARED, IMPACT_STAGES,
    # position correction: displacements and turns (B, 6), and where bodies were
    SHIFT, PLACE_BEFORE, TURN_BEFORE,
    # warm start: contacts and impulses of the last step
    OLD_KEY, OLD_IMPULSE,
    # where coefficients vary: speeds (N, 3 or 15) after the last step, at the beginning and at the end; targets; see `vary`
    OLD_SLIP, SLIP, SLIP_END, CENTRED,
    # faces that lie flat: what a contact is, and the radius of a face (C,); see `faces`
    FACE, FACE_RADIUS,
    # contacts at the beginning of the step (C,)
    BEGIN_KEY, BEGIN_GAP, BEGIN_ARM, BEGIN_NORMAL, FOLLOWED, STUCK,
    # their velocities then, along the rows of the middle (C, 6); which parts of them (C, 3) and of laws (L, 3) hold at the mean
    BEGIN_VELOCITY, MOVING, AT_MEAN,
    # warm start after contacts were added ahead: those that the step has
    SOLVED_KEY, SOLVED_IMPULSE,
    # links that are visited one by one, scaled: laws that are more than disks, compliant contacts, bounded rows of joints
    LISTED, L_LINK, L_FRAME, L_ARM, L_BIAS, L_COMPLIANCE, L_USES, L_TABLE, L_BLOCK, L_COEF, L_LENGTHS, L_WEIGHT, L_LENGTH,
    L_RHO, L_W_NN, L_STEP, L_P, L_BEFORE, L_Z, L_Y, L_CHANGE, L_WORK, SMALL,
    # links that are visited eight at a time
    TAKEN, FILLED, PLACE, LANE_BODY, RECORDS, LANE_P, LANE_BEFORE, BEST_ROWS, V, V_BEFORE, J_ROWS,
    # rows of any gradient, and loads of fields (B, 6) [N, N m]: see `rows`
    ROW_KIND, ROW_HELD, ROW_FIRST, ROW_BODY, ROW_LEFT, ROW_RIGHT, ROW_PUSH, ROW_SOFT, ROW_BIAS, ROW_KNOWN, ROW_BLOCK,
    ROW_INVERSE, ROW_WORK, ROW_WEIGHT, ROW_IMPULSE, FIELD_FORCE,
    # impulses of rows in the last step, and in the impacts of this one (m,)
    ROW_OLD, ROW_IMPACT,
    # loads at which springs of round surfaces are linearised (L,)
    ELASTIC_LOAD,
    # impulses of viscous rolling between two bodies that can both be pushed (C, 2)
    DAMPED,
    # which solutions of impacts others have found, and their impulses (k, N, 6)
    GIVEN_IMPACT, GIVEN_ROWS,
) = range(131, 325)  # fmt: skip
_own = [name for name in globals() if name.isupper() and name not in vars(search)]
NAMES = (*search.NAMES, *sorted((name.lower() for name in _own), key=lambda name: globals()[name.upper()]))

# numbers: whole scalars
(
    KNOWN, GROUPS, LISTED_COUNT, SWEEPS, LIMIT, SWAPPED, STILL, TO_SEARCH, TO_END, MOST, TO_FLIGHT, BEGIN_COUNT, SOLVED, IMPACTS,
    SMALL_ENOUGH, LARGE_LIMIT, TO_SOLVE, ROUNDS, EVERYONE, CALM,
    IMPACT_HELP, IMPACT_SOLUTIONS, IMPACT_ASKS, GIVEN_COUNT, TO_AHEAD,
) = range(11, 36)  # fmt: skip
NUMBER_COUNT = 36
# options: real scalars that do not change within a run
(
    THETA, TOLERANCE, CLOSED_GAP, ROLLING_CLOSED, RELAXED, COMPLIANT, LEAST_SIZE, FINE, IMPACT_MODE, KEEPS_MOMENTUM, STILLED,
) = range(2, 13)  # fmt: skip
OPTION_COUNT = 13
# results: real scalars of the step
RESIDUAL, Q_SIZE, NOISE, TOTAL, ELASTIC, VISCOUS, GIVEN, BETA, SUM, AGAINST, SPEEDS = range(11)
# what impacts took, by rows; how far they are from solved, and the velocities that this is relative to
(
    LOST_NORMAL, LOST_SLIDING, LOST_SPINNING, LOST_ROLLING, LOST_JOINTS, LOST_MOTORS, LOST_GIVEN, IMPACT_RESIDUAL, IMPACT_SIZE,
    LOST_ROWS, GIVEN_BY_ROWS,
) = range(11, 22)  # fmt: skip
SPRUNG = 22  # energy in springs of joints
ROW_EXTERNAL, ROW_LOSS = 23, 24  # what fields and constraints that time moves give, and what constraints take
RESULT_COUNT = 25
# columns of the table of steps
(
    S_CONTACTS, S_RESIDUAL, S_SWEEPS, S_CONVERGED, S_KINETIC, S_POTENTIAL, S_ELASTIC, S_EXTERNAL, S_POURED, S_SLIDING, S_ROLLING,
    S_SPINNING, S_IMPACT, S_JOINTS, S_NUMERICAL, S_OVERLAP, S_DEPTH, S_ONE, S_OTHER, S_WAY,
) = range(20)  # fmt: skip
COLUMNS = 20
# what every kind of links can do, columns of verbs: see `solution`
APPLY, BEGIN, SWEEP, JUDGE, MEASURE, WRITE, READ, CALM_SWEEP = range(8)
VERB_COUNT = 8
# codes of stages that ask for Python
(
    NO_AXIS, NO_RIM, FLAT, UNSOLVED, DEEP, OVERLAP, FAR, DRIFTED, UNSOLVED_IMPACT,
) = range(6, 15)  # fmt: skip
