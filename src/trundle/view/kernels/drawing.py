"""A small renderer: spheres by their equation, triangles by rasterising, planes by ray; one depth for all.

Camera coordinates: x to the right, y up, z ahead, the eye at 0.  Pixel (row i, column j) looks along
((j + 0.5 - width / 2) / f, (height / 2 - i - 0.5) / f, 1).  Lengths in any unit, colours from 0 to 1.
"""

import math

import numpy as np
from numba import njit

LIGHT = (-0.4504, 0.6005, -0.6606)  # from the left above the camera, in camera coordinates
NEAR = 1e-3  # nothing nearer is drawn


@njit(cache=True)
def shade(image, i, j, r, g, b, nx, ny, nz, vx, vy, vz, up):
    """Colour a pixel: the surface's colour, its normal, the direction to the eye, and the world's up."""
    sky = 0.5 + 0.5 * (nx * up[0] + ny * up[1] + nz * up[2])
    key = max(nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2], 0.0)
    facing = max(nx * vx + ny * vy + nz * vz, 0.0)
    edge = min(facing / 0.55, 1.0)
    edge = 0.62 + 0.38 * edge * edge * (3.0 - 2.0 * edge)
    hx, hy, hz = LIGHT[0] + vx, LIGHT[1] + vy, LIGHT[2] + vz
    shine = max((nx * hx + ny * hy + nz * hz) / math.sqrt(hx * hx + hy * hy + hz * hz), 0.0) ** 32
    light = (0.44 + 0.26 * sky + 0.42 * key) * edge
    image[i, j, 0] = min(r * light + 0.1 * shine, 1.0)
    image[i, j, 1] = min(g * light + 0.1 * shine, 1.0)
    image[i, j, 2] = min(b * light + 0.1 * shine, 1.0)


@njit(cache=True)
def draw_spheres(image, depth, f, centre, radius, turn, tint, up):
    """Spheres with sectors that show their rotation.

    centre (N, 3) in camera coordinates; turn (N, 3, 3) from the camera's frame to the body's; tint (N, 3).
    """
    height, width = depth.shape
    for s in range(len(radius)):
        cx, cy, cz, r = centre[s, 0], centre[s, 1], centre[s, 2], radius[s]
        if cz - r < NEAR:
            continue
        # tangents from the eye to the sphere, seen from above and from the side
        inverse = 1.0 / (cz * cz - r * r)
        across, along_x = cx * cz * inverse, r * math.sqrt(cx * cx + cz * cz - r * r) * inverse
        upward, along_y = cy * cz * inverse, r * math.sqrt(cy * cy + cz * cz - r * r) * inverse
        left = max(0, int(width / 2 + f * (across - along_x)))
        right = min(width, int(width / 2 + f * (across + along_x)) + 1)
        first = max(0, int(height / 2 - f * (upward + along_y)))
        last = min(height, int(height / 2 - f * (upward - along_y)) + 1)
        detail = min(max((f * r / cz - 4.0) / 5.0, 0.0), 1.0)
        for i in range(first, last):
            dy = (height / 2 - i - 0.5) / f
            for j in range(left, right):
                dx = (j + 0.5 - width / 2) / f
                inverse = 1.0 / math.sqrt(dx * dx + dy * dy + 1.0)
                along = (dx * cx + dy * cy + cz) * inverse
                ox, oy, oz = cx - along * dx * inverse, cy - along * dy * inverse, cz - along * inverse
                inside = r * r - ox * ox - oy * oy - oz * oz
                if inside < 0.0:
                    continue
                t = (along - math.sqrt(inside)) * inverse
                if t >= depth[i, j] or t < NEAR:
                    continue
                depth[i, j] = t
                nx, ny, nz = (t * dx - cx) / r, (t * dy - cy) / r, (t - cz) / r
                own_x = turn[s, 0, 0] * nx + turn[s, 0, 1] * ny + turn[s, 0, 2] * nz
                own_y = turn[s, 1, 0] * nx + turn[s, 1, 1] * ny + turn[s, 1, 2] * nz
                sector = 0.92 + detail * ((1.0 if own_x * own_y > 0.0 else 0.78) - 0.92)
                shade(
                    image, i, j, tint[s, 0] * sector, tint[s, 1] * sector, tint[s, 2] * sector, nx, ny, nz,
                    -dx * inverse, -dy * inverse, -inverse, up,
                )  # fmt: skip


@njit(cache=True)
def draw_triangles(image, depth, f, corner, normal, tint, up):
    """Triangles with corner (T, 3, 3), normal (T, 3, 3) at the corners, tint (T, 3); seen from both sides."""
    height, width = depth.shape
    for t in range(len(corner)):
        a, b, c = corner[t, 0], corner[t, 1], corner[t, 2]
        if min(a[2], min(b[2], c[2])) < NEAR:
            continue
        ax, ay = width / 2 + f * a[0] / a[2], height / 2 - f * a[1] / a[2]
        bx, by = width / 2 + f * b[0] / b[2], height / 2 - f * b[1] / b[2]
        cx, cy = width / 2 + f * c[0] / c[2], height / 2 - f * c[1] / c[2]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if abs(area) < 1e-12:
            continue
        first = max(0, int(math.floor(min(ay, min(by, cy)) - 0.5)))
        last = min(height, int(math.ceil(max(ay, max(by, cy)) + 0.5)))
        left = max(0, int(math.floor(min(ax, min(bx, cx)) - 0.5)))
        right = min(width, int(math.ceil(max(ax, max(bx, cx)) + 0.5)))
        for i in range(first, last):
            y = i + 0.5
            for j in range(left, right):
                x = j + 0.5
                wa = ((bx - x) * (cy - y) - (cx - x) * (by - y)) / area
                wb = ((cx - x) * (ay - y) - (ax - x) * (cy - y)) / area
                wc = 1.0 - wa - wb
                if wa < 0.0 or wb < 0.0 or wc < 0.0:
                    continue
                z = 1.0 / (wa / a[2] + wb / b[2] + wc / c[2])
                if z >= depth[i, j]:
                    continue
                depth[i, j] = z
                pa, pb, pc = wa * z / a[2], wb * z / b[2], wc * z / c[2]
                nx = pa * normal[t, 0, 0] + pb * normal[t, 1, 0] + pc * normal[t, 2, 0]
                ny = pa * normal[t, 0, 1] + pb * normal[t, 1, 1] + pc * normal[t, 2, 1]
                nz = pa * normal[t, 0, 2] + pb * normal[t, 1, 2] + pc * normal[t, 2, 2]
                dx, dy = (x - width / 2) / f, (height / 2 - y) / f
                inverse = 1.0 / math.sqrt(dx * dx + dy * dy + 1.0)
                size = math.sqrt(nx * nx + ny * ny + nz * nz) + 1e-30
                side = -1.0 if nx * dx + ny * dy + nz > 0.0 else 1.0
                shade(
                    image, i, j, tint[t, 0], tint[t, 1], tint[t, 2], side * nx / size, side * ny / size,
                    side * nz / size, -dx * inverse, -dy * inverse, -inverse, up,
                )  # fmt: skip


@njit(cache=True)
def draw_plane(image, depth, f, place, normal, first, second, cell, reach, fill, ground, line):
    """A plane through `place` with a grid along `first` and `second` that fades out at `reach`.

    Only where nothing nearer was drawn; seen from behind, there are only lines.
    """
    height, width = depth.shape
    height_of_eye = -(place[0] * normal[0] + place[1] * normal[1] + place[2] * normal[2])
    front = height_of_eye > 0.0
    for i in range(height):
        dy = (height / 2 - i - 0.5) / f
        for j in range(width):
            dx = (j + 0.5 - width / 2) / f
            down = dx * normal[0] + dy * normal[1] + normal[2]
            if abs(down) < 1e-12:
                continue
            t = -height_of_eye / down
            if t < NEAR or t >= depth[i, j]:
                continue
            x, y, z = t * dx - place[0], t * dy - place[1], t - place[2]
            u = x * first[0] + y * first[1] + z * first[2]
            v = x * second[0] + y * second[1] + z * second[2]
            away = math.sqrt(u * u + v * v) / reach
            if away >= 1.0:
                continue
            fade = 1.0 - min(max((away - 0.35) / 0.65, 0.0), 1.0)
            # width of a pixel on the plane: across the line of sight, and stretched along it
            pixel = t / f * max(1.0, 0.5 * math.sqrt(1.0 + dx * dx + dy * dy) / abs(down))
            strength = 0.0
            for k in range(2):
                spacing = cell if k == 0 else 10.0 * cell
                near = min(abs(u - spacing * np.rint(u / spacing)), abs(v - spacing * np.rint(v / spacing))) / pixel
                dense = min(max((0.7 - pixel / spacing) / 0.5, 0.0), 1.0)
                strength += (0.55 if k == 0 else 0.75) * max(0.0, 1.2 - near) * dense
            strength = min(strength, 1.0)
            opacity = max(fill if front else 0.0, 0.5 * strength * (1.0 if front else 0.35)) * fade
            for c in range(3):
                colour = ground[c] + strength * (line[c] - ground[c])
                image[i, j, c] += opacity * (colour - image[i, j, c])
