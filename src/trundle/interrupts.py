"""Signals that ask a process to end: Ctrl-C (SIGINT), SIGTERM of batch systems, SIGHUP of a closed terminal.

The command line takes them from its first line on (`take_over`); a run of steps looks at them between steps (`Wish`); what must
not be torn apart holds them back (`held_back`).  The first one ends in order, the second one at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
NAMES = {"SIGINT": "interrupted", "SIGTERM": "terminated (SIGTERM)", "SIGHUP": "the terminal was closed (SIGHUP)"}

received: int | None = None  # the signal that asked the command line to end
_passing = 0  # whether runs that were cut short are errors


def in_words(number: int | None) -> str:
    """What a signal has done."""
    return NAMES[signal.Signals(number or signal.SIGINT).name]


def exit_code() -> int:
    """Of a command that a signal has ended."""
    return 128 + (received or int(signal.SIGINT))


def _ours() -> bool:
    return threading.current_thread() is threading.main_thread()


def _set(handler: Any, signals: tuple[int, ...] = SIGNALS) -> dict[int, Any]:
    """Set a handler for signals that are not ignored, as they are under nohup; returns the former ones."""
    former = {}
    for number in signals:
        before = signal.getsignal(number)
        if before not in (signal.SIG_IGN, None):  # None: not set from Python
            former[number] = signal.signal(number, handler)
    return former


def _restore(former: dict[int, Any]) -> None:
    for number, handler in former.items():
        signal.signal(number, handler)


# --- the command line -------------------------------------------------------------------------------


def is_command() -> bool:
    """Whether this process is the command `trundle`, and not a program that imports it, or a worker of one."""
    workers = sys.modules.get("multiprocessing.process")
    if workers is not None and workers.parent_process() is not None:
        return False
    name = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""
    module = any(a == "-m" and b.split(".")[0] == "trundle" for a, b in pairwise(sys.orig_argv))
    return name in ("trundle", "trundle.exe") or (name == "-m" and module)


def _end_at_once(number: int, *_: object) -> None:
    """While nothing is done yet that could be lost."""
    os.write(2, f"{in_words(number)}\n".encode())
    os._exit(128 + number)


def _first(number: int, *_: object) -> None:
    """The first signal ends in order."""
    remember(number, command=True)
    raise KeyboardInterrupt


def remember(number: int, command: bool) -> None:
    """Note the signal that ends a command; a second one has the effect that the system gives it."""
    global received
    received = number
    if command:
        _set(signal.SIG_DFL)


def take_over(begun: bool) -> None:
    """Let signals end this process in order, as `KeyboardInterrupt`; before work has begun, at once."""
    if _ours():
        _set(_first if begun else _end_at_once)


# --- runs -------------------------------------------------------------------------------------------


@contextlib.contextmanager
def let_through() -> Iterator[None]:
    """Within it a run that a signal cuts short raises KeyboardInterrupt: its result is not one."""
    global _passing
    _passing += 1
    try:
        yield
    finally:
        _passing -= 1


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Within it a run that a signal cuts short is returned, and says so: for the command that shows it."""
    global _passing
    before, _passing = _passing, 0
    try:
        yield
    finally:
        _passing = before


def passing() -> bool:
    """Whether runs that were cut short are errors."""
    return _passing > 0


class Wish:
    """Within it a signal only sets `number`, which the loop checks after every step; the second one raises KeyboardInterrupt, or
    ends a command.

    raises : the first one raises KeyboardInterrupt, too, for work that survives it.  A program that has its own handlers for
    SIGTERM or SIGHUP keeps them.
    """

    def __init__(self, raises: bool = False) -> None:
        self._raises = raises
        self.number: int | None = None
        self._former: dict[int, Any] = {}
        self._command = False

    def __bool__(self) -> bool:
        return self.number is not None

    def make(self) -> None:
        """What Ctrl-C does."""
        self.number = self.number or int(signal.SIGINT)

    def _handle(self, number: int, *_: object) -> None:
        if self.number is not None:
            raise KeyboardInterrupt
        self.number = number
        if self._command:
            remember(number, command=True)
        if self._raises:
            raise KeyboardInterrupt

    def __enter__(self) -> Wish:
        if _ours():
            # jobs in the background of a script ignore SIGINT, and are commands all the same
            self._command = _first in map(signal.getsignal, SIGNALS)
            ended = (signal.SIG_DFL, signal.default_int_handler, _first)
            wanted = tuple(n for n in SIGNALS if n == signal.SIGINT or signal.getsignal(n) in ended)
            self._former = _set(self._handle, wanted)
        return self

    def __exit__(self, kind: Any = None, error: Any = None, trace: Any = None) -> bool | None:
        if not (self._command and self.number is not None):
            _restore(self._former)
        if self.number not in (None, int(signal.SIGINT)) and not self._command:
            signal.raise_signal(self.number)  # what the program would have done with it
        return None


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Signals wait until the end of it: HDF5 must not be interrupted while it writes."""
    if not _ours():
        yield
        return
    came: list[int] = []
    former = _set(lambda number, _: came.append(number))
    try:
        yield
    finally:
        _restore(former)
        for number in dict.fromkeys(came):
            signal.raise_signal(number)
