"""The conflict dialog: both claims, the six outcomes, and the lane now and after."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from store import ConflictKind, ConflictState, Resolution
from store.query import Mark
from store.temporal import Basis, Precision, to_micros
from workbench import text, words
from workbench.actions import Selection as SelectionKind
from workbench.dialogs.conflict.claim_card import ClaimCard, Fate
from workbench.dialogs.conflict.others import OthersList
from workbench.dialogs.conflict.outcomes import OUTCOMES, OutcomeList
from workbench.dialogs.conflict.presenter import AREA, ConflictPresenter
from workbench.session import Selection
from workbench.theme import icon, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.key_button import KeyButton
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.plan_view import PlanView, lanes_now, plan_lanes
from workbench.widgets.reason_edit import ReasonEdit

if TYPE_CHECKING:
    from collections.abc import Callable

    from store import Conflict
    from store.model import Claim, Plan
    from workbench.dialogs.conflict.case import Case
    from workbench.session import Session
    from workbench.widgets.lanes import StripLane
    from workbench.widgets.reason_edit import RecentReasons

SIZE: Final = QSize(1040, 880)
_MARGIN_PX: Final = 24


class ConflictDialog(QDialog):
    """Settles conflicts, one after the other, without closing. It blocks nothing behind it.

    Keys: 1 to 6 choose an outcome, Alt+Left and Alt+Right go to the previous and next conflict,
    Ctrl+Enter records, Esc closes without writing.

    Signals:
        recorded: the id of a conflict that was settled.
    """

    recorded = Signal(str)

    def __init__(
        self, session: Session, reasons: RecentReasons, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("conflict.resolve")
        OnScreen(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._session = session
        self._closes_later = False
        self.presenter = ConflictPresenter(session, reasons, self)
        self._title, self._says = ElidedLabel(), QLabel()
        self._place = QLabel()
        self._previous, self._next = QToolButton(), QToolButton()
        self.standing, self.incoming = ClaimCard("standing"), ClaimCard("incoming")
        self.outcomes = OutcomeList()
        self.plan = PlanView()
        self._reason_label = QLabel()
        self.reason = ReasonEdit(reasons)
        self.others = OthersList()
        self._others_box = QCheckBox()
        self._missing = QLabel()
        self._defer = KeyButton("", "Esc")
        self.record_button = QPushButton()
        self._pages = QStackedWidget()
        self._empty = EmptyState("circle-check", "")
        self._close = self._empty.add_button("close", "", is_primary=True)
        self._busy = BusyLine(self)
        self._busy.follow(session.operations, AREA)
        self._lay_out()
        self._connect()
        self._say_names()
        self.resize(SIZE.boundedTo(self.screen().availableSize() - QSize(24, 48)))

    @classmethod
    def ask(
        cls,
        session: Session,
        conflict_id: str,
        *,
        reasons: RecentReasons,
        parent: QWidget | None = None,
    ) -> ConflictDialog:
        """Show a conflict: in the dialog that is open over the parent already, or in a new one."""
        shown = None if parent is None else parent.findChild(cls, "conflict.resolve")
        dialog = shown if shown is not None and shown.isVisible() else cls(session, reasons, parent)
        dialog.presenter.open(conflict_id)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        return dialog

    # -- building -----------------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head())
        column.addWidget(MessageBar(self.presenter.messages))
        self._scroll = QScrollArea()
        self._scroll.setObjectName("claims_and_outcomes")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        set_look(self._scroll, "page")
        self._scroll.setWidget(self._make_body())
        page = QWidget()
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self._scroll, 1)
        inside.addWidget(self._make_consequence())
        self._pages.addWidget(page)
        self._pages.addWidget(self._empty)
        column.addWidget(self._pages, 1)
        column.addWidget(self._make_foot())

    def _make_head(self) -> QFrame:
        head = QFrame()
        set_look(head, "bar")
        set_look(self._title, "title")
        set_look(self._says, "secondary")
        set_look(self._place, "secondary")
        self._says.setTextFormat(Qt.TextFormat.PlainText)
        self._says.setWordWrap(True)
        words_column = QVBoxLayout()
        words_column.setSpacing(2)
        words_column.addWidget(self._title)
        words_column.addWidget(self._says)
        row = QHBoxLayout(head)
        row.setContentsMargins(_MARGIN_PX, 14, _MARGIN_PX, 14)
        row.setSpacing(12)
        row.addLayout(words_column, 1)
        row.addWidget(self._place)
        for button, name in ((self._previous, "chevron-left"), (self._next, "chevron-right")):
            button.setIcon(icon(name))
            button.setFixedSize(30, 30)
            set_look(button, "framed")
            row.addWidget(button)
        return head

    def _make_body(self) -> QWidget:
        body = QWidget()
        cards = QHBoxLayout()
        cards.setSpacing(16)
        cards.addWidget(self.standing, 1)
        cards.addWidget(self.incoming, 1)
        self.others.setVisible(False)
        column = QVBoxLayout(body)
        column.setContentsMargins(_MARGIN_PX, 16, _MARGIN_PX, 12)
        column.setSpacing(12)
        column.addLayout(cards)
        column.addWidget(self.outcomes)
        column.addWidget(self.others)
        column.addStretch(1)
        return body

    def _make_consequence(self) -> QWidget:
        """Make what stays in view while claims and outcomes scroll: what follows, and why."""
        consequence = QWidget()
        edge = QFrame()
        set_look(edge, "hairline")
        edge.setVisible(False)
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(lambda least, most: edge.setVisible(most > least))
        bar.rangeChanged.connect(self._reveal_choice)
        reason = QHBoxLayout()
        reason.setSpacing(12)
        reason.addWidget(self._reason_label)
        reason.addWidget(self.reason, 1)
        set_look(self._reason_label, "secondary")
        self._reason_label.setBuddy(self.reason)
        self._reason_label.setMinimumWidth(self.plan.strip.CAPTION_WIDTH - 12)
        inside = QVBoxLayout()
        inside.setContentsMargins(_MARGIN_PX, 4, _MARGIN_PX, 14)
        inside.setSpacing(10)
        inside.addWidget(self.plan)
        inside.addLayout(reason)
        column = QVBoxLayout(consequence)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(edge)
        column.addLayout(inside)
        return consequence

    def _make_foot(self) -> QFrame:
        foot = QFrame()
        set_look(foot, "footer")
        set_look(self._missing, "secondary")
        self._missing.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._others_box.setObjectName("settle_others")
        self._defer.setObjectName("defer")
        self.record_button.setObjectName("record")
        set_look(self.record_button, "primary")
        for button in (self._defer, self.record_button):
            button.setAutoDefault(False)
        row = QHBoxLayout(foot)
        row.setContentsMargins(_MARGIN_PX, 12, _MARGIN_PX, 12)
        row.setSpacing(8)
        row.addWidget(self._others_box)
        row.addWidget(self._missing, 1)
        row.addSpacing(8)
        row.addWidget(self._defer)
        row.addWidget(self.record_button)
        return foot

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.case_changed.connect(self._on_presenter_case_changed)
        presenter.queue_changed.connect(self._on_presenter_queue_changed)
        presenter.choice_changed.connect(self._on_presenter_choice_changed)
        presenter.preview_changed.connect(self._on_presenter_preview_changed)
        presenter.others_changed.connect(self._on_presenter_others_changed)
        presenter.progress_changed.connect(self._on_presenter_progress_changed)
        presenter.recorded.connect(self.recorded)
        presenter.left.connect(self.reject)
        self.outcomes.chosen.connect(self._on_outcomes_chosen)
        self.outcomes.changed.connect(lambda parts: presenter.change(**parts))
        self.reason.reason_changed.connect(presenter.set_reason)
        self.others.left_out_changed.connect(
            lambda which, is_out: presenter.leave_out(which, is_left_out=is_out)
        )
        self._others_box.toggled.connect(presenter.want_others)
        self._previous.clicked.connect(lambda: presenter.go(-1))
        self._next.clicked.connect(lambda: presenter.go(1))
        self._defer.clicked.connect(self.reject)
        self.record_button.clicked.connect(presenter.record)
        self._empty.action_chosen.connect(lambda _id: self.accept())
        for card in (self.standing, self.incoming):
            card.episode_requested.connect(self._on_card_episode_requested)
        self.incoming.claim_chosen.connect(presenter.look_at_claim)
        for number, resolution in enumerate(OUTCOMES, start=1):
            self._on_key(str(number), partial(self._choose_by_key, resolution))
        self._on_key("Alt+Left", lambda: presenter.go(-1))
        for keys in ("Alt+Right", "C"):  # C opens the next conflict everywhere
            self._on_key(keys, lambda: presenter.go(1))
        self._on_key("Ctrl+Return", presenter.record)
        self._on_key("Ctrl+Enter", presenter.record)

    def _on_key(self, keys: str, run: Callable[[], None]) -> None:
        # A key that writes a character stays with a field that has the focus: the field says so.
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.activated.connect(run)

    def _say_names(self) -> None:
        self.setWindowTitle(self.tr("Settle conflict"))
        self.standing.set_caption(self.tr("Standing"))
        self.incoming.set_caption(self.tr("Incoming"))
        self._previous.setAccessibleName(self.tr("Previous conflict"))
        self._next.setAccessibleName(self.tr("Next conflict"))
        self._previous.setToolTip(text.tooltip(self.tr("Previous conflict (Alt+Left)")))
        self._next.setToolTip(text.tooltip(self.tr("Next conflict (Alt+Right)")))
        self._reason_label.setText(self.tr("Reason"))
        self.reason.set_hint(self.tr("Why this is right"))
        self._defer.setText(self.tr("Defer"))
        self._defer.setAccessibleDescription(self.tr("Close; nothing is written."))
        self._empty.set_text(
            self.tr("No conflicts wait."),
            self.tr("What sources disagree about comes here, and a person decides."),
        )
        self._close.setText(self.tr("Close"))
        self.outcomes.say()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._say_names()
            self._on_presenter_case_changed()
            self._on_presenter_progress_changed()

    def reject(self) -> None:
        """Close without writing; what is being written is finished first, out of sight."""
        if self.presenter.is_recording:
            self._closes_later = True
            self.hide()
            return
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.presenter.is_recording:
            self.reject()
            event.ignore()
            return
        self._session.operations.forget_area(AREA)
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._busy.setGeometry(0, 0, self.width(), 2)
        self._busy.raise_()

    # -- showing ------------------------------------------------------------------------------

    @Slot()
    def _on_presenter_case_changed(self) -> None:
        case = self.presenter.case
        self._pages.setCurrentIndex(int(self.presenter.is_finished))
        has_case = case is not None
        for widget in (self._others_box, self._missing, self._defer, self.record_button):
            widget.setVisible(has_case)
        if case is None:
            self._title.setText(self.tr("Conflicts"))
            self._says.setText("")
            self._close.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        conflict = case.conflict
        self._title.setText(
            f"{text.one_line(conflict.subject)} · {text.one_line(conflict.attribute)}"
        )
        self._says.setText(_kind_sentence(conflict))
        if self.reason.reason != self.presenter.reason:
            self.reason.set_reason(self.presenter.reason)
        self._scroll.verticalScrollBar().setValue(0)
        is_open = case.is_open and self._session.is_writable
        self.outcomes.setEnabled(is_open)
        self.reason.setEnabled(is_open)
        self._show_claims(case)
        self.outcomes.show_choice(conflict, self._seen_claim(case), self.presenter.choice)
        self.outcomes.setFocus(Qt.FocusReason.OtherFocusReason)

    def _seen_claim(self, case: Case) -> Claim:
        return case.claim(self.presenter.choice.claim_id)

    def _show_claims(self, case: Case) -> None:
        conflict, claim = case.conflict, self._seen_claim(case)
        standing = conflict.standing
        self.standing.show_claim(standing, case.source(standing), other=claim)
        self.incoming.show_claim(claim, case.source(claim), other=standing)
        has_several = len(conflict.incoming) > 1
        self.standing.show_choice((), "", keeps_room=has_several)
        self.incoming.show_choice(conflict.incoming, claim.claim_id, keeps_room=has_several)

    @Slot()
    def _on_presenter_queue_changed(self) -> None:
        presenter = self.presenter
        waiting, place = presenter.waiting, presenter.place
        for button in (self._previous, self._next):
            button.setEnabled(len(presenter.queue) > 1)
        if presenter.is_finished or not waiting:
            self._place.setText("")
            return
        if place is None:
            self._place.setText(self.tr("%n conflict(s) wait", "", waiting))
            return
        said = self.tr("Conflict {place} of {count}")
        self._place.setText(said.format(place=text.number(place + 1), count=text.number(waiting)))

    @Slot()
    def _on_presenter_choice_changed(self) -> None:
        case = self.presenter.case
        if case is None:
            return
        claim = self._seen_claim(case)
        self._show_claims(case)
        self.outcomes.show_choice(case.conflict, claim, self.presenter.choice)
        standing, incoming = self._fates()
        self.standing.show_fate(standing)
        self.incoming.show_fate(incoming)
        self._on_presenter_others_changed()

    def _fates(self) -> tuple[Fate, Fate]:
        choice = self.presenter.choice
        holds = Fate(self.tr("would hold"), "accent", is_preferred=True)
        gives_way = Fate(self.tr("would give way"))
        moves = Fate(self.tr("would move"), "accent", is_preferred=True)
        stays = Fate(self.tr("would stay"))
        match choice.resolution:
            case Resolution.INCOMING:
                return gives_way, holds
            case Resolution.STANDING:
                return holds, Fate(self.tr("would be rejected"))
            case Resolution.MOVE:
                return (moves, stays) if choice.standing else (stays, moves)
            case Resolution.BOTH:
                return holds, holds
            case Resolution.MERGE:
                return gives_way, gives_way
            case Resolution.DEFER:
                return Fate(self.tr("stays, disputed"), "warn"), Fate(self.tr("goes on waiting"))
        return Fate(), Fate()

    @Slot()
    def _on_presenter_preview_changed(self) -> None:
        presenter = self.presenter
        case = presenter.case
        if case is None:
            return
        now_at = to_micros(datetime.now(UTC))
        conflict = case.conflict
        focus = _focus(conflict)
        if presenter.plan is not None:
            lanes = _after(case, presenter.plan, self._seen_claim(case))
            said = self._other_claims(conflict)
            self.plan.show_plan(presenter.plan, now_at=now_at, lanes=lanes, said=said)
            return
        lanes = lanes_now(case.bars, focus)
        if presenter.problem:
            self.plan.show_lanes(lanes, now_at=now_at, hint="")
            self.plan.show_problem(presenter.problem)
            return
        self.plan.show_lanes(lanes, now_at=now_at, hint=self._hint(case))

    def _hint(self, case: Case) -> str:
        conflict = case.conflict
        if conflict.state is ConflictState.SETTLED and conflict.resolution is not None:
            said = self.tr("{who} settled this at {when}: {outcome}. Reason: {reason}")
            return said.format(
                who=text.one_line(conflict.settled_by or ""),
                when=text.instant(conflict.settled_at),
                outcome=words.resolution(conflict.resolution),
                reason=text.one_line(conflict.reason or text.DASH),
            )
        if conflict.state is ConflictState.STALE:
            return self.tr("The standing claim has left the record; there is nothing to decide.")
        if self.presenter.choice.resolution is Resolution.DEFER:
            return self.tr(
                "Nothing will be written: the conflict stays in the list, and the fact reads as "
                "disputed."
            )
        return self.presenter.choice.missing()

    def _other_claims(self, conflict: Conflict) -> list[str]:
        left = len(conflict.incoming) - 1
        if left < 1 or self.presenter.choice.resolution is Resolution.STANDING:
            return []
        return [self.tr("%n other waiting claim(s) would be recorded as rejected.", "", left)]

    @Slot()
    def _on_presenter_others_changed(self) -> None:
        presenter = self.presenter
        count = len(presenter.alike)
        self._others_box.setVisible(bool(count) and presenter.case is not None)
        self._others_box.setText(
            self.tr("Also settle the %n other(s) with this pair of sources", "", count)
        )
        can = presenter.can_settle_others and presenter.is_decidable
        self._others_box.setEnabled(can)
        self._others_box.setToolTip(text.tooltip(self._why_others(can=can)))
        was_blocked = self._others_box.blockSignals(True)
        self._others_box.setChecked(presenter.wants_others and can)
        self._others_box.blockSignals(was_blocked)
        self.others.setVisible(presenter.wants_others and can)
        case = presenter.case
        if not presenter.wants_others or case is None:
            return
        self.others.set_pair(
            _party(case, case.conflict.standing), _party(case, self._seen_claim(case))
        )
        if presenter.consequences is None:
            self.others.show_waiting()
        else:
            out = {
                it.alike.conflict.conflict_id
                for it in presenter.consequences
                if presenter.is_left_out(it.alike.conflict.conflict_id)
            }
            self.others.show_consequences(presenter.consequences, out)

    def _why_others(self, *, can: bool) -> str:
        if can:
            return self.tr("What would follow for each is shown before anything is written.")
        return self.tr(
            "For outcomes 1, 2 and 4; a time or a value that is typed is for one conflict only."
        )

    @Slot()
    def _on_presenter_progress_changed(self) -> None:
        presenter = self.presenter
        if self._closes_later and not presenter.is_recording:
            self._closes_later = False
            self.close()
            return
        can = presenter.can_record
        count = 1 + len(presenter.others_chosen)
        said = self.tr("Record decision")
        if presenter.choice.resolution is Resolution.DEFER:
            said = self.tr("Go on to the next") if len(presenter.queue) > 1 else self.tr("Close")
        elif count > 1:
            said = self.tr("Record %n decision(s)", "", count)
        self.record_button.setText(said)
        self.record_button.setEnabled(can)
        self.record_button.setDefault(can)
        missing = presenter.missing if presenter.is_decidable else ""
        is_said = bool(presenter.problem or presenter.choice.missing())
        self._missing.setText("" if is_said else missing)
        self.record_button.setAccessibleDescription(missing)

    # -- what a person does -------------------------------------------------------------------

    @Slot(object)
    def _on_outcomes_chosen(self, resolution: Resolution) -> None:
        self.presenter.choose(resolution)

    def _choose_by_key(self, resolution: Resolution) -> None:
        case = self.presenter.case
        if case is None or not self.outcomes.isEnabled():
            return
        self.presenter.choose(resolution)
        self.outcomes.focus_inputs(resolution)
        self._reveal_choice()

    @Slot()
    def _reveal_choice(self) -> None:
        """Bring what the chosen outcome asks for into view, again once it is laid out."""
        resolution = self.presenter.choice.resolution
        if self.others.isVisibleTo(self):
            self._scroll.ensureWidgetVisible(self.others, 0, 12)
        elif resolution is not None:
            self._scroll.ensureWidgetVisible(self.outcomes.inputs(resolution), 0, 12)

    @Slot(str)
    def _on_card_episode_requested(self, episode_id: str) -> None:
        self._session.select(Selection(SelectionKind.EPISODE, episode_id=episode_id))


def _kind_sentence(conflict: Conflict) -> str:
    begins = text.instant(conflict.contested_from)
    match conflict.kind:
        case ConflictKind.VALUE:
            said = text.translate(
                "ConflictDialog", "Two values that begin at the same instant, {begins}."
            )
        case ConflictKind.END:
            said = text.translate(
                "ConflictDialog", "One value that two sources let end at different times."
            )
        case ConflictKind.CROSSING:
            said = text.translate(
                "ConflictDialog", "Two stated periods that cross from {begins} to {ends}."
            )
    return said.format(begins=begins, ends=text.instant(conflict.contested_to))


def _party(case: Case, claim: Claim) -> str:
    source = case.source(claim)
    if source is None:
        return text.DASH
    said = text.translate("ConflictDialog", "{kind} by {agent}")
    return said.format(kind=words.episode_kind(source.kind), agent=text.one_line(source.agent_id))


def _focus(conflict: Conflict) -> tuple[int, int]:
    bounds = [conflict.contested_from, conflict.standing.valid_from]
    ends = [conflict.contested_to, conflict.standing.until]
    for claim in conflict.incoming:
        bounds.append(claim.valid_from)
        ends.append(claim.until)
    first = min(to_micros(at) for at in bounds)
    return first, max(to_micros(at) for at in [*bounds, *ends] if at is not None)


def _after(case: Case, plan: Plan, claim: Claim) -> tuple[StripLane, ...]:
    """Lay the lane out now and after, with what is known of the bars besides their values."""
    conflict = case.conflict
    focus = _focus(conflict)
    now, _ = lanes_now(case.bars, focus)
    after = {(bar.memory_id, bar.valid_from): bar.marks & ~int(Mark.DISPUTED) for bar in case.bars}
    for stretch in plan.after:
        if stretch.memory_id == claim.claim_id:
            after[stretch.memory_id, to_micros(stretch.valid_from)] = _marks_of(claim)
    lanes = plan_lanes(plan, focus=focus, marks=after)
    return (now, *lanes[1:])


def _marks_of(claim: Claim) -> int:
    if claim.valid_from_basis in (Basis.ASSUMED, Basis.UNKNOWN):
        return Mark.ASSUMED
    exact = (Precision.INSTANT, Precision.MINUTE)
    return 0 if claim.precision in exact else Mark.IMPRECISE
