"""Opening stores for commands: to read, to write, or made where there is none."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from store.contract import Scope
from store.errors import NotFound
from store.open import open_store
from workbench import __version__
from workbench.commands.output import note
from workbench.filling import open_to_fill, open_to_try

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
    _say_made(location)
    return _noticed(store)


@contextmanager
def open_or_create_whole(location: str) -> Iterator[Store]:
    """Open a store while the block runs; where there is none, make it, and say so at the end.

    One that was made and has no record when the block ends, whatever ended it, is removed again.
    """
    with open_to_fill(location, tool=TOOL, on_kept=lambda: _say_made(location)) as store:
        yield _noticed(store)


def open_for_trial(location: str) -> Store:
    """Open a store for reading; where there is none, an empty one that is gone afterwards."""

    def say() -> None:
        note(f"The store {location} is not there; it would be made.")

    return _noticed(open_to_try(location, tool=TOOL, on_missing=say))


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


def _say_made(location: str) -> None:
    note(f"Made the store {location}, which was not there.")


def _noticed(store: Store) -> Store:
    if store.notice:
        note(store.notice)
    return store
