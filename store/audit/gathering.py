"""What a report tells, gathered while the files of a snapshot are written: bounded, whatever comes.

Of each list its first items are kept (of transactions the newest) and the rest is counted.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from store.audit.facts import gaps_of
from store.audit.lines import said_commitment
from store.audit.story import (
    CONFLICTS_TOLD,
    FACTS_TOLD,
    GAPS_TOLD,
    LANES_TOLD,
    SOURCES_TOLD,
    STRETCHES_TOLD,
    TRANSACTIONS_TOLD,
    UNSOURCED_TOLD,
    Asked,
    Excerpt,
    Source,
    Story,
    Told,
    ToldClaim,
    ToldConflict,
    ToldFact,
    ToldGap,
    ToldLane,
    ToldStretch,
    ToldTransaction,
    Totals,
    excerpt_of,
)
from store.model import ConflictState
from store.query import Mark
from store.temporal import Basis, Precision, parse_instant, to_micros

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from store.audit.facts import Held, Run
    from store.audit.format import Arguments, Counts, Manifest, Withhold
    from store.audit.walk import KnownKey
    from store.entry import ClaimEntry, ConflictCase, EpisodeEntry
    from store.entry import Source as Cited
    from store.history import Sealed
    from store.ledger import Content, Row

ItemT = TypeVar("ItemT")

Span = tuple[int, int] | None
_IMPRECISE: Final = (Precision.DAY, Precision.MONTH, Precision.YEAR)
_ASSUMED: Final = (Basis.ASSUMED, Basis.UNKNOWN)


class Gatherer:
    """Takes what is in scope and keeps what a report tells of it."""

    def __init__(self, clock: Sequence[int], withhold: Withhold, *, is_window: bool) -> None:
        self._clock = clock
        self._is_window = is_window
        self._hides_values = withhold == "values"
        self._hides_content = withhold != "nothing"
        self._facts: list[tuple[ToldFact, tuple[Cited, ...]]] = []
        self._fact_count = 0
        self._lanes: list[ToldLane] = []
        self._lane_count = 0
        self._conflicts: list[ConflictCase] = []
        self._conflict_count = 0
        self._gaps: list[ToldGap] = []
        self._gap_count = 0
        self._transactions: deque[ToldTransaction] = deque(maxlen=TRANSACTIONS_TOLD)
        self._transaction_count = 0
        self._wanted: dict[str, set[Span]] = {}
        self._episodes: dict[str, tuple[str, int, dict[Span, Excerpt]]] = {}

    # -- as the record passes by ------------------------------------------------------------------

    def transaction(self, sealed: Sealed, *, out_of_scope: bool) -> None:
        """Keep a transaction, the newest for the longest."""
        header = sealed.header
        self._transaction_count += 1
        last = self._transactions[-1] if self._transactions else None
        if out_of_scope and last is not None and last.actor is None:
            self._transactions[-1] = replace(
                last,
                through=header.number,
                digest=sealed.digest,
                entries=last.entries + sealed.entries,
                reverts=None,
            )
            return
        self._transactions.append(
            ToldTransaction(
                number=header.number,
                recorded_at=header.recorded_at,
                kind=header.kind.value,
                actor=None if out_of_scope else header.actor,
                tool=header.tool,
                reason=None if out_of_scope else header.reason,
                digest=sealed.digest,
                entries=sealed.entries,
                reverts=header.reverts,
            )
        )

    def conflict(self, case: ConflictCase) -> None:
        """Keep a conflict that waits for a decision."""
        if case.state is not ConflictState.OPEN:
            return
        self._conflict_count += 1
        if len(self._conflicts) == CONFLICTS_TOLD:
            return
        self._conflicts.append(case)
        for row in (case.entry.standing, *(claim.row for claim in case.claims)):
            if row.content is not None:
                self._want(row.content.episode_id, row.content.span)

    def facts(self, known: KnownKey, held: Sequence[Held]) -> None:
        """Keep what is told of a key: facts, lane, gaps."""
        self._fact_count += len(held)
        runs = known.runs
        if not runs:
            return
        for fact in held[: FACTS_TOLD - len(self._facts)]:
            cited = fact.evidence[:SOURCES_TOLD]
            self._facts.append((self._fact(known, fact), cited))
            for _, episode_id, span in cited:
                self._want(episode_id, span)
        if held or not self._is_window:  # a picture of a period in which nothing held is empty
            self._lane_count += 1
            if len(self._lanes) < LANES_TOLD:
                self._lanes.append(self._lane(known))
        if len(runs) == 1 and runs[0].valid_to is None:
            return
        for run, following in gaps_of(runs):
            self._gap_count += 1
            if len(self._gaps) < GAPS_TOLD:
                self._gaps.append(self._gap(known, run, following))

    def episode(self, entry: EpisodeEntry) -> None:
        """Keep the words that are quoted."""
        spans = self._wanted.get(entry.draft.episode_id)
        if spans is None:
            return
        draft = entry.draft
        excerpts: dict[Span, Excerpt] = {}
        if not self._hides_content:
            excerpts = {span: excerpt_of(draft.content, span) for span in spans}
        self._episodes[draft.episode_id] = (
            draft.kind.value,
            to_micros(draft.occurred_at),
            excerpts,
        )

    def _want(self, episode_id: str, span: Span) -> None:
        self._wanted.setdefault(episode_id, set()).add(span)

    # -- keys -------------------------------------------------------------------------------------

    def _value(self, content: Content | None) -> str | None:
        return None if self._hides_values or content is None else content.value

    def _marks(self, known: KnownKey, content: Content, disputed: bool) -> int:
        marks = Mark.DISPUTED if disputed else Mark(0)
        if content.precision in _IMPRECISE:
            marks |= Mark.IMPRECISE
        if content.basis in _ASSUMED:
            marks |= Mark.ASSUMED
        if any(link.memory_id == content.memory_id for link in known.links):
            marks |= Mark.CONFIRMED
        return int(marks)

    def _lane(self, known: KnownKey) -> ToldLane:
        told = known.runs[-STRETCHES_TOLD:]
        return ToldLane(
            subject=known.key.subject,
            attribute=known.key.attribute,
            owner=known.key.owner,
            slot=known.key.slot,
            memory_type=known.memory_type,
            open_conflicts=sum(case.state is ConflictState.OPEN for case in known.cases),
            stretches=tuple(self._stretch(known, run) for run in told),
            earlier=len(known.runs) - len(told),
        )

    def _stretch(self, known: KnownKey, run: Run) -> ToldStretch:
        content = known.rows[run.first].content
        assert content is not None
        disputed = any(
            case.disputes(run.memory_id, run.valid_from, run.valid_to) for case in known.cases
        )
        marks = self._marks(known, content, disputed)
        return ToldStretch(
            valid_from=run.valid_from,
            valid_to=run.valid_to,
            value=self._value(content),
            marks=marks,
        )

    def _gap(self, known: KnownKey, run: Run, following: Run | None) -> ToldGap:
        assert run.valid_to is not None
        after = None if following is None else known.rows[following.first].content
        return ToldGap(
            subject=known.key.subject,
            attribute=known.key.attribute,
            owner=known.key.owner,
            gap_from=run.valid_to,
            gap_to=None if following is None else following.valid_from,
            before=self._value(known.rows[run.after - 1].content),
            after=self._value(after),
        )

    # -- at the end -------------------------------------------------------------------------------

    def story(self, manifest: Manifest, *, omitted: int, files: Sequence[str]) -> Story:
        """Return what is told, once all has passed by.

        Args:
            manifest: of the snapshot; its files and digest are not looked at.
            omitted: how many entries lie out of scope.
            files: names of the snapshot's files.
        """
        facts = [
            replace(told, sources=tuple(self._source(e, span) for _, e, span in cited))
            for told, cited in self._facts
        ]
        unsourced = [told for told in facts if told.sources[0].kind is None][:UNSOURCED_TOLD]
        missing = manifest.counts.facts.without_source
        return Story(
            store_id=manifest.store_id,
            tenant_id=manifest.tenant_id,
            asked=asked_of(manifest.arguments),
            number=manifest.end.number,
            recorded_at=_micros(manifest.as_of.recorded_at),
            digest=manifest.end.digest,
            entries=manifest.end.entries,
            totals=totals_of(manifest.counts),
            facts=_told(facts, self._fact_count),
            lanes=_told(self._lanes, self._lane_count),
            conflicts=_told(list(map(self._conflict, self._conflicts)), self._conflict_count),
            gaps=_told(self._gaps, self._gap_count),
            unsourced=_told(unsourced, missing),
            transactions=self._told_transactions(),
            omitted=omitted,
            files=tuple(files),
            tool=f"{manifest.tool.name} {manifest.tool.version}",
        )

    def _fact(self, known: KnownKey, held: Held) -> ToldFact:
        row, content = held.row, held.row.content
        assert content is not None
        return ToldFact(
            memory_id=content.memory_id,
            subject=known.key.subject,
            attribute=known.key.attribute,
            owner=known.key.owner,
            memory_type=known.memory_type,
            value=self._value(content),
            commitment=self._commitment(row),
            valid_from=held.valid_from,
            valid_to=held.valid_to,
            basis=content.basis.value,
            precision=content.precision.value,
            stated_as=None if self._hides_values else content.stated_as,
            confidence=content.confidence,
            agent_id=content.agent_id,
            recorded_at=self._clock[row.tx_from],
            transaction=row.tx_from,
            marks=self._marks(known, content, held.disputed),
            further_sources=max(0, len(held.evidence) - SOURCES_TOLD),
        )

    def _commitment(self, row: Row) -> str | None:
        if not self._hides_values or row.content is None:
            return None
        return said_commitment(row.secret, "value", row.content)

    def _told_transactions(self) -> Told[ToldTransaction]:
        items = tuple(self._transactions)
        joined = sum(told.through - told.number for told in items if told.through is not None)
        left_out = self._transaction_count - len(items) - joined
        return Told(items, left_out, joined)

    def _source(self, episode_id: str, span: Span) -> Source:
        kind, occurred_at, excerpts = self._episodes.get(episode_id, (None, None, {}))
        return Source(
            episode_id=episode_id,
            kind=kind,
            occurred_at=occurred_at,
            span=span,
            excerpt=excerpts.get(span),
        )

    def _conflict(self, case: ConflictCase) -> ToldConflict:
        entry, noted = case.entry, _noted_in(case)
        return ToldConflict(
            conflict_id=entry.conflict_id,
            kind=entry.kind.value,
            subject=entry.key.subject,
            attribute=entry.key.attribute,
            owner=entry.key.owner,
            contested_from=entry.contested_from,
            contested_to=entry.contested_to,
            raised_at=self._clock[case.events[0].tx_from],
            raised_in=case.events[0].tx_from,
            standing=self._claim(entry.standing, entry.standing.tx_from),
            incoming=tuple(self._claim(c.row, noted[c.claim_id]) for c in case.claims),
        )

    def _claim(self, row: Row, number: int) -> ToldClaim:
        content = row.content
        assert content is not None
        return ToldClaim(
            value=self._value(content),
            commitment=self._commitment(row),
            valid_from=row.valid_from,
            until=row.until,
            basis=content.basis.value,
            precision=content.precision.value,
            confidence=content.confidence,
            agent_id=content.agent_id,
            recorded_at=self._clock[number],
            transaction=number,
            source=self._source(content.episode_id, content.span),
        )


def _noted_in(case: ConflictCase) -> Mapping[str, int]:
    """Return the transaction that took note of each claim first."""
    claims: list[tuple[ClaimEntry, int]] = [(e.claim, e.tx_from) for e in case.events if e.claim]
    return {claim.claim_id: number for claim, number in reversed(claims)}


def _told(items: Sequence[ItemT], total: int) -> Told[ItemT]:
    return Told(tuple(items), total - len(items))


def _micros(text: str) -> int:
    return to_micros(parse_instant(text).instant)


def asked_of(arguments: Arguments) -> Asked:
    """Return a manifest's arguments as a report takes them."""
    window = arguments.window
    return Asked(
        subject=arguments.subject,
        attribute=arguments.attribute,
        memory_type=arguments.memory_type,
        valid_at=_micros(arguments.valid_at),
        window=None if window is None else (_micros(window[0]), _micros(window[1])),
        withhold=arguments.withhold.value,
    )


def totals_of(counts: Counts) -> Totals:
    """Return a manifest's counts as a report takes them."""
    conflicts, facts = counts.conflicts, counts.facts
    return Totals(
        in_scope=facts.in_scope,
        with_source=facts.with_source,
        without_source=facts.without_source,
        with_span=facts.with_span,
        disputed=facts.disputed,
        imprecise=facts.imprecise,
        by_basis=facts.by_basis,
        conflicts_open=conflicts.open,
        conflicts_stale=conflicts.stale,
        settled_by_person=conflicts.settled_by_person,
        settled_by_policy=conflicts.settled_by_policy,
        settled_by_agent=conflicts.settled_by_agent,
        episodes=counts.episodes.total,
        episodes_unused=counts.episodes.unused,
        versions=counts.versions,
        evidence=counts.evidence,
        transactions=counts.transactions,
        keys=counts.keys,
        subjects=counts.subjects,
        gaps=counts.gaps,
    )
