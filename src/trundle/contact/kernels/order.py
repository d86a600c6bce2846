"""The order in which grains' contacts are swept: slab by slab, in a slab cell by cell, in groups of eight; compiled.

Never raises.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from trundle.kernels.lanes import LANES
from trundle.kernels.search import place_of
from trundle.laws.kernels.curves import JIT

COLOURS = 8


@njit(nogil=True, **JIT)
def measure(body, inverse_mass, point, position, low, high):
    """Box around the contact points, low and high (3,); returns the longest arm, from a movable body's centre to a point [m]."""
    arm = 0.0
    low[:] = np.inf if body.shape[0] else 0.0
    high[:] = -np.inf if body.shape[0] else 0.0
    for c in range(body.shape[0]):
        for k in range(3):
            low[k] = min(low[k], point[c, k])
            high[k] = max(high[k], point[c, k])
        for side in range(2):
            i = body[c, side]
            if inverse_mass[i] > 0.0:
                square = 0.0
                for k in range(3):
                    square += (point[c, k] - position[i, k]) ** 2
                arm = max(arm, square)
    return math.sqrt(arm)


@njit(nogil=True, **JIT)
def cells_of(point, low, high, arm, per_cell, cell, grid):
    """Sort contacts into cubic cells of about `per_cell` contacts; returns the number of cells, of all eight colours.

    Cells of one colour (parities of their three numbers) are not neighbours: sweeps that go from colour to colour converge
    faster.  low, high (3,): box around the contact points; grid (4,): cells along the axes, cells per colour.
    """
    n = point.shape[0]
    edge = 2.0 * arm
    if n <= per_cell:
        edge = np.inf
    else:
        volume = 1.0
        for k in range(3):
            volume *= max(high[k] - low[k], edge)
        edge = max(edge, (volume * per_cell / n) ** (1.0 / 3.0))
    for k in range(3):
        # pairs of cells, so that each colour has as many
        grid[k] = 2 * (int(0.5 * (high[k] - low[k]) / edge) + 1)
    grid[3] = grid[0] * grid[1] * grid[2] // COLOURS
    for c in range(n):
        colour, number = 0, 0
        for k in range(3):
            i = min(int((point[c, k] - low[k]) / edge), grid[k] - 1)
            colour = 2 * colour + (i & 1)
            number = number * (grid[k] // 2) + (i >> 1)
        cell[c] = colour * grid[3] + number
    return COLOURS * grid[3]


@njit(nogil=True, **JIT)
def slabs_of(point, low, high, arm, per_slab, bins, slab):
    """Cut the pile into slabs of about as many contacts each; slab (C,): even ones first; returns their number, 1 or 4, 8, 16 ...

    Slabs across the longest axis, at least `per_slab` contacts each, and thicker than a movable body reaches: two even slabs,
    or two odd ones, share no movable body, and can be swept in any order, or at once, to the same bits.  bins (N,): work.
    """
    n, most = point.shape[0], bins.shape[0]
    axis = 0
    for k in range(1, 3):
        if high[k] - low[k] > high[axis] - low[axis]:
            axis = k
    width = (high[axis] - low[axis]) * (1.0 + 1e-12) / most
    thin = int(2.0 * arm * (1.0 + 1e-9) / width) + 1 if width > 0.0 else most
    count = 1
    while 2 * count * per_slab <= n and 2 * count * thin <= most:
        count *= 2
    if count < 4:
        slab[:] = 0
        return 1
    bins[:] = 0
    for c in range(n):
        bins[min(int((point[c, axis] - low[axis]) / width), most - 1)] += 1
    number, filled, since = 0, 0, 0
    for k in range(most):
        if number < count - 1 and since >= thin and filled + 0.5 * bins[k] >= (number + 1) * n / count:
            number += 1
            since = 0
        filled += bins[k]
        since += 1
        bins[k] = (number & 1) * (count // 2) + (number >> 1)
    for c in range(n):
        slab[c] = bins[min(int((point[c, axis] - low[axis]) / width), most - 1)]
    return count


@njit(nogil=True, **JIT)
def order_by_cells(cell, cells, first, order):
    """Contacts cell by cell (C,), and where each cell begins (cells + 1).

    Within a cell in a scattered order: neighbours one after the other make sweeps slower to converge, and to compute.
    """
    n = cell.shape[0]
    for k in range(cells + 1):
        first[k] = 0
    for c in range(n):
        first[cell[c] + 1] += 1
    for k in range(cells):
        first[k + 1] += first[k]
    stride = max(1, int(0.6180339887498949 * n))
    while gcd(stride, n) > 1:
        stride += 1
    c = 0
    for _ in range(n):
        order[first[cell[c]]] = c
        first[cell[c]] += 1
        c += stride
        if c >= n:
            c -= n
    for k in range(cells, 0, -1):
        first[k] = first[k - 1]
    first[0] = 0


@njit(**JIT)
def gcd(a, b):
    while b > 0:
        a, b = b, a % b
    return a


@njit(nogil=True, **JIT)
def order_by_slabs(by_cells, slab, start, order):
    """Contacts slab by slab, within a slab as they were; start (slabs + 1,): where each begins."""
    slabs = start.shape[0] - 1
    start[:] = 0
    for c in range(slab.shape[0]):
        start[slab[c] + 1] += 1
    for k in range(slabs):
        start[k + 1] += start[k]
    for m in range(by_cells.shape[0]):
        c = by_cells[m]
        order[start[slab[c]]] = c
        start[slab[c]] += 1
    for k in range(slabs, 0, -1):
        start[k] = start[k - 1]
    start[0] = 0


@njit(nogil=True, **JIT)
def find_idle(key, old_key, old, body, normal, gap, v, h, idle, first, last):
    """Contacts first to last - 1 that will hardly carry anything: without load until now, and open if bodies move freely."""
    n = old_key.shape[0]
    j = place_of(old_key, n, key[first]) if first < last else n
    for c in range(first, last):
        while j < n and old_key[j] < key[c]:
            j += 1
        idle[c] = False
        if j < n and old_key[j] == key[c] and old[j, 0] > 0.0:
            continue
        a, b = body[c, 0], body[c, 1]
        opening = 0.0
        for k in range(3):
            opening += normal[c, k] * (v[b, k] - v[a, k])
        idle[c] = gap[c] + h * opening > 0.0


@njit(nogil=True, **JIT)
def find_all_idle(start, key, old_key, old, body, normal, gap, v, h, idle):
    """Which contacts will hardly carry anything, idle (C,)."""
    find_idle(key, old_key, old, body, normal, gap, v, h, idle, 0, key.shape[0])


@njit(nogil=True, **JIT)
def group_slab(t, start, order, body, inverse_mass, idle, latest, filled, place):
    """Put the contacts of slab t into groups of eight that share no movable body; returns the number of groups.

    A contact goes into the first group with room after the groups of all earlier contacts of its bodies: sweeps over groups
    do the same as sweeps over contacts in their order.  Idle contacts come last, in groups of their own: a group of which
    none carries anything is soon done.  place (C,): 8 g + l, counted from the slab's first group;
    latest (B,), filled (C,): work, that of the slab's groups begins at start[t]; latest has no number above that.
    """
    first = start[t]
    end = first  # groups so far
    for s in range(start[t], start[t + 1]):
        filled[s] = 0
    for turn in range(2):
        open_from = end  # the first group that has room
        for s in range(start[t], start[t + 1]):
            c = order[s]
            if idle[c] != (turn == 1):
                continue
            a, b = body[c, 0], body[c, 1]
            g = open_from
            if inverse_mass[a] > 0.0:
                g = max(g, latest[a] + 1)
            if inverse_mass[b] > 0.0:
                g = max(g, latest[b] + 1)
            while g < end and filled[g] == LANES:
                g += 1
            end = max(end, g + 1)
            place[c] = LANES * (g - first) + filled[g]
            filled[g] += 1
            if inverse_mass[a] > 0.0:
                latest[a] = g
            if inverse_mass[b] > 0.0:
                latest[b] = g
            while open_from < end and filled[open_from] == LANES:
                open_from += 1
    return end - first


@njit(nogil=True, **JIT)
def group_all(start, order, body, inverse_mass, idle, latest, filled, place, groups):
    """The groups of all slabs; groups (slabs,): how many each has."""
    latest[:] = -1
    for t in range(groups.shape[0]):
        groups[t] = group_slab(t, start, order, body, inverse_mass, idle, latest, filled, place)


@njit(nogil=True, **JIT)
def number_places(groups, slab, start, place, order):
    """Count groups and places from the first slab on: start (slabs + 1,), place (C,); order (8 G,): contacts, -1 for none."""
    start[0] = 0
    for t in range(groups.shape[0]):
        start[t + 1] = start[t] + groups[t]
    order[:] = -1
    for c in range(place.shape[0]):
        place[c] += LANES * start[slab[c]]
        order[place[c]] = c


@njit(nogil=True, **JIT)
def bodies_of_slabs(order, start, body, inverse_mass, seen, visited, first):
    """Movable bodies by the slabs that visit them first: visited (B,), those of slab t from first[t] on."""
    seen[:] = False
    count = 0
    for t in range(start.shape[0] - 1):
        first[t] = count
        for s in range(LANES * start[t], LANES * start[t + 1]):
            if order[s] < 0:
                continue
            for side in range(2):
                b = body[order[s], side]
                if inverse_mass[b] > 0.0 and not seen[b]:
                    seen[b] = True
                    visited[count] = b
                    count += 1
    first[start.shape[0] - 1] = count


@njit(nogil=True, **JIT)
def share_out(start, share):
    """Slabs for each thread, share (2, threads + 1): first the even ones, then the odd ones, about as many groups each."""
    threads, slabs = share.shape[1] - 1, start.shape[0] - 1
    half = (slabs + 1) // 2
    for k in range(2):
        first, last = (0, half) if k == 0 else (half, slabs)
        t = first
        for w in range(threads):
            share[k, w] = t
            goal = start[first] + (w + 1) * (start[last] - start[first]) / threads
            while t < last and 0.5 * (start[t] + start[t + 1]) < goal:
                t += 1
        share[k, threads] = last
