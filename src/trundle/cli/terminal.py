"""What the commands share with the terminal: where text goes, progress, errors and Ctrl-C."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from trundle import display, errors, interrupts
from trundle import output as outputs
from trundle.cli.help import print_error
from trundle.errors import TrundleWarning
from trundle.output import clean

CONVERGED, NOT_CONVERGED, BAD_INPUT = errors.DONE, errors.NOT_CONVERGED, errors.BAD_INPUT
PATIENCE = 2.0  # seconds without a sign of life that a user does not mind
PIPED_WIDTH = 200  # characters; a table in a file or pipe need not be squeezed into 80

Update = Callable[[int, float], None]


class CleanConsole(Console):
    """A terminal that control characters of names do not reach."""

    def render_str(self, text: str, **options: Any) -> Any:
        """A text with markup as rich shows it."""
        return super().render_str(clean(text), **options)


def output() -> Console:
    """Where results go."""
    console = CleanConsole(highlight=False)
    return console if console.is_terminal else CleanConsole(highlight=False, width=PIPED_WIDTH)


def messages() -> Console:
    """Where progress, errors and warnings go."""
    return CleanConsole(stderr=True, highlight=False)


def say(text: object, err: bool = False) -> None:
    """Write a line."""
    typer.echo(clean(text), err=err)


@contextmanager
def warnings_told() -> Iterator[None]:
    """Warnings of what is done within it go to stderr, one by one, at its end."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", TrundleWarning)
        yield
    print_warnings([str(one.message) for one in caught if issubclass(one.category, TrundleWarning)])


def print_warnings(texts: list[str]) -> None:
    """Warnings to stderr, one by one."""
    for text in texts:
        messages().print(f"[yellow]warning:[/] {escape(text)}", soft_wrap=True)


def stop_unless(condition: bool, message: str) -> None:
    """End the command with a message and exit code 2, unless the condition holds."""
    if not condition:
        print_error(message)
        raise typer.Exit(BAD_INPUT)


def make_folder(folder: Path, option: str) -> None:
    """Make a folder for results, or say at once, not after the work, that there can be none."""
    outputs.make_folder(folder, f"{option} {folder}")


def plain_table(*columns: str, right: Sequence[str] = ()) -> Table:
    """A table with a rule under its head; names in the first column stay whole, those in `right` are aligned there."""
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False, padding=(0, 1))
    for i, name in enumerate(columns):
        table.add_column(name, justify="right" if name in right else "left", overflow="fold", no_wrap=i == 0)
    return table


def short_names(paths: Sequence[str]) -> dict[str, str]:
    """File names for a table: without folders, or with as many as it takes to tell them apart."""
    depth = 1
    distinct = list(dict.fromkeys(paths))
    longest = max((len(Path(path).parts) for path in distinct), default=1)
    while True:
        names = ["/".join(Path(path).parts[-depth:]) for path in distinct]
        if len(set(names)) == len(distinct) or depth >= longest:
            return dict(zip(distinct, names, strict=True))
        depth += 1


class Interruption(interrupts.Wish):
    """Within it, Ctrl-C raises KeyboardInterrupt, which a solve survives, and is remembered in `requested`."""

    def __init__(self) -> None:
        super().__init__(raises=True)

    @property
    def requested(self) -> bool:
        """Whether someone wants it to end."""
        return bool(self)

    def __enter__(self) -> Interruption:
        super().__enter__()
        return self

    def __exit__(self, kind: Any = None, error: Any = None, trace: Any = None) -> bool:
        super().__exit__(kind, error, trace)
        return self.requested and isinstance(error, KeyboardInterrupt)


class Activity:
    """A line on the terminal about work in progress, shown if it takes more than two seconds."""

    def __init__(self, total: int) -> None:
        self.done = 0
        self.total = total
        self._text = ""
        self._lock, self._hiding = threading.Lock(), ExitStack()
        self._updated = 0.0
        self._progress: Progress | None = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Activity:
        self._hiding.enter_context(display.hidden())
        if sys.stderr.isatty():
            self._timer = threading.Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._hiding.close()
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._progress is not None:
                self._progress.stop()
            self._timer = self._progress = None

    def _show(self) -> None:
        with self._lock:
            if self._timer is None:  # finished meanwhile
                return
            bar = (BarColumn(bar_width=24), MofNCompleteColumn()) if self.total > 1 else ()
            columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), *bar, TimeElapsedColumn())
            self._progress = Progress(*columns, console=messages(), transient=True)
            self._progress.add_task(self._text, total=self.total, completed=self.done)
            self._progress.start()

    def say(self, text: str) -> None:
        """Change the text."""
        self._text = text
        with self._lock:
            if self._progress is not None:
                task = self._progress.task_ids[0]
                self._progress.update(task, description=text, completed=self.done, total=self.total)

    def watch(self, name: str) -> Update:
        """A `progress` callback for `solve` that shows iterations and residual of the named solve."""
        self.say(name)

        def update(iterations: int, residual: float) -> None:
            now = time.perf_counter()
            if self._timer is not None and now - self._updated > 0.1:
                self._updated = now
                self.say(f"{name}: {iterations} iterations, residual {residual:.1e}")

        return update

    def finish_one(self) -> None:
        """Count one more piece of work as done."""
        self.done += 1
