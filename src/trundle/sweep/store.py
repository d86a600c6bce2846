"""The folder of a campaign: one small file per finished run, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trundle.errors import CampaignError

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
        try:
            self.runs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CampaignError(f"{self.runs}: cannot be made a folder ({error.strerror}).") from None

    def load(self, key: str) -> dict[str, Any] | None:
        """The outcome of a run, or None: it is missing, or was cut off while a disk filled up."""
        path = self.runs / f"{key}.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None

    def save(self, key: str, job: Job, outcome: dict[str, Any]) -> None:
        """Keep an outcome; a crash leaves the old file or the new one, never half of one."""
        text = json.dumps({**outcome, "job": {k: v for k, v in job.items() if k != "scene"}}, indent=1)
        temporary = self.runs / f".{key}.{os.getpid()}"
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(self.runs / f"{key}.json")

    def missing(self, keys: Sequence[str], retry: bool) -> list[int]:
        """Numbers of the runs that are not here yet; with `retry` also of those that failed."""
        wanted = []
        seen: set[str] = set()
        for i, key in enumerate(keys):
            outcome = self.load(key)
            if key not in seen and (outcome is None or (retry and "error" in outcome)):
                wanted.append(i)
            seen.add(key)
        return wanted
