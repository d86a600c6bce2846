"""Siconos' text format for contact problems: a stream of words separated by white space.

::

    d  nc  MATRIX              q  mu  [mu_r]  [flag]      reduced:  y = W p + q
    d  nc  MATRIX  MATRIX   f  b  mu  [mu_r]  [flag]      global:   M v = f + H p,  y = Hᵀ v + b

    MATRIX = storage  rows  columns  payload
      storage 0, dense:   rows  columns  entries column by column
      storage 1, blocks:  blocks  block-rows  block-columns  ends-of-rows  ends-of-columns
                          length-1  length-2  row-pointers  block-columns
                          { number of the block  entries column by column }
      storage 2, sparse:  origin (1 triplet, 2 compressed columns, 3 rows), a line that names CSparse,
                          a line with "rows-by-columns, nzmax: N nnz: N", then
                          "i j : value" (triplet), or "col j : locations a to b" and "i : value" (compressed)

Nothing in the file says whether it is reduced or global, or, with d = 3, whether the contacts slide in 3-D or
slide and roll in 2-D: the number of words decides.  Reduced and global never have the same number of words.
Some versions of Siconos end the file with a flag, a lone 0 or 1 without a decimal point; it is not used.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import numpy as np
from scipy import sparse

from trundle.contact.files import check_coefficients, check_finite, contact_law, existing_file, unreadable
from trundle.contact.problem import ContactProblem
from trundle.errors import ProblemError

Matrix: TypeAlias = np.ndarray | sparse.csc_array

DENSE, BLOCKS, SPARSE = 0, 1, 2
TRIPLET, COLUMNS, ROWS = 1, 2, 3


def read_siconos(path: str | os.PathLike[str]) -> ContactProblem:
    """Read a contact problem from a text file of Siconos.

    Parameters
    ----------
    path : str or PathLike
        The file.  d = 2 (Coulomb2D), 3 (Coulomb, or Rolling2D if there is a mu_r) or 5 (Rolling).

    Returns
    -------
    ContactProblem
        Dense or sparse as in the file.  H, shape (rows, bodies' velocities), is the transpose of the file's.

    Raises
    ------
    ProblemError
        If the file is no contact problem, cut off, or holds impossible values.  The message names the line.
    """
    file = existing_file(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise unreadable(file, error) from error
    words = _Words(str(file), data)
    if words.next() not in (b"2", b"3", b"5"):
        words.fail(
            0,
            f"the file begins with {words.text(words.next())}, not with the rows of a contact: 2 (sliding in "
            "2-D), 3 (sliding, or sliding and rolling in 2-D) or 5 (sliding and rolling).\n"
            "  Is this a contact problem in Siconos' text format?",
        )
    d = words.integer("the rows of a contact")
    nc = words.integer("the number of contacts")
    if nc < 1:
        words.fail(1, f"there are {nc} contacts. A contact problem has at least 1.")
    first = _read_matrix(words, "the first matrix (W or M)")
    _check_square(words, first)
    # A second matrix and b take more words than the longest reduced file has left: never ambiguous.
    if words.left > first.shape[1] + 2 * nc + 1:
        return _read_global(words, d, nc, first, file)
    m = nc * d
    if first.shape[0] != m:
        words.fail(
            words.at,
            f"the first matrix is {first.shape[0]} x {first.shape[0]}, but {nc} contacts of {d} rows need "
            f"{m} x {m}, and the {words.left} words that follow are too few for a second one. Is it cut off?",
        )
    q, mu, mu_r = _read_vectors(words, {"q": m}, d, nc)
    check_finite(words.source, "W", first)
    return ContactProblem((contact_law(mu, mu_r, d),), W=first, q=q, title=file.stem, source=words.source)


def _read_global(words: _Words, d: int, nc: int, M: Matrix, file: Path) -> ContactProblem:
    """Read H, f, b and the coefficients that follow M."""
    start, m, nv = words.at, nc * d, M.shape[0]
    if words.next() not in (b"0", b"1", b"2"):
        words.fail(
            start,
            f"{words.left} words follow the first matrix. A reduced problem of {nc} contacts has at most "
            f"{nv + 2 * nc + 1}; a global one has a second matrix, which {words.show(start)} cannot begin.",
        )
    H = _read_matrix(words, "the second matrix (H)")
    if H.shape != (nv, m):
        words.fail(
            start,
            f"the second matrix (H) is {H.shape[0]} x {H.shape[1]}, but must be {nv} x {m} (columns of the "
            f"first matrix x rows of {nc} contacts).",
        )
    f, b, mu, mu_r = _read_vectors(words, {"f": nv, "b": m}, d, nc)
    check_finite(words.source, "M", M)
    check_finite(words.source, "H", H)
    return ContactProblem((contact_law(mu, mu_r, d),), M=M, H=H.T, f=f, b=b, title=file.stem, source=words.source)


def _read_vectors(words: _Words, lengths: dict[str, int], d: int, nc: int) -> list[Any]:
    """Read the vectors of these lengths, then mu and mu_r (None if there is none), to the end of the file."""
    left = words.left - sum(lengths.values()) - nc
    flag = words.words[-1] in (b"0", b"1")
    # Without mu_r first: for one contact of 3 rows, one word after mu is the flag if it is written as one.
    choices = {2: (0,), 3: (0, nc), 5: (nc,)}[d]
    fitting = [extra for extra in choices if left == extra or (left == extra + 1 and flag)]
    if not fitting:
        needed = [str(words.left - left + extra) for extra in choices]
        names = [*lengths, "mu", *(["mu_r if they roll"] if d == 3 else ["mu_r"] if d == 5 else [])]
        hint = "Is the file cut off?" if left < max(choices) else "What are the others?"
        words.fail(
            len(words.words) - 1,
            f"{words.left} numbers follow the matrices, but {nc} contacts of {d} rows need "
            f"{' or '.join(needed)} ({', '.join(names)}). {hint}",
        )
    rolling = fitting[0] > 0
    vectors: list[Any] = []
    for name, length in lengths.items():
        vectors.append(words.numbers(name, length))
        check_finite(words.source, name, vectors[-1])
    mu = words.numbers("mu", nc)
    mu_r = words.numbers("mu_r", nc) if rolling else None
    check_coefficients(words.source, "mu", mu, "-")
    if mu_r is not None:
        check_coefficients(words.source, "mu_r", mu_r, "m")
    return [*vectors, mu, mu_r]


# --- matrices --------------------------------------------------------------------------------------------


def _read_matrix(words: _Words, name: str) -> Matrix:
    """Read one matrix of any storage."""
    start = words.at
    storage = words.integer(f"the storage of {name}")
    readers: dict[int, Callable[..., Matrix]] = {
        DENSE: _read_dense,
        BLOCKS: _read_blocks,
        SPARSE: _read_sparse,
    }
    if storage not in readers:
        words.fail(start, f"{name} has storage {storage}. Known: 0 (dense), 1 (sparse blocks), 2 (sparse).")
    shape = (words.integer(f"the rows of {name}"), words.integer(f"the columns of {name}"))
    # A vector as long as each side follows later: a longer side is damaged, and could fill the memory.
    if min(shape) < 1 or max(shape) > len(words.words):
        words.fail(
            start + 1,
            f"{name} is {shape[0]} x {shape[1]}, but must have at least 1 row and column, and no more of "
            f"either than the file has words ({len(words.words)}).",
        )
    return readers[storage](words, name, shape)


def _check_square(words: _Words, matrix: Matrix) -> None:
    """W and M are square."""
    if matrix.shape[0] != matrix.shape[1]:
        words.fail(2, f"the first matrix (W or M) is {matrix.shape[0]} x {matrix.shape[1]}, but must be square.")


def _read_dense(words: _Words, name: str, shape: tuple[int, int]) -> np.ndarray:
    start = words.at
    again = tuple(words.integers(f"the shape of {name}", 2).tolist())
    if again != shape:
        words.fail(
            start,
            f"{name} is {shape[0]} x {shape[1]} at first, but {again[0]} x {again[1]} where it is repeated.",
        )
    return np.ascontiguousarray(words.numbers(name, shape[0] * shape[1]).reshape(shape, order="F"))


def _read_blocks(words: _Words, name: str, shape: tuple[int, int]) -> sparse.csc_array:
    start = words.at
    blocks = words.integer(f"the number of blocks of {name}")
    if blocks == 0:  # Siconos writes nothing more of an empty matrix
        return sparse.csc_array(shape)
    counts = words.integers(f"the block rows and columns of {name}", 2).tolist()
    ends = [words.integers(f"the block sizes of {name}", count) for count in counts]
    for end, size, what in zip(ends, shape, ("row", "column"), strict=True):
        if not end.size or end[-1] != size or (np.diff(end, prepend=0) < 0).any():
            words.fail(start, f"the block {what} sizes of {name} do not add up to its {size} {what}s.")
    lengths = words.integers(f"the index lengths of {name}", 2).tolist()
    pointers = words.integers(f"the row pointers of {name}", lengths[0])
    columns = words.integers(f"the block columns of {name}", lengths[1])
    fits = 2 <= pointers.size <= counts[0] + 1 and pointers[0] == 0 and (np.diff(pointers) >= 0).all()
    if not fits or pointers[-1] != blocks or columns.size != blocks or columns.max() >= counts[1]:
        words.fail(start, f"the row pointers and block columns of {name} do not describe {blocks} blocks.")
    first_row, first_column = (np.concatenate(([0], end[:-1])) for end in ends)
    rows = np.repeat(np.arange(pointers.size - 1), np.diff(pointers))
    height, width = (np.diff(end, prepend=0)[index] for end, index in zip(ends, (rows, columns), strict=True))
    sizes = height * width
    start = words.at
    payload = words.numbers(name, int(sizes.sum()) + blocks)
    # Before the entries of each block stands its number, which shows that the sizes were understood.
    heads = np.cumsum(sizes + 1) - (sizes + 1)
    wrong = np.flatnonzero(payload[heads] != np.arange(blocks))
    if wrong.size:
        at = start + int(heads[wrong[0]])
        words.fail(
            at,
            f"block {wrong[0]} of {name} is numbered {words.show(at)}; a word is missing or too many before.",
        )
    entries = np.delete(payload, heads)
    place = np.arange(entries.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    tall = np.repeat(height, sizes)
    i = np.repeat(first_row[rows], sizes) + place % tall
    j = np.repeat(first_column[columns], sizes) + place // tall
    return _by_columns(entries, i, j, shape)


def _read_sparse(words: _Words, name: str, shape: tuple[int, int]) -> sparse.csc_array:
    start = words.at
    origin = words.integer(f"the origin of {name}")
    if origin not in (TRIPLET, COLUMNS, ROWS):
        words.fail(
            start,
            f"{name} has origin {origin}. Known: 1 (triplet), 2 (compressed columns), 3 (compressed rows).",
        )
    header = words.words[words.at : words.at + 40]
    if b"nnz:" not in header or not header[0].startswith(b"CSparse"):
        words.fail(words.at, f'{name} has no header of CSparse ("CSparse Version ...", then a line with "nnz: N").')
    words.at += header.index(b"nnz:") + 1
    entries = words.integer(f"the number of entries of {name}", end=b",")
    sides = [word for word in header[: header.index(b"nnz:")] if b"-by-" in word]
    if sides != [b"%d-by-%d," % shape]:
        words.fail(
            start + 1,
            f"{name} is {shape[0]} x {shape[1]}, but its header says {words.text(b' '.join(sides))}.",
        )
    if origin == TRIPLET:
        at = words.at
        if 4 * entries > words.left:
            words.fail(len(words.words) - 1, f"the file ends within the {entries} entries of {name}. Is it cut off?")
        words.at += 4 * entries
        i = words.integers_at(f"a row of {name}", range(at, words.at, 4))
        j = words.integers_at(f"a column of {name}", range(at + 1, words.at, 4))
        words.expect(b":", range(at + 2, words.at, 4))
        values = words.numbers_at(name, range(at + 3, words.at, 4))
    else:
        if words.next() == b"1-norm:":
            words.at += 2
        i, j, values = _read_compressed(words, name, shape[1] if origin == COLUMNS else shape[0], entries)
        if origin == ROWS:
            i, j = j, i
    if entries and (i.min() < 0 or i.max() >= shape[0] or j.min() < 0 or j.max() >= shape[1]):
        worst = np.flatnonzero((i < 0) | (i >= shape[0]) | (j < 0) | (j >= shape[1]))[0]
        words.fail(start, f"entry {worst} of {name} is at ({i[worst]}, {j[worst]}), outside {shape[0]} x {shape[1]}.")
    return _by_columns(values, i, j, shape)


def _read_compressed(words: _Words, name: str, lines: int, entries: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Read "col j : locations a to b" and "i : value" for each line (a column, or a row if by rows)."""
    places: list[range] = []
    counts = np.zeros(lines, dtype=np.int64)
    for line in range(lines):
        at = words.at
        head = words.words[at : at + 7]
        try:
            first, last = int(head[4]), int(head[6])
            good = head[:3] == [b"col", b"%d" % line, b":"] and head[3] == b"locations" and last >= first - 1
        except (IndexError, ValueError):
            good = False
        if not good:
            words.fail(at, f'expected "col {line} : locations a to b" in {name}.')
        counts[line] = last - first + 1
        words.at = at + 7 + 3 * int(counts[line])
        if words.at > len(words.words):
            words.fail(len(words.words) - 1, f"the file ends within column {line} of {name}. Is it cut off?")
        places.append(range(at + 7, words.at, 3))
    if counts.sum() != entries:
        words.fail(words.at, f"{name} has {counts.sum()} entries, but its header says nnz: {entries}.")
    all_places = [place for span in places for place in span]
    i = words.integers_at(f"an index of {name}", all_places)
    words.expect(b":", [place + 1 for place in all_places])
    values = words.numbers_at(name, [place + 2 for place in all_places])
    return i, np.repeat(np.arange(lines), counts), values


def _by_columns(values: np.ndarray, i: np.ndarray, j: np.ndarray, shape: tuple[int, int]) -> sparse.csc_array:
    """Give a sparse matrix by columns, sorted, the entries at the same place added."""
    matrix = sparse.csc_array((values, (i, j)), shape=shape)
    matrix.sum_duplicates()
    return matrix


class _Words:
    """The words of a file, read one after another; a complaint names the line.

    Attributes
    ----------
    words : list of bytes
        All words of the file.
    at : int
        The place of the next word.
    """

    def __init__(self, source: str, data: bytes) -> None:
        self.source = source
        self.data = data
        self.words = data.split()
        self.underscores = b"_" in data  # which float() takes between digits, and Siconos does not
        self.at = 0

    @property
    def left(self) -> int:
        """The number of words that have not been read."""
        return len(self.words) - self.at

    def next(self) -> bytes:
        """The next word, which stays unread (nothing at the end of the file)."""
        return self.words[self.at] if self.left > 0 else b""

    def integer(self, what: str, end: bytes = b"") -> int:
        """Read one integer, 0 or positive, that may be followed by ``end`` without a space."""
        if self.left < 1:
            self.fail(self.at - 1, f"the file ends before {what}. Is it cut off?")
        self.at += 1
        return self._integer(self.at - 1, what, end)

    def integers(self, what: str, count: int) -> np.ndarray:
        """Read integers, 0 or positive, shape (count,)."""
        return self.integers_at(what, self._advance(what, count))

    def integers_at(self, what: str, places: range | list[int]) -> np.ndarray:
        """The integers, 0 or positive, at these places."""
        return np.array([self._integer(place, what) for place in places], dtype=np.int64)

    def numbers(self, what: str, count: int) -> np.ndarray:
        """Read numbers, shape (count,)."""
        return self.numbers_at(what, self._advance(what, count))

    def numbers_at(self, what: str, places: range | list[int]) -> np.ndarray:
        """The numbers at these places."""
        span = self.words[_slice(places)] if isinstance(places, range) else [self.words[k] for k in places]
        try:
            if not self.underscores:
                return np.fromiter(map(float, span), dtype=np.float64, count=len(span))
        except ValueError:
            pass
        for place in places:
            if not _is_number(self.words[place]):
                self.fail(place, f"{self.show(place)} is not a number (reading {what}).")
        return np.array([float(word) for word in span])

    def expect(self, word: bytes, places: range | list[int]) -> None:
        """Raise unless this word stands at these places."""
        for place in places:
            if self.words[place] != word:
                self.fail(place, f"expected {self.text(word)}, found {self.show(place)}.")

    def _integer(self, place: int, what: str, end: bytes = b"") -> int:
        word = self.words[place].removesuffix(end)
        # isdigit: int() would take signs and underscores; 18 digits fit into 64 bits.
        if not word.isdigit() or len(word) > 18:
            self.fail(place, f"{self.show(place)} is not an integer from 0 (reading {what}).")
        return int(word)

    def _advance(self, what: str, count: int) -> range:
        if count > self.left:
            self.fail(
                len(self.words) - 1,
                f"the file ends within {what}: {count} numbers needed, {self.left} there. Is it cut off?",
            )
        self.at += count
        return range(self.at - count, self.at)

    def text(self, word: bytes) -> str:
        """A word as it can be shown, cut if long."""
        shown = word.decode("ascii", "backslashreplace")
        return repr(shown if len(shown) <= 40 else shown[:37] + "...")

    def show(self, place: int) -> str:
        """The word at a place as it can be shown."""
        return self.text(self.words[place])

    def fail(self, place: int, message: str) -> NoReturn:
        """Raise a ProblemError that names the file and the line of the word at this place."""
        line, count = 0, 0
        for line, content in enumerate(self.data.splitlines(), start=1):  # noqa: B007
            count += len(content.split())
            if count > place:
                break
        raise ProblemError(f"{self.source}, line {line}: {message}")


def _slice(places: range) -> slice:
    """The slice that takes the places of a range."""
    return slice(places.start, places.stop, places.step)


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return b"_" not in word
