"""Stories for the tests of the report, made without the writer of snapshots."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from store import AsOf, FactQuery, Page, Scope, open_store
from store.audit.story import (
    Asked,
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
from store.canonical import canonical
from store.query import Mark
from store.temporal import to_micros
from tests.support import ROOT
from workbench.demo import DemoClock, make_demo

if TYPE_CHECKING:
    from store import Store
    from store.model import Claim, Conflict, Fact, Span

FILES = (
    "manifest.json",
    "facts.jsonl",
    "facts.csv",
    "versions.jsonl",
    "episodes.jsonl",
    "evidence.jsonl",
    "conflicts.jsonl",
    "attributes.jsonl",
    "transactions.jsonl",
    "provenance.json",
    "report.html",
    "report.md",
    "verify.py",
)
_INEXACT = {"day", "month", "year"}


@cache
def demo_story(tenant: str = "acme") -> Story:
    """Tell the demo store's record of a tenant, as of its newest transaction."""
    clock = DemoClock()
    with open_store("memory:", clock=clock) as store:
        make_demo(store, clock=clock, samples=ROOT / "resources" / "samples")
        return _Teller(store, Scope(tenant, "operator")).story()


class _Teller:
    """Reads a small store through its contract and tells all of it."""

    def __init__(self, store: Store, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self._head = store.head(scope)
        assert self._head.recorded_at is not None
        self._as_of = AsOf(self._head.recorded_at, self._head.recorded_at)

    def story(self) -> Story:
        store, scope = self._store, self._scope
        recorded_at = to_micros(self._head.recorded_at)
        facts = tuple(map(self._fact, self._all_facts()))
        lanes = tuple(map(_lane, store.lanes(scope, as_of=self._as_of, count=10_000)))
        conflicts = store.conflicts(scope, page=Page(1000)).items
        summary = store.summary(scope, self._as_of)
        gaps = tuple(gap for lane in lanes for gap in _gaps(lane))
        transactions = store.transactions(scope, page=Page(1000)).items
        return Story(
            store_id="3f1c9a52-7c1e-4f0a-9b8d-20c51e7d6a44",
            tenant_id=scope.tenant_id,
            asked=Asked(valid_at=recorded_at),
            number=self._head.number,
            recorded_at=recorded_at,
            digest=self._head.digest,
            entries=self._head.entries,
            totals=Totals(
                in_scope=len(facts),
                with_source=len(facts),
                with_span=sum(any(s.span for s in fact.sources) for fact in facts),
                disputed=sum(bool(fact.marks & Mark.DISPUTED) for fact in facts),
                imprecise=sum(bool(fact.marks & Mark.IMPRECISE) for fact in facts),
                by_basis={
                    basis: sum(fact.basis == basis for fact in facts)
                    for basis in ("stated", "episode", "assumed")
                },
                conflicts_open=len(conflicts),
                settled_by_person=sum(t.kind == "settle" for t in transactions),
                episodes=summary.episodes,
                episodes_unused=4,
                versions=summary.intervals,
                evidence=sum(len(fact.sources) - 1 for fact in facts),
                transactions=self._head.number,
                keys=summary.keys,
                subjects=summary.subjects,
                gaps=len(gaps),
            ),
            facts=Told(facts),
            lanes=Told(lanes),
            conflicts=Told(tuple(map(self._conflict, conflicts))),
            gaps=Told(gaps),
            transactions=Told(
                tuple(
                    ToldTransaction(
                        number=t.number,
                        recorded_at=to_micros(t.recorded_at),
                        kind=t.kind,
                        actor=t.actor,
                        tool=t.tool,
                        reason=t.reason,
                        digest=t.digest,
                        entries=t.entries,
                    )
                    for t in reversed(transactions[:500])
                ),
                max(0, self._head.number - 500),
            ),
            files=FILES,
            tool="memory-workbench 0.2.0",
        )

    def _all_facts(self) -> list[Fact]:
        page = self._store.facts(self._scope, FactQuery(), as_of=self._as_of, page=Page(limit=1000))
        return sorted(
            page.items, key=lambda f: (f.subject, f.attribute, f.owner, f.slot, f.valid_from)
        )

    def _fact(self, fact: Fact) -> ToldFact:
        marks = Mark.DISPUTED if fact.disputed else Mark(0)
        marks |= Mark.IMPRECISE if fact.precision in _INEXACT else Mark(0)
        marks |= Mark.ASSUMED if fact.valid_from_basis in {"assumed", "unknown"} else Mark(0)
        marks |= Mark.CONFIRMED if len(fact.evidence) > 1 else Mark(0)
        return ToldFact(
            memory_id=fact.memory_id,
            subject=fact.subject,
            attribute=fact.attribute,
            owner=fact.owner,
            memory_type=fact.memory_type,
            value=canonical(fact.value),
            valid_from=to_micros(fact.valid_from),
            valid_to=None if fact.valid_to is None else to_micros(fact.valid_to),
            basis=fact.valid_from_basis,
            precision=fact.precision,
            stated_as=fact.stated_as,
            confidence=fact.confidence,
            agent_id=fact.agent_id,
            recorded_at=to_micros(fact.recorded_at),
            transaction=fact.transaction,
            marks=marks,
            sources=tuple(self._source(e.episode_id, e.span) for e in fact.evidence),
        )

    def _source(self, episode_id: str, span: Span | None) -> Source:
        episode = self._store.episode(self._scope, episode_id)
        bounds = None if span is None else (span.start, span.end)
        return Source(
            episode_id=episode_id,
            kind=episode.kind,
            occurred_at=to_micros(episode.occurred_at),
            span=bounds,
            excerpt=excerpt_of(episode.content, bounds),
        )

    def _conflict(self, conflict: Conflict) -> ToldConflict:
        ends = conflict.contested_to
        return ToldConflict(
            conflict_id=conflict.conflict_id,
            kind=conflict.kind,
            subject=conflict.subject,
            attribute=conflict.attribute,
            owner=conflict.owner,
            contested_from=to_micros(conflict.contested_from),
            contested_to=None if ends is None else to_micros(ends),
            raised_at=to_micros(conflict.raised_at),
            raised_in=conflict.raised_in,
            standing=self._claim(conflict.standing),
            incoming=tuple(map(self._claim, conflict.incoming)),
        )

    def _claim(self, claim: Claim) -> ToldClaim:
        return ToldClaim(
            value=canonical(claim.value),
            valid_from=to_micros(claim.valid_from),
            until=None if claim.until is None else to_micros(claim.until),
            basis=claim.valid_from_basis,
            precision=claim.precision,
            confidence=claim.confidence,
            agent_id=claim.agent_id,
            recorded_at=to_micros(claim.recorded_at),
            transaction=claim.transaction,
            source=self._source(claim.source_episode_id, claim.span),
        )


def _lane(lane) -> ToldLane:
    return ToldLane(
        subject=lane.key.subject,
        attribute=lane.key.attribute,
        owner=lane.key.owner,
        slot=lane.key.slot,
        memory_type=lane.memory_type,
        open_conflicts=lane.open_conflicts,
        stretches=tuple(
            ToldStretch(
                valid_from=bar.valid_from,
                valid_to=bar.valid_to,
                value=bar.value,
                marks=bar.marks,
            )
            for bar in lane.bars
        ),
    )


def _gaps(lane: ToldLane) -> list[ToldGap]:
    found = [
        ToldGap(
            subject=lane.subject,
            attribute=lane.attribute,
            owner=lane.owner,
            gap_from=one.valid_to,
            gap_to=other.valid_from,
            before=one.value,
            after=other.value,
        )
        for one, other in pairwise(lane.stretches)
        if one.valid_to is not None and one.valid_to < other.valid_from
    ]
    last = lane.stretches[-1] if lane.stretches else None
    if last is not None and last.valid_to is not None:
        found.append(
            ToldGap(
                subject=lane.subject,
                attribute=lane.attribute,
                owner=lane.owner,
                gap_from=last.valid_to,
                gap_to=None,
                before=last.value,
                after=None,
            )
        )
    return found


def empty_story() -> Story:
    """Tell of a tenant in which nothing was ever written."""
    return Story(
        store_id="3f1c9a52-7c1e-4f0a-9b8d-20c51e7d6a44",
        tenant_id="acme",
        asked=Asked(valid_at=1_780_480_800_000_000),
        number=0,
        recorded_at=None,
        digest="0" * 64,
        entries=0,
        totals=Totals(),
        files=FILES,
        tool="memory-workbench 0.2.0",
    )


def hostile_story(text: str) -> Story:
    """Tell of a record in which everything that can hold a text holds this one.

    Names in a store have no control characters; a report does not count on that.
    """
    value = json.dumps(text, ensure_ascii=False)
    at, later = 1_780_480_800_000_000, 1_783_000_000_000_000
    source = Source(
        episode_id=text,
        kind="message",
        occurred_at=at,
        span=(0, len(text)),
        excerpt=excerpt_of(f"{text} {text} {text}", (len(text) + 1, 2 * len(text) + 1)),
    )
    fact = ToldFact(
        memory_id="m",
        subject=text,
        attribute=text,
        owner=text,
        memory_type=text,
        value=value,
        valid_from=at,
        valid_to=later,
        basis="stated",
        precision="instant",
        stated_as=text,
        confidence=0.5,
        agent_id=text,
        recorded_at=at,
        transaction=1,
        sources=(source,),
    )
    claim = ToldClaim(
        value=value,
        valid_from=at,
        until=None,
        basis="stated",
        precision="instant",
        confidence=1.0,
        agent_id=text,
        recorded_at=at,
        transaction=1,
        source=source,
    )
    stretches = (
        ToldStretch(valid_from=at, valid_to=later, value=value, marks=Mark.DISPUTED),
        ToldStretch(valid_from=later + 900_000_000_000, valid_to=None, value=value),
    )
    return Story(
        store_id=text,
        tenant_id=text,
        asked=Asked(subject=text, attribute=text, memory_type=text, valid_at=at),
        number=1,
        recorded_at=at,
        digest="ab" * 32,
        entries=4,
        totals=Totals(in_scope=1, with_source=1, conflicts_open=1, disputed=1),
        facts=Told((fact,)),
        lanes=Told(
            (
                ToldLane(
                    subject=text,
                    attribute=text,
                    owner=text,
                    memory_type=text,
                    open_conflicts=1,
                    stretches=stretches,
                    earlier=2,
                ),
            )
        ),
        conflicts=Told(
            (
                ToldConflict(
                    conflict_id=text,
                    kind="value",
                    subject=text,
                    attribute=text,
                    owner=text,
                    contested_from=at,
                    contested_to=None,
                    raised_at=at,
                    raised_in=1,
                    standing=claim,
                    incoming=(claim, claim),
                ),
            )
        ),
        gaps=Told(
            (
                ToldGap(
                    subject=text,
                    attribute=text,
                    owner=text,
                    gap_from=at,
                    gap_to=later,
                    before=value,
                    after=value,
                ),
            )
        ),
        unsourced=Told((fact,)),
        transactions=Told(
            (
                ToldTransaction(
                    number=1,
                    recorded_at=at,
                    kind="change",
                    actor=text,
                    tool=text,
                    reason=text,
                    digest="ab" * 32,
                    entries=4,
                ),
            )
        ),
        files=("facts.jsonl", text),
        tool=text,
    )
