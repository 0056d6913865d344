"""How a lane of bars is drawn, in the timeline and in dialogs.

`BarPainter` draws single bars, their labels and what was believed then; `LaneStrip` shows a few
lanes under each other with captions, such as "Now" and "After". All geometry is in logical pixels
and snapped to device pixels, so that a bar begins and ends where its instants lie.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QEvent,
    QLocale,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Slot,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QImage,
    QLinearGradient,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from store.encoding import label_of, tint_of
from store.query import Bar, LaneKey, Mark
from store.temporal import EARLIEST, LATEST, from_micros
from workbench import text, theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

RADIUS: Final = 4.0
"""Corner radius of a bar."""
LABEL_INSET: Final = 8.0
"""Where the label begins, from the beginning of the bar."""
LABEL_LEAST: Final = 36.0
"""A bar less wide than this has no label."""
RAGGED_WIDTH: Final = 4.0
"""How deep the teeth of an imprecise beginning go."""
FADE_WIDTH: Final = 24.0
"""Over how many pixels an assumed beginning fades in."""
_HATCH_PERIOD: Final = 8.0
_ELISION_STEP: Final = 6
_LETTERS_LEAST: Final = 4
_CACHE_LIMIT: Final = 4000
_US_PER_DAY: Final = 86_400_000_000
_US_PER_SECOND: Final = 1_000_000


class Start(IntEnum):
    """How a bar begins."""

    CRISP = 0
    RAGGED = 1
    """Known to the day or worse."""
    FADING = 2
    """Assumed."""
    JOINED = 3
    """The bar before says the same and runs on."""


class Look(NamedTuple):
    """How one bar is drawn.

    Attributes:
        tint: 0 to 7.
        is_future: it begins after now: dashed, light.
        has_tick: it was said again where it begins; drawn on JOINED bars.
        runs_on: the next bar joins it, so that it has no edge at its end.
    """

    tint: int
    start: Start = Start.CRISP
    is_disputed: bool = False
    is_future: bool = False
    is_selected: bool = False
    is_hovered: bool = False
    has_tick: bool = False
    runs_on: bool = False


def start_of(marks: int) -> Start:
    """Return how a bar with these marks begins, if nothing joins it from before."""
    if marks & Mark.ASSUMED:
        return Start.FADING
    return Start.RAGGED if marks & Mark.IMPRECISE else Start.CRISP


def joins(before: Bar, bar: Bar) -> bool:
    """Whether a bar continues the one before: same fact, same value, equally disputed, no gap."""
    return (
        before.valid_to == bar.valid_from
        and before.memory_id == bar.memory_id
        and before.value == bar.value
        and not (before.marks ^ bar.marks) & Mark.DISPUTED
    )


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """Return a colour between two; `share` of the second, 0 to 1."""
    keep = 1.0 - share
    return QColor.fromRgbF(
        one.redF() * keep + other.redF() * share,
        one.greenF() * keep + other.greenF() * share,
        one.blueF() * keep + other.blueF() * share,
    )


class BarPainter:
    """Draws bars and their labels in one theme at one device pixel ratio; keeps what it drew.

    Make a new one when the theme, the font or the ratio changes.

    Attributes:
        hairline: thickness of edges, in logical pixels; whole device pixels.
        hatch_side: after so many device pixels the hatch repeats.
    """

    def __init__(self, colors: theme.Theme, font: QFont, *, ratio: float) -> None:
        self.colors = colors
        self.font = font
        self.ratio = ratio
        self.metrics = QFontMetricsF(font)
        self.hairline = max(1, int(ratio)) / ratio
        self.hatch_side = max(4, round(_HATCH_PERIOD * ratio))
        self._fills = tuple(colors.bar_color(index) for index in range(len(colors.bars)))
        self._edge = colors.color("edge")
        self._hatch = self._hatch_brush()
        self._texts: dict[str, tuple[str, float]] = {}
        self._shorter: dict[tuple[str, int], str] = {}
        self._labels: dict[str, QImage] = {}

    def snap(self, x: float) -> float:
        """Return the edge of the device pixel in which a logical position lies."""
        return (x * self.ratio // 1) / self.ratio

    def fill_of(self, look: Look) -> QColor:
        """Return the ground of a bar, on which its label stands."""
        fill = self._fills[look.tint % len(self._fills)]
        return mixed(fill, self.colors.color("panel"), 0.55) if look.is_future else fill

    # -- bars ---------------------------------------------------------------------------------

    def paint_bar(self, painter: QPainter, rect: QRectF, look: Look) -> None:
        """Draw a bar, without its label, into a rectangle that is snapped to device pixels.

        The painter's clip is kept; antialiasing is off afterwards.
        """
        if rect.width() < 2 * RADIUS and not look.is_selected:
            self._paint_narrow(painter, rect, look)
            return
        is_clipped = look.runs_on or look.start is Start.JOINED
        if is_clipped:
            painter.save()
            painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillPath(_shape(rect, look, inset=0.0), self._ground(rect, look))
        if look.is_disputed:
            painter.setBrushOrigin(rect.topLeft())
            painter.fillPath(_shape(rect, look, inset=self.hairline), self._hatch)
            painter.setBrushOrigin(0, 0)  # or the next bar's fading ground moves too
        pen = self._pen(rect, look)
        painter.strokePath(_shape(rect, look, inset=pen.widthF() / 2), pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if is_clipped:
            painter.restore()
        if look.has_tick:
            self._paint_tick(painter, rect)

    def paint_believed(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the thin outline below a bar: what was believed at the other known-at."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setBrush(self.colors.color("panel"))
        painter.setPen(QPen(self._edge, self.hairline))
        half = self.hairline / 2
        painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), 1.5, 1.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _ground(self, rect: QRectF, look: Look) -> QBrush:
        fill = self.fill_of(look)
        if look.start is not Start.FADING:
            return QBrush(fill)
        return QBrush(_fade(rect, fill))

    def _pen(self, rect: QRectF, look: Look) -> QPen:
        accent = self.colors.color("accent")
        if look.is_selected:
            return QPen(accent, 2.0)
        if look.is_future:
            pen = QPen(accent, 1.5 * self.hairline)
            pen.setDashPattern([2.6, 2.0])
            return pen
        color = accent if look.is_hovered else self._edge
        if look.start is Start.FADING:
            return QPen(QBrush(_fade(rect, color)), self.hairline)
        return QPen(color, self.hairline)

    def _paint_narrow(self, painter: QPainter, rect: QRectF, look: Look) -> None:
        """Draw a bar without room for corners."""
        fill = self.fill_of(look)
        if look.is_disputed:
            fill = mixed(fill, self.colors.color("warn"), 0.6)
        edge = self.colors.color("accent") if look.is_hovered or look.is_future else self._edge
        line = self.hairline
        painter.fillRect(rect, edge)
        inner = rect.adjusted(0, line, 0, -line)
        if rect.width() > 3 * line:
            inner.adjust(line, 0, -line, 0)
        painter.fillRect(inner, fill)

    def _paint_tick(self, painter: QPainter, rect: QRectF) -> None:
        """Draw where a fact was said again: a short tick from the top and from the bottom."""
        length = 0.25 * rect.height()
        upper = QRectF(rect.x(), rect.y(), self.hairline, length)
        painter.fillRect(upper, self._edge)
        painter.fillRect(upper.translated(0, rect.height() - length), self._edge)

    def _hatch_brush(self) -> QBrush:
        """Return diagonal stripes, sharp at the ratio, of a period that tiles without a seam."""
        side = self.hatch_side
        tile = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
        tile.fill(Qt.GlobalColor.transparent)
        color = QColor(self.colors.color("warn"))
        color.setAlphaF(0.62)
        painter = QPainter(tile)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(color, 1.9 * self.ratio))
        for shift in (-side, 0, side):
            painter.drawLine(QPointF(shift - side, 2 * side), QPointF(shift + 2 * side, -side))
        painter.end()
        tile.setDevicePixelRatio(self.ratio)
        return QBrush(tile)

    # -- labels -------------------------------------------------------------------------------

    def paint_label(
        self, painter: QPainter, bar: QRectF, value: str, *, plate: QColor | None
    ) -> None:
        """Draw the label of a bar, cut with an ellipsis so that it never leaves the bar.

        Args:
            painter: draws on the same device as the bar.
            bar: the bar, or the part of it that is in view.
            value: canonical JSON text.
            plate: a plain ground to put under the label, where the bar is hatched.
        """
        if bar.width() < LABEL_LEAST:
            return
        words = self.elided(value, bar.width() - 2 * LABEL_INSET)
        if len(words) < _LETTERS_LEAST and words.endswith("…"):
            return  # a letter or two says nothing
        label = self._label(words)
        width, height = label.width() / self.ratio, label.height() / self.ratio
        x = self.snap(bar.x() + LABEL_INSET)
        y = self.snap(bar.y() + (bar.height() - height) / 2)
        if plate is not None:
            across = min(width + 8, bar.right() - x + 2)
            spare = 3 if bar.height() >= 18 else 1
            ground = QRectF(x - 4, bar.y() + spare, across, bar.height() - 2 * spare)
            painter.fillRect(ground, plate)
        painter.drawImage(QPointF(x, y), label)

    def elided(self, value: str, room: float) -> str:
        """Return the label of a value, cut so that it takes at most `room` pixels."""
        full = self._texts.get(value)
        if full is None:
            self._forget_if_full()
            label = label_of(value)
            full = self._texts[value] = (label, self.metrics.horizontalAdvance(label))
        label, width = full
        if width <= room:
            return label
        steps = int(room) // _ELISION_STEP
        short = self._shorter.get((value, steps))
        if short is None:
            short = self._shorter[value, steps] = self.metrics.elidedText(
                label, Qt.TextElideMode.ElideRight, steps * _ELISION_STEP
            )
        return short

    def _label(self, label: str) -> QImage:
        image = self._labels.get(label)
        if image is None:
            image = self._labels[label] = self._drawn(label)
        return image

    def _drawn(self, label: str) -> QImage:
        width = self.metrics.horizontalAdvance(label) + 2
        height = self.metrics.height()
        image = QImage(
            max(1, round(width * self.ratio)),
            max(1, round(height * self.ratio)),
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        image.setDevicePixelRatio(self.ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setFont(self.font)
        painter.setPen(self.colors.color("bart"))
        painter.drawText(QPointF(0, self.metrics.ascent()), label)
        painter.end()
        return image

    def _forget_if_full(self) -> None:
        if len(self._texts) > _CACHE_LIMIT or len(self._labels) > _CACHE_LIMIT:
            for cache in (self._texts, self._shorter, self._labels):
                cache.clear()


def _fade(rect: QRectF, color: QColor) -> QLinearGradient:
    """Return a gradient that fades a colour in from the beginning of a bar."""
    across = min(FADE_WIDTH, rect.width())
    gradient = QLinearGradient(rect.left(), 0, rect.left() + across, 0)
    clear = QColor(color)
    clear.setAlphaF(0.0)
    gradient.setColorAt(0, clear)
    gradient.setColorAt(1, color)
    return gradient


def _shape(rect: QRectF, look: Look, *, inset: float) -> QPainterPath:
    """Return the outline of a bar; sides without an edge lie outside, for the clip to cut off."""
    beyond = 2 * RADIUS
    left = rect.left() - beyond if look.start is Start.JOINED else rect.left() + inset
    right = rect.right() + beyond if look.runs_on else rect.right() - inset
    body = QRectF(QPointF(left, rect.top() + inset), QPointF(right, rect.bottom() - inset))
    corner = max(0.0, min(RADIUS, body.width() / 2) - inset)
    path = QPainterPath()
    if look.start is Start.RAGGED:
        _trace_ragged(path, body, corner)
    else:
        path.addRoundedRect(body, corner, corner)
    return path


def _trace_ragged(path: QPainterPath, body: QRectF, corner: float) -> None:
    """Add a bar whose beginning is a row of teeth; their tips are where it begins."""
    teeth = max(2, round(body.height() / 5))
    step = body.height() / (2 * teeth)
    deep = min(RAGGED_WIDTH, body.width() / 2)
    right = body.right()
    path.moveTo(body.left(), body.top())
    path.lineTo(right - corner, body.top())
    path.arcTo(QRectF(right - 2 * corner, body.top(), 2 * corner, 2 * corner), 90, -90)
    path.lineTo(right, body.bottom() - corner)
    lower = body.bottom() - 2 * corner
    path.arcTo(QRectF(right - 2 * corner, lower, 2 * corner, 2 * corner), 0, -90)
    for index in range(2 * teeth + 1):
        inward = deep if index % 2 else 0.0
        path.lineTo(body.left() + inward, body.bottom() - index * step)
    path.closeSubpath()


def looks_of(bars: Sequence[Bar], now_at: int) -> list[Look]:
    """Return how each bar of a lane is drawn; bars sorted, without what was believed then."""
    looks = []
    for index, bar in enumerate(bars):
        is_joined = index > 0 and joins(bars[index - 1], bar)
        runs_on = index + 1 < len(bars) and joins(bar, bars[index + 1])
        looks.append(
            Look(
                tint=tint_of(bar.value),
                start=Start.JOINED if is_joined else start_of(bar.marks),
                is_disputed=bool(bar.marks & Mark.DISPUTED),
                is_future=bar.valid_from > now_at,
                has_tick=is_joined and bool(bar.marks & Mark.RESTATED),
                runs_on=runs_on,
            )
        )
    return looks


# --- words ----------------------------------------------------------------------------------


def state_words(marks: int) -> list[str]:
    """Return the marks of a bar in words, translated, in a fixed order."""
    words = {
        Mark.DISPUTED: QCoreApplication.translate("Lanes", "disputed"),
        Mark.RESTATED: QCoreApplication.translate("Lanes", "said again"),
        Mark.ASSUMED: QCoreApplication.translate("Lanes", "assumed start"),
        Mark.IMPRECISE: QCoreApplication.translate("Lanes", "imprecise start"),
        Mark.BELIEVED: QCoreApplication.translate("Lanes", "believed then"),
        Mark.CONFIRMED: QCoreApplication.translate("Lanes", "confirmed"),
    }
    return [word for mark, word in words.items() if marks & mark]


def date_text(micros: int, *, has_year: bool = True) -> str:
    """Return the UTC date of an instant in the short form of the locale, such as 3 Jun 2026."""
    at = _moment(micros)
    if has_year:
        return text.day(at.date())
    locale = text.current_format().locale
    long = locale.dateFormat(QLocale.FormatType.LongFormat).replace("dddd", "")
    is_day_first = long.find("d") < long.find("M")
    return locale.toString(QDate(at.year, at.month, at.day), "d MMM" if is_day_first else "MMM d")


def _moment(micros: int) -> datetime:
    return from_micros(min(max(micros, EARLIEST), LATEST))


def instant_text(micros: int) -> str:
    """Return an instant in UTC, exactly but no longer than needed: 3 Jun 2026, 3 Jun 2026 10:00."""
    at = _moment(micros)
    date = text.day(at.date())
    if micros % _US_PER_DAY == 0:
        return date
    if at.microsecond:
        return f"{date} {at:%H:%M:%S}.{at.microsecond:06d}".removesuffix("000")
    return f"{date} {text.clock(at, has_seconds=bool(at.second))}"


def axis_bounds(edges: Iterable[int]) -> list[tuple[int, int]]:
    """Return instants in order, each with what an axis shows for it, in microseconds since 1970.

    Parts of a second are left out as long as that keeps all apart: the hover has them.
    """
    ordered = sorted(set(edges))
    seconds = [edge // _US_PER_SECOND * _US_PER_SECOND for edge in ordered]
    shown = seconds if len(set(seconds)) == len(ordered) else ordered
    return list(zip(ordered, shown, strict=True))


def period_text(valid_from: int, valid_to: int | None) -> str:
    """Return a period as a phrase, such as "1 Mar 2026 to 5 Jun 2026"."""
    begins = instant_text(valid_from)
    if valid_to is None:
        return QCoreApplication.translate("Lanes", "since {0}").format(begins)
    ends = instant_text(valid_to)
    return QCoreApplication.translate("Lanes", "{0} to {1}").format(begins, ends)


def bar_state(bar: Bar, *, now_at: int) -> list[str]:
    """Return the state of a bar in words: in the future, and its marks."""
    words = state_words(bar.marks)
    if bar.valid_from > now_at:
        words.insert(0, QCoreApplication.translate("Lanes", "in the future"))
    return words


def describe_bar(bar: Bar, *, now_at: int) -> str:
    """Return a bar in words: value, period in UTC, state; without whom it is about."""
    period = period_text(bar.valid_from, bar.valid_to)
    return ", ".join([label_of(bar.value), period, *bar_state(bar, now_at=now_at)])


def lane_name(key: LaneKey) -> str:
    """Return a lane's name in words: subject / attribute, led by the owner where there is one."""
    parts = [text.visible(part) for part in (key.owner, key.subject, key.attribute) if part]
    return " / ".join(parts)


# --- a few lanes in a dialog ----------------------------------------------------------------


class StripLane(NamedTuple):
    """A lane of a `LaneStrip`.

    Attributes:
        caption: what the lane shows, such as "Now".
        bars: sorted.
    """

    caption: str
    bars: tuple[Bar, ...]


class LaneStrip(QWidget):
    """A few lanes under each other on one scale of time, with captions and dates.

    It shows and explains; it takes no keys and emits nothing. The screen reader gets it in words.
    """

    CAPTION_WIDTH: Final = 110
    LANE_HEIGHT: Final = 36
    BAR_HEIGHT: Final = 22
    AXIS_HEIGHT: Final = 18

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lane_strip")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._lanes: tuple[StripLane, ...] = ()
        self._now_at = 0
        self._span = (0, 1)
        self._painter: BarPainter | None = None
        self.setAccessibleName(self.tr("Lanes"))
        theme.appearance().changed.connect(self._on_appearance_changed)

    @property
    def span(self) -> tuple[int, int]:
        """The valid time in view, microseconds since 1970."""
        return self._span

    def set_lanes(self, lanes: Sequence[StripLane], *, now_at: int) -> None:
        """Show these lanes; the scale is chosen so that every bound is in view."""
        self._lanes = tuple(lanes)
        self._now_at = now_at
        self._span = _span_of(self._lanes)
        self.setAccessibleDescription(self._in_words())
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, max(1, len(self._lanes)) * self.LANE_HEIGHT + self.AXIS_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(320, self.sizeHint().height())

    def bar_rect(self, lane: int, bar: Bar) -> QRectF:
        """Return where a bar is drawn."""
        left, right = self._x(bar.valid_from), self._x(bar.valid_to)
        top = lane * self.LANE_HEIGHT + (self.LANE_HEIGHT - self.BAR_HEIGHT) / 2
        height = float(self.BAR_HEIGHT)
        if bar.marks & Mark.BELIEVED:
            top, height = top + self.BAR_HEIGHT + 1, 4.0
        return QRectF(left, top, max(right - left, 1.0), height)

    def bar_at(self, x: float, y: float) -> Bar | None:
        """Return the bar at a position, if any."""
        lane = int(y // self.LANE_HEIGHT)
        if not 0 <= lane < len(self._lanes):
            return None
        for bar in self._lanes[lane].bars:
            if self.bar_rect(lane, bar).contains(QPointF(x, y)):
                return bar
        return None

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bar = self.bar_at(event.pos().x(), event.pos().y())
            words = describe_bar(bar, now_at=self._now_at) + " (UTC)" if bar else ""
            QToolTip.showText(event.globalPos(), text.tooltip(words) if words else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        drawer = self._drawer()
        for number, lane in enumerate(self._lanes):
            self._paint_lane(painter, drawer, number, lane)
        self._paint_axis(painter)
        painter.end()

    def _drawer(self) -> BarPainter:
        ratio = self.devicePixelRatioF()
        if self._painter is None or self._painter.ratio != ratio:
            self._painter = BarPainter(theme.current(), theme.font("secondary"), ratio=ratio)
        return self._painter

    def _paint_lane(
        self, painter: QPainter, drawer: BarPainter, number: int, lane: StripLane
    ) -> None:
        colors = drawer.colors
        painter.setFont(theme.font("secondary"))
        painter.setPen(colors.color("dim"))
        caption = QRect(0, number * self.LANE_HEIGHT, self.CAPTION_WIDTH - 8, self.LANE_HEIGHT)
        aligned = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        short = painter.fontMetrics().elidedText(
            lane.caption, Qt.TextElideMode.ElideRight, caption.width()
        )
        painter.drawText(caption, aligned, short)
        held = [bar for bar in lane.bars if not bar.marks & Mark.BELIEVED]
        for bar, look in zip(held, looks_of(held, self._now_at), strict=True):
            rect = self.bar_rect(number, bar)
            drawer.paint_bar(painter, rect, look)
            plate = drawer.fill_of(look) if look.is_disputed else None
            in_view = rect.intersected(QRectF(self.rect()))
            drawer.paint_label(painter, in_view, bar.value, plate=plate)
        for bar in lane.bars:
            if bar.marks & Mark.BELIEVED:
                drawer.paint_believed(painter, self.bar_rect(number, bar))

    def _paint_axis(self, painter: QPainter) -> None:
        """Write the bounds under the lanes where there is room, the earliest first."""
        painter.setFont(theme.font("secondary"))
        painter.setPen(theme.current().color("dim"))
        metrics = painter.fontMetrics()
        edges = {edge for lane in self._lanes for bar in lane.bars for edge in bar[:2]}
        bounds = axis_bounds(edge for edge in edges if edge is not None)
        taken = -1.0
        top = len(self._lanes) * self.LANE_HEIGHT
        for bound, shown in bounds:
            x = self._x(bound)
            words = instant_text(shown)
            width = metrics.horizontalAdvance(words)
            start = min(x, self.width() - width)
            if start < taken:
                continue
            painter.fillRect(QRectF(x, top - 4, 1, 4), theme.current().color("ctl"))
            painter.drawText(QPointF(start, top + metrics.ascent() + 1), words)
            taken = start + width + 12

    def _x(self, instant: int | None) -> float:
        begins, ends = self._span
        room = self.width() - self.CAPTION_WIDTH
        if instant is None:
            return self.width() + 3 * RADIUS  # its rounded end lies out of sight: it has none
        x = self.CAPTION_WIDTH + (instant - begins) / (ends - begins) * room
        ratio = self.devicePixelRatioF()
        return round(x * ratio) / ratio

    def _in_words(self) -> str:
        lanes, nothing = [], self.tr("nothing")
        for lane in self._lanes:
            bars = "; ".join(describe_bar(bar, now_at=self._now_at) for bar in lane.bars)
            lanes.append(f"{lane.caption}: {bars or nothing}.")
        return " ".join(lanes)

    @Slot()
    def _on_appearance_changed(self) -> None:
        self._painter = None
        self.update()


def _span_of(lanes: Sequence[StripLane]) -> tuple[int, int]:
    """Return a span of valid time that holds every bound, with room for what has no end."""
    bars = [bar for lane in lanes for bar in lane.bars]
    bounds = [edge for bar in bars for edge in bar[:2] if isinstance(edge, int)]
    if not bounds:
        return (0, _US_PER_DAY)
    begins, ends = min(bounds), max(bounds)
    across = max(ends - begins, 1)
    if any(bar.valid_to is None for bar in bars):
        ends += across if begins < ends else _US_PER_DAY
    return (begins, max(ends, begins + 1))
