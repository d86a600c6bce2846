"""Parameters of a case fitted to observed deposits, with common random numbers and a cross-validation over the runs.

Objective: the mean over the runs of |median over the seeds of the run-out - observed run-out| [m], each term at most `cap`, so
that single blocks that stopped early do not decide.  Every evaluation uses the same seeds: orientation at release and roughness
of the ground are the same functions of seed and run whatever the parameters, so that differences are those of the parameters.

Split: the runs are dealt into `folds` parts in the order of the table.  For each part the parameters are chosen on the other
runs, among all parameters that were evaluated, and judged on the part.  The search itself saw all runs, so that the parameters to
choose from lie densest where all runs together are predicted best; the choice among them did not see the part.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import math
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import output
from trundle.errors import SceneError
from trundle.rockfall.case import Case, parse, read_text
from trundle.rockfall.observed import errors_of, read_observed
from trundle.scene.tables import check_keys, toml_value
from trundle.scene.values import Array, number
from trundle.sweep.engine import check_workers

KEYS = ("parameters", "observed", "seeds", "folds", "evaluations", "cap")


@dataclass(frozen=True)
class Fit:
    """Fitted parameters, and how well they predict the observed run-outs.

    parameters : by their path in the case file ; objective [m] ; evaluations : (parameters, objective) of all that were tried
    fitted, validated : errors of the runs with all of them fitted, and from the cross-validation (see `errors_of`)
    """

    parameters: dict[str, float]
    objective: float
    evaluations: list[tuple[list[float], float]]
    fitted: dict[str, float]
    validated: dict[str, float]

    def in_words(self) -> str:
        """The parameters and the errors, a line each."""
        values = ", ".join(f"{name} = {value:.4g}" for name, value in self.parameters.items())
        lines = [f"fitted: {values} ({len(self.evaluations)} evaluations)"]
        for title, e in (("all runs", self.fitted), ("cross-validation", self.validated)):
            lines.append(
                f"{title}: mean error {e['mean']:+.1f} m, mean |error| {e['mean_absolute']:.1f} m, median |error| "
                f"{e['median_absolute']:.1f} m, within 10 m {100 * e['within_10_m']:.0f} %, centroid {e['centroid']:.1f} m"
            )
        return "\n".join(lines)


class Trial:
    """Evaluates parameters on the observed runs, each evaluation once; in the processes of a pool, if there is one."""

    def __init__(
        self, tables: dict[str, Any], folder: Path, data: Any, name: str, pool: ProcessPoolExecutor | None = None,
        workers: int = 1,
    ) -> None:  # fmt: skip
        self.pool, self.workers = pool, workers
        table = tables.get("calibration")
        if not isinstance(table, dict):
            raise SceneError(f"{name}: [calibration] is missing: it says which parameters are fitted, and to what.")
        check_keys(table, KEYS, ("parameters",))
        self.tables, self.folder, self.data, self.name = tables, folder, data, name
        self.bounds = _bounds(name, table["parameters"])
        self.seeds, self.folds = int(table.get("seeds", 3)), int(table.get("folds", 5))
        self.most = int(table.get("evaluations", 60))
        self.cap = number(f"{name}, [calibration]", "cap", table.get("cap", 30.0), "m", positive=True)
        case = self._case([0.5 * (a + b) for a, b in self.bounds.values()])
        self.runs = [place.run for place in case.places]
        self.places = np.array([[place.x, place.y] for place in case.places])
        self.seen_stop, self.seen_runout = read_observed(case, table.get("observed"))
        self.found: dict[tuple[float, ...], tuple[Array, Array]] = {}
        self.terms: dict[tuple[float, ...], Array] = {}

    def _tables(self, values: Any) -> dict[str, Any]:
        tables = with_values(self.tables, dict(zip(self.bounds, map(float, values), strict=True)), self.name)
        tables.pop("calibration", None)
        tables["release"] = {**tables["release"], "seeds": self.seeds}
        return tables

    def _case(self, values: Any) -> Case:
        return Case(self._tables(values), self.folder, data=self.data, name=self.name)

    def evaluate(self, values: Any) -> float:
        """The objective [m]."""
        key = tuple(round(float(v), 6) for v in values)
        if key not in self.terms:
            stop = self._stops(key).reshape(len(self.runs), self.seeds, 2)
            runout = np.linalg.norm(stop - self.places[:, None], axis=2)
            self.found[key] = stop, runout
            self.terms[key] = np.minimum(np.abs(np.median(runout, axis=1) - self.seen_runout), self.cap)
        return float(self.terms[key].mean())

    def _stops(self, values: Any) -> Array:
        """Where all blocks stop (n, 2) [m]; the same to the last bit in any number of processes."""
        count = len(self.runs) * self.seeds
        if self.pool is None:
            return stops_of(self._tables(values), self.folder, self.data, self.name, 0, count)
        cuts = [count * k // self.workers for k in range(self.workers + 1)]
        given = (self._tables(values), self.folder, self.data, self.name)
        jobs = [self.pool.submit(stops_of, *given, a, b) for a, b in itertools.pairwise(cuts) if b > a]
        return np.concatenate([job.result() for job in jobs])

    def best_on(self, rows: NDArray[np.int64]) -> tuple[float, ...]:
        """Of all that was evaluated, what is best on some of the runs."""
        return min(self.terms, key=lambda key: float(self.terms[key][rows].mean()))

    def predicted(self, key: tuple[float, ...], rows: NDArray[np.int64]) -> tuple[Array, Array]:
        """Stops and run-outs of some runs: medians over the seeds."""
        stop, runout = self.found[key]
        return np.median(stop, axis=1)[rows], np.median(runout, axis=1)[rows]


def stops_of(tables: dict[str, Any], folder: Path, data: Any, name: str, first: int, last: int) -> Array:
    """Where blocks first to last - 1 of a case stop (n, 2) [m], map coordinates."""
    case = Case(tables, folder, data=data, name=name)
    ends = [case.slope.fall(case.start(block)).position[-1, :2] for block in range(first, last)]
    return np.array(ends) + case.terrain.ground.offset


def calibrate_case(
    file: str | Path, folder: str | Path, *, data: Any = None, workers: int | None = 0,
    progress: Callable[[str], None] | None = None,
) -> Fit:  # fmt: skip
    """Fit the parameters of [calibration] of a case file; writes fitted.toml, calibration.json and calibration.md.

    Nelder-Mead (scipy) within bounds, from the middle of them or the values in the file, with common random numbers.
    workers : processes that share the blocks of an evaluation, one per core if None; 0: none but this one
    """
    path, target = output.file_path("case", file), output.file_path("folder", folder)
    check_workers(workers, None)
    tables = parse(read_text(path), str(path))
    count = (os.cpu_count() or 1) if workers is None else workers
    with contextlib.ExitStack() as stack:
        pool = None
        if count:
            context = multiprocessing.get_context("spawn")
            pool = stack.enter_context(ProcessPoolExecutor(count, mp_context=context))
        trial = Trial(tables, path.parent, data, str(path), pool, max(1, count))
        fit = judge(trial, _search(trial, tables, progress))
    output.make_folder(target)
    _write(trial, fit, target)
    return fit


def _search(
    trial: Trial, tables: dict[str, Any], progress: Callable[[str], None] | None
) -> list[tuple[list[float], float]]:
    """All parameters that Nelder-Mead tried, and their objective [m]."""
    from scipy.optimize import minimize

    names, bounds = list(trial.bounds), np.array(list(trial.bounds.values()))
    start = np.clip(
        [_value_at(tables, name, 0.5 * sum(trial.bounds[name])) for name in names], bounds[:, 0], bounds[:, 1]
    )
    history: list[tuple[list[float], float]] = []

    def objective(values: Array) -> float:
        inside = np.clip(values, bounds[:, 0], bounds[:, 1])
        result = trial.evaluate(inside) + 10.0 * float(np.abs((values - inside) / np.ptp(bounds, axis=1)).sum())
        history.append(([float(v) for v in inside], result))
        if progress is not None:
            best = min(value for _, value in history)
            progress(f"{len(history)} of at most {trial.most}: {result:.2f} m, best {best:.2f} m")
        return result

    simplex = np.vstack([start, *(start + np.diag(0.2 * np.ptp(bounds, axis=1)))])
    simplex = np.where(simplex > bounds[:, 1], 2 * start - simplex, simplex)
    minimize(
        objective, start, method="Nelder-Mead",
        options={"maxfev": trial.most, "initial_simplex": simplex, "xatol": 1e-3, "fatol": 0.05},
    )  # fmt: skip
    return history


def judge(trial: Trial, history: list[tuple[list[float], float]]) -> Fit:
    """The best parameters, their errors on all runs, and those of the cross-validation."""
    every = np.arange(len(trial.runs))
    best = trial.best_on(every)
    fitted = errors_of(*trial.predicted(best, every), trial.seen_stop, trial.seen_runout)
    stop, runout = np.empty((len(every), 2)), np.empty(len(every))
    for fold in range(trial.folds):
        held = every % trial.folds == fold
        stop[held], runout[held] = trial.predicted(trial.best_on(every[~held]), every[held])
    validated = errors_of(stop, runout, trial.seen_stop, trial.seen_runout)
    value = float(trial.terms[best].mean())
    return Fit(dict(zip(trial.bounds, best, strict=True)), value, history, fitted, validated)


def _bounds(name: str, given: Any) -> dict[str, tuple[float, float]]:
    place = f"{name}, [calibration]"
    if not isinstance(given, dict) or not 1 <= len(given) <= 3:
        raise SceneError(
            f'{place}: parameters must be a table of one to three paths, such as "soils.scree.law.mu" = [0.3, 0.8].'
        )
    bounds = {}
    for path, pair in given.items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise SceneError(f"{place}: {path} = {pair!r} must be the least and the largest value.")
        low, high = (number(place, path, v, "-") for v in pair)
        if not low < high:
            raise SceneError(f"{place}: {path} = {pair!r}: the least value comes first.")
        bounds[path] = (low, high)
    return bounds


def _value_at(tables: Any, path: str, default: float) -> float:
    """The number at a path such as "soils.scree.law.mu_r.ratio"."""
    for key in path.split("."):
        if not isinstance(tables, dict) or key not in tables:
            return default
        tables = tables[key]
    return float(tables) if isinstance(tables, (int, float)) else default


def with_values(tables: dict[str, Any], values: dict[str, float], name: str) -> dict[str, Any]:
    """A copy of a case with other numbers at some paths."""
    changed = copy.deepcopy(tables)
    for path, value in values.items():
        *way, last = path.split(".")
        table: Any = changed
        for key in way:
            table = table.get(key) if isinstance(table, dict) else None
        if not isinstance(table, dict) or last not in table:
            raise SceneError(f"{name}, [calibration]: the case has nothing at {path!r}.")
        table[last] = value
    return changed


def _write(trial: Trial, fit: Fit, folder: Path) -> None:
    tables = with_values(trial.tables, fit.parameters, trial.name)
    lines = [f"# fitted by trundle rockfall --calibrate: {fit.objective:.2f} m"]
    lines += [f"{key} = {toml_value(value)}" for key, value in tables.items()]
    with output.writing(folder / "fitted.toml") as stream:
        stream.write("\n".join(lines) + "\n")
    data = {
        "parameters": fit.parameters, "objective": fit.objective, "fitted": fit.fitted, "validated": fit.validated,
        "evaluations": fit.evaluations, "seeds": trial.seeds, "folds": trial.folds, "cap": trial.cap,
    }  # fmt: skip
    with output.writing(folder / "calibration.json") as stream:
        stream.write(json.dumps(data, indent=1))
    rows = "\n".join(
        f"| {name} | {fit.fitted[name]:.3g} | {fit.validated[name]:.3g} |"
        for name in fit.fitted if not math.isnan(fit.fitted[name])
    )  # fmt: skip
    values = "\n".join(f"- `{name}` = {value:.4g}" for name, value in fit.parameters.items())
    with output.writing(folder / "calibration.md") as stream:
        stream.write(
            f"# Calibration of {trial.name}\n\n{values}\n\nObjective: mean of min(|median over {trial.seeds} seeds - observed|, "
            f"{trial.cap:g} m) over {len(trial.runs)} runs: {fit.objective:.2f} m.\n\n| errors [m] | fitted on all runs | "
            f"{trial.folds}-fold cross-validation |\n|---|---|---|\n{rows}\n"
        )
