"""A value that is typed: text or JSON, and as what it is stored."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QCheckBox

from store.canonical import canonical
from store.errors import Invalid, TooDeep
from workbench.text import visible
from workbench.widgets.reason_edit import KEPT, ReasonEdit, RecentReasons
from workbench.widgets.value_edit import ValueEdit, ValueKind, editable_text, read_value


@pytest.mark.parametrize(
    ("typed", "value", "kind"),
    [
        ("gold", "gold", ValueKind.TEXT),
        ("  gold \n", "gold", ValueKind.TEXT),
        ("42", 42, ValueKind.NUMBER),
        ("-1.5e3", -1500.0, ValueKind.NUMBER),
        ("true", True, ValueKind.TRUTH),
        ("null", None, ValueKind.NULL),
        ('"42"', "42", ValueKind.TEXT),
        ('{"a": [1]}', {"a": [1]}, ValueKind.OBJECT),
        ("[]", [], ValueKind.ARRAY),
        ("2026-06-30", "2026-06-30", ValueKind.TEXT),
        ("NaN", "NaN", ValueKind.TEXT),
        ("0042", "0042", ValueKind.TEXT),
    ],
)
def test_what_is_typed_is_json_if_it_is_json_and_else_text(typed, value, kind):
    found = read_value(typed)
    assert (found.value, found.kind, found.is_broken_json) == (value, kind, False)


def test_nothing_typed_is_no_value():
    assert read_value("  \n ") is None


def test_broken_json_is_told():
    assert read_value('{"a": ').is_broken_json
    assert read_value("[1, 2").value == "[1, 2"


@pytest.mark.parametrize("depth", [101, 490, 100_000])
def test_what_is_nested_too_deep_is_no_value(depth):
    with pytest.raises(TooDeep, match="at most 100 arrays and objects"):
        read_value("[" * depth + "]" * depth)
    assert read_value("[" * depth, is_text=True).kind is ValueKind.TEXT


def test_a_number_can_be_kept_as_text():
    found = read_value("42", is_text=True)
    assert (found.value, found.kind) == ("42", ValueKind.TEXT)


@pytest.mark.parametrize("typed", ["9007199254740993", "1e999", '"\\ud800"'])
def test_what_cannot_be_kept_exactly_is_refused(typed):
    with pytest.raises(Invalid):
        read_value(typed)


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(_json)
def test_a_value_that_is_shown_to_be_edited_reads_back_the_same(value):
    try:
        kept = canonical(value)
    except Invalid:
        return  # such a value is in no store
    typed, is_text = editable_text(value)
    assert canonical(read_value(typed, is_text=is_text).value) == kept
    assert visible(typed, keeps_lines=True) == typed


def test_the_field_says_as_what_it_is_stored_and_offers_text(qtbot):
    edit = ValueEdit("Value")
    qtbot.addWidget(edit)
    edit.show()
    box = edit.findChild(QCheckBox)
    assert not box.isVisible()
    with qtbot.waitSignal(edit.value_changed):
        edit.field.setPlainText("42")
    assert box.isVisible()
    assert "number" in edit.field.accessibleDescription()
    box.click()
    assert edit.found.value == "42"
    assert "text" in edit.field.accessibleDescription()
    edit.field.setPlainText("9007199254740993")
    box.setChecked(False)
    assert edit.found is None
    assert edit.problem
    edit.clear()
    assert (edit.found, edit.problem) == (None, "")


def test_a_value_is_shown_so_that_it_stays_what_it_is(qtbot):
    edit = ValueEdit("Value")
    qtbot.addWidget(edit)
    for value in ("gold", "42", 42, True, None, {"a": [1, None]}, "line\nbreak", "[1]", "", " x",
                  "pay\u202eexe", {"a\u200b": "\x07"}):  # fmt: skip
        edit.set_value(value)
        assert json.dumps(edit.found.value) == json.dumps(value)


def test_the_last_reasons_are_kept_newest_first_and_told_once(qtbot):
    reasons = RecentReasons(f"r{number}" for number in range(20))
    assert reasons.offered == tuple(f"r{number}" for number in range(KEPT))
    told = []
    reasons.remembered.connect(told.append)
    reasons.remember("r3")
    reasons.remember("new")
    assert reasons.offered[:3] == ("new", "r3", "r0")
    assert len(reasons.offered) == KEPT
    reasons.set_offered(["other"])
    assert told == ["r3", "new"]


def test_a_reason_that_is_being_typed_survives_new_offers(qtbot):
    reasons = RecentReasons(["one"])
    edit = ReasonEdit(reasons)
    qtbot.addWidget(edit)
    assert edit.reason == ""
    edit.lineEdit().setText("  typing ")
    reasons.remember("two")
    assert edit.reason == "typing"
    assert [edit.itemText(at) for at in range(edit.count())] == ["two", "one"]
