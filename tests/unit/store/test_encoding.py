"""How values and states look: tints, labels, signs, words."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.canonical import canonical
from store.encoding import (
    SIGNS,
    TINTS,
    VALUE_CUT,
    State,
    label_of,
    mark_words,
    state_of,
    tint_of,
    visible,
)
from store.query import Mark

JOINERS = "\u200c\u200d"


def test_tints_are_the_same_on_every_machine():
    values = ['"Lisbon"', '"Porto"', "true", "42", '{"a":1}']
    assert [tint_of(value) for value in values] == [2, 1, 2, 7, 5]


@given(st.text())
def test_a_tint_depends_on_what_is_shown_of_a_value(text):
    value = canonical(text) if text.isascii() else json.dumps(text)
    assert 0 <= tint_of(value) < TINTS
    assert tint_of(value[:VALUE_CUT]) == tint_of(value)


def test_tints_are_spread():
    dates = [f'"2026-{month:02}-{day:02}"' for month in range(1, 13) for day in range(1, 29)]
    counts = Counter(map(tint_of, dates))
    assert len(counts) == TINTS
    assert max(counts.values()) < 2 * min(counts.values())


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ('"Lisbon"', "Lisbon"),
        ('"12 \\"B\\""', '12 "B"'),
        ("true", "true"),
        ("null", "null"),
        ("1.5", "1.5"),
        ('{"a":1}', '{"a":1}'),
        ('"two\\nlines\\tand a tab"', "two⏎lines→and a tab"),
        ('"\u202egnp.exe"', "⟨U+202E⟩gnp.exe"),
        ('"zero\u200bwidth"', "zero⟨U+200B⟩width"),
        ('"\\u0007"', "⟨U+0007⟩"),
        ('"cut in the mid', "cut in the mid…"),
        ('"cut in an escape\\', "cut in an escape…"),
        ('"cut in a code\\u00', "cut in a code…"),
        ('"back\\\\slash and \\u0007', "back\\slash and ⟨U+0007⟩…"),
    ],
)
def test_labels_show_values_in_one_line(value, label):
    assert label_of(value) == label


def test_joiners_stay_where_they_have_a_use():
    family = "👩\u200d💻"
    assert visible(family) == family
    persian = "\u0645\u06cc\u200c\u062e\u0648"
    assert visible(persian) == persian
    assert visible("a\u200db") == "a⟨U+200D⟩b"


@given(st.text())
def test_nothing_invisible_is_left(text):
    shown = visible(text)
    assert "\n" not in shown
    kinds = {unicodedata.category(character) for character in shown if character not in JOINERS}
    assert kinds.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})


@given(st.text(min_size=1), st.integers(1, 40))
def test_a_cut_string_has_the_label_of_its_beginning(text, cut):
    value = canonical(text.encode("utf-8", "ignore").decode())
    if len(value) > 1 + cut:
        beginning = label_of(value[: 1 + cut]).removesuffix("…")
        assert label_of(value).startswith(beginning)


@pytest.mark.parametrize(
    ("valid_from", "valid_to", "marks", "expected"),
    [
        (0, None, 0, State.CURRENT),
        (0, 10, 0, State.CURRENT),
        (0, 5, 0, State.ENDED),
        (6, None, 0, State.FUTURE),
        (5, None, 0, State.CURRENT),
        (6, None, Mark.DISPUTED, State.DISPUTED),
    ],
)
def test_states(valid_from, valid_to, marks, expected):
    assert state_of(valid_from, valid_to, marks=marks, at=5) is expected


def test_every_state_has_a_sign_of_its_own():
    assert len(set(SIGNS.values())) == len(State)


def test_marks_in_words():
    assert mark_words(0) == ()
    assert mark_words(Mark.ASSUMED | Mark.DISPUTED) == ("disputed", "assumed start")
    assert len(mark_words(63)) == len(Mark)


@pytest.mark.parametrize("blank", ["\u3164", "\u2800", "\U000e0101"])
def test_letters_that_show_nothing_are_made_visible(blank: str) -> None:
    assert visible(f"é{blank}b") == f"é⟨U+{ord(blank):04X}⟩b"
