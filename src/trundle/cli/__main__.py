"""`python -m trundle.cli` is the command `trundle`."""

from trundle.cli import main

main()
