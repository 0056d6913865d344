from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from store.errors import Invalid
from store.temporal import Precision
from workbench import text

AT = datetime(2026, 6, 3, 10, 0, 4, tzinfo=UTC)
LOCALES = ("en_GB", "en_US", "es_ES", "de_DE", "fr_FR", "ja_JP", "ko_KR", "ar_EG", "hu_HU", "ru_RU")


@pytest.fixture(autouse=True)
def format_back():
    before = text.current_format()
    yield
    text.use_format(before)


def use(locale: str, zone: tzinfo = UTC) -> None:
    text.use_format(text.Format(QLocale(locale), zone))


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en_GB", "3 Jun 2026 10:00"),
        ("es_ES", "3 jun 2026 10:00"),
        ("ja_JP", "2026年6月3日 10:00"),
    ],
)
def test_an_instant_is_short_and_in_the_locale(locale: str, expected: str) -> None:
    use(locale)
    assert text.instant(AT) == expected


def test_americans_get_their_order_and_their_clock() -> None:
    use("en_US")
    assert text.instant(AT).replace("\u202f", " ") == "Jun 3, 2026 10:00 AM"


def test_an_instant_is_shown_as_exactly_as_it_is_known() -> None:
    use("en_GB")
    assert text.instant(AT, Precision.YEAR) == "2026"
    assert text.instant(AT, Precision.MONTH) == "Jun 2026"
    assert text.instant(AT, Precision.DAY) == "3 Jun 2026"
    assert text.instant(AT, has_seconds=True) == "3 Jun 2026 10:00:04"
    assert text.instant(AT.replace(hour=0, second=0)) == "3 Jun 2026"
    assert text.instant(None) == "—"
    assert text.exact(AT) == "2026-06-03T10:00:04Z"
    assert text.exact(None) == "—"


def test_a_zone_moves_times_of_day_but_no_stated_day() -> None:
    use("en_GB", ZoneInfo("America/Lima"))
    midnight = datetime(2026, 6, 3, tzinfo=UTC)
    assert text.instant(midnight) == "2 Jun 2026 19:00"
    assert text.instant(midnight, Precision.DAY) == "3 Jun 2026"
    assert text.exact(midnight) == "2026-06-03T00:00:00Z"


def test_the_ends_of_the_calendar_can_be_shown() -> None:
    use("en_GB", ZoneInfo("America/Lima"))
    assert text.instant(datetime(1, 1, 1, tzinfo=UTC)) == "1 Jan 0001"
    use("en_GB", ZoneInfo("Asia/Tokyo"))
    assert text.exact(datetime(9999, 12, 31, 23, tzinfo=UTC)).startswith("9999-12-31")
    assert text.instant(datetime(9999, 12, 31, 23, tzinfo=UTC)) == "31 Dec 9999 23:00"


def test_a_period_is_open_or_closed() -> None:
    use("en_GB")
    assert text.period(AT, None) == "3 Jun 2026 10:00 → until changed"
    assert text.period_exact(AT, None) == "[2026-06-03T10:00:04Z, …)"


@pytest.mark.parametrize("locale", LOCALES)
@given(st.integers(-36_000_000, 120_000_000).map(lambda n: AT + timedelta(minutes=n)))
def test_what_is_shown_can_be_typed(locale: str, at: datetime) -> None:
    use(locale)
    at = at.replace(second=0, microsecond=0)
    assert text.read_instant(text.instant(at, Precision.MINUTE)) == at
    assert text.read_instant(text.exact(at)) == at


def test_typing_understands_now_dates_and_iso() -> None:
    use("en_GB", ZoneInfo("Europe/Madrid"))
    assert text.read_instant(" Now ") is None
    assert text.read_instant("") is None
    stated = text.read_stated("2026-06")
    assert stated is not None
    assert stated.precision is Precision.MONTH
    assert text.read_instant("2026-06-03T10:00+05:00") == datetime(2026, 6, 3, 5, tzinfo=UTC)
    assert text.read_instant("3 Jun 2026 10:00") == datetime(2026, 6, 3, 8, tzinfo=UTC)
    with pytest.raises(Invalid, match="is not a time"):
        text.read_instant("soon")


@pytest.mark.parametrize(
    ("locale", "typed", "precision"),
    [
        ("en_GB", "4 September 2026", Precision.DAY),
        ("en_GB", "4 Sep 2026", Precision.DAY),
        ("en_GB", "4 Sept 2026", Precision.DAY),
        ("en_GB", "4 september 2026 00:00", Precision.MINUTE),
        ("en_US", "September 4, 2026", Precision.DAY),
        ("es", "4 septiembre 2026", Precision.DAY),
    ],
)
def test_months_are_read_short_and_in_full(locale: str, typed: str, precision: Precision) -> None:
    use(locale)
    stated = text.read_stated(typed)
    assert stated is not None
    assert stated.instant == datetime(2026, 9, 4, tzinfo=UTC)
    assert stated.precision is precision


@pytest.mark.parametrize("locale", LOCALES)
def test_a_month_that_is_shown_can_be_typed(locale: str) -> None:
    use(locale)
    shown = text.instant(datetime(2026, 9, 1, tzinfo=UTC), Precision.MONTH)
    stated = text.read_stated(shown)
    assert stated is not None
    assert stated.instant == datetime(2026, 9, 1, tzinfo=UTC)
    assert stated.precision is Precision.MONTH


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.25, "250 ms"),
        (3, "3 s"),
        (65, "1 min 5 s"),
        (7_500, "2 h 5 min"),
        (86_400, "1 d"),
        (90_061, "1 d 1 h"),
        (-7_500, "\u22122 h 5 min"),
    ],
)
def test_a_duration_has_two_units_at_most(seconds: float, expected: str) -> None:
    assert text.duration(timedelta(seconds=seconds)) == expected


def test_relative_time_has_a_direction() -> None:
    assert text.relative(AT, AT + timedelta(days=2)).startswith("2 day")
    assert text.relative(AT, AT - timedelta(hours=3)).startswith("in 3 hour")
    assert text.relative(AT, AT) == "just now"
    assert text.relative(AT, AT + timedelta(days=800)).startswith("2 year")


def test_numbers_follow_the_locale() -> None:
    use("es_ES")
    assert text.number(48_210) == "48.210"
    assert text.decimal(0.94) == "0,94"
    use("en_GB")
    assert text.number(48_210) == "48,210"
    assert text.byte_size(4_200_000) == "4.2 MB"


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("abc\u202etxt.exe", "abc⟨U+202E⟩txt.exe"),
        ("a\x00b\x1b[31m", "a⟨U+0000⟩b⟨U+001B⟩[31m"),
        ("pay\u200bpal", "pay⟨U+200B⟩pal"),
        ("hid\U000e0041den", "hid⟨U+E0041⟩den"),
        ("x\U000e0101", "x⟨U+E0101⟩"),
        ("\u3164", "⟨U+3164⟩"),
        ("one\r\ntwo", "one⏎two"),
        ("lone \ud800", "lone ⟨U+D800⟩"),
    ],
)
def test_what_cannot_be_seen_is_shown(hostile: str, shown: str) -> None:
    assert text.visible(hostile) == shown


def test_writing_that_needs_joiners_keeps_them() -> None:
    for kept in (
        "👩\u200d👧",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "Straße",
        "日本",
    ):
        assert text.visible(kept) == kept


@given(st.text(), st.booleans())
def test_nothing_hidden_is_left(hostile: str, keeps_lines: bool) -> None:
    shown = text.visible(hostile, keeps_lines=keeps_lines)
    for char in shown:
        code = ord(char)
        assert code >= 0x20 or (keeps_lines and char in "\n\t")
        assert not 0x202A <= code <= 0x202E
        assert not 0x2066 <= code <= 0x2069
        assert not 0xD800 <= code <= 0xDFFF


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("gold", "gold"),
        ("2026-06-30", "2026-06-30"),
        ("42", '"42"'),
        (42, "42"),
        (True, "true"),
        ("true", '"true"'),
        (None, "null"),
        ("", '""'),
        (" padded", '" padded"'),
        ({"a": [1, "x\u202e"]}, '{"a": [1, "x⟨U+202E⟩"]}'),
        ("<b>no</b>", "<b>no</b>"),
    ],
)
def test_a_value_on_a_line_is_unambiguous(value: object, shown: str) -> None:
    assert text.value_line(value) == shown


def test_a_long_value_is_cut() -> None:
    assert text.value_line("x" * 10_000, limit=20) == "x" * 19 + "…"
    assert len(text.value_line("\u202e" * 10_000, limit=20)) == 20


def test_a_value_in_full_is_json() -> None:
    assert text.value_pretty({"a": [1]}) == '{\n  "a": [\n    1\n  ]\n}'


def test_a_tool_tip_takes_nothing_for_html() -> None:
    shown = text.tooltip("<img src=x>\n\u202e& more")
    assert shown == "<qt>&lt;img src=x&gt;<br>⟨U+202E⟩&amp; more</qt>"


def test_an_isolated_value_cannot_turn_the_sentence() -> None:
    assert text.isolate("x") == "\u2068x\u2069"


def test_a_time_of_day_follows_the_locale_everywhere() -> None:
    at = datetime(2026, 6, 3, 9, 5, 7, tzinfo=UTC)
    use("es_ES")
    assert text.clock(at) == "9:05"
    assert text.clock(at, has_seconds=True) == "9:05:07"
    use("en_GB")
    assert text.clock(at) == "09:05"
