"""The words, numbers and dates of a report in each language, from catalogues that need no Qt.

A catalogue is a JSON object in ``catalogues/``: from the name of a sentence to its text, or to its
forms by plural category (CLDR: `one`, `many`, `other`). Times are in UTC.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from store.errors import Invalid
from store.temporal import Precision, from_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LANGUAGES: Final = ("en", "es")
"""Codes (BCP 47) of the languages in which reports are written."""

Entry = str | dict[str, str]

_CATALOGUES: Final = Path(__file__).with_name("catalogues")
_MILLION: Final = 1_000_000


def _english_plural(count: int) -> str:
    return "one" if count == 1 else "other"


def _spanish_plural(count: int) -> str:
    # "1.000.000 de hechos": whole millions take a preposition.
    if count and count % _MILLION == 0:
        return "many"
    return "one" if count == 1 else "other"


@dataclass(frozen=True)
class _Habits:
    """How a language writes numbers and times of day.

    Attributes:
        group: stands between groups of three digits.
        least_grouped: the smallest number that is written in groups.
        point: stands before the fraction.
        percent: what follows the number in a share.
        hour: the format of an hour.
    """

    group: str
    least_grouped: int
    point: str
    percent: str
    hour: str
    plural: Callable[[int], str]


_HABITS: Final = {
    "en": _Habits(",", 1_000, ".", "%", "02", _english_plural),
    "es": _Habits(".", 10_000, ",", "\u00a0%", "", _spanish_plural),
}


@cache
def catalogue(language: str) -> Mapping[str, Entry]:
    """Return the catalogue of a language.

    Raises:
        Invalid: there is none.
    """
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise Invalid(f"There is no report in the language {language!r}; choose one of {known}.")
    entries: dict[str, Entry] = json.loads(
        (_CATALOGUES / f"{language}.json").read_text(encoding="utf-8")
    )
    return entries


class Words:
    """One language: sentences with their gaps filled, numbers, dates.

    What fills a gap stands as it is: make it visible, or markup, before.

    Raises:
        Invalid: there is no catalogue for the language.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._entries = catalogue(language)
        self._habits = _HABITS[language]

    def form(self, name: str, count: int | None = None) -> str:
        """Return a sentence with its gaps unfilled, in the form for a count if it has forms.

        Raises:
            KeyError: the catalogue has no such sentence.
        """
        entry = self._entries[name]
        if isinstance(entry, str):
            return entry
        category = self._habits.plural(0 if count is None else count)
        return entry.get(category, entry["other"])

    def say(self, name: str, **gaps: str) -> str:
        """Return a sentence, its gaps filled by name."""
        return self.form(name).format(**gaps)

    def count(self, name: str, count: int, **gaps: str) -> str:
        """Return a sentence in the form for a count, which fills the gap `n`."""
        return self.form(name, count).format(n=self.number(count), **gaps)

    def kind(self, family: str, kind: str) -> str | None:
        """Return the word for a kind, such as an episode's; None where there is none."""
        entry = self._entries.get(f"{family}.{kind}")
        return entry if isinstance(entry, str) else None

    # -- numbers ------------------------------------------------------------------------------

    def number(self, value: int) -> str:
        """Write a whole number: ``48,210``."""
        if abs(value) < self._habits.least_grouped:
            return str(value)
        return f"{value:,}".replace(",", self._habits.group)

    def decimal(self, value: float) -> str:
        """Write a fraction with two places: ``0.94``."""
        return f"{value:.2f}".replace(".", self._habits.point)

    def share(self, part: int, whole: int) -> str:
        """Write a part of a whole in per cent: ``94%``; never 0 or 100 unless it is just that."""
        if not whole:
            return "–"
        percent = part * 100 / whole
        if 0 < percent < 1:
            figure = "<\u202f1"
        elif 99 < percent < 100:
            figure = ">\u202f99"
        else:
            figure = str(round(percent))
        return figure + self._habits.percent

    # -- times --------------------------------------------------------------------------------

    def month(self, month: int) -> str:
        """Return the short name of a month, 1 to 12."""
        return self.form("months").split()[month - 1]

    def day(self, at: int) -> str:
        """Write the day of an instant in microseconds: ``3 Jun 2026``."""
        there = from_micros(at)
        return f"{there.day}\u00a0{self.month(there.month)}\u00a0{there.year:04}"

    def short_day(self, at: int) -> str:
        """Write the day of an instant without its year: ``3 Jun``."""
        there = from_micros(at)
        return f"{there.day}\u00a0{self.month(there.month)}"

    def clock(self, at: int, *, has_seconds: bool = False) -> str:
        """Write the time of day of an instant in microseconds: ``10:00``, ``10:00:04``."""
        there = from_micros(at)
        seconds = f":{there.second:02}" if has_seconds else ""
        return f"{there.hour:{self._habits.hour}}:{there.minute:02}{seconds}"

    def instant(self, at: int, precision: str | None = None, *, has_seconds: bool = False) -> str:
        """Write an instant in microseconds as short as it is exact: ``2026``, ``3 Jun 2026 10:00``.

        Args:
            at: microseconds since 1970, UTC.
            precision: how exact it is. When None, a midnight is written as the day.
            has_seconds: whether to write seconds too, as for the time of recording.
        """
        there = from_micros(at)
        if precision == Precision.YEAR:
            return f"{there.year:04}"
        if precision == Precision.MONTH:
            return f"{self.month(there.month)}\u00a0{there.year:04}"
        is_midnight = (there.hour, there.minute, there.second) == (0, 0, 0)
        if precision == Precision.DAY or (precision is None and not has_seconds and is_midnight):
            return self.day(at)
        return f"{self.day(at)} {self.clock(at, has_seconds=has_seconds)}"

    def period(self, begins: int, ends: int | None, precision: str | None = None) -> str:
        """Write a half-open period in microseconds: ``3 Jun 2026 10:00 → until changed``.

        Args:
            begins: its first instant.
            ends: the first instant after it; None while it is open.
            precision: how exact the beginning is.
        """
        end = self.say("period.open") if ends is None else self.instant(ends)
        return self.say("period.whole", begins=self.instant(begins, precision), ends=end)
