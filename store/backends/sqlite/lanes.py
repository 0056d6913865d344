"""Lanes: one for each key that has a row as of the asked transaction, with its bars."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    Integer,
    and_,
    exists,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
    union_all,
)

from store.backends import view
from store.backends.sqlite import codec, schema
from store.backends.sqlite.facts import among, believed, k, of_type, seen
from store.backends.sqlite.functions import as_bytes
from store.model import ConflictState
from store.query import Bar, Density, Lane, LaneKey, Mark, SubjectLanes
from store.temporal import Basis, Precision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy import ColumnElement, CompoundSelect

    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.facts import Condition
    from store.backends.sqlite.sight import Sight
    from store.entry import ConflictCase
    from store.query import LaneFilter

_IMPRECISE: Final = frozenset(
    codec.PRECISION_NO[p] for p in (Precision.DAY, Precision.MONTH, Precision.YEAR)
)
_ASSUMED: Final = frozenset(codec.BASIS_NO[b] for b in (Basis.ASSUMED, Basis.UNKNOWN))


def is_alive(reader: Reader, sight: Sight) -> Condition:
    """Return the condition that the key `k` has a believed row.

    Nearly every key has one, so those that have none are looked for: among ended rows.
    """
    r, g = schema.fact.alias("r"), schema.fact.alias("g")
    ended = select(r.c.key_id).where(r.c.tenant_no == sight.tenant_no, r.c.tx_to.is_not(None))
    if sight.then is not None:
        ended = ended.where(r.c.tx_to <= sight.then)
    left = exists().where(g.c.key_id == r.c.key_id, believed(g, sight)).correlate(r)
    dead = reader.all(ended.where(not_(left)).distinct(), **sight.values)
    conditions = [] if sight.then is None else [k.c.tx_from <= sight.then]
    if dead:
        conditions.append(not_(among(k.c.key_id, [row[0] for row in dead])))
    return and_(literal(1) == 1, *conditions)


def lane_conditions(reader: Reader, sight: Sight, lanes: LaneFilter) -> list[Condition]:
    """Return the conditions that a key has a lane and passes a filter."""
    conditions = [
        k.c.tenant_no == sight.tenant_no,
        seen(sight.scope, k.c.owner),
        is_alive(reader, sight),
    ]
    if lanes.subject is not None:
        conditions.append(k.c.subject == lanes.subject)
    if lanes.attribute is not None:
        conditions.append(k.c.attribute == lanes.attribute)
    if lanes.memory_type is not None:
        conditions.append(of_type(sight, lanes.memory_type))
    if lanes.text.split():
        conditions.append(func.names_have(as_bytes(lanes.text), k.c.subject, k.c.attribute) == 1)
    return conditions


def outline(reader: Reader, sight: Sight, lanes: LaneFilter) -> tuple[SubjectLanes, ...]:
    """Return every subject with its number of lanes, in order."""
    if sight.tenant_no is None:
        return ()
    conditions = lane_conditions(reader, sight, lanes)
    statement = (
        select(k.c.subject, func.count(), func.min(k.c.attribute))
        .where(*conditions)
        .group_by(k.c.subject)
        .order_by(k.c.subject)
    )
    types = sight.types()
    open_cases = _counted_by_subject(_cases_on_lanes(reader, sight, conditions))
    return tuple(
        SubjectLanes(subject, count, types.get(attribute, "fact"), open_cases.get(subject, 0))
        for subject, count, attribute in reader.each(statement, **sight.values)
    )


def _cases_on_lanes(
    reader: Reader, sight: Sight, conditions: Sequence[Condition]
) -> list[ConflictCase]:
    """Return the open conflicts on lanes that pass."""
    cases = sight.open_cases()
    if not cases:
        return []
    wanted = select(k.c.key_id).where(*conditions, among(k.c.key_id, sorted({c[0] for c in cases})))
    passing = {row[0] for row in reader.all(wanted, **sight.values)}
    return [case for key_id, case in cases if key_id in passing]


def _counted_by_subject(cases: Iterable[ConflictCase]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for case in cases:
        subject = case.entry.key.subject
        counts[subject] = counts.get(subject, 0) + 1
    return counts


def lane_page(
    reader: Reader, sight: Sight, lanes: LaneFilter, first: int, count: int
) -> tuple[Lane, ...]:
    """Return lanes by position, with all their bars."""
    if sight.tenant_no is None or count < 1:
        return ()
    c, v = schema.conflict.alias("c"), schema.evidence.alias("v")
    statement = (
        select(
            k.c.key_id,
            k.c.owner,
            k.c.subject,
            k.c.attribute,
            k.c.slot,
            exists().where(c.c.key_id == k.c.key_id).correlate(k),
            exists().where(v.c.key_id == k.c.key_id).correlate(k),
        )
        .where(*lane_conditions(reader, sight, lanes))
        .order_by(k.c.subject, k.c.attribute, k.c.owner, k.c.slot)
        .limit(count)
        .offset(first)
    )
    keys = reader.all(statement, **sight.values)
    types = sight.types()
    links = sight.links_on([key[0] for key in keys if key[6]])
    rows = _rows_of(reader, sight, [key[0] for key in keys])
    found = []
    for key_id, owner, subject, attribute, slot, has_cases, _ in keys:
        cases = sight.cases_on(key_id) if has_cases else []
        supported = frozenset(link.memory_id for link in links.get(key_id, ()))
        bars = tuple(_bars(rows.get(key_id, ()), cases, supported))
        count_open = sum(case.state is ConflictState.OPEN for case in cases)
        key = LaneKey(owner, subject, attribute, slot)
        found.append(Lane(key, types.get(attribute, "fact"), count_open, bars))
    return tuple(found)


def _rows_of(reader: Reader, sight: Sight, key_ids: Sequence[int]) -> dict[int, list[Any]]:
    """Return the believed rows of keys, in order of time: what bars show of them."""
    r = schema.fact.alias("r")
    statement = (
        select(
            r.c.key_id,
            r.c.valid_from,
            r.c.kind,
            r.c.memory_id,
            func.substr(r.c.value, 1, view.BAR_TEXT),
            r.c.basis,
            r.c.precision,
        )
        .where(among(r.c.key_id, key_ids), believed(r, sight))
        .order_by(r.c.key_id, r.c.valid_from)
    )
    return {
        key_id: list(g)
        for key_id, g in groupby(reader.all(statement, **sight.values), itemgetter(0))
    }


def _bars(
    rows: Sequence[Any], cases: Sequence[ConflictCase], supported: frozenset[str]
) -> Iterator[Bar]:
    """Yield a bar for each stretch, as `view.bars_of` does."""
    head: Any = None
    for row in rows:
        continues = head is not None and row[2] & 1 == 0 and row[3] == head[3]
        if continues:
            continue
        if head is not None:
            yield _bar(head, row[1], cases, supported)
        head = row if row[2] & 1 == 0 else None
    if head is not None:
        yield _bar(head, None, cases, supported)


def _bar(
    head: Any, ends: int | None, cases: Sequence[ConflictCase], supported: frozenset[str]
) -> Bar:
    _, begins, _, memory, value, basis, precision = head
    memory_id = codec.unpack_id(memory)
    marks = Mark(0)
    if any(case.disputes(memory_id, begins, ends) for case in cases):
        marks |= Mark.DISPUTED
    if precision in _IMPRECISE:
        marks |= Mark.IMPRECISE
    if basis in _ASSUMED:
        marks |= Mark.ASSUMED
    if memory_id in supported:
        marks |= Mark.CONFIRMED
    return Bar(begins, ends, memory_id, value, int(marks))


# -- all stretches ------------------------------------------------------------------------------


def _edges(sight: Sight, conditions: Sequence[Condition] | None) -> CompoundSelect[Any]:
    """Return a selection of where stretches begin and end: (at, starts).

    On a key that is not involved no two rows are of one fact, so each row is an edge.
    """
    r = schema.fact.alias("r")
    tenant = literal_column("+r.tenant_no", Integer) if sight.is_alone else r.c.tenant_no
    here = [tenant == sight.tenant_no, believed(r, sight)]
    if conditions is not None:
        here.append(r.c.key_id.in_(select(k.c.key_id).where(*conditions)))
    involved = select(schema.involved.c.key_id)
    holds = r.c.kind.op("&")(1) == 0
    plain = select(r.c.valid_from.label("at"), holds.label("starts")).where(
        *here, r.c.key_id.not_in(involved)
    )

    def before(column: ColumnElement[Any]) -> ColumnElement[Any]:
        return func.lag(column).over(partition_by=r.c.key_id, order_by=r.c.valid_from)

    rows = (
        select(
            r.c.valid_from.label("at"),
            holds.label("holds"),
            r.c.memory_id.label("memory_id"),
            before(r.c.memory_id).label("memory_before"),
            func.ifnull(before(holds), 0).label("held_before"),
        )
        .where(*here, r.c.key_id.in_(involved))
        .subquery()
    )
    same = and_(rows.c.held_before, rows.c.memory_before.is_not_distinct_from(rows.c.memory_id))
    starts = and_(rows.c.holds, not_(same))
    closes = and_(rows.c.held_before, not_(and_(rows.c.holds, same)))
    joined = select(rows.c.at, starts.label("starts")).where(or_(starts, closes))
    return union_all(plain, joined)


def extent_of_stretches(
    reader: Reader, sight: Sight, conditions: Sequence[Condition] | None
) -> tuple[int | None, int | None, int]:
    """Return the first beginning, the last bound of any stretch, and how many stretches."""
    edges = _edges(sight, conditions).subquery()
    statement = select(
        func.min(edges.c.at), func.max(edges.c.at), func.ifnull(func.sum(edges.c.starts), 0)
    )
    first, last, count = reader.all(statement, **sight.values)[0]
    return first, last, count


def density(reader: Reader, sight: Sight, lanes: LaneFilter, buckets: int) -> Density:
    """Count the stretches that begin in each part of their extent."""
    empty = Density(0, buckets, (0,) * buckets, ())
    if sight.tenant_no is None:
        return empty
    conditions = lane_conditions(reader, sight, lanes)
    is_whole = sight.scope.owners is None and lanes == type(lanes)()
    narrowing = None if is_whole else conditions
    first, last, _ = extent_of_stretches(reader, sight, narrowing)
    if first is None or last is None:
        return empty
    width = view.bucket_width(first, last + 1, buckets)
    edges = _edges(sight, narrowing).subquery()
    bucket = (edges.c.at - first) // width
    statement = select(bucket, func.count()).where(edges.c.starts).group_by(bucket)
    counts = [0] * buckets
    for number, count in reader.all(statement, **sight.values):
        counts[number] = count
    contested = sorted(
        case.entry.contested_from for case in _cases_on_lanes(reader, sight, conditions)
    )
    return Density(first, first + width * buckets, tuple(counts), tuple(contested))
