"""Writes the made-up terrain of this example: a cliff, a scree slope, a meadow, in coordinates as of LV95.

python make_terrain.py
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from trundle.scene.rasters import Raster, write_ascii

EAST, NORTH, SIDE = 2_690_000.0, 1_165_000.0, 5.0


def heights(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Height [m] at places from the lower left corner [m]: the slope falls towards the south, with gullies."""
    d = 240.0 - y  # way downhill
    cliff, scree = np.clip(d - 20.0, 0.0, 15.0), np.clip(d - 35.0, 0.0, 105.0)
    meadow = np.clip(d - 140.0, 0.0, None)
    gully = 1.5 * np.cos(2.0 * np.pi * x / 60.0) * np.clip(d / 60.0, 0.0, 1.0)
    return 1400.0 - 0.3 * d - 1.6 * cliff - 0.35 * scree + 0.2 * np.minimum(meadow, 60.0) + gully


def main() -> None:
    """Write terrain.asc and soils.geojson beside this file."""
    folder = Path(__file__).parent
    x, y = np.arange(0.0, 201.0, SIDE), np.arange(0.0, 251.0, SIDE)
    raster = Raster(np.round(heights(x[:, None], y[None, :]), 2), (EAST, NORTH), (SIDE, SIDE))
    write_ascii(folder / "terrain.asc", raster)
    features = []
    for soil, low, high in (("rock", 205.0, 260.0), ("scree", 100.0, 205.0)):
        ring = [
            (EAST - 10, NORTH + low),
            (EAST + 210, NORTH + low),
            (EAST + 210, NORTH + high),
            (EAST - 10, NORTH + high),
        ]
        geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
        features.append({"type": "Feature", "properties": {"surface": soil}, "geometry": geometry})
    (folder / "soils.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": features}, indent=1) + "\n"
    )


if __name__ == "__main__":
    main()
