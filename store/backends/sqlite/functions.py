"""What SQL statements ask of Python: comparisons whose rule is a Python rule.

The driver cuts a text that goes to or comes from a function at its first NUL character. So
functions take values as canonical JSON, which escapes it, and all other text that may hold one as
bytes (`as_bytes`); and they return bytes, whose order is that of the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import LargeBinary, literal

from store.backends import filters

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from store.backends.sqlite.library import Connection


def register(connection: Connection) -> None:
    """Register the functions; all depend on their arguments only."""
    for count, function in (
        (1, folded),
        (1, folded_value),
        (3, names_have),
        (4, value_has),
        (3, content_has),
        (2, matches),
        (2, matches_value),
    ):
        connection.create_function(function.__name__, count, function, deterministic=True)


def as_bytes(text: str) -> ColumnElement[bytes]:
    """Return a text as an argument of a function."""
    return literal(text.encode("utf-8", "surrogatepass"), LargeBinary)


def folded(text: str) -> bytes:
    """Return a text without regard to case."""
    return text.casefold().encode()


def folded_value(value: str) -> bytes:
    """Return what a canonical value shows, without regard to case."""
    return filters.shown(value).casefold().encode()


def names_have(words: bytes, subject: str, attribute: str) -> bool:
    """Say whether all words occur in two names."""
    return filters.has_words(_text(words), subject, attribute)


def value_has(words: bytes, subject: str, attribute: str, value: str) -> bool:
    """Say whether all words occur in two names and a canonical value."""
    return filters.has_words(_text(words), subject, attribute, filters.shown(value))


def content_has(words: bytes, place: str, content: bytes) -> bool:
    """Say whether all words occur in a name and a content."""
    return filters.has_words(_text(words), place, _text(content))


def matches(expression: bytes, text: object) -> bool:
    """Say whether a regular expression is found in a text."""
    return filters.matches_expression(_text(expression), str(text))


def matches_value(expression: bytes, value: str) -> bool:
    """Say whether a regular expression is found in what a canonical value shows."""
    return filters.matches_expression(_text(expression), filters.shown(value))


def _text(argument: bytes) -> str:
    return argument.decode("utf-8", "surrogatepass")
