"""Where the ruler has ticks and what stands beside them, from microseconds to centuries. No Qt.

All in UTC and the proleptic Gregorian calendar, years 1 to 9999, like the store.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from store.temporal import EARLIEST, LATEST, from_micros, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterator

_MS: Final = 1_000
_SECOND: Final = 1_000_000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_WEEK: Final = 7 * _DAY
_MONTH: Final = 30.436875 * _DAY
_YEAR: Final = 365.2425 * _DAY
_FIRST_MONDAY: Final = 4 * _DAY  # 5 January 1970


class Unit(IntEnum):
    """What an interval between ticks is counted in."""

    MICROSECOND = 0
    MILLISECOND = 1
    SECOND = 2
    MINUTE = 3
    HOUR = 4
    DAY = 5
    WEEK = 6
    MONTH = 7
    YEAR = 8


class Step(NamedTuple):
    """The interval between ticks: so many of a unit."""

    unit: Unit
    every: int


class Tick(NamedTuple):
    """A tick of the ruler.

    Attributes:
        at: the instant, microseconds since 1970.
        unit: the greatest unit that begins here, which says how its label is written.
    """

    at: int
    unit: Unit


_SIZES: Final[dict[Unit, float]] = {
    Unit.MICROSECOND: 1,
    Unit.MILLISECOND: _MS,
    Unit.SECOND: _SECOND,
    Unit.MINUTE: _MINUTE,
    Unit.HOUR: _HOUR,
    Unit.DAY: _DAY,
    Unit.WEEK: _WEEK,
    Unit.MONTH: _MONTH,
    Unit.YEAR: _YEAR,
}
_DECADES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_SIXTIETHS: Final = (1, 2, 5, 10, 15, 30)
_COUNTS: Final[dict[Unit, tuple[int, ...]]] = {
    Unit.MICROSECOND: _DECADES,
    Unit.MILLISECOND: _DECADES,
    Unit.SECOND: _SIXTIETHS,
    Unit.MINUTE: _SIXTIETHS,
    Unit.HOUR: (1, 2, 3, 6, 12),
    Unit.DAY: (1, 2),
    Unit.WEEK: (1, 2),
    Unit.MONTH: (1, 2, 3, 6),
    Unit.YEAR: (*_DECADES, 1000, 2000, 5000),
}
STEPS: Final = tuple(Step(unit, every) for unit, counts in _COUNTS.items() for every in counts)
"""All intervals between ticks, the shortest first."""


def choose_step(us_per_px: float, room: float) -> Step:
    """Return the shortest interval at which labels of `room` pixels do not touch."""
    for step in STEPS:
        if step.every * _SIZES[step.unit] / us_per_px >= room:
            return step
    return STEPS[-1]


def ticks(valid_from: int, valid_to: int, step: Step) -> list[Tick]:
    """Return the ticks from an instant up to, not including, another."""
    begins, ends = max(valid_from, EARLIEST), min(valid_to, LATEST + 1)
    if begins >= ends:
        return []
    if step.unit >= Unit.MONTH:
        found = _calendar_ticks(begins, ends, step)
    elif step.unit is Unit.DAY and step.every > 1:
        found = _days_of_month(begins, ends, step.every)
    else:
        found = _even_ticks(begins, ends, step)
    return [Tick(at, greatest_unit(at, least=step.unit)) for at in found if begins <= at < ends]


def greatest_unit(at: int, *, least: Unit) -> Unit:
    """Return the greatest unit that begins at an instant, at least `least`."""
    if at % _DAY:
        for unit in (Unit.HOUR, Unit.MINUTE, Unit.SECOND, Unit.MILLISECOND):
            if at % int(_SIZES[unit]) == 0:
                return max(unit, least)
        return least
    date = from_micros(at)
    if date.day == 1:
        return Unit.YEAR if date.month == 1 else max(Unit.MONTH, least)
    return max(Unit.DAY, least)


def _even_ticks(begins: int, ends: int, step: Step) -> Iterator[int]:
    size = int(step.every * _SIZES[step.unit])
    origin = _FIRST_MONDAY if step.unit is Unit.WEEK else 0
    first = begins + (origin - begins) % size
    return iter(range(first, ends, size))


def _days_of_month(begins: int, ends: int, count: int) -> Iterator[int]:
    """Yield every second day, counted from the first of each month; never the 31st before a 1st."""
    for month, following in _months(begins, ends):
        days = (following - month) // _DAY
        for day in range(0, days - count + 1, count):
            yield month + day * _DAY


def _months(begins: int, ends: int) -> Iterator[tuple[int, int]]:
    at = from_micros(begins).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    while to_micros(at) < ends:
        number = at.year * 12 + at.month
        if number >= 12 * 10_000:
            yield to_micros(at), LATEST + 1
            return
        following = datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        yield to_micros(at), to_micros(following)
        at = following


def _calendar_ticks(begins: int, ends: int, step: Step) -> Iterator[int]:
    """Yield the beginnings of months or years; years are counted from the year 0."""
    months = step.every * (12 if step.unit is Unit.YEAR else 1)
    start = from_micros(begins)
    number = (start.year * 12 + start.month - 1) // months * months
    while number < 12 * 10_000:
        if number >= 12:
            at = to_micros(datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC))
            if at >= ends:
                return
            yield at
        number += months
