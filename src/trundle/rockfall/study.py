"""A study: all blocks of a case over workers, from what is missing to tables, maps and a report."""

from __future__ import annotations

import csv
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trundle import checked, output
from trundle.errors import CampaignError
from trundle.rockfall.case import Case
from trundle.rockfall.maps import barrier_table, make_maps
from trundle.rockfall.recording import write_recording
from trundle.rockfall.work import digest, load_batch
from trundle.scene.rasters import Raster, write_ascii, write_geotiff
from trundle.scene.values import Array
from trundle.sweep.engine import Progress, check_told, check_workers, compute
from trundle.sweep.store import Store, identity

BATCH = 20  # blocks of a piece of work
WHAT = f"batches of {BATCH} blocks"
FORMAT = b"2"  # of the files of batches: those of other versions are computed anew
FIRST = ("run", "seed", "x", "y", "z", "runout", "stop_reason")


@dataclass
class Results:
    """What came out of a study.

    deposits : a row per block ; passes : of barriers ; barriers : their quantiles ; maps : rasters by name
    paths : thinned paths by number of the block, columns as in `rockfall.recording.COLUMNS`
    """

    case: Case
    folder: Path
    deposits: list[dict[str, Any]]
    passes: list[dict[str, Any]]
    barriers: list[dict[str, Any]]
    maps: dict[str, Raster]
    paths: dict[int, Array]
    seconds: float
    computed: int
    damaged: tuple[str, ...] = ()  # files that were not what was written, and were computed again

    def column(self, name: str) -> Array:
        """A column of the deposits."""
        return np.array([row[name] for row in self.deposits])


def run_study(
    file: str | Path, folder: str | Path, *, release: Any = None, data: Any = None, workers: int | None = None,
    scheduler: str | None = None, seeds: int | None = None, report: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> Results:  # fmt: skip
    """Compute the blocks of a case file that `folder` does not hold yet, and write all results there.

    Parameters
    ----------
    release : a release table (CSV), instead of the case's own
    data : folder of the files that the case names
    workers : processes on this machine, one per core if None; 0: in this process
    scheduler : address of a running dask cluster, instead of workers of our own; it must see the folder
    seeds : times that every row of a release table is repeated, instead of the case's own number

    Returns
    -------
    Results
        The same to the last bit, whatever the number of workers and of interruptions.
    """
    from trundle.rockfall.case import parse, read_text

    begun = time.perf_counter()
    path, target = (output.file_path(what, given).absolute() for what, given in (("case", file), ("folder", folder)))
    release, data = (
        None if given is None else output.file_path(what, given)
        for what, given in (("release", release), ("data", data))
    )
    check_workers(workers, scheduler)
    check_told(progress)
    if seeds is not None:
        checked.whole(CampaignError, "seeds", seeds, least=1, most=10**8)
    checked.flag(CampaignError, "report", report)
    text = read_text(path)
    if seeds is not None:
        text = _with_seeds(text, str(file), seeds)
    table = "" if release is None else str(Path(release).absolute())
    given = "" if data is None else str(Path(data).absolute())
    case = Case(parse(text, str(file)), path.parent, data=given or None, release=table or None, name=str(file))
    files = target / "batches"
    output.make_folder(files)
    content = _content(case)
    parameters = {
        "text": text, "folder": str(path.parent), "data": given, "release": table, "name": str(file), "files": str(files),
        "content": content,
    }  # fmt: skip
    jobs: list[dict[str, Any]] = [
        {
            "function": "trundle.rockfall.work:run_batch", "folder": str(path.parent),
            "parameters": {**parameters, "first": first, "last": min(first + BATCH, case.count)},
        }
        for first in range(0, case.count, BATCH)
    ]  # fmt: skip
    keys = [_key(job) for job in jobs]
    store = Store(target)
    names = [f"{job['parameters']['first']:08d}-{job['parameters']['last']:08d}-{content[:12]}.npz" for job in jobs]
    missing, damaged = _missing(store, keys, [files / name for name in names])
    _compute_all(jobs, keys, missing, store, workers, scheduler, progress)
    results = gather(case, target, [files / name for name in names], time.perf_counter() - begun, len(missing))
    results.damaged = damaged
    write_results(results)
    write_recording(results)
    if report:
        from trundle.rockfall.report import write_report

        write_report(results)
    return results


def _missing(store: Store, keys: list[str], files: list[Path]) -> tuple[list[int], tuple[str, ...]]:
    """Numbers of the batches that are not there or not what was written, and the names of the latter's files."""
    missing, damaged = store.missing(keys, retry=True), []
    for i, (key, path) in enumerate(zip(keys, files, strict=True)):
        outcome = store.load(key)
        told = (outcome or {}).get("values", {}).get("digest", "")
        if outcome is not None and told != digest(path):
            missing.append(i)
            damaged += [path.name] if path.exists() and told else []
    return sorted(set(missing)), tuple(sorted([*store.damaged, *damaged]))


def _with_seeds(text: str, name: str, seeds: int) -> str:
    """The text of a case with another number of repetitions."""
    from trundle.rockfall.case import parse
    from trundle.scene.tables import toml_value

    tables = parse(text, name)
    tables.setdefault("release", {})["seeds"] = seeds
    return "\n".join(f"{key} = {toml_value(value)}" for key, value in tables.items()) + "\n"


def _content(case: Case) -> str:
    """A hash of everything that comes from files: terrain, zones, places of release."""
    ground = case.terrain.ground
    digest = hashlib.sha256(FORMAT)
    for array in (ground.vertices, ground.faces, np.zeros(0) if ground.zones is None else ground.zones):
        digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr((ground.soils, ground.offset, case.places)).encode())
    digest.update(json.dumps(case.tables, sort_keys=True, default=str).encode())
    return digest.hexdigest()


def _key(job: dict[str, Any]) -> str:
    """The identity of a piece of work, wherever its folders are."""
    kept = {k: v for k, v in job["parameters"].items() if k in ("first", "last", "content")}
    return identity({"function": job["function"], "parameters": kept})


def _compute_all(
    jobs: list[Any], keys: list[str], missing: list[int], store: Store, workers: int | None, scheduler: str | None,
    progress: Callable[[Progress], None] | None,
) -> None:  # fmt: skip
    """Compute what is missing; the first error ends it, once its batch is named."""
    began = time.perf_counter()
    if progress is not None and missing:
        progress(Progress(0, 0, len(missing), len(jobs) - len(missing), None, WHAT))
    for done, (i, outcome) in enumerate(compute(jobs, keys, missing, workers, scheduler), 1):
        if "error" in outcome:
            first, last = jobs[i]["parameters"]["first"], jobs[i]["parameters"]["last"]
            raise CampaignError(f"blocks {first} to {last - 1}: {outcome['error']}")
        store.save(keys[i], {"function": jobs[i]["function"]}, outcome)
        if progress is not None:
            left = (time.perf_counter() - began) / done * (len(missing) - done)
            progress(Progress(done, 0, len(missing), len(jobs) - len(missing), left, WHAT))


def gather(case: Case, folder: Path, files: list[Path], seconds: float, computed: int) -> Results:
    """Results from the files of all batches, in the order of the blocks."""
    batches = [load_batch(path) for path in files]
    deposits = [row for batch in batches for row in batch["rows"]]
    passes = [row for batch in batches for row in batch["passes"]]
    cell = np.concatenate([batch["cell"] for batch in batches])
    values = np.concatenate([batch["cell_values"] for batch in batches])
    where = np.array([[row["x"], row["y"]] for row in deposits])
    rest = np.array([row["stop_reason"] in ("rest", "barrier") for row in deposits])
    maps = make_maps(case, cell, values, where[rest], len(deposits))
    paths: dict[int, Array] = {}
    for batch in batches:
        for block in np.unique(batch["path_block"]):
            paths[int(block)] = batch["path"][batch["path_block"] == block]
    table = barrier_table([b.name for b in case.barriers], passes, len(deposits))
    return Results(case, folder, deposits, passes, table, maps, paths, seconds, computed)


# --- files -----------------------------------------------------------------------------------------------------------------


def write_results(results: Results) -> None:
    """Tables as CSV (and Parquet with pandas), deposits and paths as GeoJSON, maps as ASC (and GeoTIFF with rasterio)."""
    folder = results.folder
    for name, rows in (("deposits", results.deposits), ("passes", results.passes), ("barriers", results.barriers)):
        if rows:
            _write_csv(folder / f"{name}.csv", rows)
            _write_parquet(folder / f"{name}.parquet", rows)
    crs = getattr(results.case.terrain.ground, "crs", "")
    points = [({"type": "Point", "coordinates": [row["x"], row["y"], row["z"]]}, row) for row in results.deposits]
    _write_geojson(folder / "deposits.geojson", points, crs)
    points = [({"type": "Point", "coordinates": [row["x"], row["y"], row["z"]]}, row) for row in results.passes]
    if points:
        _write_geojson(folder / "passes.geojson", points, crs)
    rows = [
        {"block": block, "time": t, "x": x, "y": y, "z": z, "speed": s}
        for block, path in results.paths.items() for t, x, y, z, s in path[:, :5].tolist()
    ]  # fmt: skip
    if rows:
        _write_csv(folder / "trajectories.csv", rows)
        lines = [
            ({"type": "LineString", "coordinates": path[:, 1:4].tolist()}, {"block": b})
            for b, path in results.paths.items()
        ]
        _write_geojson(folder / "trajectories.geojson", lines, crs)
    maps = folder / "maps"
    output.make_folder(maps)
    tiff = _has_rasterio()
    for name, raster in results.maps.items():
        write_ascii(maps / f"{name}.asc", raster)
        if tiff:
            write_geotiff(maps / f"{name}.tif", raster)
    with output.writing(folder / "distribution.json") as stream:
        stream.write(json.dumps(distribution(results), indent=1))


def distribution(results: Results) -> dict[str, Any]:
    """Run-out [m], reach and shadow angle [degrees] of the blocks at rest: number, mean, quantiles; counts of stop reasons."""
    rest = results.column("stop_reason") == "rest"
    reasons, counts = np.unique(results.column("stop_reason"), return_counts=True)
    found: dict[str, Any] = {
        "blocks": len(rest),
        "stop_reason": dict(zip(reasons.tolist(), counts.tolist(), strict=True)),
    }
    for name in ("runout", "reach_angle", "shadow_angle"):
        values = results.column(name)[rest]
        quantiles = (
            {str(q): float(np.percentile(values, q)) for q in (2, 5, 10, 25, 50, 75, 90, 95, 98)} if len(values) else {}
        )
        found[name] = {
            "blocks": len(values),
            "mean": float(values.mean()) if len(values) else None,
            "quantiles": quantiles,
        }
    return found


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    names = [*(n for n in FIRST if n in rows[0]), *(n for n in rows[0] if n not in FIRST)]
    with output.writing(path, newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(names)
        writer.writerows([[_text(row[name]) for name in names] for row in rows])


def _text(value: Any) -> Any:
    return f"{value:.12g}" if isinstance(value, float) else output.cell(value) if isinstance(value, str) else value


def _write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    try:
        import pandas
        import pyarrow  # noqa: F401
    except ImportError:
        return
    with output.beside(path) as part:
        pandas.DataFrame(rows).to_parquet(part)


def _write_geojson(path: Path, features: list[tuple[dict[str, Any], dict[str, Any]]], crs: str) -> None:
    data: dict[str, Any] = {"type": "FeatureCollection"}
    if crs.startswith("EPSG:"):
        data["crs"] = {"type": "name", "properties": {"name": f"urn:ogc:def:crs:EPSG::{crs[5:]}"}}
    data["features"] = [{"type": "Feature", "geometry": g, "properties": p} for g, p in features]
    with output.writing(path) as stream:
        json.dump(data, stream)


def _has_rasterio() -> bool:
    import importlib.util

    return importlib.util.find_spec("rasterio") is not None
