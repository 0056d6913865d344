"""A unit of work on SQLite: what the acts read while the write lock is held, and the commit.

These are the hot statements of writing, so they are plain SQL on the driver's connection. What a
statement has told (a key's number, an episode's) is kept for the commit.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from store.backends.sqlite import codec
from store.backends.sqlite.library import driver
from store.backends.unit import Unit
from store.canonical import canonical, parse
from store.entry import (
    FIRST_DIGEST,
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    ConflictEntry,
    ConflictEvent,
    Entries,
    EpisodeEntry,
    EventKind,
    EvidenceEntry,
    TransactionHeader,
    transaction_digest,
)
from store.errors import Stale
from store.ledger import Key, Row
from store.model import (
    Attribute,
    Cardinality,
    ConflictKind,
    EpisodeDraft,
    EpisodeKind,
    Resolution,
    RowKind,
    WriteKind,
)
from store.temporal import from_micros, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from store.backends.sqlite.library import Connection
    from store.backends.sqlite.names import Names

FEW: Final = 64
"""So many live rows of a key with stated ends are fetched rather than searched."""

_HEAD: Final = """
SELECT t.tenant_no, t.slot_secret, x.number, x.recorded_at, x.digest, x.total
FROM tenant t LEFT JOIN tx x ON x.tenant_no = t.tenant_no
WHERE t.tenant_id = ? ORDER BY x.number DESC LIMIT 1"""
_KEY: Final = """
SELECT k.key_id, EXISTS (SELECT 1 FROM conflict c WHERE c.key_id = k.key_id),
  EXISTS (SELECT 1 FROM fact f WHERE f.key_id = k.key_id AND f.tx_to IS NULL
          AND f.until IS NOT NULL AND f.kind < 2)
FROM key k
WHERE k.tenant_no = ? AND k.subject = ? AND k.attribute = ? AND k.owner = ? AND k.slot = ?"""
_KEY_BY_NO: Final = "SELECT owner, subject, attribute, slot FROM key WHERE key_id = ?"
#: The plus keeps the planner from walking the whole tenant: an id has few rows.
_KEY_OF: Final = "SELECT key_id FROM fact WHERE memory_id = ? AND +tenant_no = ? LIMIT 1"
_REVERTS_OF: Final = "SELECT number FROM tx WHERE tenant_no = ? AND reverts = ? ORDER BY number"
_CORRECTED_SLOTS: Final = f"""
SELECT DISTINCT k.slot FROM key k JOIN fact f ON f.key_id = k.key_id
JOIN tx x ON x.tenant_no = k.tenant_no AND x.number = f.tx_from
WHERE k.tenant_no = ? AND k.subject = ? AND k.attribute = ? AND k.owner = ? AND k.slot <> ''
  AND f.tx_to IS NULL AND f.kind = {codec.KIND_NO[RowKind.FACT]}
  AND x.kind NOT IN ({codec.WRITE_NO[WriteKind.CHANGE]}, {codec.WRITE_NO[WriteKind.LOAD]})
ORDER BY k.slot"""
_SLOTS_AFTER: Final = """
SELECT DISTINCT f.tx_from FROM fact f JOIN key k ON k.key_id = f.key_id
WHERE f.tenant_no = ? AND f.tx_from > ? AND f.tx_to IS NULL AND k.attribute = ? AND k.slot <> ''"""
_ATTRIBUTE: Final = """
SELECT name, memory_type, cardinality, sensitive, retention_policy, schema_version, tx_from, tx_to
FROM attribute WHERE tenant_no = ? AND """
_EPISODE_NO: Final = "SELECT episode_no, length FROM episode WHERE tenant_no = ? AND episode_id = ?"
_EPISODE: Final = """
SELECT episode_id, kind, content, occurred_at, agent_no, session_id, metadata, tx_from, secret
FROM episode WHERE tenant_no = ? AND """
_ROWS: Final = f"""
SELECT {codec.ROW}, f.key_id FROM fact f LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE """
_LIVE_ROWS: Final = f"""
SELECT {codec.ROW} FROM fact f INDEXED BY fact_live
LEFT JOIN episode e ON e.episode_no = f.episode_no WHERE f.key_id = ? AND f.tx_to IS NULL """
_LIVE: Final = _LIVE_ROWS + "ORDER BY f.valid_from"
_FIRST_LIVE: Final = _LIVE + " LIMIT ?"
_UP_TO: Final = _LIVE_ROWS + "AND f.valid_from <= ? ORDER BY f.valid_from DESC LIMIT 2"
_AFTER: Final = _LIVE_ROWS + "AND f.valid_from > ? ORDER BY f.valid_from LIMIT 2"
_ALL_AFTER: Final = _LIVE_ROWS + "AND f.valid_from > ? ORDER BY f.valid_from"
_OPEN_BEFORE: Final = (
    _LIVE_ROWS
    + "AND f.valid_from < ? AND f.kind < 2 AND f.until IS NULL ORDER BY f.valid_from DESC LIMIT 1"
)
_REACHING: Final = f"""
SELECT {codec.ROW} FROM fact f INDEXED BY fact_bounded
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE f.key_id = ? AND f.tx_to IS NULL AND f.until IS NOT NULL AND f.kind < 2
  AND f.until >= ? AND f.valid_from < ? """
_HAS_OVER: Final = "SELECT 1 FROM fact WHERE key_id = ? AND over IS NOT NULL LIMIT 1"
_VERSIONS_AT: Final = _ROWS + "f.key_id = ? AND f.valid_from = ? AND f.kind = 0"
_KEY_VERSION: Final = "SELECT max(tx_from), max(tx_to) FROM fact WHERE key_id = ?"
_EVIDENCE: Final = """
SELECT v.memory_id, v.valid_from, e.episode_id, v.span_from, v.span_to, v.row_tx, v.tx_from,
  v.tx_to, v.key_id
FROM evidence v JOIN episode e ON e.episode_no = v.episode_no
WHERE """
_CONFLICT: Final = f"""
SELECT c.conflict_no, c.conflict_id, c.key_id, c.kind, c.contested_from, c.contested_to,
  {codec.ROW}
FROM conflict c
JOIN fact f ON f.key_id = c.key_id AND f.valid_from = c.standing_from AND f.tx_from = c.standing_tx
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE c.tenant_no = ? AND """
_EVENTS: Final = f"""
SELECT v.conflict_no, v.kind, v.claim_no, v.resolution, v.chosen, v.actor, v.reason,
  v.tx_from, v.secret, {codec.CLAIM}
FROM conflict_event v LEFT JOIN claim f ON f.claim_no = v.claim_no
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE """
_NEAR: Final = """c.conflict_no IN (
  SELECT conflict_no FROM conflict WHERE key_id = ? AND standing_from = ?
  UNION SELECT conflict_no FROM claim WHERE key_id = ? AND valid_from = ?)"""
HEADER: Final = """
SELECT x.number, x.recorded_at, x.kind, x.actor_no, x.tool_no, x.reason, x.secret,
  (SELECT p.digest FROM tx p WHERE p.tenant_no = x.tenant_no AND p.number = x.number - 1),
  x.reverts, x.digest, x.entries
FROM tx x WHERE {which}"""
_HEADER: Final = HEADER.format(which="x.tenant_no = ? AND x.number = ?")

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
INSERT INTO episode (tenant_no, episode_id, occurred_at, length, tx_from, kind, agent_no, secret,
  session_id, metadata, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
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
    present = (table, *(c for c, value in zip(columns, values, strict=True) if value is not None))
    statement = _inserts.get(present)
    if statement is None:
        marks = ", ".join("?" * len(bound))
        statement = f"INSERT INTO {table} ({', '.join(present[1:])}) VALUES ({marks})"
        _inserts[present] = statement
    return statement, bound


def is_milestone(key_id: int, number: int) -> bool:
    """Say whether a write leaves a milestone: one in sixteen does, on any key in any rhythm."""
    return ((number * 0x9E37_79B1 ^ key_id * 0x85EB_CA77) >> 16) & 15 == 0


class Tenant(NamedTuple):
    """What a tenant's ledger ends with; `tenant_no` is None before its first commit."""

    tenant_no: int | None
    slot_secret: bytes
    number: int
    recorded_at: int | None
    digest: str
    total: int


def tenant_of(connection: Connection, tenant_id: str) -> Tenant:
    """Return the end of a tenant's ledger."""
    found = connection.execute(_HEAD, (tenant_id,)).fetchone()
    if found is None:
        return Tenant(None, b"", 0, None, FIRST_DIGEST, 0)
    tenant_no, slot_secret, number, recorded_at, digest, total = found
    if number is None:
        return Tenant(tenant_no, slot_secret, 0, None, FIRST_DIGEST, 0)
    return Tenant(tenant_no, slot_secret, number, recorded_at, digest.hex(), total)


class _KeyFound(NamedTuple):
    key_id: int
    has_conflicts: bool
    is_bounded: bool


class Ledger:
    """One tenant's record as a connection sees it, in the terms of `store.ledger`."""

    def __init__(
        self, connection: Connection, tenant_id: str, tenant_no: int | None, names: Names
    ) -> None:
        self.connection = connection
        self.tenant_id = tenant_id
        self.tenant_no = tenant_no
        self._names = names
        self._keys: dict[Key, _KeyFound | None] = {}
        self._keys_by_no: dict[int, Key] = {}
        self._episodes: dict[str, tuple[int, int] | None] = {}
        self._conflicts: dict[int, tuple[str, Key]] = {}

    def name(self, number: int) -> str:
        """Return a name by its number."""
        return self._names.name(self.connection, number)

    def key_found(self, key: Key) -> _KeyFound | None:
        """Return what is known of a key; None if it has no rows."""
        if key not in self._keys:
            place = (self.tenant_no, key.subject, key.attribute, key.owner, key.slot)
            found = self.connection.execute(_KEY, place).fetchone() if self.tenant_no else None
            self._keys[key] = None if found is None else _KeyFound(*found)
        return self._keys[key]

    def key_by_no(self, key_id: int) -> Key:
        """Return a key by its number."""
        key = self._keys_by_no.get(key_id)
        if key is None:
            found = self.connection.execute(_KEY_BY_NO, (key_id,)).fetchone()
            if found is None:
                raise codec.unreadable(KeyError(f"key {key_id}"))
            key = self._keys_by_no[key_id] = Key(self.tenant_id, *found)
        return key

    def rows(self, key: Key, statement: str, *values: object) -> list[Row]:
        """Return rows of one key."""
        name_of = self.name
        found = self.connection.execute(statement, values).fetchall()
        return [codec.row_of(key, columns, name_of) for columns in found]

    def rows_where(self, condition: str, *values: object) -> list[Row]:
        """Return rows of any keys, by a condition on `f`."""
        found = self.connection.execute(_ROWS + condition, values).fetchall()
        return [codec.row_of(self.key_by_no(c[-1]), c[:-1], self.name) for c in found]

    def attributes(self, condition: str, *values: object) -> list[AttributeEntry]:
        """Return registry entries, by a condition."""
        found = self.connection.execute(_ATTRIBUTE + condition, (self.tenant_no, *values))
        return [_attribute_of(columns) for columns in found.fetchall()]

    def episode_found(self, episode_id: str) -> tuple[int, int] | None:
        """Return the number of an episode and the length of its content."""
        if episode_id not in self._episodes:
            place = (self.tenant_no, episode_id)
            found = self.connection.execute(_EPISODE_NO, place).fetchone()
            self._episodes[episode_id] = found
        return self._episodes[episode_id]

    def episodes(self, condition: str, *values: object) -> list[EpisodeEntry]:
        """Return episodes, by a condition."""
        found = self.connection.execute(_EPISODE + condition, (self.tenant_no, *values))
        return [_episode_of(columns, self.name) for columns in found.fetchall()]

    def links(self, condition: str, *values: object) -> list[EvidenceEntry]:
        """Return evidence, by a condition on `v`."""
        found = self.connection.execute(f"{_EVIDENCE}{condition} ORDER BY v.evidence_no", values)
        return [_link_of(columns, self.key_by_no(columns[8])) for columns in found.fetchall()]

    def cases(self, condition: str, *values: object) -> list[ConflictCase]:
        """Return conflicts with all their events, by a condition on `c`, in order of raising."""
        statement = f"{_CONFLICT}{condition} ORDER BY c.conflict_no"
        found = self.connection.execute(statement, (self.tenant_no, *values)).fetchall()
        return [self._case_of(columns) for columns in found]

    def _case_of(self, columns: Sequence[Any]) -> ConflictCase:
        number, conflict_id, key_id, kind, contested_from, contested_to = columns[:6]
        key = self.key_by_no(key_id)
        standing = codec.row_of(key, columns[6:], self.name)
        try:
            entry = ConflictEntry(
                codec.unpack_id(conflict_id),
                key,
                ConflictKind(kind),
                contested_from,
                contested_to,
                _as_it_stood(standing),
            )
        except (TypeError, ValueError, AttributeError) as error:
            raise codec.unreadable(error) from error
        self._conflicts[number] = entry.conflict_id, key
        return ConflictCase(entry, tuple(self.events("v.conflict_no = ?", number)))

    def events(self, condition: str, *values: object) -> list[ConflictEvent]:
        """Return conflict events, by a condition on `v`, in order."""
        found = self.connection.execute(f"{_EVENTS}{condition} ORDER BY v.event_no", values)
        return [self._event_of(columns) for columns in found.fetchall()]

    def _event_of(self, columns: Sequence[Any]) -> ConflictEvent:
        conflict_no, kind, claim_no, resolution, chosen, actor, reason, tx_from, secret = columns[
            :9
        ]
        conflict_id, key = self._conflict_key(conflict_no)
        claim = None
        if claim_no is not None:
            row = codec.row_of(key, columns[9:], self.name)
            claim = ClaimEntry(row.memory_id or "", row)
        try:
            return ConflictEvent(
                conflict_id,
                EventKind(kind),
                claim,
                None if resolution is None else Resolution(resolution),
                None if chosen is None else codec.unpack_id(chosen),
                actor,
                reason,
                tx_from,
                secret,
            )
        except (TypeError, ValueError) as error:
            raise codec.unreadable(error) from error

    def _conflict_key(self, conflict_no: int) -> tuple[str, Key]:
        found = self._conflicts.get(conflict_no)
        if found is None:
            statement = "SELECT conflict_id, key_id FROM conflict WHERE conflict_no = ?"
            columns = self.connection.execute(statement, (conflict_no,)).fetchone()
            if columns is None:
                raise codec.unreadable(KeyError(f"conflict {conflict_no}"))
            found = codec.unpack_id(columns[0]), self.key_by_no(columns[1])
            self._conflicts[conflict_no] = found
        return found

    def key_of_conflict(self, conflict_id: str) -> Key:
        """Return the key of a conflict that is there."""
        statement = "SELECT conflict_no FROM conflict WHERE conflict_id = ? AND tenant_no = ?"
        place = (codec.pack_id(conflict_id), self.tenant_no)
        return self._conflict_key(self.connection.execute(statement, place).fetchone()[0])[1]

    def sealed(self, number: int) -> tuple[TransactionHeader, str] | None:
        """Return the header and the digest of a transaction."""
        found = self.connection.execute(_HEADER, (self.tenant_no, number)).fetchone()
        return None if found is None else header_of(found, self.name)

    def reverts_of(self, number: int) -> Sequence[int]:
        """Return the numbers of the transactions that reverted one."""
        found = self.connection.execute(_REVERTS_OF, (self.tenant_no, number)).fetchall()
        return [number for (number,) in found]

    def entries_of(self, number: int) -> Entries:
        """Return what a transaction began and ended."""
        tenant = self.tenant_no
        order = " ORDER BY f.key_id, f.valid_from, f.tx_from"
        began = "v.tenant_no = ? AND v.tx_from = ?"
        return Entries(
            episodes=self.episodes("tx_from = ? ORDER BY episode_no", number),
            attributes_ended=self.attributes("tx_to = ? ORDER BY attribute_no", number),
            attributes_begun=self.attributes("tx_from = ? ORDER BY attribute_no", number),
            rows_ended=self.rows_where("f.tenant_no = ? AND f.tx_to = ?" + order, tenant, number),
            rows_begun=self.rows_where("f.tenant_no = ? AND f.tx_from = ?" + order, tenant, number),
            evidence_ended=self.links("v.tenant_no = ? AND v.tx_to = ?", tenant, number),
            evidence_begun=self.links(began, tenant, number),
            conflicts=[case.entry for case in self.cases("c.tx_from = ?", number)],
            events=self.events(began, tenant, number),
        )


class SqliteUnit(Ledger, Unit):
    """One transaction; the write lock is held, or for a glance a read transaction."""

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

    # -- what the acts read -------------------------------------------------------------------

    def expect_episodes(self, identities: Iterable[str]) -> None:
        """Look up many episodes at once, so that asking for one by one costs nothing."""
        wanted = dict.fromkeys(i for i in identities if i not in self._episodes)
        found = self.connection.execute(
            "SELECT e.episode_id, e.episode_no, e.length FROM json_each(?) j "
            # CROSS keeps the planner from walking all episodes for each identity.
            "CROSS JOIN episode e ON e.tenant_no = ? AND e.episode_id = j.value",
            (json.dumps(list(wanted)), self.tenant_no),
        ).fetchall()
        self._episodes.update(wanted)
        self._episodes.update({columns[0]: (columns[1], columns[2]) for columns in found})

    def attribute(self, name: str) -> AttributeEntry | None:
        """Return the live registry entry of an attribute."""
        found = self.attributes("name = ? AND tx_to IS NULL", name)
        return found[0] if found else None

    def episode_length(self, episode_id: str) -> int | None:
        """Return how many characters an episode's content has."""
        found = self.episode_found(episode_id)
        return None if found is None else found[1]

    def episode(self, episode_id: str) -> EpisodeEntry | None:
        """Return an episode."""
        if self._episodes.get(episode_id, ()) is None:
            return None  # looked up before, and not there
        found = self.episodes("episode_id = ?", episode_id)
        return found[0] if found else None

    def neighbours(self, key: Key, valid_from: int, until: int | None) -> Sequence[Row]:
        """Return the live rows around a claim."""
        found = self.key_found(key)
        if found is None:
            return ()
        if not found.is_bounded:
            # Without stated ends nothing is derived and each row ends at the next.
            rows = self.rows(key, _UP_TO, found.key_id, valid_from)
            rows.reverse()
            if until is None:
                return rows + self.rows(key, _AFTER, found.key_id, valid_from)
            return rows + self._after(key, found.key_id, valid_from, until)
        rows = self.rows(key, _FIRST_LIVE, found.key_id, FEW + 1)
        if len(rows) <= FEW:
            return rows
        if self.connection.execute(_HAS_OVER, (found.key_id,)).fetchone() is not None:
            # An `end` under a stated period counts too, and no index tells where it reaches.
            return self.live(key)
        return self._searched(key, found.key_id, valid_from, until)

    def _searched(self, key: Key, key_id: int, valid_from: int, until: int | None) -> list[Row]:
        rows = self.rows(key, _UP_TO, key_id, valid_from)
        rows += self.rows(key, _OPEN_BEFORE, key_id, valid_from)
        rows += self.rows(key, _REACHING, key_id, valid_from, valid_from)
        rows += self._after(key, key_id, valid_from, until)
        if until is not None:
            beyond = _REACHING + "AND f.valid_from > ?"
            rows += self.rows(key, beyond, key_id, until + 1, until, valid_from)
        by_start = {row.valid_from: row for row in rows}
        return [by_start[at] for at in sorted(by_start)]

    def _after(self, key: Key, key_id: int, valid_from: int, until: int | None) -> list[Row]:
        """Return the rows after an instant up to the first that cuts, and one more."""
        cursor = self.connection.execute(_ALL_AFTER, (key_id, valid_from))
        rows: list[Row] = []
        for columns in cursor:
            row = codec.row_of(key, columns, self.name)
            rows.append(row)
            cuts = row.is_assertion and row.until is None
            if cuts or (until is not None and row.valid_from >= until):
                rows += [codec.row_of(key, c, self.name) for c in islice(cursor, 1)]
                break
        cursor.close()
        return rows

    def live(self, key: Key) -> Sequence[Row]:
        """Return all live rows of a key."""
        found = self.key_found(key)
        return self.rows(key, _LIVE, found.key_id) if found else ()

    def versions_at(self, key: Key, valid_from: int) -> Sequence[Row]:
        """Return every fact row that ever began at an instant on a key."""
        found = self.key_found(key)
        if found is None:
            return ()
        rows = self.connection.execute(_VERSIONS_AT, (found.key_id, valid_from)).fetchall()
        return [codec.row_of(key, columns[:-1], self.name) for columns in rows]

    def key_of(self, memory_id: str) -> Key | None:
        """Return the key on which a fact has rows."""
        place = (codec.pack_id(memory_id), self.tenant_no)
        found = self.connection.execute(_KEY_OF, place).fetchone()
        return None if found is None else self.key_by_no(found[0])

    def key_version(self, key: Key) -> int:
        """Return the number of the last transaction that touched a row of a key."""
        found = self.key_found(key)
        if found is None:
            return 0
        began, ended = self.connection.execute(_KEY_VERSION, (found.key_id,)).fetchone()
        return max(began or 0, ended or 0)

    def corrected_slots(self, key: Key) -> Sequence[Key]:
        """Return the keys of the same attribute whose slots may say another value."""
        place = (self.tenant_no, key.subject, key.attribute, key.owner)
        found = self.connection.execute(_CORRECTED_SLOTS, place).fetchall()
        return [key._replace(slot=slot) for (slot,) in found]

    def slots_after(self, attribute: str, number: int) -> set[int]:
        """Return the transactions after one that began live rows in slots of their own."""
        place = (self.tenant_no, number, attribute)
        return {found[0] for found in self.connection.execute(_SLOTS_AFTER, place).fetchall()}

    def evidence(self, key: Key, memory_id: str) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to a fact."""
        return self.links(
            "v.memory_id = ? AND +v.tenant_no = ?", codec.pack_id(memory_id), self.tenant_no
        )

    def evidence_at(self, key: Key, valid_from: int) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to rows that began at an instant on a key."""
        found = self.key_found(key)
        if found is None:
            return ()
        return self.links("v.key_id = ? AND v.valid_from = ?", found.key_id, valid_from)

    def conflict(self, conflict_id: str) -> ConflictCase | None:
        """Return a conflict."""
        found = self.cases("c.conflict_id = ?", codec.pack_id(conflict_id))
        return found[0] if found else None

    def conflicts(self, key: Key) -> Sequence[ConflictCase]:
        """Return the conflicts ever raised on a key."""
        found = self.key_found(key)
        return self.cases("c.key_id = ?", found.key_id) if found else ()

    def conflicts_near(self, key: Key, valid_from: int) -> Sequence[ConflictCase]:
        """Return the conflicts on a key whose standing row, or one of their claims, begins then."""
        found = self.key_found(key)
        if found is None:
            return ()
        return self.cases(_NEAR, found.key_id, valid_from, found.key_id, valid_from)

    def has_conflicts(self, key: Key) -> bool:
        """Say quickly whether any conflict was ever raised on a key."""
        found = self.key_found(key)
        return found is not None and bool(found.has_conflicts)

    def header(self, number: int) -> TransactionHeader | None:
        """Return the header of an earlier transaction."""
        found = self.sealed(number)
        return None if found is None else found[0]

    # -- commit -------------------------------------------------------------------------------

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
            self.tenant_no = self._insert_tenant()
        self._insert_episodes(entries.episodes)
        more = write_more() if write_more is not None else []
        if write_more is not None:
            digest = transaction_digest(header, [*entries.digests(), *more])
        self._insert_header(header, len(entries) + len(more), digest)
        self._write_attributes(entries)
        self._write_rows(entries.rows_ended, entries.rows_begun)
        self._write_evidence(entries)
        self._insert_conflicts(entries)

    def _insert_tenant(self) -> int:
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

    def _insert_episodes(self, episodes: Iterable[EpisodeEntry]) -> None:
        for entry in episodes:
            draft = entry.draft
            values = (
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
            number = self.connection.execute(_INSERT_EPISODE, values).lastrowid
            self._episodes[draft.episode_id] = (number, len(draft.content))

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
        self._keys[key] = _KeyFound(key_id, False, False)
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
        self._keys[key] = _KeyFound(key_id, False, False)

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
            self.connection.execute(*insert("fact", codec.FACT, values))
            if is_milestone(key_id, row.tx_from):
                milestones.add(key_id)
            # A fact that has another row has it in what this unit has read, or here.
            if row.memory_id in self._met:
                involved.add(key_id)
            elif row.memory_id is not None:
                self._met.add(row.memory_id)
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


def _as_it_stood(row: Row) -> Row:
    """Return a standing row as it was when the conflict was raised: live."""
    return Row(
        row.key,
        row.valid_from,
        row.kind,
        row.content,
        row.until,
        row.over,
        row.tx_from,
        None,
        row.secret,
    )


def _attribute_of(columns: Sequence[Any]) -> AttributeEntry:
    name, memory_type, cardinality, sensitive, policy, version, tx_from, tx_to = columns
    try:
        attribute = Attribute.model_construct(
            name=name,
            memory_type=memory_type,
            cardinality=Cardinality(cardinality),
            sensitive=bool(sensitive),
            retention_policy=policy,
            schema_version=version,
        )
    except ValueError as error:
        raise codec.unreadable(error) from error
    return AttributeEntry(attribute, tx_from, tx_to)


def _episode_of(columns: Sequence[Any], name_of: Callable[[int], str]) -> EpisodeEntry:
    episode_id, kind, content, occurred_at, agent_no, session_id, metadata, tx_from, secret = (
        columns
    )
    agent_id = name_of(agent_no)
    try:
        draft = EpisodeDraft.model_construct(
            episode_id=episode_id,
            kind=EpisodeKind(kind),
            content=content,
            occurred_at=from_micros(occurred_at),
            agent_id=agent_id,
            session_id=session_id,
            metadata=parse(metadata) if metadata else {},
        )
    except (TypeError, ValueError) as error:
        raise codec.unreadable(error) from error
    return EpisodeEntry(draft, agent_id, tx_from, secret)


def _link_of(columns: Sequence[Any], key: Key) -> EvidenceEntry:
    memory_id, valid_from, episode_id, start, end, row_tx, tx_from, tx_to, _ = columns
    span = None if start is None else (start, end)
    memory_id = codec.unpack_id(memory_id)
    return EvidenceEntry(key, memory_id, valid_from, episode_id, span, row_tx, tx_from, tx_to)


def header_of(
    columns: Sequence[Any], name_of: Callable[[int], str]
) -> tuple[TransactionHeader, str]:
    """Return the header and the digest of a transaction."""
    number, recorded_at, kind, actor, tool, reason, secret, previous, reverts, digest, _ = columns
    try:
        header = TransactionHeader(
            number=number,
            recorded_at=recorded_at,
            kind=codec.WRITES[kind],
            actor=name_of(actor),
            tool=name_of(tool),
            reason=reason,
            secret=secret,
            previous=FIRST_DIGEST if previous is None else previous.hex(),
            reverts=reverts,
        )
        return header, digest.hex()
    except (TypeError, IndexError, AttributeError) as error:
        raise codec.unreadable(error) from error
