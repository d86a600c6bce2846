"""Laws of the user's own: a projection onto a section and its support function, compiled."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from numba import cfunc
from numba.core.errors import NumbaError

from trundle.errors import LawError, known, unknown
from trundle.laws import builtin
from trundle.laws.base import ROWS, Law, units_of
from trundle.laws.kernels import sections as kernels
from trundle.laws.kernels.own import PROJECT, SUPPORT
from trundle.laws.table import COEFFICIENTS, Block

SAMPLES = {"-": (0.4, 0.25, 0.6, 0.3, 0.5, 0.2), "m": (0.05, 0.02, 0.03, 0.04, 0.01, 0.06)}
_WANTED = {"project_section": ("f", "r_n", "c", "out"), "support": ("w", "c")}


def own(rows: tuple[str, ...] | str) -> Callable[[type], type[Law]]:
    """Make a law of a class with two functions and annotated coefficients.

    Parameters
    ----------
    rows : friction rows that the law acts on, consecutive ones of t1, t2, s, r1, r2; the normal row is implied.

    The class has coefficients as fields, each `laws.Ratio` [-] or `laws.Length` [m], and two functions without self:
    ``project_section(f, r_n, c, out)`` writes to `out` the Euclidean projection of `f` onto r_n C, where `c` holds the
    coefficients in the order of the fields; ``support(w, c)`` returns sup over C of f . w.  They are compiled by numba: numbers,
    arrays and `math` or `numpy` functions only.

    >>> @laws.own(rows=("t1", "t2"))
    ... class Square:
    ...     mu: laws.Ratio
    ...
    ...     def project_section(f, r_n, c, out):
    ...         for i in range(2):
    ...             out[i] = min(max(f[i], -c[0] * r_n), c[0] * r_n)
    ...
    ...     def support(w, c):
    ...         return c[0] * (abs(w[0]) + abs(w[1]))
    """
    names = (rows,) if isinstance(rows, str) else tuple(rows) if isinstance(rows, (list, tuple)) else (rows,)
    for row in names:
        if not known(row, ROWS[1:]):
            raise LawError("laws.own: " + unknown("row", row, ROWS[1:]))
    places = [ROWS.index(row) for row in names]
    if not names or places != list(range(places[0], places[0] + len(places))):
        raise LawError(
            f"laws.own: rows = {names} must be consecutive ones of {', '.join(ROWS[1:])}. A law on rows apart is a "
            "product of laws: Law_1(...) * Law_2(...)."
        )
    return lambda given: _make(given, names)


def _make(given: type, rows: tuple[str, ...]) -> type[Law]:
    """The law class behind a user's class."""
    name = given.__name__
    functions = {wanted: _function(given, wanted, arguments) for wanted, arguments in _WANTED.items()}
    annotations = _annotations(given, functions["support"])
    others = {k: v for k, v in vars(given).items() if k not in {*_WANTED, "__dict__", "__weakref__"}}
    taken = sorted({k for k in (*annotations, *others) if not k.startswith("__")} & set(dir(Law)))
    if taken:
        raise LawError(f"{name}: the name {taken[0]!r} belongs to every law already; choose another one.")
    body = others | {
        "__annotations__": annotations | {"rows": ClassVar[tuple[str, ...]]},
        "rows": ("n", *rows),
        "blocks": _blocks,
    }
    law: Any = dataclass(frozen=True, eq=False)(type(name, (Law,), body))
    units = units_of(law)
    example = "laws.Ratio [-] or laws.Length [m], for example  mu: laws.Ratio"
    for field in fields(law):
        if field.name not in units:
            raise LawError(f"{name}: {field.name} is not annotated as a coefficient: use {example}")
    if not 0 < len(units) <= COEFFICIENTS:
        raise LawError(
            f"{name}: it has {len(units)} coefficients; give 1 to {COEFFICIENTS} fields annotated with {example}"
        )
    law._functions = (
        _compile(name, functions["project_section"], PROJECT),
        _compile(name, functions["support"], SUPPORT),
    )
    law._units = tuple(units.items())
    return law


def _annotations(given: type, function: Callable[..., Any]) -> dict[str, Any]:
    """The fields of the user's class, also where annotations are kept as text."""
    try:
        return inspect.get_annotations(given, globals=function.__globals__, eval_str=True)
    except Exception as error:
        raise LawError(
            f"{given.__name__}: its annotations cannot be read ({error}). Import laws at the top of the file, "
            "and write  mu: laws.Ratio"
        ) from error


def _blocks(self: Any) -> tuple[Block, ...]:
    """The section as one block of the user's own."""
    names = [name for name, _ in self._units]
    lengths = tuple(unit == "m" for _, unit in self._units)
    values = tuple(getattr(self, name) for name in names)
    return (Block(kernels.OWN, self.rows[1:], values, lengths, functions=self._functions),)


def _function(given: type, wanted: str, arguments: tuple[str, ...]) -> Callable[..., Any]:
    """One of the user's two functions, or an error that says how it should look."""
    shown = f"def {wanted}({', '.join(arguments)})"
    function = vars(given).get(wanted)
    if isinstance(function, staticmethod):
        function = function.__func__
    if not inspect.isfunction(function):
        raise LawError(f"{given.__name__}: it needs a function  {shown}, without self.")
    parameters = tuple(inspect.signature(function).parameters)
    if parameters != arguments:
        raise LawError(
            f"{given.__name__}: {wanted} has the arguments ({', '.join(parameters)}); it is  {shown}, without self."
        )
    return function


def _compile(name: str, function: Callable[..., Any], signature: Any) -> Any:
    """Compile with a fixed signature; kept on disk where the function comes from a file."""
    try:
        if Path(function.__code__.co_filename).is_file():
            try:
                return cfunc(signature, cache=True, error_model="numpy")(function)
            except (RuntimeError, ModuleNotFoundError):
                pass  # no folder to keep it in; or it was kept by a program that knew the file under another module name
        return cfunc(signature, error_model="numpy")(function)
    except NumbaError as error:
        raise LawError(
            f"{name}.{function.__name__} cannot be compiled: {_reason(error)}\n"
            "  Use numbers, the given arrays, loops, and functions of math or numpy only; project_section writes "
            "to out and returns nothing, support returns a number."
        ) from error


def _reason(error: NumbaError) -> str:
    """What numba says, without its headings: the first line that tells what, and the line of code if it is shown."""
    headings = ("Failed in", "During:", "Enable logging", "This error", "To see", "There are", "- of which", "<source")
    lines = [line.strip() for line in str(error).splitlines()]
    says = [line for line in lines if line and not line.startswith((*headings, "File ", "def ", "[", "^", "~"))]
    code = next((line for line in lines if line.startswith("File ")), "")
    place = f" ({code.rstrip(':').replace('File ', '')})" if code else ""
    return (says[0] if says else "numba gives no reason") + place


def sample(law_class: type[Law]) -> Law:
    """A law with sample coefficients: ratios near 0.4, lengths of some centimetres."""
    if not (isinstance(law_class, type) and issubclass(law_class, Law)):
        raise LawError(f"{law_class!r} is no class of laws, such as trundle.laws.Coulomb.")
    values: dict[str, float] = {}
    for name, unit in units_of(law_class).items():
        values[name] = SAMPLES["m" if unit == "m" else "-"][len(values) % COEFFICIENTS]
    return law_class(**values)


def load(where: str) -> Law:
    """A law named "module:Name" or "file.py:Name"; Name is a law, or a class that gets sample coefficients."""
    found = find(where)
    return found if isinstance(found, Law) else sample(found)


def find(where: str) -> Law | type[Law]:
    """A law, or a class of laws, named "module:Name" or "file.py:Name"."""
    module_name, _, name = where.rpartition(":") if isinstance(where, str) else ("", "", "")
    if not module_name or not name:
        raise LawError(f"{where!r} does not name a law: write module:Name or file.py:Name.")
    module = _module(module_name)
    if not hasattr(module, name):
        candidates = [key for key, value in vars(module).items() if _is_law(value)]
        if not candidates:
            raise LawError(f"{module_name}: it has no laws. Make one with @laws.own(rows=...).")
        raise LawError(f"{module_name}: " + unknown("law", name, candidates))
    value = getattr(module, name)
    if not _is_law(value):
        raise LawError(f"{where} is a {type(value).__name__}, not a law. Make one with @laws.own(rows=...).")
    return value


def find_function(where: str) -> Callable[[float], float]:
    """A function named "module:name" or "file.py:name", of a coefficient that depends on the speed."""
    module_name, _, name = where.rpartition(":")
    function = getattr(_module(module_name), name, None)
    if not inspect.isfunction(function):
        raise LawError(f"{module_name}: there is no function {name!r}.")
    return function


def _is_law(value: Any) -> bool:
    return isinstance(value, Law) or (isinstance(value, type) and issubclass(value, Law) and value is not Law)


def _module(name: str) -> ModuleType:
    path = Path(name)
    if path.suffix != ".py":
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name and (name == error.name or name.startswith(error.name + ".")):
                raise LawError(
                    f"there is no module {name!r} here. For a file write {name.replace('.', '/')}.py:Name."
                ) from error
            raise
    if not path.is_file():
        raise LawError(f"there is no file {name!r}.")
    module_name = f"law_file_{path.stem}"  # not the bare name: it might be that of a module in use
    specification = importlib.util.spec_from_file_location(module_name, path)
    if specification is None or specification.loader is None:
        raise LawError(f"{name!r} cannot be read as a Python file.")
    module = importlib.util.module_from_spec(specification)
    sys.modules[module_name] = module
    try:
        specification.loader.exec_module(module)
    except SystemExit as error:
        del sys.modules[module_name]
        raise LawError(f"{name!r} ends the program (SystemExit: {error}) where it should only define a law.") from error
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def built_in() -> dict[str, type[Law]]:
    """The laws that come with trundle, by name."""
    return {name: value for name, value in vars(builtin).items() if _is_law(value) and isinstance(value, type)}
