"""An HDF5 file that can be opened at any moment of its being written, also after the writer was killed.

HDF5's single-writer mode (SWMR) orders its writes so that whatever is in the file refers only to what is there already.
It also marks the file as being written, and after a kill that mark would keep everyone from opening it.  All writes of
the library go through `StoreFile`, which lets no mark reach the disk and never lets the file be shorter than its
superblock says.  `tests/record/test_store.py` replays the writes one by one and opens the file after each of them.
"""

from __future__ import annotations

import errno
import io
import os
import struct
import sys
from pathlib import Path
from typing import Any

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SUPERBLOCK = 48  # bytes of a superblock of version 3 with 8-byte addresses
FLAGS, END_OF_FILE, CHECKSUM = 11, 28, 44  # where these are in it
WORD = 0xFFFFFFFF
LOCKED_BYTE = 1 << 62  # far behind any data; locked while a run writes


def _rotate(x: int, k: int) -> int:
    return ((x << k) | (x >> (32 - k))) & WORD


def checksum(data: bytes) -> int:
    """Checksum of HDF5's metadata: lookup3 of Bob Jenkins (2006)."""
    v = [(0xDEADBEEF + len(data)) & WORD] * 3
    last = max(0, (len(data) - 1) // 12 * 12)
    for start in range(0, last + 1, 12):
        words = struct.unpack("<3I", data[start : start + 12].ljust(12, b"\0"))
        v = [(x + word) & WORD for x, word in zip(v, words, strict=True)]
        if start < last:
            for i, k in enumerate((4, 6, 8, 16, 19, 4)):
                x, y, z = i % 3, (i + 1) % 3, (i + 2) % 3
                v[x] = ((v[x] - v[z]) & WORD) ^ _rotate(v[z], k)
                v[z] = (v[z] + v[y]) & WORD
    if data:
        for i, k in enumerate((14, 11, 25, 16, 4, 14, 24)):
            x, y = (i + 2) % 3, (i + 1) % 3
            v[x] = ((v[x] ^ v[y]) - _rotate(v[y], k)) & WORD
    return v[2]


def unmarked(superblock: bytes) -> bytes:
    """The same superblock of a file that nobody writes to."""
    head = superblock[:FLAGS] + b"\0" + superblock[FLAGS + 1 : CHECKSUM]
    return head + struct.pack("<I", checksum(head))


def is_superblock(data: bytes) -> bool:
    """Whether these bytes begin an HDF5 file of the version that `StoreFile` is for."""
    return len(data) >= SUPERBLOCK and data[:8] == SIGNATURE and data[8] == 3 and data[9] == 8


class StoreFile(io.FileIO):
    """What h5py writes through, as in ``h5py.File(StoreFile(path, "r+"), "r+", libver="latest")``.

    failure: why a write failed.  From then on nothing is written, and HDF5, which may crash if it cannot write, is told that
    everything was: the file stays as a kill at that moment would have left it.  Who writes asks for `failure` afterwards.
    """

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        """Write all of the data; HDF5 does not ask how much was written."""
        piece = memoryview(data).cast("B")
        if self.failure is not None:
            return len(piece)
        try:
            return self._write(piece)
        except OSError as error:
            self.failure = error
            return len(piece)

    def _write(self, piece: memoryview) -> int:
        if self.tell() == 0 and is_superblock(start := bytes(piece[:SUPERBLOCK])):
            (end,) = struct.unpack_from("<Q", start, END_OF_FILE)
            if os.fstat(self.fileno()).st_size < end:
                os.truncate(self.fileno(), end)  # a file shorter than its superblock says does not open
            piece = memoryview(unmarked(start) + bytes(piece[SUPERBLOCK:]))
        done = 0
        while done < len(piece):
            done += super().write(piece[done:]) or 0
        return done

    def put(self, offset: int, data: bytes) -> None:
        """Write behind HDF5's back, into a dataset that it only reads: a few bytes, which are there or not."""
        here = self.tell()
        self.seek(offset)
        self.write(data)
        self.seek(here)

    def truncate(self, size: int | None = None) -> int:
        """Cut the file where HDF5 says that it ends; its superblock, which HDF5 need not have written, says so first."""
        if size is not None:
            self._set_end(size, at_most=True)
        if self.failure is None:
            try:
                return super().truncate(size)
            except OSError as error:
                self.failure = error
        return size or 0

    def reserve(self, size: int) -> None:
        """Let the file end `size` bytes later until HDF5 says where: it refers to new space before it says that.

        The bytes are a hole that takes no room on the disk.
        """
        self._set_end(os.fstat(self.fileno()).st_size + size)

    def _set_end(self, end: int, at_most: bool = False) -> None:
        """Change the end of the file in the superblock."""
        here = self.tell()
        self.seek(0)
        start = self.read(SUPERBLOCK)
        if is_superblock(start) and not (at_most and struct.unpack_from("<Q", start, END_OF_FILE)[0] <= end):
            self.seek(0)
            self.write(start[:END_OF_FILE] + struct.pack("<Q", end) + start[END_OF_FILE + 8 :])
        self.seek(here)

    def lock(self) -> bool:
        """Take the file for this run; False if another one has it, in this process or elsewhere.  Readers are not kept out."""
        try:
            import fcntl
        except ImportError:  # no such locks here: two runs into one file are then the user's affair
            return True
        try:
            if sys.platform == "linux":  # of this opening of the file: others of this process would end a lock of lockf
                fcntl.fcntl(self.fileno(), fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, LOCKED_BYTE, 1, 0))
            else:
                fcntl.lockf(self.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, LOCKED_BYTE)
        except OSError as error:
            return error.errno not in (errno.EAGAIN, errno.EACCES)  # others: there are no locks on this disk
        return True

    def check_there(self) -> None:
        """Fail where the file was deleted: what is written to it then is lost."""
        if self.failure is None and os.fstat(self.fileno()).st_nlink == 0:
            self.failure = OSError(errno.ESTALE, "it was deleted or replaced while the run was writing to it")


def in_use(path: Path) -> bool:
    """Whether a run is writing to a recording."""
    try:
        with StoreFile(path, "r+") as file:
            return not file.lock()
    except OSError:  # not ours to write to: nor is it anybody's run
        return False
