"""The README's five minutes on the demo store, key by key, as a newcomer follows them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QPushButton,
    QWidget,
)

from store.temporal import NOW
from tests.support import ROOT
from workbench import log
from workbench.app import Desk
from workbench.dialogs.conflict.view import ConflictDialog
from workbench.doors import Wish, build_demo
from workbench.folders import Folders
from workbench.session import SelectionKind
from workbench.settings import Settings, SettingsFile
from workbench.widgets.quick_pick import QuickPick

LATE = "2026-08-01"
ITEMS = ("Look", "Ask why", "Travel", "Settle", "Account")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tour") / "demo.db"
    assert build_demo(path)
    return path


@pytest.fixture
def desk(qtbot, tmp_path: Path, demo: Path) -> Iterator[Desk]:
    path = tmp_path / "demo.db"
    shutil.copyfile(demo, path)
    folders = Folders.under(tmp_path)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    started = log.start(folders.log)
    settings = Settings().changed(theme="light", language="en", reduced_motion=True)
    files = SettingsFile(folders.config)
    made = Desk(app, folders, started, settings=settings, files=files, overrides={})
    made.window.resize(QSize(1600, 900))
    made.window.show()
    made.window.activateWindow()
    try:
        with qtbot.waitSignal(made.session.opened, timeout=20_000):
            made.doors.open(Wish(str(path)))
        qtbot.waitUntil(lambda: made.session.summary is not None, timeout=20_000)
        settle(qtbot, made)
        made.window.timeline.setFocus()
        yield made
    finally:
        made.shut_down()
        made.window.hide()
        made.window.deleteLater()
        started.stop()


def settle(qtbot, desk: Desk) -> None:
    def is_quiet() -> bool:
        return all(ticket.key[0] == "watch" for ticket in desk.operations.tickets)

    qtbot.waitUntil(is_quiet, timeout=20_000)


def press(qtbot, desk: Desk, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
    """Press a key where the focus is."""
    held = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        held |= modifier
    qtbot.keyClick(QApplication.focusWidget() or desk.window, key, held)


def come_back(qtbot, desk: Desk) -> None:
    """Go on in the window after a popup or dialog; without a screen no one else brings it up."""
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    desk.window.timeline.setFocus()


def popup(qtbot) -> QWidget:
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    found = QApplication.activePopupWidget()
    assert found is not None
    return found


def values_on_lane(desk: Desk) -> list[str]:
    """Give the values of the bars on the first lane, in their order."""
    lane = desk.window.timeline_presenter.lane(0)
    return [] if lane is None else [lane.page.bar(index).value.strip('"') for index in lane.bars]


def jump_to_passport(qtbot, desk: Desk) -> None:
    press(qtbot, desk, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: desk.window.findChild(QuickPick) is not None)
    pick = desk.window.findChild(QuickPick)
    assert pick is not None
    field = pick.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "passport")
    settle(qtbot, desk)
    qtbot.waitUntil(lambda: (pick.property("pairs") or ())[:1] == (("mira", "passport_deadline"),))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.session.selection.kind is SelectionKind.FACT)
    settle(qtbot, desk)


def test_the_readme_still_has_these_steps() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for number, item in enumerate(ITEMS, start=1):
        assert f"\n{number}. **{item}.** " in text


def test_look(qtbot, desk: Desk) -> None:
    state = desk.window.timeline.state
    whole = state.us_per_px
    press(qtbot, desk, Qt.Key.Key_W)
    assert state.us_per_px < whole
    left = state.left
    press(qtbot, desk, Qt.Key.Key_A)
    assert state.left < left
    press(qtbot, desk, Qt.Key.Key_D)
    press(qtbot, desk, Qt.Key.Key_S)
    assert state.us_per_px == pytest.approx(whole)
    press(qtbot, desk, Qt.Key.Key_F)
    density = desk.window.timeline_presenter.density
    assert state.left <= density.valid_from
    assert state.right >= density.valid_to


def test_ask_why(qtbot, desk: Desk) -> None:
    jump_to_passport(qtbot, desk)
    assert values_on_lane(desk) == [LATE, "2026-07-15", "2026-06-30"]
    inspector = desk.window.panels["inspector"]
    said = " ".join(
        text
        for widget in inspector.findChildren(QWidget)
        for text in (
            widget.property("text"),
            widget.property("plainText"),
            widget.accessibleName(),
        )
        if isinstance(text, str)
    )
    assert "2026-06-30" in said
    assert "2026-07-15" in said


def test_travel(qtbot, desk: Desk) -> None:
    jump_to_passport(qtbot, desk)
    come_back(qtbot, desk)
    press(qtbot, desk, Qt.Key.Key_K)
    field = popup(qtbot).findChild(QLineEdit, "instant")
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "4 June 2026")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert desk.session.as_of.known_at == datetime(2026, 6, 4, tzinfo=UTC)
    settle(qtbot, desk)
    qtbot.waitUntil(lambda: values_on_lane(desk) == ["2026-07-15", "2026-06-30"])
    assert QApplication.activePopupWidget() is None
    come_back(qtbot, desk)
    press(qtbot, desk, Qt.Key.Key_N)
    assert desk.session.as_of == NOW
    qtbot.waitUntil(lambda: values_on_lane(desk)[:1] == [LATE])


def test_settle_and_account(qtbot, desk: Desk) -> None:
    summary = desk.session.summary
    assert summary is not None
    before = summary.conflicts_open, summary.newest
    undo = next(it for it in desk.window.actions() if it.objectName() == "edit.undo")
    press(qtbot, desk, Qt.Key.Key_C)
    qtbot.waitUntil(lambda: desk.window.findChild(ConflictDialog) is not None)
    dialog = desk.window.findChild(ConflictDialog)
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    settle(qtbot, desk)
    press(qtbot, desk, Qt.Key.Key_1)
    settle(qtbot, desk)
    decide_because(qtbot, dialog, "the customer said so")
    qtbot.waitUntil(lambda: open_conflicts(desk) == before[0] - 1, timeout=20_000)
    dialog.close()
    settle(qtbot, desk)
    qtbot.waitUntil(lambda: desk.window.context().undo_label != "")
    come_back(qtbot, desk)
    qtbot.waitUntil(undo.isEnabled)
    press(qtbot, desk, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: open_conflicts(desk) == before[0], timeout=20_000)
    settle(qtbot, desk)

    press(qtbot, desk, Qt.Key.Key_7, Qt.KeyboardModifier.AltModifier)
    settle(qtbot, desk)
    journal = desk.window.panels["journal"]
    assert journal.isVisible()
    assert desk.session.newest == before[1] + 2, "decided and taken back, and nothing deleted"


def open_conflicts(desk: Desk) -> int:
    return desk.session.summary.conflicts_open if desk.session.summary else -1


def decide_because(qtbot, dialog: QDialog, reason: str) -> None:
    (combo,) = [it for it in dialog.findChildren(QComboBox) if it.isEditable() and it.isVisible()]
    field = combo.lineEdit()
    assert field is not None
    qtbot.keyClicks(field, reason)
    record = next(it for it in dialog.findChildren(QPushButton) if it.text() == "Record decision")
    qtbot.waitUntil(record.isEnabled)
    record.click()
