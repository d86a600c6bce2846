"""The block-sparse form of W that the compiled solvers walk through."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import scipy

from trundle.contact.kernels import blocks as block_kernels

LARGEST_BLOCK = 60  # rows; a matrix with larger blocks, of finite elements for example, has no sparse inverse

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
    row = np.ascontiguousarray(row, np.int64)
    if not scipy.sparse.issparse(W):
        return BlockMatrix(*block_kernels.cut_dense(np.ascontiguousarray(W, dtype=np.float64), row))
    entries = scipy.sparse.csr_array(W) if W.format != "csr" else W
    if not entries.has_canonical_format:
        entries = entries.copy()
        entries.sum_duplicates()
    indptr, indices = (np.asarray(index, np.int64) for index in (entries.indptr, entries.indices))
    return BlockMatrix(*block_kernels.cut_sparse(indptr, indices, np.asarray(entries.data, np.float64), row))


def positions(matrix: BlockMatrix, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Row and column of every entry of the blocks, in the order of their storage."""
    size = np.diff(row)
    owner = np.repeat(np.arange(len(size)), np.diff(matrix.ptr))
    area = size[owner] * size[matrix.col]
    within = np.arange(int(area.sum())) - np.repeat(np.cumsum(area) - area, area)
    width = np.repeat(size[matrix.col], area)
    return np.repeat(row[owner], area) + within // width, np.repeat(row[matrix.col], area) + within % width


def from_blocks(matrix: BlockMatrix, row: np.ndarray) -> Any:
    """The matrix itself, csr (m, m), without entries that are zero."""
    m = int(row[-1])
    entries = scipy.sparse.csr_array((matrix.data, positions(matrix, row)), shape=(m, m))
    entries.eliminate_zeros()
    return entries


def block_inverse(matrix: Any) -> Any:
    """The inverse of a matrix of small blocks, in any order, csr; None if a block has more than `LARGEST_BLOCK` rows."""
    n = matrix.shape[0]
    _, label = scipy.sparse.csgraph.connected_components(matrix, directed=False)
    size = np.bincount(label, minlength=1)
    if n == 0 or size.max() > LARGEST_BLOCK:
        return None
    order = np.argsort(label, kind="stable")
    first = np.cumsum(size) - size
    place = np.empty(n, np.int64)
    place[order] = np.arange(n) - np.repeat(first, size)
    entries = scipy.sparse.coo_array(matrix)
    row, column = entries.coords
    rows, columns, values = [], [], []
    for width in np.unique(size):
        chosen = np.flatnonzero(size == width)
        number = np.full(len(size), -1)
        number[chosen] = np.arange(len(chosen))
        block, own = np.zeros((len(chosen), width, width)), number[label[row]] >= 0
        np.add.at(block, (number[label[row[own]]], place[row[own]], place[column[own]]), entries.data[own])
        at = order[first[chosen][:, None] + np.arange(width)]
        rows.append(np.repeat(at, width, axis=1).ravel())
        columns.append(np.tile(at, width).ravel())
        values.append(np.linalg.inv(block).ravel())
    places = np.concatenate(rows), np.concatenate(columns)
    return scipy.sparse.csr_array((np.concatenate(values), places), shape=matrix.shape)
