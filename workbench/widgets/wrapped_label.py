"""A label for what a store holds: it wraps anywhere, so no word and no length breaks a layout."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from workbench.theme import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

_BREAK: Final = "\u2028"


class WrappedLabel(QLabel):
    """Plain text on as many lines as the width asks for; nothing in it is read as HTML.

    Unlike a `QLabel` that wraps, it breaks inside a word that is wider than the room.
    """

    def __init__(self, look: str = "", parent: QWidget | None = None) -> None:
        """Make an empty one in a look of the labels, such as ``title`` or ``record``."""
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._heights: dict[int, int] = {}
        if look:
            set_look(self, look)

    def set_text(self, words: str) -> None:
        """Show a text; give it as it is to be seen, by `workbench.text.visible`."""
        self._heights.clear()
        self.setText(words)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        height = self._heights.get(width)
        if height is None:
            margins = self.contentsMargins()
            room = max(1, width - margins.left() - margins.right())
            height = ceil(self._laid_out(room).boundingRect().height())
            height = self._heights[width] = height + margins.top() + margins.bottom()
        return height

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        metrics = QFontMetricsF(self.font())
        widest = max(map(metrics.horizontalAdvance, self.text().split("\n")))
        width = min(ceil(widest) + 1, 240) + margins.left() + margins.right()
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._heights.clear()
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = self.palette().color(self.foregroundRole())
        painter.setPen(color)
        room = self.contentsRect()
        self._laid_out(room.width()).draw(painter, QPointF(room.topLeft()))

    def _laid_out(self, width: float) -> QTextLayout:
        layout = QTextLayout(self.text().replace("\n", _BREAK), self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(self.layoutDirection())
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, y))
            y += line.height()
        layout.endLayout()
        return layout
