"""The block-sparse form of W that the compiled solvers walk through."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import scipy.sparse as sp

BlockMatrix = namedtuple("BlockMatrix", "ptr col start data")
BlockMatrix.__doc__ = """Blocks of W: those of contact c are ptr[c] to ptr[c+1], in the order of col, the other contact;
block k is stored row by row from data[start[k]].  Every diagonal block is present."""


def to_blocks(W: Any, row: np.ndarray) -> BlockMatrix:
    """Cut a matrix into the blocks of its contacts, leaving out those that are zero.

    Parameters
    ----------
    W : ndarray or sparse matrix, shape (m, m)
    row : int array, shape (C+1,)
        First row of each contact.
    """
    contacts = len(row) - 1
    size = np.diff(row)
    owner = np.repeat(np.arange(contacts), size)
    entries = sp.csr_array(W)
    entries.sum_duplicates()
    i, j, x = np.repeat(np.arange(entries.shape[0]), np.diff(entries.indptr)), entries.indices, entries.data
    keep = x != 0.0
    i, j, x = i[keep], j[keep], x[keep]
    key = owner[i].astype(np.int64) * contacts + owner[j]
    diagonal = np.arange(contacts, dtype=np.int64) * (contacts + 1)
    keys = np.unique(np.concatenate([key, diagonal]))
    first, second = np.divmod(keys, contacts) if contacts else (keys, keys)
    area = size[first] * size[second]
    start = np.concatenate([[0], np.cumsum(area)]).astype(np.int64)
    data = np.zeros(int(start[-1]))
    k = np.searchsorted(keys, key)
    data[start[k] + (i - row[first[k]]) * size[second[k]] + (j - row[second[k]])] = x
    ptr = np.searchsorted(first, np.arange(contacts + 1)).astype(np.int64)
    return BlockMatrix(ptr, second.astype(np.int64), start[:-1].copy(), data)


def diagonal_blocks(matrix: BlockMatrix, row: np.ndarray) -> list[np.ndarray]:
    """Diagonal blocks W_cc, each of shape (d, d)."""
    blocks = []
    for c in range(len(row) - 1):
        d = row[c + 1] - row[c]
        k = matrix.ptr[c] + np.searchsorted(matrix.col[matrix.ptr[c] : matrix.ptr[c + 1]], c)
        blocks.append(matrix.data[matrix.start[k] : matrix.start[k] + d * d].reshape(d, d))
    return blocks
