"""A word that leads somewhere: reached by Tab, followed by a click, Enter or Space."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QToolButton, QWidget

from workbench.text import tooltip
from workbench.theme import FontRole, Role, appearance, current, font, icon, set_look

INSET_PX = 3
"""Room at both sides for the ring of the focus; labels beside a link keep the same."""
_RADIUS = 3.0


class LinkText(QAbstractButton):
    """One line in the accent colour, underlined under the pointer, cut where it does not fit."""

    def __init__(
        self,
        words: str = "",
        parent: QWidget | None = None,
        *,
        role: FontRole = "secondary",
        color: Role = "accent",
        inset: int = INSET_PX,
    ) -> None:
        super().__init__(parent)
        self._inset = inset
        self._color: Role = color
        self._is_hovered = False
        self.setFont(font(role))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        appearance().changed.connect(self.update)
        self.set_words(words)

    def set_words(self, words: str, *, hint: str = "") -> None:
        """Show other words; `hint` is what a hover tells."""
        self.setText(words)
        self.setToolTip(tooltip(hint) if hint else "")
        self.setAccessibleName(words)
        self.setAccessibleDescription(hint)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text()) + 2 * self._inset + 1
        return QSize(width, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        most = self.fontMetrics().averageCharWidth() * 4 + 2 * self._inset
        return QSize(min(self.sizeHint().width(), most), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colors = current()
        room = self.rect().adjusted(self._inset, 0, -self._inset, 0)
        shown = self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        face = self.font()
        face.setUnderline(self._is_hovered or self.isDown())
        painter.setFont(face)
        painter.setPen(colors.color(self._color if self.isEnabled() else "off"))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, side, shown)
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colors.color("accent"), colors.focus_px))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, _RADIUS, _RADIUS)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._is_hovered = self.isEnabled()
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self.update()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            event.accept()
            return
        super().keyPressEvent(event)


class CopyButton(QToolButton):
    """A small button that puts a text into the clipboard, such as an id or a digest."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """Make one.

        Args:
            name: what a press does, in words: "Copy the id of the fact".
            parent: the parent.
        """
        super().__init__(parent)
        self._content = ""
        self.setIcon(icon("copy", "dim"))
        set_look(self, "small")
        self.set_name(name)
        self.clicked.connect(self._on_clicked)

    def set_name(self, name: str) -> None:
        """Say what it copies, as for another language."""
        self.setToolTip(tooltip(name))
        self.setAccessibleName(name)

    def set_content(self, content: str) -> None:
        """Set the text that is copied."""
        self._content = content
        self.setEnabled(bool(content))

    def _on_clicked(self) -> None:
        QGuiApplication.clipboard().setText(self._content)
