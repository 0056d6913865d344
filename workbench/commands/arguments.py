"""Reading what was typed: times, zones, JSON, spans, sizes, heads.

A text that cannot be read is a wrong call: `typer.BadParameter`, which ends with exit status 2 and
a sentence that names the option.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import typer

from store.canonical import TOO_DEEP, from_json, is_too_deep
from store.errors import Invalid, TooDeep
from store.model import Span
from store.temporal import AsOf, StatedInstant, parse_instant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.audit.noted import Noted

OPEN: Final = "open"
"""Typed instead of a time, it takes a stated end away."""
_SHOWN: Final = 60
_SPAN: Final = re.compile(r"(\d{1,12}):(\d{1,12})")
_SIZE: Final = re.compile(r"(\d{1,5})[x×](\d{1,5})")
_OFFSET: Final = re.compile(r"[Zz]|[+-]\d\d(:?\d\d)?")
_ENDS_WITH_UTC: Final = re.compile(r".*([Zz]|[+-]00(:?00)?)")
_ENDS_WITH_OFFSET: Final = re.compile(r".*:\d\d.*([Zz]|[+-]\d\d(:?\d\d)?)")
SMALLEST_SIZE: Final = 320
LARGEST_SIZE: Final = 16_384


def wrong(option: str, sentence: str) -> typer.BadParameter:
    """Return the error of a wrong call, to be raised."""
    return typer.BadParameter(sentence, param_hint=option)


@dataclass(frozen=True, slots=True)
class Clock:
    """Reads times in the zone that `--zone` names, else in UTC.

    Attributes:
        name: what was typed as the zone; None without one.
        zone: the zone of dates, and of times of day without an offset; None without one.
    """

    name: str | None = None
    zone: tzinfo | None = None

    @classmethod
    def of(cls, name: str | None) -> Clock:
        """Read a zone: an IANA name such as Europe/Madrid, or an offset such as +02:00."""
        return cls() if name is None else cls(name, _zone(name))

    def stated(self, text: str, option: str) -> StatedInstant:
        """Read a time with its precision."""
        try:
            return parse_instant(text, self.zone)
        except Invalid as error:
            raise wrong(option, str(error)) from error

    def instant(self, text: str, option: str) -> datetime:
        """Read a time as a UTC instant."""
        return self.stated(text, option).instant

    def instant_or_none(self, text: str | None, option: str) -> datetime | None:
        """Read a time that may be left out."""
        return None if text is None else self.instant(text, option)

    def end(self, text: str, option: str) -> datetime | None:
        """Read the end of a period: a time, or `open` for none."""
        return None if text.strip().casefold() == OPEN else self.instant(text, option)

    def words(self, text: str) -> str | None:
        """Return the words of a time that its UTC instant does not tell: an offset, a zone."""
        typed = text.strip()
        if _ENDS_WITH_OFFSET.fullmatch(typed):
            return None if _ENDS_WITH_UTC.fullmatch(typed) else typed
        return None if self.name is None else f"{typed} {self.name}"

    def as_of(self, valid_at: str | None, known_at: str | None) -> AsOf:
        """Read the point on both axes from which one looks."""
        return AsOf(
            self.instant_or_none(valid_at, "--valid-at"),
            self.instant_or_none(known_at, "--known-at"),
        )


def _zone(name: str) -> tzinfo:
    try:
        if _OFFSET.fullmatch(name):
            return datetime.fromisoformat(f"2000-01-01T00:00{name}").tzinfo or UTC
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError) as error:
        sentence = f"{name!r} is not a zone; write one such as Europe/Madrid or +02:00."
        raise wrong("--zone", sentence) from error


def json_value(text: str, option: str = "--value") -> Any:
    """Read a JSON value."""
    try:
        value = from_json(text)
    except TooDeep as error:
        raise wrong(option, str(error)) from error
    except Invalid as error:
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        sentence = (
            f"{shown} is not JSON; a text takes double quotes of its own, "
            f"as in {option} '\"Porto\"'."
        )
        raise wrong(option, sentence) from error
    if is_too_deep(value):
        raise wrong(option, f"{TOO_DEEP}.")
    return value


def span(text: str | None, option: str = "--span") -> Span | None:
    """Read `START:END`, characters of an episode's content; None without one."""
    if text is None:
        return None
    match = _SPAN.fullmatch(text.strip())
    if match is None or int(match[1]) >= int(match[2]):
        sentence = f"{text!r} is not a span; write START:END, such as 10:24."
        raise wrong(option, sentence)
    return Span(start=int(match[1]), end=int(match[2]))


def size(text: str, option: str = "--size") -> tuple[int, int]:
    """Read `WIDTHxHEIGHT` in pixels."""
    match = _SIZE.fullmatch(text.strip())
    sides = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(SMALLEST_SIZE <= side <= LARGEST_SIZE for side in sides):
        sentence = (
            f"{text!r} is not a size; write one such as 1600x900, "
            f"each side {SMALLEST_SIZE} to {LARGEST_SIZE}."
        )
        raise wrong(option, sentence)
    return sides


def head(text: str, option: str = "--head") -> Noted:
    """Read `N:DIGEST`, or the whole line that `head` prints."""
    from store.audit.noted import read_head

    try:
        return read_head(text)
    except Invalid as error:
        raise wrong(option, str(error)) from error


def path(text: str, option: str) -> Path:
    """Read where something is or goes to; an empty text would be the folder one is in."""
    if not text:
        raise wrong(option, "An empty text is no path.")
    return Path(text)


def content(text: str | None, file: str | None) -> tuple[str, dict[str, Any]]:
    """Read an episode's content from the command line, a file, or standard input (`-`).

    Returns:
        the content exactly as it is, and metadata with the file's name.

    Raises:
        Invalid: the file is not text in UTF-8.
        OSError: it cannot be read.
    """
    if (text is None) == (file is None):
        raise wrong("--content", "Give the content either with --content or with --file.")
    if text is not None:
        return text, {}
    assert file is not None
    raw = typer.get_binary_stream("stdin").read() if file == "-" else Path(file).read_bytes()
    try:
        read = raw.decode()
    except UnicodeDecodeError as error:
        raise Invalid(
            f"{file} is not text in UTF-8 (byte {error.start}); nothing was written."
        ) from error
    return read, {} if file == "-" else {"file": Path(file).name}


def only_with(condition: bool, given: Iterable[tuple[str, object]], when: str) -> None:
    """Refuse options that mean something only in another case.

    Args:
        condition: whether it is that case.
        given: pairs of option and what was typed, None where it was left out.
        when: names the case for the sentence.
    """
    for option, typed in given:
        if typed is not None and typed is not False and not condition:
            raise wrong(option, f"It goes with {when} only.")
