"""A label that cuts its text with an ellipsis and shows the entire text on hover."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from workbench.text import tooltip


class ElidedLabel(QLabel):
    """One line of plain text that gives way when there is no room.

    The accessible text is always the entire text.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._mode = mode

    @property
    def is_elided(self) -> bool:
        """Whether a part of the text does not fit."""
        return self._shown() != self.text()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * 4), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            int(self.alignment() | Qt.TextFlag.TextSingleLine),
            self.palette(),
            self.isEnabled(),
            self._shown(),
            self.foregroundRole(),
        )

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            said = self.toolTip() or (tooltip(self.text()) if self.is_elided else "")
            QToolTip.showText(event.globalPos(), said, self)
            return True
        return super().event(event)

    def _shown(self) -> str:
        return QFontMetrics(self.font()).elidedText(
            self.text(), self._mode, self.contentsRect().width()
        )
