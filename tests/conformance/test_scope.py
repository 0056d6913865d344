"""Who sees what: owners, allowlists, tenants. Nothing of a hidden key shows anywhere."""

from __future__ import annotations

import random
from typing import Any

import pytest

from store import (
    AsOf,
    Attribute,
    Capture,
    Change,
    ConflictState,
    FactField,
    FactQuery,
    Invalid,
    LaneFilter,
    NotFound,
    Order,
    Outcome,
    Page,
    Register,
    Scope,
    bind,
)
from store.query import EpisodeQuery, TransactionQuery
from tests.conformance.scene import Desk, all_facts, delta, draft

SECRET = "xyzzy"
"""Stands in everything that only bob may see."""


# -- what a scope is ----------------------------------------------------------------------------


def test_an_agent_sees_shared_its_own_and_the_allowlist(desk: Desk) -> None:
    alice, bob, carol = (desk.of(name) for name in ("alice", "bob", "carol"))
    desk.fact("shared", 1)
    for one in (alice, bob, carol):
        one.fact(one.scope.agent_id, 1, owner=one.scope.agent_id)

    def seen(one: Desk) -> list[tuple[str, str]]:
        return [(f.owner, f.value) for f in one.read(2)]

    assert seen(alice) == [("", "shared"), ("alice", "alice")]
    assert seen(desk.of("alice", frozenset({"bob"}))) == [
        ("", "shared"),
        ("alice", "alice"),
        ("bob", "bob"),
    ]
    assert seen(desk) == [(name, name or "shared") for name in ("", "alice", "bob", "carol")]
    assert seen(desk.of("operator", frozenset({"carol"}))) == [("", "shared"), ("carol", "carol")]
    assert seen(desk.of("dave")) == [("", "shared")]


def test_owners_are_answered_separately_never_blended(desk: Desk) -> None:
    desk.of("alice").fact("A", 1, owner="alice")
    desk.fact("B", 5)
    desk.of("bob").fact("C", 9, owner="bob")
    assert [(f.owner, f.value, f.valid_to) for f in desk.read(10)] == [
        ("", "B", None),
        ("alice", "A", None),
        ("bob", "C", None),
    ]


def test_an_agent_may_not_ask_for_every_owner() -> None:
    assert Scope("acme", "alice", None).owners == {"", "alice"}
    assert Scope("acme").owners is None
    assert Scope("acme", "alice", frozenset({"bob"})).owners == {"", "alice", "bob"}


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 256])
def test_a_scope_needs_good_names(name: str) -> None:
    with pytest.raises(Invalid):
        Scope(name)
    with pytest.raises(Invalid):
        Scope("acme", name)


def test_an_agent_writes_only_as_itself(desk: Desk) -> None:
    alice = desk.of("alice", frozenset({"bob"}))
    for owner in ("bob", "operator", "carol"):
        with pytest.raises(Invalid):
            alice.say("x", 1, owner=owner)
    assert desk.line() == []
    fact = alice.fact("x", 1, owner="alice")
    alice.fact("y", 1)
    assert {f.agent_id for f in desk.read(2)} == {"alice"}
    desk.correct(fact, value="z")
    assert {f.agent_id for f in desk.read(2)} == {"alice", "operator"}


def test_an_agent_writes_only_to_its_tenant(desk: Desk) -> None:
    desk.episode("e1")
    with pytest.raises(Invalid):
        desk.store.write(
            Scope("globex"), Change(delta=delta("x", 1, episode="e1", tenant_id="acme"))
        )
    report = desk.store.load(Scope("globex"), [draft("e1"), delta("x", 1, episode="e1")])
    assert (report.applied, report.rejected_count) == (0, 1)
    assert desk.of(tenant_id="globex").line() == []


def test_what_may_only_be_read_may_not_be_acted_on(desk: Desk) -> None:
    bob = desk.of("bob")
    fact = bob.fact("x", 1, owner="bob")
    bob.contest("y", 1, owner="bob")
    confirmed = bob.confirm(fact, "e2")
    conflict = bob.store.conflicts(bob.scope).items[0]
    reader = desk.of("alice", frozenset({"bob"}))
    stranger = desk.of("alice")
    before = desk.head
    for one, error in ((reader, Invalid), (stranger, NotFound)):
        for act in (
            lambda one=one: one.memory.correct(fact, value="z", episode="e2", reason="r"),
            lambda one=one: one.memory.end(fact, desk.clock.now, episode="e2", reason="r"),
            lambda one=one: one.memory.retract(fact, episode="e2", reason="r"),
            lambda one=one: one.memory.confirm(fact, episode="e2"),
            lambda one=one: one.settle(conflict.conflict_id, "incoming"),
            lambda one=one: one.revert(conflict.raised_in),
            lambda one=one: one.revert(confirmed.transaction),
        ):
            with pytest.raises(error) as refusal:
                act()
            if one is stranger:
                assert "bob" not in str(refusal.value)
    assert desk.head == before


# -- nothing leaks ------------------------------------------------------------------------------


@pytest.fixture
def house(desk: Desk) -> Desk:
    """A tenant in which alice and bob have keys of their own, and share some."""
    bob, alice = desk.of("bob"), desk.of("alice")
    desk.episode("e1")
    desk.fact("Lisbon", 1, episode="e1")
    alice.fact("tea", 1, owner="alice", attribute="drink", episode="e1")
    bob.fact(SECRET, 1, owner="bob", attribute="drink", episode="e1")
    bob.fact(SECRET, 1, owner="bob", subject=f"{SECRET} subject", episode="e1")
    mine = bob.fact("v", 1, owner="bob", attribute=f"{SECRET} attribute", episode="e1")
    bob.fact(
        "w", 1, owner="bob", memory_type=f"{SECRET} type", attribute=f"{SECRET} t", episode="e1"
    )
    bob.contest("w", 1, owner="bob", attribute=f"{SECRET} attribute", episode="e1")
    bob.say("v", 1, owner="bob", attribute=f"{SECRET} attribute", episode="e2")
    bob.contest("a", 1, owner="bob", subject=f"{SECRET} subject", episode="e1")
    bob.settle(bob.contest(f"{SECRET} 2", 1, owner="bob", attribute="drink").conflict_id, "both")
    desk.store.load(
        desk.scope,
        [
            delta("mixed", 2, episode="e1", subject="shared in a load"),
            delta(SECRET, 2, episode="e1", owner="bob", attribute=f"{SECRET} in a load"),
        ],
    )
    bob.memory.end(mine, desk.clock.now, episode="e1", reason=f"{SECRET} reason")
    return desk


def _everything_said(desk: Desk) -> dict[str, Any]:
    """Every answer of every read that a scope may ask for."""
    store, scope = desk.store, desk.scope
    episodes = [e.episode_id for e in store.episodes(scope, page=Page(1000)).items]
    attributes = [a.name for a in store.attributes(scope)]
    said: dict[str, Any] = {
        "read": [
            store.read(scope, s, a) for s in ("mira", f"{SECRET} subject") for a in attributes
        ],
        "facts": all_facts(desk, FactQuery(history=True), as_of=AsOf()),
        "in force": all_facts(desk, FactQuery(), as_of=AsOf()),
        "of bob": all_facts(desk, FactQuery(history=True, owner="bob"), as_of=AsOf()),
        "with words": all_facts(desk, FactQuery(history=True, text=SECRET), as_of=AsOf()),
        "sorted": [
            all_facts(desk, FactQuery(history=True), as_of=AsOf(), order=Order(field), limit=2)
            for field in FactField
            if field is not FactField.EPISODE
        ],
        "anchors": store.anchors(scope, FactQuery(history=True), every=1),
        "versions": store.versions(scope),
        "versions of mira": store.versions(scope, subject="mira"),
        "outline": store.lane_outline(scope),
        "lanes": store.lanes(scope, LaneFilter(), count=1000),
        "found lanes": store.lanes(scope, LaneFilter(text=SECRET)),
        "density": store.density(scope, buckets=3),
        "facts from": [store.facts_from(scope, name) for name in episodes],
        "conflicts": store.conflicts(scope, None, page=Page(1000)),
        "conflicts of": [store.conflicts(scope, state) for state in ConflictState],
        "transactions": store.transactions(scope, page=Page(1000)),
        "journal search": store.transactions(scope, TransactionQuery(text=SECRET)),
        "attributes": store.attributes(scope),
        "search": store.search(scope, SECRET),
        "search prefix": store.search(scope, SECRET[:3]),
        "episodes": store.episodes(scope, page=Page(1000)),
        "suggest": [store.suggest(scope, prefix, 1000) for prefix in ("", "x", SECRET)],
        "summary": store.summary(scope),
        "changes": store.changes_since(scope, 0),
    }
    numbers = range(1, store.head(Scope(scope.tenant_id)).number + 1)
    said["details"] = [d for n in numbers if (d := _detail(desk, n)) is not None]
    said["of ids"] = [
        (store.fact(scope, f.memory_id), store.evidence(scope, f.memory_id)) for f in said["facts"]
    ]
    return said


def _detail(desk: Desk, number: int) -> Any:
    try:
        return desk.store.transaction(desk.scope, number)
    except NotFound:
        return None


def test_nothing_of_a_hidden_key_shows_anywhere(house: Desk) -> None:
    hidden = [f.memory_id for f in house.history(FactQuery(owner="bob", history=True))]
    conflicts = [c.conflict_id for c in house.store.conflicts(house.scope).items]
    assert hidden
    assert conflicts
    said = _everything_said(house.of("alice"))
    for name, answer in said.items():
        text = repr(answer)
        for secret in (SECRET, "owner='bob'", *hidden, *conflicts):
            assert secret not in text, f"{name} shows {secret}"
    assert all(SECRET in repr(_everything_said(house)[name]) for name in ("facts", "suggest"))


def test_what_an_agent_sees_is_as_if_the_hidden_keys_were_not_there(house: Desk) -> None:
    alice = house.of("alice")
    assert [f.value for f in all_facts(alice, FactQuery(history=True), as_of=AsOf())] == [
        "Lisbon",
        "tea",
        "mixed",
    ]
    assert alice.store.anchors(alice.scope, FactQuery(history=True)).count == 3
    summary = alice.store.summary(alice.scope)
    assert (summary.subjects, summary.keys, summary.facts, summary.intervals) == (2, 3, 3, 3)
    assert summary.conflicts_open == 0
    assert summary.by_attribute == (("city", 2), ("drink", 1))
    assert sum(alice.store.density(alice.scope).counts) == 3
    assert alice.store.density(alice.scope).conflicts == ()
    assert alice.store.conflicts(alice.scope).items == ()
    assert [a.name for a in alice.store.attributes(alice.scope)] == ["city", "drink"]
    notice = alice.store.changes_since(alice.scope, 0)
    assert notice.everything or notice.subjects == {"mira", "shared in a load"}
    assert not notice.conflicts


def test_ids_of_hidden_things_are_not_found(house: Desk) -> None:
    alice, store = house.of("alice"), house.store
    hidden = house.history(FactQuery(owner="bob", history=True))
    conflict = store.conflicts(house.scope).items[0]
    for fact in hidden:
        for ask in (
            lambda f=fact: store.fact(alice.scope, f.memory_id),
            lambda f=fact: store.evidence(alice.scope, f.memory_id),
            lambda f=fact: store.versions(alice.scope, memory_id=f.memory_id),
        ):
            with pytest.raises(NotFound):
                ask()
    with pytest.raises(NotFound):
        store.conflict(alice.scope, conflict.conflict_id)
    with pytest.raises(NotFound):
        store.transaction(alice.scope, conflict.raised_in)


def test_the_journal_shows_transactions_of_which_something_may_be_read(house: Desk) -> None:
    alice = house.of("alice")
    mixed = next(
        t for t in house.store.transactions(house.scope).items if "shared in a load" in t.subjects
    )
    detail = house.store.transaction(alice.scope, mixed.number)
    assert [v.value for v in detail.began] == ["mixed"]
    assert [i.value for i in detail.after] == ["mixed"]
    assert detail.transaction.subjects == ("shared in a load",)
    assert detail.transaction.attributes == ("city",)
    listed = [t.number for t in house.store.transactions(alice.scope).items]
    assert mixed.number in listed
    assert listed == [n for n in range(house.newest, 0, -1) if _detail(alice, n) is not None]


def test_a_preview_tells_no_more_than_a_write(house: Desk) -> None:
    alice = house.of("alice")
    for owner in ("bob", "carol"):
        it = Change(delta=delta("x", 1, episode="e1", owner=owner, attribute="drink"))
        with pytest.raises(Invalid):
            house.store.preview(alice.scope, it)


# -- tenants ------------------------------------------------------------------------------------


def _twins(desk: Desk) -> tuple[Desk, Desk]:
    """Two tenants in which everything has the same name, and says something else."""
    pair = desk, desk.of(tenant_id="globex")
    for number, one in enumerate(pair):
        one.episode("e1", f"content {number}")
        one.episode("e2", f"other {number}")
        fact = one.fact(f"value {number}", 1, episode="e1", memory_type=f"type {number}")
        one.fact(f"again {number}", 5, 9 + number, episode="e2")
        one.contest(f"contest {number}", 1, episode="e2")
        one.confirm(fact, "e2")
        one.write(Register(attribute=Attribute(name=f"only {number}")))
    return pair


def test_two_tenants_with_the_same_names_never_mix(desk: Desk) -> None:
    pair = _twins(desk)
    for number, one in enumerate(pair):
        other = 1 - number
        said = _everything_said(one)
        said["episodes"] = one.store.episodes(one.scope)
        said["episode"] = [one.store.episode(one.scope, name) for name in ("e1", "e2")]
        said["head"] = one.head
        text = repr(said)
        for word in ("value", "again", "contest", "type", "only", "content", "other"):
            assert f"{word} {other}" not in text
        theirs = pair[other].head
        assert theirs.digest not in text
        assert one.head.number == theirs.number == 7
        assert one.store.transactions(one.scope).items[0].number == 7


def test_ids_of_another_tenant_are_not_found(desk: Desk) -> None:
    mine, other = _twins(desk)
    fact = other.read(2)[0].memory_id
    conflict = other.store.conflicts(other.scope).items[0].conflict_id
    store, scope = mine.store, mine.scope
    head = mine.head, other.head
    for ask in (
        lambda: store.fact(scope, fact),
        lambda: store.evidence(scope, fact),
        lambda: store.versions(scope, memory_id=fact),
        lambda: store.conflict(scope, conflict),
        lambda: mine.memory.correct(fact, value="x", episode="e1", reason="r"),
        lambda: mine.memory.retract(fact, episode="e1", reason="r"),
        lambda: mine.memory.end(fact, desk.clock.now, episode="e1", reason="r"),
        lambda: mine.memory.confirm(fact, episode="e1"),
        lambda: mine.settle(conflict, "incoming"),
        lambda: store.transaction(scope, 99),
    ):
        with pytest.raises(NotFound):
            ask()
    assert (mine.head, other.head) == head


def test_episodes_of_another_tenant_are_no_sources(desk: Desk) -> None:
    other = desk.of(tenant_id="globex")
    other.episode("theirs")
    with pytest.raises(Invalid):
        desk.write(Change(delta=delta("x", 1, episode="theirs")))
    with pytest.raises(NotFound):
        desk.store.episode(desk.scope, "theirs")


def test_the_operator_looks_across_tenants(desk: Desk) -> None:
    assert desk.store.tenants() == ()
    mine, other = _twins(desk)
    summaries = desk.store.tenants()
    assert [(t.tenant_id, t.conflicts_open, t.newest) for t in summaries] == [
        ("acme", 1, 7),
        ("globex", 1, 7),
    ]
    assert all(t.facts == 1 for t in summaries)
    for one in (mine, other):
        fact = one.read(2)[0].memory_id
        conflict = one.store.conflicts(one.scope).items[0].conflict_id
        assert desk.store.tenant_of(fact) == one.scope.tenant_id
        assert desk.store.tenant_of(conflict) == one.scope.tenant_id
    for nobody in ("nobody", "", "e1"):
        with pytest.raises(NotFound):
            desk.store.tenant_of(nobody)


def test_reading_makes_no_tenant(desk: Desk) -> None:
    ghost = desk.of(tenant_id="ghost")
    _everything_said(ghost)
    assert ghost.head.number == 0
    with pytest.raises(Invalid):
        ghost.write(Change(delta=delta("x", 1, episode="e1", tenant_id="ghost")))
    ghost.store.preview(ghost.scope, Capture(episode=draft("e1")))
    assert desk.store.tenants() == ()
    assert desk.store.check(full=True).is_clean


def test_names_of_tenants_are_cleaned_too(desk: Desk) -> None:
    desk.fact("x", 1)
    assert [f.value for f in bind(desk.store, " acme ").read("mira", "city")] == ["x"]
    assert bind(desk.store, "ACME").read("mira", "city") == ()


def test_random_writes_of_two_tenants_stay_apart(desk: Desk) -> None:
    """Each tenant alone, and both in turns, give the same reads."""
    dice = random.Random(11)
    moves = [
        (
            dice.choice(["one", "two"]),
            dice.choice(["mira", "jonas"]),
            dice.choice("ABC"),
            dice.randrange(10),
            dice.choice([None, 12, 15]),
        )
        for _ in range(40)
    ]

    def played(names: tuple[str, ...], prefix: str) -> dict[str, Any]:
        desks = {name: desk.of(tenant_id=prefix + name) for name in names}
        for one in desks.values():
            one.episode("e")
        for name, subject, value, start, until in moves:
            if name in desks:
                desks[name].say(value, start, until, subject=subject, episode="e")
        return {
            name: (
                [one.line(subject=s) for s in ("mira", "jonas")],
                one.head.number,
                len(one.store.conflicts(one.scope).items),
            )
            for name, one in desks.items()
        }

    together = played(("one", "two"), "together ")
    alone = played(("one",), "alone ") | played(("two",), "alone ")
    assert together == alone


def test_known_is_known_only_within_the_owner_and_the_tenant(desk: Desk) -> None:
    desk.fact("x", 1, episode="e1")
    assert desk.say("x", 1, episode="e1", owner="alice").outcome is Outcome.APPLIED
    other = desk.of(tenant_id="globex")
    assert other.say("x", 1, episode="e1").outcome is Outcome.APPLIED
    assert desk.say("x", 1, episode="e1").outcome is Outcome.KNOWN


def test_episodes_can_be_listed_by_every_agent_of_the_tenant(desk: Desk) -> None:
    desk.of("bob").episode("e1")
    alice = desk.of("alice")
    assert [e.episode_id for e in alice.store.episodes(alice.scope, EpisodeQuery()).items] == ["e1"]
