"""Where compiled kernels are kept: a folder per kernel file and state of its sources.

numba looks at the file of a kernel alone, not at those it calls, so that after an update it might run old code with new
data.  Here the folder's name is a digest of the file and of all files of this package that it imports, directly or not: an edit
compiles again what depends on it and nothing else, and checkouts with the same sources share their kernels.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path

from numba import config
from numba.core.caching import _CacheLocator, _SourceFileBackedLocatorMixin

from trundle import kernel_pack

PACKAGE = Path(__file__).parent
KEPT = 4  # folders of other states of a file that are left alone, the newest ones
OTHERS = "UserProvidedCacheLocator,InTreeCacheLocator,UserWideCacheLocator,IPythonCacheLocator,ZipCacheLocator"


# "from some.room import a, b as c", the names perhaps in parentheses, or "import some.room"; a parser is slow
FROM = re.compile(rb"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
IMPORT = re.compile(rb"^[ \t]*import[ \t]+([^\n]*)", re.MULTILINE)
COMMENT = re.compile(rb"#[^\n]*")
NAME = re.compile(rb"[\w.]+")

READY: set[Path] = set()  # folders that this process has looked at


@cache
def _imported(text: bytes, package: Path) -> set[Path]:
    """Files of the package that a file with this text imports."""
    text = COMMENT.sub(b"", text)
    names = [name for line in IMPORT.findall(text) for name in NAME.findall(line)]
    for module, imported in FROM.findall(text):
        names += [module, *(module + b"." + name for name in NAME.findall(imported))]
    found = set()
    for name in names:
        head, *rest = name.decode().split(".")
        if head == package.name and rest:
            found.add(package.joinpath(*rest).with_suffix(".py"))
    return {path for path in found if path.is_file()}


@cache
def _text(file: Path) -> bytes:
    """A file as it was when this process first asked: kernels must not be kept under what was written after they were loaded."""
    return file.read_bytes()


@cache
def source_digest(file: Path, package: Path = PACKAGE) -> str:
    """A digest of a kernel file and of all files that it imports, directly or not."""
    texts: dict[Path, bytes] = {}
    todo = [file]
    while todo:
        one = todo.pop()
        if one not in texts:
            texts[one] = _text(one)
            todo += _imported(texts[one], package)
    digest = hashlib.sha256()
    for one in sorted(texts):
        digest.update(one.relative_to(package).as_posix().encode() + b"\0" + texts[one])
    return digest.hexdigest()[:16]


def user_folder() -> Path:
    """The user's folder for compiled kernels: NUMBA_CACHE_DIR, or the one for caches."""
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "trundle" / "kernels"


def _is_private(folder: Path) -> bool:
    """Make a folder in a place that others share, for this user alone; False if somebody else made one there.

    Compiled kernels are unpickled from it: whoever can write there can run code as this user.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        pass
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    found = folder.lstat()
    ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return ours and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _remove_old(folder: Path) -> None:
    """Remove all but the newest folders of other states of a file."""
    stem = folder.name.rsplit("-", 1)[0]
    others = [other for other in folder.parent.glob(f"{stem}-*") if other != folder]
    for other in sorted(others, key=lambda f: f.stat().st_mtime, reverse=True)[KEPT:]:
        shutil.rmtree(other, ignore_errors=True)


class KernelLocator(_SourceFileBackedLocatorMixin, _CacheLocator):
    """Tells numba where the kernels of a file of this package are kept."""

    def __init__(self, function, file, base):  # type: ignore[no-untyped-def]
        self._lineno = function.__code__.co_firstlineno
        self._digest = source_digest(file)
        name = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
        self._folder = base / f"{name}-{self._digest}"

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """What the kernels were compiled from."""
        return self._digest

    @classmethod
    def from_function(cls, function, file):  # type: ignore[no-untyped-def]
        """The locator of a function, or None if it is not of this package or no folder can be written to."""
        path = Path(file)
        if PACKAGE not in path.parents:
            return None
        spare = Path(tempfile.gettempdir()) / f"trundle-{os.getuid() if hasattr(os, 'getuid') else 0}"
        for base in (user_folder(), spare):
            if base == spare and not _is_private(spare):
                continue
            locator = cls(function, path, base)
            if locator._is_ready():
                return locator
        return None

    def _is_ready(self) -> bool:
        """Make the folder where it is new, with what a wheel brought for it; False if it cannot be written to."""
        if self._folder in READY:
            return True
        try:
            new = not self._folder.is_dir()
            self.ensure_cache_path()  # writes a file to try, which is slow for hundreds of kernels
        except OSError:
            return False
        if new:
            kernel_pack.unpack(self._folder)
            _remove_old(self._folder)
        READY.add(self._folder)
        return True


def install() -> None:
    """Let numba ask `KernelLocator` first; before any kernel is imported."""
    kernel_pack.choose_target()
    if not config.CACHE_LOCATOR_CLASSES:
        config.CACHE_LOCATOR_CLASSES = f"{__name__}.{KernelLocator.__name__},{OTHERS}"
