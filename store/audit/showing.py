"""How values and names from a store are shown in a report, whatever they hold.

All text from a store comes through here, so that it is one line of characters that can be seen.
Making it safe for a page or for Markdown is the next step, see `store.audit.markup` and
`store.audit.plain`.
"""

from __future__ import annotations

import json
import re
from typing import Final, NamedTuple

from store.encoding import visible

VALUE_SHOWN: Final = 500
"""How many characters of a value or a reason are shown; the files have all of it."""
STATED_SHOWN: Final = 200
NAME_SHOWN: Final = 255
"""How many characters of a name are shown; a store takes no longer ones."""

ELLIPSIS: Final = "…"
_LONGEST_NUMBER: Final = 64
_BEGINS_JSON: Final = frozenset("-0123456789tfnIN")
_BREAKS: Final = re.compile(r"[ \t]*[\t\r\n][ \t\r\n]*")


class Shown(NamedTuple):
    """A text made visible, and how many of its characters were left out at its end."""

    text: str
    left_out: int = 0


def shown_value(value: str, limit: int = VALUE_SHOWN) -> Shown:
    """Show a value given as canonical JSON text.

    A string stands without quotes unless it would read as another kind of value: ``gold`` and
    ``2026-06-30``, but ``"42"`` and ``"null"``, against ``42`` and ``null``.
    """
    return shown_text(_plain(value), limit)


def shown_text(text: str, limit: int = VALUE_SHOWN) -> Shown:
    """Show a text on one line, cut after so many of its characters."""
    return Shown(visible(text[:limit]), max(0, len(text) - limit))


def shown_name(text: str) -> str:
    """Show a name on one line, cut by an ellipsis where it is longer than a name may be."""
    text, left_out = shown_text(text, NAME_SHOWN)
    return text + ELLIPSIS if left_out else text


def flowing(text: str) -> str:
    """Show a passage of a text on one line, its line breaks and tabs as spaces.

    For what stands around a quotation; the quotation itself is shown as it is.
    """
    return visible(_BREAKS.sub(" ", text))


def short_value(value: str, limit: int) -> str:
    """Show a value given as canonical JSON text in at most `limit` characters, cut by an ellipsis.

    Marks of what cannot be seen count as characters.
    """
    text, left_out = shown_value(value, limit)
    if not left_out and len(text) <= limit:
        return text
    return text[: max(0, limit - 1)].rstrip() + ELLIPSIS


def _plain(value: str) -> str:
    if not value.startswith('"'):
        return value
    text = json.loads(value)
    return text if isinstance(text, str) and _reads_as_text(text) else value


def _reads_as_text(text: str) -> bool:
    """Say whether a string without its quotes cannot be taken for another kind of value."""
    if not text or text != text.strip() or text[0] in '"[{':
        return False
    if len(text) > _LONGEST_NUMBER or text[0] not in _BEGINS_JSON:
        return True
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False
