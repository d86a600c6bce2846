"""A library of contact problems in a folder: made, completed where it was left, catalogued, checked.

from pathlib import Path
from trundle.problems import library

library.make(Path("problems"), count=40)
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from trundle import checked, output
from trundle.errors import ProblemError, TrundleError, whole
from trundle.problems import plan
from trundle.problems.making import COLUMNS, Facts, as_row, certify, check_file, make_run, read_facts

CATALOGUE = "catalogue.csv"
Told = Callable[[str, int, int], object]  # what was done last, pieces of work done and in all


@dataclass(frozen=True)
class Library:
    """Facts of the problems of a folder by number, and what went wrong with those that are missing."""

    folder: Path
    facts: list[Facts]
    errors: list[str]

    def share(self, solution: str = "certified") -> float:
        """Share of the problems whose solution is of this kind."""
        return sum(one.solution == solution for one in self.facts) / max(len(self.facts), 1)


def make(
    folder: str | Path, count: int = 500, seed: int = 0, *, certificates: bool = True, again: bool = False, workers: int = 1,
    progress: Told | None = None,
) -> Library:  # fmt: skip
    """Make the first `count` problems of the plan in a folder, those that are not there yet, and write the catalogue.

    The same count, seed and version give the same problems.  Files are written whole: after Ctrl-C the same call goes on.

    certificates : solve every problem to 1e-12, and store solution and modes where that succeeds
    again : also where it did not succeed before
    workers : processes
    progress : called with what was done, and how many pieces of work of how many are done
    """
    folder = output.file_path("problems: folder", folder)
    checked.flag(ProblemError, "certificates", certificates)
    checked.flag(ProblemError, "again", again)
    entries = plan.plan(count, seed)
    _check_seed(folder, entries)
    output.make_folder(folder, f"-o {folder}")
    files = [folder / entry.file_name for entry in entries]
    groups = [group for group in plan.runs(entries) if any(not (folder / entry.file_name).exists() for entry in group)]
    total = len(groups) + (len(files) if certificates else 0)
    done, errors = 0, []
    with _Workers(workers) as pool:
        stages: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
            (make_run, [(group, folder) for group in groups])
        ]
        if certificates:
            stages.append((_certify_if_there, [(file, again) for file in files]))
        for work, arguments in stages:
            for what, error in pool.do(work, arguments):
                done += 1
                if error:
                    errors.append(error)
                if progress is not None:
                    progress(what, done, total)
    facts = [read_facts(file) for file in files if file.exists()]
    write_catalogue(facts, folder)
    return Library(folder, facts, errors)


def _check_seed(folder: Path, entries: Sequence[plan.Entry]) -> None:
    """Raise if the folder holds problems of another seed."""
    for entry in entries:
        file = folder / entry.file_name
        if file.exists():
            found = read_facts(file).seed
            if found != entry.seed:
                raise ProblemError(
                    f"{folder}: has problems of seed {found}, not {entry.seed}. Choose another folder, or --seed {found}."
                )
            return


def _certify_if_there(path: Path, again: bool) -> None:
    if path.exists():
        certify(path, again)


def files_of(folder: str | Path) -> list[Path]:
    """The files of a library, in the order of their numbers."""
    folder = output.file_path("problems: folder", folder)
    if not folder.is_dir():
        raise ProblemError(f"{folder}: there is no such folder. `trundle problems make -o {folder}` makes it.")
    found = sorted(folder.glob("[0-9][0-9][0-9][0-9]*-*.hdf5"))
    if not found:
        raise ProblemError(f"{folder}: has no problems of a library. `trundle problems make -o {folder}` makes some.")
    return found


def load(folder: str | Path) -> Library:
    """The library of a folder."""
    files = files_of(folder)
    return Library(Path(folder), [read_facts(file) for file in files], [])


def check(folder: str | Path) -> Iterator[tuple[Path, list[str]]]:
    """Compute the certificates of a library anew: its files, and what is wrong with each."""
    for file in files_of(folder):
        try:
            yield file, check_file(file)
        except TrundleError as error:
            yield file, [str(error)]


def write_catalogue(facts: Sequence[Facts], folder: Path) -> Path:
    """One row per problem; see `Facts` for the columns."""
    path = folder / CATALOGUE
    with output.writing(path, newline="") as stream:
        writer = csv.DictWriter(stream, ("file", *COLUMNS))
        writer.writeheader()
        writer.writerows(as_row(one) for one in facts)
    return path


class _Workers:
    """Calls in this process, or in several at once."""

    def __init__(self, count: int) -> None:
        most = os.cpu_count() or 1
        if not whole(count) or not 1 <= count <= most:
            raise ProblemError(
                f"problems: workers = {count!r} must lie between 1 and {most}, the cores of this machine."
            )
        self._pool = ProcessPoolExecutor(count, mp_context=get_context("spawn")) if count > 1 else None
        self._ahead = 2 * count

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def do(self, work: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, str]]:
        """Call it with all arguments: what each call was about, and its error or ""."""
        if self._pool is None:
            for given in arguments:
                yield _name(given), _call(work, given)
            return
        waiting: dict[Future[str], str] = {}
        left = list(reversed(arguments))
        while left or waiting:
            while left and len(waiting) < self._ahead:
                given = left.pop()
                waiting[self._pool.submit(_call, work, given)] = _name(given)
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()


def _name(given: tuple[Any, ...]) -> str:
    first = given[0]
    return first.name if isinstance(first, Path) else f"{first[0].family}, {first[0].contacts} contacts"


def _call(work: Callable[..., Any], given: tuple[Any, ...]) -> str:
    try:
        work(*given)
    except TrundleError as error:
        return f"{_name(given)}: {error}"
    return ""
