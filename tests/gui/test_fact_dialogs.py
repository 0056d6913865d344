"""A person's own acts on facts: filled in by the keyboard, foreseen, written, undone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from store import (
    AsOf,
    Attribute,
    Basis,
    Cardinality,
    Change,
    EpisodeKind,
    MemoryDelta,
    Precision,
    Register,
    Scope,
    bind,
    open_store,
)
from store.query import EpisodeQuery, Mark
from workbench.actions import Selection as SelectionKind
from workbench.dialogs.fact import (
    AddFactDialog,
    ConfirmFactDialog,
    CorrectFactDialog,
    EndFactDialog,
    FactDialogs,
    RetractFactDialog,
)
from workbench.history import History
from workbench.ops import Operations
from workbench.session import Selection, Session
from workbench.widgets.reason_edit import RecentReasons

SCOPE = Scope("acme")


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class Desk:
    def __init__(self, qtbot, *, is_empty=False):
        self.qtbot = qtbot
        self.store = open_store("memory:", create=True)
        self.memory = bind(self.store, "acme", agent_id="support")
        if not is_empty:
            self.fill()
        self.ops = Operations()
        self.session = Session(self.ops)
        self.session.open(self.store, self.store.tenants(), tenant_id="acme")
        self.history = History(self.session)
        self.reasons = RecentReasons()
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.dialog = None
        qtbot.waitUntil(lambda: self.session.summary is not None)

    def fill(self):
        self.memory.capture("e1", "I live in Lisbon.", occurred_at=at("2026-01-05"))
        self.memory.capture("e2", "Moved to Porto.", occurred_at=at("2026-03-05"))
        self.lisbon = self.write("home_city", "Lisbon", "2026-01-05", "e1")
        self.porto = self.write("home_city", "Porto", "2026-03-05", "e2")

    def write(self, attribute, value, begins, episode):
        delta = MemoryDelta(
            tenant_id="acme",
            subject="mira",
            attribute=attribute,
            value=value,
            valid_from=at(begins),
            source_episode_id=episode,
            memory_type="profile",
        )
        return self.store.write(SCOPE, Change(delta=delta)).memory_id

    def show(self, dialog):
        self.dialog = dialog
        dialog.show()
        self.qtbot.waitExposed(dialog)
        if not isinstance(dialog, AddFactDialog):
            self.wait(lambda: dialog.fact is not None)
        self.wait(lambda: not self.ops.is_busy("fact"))
        return dialog

    def on(self, kind, memory_id=None, **more):
        return self.show(
            kind(self.session, memory_id or self.porto, self.reasons, self.window, **more)
        )

    def add(self, **more):
        return self.show(AddFactDialog(self.session, self.reasons, self.window, **more))

    def wait(self, holds):
        self.qtbot.waitUntil(lambda: bool(holds()))

    def type(self, widget, words):
        widget.setFocus()
        if hasattr(widget, "selectAll"):
            widget.selectAll()
        self.qtbot.keyClicks(widget, words)

    def type_instant(self, edit, words):
        self.type(edit.line_edit, words)
        self.qtbot.keyClick(edit.line_edit, Qt.Key.Key_Tab)

    def explain(self, note="I saw the contract.", reason="Checked"):
        self.type(self.dialog.source.note, note)
        if reason:
            self.type(self.dialog.reason.lineEdit(), reason)

    def foreseen(self):
        self.wait(lambda: self.dialog.presenter.plan is not None)

    def write_it(self):
        self.wait(lambda: self.dialog.write_button.isEnabled())
        with self.qtbot.waitSignal(self.dialog.written) as told:
            target = QApplication.focusWidget() or self.dialog
            self.qtbot.keyClick(target, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        return told.args[0]

    def values(self, attribute="home_city", day="2026-06-01", subject="mira"):
        as_of = AsOf(valid_at=at(day))
        return sorted(str(it.value) for it in self.store.read(SCOPE, subject, attribute, as_of))

    def notes(self):
        return self.store.episodes(SCOPE, EpisodeQuery(kind=EpisodeKind.OPERATOR_NOTE)).items

    def close(self):
        self.session.close()
        self.ops.shutdown()


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot)
    yield desk
    desk.close()


# --- add ----------------------------------------------------------------------------------------


def test_a_fact_is_added_with_a_note_of_ones_own(desk):
    dialog = desk.add()
    assert dialog.subject.hasFocus()
    desk.type(dialog.subject, "nova")
    desk.type(dialog.attribute, "home_city")
    desk.type(dialog.value.field, "Braga")
    desk.type_instant(dialog.begins, "2026-05")
    desk.explain("She wrote it on the form.", reason="")
    desk.foreseen()
    assert "Braga" in dialog.plan.sentences
    assert not desk.notes()
    receipt = desk.write_it()
    (fact,) = desk.store.read(SCOPE, "nova", "home_city", AsOf(valid_at=at("2026-06-01")))
    assert fact.memory_id == receipt.memory_id
    assert (fact.value, fact.valid_from) == ("Braga", at("2026-05-01"))
    assert (fact.precision, fact.valid_from_basis) == (Precision.MONTH, Basis.STATED)
    assert (fact.agent_id, fact.confidence, fact.owner) == ("operator", 1.0, "")
    (note,) = desk.notes()
    assert note.content == "She wrote it on the form."
    assert fact.source_episode_id == note.episode_id


def test_a_new_attribute_gets_a_type_and_what_it_is_stored_as(desk):
    dialog = desk.add(subject="mira")
    assert dialog.attribute.hasFocus()
    desk.type(dialog.attribute, "shoe_size")
    assert dialog.memory_type.isVisible()
    desk.type(dialog.memory_type.lineEdit(), "profile")
    desk.type(dialog.value.field, "42")
    desk.explain(reason="")
    assert "number" in dialog.value.field.accessibleDescription()
    receipt = desk.write_it()
    assert desk.store.fact(SCOPE, receipt.memory_id).value == 42
    (entry,) = [it for it in desk.store.attributes(SCOPE) if it.name == "shoe_size"]
    assert (entry.memory_type, entry.cardinality) == ("profile", Cardinality.SINGLE)


def test_a_known_attribute_says_its_type_and_how_many_values_it_has(desk):
    entry = Attribute(name="email", memory_type="contact", cardinality=Cardinality.MULTI)
    desk.store.write(SCOPE, Register(attribute=entry))
    dialog = desk.add(subject="mira", attribute="home_city")
    desk.wait(lambda: "profile" in dialog.fields["attribute"].said)
    assert not dialog.memory_type.isVisible()
    desk.type(dialog.attribute, "email")
    assert "contact" in dialog.fields["attribute"].said
    assert "several" in dialog.fields["attribute"].said


def test_names_are_completed_by_those_of_the_record(desk):
    dialog = desk.add()
    desk.type(dialog.subject, "mi")
    desk.wait(lambda: dialog.subject._names.stringList() == ["mira"])
    desk.wait(lambda: "home_city" in dialog.attribute._names.stringList())
    dialog.subject.completer().popup().hide()


def test_a_claim_that_meets_another_is_foreseen_as_a_conflict_and_queued(desk):
    dialog = desk.add(subject="mira", attribute="home_city")
    desk.type(dialog.value.field, "Faro")
    desk.type_instant(dialog.begins, "2026-03-05")
    desk.explain(reason="")
    desk.foreseen()
    assert "conflicts" in dialog.plan.sentences
    desk.wait(lambda: dialog.plan.strip._lanes[1].bars)
    assert dialog.plan.strip._lanes[1].bars[-1].marks & Mark.DISPUTED
    receipt = desk.write_it()
    assert receipt.conflict_id is not None
    assert desk.values() == ["Porto"]


def test_a_stated_end_and_confidence_and_owner_are_written(desk):
    desk.session.refresh_summary()
    dialog = desk.add(subject="mira", attribute="home_city")
    desk.wait(lambda: dialog.owner.count() > 0)
    desk.type(dialog.value.field, "Faro")
    desk.type_instant(dialog.begins, "2026-08-01")
    desk.type_instant(dialog.ends, "2026-09-01")
    dialog.confidence.setValue(0.6)
    desk.explain(reason="Summer")
    receipt = desk.write_it()
    fact = desk.store.fact(SCOPE, receipt.memory_id, AsOf(valid_at=at("2026-08-05")))
    assert (fact.until, fact.confidence) == (at("2026-09-01"), 0.6)
    assert desk.values(day="2026-10-01") == ["Porto"]
    assert desk.store.transaction(SCOPE, receipt.transaction).transaction.reason == "Summer"


def test_an_end_before_the_beginning_is_said_beside_the_field(desk):
    dialog = desk.add(subject="mira", attribute="home_city")
    desk.type(dialog.value.field, "Faro")
    desk.type_instant(dialog.begins, "2026-08-01")
    desk.type_instant(dialog.ends, "2026-07-01")
    desk.explain(reason="")
    assert "after the beginning" in dialog.fields["ends"].said
    assert not dialog.write_button.isEnabled()


def test_a_date_that_cannot_be_read_is_said_beside_the_field(desk):
    dialog = desk.add(subject="mira", attribute="home_city")
    desk.type(dialog.value.field, "Faro")
    desk.explain(reason="")
    desk.foreseen()
    desk.type_instant(dialog.begins, "soon")
    assert "soon" in dialog.fields["begins"].said
    assert not dialog.write_button.isEnabled()


def test_what_is_missing_is_named_first_things_first(desk):
    dialog = desk.add()
    assert "about" in dialog.write_button.accessibleDescription()
    desk.type(dialog.subject, "mira")
    assert "attribute" in dialog.write_button.accessibleDescription()
    desk.type(dialog.attribute, "home_city")
    assert "value" in dialog.write_button.accessibleDescription()
    desk.type(dialog.value.field, "Faro")
    assert "know" in dialog.write_button.accessibleDescription()
    assert not dialog.write_button.isEnabled()


def test_what_the_record_knows_is_not_written_again(desk):
    dialog = desk.add(subject="mira", attribute="home_city")
    desk.type(dialog.value.field, "Porto")
    desk.type_instant(dialog.begins, "2026-03-05")
    dialog.source.choose_episode("e2")
    desk.foreseen()
    assert "knows" in dialog.plan.sentences
    assert not dialog.write_button.isEnabled()


def test_the_first_fact_of_an_empty_store_is_foreseen_and_added(qtbot):
    desk = Desk(qtbot, is_empty=True)
    dialog = desk.add()
    desk.type(dialog.subject, "mira")
    desk.type(dialog.attribute, "home_city")
    desk.type(dialog.value.field, "Porto")
    desk.type_instant(dialog.begins, "2026-03-05")
    desk.explain(reason="")
    desk.foreseen()
    assert "Porto" in dialog.plan.sentences
    desk.write_it()
    assert desk.values() == ["Porto"]
    desk.close()


def test_an_episode_can_be_found_by_its_words(desk):
    dialog = desk.add(subject="mira", attribute="home_city")
    dialog.source.findChild(QWidget, "source_is_episode").click()
    assert dialog.source.missing
    dialog.source.episode.click()
    pick = dialog.source._pick
    desk.wait(lambda: len(pick._entries) == 2)
    desk.qtbot.keyClicks(pick._field, "Porto")
    desk.wait(lambda: [it.id for it in pick._entries] == ["e2"])
    desk.qtbot.keyClick(pick._field, Qt.Key.Key_Return)
    assert dialog.source.source.episode_id == "e2"


# --- correct ------------------------------------------------------------------------------------


def test_a_value_is_corrected_and_the_correction_undone(desk):
    dialog = desk.on(CorrectFactDialog)
    assert dialog.value.found.value == "Porto"
    assert not dialog.write_button.isEnabled()
    desk.type(dialog.value.field, "Porto Alegre")
    desk.explain()
    desk.foreseen()
    assert "becomes" in dialog.plan.sentences
    desk.write_it()
    assert desk.values() == ["Porto Alegre"]
    assert desk.reasons.offered == ("Checked",)
    assert desk.history.undo_label == "Correct home_city"
    desk.history.undo()
    desk.wait(lambda: desk.values() == ["Porto"])


def test_a_beginning_is_corrected(desk):
    dialog = desk.on(CorrectFactDialog)
    desk.type_instant(dialog.begins, "2026-02-20")
    desk.explain()
    desk.foreseen()
    lanes = dialog.plan.strip._lanes
    assert [bar.value for bar in lanes[1].bars] == ['"Lisbon"', '"Porto"']
    desk.write_it()
    assert desk.values(day="2026-02-25") == ["Porto"]


def test_a_correction_that_collides_is_refused_beside_the_field(desk):
    dialog = desk.on(CorrectFactDialog)
    desk.type_instant(dialog.begins, "2026-01-05")
    desk.explain()
    desk.wait(lambda: dialog.fields["begins"].said)
    assert "Lisbon" in dialog.fields["begins"].said
    assert not dialog.write_button.isEnabled()
    desk.type_instant(dialog.begins, "2026-02-20")
    desk.foreseen()
    assert dialog.fields["begins"].said == ""


def test_of_several_statements_one_is_corrected(desk):
    again = desk.write("home_city", "Porto", "2026-05-01", "e1")
    assert again == desk.porto
    dialog = desk.on(CorrectFactDialog, row_from=at("2026-05-01"))
    assert dialog.row.isVisible()
    assert dialog.begins.instant == at("2026-05-01")
    desk.type_instant(dialog.begins, "2026-05-10")
    desk.explain()
    desk.write_it()
    begins = [
        it.valid_from
        for it in desk.store.versions(SCOPE, memory_id=desk.porto)
        if it.ceased is None and it.kind == "fact"
    ]
    assert sorted(begins) == [at("2026-03-05"), at("2026-05-10")]


def test_a_fact_that_changed_meanwhile_is_not_overwritten(desk):
    dialog = desk.on(CorrectFactDialog)
    desk.type(dialog.value.field, "Porto Alegre")
    desk.explain()
    desk.wait(lambda: dialog.write_button.isEnabled())
    desk.memory.capture("e9", "left", occurred_at=at("2026-05-01"))
    desk.memory.end(desk.porto, at("2026-05-01"), episode="e9", reason="left")
    newest = desk.store.head(SCOPE).number
    dialog.presenter.write()
    desk.wait(lambda: dialog.presenter.messages.shown)
    assert desk.store.head(SCOPE).number == newest
    assert not desk.notes()
    assert not dialog.write_button.isEnabled()
    dialog.presenter.messages.choose_action("fact.changed")
    desk.wait(lambda: not dialog.presenter.messages.shown)


def test_a_write_whose_dialog_was_closed_at_once_can_be_undone(desk):
    dialog = desk.on(CorrectFactDialog)
    desk.type(dialog.value.field, "Faro")
    desk.explain()
    desk.wait(lambda: dialog.write_button.isEnabled())
    with desk.qtbot.waitSignal(desk.session.written):
        dialog.presenter.write()
        with desk.qtbot.waitSignal(dialog.destroyed):
            dialog.close()
    assert desk.history.undo_label == "Correct home_city"
    desk.history.undo()
    desk.wait(lambda: desk.values() == ["Porto"])


def test_characters_that_cannot_be_seen_are_seen_and_kept(desk):
    hidden = desk.write("nickname", "mi\u200bra", "2026-03-05", "e1")
    dialog = desk.on(CorrectFactDialog, hidden)
    assert "\\u200b" in dialog.value.field.toPlainText()
    desk.explain()
    assert not dialog.write_button.isEnabled()  # nothing was changed


# --- end, retract, confirm ----------------------------------------------------------------------


def test_a_fact_is_ended(desk):
    dialog = desk.on(EndFactDialog)
    desk.type_instant(dialog.at, "2026-05-01")
    desk.explain()
    desk.foreseen()
    assert "ends" in dialog.plan.sentences
    desk.write_it()
    assert desk.values(day="2026-04-30") == ["Porto"]
    assert desk.values(day="2026-05-02") == []


def test_an_end_before_the_fact_is_refused_beside_the_field(desk):
    dialog = desk.on(EndFactDialog)
    desk.type_instant(dialog.at, "2026-02-01")
    desk.explain()
    desk.wait(lambda: dialog.fields["at"].said)
    assert not dialog.write_button.isEnabled()


def test_what_held_before_flows_on_when_a_fact_is_retracted(desk):
    desk.on(RetractFactDialog)
    desk.explain()
    desk.foreseen()
    desk.write_it()
    assert desk.values() == ["Lisbon"]


def test_or_a_gap_is_left(desk):
    dialog = desk.on(RetractFactDialog)
    dialog.gap.click()
    desk.explain()
    desk.foreseen()
    desk.write_it()
    assert desk.values() == []
    assert desk.values(day="2026-02-01") == ["Lisbon"]


@pytest.mark.parametrize("kind", [CorrectFactDialog, EndFactDialog, RetractFactDialog])
def test_a_reason_is_asked_for(desk, kind):
    dialog = desk.on(kind)
    if kind is CorrectFactDialog:
        desk.type(dialog.value.field, "Faro")
    desk.explain(reason="")
    assert "reason" in dialog.write_button.accessibleDescription().lower()
    assert not dialog.write_button.isEnabled()


def test_a_fact_is_confirmed_by_a_note(desk):
    dialog = desk.on(ConfirmFactDialog)
    assert not dialog.reason.isVisible()
    desk.explain("Still there, I rang.", reason="")
    assert "evidence" in dialog.plan.sentences
    desk.write_it()
    sources = [episode.content for _, episode in desk.store.evidence(SCOPE, desk.porto)]
    assert sources == ["Moved to Porto.", "Still there, I rang."]


def test_a_fact_is_confirmed_by_an_episode_but_not_twice(desk):
    desk.memory.capture("e5", "Porto it is", occurred_at=at("2026-04-01"))
    dialog = desk.on(ConfirmFactDialog)
    dialog.source.choose_episode("e2")
    desk.foreseen()
    assert not dialog.write_button.isEnabled()
    dialog.source.choose_episode("e5")
    desk.write_it()
    assert len(desk.store.evidence(SCOPE, desk.porto)) == 2


# --- conduct ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [CorrectFactDialog, EndFactDialog, RetractFactDialog, ConfirmFactDialog]
)
def test_escape_writes_nothing(desk, qtbot, kind):
    dialog = desk.on(kind)
    newest = desk.store.head(SCOPE).number
    desk.explain(reason="" if kind is ConfirmFactDialog else "x")
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert desk.store.head(SCOPE).number == newest


def test_a_fact_that_is_gone_says_so(desk):
    desk.memory.retract(desk.porto, episode="e1", reason="never")
    dialog = desk.on(EndFactDialog)
    (shown,) = dialog.presenter.messages.shown
    assert shown.message.id == "fact.gone"
    desk.explain()
    assert not dialog.write_button.isEnabled()


def test_everything_that_takes_the_focus_has_a_name(desk):
    nameless = []
    dialogs = [desk.add(subject="mira", attribute="new")]
    kinds = (CorrectFactDialog, EndFactDialog, RetractFactDialog, ConfirmFactDialog)
    dialogs += [desk.on(kind) for kind in kinds]
    for dialog in dialogs:
        for widget in dialog.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                shown = QAccessible.queryAccessibleInterface(widget)
                if not shown.text(QAccessible.Text.Name):
                    nameless.append((dialog.objectName(), widget.metaObject().className()))
    assert nameless == []


def test_the_window_opens_them_on_what_is_selected_and_selects_what_was_written(desk):
    dialogs = FactDialogs(desk.session, desk.reasons, desk.window)
    handlers = dialogs.handlers()
    assert set(handlers) == {
        "fact.add",
        "fact.correct",
        "fact.end",
        "fact.retract",
        "fact.confirm",
    }
    for action_id in handlers:
        if action_id != "fact.add":
            handlers[action_id]()
    assert not desk.window.findChildren(CorrectFactDialog)
    desk.session.select(
        Selection(SelectionKind.FACT, subject="mira", attribute="home_city", memory_id=desk.porto)
    )
    for action_id in handlers:
        handlers[action_id]()
    (dialog,) = desk.window.findChildren(CorrectFactDialog)
    desk.dialog = dialog
    desk.wait(lambda: dialog.fact is not None)
    dialog.activateWindow()
    desk.type(dialog.value.field, "Faro")
    desk.explain()
    desk.wait(lambda: dialog.write_button.isEnabled())
    with desk.qtbot.waitSignal(dialog.written):
        dialog.write_button.click()
    assert desk.session.selection.memory_id == desk.porto
    (add,) = desk.window.findChildren(AddFactDialog)
    assert add.subject.text() == "mira"
    for open_dialog in desk.window.findChildren(QWidget):
        if open_dialog.isWindow():
            open_dialog.close()


def test_they_close_with_the_store(desk, qtbot):
    dialog = desk.on(EndFactDialog)
    with qtbot.waitSignal(dialog.finished):
        desk.session.close()


def test_the_form_grows_by_what_a_new_row_needs_and_no_more(desk):
    dialog = desk.add(subject="mira")
    page, before = dialog._page.widget(), dialog.height()
    needed = page.minimumSizeHint().height()
    slack = page.height() - needed
    desk.type(dialog.attribute, "shoe_size")
    desk.wait(lambda: page.minimumSizeHint().height() > needed)
    desk.wait(lambda: dialog._page.verticalScrollBar().maximum() == 0)
    desk.wait(lambda: page.height() >= page.minimumSizeHint().height())
    grown = dialog.height() - before
    assert grown <= max(0, page.minimumSizeHint().height() - needed - slack) + 2
