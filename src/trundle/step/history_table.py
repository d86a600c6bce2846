"""Materials and laws of a scene as the numbers that the kernels of history friction take."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError
from trundle.laws.base import Law
from trundle.laws.builtin import lies_flat
from trundle.laws.coefficients import Coefficient, HertzPatch
from trundle.laws.kernels.sections import DISK
from trundle.scene.materials import GivenForce, Hertz, Hooke, Material
from trundle.scene.model import Model
from trundle.step.kernels import history as columns
from trundle.step.kernels.history_friction import stiffnesses

Array = NDArray[np.float64]
PULL_BELOW = 0.01  # restitution below which a dashpot that may not pull would have to be enormous
ROLLING = {
    "pair": columns.PAIR, "per-body": columns.PER_BODY, "constant": columns.CONSTANT, "viscous": columns.VISCOUS,
    "spring": columns.SPRING,
}  # fmt: skip


def restitution_of(ratio: float, pull: bool = False) -> float:
    """Restitution [-] of a linear spring and a dashpot of this damping ratio [-].

    A contact that cannot pull ends when its force vanishes, not when the bodies part: Schwager & Poeschel (2007),
    eqs. (20)-(21).  Hertz' spring with the dashpot of Tsuji et al. gives the same with the ratio gamma / sqrt(5 m k).
    """
    if ratio == 0.0:
        return 1.0
    if pull:
        return math.exp(-math.pi * ratio / math.sqrt(1.0 - ratio**2)) if ratio < 1.0 else 0.0
    if ratio < 1.0:
        omega = math.sqrt(1.0 - ratio**2)
        return math.exp(-ratio / omega * math.atan2(2.0 * ratio * omega, ratio**2 - omega**2))
    if ratio == 1.0:
        return math.exp(-2.0)
    omega = math.sqrt(ratio**2 - 1.0)
    return math.exp(-ratio / omega * math.log((ratio + omega) ** 2))


def damping_ratio(restitution: float) -> tuple[float, bool]:
    """Damping ratio [-] that gives a restitution, and whether the dashpot must be allowed to pull.

    It must for a restitution of (nearly) 0, where the bodies are to stay together.
    """
    if restitution >= 1.0:
        return 0.0, False
    if restitution < PULL_BELOW:
        if restitution == 0.0:
            return 1.0, True
        log = math.log(restitution)
        return -log / math.hypot(math.pi, log), True
    from scipy.optimize import brentq  # slow to import, and seldom needed

    return float(brentq(lambda ratio: restitution_of(ratio) - restitution, 0.0, 20.0, xtol=1e-15, rtol=1e-15)), False


class HistoryTable:
    """Parameters of all pairs of surfaces (L, PARAMETERS)."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.parameters = np.full((len(model.laws), columns.PARAMETERS), np.nan)
        bounded = model.radius[np.isfinite(model.radius)]
        margin = 1e-3 * float(bounded.min()) if len(bounded) else 0.0
        for i, (law, material) in enumerate(zip(model.laws, model.materials, strict=True)):
            one, other = np.argwhere(model.pair == i)[0]
            place = f"surfaces '{model.surface_names[one]}' and '{model.surface_names[other]}'"
            if material is None:
                raise SceneError(
                    f'{place}: formulation="history" needs to know how they give way. Add material=trundle.Hooke('
                    "stiffness=...) or trundle.Hertz(young=..., poisson=...) to scene.surface(...)."
                )
            self._fill(self.parameters[i], place, law, material, float(model.restitution[i]), margin)
            if model.contour[i] and (material.rolling != "pair" or material.rolling_resistance is not None):
                raise SceneError(
                    f'{place}: rolling = "contour" has the coefficient mu_r of the law and one torque on both bodies. Leave '
                    "rolling and rolling_resistance of the material out."
                )
        self.parameters[:, columns.LENGTHS] = model.ratio
        self.parameters[:, columns.VISCOUS_ROLLING] = model.viscosity

    def _fill(self, row: Array, place: str, law: Law, material: Material, bounce: float, margin: float) -> None:
        """One pair's parameters."""
        self._normal(row, material, bounce)
        row[columns.MARGIN] = margin if isinstance(material, GivenForce) else 0.0
        plain = all(part.kind == DISK and part.rows in (("t1", "t2"), ("s",), ("r1", "r2")) for part in law.blocks())
        plain = plain and not law.varies
        mu, mu_s, mu_r = _size(law, "t1", "t2"), _size(law, "s"), _size(law, "r1", "r2")
        row[columns.MU], row[columns.MU_S], row[columns.MU_R] = mu, mu_s, mu_r
        row[columns.PLAIN] = plain
        row[columns.STATIC] = material.static
        row[columns.CAP_TOTAL] = material.cap_damping
        row[columns.SPEED] = material.rolling_speed
        row[columns.GEODESIC] = material.path == "geodesic"
        for column, value in (
            (columns.K_D, material.tangential_damping), (columns.ETA_R, material.rolling_resistance),
            (columns.K_R, material.rolling_stiffness), (columns.D_R, material.rolling_damping),
            (columns.CURVATURE, material.spinning_curvature), (columns.K_S, material.spinning_stiffness),
            (columns.D_S, material.spinning_damping),
        ):  # fmt: skip
            row[column] = np.nan if value is None else value
        rolls = mu_r > 0.0 or material.rolling_resistance is not None
        row[columns.ROLLING] = ROLLING[material.rolling] if rolls else columns.NONE
        row[columns.SPINNING] = columns.HEURISTIC if mu_s > 0.0 else columns.NONE
        patched = any(isinstance(value, HertzPatch) for part in law.blocks() for value in part.coef)
        if material.spinning_resistance == "hertz" or patched:  # a law with Hertz' patch has no size without a load
            row[columns.SPINNING] = columns.HERTZIAN
        elif material.spinning_resistance is not None:
            row[columns.SPINNING] = columns.HEURISTIC
            row[columns.ETA_S] = material.spinning_resistance
        row[columns.STEADY] = row[columns.NORMAL] != columns.HERTZ and row[columns.SPINNING] != columns.HERTZIAN
        self._refuse(place, law, material, plain)

    @staticmethod
    def _normal(row: Array, material: Material, bounce: float) -> None:
        """Normal spring and dashpot, and the sliding spring."""
        row[columns.RATIO] = row[columns.PULL] = 0.0
        row[columns.K_E] = np.nan if material.tangential_stiffness is None else material.tangential_stiffness
        if isinstance(material, GivenForce):
            row[columns.NORMAL], row[columns.STIFFNESS], row[columns.DAMPING] = columns.GIVEN, material.force, 0.0
            return
        given = material.restitution if isinstance(material, (Hooke, Hertz)) else None
        row[columns.RATIO], row[columns.PULL] = damping_ratio(bounce if given is None else given)
        if isinstance(material, Hooke):
            row[columns.NORMAL], row[columns.STIFFNESS] = columns.HOOKE, material.stiffness
            if material.damping is not None:
                row[columns.DAMPING], row[columns.PULL] = material.damping, 0.0
            if material.tangential_stiffness is None:
                row[columns.K_E] = 2.0 / 7.0 * material.stiffness
        elif isinstance(material, Hertz):
            row[columns.NORMAL], row[columns.STIFFNESS] = columns.HERTZ, material.effective_modulus
            row[columns.G_EFF] = material.effective_shear_modulus

    @staticmethod
    def _refuse(place: str, law: Law, material: Material, plain: bool) -> None:
        """Errors for what cannot be honoured."""
        simple = material.rolling == "pair" or not ("r1" in law.rows or material.rolling_resistance is not None)
        if not plain and not simple:
            raise SceneError(
                f'{place}: rolling="{material.rolling}" needs a law of disks with fixed coefficients, not '
                f'{type(law).__name__}. Use rolling="pair".'
            )
        for name, rows in (("rolling_resistance", ("r1", "r2")), ("spinning_resistance", ("s",))):
            varying = any(part.rows == rows and isinstance(part.coef[0], Coefficient) for part in law.blocks())
            if varying and getattr(material, name) is not None:
                raise SceneError(
                    f"{place}: {name} and the law both say how large it is, the law by speed. Leave out {name}."
                )
        if lies_flat(law):
            raise SceneError(
                f'{place}: formulation="history" has no friction of whole faces: give FlatPatch a radius [m].'
            )
        disks = {part.rows for part in law.blocks() if part.kind == DISK}
        for name, rows, disk in (("rolling_resistance", ("r1", "r2"), "Roll"), ("spinning_resistance", ("s",), "Spin")):
            if not plain and getattr(material, name) is not None and rows not in disks:
                has = "has no such row" if rows[0] not in law.rows else "says itself how large it is"
                raise SceneError(
                    f"{place}: {name} is given, but {type(law).__name__} {has}. Leave it out, or multiply a law of the "
                    f"other rows by laws.{disk}(...)."
                )
        patched = any(isinstance(value, HertzPatch) for part in law.blocks() for value in part.coef)
        if isinstance(material, GivenForce) and patched and material.spinning_stiffness is None:
            raise SceneError(f"{place}: laws.HertzPatch under GivenForce: give spinning_stiffness [N m/rad] as well.")
        if isinstance(material, GivenForce) and material.spinning_resistance == "hertz":
            raise SceneError(f'{place}: spinning_resistance="hertz" needs a patch: use Hertz or Hooke, not GivenForce.')

    def stable_time_step(self, speed: float = 0.0) -> float:
        """Estimate of the longest stable time step [s] over all pairs of surfaces, for their lightest bodies.

        A spring of frequency omega with the damping ratio z is stable for h omega < 2 (sqrt(1 + z^2) - z); a body in
        a packing feels several contacts at once, for which a factor 1/2 is taken.  Hertz' stiffness is that at rest
        under gravity, or at the end of an impact at `speed` [m/s].
        """
        model, best = self.model, math.inf
        for i in range(len(model.laws)):
            one, other = np.argwhere(model.pair == i)[0]
            members = [np.flatnonzero((model.surface == s) & np.isfinite(model.mass)) for s in (one, other)]
            numbers = np.unique(np.concatenate(members))
            if len(numbers):
                best = min(best, self._stable(self.parameters[i], numbers, speed))
        return best

    def _stable(self, row: Array, numbers: NDArray[np.int64], speed: float) -> float:
        model = self.model
        best = math.inf
        lightest = numbers[np.argmin(model.mass[numbers])]
        smallest = numbers[np.argmin(model.radius[numbers])]
        for i in {int(lightest), int(smallest)}:
            m, R = float(model.mass[i]), float(model.radius[i])
            moment = float(np.linalg.eigvalsh(model.inertia[i])[0])
            reduced = 0.5 * m if len(numbers) > 1 else m
            patch = self._patch(row, m, R, speed)
            k = row[columns.STIFFNESS] * (2.0 * patch if row[columns.NORMAL] == columns.HERTZ else 1.0)
            pairs = []
            if row[columns.NORMAL] != columns.GIVEN:
                ratio = row[columns.RATIO]
                if not math.isnan(row[columns.DAMPING]):
                    ratio = row[columns.DAMPING] / (2.0 * math.sqrt(k * reduced))
                pairs.append((k / reduced, ratio))
            (slide, roll, spin), _, _ = stiffnesses(row[None], 0, patch, 1.0 / R, R)
            # a sphere that slides turns as well: spring and dashpot both act on less than its mass
            light = 1.0 / (1.0 / m + R * R / moment)
            damping = 2.0 * math.sqrt(m * slide) if math.isnan(row[columns.K_D]) else row[columns.K_D]
            pairs.append((slide / light, _ratio(damping, slide, light)))
            pairs.append((roll / moment, _ratio(row[columns.D_R], roll, moment)))
            pairs.append((spin / moment, _ratio(row[columns.D_S], spin, moment)))
            if row[columns.VISCOUS_ROLLING] > 0.0:
                best = min(best, 2.0 * moment / row[columns.VISCOUS_ROLLING])
            for square, ratio in pairs:
                if square > 0.0:
                    best = min(best, 2.0 * (math.sqrt(1.0 + ratio**2) - ratio) / math.sqrt(square))
        crowded = np.count_nonzero(np.isfinite(model.mass)) > 1
        return 0.5 * best if crowded else best

    def _patch(self, row: Array, m: float, R: float, speed: float) -> float:
        """Radius of the contact patch [m] of a body at rest or at the end of an impact."""
        if row[columns.NORMAL] != columns.HERTZ:
            return 0.1 * R
        k = 4.0 / 3.0 * row[columns.STIFFNESS] * math.sqrt(R)
        rest = (m * float(np.linalg.norm(self.model.gravity)) / k) ** (2.0 / 3.0)
        return math.sqrt(R * min(max(rest, (1.25 * m * speed**2 / k) ** 0.4), 0.1 * R))


def _ratio(damping: float, stiffness: float, mass: float) -> float:
    if stiffness <= 0.0:
        return 0.0
    return 1.0 if math.isnan(damping) else damping / (2.0 * math.sqrt(stiffness * mass))


def _size(law: Law, *rows: str) -> float:
    """Largest load per normal load along some rows, 0 if the law has none of them: the support of the section along either
    direction of a row, and the geometric mean of two rows."""
    sizes = []
    for row in rows:
        if row in law.rows:
            w = np.zeros(len(law.rows) - 1)
            w[law.rows.index(row) - 1] = 1.0
            sizes.append(max(float(np.squeeze(law.support(w))), float(np.squeeze(law.support(-w)))))
    if len(sizes) == 2 and min(sizes) > 0.0:
        return math.sqrt(sizes[0] * sizes[1])
    return max(sizes, default=0.0)
