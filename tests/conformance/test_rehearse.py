"""Rehearsals: what a bulk load would do, and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import (
    Attribute,
    Cancel,
    Cancelled,
    Cardinality,
    EpisodeDraft,
    Invalid,
    MemoryDelta,
    Register,
    Store,
)
from tests.conformance.scene import Clock, Desk, delta, draft

Entry = EpisodeDraft | MemoryDelta

claims = st.tuples(
    st.sampled_from(["city", "tags"]),
    st.sampled_from("ABC"),
    st.integers(0, 8),
    st.none() | st.integers(1, 6),
    st.integers(0, 3),
)


def _entries(drawn: list[tuple[Any, ...]], tenant_id: str) -> list[Entry]:
    """Claims from episodes of which the last was never captured."""
    return [
        *(draft(f"e{number}") for number in range(3)),
        *(
            delta(
                value,
                start,
                None if length is None else start + length,
                episode=f"e{episode}",
                attribute=attribute,
                tenant_id=tenant_id,
            )
            for attribute, value, start, length, episode in drawn
        ),
    ]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(claims, max_size=5),
    drawn=st.lists(claims, max_size=12),
    batch=st.sampled_from([4, 50_000]),
)
def test_a_rehearsal_says_what_the_load_then_does(
    store: Store,
    clock: Clock,
    before: list[tuple[Any, ...]],
    drawn: list[tuple[Any, ...]],
    batch: int,
) -> None:
    desk = Desk(store, clock).of(tenant_id=f"tenant {store.revision()}")
    tags = Attribute(name="tags", cardinality=Cardinality.MULTI)
    desk.write(Register(attribute=Attribute(name="city")))
    store.load(desk.scope, _entries([c for c in before if c[0] == "city"], desk.scope.tenant_id))
    entries = _entries(drawn, desk.scope.tenant_id)
    head = store.head(desk.scope)
    rehearsed = store.rehearse(desk.scope, entries, attributes=[tags], batch=batch)
    assert store.head(desk.scope) == head
    assert [entry.name for entry in store.attributes(desk.scope)] == ["city"]
    desk.write(Register(attribute=tags))
    loaded = store.load(desk.scope, entries, batch=batch)
    assert rehearsed == replace(loaded, transactions=None)
    assert sum(count for _, count in loaded.conflict_kinds) == loaded.conflicts


def test_a_rehearsal_works_where_nothing_may_be_written(
    make_store: Callable[..., Store], clock: Clock
) -> None:
    with make_store(clock=clock) as store:
        desk = Desk(store, clock)
        desk.episode("e0")
    store = make_store(clock=clock, read_only=True, create=False)
    entries: list[Entry] = [draft("e1"), delta("A", 1, episode="e1")]
    assert store.rehearse(Desk(store, clock).scope, entries).applied == 1


def test_a_rehearsal_can_be_stopped_and_tells_how_far_it_is(desk: Desk) -> None:
    told: list[int] = []
    entries: list[Entry] = [draft("e1"), *(delta(f"v{i}", i, episode="e1") for i in range(9))]
    desk.store.rehearse(desk.scope, entries, batch=4, progress=lambda done, _: told.append(done))
    assert told == [4, 8, 10]
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.store.rehearse(desk.scope, entries, cancel=cancel)


def test_a_rehearsal_refuses_what_registering_would(desk: Desk) -> None:
    desk.write(Register(attribute=Attribute(name="tags", cardinality=Cardinality.MULTI)))
    with pytest.raises(Invalid):
        desk.store.rehearse(desk.scope, [], attributes=[Attribute(name="tags")])
