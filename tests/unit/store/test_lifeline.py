"""A key followed through its transactions: what is found is what looking at every state finds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import ledger
from store.backends import lifeline
from store.ledger import Content, Key, Row
from store.model import RowKind

KEY = Key("acme", "", "mira", "city", "")
SPAN = 12

Steps = list[tuple[list[tuple[int, int, int]], list[int]]]
"""For each transaction what is added (beginning, length or 0, kind), and what begins and goes."""


def content(number: int, value: str | None) -> Content:
    return Content(f"fact {number}", value, "e", "a")


def assertion(number: int, at: int, length: int, kind: int) -> Row:
    """A fact or an end at an instant; with a stated end unless the length is 0."""
    until = at + length if length else None
    if kind == 0:
        return Row(KEY, at, RowKind.END, content(number, None), until)
    over = None
    if kind == 1:
        over = content(number, None), at + 4 if length % 2 else None
    return Row(KEY, at, RowKind.FACT, content(number, str(number)), until, over)


def played(steps: Steps) -> list[Row]:
    """All rows of a key on which each step removed and added assertions."""
    numbers = count(1)
    gone: list[Row] = []
    live: list[Row] = []
    for number, (added, removed) in enumerate(steps, 1):
        remove = [row for row in live if row.is_assertion and row.valid_from in removed]
        stays = {row.valid_from for row in live if row.is_assertion and row not in remove}
        add = {at: assertion(next(numbers), at, length, kind) for at, length, kind in added}
        moves = ledger.replan(
            live, remove=remove, add=[row for at, row in add.items() if at not in stays]
        )
        gone += [replace(row, tx_to=number) for row in moves.ends]
        live = [row for row in live if row not in moves.ends]
        live += [replace(row, tx_from=number) for row in moves.inserts]
    return sorted([*gone, *live], key=lambda row: (row.valid_from, row.tx_from))


def is_sound(rows: Sequence[Row]) -> bool:
    """Look at the state after every transaction as if there were no other."""
    for number in {n for row in rows for n in (row.tx_from, row.tx_to) if n}:
        live = [r for r in rows if r.tx_from <= number and (r.tx_to is None or r.tx_to > number)]
        if len({row.valid_from for row in live}) < len(live):
            return False
        said = {(row.memory_id, row.content.value) for row in live if row.kind is RowKind.FACT}
        if len({memory_id for memory_id, _ in said}) < len(said):
            return False
        wanted = list(ledger.derived(row for row in live if row.is_assertion))
        found = sorted((r for r in live if not r.is_assertion), key=lambda r: r.valid_from)
        if len(wanted) != len(found):
            return False
        if not all(one.says_the_same(other) for one, other in zip(wanted, found, strict=True)):
            return False
    return True


instants = st.integers(0, SPAN)
steps = st.lists(
    st.tuples(
        st.lists(st.tuples(instants, st.integers(0, 7), st.integers(0, 4)), max_size=6),
        st.lists(instants, max_size=4),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=150)
@given(steps=steps)
def test_a_key_that_followed_the_rules_is_sound(steps: Any) -> None:
    rows = played(steps)
    assert is_sound(rows)
    assert list(lifeline.findings(rows)) == []


@settings(max_examples=250)
@given(
    steps=steps,
    which=st.integers(0, 100),
    what=st.sampled_from(["drop", "kind", "value", "valid_from", "until", "tx_from", "tx_to"]),
    by=st.integers(-2, 3),
)
def test_what_is_found_is_what_every_state_shows(
    steps: Any, which: int, what: str, by: int
) -> None:
    rows = played(steps)
    if not rows:
        return
    at = which % len(rows)
    row = rows[at]
    match what:
        case "drop":
            changed: list[Row] = []
        case "kind":
            changed = [replace(row, kind=RowKind.GAP, content=None, until=None, over=None)]
        case "value":
            again = replace(row, valid_from=row.valid_from + by)
            said = content(0, "0") if row.content is None else replace(row.content, value=str(by))
            changed = [row, replace(again, kind=RowKind.FACT, content=said, over=None)]
        case "valid_from":
            changed = [replace(row, valid_from=row.valid_from + by)]
        case "until":
            changed = [replace(row, until=row.valid_from + abs(by) + 1)]
        case "tx_from":
            changed = [replace(row, tx_from=max(1, row.tx_from + by))]
        case _:
            changed = [replace(row, tx_to=None if row.tx_to else row.tx_from + abs(by) + 1)]
    rows[at : at + 1] = changed
    if any(row.tx_to is not None and row.tx_to <= row.tx_from for row in rows):
        return
    rows.sort(key=lambda row: (row.valid_from, row.tx_from))
    if len({(row.valid_from, row.tx_from) for row in rows}) < len(rows):
        return
    assert (next(lifeline.findings(rows), None) is None) == is_sound(rows)


def test_a_plain_key_is_known_by_its_rows() -> None:
    plain = [assertion(n, n, 0, 2) for n in range(3)]
    assert lifeline.is_plain(plain)
    for other in (
        assertion(9, 9, 3, 2),
        assertion(9, 9, 0, 0),
        assertion(9, 9, 0, 1),
        replace(plain[0], valid_from=9, tx_to=5),
        replace(plain[0], valid_from=9),
    ):
        assert not lifeline.is_plain([*plain, other])


def inwards(count: int) -> Steps:
    """Each period within the one before."""
    return [([(n, 2 * (count - n), 2)], []) for n in range(count)]


def outwards(count: int) -> Steps:
    """Each period around the one before."""
    return [([(count - n, 2 * n + 1, 2)], []) for n in range(count)]


def side_by_side(count: int) -> Steps:
    """Periods with gaps between them."""
    return [([(10 * n, 5, 2)], []) for n in range(count)]


def covered(count: int, length: int) -> Steps:
    """Periods one after the other, and then as many around all of them."""
    below = [([(count + 10 * n, length, 2)], []) for n in range(count)]
    last = 11 * count + length
    return below + [([(count - 1 - n, last + 2 * n, 2)], []) for n in range(count)]


def taken_away(count: int) -> Steps:
    """Nested periods that go again, the outermost first, all but one."""
    return inwards(count) + [([], [n]) for n in range(count - 1)]


def taken_away_at_once(count: int) -> Steps:
    """Nested periods over others, which all go together."""
    return [*covered(count, 5), ([], list(range(count)))]


def ended_again(count: int) -> Steps:
    """An open fact over stated periods, cut off at an earlier instant each time."""
    below = [([(10 * n, 5, 2)], []) for n in range(count)]
    return [([(-1, 0, 2)], []), *below, *(([(10 * n - 2, 0, 0)], []) for n in range(count, 0, -1))]


@pytest.mark.parametrize(
    "history",
    [
        inwards,
        outwards,
        side_by_side,
        pytest.param(partial(covered, length=5), id="apart"),
        pytest.param(partial(covered, length=10), id="touching"),
        pytest.param(partial(covered, length=15), id="crossing"),
        taken_away,
        taken_away_at_once,
        ended_again,
    ],
)
def test_the_steps_grow_with_the_rows_and_hardly_more(history: Callable[[int], Steps]) -> None:
    """However deeply periods nest: a hostile key costs no more than its size."""
    few, many = (played(history(count)) for count in (50, 200))
    per_row = [steps_to_follow(rows) / len(rows) for rows in (few, many)]
    assert per_row[1] < 1.6 * per_row[0], "a logarithm of four times as many is let through"


def steps_to_follow(rows: Sequence[Row]) -> int:
    """Count the lines that are run to follow a key on which nothing is wrong."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename != lifeline.__file__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        found = list(lifeline.findings(rows))
    finally:
        sys.settrace(before)
    assert found == []
    return count
