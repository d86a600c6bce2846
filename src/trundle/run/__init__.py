"""Runs: a scene, a stepper and a loop, as one call or as an object that can be stepped."""
