"""What SQL statements ask of Python: comparisons whose rule is a Python rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.backends import filters

if TYPE_CHECKING:
    from store.backends.sqlite.library import Connection


def register(connection: Connection) -> None:
    """Register the functions; all depend on their arguments only."""
    for name, count, function in (
        ("casefold", 1, _casefold),
        ("shown", 1, filters.shown),
        ("has_words", 3, _has_words),
        ("matches", 2, _matches),
    ):
        connection.create_function(name, count, function, deterministic=True)


def _casefold(text: object) -> str:
    return str(text).casefold()


def _has_words(words: str, one: str, other: str) -> bool:
    return filters.has_words(words, one, other)


def _matches(expression: str, text: object) -> bool:
    return filters.matches_expression(expression, str(text))
