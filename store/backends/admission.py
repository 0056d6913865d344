"""What each entry of a record must be before a store takes it over, whoever made the record.

A record comes from a file that anybody may have written. So nothing of it is taken for granted:
types, ranges, names and texts are looked at one by one, and what the store would keep otherwise
than it was given is refused. All functions raise `Corrupt`, with one sentence.
"""

from __future__ import annotations

import re
from math import copysign
from typing import TYPE_CHECKING, Final

from store.backends.acts.change import SLOT_BYTES
from store.canonical import LARGEST_INTEGER, canonical, is_too_deep, parse
from store.entry import SECRET_BYTES, EventKind
from store.errors import Corrupt, Invalid
from store.model import (
    Attribute,
    Cardinality,
    ConflictKind,
    EpisodeDraft,
    EpisodeKind,
    Resolution,
    RowKind,
    WriteKind,
    clean_name,
)
from store.temporal import EARLIEST, LATEST, Basis, Precision, iso, to_micros

if TYPE_CHECKING:
    from store.entry import (
        AttributeEntry,
        ConflictCase,
        ConflictEvent,
        EpisodeEntry,
        EvidenceEntry,
        TransactionHeader,
    )
    from store.history import Sealed
    from store.ledger import Content, Key, Row

NAMES_KEPT: Final = 10_000
_SLOT: Final = re.compile(f"(?:[0-9a-f]{{{2 * SLOT_BYTES}}})?")
_DIGEST: Final = re.compile("[0-9a-f]{64}")


def refused(where: str, said: str) -> Corrupt:
    """Return the error that refuses a record: where it is wrong, and what is wrong there."""
    return Corrupt(f"The record cannot be taken over: {where}: {said}. Nothing was kept.")


def place(key: Key, valid_from: int | None = None) -> str:
    """Name a key, or a row on it, for a person."""
    said = f"{key.subject} / {key.attribute}"
    return said if valid_from is None else f"{said} at {iso(valid_from)}"


def is_name(text: object) -> bool:
    """Say whether a text is a name as the store keeps names."""
    if type(text) is not str:
        return False
    if text.isascii() and text.isprintable():
        return 0 < len(text) <= 255 and text[0] != " " and text[-1] != " "
    try:
        return clean_name(text) == text
    except ValueError:
        return False


def is_text(text: object) -> bool:
    """Say whether something is text that can be kept: Unicode without halves of surrogates."""
    if type(text) is not str:
        return False
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_instant(micros: object) -> bool:
    """Say whether something is an instant, in microseconds since 1970."""
    return type(micros) is int and EARLIEST <= micros <= LATEST


def is_canonical(value: object) -> bool:
    """Say whether a text is a value as canonical JSON; a plain string takes a short cut."""
    if type(value) is not str or not value:
        return False
    if value[0] == value[-1] == '"' and len(value) > 1:
        inside = value[1:-1]
        if inside.isprintable() and '"' not in inside and "\\" not in inside:
            return True
    try:
        found = parse(value)
        return not is_too_deep(found) and canonical(found) == value
    except (ValueError, Invalid, RecursionError):
        return False


def is_secret(secret: object) -> bool:
    """Say whether something is a salt of a commitment."""
    return isinstance(secret, bytes) and len(secret) == SECRET_BYTES


class Admission:
    """Looks at the entries of one record.

    Args:
        tenant_id: whose record it is.
        last: the number of its last transaction.
    """

    def __init__(self, tenant_id: str, last: int) -> None:
        self.tenant_id = tenant_id
        self.last = last
        self._names: set[str] = set()
        self._policies: dict[str, list[AttributeEntry]] = {}

    def _is_known_name(self, text: str) -> bool:
        """Say whether a text is a name; few names are on many rows."""
        if text in self._names:
            return True
        if not is_name(text):
            return False
        if len(self._names) == NAMES_KEPT:
            self._names.clear()
        self._names.add(text)
        return True

    # -- transactions and registry ------------------------------------------------------------

    def transaction(self, sealed: Sealed, before: Sealed | None) -> None:
        """Look at a transaction, given the one before it."""
        header = sealed.header
        number = 1 if before is None else before.header.number + 1
        where = f"transaction {number}"
        if type(header.number) is not int or header.number != number:
            raise refused(where, f"it has the number {header.number}")
        if not is_instant(header.recorded_at):
            raise refused(where, "its time is out of range")
        if before is not None and header.recorded_at <= before.header.recorded_at:
            raise refused(where, "its time is not after its predecessor's")
        if not _is_header(header):
            raise refused(where, "its kind, actor, tool, reason or salt is not such as a store has")
        if (header.kind is WriteKind.REVERT) is not (header.reverts is not None):
            raise refused(where, "only a revert names the transaction that it reverts")
        reverts = header.reverts
        if reverts is not None and (type(reverts) is not int or not 0 < reverts < number):
            raise refused(where, "it reverts no earlier transaction")
        if type(sealed.digest) is not str or _DIGEST.fullmatch(sealed.digest) is None:
            raise refused(where, "its digest is none")
        total = 0 if before is None else before.total
        if type(sealed.entries) is not int or sealed.entries < 1:
            raise refused(where, "it has no entries")
        if type(sealed.total) is not int or sealed.total != total + sealed.entries:
            raise refused(where, "its count of all entries does not follow from the one before")

    def attribute(self, entry: AttributeEntry) -> None:
        """Look at a registry entry; they come by name and beginning."""
        it = entry.attribute
        where = f"attribute {it.name}"
        self._dated(where, entry.tx_from, entry.tx_to)
        if not _is_attribute(it):
            raise refused(where, "it is not such as a store registers")
        if self._policies and it.name < next(reversed(self._policies)):
            raise refused(where, "the registry is out of order")
        entries = self._policies.setdefault(it.name, [])
        if entries:
            before = entries[-1]
            if before.tx_to is None or before.tx_to > entry.tx_from:
                raise refused(where, "two entries are in force at once")
            if before.attribute.memory_type != it.memory_type:
                raise refused(where, "its type changes, which it cannot")
        entries.append(entry)

    # -- episodes -----------------------------------------------------------------------------

    def episode(self, entry: EpisodeEntry, before: EpisodeEntry | None) -> None:
        """Look at an episode, given the one before it."""
        draft = entry.draft
        where = f"episode {draft.episode_id}"
        self._dated(where, entry.tx_from)
        if before is not None and (before.tx_from, before.draft.episode_id) >= (
            entry.tx_from,
            draft.episode_id,
        ):
            raise refused(where, "the episodes are out of order, or one is there twice")
        if not self._is_known_name(entry.agent_id) or not _is_episode(draft):
            raise refused(where, "it is not such as a store captures")
        if not is_secret(entry.secret):
            raise refused(where, "its salt is none")

    # -- keys ---------------------------------------------------------------------------------

    def key(self, key: Key, since: int) -> None:
        """Look at a key, and at what was registered of its attribute when it began."""
        if key.tenant_id != self.tenant_id:
            raise refused(place(key), "it is another tenant's")
        names = is_name(key.subject) and is_name(key.attribute)
        if not names or not (key.owner == "" or is_name(key.owner)):
            raise refused(place(key), "its names are not such as a store keeps")
        if type(key.slot) is not str or _SLOT.fullmatch(key.slot) is None:
            raise refused(place(key), "its slot is none")
        entries = [e for e in self._policies.get(key.attribute, ()) if e.tx_from <= since]
        if not entries:
            raise refused(place(key), "its attribute was not registered when it began")
        if key.slot and all(e.attribute.cardinality is Cardinality.SINGLE for e in entries):
            raise refused(place(key), "it has a slot, and its attribute has one value at a time")

    def row(self, row: Row) -> None:
        """Look at a row by itself."""
        self._row_said(row)
        self._dated(row, row.tx_from, row.tx_to)

    def _row_said(self, row: Row) -> None:
        """Look at a row, or a claim that waits to be one, apart from its transactions."""
        kind, content, until = row.kind, row.content, row.until
        if not is_instant(row.valid_from):
            raise refused(place(row.key), "a row begins out of range")
        if type(kind) is not RowKind or not is_secret(row.secret):
            raise refused(place(row.key, row.valid_from), "its kind or its salt is none")
        if until is not None and not (is_instant(until) and until > row.valid_from):
            raise refused(place(row.key, row.valid_from), "its stated end is not after its start")
        if (content is None) is not (kind is RowKind.GAP) or (kind is RowKind.GAP and until):
            raise refused(place(row.key, row.valid_from), "a gap says nothing, and all others do")
        if content is not None:
            self._content(row, content, has_value=kind is not RowKind.END)
        if row.over is not None:
            ending, until = row.over
            if kind is not RowKind.FACT or not (
                until is None or (is_instant(until) and until > row.valid_from)
            ):
                raise refused(place(row.key, row.valid_from), "it takes the place of no end")
            self._content(row, ending, has_value=False)

    def _content(self, row: Row, it: Content, *, has_value: bool) -> None:
        """Look at what a row says."""
        if not (
            is_name(it.memory_id)
            and (is_canonical(it.value) if has_value else it.value is None)
            and self._is_known_name(it.agent_id)
            and (it.supersedes is None or is_name(it.supersedes))
            and self._is_known_name(it.retention_policy)
            and type(it.schema_version) is int
            and 1 <= it.schema_version <= LARGEST_INTEGER
            and type(it.basis) is Basis
            and type(it.precision) is Precision
            and (it.stated_as is None or is_text(it.stated_as))
            and _is_span(it.span)
        ):
            said = "what it says is not such as a store keeps"
            raise refused(place(row.key, row.valid_from), said)
        confidence = it.confidence
        if (
            type(confidence) is not float
            or not 0.0 <= confidence <= 1.0
            or (confidence == 0.0 and copysign(1.0, confidence) < 0)
        ):
            raise refused(place(row.key, row.valid_from), "its confidence is not from 0 to 1")

    def link(self, link: EvidenceEntry) -> None:
        """Look at a link to a source by itself."""
        self._dated(f"evidence of {link.memory_id}", link.tx_from, link.tx_to)
        if not _is_span(link.span) or type(link.row_tx) is not int or link.row_tx > link.tx_from:
            raise refused(place(link.key), "a link to a source is not such as a store keeps")

    def case(self, case: ConflictCase) -> None:
        """Look at a conflict by itself, its events and claims included."""
        entry = case.entry
        where = f"conflict {entry.conflict_id}"
        if not (
            is_name(entry.conflict_id)
            and type(entry.kind) is ConflictKind
            and is_instant(entry.contested_from)
            and _is_after(entry.contested_to, entry.contested_from)
        ):
            raise refused(where, "it is not such as a store raises")
        if not case.events or case.events[0].kind is not EventKind.RAISED:
            raise refused(where, "it was never raised")
        claims: dict[str, Row] = {}
        before = 1
        for event in case.events:
            self._dated(where, event.tx_from)
            if event.tx_from < before or event.conflict_id != entry.conflict_id:
                raise refused(where, "its events are out of order, or another's")
            before = event.tx_from
            self._event(where, event, claims)
        for row in claims.values():
            if row.key != entry.key or row.kind is not RowKind.FACT or row.over is not None:
                raise refused(where, "a claim is none on its key")
            if row.tx_from or row.tx_to is not None:
                raise refused(where, "a claim that waits is in no transaction")
            self._row_said(row)

    def _event(self, where: str, event: ConflictEvent, claims: dict[str, Row]) -> None:
        is_settling = event.kind is EventKind.SETTLED
        carries = event.kind in (EventKind.RAISED, EventKind.JOINED, EventKind.WITHDRAWN)
        claim = event.claim
        if (
            type(event.kind) is not EventKind
            or not is_secret(event.secret)
            or not (is_text(event.actor) and is_text(event.reason))
            or (claim is not None) is not carries
            or (type(event.resolution) is Resolution) is not is_settling
            or (event.claim_id is not None) is not is_settling
        ):
            raise refused(where, f"an event ({event.kind}) is not such as a store keeps")
        if claim is not None:
            known = claims.setdefault(claim.claim_id, claim.row)
            if known != claim.row or claim.claim_id != claim.row.memory_id:
                raise refused(where, "one claim is told in two ways")
        if is_settling and event.claim_id not in claims:
            raise refused(where, "it was settled for a claim that it does not have")

    def _dated(self, where: str | Row, tx_from: int, tx_to: int | None = None) -> None:
        """Look at the transactions that began and ended something."""
        begun = type(tx_from) is int and 1 <= tx_from <= self.last
        if begun and (tx_to is None or (type(tx_to) is int and tx_from < tx_to <= self.last)):
            return
        named = where if isinstance(where, str) else place(where.key, where.valid_from)
        raise refused(named, f"transactions {tx_from} and {tx_to} cannot have begun and ended it")


def _is_header(header: TransactionHeader) -> bool:
    return (
        type(header.kind) is WriteKind
        and is_name(header.actor)
        and is_text(header.tool)
        and "\x1f" not in header.tool
        and (header.reason is None or is_text(header.reason))
        and is_secret(header.secret)
    )


def _is_attribute(it: Attribute) -> bool:
    return (
        is_name(it.name)
        and is_name(it.memory_type)
        and type(it.cardinality) is Cardinality
        and type(it.sensitive) is bool
        and is_name(it.retention_policy)
        and type(it.schema_version) is int
        and 1 <= it.schema_version <= LARGEST_INTEGER
    )


def _is_episode(draft: EpisodeDraft) -> bool:
    try:
        to_micros(draft.occurred_at)
        if is_too_deep(draft.metadata):
            return False
        canonical(draft.metadata)
    except (Invalid, AttributeError):
        return False
    return (
        is_name(draft.episode_id)
        and type(draft.kind) is EpisodeKind
        and is_text(draft.content)
        and (draft.session_id is None or is_text(draft.session_id))
        and type(draft.metadata) is dict
    )


def _is_span(span: object) -> bool:
    if span is None:
        return True
    if type(span) is not tuple or len(span) != 2:
        return False
    start, end = span
    return type(start) is int and type(end) is int and 0 <= start < end


def _is_after(ends: object, begins: int) -> bool:
    return ends is None or (type(ends) is int and begins < ends <= LATEST)
