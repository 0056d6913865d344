"""One tenant as a scope sees it as of a point on both axes, and facts as they are shown.

`held_plainly` is the read of an agent's turn: one statement that finds the key, the row in force,
and all that a fact shows. It is told at once where that is not enough: other owners or values,
several rows or sources of one fact, conflicts. `Sight` then looks at everything.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from store.backends import view
from store.backends.sqlite import codec
from store.backends.sqlite.ledger import Ledger, tenant_of
from store.backends.sqlite.made import instant, made
from store.model import KEEP, SHARED, ConflictState, Evidence, Fact
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from store.backends.sqlite.library import Connection
    from store.backends.sqlite.names import Names
    from store.contract import Scope
    from store.entry import ConflictCase, EvidenceEntry, Source, TransactionHeader
    from store.temporal import AsOf

_EVER: Final = -(2**63)
_NOTHING: Final[dict[str, Any]] = {}
_KNOWN: Final = """
SELECT max(number) FROM tx, (SELECT ifnull((
    SELECT number FROM tx INDEXED BY tx_time
    WHERE tenant_no = ?1 AND number % 16 = 0 AND recorded_at <= ?2
    ORDER BY recorded_at DESC LIMIT 1), 0) AS passed)
WHERE tenant_no = ?1 AND number >= passed AND number < passed + 16 AND recorded_at <= ?2"""
"""The last transaction up to an instant: near every sixteenth, which an index holds."""

_LIVE: Final = "{row}.tx_to IS NULL"
_THEN: Final = "{row}.tx_from <= ?1 AND ({row}.tx_to IS NULL OR {row}.tx_to > ?1)"
_REACHED: Final = f"""ifnull((SELECT m.hi FROM milestone m
    WHERE m.key_id = k.key_id AND m.tx_from >= ?1 ORDER BY m.tx_from LIMIT 1), {2**63 - 1})"""
"""How far a key's rows reached as of a transaction or a little later."""

_SHOWN: Final = """
SELECT f.memory_id, f.value, f.supersedes, e.episode_id, f.confidence, f.schema_version, f.extra,
  f.agent_no, f.until, f.basis, f.precision, f.valid_from, x.recorded_at, f.tx_from, e.occurred_at,
  f.span_from, f.span_to,
  (SELECT n.valid_from FROM fact n
   WHERE n.key_id = f.key_id AND n.valid_from > f.valid_from AND {n}
     AND NOT (n.memory_id IS f.memory_id AND n.kind & 1 = 0)
   ORDER BY n.valid_from LIMIT 1),
  k.key_id, k.subject, k.attribute, k.owner, k.slot, f.tx_to,
  (SELECT min(p.valid_from) FROM fact p
   WHERE p.key_id = f.key_id AND p.valid_from <= f.valid_from AND {p} AND p.valid_from > ifnull((
     SELECT q.valid_from FROM fact q
     WHERE q.key_id = f.key_id AND q.valid_from < f.valid_from AND {q}
       AND NOT (q.memory_id IS f.memory_id AND q.kind & 1 = 0)
     ORDER BY q.valid_from DESC LIMIT 1), {ever})),
  EXISTS (SELECT 1 FROM involved i WHERE i.key_id = f.key_id),
  EXISTS (SELECT 1 FROM conflict c WHERE c.key_id = f.key_id)
FROM key k
CROSS JOIN fact f ON f.key_id = k.key_id
CROSS JOIN tx x ON x.tenant_no = f.tenant_no AND x.number = f.tx_from
LEFT JOIN episode e ON e.episode_no = f.episode_no
"""
_PLAINLY: Final = """
SELECT f.memory_id, f.value, f.supersedes, e.episode_id, f.confidence, f.schema_version, f.extra,
  f.agent_no, f.until, f.basis, f.precision, f.valid_from, x.recorded_at, f.tx_from, e.occurred_at,
  f.span_from, f.span_to,
  (SELECT n.valid_from FROM fact n NOT INDEXED
   WHERE n.key_id = f.key_id AND n.valid_from > f.valid_from AND {n}
   ORDER BY n.valid_from LIMIT 1),
  f.kind,
  EXISTS (SELECT 1 FROM involved i WHERE i.key_id = f.key_id)
    OR EXISTS (SELECT 1 FROM key o WHERE o.tenant_no = ?2 AND o.subject = ?3 AND o.attribute = ?4
               AND o.key_id <> f.key_id)
FROM key k
CROSS JOIN fact f NOT INDEXED ON f.key_id = k.key_id
CROSS JOIN tx x ON x.tenant_no = f.tenant_no AND x.number = f.tx_from
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE k.tenant_no = ?2 AND k.subject = ?3 AND k.attribute = ?4 AND k.owner = '' AND k.slot = ''
  AND {f} AND f.valid_from <= {at}
ORDER BY f.valid_from DESC LIMIT 1"""
_OTHERS: Final = """
SELECT 1 FROM key WHERE tenant_no = ? AND subject = ? AND attribute = ?
  AND NOT (owner = '' AND slot = '') LIMIT 1"""
"""Whether there are keys of other owners or values."""
_OF_KEYS: Final = """WHERE k.tenant_no = ?2 AND k.subject = ?3 AND k.attribute = ?4 AND {f}
  AND f.kind & 1 = 0 AND f.valid_from = (
    SELECT max(g.valid_from) FROM fact g
    WHERE g.key_id = k.key_id AND {g} AND g.valid_from <= {at})
ORDER BY k.owner, k.slot"""
_OF_ROW: Final = "WHERE k.key_id = ?2 AND f.valid_from = ?3 AND f.tx_from = ?4"


def _believed(template: str, statement: str, **more: str) -> str:
    rows = {name: template.format(row=name) for name in "fgnpq"}
    if template == _THEN:
        rows["n"] += f" AND n.valid_from <= {_REACHED}"
    return statement.format(**rows, **more, ever=_EVER)


_REACHED_AT: Final = f"min(?5, {_REACHED})"
HELD: Final = _believed(_LIVE, _SHOWN + _OF_KEYS, at="?1")
"""The live rows in force: ?1 valid_at, ?2 tenant_no, ?3 subject, ?4 attribute."""
HELD_THEN: Final = _believed(_THEN, _SHOWN + _OF_KEYS, at=_REACHED_AT)
"""The rows in force as of a transaction: ?1 number, then as `HELD`, ?5 valid_at."""
PLAINLY: Final = _believed(_LIVE, _PLAINLY, at="?1")
"""As `HELD`, of the key that all share: the last row up to an instant, and whether it is all."""
PLAINLY_THEN: Final = _believed(_THEN, _PLAINLY, at=_REACHED_AT)
"""As `HELD_THEN`, likewise."""
ROW: Final = _believed(_LIVE, _SHOWN + _OF_ROW)
"""One row: ?1 nothing, ?2 key_id, ?3 valid_from, ?4 tx_from."""
ROW_THEN: Final = _believed(_THEN, _SHOWN + _OF_ROW)
"""One row, its interval as of transaction ?1."""
_SOURCES: Final = """
SELECT o.tx_from, e.episode_id, o.span_from, o.span_to, e.occurred_at
FROM fact o JOIN episode e ON e.episode_no = o.episode_no
WHERE o.memory_id = ?1 AND o.key_id = ?2 AND o.kind = 0
  AND o.tx_from <= ?3 AND (o.tx_to IS NULL OR o.tx_to > ?3)
ORDER BY o.valid_from"""
"""What a fact's statements cite as of a transaction."""
_LINKS: Final = """
SELECT v.tx_from, e.episode_id, v.span_from, v.span_to, e.occurred_at
FROM evidence v JOIN episode e ON e.episode_no = v.episode_no
WHERE v.memory_id = ?1 AND v.key_id = ?2 AND v.tx_from <= ?3 AND (v.tx_to IS NULL OR v.tx_to > ?3)
ORDER BY v.evidence_no"""
"""What supports it besides."""
_TYPE: Final = """
SELECT memory_type FROM attribute WHERE tenant_no = ? AND name = ? AND tx_from <= ?
ORDER BY tx_from DESC, attribute_no DESC LIMIT 1"""
_TYPES: Final = """
SELECT name, memory_type FROM attribute WHERE tenant_no = ? AND tx_from <= ?
ORDER BY tx_from, attribute_no"""
_RAISED: Final = "SELECT DISTINCT key_id FROM conflict WHERE tenant_no = ? AND tx_from <= ?"
_TIME: Final = "SELECT recorded_at FROM tx WHERE tenant_no = ? AND number = ?"


def held_plainly(
    connection: Connection,
    scope: Scope,
    place: tuple[str, str],
    as_of: AsOf,
    now: int,
    names: Names,
) -> tuple[Fact, ...] | None:
    """Return what holds on a subject's attribute if little has to be looked at, else None.

    Args:
        connection: to read with.
        scope: who asks.
        place: the subject and the attribute.
        as_of: when.
        now: microseconds since 1970.
        names: what is known of the store.
    """
    tenant_no = names.tenant_no(connection, scope.tenant_id)
    if tenant_no is None:
        return ()
    valid_at = now if as_of.valid_at is None else to_micros(as_of.valid_at)
    if as_of.known_at is None:
        found = connection.execute(PLAINLY, (valid_at, tenant_no, *place)).fetchone()
    else:
        number = known_at(connection, tenant_no, to_micros(as_of.known_at))
        found = connection.execute(PLAINLY_THEN, (number, tenant_no, *place, valid_at)).fetchone()
    if found is None:
        others = connection.execute(_OTHERS, (tenant_no, *place)).fetchone()
        return () if others is None else None
    if found[19]:
        return None
    if found[18] & 1:
        return ()
    memory_type = names.memory_type(connection, tenant_no, place[1])
    agent_id = names.name(connection, found[7])
    key = (scope.tenant_id, *place, SHARED, "")
    return (fact_shown(key, found, memory_type, agent_id, found[11]),)


def known_at(connection: Connection, tenant_no: int | None, instant: int) -> int:
    """Return the number of a tenant's last transaction that was recorded up to an instant."""
    number: int | None = connection.execute(_KNOWN, (tenant_no, instant)).fetchone()[0]
    return number or 0


_FIELDS: Final = set(Fact.model_fields)
_EVIDENCE_FIELDS: Final = set(Evidence.model_fields)


def fact_shown(
    key: tuple[str, str, str, str, str],
    columns: Sequence[Any],
    memory_type: str,
    agent_id: str,
    begins: int,
    *,
    evidence: tuple[Evidence, ...] | None = None,
    superseded_at: int | None = None,
    confirmed_at: int | None = None,
    is_disputed: bool = False,
) -> Fact:
    """Return a fact from the first columns of `_SHOWN` or `_PLAINLY`.

    Args:
        key: tenant, subject, attribute, owner and slot.
        columns: as the statements give them.
        memory_type: of the attribute.
        agent_id: whose number is among the columns.
        begins: where its interval begins.
        evidence: all of it; None if the row's own source is all.
        superseded_at: when belief in the row had ended, as of the asked transaction.
        confirmed_at: when the latest source occurred, if it is not the row's own.
        is_disputed: whether an open conflict contests it.

    Raises:
        Corrupt: the values are not such as a store writes.
    """
    (
        memory,
        value,
        supersedes,
        episode_id,
        confidence,
        schema_version,
        extra,
        _,
        until,
        basis,
        precision,
        row_from,
        recorded_at,
        tx_from,
        occurred_at,
        span_from,
        span_to,
        ends,
    ) = columns[:18]
    try:
        memory_id = codec.unpack_id(memory)
        more = json.loads(extra) if extra else _NOTHING
        if evidence is None:
            source = {
                "memory_id": memory_id,
                "episode_id": episode_id,
                "span": None if span_from is None else view.span_of((span_from, span_to)),
                "transaction": tx_from,
            }
            evidence = (made(Evidence, source, _EVIDENCE_FIELDS),)
        began = instant(begins)
        shown = {
            "tenant_id": key[0],
            "memory_id": memory_id,
            "subject": key[1],
            "attribute": key[2],
            "value": codec.value_of(value),
            "memory_type": memory_type,
            "schema_version": schema_version,
            "valid_from": began,
            "valid_to": None if ends is None else instant(ends),
            "supersedes_memory_id": None if supersedes is None else codec.unpack_id(supersedes),
            "source_episode_id": episode_id,
            "confidence": confidence,
            "retention_policy": more.get("retention_policy", KEEP),
            "agent_id": agent_id,
            "owner": key[3],
            "slot": key[4],
            "until": None if until is None else instant(until),
            "valid_from_basis": codec.BASES[basis],
            "precision": codec.PRECISIONS[precision],
            "stated_as": more.get("stated_as"),
            "row_from": began if begins == row_from else instant(row_from),
            "recorded_at": instant(recorded_at),
            "superseded_at": None if superseded_at is None else instant(superseded_at),
            "transaction": tx_from,
            "last_confirmed_at": instant(occurred_at if confirmed_at is None else confirmed_at),
            "disputed": is_disputed,
            "evidence": evidence,
        }
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise codec.unreadable(error) from error
    return made(Fact, shown, _FIELDS)


class Sight(Ledger):
    """What a scope sees.

    Attributes:
        valid_at: microseconds since 1970.
        newest: number of the tenant's newest transaction.
        number: of the one that the known-at resolves to.
        then: the same, or None where it is the newest: live rows then answer.
    """

    def __init__(
        self, connection: Connection, scope: Scope, as_of: AsOf, now: int, names: Names
    ) -> None:
        self.tenant = tenant_of(connection, scope.tenant_id)
        super().__init__(connection, scope.tenant_id, self.tenant.tenant_no, names)
        self.scope = scope
        self.valid_at = now if as_of.valid_at is None else to_micros(as_of.valid_at)
        self.newest = self.tenant.number
        self.number = self.newest
        if as_of.known_at is not None:
            self.number = known_at(connection, self.tenant_no, to_micros(as_of.known_at))
        self.then = None if self.number == self.newest else self.number
        self.headers: dict[int, TransactionHeader] = {}
        self._types: dict[str, str] | None = None
        self._cases: dict[int, list[ConflictCase]] = {}
        self._contested: dict[int, dict[str, list[ConflictCase]]] = {}

    @property
    def values(self) -> dict[str, int | None]:
        """What statements of `facts` are about, by the names of their parameters."""
        return {
            "tenant": self.tenant_no,
            "then": self.then,
            "number": self.number,
            "valid_at": self.valid_at,
        }

    @property
    def is_alone(self) -> bool:
        """Whether the store has no other tenant, so that looking at its rows means at all rows."""
        found = self.connection.execute("SELECT 1 FROM tenant LIMIT 2").fetchall()
        return len(found) == 1

    # -- facts --------------------------------------------------------------------------------

    def held(self, subject: str, attribute: str) -> tuple[Fact, ...]:
        """Return what holds on a subject's attribute, for each owner and slot in turn."""
        place = (self.tenant_no, subject, attribute)
        if self.then is None:
            found = self.connection.execute(HELD, (self.valid_at, *place)).fetchall()
        else:
            values = (self.then, *place, self.valid_at)
            found = self.connection.execute(HELD_THEN, values).fetchall()
        sees = self.scope.sees
        return tuple([self.fact(columns) for columns in found if sees(columns[21])])

    def fact_at(
        self, key_id: int, valid_from: int, tx_from: int, believed: int | None = None
    ) -> Fact:
        """Return the fact that a row shows, its interval as of a transaction other than asked."""
        then = self.then if believed is None else believed
        place = (then, key_id, valid_from, tx_from)
        statement = ROW if then is None else ROW_THEN
        columns = self.connection.execute(statement, place).fetchone()
        if columns is None:
            raise codec.unreadable(KeyError(f"row {place}"))
        return self.fact(columns, believed)

    def fact(self, columns: Sequence[Any], then: int | None = None) -> Fact:
        """Return a fact from the columns of `_SHOWN`, its interval as of a transaction."""
        memory, begins, ends = columns[0], columns[24], columns[17]
        key_id, subject, attribute, owner, slot, tx_to = columns[18:24]
        is_involved, has_cases = columns[25:27]
        evidence, confirmed_at = None, None
        if is_involved:
            more = self._more_sources(memory, key_id, self.number if then is None else then)
            span = None if columns[15] is None else (columns[15], columns[16])
            source = (columns[13], columns[3], span)
            sources = [found for found, _ in more]
            evidence = view.evidence_from(codec.unpack_id(memory), source, sources)
            confirmed_at = max(columns[14], *(at for _, at in more)) if more else None
        is_ended = tx_to is not None and tx_to <= self.number
        return fact_shown(
            (self.tenant_id, subject, attribute, owner, slot),
            columns,
            self.memory_type(attribute),
            self.name(columns[7]),
            begins,
            evidence=evidence,
            superseded_at=self.clock_of(tx_to) if is_ended else None,
            confirmed_at=confirmed_at,
            is_disputed=bool(has_cases)
            and self._is_disputed(key_id, codec.unpack_id(memory), begins, ends),
        )

    def _more_sources(self, memory: Any, key_id: int, believed: int) -> list[tuple[Source, int]]:
        """Return what else supports a fact, and when each of it occurred.

        Statements count as of the transaction by which its interval is shown.
        """
        found = self.connection.execute(_SOURCES, (memory, key_id, believed)).fetchall()
        found += self.connection.execute(_LINKS, (memory, key_id, self.number)).fetchall()
        return [
            ((number, episode_id, None if start is None else (start, end)), occurred_at)
            for number, episode_id, start, end, occurred_at in found
        ]

    def _is_disputed(self, key_id: int, memory_id: str, begins: int, ends: int | None) -> bool:
        return any(c.disputes(memory_id, begins, ends) for c in self._contesting(key_id, memory_id))

    # -- what goes with them ------------------------------------------------------------------

    def cases_on(self, key_id: int) -> list[ConflictCase]:
        """Return the conflicts on a key as they stood."""
        if key_id not in self._cases:
            cases = self.cases("c.key_id = ?", key_id)
            self._cases[key_id] = [case.as_of(self.number) for case in cases]
        return self._cases[key_id]

    def _contesting(self, key_id: int, memory_id: str) -> list[ConflictCase]:
        """Return the conflicts that were open then on what a fact says."""
        found = self._contested.get(key_id)
        if found is None:
            found = self._contested[key_id] = {}
            for case in self.cases_on(key_id):
                if case.state is ConflictState.OPEN:
                    found.setdefault(case.entry.standing.memory_id or "", []).append(case)
        return found.get(memory_id, [])

    def memory_type(self, attribute: str) -> str:
        """Return the type of an attribute as of the asked transaction."""
        if self._types is not None:
            return self._types.get(attribute, "fact")
        place = (self.tenant_no, attribute, self.number)
        found = self.connection.execute(_TYPE, place).fetchone()
        return "fact" if found is None else str(found[0])

    def types(self) -> dict[str, str]:
        """Return the types of all attributes as of the asked transaction, kept from now on."""
        if self._types is None:
            place = (self.tenant_no, self.number)
            self._types = dict(self.connection.execute(_TYPES, place).fetchall())
        return self._types

    def clock_of(self, number: int) -> int:
        """Return the time of a transaction in microseconds."""
        found = self.connection.execute(_TIME, (self.tenant_no, number)).fetchone()
        if found is None:
            raise codec.unreadable(KeyError(f"transaction {number}"))
        return int(found[0])

    def links_on(self, key_ids: Iterable[int]) -> dict[int, list[EvidenceEntry]]:
        """Return the evidence believed as of the asked transaction, for each key that has some."""
        found: dict[int, list[EvidenceEntry]] = {}
        for key_id in key_ids:
            links = self.links("v.key_id = ?", key_id)
            believed = [link for link in links if view.is_believed(link, self.number)]
            if believed:
                found[key_id] = believed
        return found

    def open_cases(self) -> list[tuple[int, ConflictCase]]:
        """Return the conflicts open then on keys that the scope sees, with the keys' numbers."""
        found = self.connection.execute(_RAISED, (self.tenant_no, self.number)).fetchall()
        if not found:
            return []
        cases = [(key_id, case) for (key_id,) in found for case in self.cases_on(key_id)]
        return [
            (key_id, case)
            for key_id, case in cases
            if case.state is ConflictState.OPEN and self.scope.sees(case.entry.key.owner)
        ]
