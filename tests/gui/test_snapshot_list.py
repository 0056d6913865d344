"""The list of snapshots that were taken: newest first, and what is left of them on disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton

from store import Scope, Store, bind, open_store
from store.audit import Form, Manifest, Selection, Withhold, take_snapshot
from tests.sessions import session_on, settled
from workbench import theme
from workbench.dialogs.snapshots import Listing, Presence, SnapshotsDialog, SnapshotsModel
from workbench.dialogs.verify_snapshot import VerifyDialog
from workbench.session import Session
from workbench.snapshots import Shelf

AT = datetime(2026, 3, 1, tzinfo=UTC)
ACME = Scope("acme")


class Opened(QObject):
    """Stands in for the system's programs: notes which files they were to open."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[Path] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.paths.append(Path(url.toLocalFile()))


@pytest.fixture
def opened(qapp: QApplication) -> Iterator[Opened]:
    stub = Opened()
    QDesktopServices.setUrlHandler("file", stub, "open")
    yield stub
    QDesktopServices.unsetUrlHandler("file")


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    location = "memory:" if request.param == "memory" else str(tmp_path / "store.db")
    store = open_store(location, create=True)
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "I live in Porto.", occurred_at=AT)
    memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    bind(store, "globex", agent_id="support").capture("e1", "Hello.", occurred_at=AT)
    return store


@pytest.fixture
def session(qapp: QApplication, store: Store) -> Iterator[Session]:
    with session_on(store) as opened_session:
        yield opened_session


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "opened")
    yield made
    made.clear()


@pytest.fixture
def taken(store: Store, tmp_path: Path) -> dict[str, Manifest]:
    """Four snapshots, of which one is gone and one is no longer the same."""
    mira = Selection(subject="mira", withhold=Withhold.VALUES)
    made = {
        "first.zip": take_snapshot(store, ACME, tmp_path / "first.zip"),
        "folder": take_snapshot(store, ACME, tmp_path / "folder", mira, form=Form.DIRECTORY),
        "gone.zip": take_snapshot(store, ACME, tmp_path / "gone.zip"),
        "other.zip": take_snapshot(store, ACME, tmp_path / "other.zip", mira),
    }
    (tmp_path / "gone.zip").unlink()
    shutil.copyfile(tmp_path / "first.zip", tmp_path / "other.zip")
    return {name: it.manifest for name, it in made.items()}


@pytest.fixture
def dialog(qtbot, session: Session, shelf: Shelf, taken: dict[str, Manifest]) -> SnapshotsDialog:
    return listed(qtbot, session, shelf)


def listed(qtbot, session: Session, shelf: Shelf) -> SnapshotsDialog:
    made = SnapshotsDialog(session, shelf)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.is_read)
    return made


def rows(model: SnapshotsModel) -> list[tuple[str, ...]]:
    return [
        tuple(model.index(row, column).data() for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]


def choose(dialog: SnapshotsDialog, name: str) -> None:
    names = [row[SnapshotsModel.DESTINATION] for row in rows(dialog.model)]
    dialog.table.selectRow(names.index(name))


def test_newest_first_with_what_is_left(dialog: SnapshotsDialog) -> None:
    said = {row[SnapshotsModel.DESTINATION]: row for row in rows(dialog.model)}
    assert list(said) == ["other.zip", "gone.zip", "folder", "first.zip"]
    presence = {name: row[SnapshotsModel.PRESENCE] for name, row in said.items()}
    assert presence == {
        "other.zip": "not the same",
        "gone.zip": "not there",
        "folder": "there",
        "first.zip": "there",
    }
    assert said["folder"][SnapshotsModel.SCOPE] == "mira, without values"
    assert said["first.zip"][SnapshotsModel.SCOPE] == "Whole record"


def test_a_sign_stands_beside_the_word(dialog: SnapshotsDialog) -> None:
    for row in range(dialog.model.rowCount()):
        index = dialog.model.index(row, SnapshotsModel.PRESENCE)
        assert not index.data(Qt.ItemDataRole.DecorationRole).isNull()


def test_the_head_is_copied_also_where_the_file_is_gone(
    dialog: SnapshotsDialog, store: Store
) -> None:
    choose(dialog, "gone.zip")
    assert not dialog.verify.isEnabled()
    assert not dialog.report.isEnabled()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == str(store.head(ACME))


@pytest.mark.parametrize("name", ["first.zip", "folder"])
def test_a_report_opens_from_a_copy_that_runs_nothing(
    qtbot, dialog: SnapshotsDialog, session: Session, opened: Opened, shelf: Shelf, name: str
) -> None:
    choose(dialog, name)
    dialog.report.click()
    qtbot.waitUntil(lambda: bool(opened.paths))
    (path,) = opened.paths
    assert path.name == "report.html"
    assert path.is_relative_to(shelf._own)
    assert b"default-src 'none'" in path.read_bytes()[:200]


def test_its_folder_is_shown(dialog: SnapshotsDialog, opened: Opened, tmp_path: Path) -> None:
    choose(dialog, "first.zip")
    dialog.folder.click()
    assert opened.paths == [tmp_path]


def test_a_changed_file_does_not_stand_against_the_note(
    qtbot, dialog: SnapshotsDialog, session: Session
) -> None:
    choose(dialog, "first.zip")
    dialog.verify.click()
    (check,) = [it for it in QApplication.topLevelWidgets() if isinstance(it, VerifyDialog)]
    qtbot.addWidget(check)
    qtbot.waitUntil(lambda: not check.work.is_working and settled(session))
    chosen = dialog.chosen
    assert check.kept.text() == f"{chosen.head} {chosen.export.manifest}"
    assert "It is what it was" in check.text


def test_it_asks_to_be_opened_or_restored(qtbot, dialog: SnapshotsDialog, tmp_path: Path) -> None:
    choose(dialog, "folder")
    for button, signal in (
        (dialog.open_button, dialog.open_wanted),
        (dialog.restore, dialog.restore_wanted),
    ):
        with qtbot.waitSignal(signal) as asked:
            button.click()
        assert asked.args == [tmp_path / "folder"]


def test_another_tenant_has_none(
    qtbot, session: Session, dialog: SnapshotsDialog, opened: Opened
) -> None:
    session.set_scope(Scope("globex"))
    qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.empty)
    assert dialog.copy.isHidden()
    button = dialog.empty.findChild(QPushButton, "snapshot.take")
    with qtbot.waitSignal(dialog.take_wanted):
        button.click()


def test_the_model_of_snapshots(qtmodeltester, store: Store, taken: dict[str, Manifest]) -> None:
    model = SnapshotsModel()
    model.show(tuple(Listing(it, Presence.UNKNOWN) for it in store.exports(ACME)))
    qtmodeltester.check(model, force_py=True)
    assert rows(model)[0][SnapshotsModel.PRESENCE] == "not looked at"
    hint = model.index(3, SnapshotsModel.DIGEST).data(Qt.ItemDataRole.ToolTipRole)
    assert taken["first.zip"].digest in hint
