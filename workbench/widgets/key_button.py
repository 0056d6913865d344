"""A button that shows the key that does the same as a cap after its words: ``Defer  Esc``."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from workbench.theme import current, font

PAD_PX: Final = 12
GAP_PX: Final = 8
HEIGHT_PX: Final = 30
_CAP_PX: Final = 18


def cap_width(keys: str) -> int:
    """Give the width of a key cap."""
    return max(_CAP_PX, QFontMetrics(font("key")).horizontalAdvance(keys) + 10)


def paint_cap(painter: QPainter, rect: QRectF, keys: str, *, color: str, edge: str) -> None:
    """Draw a key cap into a rectangle.

    Args:
        painter: its font, pen and brush are changed.
        rect: where; the cap is as high as it always is, in the middle.
        keys: what stands on the key.
        color: of the letters, as ``#RRGGBB``.
        edge: of the border.
    """
    cap = QRectF(rect.left() + 0.5, rect.center().y() - _CAP_PX / 2, rect.width() - 1, _CAP_PX)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(edge)
    painter.drawRoundedRect(cap, 4, 4)
    painter.setPen(color)
    painter.setFont(font("key"))
    painter.drawText(cap, int(Qt.AlignmentFlag.AlignCenter), keys)


class KeyButton(QPushButton):
    """A push button with a key cap; the key itself is whoever makes it to connect."""

    def __init__(self, words: str, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self._keys = keys
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        said = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(2 * PAD_PX + said + GAP_PX + cap_width(self._keys), HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        colors = current()
        room = self.rect().adjusted(PAD_PX, 0, -PAD_PX, 0)
        painter.setPen(colors.color("text" if self.isEnabled() else "off"))
        side = QStyle.visualAlignment(
            self.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.drawText(room, int(side), self.text())
        cap = room.adjusted(room.width() - cap_width(self._keys), 0, 0, 0)
        mirrored = QStyle.visualRect(self.layoutDirection(), self.rect(), cap)
        color = colors.dim if self.isEnabled() else colors.off
        paint_cap(painter, QRectF(mirrored), self._keys, color=color, edge=colors.ctl)
