"""What a person does with the navigator."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from tests.sessions import LongList, session_on
from workbench import theme
from workbench.panels.navigator.presenter import Section
from workbench.panels.navigator.view import NavigatorView
from workbench.session import NOTHING


@pytest.fixture(autouse=True)
def dressed(qapp):
    theme.choose_theme(qapp, "light")


@pytest.fixture
def view(qtbot, session):
    view = NavigatorView(session)
    qtbot.addWidget(view)
    view.resize(232, 840)
    view.show()
    view.activateWindow()
    qtbot.waitUntil(lambda: view.presenter.has_answer and session.summary is not None)
    QApplication.processEvents()
    return view


def entries(view, section):
    return view.sections[section].entries


def click(qtbot, view, section, entry_id):
    shown = entries(view, section)
    index = shown.model().index(view.presenter.lists[section].row_of(entry_id))
    shown.scrollTo(index)
    at = shown.visualRect(index).center()
    qtbot.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=at)


def active(view, section):
    shown = entries(view, section)
    return [index.data() for index in shown.selectionModel().selectedIndexes()]


def test_one_click_narrows_and_another_frees(qtbot, session, view):
    click(qtbot, view, Section.SUBJECTS, "mira")
    assert session.filter.subject == "mira"
    assert active(view, Section.SUBJECTS) == ["mira"]
    click(qtbot, view, Section.TYPES, "profile")
    assert session.filter.memory_type == "profile"
    click(qtbot, view, Section.SUBJECTS, "mira")
    assert session.filter.subject is None
    assert session.filter.memory_type == "profile"
    assert active(view, Section.SUBJECTS) == []


def test_the_cross_over_a_section_frees_it(qtbot, session, view):
    cross = view.findChild(QToolButton, "navigator.types.clear")
    assert not cross.isVisible()
    click(qtbot, view, Section.TYPES, "task")
    assert cross.isVisible()
    assert cross.accessibleName() == "Show all types again"
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert session.filter.memory_type is None
    assert not cross.isVisible()


def test_keys_move_without_narrowing_until_enter(qtbot, session, view):
    shown = entries(view, Section.SUBJECTS)
    shown.setFocus()
    qtbot.keyClick(shown, Qt.Key.Key_Down)
    assert session.filter.subject is None
    second = view.presenter.lists[Section.SUBJECTS].entry(1).id
    qtbot.keyClick(shown, Qt.Key.Key_Return)
    assert session.filter.subject == second
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert session.filter.subject is None
    assert session.selection == NOTHING


def test_letters_go_to_the_name_that_begins_so(qtbot, view):
    shown = entries(view, Section.SUBJECTS)
    shown.setFocus()
    event = QKeyEvent(
        QEvent.Type.ShortcutOverride, Qt.Key.Key_M, Qt.KeyboardModifier.NoModifier, "m"
    )
    event.ignore()
    QApplication.sendEvent(shown, event)
    assert event.isAccepted()  # so that the command with this letter does not come first
    qtbot.keyClicks(shown, "mir")
    assert shown.currentIndex().data() == "mira"


def test_arrows_go_on_from_list_to_list(qtbot, view):
    shown = entries(view, Section.SUBJECTS)
    shown.setFocus()
    qtbot.keyClick(shown, Qt.Key.Key_Up)
    assert entries(view, Section.INBOX).hasFocus()
    qtbot.keyClick(entries(view, Section.INBOX), Qt.Key.Key_Down)
    assert shown.hasFocus()
    qtbot.keyClick(shown, Qt.Key.Key_End)
    qtbot.keyClick(shown, Qt.Key.Key_Down)
    assert entries(view, Section.TYPES).hasFocus()
    assert entries(view, Section.TYPES).currentIndex().row() == 0


def test_the_field_filters_the_subjects_and_gives_way_to_the_list(qtbot, view):
    view.field.setFocus()
    qtbot.keyClicks(view.field, "invoice")
    listed = view.presenter.lists[Section.SUBJECTS]
    qtbot.waitUntil(lambda: 0 < len(listed.entries) < 10)
    qtbot.keyClick(view.field, Qt.Key.Key_Down)
    assert entries(view, Section.SUBJECTS).hasFocus()
    qtbot.keyClicks(view.field, "zzz")
    qtbot.waitUntil(lambda: not listed.entries)
    assert view.sections[Section.SUBJECTS].entries._empty_text == "No subject has these letters."
    qtbot.keyClick(view.field, Qt.Key.Key_Escape)
    assert len(listed.entries) == 32


def test_conflicts_lead_to_their_panel(qtbot, session, view):
    with qtbot.waitSignal(session.attention_wanted) as told:
        click(qtbot, view, Section.INBOX, "panel.conflicts")
    assert told.args == ["panel.conflicts"]


def test_a_refresh_keeps_scroll_and_current_row(qtbot, qapp):
    store = LongList(12_000)
    with session_on(store) as session:
        view = NavigatorView(session)
        qtbot.addWidget(view)
        view.resize(232, 840)
        view.show()
        shown = entries(view, Section.SUBJECTS)
        qtbot.waitUntil(lambda: shown.model().rowCount() == 12_000)
        shown.setFocus()
        qtbot.keyClicks(shown, "subject 0006000")
        row = shown.currentIndex().row()
        at = shown.verticalScrollBar().value()
        assert row == 6000
        assert at > 0
        store.change([number for number in store.held if number != 11_000])
        qtbot.waitUntil(lambda: shown.model().rowCount() == 11_999)
        assert shown.currentIndex().row() == row
        assert shown.verticalScrollBar().value() == at


def test_without_a_store_there_is_nothing(qtbot, session, view):
    session.close()
    assert not any(view.sections[section].isVisible() for section in Section)


def test_everything_that_takes_the_focus_has_a_name(view):
    takes = [
        widget
        for widget in view.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not widget.isHidden()
    ]
    names = {
        widget.objectName(): QAccessible.queryAccessibleInterface(widget).text(
            QAccessible.Text.Name
        )
        for widget in takes
    }
    assert len(takes) >= 5
    assert all(names.values()), names


def test_another_language_is_said_at_once(view):
    entries(view, Section.TYPES).setAccessibleName("stale")
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert entries(view, Section.TYPES).accessibleName() == "Types"
