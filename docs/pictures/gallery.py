"""Runs the examples and draws the pictures of the gallery.

python docs/pictures/gallery.py [NAME ...]        all, or some of: ball, box_of_grains, conveyor, pour
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from trundle.view.films import save_picture

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
SIZE = {"width": 960, "height": 540}
# frame as a share of the run, and how it is drawn
PICTURES = {
    "ball": [("ball", 0.35, {"colour": "mode", "zoom": 1.1})],
    "box_of_grains": [
        ("box_of_grains", 0.16, {"colour": "speed", "zoom": 1.2}),
        ("box_of_grains-chains", 1.0, {"colour": "plain", "chains": True, "zoom": 1.2}),
    ],
    "conveyor": [("conveyor", 0.8, {"colour": "plain", "direction": (0.5, -0.8, 0.5)})],
    "pour": [("pour", 0.36, {"colour": "mode", "zoom": 1.4}), ("pour-end", 1.0, {"colour": "force", "zoom": 1.4})],
}


def main(names: list[str]) -> None:
    for name in names or list(PICTURES):
        with tempfile.TemporaryDirectory() as folder:
            run = Path(folder) / f"{name}.h5"
            subprocess.run(
                [sys.executable, "-m", "trundle.cli", "run", str(EXAMPLES / f"{name}.toml"), "-o", str(run), "-q"],
                check=True,
            )
            draw(name, run)


def draw(name: str, run: Path) -> None:
    from trundle.record import Recording

    with Recording(run) as recording:
        last = recording.frame_count - 1
    for picture, share, look in PICTURES[name]:
        save_picture(run, HERE / f"example-{picture}.png", frame=round(share * last), **SIZE, **look)


if __name__ == "__main__":
    main(sys.argv[1:])
