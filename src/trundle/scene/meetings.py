"""Which bodies can touch each other: groups that do not collide, pairs that are ignored or that a joint keeps together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trundle.errors import SceneError, unknown

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Meetings:
    """Which of B bodies can touch each other.

    group (B,): number of the group of each body, 0 for none; meets (G, G): whether bodies of two groups collide;
    apart (n, 2): single pairs of bodies that do not, each once, the smaller number first.
    """

    group: Ints
    meets: NDArray[np.bool_]
    apart: Ints

    @cached_property
    def numbers(self) -> Ints:
        """One number for each of the pairs `apart`, sorted."""
        return np.sort(self._numbers(self.apart))

    def _numbers(self, body: Ints) -> Ints:
        """One number per pair of bodies (n, 2), whatever their order."""
        return np.min(body, axis=1) * len(self.group) + np.max(body, axis=1) if len(body) else np.zeros(0, np.int64)

    @cached_property
    def filters(self) -> bool:
        """Whether there are bodies that do not collide."""
        return bool(len(self.apart)) or not bool(self.meets.all())

    def never(self, body: Ints) -> NDArray[np.bool_]:
        """Which pairs of bodies (n, 2) never touch each other, shape (n,)."""
        if not self.filters:
            return np.zeros(len(body), bool)
        ignored = ~self.meets[self.group[body[:, 0]], self.group[body[:, 1]]]
        return ignored | np.isin(self._numbers(body), self.numbers) if len(self.apart) else ignored

    def meeting(self, which: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of some bodies (B,) can touch another one of them, as far as groups tell."""
        count = np.bincount(self.group[which], minlength=len(self.meets))
        partners = self.meets @ count - np.diag(self.meets)  # not the body itself
        return which & (partners[self.group] > 0)


def find_meetings(
    names: Sequence[str], groups: Sequence[str | None], ignored: Iterable[tuple[str, str]], joints: Iterable[Any],
    number: Mapping[str, int], world: str,
) -> Meetings:  # fmt: skip
    """Meetings of the bodies with these names and groups (B,), from what the scene ignores and from its joints."""
    known = sorted({group for group in groups if group is not None})
    number_of = {name: k + 1 for k, name in enumerate(known)}
    group = np.array([0 if name is None else number_of[name] for name in groups], np.int64)
    meets, pairs = np.ones((len(known) + 1, len(known) + 1), bool), []
    for one, other in ignored:
        for name in (one, other):
            if name in number_of and name in number:
                raise SceneError(
                    f"ignore: '{name}' is the name of a body and of a group; give one of them another name."
                )
            if name not in number_of and name not in number:
                raise SceneError("ignore: " + unknown("body or group", name, [*number_of, *names]))
        if one in number_of and other in number_of:
            a, b = number_of[one], number_of[other]
            meets[a, b] = meets[b, a] = False
            continue
        first, second = (np.flatnonzero(group == number_of[n]) if n in number_of else [number[n]] for n in (one, other))
        pairs += [(a, b) for a in first for b in second if a != b]
    pairs += _joined(joints, number, world)
    apart = np.unique(np.sort(np.array(pairs, np.int64).reshape(-1, 2), axis=1), axis=0)
    return Meetings(group, meets, apart)


def _joined(joints: Iterable[Any], number: Mapping[str, int], world: str) -> list[tuple[int, int]]:
    """Pairs of bodies that joints keep together; bodies on fixed joints are one, and all of their pairs."""
    pairs, parts = [], list(range(len(number)))

    def part(i: int) -> int:
        while parts[i] != i:
            i = parts[i]
        return i

    for joint in joints:
        if joint.collide:
            continue
        a, b = number[joint.one], number[world if joint.other is None else joint.other]
        pairs.append((a, b))
        if joint.kind == "fixed":
            parts[max(part(a), part(b))] = min(part(a), part(b))
    whole: dict[int, list[int]] = {}
    for i in {i for pair in pairs for i in pair}:
        whole.setdefault(part(i), []).append(i)
    return pairs + [(a, b) for members in whole.values() for k, a in enumerate(members) for b in members[:k]]
