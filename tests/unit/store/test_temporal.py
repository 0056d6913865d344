"""Instants, periods, and what a person writes for a time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import AsOf, Invalid, Period, Precision, parse_instant
from store.temporal import EARLIEST, LATEST, NOW, from_micros, iso, to_micros

NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001

instants = st.datetimes(
    min_value=datetime(1, 1, 2),  # noqa: DTZ001
    max_value=datetime(9999, 12, 30),  # noqa: DTZ001
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=-5, minutes=-30)), timezone.max]),
)


@given(instants)
def test_microseconds_are_exact_both_ways(instant: datetime) -> None:
    micros = to_micros(instant)
    assert from_micros(micros) == instant
    assert from_micros(micros).utcoffset() == timedelta(0)
    assert datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros) == instant


@given(st.integers(EARLIEST, LATEST))
def test_every_instant_has_a_text_that_names_it(micros: int) -> None:
    text = iso(micros)
    assert text.endswith("Z")
    assert parse_instant(text).instant == from_micros(micros)
    assert ("." in text) is (micros % 1_000_000 != 0)


def test_the_bounds_are_the_first_and_last_instant_that_python_can_show() -> None:
    assert from_micros(EARLIEST) == datetime.min.replace(tzinfo=UTC)
    assert from_micros(LATEST) == datetime.max.replace(tzinfo=UTC)
    for micros in (EARLIEST - 1, LATEST + 1, -(10**20), 10**20):
        with pytest.raises(Invalid):
            from_micros(micros)
    for instant in (
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
    ):
        with pytest.raises(Invalid):
            to_micros(instant)


def test_naive_times_are_refused() -> None:
    with pytest.raises(Invalid, match="zone"):
        to_micros(NAIVE)
    with pytest.raises(Invalid):
        AsOf(valid_at=NAIVE)
    with pytest.raises(Invalid):
        Period(NAIVE)
    with pytest.raises(Invalid):
        Period(NAIVE.replace(tzinfo=UTC), NAIVE)


@pytest.mark.parametrize(
    ("text", "instant", "precision"),
    [
        ("2026", datetime(2026, 1, 1, tzinfo=UTC), Precision.YEAR),
        ("2026-06", datetime(2026, 6, 1, tzinfo=UTC), Precision.MONTH),
        ("2026-06-03", datetime(2026, 6, 3, tzinfo=UTC), Precision.DAY),
        ("2026-06-03T09:05Z", datetime(2026, 6, 3, 9, 5, tzinfo=UTC), Precision.MINUTE),
        ("2026-06-03 09:05 z", datetime(2026, 6, 3, 9, 5, tzinfo=UTC), Precision.MINUTE),
        ("2026-06-03T09:05:07Z", datetime(2026, 6, 3, 9, 5, 7, tzinfo=UTC), Precision.INSTANT),
        (
            "2026-06-03T09:05:07.25+00:00",
            datetime(2026, 6, 3, 9, 5, 7, 250_000, tzinfo=UTC),
            Precision.INSTANT,
        ),
        (
            "2026-06-03T09:05:07,123456789Z",
            datetime(2026, 6, 3, 9, 5, 7, 123_456, tzinfo=UTC),
            Precision.INSTANT,
        ),
        ("2026-06-03T00:05+02:00", datetime(2026, 6, 2, 22, 5, tzinfo=UTC), Precision.MINUTE),
        ("2026-06-03T00:05-0330", datetime(2026, 6, 3, 3, 35, tzinfo=UTC), Precision.MINUTE),
        ("2026-06-03T00:05+02", datetime(2026, 6, 2, 22, 5, tzinfo=UTC), Precision.MINUTE),
        ("  0001-01-01  ", datetime(1, 1, 1, tzinfo=UTC), Precision.DAY),
    ],
)
def test_iso_8601_is_read(text: str, instant: datetime, precision: Precision) -> None:
    stated = parse_instant(text)
    assert stated.instant == instant
    assert stated.instant.utcoffset() == timedelta(0)
    assert stated.precision is precision
    assert stated.text == text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2026-13",
        "2026-02-30",
        "2026-06-03T25:00Z",
        "2026-06-03T09:60Z",
        "2026-06-03T09:05",
        "2026-06-03T09:05:07.1",
        "2026-06-03T09:05+25:00",
        "2026-06-03T09:05+99",
        "0000",
        "0000-01-01",
        "26-06-03",
        "2026-6-3",
        "2026-06-03Z",
        "20260603",
        "2026-06-03T09:05:07.1234567890Z",
        "9999-12-31T23:59-01:00",
        "0001-01-01T00:00+01:00",
        "٢٠٢٦-٠٦",
        "2026-06-03\n2026-06-04",
        "1" * 10_000,
    ],
    ids=lambda text: ascii(text)[:30],
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse_instant(text)


def test_a_zone_is_used_where_none_is_written() -> None:
    madrid = ZoneInfo("Europe/Madrid")
    assert parse_instant("2026-06-03", madrid).instant == datetime(2026, 6, 2, 22, tzinfo=UTC)
    assert parse_instant("2026-01-03T09:00", madrid).instant == datetime(2026, 1, 3, 8, tzinfo=UTC)
    stated = parse_instant("2026-06-03T09:00Z", madrid)
    assert stated.instant == datetime(2026, 6, 3, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("2026", "2027"),
        ("2026-12", "2027-01"),
        ("2024-02", "2024-03"),
        ("2024-02-28", "2024-02-29"),
        ("2026-12-31", "2027-01-01"),
        ("2026-06-03T09:59Z", "2026-06-03T10:00Z"),
        ("2026-06-03T09:59:30Z", "2026-06-03T09:59:30Z"),
    ],
)
def test_a_stated_period_ends_where_the_next_begins(text: str, ends: str) -> None:
    assert parse_instant(text).period_end == parse_instant(ends).instant


def test_a_day_ends_by_the_calendar_of_its_zone() -> None:
    madrid = ZoneInfo("Europe/Madrid")
    for text in ("2026-03-29", "2026-10-25", "2026-03", "2026"):
        stated = parse_instant(text, madrid)
        local = stated.period_end.astimezone(madrid)
        assert (local.hour, local.minute) == (0, 0)


@pytest.mark.parametrize("text", ["9999", "9999-12", "9999-12-31", "9999-12-31T23:59Z"])
def test_the_last_period_has_no_end_that_can_be_shown(text: str) -> None:
    with pytest.raises(Invalid):
        _ = parse_instant(text).period_end


def test_a_period_is_half_open() -> None:
    first, last = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    microsecond = timedelta(microseconds=1)
    period = Period(first, last)
    assert period.holds(first)
    assert period.holds(last - microsecond)
    assert not period.holds(last)
    assert not period.holds(first - microsecond)
    assert Period(first).holds(datetime.max.replace(tzinfo=UTC))
    for ends in (first, first - microsecond):
        with pytest.raises(Invalid):
            Period(first, ends)


def test_now_holds_neither_axis() -> None:
    assert NOW.is_now
    assert not AsOf(known_at=datetime(2026, 1, 1, tzinfo=UTC)).is_now
