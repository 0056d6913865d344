from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QTableView, QWidget

from store.encoding import State
from workbench import theme
from workbench.messages import Message, MessageAction, MessageBoard, Severity
from workbench.ops import Operations, ReadOp
from workbench.widgets import busy_line
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.filter_header import FilterHeader
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.path_edit import PathEdit
from workbench.widgets.pick_button import PickButton
from workbench.widgets.pill import Pill
from workbench.widgets.search_field import SearchField
from workbench.widgets.section_head import SectionHead
from workbench.widgets.status_dot import StatusDot, state_word
from workbench.widgets.value_view import ValueView


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication):
    theme.choose_theme(qapp, "light")
    yield
    theme.appearance().set_reduced_motion(False)


# --- messages -------------------------------------------------------------------------------

PROBLEM = Message(
    "facts.unreadable",
    Severity.ERROR,
    "The facts could not be read. {reason}",
    action=MessageAction("retry", "Try again"),
)
LASTING = Message("store.read_only", Severity.WARNING, "Read only.", can_close=False)


def test_a_message_appears_with_its_word_and_goes_when_closed(qtbot) -> None:
    board = MessageBoard()
    panel = QWidget()
    qtbot.addWidget(panel)
    bar = MessageBar(board, panel)
    panel.show()
    assert not bar.isVisible()
    board.show(PROBLEM, reason="<b>full</b>")
    row = bar.findChild(QWidget, "facts.unreadable")
    assert row.accessibleName() == "Problem: The facts could not be read. <b>full</b>"
    texts = {label.text(): label.textFormat() for label in row.findChildren(QLabel)}
    assert texts["The facts could not be read. <b>full</b>"] == Qt.TextFormat.PlainText
    close = next(it for it in row.findChildren(QWidget) if "Close" in it.accessibleName())
    qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert board.shown == ()
    assert not bar.isVisible()


def test_the_action_of_a_message_can_be_pressed(qtbot) -> None:
    board = MessageBoard()
    bar = MessageBar(board)
    qtbot.addWidget(bar)
    board.show(PROBLEM, reason="")
    button = bar.findChild(QPushButton)
    with qtbot.waitSignal(board.action_chosen) as told:
        button.click()
    assert told.args == ["facts.unreadable", "retry"]


def test_a_lasting_message_cannot_be_closed_and_stands_below_the_worse(qtbot) -> None:
    board = MessageBoard()
    bar = MessageBar(board)
    qtbot.addWidget(bar)
    board.show(LASTING)
    board.show(PROBLEM, reason="")
    bar.resize(600, 120)
    bar.show()
    lasting = bar.findChild(QWidget, "store.read_only")
    worse = bar.findChild(QWidget, "facts.unreadable")
    qtbot.waitUntil(lambda: lasting.y() > worse.y())
    assert not any(
        it.isVisible() for it in lasting.findChildren(QWidget) if "Close" in it.accessibleName()
    )


# --- busy -----------------------------------------------------------------------------------


def test_short_work_shows_no_line(qtbot) -> None:
    line = BusyLine()
    qtbot.addWidget(line)
    line.set_busy(True)
    line.set_busy(False)
    qtbot.wait(busy_line.SHOWN_AFTER_MS + 50)
    assert not line.is_shown


def test_long_work_shows_a_line_that_costs_nothing_afterwards(qtbot) -> None:
    line = BusyLine()
    qtbot.addWidget(line)
    line.set_busy(True)
    qtbot.waitUntil(lambda: line.is_shown)
    assert line._frames.isActive()
    line.set_busy(False)
    assert not line.is_shown
    assert not line._frames.isActive()


def test_under_reduced_motion_the_line_stands_still(qtbot) -> None:
    theme.appearance().set_reduced_motion(True)
    line = BusyLine()
    qtbot.addWidget(line)
    line.resize(100, 2)
    line.set_busy(True)
    qtbot.waitUntil(lambda: line.is_shown)
    assert not line._frames.isActive()
    assert line.grab().toImage().pixelColor(90, 1) == theme.current().color("accent")


def test_a_line_follows_the_work_of_its_area(qtbot) -> None:
    import threading

    ops = Operations()
    line = BusyLine()
    qtbot.addWidget(line)
    line.follow(ops, "facts")
    gate = threading.Event()
    done: list[object] = []
    ops.read(ReadOp(("facts",), lambda _work: gate.wait(10)), on_done=done.append)
    ops.read(ReadOp(("journal",), lambda _work: None), on_done=lambda _it: None)
    qtbot.waitUntil(lambda: line.is_shown)
    gate.set()
    qtbot.waitUntil(lambda: bool(done))
    assert not line.is_shown
    ops.shutdown()


# --- search ---------------------------------------------------------------------------------


def test_search_waits_for_a_pause_and_not_for_enter(qtbot) -> None:
    field = SearchField("Search facts", "Ctrl K")
    qtbot.addWidget(field)
    heard: list[str] = []
    field.searched.connect(heard.append)
    qtbot.keyClicks(field, "porto")
    assert heard == []
    qtbot.waitUntil(lambda: heard == ["porto"])
    qtbot.keyClicks(field, "!")
    with qtbot.waitSignal(field.next_requested):
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert heard == ["porto", "porto!"]
    with qtbot.waitSignal(field.previous_requested):
        qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)


def test_escape_clears_the_search_and_then_leaves(qtbot) -> None:
    field = SearchField("Search facts")
    qtbot.addWidget(field)
    heard: list[str] = []
    field.searched.connect(heard.append)
    qtbot.keyClicks(field, "x")
    with qtbot.assertNotEmitted(field.left):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert heard == [""]
    with qtbot.waitSignal(field.left):
        qtbot.keyClick(field, Qt.Key.Key_Escape)


def test_the_place_among_the_hits_is_seen_and_heard(qtbot) -> None:
    field = SearchField("Search facts", "Ctrl K")
    qtbot.addWidget(field)
    field.resize(300, 30)
    field.show()
    field.setText("x")
    field.set_hits(3, 1_700)
    assert field.accessibleDescription() == "3 of 1,700"
    assert field._hits.isVisible()
    assert field._hits.geometry().right() < field.width() - 20
    field.set_hits(0, 0)
    assert field.accessibleDescription() == "no hits"
    field.clear()
    assert not field._hits.isVisible()
    assert field._keys.isVisible()


# --- filter header --------------------------------------------------------------------------


@pytest.fixture
def table(qtbot) -> QTableView:
    view = QTableView()
    model = QStandardItemModel(20, 4, view)
    model.setHorizontalHeaderLabels(["Subject", "Attribute", "Value", "Valid from"])
    view.setHorizontalHeader(FilterHeader(view))
    view.setModel(model)
    view.resize(320, 240)
    qtbot.addWidget(view)
    view.show()
    return view


def header_of(table: QTableView) -> FilterHeader:
    header = table.horizontalHeader()
    assert isinstance(header, FilterHeader)
    return header


def filter_of(table: QTableView, section: int) -> QLineEdit:
    found = header_of(table).findChild(QLineEdit, f"filter.{section}")
    assert isinstance(found, QLineEdit)
    return found


def test_each_column_has_a_named_filter_under_its_title(table: QTableView) -> None:
    names = [filter_of(table, section).accessibleName() for section in range(4)]
    assert names == ["Filter Subject", "Filter Attribute", "Filter Value", "Filter Valid from"]
    header = header_of(table)
    field = filter_of(table, 1)
    assert field.x() == header.sectionViewportPosition(1)
    assert field.width() == header.sectionSize(1)
    assert field.y() >= header.viewport().geometry().bottom()


def test_filters_are_told_after_a_pause_and_once(table: QTableView, qtbot) -> None:
    header = header_of(table)
    heard: list[dict[int, str]] = []
    header.filters_changed.connect(heard.append)
    qtbot.keyClicks(filter_of(table, 0), "= mira ")
    assert heard == []
    qtbot.waitUntil(lambda: heard == [{0: "= mira"}])
    qtbot.keyClicks(filter_of(table, 2), "x")
    qtbot.keyClick(filter_of(table, 2), Qt.Key.Key_Return)
    assert heard[1:] == [{0: "= mira", 2: "x"}]
    qtbot.keyClick(filter_of(table, 2), Qt.Key.Key_Escape)
    assert heard[2:] == [{0: "= mira"}]


def test_filters_that_come_from_elsewhere_are_shown_and_not_told(table: QTableView, qtbot) -> None:
    header = header_of(table)
    with qtbot.assertNotEmitted(header.filters_changed, wait=300):
        header.set_filters({1: "city"})
    assert header.filters == {1: "city"}
    assert filter_of(table, 1).text() == "city"


def test_down_goes_from_a_filter_to_the_table(table: QTableView, qtbot) -> None:
    header_of(table).focus_filter(0)
    qtbot.waitUntil(lambda: filter_of(table, 0).hasFocus())
    qtbot.keyClick(filter_of(table, 0), Qt.Key.Key_Down)
    assert table.hasFocus()


def test_filters_follow_widths_scrolling_and_hiding(table: QTableView, qtbot) -> None:
    header = header_of(table)
    header.resizeSection(0, 200)
    assert filter_of(table, 1).x() == 200
    table.horizontalScrollBar().setValue(1)
    qtbot.waitUntil(lambda: filter_of(table, 1).x() == header.sectionViewportPosition(1) < 200)
    header.hideSection(1)
    qtbot.waitUntil(lambda: not filter_of(table, 1).isVisible())


def test_a_filter_that_is_not_understood_says_why(table: QTableView) -> None:
    header = header_of(table)
    header.set_problem(2, "The expression lacks a bracket.")
    assert filter_of(table, 2).property("invalid") is True
    assert filter_of(table, 2).accessibleDescription() == "The expression lacks a bracket."
    header.set_problem(2, "")
    assert filter_of(table, 2).property("invalid") is False


def test_a_model_with_fewer_columns_takes_filters_away(table: QTableView) -> None:
    model = table.model()
    model.removeColumns(2, 2, QModelIndex())
    header = header_of(table)
    assert set(header._fields) == {0, 1}


# --- small pieces ---------------------------------------------------------------------------


def test_a_label_that_does_not_fit_is_cut_and_whole_to_a_reader(qtbot) -> None:
    label = ElidedLabel("a subject with a very long name indeed")
    qtbot.addWidget(label)
    label.resize(60, 20)
    assert label.is_elided
    label.resize(600, 20)
    assert not label.is_elided
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_an_empty_state_offers_a_step(qtbot) -> None:
    state = EmptyState("database", "No store is open.", "Open one, or look at the demo.")
    qtbot.addWidget(state)
    button = state.add_button("store.open_demo", "Open the demo store", is_primary=True)
    assert state.accessibleName() == "No store is open."
    with qtbot.waitSignal(state.action_chosen) as told:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert told.args == ["store.open_demo"]


@pytest.mark.parametrize("state", list(State))
def test_a_state_has_a_word_and_a_shape_of_its_own(state: State, qtbot) -> None:
    dot = StatusDot(state)
    qtbot.addWidget(dot)
    dot.set_state(state, "confirmed 2 days ago")
    assert dot.accessibleName() == f"{state_word(state)} · confirmed 2 days ago"
    shapes = []
    for it in State:
        other = StatusDot(it)
        qtbot.addWidget(other)
        other.resize(120, 16)
        image = other.grab().toImage()
        ground = image.pixelColor(119, 0)
        shapes.append(tuple(image.pixelColor(x, y) == ground for x in range(10) for y in range(16)))
    assert len(set(shapes)) == len(State)


def test_a_value_is_shown_and_can_do_nothing(qtbot) -> None:
    view = ValueView()
    qtbot.addWidget(view)
    view.set_value({"link": "<a href='file:///etc/passwd'>x</a>\u202e"})
    assert view.toPlainText() == ('{\n  "link": "<a href=\'file:///etc/passwd\'>x</a>⟨U+202E⟩"\n}')
    assert view.isReadOnly()
    view.set_value("two\nlines")
    assert view.toPlainText() == "two\nlines"


def test_a_value_view_grows_to_its_limit(qtbot) -> None:
    view = ValueView(max_lines=5)
    qtbot.addWidget(view)
    view.resize(300, 400)
    view.show()
    view.set_value("one")
    one = view.sizeHint().height()
    view.set_value("\n".join("abc"))
    three = view.sizeHint().height()
    view.set_value("\n" * 50)
    assert one < three < view.sizeHint().height() < 3 * three


def test_a_pick_button_says_caption_and_value(qtbot) -> None:
    button = PickButton("Tenant", "acme")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Tenant acme"
    narrow = button.sizeHint().width()
    button.set_value("a tenant with a long name", hint="<b>exact</b>")
    assert button.sizeHint().width() > narrow
    assert "&lt;b&gt;" in button.toolTip()


def test_a_pill_changes_what_its_colour_means(qtbot) -> None:
    pill = Pill("3", "warn")
    qtbot.addWidget(pill)
    pill.show()
    before = pill.grab().toImage().pixelColor(8, pill.height() // 2)
    pill.set_tone("ok")
    assert pill.grab().toImage().pixelColor(8, pill.height() // 2) != before


def test_a_section_head_keeps_its_letters_for_a_reader(qtbot) -> None:
    head = SectionHead("Subjects")
    qtbot.addWidget(head)
    assert head.accessibleName() == "Subjects"
    assert head.findChild(QLabel).text() == "Subjects"


def test_a_choice_keeps_its_value_and_gives_up_its_caption_first(qtbot) -> None:
    button = PickButton("Tenant", "acme")
    qtbot.addWidget(button)
    whole = button.minimumSizeHint().width()
    assert whole == button.sizeHint().width(), "a short value is never cut"
    button.keeps_caption = False
    assert button.minimumSizeHint().width() < whole
    button.set_value("a tenant with a very long name that no toolbar has room for")
    assert button.minimumSizeHint().width() < button.sizeHint().width()


def test_a_narrow_search_field_leaves_its_key_out(qtbot) -> None:
    field = SearchField("Search", "Ctrl+K")
    qtbot.addWidget(field)
    field.resize(300, 30)
    field.show()
    assert field._keys.isVisible()
    field.resize(100, 30)
    assert not field._keys.isVisible()


def test_a_typed_path_is_told_while_the_field_has_the_focus(qtbot, tmp_path) -> None:
    edit = PathEdit("Folder", kind="folder")
    qtbot.addWidget(edit)
    told: list[str] = []
    edit.path_changed.connect(told.append)
    qtbot.keyClicks(edit.line, str(tmp_path))
    qtbot.waitUntil(lambda: told == [str(tmp_path)])
    qtbot.keyClicks(edit.line, "/none")
    qtbot.waitUntil(lambda: not edit._rest.isActive())
    assert told == [str(tmp_path)], "what is not there may still be on its way"
    qtbot.keyClick(edit.line, Qt.Key.Key_Return)
    assert told[-1] == f"{tmp_path}/none"


def test_the_steps_of_an_empty_state_take_a_second_row_where_it_is_narrow(qtbot) -> None:
    state = EmptyState("database", "Look at what agents remember")
    qtbot.addWidget(state)
    first, second = state.add_button("a", "Open the demo store"), state.add_button("b", "Open…")
    state.resize(600, 300)
    state.show()
    assert first.y() == second.y()
    row = first.parentWidget()
    assert row.geometry().center().x() == pytest.approx(300, abs=3)
    middle = (first.x() + second.geometry().right()) / 2
    assert abs(middle - row.width() / 2) < 3
    state.resize(first.width() + 60, 300)
    assert second.y() > first.geometry().bottom()
    assert abs(second.geometry().center().x() - row.width() / 2) < 3


def test_an_empty_state_gives_up_what_it_has_no_room_for(qtbot) -> None:
    panel = QWidget()  # that lays it over a table, of whatever height that is
    qtbot.addWidget(panel)
    panel.resize(500, 400)
    state = EmptyState("database", "Facts appear here.", "Add a first fact.", parent=panel)
    button = state.add_button("fact.add", "Add a fact…")
    panel.show()
    sentence, detail = (it for it in state.findChildren(QLabel) if it.text())
    for height, has_button in ((300, True), (120, True), (30, False), (300, True)):
        state.resize(500, height)
        qtbot.waitUntil(lambda: sentence.geometry().bottom() < state.height())
        assert sentence.isVisible()
        assert sentence.y() >= 0
        assert button.isVisible() is detail.isVisible() is has_button
