"""A whole record on its way into the tables, in one transaction, many rows a statement.

The tables end up as ordinary writes would have left them, short cuts included. Only numbers that
nothing shows differ: those of keys, episodes and conflicts.
"""

from __future__ import annotations

import json
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any, Final

from store.backends.admission import refused
from store.backends.sqlite import codec
from store.backends.sqlite.history import sealed_up_to
from store.backends.sqlite.library import driver
from store.backends.sqlite.load import MANY_ROWS
from store.backends.sqlite.names import Names
from store.backends.sqlite.writer import LedgerWriter, Rows, is_milestone
from store.backends.takeover import Intake, Source, take_over
from store.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from store.backends.sqlite.library import Connection
    from store.backends.takeover import KeyRecord
    from store.contract import Cancel, Progress
    from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
    from store.history import History, Sealed
    from store.ledger import Row

_TX: Final = (
    *("tenant_no", "number", "recorded_at", "kind", "actor_no", "tool_no", "entries", "total"),
    *("digest", "secret", "reason", "reverts"),
)
_ATTRIBUTE: Final = (
    *("tenant_no", "name", "memory_type", "cardinality", "sensitive", "retention_policy"),
    *("schema_version", "tx_from", "tx_to"),
)
_FACT: Final = (*codec.FACT, "tx_to")
_EVIDENCE: Final = (
    *("evidence_no", "tenant_no", "key_id", "valid_from", "memory_id", "episode_no", "row_tx"),
    *("tx_from", "tx_to", "span_from", "span_to"),
)
_CONFLICT: Final = (
    *("conflict_no", "conflict_id", "tenant_no", "key_id", "kind", "contested_from"),
    *("contested_to", "standing_from", "standing_tx", "tx_from"),
)
_CLAIM: Final = ("claim_no", "conflict_no", "key_id", "valid_from", "until", *codec.SAID)
_EVENT: Final = (
    *("event_no", "conflict_no", "tenant_no", "tx_from", "kind", "claim_no", "resolution"),
    *("chosen", "actor", "reason", "secret"),
)
_INSERT_KEY: Final = """
INSERT INTO key (key_id, tenant_no, subject, attribute, owner, slot, tx_from)
VALUES (?, ?, ?, ?, ?, ?, ?)"""
_SOURCES: Final = """
SELECT e.episode_id, e.episode_no, e.tx_from, e.length FROM json_each(?) j
CROSS JOIN episode e ON e.tenant_no = ? AND e.episode_id = j.value"""
_STRAY: Final = """
SELECT memory_id FROM fact WHERE memory_id IS NOT NULL
GROUP BY memory_id HAVING min(key_id) <> max(key_id) LIMIT 1"""


def restore(
    connection: Connection,
    history: History,
    own_id: str,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Take over a record into the transaction that is open, all but the commit.

    Args:
        connection: the writer.
        history: the record.
        own_id: the identity of this store.
        progress: told how many rows and episodes are done.
        cancel: stops it.

    Raises:
        Refused: the tenant has a record already.
        Corrupt: the record is wrong.
    """
    try:
        take_over(history, _SqliteIntake(connection, history, own_id), progress, cancel)
    except driver.IntegrityError as error:
        said = f"something of it is there twice, or in the store already ({error})"
        raise refused("the record", said) from error


class _SqliteIntake(Intake):
    """Puts a record into the tables. Names are its own: they are not known before the commit."""

    def __init__(self, connection: Connection, history: History, own_id: str) -> None:
        self._connection = connection
        self._own_id = own_id
        self._writer = LedgerWriter(
            connection,
            history.tenant_id,
            Names(),
            time_after=lambda last: last or 0,
            new_secret=bytes,
        )
        if self._writer.tenant_no is not None:
            raise Refused(
                f"Tenant {history.tenant_id} has a record already; take the other over into an "
                "empty store. Nothing was written."
            )
        self.tenant_no = 0
        self._name_no = self._writer.name_no
        self._last = history.head.number
        self._numbers: dict[str, int] = {}
        self._key_id = self._highest("key_id", "key")
        self._conflict_no = self._highest("conflict_no", "conflict")
        self._claim_no = self._highest("claim_no", "claim")
        self._event_no = self._highest("event_no", "conflict_event")
        self._evidence_no = self._highest("evidence_no", "evidence")

    def begin(self, store_id: str, slot_secret: bytes) -> None:
        """Put down where the chain began, and from what the tenant's slots are made."""
        self._writer.slot_secret = slot_secret
        self.tenant_no = self._writer.tenant_no = self._writer.insert_tenant()
        if store_id != self._own_id:
            place = (self.tenant_no, store_id)
            self._connection.execute("INSERT INTO origin VALUES (?, ?)", place)

    def _highest(self, column: str, table: str) -> int:
        found = self._connection.execute(f"SELECT max({column}) FROM {table}").fetchone()[0]
        return int(found or 0)

    def transactions(self, part: list[Sealed]) -> None:
        """Put down transactions."""
        rows = Rows(self._connection)
        for header, digest, entries, total in part:
            values = (
                *(self.tenant_no, header.number, header.recorded_at),
                *(codec.WRITE_NO[header.kind], self._name_no(header.actor)),
                *(self._name_no(header.tool), entries, total, bytearray.fromhex(digest)),
                *(bytearray(header.secret), header.reason, header.reverts),
            )
            rows.add("tx", _TX, values)
        rows.insert()

    def attributes(self, part: list[AttributeEntry]) -> None:
        """Put down registry entries."""
        rows = Rows(self._connection)
        for entry in part:
            it = entry.attribute
            values = (
                *(self.tenant_no, it.name, it.memory_type, it.cardinality.value),
                *(int(it.sensitive), it.retention_policy, it.schema_version),
                *(entry.tx_from, entry.tx_to),
            )
            rows.add("attribute", _ATTRIBUTE, values)
        rows.insert()

    def episodes(self, part: list[EpisodeEntry]) -> None:
        """Put down episodes."""
        self._writer.insert_episodes(part)
        self._writer.episodes_found.clear()

    def sources(self, episode_ids: Iterable[str]) -> Mapping[str, Source]:
        """Return those of the episodes that were put down."""
        place = (json.dumps(list(episode_ids)), self.tenant_no)
        found = self._connection.execute(_SOURCES, place).fetchall()
        self._numbers = {columns[0]: columns[1] for columns in found}
        return {columns[0]: Source(columns[2], columns[3]) for columns in found}

    def keys(self, part: list[KeyRecord]) -> None:
        """Put down keys with all that belongs to them."""
        rows, others = Rows(self._connection), Rows(self._connection)
        keys: list[tuple[Any, ...]] = []
        for record in part:
            self._key_id += 1
            key = record.key
            since = min([row.tx_from for row in record.rows])
            named = (key.subject, key.attribute, key.owner, key.slot)
            keys.append((self._key_id, self.tenant_no, *named, since))
            for row in record.rows:
                rows.add("fact", _FACT, self._fact(row))
            for link in record.evidence:
                others.add("evidence", _EVIDENCE, self._link(link))
            # Conflicts of one key are looked at in the order in which they were raised.
            for case in sorted(record.cases, key=lambda case: case.events[0].tx_from):
                self._enter_case(others, case)
            self._leave_short_cuts(others, record)
        self._connection.executemany(_INSERT_KEY, keys)
        rows.insert()
        others.insert()

    def _fact(self, row: Row) -> tuple[Any, ...]:
        said = codec.said_values(row, self._numbers.__getitem__, self._name_no)
        kind = codec.KIND_NO[row.kind]
        start = (self._key_id, row.valid_from, row.tx_from, kind, self.tenant_no, row.until)
        return (*start, *said, row.tx_to)

    def _link(self, link: EvidenceEntry) -> tuple[Any, ...]:
        self._evidence_no += 1
        return (
            *(self._evidence_no, self.tenant_no, self._key_id, link.valid_from),
            codec.pack_id(link.memory_id),
            *(self._numbers[link.episode_id], link.row_tx, link.tx_from, link.tx_to),
            *(link.span or (None, None)),
        )

    def _enter_case(self, others: Rows, case: ConflictCase) -> None:
        entry = case.entry
        self._conflict_no += 1
        number = self._conflict_no
        values = (
            *(number, codec.pack_id(entry.conflict_id), self.tenant_no, self._key_id),
            *(entry.kind.value, entry.contested_from, entry.contested_to),
            *(entry.standing.valid_from, entry.standing.tx_from, case.events[0].tx_from),
        )
        others.add("conflict", _CONFLICT, values)
        claims: dict[str, int] = {}
        for event in case.events:
            if event.claim is not None and event.claim.claim_id not in claims:
                self._claim_no += 1
                claims[event.claim.claim_id] = self._claim_no
                row = event.claim.row
                said = codec.said_values(row, self._numbers.__getitem__, self._name_no)
                place = (self._claim_no, number, self._key_id, row.valid_from, row.until)
                others.add("claim", _CLAIM, (*place, *said))
            self._event_no += 1
            happened = (
                *(self._event_no, number, self.tenant_no, event.tx_from, event.kind.value),
                None if event.claim is None else claims[event.claim.claim_id],
                None if event.resolution is None else event.resolution.value,
                None if event.claim_id is None else codec.pack_id(event.claim_id),
                *(event.actor, event.reason, bytearray(event.secret)),
            )
            others.add("conflict_event", _EVENT, happened)

    def _leave_short_cuts(self, others: Rows, record: KeyRecord) -> None:
        """Leave the milestones and the mark that ordinary writes would have left."""
        rows = record.rows
        facts = [row.memory_id for row in rows if row.memory_id is not None]
        if (
            record.evidence
            or record.cases
            or len(set(facts)) < len(facts)
            or any(row.tx_to is not None for row in rows)
        ):
            others.add("involved", ("key_id",), (self._key_id,))
        for number, reached in _milestones(self._key_id, rows):
            others.add("milestone", ("key_id", "tx_from", "hi"), (self._key_id, number, reached))

    def sealed(self) -> Iterator[Sealed]:
        """Yield the transactions that were put down."""
        return sealed_up_to(self._writer, self._last)

    def stray(self) -> str | None:
        """Return the id of a fact that is on more than one key, if there is one."""
        found = self._connection.execute(_STRAY).fetchone()
        return None if found is None else codec.unpack_id(found[0])


def _milestones(key_id: int, rows: list[Row]) -> Iterator[tuple[int, int]]:
    """Yield for some transactions how far the rows of a key reached then."""
    if len(rows) == 1:
        if is_milestone(key_id, rows[0].tx_from):
            yield rows[0].tx_from, rows[0].valid_from
        return
    ordered = sorted(rows, key=lambda row: row.tx_from)
    reached = list(accumulate((row.valid_from for row in ordered), max))
    done = 0
    left: set[int] = set()
    for number, group in groupby(ordered, lambda row: row.tx_from):
        count = len(list(group))
        if count >= MANY_ROWS and done and number - 1 not in left:
            yield number - 1, reached[done - 1]
        done += count
        if is_milestone(key_id, number):
            left.add(number)
            yield number, reached[done - 1]
