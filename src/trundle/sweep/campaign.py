"""A campaign: what is run, which of its parameters vary, and how often.

```toml
name = "angle of repose"
function = "trundle.papers.tasora_anitescu_2013.pile:repose"   # or scene = "pile.toml" with measures = [...]
replicates = 3                      # seeds 0, 1, 2 at every point; or seeds = [11, 12, 13]

[fixed]
grains = 1000

[vary]
rolling = [0.0, 0.005, 0.01]                            # these values
mu = { from = 0.1, to = 1.0, count = 5, scale = "log" }   # or a range
```
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trundle import checked
from trundle.errors import CampaignError, known, unknown, whole
from trundle.output import file_path
from trundle.sweep.design import Range, sample

MOST_RUNS = 1_000_000  # of anything in a campaign
METHODS = ("grid", "random", "latin-hypercube")
KEYS = ("name", "function", "scene", "measures", "replicates", "seeds", "fixed", "vary", "sampling", "simulate")
SAMPLING_KEYS = ("method", "samples", "seed")
RANGE_KEYS = ("from", "to", "count", "scale", "integer")


@dataclass(frozen=True)
class Campaign:
    """Runs over parameters.

    function : "module:name" or "file.py:name", called with the parameters as keywords; or
    scene : file, with `measures` by name and the arguments of `trundle.simulate` in `simulate`
    vary : values or a Range for each name; a name "mu_r,mu_s" gives both the same value
    seeds : replicates; every point is run once with each, as the parameter `seed`
    """

    name: str
    function: str = ""
    scene: str = ""
    measures: tuple[str, ...] = ()
    fixed: dict[str, Any] = field(default_factory=dict)
    vary: dict[str, list[Any] | Range] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    method: str = "grid"
    samples: int = 0
    sampling_seed: int = 0
    simulate: dict[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    def __post_init__(self) -> None:
        self._check_kinds()
        if bool(self.function) == bool(self.scene):
            raise CampaignError(f'campaign \'{self.name}\': give function = "module:name" or scene = "file.toml".')
        if self.method not in METHODS:
            raise CampaignError(f"campaign '{self.name}': " + unknown("sampling method", self.method, METHODS))
        if self.method != "grid" and self.samples < 1:
            raise CampaignError(
                f"campaign '{self.name}': method = \"{self.method}\" needs samples >= 1, not {self.samples!r}."
            )
        if self.method == "grid" and self.samples:
            raise CampaignError(
                f"campaign '{self.name}': samples = {self.samples} has no meaning on a grid, whose size follows from "
                "its values. Leave it out, or choose random or latin-hypercube."
            )
        if self.scene and not self.measures:
            raise CampaignError(
                f"campaign '{self.name}': a scene needs measures = [...], see `trundle measure --help`."
            )
        if self.function and (self.measures or self.simulate):
            raise CampaignError(
                f"campaign '{self.name}': measures and [simulate] belong to a scene; a function returns its own values."
            )
        if len(set(self.seeds)) < len(self.seeds):
            raise CampaignError(f"campaign '{self.name}': seeds {list(self.seeds)} must differ from each other.")
        names = [*self.names, *self.fixed]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice or (self.seeds and "seed" in names):
            raise CampaignError(f"campaign '{self.name}': {', '.join(twice) or 'seed'} is given twice.")

    def _check_kinds(self) -> None:
        checked.text(CampaignError, "campaign: name", self.name)
        place = f"campaign '{self.name}'"
        for name in ("function", "scene", "method"):
            checked.text(CampaignError, f"{place}: {name}", getattr(self, name))
        for name in ("fixed", "vary", "simulate"):
            table = checked.instance(CampaignError, f"{place}: {name}", getattr(self, name), dict, "a table by name")
            for key in table:
                checked.text(CampaignError, f"{place}: a name in {name}", key)
        for key, values in self.vary.items():
            checked.instance(CampaignError, f"{place}: vary: {key}", values, (list, tuple, Range), "a list or a Range")
        for name, kind in (("measures", str), ("seeds", int)):
            listed = checked.instance(CampaignError, f"{place}: {name}", getattr(self, name), (list, tuple), "a list")
            for item in listed:
                checked.instance(
                    CampaignError, f"{place}: {name}", item, kind, "names" if kind is str else "whole numbers"
                )
        checked.whole(CampaignError, f"{place}: samples", self.samples, most=MOST_RUNS)
        checked.whole(CampaignError, f"{place}: sampling_seed", self.sampling_seed)
        object.__setattr__(self, "folder", file_path(f"{place}: folder", self.folder))

    @property
    def names(self) -> list[str]:
        """Names of the parameters that vary."""
        return [name for group in self.vary for name in split(group)]

    def points(self) -> list[dict[str, Any]]:
        """Parameters of every run, in order, without the fixed ones."""
        place = f"campaign '{self.name}'"
        drawn = sample(self.vary, self.method, self.samples, self.sampling_seed, place)
        spread = [_spread(point, place) for point in drawn]
        if not self.seeds:
            return spread
        return [{**point, "seed": seed} for point in spread for seed in self.seeds]


def split(group: str) -> list[str]:
    """Names of a group "mu_r, mu_s"."""
    return [name.strip() for name in group.split(",")]


def _spread(point: dict[str, Any], place: str) -> dict[str, Any]:
    """A value per name: a group gets one value for all of its names, or a list with one for each."""
    result: dict[str, Any] = {}
    for group, value in point.items():
        names = split(group)
        if len(names) > 1 and isinstance(value, list):
            if len(value) != len(names):
                raise CampaignError(f'{place}: [vary] "{group}" has {len(names)} names but {value!r}.')
            result.update(zip(names, value, strict=True))
        else:
            result.update(dict.fromkeys(names, value))
    return result


def load_campaign(file: str | Path) -> Campaign:
    """Read a campaign from a TOML file; scene files and file.py functions are found relative to it."""
    path = file_path("campaign", file)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CampaignError(f"{path}: cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError) as error:  # of UTF-8, of TOML
        raise CampaignError(f"{path}: is not TOML: {error}.") from None
    try:
        return make_campaign(table, path.stem, path.resolve().parent)
    except CampaignError as error:
        raise CampaignError(f"{path}: {error}") from None


def make_campaign(table: dict[str, Any], name: str = "campaign", folder: Path | None = None) -> Campaign:
    """A campaign from the table of a TOML file."""
    for key in checked.instance(CampaignError, "campaign", table, dict, "a table"):
        if not known(key, KEYS):
            raise CampaignError(unknown("key", key, KEYS))
    sampling = _table(table, "sampling")
    for key in sampling:
        if key not in SAMPLING_KEYS:
            raise CampaignError("[sampling]: " + unknown("key", key, SAMPLING_KEYS))
    return Campaign(
        name=table.get("name", name),
        function=str(table.get("function", "")),
        scene=str(table.get("scene", "")),
        measures=_names(table, "measures"),
        fixed=_table(table, "fixed"),
        vary={key: _values(key, value) for key, value in _table(table, "vary").items()},
        seeds=_seeds(table),
        method=str(sampling.get("method", "grid")),
        samples=_whole("[sampling] samples", sampling.get("samples", 0), MOST_RUNS),
        sampling_seed=_whole("[sampling] seed", sampling.get("seed", 0)),
        simulate=_table(table, "simulate"),
        folder=Path.cwd() if folder is None else folder,
    )


def _table(table: dict[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise CampaignError(f"{key} = {value!r} must be a table: [{key}].")
    return value


def _names(table: dict[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise CampaignError(f'{key} = {value!r} must be a list of names, such as ["height"].')
    return tuple(value)


def _whole(place: str, value: Any, most: int = 2**63 - 1) -> int:
    if not whole(value) or not 0 <= value <= most:
        raise CampaignError(f"{place} = {value!r} must be a whole number, 0 to {most}.")
    return int(value)


def _seeds(table: dict[str, Any]) -> tuple[int, ...]:
    if "seeds" in table and "replicates" in table:
        raise CampaignError("give replicates = 3 or seeds = [1, 2, 3], not both.")
    if "seeds" in table:
        if not isinstance(table["seeds"], list) or not table["seeds"]:
            raise CampaignError(f"seeds = {table['seeds']!r} must be a list of whole numbers.")
        return tuple(_whole("seeds", seed) for seed in table["seeds"])
    return tuple(range(_whole("replicates", table.get("replicates", 0), MOST_RUNS)))


def _values(name: str, value: Any) -> list[Any] | Range:
    """A list of values, or a Range from a table."""
    place = f"[vary] {name}"
    if isinstance(value, list):
        if not value:
            raise CampaignError(f"{place} = []: give at least one value.")
        return value
    if not isinstance(value, dict):
        raise CampaignError(f"{place} = {value!r} must be a list or {{ from = 0.1, to = 1.0, count = 5 }}.")
    for key in value:
        if key not in RANGE_KEYS:
            raise CampaignError(f"{place}: " + unknown("key", key, RANGE_KEYS))
    for key in ("from", "to"):
        if not isinstance(value.get(key), int | float) or isinstance(value.get(key), bool):
            raise CampaignError(f"{place}: {key} = {value.get(key)!r} must be a number.")
    return Range(
        place, float(value["from"]), float(value["to"]), _whole(f"{place} count", value.get("count", 0), MOST_RUNS),
        str(value.get("scale", "linear")), bool(value.get("integer", False)),
    )  # fmt: skip
