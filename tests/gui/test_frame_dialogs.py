from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from workbench import theme
from workbench.actions import ACTIONS, GESTURES, Context
from workbench.crash import CrashReporter
from workbench.dialogs.about import AboutDialog
from workbench.dialogs.crash_report import CrashDialog
from workbench.dialogs.preferences import PreferencesDialog
from workbench.dialogs.shortcuts import ShortcutsDialog, key_lines
from workbench.folders import Folders
from workbench.messages import Message, MessageAction, MessageBoard, Severity
from workbench.settings import Settings, setting_fields
from workbench.widgets.as_of_bar import AsOfBar
from workbench.widgets.command_palette import CommandPalette, key_text
from workbench.widgets.instant_edit import InstantEdit
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.pill import KeyCap
from workbench.widgets.search_field import SearchField
from workbench.widgets.value_view import ValueView


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


# --- keys -----------------------------------------------------------------------------------


def test_the_key_list_has_every_action_with_keys_and_every_gesture(qtbot) -> None:
    with_keys = [spec for spec in ACTIONS if spec.keys]
    assert len(key_lines()) == len(with_keys) + len(GESTURES)
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    caps = [cap.text() for cap in dialog.findChildren(KeyCap) if cap.parent() is not None]
    for spec in with_keys:
        assert key_text(spec.keys[0]) in caps


def test_typing_narrows_the_key_list(qtbot) -> None:
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    field = dialog.findChild(SearchField)
    qtbot.keyClicks(field, "refresh")
    qtbot.waitUntil(lambda: dialog.lines_shown == 1)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert dialog.lines_shown == len(key_lines())
    qtbot.keyClicks(field, "hologram")
    qtbot.waitUntil(lambda: dialog.lines_shown == 0)


# --- preferences ----------------------------------------------------------------------------


@pytest.fixture
def preferences(qtbot) -> PreferencesDialog:
    dialog = PreferencesDialog(Settings())
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_every_setting_has_a_named_control(preferences: PreferencesDialog) -> None:
    for field in setting_fields():
        control = preferences.findChild(QWidget, f"setting.{field.name}")
        assert control.accessibleName() == field.title
        assert control.accessibleDescription() == field.description


def test_a_choice_takes_effect_at_once(preferences: PreferencesDialog, qtbot) -> None:
    heard: list[Settings] = []
    preferences.changed.connect(heard.append)
    combo = preferences.findChild(QComboBox, "setting.theme")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_End)
    assert heard[-1].theme == "contrast"
    box = preferences.findChild(QCheckBox, "setting.reduced_motion")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert heard[-1].reduced_motion
    line = preferences.findChild(QLineEdit, "setting.actor")
    assert line.maxLength() == 120
    line.setText(" ines ")
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert heard[-1] == Settings().changed(theme="contrast", reduced_motion=True, actor="ines")


def test_defaults_come_back_and_the_recent_stores_stay(qtbot) -> None:
    settings = Settings().changed(theme="dark", row_density="roomy").with_recent_store("a.db")
    dialog = PreferencesDialog(settings)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.changed) as told:
        dialog._restore.click()
    assert told.args == [Settings().with_recent_store("a.db")]
    assert dialog.findChild(QComboBox, "setting.theme").currentData() == "system"


def test_settings_changed_elsewhere_are_shown_and_not_told(
    preferences: PreferencesDialog, qtbot
) -> None:
    with qtbot.assertNotEmitted(preferences.changed):
        preferences.set_settings(Settings().changed(theme="dark"))
    shown = preferences._controls["theme"]
    assert isinstance(shown, QComboBox)
    assert shown.currentData() == "dark"


# --- about and crash ------------------------------------------------------------------------


def test_about_copies_the_versions(qtbot, tmp_path: Path) -> None:
    dialog = AboutDialog(Folders.under(tmp_path))
    qtbot.addWidget(dialog)
    copy = next(it for it in dialog.findChildren(QPushButton) if it.text() == "Copy versions")
    copy.click()
    assert "PySide6" in QGuiApplication.clipboard().text()


@pytest.fixture
def reporter(qapp: QApplication, tmp_path: Path) -> Iterator[CrashReporter]:
    it = CrashReporter()
    it.install(tmp_path)
    yield it
    it.uninstall()


def strike(error: Exception) -> None:
    try:
        raise error
    except Exception as caught:
        sys.excepthook(type(caught), caught, caught.__traceback__)


def test_bugs_open_one_window_that_can_be_copied(reporter: CrashReporter, qtbot) -> None:
    dialog = CrashDialog(reporter)
    qtbot.addWidget(dialog)
    for _ in range(7):
        strike(LookupError("lost"))
    strike(KeyError("other"))
    qtbot.waitUntil(lambda: sum(it.count for it in reporter.reports) == 8)
    shown = [it for it in QApplication.topLevelWidgets() if isinstance(it, CrashDialog)]
    assert [it.isVisible() for it in shown if it is dialog] == [True]
    assert not dialog.isModal()
    dialog._copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "LookupError: lost" in copied
    assert "7 times" in copied
    assert dialog.findChild(QPlainTextEdit).toPlainText() == copied


def test_a_closed_report_opens_again_only_for_something_new(reporter: CrashReporter, qtbot) -> None:
    dialog = CrashDialog(reporter)
    qtbot.addWidget(dialog)
    strike(LookupError("lost"))
    qtbot.waitUntil(dialog.isVisible)
    dialog.reject()
    try:
        raise_at_one_place(1)
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    qtbot.waitUntil(dialog.isVisible)
    dialog.reject()
    try:
        raise_at_one_place(2)
    except ValueError as error:
        sys.excepthook(ValueError, error, error.__traceback__)
    qtbot.waitUntil(lambda: reporter.reports[-1].count == 2)
    assert not dialog.isVisible()


def raise_at_one_place(number: int) -> None:
    raise ValueError(number)


# --- everybody can use it -------------------------------------------------------------------


def everything(tmp_path: Path, qtbot) -> list[QWidget]:
    """All widgets and dialogs of the frame that can take the keyboard."""
    board = MessageBoard()
    board.show(Message("a", Severity.ERROR, "Bad.", MessageAction("retry", "Try again")))
    window = QWidget()
    bar = AsOfBar(window)
    bar.open_axis("valid_at")  # type: ignore[arg-type]
    edit = InstantEdit("Valid from", window)
    edit._pick.click()
    palette = CommandPalette(window)
    palette.open_with(Context(), window)
    made: list[QWidget] = [
        window,
        MessageBar(board),
        SearchField("Search", "Ctrl K"),
        ValueView(),
        ShortcutsDialog(),
        AboutDialog(Folders.under(tmp_path)),
        PreferencesDialog(Settings()),
        CrashDialog(CrashReporter()),
    ]
    for widget in made:
        qtbot.addWidget(widget)
    return made


@pytest.mark.parametrize("name", theme.THEME_NAMES)
def test_whatever_takes_the_keyboard_has_a_name(
    qapp: QApplication, qtbot, tmp_path: Path, name: theme.ThemeName
) -> None:
    theme.choose_theme(qapp, name)
    nameless = []
    for top in everything(tmp_path, qtbot):
        if isinstance(top, QDialog):
            top.show()
        for widget in (top, *top.findChildren(QWidget)):
            if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isEnabled():
                continue
            if widget.objectName().startswith("qt_") or widget.inherits("QCalendarView"):
                continue  # made and named by Qt itself
            interface = QAccessible.queryAccessibleInterface(widget)
            said = interface.text(QAccessible.Text.Name) if interface else ""
            if not said:
                nameless.append(f"{type(top).__name__}: {type(widget).__name__}")
        assert not top.grab().isNull()
    assert nameless == []


def test_preferences_scroll_where_the_screen_is_low_and_keep_their_buttons(qapp, qtbot) -> None:
    dialog = PreferencesDialog(Settings())
    qtbot.addWidget(dialog)
    dialog.show()
    page = dialog.findChild(QScrollArea)
    assert page.verticalScrollBar().maximum() == 0
    dialog.resize(dialog.width(), 330)
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() > 0)
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons.mapTo(dialog, buttons.rect().bottomLeft()).y() < 330
