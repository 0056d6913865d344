"""What a person types under a column header, and the plain functions behind the conditions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import FactField, Invalid, LaneFilter, Order
from store.backends import filters
from store.canonical import canonical
from store.ledger import FOREVER
from store.query import INSTANT_FIELDS, Comparison, FieldFilter, parse_filter
from store.temporal import to_micros
from tests.conformance.scene import day

VALUE, FROM, CONFIDENCE = FactField.VALUE, FactField.VALID_FROM, FactField.CONFIDENCE


@pytest.mark.parametrize(
    ("field", "typed", "expected"),
    [
        (VALUE, "", None),
        (VALUE, "   ", None),
        (VALUE, "lis", FieldFilter(VALUE, Comparison.CONTAINS, "lis")),
        (VALUE, " a b ", FieldFilter(VALUE, Comparison.CONTAINS, "a b")),
        (VALUE, "=a", FieldFilter(VALUE, Comparison.EQUALS, "a")),
        (VALUE, "= a | b|c", FieldFilter(VALUE, Comparison.EQUALS, alternatives=("a", "b", "c"))),
        (VALUE, "<> a", FieldFilter(VALUE, Comparison.DIFFERS, "a")),
        (VALUE, "< a", FieldFilter(VALUE, Comparison.BELOW, "a")),
        (VALUE, "> a", FieldFilter(VALUE, Comparison.ABOVE, "a")),
        (VALUE, "a~b", FieldFilter(VALUE, Comparison.CONTAINS, "a~b")),
        (VALUE, "/a.b/", FieldFilter(VALUE, Comparison.MATCHES, "a.b")),
        (VALUE, "//", FieldFilter(VALUE, Comparison.CONTAINS, "//")),
        (VALUE, "empty", FieldFilter(VALUE, Comparison.IS_EMPTY)),
        (VALUE, "IS EMPTY", FieldFilter(VALUE, Comparison.IS_EMPTY)),
        (FROM, "2026", FieldFilter(FROM, Comparison.EQUALS, "2026")),
        (FROM, "2026 ~ 2027", FieldFilter(FROM, Comparison.BETWEEN, "2026", "2027")),
        (FROM, "2026~", FieldFilter(FROM, Comparison.BETWEEN, "2026", "")),
        (CONFIDENCE, "0.5", FieldFilter(CONFIDENCE, Comparison.EQUALS, "0.5")),
        (CONFIDENCE, "0~1", FieldFilter(CONFIDENCE, Comparison.BETWEEN, "0", "1")),
    ],
)
def test_what_is_typed_is_read(field: FactField, typed: str, expected: FieldFilter | None) -> None:
    assert parse_filter(field, typed) == expected


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        (VALUE, "/[/"),
        (FROM, "soon"),
        (FROM, "> soon"),
        (FROM, "2026~soon"),
        (FROM, "= 2026 | soon"),
        (CONFIDENCE, "much"),
        (CONFIDENCE, "< much"),
        (CONFIDENCE, "0~much"),
    ],
)
def test_what_cannot_be_read_is_refused(field: FactField, typed: str) -> None:
    with pytest.raises(Invalid):
        parse_filter(field, typed)


@given(st.sampled_from(list(FactField)), st.text(max_size=20))
def test_whatever_is_typed_is_read_or_refused(field: FactField, typed: str) -> None:
    try:
        condition = parse_filter(field, typed)
    except Invalid:
        return
    assert condition is None or condition.field is field


@given(st.text())
def test_a_string_is_shown_bare_and_anything_else_as_json(text: str) -> None:
    try:
        kept = canonical(text)
    except Invalid:
        return
    assert filters.shown(kept) == text


@pytest.mark.parametrize("value", [None, True, 1, 1.5, [], {"a": "b"}])
def test_other_values_are_shown_as_json(value: object) -> None:
    assert filters.shown(canonical(value)) == canonical(value)


def test_words_must_all_occur_somewhere() -> None:
    assert filters.has_words("", "anything")
    assert filters.has_words("LIS mira", "Mira", "Lisbon")
    assert not filters.has_words("lis porto", "Mira", "Lisbon")
    assert not filters.has_words("amir", "a", "mira"), "a word lies within one place"
    assert filters.has_words("STRASSE", "Straße")


@pytest.mark.parametrize(
    ("operand", "begins", "ends"),
    [
        ("2026-01-02", day(1), day(2)),
        ("2026-01", day(0), day(31)),
        ("2026", day(0), day(365)),
    ],
)
def test_a_date_stands_for_its_day_and_a_year_for_its_year(
    operand: str, begins: object, ends: object
) -> None:
    bounds = filters.instant_bounds(operand)
    assert bounds == (to_micros(begins), to_micros(ends))  # type: ignore[arg-type]


def test_an_exact_instant_stands_for_itself_and_the_year_9999_for_ever() -> None:
    begins, ends = filters.instant_bounds("2026-01-02T03:04:05.000006Z")
    assert ends == begins + 1
    assert filters.instant_bounds("9999")[1] == FOREVER


def test_empty_is_told_from_the_word_null() -> None:
    assert filters.is_empty(VALUE, canonical(None))
    assert filters.is_empty(VALUE, canonical(""))
    assert not filters.is_empty(VALUE, canonical("null"))
    assert not filters.is_empty(FactField.SUBJECT, "null")
    assert filters.is_empty(FactField.OWNER, "")
    assert filters.is_empty(FactField.VALID_TO, FOREVER)
    assert not any(filters.is_empty(field, 0) for field in INSTANT_FIELDS)


keys = st.tuples(st.text(max_size=3), st.text(max_size=2), st.integers(0, 3))


@given(st.lists(keys, unique=True), st.booleans(), st.data())
def test_a_cursor_parts_a_sorted_list(
    found: list[tuple[str, str, int]], descending: bool, data: st.DataObject
) -> None:
    order = Order(FactField.SUBJECT, descending)
    found.sort(key=lambda k: k[1:])
    found.sort(key=lambda k: k[0], reverse=descending)
    if not found:
        return
    at = data.draw(st.integers(0, len(found) - 1))
    cursor = filters.read_cursor(filters.write_cursor(found[at]), 3)
    assert [k for k in found if filters.follows(order, k, cursor)] == found[at + 1 :]


@pytest.mark.parametrize("cursor", ["", "x", "1", "{}", "[]", "[1,2]", "null"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(Invalid):
        filters.read_cursor(cursor, 3)


def test_a_cursor_of_another_order_is_refused() -> None:
    with pytest.raises(Invalid):
        filters.follows(Order(), ("a", "b"), (1, "b"))


def test_a_lane_filter_looks_at_names_only() -> None:
    assert filters.admits_lane(LaneFilter(), "mira", "city", "fact")
    assert filters.admits_lane(LaneFilter(text="MIR cit"), "mira", "city", "fact")
    assert not filters.admits_lane(LaneFilter(memory_type="task"), "mira", "city", "fact")
    assert not filters.admits_lane(LaneFilter(subject="Mira"), "mira", "city", "fact")
