"""Rockfall: many blocks, one after the other, on one terrain."""

from trundle.rockfall.barriers import Barrier
from trundle.rockfall.blocks import Blocks
from trundle.rockfall.calibration import Fit, calibrate_case
from trundle.rockfall.case import Case, Output, read_case
from trundle.rockfall.release import Release
from trundle.rockfall.slope import Options, Path, Slope, Soil, Start
from trundle.rockfall.study import Results, run_study
from trundle.rockfall.terrain import Terrain

__all__ = [
    "Barrier", "Blocks", "Case", "Fit", "Options", "Output", "Path", "Release", "Results", "Slope", "Soil", "Start", "Terrain",
    "calibrate_case", "read_case", "run_study",
]  # fmt: skip
