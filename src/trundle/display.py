"""Whether a line about work in progress may be shown, and such a line for a solve."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

DELAY = 2.0  # seconds that nothing is shown
REFRESH = 0.1  # seconds between two looks
_hidden = 0  # others that show lines of their own


@contextmanager
def hidden() -> Iterator[None]:
    """No lines within it: something else shows how far the work is."""
    global _hidden
    _hidden += 1
    try:
        yield
    finally:
        _hidden -= 1


def in_notebook() -> bool:
    """Whether Python is the kernel of a notebook."""
    IPython = sys.modules.get("IPython")
    shell = IPython.get_ipython() if IPython is not None else None
    return getattr(shell, "kernel", None) is not None


def wanted() -> bool:
    """Whether this is the main process, and nothing else shows how far the work is."""
    workers = sys.modules.get("multiprocessing.process")
    return not _hidden and (workers is None or workers.parent_process() is None)


def allowed() -> bool:
    """Whether a line is `wanted`, and there is a terminal or a notebook to show it in."""
    return wanted() and (in_notebook() or sys.stderr.isatty())


class SolveLine:
    """Iterations and residual of a solve that takes longer than `DELAY`, shown where `allowed`; gone when it is over.

    A `progress` function of `solve`: it needs no thread, so that short solves cost nothing.
    """

    def __init__(self) -> None:
        self._began = self._last = time.perf_counter()
        self._status: Any = None
        self._off = False

    def __call__(self, iterations: int, residual: float) -> None:
        now = time.perf_counter()
        if self._off or now - self._began < DELAY or now - self._last < REFRESH:
            return
        self._last = now
        text = f"{iterations:,} iterations, residual {residual:.1e}, {now - self._began:.0f} s"
        if self._status is None:
            if not allowed() or threading.current_thread() is not threading.main_thread():
                self._off = True
                return
            self._status = _CellStatus() if in_notebook() else _terminal_status()
            self._status.start()
        self._status.update(text)

    def close(self) -> None:
        """Take the line away."""
        if self._status is not None:
            self._status.stop()


def _terminal_status() -> Any:
    from rich.console import Console

    return Console(stderr=True).status("")


class _CellStatus:
    """A line below the cell of a notebook."""

    def start(self) -> None:
        """Show it."""
        from IPython.display import HTML, display

        self._html, self._handle = HTML, display(HTML(""), display_id=True)

    def update(self, text: str) -> None:
        """Change it."""
        self._handle.update(self._html(text))

    def stop(self) -> None:
        """Take it away."""
        self._handle.update(self._html(""))
