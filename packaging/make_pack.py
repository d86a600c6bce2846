"""Compile the kernels of `trundle warm` for the levels of x86-64 that this machine has.

    python packaging/make_pack.py FOLDER [KIND ...]

Used by `make wheel`.  KIND: kinds of scenes as in `trundle warm`; if none is named, all of them and README and examples.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from trundle.kernel_pack import levels_of_this_machine

ROOT = Path(__file__).resolve().parents[1]


def make(folder: Path, kinds: list[str]) -> None:
    """Compile for every level into the folder."""
    levels = levels_of_this_machine()
    if not levels:
        sys.exit("this processor has no level of x86-64 that packs are made for (v3, v4): build a plain wheel instead")
    shutil.rmtree(folder, ignore_errors=True)
    for level in levels:
        target = {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(folder.resolve())}
        environment = {**os.environ, **target}
        subprocess.run([sys.executable, "-m", "trundle", "warm", *kinds], check=True, env=environment)
        if not kinds:
            run_examples(environment)
    (folder / "levels").write_text(" ".join(levels) + "\n", encoding="utf-8")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    print(f"{folder}: kernels for {', '.join(levels)}, {size / 1e6:.0f} MB")


def run_examples(environment: dict[str, str]) -> None:
    """What a newcomer runs first: the first lines of Python in README, the demo, the scenes of examples."""
    first = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert first is not None
    trundle = [sys.executable, "-m", "trundle"]
    with tempfile.TemporaryDirectory() as folder:
        runs = [[sys.executable, "-c", first[1]], [*trundle, "demo", "-o", folder]]
        for scene in sorted((ROOT / "examples").glob("*.toml")):
            if "[simulation]" in scene.read_text(encoding="utf-8"):
                recording = f"{folder}/{scene.stem}.h5"
                runs.append([*trundle, "run", str(scene), "-q", "--duration", "0.5", "-o", recording])
        for command in runs:
            subprocess.run(command, check=True, env=environment, cwd=folder, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    make(Path(sys.argv[1]), sys.argv[2:])
