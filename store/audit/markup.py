"""Markup that is only ever ours: whatever is not `Markup` already is escaped on its way in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from store.encoding import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.audit.words import Words

_HARD_SPACES: Final = str.maketrans("\u00a0\u202f", "  ")
_ATTRIBUTES: Final = {"class_": "class"}


class Markup(str):
    """Text that is HTML or SVG already."""

    __slots__ = ()


Piece = str | Markup


def safe(piece: Piece) -> Markup:
    """Escape text for a page, content or quoted attribute; markup stays as it is.

    What cannot be seen or would change how a line reads is made visible first.
    """
    if isinstance(piece, Markup):
        return piece
    # Nearly all text is printable but for our own hard spaces; the rest is looked at in detail.
    is_plain = piece.isprintable() or piece.translate(_HARD_SPACES).isprintable()
    return Markup(escape(piece if is_plain else visible(piece), quote=True))


def tag(name: str, *content: Piece, **attributes: str | int | None) -> Markup:
    """Write an element with its content.

    Args:
        name: the element's.
        content: text is escaped, markup is not.
        attributes: by name, `_` for `-` and `class_` for ``class``; None leaves one out.
    """
    return Markup(f"{opening(name, **attributes)}{''.join(map(safe, content))}</{name}>")


def void(name: str, **attributes: str | int | None) -> Markup:
    """Write an element of SVG that has no content."""
    return Markup(f"{opening(name, **attributes)[:-1]}/>")


def opening(name: str, **attributes: str | int | None) -> Markup:
    """Write the tag that opens an element."""
    written = "".join(
        f' {_ATTRIBUTES.get(key, key.replace("_", "-"))}="{safe(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{written}>")


def join(*pieces: Piece, by: Piece = "") -> Markup:
    """Join pieces, leaving out the empty ones."""
    return Markup(safe(by).join(safe(piece) for piece in pieces if piece))


def say(words: Words, sentence: str, **gaps: Piece) -> Markup:
    """Return a sentence of a catalogue whose gaps may be filled with markup."""
    return fill(words.form(sentence), gaps)


def count(words: Words, sentence: str, number: int, **gaps: Piece) -> Markup:
    """Return a sentence of a catalogue in the form for a count, which fills the gap `n`."""
    return fill(words.form(sentence, number), {"n": words.number(number), **gaps})


def fill(form: str, gaps: Mapping[str, Piece]) -> Markup:
    """Fill the gaps of a sentence of a catalogue, text or markup."""
    return Markup(safe(form).format(**{name: safe(piece) for name, piece in gaps.items()}))
