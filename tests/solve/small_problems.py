"""Small contact problems of rigid spheres, with any law: what the solvers are tested on.

The free velocity is that of moving bodies, q = H v, so that resting bodies are an admissible motion and the
problem has a solution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from trundle import ContactProblem, laws

MASS, RADIUS = 0.3, 0.05  # [kg], [m]
INERTIA = 0.4 * MASS * RADIUS**2  # of a sphere [kg m^2]
ROWS = ("n", "t1", "t2", "s", "r1", "r2")


@laws.own(rows=("t1", "t2"))
class Disk:
    """Coulomb's disk once more, as a law of one's own."""

    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        norm = math.hypot(f[0], f[1])
        share = 1.0 if norm <= c[0] * r_n else c[0] * r_n / norm
        out[0] = share * f[0]
        out[1] = share * f[1]

    def support(w, c):
        return c[0] * math.hypot(w[0], w[1])


@laws.own(rows=("t1", "t2"))
class CutDisk:
    """A disk cut off by a square of half-width `side`: flat where it slides along an axis, round between."""

    mu: laws.Ratio
    side: laws.Ratio

    def project_section(f, r_n, c, out):
        # by symmetry in the first octant: onto the side, the disk, or the corner between them
        a, b = max(abs(f[0]), abs(f[1])), min(abs(f[0]), abs(f[1]))
        side = c[1] * r_n
        radius = c[0] * r_n
        x, y = a, b
        norm = math.hypot(a, b)
        if norm > radius and norm > 0.0:
            x, y = a * radius / norm, b * radius / norm
        if x > side:
            edge = math.sqrt(max(radius * radius - side * side, 0.0))
            x, y = side, min(b, edge)
        big, small = (0, 1) if abs(f[0]) >= abs(f[1]) else (1, 0)
        out[big] = math.copysign(x, f[big])
        out[small] = math.copysign(min(y, side), f[small])

    def support(w, c):
        a, b = max(abs(w[0]), abs(w[1])), min(abs(w[0]), abs(w[1]))
        side = min(c[1], c[0])
        edge = min(math.sqrt(max(c[0] * c[0] - side * side, 0.0)), side)
        norm = math.hypot(a, b)
        if norm > 0.0 and c[0] * a / norm <= side:
            return c[0] * norm
        return side * a + edge * b


LAWS: dict[str, laws.Law] = {
    "Coulomb": laws.Coulomb(mu=0.4),
    "Coulomb2D": laws.Coulomb2D(mu=0.4),
    "Rolling": laws.Rolling(mu=0.4, mu_r=0.004),
    "Rolling2D": laws.Rolling2D(mu=0.4, mu_r=0.004),
    "SlideRollSpin": laws.SlideRollSpin(mu=0.4, mu_r=0.004, mu_s=0.006),
    "Superellipse": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=3.0),
    "Superellipse, non-associated": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=3.0, k=0.5),
    "Superellipse, ellipse": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=2.0),
    "Superellipse, non-associated ellipse": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=2.0, k=0.5),
    "Superellipse, rhombus": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=1.0),
    "Superellipse, rectangle": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=np.inf),
    "Contensou": laws.Contensou(mu=0.4, patch_radius=0.01),
    "Superellipse x Roll x Spin": laws.Superellipse(mu_x=0.5, mu_y=0.3, q=4.0) * laws.Roll(0.004) * laws.Spin(0.006),
    "own Disk": Disk(mu=0.4),
    "own CutDisk": CutDisk(mu=0.4, side=0.35),
    "own CutDisk x Roll": CutDisk(mu=0.4, side=0.35) * laws.Roll(0.004),
}


def contact_rows(rng: np.random.Generator, rows: Sequence[str], first: int, second: int, bodies: int) -> np.ndarray:
    """Rows of H of one contact between two spheres (second < 0: the ground), shape (d, 6 bodies)."""
    frame = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
    n, t1, t2 = frame
    H = np.zeros((6, 6 * bodies))
    for body, sign in ((first, 1.0), (second, -1.0)):
        if body < 0:
            continue
        arm = -sign * RADIUS * n  # from the centre to the contact point
        linear, angular = H[:, 6 * body : 6 * body + 3], H[:, 6 * body + 3 : 6 * body + 6]
        for i, axis in enumerate((n, t1, t2)):
            linear[i], angular[i] = sign * axis, sign * np.cross(arm, axis)
        for i, axis in enumerate((n, t1, t2)):
            angular[3 + i] = sign * axis
    return H[[ROWS.index(row) for row in rows]]


def spheres(
    contact_laws: Sequence[laws.Law],
    bodies: int = 3,
    seed: int = 0,
    formulation: str = "exact",
    joint_rows: int = 0,
    form: str = "reduced",
    compliance: np.ndarray | None = None,
    pressing: float = 2.0,
) -> ContactProblem:
    """Spheres in contact with each other and the ground at random, one contact per law, and joints after them."""
    rng = np.random.default_rng(seed)
    H = []
    for c, law in enumerate(contact_laws):
        first = c % bodies
        second = int(rng.integers(-1, bodies))
        H.append(contact_rows(rng, law.rows, first, -1 if second == first else second, bodies))
    all_laws = list(contact_laws)
    if joint_rows:
        H.append(rng.normal(size=(joint_rows, 6 * bodies)) * np.tile([1.0, 1.0, 1.0, *[RADIUS] * 3], bodies))
        all_laws.append(laws.Bilateral(joint_rows))
    H = np.vstack(H)
    mass = np.tile([MASS] * 3 + [INERTIA] * 3, bodies)
    v = rng.normal(size=6 * bodies) * np.tile([1.0, 1.0, 1.0, *[1.0 / RADIUS] * 3], bodies)
    heads = np.cumsum([0, *(law.d for law in contact_laws)])[:-1]
    v -= (pressing * MASS * H[heads].sum(axis=0)) / mass  # the bodies move into each other
    if form == "global":
        b = np.zeros(len(H))
        return ContactProblem(
            all_laws, M=np.diag(mass), H=H, f=mass * v, b=b, formulation=formulation, compliance=compliance
        )
    W = (H / mass) @ H.T
    return ContactProblem(all_laws, W=0.5 * (W + W.T), q=H @ v, formulation=formulation, compliance=compliance)


def of_one_law(name: str, contacts: int = 6, **keywords: object) -> ContactProblem:
    """Spheres whose contacts all have the law of that name in `LAWS`."""
    return spheres([LAWS[name]] * contacts, **keywords)  # type: ignore[arg-type]
