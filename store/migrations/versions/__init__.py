"""The numbered steps, oldest first; never edited once released."""

from __future__ import annotations
