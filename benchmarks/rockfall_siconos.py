"""One block on a height map in Siconos; started by `rockfall.py` under the interpreter that has Siconos.

    python3 rockfall_siconos.py SCENE.json

Every line of standard input asks for so many steps; the answer is a line of JSON with the CPU seconds so far, place and velocity.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.mechanics.collision import (
    RigidBodyDS,
    SiconosContactor,
    SiconosContactorSet,
    SiconosConvexHull,
    SiconosHeightMap,
)
from siconos.mechanics.collision.bullet import SiconosBulletCollisionManager, SiconosBulletOptions

MOST_SWEEPS, TOLERANCE, ROWS = 20_000, 1e-4, 500


def main() -> None:
    """Build the world, then answer one line after the other."""
    scene = json.loads(Path(sys.argv[1]).read_text())
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Siconos prints, too
    begun = time.process_time()
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(begun + scene["allowed"]), hard))
    system = sk.NonSmoothDynamicalSystem(0.0, 1e9)
    body = RigidBodyDS(scene["position"], scene["velocity"], scene["mass"], np.array(scene["inertia"]))
    contactors = SiconosContactorSet()
    hull = SiconosConvexHull(np.array(scene["corners"]))
    hull.setInsideMargin(0.02)
    hull.setOutsideMargin(0.0)
    contactors.push_back(SiconosContactor(hull))
    body.setContactors(contactors)
    body.setFExtPtr([0.0, 0.0, -scene["mass"] * scene["gravity"]])
    system.insertDynamicalSystem(body)
    ground = SiconosHeightMap(np.array(scene["heights"]), *scene["size"])
    ground.setInsideMargin(0.02)
    ground.setOutsideMargin(0.0)
    manager = SiconosBulletCollisionManager(SiconosBulletOptions())
    floor = SiconosContactorSet()
    floor.push_back(SiconosContactor(ground))
    place = [0.5 * scene["size"][0], 0.5 * scene["size"][1], 0.0, 1.0, 0.0, 0.0, 0.0]
    manager.insertStaticContactorSet(floor, sk.SiconosVector(place))
    law = sk.NewtonImpactRollingFrictionNSL(scene["restitution"], 0.0, scene["mu"], scene["mu_r"], 5)
    manager.insertNonSmoothLaw(law, 0, 0)
    options = sk.solver_options_create(sn.SICONOS_ROLLING_FRICTION_3D_NSGS)
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = MOST_SWEEPS
    options.dparam[sn.SICONOS_DPARAM_TOL] = TOLERANCE
    problem = sk.RollingFrictionContact(5, options)
    problem.setKeepLambdaAndYState(True)
    problem.setMaxSize(ROWS)
    scheme = sk.MoreauJeanOSI(0.5)
    simulation = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, scene["time_step"]))
    simulation.insertIntegrator(scheme)
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
    simulation.setNewtonMaxIteration(1)
    answers.write(json.dumps({"cpu": time.process_time() - begun}) + "\n")
    answers.flush()
    for line in sys.stdin:
        for _ in range(int(line)):
            simulation.computeOneStep()
            simulation.nextStep()
        answer = {
            "cpu": time.process_time() - begun,
            "q": [float(v) for v in body.q()],
            "v": [float(v) for v in body.velocity()],
        }
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
