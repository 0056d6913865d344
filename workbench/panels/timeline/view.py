"""The timeline panel: minimap, ruler, headers and lanes around one `ViewState`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPalette, QResizeEvent, QShowEvent, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollBar, QSizePolicy, QWidget

from store.temporal import EARLIEST, LATEST
from workbench import theme
from workbench.panels.timeline import accessible
from workbench.panels.timeline.canvas import LaneCanvas, Place
from workbench.panels.timeline.glide import Glide
from workbench.panels.timeline.headers import WIDTH, LaneHeaders
from workbench.panels.timeline.items import kept_top
from workbench.panels.timeline.minimap import HEIGHT as MINIMAP_HEIGHT
from workbench.panels.timeline.minimap import Minimap
from workbench.panels.timeline.ruler import HEIGHT as RULER_HEIGHT
from workbench.panels.timeline.ruler import Ruler, range_text
from workbench.panels.timeline.viewstate import ViewState
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.message_bar import MessageBar

if TYPE_CHECKING:
    from workbench.panels.timeline.items import LaneRows
    from workbench.panels.timeline.presenter import TimelinePresenter

_FLASH_MS: Final = 900
_LOW_PX: Final = 220
"""A view that is lower has more use for lanes than for the minimap."""
_DAY: Final = 86_400_000_000
_FIRST_SHARE: Final = 0.02  # of all bars, that may begin before or after what is shown at first


@dataclass(frozen=True, slots=True)
class Sight:
    """What is in view of the lanes, for a view that takes the place of another.

    Attributes:
        left, fraction, us_per_px, top: as in `ViewState`.
        collapsed: the subjects whose lanes are hidden.
    """

    left: int
    fraction: float
    us_per_px: float
    top: int
    collapsed: frozenset[str]


class _Corner(QLabel):
    """A cell left of minimap and ruler: which span of time is shown there."""

    def __init__(self, name: str, height: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setFixedHeight(height)
        self.setContentsMargins(12, 0, 8, 0)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colors = theme.current()
        painter.setClipRegion(event.region())
        painter.fillRect(self.rect(), colors.color("panel"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, colors.color("line"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), colors.color("line"))
        painter.setFont(theme.font("secondary"))
        painter.setPen(colors.color("dim"))
        room = self.contentsRect()
        text = painter.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


class TimelineView(QWidget):
    """Shows the lanes of a presenter.

    Signals:
        menu_requested: a context menu is wanted for the selection; carries the global position.
        action_chosen: a button of the empty state was pressed; carries the id of its action.
    """

    menu_requested = Signal(QPoint)
    action_chosen = Signal(str)

    def __init__(self, presenter: TimelinePresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        accessible.install()
        self._laid_out = presenter.rows
        self.setObjectName("timeline")
        self.presenter = presenter
        self.state = ViewState(self)
        self.glide = Glide(self.state, self)
        self.canvas = LaneCanvas(presenter, self.state, self.glide, self)
        self.headers = LaneHeaders(presenter, self.state, self.canvas, self)
        self.ruler = Ruler(presenter, self.state, self.canvas, self)
        self.minimap = Minimap(presenter, self.state, self)
        self.scroll_bar = QScrollBar(Qt.Orientation.Vertical, self)
        self.scroll_bar.setObjectName("timeline_scroll_bar")
        self.scroll_bar.setAccessibleName(self.tr("Scroll the lanes"))
        self.scroll_bar.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.busy_line = BusyLine.over(self)
        self.message_bar = MessageBar(presenter.messages, self)
        self.empty_state = EmptyState("chart-gantt", "", parent=self)
        self.empty_state.setObjectName("timeline_empty")
        self.empty_state.setAutoFillBackground(True)
        self.empty_state.setBackgroundRole(QPalette.ColorRole.Base)
        self.empty_state.action_chosen.connect(self.action_chosen)
        self._add_button = self.empty_state.add_button("fact.add", "", is_primary=True)
        self._import_buttons = {
            name: self.empty_state.add_button(name, "")
            for name in ("import.table", "import.zeroclaw")
        }
        self._clear_button = self.empty_state.add_button("view.clear_filters", "")
        self._extent_text = _Corner("timeline_extent", MINIMAP_HEIGHT, self)
        self._span_text = _Corner("timeline_span", RULER_HEIGHT, self)
        self._is_placed = False
        self._sight: Sight | None = None
        self._rows_in_view: tuple[int, int, LaneRows] | None = None
        self._clock = QTimer(self)
        self._flash_over = QTimer(self, singleShot=True, interval=_FLASH_MS)
        self.setFocusProxy(self.canvas)
        self._lay_out()
        self._connect()
        self._take_row_height()
        self._show_if_empty()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self.message_bar, 0, 0, 1, 3)
        cells = (
            (self._extent_text, self.minimap),
            (self._span_text, self.ruler),
            (self.headers, self.canvas),
        )
        for row, (left, right) in enumerate(cells, start=1):
            grid.addWidget(left, row, 0)
            grid.addWidget(right, row, 1)
        grid.addWidget(self.scroll_bar, 3, 2)
        grid.addWidget(self.empty_state, 1, 0, 3, 3)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(3, 1)
        self.minimap.setFixedHeight(MINIMAP_HEIGHT)
        self.ruler.setFixedHeight(RULER_HEIGHT)
        self.set_header_width(WIDTH)
        QWidget.setTabOrder(self.minimap, self.canvas)

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.outline_changed.connect(self._on_presenter_outline_changed)
        presenter.pages_changed.connect(self._on_presenter_pages_changed)
        presenter.density_changed.connect(self._on_presenter_density_changed)
        presenter.selection_changed.connect(self._on_presenter_selection_changed)
        presenter.reveal_wanted.connect(self.reveal_selection)
        presenter.area_selected.connect(self.canvas.update)
        presenter.as_of_changed.connect(self._on_presenter_as_of_changed)
        presenter.lanes_flashed.connect(self._on_presenter_lanes_flashed)
        presenter.loading_changed.connect(self._on_presenter_loading_changed)
        self.state.changed.connect(self._on_state_changed)
        self.scroll_bar.valueChanged.connect(self.state.scroll_to)
        self.headers.width_dragged.connect(self.set_header_width)
        self.canvas.cursor_changed.connect(self.headers.update)
        self.canvas.customContextMenuRequested.connect(self._on_canvas_menu_requested)
        self._clock.timeout.connect(self._on_clock_timeout)
        self._flash_over.timeout.connect(self._on_flash_over_timeout)
        theme.appearance().changed.connect(self._on_appearance_changed)

    # -- for the window -----------------------------------------------------------------------

    @Slot(int)
    def set_header_width(self, width: int) -> None:
        """Make the column of names so wide, in pixels."""
        for widget in (self.headers, self._extent_text, self._span_text):
            widget.setFixedWidth(width)

    @property
    def header_width(self) -> int:
        """The width of the column of names, in pixels."""
        return self.headers.width()

    def show_span(self, valid_from: int, valid_to: int) -> None:
        """Show a span of valid time; later data does not move it."""
        self._is_placed = True
        self.state.set_span(valid_from, valid_to)

    @Slot()
    def reveal_selection(self) -> None:
        """Bring the selected lane and bar into view; its group is opened for that."""
        position = self.presenter.selected_position
        if position is not None:
            rows = self.presenter.rows
            subject = rows.outline[rows.subject_of(position)].subject
            self.presenter.set_collapsed(subject, is_collapsed=False)
        self.canvas.reveal_selection()

    def sight(self) -> Sight | None:
        """Return what is in view; None before anything is."""
        if not self._is_placed:
            return self._sight
        state = self.state
        return Sight(
            state.left, state.fraction, state.us_per_px, state.top, self.presenter.collapsed
        )

    def take_sight(self, sight: Sight | None) -> None:
        """Show what another view showed, as soon as it is read; nothing else is revealed."""
        self._sight = sight
        if sight is not None:
            self.presenter.come_back(sight.collapsed)

    def fit(self) -> None:
        """Fit the selection; if it is fitted, everything."""
        self.canvas.fit()

    def fit_all(self) -> None:
        """Show the whole extent."""
        self.canvas.fit_all()

    def zoom_in(self) -> None:
        """Show a shorter time, as the key W does."""
        self.canvas.move_by_place(Place.W)

    def zoom_out(self) -> None:
        """Show a longer time, as the key S does."""
        self.canvas.move_by_place(Place.S)

    def pan_left(self) -> None:
        """Show an earlier time, as the key A does."""
        self.canvas.move_by_place(Place.A)

    def pan_right(self) -> None:
        """Show a later time, as the key D does."""
        self.canvas.move_by_place(Place.D)

    # -- following ----------------------------------------------------------------------------

    @Slot()
    def _on_state_changed(self) -> None:
        """Let everything follow; Qt joins the updates of one turn to one paint."""
        grid = self.ruler.follow(self.presenter.clock())
        self.canvas.set_grid(grid)
        self.canvas.forget_frame()
        rows_in_view = (self.state.top, self.state.height, self.presenter.rows)
        if rows_in_view != self._rows_in_view:
            self._rows_in_view = rows_in_view
            self.headers.update()
        self.minimap.update()
        self._span_text.setText(range_text(*self.state.span))
        self._follow_scroll()
        self._ask_lanes_in_view()
        self._pace_clock()

    def _follow_scroll(self) -> None:
        bar, state = self.scroll_bar, self.state
        was_blocked = bar.blockSignals(True)
        bar.setRange(0, state.top_most)
        bar.setPageStep(state.height)
        bar.setSingleStep(self.presenter.rows.lane_height)
        bar.setValue(state.top)
        bar.blockSignals(was_blocked)

    def _ask_lanes_in_view(self) -> None:
        state = self.state
        rows = self.presenter.rows.between(state.top, state.top + state.height)
        self.presenter.show_lanes([row.position for row in rows if row.position is not None])

    def _take_row_height(self) -> None:
        self.presenter.set_lane_height(theme.appearance().row_height("lane"))
        self._on_presenter_outline_changed()

    @Slot()
    def _on_presenter_outline_changed(self) -> None:
        """Lay the rows out anew; the uppermost row in view stays where it is."""
        before, after = self._laid_out, self.presenter.rows
        self._laid_out = after
        is_at_rest = self.state.top > 0 or self.presenter.selection is not None
        top = kept_top(before, after, self.state.top) if is_at_rest else 0
        if self._sight is not None and not before.outline:
            top = self._sight.top
            if self._is_placed and after.outline:
                self._sight = None
        self.state.set_content_height(after.height)
        self.state.scroll_to(min(top, self.state.top_most))
        self._on_state_changed()

    @Slot(bool)
    def _on_presenter_loading_changed(self, is_loading: bool) -> None:
        self.busy_line.set_busy(is_loading)
        self._show_if_empty()

    def _show_if_empty(self) -> None:
        """Say what belongs here while there is nothing."""
        presenter = self.presenter
        if presenter.has_filter:
            self.empty_state.set_text(
                self.tr("No fact fits the filter."), self.tr("Clear the filter to see all facts.")
            )
        else:
            self.empty_state.set_text(
                self.tr("Facts appear here as bars over the time in which they hold."),
                self.tr("Add a first fact, or import what was remembered elsewhere."),
            )
        self._add_button.setText(self.tr("Add a fact…"))
        self._import_buttons["import.table"].setText(self.tr("Import a table…"))
        self._import_buttons["import.zeroclaw"].setText(self.tr("Import ZeroClaw memory…"))
        for button in (self._add_button, *self._import_buttons.values()):
            button.setVisible(not presenter.has_filter)
        self._clear_button.setText(self.tr("Clear all filters"))
        self._clear_button.setVisible(presenter.has_filter)
        self.empty_state.setVisible(presenter.is_empty and not presenter.is_loading)
        self.empty_state.raise_()
        self.busy_line.raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold(is_low=self.height() < _LOW_PX)

    def _fold(self, *, is_low: bool) -> None:
        """Leave the minimap out where there is hardly room for lanes."""
        if is_low != self.minimap.isHidden():
            if self.minimap.hasFocus():
                self.canvas.setFocus()
            self.minimap.setHidden(is_low)
            self._extent_text.setHidden(is_low)

    @Slot()
    def _on_presenter_pages_changed(self) -> None:
        self.canvas.forget_frame()
        self.headers.update()

    @Slot()
    def _on_presenter_density_changed(self) -> None:
        density, extent = self.presenter.density, self.presenter.extent
        self.minimap.forget_density()
        self._bound()
        if extent is None:
            self._extent_text.setText("")
            self._is_placed = False  # another record: it is shown from its own beginning
            return
        self._extent_text.setText(range_text(*extent))
        is_known = density.valid_to > density.valid_from and not self.presenter.is_extent_due
        if not self._is_placed and is_known:
            self._is_placed = True
            self._place()

    def _place(self) -> None:
        """Show a record for the first time: from where it was left, or by its beginnings."""
        sight = self._sight
        if self._laid_out.outline:
            self._sight = None  # before the lanes are there, its height is still to be taken
        if sight is None:
            self.state.show_span(*self._first_span())
            return
        self.state.look_at(sight.left, sight.fraction, sight.us_per_px)
        self.state.scroll_to(sight.top)

    def _bound(self) -> None:
        """Let nobody pan to where there is nothing."""
        self.state.set_bounds(*(self.presenter.room or (EARLIEST, LATEST)))

    def _first_span(self) -> tuple[int, int]:
        """Return what is shown at first: where nearly all bars begin, and now if it is near.

        Where a filter leaves a few of them, now is near if it is near the whole record.
        """
        density = self.presenter.density
        begins, ends = density.valid_from, density.valid_to
        total = sum(density.counts)
        step = (ends - begins) / max(1, len(density.counts))
        seen, first, last = 0, 0, len(density.counts)
        for bucket, count in enumerate(density.counts):
            if seen <= total * _FIRST_SHARE:
                first = bucket
            seen += count
            if seen < total * (1 - _FIRST_SHARE):
                last = bucket + 2
        span = begins + int(first * step), begins + int(min(last, len(density.counts)) * step)
        now = self.presenter.clock()
        across = max(span[1] - span[0], _DAY)
        extent = self.presenter.extent
        is_part = self.presenter.has_filter and extent is not None and extent[0] <= now <= extent[1]
        if is_part or span[0] - across // 4 <= now <= span[1] + 3 * across:
            return min(span[0], now), max(span[1], now + across // 8)
        return span[0], span[0] + across

    @Slot()
    def _on_presenter_selection_changed(self) -> None:
        self._on_presenter_pages_changed()
        accessible.tell_focus(self.canvas)

    @Slot()
    def _on_presenter_as_of_changed(self) -> None:
        self._bound()
        self.canvas.forget_frame()
        self.ruler.update()

    @Slot(object)
    def _on_presenter_lanes_flashed(self, keys: frozenset[object]) -> None:
        positions = [
            lane.row.position
            for lane in self.canvas.frame.lanes
            if lane.lane is not None and lane.lane.key in keys and lane.row.position is not None
        ]
        self.canvas.set_flashed(frozenset(positions))
        self._flash_over.start()

    @Slot()
    def _on_flash_over_timeout(self) -> None:
        self.canvas.set_flashed(frozenset())

    @Slot(QPoint)
    def _on_canvas_menu_requested(self, at: QPoint) -> None:
        self.menu_requested.emit(self.canvas.mapToGlobal(at))

    @Slot()
    def _on_appearance_changed(self) -> None:
        self.canvas.forget_look()
        self._take_row_height()
        self.minimap.forget_density()
        for widget in (self.ruler, self._extent_text, self._span_text):
            widget.update()

    # -- the present --------------------------------------------------------------------------

    def _pace_clock(self) -> None:
        """Wake up only as often as the now line moves by a pixel, and not when out of sight."""
        self._clock.setInterval(round(min(max(self.state.us_per_px / 1000, 1000), 60_000)))
        if self.isVisible() and not self._clock.isActive():
            self._clock.start()

    @Slot()
    def _on_clock_timeout(self) -> None:
        now_at = self.presenter.clock()
        self._bound()
        self.canvas.set_now(now_at)
        self.ruler.follow(now_at)
        self.minimap.update()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._on_clock_timeout()
        self._pace_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._on_state_changed()
            self._on_presenter_density_changed()
            self._show_if_empty()
        super().changeEvent(event)
