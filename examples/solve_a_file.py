"""Solve a contact problem from a file, and look at what came out.

    python examples/solve_a_file.py [FILE]

FILE is FCLIB (HDF5) or Siconos text.  Without one, a small problem is written to `block.hdf5` first: a block of
2 kg on four feet, with 2 m/s to the right and gravity, over one time step of 10 ms.
"""

import sys
from collections import Counter

import numpy as np

from trundle import ContactProblem, laws, load_problem, save_problem, solve


def block_on_four_feet() -> ContactProblem:
    """M v = f + H^T p, y = H v: one body, four contacts with the floor, rows n, t1, t2."""
    mass, half_length, half_width, height, time_step = 2.0, 0.2, 0.1, 0.15, 0.01
    inertia = mass / 3.0 * np.array([half_width**2 + height**2, half_length**2 + height**2, 0.05])
    H = np.zeros((12, 6))
    for foot, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]):
        arm = np.array([x * half_length, y * half_width, -height])  # from the centre of mass to the foot
        for row, direction in enumerate([(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]):
            H[3 * foot + row] = [*direction, *np.cross(arm, direction)]
    M = np.diag([mass, mass, mass, *inertia])
    velocity = np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.5])
    f = M @ velocity + time_step * np.array([0.0, 0.0, -9.81 * mass, 0.0, 0.0, 0.0])
    return ContactProblem(laws.Coulomb(mu=np.full(4, 0.4)), M=M, H=H, f=f, b=np.zeros(12), title="block on four feet")


def main() -> None:
    """Load, solve, and print."""
    if len(sys.argv) > 1:
        file = sys.argv[1]
    else:
        file = "block.hdf5"
        save_problem(block_on_four_feet(), file)
        print(f"written: {file}")

    problem = load_problem(file)
    solution = solve(problem, tolerance=1e-10)

    law = type(problem.laws[0]).__name__
    print(f"{problem.contact_count} contacts, law {law}, rows {' '.join(problem.laws[0].rows)}, {problem.form} form")
    print(solution.message)
    print(f"residual, computed by the problem: {problem.residual(solution.p):.1e}")
    print("modes:", ", ".join(f"{count} {mode}" for mode, count in Counter(solution.modes.tolist()).items()))

    # what friction takes from the motion, contact by contact: r_n sigma(-w) = -y.p   [J]
    for law, y, p in zip(problem.laws, problem.split(solution.y), problem.split(solution.p), strict=True):
        if "n" in law.rows:
            lost = law.dissipation(y, p)
            print(f"dissipated: {lost.sum():.6g} J; check -y.p = {-np.sum(y * p):.6g} J")


if __name__ == "__main__":
    main()
