"""Opening stores for commands: to read, to write, or made where there is none."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from store.contract import Scope
from store.errors import NotFound
from store.open import open_store, split_location
from workbench import __version__
from workbench.commands.output import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.contract import Store

TOOL = f"memory-workbench {__version__}"
"""Stands as the tool in the transactions that the command line makes."""


def open_to_read(location: str) -> Store:
    """Open a store that is there, and never write to it."""
    return _noticed(open_store(location, read_only=True, tool=TOOL))


def glance(location: str) -> None:
    """See whether a store can be opened, without waiting for another program that holds it.

    Raises:
        StoreError: what stands in the way.
    """
    _noticed(open_store(location, read_only=True, tool=TOOL, patience_s=0.0)).close()


def open_to_write(location: str) -> Store:
    """Open a store that is there."""
    return _noticed(open_store(location, tool=TOOL))


def open_or_create(location: str) -> Store:
    """Open a store; where there is none, make it and say so on standard error."""
    try:
        return open_to_write(location)
    except NotFound:
        store = open_store(location, create=True, tool=TOOL)
    note(f"Made the store {location}, which was not there.")
    return _noticed(store)


@contextmanager
def open_or_create_whole(location: str) -> Iterator[Store]:
    """Open a store while the block runs; where there is none, make it, and say so at the end.

    One that was made and has no record when the block ends, whatever ended it, is removed again.
    """
    try:
        store, is_made = open_to_write(location), False
    except NotFound:
        store, is_made = _made(location), True
    has_record = False
    try:
        with store:
            try:
                yield store
            finally:
                has_record = bool(store.tenants())
    finally:
        if is_made and has_record:
            note(f"Made the store {location}, which was not there.")
        elif is_made:
            _remove(location)


def _made(location: str) -> Store:
    """Make a store; if Ctrl+C comes in the midst of it, nothing is left of it."""
    try:
        return _noticed(open_store(location, create=True, tool=TOOL))
    except KeyboardInterrupt:
        _remove(location)
        raise


def _remove(location: str) -> None:
    """Remove the files of a store that was just made and has nothing in it."""
    scheme, address = split_location(location)
    if scheme == "sqlite":
        for ending in ("", "-wal", "-shm", "-gate"):
            with suppress(OSError):
                Path(f"{address}{ending}").unlink()


def scope_of(store: Store, identity: str, *, tenant: str | None, agent: str) -> Scope:
    """Return the scope of an act on a fact or conflict, whose id names its tenant.

    Raises:
        NotFound: no tenant has the id, or the tenant that was named has not.
    """
    if tenant is None:
        return Scope(store.tenant_of(identity), agent)
    scope = Scope(tenant, agent)
    if store.tenant_of(identity) != scope.tenant_id:
        # The sentence names no other tenant: who asked for this one may not know of it.
        raise NotFound(f"Tenant {scope.tenant_id} has no fact or conflict {identity}.")
    return scope


def _noticed(store: Store) -> Store:
    if store.notice:
        note(store.notice)
    return store
