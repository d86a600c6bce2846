"""Tables of a scene file: where they stand, which keys they may have, and what is made of them."""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trundle.errors import SceneError, TrundleError, unknown

UNITS = {
    "amplitude": "m", "angular_velocity": "rad/s", "base": "m", "count": "bodies", "density": "kg/m^3",
    "duration": "s", "end": "s", "first": "m", "force": "N", "frames_per_second": "1/s", "frequency": "Hz",
    "gravity": "m/s^2", "height": "m", "high": "m", "inertia": "kg m^2", "jitter": "m", "low": "m", "mass": "kg",
    "mu": "-", "mu_r": "m", "mu_s": "m", "mu_x": "-", "mu_y": "-", "patch_radius": "m", "phase": "rad", "point": "m",
    "position": "m", "radius": "m", "rate": "1/s", "rotation": "rad", "shift": "m", "size": "m", "spacing": "m",
    "start": "s", "time": "s", "time_step": "s", "tolerance": "-", "torque": "N m", "velocity": "m/s",
}  # fmt: skip
_HEAD = re.compile(r"\s*\[(\[?)\s*([A-Za-z0-9_.\"'-]+)\s*\]\]?\s*(#.*)?$")


def with_units(names: Iterable[str]) -> str:
    """Names with their units, where they have one: "density [kg/m^3], name"."""
    return ", ".join(f"{name} [{UNITS[name]}]" if name in UNITS else name for name in names)


@dataclass
class SceneText:
    """The text of a scene file, and the errors that were found in it."""

    name: str
    text: str
    folder: Path
    trust: bool = True  # whether Python code that it names may run
    errors: list[str] = field(default_factory=list)
    things: dict[str, tuple[str, int, Any]] = field(default_factory=dict)  # what tables describe: "body 'ball'"

    def parse(self) -> dict[str, Any]:
        """The file's tables, or an error with the line and column at which it is no longer TOML."""
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            raise SceneError(f"{self.name}: brackets are nested too deeply. Is one of them not closed?") from None
        except ValueError as error:
            last = f"at the end of the file, line {len(self.text.splitlines())}"
            reason = str(error).replace("at end of document", last)
            raise SceneError(
                f"{self.name}: this is not TOML: {reason}.\n  Is the file complete, every string in quotes, every bracket "
                "closed, and every {...} on one line? See docs/howto-scene.md."
            ) from None

    def line(self, section: str, index: int | None = None, key: str | None = None) -> int | None:
        """Number of the line where a section, its index-th table, or a key in it begins; None if it is not found."""
        lines = self.text.splitlines()
        heads = [(i, match[2].strip("\"'")) for i, line in enumerate(lines) if (match := _HEAD.match(line))]
        own = [(i, n) for n, (i, name) in enumerate(heads) if name == section]
        if section == "":
            start, end = -1, heads[0][0] if heads else len(lines)
        elif (index or 0) < len(own):
            start, n = own[index or 0]
            after = (i for i, name in heads[n + 1 :] if not name.startswith(f"{section}."))
            end = next(after, len(lines))
        else:
            return None
        if key is not None:
            name = rf"[\"']?{re.escape(key)}[\"']?\s*[=.]"
            for wanted in (
                re.compile(rf"\s*{name}"),
                re.compile(rf".*[{{,]\s*{name}"),
            ):  # on its own, or in an inline table
                for i in range(start + 1, end):
                    if wanted.match(lines[i]):
                        return i + 1
        return start + 1 if start >= 0 else None

    def place(self, section: str, index: int | None = None, key: str | None = None) -> str:
        """Where something stands: "pile.toml, line 12, [[bodies]]"."""
        line = self.line(section, index, key)
        shown = f"[[{section}]]" if index is not None else f"[{section}]" if section else ""
        if line is None and index is not None:
            shown += f" number {index + 1}"
        return ", ".join(part for part in (self.name, line and f"line {line}", shown) if part)

    @contextmanager
    def at(self, section: str, index: int | None = None, table: Any = None) -> Iterator[None]:
        """Collect an error with the place where it belongs, and go on."""
        try:
            yield
        except TrundleError as error:
            message = _shortened(str(error))
            self.errors.append(f"{self.place(section, index, _key_in(message, table))}: {message}")

    def located(self, message: str) -> str:
        """A message about a body, a pair of surfaces, ... with the place of its table."""
        about = re.match(
            r"(surfaces '[^']*' and '[^']*'|load on '[^']*'|\w+ '[^']*')", re.sub(r"^bodies ", "body ", message)
        )
        section, index, table = self.things.get(about[1] if about else "", ("", None, None))
        if about is None and message.startswith("time_step = "):
            section, table = "simulation", {"time_step": 0}
        return f"{self.place(section, index, _key_in(message, table))}: {message}"

    def finish(self) -> None:
        """Raise what was found."""
        if len(self.errors) == 1:
            raise SceneError(self.errors[0])
        if self.errors:
            raise SceneError(f"{self.name} has {len(self.errors)} errors:\n" + "\n".join(f"- {e}" for e in self.errors))


def _key_in(message: str, table: Any) -> str | None:
    """The key of a table that a message is about, if it tells."""
    keys: set[str] = set()
    words: dict[str, str] = {}
    waiting: list[tuple[str, Any]] = [("", table)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item, dict):
            keys |= set(item)
            waiting += item.items()
        elif isinstance(item, list):
            waiting += ((key, part) for part in item[:100])
        elif isinstance(item, str):
            words[item] = key
    inner = [key for key in re.findall(r"(\w+): ", message) if isinstance((table or {}).get(key), (dict, list))]
    named = [*re.findall(r"key '([^']*)'", message), *re.findall(r"(\w+)(?:\[\d+\])* = ", message)]
    said = [words[word] for word in re.findall(r"unknown [\w ]+ '([^']*)'", message) if word in words]
    return next((key for key in (*inner, *named, *said) if key in keys), None)


def _shortened(message: str) -> str:
    """A message without the middle of a very long value."""
    return message if len(message) <= 1200 else f"{message[:500]} ... {message[-500:]}"


def plain(name: str) -> str:
    """A name without case, hyphens and underscores: "Half-Space", "half_space" and "HalfSpace" are the same."""
    return re.sub(r"[-_ ]", "", name).lower()


def lookup(what: str, given: Any, known: Mapping[str, Any]) -> Any:
    """What has a name, in any spelling; or an error that guesses which was meant."""
    if not isinstance(given, str):
        raise SceneError(f"{what} = {given!r} must be a name in quotes, one of: {', '.join(sorted(known))}.")
    found = known.get(given)
    if found is None:
        found = {plain(name): value for name, value in known.items()}.get(plain(given))
    if found is None:
        raise SceneError(unknown(what, given, known))
    return found


def check_keys(
    table: Any, known: Iterable[str], needed: Iterable[str] = (), elsewhere: Mapping[str, str] | None = None
) -> None:
    """Every key is known and every needed one is there, or an error that lists them.

    elsewhere: keys that belong to another place, and its name.
    """
    if not isinstance(table, dict):
        raise SceneError(f"{table!r} must be a table {{key = value, ...}} with {with_units(known)}.")
    known = list(known)
    for key in table:
        if key in known:
            continue
        if elsewhere and key in elsewhere:
            raise SceneError(f"key '{key}' belongs to {elsewhere[key]}.")
        close = difflib.get_close_matches(plain(key), [plain(k) for k in known], n=1, cutoff=0.5)
        guess = next((f" Did you mean '{k}'?" for k in known if close and plain(k) == close[0]), "")
        raise SceneError(f"unknown key '{key}'. Known: {with_units(sorted(known))}.{guess}")
    missing = [key for key in needed if key not in table]
    if missing:
        raise SceneError(f"{with_units(missing)} {'is' if len(missing) == 1 else 'are'} missing.")


def arguments(function: Callable[..., Any], *but: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names that a function takes, and those of them without a default, but for some of them."""
    return _arguments(function, but)


@functools.cache
def _arguments(function: Any, but: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", *but)]
    needed = tuple(p.name for p in parameters if p.default is inspect.Parameter.empty)
    return tuple(p.name for p in parameters), needed


def check_words(table: Mapping[str, Any], function: Callable[..., Any]) -> None:
    """Arguments of a function that are text or true and false, and nothing else; numbers check themselves."""
    for name, parameter in inspect.signature(function).parameters.items():
        wanted = str(getattr(parameter.annotation, "__name__", parameter.annotation)).removesuffix(" | None")
        if name in table and wanted == "str" and not isinstance(table[name], str):
            raise SceneError(f"{name} = {table[name]!r} must be text in quotes.")
        if name in table and wanted == "bool" and not isinstance(table[name], bool):
            raise SceneError(f"{name} = {table[name]!r} must be true or false, without quotes.")


def construct(what: str, given: Any, known: Mapping[str, type]) -> Any:
    """The object that a table {kind = "name", field = value, ...} describes."""
    kinds = ", ".join(f'"{name}"' for name in known)
    if not isinstance(given, dict) or "kind" not in given:
        raise SceneError(f'{what} = {given!r} must be a table {{kind = "...", ...}}, kind one of: {kinds}.')
    made = lookup(f"kind of {what}", given["kind"], known)
    values = {key: value for key, value in given.items() if key != "kind"}
    try:
        check_keys(values, *arguments(made))
        check_words(values, made)
        return made(**values)
    except SceneError as error:
        raise SceneError(f"{what}: {error}") from None


# --- writing -----------------------------------------------------------------------------------------------------------


def toml_value(value: Any) -> str:
    """A value as TOML text that reads back to the same bits."""
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("nan" if math.isnan(value) else "inf" if value > 0 else "-inf")
    if isinstance(value, str):
        return '"' + "".join(_escaped(c) for c in value) + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        pairs = (f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items() if item is not None)
        return "{" + ", ".join(pairs) + "}"
    raise SceneError(f"{value!r} cannot be written to a scene file: it is neither a number, text, list nor table.")


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    return c if ord(c) >= 32 and ord(c) != 127 else f"\\u{ord(c):04x}"


def toml_key(key: str) -> str:
    """A key, in quotes where it needs them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def toml_table(head: str, table: Mapping[str, Any]) -> str:
    """A table with its head, one line for each key; what is None is left out."""
    lines = [f"{toml_key(key)} = {toml_value(value)}" for key, value in table.items() if value is not None]
    return "\n".join([head, *lines] if head else lines) + "\n"
