"""Benchmarks that anyone can repeat: piles of grains and other shapes, a sphere that stops, contact problems; other engines."""

from trundle.bench.pile import PileScene, run_pile
from trundle.bench.problems import run_problems
from trundle.bench.rivals import RIVALS, Rival
from trundle.bench.shapes import ShapesScene, run_shapes, shapes_of
from trundle.bench.sphere import SphereScene, run_sphere

__all__ = [
    "PileScene",
    "ShapesScene",
    "SphereScene",
    "run_pile",
    "run_shapes",
    "shapes_of",
    "run_sphere",
    "run_problems",
    "RIVALS",
    "Rival",
]
