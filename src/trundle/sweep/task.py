"""What a worker does: one run, from its parameters to its values."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import importlib.util
import inspect
import math
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from trundle import interrupts, output
from trundle.errors import CampaignError, DiskError, TrundleError, TrundleWarning, unknown

Outcome = dict[str, Any]


def load_function(name: str, folder: str | Path) -> Callable[..., Any]:
    """The function "module:name" or "file.py:name", files relative to a folder."""
    module_name, _, attribute = name.partition(":")
    if not attribute:
        raise CampaignError(f'function = "{name}": write "module:name" or "file.py:name".')
    if module_name.partition(".")[0] != "trundle":
        output.say_code("a campaign", name)
    if module_name.endswith(".py"):
        module = _load_file(Path(folder) / module_name)
    else:
        if str(folder) not in sys.path:  # as `python -m` does
            sys.path.insert(0, str(folder))
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not (module_name + ".").startswith(error.name + "."):
                raise
            raise CampaignError(f'function = "{name}": there is no module {error.name!r}.') from None
    found = getattr(module, attribute, None)
    if not callable(found):
        callables = [key for key, value in vars(module).items() if inspect.isfunction(value)]
        raise CampaignError(f'function = "{name}": ' + unknown("function", attribute, callables))
    return found


def _load_file(path: Path) -> Any:
    if not path.is_file():
        raise CampaignError(f"function: there is no file {path}.")
    name = f"campaign_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise CampaignError(f"function: {path} cannot be loaded as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CampaignError(f"function: {path} cannot be imported: {type(error).__name__}: {error}") from error
    return module


def check_parameters(function: Callable[..., Any], given: list[str], name: str) -> None:
    """Every parameter is one of the function's, and none of its required ones is missing."""
    parameters = inspect.signature(function).parameters
    if not any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values()):
        for parameter in given:
            if parameter not in parameters:
                hint = ": give it one, or leave replicates out" if parameter == "seed" else ""
                raise CampaignError(f"{name}: {unknown('parameter', parameter, parameters)}{hint}")
    missing = [
        key
        for key, p in parameters.items()
        if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and key not in given
    ]
    if missing:
        raise CampaignError(f"{name} needs {', '.join(missing)}: add to [fixed] or [vary].")


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """One thread for compiled loops and linear algebra.

    n workers shall use n cores, and sums of linear algebra change their last bits with the number of threads.
    """
    import numba
    import threadpoolctl

    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        with threadpoolctl.threadpool_limits(1):
            yield
    finally:
        numba.set_num_threads(before)


def run_one(job: dict[str, Any]) -> Outcome:
    """Do one run on one thread; never raises, but for Ctrl-C: an error is part of its outcome.

    Returns
    -------
    dict
        values (names to numbers, texts or flags), seconds and cpu_seconds, warnings (list of texts), or error and
        traceback.
    """
    with one_thread(), interrupts.let_through():
        return _run(job)


def run_on_worker(job: dict[str, Any]) -> Outcome:
    """Do one run in a process of workers, which stays with one thread: another run may be under way in it."""
    import numba
    import threadpoolctl

    numba.set_num_threads(1)
    threadpoolctl.threadpool_limits(1)
    return _run(job)


def _run(job: dict[str, Any]) -> Outcome:
    start, cpu = time.perf_counter(), time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TrundleWarning)
        try:
            outcome: Outcome = {"values": _compute(job)}
        except DiskError as error:  # says nothing about the run: it is no result
            outcome = {"disk": str(error)}
        except (Exception, SystemExit) as error:
            kind = "" if isinstance(error, TrundleError) else f"{type(error).__name__}: "
            outcome = {"error": f"{kind}{error}", "traceback": traceback.format_exc()}
    outcome["warnings"] = [str(w.message) for w in caught if issubclass(w.category, TrundleWarning)]
    outcome["seconds"] = time.perf_counter() - start
    outcome["cpu_seconds"] = time.process_time() - cpu
    return outcome


def _compute(job: dict[str, Any]) -> dict[str, Any]:
    if "scene" in job:
        from trundle.sweep.scenes import run_scene

        return plain(run_scene(job))
    function = load_function(job["function"], job["folder"])
    return plain(function(**job["parameters"]))


def plain(values: Any) -> dict[str, Any]:
    """Values as plain Python numbers, texts and flags by name; a single one is called `value`."""
    if dataclasses.is_dataclass(values) and not isinstance(values, type):
        values = {field.name: getattr(values, field.name) for field in dataclasses.fields(values)}
    if not isinstance(values, dict):
        values = {"value": values}
    result: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
            value = value.item()
        if value is None:
            value = math.nan
        if not isinstance(value, bool | int | float | str):
            raise CampaignError(
                f"the run returned {name} = {value!r}, which has no place in a table: return numbers, texts or flags."
            )
        result[str(name)] = value
    return result
