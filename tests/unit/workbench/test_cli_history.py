"""`read --history` against what the store itself says, on the demo's record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import pytest

from store.backends.memory import MemoryStore
from store.contract import Scope, Store
from store.model import Fact
from store.query import FactQuery
from store.temporal import MICROSECOND, NOW, AsOf
from workbench.commands.history import all_facts, all_versions
from workbench.demo import DemoClock, make_demo
from workbench.resources import resource

SCOPE = Scope("acme")
Stretch = tuple[str, object, datetime, datetime | None]


@pytest.fixture(scope="module")
def store() -> Store:
    clock = DemoClock()
    made = MemoryStore(clock=clock)
    make_demo(made, clock=clock, samples=resource("samples"))
    return made


def versions(store: Store, as_of: AsOf = NOW) -> list[Fact]:
    return list(all_versions(store, SCOPE, subject=None, attribute=None, as_of=as_of))


def merged(facts: Iterable[Fact]) -> set[Stretch]:
    """The intervals of facts, adjacent ones of one fact as one; values as text."""
    found: list[Stretch] = []
    for fact in sorted(facts, key=lambda f: (f.memory_id, f.slot, f.valid_from)):
        last = found[-1] if found else None
        if last is not None and (last[0], last[3]) == (fact.memory_id, fact.valid_from):
            found[-1] = (*last[:3], fact.valid_to)
        else:
            found.append((fact.memory_id, str(fact.value), fact.valid_from, fact.valid_to))
    return set(found)


def test_what_is_believed_reads_as_the_store_says(store: Store) -> None:
    moments = [t.recorded_at for t in store.transactions(SCOPE).items[::60]]
    for known_at in (None, *moments):
        as_of = AsOf(known_at=known_at)
        believed = [version for version in versions(store, as_of) if version.superseded_at is None]
        query = FactQuery(history=True)
        assert merged(believed) == merged(all_facts(store, SCOPE, query, as_of))
        assert len(believed) > 10


def test_what_is_believed_no_longer_was_read_until_then(store: Store) -> None:
    gone = [version for version in versions(store) if version.superseded_at is not None]
    assert len(gone) > 10
    for version in gone:
        assert version.superseded_at is not None
        first, last = version.recorded_at, version.superseded_at - MICROSECOND
        assert read(store, version, version.valid_from, first).value == version.value
        same = read(store, version, version.valid_from, last)
        assert same.value == version.value
        if same.valid_to != version.valid_to:  # another row of the fact follows
            assert version.valid_to is not None
            assert read(store, version, version.valid_to, last).valid_to == same.valid_to


def read(store: Store, version: Fact, valid_at: datetime, known_at: datetime) -> Fact:
    """The fact of a version as it was read from a point on both axes."""
    found = store.read(SCOPE, version.subject, version.attribute, AsOf(valid_at, known_at))
    (fact,) = [fact for fact in found if fact.memory_id == version.memory_id]
    return fact


def test_a_valid_at_leaves_what_holds_there(store: Store) -> None:
    at = versions(store)[40].valid_from
    held = versions(store, AsOf(valid_at=at))
    assert held
    for version in held:
        assert version.valid_from <= at
        assert version.valid_to is None or at < version.valid_to
