"""What the navigator lists, and how it narrows the session."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from store.scope import bind
from store.temporal import AsOf
from tests.sessions import LongList, demo_store, session_on, settled
from workbench.panels.navigator.model import ENTRY_ROLE, EntryList, named
from workbench.panels.navigator.presenter import CONFLICTS, NavigatorPresenter, Section
from workbench.session import NOTHING, SelectionKind

NAMES = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True)


def names(presenter, section=Section.SUBJECTS):
    return [entry.id for entry in presenter.lists[section].entries]


def entries_of(letters, count=1):
    return [named(letter, count) for letter in letters]


@pytest.fixture
def presenter(qtbot, session):
    presenter = NavigatorPresenter(session)
    qtbot.waitUntil(lambda: presenter.has_answer and session.summary is not None)
    return presenter


# --- the list -------------------------------------------------------------------------------


def test_qt_finds_no_fault(qtmodeltester):
    entries = EntryList()
    qtmodeltester.check(entries)
    entries.show(entries_of("abc"))
    entries.show(entries_of("xabyc", 2))
    entries.show(entries_of("bx"))
    entries.show([])
    qtmodeltester.check(entries)


@given(st.lists(NAMES, min_size=2, max_size=6))
def test_rows_that_stay_are_the_same_rows(lists):
    entries = EntryList()
    count = [0]
    entries.rowsInserted.connect(lambda _p, a, b: count.__setitem__(0, count[0] + b - a + 1))
    entries.rowsRemoved.connect(lambda _p, a, b: count.__setitem__(0, count[0] - (b - a + 1)))
    entries.modelReset.connect(lambda: count.__setitem__(0, entries.rowCount()))
    for letters in lists:
        kept = {
            entry.id: QPersistentModelIndex(entries.index(row))
            for row, entry in enumerate(entries.entries)
        }
        entries.show(entries_of(letters, len(letters)))
        assert [entry.id for entry in entries.entries] == letters
        assert count[0] == len(letters) == entries.rowCount()
        assert all(entries.row_of(letter) == row for row, letter in enumerate(letters))
        for name, index in kept.items():
            if index.isValid():
                assert entries.index(index.row()).data() == name


def test_letters_find_the_next_name_that_begins_so():
    entries = EntryList()
    entries.show(entries_of(["anna", "Bert", "boris", "carl"]))

    def find(start, typed):
        found = entries.match(entries.index(start), Qt.ItemDataRole.DisplayRole, typed)
        return [index.row() for index in found]

    assert find(0, "b") == [1]
    assert find(2, "B") == [2]
    assert find(3, "b") == [1]
    assert find(0, "z") == []


def test_a_hostile_name_is_shown_and_does_nothing():
    entries = EntryList()
    entries.show([named("<b>x</b>\u202e\n", 1)])
    index = entries.index(0)
    assert index.data() == "<b>x</b>⟨U+202E⟩⏎"
    assert "&lt;b&gt;" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert index.data(ENTRY_ROLE).id == "<b>x</b>\u202e\n"
    assert entries.data(QModelIndex()) is None


# --- what is listed -------------------------------------------------------------------------


def test_subjects_types_and_attributes_are_listed_with_counts(session, presenter):
    assert len(names(presenter)) == session.summary.subjects
    assert names(presenter) == sorted(names(presenter))
    mira = presenter.lists[Section.SUBJECTS].entry(names(presenter).index("mira"))
    assert mira.conflicts > 0
    types = {it.id: it.count for it in presenter.lists[Section.TYPES].entries}
    assert types == dict(session.summary.by_type)
    tints = [it.tint for it in presenter.lists[Section.TYPES].entries]
    assert len(set(tints)) == len(tints)
    attributes = {it.id: it.count for it in presenter.lists[Section.ATTRIBUTES].entries}
    assert attributes == dict(session.summary.by_attribute)
    assert presenter.head_count(Section.SUBJECTS) == str(session.summary.subjects)


def test_the_inbox_says_how_many_conflicts_wait_and_leads_to_them(qtbot, session, presenter):
    (conflicts,) = presenter.lists[Section.INBOX].entries
    assert conflicts.count == session.summary.conflicts_open > 0
    with qtbot.waitSignal(session.attention_wanted) as told:
        presenter.choose(Section.INBOX, CONFLICTS)
    assert told.args == ["panel.conflicts"]


def test_entries_are_said_in_words(presenter):
    said = presenter.lists[Section.SUBJECTS]
    row = said.row_of("mira")
    spoken = said.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("mira, 15 lane(s), ")
    assert spoken.endswith("open conflict(s)")


# --- narrowing ------------------------------------------------------------------------------


def test_a_subject_narrows_and_is_selected_and_again_frees(session, presenter):
    presenter.choose(Section.SUBJECTS, "mira")
    assert session.filter.subject == "mira"
    chosen = session.selection
    assert (chosen.kind, chosen.subject) == (SelectionKind.SUBJECT, "mira")
    assert presenter.active(Section.SUBJECTS) == "mira"
    presenter.choose(Section.SUBJECTS, "mira")
    assert session.filter.subject is None
    assert session.selection == NOTHING


def test_a_type_narrows_the_subjects_too(qtbot, session, presenter):
    presenter.choose(Section.TYPES, "compliance")
    assert session.filter.memory_type == "compliance"
    qtbot.waitUntil(lambda: len(names(presenter)) < session.summary.subjects)
    assert presenter.is_narrowed
    presenter.clear(Section.TYPES)
    qtbot.waitUntil(lambda: len(names(presenter)) == session.summary.subjects)


def test_everything_is_cleared_at_once(session, presenter):
    presenter.choose(Section.SUBJECTS, "mira")
    presenter.choose(Section.TYPES, "profile")
    presenter.choose(Section.ATTRIBUTES, "home_city")
    assert presenter.clear()
    chosen = session.filter
    assert (chosen.subject, chosen.memory_type, chosen.attribute) == (None, None, None)
    assert not presenter.clear()


def test_letters_narrow_this_list_only(session, presenter):
    presenter.set_text("INVOICE 99")
    assert names(presenter) == [n for n in names(presenter) if "invoice" in n and "99" in n]
    assert presenter.head_count(Section.SUBJECTS) == f"{len(names(presenter))} of 32"
    assert session.filter.subject is None
    presenter.set_text("")
    assert len(names(presenter)) == 32


def test_a_subject_that_is_not_there_can_still_be_left(session, presenter):
    session.set_filter(subject="nobody")
    assert "nobody" in names(presenter)
    presenter.choose(Section.SUBJECTS, "nobody")
    assert "nobody" not in names(presenter)


# --- following ------------------------------------------------------------------------------


def test_another_known_at_lists_what_was_known_and_another_valid_at_reads_nothing(
    qtbot, session, presenter
):
    qtbot.waitUntil(lambda: settled(session))
    asked = []
    session.operations.started.connect(lambda ticket: asked.append(ticket.key))
    session.set_as_of(AsOf(datetime(2026, 6, 1, tzinfo=UTC), None))
    qtbot.waitUntil(lambda: settled(session))
    assert ("navigator", "subjects") not in asked
    session.set_as_of(AsOf(None, datetime(2026, 5, 1, tzinfo=UTC)))
    qtbot.waitUntil(lambda: 0 < len(names(presenter)) < 32)


def test_a_new_subject_comes_without_moving_the_others(qtbot, qapp):
    with session_on(demo_store()) as session:
        presenter = NavigatorPresenter(session)
        qtbot.waitUntil(lambda: presenter.has_answer)
        entries = presenter.lists[Section.SUBJECTS]
        kept = QPersistentModelIndex(entries.index(entries.row_of("mira")))
        memory = bind(session.store, "acme", agent_id="support")
        now = datetime(2026, 11, 30, tzinfo=UTC)
        memory.capture("new", "Hello.", occurred_at=now)
        memory.change("aaron", "home_city", "Faro", valid_from=now, episode="new")
        qtbot.waitUntil(lambda: "aaron" in names(presenter))
        assert entries.entry(kept.row()).id == "mira"


def test_another_tenant_lists_nothing_of_the_first(qtbot, session, presenter):
    first = set(names(presenter))
    session.set_scope(replace(session.scope, tenant_id="globex"))
    assert names(presenter) == []
    qtbot.waitUntil(lambda: bool(names(presenter)))
    assert set(names(presenter)) != first


def test_a_closed_session_leaves_nothing(session, presenter):
    session.close()
    assert all(not entries.entries for entries in presenter.lists.values())
    assert not presenter.has_answer


def test_what_cannot_be_read_is_said_and_can_be_tried_again(qtbot, qapp):
    store = LongList(3)
    found, store.lane_outline = store.lane_outline, _broken
    with session_on(store) as session:
        presenter = NavigatorPresenter(session)
        qtbot.waitUntil(lambda: bool(presenter.messages.shown))
        store.lane_outline = found
        presenter.messages.choose_action("navigator.unreadable")
        qtbot.waitUntil(lambda: len(names(presenter)) == 3)
        assert presenter.messages.shown == ()


def _broken(*_args, **_named):
    from store.errors import Unavailable

    raise Unavailable("The disk is gone.")


def test_many_subjects_are_listed_and_filtered_at_once(qtbot, qapp):
    with session_on(LongList(12_000)) as session:
        presenter = NavigatorPresenter(session)
        qtbot.waitUntil(lambda: len(names(presenter)) == 12_000)
        presenter.set_text("0011999")
        assert names(presenter) == ["subject 0011999"]
