"""What a person sees and does in the journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QWidget

from store import AsOf, bind
from store.backends.memory import MemoryStore
from store.model import WriteKind
from tests.sessions import session_on, settled
from workbench import theme
from workbench.actions import Selection as Kind
from workbench.panels.journal.model import ROW_ROLE, Column
from workbench.panels.journal.view import JournalView
from workbench.session import Selection
from workbench.widgets.lanes import LaneStrip
from workbench.widgets.link_text import CopyButton, LinkText
from workbench.widgets.reason_edit import RecentReasons
from workbench.widgets.search_field import SearchField

BASE = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def dressed(qapp):
    theme.choose_theme(qapp, "light")


@pytest.fixture
def written(qapp):
    store = MemoryStore()
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "I live in Lisbon.", occurred_at=BASE)
    memory.change("mira", "home_city", "Lisbon", valid_from=BASE, episode="e1")
    memory.change("mira", "home_city", "Porto", valid_from=BASE + timedelta(days=30), episode="e1")
    for number in range(60):
        memory.capture(f"n{number}", "note", occurred_at=BASE)
    with session_on(store) as session:
        yield session


def made(qtbot, session, size=(1000, 420), **more):
    view = JournalView(session, **more)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    qtbot.waitUntil(lambda: view.presenter.is_listed)
    QApplication.processEvents()
    return view


@pytest.fixture
def view(qtbot, session):
    return made(qtbot, session)


def choose(qtbot, view, session, number):
    session.select(Selection(Kind.TRANSACTION, transaction=number))
    qtbot.waitUntil(
        lambda: (
            view.presenter.detail is not None and view.presenter.detail.transaction.number == number
        )
    )
    qtbot.waitUntil(lambda: settled(session))
    QApplication.processEvents()


def current_number(view):
    index = view.table.currentIndex()
    return index.data(ROW_ROLE).number if index.isValid() else None


def words(widget):
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def find(view, name, kind=QWidget):
    found = view.findChild(kind, name)
    assert found is not None, name
    return found


def test_to_be_called_up_selects_nothing(qtbot, view, session):
    before = session.selection
    view.first_focus().setFocus()
    qtbot.waitUntil(lambda: view.table.currentIndex().isValid())
    assert session.selection == before


def test_keys_walk_the_table_and_select(qtbot, view, session):
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    assert session.selection == Selection(Kind.TRANSACTION, transaction=current_number(view))
    qtbot.waitUntil(lambda: view.presenter.detail is not None)
    assert view.detail.isVisible()


def test_a_transaction_says_who_when_why_and_what(qtbot, view, session):
    choose(qtbot, view, session, 578)
    said = words(view.detail)
    assert "Transaction 578 · correction" in said
    assert "“\u20682 January 2027 is a Saturday\u2069”" in said
    assert "18 Nov 2026 09:05:20" in said
    (strip,) = (it for it in view.detail.findChildren(LaneStrip) if it.isVisible())
    assert "Before:" in strip.accessibleDescription()
    assert any("4 Jan 2027 instead of 2 Jan 2027" in text for text in said)
    assert current_number(view) == 578


def test_links_lead_to_facts_episodes_and_conflicts(qtbot, view, session):
    choose(qtbot, view, session, 558)
    links = {link.text(): link for link in view.detail.findChildren(LinkText)}
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        links["u-29"].click()
    assert wanted.args == ["panel.episodes"]
    assert session.selection.episode_id == "u-29"
    choose(qtbot, view, session, 558)
    conflict_id = view.presenter.detail.conflicts[0]
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        find(view.detail, f"link.{conflict_id}").click()
    assert wanted.args == ["panel.conflicts"]
    choose(qtbot, view, session, 558)
    row = view.presenter.detail.began[0]
    find(view.detail, f"row.{row.memory_id}").click()
    assert session.selection.memory_id == row.memory_id


def test_one_looks_as_of_a_transaction(qtbot, view, session):
    choose(qtbot, view, session, 578)
    find(view, "look_as_of_it", QPushButton).click()
    assert session.as_of == AsOf(known_at=view.presenter.detail.transaction.recorded_at)


def test_the_digest_and_the_head_can_be_copied(qtbot, view, session):
    choose(qtbot, view, session, 578)
    names = {button.accessibleName(): button for button in view.findChildren(CopyButton)}
    names["Copy the digest"].click()
    digest = view.presenter.detail.transaction.digest
    assert QGuiApplication.clipboard().text() == digest
    qtbot.waitUntil(lambda: view.presenter.chain.head is not None)
    find(view, "chain_copy", CopyButton).click()
    assert QGuiApplication.clipboard().text() == str(session.store.head(session.scope))


def test_the_chain_is_checked_on_request(qtbot, view, session):
    qtbot.waitUntil(lambda: view.presenter.chain.head is not None)
    assert find(view, "chain_state", QLabel).text() == "Chain not checked yet"
    find(view, "chain_check", QPushButton).click()
    assert find(view, "chain_check", QPushButton).text() == "Cancel"
    qtbot.waitUntil(lambda: view.presenter.chain.is_clean)
    said = find(view, "chain_state", QLabel).text()
    assert said.startswith("Chain checked up to 638")
    assert said.endswith("nothing wrong")
    assert find(view, "chain_check", QPushButton).text() == "Check"


# --- the way back ---------------------------------------------------------------------------


def test_a_revert_from_button_to_undo(qtbot, written):
    reasons = RecentReasons(["misheard"])
    view = made(qtbot, written, reasons=reasons)
    view.activateWindow()
    choose(qtbot, view, written, 3)
    find(view, "transaction.revert", QPushButton).click()
    form = view.detail.form
    assert form.isVisible()
    confirm = find(form, "revert_confirm", QPushButton)
    qtbot.waitUntil(lambda: view.presenter.draft.plan is not None)
    assert not confirm.isEnabled()
    qtbot.keyClicks(form.reason.lineEdit(), "never said")
    assert confirm.isEnabled()
    qtbot.keyClick(form.reason.lineEdit(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not form.isVisible())
    assert view.table.hasFocus()
    assert reasons.offered == ("never said", "misheard")
    qtbot.waitUntil(lambda: find(view.detail, "reverted_by", LinkText).isVisible())
    assert not find(view, "transaction.revert", QPushButton).isEnabled()
    assert any("was reverted by transaction" in said for said in words(view))
    assert written.store.read(written.scope, "mira", "home_city")[0].value == "Lisbon"


def test_esc_gives_it_up_and_writes_nothing(qtbot, written):
    view = made(qtbot, written)
    choose(qtbot, view, written, 3)
    before = written.store.head(written.scope).number
    view.handlers()["transaction.revert"]()
    form = view.detail.form
    assert form.isVisible()
    qtbot.keyClick(form.reason, Qt.Key.Key_Escape)
    assert not form.isVisible()
    assert view.presenter.draft is None
    assert written.store.head(written.scope).number == before


def test_a_refusal_stands_where_it_happened(qtbot, view, session):
    choose(qtbot, view, session, 73)
    view.presenter.begin_revert()
    problem = find(view, "revert_problem", QLabel)
    qtbot.waitUntil(lambda: problem.isVisible())
    assert "73" in problem.text()
    qtbot.keyClicks(view.detail.form.reason.lineEdit(), "why not")
    assert not find(view, "revert_confirm", QPushButton).isEnabled()


def test_the_handler_calls_the_journal_up(qtbot, view, session):
    choose(qtbot, view, session, 578)
    assert set(view.handlers()) == {"transaction.revert"}
    with qtbot.waitSignal(session.attention_wanted) as wanted:
        view.handlers()["transaction.revert"]()
    assert wanted.args == ["panel.journal"]
    assert view.detail.form.isVisible()


# --- the list -------------------------------------------------------------------------------


def test_filters_narrow_and_can_be_cleared(qtbot, view, session):
    kinds = find(view, "journal_kind", QComboBox)
    kinds.setCurrentIndex(kinds.findData(WriteKind.RETRACT.value))
    qtbot.waitUntil(lambda: len(view.presenter.rows.rows) < 50)
    search = find(view, "journal_search", SearchField)
    qtbot.keyClicks(search, "no such words anywhere")
    empty = find(view, "journal_empty")
    qtbot.waitUntil(lambda: empty.isVisible())
    find(view, "clear", QPushButton).click()
    qtbot.waitUntil(lambda: len(view.presenter.rows.rows) == 200)
    assert search.text() == ""
    assert kinds.currentIndex() == 0


def test_the_subject_of_the_filter_can_be_listed_alone(qtbot, view, session):
    only = find(view, "journal_subject", QPushButton)
    assert not only.isEnabled()
    session.set_filter(subject="mira")
    assert only.text() == "Only mira"
    only.click()
    qtbot.waitUntil(lambda: {row.subjects for row in view.presenter.rows.rows} == {("mira",)})
    only.click()
    qtbot.waitUntil(lambda: len(view.presenter.rows.rows) == 200)


def test_scrolling_down_brings_older_ones(qtbot, view):
    bar = view.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: len(view.presenter.rows.rows) > 200)


def test_new_ones_come_on_top_and_the_place_stays(qtbot, written):
    view = made(qtbot, written, size=(1000, 300))
    choose(qtbot, view, written, 20)
    view.table.scrollTo(view.table.currentIndex())
    place = view.table.visualRect(view.table.currentIndex()).top()
    bind(written.store, "acme", agent_id="support").capture("late", "x", occurred_at=BASE)
    newest = written.store.head(written.scope).number
    qtbot.waitUntil(lambda: view.presenter.rows.newest == newest)
    QApplication.processEvents()
    assert current_number(view) == 20
    assert view.table.visualRect(view.table.currentIndex()).top() == place
    assert written.selection == Selection(Kind.TRANSACTION, transaction=20)


def test_reasons_have_a_column_where_there_is_room(qtbot, view):
    assert view.table.isColumnHidden(Column.REASON)
    view.resize(1500, 420)
    QApplication.processEvents()
    assert not view.table.isColumnHidden(Column.REASON)


def test_a_narrow_panel_puts_the_detail_below(qtbot, view, session):
    choose(qtbot, view, session, 578)
    view.resize(600, 700)
    QApplication.processEvents()
    assert view.detail.mapTo(view, QPoint(0, 0)).y() > 200


def test_closing_the_store_clears(qtbot, view, session):
    choose(qtbot, view, session, 578)
    session.close()
    assert find(view, "journal_empty").isVisible()
    assert not view.detail.isVisible()
    assert find(view, "chain_head", QLabel).text() == ""


def test_the_menu_is_asked_of_the_window(qtbot, view):
    with qtbot.waitSignal(view.menu_requested):
        at = QPoint(20, 20)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view, event)


def test_everything_that_takes_the_focus_has_a_name(qtbot, view, session):
    choose(qtbot, view, session, 558)
    view.presenter.begin_revert()
    nameless = [
        widget
        for widget in view.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisible()
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]
    assert nameless == []


def test_another_language_is_spoken_at_once(qtbot, view, session):
    choose(qtbot, view, session, 578)
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert "Transaction 578 · correction" in words(view.detail)
    assert view.first_focus() is view.table
