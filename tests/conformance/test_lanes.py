"""Lanes, their outline and density: what the timeline draws."""

from __future__ import annotations

from itertools import pairwise

from store import Attribute, FactQuery, LaneFilter, Register
from store.query import Density, Lane, Mark, SubjectLanes
from store.temporal import to_micros
from tests.conformance.scene import Desk, all_facts, day


def _names(lanes: tuple[Lane, ...]) -> list[tuple[str, str, str]]:
    return [(lane.key.subject, lane.key.attribute, lane.key.owner) for lane in lanes]


def _city(desk: Desk) -> None:
    desk.fact("A", 1, memory_type="profile")
    desk.fact("B", 10, 20)
    desk.fact("tea", 1, attribute="drink")
    desk.fact("x", 1, subject="Zoe", owner="bob")
    desk.fact("x", 1, subject="Zoe", owner="alice")
    desk.fact("x", 1, subject="ägir", attribute="drink")


def test_lanes_are_ordered_by_code_points(desk: Desk) -> None:
    _city(desk)
    lanes = desk.store.lanes(desk.scope)
    assert _names(lanes) == [
        ("Zoe", "city", "alice"),
        ("Zoe", "city", "bob"),
        ("mira", "city", ""),
        ("mira", "drink", ""),
        ("ägir", "drink", ""),
    ]
    assert [lane.memory_type for lane in lanes] == ["profile"] * 3 + ["fact"] * 2
    assert desk.store.lane_outline(desk.scope) == (
        SubjectLanes("Zoe", 2, "profile", 0),
        SubjectLanes("mira", 2, "profile", 0),
        SubjectLanes("ägir", 1, "fact", 0),
    )


def test_lanes_come_by_position(desk: Desk) -> None:
    _city(desk)
    whole = desk.store.lanes(desk.scope)
    for first in range(6):
        for count in range(1, 4):
            part = desk.store.lanes(desk.scope, first=first, count=count)
            assert part == whole[first : first + count]
    assert sum(s.lanes for s in desk.store.lane_outline(desk.scope)) == len(whole)


def test_lanes_are_filtered_as_their_outline_is(desk: Desk) -> None:
    _city(desk)
    for lanes, wanted in (
        (LaneFilter(subject="Zoe"), [("Zoe", "city", "alice"), ("Zoe", "city", "bob")]),
        (LaneFilter(attribute="drink"), [("mira", "drink", ""), ("ägir", "drink", "")]),
        (LaneFilter(memory_type="profile", subject="mira"), [("mira", "city", "")]),
        (LaneFilter(text="MIRA dri"), [("mira", "drink", "")]),
        (LaneFilter(text="ÄGIR"), [("ägir", "drink", "")]),
        (LaneFilter(text="tea"), []),
        (LaneFilter(subject="zoe"), []),
    ):
        found = desk.store.lanes(desk.scope, lanes)
        assert _names(found) == wanted
        outline = desk.store.lane_outline(desk.scope, lanes)
        counts = {entry.subject: entry.lanes for entry in outline}
        subjects = [name for name, _, _ in wanted]
        assert counts == {name: subjects.count(name) for name in subjects}
        assert list(counts) == list(dict.fromkeys(subjects))


def test_bars_are_the_stretches(desk: Desk) -> None:
    a = desk.fact("A", 1)
    b = desk.fact({"y": 1, "x": "B"}, 10, 20)
    (lane,) = desk.store.lanes(desk.scope)
    micros = [to_micros(day(n)) for n in (1, 10, 20)]
    assert [tuple(bar)[:4] for bar in lane.bars] == [
        (micros[0], micros[1], a, '"A"'),
        (micros[1], micros[2], b, '{"x":"B","y":1}'),
        (micros[2], None, a, '"A"'),
    ]


def test_a_restatement_and_its_fact_are_one_bar_to_every_reader(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("A", 10)
    bars = desk.store.lanes(desk.scope)[0].bars
    assert bars[0].valid_from == to_micros(day(1))
    assert bars[-1].valid_to is None
    for one, other in pairwise(bars):
        assert one.valid_to == other.valid_from
    assert {bar.memory_id for bar in bars} == {desk.read()[0].memory_id}


def test_long_values_are_cut_in_bars_only(desk: Desk) -> None:
    desk.fact("x" * 1000, 1)
    (lane,) = desk.store.lanes(desk.scope)
    assert lane.bars[0].value == '"' + "x" * 199
    assert desk.value(1) == "x" * 1000


def test_bars_bear_marks(desk: Desk) -> None:
    plain = desk.fact("plain", 1)
    desk.fact("disputed", 2)
    desk.contest("other", 2)
    desk.fact("by the day", 3, precision="day")
    desk.fact("by the minute", 4, precision="minute")
    desk.fact("assumed", 5, valid_from_basis="assumed")
    desk.fact("unknown", 6, valid_from_basis="unknown", precision="year")
    desk.confirm(plain, "another")
    (lane,) = desk.store.lanes(desk.scope)
    marks = {bar.value.strip('"'): Mark(bar.marks) for bar in lane.bars}
    assert marks == {
        "plain": Mark.CONFIRMED,
        "disputed": Mark.DISPUTED,
        "by the day": Mark.IMPRECISE,
        "by the minute": Mark(0),
        "assumed": Mark.ASSUMED,
        "unknown": Mark.ASSUMED | Mark.IMPRECISE,
    }
    assert lane.open_conflicts == 1


def test_marks_are_those_of_the_asked_transaction(desk: Desk) -> None:
    fact = desk.fact("A", 1)
    then = desk.newest
    desk.confirm(fact, "e2")
    confirmed = desk.newest
    desk.contest("B", 1)

    def marks(known: int | None) -> int:
        return desk.store.lanes(desk.scope, as_of=desk.as_of(known))[0].bars[0].marks

    assert marks(then) == 0
    assert marks(confirmed) == Mark.CONFIRMED
    assert marks(None) == Mark.CONFIRMED | Mark.DISPUTED


def test_a_key_has_a_lane_while_it_has_rows(desk: Desk) -> None:
    desk.episode("e0")
    empty = desk.newest
    fact = desk.fact("A", 1)
    made = desk.newest
    desk.retract(fact)
    assert desk.store.lanes(desk.scope, as_of=desk.as_of(empty)) == ()
    assert len(desk.store.lanes(desk.scope, as_of=desk.as_of(made))) == 1
    assert desk.store.lanes(desk.scope) == ()
    assert desk.store.lane_outline(desk.scope) == ()


def test_a_slot_has_a_lane_of_its_own(desk: Desk) -> None:
    desk.write(Register(attribute=Attribute(name="city", cardinality="multi")))
    desk.fact("A", 1)
    desk.fact("B", 1)
    lanes = desk.store.lanes(desk.scope)
    assert len(lanes) == 2
    slots = [lane.key.slot for lane in lanes]
    assert slots == sorted(slots)
    assert desk.store.lane_outline(desk.scope)[0].lanes == 2


def test_open_conflicts_are_counted_by_lane_and_subject(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.contest("B", 1)
    desk.contest("A", 5, 9)
    desk.fact("tea", 1, attribute="drink")
    conflict = desk.contest("milk", 1, attribute="drink")
    assert [lane.open_conflicts for lane in desk.store.lanes(desk.scope)] == [2, 1]
    assert [s.open_conflicts for s in desk.store.lane_outline(desk.scope)] == [3]
    desk.settle(conflict.conflict_id, "standing")
    assert [s.open_conflicts for s in desk.store.lane_outline(desk.scope)] == [2]


# -- density -------------------------------------------------------------------------------------


def test_the_density_of_nothing(desk: Desk) -> None:
    density = desk.store.density(desk.scope, buckets=7)
    assert density.counts == (0,) * 7
    assert density.conflicts == ()
    assert density.valid_from < density.valid_to


def _check(desk: Desk, density: Density, starts: list[int], buckets: int) -> None:
    assert len(density.counts) == buckets
    assert (density.valid_to - density.valid_from) % buckets == 0, "buckets of one width"
    width = (density.valid_to - density.valid_from) // buckets
    counted = [0] * buckets
    for start in starts:
        counted[(start - density.valid_from) // width] += 1
    assert list(density.counts) == counted


def test_every_stretch_is_counted_in_its_bucket(desk: Desk) -> None:
    _city(desk)
    desk.fact("late", 1500.25, 1600)
    facts = all_facts(desk, FactQuery(history=True), as_of=desk.as_of())
    starts = [to_micros(f.valid_from) for f in facts]
    for buckets in (1, 2, 3, 50, 200):
        density = desk.store.density(desk.scope, buckets=buckets)
        _check(desk, density, starts, buckets)
        assert density.valid_from == min(starts)
        assert density.valid_to > to_micros(day(1600))
    drinks = desk.store.density(desk.scope, LaneFilter(attribute="drink"), buckets=4)
    _check(desk, drinks, [to_micros(day(1))] * 2, 4)


def test_a_single_instant_has_a_density(desk: Desk) -> None:
    desk.fact("A", 1)
    density = desk.store.density(desk.scope, buckets=5)
    _check(desk, density, [to_micros(day(1))], 5)


def test_density_shows_open_conflicts(desk: Desk) -> None:
    desk.fact("A", 1)
    then = desk.newest
    conflict = desk.contest("B", 1)
    desk.contest("A", 7, 9)
    assert desk.store.density(desk.scope).conflicts == (to_micros(day(1)), to_micros(day(7)))
    assert desk.store.density(desk.scope, as_of=desk.as_of(then)).conflicts == ()
    desk.settle(conflict.conflict_id, "standing")
    assert desk.store.density(desk.scope).conflicts == (to_micros(day(7)),)
    assert desk.store.density(desk.scope, LaneFilter(subject="nobody")).conflicts == ()
