"""The folder of a campaign: one small file per finished run, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trundle import output

Job = dict[str, Any]


def identity(job: Job) -> str:
    """Name of a run: the same for the same work, whatever else is in the campaign."""
    what = {key: value for key, value in job.items() if key != "folder"}
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:20]


@dataclass
class Store:
    """Outcomes of runs in `folder`/runs."""

    folder: Path

    def __post_init__(self) -> None:
        self.runs = self.folder / "runs"
        self.damaged: set[str] = set()  # names of files that are not what was written
        output.make_folder(self.runs)

    def load(self, key: str) -> dict[str, Any] | None:
        """The outcome of a run; None if it is missing, or if its file is not what `save` wrote, which `damaged` tells."""
        path = self.runs / f"{key}.json"
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.pop("digest", "") != _digest(key, found):
            self.damaged.add(path.name)
            return None
        return found

    def save(self, key: str, job: Job, outcome: dict[str, Any]) -> None:
        """Keep an outcome; a crash leaves the old file or the new one, never half of one."""
        content = {**outcome, "job": {k: v for k, v in job.items() if k != "scene"}}
        content = json.loads(json.dumps(content))  # as it will be read
        with output.writing(self.runs / f"{key}.json") as stream:
            stream.write(json.dumps({**content, "digest": _digest(key, content)}, indent=1))

    def missing(self, keys: Sequence[str], retry: bool) -> list[int]:
        """Numbers of the runs that are not here yet, or no longer whole; with `retry` also of those that failed."""
        wanted = []
        seen: set[str] = set()
        for i, key in enumerate(keys):
            outcome = self.load(key)
            if key not in seen and (outcome is None or (retry and "error" in outcome)):
                wanted.append(i)
            seen.add(key)
        return wanted


def _digest(key: str, content: dict[str, Any]) -> str:
    """Of an outcome and the run that it belongs to: neither another number nor another run's file goes unnoticed."""
    return hashlib.sha256(f"{key} {json.dumps(content, sort_keys=True)}".encode()).hexdigest()
