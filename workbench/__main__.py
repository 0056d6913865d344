"""`memory-workbench` and `python -m workbench`."""

from __future__ import annotations

import sys

from workbench.cli import run


def main() -> None:
    """Run the command that the arguments name, and leave with its exit status."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
