"""How a fact looks: a tint by its value, marks and words by its state.

The screen and the reports share this, so that one value has one tint everywhere and one state one
sign. Nothing here knows a colour: a tint is a number, which a theme turns into a colour.
"""

from __future__ import annotations

import json
import re
import unicodedata
from enum import StrEnum
from typing import Final
from zlib import crc32

from store.query import Mark

TINTS: Final = 8
"""How many tints there are."""

VALUE_CUT: Final = 200
"""A tint depends on so many characters of a value's text, for long values are shown cut."""

_SPREAD: Final = 0x9E3779B1  # 2**32 / golden ratio: neighbouring checksums fall far apart


class State(StrEnum):
    """What a fact is at the instant from which one looks."""

    CURRENT = "current"
    DISPUTED = "disputed"
    FUTURE = "future"
    ENDED = "ended"


SIGNS: Final[dict[State, str]] = {
    State.CURRENT: "●",
    State.DISPUTED: "◆",
    State.FUTURE: "○",
    State.ENDED: "■",
}
"""One sign for each state: colour never says it alone."""

_MARK_WORDS: Final[tuple[tuple[Mark, str], ...]] = (
    (Mark.DISPUTED, "disputed"),
    (Mark.RESTATED, "said again"),
    (Mark.IMPRECISE, "imprecise start"),
    (Mark.ASSUMED, "assumed start"),
    (Mark.BELIEVED, "believed then"),
    (Mark.CONFIRMED, "confirmed"),
)

_SHORT_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_SEEN_BREAKS: Final = {"\n": "⏎", "\r": "⏎", "\t": "→"}
_JOINERS: Final = "\u200c\u200d"
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U000e0100-\U000e01ef]"
)
"""Blank or without any width, though Unicode files them under letters, marks or symbols; the
variation selectors of the supplement can carry a hidden text."""


def tint_of(value: str) -> int:
    """Return the tint, 0 to 7, of a value given as canonical JSON text.

    It depends on the first 200 characters only, and is the same on every machine and in every run.
    """
    checksum = crc32(value[:VALUE_CUT].encode("utf-8", "surrogatepass"))
    return (checksum * _SPREAD & 0xFFFFFFFF) >> 29


def label_of(value: str) -> str:
    """Return one line to show for a value given as canonical JSON text, whole or cut.

    A string is shown without its quotes, anything else as it is written. What cannot be seen
    (control and bidirectional characters, line breaks) is made visible, see `visible`.
    """
    if not value.startswith('"'):
        return visible(value)
    try:
        return visible(str(json.loads(value)))
    except ValueError:
        return visible(_unescape(value[1:])) + "…"


def visible(text: str) -> str:
    """Replace what cannot be seen in a line, or would change how it reads, by something visible.

    Line breaks become ⏎, tabs →, other control and formatting characters (zero width, overrides
    of the writing direction, letters that show nothing) their code in ⟨ ⟩, such as ⟨U+202E⟩.
    Joiners stay where they have a use: inside an emoji or a word of a script that needs them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_seen, text, " " + text))


def state_of(valid_from: int, valid_to: int | None, *, marks: int, at: int) -> State:
    """Return what a fact is at an instant; all times in microseconds since 1970, UTC.

    A dispute outweighs the rest, for it is what a person has to settle.
    """
    if marks & Mark.DISPUTED:
        return State.DISPUTED
    if valid_from > at:
        return State.FUTURE
    if valid_to is not None and valid_to <= at:
        return State.ENDED
    return State.CURRENT


def mark_words(marks: int) -> tuple[str, ...]:
    """Return the marks in words, in a fixed order; English, the screen translates them."""
    return tuple(word for mark, word in _MARK_WORDS if marks & mark)


def _seen(character: str, before: str) -> str:
    """Return a character, or what stands for it if it cannot be seen."""
    if character in _SEEN_BREAKS:
        return _SEEN_BREAKS[character]
    if character in _JOINERS and not before.isascii() and before not in _JOINERS:
        return character
    is_unseen = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    if is_unseen or _BLANK.match(character):
        return f"⟨U+{ord(character):04X}⟩"
    return character


def _unescape(text: str) -> str:
    """Undo the escapes of a JSON string that was cut; a cut escape at its end is dropped."""
    pieces = text.split("\\\\")
    return "\\".join(_unescape_plain(piece) for piece in pieces)


def _unescape_plain(text: str) -> str:
    """Undo the escapes of text without an escaped backslash."""
    first, *rest = text.split("\\")
    shown = [first]
    for piece in rest:
        if piece.startswith("u"):
            shown.append(chr(int(piece[1:5], 16)) + piece[5:] if len(piece) > 4 else "")
        else:
            shown.append(_SHORT_ESCAPES.get(piece[:1], piece[:1]) + piece[1:])
    return "".join(shown)
