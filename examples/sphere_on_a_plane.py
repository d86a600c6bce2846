"""One time step of a sphere on a plane, built by hand: how does it move for several launches?

    python examples/sphere_on_a_plane.py

The sphere has mass m and radius R; the plane is z = 0, n = z, t1 = x, t2 = y.  The law is `SlideRollSpin`, so a contact
has the rows u_n, u_x, u_y [m/s], w_z, w_x, w_y [rad/s], and the loads conjugate to them.
"""

import numpy as np

from trundle import ContactProblem, laws, solve

MASS, RADIUS = 0.2, 0.03  # [kg], [m]
INERTIA = 0.4 * MASS * RADIUS**2  # of a solid sphere [kg m2]
GRAVITY, TIME_STEP = 9.81, 1e-3  # [m/s2], [s]
LAW = laws.SlideRollSpin(mu=0.3, mu_r=0.001, mu_s=0.0005)  # [-], [m], [m]


def velocity_map() -> np.ndarray:
    """H, shape (6, 6): rows n, t1, t2, s, r1, r2 of y from v = (v_x, v_y, v_z, w_x, w_y, w_z)."""
    H = np.zeros((6, 6))
    H[0, 2] = 1.0  # u_n = v_z
    H[1, [0, 4]] = 1.0, -RADIUS  # u_x = v_x - R w_y: the contact point is at (0, 0, -R)
    H[2, [1, 3]] = 1.0, RADIUS  # u_y = v_y + R w_x
    H[3, 5] = H[4, 3] = H[5, 4] = 1.0  # w_z, w_x, w_y
    return H


def step_problem(velocity: np.ndarray) -> ContactProblem:
    """y = W p + q with W = H M^-1 H^T and q = H (v + h g)."""
    H = velocity_map()
    inverse_mass = np.diag([1.0 / MASS] * 3 + [1.0 / INERTIA] * 3)
    W = H @ inverse_mass @ H.T
    q = H @ (velocity + TIME_STEP * np.array([0.0, 0.0, -GRAVITY, 0.0, 0.0, 0.0]))
    return ContactProblem(LAW, W=W, q=q)


def launches() -> dict[str, np.ndarray]:
    """Velocities (v_x, v_y, v_z, w_x, w_y, w_z) before the step."""
    # Friction can stop sliding at up to u = 7/2 mu g h within one step, for W_tt = 1/m + R^2/I = 7 / (2 m).
    slow, fast = 1.0 * LAW.mu * GRAVITY * TIME_STEP, 1.0
    return {
        "at rest": np.zeros(6),
        "nudged": np.array([0.05 * slow, 0, 0, 0, 0, 0]),
        "pushed gently": np.array([slow, 0, 0, 0, 0, 0]),
        "thrown without spin": np.array([fast, 0, 0, 0, 0, 0]),
        "rolling": np.array([fast, 0, 0, 0, fast / RADIUS, 0]),
        "rolling slantwise": np.array([0.6 * fast, 0.8 * fast, 0, -0.8 * fast / RADIUS, 0.6 * fast / RADIUS, 0]),
        "backspin": np.array([fast, 0, 0, 0, -fast / RADIUS, 0]),
        "spinning top": np.array([0, 0, 0, 0, 0, 50.0]),
        "rolling and spinning": np.array([fast, 0, 0, 0, fast / RADIUS, 50.0]),
        "thrown upwards": np.array([fast, 0, 1.0, 0, 0, 0]),
    }


def main() -> None:
    """Solve one step for each launch."""
    print(f"{'launch':22s} {'mode':18s} {'r_n [N s]':>10s} {'f_x [N s]':>11s} {'m_y [N m s]':>12s} {'residual':>9s}")
    for name, velocity in launches().items():
        solution = solve(step_problem(velocity), tolerance=1e-12)
        r_n, f_x, _, _, _, m_y = solution.p
        mode = str(solution.modes[0])
        print(f"{name:22s} {mode:18s} {r_n:10.3e} {f_x:11.3e} {m_y:12.3e} {solution.residual:9.1e}")
    print(f"\nm g h = {MASS * GRAVITY * TIME_STEP:.3e} N s; times mu {LAW.mu * MASS * GRAVITY * TIME_STEP:.3e} N s")


if __name__ == "__main__":
    main()
