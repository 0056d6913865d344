"""What a person sees and does in the inspector."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from store import AsOf, Retract, bind
from tests.sessions import demo_store, session_on, settled
from workbench import theme
from workbench.actions import Selection as Kind
from workbench.panels.inspector.cards import SourceCard, VersionList
from workbench.panels.inspector.picture import BeliefPicture
from workbench.panels.inspector.view import InspectorView
from workbench.session import Selection
from workbench.widgets.episode_text import EpisodeText
from workbench.widgets.link_text import CopyButton, LinkText
from workbench.widgets.status_dot import StatusDot


@pytest.fixture(autouse=True)
def dressed(qapp):
    theme.choose_theme(qapp, "light")


def the_fact(session, attribute="passport_deadline", subject="mira"):
    return session.store.read(session.scope, subject, attribute)[0]


def made(qtbot, session, size=(372, 858)):
    view = InspectorView(session)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    qtbot.waitExposed(view)
    return view


def show(qtbot, view, session, selection):
    with qtbot.waitSignal(view.presenter.changed):
        session.select(selection)
    qtbot.waitUntil(lambda: settled(session))
    QApplication.processEvents()


@pytest.fixture
def view(qtbot, session):
    view = made(qtbot, session)
    show(qtbot, view, session, Selection.of_fact(the_fact(session)))
    return view


def words(view):
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible()]


def find(view, name, kind=QWidget):
    found = view.findChild(kind, name)
    assert found is not None, name
    return found


def test_a_fact_is_shown_as_in_the_drawing(view):
    said = words(view)
    for wanted in ("passport_deadline", "2026-06-30", "3 Jun 2026 10:00 → until changed"):
        assert wanted in said
    assert "0.94 · message · support" in said
    assert "profile-2y · schema v1" in said
    status = find(view, "status", StatusDot).accessibleName()
    assert status.startswith("current · confirmed ")
    links = [link.text() for link in view.findChildren(LinkText)]
    assert "2026-07-15 (until 3 Jun 2026)" in links
    assert "tx 251" in links


def test_exact_times_are_told_on_hover(view):
    hovers = [label.toolTip() for label in view.findChildren(QLabel)]
    assert any("[2026-06-03T10:00:00Z, …)" in hover for hover in hovers)


def test_sources_show_the_evidence_in_context(view):
    cards = view.findChildren(SourceCard)
    assert [card.evidence_texts for card in cards] == [
        ["the deadline moved, it is now June 30"],
        ['"passport_deadline": "2026-06-30"'],
        ["30 June 2026 was the one that counted"],
    ]


@pytest.mark.parametrize("how", ["click", "text", "key"])
def test_a_source_opens_in_the_episodes_panel(qtbot, view, session, how):
    card = view.findChildren(SourceCard)[1]
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        if how == "click":
            qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(30, 10))
        elif how == "text":
            text = card.findChild(EpisodeText)
            qtbot.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, 12))
        else:
            card.setFocus()
            qtbot.keyClick(card, Qt.Key.Key_Return)
    assert wanted.args == ["panel.episodes"]
    assert session.selection.episode_id == "crm-902"
    assert session.selection.memory_id == the_fact(session).memory_id


def test_brackets_follow_the_links(qtbot, view, session):
    find(view, "subject", LinkText).setFocus()
    qtbot.keyClick(find(view, "subject", LinkText), "[")
    qtbot.waitUntil(lambda: "2026-07-15" in words(view))
    qtbot.keyClick(view, "]")
    qtbot.waitUntil(lambda: "2026-06-30" in words(view))


def test_a_link_that_leads_nowhere_leaves_the_key_to_the_window(qtbot, view, session):
    event = key_override("]")
    event.ignore()
    QApplication.sendEvent(view, event)
    assert not event.isAccepted()
    event = key_override("[")
    event.ignore()
    QApplication.sendEvent(view, event)
    assert event.isAccepted()


def key_override(letter):
    key = Qt.Key.Key_BracketLeft if letter == "[" else Qt.Key.Key_BracketRight
    return QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier, letter)


def test_versions_lead_to_facts_and_transactions(qtbot, view, session):
    versions = find(view, "versions", VersionList)
    index = versions.versions.index(2)
    versions.setCurrentIndex(index)
    qtbot.keyClick(versions, Qt.Key.Key_Return)
    assert session.selection.memory_id == versions.versions.row(2).version.memory_id
    qtbot.waitUntil(lambda: "2026-07-15" in words(view))
    versions = find(view, "versions", VersionList)
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        rect = versions.visualRect(versions.versions.index(0))
        at = QPoint(12, rect.center().y())
        qtbot.mouseClick(versions.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert wanted.args == ["panel.journal"]
    assert session.selection == Selection(Kind.TRANSACTION, transaction=266)


def test_the_menu_of_a_version_names_both_transactions(qtbot, session):
    view = made(qtbot, session)
    show(qtbot, view, session, Selection.of_fact(the_fact(session, "change_freeze", "deploy-eu")))
    versions = find(view, "versions", VersionList)
    ended = [
        row
        for row in range(versions.versions.rowCount())
        if versions.versions.row(row).version.ceased is not None
    ]
    menu = versions.menu_for(ended[0])
    names = [action.text() for action in menu.actions()]
    menu.deleteLater()
    assert names == [
        "Look at this version",
        "Show the transaction that wrote it",
        "Show the transaction that ended it",
    ]


def test_the_picture_has_a_tile_for_each_belief(qtbot, view, session):
    picture = find(view, "belief_picture", BeliefPicture)
    versions = find(view, "versions", VersionList).versions
    late, current, first = (versions.row(n).version.memory_id for n in range(3))
    assert picture.tile_rect(late, 0).height() < picture.tile_rect(current, 0).height()
    assert picture.tile_rect(late, 1).isEmpty()
    assert picture.tile_rect(current, 2).isEmpty()
    assert not picture.tile_rect(first, 2).isEmpty()
    assert "After transaction 240" in picture.accessibleDescription()
    at = picture.tile_rect(late, 0).center().toPoint()
    qtbot.mouseClick(picture, Qt.MouseButton.LeftButton, pos=at)
    assert session.selection.memory_id == late


def test_the_value_and_the_id_can_be_copied(qtbot, view, session):
    qtbot.mouseClick(find(view, "copy_value", CopyButton), Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "2026-06-30"
    names = {button.accessibleName(): button for button in view.findChildren(CopyButton)}
    names["Copy the id of the fact"].click()
    assert QGuiApplication.clipboard().text() == the_fact(session).memory_id


@pytest.mark.parametrize("action_id", ["fact.correct", "fact.end", "fact.retract", "fact.confirm"])
def test_the_buttons_ask_the_window(qtbot, view, session, action_id):
    button = find(view, action_id, QPushButton)
    assert button.isVisible()
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert wanted.args == [action_id]


def test_a_store_for_reading_takes_no_acts(qtbot, qapp):
    store = demo_store()
    store.is_writable = False
    with session_on(store) as session:
        view = made(qtbot, session)
        show(qtbot, view, session, Selection.of_fact(the_fact(session)))
        assert not find(view, "fact.correct", QPushButton).isEnabled()
        assert "This store is open for reading." in words(view)


def test_another_as_of_is_said_over_the_buttons(qtbot, view, session):
    with qtbot.waitSignal(view.presenter.changed):
        session.set_as_of(AsOf(valid_at=datetime(2026, 7, 1, tzinfo=UTC)))
    assert any("applies to the record as it is now" in said for said in words(view))


def test_a_retracted_fact_says_so_and_takes_no_acts(qtbot, qapp):
    with session_on(demo_store()) as session:
        view = made(qtbot, session)
        fact = the_fact(session)
        show(qtbot, view, session, Selection.of_fact(fact))
        session.store.write(
            session.scope, Retract(memory_id=fact.memory_id, episode_id="e2", reason="wrong")
        )
        status = "no longer believed"
        qtbot.waitUntil(lambda: status in find(view, "status", StatusDot).accessibleName())
        assert not find(view, "fact.correct", QPushButton).isEnabled()


def test_a_refresh_keeps_the_place_and_the_focus(qtbot, qapp):
    with session_on(demo_store()) as session:
        view = made(qtbot, session, size=(372, 420))
        show(qtbot, view, session, Selection.of_fact(the_fact(session)))
        view.activateWindow()
        bar = view.findChild(QWidget, "inspector_scroll").verticalScrollBar()
        qtbot.waitUntil(lambda: bar.maximum() > 200)
        bar.setValue(150)
        card = find(view, "source.e2")
        card.setFocus()
        before = bar.value()
        memory = bind(session.store, "acme", agent_id="support")
        now = datetime.now(UTC)
        memory.capture("e-new", "Yes, 30 June.", occurred_at=now)
        memory.confirm(the_fact(session).memory_id, episode="e-new")
        qtbot.waitUntil(lambda: len(view.findChildren(SourceCard)) == 4)
        qtbot.waitUntil(lambda: bar.value() == before)
        assert find(view, "source.e2").hasFocus()
        show(qtbot, view, session, Selection.of_fact(the_fact(session, "home_city")))
        qtbot.waitUntil(lambda: bar.value() == 0)


def test_a_conflict_is_offered_for_a_decision(qtbot, session):
    view = made(qtbot, session)
    show(qtbot, view, session, Selection.of_fact(the_fact(session, "account_tier")))
    assert any("platinum" in said for said in words(view))
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        find(view, "conflict.resolve", QPushButton).click()
    assert wanted.args == ["conflict.resolve"]
    assert session.selection.kind is Kind.CONFLICT


def test_hostile_values_are_words_only(qtbot, qapp):
    with session_on(demo_store()) as session:
        memory = bind(session.store, "acme", agent_id="support")
        now = datetime(2026, 1, 1, tzinfo=UTC)
        nasty = '<img src="http://x.invalid/a.png"><b>bold</b>\u202egnp.exe'
        memory.capture("<i>e-x</i>", nasty, occurred_at=now)
        memory.change("<u>who</u>", "<s>what</s>", nasty, valid_from=now, episode="<i>e-x</i>")
        view = made(qtbot, session)
        show(
            qtbot, view, session, Selection.of_fact(the_fact(session, "<s>what</s>", "<u>who</u>"))
        )
        said = " ".join(words(view))
        assert "⟨U+202E⟩" in said
        assert "\u202e" not in said
        assert "<s>what</s>" in said
        for label in view.findChildren(QLabel):
            assert label.textFormat() == Qt.TextFormat.PlainText
        for widget in view.findChildren(QWidget):
            assert "<b>bold" not in widget.toolTip()


def test_a_long_value_and_a_long_word_do_not_widen_the_panel(qtbot, qapp):
    with session_on(demo_store()) as session:
        memory = bind(session.store, "acme", agent_id="support")
        now = datetime(2026, 1, 1, tzinfo=UTC)
        memory.capture("e-x", "x", occurred_at=now)
        memory.change("long", "w" * 200, "v" * 230, valid_from=now, episode="e-x")
        memory.change("long", "json", {"a": ["b" * 300]}, valid_from=now, episode="e-x")
        view = made(qtbot, session)
        for attribute in ("w" * 200, "json"):
            show(qtbot, view, session, Selection.of_fact(the_fact(session, attribute, "long")))
            assert view.minimumSizeHint().width() <= 372
            page = view.findChild(QWidget, "page.fact")
            assert page.width() <= 372


@pytest.mark.parametrize(
    "selection",
    [
        Selection(Kind.SUBJECT, subject="mira"),
        Selection(Kind.EPISODE, episode_id="t-233"),
        Selection(Kind.TRANSACTION, transaction=578),
    ],
)
def test_the_other_kinds_have_no_acts_on_facts(qtbot, session, selection):
    view = made(qtbot, session)
    show(qtbot, view, session, selection)
    assert not find(view, "fact.correct", QPushButton).isVisible()


def test_a_fact_of_a_subject_is_chosen_by_keys(qtbot, session):
    view = made(qtbot, session)
    show(qtbot, view, session, Selection(Kind.SUBJECT, subject="mira"))
    facts = find(view, "facts")
    facts.setCurrentIndex(facts.facts.index(0))
    qtbot.keyClick(facts, Qt.Key.Key_Return)
    assert session.selection.attribute == "account_tier"


def test_empty_it_says_what_belongs_here(qtbot, session):
    view = made(qtbot, session)
    assert "What you select is explained here." in words(view)
    session.close()
    assert find(view, "store.open_demo", QPushButton).isVisible()


def test_what_is_not_known_yet_offers_the_way_to_now(qtbot, view, session):
    with qtbot.waitSignal(view.presenter.changed):
        session.set_as_of(AsOf(known_at=datetime(2026, 6, 2, tzinfo=UTC)))
    find(view, "view.now", QPushButton).click()


def test_the_menu_is_asked_of_the_window(qtbot, view):
    with qtbot.waitSignal(view.menu_requested):
        at = QPoint(20, 20)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view, event)


def test_everything_that_takes_the_focus_has_a_name(view, session, qtbot):
    for selection in (
        Selection.of_fact(the_fact(session)),
        Selection.of_fact(the_fact(session, "account_tier")),
        Selection(Kind.SUBJECT, subject="mira"),
        Selection(Kind.EPISODE, episode_id="crm-902"),
        Selection(Kind.TRANSACTION, transaction=578),
    ):
        session.select(selection)
        qtbot.waitUntil(lambda: settled(session))
        nameless = [
            widget
            for widget in view.findChildren(QWidget)
            if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
            and widget.isVisible()
            and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
        ]
        assert nameless == []


def test_the_picture_is_painted_in_the_colours_of_the_theme(qtbot, qapp, view):
    picture = find(view, "belief_picture", BeliefPicture)
    late = find(view, "versions", VersionList).versions.row(0).version.memory_id
    at = picture.tile_rect(late, 0).center().toPoint() - QPoint(0, 6)
    light = picture.grab().toImage().pixelColor(at)
    theme.choose_theme(qapp, "dark")
    dark = picture.grab().toImage().pixelColor(at)
    assert dark.lightness() < light.lightness()


def test_another_language_is_spoken_at_once(qtbot, view):
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert "passport_deadline" in words(view)


def test_the_stretches_of_one_attribute_say_when_they_begin(qtbot, session):
    view = made(qtbot, session)
    lane = Selection(Kind.SUBJECT, subject="mira", attribute="passport_deadline")
    show(qtbot, view, session, lane)
    rows = find(view, "facts").facts
    assert rows.rowCount() == 3
    assert rows.index(2).data().startswith("3 Jun 2026 10:00  2026-06-30")
