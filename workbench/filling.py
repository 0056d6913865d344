"""Stores that something is brought into: made where there are none, or only tried out.

The command line and the desk fill stores by the same rules; what they say of it is theirs.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import NotFound
from store.open import open_store, split_location

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from store.contract import Store


@contextmanager
def open_to_fill(
    location: str | Path, *, tool: str, on_kept: Callable[[], object] | None = None
) -> Iterator[Store]:
    """Open a store while the block runs; where there is none, make it.

    One that was made and has no record when the block ends, whatever ended it, is removed again.

    Args:
        location: a path or URL.
        tool: stands as such in the transactions.
        on_kept: told at the end that the store was made, and stays.
    """
    try:
        store, is_made = open_store(location, tool=tool), False
    except NotFound:
        store, is_made = _made(location, tool), True
    has_record = False
    try:
        with store:
            try:
                yield store
            finally:
                has_record = bool(store.tenants())
    finally:
        if is_made and not has_record:
            _remove(location)
        elif is_made and on_kept is not None:
            on_kept()


def open_to_try(
    location: str | Path, *, tool: str, on_missing: Callable[[], object] | None = None
) -> Store:
    """Open a store for reading; where there is none, an empty one that is gone afterwards.

    Args:
        location: a path or URL.
        tool: who asks.
        on_missing: told that there is none.
    """
    try:
        return open_store(location, read_only=True, tool=tool)
    except NotFound:
        if on_missing is not None:
            on_missing()
        return open_store("memory:", create=True, tool=tool)


def _made(location: str | Path, tool: str) -> Store:
    """Make a store; if Ctrl+C comes in the midst of it, nothing is left of it."""
    try:
        return open_store(location, create=True, tool=tool)
    except KeyboardInterrupt:
        _remove(location)
        raise


def _remove(location: str | Path) -> None:
    """Remove the files of a store that was just made and has nothing in it."""
    scheme, address = split_location(location)
    if scheme == "sqlite":
        for ending in ("", "-wal", "-shm", "-gate"):
            with suppress(OSError):
                Path(f"{address}{ending}").unlink()
