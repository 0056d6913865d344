"""From rows to what the contract shows. Pure; shared by the backends.

All functions look at rows that were believed as of one transaction, `number`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from store import ledger
from store.canonical import parse
from store.entry import (
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    Entries,
    EpisodeEntry,
    EvidenceEntry,
    Source,
    TransactionHeader,
    without_repeats,
)
from store.history import key_order, link_order
from store.model import (
    Claim,
    Conflict,
    Episode,
    Evidence,
    Fact,
    RowKind,
    Span,
    Version,
    WriteKind,
)
from store.query import Bar, Mark
from store.temporal import Basis, Precision, from_micros

if TYPE_CHECKING:
    from store.ledger import Row

BAR_TEXT: Final = 200
"""How many characters of a value a bar carries."""

ClockOf = Callable[[int], int]
"""`recorded_at` in microseconds of a transaction number."""


def is_believed(row: Row | EvidenceEntry | AttributeEntry, number: int) -> bool:
    """Say whether an entry was believed as of a transaction."""
    return row.tx_from <= number and (row.tx_to is None or row.tx_to > number)


def bounds_of(rows: Sequence[Row], position: int) -> tuple[int, int | None]:
    """Return the interval around a row: adjacent rows of one fact read as one.

    Args:
        rows: the believed rows of a key, by `valid_from`.
        position: index of a `fact` or `resume` row.
    """
    memory_id = rows[position].memory_id
    first = last = position
    while first > 0 and rows[first - 1].memory_id == memory_id and _holds(rows[first - 1]):
        first -= 1
    while last + 1 < len(rows) and rows[last + 1].memory_id == memory_id and _holds(rows[last + 1]):
        last += 1
    ends = rows[last + 1].valid_from if last + 1 < len(rows) else None
    return rows[first].valid_from, ends


def position_at(rows: Sequence[Row], instant: int) -> int | None:
    """Return the index of the row that answers at an instant; None if nothing holds."""
    position = bisect_right(rows, instant, key=lambda r: r.valid_from) - 1
    return position if position >= 0 and _holds(rows[position]) else None


def _holds(row: Row) -> bool:
    return row.kind is RowKind.FACT or row.kind is RowKind.RESUME


def fact_of(
    rows: Sequence[Row],
    position: int,
    number: int,
    *,
    memory_type: str,
    links: Iterable[EvidenceEntry],
    cases: Iterable[ConflictCase],
    clock_of: ClockOf,
    occurred_at: Callable[[str], int],
) -> Fact:
    """Build a fact from the row in force.

    Args:
        rows: the believed rows of the key, by `valid_from`.
        position: index of the row in force.
        number: the transaction as of which one looks.
        memory_type: of the attribute.
        links: further evidence of the fact, as of the same transaction.
        cases: conflicts on the key, as of the same transaction.
        clock_of: transaction times.
        occurred_at: when an episode occurred, in microseconds.
    """
    row = rows[position]
    content = row.content
    assert content is not None
    begins, ends = bounds_of(rows, position)
    evidence = evidence_of(row, links, among=rows)
    ended = row.tx_to is not None and row.tx_to <= number
    return Fact.model_construct(
        tenant_id=row.key.tenant_id,
        memory_id=content.memory_id,
        subject=row.key.subject,
        attribute=row.key.attribute,
        value=parse(content.value or "null"),
        memory_type=memory_type,
        schema_version=content.schema_version,
        valid_from=from_micros(begins),
        valid_to=None if ends is None else from_micros(ends),
        supersedes_memory_id=content.supersedes,
        source_episode_id=content.episode_id,
        confidence=content.confidence,
        retention_policy=content.retention_policy,
        agent_id=content.agent_id,
        owner=row.key.owner,
        slot=row.key.slot,
        until=None if row.until is None else from_micros(row.until),
        valid_from_basis=content.basis,
        precision=content.precision,
        stated_as=content.stated_as,
        row_from=from_micros(row.valid_from),
        recorded_at=from_micros(clock_of(row.tx_from)),
        superseded_at=from_micros(clock_of(row.tx_to)) if ended and row.tx_to else None,
        transaction=row.tx_from,
        last_confirmed_at=from_micros(max(occurred_at(e.episode_id) for e in evidence)),
        disputed=any(case.disputes(content.memory_id, begins, ends) for case in cases),
        evidence=evidence,
    )


def evidence_of(
    row: Row, links: Iterable[EvidenceEntry], *, among: Sequence[Row] = ()
) -> tuple[Evidence, ...]:
    """Return a fact's evidence: the row's own source first, then the rest, oldest first.

    The rest are the sources of the fact's other statements, and further links.

    Args:
        row: the row in force.
        links: further links on its key.
        among: the believed rows of its key.
    """
    memory_id = row.memory_id
    sources = [
        (other.tx_from, other.content.episode_id, other.content.span)
        for other in (row, *(r for r in among if r.kind is RowKind.FACT))
        if other.content is not None and other.memory_id == memory_id
    ]
    added = [(e.tx_from, e.episode_id, e.span) for e in links if e.memory_id == memory_id]
    assert memory_id is not None
    return evidence_from(memory_id, sources[0], [*sources[1:], *added])


def evidence_from(memory_id: str, first: Source, others: Iterable[Source]) -> tuple[Evidence, ...]:
    """Return sources as evidence of a fact; see `without_repeats`."""
    return tuple(
        Evidence.model_construct(
            memory_id=memory_id, episode_id=episode_id, span=span_of(span), transaction=number
        )
        for number, episode_id, span in without_repeats(first, others)
    )


def links_in_order(entries: Entries) -> list[EvidenceEntry]:
    """Return the links that a transaction began, then those that it ended, each in one order."""

    def place(link: EvidenceEntry) -> tuple[Any, ...]:
        return key_order(link.key), link_order(link)

    return [*sorted(entries.evidence_begun, key=place), *sorted(entries.evidence_ended, key=place)]


def registered_in_order(entries: Entries) -> list[AttributeEntry]:
    """Return the registry entries that a transaction began, by name."""
    return sorted(entries.attributes_begun, key=lambda entry: entry.attribute.name)


def span_of(pair: tuple[int, int] | None) -> Span | None:
    """Return a span from a pair of offsets."""
    return None if pair is None else Span.model_construct(start=pair[0], end=pair[1])


def bars_of(
    rows: Sequence[Row],
    *,
    cases: Sequence[ConflictCase] = (),
    supported: frozenset[str] = frozenset(),
) -> tuple[Bar, ...]:
    """Return a lane's bars: one for each stretch.

    Args:
        rows: the believed rows of a key, by `valid_from`.
        cases: conflicts on the key, as of the same transaction.
        supported: facts with further evidence.
    """
    return tuple(_bar(stretch, cases, supported) for stretch in ledger.stretches(rows))


def _bar(stretch: ledger.Stretch, cases: Sequence[ConflictCase], supported: frozenset[str]) -> Bar:
    content = stretch.row.content
    assert content is not None
    marks = Mark(0)
    if any(c.disputes(content.memory_id, stretch.valid_from, stretch.valid_to) for c in cases):
        marks |= Mark.DISPUTED
    if content.precision in (Precision.DAY, Precision.MONTH, Precision.YEAR):
        marks |= Mark.IMPRECISE
    if content.basis in (Basis.ASSUMED, Basis.UNKNOWN):
        marks |= Mark.ASSUMED
    if content.memory_id in supported:
        marks |= Mark.CONFIRMED
    value = content.value or "null"
    return Bar(
        stretch.valid_from,
        stretch.valid_to,
        content.memory_id,
        value[:BAR_TEXT],
        int(marks),
    )


def version_of(row: Row, *, clock_of: ClockOf, kind_of: Callable[[int], WriteKind]) -> Version:
    """Return a row as it stands in the record."""
    content = row.content
    says = row.kind in (RowKind.FACT, RowKind.RESUME)
    return Version.model_construct(
        kind=row.kind,
        memory_id=row.memory_id,
        subject=row.key.subject,
        attribute=row.key.attribute,
        owner=row.key.owner,
        slot=row.key.slot,
        value=parse(content.value or "null") if content and says else None,
        valid_from=from_micros(row.valid_from),
        until=None if row.until is None else from_micros(row.until),
        source_episode_id=content.episode_id if content else None,
        confidence=content.confidence if content else None,
        agent_id=content.agent_id if content else None,
        began=row.tx_from,
        began_by=kind_of(row.tx_from),
        recorded_at=from_micros(clock_of(row.tx_from)),
        ceased=row.tx_to,
        ceased_by=None if row.tx_to is None else kind_of(row.tx_to),
        superseded_at=None if row.tx_to is None else from_micros(clock_of(row.tx_to)),
    )


def episode_of(tenant_id: str, entry: EpisodeEntry, recorded_at: int) -> Episode:
    """Return an episode as the contract shows it."""
    draft = entry.draft
    return Episode.model_construct(
        tenant_id=tenant_id,
        episode_id=draft.episode_id,
        kind=draft.kind,
        content=draft.content,
        occurred_at=draft.occurred_at,
        agent_id=entry.agent_id,
        session_id=draft.session_id,
        metadata=deepcopy(draft.metadata),
        recorded_at=from_micros(recorded_at),
        transaction=entry.tx_from,
    )


def conflict_of(
    case: ConflictCase,
    *,
    memory_type: str,
    key_version: int,
    headers: Mapping[int, TransactionHeader],
) -> Conflict:
    """Return a conflict as the contract shows it.

    Args:
        case: one whose state is not None.
        memory_type: of the attribute.
        key_version: number of the last transaction that touched the key.
        headers: of the transactions that the case names.
    """
    entry, key = case.entry, case.entry.key
    settlement = case.settlement
    raised = case.events[0].tx_from
    standing = ClaimEntry(entry.standing.memory_id or "", entry.standing)
    state = case.state
    assert state is not None
    settled_in = settlement.tx_from if settlement else None
    return Conflict.model_construct(
        tenant_id=key.tenant_id,
        conflict_id=entry.conflict_id,
        kind=entry.kind,
        state=state,
        subject=key.subject,
        attribute=key.attribute,
        owner=key.owner,
        slot=key.slot,
        memory_type=memory_type,
        contested_from=from_micros(entry.contested_from),
        contested_to=None if entry.contested_to is None else from_micros(entry.contested_to),
        standing=_claim(standing, entry.standing.tx_from, headers),
        incoming=tuple(_claim(c, _noted(case, c), headers) for c in case.claims),
        raised_at=from_micros(headers[raised].recorded_at),
        raised_in=raised,
        resolution=settlement.resolution if settlement else None,
        settled_by=settlement.actor if settlement else None,
        settled_at=from_micros(headers[settled_in].recorded_at) if settled_in else None,
        settled_in=settled_in,
        reason=settlement.reason if settlement else None,
        version=max(key_version, *(event.tx_from for event in case.events)),
    )


def _noted(case: ConflictCase, claim: ClaimEntry) -> int:
    return min(e.tx_from for e in case.events if e.claim and e.claim.claim_id == claim.claim_id)


def _claim(claim: ClaimEntry, number: int, headers: Mapping[int, TransactionHeader]) -> Claim:
    row, content = claim.row, claim.row.content
    assert content is not None
    return Claim.model_construct(
        claim_id=claim.claim_id,
        value=parse(content.value or "null"),
        valid_from=from_micros(row.valid_from),
        until=None if row.until is None else from_micros(row.until),
        valid_from_basis=content.basis,
        precision=content.precision,
        source_episode_id=content.episode_id,
        span=span_of(content.span),
        confidence=content.confidence,
        agent_id=content.agent_id,
        recorded_at=from_micros(headers[number].recorded_at),
        transaction=number,
    )


def bucket_width(first: int, last: int, buckets: int) -> int:
    """Return the width of equal buckets that cover `[first, last)`, in whole microseconds."""
    return max(1, -(-(last - first) // buckets))


def bucket_counts(starts: Sequence[int], first: int, last: int, buckets: int) -> tuple[int, ...]:
    """Count sorted instants in equal buckets from `first` on that reach at least to `last`."""
    width = bucket_width(first, last, buckets)
    edges = [first + i * width for i in range(buckets + 1)]
    positions = [bisect_left(starts, edge) for edge in edges]
    return tuple(b - a for a, b in pairwise(positions))
