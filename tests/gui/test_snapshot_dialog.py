"""Taking a snapshot at the desk: counted first, written whole or not at all, and shown after."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from store import AsOf, Scope, Store, bind, open_store
from store.audit import Form, Withhold, count_snapshot, read_manifest
from store.audit.sign import verify_snapshot
from tests.accessible import nameless_in
from tests.sessions import demo_store, session_on, settled
from workbench import theme
from workbench.dialogs.snapshot import SnapshotDialog
from workbench.dialogs.snapshot_words import scope_words, suggested_name, withhold_help
from workbench.ops import ReadOp
from workbench.session import Session
from workbench.snapshots import Shelf
from workbench.widgets.link_text import CopyButton

AT = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


def fill(store: Store) -> Store:
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "I live in Porto.", occurred_at=AT)
    memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    memory.change("teo", "role", "editor", valid_from=AT, episode="e1")
    return store


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    location = "memory:" if request.param == "memory" else str(tmp_path / "store.db")
    return fill(open_store(location, create=True))


@pytest.fixture
def session(qapp: QApplication, store: Store) -> Iterator[Session]:
    with session_on(store) as opened:
        yield opened


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "opened")
    yield made
    made.clear()


@pytest.fixture
def open_dialog(qtbot, session: Session, shelf: Shelf, tmp_path: Path):
    def make() -> SnapshotDialog:
        dialog = SnapshotDialog(session, shelf)
        qtbot.addWidget(dialog)
        dialog._place = tmp_path
        dialog.show()
        counted(qtbot, session, dialog)
        return dialog

    return make


def counted(qtbot, session: Session, dialog: SnapshotDialog) -> None:
    """Wait until what is chosen is counted."""
    qtbot.waitUntil(lambda: not dialog._count_later.isActive() and settled(session))


def take(qtbot, session: Session, dialog: SnapshotDialog) -> None:
    assert dialog.take_button.isEnabled(), dialog._problem.text()
    dialog.take_button.click()
    qtbot.waitUntil(lambda: settled(session))


def words_in(widget: QWidget) -> list[str]:
    return [it.text() for it in widget.findChildren(QLabel) if not it.isHidden()]


# --- what will be in it -----------------------------------------------------------------------


def test_counts_and_a_name_stand_there_before_anything_is_written(
    open_dialog, store: Store, tmp_path: Path
) -> None:
    dialog = open_dialog()
    head = store.head(Scope("acme"))
    assert "2 fact" in dialog.counts.text
    assert "With a source: 2 of 2" in dialog.counts.text
    assert "Episodes cited: 1 of 1" in dialog.counts.text
    assert f"Transactions: {head.number}" in dialog.counts.text
    day = head.recorded_at.date().isoformat()
    assert dialog.form.out.path == tmp_path / f"acme-{day}-tx{head.number}.zip"
    assert f"Transaction {head.number}" in dialog.form.point.text()
    assert not list(tmp_path.glob("acme*"))


def test_it_begins_with_what_the_session_is_narrowed_to(
    qtbot, session: Session, open_dialog, store: Store
) -> None:
    later = datetime.now(UTC) + timedelta(days=1)
    session.set_filter(subject="mira", attribute="home_city")
    session.set_as_of(AsOf(valid_at=AT, known_at=later))
    dialog = open_dialog()
    selection = dialog.form.selection
    assert (selection.subject, selection.attribute) == ("mira", "home_city")
    assert (selection.valid_at, selection.known_at) == (AT, later)
    assert "1 fact" in dialog.counts.text
    assert not dialog.form.with_store.isEnabled()
    dialog.form.take_newest.click()
    counted(qtbot, session, dialog)
    assert dialog.form.selection.known_at is None
    assert dialog.form.take_newest.isHidden()


def test_the_newest_choice_is_what_is_counted(qtbot, session: Session, open_dialog) -> None:
    dialog = open_dialog()
    for typed in ("m", "mi", "mir", "mira"):
        dialog.form.subject.setText(typed)
        assert not dialog.take_button.isEnabled()
    counted(qtbot, session, dialog)
    assert "1 fact" in dialog.counts.text
    assert dialog.take_button.isEnabled()
    dialog.form.subject.setText("nobody")
    counted(qtbot, session, dialog)
    assert "0 fact" in dialog.counts.text


def test_it_can_be_taken_before_all_is_counted(
    qtbot, session: Session, open_dialog, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    let = threading.Event()

    def count(*asked, **more):
        let.wait(20)
        return count_snapshot(*asked, **more)

    dialog = open_dialog()
    monkeypatch.setattr("workbench.dialogs.snapshot.count_snapshot", count)
    dialog.form.subject.setText("mira")
    qtbot.waitUntil(dialog.take_button.isEnabled)
    assert not dialog.counts.isEnabled()  # what it says is of the whole record
    dialog.take()
    qtbot.waitUntil(lambda: dialog.pages.currentIndex() == 1)
    let.set()
    qtbot.waitUntil(lambda: settled(session))
    assert dialog.counts.isEnabled()
    assert "1 fact" in dialog.counts.text


def test_a_write_by_another_is_counted(qtbot, session: Session, open_dialog, store: Store) -> None:
    dialog = open_dialog()
    bind(store, "acme", agent_id="support").change(
        "ines", "role", "owner", valid_from=AT, episode="e1"
    )
    qtbot.waitUntil(lambda: "3 fact" in dialog.counts.text, timeout=10_000)
    assert dialog.form.out.path.name.endswith(f"tx{store.head(Scope('acme')).number}.zip")


def test_before_the_record_there_is_nothing_to_take(qtbot, session: Session, open_dialog) -> None:
    dialog = open_dialog()
    dialog.form.known_at.set_instant(datetime(2001, 1, 1, tzinfo=UTC))
    dialog.form.known_at.instant_changed.emit(dialog.form.known_at.instant)
    counted(qtbot, session, dialog)
    assert not dialog.take_button.isEnabled()
    assert "Nothing was recorded by then" in dialog.counts.accessibleName()


def test_a_window_needs_both_ends_in_order(qtbot, session: Session, open_dialog) -> None:
    dialog = open_dialog()
    form = dialog.form
    form.in_window.setChecked(True)
    assert "window begins" in dialog._problem.text()
    assert not form.valid_at.isEnabled()
    form.window_from.set_instant(AT)
    form.window_to.set_instant(AT)
    form.window_to.instant_changed.emit(AT)
    assert "must end after" in dialog._problem.text()
    form.window_to.set_instant(AT + timedelta(days=1))
    form.window_to.instant_changed.emit(form.window_to.instant)
    counted(qtbot, session, dialog)
    assert form.selection.window == (AT, AT + timedelta(days=1))
    assert dialog.take_button.isEnabled()


def test_each_way_of_keeping_back_is_explained(open_dialog) -> None:
    said = words_in(open_dialog().form)
    for choice in Withhold:
        assert withhold_help(choice) in said


def test_why_there_is_no_copy_of_the_store(
    qtbot, session: Session, open_dialog, store: Store
) -> None:
    dialog = open_dialog()
    form = dialog.form
    if store.url.startswith("memory:"):
        assert "no file" in form.store_says.text()
        return
    assert form.with_store.isEnabled()
    form.withhold[Withhold.VALUES].setChecked(True)
    assert "kept back" in form.store_says.text()
    assert not form.order().with_store
    bind(store, "globex", agent_id="support").capture("e1", "Hello.", occurred_at=AT)
    qtbot.waitUntil(lambda: len(session.tenants) == 2, timeout=10_000)
    form.withhold[Withhold.NOTHING].setChecked(True)
    assert "other tenants" in form.store_says.text()


# --- taking it --------------------------------------------------------------------------------


def test_a_snapshot_is_taken_and_shown(
    qtbot, session: Session, open_dialog, store: Store, tmp_path: Path
) -> None:
    dialog = open_dialog()
    out = dialog.form.out.path
    with qtbot.waitSignal(dialog.taken):
        take(qtbot, session, dialog)
    manifest = read_manifest(out)
    head = store.head(Scope("acme"))
    assert dialog.pages.currentIndex() == 1
    assert "2 fact" in dialog.counts.text
    said = words_in(dialog.done_view)
    assert {str(out), str(head), manifest.digest, "Whole record"} <= set(said)
    dialog.done_view.copy_head.click()
    assert QGuiApplication.clipboard().text() == str(head)
    copies = {it.accessibleName(): it for it in dialog.done_view.findChildren(CopyButton)}
    copies["Copy the digest of the manifest"].click()
    assert QGuiApplication.clipboard().text() == manifest.digest
    assert [it.destination for it in store.exports(Scope("acme"))] == [str(out)]
    dialog.another.click()
    counted(qtbot, session, dialog)
    assert dialog.form.out.path == out.with_name(f"{out.stem}-2.zip"), "that name is taken by now"
    dialog.form.out.set_path(str(out))
    take(qtbot, session, dialog)
    (said,) = dialog._board.shown
    assert out.name in said.text
    assert dialog.pages.currentIndex() == 0


def test_what_was_ordered_is_in_the_manifest(
    qtbot, session: Session, open_dialog, tmp_path: Path
) -> None:
    dialog = open_dialog()
    form = dialog.form
    form.memory_type.setEditText("fact")
    form.withhold[Withhold.CONTENT].setChecked(True)
    form.folder.setChecked(True)
    form.language.setCurrentIndex(form.language.findData("es"))
    counted(qtbot, session, dialog)
    assert form.form is Form.DIRECTORY
    assert form.out.path.suffix == ""
    form.out.set_path(str(tmp_path / "for the auditors"))
    take(qtbot, session, dialog)
    arguments = read_manifest(tmp_path / "for the auditors").arguments
    assert arguments.memory_type == "fact"
    assert arguments.withhold is Withhold.CONTENT
    assert arguments.language == "es"
    assert scope_words(arguments.model_dump()) == "fact, without contents"


def test_a_name_of_ones_own_stays(qtbot, session: Session, open_dialog, tmp_path: Path) -> None:
    dialog = open_dialog()
    dialog.form.out.set_path(str(tmp_path / "mine.zip"))
    dialog.form.subject.setText("mira")
    counted(qtbot, session, dialog)
    assert dialog.form.out.path == tmp_path / "mine.zip"
    dialog.form.out.line.clear()
    assert "where it goes" in dialog._problem.text()
    assert not dialog.take_button.isEnabled()


def test_what_goes_wrong_is_said_in_place_and_nothing_is_left(
    qtbot, session: Session, open_dialog, tmp_path: Path
) -> None:
    dialog = open_dialog()
    dialog.form.out.set_path(str(tmp_path / "absent" / "x.zip"))
    dialog.form.out.setFocus()
    typed_in = dialog.focusWidget()
    take(qtbot, session, dialog)
    (said,) = dialog._board.shown
    assert "absent" in said.text
    assert not (tmp_path / "absent").exists()
    assert dialog.take_button.isEnabled()
    assert dialog.focusWidget() is typed_in
    dialog.form.out.set_path(str(tmp_path / "y.zip"))
    assert dialog._board.shown == ()


def test_esc_stops_it_and_nothing_is_left(
    qtbot, session: Session, open_dialog, tmp_path: Path
) -> None:
    dialog = open_dialog()
    before = set(tmp_path.iterdir())
    gate = threading.Event()
    for number in "12":
        session.operations.read(
            ReadOp(("gate", number), lambda _work: gate.wait(20)), on_done=lambda _: None
        )
    dialog.take()
    assert not dialog.form.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    gate.set()
    qtbot.waitUntil(lambda: settled(session))
    (said,) = dialog._board.shown
    assert "nothing was left" in said.text
    assert set(tmp_path.iterdir()) == before
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_it_is_signed_with_a_key_that_is_made_on_the_spot(
    qtbot, session: Session, open_dialog, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography")
    dialog = open_dialog()
    form = dialog.form
    form.sign.setChecked(True)
    assert "key" in dialog._problem.text()
    form.key_wanted.emit(tmp_path / "own.key")
    qtbot.waitUntil(lambda: form.key.path == tmp_path / "own.key")
    take(qtbot, session, dialog)
    key = verify_snapshot(form.out.path)
    assert str(key) in words_in(dialog.done_view)


def test_without_the_package_it_says_why_nothing_is_signed(
    open_dialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.dialogs.snapshot_form.SIGN_EXTRA", "no_such_package")
    form = open_dialog().form
    assert not form.sign.isEnabled()
    assert "cryptography" in form.sign_says.text()
    assert not form.is_signed


def test_the_dialog_leaves_with_the_store(qtbot, session: Session, open_dialog) -> None:
    dialog = open_dialog()
    session.close()
    qtbot.waitUntil(lambda: settled(session))
    assert not dialog.isVisible()


def test_disputed_facts_and_open_conflicts_are_counted_with_their_wholes(
    qtbot, shelf: Shelf
) -> None:
    with session_on(demo_store()) as session:
        dialog = SnapshotDialog(session, shelf)
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitUntil(lambda: "Open conflicts" in dialog.counts.text, timeout=20_000)
        lines = dict(line.split(": ") for line in dialog.counts.text.splitlines()[1:])
        facts = dialog.counts.text.split()[0]
        assert lines["Disputed"].endswith(f" of {facts}")
        assert int(lines["Open conflicts"].split()[0]) > 0


# --- names and words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tenant", "name"),
    [
        ("acme", "acme-2026-03-01-tx7.zip"),
        ("../a/b\\c:d", "a-b-c-d-2026-03-01-tx7.zip"),
        ("<b>\u202e", "b-2026-03-01-tx7.zip"),
        ("///", "snapshot-2026-03-01-tx7.zip"),
        ("ñandú", "ñandú-2026-03-01-tx7.zip"),
    ],
)
def test_the_suggested_name_fits_every_system(tenant: str, name: str) -> None:
    assert suggested_name(tenant, 7, AT, Form.ZIP) == name


def test_whatever_takes_the_keyboard_has_a_name(qtbot, session: Session, open_dialog) -> None:
    dialog = open_dialog()
    take(qtbot, session, dialog)
    assert nameless_in(dialog) == []
