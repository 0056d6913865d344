from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QWidget

from workbench import theme
from workbench.actions import ACTIONS, Context
from workbench.widgets.command_palette import CommandPalette
from workbench.widgets.quick_pick import ENTRY_ROLE, Entry, QuickPick, find_fit


@pytest.fixture
def window(qapp: QApplication, qtbot) -> QWidget:
    theme.choose_theme(qapp, "light")
    it = QWidget()
    it.resize(800, 600)
    qtbot.addWidget(it)
    it.show()
    return it


def titles(pick: QuickPick) -> list[str]:
    model = pick._model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.mark.parametrize(
    ("typed", "title", "places"),
    [
        ("con", "Fact: Confirm", (6, 7, 8)),
        ("pd", "passport_deadline", (0, 9)),
        ("passdead", "passport_deadline", (0, 1, 2, 3, 9, 10, 11, 12)),
        ("éspanol", "Language: Español", (10, 11, 12, 13, 14, 15, 16)),
        ("open store", "Open store", None),
        ("zzz", "Open store", None),
    ],
)
def test_letters_are_found_where_words_begin(
    typed: str, title: str, places: tuple[int, ...] | None
) -> None:
    fit = find_fit(typed, title)
    if typed == "open store":
        assert fit is not None
        assert "".join(title[at] for at in fit.places) == "Openstore"
    elif places is None:
        assert fit is None
    else:
        assert fit is not None
        assert fit.places == places


def test_a_better_fit_scores_higher() -> None:
    first = find_fit("con", "Conflicts")
    later = find_fit("con", "Fact: Confirm")
    inside = find_fit("con", "High falcon")
    assert first is not None
    assert later is not None
    assert inside is not None
    assert first.score > later.score > inside.score


def test_loose_letters_fit_only_on_request() -> None:
    assert find_fit("rtrct", "Retract") is None
    assert find_fit("rtrct", "Retract", is_loose=True) is not None


def test_the_palette_lists_every_action_but_itself(window: QWidget) -> None:
    palette = CommandPalette(window)
    palette.open_with(Context(is_open=True, is_writable=True), window)
    assert palette._model.rowCount() == len(ACTIONS) - 1


def test_typing_and_enter_choose_a_command(window: QWidget, qtbot) -> None:
    palette = CommandPalette(window)
    palette.open_with(Context(is_open=True), window)
    qtbot.keyClicks(palette._field, "theme dark")
    assert titles(palette)[0] == "Theme: Dark"
    with qtbot.waitSignal(palette.chosen) as told:
        qtbot.keyClick(palette._field, Qt.Key.Key_Return)
    assert told.args == ["theme.dark"]
    assert not palette.isVisible()


def test_what_cannot_be_done_stands_last_and_cannot_be_chosen(window: QWidget, qtbot) -> None:
    palette = CommandPalette(window)
    palette.open_with(Context(is_open=True), window)
    qtbot.keyClicks(palette._field, "con")
    entries = [
        palette._model.index(row, 0).data(ENTRY_ROLE) for row in range(palette._model.rowCount())
    ]
    enabled = [entry.is_enabled for entry in entries]
    assert enabled == sorted(enabled, reverse=True)
    assert False in enabled
    palette._field.setText("confirm")
    with qtbot.assertNotEmitted(palette.chosen):
        qtbot.keyClick(palette._field, Qt.Key.Key_Return)


def test_arrows_pass_over_what_cannot_be_chosen(window: QWidget, qtbot) -> None:
    pick = QuickPick("Choose", window)
    pick.set_entries(
        (
            Entry("a", "one"),
            Entry("b", "two", is_enabled=False),
            Entry("c", "three"),
        )
    )
    pick.open_over(window)
    at = pick._list.currentIndex
    assert at().data() == "one"
    qtbot.keyClick(pick._field, Qt.Key.Key_Down)
    assert at().data() == "three"
    qtbot.keyClick(pick._field, Qt.Key.Key_Down)
    assert at().data() == "three"
    qtbot.keyClick(pick._field, Qt.Key.Key_Up)
    assert at().data() == "one"
    qtbot.keyClick(pick._field, Qt.Key.Key_PageDown)
    assert at().data() == "three"
    with qtbot.waitSignal(pick.chosen) as told:
        qtbot.keyClick(pick._field, Qt.Key.Key_Return)
    assert told.args == ["c"]


def test_escape_leaves_without_choosing(window: QWidget, qtbot) -> None:
    pick = QuickPick("Choose", window)
    pick.set_entries((Entry("a", "one"),))
    pick.open_over(window)
    with qtbot.assertNotEmitted(pick.chosen):
        qtbot.keyClick(pick._field, Qt.Key.Key_Escape)
    assert not pick.isVisible()


def test_entries_from_elsewhere_come_on_request_and_stay_in_order(window: QWidget, qtbot) -> None:
    pick = QuickPick("Go to", window, is_filtered=False)
    asked: list[str] = []
    pick.queried.connect(asked.append)
    pick.open_over(window)
    qtbot.keyClicks(pick._field, "mi")
    assert asked == ["m", "mi"]
    pick.set_entries((Entry("2", "northwind"), Entry("1", "mira")))
    assert titles(pick) == ["northwind", "mira"]


def test_nothing_that_fits_is_said(window: QWidget, qtbot) -> None:
    pick = QuickPick("Choose", window)
    pick.set_entries((Entry("a", "one"),))
    pick.open_over(window)
    qtbot.keyClicks(pick._field, "xyz")
    assert pick._nothing.isVisible()
    assert not pick._list.isVisible()


def test_the_model_of_entries_is_sound_and_speaks(window: QWidget) -> None:
    pick = QuickPick("Choose", window)
    tester = QAbstractItemModelTester(
        pick._model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    pick.set_entries((Entry("a", "Undo", "Take back.", keys=("Ctrl+Z",)),))
    index = pick._model.index(0, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Undo, Ctrl+Z, Take back."
    pick.set_entries(())
    assert tester.model() is pick._model
