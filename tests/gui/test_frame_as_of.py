from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QDate, QEvent, QLocale, Qt
from PySide6.QtWidgets import QApplication, QSlider

from store.temporal import NOW, AsOf, Precision
from workbench import text, theme
from workbench.widgets.as_of_bar import SLIDER_STEPS, AsOfBar, Axis, Span
from workbench.widgets.instant_edit import InstantEdit

AT = datetime(2026, 6, 3, 10, tzinfo=UTC)
SPAN = Span(datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 12, 31, tzinfo=UTC))


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> Iterator[None]:
    theme.choose_theme(qapp, "light")
    before = text.current_format()
    text.use_format(text.Format(QLocale("en_GB")))
    yield
    text.use_format(before)


@pytest.fixture
def edit(qtbot) -> InstantEdit:
    it = InstantEdit("Valid from")
    qtbot.addWidget(it)
    it.show()
    return it


@pytest.fixture
def bar(qtbot) -> AsOfBar:
    it = AsOfBar()
    qtbot.addWidget(it)
    it.set_history(valid=SPAN, known=SPAN)
    it.show()
    return it


# --- the field ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2026-06-01T09:00Z", datetime(2026, 6, 1, 9, tzinfo=UTC)),
        ("2026-06-01T09:00+02:00", datetime(2026, 6, 1, 7, tzinfo=UTC)),
        ("2026-06-01", datetime(2026, 6, 1, tzinfo=UTC)),
        ("1 Jun 2026", datetime(2026, 6, 1, tzinfo=UTC)),
        ("1 Jun 2026 09:30", datetime(2026, 6, 1, 9, 30, tzinfo=UTC)),
    ],
)
def test_what_is_typed_counts_on_enter(
    edit: InstantEdit, qtbot, typed: str, expected: datetime
) -> None:
    qtbot.keyClicks(edit.line_edit, typed)
    with qtbot.waitSignal(edit.instant_changed) as told:
        qtbot.keyClick(edit.line_edit, Qt.Key.Key_Return)
    assert told.args == [expected]
    assert edit.instant == expected
    assert text.exact(expected) in edit.line_edit.toolTip()


def test_how_exact_the_typed_time_is_stays_known(edit: InstantEdit, qtbot) -> None:
    qtbot.keyClicks(edit.line_edit, "2026-06")
    qtbot.keyClick(edit.line_edit, Qt.Key.Key_Return)
    assert edit.stated is not None
    assert edit.stated.precision is Precision.MONTH
    assert edit.stated.text == "2026-06"


def test_what_cannot_be_read_is_said_and_changes_nothing(edit: InstantEdit, qtbot) -> None:
    edit.set_instant(AT)
    edit.line_edit.selectAll()
    qtbot.keyClicks(edit.line_edit, "someday")
    with (
        qtbot.assertNotEmitted(edit.instant_changed),
        qtbot.waitSignal(edit.problem_changed) as said,
    ):
        qtbot.keyClick(edit.line_edit, Qt.Key.Key_Return)
    assert "someday" in said.args[0]
    assert edit.instant == AT
    assert edit.line_edit.property("invalid") is True
    assert edit.line_edit.accessibleDescription() == edit.problem
    edit.line_edit.selectAll()
    qtbot.keyClicks(edit.line_edit, "now")
    qtbot.keyClick(edit.line_edit, Qt.Key.Key_Return)
    assert edit.problem == ""
    assert edit.instant is None


@pytest.mark.parametrize(
    ("key", "step"),
    [
        (Qt.Key.Key_Up, timedelta(days=1)),
        (Qt.Key.Key_Down, timedelta(days=-1)),
        (Qt.Key.Key_PageDown, timedelta(days=7)),
        (Qt.Key.Key_PageUp, timedelta(days=-7)),
    ],
)
def test_keys_step_by_days_and_weeks(edit: InstantEdit, qtbot, key, step) -> None:
    edit.set_instant(AT)
    qtbot.keyClick(edit.line_edit, key)
    assert edit.instant == AT + step


def test_left_and_right_move_in_the_text(edit: InstantEdit, qtbot) -> None:
    edit.set_instant(AT)
    qtbot.keyClick(edit.line_edit, Qt.Key.Key_Left)
    assert edit.instant == AT


def test_control_with_home_and_end_goes_to_the_ends(edit: InstantEdit, qtbot) -> None:
    edit.set_earliest(SPAN.begins)
    edit.set_instant(AT)
    qtbot.keyClick(edit.line_edit, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert edit.instant == SPAN.begins
    qtbot.keyClick(edit.line_edit, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert edit.instant is None
    assert edit.line_edit.placeholderText() == "now"


def test_the_end_of_the_calendar_is_a_wall(edit: InstantEdit, qtbot) -> None:
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)
    edit.set_instant(last)
    qtbot.keyClick(edit.line_edit, Qt.Key.Key_Up)
    assert edit.instant == last


def test_a_picked_day_keeps_the_time_of_day(edit: InstantEdit, qtbot) -> None:
    edit.set_instant(AT)
    edit._pick.click()
    calendar = edit._calendar
    assert calendar is not None
    assert calendar.isVisible()
    with qtbot.waitSignal(edit.instant_changed):
        calendar._month.clicked.emit(QDate(2026, 7, 1))
    assert edit.instant == datetime(2026, 7, 1, 10, tzinfo=UTC)
    assert not calendar.isVisible()


def test_setting_an_instant_tells_nobody(edit: InstantEdit, qtbot) -> None:
    with qtbot.assertNotEmitted(edit.instant_changed):
        edit.set_instant(AT)


# --- the bar --------------------------------------------------------------------------------


def heard_from(bar: AsOfBar) -> list[AsOf]:
    heard: list[AsOf] = []
    bar.as_of_changed.connect(heard.append)
    return heard


def test_at_now_the_bar_says_so_and_the_way_back_is_closed(bar: AsOfBar) -> None:
    assert bar.as_of == NOW
    assert bar._controls[Axis.VALID].accessibleName() == "Valid at now"
    assert bar._controls[Axis.KNOWN].accessibleName() == "Known at now"
    assert not bar._now.isEnabled()


def test_away_from_now_the_bar_says_the_instant_in_words_and_colour(bar: AsOfBar, qtbot) -> None:
    heard = heard_from(bar)
    bar.set_as_of(AsOf(valid_at=AT))
    valid = bar._controls[Axis.VALID]
    assert heard == []
    assert valid.accessibleName() == "Valid at 3 Jun 2026 10:00"
    assert "2026-06-03T10:00:00Z" in valid.toolTip()
    assert valid.property("look") == "past"
    qtbot.mouseClick(bar._now, Qt.MouseButton.LeftButton)
    assert heard == [NOW]
    assert valid.property("look") == ""


def test_keys_on_the_buttons_step_their_own_axis(bar: AsOfBar, qtbot) -> None:
    bar.set_as_of(AsOf(valid_at=AT, known_at=AT))
    heard = heard_from(bar)
    known = bar._controls[Axis.KNOWN]
    qtbot.keyClick(known, Qt.Key.Key_Left)
    assert heard[-1] == AsOf(AT, AT - timedelta(days=1))
    qtbot.keyClick(known, Qt.Key.Key_PageDown)
    assert heard[-1] == AsOf(AT, AT + timedelta(days=6))
    qtbot.keyClick(known, Qt.Key.Key_Home)
    assert heard[-1] == AsOf(AT, SPAN.begins)
    qtbot.keyClick(known, Qt.Key.Key_End)
    assert heard[-1] == AsOf(AT, None)


def test_the_slider_runs_over_the_history_of_the_store(bar: AsOfBar, qtbot) -> None:
    heard = heard_from(bar)
    bar.open_axis(Axis.VALID)
    popup = bar._controls[Axis.VALID]._popup
    assert popup is not None
    slider = popup.findChild(QSlider)
    slider.setValue(0)
    assert heard[-1].valid_at == SPAN.begins
    slider.setValue(SLIDER_STEPS // 2)
    assert heard[-1].valid_at == SPAN.begins + (SPAN.ends - SPAN.begins) / 2
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert heard[-1].valid_at == SPAN.begins + (SPAN.ends - SPAN.begins) / 2 + timedelta(days=1)
    qtbot.keyClick(slider, Qt.Key.Key_End)
    assert heard[-1] == NOW
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert heard[-1].valid_at == SPAN.begins


def test_what_is_typed_in_the_popup_is_looked_at(bar: AsOfBar, qtbot) -> None:
    heard = heard_from(bar)
    bar.open_axis(Axis.KNOWN)
    popup = bar._controls[Axis.KNOWN]._popup
    assert popup is not None
    qtbot.keyClicks(popup._edit.line_edit, "2026-06-03T10:00Z")
    qtbot.keyClick(popup._edit.line_edit, Qt.Key.Key_Return)
    assert heard == [AsOf(known_at=AT)]
    assert popup.isHidden(), "Enter is the last word; keys such as N are commands again"
    assert popup._slider.value() == SPAN.step(AT)


def test_the_popup_stays_while_what_is_typed_cannot_be_read(bar: AsOfBar, qtbot) -> None:
    bar.open_axis(Axis.KNOWN)
    popup = bar._controls[Axis.KNOWN]._popup
    assert popup is not None
    qtbot.keyClicks(popup._edit.line_edit, "soon")
    qtbot.keyClick(popup._edit.line_edit, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert "soon" in popup._problem.text()


def test_playing_walks_to_the_end_and_stops(
    bar: AsOfBar, qtbot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.widgets import as_of_bar

    monkeypatch.setattr(as_of_bar, "PLAY_EVERY_MS", 1)
    monkeypatch.setattr(as_of_bar, "PLAY_FRAMES", 10)
    heard = heard_from(bar)
    bar.open_axis(Axis.VALID)
    popup = bar._controls[Axis.VALID]._popup
    assert popup is not None
    popup._play_button.click()
    assert popup._play_button.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: not popup._play.isActive())
    instants = [it.valid_at for it in heard]
    assert instants[0] == SPAN.begins
    assert instants[-1] == SPAN.ends
    assert instants == sorted(instants)
    assert popup._play_button.accessibleName() == "Play"


def test_closing_the_popup_stops_playing(bar: AsOfBar, qtbot) -> None:
    bar.open_axis(Axis.VALID)
    popup = bar._controls[Axis.VALID]._popup
    assert popup is not None
    popup._play_button.click()
    popup.hide()
    assert not popup._play.isActive()


def test_an_empty_store_has_nothing_to_slide_over(bar: AsOfBar) -> None:
    bar.set_history(valid=None, known=None)
    bar.open_axis(Axis.VALID)
    popup = bar._controls[Axis.VALID]._popup
    assert popup is not None
    assert not popup._slider.isEnabled()
    assert not popup._play_button.isEnabled()


def test_another_language_makes_the_popup_anew(bar: AsOfBar, qapp: QApplication) -> None:
    bar.open_axis(Axis.VALID)
    before = bar._controls[Axis.VALID]._popup
    qapp.sendEvent(bar, QEvent(QEvent.Type.LanguageChange))
    bar.open_axis(Axis.VALID)
    assert bar._controls[Axis.VALID]._popup not in (None, before)


def test_a_span_of_no_length_is_harmless() -> None:
    span = Span(AT, AT)
    assert span.step(AT) == SLIDER_STEPS
    assert span.at(500) == AT
