"""What a transaction is made of: the entries of the record, and how they are chained by digests.

Rows, episodes, evidence, conflict events and registry entries are append-only: an entry is begun by
one transaction and, except for episodes and events, may be ended by a later one. A digest covers
identifying content only through commitments, each salted by the entry's own random secret, so that
a content can be erased with its secret and the chain still verifies and tells nothing.

The rule of the digests, version 1. `h` is SHA-256; fields are joined by the unit separator U+001F
as UTF-8, None as the empty string, after the entry's tag:

    commitment  = h(secret + tag + U+001F + canonical JSON of the content), in hex
    entry       = h(tag, fields…, commitments…)
    transaction = h("tx1", previous digest, number, recorded_at, kind, tool, reverts,
                    commitment of [actor, reason], then the sorted list of "+" or "-" with the
                    digest of each entry that it began or ended)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Final, NamedTuple

from store.canonical import canonical
from store.ledger import FOREVER
from store.model import (
    Attribute,
    ConflictKind,
    ConflictState,
    EpisodeDraft,
    Resolution,
    WriteKind,
)
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.ledger import Content, Key, Row

DIGEST_RULE: Final = 1
FIRST_DIGEST: Final = "0" * 64
"""What the first transaction of a tenant takes for the previous digest."""
SECRET_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class EpisodeEntry:
    """An episode with the transaction that captured it."""

    draft: EpisodeDraft
    agent_id: str
    tx_from: int = 0
    secret: bytes = b""


@dataclass(frozen=True, slots=True)
class EvidenceEntry:
    """A further link from a fact's assertion to an episode.

    The first link of a fact is in its row (`Content.episode_id`).

    Attributes:
        valid_from: of the assertion row that it supports.
        row_tx: `tx_from` of the row as it stood when the link was made: what was claimed can be
            read there.
    """

    key: Key
    memory_id: str
    valid_from: int
    episode_id: str
    span: tuple[int, int] | None
    row_tx: int
    tx_from: int = 0
    tx_to: int | None = None

    def as_of(self, number: int) -> EvidenceEntry:
        """Return the link as it stood after a transaction: what came later had not ended it."""
        return self if (self.tx_to or 0) <= number else replace(self, tx_to=None)


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """A claim that waits in a conflict: a row that was not inserted, with its id."""

    claim_id: str
    row: Row


Source = tuple[int, str, tuple[int, int] | None]
"""A transaction, the episode that it cited, and the span."""


def without_repeats(first: Source, others: Iterable[Source]) -> tuple[Source, ...]:
    """Return what supports a fact: its first source, then the rest, oldest first.

    Those of one transaction come by episode and span, so that the order is in what is told. What is
    cited twice has the number of the first time and the place of the last.
    """
    rest = sorted(others, key=lambda source: (source[0], source[1], source[2] or ()))
    kept = {(episode_id, span): number for number, episode_id, span in reversed(rest)}
    kept.pop(first[1:], None)
    return (first, *((number, *cited) for cited, number in reversed(kept.items())))


class EventKind(StrEnum):
    """What can happen to a conflict."""

    RAISED = "raised"
    JOINED = "joined"
    WITHDRAWN = "withdrawn"
    SETTLED = "settled"
    STALE = "stale"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class ConflictEvent:
    """One event in the life of a conflict.

    Attributes:
        claim: the claim raised, joined or withdrawn.
        resolution: how it was settled, with the claim chosen in `claim_id`.
    """

    conflict_id: str
    kind: EventKind
    claim: ClaimEntry | None = None
    resolution: Resolution | None = None
    claim_id: str | None = None
    actor: str = ""
    reason: str = ""
    tx_from: int = 0
    secret: bytes = b""


@dataclass(frozen=True, slots=True)
class ConflictEntry:
    """What a conflict is about: made when it is raised, never changed.

    Attributes:
        standing: the row that stood when it was raised.
    """

    conflict_id: str
    key: Key
    kind: ConflictKind
    contested_from: int
    contested_to: int | None
    standing: Row


@dataclass(frozen=True, slots=True)
class ConflictCase:
    """A conflict with its events so far, oldest first."""

    entry: ConflictEntry
    events: tuple[ConflictEvent, ...]

    def as_of(self, number: int) -> ConflictCase:
        """Return the case as it stood after a transaction."""
        return replace(self, events=tuple(e for e in self.events if e.tx_from <= number))

    @property
    def claims(self) -> tuple[ClaimEntry, ...]:
        """The claims that it holds, oldest first, without those withdrawn."""
        held: dict[str, ClaimEntry] = {}
        for event in self.events:
            if event.claim is None:
                continue
            if event.kind is EventKind.WITHDRAWN:
                held.pop(event.claim.claim_id, None)
            else:
                held[event.claim.claim_id] = event.claim
        return tuple(held.values())

    @property
    def state(self) -> ConflictState | None:
        """Where it stands; None when every claim was withdrawn, as if it had never been raised."""
        if not self.claims:
            return None
        for event in reversed(self.events):
            match event.kind:
                case EventKind.SETTLED:
                    return ConflictState.SETTLED
                case EventKind.STALE:
                    return ConflictState.STALE
                case EventKind.RAISED | EventKind.REOPENED | EventKind.JOINED:
                    return ConflictState.OPEN
                case EventKind.WITHDRAWN:
                    continue
        return None

    def disputes(self, memory_id: str, begins: int, ends: int | None) -> bool:
        """Say whether it is open and contests a fact within an interval."""
        entry = self.entry
        if entry.standing.memory_id != memory_id or self.state is not ConflictState.OPEN:
            return False
        contested_to = FOREVER if entry.contested_to is None else entry.contested_to
        return entry.contested_from < (FOREVER if ends is None else ends) and begins < contested_to

    @property
    def settlement(self) -> ConflictEvent | None:
        """The event that settled it, if it is settled."""
        if self.state is not ConflictState.SETTLED:
            return None
        return next(e for e in reversed(self.events) if e.kind is EventKind.SETTLED)


@dataclass(frozen=True, slots=True)
class AttributeEntry:
    """A registry entry with the transactions that began and ended it."""

    attribute: Attribute
    tx_from: int = 0
    tx_to: int | None = None

    def as_of(self, number: int) -> AttributeEntry:
        """Return the entry as it stood after a transaction: what came later had not ended it."""
        return self if (self.tx_to or 0) <= number else replace(self, tx_to=None)


class TransactionHeader(NamedTuple):
    """A transaction without its entries; `recorded_at` in microseconds since 1970."""

    number: int
    recorded_at: int
    kind: WriteKind
    actor: str
    tool: str
    reason: str | None
    secret: bytes
    previous: str
    reverts: int | None = None


@dataclass(slots=True)
class Entries:
    """What one transaction begins and ends."""

    episodes: list[EpisodeEntry] = field(default_factory=list)
    attributes_ended: list[AttributeEntry] = field(default_factory=list)
    attributes_begun: list[AttributeEntry] = field(default_factory=list)
    rows_ended: list[Row] = field(default_factory=list)
    rows_begun: list[Row] = field(default_factory=list)
    evidence_ended: list[EvidenceEntry] = field(default_factory=list)
    evidence_begun: list[EvidenceEntry] = field(default_factory=list)
    conflicts: list[ConflictEntry] = field(default_factory=list)
    events: list[ConflictEvent] = field(default_factory=list)

    def __len__(self) -> int:
        """Count the entries that the digest covers."""
        return sum(
            len(part)
            for part in (
                self.episodes,
                self.attributes_ended,
                self.attributes_begun,
                self.rows_ended,
                self.rows_begun,
                self.evidence_ended,
                self.evidence_begun,
                self.conflicts,
                self.events,
            )
        )

    def digests(self) -> list[str]:
        """Return "+" or "-" and the digest of each entry, sorted as the rule says."""
        begun = (
            *map(episode_digest, self.episodes),
            *map(attribute_digest, self.attributes_begun),
            *map(row_digest, self.rows_begun),
            *map(evidence_digest, self.evidence_begun),
            *map(conflict_digest, self.conflicts),
            *map(event_digest, self.events),
        )
        ended = (
            *map(attribute_digest, self.attributes_ended),
            *map(row_digest, self.rows_ended),
            *map(evidence_digest, self.evidence_ended),
        )
        return sorted([*("+" + digest for digest in begun), *("-" + digest for digest in ended)])


_SEPARATOR: Final = "\x1f"


def commitment(secret: bytes, tag: str, content: str) -> str:
    """Return the salted commitment of a canonical JSON text."""
    return sha256(secret + f"{tag}{_SEPARATOR}{content}".encode()).hexdigest()


def _digest(*fields: object) -> str:
    joined = _SEPARATOR.join(["" if f is None else str(f) for f in fields])
    return sha256(joined.encode()).hexdigest()


def row_digest(row: Row) -> str:
    """Return the digest of a row. Whether it was ended later does not enter it."""
    _, owner, subject, attribute, slot = row.key
    named = f"[{quoted(owner)},{quoted(subject)},{quoted(attribute)},{quoted(slot)}]"
    until, secret, put = row.until, row.secret, row.over
    # In one go, because a record is digested row by row whenever it is checked or taken over.
    text = (
        f"row1\x1f{row.kind.value}\x1f{row.valid_from}\x1f{'' if until is None else until}\x1f"
        f"{row.tx_from}\x1f{commitment(secret, 'key', named)}\x1f"
    )
    if row.content is not None:
        text += _content_text(secret, "value", row.content)
    if put is not None:
        text += f"{_content_text(secret, 'over', put[0])}{'' if put[1] is None else put[1]}"
    return sha256(text.encode()).hexdigest()


def _content_text(secret: bytes, tag: str, it: Content) -> str:
    """Return the fields of a content, each with its separator behind it."""
    stated = "null" if it.stated_as is None else quoted(it.stated_as)
    said = f"[{quoted(it.agent_id)},{stated},{it.value or ''}]"
    return (
        f"{it.memory_id}\x1f{it.episode_id}\x1f{'' if it.span is None else it.span}\x1f"
        f"{it.confidence}\x1f{it.supersedes or ''}\x1f{it.schema_version}\x1f"
        f"{it.retention_policy}\x1f{it.basis.value}\x1f{it.precision.value}\x1f"
        f"{commitment(secret, tag, said)}\x1f"
    )


def episode_digest(entry: EpisodeEntry) -> str:
    """Return the digest of an episode."""
    draft = entry.draft
    said = canonical([draft.content, draft.metadata, entry.agent_id, draft.session_id])
    return _digest(
        "episode1",
        draft.episode_id,
        draft.kind.value,
        to_micros(draft.occurred_at),
        entry.tx_from,
        commitment(entry.secret, "content", said),
    )


def evidence_digest(entry: EvidenceEntry) -> str:
    """Return the digest of an evidence link."""
    return _digest(
        "evidence1",
        entry.memory_id,
        entry.valid_from,
        entry.episode_id,
        entry.span,
        entry.row_tx,
        entry.tx_from,
    )


def conflict_digest(entry: ConflictEntry) -> str:
    """Return the digest of a conflict's fixed part."""
    return _digest(
        "conflict1",
        entry.conflict_id,
        entry.kind.value,
        entry.contested_from,
        entry.contested_to,
        entry.standing.memory_id,
        row_digest(entry.standing),
    )


def event_digest(event: ConflictEvent) -> str:
    """Return the digest of a conflict event."""
    claim = event.claim
    return _digest(
        "event1",
        event.conflict_id,
        event.kind.value,
        event.tx_from,
        event.resolution.value if event.resolution else None,
        event.claim_id,
        None if claim is None else claim.claim_id,
        None if claim is None else row_digest(claim.row),
        commitment(event.secret, "event", canonical([event.actor, event.reason])),
    )


def attribute_digest(entry: AttributeEntry) -> str:
    """Return the digest of a registry entry."""
    it = entry.attribute
    return _digest(
        "attribute1",
        it.name,
        it.memory_type,
        it.cardinality.value,
        it.sensitive,
        it.retention_policy,
        it.schema_version,
        entry.tx_from,
    )


def transaction_digest(header: TransactionHeader, entries: Iterable[str]) -> str:
    """Return the digest of a transaction from its header and the digests of its entries."""
    hasher = sha256(
        _SEPARATOR.join(
            (
                "tx1",
                header.previous,
                str(header.number),
                str(header.recorded_at),
                header.kind.value,
                header.tool,
                "" if header.reverts is None else str(header.reverts),
                commitment(header.secret, "header", canonical([header.actor, header.reason])),
            )
        ).encode()
    )
    hasher.update("".join([_SEPARATOR + entry for entry in sorted(entries)]).encode())
    return hasher.hexdigest()
