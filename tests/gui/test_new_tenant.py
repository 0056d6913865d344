"""Naming a tenant: what a name may be is said in place, and the window looks at it at once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from store import Scope, open_store
from store.model import LONGEST_NAME
from workbench import log, theme
from workbench.app import Desk
from workbench.dialogs.new_tenant import NewTenantDialog, name_problem
from workbench.doors import EMPTY_STORE, Wish
from workbench.folders import Folders
from workbench.settings import Settings, SettingsFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture
def dialog(qtbot: QtBot, qapp: QApplication) -> NewTenantDialog:
    theme.choose_theme(qapp, "light")
    made = NewTenantDialog(known=["acme"])
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Give it a name."),
        ("   ", "Give it a name."),
        ("x" * (LONGEST_NAME + 1), f"at most {LONGEST_NAME} characters"),
        ("a\x07b", "control characters"),
        ("a\ud800b", "control characters"),
    ],
)
def test_what_is_no_name_is_said(qapp: QApplication, typed: str, said: str) -> None:
    assert said in name_problem(typed)


def test_a_name_is_cleaned_and_one_that_is_there_is_refused(
    qtbot: QtBot, dialog: NewTenantDialog
) -> None:
    named: list[str] = []
    dialog.named.connect(named.append)
    assert not dialog.begin.isEnabled()
    assert "Give it a name." in dialog.begin.toolTip()
    assert dialog.says.text().startswith("Whose memory it is")
    qtbot.keyClicks(dialog.name, " acme ")
    assert "already" in dialog.says.text()
    assert dialog.name.accessibleDescription() == dialog.says.text()
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    assert dialog.isVisible()
    dialog.name.setText("  Cafe\u0301 <b>north</b> ")
    assert dialog.begin.isEnabled()
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    assert named == ["Caf\u00e9 <b>north</b>"]
    assert not dialog.isVisible()


@contextmanager
def desk_in(folder: Path) -> Iterator[Desk]:
    folders = Folders.under(folder)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    started = log.start(folders.log)
    settings = Settings().changed(theme="light", language="en")
    desk = Desk(
        app,
        folders,
        started,
        settings=settings,
        files=SettingsFile(folders.config),
        overrides={},
    )
    desk.window.show()
    try:
        yield desk
    finally:
        desk.shut_down()
        desk.window.hide()
        desk.window.deleteLater()
        started.stop()


def asked(qtbot: QtBot, desk: Desk) -> NewTenantDialog:
    found = [it for it in desk.window.findChildren(NewTenantDialog) if it.isVisible()]
    assert len(found) == 1
    qtbot.waitExposed(found[0])
    return found[0]


def test_a_new_store_asks_for_its_first_tenant_and_shows_how_to_begin(
    qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    with desk_in(tmp_path / "home") as desk:
        session, window = desk.session, desk.window
        window.make_store(path)
        dialog = asked(qtbot, desk)
        assert dialog.name.selectedText() == "default", "Enter goes on, typing replaces it"
        dialog.reject()
        assert not path.exists(), "who steps back has made nothing"
        window.make_store(path)
        dialog = asked(qtbot, desk)
        qtbot.keyClicks(dialog.name, "north")
        with qtbot.waitSignal(session.opened, timeout=10_000):
            dialog.begin.click()
        assert session.scope == Scope("north")
        qtbot.waitUntil(lambda: window.timeline.empty_state.isVisible())
        offered = {
            button.objectName()
            for button in window.timeline.empty_state.findChildren(QPushButton)
            if button.isVisible()
        }
        assert offered == {"fact.add", "import.table", "import.zeroclaw"}
        (said,) = window.board.shown
        assert "no tenant “north” yet" in said.text
        window.board.choose_action(EMPTY_STORE.id)
        dialog = asked(qtbot, desk)
        qtbot.keyClicks(dialog.name, "south")
        dialog.begin.click()
        assert session.scope == Scope("south")
        assert "no tenant “south” yet" in window.board.shown[0].text


def test_the_tenant_menu_offers_a_new_one(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    open_store(path, create=True).close()
    with desk_in(tmp_path / "home") as desk:
        with qtbot.waitSignal(desk.session.opened, timeout=10_000):
            desk.doors.open(Wish(str(path)))
        desk.window.run_action("tenant.switch")
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        (entry,) = [it for it in menu.actions() if it.objectName() == "tenant.new"]
        menu.close()
        qtbot.waitUntil(lambda: not desk.session.operations.is_writing)
        entry.trigger()
        assert asked(qtbot, desk).name.text() == ""
