"""How a cell of the facts table is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from store.encoding import State
from store.temporal import to_micros
from workbench.panels.facts.columns import (
    INSTANT_COLUMNS,
    NUMBER_COLUMNS,
    Column,
    FactRow,
    cell_text,
    instant_parts,
    longest_days,
)
from workbench.text import DASH, current_format
from workbench.theme import Theme, appearance, current, font
from workbench.widgets.status_dot import paint_state

if TYPE_CHECKING:
    from datetime import datetime

    from workbench.panels.facts.model import FactTable, Index

PAD_PX: Final = 8
GAP_PX: Final = 6
_PLACEHOLDER_PX: Final = 8
_SELECTED: Final = QStyle.StateFlag.State_Selected
_SIDES: Final = {
    (at_end, is_mirrored): int(
        (Qt.AlignmentFlag.AlignRight if at_end != is_mirrored else Qt.AlignmentFlag.AlignLeft)
        | Qt.AlignmentFlag.AlignVCenter
        | Qt.AlignmentFlag.AlignAbsolute
        | Qt.TextFlag.TextSingleLine
    )
    for at_end in (False, True)
    for is_mirrored in (False, True)
}


@cache
def _day_width(locale: str) -> int:
    """Return the width of the widest day that can be shown, so that years stand in a column."""
    # Rounded up: a text that is wider than its room by a fraction of a pixel is cut.
    metrics = QFontMetricsF(font("content"))
    return ceil(max(metrics.horizontalAdvance(day) for day in longest_days()))


def day_width() -> int:
    """Return the width of the column of days within a column of instants, in pixels."""
    return _day_width(current_format().locale.name())


@lru_cache(maxsize=8192)
def _cut(text: str, width: int) -> str:
    """Cut a text to a width in pixels; a table draws the same cells again and again."""
    return QFontMetrics(font("content")).elidedText(text, Qt.TextElideMode.ElideRight, width)


@lru_cache(maxsize=4096)
def _width(text: str) -> int:
    return QFontMetrics(font("content")).horizontalAdvance(text)


@dataclass(frozen=True, slots=True)
class _Round:
    """What is the same for all cells of one painting.

    Attributes:
        at: the instant for the status, and `at_us` the same in microseconds.
        current_row: the row with the keyboard, -1 while the table does not have it.
    """

    theme: Theme
    face: QFont
    at: datetime
    at_us: int
    current_row: int
    is_mirrored: bool


class FactDelegate(QStyledItemDelegate):
    """Draws cells: hairlines between rows, no zebra, times and numbers in line."""

    def __init__(self, model: FactTable, table: QTableView) -> None:
        super().__init__(table)
        self._model = model
        self._table = table
        self._round = self._new_round()

    def begin(self) -> None:
        """Look at what all cells share; call it before each painting of the table."""
        self._round = self._new_round()

    def _new_round(self) -> _Round:
        at = self._model.clock()
        table = self._table
        row = table.currentIndex().row() if table.hasFocus() else -1
        is_mirrored = table.layoutDirection() == Qt.LayoutDirection.RightToLeft
        return _Round(current(), font("content"), at, to_micros(at), row, is_mirrored)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, appearance().row_height("table"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        place, rect = index.row(), option.rect
        row = self._model.row(place)
        is_selected = bool(option.state & _SELECTED)
        self._paint_ground(painter, rect, row, place=place, is_selected=is_selected)
        room = rect.adjusted(PAD_PX, 0, -PAD_PX, -1)
        column = Column(index.column())
        if row is None:
            self._paint_placeholder(painter, room, place + column * 5)
        else:
            painter.setFont(self._round.face)
            self._paint_cell(painter, room, row, column)

    def _paint_ground(
        self, painter: QPainter, rect: QRect, row: FactRow | None, *, place: int, is_selected: bool
    ) -> None:
        theme = self._round.theme
        if is_selected:
            painter.fillRect(rect, theme.color("accent_bg"))
        elif row is not None and self._model.is_flashed(row):
            painter.fillRect(rect, theme.color("ok_bg"))
        left, right, bottom = rect.left(), rect.width(), rect.bottom()
        painter.fillRect(left, bottom, right, 1, theme.color("line"))
        if place == self._round.current_row or (is_selected and theme.is_contrast):
            # The current row of several selected ones, or of none, is seen by its edges.
            painter.fillRect(left, rect.top(), right, 1, theme.color("accent"))
            painter.fillRect(left, bottom, right, 1, theme.color("accent"))

    def _paint_placeholder(self, painter: QPainter, room: QRect, seed: int) -> None:
        """Draw a grey piece where text will be; its length varies so that rows look like rows."""
        theme = self._round.theme
        piece = QRectF(0, 0, room.width() * (0.35 + 0.13 * (seed % 4)), _PLACEHOLDER_PX)
        piece.moveCenter(QRectF(room).center())
        piece.moveLeft(room.left())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("line" if theme.is_contrast else "lane"))
        painter.drawRoundedRect(piece, 4, 4)
        painter.restore()

    def _paint_cell(self, painter: QPainter, room: QRect, row: FactRow, column: Column) -> None:
        around = self._round
        state = row.state(around.at_us)
        if column is Column.STATUS:
            painter.setLayoutDirection(self._table.layoutDirection())
            paint_state(painter, QRectF(room), state)
            return
        text = cell_text(row, column, around.at)
        is_quiet = state is State.ENDED or text == DASH
        painter.setPen(_ink(around.theme, is_quiet=is_quiet))
        if column in INSTANT_COLUMNS and text != DASH:
            self._paint_instant(painter, room, row, column)
        else:
            self._write(painter, room, text, at_end=column in NUMBER_COLUMNS)

    def _paint_instant(self, painter: QPainter, room: QRect, row: FactRow, column: Column) -> None:
        """Write day and time of day apart, so that years and hours stand under each other."""
        wide = day_width()
        if wide > room.width() or self._round.is_mirrored:
            self._write(painter, room, cell_text(row, column, self._round.at))
            return
        sign, day, clock = instant_parts(row, column)
        left = QRect(room.left(), room.top(), wide, room.height())
        self._write(painter, left, day, at_end=True)
        if clock:
            self._write(painter, room.adjusted(wide + GAP_PX, 0, 0, 0), clock)
        if sign:  # hangs in the margin where the day is long
            beside = left.adjusted(-2 * PAD_PX, 0, -_width(day) - 2, 0)
            self._write(painter, beside, sign, at_end=True)

    def _write(self, painter: QPainter, room: QRect, text: str, *, at_end: bool = False) -> None:
        side = _SIDES[at_end, self._round.is_mirrored]
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # the text's own
        painter.drawText(room, side, _cut(text, room.width()))


def _ink(theme: Theme, *, is_quiet: bool) -> QColor:
    return theme.color("dim" if is_quiet else "text")
