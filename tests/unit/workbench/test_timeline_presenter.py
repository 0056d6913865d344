"""The timeline's state: pages in and out, stale answers, selection across refreshes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store.query import LaneFilter, LaneKey
from store.temporal import AsOf
from tests.timeline_lanes import Source, at, bar, lane, many, sample
from workbench.panels.timeline import presenter as module
from workbench.panels.timeline.items import PAGE, pack_lanes
from workbench.panels.timeline.presenter import (
    Question,
    Selection,
    TimelinePresenter,
    changed_lanes,
)

NOW = at("2026-06-24")
HOME = LaneKey("", "mira", "home_city", "")


@pytest.fixture
def shown(qapp):
    """Return a presenter of the sample, all read."""
    presenter = TimelinePresenter(clock=lambda: NOW)
    presenter.set_source(Source(sample()))
    presenter.show_lanes(range(5))
    return presenter


def heard(signal):
    found = []
    signal.connect(lambda *values: found.append(values[0] if values else None))
    return found


def test_a_source_is_asked_and_shown(shown):
    assert shown.rows.lanes == 5
    assert [shown.lane(n).key.attribute for n in range(5)] == [
        "home_city", "passport_deadline", "tier", "owner", "region"
    ]  # fmt: skip
    assert shown.lane(1).conflicts == 1
    assert shown.density.conflicts == (at("2026-06-03T10:00"),)
    assert not shown.is_loading
    assert not shown.is_empty


def test_lanes_are_unknown_until_they_are_read(qapp):
    source = Source(many(1000), holds=True)
    presenter = TimelinePresenter(source)
    presenter.set_source(source)
    loading = heard(presenter.loading_changed)
    source.answer()
    assert presenter.rows.lanes == 1000
    assert loading == [False]
    presenter.show_lanes([300, 301])
    assert presenter.lane(300) is None
    assert presenter.is_loading
    source.answer(("lanes", PAGE))
    assert presenter.lane(300).key.attribute == "attribute 300"
    assert presenter.lane(2000) is None


def test_what_is_in_view_is_asked_first_then_neighbours_and_few_at_once(qapp):
    source = Source(many(PAGE * 10), holds=True)
    presenter = TimelinePresenter()
    presenter.set_source(source)
    source.answer()
    presenter.show_lanes([PAGE * 5 - 1, PAGE * 5])
    assert source.asked[2:] == [("lanes", PAGE * 4), ("lanes", PAGE * 5)]
    while source.held:
        source.answer(source.held[0][0])
    assert sorted(first // PAGE for _, first in source.asked[2:]) == [2, 3, 4, 5, 6, 7]


def test_a_jump_forgets_what_was_wanted_before(qapp):
    source = Source(many(PAGE * 30), holds=True)
    presenter = TimelinePresenter()
    presenter.set_source(source)
    source.answer()
    for page in (3, 9, 15, 21):
        presenter.show_lanes([page * PAGE])
    asked = [first // PAGE for _, first in source.asked[2:]]
    assert len(asked) == 2, "only two reads at once"
    source.answer(source.held[0][0])
    assert source.asked[-1] == ("lanes", 21 * PAGE), "the newest wish is next"


def test_pages_that_were_in_view_long_ago_are_forgotten(qapp, monkeypatch):
    monkeypatch.setattr(module, "_PAGES_KEPT", 6)
    presenter = TimelinePresenter()
    source = Source(many(PAGE * 20))
    presenter.set_source(source)
    for page in range(20):
        presenter.show_lanes([page * PAGE])
    assert presenter.lane(0) is None
    assert presenter.lane(19 * PAGE) is not None
    asked = len(source.asked)
    presenter.show_lanes([18 * PAGE])
    assert len(source.asked) == asked, "a neighbour is still here"
    presenter.show_lanes([0])
    assert presenter.lane(0) is not None


def test_pages_full_of_bars_make_room_sooner(qapp, monkeypatch):
    monkeypatch.setattr(module, "_BARS_KEPT", PAGE * 20)
    presenter = TimelinePresenter()
    presenter.set_source(Source(many(PAGE * 12, bars=10)))
    for page in range(12):
        presenter.show_lanes([page * PAGE])
    kept = [page for page in range(12) if presenter.lane(page * PAGE) is not None]
    assert len(kept) == module._PAGES_LEAST


def test_answers_to_old_questions_are_dropped(qapp):
    source = Source(sample(), holds=True)
    presenter = TimelinePresenter()
    presenter.set_source(source)
    old = list(source.held)
    source.held.clear()
    presenter.set_question(Question(LaneFilter(subject="northwind")))
    for _, give in old:
        give()
    assert presenter.rows.lanes == 0
    assert presenter.is_loading
    source.answer()
    assert presenter.rows.lanes == 5
    assert source.cancels == 2


def test_another_valid_at_reads_nothing(shown):
    source = shown._source
    asked = len(source.asked)
    changed = heard(shown.as_of_changed)
    shown.set_question(Question(as_of=AsOf(valid_at=datetime(2026, 6, 12, tzinfo=UTC))))
    assert len(source.asked) == asked
    assert len(changed) == 1
    assert shown.valid_at == at("2026-06-12")
    assert shown.known_at is None


def test_another_known_at_reads_again_and_keeps_the_old_in_sight(shown):
    source = shown._source
    source.holds = True
    shown.set_question(Question(as_of=AsOf(known_at=datetime(2026, 6, 12, tzinfo=UTC))))
    assert shown.lane(0) is not None
    assert shown.known_at == at("2026-06-12")
    source.lanes_held[0] = lane("mira", "home_city", bar("2026-03-01", None, "Faro"))
    source.answer()
    source.answer()
    assert shown.lane(0).page.values[0] == '"Faro"'


def test_a_refresh_tells_which_lanes_differ_and_keeps_the_selection(shown):
    flashed = heard(shown.lanes_flashed)
    shown.select_bar(0, 1)
    source = shown._source
    new = lane("anna", "role", bar("2026-01-01", None, "chief"))
    source.lanes_held = [new, *sample()]
    source.lanes_held[2] = lane("mira", "passport_deadline", bar("2026-05-30", None, "never"))
    shown.refresh()
    assert {key.attribute for keys in flashed for key in keys} == {"role", "passport_deadline"}
    assert shown.selected_position == 1, "the lane moved down and is still selected"
    assert shown.selection.memory_id == "Porto@2026-06-09"


def test_a_refresh_without_changes_flashes_nothing(shown):
    flashed = heard(shown.lanes_flashed)
    shown.refresh()
    assert flashed == []


def test_a_failed_read_is_said_once_and_can_be_tried_again(qapp):
    source = Source(sample())
    source.problem = "The file is locked."
    presenter = TimelinePresenter()
    presenter.set_source(source)
    assert [it.text for it in presenter.messages.shown] == [
        "The timeline could not be read. The file is locked."
    ]
    assert not presenter.is_loading
    source.problem = None
    presenter.messages.choose_action(presenter.messages.shown[0].message.id)
    assert presenter.messages.shown == ()
    assert presenter.rows.lanes == 5


def test_selecting_tells_what(shown):
    selections = heard(shown.selection_changed)
    activated = heard(shown.fact_activated)
    shown.select_bar(0, 0)
    shown.activate()
    shown.select_bar(0, None)
    shown.activate()
    shown.clear_selection()
    assert selections == [
        Selection(HOME, "Lisbon@2026-03-01", at("2026-03-01"), at("2026-06-05")),
        Selection(HOME),
        None,
    ]
    assert activated == ["Lisbon@2026-03-01"]


def test_what_another_panel_selected_is_found_when_it_is_read(qapp):
    source = Source(many(PAGE * 8), holds=True)
    presenter = TimelinePresenter()
    presenter.set_source(source)
    source.answer()
    target = source.lanes_held[PAGE * 6 + 3]
    presenter.select_fact(target.key, target.bars[1].memory_id, target.bars[1].valid_from)
    assert presenter.selected_position is None
    while source.held:
        source.answer()
    assert presenter.selected_position == PAGE * 6 + 3


@pytest.mark.parametrize(
    ("instant", "value"),
    [
        ("2025-01-01", "Lisbon"),
        ("2026-04-01", "Lisbon"),
        ("2026-06-06", "Lisbon"),
        ("2026-06-08", "Porto"),
        ("2027-01-01", "Porto"),
    ],
)
def test_the_nearest_bar_is_chosen(shown, instant, value):
    shown.select_nearest(0, at(instant))
    assert shown.selection.memory_id.startswith(value)


def test_a_lane_without_bars_is_selected_alone(shown):
    shown.select_nearest(2, NOW)
    assert shown.selection == Selection(LaneKey("", "mira", "tier", ""))


def test_an_area_names_its_lanes_and_subjects(shown):
    areas = heard(shown.area_selected)
    shown.select_area(at("2026-05-01"), at("2026-06-01"), 1, 4)
    assert areas[0].subjects == ("mira", "northwind")
    assert [key.attribute for key in areas[0].keys] == ["passport_deadline", "tier", "owner"]
    shown.clear_area()
    shown.clear_area()
    assert areas[1:] == [None]


def test_collapsed_groups_hide_their_lanes(shown):
    changed = heard(shown.outline_changed)
    shown.set_collapsed("mira", is_collapsed=True)
    assert shown.rows.count == 4
    shown.collapse_all(is_collapsed=True)
    assert shown.rows.count == 2
    shown.collapse_all(is_collapsed=False)
    assert shown.rows.count == 7
    assert len(changed) == 3


def test_another_store_forgets_what_belonged_to_the_first(shown):
    shown.select_bar(0, 0)
    shown.set_collapsed("mira", is_collapsed=True)
    shown.set_source(Source([]))
    assert shown.selection is None
    assert shown.is_empty
    assert not shown.is_collapsed("mira")
    shown.set_source(None)
    assert not shown.is_empty
    assert not shown.is_loading


def test_valid_at_is_asked_for_and_not_taken(shown):
    asked = heard(shown.valid_at_changed)
    shown.ask_valid_at(at("2026-06-01"))
    shown.ask_valid_at(None)
    assert asked == [at("2026-06-01")], "it is at now already"
    assert shown.valid_at is None


def test_changed_lanes_compares_bars():
    before = pack_lanes(0, sample())
    assert changed_lanes(before, pack_lanes(0, sample())) == frozenset()
    moved = sample()
    moved[3] = lane(
        "northwind", "owner", bar("2026-01-02", None, "jana", memory_id="jana@2026-01-01")
    )
    assert {key.attribute for key in changed_lanes(before, pack_lanes(0, moved))} == {"owner"}
