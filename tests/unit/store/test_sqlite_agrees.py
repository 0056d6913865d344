"""Whatever is written, the SQLite store answers every question as the reference in memory does."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from store.backends.sqlite import unit, words
from store.contract import Scope
from store.errors import StoreError
from store.model import (
    Attribute,
    Cardinality,
    ConflictState,
    EpisodeDraft,
    EpisodeKind,
    MemoryDelta,
    Resolution,
    Span,
)
from store.open import open_store
from store.query import (
    INSTANT_FIELDS,
    Comparison,
    EpisodeQuery,
    FactField,
    FactQuery,
    FieldFilter,
    LaneFilter,
    Order,
    Page,
    TransactionQuery,
)
from store.temporal import AsOf, Basis, Precision
from store.write import (
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    Register,
    Retract,
    Revert,
    Settle,
)
from tests.conformance.scene import Clock, Entropy, day

if TYPE_CHECKING:
    from pathlib import Path

    from store.contract import Store

SUBJECTS = ("mira", "Ångström", "zoë 'x'")
ATTRIBUTES = ("city", "Tag", "phone")
OWNERS = ("", "", "", "bot", "ann")
VALUES = ("Porto", "Lisbon", None, 3, {"a": [1, 2.5]}, "", "ß straße", True, "a\0b porto")
DAYS = 40


class Pair:
    """Two stores that are told the same."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.clock = Clock(day(DAYS // 2))
        name = f"seed {seed}"
        self.memory = open_store("memory:", clock=self.clock, entropy=Entropy(name))
        self.sqlite = open_store(
            folder / f"{seed}.db",
            create=True,
            clock=self.clock,
            entropy=Entropy(name),
            durability="normal",
        )
        self.episodes: list[str] = []
        self.facts: list[str] = []
        self.conflicts: list[str] = []
        self.transactions = 0
        self.times: list[Any] = []

    def close(self) -> None:
        self.memory.close()
        self.sqlite.close()

    def both(self, call: str, *values: Any, **more: Any) -> Any:
        """Ask both the same; return the answer, or the error that both raised."""
        answers = []
        for store in (self.memory, self.sqlite):
            try:
                answers.append(getattr(store, call)(*values, **more))
            except StoreError as error:
                answers.append((type(error), str(error).replace(store.url, "")))
        assert answers[0] == answers[1], f"{call} {values} {more}"
        return answers[0]

    # -- writing --------------------------------------------------------------------------------

    def act(self) -> None:
        pick = self.random.choice
        self.clock.now += timedelta(seconds=pick((0, 1, 3600, -60)))
        scope = pick((Scope("acme"), Scope("acme"), Scope("acme", "bot"), Scope("other")))
        acts = [self._capture, *[self._change] * 8, self._register]
        if self.facts:
            acts += [self._correct, self._end, self._retract, self._confirm, self._revert]
        if self.conflicts:
            acts += [self._settle] * 2
        write = pick(acts)()
        receipt = self.both("write", scope, write)
        self.both("preview", scope, write)
        if isinstance(receipt, tuple):
            return
        if receipt.memory_id:
            self.facts.append(receipt.memory_id)
        if receipt.conflict_id:
            self.conflicts.append(receipt.conflict_id)
        if receipt.episode_id and receipt.episode_id not in self.episodes:
            self.episodes.append(receipt.episode_id)
        if receipt.transaction and scope.tenant_id == "acme":
            self.transactions = receipt.transaction
            self.times.append(self.both("head", scope).recorded_at)

    def _episode(self) -> str:
        return self.random.choice(self.episodes or ["e0"])

    def _capture(self) -> Capture:
        return Capture(episode=self._draft())

    def _draft(self) -> EpisodeDraft:
        pick = self.random.choice
        number = self.random.randrange(12)
        return EpisodeDraft(
            episode_id=f"e{number}",
            kind=pick(list(EpisodeKind)) if number % 3 else EpisodeKind.MESSAGE,
            content=f"The words of {number}: Straße\0 and <b>more</b>",
            occurred_at=day(number),
            agent_id=pick((None, "bot")),
            session_id=pick((None, "s1")),
            metadata={"n": number, "x": [1.0, None]} if number % 2 else {},
        )

    def _delta(self, tenant_id: str = "acme") -> MemoryDelta:
        pick = self.random.choice
        start = self.random.randrange(DAYS)
        length = pick((None, None, None, *range(1, 12)))
        return MemoryDelta(
            tenant_id=tenant_id,
            subject=pick(SUBJECTS),
            attribute=pick(ATTRIBUTES),
            value=pick(VALUES),
            valid_from=day(start),
            until=None if length is None else day(start + length),
            source_episode_id=self._episode(),
            owner=pick(OWNERS),
            confidence=pick((1.0, 0.5, 0.25)),
            span=pick((None, None, Span(start=1, end=4))),
            memory_type=pick((None, None, None, "profile")),
            valid_from_basis=pick(list(Basis)),
            precision=pick(list(Precision)),
            stated_as=pick((None, "last spring")),
        )

    def _change(self) -> Change:
        return Change(delta=self._delta(), reason=self.random.choice((None, "heard it")))

    def _register(self) -> Register:
        pick = self.random.choice
        attribute = Attribute(
            name=pick((*ATTRIBUTES, "mood")),
            memory_type=pick(("fact", "profile")),
            cardinality=pick((Cardinality.SINGLE, Cardinality.SINGLE, Cardinality.MULTI)),
            sensitive=pick((True, False)),
            retention_policy=pick(("keep", "short")),
        )
        return Register(attribute=attribute, reason="needed")

    def _act_fields(self) -> dict[str, Any]:
        return {
            "memory_id": self.random.choice(self.facts),
            "episode_id": self._episode(),
            "reason": "because",
            "seen": self.random.choice((None, None, None, self.transactions)),
        }

    def _correct(self) -> Correct:
        fields: dict[str, Any] = self._act_fields()
        match self.random.randrange(3):
            case 0:
                fields["value"] = self.random.choice(VALUES)
            case 1:
                fields["valid_from"] = day(self.random.randrange(DAYS))
            case _:
                end = self.random.randrange(DAYS)
                fields["until"] = self.random.choice((None, day(end)))
        return Correct(**fields)

    def _end(self) -> End:
        return End(at=day(self.random.randrange(DAYS)), **self._act_fields())

    def _retract(self) -> Retract:
        return Retract(gap=self.random.choice((True, False)), **self._act_fields())

    def _confirm(self) -> Confirm:
        return Confirm(memory_id=self.random.choice(self.facts), episode_id=self._episode())

    def _revert(self) -> Revert:
        number = self.random.randrange(1, self.transactions + 2)
        return Revert(transaction=number, reason="undo")

    def _settle(self) -> Settle:
        pick = self.random.choice
        conflict_id = pick(self.conflicts)
        fields: dict[str, Any] = {"resolution": pick(list(Resolution)), "reason": "decided"}
        if fields["resolution"] is Resolution.MERGE:
            fields["value"] = "both of it"
        if fields["resolution"] is Resolution.MOVE:
            fields["valid_from"] = day(self.random.randrange(DAYS))
            fields["standing"] = pick((True, False))
        if fields["resolution"] is Resolution.BOTH:
            fields["qualifier"] = pick((None, "work"))
        found = self.memory.conflicts(Scope("acme"), None, page=Page(1000)).items
        claims = [c.claim_id for it in found if it.conflict_id == conflict_id for c in it.incoming]
        fields["claim_id"] = pick((None, *claims))
        return Settle(conflict_id=conflict_id, **fields)

    def load(self) -> None:
        entries = [
            self._draft() if self.random.random() < 0.2 else self._delta()
            for _ in range(self.random.randrange(20, 50))
        ]
        scope = Scope("acme")
        report = self.both("load", scope, entries, batch=self.random.choice((7, 1000)))
        if report.transactions:
            self.transactions = report.transactions[1]
            self.times.append(self.both("head", scope).recorded_at)
        self.episodes = [e.episode_id for e in self.memory.episodes(scope).items]
        page = Page(1000)
        self.facts = [f.memory_id for f in self.memory.facts(scope, FactQuery(), page=page).items]
        found = self.memory.conflicts(scope, None, page=page).items
        self.conflicts = [c.conflict_id for c in found]

    # -- reading --------------------------------------------------------------------------------

    def compare(self) -> None:
        scopes = (Scope("acme"), Scope("acme", "bot"), Scope("acme", "ann", frozenset({"bot"})))
        known = [None, *self.random.sample(self.times, min(3, len(self.times)))]
        if self.times:
            known.append(self.times[0] - timedelta(days=1))
        valid = [None, *(day(self.random.randrange(DAYS + 5)) for _ in range(3))]
        as_ofs = [AsOf(valid_at, known_at) for valid_at, known_at in product(valid, known)]
        for scope in (*scopes, Scope("other"), Scope("nobody")):
            self._compare_fixed(scope)
            for as_of in self.random.sample(as_ofs, min(2, len(as_ofs))):
                self._compare_as_of(scope, as_of)
        self.both("tenants")
        for identity in (*self.facts[:5], *self.conflicts[:3], "nothing"):
            self.both("tenant_of", identity)
        for store in (self.memory, self.sqlite):
            report = store.check(full=True, head=store.head(scopes[0]))
            assert report.findings == ()

    def _compare_fixed(self, scope: Scope) -> None:
        self.both("attributes", scope)
        for text in ("", "m", "city", "ß", "o"):
            self.both("suggest", scope, text, 5)
        for query in (
            EpisodeQuery(),
            EpisodeQuery(kind=EpisodeKind.MESSAGE, agent_id="bot", session_id="s1"),
            EpisodeQuery(text="STRASSE 3"),
            EpisodeQuery(text="e1"),
        ):
            self._walk("episodes", scope, query, key=lambda e: e.episode_id)
        for state in (None, *ConflictState):
            self._walk("conflicts", scope, state, key=lambda c: c.conflict_id)
        self._walk("conflicts", scope, None, subject="mira", key=lambda c: c.conflict_id)
        for journal in (
            TransactionQuery(),
            TransactionQuery(subject="mira"),
            TransactionQuery(attribute="Tag", actor="bot"),
            TransactionQuery(kinds=frozenset({"change", "revert"}), text="mira"),
        ):
            self._walk("transactions", scope, journal, key=lambda t: t.number)
        for number in range(self.transactions + 2):
            self.both("transaction", scope, number)
            self.both("changes_since", scope, number)
        self.both("versions", scope)
        self.both("versions", scope, subject="mira", limit=3)
        self.both("versions", scope, attribute="Tag")
        for memory_id in (*self.facts[-12:], "nothing"):
            self.both("versions", scope, memory_id=memory_id)
        for conflict_id in (*self.conflicts, "nothing"):
            self.both("conflict", scope, conflict_id)

    def _walk(self, call: str, *values: Any, key: Any, **more: Any) -> None:
        """Page through both lists, each by its own cursors."""
        whole = self.both(call, *values, page=Page(1000), **more).items
        for store in (self.memory, self.sqlite):
            after, found = None, []
            while True:
                part = getattr(store, call)(*values, page=Page(3, after), **more)
                found += part.items
                after = part.after
                if after is None:
                    break
            assert [key(it) for it in found] == [key(it) for it in whole]

    def _compare_as_of(self, scope: Scope, as_of: AsOf) -> None:
        pick = self.random.choice
        for subject, attribute in product(SUBJECTS, ATTRIBUTES):
            self.both("read", scope, subject, attribute, as_of)
        for memory_id in (*self.random.sample(self.facts, min(8, len(self.facts))), "nothing"):
            self.both("fact", scope, memory_id, as_of)
            self.both("evidence", scope, memory_id, as_of)
        for episode_id in self.random.sample(self.episodes, 4):
            self.both("facts_from", scope, episode_id, as_of)
        for query in self._fact_queries():
            order = Order(pick(list(FactField)), pick((True, False)))
            self._walk(
                "facts", scope, query, as_of=as_of, order=order, key=lambda f: (f.memory_id, f)
            )
            self.both("anchors", scope, query, as_of=as_of, order=order, every=3)
        for lanes in (
            LaneFilter(),
            LaneFilter(subject="mira"),
            LaneFilter(attribute="Tag", memory_type="fact"),
            LaneFilter(memory_type="profile"),
            LaneFilter(text="ÅNG c"),
        ):
            self.both("lane_outline", scope, lanes, as_of=as_of)
            self.both("lanes", scope, lanes, as_of=as_of)
            self.both("lanes", scope, lanes, as_of=as_of, first=2, count=3)
            self.both("density", scope, lanes, as_of=as_of, buckets=pick((1, 7, 200)))
        for text in ("por", "mira lis", "straße", "3", "words 1", "nowhere", " "):
            self.both("search", scope, text, as_of=as_of, limit=pick((1, 3, 50)))
        self.both("summary", scope, as_of)

    def _fact_queries(self) -> list[FactQuery]:
        pick = self.random.choice
        history = pick((True, False))
        field = pick(list(FactField))
        queries = [
            FactQuery(history=history),
            FactQuery(subject="mira", history=history),
            FactQuery(attribute="Tag", memory_type="fact", history=history),
            FactQuery(memory_type="profile", owner="bot", history=history),
            FactQuery(episode_id=self._episode(), history=history),
            FactQuery(disputed=pick((True, False)), history=history),
            FactQuery(text=pick(("por", "mira l", "STRASSE", "tag")), history=history),
            FactQuery(filters=(self._filter(field),), history=history),
            FactQuery(filters=(FieldFilter(field, Comparison.IS_EMPTY),), history=history),
        ]
        return self.random.sample(queries, 4)

    def _filter(self, field: FactField) -> FieldFilter:
        pick = self.random.choice
        if field in INSTANT_FIELDS:
            operands = ("2026-01-10", "2026-01", "2026", "2026-01-20T00:00Z", "2026-02-03")
        elif field is FactField.CONFIDENCE:
            operands = ("0.5", "1", "0.3")
        else:
            operands = ("porto", "MIRA", "o", "bot", "e3", "city", "")
        is_text = field not in (*INSTANT_FIELDS, FactField.CONFIDENCE)
        text_only = (
            (Comparison.IS_EMPTY,) if is_text else (Comparison.IS_EMPTY, Comparison.CONTAINS)
        )
        comparison = pick([c for c in Comparison if c not in text_only])
        if comparison is Comparison.MATCHES:
            return FieldFilter(field, comparison, pick(("o.*o", "^[a-m]", "1", r"\.0|5")))
        if comparison is Comparison.EQUALS and pick((True, False)):
            return FieldFilter(field, comparison, alternatives=operands[:2])
        upper = pick(operands) if comparison is Comparison.BETWEEN else ""
        return FieldFilter(field, comparison, pick(operands), upper)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_acts_give_the_same_answers(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = (0, 5, 10_000)[seed % 3]  # the text index is up to date, a little late, or never made
    monkeypatch.setattr(words, "ROWS_BEHIND", behind)
    monkeypatch.setattr(words, "EPISODES_BEHIND", behind)
    monkeypatch.setattr(words, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(unit, "FEW", (64, 0)[seed % 2])  # neighbours are all fetched, or searched
    pair = Pair(tmp_path, seed)
    try:
        for _ in range(8):
            pair.both("write", Scope("acme"), Capture(episode=pair._draft()))
        pair.episodes = [e.episode_id for e in pair.memory.episodes(Scope("acme")).items]
        for _ in range(50):
            pair.act()
        pair.load()
        for _ in range(10):
            pair.act()
        pair.compare()
    finally:
        pair.close()


def test_stores_that_differ_are_told_apart(tmp_path: Path) -> None:
    pair = Pair(tmp_path, 0)
    store: Store = pair.sqlite
    store.write(Scope("acme"), Capture(episode=pair._draft()))
    with pytest.raises(AssertionError):
        pair.both("head", Scope("acme"))
    pair.close()
