"""Writing to one tenant's record: what was sealed becomes rows of tables, all or nothing."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any, Final

from store.backends.sqlite import codec
from store.backends.sqlite.ledger import KeyFound, Ledger, tenant_of
from store.backends.sqlite.library import driver
from store.canonical import canonical
from store.entry import (
    ClaimEntry,
    Entries,
    EpisodeEntry,
    TransactionHeader,
    transaction_digest,
)
from store.errors import Stale
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from store.backends.sqlite.library import Connection
    from store.backends.sqlite.names import Names
    from store.ledger import Key, Row

INSERT_TX: Final = """
INSERT INTO tx (tenant_no, number, recorded_at, kind, actor_no, tool_no, entries, total, digest,
  secret, reason, reverts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
INSERT_PLAIN_TX: Final = """
INSERT INTO tx (tenant_no, number, recorded_at, kind, actor_no, tool_no, entries, total, digest,
  secret) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
INSERT_KEY: Final = """
INSERT INTO key (tenant_no, subject, attribute, owner, slot, tx_from) VALUES (?, ?, ?, ?, ?, ?)"""
INSERT_MILESTONE: Final = """
INSERT OR IGNORE INTO milestone (key_id, tx_from, hi)
SELECT ?1, ?2, max(valid_from) FROM fact WHERE key_id = ?1"""
_INVOLVE: Final = "INSERT OR IGNORE INTO involved (key_id) VALUES (?)"
_END_ROW: Final = """
UPDATE fact SET tx_to = ? WHERE key_id = ? AND valid_from = ? AND tx_from = ? AND tx_to IS NULL"""
_INSERT_EVIDENCE: Final = """
INSERT INTO evidence (tenant_no, key_id, valid_from, memory_id, episode_no, row_tx, tx_from,
  span_from, span_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_END_EVIDENCE: Final = """
UPDATE evidence SET tx_to = ? WHERE evidence_no = (
  SELECT v.evidence_no FROM evidence v JOIN episode e ON e.episode_no = v.episode_no
  WHERE v.key_id = ? AND v.valid_from = ? AND v.memory_id = ? AND e.episode_id = ?
    AND v.span_from IS ? AND v.span_to IS ? AND v.row_tx = ? AND v.tx_from = ?
    AND v.tx_to IS NULL AND +v.tenant_no = ? LIMIT 1)"""
_INSERT_ATTRIBUTE: Final = """
INSERT INTO attribute (tenant_no, name, memory_type, cardinality, sensitive, retention_policy,
  schema_version, tx_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_END_ATTRIBUTE: Final = """
UPDATE attribute SET tx_to = ? WHERE tenant_no = ? AND name = ? AND tx_to IS NULL"""
_INSERT_EPISODE: Final = """
INSERT INTO episode (episode_no, tenant_no, episode_id, occurred_at, length, tx_from, kind,
  agent_no, secret, session_id, metadata, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_CONFLICT: Final = """
INSERT INTO conflict (conflict_id, tenant_no, key_id, kind, contested_from, contested_to,
  standing_from, standing_tx, tx_from) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_INSERT_EVENT: Final = """
INSERT INTO conflict_event (conflict_no, tenant_no, tx_from, kind, claim_no, resolution, chosen,
  actor, reason, secret) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""


_inserts: dict[tuple[str, ...], str] = {}


def insert(table: str, columns: tuple[str, ...], values: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return an insertion of the values that are not None, which are slow to bind."""
    bound = [value for value in values if value is not None]
    present = (table, *compress(columns, [value is not None for value in values]))
    statement = _inserts.get(present)
    if statement is None:
        marks = ", ".join("?" * len(bound))
        statement = f"INSERT INTO {table} ({', '.join(present[1:])}) VALUES ({marks})"
        _inserts[present] = statement
    return statement, bound


class Rows:
    """Rows on their way into tables: those with the same columns go in together."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._bound: dict[str, list[list[Any]]] = {}

    def add(self, table: str, columns: tuple[str, ...], values: Sequence[Any]) -> None:
        """Take a row; columns whose value is None are left out."""
        statement, bound = insert(table, columns, values)
        self._bound.setdefault(statement, []).append(bound)

    def insert(self) -> None:
        """Insert what was taken."""
        for statement, bound in self._bound.items():
            self._connection.executemany(statement, bound)


def is_milestone(key_id: int, number: int) -> bool:
    """Say whether a write leaves a milestone: one in sixteen does, on any key in any rhythm."""
    return ((number * 0x9E37_79B1 ^ key_id * 0x85EB_CA77) >> 16) & 15 == 0


class LedgerWriter(Ledger):
    """One transaction on a tenant, not yet committed.

    Attributes:
        number: the number that it will have.
        recorded_at: its time.
        previous: digest of the tenant's newest transaction.
        slot_secret: key of the tenant's slot digests.
    """

    def __init__(
        self,
        connection: Connection,
        tenant_id: str,
        names: Names,
        *,
        time_after: Callable[[int | None], int],
        new_secret: Callable[[], bytes],
    ) -> None:
        tenant = tenant_of(connection, tenant_id)
        super().__init__(connection, tenant_id, tenant.tenant_no, names)
        self.number = tenant.number + 1
        self.recorded_at = time_after(tenant.recorded_at)
        self.previous = tenant.digest
        self.slot_secret = tenant.slot_secret or new_secret()
        self._total = tenant.total
        self._new_names: dict[str, int] = {}
        self._met: set[str | None] = set()

    def rows(self, key: Key, statement: str, *values: object) -> list[Row]:
        """Return rows of one key, and remember whose they are."""
        found = super().rows(key, statement, *values)
        self._met.update([row.memory_id for row in found])
        return found

    def rows_where(self, condition: str, *values: object) -> list[Row]:
        """Return rows of any keys, and remember whose they are."""
        found = super().rows_where(condition, *values)
        self._met.update([row.memory_id for row in found])
        return found

    def commit(self, header: TransactionHeader, entries: Entries, digest: str) -> None:
        """Write sealed entries and the transaction, and commit."""
        self.commit_with(header, entries, digest=digest)

    def commit_with(
        self,
        header: TransactionHeader,
        entries: Entries,
        write_more: Callable[[], list[str]] | None = None,
        *,
        digest: str = "",
    ) -> None:
        """Write sealed entries, further rows that are no `Row`s, and the transaction; commit.

        Args:
            header: of the transaction.
            entries: sealed.
            write_more: writes the further rows, once the episodes have their numbers, and returns
                their digests.
            digest: of the transaction, if there are no further rows.
        """
        try:
            self._insert(header, entries, write_more, digest)
        except driver.IntegrityError as error:
            raise Stale(
                f"The record of {self.tenant_id} has another entry in this place ({error}); look "
                "again. Nothing was written."
            ) from error
        self.connection.execute("COMMIT").close()

    def _insert(
        self,
        header: TransactionHeader,
        entries: Entries,
        write_more: Callable[[], list[str]] | None,
        digest: str,
    ) -> None:
        if self.tenant_no is None:
            self.tenant_no = self.insert_tenant()
        self.insert_episodes(entries.episodes)
        more = write_more() if write_more is not None else []
        if write_more is not None:
            digest = transaction_digest(header, [*entries.digests(), *more])
        self._insert_header(header, len(entries) + len(more), digest)
        self._write_attributes(entries)
        self._write_rows(entries.rows_ended, entries.rows_begun)
        self._write_evidence(entries)
        self._insert_conflicts(entries)

    def insert_tenant(self) -> int:
        """Enter the tenant, which has no record yet; return its number."""
        values = (self.tenant_id, bytearray(self.slot_secret))
        statement = "INSERT INTO tenant (tenant_id, slot_secret) VALUES (?, ?)"
        return int(self.connection.execute(statement, values).lastrowid)

    def _insert_header(self, header: TransactionHeader, count: int, digest: str) -> None:
        values = (
            self.tenant_no,
            header.number,
            header.recorded_at,
            codec.WRITE_NO[header.kind],
            self.name_no(header.actor),
            self.name_no(header.tool),
            count,
            self._total + count,
            bytearray.fromhex(digest),
            bytearray(header.secret),
        )
        if header.reason is None and header.reverts is None:
            self.connection.execute(INSERT_PLAIN_TX, values)
        else:
            self.connection.execute(INSERT_TX, (*values, header.reason, header.reverts))

    def name_no(self, name: str) -> int:
        """Return the number of a name, which is entered if the store has not met it."""
        number = self._new_names.get(name) or self._names.number(self.connection, name)
        if number is None:
            statement = "INSERT INTO name (name) VALUES (?)"
            number = int(self.connection.execute(statement, (name,)).lastrowid)
            self._new_names[name] = number
        return number

    def insert_episodes(self, episodes: Sequence[EpisodeEntry]) -> None:
        """Enter episodes, and take note of their numbers."""
        if not episodes:
            return
        last = self.connection.execute("SELECT max(episode_no) FROM episode").fetchone()[0] or 0
        rows = [self._episode_row(no, entry) for no, entry in enumerate(episodes, last + 1)]
        self.connection.executemany(_INSERT_EPISODE, rows)

    def _episode_row(self, number: int, entry: EpisodeEntry) -> tuple[Any, ...]:
        draft = entry.draft
        self._episodes[draft.episode_id] = (number, len(draft.content))
        return (
            number,
            self.tenant_no,
            draft.episode_id,
            to_micros(draft.occurred_at),
            len(draft.content),
            entry.tx_from,
            draft.kind.value,
            self.name_no(entry.agent_id),
            bytearray(entry.secret),
            draft.session_id,
            canonical(draft.metadata) if draft.metadata else None,
            draft.content,
        )

    def episode_no(self, episode_id: str) -> int:
        """Return the number of an episode that is there."""
        found = self.episode_found(episode_id)
        assert found is not None, f"episode {episode_id} was not captured"
        return found[0]

    def key_no(self, key: Key) -> int:
        """Return the number of a key, which is entered if it has no rows yet."""
        found = self.key_found(key)
        if found is not None:
            return found.key_id
        place = (self.tenant_no, key.subject, key.attribute, key.owner, key.slot, self.number)
        key_id = int(self.connection.execute(INSERT_KEY, place).lastrowid)
        self._keys[key] = KeyFound(key_id, False, False)
        return key_id

    @property
    def episodes_found(self) -> dict[str, tuple[int, int] | None]:
        """The number and length of each episode that was asked for; None for those not there."""
        return self._episodes

    def has_keys(self) -> bool:
        """Say whether the tenant has any key yet."""
        statement = "SELECT 1 FROM key WHERE tenant_no = ? LIMIT 1"
        return self.connection.execute(statement, (self.tenant_no,)).fetchone() is not None

    def enter_key(self, key: Key, key_id: int) -> None:
        """Take note of a key that was entered by other means."""
        self._keys[key] = KeyFound(key_id, False, False)

    def _write_attributes(self, entries: Entries) -> None:
        for entry in entries.attributes_ended:
            place = (self.number, self.tenant_no, entry.attribute.name)
            self._end(_END_ATTRIBUTE, place)
        for entry in entries.attributes_begun:
            it = entry.attribute
            values = (
                self.tenant_no,
                it.name,
                it.memory_type,
                it.cardinality.value,
                int(it.sensitive),
                it.retention_policy,
                it.schema_version,
                entry.tx_from,
            )
            self.connection.execute(_INSERT_ATTRIBUTE, values)

    def _end(self, statement: str, values: Sequence[object]) -> None:
        if self.connection.execute(statement, values).rowcount != 1:
            raise Stale(
                f"The record of {self.tenant_id} no longer has what was to be ended; look again. "
                "Nothing was written."
            )

    def _write_rows(self, ended: Iterable[Row], begun: Iterable[Row]) -> None:
        """End rows and insert others."""
        rows = Rows(self.connection)
        milestones, involved = set(), set()
        for row in ended:
            key_id = self.key_no(row.key)
            self._end(_END_ROW, (self.number, key_id, row.valid_from, row.tx_from))
            involved.add(key_id)
        for row in begun:
            key_id = self.key_no(row.key)
            said = codec.said_values(row, self.episode_no, self.name_no)
            values = (
                key_id,
                row.valid_from,
                row.tx_from,
                codec.KIND_NO[row.kind],
                self.tenant_no,
                row.until,
                *said,
            )
            rows.add("fact", codec.FACT, values)
            if is_milestone(key_id, row.tx_from):
                milestones.add(key_id)
            # A fact that has another row has it in what this unit has read, or here.
            if row.memory_id in self._met:
                involved.add(key_id)
            elif row.memory_id is not None:
                self._met.add(row.memory_id)
        rows.insert()
        for key_id in milestones:
            self.connection.execute(INSERT_MILESTONE, (key_id, self.number))
        for key_id in involved:
            self.connection.execute(_INVOLVE, (key_id,))

    def _write_evidence(self, entries: Entries) -> None:
        for link in entries.evidence_ended:
            place = (
                self.number,
                self.key_no(link.key),
                link.valid_from,
                codec.pack_id(link.memory_id),
                link.episode_id,
                *(link.span or (None, None)),
                link.row_tx,
                link.tx_from,
                self.tenant_no,
            )
            self._end(_END_EVIDENCE, place)
        for link in entries.evidence_begun:
            values = (
                self.tenant_no,
                self.key_no(link.key),
                link.valid_from,
                codec.pack_id(link.memory_id),
                self.episode_no(link.episode_id),
                link.row_tx,
                link.tx_from,
                *(link.span or (None, None)),
            )
            self.connection.execute(_INSERT_EVIDENCE, values)
            self.connection.execute(_INVOLVE, (values[1],))

    def _insert_conflicts(self, entries: Entries) -> None:
        numbers: dict[str, int] = {}
        for conflict in entries.conflicts:
            values = (
                codec.pack_id(conflict.conflict_id),
                self.tenant_no,
                self.key_no(conflict.key),
                conflict.kind.value,
                conflict.contested_from,
                conflict.contested_to,
                conflict.standing.valid_from,
                conflict.standing.tx_from,
                self.number,
            )
            numbers[conflict.conflict_id] = int(
                self.connection.execute(_INSERT_CONFLICT, values).lastrowid
            )
            self.connection.execute(_INVOLVE, (values[2],))
        for event in entries.events:
            number = numbers.get(event.conflict_id) or self._conflict_no(event.conflict_id)
            numbers[event.conflict_id] = number
            claim_no = None if event.claim is None else self._claim_no(number, event.claim)
            happened = (
                number,
                self.tenant_no,
                event.tx_from,
                event.kind.value,
                claim_no,
                None if event.resolution is None else event.resolution.value,
                None if event.claim_id is None else codec.pack_id(event.claim_id),
                event.actor,
                event.reason,
                bytearray(event.secret),
            )
            self.connection.execute(_INSERT_EVENT, happened)

    def _conflict_no(self, conflict_id: str) -> int:
        statement = "SELECT conflict_no FROM conflict WHERE conflict_id = ? AND tenant_no = ?"
        place = (codec.pack_id(conflict_id), self.tenant_no)
        return int(self.connection.execute(statement, place).fetchone()[0])

    def _claim_no(self, conflict_no: int, claim: ClaimEntry) -> int:
        """Return the number of a claim, which is entered when it is first heard of."""
        statement = "SELECT claim_no FROM claim WHERE conflict_no = ? AND memory_id = ?"
        place = (conflict_no, codec.pack_id(claim.claim_id))
        found = self.connection.execute(statement, place).fetchone()
        if found is not None:
            return int(found[0])
        row = claim.row
        said = codec.said_values(row, self.episode_no, self.name_no)
        columns = ("conflict_no", "key_id", "valid_from", "until", *codec.SAID)
        values = (conflict_no, self.key_no(row.key), row.valid_from, row.until, *said)
        return int(self.connection.execute(*insert("claim", columns, values)).lastrowid)
