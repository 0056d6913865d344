"""The minimap: the record's whole extent, where bars begin and conflicts stand, and a brush."""

from __future__ import annotations

from enum import Enum, auto
from math import ceil, sqrt
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench import theme
from workbench.panels.timeline.ruler import range_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench.panels.timeline.presenter import TimelinePresenter
    from workbench.panels.timeline.viewstate import ViewState

HEIGHT: Final = 40
_PITCH: Final = 6
_BAR_WIDTH: Final = 4
_BAR_MOST: Final = 22
_HANDLE: Final = QSize(6, 16)
_BRUSH_LEAST: Final = 8.0
_REACH: Final = 6
_STEP: Final = 0.1


class Grip(Enum):
    """What of the brush is held."""

    NOTHING = auto()
    LEFT = auto()
    RIGHT = auto()
    INSIDE = auto()


class Minimap(QWidget):
    """Shows the whole extent and which part is in view; the brush moves and resizes the view."""

    def __init__(
        self, presenter: TimelinePresenter, view: ViewState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_minimap")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Time in view"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._presenter = presenter
        self._view = view
        self._grip = Grip.NOTHING
        self._held_at = 0.0
        self._bars: QPixmap | None = None
        self._bars_extent = (0, 0)

    def sizeHint(self) -> QSize:
        return QSize(900, HEIGHT)

    # -- geometry -----------------------------------------------------------------------------

    @property
    def extent(self) -> tuple[int, int]:
        """The span of valid time that is shown from edge to edge."""
        return self._presenter.extent or self._view.span

    def x_of(self, instant: int) -> float:
        """Return where an instant lies; outside for one beyond the extent."""
        begins, ends = self.extent
        return (instant - begins) / (ends - begins) * self.width()

    def instant_at(self, x: float) -> int:
        """Return the instant at a position."""
        begins, ends = self.extent
        return begins + int(x / max(1, self.width()) * (ends - begins))

    def brush_rect(self) -> QRectF:
        """Return where the brush is; never too narrow to be held, never quite out of sight."""
        left, right = (self.x_of(at) for at in self._view.span)
        left, right = max(left, -2.0), min(right, self.width() + 2.0)
        if right - left < _BRUSH_LEAST:
            center = min(max((left + right) / 2, _BRUSH_LEAST / 2), self.width() - _BRUSH_LEAST / 2)
            left, right = center - _BRUSH_LEAST / 2, center + _BRUSH_LEAST / 2
        return QRectF(left, 1, right - left, self.height() - 3)

    def grip_at(self, x: float) -> Grip:
        """Return what of the brush is at a position."""
        brush = self.brush_rect()
        # In a narrow brush the handles lie outside, so that its inside can be held too.
        spare = min(_REACH / 2, brush.width() / 4)
        if brush.left() - _REACH <= x < brush.left() + spare:
            return Grip.LEFT
        if brush.right() - spare < x <= brush.right() + _REACH:
            return Grip.RIGHT
        return Grip.INSIDE if brush.left() <= x <= brush.right() else Grip.NOTHING

    def forget_density(self) -> None:
        """Take the presenter's density, and the theme, anew with the next paint."""
        self._bars = None
        self.update()

    def _bar_heights(self) -> NDArray[np.int64]:
        """Return the height of each bar, buckets joined to the width; few still show."""
        density = self._presenter.density
        counts = np.asarray(density.counts, np.float64)
        bars = max(1, ceil(self.width() / _PITCH))
        # Of a filter, the buckets lie in a part of the record only.
        left, right = self.x_of(density.valid_from), self.x_of(density.valid_to)
        places = left + (right - left) * np.arange(len(counts)) / max(1, len(counts))
        columns = np.clip(places // _PITCH, 0, bars - 1).astype(np.int64)
        joined = np.bincount(columns, counts, bars)
        tallest = sqrt(joined.max()) or 1.0
        heights = np.maximum(2, np.round(np.sqrt(joined) * _BAR_MOST / tallest))
        return np.where(joined > 0, heights, 0).astype(np.int64)

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        colors = theme.current()
        self._paint_bars(painter)
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors.color("line"))
        self._paint_now(painter)
        self._paint_brush(painter)
        self._paint_conflicts(painter)
        painter.end()

    def _paint_bars(self, painter: QPainter) -> None:
        """Paint the density: kept as a picture, for the brush moves over it with every pan."""
        ratio = self.devicePixelRatioF()
        size = QSize(round(self.width() * ratio), round(self.height() * ratio))
        begins, ends = self.extent
        pixel = max(1, (ends - begins) // max(1, self.width()))
        extent = begins // pixel, ends // pixel
        if self._bars is None or self._bars.size() != size or self._bars_extent != extent:
            self._bars, self._bars_extent = QPixmap(size), extent
            self._bars.setDevicePixelRatio(ratio)
            self._bars.fill(theme.current().color("panel"))
            color, floor = theme.current().color("ctl"), self.height() - 5
            brush = QPainter(self._bars)
            for number, height in enumerate(self._bar_heights().tolist()):
                brush.fillRect(number * _PITCH + 1, floor - height, _BAR_WIDTH, height, color)
            brush.end()
        painter.drawPixmap(0, 0, self._bars)

    def _paint_now(self, painter: QPainter) -> None:
        x = self.x_of(self._presenter.clock())
        if 0 <= x <= self.width():
            painter.fillRect(QRectF(x, 2, 1, self.height() - 4), theme.current().color("danger"))

    def _paint_conflicts(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.current().color("warn"))
        # One sign for each few pixels: there may be thousands.
        places = {round(self.x_of(at) / 3) * 3 for at in self._presenter.density.conflicts}
        for x in sorted(places)[: self.width()]:
            points = [QPointF(x - 3.5, 5), QPointF(x + 3.5, 5), QPointF(x, 11)]
            painter.drawPolygon(QPolygonF(points))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_brush(self, painter: QPainter) -> None:
        colors = theme.current()
        accent = colors.color("accent")
        brush = self.brush_rect()
        ground = QColor(accent)
        ground.setAlphaF(0.13)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(accent, 2.0 if self.hasFocus() else 1.0))
        painter.setBrush(ground)
        painter.drawRoundedRect(brush.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        for x in (brush.left(), brush.right()):
            handle = QRectF(0, 0, _HANDLE.width(), _HANDLE.height())
            handle.moveCenter(QPointF(x, brush.center().y()))
            painter.drawRoundedRect(handle, 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # -- mouse --------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        x = event.position().x()
        self._grip = self.grip_at(x)
        if self._grip is Grip.NOTHING:
            self._center_on(x)
            self._grip = Grip.INSIDE
        self._held_at = x - self.x_of(self._view.left)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        match self._grip:
            case Grip.NOTHING:
                self.setCursor(_CURSORS[self.grip_at(x)])
            case Grip.LEFT:
                self.resize_brush(left=self.instant_at(x))
            case Grip.RIGHT:
                self.resize_brush(right=self.instant_at(x))
            case Grip.INSIDE:
                self._move_to(self.instant_at(x - self._held_at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grip = Grip.NOTHING
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._view.show_span(*self.extent, margin=0.02)

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        at = self._view.x_of(self.instant_at(event.position().x()))
        self._view.zoom(1.25**steps, min(max(0.0, at), float(self._view.width)))
        event.accept()

    def _center_on(self, x: float) -> None:
        left, right = self._view.span
        self._move_to(self.instant_at(x) - (right - left) // 2)

    def _move_to(self, left: int) -> None:
        """Show from an instant on, at the same scale."""
        self._view.look_at(left, 0.0, self._view.us_per_px)

    def resize_brush(self, *, left: int | None = None, right: int | None = None) -> None:
        """Move one end of what is in view; it does not pass the other."""
        begins, ends = self._view.span
        begins = begins if left is None else min(left, ends - 1)
        ends = ends if right is None else max(right, begins + 1)
        self._view.set_span(begins, ends)

    # -- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        left, right = self._view.span
        step = max(1, int((right - left) * _STEP))
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            step = -step if key == Qt.Key.Key_Left else step
            if keys == Qt.KeyboardModifier.ShiftModifier:
                self.resize_brush(right=right + step)
            elif keys == Qt.KeyboardModifier.ControlModifier:
                self.resize_brush(left=left + step)
            else:
                self._move_to(left + step)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._view.zoom(1.25, self._view.width / 2)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Minus):
            self._view.zoom(1 / 1.25, self._view.width / 2)
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            across = left - right if key == Qt.Key.Key_PageUp else right - left
            self._move_to(left + across)
        elif key == Qt.Key.Key_Home:
            self._move_to(self.extent[0])
        elif key == Qt.Key.Key_End:
            self._move_to(self.extent[1] - (right - left))
        elif key == Qt.Key.Key_F:
            self._view.show_span(*self.extent, margin=0.02)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        super().focusOutEvent(event)

    def describe(self) -> None:
        """Tell the screen reader what is in view."""
        self.setAccessibleDescription(range_text(*self._view.span))


_CURSORS: Final = {
    Grip.NOTHING: Qt.CursorShape.PointingHandCursor,
    Grip.LEFT: Qt.CursorShape.SizeHorCursor,
    Grip.RIGHT: Qt.CursorShape.SizeHorCursor,
    Grip.INSIDE: Qt.CursorShape.OpenHandCursor,
}
