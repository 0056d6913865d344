from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.widgets.row_edits import Edit, edits_between, kept_rows

lists = st.lists(st.integers(0, 30), unique=True, max_size=20)


def carried_out(old, new, edits):
    rows = list(old)
    for at, removed, new_at, inserted in edits:
        rows[at : at + removed] = new[new_at : new_at + inserted]
    return rows


@given(lists, lists)
def test_the_edits_make_one_list_of_the_other(old, new):
    assert carried_out(old, new, edits_between(old, new)) == new


@given(lists, lists)
def test_rows_that_are_kept_rise_in_both_lists_and_are_the_same(old, new):
    kept = kept_rows(old, new)
    assert all(old[a] == new[b] for a, b in kept)
    assert kept == sorted(set(kept))
    assert [b for _, b in kept] == sorted(b for _, b in kept)


@given(lists, st.data())
def test_a_row_that_is_inserted_costs_one_edit(old, data):
    at = data.draw(st.integers(0, len(old)))
    new = [*old[:at], 99, *old[at:]]
    assert edits_between(old, new) == [Edit(at, 0, at, 1)]


def test_the_longest_run_stays_when_one_row_moves():
    assert edits_between("abcde", "bcdea") == [Edit(5, 0, 4, 1), Edit(0, 1, 0, 0)]


def test_equal_lists_need_no_edit():
    assert edits_between("abc", "abc") == []
    assert edits_between("", "") == []
