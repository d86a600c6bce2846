"""The examples on the pages of the documentation run, and the pages hold together."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
BLOCK = re.compile(r"^```python[ ]*\n(.*?)^```", re.DOTALL | re.MULTILINE)  # not those marked "no-test"
# the others show signatures, or have tests of their own
NAMES = ["start.md", "howto-view.md", "howto-calibrate.md", "howto-scene.md"]
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
    assert "$" not in re.sub(r"<(script|style|code).*?</\1>", "", law, flags=re.DOTALL)
