"""How long it takes until something happens: import, first solve in a fresh process, compilation of everything.

    python benchmarks/startup.py [--cold]

Wall times of fresh processes, the least of some; `--cold` compiles every kernel into an empty cache, once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile

from problem_files import markdown, on_one_thread, versions

IMPORT = """
import time; began = time.perf_counter()
import trundle
print(time.perf_counter() - began)
"""

FIRST_SOLVE = """
import time; began = time.perf_counter()
import numpy as np
from trundle import ContactProblem, laws, solve
rng = np.random.default_rng(0)
H = rng.normal(size=(100, 60))
problem = ContactProblem(laws.Rolling(mu=0.3, mu_r=0.01), W=H @ H.T, q=H @ rng.normal(size=60))
assert solve(problem).converged
print(time.perf_counter() - began)
"""

EVERYTHING = """
import time; began = time.perf_counter()
import math
import numpy as np
from trundle import ContactProblem, laws, solve
from trundle.solve import SOLVERS


@laws.own(rows=("t1", "t2"))
class Disk:
    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        norm = math.hypot(f[0], f[1])
        share = 1.0 if norm <= c[0] * r_n else c[0] * r_n / norm
        out[0] = share * f[0]
        out[1] = share * f[1]

    def support(w, c):
        return c[0] * math.hypot(w[0], w[1])


every = [
    laws.Coulomb(0.3), laws.Rolling(0.3, 0.01), laws.SlideRollSpin(0.3, 0.01, 0.02), laws.Contensou(0.3, 0.01),
    laws.Contensou(0.3, 0.01, series=True), laws.Superellipse(0.3, 0.2, q=3), laws.Superellipse(0.3, 0.2, q=1),
    laws.Superellipse(0.3, 0.2, q=4, k=0.5) * laws.Roll(0.01) * laws.Spin(0.01), Disk(0.3), laws.Bilateral(2),
]
for law in every[:-1]:
    y, p = np.ones((2, law.d)), np.ones((2, law.d))
    law.project(p), law.project_section(p[:, 1:], np.ones(2)), law.correction(y), law.bipotential(y, p), law.mode(y, p)
rng = np.random.default_rng(0)
for chosen in (every, every[:3]):
    rows = sum(law.d for law in chosen)
    H = rng.normal(size=(rows, rows + 5))
    for formulation in ("exact", "relaxed"):
        problem = ContactProblem(chosen, W=H @ H.T, q=rng.normal(size=rows), formulation=formulation)
        for name, solver in SOLVERS.items():
            if formulation in solver.formulations and (name != "interior-point" or chosen is not every):
                solve(problem, name, max_iterations=200)
print(time.perf_counter() - began)
"""


def seconds(code: str, repeats: int, **environment: str) -> float:
    """Least time that a fresh process measures for itself [s]."""
    times = []
    for _ in range(repeats):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
            script.write(code)
            script.flush()
            command = [sys.executable, script.name]
            done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=False)
        if done.returncode:
            raise SystemExit(f"error: a measured process failed:\n{done.stderr}")
        times.append(float(done.stdout.split()[-1]))
    return min(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cold", action="store_true", help="also compile everything into an empty cache")
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    on_one_thread()
    seconds(EVERYTHING, 1)  # fill the cache
    rows = [
        ["`import trundle`", f"{seconds(IMPORT, given.repeats):.2f}", "1"],
        [
            "import, first solve (20 rolling contacts), kernels in the cache",
            f"{seconds(FIRST_SOLVE, given.repeats):.2f}",
            "2",
        ],
        ["import, all laws and all solvers once, kernels in the cache", f"{seconds(EVERYTHING, 2):.2f}", ""],
    ]
    if given.cold:
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(EVERYTHING, 1, NUMBA_CACHE_DIR=cache)
        rows.append(["the same with an empty cache: everything is compiled", f"{cold:.1f}", "60"])
    print(markdown(("in a fresh process", "wall time [s]", "at most [s]"), rows) + f"\n\n{versions()}")


if __name__ == "__main__":
    main()
