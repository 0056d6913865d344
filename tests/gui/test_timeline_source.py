"""The timeline in a session: read and packed on reader threads, of one mind with the others."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from store.backends.memory import MemoryStore
from store.scope import bind
from store.temporal import AsOf
from tests.timeline_lanes import at
from workbench.ops import Operations
from workbench.panels.timeline.presenter import TimelinePresenter
from workbench.panels.timeline.source import SessionLanes, TimelineBinding
from workbench.panels.timeline.view import TimelineView
from workbench.session import Session


def when(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def session(qapp):
    store = MemoryStore()
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "I live in Lisbon.", occurred_at=when("2026-03-01"))
    for value, begins in (("Lisbon", "2026-03-01"), ("Porto", "2026-06-09")):
        memory.change("mira", "home_city", value, valid_from=when(begins), episode="e1")
    operations = Operations()
    session = Session(operations)
    session.open(store, store.tenants(), tenant_id="acme")
    yield session
    session.close()
    operations.shutdown()


@pytest.fixture
def presenter(qtbot, session):
    presenter = TimelinePresenter()
    TimelineBinding(session, presenter)
    qtbot.waitUntil(lambda: presenter.rows.lanes == 1)
    presenter.show_lanes([0])
    qtbot.waitUntil(lambda: presenter.lane(0) is not None and not presenter.is_loading)
    return presenter


def test_a_store_is_shown(presenter):
    page = presenter.lane(0).page
    assert page.values == ('"Lisbon"', '"Porto"')
    assert page.starts.tolist() == [at("2026-03-01"), at("2026-06-09")]
    assert presenter.density.valid_from == at("2026-03-01")


def test_selection_is_shared_both_ways(session, presenter):
    presenter.select_bar(0, 0)
    assert session.selection.attribute == "home_city"
    assert session.selection.memory_id == presenter.lane(0).page.ids[0]
    second = presenter.lane(0).page.ids[1]
    session.select(replace(session.selection, memory_id=second, row_from=when("2026-06-09")))
    assert presenter.selection.memory_id == second


def test_a_dragged_valid_at_becomes_the_sessions(session, presenter):
    presenter.ask_valid_at(at("2026-04-01"))
    assert session.as_of == AsOf(valid_at=when("2026-04-01"))
    assert presenter.valid_at == at("2026-04-01")


def test_before_anything_was_known_there_is_nothing(qtbot, session, presenter):
    session.set_as_of(AsOf(known_at=when("2001-01-01")))
    qtbot.waitUntil(lambda: presenter.is_empty)


def test_a_store_that_cannot_be_read_is_said_in_place(qtbot, session, presenter):
    session.store.close()
    presenter.set_source(SessionLanes(session, presenter))
    qtbot.waitUntil(lambda: bool(presenter.messages.shown))
    assert not presenter.is_loading


def test_a_closed_session_leaves_nothing(session, presenter):
    session.close()
    assert presenter.rows.lanes == 0
    assert not presenter.is_empty


def test_a_timeline_that_is_made_later_shows_what_is_selected(qtbot, session, presenter):
    presenter.select_bar(0, 1)
    later = TimelinePresenter()
    TimelineBinding(session, later)
    qtbot.waitUntil(lambda: later.rows.lanes == 1)
    later.show_lanes([0])
    qtbot.waitUntil(lambda: later.selected_position == 0)
    assert later.selection.memory_id == session.selection.memory_id
    assert later.selection.valid_from == at("2026-06-09")


def test_the_first_fact_of_an_empty_record_is_shown_where_it_is(qtbot, qapp):
    store = MemoryStore()
    operations = Operations()
    session = Session(operations)
    session.open(store, (), tenant_id="new")
    view = TimelineView(TimelinePresenter())
    qtbot.addWidget(view)
    view.resize(1000, 400)
    view.show()
    TimelineBinding(session, view.presenter)
    qtbot.waitUntil(lambda: view.presenter.is_empty and not view.presenter.is_loading)
    assert view.presenter.extent is None
    memory = bind(store, "new", agent_id="support")
    memory.capture("e1", "I live in Lisbon.", occurred_at=when("2026-03-01"))
    memory.change("mira", "home_city", "Lisbon", valid_from=when("2026-03-01"), episode="e1")
    session.refresh()
    qtbot.waitUntil(lambda: view.presenter.extent is not None)
    assert at("2026-02-01") <= view.presenter.extent[0] <= at("2026-03-01")
    qtbot.waitUntil(lambda: at("2026-01-01") < view.state.left <= at("2026-03-01"))
    session.close()
    operations.shutdown()
