"""The inspector's presenter follows selection, as-of and changes, and follows links."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store import AsOf, bind
from tests.sessions import demo_store, session_on, settled
from workbench.actions import Selection as Kind
from workbench.panels.inspector.items import (
    ConflictSheet,
    EpisodeSheet,
    FactSheet,
    MissingSheet,
    SubjectSheet,
    TransactionSheet,
    version_rows,
)
from workbench.panels.inspector.model import VersionModel
from workbench.panels.inspector.presenter import InspectorPresenter
from workbench.session import NOTHING, Selection


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def written(qapp):
    """A session on a store that a test writes to."""
    with session_on(demo_store()) as session:
        yield session


def the_fact(session, subject="mira", attribute="passport_deadline"):
    return session.store.read(session.scope, subject, attribute)[0]


def shown(qtbot, session, selection):
    presenter = InspectorPresenter(session)
    presenter.setParent(session)
    session.select(selection)
    qtbot.waitUntil(lambda: settled(session))
    return presenter


def test_nothing_selected_shows_nothing(qtbot, session):
    presenter = shown(qtbot, session, NOTHING)
    assert presenter.sheet is None
    assert not presenter.follow_back()


def test_a_fact_comes_with_all_that_stands_behind_it(qtbot, session):
    presenter = shown(qtbot, session, Selection.of_fact(the_fact(session)))
    sheet = presenter.sheet
    assert isinstance(sheet, FactSheet)
    assert sheet.fact.value == "2026-06-30"
    assert sheet.supersedes.value == "2026-07-15"
    assert [source.episode.episode_id for source in sheet.sources] == ["e2", "crm-902", "e93"]
    assert [version.value for version in sheet.versions] == [
        "2026-08-01",
        "2026-06-30",
        "2026-07-15",
    ]
    assert sheet.conflicts == ()


def test_links_lead_both_ways(qtbot, session):
    fact = the_fact(session)
    presenter = shown(qtbot, session, Selection.of_fact(fact))
    assert presenter.follow_back()
    qtbot.waitUntil(lambda: presenter.sheet.fact.value == "2026-07-15")
    assert [it.value for it in presenter.sheet.superseded_by] == ["2026-06-30"]
    assert presenter.follow_forward()
    qtbot.waitUntil(lambda: presenter.sheet.fact.memory_id == fact.memory_id)
    session.go_back()
    qtbot.waitUntil(lambda: presenter.sheet.fact.value == "2026-07-15")


def test_conflicts_that_wait_on_the_key_are_there(qtbot, session):
    fact = the_fact(session, attribute="account_tier")
    presenter = shown(qtbot, session, Selection.of_fact(fact))
    (conflict,) = presenter.sheet.conflicts
    assert conflict.incoming[0].value == "platinum"


@pytest.mark.parametrize(
    ("selection", "kind"),
    [
        (Selection(Kind.SUBJECT, subject="mira"), SubjectSheet),
        (Selection(Kind.SUBJECT, subject="mira", attribute="home_city"), SubjectSheet),
        (Selection(Kind.EPISODE, episode_id="t-233"), EpisodeSheet),
        (Selection(Kind.TRANSACTION, transaction=578), TransactionSheet),
        (Selection(Kind.EPISODE, episode_id="no-such-episode"), MissingSheet),
    ],
)
def test_each_kind_of_selection_has_its_sheet(qtbot, session, selection, kind):
    assert isinstance(shown(qtbot, session, selection).sheet, kind)


def test_a_conflict_is_shown(qtbot, session):
    conflict = session.store.conflicts(session.scope).items[0]
    chosen = Selection(Kind.CONFLICT, conflict_id=conflict.conflict_id)
    sheet = shown(qtbot, session, chosen).sheet
    assert isinstance(sheet, ConflictSheet)
    assert sheet.conflict == conflict


def test_a_lane_lists_its_stretches_and_a_subject_what_holds(qtbot, session):
    lane = Selection(Kind.SUBJECT, subject="mira", attribute="passport_deadline")
    presenter = shown(qtbot, session, lane)
    assert [fact.value for fact in presenter.sheet.facts] == [
        "2026-08-01",
        "2026-07-15",
        "2026-06-30",
    ]
    session.select(Selection(Kind.SUBJECT, subject="mira"))
    qtbot.waitUntil(lambda: presenter.sheet.attribute is None)
    assert len([f for f in presenter.sheet.facts if f.attribute == "passport_deadline"]) == 1


def test_another_known_at_shows_what_was_believed_then(qtbot, session):
    fact = the_fact(session)
    presenter = shown(qtbot, session, Selection.of_fact(fact))
    session.set_as_of(AsOf(known_at=at("2026-06-02T00:00")))
    qtbot.waitUntil(lambda: isinstance(presenter.sheet, MissingSheet))
    session.set_as_of(AsOf(known_at=at("2026-06-04T00:00")))
    qtbot.waitUntil(lambda: isinstance(presenter.sheet, FactSheet))
    assert len(presenter.sheet.sources) == 1


def test_a_write_to_the_subject_is_read_and_another_is_not(qtbot, written):
    session = written
    presenter = shown(qtbot, session, Selection.of_fact(the_fact(session)))
    read = []
    presenter.changed.connect(lambda: read.append(presenter.sheet))
    memory = bind(session.store, "acme", agent_id="support")
    now = datetime.now(UTC)
    memory.capture("e-new", "It moved again, to 5 July.", occurred_at=now)
    memory.change("somebody else", "x", 1, valid_from=now, episode="e-new")
    with qtbot.waitSignal(session.changed):
        session.refresh_summary()
    qtbot.waitUntil(lambda: settled(session))
    assert read == []
    memory.change("mira", "passport_deadline", "2026-07-05", valid_from=now, episode="e-new")
    qtbot.waitUntil(lambda: len(read) == 1)
    assert read[0].superseded_by[-1].value == "2026-07-05"


def test_out_of_sight_nothing_is_read_until_it_is_seen_again(qtbot, session):
    presenter = shown(qtbot, session, NOTHING)
    presenter.set_shown(False)
    session.select(Selection.of_fact(the_fact(session)))
    qtbot.waitUntil(lambda: settled(session))
    assert presenter.sheet is None
    presenter.set_shown(True)
    qtbot.waitUntil(lambda: isinstance(presenter.sheet, FactSheet))


def test_closing_the_store_clears(qtbot, session):
    presenter = shown(qtbot, session, Selection.of_fact(the_fact(session)))
    session.close()
    assert presenter.sheet is None
    assert presenter.messages.shown == ()


def test_a_source_is_opened_beside_the_fact(qtbot, session):
    presenter = shown(qtbot, session, Selection.of_fact(the_fact(session)))
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        presenter.open_source(presenter.sheet.sources[1])
    assert wanted.args == ["panel.episodes"]
    assert session.selection.kind is Kind.FACT
    assert session.selection.episode_id == "crm-902"


def test_settling_selects_the_conflict_first_and_then_asks(qtbot, session):
    fact = the_fact(session, attribute="account_tier")
    presenter = shown(qtbot, session, Selection.of_fact(fact))
    conflict_id = presenter.sheet.conflicts[0].conflict_id
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        presenter.open_conflict(conflict_id, settles=True)
        assert session.selection.conflict_id == conflict_id
    assert wanted.args == ["conflict.resolve"]


def test_a_store_that_fails_is_said_and_asked_again(qtbot, written):
    session = written
    presenter = shown(qtbot, session, NOTHING)
    session.store.close()
    session.select(Selection(Kind.SUBJECT, subject="mira"))
    qtbot.waitUntil(lambda: bool(presenter.messages.shown))
    (shown_message,) = presenter.messages.shown
    assert shown_message.action_text == "Try again"
    presenter.messages.choose_action(shown_message.message.id)
    assert presenter.messages.shown == ()
    qtbot.waitUntil(lambda: bool(presenter.messages.shown))


def test_the_model_of_versions_keeps_qts_rules(qtbot, qtmodeltester, session):
    presenter = shown(qtbot, session, Selection.of_fact(the_fact(session)))
    model = VersionModel()
    model.set_rows(version_rows(presenter.sheet.versions, memory_id="", known_at=None))
    qtmodeltester.check(model, force_py=True)
    spoken = model.index(0).data(11)  # AccessibleTextRole
    assert "arrived late" in spoken
    assert "2026-08-01" in spoken
