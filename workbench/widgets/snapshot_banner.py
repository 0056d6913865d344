"""What stays in view while a snapshot is looked at: of what it is, and that it is a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from workbench.text import instant, number, one_line, tooltip
from workbench.theme import set_icon, set_look
from workbench.widgets.icon_label import IconLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from workbench.session import Session

_NARROW_PX: Final = 640
"""Below this width the buttons stand under the sentence."""


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
        self.restore = QPushButton(self.tr("Restore into a store…"))
        set_icon(self.restore, "archive-restore")
        self.restore.clicked.connect(lambda: self.action_chosen.emit("import.snapshot"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.report, self.verify, self.restore):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._parts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._parts.setSpacing(8)
        self._parts.addWidget(self._text, 1)
        self._parts.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(IconLabel("lock", "accent"))
        row.addLayout(self._parts, 1)
        session.opened.connect(self.say)
        session.closed.connect(self.say)
        self.say()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_narrow = event.size().width() < _NARROW_PX
        self._parts.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)

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
            words += " " + self.tr("It is a part of the record, taken in as facts.")
        if shown.conflicts_left:
            left = self.tr(
                "%n open conflict(s) of it stand in the report only; what is disputed is not "
                "marked.",
                "",
                shown.conflicts_left,
            )
            words += " " + left
        self._text.setText(words)
        hint = self.tr("Transactions have other numbers and times here than in the record.")
        self._text.setToolTip("" if shown.is_whole else tooltip(hint))
        self.setAccessibleName(words)
        for button in (self.report, self.verify, self.restore):
            button.setAccessibleDescription(words)
