"""`python -m trundle`: the command line where scripts are not on the path."""

from trundle.cli import main

if __name__ == "__main__":
    main()
