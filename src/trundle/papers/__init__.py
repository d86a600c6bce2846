"""The papers that trundle reproduces, by key; each is a sub-package that is imported when it is asked for.

A paper's sub-package has

    TITLE: str                    # of the paper
    PARTS: dict[str, str]         # name for `--only` -> what it is, one line
    CAMPAIGNS: tuple[str, ...]    # parts that run campaigns, which need the packages of trundle[sweep]; may be left out
    ON_REQUEST: tuple[str, ...]   # parts that run only when they are asked for; may be left out
    def reproduce(report: Report, part: str, quick: bool, progress: Progress, **options) -> None

See docs/howto-paper.md.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from trundle.errors import TrundleError, unknown
from trundle.papers.report import Claim, Progress, Report
from trundle.record.provenance import package_digest

PAPERS = {
    "acary-bourrier-2021": "acary_bourrier_2021",
    "le-saux-2005": "le_saux_2005",
    "hjiaj-2004": "hjiaj_2004",
    "tasora-anitescu-2013": "tasora_anitescu_2013",
    "fang-negrut-2020": "fang_negrut_2020",
}


class PaperError(TrundleError):
    """An unknown paper, a part that it does not have, or an option that it does not take."""


def known() -> list[str]:
    """Keys of the papers, in the order in which they are listed."""
    return [key for key, name in PAPERS.items() if importlib.util.find_spec(f"{__name__}.{name}")]


def load(key: str) -> ModuleType:
    """The sub-package of a paper."""
    if key not in known():
        raise PaperError(unknown("paper", key, known()))
    return importlib.import_module(f"{__name__}.{PAPERS[key]}")


def ignore_progress(text: str, share: float) -> None:
    """Progress for those who do not want any."""


def reproduce(
    key: str,
    out: Path,
    only: str | None = None,
    quick: bool = False,
    progress: Progress = ignore_progress,
    again: bool = False,
    **options: Any,
) -> Report:
    """Reproduce a paper and write its report and figures to the folder `out`; options that are None are left out.

    The report is written after every part.  Parts that an earlier run has finished, with the same version and options, are
    taken from it unless `again`.
    """
    paper = load(key)
    if only is not None and only not in paper.PARTS:
        raise PaperError(f"{key}: " + unknown("part", only, paper.PARTS))
    given = {name: value for name, value in options.items() if value is not None}
    takes = list(inspect.signature(paper.reproduce).parameters)[4:]
    for name in given:
        if name not in takes:
            raise PaperError(
                f"{key}: takes no option --{name.replace('_', '-')}."
                + (f" It takes: {', '.join('--' + item.replace('_', '-') for item in takes)}." if takes else "")
            )
    parts = [only] if only else [name for name in paper.PARTS if name not in getattr(paper, "ON_REQUEST", ())]
    campaigns = getattr(paper, "CAMPAIGNS", ())  # parts that need more packages: said now, not after minutes
    if any(name in campaigns for name in parts):
        from trundle.sweep.table import need_packages

        need_packages(f"{key}: {', '.join(campaigns)}")
    report = Report(key, paper.TITLE, out, quick=quick)
    made_with = {"package": package_digest(), "quick": quick, **given}
    for i, part in enumerate(parts):

        def tell(text: str, share: float, i: int = i, part: str = part) -> None:
            progress(f"{part}: {text}" if text else part, (i + share) / len(parts))

        tell("", 0.0)
        kept = out / "parts" / f"{part}.json"
        if not again and report.take(kept, made_with):
            tell("taken from an earlier run", 1.0)
            continue
        piece = Report(key, paper.TITLE, out)
        paper.reproduce(piece, part, quick, tell, **given)
        piece.keep(kept, made_with)
        report.add(piece.claims, piece.figures, piece.remarks)
        report.write()
    report.write()
    return report


__all__ = ["PAPERS", "Claim", "PaperError", "Progress", "Report", "known", "load", "reproduce"]
