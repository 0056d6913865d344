"""Every version that a ledger ever held, as facts: both axes at once."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from store.model import RowKind
from store.query import FactQuery, Order, Page
from store.temporal import MICROSECOND, AsOf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from store.contract import Scope, Store
    from store.model import Fact, Version

LARGEST_PAGE: Final = 1000
_ALL: Final = 2**31 - 1
_HOLDS: Final = (RowKind.FACT, RowKind.RESUME)


def all_facts(store: Store, scope: Scope, query: FactQuery, as_of: AsOf) -> Iterator[Fact]:
    """Yield all facts of a query, page by page."""
    after = None
    while True:
        page = Page(LARGEST_PAGE, after)
        found = store.facts(scope, query, as_of=as_of, order=Order(), page=page)
        yield from found.items
        after = found.after
        if after is None:
            return


def all_versions(
    store: Store,
    scope: Scope,
    *,
    subject: str | None,
    attribute: str | None,
    as_of: AsOf,
) -> Iterator[Fact]:
    """Yield every row in which a fact holds or was believed to hold, oldest belief first per key.

    A row's `valid_to` is as of the asked known-at while the row is believed, and for a row that is
    believed no longer, as it was when the belief ended. With a valid-at, only rows whose period
    holds that instant.
    """
    rows = store.versions(scope, subject=subject, attribute=attribute, limit=_ALL)
    known = [row for row in rows if as_of.known_at is None or row.recorded_at <= as_of.known_at]
    query = FactQuery(subject=subject, attribute=attribute, history=True)
    believed = {
        (fact.memory_id, fact.row_from): fact for fact in all_facts(store, scope, query, as_of)
    }
    for _key, versions in groupby(sorted(known, key=_place), key=_key_of):
        yield from _facts(store, scope, list(versions), believed, as_of)


def _key_of(row: Version) -> tuple[str, str, str, str]:
    return row.subject, row.attribute, row.owner, row.slot


def _place(row: Version) -> tuple[tuple[str, str, str, str], datetime, int]:
    return _key_of(row), row.valid_from, row.began


def _facts(
    store: Store,
    scope: Scope,
    rows: Sequence[Version],
    believed: dict[tuple[str, datetime], Fact],
    as_of: AsOf,
) -> Iterator[Fact]:
    for row, ceased_at, valid_to in with_ends(rows, as_of.known_at):
        if row.memory_id is None or not _asked_for(row.valid_from, valid_to, as_of.valid_at):
            continue
        fact = believed.get((row.memory_id, row.valid_from)) if ceased_at is None else None
        if fact is None:
            # What the row said while it was believed: just before the belief ended.
            known_at = as_of.known_at if ceased_at is None else ceased_at - MICROSECOND
            at = AsOf(valid_at=row.valid_from, known_at=known_at)
            fact = store.fact(scope, row.memory_id, at)
        yield fact.model_copy(
            update={
                "valid_from": row.valid_from,
                "valid_to": valid_to,
                "recorded_at": row.recorded_at,
                "superseded_at": ceased_at,
            }
        )


def with_ends(
    rows: Iterable[Version], known_at: datetime | None
) -> Iterator[tuple[Version, datetime | None, datetime | None]]:
    """Yield the rows of one key that hold a fact, by their beginning, with two ends.

    The ends are when the belief ended, as of the known-at (None while it is believed), and where
    the period ended while it was believed: at the next row believed then.
    """
    ordered = list(rows)
    for position, row in enumerate(ordered):
        if row.kind not in _HOLDS:
            continue
        ceased_at = row.superseded_at
        if ceased_at is not None and known_at is not None and ceased_at > known_at:
            ceased_at = None
        later = (
            other.valid_from
            for other in ordered[position + 1 :]
            if other.valid_from > row.valid_from and _is_believed(other, ceased_at, known_at)
        )
        yield row, ceased_at, next(later, None)


def _is_believed(row: Version, ceased_at: datetime | None, known_at: datetime | None) -> bool:
    """Say whether a row was believed just before an instant, or as of the known-at without one."""
    if ceased_at is not None:
        ends = row.superseded_at
        return row.recorded_at < ceased_at and (ends is None or ends >= ceased_at)
    return row.superseded_at is None or (known_at is not None and row.superseded_at > known_at)


def _asked_for(begins: datetime, ends: datetime | None, valid_at: datetime | None) -> bool:
    return valid_at is None or (begins <= valid_at and (ends is None or valid_at < ends))
