"""Rows of a table that hold every pair of values of every two axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

Row = tuple[str, ...]


def all_pairs(axes: Sequence[Sequence[str]]) -> list[Row]:
    """Few rows with every pair of values of every two axes; always the same ones.

    Greedy: a row begins with the first pair that is missing; then axis after axis takes the value that adds most pairs,
    the least used one of equals.
    """
    missing = {  # a set that keeps its order
        ((i, a), (j, b)): None for i, j in combinations(range(len(axes)), 2) for a in axes[i] for b in axes[j]
    }
    used = {(i, value): 0 for i, axis in enumerate(axes) for value in axis}
    rows = []
    while missing:
        chosen = dict(next(iter(missing)))
        for i in sorted(set(range(len(axes))) - set(chosen), key=lambda i: -len(axes[i])):

            def gain(value, i=i, chosen=chosen):
                new = sum(tuple(sorted(((i, value), place))) in missing for place in chosen.items())
                return new, -used[i, value]

            chosen[i] = max(axes[i], key=gain)
        row = tuple(chosen[i] for i in range(len(axes)))
        rows.append(row)
        for pair in combinations(enumerate(row), 2):
            missing.pop(pair, None)
        for place in enumerate(row):
            used[place] += 1
    return rows
