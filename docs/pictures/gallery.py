"""Runs the examples and draws the pictures of the gallery.

python docs/pictures/gallery.py [NAME ...]        all, or some of the examples, named as their files
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from papers import shrink
from trundle.view.films import save_picture

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
EXAMPLES = HERE.parents[1] / "examples"
SIZE = {"width": 960, "height": 540}
# scenes: frame as a share of the run, and how it is drawn
SCENES = {
    "ball": [("ball", 0.35, {"colour": "mode", "zoom": 1.1})],
    "box_of_grains": [
        ("box_of_grains", 0.16, {"colour": "speed", "zoom": 1.2}),
        ("box_of_grains-chains", 1.0, {"colour": "plain", "chains": True, "zoom": 1.2}),
    ],
    "conveyor": [("conveyor", 0.8, {"colour": "plain", "direction": (0.5, -0.8, 0.5)})],
    "history": [("history", 0.5, {"colour": "speed", "arrows": True, "zoom": 1.1})],
    "pour": [("pour", 0.36, {"colour": "mode", "zoom": 1.4}), ("pour-end", 1.0, {"colour": "force", "zoom": 1.4})],
}
SCRIPTS = {"coin_on_a_table": "coin.png", "compare_laws": "laws.png", "euler_disk": "euler_disk.png"}  # what they write
PLOTS = ("history_compare", "own_law", "solve_a_file", "sphere_on_a_plane")


def main(names: list[str]) -> None:
    known = [*SCENES, *SCRIPTS, *PLOTS]
    wrong = [name for name in names if name not in known]
    if wrong:
        raise SystemExit(f"error: no example '{wrong[0]}'. Known: {', '.join(known)}.")
    for name in names or known:
        print(name, flush=True)
        with tempfile.TemporaryDirectory() as folder:
            make(name, Path(folder))


def make(name: str, folder: Path) -> None:
    """Run one example in a folder, and draw it."""
    if name in SCENES:
        run = folder / f"{name}.h5"
        command = ["-m", "trundle.cli", "run", str(EXAMPLES / f"{name}.toml"), "-o", str(run), "-q"]
        subprocess.run([sys.executable, *command], check=True)
        draw(name, run)
        return
    picture = folder / "picture.png"
    if name in PLOTS:
        import plots

        plots.draw(name, picture)
    else:
        environment = {**os.environ, "MPLBACKEND": "Agg"}
        subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], cwd=folder, env=environment, check=True)
        picture = folder / SCRIPTS[name]
    shrink(picture, HERE / f"example-{name}.png")


def draw(name: str, run: Path) -> None:
    from trundle.record import Recording

    with Recording(run) as recording:
        last = recording.frame_count - 1
    for picture, share, look in SCENES[name]:
        drawn = run.with_name("picture.png")
        save_picture(run, drawn, frame=round(share * last), **SIZE, **look)
        shrink(drawn, HERE / f"example-{picture}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
