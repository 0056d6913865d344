"""A text that wraps anywhere and takes the height that it needs, to be selected and copied."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QSizeF, Qt, Slot
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from workbench.theme import FontRole, Role, appearance, current, set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QWheelEvent


class FlowText(QTextEdit):
    """A label for what a store holds: no length, no word and no character breaks the layout.

    The text is plain; nothing in it is read as HTML. It is no stop of the Tab key: offer a button
    that copies beside it where the text is to be taken away without a mouse.
    """

    def __init__(
        self, role: FontRole = "content", parent: QWidget | None = None, *, color: Role = "text"
    ) -> None:
        super().__init__(parent)
        self._color: Role = color
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextEdit.LineWrapMode.WidgetWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._on_size_changed)
        self.setProperty("role", role)  # its size is in the style sheet, which would undo a font
        set_look(self, "flow")
        self._dress()
        appearance().changed.connect(self._dress)

    def set_inset(self, width: int) -> None:
        """Leave so many pixels free on both sides."""
        self.setViewportMargins(width, 0, width, 0)

    def set_text(self, words: str) -> None:
        """Show a text; give it as it is to be seen, by `workbench.text.visible`."""
        if words != self.toPlainText():
            self.setPlainText(words)
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        return QSize(120, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self._height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # it never scrolls; what it stands in may

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        event.accept()

    def _height(self) -> int:
        line = self.fontMetrics().lineSpacing()
        return max(line, ceil(self.document().size().height()))

    @Slot(QSizeF)
    def _on_size_changed(self, _size: QSizeF) -> None:
        self.setFixedHeight(self._height())

    @Slot()
    def _dress(self) -> None:
        palette = self.palette()
        palette.setColor(palette.ColorRole.Text, current().color(self._color))
        self.setPalette(palette)
        self.setFixedHeight(self._height())
