"""A line that shows how far a run is."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from trundle.checked import shown
from trundle.display import DELAY, REFRESH, allowed, in_notebook, wanted
from trundle.errors import SceneError
from trundle.scene.model import State
from trundle.step.report import STORED, StepReport, StepRows

PER_LINE = 60.0  # seconds between two lines where they are kept, as in the log of a batch system
Progress = Callable[[StepReport, State], object]


def check_progress(progress: object) -> None:
    """Raise unless it is a function, True, False or None."""
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise SceneError(f"progress = {shown(progress)} must be True, False or a function of (report, state).")


class _CellLine:
    """A line below the cell of a notebook; it is gone when the run is over."""

    def __init__(self) -> None:
        from IPython.display import HTML, display

        self._html, self._began = HTML, time.perf_counter()
        self._handle = display(HTML("the first step: kernels are compiled on first use"), display_id=True)

    def update(self, _: Any, *, total: float, completed: float, description: str, text: str) -> None:
        """Show how far the run is."""
        share = completed / total
        left = (time.perf_counter() - self._began) * (1.0 - share) / max(share, 1e-9)
        bar = f'<progress value="{share:.4f}"></progress>'
        self._handle.update(self._html(f"{bar} {description} &nbsp; {text} &nbsp; about {left:.0f} s left"))

    def stop(self) -> None:
        """Take the line away."""
        self._handle.update(self._html(""))


class _LogLine:
    """A line on stderr every minute, where it is not a terminal."""

    def __init__(self) -> None:
        self._began = self._said = time.perf_counter()

    def update(self, _: Any, *, total: float, completed: float, description: str, text: str) -> None:
        """Say how far the run is, once a minute."""
        now = time.perf_counter()
        if now - self._said < PER_LINE:
            return
        self._said = now
        left = (now - self._began) * (total / completed - 1.0) if completed > 0.0 else float("inf")
        print(f"{description}  {text}  about {left:.0f} s left", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Nothing to take away."""


class ProgressLine:
    """Time, contacts, residual, energy and time left, if it takes longer than `DELAY`: on stderr if that is a terminal, or
    below the cell of a notebook.  Elsewhere a line a minute.
    """

    def __init__(self, end: float) -> None:
        """end: simulated time at which the run is over [s]."""
        self._end = end
        self._last = 0.0
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._bar: Any = None
        self._task: Any = None
        self._over = False

    def __enter__(self) -> ProgressLine:
        if allowed():
            self._timer = threading.Timer(DELAY, self._show)
            self._timer.daemon = True
            self._timer.start()
        elif wanted():
            self._bar = _LogLine()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over = True
            if self._timer is not None:
                self._timer.cancel()
            if self._bar is not None:
                self._bar.stop()

    def _show(self) -> None:
        if in_notebook():
            with self._lock:
                self._bar = None if self._over else _CellLine()
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        with self._lock:
            if self._over:
                return
            self._bar = Progress(
                TextColumn("{task.description}", markup=False), BarColumn(bar_width=24), TextColumn("{task.fields[text]}"),
                TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(compact=True), console=Console(stderr=True),
                transient=True,
            )  # fmt: skip
            text = "kernels are compiled on first use"
            self._task = self._bar.add_task("the first step", total=None, text=text)
            self._bar.start()

    def update(self, rows: StepRows, state: State) -> None:
        """Show the last of some steps."""
        now = time.perf_counter()
        if self._bar is None or now - self._last < REFRESH:
            return
        self._last = now
        row = rows[-1]
        energy = sum(float(row[name]) for name in STORED)
        solved = f"residual {row['residual']:.1e}  " if row["residual"] > 0.0 else ""
        text = f"contacts {row['contacts']:,}  {solved}energy {energy:.4g} J"
        description = f"t = {state.time:.4g} of {self._end:g} s"
        self._bar.update(self._task, total=self._end, completed=state.time, description=description, text=text)
