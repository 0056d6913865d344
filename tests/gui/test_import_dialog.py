"""Importing at the desk: tried first, stopped or skipped, cancelled, and shown afterwards."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton

from store import FactQuery, Scope, Store, open_store
from store.importers import ImportReport, Place, Skipped
from tests.accessible import nameless_in
from tests.sessions import session_on, settled
from workbench import theme
from workbench.dialogs.import_forms import TableForm, ZeroclawForm
from workbench.dialogs.import_report import SkippedModel
from workbench.dialogs.import_store import ImportDialog
from workbench.dialogs.import_words import ReportWords
from workbench.messages import Severity
from workbench.ops import ReadOp, WriteOp
from workbench.session import Session

TABLE = """subject,attribute,value,valid_from,valid_to,remark
mira,home_city,Lisbon,2020-01-01,2026-06-09,old
mira,home_city,Porto,2026-06-09,,
teo,role,editor,2025,2024,ends before it begins
"""


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


@pytest.fixture
def store() -> Store:
    return open_store("memory:")


@pytest.fixture
def session(qapp: QApplication, store: Store) -> Iterator[Session]:
    with session_on(store) as opened:
        yield opened


@pytest.fixture
def open_dialog(qtbot, session: Session):
    def make(kind, path: Path, tenant: str = "acme") -> ImportDialog:
        dialog = ImportDialog(session, kind)
        qtbot.addWidget(dialog)
        dialog.show()
        field = dialog.form.file if kind == "table" else dialog.form.folder
        field.set_path(str(path))
        qtbot.waitUntil(lambda: settled(session))
        dialog.tenant.setEditText(tenant)
        return dialog

    return make


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "facts.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def zeroclaw(tmp_path: Path) -> Path:
    folder = tmp_path / "claw"
    (folder / "memory").mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- **tone**: brief\n- a line without key\n")
    at = "2026-02-23T11:40:24+08:00"
    with closing(sqlite3.connect(folder / "memory" / "brain.db")) as db, db:
        db.execute(
            "CREATE TABLE memories (id TEXT PRIMARY KEY, key TEXT, content TEXT, category TEXT, "
            "embedding BLOB, created_at TEXT, updated_at TEXT)"
        )
        db.execute("INSERT INTO memories VALUES ('1','city','Porto','core',x'00',?,?)", (at, at))
    return folder


def values(store: Store, tenant: str = "acme") -> list[object]:
    return [fact.value for fact in store.facts(Scope(tenant), FactQuery(history=True)).items]


def press(qtbot, session: Session, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    button.click()
    qtbot.waitUntil(lambda: settled(session))


# --- a folder -------------------------------------------------------------------------------


def test_a_folder_is_tried_and_then_imported(
    qtbot, session: Session, store: Store, open_dialog, zeroclaw: Path
) -> None:
    dialog = open_dialog("zeroclaw", zeroclaw)
    press(qtbot, session, dialog.try_button)
    assert values(store) == []
    assert "Nothing has been written" in dialog.report.text
    assert "New facts: 2" in dialog.report.text
    assert "embedding (1)" in dialog.report.text
    assert "lines without a key: 1" in dialog.report.text
    press(qtbot, session, dialog.import_button)
    assert sorted(map(str, values(store))) == ["Porto", "brief"]
    assert "The import is done." in dialog.report.text
    assert not dialog.import_button.isVisible()
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.report.text
    qtbot.waitUntil(lambda: session.summary is not None and session.summary.facts == 2)


def test_esc_leads_from_a_trial_to_the_form_and_from_there_out(
    qtbot, session: Session, open_dialog, zeroclaw: Path
) -> None:
    dialog = open_dialog("zeroclaw", zeroclaw)
    press(qtbot, session, dialog.try_button)
    assert dialog.pages.currentIndex() == 1
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert dialog.pages.currentIndex() == 0
    assert dialog.form.isAncestorOf(dialog.focusWidget())
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    dialog = open_dialog("zeroclaw", zeroclaw)
    press(qtbot, session, dialog.import_button)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible(), "after an import there is nothing to go back for"


def test_a_second_import_finds_everything_known(
    qtbot, session: Session, open_dialog, zeroclaw: Path
) -> None:
    for expected in ("New facts: 2", "Known facts: 2"):
        dialog = open_dialog("zeroclaw", zeroclaw)
        press(qtbot, session, dialog.import_button)
        assert expected in dialog.report.text
        dialog.close()


def test_a_folder_that_is_none_is_said_in_place(
    qtbot, session: Session, open_dialog, tmp_path: Path
) -> None:
    dialog = open_dialog("zeroclaw", tmp_path / "absent")
    press(qtbot, session, dialog.try_button)
    (said,) = dialog._board.shown
    assert "absent" in said.text
    assert dialog.pages.currentIndex() == 0
    assert dialog.try_button.isEnabled()


# --- a table --------------------------------------------------------------------------------


def test_a_wrong_row_keeps_everything_out_or_is_left_out(
    qtbot, session: Session, store: Store, open_dialog, table: Path
) -> None:
    dialog = open_dialog("table", table)
    press(qtbot, session, dialog.import_button)
    assert values(store) == []
    assert "cannot be read, so nothing was written" in dialog.report.text
    assert "facts.csv, line 4" in dialog.report.text
    dialog.back.click()
    dialog.skip_errors.setChecked(True)
    press(qtbot, session, dialog.try_button)
    assert "New facts: 2" in dialog.report.text
    assert "remark (2)" in dialog.report.text
    press(qtbot, session, dialog.import_button)
    assert sorted(map(str, values(store))) == ["Lisbon", "Porto"]


def test_fields_are_chosen_over_the_columns(
    qtbot, session: Session, store: Store, open_dialog, table: Path
) -> None:
    dialog = open_dialog("table", table)
    form = dialog.form
    assert isinstance(form, TableForm)
    assert form.problem == ""
    form.choose_field(0, "")
    assert form.problem == "Say which column holds: Subject."
    assert not dialog.try_button.isEnabled()
    form.choose_field(5, "subject")
    form.choose_field(0, "subject")  # a field is one column's
    assert form.problem == ""
    assert form._chosen()["subject"] == 0
    form.choose_field(1, "")
    assert form.problem == ""  # the value's column has a name
    form.header.setChecked(False)
    assert form.problem == "Say which column holds: Attribute."
    form.header.setChecked(True)
    dialog.skip_errors.setChecked(True)
    press(qtbot, session, dialog.import_button)
    facts = store.facts(Scope("acme"), FactQuery(history=True)).items
    assert {fact.attribute for fact in facts} == {"value"}


def test_ids_tokens_ends_and_several_values_are_read_as_the_form_says(
    qtbot, session: Session, store: Store, open_dialog, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.tsv"
    rows.write_text("1\t7\t2\t1926\t1929\n1\t7\t3\t1926\t3000\n2\t7\t1\t0\t1930\n")
    names = tmp_path / "names.txt"
    names.write_text("Ann\t1\nBea\t2\nCid\t3\n")
    words = tmp_path / "words.txt"
    words.write_text("spouse\t7\n")
    dialog = open_dialog("table", rows)
    form = dialog.form
    form.lookups["subject"].set_path(str(names))
    form.lookups["value"].set_path(str(names))
    form.lookups["attribute"].set_path(str(words))
    form.open_tokens.setText("3000")
    form.unknown_tokens.setText("0")
    form.many.setText("spouse")
    form.single.setText("spouse")
    assert form.problem == "spouse cannot have several values and one value."
    form.single.clear()
    form.end_inclusive.setChecked(True)
    press(qtbot, session, dialog.import_button)
    facts = store.facts(Scope("acme"), FactQuery(subject="Ann", history=True)).items
    found = [(f.attribute, f.value, f.until and f.until.year) for f in facts]
    assert sorted(found, key=str) == [
        ("spouse", "Bea", 1930),
        ("spouse", "Cid", None),
    ]
    assert "rows whose beginning is unknown: 1" in dialog.report.text
    assert "Several values at once: spouse" in dialog.report.text


def test_json_lines_need_no_header(
    qtbot, session: Session, store: Store, open_dialog, tmp_path: Path
) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(
        '{"subject": "mira", "key": "plan", "value": {"a": 1}, "since": "2026-01-01"}\n'
    )
    dialog = open_dialog("table", path)
    assert not dialog.form.header.isVisible()
    assert dialog.form.problem == ""
    press(qtbot, session, dialog.import_button)
    assert values(store) == [{"a": 1}]


def test_a_file_that_is_no_table_is_said_in_place(open_dialog, tmp_path: Path) -> None:
    path = tmp_path / "<b>notes.txt"
    path.write_text("only words\n")
    dialog = open_dialog("table", path)
    (said,) = dialog._board.shown
    assert "no columns" in said.text
    assert not dialog.try_button.isEnabled()


def test_a_zone_that_is_none_is_said(open_dialog, table: Path) -> None:
    dialog = open_dialog("table", table)
    dialog.form.zone.setEditText("Europe/Nowhere")
    assert dialog.form.problem == "Choose a time zone."
    assert not dialog.import_button.isEnabled()
    dialog.form.zone.setEditText("Europe/Madrid")
    assert dialog.import_button.isEnabled()


# --- whose ----------------------------------------------------------------------------------


def test_another_tenant_is_made_and_can_be_looked_at(
    qtbot, session: Session, store: Store, open_dialog, zeroclaw: Path
) -> None:
    dialog = open_dialog("zeroclaw", zeroclaw, tenant="globex")
    assert dialog._tenant_says.text() == "New; the import makes it."
    press(qtbot, session, dialog.import_button)
    assert len(values(store, "globex")) == 2
    assert dialog.show_tenant.text() == "Look at globex"
    assert dialog.show_tenant.isDefault()
    dialog.show_tenant.click()
    assert session.scope == Scope("globex")
    assert not dialog.isVisible()


def test_a_tenant_needs_a_name(open_dialog, zeroclaw: Path) -> None:
    dialog = open_dialog("zeroclaw", zeroclaw, tenant="")
    assert not dialog.import_button.isEnabled()
    dialog.tenant.setEditText("a" * 256)
    assert not dialog.import_button.isEnabled()
    dialog.tenant.setEditText("acme")
    assert dialog.import_button.isEnabled()


# --- stopping -------------------------------------------------------------------------------


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Holds work back until it is set."""
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.parametrize("kind", ["trial", "import"])
def test_what_waits_can_be_cancelled_and_closing_only_stops_it(
    qtbot, session: Session, store: Store, open_dialog, zeroclaw: Path, gate, kind
) -> None:
    dialog = open_dialog("zeroclaw", zeroclaw)
    if kind == "trial":
        for number in "12":
            session.operations.read(
                ReadOp(("gate", number), lambda _work: gate.wait(20)), on_done=lambda _: None
            )
        dialog.try_out()
    else:
        session.operations.write(WriteOp("", lambda _work: gate.wait(20)))
        dialog.carry_out()
    assert dialog.work.is_working
    assert not dialog.form.isEnabled()
    dialog.close()
    assert dialog.isVisible()
    gate.set()
    qtbot.waitUntil(lambda: settled(session))
    (said,) = dialog._board.shown
    assert said.text == "Stopped on request; nothing was written."
    assert values(store) == []
    assert dialog.form.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_dialog_leaves_with_the_store(session: Session, open_dialog, zeroclaw: Path) -> None:
    dialog = open_dialog("zeroclaw", zeroclaw)
    session.close()
    assert not dialog.isVisible()


# --- the report -----------------------------------------------------------------------------


def test_a_report_says_every_count_and_is_safe_to_copy() -> None:
    place = Place("a\u202eb.csv", 7)
    report = ImportReport(
        "table",
        "/data/a\u202eb.csv",
        read=1_234,
        written=1_000,
        conflicts=3,
        conflict_kinds={"value": 2, "end": 1},
        without_fact={"rows without a value": 4},
        skipped=(Skipped(place, "it is <b>broken</b>."),),
        skipped_count=2_000,
        dropped={"x\ny": 5},
        registered=("spouse",),
        notes=("Line 1 was read as the header.",),
        transactions=(4, 9),
    )
    words = ReportWords(report)
    assert words.verdict().severity is Severity.DONE
    text = words.text()
    for part in ("1,234", "1,000", "two values from the same instant: 2", "4 – 9", "2,000"):
        assert part in text
    assert "\u202e" not in text
    assert "x\ny" not in text


def test_a_stopped_import_says_what_stays() -> None:
    words = ReportWords(ImportReport("table", "x.csv", cancelled=True))
    assert words.verdict().severity is Severity.WARNING
    assert "committed before stays" in words.verdict().sentence


def test_the_model_of_what_was_left_out(qtmodeltester) -> None:
    skipped = tuple(Skipped(Place("a.csv", line), "broken.") for line in range(3))
    model = SkippedModel(skipped)
    qtmodeltester.check(model, force_py=True)
    assert model.data(model.index(2, 0)) == "a.csv, line 2"


# --- everybody can use it -------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["zeroclaw", "table"])
def test_whatever_takes_the_keyboard_has_a_name(
    qtbot, session: Session, open_dialog, table: Path, zeroclaw: Path, kind
) -> None:
    dialog = open_dialog(kind, table if kind == "table" else zeroclaw)
    dialog.skip_errors.setChecked(True)
    press(qtbot, session, dialog.try_button)
    assert nameless_in(dialog) == []
    assert isinstance(dialog.form, (ZeroclawForm, TableForm))


def test_enter_in_a_field_tries_and_enter_on_the_report_imports(
    qtbot, session: Session, store: Store, open_dialog, table: Path
) -> None:
    dialog = open_dialog("table", table)
    dialog.skip_errors.setChecked(True)
    dialog.activateWindow()
    dialog.form.open_tokens.setFocus()
    qtbot.keyClick(dialog.form.open_tokens, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.pages.currentIndex() == 1 and settled(session))
    assert values(store) == []
    assert dialog.import_button.isDefault()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(values(store)) == 2 and settled(session))
