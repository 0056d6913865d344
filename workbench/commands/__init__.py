"""What the commands of `workbench.cli` do; imported when a command runs, never for its help.

Each function takes what was typed, writes to standard output, and returns the exit status. Words
for people and errors in one sentence; with `as_json` one JSON document, or JSON Lines for lists.
"""

from __future__ import annotations
