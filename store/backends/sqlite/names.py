"""What is known of a store and never changes: names by number, tenants, types of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.backends.sqlite.codec import unreadable

if TYPE_CHECKING:
    from store.backends.sqlite.library import Connection


class Names:
    """What is known of one store. Nothing of it is ever taken away or changed, so it never ages.

    Agents and programs are meant by number. The type of an attribute is that of its first
    registration, which no other changes and no revert takes back.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._tenants: dict[str, int] = {}
        self._types: dict[tuple[int, str], str] = {}
        self._writers: dict[tuple[str, str, str], tuple[int, int, int]] = {}

    def tenant_no(self, connection: Connection, tenant_id: str) -> int | None:
        """Return the number of a tenant, None before its first commit."""
        known = self._tenants.get(tenant_id)
        if known is not None:
            return known
        statement = "SELECT tenant_no FROM tenant WHERE tenant_id = ?"
        found = connection.execute(statement, (tenant_id,)).fetchone()
        if found is None:
            return None
        number: int = found[0]
        self._tenants[tenant_id] = number
        return number

    def writer(
        self, connection: Connection, tenant_id: str, agent_id: str, tool: str
    ) -> tuple[int, int, int] | None:
        """Return the numbers of a tenant, an agent and a program; None if one is not known."""
        who = (tenant_id, agent_id, tool)
        known = self._writers.get(who)
        if known is not None:
            return known
        tenant_no = self.tenant_no(connection, tenant_id)
        agent_no = self.number(connection, agent_id)
        tool_no = self.number(connection, tool)
        if tenant_no is None or agent_no is None or tool_no is None:
            return None
        self._writers[who] = known = (tenant_no, agent_no, tool_no)
        return known

    def memory_type(self, connection: Connection, tenant_no: int, attribute: str) -> str:
        """Return the type of an attribute that has facts."""
        known = self._types.get((tenant_no, attribute))
        if known is not None:
            return known
        statement = "SELECT memory_type FROM attribute WHERE tenant_no = ? AND name = ? LIMIT 1"
        found = connection.execute(statement, (tenant_no, attribute)).fetchone()
        if found is None:
            return "fact"
        memory_type: str = found[0]
        self._types[tenant_no, attribute] = memory_type
        return memory_type

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
