"""Memory Workbench: the window and the command line on an agent's memory."""

from __future__ import annotations

__version__ = "0.1.0"

DESK = f"memory-workbench {__version__} desk"
"""Stands as the tool in the transactions that the window makes."""

LINK_SCHEME = "memory-workbench:"
"""What a link to a view begins with."""
