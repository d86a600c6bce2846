"""The examples on the pages of the documentation run, and the pages hold together."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

import trundle
from pages import INLINE, PAGES, Folder, blocks, check_options, check_other, commands
from trundle.errors import TrundleWarning
from trundle.papers import load

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=name)
def test_snippets_and_commands_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("error", TrundleWarning)  # a reader who types what is printed is not warned
        folder = Folder(tmp_path, monkeypatch)
        for block in blocks(page):
            folder.run(page, block)


def test_every_block_says_what_it_is():
    """Python and commands are run; the rest is text, or a part of a file."""
    for page in PAGES:
        for block in blocks(page):
            assert block.kind in ("python", "bash", "toml", "text"), f"{page.name}, line {block.line}: {block.kind!r}"


def test_few_blocks_are_not_run_and_each_says_why():
    reasons = {block.values("not run")[0] for page in PAGES for block in blocks(page) if block.values("not run")}
    assert reasons <= {"a sketch", "needs a cluster", "needs ParaView", "needs xarray"}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_in_the_text_have_options_that_exist(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for command in INLINE.findall(text):
        words = commands(command)[0]
        if words[0] == "trundle" and not re.search(r"[A-Z]{3}|…", command):
            check_options(words)
        elif words[0] != "trundle":
            check_other(words)


ODD = (  # phrases that readers stumbled over, and what engineers say instead
    "content with no", "moved apart", "from what the last step found", "methods are asked", "became of every joule",
    "rest is rest", "residual, which belongs to the problem", "no body has it", "at most so many", "is a wish",
    "heeded", "Known: .\"", "parted",
)  # fmt: skip


def test_pages_help_and_messages_speak_plain_english():
    for file in [*PAGES, ROOT / "CHANGELOG.md", *(ROOT / "src").rglob("*.py"), *(ROOT / "web" / "src").glob("*")]:
        text = " ".join(file.read_text(encoding="utf-8").split())
        for phrase in ODD:
            assert phrase.lower() not in text.lower(), f"{name(file)}: {phrase!r}"


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
    api = (tmp_path / "site" / "api.html").read_text(encoding="utf-8")
    for name in ("Run.position", "Run.to_pandas", "Recording.joint_force", "Recording.picture", "Scene.surface"):
        assert f'id="trundle.{name}"' in api, name
    assert not re.search(r'id="trundle\.[\w.]*\._', api)  # nothing private
    law = (tmp_path / "site" / "theory" / "rolling.html").read_text(encoding="utf-8")
    assert "<math" in law
    lost = (tmp_path / "site" / "404.html").read_text(encoding="utf-8")
    assert "unpkg" not in lost
    assert "$" not in re.sub(r"<(script|style|code).*?</\1>", "", law, flags=re.DOTALL)


def test_the_page_of_the_api_names_everything_that_users_import():
    """Every name that trundle exports, methods that runs and recordings inherit, and no private ones."""
    named = set(re.findall(r"^::: (\S+)$", (DOCS / "api.md").read_text(encoding="utf-8"), re.MULTILINE))
    for name in set(trundle.__all__) - {"laws", "stop"}:
        assert f"trundle.{name}" in named, name
    for law in ("Coulomb", "Rolling", "SlideRollSpin", "Superellipse", "Contensou", "own", "check"):
        assert f"trundle.laws.{law}" in named


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
