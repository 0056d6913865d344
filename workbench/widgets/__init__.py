"""Small, reusable pieces of the window; none of them knows the store."""

from __future__ import annotations
