"""Bulk loads: as one-by-one writes in the documented order, only quicker."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import (
    Attribute,
    Cancel,
    Cancelled,
    Cardinality,
    Change,
    EpisodeDraft,
    FactQuery,
    Invalid,
    LoadReport,
    MemoryDelta,
    Outcome,
    Register,
    Store,
)
from tests.conformance.scene import Clock, Desk, Entropy, all_facts, day, delta, draft

Entry = EpisodeDraft | MemoryDelta


def test_a_load_writes_episodes_and_facts(desk: Desk) -> None:
    report = desk.store.load(
        desk.scope,
        [
            delta("Lisbon", 1, episode="e1"),
            draft("e1", "Lisbon, then Porto."),
            delta("Porto", 5, episode="e1"),
        ],
    )
    assert report == LoadReport(read=3, episodes=1, applied=2, transactions=(1, 1))
    assert desk.line() == [(1, 5, "Lisbon"), (5, None, "Porto")]
    assert desk.store.transaction(desk.scope, 1).transaction.kind.value == "load"
    assert desk.store.attributes(desk.scope) == (Attribute(name="city"),)


def test_a_load_of_nothing_writes_nothing(desk: Desk) -> None:
    assert desk.store.load(desk.scope, []) == LoadReport()
    assert desk.newest == 0


def test_a_second_load_finds_everything_known(desk: Desk) -> None:
    entries: list[Entry] = [
        draft("e1"),
        draft("e2"),
        delta("A", 1, episode="e1"),
        delta("A", 1, episode="e2"),
        delta("A", 4, episode="e1"),
        delta("B", 1, episode="e1"),
        delta("C", 5, 9, episode="e1"),
        delta("D", 7, 12, episode="e1"),
    ]
    first = desk.store.load(desk.scope, entries)
    assert (first.applied, first.corroborated, first.conflicts, first.known) == (3, 1, 2, 0)
    head, line = desk.head, desk.line()
    again = desk.store.load(desk.scope, entries)
    assert (again.applied, again.corroborated, again.conflicts, again.known) == (0, 0, 0, 6)
    assert (again.episodes, again.transactions) == (0, None)
    assert (desk.head, desk.line()) == (head, line)


def test_a_duplicate_within_a_load_is_known(desk: Desk) -> None:
    entries: list[Entry] = [draft("e1"), *[delta("A", 1, episode="e1")] * 3, draft("e1")]
    report = desk.store.load(desk.scope, entries)
    assert (report.applied, report.known, report.episodes) == (1, 2, 1)
    assert report.rejected == ()


def test_a_load_does_not_undo_what_a_person_corrected(desk: Desk) -> None:
    entries: list[Entry] = [draft("e1"), delta("A", 1, episode="e1"), delta("B", 5, episode="e1")]
    desk.store.load(desk.scope, entries)
    facts = {f.value: f.memory_id for f in desk.history(FactQuery(history=True))}
    desk.correct(facts["A"], value="Z")
    desk.retract(facts["B"])
    line = desk.line()
    report = desk.store.load(desk.scope, entries)
    assert (report.known, report.applied) == (2, 0)
    assert desk.line() == line == [(1, None, "Z")]


def test_conflicts_within_a_load_are_queued(desk: Desk) -> None:
    report = desk.store.load(
        desk.scope,
        [
            draft("e1"),
            delta("A", 1, episode="e1"),
            delta("B", 1, episode="e1"),
            delta("C", 1, episode="e1"),
            delta("x", 1, 10, episode="e1", subject="jonas"),
            delta("y", 5, 20, episode="e1", subject="jonas"),
        ],
    )
    assert (report.applied, report.conflicts) == (2, 3)
    assert desk.line() == [(1, None, "A")], "of equal times the first of the input stands"
    conflicts = desk.store.conflicts(desk.scope).items
    assert sorted([c.value for c in conflict.incoming] for conflict in conflicts) == [
        ["B", "C"],
        ["y"],
    ]
    assert desk.read(2)[0].disputed
    value = next(c for c in conflicts if c.kind.value == "value")
    claim = value.incoming[1].claim_id
    desk.settle(value.conflict_id, "incoming", claim_id=claim)
    assert desk.line() == [(1, None, "C")]


# -- what breaks a rule --------------------------------------------------------------------------


def test_what_breaks_a_rule_is_reported_by_position_and_left_out(desk: Desk) -> None:
    good, bad = draft("e1"), draft("e1", "another content")
    entries: list[Entry] = [
        delta("first", 1, episode="nobody"),
        good,
        delta(2**60, 2, episode="e1"),
        delta("good", 3, episode="e1"),
        bad,
        delta("elsewhere", 4, episode="e1", tenant_id="globex"),
        delta("typed", 5, episode="e1", memory_type="task"),
        draft("e2", metadata={"a": float("nan")}),
        delta("from e2", 6, episode="e2"),
        draft("e3"),
    ]
    report = desk.store.load(desk.scope, entries)
    assert {position for position, _ in report.rejected} == {0, 2, 4, 5, 6, 7, 8}
    assert report.rejected_count == 7
    assert all(sentence for _, sentence in report.rejected)
    assert (report.read, report.episodes, report.applied) == (10, 2, 1)
    assert desk.line() == [(3, None, "good")]
    assert desk.store.episode(desk.scope, "e1").content == good.content


def test_an_agents_load_keeps_to_its_owner(desk: Desk) -> None:
    alice = desk.of("alice")
    report = desk.store.load(
        alice.scope,
        [
            draft("e1"),
            delta("mine", 1, episode="e1", owner="alice"),
            delta("yours", 1, episode="e1", owner="bob"),
            delta("ours", 1, episode="e1"),
        ],
    )
    assert (report.applied, report.rejected_count) == (2, 1)
    assert [f.value for f in desk.read(2)] == ["ours", "mine"]
    assert {f.agent_id for f in desk.read(2)} == {"alice"}


def test_only_so_many_rejections_are_kept_but_all_are_counted(desk: Desk) -> None:
    entries = [delta("x", 1, episode="nobody", subject=f"s{i}") for i in range(1100)]
    report = desk.store.load(desk.scope, entries)
    assert (report.rejected_count, len(report.rejected)) == (1100, 1000)
    assert report.transactions is None
    assert desk.newest == 0


# -- batches, progress, cancel -------------------------------------------------------------------


def test_batches_are_transactions(desk: Desk) -> None:
    told: list[int] = []
    entries: list[Entry] = [draft("e1"), *(delta(f"v{i}", i, episode="e1") for i in range(9))]
    report = desk.store.load(
        desk.scope, iter(entries), batch=4, progress=lambda done, _: told.append(done)
    )
    assert (report.read, report.applied, report.transactions) == (10, 9, (1, 3))
    assert told[-1] == 10
    assert told == sorted(told)
    assert len(desk.line()) == 9
    assert desk.newest == 3


def test_a_cancelled_load_keeps_whole_batches_and_says_so(desk: Desk) -> None:
    cancel = Cancel()
    pulled: list[int] = []

    def entries() -> Iterator[Entry]:
        yield draft("e1")
        for number in range(100):
            pulled.append(number)
            yield delta(f"v{number}", number, episode="e1")

    def progress(done: int, _total: int | None) -> None:
        if done >= 20:
            cancel.cancel()

    report = desk.store.load(desk.scope, entries(), batch=10, progress=progress, cancel=cancel)
    assert report.cancelled
    assert report.read == 20
    assert report.applied == 19
    assert report.transactions == (1, 2)
    assert len(desk.line()) == 19
    assert len(pulled) < 50, "it stopped reading"


def test_a_load_cancelled_before_it_began_writes_nothing(desk: Desk) -> None:
    cancel = Cancel()
    cancel.cancel()
    report = desk.store.load(desk.scope, [draft("e1")], cancel=cancel)
    assert report.cancelled
    assert desk.newest == 0


def test_an_input_that_breaks_off_keeps_whole_batches(desk: Desk) -> None:
    def entries() -> Iterator[Entry]:
        yield draft("e1")
        for number in range(7):
            yield delta(f"v{number}", number, episode="e1")
        raise RuntimeError("the file is torn")

    with pytest.raises(RuntimeError, match="torn"):
        desk.store.load(desk.scope, entries(), batch=3)
    assert len(desk.line()) == 5
    assert desk.newest == 2


# -- rehearsals ------------------------------------------------------------------------------------


def test_a_rehearsal_says_what_the_load_then_does_and_writes_nothing(desk: Desk) -> None:
    entries: list[Entry] = [
        draft("e1"),
        delta("A", 1, episode="e1"),
        delta("B", 1, episode="e1"),
        delta("A", 1, episode="e1"),
        delta("x", 1, episode="nobody"),
        delta("C", 3, episode="e1"),
    ]
    desk.fact("Z", 3)
    before = desk.head, desk.store.revision(), desk.line(), desk.store.episodes(desk.scope)
    for batch in (2, 50_000):
        told: list[int] = []
        report = desk.store.rehearse(
            desk.scope, entries, batch=batch, progress=lambda done, _, t=told: t.append(done)
        )
        assert told[-1] == 6
        assert (report.read, report.episodes, report.applied) == (6, 1, 1)
        assert (report.known, report.conflicts, report.rejected_count) == (1, 2, 1)
    now = desk.head, desk.store.revision(), desk.line(), desk.store.episodes(desk.scope)
    assert now == before
    done = desk.store.load(desk.scope, entries)
    assert (done.applied, done.known, done.conflicts) == (1, 1, 2)
    assert done.rejected == report.rejected


def test_a_rehearsal_takes_attributes_for_registered(desk: Desk) -> None:
    many = Attribute(name="city", cardinality=Cardinality.MULTI)
    entries: list[Entry] = [draft("e"), delta("A", 1, episode="e"), delta("B", 1, episode="e")]
    assert desk.store.rehearse(desk.scope, entries).conflicts == 1
    assert desk.store.rehearse(desk.scope, entries, attributes=[many]).applied == 2
    assert desk.store.attributes(desk.scope) == ()
    desk.fact("tea", 1, memory_type="profile")
    with pytest.raises(Invalid):
        desk.store.rehearse(desk.scope, entries, attributes=[many])


def test_a_rehearsal_stops_on_request(desk: Desk) -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.store.rehearse(desk.scope, [draft("e1")], cancel=cancel)


# -- the law -------------------------------------------------------------------------------------

claims = st.tuples(
    st.sampled_from(["mira", "jonas"]),
    st.sampled_from(["city", "tags"]),
    st.sampled_from("ABC"),
    st.integers(0, 8),
    st.none() | st.integers(1, 6),
    st.integers(0, 2),
    st.sampled_from(["", "", "alice"]),
)


def _entries(drawn: list[tuple[Any, ...]]) -> list[MemoryDelta]:
    return [
        delta(
            value,
            start,
            None if length is None else start + length,
            episode=f"e{episode}",
            subject=subject,
            attribute=attribute,
            owner=owner,
        )
        for subject, attribute, value, start, length, episode, owner in drawn
    ]


def _in_order(entries: list[MemoryDelta]) -> list[MemoryDelta]:
    """The order of `Store.load`: key, then beginning, then position in the input."""
    return sorted(entries, key=lambda d: (d.owner, d.subject, d.attribute, d.valid_from))


def _prepared(desk: Desk) -> None:
    desk.write(Register(attribute=Attribute(name="tags", cardinality=Cardinality.MULTI)))
    for number in range(3):
        desk.episode(f"e{number}")


def _said(desk: Desk) -> tuple[list[Any], list[Any], list[Any]]:
    """Everything that can be read, without ids, transaction numbers and times of recording."""
    facts = [
        (
            f.owner,
            f.subject,
            f.attribute,
            f.value,
            f.valid_from,
            f.valid_to,
            f.until,
            f.row_from,
            f.source_episode_id,
            f.disputed,
            sorted(e.episode_id for e in f.evidence),
        )
        for f in all_facts(desk, FactQuery(history=True), as_of=desk.as_of(None, 4))
    ]
    conflicts = [
        (
            c.kind,
            c.state,
            c.owner,
            c.subject,
            c.attribute,
            c.contested_from,
            c.contested_to,
            c.standing.value,
            c.standing.valid_from,
            [(i.value, i.valid_from, i.until, i.source_episode_id) for i in c.incoming],
        )
        for c in desk.store.conflicts(desk.scope, None).items
    ]
    versions = sorted(
        (v.owner, v.subject, v.attribute, v.kind, repr(v.value), v.valid_from, str(v.until))
        for v in desk.store.versions(desk.scope)
        if v.ceased is None
    )
    # Slots differ from tenant to tenant, and so does the order of what they hold.
    return sorted(facts, key=repr), sorted(conflicts, key=repr), versions


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    drawn=st.lists(claims, max_size=14),
    before=st.lists(claims, max_size=4),
    batch=st.sampled_from([3, 50_000]),
)
def test_a_load_equals_one_by_one_writes_in_order(
    store: Store,
    clock: Clock,
    drawn: list[tuple[Any, ...]],
    before: list[tuple[Any, ...]],
    batch: int,
) -> None:
    name = f"tenant {store.revision()}"
    loaded = Desk(store, clock).of(tenant_id=f"{name} loaded")
    written = Desk(store, clock).of(tenant_id=f"{name} written")
    entries = _entries(drawn)
    for desk in (loaded, written):
        _prepared(desk)
        for entry in _entries(before):
            _write(desk, entry)
    mine = [e.model_copy(update={"tenant_id": loaded.scope.tenant_id}) for e in entries]
    report = store.load(loaded.scope, mine, batch=batch)
    outcomes = []
    for first in range(0, len(entries), batch):
        outcomes += [_write(written, e) for e in _in_order(entries[first : first + batch])]
    assert (report.applied, report.known, report.corroborated, report.conflicts) == tuple(
        outcomes.count(o)
        for o in (Outcome.APPLIED, Outcome.KNOWN, Outcome.CORROBORATED, Outcome.CONFLICT)
    )
    assert report.rejected == ()
    assert report.read == len(entries)
    assert _said(loaded) == _said(written)


def _write(desk: Desk, entry: MemoryDelta) -> Outcome:
    mine = entry.model_copy(update={"tenant_id": desk.scope.tenant_id})
    return desk.write(Change(delta=mine)).outcome


def test_after_random_loads_the_store_is_sound(make_store: Callable[..., Store]) -> None:
    dice = random.Random(3)
    clock = Clock(day(100))
    store = make_store(clock=clock, entropy=Entropy("sound"))
    desk = Desk(store, clock)
    _prepared(desk)
    for _ in range(4):
        entries = _entries(
            [
                (
                    dice.choice(["mira", "jonas", "zoe"]),
                    dice.choice(["city", "tags"]),
                    dice.choice("ABCD"),
                    dice.randrange(30),
                    dice.choice([None, 3, 7]),
                    dice.randrange(3),
                    dice.choice(["", "alice"]),
                )
                for _ in range(30)
            ]
        )
        desk.store.load(desk.scope, entries, batch=25)
        for subject in ("mira", "jonas", "zoe"):
            desk.line(subject=subject)
            desk.line(subject=subject, attribute="tags")
        desk.check()
