"""Where the ruler has its ticks, from microseconds to centuries."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.temporal import EARLIEST, LATEST, from_micros
from tests.timeline_lanes import DAY, at
from workbench.panels.timeline.ruler import is_strong, range_text, tick_text
from workbench.panels.timeline.ticks import STEPS, Step, Tick, Unit, choose_step, ticks

ROOM = 100
WIDTH = 1600


@given(st.integers(EARLIEST, LATEST), st.floats(0.02, (LATEST - EARLIEST) / WIDTH))
def test_labels_never_touch_and_there_are_some(left, us_per_px):
    right = left + int(WIDTH * us_per_px)
    step = choose_step(us_per_px, ROOM)
    found = ticks(left, right, step)
    assert all(left <= tick.at < right for tick in found)
    distances = [later.at - tick.at for tick, later in itertools.pairwise(found)]
    # A February of 28 days is the shortest month; two of a quarter's months may be short.
    assert all(distance / us_per_px >= ROOM * 0.9 for distance in distances)
    if left > EARLIEST and right <= LATEST and step is not STEPS[-1]:
        assert len(found) >= 1


def test_steps_grow():
    sizes = [step.every * 1000**step.unit for step in STEPS]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("span_us", "expected"),
    [
        (20, Step(Unit.MICROSECOND, 2)),
        (3_000_000, Step(Unit.MILLISECOND, 200)),
        (3_600_000_000, Step(Unit.MINUTE, 5)),
        (DAY, Step(Unit.HOUR, 2)),
        (49 * DAY, Step(Unit.WEEK, 1)),
        (365 * DAY, Step(Unit.MONTH, 1)),
        (1300 * 365 * DAY, Step(Unit.YEAR, 100)),
    ],
)
def test_the_step_suits_the_zoom(span_us, expected):
    assert choose_step(span_us / WIDTH, ROOM) == expected


def test_weeks_begin_on_mondays_and_years_on_new_year():
    weeks = ticks(at("2026-05-12"), at("2026-06-20"), Step(Unit.WEEK, 1))
    assert [f"{from_micros(tick.at):%a %d %b}" for tick in weeks][:2] == [
        "Mon 18 May",
        "Mon 25 May",
    ]
    years = ticks(at("1799-03-01"), at("2101-01-01"), Step(Unit.YEAR, 100))
    assert [from_micros(tick.at).year for tick in years] == [1800, 1900, 2000, 2100]


def test_every_second_day_never_crowds_the_first_of_a_month():
    found = ticks(at("2026-01-27"), at("2026-02-06"), Step(Unit.DAY, 2))
    days = [from_micros(tick.at).day for tick in found]
    assert days == [27, 29, 1, 3, 5]


def test_the_calendar_ends_are_reached():
    assert ticks(EARLIEST, at("0002-01-01"), Step(Unit.MONTH, 6))[0].at == EARLIEST
    assert from_micros(ticks(at("9999-06-01"), LATEST + 1, Step(Unit.MONTH, 1))[-1].at).month == 12
    assert [from_micros(t.at).day for t in ticks(at("9999-12-28"), LATEST + 1, Step(Unit.DAY, 2))]


@pytest.mark.parametrize(
    ("instant", "step", "words", "strong"),
    [
        ("2026-01-01", Step(Unit.YEAR, 1), "2026", False),
        ("2026-01-01", Step(Unit.MONTH, 1), "2026", True),
        ("2026-06-01", Step(Unit.MONTH, 1), "Jun", False),
        ("2026-05-18", Step(Unit.WEEK, 1), "18 May", False),
        ("2026-01-01", Step(Unit.DAY, 1), "1 Jan 2026", True),
        ("2026-06-03", Step(Unit.HOUR, 6), "3 Jun", True),
        ("2026-06-03T06:00", Step(Unit.HOUR, 6), "06:00", False),
        ("2026-06-03T06:00:05", Step(Unit.SECOND, 5), "06:00:05", True),
        ("2026-06-03T06:00:05.250", Step(Unit.MILLISECOND, 50), ".250", False),
        ("2026-06-03T06:00:05.250004", Step(Unit.MICROSECOND, 2), ".250004", False),
    ],
)
def test_a_label_says_what_differs(instant, step, words, strong):
    micros = at(instant)
    found = [tick for tick in ticks(micros, micros + 1, step) if tick.at == micros]
    tick = found[0] if found else Tick(micros, step.unit)
    assert tick_text(tick, step) == words
    assert is_strong(tick, step) is strong


@pytest.mark.parametrize(
    ("begins", "ends", "words"),
    [
        ("1700-01-01", "2026-01-01", "1700 – 2025"),
        ("2026-01-01", "2027-01-01", "Jan – Dec 2026"),
        ("2025-06-01", "2026-06-01", "Jun 2025 – May 2026"),
        ("2026-05-18", "2026-07-06", "18 May – 5 Jul 2026"),
        ("2025-12-18", "2026-01-06", "18 Dec 2025 – 5 Jan 2026"),
        ("2026-05-18T10:00", "2026-05-18T12:00", "18 May 2026 10:00 – 11:59"),
        ("2026-05-18T10:00:07", "2026-05-18T10:00:09", "18 May 2026 10:00:07"),
    ],
)
def test_a_span_is_written_short(begins, ends, words):
    assert range_text(at(begins), at(ends)) == words
