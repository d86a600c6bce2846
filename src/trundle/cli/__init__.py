"""The command line: a few words for what the package does, in files one can bring along."""

from trundle.cli.app import app, main

__all__ = ["app", "main"]
