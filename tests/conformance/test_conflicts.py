"""Conflicts as records: how they are raised and joined, disputed, settled, stale and reopened."""

from __future__ import annotations

import pytest

from store import (
    Attribute,
    Cardinality,
    Conflict,
    ConflictKind,
    ConflictState,
    EpisodeKind,
    FactQuery,
    Invalid,
    NotFound,
    Outcome,
    Refused,
    Resolution,
    Span,
    Stale,
)
from tests.conformance.scene import Desk, all_facts, day

# -- raising ---------------------------------------------------------------------------------------


def test_equal_beginnings_with_other_values_are_queued(desk: Desk) -> None:
    standing = desk.fact("Lisbon", 1, episode="e1")
    desk.episode("e2", "Porto!", agent_id="support")
    receipt = desk.of("support").say(
        "Porto", 1, episode="e2", confidence=0.5, span=Span(start=0, end=5)
    )
    assert receipt.outcome is Outcome.CONFLICT
    assert receipt.transaction == desk.newest
    assert receipt.plan.standing == standing
    assert receipt.plan.closed == receipt.plan.opened == ()
    conflict = desk.store.conflict(desk.scope, receipt.conflict_id or "")
    assert (conflict.kind, conflict.state) == (ConflictKind.VALUE, ConflictState.OPEN)
    assert (conflict.subject, conflict.attribute, conflict.owner, conflict.slot) == (
        "mira",
        "city",
        "",
        "",
    )
    assert (conflict.contested_from, conflict.contested_to) == (day(1), None)
    assert (conflict.standing.claim_id, conflict.standing.value) == (standing, "Lisbon")
    assert conflict.standing.source_episode_id == "e1"
    (incoming,) = conflict.incoming
    assert (incoming.value, incoming.valid_from, incoming.until) == ("Porto", day(1), None)
    assert (incoming.source_episode_id, incoming.span) == ("e2", Span(start=0, end=5))
    assert (incoming.confidence, incoming.agent_id) == (0.5, "support")
    assert (incoming.transaction, incoming.recorded_at) == (desk.newest, desk.head.recorded_at)
    assert (conflict.raised_in, conflict.raised_at) == (desk.newest, desk.head.recorded_at)
    assert conflict.resolution is conflict.settled_by is conflict.settled_in is None
    assert desk.line() == [(1, None, "Lisbon")]
    assert desk.store.conflicts(desk.scope).items == (conflict,)


def test_equal_values_with_other_stated_ends_are_queued(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 9)
    conflict = desk.contest("Lisbon", 1, 12)
    assert conflict.kind is ConflictKind.END
    assert conflict.contested_from == day(1)
    assert desk.line() == [(1, 9, "Lisbon")]
    desk.fact("tea", 1, attribute="drink")
    receipt = desk.say("tea", 1, 4, attribute="drink")
    assert receipt.outcome is Outcome.CONFLICT


def test_another_stated_end_inside_a_fact_is_queued(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    conflict = desk.contest("Lisbon", 5, 9)
    assert conflict.kind is ConflictKind.END
    assert conflict.standing.valid_from == day(1)
    assert conflict.contested_from == day(5)
    assert desk.line() == [(1, None, "Lisbon")]


@pytest.mark.parametrize("first", [0, 1])
def test_crossing_periods_are_queued_in_either_order(desk: Desk, first: int) -> None:
    claims = [("Lisbon", 1, 10), ("Porto", 5, 20)]
    standing, incoming = claims[first], claims[1 - first]
    desk.fact(*standing)
    conflict = desk.contest(*incoming)
    assert conflict.kind is ConflictKind.CROSSING
    assert (conflict.contested_from, conflict.contested_to) == (day(5), day(10))
    assert conflict.standing.value == standing[0]
    assert desk.line() == [(standing[1], standing[2], standing[0])]


def test_a_crossing_is_found_behind_a_nested_period(desk: Desk) -> None:
    desk.fact("A", 1, 30)
    desk.fact("B", 10, 15)
    desk.fact("C", 11, 12)
    conflict = desk.contest("D", 20, 40)
    assert conflict.kind is ConflictKind.CROSSING
    assert conflict.standing.value == "A"
    assert desk.line()[-1] == (15, 30, "A")


def test_a_crossing_is_found_behind_an_open_cut(desk: Desk) -> None:
    desk.fact("A", 1, 30)
    desk.fact("B", 10)
    assert desk.say("D", 20, 40).outcome is Outcome.CONFLICT, "the stated periods still cross"


def test_a_crossing_is_found_ahead(desk: Desk) -> None:
    desk.fact("A", 20, 40)
    desk.fact("B", 12)
    assert desk.contest("D", 10, 30).standing.value == "A"


def test_several_claims_join_one_conflict(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    conflicts = [desk.contest(value, 1) for value in ("Porto", "Faro", "Porto")]
    assert len({c.conflict_id for c in conflicts}) == 1
    assert [c.value for c in conflicts[-1].incoming] == ["Porto", "Faro", "Porto"]
    assert len({c.claim_id for c in conflicts[-1].incoming}) == 3
    assert len({c.source_episode_id for c in conflicts[-1].incoming}) == 3
    assert len(desk.store.conflicts(desk.scope).items) == 1


def test_a_waiting_claim_is_known(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    conflict = desk.contest("Porto", 1, episode="e2")
    head = desk.head
    again = desk.say("Porto", 1, episode="e2")
    assert again.outcome is Outcome.KNOWN
    assert again.conflict_id == conflict.conflict_id
    assert again.transaction is None
    assert desk.head == head


@pytest.mark.parametrize("resolution", ["standing", "incoming", "both"])
def test_a_decided_claim_is_known(desk: Desk, resolution: str) -> None:
    desk.fact("Lisbon", 1, episode="e1")
    conflict = desk.contest("Porto", 1, episode="e2")
    desk.settle(conflict.conflict_id, resolution)
    line = desk.line()
    assert desk.say("Porto", 1, episode="e2").outcome is Outcome.KNOWN
    assert desk.say("Lisbon", 1, episode="e1").outcome is Outcome.KNOWN
    assert desk.line() == line


def test_the_queue_is_oldest_first_and_filters(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("A", 1, subject="jonas")
    first = desk.contest("B", 1)
    second = desk.contest("B", 1, subject="jonas")
    third = desk.contest("A", 5, 9)
    ids = [c.conflict_id for c in desk.store.conflicts(desk.scope).items]
    assert ids == [first.conflict_id, second.conflict_id, third.conflict_id]
    only = desk.store.conflicts(desk.scope, subject="jonas").items
    assert [c.conflict_id for c in only] == [second.conflict_id]
    desk.settle(second.conflict_id, "standing")
    assert len(desk.store.conflicts(desk.scope).items) == 2
    settled = desk.store.conflicts(desk.scope, ConflictState.SETTLED).items
    assert [c.conflict_id for c in settled] == [second.conflict_id]
    assert len(desk.store.conflicts(desk.scope, None).items) == 3
    assert desk.store.conflicts(desk.scope, ConflictState.STALE).items == ()


def test_explicit_acts_do_not_queue(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    with pytest.raises(Refused):
        desk.correct(porto, valid_from=1)
    assert desk.store.conflicts(desk.scope, None).items == ()


# -- disputed --------------------------------------------------------------------------------------


def test_the_standing_fact_is_disputed_while_the_conflict_is_open(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    calm = desk.newest
    conflict = desk.contest("Porto", 1)
    raised = desk.newest
    desk.settle(conflict.conflict_id, "standing")
    settled = desk.newest
    for known, disputed in ((calm, False), (raised, True), (settled, False), (None, False)):
        assert desk.read(2, known)[0].disputed is disputed, known
        lanes = desk.store.lanes(desk.scope, as_of=desk.as_of(known))
        assert bool(lanes[0].bars[0].marks & 1) is disputed
        assert lanes[0].open_conflicts == int(disputed)
        query = FactQuery(disputed=True)
        found = all_facts(desk, query, as_of=desk.as_of(known, 2))
        assert len(found) == int(disputed)
        summary = desk.store.summary(desk.scope, desk.as_of(known))
        assert summary.conflicts_open == int(disputed)


def test_only_the_contested_stretch_is_disputed(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("B", 10, 20)
    desk.contest("C", 10, 20)
    assert [desk.read(at)[0].disputed for at in (5, 15, 25)] == [False, True, False]


def test_a_crossing_disputes_the_standing_fact(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 10)
    desk.contest("Porto", 5, 20)
    (fact,) = desk.read(6)
    assert fact.disputed


# -- settling: the six outcomes --------------------------------------------------------------------


@pytest.fixture
def quarrel(desk: Desk) -> Conflict:
    desk.fact("Lisbon", 1, episode="e1")
    return desk.contest("Porto", 1, episode="e2")


def _decision(desk: Desk, conflict: Conflict) -> str:
    """The decision is kept as an episode, and the record says who settled what, and why."""
    now = desk.store.conflict(desk.scope, conflict.conflict_id)
    assert now.state is ConflictState.SETTLED
    assert (now.settled_by, now.reason) == ("operator", "I looked")
    assert (now.settled_in, now.settled_at) == (desk.newest, desk.head.recorded_at)
    detail = desk.store.transaction(desk.scope, desk.newest)
    assert detail.transaction.kind.value == "settle"
    assert detail.conflicts == (conflict.conflict_id,)
    (name,) = detail.episodes
    episode = desk.store.episode(desk.scope, name)
    assert episode.kind is EpisodeKind.USER_CONFIRMATION
    assert "I looked" in episode.content
    assert episode.occurred_at == episode.recorded_at
    return name


def _readable(desk: Desk, memory_id: str | None) -> None:
    """What a receipt names can be read."""
    assert memory_id is not None
    assert desk.store.fact(desk.scope, memory_id).memory_id == memory_id


def test_incoming_wins(desk: Desk, quarrel: Conflict) -> None:
    before = desk.newest
    receipt = desk.settle(quarrel.conflict_id, Resolution.INCOMING)
    assert (receipt.outcome, receipt.conflict_id) == (Outcome.APPLIED, quarrel.conflict_id)
    assert desk.line() == [(1, None, "Porto")]
    assert desk.line(known=before) == [(1, None, "Lisbon")]
    decision = _decision(desk, quarrel)
    (fact,) = desk.read(2)
    assert fact.memory_id == receipt.memory_id == quarrel.incoming[0].claim_id
    assert fact.supersedes_memory_id == quarrel.standing.claim_id
    assert fact.source_episode_id == "e2"
    assert decision in [e.episode_id for e in fact.evidence]
    assert desk.store.conflict(desk.scope, quarrel.conflict_id).resolution is Resolution.INCOMING


def test_standing_stays(desk: Desk, quarrel: Conflict) -> None:
    receipt = desk.settle(quarrel.conflict_id, Resolution.STANDING)
    assert receipt.memory_id == quarrel.standing.claim_id
    assert desk.line() == [(1, None, "Lisbon")]
    decision = _decision(desk, quarrel)
    assert decision in [e.episode_id for e in desk.read(2)[0].evidence]
    now = desk.store.conflict(desk.scope, quarrel.conflict_id)
    assert [c.value for c in now.incoming] == ["Porto"], "the rejected claim is kept"


def test_the_incoming_one_really_began_later(desk: Desk, quarrel: Conflict) -> None:
    receipt = desk.settle(quarrel.conflict_id, Resolution.MOVE, valid_from=5)
    assert desk.line() == [(1, 5, "Lisbon"), (5, None, "Porto")]
    _readable(desk, receipt.memory_id)
    decision = _decision(desk, quarrel)
    (fact,) = desk.read(6)
    assert fact.supersedes_memory_id == quarrel.standing.claim_id
    assert decision in [e.episode_id for e in fact.evidence]


def test_the_standing_one_really_began_earlier(desk: Desk, quarrel: Conflict) -> None:
    desk.settle(quarrel.conflict_id, Resolution.MOVE, standing=True, valid_from=0)
    assert desk.line() == [(0, 1, "Lisbon"), (1, None, "Porto")]
    _decision(desk, quarrel)
    assert desk.read(0)[0].memory_id == quarrel.standing.claim_id


def test_the_incoming_one_really_ended(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 10)
    conflict = desk.contest("Porto", 5, 20)
    desk.settle(conflict.conflict_id, Resolution.MOVE, until=10)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 10, "Porto")]


def test_the_standing_one_really_ended(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 10)
    conflict = desk.contest("Porto", 5, 20)
    desk.settle(conflict.conflict_id, Resolution.MOVE, standing=True, until=5)
    assert desk.line() == [(1, 5, "Lisbon"), (5, 20, "Porto")]


def test_a_move_that_does_not_help_is_refused(desk: Desk, quarrel: Conflict) -> None:
    head = desk.head
    with pytest.raises(Refused):
        desk.settle(quarrel.conflict_id, Resolution.MOVE, valid_from=1)
    with pytest.raises(Refused):
        desk.settle(quarrel.conflict_id, Resolution.MOVE, standing=True, until=9)
    with pytest.raises(Invalid):
        desk.settle(quarrel.conflict_id, Resolution.MOVE, until=1)
    with pytest.raises(Invalid):
        desk.settle(quarrel.conflict_id, Resolution.MOVE)
    assert desk.head == head
    assert desk.store.conflict(desk.scope, quarrel.conflict_id).state is ConflictState.OPEN


def test_a_claim_can_move_into_a_fact_that_says_the_same(desk: Desk) -> None:
    desk.fact("Porto", 10)
    desk.fact("Lisbon", 1)
    conflict = desk.contest("Porto", 1)
    receipt = desk.settle(conflict.conflict_id, Resolution.MOVE, valid_from=12)
    assert desk.line() == [(1, 10, "Lisbon"), (10, None, "Porto")]
    _readable(desk, receipt.memory_id)
    decision = _decision(desk, conflict)
    assert decision in [e.episode_id for e in desk.read(13)[0].evidence]


def test_both_hold_and_the_attribute_becomes_multi_valued(desk: Desk, quarrel: Conflict) -> None:
    before = desk.newest
    receipt = desk.settle(quarrel.conflict_id, Resolution.BOTH)
    assert desk.line() == [(1, None, "Lisbon"), (1, None, "Porto")]
    assert desk.line(known=before) == [(1, None, "Lisbon")]
    decision = _decision(desk, quarrel)
    held = {f.value: f for f in desk.read(2)}
    assert held["Lisbon"].slot == ""
    assert held["Lisbon"].memory_id == quarrel.standing.claim_id
    assert held["Porto"].slot != ""
    assert held["Porto"].memory_id == receipt.memory_id == quarrel.incoming[0].claim_id
    assert decision in [e.episode_id for e in held["Porto"].evidence]
    (entry,) = desk.store.attributes(desk.scope)
    assert entry.cardinality is Cardinality.MULTI
    assert desk.fact("Faro", 3)
    assert len(desk.read(4)) == 3


def test_after_both_writes_find_their_value_in_the_old_slot(desk: Desk, quarrel: Conflict) -> None:
    desk.settle(quarrel.conflict_id, Resolution.BOTH)
    assert desk.say("Lisbon", 1).outcome is Outcome.CORROBORATED
    restated = desk.say("Lisbon", 5)
    assert restated.memory_id == quarrel.standing.claim_id
    assert desk.say("Porto", 1).outcome is Outcome.CORROBORATED
    assert desk.line() == [(1, None, "Lisbon"), (1, None, "Porto")]
    assert desk.say("Lisbon", 6, 9).outcome is Outcome.CONFLICT
    assert desk.say("Lisbon", 1, episode="e1").outcome is Outcome.KNOWN


def test_after_both_elsewhere_other_subjects_take_many_values_too(desk: Desk) -> None:
    desk.fact("A", 1, subject="jonas")
    desk.fact("Lisbon", 1)
    conflict = desk.contest("Porto", 1)
    desk.settle(conflict.conflict_id, Resolution.BOTH)
    desk.fact("B", 1, subject="jonas")
    assert desk.say("A", 1, subject="jonas").outcome is Outcome.CORROBORATED
    assert desk.line(subject="jonas") == [(1, None, "A"), (1, None, "B")]


def test_both_with_a_qualifier_goes_under_another_name(desk: Desk, quarrel: Conflict) -> None:
    desk.settle(quarrel.conflict_id, Resolution.BOTH, qualifier="work")
    assert desk.line() == [(1, None, "Lisbon")]
    assert desk.line(attribute="city (work)") == [(1, None, "Porto")]
    names = [a.name for a in desk.store.attributes(desk.scope)]
    assert names == ["city", "city (work)"]
    assert all(a.cardinality is Cardinality.SINGLE for a in desk.store.attributes(desk.scope))
    _decision(desk, quarrel)
    desk.revert(desk.newest)
    assert desk.line(attribute="city (work)") == []


@pytest.mark.parametrize("qualifier", ["", "  ", "a\nb", "x" * 252])
def test_a_bad_qualifier_is_invalid(desk: Desk, quarrel: Conflict, qualifier: str) -> None:
    with pytest.raises(Invalid):
        desk.settle(quarrel.conflict_id, Resolution.BOTH, qualifier=qualifier)


def test_merge_writes_a_value_typed_in(desk: Desk, quarrel: Conflict) -> None:
    receipt = desk.settle(quarrel.conflict_id, Resolution.MERGE, value={"home": "Lisbon"})
    assert desk.line() == [(1, None, {"home": "Lisbon"})]
    decision = _decision(desk, quarrel)
    (fact,) = desk.read(2)
    assert fact.memory_id == receipt.memory_id
    assert fact.memory_id not in (quarrel.standing.claim_id, quarrel.incoming[0].claim_id)
    assert fact.supersedes_memory_id == quarrel.standing.claim_id
    assert fact.source_episode_id == decision
    assert {"e1", "e2", decision} == {e.episode_id for e in fact.evidence}


def test_two_claims_of_one_episode_support_what_they_became_once(desk: Desk) -> None:
    desk.fact("Lisbon", 1, episode="e2")
    conflict = desk.contest("Faro", 1, episode="e2")
    desk.settle(conflict.conflict_id, Resolution.MERGE, value="Coimbra")
    detail = desk.store.transaction(desk.scope, desk.newest)
    assert [link.episode_id for link in detail.evidence].count("e2") == 1


def test_merge_needs_a_value_and_null_is_one(desk: Desk, quarrel: Conflict) -> None:
    with pytest.raises(Invalid):
        desk.settle(quarrel.conflict_id, Resolution.MERGE)
    with pytest.raises(Invalid):
        desk.settle(quarrel.conflict_id, Resolution.MERGE, value=2**53)
    desk.settle(quarrel.conflict_id, Resolution.MERGE, value=None)
    assert desk.line() == [(1, None, None)]


def test_defer_writes_nothing(desk: Desk, quarrel: Conflict) -> None:
    head = desk.head
    receipt = desk.settle(quarrel.conflict_id, Resolution.DEFER)
    assert receipt.transaction is None
    assert desk.head == head
    assert desk.store.conflict(desk.scope, quarrel.conflict_id) == quarrel


# -- settling other kinds for the incoming claim ---------------------------------------------------


def test_incoming_wins_with_another_end_from_the_same_beginning(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 9)
    conflict = desk.contest("Lisbon", 1, 12)
    receipt = desk.settle(conflict.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, 12, "Lisbon")]
    _readable(desk, receipt.memory_id)
    decision = _decision(desk, conflict)
    assert decision in [e.episode_id for e in desk.read(2)[0].evidence]


def test_incoming_wins_with_an_end_stated_inside(desk: Desk) -> None:
    standing = desk.fact("Lisbon", 1)
    conflict = desk.contest("Lisbon", 5, 9, episode="e2")
    receipt = desk.settle(conflict.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, 9, "Lisbon")]
    (fact,) = desk.read(2)
    assert fact.memory_id == standing == receipt.memory_id
    decision = _decision(desk, conflict)
    assert {"e2", decision} <= {e.episode_id for e in fact.evidence}


def test_incoming_wins_with_an_end_stated_inside_an_ended_fact(desk: Desk) -> None:
    standing = desk.fact("Lisbon", 1)
    conflict = desk.contest("Lisbon", 5, 9)
    desk.end(standing, 30)
    receipt = desk.settle(conflict.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, 9, "Lisbon")]
    _readable(desk, receipt.memory_id)


@pytest.mark.parametrize("first", [0, 1])
def test_incoming_wins_a_crossing_by_cutting_the_standing_one_back(desk: Desk, first: int) -> None:
    claims = [("Lisbon", 1, 10), ("Porto", 5, 20)]
    desk.fact(*claims[first])
    conflict = desk.contest(*claims[1 - first])
    receipt = desk.settle(conflict.conflict_id, Resolution.INCOMING)
    wanted = [(1, 5, "Lisbon"), (5, 20, "Porto")], [(1, 10, "Lisbon"), (10, 20, "Porto")]
    assert desk.line() == wanted[first]
    _readable(desk, receipt.memory_id)
    _decision(desk, conflict)


def test_incoming_wins_over_an_end_that_the_standing_fact_took_the_place_of(desk: Desk) -> None:
    lisbon = desk.fact("Lisbon", 1)
    desk.end(lisbon, 9)
    desk.fact("Porto", 9)
    conflict = desk.contest("Faro", 9)
    receipt = desk.settle(conflict.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, 9, "Lisbon"), (9, None, "Faro")]
    desk.retract(receipt.memory_id or "")
    assert desk.line() == [(1, 9, "Lisbon")]


# -- which claim, which version --------------------------------------------------------------------


def test_where_several_wait_the_claim_is_named(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.contest("Porto", 1)
    conflict = desk.contest("Faro", 1)
    with pytest.raises(Invalid):
        desk.settle(conflict.conflict_id, Resolution.INCOMING)
    with pytest.raises(NotFound):
        desk.settle(conflict.conflict_id, Resolution.INCOMING, claim_id="nobody")
    porto = conflict.incoming[0]
    desk.settle(conflict.conflict_id, Resolution.INCOMING, claim_id=porto.claim_id)
    assert desk.line() == [(1, None, "Porto")]


def test_standing_needs_no_claim_named(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.contest("Porto", 1)
    conflict = desk.contest("Faro", 1)
    desk.settle(conflict.conflict_id, Resolution.STANDING)
    assert desk.line() == [(1, None, "Lisbon")]


def test_keeping_a_never_removes_a_and_undo_restores_b(desk: Desk, quarrel: Conflict) -> None:
    settled = desk.settle(quarrel.conflict_id, Resolution.STANDING)
    assert desk.line() == [(1, None, "Lisbon")]
    desk.revert(settled.transaction)
    now = desk.store.conflict(desk.scope, quarrel.conflict_id)
    assert now.state is ConflictState.OPEN
    assert [c.value for c in now.incoming] == ["Porto"]
    assert desk.line() == [(1, None, "Lisbon")]


def test_a_decision_on_what_has_changed_since_is_stale(desk: Desk, quarrel: Conflict) -> None:
    desk.fact("Faro", 9)
    with pytest.raises(Stale):
        desk.settle(quarrel.conflict_id, Resolution.INCOMING, seen=quarrel.version)
    now = desk.store.conflict(desk.scope, quarrel.conflict_id)
    assert now.version > quarrel.version
    desk.settle(quarrel.conflict_id, Resolution.INCOMING, seen=now.version)
    assert desk.line() == [(1, 9, "Porto"), (9, None, "Faro")]


def test_a_joined_claim_makes_a_decision_stale(desk: Desk, quarrel: Conflict) -> None:
    desk.contest("Faro", 1)
    with pytest.raises(Stale):
        desk.settle(quarrel.conflict_id, Resolution.STANDING, seen=quarrel.version)


def test_what_happens_elsewhere_does_not_make_a_decision_stale(
    desk: Desk, quarrel: Conflict
) -> None:
    desk.fact("tea", 1, attribute="drink")
    desk.fact("Oslo", 1, subject="jonas")
    desk.settle(quarrel.conflict_id, Resolution.INCOMING, seen=quarrel.version)
    assert desk.line() == [(1, None, "Porto")]


def test_a_settled_conflict_cannot_be_settled_again(desk: Desk, quarrel: Conflict) -> None:
    desk.settle(quarrel.conflict_id, Resolution.STANDING)
    with pytest.raises(Stale):
        desk.settle(quarrel.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, None, "Lisbon")]


def test_an_unknown_conflict_is_not_found(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.settle("nobody", Resolution.STANDING)
    with pytest.raises(NotFound):
        desk.store.conflict(desk.scope, "nobody")


def test_after_a_decision_another_claim_raises_a_conflict_of_its_own(
    desk: Desk, quarrel: Conflict
) -> None:
    desk.settle(quarrel.conflict_id, Resolution.STANDING)
    again = desk.contest("Faro", 1)
    assert again.conflict_id != quarrel.conflict_id
    assert [c.value for c in again.incoming] == ["Faro"]


# -- stale and reopened ----------------------------------------------------------------------------


def _state(desk: Desk, conflict: Conflict) -> ConflictState:
    return desk.store.conflict(desk.scope, conflict.conflict_id).state


def test_a_conflict_is_stale_when_its_standing_claim_is_retracted(
    desk: Desk, quarrel: Conflict
) -> None:
    gone = desk.retract(quarrel.standing.claim_id)
    assert _state(desk, quarrel) is ConflictState.STALE
    assert desk.store.conflicts(desk.scope).items == ()
    with pytest.raises(Stale):
        desk.settle(quarrel.conflict_id, Resolution.INCOMING)
    desk.revert(gone.transaction)
    assert _state(desk, quarrel) is ConflictState.OPEN
    assert desk.read(2)[0].disputed
    desk.settle(quarrel.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, None, "Porto")]


def test_a_conflict_is_stale_when_its_standing_claim_moves_away(
    desk: Desk, quarrel: Conflict
) -> None:
    moved = desk.correct(quarrel.standing.claim_id, valid_from=3)
    assert _state(desk, quarrel) is ConflictState.STALE
    desk.revert(moved.transaction)
    assert _state(desk, quarrel) is ConflictState.OPEN


def test_a_conflict_stays_open_when_its_standing_claim_is_corrected_in_place(
    desk: Desk, quarrel: Conflict
) -> None:
    desk.correct(quarrel.standing.claim_id, value="Faro")
    assert _state(desk, quarrel) is ConflictState.OPEN
    desk.settle(quarrel.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, None, "Porto")]


def test_settling_one_conflict_makes_others_on_the_same_standing_claim_stale(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    value = desk.contest("Porto", 1)
    end = desk.contest("Lisbon", 5, 9)
    settled = desk.settle(value.conflict_id, Resolution.INCOMING)
    assert _state(desk, end) is ConflictState.STALE
    desk.revert(settled.transaction)
    assert _state(desk, end) is ConflictState.OPEN
    assert _state(desk, value) is ConflictState.OPEN


# -- undo and redo of decisions --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resolution", "more"),
    [
        (Resolution.INCOMING, {}),
        (Resolution.STANDING, {}),
        (Resolution.MOVE, {"valid_from": 5}),
        (Resolution.BOTH, {}),
        (Resolution.BOTH, {"qualifier": "work"}),
        (Resolution.MERGE, {"value": "M"}),
    ],
    ids=["incoming", "standing", "move", "both", "qualified", "merge"],
)
def test_a_decision_is_undone_redone_and_undone(
    desk: Desk, quarrel: Conflict, resolution: Resolution, more: dict[str, object]
) -> None:
    before = desk.line()
    registry = desk.store.attributes(desk.scope)
    settled = desk.settle(quarrel.conflict_id, resolution, **more)
    after = desk.line(), desk.line(attribute="city (work)"), desk.store.attributes(desk.scope)
    undone = desk.revert(settled.transaction)
    assert desk.line() == before
    assert desk.line(attribute="city (work)") == []
    assert desk.store.attributes(desk.scope)[:1] == registry, "a first registration stays"
    assert _state(desk, quarrel) is ConflictState.OPEN
    assert desk.read(2)[0].disputed
    redone = desk.revert(undone.transaction)
    assert (
        desk.line(),
        desk.line(attribute="city (work)"),
        desk.store.attributes(desk.scope),
    ) == after
    now = desk.store.conflict(desk.scope, quarrel.conflict_id)
    assert now.state is ConflictState.SETTLED
    assert (now.resolution, now.reason) == (resolution, "I looked")
    desk.revert(redone.transaction)
    assert desk.line() == before
    assert _state(desk, quarrel) is ConflictState.OPEN


def test_undoing_what_raised_a_conflict_withdraws_it(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    receipt = desk.say("Porto", 1, episode="e2")
    raised = desk.newest
    desk.revert(receipt.transaction)
    assert desk.store.conflicts(desk.scope, None).items == ()
    with pytest.raises(NotFound):
        desk.store.conflict(desk.scope, receipt.conflict_id or "")
    assert not desk.read(2)[0].disputed
    assert desk.read(2, raised)[0].disputed, "it was, as of then"
    assert desk.say("Porto", 1, episode="e2").outcome is Outcome.CONFLICT


def test_undoing_a_join_withdraws_only_that_claim(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    conflict = desk.contest("Porto", 1)
    joined = desk.say("Faro", 1)
    desk.revert(joined.transaction)
    now = desk.store.conflict(desk.scope, conflict.conflict_id)
    assert [c.value for c in now.incoming] == ["Porto"]
    assert now.state is ConflictState.OPEN


def test_what_raised_a_settled_conflict_cannot_be_undone_first(
    desk: Desk, quarrel: Conflict
) -> None:
    settled = desk.settle(quarrel.conflict_id, Resolution.STANDING)
    with pytest.raises(Stale, match=str(settled.transaction)):
        desk.revert(quarrel.raised_in)


def test_a_multi_valued_attribute_still_has_conflicts_of_ends(desk: Desk) -> None:
    from store import Register

    desk.write(Register(attribute=Attribute(name="city", cardinality=Cardinality.MULTI)))
    desk.fact("Lisbon", 1, 9)
    conflict = desk.contest("Lisbon", 1, 12)
    assert conflict.slot != ""
    desk.settle(conflict.conflict_id, Resolution.INCOMING)
    assert desk.line() == [(1, 12, "Lisbon")]
