"""The check of a store and its properties, as a person sees them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from store import Capability, Scope, Store, bind, open_store
from store.query import Finding
from tests.accessible import nameless_in
from tests.sessions import session_on, settled
from workbench import theme
from workbench.dialogs.store_check import RULES, CheckDialog, FindingsModel, rule_words
from workbench.dialogs.store_properties import _WORDS, PropertiesDialog
from workbench.ops import ReadOp
from workbench.session import Session
from workbench.widgets.link_text import CopyButton

AT = datetime(2026, 3, 1, tzinfo=UTC)
TENANTS = ("acme", "<b>globex</b>\u202e")


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.choose_theme(qapp, "light")


def fill(store: Store) -> Store:
    for tenant in TENANTS:
        memory = bind(store, tenant, agent_id="support")
        memory.capture("e1", "I live in Porto.", occurred_at=AT)
        memory.change("mira", "home_city", "Porto", valid_from=AT, episode="e1")
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
def check(qtbot, session: Session) -> CheckDialog:
    dialog = CheckDialog(session)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def press_check(qtbot, dialog: CheckDialog) -> None:
    assert dialog.check_button.isEnabled()
    dialog.check_button.click()
    qtbot.waitUntil(lambda: not dialog.work.is_working)
    qtbot.waitUntil(dialog.outcome.isVisible)


def words_in(widget: QWidget) -> list[str]:
    return [it.text() for it in widget.findChildren(QLabel) if not it.isHidden()]


# --- the check ------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", ["fast", "full"])
def test_a_clean_store_is_said_rule_by_rule(qtbot, check: CheckDialog, depth: str) -> None:
    getattr(check, depth).setChecked(True)
    press_check(qtbot, check)
    assert check.outcome.verdict.sentence.startswith("Nothing is wrong.")
    said = words_in(check.outcome)
    assert "The chain of digests holds" in said
    assert "not looked at" in said  # there is no head from outside
    assert said.count("holds") >= (5 if depth == "full" else 1)
    assert "broken" not in said
    assert check.outcome.findings.isHidden()


@pytest.mark.parametrize("depth", ["fast", "full"])
def test_an_empty_record_has_nothing_to_look_at(qtbot, tmp_path: Path, depth: str) -> None:
    with session_on(open_store(tmp_path / "new.db", create=True)) as session:
        check = CheckDialog(session)
        qtbot.addWidget(check)
        check.show()
        getattr(check, depth).setChecked(True)
        press_check(qtbot, check)
        said = words_in(check.outcome)
        if depth == "full":
            assert said.count("nothing to look at") >= 5
            assert said.count("not looked at") == 1, "no head was given"
        else:
            assert "nothing to look at" not in said


def test_every_rule_that_a_store_checks_has_words(store: Store) -> None:
    rules = {rule for rule, _count in store.check(full=True).rules}
    assert rules <= RULES
    assert rule_words("an unknown\u202e rule") == "An unknown⟨U+202E⟩ rule"


def test_heads_can_be_copied_and_compared_later(
    qtbot, check: CheckDialog, store: Store, session: Session
) -> None:
    press_check(qtbot, check)
    head = str(store.head(Scope("acme")))
    buttons = check.outcome.findChildren(CopyButton)
    first = next(it for it in buttons if "acme" in it.accessibleName())
    first.click()
    assert QGuiApplication.clipboard().text() == head
    check.head.setText(f"acme  {head}  2 entries  2026-03-01")
    press_check(qtbot, check)
    qtbot.waitUntil(lambda: settled(session))
    assert check.outcome.verdict.sentence.startswith("Nothing is wrong.")


def test_a_head_beyond_the_end_is_a_finding(
    qtbot, check: CheckDialog, store: Store, session: Session
) -> None:
    check.head.setText(f"{store.head(Scope('acme')).number + 7}:{'a' * 64}")
    press_check(qtbot, check)
    qtbot.waitUntil(lambda: "damaged" in check.outcome.verdict.sentence)
    assert "broken" in words_in(check.outcome)
    assert check.outcome.findings.model().rowCount() == 1
    check.copy.click()
    assert "tail was cut" in QGuiApplication.clipboard().text()


def test_what_is_no_head_is_marked(check: CheckDialog) -> None:
    check.head.setText("12")
    assert not check.check_button.isEnabled()
    assert "64 digits" in check.head.toolTip()
    check.head.clear()
    assert check.check_button.isEnabled()


def test_esc_stops_a_check_first_and_leaves_then(
    qtbot, check: CheckDialog, session: Session
) -> None:
    gate = threading.Event()
    for number in "12":
        session.operations.read(
            ReadOp(("gate", number), lambda _work: gate.wait(20)), on_done=lambda _: None
        )
    check.check()
    qtbot.keyClick(check, Qt.Key.Key_Escape)
    assert check.isVisible()
    gate.set()
    qtbot.waitUntil(lambda: settled(session))
    (said,) = check._board.shown
    assert "stopped" in said.text
    qtbot.keyClick(check, Qt.Key.Key_Escape)
    assert not check.isVisible()


def test_damage_is_found_and_listed(qtbot, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(open_store(str(path), create=True)).close()
    with closing(sqlite3.connect(path)) as db, db:
        asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        guards = db.execute(asked).fetchall()  # the record is append-only, unless someone means it
        for name, _sql in guards:
            db.execute(f'DROP TRIGGER "{name}"')
        db.execute("DELETE FROM tx WHERE number = 1")
        for _name, sql in guards:
            db.execute(sql)
    with session_on(open_store(str(path), read_only=True)) as session:
        dialog = CheckDialog(session)
        qtbot.addWidget(dialog)
        dialog.show()
        press_check(qtbot, dialog)
        assert "damaged" in dialog.outcome.verdict.sentence
        assert dialog.outcome.findings.model().rowCount() >= 2


def test_the_model_of_findings(qtmodeltester) -> None:
    model = FindingsModel((Finding("sources exist", "acme: mira", "Episode e1 is missing."),) * 3)
    qtmodeltester.check(model, force_py=True)
    assert model.data(model.index(1, 1)) == "Episode e1 is missing."
    assert "Sources exist" in model.data(model.index(1, 1), Qt.ItemDataRole.ToolTipRole)


# --- the properties -------------------------------------------------------------------------


@pytest.fixture
def properties(qtbot, session: Session) -> PropertiesDialog:
    dialog = PropertiesDialog(session)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog._found is not None)
    return dialog


def test_properties_say_where_and_what_it_is(properties: PropertiesDialog, store: Store) -> None:
    text = properties.text
    assert f"Identity: {store.store_id}\n" in text
    assert f"acme: {store.head(Scope('acme'))}\n" in text
    is_file = Capability.PERSISTENCE in store.capabilities
    assert ("Kind: SQLite file" in text) == is_file
    assert ("Size on disk: —" in text) != is_file
    assert ("Schema: Version" in text) == is_file
    assert "Attributes: 1 of this tenant" in text
    assert "\u202e" not in text
    properties.copy.click()
    assert QGuiApplication.clipboard().text() == text


def test_every_capability_is_named_and_its_lack_explained(
    properties: PropertiesDialog, store: Store
) -> None:
    assert set(_WORDS) == set(Capability)
    said = words_in(properties)
    assert said.count("yes") == len(store.capabilities)
    assert said.count("no") == len(Capability) - len(store.capabilities)
    assert any("Nothing can be removed physically" in words for words in said)


def test_a_new_tenant_appears(qtbot, properties: PropertiesDialog, store: Store) -> None:
    bind(store, "initech", agent_id="support").capture("e1", "Hello.", occurred_at=AT)
    qtbot.waitUntil(lambda: "initech: " in properties.text, timeout=5_000)


def test_a_read_only_store_says_so(qtbot, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    fill(open_store(str(path), create=True)).close()
    with session_on(open_store(str(path), read_only=True)) as session:
        dialog = PropertiesDialog(session)
        qtbot.addWidget(dialog)
        assert "Access: Read only" in dialog.text


# --- everybody can use them -----------------------------------------------------------------


def test_whatever_takes_the_keyboard_has_a_name(
    qtbot, check: CheckDialog, properties: PropertiesDialog
) -> None:
    press_check(qtbot, check)
    assert nameless_in(check, properties) == []


def test_hostile_names_are_shown_and_do_nothing(properties: PropertiesDialog) -> None:
    label = next(it for it in properties.findChildren(QLabel) if "globex" in it.text())
    assert label.text() == "<b>globex</b>⟨U+202E⟩"
    assert label.textFormat() == Qt.TextFormat.PlainText
