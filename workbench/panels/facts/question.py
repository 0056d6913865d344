"""What the table asks the store: the session's filter, and what is typed under the headers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QCoreApplication

from store.encoding import State
from store.errors import Invalid
from store.query import (
    INSTANT_FIELDS,
    Comparison,
    FactField,
    FactQuery,
    FieldFilter,
    Order,
    parse_filter,
)
from store.temporal import Precision, from_micros, to_micros
from workbench.panels.facts.columns import SPECS, Column
from workbench.text import exact, read_stated

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from workbench.session import Filter

translate = QCoreApplication.translate

FIRST_ORDER: Final = Order(FactField.SUBJECT)
_OPERATORS: Final = re.compile(r"(<>|[=<>~|])")


class Question(NamedTuple):
    """Which facts, and in which order."""

    query: FactQuery = FactQuery()
    order: Order = FIRST_ORDER


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed under the headers, as far as it could be read.

    Attributes:
        conditions: conditions on fields.
        status: the one status that is wanted, if any.
        is_disputed: False: all but disputed ones, whatever their status.
        problems: a sentence for each column whose filter could not be read; it is left out.
    """

    conditions: tuple[FieldFilter, ...] = ()
    status: State | None = None
    is_disputed: bool | None = None
    problems: Mapping[Column, str] | None = None


def read_typed(texts: Mapping[Column, str]) -> Typed:
    """Read what was typed under the headers."""
    conditions: list[FieldFilter] = []
    problems: dict[Column, str] = {}
    status: State | None = None
    is_disputed: bool | None = None
    for column, text in texts.items():
        try:
            if column is Column.STATUS:
                status, is_disputed = _read_status(text)
            else:
                condition = _read(column, text.strip())
                if condition is not None:
                    conditions.append(condition)
        except Invalid as error:
            problems[column] = str(error)
    return Typed(tuple(conditions), status, is_disputed, problems)


def _read(column: Column, text: str) -> FieldFilter | None:
    field = SPECS[column].field
    if field is None:
        raise Invalid(translate("FactQuestion", "This column cannot be filtered."))
    if text == "=":
        return FieldFilter(field, Comparison.IS_EMPTY)
    if _OPERATORS.fullmatch(text):
        raise Invalid(
            translate("FactQuestion", "Type what to compare with after {sign}.").format(sign=text)
        )
    try:
        return parse_filter(field, text)
    except Invalid:
        plain = _as_the_store_writes(field, text)
        if plain == text:
            raise
        return parse_filter(field, plain)


def _as_the_store_writes(field: FactField, text: str) -> str:
    """Turn the dates and numbers of a person's language into those that a store reads."""
    if field is FactField.CONFIDENCE:
        return text.replace(",", ".")
    if field not in INSTANT_FIELDS:
        return text
    return "".join(
        part if _OPERATORS.fullmatch(part) else _iso(part) for part in _OPERATORS.split(text)
    )


def _iso(text: str) -> str:
    if not text.strip():
        return text
    try:
        stated = read_stated(text)
    except Invalid:
        return text
    if stated is None:
        return text
    if stated.precision is Precision.DAY:
        return f"{stated.instant:%Y-%m-%d}"
    return exact(stated.instant)


def _read_status(text: str) -> tuple[State | None, bool | None]:
    """Read a status by its word or the beginning of it; ``<> disputed`` is the one negation."""
    typed = text.strip().casefold()
    is_not = typed.startswith("<>")
    wanted = typed.removeprefix("<>").removeprefix("=").strip()
    if not wanted:
        return None, None
    found = [state for state in State if _word(state).startswith(wanted)]
    if is_not and found == [State.DISPUTED]:
        return None, False
    if is_not or not found:
        known = ", ".join(_word(state) for state in State)
        raise Invalid(
            translate(
                "FactQuestion", "The status is one of {words}, or <> {disputed}: not “{typed}”."
            ).format(words=known, disputed=_word(State.DISPUTED), typed=text.strip())
        )
    return found[0], None


def _word(state: State) -> str:
    return translate("State", state.value).casefold()


def query_of(chosen: Filter, typed: Typed, at: datetime) -> FactQuery:
    """Return what the store is asked.

    Args:
        chosen: the session's filter.
        typed: what is typed under the headers.
        at: the instant from which one looks: a status is relative to it.
    """
    query = FactQuery(
        subject=chosen.subject,
        attribute=chosen.attribute,
        memory_type=chosen.memory_type,
        history=chosen.history,
        disputed=chosen.disputed if typed.is_disputed is None else typed.is_disputed,
        text=chosen.text,
        filters=typed.conditions,
    )
    match typed.status:
        case None:
            return query
        case State.DISPUTED:
            return replace(query, disputed=True)
        case State.CURRENT:
            return replace(query, disputed=False, history=False)
        case State.FUTURE:
            later = FieldFilter(FactField.VALID_FROM, Comparison.ABOVE, exact(at))
            return replace(query, disputed=False, history=True, filters=(*query.filters, later))
        case State.ENDED:
            # A period that ends at the instant is over at it.
            next_at = from_micros(to_micros(at) + 1)
            before = FieldFilter(FactField.VALID_TO, Comparison.BELOW, exact(next_at))
            return replace(query, disputed=False, history=True, filters=(*query.filters, before))
