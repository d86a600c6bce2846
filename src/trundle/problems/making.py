"""Make the problems of a plan: simulate, take the problem of a step, measure how hard it is, certify its solution."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.contact.fclib import read_fclib, read_modes, read_solution
from trundle.contact.fclib_writing import COEFFICIENTS, write_fclib
from trundle.contact.problem import ContactProblem
from trundle.errors import ProblemError, TrundleWarning
from trundle.laws.base import mode_names
from trundle.problems.families import FAMILIES
from trundle.problems.plan import FEWEST, MOST, Entry
from trundle.run.loop import make_stepper
from trundle.run.options import check_options
from trundle.scene.model import build_model
from trundle.solve import solve

Array = NDArray[np.float64]
SIMULATED, MOST_SWEEPS = (
    1e-3,
    500,
)  # tolerance and sweeps of the steps: states of the problems, not the problems themselves
TRIES = 6  # scenes of other sizes
PATIENCE = 0.4  # [s] after the time of a sample until there must be contacts enough
CERTIFIED = 1e-12  # residual of a solution that is stored
MODE_TOLERANCE = 1e-8  # of what counts as motion, relative
TRIED = 300  # sweeps that tell how hard a problem is
EASY, HARD = 1e-6, 1e-4  # residuals after them
WORK = 1.5e8  # sweeps times contacts that a certificate may cost, about a minute or two
NEVER, FAILED = "not tried", "none found"


@dataclass(frozen=True)
class Facts:
    """What the catalogue says about a problem.

    family, law : of the scene ; time [s] : when it was taken from its run ; contacts, rows, bodies : numbers
    mu [-], mu_r, mu_s [m] : largest coefficients ; redundancy : rows / degrees of freedom of the bodies
    sweeps_residual : after 300 accelerated sweeps, or less ; hardness : easy (<= 1e-6), medium, or hard (> 1e-4)
    solution : "certified", "none found" or "not tried" ; residual : of the best solution known
    """

    number: int
    family: str
    seed: int
    law: str
    time: float
    contacts: int
    rows: int
    bodies: int
    mu: float
    mu_r: float
    mu_s: float
    redundancy: float
    sweeps_residual: float
    hardness: str
    solution: str
    residual: float

    @property
    def file_name(self) -> str:
        """Of its FCLIB file."""
        return f"{self.number:04d}-{self.family}.hdf5"


COLUMNS = tuple(field.name for field in fields(Facts))


def make_run(entries: Sequence[Entry], folder: Path) -> list[Facts]:
    """Simulate the run that these problems are from, and write those that are missing, without solutions.

    A run with too few or too many contacts is done again with a scene that aims at more or fewer.
    """
    wanted = [entry for entry in entries if not (folder / entry.file_name).exists()]
    if not wanted:
        return []
    first, aim = entries[0], entries[0].contacts
    for _ in range(TRIES):
        samples, contacts = _simulate(first, aim)
        if FEWEST <= contacts <= MOST:
            break
        aim = aim + FEWEST if contacts < FEWEST else int(aim * 0.8 * MOST / contacts)
    else:
        raise ProblemError(
            f"{first.family}, run {first.run}, seed {first.seed}: has {contacts} contacts after {TRIES} tries."
        )
    return [_take(entry, *samples[entry.sample], folder) for entry in wanted]


def _simulate(entry: Entry, aim: int) -> tuple[list[tuple[ContactProblem, Array, float]], int]:
    """Problems, impulses and times [s] of all samples of a run, and the number of contacts of the last one.

    It ends at the first sample that does not have from 10 to 6,000 contacts.
    """
    random = np.random.default_rng(entry.random_seed)
    setting = FAMILIES[entry.family](random, aim, entry.law)
    samples: list[tuple[ContactProblem, Array, float]] = []
    h, done, contacts = setting.time_step, 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrundleWarning)
        model, state = build_model(setting.scene)
        duration = setting.times[-1] + PATIENCE
        options = check_options(setting.scene, duration, h, theta=1.0, tolerance=SIMULATED, max_iterations=MOST_SWEEPS)
        stepper = make_stepper(model, options)
        for time in setting.times:
            steps = max(1, round(time / h) - done)
            while True:
                stepper.advance_all(state, h, steps)
                done += steps
                report = stepper.report()
                contacts = len(report.contacts)
                if contacts >= FEWEST or done * h > time + PATIENCE:
                    break
                steps = 1
            if not FEWEST <= contacts <= MOST:
                break
            samples.append((*report.problem_in("global"), done * h))
    return samples, contacts


def _take(entry: Entry, problem: ContactProblem, p: Array, time: float, folder: Path) -> Facts:
    """Write a problem with what the run found as a guess."""
    if not problem.contact_count:
        raise ProblemError(f"problem {entry.number} ({entry.family}, seed {entry.seed}) has no contacts.")
    largest = {name: max(float(np.max(getattr(law, name))) for law in problem.laws) for name in _coefficients(problem)}
    tried = solve(problem, "nesterov", tolerance=EASY, max_iterations=TRIED, progress=False)
    hardness = "easy" if tried.residual <= EASY else "medium" if tried.residual <= HARD else "hard"
    bodies = problem.M.shape[0] // 6
    facts = Facts(
        entry.number, entry.family, entry.seed, entry.law, round(time, 9), problem.contact_count, problem.row_count, bodies,
        largest["mu"], largest.get("mu_r", 0.0), largest.get("mu_s", 0.0), problem.row_count / problem.M.shape[0],
        tried.residual, hardness, NEVER, min(tried.residual, problem.residual(p)),
    )  # fmt: skip
    _write(problem, facts, tried.p if tried.residual <= problem.residual(p) else p, folder)
    return facts


def _coefficients(problem: ContactProblem) -> tuple[str, ...]:
    return COEFFICIENTS[type(problem.laws[0])]


def _write(problem: ContactProblem, facts: Facts, p: Array, folder: Path) -> None:
    """A certified solution is stored as the solution, with the modes; any other as a guess."""
    title = f"{facts.file_name.removesuffix('.hdf5')}: {facts.contacts} contacts, {facts.law}, {facts.hardness}"
    described = replace(problem, title=title, description=json.dumps(asdict(facts)), math_info="trundle problems make")
    v = problem.body_velocity(p)
    vectors = {"u": problem.velocity(p), "r": p, "v": v}
    path = folder / facts.file_name
    if facts.solution == "certified":
        write_fclib(described, path, solution=vectors, modes=mode_codes(problem, p), compress=True)
    else:
        write_fclib(described, path, guesses=[vectors], compress=True)


def mode_codes(problem: ContactProblem, p: Array) -> NDArray[np.int64]:
    """State of each contact, codes of `mode_names`."""
    names = mode_names()
    return np.array([names.index(name) for name in problem.modes(p, MODE_TOLERANCE)])


def read_facts(path: Path) -> Facts:
    """What a file of the library says about itself."""
    return facts_of(read_fclib(path))


def facts_of(problem: ContactProblem) -> Facts:
    """What a problem of the library says about itself."""
    try:
        table = json.loads(problem.description)
        return Facts(**{name: table[name] for name in COLUMNS})
    except (ValueError, TypeError, KeyError):
        raise ProblemError(
            f"{problem.place}is no problem of a library: its description does not say what it is. "
            "`trundle problems make` writes such files."
        ) from None


def certify(path: Path, again: bool = False) -> Facts:
    """Solve a problem of the library to 1e-12, and store the solution and its modes in the file.

    again : try once more where no solution was found before.
    """
    problem = read_fclib(path)
    facts = facts_of(problem)
    if facts.solution == "certified" or (facts.solution == FAILED and not again):
        return facts
    most = max(2_000, int(WORK / facts.contacts))
    solution = solve(problem, tolerance=CERTIFIED, max_iterations=most, progress=False)
    found = "certified" if solution.residual <= CERTIFIED else FAILED
    if solution.residual <= facts.residual or found == "certified":
        facts = replace(facts, solution=found, residual=solution.residual)
        _write(problem, facts, solution.p, path.parent)
    else:
        facts = replace(facts, solution=found)
        _write(problem, facts, _guess(path), path.parent)
    return facts


def _guess(path: Path) -> Array:
    from trundle.contact.fclib import read_guesses

    return read_guesses(path)[0]["r"]


def check_file(path: Path) -> list[str]:
    """What is wrong with a file of the library: its certificate is computed anew from what is stored."""
    problem = read_fclib(path)
    facts, said = facts_of(problem), []
    if (facts.contacts, facts.rows) != (problem.contact_count, problem.row_count):
        said.append(
            f"says {facts.contacts} contacts and {facts.rows} rows, has {problem.contact_count}, {problem.row_count}"
        )
    stored = read_solution(path)
    if facts.solution != "certified":
        return said if stored is None else [*said, "has a solution that is not called certified"]
    modes = read_modes(path)
    if stored is None or modes is None:
        return [*said, "is called certified, but has no solution or no modes"]
    p = stored["r"]
    residual = problem.residual(p)
    if not residual <= CERTIFIED:
        said.append(f"residual of the stored solution is {residual:.1e}, more than {CERTIFIED:.0e}")
    y, size = problem.velocity(p), math.sqrt(problem.row_count)
    if np.linalg.norm(y - stored["u"]) > 1e-9 * size * max(1.0, float(np.abs(problem.free_velocity).max())):
        said.append("stored velocities u are not W r + q")
    if not np.array_equal(modes, mode_codes(problem, p)):
        said.append("stored modes are not those of the stored solution")
    return said


def as_row(facts: Facts) -> dict[str, Any]:
    """A line of the catalogue."""
    return {"file": facts.file_name, **asdict(facts)}
