"""Instants, half-open periods, and the point on both time axes from which one looks.

An instant is an aware UTC `datetime` in Python and a 64-bit count of microseconds since 1970 in
rows and files. Times are never compared as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from typing import Final

from store.errors import Invalid

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)
EARLIEST: Final = -62_135_596_800_000_000
"""0001-01-01T00:00Z in microseconds: the earliest instant that Python can show."""
LATEST: Final = 253_402_300_799_999_999
"""9999-12-31T23:59:59.999999Z in microseconds: the latest instant that Python can show."""


class Precision(StrEnum):
    """How exact a bound is."""

    INSTANT = "instant"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class Basis(StrEnum):
    """Which clock set a bound."""

    STATED = "stated"
    EPISODE = "episode"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


def to_micros(instant: datetime) -> int:
    """Return microseconds since 1970 for an aware instant.

    Raises:
        Invalid: the instant is naive, or its offset takes it out of the years 1 to 9999 in UTC.
    """
    if instant.tzinfo is None:
        raise Invalid(f"The time {instant.isoformat()} has no zone; give an offset such as Z.")
    micros = (instant - EPOCH) // MICROSECOND
    if not EARLIEST <= micros <= LATEST:
        raise Invalid(f"The time {instant.isoformat()} lies outside the years 1 to 9999 in UTC.")
    return micros


def from_micros(micros: int) -> datetime:
    """Return the UTC instant of a count of microseconds since 1970.

    Raises:
        Invalid: the count lies outside the years 1 to 9999.
    """
    if not EARLIEST <= micros <= LATEST:
        raise Invalid(f"The instant {micros} µs lies outside the years 1 to 9999.")
    return EPOCH + timedelta(microseconds=micros)


def iso(micros: int) -> str:
    """Return the shortest exact ISO 8601 text of an instant in microseconds, in UTC with a Z."""
    instant = from_micros(micros)
    timespec = "microseconds" if instant.microsecond else "seconds"
    return instant.replace(tzinfo=None).isoformat(timespec=timespec) + "Z"


@dataclass(frozen=True, slots=True)
class StatedInstant:
    """An instant as a source gave it: when, how exactly, the original text, and in which zone."""

    instant: datetime
    precision: Precision
    text: str
    zone: tzinfo = UTC

    @property
    def period_end(self) -> datetime:
        """The first instant after the stated year, month, day or minute; else the instant.

        A year, month or day ends by the calendar of the zone in which it was stated.

        Raises:
            Invalid: it ends after the year 9999.
        """
        try:
            return self._end_of_period(self.instant.astimezone(self.zone)).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise Invalid(f"{self.text!r} ends after the year 9999.") from error

    def _end_of_period(self, at: datetime) -> datetime:
        match self.precision:
            case Precision.YEAR:
                return at.replace(year=at.year + 1)
            case Precision.MONTH:
                return at.replace(year=at.year + at.month // 12, month=at.month % 12 + 1)
            case Precision.DAY:
                return at + timedelta(days=1)
            case Precision.MINUTE:
                return at + timedelta(minutes=1)
            case Precision.INSTANT:
                return at


_PARTS: Final = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)"
    r"(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"\s?(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?)?)?",
    re.ASCII,
)


def parse_instant(text: str, zone: tzinfo | None = None) -> StatedInstant:
    """Read ISO 8601: a year, month, date, or date and time with an offset.

    A date, month or year begins at its first instant in `zone`, or UTC. A time of day without an
    offset is refused unless `zone` is given. Digits beyond microseconds are dropped.

    Raises:
        Invalid: the text is no such time, or lacks an offset.
    """
    match = _PARTS.fullmatch(text.strip())
    if match is None:
        raise Invalid(
            f"{text!r} is not a time; write 2026-06-01T09:00Z, 2026-06-01, 2026-06 or 2026."
        )
    parts = match.groupdict()
    offset = _offset(parts["zone"]) or zone
    if parts["hour"] is not None and offset is None:
        raise Invalid(f"The time {text!r} has no offset; add Z or +02:00, or name a zone.")
    fraction = (parts["fraction"] or "")[:6].ljust(6, "0")
    try:
        local = datetime(
            int(parts["year"]),
            int(parts["month"] or 1),
            int(parts["day"] or 1),
            int(parts["hour"] or 0),
            int(parts["minute"] or 0),
            int(parts["second"] or 0),
            int(fraction),
            tzinfo=offset or UTC,
        )
        instant = local.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Invalid(f"{text!r} is not a time: {error}.") from error
    return StatedInstant(instant, _precision(parts), text.strip(), offset or UTC)


def _offset(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    if text in "Zz":
        return UTC
    sign = -1 if text[0] == "-" else 1
    digits = text[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    if minutes >= 24 * 60:
        raise Invalid(f"{text!r} is not an offset from UTC.")
    return timezone(sign * timedelta(minutes=minutes))


def _precision(parts: dict[str, str | None]) -> Precision:
    if parts["second"] is not None:
        return Precision.INSTANT
    if parts["hour"] is not None:
        return Precision.MINUTE
    if parts["day"] is not None:
        return Precision.DAY
    return Precision.YEAR if parts["month"] is None else Precision.MONTH


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open period `[begins, ends)` of UTC instants; `ends` is None while open.

    Raises:
        Invalid: it is empty, or a bound is naive.
    """

    begins: datetime
    ends: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse an empty period and naive bounds."""
        if self.ends is not None and to_micros(self.begins) >= to_micros(self.ends):
            raise Invalid(f"The period from {self.begins} to {self.ends} holds no instant.")
        to_micros(self.begins)

    def holds(self, instant: datetime) -> bool:
        """Say whether an instant lies inside: the beginning does, the end does not."""
        return self.begins <= instant and (self.ends is None or instant < self.ends)


@dataclass(frozen=True, slots=True)
class AsOf:
    """The point on both axes from which one looks.

    Attributes:
        valid_at: the instant in the world that is asked about; None means now.
        known_at: look with what the ledger knew then; None means with the newest transaction.

    Raises:
        Invalid: an instant is naive.
    """

    valid_at: datetime | None = None
    known_at: datetime | None = None

    def __post_init__(self) -> None:
        """Refuse naive instants."""
        for instant in (self.valid_at, self.known_at):
            if instant is not None:
                to_micros(instant)

    @property
    def is_now(self) -> bool:
        """Whether neither axis is held at a chosen instant."""
        return self.valid_at is None and self.known_at is None


NOW: Final = AsOf()
"""Current truth as the ledger knows it now."""
