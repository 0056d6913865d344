"""Reading facts, their versions and sources, as of any point on both axes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store import (
    AsOf,
    EpisodeKind,
    FactQuery,
    Invalid,
    NotFound,
    RowKind,
    Span,
)
from store.query import EpisodeQuery
from tests.conformance.scene import DAY0, LATER, Desk, all_facts, day

# -- as of ---------------------------------------------------------------------------------------


def test_known_at_is_the_last_transaction_not_after_it(desk: Desk) -> None:
    desk.clock.now = day(10)
    desk.fact("A", 1)
    recorded = desk.head.recorded_at
    assert recorded is not None
    microsecond = timedelta(microseconds=1)
    for known_at, held in (
        (recorded, "A"),
        (recorded - microsecond, None),
        (recorded + microsecond, "A"),
        (datetime(1, 1, 1, tzinfo=UTC), None),
        (datetime(9999, 12, 31, tzinfo=UTC), "A"),
    ):
        facts = desk.store.read(desk.scope, "mira", "city", AsOf(day(5), known_at))
        assert [f.value for f in facts] == ([held] if held else [])


def test_known_at_defaults_to_the_newest_transaction_not_to_the_clock(desk: Desk) -> None:
    desk.clock.now = day(10)
    desk.fact("A", 1)
    desk.clock.now = day(2)
    desk.fact("B", 0)
    assert desk.value(0) == "B", "the clock went back, the record did not"
    assert desk.value(0, known=2) == "nothing"


def test_valid_at_defaults_to_now(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("B", LATER + 10)
    assert [f.value for f in desk.read()] == ["A"]
    desk.clock.now = day(LATER + 10)
    assert [f.value for f in desk.read()] == ["B"]


def test_a_naive_as_of_is_refused() -> None:
    naive = datetime(2026, 1, 1)  # noqa: DTZ001
    with pytest.raises(Invalid):
        AsOf(valid_at=naive)
    with pytest.raises(Invalid):
        AsOf(known_at=naive)


def test_the_bounds_of_a_fact_are_those_of_the_asked_transaction(desk: Desk) -> None:
    first = desk.say("A", 1).transaction
    desk.fact("B", 10)
    assert desk.read(5)[0].valid_to == day(10)
    assert desk.read(5, first)[0].valid_to is None
    assert desk.read(50, first)[0].value == "A"


def test_superseded_at_is_none_while_it_was_believed(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    then = desk.newest
    desk.correct(fact, value="B")
    corrected_at = desk.head.recorded_at
    (was,) = desk.read(5, then)
    assert was.superseded_at is None
    now = desk.store.fact(desk.scope, fact)
    assert (now.value, now.superseded_at, now.recorded_at) == ("B", None, corrected_at)


def test_unknown_names_hold_nothing(desk: Desk) -> None:
    assert desk.read(1) == ()
    desk.fact("A", 1)
    assert desk.read(1, subject="nobody") == ()
    assert desk.read(1, attribute="nothing") == ()
    assert desk.of(tenant_id="nowhere").read(1) == ()


# -- by id ---------------------------------------------------------------------------------------


def test_a_fact_by_id_is_the_one_in_force(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    desk.fact("Lisbon", 10, episode="e2")
    at = desk.store.fact(desk.scope, fact, AsOf(valid_at=day(5)))
    assert (at.row_from, at.source_episode_id) == (day(1), "e1")
    at = desk.store.fact(desk.scope, fact, AsOf(valid_at=day(15)))
    assert (at.row_from, at.source_episode_id) == (day(10), "e2")
    assert desk.store.fact(desk.scope, fact) == desk.read()[0]


def test_a_fact_by_id_is_else_its_nearest_row(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 5)
    desk.fact("Porto", 10)
    for at in (0, 12):
        held = desk.store.fact(desk.scope, fact, AsOf(valid_at=day(at)))
        assert (held.value, held.valid_from, held.valid_to) == ("Lisbon", day(5), day(10))


def test_a_fact_by_id_takes_the_stretch_that_holds(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    desk.fact("B", 10, 20)
    early = desk.store.fact(desk.scope, fact, AsOf(valid_at=day(5)))
    late = desk.store.fact(desk.scope, fact, AsOf(valid_at=day(25)))
    assert (early.valid_from, early.valid_to) == (day(1), day(10))
    assert (late.valid_from, late.valid_to) == (day(20), None)


def test_a_fact_by_id_that_was_not_known_yet_is_not_found(desk: Desk) -> None:
    desk.episode("e0")
    before = desk.newest
    fact = desk.fact("A", 1)
    with pytest.raises(NotFound):
        desk.store.fact(desk.scope, fact, desk.as_of(before))
    with pytest.raises(NotFound):
        desk.store.fact(desk.scope, "nobody")


def test_a_fact_that_is_no_longer_believed_shows_its_last_row(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    desk.correct(fact, value="B")
    believed = desk.newest
    desk.retract(fact)
    shown = desk.store.fact(desk.scope, fact)
    assert (shown.value, shown.superseded_at) == ("B", desk.head.recorded_at)
    assert desk.store.fact(desk.scope, fact, desk.as_of(believed)).superseded_at is None


# -- history -------------------------------------------------------------------------------------


def test_history_gives_every_interval(desk: Desk) -> None:
    a = desk.fact("A", 1)
    b = desk.fact("B", 10, 20)
    desk.fact("A", 25)
    found = desk.history(FactQuery(subject="mira", history=True))
    assert [(f.memory_id, f.valid_from, f.valid_to) for f in found] == [
        (a, day(1), day(10)),
        (b, day(10), day(20)),
        (a, day(20), None),
    ]


def test_history_shows_the_row_in_force_of_an_interval(desk: Desk) -> None:
    desk.fact("A", 1, episode="e1")
    desk.fact("A", 10, episode="e2")
    query = FactQuery(history=True)
    (at_5,) = all_facts(desk, query, as_of=AsOf(valid_at=day(5)))
    (at_15,) = all_facts(desk, query, as_of=AsOf(valid_at=day(15)))
    (at_0,) = all_facts(desk, query, as_of=AsOf(valid_at=day(0)))
    assert [f.source_episode_id for f in (at_5, at_15, at_0)] == ["e1", "e2", "e1"]


def test_without_history_only_what_is_in_force_is_shown(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("B", 10)
    desk.fact("x", 5, 7, subject="jonas")
    assert [f.value for f in all_facts(desk, FactQuery(), as_of=AsOf(valid_at=day(6)))] == [
        "x",
        "A",
    ]
    assert [f.value for f in all_facts(desk, FactQuery(), as_of=AsOf(valid_at=day(11)))] == ["B"]


def test_a_closed_fact_without_successor_can_be_told_from_a_superseded_one(desk: Desk) -> None:
    closed = desk.fact("A", 1)
    desk.end(closed, 9)
    superseded = desk.fact("A", 1, subject="jonas")
    successor = desk.fact("B", 9, subject="jonas")
    facts = {f.memory_id: f for f in desk.history(FactQuery(history=True))}
    assert facts[closed].valid_to == facts[superseded].valid_to == day(9)
    assert {f.supersedes_memory_id for f in facts.values()} == {None, superseded}
    assert facts[successor].supersedes_memory_id == superseded


# -- versions ------------------------------------------------------------------------------------


def test_versions_are_every_row_ever_held(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    made = desk.newest
    desk.correct(fact, value="B")
    corrected = desk.newest
    desk.end(fact, 9)
    ended = desk.newest
    versions = desk.store.versions(desk.scope, memory_id=fact)
    assert [(v.kind, v.value, v.began, v.ceased) for v in versions] == [
        (RowKind.END, None, ended, None),
        (RowKind.FACT, "B", corrected, None),
        (RowKind.FACT, "A", made, corrected),
    ]
    assert [v.began_by.value for v in versions] == ["end", "correct", "change"]
    last = versions[-1]
    assert last.ceased_by is not None
    assert last.ceased_by.value == "correct"
    assert last.superseded_at == versions[1].recorded_at
    assert last.recorded_at < versions[1].recorded_at


def test_recorded_at_of_the_first_version_never_changes(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    first = desk.store.versions(desk.scope, memory_id=fact)[0]
    for value in ("B", "C", "D"):
        desk.clock.now += timedelta(days=1)
        desk.correct(fact, value=value)
    last = desk.store.versions(desk.scope, memory_id=fact)[-1]
    assert (last.value, last.recorded_at, last.began) == ("A", first.recorded_at, first.began)


def test_versions_of_keys_hold_the_derived_rows_too(desk: Desk) -> None:
    a = desk.fact("A", 1)
    desk.fact("B", 10, 20)
    desk.fact("x", 1, attribute="drink")
    versions = desk.store.versions(desk.scope, subject="mira", attribute="city")
    assert [(v.kind.value, v.valid_from) for v in versions] == [
        ("fact", day(10)),
        ("resume", day(20)),
        ("fact", day(1)),
    ]
    assert versions[1].memory_id == a
    assert len(desk.store.versions(desk.scope, subject="mira")) == 4
    assert len(desk.store.versions(desk.scope, subject="mira", limit=2)) == 2
    assert desk.store.versions(desk.scope, subject="nobody") == ()
    with pytest.raises(NotFound):
        desk.store.versions(desk.scope, memory_id="nobody")


# -- evidence ------------------------------------------------------------------------------------


def test_evidence_comes_with_the_episodes(desk: Desk) -> None:
    desk.episode("e1", "I live in Porto.", occurred_at=day(2), kind=EpisodeKind.TICKET)
    fact = desk.fact("Porto", 1, episode="e1", span=Span(start=10, end=15))
    desk.confirm(fact, "e2")
    found = desk.store.evidence(desk.scope, fact)
    assert [link.episode_id for link, _ in found] == ["e1", "e2"]
    (link, episode), _ = found
    assert link.span is not None
    assert episode.content[link.span.start : link.span.end] == "Porto"
    assert (episode.kind, episode.occurred_at) == (EpisodeKind.TICKET, day(2))
    assert link.memory_id == fact
    with pytest.raises(NotFound):
        desk.store.evidence(desk.scope, "nobody")


def test_evidence_is_that_of_the_asked_transaction(desk: Desk) -> None:
    fact = desk.fact("Porto", 1, episode="e1")
    first = desk.newest
    desk.confirm(fact, "e2")
    then = desk.store.evidence(desk.scope, fact, desk.as_of(first))
    assert [link.episode_id for link, _ in then] == ["e1"]


def test_a_fact_stated_again_has_both_sources(desk: Desk) -> None:
    fact = desk.fact("Porto", 1, episode="e1")
    desk.fact("Porto", 10, episode="e2")
    late, early = desk.read(15)[0], desk.read(5)[0]
    assert [e.episode_id for e in late.evidence] == ["e2", "e1"]
    assert [e.episode_id for e in early.evidence] == ["e1", "e2"]
    assert {link.episode_id for link, _ in desk.store.evidence(desk.scope, fact)} == {"e1", "e2"}


def test_facts_from_an_episode(desk: Desk) -> None:
    made = desk.fact("Porto", 1, episode="e1", span=Span(start=0, end=2))
    desk.fact("tea", 1, episode="e1", attribute="drink")
    supported = desk.fact("Oslo", 1, subject="jonas")
    before = desk.newest
    desk.confirm(supported, "e1")
    desk.fact("other", 1, subject="zoe")
    found = desk.store.facts_from(desk.scope, "e1")
    assert [(f.subject, f.attribute) for f, _ in found] == [
        ("jonas", "city"),
        ("mira", "city"),
        ("mira", "drink"),
    ]
    link = found[1][1]
    assert (link.memory_id, link.episode_id, link.span) == (made, "e1", Span(start=0, end=2))
    assert len(desk.store.facts_from(desk.scope, "e1", desk.as_of(before))) == 2
    with pytest.raises(NotFound):
        desk.store.facts_from(desk.scope, "nobody")


def test_facts_from_the_episode_of_an_earlier_statement(desk: Desk) -> None:
    fact = desk.fact("Porto", 1, episode="e1")
    desk.fact("Porto", 10, episode="e2")
    for name in ("e1", "e2"):
        found = desk.store.facts_from(desk.scope, name)
        assert [(f.memory_id, link.episode_id) for f, link in found] == [(fact, name)]


def test_facts_from_an_episode_leave_with_their_facts(desk: Desk) -> None:
    fact = desk.fact("Porto", 1, episode="e1")
    then = desk.newest
    desk.retract(fact)
    assert desk.store.facts_from(desk.scope, "e1") == ()
    assert len(desk.store.facts_from(desk.scope, "e1", desk.as_of(then))) == 1


def test_facts_from_an_episode_are_also_those_that_do_not_hold_now(desk: Desk) -> None:
    desk.fact("Porto", 1, 5, episode="e1")
    desk.fact("Faro", LATER + 9, episode="e1", subject="zoe")
    assert len(desk.store.facts_from(desk.scope, "e1")) == 2


# -- counts --------------------------------------------------------------------------------------


def test_a_summary_counts_what_can_be_read(desk: Desk) -> None:
    empty = desk.store.summary(desk.scope)
    assert (empty.subjects, empty.keys, empty.facts, empty.intervals) == (0, 0, 0, 0)
    assert (empty.transaction, empty.newest, empty.episodes) == (0, 0, 0)
    assert tuple(empty.extent) == (None,) * 4
    desk.fact("A", 1, memory_type="profile")
    first = desk.newest
    desk.fact("B", 10, 20)
    desk.fact("tea", 5, attribute="drink")
    desk.of("alice").fact("x", LATER + 5, subject="jonas", attribute="drink")
    desk.contest("C", 10, 20)
    now = desk.store.summary(desk.scope, AsOf(valid_at=day(15)))
    assert (now.subjects, now.keys, now.facts, now.intervals) == (2, 3, 2, 5)
    assert (now.conflicts_open, now.episodes) == (1, 5)
    assert now.transaction == now.newest == desk.newest
    assert now.by_type == (("fact", 1), ("profile", 1))
    assert now.by_attribute == (("city", 1), ("drink", 1))
    assert now.by_agent == (("operator", 2),)
    micros = (day(1) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert now.extent.first_valid == micros
    assert now.extent.last_valid == micros + (LATER + 4) * 86_400_000_000
    then = desk.store.summary(desk.scope, desk.as_of(first, 15))
    assert (then.facts, then.intervals, then.conflicts_open, then.transaction) == (1, 1, 0, first)
    assert then.newest == desk.newest


# -- episodes ------------------------------------------------------------------------------------


def test_episodes_are_listed_latest_first_and_filtered(desk: Desk) -> None:
    desk.episode("b", "Porto and Lisbon", occurred_at=day(1), session_id="s1")
    desk.episode("a", "tea", occurred_at=day(1), kind=EpisodeKind.TICKET)
    desk.of("alice").episode("c", "Lisbon", occurred_at=day(3))
    desk.episode("d", "Faro", occurred_at=DAY0, session_id="s1")

    def ids(**query: object) -> list[str]:
        found = desk.store.episodes(desk.scope, EpisodeQuery(**query))  # type: ignore[arg-type]
        return [e.episode_id for e in found.items]

    assert ids() == ["c", "a", "b", "d"]
    assert ids(kind=EpisodeKind.TICKET) == ["a"]
    assert ids(agent_id="alice") == ["c"]
    assert ids(session_id="s1") == ["b", "d"]
    assert ids(text="LISBON") == ["c", "b"]
    assert ids(text="lisbon porto") == ["b"]
    assert ids(text="nothing") == []
    with pytest.raises(NotFound):
        desk.store.episode(desk.scope, "nobody")
