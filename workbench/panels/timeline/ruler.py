"""The ruler above the lanes: ticks in UTC, the now line's pill and the valid-at bar's handle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QLocale, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from store.temporal import from_micros
from workbench import text, theme
from workbench.panels.timeline.ticks import Step, Tick, Unit, choose_step, ticks
from workbench.widgets.lanes import date_text, instant_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.panels.timeline.canvas import LaneCanvas
    from workbench.panels.timeline.presenter import TimelinePresenter
    from workbench.panels.timeline.viewstate import ViewState

HEIGHT: Final = 28
LABEL_ROOM: Final = 100
"""So many pixels a label may take."""
_TICK: Final = 6
_PILL_HEIGHT: Final = 18
_DAY: Final = 86_400_000_000


def tick_text(tick: Tick, step: Step) -> str:
    """Return what stands beside a tick: no more than differs from its neighbours."""
    at = from_micros(tick.at)
    unit = tick.unit
    if step.unit is Unit.YEAR:
        return str(at.year)
    if step.unit is Unit.MONTH:
        if unit is Unit.YEAR:
            return str(at.year)
        return _month_name(at.month)
    if step.unit >= Unit.DAY:
        return date_text(tick.at, has_year=unit is Unit.YEAR)
    if unit >= Unit.DAY:
        return date_text(tick.at, has_year=False)
    if step.unit >= Unit.MINUTE:
        return f"{at:%H:%M}"
    if unit >= Unit.SECOND:
        return f"{at:%H:%M:%S}"
    if step.unit is Unit.MILLISECOND or unit is Unit.MILLISECOND:
        return f".{at.microsecond // 1000:03d}"
    return f".{at.microsecond:06d}"


def is_strong(tick: Tick, step: Step) -> bool:
    """Whether a tick begins something greater than its neighbours do: a year, a day, a second."""
    if step.unit >= Unit.YEAR:
        return False
    if step.unit >= Unit.DAY:
        return tick.unit is Unit.YEAR
    return tick.unit >= (Unit.DAY if step.unit >= Unit.MINUTE else Unit.SECOND)


def range_text(valid_from: int, valid_to: int) -> str:
    """Return a span of time for a narrow place: 18 May – 5 Jul 2026, or Jan – Dec 2026."""
    first, last = from_micros(valid_from), from_micros(max(valid_from, valid_to - 1))
    if valid_to - valid_from > 20 * 366 * _DAY:
        return f"{first.year} – {last.year}"
    if valid_to - valid_from > 200 * _DAY:
        names = [_month_name(at.month) for at in (first, last)]
        if first.year == last.year:
            return f"{names[0]} – {names[1]} {last.year}"
        return f"{names[0]} {first.year} – {names[1]} {last.year}"
    if first.date() == last.date():
        if valid_to - valid_from < 5 * 60_000_000:
            return f"{date_text(valid_from)} {first:%H:%M:%S}"
        return f"{date_text(valid_from)} {first:%H:%M} – {last:%H:%M}"
    has_year = first.year != last.year
    return f"{date_text(valid_from, has_year=has_year)} – {date_text(valid_to - 1)}"


def _month_name(month: int) -> str:
    locale = text.current_format().locale
    return locale.standaloneMonthName(month, QLocale.FormatType.ShortFormat)


class Ruler(QWidget):
    """Shows which instants are where; drags the valid-at bar by its handle, pans elsewhere."""

    def __init__(
        self,
        presenter: TimelinePresenter,
        view: ViewState,
        canvas: LaneCanvas,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("timeline_ruler")
        self.setAccessibleName(self.tr("Valid time, in UTC"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._presenter = presenter
        self._view = view
        self._canvas = canvas
        self._step = choose_step(view.us_per_px, LABEL_ROOM)
        self._ticks: Sequence[Tick] = ()
        self._now_at = presenter.clock()
        self._drags: str | None = None
        self._last_x = 0.0

    def sizeHint(self) -> QSize:
        return QSize(900, HEIGHT)

    @property
    def ticks(self) -> Sequence[Tick]:
        """The ticks in view, and the one before, whose label may reach into it."""
        return self._ticks

    def follow(self, now_at: int) -> tuple[int, ...]:
        """Take what is in view and the present; return the ticks' instants, for the lanes' grid."""
        self._now_at = now_at
        view = self._view
        self._step = choose_step(view.us_per_px, LABEL_ROOM)
        begins = view.instant_at(-LABEL_ROOM)
        self._ticks = ticks(begins, view.right + 1, self._step)
        self.update()
        return tuple(tick.at for tick in self._ticks)

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        colors = theme.current()
        painter.fillRect(self.rect(), colors.color("panel"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors.color("line"))
        painter.setFont(theme.font("secondary"))
        metrics = painter.fontMetrics()
        baseline = (self.height() + metrics.ascent() - metrics.descent()) / 2
        ratio = self.devicePixelRatioF()
        pills = self._pills()
        for tick in self._ticks:
            x = (self._view.x_of(tick.at) * ratio // 1) / ratio
            painter.fillRect(QRectF(x, self.height() - _TICK, 1, _TICK), colors.color("line"))
            words = tick_text(tick, self._step)
            room = QRectF(x + 5, 0, metrics.horizontalAdvance(words), self.height())
            if room.left() < 2 or any(room.intersects(rect) for _, rect, _ in pills):
                continue  # half a label says something wrong
            strong = is_strong(tick, self._step)
            painter.setPen(colors.color("text" if strong else "dim"))
            painter.drawText(QPointF(x + 5, baseline), words)
        for name, rect, words in pills:
            self._paint_pill(painter, name, rect, words)
        painter.end()

    def _pills(self) -> list[tuple[str, QRectF, str]]:
        """Return the pills: which, where and what they say; the one on top last."""
        valid_at = self._presenter.valid_at
        pills = [self._pill("now", self._now_at, self.tr("now"))]
        if valid_at is not None:
            pills.append(self._pill("valid_at", valid_at, instant_text(valid_at)))
        return pills

    def _pill(self, name: str, at: int, words: str) -> tuple[str, QRectF, str]:
        x = self._view.x_of(at)
        if x < 0:
            words = f"← {words}"
        elif x > self.width():
            words = f"{words} →"
        width = QFontMetrics(theme.font("secondary")).horizontalAdvance(words) + 16
        left = min(max(2.0, x - width / 2), self.width() - width - 2.0)
        top = (self.height() - _PILL_HEIGHT) / 2
        return name, QRectF(left, top, width, _PILL_HEIGHT), words

    def _paint_pill(self, painter: QPainter, name: str, rect: QRectF, words: str) -> None:
        colors = theme.current()
        ground = colors.color("danger" if name == "now" else "accent")
        x = self._view.x_of(self._now_at if name == "now" else self._presenter.valid_at or 0)
        if 0 <= x <= self.width():
            painter.fillRect(QRectF(x - 1, rect.center().y(), 2, self.height()), ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, _PILL_HEIGHT / 2, _PILL_HEIGHT / 2)
        painter.setPen(colors.color("on_danger" if name == "now" else "on_accent"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    # -- input --------------------------------------------------------------------------------

    def _pill_at(self, at: QPointF) -> str | None:
        for name, rect, _ in reversed(self._pills()):
            if rect.adjusted(-2, -4, 2, 4).contains(at):
                return name
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        pill = self._pill_at(event.position())
        at = self._now_at if pill == "now" else self._presenter.valid_at
        if pill is not None and at is not None and not 0 <= self._view.x_of(at) <= self.width():
            self._view.reveal(at)
            return
        self._drags = "pan" if pill is None else "valid_at"
        self._last_x = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._drags == "valid_at" and abs(x - self._last_x) > 0:
            self._canvas.drag_valid_at(x)
        elif self._drags == "pan":
            self._view.pan(self._last_x - x)
            self._last_x = x
        elif self._drags is None:
            over = self._pill_at(event.position()) is not None
            self.setCursor(Qt.CursorShape.SplitHCursor if over else Qt.CursorShape.OpenHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drags = None
        super().mouseReleaseEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        QApplication.sendEvent(self._canvas, event)
