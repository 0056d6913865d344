"""Opening a store by path or URL: the one place that knows the backends.

A path, `sqlite:///path` and `sqlite:path` are SQLite files; `memory:` is a store that is gone when
it is closed. Backends are imported on use.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from store.errors import Invalid, Unsupported

if TYPE_CHECKING:
    from store.contract import Store

BACKENDS: Final = {
    "memory": "store.backends.memory:MemoryStore",
    "sqlite": "store.backends.sqlite:SqliteStore",
}
PLANNED: Final = frozenset({"markdown", "postgres", "postgresql", "qdrant", "lucid", "none"})


def open_store(
    location: str | Path, *, create: bool = False, read_only: bool = False, **options: Any
) -> Store:
    """Open a store.

    Args:
        location: a path or URL.
        create: make the store if it is not there; otherwise that is an error.
        read_only: never write to it, not even a migration.
        options: for the backend: `clock`, `entropy`, `tool`; `patience_s`, how long to wait for
            other programs that hold the store; and its own.

    Raises:
        NotFound: there is no store and `create` is False.
        NotAStore, Corrupt: the file is something else, or damaged.
        TooNew, TooOld: its schema is not this program's and cannot be made so.
        Locked: another program holds it.
        Unavailable, ReadOnly: its place may not be read or written.
        Unsupported: no backend has this scheme.
    """
    scheme, address = split_location(location)
    if scheme in PLANNED:
        raise Unsupported(f"Stores of kind {scheme}: cannot be opened yet; use a SQLite file.")
    target = BACKENDS.get(scheme)
    if target is None:
        known = ", ".join(f"{name}:" for name in sorted(BACKENDS))
        raise Unsupported(f"No backend is called {scheme}:; there are {known} and plain paths.")
    module, name = target.split(":")
    backend: type[Store] = getattr(import_module(module), name)
    return backend.open(address, create=create, read_only=read_only, **options)


def split_location(location: str | Path) -> tuple[str, str]:
    """Return the scheme and the address of a location; a plain path is a SQLite file.

    Raises:
        Invalid: it is empty.
    """
    text = str(location)
    if not text.strip():
        raise Invalid(
            "Name a store: a path such as memory.db, or a URL such as sqlite:///memory.db."
        )
    scheme, colon, rest = text.partition(":")
    is_drive = len(scheme) == 1
    if not colon or is_drive or not scheme.isalpha() or isinstance(location, Path):
        return "sqlite", text
    return scheme.casefold(), _address(rest)


def _address(rest: str) -> str:
    """Read what follows the scheme as SQLAlchemy does: three slashes relative, four absolute."""
    return rest.removeprefix("///") if rest.startswith("///") else rest.removeprefix("//")
