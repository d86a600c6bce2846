"""A library of contact problems with rolling, spinning and sliding friction, made from scenes of our own."""

from trundle.problems.library import Library, check, load, make
from trundle.problems.making import Facts

__all__ = ["make", "load", "check", "Library", "Facts"]
