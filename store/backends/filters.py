"""What the conditions and orders of `store.query` mean, as plain functions.

The reference for backends that say the same in SQL, which may also register them as functions.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from store.canonical import canonical, parse
from store.errors import Invalid
from store.ledger import FOREVER
from store.query import (
    INSTANT_FIELDS,
    Comparison,
    Cursor,
    FactField,
    FactQuery,
    FieldFilter,
    LaneFilter,
    Order,
    compile_expression,
)
from store.temporal import parse_instant, to_micros

if TYPE_CHECKING:
    from store.model import Fact

LONGEST_EXPRESSION_TEXT: Final = 1000
"""Regular expressions look at so many characters of a text, which bounds their time."""


def shown(canonical_value: str) -> str:
    """Return the text by which a value is shown and compared: a string bare, else its JSON."""
    return str(parse(canonical_value)) if canonical_value.startswith('"') else canonical_value


def has_words(text: str, *places: str) -> bool:
    """Say whether all words of a text occur in the places together, without regard to case."""
    haystack = " ".join(places).casefold()
    return all(word in haystack for word in text.casefold().split())


def matches_expression(expression: str, text: str) -> bool:
    """Say whether a regular expression is found in a text.

    Raises:
        Invalid: it is no regular expression, or one that could take endlessly long.
    """
    return _compiled(expression).search(text[:LONGEST_EXPRESSION_TEXT]) is not None


_compiled = lru_cache(maxsize=64)(compile_expression)


def admits_lane(lanes: LaneFilter, subject: str, attribute: str, memory_type: str) -> bool:
    """Say whether a lane filter lets a key through."""
    return (
        lanes.subject in (None, subject)
        and lanes.attribute in (None, attribute)
        and lanes.memory_type in (None, memory_type)
        and has_words(lanes.text, subject, attribute)
    )


def admits(query: FactQuery, fact: Fact) -> bool:
    """Say whether a query lets a fact through; `history` is not looked at."""
    exact = (
        query.subject in (None, fact.subject)
        and query.attribute in (None, fact.attribute)
        and query.memory_type in (None, fact.memory_type)
        and query.owner in (None, fact.owner)
        and query.disputed in (None, fact.disputed)
    )
    if not exact:
        return False
    if query.episode_id is not None and all(
        e.episode_id != query.episode_id for e in fact.evidence
    ):
        return False
    if not has_words(query.text, fact.subject, fact.attribute, shown(canonical(fact.value))):
        return False
    return all(_passes(condition, fact) for condition in query.filters)


def _passes(condition: FieldFilter, fact: Fact) -> bool:
    value = sort_value(condition.field, fact)
    comparison = condition.comparison
    if comparison is Comparison.IS_EMPTY:
        return is_empty(condition.field, value)
    if comparison is Comparison.MATCHES:
        return matches_expression(condition.operand, _text(condition.field, fact))
    if condition.field in INSTANT_FIELDS:
        return _instant_passes(condition, int(value))
    if condition.field is FactField.CONFIDENCE:
        return _number_passes(condition, float(value))
    return _text_passes(condition, _text(condition.field, fact).casefold())


def is_empty(field: FactField, value: Any) -> bool:
    """Say whether a field has nothing: an open end, the value null, or no text."""
    if field is FactField.VALUE:
        return value in ("null", '""')
    return bool(value == (FOREVER if field in INSTANT_FIELDS else ""))


def _text(field: FactField, fact: Fact) -> str:
    value = sort_value(field, fact)
    return shown(value) if field is FactField.VALUE else str(value)


def _text_passes(condition: FieldFilter, text: str) -> bool:
    operand = condition.operand.casefold()
    match condition.comparison:
        case Comparison.EQUALS:
            wanted = condition.alternatives or (condition.operand,)
            return text in {w.casefold() for w in wanted}
        case Comparison.DIFFERS:
            return text != operand
        case Comparison.BELOW:
            return text < operand
        case Comparison.ABOVE:
            return text > operand
        case Comparison.BETWEEN:
            return operand <= text and (not condition.upper or text < condition.upper.casefold())
        case _:
            return operand in text


def _number_passes(condition: FieldFilter, number: float) -> bool:
    match condition.comparison:
        case Comparison.EQUALS:
            wanted = condition.alternatives or (condition.operand,)
            return any(number == number_of(w) for w in wanted)
        case Comparison.DIFFERS:
            return number != number_of(condition.operand)
        case Comparison.BELOW:
            return number < number_of(condition.operand)
        case Comparison.ABOVE:
            return number > number_of(condition.operand)
        case Comparison.BETWEEN:
            upper = number_of(condition.upper) if condition.upper else float("inf")
            return number_of(condition.operand) <= number < upper
        case _:
            raise Invalid("Numbers are compared by =, <>, <, > or low~high.")


def number_of(operand: str) -> float:
    """Return the number that a filter names.

    Raises:
        Invalid: it is none.
    """
    try:
        return float(operand)
    except ValueError as error:
        raise Invalid(f"{operand!r} is not a number.") from error


def instant_bounds(operand: str) -> tuple[int, int]:
    """Return the half-open bounds, in microseconds, of what a time filter names.

    A date stands for its whole day, a year for its whole year; an exact instant for itself. The
    year 9999 lasts for ever.
    """
    stated = parse_instant(operand)
    begins = to_micros(stated.instant)
    try:
        ends = to_micros(stated.period_end)
    except Invalid:
        ends = FOREVER
    return begins, max(ends, begins + 1)


def _instant_passes(condition: FieldFilter, instant: int) -> bool:
    match condition.comparison:
        case Comparison.EQUALS:
            wanted = condition.alternatives or (condition.operand,)
            bounds = [instant_bounds(w) for w in wanted]
            return any(begins <= instant < ends for begins, ends in bounds)
        case Comparison.DIFFERS:
            begins, ends = instant_bounds(condition.operand)
            return not begins <= instant < ends
        case Comparison.BELOW:
            return instant < instant_bounds(condition.operand)[0]
        case Comparison.ABOVE:
            return instant >= instant_bounds(condition.operand)[1]
        case Comparison.BETWEEN:
            upper = instant_bounds(condition.upper)[0] if condition.upper else FOREVER + 1
            return instant_bounds(condition.operand)[0] <= instant < upper
        case _:
            raise Invalid("Times are compared by =, <>, <, > or from~to.")


def sort_value(field: FactField, fact: Fact) -> Any:
    """Return what a field sorts by: instants in microseconds, an open end after every other."""
    match field:
        case FactField.VALUE:
            return canonical(fact.value)
        case FactField.VALID_FROM:
            return to_micros(fact.valid_from)
        case FactField.VALID_TO:
            return FOREVER if fact.valid_to is None else to_micros(fact.valid_to)
        case FactField.RECORDED_AT:
            return to_micros(fact.recorded_at)
        case _:
            return getattr(fact, field.value)


def sort_key(order: Order, fact: Fact) -> tuple[Any, ...]:
    """Return the whole key by which a fact is sorted; ties cannot remain.

    Descending orders turn the first part only; the ties stay ascending.
    """
    ties = (fact.subject, fact.attribute, fact.owner, fact.slot, to_micros(fact.valid_from))
    return (sort_value(order.field, fact), *ties)


def follows(order: Order, key: tuple[Any, ...], cursor: tuple[Any, ...]) -> bool:
    """Say whether a sort key comes after a cursor's in an order.

    Raises:
        Invalid: the cursor belongs to a list with another order.
    """
    try:
        if key[0] != cursor[0]:
            return bool((key[0] > cursor[0]) is not order.descending)
        return bool(key[1:] > cursor[1:])
    except TypeError as error:
        raise Invalid("The cursor belongs to another list.") from error


def write_cursor(key: tuple[Any, ...]) -> Cursor:
    """Return a cursor for a sort key."""
    return json.dumps(key, ensure_ascii=False, separators=(",", ":"))


def read_cursor(cursor: Cursor, length: int) -> tuple[Any, ...]:
    """Return the sort key of a cursor.

    Raises:
        Invalid: it is no cursor of such a list.
    """
    try:
        key = json.loads(cursor)
    except ValueError as error:
        raise Invalid("The cursor of the page cannot be read.") from error
    if not isinstance(key, list) or len(key) != length:
        raise Invalid("The cursor belongs to another list.")
    return tuple(key)
