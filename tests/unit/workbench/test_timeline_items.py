"""Pages of lanes in columns, and the rows they stand in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.encoding import tint_of
from store.query import Mark, SubjectLanes
from tests.timeline_lanes import bar, lane, many, sample
from workbench.panels.timeline.items import (
    GROUP_HEIGHT,
    OPEN,
    Joint,
    LaneRows,
    join_pages,
    pack_lanes,
)
from workbench.widgets.lanes import joins


def test_a_page_gives_back_what_was_packed():
    lanes = sample()
    page = pack_lanes(512, lanes)
    assert page.keys == tuple(item.key for item in lanes)
    assert page.bars == 7
    for number, item in enumerate(lanes):
        first, last = page.bar_range(512 + number)
        assert tuple(page.bar(index) for index in range(first, last)) == item.bars
    assert page.tints.tolist() == [tint_of(value) for value in page.values]
    assert page.ends[1] == OPEN


def test_an_empty_page_is_a_page():
    page = pack_lanes(0, [])
    assert page.bars == 0
    assert join_pages(()).starts.tolist() == []


def test_what_was_believed_stands_apart():
    then = bar("2026-02-01", "2026-05-01", "Faro", marks=Mark.BELIEVED)
    now = bar("2026-03-01", None, "Porto")
    page = pack_lanes(0, [lane("a", "b"), lane("a", "c", then, now)])
    assert page.bars == 1
    assert page.believed == {1: (then,)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"memory_id": "other"}, False),
        ({"valid_from": 1}, False),
        ({"value": '"other"'}, False),
        ({"marks": int(Mark.DISPUTED)}, False),
        ({"marks": int(Mark.RESTATED)}, True),
    ],
)
def test_bars_join_as_the_lane_drawing_says(changes, expected):
    first = bar("2026-01-01", "2026-02-01", "x", memory_id="m")
    second = bar("2026-02-01", None, "x", memory_id="m")._replace(**changes)
    assert joins(first, second) is expected
    page = pack_lanes(0, [lane("a", "b", first, second), lane("a", "c", second)])
    touch = [Joint.AFTER, Joint.BEFORE] if expected else [0, 0]
    assert page.joints.tolist() == [*touch, 0]


def test_bars_of_different_lanes_never_join():
    first = bar("2026-01-01", "2026-02-01", "x", memory_id="m")
    second = bar("2026-02-01", None, "x", memory_id="m")
    page = pack_lanes(0, [lane("a", "b"), lane("a", "c", first), lane("a", "d", second)])
    assert page.joints.tolist() == [0, 0]


def test_pages_side_by_side_are_one_set_of_columns():
    lanes = many(6, bars=3)
    pages = (pack_lanes(0, lanes[:4]), pack_lanes(4, lanes[4:]))
    columns = join_pages(pages)
    everything = [item for one in lanes for item in one.bars]
    assert [columns.bar(place) for place in range(18)] == everything
    assert [columns.value(place) for place in range(18)] == [item.value for item in everything]


outlines = st.lists(st.integers(0, 5), max_size=12)


@given(outlines, st.sets(st.integers(0, 11)), st.sampled_from([22, 30, 38]))
def test_rows_are_where_adding_heights_says(counts, hidden, height):
    outline = [SubjectLanes(f"s{n}", count, "t", 0) for n, count in enumerate(counts)]
    rows = LaneRows(outline, lane_height=height, collapsed={f"s{n}" for n in hidden})
    expected, y, position = [], 0, 0
    for number, count in enumerate(counts):
        expected.append((number, None, y, GROUP_HEIGHT))
        y += GROUP_HEIGHT
        for _ in range(count):
            if number not in hidden:
                expected.append((number, position, y, height))
                y += height
            position += 1
    assert [tuple(rows.row(number)) for number in range(rows.count)] == expected
    assert (rows.height, rows.lanes, rows.count) == (y, position, len(expected))
    assert [tuple(row) for row in rows.between(0, y)] == expected
    for number, (subject, lane_position, top, tall) in enumerate(expected):
        assert rows.number_at(top) == number
        assert rows.number_at(top + tall - 1) == number
        assert rows.number_of(subject, lane_position) == number
    assert rows.number_at(y) is None
    assert rows.number_at(-1) is None


@given(outlines, st.integers(0, 900), st.integers(1, 400))
def test_rows_in_view_are_those_that_the_view_cuts(counts, top, tall):
    outline = [SubjectLanes(f"s{n}", count, "t", 0) for n, count in enumerate(counts)]
    rows = LaneRows(outline)
    every = [rows.row(number) for number in range(rows.count)]
    expected = [row for row in every if row.y < top + tall and row.y + row.height > top]
    assert list(rows.between(top, top + tall)) == expected


def test_the_header_stays_at_the_top_until_the_next_pushes_it_out():
    rows = LaneRows([SubjectLanes("a", 2, "", 0), SubjectLanes("b", 1, "", 0)])
    assert rows.pinned(0) == (0, 0)
    assert rows.pinned(60) == (0, 0)
    assert rows.pinned(70) == (0, -10)
    assert rows.pinned(84) == (1, 0)
    assert LaneRows().pinned(0) is None
    assert not rows.is_collapsed(0)
    assert rows.subject_of(2) == 1
