"""The dialogs for acts on one fact: correct, end, retract, confirm."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store import Confirm, Correct, End, Outcome, Retract
from store.canonical import canonical
from workbench import text
from workbench.dialogs.fact.act import Proposal
from workbench.dialogs.fact.form import FactDialog
from workbench.theme import set_look
from workbench.widgets.instant_edit import InstantEdit
from workbench.widgets.value_edit import ValueEdit

if TYPE_CHECKING:
    from store import Fact, Plan
    from store.write import Write
    from workbench.dialogs.fact.act import Subject
    from workbench.session import Session
    from workbench.widgets.reason_edit import RecentReasons


class _OnFact(FactDialog):
    """An act on a fact that is there."""

    def __init__(
        self,
        session: Session,
        memory_id: str,
        reasons: RecentReasons,
        parent: QWidget | None = None,
        *,
        action_id: str,
        row_from: datetime | None = None,
    ) -> None:
        self._memory_id = memory_id
        self._row_from = row_from
        self._is_shown = False
        super().__init__(session, reasons, parent, action_id=action_id)
        self.presenter.act_on(memory_id)
        self.resize(self.sizeHint())

    @property
    def fact(self) -> Fact | None:
        """The fact, once it was read."""
        subject = self.presenter.subject
        return None if subject is None else subject.fact

    def _key(self) -> str:
        fact = self.fact
        if fact is None:
            return text.DASH
        return f"{text.one_line(fact.subject, 60)} / {text.one_line(fact.attribute, 60)}"

    def _is_now(self) -> str:
        """Say what the fact says now."""
        fact = self.fact
        if fact is None:
            return self.tr("Reading the fact…")
        period = text.period(fact.valid_from, fact.valid_to)
        return f"{text.isolate(text.value_line(fact.value, 120))} · {period}"

    def _label(self, verb: str) -> str:
        fact = self.fact
        attribute = "" if fact is None else text.one_line(fact.attribute, 60)
        return verb.format(attribute=attribute)

    @Slot()
    def _on_presenter_subject_changed(self) -> None:
        subject = self.presenter.subject
        if subject is None:
            return
        is_first, self._is_shown = not self._is_shown, True
        self._is_filling = True
        self._show_subject(subject)
        self._is_filling = False
        self._say_names()
        self.fill()
        if is_first:
            self.fields[self.main_field].widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_subject(self, subject: Subject) -> None:
        """Fill the fields with what the fact says."""


class CorrectFactDialog(_OnFact):
    """Says that a fact was wrong from the start: its value, its beginning or its end."""

    def __init__(
        self,
        session: Session,
        memory_id: str,
        reasons: RecentReasons,
        parent: QWidget | None = None,
        *,
        row_from: datetime | None = None,
    ) -> None:
        """Make a form.

        Args:
            session: the open store.
            memory_id: the fact.
            reasons: those given last.
            parent: the window.
            row_from: `valid_from` of the row that was pointed at, where the fact has several.
        """
        super().__init__(
            session, memory_id, reasons, parent, action_id="fact.correct", row_from=row_from
        )

    def _make_fields(self) -> None:
        self.row = QComboBox()
        self.row.setObjectName("row")
        self.value = ValueEdit("", lines=2)
        self.begins = InstantEdit("", empty_text=self.tr("as it is"))
        self.ends = InstantEdit("", empty_text=self.tr("until changed"))
        self.begins.setObjectName("begins")
        self.ends.setObjectName("ends")
        self._add_field("value", self.value, buddy=self.value.field)
        self._add_field("row", self.row).set_visible(False)
        self._add_field("begins", self.begins, buddy=self.begins.line_edit)
        self._add_field("ends", self.ends, buddy=self.ends.line_edit)
        self.value.value_changed.connect(lambda: self.fill("value"))
        self.row.activated.connect(self._on_row_activated)
        for name, edit in (("begins", self.begins), ("ends", self.ends)):
            edit.instant_changed.connect(lambda _at, it=name: self.fill(it))
            edit.problem_changed.connect(lambda _problem, it=name: self.fill(it))

    def _say_names(self) -> None:
        names = {
            "value": self.tr("Value"),
            "row": self.tr("Statement"),
            "begins": self.tr("Begins"),
            "ends": self.tr("Ends"),
        }
        for field, name in names.items():
            self.fields[field].set_name(name)
        self.value.field.setAccessibleName(names["value"])
        self.row.setAccessibleName(names["row"])
        self.row.view().setAccessibleName(names["row"])
        self.begins.set_name(names["begins"])
        self.ends.set_name(names["ends"])
        self._say_common(
            self.tr("Correct {key}").format(key=self._key()), self._is_now(), self.tr("Correct")
        )

    def _show_subject(self, subject: Subject) -> None:
        begins = [row.valid_from for row in subject.rows]
        self.row.clear()
        for at in begins:
            self.row.addItem(self.tr("from {when}").format(when=text.instant(at)), at)
        chosen = begins.index(self._row_from) if self._row_from in begins else 0
        self.row.setCurrentIndex(chosen if begins else -1)
        self.fields["row"].set_visible(len(begins) > 1)
        self.value.set_value(subject.fact.value)
        self._show_bounds()

    def _show_bounds(self) -> None:
        subject, place = self.presenter.subject, self.row.currentIndex()
        if subject is not None and place >= 0:
            self.begins.set_instant(subject.rows[place].valid_from)
            self.ends.set_instant(subject.rows[place].until)

    @Slot(int)
    def _on_row_activated(self, _place: int) -> None:
        self._show_bounds()
        self.fill("row")

    def _proposal(self) -> tuple[Proposal | None, str]:
        changes = self._changes()
        missing = self._first_missing(
            "" if changes else self.tr("Change the value, the beginning or the end.")
        )
        is_unreadable = self.value.problem or self.begins.problem or self.ends.problem
        source = self.source.source
        if missing or is_unreadable or source is None:
            return None, missing
        reason = self.reason.reason

        def write(episode_id: str, seen: int | None) -> Write:
            return Correct(
                memory_id=self._memory_id,
                episode_id=episode_id,
                reason=reason,
                seen=seen,
                **changes,
            )

        return Proposal(self._label(self.tr("Correct {attribute}")), write, source, reason), ""

    def _changes(self) -> dict[str, Any]:
        """Give the fields of the write that differ from what the fact says."""
        subject, found, place = self.presenter.subject, self.value.found, self.row.currentIndex()
        if subject is None or place < 0:
            return {}
        row, changes = subject.rows[place], dict[str, Any]()
        if found is not None and canonical(found.value) != canonical(subject.fact.value):
            changes["value"] = found.value
        begins, ends = self.begins.instant, self.ends.instant
        if begins is not None and begins != row.valid_from:
            changes["valid_from"] = begins
        if ends != row.until:
            changes["until"] = ends
        if len(subject.rows) > 1 and {"valid_from", "until"} & changes.keys():
            changes["row"] = row.valid_from
        return changes


class EndFactDialog(_OnFact):
    """Says when a fact stopped being true in the world."""

    def __init__(
        self,
        session: Session,
        memory_id: str,
        reasons: RecentReasons,
        parent: QWidget | None = None,
    ) -> None:
        self._opened_at = datetime.now(UTC)
        super().__init__(session, memory_id, reasons, parent, action_id="fact.end")

    def _make_fields(self) -> None:
        self.at = InstantEdit("")
        self.at.setObjectName("at")
        self._add_field("at", self.at, buddy=self.at.line_edit)
        self.at.instant_changed.connect(lambda _at: self.fill("at"))
        self.at.problem_changed.connect(lambda _problem: self.fill("at"))

    def _say_names(self) -> None:
        self.fields["at"].set_name(self.tr("Ended"))
        self.at.set_name(self.tr("Ended"))
        self._say_common(
            self.tr("End {key}").format(key=self._key()), self._is_now(), self.tr("End fact")
        )

    def _proposal(self) -> tuple[Proposal | None, str]:
        missing, source = self._first_missing(), self.source.source
        if missing or self.at.problem or source is None:
            return None, missing
        at, reason = self.at.instant or self._opened_at, self.reason.reason

        def write(episode_id: str, seen: int | None) -> Write:
            return End(
                memory_id=self._memory_id, at=at, episode_id=episode_id, reason=reason, seen=seen
            )

        return Proposal(self._label(self.tr("End {attribute}")), write, source, reason), ""


class RetractFactDialog(_OnFact):
    """Says that a fact never held; its record stays."""

    def __init__(
        self,
        session: Session,
        memory_id: str,
        reasons: RecentReasons,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, memory_id, reasons, parent, action_id="fact.retract")
        set_look(self.write_button, "danger")

    def _make_fields(self) -> None:
        self.flows_on, self.gap = QRadioButton(), QRadioButton()
        self.flows_on.setObjectName("flows_on")
        self.gap.setObjectName("gap")
        self.flows_on.setChecked(True)
        self._which = QButtonGroup(self)
        instead = QWidget()
        column = QVBoxLayout(instead)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        for button in (self.flows_on, self.gap):
            button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            self._which.addButton(button)
            column.addWidget(button)
        instead.setFocusProxy(self.flows_on)
        self._add_field("instead", instead, buddy=self.flows_on)
        self.gap.toggled.connect(lambda: self.fill("instead"))

    def _say_names(self) -> None:
        self.fields["instead"].set_name(self.tr("Instead"))
        self.flows_on.setText(self.tr("what held before flows on"))
        self.gap.setText(self.tr("nothing is known for that time"))
        self._say_common(
            self.tr("Retract {key}").format(key=self._key()), self._is_now(), self.tr("Retract")
        )

    def _proposal(self) -> tuple[Proposal | None, str]:
        missing, source = self._first_missing(), self.source.source
        if missing or source is None:
            return None, missing
        gap, reason = self.gap.isChecked(), self.reason.reason

        def write(episode_id: str, seen: int | None) -> Write:
            return Retract(
                memory_id=self._memory_id,
                episode_id=episode_id,
                reason=reason,
                gap=gap,
                seen=seen,
            )

        return Proposal(self._label(self.tr("Retract {attribute}")), write, source, reason), ""


class ConfirmFactDialog(_OnFact):
    """Adds an episode, or a note of the person's own, to the evidence of a fact."""

    def __init__(
        self,
        session: Session,
        memory_id: str,
        reasons: RecentReasons,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, memory_id, reasons, parent, action_id="fact.confirm")

    @property
    def needs_reason(self) -> bool:
        return False

    @property
    def main_field(self) -> str:
        return "source"

    def _make_fields(self) -> None:
        """Nothing besides the source is asked for."""

    def _say_names(self) -> None:
        self._say_common(
            self.tr("Confirm {key}").format(key=self._key()), self._is_now(), self.tr("Confirm")
        )
        self.fields["reason"].set_visible(False)

    def _said(self, plan: Plan) -> list[str]:
        if plan.outcome is Outcome.KNOWN:
            return []
        return [self.tr("The episode is added to the evidence.")]

    def _hint(self) -> str:
        if self.presenter.proposal is None:
            return super()._hint()
        return self.tr("Your note is added to the evidence; what can be read stays as it is.")

    def _proposal(self) -> tuple[Proposal | None, str]:
        missing, source = self._first_missing(), self.source.source
        if missing or source is None:
            return None, missing

        def write(episode_id: str, _seen: int | None) -> Write:
            return Confirm(memory_id=self._memory_id, episode_id=episode_id)

        label = self._label(self.tr("Confirm {attribute}"))
        return Proposal(label, write, source, is_foreseen=not source.is_note), ""
