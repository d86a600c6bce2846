"""Files that are complete or absent: written under another name, which is given up for the right one at the end."""

from __future__ import annotations

import contextlib
import errno
import multiprocessing
import os
import platform
import re
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from trundle.errors import DiskError, RecordingError, TrundleError

HERE = f"{zlib.crc32(platform.node().encode()):08x}"  # this machine, in names of files: others may share the folder
PART = re.compile(rf"\.{HERE}-([0-9]+)\.part(\.[^.]*)?$")
# what the system calls a disk that takes no more
FULL = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "your quota is used up: delete something, or ask for more",
    errno.EFBIG: "this system or `ulimit -f` allows no larger files here",
    errno.EROFS: "the disk can only be read: choose another folder",
    errno.EACCES: "you may not write there: choose another folder",
    errno.EPERM: "you may not write there: choose another folder",
    errno.EIO: "the disk reports errors: save what is on it",
    errno.EMFILE: "too many files are open: see `ulimit -n`",
    errno.ENFILE: "the system has too many open files",
    errno.ENOMEM: "allow more memory (`ulimit -v`)",
}
# limits of a process, which files meet that are read, too
LIMITS = {
    errno.EMFILE: "see `ulimit -n`",
    errno.ENFILE: "the system has too many open files",
    errno.ENOMEM: "allow more memory (`ulimit -v`)",
}
# lack of memory in the words of those who do not call it so: compiled code without a message, the loader of libraries, threads
UNMAPPED = ("failed to map segment", "annot allocate memory")
UNSAID: dict[type, tuple[str, ...]] = {
    SystemError: ("without",), ImportError: UNMAPPED, OSError: UNMAPPED, RuntimeError: ("start new thread",),
}  # fmt: skip
# errors that are about a name, not about a disk
NAMES = (errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.EINVAL)


def file_path(place: str, value: Any) -> Path:
    """The path of a file that a user names, or an error that says what is wrong with it."""
    if not isinstance(value, (str, os.PathLike)) or value in ("", b""):
        raise RecordingError(f"{place}: {value!r} is not the name of a file; give a text such as 'run.h5', or a Path.")
    try:
        path = Path(value)
        os.fsencode(path)
        if "\0" in str(path):
            raise ValueError("it contains a null character")
    except (TypeError, ValueError) as error:
        raise RecordingError(f"{place}: {value!r} is not the name of a file ({error}).") from None
    return path


def cannot_write(path: str | Path, error: OSError, after: str = "") -> RecordingError:
    """The error that says that, why, and what can be done: a `DiskError` where it is not the name that is wrong."""
    reason = error.strerror or (str(error).splitlines() or ["for no reason that the system tells"])[0]
    remedy = FULL.get(error.errno or 0, "")
    said = f"{path}: cannot be written ({reason})." + (f" Remedy: {remedy}." if remedy else "")
    return (RecordingError if error.errno in NAMES else DiskError)(f"{said} {after}".rstrip())


def refused_by_the_system(error: BaseException) -> TrundleError | None:
    """What the system has refused to a command: room, memory, a file; None if the error is of another kind."""
    if isinstance(error, MemoryError) or any(words in str(error) for words in UNSAID.get(type(error), ())):
        said = str(error) or "the system gives no more"
        return DiskError(f"out of memory ({said}). Use fewer bodies or frames, or allow more memory (`ulimit -v`).")
    if not isinstance(error, OSError) or isinstance(error, BrokenPipeError):
        return None
    if error.errno in LIMITS:
        return DiskError(f"{error.filename or 'the system'}: {os.strerror(error.errno)}: {LIMITS[error.errno]}.")
    if error.errno in FULL:
        return cannot_write(error.filename or "a file", error)
    return TrundleError(f"{error.filename or 'a file'}: {error.strerror or error}.")


def limit_behind(error: BaseException | None) -> str:
    """The limit of this process that is the cause of an error, in words; "" if there is none."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in LIMITS:
            return f"{os.strerror(error.errno or 0)}: {LIMITS[error.errno or 0]}."
        error = error.__cause__ or error.__context__
    return ""


def make_folder(folder: Path, place: str = "") -> None:
    """Make a folder to write to, or say at once, not after the work, that there can be none."""
    place = place or str(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno in FULL:
            raise cannot_write(place, error) from error
        raise RecordingError(f"{place}: cannot be made a folder ({error.strerror}).") from error
    if not os.access(folder, os.W_OK):
        raise cannot_write(place, OSError(errno.EACCES, os.strerror(errno.EACCES)))


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a matplotlib figure."""
    with beside(path) as unfinished:
        figure.savefig(unfinished, dpi=150)


def clean(text: object) -> str:
    """A text for a terminal: control characters, with which names could move the cursor or change its title, as \\x1b."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in str(text))


@cache
def say_code(name: str, where: str) -> None:
    """Tell, the first time in a command or program, that a file names Python code, before it runs."""
    if multiprocessing.parent_process() is None:  # not once more for each worker
        print(clean(f"trundle: {name} names Python code, which runs now: {where}"), file=sys.stderr, flush=True)


def cell(text: str) -> str:
    """A text for a table that a spreadsheet or a terminal may show: none that begins as a formula does, or moves the cursor."""
    text = clean(text)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def part_of(path: Path) -> Path:
    """Name of a file on its way to `path`, in the same folder; its ending is that of `path`, for those who look at it."""
    if not path.name:
        raise RecordingError(f"{str(path)!r} is a folder; give the name of a file.")
    return path.with_name(f".{path.name}.{HERE}-{os.getpid()}.part{path.suffix}")


def remove_stale_parts(path: Path) -> None:
    """Remove what processes of this machine that are gone have left of a file."""
    with contextlib.suppress(OSError):
        for other in path.parent.glob(f".{_literal(path.name)}.{HERE}-*.part*"):
            found = PART.search(other.name)
            if found and not _alive(int(found.group(1))):
                other.unlink(missing_ok=True)


def _literal(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


def _alive(process: int) -> bool:
    if process == os.getpid():
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # another user's, or no process at all
        return True
    return True


def discard(path: Path) -> None:
    """Remove a file, if that is possible: what is wrong with the disk was said already."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def beside(path: str | Path) -> Iterator[Path]:
    """A path to write to, which takes the name `path` if all goes well, and is removed if not."""
    path = Path(path)
    if path.is_dir():
        raise RecordingError(f"{str(path)!r} is a folder; give the name of a file.")
    unfinished = part_of(path)
    remove_stale_parts(path)
    try:
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        discard(unfinished)


@contextlib.contextmanager
def writing(path: str | Path, **options: Any) -> Iterator[TextIO]:
    """A stream of text whose file takes its name at the end."""
    with beside(path) as unfinished, open(unfinished, "w", encoding="utf-8", **options) as stream:
        yield stream
