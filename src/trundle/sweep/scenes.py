"""Campaigns over the fields of a scene file.

A field is named by its path: "gravity", "surfaces.0.law.mu_r", "bodies.ball.density", "surfaces.rock+soil.restitution",
"simulation.time_step", "emitters.0.count".  Tables of a list go by number, by name, or by the surfaces between which
they are.  A field that the file leaves at its default can be given too.  "measure.angle-of-repose.sectors" is an option of a
measure.
"""

from __future__ import annotations

import copy
import hashlib
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from trundle.errors import CampaignError, unknown
from trundle.scene.files import load_scene, parse_scene
from trundle.scene.scene import Scene
from trundle.scene.tables import toml_table
from trundle.sweep.campaign import Campaign
from trundle.sweep.store import Job

GRAVITY = Scene().gravity  # [m/s^2], of a file that says nothing about it


def scene_jobs(campaign: Campaign, points: list[dict[str, Any]]) -> list[Job]:
    """The runs of a campaign over a scene file, each path and the first scene checked before they start."""
    from trundle.measure.catalogue import check_names

    check_names(campaign.measures)
    path = campaign.folder / campaign.scene
    load_scene(path)  # the file itself is in order
    text = path.read_text(encoding="utf-8")
    base = {
        "scene": text, "scene_file": campaign.scene, "folder": str(path.parent), "measures": list(campaign.measures),
        "simulate": campaign.simulate,
    }  # fmt: skip
    named = named_files(tomllib.loads(text), path.parent)
    if named:
        base["files"] = named  # another mesh or law under the same name is other work
    jobs = [{**base, "parameters": {**campaign.fixed, **point}} for point in points]
    for job in jobs:
        _scene(job)  # every point is a scene: say so now, not after hours
    return jobs


def named_files(node: Any, folder: Path) -> dict[str, str]:
    """Files that a scene names, such as meshes and "law.py:Law", with their hashes."""
    if isinstance(node, dict | list):
        inside = node.values() if isinstance(node, dict) else node
        return {name: digest for value in inside for name, digest in named_files(value, folder).items()}
    if not isinstance(node, str):
        return {}
    name = node if (folder / node).is_file() else node.partition(":")[0]
    return (
        {name: hashlib.sha256((folder / name).read_bytes()).hexdigest()} if name and (folder / name).is_file() else {}
    )


def run_scene(job: Job) -> dict[str, Any]:
    """Simulate the scene of a job and measure it; recorded, for as long as it takes, if a measure needs its contacts."""
    from trundle.measure.catalogue import MEASURES, measure_all
    from trundle.run.simulate import simulate

    scene, options = _scene(job)
    _, asked = split_parameters(job["parameters"])
    if not any(MEASURES[name].contacts for name in job["measures"]):
        return measure_all(simulate(scene, **options), job["measures"], options=asked)
    with tempfile.TemporaryDirectory() as folder:
        run = simulate(scene, **options, record=Path(folder) / "run.h5")
        return measure_all(run, job["measures"], options=asked)


def split_parameters(parameters: dict[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Fields of the scene, and options of measures: {"angle-of-repose": {"sectors": 24}}."""
    fields: dict[str, Any] = {}
    options: dict[str, dict[str, Any]] = {}
    for path, value in parameters.items():
        words = path.split(".")
        if words[0] != "measure":
            fields[path] = value
        elif len(words) == 3:
            options.setdefault(words[1], {})[words[2]] = value
        else:
            raise CampaignError(f'{path}: write "measure.NAME.OPTION", such as "measure.angle-of-repose.sectors".')
    return fields, options


def _scene(job: Job) -> tuple[Any, dict[str, Any]]:
    from trundle.measure.catalogue import check_options

    fields, asked = split_parameters(job["parameters"])
    check_options(asked, job["measures"])
    changed = changed_tables(tomllib.loads(job["scene"]), fields, job["scene_file"])
    scene, options = parse_scene(as_text(changed), name=job["scene_file"], folder=Path(job["folder"]))
    options.update(job["simulate"])
    for name in ("duration", "time_step"):
        if name not in options:
            raise CampaignError(f"{job['scene_file']}: {name} is missing; give it in [simulation] or in [simulate].")
    return scene, options


def changed_tables(tables: dict[str, Any], parameters: dict[str, Any], place: str) -> dict[str, Any]:
    """The tables of a scene file with other values; a seed goes to [simulation]."""
    tables = copy.deepcopy(tables)
    for path, value in parameters.items():
        words = ["simulation", "seed"] if path == "seed" else path.split(".")
        if words[0] == "simulation":
            tables.setdefault("simulation", {})
        if words[0] == "gravity":
            tables.setdefault("gravity", list(GRAVITY))
        node: Any = tables
        for i, word in enumerate(words[:-1]):
            node = _step(node, word, f"{place}: {'.'.join(words[: i + 1])}")
        if isinstance(node, list):
            node, key = _vector(node, words[-1], f"{place}: {path}")
            node[key] = value
            continue
        if not isinstance(node, dict):
            raise CampaignError(f"{place}: {path}: there is nothing below {node!r}.")
        if len(words) == 1 and words[0] not in (*node, "gravity"):
            raise CampaignError(f"{place}: {path}: " + unknown("field", path, node))
        node[words[-1]] = value  # whether there is such a field, the reader of scenes says
    return tables


def _step(node: Any, word: str, place: str) -> Any:
    """The table that a word of a path leads to."""
    if isinstance(node, dict):
        if word not in node:
            raise CampaignError(f"{place}: " + unknown("field", word, node))
        return node[word]
    if not isinstance(node, list):
        raise CampaignError(f"{place}: there is nothing below {node!r}.")
    if word.isdigit() and int(word) < len(node):
        return node[int(word)]
    labels = {_label(table, i): table for i, table in enumerate(node)}
    if word in labels:
        return labels[word]
    turned = "+".join(reversed(word.split("+")))
    if turned in labels:
        return labels[turned]
    raise CampaignError(f"{place}: " + unknown("table", word, labels))


def _label(table: Any, number: int) -> str:
    if isinstance(table, dict):
        if "name" in table:
            return str(table["name"])
        if "between" in table:
            return "+".join(map(str, table["between"]))
    return str(number)


def _vector(values: list[Any], word: str, place: str) -> tuple[list[Any], int]:
    """A component of a vector such as gravity.2."""
    if not word.isdigit() or int(word) >= len(values):
        raise CampaignError(f"{place}: {word!r} is not one of the components 0 to {len(values) - 1}.")
    return values, int(word)


def as_text(tables: dict[str, Any]) -> str:
    """Tables of a scene file as TOML."""
    parts = [toml_table("", {k: v for k, v in tables.items() if not _is_section(v)})]
    for name, value in tables.items():
        if isinstance(value, dict):
            parts.append(toml_table(f"[{name}]", value))
        elif _is_section(value):
            parts += [toml_table(f"[[{name}]]", table) for table in value]
    return "\n".join(parts)


def _is_section(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(item, dict) for item in value))
