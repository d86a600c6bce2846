"""How a run was made: what it needs to be repeated, and to say why a repetition differs."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import time
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from trundle.record.layout import versions
from trundle.scene.model import Model

PACKAGE = Path(__file__).parents[1]
SETTINGS = (
    "NUMBA_NUM_THREADS", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_DISABLE_JIT", "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS", "OMP_NUM_THREADS",
)  # fmt: skip


def stage(step: int, scene: str, model: Model, options: dict[str, Any]) -> dict[str, Any]:
    """A line of /provenance: a run begins, or goes on, after `step` steps with this scene and these options."""
    return {
        "step": step, "begun": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "options": options,
        "scene": hashlib.sha256(scene.encode()).hexdigest(), "model": model_digest(model),
        "seeds": {"run": options.get("seed")}, "versions": versions(), "package": package_digest(), "machine": machine(),
    }  # fmt: skip


@cache
def package_digest() -> str:
    """A hash of the source of this package."""
    digest = hashlib.sha256()
    for file in sorted(PACKAGE.rglob("*.py")):
        digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@cache
def made_by() -> str:
    """Version of this package, with the commit where it lies in a git repository, otherwise the hash of its source."""
    name = f"trundle {versions()['trundle']}"
    git = ("git", "-C", str(PACKAGE))
    try:
        commit, changed = (
            subprocess.run((*git, *command), capture_output=True, text=True, check=True, timeout=10).stdout.strip()
            for command in (("rev-parse", "--short=10", "HEAD"), ("status", "--porcelain", "--", "."))
        )
    except (OSError, subprocess.SubprocessError):
        return f"{name}, source {package_digest()[:10]}"
    return f"{name}, commit {commit}" + (" with changes" if changed else "")


def machine() -> dict[str, Any]:
    """Processor, threads and settings, on which nothing but the speed should depend."""
    import numba
    from llvmlite import binding

    return {
        "system": platform.system(), "architecture": platform.machine(), "processor": _processor(),
        "kernels_for": numba.config.CPU_NAME or binding.get_host_cpu_name(), "cores": os.cpu_count() or 0,
        "threads": numba.get_num_threads(), "settings": {n: os.environ[n] for n in SETTINGS if n in os.environ},
    }  # fmt: skip


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor()


def model_digest(model: Model) -> str:
    """A hash of masses, shapes, laws, joints and gravity, also of scenes that no scene file can say."""
    digest = hashlib.sha256()
    for name in (
        "names", "surface_names", "mass", "inertia", "kind", "parameters", "surface", "pair", "restitution", "ratio", "axis",
        "axis_of", "stiffness", "gravity", "contour", "viscosity", "laws", "materials", "joints",
    ):  # fmt: skip
        _feed(digest, getattr(model, name))
    return digest.hexdigest()


def _feed(digest: Any, value: Any) -> None:
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype} {value.shape}".encode() + np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (tuple, list)):
        digest.update(f"{len(value)}".encode())
        for item in value:
            _feed(digest, item)
    elif is_dataclass(value):
        digest.update(type(value).__name__.encode())
        for item in fields(value):
            _feed(digest, getattr(value, item.name))
    elif value is None or isinstance(value, (str, int, float, bool)):
        digest.update(repr(value).encode() + b"\0")
    else:  # functions and the like: what they do cannot be told, only what they are called
        digest.update(type(value).__name__.encode())
