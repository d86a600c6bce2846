"""Materials: how two surfaces give way where they touch, for formulation="history"."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from trundle import checked
from trundle.errors import SceneError, known, unknown
from trundle.scene.values import number

ROLLING_MODELS = ("pair", "per-body", "constant", "viscous", "spring")
ROLLING_TYPES = {"A": "constant", "legacy": "constant", "B": "viscous", "C": "spring"}  # names of the DEM literature
PATHS = ("geodesic", "chord")


@dataclass(frozen=True, kw_only=True)
class Material:
    """Springs and dashpots of the friction loads; what is None follows from the rest by the paper's heuristics.

    static : static over kinetic friction [-], >= 1; the coefficients of the law are the kinetic ones
    tangential_stiffness K_E [N/m] ; tangential_damping K_D [N s/m], default 2 sqrt(m K_E)
    rolling : "pair" (one torque, opposite on both bodies), "per-body" (each body's own torque, as in the paper; does not
        conserve angular momentum), or without tracking: "constant" (eq. (8), type A, "legacy"), "viscous" (B), "spring" (C)
    rolling_resistance eta_r [-] : instead of the law's mu_r, which is then eta_r mu 2 / (kappa_a + kappa_b)
    rolling_stiffness K_R [N m/rad] ; rolling_damping D_R [N m s/rad], default 2 sqrt(I K_R)
    rolling_speed [m/s] : of the viscous model, whose torque is mu_r N at this speed
    spinning_resistance eta_psi [-] : instead of the law's mu_s, which is then eta_psi mu / spinning_curvature;
        or "hertz": the round patch of appendix C, mu_s = mu a / 2, K_psi = a^2 K_E / 2
    spinning_curvature [1/m] : default kappa_a + kappa_b
    spinning_stiffness K_psi [N m/rad] ; spinning_damping D_psi [N m s/rad], default 2 sqrt(I K_psi)
    cap_damping : keep spring and dashpot together within the static bound; the paper bounds the spring alone, which lets a
        contact that sticks for a moment at a high sliding speed push with many times mu N
    path : "geodesic" or "chord", of the contact point on bodies other than spheres and planes

    Fang & Negrut (2020), section 3.
    """

    static: float = 1.0
    tangential_stiffness: float | None = None
    tangential_damping: float | None = None
    rolling: str = "pair"
    rolling_resistance: float | None = None
    rolling_stiffness: float | None = None
    rolling_damping: float | None = None
    rolling_speed: float = 1.0
    spinning_resistance: float | str | None = None
    spinning_curvature: float | None = None
    spinning_stiffness: float | None = None
    spinning_damping: float | None = None
    cap_damping: bool = True
    path: str = "geodesic"

    POSITIVE: ClassVar[dict[str, str]] = {
        "tangential_stiffness": "N/m", "rolling_stiffness": "N m/rad", "rolling_speed": "m/s",
        "spinning_curvature": "1/m", "spinning_stiffness": "N m/rad",
    }  # fmt: skip
    NOT_NEGATIVE: ClassVar[dict[str, str]] = {
        "tangential_damping": "N s/m", "rolling_resistance": "-", "rolling_damping": "N m s/rad",
        "spinning_damping": "N m s/rad",
    }  # fmt: skip

    def __post_init__(self) -> None:
        place = type(self).__name__
        checked.flag(SceneError, f"{place}: cap_damping", self.cap_damping)
        number(place, "static", self.static, "-", least=1.0)
        for name, unit in self.POSITIVE.items():
            if getattr(self, name) is not None:
                number(place, name, getattr(self, name), unit, positive=True)
        for name, unit in self.NOT_NEGATIVE.items():
            if getattr(self, name) is not None:
                number(place, name, getattr(self, name), unit, least=0.0)
        if self.spinning_resistance is not None and not known(self.spinning_resistance, ("hertz",)):
            if isinstance(self.spinning_resistance, str):
                raise SceneError(f'{place}: spinning_resistance = {self.spinning_resistance!r}: a number or "hertz".')
            number(place, "spinning_resistance", self.spinning_resistance, "-", least=0.0)
        if known(self.rolling, ROLLING_TYPES):
            object.__setattr__(self, "rolling", ROLLING_TYPES[self.rolling])
        for name, allowed in (("rolling", ROLLING_MODELS), ("path", PATHS)):
            if not known(getattr(self, name), allowed):
                raise SceneError(f"{place}: " + unknown(f"{name} model", getattr(self, name), allowed))

    def as_table(self) -> dict[str, Any]:
        """The material as it stands in a scene file: what differs from the defaults."""
        table: dict[str, Any] = {"kind": type(self).__name__.lower()}
        for f in fields(self):
            value = getattr(self, f.name)
            if value != f.default:
                table[f.name] = list(value) if isinstance(value, tuple) else value
        return table


def _bounce(place: str, damping: float | None, restitution: float | None, unit: str) -> None:
    if damping is not None:
        number(place, "damping", damping, unit, least=0.0)
    if restitution is not None:
        number(place, "restitution", restitution, "-", least=0.0, most=1.0)
    if damping is not None and restitution is not None:
        raise SceneError(f"{place}: give damping or restitution, not both.")


@dataclass(frozen=True, kw_only=True)
class Hooke(Material):
    """Normal force N = stiffness x depth - damping x u_n, never pulling.

    stiffness [N/m] ; damping [N s/m], or restitution [-], or neither: the pair's restitution.
    tangential_stiffness is 2/7 of the stiffness unless given (sliding and normal springs then have the same period).
    """

    stiffness: float
    damping: float | None = None
    restitution: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        number("Hooke", "stiffness", self.stiffness, "N/m", positive=True)
        _bounce("Hooke", self.damping, self.restitution, "N s/m")


def _two_sides(place: str, owner: Any) -> None:
    """Check young and poisson of both surfaces, one number each or two, and keep two."""
    for name in ("young", "poisson"):
        given = getattr(owner, name)
        values = tuple(given) if isinstance(given, (tuple, list)) else (given, given)
        if len(values) != 2:
            raise SceneError(f"{place}: {name} = {given!r} must be one number or two, one per surface.")
        object.__setattr__(owner, name, values)
        for value in values:
            if name == "young":
                number(place, name, value, "Pa", positive=True, infinite=True)
            else:
                number(place, name, value, "-", least=-1.0, most=0.5)
    if all(math.isinf(value) for value in owner.young):
        raise SceneError(f"{place}: young is infinite for both surfaces; one of them must give way.")


def effective_moduli(young: Any, poisson: Any) -> tuple[float, float, float]:
    """E_eff, G_eff and G_spin [Pa] of two surfaces: 1 / E_eff = sum (1 - nu^2) / E, 1 / G_eff = sum (2 - nu) / G and
    1 / G_spin = sum 1 / G with G = E / (2 (1 + nu))."""
    sides = list(zip(young, poisson, strict=True))
    return (
        1.0 / sum((1.0 - nu * nu) / E for E, nu in sides),
        1.0 / sum((2.0 - nu) * 2.0 * (1.0 + nu) / E for E, nu in sides),
        1.0 / sum(2.0 * (1.0 + nu) / E for E, nu in sides),
    )


@dataclass(frozen=True, kw_only=True)
class HertzMindlin:
    """Stiffness of round surfaces from their elastic data, linearised at a normal load; for `stiffness=` of `Scene.surface`.

    young [Pa], poisson [-] : of both surfaces, one number each or two; young = (2e11, inf) has a rigid second surface
    load N0 [N] : the normal load of a contact at which its springs have the force and the slope of Hertz' theory

    With the patch radius a = (3 N0 R / (4 E_eff))^(1/3), R the effective radius of a contact: k_n = 2 E_eff a and the force
    N0 at the depth a^2 / R (Hertz), k_t = 8 G_eff a (Mindlin (1949)), k_s = 16/3 G_spin a^3 (Reissner & Sagoci (1944));
    rolling is rigid.  See Johnson, Contact Mechanics (1985).
    """

    young: float | tuple[float, float]
    poisson: float | tuple[float, float] = 0.3
    load: float

    def __post_init__(self) -> None:
        number("HertzMindlin", "load", self.load, "N", positive=True)
        _two_sides("HertzMindlin", self)

    def at_radius(self, radius: float) -> tuple[float, float, float, float]:
        """k_n, k_t [N/m], k_s, k_r [N m/rad] of a contact with this effective radius [m]."""
        E, G, spin = effective_moduli(self.young, self.poisson)
        a = (0.75 * self.load * radius / E) ** (1.0 / 3.0)
        return 2.0 * E * a, 8.0 * G * a, 16.0 / 3.0 * spin * a**3, math.inf

    def as_table(self) -> dict[str, Any]:
        """The stiffness as it stands in a scene file."""
        return {"kind": "hertz-mindlin", **{f.name: getattr(self, f.name) for f in fields(self)}}


STIFFNESSES = {"hertz-mindlin": HertzMindlin}


@dataclass(frozen=True, kw_only=True)
class Hertz(Material):
    """Normal force N = 4/3 E_eff sqrt(R_eff) depth^(3/2), with the damping of Tsuji et al. (1992) for a restitution.

    young [Pa], poisson [-] : of both surfaces, one number each or two; young = (2e11, inf) has a rigid second surface
    restitution [-], or none: the pair's.  tangential_stiffness is Mindlin's 8 G_eff a unless given.
    """

    young: float | tuple[float, float]
    poisson: float | tuple[float, float] = 0.3
    restitution: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _bounce("Hertz", None, self.restitution, "")
        _two_sides("Hertz", self)

    @property
    def effective_modulus(self) -> float:
        """E_eff [Pa], 1 / E_eff = sum (1 - nu^2) / E."""
        return effective_moduli(self.young, self.poisson)[0]

    @property
    def effective_shear_modulus(self) -> float:
        """G_eff [Pa], 1 / G_eff = sum (2 - nu) / G, G = E / (2 (1 + nu))."""
        return effective_moduli(self.young, self.poisson)[1]


@dataclass(frozen=True, kw_only=True)
class GivenForce(Material):
    """A constant normal force [N] while the surfaces touch, for experiments that prescribe it."""

    force: float
    tangential_stiffness: float | None = 1e5

    def __post_init__(self) -> None:
        super().__post_init__()
        number("GivenForce", "force", self.force, "N", positive=True)
        if self.tangential_stiffness is None:
            raise SceneError("GivenForce: give tangential_stiffness [N/m].")


MATERIALS: dict[str, type[Material]] = {"hooke": Hooke, "hertz": Hertz, "givenforce": GivenForce}
