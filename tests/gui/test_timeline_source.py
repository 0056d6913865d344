"""The timeline on a store: read and packed on reader threads, delivered on this one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.backends.memory import MemoryStore
from store.contract import Scope
from store.scope import bind
from store.temporal import AsOf
from tests.timeline_lanes import at
from workbench.ops import Operations
from workbench.panels.timeline.presenter import Question, TimelinePresenter
from workbench.panels.timeline.source import StoreSource


def when(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def store():
    with MemoryStore() as store:
        memory = bind(store, "acme", agent_id="support")
        memory.capture("e1", "I live in Lisbon.", occurred_at=when("2026-03-01"))
        memory.change("mira", "home_city", "Lisbon", valid_from=when("2026-03-01"), episode="e1")
        memory.change("mira", "home_city", "Porto", valid_from=when("2026-06-09"), episode="e1")
        yield store


@pytest.fixture
def ops(qapp):
    ops = Operations()
    yield ops
    ops.shutdown()


def test_a_store_is_shown(qtbot, store, ops):
    presenter = TimelinePresenter()
    presenter.set_source(StoreSource(ops, store, Scope("acme"), presenter))
    qtbot.waitUntil(lambda: presenter.rows.lanes == 1)
    presenter.show_lanes([0])
    qtbot.waitUntil(lambda: presenter.lane(0) is not None)
    page = presenter.lane(0).page
    assert page.values == ('"Lisbon"', '"Porto"')
    assert page.starts.tolist() == [at("2026-03-01"), at("2026-06-09")]
    qtbot.waitUntil(lambda: not presenter.is_loading)
    assert presenter.density.valid_from == at("2026-03-01")


def test_before_anything_was_known_there_is_nothing(qtbot, store, ops):
    presenter = TimelinePresenter()
    presenter.set_source(StoreSource(ops, store, Scope("acme"), presenter))
    presenter.set_question(Question(as_of=AsOf(known_at=when("2001-01-01"))))
    qtbot.waitUntil(lambda: presenter.is_empty)


def test_a_store_that_cannot_be_read_is_said_in_place(qtbot, store, ops):
    presenter = TimelinePresenter()
    store.close()
    presenter.set_source(StoreSource(ops, store, Scope("acme"), presenter))
    qtbot.waitUntil(lambda: bool(presenter.messages.shown))
    assert not presenter.is_loading
