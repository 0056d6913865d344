"""A picture of both axes: valid time across, transaction time upwards, what was believed where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from store.encoding import label_of, tint_of
from workbench.panels.inspector.items import Band, Stretch, band_in_force
from workbench.text import instant, number, tooltip
from workbench.theme import Role, appearance, current, font
from workbench.widgets.lanes import LABEL_INSET, RADIUS, BarPainter, Look, date_text, period_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from PySide6.QtGui import QMouseEvent, QPaintEvent

BANDS_SHOWN: Final = 8
"""So many beliefs are drawn, the newest; the list of versions has them all."""
_BAND_PX: Final = 22
_NAMES_PX: Final = 62
_AXIS_PX: Final = 20
_INSET_PX: Final = 2
_DAY: Final = 86_400_000_000


class _Tile(NamedTuple):
    """A stretch that was believed over one or several bands, which follow each other."""

    stretch: Stretch
    first: int
    last: int


class BeliefPicture(QWidget):
    """Each row is what the ledger believed after a transaction, the newest on top.

    A stretch that stayed believed is one tile over several rows. A click on a tile chooses its
    fact; the list of versions says the same in words and is reached by keys.

    Signals:
        fact_chosen: the id of a fact whose tile was clicked.
    """

    fact_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("belief_picture")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self._bands: tuple[Band, ...] = ()
        self._tiles: tuple[_Tile, ...] = ()
        self._span = (0, 1)
        self._memory_id = ""
        self._valid_at = 0
        self._is_now = True
        self._force: int | None = None
        self._hovered: _Tile | None = None
        self._drawer: BarPainter | None = None
        appearance().changed.connect(self._on_appearance_changed)

    def set_bands(
        self,
        bands: Sequence[Band],
        *,
        memory_id: str,
        valid_at: int,
        known_at: datetime | None,
        is_now: bool,
    ) -> None:
        """Show beliefs, newest first.

        Args:
            bands: from `items.belief_bands`.
            memory_id: the fact that is looked at.
            valid_at: where one looks on the axis of valid time, in microseconds.
            known_at: where one looks on the other axis; None for the newest.
            is_now: whether `valid_at` is the present.
        """
        force = band_in_force(bands, known_at)
        first = 0 if force is None else max(0, force - BANDS_SHOWN + 2)
        self._bands = tuple(bands[first : first + BANDS_SHOWN])
        self._force = None if force is None else force - first
        self._memory_id, self._valid_at, self._is_now = memory_id, valid_at, is_now
        self._tiles = _tiles_of(self._bands)
        self._span = _span_of(self._bands, valid_at)
        self._hovered = None
        self.setAccessibleName(self.tr("What the ledger believed, on both axes"))
        self.setAccessibleDescription(" ".join(self._in_words(band) for band in self._bands))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(280, len(self._bands) * _BAND_PX + _AXIS_PX)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, self.sizeHint().height())

    def tile_rect(self, memory_id: str, band: int) -> QRectF:
        """Give where the first tile of a fact in a row is drawn, empty if there is none."""
        for tile in self._tiles:
            if tile.stretch.memory_id == memory_id and tile.first <= band <= tile.last:
                return self._rect(tile)
        return QRectF()

    # -- drawing ------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        drawer = self._bars()
        self._paint_rows(painter)
        for tile in self._tiles:
            self._paint_tile(painter, drawer, tile)
        self._paint_axis(painter)
        self._paint_line(painter)
        painter.end()

    def _bars(self) -> BarPainter:
        ratio = self.devicePixelRatioF()
        if self._drawer is None or self._drawer.ratio != ratio:
            self._drawer = BarPainter(current(), font("secondary"), ratio=ratio)
        return self._drawer

    def _paint_rows(self, painter: QPainter) -> None:
        colors = current()
        for place, band in enumerate(self._bands):
            row = QRectF(0, place * _BAND_PX, self.width(), _BAND_PX)
            is_force = place == self._force
            if is_force:
                painter.fillRect(row, colors.color("lane"))
            if place:
                painter.fillRect(QRectF(0, row.top(), self.width(), 1), colors.color("line"))
            painter.setFont(font("key"))
            painter.setPen(colors.color("text" if is_force else "dim"))
            words = self.tr("tx {number}").format(number=number(band.number))
            room = QRectF(4, row.top(), _NAMES_PX - 10, _BAND_PX)
            shown = painter.fontMetrics().elidedText(
                words, Qt.TextElideMode.ElideRight, int(room.width())
            )
            painter.drawText(
                room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown
            )

    def _paint_tile(self, painter: QPainter, drawer: BarPainter, tile: _Tile) -> None:
        force = self._force
        rect = self._rect(tile)
        painter.save()
        painter.setClipRect(self._field())
        if force is None or tile.last < force:
            self._paint_unknown(painter, rect, tile)
        else:
            is_mine = tile.stretch.memory_id == self._memory_id
            look = Look(
                tint_of(tile.stretch.value),
                is_selected=is_mine and tile.first <= force,
                is_hovered=is_mine or tile == self._hovered,
            )
            drawer.paint_bar(painter, rect, look)
            seen = rect.intersected(self._field())
            drawer.paint_label(painter, seen, tile.stretch.value, plate=None)
        painter.restore()

    def _paint_unknown(self, painter: QPainter, rect: QRectF, tile: _Tile) -> None:
        """Draw what was written after the instant with whose knowledge one looks."""
        colors = current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colors.color("ctl"), 1.0)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setPen(colors.color("dim"))
        painter.setFont(font("secondary"))
        room = rect.intersected(self._field()).adjusted(LABEL_INSET, 0, -LABEL_INSET, 0)
        shown = painter.fontMetrics().elidedText(
            label_of(tile.stretch.value), Qt.TextElideMode.ElideRight, int(room.width())
        )
        if len(shown) > 2:
            painter.drawText(
                room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown
            )

    def _paint_line(self, painter: QPainter) -> None:
        """Draw where one looks on the axis of valid time."""
        begins, ends = self._span
        if not begins <= self._valid_at <= ends:
            return
        role: Role = "danger" if self._is_now else "warn"
        x = self._x(self._valid_at)
        painter.setPen(QPen(current().color(role), 1.5))
        painter.drawLine(QPointF(x, 0), QPointF(x, len(self._bands) * _BAND_PX))

    def _paint_axis(self, painter: QPainter) -> None:
        painter.setFont(font("key"))
        painter.setPen(current().color("dim"))
        metrics = painter.fontMetrics()
        top = len(self._bands) * _BAND_PX
        painter.fillRect(QRectF(0, top, self.width(), 1), current().color("line"))
        taken = -1.0
        bounds = {tile.stretch.valid_from for tile in self._tiles}
        bounds |= {it.stretch.valid_to for it in self._tiles if it.stretch.valid_to is not None}
        for bound in sorted(bounds):
            words = date_text(bound)
            width = metrics.horizontalAdvance(words)
            x = min(self._x(bound), self.width() - width)
            if x < taken:
                continue
            painter.fillRect(QRectF(self._x(bound), top, 1, 4), current().color("ctl"))
            painter.drawText(QPointF(x, top + metrics.ascent() + 5), words)
            taken = x + width + 10

    # -- geometry -----------------------------------------------------------------------------

    def _field(self) -> QRectF:
        return QRectF(_NAMES_PX, 0, self.width() - _NAMES_PX, len(self._bands) * _BAND_PX)

    def _rect(self, tile: _Tile) -> QRectF:
        left = self._x(tile.stretch.valid_from)
        ends = tile.stretch.valid_to
        right = self.width() + 12.0 if ends is None else self._x(ends)
        top = tile.first * _BAND_PX + _INSET_PX
        bottom = (tile.last + 1) * _BAND_PX - _INSET_PX + 1
        return QRectF(QPointF(left, top), QPointF(max(right, left + 2), bottom))

    def _x(self, micros: int) -> float:
        begins, ends = self._span
        room = self.width() - _NAMES_PX
        x = _NAMES_PX + (micros - begins) / (ends - begins) * room
        ratio = self.devicePixelRatioF()
        return round(x * ratio) / ratio

    def _tile_at(self, at: QPointF) -> _Tile | None:
        if not self._field().contains(at):
            return None
        return next((it for it in self._tiles if self._rect(it).contains(at)), None)

    # -- the mouse ----------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        tile = self._tile_at(event.position())
        if tile != self._hovered:
            self._hovered = tile
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if tile else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        tile = self._tile_at(event.position())
        if tile is not None and event.button() == Qt.MouseButton.LeftButton:
            self.fact_chosen.emit(tile.stretch.memory_id)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tile = self._tile_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tooltip(self._hover(tile)) if tile else "", self)
            return True
        return super().event(event)

    # -- words --------------------------------------------------------------------------------

    def _hover(self, tile: _Tile) -> str:
        oldest = self._bands[tile.last]
        valid = self.tr("valid: {period} (UTC)").format(
            period=period_text(tile.stretch.valid_from, tile.stretch.valid_to)
        )
        begins = instant(oldest.recorded_at)
        if tile.first == 0:
            said = self.tr("believed since {begins} (tx {first})")
            believed = said.format(begins=begins, first=number(oldest.number))
        else:
            after = self._bands[tile.first - 1]
            said = self.tr("believed {begins} (tx {first}) → {ends} (tx {last})")
            believed = said.format(
                begins=begins,
                first=number(oldest.number),
                ends=instant(after.recorded_at),
                last=number(after.number),
            )
        return "\n".join((label_of(tile.stretch.value), valid, believed))

    def _in_words(self, band: Band) -> str:
        stretches = "; ".join(
            f"{label_of(it.value)}, {period_text(it.valid_from, it.valid_to)}"
            for it in band.stretches
        )
        said = self.tr("After transaction {number}: {stretches}.")
        return said.format(
            number=number(band.number), stretches=stretches or self.tr("nothing holds")
        )

    @Slot()
    def _on_appearance_changed(self) -> None:
        self._drawer = None
        self.update()


def _tiles_of(bands: Sequence[Band]) -> tuple[_Tile, ...]:
    """Join a stretch that several bands in a row have into one tile."""
    tiles: list[_Tile] = []
    open_tiles: dict[Stretch, _Tile] = {}
    for place, band in enumerate(bands):
        running = {}
        for stretch in band.stretches:
            tile = open_tiles.pop(stretch, None)
            running[stretch] = tile._replace(last=place) if tile else _Tile(stretch, place, place)
        tiles += open_tiles.values()
        open_tiles = running
    return (*tiles, *open_tiles.values())


def _span_of(bands: Sequence[Band], valid_at: int) -> tuple[int, int]:
    """Give a span of valid time with every bound in it, and room for what has no end."""
    stretches = [stretch for band in bands for stretch in band.stretches]
    bounds = [it.valid_from for it in stretches]
    bounds += [it.valid_to for it in stretches if it.valid_to is not None]
    if not bounds:
        return (0, _DAY)
    begins, ends = min(bounds), max(bounds)
    across = max(ends - begins, _DAY)
    # The present is in view where that does not press the rest together.
    is_near = ends < valid_at <= ends + 2 * across
    if is_near:
        ends = valid_at
        across = ends - begins
    return (begins - across // 36, ends + across // (6 if is_near else 2))
