from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence

from workbench.actions import (
    ACTIONS,
    GESTURES,
    MENUS,
    Check,
    Context,
    Selection,
    action,
    redo_text,
    undo_text,
)

EVERYTHING = Context(
    is_open=True,
    is_writable=True,
    open_conflicts=3,
    undo_label="Correct",
    redo_label="Retract",
    is_at_now=False,
    can_go_back=True,
    can_go_forward=True,
    recent_stores=2,
)


def test_ids_are_unique_and_of_one_form() -> None:
    ids = [spec.id for spec in ACTIONS]
    assert [it for it, count in Counter(ids).items() if count > 1] == []
    for it in ids:
        area, dot, verb = it.partition(".")
        assert dot
        assert area.isidentifier()
        assert verb.isidentifier()


def test_no_two_actions_share_a_key() -> None:
    keys = Counter(
        QKeySequence.fromString(keys).toString() for spec in ACTIONS for keys in spec.keys
    )
    assert [it for it, count in keys.items() if count > 1] == []


def test_every_key_is_one_that_qt_knows() -> None:
    for spec in ACTIONS:
        for keys in spec.keys:
            sequence = QKeySequence.fromString(keys, QKeySequence.SequenceFormat.PortableText)
            assert sequence.count() == 1, (spec.id, keys)
            assert sequence[0].key().name != "Key_unknown", (spec.id, keys)


def test_every_menu_path_exists_and_no_menu_is_empty() -> None:
    paths = {menu.path for menu in MENUS}
    assert {spec.menu for spec in ACTIONS if not spec.is_palette_only} <= paths
    used = {spec.menu[:depth] for spec in ACTIONS for depth in range(1, len(spec.menu) + 1)}
    assert paths == used


def test_menu_letters_are_unique_in_their_menu() -> None:
    for menu in MENUS:
        labels = [spec.text for spec in ACTIONS if spec.menu == menu.path]
        labels += [it.text for it in MENUS if it.path[:-1] == menu.path]
        letters = [it[it.index("&") + 1].lower() for it in labels if "&" in it]
        assert [it for it, count in Counter(letters).items() if count > 1] == [], menu.path


def test_every_action_says_what_it_does() -> None:
    for spec in ACTIONS:
        assert spec.help_line().endswith("."), spec.id
        assert "!" not in spec.text + spec.help
        assert spec.plain_label().strip("…&") == spec.plain_label()


def test_single_keys_are_marked() -> None:
    single = {key for spec in ACTIONS for key in spec.single_keys}
    assert single >= set("WSADFNC.,[]/?")
    assert not action("go.palette").is_single_key
    assert action("go.search").is_single_key
    assert action("go.search").single_keys == ("/",)
    assert {spec.id for spec in ACTIONS if spec.is_by_place} == {
        "view.zoom_in",
        "view.zoom_out",
        "view.pan_left",
        "view.pan_right",
    }


def test_radio_actions_stand_in_groups() -> None:
    groups = Counter(spec.group for spec in ACTIONS if spec.check is Check.RADIO)
    assert set(groups) == {"density", "theme", "language"}
    assert min(groups.values()) >= 3


def test_with_nothing_open_only_what_needs_no_store_can_be_done() -> None:
    possible = {spec.id for spec in ACTIONS if spec.enabled_when(Context())}
    assert "store.open" in possible
    assert "help.keys" in possible
    assert not {it for it in possible if it.startswith(("fact.", "conflict.", "link."))}


@pytest.mark.parametrize("selection", list(Selection))
def test_a_write_needs_the_right_selection(selection: Selection) -> None:
    from dataclasses import replace

    context = replace(EVERYTHING, selection=selection)
    possible = {spec.id for spec in ACTIONS if spec.enabled_when(context)}
    assert ("fact.correct" in possible) == (selection is Selection.FACT)
    assert ("conflict.resolve" in possible) == (selection is Selection.CONFLICT)
    assert ("transaction.revert" in possible) == (selection is Selection.TRANSACTION)
    assert "fact.add" in possible


@pytest.mark.parametrize("change", [{"is_writable": False}, {"is_busy": True}])
def test_nothing_is_written_to_a_store_that_cannot_be(change: dict[str, bool]) -> None:
    from dataclasses import replace

    for selection in Selection:
        context = replace(EVERYTHING, selection=selection, **change)
        possible = {spec.id for spec in ACTIONS if spec.enabled_when(context)}
        assert not possible & {
            "fact.add",
            "fact.correct",
            "fact.end",
            "fact.retract",
            "fact.confirm",
            "conflict.resolve",
            "transaction.revert",
            "edit.undo",
            "edit.redo",
            "import.table",
            "import.zeroclaw",
        }
        assert "view.refresh" in possible


def test_undo_says_what_it_takes_back() -> None:
    assert undo_text(EVERYTHING) == "&Undo “Correct”"
    assert redo_text(EVERYTHING) == "&Redo “Retract”"
    assert undo_text(Context()) == "&Undo"
    assert undo_text(Context(undo_label="End R&D\u202e")) == "&Undo “End R&&D⟨U+202E⟩”"


def test_there_is_no_action_by_a_wrong_name() -> None:
    with pytest.raises(KeyError):
        action("fact.explode")


def test_gestures_are_whole_sentences() -> None:
    assert all(it.help.endswith(".") and it.keys and it.where for it in GESTURES)


@pytest.mark.parametrize(
    "context",
    [
        Context(),
        Context(is_open=True),
        Context(is_open=True, is_writable=True),
        Context(is_open=True, is_writable=True, is_busy=True, selection=Selection.FACT),
        Context(is_open=True, selection=Selection.CONFLICT),
        Context(is_open=True, selection=Selection.TRANSACTION, undo_label="Add", redo_label="End"),
    ],
)
def test_what_cannot_be_done_says_why_and_what_can_says_nothing(context: Context) -> None:
    for spec in ACTIONS:
        assert bool(spec.why_not(context)) is not spec.enabled_when(context), spec.id


def test_keys_by_place_stand_in_the_menu_beside_their_command() -> None:
    assert action("view.zoom_in").menu_label().endswith("\tW")
    assert "\t" not in action("view.focus").menu_label()
