"""Checksums of a recording: CRC-32 of every dataset in every frame, and of every step.

HDF5 checks its own tables, but not the numbers.  A checksum per frame, not per chunk of HDF5: chunks are rewritten as they
fill, and a kill in between would leave one that is wrong.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FRAMES, STEPS, FIXED, OPTIONS = "checksums/frames", "checksums/steps", "checksums/fixed", "checksums/options"
# columns that hold nothing but HDF5's fill value 0, and take no room
EMPTY = ("VTKHDF/Steps/CellOffsets", "VTKHDF/Lines/NumberOfCells")
STEP_COLUMNS = ("steps", "energy")
FIXED_SETS = ("scene", "bodies", "shapes", "modes", "joints/list", "constraints/list")

Columns = Mapping[str, tuple[str, tuple[int, ...], Any]]


def frame_columns(columns: Columns) -> list[str]:
    """Datasets that have a checksum for every frame, in the order of /checksums/frames."""
    return [
        name for name, (belongs, *_) in columns.items()
        if belongs != "steps" and name not in EMPTY and not name.startswith("checksums/")
    ]  # fmt: skip


def crc(values: Any) -> int:
    """CRC-32 of bytes, or of the bytes of an array."""
    return zlib.crc32(values if isinstance(values, bytes) else np.ascontiguousarray(values).tobytes())


def crcs(rows: NDArray[Any], counts: Iterable[int]) -> NDArray[np.uint32]:
    """CRC-32 of one piece of rows after the other; counts: number of rows of each piece."""
    data: Any = b""
    if rows.size:
        data = memoryview(np.ascontiguousarray(rows).reshape(len(rows), -1).view(np.uint8).reshape(-1).data)
    width, start, found = rows.nbytes // max(len(rows), 1), 0, []
    for count in counts:
        stop = start + int(count) * width
        found.append(zlib.crc32(data[start:stop]))
        start = stop
    return np.array(found, np.uint32)


# --- commits ------------------------------------------------------------------------------------------
# a row: serial number, rows that count, length of the checkpoint, its checksum, checksum of what stands before

COMMIT_WIDTH = 8


def commit_row(serial: int, counts: Sequence[int], checkpoint: bytes) -> NDArray[np.int64]:
    """A row of /checkpoint/commits."""
    row = np.array([serial, *counts, len(checkpoint), crc(checkpoint), 0], "<i8")
    row[-1] = crc(row[:-1])
    return row


def is_commit(row: NDArray[np.int64]) -> bool:
    """Whether a row of /checkpoint/commits is as it was written."""
    return len(row) == COMMIT_WIDTH and int(row[-1]) == crc(row[:-1].astype("<i8"))


# --- lines --------------------------------------------------------------------------------------------


def line_of(table: Mapping[str, Any]) -> bytes:
    """A table as a line of JSON behind its checksum."""
    text = json.dumps(table, sort_keys=True).encode()
    return b"%08x %s\n" % (crc(text), text)


def table_of(line: bytes) -> dict[str, Any] | None:
    """The table of such a line; None if it is not as it was written."""
    head, _, text = line.partition(b" ")
    return dict(json.loads(text)) if head == b"%08x" % crc(text) else None
