"""How a line of the log is drawn."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.panels.log.model import LEVEL, LINE_ROLE, TEXT, TIME, Index
from workbench.theme import ICON_PX, FontRole, Role, appearance, current, font, paint_icon

if TYPE_CHECKING:
    from workbench.log import LogLine

PAD_PX: Final = 8
_SIGNS: Final[tuple[tuple[int, str, Role], ...]] = (
    (logging.ERROR, "circle-alert", "danger"),
    (logging.WARNING, "triangle-alert", "warn"),
    (logging.INFO, "info", "dim"),
)
_FONTS: Final[dict[int, FontRole]] = {TIME: "mono", TEXT: "mono"}


class LogDelegate(QStyledItemDelegate):
    """Draws a level with sign and word, and what was said in letters of equal width."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, appearance().row_height("list"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect, column = current(), option.rect, index.column()
        line: LogLine = index.data(LINE_ROLE)
        sign, role = next(((s, r) for level, s, r in _SIGNS if line.level >= level), ("", "dim"))
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # the text's own
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("accent_bg"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("line"))
        room = rect.adjusted(PAD_PX, 0, -PAD_PX, -1)
        if column == LEVEL:
            room = self._paint_sign(painter, room, sign, code=getattr(theme, role))
        is_plain = column == TEXT and role == "dim"
        ink: Role = "text" if is_plain else role if column in (LEVEL, TEXT) else "dim"
        face = font(_FONTS.get(column, "content"))
        painter.setFont(face)
        painter.setPen(theme.color(ink))
        shown = QFontMetrics(face).elidedText(
            index.data(), Qt.TextElideMode.ElideRight, room.width()
        )
        side = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignLeft)
        place = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(room, int(place | Qt.TextFlag.TextSingleLine), shown)
        painter.restore()

    def _paint_sign(self, painter: QPainter, room: QRect, sign: str, *, code: str) -> QRect:
        if not sign:
            return room
        spot = QRectF(room.left(), 0, ICON_PX, ICON_PX)
        spot.moveCenter(QRectF(room).center())
        spot.moveLeft(room.left())
        paint_icon(painter, spot.adjusted(1, 1, -1, -1), sign, code=code)
        return room.adjusted(ICON_PX + 4, 0, 0, 0)
