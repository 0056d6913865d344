"""A short way to write to a store and to read from it in tests: days for times, numbers for as-of.

Every reading of a lane here is made in three ways (lanes, history, point reads at every bound),
which must agree; so each test that looks at a lane also tests that.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from store import (
    AsOf,
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    EpisodeDraft,
    EpisodeKind,
    FactQuery,
    LaneFilter,
    Memory,
    MemoryDelta,
    NotFound,
    Order,
    Page,
    Resolution,
    Retract,
    Revert,
    Scope,
    Settle,
    bind,
)
from store.canonical import canonical, parse
from store.temporal import EARLIEST, LATEST, from_micros, to_micros

if TYPE_CHECKING:
    from store import Conflict, Fact, Head, Receipt, Store, Write

DAY0 = datetime(2026, 1, 1, tzinfo=UTC)
LATER = 2000
"""The day on which the clock of a test stands, unless it says otherwise."""

Line = list[tuple[float, float | None, Any]]


def day(number: float) -> datetime:
    return DAY0 + timedelta(days=number)


def number_of(instant: datetime) -> float:
    days = (instant - DAY0) / timedelta(days=1)
    return int(days) if days == int(days) else days


class Clock:
    """Stands still until it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


class Entropy:
    """Bytes that repeat from run to run."""

    def __init__(self, seed: str = "seed") -> None:
        self._seed = seed
        self._count = 0
        self._lock = threading.Lock()

    def __call__(self, length: int) -> bytes:
        with self._lock:
            self._count += 1
            count = self._count
        return sha256(f"{self._seed} {count}".encode()).digest()[:length]


def delta(
    value: Any,
    start: float | datetime,
    until: float | None = None,
    *,
    episode: str,
    subject: str = "mira",
    attribute: str = "city",
    tenant_id: str = "acme",
    **more: Any,
) -> MemoryDelta:
    return MemoryDelta(
        tenant_id=tenant_id,
        subject=subject,
        attribute=attribute,
        value=value,
        valid_from=start if isinstance(start, datetime) else day(start),
        until=None if until is None else day(until),
        source_episode_id=episode,
        **more,
    )


def draft(name: str, content: str = "It was said so.", **more: Any) -> EpisodeDraft:
    more.setdefault("kind", EpisodeKind.MESSAGE)
    more.setdefault("occurred_at", DAY0)
    return EpisodeDraft(episode_id=name, content=content, **more)


@dataclass
class Desk:
    """One scope of one store."""

    store: Store
    clock: Clock
    scope: Scope = field(default_factory=lambda: Scope("acme"))
    spoken: list[int] = field(default_factory=lambda: [0])

    def of(
        self,
        agent_id: str = "operator",
        readable: frozenset[str] | None = None,
        tenant_id: str = "acme",
    ) -> Desk:
        """The same store seen by somebody else."""
        scope = Scope(tenant_id, agent_id, readable)
        return Desk(self.store, self.clock, scope, self.spoken)

    @property
    def memory(self) -> Memory:
        scope = self.scope
        return bind(self.store, scope.tenant_id, agent_id=scope.agent_id, readable=scope.readable)

    # -- writing ------------------------------------------------------------------------------

    def write(self, write: Write) -> Receipt:
        return self.store.write(self.scope, write)

    def episode(self, name: str | None = None, content: str | None = None, **more: Any) -> str:
        """Capture an episode: a fresh one without a name; a name alone also means one there is."""
        if name is None:
            self.spoken[0] += 1
            name = f"said-{self.spoken[0]}"
        elif content is None and not more and self._has(name):
            return name
        self.write(Capture(episode=draft(name, content or "It was said so.", **more)))
        return name

    def _has(self, episode_id: str) -> bool:
        try:
            self.store.episode(self.scope, episode_id)
        except NotFound:
            return False
        return True

    def say(
        self,
        value: Any,
        start: float,
        until: float | None = None,
        *,
        episode: str | None = None,
        reason: str | None = None,
        **more: Any,
    ) -> Receipt:
        """Propose a fact, from a fresh episode unless one is named."""
        more.setdefault("tenant_id", self.scope.tenant_id)
        name = self.episode(episode)
        return self.write(
            Change(delta=delta(value, start, until, episode=name, **more), reason=reason)
        )

    def fact(self, value: Any, start: float, until: float | None = None, **more: Any) -> str:
        """Write a fact that must be applied; its id."""
        receipt = self.say(value, start, until, **more)
        assert receipt.outcome.value == "applied", receipt.plan.reason
        assert receipt.memory_id is not None
        return receipt.memory_id

    def contest(
        self, value: Any, start: float, until: float | None = None, **more: Any
    ) -> Conflict:
        """Write a claim that must be queued; the conflict."""
        receipt = self.say(value, start, until, **more)
        assert receipt.outcome.value == "conflict", receipt.plan.reason
        assert receipt.conflict_id is not None
        return self.store.conflict(self.scope, receipt.conflict_id)

    def correct(self, memory_id: str, *, episode: str | None = None, **right: Any) -> Receipt:
        for name in ("valid_from", "until", "row"):
            if isinstance(right.get(name), int | float):
                right[name] = day(right[name])
        source = self.episode(episode)
        return self.write(
            Correct(memory_id=memory_id, episode_id=source, reason="it was wrong", **right)
        )

    def end(self, memory_id: str, at: float, **more: Any) -> Receipt:
        source = self.episode()
        write = End(memory_id=memory_id, at=day(at), episode_id=source, reason="it ended", **more)
        return self.write(write)

    def retract(self, memory_id: str, *, gap: bool = False, **more: Any) -> Receipt:
        source = self.episode()
        write = Retract(
            memory_id=memory_id, gap=gap, episode_id=source, reason="it never was", **more
        )
        return self.write(write)

    def confirm(self, memory_id: str, episode: str, **more: Any) -> Receipt:
        return self.write(Confirm(memory_id=memory_id, episode_id=self.episode(episode), **more))

    def settle(self, conflict_id: str, resolution: Resolution, **more: Any) -> Receipt:
        for name in ("valid_from", "until"):
            if isinstance(more.get(name), int | float):
                more[name] = day(more[name])
        return self.write(
            Settle(conflict_id=conflict_id, resolution=resolution, reason="I looked", **more)
        )

    def revert(self, transaction: int | None) -> Receipt:
        assert transaction is not None
        return self.write(Revert(transaction=transaction, reason="undo"))

    # -- reading ------------------------------------------------------------------------------

    @property
    def head(self) -> Head:
        return self.store.head(self.scope)

    @property
    def newest(self) -> int:
        return self.head.number

    def as_of(self, known: int | None = None, at: float | datetime | None = None) -> AsOf:
        """The state after transaction `known`, at a day."""
        known_at = None
        if known is not None:
            detail = self.store.transaction(Scope(self.scope.tenant_id), max(known, 1))
            known_at = detail.transaction.recorded_at
            known_at -= timedelta(microseconds=known == 0)
        instant = at if at is None or isinstance(at, datetime) else day(at)
        return AsOf(valid_at=instant, known_at=known_at)

    def read(
        self,
        at: float | datetime | None = None,
        known: int | None = None,
        *,
        subject: str = "mira",
        attribute: str = "city",
    ) -> tuple[Fact, ...]:
        return self.store.read(self.scope, subject, attribute, self.as_of(known, at))

    def value(self, at: float | datetime, known: int | None = None, **more: Any) -> Any:
        """The one value that holds; "nothing" where none does."""
        facts = self.read(at, known, **more)
        assert len(facts) <= 1
        return facts[0].value if facts else "nothing"

    def history(self, query: FactQuery, known: int | None = None) -> list[Fact]:
        return all_facts(self, query, as_of=self.as_of(known))

    def line(
        self, *, known: int | None = None, subject: str = "mira", attribute: str = "city"
    ) -> Line:
        """The stretches of a subject's attribute, over all owners and slots, by time."""
        as_of = self.as_of(known)
        lanes = self.store.lanes(
            self.scope, LaneFilter(subject=subject, attribute=attribute), as_of=as_of
        )
        bars = sorted(
            (bar.valid_from, LATEST + 1 if bar.valid_to is None else bar.valid_to, bar.value)
            for lane in lanes
            for bar in lane.bars
        )
        self._history_agrees(bars, subject, attribute, as_of)
        self._reads_agree(bars, subject, attribute, as_of)
        return [
            (
                number_of(from_micros(begins)),
                None if ends > LATEST else number_of(from_micros(ends)),
                parse(value),
            )
            for begins, ends, value in bars
        ]

    def _history_agrees(
        self, bars: list[tuple[int, int, str]], subject: str, attribute: str, as_of: AsOf
    ) -> None:
        query = FactQuery(subject=subject, attribute=attribute, history=True)
        found = sorted(
            (
                to_micros(fact.valid_from),
                LATEST + 1 if fact.valid_to is None else to_micros(fact.valid_to),
                canonical(fact.value)[:200],
            )
            for fact in all_facts(self, query, as_of=as_of)
        )
        assert found == bars, "the history and the lanes disagree"

    def _reads_agree(
        self, bars: list[tuple[int, int, str]], subject: str, attribute: str, as_of: AsOf
    ) -> None:
        bounds = {at for begins, ends, _ in bars for at in (begins, ends)}
        probes = {at + step for at in bounds for step in (-1, 0)}
        for probe in sorted(p for p in probes if EARLIEST <= p <= LATEST):
            there = AsOf(valid_at=from_micros(probe), known_at=as_of.known_at)
            facts = self.store.read(self.scope, subject, attribute, there)
            found = sorted(canonical(fact.value)[:200] for fact in facts)
            wanted = sorted(value for begins, ends, value in bars if begins <= probe < ends)
            assert found == wanted, f"a read at {from_micros(probe)} and the lanes disagree"

    def everything(self, known: int | None = None) -> tuple[Any, ...]:
        """All that the scope can read of facts and conflicts as of a transaction."""
        as_of = self.as_of(known)
        outline = self.store.lane_outline(self.scope, as_of=as_of)
        lanes = self.store.lanes(self.scope, as_of=as_of, count=1000)
        facts = all_facts(self, FactQuery(history=True), as_of=self.as_of(known, LATER + 1))
        return outline, lanes, facts

    def check(self) -> None:
        """Everything that must always be true is."""
        report = self.store.check(full=True, head=self.head)
        assert report.findings == ()


def all_facts(
    desk: Desk, query: FactQuery, *, as_of: AsOf, order: Order = Order(), limit: int = 100
) -> list[Fact]:
    """Every page of a query, joined."""
    found: list[Fact] = []
    after = None
    while True:
        page = desk.store.facts(
            desk.scope, query, as_of=as_of, order=order, page=Page(limit, after)
        )
        found += page.items
        after = page.after
        if after is None:
            return found
        assert page.items, "a page in the middle is empty"
