"""Canonical JSON: the short cuts give what RFC 8785 gives, and what cannot be kept is refused."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from store import Invalid, TooDeep
from store.canonical import DEEPEST, LARGEST_INTEGER, canonical, from_json, is_too_deep, parse

text = st.text(st.characters(exclude_categories=["Cs"]))
integers = st.integers(-LARGEST_INTEGER, LARGEST_INTEGER)
scalars = st.none() | st.booleans() | integers | text
values = st.recursive(
    scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=12,
)


@given(scalars)
def test_the_short_cuts_give_what_the_library_gives(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value).decode()


@given(st.text())
def test_any_text_is_kept_or_refused_as_the_library_does(value: str) -> None:
    try:
        wanted = rfc8785.dumps(value).decode()
    except (UnicodeError, rfc8785.CanonicalizationError):
        with pytest.raises(Invalid):
            canonical(value)
        return
    assert canonical(value) == wanted


@given(values)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    once = canonical(value)
    assert parse(once) == value
    assert canonical(parse(once)) == once
    assert once == rfc8785.dumps(value).decode()


@given(st.dictionaries(text, scalars, max_size=6))
def test_the_order_of_keys_does_not_matter(value: dict[str, Any]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)


@given(values, values)
def test_equal_text_is_equal_value(one: Any, other: Any) -> None:
    if canonical(one) == canonical(other):
        assert json.dumps(parse(canonical(one))) == json.dumps(parse(canonical(other)))


class Small(int):
    """An integer that is not plainly one."""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (5e-324, "5e-324"),
        (0.1, "0.1"),
        (Small(7), "7"),
        ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
        ('\u20ac$\x0f\nA\'B"\\\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ((1, 2), "[1,2]"),
    ],
    ids=repr,
)
def test_the_form_of_rfc_8785(value: Any, expected: str) -> None:
    assert canonical(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        LARGEST_INTEGER + 1,
        -LARGEST_INTEGER - 1,
        [10**30],
        math.nan,
        math.inf,
        -math.inf,
        "\ud800",
        "a\udc00",
        {"\udfff": 1},
        {1: 1},
        {None: 1},
        object(),
        b"x",
        {1},
        1j,
    ],
    ids=ascii,
)
def test_what_cannot_be_kept_exactly_is_refused(value: Any) -> None:
    with pytest.raises(Invalid):
        canonical(value)


def test_a_value_that_never_ends_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(Invalid):
        canonical(loop)


@pytest.mark.parametrize("typed", ["", "{", "nan", "NaN", "Infinity", "-Infinity", "[1,]", "'a'"])
def test_what_is_not_json_is_refused(typed: str) -> None:
    with pytest.raises(Invalid):
        from_json(typed)


def test_json_that_is_too_deep_is_refused() -> None:
    with pytest.raises(Invalid):
        from_json("[" * 100_000)


@given(values)
def test_json_is_read(value: Any) -> None:
    assert from_json(json.dumps(value)) == value


@pytest.mark.parametrize("nest", [lambda it: [it], lambda it: {"a": it}, lambda it: [0, {"b": it}]])
def test_the_limit_of_depth_is_one_number(nest: Any) -> None:
    value: Any = 1
    levels = len(re.findall(r"[\[{]", json.dumps(nest(0))))
    for _ in range(DEEPEST // levels):
        value = nest(value)
    assert not is_too_deep(value)
    assert parse(canonical(value)) == value
    assert is_too_deep([value])
    assert is_too_deep({"a": [0, value, 0]})
    assert not any(map(is_too_deep, (1, "[" * 500, None, True, [], {}, [[], {}])))


def test_parts_that_hold_each_other_are_too_deep_and_soon_found() -> None:
    within: list[Any] = []
    within += [within, within, {"a": within}]
    assert is_too_deep(within)
    shared: Any = 1
    for _ in range(DEEPEST):
        shared = [shared, shared]
    assert not is_too_deep(shared)


def test_json_without_end_is_too_deep() -> None:
    with pytest.raises(TooDeep, match="at most 100"):
        from_json("[" * 100_000)
