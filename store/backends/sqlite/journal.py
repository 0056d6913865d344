"""The journal: transactions, what they touched, and what reads gave before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from store import ledger
from store.backends import filters, view
from store.backends.acts import interval_of
from store.backends.sqlite import codec
from store.backends.sqlite.records import believed_rows, may_know, version_of
from store.contract import ChangeNotice
from store.errors import Invalid, NotFound
from store.model import Evidence, Transaction, TransactionDetail
from store.query import Listed
from store.temporal import from_micros

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from store.backends.sqlite.sight import Sight
    from store.contract import Scope
    from store.ledger import Row, Stretch
    from store.query import Page, TransactionPage, TransactionQuery

DETAIL_ROWS: Final = 1000
MANY_CHANGES: Final = 10_000
"""Beyond so many transactions or touched rows a notice says "everything"."""

_TOUCHED: Final = """
SELECT key_id FROM fact WHERE tenant_no = ?1 AND tx_from {when}
UNION SELECT key_id FROM fact WHERE tenant_no = ?1 AND tx_to IS NOT NULL AND tx_to {when}
UNION SELECT key_id FROM evidence WHERE tenant_no = ?1 AND tx_from {when}
UNION SELECT key_id FROM evidence WHERE tenant_no = ?1 AND tx_to IS NOT NULL AND tx_to {when}
UNION SELECT c.key_id FROM conflict_event v JOIN conflict c ON c.conflict_no = v.conflict_no
  WHERE v.tenant_no = ?1 AND v.tx_from {when}"""
"""The keys that transactions touched."""
_NAMES: Final = f"""
SELECT DISTINCT k.{{name}} FROM key k WHERE k.key_id IN ({_TOUCHED.format(when="= ?2")})
  AND {{seen}} ORDER BY k.{{name}} LIMIT {DETAIL_ROWS}"""
_OWNERS: Final = f"""
SELECT DISTINCT owner FROM key WHERE key_id IN ({_TOUCHED.format(when="= ?2")})"""
_HAS_SHARED: Final = """
SELECT EXISTS (SELECT 1 FROM episode WHERE tenant_no = ?1 AND tx_from = ?2)
  OR EXISTS (SELECT 1 FROM attribute WHERE tenant_no = ?1 AND tx_from = ?2)"""
_TRANSACTION: Final = """
SELECT number, recorded_at, kind, actor_no, tool_no, reason, digest, entries
FROM tx WHERE tenant_no = ? AND number < ? {more} ORDER BY number DESC"""
_REVERTED_BY: Final = """
SELECT max(number) FROM tx WHERE tenant_no = ? AND reverts IS NOT NULL AND reverts = ?"""


def may_see(sight: Sight, number: int) -> bool:
    """Say whether the scope may read at least one entry of a transaction."""
    place = (sight.tenant_no, number)
    owners = [row[0] for row in sight.connection.execute(_OWNERS, place).fetchall()]
    if owners:
        return any(sight.scope.sees(owner) for owner in owners)
    return bool(sight.connection.execute(_HAS_SHARED, place).fetchone()[0])


def transaction_page(sight: Sight, query: TransactionQuery, page: Page) -> TransactionPage:
    """Return a page of the journal, newest first."""
    before = sight.newest + 1
    if page.after is not None:
        (before,) = filters.read_cursor(page.after, 1)
        if not isinstance(before, int):
            raise Invalid("The cursor belongs to another list.")
    found: list[Transaction] = []
    for transaction in _matching(sight, query, before):
        found.append(transaction)
        if len(found) > page.limit:
            break
    items = tuple(found[: page.limit])
    if len(found) <= page.limit:
        return Listed(items)
    return Listed(items, filters.write_cursor((items[-1].number,)))


def _matching(sight: Sight, query: TransactionQuery, before: int) -> Iterator[Transaction]:
    narrowed, values = _narrowed(sight, query)
    cursor = sight.connection.execute(
        _TRANSACTION.format(more=narrowed), (sight.tenant_no, before, *values)
    )
    try:
        for columns in cursor:
            number = columns[0]
            if not may_see(sight, number):
                continue
            found = _transaction(sight, columns)
            places = (found.reason or "", found.actor, *found.subjects)
            if filters.has_words(query.text, *places):
                yield found
    finally:
        cursor.close()


def _narrowed(sight: Sight, query: TransactionQuery) -> tuple[str, tuple[Any, ...]]:
    """Return what SQL can tell of a query: conditions and their values."""
    conditions: str = ""
    values: list[Any] = []
    if query.actor is not None:
        conditions += " AND actor_no = (SELECT name_no FROM name WHERE name = ?)"
        values.append(query.actor)
    if query.kinds:
        numbers = [n for n, kind in enumerate(codec.WRITES) if kind.value in query.kinds]
        conditions += f" AND kind IN ({', '.join(map(str, numbers))})"
    for name, wanted in (("subject", query.subject), ("attribute", query.attribute)):
        if wanted is not None:
            conditions += f" AND number IN ({_touching(name, sight.scope)})"
            values += [sight.tenant_no, wanted, *sorted(sight.scope.owners or ())] * 5
    return conditions, tuple(values)


def _touching(name: str, scope: Scope) -> str:
    """Return a selection of the transactions that touched keys by a name; ? tenant, name."""
    keys = f"SELECT key_id FROM key k WHERE tenant_no = ? AND {name} = ? AND {_seen(scope)}"
    return f"""
    SELECT tx_from FROM fact WHERE key_id IN ({keys})
    UNION SELECT tx_to FROM fact WHERE tx_to IS NOT NULL AND key_id IN ({keys})
    UNION SELECT tx_from FROM evidence WHERE key_id IN ({keys})
    UNION SELECT tx_to FROM evidence WHERE tx_to IS NOT NULL AND key_id IN ({keys})
    UNION SELECT v.tx_from FROM conflict_event v JOIN conflict c USING (conflict_no)
      WHERE c.key_id IN ({keys})"""


def _seen(scope: Scope) -> str:
    if scope.owners is None:
        return "1"
    return f"k.owner IN ({', '.join('?' * len(scope.owners))})"


def _names(sight: Sight, name: str, number: int) -> tuple[str, ...]:
    owners = sorted(sight.scope.owners or ())
    statement = _NAMES.format(name=name, seen=_seen(sight.scope))
    values = (sight.tenant_no, number, *owners)
    return tuple(row[0] for row in sight.connection.execute(statement, values).fetchall())


def _transaction(sight: Sight, columns: Sequence[Any]) -> Transaction:
    number, recorded_at, kind, actor_no, tool_no, reason, digest, entries = columns
    try:
        return Transaction.model_construct(
            tenant_id=sight.tenant_id,
            number=number,
            recorded_at=from_micros(recorded_at),
            actor=sight.name(actor_no),
            tool=sight.name(tool_no),
            kind=codec.WRITES[kind],
            reason=reason,
            digest=digest.hex(),
            entries=entries,
            subjects=_names(sight, "subject", number),
            attributes=_names(sight, "attribute", number),
        )
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise codec.unreadable(error) from error


# -- one transaction ----------------------------------------------------------------------------


def detail(sight: Sight, number: int) -> TransactionDetail:
    """Return a transaction with what it made and ended.

    Raises:
        NotFound: the scope sees no such transaction.
    """
    statement = _TRANSACTION.format(more="AND number = ?")
    place = (sight.tenant_no, number + 1, number)
    columns = sight.connection.execute(statement, place).fetchone()
    if columns is None or not may_see(sight, number):
        raise NotFound(f"There is no transaction {number} in tenant {sight.tenant_id}.")
    sees = sight.scope.sees
    entries = sight.entries_of(number)
    began = sorted((r for r in entries.rows_begun if sees(r.key.owner)), key=_place)
    ceased = sorted((r for r in entries.rows_ended if sees(r.key.owner)), key=_place)
    before, after, is_cut = _differences(sight, [*began, *ceased], number)
    links = view.links_in_order(entries)
    conflicts = {
        event.conflict_id
        for event in entries.events
        if sees(sight.key_of_conflict(event.conflict_id).owner)
    }
    reverted_by = sight.connection.execute(_REVERTED_BY, (sight.tenant_no, number)).fetchone()[0]
    lists = (began, ceased, before, after)
    return TransactionDetail(
        transaction=_transaction(sight, columns),
        began=tuple(version_of(sight, row) for row in began[:DETAIL_ROWS]),
        ceased=tuple(version_of(sight, row) for row in ceased[:DETAIL_ROWS]),
        before=tuple(interval_of(s) for s in before[:DETAIL_ROWS]),
        after=tuple(interval_of(s) for s in after[:DETAIL_ROWS]),
        episodes=tuple(sorted(e.draft.episode_id for e in entries.episodes)[:DETAIL_ROWS]),
        conflicts=tuple(sorted(conflicts)),
        evidence=tuple(
            Evidence.model_construct(
                memory_id=link.memory_id,
                episode_id=link.episode_id,
                span=view.span_of(link.span),
                transaction=link.tx_from,
            )
            for link in links
            if sees(link.key.owner)
        ),
        attributes=tuple(
            a.attribute
            for a in view.registered_in_order(entries)
            if may_know(sight, a.attribute.name)
        ),
        reverted_by=reverted_by,
        truncated=is_cut or any(len(part) > DETAIL_ROWS for part in lists),
    )


def _place(row: Row) -> tuple[tuple[str, ...], int]:
    return row.key[1:], row.valid_from


def _differences(
    sight: Sight, rows: Sequence[Row], number: int
) -> tuple[list[Stretch], list[Stretch], bool]:
    """Return the stretches that read otherwise before and after, and whether some were left out."""
    before: list[Stretch] = []
    after: list[Stretch] = []
    for key in sorted({row.key for row in rows}, key=lambda key: key[1:]):
        if len(before) > DETAIL_ROWS or len(after) > DETAIL_ROWS:
            return before, after, True
        found = sight.key_found(key)
        assert found is not None
        was = ledger.stretches(believed_rows(sight, found.key_id, number - 1))
        is_now = ledger.stretches(believed_rows(sight, found.key_id, number))
        left, came = _parted(was, is_now)
        before += left
        after += came
    return before, after, False


def _parted(
    was: Sequence[Stretch], is_now: Sequence[Stretch]
) -> tuple[list[Stretch], list[Stretch]]:
    old = {(s.valid_from, s.valid_to, s.row.content) for s in was}
    new = {(s.valid_from, s.valid_to, s.row.content) for s in is_now}
    left = [s for s in was if (s.valid_from, s.valid_to, s.row.content) not in new]
    came = [s for s in is_now if (s.valid_from, s.valid_to, s.row.content) not in old]
    return left, came


# -- since when ---------------------------------------------------------------------------------


def changes_since(sight: Sight, transaction: int) -> ChangeNotice:
    """Say what was touched after a transaction."""
    place = (sight.tenant_no, transaction)
    tenant = sight.tenant_no
    counted = f"SELECT 1 FROM fact WHERE tenant_no = ? AND tx_from > ? LIMIT {MANY_CHANGES + 1}"
    rows = sight.connection.execute(f"SELECT count(*) FROM ({counted})", place).fetchone()[0]
    if sight.newest - transaction > MANY_CHANGES or rows > MANY_CHANGES:
        return ChangeNotice(transaction, sight.newest, everything=True)
    owners = sorted(sight.scope.owners or ())
    touched = _TOUCHED.format(when="> ?2")
    statement = f"SELECT DISTINCT subject FROM key k WHERE key_id IN ({touched}) AND "
    subjects = sight.connection.execute(
        statement + _seen(sight.scope), (*place, *owners)
    ).fetchall()
    identities = sight.connection.execute(
        f"""SELECT memory_id FROM ({_MEMORIES}) m JOIN key k ON k.key_id = m.key_id
        WHERE memory_id IS NOT NULL AND {_seen(sight.scope)}""",
        (*place, *owners),
    ).fetchall()
    conflicts = sight.connection.execute(
        f"""SELECT EXISTS (SELECT 1 FROM conflict_event v JOIN conflict c USING (conflict_no)
        JOIN key k ON k.key_id = c.key_id
        WHERE v.tenant_no = ? AND v.tx_from > ? AND {_seen(sight.scope)})""",
        (tenant, transaction, *owners),
    ).fetchone()[0]
    episodes = sight.connection.execute(
        "SELECT EXISTS (SELECT 1 FROM episode WHERE tenant_no = ? AND tx_from > ?)", place
    ).fetchone()[0]
    return ChangeNotice(
        since=transaction,
        newest=sight.newest,
        subjects=frozenset(row[0] for row in subjects),
        memory_ids=frozenset(codec.unpack_id(row[0]) for row in identities),
        episodes=bool(episodes),
        conflicts=bool(conflicts),
    )


_MEMORIES: Final = """
SELECT key_id, memory_id FROM fact WHERE tenant_no = ?1 AND tx_from > ?2
UNION SELECT key_id, memory_id FROM fact WHERE tenant_no = ?1 AND tx_to IS NOT NULL AND tx_to > ?2
UNION SELECT key_id, memory_id FROM evidence WHERE tenant_no = ?1 AND tx_from > ?2
UNION SELECT key_id, memory_id FROM evidence
  WHERE tenant_no = ?1 AND tx_to IS NOT NULL AND tx_to > ?2"""


def first_seen(sight: Sight) -> int | None:
    """Return when the first transaction that the scope may see was recorded."""
    return _time_of(sight, "ASC")


def last_seen(sight: Sight) -> int | None:
    """Return when the last transaction that the scope may see was recorded."""
    return _time_of(sight, "DESC")


def _time_of(sight: Sight, direction: str) -> int | None:
    cursor = sight.connection.execute(
        f"SELECT number, recorded_at FROM tx WHERE tenant_no = ? ORDER BY number {direction}",
        (sight.tenant_no,),
    )
    try:
        return next((at for number, at in cursor if may_see(sight, number)), None)
    finally:
        cursor.close()
