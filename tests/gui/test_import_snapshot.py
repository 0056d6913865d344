"""Restoring a snapshot at the desk: tried first, whole where it can be, else as facts."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton

from store import FactQuery, Scope, Store, bind, open_store
from store.audit import Form, Selection, Withhold, take_snapshot
from store.audit.restore import RestoreReport, Retold, restore_snapshot
from store.audit.retelling import Why
from store.importers import ImportReport
from store.temporal import to_micros
from tests.accessible import nameless_in
from tests.sessions import session_on, settled
from workbench import theme
from workbench.dialogs.import_report import ConflictsModel, RetoldModel
from workbench.dialogs.import_store import ImportDialog
from workbench.dialogs.import_words import RestoreWords
from workbench.messages import Severity
from workbench.ops import Operations, WriteOp
from workbench.resources import resource
from workbench.session import Session

AT = datetime(2026, 3, 1, tzinfo=UTC)
ACME = Scope("acme")


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


def remembered() -> Store:
    """Make a store with two facts, of which one is disputed."""
    made = open_store("memory:", create=True)
    memory = bind(made, "acme", agent_id="support")
    memory.capture("e1", "I live in Porto.", occurred_at=AT)
    memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
    memory.change("teo", "role", "editor", valid_from=AT, episode="e1")
    memory.capture("e2", "She lives in Braga.", occurred_at=AT)
    memory.change("mira", "home_city", "Braga", valid_from=AT, episode="e2")
    return made


@pytest.fixture
def source() -> Store:
    return remembered()


@pytest.fixture
def package(source: Store, tmp_path: Path) -> Path:
    take_snapshot(source, ACME, tmp_path / "acme.zip")
    return tmp_path / "acme.zip"


@pytest.fixture
def store() -> Store:
    return open_store("memory:")


@pytest.fixture
def session(qapp: QApplication, store: Store) -> Iterator[Session]:
    with session_on(store, "elsewhere") as opened:
        yield opened


@pytest.fixture
def nothing_open(qapp: QApplication) -> Iterator[Session]:
    operations = Operations()
    made = Session(operations)
    yield made
    made.close()
    operations.shutdown()


Opening = Callable[..., ImportDialog]


@pytest.fixture
def open_dialog(qtbot, session: Session) -> Opening:
    def make(path: Path, place: Path | None = None, on: Session = session) -> ImportDialog:
        dialog = ImportDialog(on, "snapshot")
        qtbot.addWidget(dialog)
        dialog.show()
        dialog.form.file.set_path(str(path))
        if place is not None:
            dialog.store.mean_another()
            dialog.store.file.set_path(str(place))
        qtbot.waitUntil(lambda: settled(on))
        return dialog

    return make


def press(qtbot, session: Session, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    button.click()
    qtbot.waitUntil(lambda: settled(session), timeout=20_000)


def said(dialog: ImportDialog) -> list[str]:
    return [it.text for it in dialog._board.shown]


def tampered(package: Path) -> Path:
    out = package.with_name("tampered.zip")
    with zipfile.ZipFile(package) as source, zipfile.ZipFile(out, "w") as target:
        for member in source.infolist():
            target.writestr(member, source.read(member).replace(b"Porto", b"Braga"))
    return out


# --- into a store of its own ------------------------------------------------------------------


@pytest.mark.parametrize("form", list(Form))
def test_a_whole_record_is_tried_and_then_restored_into_a_new_store(
    qtbot, session: Session, source: Store, open_dialog: Opening, tmp_path: Path, form: Form
) -> None:
    out, place = tmp_path / "taken", tmp_path / "new.db"
    take_snapshot(source, ACME, out, form=form)
    chosen = out / "manifest.json" if form is Form.DIRECTORY else out
    dialog = open_dialog(chosen, place)
    assert dialog.tenant.currentText() == "acme"
    assert dialog._tenant_says.text() == "New; the import makes it."
    assert not dialog.store._says.isHidden()
    press(qtbot, session, dialog.try_button)
    assert "The record would be restored whole" in dialog.report.text
    assert not place.exists()
    press(qtbot, session, dialog.import_button)
    assert "The record is restored whole" in dialog.report.text
    assert str(source.head(ACME)) in dialog.report.text
    with open_store(place, read_only=True) as restored:
        assert restored.head(ACME) == source.head(ACME)
        assert len(restored.conflicts(ACME).items) == 1
    assert dialog.show_tenant.text() == "Open new.db"
    with qtbot.waitSignal(dialog.store_wanted) as wanted:
        dialog.show_tenant.click()
    assert wanted.args == [place, "acme"]
    assert not dialog.isVisible()


def test_a_record_can_have_another_name(
    qtbot, session: Session, source: Store, open_dialog: Opening, package: Path, tmp_path: Path
) -> None:
    dialog = open_dialog(package, tmp_path / "new.db")
    dialog.tenant.setEditText("globex")
    press(qtbot, session, dialog.import_button)
    assert "the record of acme under another name" in dialog.report.text
    with open_store(tmp_path / "new.db", read_only=True) as restored:
        assert str(restored.head(Scope("globex"))) == str(source.head(ACME))


def test_a_part_comes_in_as_facts_with_their_episodes(
    qtbot, session: Session, source: Store, open_dialog: Opening, tmp_path: Path
) -> None:
    out, place = tmp_path / "mira.zip", tmp_path / "new.db"
    take_snapshot(source, ACME, out, Selection(subject="mira"))
    dialog = open_dialog(out, place)
    for button, begins in (
        (dialog.try_button, "Nothing has been written yet."),
        (dialog.import_button, "The import is done."),
    ):
        press(qtbot, session, button)
        assert begins in dialog.report.text
        assert "The snapshot is filtered and has only a part of the record." in dialog.report.text
        assert "Open in the snapshot: 1, not taken along" in dialog.report.text
        assert "mira · home_city; 1 Mar 2026; two values from the same instant" in (
            dialog.report.text
        )
        assert "Porto stands; waiting: Braga" in dialog.report.text
    with open_store(place, read_only=True) as filled:
        (fact,) = filled.facts(ACME, FactQuery()).items
        assert (fact.value, fact.source_episode_id) == ("Porto", "e1")


# --- into the open store ----------------------------------------------------------------------


def test_the_open_store_is_offered_first_and_shows_what_came(
    qtbot, session: Session, store: Store, source: Store, open_dialog: Opening, package: Path
) -> None:
    dialog = open_dialog(package)
    assert dialog.store.is_here
    assert dialog.store.file.isHidden()
    press(qtbot, session, dialog.import_button)
    assert store.head(ACME) == source.head(ACME)
    assert dialog.show_tenant.text() == "Look at acme"
    dialog.show_tenant.click()
    assert session.scope == ACME
    again = open_dialog(package)
    assert again._tenant_says.text() == ""
    press(qtbot, session, again.try_button)
    assert not again.import_button.isVisible(), "there is nothing to do"
    again.back.click()
    press(qtbot, session, again.import_button)
    assert "Nothing is new: tenant acme has this very record already." in again.report.text
    assert store.head(ACME) == source.head(ACME)


def test_a_tenant_with_a_record_gets_facts(
    qtbot, session: Session, store: Store, open_dialog: Opening, package: Path
) -> None:
    bind(store, "acme", agent_id="support").capture("mine", "Hello.", occurred_at=AT)
    dialog = open_dialog(package)
    press(qtbot, session, dialog.import_button)
    assert "Taken as facts: Tenant acme has a record already." in dialog.report.text
    values = {fact.value for fact in store.facts(ACME, FactQuery()).items}
    assert values == {"Porto", "editor"}


# --- what is kept out -------------------------------------------------------------------------


@pytest.mark.parametrize("is_trial", [True, False])
def test_what_was_tampered_with_makes_no_store(
    qtbot, session: Session, open_dialog: Opening, package: Path, tmp_path: Path, is_trial: bool
) -> None:
    dialog = open_dialog(tampered(package), tmp_path / "new.db")
    press(qtbot, session, dialog.try_button if is_trial else dialog.import_button)
    (sentence,) = said(dialog)
    assert "tampered.zip" in sentence
    assert sentence.endswith("Nothing was written.")
    assert not (tmp_path / "new.db").exists()
    assert dialog.pages.currentIndex() == 0


@pytest.mark.parametrize("withhold", [Withhold.CONTENT, Withhold.VALUES])
def test_what_keeps_something_back_cannot_be_taken_back(
    source: Store, open_dialog: Opening, tmp_path: Path, withhold: Withhold
) -> None:
    out = tmp_path / "withheld.zip"
    take_snapshot(source, ACME, out, Selection(withhold=withhold))
    dialog = open_dialog(out, tmp_path / "new.db")
    assert "keeps values or contents back" in dialog._problem.text()
    assert not dialog.try_button.isEnabled()
    assert not dialog.import_button.isEnabled()


def test_what_is_no_snapshot_is_said_in_place(
    qtbot, session: Session, open_dialog: Opening, package: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("only words", encoding="utf-8")
    dialog = open_dialog(tmp_path / "notes.txt", tmp_path / "new.db")
    assert len(said(dialog)) == 1
    assert dialog._problem.text() == "Choose another snapshot."
    dialog.form.file.set_path(str(package))
    qtbot.waitUntil(lambda: settled(session))
    assert said(dialog) == []
    assert dialog.try_button.isEnabled()


def test_what_is_no_store_stays_what_it_is(
    qtbot, session: Session, open_dialog: Opening, package: Path
) -> None:
    before = package.read_bytes()
    dialog = open_dialog(package, package)
    press(qtbot, session, dialog.import_button)
    assert len(said(dialog)) == 1
    assert package.read_bytes() == before


def test_a_store_must_be_named(open_dialog: Opening, package: Path, nothing_open: Session) -> None:
    dialog = open_dialog(package, on=nothing_open)
    assert dialog.store.here.isHidden()
    assert dialog._problem.text() == "Choose a store."
    assert not dialog.try_button.isEnabled()


# --- conduct ----------------------------------------------------------------------------------


def test_what_waits_can_be_stopped_and_leaves_no_store(
    qtbot, session: Session, open_dialog: Opening, package: Path, tmp_path: Path
) -> None:
    gate = threading.Event()
    dialog = open_dialog(package, tmp_path / "new.db")
    session.operations.write(WriteOp("", lambda _work: gate.wait(20)))
    dialog.carry_out()
    assert dialog.work.is_working
    assert not dialog.store.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    gate.set()
    qtbot.waitUntil(lambda: settled(session))
    assert said(dialog) == ["Stopped on request; nothing was written."]
    assert not (tmp_path / "new.db").exists()
    assert dialog.import_button.isEnabled()


def test_it_leaves_with_the_store_that_is_filled_and_stays_for_another(
    qtbot, session: Session, open_dialog: Opening, package: Path, tmp_path: Path
) -> None:
    into_open, into_other = open_dialog(package), open_dialog(package, tmp_path / "new.db")
    session.close()
    assert not into_open.isVisible()
    assert into_other.isVisible()
    assert into_other.store.here.isHidden()
    qtbot.waitUntil(lambda: settled(session))
    press(qtbot, session, into_other.import_button)
    assert "restored whole" in into_other.report.text


def test_a_store_that_is_opened_later_is_offered_and_not_taken(
    qtbot, nothing_open: Session, open_dialog: Opening, package: Path, tmp_path: Path
) -> None:
    dialog = open_dialog(package, tmp_path / "new.db", nothing_open)
    store = open_store("memory:")
    nothing_open.open(store, store.tenants(), tenant_id="acme")
    qtbot.waitUntil(lambda: settled(nothing_open))
    assert not dialog.store.here.isHidden()
    assert not dialog.store.is_here
    press(qtbot, nothing_open, dialog.import_button)
    assert (tmp_path / "new.db").is_file()
    assert store.tenants() == ()


def test_keys_lead_from_the_snapshot_to_another_store(
    qtbot, open_dialog: Opening, package: Path
) -> None:
    dialog = open_dialog(package)
    dialog.form.file.line.setFocus()
    for _ in range(2):
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.store.here
    qtbot.keyClick(dialog.store.here, Qt.Key.Key_Down)
    assert not dialog.store.is_here
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert dialog.focusWidget() is dialog.store.file.line


def test_one_that_is_led_here_is_meant_for_another_store(
    qtbot, session: Session, open_dialog: Opening, package: Path, source: Store, tmp_path: Path
) -> None:
    other = tmp_path / "other.zip"
    take_snapshot(source, ACME, other, Selection(subject="teo"))
    dialog = open_dialog(package)
    press(qtbot, session, dialog.try_button)
    dialog.choose_snapshot(other)
    qtbot.waitUntil(lambda: settled(session))
    assert dialog.pages.currentIndex() == 0
    assert dialog.form.file.path == other
    assert not dialog.store.is_here
    assert dialog.focusWidget() is dialog.store.file.line


def test_a_name_that_was_typed_is_not_taken_away(
    qtbot, session: Session, open_dialog: Opening, package: Path, source: Store, tmp_path: Path
) -> None:
    dialog = open_dialog(package)
    dialog.tenant.setEditText("mine")
    other = tmp_path / "other.zip"
    take_snapshot(source, ACME, other, Selection(subject="teo"))
    dialog.form.file.set_path(str(other))
    qtbot.waitUntil(lambda: settled(session))
    assert dialog.tenant.currentText() == "mine"


def test_a_new_store_is_chosen_and_gets_its_ending(
    session: Session,
    open_dialog: Opening,
    package: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialog = open_dialog(package, tmp_path)
    (tmp_path / "bare").touch()
    for name, expected in (("new", "new.db"), ("a.sqlite", "a.sqlite"), ("bare", "bare")):
        chosen = str(tmp_path / name)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, c=chosen, **__: (c, ""))
        dialog.store.file.choose()
        assert dialog.store.target == tmp_path / expected


def test_whatever_takes_the_keyboard_has_a_name(
    qtbot, session: Session, open_dialog: Opening, package: Path, tmp_path: Path
) -> None:
    dialog = open_dialog(package, tmp_path / "new.db")
    nameless = []
    for _page in range(2):
        nameless += nameless_in(dialog)
        if dialog.pages.currentIndex() == 0:
            press(qtbot, session, dialog.try_button)
    assert nameless == []


# --- the report -------------------------------------------------------------------------------


def test_what_is_open_in_a_snapshot_is_listed_safely(qtmodeltester, tmp_path: Path) -> None:
    made = remembered()
    memory = bind(made, "acme", agent_id="support")
    memory.change("<b>\u202e", "x", "1", valid_from=AT, episode="e1")
    memory.change("<b>\u202e", "x", "2", valid_from=AT, episode="e2")
    take_snapshot(made, ACME, tmp_path / "acme.zip")
    report = restore_snapshot(open_store("memory:"), None, tmp_path / "acme.zip", dry_run=True)
    model = ConflictsModel(report)
    qtmodeltester.check(model, force_py=True)
    shown = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert "<b>⟨U+202E⟩ · x" in shown
    words = RestoreWords(report)
    assert words.verdict().severity is Severity.INFO
    assert "\u202e" not in words.text()


def as_facts(source: Store, imported: ImportReport, *retold: Retold) -> RestoreReport:
    """Make a report on a snapshot that came as facts."""
    return RestoreReport(
        source="acme.zip",
        snapshot_tenant="acme",
        tenant_id="globex",
        dry_run=False,
        is_whole=False,
        is_own=False,
        why_facts="tenant globex has a record already.",
        head=source.head(ACME),
        imported=imported,
        conflicts=(),
        conflicts_count=0,
        retold=retold,
        retold_count=1_234 if retold else 0,
    )


def test_what_reads_otherwise_is_listed_with_its_reason(qtmodeltester, source: Store) -> None:
    imported = ImportReport("snapshot", "acme.zip", written=2)
    hostile = '"<b>x\u202e"'
    retold = [Retold("mira", "tag", "", hostile, to_micros(AT), None, why) for why in Why]
    report = as_facts(source, imported, *retold)
    model = RetoldModel(report)
    qtmodeltester.check(model, force_py=True)
    said = {tuple(model.index(row, column).data() for column in (0, 1)) for row in range(3)}
    assert said == {("mira · tag", "<b>x⟨U+202E⟩")}
    assert len({model.index(row, 3).data() for row in range(3)}) == len(Why)
    text = RestoreWords(report).text()
    assert "Reading otherwise: 1,234" in text
    assert "Open in the snapshot: 0" in text
    assert "mira · tag; <b>x⟨U+202E⟩; 1 Mar 2026 → until changed; once" in text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The import is done. 1 conflict waits for a decision."),
        ("es", "La importación ha terminado. 1 conflicto espera una decisión."),
    ],
)
def test_counts_agree_with_their_words_in_every_language(
    qapp: QApplication, source: Store, language: str, sentence: str
) -> None:
    imported = ImportReport("snapshot", "acme.zip", written=2, conflicts=1)
    catalogue = QTranslator()
    assert catalogue.load(str(resource("i18n") / f"workbench_{language}.qm"))
    qapp.installTranslator(catalogue)
    try:
        assert RestoreWords(as_facts(source, imported)).verdict().sentence == sentence
    finally:
        qapp.removeTranslator(catalogue)
