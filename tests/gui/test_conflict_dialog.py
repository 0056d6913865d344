"""A person decides conflicts: by the keyboard, on a store, end to end."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from store import (
    AsOf,
    Cardinality,
    Change,
    ConflictState,
    End,
    MemoryDelta,
    Outcome,
    Resolution,
    Scope,
    Settle,
    bind,
    open_store,
)
from store.query import Mark
from workbench.dialogs.conflict import ConflictDialog
from workbench.history import History
from workbench.ops import Operations
from workbench.session import Session
from workbench.widgets.reason_edit import RecentReasons

SCOPE = Scope("acme")


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def claim(subject, attribute, value, begins, episode, *, until=None):
    return Change(
        delta=MemoryDelta(
            tenant_id="acme",
            subject=subject,
            attribute=attribute,
            value=value,
            valid_from=at(begins),
            until=None if until is None else at(until),
            source_episode_id=episode,
        )
    )


class Desk:
    """A store with conflicts, a session on it, and the dialog."""

    def __init__(self, qtbot, location="memory:"):
        self.qtbot = qtbot
        self.store = open_store(location, create=True)
        crm = bind(self.store, "acme", agent_id="sync")
        support = bind(self.store, "acme", agent_id="support")
        crm.capture("crm-1", '{"tier": "gold"}', kind="tool_result", occurred_at=at("2026-06-15"))
        crm.capture("crm-2", "plan: large", kind="tool_result", occurred_at=at("2026-06-15"))
        support.capture("e1", "They upgraded me to **platinum**.", occurred_at=at("2026-06-16"))
        support.capture("e2", "We have the small plan.", occurred_at=at("2026-06-16"))
        support.capture("e3", "Or was it diamond?", occurred_at=at("2026-06-17"))
        self.write("mira", "account_tier", "standard", "2026-05-01", "crm-1", agent="sync")
        self.write("mira", "account_tier", "gold", "2026-06-15", "crm-1", agent="sync")
        self.tier = self.write("mira", "account_tier", "platinum", "2026-06-15", "e1")
        self.write("orion", "plan", "large", "2026-06-01", "crm-2", agent="sync")
        self.plan = self.write("orion", "plan", "small", "2026-06-01", "e2")
        self.ops = Operations()
        self.session = Session(self.ops)
        self.session.open(self.store, self.store.tenants(), tenant_id="acme")
        self.history = History(self.session)
        self.session.attention_wanted.connect(self.attend)
        self.reasons = RecentReasons(["The contract says so"])
        self.remembered = []
        self.reasons.remembered.connect(self.remembered.append)
        self.window = QWidget()
        qtbot.addWidget(self.window)
        qtbot.waitUntil(lambda: self.session.summary is not None)
        self.dialog = None

    def write(self, subject, attribute, value, begins, episode, *, agent="support", until=None):
        write = claim(subject, attribute, value, begins, episode, until=until)
        return self.store.write(Scope("acme", agent), write).conflict_id

    def attend(self, action_id):
        if action_id == "edit.undo":
            self.history.undo()

    def open(self, conflict_id=None):
        self.dialog = ConflictDialog.ask(
            self.session, conflict_id or self.tier, reasons=self.reasons, parent=self.window
        )
        self.qtbot.waitExposed(self.dialog)
        self.wait(lambda: self.dialog.presenter.case is not None and self.dialog.presenter.queue)
        return self.dialog

    def wait(self, holds):
        self.qtbot.waitUntil(lambda: bool(holds()))

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        target = QApplication.focusWidget() or self.dialog
        self.qtbot.keyClick(target, key, modifier)

    def type(self, words):
        self.qtbot.keyClicks(QApplication.focusWidget(), words)

    def reason(self, words="User confirmed in writing"):
        self.dialog.reason.setFocus()
        self.type(words)

    def foreseen(self):
        self.wait(lambda: self.dialog.presenter.plan is not None)

    def record(self):
        self.wait(lambda: self.dialog.record_button.isEnabled())
        with self.qtbot.waitSignal(self.dialog.recorded) as told:
            self.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        return told.args[0]

    def state(self, conflict_id=None):
        return self.store.conflict(SCOPE, conflict_id or self.tier)

    def values(self, subject="mira", attribute="account_tier", day="2026-07-01"):
        as_of = AsOf(valid_at=at(day))
        return sorted(it.value for it in self.store.read(SCOPE, subject, attribute, as_of))

    def close(self):
        self.session.close()
        self.ops.shutdown()


@pytest.fixture
def desk(qtbot):
    desk = Desk(qtbot)
    yield desk
    desk.close()


# --- the six outcomes, by the keyboard ----------------------------------------------------------


def test_nothing_is_chosen_when_it_opens(desk):
    dialog = desk.open()
    assert not any(dialog.outcomes.row(it).isChecked() for it in Resolution)
    assert not dialog.record_button.isEnabled()
    assert not dialog.record_button.isDefault()
    desk.press(Qt.Key.Key_Return)
    desk.press(Qt.Key.Key_Space)
    assert dialog.presenter.choice.resolution is None
    assert desk.state().state is ConflictState.OPEN


def test_one_lets_the_incoming_claim_win(desk):
    desk.open()
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    desk.reason()
    assert desk.record() == desk.tier
    settled = desk.state()
    assert settled.resolution is Resolution.INCOMING
    assert settled.reason == "User confirmed in writing"
    assert desk.values() == ["platinum"]
    assert desk.remembered == ["User confirmed in writing"]


def test_two_lets_the_standing_claim_stay(desk):
    desk.open()
    desk.press(Qt.Key.Key_2)
    desk.reason()
    desk.record()
    assert desk.state().resolution is Resolution.STANDING
    assert desk.values() == ["gold"]


def test_three_moves_a_claim_to_its_real_time(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_3)
    assert dialog.presenter.missing
    field = dialog.outcomes.move_inputs.begins.line_edit
    assert field.hasFocus()
    field.selectAll()
    desk.type("2026-06-20")
    desk.press(Qt.Key.Key_Tab)
    desk.foreseen()
    desk.reason()
    desk.record()
    assert desk.state().resolution is Resolution.MOVE
    assert desk.values(day="2026-06-18") == ["gold"]
    assert desk.values(day="2026-06-21") == ["platinum"]


def test_three_can_move_the_standing_claim_and_set_its_end(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_3)
    move = dialog.outcomes.move_inputs
    move.setFocus()
    move.findChild(QWidget, "move_standing").click()
    move.begins.line_edit.setFocus()
    move.begins.line_edit.selectAll()
    desk.type("2026-06-10")
    desk.press(Qt.Key.Key_Tab)
    desk.foreseen()
    assert "gold" in dialog.plan.sentences
    desk.reason()
    desk.record()
    assert desk.values(day="2026-06-12") == ["gold"]
    assert desk.values(day="2026-06-16") == ["platinum"]


def test_a_time_that_cannot_be_read_is_said_beside_the_field(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_3)
    field = dialog.outcomes.move_inputs.begins
    field.line_edit.selectAll()
    desk.type("the day before")
    desk.press(Qt.Key.Key_Tab)
    assert field.problem
    assert not dialog.record_button.isEnabled()


def test_four_lets_both_hold(desk):
    desk.open()
    desk.press(Qt.Key.Key_4)
    desk.foreseen()
    desk.reason()
    desk.record()
    assert desk.values() == ["gold", "platinum"]
    (entry,) = [it for it in desk.store.attributes(SCOPE) if it.name == "account_tier"]
    assert entry.cardinality is Cardinality.MULTI


def test_four_can_qualify_the_incoming_claim(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_4)
    dialog.outcomes.both_inputs.findChild(QWidget, "both_qualified").click()
    assert dialog.presenter.missing
    desk.type("work")
    desk.foreseen()
    desk.reason()
    desk.record()
    assert desk.values() == ["gold"]
    assert desk.values(attribute="account_tier (work)") == ["platinum"]


@pytest.mark.parametrize(
    ("typed", "value", "said"),
    [("rhodium", "rhodium", "text"), ('{"level": 3}', {"level": 3}, "object"), ("7", 7, "number")],
)
def test_five_takes_a_value_typed_in_and_says_how_it_is_stored(desk, typed, value, said):
    dialog = desk.open()
    desk.press(Qt.Key.Key_5)
    desk.type(typed)
    assert said in dialog.outcomes.merge_inputs.value.field.accessibleDescription()
    desk.foreseen()
    desk.reason()
    desk.record()
    (held,) = desk.store.read(SCOPE, "mira", "account_tier", AsOf(valid_at=at("2026-07-01")))
    assert held.value == value


def test_six_writes_nothing_and_goes_on_to_the_next(desk):
    dialog = desk.open()
    newest = desk.store.head(SCOPE).number
    desk.press(Qt.Key.Key_6)
    assert dialog.record_button.isEnabled()
    desk.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: dialog.presenter.case.conflict.conflict_id == desk.plan)
    assert desk.store.head(SCOPE).number == newest
    assert desk.state().state is ConflictState.OPEN


def test_escape_writes_nothing(desk, qtbot):
    dialog = desk.open()
    newest = desk.store.head(SCOPE).number
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    desk.reason()
    with qtbot.waitSignal(dialog.finished):
        desk.press(Qt.Key.Key_Escape)
    assert desk.store.head(SCOPE).number == newest


def test_a_decision_that_is_being_written_is_finished_and_can_be_undone(desk, qtbot):
    dialog = desk.open()
    desk.wait(lambda: dialog.presenter.alike)
    desk.press(Qt.Key.Key_1)
    desk.reason()
    dialog.findChild(QWidget, "settle_others").click()
    desk.wait(lambda: dialog.record_button.isEnabled())
    with qtbot.waitSignal(dialog.destroyed):
        dialog.presenter.record()
        dialog.reject()
        assert not dialog.isVisible()
    assert desk.state().state is desk.state(desk.plan).state is ConflictState.SETTLED
    for waiting in (desk.plan, desk.tier):
        with qtbot.waitSignal(desk.history.undone):
            desk.history.undo()
        assert desk.state(waiting).state is ConflictState.OPEN


def test_to_defer_says_that_nothing_will_be_written(desk, qtbot):
    dialog = desk.open()
    newest = desk.session.newest
    dialog.presenter.choose(Resolution.INCOMING)
    desk.wait(lambda: dialog.presenter.plan is not None)
    dialog.presenter.choose(Resolution.DEFER)
    said = [it.text() for it in dialog.plan.findChildren(QLabel) if it.isVisible()]
    assert [it for it in said if it.startswith("Nothing will be written")]
    assert dialog.presenter.plan is None
    assert dialog.presenter.can_record
    assert dialog.record_button.text() == "Go on to the next"
    dialog.presenter.record()
    assert desk.store.head(Scope("acme")).number == newest


def test_digits_typed_into_a_field_choose_nothing(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    dialog.reason.setFocus()
    desk.type("ticket 2 and 3")
    assert dialog.presenter.choice.resolution is Resolution.INCOMING
    assert dialog.reason.reason == "ticket 2 and 3"


def test_the_last_reasons_are_offered(desk):
    dialog = desk.open()
    assert [dialog.reason.itemText(i) for i in range(dialog.reason.count())] == [
        "The contract says so"
    ]
    desk.press(Qt.Key.Key_1)
    desk.reason()
    desk.record()
    assert dialog.reason.itemText(0) == "User confirmed in writing"


def test_arrow_keys_walk_the_outcomes(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_Down)
    assert dialog.outcomes.row(Resolution.INCOMING).hasFocus()
    assert dialog.presenter.choice.resolution is None
    desk.press(Qt.Key.Key_Space)
    assert dialog.presenter.choice.resolution is Resolution.INCOMING
    desk.press(Qt.Key.Key_Down)
    assert dialog.presenter.choice.resolution is Resolution.STANDING


# --- what is shown ------------------------------------------------------------------------------


def test_both_claims_are_shown_with_their_sources_and_evidence(desk):
    dialog = desk.open()
    assert dialog.standing.value.toPlainText() == "gold"
    assert dialog.incoming.value.toPlainText() == "platinum"
    assert "platinum" in dialog.incoming.evidence.toPlainText()
    assert "**" not in dialog.incoming.evidence.toPlainText()
    assert '{"tier": "gold"}' in dialog.standing.evidence.toPlainText()


def test_the_lane_now_is_disputed_and_the_lane_after_follows_the_choice(desk):
    dialog = desk.open()
    strip = dialog.plan.strip
    now, after = strip._lanes
    assert now.bars[-1].marks & Mark.DISPUTED
    assert after.bars == ()
    seen = []
    for key, last in ((Qt.Key.Key_1, '"platinum"'), (Qt.Key.Key_2, '"gold"')):
        desk.press(key)
        desk.foreseen()
        seen.append([lane.bars[-1].value for lane in strip._lanes] == ['"gold"', last])
        assert not strip._lanes[1].bars[-1].marks & Mark.DISPUTED
    assert seen == [True, True]


def test_the_newest_choice_wins(desk):
    dialog = desk.open()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_4, Qt.Key.Key_1):
        desk.press(key)
    desk.foreseen()
    desk.wait(lambda: not desk.ops.is_busy("conflict"))
    assert [bar.value for bar in dialog.plan.strip._lanes[1].bars] == ['"standard"', '"platinum"']


def test_what_becomes_of_each_claim_is_said_in_words(desk):
    dialog = desk.open()
    assert dialog.incoming.fate.words == ""
    desk.press(Qt.Key.Key_1)
    assert dialog.incoming.fate.is_preferred
    assert dialog.incoming.fate.words
    assert dialog.standing.fate.words
    assert not dialog.standing.fate.is_preferred


def test_of_several_waiting_claims_one_is_chosen(desk):
    desk.write("mira", "account_tier", "diamond", "2026-06-15", "e3")
    dialog = desk.open()
    pick = dialog.incoming.findChild(QWidget, "incoming_claims")
    assert pick.isVisible()
    assert pick.count() == 2
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    pick.setFocus()
    desk.press(Qt.Key.Key_Down)
    assert dialog.incoming.value.toPlainText() == "diamond"
    desk.foreseen()
    assert "rejected" in dialog.plan.sentences
    desk.reason()
    desk.record()
    assert desk.values() == ["diamond"]


def test_a_decision_that_is_refused_says_so_and_is_not_offered(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_3)
    field = dialog.outcomes.move_inputs.begins.line_edit
    field.selectAll()
    desk.type("2026-05-01")
    desk.press(Qt.Key.Key_Tab)
    desk.wait(lambda: dialog.presenter.problem)
    assert dialog.plan.sentences == dialog.presenter.problem
    desk.reason()
    assert not dialog.record_button.isEnabled()


def test_the_record_button_says_what_is_missing(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    assert not dialog.record_button.isEnabled()
    assert "reason" in dialog.record_button.accessibleDescription().lower()
    desk.reason("so")
    desk.wait(lambda: dialog.record_button.isEnabled())
    assert dialog.record_button.isDefault()


# --- one after the other ------------------------------------------------------------------------


def test_next_and_previous_go_round_without_closing(desk):
    dialog = desk.open()
    alt, bare = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
    for keys in ((Qt.Key.Key_Right, alt), (Qt.Key.Key_C, bare), (Qt.Key.Key_Left, alt)):
        before = dialog.presenter.case.conflict.conflict_id
        desk.press(*keys)
        desk.wait(lambda before=before: dialog.presenter.case.conflict.conflict_id != before)
    assert dialog.presenter.case.conflict.conflict_id == desk.plan
    assert dialog.isVisible()


def test_a_choice_is_kept_while_one_looks_at_another(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_2)
    desk.press(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    desk.wait(lambda: dialog.presenter.case.conflict.conflict_id == desk.plan)
    assert dialog.presenter.choice.resolution is None
    desk.press(Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    desk.wait(lambda: dialog.presenter.case.conflict.conflict_id == desk.tier)
    assert dialog.presenter.choice.resolution is Resolution.STANDING
    assert dialog.outcomes.row(Resolution.STANDING).isChecked()


def test_after_the_last_one_it_says_that_none_waits(desk):
    dialog = desk.open()
    for conflict_id in (desk.tier, desk.plan):
        desk.wait(lambda it=conflict_id: dialog.presenter.case.conflict.conflict_id == it)
        desk.press(Qt.Key.Key_2)
        desk.reason()
        assert desk.record() == conflict_id
    desk.wait(lambda: dialog.presenter.is_finished)
    assert not dialog.record_button.isVisible()


def test_asking_again_goes_to_the_conflict_in_the_open_dialog(desk):
    first = desk.open()
    second = ConflictDialog.ask(desk.session, desk.plan, reasons=desk.reasons, parent=desk.window)
    assert second is first
    desk.wait(lambda: first.presenter.case.conflict.conflict_id == desk.plan)


def test_undo_in_place_brings_the_conflict_back(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    desk.reason()
    desk.record()
    desk.wait(lambda: dialog.presenter.case.conflict.conflict_id == desk.plan)
    assert desk.values() == ["platinum"]
    dialog.presenter.messages.choose_action("conflict.recorded")
    desk.wait(lambda: dialog.presenter.case.conflict.conflict_id == desk.tier)
    assert desk.state().state is ConflictState.OPEN
    assert desk.values() == ["gold"]
    desk.history.redo()
    desk.wait(lambda: desk.state().state is ConflictState.SETTLED)
    assert desk.values() == ["platinum"]


def test_the_offer_to_undo_goes_when_something_else_was_written(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    desk.reason()
    desk.record()
    desk.wait(lambda: dialog.presenter.messages.shown)
    desk.session.write("else", claim("nova", "plan", "x", "2026-06-01", "e1"))
    desk.wait(lambda: not dialog.presenter.messages.shown)


# --- the others with this pair of sources -------------------------------------------------------


def test_others_with_the_same_sources_are_settled_after_a_preview(desk):
    dialog = desk.open()
    desk.wait(lambda: dialog.presenter.alike)
    desk.press(Qt.Key.Key_1)
    desk.reason("CRM was late")
    dialog.findChild(QWidget, "settle_others").click()
    desk.wait(lambda: dialog.presenter.consequences is not None)
    rows = dialog.others.list
    assert rows.count() == 1
    assert "orion" in rows.item(0).text()
    assert "small" in rows.item(0).text()
    assert desk.state(desk.plan).state is ConflictState.OPEN
    desk.record()
    desk.wait(lambda: dialog.presenter.is_finished)
    assert desk.values() == ["platinum"]
    assert desk.values("orion", "plan") == ["small"]
    assert desk.state(desk.plan).reason == "CRM was late"
    desk.history.undo()
    desk.wait(lambda: desk.state(desk.plan).state is ConflictState.OPEN)
    assert desk.state().state is ConflictState.SETTLED


def test_one_of_the_others_can_be_left_out(desk):
    dialog = desk.open()
    desk.wait(lambda: dialog.presenter.alike)
    desk.press(Qt.Key.Key_1)
    desk.reason()
    dialog.findChild(QWidget, "settle_others").click()
    desk.wait(lambda: dialog.presenter.consequences is not None)
    dialog.others.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    desk.record()
    desk.wait(lambda: dialog.presenter.case.conflict.conflict_id == desk.plan)
    assert desk.state(desk.plan).state is ConflictState.OPEN


def test_a_value_or_a_time_is_never_applied_to_others(desk):
    dialog = desk.open()
    desk.wait(lambda: dialog.presenter.alike)
    box = dialog.findChild(QWidget, "settle_others")
    desk.press(Qt.Key.Key_1)
    box.click()
    assert dialog.presenter.wants_others
    desk.press(Qt.Key.Key_5)
    assert not dialog.presenter.wants_others
    assert not box.isEnabled()


# --- ids, not positions; what others do meanwhile -----------------------------------------------


def test_it_acts_on_the_conflict_that_is_shown_though_the_list_changed(desk):
    dialog = desk.open(desk.plan)
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    desk.reason()
    desk.store.write(
        SCOPE, Settle(conflict_id=desk.tier, resolution=Resolution.STANDING, reason="elsewhere")
    )
    desk.session.refresh()
    desk.wait(lambda: [it.conflict_id for it in dialog.presenter.queue] == [desk.plan])
    assert desk.record() == desk.plan
    assert desk.values("orion", "plan") == ["small"]
    assert desk.values() == ["gold"]


def test_a_key_that_changed_meanwhile_is_noticed_and_said_in_place(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    desk.reason()
    desk.wait(lambda: dialog.record_button.isEnabled())
    desk.write("mira", "account_tier", "basic", "2026-04-01", "e2")
    desk.session.refresh()
    desk.wait(lambda: dialog.presenter.messages.shown)
    (shown,) = dialog.presenter.messages.shown
    assert shown.message.id == "conflict.changed"
    assert "support" in shown.text
    assert not dialog.record_button.isEnabled()
    dialog.presenter.messages.choose_action("conflict.changed")
    desk.wait(lambda: dialog.record_button.isEnabled())
    assert not dialog.presenter.messages.shown
    assert dialog.presenter.choice.resolution is Resolution.INCOMING
    desk.record()
    assert desk.values() == ["platinum"]


def test_a_change_between_look_and_press_is_refused_not_overwritten(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    desk.reason()
    desk.wait(lambda: dialog.record_button.isEnabled())
    standing = desk.state().standing
    desk.store.write(
        SCOPE,
        End(memory_id=standing.claim_id, at=at("2026-07-01"), episode_id="e3", reason="it ended"),
    )
    newest = desk.store.head(SCOPE).number
    dialog.presenter.record()
    desk.wait(lambda: dialog.presenter.messages.shown)
    assert desk.store.head(SCOPE).number == newest
    assert desk.state().state is ConflictState.OPEN
    assert not dialog.record_button.isEnabled()


def test_a_conflict_settled_elsewhere_is_said_and_shown_as_settled(desk):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    desk.store.write(
        SCOPE, Settle(conflict_id=desk.tier, resolution=Resolution.STANDING, reason="checked")
    )
    desk.session.refresh()
    desk.wait(lambda: dialog.presenter.messages.shown)
    dialog.presenter.look_again()
    desk.wait(lambda: dialog.presenter.case.conflict.state is ConflictState.SETTLED)
    assert not dialog.outcomes.isEnabled()
    assert "checked" in dialog.plan.sentences
    assert not dialog.record_button.isEnabled()


def test_it_closes_with_the_store(desk, qtbot):
    dialog = desk.open()
    desk.press(Qt.Key.Key_1)
    with qtbot.waitSignal(dialog.finished):
        desk.session.close()
    assert Outcome.APPLIED  # the store is closed on the writer thread; nothing more to ask it


def test_a_store_open_for_reading_decides_nothing(desk):
    desk.store.is_writable = False
    dialog = desk.open()
    assert not dialog.outcomes.isEnabled()
    assert dialog.presenter.messages.shown[0].message.id == "conflict.read_only"
    dialog.presenter.choose(Resolution.INCOMING)
    dialog.presenter.set_reason("x")
    desk.foreseen()
    assert not dialog.presenter.can_record


def test_a_conflict_in_a_file_is_settled_and_undone(qtbot, tmp_path):
    desk = Desk(qtbot, str(tmp_path / "conflicts.db"))
    dialog = desk.open()
    desk.wait(lambda: dialog.presenter.alike)
    desk.press(Qt.Key.Key_1)
    desk.foreseen()
    desk.reason()
    dialog.findChild(QWidget, "settle_others").click()
    desk.record()
    desk.wait(lambda: dialog.presenter.is_finished)
    assert desk.values() == ["platinum"]
    assert desk.values("orion", "plan") == ["small"]
    dialog.presenter.messages.choose_action("conflict.recorded_many")
    desk.wait(lambda: dialog.presenter.case is not None)  # after the last one there was none
    assert dialog.presenter.case.conflict.conflict_id == desk.plan
    assert dialog.presenter.case.is_open
    assert desk.values("orion", "plan") == ["large"]
    assert desk.values() == ["platinum"]
    desk.close()


# --- for everyone -------------------------------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name(desk):
    dialog = desk.open()
    desk.wait(lambda: dialog.presenter.alike)
    nameless = []
    for key in range(7):
        if key:
            desk.press(Qt.Key.Key_0 + key)
            dialog.outcomes.setFocus()
        for widget in dialog.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                shown = QAccessible.queryAccessibleInterface(widget)
                if not shown.text(QAccessible.Text.Name):
                    nameless.append((key, widget.metaObject().className(), widget.objectName()))
    assert nameless == []


def test_the_outcomes_tell_their_key_and_meaning_to_a_screen_reader(desk):
    dialog = desk.open()
    row = QAccessible.queryAccessibleInterface(dialog.outcomes.row(Resolution.BOTH))
    assert row.text(QAccessible.Text.Name).startswith("4")
    assert row.text(QAccessible.Text.Description)
    assert row.role() == QAccessible.Role.RadioButton


def test_the_source_can_be_looked_at_behind(desk):
    dialog = desk.open()
    dialog.incoming.findChild(QWidget, "incoming_source").click()
    assert desk.session.selection.episode_id == "e1"
