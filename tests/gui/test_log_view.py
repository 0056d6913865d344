"""The log panel over a ring: levels, words, following the end, copies."""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from workbench import theme
from workbench.log import RING_LINES, LogLine, LogRing
from workbench.panels.log.model import LEVEL, TEXT, LogLines, copied_text
from workbench.panels.log.view import LogView

AT = datetime(2026, 6, 3, 10, 0, tzinfo=UTC)
HOSTILE = 'bad \u202e<b>value</b>\x07\n  File "x"\n=cmd()'


def a_line(text, level=logging.INFO, logger="workbench.app"):
    return LogLine(AT, level, logger, text)


@pytest.fixture
def ring(qapp):
    theme.choose_theme(qapp, "light")
    return LogRing()


@pytest.fixture
def view(qtbot, ring):
    view = LogView(ring)
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    view.activateWindow()
    return view


def texts(view):
    return [view.lines.line(row).text for row in range(view.lines.rowCount())]


def fill(qtbot, view, ring, count):
    for number in range(count):
        ring.append(a_line(f"line {number}"))
    qtbot.waitUntil(lambda: view.lines.rowCount() == count)


def test_qt_finds_no_fault(qtmodeltester, ring):
    ring.append(a_line("first"))
    lines = LogLines(ring)
    qtmodeltester.check(lines)
    ring.append(a_line("second", logging.ERROR))
    lines._take()
    lines.narrow(level=logging.ERROR)
    lines.narrow(words="nothing")
    lines.narrow(level=logging.DEBUG, words="")
    qtmodeltester.check(lines)


@pytest.mark.usefixtures("qapp")  # its timer needs an event loop's thread
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("log"), st.sampled_from([10, 20, 30, 40]), st.integers(1, 700)),
            st.tuples(st.just("level"), st.sampled_from([10, 20, 30, 40]), st.just(0)),
        ),
        max_size=8,
    )
)
@settings(max_examples=30)
def test_rows_are_always_the_newest_lines_that_fit(steps):
    ring = LogRing()
    lines = LogLines(ring)
    count = [0]
    lines.rowsInserted.connect(lambda _p, a, b: count.__setitem__(0, count[0] + b - a + 1))
    lines.rowsRemoved.connect(lambda _p, a, b: count.__setitem__(0, count[0] - (b - a + 1)))
    lines.modelReset.connect(lambda: count.__setitem__(0, lines.rowCount()))
    for what, level, number in steps:
        if what == "level":
            lines.narrow(level=level)
        for _ in range(number):
            ring.append(a_line("x", level))
        lines._take()
        shown = [lines.line(row) for row in range(lines.rowCount())]
        fitting = [line for line in ring.lines if line.level >= lines.level]
        assert count[0] == len(shown) <= RING_LINES
        assert shown[len(shown) - len(fitting) :] == fitting


def test_lines_from_any_thread_appear(qtbot, ring, view):
    thread = threading.Thread(target=lambda: ring.append(a_line("from afar")))
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: texts(view) == ["from afar"])
    assert not view.table.empty_state.isVisible()


def test_a_level_hides_what_is_less(qtbot, ring, view):
    for level in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
        ring.append(a_line(logging.getLevelName(level), level))
    qtbot.waitUntil(lambda: view.lines.rowCount() == 4)
    view.levels.setCurrentIndex(2)
    assert texts(view) == ["WARNING", "ERROR"]
    assert view.levels.currentText() == "Warning and worse"
    words = [view.lines.index(row, LEVEL).data() for row in range(2)]
    assert words == ["warning", "error"]


def test_words_narrow_and_an_empty_result_says_so(qtbot, ring, view):
    fill(qtbot, view, ring, 20)
    qtbot.keyClicks(view.field, "LINE 13")
    qtbot.waitUntil(lambda: texts(view) == ["line 13"])
    qtbot.keyClicks(view.field, "x")
    qtbot.waitUntil(view.table.empty_state.isVisible)
    assert "No line fits" in view.table.empty_state.accessibleName()
    qtbot.keyClick(view.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: view.lines.rowCount() == 20)


def test_control_characters_are_seen_and_do_nothing(qtbot, ring, view):
    ring.append(a_line(HOSTILE))
    qtbot.waitUntil(lambda: view.lines.rowCount() == 1)
    assert view.lines.index(0, TEXT).data() == "bad ⟨U+202E⟩<b>value</b>⟨U+0007⟩ ⏎"
    view.table.selectRow(0)
    assert view.whole.isVisible()
    assert view.whole.toPlainText().splitlines() == [
        "bad ⟨U+202E⟩<b>value</b>⟨U+0007⟩",
        '  File "x"',
        "=cmd()",
    ]
    copied = copied_text([a_line(HOSTILE)])
    assert copied.startswith("2026-06-03T10:00:00Z INFO workbench.app: bad ⟨U+202E⟩")
    assert "\x07" not in copied


def test_the_end_is_followed_until_one_scrolls_away(qtbot, ring, view):
    fill(qtbot, view, ring, 60)
    bar = view.table.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    assert not view.follow.isChecked()
    ring.append(a_line("new"))
    qtbot.waitUntil(lambda: view.lines.rowCount() == 61)
    assert bar.value() == 0
    qtbot.mouseClick(view.follow, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    ring.append(a_line("newer"))
    qtbot.waitUntil(lambda: view.lines.rowCount() == 62)
    assert bar.value() == bar.maximum()
    assert view.follow.isChecked()


def test_selected_lines_are_copied_or_all_of_them(qtbot, ring, view):
    fill(qtbot, view, ring, 5)
    qtbot.mouseClick(view.copy_button, Qt.MouseButton.LeftButton)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 5
    view.table.setFocus()
    view.table.selectRow(1)
    qtbot.keyClick(view.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    said = [line.rpartition(": ")[2] for line in QGuiApplication.clipboard().text().splitlines()]
    assert said == ["line 1", "line 2"]


def test_letters_are_left_to_the_commands(qtbot, ring, view):
    fill(qtbot, view, ring, 5)
    view.table.setFocus()
    view.table.selectRow(0)
    qtbot.keyClicks(view.table, "n")
    assert view.table.currentIndex().row() == 0


def test_everything_that_takes_the_focus_has_a_name(view):
    takes = [
        widget
        for widget in view.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.objectName()[:4] == "log."
    ]
    names = {
        widget.objectName(): QAccessible.queryAccessibleInterface(widget).text(
            QAccessible.Text.Name
        )
        for widget in takes
    }
    assert len(names) == 6
    assert all(names.values()), names


def test_another_language_is_said_at_once(view):
    view.levels.setItemText(0, "stale")
    QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    assert view.levels.itemText(0) == "Everything"
