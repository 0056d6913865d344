"""A dialog in which something takes its time: how it is stopped, left, and what is said of it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from store import Cancelled
from workbench.messages import Message, MessageBoard
from workbench.theme import set_icon
from workbench.widgets.on_screen import OnScreen
from workbench.widgets.work_row import WorkRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent

    from workbench.ops import Ticket
    from workbench.session import Session


class WorkDialog(QDialog):
    """A dialog beside the window with one work at a time.

    While something is done, Esc asks it to stop, and the dialog stays. Closing it does the same
    where what becomes of the work is to be seen, and leaves at once where it only looked.

    Attributes:
        stopped_message: said when the work was stopped, or dropped because its store was left.
        failed_message: carries the sentence of an error as ``reason``.
        stays_until_stopped: whether closing it while something is done only asks that to stop.
        work: the row that shows what is done; a subclass gives it its place.
    """

    stopped_message: ClassVar[Message]
    failed_message: ClassVar[Message]
    stays_until_stopped: ClassVar[bool] = True

    def __init__(self, session: Session, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._on_screen = OnScreen(self)
        self._session = session
        self._board = MessageBoard(self)
        self.work = WorkRow(session.operations)
        self.work.dropped.connect(self._on_work_dropped)
        self._left: QWidget | None = None

    @abstractmethod
    def _say(self) -> None:
        """Enable what can be done now, and say what is missing."""

    def _button(
        self, words: str, pressed: Callable[[], object], *, icon_name: str = ""
    ) -> QPushButton:
        """Make a button that Enter in a field does not press."""
        button = QPushButton(words)
        button.setAutoDefault(False)
        if icon_name:
            set_icon(button, icon_name)
        button.clicked.connect(pressed)
        return button

    def _follow(self, ticket: Ticket, words: str) -> None:
        """Show what was just begun, in words, instead of what was said before."""
        self._left = self.focusWidget()  # what is disabled loses the keyboard
        self._board.clear()
        self.work.follow(ticket, words)
        self._say()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        """Say that it was stopped, or what went wrong."""
        if isinstance(error, Cancelled):
            self._board.show(self.stopped_message)
        else:
            self._board.show(self.failed_message, reason=str(error))
        self._say()

    @Slot(object)
    def _on_work_failed(self, error: Exception) -> None:
        """Say what became of the work, and give the keyboard back to what had it."""
        self._on_failed(error)
        if self._left is not None:
            self._left.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_work_dropped(self) -> None:
        self._on_work_failed(Cancelled("The work was dropped."))

    @Slot()
    def leave(self) -> None:
        """Close it whatever is done, because the store is leaving."""
        super().reject()

    def reject(self) -> None:
        if self.work.is_working:
            self.work.cancel()
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        is_working = self.work.is_working
        if is_working:
            self.work.cancel()
        event.setAccepted(not (is_working and self.stays_until_stopped))
