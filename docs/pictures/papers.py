"""Collects figures that `trundle reproduce` has written and puts them on the page of the papers' figures.

python docs/pictures/papers.py [FOLDER ...]       folders to look in, with all below them; out if left out

What is found replaces what the page has; the rest stays.  The texts are in papers.toml, the numbers collected so far in
papers.json.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from PIL import Image

from trundle.papers import PAPERS, load
from trundle.papers.report import MADE_BY

HERE = Path(__file__).resolve().parent
PAGE, NUMBERS = HERE.parent / "gallery-papers.md", HERE / "papers.json"
WIDTH, COLOURS, MOST_BYTES = 1100, 128, 150_000
VERDICTS = {"agrees": "agrees", "differs": "**differs**"}
MOST_LINES = 6  # of a report beside one figure

INTRODUCTION = """\
<!-- written by docs/pictures/papers.py; change papers.toml instead -->

# Figures of the papers

What each figure of a paper shows, in our words and with the numbers of its text, beside ours. The papers' own pictures
are not here. Each of ours is made by the command below it; `make gallery` puts what such commands have written
into `out` on this page, with the version and commit that made it. `trundle reproduce all -o out && make gallery` renews all
of it. Every number in a paper's text is in the reports of `trundle reproduce PAPER`.
"""

Json = dict[str, Any]


def main(folders: list[str]) -> None:
    papers = tomllib.loads((HERE / "papers.toml").read_text(encoding="utf-8"))["papers"]
    numbers = json.loads(NUMBERS.read_text(encoding="utf-8")) if NUMBERS.exists() else {}
    for folder in folders or ["out"]:
        for report in sorted(Path(folder).rglob("report.md"), key=lambda path: path.stat().st_mtime):
            collect(papers, report, numbers)
    NUMBERS.write_text(json.dumps(numbers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(write_page(papers, numbers), encoding="utf-8")
    missing = [picture(p, f) for p in papers for f in p["figures"] if not (HERE / picture(p, f)).exists()]
    print(f"written: {PAGE}" + (f"; without {', '.join(missing)}" if missing else ""))


def picture(paper: Json, figure: Json) -> str:
    """Name of a figure's file."""
    return f"paper-{paper['key'].rsplit('-', 1)[0]}-{figure['file']}.png"


def collect(papers: list[Json], report: Path, numbers: dict[str, Json]) -> None:
    """Take the pictures of one report, the claims that belong to them, and the version that made them."""
    lines = report.read_text(encoding="utf-8").splitlines()
    title = lines[0].removeprefix("# ")
    made = next((line.removeprefix(MADE_BY).rstrip(".") for line in lines if line.startswith(MADE_BY)), "")
    claims = json.loads((report.parent / "report.json").read_text(encoding="utf-8"))
    for paper in papers:
        if title != load(paper["key"]).TITLE:
            continue
        for figure in paper["figures"]:
            source = report.parent / f"{figure['file']}.png"
            if source.exists():
                shrink(source, HERE / picture(paper, figure))
                found = [
                    {name: claim[name] for name in ("claim", "paper", "ours", "unit", "verdict")}
                    for claim in claims
                    if any(claim["claim"].startswith(start) for start in figure["claims"])
                ][:MOST_LINES]
                numbers[picture(paper, figure)] = {"made": made, "claims": found}


def shrink(source: Path, target: Path, method: Image.Quantize = Image.Quantize.MAXCOVERAGE) -> None:
    """The picture in few colours and bytes."""
    image = Image.open(source).convert("RGB")
    if image.width > WIDTH:
        image = image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)
    image.quantize(COLOURS, method=method, dither=Image.Dither.NONE).save(target, optimize=True)
    if target.stat().st_size > MOST_BYTES:
        raise SystemExit(f"error: {target} has {target.stat().st_size} bytes, more than {MOST_BYTES}.")


def write_page(papers: list[Json], numbers: dict[str, Json]) -> str:
    lines = [INTRODUCTION]
    assert {paper["key"] for paper in papers} == set(PAPERS)
    for paper in papers:
        lines += [f"## {paper['cite']}", "", paper["sketches"], ""]
        for figure in paper["figures"]:
            lines += figure_lines(paper, figure, numbers)
        if paper["key"] == "tasora-anitescu-2013":
            lines += demo_lines()
    return "\n".join(lines)


def figure_lines(paper: Json, figure: Json, numbers: dict[str, Json]) -> list[str]:
    """One figure: what the paper's shows and the numbers at the left, ours at the right."""
    name, title = picture(paper, figure), figure["number"]
    command = f"trundle reproduce {paper['key']} --only {figure['part']}"
    ours = f"[![{title}, ours](pictures/{name})](pictures/{name})"
    if not (HERE / name).exists():
        ours = "Not on this page yet: it takes hours."
    known = numbers.get(name, {"made": "", "claims": []})
    made = f"Made with {known['made']}." if known["made"] else "Made before versions were noted on this page."
    below = [ours, "", f"`{command}`", "", f"<small>{made}</small>"]
    return beside(title, figure["shows"], figure["ours"], table(known["claims"]), below)


def demo_lines() -> list[str]:
    shows = "Pictures of the piles: nearly flat without rolling friction, a steep cone with it."
    picture = "[![A flat pile and a cone](demo.png)](demo.png)"
    return beside(
        "Figures 10 to 12",
        shows,
        "The pile of the demo, without and with rolling friction.",
        [],
        [picture, "", "`make demo`"],
    )


def beside(title: str, shows: str, ours: str, rows: list[str], right: list[str]) -> list[str]:
    """Two columns under a heading."""
    left = [f"**The paper:** {shows}", "", f"**Ours:** {ours}", "", *rows]
    head = [f"### {title}", "", '<div class="beside" markdown>', "<div markdown>", ""]
    return [*head, *left, "", "</div>", "<div markdown>", "", *right, "", "</div>", "</div>", ""]


def table(rows: list[Json]) -> list[str]:
    """Claims as a table; those that the paper's text does not have only where there are no others."""
    rows = [row for row in rows if row["verdict"] in VERDICTS] or rows
    if not rows:
        return []
    lines = ["| | paper | ours | |", "|---|---|---|---|"]
    for row in rows:
        judged = VERDICTS.get(row["verdict"], "not in the text")
        lines.append(f"| {cell(row['claim'])} | {value(row['paper'])} | {value(row['ours'], row['unit'])} | {judged} |")
    return lines


def value(given: Any, unit: str = "-") -> str:
    """A value for a reader: four digits and its unit."""
    if given is None:
        return ""
    if isinstance(given, list):
        text = ", ".join(value(item) for item in given)
    elif isinstance(given, float):
        text = f"{given:.4g}"
    else:
        text = cell(str(given))
    return text if unit == "-" else f"{text} {cell(unit)}"


def cell(text: str) -> str:
    """Text that is safe in a table."""
    return text.replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;").replace("_", "\\_")


if __name__ == "__main__":
    main(sys.argv[1:])
