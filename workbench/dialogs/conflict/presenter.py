"""What the conflict dialog holds and does; no widget in sight.

It acts on ids and on the version of the key that the person saw, never on a position in a list.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal, Slot

from store import Cancelled, Conflict, ConflictState, NotFound, Resolution, Stale, StoreError
from workbench import words
from workbench.dialogs.conflict.case import (
    APPLICABLE_TO_OTHERS,
    Alike,
    Case,
    Choice,
    Consequence,
    read_alike,
    read_case,
    read_consequences,
    read_queue,
)
from workbench.messages import Message, MessageAction, MessageBoard, Severity
from workbench.text import QT_TRANSLATE_NOOP, instant, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from store import ChangeNotice, Plan, Receipt, TransactionDetail
    from store.model import Claim
    from workbench.session import Session, View
    from workbench.widgets.reason_edit import RecentReasons

AREA: Final = "conflict"
"""The area of the dialog's operations."""
_NO_REASON_YET: Final = "—"

LOOK_AGAIN: Final = "look_again"
UNDO: Final = "undo"
CHANGED: Final = Message(
    "conflict.changed",
    Severity.WARNING,
    QT_TRANSLATE_NOOP(
        "Messages", "This changed while you looked at it: {what} Nothing was written."
    ),
    MessageAction(LOOK_AGAIN, QT_TRANSLATE_NOOP("Messages", "Look again")),
    can_close=False,
)
REFUSED: Final = Message(
    "conflict.refused",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The decision was not recorded. {reason}"),
)
UNREADABLE: Final = Message(
    "conflict.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The conflict could not be read. {reason}"),
    MessageAction(LOOK_AGAIN, QT_TRANSLATE_NOOP("Messages", "Try again")),
)
RECORDED: Final = Message(
    "conflict.recorded",
    Severity.DONE,
    QT_TRANSLATE_NOOP("Messages", "Recorded for {key}: {outcome}."),
    MessageAction(UNDO, QT_TRANSLATE_NOOP("Messages", "Undo")),
)
RECORDED_MANY: Final = Message(
    "conflict.recorded_many",
    Severity.DONE,
    QT_TRANSLATE_NOOP("Messages", "Recorded for {count} conflicts; undo takes back one at a time."),
    MessageAction(UNDO, QT_TRANSLATE_NOOP("Messages", "Undo")),
)
LEFT_OVER: Final = Message(
    "conflict.left_over",
    Severity.WARNING,
    QT_TRANSLATE_NOOP("Messages", "Not settled, and still waiting: {keys}. {reason}"),
)
READ_ONLY: Final = Message(
    "conflict.read_only",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "The store is open for reading; nothing can be decided here."),
    can_close=False,
)
NOT_NOW: Final = Message(
    "conflict.not_now",
    Severity.INFO,
    QT_TRANSLATE_NOOP(
        "Messages", "You look from another instant; the lanes and the decision are as of now."
    ),
)


@dataclass
class _Recording:
    """A decision on its way, with the others that it is applied to."""

    label: str
    key: str
    outcome: str
    conflict_id: str
    waiting: int = 1
    done: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)


class ConflictPresenter(QObject):
    """One conflict at a time, of those that wait.

    Signals:
        case_changed: another conflict, or the same one read anew; `case` is None while there is
            none left.
        queue_changed: where it stands among those that wait.
        choice_changed: what is chosen.
        preview_changed: what would follow, or why it cannot be said.
        others_changed: the conflicts that could be settled alike, or what would follow for them.
        progress_changed: whether a decision can be recorded now.
        recorded: the id of a conflict that was settled.
        left: the store or the tenant is gone; the dialog closes.
    """

    case_changed = Signal()
    queue_changed = Signal()
    choice_changed = Signal()
    preview_changed = Signal()
    others_changed = Signal()
    progress_changed = Signal()
    recorded = Signal(str)
    left = Signal()

    def __init__(
        self, session: Session, reasons: RecentReasons, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._reasons = reasons
        self.messages = MessageBoard(self)
        self.case: Case | None = None
        self.choice = Choice()
        self.reason = ""
        self.plan: Plan | None = None
        self.problem = ""
        self.queue: tuple[Conflict, ...] = ()
        self.alike: tuple[Alike, ...] = ()
        self.consequences: tuple[Consequence, ...] | None = None
        self.wants_others = False
        self.is_finished = False
        self._left_out: set[str] = set()
        self._place = 0
        self._wanted = ""
        self._return_to = ""
        self._last_recorded = ""
        self._is_changed = False
        self._is_over = False
        self._recording: _Recording | None = None
        self._drafts: dict[str, Choice] = {}
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        session.changed.connect(self._on_session_changed)
        session.newer_waiting_changed.connect(self._on_session_newer_waiting_changed)
        session.as_of_changed.connect(self._on_session_as_of_changed)
        session.written.connect(self._on_session_written)
        session.closed.connect(self.left)
        session.scope_changed.connect(self.left)
        self._on_session_as_of_changed()
        if not session.is_writable:
            self.messages.show(READ_ONLY)

    # -- which conflict -------------------------------------------------------------------

    def open(self, conflict_id: str) -> None:
        """Look at a conflict; what was chosen for another is kept until one comes back."""
        self._keep_draft()
        self._wanted = conflict_id
        self.is_finished = False
        self._ask("case", partial(read_case, conflict_id=conflict_id), self._on_case)
        if not self.queue:
            self._ask("queue", read_queue, self._on_queue)

    def go(self, step: int) -> None:
        """Look at the next (1) or the previous (-1) open conflict, around the end."""
        if self.queue and self._recording is None:
            place = self.place
            start = self._place - (step > 0) if place is None else place
            self.open(self.queue[(start + step) % len(self.queue)].conflict_id)

    @property
    def place(self) -> int | None:
        """Where the conflict stands among those that wait, from 0; None if it does not wait."""
        return self._place_of(self._wanted)

    @property
    def waiting(self) -> int:
        """How many conflicts wait in this tenant."""
        summary = self._session.summary
        known = len(self.queue)
        return known if summary is None else max(known, summary.conflicts_open)

    @property
    def seen_claim(self) -> Claim | None:
        """The waiting claim that is looked at."""
        return None if self.case is None else self.case.claim(self.choice.claim_id)

    def look_again(self) -> None:
        """Read the conflict anew; what was chosen is kept as far as it still fits."""
        self.messages.withdraw(CHANGED, UNREADABLE, REFUSED)
        if self._wanted:
            self.open(self._wanted)

    def _place_of(self, conflict_id: str) -> int | None:
        ids = (it.conflict_id for it in self.queue)
        return next((at for at, known in enumerate(ids) if known == conflict_id), None)

    def _keep_draft(self) -> None:
        if self.case is not None and self.case.is_open and not self._is_over:
            self._drafts[self.case.conflict.conflict_id] = self.choice

    def _on_case(self, case: Case) -> None:
        conflict_id = case.conflict.conflict_id
        is_another = self.case is None or self.case.conflict.conflict_id != conflict_id
        self.case = case
        self._is_changed = self._is_over = False
        self.choice = self._drafts.pop(conflict_id, Choice()).fitting(case.conflict)
        self.messages.withdraw(CHANGED, UNREADABLE)
        if is_another:
            self.messages.withdraw(REFUSED)
            self.wants_others = False
            self._left_out = set()
        self.plan, self.problem = None, ""
        self.alike, self.consequences = (), None
        place = self._place_of(conflict_id)
        self._place = self._place if place is None else place
        self.case_changed.emit()
        self.queue_changed.emit()
        self.choice_changed.emit()
        self._foresee()
        self._look_for_alike()

    def _on_queue(self, queue: tuple[Conflict, ...]) -> None:
        self.queue = queue
        place = self.place
        self._place = self._place if place is None else place
        self.queue_changed.emit()

    # -- what is chosen -------------------------------------------------------------------

    def choose(self, resolution: Resolution) -> None:
        """Choose an outcome. Nothing is written."""
        self._change(resolution=resolution)

    def look_at_claim(self, claim_id: str) -> None:
        """Look at another of the claims that wait; the outcome is meant for it."""
        if self.case is not None and claim_id != self.choice.claim_id:
            self._change(claim_id=claim_id, begins=None, has_end=False, ends=None)
            self._look_for_alike()

    def change(self, **parts: Any) -> None:
        """Change parts of the choice: `change(is_qualified=True, qualifier="work")`."""
        self._change(**parts)

    def set_reason(self, reason: str) -> None:
        """Say why."""
        self.reason = reason
        self.progress_changed.emit()

    def _change(self, **parts: Any) -> None:
        changed = replace(self.choice, **parts)
        if changed == self.choice:
            return
        self.choice = changed
        if self.choice.resolution not in APPLICABLE_TO_OTHERS:
            self.wants_others = False
        self.choice_changed.emit()
        self._foresee()
        self._foresee_others()

    def _foresee(self) -> None:
        """Ask what would follow, of what writes anything; an older question is forgotten."""
        self.plan, self.problem = None, ""
        case, choice = self.case, self.choice
        is_deferred = choice.resolution is Resolution.DEFER
        if case is None or not case.is_open or is_deferred or choice.missing():
            self._session.operations.forget((AREA, "preview"))
            self.preview_changed.emit()
            self.progress_changed.emit()
            return
        write = choice.settle(case.conflict, self.reason or _NO_REASON_YET)
        self._session.read(
            (AREA, "preview"),
            lambda view: view.store.preview(view.scope, write),
            on_done=self._on_plan,
            on_failed=self._on_plan_failed,
            owner=self,
        )
        self.progress_changed.emit()

    def _on_plan(self, plan: Plan) -> None:
        self.plan = plan
        self.preview_changed.emit()
        self.progress_changed.emit()

    def _on_plan_failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            return
        if isinstance(error, Stale):
            self._watch()
        self.problem = str(error)
        self.preview_changed.emit()
        self.progress_changed.emit()

    # -- the others with this pair of sources ---------------------------------------------

    @property
    def can_settle_others(self) -> bool:
        """Whether the outcome could be applied to others too."""
        return bool(self.alike) and self.choice.resolution in APPLICABLE_TO_OTHERS

    @property
    def others_chosen(self) -> list[Consequence]:
        """The others to which the outcome is to be applied."""
        if not self.wants_others or self.consequences is None:
            return []
        return [
            it
            for it in self.consequences
            if it.write is not None and it.alike.conflict.conflict_id not in self._left_out
        ]

    def want_others(self, wants: bool) -> None:
        """Apply the outcome to the others too, or not; what it does is found out first."""
        if wants != self.wants_others:
            self.wants_others = wants
            self.others_changed.emit()
            self._foresee_others()

    def leave_out(self, conflict_id: str, *, is_left_out: bool) -> None:
        """Leave one of the others out, or take it in again."""
        (self._left_out.add if is_left_out else self._left_out.discard)(conflict_id)
        self.progress_changed.emit()

    def is_left_out(self, conflict_id: str) -> bool:
        """Whether a person left one of the others out."""
        return conflict_id in self._left_out

    def _look_for_alike(self) -> None:
        case = self.case
        if case is None or not case.is_open:
            return
        claim_id = self.choice.claim_id
        self._ask(
            "alike", lambda view: read_alike(view, case, claim_id), self._on_alike, is_quiet=True
        )

    def _on_alike(self, alike: tuple[Alike, ...]) -> None:
        self.alike = alike
        self.others_changed.emit()
        self._foresee_others()

    def _foresee_others(self) -> None:
        self.consequences = None
        self.progress_changed.emit()
        if not self.wants_others or self.choice.missing() or not self.can_settle_others:
            self._session.operations.forget((AREA, "others"))
            self.others_changed.emit()
            return
        choice, alike, reason = self.choice, self.alike, self.reason or _NO_REASON_YET
        self._ask(
            "others",
            lambda view: read_consequences(view, choice, alike, reason),
            self._on_consequences,
        )

    def _on_consequences(self, consequences: tuple[Consequence, ...]) -> None:
        self.consequences = consequences
        self.others_changed.emit()
        self.progress_changed.emit()

    # -- recording ------------------------------------------------------------------------

    @property
    def is_recording(self) -> bool:
        """Whether a decision is on its way."""
        return self._recording is not None

    @property
    def is_decidable(self) -> bool:
        """Whether the conflict is open, and what is shown of it is how it is."""
        if self.case is None or not self.case.is_open:
            return False
        return not (self._is_changed or self._is_over or self._recording is not None)

    @property
    def missing(self) -> str:
        """What is still to be given before a decision can be recorded, or ""."""
        said = self.choice.missing()
        if said or self.choice.resolution is Resolution.DEFER:
            return said
        if self.problem:
            return self.problem
        return "" if self.reason else self.tr("Give a reason.")

    @property
    def can_record(self) -> bool:
        """Whether the decision is complete, was foreseen, and can be recorded."""
        if self.missing or not self.is_decidable or not self._session.is_writable:
            return False
        is_deferred = self.choice.resolution is Resolution.DEFER
        is_foreseen = is_deferred or self.plan is not None
        return is_foreseen and (not self.wants_others or self.consequences is not None)

    def record(self) -> None:
        """Write the decision, and those for the chosen others, each in a transaction of its own.

        To defer writes nothing and goes on to the next conflict.
        """
        case = self.case
        if case is None or not self.can_record:
            return
        if self.choice.resolution is Resolution.DEFER:
            self._go_on_without()
            return
        write = self.choice.settle(case.conflict, self.reason)
        assert self.choice.resolution is not None
        others = self.others_chosen
        recording = self._recording = _Recording(
            label=self._label(case.conflict),
            key=key_words(case.conflict),
            outcome=words.resolution(self.choice.resolution),
            conflict_id=case.conflict.conflict_id,
        )
        self.messages.withdraw(REFUSED, LEFT_OVER, RECORDED, RECORDED_MANY)
        self.progress_changed.emit()
        reason = self.reason
        self._session.write(
            recording.label,
            write,
            on_done=lambda _receipt: self._on_recorded(others, reason),
            on_failed=self._on_not_recorded,
            origin=self,
        )

    def _label(self, conflict: Conflict) -> str:
        return self.tr("Settle {key}").format(key=key_words(conflict))

    def _on_recorded(self, others: list[Consequence], reason: str) -> None:
        recording = self._recording
        assert recording is not None
        recording.waiting += len(others)
        self._reasons.remember(reason)
        for other in others:
            assert other.write is not None
            conflict = other.alike.conflict
            self._session.write(
                self._label(conflict),
                other.write.model_copy(update={"reason": reason}),
                on_done=partial(self._on_other_recorded, conflict),
                on_failed=partial(self._on_other_failed, conflict),
                origin=self,
            )
        self._drafts.pop(recording.conflict_id, None)
        self._last_recorded = recording.conflict_id
        self.recorded.emit(recording.conflict_id)
        self._one_done()

    def _on_other_recorded(self, conflict: Conflict, _receipt: Receipt) -> None:
        self._last_recorded = conflict.conflict_id
        self.recorded.emit(conflict.conflict_id)
        self._one_done()

    def _on_other_failed(self, conflict: Conflict, error: Exception) -> None:
        assert self._recording is not None
        self._recording.failed.append((key_words(conflict), str(error)))
        self._recording.done -= 1
        self._one_done()

    def _one_done(self) -> None:
        recording = self._recording
        assert recording is not None
        recording.done += 1
        recording.waiting -= 1
        if recording.waiting == 0:
            self._finish(recording)

    def _finish(self, recording: _Recording) -> None:
        self._recording = None
        self.reason = ""
        if recording.done > 1:
            self.messages.show(RECORDED_MANY, count=recording.done)
        else:
            self.messages.show(RECORDED, key=recording.key, outcome=recording.outcome)
        if recording.failed:
            keys = ", ".join(key for key, _ in recording.failed)
            self.messages.show(LEFT_OVER, keys=keys, reason=recording.failed[0][1])
        self._return_to = ""
        self._is_over = True
        self.progress_changed.emit()
        self._ask("after", read_queue, self._on_queue_after)

    def _on_not_recorded(self, error: Exception) -> None:
        self._recording = None
        if isinstance(error, Stale):
            self._watch()
        else:
            self.messages.show(REFUSED, reason=error)
        self.progress_changed.emit()

    def _go_on_without(self) -> None:
        place = self.place
        if place is None or len(self.queue) < 2:
            self.left.emit()
            return
        self.go(1)

    def _on_queue_after(self, queue: tuple[Conflict, ...]) -> None:
        """Go on to the conflict that came after the one that was settled."""
        self.queue = queue
        if not queue:
            self._wanted = ""
            self.is_finished = True
            self.case = None
            self.choice = Choice()
            self.case_changed.emit()
            self.queue_changed.emit()
            self.progress_changed.emit()
            return
        self.open(queue[self._place if self._place < len(queue) else 0].conflict_id)

    # -- what others do meanwhile ---------------------------------------------------------

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if self._recording is not None:
            return
        if self._return_to:
            self._come_back()
        if notice.everything or notice.conflicts:
            self._ask("queue", read_queue, self._on_queue)
        case = self.case
        if case is None:
            return
        touches = notice.everything or case.conflict.subject in notice.subjects
        if touches or notice.conflicts:
            self._watch()

    @Slot(int)
    def _on_session_newer_waiting_changed(self, count: int) -> None:
        if count and self._recording is None:
            self._watch()

    @Slot()
    def _on_session_as_of_changed(self) -> None:
        if self._session.as_of.is_now:
            self.messages.withdraw(NOT_NOW)
        else:
            self.messages.show(NOT_NOW)

    @Slot(str, object)
    def _on_session_written(self, _label: str, _receipt: Receipt) -> None:
        """Offer to undo only what undo would take back."""
        if self._recording is None:
            self.messages.withdraw(RECORDED, RECORDED_MANY)

    def _watch(self) -> None:
        """Look whether the conflict or its key changed."""
        case = self.case
        if case is None or self._is_over:
            return
        conflict_id, seen = case.conflict.conflict_id, case.conflict
        self._ask(
            "watch",
            lambda view: _read_changes(view, conflict_id, seen),
            self._on_watched,
            is_quiet=True,
        )

    def _on_watched(self, found: tuple[Conflict, TransactionDetail | None]) -> None:
        fresh, detail = found
        case = self.case
        if case is None or self._is_over or case.conflict.conflict_id != fresh.conflict_id:
            return
        seen = case.conflict
        if fresh.state is seen.state and fresh.version == seen.version:
            return
        self._is_changed = True
        self.messages.withdraw(REFUSED)
        self.messages.show(CHANGED, what=self._what_changed(fresh, seen, detail))
        self.progress_changed.emit()

    def _what_changed(
        self, fresh: Conflict, seen: Conflict, detail: TransactionDetail | None
    ) -> str:
        if fresh.state is ConflictState.SETTLED and fresh.resolution is not None:
            said = self.tr("{who} settled it at {when}: {outcome}.")
            return said.format(
                who=one_line(fresh.settled_by or ""),
                when=instant(fresh.settled_at),
                outcome=words.resolution(fresh.resolution),
            )
        if fresh.state is ConflictState.STALE:
            return self.tr("the standing claim has left the record.")
        if len(fresh.incoming) > len(seen.incoming):
            return self.tr("another claim has come in.")
        if detail is None:
            return self.tr("the key was written to.")
        made = detail.transaction
        said = self.tr("{who} wrote to the key at {when} ({kind}, transaction {number}).")
        return said.format(
            who=one_line(made.actor),
            when=instant(made.recorded_at),
            kind=words.write_kind(made.kind),
            number=made.number,
        )

    def _come_back(self) -> None:
        """Show the conflict whose decision was just undone."""
        conflict_id = self._return_to
        self._ask(
            "back",
            lambda view: view.store.conflict(view.scope, conflict_id),
            self._on_back,
            is_quiet=True,
        )

    def _on_back(self, conflict: Conflict) -> None:
        if conflict.state is ConflictState.OPEN and conflict.conflict_id == self._return_to:
            self._return_to = ""
            self.open(conflict.conflict_id)
            self._ask("queue", read_queue, self._on_queue)

    @Slot(str, str)
    def _on_messages_action_chosen(self, _message_id: str, action_id: str) -> None:
        if action_id == LOOK_AGAIN:
            self.look_again()
        elif action_id == UNDO:
            self._return_to = self._last_recorded
            self.messages.withdraw(RECORDED, RECORDED_MANY)
            self._session.attention_wanted.emit("edit.undo")

    # -- asking ---------------------------------------------------------------------------

    def _ask(
        self,
        what: str,
        run: Callable[[View], Any],
        done: Callable[[Any], None],
        *,
        is_quiet: bool = False,
    ) -> None:
        self._session.read(
            (AREA, what),
            run,
            on_done=done,
            on_failed=_pass_over if is_quiet else self._on_read_failed,
            owner=self,
        )

    def _on_read_failed(self, error: Exception) -> None:
        if isinstance(error, StoreError) and not isinstance(error, Cancelled):
            self.messages.show(UNREADABLE, reason=error)


def key_words(conflict: Conflict) -> str:
    """Give the subject and attribute of a conflict in one line."""
    return f"{one_line(conflict.subject, 60)} / {one_line(conflict.attribute, 60)}"


def _pass_over(_error: Exception) -> None:
    """Leave a look-up that nobody waits for unanswered."""


def _read_changes(
    view: View, conflict_id: str, seen: Conflict
) -> tuple[Conflict, TransactionDetail | None]:
    fresh = view.store.conflict(view.scope, conflict_id)
    if fresh.version == seen.version or not fresh.version:
        return fresh, None
    try:
        return fresh, view.store.transaction(view.scope, fresh.version)
    except NotFound:
        return fresh, None
