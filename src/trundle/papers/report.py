"""What a paper says beside what comes out here: claims, figures, and the files they are written to."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from trundle import output
from trundle.record.provenance import made_by

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal["agrees", "differs", "not tested", "not in the paper's text"]
AGREES: Verdict = "agrees"
DIFFERS: Verdict = "differs"
NOT_TESTED: Verdict = "not tested"
OURS_ONLY: Verdict = "not in the paper's text"

VERDICTS = (AGREES, DIFFERS, NOT_TESTED, OURS_ONLY)
MADE_BY = "Made with "  # beginning of the line of report.md that says which version made it

Value = float | int | bool | str | list[Any] | None
Progress = Callable[[str, float], None]  # what is being done, and which share of the whole (0 to 1) is done


@dataclass(frozen=True)
class Claim:
    """One statement of a paper beside ours.

    claim: the statement in words ; source: section, figure or equation ; paper, ours: the two values
    unit: of both ; tolerance: largest |ours - paper| in that unit that agrees, None where it is not a matter of numbers
    note: why they differ, or what was assumed
    """

    claim: str
    source: str
    paper: Value
    ours: Value
    unit: str
    tolerance: float | None
    verdict: Verdict
    note: str = ""


@dataclass
class Report:
    """Claims and figures of one paper; `write` makes report.json, report.md and leaves the figures beside them.

    >>> report = Report("le-saux-2005", "Dynamics of a rolling disk in the presence of dry friction", Path("out"))
    >>> report.compare("the disk stops", "section 4.2", paper=67.0, ours=67.7, tolerance=1.0, unit="s")
    >>> report.write()
    """

    paper: str
    title: str
    folder: Path
    claims: list[Claim] = field(default_factory=list)
    figures: list[tuple[str, str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    quick: bool = False  # whether it was made in its short form

    def compare(
        self,
        claim: str,
        source: str,
        *,
        paper: float | Sequence[float],
        ours: float | Sequence[float],
        tolerance: float,
        unit: str = "-",
        note: str = "",
    ) -> Claim:
        """Compare numbers: they agree where no component differs by more than the tolerance [unit], an absolute one."""
        given, found = np.atleast_1d(np.asarray(paper, float)), np.atleast_1d(np.asarray(ours, float))
        same = given.shape == found.shape and bool(np.all(np.abs(found - given) <= tolerance))
        return self._add(claim, source, paper, ours, unit, float(tolerance), AGREES if same else DIFFERS, note)

    def judge(
        self, claim: str, source: str, *, paper: Value, ours: Value, agrees: bool, unit: str = "-", note: str = ""
    ) -> Claim:
        """State a claim whose verdict is not a difference of numbers: a bound, an order, a behaviour in words."""
        return self._add(claim, source, paper, ours, unit, None, AGREES if agrees else DIFFERS, note)

    def add_ours(self, claim: str, source: str, *, ours: Any, unit: str = "-", note: str = "") -> Claim:
        """State a number that the paper's text does not give."""
        return self._add(claim, source, None, ours, unit, None, OURS_ONLY, note)

    def leave_untested(
        self, claim: str, source: str, *, paper: Value, ours: Any = None, unit: str = "-", note: str
    ) -> Claim:
        """State a claim that this run does not test; the note says why, and what does."""
        return self._add(claim, source, paper, ours, unit, None, NOT_TESTED, note)

    def remark(self, text: str) -> None:
        """Add a paragraph to report.md."""
        if text not in self.remarks:
            self.remarks.append(text)

    def keep(self, path: Path, made_with: dict[str, Any]) -> None:
        """Write claims, figures and remarks to a file from which `take` has them again."""
        kept = {"made_with": made_with, "claims": [asdict(item) for item in self.claims]}
        output.make_folder(path.parent)
        with output.writing(path) as stream:
            stream.write(
                json.dumps(kept | {"figures": self.figures, "remarks": self.remarks}, ensure_ascii=False) + "\n"
            )

    def take(self, path: Path, made_with: dict[str, Any]) -> bool:
        """Add what another run has kept, if it was made in the same way and its figures are there; whether it was."""
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            claims = [Claim(**item) for item in kept["claims"]]
            figures, remarks, key = [(str(a), str(b)) for a, b in kept["figures"]], kept["remarks"], kept["made_with"]
        except (OSError, ValueError, KeyError, TypeError):
            return False
        if key != made_with or not all((self.folder / name).is_file() for name, _ in figures):
            return False
        self.add(claims, figures, remarks)
        return True

    def add(self, claims: list[Claim], figures: list[tuple[str, str]], remarks: list[str]) -> None:
        """Add what a part of the paper has; what two parts say alike stands once."""
        said = {item.claim for item in self.claims}
        self.claims += [item for item in claims if item.claim not in said]
        self.figures += [figure for figure in figures if figure not in self.figures]
        for text in remarks:
            self.remark(text)

    def figure(self, figure: Figure, name: str, caption: str) -> Path:
        """Save a matplotlib figure as `name`.png beside the report and close it."""
        import matplotlib.pyplot as plt

        output.make_folder(self.folder)
        path = self.folder / f"{name}.png"
        output.save_figure(figure, path)
        plt.close(figure)
        self.figures.append((path.name, caption))
        return path

    def write(self) -> Path:
        """Write report.json, a list of claims, and report.md; returns the path of the first."""
        output.make_folder(self.folder)
        path = self.folder / "report.json"
        with output.writing(path) as stream:
            stream.write(json.dumps([asdict(item) for item in self.claims], indent=1, ensure_ascii=False) + "\n")
        with output.writing(self.folder / "report.md") as stream:
            stream.write(self.as_markdown())
        return path

    def count(self) -> dict[Verdict, int]:
        """How many claims have each verdict."""
        return {verdict: sum(item.verdict == verdict for item in self.claims) for verdict in VERDICTS}

    def as_markdown(self) -> str:
        """The report for a reader: counts, claims as a table, notes, figures."""
        lines = [f"# {self.title}", ""]
        lines += [f"{MADE_BY}{made_by()}{', quick' if self.quick else ''}.", ""]
        lines += [", ".join(f"{number} {verdict}" for verdict, number in self.count().items()) + ".", ""]
        for text in self.remarks:
            lines += [text, ""]
        lines += [
            "| claim | source | paper | ours | unit | tolerance | verdict | note |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for item in self.claims:
            tolerance = "" if item.tolerance is None else f"± {in_words(item.tolerance)}"
            cells = (item.claim, item.source, in_words(item.paper), in_words(item.ours), item.unit, tolerance)
            verdict = f"**{item.verdict}**" if item.verdict == DIFFERS else item.verdict
            lines.append("| " + " | ".join(text.replace("|", "\\|") for text in (*cells, verdict, item.note)) + " |")
        for name, caption in self.figures:
            lines += ["", f"![{caption}]({name})", "", f"*{caption}*"]
        return "\n".join(lines) + "\n"

    def _add(
        self, claim: str, source: str, paper: Any, ours: Any, unit: str, tolerance: float | None, verdict: Verdict,
        note: str,
    ) -> Claim:  # fmt: skip
        item = Claim(claim, source, plain(paper), plain(ours), unit, tolerance, verdict, note)
        self.claims.append(item)
        return item


def plain(value: Any) -> Value:
    """A value as JSON can hold it: numpy's numbers and arrays become Python's, NaN and infinity words."""
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else str(float(value))
    return None if value is None else str(value)


def in_words(value: Value) -> str:
    """A value in a table: four to six digits, lists in parentheses, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "(" + ", ".join(in_words(item) for item in value) + ")"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)
