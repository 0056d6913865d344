"""What the dialogs for acts have in common: fields with their problems, source, reason, plan."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store import Outcome
from store.temporal import to_micros
from workbench.dialogs.fact.act import AREA, ActPresenter, Proposal
from workbench.dialogs.fact.source import SourcePicker
from workbench.theme import set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.key_button import KeyButton
from workbench.widgets.lanes import LaneStrip, StripLane
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.plan_view import PlanView, lanes_now, plan_lanes
from workbench.widgets.reason_edit import ReasonEdit

if TYPE_CHECKING:
    from store import Plan, Receipt
    from workbench.session import Session
    from workbench.widgets.reason_edit import RecentReasons

WIDTH_PX: Final = 720
_NAME_PX: Final = LaneStrip.CAPTION_WIDTH - 12
_MARGIN_PX: Final = 24
_ROW_GAP_PX: Final = 10


class _Page(QScrollArea):
    """Scrolls what does not fit the screen, and asks for the height of what it holds."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self._body = body
        self.setObjectName("fields")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        set_look(self, "page")
        self.setWidget(body)

    def sizeHint(self) -> QSize:
        wanted = self._body.sizeHint()
        width = max(WIDTH_PX, wanted.width())
        height = self._body.heightForWidth(width) if self._body.hasHeightForWidth() else 0
        return QSize(width, max(height, wanted.height()))


class Field:
    """A row of the form: a name, what is filled in, and what is wrong with it."""

    def __init__(self, label: QLabel, cell: QVBoxLayout, widget: QWidget, says: QLabel) -> None:
        self._label, self._cell, self._says = label, cell, says
        self._problem = self._hint = ""
        self.widget = widget

    def set_name(self, name: str) -> None:
        """Name the field."""
        self._label.setText(name)

    def set_visible(self, is_visible: bool) -> None:
        """Show or hide the row."""
        self._cell.setContentsMargins(0, 0, 0, _ROW_GAP_PX if is_visible else 0)
        self._label.setVisible(is_visible)
        self.widget.setVisible(is_visible)
        self._says.setVisible(is_visible and bool(self._says.text()))

    def say(self, problem: str) -> None:
        """Say what is wrong; nothing with ""."""
        self._problem = problem
        self._show()

    def set_hint(self, hint: str) -> None:
        """Say what the field means, while nothing is wrong."""
        self._hint = hint
        self._show()

    def _show(self) -> None:
        said = self._problem or self._hint
        set_look(self._says, "problem" if self._problem else "secondary")
        self._says.setText(said)
        self._says.setVisible(bool(said) and not self.widget.isHidden())
        self.widget.setAccessibleDescription(said)

    @property
    def said(self) -> str:
        """What is said under the field."""
        return self._says.text()


class FactDialog(QDialog):
    """A form for one act, with what would follow shown while it is filled in.

    Ctrl+Enter writes, Esc closes without writing.

    Signals:
        written: the `Receipt` of the act; the dialog is closed then.
    """

    written = Signal(object)

    def __init__(
        self,
        session: Session,
        reasons: RecentReasons,
        parent: QWidget | None = None,
        *,
        action_id: str,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(action_id)
        self._on_screen = OnScreen(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        self.presenter = ActPresenter(session, reasons, self)
        self.fields: dict[str, Field] = {}
        self._title, self._says = ElidedLabel(), QLabel()
        self._grid = QGridLayout()
        self.source = SourcePicker(session, self.presenter.key("episodes"))
        self.reason = ReasonEdit(reasons)
        self.plan = PlanView()
        self._missing = QLabel()
        self._cancel = KeyButton("", "Esc")
        self.write_button = QPushButton()
        self._busy = BusyLine(self)
        self._busy.follow(session.operations, AREA)
        self._is_filling = True
        self._touched = ""
        self._lay_out()
        self._make_fields()
        self._add_source_and_reason()
        self._connect()
        self._say_names()
        self._is_filling = False

    # -- for each act -------------------------------------------------------------------------

    def _make_fields(self) -> None:
        """Make the fields of the act with `_add_field`."""
        raise NotImplementedError

    def _say_names(self) -> None:
        """Set all words in the language in force; calls `_say_common`."""
        raise NotImplementedError

    def _proposal(self) -> tuple[Proposal | None, str]:
        """Give the act as it is filled in, or None and what is still missing."""
        raise NotImplementedError

    @property
    def needs_reason(self) -> bool:
        """Whether a reason must be given."""
        return True

    @property
    def main_field(self) -> str:
        """The field beside which a refusal of the store is said unless another was changed."""
        return next(iter(self.fields))

    # -- building -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        body = QWidget()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnMinimumWidth(0, _NAME_PX)
        self._grid.setColumnStretch(1, 1)
        inside = QVBoxLayout(body)
        inside.setContentsMargins(_MARGIN_PX, 16, _MARGIN_PX, 0)
        inside.setSpacing(0)
        inside.addLayout(self._grid)
        inside.addStretch(1)
        self._page = _Page(body)
        consequence = QVBoxLayout()  # stays in view while the fields scroll
        consequence.setContentsMargins(_MARGIN_PX, 4, _MARGIN_PX, 12)
        consequence.addWidget(self.plan)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(MessageBar(self.presenter.messages))
        column.addWidget(self._page, 1)
        column.addLayout(consequence)
        column.addWidget(self._make_foot())

    def _make_head(self) -> QFrame:
        head = QFrame()
        set_look(head, "bar")
        set_look(self._title, "title")
        set_look(self._says, "secondary")
        self._says.setTextFormat(Qt.TextFormat.PlainText)
        self._says.setWordWrap(True)
        self._says.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        column = QVBoxLayout(head)
        column.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 12)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._says)
        return head

    def _make_foot(self) -> QFrame:
        foot = QFrame()
        set_look(foot, "footer")
        set_look(self._missing, "secondary")
        self._missing.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._cancel.setObjectName("cancel")
        self.write_button.setObjectName("write")
        set_look(self.write_button, "primary")
        for button in (self._cancel, self.write_button):
            button.setAutoDefault(False)
        row = QHBoxLayout(foot)
        row.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 12)
        row.setSpacing(8)
        row.addWidget(self._missing, 1)
        row.addSpacing(8)
        row.addWidget(self._cancel)
        row.addWidget(self.write_button)
        return foot

    def _add_field(self, name: str, widget: QWidget, *, buddy: QWidget | None = None) -> Field:
        """Add a row; fields are named by `_say_names`."""
        label, says = QLabel(), QLabel()
        set_look(label, "secondary")
        label.setBuddy(widget if buddy is None else buddy)
        label.setContentsMargins(0, 7, 0, 0)
        says.setTextFormat(Qt.TextFormat.PlainText)
        says.setWordWrap(True)
        says.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        says.setContentsMargins(2, 2, 0, 0)
        says.setVisible(False)
        cell = QVBoxLayout()
        cell.setContentsMargins(0, 0, 0, _ROW_GAP_PX)
        cell.setSpacing(0)
        cell.addWidget(widget)
        cell.addWidget(says)
        row = self._grid.rowCount()
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(cell, row, 1)
        field = self.fields[name] = Field(label, cell, widget, says)
        return field

    def _add_source_and_reason(self) -> None:
        self._add_field("source", self.source, buddy=self.source.note)
        self._add_field("reason", self.reason)

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.subject_changed.connect(self._on_presenter_subject_changed)
        presenter.preview_changed.connect(self._on_presenter_preview_changed)
        presenter.progress_changed.connect(self._on_presenter_progress_changed)
        presenter.written.connect(self._on_presenter_written)
        presenter.left.connect(self.reject)
        self._grow_later = QTimer(self, singleShot=True, interval=0)
        self._grow_later.timeout.connect(self._on_grow_later_timeout)
        # What the layout passes through on its way is no need.
        self._page.verticalScrollBar().rangeChanged.connect(self._grow_later.start)
        self.source.changed.connect(lambda: self.fill("source"))
        self.reason.reason_changed.connect(lambda _reason: self.fill("reason"))
        self._cancel.clicked.connect(self.reject)
        self.write_button.clicked.connect(presenter.write)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(presenter.write)

    def _say_common(self, title: str, sentence: str, verb: str) -> None:
        self.setWindowTitle(title)
        self._title.setText(title)
        self._says.setText(sentence)
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.setAccessibleDescription(self.tr("Close; nothing is written."))
        self.write_button.setText(verb)
        self.fields["source"].set_name(self.tr("Source"))
        self.fields["reason"].set_name(self.tr("Reason"))
        self.reason.set_hint(
            self.tr("Why this is right") if self.needs_reason else self.tr("Why, if you like")
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange and self.fields:
            self._say_names()
            self.fill()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._busy.setGeometry(0, 0, self.width(), 2)
        self._busy.raise_()

    # -- filling in ---------------------------------------------------------------------------

    @Slot()
    def fill(self, changed: str = "") -> None:
        """Take what is filled in, and ask what would follow.

        Args:
            changed: the field that was changed, beside which a refusal is said.
        """
        if self._is_filling:
            return
        if changed in self.fields and changed not in ("source", "reason"):
            self._touched = changed
        for name, field in self.fields.items():
            field.say(self._problem_of(name))
        proposal, missing = self._proposal()
        self._missing.setText(missing)
        self.write_button.setAccessibleDescription(missing)
        self.presenter.propose(proposal)

    @Slot()
    def _on_grow_later_timeout(self) -> None:
        """Take the height that the fields and the plan need; what grew stays so."""
        most = self._page.verticalScrollBar().maximum()
        room = self.screen().availableSize().height() - 2 * _MARGIN_PX - self.height()
        if most > 0 and room > 0 and self.isVisible():
            self.resize(self.width(), self.height() + min(most, room))
            self._on_screen.bring_later()

    def _problem_of(self, name: str) -> str:
        return str(getattr(self.fields[name].widget, "problem", ""))

    def _first_missing(self, *sentences: str) -> str:
        """Give the first thing that is missing, of the fields, the source and the reason."""
        needs = self.needs_reason and not self.reason.reason
        asked = (*sentences, self.source.missing, self.tr("Give a reason.") if needs else "")
        return next((it for it in asked if it), "")

    # -- showing ------------------------------------------------------------------------------

    def _lanes_meanwhile(self) -> tuple[StripLane, ...]:
        """Give the lanes to show while there is no plan."""
        subject = self.presenter.subject
        if subject is None:
            return lanes_now((), None)
        fact = subject.fact
        ends = fact.valid_from if fact.valid_to is None else fact.valid_to
        return lanes_now(subject.bars, (to_micros(fact.valid_from), to_micros(ends)))

    def _lanes_unchanged(self, plan: Plan) -> tuple[StripLane, ...]:
        """Give the lanes for a plan that changes nothing that can be read."""
        now, _after = self._lanes_meanwhile()
        return now, StripLane(_after.caption, now.bars)

    def _said(self, plan: Plan) -> list[str]:
        """Give the sentences that come before those of a plan."""
        return []

    def _marks(self) -> dict[tuple[str, int], int]:
        """Give what is known of bars besides their values."""
        subject = self.presenter.subject
        bars = () if subject is None else subject.bars
        return {(bar.memory_id, bar.valid_from): bar.marks for bar in bars}

    def _hint(self) -> str:
        """Say what the plan needs while there is none."""
        if self.presenter.proposal is None:
            return self.tr("What would follow is shown here once all is filled in.")
        return ""

    @Slot()
    def _on_presenter_subject_changed(self) -> None:
        """Show the fact on which one acts; acts on facts do."""

    @Slot()
    def _on_presenter_preview_changed(self) -> None:
        presenter = self.presenter
        now_at = to_micros(datetime.now(UTC))
        touched = self._touched or self.main_field
        plan = presenter.plan
        if plan is not None:
            lanes = plan_lanes(plan, marks=self._marks()) or self._lanes_unchanged(plan)
            self.plan.show_plan(plan, now_at=now_at, lanes=lanes, said=self._said(plan))
            return
        self.plan.show_lanes(self._lanes_meanwhile(), now_at=now_at, hint=self._hint())
        if presenter.problem:
            self.fields[touched].say(presenter.problem)
            self.plan.show_hint(self.tr("It cannot be done so; nothing would be written."))

    @Slot()
    def _on_presenter_progress_changed(self) -> None:
        presenter = self.presenter
        can = presenter.can_write
        self.write_button.setEnabled(can)
        self.write_button.setDefault(can)
        plan = presenter.plan
        if plan is not None and plan.outcome is Outcome.KNOWN:
            self._missing.setText(self.tr("There is nothing to write."))

    @Slot(object)
    def _on_presenter_written(self, receipt: Receipt) -> None:
        self.written.emit(receipt)
        self.accept()
