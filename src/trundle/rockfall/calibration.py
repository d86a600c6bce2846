"""Parameters of a case fitted to observed deposits, with common random numbers and a cross-validation over the runs.

Objective: the mean over the runs of |median over the seeds of the run-out - observed run-out| [m], each term at most `cap`, so
that single blocks that stopped early do not decide.  Every evaluation uses the same seeds: orientation at release and roughness
of the ground are the same functions of seed and run whatever the parameters, so that differences are those of the parameters.

Split: the runs are dealt into `folds` parts in the order of the table.  For each part the parameters are chosen on the other
runs, among all parameters that were evaluated, and judged on the part.  The search itself saw all runs, so that the parameters to
choose from lie densest where all runs together are predicted best; the choice among them did not see the part.
"""

from __future__ import annotations

import copy
import csv
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle import output
from trundle.errors import CampaignError, SceneError
from trundle.rockfall.case import Case, parse, read_text
from trundle.scene.tables import check_keys, toml_value
from trundle.scene.values import Array, number

KEYS = ("parameters", "observed", "seeds", "folds", "evaluations", "cap")
NEAR = 10.0  # [m] within which a predicted run-out counts as right


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


def errors_of(stop: Array, runout: Array, seen_stop: Array, seen_runout: Array) -> dict[str, float]:
    """Errors [m] of predicted stops (n, 2) and run-outs (n,): mean, mean and median of their size, share within 10 m, distance of
    the centroids of predicted and observed stops."""
    error = runout - seen_runout
    return {
        "mean": float(error.mean()), "mean_absolute": float(np.abs(error).mean()), "median": float(np.median(error)),
        "median_absolute": float(np.median(np.abs(error))), "within_10_m": float(np.mean(np.abs(error) <= NEAR)),
        "centroid": float(np.linalg.norm((stop - seen_stop).mean(axis=0))), "runs": len(error),
    }  # fmt: skip


class Trial:
    """Evaluates parameters on the observed runs, each evaluation once."""

    def __init__(self, tables: dict[str, Any], folder: Path, data: Any, name: str) -> None:
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
        self.seen_stop, self.seen_runout = _observed(case, table.get("observed"))
        self.found: dict[tuple[float, ...], tuple[Array, Array]] = {}
        self.terms: dict[tuple[float, ...], Array] = {}

    def _case(self, values: Any) -> Case:
        tables = with_values(self.tables, dict(zip(self.bounds, map(float, values), strict=True)), self.name)
        tables.pop("calibration", None)
        tables["release"] = {**tables["release"], "seeds": self.seeds}
        return Case(tables, self.folder, data=self.data, name=self.name)

    def evaluate(self, values: Any) -> float:
        """The objective [m]."""
        key = tuple(round(float(v), 6) for v in values)
        if key not in self.terms:
            case = self._case(key)
            stop, runout = predict(case)
            self.found[key] = stop, runout
            self.terms[key] = np.minimum(np.abs(np.median(runout, axis=1) - self.seen_runout), self.cap)
        return float(self.terms[key].mean())

    def best_on(self, rows: NDArray[np.int64]) -> tuple[float, ...]:
        """Of all that was evaluated, what is best on some of the runs."""
        return min(self.terms, key=lambda key: float(self.terms[key][rows].mean()))

    def predicted(self, key: tuple[float, ...], rows: NDArray[np.int64]) -> tuple[Array, Array]:
        """Stops and run-outs of some runs: medians over the seeds."""
        stop, runout = self.found[key]
        return np.median(stop, axis=1)[rows], np.median(runout, axis=1)[rows]


def predict(case: Case) -> tuple[Array, Array]:
    """Stops (runs, seeds, 2) and run-outs (runs, seeds) [m] of all rows of a release table."""
    offset = np.array(case.terrain.ground.offset)
    ways = [case.slope.fall(case.start(block)) for block in range(case.count)]
    stop = np.array([way.position[-1, :2] + offset for way in ways])
    place = np.array([[case.row(b)[0].x, case.row(b)[0].y] for b in range(case.count)])
    shape = (len(case.places), case.release.seeds)
    return stop.reshape(*shape, 2), np.linalg.norm(stop - place, axis=1).reshape(shape)


def calibrate_case(
    file: str | Path, folder: str | Path, *, data: Any = None, progress: Callable[[str], None] | None = None
) -> Fit:
    """Fit the parameters of [calibration] of a case file; writes fitted.toml, calibration.json and calibration.md.

    Nelder-Mead (scipy) within bounds, from the middle of them or the values in the file, with common random numbers.
    """
    from scipy.optimize import minimize

    path, target = output.file_path("case", file), output.file_path("folder", folder)
    tables = parse(read_text(path), str(path))
    trial = Trial(tables, path.parent, data, str(path))
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
    fit = judge(trial, history)
    output.make_folder(target)
    _write(trial, fit, target)
    return fit


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


def _observed(case: Case, given: Any) -> tuple[Array, Array]:
    """Observed stops (n, 2) [m] and run-outs (n,) [m] of the runs of a case, from its release table or another one."""
    name = given or case.release.table
    if not isinstance(name, str):
        raise SceneError(
            f"{case.source}, [calibration]: observed: a table with the columns run, stop_x, stop_y is needed."
        )
    path = Path(name) if Path(name).is_absolute() else case.data / name
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = {row["run"]: row for row in csv.DictReader(stream)}
        stop = np.array([[float(rows[p.run]["stop_x"]), float(rows[p.run]["stop_y"])] for p in case.places])
    except OSError as error:
        raise SceneError(f"{case.source}, [calibration]: {path}: cannot be read ({error.strerror}).") from None
    except (KeyError, ValueError, TypeError) as error:
        raise SceneError(f"{case.source}, [calibration]: {path}: no stop_x and stop_y for {error}.") from None
    place = np.array([[p.x, p.y] for p in case.places])
    runout = np.linalg.norm(stop - place, axis=1)
    if not np.isfinite(runout).all():
        raise CampaignError(f"{path}: observed stops must be numbers.")
    return stop, runout


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
