"""Laws alone and in sweeps: a million projections per law, and a law of one's own against the same law built in.

python benchmarks/laws.py
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np
import scipy.sparse as sp
from problem_files import markdown, on_one_thread, versions

from trundle import ContactProblem, laws
from trundle.solve.gauss_seidel import sweep_arguments
from trundle.solve.kernels import sweeps as kernels

MOMENTUM = np.array([1.0, np.inf, 1.3])  # theta, best change so far, growth that restarts


@laws.own(rows=("t1", "t2"))
class Disk:
    """Coulomb's disk, as a user would write it."""

    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        norm = math.hypot(f[0], f[1])
        share = 1.0 if norm <= c[0] * r_n else c[0] * r_n / norm
        out[0] = share * f[0]
        out[1] = share * f[1]

    def support(w, c):
        return c[0] * math.hypot(w[0], w[1])


LAWS = {
    "`Coulomb`": laws.Coulomb(0.3),
    "`Rolling`": laws.Rolling(0.3, 0.1),
    "`SlideRollSpin`": laws.SlideRollSpin(0.3, 0.1, 0.2),
    "`Superellipse`, q = 2": laws.Superellipse(0.3, 0.2),
    "`Superellipse`, q = 6": laws.Superellipse(0.3, 0.2, q=6.0),
    "`Superellipse`, q = 1": laws.Superellipse(0.3, 0.2, q=1.0),
    "`Contensou`": laws.Contensou(0.3, 0.1),
    "`Superellipse`, q = 4, × `Roll` × `Spin`": laws.Superellipse(0.3, 0.2, q=4.0) * laws.Roll(0.1) * laws.Spin(0.2),
    "own `Disk`": Disk(0.3),
}


def projections(count: int, repeats: int) -> list[list[str]]:
    """Least wall and CPU time of `count` projections onto the cone and onto the section, for every law."""
    rng = np.random.default_rng(0)
    table = []
    for name, law in LAWS.items():
        p = rng.normal(size=(count, law.d))
        p[:, 0] += 1.0
        r_n = np.abs(p[:, 0])
        row = [name]
        for call in (lambda law=law, p=p: law.project(p), lambda law=law, p=p, r=r_n: law.project_section(p[:, 1:], r)):
            call()
            times = []
            for _ in range(repeats):
                wall, cpu = time.perf_counter(), time.process_time()
                call()
                times.append((time.process_time() - cpu, time.perf_counter() - wall))
            cpu, wall = min(times)
            row += [f"{wall:.3f}", f"{cpu:.3f}"]
        table.append(row)
    return table


def heap(law: laws.Law, bodies: int) -> ContactProblem:
    """Spheres on a line of neighbours, two contacts each, with directions at random."""
    rng = np.random.default_rng(1)
    radius, mass = 0.05, 0.3
    inverse = np.tile([1.0 / mass] * 3 + [1.0 / (0.4 * mass * radius**2)] * 3, bodies)
    pairs = [(b, (b + step) % bodies) for b in range(bodies) for step in (1, 7)]
    rows, columns, values = [], [], []
    for c, (first, second) in enumerate(pairs):
        frame = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
        for body, sign in ((first, 1.0), (second, -1.0)):
            for i, axis in enumerate(frame):
                entries = sign * np.concatenate([axis, np.cross(-sign * radius * frame[0], axis)])
                rows += [3 * c + i] * 6
                columns += list(range(6 * body, 6 * body + 6))
                values += entries.tolist()
    H = sp.csr_array((values, (rows, columns)), shape=(3 * len(pairs), 6 * bodies))
    W = H @ sp.diags_array(inverse) @ H.T
    v = rng.normal(size=6 * bodies) * np.tile([1.0] * 3 + [1.0 / radius] * 3, bodies)
    v -= 2.0 * mass * inverse * (H[::3].T @ np.ones(len(pairs)))  # all contacts are pressed
    return ContactProblem(law, W=W, q=H @ v, check=False)


def sweep_time(law: laws.Law, kernel: str, sweeps: int, repeats: int) -> float:
    """CPU time per contact and sweep [ns], from rest, preparation not counted."""
    problem = heap(law, 500).scaled
    arguments = sweep_arguments(problem, 1.0, False)
    least = math.inf
    for _ in range(repeats):
        p, y, work = np.zeros_like(problem.q), np.zeros_like(problem.q), np.zeros(2 * len(problem.q))
        rest = (p, y, work, sweeps, 0.0) + (() if kernel == "gauss_seidel" else (p.copy(), MOMENTUM.copy()))
        began = time.process_time()
        getattr(kernels, kernel)(*arguments, *rest)
        least = min(least, time.process_time() - began)
    return least / sweeps / (len(problem.table.contact) - 1) * 1e9


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    on_one_thread()
    head = ("a million times", "`project` wall [s]", "CPU [s]", "`project_section` wall [s]", "CPU [s]")
    print(markdown(head, projections(given.count, given.repeats)))
    table = []
    for kernel in ("gauss_seidel", "nesterov"):
        built_in, own = (sweep_time(law, kernel, 50, 10 * given.repeats) for law in (laws.Coulomb(0.3), Disk(0.3)))
        table.append([kernel.replace("_", "-"), f"{built_in:.0f}", f"{own:.0f}", f"{own / built_in:.2f}"])
    head = ("sweep over 1,000 contacts", "`Coulomb` [ns per contact]", "own `Disk` [ns per contact]", "ratio")
    print("\n" + markdown(head, table) + f"\n\n{versions()}")


if __name__ == "__main__":
    main()
