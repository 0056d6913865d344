"""A tenant's whole record as of a transaction: the same whenever and wherever it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import (
    AsOf,
    Cancel,
    Cancelled,
    Invalid,
    NotFound,
    Scope,
    Store,
    Unavailable,
)
from store.entry import FIRST_DIGEST, SECRET_BYTES
from store.history import key_order, link_order
from store.model import RowKind
from tests.conformance.played import STEPS, Played, step
from tests.conformance.scene import LATER, Clock, Desk, day, delta, draft
from tests.conformance.told import Told, populate, telling, told


def test_a_history_as_of_n_is_the_one_told_when_n_was_newest(desk: Desk) -> None:
    then: dict[int, Told] = {}
    original = desk.store.write

    def remembering(*args: Any, **more: Any) -> Any:
        receipt = original(*args, **more)
        if receipt.transaction is not None:
            then[receipt.transaction] = telling(desk)
        return receipt

    desk.store.write = remembering  # type: ignore[method-assign]
    populate(desk)
    assert len(then) > 20
    for number, was in then.items():
        assert telling(desk, number) == was


def test_a_history_tells_what_other_reads_tell(desk: Desk) -> None:
    populate(desk)
    said = telling(desk)
    numbers = [sealed.header.number for sealed in said["transactions"]]
    assert numbers == list(range(1, desk.newest + 1))
    last = said["transactions"][-1]
    assert (last.digest, last.total) == (desk.head.digest, desk.head.entries)
    assert sum(sealed.entries for sealed in said["transactions"]) == last.total
    previous = [FIRST_DIGEST, *(sealed.digest for sealed in said["transactions"])]
    assert [sealed.header.previous for sealed in said["transactions"]] == previous[:-1]
    versions = desk.store.versions(desk.scope)
    assert len(said["rows"]) == len(versions)
    assert {row.memory_id for row in said["rows"]} == {v.memory_id for v in versions}
    assert [row for row in said["rows"] if row.over is not None]
    assert {row.kind for row in said["rows"]} == {RowKind.FACT, RowKind.END, RowKind.RESUME}
    assert {len(row.secret) for row in said["rows"]} == {SECRET_BYTES}
    conflicts = desk.store.conflicts(desk.scope, None).items
    assert {c.conflict_id for c in conflicts} == {
        case.entry.conflict_id for case in said["conflicts"]
    }
    assert [a.attribute.name for a in said["attributes"]] == sorted(
        a.name for a in desk.store.attributes(desk.scope)
    )
    assert {"seen again", "and again"} <= {link.episode_id for link in said["evidence"]}
    assert said["who"][:2] == [desk.store.store_id, "acme"]


def test_the_sections_have_their_order(desk: Desk) -> None:
    populate(desk)
    said = telling(desk)
    rows = [(key_order(r.key), r.valid_from, r.tx_from) for r in said["rows"]]
    assert rows == sorted(set(rows))
    links = [(key_order(e.key), link_order(e)) for e in said["evidence"]]
    assert links == sorted(links)
    cases = [(key_order(c.entry.key), c.entry.conflict_id) for c in said["conflicts"]]
    assert cases == sorted(set(cases))
    episodes = [(e.tx_from, e.draft.episode_id) for e in said["episodes"]]
    assert episodes == sorted(set(episodes))


def test_links_of_one_transaction_are_told_by_episode(desk: Desk) -> None:
    desk.store.load(
        desk.scope,
        [draft(name) for name in "dbca"]
        + [delta("A", 1, episode=name) for name in "dbca"],  # one fact, four sources
    )
    said = telling(desk)
    assert [link.episode_id for link in said["evidence"]] == sorted("bca")
    (fact,) = desk.read(2)
    assert [link.episode_id for link in fact.evidence] == ["d", "a", "b", "c"]


def test_what_is_written_meanwhile_does_not_show(desk: Desk) -> None:
    populate(desk)
    before = telling(desk)
    with desk.store.history(desk.scope) as history:
        rows = history.rows()
        first = next(rows)
        desk.fact("later", 100, subject="aaron")
        assert [first, *rows] == before["rows"]
        assert told(history) == before
    assert telling(desk) != before


def test_sections_can_be_read_together_and_again(desk: Desk) -> None:
    populate(desk)
    before = telling(desk)
    with desk.store.history(desk.scope) as history:
        together = list(zip(history.rows(), history.episodes(), history.evidence(), strict=False))
        assert [part[0] for part in together] == before["rows"][: len(together)]
        assert list(history.rows()) == before["rows"]


def test_a_history_of_another_tenant_is_its_own(desk: Desk) -> None:
    populate(desk)
    other = desk.of(tenant_id="globex")
    other.fact("A", 1)
    said = telling(other)
    assert said["who"][1] == "globex"
    assert len(said["rows"]) == 1
    assert said["who"][2] != telling(desk)["who"][2]


def test_only_a_person_who_may_see_everything_can_ask(desk: Desk) -> None:
    populate(desk)
    for scope in (Scope("acme", "support"), Scope("acme", "operator", frozenset())):
        with pytest.raises(Invalid, match="person"), desk.store.history(scope):
            raise AssertionError("no history is given")


@pytest.mark.parametrize("number", [0, -1, 99999])
def test_there_is_no_history_as_of_what_never_was(desk: Desk, number: int) -> None:
    desk.fact("A", 1)
    with pytest.raises(NotFound, match=str(number)), desk.store.history(desk.scope, number):
        raise AssertionError("no history is given")
    with pytest.raises(NotFound, match="globex"), desk.store.history(Scope("globex")):
        raise AssertionError("no history is given")


def test_telling_can_be_stopped(desk: Desk) -> None:
    populate(desk)
    cancel = Cancel()

    def stopping() -> Iterator[Any]:
        with desk.store.history(desk.scope, cancel=cancel) as history:
            cancel.cancel()
            yield from history.rows()

    with pytest.raises(Cancelled):
        list(stopping())


def test_nothing_is_told_after_the_block(desk: Desk) -> None:
    populate(desk)
    with desk.store.history(desk.scope) as history:
        rows = history.rows()
        next(rows)
    with pytest.raises(Unavailable):
        list(history.rows())
    desk.fact("later", 100)


def test_the_head_as_of_a_time_is_the_one_it_was(desk: Desk, clock: Clock) -> None:
    heads = [desk.head]
    assert (heads[0].number, heads[0].digest, heads[0].entries) == (0, FIRST_DIGEST, 0)
    for number in range(20):
        clock.now = day(LATER + number)
        desk.fact("A", number)
        heads.append(desk.head)
    for head in heads[1:]:
        assert desk.store.head(desk.scope, AsOf(known_at=head.recorded_at)) == head
        assert head.recorded_at is not None
        just_before = AsOf(known_at=head.recorded_at - timedelta(microseconds=1))
        assert desk.store.head(desk.scope, just_before).number == head.number - 1


@pytest.fixture
def examples() -> list[None]:
    """Counts the examples of a test: each has a store of its own."""
    return []


@settings(
    max_examples=10,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(step, min_size=4, max_size=STEPS))
def test_random_histories_are_told_as_they_were(
    make_store: Callable[..., Store],
    examples: list[None],
    steps: list[tuple[str, int, int, int, int]],
) -> None:
    clock = Clock(day(LATER))
    examples.append(None)
    with make_store(f"example {len(examples)}", clock=clock) as store:
        played = Played(Desk(store, clock))
        then: dict[int, Told] = {}
        for kind, *drawn in steps:
            played.play(kind, *drawn)
            then[played.desk.newest] = telling(played.desk)
        for number, was in then.items():
            assert telling(played.desk, number) == was
