"""Names of agents and programs, kept once and meant by number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.backends.sqlite.codec import unreadable

if TYPE_CHECKING:
    from store.backends.sqlite.library import Connection


class Names:
    """What is known of the names of one store. Names are never taken away, so it never ages."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str] = {}

    def name(self, connection: Connection, number: int) -> str:
        """Return a name.

        Raises:
            Corrupt: there is no such name.
        """
        known = self._names.get(number)
        if known is not None:
            return known
        found = connection.execute("SELECT name FROM name WHERE name_no = ?", (number,)).fetchone()
        if found is None:
            raise unreadable(KeyError(f"name {number}"))
        name: str = found[0]
        self._names[number] = name
        self._numbers[name] = number
        return name

    def number(self, connection: Connection, name: str) -> int | None:
        """Return the number of a name, None if the store has not met it."""
        known = self._numbers.get(name)
        if known is not None:
            return known
        found = connection.execute("SELECT name_no FROM name WHERE name = ?", (name,)).fetchone()
        if found is None:
            return None
        number: int = found[0]
        self._numbers[name] = number
        self._names[number] = name
        return number
