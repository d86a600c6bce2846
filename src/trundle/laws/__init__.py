"""Friction laws: each one is a closed convex set."""

from trundle.laws.base import Law, Length, Ratio
from trundle.laws.builtin import (
    Bilateral,
    Bounded,
    Contensou,
    Coulomb,
    Coulomb2D,
    Product,
    Roll,
    Rolling,
    Rolling2D,
    SlideRollSpin,
    Spin,
    Superellipse,
)

__all__ = [
    "Bilateral",
    "Bounded",
    "Contensou",
    "Coulomb",
    "Coulomb2D",
    "Law",
    "Length",
    "Product",
    "Ratio",
    "Roll",
    "Rolling",
    "Rolling2D",
    "SlideRollSpin",
    "Spin",
    "Superellipse",
]
