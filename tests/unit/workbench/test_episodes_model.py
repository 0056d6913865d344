"""The list of episodes keeps Qt's rules, and one's place while others write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt

from store.model import EpisodeKind
from workbench.panels.episodes.items import EpisodeRow, first_line
from workbench.panels.episodes.model import EpisodeListModel, EpisodeRole

BASE = datetime(2026, 6, 1, tzinfo=UTC)


def row(number):
    at = BASE - timedelta(hours=number)
    return EpisodeRow(f"e{number}", EpisodeKind.MESSAGE, "Mira", at, at, f"line {number}")


def ids(model):
    return [it.episode_id for it in model.rows]


def test_it_keeps_qts_rules(qtmodeltester):
    model = EpisodeListModel()
    qtmodeltester.check(model, force_py=True)
    model.set_rows([row(1), row(3)], has_more=True)
    model.append([row(3), row(5)], has_more=False)
    model.merge([row(0), row(1), row(2), row(3)], has_more=False)
    model.set_counts({"e1": 2})
    assert ids(model) == ["e0", "e1", "e2", "e3", "e5"]


@given(
    st.sets(st.integers(0, 60), min_size=1),
    st.lists(st.sets(st.integers(0, 60)), max_size=4),
)
def test_whatever_comes_a_view_keeps_its_rows(first, later):
    model = EpisodeListModel()
    held = set(first)
    model.set_rows([row(n) for n in sorted(held)], has_more=False)
    kept = {n: QPersistentModelIndex(model.index(place, 0)) for place, n in enumerate(sorted(held))}
    for new in later:
        held |= new
        model.merge([row(n) for n in sorted(held)], has_more=False)
        assert ids(model) == [f"e{n}" for n in sorted(held)]
        for n, index in kept.items():
            assert index.isValid()
            assert index.data(EpisodeRole.ROW).episode_id == f"e{n}"
            assert model.place_of(f"e{n}") == index.row()


@given(st.sets(st.integers(0, 30), min_size=3), st.sets(st.integers(0, 30)))
def test_a_shorter_beginning_leaves_the_rest(first, new):
    model = EpisodeListModel()
    held = sorted(first)
    model.set_rows([row(n) for n in held], has_more=True)
    now = sorted(first | {n for n in new if n < held[1]})
    model.merge([row(n) for n in now[: len(now) - 1]], has_more=True)
    assert ids(model) == [f"e{n}" for n in now]


def test_rows_that_are_gone_make_it_anew():
    model = EpisodeListModel()
    model.set_rows([row(1), row(2), row(3)], has_more=False)
    model.merge([row(2), row(3)], has_more=False)
    assert ids(model) == ["e2", "e3"]


def test_more_is_wanted_only_while_there_is_more(qtbot):
    model = EpisodeListModel()
    model.set_rows([row(1)], has_more=True)
    parent = model.index(-1, -1)
    with qtbot.waitSignal(model.more_wanted):
        model.fetchMore(parent)
    model.append([], has_more=False)
    assert not model.canFetchMore(parent)


def test_what_was_recorded_later_is_marked_in_words():
    model = EpisodeListModel()
    model.set_rows([row(1), row(9)], has_more=False)
    model.set_known_at(BASE - timedelta(hours=5))
    assert [model.index(n, 0).data(EpisodeRole.IS_LATER) for n in range(2)] == [True, False]
    said = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "not recorded yet then" in said


def test_the_words_for_a_reader_have_line_kind_and_count(qapp):
    model = EpisodeListModel()
    model.set_rows([row(1)], has_more=False)
    model.set_counts({"e1": 2})
    said = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith("line 1, 31 May 2026 23:00 · message · e1 · Mira, 2 fact")
    assert model.uncounted(0, 5) == []
    model.forget_counts()
    assert model.uncounted(0, 5) == ["e1"]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("# Title\n\ntext", "Title"),
        ("> - **bold** words\nmore", "bold words"),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ("\n\n---\n`crm.get_contact()`: done", "crm.get_contact(): done"),
        ("1. first", "first"),
        ("a\u202eb", "a⟨U+202E⟩b"),
        ("", ""),
        ("!!!", "!!!"),
    ],
)
def test_the_first_line_says_something(content, line):
    assert first_line(content) == line
