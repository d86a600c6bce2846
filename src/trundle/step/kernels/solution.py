"""The stage that solves the contact problem of a step by accelerated sweeps over all links.  Never raises.

Links are of several kinds, visited one after the other in a sweep: lanes, eight contacts at a time; listed links, one by one;
and the rows that joints hold, all at once.  Each kind has the same verbs, stages that `solve_links` calls by address:

    apply   velocities += M^-1 H^T p                        begin   forget momentum
    sweep   visit all, from extrapolated impulses           judge   results[SUM] += square of the natural map, units of velocity
    write   impulses to rows (N, 6), SI units               read    the inverse of write
    measure results[SUM] += square of the velocities v, results[SPEEDS] += square of the speeds that they are differences of
    calm    as sweep, but slower and less apt to go round in circles: where sweeps stall, and numbers[CALM] says so

A sweep reads results[BETA], the momentum, and adds to results[SUM] the square of the change in units of velocity and to
results[AGAINST] the restart test, (extrapolated - new) . (new - p).  Present velocities are v, those before them v_before, and
so it is with impulses: after every sweep the two change their roles, numbers[SWAPPED].
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.contact.kernels.rigid import ROUNDING
from trundle.kernels.rotations import INNER
from trundle.kernels.space import GO_ON, call_stage, clear2, copy2, real1, real2, whole1, whole2
from trundle.step.kernels import places as P

FIRST, NEXT = 6, 10  # sweeps before looks at the residual
LOOK, LOOK_EVERY = 1.25, 100  # look again when the change has fallen as the residual should, and now and then anyway
GROWTH, CALM_GROWTH = 2.0, 1.5  # of the change since the last restart, from which on momentum is given up
ROUND, PROGRESS = 60, 0.5  # sweeps that must reduce the change by a factor, or momentum starts again,
STALLS, CALM_STALLS = 1, 8  # and after so many such rounds with the other kind of sweeps
PER_CONTACT = 2  # sweeps more before Newton: its matrix costs more the more contacts there are
EVERYONE = 2  # pairs of sweeps, in the first of which contacts that carry nothing are visited, too
POLISH = 50  # sweeps for another digit, for fine tolerances


@njit(**INNER)
def every_kind(at, verb):
    """Let every kind of links do something."""
    verbs = whole2(at, P.VERBS)
    for k in range(verbs.shape[0]):
        call_stage(verbs[k, verb], at)


@njit(**INNER)
def refresh(at):
    """Velocities of the present impulses, v = v_free + M^-1 H^T p, without the rounding that sweeps gather."""
    v, free = real2(at, P.V), real2(at, P.FREE)
    for i in range(free.shape[0]):
        for k in range(6):
            v[i, k] = free[i, k]
    every_kind(at, P.APPLY)


@njit(**INNER)
def residual_at(at, results):
    """Natural map at the present impulses and velocities, relative to the size of the free velocities."""
    results[P.SUM] = 0.0
    every_kind(at, P.JUDGE)
    return max(0.0, math.sqrt(results[P.SUM]) - results[P.NOISE]) / results[P.Q_SIZE]


@njit(**INNER)
def sweep_once(at, results, state, v, vz):
    """One accelerated sweep; new velocities are in vz.  Returns the norm of the change.

    state: theta, smallest change since the restart.
    """
    beta = results[P.BETA]
    for i in range(v.shape[0]):
        for k in range(6):
            vz[i, k] = v[i, k] + beta * (v[i, k] - vz[i, k])
    results[P.SUM], results[P.AGAINST] = 0.0, 0.0
    calm = whole1(at, P.NUMBERS)[P.CALM] != 0
    every_kind(at, P.CALM_SWEEP if calm else P.SWEEP)
    change = math.sqrt(results[P.SUM])
    grown = change > (CALM_GROWTH if calm else GROWTH) * state[1]
    restart = results[P.AGAINST] > 0.0 or grown
    theta = 0.5 * (1.0 + math.sqrt(1.0 + 4.0 * state[0] * state[0]))
    results[P.BETA] = 0.0 if restart else (state[0] - 1.0) / theta
    state[0] = 1.0 if restart else theta
    state[1] = np.inf if grown else change if restart else min(state[1], change)
    return change


@njit(**INNER)
def sweep_many(at, numbers, results, state, count):
    """An even number of sweeps: present impulses and velocities are in their places afterwards."""
    v, vz, change = real2(at, P.V), real2(at, P.V_BEFORE), 0.0
    for k in range(count // 2):
        numbers[P.EVERYONE] = 1 if k % EVERYONE == 0 else 0
        sweep_once(at, results, state, v, vz)
        numbers[P.SWAPPED], numbers[P.EVERYONE] = 1, 0
        change = sweep_once(at, results, state, vz, v)
        numbers[P.SWAPPED] = 0
    numbers[P.SWEEPS] += count
    return change


@njit(**INNER)
def polish(at, numbers, results, state, residual):
    """Some more sweeps for another digit: velocities of a stack are several times as large as its residual."""
    done, goal = 0, 0.1 * real1(at, P.OPTIONS)[P.TOLERANCE]
    every_kind(at, P.WRITE)
    while residual > goal and done < POLISH:
        sweep_many(at, numbers, results, state, NEXT)
        done += NEXT
        refresh(at)
        reached = residual_at(at, results)
        if reached < residual:
            residual = reached
            every_kind(at, P.WRITE)
    every_kind(at, P.READ)
    refresh(at)
    return residual


@njit(**INNER)
def measure_free(at, results):
    """Size of the free velocities of all rows, to which the residual is relative, and their rounding; v: free velocities."""
    v, free = real2(at, P.V), real2(at, P.FREE)
    for i in range(free.shape[0]):
        for k in range(6):
            v[i, k] = free[i, k]
    results[P.SUM], results[P.SPEEDS] = 0.0, 0.0
    every_kind(at, P.MEASURE)
    results[P.Q_SIZE] = math.sqrt(results[P.SUM]) if results[P.SUM] > 0.0 else 1.0
    results[P.NOISE] = ROUNDING * math.sqrt(results[P.SPEEDS])
    # free velocities that are rounding: no impulses are needed
    whole1(at, P.NUMBERS)[P.STILL] = 1 if math.sqrt(results[P.SUM]) <= results[P.NOISE] else 0


def measure_velocity(at):
    """What the residual is relative to, before the first sweep."""
    measure_free(at, real1(at, P.RESULTS))
    return GO_ON


def solve_links(at):
    """Sweep until the residual is below the tolerance; asks for help if it is not after so many sweeps."""
    numbers, options, results = whole1(at, P.NUMBERS), real1(at, P.OPTIONS), real1(at, P.RESULTS)
    tolerance, state = options[P.TOLERANCE], np.empty(2)
    state[0], state[1], results[P.BETA], numbers[P.CALM] = 1.0, np.inf, 0.0, 0
    if numbers[P.STILL]:
        rows = real2(at, P.IMPULSE)
        clear2(rows, whole2(at, P.JOINT_BODY).shape[0] + numbers[P.CONTACTS])
        every_kind(at, P.READ)
        refresh(at)
        results[P.RESIDUAL] = 0.0
        return GO_ON
    every_kind(at, P.READ)
    refresh(at)
    copy2(real2(at, P.V), real2(at, P.V_BEFORE), real2(at, P.V).shape[0])
    every_kind(at, P.BEGIN)
    far = close = 5.0 * (tolerance * results[P.Q_SIZE] + results[P.NOISE])
    count, first, n = FIRST, numbers[P.SWEEPS], numbers[P.CONTACTS]
    most = numbers[P.MOST] - first  # of a step, however often it is solved
    least, last, turn, stalls = np.inf, np.inf, ROUND, 0
    while True:
        change = sweep_many(at, numbers, results, state, count)
        done, count = numbers[P.SWEEPS] - first, NEXT
        least = min(least, change)
        if done >= turn:
            if least > PROGRESS * last:  # momentum goes round in circles
                refresh(at)
                copy2(real2(at, P.V), real2(at, P.V_BEFORE), real2(at, P.V).shape[0])
                every_kind(at, P.BEGIN)
                state[0], state[1], results[P.BETA] = 1.0, np.inf, 0.0
                stalls += 1
                if stalls >= (CALM_STALLS if numbers[P.CALM] else STALLS):
                    numbers[P.CALM], stalls, least = 1 - numbers[P.CALM], 0, np.inf
            least, last, turn = np.inf, least, done + ROUND
        enough = numbers[P.LIMIT] + PER_CONTACT * n if n <= numbers[P.SMALL_ENOUGH] else numbers[P.LARGE_LIMIT]
        over = done >= min(enough, most)
        if not (over or change <= close or (change <= far and done % LOOK_EVERY < NEXT)):
            continue
        refresh(at)
        residual = residual_at(at, results)
        if residual <= tolerance or over:
            if residual <= tolerance and tolerance <= options[P.FINE]:
                residual = polish(at, numbers, results, state, residual)
            results[P.RESIDUAL] = residual
            every_kind(at, P.WRITE)
            return GO_ON if residual <= tolerance else P.UNSOLVED
        close = max(LOOK * change * tolerance / residual, results[P.NOISE])


def ask_solver(at):
    """The problem is solved by a solver of the user's choice."""
    return P.UNSOLVED


def judge(at):
    """Velocities and residual that belong to impulses which others have found."""
    results = real1(at, P.RESULTS)
    every_kind(at, P.READ)
    refresh(at)
    results[P.RESIDUAL] = residual_at(at, results)
    return GO_ON
