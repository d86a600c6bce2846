"""What a sweep over a large pile costs against one over a small pile: both fall, then they are swept in turns.

python benchmarks/pile_scaling.py [--small 10000] [--large 100000] [--rounds 10]
"""

from __future__ import annotations

import argparse
import copy

import numba
import numpy as np

from trundle.bench.pile import PileScene
from trundle.scene.model import build_model
from trundle.step.grains import Grains

TIME_STEP, FALL, SWEEPS = 5e-3, 0.25, 100
UNREACHABLE = 1e-15  # a tolerance at which a step takes all of its sweeps


class Pile:
    """A pile that has fallen, one step of which can be repeated."""

    def __init__(self, n: int) -> None:
        model, self._state = build_model(PileScene(n=n).build())
        self._stepper = Grains(model, theta=1.0, tolerance=1e-3, max_sweeps=400)
        for _ in range(round(FALL / TIME_STEP)):
            self._stepper.step(self._state, TIME_STEP)
        self._memory = copy.deepcopy(self._stepper.memory())
        self._stepper.tolerance, self._stepper.max_sweeps = UNREACHABLE, SWEEPS
        self.n, self.contacts = n, 0

    def sweep(self) -> float:
        """CPU milliseconds of a sweep."""
        self._stepper.recall(copy.deepcopy(self._memory))
        report = self._stepper.step(self._state.copy(), TIME_STEP)
        self.contacts = len(report.contacts)
        return 1e3 * report.solution.seconds / report.solution.iterations


def main() -> None:
    """Print both costs and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=10)
    wanted = parser.parse_args()
    numba.set_num_threads(1)
    piles = [Pile(wanted.small), Pile(wanted.large)]
    cost = np.array([[pile.sweep() for pile in piles] for _ in range(wanted.rounds + 1)])[1:]
    for pile, each in zip(piles, cost.T, strict=True):
        middle = float(np.median(each))
        print(
            f"{pile.n:>9,} spheres, {pile.contacts:>9,} contacts: {middle:7.3f} ms per sweep "
            f"({each.min():.3f} to {each.max():.3f}), {1e6 * middle / pile.contacts:.1f} ns per contact"
        )
    ratio = cost[:, 1] / cost[:, 0]
    print(f"ratio {np.median(ratio):.1f} ({ratio.min():.1f} to {ratio.max():.1f}) in {wanted.rounds} rounds")


if __name__ == "__main__":
    main()
