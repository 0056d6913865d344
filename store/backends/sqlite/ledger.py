"""One tenant's record as a connection sees it, in the terms of `store.ledger` and `store.entry`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from store.backends.sqlite import codec
from store.backends.sqlite.made import instant, made
from store.canonical import parse
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
)
from store.ledger import Key, Row
from store.model import (
    Attribute,
    Cardinality,
    ConflictKind,
    EpisodeDraft,
    EpisodeKind,
    Resolution,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from store.backends.sqlite.library import Connection
    from store.backends.sqlite.names import Names

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
_REVERTS_OF: Final = "SELECT number FROM tx WHERE tenant_no = ? AND reverts = ? ORDER BY number"
_ATTRIBUTE: Final = """
SELECT name, memory_type, cardinality, sensitive, retention_policy, schema_version, tx_from, tx_to
FROM attribute WHERE tenant_no = ? AND """
_EPISODE_NO: Final = "SELECT episode_no, length FROM episode WHERE tenant_no = ? AND episode_id = ?"
EPISODE: Final = """
SELECT episode_id, kind, content, occurred_at, agent_no, session_id, metadata, tx_from, secret
FROM episode WHERE tenant_no = ? AND """
ROWS: Final = f"""
SELECT {codec.ROW}, f.key_id FROM fact f LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE """
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
HEADER: Final = """
SELECT x.number, x.recorded_at, x.kind, x.actor_no, x.tool_no, x.reason, x.secret,
  (SELECT p.digest FROM tx p WHERE p.tenant_no = x.tenant_no AND p.number = x.number - 1),
  x.reverts, x.digest, x.entries
FROM tx x WHERE {which}"""
_HEADER: Final = HEADER.format(which="x.tenant_no = ? AND x.number = ?")
_EPISODE_FIELDS: Final = set(EpisodeDraft.model_fields)


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


class KeyFound(NamedTuple):
    """What the write path needs to know of a key.

    Attributes:
        is_bounded: whether a live assertion on it has a stated end.
    """

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
        self._keys: dict[Key, KeyFound | None] = {}
        self._keys_by_no: dict[int, Key] = {}
        self._episodes: dict[str, tuple[int, int] | None] = {}
        self._conflicts: dict[int, tuple[str, Key]] = {}

    def name(self, number: int) -> str:
        """Return a name by its number."""
        return self._names.name(self.connection, number)

    def key_found(self, key: Key) -> KeyFound | None:
        """Return what is known of a key; None if it has no rows."""
        if key not in self._keys:
            place = (self.tenant_no, key.subject, key.attribute, key.owner, key.slot)
            found = self.connection.execute(_KEY, place).fetchone() if self.tenant_no else None
            self._keys[key] = None if found is None else KeyFound(*found)
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
        found = self.connection.execute(ROWS + condition, values).fetchall()
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
        found = self.connection.execute(EPISODE + condition, (self.tenant_no, *values))
        return [episode_of(columns, self.name) for columns in found.fetchall()]

    def links(self, condition: str, *values: object) -> list[EvidenceEntry]:
        """Return evidence, by a condition on `v`."""
        found = self.connection.execute(f"{_EVIDENCE}{condition} ORDER BY v.evidence_no", values)
        return [link_of(columns, self.key_by_no(columns[8])) for columns in found.fetchall()]

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


def episode_of(columns: Sequence[Any], name_of: Callable[[int], str]) -> EpisodeEntry:
    """Return an episode."""
    episode_id, kind, content, occurred_at, agent_no, session_id, metadata, tx_from, secret = (
        columns
    )
    agent_id = name_of(agent_no)
    try:
        said = {
            "episode_id": episode_id,
            "kind": EpisodeKind(kind),
            "content": content,
            "occurred_at": instant(occurred_at),
            "agent_id": agent_id,
            "session_id": session_id,
            "metadata": parse(metadata) if metadata else {},
        }
    except (TypeError, ValueError, OverflowError) as error:
        raise codec.unreadable(error) from error
    draft = made(EpisodeDraft, said, _EPISODE_FIELDS)
    return EpisodeEntry(draft, agent_id, tx_from, secret)


def link_of(columns: Sequence[Any], key: Key) -> EvidenceEntry:
    """Return a link to a source."""
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
