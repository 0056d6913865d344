"""How an entry of the navigator is drawn."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from workbench.panels.navigator.model import ENTRY_ROLE, Entry, Index
from workbench.text import number
from workbench.theme import Role, Theme, appearance, current, font

PAD_PX: Final = 16
END_PX: Final = 18
"""From the counts to the end of the panel, with a scroll bar or without."""
_DOT_PX: Final = 8
_SIGN_PX: Final = 10
_GAP_PX: Final = 8
_BADGE_PX: Final = 20
_STATE = QStyle.StateFlag


class EntryDelegate(QStyledItemDelegate):
    """Draws dot, name, conflict sign and count; a selected entry is what narrows everything.

    Args:
        list_view: whose focus shows the current row by a ring.
        has_dots: whether the entries have the colour of a type.
        has_badge: whether the count is a badge, as for what waits.
    """

    def __init__(
        self, list_view: QListView, *, has_dots: bool = False, has_badge: bool = False
    ) -> None:
        super().__init__(list_view)
        self._list = list_view
        self._has_dots = has_dots
        self._has_badge = has_badge

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, appearance().row_height("list"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(ENTRY_ROLE)
        theme = current()
        is_mirrored = option.direction == Qt.LayoutDirection.RightToLeft
        is_active = bool(option.state & _STATE.State_Selected)
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # the text's own
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option, index, theme=theme)
        row = _Row(painter, self._room(option), is_mirrored=is_mirrored)
        if self._has_dots:
            row.paint_dot(theme, entry.tint)
        if self._has_badge and entry.count:
            row.paint_badge(theme, number(entry.count))
        else:
            row.paint_count(theme, number(entry.count), is_active=is_active)
        if entry.conflicts and not self._has_badge:
            row.paint_conflict(theme)
        row.paint_title(theme, entry.title, is_active=is_active)
        painter.restore()

    def _room(self, option: QStyleOptionViewItem) -> QRect:
        bar = self._list.verticalScrollBar()
        end = END_PX - (bar.width() if bar.isVisible() else 0)
        if option.direction == Qt.LayoutDirection.RightToLeft:
            return option.rect.adjusted(end, 0, -PAD_PX, 0)
        return option.rect.adjusted(PAD_PX, 0, -end, 0)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, *, theme: Theme
    ) -> None:
        rect = option.rect
        if option.state & _STATE.State_Selected:
            painter.fillRect(rect, theme.color("accent_bg"))
            if theme.is_contrast:
                painter.setPen(QPen(theme.color("accent"), 1))
                painter.drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5))
        elif option.state & _STATE.State_MouseOver:
            painter.fillRect(rect, theme.color("lane"))
        if self._list.hasFocus() and self._list.currentIndex() == index:
            ring = QRectF(rect).adjusted(3, 1, -3, -1)
            painter.setPen(QPen(theme.color("accent"), theme.focus_px))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ring, 4, 4)


class _Row:
    """The room of one row, given away piece by piece from both ends, mirrored where need be."""

    def __init__(self, painter: QPainter, room: QRect, *, is_mirrored: bool) -> None:
        self._painter = painter
        self._room = room
        self._is_mirrored = is_mirrored

    def _take(self, width: int, *, at_end: bool) -> QRectF:
        room = self._room
        if at_end != self._is_mirrored:
            piece = QRect(room.right() - width + 1, room.top(), width, room.height())
            room.setRight(room.right() - width - _GAP_PX)
        else:
            piece = QRect(room.left(), room.top(), width, room.height())
            room.setLeft(room.left() + width + _GAP_PX)
        return QRectF(piece)

    def paint_dot(self, theme: Theme, tint: int | None) -> None:
        spot = self._take(_DOT_PX, at_end=False)
        dot = QRectF(0, 0, _DOT_PX, _DOT_PX)
        dot.moveCenter(spot.center())
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(theme.color("line") if tint is None else theme.type_color(tint))
        self._painter.drawEllipse(dot)

    def paint_badge(self, theme: Theme, count: str) -> None:
        face = font("caps")
        width = max(_BADGE_PX, QFontMetrics(face).horizontalAdvance(count) + 12)
        spot = self._take(width, at_end=True)
        badge = QRectF(0, 0, width, _BADGE_PX - 2)
        badge.moveCenter(spot.center())
        edge = QPen(theme.color("warn")) if theme.is_contrast else QPen(Qt.PenStyle.NoPen)
        self._painter.setPen(edge)
        self._painter.setBrush(theme.color("warn_bg"))
        self._painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2)
        self._painter.setFont(face)
        self._painter.setPen(theme.color("warn"))
        self._painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, count)

    def paint_count(self, theme: Theme, count: str, *, is_active: bool) -> None:
        face = font("strong" if is_active else "secondary")
        if is_active:
            face.setPixelSize(font("secondary").pixelSize())
        width = QFontMetrics(face).horizontalAdvance(count)
        self._painter.setFont(face)
        self._painter.setPen(theme.color("accent" if is_active else "dim"))
        self._painter.drawText(self._take(width, at_end=True), Qt.AlignmentFlag.AlignCenter, count)

    def paint_conflict(self, theme: Theme) -> None:
        middle, half = self._take(_SIGN_PX, at_end=True).center(), _SIGN_PX / 2
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(theme.color("warn"))
        self._painter.drawPolygon(
            QPolygonF(
                [
                    middle + QPointF(0, -half),
                    middle + QPointF(half, 0),
                    middle + QPointF(0, half),
                    middle + QPointF(-half, 0),
                ]
            )
        )

    def paint_title(self, theme: Theme, title: str, *, is_active: bool) -> None:
        face = font("strong" if is_active else "content")
        role: Role = "accent" if is_active else "text"
        self._painter.setFont(face)
        self._painter.setPen(theme.color(role))
        shown = QFontMetrics(face).elidedText(
            title, Qt.TextElideMode.ElideRight, self._room.width()
        )
        side = Qt.AlignmentFlag.AlignRight if self._is_mirrored else Qt.AlignmentFlag.AlignLeft
        place = side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter
        self._painter.drawText(self._room, int(place | Qt.TextFlag.TextSingleLine), shown)
