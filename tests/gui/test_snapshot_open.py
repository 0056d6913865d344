"""Opening a snapshot: verified, restored beside everything, under a banner, and gone afterwards."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from store import AsOf, Corrupt, FactQuery, Scope, Store, bind, open_store
from store.audit import Form, Selection, Withhold, take_snapshot
from store.audit.sign import new_key, verify_head
from tests.sessions import settled
from workbench import theme
from workbench.dialogs.import_store import ImportDialog
from workbench.doors import Doors, Wish
from workbench.folders import Folders
from workbench.history import History
from workbench.log import LogRing
from workbench.ops import Operations
from workbench.session import Selection as View
from workbench.session import Session
from workbench.settings import Settings, WindowState
from workbench.snapshots import Shelf, take_report_out
from workbench.window import MainWindow

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


@pytest.fixture
def session(qapp: QApplication) -> Iterator[Session]:
    theme.choose_theme(qapp, "light")
    operations = Operations()
    made = Session(operations)
    yield made
    made.close()
    operations.shutdown()


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.under(tmp_path / "home")


@pytest.fixture
def doors(session: Session, folders: Folders) -> Iterator[Doors]:
    made = Doors(session, folders, session)
    yield made
    made.shelf.clear()


@pytest.fixture
def window(qtbot, session: Session, doors: Doors, folders: Folders) -> MainWindow:
    made = MainWindow(
        session,
        History(session),
        doors,
        settings=Settings(),
        folders=folders,
        state=WindowState(folders.config),
        ring=LogRing(),
    )
    qtbot.addWidget(made)
    made.settings_wanted.connect(made.set_settings)
    made.show()
    return made


@pytest.fixture
def store() -> Store:
    made = open_store("memory:", create=True)
    memory = bind(made, "acme", agent_id="support")
    memory.capture("e1", "I live in Porto.", occurred_at=AT)
    memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    memory.change("teo", "role", "editor", valid_from=AT, episode="e1")
    return made


@pytest.fixture
def package(store: Store, tmp_path: Path) -> Path:
    take_snapshot(store, ACME, tmp_path / "acme.zip")
    return tmp_path / "acme.zip"


def come_in(qtbot, session: Session, doors: Doors, path: Path) -> None:
    with qtbot.waitSignal(doors.opened, timeout=20_000):
        doors.open(Wish(str(path)))
    qtbot.waitUntil(lambda: settled(session), timeout=20_000)


def refusal(qtbot, doors: Doors, path: Path) -> str:
    with qtbot.waitSignal(doors.refused, timeout=20_000) as refused:
        doors.open(Wish(str(path)))
    return str(refused.args[1])


def on_shelf(folders: Folders) -> list[Path]:
    return [it for it in folders.data.glob("opened/*/*") if it.is_dir()]


# --- coming in --------------------------------------------------------------------------------


@pytest.mark.parametrize("form", list(Form))
def test_a_whole_one_is_the_same_record_read_only(
    qtbot, session: Session, doors: Doors, store: Store, tmp_path: Path, form: Form
) -> None:
    out = tmp_path / "copy"
    take_snapshot(store, ACME, out, form=form)
    come_in(qtbot, session, doors, out)
    head = store.head(ACME)
    assert session.store.head(ACME) == head
    assert not session.is_writable
    assert session.snapshot.path == out
    assert session.snapshot.head == str(head)
    assert session.snapshot.is_whole
    assert session.scope == ACME


def test_a_filtered_one_is_its_facts(
    qtbot, session: Session, doors: Doors, window: MainWindow, store: Store, tmp_path: Path
) -> None:
    out = tmp_path / "mira.zip"
    take_snapshot(store, ACME, out, Selection(subject="mira"))
    come_in(qtbot, session, doors, out)
    facts = session.store.facts(ACME, FactQuery()).items
    assert [(fact.subject, fact.value) for fact in facts] == [("mira", "Porto")]
    assert not session.snapshot.is_whole
    assert "a part of the record" in window.banner.sentence
    assert "conflict" not in window.banner.sentence


def test_no_part_is_passed_off_as_a_record_without_dispute(
    qtbot, session: Session, doors: Doors, window: MainWindow, store: Store, tmp_path: Path
) -> None:
    memory = bind(store, "acme", agent_id="support")
    (standing,) = memory.read("mira", "home_city")
    memory.capture("rival", "She lives in Braga.", occurred_at=AT)
    memory.change("mira", "home_city", "Braga", valid_from=standing.valid_from, episode="rival")
    out = tmp_path / "mira.zip"
    take_snapshot(store, ACME, out, Selection(subject="mira"))
    come_in(qtbot, session, doors, out)
    assert "1 open conflict" in window.banner.sentence
    qtbot.waitUntil(lambda: not window._actions["snapshot.take"].isEnabled())
    assert not window._actions["store.copy_head"].isEnabled()


def test_the_window_says_everywhere_what_it_is(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, store: Store
) -> None:
    assert window.banner.isHidden()
    come_in(qtbot, session, doors, package)
    number = store.head(ACME).number
    assert f"Snapshot of acme as of transaction {number}" in window.banner.sentence
    assert "read-only" in window.banner.sentence
    assert not window.banner.isHidden()
    assert window.windowTitle().startswith("Snapshot: acme · acme.zip")
    assert "snapshot, read only" in window._status._live.accessibleName()
    assert str(package) in session.link()
    assert window._settings.recent_stores[0] == str(package)
    session.close()
    qtbot.waitUntil(lambda: settled(session))
    assert window.banner.isHidden()


def test_the_banner_leads_to_report_and_verification(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, opened: Opened
) -> None:
    come_in(qtbot, session, doors, package)
    window.banner.report.click()
    qtbot.waitUntil(lambda: bool(opened.paths))
    assert opened.paths[0].name == "report.html"
    window.banner.verify.click()
    dialog = window.findChild(QDialog, "snapshot.verify")
    qtbot.waitUntil(lambda: not dialog.work.is_working and settled(session))
    assert dialog.verdict.sentence.startswith("Nothing is wrong.")
    assert dialog.against.isHidden()  # what is open is made from it


def test_the_banner_leads_to_a_store_of_its_own(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, tmp_path: Path
) -> None:
    come_in(qtbot, session, doors, package)
    window.banner.restore.click()
    (dialog,) = (it for it in window.findChildren(ImportDialog) if it.isVisible())
    qtbot.waitUntil(lambda: settled(session))
    window.banner.restore.click()
    assert len([it for it in window.findChildren(ImportDialog) if it.isVisible()]) == 1
    assert dialog.form.file.path == package
    assert dialog.store.here.isHidden(), "what is open is a copy"
    dialog.store.file.set_path(str(tmp_path / "mine.db"))
    dialog.carry_out()
    qtbot.waitUntil(lambda: dialog.pages.currentIndex() == 1, timeout=20_000)
    with qtbot.waitSignal(doors.opened, timeout=20_000):
        dialog.show_tenant.click()
    qtbot.waitUntil(lambda: settled(session))
    assert session.snapshot is None
    assert session.is_writable
    assert session.scope == ACME
    assert window.banner.isHidden()


def test_what_is_dropped_on_the_window_is_opened(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path
) -> None:
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(package))])
    keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    act = Qt.DropAction.CopyAction
    enters = QDragEnterEvent(QPoint(5, 5), act, carried, button, keys)
    QApplication.sendEvent(window, enters)
    assert enters.isAccepted()
    with qtbot.waitSignal(doors.opened, timeout=20_000):
        QApplication.sendEvent(window, QDropEvent(QPointF(5, 5), act, carried, button, keys))
    assert session.snapshot.path == package


def test_one_can_be_taken_of_what_is_opened_and_is_the_same(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, tmp_path: Path
) -> None:
    come_in(qtbot, session, doors, package)
    window.run_action("snapshot.take")
    dialog = window.findChild(QDialog, "snapshot.take")
    qtbot.waitUntil(lambda: settled(session))
    dialog.form.out.set_path(str(tmp_path / "again.zip"))
    dialog.take()
    qtbot.waitUntil(lambda: dialog.pages.currentIndex() == 1)
    assert (tmp_path / "again.zip").read_bytes() == package.read_bytes()
    assert not dialog.done_view._unnoted.isHidden()


# --- staying out ------------------------------------------------------------------------------


@pytest.mark.parametrize("withhold", [Withhold.CONTENT, Withhold.VALUES])
def test_what_keeps_something_back_is_refused_with_its_report(
    qtbot,
    session: Session,
    doors: Doors,
    window: MainWindow,
    store: Store,
    tmp_path: Path,
    opened: Opened,
    withhold: Withhold,
) -> None:
    out = tmp_path / "withheld.zip"
    take_snapshot(store, ACME, out, Selection(withhold=withhold))
    assert "keeps values or contents back" in refusal(qtbot, doors, out)
    (shown,) = window.board.shown
    assert shown.action_text == "Open report"
    window.board.choose_action(shown.message.id)
    qtbot.waitUntil(lambda: bool(opened.paths))
    assert not session.is_open


def test_a_tampered_one_is_refused_and_its_checks_are_offered(
    qtbot,
    session: Session,
    doors: Doors,
    window: MainWindow,
    package: Path,
    folders: Folders,
) -> None:
    bad = package.with_name("bad.zip")
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(bad, "w") as target:
        for member in source.infolist():
            target.writestr(member, source.read(member).replace(b"Porto", b"Braga"))
    assert "bad.zip" in refusal(qtbot, doors, bad)
    assert not session.is_open
    assert on_shelf(folders) == []
    (shown,) = window.board.shown
    window.board.choose_action(shown.message.id)
    dialog = window.findChild(QDialog, "snapshot.verify")
    qtbot.waitUntil(lambda: not dialog.work.is_working and settled(session))
    assert not dialog.wrong.isHidden()


@pytest.mark.parametrize("member", ["../escaped", "other.txt"])
def test_a_foreign_archive_is_one_sentence(
    qtbot, doors: Doors, window: MainWindow, folders: Folders, tmp_path: Path, member: str
) -> None:
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as target:
        target.writestr(member, "x")
    said = refusal(qtbot, doors, foreign)
    assert said.endswith(".")
    assert "Traceback" not in said
    assert len(window.board.shown) == 1
    assert on_shelf(folders) == []


# --- and back ---------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A store on disk, of two tenants."""
    path = tmp_path / "kept.db"
    with open_store(path, create=True) as made:
        for tenant in ("acme", "globex"):
            memory = bind(made, tenant, agent_id="support")
            memory.capture("e1", "I live in Porto.", occurred_at=AT)
            memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    return path


def go_back(qtbot, session: Session, doors: Doors, window: MainWindow) -> None:
    with qtbot.waitSignal(doors.opened, timeout=20_000):
        window.banner.close_button.click()
    qtbot.waitUntil(lambda: settled(session), timeout=20_000)


def test_closing_it_leads_back_to_what_was_looked_at(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, kept: Path
) -> None:
    with qtbot.waitSignal(doors.opened, timeout=20_000):
        doors.open(Wish(str(kept), "globex", read_only=True))
    session.set_filter(subject="mira", history=True)
    session.set_as_of(AsOf(valid_at=AT))
    (fact,) = session.store.facts(Scope("globex"), FactQuery()).items
    session.select(View.of_fact(fact))
    looked_at = session.link()
    come_in(qtbot, session, doors, package)
    assert window.banner.close_button.text() == "Back to kept.db"
    assert "kept.db" in window.banner.close_button.toolTip()
    go_back(qtbot, session, doors, window)
    assert session.link() == looked_at
    assert not session.is_writable, "it was opened to be read"
    assert session.snapshot is None
    assert window.banner.isHidden()
    assert window._settings.recent_stores[:2] == (str(kept), str(package))


def test_the_way_back_leads_past_other_snapshots(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, kept: Path
) -> None:
    come_in(qtbot, session, doors, kept)
    come_in(qtbot, session, doors, package)
    come_in(qtbot, session, doors, package)
    qtbot.waitUntil(lambda: window._actions["store.close"].text() == "C&lose snapshot")
    with qtbot.waitSignal(doors.opened, timeout=20_000):
        window.run_action("store.close")
    qtbot.waitUntil(lambda: settled(session), timeout=20_000)
    assert session.snapshot is None
    assert session.store.url.endswith("kept.db")
    qtbot.waitUntil(lambda: window._actions["store.close"].text() == "C&lose store")
    window.run_action("store.close")
    assert not session.is_open


def test_a_narrow_banner_keeps_its_buttons_in_one_row(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, kept: Path
) -> None:
    come_in(qtbot, session, doors, kept)
    come_in(qtbot, session, doors, package)
    banner = window.banner
    buttons = (banner.report, banner.verify, banner.restore, banner.close_button)
    names = [button.accessibleName() for button in buttons]
    assert [button.text() for button in buttons] == names
    for width in (1100, 700, 420):
        banner.setFixedWidth(width)
        QApplication.processEvents()
        assert len({button.y() for button in buttons}) == 1, width
        assert buttons[-1].mapTo(banner, buttons[-1].rect().topRight()).x() < width
    assert [button.text() for button in buttons] == [""] * 4
    assert [button.accessibleName() for button in buttons] == names
    assert all(button.toolTip() for button in buttons)
    banner.setFixedWidth(1100)
    QApplication.processEvents()
    assert [button.text() for button in buttons] == names


def test_where_nothing_was_open_it_leads_to_the_first_page(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, kept: Path
) -> None:
    come_in(qtbot, session, doors, kept)
    session.close()
    come_in(qtbot, session, doors, package)
    assert window.banner.close_button.text() == "Close snapshot"
    window.banner.close_button.click()
    assert not session.is_open
    assert window.banner.isHidden()
    assert window._centre.currentWidget() is window._start
    assert window._start.isAncestorOf(window.focusWidget())


def test_a_store_that_is_gone_keeps_no_one_in_a_snapshot(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, kept: Path
) -> None:
    come_in(qtbot, session, doors, kept)
    come_in(qtbot, session, doors, package)
    for left in kept.parent.glob("kept.db*"):
        left.unlink()
    with qtbot.waitSignal(doors.refused, timeout=20_000):
        window.banner.close_button.click()
    assert not session.is_open
    (said,) = window.board.shown
    assert "kept.db" in said.text


def test_another_language_knows_the_way_back(
    qtbot,
    session: Session,
    doors: Doors,
    window: MainWindow,
    package: Path,
    kept: Path,
    folders: Folders,
) -> None:
    come_in(qtbot, session, doors, kept)
    come_in(qtbot, session, doors, package)
    other = MainWindow(
        session,
        History(session),
        doors,
        settings=Settings(),
        folders=folders,
        state=WindowState(folders.config),
        ring=LogRing(),
    )
    qtbot.addWidget(other)
    assert other.banner.close_button.accessibleName() == "Back to kept.db"
    qtbot.waitUntil(lambda: settled(session), timeout=20_000)


# --- going away -------------------------------------------------------------------------------


def test_the_copy_goes_when_it_is_closed_or_another_is_opened(
    qtbot, session: Session, doors: Doors, folders: Folders, package: Path
) -> None:
    come_in(qtbot, session, doors, package)
    (first,) = on_shelf(folders)
    come_in(qtbot, session, doors, package)
    qtbot.waitUntil(lambda: not first.exists())
    (second,) = on_shelf(folders)
    session.close()
    qtbot.waitUntil(lambda: settled(session))
    assert not second.exists()


def test_what_a_program_left_behind_is_swept_and_what_lives_stays(
    qtbot, session: Session, doors: Doors, folders: Folders
) -> None:
    root = folders.data / "opened"
    left = root / "0123" / "store"
    left.mkdir(parents=True)
    (left / "store.db").write_bytes(b"left")
    other = Shelf(root)
    living = other.make()
    doors.sweep()
    qtbot.waitUntil(lambda: settled(session))
    assert not left.parent.exists()
    assert living.is_dir()
    other.clear()
    assert not living.exists()


def test_nothing_outside_its_shelf_is_dropped(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "opened")
    made = shelf.make()
    mine = tmp_path / "mine"
    mine.mkdir()
    shelf.drop(mine)
    assert mine.is_dir()
    shelf.drop(made)
    assert not made.exists()
    shelf.clear()
    assert list((tmp_path / "opened").iterdir()) == []


# --- reports ----------------------------------------------------------------------------------


def test_a_hostile_report_runs_and_loads_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    (folder / "report.html").write_text(
        '<!doctype html><meta HTTP-EQUIV=refresh content="0;url=http://x">'
        "<script>alert(1)</script><p>http-equiv</p>",
        encoding="utf-8",
    )
    said = take_report_out(folder, tmp_path).read_text(encoding="utf-8")
    before, _, rest = said.partition("\n")
    assert "default-src 'none'" in before
    assert "script-src" not in before
    assert "http-equiv" not in rest.casefold()
    assert "<p>http&#45;equiv</p>" in rest


def test_a_report_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text("secret", encoding="utf-8")
    folder = tmp_path / "linked"
    folder.mkdir()
    (folder / "report.html").symlink_to(secret)
    with pytest.raises(Corrupt, match="cannot be shown"):
        take_report_out(folder, tmp_path)


# --- the window's commands --------------------------------------------------------------------


@pytest.mark.parametrize("action_id", ["snapshot.take", "snapshot.list", "snapshot.verify"])
def test_a_dialog_opens_once(
    qtbot, session: Session, doors: Doors, window: MainWindow, tmp_path: Path, action_id: str
) -> None:
    path = tmp_path / "store.db"
    bind(open_store(str(path), create=True), "acme", agent_id="support").capture(
        "e1", "Hello.", occurred_at=AT
    )
    come_in(qtbot, session, doors, path)
    window.run_action(action_id)
    window.run_action(action_id)
    (dialog,) = (it for it in window.findChildren(QDialog, action_id) if it.isVisible())
    assert not dialog.isModal()
    qtbot.waitUntil(lambda: settled(session))
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()


def test_the_head_is_copied_from_the_menu(
    qtbot, session: Session, doors: Doors, window: MainWindow, package: Path, store: Store
) -> None:
    come_in(qtbot, session, doors, package)
    window.run_action("store.copy_head")
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == str(store.head(ACME)))
    assert any("is in the clipboard" in it.text for it in window.board.shown)


def test_a_signed_head_is_copied_from_the_menu(
    qtbot,
    session: Session,
    doors: Doors,
    window: MainWindow,
    package: Path,
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    come_in(qtbot, session, doors, package)
    key = new_key(tmp_path / "mine.key")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(tmp_path / "mine.key"), ""))
    window.run_action("store.sign_head")
    head = store.head(ACME)
    qtbot.waitUntil(lambda: str(head) in QGuiApplication.clipboard().text())
    tenant, said, signature = QGuiApplication.clipboard().text().split()
    assert (tenant, said) == ("acme", str(head))
    assert verify_head(head, signature, key.public) == key.public
    assert any("signed head of acme" in it.text for it in window.board.shown)


def test_a_file_that_is_no_key_signs_nothing(
    qtbot,
    session: Session,
    doors: Doors,
    window: MainWindow,
    package: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    come_in(qtbot, session, doors, package)
    QGuiApplication.clipboard().setText("before")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(package), ""))
    window.run_action("store.sign_head")
    qtbot.waitUntil(lambda: any(package.name in it.text for it in window.board.shown))
    assert QGuiApplication.clipboard().text() == "before"
