"""Scenes: what is there before anything moves."""

from trundle.scene.emitters import BoxRegion, Choice, CylinderRegion, Grading, Normal, Uniform
from trundle.scene.files import load_scene, parse_scene
from trundle.scene.grids import grid
from trundle.scene.motions import Oscillation, Steady, Table
from trundle.scene.scene import Body, Pair, Scene
from trundle.scene.shapes import (
    Box,
    Capsule,
    Clump,
    ConeInside,
    Cylinder,
    CylinderInside,
    Disk,
    Ellipsoid,
    HalfSpace,
    HeightField,
    Mesh,
    Polyhedron,
    Shape,
    Sphere,
    SphereInside,
    TorusInside,
)
from trundle.scene.writing import dump_scene

__all__ = [
    "Body",
    "Box",
    "BoxRegion",
    "Capsule",
    "Choice",
    "Clump",
    "ConeInside",
    "Cylinder",
    "CylinderInside",
    "CylinderRegion",
    "Disk",
    "Ellipsoid",
    "Grading",
    "HalfSpace",
    "HeightField",
    "Mesh",
    "Normal",
    "Oscillation",
    "Pair",
    "Polyhedron",
    "Scene",
    "Shape",
    "Sphere",
    "SphereInside",
    "Steady",
    "Table",
    "TorusInside",
    "Uniform",
    "dump_scene",
    "grid",
    "load_scene",
    "parse_scene",
]
