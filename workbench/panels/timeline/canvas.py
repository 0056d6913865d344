"""The lanes themselves: painted from frames, moved by keys, wheel and mouse."""

from __future__ import annotations

import sys
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QWidget

from store.encoding import label_of
from workbench import theme
from workbench.panels.timeline.frame import Frame, FrameMaker, LaneRow, Wish, bar_height_of
from workbench.panels.timeline.items import GROUP_HEIGHT
from workbench.panels.timeline.raster import bar_at
from workbench.text import tooltip
from workbench.widgets.lanes import (
    BarPainter,
    bar_state,
    describe_bar,
    instant_text,
    lane_name,
    period_text,
)

if TYPE_CHECKING:
    from workbench.panels.timeline.glide import Glide
    from workbench.panels.timeline.presenter import TimelinePresenter
    from workbench.panels.timeline.viewstate import ViewState

ZOOM_STEP: Final = 1.25
KEY_ZOOM: Final = 1.6
KEY_PAN: Final = 0.15
_REACH: Final = 3  # pixels by which a narrow bar or a line may be missed
_WHEEL_STEP: Final = 120
_ROWS_FOR_STEP: Final = 3
_SMALL_BAR: Final = 18


class Place(Enum):
    """A key by its place on the keyboard, named as on a US one."""

    W = auto()
    A = auto()
    S = auto()
    D = auto()


# Scan codes (Linux: evdev + 8, also Wayland; Windows: set 1) or, on macOS, virtual key codes.
_PLACES: Final[dict[str, dict[int, Place]]] = {
    "linux": {25: Place.W, 38: Place.A, 39: Place.S, 40: Place.D},
    "win32": {17: Place.W, 30: Place.A, 31: Place.S, 32: Place.D},
    "darwin": {13: Place.W, 0: Place.A, 1: Place.S, 2: Place.D},
}
_LETTERS: Final = {
    Qt.Key.Key_W: Place.W,
    Qt.Key.Key_A: Place.A,
    Qt.Key.Key_S: Place.S,
    Qt.Key.Key_D: Place.D,
}


_OWN_KEYS: Final = frozenset(
    {
        Qt.Key.Key_F,
        Qt.Key.Key_Comma,
        Qt.Key.Key_Period,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
    }
)


def place_of(event: QKeyEvent) -> Place | None:
    """Return which of W, A, S, D a key is, by its place where the system tells it."""
    if sys.platform == "darwin":
        code = event.nativeVirtualKey() if event.text() else -1
    else:
        code = event.nativeScanCode()
    places = _PLACES.get(sys.platform, {})
    if code > 0 and places:
        return places.get(code)
    return _LETTERS.get(Qt.Key(event.key()))


class _Drag(Enum):
    """What the mouse is dragging."""

    NOTHING = auto()
    PRESSED = auto()
    PAN = auto()
    AREA = auto()
    VALID_AT = auto()


class Hit(NamedTuple):
    """What lies at a position: a lane, and the place of a bar in its page."""

    position: int
    bar: int | None


class LaneCanvas(QWidget):
    """Paints the lanes in view and turns input into intents of the presenter.

    Signals:
        cursor_changed: another row has the keyboard.
    """

    cursor_changed = Signal()

    def __init__(
        self,
        presenter: TimelinePresenter,
        view: ViewState,
        glide: Glide,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_lanes")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAccessibleName(self.tr("Timeline"))
        self.setAccessibleDescription(
            self.tr("Facts as bars over valid time; arrow keys move between lanes and bars.")
        )
        self._presenter = presenter
        self._view = view
        self._glide = glide
        self._maker: FrameMaker | None = None
        self._frame: Frame | None = None
        self._grid: tuple[int, ...] = ()
        self._now_at = presenter.clock()
        self._flashed: frozenset[int] = frozenset()
        self._hover: Hit | None = None
        self._drag = _Drag.NOTHING
        self._pressed_at = QPointF()
        self._last_at = QPointF()
        self._pressed_hit: Hit | None = None
        self._header_cursor: int | None = None
        self._wheel_left = QPoint()

    # -- state --------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """The frame of what is in view; made now if it is not up to date."""
        maker = self._make_maker()
        if self._frame is None or self._frame.maker is not maker:
            lit = self._presenter.selected_position
            wish = Wish(self._now_at, self._grid, lit, self._flashed)
            self._frame = maker.make(self._presenter, self._view, wish)
        return self._frame

    @property
    def header_cursor(self) -> int | None:
        """The subject whose header row has the keyboard, if it is not a lane."""
        cursor = self._header_cursor
        return cursor if cursor is not None and cursor < self._presenter.rows.subjects else None

    def sizeHint(self) -> QSize:
        return QSize(900, 480)

    def forget_frame(self) -> None:
        """Make a new frame with the next paint."""
        self._frame = None
        self.update()

    def forget_look(self) -> None:
        """Take a new theme, font or density with the next paint."""
        self._maker = None
        self.forget_frame()

    def set_grid(self, grid: tuple[int, ...]) -> None:
        """Draw lines at these instants: the ruler's ticks."""
        if grid != self._grid:
            self._grid = grid
            self.forget_frame()

    def set_now(self, now_at: int) -> None:
        """Take the present instant."""
        self._now_at = now_at
        self.forget_frame()

    def set_flashed(self, positions: frozenset[int]) -> None:
        """Show lanes lit because they changed."""
        if positions != self._flashed:
            self._flashed = positions
            self.forget_frame()

    def _make_maker(self) -> FrameMaker:
        ratio = self.devicePixelRatioF()
        lane_height = self._presenter.rows.lane_height
        maker = self._maker
        if (
            maker is None
            or maker.ratio != ratio
            or maker.lane_height != lane_height
            or (maker.width, maker.height) != (self.width(), self.height())
        ):
            painter = None
            if maker is not None and (maker.ratio, maker.lane_height) == (ratio, lane_height):
                painter = maker.painter
            if painter is None:
                font = theme.font("secondary")
                if bar_height_of(lane_height) < _SMALL_BAR:
                    font.setPixelSize(font.pixelSize() - 1)
                painter = BarPainter(theme.current(), font, ratio=ratio)
            maker = self._maker = FrameMaker(
                painter, width=self.width(), height=self.height(), lane_height=lane_height
            )
        return maker

    # -- where is what ------------------------------------------------------------------------

    def hit(self, x: float, y: float) -> Hit | None:
        """Return the lane and the bar at a position of the widget."""
        pinned = self._presenter.rows.pinned(self._view.top)
        if pinned is not None and y < pinned[1] + GROUP_HEIGHT:
            return None
        row = self._presenter.rows.row_at(int(y) + self._view.top)
        if row is None or row.position is None:
            return None
        lane = self._presenter.lane(row.position)
        if lane is None:
            return Hit(row.position, None)
        ratio = self.devicePixelRatioF()
        bars = slice(lane.bars.start, lane.bars.stop)
        place = bar_at(
            lane.page.starts[bars],
            lane.page.ends[bars],
            self._view.window(ratio),
            int(x * ratio // 1),
            reach=round(_REACH * ratio),
        )
        return Hit(row.position, None if place is None else place + lane.bars.start)

    def bar_rect(self, position: int, bar: int) -> QRectF | None:
        """Return where a bar of a lane is drawn, cut to the view; None if it is not in view."""
        index = self._run_of(position, bar)
        if index is None:
            return None
        rect = self.frame.maker.drawing_of(self.frame, index).rect
        return rect.intersected(QRectF(self.rect()))

    def _run_of(self, position: int, bar: int) -> int | None:
        frame = self.frame
        lane = self._lane_row(position)
        if lane is None:
            return None
        found = np.flatnonzero(frame.runs.bar == bar + lane.offset)
        return int(found[0]) if len(found) else None

    def _lane_row(self, position: int) -> LaneRow | None:
        for lane in self.frame.lanes:
            if lane.row.position == position and lane.lane is not None:
                return lane
        return None

    def selected_bar(self) -> int | None:
        """Return the place of the selected bar in the page of its lane."""
        selection, position = self._presenter.selection, self._presenter.selected_position
        if selection is None or selection.memory_id is None or position is None:
            return None
        lane = self._presenter.lane(position)
        return None if lane is None else lane.find(selection.memory_id, selection.valid_from)

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        frame = self.frame
        maker = frame.maker
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        painter.drawImage(0, 0, frame.image)
        self._paint_unread(painter, frame)
        for rect in frame.believed:
            maker.painter.paint_believed(painter, rect)
        for drawing in frame.drawings:
            maker.painter.paint_bar(painter, drawing.rect, drawing.look)
        self._paint_marked(painter, maker)
        for label in frame.labels:
            value = frame.columns.value(label.bar)
            maker.painter.paint_label(painter, label.rect, value, plate=label.plate)
        self._paint_area(painter)
        self._paint_pinned(painter)
        self._paint_lines(painter)
        self._paint_past(painter)
        painter.end()

    def _paint_unread(self, painter: QPainter, frame: Frame) -> None:
        """Draw a quiet place holder in lanes that have not been read."""
        ground = theme.current().color("lane")
        for lane in frame.lanes:
            if lane.lane is None:
                y = lane.row.y - self._view.top + frame.bar_top
                painter.fillRect(QRectF(0, y, self.width(), frame.bar_height), ground)

    def _paint_marked(self, painter: QPainter, maker: FrameMaker) -> None:
        """Draw the bar under the mouse and the selected one over what is there."""
        hover = self._hover
        chosen = self.selected_bar()
        position = self._presenter.selected_position
        if hover is not None and hover.bar is not None and hover != Hit(position or 0, chosen):
            index = self._run_of(hover.position, hover.bar)
            if index is not None:
                drawing = maker.drawing_of(self.frame, index)
                look = drawing.look._replace(is_hovered=True)
                maker.painter.paint_bar(painter, drawing.rect, look)
        if position is None or chosen is None:
            return
        index = self._run_of(position, chosen)
        if index is not None:
            drawing = maker.drawing_of(self.frame, index)
            look = drawing.look._replace(is_selected=True)
            maker.painter.paint_bar(painter, drawing.rect, look)
            if self.hasFocus() and self.header_cursor is None:
                self._paint_ring(painter, drawing.rect)

    def _paint_ring(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the ring around what has the keyboard, a pixel away from it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.current().color("accent"), 1.0))
        painter.drawRoundedRect(rect.adjusted(-2.5, -2.5, 2.5, 2.5), 6, 6)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_area(self, painter: QPainter) -> None:
        rect = self.area_rect()
        if rect is None:
            return
        accent = QColor(theme.current().color("accent"))
        painter.setPen(QPen(accent, 1.0))
        accent.setAlphaF(0.12)
        painter.setBrush(accent)
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def area_rect(self) -> QRectF | None:
        """Return where the selected area is, or the one that is being dragged."""
        if self._drag is _Drag.AREA:
            return QRectF(self._pressed_at, self._last_at).normalized()
        area = self._presenter.area
        rows = self._presenter.rows
        if area is None or area.last > rows.lanes:
            return None
        upper, lower = (
            rows.row(rows.number_of(rows.subject_of(position), position))
            for position in (area.first, area.last - 1)
        )
        left, right = self._view.x_of(area.valid_from), self._view.x_of(area.valid_to)
        top = upper.y - self._view.top
        left, right = max(left, -2.0), min(right, self.width() + 2.0)
        return QRectF(left, top, right - left, lower.y + lower.height - self._view.top - top)

    def _paint_pinned(self, painter: QPainter) -> None:
        pinned = self._presenter.rows.pinned(self._view.top)
        if pinned is None:
            return
        colors = theme.current()
        y = pinned[1]
        painter.fillRect(0, y, self.width(), GROUP_HEIGHT - 1, colors.color("bg"))
        painter.fillRect(0, y + GROUP_HEIGHT - 1, self.width(), 1, colors.color("line"))

    def _paint_lines(self, painter: QPainter) -> None:
        colors = theme.current()
        valid_at = self._presenter.valid_at
        for at, color in (
            (self._now_at, colors.color("danger")),
            (valid_at, colors.color("accent")),
        ):
            if at is None:
                continue
            x = self._view.x_of(at)
            if -2 <= x <= self.width() + 2:
                painter.fillRect(QRectF(x - 1, 0, 2, self.height()), color)

    def _paint_past(self, painter: QPainter) -> None:
        """Say in colour and words that this is not what is known now."""
        known_at = self._presenter.known_at
        if known_at is None:
            return
        colors = theme.current()
        painter.setPen(QPen(colors.color("warn"), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        text = self.tr("As known at {0} UTC").format(instant_text(known_at))
        painter.setFont(theme.font("secondary"))
        width = painter.fontMetrics().horizontalAdvance(text) + 16
        chip = QRectF(self.width() - width - 10, self.height() - 32, width, 22)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(colors.color("warn"), 1.0))
        painter.setBrush(colors.color("warn_bg"))
        painter.drawRoundedRect(chip.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(colors.color("warn"))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # -- size and focus -----------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._view.resize(event.size().width(), event.size().height())
        self.forget_frame()
        super().resizeEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()
        self.cursor_changed.emit()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()
        self.cursor_changed.emit()
        super().focusOutEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hover(None)
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        if event.type() == QEvent.Type.NativeGesture and isinstance(event, QNativeGestureEvent):
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self._view.zoom(1 + event.value(), event.position().x())
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            # Letters of the action table are meant by their place: read here, not by Qt.
            if self._is_own(event):
                event.accept()
            return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.forget_look()
        return super().event(event)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        hit = self.hit(event.pos().x(), event.pos().y())
        lane = None if hit is None else self._presenter.lane(hit.position)
        if hit is None or hit.bar is None or lane is None:
            QToolTip.hideText()
            event.ignore()
            return
        QToolTip.showText(event.globalPos(), tooltip(self.bar_words(hit)), self)

    def bars_in_view(self, most: int) -> list[Hit]:
        """Return the bars in view, by lane, then from the left; the first so many."""
        frame = self.frame
        hits = []
        pairs = zip(frame.runs.lane[:most].tolist(), frame.runs.bar[:most].tolist(), strict=True)
        for number, bar in pairs:
            lane = frame.lanes[number]
            if lane.row.position is not None:
                hits.append(Hit(lane.row.position, bar - lane.offset))
        return hits

    def selected_hit(self) -> Hit | None:
        """Return the selected bar, if one is."""
        position, bar = self._presenter.selected_position, self.selected_bar()
        return None if position is None or bar is None else Hit(position, bar)

    def bar_name(self, hit: Hit) -> str:
        """Return a bar in one sentence for the screen reader, whom it is about first."""
        lane = self._presenter.lane(hit.position)
        if lane is None or hit.bar is None:
            return ""
        words = describe_bar(lane.page.bar(hit.bar), now_at=self._now_at)
        return f"{lane_name(lane.key)}: {words}"

    def bar_words(self, hit: Hit) -> str:
        """Return a bar in words, several lines: lane, value, exact bounds in UTC, state."""
        lane = self._presenter.lane(hit.position)
        if lane is None or hit.bar is None:
            return ""
        bar = lane.page.bar(hit.bar)
        period = self.tr("{0} (UTC)").format(period_text(bar.valid_from, bar.valid_to))
        state = ", ".join(bar_state(bar, now_at=self._now_at))
        lines = (lane_name(lane.key), label_of(bar.value), period, state)
        return "\n".join(line for line in lines if line)

    # -- mouse --------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        keys = event.modifiers()
        pixels, angle = event.pixelDelta(), event.angleDelta()
        steps = QPointF(angle) / _WHEEL_STEP
        if keys & Qt.KeyboardModifier.ControlModifier:
            self._glide.stop()
            self._view.zoom(ZOOM_STEP ** (steps.y() or steps.x()), event.position().x())
        elif keys & Qt.KeyboardModifier.ShiftModifier:
            moved = pixels.y() or pixels.x() or (steps.y() or steps.x()) * self._view.width * 0.08
            self._view.pan(-moved)
        else:
            self._glide.stop()
            across = float(pixels.x()) or steps.x() * self._view.width * 0.08
            if abs(across) > abs(pixels.y() or angle.y()):
                self._view.pan(-across)
            elif not pixels.isNull():
                self._view.scroll_to(self._view.top - pixels.y())
            else:
                rows = steps.y() * _ROWS_FOR_STEP * self._presenter.rows.lane_height
                self._view.scroll_to(round(self._view.top - rows))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._glide.stop()
        self._pressed_at = self._last_at = event.position()
        self._pressed_hit = self.hit(event.position().x(), event.position().y())
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.MiddleButton or (
            shift and event.button() == Qt.MouseButton.LeftButton
        ):
            self._drag = _Drag.PAN
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            on_line = self.line_at(event.position().x())
            self._drag = _Drag.VALID_AT if on_line else _Drag.PRESSED
        elif event.button() == Qt.MouseButton.RightButton:
            self._select_hit(self._pressed_hit)
        event.accept()

    def line_at(self, x: float) -> bool:
        """Whether the valid-at bar, or the now line without one, is so near that it is dragged."""
        valid_at = self._presenter.valid_at
        at = self._now_at if valid_at is None else valid_at
        return abs(self._view.x_of(at) - x) <= _REACH

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._drag is _Drag.PAN:
            moved = at - self._last_at
            self._view.pan(-moved.x())
            self._view.scroll_to(self._view.top - round(moved.y()))
        elif self._drag is _Drag.VALID_AT:
            self.drag_valid_at(at.x())
        elif self._drag in (_Drag.PRESSED, _Drag.AREA):
            far = (at - self._pressed_at).manhattanLength() >= QApplication.startDragDistance()
            if self._drag is _Drag.AREA or far:
                self._drag = _Drag.AREA
                self.update()
        else:
            self._set_hover(self.hit(at.x(), at.y()))
            on_line = self.line_at(at.x())
            self.setCursor(Qt.CursorShape.SplitHCursor if on_line else Qt.CursorShape.ArrowCursor)
        self._last_at = at
        event.accept()

    def drag_valid_at(self, x: float) -> None:
        """Ask for the valid-at at a position; near the now line for now."""
        near_now = abs(self._view.x_of(self._now_at) - x) <= 2 * _REACH
        self._presenter.ask_valid_at(None if near_now else self._view.instant_at(x))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, self._drag = self._drag, _Drag.NOTHING
        if drag is _Drag.AREA:
            self._take_area(QRectF(self._pressed_at, event.position()).normalized())
        elif drag is _Drag.PRESSED:
            self._presenter.clear_area()
            self._select_hit(self._pressed_hit)
        elif drag is _Drag.PAN:
            self.unsetCursor()
        self.update()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        hit = self.hit(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and hit is not None and hit.bar is not None:
            self._select_hit(hit)
            self._presenter.activate()
        event.accept()

    def _set_hover(self, hit: Hit | None) -> None:
        if hit != self._hover:
            self._hover = hit
            self.update()

    def _select_hit(self, hit: Hit | None) -> None:
        self._set_header_cursor(None)
        if hit is None:
            self._presenter.clear_selection()
        else:
            self._presenter.select_bar(hit.position, hit.bar)

    def _take_area(self, rect: QRectF) -> None:
        """Select the area that was dragged, widened to whole lanes."""
        top = self._view.top
        rows = self._presenter.rows.between(int(rect.top()) + top, int(rect.bottom()) + top + 1)
        lanes = [row.position for row in rows if row.position is not None]
        if lanes:
            begins, ends = self._view.instant_at(rect.left()), self._view.instant_at(rect.right())
            self._presenter.select_area(begins, max(ends, begins + 1), lanes[0], lanes[-1] + 1)

    # -- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        place = place_of(event)
        if keys == Qt.KeyboardModifier.NoModifier and place is not None:
            self.move_by_place(place)
            return
        key = Qt.Key(event.key())
        control = keys == Qt.KeyboardModifier.ControlModifier
        if keys not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
            if keys == Qt.KeyboardModifier.ShiftModifier and self._extend_area(key):
                return
            event.ignore()
            return
        if control and key not in (Qt.Key.Key_Home, Qt.Key.Key_End):
            event.ignore()
            return
        if not self._move_by_key(key, control=control) and not self._act_by_key(key):
            event.ignore()

    @staticmethod
    def _is_own(event: QKeyEvent) -> bool:
        """Whether a key is meant for the lanes before it is a shortcut of the window."""
        keys = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if keys != Qt.KeyboardModifier.NoModifier:
            return False
        return place_of(event) is not None or Qt.Key(event.key()) in _OWN_KEYS

    def move_by_place(self, place: Place) -> None:
        """Zoom or pan, as the key in that place does."""
        match place:
            case Place.W | Place.S:
                factor = KEY_ZOOM if place is Place.W else 1 / KEY_ZOOM
                self._glide.zoom(factor, self._zoom_center())
            case Place.A | Place.D:
                sign = -1 if place is Place.A else 1
                self._glide.pan(sign * KEY_PAN * self._view.width)

    def _zoom_center(self) -> float:
        """Return where keys zoom: at the selected bar if it is in view, else in the middle."""
        bar, position = self.selected_bar(), self._presenter.selected_position
        rect = None if bar is None or position is None else self.bar_rect(position, bar)
        if rect is not None and 0 < rect.width() < self.width():
            return rect.center().x()
        return self.width() / 2

    def _move_by_key(self, key: Qt.Key, *, control: bool) -> bool:
        page = max(1, self.height() // self._presenter.rows.lane_height - 1)
        last = self._presenter.rows.count
        rows = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
        }
        if key in rows:
            self.move_cursor(rows[key])
        elif control:
            self.go_to_row(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self.header_cursor is not None:
            self._collapse_cursor(is_collapsed=key == Qt.Key.Key_Left)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Comma):
            self.step_bar(-1)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Period):
            self.step_bar(1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.step_bar(-last - 2**31 if key == Qt.Key.Key_Home else 2**31)
        else:
            return False
        return True

    def _act_by_key(self, key: Qt.Key) -> bool:
        match key:
            case Qt.Key.Key_F:
                self.fit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self._activate_cursor()
            case Qt.Key.Key_Escape if self._presenter.area is not None:
                self._presenter.clear_area()
            case Qt.Key.Key_Escape if self._presenter.selection is not None:
                self._presenter.clear_selection()
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.move_by_place(Place.W)
            case Qt.Key.Key_Minus:
                self.move_by_place(Place.S)
            case _:
                return False
        return True

    def _activate_cursor(self) -> None:
        if self.header_cursor is None:
            self._presenter.activate()
            return
        subject = self._presenter.rows.outline[self.header_cursor].subject
        self._presenter.set_collapsed(
            subject, is_collapsed=not self._presenter.is_collapsed(subject)
        )

    def _collapse_cursor(self, *, is_collapsed: bool) -> None:
        if self.header_cursor is not None:
            subject = self._presenter.rows.outline[self.header_cursor].subject
            self._presenter.set_collapsed(subject, is_collapsed=is_collapsed)

    # -- the row with the keyboard ------------------------------------------------------------

    def cursor_row(self) -> int | None:
        """Return the number of the row that has the keyboard."""
        rows = self._presenter.rows
        if self.header_cursor is not None:
            return rows.number_of(self.header_cursor, None)
        position = self._presenter.selected_position
        if position is None or position >= rows.lanes:
            return None
        return rows.number_of(rows.subject_of(position), position)

    def move_cursor(self, by: int) -> None:
        """Move by rows, header rows included; from nowhere to the first or last row in view."""
        current = self.cursor_row()
        if current is not None:
            self.go_to_row(current + by)
            return
        rows = self._presenter.rows
        edge = self._view.top if by > 0 else self._view.top + self.height() - 1
        self.go_to_row(rows.number_at(min(edge, rows.height - 1)) or 0)

    def go_to_row(self, number: int) -> None:
        """Give a row the keyboard; a lane is selected with its bar nearest in time."""
        rows = self._presenter.rows
        if rows.count == 0:
            return
        row = rows.row(min(max(0, number), rows.count - 1))
        anchor = self._anchor()
        self._reveal_row(row.y, row.height)
        if row.position is None:
            self._set_header_cursor(row.subject)
            return
        self._set_header_cursor(None)
        self._presenter.select_nearest(row.position, anchor)

    def _anchor(self) -> int:
        """Return the instant near which a bar of the next lane is chosen."""
        selection = self._presenter.selection
        left, right = self._view.span
        if selection is not None and selection.valid_from is not None:
            return min(max(selection.valid_from, left), right)
        return (left + right) // 2

    def _set_header_cursor(self, subject: int | None) -> None:
        if subject != self._header_cursor:
            self._header_cursor = subject
            self.update()
            self.cursor_changed.emit()

    def _reveal_row(self, y: int, height: int) -> None:
        """Scroll, if needed, until a row is below the pinned header and above the lower edge."""
        top = self._view.top
        if y - GROUP_HEIGHT < top:
            self._glide.scroll(y - GROUP_HEIGHT)
        elif y + height > top + self.height():
            self._glide.scroll(y + height - self.height())

    def step_bar(self, by: int) -> None:
        """Select a later or an earlier bar of the lane, and bring it into view."""
        position = self._presenter.selected_position
        lane = None if position is None else self._presenter.lane(position)
        if position is None or lane is None or not lane.bars:
            return
        chosen = self.selected_bar()
        if chosen is None:
            self._presenter.select_nearest(position, self._anchor())
        else:
            place = min(max(lane.bars.start, chosen + by), lane.bars.stop - 1)
            self._presenter.select_bar(position, place)
        self.reveal_selection()

    def reveal_selection(self) -> None:
        """Bring the selected lane and bar into view."""
        position, chosen = self._presenter.selected_position, self.selected_bar()
        if position is None:
            return
        rows = self._presenter.rows
        row = rows.row(rows.number_of(rows.subject_of(position), position))
        self._reveal_row(row.y, row.height)
        lane = self._presenter.lane(position)
        if lane is None or chosen is None:
            return
        bar = lane.page.bar(chosen)
        begins = self._view.x_of(bar.valid_from)
        ends = self.width() if bar.valid_to is None else self._view.x_of(bar.valid_to)
        if ends <= 0 or begins >= self.width():
            self._glide.pan(begins - self.width() / 3)

    def fit(self) -> None:
        """Show the selected area or bar as wide as it fits; if it is so already, everything."""
        before = self._glide.target
        span = self._span_to_fit()
        if span is not None:
            self._glide.show_span(*span, margin=0.15)
        if span is None or self._glide.is_at(before):
            self.fit_all()

    def _span_to_fit(self) -> tuple[int, int] | None:
        area = self._presenter.area
        if area is not None:
            return area.valid_from, area.valid_to
        position, chosen = self._presenter.selected_position, self.selected_bar()
        lane = None if position is None else self._presenter.lane(position)
        if lane is None or chosen is None:
            return None
        bar = lane.page.bar(chosen)
        if bar.valid_to is not None:
            return bar.valid_from, bar.valid_to
        if self._now_at > bar.valid_from:
            return bar.valid_from, self._now_at
        return bar.valid_from, bar.valid_from + 30 * 86_400_000_000

    def fit_all(self) -> None:
        """Show all of the record's valid time, up to now where something still holds."""
        density = self._presenter.density
        begins, ends = density.valid_from, density.valid_to
        if begins < self._now_at and self._presenter.has_open_bars:
            ends = max(ends, self._now_at)
        if ends > begins:
            self._glide.show_span(begins, ends, margin=0.02)

    def _extend_area(self, key: Qt.Key) -> bool:
        """Grow or shrink the selected area by keys, from the selected bar on."""
        lanes = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        spans = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key not in lanes and key not in spans:
            return False
        position = self._presenter.selected_position
        if position is None:
            return True
        area = self._presenter.area
        if area is None:
            begins, ends = self._span_to_fit() or self._view.span
            self._presenter.select_area(begins, ends, position, position + 1)
            return True
        begins, ends, first, last = area[:4]
        step = (self._view.right - self._view.left) // 20
        if key in spans:
            ends = max(begins + 1, ends + spans[key] * step)
        elif first == position and (key == Qt.Key.Key_Down or last > position + 1):
            last = min(self._presenter.rows.lanes, last + lanes[key])
        else:
            first = max(0, first + lanes[key])
        self._presenter.select_area(begins, ends, first, last)
        return True
