"""A button that shows a choice and opens what changes it: ``Tenant acme ⌄``."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from workbench.text import tooltip
from workbench.theme import Role, current, font, paint_icon, set_look

PAD_PX: Final = 10
GAP_PX: Final = 6
CHEVRON_PX: Final = 14
HEIGHT_PX: Final = 30
UNCUT_PX: Final = 72


class PickButton(QPushButton):
    """A caption in quiet letters, the chosen value in strong ones, and a chevron.

    It is a plain push button otherwise: connect `clicked`, or give it a menu.

    Attributes:
        uncut_px: a value up to so wide is never cut, however little room there is.
        keeps_caption: whether the caption stays where there is room for the value only.
    """

    def __init__(self, caption: str = "", value: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.uncut_px = UNCUT_PX
        self.keeps_caption = True
        self._caption = caption
        self._value = value
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._say()

    @property
    def value(self) -> str:
        """What is shown as chosen."""
        return self._value

    def set_caption(self, caption: str) -> None:
        """Change the caption, as for another language."""
        self._caption = caption
        self._say()

    def set_value(self, value: str, *, hint: str = "") -> None:
        """Show a choice; `hint` is what a hover tells, the exact form as a rule."""
        self._value = value
        self.setToolTip(tooltip(hint) if hint else "")
        self._say()

    def set_past(self, is_past: bool) -> None:
        """Wear the colours of the past, for an as-of that is not at now."""
        set_look(self, "past" if is_past else "")

    def sizeHint(self) -> QSize:
        caption, value = self._widths()
        gap = GAP_PX if caption and value else 0
        width = PAD_PX + caption + gap + value + GAP_PX + CHEVRON_PX + PAD_PX - 2
        return QSize(width, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        caption, value = self._widths()
        spared = max(0, value - self.uncut_px)
        if caption and value and not self.keeps_caption:
            spared += caption + GAP_PX
        return QSize(self.sizeHint().width() - spared, HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        option.features &= ~QStyleOptionButton.ButtonFeature.HasMenu
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        self._paint_words(painter)

    def _paint_words(self, painter: QPainter) -> None:
        theme = current()
        is_past = self.property("look") == "past"
        quiet: Role = "off" if not self.isEnabled() else "warn" if is_past else "dim"
        strong: Role = "off" if not self.isEnabled() else "warn" if is_past else "text"
        room = self.rect().adjusted(PAD_PX, 0, -(PAD_PX - 2), 0)
        chevron = QRectF(0, 0, CHEVRON_PX, CHEVRON_PX)
        chevron.moveCenter(QRectF(room).center())
        chevron.moveRight(room.right())
        room.setRight(int(chevron.left()) - GAP_PX)
        caption, value = self._widths()
        if not self.keeps_caption and caption + GAP_PX + value > room.width() + 1:
            caption = 0
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if caption:
            painter.setFont(font("content"))
            painter.setPen(theme.color(quiet))
            painter.drawText(self._mirrored(room), self._side(middle), self._caption)
            room.setLeft(room.left() + caption + (GAP_PX if self._value else 0))
        painter.setFont(font("strong"))
        painter.setPen(theme.color(strong))
        shown = QFontMetrics(font("strong")).elidedText(
            self._value, Qt.TextElideMode.ElideMiddle, room.width() + 1
        )
        painter.drawText(self._mirrored(room), self._side(middle), shown)
        spot = QRectF(self._mirrored(chevron.toRect()))
        paint_icon(painter, spot, "chevron-down", code=getattr(theme, quiet))

    def _mirrored(self, rect: QRect) -> QRect:
        return QStyle.visualRect(self.layoutDirection(), self.rect(), rect)

    def _side(self, alignment: Qt.AlignmentFlag) -> int:
        return int(QStyle.visualAlignment(self.layoutDirection(), alignment))

    def _widths(self) -> tuple[int, int]:
        return (
            QFontMetrics(font("content")).horizontalAdvance(self._caption),
            QFontMetrics(font("strong")).horizontalAdvance(self._value),
        )

    def _say(self) -> None:
        self.setAccessibleName(f"{self._caption} {self._value}".strip())
        self.updateGeometry()
        self.update()
