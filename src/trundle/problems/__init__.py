"""A library of contact problems with rolling, spinning and sliding friction, made from scenes of our own."""

from trundle.problems.library import Library, check, load, make
from trundle.problems.making import Facts
from trundle.problems.plan import Entry, plan

__all__ = ["make", "load", "check", "plan", "Library", "Facts", "Entry"]
