"""Numbers, instants, durations and values in words for people.

Short forms follow the locale and the chosen zone; `exact` is the ISO 8601 form in UTC that belongs
on hover and in a copy. Whatever comes from a store goes through `visible` or one of the functions
that use it, so that control, bidirectional and invisible characters are seen and do nothing.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cache
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, QTime

from store import encoding
from store.temporal import Precision, StatedInstant, iso, parse_instant, to_micros

translate = QCoreApplication.translate

DASH: Final = "—"
"""Stands where there is nothing."""
ELLIPSIS: Final = "…"


@dataclass(frozen=True)
class Format:
    """Whose habits and which clock the short forms follow.

    Attributes:
        locale: order and separators of numbers and dates.
        zone: the zone in which instants are shown; None is the computer's own.
    """

    locale: QLocale
    zone: tzinfo | None = UTC


_format = Format(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))


def use_format(chosen: Format) -> None:
    """Set the format that all functions of this module follow from now on."""
    global _format
    _format = chosen


def current_format() -> Format:
    """Give the format in force."""
    return _format


def QT_TRANSLATE_NOOP(context: str, source: str) -> str:
    """Mark a text of a table for translators and give it back as it is.

    lupdate knows this name; Qt's own function of the name says that it returns any object.
    """
    return source


# --- numbers --------------------------------------------------------------------------------


def number(value: int) -> str:
    """Write a count with the locale's separators: ``48,210``."""
    return _format.locale.toString(value)


def decimal(value: float, places: int = 2) -> str:
    """Write a fraction with the locale's point: ``0.94``."""
    return _format.locale.toString(value, "f", places)


def byte_size(size: int) -> str:
    """Write a size of a file: ``4.2 MB``."""
    return _format.locale.formattedDataSize(
        size, 1 if size >= 1000 else 0, QLocale.DataSizeFormat.DataSizeSIFormat
    )


# --- instants -------------------------------------------------------------------------------


@cache
def _date_formats(name: str) -> tuple[str, str]:
    """Give a locale's formats of a day and of a month, with the month's short name.

    Qt has the long form with the day of the week and the short one in figures; this is the one
    between, made from the long form.
    """
    long = QLocale(name).dateFormat(QLocale.FormatType.LongFormat)
    day = re.sub(r"'[^']*'", " ", long)
    day = re.sub(r"\s*d{3,4}\s*", " ", day).replace("MMMM", "MMM")
    day = re.sub(r"\s+", " ", day).strip(" ,،.")
    if not {"d", "M", "y"} <= set(day):
        return "d MMM yyyy", "MMM yyyy"
    month = re.sub(r"d{1,2}[.,日일]?", " ", day)
    return day, re.sub(r"\s+", " ", month).strip(" ,،.")


def local(at: datetime) -> datetime:
    """Give an instant in the zone of the format in force."""
    try:
        return at.astimezone(_format.zone)
    except OverflowError:  # the first and last hours of the calendar have no local time
        return at.astimezone(UTC)


def is_midnight(at: datetime) -> bool:
    """Say whether a day begins at an instant, in the zone of the format in force."""
    there = local(at)
    return (there.hour, there.minute, there.second, there.microsecond) == (0, 0, 0, 0)


def day(value: date) -> str:
    """Write a calendar day: ``3 Jun 2026``."""
    locale = _format.locale
    return locale.toString(
        QDate(value.year, value.month, value.day), _date_formats(locale.name())[0]
    )


def instant(
    at: datetime | None, precision: Precision | None = None, *, has_seconds: bool = False
) -> str:
    """Write an instant as short as it is exact: ``2026``, ``Jun 2026``, ``3 Jun 2026 10:00``.

    Args:
        at: an aware instant; None is written as a dash.
        precision: how exact it is; a year, month or day is shown as it was stated, in UTC. When
            None, the time of day is left out at midnight.
        has_seconds: whether to show seconds too, as for the time of recording.
    """
    if at is None:
        return DASH
    locale = _format.locale
    if precision is Precision.YEAR:
        return f"{at.astimezone(UTC).year:04}"
    if precision is Precision.MONTH:
        there = at.astimezone(UTC)
        return locale.toString(QDate(there.year, there.month, 1), _date_formats(locale.name())[1])
    if precision is Precision.DAY:
        return day(at.astimezone(UTC).date())
    there = local(at)
    if precision is None and not has_seconds and is_midnight(at):
        return day(there.date())
    return f"{day(there.date())} {clock(there, has_seconds=has_seconds)}"


def clock(at: datetime, *, has_seconds: bool = False) -> str:
    """Write a time of day as the locale does: ``10:00``, ``10:00:09``; in the zone that it has."""
    locale = _format.locale
    form = locale.timeFormat(QLocale.FormatType.ShortFormat)
    if has_seconds:
        form = re.sub(r"mm?", lambda found: f"{found[0]}:ss", form, count=1)
    return locale.toString(QTime(at.hour, at.minute, at.second), form)


def exact(at: datetime | None) -> str:
    """Write an instant in full for a hover or a copy: ``2026-06-03T10:00:00Z``, always UTC."""
    return DASH if at is None else iso(to_micros(at))


def period(begins: datetime | None, ends: datetime | None) -> str:
    """Write a half-open period: ``3 Jun 2026 10:00 → until changed``."""
    end = translate("Text", "until changed") if ends is None else instant(ends)
    return f"{instant(begins)} → {end}"


def period_exact(begins: datetime | None, ends: datetime | None) -> str:
    """Write a half-open period exactly, in UTC: ``[2026-06-03T10:00:00Z, …)``."""
    return f"[{exact(begins)}, {ELLIPSIS if ends is None else exact(ends)})"


_MINUTE: Final = 60
_HOUR: Final = 3_600
_DAY: Final = 86_400
_UNITS: Final = (("d", _DAY), ("h", _HOUR), ("min", _MINUTE), ("s", 1))


def duration(length: timedelta) -> str:
    """Write a length of time in its two largest units: ``2 h 5 min``, ``3 d``, ``250 ms``."""
    sign = "\u2212" if length < timedelta(0) else ""
    length = abs(length)
    if length < timedelta(seconds=1):
        return f"{sign}{number(length // timedelta(milliseconds=1))} ms"
    rest = round(length.total_seconds())
    parts: list[str] = []
    for unit, seconds in _UNITS:
        count, rest = divmod(rest, seconds)
        if count:
            parts.append(f"{number(count)} {unit}")
        if parts and (len(parts) == 2 or not count):
            break
    return sign + " ".join(parts)


class RelativeTime(QObject):
    """The words for how far away an instant is.

    An object, since lupdate sees the forms of ``%n`` in `tr` only.
    """

    def words(self, seconds: int) -> str:
        """Say how long ago (or, below 0, how long from now) something is."""
        is_past, seconds = seconds >= 0, abs(seconds)
        if seconds < _MINUTE:
            return self.tr("just now") if is_past else self.tr("in a moment")
        if seconds < _HOUR:
            n = seconds // _MINUTE
            return (
                self.tr("%n minute(s) ago", "", n) if is_past else self.tr("in %n minute(s)", "", n)
            )
        if seconds < _DAY:
            n = seconds // _HOUR
            return self.tr("%n hour(s) ago", "", n) if is_past else self.tr("in %n hour(s)", "", n)
        if seconds < 60 * _DAY:
            n = seconds // _DAY
            return self.tr("%n day(s) ago", "", n) if is_past else self.tr("in %n day(s)", "", n)
        if seconds < 730 * _DAY:
            n = seconds // (30 * _DAY)
            return (
                self.tr("%n month(s) ago", "", n) if is_past else self.tr("in %n month(s)", "", n)
            )
        n = seconds // (365 * _DAY)
        return self.tr("%n year(s) ago", "", n) if is_past else self.tr("in %n year(s)", "", n)


@cache
def _relative_time() -> RelativeTime:
    return RelativeTime()


def relative(at: datetime, now: datetime) -> str:
    """Write how long ago or ahead an instant is; only ever beside the instant itself."""
    return _relative_time().words(int((now - at).total_seconds()))


def read_stated(typed: str) -> StatedInstant | None:
    """Read what a person typed as an instant: ISO 8601, a date of the locale, or "now".

    A time without an offset is read in the zone of the format in force; a date, month or year
    begins at its first instant there.

    Returns:
        The instant in UTC and how exact it is, or None for "now" and for nothing typed.

    Raises:
        store.errors.Invalid: it is none of these; the message says what would be.
    """
    typed = typed.strip()
    if typed.casefold() in {"", "now", translate("Text", "now").casefold()}:
        return None
    return _read_by_locale(typed) or parse_instant(typed, zone=_format.zone or _own_zone())


def read_instant(typed: str) -> datetime | None:
    """Read what a person typed as `read_stated` does, and give the instant only."""
    stated = read_stated(typed)
    return None if stated is None else stated.instant


def _read_by_locale(typed: str) -> StatedInstant | None:
    """Read a date or time in any form that is shown, with a month's short or full name.

    English abbreviations, as in ``4 Sep 2026``, count in every locale: sources are full of them,
    and British English abbreviates otherwise.
    """
    locale = _format.locale
    for named in (locale, QLocale.c()):
        for form, precision in _typed_forms(locale.name()):
            found = named.toDateTime(typed, form)
            if found.isValid() and found.date().year() >= 1000:
                on, at = found.date(), found.time()
                naive = datetime(  # noqa: DTZ001 - the zone comes next
                    on.year(), on.month(), on.day(), at.hour(), at.minute(), at.second()
                )
                return StatedInstant(from_local(naive), precision, typed)
    return None


@cache
def _typed_forms(name: str) -> tuple[tuple[str, Precision], ...]:
    """Give the forms in which dates and times are read in a locale, and how exact each is."""
    locale = QLocale(name)
    clock = locale.timeFormat(QLocale.FormatType.ShortFormat)
    day_form, month_form = _date_formats(name)
    days = (
        day_form,
        day_form.replace("MMM", "MMMM"),
        locale.dateFormat(QLocale.FormatType.ShortFormat),
    )
    clocks = (
        ("", Precision.DAY),
        (f" {clock}", Precision.MINUTE),
        (" HH:mm", Precision.MINUTE),
        (" HH:mm:ss", Precision.INSTANT),
    )
    months = (month_form, month_form.replace("MMM", "MMMM"))
    return (
        *((day + at, precision) for day in days for at, precision in clocks),
        *((month, Precision.MONTH) for month in months),
    )


def from_local(naive: datetime) -> datetime:
    """Give the instant in UTC of a naive time read in the zone of the format in force."""
    zone = _format.zone
    there = naive.astimezone() if zone is None else naive.replace(tzinfo=zone)
    return there.astimezone(UTC)


def _own_zone() -> tzinfo:
    return datetime.now(UTC).astimezone().tzinfo or UTC


# --- what a store holds ---------------------------------------------------------------------


def visible(text: str, *, keeps_lines: bool = False) -> str:
    """Show every control, bidirectional and invisible character as a mark.

    The marks are those of `store.encoding.visible` (``⏎``, ``→``, ``⟨U+202E⟩``).

    Args:
        text: anything that came from a store or a file.
        keeps_lines: whether line feeds and tabs stay as they are, for text of several lines.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    if not keeps_lines:
        return encoding.visible(text)
    return "".join(
        part if part in ("\n", "\t") else encoding.visible(part)
        for part in re.split(r"([\n\t])", text)
    )


def one_line(text: str, limit: int = 200) -> str:
    """Show a text on one line, cut with an ellipsis after `limit` characters."""
    # Marks only make it longer, so what lies beyond the limit need not be looked at.
    shown = visible(text[: limit + 1])
    return shown if len(text) <= limit and len(shown) <= limit else shown[: limit - 1] + ELLIPSIS


def value_line(value: Any, limit: int = 200) -> str:
    """Show a JSON value on one line.

    A string stands without quotes unless it would read as another kind of value: ``gold``,
    ``2026-06-30`` and ``"42"``, against ``42``, ``true`` and ``null``.
    """
    if isinstance(value, str):
        return one_line(value, limit) if _is_plainly_text(value) else one_line(_json(value), limit)
    return one_line(_json(value), limit)


def _is_plainly_text(value: str) -> bool:
    if not value or value != value.strip() or value[0] in '"[{':
        return False
    if len(value) > 64:  # no number, true, false or null that anyone wrote
        return True
    try:
        json.loads(value)
    except (ValueError, RecursionError):
        return True
    return False


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def value_pretty(value: Any) -> str:
    """Show a JSON value on as many lines as it needs, in JSON's own writing."""
    return visible(_json(value, indent=2), keeps_lines=True)


def isolate(text: str) -> str:
    """Wrap a shown value so that its direction cannot reorder the sentence around it."""
    return f"\u2068{text}\u2069"


def tooltip(text: str) -> str:
    """Give text for a tool tip: wrapped by Qt, with nothing in it read as HTML.

    Qt takes a tool tip that looks like HTML for HTML, so a value from a store must come this way.
    """
    lines = html.escape(visible(text, keeps_lines=True), quote=False).replace("\n", "<br>")
    return f"<qt>{lines}</qt>"
