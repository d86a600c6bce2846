"""Scenes: what is there before anything moves."""

from trundle.scene.scene import Body, Pair, Scene
from trundle.scene.shapes import Box, HalfSpace, Shape, Sphere

__all__ = ["Body", "Box", "HalfSpace", "Pair", "Scene", "Shape", "Sphere"]
