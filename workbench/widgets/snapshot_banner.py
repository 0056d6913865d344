"""What stays in view while a snapshot is looked at: of what it is, and that it is a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from workbench.text import instant, number, one_line
from workbench.theme import set_icon, set_look
from workbench.widgets.icon_label import IconLabel

if TYPE_CHECKING:
    from workbench.session import Session


class SnapshotBanner(QFrame):
    """A strip over the panels; hidden while a store is open, or nothing.

    Signals:
        action_chosen: the id of the action of a button.
    """

    action_chosen = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("snapshot_banner")
        self._session = session
        self.setProperty("severity", "info")
        set_look(self, "message")
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.report = QPushButton(self.tr("Open report"))
        set_icon(self.report, "external-link")
        self.report.clicked.connect(lambda: self.action_chosen.emit("snapshot.report"))
        self.verify = QPushButton(self.tr("Verify…"))
        set_icon(self.verify, "shield-check")
        self.verify.clicked.connect(lambda: self.action_chosen.emit("snapshot.verify"))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(IconLabel("lock", "accent"))
        row.addWidget(self._text, 1)
        row.addWidget(self.report)
        row.addWidget(self.verify)
        session.opened.connect(self.say)
        session.closed.connect(self.say)
        self.say()

    @property
    def sentence(self) -> str:
        """What it says now; "" while it is hidden."""
        return self._text.text()

    @Slot()
    def say(self) -> None:
        """Say of what the copy is, or hide."""
        shown = self._session.snapshot
        self.setVisible(shown is not None)
        if shown is None:
            self._text.clear()
            return
        said = self.tr("Snapshot of {tenant} as of transaction {number}, {date}; read-only copy.")
        words = said.format(
            tenant=one_line(shown.tenant_id, 60),
            number=number(shown.number),
            date=instant(shown.recorded_at),
        )
        if not shown.is_whole:
            words += " " + self.tr(
                "It holds a part of the record; its facts were taken in anew, so transactions "
                "have other numbers and times here."
            )
        self._text.setText(words)
        self.setAccessibleName(words)
        self.report.setAccessibleDescription(words)
        self.verify.setAccessibleDescription(words)
