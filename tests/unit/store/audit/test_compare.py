"""Comparing records: how their chains stand to each other, and which facts differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from store import Cancel, Cancelled, NotFound, Scope, Store, open_store
from store.audit.compare import Comparison, Kind, Relation, Side, compare
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day


@pytest.fixture
def desk() -> Iterator[Desk]:
    yield from a_desk()


@pytest.fixture
def other() -> Iterator[Desk]:
    yield from a_desk("another seed")


@pytest.fixture
def twin() -> Iterator[Desk]:
    """Like `desk`, with the same bytes for every secret: the same chain for the same writes."""
    yield from a_desk()


def a_desk(seed: str = "seed") -> Iterator[Desk]:
    clock = Clock(day(LATER))
    with open_store("memory:", create=True, clock=clock, entropy=Entropy(seed)) as store:
        yield Desk(store, clock)


def against(desk: Desk, number: int | None = None, **more: Any) -> Comparison:
    """Compare a record as of a transaction with itself now."""
    one = Side.of_store(desk.store, desk.scope, number)
    return compare(one, Side.of_store(desk.store, desk.scope), **more)


def kinds(comparison: Comparison) -> dict[str, int]:
    return {name: count for name, count in comparison.counts.items() if count}


def test_a_record_is_the_same_as_itself(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", 5)
    desk.fact("gold", 1, attribute="plan")
    found = against(desk)
    assert found.is_same
    assert (found.relation, found.common, found.parted_at) == (Relation.SAME, desk.newest, None)
    assert kinds(found) == {"same": 3}
    assert found.differences == ()


def test_what_was_added_ended_changed_and_withdrawn(desk: Desk) -> None:
    home = desk.fact("Lisbon", 1, subject="ana")
    plan = desk.fact("gold", 1, subject="bea")
    gone = desk.fact("x", 1, subject="caro")
    desk.fact("stays", 1, subject="dora")
    wrong = desk.fact("y", 3, subject="elsa")
    before = desk.newest
    desk.end(home, 9)
    desk.correct(plan, value="silver")
    desk.retract(gone)
    new = desk.fact("z", 2, subject="fay")
    desk.correct(wrong, valid_from=4)
    found = against(desk, before)
    assert found.relation is Relation.ONE_IS_PREFIX
    assert found.common == before
    assert kinds(found) == {"same": 1, "added": 1, "withdrawn": 1, "ended": 1, "changed": 2}
    assert [(d.kind, d.subject, d.memory_id) for d in found.differences] == [
        (Kind.ENDED, "ana", home),
        (Kind.CHANGED, "bea", plan),
        (Kind.WITHDRAWN, "caro", gone),
        (Kind.CHANGED, "elsa", wrong),
        (Kind.ADDED, "fay", new),
    ]
    ended, changed, withdrawn, moved, added = (d.as_json() for d in found.differences)
    assert ended["before"]["valid_to"] is None
    assert ended["after"]["valid_to"] == "2026-01-10T00:00:00Z"
    assert (changed["before"]["value"], changed["after"]["value"]) == ("gold", "silver")
    assert (withdrawn["after"], added["before"]) == (None, None)
    assert moved["after"]["valid_from"] == "2026-01-05T00:00:00Z"


def test_the_other_way_round(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    before = desk.newest
    desk.fact("Porto", 5)
    now = Side.of_store(desk.store, desk.scope)
    found = compare(now, Side.of_store(desk.store, desk.scope, before))
    assert found.relation is Relation.OTHER_IS_PREFIX
    # Without Porto, Lisbon is open again.
    assert kinds(found) == {"withdrawn": 1, "changed": 1}


def test_a_fact_in_several_stretches(desk: Desk) -> None:
    desk.fact("A", 1)
    before = desk.newest
    desk.fact("B", 10, 20)
    found = against(desk, before)
    assert kinds(found) == {"added": 1, "changed": 1}
    assert next(d for d in found.differences if d.kind is Kind.CHANGED).as_json()["after"] == {
        "value": "A",
        "valid_from": "2026-01-02T00:00:00Z",
        "valid_to": None,
        "stretches": 2,
    }


def test_records_that_part_and_that_never_met(desk: Desk, twin: Desk, other: Desk) -> None:
    desk.fact("Lisbon", 1)
    other.fact("Lisbon", 1)
    sides = Side.of_store(desk.store, desk.scope), Side.of_store(other.store, other.scope)
    found = compare(*sides)
    assert (found.relation, found.common, found.parted_at) == (Relation.UNRELATED, 0, 1)
    assert kinds(found) == {"added": 1, "withdrawn": 1}

    twin.fact("Lisbon", 1)
    shared = desk.newest + 1  # the next episode is the same as well
    desk.fact("Porto", 5)
    twin.fact("Faro", 6)
    found = compare(Side.of_store(desk.store, desk.scope), Side.of_store(twin.store, twin.scope))
    assert (found.relation, found.common, found.parted_at) == (Relation.PARTED, shared, shared + 1)
    # Lisbon ends at another time; its successors have the same id, and say other things.
    assert kinds(found) == {"changed": 2}


def test_a_tenant_without_a_record_has_nothing_to_compare(desk: Desk, other: Desk) -> None:
    desk.fact("Lisbon", 1)
    sides = Side.of_store(desk.store, desk.scope), Side.of_store(other.store, other.scope)
    with pytest.raises(NotFound):
        compare(*sides)


def test_other_tenants_are_named(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    elsewhere = desk.of(tenant_id="globex")
    elsewhere.fact("Lisbon", 1)
    found = compare(
        Side.of_store(desk.store, desk.scope), Side.of_store(desk.store, elsewhere.scope)
    )
    assert found.is_other_tenant
    assert not found.is_same
    assert found.as_json()["same_tenant"] is False


def test_the_list_is_bounded_and_the_counts_are_not(desk: Desk) -> None:
    desk.fact("x", 1)
    before = desk.newest
    for number in range(30):
        desk.fact(number, 1, subject=f"s{number:02}")
    found = against(desk, before, limit=5)
    assert found.counts["added"] == found.differing == 30
    assert [d.subject for d in found.differences] == [f"s{n:02}" for n in range(5)]


def test_owners_and_slots_are_keys_of_their_own(desk: Desk) -> None:
    desk.fact("x", 1)
    before = desk.newest
    desk.fact("y", 1, owner="support")
    found = against(desk, before)
    assert kinds(found) == {"same": 1, "added": 1}
    assert found.differences[0].owner == "support"


def test_it_can_be_stopped_and_tells_how_far_it_is(desk: Desk) -> None:
    desk.fact("x", 1)
    told: list[tuple[int, int | None]] = []
    against(desk, progress=lambda done, total: told.append((done, total)))
    assert told == [(2, None)]
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        against(desk, cancel=cancel)


def test_an_agent_cannot_compare_whole_records(desk: Desk) -> None:
    desk.fact("x", 1)
    store: Store = desk.store
    side = Side.of_store(store, Scope("acme", "support"))
    with pytest.raises(Exception, match="person"):
        compare(side, side)
