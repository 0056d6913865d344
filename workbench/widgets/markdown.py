"""Markdown of unknown origin as tokens, with the characters of the source found again in them.

HTML is off: a tag is text like any other. To say where a span of the source stands in what is
shown, marks are put into the source at its ends before it is parsed. They are characters that the
source does not use; if they change anything but the texts in which they stand, the span is given
up rather than shown in a wrong place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

LONGEST: Final = 100_000
"""A longer text is not taken for Markdown: it would keep the reader waiting."""
_MOST_SPANS: Final = 40
_MOST_PARSED: Final = 600_000  # characters, over all attempts
_FARTHEST: Final = 12  # characters that an end may move inwards, over markup
_PRIVATE: Final = range(0xE000, 0xF8FF)


@dataclass(frozen=True, slots=True)
class Marked:
    """A text as tokens with the marks of its spans in their contents.

    Attributes:
        tokens: block tokens, with inline tokens as their children.
        opening: the character before each span.
        closing: the character after each span.
    """

    tokens: tuple[Token, ...]
    opening: str
    closing: str


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def merged_spans(spans: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Give spans of a text of some length in order, cut to it, overlapping ones as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(end, length)) for start, end in spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def is_json(content: str) -> bool:
    """Say whether a text is a JSON object or array, which Markdown would only spoil."""
    if content.lstrip()[:1] not in ("{", "["):
        return False
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def mark_spans(content: str, spans: Sequence[tuple[int, int]]) -> Marked | None:
    """Parse a text with its spans marked; None where it is too long or a span cannot be placed.

    Args:
        content: the source.
        spans: pairs (start, end) of characters of the source, in order and apart from each other.
    """
    signs = _unused_characters(content)
    if len(content) > LONGEST or len(spans) > _MOST_SPANS or signs is None:
        return None
    try:
        return _Marking(content, *signs).place(spans)
    except RecursionError:
        return None


def _unused_characters(content: str) -> tuple[str, str] | None:
    """Give two characters for private use that are not in a text, nor written as entities there."""
    if "&#" in content:
        used = {
            char for token in _walk(_parser().parse(_readable(content))) for char in token.content
        }
    else:
        used = set(content)
    free = (chr(code) for code in _PRIVATE if chr(code) not in used)
    opening, closing = next(free, None), next(free, None)
    return None if opening is None or closing is None else (opening, closing)


def _readable(content: str) -> str:
    return content.replace("\0", "⟨U+0000⟩")  # the parser would put another character there


def _walk(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _walk(token.children or ())


class _Marking:
    """Finds for each end of a span the place in a source where a mark does no harm."""

    def __init__(self, content: str, opening: str, closing: str) -> None:
        self._content = content
        self._opening = opening
        self._closing = closing
        self._parsed = 0
        self._shape = self._shape_of(self._parse(()))

    def place(self, spans: Sequence[tuple[int, int]]) -> Marked | None:
        marks = self._all_marks(spans)
        tokens = self._fitting(marks)
        if tokens is None:
            moved = [self._moved(span) for span in spans]
            if None in moved:
                return None
            marks = self._all_marks([span for span in moved if span is not None])
            tokens = self._fitting(marks)
        if tokens is None:
            return None
        return Marked(tuple(tokens), self._opening, self._closing)

    def _all_marks(self, spans: Sequence[tuple[int, int]]) -> list[tuple[int, str]]:
        return [
            mark for start, end in spans for mark in ((start, self._opening), (end, self._closing))
        ]

    def _moved(self, span: tuple[int, int]) -> tuple[int, int] | None:
        """Move the ends of a span inwards over markup, as far as needed."""
        start, end = span
        starts = range(start, min(start + _FARTHEST, end - 1) + 1)
        begins = self._first_fitting(list(starts), self._opening, start)
        if begins is None:
            return None
        ends = range(end, max(end - _FARTHEST, begins + 1) - 1, -1)
        stops = self._first_fitting(list(ends), self._closing, end)
        return None if stops is None else (begins, stops)

    def _first_fitting(self, places: list[int], sign: str, origin: int) -> int | None:
        for place in places:
            skipped = self._content[min(place, origin) : max(place, origin)]
            if any(char.isalpha() for char in skipped):
                return None
            if self._fitting([(place, sign)]) is not None:
                return place
        return None

    def _fitting(self, marks: Sequence[tuple[int, str]]) -> list[Token] | None:
        if self._parsed > _MOST_PARSED:
            return None
        tokens = self._parse(marks)
        shown = sum(self._signs_in(token) for token in _walk(tokens) if not token.children)
        is_same = shown == len(marks) and self._shape_of(tokens) == self._shape
        return tokens if is_same else None

    def _parse(self, marks: Sequence[tuple[int, str]]) -> list[Token]:
        self._parsed += len(self._content)
        parts, done = [], 0
        for place, sign in marks:
            parts += [self._content[done:place], sign]
            done = place
        parts.append(self._content[done:])
        return _parser().parse(_readable("".join(parts)))

    def _signs_in(self, token: Token) -> int:
        return token.content.count(self._opening) + token.content.count(self._closing)

    def _bare(self, text: str) -> str:
        return text.replace(self._opening, "").replace(self._closing, "")

    def _shape_of(self, tokens: Sequence[Token]) -> list[tuple[object, ...]]:
        return [
            (
                token.type,
                token.markup,
                token.info,
                token.map,
                token.hidden,
                sorted(token.attrs.items()),
                self._bare(token.content),
            )
            for token in _walk(tokens)
        ]
