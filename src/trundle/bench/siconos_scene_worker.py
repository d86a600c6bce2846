"""Spheres among boxes in Siconos; started by `bench.siconos_scenes` under the interpreter that has Siconos.

    python3 siconos_scene_worker.py SCENE.json

Every line of standard input asks for a step and says how many CPU seconds all steps may take: after them the process ends,
for compiled code cannot be interrupted.  The answer is a line of JSON on standard output: CPU seconds since the first step,
positions and velocities.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.mechanics.collision import RigidBodyDS, SiconosBox, SiconosContactor, SiconosContactorSet, SiconosSphere
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

UPRIGHT = [1.0, 0.0, 0.0, 0.0]
MOST_SWEEPS = 20_000
ROWS = 5 * 4  # room for four contacts per sphere, in a dense matrix


def with_shape(shape: Any) -> Any:
    """What a body of one shape touches others with."""
    contactors = SiconosContactorSet()
    contactors.push_back(SiconosContactor(shape))
    return contactors


def build(scene: dict[str, Any]) -> tuple[Any, list[Any], object]:
    """The simulation, its bodies, and what must not be let go of."""
    system = sk.NonSmoothDynamicalSystem(0.0, 1e9)
    ball = SiconosSphere(scene["radius"])
    inertia = np.eye(3) * 0.4 * scene["mass"] * scene["radius"] ** 2
    bodies = []
    for position, velocity in zip(scene["position"], scene["velocity"], strict=True):
        body = RigidBodyDS([*position, *UPRIGHT], velocity, scene["mass"], inertia)
        body.setContactors(with_shape(ball))
        body.setFExtPtr([0.0, 0.0, -scene["mass"] * scene["gravity"]])
        system.insertDynamicalSystem(body)
        bodies.append(body)
    manager = SiconosBulletCollisionManager(SiconosBulletOptions())
    for size, place in scene["boxes"]:
        box = SiconosBox(*size)
        box.setOutsideMargin(0.0)
        manager.insertStaticContactorSet(with_shape(box), sk.SiconosVector([*place, *UPRIGHT]))
    manager.insertNonSmoothLaw(sk.NewtonImpactRollingFrictionNSL(0.0, 0.0, scene["mu"], scene["mu_r"], 5), 0, 0)
    options = sk.solver_options_create(sn.SICONOS_ROLLING_FRICTION_3D_NSGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST_SWEEPS
    options.dparam[sn.SICONOS_DPARAM_TOL] = scene["tolerance"]
    problem = sk.RollingFrictionContact(5, options)
    problem.setKeepLambdaAndYState(True)
    problem.setMaxSize(ROWS * (len(bodies) + 5))
    scheme = sk.MoreauJeanOSI(scene["theta"])
    simulation = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, scene["time_step"]))
    simulation.insertIntegrator(scheme)
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
    simulation.setNewtonMaxIteration(1)
    return simulation, bodies, (system, manager, problem, scheme, options)


def main() -> None:
    """Answer one line after the other."""
    scene = json.loads(Path(sys.argv[1]).read_text())
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Siconos prints, too
    simulation, bodies, _kept = build(scene)
    begun = time.process_time()
    for line in sys.stdin:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(begun + float(line)), hard))
        simulation.computeOneStep()
        simulation.nextStep()
        answer = {
            "cpu": time.process_time() - begun,
            "position": [list(map(float, body.q()[:3])) for body in bodies],
            "velocity": [list(map(float, body.velocity()[:3])) for body in bodies],
        }
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
