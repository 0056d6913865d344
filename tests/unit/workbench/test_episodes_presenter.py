"""The episodes' presenter: list, filter, pages, the source of a fact, the pinned episode."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store import AsOf, bind
from store.backends.memory import MemoryStore
from store.model import EpisodeKind
from tests.sessions import demo_store, session_on, settled
from workbench.actions import Selection as Kind
from workbench.panels.episodes import items
from workbench.panels.episodes.presenter import EpisodesPresenter
from workbench.session import Selection

BASE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def presenter(qtbot, session):
    presenter = EpisodesPresenter(session)
    presenter.setParent(session)
    qtbot.waitUntil(lambda: presenter.is_listed)
    return presenter


def the_fact(session, attribute="passport_deadline"):
    return session.store.read(session.scope, "mira", attribute)[0]


def shown_id(presenter):
    return presenter.shown.episode.episode_id if presenter.shown else None


def test_the_list_is_latest_first(presenter):
    times = [row.occurred_at for row in presenter.rows.rows]
    assert len(times) == 183
    assert times == sorted(times, reverse=True)


def test_a_filter_by_kind_and_words(qtbot, session, presenter):
    presenter.set_filter(kind=EpisodeKind.TICKET, text="")
    qtbot.waitUntil(lambda: len(presenter.rows.rows) < 100)
    assert {row.kind for row in presenter.rows.rows} == {EpisodeKind.TICKET}
    presenter.set_filter(kind=None, text="consulate")
    qtbot.waitUntil(lambda: "e2" in {row.episode_id for row in presenter.rows.rows})
    assert len(presenter.rows.rows) < 10
    assert presenter.has_filter


def test_pages_come_as_they_are_wanted(qtbot, qapp):
    store = MemoryStore()
    memory = bind(store, "acme", agent_id="support")
    for number in range(items.PAGE + 30):
        memory.capture(
            f"e{number:04}", f"line {number}", occurred_at=BASE + timedelta(hours=number)
        )
    with session_on(store) as session:
        presenter = EpisodesPresenter(session)
        presenter.setParent(session)
        qtbot.waitUntil(lambda: presenter.is_listed)
        assert len(presenter.rows.rows) == items.PAGE
        presenter.rows.more_wanted.emit()
        presenter.rows.more_wanted.emit()
        qtbot.waitUntil(lambda: len(presenter.rows.rows) == items.PAGE + 30)
        assert len({row.episode_id for row in presenter.rows.rows}) == items.PAGE + 30
        memory.capture("e-late", "an old one", occurred_at=BASE + timedelta(hours=100, minutes=1))
        qtbot.waitUntil(lambda: presenter.rows.place_of("e-late") == 129)


def test_a_fact_shows_its_source_and_highlights_its_words(qtbot, session, presenter):
    fact = the_fact(session)
    session.select(Selection.of_fact(fact))
    qtbot.waitUntil(lambda: shown_id(presenter) == "e2")
    (span,) = presenter.shown.spans(presenter.fact_id)
    content = presenter.shown.episode.content
    assert content[slice(*span)] == "the deadline moved, it is now June 30"


def test_a_fact_of_the_shown_episode_leaves_it_in_sight(qtbot, session, presenter):
    presenter.select("crm-902")
    qtbot.waitUntil(lambda: shown_id(presenter) == "crm-902")
    assert len(presenter.shown.spans(None)) == 2
    phone = the_fact(session, "phone_number")
    presenter.select_fact(phone, presenter.shown)
    qtbot.waitUntil(lambda: settled(session))
    assert shown_id(presenter) == "crm-902"
    assert len(presenter.shown.spans(presenter.fact_id)) == 1
    # From elsewhere, without an episode: it is one of the fact's sources, so it stays.
    session.select(Selection.of_fact(the_fact(session)))
    qtbot.waitUntil(lambda: settled(session))
    assert shown_id(presenter) == "crm-902"


def test_a_named_source_is_shown(qtbot, session, presenter):
    session.select(Selection.of_fact(the_fact(session), episode_id="e93"))
    qtbot.waitUntil(lambda: shown_id(presenter) == "e93")
    assert len(presenter.shown.spans(presenter.fact_id)) == 1


def test_a_pinned_episode_stays(qtbot, session, presenter):
    presenter.select("e2")
    qtbot.waitUntil(lambda: shown_id(presenter) == "e2")
    presenter.pin()
    presenter.select("crm-902")
    qtbot.waitUntil(lambda: shown_id(presenter) == "crm-902")
    assert presenter.pinned.episode.episode_id == "e2"
    presenter.unpin()
    assert presenter.pinned is None


def test_facts_are_those_known_then(qtbot, session, presenter):
    presenter.select("crm-902")
    qtbot.waitUntil(lambda: shown_id(presenter) == "crm-902")
    assert len(presenter.shown.facts) == 2
    session.set_as_of(AsOf(known_at=presenter.shown.episode.recorded_at))
    qtbot.waitUntil(lambda: presenter.shown is not None and not presenter.shown.facts)
    session.set_as_of(AsOf())
    qtbot.waitUntil(lambda: len(presenter.shown.facts) == 2)


def test_counts_are_those_of_the_rows_in_view(qtbot, presenter):
    place = presenter.rows.place_of("crm-902")
    presenter.count_rows(place - 2, place + 2)
    qtbot.waitUntil(lambda: presenter.rows.uncounted(place - 2, place + 2) == [])
    assert presenter.rows.uncounted(0, 0) != []


def test_writes_of_others_come_in_and_what_is_shown_stays(qtbot, qapp):
    with session_on(demo_store()) as session:
        presenter = EpisodesPresenter(session)
        presenter.setParent(session)
        qtbot.waitUntil(lambda: presenter.is_listed)
        presenter.select("e2")
        qtbot.waitUntil(lambda: shown_id(presenter) == "e2")
        memory = bind(session.store, "acme", agent_id="support")
        memory.capture("e-new", "Fresh.", occurred_at=datetime.now(UTC))
        memory.change(
            "mira",
            "appointment",
            "soon",
            valid_from=datetime(2026, 6, 3, tzinfo=UTC),
            episode="e2",
        )
        qtbot.waitUntil(lambda: presenter.rows.place_of("e-new") == 0)
        qtbot.waitUntil(lambda: len(presenter.shown.facts) == 2)
        assert shown_id(presenter) == "e2"


def test_out_of_sight_it_reads_later(qtbot, session):
    presenter = EpisodesPresenter(session)
    presenter.setParent(session)
    qtbot.waitUntil(lambda: presenter.is_listed)
    presenter.set_shown(False)
    session.select(Selection(Kind.EPISODE, episode_id="e2"))
    qtbot.waitUntil(lambda: settled(session))
    assert presenter.shown is None
    presenter.set_shown(True)
    qtbot.waitUntil(lambda: shown_id(presenter) == "e2")


def test_closing_the_store_clears(qtbot, session, presenter):
    presenter.select("e2")
    qtbot.waitUntil(lambda: shown_id(presenter) == "e2")
    presenter.pin()
    session.close()
    assert (presenter.shown, presenter.pinned) == (None, None)
    assert not presenter.rows.rows


def test_an_episode_that_is_not_there_is_said(qtbot, session, presenter):
    presenter.select("e2")
    qtbot.waitUntil(lambda: shown_id(presenter) == "e2")
    presenter.select("no-such-episode")
    qtbot.waitUntil(lambda: presenter.shown is None)
