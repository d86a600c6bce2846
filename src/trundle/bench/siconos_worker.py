"""Solves one contact problem with Siconos; started by `bench.with_siconos` under the interpreter that has Siconos.

    python3 siconos_worker.py PROBLEM.dat SOLVER SECONDS REPEATS

Every line of standard input is a tolerance; the answer is a line of JSON on standard output.  A solve that takes
longer than SECONDS ends the process: compiled code cannot be interrupted.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

import numpy as np
import siconos.numerics as sn

# what a solver is called here: the solver's identifier, its driver, how the file is read
SOLVERS = {
    "fc3d NSGS": ("SICONOS_FRICTION_3D_NSGS", "fc3d_driver", "frictionContact_new_from_filename"),
    "fc3d ADMM": ("SICONOS_FRICTION_3D_ADMM", "fc3d_driver", "frictionContact_new_from_filename"),
    "fc3d NSN": ("SICONOS_FRICTION_3D_NSN_AC", "fc3d_driver", "frictionContact_new_from_filename"),
    "gfc3d IPM": (
        "SICONOS_GLOBAL_FRICTION_3D_IPM", "interior_point", "globalFrictionContact_new_from_filename",
    ),
    "fc2d NSGS": ("SICONOS_FRICTION_2D_NSGS", "fc2d_driver", "frictionContact_new_from_filename"),
    "fc2d Lemke": ("SICONOS_FRICTION_2D_LEMKE", "fc2d_driver", "frictionContact_new_from_filename"),
    "rolling NSGS": (
        "SICONOS_ROLLING_FRICTION_3D_NSGS", "rolling_fc3d_driver", "rollingFrictionContact_new_from_filename",
    ),
    "rolling ADMM": (
        "SICONOS_ROLLING_FRICTION_3D_ADMM", "rolling_fc3d_driver", "rollingFrictionContact_new_from_filename",
    ),
}  # fmt: skip
MOST_ITERATIONS = 100_000_000  # the time limit counts
MOST_FIXED_POINTS = 200


def interior_point(problem: Any, p: np.ndarray, y: np.ndarray, options: Any) -> int:
    """Its interior point method solves the convex problem, without De Saxce's term s = mu |u_t|: here it is solved again and
    again, with the s of the last solution in the normal velocities, until s stays.
    """
    b, mu = np.array(problem.b).ravel(), np.array(problem.mu).ravel()
    v = np.zeros(np.array(problem.q).size)
    s, iterations, info = np.zeros(len(mu)), 0, 0
    tolerance, size = options.dparam[sn.SICONOS_DPARAM_TOL], np.linalg.norm(b) or 1.0
    for _ in range(MOST_FIXED_POINTS):
        shifted = b.copy()
        shifted[::3] += s
        problem.b = shifted
        again = sn.SolverOptions(sn.SICONOS_GLOBAL_FRICTION_3D_IPM)
        again.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        again.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1000
        info = sn.gfc3d_driver(problem, p, y, v, again)
        iterations += int(again.iparam[sn.SICONOS_IPARAM_ITER_DONE])
        before, s = s, mu * np.hypot(y[1::3], y[2::3])
        if np.linalg.norm(s - before) <= tolerance * size:
            break
    options.iparam[sn.SICONOS_IPARAM_ITER_DONE] = iterations
    return int(info)


def main() -> None:
    """Answer one tolerance after the other."""
    file, solver, seconds, repeats = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Siconos prints, too
    identifier, driver, read = SOLVERS[solver]
    for line in sys.stdin:
        best: dict = {}
        for _ in range(repeats):
            problem = getattr(sn, read)(file)
            options = sn.SolverOptions(getattr(sn, identifier))
            options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST_ITERATIONS
            options.dparam[sn.SICONOS_DPARAM_TOL] = float(line)
            rows = problem.numberOfContacts * problem.dimension
            p, y = np.zeros(rows), np.zeros(rows)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            wall, cpu = time.perf_counter(), time.process_time()
            info = (interior_point if driver == "interior_point" else getattr(sn, driver))(problem, p, y, options)
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            if not best or cpu < best["cpu"]:
                iterations = int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE])
                best = {"info": info, "iterations": iterations, "cpu": cpu, "wall": wall, "p": p.tolist()}
            if cpu > 1.0:  # long enough to be a measurement
                break
        answers.write(json.dumps(best) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
