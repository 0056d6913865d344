"""The fixtures of `semantics.md` section 4, read literally, and the laws that stand beside them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import AsOf, MemoryDelta, Outcome, Refused, Store
from tests.conformance.scene import Clock, Desk, Entropy, day, delta, draft

# -- two axes --------------------------------------------------------------------------------------


def _two_axes(desk: Desk) -> dict[int, str]:
    """Day 10: A from day 1; day 20: B from day 30; day 40: B from 25; day 50: B from 28."""
    seen = {}
    for today in (10, 20, 40, 50):
        desk.clock.now = day(today)
        if today == 10:
            desk.fact("A", 1)
        elif today == 20:
            b = desk.fact("B", 30)
        else:
            desk.correct(b, valid_from=25 if today == 40 else 28)
        seen[today] = desk.head.digest
    return seen


def _known(desk: Desk, at: float) -> list[tuple[Any, Any, Any]]:
    numbers = [
        t.number for t in desk.store.transactions(desk.scope).items if t.recorded_at <= day(at)
    ]
    return desk.line(known=max(numbers, default=0))


def test_two_axes(desk: Desk) -> None:
    _two_axes(desk)
    assert _known(desk, 15) == [(1, None, "A")]
    assert _known(desk, 25) == [(1, 30, "A"), (30, None, "B")]
    assert _known(desk, 45) == [(1, 25, "A"), (25, None, "B")]
    assert _known(desk, 55) == [(1, 28, "A"), (28, None, "B")]
    assert _known(desk, 9) == []


def test_two_axes_by_the_clock(desk: Desk) -> None:
    _two_axes(desk)

    def value(valid: float, known: float) -> Any:
        as_of = AsOf(valid_at=day(valid), known_at=day(known))
        facts = desk.store.read(desk.scope, "mira", "city", as_of)
        return facts[0].value if facts else None

    assert value(26, 15) == "A"
    assert value(26, 25) == "A"
    assert value(26, 45) == "B"
    assert value(26, 55) == "A"
    assert value(26, 9) is None
    assert value(0, 55) is None


def test_the_answer_as_known_on_day_45_never_changes(desk: Desk) -> None:
    desk.clock.now = day(10)
    desk.fact("A", 1)
    desk.clock.now = day(20)
    b = desk.fact("B", 30)
    desk.clock.now = day(40)
    desk.correct(b, valid_from=25)
    number = desk.newest
    before = desk.everything(number)
    desk.clock.now = day(50)
    desk.correct(b, valid_from=28)
    assert desk.everything(number) == before
    desk.retract(b)
    desk.fact("C", 0)
    desk.contest("D", 0)
    desk.revert(desk.newest - 2)
    assert desk.everything(number) == before


# -- stated ends -----------------------------------------------------------------------------------


@pytest.fixture
def pair(desk: Desk) -> tuple[str, str]:
    """A from day 1, open; B from day 10 to day 20."""
    return desk.fact("A", 1), desk.fact("B", 10, 20)


def test_a_bounded_fact_lets_the_open_one_resume(desk: Desk, pair: tuple[str, str]) -> None:
    assert desk.line() == [(1, 10, "A"), (10, 20, "B"), (20, None, "A")]
    resumed = desk.read(25)[0]
    assert resumed.memory_id == pair[0]
    assert (resumed.valid_from, resumed.valid_to) == (day(20), None)
    assert resumed.until is None


def test_stated_ends_in_the_other_order_of_arrival(desk: Desk) -> None:
    desk.fact("B", 10, 20)
    desk.fact("A", 1)
    assert desk.line() == [(1, 10, "A"), (10, 20, "B"), (20, None, "A")]


def test_retract_a(desk: Desk, pair: tuple[str, str]) -> None:
    desk.retract(pair[0])
    assert desk.line() == [(10, 20, "B")]


def test_end_a_at_15_is_refused(desk: Desk, pair: tuple[str, str]) -> None:
    with pytest.raises(Refused):
        desk.end(pair[0], 15)
    assert desk.line() == [(1, 10, "A"), (10, 20, "B"), (20, None, "A")]


def test_end_a_at_5(desk: Desk, pair: tuple[str, str]) -> None:
    desk.end(pair[0], 5)
    assert desk.line() == [(1, 5, "A"), (10, 20, "B")]


def test_end_a_after_it_resumed(desk: Desk, pair: tuple[str, str]) -> None:
    desk.end(pair[0], 25)
    assert desk.line() == [(1, 10, "A"), (10, 20, "B"), (20, 25, "A")]


def test_retract_b(desk: Desk, pair: tuple[str, str]) -> None:
    desk.retract(pair[1])
    assert desk.line() == [(1, None, "A")]


def test_c_at_15_open(desk: Desk, pair: tuple[str, str]) -> None:
    desk.fact("C", 15)
    assert desk.line() == [(1, 10, "A"), (10, 15, "B"), (15, None, "C")]


def test_correct_the_value_of_a(desk: Desk, pair: tuple[str, str]) -> None:
    desk.correct(pair[0], value="Z")
    assert desk.line() == [(1, 10, "Z"), (10, 20, "B"), (20, None, "Z")]
    assert desk.read(25)[0].memory_id == pair[0]


# -- order of arrival ------------------------------------------------------------------------------

CLAIMS = {
    "open ones": [("A", 1, None), ("B", 5, None), ("C", 3, None), ("A", 9, None)],
    "nested": [("A", 1, None), ("B", 10, 20), ("C", 12, 15), ("B", 30, 40)],
    "cut and nested": [("A", 0, 30), ("B", 5, 25), ("C", 10, None), ("D", 20, 22)],
    "touching": [("A", 1, 5), ("B", 5, 9), ("C", 9, None), ("D", 0, None)],
    "same ends": [("A", 0, None), ("B", 2, 10), ("C", 5, 10), ("D", 7, 10)],
    "gap between": [("A", 1, 3), ("B", 8, 9), ("A", 5, 6), ("C", 0, None)],
}


@pytest.mark.parametrize("claims", CLAIMS.values(), ids=CLAIMS.keys())
def test_every_order_of_arrival_reads_the_same(
    make_store: Callable[..., Store], claims: list[tuple[str, float, float | None]]
) -> None:
    clock = Clock(day(100))
    store = make_store(clock=clock)
    lines = []
    for order, permuted in enumerate(permutations(claims)):
        desk = Desk(store, clock).of(tenant_id=f"tenant {order}")
        name = desk.episode()
        for value, start, until in permuted:
            receipt = desk.say(value, start, until, episode=name)
            assert receipt.outcome is Outcome.APPLIED
        lines.append(desk.line())
    assert all(line == lines[0] for line in lines)
    assert store.check(full=True).is_clean


periods = st.tuples(st.sampled_from("ABC"), st.integers(0, 12), st.none() | st.integers(1, 12)).map(
    lambda c: (c[0], c[1], None if c[2] is None else c[1] + c[2])
)


def _cross(one: tuple[str, int, int | None], other: tuple[str, int, int | None]) -> bool:
    if one[1] == other[1]:
        return True
    first, second = sorted((one, other), key=lambda c: c[1])
    if first[2] is not None and first[2] > second[1] and first[0] == second[0]:
        return (
            True  # inside the same value another end is a conflict, and identity depends on order
        )
    if first[2] is None or second[2] is None:
        return False
    return second[1] < first[2] < second[2]


@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_any_order_of_non_crossing_claims_reads_the_same(
    store: Store, clock: Clock, data: st.DataObject
) -> None:
    claims: list[tuple[str, int, int | None]] = []
    for claim in data.draw(st.lists(periods, min_size=2, max_size=8)):
        if not any(_cross(claim, other) for other in claims):
            claims.append(claim)
    shuffled = data.draw(st.permutations(claims))
    lines = []
    for order in (claims, shuffled):
        desk = Desk(store, clock).of(tenant_id=f"tenant {store.revision()} {len(lines)}")
        desk.episode("e")
        for value, start, until in order:
            receipt = desk.say(value, start, until, episode="e")
            # An open fact of the same value around: the claim is a restatement or a conflict.
            if receipt.outcome is not Outcome.APPLIED:
                return
        lines.append(_merged(desk.line()))
    assert lines[0] == lines[1]


def _merged(line: list[tuple[float, float | None, Any]]) -> list[tuple[float, float | None, Any]]:
    """Join abutting stretches of one value: which fact they belong to may depend on the order."""
    merged: list[tuple[float, float | None, Any]] = []
    for begins, ends, value in line:
        if merged and merged[-1][1] == begins and merged[-1][2] == value:
            merged[-1] = (merged[-1][0], ends, value)
        else:
            merged.append((begins, ends, value))
    return merged


# -- laws ------------------------------------------------------------------------------------------


def test_reverting_the_last_transaction_restores_every_read(desk: Desk) -> None:
    a = desk.fact("A", 1)
    b = desk.fact("B", 10, 20)
    conflict = desk.contest("C", 10, 20)
    desk.episode("e9")
    acts: list[Callable[[], Any]] = [
        lambda: desk.say("D", 5, episode="e9"),
        lambda: desk.say("D", 12, 14, episode="e9"),
        lambda: desk.say("A", 1, episode="e9"),
        lambda: desk.say("A", 3, episode="e9"),
        lambda: desk.say("E", 1, episode="e9"),
        lambda: desk.say("x", 1, episode="e9", subject="new", attribute="new"),
        lambda: desk.memory.correct(a, value="Z", episode="e9", reason="r"),
        lambda: desk.memory.correct(b, valid_from=day(11), episode="e9", reason="r"),
        lambda: desk.memory.correct(b, until=None, episode="e9", reason="r"),
        lambda: desk.memory.end(a, day(25), episode="e9", reason="r"),
        lambda: desk.memory.retract(a, episode="e9", reason="r"),
        lambda: desk.memory.retract(b, gap=True, episode="e9", reason="r"),
        lambda: desk.memory.confirm(a, episode="e9"),
        lambda: desk.settle(conflict.conflict_id, "incoming"),
        lambda: desk.settle(conflict.conflict_id, "standing"),
        lambda: desk.settle(conflict.conflict_id, "both"),
        lambda: desk.settle(conflict.conflict_id, "merge", value="M"),
        lambda: desk.settle(conflict.conflict_id, "move", valid_from=30, until=None),
    ]

    def reads() -> tuple[Any, ...]:
        conflicts = desk.store.conflicts(desk.scope, None).items
        return (
            desk.store.lane_outline(desk.scope),
            desk.store.lanes(desk.scope),
            [_content(f) for f in desk.everything()[2]],
            [(c.conflict_id, c.state, c.incoming, c.resolution) for c in conflicts],
        )

    for number, act in enumerate(acts):
        before = reads()
        receipt = act()
        assert receipt.transaction is not None, number
        assert reads() != before, f"act {number} changed nothing"
        desk.revert(receipt.transaction)
        assert reads() == before, f"act {number}"


def _content(fact: Any) -> dict[str, Any]:
    """A fact without what says when the ledger took note of its row."""
    kept = fact.model_dump(exclude={"transaction", "recorded_at", "superseded_at"})
    kept["evidence"] = [(e["episode_id"], e["span"]) for e in kept["evidence"]]
    return kept


def test_the_same_writes_give_the_same_ledger_to_the_byte(
    make_store: Callable[..., Store],
) -> None:
    heads = []
    for name in ("one", "two"):
        clock = Clock(day(100))
        desk = Desk(make_store(name, clock=clock, entropy=Entropy("same")), clock)
        a = desk.fact("A", 1)
        desk.fact("B", 5, 9)
        conflict = desk.contest("C", 5, 9)
        clock.now = day(101)
        desk.settle(conflict.conflict_id, "both")
        desk.correct(a, value="Z")
        desk.retract(a, gap=True)
        desk.revert(desk.newest)
        entries: list[Any] = [draft("l1")]
        entries += [delta(v, s, episode="l1", subject="jonas") for v, s in (("x", 3), ("y", 1))]
        assert all(isinstance(e, MemoryDelta) for e in entries[1:])
        desk.store.load(desk.scope, entries)
        heads.append(desk.head)
        ids = [f.memory_id for f in desk.everything()[2]]
        heads.append(tuple(ids))
    assert heads[:2] == heads[2:]


def test_other_entropy_gives_other_digests_and_the_same_reads(
    make_store: Callable[..., Store],
) -> None:
    heads, lines = set(), []
    for name in ("one", "two"):
        clock = Clock(day(100))
        desk = Desk(make_store(name, clock=clock), clock)
        desk.fact("A", 1)
        heads.add(desk.head.digest)
        lines.append(desk.line())
    assert len(heads) == 2
    assert lines[0] == lines[1]
