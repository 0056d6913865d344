"""Progress in place: what is being done, how far it is, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QSizePolicy, QWidget

if TYPE_CHECKING:
    from workbench.ops import Operations, Ticket


class WorkRow(QWidget):
    """Shows one request of the operations while it works; hidden otherwise.

    Signals:
        dropped: the request is over, and nobody is told what became of it.
    """

    dropped = Signal()

    def __init__(self, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._operations = operations
        self._ticket: Ticket | None = None
        self._text = QLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._stop = QPushButton(self.tr("Cancel"))
        self._stop.setAutoDefault(False)
        self._stop.clicked.connect(self.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._text)
        row.addWidget(self._bar, 1)
        row.addWidget(self._stop)
        operations.progressed.connect(self._on_operations_progressed)
        operations.settled.connect(self._on_operations_settled)
        self.hide()

    @property
    def is_working(self) -> bool:
        """Whether the request that is followed is not over."""
        return self._ticket is not None

    def follow(self, ticket: Ticket, words: str) -> None:
        """Show a request with what it does in words."""
        if ticket.is_settled:
            return
        self._ticket = ticket
        self._text.setText(words)
        self._bar.setAccessibleName(words)
        self._bar.setRange(0, 0)
        self._stop.setEnabled(True)
        self.show()

    @Slot()
    def cancel(self) -> None:
        """Ask the request to stop."""
        if self._ticket is not None and self._operations.cancel(self._ticket):
            self._stop.setEnabled(False)
            self._text.setText(self.tr("Stopping…"))

    @Slot(object)
    def _on_operations_progressed(self, ticket: Ticket) -> None:
        if ticket is not self._ticket:
            return
        if ticket.total and ticket.done < ticket.total:
            # Qt counts with 31 bits, and a file may have more bytes.
            self._bar.setRange(0, 1000)
            self._bar.setValue(ticket.done * 1000 // ticket.total)
        else:  # all was read; what follows is not counted
            self._bar.setRange(0, 0)

    @Slot(object)
    def _on_operations_settled(self, ticket: Ticket) -> None:
        if ticket is self._ticket:
            self._ticket = None
            self.hide()
            if ticket.is_dropped:
                self.dropped.emit()
