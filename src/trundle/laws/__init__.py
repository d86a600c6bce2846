"""Friction laws: each one is a closed convex set."""

from trundle.laws.base import Law, Length, Ratio
from trundle.laws.builtin import (
    Bilateral,
    Bounded,
    Contensou,
    Coulomb,
    Coulomb2D,
    FlatPatch,
    Product,
    Roll,
    Rolling,
    Rolling2D,
    SlideRollSpin,
    Spin,
    Superellipse,
)
from trundle.laws.checks import CheckResult, LawReport, check
from trundle.laws.coefficients import Coefficient, HertzPatch, OfSpeed, SpeedTable, Stribeck
from trundle.laws.custom import load, own, sample

__all__ = [
    "Bilateral",
    "Bounded",
    "CheckResult",
    "Coefficient",
    "Contensou",
    "Coulomb",
    "Coulomb2D",
    "FlatPatch",
    "HertzPatch",
    "Law",
    "LawReport",
    "Length",
    "OfSpeed",
    "Product",
    "Ratio",
    "Roll",
    "Rolling",
    "Rolling2D",
    "SlideRollSpin",
    "SpeedTable",
    "Spin",
    "Stribeck",
    "Superellipse",
    "check",
    "load",
    "own",
    "sample",
]
