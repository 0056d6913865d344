"""The default backend: one SQLite file in which every row stays.

The physical schema and why it is so: `schema`. The hot statements run on the driver's connection,
everything else through SQLAlchemy Core.
"""

from __future__ import annotations

from store.backends.sqlite.backend import SqliteStore

__all__ = ["SqliteStore"]
