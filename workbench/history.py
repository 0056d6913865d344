"""Undo and redo by compensating transactions.

The ledger only grows, so undo writes `revert`, and redo reverts that. A transaction on which
someone else has built since is not undone; the store says so and the step is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from store import Outcome, Revert

if TYPE_CHECKING:
    from store import Receipt
    from workbench.session import Session

KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class Step:
    """One change of this session, with its words and the transaction that a revert names."""

    label: str
    transaction: int


class History(QObject):
    """This session's changes, to be taken back and done again.

    Signals:
        changed: what can be undone or redone is new.
        undone: a `Step` was taken back; redone: it was done again.
    """

    changed = Signal()
    undone = Signal(object)
    redone = Signal(object)

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._done: list[Step] = []
        self._taken_back: list[Step] = []
        self._is_reverting = False
        session.written.connect(self._on_session_written)
        session.opened.connect(self.clear)
        session.closed.connect(self.clear)
        session.scope_changed.connect(self.clear)

    @property
    def undo_label(self) -> str:
        """What undo would take back, in words; "" for nothing."""
        return self._done[-1].label if self._done else ""

    @property
    def redo_label(self) -> str:
        """What redo would do again, in words; "" for nothing."""
        return self._taken_back[-1].label if self._taken_back else ""

    @Slot()
    def clear(self) -> None:
        """Forget all steps: they belong to one tenant of one store."""
        self._done.clear()
        self._taken_back.clear()
        self.changed.emit()

    @Slot()
    def undo(self) -> None:
        """Take back the last change."""
        if self._done and not self._is_reverting:
            step = self._done[-1]
            self._revert(step, self.tr("Undo: {label}").format(label=step.label), self._on_undone)

    @Slot()
    def redo(self) -> None:
        """Do again what was taken back last."""
        if self._taken_back and not self._is_reverting:
            step = self._taken_back[-1]
            self._revert(step, self.tr("Redo: {label}").format(label=step.label), self._on_redone)

    def _revert(self, step: Step, reason: str, done: object) -> None:
        self._is_reverting = True
        self._session.write(
            reason,
            Revert(transaction=step.transaction, reason=reason),
            on_done=done,  # type: ignore[arg-type]
            on_failed=self._on_failed,
        )

    def _on_undone(self, receipt: Receipt) -> None:
        self._moved(self._done, self._taken_back, receipt)
        self.undone.emit(self._taken_back[-1])

    def _on_redone(self, receipt: Receipt) -> None:
        self._moved(self._taken_back, self._done, receipt)
        self.redone.emit(self._done[-1])

    def _moved(self, origin: list[Step], target: list[Step], receipt: Receipt) -> None:
        self._is_reverting = False
        step = origin.pop()
        assert receipt.transaction is not None
        target.append(Step(step.label, receipt.transaction))
        self.changed.emit()

    def _on_failed(self, error: Exception) -> None:
        self._is_reverting = False
        self._session.failed.emit(error)

    @Slot(str, object)
    def _on_session_written(self, label: str, receipt: Receipt) -> None:
        if self._is_reverting or receipt.transaction is None:
            return
        if receipt.outcome is Outcome.KNOWN:
            return
        self._done.append(Step(label, receipt.transaction))
        del self._done[:-KEPT]
        self._taken_back.clear()
        self.changed.emit()
