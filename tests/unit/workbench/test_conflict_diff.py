"""Word-level differences: nothing is lost, nothing that is alike is marked."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from workbench.widgets.diff import Run, diff_words, share_words


def marked(runs):
    return [run.text for run in runs if run.is_changed]


def test_the_words_that_differ_are_marked():
    one, other = diff_words("Avenida 1203, 4100 Porto", "Avenida 1230, 4100 Porto")
    assert marked(one) == ["1203"]
    assert marked(other) == ["1230"]


def test_a_blank_between_changed_words_belongs_to_the_change():
    one, other = diff_words("from Lisbon town to Porto", "from Faro to Porto")
    assert marked(one) == ["Lisbon town"]
    assert marked(other) == ["Faro"]


def test_equal_texts_have_no_mark():
    assert diff_words("gold", "gold") == ((Run("gold", False),), (Run("gold", False),))
    assert diff_words("", "") == ((), ())


def test_texts_that_share_no_word_are_told_from_those_that_do():
    assert not share_words(diff_words("gold", "platinum")[0])
    assert not share_words(diff_words("a, b", "c, d")[0])
    assert share_words(diff_words("a, b", "a, d")[0])


def test_long_texts_are_compared_at_both_ends():
    middle = " ".join(f"w{number}" for number in range(4_000))
    one, other = diff_words(f"{middle} old {middle}", f"{middle} new {middle}")
    assert marked(one) == ["old"]
    assert marked(other) == ["new"]


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_runs_of_each_side_are_the_side(before, after):
    one, other = diff_words(before, after)
    rebuilt = "".join(run.text for run in one), "".join(run.text for run in other)
    kept = ["".join(filter(lambda c: c.isalnum(), text)) for text in (before, after)]
    assert ["".join(filter(lambda c: c.isalnum(), text)) for text in rebuilt] == kept
    assert rebuilt == (before, after)
    for runs in (one, other):
        assert all(a.is_changed != b.is_changed for a, b in pairwise(runs))


@given(st.text(max_size=60))
def test_a_text_against_itself_is_unchanged(text):
    one, other = diff_words(text, text)
    assert marked(one) == marked(other) == []
