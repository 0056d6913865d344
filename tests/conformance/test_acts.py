"""Correct, end, retract, confirm: the explicit acts, and how they are refused."""

from __future__ import annotations

import pytest

from store import (
    Change,
    Invalid,
    NotFound,
    Outcome,
    Refused,
    Retract,
    Span,
    Stale,
)
from tests.conformance.scene import LATER, Desk, day, delta

# -- correct ---------------------------------------------------------------------------------------


def test_a_corrected_value_was_so_from_the_start(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, confidence=0.4)
    before = desk.newest
    receipt = desk.correct(fact, value="Porto", episode="c1")
    assert (receipt.outcome, receipt.memory_id) == (Outcome.APPLIED, fact)
    assert desk.line() == [(1, None, "Porto")]
    assert desk.line(known=before) == [(1, None, "Lisbon")]
    (held,) = desk.read()
    assert (held.memory_id, held.source_episode_id, held.confidence) == (fact, "c1", 1.0)
    assert [(i.value, i.valid_from) for i in receipt.plan.closed] == [("Lisbon", day(1))]
    assert [(i.value, i.valid_from) for i in receipt.plan.opened] == [("Porto", day(1))]


def test_a_change_and_a_correction_read_differently_in_the_past(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", 10)
    assert desk.value(5) == "Lisbon"
    fact = desk.fact("tea", 1, attribute="drink")
    desk.correct(fact, value="coffee")
    assert desk.value(5, attribute="drink") == "coffee"


def test_a_value_correction_rewrites_every_row(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.fact("Lisbon", 10, precision="month", stated_as="in January", valid_from_basis="episode")
    desk.fact("Porto", 5)
    desk.correct(fact, value="Faro")
    assert desk.line() == [(1, 5, "Faro"), (5, 10, "Porto"), (10, None, "Faro")]
    (second,) = desk.read(12)
    assert (second.precision, second.stated_as) == ("month", "in January"), "the time was right"
    assert second.valid_from_basis == "episode"
    (first,) = desk.read(2)
    assert (first.precision, first.stated_as) == ("instant", None)


def test_a_value_correction_takes_the_wrong_values_evidence_with_it(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    desk.confirm(fact, "e2")
    before = desk.newest
    desk.correct(fact, value="Porto", episode="c1")
    assert [e.episode_id for e in desk.read()[0].evidence] == ["c1"]
    assert [e.episode_id for e in desk.read(known=before)[0].evidence] == ["e1", "e2"]


def test_a_value_can_be_corrected_to_null(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.correct(fact, value=None)
    assert [f.value for f in desk.read(1)] == [None]


def test_a_beginning_moves_both_ways(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 5, precision="day", stated_as="the 6th")
    desk.correct(fact, valid_from=3)
    assert desk.line() == [(3, None, "Lisbon")]
    desk.correct(fact, valid_from=8)
    assert desk.line() == [(8, None, "Lisbon")]
    (held,) = desk.read()
    assert held.memory_id == fact
    assert (held.precision, held.stated_as) == ("instant", None)


def test_evidence_follows_a_moved_beginning(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 5, episode="e1")
    desk.confirm(fact, "e2", span=Span(start=0, end=2))
    desk.correct(fact, valid_from=3, episode="c1")
    links = desk.read()[0].evidence
    assert [link.episode_id for link in links] == ["e1", "c1", "e2"]
    assert links[2].span == Span(start=0, end=2)


@pytest.mark.parametrize("to", [1, 0, 10, 12])
def test_a_beginning_may_not_reach_or_pass_another_assertion(desk: Desk, to: float) -> None:
    desk.fact("Lisbon", 1)
    fact = desk.fact("Porto", 5)
    desk.fact("Faro", 10)
    head = desk.newest
    with pytest.raises(Refused):
        desk.correct(fact, valid_from=to)
    assert desk.newest == head + 1, "only the episode was written"
    assert desk.line() == [(1, 5, "Lisbon"), (5, 10, "Porto"), (10, None, "Faro")]


def test_a_beginning_may_not_pass_an_end(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 5)
    porto = desk.fact("Porto", 8)
    with pytest.raises(Refused):
        desk.correct(porto, valid_from=5)
    with pytest.raises(Refused):
        desk.correct(porto, valid_from=3)
    desk.correct(porto, valid_from=6)
    assert desk.line() == [(1, 5, "Lisbon"), (6, None, "Porto")]


def test_a_beginning_may_pass_where_a_period_ends(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", 3, 5)
    faro = desk.fact("Faro", 8)
    desk.correct(faro, valid_from=4)
    assert desk.line() == [(1, 3, "Lisbon"), (3, 4, "Porto"), (4, None, "Faro")]


def test_the_row_that_is_meant_is_named_by_its_beginning(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.fact("Lisbon", 10)
    desk.fact("Porto", 5)
    desk.correct(fact, valid_from=8, row=10)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 8, "Porto"), (8, None, "Lisbon")]
    with pytest.raises(Refused):
        desk.correct(fact, valid_from=9, row=7)


def test_without_a_row_the_first_moves(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 2)
    desk.fact("Lisbon", 10)
    desk.fact("Porto", 5)
    desk.correct(fact, valid_from=1)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 10, "Porto"), (10, None, "Lisbon")]


def test_an_end_is_set_moved_and_cleared(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.correct(fact, until=9)
    assert desk.line() == [(1, 9, "Lisbon")]
    assert desk.read(2)[0].until == day(9)
    desk.correct(fact, until=20)
    assert desk.line() == [(1, 20, "Lisbon")]
    desk.correct(fact, until=None)
    assert desk.line() == [(1, None, "Lisbon")]
    assert desk.read(2)[0].until is None


def test_an_end_correction_lets_what_is_under_resume(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    desk.correct(porto, until=8)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 8, "Porto"), (8, None, "Lisbon")]


def test_correcting_the_end_of_an_ended_fact_moves_its_end(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.end(fact, 9)
    desk.correct(fact, until=12)
    assert desk.line() == [(1, 12, "Lisbon")]
    desk.correct(fact, until=None)
    assert desk.line() == [(1, None, "Lisbon")]


@pytest.mark.parametrize("until", [1, 0])
def test_an_end_may_not_come_before_the_beginning(desk: Desk, until: float) -> None:
    fact = desk.fact("Lisbon", 1)
    with pytest.raises(Refused):
        desk.correct(fact, until=until)
    assert desk.line() == [(1, None, "Lisbon")]


def test_a_correction_may_not_make_periods_cross(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1, 5)
    porto = desk.fact("Porto", 6, 10)
    with pytest.raises(Refused, match="cross"):
        desk.correct(lisbon, until=8)
    with pytest.raises(Refused):
        desk.correct(porto, valid_from=4)
    inner = desk.fact("Lisbon", 7, 9)
    desk.correct(inner, value="Faro")
    assert desk.line() == [
        (1, 5, "Lisbon"),
        (6, 7, "Porto"),
        (7, 9, "Faro"),
        (9, 10, "Porto"),
    ]


def test_value_beginning_and_end_can_be_corrected_at_once(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 5)
    before = desk.newest
    desk.correct(fact, value="Porto", valid_from=3, until=9)
    assert desk.line() == [(3, 9, "Porto")]
    assert desk.line(known=before) == [(5, None, "Lisbon")]
    assert desk.newest == before + 2, "one episode, one correction"


def test_a_correction_that_changes_nothing_is_refused(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    with pytest.raises(Refused):
        desk.correct(fact, until=None)
    with pytest.raises(Refused):
        desk.correct(fact, valid_from=1)


def test_a_correction_names_something(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    with pytest.raises(Invalid):
        desk.memory.correct(fact, episode=desk.episode(), reason="hm")


# -- end -------------------------------------------------------------------------------------------


def test_an_ended_fact_no_longer_holds_and_nothing_follows(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    before = desk.newest
    receipt = desk.end(porto, 9)
    assert (receipt.outcome, receipt.memory_id) == (Outcome.APPLIED, porto)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 9, "Porto")]
    assert desk.line(known=before)[-1] == (5, None, "Porto")
    (held,) = desk.read(6)
    assert (held.valid_to, held.until) == (day(9), None), "no source stated it"


def test_an_end_in_the_future_is_not_yet(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.end(fact, LATER + 5)
    (held,) = desk.read()
    assert held.valid_to == day(LATER + 5)


def test_ending_a_bounded_fact_moves_its_until(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5, 20)
    desk.end(porto, 9)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 9, "Porto"), (9, None, "Lisbon")]
    assert desk.read(6)[0].until == day(9)


@pytest.mark.parametrize("at", [0, 1, 5, 7, 9])
def test_a_fact_ends_only_where_it_holds(desk: Desk, at: float) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.fact("Porto", 5)
    line = desk.line()
    with pytest.raises(Refused):
        desk.end(lisbon, at)
    assert desk.line() == line


def test_a_fact_cannot_end_before_it_is_stated_again(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.fact("Lisbon", 10)
    with pytest.raises(Refused):
        desk.end(fact, 5)
    with pytest.raises(Refused):
        desk.end(fact, 10)
    desk.end(fact, 12)
    assert desk.line() == [(1, 12, "Lisbon")]


def test_a_fact_cannot_end_twice(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.end(fact, 9)
    for at in (9, 12):
        with pytest.raises(Refused):
            desk.end(fact, at)
    bounded = desk.fact("tea", 1, 9, attribute="drink")
    with pytest.raises(Refused):
        desk.end(bounded, 9)


# -- over: a fact that starts at an end ------------------------------------------------------------


def test_a_fact_that_starts_at_an_end_takes_its_place(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    receipt = desk.say("Porto", 9)
    assert receipt.outcome is Outcome.APPLIED
    assert desk.line() == [(1, 9, "Lisbon"), (9, None, "Porto")]


def test_the_end_returns_when_that_fact_is_retracted(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    porto = desk.fact("Porto", 9)
    desk.retract(porto)
    assert desk.line() == [(1, 9, "Lisbon")]


def test_the_end_returns_when_that_fact_is_reverted(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    porto = desk.say("Porto", 9)
    desk.revert(porto.transaction)
    assert desk.line() == [(1, 9, "Lisbon")]


def test_the_end_returns_when_that_fact_begins_later(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    porto = desk.fact("Porto", 9)
    with pytest.raises(Refused):
        desk.correct(porto, valid_from=8)
    desk.correct(porto, valid_from=12)
    assert desk.line() == [(1, 9, "Lisbon"), (12, None, "Porto")]


def test_the_end_returns_even_after_a_value_correction(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    porto = desk.fact("Porto", 9)
    desk.correct(porto, value="Faro")
    desk.retract(porto)
    assert desk.line() == [(1, 9, "Lisbon")]


def test_a_bounded_fact_at_an_end_gives_way_to_it(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    desk.fact("Porto", 9, 12)
    assert desk.line() == [(1, 9, "Lisbon"), (9, 12, "Porto")], "the end still cuts Lisbon"


def test_an_end_under_a_period_still_keeps_what_it_ended_from_holding(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    desk.fact("Porto", 9, 12)
    again = desk.say("Lisbon", 20)
    assert again.memory_id != lisbon, "it does not hold there, so this is no restatement"
    assert desk.read(25)[0].supersedes_memory_id is None
    assert desk.line() == [(1, 9, "Lisbon"), (9, 12, "Porto"), (20, None, "Lisbon")]


def test_the_end_leaves_with_the_fact_that_it_ended(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    desk.end(porto, 9)
    faro = desk.fact("Faro", 9)
    desk.retract(porto)
    assert desk.line() == [(1, 9, "Lisbon"), (9, None, "Faro")]
    desk.retract(faro)
    assert desk.line() == [(1, None, "Lisbon")]


# -- retract ---------------------------------------------------------------------------------------


def test_after_a_retraction_the_predecessor_flows_on(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    desk.fact("Faro", 9)
    before = desk.newest
    receipt = desk.retract(porto)
    assert (receipt.outcome, receipt.memory_id) == (Outcome.APPLIED, porto)
    assert desk.line() == [(1, 9, "Lisbon"), (9, None, "Faro")]
    assert desk.line(known=before) == [(1, 5, "Lisbon"), (5, 9, "Porto"), (9, None, "Faro")]


def test_a_retraction_can_leave_a_gap(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    desk.fact("Faro", 9)
    desk.retract(porto, gap=True)
    assert desk.line() == [(1, 5, "Lisbon"), (9, None, "Faro")]


def test_a_bounded_fact_leaves_a_gap_as_long_as_itself(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5, 8)
    desk.retract(porto, gap=True)
    assert desk.line() == [(1, 5, "Lisbon"), (8, None, "Lisbon")]


def test_a_retraction_takes_the_facts_end_with_it(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    desk.end(porto, 9)
    desk.retract(porto)
    assert desk.line() == [(1, None, "Lisbon")]


def test_a_retraction_takes_every_row(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.fact("Lisbon", 10)
    desk.fact("Porto", 5)
    desk.retract(fact)
    assert desk.line() == [(5, None, "Porto")]


def test_nothing_can_be_done_to_a_retracted_fact(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.retract(fact)
    with pytest.raises(Refused):
        desk.retract(fact)
    with pytest.raises(Refused):
        desk.correct(fact, value="Porto")
    with pytest.raises(Refused):
        desk.end(fact, 5)
    with pytest.raises(Refused):
        desk.confirm(fact, "e9")
    assert desk.line() == []


def test_a_retracted_fact_can_still_be_looked_at(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.retract(fact)
    retracted_at = desk.head.recorded_at
    held = desk.store.fact(desk.scope, fact)
    assert (held.value, held.superseded_at) == ("Lisbon", retracted_at)
    (version,) = desk.store.versions(desk.scope, memory_id=fact)
    assert version.ceased == desk.newest
    assert version.ceased_by is not None
    assert version.ceased_by.value == "retract"


# -- confirm ---------------------------------------------------------------------------------------


def test_a_confirmation_adds_evidence(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    before = desk.newest
    desk.episode("e2", "Still in Lisbon.", occurred_at=day(30))
    receipt = desk.confirm(fact, "e2", span=Span(start=9, end=15))
    assert (receipt.outcome, receipt.memory_id) == (Outcome.APPLIED, fact)
    (held,) = desk.read()
    assert [e.episode_id for e in held.evidence] == ["e1", "e2"]
    assert held.evidence[1].span == Span(start=9, end=15)
    assert held.last_confirmed_at == day(30)
    (then,) = desk.read(known=before)
    assert [e.episode_id for e in then.evidence] == ["e1"]
    assert then.last_confirmed_at == day(0)


def test_confirming_by_the_same_episode_is_known(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    assert desk.confirm(fact, "e1").outcome is Outcome.KNOWN
    desk.confirm(fact, "e2")
    again = desk.confirm(fact, "e2")
    assert (again.outcome, again.transaction) == (Outcome.KNOWN, None)


def test_a_confirmation_needs_a_captured_episode_and_a_span_within(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    with pytest.raises(Invalid):
        desk.memory.confirm(fact, episode="e9")
    desk.episode("e2", "abc")
    with pytest.raises(Invalid):
        desk.confirm(fact, "e2", span=Span(start=0, end=4))


# -- all acts --------------------------------------------------------------------------------------


def test_acts_on_an_unknown_fact_are_not_found(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    for act in (
        lambda: desk.correct("nobody", value="x"),
        lambda: desk.end("nobody", 5),
        lambda: desk.retract("nobody"),
        lambda: desk.confirm("nobody", "e1"),
        lambda: desk.revert(999),
    ):
        with pytest.raises(NotFound):
            act()


def test_acts_need_a_captured_episode(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    for act in (
        lambda: desk.memory.correct(fact, value="x", episode="e9", reason="r"),
        lambda: desk.memory.end(fact, day(5), episode="e9", reason="r"),
        lambda: desk.memory.retract(fact, episode="e9", reason="r"),
    ):
        with pytest.raises(Invalid, match="e9"):
            act()


def test_an_act_on_what_has_changed_since_is_stale(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    seen = desk.newest
    desk.fact("Porto", 10)
    for act in (
        lambda: desk.correct(fact, value="Faro", seen=seen),
        lambda: desk.end(fact, 5, seen=seen),
        lambda: desk.retract(fact, seen=seen),
    ):
        with pytest.raises(Stale):
            act()
    assert desk.line() == [(1, 10, "Lisbon"), (10, None, "Porto")]


def test_an_act_on_what_was_seen_goes_through(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.fact("tea", 1, attribute="drink")
    desk.correct(fact, value="Porto", seen=desk.newest)
    assert desk.value(1) == "Porto"


def test_the_version_to_hand_back_is_in_the_plan(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    made = desk.newest
    name = desk.episode()
    plan = desk.memory.preview(Retract(memory_id=fact, episode_id=name, reason="r"))
    assert plan.version == made
    desk.retract(fact, seen=plan.version)


def test_changing_after_everything_is_retracted_begins_anew(desk: Desk) -> None:
    first = desk.fact("Lisbon", 1)
    desk.retract(first)
    second = desk.fact("Lisbon", 1)
    assert second != first
    assert desk.line() == [(1, None, "Lisbon")]
    assert len(desk.store.versions(desk.scope, subject="mira")) == 2


def test_a_reason_is_kept_with_the_act(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.retract(fact)
    transaction = desk.store.transaction(desk.scope, desk.newest).transaction
    assert (transaction.kind.value, transaction.reason) == ("retract", "it never was")
    desk.episode("e9")
    desk.write(Change(delta=delta("Porto", 1, episode="e9"), reason="they moved"))
    assert desk.store.transaction(desk.scope, desk.newest).transaction.reason == "they moved"
