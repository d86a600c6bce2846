"""A sphere that slides, rolls and stops: how far from the closed form, and what a step costs."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from trundle import laws
from trundle.run.simulate import simulate
from trundle.scene.scene import Scene
from trundle.scene.shapes import HalfSpace, Sphere

STOPPED = 1e-4  # speed relative to that at the start; what is left of the way is 1e-8 of it


@dataclass(frozen=True)
class SphereScene:
    """A sphere on a plane, launched without slip; Acary & Bourrier (2021), section 6.1.  SI units."""

    radius: float = 0.5
    density: float = 2500.0
    speed: float = 2.5
    spin: float = 5.0
    mu: float = 0.2
    mu_r: float = 0.04
    gravity: float = 9.81

    @property
    def stop_distance(self) -> float:
        """Closed form [m] for a start without slip: v0^2 / (2 a), a = 5 mu_r g / (7 R)."""
        return self.speed**2 / (2.0 * 5.0 * self.mu_r * self.gravity / (7.0 * self.radius))

    @property
    def stop_time(self) -> float:
        """Closed form [s] for a start without slip: v0 / a = 2 stop_distance / v0."""
        return 2.0 * self.stop_distance / self.speed

    @property
    def mass(self) -> float:
        """[kg]."""
        return self.density * 4.0 / 3.0 * math.pi * self.radius**3

    def build(self) -> Scene:
        """The scene of trundle."""
        scene = Scene(gravity=(0.0, 0.0, -self.gravity))
        scene.add(
            Sphere(radius=self.radius), name="ball", density=self.density, position=(0, 0, self.radius),
            velocity=(self.speed, 0, 0), angular_velocity=(0, self.spin, 0), surface="ball",
        )  # fmt: skip
        scene.add(HalfSpace(), name="ground", fixed=True, surface="ground")
        scene.surface("ball", "ground", law=laws.Rolling(mu=self.mu, mu_r=self.mu_r))
        return scene


def run_sphere(
    scene: SphereScene, duration: float = 6.0, time_step: float = 1e-3, tolerance: float = 1e-10
) -> dict[str, Any]:  # fmt: skip
    """Roll until rest; returns stop_distance [m], its relative error (None if the sphere still rolls at the end), final
    speed [m/s], CPU per step [s]."""
    simulate(scene.build(), 10 * time_step, time_step, tolerance=tolerance)
    begun = time.process_time()
    run = simulate(scene.build(), duration, time_step, tolerance=tolerance)
    cpu = time.process_time() - begun
    distance, speed = float(run.position("ball")[-1, 0]), float(abs(run.velocity("ball")[-1, 0]))
    stopped = speed < STOPPED * scene.speed
    return {
        "scene": "sphere", "duration": duration, "time_step": time_step, "tolerance": tolerance,
        "stop_distance": distance, "exact": scene.stop_distance,
        "error": distance / scene.stop_distance - 1.0 if stopped else None, "final_speed": speed,
        "cpu_per_simulated_second": cpu / duration, "cpu_per_step": cpu / len(run.steps),
        "residual_max": float(run.steps["residual"].max()),
    }  # fmt: skip
