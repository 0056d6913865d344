"""Opening, closing, threads, other processes, and what a backend may lack."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from inspect import signature
from typing import Any

import pytest

from store import (
    AsOf,
    Cancel,
    Cancelled,
    Capability,
    Capture,
    Change,
    FactQuery,
    LaneFilter,
    NotFound,
    Outcome,
    Page,
    ReadOnly,
    Scope,
    Store,
    Unavailable,
    Unsupported,
    open_store,
)
from store.history import History
from store.ledger import Row
from store.model import ExportDraft, Head
from tests.conformance.scene import Clock, Desk, Entropy, all_facts, day, delta, draft
from tests.conformance.told import Retold
from tests.support import ROOT

SCOPE = Scope("acme")


def _calls(store: Store) -> dict[str, Callable[[], Any]]:
    """Every call of the contract, with harmless arguments."""
    return {
        "write": lambda: store.write(SCOPE, Capture(episode=draft("e9"))),
        "preview": lambda: store.preview(SCOPE, Capture(episode=draft("e9"))),
        "load": lambda: store.load(SCOPE, [draft("e9")]),
        "rehearse": lambda: store.rehearse(SCOPE, [draft("e9")]),
        "read": lambda: store.read(SCOPE, "mira", "city"),
        "fact": lambda: store.fact(SCOPE, "x"),
        "facts": lambda: store.facts(SCOPE, FactQuery()),
        "anchors": lambda: store.anchors(SCOPE, FactQuery()),
        "versions": lambda: store.versions(SCOPE),
        "evidence": lambda: store.evidence(SCOPE, "x"),
        "lane_outline": lambda: store.lane_outline(SCOPE),
        "lanes": lambda: store.lanes(SCOPE),
        "density": lambda: store.density(SCOPE),
        "episode": lambda: store.episode(SCOPE, "e1"),
        "episodes": lambda: store.episodes(SCOPE),
        "facts_from": lambda: store.facts_from(SCOPE, "e1"),
        "conflict": lambda: store.conflict(SCOPE, "x"),
        "conflicts": lambda: store.conflicts(SCOPE),
        "transaction": lambda: store.transaction(SCOPE, 1),
        "history": lambda: _rows(store.history(SCOPE)),
        "restore": lambda: store.restore(SCOPE, _nothing()),
        "note_export": lambda: store.note_export(SCOPE, _noted()),
        "exports": lambda: store.exports(SCOPE),
        "transactions": lambda: store.transactions(SCOPE),
        "attributes": lambda: store.attributes(SCOPE),
        "search": lambda: store.search(SCOPE, "x"),
        "suggest": lambda: store.suggest(SCOPE, "x"),
        "summary": lambda: store.summary(SCOPE),
        "revision": store.revision,
        "changes_since": lambda: store.changes_since(SCOPE, 0),
        "head": lambda: store.head(SCOPE),
        "check": store.check,
        "tenants": store.tenants,
        "tenant_of": lambda: store.tenant_of("x"),
    }


def _rows(history: AbstractContextManager[History]) -> list[Row]:
    with history as told:
        return list(told.rows())


def _nothing() -> History:
    head = Head(tenant_id="acme", number=0, digest="", entries=0, recorded_at=None)
    said = ("transactions", "attributes", "episodes", "rows", "evidence", "conflicts")
    return Retold({"who": ["s", "acme", bytes(16), head], **{name: [] for name in said}})


def _noted() -> ExportDraft:
    return ExportDraft(
        tenant_id="acme",
        transaction=1,
        digest="",
        manifest="",
        arguments={},
        destination="",
    )


def test_the_list_of_calls_is_whole(store: Store) -> None:
    public = {name for name in Store.__abstractmethods__ if not name.startswith("_")}
    assert set(_calls(store)) == public - {"open", "close"}


def test_a_closed_store_answers_nothing(make_store: Callable[..., Store]) -> None:
    store = make_store()
    store.write(SCOPE, Capture(episode=draft("e1")))
    store.close()
    store.close()
    answered = [name for name, call in _calls(store).items() if not _raises(Unavailable, call)]
    assert answered == []


def _raises(error: type[Exception], call: Callable[[], Any]) -> bool:
    try:
        call()
    except error:
        return True
    return False


def test_a_store_is_a_context_manager(make_store: Callable[..., Store]) -> None:
    with make_store() as store:
        assert store.head(SCOPE).number == 0
    with pytest.raises(Unavailable):
        store.head(SCOPE)


def test_a_store_says_what_it_is(store: Store) -> None:
    assert store.url
    assert store.store_id
    assert store.is_writable
    assert store.notice == ""
    assert all(isinstance(c, Capability) for c in store.capabilities)


def test_two_stores_have_two_identities(make_store: Callable[..., Store]) -> None:
    assert make_store("one").store_id != make_store("two").store_id


def test_what_is_lacking_is_refused_with_a_sentence(store: Store) -> None:
    if Capability.ERASE in store.capabilities:
        pytest.skip(f"{store.url} can erase")
    with pytest.raises(Unsupported) as refusal:
        store.erase(SCOPE, "x")
    assert "Nothing" in str(refusal.value)


# -- cancel ----------------------------------------------------------------------------------------


def test_every_long_read_stops_on_request(desk: Desk) -> None:
    desk.fact("A", 1)
    cancel = Cancel()
    cancel.cancel()
    assert cancel.is_cancelled
    store = desk.store
    reads: dict[str, Callable[[], Any]] = {
        "facts": lambda: store.facts(SCOPE, FactQuery(), cancel=cancel),
        "anchors": lambda: store.anchors(SCOPE, FactQuery(), cancel=cancel),
        "lane_outline": lambda: store.lane_outline(SCOPE, cancel=cancel),
        "lanes": lambda: store.lanes(SCOPE, cancel=cancel),
        "density": lambda: store.density(SCOPE, cancel=cancel),
        "episodes": lambda: store.episodes(SCOPE, cancel=cancel),
        "transactions": lambda: store.transactions(SCOPE, cancel=cancel),
        "search": lambda: store.search(SCOPE, "A", cancel=cancel),
        "summary": lambda: store.summary(SCOPE, cancel=cancel),
        "check": lambda: store.check(cancel=cancel),
        "history": lambda: _rows(store.history(SCOPE, cancel=cancel)),
    }
    takers = {
        name
        for name in Store.__abstractmethods__
        if "cancel" in signature(getattr(Store, name)).parameters
    }
    assert set(reads) == takers - {"load", "rehearse", "restore"}
    assert [name for name, read in reads.items() if not _raises(Cancelled, read)] == []
    assert desk.value(1) == "A"


# -- keeping ---------------------------------------------------------------------------------------


@pytest.mark.requires(Capability.PERSISTENCE)
def test_what_was_written_is_there_again(make_store: Callable[..., Store]) -> None:
    clock = Clock(day(2000))
    store = make_store(clock=clock)
    desk = Desk(store, clock)
    a = desk.fact("A", 1, episode="e1")
    desk.fact("B", 5, 9)
    desk.contest("D", 5, 9)
    conflict = desk.contest("C", 1)
    desk.confirm(a, "e2")
    desk.settle(conflict.conflict_id, "both")
    before = (
        desk.head,
        store.store_id,
        desk.everything(),
        store.conflicts(SCOPE, None),
        store.transactions(SCOPE),
        store.episodes(SCOPE),
        store.attributes(SCOPE),
        store.versions(SCOPE),
        store.transaction(SCOPE, desk.newest),
    )
    store.close()
    again = make_store(clock=clock, create=False)
    desk = Desk(again, clock)
    assert before == (
        desk.head,
        again.store_id,
        desk.everything(),
        again.conflicts(SCOPE, None),
        again.transactions(SCOPE),
        again.episodes(SCOPE),
        again.attributes(SCOPE),
        again.versions(SCOPE),
        again.transaction(SCOPE, desk.newest),
    )
    desk.check()
    assert desk.say("A", 1, episode="e1").outcome is Outcome.KNOWN
    assert desk.say("C", 3, episode="e3").outcome is Outcome.APPLIED
    desk.check()


@pytest.mark.requires(Capability.PERSISTENCE)
def test_time_goes_on_rising_after_a_store_was_opened_again(
    make_store: Callable[..., Store],
) -> None:
    clock = Clock(day(2000))
    desk = Desk(make_store(clock=clock), clock)
    desk.episode("e1")
    first = desk.head.recorded_at
    desk.store.close()
    earlier = Clock(day(100))
    again = Desk(make_store(clock=earlier, create=False, entropy=Entropy("again")), earlier)
    again.episode("e2")
    second = again.head.recorded_at
    assert first is not None
    assert second is not None
    assert second > first
    again.check()


@pytest.mark.requires(Capability.PERSISTENCE)
def test_a_store_opened_for_reading_is_not_written_to(make_store: Callable[..., Store]) -> None:
    clock = Clock(day(2000))
    desk = Desk(make_store(clock=clock), clock)
    desk.fact("A", 1, episode="e1")
    head = desk.head
    desk.store.close()
    store = make_store(clock=clock, create=False, read_only=True)
    reader = Desk(store, clock)
    assert not store.is_writable
    assert reader.line() == [(1, None, "A")]
    assert reader.head == head
    for name in ("write", "load", "restore", "note_export"):
        with pytest.raises(ReadOnly):
            _calls(store)[name]()
    plan = store.preview(SCOPE, Capture(episode=draft("e9")))
    assert plan.outcome is Outcome.APPLIED
    assert store.check(full=True).is_clean
    assert reader.head == head


@pytest.mark.requires(Capability.PERSISTENCE)
def test_a_store_that_is_not_there_is_not_made_unasked(make_store: Callable[..., Store]) -> None:
    make_store("elsewhere")
    with pytest.raises(NotFound):
        make_store("missing", create=False)
    with pytest.raises(NotFound):
        make_store("missing", create=False, read_only=True)


@pytest.mark.requires(Capability.PERSISTENCE)
def test_another_connection_sees_what_was_committed(make_store: Callable[..., Store]) -> None:
    clock = Clock(day(2000))
    one = Desk(make_store(clock=clock), clock)
    one.fact("A", 1)
    other = Desk(make_store(clock=clock, create=False, entropy=Entropy("other")), clock)
    seen = other.store.revision()
    assert other.line() == [(1, None, "A")]
    one.fact("B", 5)
    assert other.store.revision() != seen
    assert other.line() == [(1, 5, "A"), (5, None, "B")]
    since = other.newest
    other.fact("C", 9, episode="of the other")
    assert one.store.changes_since(SCOPE, since).newest == since + 2
    assert one.line()[-1] == (9, None, "C")
    one.check()


# -- many at once ----------------------------------------------------------------------------------


def test_eight_threads_writing_one_key_lose_nothing(desk: Desk) -> None:
    each, writers = 12, 8
    for number in range(writers):
        desk.episode(f"e{number}")
    start = threading.Barrier(writers)

    def work(number: int) -> list[Outcome]:
        start.wait()
        mine = desk.of(f"agent {number}")
        return [
            mine.store.write(
                mine.scope,
                Change(delta=delta(f"{number}/{step}", step, episode=f"e{number}")),
            ).outcome
            for step in range(each)
        ]

    with ThreadPoolExecutor(writers) as pool:
        outcomes = [o for part in pool.map(work, range(writers)) for o in part]
    assert outcomes.count(Outcome.APPLIED) == each, "one claim stands at each instant"
    assert outcomes.count(Outcome.CONFLICT) == each * (writers - 1), "the others are queued"
    conflicts = _all_conflicts(desk)
    assert sum(len(c.incoming) for c in conflicts) == each * (writers - 1)
    claimed = {(c.standing.value, c.standing.valid_from) for c in conflicts}
    claimed |= {(i.value, i.valid_from) for c in conflicts for i in c.incoming}
    assert claimed == {(f"{n}/{s}", day(s)) for n in range(writers) for s in range(each)}
    numbers = [t.number for t in _all_transactions(desk)]
    assert numbers == list(range(writers * (each + 1), 0, -1))
    assert len(desk.line()) == each


def _all_conflicts(desk: Desk) -> list[Any]:
    return list(desk.store.conflicts(desk.scope, page=Page(1000)).items)


def _all_transactions(desk: Desk) -> list[Any]:
    return list(desk.store.transactions(desk.scope, page=Page(1000)).items)


def test_threads_that_read_while_others_write_see_whole_transactions(desk: Desk) -> None:
    """Each transaction adds one interval on each of two keys, by a load: reads see both or none."""
    done = threading.Event()
    wrong: list[str] = []
    desk.episode("e")

    def look() -> None:
        while not done.is_set():
            try:
                known = desk.head
                as_of = AsOf(known_at=known.recorded_at)
                lanes = desk.store.lanes(desk.scope, LaneFilter(), as_of=as_of)
                counts = {lane.key.subject: len(lane.bars) for lane in lanes}
                if counts and counts.get("mira") != counts.get("jonas"):
                    wrong.append(f"half a transaction: {counts}")
                now = desk.store.lanes(desk.scope, LaneFilter())
                counts = {lane.key.subject: len(lane.bars) for lane in now}
                if counts and counts.get("mira") != counts.get("jonas"):
                    wrong.append(f"half a transaction now: {counts}")
                all_facts(desk, FactQuery(history=True), as_of=as_of)
                desk.store.transactions(desk.scope)
                desk.store.summary(desk.scope)
                desk.store.suggest(desk.scope, "m")
            except Exception as error:  # whatever it is, it is the finding
                wrong.append(repr(error))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(25):
        desk.store.load(
            desk.scope,
            [
                delta(f"v{number}", number, episode="e", subject=subject)
                for subject in ("mira", "jonas")
            ],
        )
    done.set()
    for reader in readers:
        reader.join(30)
    assert wrong == []
    assert len(desk.line()) == 25


_WRITER = """
import sys
from datetime import UTC, datetime, timedelta
from store import Capture, Change, EpisodeDraft, MemoryDelta, Scope, open_store
location, number, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
day = datetime(2026, 1, 1, tzinfo=UTC)
scope = Scope("acme", f"agent {number}")
with open_store(location) as store:
    draft = EpisodeDraft(episode_id=f"p{number}", kind="message", content="x", occurred_at=day)
    store.write(scope, Capture(episode=draft))
    for step in range(count):
        for subject in ("mira", f"own {number}"):
            delta = MemoryDelta(
                tenant_id="acme", subject=subject, attribute="city", value=f"{number}/{step}",
                valid_from=day + timedelta(days=step), source_episode_id=f"p{number}",
            )
            print(store.write(scope, Change(delta=delta)).outcome.value)
"""


@pytest.mark.requires(Capability.PERSISTENCE, Capability.MANY_WRITERS)
def test_processes_that_write_at_once_lose_nothing(make_store: Callable[..., Store]) -> None:
    clock = Clock(day(2000))
    desk = Desk(make_store(clock=clock), clock)
    if desk.store.url.startswith("memory:"):
        pytest.skip("no other process can open it")
    processes, each = 3, 25
    command = [sys.executable, "-c", _WRITER, desk.store.url]
    running = [
        subprocess.Popen(
            [*command, str(number), str(each)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    said = []
    for process in running:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        said += out.split()
    assert len(said) == processes * each * 2
    assert said.count("applied") == each + processes * each
    assert said.count("conflict") == each * (processes - 1)
    assert desk.newest == processes * (1 + 2 * each)
    assert len(desk.line()) == each
    for number in range(processes):
        assert len(desk.line(subject=f"own {number}")) == each
    conflicts = _all_conflicts(desk)
    assert sum(len(c.incoming) for c in conflicts) == each * (processes - 1)
    desk.check()


# -- doors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("location", ["postgres://x/y", "qdrant:x", "none:", "markdown:notes"])
def test_a_backend_that_is_planned_is_refused_with_a_sentence(location: str) -> None:
    with pytest.raises(Unsupported):
        open_store(location)


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(Unsupported):
        open_store("gopher://x")
