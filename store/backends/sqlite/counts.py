"""Counts of a tenant, and what the operator may know of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select

from store.backends.sqlite import codec, schema
from store.backends.sqlite.facts import f, k, parts
from store.backends.sqlite.journal import first_seen, last_seen
from store.backends.sqlite.lanes import extent_of_stretches, lane_conditions
from store.backends.sqlite.sight import Sight
from store.contract import Scope
from store.query import Extent, LaneFilter, Summary, TenantSummary
from store.temporal import NOW

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.facts import Condition
    from store.backends.sqlite.names import Names

_OF_FACT: Final = """
SELECT t.tenant_id FROM tenant t WHERE t.tenant_no = (
  SELECT f.tenant_no FROM fact f INDEXED BY fact_memory WHERE f.memory_id = ? LIMIT 1)"""
_OF_CONFLICT: Final = """
SELECT t.tenant_id FROM tenant t WHERE t.tenant_no = (
  SELECT c.tenant_no FROM conflict c WHERE c.conflict_id = ?)"""


def summary(reader: Reader, sight: Sight) -> Summary:
    """Return the counts of a tenant as a scope sees it."""
    if sight.tenant_no is None:
        nothing = Extent(None, None, None, None)
        return Summary(0, 0, 0, 0, 0, 0, 0, 0, nothing)
    conditions = lane_conditions(reader, sight, LaneFilter())
    keys, subjects = reader.all(
        select(func.count(), func.count(k.c.subject.distinct())).where(*conditions),
        **sight.values,
    )[0]
    held = _held(reader, sight, conditions)
    facts = sum(count for _, _, count in held)
    narrowing = None if sight.scope.owners is None else conditions
    first, last, stretches = extent_of_stretches(reader, sight, narrowing)
    e = schema.episode
    episodes = reader.one(
        select(func.count()).where(e.c.tenant_no == sight.tenant_no, e.c.tx_from <= sight.number)
    )
    types = sight.types()
    return Summary(
        subjects=subjects,
        keys=keys,
        facts=facts,
        intervals=stretches,
        episodes=episodes,
        conflicts_open=len(sight.open_cases()),
        transaction=sight.number,
        newest=sight.newest,
        extent=Extent(first, last, first_seen(sight), last_seen(sight)),
        by_type=_most_first((types.get(attribute, "fact"), n) for attribute, _, n in held),
        by_attribute=_most_first((attribute, n) for attribute, _, n in held),
        by_agent=_most_first((sight.name(agent_no), n) for _, agent_no, n in held),
    )


def _held(
    reader: Reader, sight: Sight, conditions: Iterable[Condition]
) -> list[tuple[str, int, int]]:
    """Count the facts in force for each attribute and agent."""
    found = parts(sight.then is None).in_force.where(*conditions)
    statement = found.with_only_columns(k.c.attribute, f.c.agent_no, func.count()).group_by(
        k.c.attribute, f.c.agent_no
    )
    return [(row[0], row[1], row[2]) for row in reader.all(statement, **sight.values)]


def _most_first(counted: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for name, count in counted:
        counts[name] = counts.get(name, 0) + count
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def tenants(reader: Reader, now: int, names: Names) -> tuple[TenantSummary, ...]:
    """Return what the operator sees of each tenant."""
    t = schema.tenant
    found = []
    for (tenant_id,) in reader.all(select(t.c.tenant_id).order_by(t.c.tenant_id)):
        sight = Sight(reader.driver, Scope(tenant_id), NOW, now, names)
        conditions = lane_conditions(reader, sight, LaneFilter())
        facts = sum(count for _, _, count in _held(reader, sight, conditions))
        found.append(TenantSummary(tenant_id, facts, len(sight.open_cases()), sight.newest))
    return tuple(found)


def tenant_of(reader: Reader, identity: str) -> str | None:
    """Return the tenant of a fact or conflict."""
    packed = codec.pack_id(identity)
    for statement in (_OF_FACT, _OF_CONFLICT):
        found = reader.driver.execute(statement, (packed,)).fetchone()
        if found is not None:
            return str(found[0])
    return None
