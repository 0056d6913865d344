"""The acts of a person on facts, as the window offers them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from workbench.actions import Selection as SelectionKind
from workbench.dialogs.fact.acts import (
    ConfirmFactDialog,
    CorrectFactDialog,
    EndFactDialog,
    RetractFactDialog,
)
from workbench.dialogs.fact.add import AddFactDialog
from workbench.session import Selection

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from store import Receipt
    from workbench.dialogs.fact.form import FactDialog
    from workbench.session import Session
    from workbench.widgets.reason_edit import RecentReasons


class FactDialogs(QObject):
    """Opens the dialogs on what is selected, and selects what became of it."""

    def __init__(self, session: Session, reasons: RecentReasons, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._reasons = reasons
        self._window = window

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what is done for the ids of actions."""
        return {
            "fact.add": self.add,
            "fact.correct": self.correct,
            "fact.end": partial(self._act, EndFactDialog),
            "fact.retract": partial(self._act, RetractFactDialog),
            "fact.confirm": partial(self._act, ConfirmFactDialog),
        }

    def add(self) -> None:
        """Add a fact, about the selected subject if there is one."""
        chosen = self._session.selection
        subject = chosen.subject or self._session.filter.subject or ""
        is_episode = chosen.kind is SelectionKind.EPISODE
        dialog = AddFactDialog(self._session, self._reasons, self._window, subject=subject)
        if is_episode and chosen.episode_id is not None:
            dialog.source.choose_episode(chosen.episode_id)
        self._open(dialog)

    def correct(self) -> None:
        """Correct the selected fact."""
        chosen = self._session.selection
        if chosen.memory_id is not None:
            self._open(
                CorrectFactDialog(
                    self._session,
                    chosen.memory_id,
                    self._reasons,
                    self._window,
                    row_from=chosen.row_from,
                )
            )

    def _act(
        self, kind: type[EndFactDialog] | type[RetractFactDialog] | type[ConfirmFactDialog]
    ) -> None:
        memory_id = self._session.selection.memory_id
        if memory_id is not None:
            self._open(kind(self._session, memory_id, self._reasons, self._window))

    def _open(self, dialog: FactDialog) -> None:
        dialog.written.connect(self._on_dialog_written)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _on_dialog_written(self, receipt: Receipt) -> None:
        """Select what was written: the conflict that it raised, or the fact."""
        plan = receipt.plan
        touched = next(iter((*plan.opened, *plan.closed)), None)
        if receipt.conflict_id is not None:
            kind = SelectionKind.CONFLICT
        elif receipt.memory_id is not None and touched is not None:
            kind = SelectionKind.FACT
        else:
            return
        self._session.select(
            Selection(
                kind,
                subject=None if touched is None else touched.subject,
                attribute=None if touched is None else touched.attribute,
                owner="" if touched is None else touched.owner,
                slot="" if touched is None else touched.slot,
                memory_id=receipt.memory_id or plan.standing,
                conflict_id=receipt.conflict_id,
            )
        )
