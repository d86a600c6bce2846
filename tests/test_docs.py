"""The examples on the pages of the documentation run, and the pages hold together."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from trundle.papers import load

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python[ ]*\n(.*?)^```", re.DOTALL | re.MULTILINE)  # not those marked "no-test"
# the others show signatures, or have tests of their own
NAMES = ["start.md", "howto-view.md", "howto-calibrate.md", "howto-scene.md", "howto-steps.md"]
PAGES = [DOCS / name for name in NAMES] + sorted((DOCS / "theory").glob("*.md"))
PAGES = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_examples_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    names: dict[str, object] = {"__name__": "__page__"}
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        line = page.read_text(encoding="utf-8")[: match.start()].count("\n") + 1
        code = "\n" * line + match.group(1)  # so that errors name the line of the page
        exec(compile(code, str(page), "exec"), names)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.relative_to(DOCS).as_posix())
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in LINK.findall(text):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_site_builds_without_the_internet(tmp_path):
    pytest.importorskip("mkdocs", reason="NO MKDOCS: pip install trundle[docs]")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(tmp_path / "site")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    start = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "https://fonts" not in start
    assert not re.search(r'<(script|link|img)[^>]+(src|href)="(https?:)?//(?!squidfunk)', start)
    law = (tmp_path / "site" / "theory" / "rolling.html").read_text(encoding="utf-8")
    assert "<math" in law
    lost = (tmp_path / "site" / "404.html").read_text(encoding="utf-8")
    assert "unpkg" not in lost
    assert "$" not in re.sub(r"<(script|style|code).*?</\1>", "", law, flags=re.DOTALL)


def test_the_gallery_has_every_example_with_a_picture():
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    figures = re.findall(r"<figure markdown>\n!\[.+?\]\((.+?)\)\n<figcaption.+?`(.+?)`</figcaption>", page)
    commands = " ".join(command for _, command in figures)
    for example in sorted((ROOT / "examples").glob("*.*")):
        assert f"examples/{example.name}" in commands, example.name
    for picture in sorted((DOCS / "pictures").glob("*.png")):
        assert picture.stat().st_size < 150_000, picture.name


def test_the_page_of_papers_is_what_its_sources_say():
    """Written again from what was collected it is the same page: nobody has edited it by hand."""
    pictures = DOCS / "pictures"
    names: dict[str, object] = {"__name__": "papers", "__file__": str(pictures / "papers.py")}
    exec((pictures / "papers.py").read_text(encoding="utf-8"), names)
    papers = tomllib.loads((pictures / "papers.toml").read_text(encoding="utf-8"))["papers"]
    numbers = json.loads((pictures / "papers.json").read_text(encoding="utf-8"))
    assert names["write_page"](papers, numbers) == (DOCS / "gallery-papers.md").read_text(encoding="utf-8")
    for paper in papers:
        parts = load(paper["key"]).PARTS
        assert {figure["part"] for figure in paper["figures"]} <= set(parts), paper["key"]
