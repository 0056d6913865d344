"""Makes one picture of the lanes in view: what is drawn where, and the bars as an image.

Bars, edges, corners, hatches, ragged and fading beginnings come from the raster, in one image,
whatever their number. What the raster has no stencil for, the dashed bars of the future, is listed
as *drawings*, and the labels with it, both bounded, for the canvas to paint over the image.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from store.query import Mark
from workbench.panels.timeline.items import Columns, Joint, LanePage, Row, join_pages
from workbench.panels.timeline.raster import (
    DISPUTED,
    FUTURE,
    GAP,
    TINTS,
    Band,
    Canvas,
    Ends,
    LaneBars,
    Runs,
    Stencil,
    find_runs,
)
from workbench.panels.timeline.stencil import make_stencil
from workbench.widgets.lanes import LABEL_LEAST, RADIUS, BarPainter, Look, Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from workbench.panels.timeline.presenter import LaneView, TimelinePresenter
    from workbench.panels.timeline.viewstate import ViewState

LABELS_MOST: Final = 700
DRAWINGS_MOST: Final = 200
_BEYOND: Final = 12.0  # bars that run out of view are drawn so far beyond the edge
_BAR_HEIGHTS: Final = {22: 14, 30: 20, 38: 20}
BELIEVED_HEIGHT: Final = 4


class Label(NamedTuple):
    """A label: in which rectangle, for which bar of the frame's columns, on which plate."""

    rect: QRectF
    bar: int
    plate: QColor | None


class Drawing(NamedTuple):
    """A bar that is painted over the image."""

    rect: QRectF
    look: Look


class LaneRow(NamedTuple):
    """A lane in view.

    Attributes:
        row: its row.
        lane: what it shows; None while it has not been read.
        top: upper edge of the row in the picture, device pixels.
        offset: place of its page's first bar in the frame's columns.
    """

    row: Row
    lane: LaneView | None
    top: int
    offset: int


@dataclass(frozen=True, slots=True)
class Frame:
    """What is in view, in logical pixels unless said otherwise.

    Attributes:
        rows: all rows in view.
        lanes: those that are lanes.
        columns: the bars of their pages.
        runs: the bars in view, in device pixels; `lane` is an index into `lanes`.
        image: the picture, grounds and bars; its pixels belong to the maker.
        maker: what made it.
        bar_top: from the upper edge of a row to its bar.
        bar_height: of a bar.
    """

    rows: tuple[Row, ...]
    lanes: tuple[LaneRow, ...]
    columns: Columns
    runs: Runs
    labels: tuple[Label, ...]
    drawings: tuple[Drawing, ...]
    believed: tuple[QRectF, ...]
    image: QImage
    maker: FrameMaker
    bar_top: float
    bar_height: float


class Wish(NamedTuple):
    """What a frame depends on besides the presenter and the view.

    Attributes:
        now_at: the present, microseconds since 1970.
        grid: where the ruler's ticks are.
        lit: position of the lane that stands on the ground of selection.
        flashed: positions of lanes that just changed.
    """

    now_at: int
    grid: tuple[int, ...] = ()
    lit: int | None = None
    flashed: frozenset[int] = frozenset()


def bar_height_of(lane_height: int) -> int:
    """Return the height of bars in lanes of a height: 14 in 22, 20 in 30 and 38."""
    return _BAR_HEIGHTS.get(lane_height, max(8, lane_height - 10))


class FrameMaker:
    """Makes frames in one theme, at one size and device pixel ratio."""

    def __init__(self, painter: BarPainter, *, width: int, height: int, lane_height: int) -> None:
        self.painter = painter
        self.ratio = painter.ratio
        self.width, self.height = width, height
        self.lane_height = lane_height
        self._bar_height = max(3, round(bar_height_of(lane_height) * self.ratio))
        colors = painter.colors
        self._grounds = (colors.color("panel"), colors.color("accent_bg"))
        columns = max(1, round(width * self.ratio))
        plain, lit = (
            make_stencil(painter, bar_height=self._bar_height, width=columns, ground=ground)
            for ground in self._grounds
        )
        self._stencils: tuple[Stencil, Stencil] = (plain, lit)
        self._canvas = Canvas(
            columns,
            max(1, round(height * self.ratio)),
            pad=round((lane_height + 2) * self.ratio),
            hairline=round(painter.hairline * self.ratio),
        )
        self._pages: tuple[LanePage, ...] = ()
        self._columns = join_pages(())

    def make(self, presenter: TimelinePresenter, view: ViewState, wish: Wish) -> Frame:
        """Return the frame of what is in view."""
        rows = tuple(presenter.rows.between(view.top, view.top + self.height))
        lanes = self._lanes_of(rows, presenter, view.top)
        self._paint_grounds(rows, view, wish)
        runs = find_runs([self._bars_of(lane) for lane in lanes], view.window(self.ratio))
        runs = self._coded(runs, wish.now_at)
        picked = self._pick_drawings(runs)
        bar_top = self._bar_top()
        self._canvas.draw(
            [Band(lane.top + bar_top, is_lit=self._is_lit(lane.row, wish)) for lane in lanes],
            self._without(runs, picked),
            self._ends_of(runs),
            bar_height=self._bar_height,
            stencils=self._stencils,
        )
        return Frame(
            rows=rows,
            lanes=lanes,
            columns=self._columns,
            runs=runs,
            labels=self._labels_of(runs, lanes),
            drawings=tuple(self._drawing(runs, index, lanes) for index in picked.tolist()),
            believed=self._believed_of(lanes, view),
            image=self._image(),
            maker=self,
            bar_top=bar_top / self.ratio,
            bar_height=self._bar_height / self.ratio,
        )

    # -- rows ---------------------------------------------------------------------------------

    def _lanes_of(
        self, rows: Sequence[Row], presenter: TimelinePresenter, top: int
    ) -> tuple[LaneRow, ...]:
        views = [(row, presenter.lane(row.position)) for row in rows if row.position is not None]
        pages = tuple(dict.fromkeys(id(view.page) for _, view in views if view is not None))
        if pages != tuple(id(page) for page in self._pages):
            by_id = {id(view.page): view.page for _, view in views if view is not None}
            self._pages = tuple(by_id[page] for page in pages)
            self._columns = join_pages(self._pages)
        offset_of = dict(zip(pages, self._columns.offsets, strict=False))
        return tuple(
            LaneRow(
                row,
                view,
                round((row.y - top) * self.ratio),
                0 if view is None else offset_of[id(view.page)],
            )
            for row, view in views
        )

    def _bars_of(self, lane: LaneRow) -> LaneBars:
        columns = self._columns
        if lane.lane is None:
            return LaneBars(columns.starts[:0], columns.ends[:0], columns.tints[:0])
        bars = lane.lane.bars
        first, last = bars.start + lane.offset, bars.stop + lane.offset
        return LaneBars(
            columns.starts[first:last], columns.ends[first:last], columns.tints[first:last], first
        )

    def _bar_top(self) -> int:
        """Return where bars begin in a lane: centred above its hairline, in device pixels."""
        row = round(self.lane_height * self.ratio) - self._canvas.hairline
        return (row - self._bar_height) // 2

    @staticmethod
    def _is_lit(row: Row, wish: Wish) -> bool:
        return row.position is not None and (
            row.position == wish.lit or row.position in wish.flashed
        )

    def _paint_grounds(self, rows: Sequence[Row], view: ViewState, wish: Wish) -> None:
        colors, canvas = self.painter.colors, self._canvas
        hairline = canvas.hairline
        rule = colors.color("line").rgb()
        # One row of pixels for all: the grid is written once, not once for each row.
        plain, lit = (np.full(canvas.pixels.shape[1], c.rgb(), np.uint32) for c in self._grounds)
        for at in wish.grid:
            column = int(view.x_of(at) * self.ratio // 1)
            if column + hairline > 0:
                for ground in (plain, lit):
                    ground[max(0, column) : column + hairline] = rule

        def device(y: int) -> int:
            return round((y - view.top) * self.ratio)

        canvas.pixels[:] = plain
        below = device(rows[-1].y + rows[-1].height) if rows else 0
        canvas.rows(below, len(canvas.pixels), self._grounds[0].rgb())
        for row in rows:
            upper, lower = device(row.y), device(row.y + row.height)
            if row.is_header:
                canvas.rows(upper, lower, colors.color("bg").rgb())
            elif self._is_lit(row, wish):
                canvas.rows(upper, lower, lit)
            canvas.rows(lower - hairline, lower, rule)

    # -- bars ---------------------------------------------------------------------------------

    def _coded(self, runs: Runs, now_at: int) -> Runs:
        """Give each run its code: tint, and whether it is disputed or lies in the future."""
        code = runs.code + np.uint8(1)
        disputed = (self._columns.marks[runs.bar] & np.uint8(Mark.DISPUTED)) != 0
        future = self._columns.starts[runs.bar] > now_at
        code[future] += np.uint8(TINTS * FUTURE)
        code[disputed & ~future] += np.uint8(TINTS * DISPUTED)
        return replace(runs, code=code)

    def _pick_drawings(self, runs: Runs) -> NDArray[np.int64]:
        """Return the runs that the painter draws: dashed; the widest if there are too many."""
        wide = (runs.code > TINTS * FUTURE) & (runs.width >= 2 * RADIUS * self.ratio)
        picked = np.flatnonzero(wide)
        if len(picked) > DRAWINGS_MOST:
            order = np.argsort(-runs.width[picked], kind="stable")
            picked = np.sort(picked[order[:DRAWINGS_MOST]])
        return picked

    @staticmethod
    def _without(runs: Runs, picked: NDArray[np.int64]) -> Runs:
        if len(picked) == 0:
            return runs
        code = runs.code.copy()
        code[picked] = GAP
        return replace(runs, code=code)

    def _ends_of(self, runs: Runs) -> Ends:
        marks, joints = self._columns.marks[runs.bar], self._columns.joints[runs.bar]
        joined = (joints & np.uint8(Joint.BEFORE)) != 0
        assumed = (marks & np.uint8(Mark.ASSUMED)) != 0
        return Ends(
            joined=joined,
            ticked=joined & ((marks & np.uint8(Mark.RESTATED)) != 0),
            ragged=((marks & np.uint8(Mark.IMPRECISE)) != 0) & ~assumed & ~joined,
            fading=assumed & ~joined,
            runs_on=(joints & np.uint8(Joint.AFTER)) != 0,
        )

    def rect_of(self, lane: LaneRow, begin: float, end: float) -> QRectF:
        """Return the rectangle of device columns in a lane, in logical pixels."""
        scale = 1 / self.ratio
        top = (lane.top + self._bar_top()) * scale
        return QRectF(begin * scale, top, (end - begin) * scale, self._bar_height * scale)

    def drawing_of(self, frame: Frame, index: int) -> Drawing:
        """Return how a run of a frame is painted, whatever drew it before."""
        return self._drawing(frame.runs, index, frame.lanes)

    def _drawing(self, runs: Runs, index: int, lanes: Sequence[LaneRow]) -> Drawing:
        bar = int(runs.bar[index])
        marks, joints = int(self._columns.marks[bar]), int(self._columns.joints[bar])
        begin, end = float(runs.begin[index]), float(runs.end[index])
        beyond = _BEYOND * self.ratio
        is_cut = bool(runs.cut_left[index])
        start = Start.CRISP
        if joints & Joint.BEFORE:
            start = Start.JOINED
        elif not is_cut and marks & Mark.ASSUMED:
            start = Start.FADING
        elif not is_cut and marks & Mark.IMPRECISE:
            start = Start.RAGGED
        look = Look(
            tint=int(self._columns.tints[bar]),
            start=start,
            is_disputed=bool(marks & Mark.DISPUTED),
            is_future=int(runs.code[index]) > TINTS * FUTURE,
            has_tick=start is Start.JOINED and not is_cut and bool(marks & Mark.RESTATED),
            runs_on=bool(joints & Joint.AFTER),
        )
        if is_cut:  # by whole periods of the hatch, so that it does not move against the bar
            period = self.painter.hatch_side
            begin = -beyond // period * period + int(runs.origin[index]) % period - period
        if runs.cut_right[index]:
            end += beyond
        return Drawing(self.rect_of(lanes[int(runs.lane[index])], begin, end), look)

    def _labels_of(self, runs: Runs, lanes: Sequence[LaneRow]) -> tuple[Label, ...]:
        """Return the labels that fit; bars that join have one for all."""
        if len(runs) == 0:
            return ()
        joined = (self._columns.joints[runs.bar] & np.uint8(Joint.BEFORE)) != 0
        heads = np.ones(len(runs), np.bool_)
        same = (runs.lane[1:] == runs.lane[:-1]) & (runs.begin[1:] == runs.end[:-1])
        heads[1:] = ~(joined[1:] & same)
        first = np.flatnonzero(heads)
        end = runs.end[np.append(first[1:], len(runs)) - 1]
        width = end - runs.begin[first]
        wide = np.flatnonzero(width >= LABEL_LEAST * self.ratio)
        if len(wide) > LABELS_MOST:
            wide = np.sort(wide[np.argsort(-width[wide], kind="stable")[:LABELS_MOST]])
        labels = []
        for index, last in zip(first[wide].tolist(), end[wide].tolist(), strict=True):
            rect = self.rect_of(lanes[int(runs.lane[index])], int(runs.begin[index]), last)
            bar = int(runs.bar[index])
            is_disputed = int(self._columns.marks[bar]) & Mark.DISPUTED
            is_future = int(runs.code[index]) > TINTS * FUTURE
            look = Look(int(self._columns.tints[bar]), is_future=is_future)
            plate = self.painter.fill_of(look) if is_disputed else None
            labels.append(Label(rect, bar, plate))
        return tuple(labels)

    def _believed_of(self, lanes: Sequence[LaneRow], view: ViewState) -> tuple[QRectF, ...]:
        rects = []
        for lane in lanes:
            for bar in lane.lane.believed if lane.lane is not None else ():
                begin = max(-8.0, self.painter.snap(view.x_of(bar.valid_from)))
                end = self.width + 8.0
                if bar.valid_to is not None:
                    end = min(end, self.painter.snap(view.x_of(bar.valid_to)))
                if end <= 0 or begin >= self.width:
                    continue
                y = (lane.top + self._bar_top() + self._bar_height) / self.ratio + 1
                rects.append(QRectF(begin, y, max(end - begin, 2.0), BELIEVED_HEIGHT))
        return tuple(rects)

    def _image(self) -> QImage:
        """Return the picture without its margin; it is valid until the next frame is made."""
        canvas = self._canvas
        rows, columns = canvas.pixels.shape
        inner = canvas.pixels[canvas.pad : rows - canvas.pad]
        image = QImage(inner.data, columns, len(inner), 4 * columns, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self.ratio)
        return image
