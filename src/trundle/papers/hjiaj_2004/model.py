"""The paper's formulas, in corrected form and, where they differ, as printed.

w = -u_t is the velocity against which friction acts, shape (..., 2); loads are per unit of normal load.
p_x, p_y are the half-axes of the sliding potential: p_y / p_x = (mu_y / mu_x)^k, eq. (14), scaled to p_x p_y = mu_x mu_y.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Anisotropy:
    """Half-axes mu_x, mu_y [-] of the friction condition, roundness q > 1, and k, eq. (14)."""

    mu_x: float
    mu_y: float
    q: float
    k: float = 1.0
    scale: float = 1.0  # of p; the law does not depend on it, the bipotential does

    @property
    def mu(self) -> Array:
        """Half-axes of the friction condition (2,)."""
        return np.array([self.mu_x, self.mu_y])

    @property
    def p(self) -> Array:
        """Half-axes of the sliding potential (2,)."""
        ratio = (self.mu_y / self.mu_x) ** self.k
        mean = self.scale * np.sqrt(self.mu_x * self.mu_y)
        return np.array([mean / np.sqrt(ratio), mean * np.sqrt(ratio)])

    @property
    def s(self) -> float:
        """Exponent of the dual norm, eq. (11)."""
        return self.q / (self.q - 1.0)

    @property
    def Qq(self) -> Array:
        """Diagonal of Q^q, eq. (23)."""
        return (self.p / self.mu) ** self.q

    def norm(self, r: Array, half: Array) -> Array:
        """Superelliptic norm, eqs. (7), (13)."""
        return np.asarray(np.sum(np.abs(r / half) ** self.q, axis=-1) ** (1.0 / self.q))

    def dual(self, w: Array, half: Array) -> Array:
        """Dual norm, eq. (10)."""
        return np.asarray(np.sum(np.abs(w * half) ** self.s, axis=-1) ** (1.0 / self.s))

    def boundary(self, theta: Array) -> Array:
        """Points of the friction condition, the parametric form of section 3.1."""
        c, s = np.cos(theta), np.sin(theta)
        return np.stack(
            [self.mu_x * np.sign(c) * np.abs(c) ** (2 / self.q), self.mu_y * np.sign(s) * np.abs(s) ** (2 / self.q)],
            axis=-1,
        )

    def velocity(self, r: Array) -> Array:
        """Direction of w at a load on the boundary, eqs. (16), (17) with multiplier 1."""
        factor = self.norm(r, self.p)[..., None] ** (1.0 - self.q)
        return factor * np.abs(r) ** (self.q - 1.0) / self.p**self.q * np.sign(r)

    def load(self, w: Array) -> Array:
        """Load per normal load at a velocity: eqs. (25), (26) with the missing exponent 1/(q-1) on the norm.

        r_i = (p_i^q |w_i| / |Q^q w|*)^(1/(q-1)), in units in which (12) is (6) for k = 1; here with mu_i^q Q_i^q = p_i^q.
        """
        norm = self.dual(self.Qq * w, self.mu)[..., None]
        return (self.p**self.q * np.abs(w) / norm) ** (1.0 / (self.q - 1.0)) * np.sign(w)

    def load_as_printed(self, w: Array) -> Array:
        """Eqs. (25), (26) as printed: the exponent is on the numerator only."""
        norm = self.dual(self.Qq * w, self.mu)[..., None]
        return (self.p**self.q * np.abs(w)) ** (1.0 / (self.q - 1.0)) / norm * np.sign(w)

    def bipotential(self, u_n: Array, w: Array, r_n: Array, r_t: Array) -> Array:
        """b_c, eq. (62) corrected: (1 - Q^q) w . r_t + r_n |Q^q w|*, inf outside K_mu or for u_n < 0."""
        inside = (self.norm(r_t, self.mu) <= r_n * (1.0 + 1e-12)) & (u_n >= 0.0)
        value = np.sum((1.0 - self.Qq) * w * r_t, axis=-1) + r_n * self.dual(self.Qq * w, self.mu)
        return np.where(inside, value, np.inf)
