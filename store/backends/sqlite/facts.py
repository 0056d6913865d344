"""Pages of facts: filters, orders and cursors as statements of SQLAlchemy Core.

A page is found first, as rows with their sort key; then each of its rows is shown by `Sight`. What
the conditions mean is said by `store.backends.filters`; where the rule is Python's (letters without
case, regular expressions), the statement calls it.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    exists,
    func,
    literal,
    not_,
    or_,
    select,
    tuple_,
)

from store.backends import filters
from store.backends.sqlite import schema
from store.backends.sqlite.functions import as_bytes
from store.backends.sqlite.words import keys_that_may_hold
from store.errors import Invalid
from store.ledger import FOREVER
from store.query import INSTANT_FIELDS, Anchors, Comparison, FactField, Listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy.sql.selectable import NamedFromClause

    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.sight import Sight
    from store.contract import Scope
    from store.model import Fact
    from store.query import FactPage, FactQuery, FieldFilter, Order, Page

Condition = ColumnElement[bool]

FEW: Final = 16
"""For more facts than that the registry is read at once."""

k: Final = schema.key.alias("k")
f: Final = schema.fact.alias("f")
"""The key and the row that a statement is about; conditions of other modules name them too."""


TENANT: Final = bindparam("tenant", type_=Integer)
THEN: Final = bindparam("then", type_=Integer)
NUMBER: Final = bindparam("number", type_=Integer)
VALID_AT: Final = bindparam("valid_at", type_=Integer)
"""What `Sight.values` gives to every statement, so that parts of statements are made once."""


def believed(row: NamedFromClause, sight: Sight) -> Condition:
    """Return the condition that a row is believed: live, or as of the asked transaction."""
    return is_live(row) if sight.then is None else was_believed(row)


def is_live(row: NamedFromClause) -> Condition:
    """Return the condition that a row is believed now."""
    return row.c.tx_to.is_(None)


def was_believed(row: NamedFromClause) -> Condition:
    """Return the condition that a row was believed as of a transaction."""
    return and_(row.c.tx_from <= THEN, or_(row.c.tx_to.is_(None), row.c.tx_to > THEN))


def holds(row: NamedFromClause) -> Condition:
    """Return the condition that a row holds a value: a fact or its resumption."""
    return row.c.kind.op("&")(1) == 0


def among(column: ColumnElement[Any], values: Iterable[Any]) -> Condition:
    """Return the condition that a column is one of many values; they travel as one JSON text."""
    each = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(each.c.value))


def seen(scope: Scope, owner: ColumnElement[str]) -> Condition:
    """Return the condition that a scope may read keys of an owner."""
    if scope.owners is None:
        return literal(1) == 1
    return owner.in_(sorted(scope.owners))


class Parts:
    """What statements about a row `f` of a key `k` are made of, for live rows or for those then.

    Attributes:
        held: where the last believed row of the key up to the valid-at begins.
        begins: where the interval of the row begins.
        ends: where it ends; null while open.
        continues: whether the row before is of the same fact; null if there is none.
    """

    def __init__(self, is_believed: Callable[[NamedFromClause], Condition]) -> None:
        g, n, p, q = (schema.fact.alias(name) for name in "gnpq")
        self.held: ColumnElement[Any] = (
            select(func.max(g.c.valid_from))
            .where(g.c.key_id == k.c.key_id, is_believed(g), g.c.valid_from <= VALID_AT)
            .correlate(k)
            .scalar_subquery()
        )
        self.ends: ColumnElement[Any] = (
            select(n.c.valid_from)
            .where(
                n.c.key_id == f.c.key_id,
                is_believed(n),
                n.c.valid_from > f.c.valid_from,
                _differs(n),
            )
            .order_by(n.c.valid_from)
            .limit(1)
            .correlate(f)
            .scalar_subquery()
        )
        earlier = (
            q.c.key_id == f.c.key_id,
            is_believed(q),
            q.c.valid_from < f.c.valid_from,
        )
        latest = q.c.valid_from.desc()
        before = (
            select(q.c.valid_from)
            .where(*earlier, _differs(q))
            .order_by(latest)
            .limit(1)
            .correlate(f)
            .scalar_subquery()
        )
        self.begins: ColumnElement[Any] = (
            select(func.min(p.c.valid_from))
            .where(
                p.c.key_id == f.c.key_id,
                is_believed(p),
                p.c.valid_from <= f.c.valid_from,
                p.c.valid_from > func.ifnull(before, -(2**63)),
            )
            .correlate(f)
            .scalar_subquery()
        )
        self.continues: ColumnElement[Any] = (
            select(not_(_differs(q)))
            .where(*earlier)
            .order_by(latest)
            .limit(1)
            .correlate(f)
            .scalar_subquery()
        )
        in_now = and_(f.c.valid_from <= VALID_AT, or_(self.ends.is_(None), self.ends > VALID_AT))
        heads = and_(func.ifnull(self.continues, 0) == 0, not_(in_now))
        base = (k.c.tenant_no == TENANT, is_believed(f), holds(f))
        source = select(k.c.key_id, f.c.valid_from, f.c.tx_from).select_from(k)
        joined = source.join(f, f.c.key_id == k.c.key_id).where(*base)
        self.in_force = joined.where(f.c.valid_from == self.held)
        self.history = joined.where(or_(f.c.valid_from == self.held, heads))


def _differs(row: NamedFromClause) -> Condition:
    """Return the condition that a row does not continue the fact of `f`."""
    return not_(and_(row.c.memory_id.is_not_distinct_from(f.c.memory_id), holds(row)))


@cache
def parts(is_now: bool) -> Parts:
    """Return the parts for live rows, or for those believed as of the asked transaction."""
    return Parts(is_live if is_now else was_believed)


@cache
def _memory_type() -> ColumnElement[Any]:
    """Return the type of the attribute of `k` as of the asked transaction."""
    a = schema.attribute.alias("a")
    newest = (
        select(a.c.memory_type)
        .where(a.c.tenant_no == TENANT, a.c.name == k.c.attribute, a.c.tx_from <= NUMBER)
        .order_by(a.c.tx_from.desc(), a.c.attribute_no.desc())
        .limit(1)
        .correlate(k)
        .scalar_subquery()
    )
    return func.ifnull(newest, "fact")


class FactSearch:
    """The statement for a query: `f` is the row that each fact shows, `k` its key."""

    def __init__(self, sight: Sight, query: FactQuery) -> None:
        self.sight = sight
        self.query = query
        self._parts = parts(sight.then is None)
        self.begins = self._parts.begins
        self.ends = self._parts.ends

    def rows(self) -> Select[Any]:
        """Return a selection of the rows that the query lets through."""
        found = self._parts.history if self.query.history else self._parts.in_force
        return found.where(*self._conditions())

    def _conditions(self) -> list[Condition]:
        query, sight = self.query, self.sight
        conditions = [] if sight.scope.owners is None else [seen(sight.scope, k.c.owner)]
        exact = (
            (k.c.subject, query.subject),
            (k.c.attribute, query.attribute),
            (k.c.owner, query.owner),
        )
        conditions += [column == wanted for column, wanted in exact if wanted is not None]
        if query.memory_type is not None:
            conditions.append(of_type(sight, query.memory_type))
        if query.episode_id is not None:
            conditions.append(self._from_episode(query.episode_id))
        if query.disputed is not None:
            disputed = self._disputed()
            conditions.append(disputed if query.disputed else not_(disputed))
        if query.text.split():
            words = func.value_has(as_bytes(query.text), k.c.subject, k.c.attribute, f.c.value)
            narrowed = keys_that_may_hold(sight, query.text, k.c.key_id)
            conditions += [words == 1] if narrowed is None else [narrowed, words == 1]
        conditions += [self._passes(condition) for condition in query.filters]
        return conditions

    def _from_episode(self, episode_id: str) -> Condition:
        found = self.sight.episode_found(episode_id)
        if found is None:
            return literal(1) == 0
        number = found[0]
        v, r = schema.evidence.alias("v"), schema.fact.alias("r")
        keys = select(r.c.key_id).where(r.c.episode_no == number)
        more = select(v.c.key_id).where(v.c.episode_no == number)
        linked = exists().where(
            v.c.memory_id == f.c.memory_id,
            v.c.key_id == f.c.key_id,
            v.c.episode_no == number,
            v.c.tx_from <= NUMBER,
            or_(v.c.tx_to.is_(None), v.c.tx_to > NUMBER),
        )
        o = schema.fact.alias("o")
        stated = exists().where(
            o.c.memory_id == f.c.memory_id,
            o.c.key_id == f.c.key_id,
            o.c.episode_no == number,
            o.c.kind == 0,
            believed(o, self.sight),
        )
        return and_(
            k.c.key_id.in_(keys.union(more)),
            or_(f.c.episode_no == number, linked.correlate(f), stated.correlate(f)),
        )

    def _disputed(self) -> Condition:
        """Return the condition that an open conflict contests the fact within its interval."""
        cases = [
            (
                key_id,
                (case.entry.standing.memory_id or "").replace("-", ""),
                case.entry.contested_from,
                FOREVER if case.entry.contested_to is None else case.entry.contested_to,
            )
            for key_id, case in self.sight.open_cases()
        ]
        each = func.json_each(json.dumps(cases)).table_valued("value").alias("contested")

        def part(number: int) -> ColumnElement[Any]:
            return func.json_extract(each.c.value, f"$[{number}]")

        identity = func.replace(
            func.iif(func.typeof(f.c.memory_id) == "blob", func.hex(f.c.memory_id), f.c.memory_id),
            "-",
            "",
        )
        contested = (
            exists()
            .where(
                part(0) == f.c.key_id,
                func.lower(part(1)) == func.lower(identity),
                part(2) < func.ifnull(self.ends, FOREVER),
                self.begins < part(3),
            )
            .correlate(f)
        )
        return and_(among(k.c.key_id, sorted({case[0] for case in cases})), contested)

    # -- fields -------------------------------------------------------------------------------

    def field(self, field: FactField) -> Any:
        """Return what a field sorts by, as `filters.sort_value` says."""
        match field:
            case FactField.SUBJECT:
                return k.c.subject
            case FactField.ATTRIBUTE:
                return k.c.attribute
            case FactField.OWNER:
                return k.c.owner
            case FactField.VALUE:
                return f.c.value
            case FactField.MEMORY_TYPE:
                return _memory_type()
            case FactField.VALID_FROM:
                return self.begins
            case FactField.VALID_TO:
                return func.ifnull(self.ends, FOREVER)
            case FactField.CONFIDENCE:
                return f.c.confidence
            case FactField.AGENT:
                found = select(schema.name.c.name).where(schema.name.c.name_no == f.c.agent_no)
                return found.correlate(f).scalar_subquery()
            case FactField.EPISODE:
                e = schema.episode
                cited = select(e.c.episode_id).where(e.c.episode_no == f.c.episode_no)
                return cited.correlate(f).scalar_subquery()
            case FactField.RECORDED_AT:
                x = schema.tx
                time = select(x.c.recorded_at).where(
                    x.c.tenant_no == f.c.tenant_no, x.c.number == f.c.tx_from
                )
                return time.correlate(f).scalar_subquery()

    def _passes(self, condition: FieldFilter) -> Condition:
        field, comparison = condition.field, condition.comparison
        value: ColumnElement[Any] = self.field(field)
        if comparison is Comparison.IS_EMPTY:
            if field is FactField.VALUE:
                return value.in_(["null", '""'])
            if field is FactField.CONFIDENCE:
                return literal(1) == 0
            return value == (FOREVER if field in INSTANT_FIELDS else "")
        if comparison is Comparison.MATCHES:
            filters.matches_expression(condition.operand, "")
            found = func.matches_value if field is FactField.VALUE else func.matches
            return found(as_bytes(condition.operand), value) == 1
        if field in INSTANT_FIELDS:
            return _instant_passes(condition, value)
        if field is FactField.CONFIDENCE:
            return _number_passes(condition, value)
        fold = func.folded_value if field is FactField.VALUE else func.folded
        return _text_passes(condition, fold(value))

    def order(self, order: Order) -> list[ColumnElement[Any]]:
        """Return the columns by which the rows are sorted: the field's, then the ties."""
        first = self.field(order.field)
        ties = (k.c.subject, k.c.attribute, k.c.owner, k.c.slot, f.c.valid_from)
        if order.field is FactField.SUBJECT and not order.descending:
            return list(ties)
        return [first.desc() if order.descending else first.asc(), *ties]

    def beyond(self, order: Order, cursor: str) -> Condition:
        """Return the condition that a row comes after a cursor."""
        first, *ties = filters.read_cursor(cursor, 6)
        is_number = order.field in INSTANT_FIELDS or order.field is FactField.CONFIDENCE
        kinds = ((int, float) if is_number else str, str, str, str, str, int)
        if not all(
            isinstance(part, kind) for part, kind in zip((first, *ties), kinds, strict=True)
        ):
            raise Invalid("The cursor belongs to another list.")
        field = self.field(order.field)
        names = tuple_(k.c.subject, k.c.attribute, k.c.owner, k.c.slot)
        place = tuple_(*[literal(name) for name in ties[:4]])
        later = or_(names > place, and_(names == place, self.begins > ties[4]))
        if order.field is FactField.SUBJECT and not order.descending:
            return and_(k.c.subject >= first, later)
        further = field < first if order.descending else field > first
        return or_(further, and_(field == first, later))


def of_type(sight: Sight, memory_type: str) -> Condition:
    """Return the condition that the attribute of `k` is of a type."""
    types = sight.types()
    if memory_type == "fact":
        return not_(among(k.c.attribute, [n for n, kind in types.items() if kind != "fact"]))
    return among(k.c.attribute, [name for name, kind in types.items() if kind == memory_type])


def _text_passes(condition: FieldFilter, text: ColumnElement[Any]) -> Condition:
    def folded(operand: str) -> ColumnElement[bytes]:
        return as_bytes(operand.casefold())

    operand = folded(condition.operand)
    match condition.comparison:
        case Comparison.EQUALS:
            return text.in_([folded(w) for w in condition.alternatives or (condition.operand,)])
        case Comparison.DIFFERS:
            return text != operand
        case Comparison.BELOW:
            return text < operand
        case Comparison.ABOVE:
            return text > operand
        case Comparison.BETWEEN:
            low = text >= operand
            return and_(low, text < folded(condition.upper)) if condition.upper else low
        case _:
            return func.instr(text, operand) > 0


def _number_passes(condition: FieldFilter, number: ColumnElement[Any]) -> Condition:
    match condition.comparison:
        case Comparison.EQUALS:
            wanted = condition.alternatives or (condition.operand,)
            return number.in_([filters.number_of(w) for w in wanted])
        case Comparison.DIFFERS:
            return number != filters.number_of(condition.operand)
        case Comparison.BELOW:
            return number < filters.number_of(condition.operand)
        case Comparison.ABOVE:
            return number > filters.number_of(condition.operand)
        case Comparison.BETWEEN:
            low = number >= filters.number_of(condition.operand)
            return (
                and_(low, number < filters.number_of(condition.upper)) if condition.upper else low
            )
        case _:
            raise Invalid("Numbers are compared by =, <>, <, > or low~high.")


def _instant_passes(condition: FieldFilter, instant: ColumnElement[Any]) -> Condition:
    def within(operand: str) -> Condition:
        first, last = filters.instant_bounds(operand)
        return and_(instant >= first, instant < last)

    match condition.comparison:
        case Comparison.EQUALS:
            return or_(*[within(w) for w in condition.alternatives or (condition.operand,)])
        case Comparison.DIFFERS:
            return not_(within(condition.operand))
        case Comparison.BELOW:
            return instant < filters.instant_bounds(condition.operand)[0]
        case Comparison.ABOVE:
            return instant >= filters.instant_bounds(condition.operand)[1]
        case Comparison.BETWEEN:
            low = instant >= filters.instant_bounds(condition.operand)[0]
            if not condition.upper:
                return low
            return and_(low, instant < filters.instant_bounds(condition.upper)[0])
        case _:
            raise Invalid("Times are compared by =, <>, <, > or from~to.")


def fact_page(reader: Reader, sight: Sight, query: FactQuery, order: Order, page: Page) -> FactPage:
    """Return a page of facts."""
    facts = first_facts(reader, sight, query, order, page.limit + 1, page.after)
    if len(facts) <= page.limit:
        return Listed(facts)
    items = facts[: page.limit]
    return Listed(items, filters.write_cursor(filters.sort_key(order, items[-1])))


def first_facts(
    reader: Reader,
    sight: Sight,
    query: FactQuery,
    order: Order,
    limit: int,
    after: str | None = None,
) -> tuple[Fact, ...]:
    """Return the first facts of a query, after a cursor."""
    if sight.tenant_no is None:
        return ()
    found = FactSearch(sight, query)
    statement = found.rows().order_by(*found.order(order)).limit(limit)
    if after is not None:
        statement = statement.where(found.beyond(order, after))
    rows = reader.all(statement, **sight.values)
    if len(rows) > FEW:
        sight.types()
    return tuple(sight.fact_at(row[0], row[1], row[2]) for row in rows)


def fact_anchors(
    reader: Reader, sight: Sight, query: FactQuery, order: Order, every: int
) -> Anchors:
    """Count the facts of a query and return a cursor for each page."""
    from store.query import Anchors

    if sight.tenant_no is None:
        return Anchors(0, every, (None,))
    found = FactSearch(sight, query)
    statement = found.rows().order_by(*found.order(order))
    count = 0
    last: list[tuple[Any, ...]] = []
    for row in reader.each(statement, **sight.values):
        count += 1
        if count % every == 0:
            last.append(tuple(row))
    if last and count % every == 0:
        last.pop()
    sight.types()
    keys = [filters.sort_key(order, sight.fact_at(row[0], row[1], row[2])) for row in last]
    return Anchors(count, every, (None, *[filters.write_cursor(key) for key in keys]))
