"""What a formulation cannot honour of a scene: an error before the first step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trundle.errors import SceneError
from trundle.kinds import CYLINDER, DISK
from trundle.laws.builtin import is_oblique, lies_flat
from trundle.scene.checks import FLAT, meeting, pair_words
from trundle.scene.materials import Hertz
from trundle.scene.model import Model
from trundle.scene.restitution import Restitution
from trundle.scene.shapes import HalfSpace
from trundle.solve.api import cannot_slide
from trundle.solve.base import Solver

ALONG = 1e-6  # [rad] between an axis and a normal below which the axis has no direction in the tangent plane


def check_honoured(model: Model, formulation: str) -> None:
    """Raise SceneError where contacts of a formulation could not follow what the scene says of them."""
    history = formulation == "history"
    if history and any(isinstance(e, Restitution) for e in model.bounce):
        raise SceneError(
            'formulation="history" has springs and dashpots, whose restitution is a number: give one, or use "exact".'
        )
    checks = [_upright_axes(model), _no_rim(model), *([_no_patch(model)] if history else [])]
    if formulation == "compliant":
        checks.append(_bouncing_springs(model))
    if formulation in ("compliant", "relaxed"):
        checks.append(_no_radius(model))
    for found in checks:
        for text in found:
            raise SceneError(text)


def check_sliding(model: Model, formulation: str, solver: Solver | None) -> None:
    """Raise SceneError where friction with a potential of another roundness could not be honoured."""
    for i, law in enumerate(model.laws):
        if not is_oblique(law):
            continue
        reason = "" if solver is None else cannot_slide(solver, [law])
        if formulation == "relaxed":
            reason = "formulation = 'relaxed' is for cones, and a Superellipse with q_potential has none."
        if reason:
            raise SceneError(f"{pair_words(model, i)}: {reason} Use another one, or leave q_potential out.")


def check_rows(model: Model, formulation: str, solver: bool) -> None:
    """Raise SceneError where constraints and implicit fields have no place, or friction of whole faces.

    solver: whether the contact problems of steps leave them, for a solver of the user's choice or to be kept.
    """
    if solver and any(lies_flat(law) for law in model.laws):
        raise SceneError(
            "friction of whole faces (FlatPatch) depends on the sum of several loads, which a single contact problem cannot say: "
            'only solver="auto" solves it, and it cannot be kept. Give FlatPatch a radius [m], or leave solver and keep_problems '
            "out."
        )
    if model.has_rows and formulation == "history":
        fields = (field.place + ": implicit" for field in model.fields if field.implicit)
        what = model.constraints[0].place if model.constraints else next(fields)
        raise SceneError(
            f'{what}: formulation="history" has explicit steps and no joints. Use "exact" or "compliant", or leave it out.'
        )


def _surfaces(model: Model, law: int) -> tuple[int, int]:
    one, other = np.argwhere(model.pair == law)[0]
    return int(one), int(other)


def _met(model: Model, pair: tuple[int, int]) -> str:
    a, b = (f"'{model.names[k]}' ({type(model.shapes[k]).__name__})" for k in pair)
    return f"{a} and {b}"


def _upright_axes(model: Model) -> Iterator[str]:
    """Laws that follow an axis along the normal of flat ground."""
    for i in np.flatnonzero(model.axis_of >= 0):
        ground, one_two = int(model.axis_of[i]), _surfaces(model, int(i))
        shape = model.shapes[ground]
        if not isinstance(shape, HalfSpace) or model.surface[ground] not in one_two:
            continue
        normal, axis = np.asarray(shape.normal), model.axis[i] / np.linalg.norm(model.axis[i])
        touches = np.isfinite(model.mass) | (np.arange(len(model.mass)) == ground)
        if np.linalg.norm(axis - (axis @ normal) * normal) <= ALONG and meeting(model, touches, *one_two) is not None:
            yield (
                f"{pair_words(model, int(i))}: axis = {model.axis[i].tolist()} of '{model.names[ground]}', which the x-axis of "
                "their law follows, is its normal: it has no direction in the tangent plane. Give an axis that lies in it."
            )


def _no_rim(model: Model) -> Iterator[str]:
    """Contour friction between bodies of which none has a rim."""
    without = ~np.isin(model.kind, (DISK, CYLINDER))
    for i in np.flatnonzero(model.contour):
        if (met := meeting(model, without, *_surfaces(model, int(i)))) is not None:
            yield (
                f"{pair_words(model, int(i))}: rolling = 'contour', but bodies {_met(model, met)} can meet, and only a Disk or a "
                "Cylinder has a rim. Use rolling = 'classical', or give these bodies a surface of their own."
            )


def _no_patch(model: Model) -> Iterator[str]:
    """Hertz' theory for bodies that can only touch with flat surfaces."""
    flat = np.isin(model.kind, FLAT)
    for i, material in enumerate(model.materials):
        if isinstance(material, Hertz) and (met := meeting(model, flat, *_surfaces(model, i))) is not None:
            yield (
                f"{pair_words(model, i)}: bodies {_met(model, met)} have flat surfaces, for which Hertz' theory has no "
                "radius. Give material=trundle.Hooke(stiffness=...), or give these bodies a surface of their own."
            )


def _no_radius(model: Model) -> Iterator[str]:
    """Stiffness from elastic data of bodies that can only touch with flat surfaces."""
    flat = np.isin(model.kind, FLAT)
    for i in np.flatnonzero(model.elastic_load > 0.0):
        if (met := meeting(model, flat, *_surfaces(model, int(i)))) is not None:
            yield (
                f"{pair_words(model, int(i))}: stiffness = HertzMindlin(...), but bodies {_met(model, met)} have flat surfaces, "
                "for which Hertz' theory has no radius. Give stiffness [N/m], or give these bodies a surface of their own."
            )


def _bouncing_springs(model: Model) -> Iterator[str]:
    """Restitution of contacts that are springs without dashpots."""
    for i in np.flatnonzero((model.restitution > 0.0) & np.isfinite(model.stiffness[:, 0])):
        yield (
            f"{pair_words(model, int(i))}: restitution = {model.restitution[i]:g}, but formulation = 'compliant' has springs "
            "there, which decide how bodies bounce. Leave restitution or stiffness out, or use formulation = 'exact'."
        )
