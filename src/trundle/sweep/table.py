"""Outcomes of a campaign as one table."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trundle import output
from trundle.errors import CampaignError
from trundle.sweep.campaign import Campaign

if TYPE_CHECKING:
    import pandas


def need_packages(what: str = "campaigns") -> None:
    """Say what is missing if there can be no campaign and no Parquet table."""
    names = ("pandas", "pyarrow", "threadpoolctl")
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        raise CampaignError(f'{what}: need {", ".join(missing)}, which is not installed: pip install "trundle[sweep]".')


def write_results(
    jobs: list[dict[str, Any]], outcomes: list[dict[str, Any]], campaign: Campaign, folder: Path
) -> pandas.DataFrame:
    """One row per run in the order of the campaign: parameters, values, warnings and error; times are elsewhere.

    Values of a failed run are missing.  A value that has the name of a parameter gets "_result" behind it.
    """
    import pandas

    varied = set(campaign.names) | ({"seed"} if campaign.seeds else set())
    rows = []
    for job, outcome in zip(jobs, outcomes, strict=True):
        parameters = {name: value for name, value in job["parameters"].items() if name in varied}
        values = {(f"{k}_result" if k in varied else k): v for k, v in outcome.get("values", {}).items()}
        notes = {"warnings": "\n".join(outcome.get("warnings", [])), "error": outcome.get("error", "")}
        rows.append({**parameters, **values, **notes})
    order = list(dict.fromkeys(key for row in rows for key in row if key not in ("warnings", "error")))
    table = pandas.DataFrame(rows, columns=[*order, "warnings", "error"])
    with output.beside(folder / "results.parquet") as unfinished:
        try:
            table.to_parquet(unfinished, index=False)
        except OSError:
            raise
        except Exception as error:  # pyarrow: a column of numbers and texts
            raise CampaignError(f"the results have no place in one table: {error}") from error
    return table
