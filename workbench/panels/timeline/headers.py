"""The column left of the lanes: subjects and attributes, conflicts, and groups to collapse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from workbench import theme
from workbench.panels.timeline.items import GROUP_HEIGHT, Row
from workbench.text import number, tooltip, visible
from workbench.widgets.lanes import lane_name

if TYPE_CHECKING:
    from store.query import SubjectLanes
    from workbench.panels.timeline.canvas import LaneCanvas
    from workbench.panels.timeline.presenter import LaneView, TimelinePresenter
    from workbench.panels.timeline.viewstate import ViewState

WIDTH: Final = 188
WIDTH_LEAST: Final = 96
WIDTH_MOST: Final = 480
_GRIP: Final = 5
_INDENT: Final = 24
_MARGIN: Final = 12
_DIAMOND: Final = 5.5
_CACHE_LIMIT: Final = 2000
_KIND_LEAST: Final = 28
"""A type that is cut to less says nothing."""


class LaneHeaders(QWidget):
    """Names the rows in view; a click on a subject collapses it, one on an attribute selects.

    Signals:
        width_dragged: the right border was dragged; carries the width that it asks for.
    """

    width_dragged = Signal(int)

    def __init__(
        self,
        presenter: TimelinePresenter,
        view: ViewState,
        canvas: LaneCanvas,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_headers")
        self.setAccessibleName(self.tr("Subjects and attributes"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._presenter = presenter
        self._view = view
        self._canvas = canvas
        self._is_dragged = False
        self._short: dict[tuple[str, int], str] = {}

    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 480)

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colors = theme.current()
        painter.setClipRegion(event.region())
        painter.fillRect(self.rect(), colors.color("panel"))
        painter.setFont(theme.font("secondary"))
        rows = self._presenter.rows
        for row in rows.between(self._view.top, self._view.top + self.height()):
            y = row.y - self._view.top
            if row.is_header:
                self._paint_subject(painter, row.subject, y)
            else:
                self._paint_lane(painter, row, y)
        pinned = rows.pinned(self._view.top)
        if pinned is not None:
            self._paint_subject(painter, *pinned)
        painter.fillRect(self.width() - 1, 0, 1, self.height(), colors.color("line"))
        painter.end()

    def _paint_subject(self, painter: QPainter, subject: int, y: int) -> None:
        colors = theme.current()
        item = self._presenter.rows.outline[subject]
        is_collapsed = self._presenter.rows.is_collapsed(subject)
        rect = QRect(0, y, self.width() - 1, GROUP_HEIGHT)
        painter.fillRect(rect, colors.color("bg"))
        painter.fillRect(0, y + GROUP_HEIGHT - 1, self.width(), 1, colors.color("line"))
        _paint_triangle(
            painter, QPointF(_MARGIN + 3.5, y + GROUP_HEIGHT / 2), is_right=is_collapsed
        )
        inner = rect.adjusted(_MARGIN + 11, 0, -_MARGIN, -1)
        if is_collapsed and item.open_conflicts:
            _paint_diamond(painter, QPointF(inner.right() - _DIAMOND, inner.center().y() + 0.5))
            inner.adjust(0, 0, -18, 0)
        metrics = painter.fontMetrics()
        count = self._count_words(metrics, item, inner.width())
        painter.setPen(colors.color("dim"))
        aligned = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(inner, aligned | Qt.AlignmentFlag.AlignRight, count)
        room = inner.width() - metrics.horizontalAdvance(count) - 8
        name = self._elided(metrics, visible(item.subject), room)
        painter.setPen(colors.color("text"))
        painter.drawText(inner, aligned | Qt.AlignmentFlag.AlignLeft, name)
        if self._canvas.hasFocus() and self._canvas.header_cursor == subject:
            self._paint_focus(painter, QRectF(rect))

    def _count_words(self, metrics: QFontMetrics, item: SubjectLanes, width: int) -> str:
        """Say of a subject what it is and how many lanes it has: its name comes first, then these.

        Of the three the type is cut, and left out where hardly anything of it could be read.
        """
        lanes, kind = number(item.lanes), visible(item.memory_type)
        tail = f" · {lanes}"
        name = metrics.horizontalAdvance(visible(item.subject))
        taken = metrics.horizontalAdvance(tail) + min(name, width * 3 // 4) + 8
        room = min(width // 2, width - taken)
        if not kind or room < min(_KIND_LEAST, metrics.horizontalAdvance(kind)):
            return lanes
        return self._elided(metrics, kind, room) + tail

    def _paint_lane(self, painter: QPainter, row: Row, y: int) -> None:
        colors = theme.current()
        rect = QRect(0, y, self.width() - 1, row.height)
        position = row.position
        lane = None if position is None else self._presenter.lane(position)
        is_selected = position is not None and position == self._presenter.selected_position
        if is_selected:
            painter.fillRect(rect, colors.color("accent_bg"))
        painter.fillRect(0, y + row.height - 1, self.width(), 1, colors.color("line"))
        if lane is None:
            room = QRectF(_INDENT, y + row.height / 2 - 4, self.width() * 0.4, 8)
            painter.fillRect(room, colors.color("lane"))
            return
        inner = rect.adjusted(_INDENT, 0, -_MARGIN, -1)
        if lane.conflicts:
            center = QPointF(inner.right() - _DIAMOND + 1, inner.center().y() + 0.5)
            _paint_diamond(painter, center)
            inner.adjust(0, 0, -18, 0)
        self._paint_name(painter, inner, lane)
        if is_selected and self._canvas.hasFocus() and self._canvas.header_cursor is None:
            painter.fillRect(0, y, 3, row.height - 1, colors.color("accent"))

    def _elided(self, metrics: QFontMetrics, text: str, room: int) -> str:
        """Return text cut to a width; asked for the same texts with every paint."""
        short = self._short.get((text, room))
        if short is None:
            if len(self._short) > _CACHE_LIMIT:
                self._short.clear()
            short = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            self._short[text, room] = short
        return short

    def _paint_name(self, painter: QPainter, inner: QRect, lane: LaneView) -> None:
        colors = theme.current()
        metrics = painter.fontMetrics()
        aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        name = visible(lane.key.attribute)
        name = self._elided(metrics, name, inner.width())
        painter.setPen(colors.color("text"))
        painter.drawText(inner, aligned, name)
        beside = " · ".join(part for part in (lane.slot_words, visible(lane.key.owner)) if part)
        taken = metrics.horizontalAdvance(name) + 6
        if beside and taken + 24 < inner.width():
            room = inner.adjusted(taken, 0, 0, 0)
            painter.setPen(colors.color("dim"))
            painter.drawText(room, aligned, self._elided(metrics, beside, room.width()))

    @staticmethod
    def _paint_focus(painter: QPainter, rect: QRectF) -> None:
        width = theme.current().focus_px
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.current().color("accent"), width))
        half = width / 2
        painter.drawRect(rect.adjusted(half, half, -half, -half - 1))

    # -- input --------------------------------------------------------------------------------

    def _row_at(self, y: float) -> tuple[int, int | None] | None:
        """Return the subject and, unless it is a header row, the position of the lane at a y."""
        rows = self._presenter.rows
        pinned = rows.pinned(self._view.top)
        if pinned is not None and y < pinned[1] + GROUP_HEIGHT:
            return pinned[0], None
        row = rows.row_at(int(y) + self._view.top)
        return None if row is None else (row.subject, row.position)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        if event.position().x() >= self.width() - _GRIP:
            self._is_dragged = True
            return
        self._canvas.setFocus(Qt.FocusReason.MouseFocusReason)
        row = self._row_at(event.position().y())
        if row is None:
            return
        subject, position = row
        if position is not None:
            self._presenter.select_bar(position, None)
            return
        name = self._presenter.rows.outline[subject].subject
        every = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        is_collapsed = not self._presenter.is_collapsed(name)
        if every:
            self._presenter.collapse_all(is_collapsed=is_collapsed)
        else:
            self._presenter.set_collapsed(name, is_collapsed=is_collapsed)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._is_dragged:
            self.width_dragged.emit(min(max(WIDTH_LEAST, round(x)), WIDTH_MOST))
        elif x >= self.width() - _GRIP:
            self.setCursor(Qt.CursorShape.SplitHCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._is_dragged = False
        super().mouseReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        QApplication.sendEvent(self._canvas, event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            words = self.words_at(event.pos().y())
            QToolTip.showText(event.globalPos(), tooltip(words) if words else "", self)
            return True
        return super().event(event)

    def words_at(self, y: int) -> str:
        """Return the row at a height in words: the names in full, and its open conflicts."""
        row = self._row_at(y)
        if row is None:
            return ""
        subject, position = row
        if position is None:
            item = self._presenter.rows.outline[subject]
            name, conflicts = visible(item.subject), item.open_conflicts
        else:
            lane = self._presenter.lane(position)
            if lane is None:
                return self.tr("Being read.")
            name, conflicts = lane_name(lane.key), lane.conflicts
        if not conflicts:
            return name
        waiting = self.tr("%n open conflict(s)", "", conflicts)
        return f"{name}\n{waiting}"


def _paint_triangle(painter: QPainter, center: QPointF, *, is_right: bool) -> None:
    """Draw the sign of a group: down when open, right when collapsed."""
    x, y = center.x(), center.y()
    if is_right:
        points = [QPointF(x - 2.5, y - 4), QPointF(x + 3.5, y), QPointF(x - 2.5, y + 4)]
    else:
        points = [QPointF(x - 4, y - 2.5), QPointF(x + 4, y - 2.5), QPointF(x, y + 3.5)]
    _fill_polygon(painter, points, "text")


def _paint_diamond(painter: QPainter, center: QPointF) -> None:
    """Draw the sign of a dispute."""
    x, y, half = center.x(), center.y(), _DIAMOND
    points = [
        QPointF(x - half, y),
        QPointF(x, y - half),
        QPointF(x + half, y),
        QPointF(x, y + half),
    ]
    _fill_polygon(painter, points, "warn")


def _fill_polygon(painter: QPainter, points: list[QPointF], role: theme.Role) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.current().color(role))
    painter.drawPolygon(QPolygonF(points))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
