"""Many steps in one compiled call, for scenes with one movable body on fixed half-spaces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trundle.detect.contacts import Contacts, Detector
from trundle.detect.kernels import REALS
from trundle.scene.geometry import BALL, VERTEX, Geometry
from trundle.scene.model import State
from trundle.scene.shapes import HALF_SPACE
from trundle.solve.rigid import StepSolution
from trundle.step import compiled_kernels
from trundle.step.moreau_jean import MoreauJean
from trundle.step.report import Ledger, StepReport

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
LOOK = 0.05  # overlap and way in one step, relative to the body, at which the general stepper takes over


class Finder(NamedTuple):
    """What the detector needs: its lists, its memory of rims, and buffers."""

    geometry: Geometry
    planes: Ints
    spheres: Ints
    others: Ints
    turned: Ints
    features: int
    margin: float
    rims: Array
    surface: Ints
    pair: Ints
    reach: Array
    plane: Array
    R: Array
    points: Array
    ids: Ints
    curved: Array
    whole: Ints
    real: Array
    start: Ints
    work: Ints
    order: Ints


class Found(NamedTuple):
    """Buffers for contacts, as in `Contacts`, and their relative velocities (C, 6)."""

    body: Ints
    point: Array
    normal: Array
    gap: Array
    radius: Array
    law: Ints
    key: Ints
    velocity: Array


class Bodies(NamedTuple):
    """Masses and inertias; number: of the movable body."""

    number: int
    movable: Ints
    free: Flags
    round: Flags
    mass: Array
    inertia: Array
    inverse: Array
    inverse_mass: Array
    gravity: Array


class Laws(NamedTuple):
    """The sheet of laws: their blocks one after the other, and what the pairs say besides."""

    first: Ints
    blocks: Ints
    most: int
    plain: Ints
    block: Ints
    coef: Array
    lengths: Flags
    own: Ints
    weight: Array
    uses: Flags
    restitution: Array
    contour: Flags
    viscosity: Array


class Options(NamedTuple):
    """Of the stepper; closed: gap [m] up to which a contact touches; deep, fast [m]: overlap, and way in one step, that the
    general stepper is to look at."""

    h: float
    theta: float
    tolerance: float
    midpoint: bool
    corrects: bool
    isotropic: bool
    relaxed: bool
    contour: bool
    viscous: bool
    closed: float
    deep: float
    fast: float


class Space(NamedTuple):
    """What a step of B bodies with room for C contacts works in, six rows each; see `compiled_kernels`."""

    middle: Array
    turned: Array
    start: Array
    free: Array
    end: Array
    mean: Array
    world: Array
    momentum: Array
    spin: Array
    frame3: Array
    frame: Array
    arm: Array
    contact: Ints
    uses: Flags
    block: Ints
    coef: Array
    weight: Array
    length: Array
    rho: Array
    W_nn: Array
    step: Array
    bias: Array
    none: Array
    rows: Array
    p: Array
    y: Array
    z: Array
    before: Array
    space: Array
    spare: Array
    vz: Array
    small: Array
    state: Array
    touching: Flags
    feature: Ints
    wanted: Array
    push: Array
    shift: Array


class Compiled:
    """A stepper that does the steps of another one, with its memory and to the same results up to round-off, compiled.

    `advance` does many steps at once.  Steps that it cannot do are done by the general stepper.
    """

    def __init__(self, stepper: MoreauJean) -> None:
        self.stepper = stepper
        stepper.grains = False  # both keep their impulses in the same form
        self.memory, self.recall = stepper.memory, stepper.recall
        model, detector = stepper.model, stepper.detector
        most = int(max(8, *detector.geometry.length[:, [VERTEX, BALL]].max(axis=1))) * len(detector.planes)
        self._out, self._spare = _buffers(most), _buffers(most)
        self._find = self._finder(detector, most)
        free = np.isfinite(model.mass)
        self._bodies = Bodies(
            int(np.flatnonzero(free)[0]), np.flatnonzero(free), free, stepper._round, model.mass,
            np.where(np.isfinite(model.inertia), model.inertia, 0.0), stepper.inverse_inertia, stepper.inverse_mass,
            model.gravity,
        )  # fmt: skip
        sheet = stepper.sheet
        self._laws = Laws(
            sheet.start, sheet.count, int(sheet.count.max(initial=0)), sheet.template.contact[:-1, 3].copy(), sheet.block,
            sheet.template.coef, sheet.template.lengths, sheet.template.own, sheet.weight, sheet.uses, model.restitution,
            model.contour, model.viscosity,
        )  # fmt: skip
        self._space = _space(len(model.mass), most, self._laws)
        self._key, self._impulse = np.zeros(most, np.int64), np.zeros((most, 6))
        inner = min((r for r in detector.geometry.inner[free] if r > 0.0), default=np.inf)
        self._deep = self._fast = LOOK * inner

    @staticmethod
    def qualifies(stepper: object) -> bool:
        """One movable body, fixed half-spaces, rigid contacts, laws that need neither radii nor axes, nothing else."""
        if not isinstance(stepper, MoreauJean):
            return False
        model = stepper.model
        free = np.isfinite(model.mass)
        alone = not len(model.joints) and not model.motions and not model.loads and not stepper.compliant
        plain = not model.ratio.any() and not np.any(model.axis_of >= 0)
        ground = bool(np.all(model.kind[~free] == HALF_SPACE)) and len(stepper.detector.planes) > 0
        return alone and plain and ground and int(free.sum()) == 1 and bool(len(model.laws))

    @staticmethod
    def _finder(detector: Detector, most: int) -> Finder:
        g, count = detector.geometry, len(detector.geometry.kind)
        return Finder(
            g, detector.planes, detector.free_spheres, detector.free_others, detector.turned, detector.features,
            detector.margin, detector.rims, detector.model.surface, detector.model.pair, np.zeros(count),
            np.zeros((len(detector.planes), 4)), np.zeros((count, 3, 3)), np.zeros((most, 3)), np.zeros(most, np.int64),
            np.zeros(most), np.zeros((most, 3), np.int64), np.zeros((most, REALS)), np.zeros(count + 1, np.int64),
            np.zeros(most, np.int64), np.zeros(most, np.int64),
        )  # fmt: skip

    def step(self, state: State, h: float) -> StepReport:
        """Advance the state by h [s], in place."""
        # a difference of energies would be round-off in all steps but the one after the body has been poured
        poured = sum(self.stepper.energy(state)) if self.stepper._total == 0.0 else 0.0
        report, energy = self.advance(state, h, 1)
        if not len(report):
            return self.stepper.step(state, h)
        state.time += h
        kinetic, potential, sliding, rolling, spinning, impact, scheme = (float(x) for x in energy[0])
        n = int(report[0, 0])
        contacts = Contacts(*(getattr(self._out, name)[:n].copy() for name in ("body", "point", "normal", "gap", "law",
                                                                              "key", "radius")))  # fmt: skip
        impulse, velocity = self._impulse[:n].copy(), self._out.velocity[:n].copy()
        end = np.concatenate([state.velocity, state.angular_velocity], axis=1)
        ledger = Ledger(kinetic, potential, 0.0, 0.0, poured, sliding, rolling, spinning, impact, 0.0, scheme)
        solution = StepSolution(impulse.ravel(), end, float(report[0, 1]), int(report[0, 2]), True)
        return StepReport(contacts, solution, ledger, lambda: (impulse, velocity))

    def advance(self, state: State, h: float, steps: int) -> tuple[Array, Array]:
        """Do up to `steps` steps of h [s], in place; fewer where one needs the general stepper.

        Returns
        -------
        report (S, 4): contacts, residual, sweeps and smallest gap [m] of the S steps that were done
        energy (S, 7): kinetic, potential, sliding, rolling, spinning, impact, scheme [J]
        """
        stepper = self.stepper
        known = min(len(stepper._key), len(self._key))
        self._key[:known], self._impulse[:known] = stepper._key[:known], stepper._impulse[:known]
        report, energy = np.zeros((steps, 4)), np.zeros((steps, 7))
        options = Options(
            h, stepper.theta, stepper.tolerance, stepper.midpoint, stepper.corrects, stepper.isotropic, stepper.relaxed,
            stepper.rolling.contour, stepper.rolling.viscous, stepper.rolling.closed, self._deep, self._fast,
        )  # fmt: skip
        if not state.present.all():
            return report[:0], energy[:0]
        total = stepper._total or sum(stepper.energy(state))
        done, known = compiled_kernels.advance(
            self._find, self._out, self._spare, self._bodies, self._laws, options, self._space, state.position,
            state.orientation, state.velocity, state.angular_velocity, self._key, self._impulse, known, total, steps, report,
            energy,
        )  # fmt: skip
        if done:
            stepper._key, stepper._impulse = self._key[:known].copy(), self._impulse[:known].copy()
            stepper._total, stepper._elastic = float(energy[done - 1, 0] + energy[done - 1, 1]), 0.0
        return report[:done], energy[:done]


def _buffers(most: int) -> Found:
    return Found(
        np.zeros((most, 2), np.int64), np.zeros((most, 3)), np.zeros((most, 3)), np.zeros(most), np.zeros((most, 2)),
        np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros((most, 6)),
    )  # fmt: skip


def _space(B: int, C: int, laws: Laws) -> Space:
    blocks, m = C * max(1, laws.most), 6 * C
    return Space(
        np.zeros((B, 3)), np.zeros((B, 4)), np.zeros((B, 6)), np.zeros((B, 6)), np.zeros((B, 6)), np.zeros((B, 6)),
        np.zeros((B, 3, 3)), np.zeros((B, 3)), np.zeros((B, 3)), np.zeros((C, 3, 3)), np.zeros((C, 6, 3)),
        np.zeros((C, 2, 3)), np.zeros((C + 1, 4), np.int64), np.zeros((C, 6), bool), np.zeros((blocks, 4), np.int64),
        np.zeros((blocks, laws.coef.shape[1])), np.ones(m), np.ones(C), np.ones(C), np.ones(C), np.ones(blocks),
        np.zeros((C, 6)), np.zeros((C, 6)), np.zeros((C, 6)), np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m),
        np.zeros(m), np.zeros(m), np.zeros((B, 6)), np.zeros(6), np.zeros(3), np.zeros(C, bool), np.zeros(C, np.int64),
        np.zeros((C, 6)), np.zeros((C, 6)), np.zeros((B, 6)),
    )  # fmt: skip
