"""A friction law of one's own in 15 lines, tested and used: the friction pyramid.

    python examples/own_law.py
    trundle check-law examples/own_law.py:Pyramid

Many programs replace Coulomb's disk by a pyramid, |f_t1| + |f_t2| <= mu r_n, because it is linear.  Here it is as a law
of one's own; then it shows what it does to a block that slides at an angle: friction pulls it off its course.
"""

import numpy as np

from trundle import ContactProblem, laws, solve


@laws.own(rows=("t1", "t2"))
class Pyramid:
    """|f_t1| + |f_t2| <= mu r_n."""

    mu: laws.Ratio

    def project_section(f, r_n, c, out):
        """Euclidean projection of f onto r_n C; c holds the coefficients, here mu alone."""
        size = c[0] * r_n
        a, b = abs(f[0]), abs(f[1])
        excess = 0.5 * (a + b - size)
        if a + b > size:
            a, b = a - excess, b - excess
            if a < 0.0:
                a, b = 0.0, size
            if b < 0.0:
                a, b = size, 0.0
        out[0] = a if f[0] >= 0.0 else -a
        out[1] = b if f[1] >= 0.0 else -b

    def support(w, c):
        """The largest f . w over the set: at a corner of the pyramid."""
        return c[0] * max(abs(w[0]), abs(w[1]))


def sliding_block(law: laws.Law, angle: float) -> ContactProblem:
    """A point mass of 1 kg that slides with 1 m/s at an angle to t1, over one time step of 10 ms."""
    q = np.array([-9.81 * 0.01, np.cos(angle), np.sin(angle)])
    return ContactProblem(law, W=np.eye(3), q=q)


def main() -> None:
    """Check the law, then compare it with Coulomb's."""
    print(laws.check(Pyramid(mu=0.5)))
    print(f"\n{'slides at':>10s} {'Coulomb opposes':>17s} {'Pyramid opposes':>15s}")
    for degrees in (0, 10, 30, 50, 90):
        angles = []
        for law in (laws.Coulomb(mu=0.5), Pyramid(mu=0.5)):
            solution = solve(sliding_block(law, np.radians(degrees)), tolerance=1e-12)
            assert solution.converged, solution.message
            _, f_1, f_2 = solution.p
            angles.append(np.degrees(np.arctan2(-f_2, -f_1)) + 0.0)  # no -0.0
        print(f"{degrees:8d}°  {angles[0]:15.1f}°  {angles[1]:13.1f}°")


if __name__ == "__main__":
    main()
