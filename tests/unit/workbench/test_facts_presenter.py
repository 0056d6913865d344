from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from store.encoding import State
from store.query import FactField, Order
from store.scope import bind
from store.temporal import AsOf
from tests.sessions import LongList, a_fact, demo_store, session_on, settled
from workbench.panels.facts.columns import Column, FactRow, cell_text, copied_text, status
from workbench.panels.facts.presenter import PAGES_KEPT, FactsPresenter
from workbench.panels.facts.reading import PAGE
from workbench.session import NOTHING, Selection, SelectionKind


def texts(presenter, column):
    at = presenter.instant()
    rows = sorted(presenter.model.rows())
    return [cell_text(row, column, at) for _, row in rows]


@pytest.fixture
def own_session(qapp):
    with session_on(demo_store()) as session:
        yield session


@pytest.fixture
def presenter(qtbot, session):
    presenter = FactsPresenter(session)
    qtbot.waitUntil(lambda: presenter.is_exact)
    return presenter


@pytest.fixture
def long_list(qapp):
    return LongList(100_000)


@pytest.fixture
def long_session(long_list):
    with session_on(long_list) as session:
        yield session


@pytest.fixture
def long_presenter(qtbot, long_session):
    presenter = FactsPresenter(long_session)
    qtbot.waitUntil(lambda: presenter.is_exact and settled(long_session))
    return presenter


# --- what is shown --------------------------------------------------------------------------


def test_the_facts_in_force_are_shown_with_their_source(session, presenter):
    assert presenter.count == presenter.model.loaded_count == session.summary.facts
    assert presenter.count_text() == "156 fact(s)"
    subjects = texts(presenter, Column.SUBJECT)
    assert subjects == sorted(subjects)
    sources = texts(presenter, Column.SOURCE)
    assert "e2 · message" in sources
    assert all(" · " in source for source in sources)


def test_history_shows_past_and_future_intervals_too(qtbot, session, presenter):
    presenter.set_history(True)
    assert session.filter.history
    qtbot.waitUntil(lambda: presenter.count == session.summary.intervals)
    states = {status(row, presenter.instant()) for _, row in presenter.model.rows()}
    assert states == set(State)


@pytest.mark.parametrize("word", ["current", "disputed", "future", "ended"])
def test_a_status_can_be_asked_for(qtbot, session, presenter, word):
    session.set_filter(history=True)
    presenter.set_filters({Column.STATUS: word[:4]})

    def states():
        return {status(row, presenter.instant()) for _, row in presenter.model.rows()}

    qtbot.waitUntil(lambda: states() == {State(word)})


def test_all_but_disputed_ones_can_be_asked_for(qtbot, session, presenter):
    presenter.set_filters({Column.STATUS: "<> disputed"})
    qtbot.waitUntil(lambda: presenter.count < session.summary.facts)
    assert not any(row.fact.disputed for _, row in presenter.model.rows())


def test_the_sessions_filter_narrows_and_can_be_taken_away(qtbot, session, presenter):
    session.set_filter(subject="mira", memory_type="profile")
    qtbot.waitUntil(lambda: set(texts(presenter, Column.SUBJECT)) == {"mira"})
    assert [(chip.field, chip.value) for chip in presenter.chips] == [
        ("subject", "mira"),
        ("memory_type", "profile"),
    ]
    presenter.clear_filter("subject")
    qtbot.waitUntil(lambda: len(set(texts(presenter, Column.SUBJECT))) > 1)
    presenter.clear_filters()
    qtbot.waitUntil(lambda: presenter.count == session.summary.facts)
    assert presenter.chips == ()


def test_filters_under_the_headers_are_conditions(qtbot, presenter):
    presenter.set_filters(
        {Column.CONFIDENCE: "> 0,9", Column.VALID_FROM: "1 Jun 2026 ~ 2026-08", Column.VALUE: ""}
    )
    qtbot.waitUntil(lambda: 0 < presenter.count < 156)
    facts = [row.fact for _, row in presenter.model.rows()]
    assert all(fact.confidence > 0.9 for fact in facts)
    june, august = datetime(2026, 6, 1, tzinfo=UTC), datetime(2026, 8, 1, tzinfo=UTC)
    assert all(june <= fact.valid_from < august for fact in facts)


@pytest.mark.parametrize(
    ("column", "typed", "said"),
    [
        (Column.CONFIDENCE, "> high", "high"),
        (Column.VALID_FROM, "whenever", "whenever"),
        (Column.VALUE, "/(/", "expression"),
        (Column.STATUS, "gone", "gone"),
        (Column.SUBJECT, "<", "<"),
        (Column.CONFIRMED, "2026", "cannot be filtered"),
    ],
)
def test_a_filter_that_cannot_be_read_is_left_out_and_said(
    qtbot, session, presenter, column, typed, said
):
    presenter.set_filters({column: typed, Column.ATTRIBUTE: "= home_city"})
    qtbot.waitUntil(lambda: set(texts(presenter, Column.ATTRIBUTE)) == {"home_city"})
    assert said in presenter.problems[column]
    assert [it.message.id for it in presenter.messages.shown] == ["facts.bad_filter"]
    presenter.set_filters({})
    assert presenter.problems == {}
    assert presenter.messages.shown == ()


def test_sorting_is_the_stores(qtbot, presenter):
    assert presenter.set_order(Column.CONFIDENCE, descending=True)

    def is_sorted():
        found = texts(presenter, Column.CONFIDENCE)
        return found == sorted(found, reverse=True)

    qtbot.waitUntil(is_sorted)
    assert not presenter.set_order(Column.SOURCE, descending=False)
    assert presenter.order == Order(FactField.CONFIDENCE, True)


def test_another_as_of_shows_what_was_known_then(qtbot, session, presenter):
    june = datetime(2026, 6, 1, tzinfo=UTC)
    session.set_as_of(AsOf(june, june))
    qtbot.waitUntil(lambda: 0 < presenter.count < 156)
    assert presenter.instant() == june
    assert all(row.fact.recorded_at <= june for _, row in presenter.model.rows())
    session.set_as_of(AsOf(june, datetime(2001, 1, 1, tzinfo=UTC)))
    qtbot.waitUntil(lambda: presenter.is_empty)


def test_another_tenant_shows_nothing_of_the_first(qtbot, session, presenter):
    presenter.set_filters({Column.VALUE: "o"})
    session.set_scope(replace(session.scope, tenant_id="globex"))
    assert presenter.count == 0
    assert presenter.texts == {}
    qtbot.waitUntil(lambda: presenter.is_exact)
    assert {row.fact.tenant_id for _, row in presenter.model.rows()} == {"globex"}


def test_a_closed_session_leaves_nothing(session, presenter):
    session.close()
    assert presenter.count == 0
    assert not presenter.is_empty
    assert presenter.count_text() == ""


def test_out_of_sight_nothing_is_read(qtbot, session):
    presenter = FactsPresenter(session)
    presenter.set_shown(False)
    qtbot.waitUntil(lambda: session.summary is not None and settled(session))
    assert presenter.count == 0
    presenter.set_shown(True)
    qtbot.waitUntil(lambda: presenter.is_exact)


# --- selection ------------------------------------------------------------------------------


def test_a_row_that_is_selected_is_the_sessions_selection(session, presenter):
    presenter.select_row(3)
    fact = presenter.model.row(3).fact
    chosen = session.selection
    assert (chosen.kind, chosen.memory_id) == (SelectionKind.FACT, fact.memory_id)
    assert (chosen.subject, chosen.attribute) == (fact.subject, fact.attribute)
    assert presenter.selected_row == 3
    presenter.clear_selection()
    assert session.selection == NOTHING
    assert presenter.selected_row == -1


def test_what_another_panel_selects_is_found(qtbot, session, presenter):
    fact = presenter.model.row(40).fact
    with qtbot.waitSignal(presenter.selected_row_changed) as told:
        session.select(Selection(SelectionKind.FACT, memory_id=fact.memory_id))
    assert told.args == [40]


def test_the_hits_of_a_search_are_walked_round_the_ends(qtbot, session, presenter):
    session.set_filter(text="passport")
    presenter.step(1)  # before the hits are read
    qtbot.waitUntil(lambda: presenter.is_exact and presenter.selected_row == 0)
    assert session.selection.attribute == "passport_deadline"
    hits = presenter.count
    assert hits > 1
    presenter.step(-1)
    assert presenter.selected_row == hits - 1
    presenter.step(1)
    assert presenter.selected_row == 0


def test_without_rows_there_is_nothing_to_walk(qtbot, session, presenter):
    session.set_filter(text="nothing that anyone said")
    qtbot.waitUntil(lambda: presenter.is_empty)
    presenter.step(1)
    assert session.selection == NOTHING


def test_entering_a_row_asks_for_the_inspector(qtbot, session, presenter):
    with qtbot.waitSignal(session.attention_wanted) as told:
        presenter.activate_row(2)
    assert told.args == ["panel.inspector"]
    assert session.selection.memory_id == presenter.model.row(2).fact.memory_id


def test_the_selection_stays_on_the_key_when_a_fact_is_superseded(qtbot, own_session):
    session, presenter = own_session, FactsPresenter(own_session)
    qtbot.waitUntil(lambda: presenter.is_exact)
    at = texts(presenter, Column.ATTRIBUTE).index("home_city")
    presenter.select_row(at)
    fact = presenter.model.row(at).fact
    memory = bind(session.store, "acme", agent_id="support")
    memory.capture("new", "I moved to Faro.", occurred_at=datetime(2026, 11, 30, tzinfo=UTC))
    memory.change(
        fact.subject,
        "home_city",
        "Faro",
        valid_from=datetime(2026, 11, 30, tzinfo=UTC),
        episode="new",
    )
    qtbot.waitUntil(lambda: "Faro" in texts(presenter, Column.VALUE))
    assert presenter.selected_row == at
    assert presenter.model.row(at).fact.value == "Faro"
    assert presenter.model.has_flashes
    assert session.selection.memory_id == fact.memory_id


# --- many rows ------------------------------------------------------------------------------


def test_rows_are_there_before_they_are_counted(qtbot, long_list, long_session):
    long_list.let_anchors.clear()
    presenter = FactsPresenter(long_session)
    qtbot.waitUntil(lambda: presenter.count > 0)
    assert not presenter.is_exact
    assert presenter.count in (PAGE + 1, 2 * PAGE + 1), "what was read, and one more at least"
    assert presenter.count_text().startswith(f"at least {presenter.count}")
    presenter.show_rows(250, 256)
    qtbot.waitUntil(lambda: presenter.count > 2 * PAGE)
    long_list.let_anchors.set()
    qtbot.waitUntil(lambda: presenter.is_exact)
    assert presenter.count == 100_000


def test_a_jump_reads_the_page_in_view_and_its_neighbour_only(qtbot, long_list, long_presenter):
    long_list.pages_read.clear()
    long_presenter.show_rows(99_970, 99_999)
    qtbot.waitUntil(lambda: long_presenter.model.are_loaded(99_970, 99_999))
    qtbot.waitUntil(lambda: settled(long_presenter.session))
    assert sorted(long_list.pages_read) == [389 * PAGE, 390 * PAGE]
    assert long_presenter.model.row(99_999).fact.memory_id == "m99999"


def test_pages_far_from_view_are_forgotten(qtbot, long_presenter):
    for page in range(PAGES_KEPT + 8):
        long_presenter.show_rows(page * PAGE, page * PAGE + 30)
        qtbot.waitUntil(lambda p=page: long_presenter.model.are_loaded(p * PAGE, p * PAGE + 30))
    assert long_presenter.model.loaded_count <= PAGES_KEPT * PAGE
    assert not long_presenter.model.are_loaded(0, 10)
    long_presenter.show_rows(0, 30)
    qtbot.waitUntil(lambda: long_presenter.model.are_loaded(0, 30))


def test_pages_that_were_passed_by_are_not_read(qtbot, long_list, long_presenter):
    long_list.pages_read.clear()
    long_list.let.clear()
    for first in range(0, 90_000, 1_000):
        long_presenter.show_rows(first, first + 30)
    long_list.let.set()
    qtbot.waitUntil(lambda: long_presenter.model.are_loaded(89_000, 89_030))
    qtbot.waitUntil(lambda: settled(long_presenter.session))
    assert len(long_list.pages_read) < 12


def test_a_row_selected_before_it_is_here_is_selected_when_it_is(qtbot, long_presenter):
    long_presenter.show_rows(50_000, 50_030)
    long_presenter.select_row(50_010)
    assert long_presenter.session.selection == NOTHING
    qtbot.waitUntil(lambda: long_presenter.session.selection.memory_id == "m50010")


def test_rows_inserted_above_keep_what_is_in_view(qtbot, long_list, long_presenter):
    long_presenter.show_rows(50_000, 50_030)
    qtbot.waitUntil(lambda: long_presenter.model.are_loaded(50_000, 50_030))
    long_presenter.select_row(50_005)
    held = list(long_list.held)
    held[10:10] = [200_000, 200_001, 200_002]
    long_list.change(held, {50_020: "changed"})
    qtbot.waitUntil(lambda: long_presenter.count == 100_003)
    assert long_presenter.model.row(50_008).fact.memory_id == "m50005"
    assert long_presenter.selected_row == 50_008


def test_a_shorter_list_is_shown_shorter(qtbot, long_list, long_presenter):
    long_presenter.show_rows(99_970, 99_999)
    qtbot.waitUntil(lambda: long_presenter.model.are_loaded(99_970, 99_999))
    long_list.change(long_list.held[:1000])
    qtbot.waitUntil(lambda: long_presenter.count == 1000)
    long_presenter.show_rows(990, 999)
    qtbot.waitUntil(lambda: long_presenter.model.are_loaded(990, 999))


def test_continuous_writes_do_not_starve_the_view(qtbot, long_list, long_presenter):
    long_list.let_anchors.clear()
    long_presenter.refresh()
    qtbot.waitUntil(lambda: not long_presenter.is_exact)
    for _ in range(5):  # each would call for another reading of all
        long_presenter.session.refresh()
    assert not long_presenter.is_exact
    long_list.let_anchors.set()
    qtbot.waitUntil(lambda: long_presenter.is_exact and settled(long_presenter.session))
    assert long_list.anchors_read <= 4


def test_what_cannot_be_read_is_said_and_can_be_tried_again(qtbot, long_list, long_session):
    long_list.is_broken = True
    presenter = FactsPresenter(long_session)
    qtbot.waitUntil(lambda: bool(presenter.messages.shown))
    assert "The disk is gone." in presenter.messages.shown[0].text
    long_list.is_broken = False
    presenter.messages.choose_action("facts.unreadable")
    qtbot.waitUntil(lambda: presenter.is_exact)
    assert presenter.messages.shown == ()


# --- copies ---------------------------------------------------------------------------------

HOSTILE = '=HYPERLINK("http://x")\n\tnext\u202eevil\x00'


def test_a_copy_is_harmless_to_a_sheet(qapp):
    fact = a_fact(0, HOSTILE).model_copy(update={"subject": "-1+2"})
    row = [copied_text(FactRow(fact), column, fact.valid_from) for column in Column]
    assert all(text[:1] not in tuple("=+-@\t\r") for text in row)
    assert not any(char in text for text in row for char in "\n\t\r\x00\u202e")
    assert "'-1+2" in row


def test_rows_are_copied_exactly_under_their_titles(qtbot, session, presenter):
    with qtbot.waitSignal(presenter.copied) as told:
        presenter.copy_rows([(0, 1)], [Column.SUBJECT, Column.VALID_FROM, Column.VALID_TO])
    head, first, second = told.args[0].splitlines()
    assert head == "Subject\tValid from\tValid to"
    fact = presenter.model.row(0).fact
    assert first.startswith(f"{fact.subject}\t{fact.valid_from:%Y-%m-%dT}")
    assert first.split("\t")[1].endswith("Z")
    assert second.count("\t") == 2


def test_one_row_is_copied_without_a_head(qtbot, presenter):
    with qtbot.waitSignal(presenter.copied) as told:
        presenter.copy_rows([(5, 5)], [Column.SUBJECT])
    assert told.args == [presenter.model.row(5).fact.subject]


def test_rows_that_are_not_here_are_read_for_a_copy_up_to_a_limit(qtbot, long_presenter):
    with qtbot.waitSignal(long_presenter.copied) as told:
        long_presenter.copy_rows([(0, 99_999)], [Column.SUBJECT, Column.VALUE])
    lines = told.args[0].splitlines()
    assert len(lines) == 10_001
    assert lines[-1] == "subject 0009999\tvalue 9999"
    qtbot.waitUntil(lambda: bool(long_presenter.messages.shown))
    assert "10,000 of 100,000" in long_presenter.messages.shown[0].text
