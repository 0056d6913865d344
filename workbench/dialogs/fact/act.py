"""An act on a fact as a person proposes it: what would follow, and carrying it out.

Every act needs a source: an episode of the record, or a note that the person writes on the spot.
The functions that take a `View` run on a worker thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from store import (
    Cancelled,
    EpisodeDraft,
    EpisodeKind,
    NotFound,
    Outcome,
    Plan,
    RowKind,
    Stale,
    StoreError,
    Write,
)
from store.ids import new_id
from store.query import LaneKey
from store.temporal import to_micros
from workbench.dialogs.lane import read_bars
from workbench.messages import Message, MessageAction, MessageBoard, Severity
from workbench.text import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from store import ChangeNotice, Fact, Receipt, Version
    from store.query import Bar
    from workbench.session import Session, View
    from workbench.widgets.reason_edit import RecentReasons

AREA: Final = "fact"
_STAND_INS: Final = 4
"""So many episodes are tried to find out what a note that is not written yet would do."""

_numbers = count(1)

LOOK_AGAIN: Final = "look_again"
CHANGED: Final = Message(
    "fact.changed",
    Severity.WARNING,
    QT_TRANSLATE_NOOP(
        "Messages", "The fact was written to while you looked at it. Nothing was written by you."
    ),
    MessageAction(LOOK_AGAIN, QT_TRANSLATE_NOOP("Messages", "Look again")),
    can_close=False,
)
FAILED: Final = Message(
    "fact.failed",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "It was not written. {reason}"),
)
GONE: Final = Message(
    "fact.gone",
    Severity.WARNING,
    QT_TRANSLATE_NOOP("Messages", "The record no longer holds this fact; nothing can be done."),
    can_close=False,
)
NOT_NOW: Final = Message(
    "fact.not_now",
    Severity.INFO,
    QT_TRANSLATE_NOOP("Messages", "You look from another instant; what you write is written now."),
)


@dataclass(frozen=True)
class Source:
    """Where an act comes from: an episode that is there, or a note yet to be written."""

    episode_id: str = ""
    note: str = ""

    @property
    def is_note(self) -> bool:
        """Whether it is a note yet to be written."""
        return not self.episode_id


@dataclass(frozen=True)
class Proposal:
    """An act that is complete.

    Attributes:
        label: what it is in words, for undo.
        write: makes the write from the id of the source and the version of the key that was seen.
        source: where it comes from.
        reason: why; "" where none is asked for.
        is_foreseen: whether the store is asked what would follow; it is not for a confirmation by
            a note, which changes nothing that can be read.
    """

    label: str
    write: Callable[[str, int | None], Write]
    source: Source
    reason: str = ""
    is_foreseen: bool = True


@dataclass(frozen=True)
class Subject:
    """The fact on which one acts.

    Attributes:
        rows: the assertions that the ledger holds of it now, by their beginning.
        bars: the lane on which it stands.
    """

    fact: Fact
    rows: tuple[Version, ...]
    bars: tuple[Bar, ...]

    @property
    def is_gone(self) -> bool:
        """Whether the ledger no longer believes it."""
        return not self.rows


def read_subject(view: View, memory_id: str) -> Subject:
    """Read a fact as the ledger holds it now.

    Raises:
        NotFound: there is no such fact in this scope.
    """
    fact = view.store.fact(view.scope, memory_id)
    held = view.store.versions(view.scope, memory_id=memory_id)
    rows = [it for it in held if it.ceased is None and it.kind is RowKind.FACT]
    key = LaneKey(fact.owner, fact.subject, fact.attribute, fact.slot)
    in_order = tuple(sorted(rows, key=lambda it: it.valid_from))
    return Subject(fact, in_order, read_bars(view, key))


def foresee(view: View, proposal: Proposal) -> Plan:
    """Say what an act would do, with its note as if it were written.

    Raises:
        StoreError: whatever the act would raise.
    """
    note = _note(proposal.source)
    episode_id = proposal.source.episode_id if note is None else note.episode_id
    return view.store.preview(view.scope, proposal.write(episode_id, None), source=note)


def carry_out(view: View, proposal: Proposal, seen: int | None) -> Receipt:
    """Write the act, and the note that it rests on if there is one, in one transaction.

    Raises:
        StoreError: whatever the act raises; nothing was written.
    """
    note = _note(proposal.source)
    episode_id = proposal.source.episode_id if note is None else note.episode_id
    return view.store.write(view.scope, proposal.write(episode_id, seen), source=note)


def _note(source: Source) -> EpisodeDraft | None:
    if not source.is_note:
        return None
    now = datetime.now(UTC)
    return EpisodeDraft(
        episode_id=f"note-{new_id(to_micros(now))}",
        kind=EpisodeKind.OPERATOR_NOTE,
        content=source.note,
        occurred_at=now,
    )


class ActPresenter(QObject):
    """What a dialog for an act holds: the fact, the proposal, and what would follow.

    Signals:
        subject_changed: the fact was read, or read anew.
        preview_changed: what would follow, or why it cannot be said.
        progress_changed: whether it can be written now.
        written: a `Receipt`.
        left: the store or the tenant is gone; the dialog closes.
    """

    subject_changed = Signal()
    preview_changed = Signal()
    progress_changed = Signal()
    written = Signal(object)
    left = Signal()

    def __init__(
        self, session: Session, reasons: RecentReasons, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._reasons = reasons
        self._number = next(_numbers)
        self.messages = MessageBoard(self)
        self.subject: Subject | None = None
        self.proposal: Proposal | None = None
        self.plan: Plan | None = None
        self.problem = ""
        self._memory_id = ""
        self._seen: int | None = None
        self._is_writing = False
        self._is_changed = False
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        session.changed.connect(self._on_session_changed)
        session.closed.connect(self.left)
        session.scope_changed.connect(self.left)
        if not session.as_of.is_now:
            self.messages.show(NOT_NOW)

    def key(self, what: str) -> tuple[str, str, str]:
        """Give the key of a read; several dialogs may be open, and none takes another's."""
        return AREA, str(self._number), what

    def act_on(self, memory_id: str) -> None:
        """Read the fact on which one acts."""
        self._memory_id = memory_id
        self._is_changed = False
        self.messages.withdraw(CHANGED, FAILED)
        self._session.read(
            self.key("subject"),
            lambda view: read_subject(view, memory_id),
            on_done=self._on_subject,
            on_failed=self._on_subject_failed,
            owner=self,
        )

    def _on_subject(self, subject: Subject) -> None:
        self.subject = subject
        if subject.is_gone:
            self.messages.show(GONE)
        self.subject_changed.emit()
        self.progress_changed.emit()

    def _on_subject_failed(self, error: Exception) -> None:
        if isinstance(error, NotFound):
            self.messages.show(GONE)
        elif isinstance(error, StoreError) and not isinstance(error, Cancelled):
            self.messages.show(FAILED, reason=error)

    # -- foreseeing ---------------------------------------------------------------------------

    def propose(self, proposal: Proposal | None) -> None:
        """Ask what a proposal would do; None while it is not complete. The newest counts."""
        self.proposal = proposal
        self.plan, self.problem = None, ""
        if proposal is None or not proposal.is_foreseen:
            self._session.operations.forget(self.key("preview"))
            self.preview_changed.emit()
            self.progress_changed.emit()
            return
        self._session.read(
            self.key("preview"),
            lambda view: foresee(view, proposal),
            on_done=self._on_plan,
            on_failed=self._on_plan_failed,
            owner=self,
        )
        self.progress_changed.emit()

    def _on_plan(self, plan: Plan) -> None:
        self.plan = plan
        self._seen = plan.version
        self.preview_changed.emit()
        self.progress_changed.emit()

    def _on_plan_failed(self, error: Exception) -> None:
        if isinstance(error, Cancelled):
            return
        self.problem = str(error)
        self.preview_changed.emit()
        self.progress_changed.emit()

    # -- writing ------------------------------------------------------------------------------

    @property
    def can_write(self) -> bool:
        """Whether the act is complete, was foreseen, would do something, and can be written."""
        proposal = self.proposal
        if proposal is None or self._is_writing or self._is_changed or self.problem:
            return False
        if not self._session.is_writable or (self.subject is not None and self.subject.is_gone):
            return False
        if not proposal.is_foreseen:
            return True
        return self.plan is not None and self.plan.outcome is not Outcome.KNOWN

    def write(self) -> None:
        """Write it, on the version of the key whose preview was shown."""
        proposal = self.proposal
        if proposal is None or not self.can_write:
            return
        seen = self._seen if self.subject is not None and proposal.is_foreseen else None
        self._is_writing = True
        self.messages.withdraw(FAILED)
        self.progress_changed.emit()
        self._session.write(
            proposal.label,
            lambda view: carry_out(view, proposal, seen),
            on_done=self._on_written,
            on_failed=self._on_not_written,
            origin=self,
        )

    def _on_written(self, receipt: Receipt) -> None:
        if self.proposal is not None and self.proposal.reason:
            self._reasons.remember(self.proposal.reason)
        self.written.emit(receipt)

    def _on_not_written(self, error: Exception) -> None:
        self._is_writing = False
        if isinstance(error, Stale):
            self._say_changed()
        else:
            self.messages.show(FAILED, reason=error)
        self.progress_changed.emit()

    # -- what others do meanwhile -------------------------------------------------------------

    def _say_changed(self) -> None:
        self._is_changed = True
        self.messages.show(CHANGED)
        self.progress_changed.emit()

    @Slot(object, object)
    def _on_session_changed(self, notice: ChangeNotice, _origin: object) -> None:
        if self._is_writing:
            return
        if self.subject is None:
            self.propose(self.proposal)  # what is in the way may be another now
        elif notice.everything or self._memory_id in notice.memory_ids:
            self._check()
        elif self.subject.fact.subject in notice.subjects:
            self.propose(self.proposal)

    def _check(self) -> None:
        """Look whether the fact itself changed."""
        memory_id = self._memory_id
        self._session.read(
            self.key("check"),
            lambda view: read_subject(view, memory_id),
            on_done=self._on_checked,
            on_failed=self._on_subject_failed,
            owner=self,
        )

    def _on_checked(self, subject: Subject) -> None:
        if self.subject is not None and subject.rows != self.subject.rows:
            self._say_changed()

    @Slot(str, str)
    def _on_messages_action_chosen(self, _message_id: str, action_id: str) -> None:
        if action_id == LOOK_AGAIN:
            self.act_on(self._memory_id)
