"""The whole desk on a real store: each action has a hand, all has a name, and nothing leaks."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QMenu, QTableView, QWidget

from store import Confirm, Scope, open_store
from store.backends.sqlite.library import driver
from workbench import log
from workbench.actions import ACTIONS, MENUS
from workbench.actions import Selection as SelectionKind
from workbench.app import Desk
from workbench.doors import HELD, Wish, build_demo
from workbench.folders import Folders
from workbench.panels.facts.columns import Column
from workbench.session import Selection
from workbench.settings import Settings, SettingsFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.db"
    assert build_demo(path)
    return path


@contextmanager
def desk_in(folder: Path, **settings: str) -> Iterator[Desk]:
    folders = Folders.under(folder)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    started = log.start(folders.log)
    chosen = Settings().changed(**{"theme": "light", "language": "en", **settings})
    desk = Desk(
        app,
        folders,
        started,
        settings=chosen,
        files=SettingsFile(folders.config),
        overrides={},
    )
    desk.window.resize(QSize(1600, 900))
    desk.window.show()
    try:
        yield desk
    finally:
        desk.shut_down()
        desk.window.hide()
        desk.window.deleteLater()
        started.stop()


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    with desk_in(tmp_path) as made:
        yield made


def settle(qtbot: QtBot, desk: Desk) -> None:
    """Wait until nothing is being read or written, the watch apart."""

    def is_quiet() -> bool:
        return all(ticket.key[0] == "watch" for ticket in desk.operations.tickets)

    qtbot.waitUntil(is_quiet, timeout=20_000)


def open_demo(qtbot: QtBot, desk: Desk, path: Path) -> None:
    with qtbot.waitSignal(desk.session.opened, timeout=20_000):
        desk.doors.open(Wish(str(path), read_only=True))
    qtbot.waitUntil(lambda: desk.session.summary is not None, timeout=20_000)
    settle(qtbot, desk)


def test_every_action_has_a_hand_and_a_place(desk: Desk) -> None:
    assert {spec.id for spec in ACTIONS} == desk.window.handled
    in_menus = {
        action.objectName()
        for menu in desk.window.findChildren(QMenu)
        for action in menu.actions()
        if action.objectName()
    }
    assert {spec.id for spec in ACTIONS if not spec.is_palette_only} <= in_menus
    assert len(desk.window.menuBar().actions()) == len([m for m in MENUS if len(m.path) == 1])


def test_without_a_store_the_first_steps_are_offered(desk: Desk) -> None:
    start = desk.window.findChild(QWidget, "start")
    assert start is not None
    assert start.isVisible()
    assert desk.window.context().is_open is False


def test_nothing_moves_when_work_shows_in_the_status_bar(
    qtbot: QtBot, desk: Desk, demo: Path
) -> None:
    height = desk.window.statusBar().height()
    open_demo(qtbot, desk, demo)
    assert desk.window.statusBar().height() == height


def test_the_demo_fills_every_panel(qtbot: QtBot, desk: Desk, demo: Path) -> None:
    open_demo(qtbot, desk, demo)
    assert desk.session.scope == Scope("acme")
    assert desk.session.summary is not None
    assert desk.session.summary.conflicts_open == 5
    assert "acme" in desk.window.windowTitle()
    assert desk.window.timeline_presenter.rows.outline


def test_everything_that_takes_the_focus_has_a_name(qtbot: QtBot, desk: Desk, demo: Path) -> None:
    open_demo(qtbot, desk, demo)
    nameless = []
    for widget in desk.window.findChildren(QWidget):
        if not widget.focusPolicy() or not widget.isVisibleTo(desk.window):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name).strip():
            nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    assert nameless == []


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_each_theme_paints(qtbot: QtBot, tmp_path: Path, demo: Path, theme: str) -> None:
    with desk_in(tmp_path, theme=theme) as desk:
        open_demo(qtbot, desk, demo)
        picture = desk.window.grab().toImage()
        ground = picture.pixelColor(picture.width() - 30, picture.height() - 200)
        assert (ground.lightness() > 128) is (theme == "light")
        colors = {picture.pixel(x, 200) for x in range(0, picture.width(), 3)}
        assert len(colors) > 5, "the timeline shows bars"


def test_another_language_keeps_store_and_selection(qtbot: QtBot, desk: Desk, demo: Path) -> None:
    open_demo(qtbot, desk, demo)
    english = desk.window.menuBar().actions()[0].text()
    before = desk.window
    desk.window.run_action("language.es")
    qtbot.waitUntil(lambda: desk.window is not before)
    settle(qtbot, desk)
    assert desk.window.menuBar().actions()[0].text() != english
    assert desk.session.is_open
    desk.window.run_action("language.en")
    qtbot.waitUntil(lambda: desk.window.menuBar().actions()[0].text() == english)


def test_another_language_keeps_what_is_in_view(qtbot: QtBot, desk: Desk, demo: Path) -> None:
    open_demo(qtbot, desk, demo)
    before = desk.window.timeline
    desk.session.select(Selection(SelectionKind.SUBJECT, subject="mira"))
    desk.doors.go_to("mira", "home_city")
    settle(qtbot, desk)
    before.zoom_in()
    before.glide.stop()
    before.state.scroll_to(before.state.top_most)  # away from what is selected
    before.presenter.set_collapsed("mira", is_collapsed=True)
    desk.window.facts.presenter.set_filters({Column.ATTRIBUTE: "city"})
    settle(qtbot, desk)
    seen, chosen = before.sight(), desk.session.selection
    assert seen is not None
    assert seen.top > 0
    desk.window.run_action("language.es")
    qtbot.waitUntil(lambda: desk.window.timeline is not before)
    settle(qtbot, desk)
    after = desk.window.timeline
    assert after.sight() == seen
    assert desk.window.focusWidget() is after.canvas
    assert desk.session.selection == chosen
    assert dict(desk.window.facts.presenter.texts) == {Column.ATTRIBUTE: "city"}


def test_a_store_that_cannot_be_opened_leaves_a_door(
    qtbot: QtBot, desk: Desk, tmp_path: Path
) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("These are notes, and no store. " * 50)
    with qtbot.waitSignal(desk.doors.refused, timeout=10_000):
        desk.doors.open(Wish(str(wrong)))
    shown = desk.window.board.shown
    assert len(shown) == 1
    assert "notes.txt" in shown[0].text
    assert shown[0].action_text


@contextmanager
def held_by_another(path: Path) -> Iterator[None]:
    """Hold a store as a program does that keeps it to itself."""
    other = driver.connect(str(path), isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.close()


def test_a_store_that_another_program_holds_opens_when_it_is_free(
    qtbot: QtBot, desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "demo.db"
    build_demo(path)
    with held_by_another(path):
        with qtbot.waitSignal(desk.doors.held, timeout=2_000):
            desk.doors.open(Wish(str(path)))
        (shown,) = desk.window.board.shown
        assert "is locked by another program" in shown.text
        assert shown.action_text == "Stop waiting"
        assert not desk.session.is_open
        waited_for = desk.session.opened
    with qtbot.waitSignal(waited_for, timeout=10_000):
        pass
    assert desk.window.board.shown == ()


def test_waiting_for_a_store_can_be_stopped(
    qtbot: QtBot, desk: Desk, demo: Path, tmp_path: Path
) -> None:
    path = tmp_path / "held.db"
    build_demo(path)
    with held_by_another(path):
        with qtbot.waitSignal(desk.doors.held, timeout=2_000):
            desk.doors.open(Wish(str(path)))
        with qtbot.waitSignal(desk.doors.refused, timeout=2_000):
            desk.window.board.choose_action(HELD.id)
        assert [it.text for it in desk.window.board.shown] == ["The store was not opened."]
        with qtbot.waitSignal(desk.doors.held, timeout=2_000):
            desk.window.board.choose_action("door.stopped")
        open_demo(qtbot, desk, demo)  # what one asks for now is not kept waiting
    assert desk.window.board.shown == ()


def test_a_new_store_begins_empty_and_says_how_to_go_on(
    qtbot: QtBot, desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "new.db"
    with qtbot.waitSignal(desk.session.opened, timeout=10_000):
        desk.doors.open(Wish(str(path), create=True))
    settle(qtbot, desk)
    assert path.exists()
    assert any("tenant" in message.text for message in desk.window.board.shown)


def test_closing_leaves_no_thread_and_no_timer(qtbot: QtBot, tmp_path: Path, demo: Path) -> None:
    before = set(threading.enumerate())
    with desk_in(tmp_path) as desk:
        open_demo(qtbot, desk, demo)
        session = desk.session
    assert set(threading.enumerate()) == before
    running = [timer for timer in session.findChildren(QTimer) if timer.isActive()]
    assert running == []


def test_the_layout_comes_back(qtbot: QtBot, tmp_path: Path) -> None:
    with desk_in(tmp_path) as desk:
        desk.window.run_action("panel.log")
        desk.window.keep_state()
    with desk_in(tmp_path) as desk:
        assert desk.window.panels["log"].isVisible()


def test_a_change_by_another_process_shows_and_keeps_the_selection(
    qtbot: QtBot, desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "demo.db"
    build_demo(path)
    with qtbot.waitSignal(desk.session.opened, timeout=20_000):
        desk.doors.open(Wish(str(path), subject="mira", attribute="home_city"))
    qtbot.waitUntil(lambda: desk.session.selection.memory_id is not None, timeout=20_000)
    settle(qtbot, desk)
    chosen = desk.session.selection
    with open_store(path) as other, qtbot.waitSignal(desk.session.changed, timeout=10_000):
        memory = other.read(Scope("acme"), "mira", "home_city")[0]
        episode = next(iter(other.episodes(Scope("acme")).items)).episode_id
        other.write(Scope("acme"), Confirm(memory_id=memory.memory_id, episode_id=episode))
    settle(qtbot, desk)
    assert desk.session.selection == chosen


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_window_fits_a_small_screen_at_double_size(
    qtbot: QtBot, tmp_path: Path, demo: Path, language: str
) -> None:
    with desk_in(tmp_path, language=language, theme="contrast") as desk:
        open_demo(qtbot, desk, demo)
        least = desk.window.minimumSizeHint()
        # 1600 by 900 pixels at 200 %, less the frame of the window.
        assert least.width() <= 800
        assert least.height() <= 430


def rows_in_view(table: QTableView) -> int:
    """Count the rows that are seen whole."""
    height = table.viewport().height()
    rows = range(table.model().rowCount())
    return sum(table.rowViewportPosition(r) + table.rowHeight(r) <= height for r in rows)


@pytest.mark.parametrize("language", ["en", "es"])
def test_each_panel_is_of_use_on_a_small_screen_at_double_size(
    qtbot: QtBot, tmp_path: Path, demo: Path, language: str
) -> None:
    with desk_in(tmp_path, language=language) as desk:
        window = desk.window
        window.resize(800, 428)
        window.lay_out_anew()
        open_demo(qtbot, desk, demo)
        assert window.size() == QSize(800, 428)
        assert window.timeline.canvas.height() >= 3 * 30
        assert window.timeline.canvas.width() >= 400
        assert window.timeline.minimap.isHidden()
        for name in ("facts", "conflicts", "journal", "episodes", "inspector"):
            desk.session.attention_wanted.emit(f"panel.{name}")
            settle(qtbot, desk)
            panel = window.panels[name]
            assert panel.isVisible()
            assert panel.height() >= 140
            tables = [it for it in panel.findChildren(QTableView) if it.isVisible()]
            assert all(rows_in_view(table) >= 2 for table in tables), name
        facts = window.panels["facts"]
        desk.session.attention_wanted.emit("panel.facts")
        header = facts.table.header
        assert header.is_folded
        qtbot.mouseClick(facts.bar.filter, Qt.MouseButton.LeftButton)
        assert not header.is_folded
        assert facts.bar.filter.isHidden()
        qtbot.keyClicks(QApplication.focusWidget(), "mira")
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
        assert not header.is_folded, "what narrows the table is seen"
        settle(qtbot, desk)
        facts.presenter.clear_filters()
        qtbot.waitUntil(lambda: header.is_folded)
        window.resize(1600, 900)
        window.run_action("window.reset_layout")
        qtbot.waitUntil(lambda: not header.is_folded)
        assert not window.timeline.minimap.isHidden()
        assert window.panels["inspector"].height() > 500, "it has a column of its own again"
