"""Pages of the documentation as programs: Python snippets and commands, run one after the other in one folder.

A comment above a block says what a reader does not see:

    <!-- before: trundle run examples/pour.toml -o pile.h5 -->    run this first
    <!-- quick: --duration 0.2 -->          add this to every `trundle run` of the block
    <!-- options only: hours -->            look whether the commands and options exist, and do not run them
    <!-- not run: needs ParaView -->        neither
    <!-- file: pile.toml -->                the block is this file;  <!-- append: pile.toml -->: its continuation
"""

from __future__ import annotations

import glob
import re
import shlex
import sys
import tomllib
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import click
import pytest
import typer
from typer.testing import CliRunner

from trundle.cli import app, viewing
from trundle.view.server import ViewServer

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^((?:<!-- [^\n]* -->\n)*)```([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
MARK = re.compile(r"<!-- ([a-z ]+): (.*?) -->")
MARKS = {"before", "quick", "options only", "not run", "file", "append"}
INLINE = re.compile(r"`((?:trundle|make|python) [^`]+)`")
# what is not trundle's own: programs of others, and what a shell does
OTHERS = {
    "git": "fetches",
    "cd": "shell",
    ".": "shell",
    "ssh": "another machine",
    "ovito": "a window",
    "dask": "a cluster",
}


@dataclass(frozen=True)
class Block:
    """A fenced block: kind (python, bash, toml, text), its text, the line it begins on, its marks [(name, value)]."""

    kind: str
    text: str
    line: int
    marks: tuple[tuple[str, str], ...]

    def values(self, mark: str) -> list[str]:
        return [value for name, value in self.marks if name == mark]


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    text, found = page.read_text(encoding="utf-8"), []
    for match in BLOCK.finditer(text):
        marks = tuple(MARK.findall(match.group(1)))
        assert {name for name, _ in marks} <= MARKS, f"{page.name}: unknown mark in {marks}"
        line = text[: match.start(3)].count("\n")
        found.append(Block(match.group(2), match.group(3), line, marks))
    return found


def commands(text: str) -> list[list[str]]:
    """The commands of a shell block, each as its words; comments are left out."""
    found: list[list[str]] = []
    for line in text.splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";&")
        lexer.whitespace_split = True
        words: list[str] = []
        for word in [*lexer, ";"]:
            if word in (";", "&&"):
                if words:
                    found.append(words)
                words = []
            else:
                words.append(word)
    return found


def expanded(words: list[str]) -> list[str]:
    """File patterns as a shell would expand them."""
    return [file for word in words for file in (sorted(glob.glob(word)) or [word] if "*" in word else [word])]


def check_options(words: list[str]) -> None:
    """Whether a command and its options exist, without running it."""
    group: Any = typer.main.get_command(app)
    arguments = words[1:]
    with suppress(click.exceptions.Exit):  # --help, --version
        while isinstance(group, click.Group):
            name = arguments[0]
            assert name in group.commands, f"trundle has no command {name!r}: {shlex.join(words)}"
            group, arguments = group.commands[name], arguments[1:]
        group.make_context(words[0], list(arguments))


def check_other(words: list[str]) -> None:
    """Whether what a command names is there: a target of the Makefile, a script, an extra of the package."""
    program, rest = words[0], [word for word in words[1:] if not word.startswith("-")]
    if program == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        wrong = [word for word in rest if "=" not in word and word not in targets]
        assert not wrong, f"no target {wrong} in the Makefile: {shlex.join(words)}"
    elif program in ("python", "pip"):
        if program == "pip" or words[1] == "-m":
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
            for extra in re.findall(r"trundle\[(.*?)\]", " ".join(words)):
                assert set(extra.split(",")) <= set(extras), shlex.join(words)
        else:
            assert (ROOT / words[1]).exists() or Path(words[1]).exists(), f"no such script: {shlex.join(words)}"
    else:
        assert program in OTHERS, f"unknown program {program!r}: {shlex.join(words)}"


class Folder:
    """A folder in which the blocks of a page are run; the examples are in it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (folder / "examples").symlink_to(ROOT / "examples")
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setenv("COLUMNS", "200")
        # No browser, and nobody who would press Ctrl-C: the page is fetched once instead.
        monkeypatch.setattr(ViewServer, "wait", lambda server: fetch(server.url))
        started = SimpleNamespace(Popen=_Looked, DEVNULL=None)
        monkeypatch.setattr(viewing, "subprocess", started)
        module = ModuleType("page_of_the_documentation")  # compiled laws look for the module that they are from
        monkeypatch.setitem(sys.modules, module.__name__, module)
        self.names = vars(module)

    def run(self, page: Path, block: Block) -> None:
        """Do what a block says."""
        place = f"{page.name}, line {block.line}"
        for command in block.values("before"):
            for words in commands(command):
                self.call(words, place)
        for name in block.values("file"):
            Path(name).write_text(block.text, encoding="utf-8")
        for name in block.values("append"):
            with open(name, "a", encoding="utf-8") as file:
                file.write("\n" + block.text)
        if block.values("not run"):
            return
        if block.kind == "python":
            code = "\n" * block.line + block.text  # so that errors name the line of the page
            exec(compile(code, str(page), "exec", dont_inherit=True), self.names)
        elif block.kind == "bash":
            for words in commands(block.text):
                if words[0] != "trundle":
                    check_other(words)
                elif block.values("options only"):
                    check_options(words)
                else:
                    quick = shlex.split(" ".join(block.values("quick"))) if words[1] == "run" else []
                    self.call(words + quick, place)

    def call(self, words: list[str], place: str) -> None:
        """Run a command of trundle."""
        result = CliRunner().invoke(app, expanded(words[1:]))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, f"{place}: {shlex.join(words)}\n{result.output}"


class _Looked:
    """In the place of `trundle view` in a process of its own: looks at the page as soon as it is waited for."""

    def __init__(self, command: list[str], **_: Any) -> None:
        self.path = command[-1]

    def wait(self) -> None:
        with ViewServer(self.path) as server:
            fetch(server.url)

    def terminate(self) -> None:
        """There is no process."""


def fetch(url: str) -> None:
    """Ask for the page and for its first frame."""
    for address in (url, f"{url}api/head", f"{url}api/frame/0"):
        with urllib.request.urlopen(address) as answer:
            assert answer.status == 200
