"""Verifying at the desk: check by check, the first wrong thing large, nothing in it run."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from store import Scope, Store, bind, open_store
from store.audit import Selection, Withhold, take_snapshot
from store.audit.reading import read_manifest
from store.audit.sign import new_key
from store.audit.verify import CHECKS
from tests.accessible import nameless_in
from tests.sessions import session_on, settled
from tests.unit.store.audit.verifying import files_of, random_store, verdict_on
from workbench import theme
from workbench.dialogs.verify_snapshot import VerifyDialog
from workbench.dialogs.verify_snapshot_words import TITLES, message_words, note_words, title_words
from workbench.ops import ReadOp
from workbench.session import Session
from workbench.snapshots import Shelf

AT = datetime(2026, 3, 1, tzinfo=UTC)
ACME = Scope("acme")


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


@pytest.fixture
def store() -> Store:
    made = open_store("memory:", create=True)
    memory = bind(made, "acme", agent_id="support")
    memory.capture("e1", "I live in Porto.", occurred_at=AT)
    memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    return made


@pytest.fixture
def session(qapp: QApplication, store: Store) -> Iterator[Session]:
    with session_on(store) as opened:
        yield opened


@pytest.fixture
def package(store: Store, tmp_path: Path) -> Path:
    take_snapshot(store, ACME, tmp_path / "acme.zip")
    return tmp_path / "acme.zip"


@pytest.fixture
def dialog(qtbot, session: Session, tmp_path: Path) -> VerifyDialog:
    made = VerifyDialog(session, Shelf(tmp_path / "opened"))
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def verify(qtbot, session: Session, dialog: VerifyDialog) -> Callable[..., None]:
    def run(path: Path, kept: str = "", *, against: bool = False) -> None:
        dialog.file.set_path(str(path))
        dialog.kept.setText(kept)
        dialog.against.setChecked(against)
        assert dialog.verify_button.isEnabled(), dialog._problem.text()
        dialog.verify_button.click()
        qtbot.waitUntil(lambda: not dialog.work.is_working and settled(session))
        QApplication.processEvents()  # what was added is shown by the loop

    return run


def words_in(widget: QWidget) -> list[str]:
    return [it.text() for it in widget.findChildren(QLabel) if not it.isHidden()]


def tampered(package: Path, name: str, old: bytes, new: bytes) -> Path:
    """Write a copy of a package in which one file says something else."""
    out = package.with_name("tampered.zip")
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(out, "w") as target:
        for member in source.infolist():
            data = source.read(member)
            if member.filename == name:
                assert old in data
                data = data.replace(old, new)
            target.writestr(member, data)
    return out


# --- what is found ----------------------------------------------------------------------------


def test_every_check_stands_there_with_a_sign_and_a_word(
    dialog: VerifyDialog, verify, package: Path
) -> None:
    verify(package)
    said = words_in(dialog.checks)
    assert [title for title, _unit in CHECKS.values() if title not in said] == []
    assert said.count("passed") >= 15
    assert "failed" not in said
    assert "does not apply" in said  # neither a head nor a digest was kept
    assert dialog.verdict.sentence.startswith("Nothing is wrong.")
    assert dialog.wrong.isHidden()
    assert not dialog._notes.isHidden()


def test_a_head_that_was_kept_is_held_against_it(
    dialog: VerifyDialog, verify, package: Path, store: Store
) -> None:
    head = store.head(ACME)
    verify(package, str(head))
    assert "The record is what it was" in dialog.verdict.sentence
    assert "of the reports in it a head says nothing" in dialog.verdict.sentence
    verify(package, read_manifest(package).digest)
    assert "It is what it was when its digest was kept elsewhere." in dialog.verdict.sentence
    verify(package, f" {head}  {read_manifest(package).digest} ")
    assert "It is what it was when its digest was kept elsewhere." in dialog.verdict.sentence
    assert not any("A head says nothing" in note for note in dialog._notes.text().split("\n"))
    verify(package, f"{head.number + 1}:{'a' * 64}")
    assert not dialog.wrong.isHidden()
    assert "tail was cut off" in dialog.text
    verify(package, "b" * 64)
    assert not dialog.wrong.isHidden()


def test_the_first_wrong_thing_is_large_and_can_be_copied(
    dialog: VerifyDialog, verify, package: Path
) -> None:
    verify(tampered(package, "versions.jsonl", b"Porto", b"Braga"))
    assert dialog.verdict.isHidden()
    assert not dialog.wrong.isHidden()
    said = words_in(dialog.wrong)
    assert any("versions.jsonl" in words for words in said)
    assert any("It was changed" in words for words in said)
    assert any("versions.jsonl line " in words for words in words_in(dialog.checks))
    assert words_in(dialog.checks).count("failed") >= 2
    dialog.wrong.copy.click()
    assert "versions.jsonl" in QGuiApplication.clipboard().text()
    dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "tampered.zip" in copied
    assert "something was changed" in copied


def test_what_is_kept_back_is_not_provable_and_said_so(
    dialog: VerifyDialog, verify, store: Store, tmp_path: Path
) -> None:
    out = tmp_path / "withheld.zip"
    take_snapshot(store, ACME, out, Selection(withhold=Withhold.VALUES))
    verify(out)
    assert "not provable" in words_in(dialog.checks)
    assert "kept back" in dialog._notes.text()


def test_a_broken_package_is_one_sentence_in_place(
    dialog: VerifyDialog, verify, tmp_path: Path
) -> None:
    hostile = tmp_path / "hostile.zip"
    with zipfile.ZipFile(hostile, "w") as target:
        target.writestr("../escaped", "x")
    verify(hostile)
    (said,) = dialog._board.shown
    assert "hostile.zip cannot be verified" in said.text
    assert not (tmp_path.parent / "escaped").exists()
    dialog.file.set_path(str(tmp_path / "absent.zip"))
    assert dialog._board.shown == ()


# --- against the open store -------------------------------------------------------------------


def test_it_is_said_where_it_stands_to_the_open_store(
    dialog: VerifyDialog, verify, package: Path, store: Store
) -> None:
    verify(package, against=True)
    assert "whole record of the open store" in dialog._store_band.sentence
    memory = bind(store, "acme", agent_id="support")
    memory.change("teo", "role", "editor", valid_from=AT, episode="e1")
    verify(package, against=True)
    assert "began" in dialog._store_band.sentence
    assert "Added since: 1" in dialog.text


def test_another_record_and_a_forged_one_are_told_apart(
    dialog: VerifyDialog, verify, package: Path, tmp_path: Path
) -> None:
    verify(tampered(package, "versions.jsonl", b"Porto", b"Braga"), against=True)
    assert "differs from the open store" in dialog._store_band.sentence
    other = open_store("memory:", create=True)
    bind(other, "acme", agent_id="support").capture("e1", "Hello.", occurred_at=AT)
    take_snapshot(other, ACME, tmp_path / "other.zip")
    verify(tmp_path / "other.zip", against=True)
    assert "not the record of the open store" in dialog._store_band.sentence


def test_without_a_store_there_is_nothing_to_compare_with(
    qtbot, session: Session, dialog: VerifyDialog, verify, package: Path
) -> None:
    session.close()
    qtbot.waitUntil(lambda: settled(session))
    assert dialog.against.isHidden()
    verify(package)
    assert dialog.verdict.sentence.startswith("Nothing is wrong.")


# --- signatures -------------------------------------------------------------------------------


def test_a_signature_is_checked_against_the_key_that_was_kept(
    dialog: VerifyDialog, verify, package: Path, store: Store, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography")
    key, other = new_key(tmp_path / "a.key"), new_key(tmp_path / "b.key")
    signed = tmp_path / "signed.zip"
    take_snapshot(store, ACME, signed, key=key)
    verify(signed)
    assert key.public.fingerprint in dialog._signature.sentence
    verify(signed, str(key.public))
    assert "the key that you kept" in dialog._signature.sentence
    verify(signed, str(other.public))
    assert dialog._signature.property("severity") == "error"
    assert dialog.verdict.isHidden(), "it is not so that nothing is wrong"
    verify(package, str(key.public))
    assert "not signed" in dialog._signature.sentence
    assert "Nothing is wrong" not in dialog.text
    verify(package)
    assert dialog._signature.isHidden()


def test_the_line_of_a_head_is_taken_whole_and_its_signature_is_checked(
    dialog: VerifyDialog, verify, package: Path, store: Store, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography")
    head = store.head(ACME)
    line = f"acme  {head}  {head.entries} entries  2026-03-01T12:30Z"
    verify(package, f" {line}\n")
    assert "The record is what it was" in dialog.verdict.sentence
    assert dialog._head_signature.isHidden()
    key, other = new_key(tmp_path / "a.key"), new_key(tmp_path / "b.key")
    signed = f"{line}  {key.sign_head(head)}"
    verify(package, signed)
    assert key.public.fingerprint in dialog._head_signature.sentence
    verify(package, f"{signed} {key.public}")
    assert "The head is signed with the key that you kept." in dialog.text
    assert dialog._signature.isHidden(), "the key is the head's; the snapshot is not signed"
    verify(package, f"{signed} {other.public}")
    assert dialog._head_signature.property("severity") == "error"
    assert dialog.verdict.isHidden()
    assert "Nothing is wrong" not in dialog.text


def test_a_part_that_was_lost_from_what_was_kept_is_not_passed_over(
    dialog: VerifyDialog, package: Path, store: Store
) -> None:
    dialog.file.set_path(str(package))
    digest = read_manifest(package).digest
    dialog.kept.setText(f"acme  {store.head(ACME)}  {digest[:-1]}")
    assert not dialog.verify_button.isEnabled()
    assert dialog.kept.property("invalid")
    dialog.kept.setText(f"acme  {store.head(ACME)}  {digest}")
    assert dialog.verify_button.isEnabled()


# --- conduct ----------------------------------------------------------------------------------


def test_what_is_no_head_is_marked(dialog: VerifyDialog, package: Path) -> None:
    dialog.file.set_path(str(package))
    dialog.kept.setText("12")
    assert not dialog.verify_button.isEnabled()
    assert dialog.kept.property("invalid")
    assert "64 digits" in dialog._problem.text()
    dialog.kept.clear()
    assert dialog.verify_button.isEnabled()


def test_esc_stops_first_and_leaves_then(
    qtbot, session: Session, dialog: VerifyDialog, package: Path
) -> None:
    gate = threading.Event()
    for number in "12":
        session.operations.read(
            ReadOp(("gate", number), lambda _work: gate.wait(20)), on_done=lambda _: None
        )
    dialog.file.set_path(str(package))
    dialog.verify()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    gate.set()
    qtbot.waitUntil(lambda: settled(session))
    (said,) = dialog._board.shown
    assert "nothing about the snapshot" in said.text
    assert dialog.focusWidget() is dialog.file.focusProxy()
    assert not dialog.empty.isHidden()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_leaving_the_store_stops_it_and_one_can_begin_again(
    qtbot, session: Session, dialog: VerifyDialog, verify, package: Path
) -> None:
    gate = threading.Event()
    for number in "12":
        session.operations.read(
            ReadOp(("gate", number), lambda _work: gate.wait(20)), on_done=lambda _: None
        )
    dialog.file.set_path(str(package))
    dialog.verify()
    session.close()
    gate.set()
    qtbot.waitUntil(lambda: bool(dialog._board.shown))
    assert dialog.verify_button.isEnabled()
    verify(package)
    assert dialog.verdict.sentence.startswith("Nothing is wrong.")


def test_a_snapshot_that_is_dropped_is_verified(
    qtbot, session: Session, dialog: VerifyDialog, package: Path
) -> None:
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(package))])
    keys, button = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    act = Qt.DropAction.CopyAction
    enters = QDragEnterEvent(QPoint(5, 5), act, carried, button, keys)
    QApplication.sendEvent(dialog, enters)
    assert enters.isAccepted()
    QApplication.sendEvent(dialog, QDropEvent(QPointF(5, 5), act, carried, button, keys))
    qtbot.waitUntil(lambda: not dialog.work.is_working and settled(session))
    assert dialog.file.path == package
    assert dialog.verdict.sentence.startswith("Nothing is wrong.")


def test_asked_again_the_same_dialog_answers(
    qtbot, session: Session, package: Path, tmp_path: Path
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    shelf = Shelf(tmp_path / "opened")
    one = VerifyDialog.ask(session, shelf, parent=window)
    assert VerifyDialog.ask(session, shelf, package, parent=window) is one
    qtbot.waitUntil(lambda: not one.work.is_working and settled(session))
    assert one.verdict.sentence.startswith("Nothing is wrong.")
    with qtbot.waitSignal(one.destroyed):
        one.close()


def test_whatever_takes_the_keyboard_has_a_name(
    dialog: VerifyDialog, verify, package: Path
) -> None:
    verify(tampered(package, "versions.jsonl", b"Porto", b"Braga"), against=True)
    assert nameless_in(dialog) == []


# --- words ------------------------------------------------------------------------------------


def test_the_title_of_every_check_is_known_to_translators() -> None:
    assert {title for title, _unit in CHECKS.values()} <= TITLES
    assert title_words("an unknown\u202e title") == "an unknown⟨U+202E⟩ title"


def test_every_note_of_the_verifier_is_known_to_translators() -> None:
    chosen = (
        Selection(),
        Selection(withhold=Withhold.CONTENT),
        Selection(withhold=Withhold.VALUES, attribute="city"),
    )
    for selection in chosen:
        verdict = verdict_on(files_of(random_store(1), selection))
        assert verdict.notes
        assert [note for note in verdict.notes if note_words(note) == note] == []


def test_hostile_names_in_messages_are_shown_and_do_nothing() -> None:
    assert message_words("Episode '<b>\u202e' is missing.") == "Episode '<b>⟨U+202E⟩' is missing."
    assert message_words("No such {brace} in it\u202e") == "No such {brace} in it⟨U+202E⟩"
    assert note_words("A note\u202e of tomorrow.") == "A note⟨U+202E⟩ of tomorrow."
