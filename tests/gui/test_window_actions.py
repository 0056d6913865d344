"""The window's own commands: dialogs of the store, link, report, looking on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget

from store import Corrupt, bind, open_store
from tests.sessions import session_on, settled
from workbench import theme
from workbench.doors import DOOR_MESSAGES, EMPTY_STORE, Doors, Wish, door_for
from workbench.folders import Folders
from workbench.history import History
from workbench.log import LogRing
from workbench.panels.navigator.presenter import Section
from workbench.session import Selection, Session
from workbench.settings import Settings, WindowState
from workbench.window import MainWindow, fitting_size

AT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def session(qapp: QApplication) -> Iterator[Session]:
    theme.choose_theme(qapp, "light")
    store = open_store("memory:")
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "I live in Porto.", occurred_at=AT)
    memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    with session_on(store) as opened:
        yield opened


@pytest.fixture
def window(qtbot, session: Session, tmp_path: Path) -> MainWindow:
    folders = Folders.under(tmp_path)
    made = MainWindow(
        session,
        History(session),
        Doors(session, folders),
        settings=Settings(),
        folders=folders,
        state=WindowState(folders.config),
        ring=LogRing(),
    )
    qtbot.addWidget(made)
    made.settings_wanted.connect(made.set_settings)
    made.show()
    qtbot.waitUntil(lambda: settled(session), timeout=20_000)
    return made


@pytest.mark.parametrize(
    "action_id", ["store.check", "store.properties", "import.zeroclaw", "import.table"]
)
def test_a_dialog_of_the_store_opens_once(
    qtbot, window: MainWindow, session: Session, action_id: str
) -> None:
    window.run_action(action_id)
    window.run_action(action_id)
    (dialog,) = (it for it in window.findChildren(QDialog, action_id) if it.isVisible())
    assert not dialog.isModal()
    qtbot.waitUntil(lambda: settled(session))
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()
    window.run_action(action_id)
    assert window.findChild(QDialog, action_id).isVisible()


def test_nothing_is_imported_into_a_store_for_reading(
    qtbot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "store.db"
    open_store(path, create=True).close()
    store = open_store(path, read_only=True)
    session.open(store, store.tenants(), tenant_id="acme")
    qtbot.waitUntil(lambda: settled(session))
    window.run_action("import.table")
    assert window.findChild(QDialog, "import.table") is None
    window.run_action("store.check")
    assert window.findChild(QDialog, "store.check").isVisible()


def test_a_link_and_a_report_are_copied_and_said(window: MainWindow, session: Session) -> None:
    session.set_filter(subject="mira")
    window.run_action("edit.copy_link")
    assert QGuiApplication.clipboard().text() == session.link()
    assert "subject=mira" in session.link()
    window.run_action("help.copy_report")
    assert "PySide6" in QGuiApplication.clipboard().text()
    assert ["clipboard" in shown.text for shown in window.board.shown] == [True]


def test_others_can_be_left_waiting(window: MainWindow, session: Session) -> None:
    follow = window._actions["view.follow"]
    window.run_action("view.follow")
    assert not session.is_following
    window._refresh_actions()
    assert not follow.isChecked()
    window.run_action("view.follow")
    assert session.is_following
    window._refresh_actions()
    assert follow.isChecked()


def test_an_empty_store_is_said_until_it_has_a_tenant(
    qtbot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    window._doors.open(Wish(str(tmp_path / "new.db"), create=True))
    qtbot.waitUntil(lambda: any(it.message is EMPTY_STORE for it in window.board.shown))
    qtbot.waitUntil(lambda: settled(session))
    window.run_action("import.zeroclaw")
    source = tmp_path / "claw"
    source.mkdir()
    (source / "MEMORY.md").write_text("- **tone**: brief\n")
    dialog = window.findChild(QDialog, "import.zeroclaw")
    dialog.form.folder.set_path(str(source))
    dialog.import_button.click()
    qtbot.waitUntil(lambda: session.summary is not None and session.summary.facts == 1)
    assert all(it.message is not EMPTY_STORE for it in window.board.shown)


def test_the_first_window_fits_the_screen() -> None:
    assert fitting_size(QSize(1600, 900), QSize(2560, 1440)) == QSize(1600, 900)
    small = fitting_size(QSize(1600, 900), QSize(1024, 700))
    assert small.width() == 1024
    assert small.height() < 700


def test_tab_walks_the_dialog_for_a_fact_from_top_to_bottom(
    qtbot, window: MainWindow, session: Session
) -> None:
    window.run_action("fact.add")
    qtbot.waitUntil(lambda: any(it.isVisible() for it in window.findChildren(QDialog)))
    (dialog,) = (it for it in window.findChildren(QDialog) if it.isVisible())
    qtbot.waitUntil(lambda: settled(session))
    first = dialog.nextInFocusChain()
    stops, at = [], first
    while True:
        if at.isVisibleTo(dialog) and at.focusPolicy() & Qt.FocusPolicy.TabFocus:
            stops.append(at)
        at = at.nextInFocusChain()
        if at is first:
            break
    top = min(range(len(stops)), key=lambda n: stops[n].mapTo(dialog, QPoint()).y())
    stops = stops[top:] + stops[:top]
    heights = [it.mapTo(dialog, it.rect().center()).y() for it in stops if it is not dialog]
    assert len(heights) > 8
    order = [(type(it).__name__, it.objectName(), y) for it, y in zip(stops, heights, strict=False)]
    assert all(below >= above - 8 for above, below in pairwise(heights)), str(order)


def test_a_search_for_a_value_leaves_subjects_and_lanes_in_sight(
    qtbot, window: MainWindow, session: Session
) -> None:
    session.set_filter(text="porto")
    qtbot.waitUntil(lambda: window.facts.presenter.count == 1 and settled(session))
    assert window.timeline_presenter.rows.lanes == 1
    navigator = window.panels["navigator"]
    assert [entry.id for entry in navigator.presenter.lists[Section.SUBJECTS].entries] == ["mira"]
    assert not window.timeline.empty_state.isVisible()
    window.run_action("view.clear_filters")
    assert session.filter.text == ""
    assert not window.context().has_filter


def test_a_menu_shows_what_is_on_and_says_below_what_a_command_does(
    window: MainWindow, qtbot
) -> None:
    on = window._actions["view.follow"]
    assert on.isChecked()
    assert not on.isIconVisibleInMenu()
    assert window._actions["store.open"].isIconVisibleInMenu()
    strip = window.findChild(QWidget, "status_strip")
    assert strip.isVisible()
    window.statusBar().showMessage(window._actions["fact.end"].statusTip())
    assert window.statusBar().currentMessage() == "No fact is selected."
    assert not strip.isVisible()
    window.statusBar().clearMessage()
    assert strip.isVisible()


def test_the_ways_to_arrange_stand_apart_in_their_menu(window: MainWindow) -> None:
    view = window.findChild(QMenu, "menu.view")
    entries = view.actions()
    panels = next(at for at, it in enumerate(entries) if it.menu() is not None)
    assert entries[panels - 1].isSeparator()
    assert not any(it.isSeparator() for it in entries[panels:])


def test_zooming_has_a_key_wherever_the_focus_is(window: MainWindow) -> None:
    keys = [it.toString() for it in window._actions["view.zoom_in"].shortcuts()]
    assert keys == ["Ctrl++", "Ctrl+="]


def test_a_panel_that_is_asked_for_comes_up_and_is_never_put_away(
    window: MainWindow, session: Session, qtbot
) -> None:
    window.activateWindow()
    window.run_action("panel.journal")
    journal = window._docks["journal"]
    assert journal.isAncestorOf(window.focusWidget())
    session.attention_wanted.emit("panel.journal")
    assert not journal.isHidden()
    window.run_action("panel.journal")
    assert journal.isHidden()
    assert window.timeline.canvas.hasFocus()


def test_a_store_that_cannot_be_read_either_leads_to_another() -> None:
    damaged = Corrupt("The store is damaged.")
    assert door_for(damaged).action.id == "read_only"
    assert door_for(damaged, read_only=True).action.id == "store.open"
    assert door_for(damaged, read_only=True) in DOOR_MESSAGES


def test_a_copied_link_opens_the_view_again(
    qtbot, window: MainWindow, session: Session, tmp_path: Path
) -> None:
    path = tmp_path / "store.db"
    with open_store(path, create=True) as store:
        memory = bind(store, "acme", agent_id="support")
        memory.capture("e1", "I live in Porto.", occurred_at=AT)
        memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    with qtbot.waitSignal(session.opened):
        window._doors.open(Wish(str(path)))
    qtbot.waitUntil(lambda: settled(session))
    fact = session.store.read(session.scope, "mira", "home_city")[0]
    session.set_filter(subject="mira", history=True)
    session.select(Selection.of_fact(fact))
    window.run_action("edit.copy_link")
    window.run_action("store.close")
    with qtbot.waitSignal(session.opened):
        window.run_action("store.open_link")
    qtbot.waitUntil(lambda: session.selection.memory_id == fact.memory_id)
    assert session.filter.subject == "mira"
    assert session.filter.history
    link = QGuiApplication.clipboard().text()
    path.unlink()
    open_store(path, create=True).close()
    QGuiApplication.clipboard().setText(link)
    window.run_action("store.open_link")
    qtbot.waitUntil(lambda: any("Another store" in shown.text for shown in window.board.shown))


def test_a_clipboard_without_a_link_is_said(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText("lunch at noon")
    window.run_action("store.open_link")
    assert ["no link" in shown.text for shown in window.board.shown] == [True]
