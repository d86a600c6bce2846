"""Damaged problem files, batches of rockfall and results of campaigns: found, named or computed again."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from damage_lab import damaged, watched
from kill_lab import measured_campaign, study, write_case

import trundle
from trundle import laws
from trundle.sweep import run_campaign

Subject = tuple[list[Path], Callable[[], str]]  # files to damage, and what is then read from them


def problem_file(folder: Path) -> Subject:
    path, rng = folder / "problem.hdf5", np.random.default_rng(1)
    A = rng.normal(size=(18, 18))
    law = laws.Coulomb(mu=np.full(6, 0.5))
    trundle.save_problem(trundle.ContactProblem(W=A @ A.T + np.eye(18), q=rng.normal(size=18), laws=law), path)

    def read() -> str:
        found = trundle.load_problem(path)
        parts = (found.W.toarray(), found.q, np.asarray(found.laws[0].mu), found.title.encode())
        return hashlib.sha256(b"".join(p if isinstance(p, bytes) else p.tobytes() for p in parts)).hexdigest()

    return [path], read


def batches(folder: Path) -> Subject:
    write_case(folder)
    target = folder / "study"
    study(folder, target)

    def read() -> str:
        return hashlib.sha256(repr(sorted(study(folder, target).items())).encode()).hexdigest()

    return [*(target / "batches").iterdir(), *(target / "runs").iterdir()], read


def results(folder: Path) -> Subject:
    target = folder / "campaign"
    run_campaign(measured_campaign(), target, workers=0)

    def read() -> str:
        return str(run_campaign(measured_campaign(), target, workers=0).table.to_csv())

    return list((target / "runs").iterdir()), read


def damage_stores(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Damage files of stores `count` times; what is read is the same, or an error says that and where."""
    rng, counts, failures = np.random.default_rng(seed), {}, []
    subjects = []
    for make in (problem_file, batches, results):
        place = folder / make.__name__
        place.mkdir()
        files, read = make(place)
        subjects.append((make.__name__, files, read, read()))
    begun = time.perf_counter()
    for i in range(count):
        name, files, read, truth = subjects[i % len(subjects)]
        file = files[int(rng.integers(len(files)))]
        before = file.read_bytes()
        what, changed = damaged(before, rng)
        file.write_bytes(changed)
        kind, text = watched(read)
        if kind == "done":
            kind = "same" if text == truth else "other numbers"
        counts[kind] = counts.get(kind, 0) + 1
        if kind not in ("same", "error") or (kind == "error" and name != "problem_file"):  # stores compute anew
            failures.append(f"seed {seed}, file {i}, {name}, {file.name}, {what}: {kind} {text[-600:]}")
        file.write_bytes(before)
    shutil.rmtree(folder, ignore_errors=True)
    return {"files": count, **counts, "failures": failures, "seconds": time.perf_counter() - begun}
