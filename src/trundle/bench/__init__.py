"""Benchmarks that anyone can repeat: a pile of grains, a sphere that stops, contact problems; other engines beside."""

from trundle.bench.pile import PileScene, run_pile
from trundle.bench.problems import run_problems
from trundle.bench.rivals import RIVALS, Rival
from trundle.bench.sphere import SphereScene, run_sphere

__all__ = ["PileScene", "SphereScene", "run_pile", "run_sphere", "run_problems", "RIVALS", "Rival"]
