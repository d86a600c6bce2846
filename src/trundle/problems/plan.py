"""Which problems the library has: number by number, a family, a size and a law, the same for the same seed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from trundle import checked
from trundle.errors import ProblemError
from trundle.problems.families import FAMILIES, LAWS

FEWEST, MOST = 10, 6_000  # contacts
SAMPLES = 4  # problems of one run
COLLAPSES = 20  # every 20th problem is from the middle of a collapse
STANDING = tuple(name for name in FAMILIES if name != "collapse")
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


@dataclass(frozen=True)
class Entry:
    """Problem `number` is sample `sample` of run `run` of a family; contacts: what the scene aims at."""

    number: int
    family: str
    run: int
    sample: int
    seed: int

    @property
    def contacts(self) -> int:
        """Contacts to aim at, from 10 to 6,000, evenly spread in their logarithm over the runs of a family."""
        share = (0.3 + 0.1 * list(FAMILIES).index(self.family) + GOLDEN * self.run) % 1.0
        return round(FEWEST * (MOST / FEWEST) ** share)

    @property
    def law(self) -> str:
        """Kind of law."""
        return LAWS[(self.run + list(FAMILIES).index(self.family)) % len(LAWS)]

    @property
    def random_seed(self) -> tuple[int, int, int]:
        """Of the scene."""
        return self.seed, list(FAMILIES).index(self.family), self.run

    @property
    def file_name(self) -> str:
        """Such as 0137-chute.hdf5."""
        return f"{self.number:04d}-{self.family}.hdf5"


MOST_PROBLEMS = 1_000_000


def plan(count: int, seed: int = 0) -> list[Entry]:
    """The first problems of the library; the beginning of a longer plan is the shorter one."""
    for name, value, least in (("count", count, 1), ("seed", seed, 0)):
        checked.whole(ProblemError, f"problems: {name}", value, least, MOST_PROBLEMS if name == "count" else 2**63 - 1)
    entries, taken = [], dict.fromkeys(FAMILIES, 0)
    standing = 0
    for number in range(int(count)):
        if number % COLLAPSES == COLLAPSES - 1:
            family = "collapse"
        else:
            family = STANDING[standing % len(STANDING)]
            standing += 1
        run, sample = divmod(taken[family], SAMPLES)
        taken[family] += 1
        entries.append(Entry(number, family, run, sample, int(seed)))
    return entries


def runs(entries: list[Entry]) -> list[list[Entry]]:
    """Entries that are taken from one run, together, in the order of their first problems."""
    groups: dict[tuple[str, int], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.family, entry.run), []).append(entry)
    return list(groups.values())
