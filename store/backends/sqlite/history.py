"""A tenant's whole record as one transaction left it, told in order from one consistent state.

SQLite gives the order: it walks the keys by name and, of each, the rows by their own tree, so that
nothing is sorted and little is held, however long the record is.
"""

from __future__ import annotations

import json
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, Final

from store.backends.sqlite import codec
from store.backends.sqlite.connection import FOREIGN
from store.backends.sqlite.ledger import EPISODE, Ledger, episode_of, header_of, link_of
from store.entry import FIRST_DIGEST
from store.errors import NotFound, Unavailable
from store.history import History, Sealed, link_order
from store.ledger import Key
from store.model import KEEP, Head
from store.rows import made_content, made_row
from store.temporal import from_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from store.backends.sqlite.connection import Database
    from store.backends.sqlite.library import Connection
    from store.contract import Cancel
    from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
    from store.ledger import Row

ROWS_AT_ONCE: Final = 500
EPISODES_AT_ONCE: Final = 16
"""Their contents may be long."""

_BY_NAME: Final = "k.subject, k.attribute, k.owner, k.slot"
_KEYS: Final = f"""
SELECT k.key_id, k.owner, k.subject, k.attribute, k.slot FROM key k
WHERE k.tenant_no = ? ORDER BY {_BY_NAME}"""
_ROWS: Final = f"""
SELECT f.key_id, {codec.ROW} FROM key k CROSS JOIN fact f NOT INDEXED ON f.key_id = k.key_id
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE k.tenant_no = ? AND f.tx_from <= ?
ORDER BY {_BY_NAME}, f.valid_from, f.tx_from"""
_LINKS: Final = f"""
SELECT v.memory_id, v.valid_from, e.episode_id, v.span_from, v.span_to, v.row_tx, v.tx_from,
  v.tx_to, v.key_id
FROM key k CROSS JOIN evidence v ON v.key_id = k.key_id
CROSS JOIN episode e ON e.episode_no = v.episode_no
WHERE k.tenant_no = ? AND v.tx_from <= ?
ORDER BY {_BY_NAME}, v.valid_from"""
_CONTESTED: Final = f"""
SELECT k.key_id FROM key k
WHERE k.tenant_no = ?1
  AND EXISTS (SELECT 1 FROM conflict c WHERE c.key_id = k.key_id AND c.tx_from <= ?2)
ORDER BY {_BY_NAME}"""
_EPISODES: Final = EPISODE + "tx_from <= ? ORDER BY tx_from, episode_id"
_HEADERS: Final = """
SELECT number, recorded_at, kind, actor_no, tool_no, reason, secret, NULL, reverts, digest,
  entries, total
FROM tx WHERE tenant_no = ? AND number <= ? ORDER BY number"""
_HEAD: Final = """
SELECT recorded_at, digest, total FROM tx WHERE tenant_no = ? AND number = ?"""


def head_at(ledger: Ledger, number: int) -> Head:
    """Return the end of a tenant's chain as of a transaction; 0 is before the first.

    Raises:
        NotFound: the tenant has no such transaction.
    """
    recorded_at, digest, total = None, FIRST_DIGEST, 0
    if number:
        place = (ledger.tenant_no, number)
        found = ledger.connection.execute(_HEAD, place).fetchone()
        if found is None:
            raise NotFound(f"Tenant {ledger.tenant_id} has no transaction {number}.")
        recorded_at, digest, total = from_micros(found[0]), found[1].hex(), found[2]
    return Head(
        tenant_id=ledger.tenant_id,
        number=number,
        digest=digest,
        entries=total,
        recorded_at=recorded_at,
    )


def origin_of(ledger: Ledger) -> str | None:
    """Return the store in which a tenant's chain began, if it was taken over from there."""
    statement = "SELECT store_id FROM origin WHERE tenant_no = ?"
    found = ledger.connection.execute(statement, (ledger.tenant_no,)).fetchone()
    return None if found is None else str(found[0])


class SqliteHistory(History):
    """The record as of a transaction, as a reader sees it; closed before the reader is given back.

    Args:
        database: for the meaning of errors.
        ledger: of the tenant, on the reader's connection.
        head: the end of the chain as of the transaction.
        store_id: where the chain began.
        slot_secret: of the tenant.
        cancel: looked at now and then.
    """

    def __init__(
        self,
        database: Database,
        ledger: Ledger,
        head: Head,
        *,
        store_id: str,
        slot_secret: bytes,
        cancel: Cancel | None = None,
    ) -> None:
        self.store_id = store_id
        self.tenant_id = ledger.tenant_id
        self.slot_secret = slot_secret
        self.head = head
        self._database = database
        self._ledger = ledger
        self._cancel = cancel
        self._cursors: set[Any] = set()
        self._connection: Connection | None = ledger.connection

    def close(self) -> None:
        """Let go of the connection; streams that were begun and not finished break off."""
        self._connection = None
        while self._cursors:
            self._cursors.pop().close()

    def _chunks(
        self, statement: str, *more: object, at_once: int = ROWS_AT_ONCE
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield what a statement gives on the tenant, some rows at a time."""
        connection = self._open_connection()
        place = (self._ledger.tenant_no, *more)
        try:
            cursor = connection.execute(statement, place)
            self._cursors.add(cursor)
            while chunk := cursor.fetchmany(at_once):
                if self._cancel is not None:
                    self._cancel.check()
                yield chunk
                self._open_connection()
            self._cursors.discard(cursor)
            cursor.close()
        except FOREIGN as error:
            raise self._database.explained(error) from error

    def _open_connection(self) -> Connection:
        if self._connection is None:
            raise Unavailable("The history was closed, and cannot be read on.")
        return self._connection

    def _each(self, statement: str, *more: object) -> Iterator[tuple[Any, ...]]:
        for chunk in self._chunks(statement, *more):
            yield from chunk

    def _keys(self) -> Iterator[tuple[int, Key]]:
        tenant_id = self.tenant_id
        for key_id, *place in self._each(_KEYS):
            yield key_id, Key(tenant_id, *place)

    def transactions(self) -> Iterator[Sealed]:
        """Yield the transactions; see `History.transactions`."""
        return _sealed(self._each(_HEADERS, self.head.number), self._ledger)

    def attributes(self) -> Iterator[AttributeEntry]:
        """Yield the registry entries; see `History.attributes`."""
        self._open_connection()
        number = self.head.number
        found = self._ledger.attributes("tx_from <= ? ORDER BY name, tx_from", number)
        return (entry.as_of(number) for entry in found)

    def episodes(self) -> Iterator[EpisodeEntry]:
        """Yield the episodes; see `History.episodes`."""
        name_of = self._ledger.name
        for chunk in self._chunks(_EPISODES, self.head.number, at_once=EPISODES_AT_ONCE):
            for columns in chunk:
                yield episode_of(columns, name_of)

    def rows(self) -> Iterator[Row]:
        """Yield the rows; see `History.rows`.

        It does what `codec.row_of` does, at once for the rows of a million keys.
        """
        number, names = self.head.number, _Names(self._ledger)
        kinds, bases, precisions = codec.KINDS, codec.BASES, codec.PRECISIONS
        unpacked, keys = codec.unpack_id, self._keys()
        at: int | None = None
        key = Key("", "", "", "", "")
        try:
            for chunk in self._chunks(_ROWS, number):
                for (
                    key_id,
                    valid_from,
                    tx_from,
                    tx_to,
                    kind,
                    until,
                    memory_id,
                    value,
                    episode_id,
                    agent_no,
                    secret,
                    supersedes,
                    confidence,
                    schema_version,
                    basis,
                    precision,
                    start,
                    end,
                    extra,
                    put,
                ) in chunk:
                    while at != key_id:
                        at, key = next(keys)
                    content = over = None
                    if memory_id is not None:
                        policy, stated = KEEP, None
                        if extra is not None:
                            more = json.loads(extra)
                            stated = more.get("stated_as")
                            policy = more.get("retention_policy", KEEP)
                        if put is not None:
                            over = codec.over_of(json.loads(put))
                        content = made_content(
                            unpacked(memory_id),
                            value,
                            episode_id,
                            names[agent_no],
                            None if start is None else (start, end),
                            confidence,
                            None if supersedes is None else unpacked(supersedes),
                            schema_version,
                            policy,
                            bases[basis],
                            precisions[precision],
                            stated,
                        )
                    if tx_to is not None and tx_to > number:
                        tx_to = None
                    yield made_row(
                        key, valid_from, kinds[kind], content, until, over, tx_from, tx_to, secret
                    )
        except (TypeError, ValueError, LookupError, AttributeError, StopIteration) as error:
            raise codec.unreadable(error) from error

    def evidence(self) -> Iterator[EvidenceEntry]:
        """Yield the links; see `History.evidence`."""
        number, keys = self.head.number, self._keys()
        for key_id, group in groupby(self._each(_LINKS, number), itemgetter(8)):
            key = next(key for at, key in keys if at == key_id)
            links = [link_of(columns, key).as_of(number) for columns in group]
            yield from sorted(links, key=link_order)

    def conflicts(self) -> Iterator[ConflictCase]:
        """Yield the conflicts; see `History.conflicts`."""
        number = self.head.number
        for (key_id,) in self._each(_CONTESTED, number):
            cases = self._ledger.cases("c.key_id = ? AND c.tx_from <= ?", key_id, number)
            for case in sorted(cases, key=attrgetter("entry.conflict_id")):
                yield case.as_of(number)


def sealed_up_to(ledger: Ledger, number: int) -> Iterator[Sealed]:
    """Yield a tenant's transactions up to a number."""
    return _sealed(ledger.connection.execute(_HEADERS, (ledger.tenant_no, number)), ledger)


def _sealed(found: Iterable[tuple[Any, ...]], ledger: Ledger) -> Iterator[Sealed]:
    previous = FIRST_DIGEST
    for columns in found:
        header, digest = header_of(columns[:-1], ledger.name)
        yield Sealed(header._replace(previous=previous), digest, columns[-2], columns[-1])
        previous = digest


class _Names(dict[int, str]):
    """Names by number, looked up once."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def __missing__(self, number: int) -> str:
        name = self[number] = self._ledger.name(number)
        return name
