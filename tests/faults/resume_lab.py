"""Resuming after every single step: a run that goes on from each of its checkpoints gives the same bits as the run itself.

python tests/faults/resume_lab.py [CASE ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from cases import CASES, DURATION, H

import trundle
from trundle.record.layout import pack, unpack
from trundle.run.loop import Loop
from trundle.run.options import at_most_threads
from trundle.run.sinks import Memory
from trundle.scene.model import build_model

STATE = ("position", "orientation", "velocity", "angular_velocity", "present")
AHEAD = 5  # steps that a resumed run is followed


def _state(loop: Loop) -> bytes:
    return b"".join(np.ascontiguousarray(getattr(loop.state, name)).tobytes() for name in STATE)


def _resumed(build: Any, first: Loop, memory: bytes) -> Loop:
    """A loop that knows nothing but the scene and a checkpoint as it stands in a file."""
    scene = build()
    model, state = build_model(scene)
    loop = Loop(scene, model, state, first.options, Memory(model, first.options, [j.name for j in scene.joints]))
    loop.recall(unpack(memory))
    return loop


def resume_everywhere(name: str, duration: float = DURATION, stride: int = 1) -> dict[str, Any]:
    """Follow a case step by step, and from each `stride`-th checkpoint again; returns counts and failures."""
    build, given = CASES[name]
    options = {"time_step": H, **{k: v for k, v in given.items() if k != "threads"}}
    step = options.pop("time_step")
    simulation = trundle.Simulation(build(), step, threads=1, duration=duration, **options)
    loop, states, memories = simulation._loop, [], []
    count = round(duration / loop.options.time_step)
    with at_most_threads(1):
        for k in range(count):
            memories.append(pack(loop.memory()) if k % stride == 0 else b"")
            simulation.step()
            states.append(_state(loop))
        failures, done = [], 0
        for k, memory in enumerate(memories):
            if not memory:
                continue
            again = _resumed(build, loop, memory)
            done += 1
            for j in range(k, min(k + AHEAD, count)):
                again.run(j + 1, last=False)
                if _state(again) != states[j]:
                    failures.append(f"{name}, resumed after step {k}: other bits in step {j + 1}")
                    break
        whole = trundle.Simulation(build(), step, threads=1, duration=duration, **options)
        whole.run(duration, progress=False)
    if _state(whole._loop) != states[-1]:
        failures.append(f"{name}: steps that are done at once give other bits than one by one")
    return {"runs done": done + 1, "failures": failures}


def resume_cases(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """About `count` resumed runs, over all cases."""
    stride = max(1, round(len(CASES) * DURATION / H / count))
    found = [resume_everywhere(name, stride=stride) for name in CASES]
    done, failures = sum(one["runs done"] for one in found), [text for one in found for text in one["failures"]]
    return {"runs done": done, "failures": failures}


def main() -> int:
    wrong = 0
    for name in sys.argv[1:] or CASES:
        found = resume_everywhere(name)
        wrong += len(found["failures"])
        print(
            f"{name}: {found['runs done']} resumed, {len(found['failures'])} failures {found['failures'][:3]}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
