"""The status bar's words: tenant, counts, conflicts, transaction, live or past, what is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from store.encoding import State
from workbench.text import number, one_line
from workbench.theme import set_look
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.status_dot import StatusDot

if TYPE_CHECKING:
    from workbench.ops import Ticket
    from workbench.session import Session

SHOWN_AFTER_MS: Final = 1_000
"""Work that takes longer gets an entry with progress and Cancel."""
HEIGHT_PX: Final = 30
"""Of the buttons in it; kept while there are none, so that nothing above moves."""


class StatusStrip(QWidget):
    """One line at the foot of the window.

    Signals:
        conflicts_requested: the count of conflicts was pressed.
        newer_requested: "3 newer transactions" was pressed: go to now.
    """

    conflicts_requested = Signal()
    newer_requested = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("status_strip")
        self.setMinimumHeight(HEIGHT_PX)
        self._session = session
        self._tenant, self._facts, self._transaction = QLabel(), QLabel(), QLabel()
        self._capabilities = ElidedLabel()  # it gives way where there is little room
        self._capabilities.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for label in (self._tenant, self._facts, self._transaction, self._capabilities):
            set_look(label, "secondary")
        self._conflicts = QPushButton()
        set_look(self._conflicts, "warn_link")
        self._conflicts.clicked.connect(self.conflicts_requested)
        self._newer = QPushButton()
        set_look(self._newer, "link")
        self._newer.clicked.connect(self.newer_requested)
        self._live = StatusDot(State.CURRENT)
        self._work = _WorkEntry(session, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(16)
        for widget in (self._tenant, self._facts, self._conflicts, self._transaction):
            row.addWidget(widget)
        row.addWidget(self._live)
        row.addWidget(self._newer)
        row.addStretch(1)
        row.addWidget(self._work)
        row.addWidget(self._capabilities, 100)
        session.opened.connect(self.say)
        session.closed.connect(self.say)
        session.summary_changed.connect(self.say)
        session.scope_changed.connect(self.say)
        session.as_of_changed.connect(self.say)
        session.newer_waiting_changed.connect(self.say)
        session.following_changed.connect(self.say)
        self.say()

    @Slot()
    def say(self) -> None:
        """Say everything anew."""
        session, summary = self._session, self._session.summary
        parts = (self._tenant, self._facts, self._conflicts, self._transaction, self._live)
        for widget in parts:
            widget.setVisible(session.is_open)
        self._capabilities.setVisible(session.is_open)
        self._newer.setVisible(session.newer_waiting > 0)
        self._newer.setText(self.tr("%n newer transaction(s)", "", session.newer_waiting))
        if not session.is_open or session.scope is None or session.store is None:
            return
        self._tenant.setText(one_line(session.scope.tenant_id, 60))
        self._say_state()
        self._capabilities.setText(self._capability_words())
        for widget in (self._facts, self._conflicts, self._transaction):
            widget.setVisible(summary is not None)  # nothing was counted yet: no count is said
        if summary is None:
            return
        facts, open_conflicts = summary.facts, summary.conflicts_open
        self._facts.setText(self.tr("%n fact(s)", "", facts).replace(str(facts), number(facts)))
        self._conflicts.setText("◆ " + self.tr("%n conflict(s)", "", open_conflicts))
        self._conflicts.setVisible(open_conflicts > 0)
        at = number(summary.transaction)
        self._transaction.setText(self.tr("transaction {number}").format(number=at))

    def _say_state(self) -> None:
        session = self._session
        assert session.store is not None
        if not session.as_of.is_now:
            self._live.set_state(State.ENDED, word=self.tr("looking at another time"))
        elif session.snapshot is not None:
            self._live.set_state(State.ENDED, word=self.tr("snapshot, read only"))
        elif not session.store.is_writable:
            self._live.set_state(State.ENDED, word=self.tr("read only"))
        elif not session.is_following:
            self._live.set_state(State.ENDED, word=self.tr("paused"))
        else:
            self._live.set_state(State.CURRENT, word=self.tr("live"))

    def _capability_words(self) -> str:
        words = {
            "full_text": self.tr("full text"),
            "history": self.tr("history"),
            "many_writers": self.tr("many writers"),
        }
        assert self._session.store is not None
        capabilities = self._session.store.capabilities
        has = [word for name, word in words.items() if name in capabilities]
        lacks = [] if "erase" in capabilities else [self.tr("no erase")]
        kind = self._session.store.url.partition(":")[0]
        return f"{kind}: " + ", ".join(has) + (" · " + ", ".join(lacks) if lacks else "")


class _WorkEntry(QWidget):
    """What takes longer than a second, with progress and a way to stop it."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._operations = session.operations
        self._ticket: Ticket | None = None
        self._text = QLabel()
        set_look(self._text, "secondary")
        self._bar = QProgressBar()
        self._bar.setFixedSize(120, 8)
        self._bar.setTextVisible(False)
        self._stop = QPushButton(self.tr("Cancel"))
        set_look(self._stop, "link")
        self._stop.clicked.connect(self._on_stop_clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self._text, self._bar, self._stop):
            row.addWidget(widget)
        self._delay = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        self._delay.timeout.connect(self._on_delay_timeout)
        self._operations.started.connect(self._on_operations_started)
        self._operations.progressed.connect(self._on_operations_progressed)
        self._operations.settled.connect(self._on_operations_settled)
        self.hide()

    @Slot(object)
    def _on_operations_started(self, ticket: Ticket) -> None:
        if ticket.label and not self._delay.isActive() and self.isHidden():
            self._delay.start()

    @Slot()
    def _on_delay_timeout(self) -> None:
        named = [ticket for ticket in self._operations.tickets if ticket.label]
        if not named:
            return
        self._ticket = named[-1]
        self._text.setText(one_line(self._ticket.label, 60))
        self._stop.setVisible(self._ticket.can_cancel)
        self._bar.setRange(0, 0)
        self.show()

    @Slot(object)
    def _on_operations_progressed(self, ticket: Ticket) -> None:
        if ticket is self._ticket and ticket.total:
            # Qt counts with 31 bits, and a file may have more bytes.
            self._bar.setRange(0, 1000)
            self._bar.setValue(min(ticket.done, ticket.total) * 1000 // ticket.total)

    @Slot(object)
    def _on_operations_settled(self, ticket: Ticket) -> None:
        if ticket is self._ticket:
            self._ticket = None
            self.hide()

    @Slot()
    def _on_stop_clicked(self) -> None:
        if self._ticket is not None:
            self._operations.cancel(self._ticket)
