"""The dialog to add a fact as a person knows it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError
from PySide6.QtCore import QStringListModel, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from store import Attribute, Basis, Cardinality, Change, MemoryDelta, Outcome, Precision
from store.model import LONGEST_NAME, SHARED
from store.query import LaneKey, Mark
from store.temporal import to_micros
from workbench import text
from workbench.dialogs.fact.act import Proposal, Source
from workbench.dialogs.fact.form import FactDialog
from workbench.dialogs.lane import read_bars
from workbench.theme import set_look
from workbench.widgets.instant_edit import InstantEdit
from workbench.widgets.lanes import StripLane
from workbench.widgets.plan_view import lanes_now
from workbench.widgets.value_edit import ValueEdit

if TYPE_CHECKING:
    from store import Plan
    from store.query import Bar
    from store.write import Write
    from workbench.session import Session, View
    from workbench.widgets.reason_edit import RecentReasons

_OFFERED: Final = 20
_NEW_TYPE: Final = "fact"


class _NameEdit(QLineEdit):
    """A name, completed by those of the record."""

    def __init__(self, object_name: str) -> None:
        super().__init__()
        self.setObjectName(object_name)
        self.setMaxLength(LONGEST_NAME)
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(8)
        self._popup = completer.popup()
        self.setCompleter(completer)

    @property
    def name(self) -> str:
        """What is typed, without blanks around it."""
        return self.text().strip()

    def offer(self, names: list[str]) -> None:
        """Complete by these names."""
        if names != self._names.stringList():
            self._names.setStringList(names)

    def set_name(self, name: str) -> None:
        """Say what is asked for, to a screen reader."""
        self.setAccessibleName(name)
        if self._popup is not None:
            self._popup.setAccessibleName(name)


class AddFactDialog(FactDialog):
    """Adds a fact: subject, attribute, value, when it holds, and how one knows."""

    def __init__(
        self,
        session: Session,
        reasons: RecentReasons,
        parent: QWidget | None = None,
        *,
        subject: str = "",
        attribute: str = "",
    ) -> None:
        """Make a form.

        Args:
            session: the open store.
            reasons: those given last.
            parent: the window.
            subject: to begin with.
            attribute: to begin with.
        """
        self._registry: dict[str, Attribute] = {}
        self._bars: tuple[Bar, ...] = ()
        self._opened_at = datetime.now(UTC)
        super().__init__(session, reasons, parent, action_id="fact.add")
        self._read_names()
        self.subject.setText(subject)
        self.attribute.setText(attribute)
        self.resize(self.sizeHint())
        focused = self.attribute if subject else self.subject
        focused.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def needs_reason(self) -> bool:
        return False

    @property
    def main_field(self) -> str:
        return "begins"

    # -- the form -----------------------------------------------------------------------------

    def _make_fields(self) -> None:
        self.subject = _NameEdit("subject")
        self.attribute = _NameEdit("attribute")
        self.memory_type = QComboBox()
        self.memory_type.setObjectName("memory_type")
        self.memory_type.setEditable(True)
        self.value = ValueEdit("", lines=2)
        self.begins = InstantEdit("")
        self.ends = InstantEdit("", empty_text=self.tr("until changed"))
        self.begins.setObjectName("begins")
        self.ends.setObjectName("ends")
        self.confidence = QDoubleSpinBox()
        self.confidence.setLocale(text.current_format().locale)
        self.confidence.setObjectName("confidence")
        self.confidence.setRange(0.0, 1.0)
        self.confidence.setSingleStep(0.05)
        self.confidence.setValue(1.0)
        self.confidence.lineEdit().setTextMargins(8, 0, 0, 0)
        self.owner = QComboBox()
        self.owner.setObjectName("owner")
        self._owner_name, self._confidence_name = QLabel(), QLabel()
        self._add_field("subject", self.subject)
        self._add_field("attribute", self.attribute)
        self._add_field("memory_type", self.memory_type).set_visible(False)
        self._add_field("value", self.value, buddy=self.value.field)
        self._add_field("begins", self.begins, buddy=self.begins.line_edit)
        self._add_field("ends", self.ends, buddy=self.ends.line_edit)
        self._add_field("trust", self._make_trust(), buddy=self.confidence)
        self.subject.textChanged.connect(self._on_subject_text_changed)
        self.attribute.textChanged.connect(lambda: self._on_attribute_changed())
        self.memory_type.editTextChanged.connect(lambda: self.fill("memory_type"))
        self.value.value_changed.connect(lambda: self.fill("value"))
        for name, edit in (("begins", self.begins), ("ends", self.ends)):
            edit.instant_changed.connect(lambda _at, it=name: self.fill(it))
            edit.problem_changed.connect(lambda _problem, it=name: self.fill(it))
        self.confidence.valueChanged.connect(lambda: self.fill("trust"))
        self.owner.currentIndexChanged.connect(self._on_owner_changed)

    def _make_trust(self) -> QWidget:
        """Put confidence and owner into one row: both are left as they are as a rule."""
        trust = QWidget()
        set_look(self._owner_name, "secondary")
        self._owner_name.setBuddy(self.owner)
        self.owner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(trust)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.confidence)
        row.addSpacing(16)
        row.addWidget(self._owner_name)
        row.addWidget(self.owner, 1)
        return trust

    def _say_names(self) -> None:
        names = {
            "subject": self.tr("Subject"),
            "attribute": self.tr("Attribute"),
            "memory_type": self.tr("Type"),
            "value": self.tr("Value"),
            "begins": self.tr("Begins"),
            "ends": self.tr("Ends"),
            "trust": self.tr("Confidence"),
        }
        for field, name in names.items():
            self.fields[field].set_name(name)
        self.subject.set_name(names["subject"])
        self.attribute.set_name(names["attribute"])
        self.memory_type.setAccessibleName(names["memory_type"])
        type_line = self.memory_type.lineEdit()
        assert type_line is not None
        type_line.setAccessibleName(names["memory_type"])
        self.memory_type.view().setAccessibleName(names["memory_type"])
        self.value.field.setAccessibleName(names["value"])
        self.begins.set_name(names["begins"])
        self.ends.set_name(names["ends"])
        self.confidence.setAccessibleName(names["trust"])
        self.confidence.lineEdit().setAccessibleName(names["trust"])
        self._owner_name.setText(self.tr("Belongs to"))
        self.owner.setAccessibleName(self.tr("Belongs to"))
        self.owner.view().setAccessibleName(self.tr("Belongs to"))
        self._offer_owners()
        self._say_common(
            self.tr("Add a fact"),
            self.tr("What holds, since when, and how you know it; no other claim is overwritten."),
            self.tr("Add fact"),
        )

    def _offer_owners(self) -> None:
        chosen = self.owner.currentData()
        summary = self._session.summary
        agents = [] if summary is None else [agent for agent, _ in summary.by_agent]
        was_blocked = self.owner.blockSignals(True)
        self.owner.clear()
        self.owner.addItem(self.tr("all agents of the tenant"), SHARED)
        for agent in agents:
            self.owner.addItem(text.one_line(agent, 60), agent)
        self.owner.setCurrentIndex(max(0, self.owner.findData(chosen)))
        self.owner.blockSignals(was_blocked)

    # -- names of the record ------------------------------------------------------------------

    def _read_names(self) -> None:
        self._session.read(
            self.presenter.key("registry"),
            lambda view: view.store.attributes(view.scope),
            on_done=self._on_registry,
            on_failed=lambda _error: None,
            owner=self,
        )

    def _on_registry(self, registry: tuple[Attribute, ...]) -> None:
        self._registry = {entry.name: entry for entry in registry}
        self.attribute.offer(list(self._registry))
        types = sorted({entry.memory_type for entry in registry} | {_NEW_TYPE})
        was_blocked = self.memory_type.blockSignals(True)
        self.memory_type.clear()
        self.memory_type.addItems(types)
        self.memory_type.setCurrentText(_NEW_TYPE)
        self.memory_type.blockSignals(was_blocked)
        self._on_attribute_changed()

    @Slot(str)
    def _on_subject_text_changed(self, typed: str) -> None:
        prefix = typed.strip()
        if prefix:
            self._session.read(
                self.presenter.key("subjects"),
                lambda view: _subjects(view, prefix),
                on_done=self.subject.offer,
                on_failed=lambda _error: None,
                owner=self,
            )
        self._read_lane()
        self.fill("subject")

    def _read_lane(self) -> None:
        """Read what holds on the key already, to show what the fact would stand beside."""
        self._bars = ()
        subject, attribute = self.subject.name, self.attribute.name
        if not subject or attribute not in self._registry:
            self._session.operations.forget(self.presenter.key("lane"))
            return
        key = LaneKey(self.owner.currentData() or SHARED, subject, attribute, "")
        self._session.read(
            self.presenter.key("lane"),
            lambda view: read_bars(view, key),
            on_done=self._on_lane,
            on_failed=lambda _error: None,
            owner=self,
        )

    def _on_lane(self, bars: tuple[Bar, ...]) -> None:
        self._bars = bars
        self._on_presenter_preview_changed()

    def _lanes_meanwhile(self) -> tuple[StripLane, ...]:
        at = to_micros(self.begins.instant or self._opened_at)
        return lanes_now(self._bars, (at, at))

    def _lanes_unchanged(self, plan: Plan) -> tuple[StripLane, ...]:
        """Mark the claim that a conflict is with."""
        now, after = super()._lanes_unchanged(plan)
        if plan.outcome is not Outcome.CONFLICT:
            return now, after
        bars = [
            bar._replace(marks=bar.marks | Mark.DISPUTED) if bar.memory_id == plan.standing else bar
            for bar in now.bars
        ]
        return now, StripLane(after.caption, tuple(bars))

    def _marks(self) -> dict[tuple[str, int], int]:
        return {(bar.memory_id, bar.valid_from): bar.marks for bar in self._bars}

    @Slot()
    def _on_owner_changed(self) -> None:
        self._read_lane()
        self.fill("trust")

    @Slot()
    def _on_attribute_changed(self) -> None:
        name = self.attribute.name
        known = self._registry.get(name)
        self.fields["memory_type"].set_visible(bool(name) and known is None)
        self.fields["attribute"].set_hint(self._about(name, known))
        self._read_lane()
        self.fill("attribute")

    def _about(self, name: str, known: Attribute | None) -> str:
        if not name:
            return ""
        if known is None:
            return self.tr("A new attribute; it has one value at a time.")
        kind = text.one_line(known.memory_type, 60)
        if known.cardinality is Cardinality.MULTI:
            return self.tr("Of type {type}; it may have several values at once.").format(type=kind)
        return self.tr("Of type {type}; it has one value at a time.").format(type=kind)

    # -- what is filled in --------------------------------------------------------------------

    def _proposal(self) -> tuple[Proposal | None, str]:
        found = self.value.found
        missing = self._first_missing(
            "" if self.subject.name else self.tr("Say whom or what it is about."),
            "" if self.attribute.name else self.tr("Name the attribute."),
            "" if found is not None else self.tr("Type the value."),
        )
        is_unreadable = self.begins.problem or self.ends.problem or self.value.problem
        source = self.source.source
        if missing or is_unreadable or source is None:
            return None, missing
        try:
            delta = self._delta(source)
        except ValidationError as error:
            return None, self._say_invalid(error)
        reason = self.reason.reason

        def write(episode_id: str, _seen: int | None) -> Write:
            told = delta.model_copy(update={"source_episode_id": episode_id})
            return Change(delta=told, reason=reason or None)

        label = self.tr("Add {attribute}").format(attribute=text.one_line(delta.attribute, 60))
        return Proposal(label, write, source, reason), ""

    def _delta(self, source: Source) -> MemoryDelta:
        scope, found = self._session.scope, self.value.found
        assert scope is not None
        assert found is not None
        stated = self.begins.stated
        is_new = self.attribute.name not in self._registry
        return MemoryDelta(
            tenant_id=scope.tenant_id,
            subject=self.subject.name,
            attribute=self.attribute.name,
            value=found.value,
            valid_from=self._opened_at if stated is None else stated.instant,
            source_episode_id=source.episode_id or "-",
            until=self.ends.instant,
            confidence=round(self.confidence.value(), 4),
            owner=self.owner.currentData() or SHARED,
            memory_type=self.memory_type.currentText().strip() or None if is_new else None,
            valid_from_basis=Basis.STATED,
            precision=Precision.INSTANT if stated is None else stated.precision,
            stated_as=None if stated is None else stated.text,
        )

    def _say_invalid(self, error: ValidationError) -> str:
        """Say beside the field what breaks a rule of the record."""
        problem = error.errors()[0]
        named = str(problem["loc"][0]) if problem["loc"] else "ends"
        field = named if named in self.fields else "begins"
        said = problem["msg"].removeprefix("Value error, ")
        sentence = f"{said[:1].upper()}{said[1:]}."
        self.fields[field].say(sentence)
        return ""


def _subjects(view: View, prefix: str) -> list[str]:
    found = view.store.suggest(view.scope, prefix, _OFFERED)
    return list(dict.fromkeys(subject for subject, _attribute in found))
