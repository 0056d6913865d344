"""What a person does with the facts table."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QByteArray, QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent, QFontMetrics, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionHeader,
)

from store.open import open_store
from store.scope import bind
from tests.sessions import LongList, demo_store, session_on
from workbench import theme
from workbench.panels.facts.columns import Column
from workbench.panels.facts.delegate import PAD_PX
from workbench.panels.facts.view import FactsView, _cell_width, shares
from workbench.session import NOTHING

END = datetime(2026, 11, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def dressed(qapp):
    theme.choose_theme(qapp, "light")
    yield
    theme.appearance().set_reduced_motion(False)


def shown(qtbot, session, size=(1100, 600)):
    view = FactsView(session)
    qtbot.addWidget(view)
    view.resize(*size)
    view.show()
    view.activateWindow()
    view.table.setFocus()
    qtbot.waitUntil(lambda: view.presenter.is_exact)
    QApplication.processEvents()
    return view


@pytest.fixture
def view(qtbot, session):
    return shown(qtbot, session)


@pytest.fixture
def long_list(qapp):
    return LongList(100_000)


@pytest.fixture
def long_view(qtbot, long_list):
    with session_on(long_list) as session:
        yield shown(qtbot, session)


def field(view, column):
    return view.table.header.findChild(QLineEdit, f"filter.{int(column)}")


def texts(view, column):
    model = view.table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def click_header(qtbot, view, column):
    header = view.table.header
    at = QPoint(header.sectionViewportPosition(column) + 20, 10)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)


def top_row(view):
    return view.table.rows_in_view[0]


# --- sorting and filtering ------------------------------------------------------------------


def test_a_click_on_a_header_sorts_and_another_turns_it_round(qtbot, view):
    click_header(qtbot, view, Column.CONFIDENCE)
    qtbot.waitUntil(lambda: texts(view, Column.CONFIDENCE) == sorted(texts(view, 6)))
    click_header(qtbot, view, Column.CONFIDENCE)
    qtbot.waitUntil(lambda: texts(view, 6) == sorted(texts(view, 6), reverse=True))
    assert view.table.selected_ranges == []


def test_a_column_that_the_store_cannot_sort_leaves_the_order(qtbot, view):
    click_header(qtbot, view, Column.SOURCE)
    assert view.table.header.sortIndicatorSection() == Column.SUBJECT
    assert texts(view, Column.SUBJECT) == sorted(texts(view, Column.SUBJECT))


def test_typing_under_a_header_filters(qtbot, view):
    qtbot.keyClicks(field(view, Column.ATTRIBUTE), "home")
    qtbot.waitUntil(lambda: set(texts(view, Column.ATTRIBUTE)) == {"home_city"})
    assert view.findChild(QLabel, "facts.count").text().startswith("7 ")
    qtbot.keyClick(field(view, Column.ATTRIBUTE), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.presenter.count == 156)


def test_a_bad_filter_is_marked_and_explained_in_its_place(qtbot, view):
    wrong = field(view, Column.VALID_FROM)
    qtbot.keyClicks(wrong, "> whenever")
    qtbot.keyClick(wrong, Qt.Key.Key_Return)
    assert wrong.property("invalid")
    assert "whenever" in wrong.accessibleDescription()
    assert [it.message.id for it in view.presenter.messages.shown] == ["facts.bad_filter"]
    assert view.presenter.count == 156
    wrong.clear()
    qtbot.keyClicks(wrong, "> 2026")
    qtbot.keyClick(wrong, Qt.Key.Key_Return)
    assert not wrong.property("invalid")
    assert view.presenter.messages.shown == ()


def test_a_filter_that_nothing_fits_says_so_and_can_be_cleared(qtbot, session, view):
    session.set_filter(memory_type="profile")
    qtbot.keyClicks(field(view, Column.VALUE), "no such value")
    qtbot.waitUntil(view.empty_state.isVisible)
    assert "No fact fits" in view.empty_state.accessibleName()
    button = view.empty_state.findChild(QPushButton, "facts.clear_filters")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.presenter.count == 156)
    assert field(view, Column.VALUE).text() == ""
    assert not view.empty_state.isVisible()


def test_the_chips_say_and_change_which_intervals_are_shown(qtbot, session, view):
    current = view.findChild(QPushButton, "facts.current")
    every = view.findChild(QPushButton, "facts.all")
    assert (current.isChecked(), every.isChecked()) == (True, False)
    qtbot.mouseClick(every, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.presenter.count > 156)
    assert (current.isChecked(), every.isChecked()) == (False, True)
    assert session.filter.history
    session.set_filter(history=False)
    assert current.isChecked()


def test_a_chip_for_each_part_of_the_filter_takes_it_away(qtbot, session, view):
    session.set_filter(subject="mira")
    chip = view.findChild(QPushButton, "facts.filter.subject")
    assert "mira" in chip.text()
    assert "mira" in chip.accessibleName()
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert session.filter.subject is None


# --- selection ------------------------------------------------------------------------------


def test_keys_select_and_enter_looks_into_it(qtbot, session, view):
    qtbot.keyClick(view.table, Qt.Key.Key_Home)
    qtbot.keyClick(view.table, Qt.Key.Key_Down)
    second = view.presenter.model.row(1).fact
    assert session.selection.memory_id == second.memory_id
    with qtbot.waitSignal(session.attention_wanted) as told:
        qtbot.keyClick(view.table, Qt.Key.Key_Return)
    assert told.args == ["panel.inspector"]
    qtbot.keyClick(view.table, Qt.Key.Key_Escape)
    assert session.selection == NOTHING
    assert view.table.selected_ranges == []


def test_letters_are_left_to_the_commands(qtbot, view):
    qtbot.keyClick(view.table, Qt.Key.Key_Home)
    qtbot.keyClicks(view.table, "n")
    assert view.table.currentIndex().row() == 0


def test_what_is_selected_elsewhere_is_selected_and_scrolled_to(qtbot, session, view):
    fact = view.presenter.model.row(150).fact
    qtbot.keyClick(view.table, Qt.Key.Key_Home)
    session.go_back()
    view.presenter.select_row(150)
    session.select(NOTHING)
    session.go_back()
    assert session.selection.memory_id == fact.memory_id
    assert view.table.selected_ranges == [(150, 150)]
    assert view.table.rows_in_view[0] <= 150 <= view.table.rows_in_view[1]


def test_several_rows_stay_selected_while_the_session_follows_the_last(qtbot, session, view):
    table = view.table
    for row, keys in ((2, Qt.KeyboardModifier.NoModifier), (5, Qt.KeyboardModifier.ShiftModifier)):
        at = table.visualRect(table.model().index(row, Column.VALUE)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, keys, at)
    assert table.selected_ranges == [(2, 5)]
    assert session.selection.memory_id == view.presenter.model.row(5).fact.memory_id


def test_a_context_menu_is_asked_for_where_one_points(qtbot, session, view):
    table = view.table
    at = table.visualRect(table.model().index(3, Column.VALUE)).center()
    with qtbot.waitSignal(view.menu_requested) as told:
        place = table.viewport().mapToGlobal(at)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, place)
        QApplication.sendEvent(table.viewport(), event)
    assert told.args == [place]
    assert session.selection.memory_id == view.presenter.model.row(3).fact.memory_id


# --- copies ---------------------------------------------------------------------------------


def test_rows_are_copied_as_they_stand_on_the_screen(qtbot, view):
    table, header = view.table, view.table.header
    header.setSectionHidden(Column.SOURCE, True)
    header.moveSection(header.visualIndex(Column.VALUE), 0)
    qtbot.keyClick(table, Qt.Key.Key_Home)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, *rows = QGuiApplication.clipboard().text().splitlines()
    assert head.split("\t")[:3] == ["Value", "Subject", "Attribute"]
    assert "Source" not in head
    assert len(rows) == 2


def test_the_menus_copy_is_the_same(view):
    view.presenter.select_row(0)
    view.table.follow_row(0)
    view.handlers()["edit.copy"]()
    assert view.presenter.model.row(0).fact.subject in QGuiApplication.clipboard().text()


# --- many rows ------------------------------------------------------------------------------


def test_end_jumps_to_the_end_and_only_what_is_seen_is_read(qtbot, long_list, long_view):
    long_list.pages_read.clear()
    qtbot.keyClick(long_view.table, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: long_view.presenter.model.row(99_999) is not None)
    assert long_view.table.rows_in_view[1] == 99_999
    qtbot.waitUntil(lambda: long_view.presenter.session.selection.memory_id == "m99999")
    assert len(long_list.pages_read) <= 2


def test_everything_can_be_selected_at_once(qtbot, long_view):
    qtbot.keyClick(long_view.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert long_view.table.selected_ranges == [(0, 99_999)]
    with qtbot.waitSignal(long_view.presenter.copied, timeout=20_000):
        qtbot.keyClick(long_view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().count("\n") == 10_001


def test_a_live_change_above_keeps_selection_and_scroll(qtbot, long_list, long_view):
    table = long_view.table
    table.verticalScrollBar().setValue(50_000 * table.rowHeight(0) + 7)
    qtbot.waitUntil(lambda: long_view.presenter.model.are_loaded(*table.rows_in_view))
    first = top_row(long_view)
    seen = long_view.presenter.model.row(first).fact.memory_id
    y = table.rowViewportPosition(first)
    long_view.presenter.select_row(first + 4)
    table.follow_row(first + 4)
    held = list(long_list.held)
    held[100:100] = [200_000, 200_001]
    del held[40]
    long_list.change(held, {int(seen[1:]) + 6: "changed"})
    qtbot.waitUntil(lambda: long_view.presenter.count == 100_001)
    assert top_row(long_view) == first + 1
    assert long_view.presenter.model.row(first + 1).fact.memory_id == seen
    assert table.rowViewportPosition(first + 1) == y
    assert table.selected_ranges == [(first + 5, first + 5)]
    assert long_view.presenter.model.has_flashes
    qtbot.waitUntil(lambda: not long_view.presenter.model.has_flashes)


def test_nothing_flashes_under_reduced_motion(qtbot, long_list, long_view):
    theme.appearance().set_reduced_motion(True)
    long_list.change(long_list.held, {3: "changed"})
    qtbot.waitUntil(lambda: long_view.presenter.model.row(3).fact.value == "changed")
    assert not long_view.presenter.model.has_flashes


def test_a_write_shows_in_the_row_that_is_selected(qtbot, qapp):
    with session_on(demo_store()) as session:
        view = shown(qtbot, session)
        at = texts(view, Column.ATTRIBUTE).index("home_city")
        qtbot.keyClick(view.table, Qt.Key.Key_Home)
        for _ in range(at):
            qtbot.keyClick(view.table, Qt.Key.Key_Down)
        fact = view.presenter.model.row(at).fact
        memory = bind(session.store, "acme", agent_id="support")
        memory.capture("new", "I moved.", occurred_at=END)
        memory.change(fact.subject, "home_city", "Faro", valid_from=END, episode="new")
        qtbot.waitUntil(lambda: "Faro" in texts(view, Column.VALUE))
        assert view.table.selected_ranges == [(at, at)]
        assert session.selection.memory_id == fact.memory_id


# --- columns --------------------------------------------------------------------------------


def test_columns_fit_the_view_and_the_value_takes_what_is_left():
    widths = {Column.SUBJECT: 100, Column.VALUE: 200, Column.STATUS: 80}
    assert sum(shares(widths, 300).values()) == 300
    assert shares(widths, 300)[Column.VALUE] > 200
    assert shares(widths, -40) == {Column.VALUE: -40}
    assert shares(widths, -500) == {Column.VALUE: -50, Column.SUBJECT: -10}


def test_there_is_no_need_to_scroll_sideways_at_first(view):
    assert view.table.horizontalScrollBar().maximum() == 0


def test_columns_are_chosen_from_a_menu(view):
    view._menu.aboutToShow.emit()
    entries = {action.text(): action for action in view._menu.actions()}
    assert not entries["Agent"].isChecked()
    entries["Agent"].trigger()
    assert not view.table.header.isSectionHidden(Column.AGENT)
    assert "operator" in texts(view, Column.AGENT)


def test_sorting_by_the_menu_needs_no_mouse(qtbot, view):
    view._menu.aboutToShow.emit()
    sort = next(a.menu() for a in view._menu.actions() if a.menu() is not None)
    {action.text(): action for action in sort.actions()}["Confidence"].trigger()
    qtbot.waitUntil(lambda: texts(view, 6) == sorted(texts(view, 6)))


def test_the_columns_state_is_kept_and_taken_back(qtbot, session, view):
    header = view.table.header
    header.moveSection(header.visualIndex(Column.STATUS), 0)
    header.setSectionHidden(Column.SOURCE, True)
    header.setSectionHidden(Column.OWNER, False)
    click_header(qtbot, view, Column.CONFIDENCE)
    state = view.save_state()
    other = shown(qtbot, session)
    assert other.restore_state(state)
    theirs = other.table.header
    assert theirs.visualIndex(Column.STATUS) == 0
    assert theirs.isSectionHidden(Column.SOURCE)
    assert not theirs.isSectionHidden(Column.OWNER)
    assert theirs.sortIndicatorSection() == Column.CONFIDENCE
    assert json.loads(bytes(other.save_state().data())) == json.loads(bytes(state.data()))


@pytest.mark.parametrize(
    "state", [b"", b"{}", b"[1]", b"\xff", b'{"version": 1, "order": ["subject"]}', b"null"]
)
def test_a_state_that_is_none_of_ours_changes_nothing(view, state):
    before = view.save_state()
    assert not view.restore_state(QByteArray(state))
    assert view.save_state() == before


# --- words ----------------------------------------------------------------------------------


def test_everything_has_a_name(view):
    names = {
        widget.objectName(): QAccessible.queryAccessibleInterface(widget).text(
            QAccessible.Text.Name
        )
        for widget in (view.table, *view.findChildren(QLineEdit), *view.findChildren(QPushButton))
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
    }
    assert all(names.values()), names


def test_another_language_is_said_at_once(qapp, view):
    view.presenter.model.row(0).texts[Column.VALUE] = "stale"
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert texts(view, Column.VALUE)[0] != "stale"


def test_denser_rows_show_more(qtbot, view):
    before = view.table.rows_in_view[1]
    theme.appearance().set_density("compact")
    try:
        assert view.table.rowHeight(0) == theme.appearance().row_height("table")
        assert view.table.rows_in_view[1] > before
    finally:
        theme.appearance().set_density("normal")


def test_a_filter_that_is_not_understood_moves_nothing_that_one_types_into(qtbot, view):
    where = field(view, Column.CONFIDENCE).mapTo(view, QPoint())
    qtbot.keyClicks(field(view, Column.CONFIDENCE), "abc")
    qtbot.waitUntil(lambda: Column.CONFIDENCE in view.presenter.problems)
    qtbot.waitUntil(lambda: any("not a number" in it.text() for it in view.findChildren(QLabel)))
    QApplication.processEvents()
    assert field(view, Column.CONFIDENCE).mapTo(view, QPoint()) == where


def test_what_cannot_be_sorted_by_says_so_and_does_not_light_up(qtbot, view):
    model, header = view.table.model(), view.table.header
    said = model.headerData(
        Column.CONFIRMED, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )
    assert "neither sorted nor filtered" in said
    role = Qt.ItemDataRole.ToolTipRole
    assert model.headerData(Column.SUBJECT, Qt.Orientation.Horizontal, role) is None
    option = QStyleOptionHeader()
    option.state |= QStyle.StateFlag.State_MouseOver
    header.initStyleOptionForIndex(option, Column.SOURCE)
    assert not option.state & QStyle.StateFlag.State_MouseOver
    click_header(qtbot, view, Column.SOURCE)
    assert header.sortIndicatorSection() == Column.SUBJECT


def test_the_status_column_has_room_for_each_status(qtbot, view):
    words = max(("current", "disputed", "future", "ended"), key=len)
    needed = view.table.fontMetrics().horizontalAdvance(words) + 2 * PAD_PX
    assert view._needed[Column.STATUS] > needed


def test_no_time_of_day_is_cut_however_few_have_one(qtbot):
    with session_on(demo_store()) as session:
        view = shown(qtbot, session, size=(1400, 600))
        model, at = view.presenter.model, view.presenter.instant()
        metrics = QFontMetrics(theme.font("content"))
        for column in (Column.VALID_FROM, Column.VALID_TO):
            room = view.table.columnWidth(column) - 2 * PAD_PX
            assert all(
                _cell_width(row, column, at, metrics=metrics) <= room for _, row in model.rows()
            )


def test_a_column_grows_with_what_comes(qtbot):
    store = open_store("memory:")
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    memory = bind(store, "acme", agent_id="support")
    memory.capture("x1", "said", occurred_at=begin)
    memory.change("bbb", "is", "here", valid_from=begin, episode="x1")
    with session_on(store) as session:
        view = shown(qtbot, session)
        before = view._needed[Column.VALID_TO]
        end = datetime(2099, 12, 28, 22, 58, tzinfo=UTC)
        memory.change("aaa", "is", "here", valid_from=begin, until=end, episode="x1")
        session.refresh()
        qtbot.waitUntil(lambda: texts(view, Column.SUBJECT)[0] == "aaa")
        qtbot.waitUntil(lambda: view._needed[Column.VALID_TO] > before)
        assert view.table.columnWidth(Column.VALID_TO) >= view._needed[Column.VALID_TO]
