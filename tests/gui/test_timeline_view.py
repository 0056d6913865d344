"""What a person does with the timeline: keys, wheel, drags, selection, brush, and what they see."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QKeyEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication

from store.query import Bar, LaneFilter, Mark
from store.temporal import AsOf
from tests.timeline_lanes import DAY, Source, at, bar, lane, many, sample
from workbench import theme
from workbench.panels.timeline.canvas import Hit, Place, place_of
from workbench.panels.timeline.frame import FrameMaker, Wish
from workbench.panels.timeline.items import GROUP_HEIGHT
from workbench.panels.timeline.minimap import Grip
from workbench.panels.timeline.presenter import Question, TimelinePresenter
from workbench.panels.timeline.view import Sight, TimelineView
from workbench.panels.timeline.viewstate import ViewState
from workbench.widgets.lanes import (
    BarPainter,
    LaneStrip,
    Look,
    Start,
    StripLane,
    axis_bounds,
    joins,
    looks_of,
)

NOW = at("2026-06-24")
MAY_18, JULY_6 = at("2026-05-18"), at("2026-07-06")
LANE = 30


@pytest.fixture(params=["light"])
def dressed(qapp, request):
    """Dress the application; movement is off, so that what keys do is done at once."""
    theme.apply_theme(qapp, theme.load_theme(request.param))
    theme.appearance().set_reduced_motion(True)
    yield
    theme.appearance().set_reduced_motion(False)
    theme.appearance().set_density("normal")


def make(qtbot, lanes, *, clock=lambda: NOW):
    presenter = TimelinePresenter(clock=clock)
    view = TimelineView(presenter)
    presenter.setParent(view)
    qtbot.addWidget(view)
    view.resize(1000, 480)
    view.show()
    presenter.set_source(Source(lanes))
    view.show_span(MAY_18, JULY_6)
    view.canvas.setFocus()
    return view


@pytest.fixture
def view(qtbot, dressed):
    return make(qtbot, sample())


def lane_y(view, position):
    rows = view.presenter.rows
    row = rows.row(rows.number_of(rows.subject_of(position), position))
    return row.y - view.state.top + row.height // 2


def point(view, instant, position):
    return QPoint(round(view.state.x_of(at(instant))), lane_y(view, position))


def press(qtbot, view, key, modifier=Qt.KeyboardModifier.NoModifier):
    qtbot.keyClick(view.canvas, key, modifier)


def drag(qtbot, widget, first, last, *, modifier=Qt.KeyboardModifier.NoModifier, button=None):
    button = button or Qt.MouseButton.LeftButton
    qtbot.mousePress(widget, button, modifier, first)
    middle = QPoint((first.x() + last.x()) // 2, (first.y() + last.y()) // 2)
    qtbot.mouseMove(widget, middle)
    qtbot.mouseMove(widget, last)
    qtbot.mouseRelease(widget, button, modifier, last)


def wheel(widget, x, steps, modifier=Qt.KeyboardModifier.NoModifier, *, across=0):
    where = QPointF(x, 100)
    event = QWheelEvent(
        where, widget.mapToGlobal(where), QPoint(), QPoint(across * 120, steps * 120),
        Qt.MouseButton.NoButton, modifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


# --- looking ----------------------------------------------------------------------------------


def colors_of(image):
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[:, :, :3]


def color_at(view, instant, position):
    image = view.canvas.grab().toImage()
    where = point(view, instant, position)
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(where.x() * ratio), round(where.y() * ratio) + 5)


def test_bars_stand_where_they_hold_and_gaps_are_empty(view):
    colors = theme.current()
    tints = {colors.bar_color(n).name() for n in range(8)}
    assert color_at(view, "2026-05-20", 0).name() in tints
    assert color_at(view, "2026-06-07", 0) == colors.color("panel")
    assert color_at(view, "2026-06-20", 0).name() in tints
    assert color_at(view, "2026-06-20", 2) == colors.color("panel")


def test_bars_begin_in_the_pixel_of_their_instant(view):
    for us_per_px in (view.state.us_per_px, 1e9, 7e5, 0.5):
        view.state.look_at(at("2026-06-09") - round(200 * us_per_px), 0.0, us_per_px)
        runs = view.canvas.frame.runs
        index = view.canvas._run_of(0, 1)
        ratio = view.canvas.devicePixelRatioF()
        assert int(runs.begin[index]) == int(view.state.x_of(at("2026-06-09")) * ratio // 1)


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
@pytest.mark.parametrize(
    ("marks", "start"),
    [(0, Start.CRISP), (Mark.IMPRECISE, Start.RAGGED), (Mark.ASSUMED, Start.FADING),
     (Mark.DISPUTED, Start.CRISP)],
)  # fmt: skip
def test_the_raster_draws_bars_as_the_painter_does(qapp, name, ratio, marks, start):
    theme.apply_theme(qapp, theme.load_theme(name))
    painter = BarPainter(theme.current(), theme.font("secondary"), ratio=ratio)
    state = ViewState()
    state.resize(400, 60)
    state.set_span(0, 400 * 1000)
    presenter = TimelinePresenter(clock=lambda: 10**9)
    presenter.set_source(Source([lane("a", "b")]))
    presenter._source.lanes_held = [
        lane("a", "b")._replace(bars=(Bar(100_000, 300_000, "m", '"x"', int(marks)),))
    ]
    presenter.refresh()
    presenter.show_lanes([0])
    maker = FrameMaker(painter, width=400, height=60, lane_height=LANE)
    frame = maker.make(presenter, state, Wish(10**9))
    expected = QImage(frame.image.size(), QImage.Format.Format_RGB32)
    expected.setDevicePixelRatio(ratio)
    expected.fill(theme.current().color("panel"))
    rect = maker.rect_of(frame.lanes[0], 100 * ratio, 300 * ratio)
    brush = QPainter(expected)
    tint = int(frame.columns.tints[0])
    look = Look(tint, start, is_disputed=bool(marks & Mark.DISPUTED))
    painter.paint_bar(brush, rect, look)
    brush.end()
    upper, lower = (round(y * ratio) for y in (rect.top(), rect.bottom()))
    one, other = (
        np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[
            upper:lower, :, :3
        ]
        for image in (frame.image, expected)
    )
    apart = np.abs(one.astype(int) - other.astype(int)).max(axis=2) > 24
    # A hatch may meet the rounded corners in a few pixels more or less.
    assert apart.sum() <= (16 * ratio**2 if marks & Mark.DISPUTED else 0)


def test_the_frame_of_a_bar_in_the_future_is_dashed(view):
    assert [drawing.look.is_future for drawing in view.canvas.frame.drawings] == [True]


def test_labels_are_cut_and_never_leave_their_bar(qapp, dressed):
    painter = BarPainter(theme.current(), theme.font("secondary"), ratio=1.0)
    image = QImage(300, 20, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    brush = QPainter(image)
    bar_rect = QRectF(50, 0, 90, 20)
    painter.paint_label(brush, bar_rect, '"a very long value that cannot fit"', plate=None)
    painter.paint_label(brush, QRectF(200, 0, 30, 20), '"x"', plate=None)
    brush.end()
    inked = (
        np.frombuffer(image.constBits(), np.uint8).reshape(20, 300, 4)[:, :, :3].min(axis=(0, 2))
    )
    columns = np.flatnonzero(inked < 200)
    assert columns.min() >= 58
    assert columns.max() < 140 - 7
    assert painter.elided('"a very long value that cannot fit"', 74).endswith("…")
    assert painter.elided('"short"', 74) == "short"


def test_joined_bars_have_one_label(qtbot, dressed):
    first = bar("2026-05-20", "2026-06-01", "x", memory_id="m")
    again = bar("2026-06-01", None, "x", memory_id="m", marks=Mark.RESTATED)
    view = make(qtbot, [lane("a", "b", first, again)])
    assert len(view.canvas.frame.labels) == 1
    assert joins(first, again)
    assert [look.has_tick for look in looks_of([first, again], NOW)] == [False, True]


def test_unread_lanes_are_quiet_places(qtbot, dressed):
    view = make(qtbot, sample())
    source = Source(many(40), holds=True)
    view.presenter.set_source(source)
    source.answer("outline")
    assert view.canvas.frame.lanes[0].lane is None
    view.canvas.grab()
    view.headers.grab()
    assert view.headers.words_at(GROUP_HEIGHT + 5) == "Being read."


def test_an_empty_store_says_what_belongs_here(view):
    assert not view.empty_state.isVisible()
    view.presenter.set_source(Source([]))
    assert view.empty_state.isVisible()
    view.presenter.set_source(Source(sample()))
    assert not view.empty_state.isVisible()


def test_a_failed_read_is_said_in_place(view):
    view.presenter._source.problem = "The file is locked."
    view.presenter.refresh()
    assert view.message_bar.isVisible()


def test_another_known_at_is_said_in_colour_and_words(view):
    before = view.canvas.grab().toImage()
    known_at = datetime(2026, 6, 12, tzinfo=UTC)
    view.presenter.set_question(Question(as_of=AsOf(known_at=known_at)))
    after = view.canvas.grab().toImage()
    assert before.pixelColor(1, 200) != after.pixelColor(1, 200) == theme.current().color("warn")


@pytest.mark.parametrize("density", ["compact", "normal", "roomy"])
def test_rows_follow_the_density(view, density):
    theme.appearance().set_density(density)
    height = {"compact": 22, "normal": 30, "roomy": 38}[density]
    assert view.presenter.rows.lane_height == height
    assert view.canvas.frame.bar_height == (14 if density == "compact" else 20)


def test_themes_change_at_once(view, qapp):
    light = view.canvas.grab().toImage().pixelColor(500, 300)
    theme.apply_theme(qapp, theme.load_theme("dark"))
    assert view.canvas.grab().toImage().pixelColor(500, 300) != light


# --- mouse ------------------------------------------------------------------------------------


def test_a_click_selects_a_bar_a_lane_or_nothing(qtbot, view):
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=point(view, "2026-05-25", 0))
    assert view.presenter.selection.memory_id.startswith("Lisbon")
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=point(view, "2026-06-07", 0))
    assert view.presenter.selection.key.attribute == "home_city"
    assert view.presenter.selection.memory_id is None
    qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=QPoint(300, 470))
    assert view.presenter.selection is None


def test_a_double_click_opens_the_fact(qtbot, view):
    with qtbot.waitSignal(view.presenter.fact_activated) as heard:
        where = point(view, "2026-06-20", 0)
        qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=where)
    assert heard.args == ["Porto@2026-06-09"]


def test_a_right_click_selects_and_asks_for_the_menu(qtbot, view):
    where = point(view, "2026-06-20", 0)
    qtbot.mousePress(view.canvas, Qt.MouseButton.RightButton, pos=where)
    assert view.presenter.selection.memory_id.startswith("Porto")
    with qtbot.waitSignal(view.menu_requested):
        view.canvas.customContextMenuRequested.emit(where)


def test_a_drag_selects_whole_lanes_and_a_span(qtbot, view):
    first, last = point(view, "2026-05-22", 0), point(view, "2026-06-01", 1)
    with qtbot.waitSignal(view.presenter.area_selected) as heard:
        drag(qtbot, view.canvas, first, last)
    area = heard.args[0]
    assert (area.first, area.last) == (0, 2)
    assert abs(area.valid_from - at("2026-05-22")) <= view.state.us_per_px
    assert abs(area.valid_to - at("2026-06-01")) <= view.state.us_per_px
    rect = view.canvas.area_rect()
    assert rect.height() == 2 * LANE
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.presenter.area is None


@pytest.mark.parametrize(
    ("modifier", "button"),
    [
        (Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.LeftButton),
        (Qt.KeyboardModifier.NoModifier, Qt.MouseButton.MiddleButton),
    ],
)
def test_a_drag_with_shift_or_the_middle_button_pans(qtbot, view, modifier, button):
    left = view.state.left
    drag(qtbot, view.canvas, QPoint(300, 300), QPoint(200, 300), modifier=modifier, button=button)
    moved = (view.state.left - left) / view.state.us_per_px
    assert abs(moved - 100) < 0.01


def test_the_now_line_is_dragged_into_a_valid_at_bar_and_back(qtbot, view):
    now_x = round(view.state.x_of(NOW))
    asked = []
    view.presenter.valid_at_changed.connect(asked.append)
    qtbot.mousePress(view.canvas, Qt.MouseButton.LeftButton, pos=QPoint(now_x, 400))
    qtbot.mouseMove(view.canvas, QPoint(now_x - 120, 400))
    qtbot.mouseRelease(view.canvas, Qt.MouseButton.LeftButton, pos=QPoint(now_x - 120, 400))
    assert asked[-1] == view.state.instant_at(now_x - 120)
    instant = datetime.fromtimestamp(asked[-1] / 1e6, UTC)
    view.presenter.set_question(Question(as_of=AsOf(valid_at=instant)))
    image = view.canvas.grab().toImage()
    assert image.pixelColor(now_x - 120, 400) == theme.current().color("accent")
    drag(qtbot, view.ruler, QPoint(now_x - 120, 14), QPoint(now_x, 14))
    assert asked[-1] is None


def test_the_pill_of_a_now_out_of_view_leads_back(qtbot, view):
    view.show_span(at("2025-01-01"), at("2025-03-01"))
    assert view.state.x_of(NOW) > view.state.width
    view.ruler.grab()
    qtbot.mouseClick(view.ruler, Qt.MouseButton.LeftButton, pos=QPoint(view.ruler.width() - 20, 14))
    assert 0 <= view.state.x_of(NOW) <= view.state.width


def test_the_ruler_pans(qtbot, view):
    left = view.state.left
    drag(qtbot, view.ruler, QPoint(300, 14), QPoint(340, 14))
    assert view.state.left < left


def test_the_wheel_scrolls_zooms_and_pans(qtbot, dressed):
    view = make(qtbot, many(200))
    wheel(view.canvas, 300, -1)
    assert view.state.top == 3 * LANE
    assert view.scroll_bar.value() == 3 * LANE
    under, scale = view.state.instant_at(300), view.state.us_per_px
    wheel(view.canvas, 300, 2, Qt.KeyboardModifier.ControlModifier)
    assert view.state.us_per_px < scale
    assert abs(view.state.instant_at(300) - under) <= 1
    left = view.state.left
    wheel(view.canvas, 300, -1, Qt.KeyboardModifier.ShiftModifier)
    assert view.state.left > left
    wheel(view.canvas, 300, 0, across=-1)
    assert view.state.top == 3 * LANE
    wheel(view.headers, 20, 1)
    assert view.state.top == 0


def test_the_scroll_bar_scrolls(qtbot, dressed):
    view = make(qtbot, many(200))
    view.scroll_bar.setValue(900)
    assert view.state.top == 900
    assert view.scroll_bar.maximum() == view.presenter.rows.height - view.canvas.height()


def test_hovering_lights_a_bar_and_tells_it_exactly(qtbot, view):
    qtbot.mouseMove(view.canvas, point(view, "2026-06-20", 1))
    assert view.canvas._hover == Hit(1, 4)
    assert view.canvas.bar_words(view.canvas._hover).splitlines() == [
        "mira / passport_deadline",
        "2026-06-30",
        "since 3 Jun 2026 10:00 (UTC)",
        "disputed",
    ]
    QApplication.sendEvent(view.canvas, QEvent(QEvent.Type.Leave))
    assert view.canvas._hover is None


def test_headers_collapse_and_select(qtbot, view):
    qtbot.mouseClick(view.headers, Qt.MouseButton.LeftButton, pos=QPoint(40, GROUP_HEIGHT + 45))
    assert view.presenter.selection.key.attribute == "passport_deadline"
    qtbot.mouseClick(view.headers, Qt.MouseButton.LeftButton, pos=QPoint(40, 10))
    assert view.presenter.rows.is_collapsed(0)
    view.headers.grab()
    assert view.headers.words_at(10) == "mira\n1 open conflict(s)"
    qtbot.mouseClick(
        view.headers, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, QPoint(40, 10)
    )
    assert not view.presenter.rows.is_collapsed(0)


def test_the_border_of_the_headers_is_dragged(qtbot, view):
    width = view.header_width
    drag(qtbot, view.headers, QPoint(width - 2, 200), QPoint(width + 60, 200))
    assert view.header_width == width + 60
    qtbot.waitUntil(lambda: view.ruler.x() == view.canvas.x() == width + 60)


# --- keys -------------------------------------------------------------------------------------


def test_arrows_move_between_rows_and_bars(qtbot, view):
    press(qtbot, view, Qt.Key.Key_Down)
    assert view.canvas.header_cursor == 0
    press(qtbot, view, Qt.Key.Key_Down)
    assert view.canvas.header_cursor is None
    assert view.presenter.selected_position == 0
    press(qtbot, view, Qt.Key.Key_Right)
    assert view.presenter.selection.memory_id.startswith("Porto")
    press(qtbot, view, Qt.Key.Key_Down)
    assert view.presenter.selected_position == 1
    assert view.presenter.selection.memory_id.startswith("2026-06-30"), "what holds then"
    press(qtbot, view, Qt.Key.Key_Left)
    press(qtbot, view, Qt.Key.Key_Comma)
    press(qtbot, view, Qt.Key.Key_Comma)
    assert view.presenter.selection.memory_id.startswith("2026-08-01")
    press(qtbot, view, Qt.Key.Key_Period)
    assert view.presenter.selection.memory_id.startswith("2026-07-15")
    press(qtbot, view, Qt.Key.Key_End)
    assert view.presenter.selection.memory_id.startswith("2026-06-30")
    press(qtbot, view, Qt.Key.Key_Home)
    assert view.presenter.selection.memory_id.startswith("2026-08-01")


def test_header_rows_collapse_by_keys(qtbot, view):
    press(qtbot, view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert view.canvas.header_cursor == 0
    press(qtbot, view, Qt.Key.Key_Left)
    assert view.presenter.rows.is_collapsed(0)
    press(qtbot, view, Qt.Key.Key_Right)
    assert not view.presenter.rows.is_collapsed(0)
    press(qtbot, view, Qt.Key.Key_Return)
    assert view.presenter.rows.is_collapsed(0)
    press(qtbot, view, Qt.Key.Key_Down)
    assert view.canvas.header_cursor == 1
    press(qtbot, view, Qt.Key.Key_Down)
    assert view.presenter.selected_position == 3
    view.headers.grab()


def test_pages_and_ends_by_keys_scroll_along(qtbot, dressed):
    view = make(qtbot, many(400))
    press(qtbot, view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert view.presenter.selected_position == 399
    assert view.state.top == view.state.top_most
    press(qtbot, view, Qt.Key.Key_PageUp)
    assert view.presenter.selected_position < 399
    press(qtbot, view, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert view.state.top == 0
    press(qtbot, view, Qt.Key.Key_PageDown)
    press(qtbot, view, Qt.Key.Key_PageDown)
    row = view.presenter.rows.row(view.canvas.cursor_row())
    assert view.state.top + GROUP_HEIGHT <= row.y <= view.state.top + view.canvas.height() - LANE


def test_letters_zoom_and_pan(qtbot, view):
    scale, left = view.state.us_per_px, view.state.left
    press(qtbot, view, Qt.Key.Key_D)
    assert view.state.left > left
    press(qtbot, view, Qt.Key.Key_A)
    assert abs(view.state.left - left) <= 1
    press(qtbot, view, Qt.Key.Key_W)
    assert view.state.us_per_px < scale
    press(qtbot, view, Qt.Key.Key_S)
    assert view.state.us_per_px == pytest.approx(scale)
    for act, key in ((view.zoom_in, "W"), (view.zoom_out, "S")):
        act()
        assert (view.state.us_per_px < scale * 0.9) is (key == "W")
    view.pan_right()
    view.pan_left()
    assert abs(view.state.left - left) <= 1


def test_letters_go_by_their_place_on_the_keyboard(monkeypatch):
    # The key right of Tab on a French keyboard: it says A, and stands where Q is; W is below.
    monkeypatch.setattr("sys.platform", "linux")
    kind = QEvent.Type.KeyPress
    none = Qt.KeyboardModifier.NoModifier

    def key(letter, code):
        return QKeyEvent(kind, letter, none, code, 0, 0, "x")

    assert place_of(key(Qt.Key.Key_Z, 25)) is Place.W
    assert place_of(key(Qt.Key.Key_W, 52)) is None
    assert place_of(key(Qt.Key.Key_D, 0)) is Place.D


def test_own_letters_are_not_left_to_shortcuts(view):
    for key, expected in ((Qt.Key.Key_W, True), (Qt.Key.Key_F, True), (Qt.Key.Key_N, False)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier, "x")
        event.ignore()
        QApplication.sendEvent(view.canvas, event)
        assert event.isAccepted() is expected


def test_f_fits_the_selection_then_everything(qtbot, view):
    view.presenter.select_bar(1, 3)
    press(qtbot, view, Qt.Key.Key_F)
    begins, ends = at("2026-06-01T09:00"), at("2026-06-03T10:00")
    assert view.state.left < begins
    assert ends < view.state.right
    assert (ends - begins) / view.state.us_per_px > view.state.width * 0.6
    press(qtbot, view, Qt.Key.Key_F)
    density = view.presenter.density
    assert view.state.left <= density.valid_from
    assert density.valid_to <= view.state.right


def test_all_of_the_record_reaches_to_now_where_something_still_holds(qtbot, dressed):
    ended = bar("2026-05-30", "2026-06-01", "2026-08-01")
    view = make(qtbot, [lane("mira", "passport_deadline", ended)])
    view.fit_all()
    assert view.state.right < NOW
    still = bar("2026-06-01", None, "2026-06-30")
    view.presenter.set_source(Source([lane("mira", "passport_deadline", ended, still)]))
    view.fit_all()
    assert view.state.left <= at("2026-05-30")
    assert view.state.right >= NOW


def test_the_interval_that_is_stepped_to_comes_into_view(qtbot, view):
    view.presenter.select_bar(0, 1)
    view.show_span(at("2027-01-01"), at("2027-03-01"))
    press(qtbot, view, Qt.Key.Key_Comma)
    end = view.state.x_of(at("2026-06-05"))
    assert end > 0
    assert view.state.x_of(at("2026-03-01")) < view.state.width


def test_what_another_panel_selected_comes_into_view(qtbot, dressed):
    view = make(qtbot, many(600))
    target = view.presenter._source.lanes_held[550]
    view.presenter.set_collapsed(target.key.subject, is_collapsed=True)
    view.presenter.select_fact(target.key, target.bars[1].memory_id, target.bars[1].valid_from)
    assert view.presenter.selected_position == 550
    row = view.presenter.rows.row(view.canvas.cursor_row())
    assert view.state.top < row.y < view.state.top + view.canvas.height()
    assert view.state.left < target.bars[1].valid_from < view.state.right


def test_escape_clears_the_area_first_then_the_selection(qtbot, view):
    view.presenter.select_bar(0, 0)
    view.presenter.select_area(MAY_18, JULY_6, 0, 2)
    press(qtbot, view, Qt.Key.Key_Escape)
    assert view.presenter.area is None
    assert view.presenter.selection is not None
    press(qtbot, view, Qt.Key.Key_Escape)
    assert view.presenter.selection is None


def test_an_area_grows_by_keys(qtbot, view):
    view.presenter.select_bar(1, 3)
    shift = Qt.KeyboardModifier.ShiftModifier
    press(qtbot, view, Qt.Key.Key_Down, shift)
    assert view.presenter.area[:4] == (at("2026-06-01T09:00"), at("2026-06-03T10:00"), 1, 2)
    press(qtbot, view, Qt.Key.Key_Down, shift)
    press(qtbot, view, Qt.Key.Key_Right, shift)
    assert view.presenter.area.last == 3
    assert view.presenter.area.valid_to > at("2026-06-03T10:00")
    press(qtbot, view, Qt.Key.Key_Up, shift)
    press(qtbot, view, Qt.Key.Key_Up, shift)
    assert (view.presenter.area.first, view.presenter.area.last) == (0, 2)


def test_movement_takes_its_time_and_arrives(qtbot, view):
    theme.appearance().set_reduced_motion(False)
    scale = view.state.us_per_px
    press(qtbot, view, Qt.Key.Key_W)
    aim = view.glide.target
    assert view.state.us_per_px == scale, "not at once"
    press(qtbot, view, Qt.Key.Key_W)
    assert view.glide.target.us_per_px < aim.us_per_px, (
        "the second starts from where the first leads"
    )
    goal = view.glide.target
    qtbot.waitUntil(lambda: view.glide.is_at(goal) and view.state.us_per_px == goal.us_per_px)
    assert abs(view.state.left - goal.left) <= 1


# --- minimap ----------------------------------------------------------------------------------


def test_the_brush_is_what_is_in_view(view):
    brush = view.minimap.brush_rect()
    assert abs(view.minimap.instant_at(brush.left()) - MAY_18) < 2 * DAY
    assert abs(view.minimap.instant_at(brush.right()) - JULY_6) < 2 * DAY


def test_handles_resize_and_the_inside_moves(qtbot, view):
    minimap = view.minimap
    brush = minimap.brush_rect()
    y = minimap.height() // 2
    left, right = view.state.span
    end = QPoint(round(brush.right()), y)
    drag(qtbot, minimap, end, end + QPoint(40, 0))
    assert view.state.right > right
    assert abs(view.state.left - left) < DAY / 10
    scale = view.state.us_per_px
    middle = minimap.brush_rect().center().toPoint()
    drag(qtbot, minimap, middle, middle - QPoint(60, 0))
    assert view.state.left < left
    assert view.state.us_per_px == pytest.approx(scale)
    start = QPoint(round(minimap.brush_rect().left()), y)
    drag(qtbot, minimap, start, start + QPoint(20, 0))
    assert view.state.us_per_px < scale


def test_a_click_beside_the_brush_jumps(qtbot, view):
    target = view.minimap.instant_at(30)
    qtbot.mouseClick(view.minimap, Qt.MouseButton.LeftButton, pos=QPoint(30, 20))
    left, right = view.state.span
    assert left < target < right


def test_a_thin_brush_can_still_be_held(view):
    view.show_span(at("2026-06-01"), at("2026-06-01") + 1000)
    brush = view.minimap.brush_rect()
    assert brush.width() >= 8
    x = brush.center().x()
    assert view.minimap.grip_at(x) is Grip.INSIDE
    assert view.minimap.grip_at(brush.left() - 3) is Grip.LEFT
    assert view.minimap.grip_at(brush.right() + 3) is Grip.RIGHT


def test_the_brush_obeys_keys(qtbot, view):
    minimap, state = view.minimap, view.state
    minimap.setFocus()
    left, right = state.span
    qtbot.keyClick(minimap, Qt.Key.Key_Right)
    assert state.left > left
    qtbot.keyClick(minimap, Qt.Key.Key_Left)
    assert abs(state.left - left) < 1000
    qtbot.keyClick(minimap, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert state.right > right
    qtbot.keyClick(minimap, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert state.left > left
    scale = state.us_per_px
    qtbot.keyClick(minimap, Qt.Key.Key_Up)
    assert state.us_per_px < scale
    qtbot.keyClick(minimap, Qt.Key.Key_Down)
    qtbot.keyClick(minimap, Qt.Key.Key_Home)
    assert state.left == minimap.extent[0]
    qtbot.keyClick(minimap, Qt.Key.Key_End)
    assert abs(state.right - minimap.extent[1]) <= 2
    qtbot.keyClick(minimap, Qt.Key.Key_PageUp)
    assert state.right < minimap.extent[1]
    qtbot.keyClick(minimap, Qt.Key.Key_F)
    assert state.left <= minimap.extent[0]
    minimap.grab()


# --- screen reader ----------------------------------------------------------------------------


def test_a_screen_reader_finds_the_bars_in_view(view):
    interface = QAccessible.queryAccessibleInterface(view.canvas)
    assert interface.text(QAccessible.Text.Name) == "Timeline"
    assert interface.role() == QAccessible.Role.List
    names = [interface.child(n).text(QAccessible.Text.Name) for n in range(interface.childCount())]
    assert "mira / home_city: Lisbon, 1 Mar 2026 to 5 Jun 2026" in names
    assert "mira / passport_deadline: 2026-06-30, since 3 Jun 2026 10:00, disputed" in names
    assert "northwind / region: eu, 1 Jul 2026 to 1 Aug 2026, in the future" in names
    assert interface.child(99) is None
    first = interface.child(0)
    rect = first.rect()
    inside = view.canvas.mapFromGlobal(rect.center())
    assert view.canvas.hit(inside.x(), inside.y()) == Hit(0, 0)
    assert interface.childAt(rect.center().x(), rect.center().y()) is not None
    assert interface.indexOfChild(first) == 0
    view.presenter.select_bar(0, 0)
    assert first.state().selected
    assert not interface.child(1).state().selected


def test_every_widget_that_takes_the_keyboard_has_a_name(view):
    for widget in (view.canvas, view.minimap, view.headers, view.ruler, view.scroll_bar):
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface.text(QAccessible.Text.Name)


# --- live -------------------------------------------------------------------------------------


def test_a_write_by_others_flashes_and_moves_nothing(qtbot, view):
    view.presenter.select_bar(0, 1)
    view.state.scroll_to(5)
    span, top = view.state.span, view.state.top
    changed = lane("northwind", "owner", bar("2026-01-01", None, "teo"))
    view.presenter._source.lanes_held[3] = changed
    view.presenter.refresh()
    assert view.canvas._flashed == {3}
    assert (view.state.span, view.state.top) == (span, top)
    assert view.presenter.selection.memory_id.startswith("Porto")
    qtbot.waitUntil(lambda: not view.canvas._flashed)


def test_rows_that_come_above_push_nothing_down(qtbot, dressed):
    view = make(qtbot, many(60))
    view.presenter.select_bar(30, 0)
    view.reveal_selection()
    top, chosen = view.state.top, lane_y(view, 30)
    assert top > 0
    held = view.presenter._source.lanes_held
    held[:0] = [lane("a new one", "first", bar("2026-05-01", None, 1))]
    view.presenter.refresh()
    assert view.state.top == top + GROUP_HEIGHT + LANE
    assert view.presenter.selected_position == 31
    assert lane_y(view, 31) == chosen
    del held[:29]  # the uppermost subject and all before it
    view.presenter.refresh()
    view.grab()
    assert 0 <= view.state.top <= view.state.top_most


def test_what_is_gone_after_a_refresh_does_no_harm(qtbot, view):
    view.presenter.select_area(MAY_18, JULY_6, 3, 5)
    press(qtbot, view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    view.canvas._set_header_cursor(1)
    view.presenter._source.lanes_held = sample()[:1]
    view.presenter.refresh()
    view.grab()
    assert view.canvas.header_cursor is None
    assert view.canvas.area_rect() is None
    press(qtbot, view, Qt.Key.Key_Up)
    press(qtbot, view, Qt.Key.Key_Return)
    assert view.presenter.rows.lanes == 1


def test_the_clock_stops_when_nobody_looks(view):
    assert view._clock.isActive()
    view.hide()
    assert not view._clock.isActive()


# --- strip for dialogs ------------------------------------------------------------------------


def test_a_strip_shows_lanes_and_says_them(qtbot, dressed):
    strip = LaneStrip()
    qtbot.addWidget(strip)
    standard = bar("2026-05-22", "2026-06-15", "standard")
    gold = bar("2026-06-15", None, "gold", marks=Mark.DISPUTED)
    believed = bar("2026-05-01", "2026-05-20", "basic", marks=Mark.BELIEVED)
    strip.resize(900, strip.sizeHint().height())
    strip.set_lanes(
        [StripLane("Now", (standard, gold)), StripLane("After", (believed,))], now_at=NOW
    )
    assert strip.accessibleDescription() == (
        "Now: standard, 22 May 2026 to 15 Jun 2026; gold, since 15 Jun 2026, disputed. "
        "After: basic, 1 May 2026 to 20 May 2026, believed then."
    )
    rect = strip.bar_rect(0, gold)
    assert rect.left() == strip.bar_rect(0, standard).right()
    assert rect.right() > strip.width()
    assert strip.bar_at(rect.left() + 5, rect.center().y()) == gold
    assert strip.bar_at(2, rect.center().y()) is None
    assert strip.bar_at(400, 900) is None
    image = strip.grab().toImage()
    place = QPoint(round(strip.bar_rect(0, standard).center().x()), round(rect.center().y()) + 6)
    assert image.pixelColor(place).name() in {theme.current().bar_color(n).name() for n in range(8)}


def test_an_empty_strip_is_harmless(qtbot, dressed):
    strip = LaneStrip()
    qtbot.addWidget(strip)
    strip.set_lanes([StripLane("Now", ())], now_at=NOW)
    strip.grab()
    assert strip.accessibleDescription() == "Now: nothing."


# --- the bounds of what may be in view ----------------------------------------------------------


def test_one_cannot_pan_or_zoom_to_where_there_is_nothing(view):
    earliest, latest = view.presenter.room
    begins, ends = view.presenter.extent
    assert earliest < begins < ends < latest
    for _ in range(200):
        view.pan_left()
    assert view.state.left == earliest
    for _ in range(200):
        view.zoom_out()
    assert view.state.left == earliest
    assert view.state.right <= latest
    for _ in range(200):
        view.pan_right()
    assert view.state.right <= latest
    view.fit_all()
    assert view.state.left < begins < ends < view.state.right


def test_the_bounds_hold_now_and_the_instant_that_is_looked_at(view):
    far = datetime(2040, 1, 1, tzinfo=UTC)
    view.presenter.set_question(Question(as_of=AsOf(valid_at=far)))
    assert view.state.bounds[1] > at("2040-01-01")
    assert view.state.bounds[0] < NOW


def test_a_filter_leaves_the_minimap_where_it_is(view):
    extent = view.minimap.extent
    source = view.presenter._source
    source.lanes_held = source.lanes_held[:1]
    view.presenter.set_question(Question(lanes=LaneFilter(subject="mira")))
    assert view.presenter.density.valid_to < extent[1]
    assert view.minimap.extent == extent
    heights = view.minimap._bar_heights()
    assert heights.any()
    assert not heights[-1]


def test_another_record_is_shown_from_its_own_beginning(view):
    old = bar("1926-01-01", "1929-01-01", "old")
    view.presenter.set_source(Source([lane("a", "b")._replace(bars=(old,))]))
    left, right = view.state.span
    assert left <= at("1926-01-01")
    assert right >= at("1929-01-01")
    assert right < NOW


def test_a_long_subject_is_read_before_its_type(view):
    metrics = view.headers.fontMetrics()
    item = view.presenter.rows.outline[0]
    long = item._replace(subject="retention-policy-of-north", memory_type="compliance")
    width = metrics.horizontalAdvance(long.subject) + 40
    assert view.headers._count_words(metrics, long, width) == "3"
    short = long._replace(subject="mira")
    assert view.headers._count_words(metrics, short, width) == "compliance · 3"


def test_the_axis_of_a_strip_leaves_out_parts_of_a_second_unless_they_tell_apart():
    second = 1_000_000
    assert axis_bounds([5 * second + 7, 2 * second]) == [
        (2 * second, 2 * second),
        (5 * second + 7, 5 * second),
    ]
    assert axis_bounds([7, 9]) == [(7, 7), (9, 9)]


def test_a_record_that_is_met_with_a_filter_is_known_in_its_whole_extent(qtbot, dressed):
    class Filtered(Source):
        def density(self, question, *, buckets, done, failed):
            lanes, narrowed = self.lanes_held, question.lanes != LaneFilter()
            self.lanes_held = lanes[4:] if narrowed else lanes
            super().density(question, buckets=buckets, done=done, failed=failed)
            self.lanes_held = lanes

    presenter = TimelinePresenter(clock=lambda: NOW)
    presenter.set_question(Question(lanes=LaneFilter(subject="northwind")))
    presenter.set_source(Filtered(sample()))
    assert presenter.density.valid_from == at("2026-07-01")
    assert presenter.extent[0] == at("2026-01-01")


class Narrowed(Source):
    """Gives the bars of the first lane where something is filtered."""

    def density(self, question, *, buckets, done, failed):
        held = self.lanes_held if question.lanes == LaneFilter() else self.lanes_held[:1]
        part = Source(held)
        self._give("density", lambda: part._density(buckets), done, failed)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["whole first", "part first"])
def test_a_narrowed_record_is_first_shown_until_now(qtbot, dressed, order):
    plans = bar("2026-01-01", "2026-01-05", "basic"), bar("2026-01-05", "2026-01-09", "pro")
    cities = bar("2025-06-01", "2026-06-20", "Lisbon"), bar("2026-06-20", None, "Porto")
    lanes = [lane("mira", "plan", *plans), lane("tom", "city", *cities)]
    source = Narrowed(lanes, holds=True)
    presenter = TimelinePresenter(clock=lambda: NOW)
    view = TimelineView(presenter)
    presenter.setParent(view)
    qtbot.addWidget(view)
    view.resize(1000, 480)
    view.show()
    presenter.set_question(Question(LaneFilter(subject="mira")))
    presenter.set_source(source)
    answers = [give for name, give in source.held if name == "density"]
    for number in order:
        answers[number]()
    assert view.state.left <= at("2026-01-01")
    assert view.state.right >= NOW


@pytest.mark.parametrize("first", ["outline", "density"])
def test_what_another_view_showed_is_shown_whatever_is_read_first(qtbot, dressed, first):
    lanes = [lane(f"s{n:02}", "city", bar("2026-01-01", None, "Lisbon")) for n in range(60)]
    source = Source(lanes, holds=True)
    presenter = TimelinePresenter(clock=lambda: NOW)
    view = TimelineView(presenter)
    presenter.setParent(view)
    qtbot.addWidget(view)
    view.resize(1000, 480)
    view.show()
    view.take_sight(Sight(at("2025-12-01"), 0.0, 20_000_000_000.0, 400, frozenset()))
    presenter.set_source(source)
    for _, give in sorted(source.held, key=lambda held: held[0] != first):
        give()
    assert view.state.top == 400
