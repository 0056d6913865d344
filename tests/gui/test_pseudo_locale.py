"""With a language in which every text is marked, whatever is not marked was never translated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QMenu,
    QTabBar,
    QWidget,
)

from tests.sessions import demo_store, session_on, settled
from workbench import theme
from workbench.actions import ACTIONS
from workbench.dialogs.about import AboutDialog
from workbench.dialogs.import_store import ImportDialog
from workbench.dialogs.preferences import PreferencesDialog
from workbench.dialogs.shortcuts import ShortcutsDialog
from workbench.dialogs.snapshot import SnapshotDialog
from workbench.dialogs.snapshots import SnapshotsDialog
from workbench.dialogs.store_check import CheckDialog
from workbench.dialogs.store_properties import PropertiesDialog
from workbench.dialogs.verify_snapshot import VerifyDialog
from workbench.doors import Doors
from workbench.folders import Folders
from workbench.history import History
from workbench.log import LogRing
from workbench.session import Session
from workbench.settings import Settings, WindowState
from workbench.snapshots import Shelf
from workbench.widgets.pill import KeyCap
from workbench.window import MainWindow

MARK = "⟦"
ASKED = (
    "text",
    "title",
    "windowTitle",
    "placeholderText",
    "toolTip",
    "statusTip",
    "accessibleName",
    "accessibleDescription",
    "currentText",
)
#: Names that no language changes, and what comes from the store, the clock or the keyboard.
OWN_NAMES = {
    "acme",
    "globex",
    "operator",
    "memory:",
    "Memory Workbench",
    "Qt, PySide6",
    "Inter, JetBrains Mono",
    "Lucide",
    "English",
    "Español",
    "UTC",
}
NO_WORDS = re.compile(r"[\W\d_]*")
DATES = {"timeline_extent", "timeline_span"}
HEX = re.compile(r"[0-9a-f:….-]{8,}")


class Marked(QTranslator):
    """A catalogue that has every text, with a mark before and after it."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context, source, disambiguation=None, n=-1):
        return f"{MARK}{source}⟧" if source else source


@pytest.fixture
def marked(qapp: QApplication) -> Iterator[None]:
    theme.choose_theme(qapp, "light")
    translator = Marked()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def session(marked: None) -> Iterator[Session]:
    with session_on(demo_store()) as opened:
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
    made.resize(1600, 900)
    made.show()
    qtbot.waitUntil(lambda: settled(session) and session.summary is not None, timeout=20_000)
    return made


def said_by(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Everything that a widget shows or tells in words, with how it was asked for."""
    for name in ASKED:
        ask = getattr(widget, name, None)
        if callable(ask) and not isinstance(widget, KeyCap):
            yield name, ask()
    if isinstance(widget, QTabBar):
        yield from (("tab", widget.tabText(at)) for at in range(widget.count()))
    if isinstance(widget, QComboBox):
        yield from (("item", widget.itemText(at)) for at in range(widget.count()))
    if isinstance(widget, QMenu):
        yield from (("action", action.text()) for action in widget.actions())
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        yield from (("header", text) for text in headers_of(widget))


def headers_of(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    if model is None or not hasattr(view, "horizontalHeader"):
        return
    for section in range(model.columnCount()):
        said = model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        yield said if isinstance(said, str) else ""


def unmarked(top: QWidget, *, names: set[str] = frozenset()) -> list[str]:
    """Texts in a window that no catalogue gave."""
    found = []
    for widget in (top, *top.findChildren(QWidget)):
        if widget.objectName() in DATES or widget.objectName().startswith("qt_"):
            continue
        for asked, text in said_by(widget):
            plain = re.sub(r"</?qt>|[◆●&]", "", text or "").strip()
            if MARK in plain or plain in OWN_NAMES | names or NO_WORDS.fullmatch(plain):
                continue
            if HEX.fullmatch(plain):
                continue
            found.append(f"{type(widget).__name__} {widget.objectName()!r} {asked}: {plain[:80]}")
    return sorted(set(found))


def named_in(session: Session) -> set[str]:
    """Names that the record gives, which a dialog may offer."""
    assert session.store is not None
    assert session.scope is not None
    entries = session.store.attributes(session.scope)
    return {entry.name for entry in entries} | {entry.memory_type for entry in entries}


def test_every_text_of_the_main_window_is_translated(window: MainWindow) -> None:
    assert unmarked(window) == []


def test_every_panel_has_a_marked_title(window: MainWindow) -> None:
    titles = [dock.windowTitle() for dock in window._docks.values()]
    assert len(titles) >= 7
    assert [title for title in titles if MARK not in title] == []


def test_every_command_is_translated(window: MainWindow) -> None:
    bare = [
        f"{spec.id}: {said}"
        for spec in ACTIONS
        for action in (window._actions[spec.id],)
        for said in (action.text(), action.statusTip(), action.toolTip())
        if MARK not in said and said.replace("&", "") not in OWN_NAMES
    ]
    assert bare == []


def test_without_a_store_every_text_is_translated_too(
    qtbot, window: MainWindow, session: Session
) -> None:
    session.close()
    qtbot.waitUntil(lambda: settled(session))
    assert unmarked(window) == []


@pytest.mark.parametrize(
    "make",
    [
        lambda session, folders: CheckDialog(session),
        lambda session, folders: PropertiesDialog(session),
        lambda session, folders: ImportDialog(session, "zeroclaw"),
        lambda session, folders: ImportDialog(session, "table"),
        lambda session, folders: SnapshotDialog(session, Shelf(folders.data)),
        lambda session, folders: SnapshotsDialog(session, Shelf(folders.data)),
        lambda session, folders: VerifyDialog(session, Shelf(folders.data)),
        lambda session, folders: PreferencesDialog(Settings()),
        lambda session, folders: ShortcutsDialog(),
    ],
    ids=[
        "check",
        "properties",
        "zeroclaw",
        "table",
        "snapshot",
        "snapshots",
        "verify",
        "preferences",
        "keys",
    ],
)
def test_every_text_of_a_dialog_is_translated(
    qtbot, session: Session, tmp_path: Path, make
) -> None:
    dialog: QDialog = make(session, Folders.under(tmp_path))
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: settled(session))
    kept = ("ZoneEdit", ".zip")
    bare = unmarked(dialog, names=named_in(session))
    assert [line for line in bare if not any(it in line for it in kept)] == []


def test_the_about_dialog_names_programs_and_folders_only(qtbot, marked, tmp_path: Path) -> None:
    dialog = AboutDialog(Folders.under(tmp_path))
    qtbot.addWidget(dialog)
    kept = ("Apache", "LGPL", "SIL OFL", "ISC", str(tmp_path), "Python")
    assert [line for line in unmarked(dialog) if not any(it in line for it in kept)] == []
