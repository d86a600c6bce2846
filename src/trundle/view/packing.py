"""Named arrays in one block of bytes: what the server sends and the page unpacks without a parser.

bytes 0-7    "TRUNDLE1"
bytes 8-11   length of the head, little endian
head         JSON {"meta": {...}, "arrays": [[name, type, shape, offset], ...]}, padded with blanks
data         the arrays, little endian, each at a multiple of 8 bytes from the start of the data
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import TrundleError

MAGIC = b"TRUNDLE1"
ALIGNMENT = 8
TYPES = ("f4", "f8", "i2", "i4", "u1", "u2", "u4")


def pack(meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Bytes of `meta` (what JSON can say) and of named arrays."""
    table, pieces, offset = [], [], 0
    for name, array in arrays.items():
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        if kind not in TYPES:
            raise ValueError(f"pack: array '{name}' is of type {array.dtype}; known: {', '.join(TYPES)}.")
        data = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        table.append([name, kind, list(array.shape), offset])
        data += b"\0" * (-len(data) % ALIGNMENT)
        pieces.append(data)
        offset += len(data)
    head = json.dumps({"meta": meta, "arrays": table}, allow_nan=False, separators=(",", ":")).encode()
    head += b" " * (-(len(MAGIC) + 4 + len(head)) % ALIGNMENT)
    return b"".join([MAGIC, len(head).to_bytes(4, "little"), head, *pieces])


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What was packed: meta and arrays."""
    if data[: len(MAGIC)] != MAGIC:
        raise TrundleError("these bytes are no packed arrays of trundle: they do not begin with TRUNDLE1.")
    length = int.from_bytes(data[8:12], "little")
    head = json.loads(data[12 : 12 + length])
    arrays = {}
    for name, kind, shape, offset in head["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(data, f"<{kind}", count, 12 + length + offset).reshape(shape)
    return head["meta"], arrays
