"""What a person sees and does with the episodes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolButton, QWidget

from store import bind
from store.model import EpisodeKind
from tests.sessions import demo_store, session_on, settled
from workbench import theme
from workbench.actions import Selection as Kind
from workbench.panels.episodes.model import EpisodeRole
from workbench.panels.episodes.view import EpisodesView
from workbench.session import Selection
from workbench.widgets.search_field import SearchField


@pytest.fixture(autouse=True)
def dressed(qapp):
    theme.choose_theme(qapp, "light")


def made(qtbot, session, size=(1000, 400)):
    view = EpisodesView(session)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    qtbot.waitUntil(lambda: view.presenter.is_listed)
    QApplication.processEvents()
    return view


@pytest.fixture
def view(qtbot, session):
    return made(qtbot, session)


def show(qtbot, view, session, selection):
    session.select(selection)
    qtbot.waitUntil(lambda: settled(session))
    QApplication.processEvents()


def the_fact(session, attribute="passport_deadline"):
    return session.store.read(session.scope, "mira", attribute)[0]


def current_id(view):
    index = view.list.currentIndex()
    return index.data(EpisodeRole.ROW).episode_id if index.isValid() else None


def text_of(pane):
    return pane.text.toPlainText()


def test_keys_walk_the_list_and_select(qtbot, view, session):
    view.list.setFocus()
    qtbot.keyClick(view.list, Qt.Key.Key_Down)
    qtbot.keyClick(view.list, Qt.Key.Key_Down)
    first = session.selection
    assert first.kind is Kind.EPISODE
    assert first.episode_id == current_id(view)
    qtbot.waitUntil(lambda: view.presenter.shown is not None)
    qtbot.waitUntil(lambda: view.presenter.shown.episode.episode_id == first.episode_id)
    assert view.pane.isVisible()


def test_selecting_a_fact_shows_where_it_comes_from(qtbot, view, session):
    show(qtbot, view, session, Selection.of_fact(the_fact(session)))
    assert view.pane.text.evidence_texts == ["the deadline moved, it is now June 30"]
    assert current_id(view) == "e2"
    assert session.selection.kind is Kind.FACT  # marking the row selects nothing
    facts = view.pane.facts
    assert facts.currentIndex().isValid()
    in_view = view.list.viewport().rect()
    assert in_view.intersects(view.list.visualRect(view.list.currentIndex()))


def test_a_click_on_a_fact_selects_it_and_narrows_the_highlight(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="crm-902"))
    assert len(view.pane.text.evidence_texts) == 2
    facts = view.pane.facts
    rows = [facts.facts.fact(row).attribute for row in range(facts.facts.rowCount())]
    index = facts.facts.index(rows.index("phone_number"))
    at = facts.visualRect(index).center()
    qtbot.mouseClick(facts.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert session.selection.attribute == "phone_number"
    assert session.selection.episode_id == "crm-902"
    qtbot.waitUntil(lambda: view.pane.text.evidence_texts == ['"phone": "+351 220 550 142"'])


def test_two_episodes_stand_beside_each_other(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="e2"))
    view.findChild(QToolButton, "episode.pin").click()
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="e93"))
    assert view.pinned.isVisible()
    assert "I checked with the consulate" in text_of(view.pinned)
    assert "expense claim" in text_of(view.pane)
    view.findChild(QToolButton, "episode.unpin").click()
    assert not view.pinned.isVisible()


HOSTILE = ["t-233", "e78", "t-311"]


@pytest.mark.parametrize("episode_id", HOSTILE)
def test_hostile_episodes_are_words_only(qtbot, view, session, episode_id):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id=episode_id))
    said = text_of(view.pane)
    assert said
    for invisible in ("\u202e", "\u200b"):
        assert invisible not in said
    html = view.pane.text.document().toHtml()
    assert "<img" not in html.replace("&lt;img", "")
    assert "href" not in html.replace("&quot;href", "")
    for label in view.findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText or not label.text()
    for widget in view.findChildren(QWidget):
        assert "<script" not in widget.toolTip()


def test_what_cannot_be_seen_is_shown(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="e78"))
    assert "⟨U+202E⟩" in text_of(view.pane)
    assert "⟨U+200B⟩" in text_of(view.pane)
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="t-233"))
    assert "<script>alert(" in text_of(view.pane)
    assert "javascript:alert" in text_of(view.pane)


def test_a_link_in_an_episode_leads_nowhere(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="t-233"))
    before = text_of(view.pane)
    viewport = view.pane.text.viewport()
    for x in range(10, viewport.width() - 10, 24):
        for y in range(8, viewport.height() - 8, 16):
            qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
    assert text_of(view.pane) == before


def test_a_text_without_evidence_begins_at_its_beginning(qtbot, session):
    view = made(qtbot, session, size=(900, 300))
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="t-233"))
    bar = view.pane.text.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert bar.value() == 0


def test_the_text_can_be_seen_as_it_was_written(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="crm-902"))
    assert "```json" not in text_of(view.pane)
    view.pane.findChild(QToolButton, "episode.source").click()
    assert "```json" in text_of(view.pane)


def test_the_record_is_called_up(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="crm-902"))
    view.pane.findChild(QToolButton, "episode.record").click()
    said = [label.text() for label in view.pane.findChildren(QLabel) if label.isVisible()]
    assert "nightly-0622" in said
    assert "crm.get_contact" in said
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        view.pane.findChild(QWidget, "transaction.313").click()
    assert wanted.args == ["panel.journal"]


def test_filters_narrow_the_list_and_can_be_cleared(qtbot, view, session):
    kinds = view.findChild(QComboBox, "episodes_kind")
    kinds.setCurrentIndex(kinds.findData(EpisodeKind.TICKET.value))
    qtbot.waitUntil(lambda: len(view.presenter.rows.rows) < 100)
    search = view.findChild(SearchField, "episodes_search")
    qtbot.keyClicks(search, "no such words anywhere")
    qtbot.waitUntil(lambda: not view.presenter.rows.rows)
    empty = view.findChild(QWidget, "episodes_empty")
    qtbot.waitUntil(lambda: empty.isVisible())
    view.findChild(QWidget, "clear").click()
    qtbot.waitUntil(lambda: len(view.presenter.rows.rows) == 183)
    assert search.text() == ""
    assert kinds.currentIndex() == 0


def test_counts_appear_in_view(qtbot, view):
    first = view.presenter.rows.index(0, 0)
    qtbot.waitUntil(lambda: first.data(EpisodeRole.COUNT) is not None)


def test_writes_of_others_keep_the_place(qtbot, qapp):
    with session_on(demo_store()) as session:
        view = made(qtbot, session)
        bar = view.list.verticalScrollBar()
        row = view.presenter.rows.place_of("e2")
        view.list.scrollTo(view.presenter.rows.index(row, 0))
        view.list.setCurrentIndex(view.presenter.rows.index(row, 0))
        before, place = current_id(view), view.list.visualRect(view.list.currentIndex()).top()
        memory = bind(session.store, "acme", agent_id="support")
        memory.capture("e-new", "Fresh.", occurred_at=datetime.now(UTC))
        qtbot.waitUntil(lambda: view.presenter.rows.place_of("e-new") == 0)
        QApplication.processEvents()
        assert current_id(view) == before == "e2"
        assert view.list.visualRect(view.list.currentIndex()).top() == place
        assert bar.value() > 0


def test_a_narrow_pane_puts_the_facts_below(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="crm-902"))
    split = view.pane.facts.parentWidget().parentWidget()
    view.resize(1400, 400)
    QApplication.processEvents()
    assert split.orientation() == Qt.Orientation.Horizontal
    view.resize(800, 600)
    QApplication.processEvents()
    assert split.orientation() == Qt.Orientation.Vertical


def test_closing_the_store_clears(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="e2"))
    session.close()
    assert text_of(view.pane) == ""
    assert view.findChild(QWidget, "episodes_empty").isVisible()
    assert not view.list.isVisible()


def test_the_menu_is_asked_of_the_window(qtbot, view):
    with qtbot.waitSignal(view.menu_requested):
        at = QPoint(20, 20)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view, event)


def test_everything_that_takes_the_focus_has_a_name(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="crm-902"))
    view.presenter.pin()
    view.pane.findChild(QToolButton, "episode.record").click()
    nameless = [
        widget
        for widget in view.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]
    assert nameless == []


def test_another_language_is_spoken_at_once(qtbot, view, session):
    show(qtbot, view, session, Selection(Kind.EPISODE, episode_id="e2"))
    kinds = view.findChild(QComboBox, "episodes_kind")
    kinds.setCurrentIndex(2)
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert kinds.currentIndex() == 2
    assert view.first_focus() is view.list
