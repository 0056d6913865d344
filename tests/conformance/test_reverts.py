"""Undo and redo: compensating transactions, and what stands in their way."""

from __future__ import annotations

import pytest

from store import Attribute, NotFound, Outcome, Refused, Register, Stale, WriteKind
from tests.conformance.scene import Desk, delta, draft


def test_a_revert_is_a_transaction_of_its_own(desk: Desk) -> None:
    made = desk.say("Lisbon", 1)
    receipt = desk.revert(made.transaction)
    assert receipt.outcome is Outcome.APPLIED
    assert receipt.transaction == desk.newest == 3
    detail = desk.store.transaction(desk.scope, 3)
    assert detail.transaction.kind is WriteKind.REVERT
    assert detail.transaction.reason == "undo"
    assert desk.store.transaction(desk.scope, made.transaction or 0).reverted_by == 3
    assert desk.line() == []
    assert desk.line(known=2) == [(1, None, "Lisbon")]
    assert [(i.value) for i in receipt.plan.closed] == ["Lisbon"]


def test_undo_and_redo_for_ever(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    last = desk.say("Porto", 5).transaction
    lines = [[(1, 5, "Lisbon"), (5, None, "Porto")], [(1, None, "Lisbon")]]
    for turn in range(1, 6):
        last = desk.revert(last).transaction
        assert desk.line() == lines[turn % 2]


def test_an_older_transaction_can_be_undone_where_nothing_builds_on_it(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.say("Porto", 5)
    desk.fact("Faro", 9)
    desk.revert(porto.transaction)
    assert desk.line() == [(1, 9, "Lisbon"), (9, None, "Faro")]


def test_a_revert_is_refused_where_a_later_transaction_ended_what_it_made(desk: Desk) -> None:
    made = desk.say("Lisbon", 1)
    corrected = desk.correct(made.memory_id or "", value="Porto")
    head = desk.head
    with pytest.raises(Stale, match=rf"\b{corrected.transaction}\b"):
        desk.revert(made.transaction)
    assert desk.head == head
    desk.revert(corrected.transaction)
    desk.revert(made.transaction)
    assert desk.line() == []


def test_a_revert_is_refused_where_a_later_fact_took_the_place(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    retracted = desk.retract(fact)
    taken = desk.say("Porto", 1)
    with pytest.raises(Stale, match=rf"\b{taken.transaction}\b"):
        desk.revert(retracted.transaction)
    desk.revert(taken.transaction)
    desk.revert(retracted.transaction)
    assert desk.line() == [(1, None, "Lisbon")]


def test_a_refusal_names_every_transaction_in_the_way(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    desk.fact("Lisbon", 5)
    retracted = desk.retract(fact)
    blocking = [desk.say("Porto", 1).transaction, desk.say("Faro", 5).transaction]
    with pytest.raises(Stale) as refusal:
        desk.revert(retracted.transaction)
    for number in blocking:
        assert str(number) in str(refusal.value)


def test_a_revert_of_a_moved_beginning_is_refused_where_something_came_in_between(
    desk: Desk,
) -> None:
    fact = desk.fact("Lisbon", 3)
    moved = desk.correct(fact, valid_from=8)
    desk.fact("Porto", 3)
    with pytest.raises(Stale):
        desk.revert(moved.transaction)
    assert desk.line() == [(3, 8, "Porto"), (8, None, "Lisbon")]


def test_derived_rows_are_recomputed_not_reverted(desk: Desk) -> None:
    desk.fact("A", 1)
    b = desk.say("B", 10, 20)
    desk.fact("C", 30)
    desk.revert(b.transaction)
    assert desk.line() == [(1, 30, "A"), (30, None, "C")]
    desk.revert(desk.newest)
    assert desk.line() == [(1, 10, "A"), (10, 20, "B"), (20, 30, "A"), (30, None, "C")]


def test_undoing_a_fact_under_a_bounded_one(desk: Desk) -> None:
    a = desk.say("A", 1)
    desk.fact("B", 10, 20)
    desk.revert(a.transaction)
    assert desk.line() == [(10, 20, "B")]


def test_a_confirmation_can_be_undone(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    confirmed = desk.confirm(fact, "e2")
    undone = desk.revert(confirmed.transaction)
    assert [e.episode_id for e in desk.read()[0].evidence] == ["e1"]
    desk.revert(undone.transaction)
    assert [e.episode_id for e in desk.read()[0].evidence] == ["e1", "e2"]


def test_a_value_correction_gives_its_evidence_back(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    desk.confirm(fact, "e2")
    corrected = desk.correct(fact, value="Porto", episode="c1")
    desk.revert(corrected.transaction)
    (held,) = desk.read()
    assert (held.value, held.source_episode_id) == ("Lisbon", "e1")
    assert [e.episode_id for e in held.evidence] == ["e1", "e2"]


def test_an_end_a_retraction_and_a_gap_can_be_undone(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    line = desk.line()
    for act in (
        lambda: desk.end(porto, 9),
        lambda: desk.retract(porto),
        lambda: desk.retract(porto, gap=True),
        lambda: desk.correct(porto, until=9),
    ):
        desk.revert(act().transaction)
        assert desk.line() == line


def test_episodes_stay(desk: Desk) -> None:
    desk.episode("e1")
    with pytest.raises(Refused, match="episodes"):
        desk.revert(1)
    assert desk.store.episode(desk.scope, "e1").episode_id == "e1"


def test_a_registration_can_be_undone(desk: Desk) -> None:
    first = Attribute(name="city", memory_type="profile")
    desk.write(Register(attribute=first))
    second = first.model_copy(update={"sensitive": True})
    desk.write(Register(attribute=second))
    desk.revert(2)
    assert desk.store.attributes(desk.scope) == (first,)
    desk.revert(3)
    assert desk.store.attributes(desk.scope) == (second,)


def test_a_first_registration_stays(desk: Desk) -> None:
    entry = Attribute(name="city", memory_type="profile")
    desk.write(Register(attribute=entry))
    with pytest.raises(Refused):
        desk.revert(1)
    assert desk.store.attributes(desk.scope) == (entry,)


def test_a_load_can_be_undone_and_its_episodes_stay(desk: Desk) -> None:
    desk.fact("Oslo", 1, subject="jonas")
    line = desk.line(subject="jonas")
    report = desk.store.load(
        desk.scope,
        [
            draft("e1"),
            delta("Lisbon", 1, episode="e1"),
            delta("Porto", 5, 9, episode="e1"),
            delta("Bergen", 0, episode="e1", subject="jonas"),
        ],
    )
    assert report.transactions is not None
    desk.revert(report.transactions[0])
    assert desk.line() == []
    assert desk.line(subject="jonas") == line
    assert desk.store.episode(desk.scope, "e1").episode_id == "e1"
    assert desk.say("Lisbon", 1, episode="e1").outcome is Outcome.APPLIED


def test_an_attribute_that_others_use_survives_the_undo_of_its_first_fact(desk: Desk) -> None:
    first = desk.say("Lisbon", 1, memory_type="profile")
    desk.fact("Oslo", 1, subject="jonas")
    desk.revert(first.transaction)
    assert [a.name for a in desk.store.attributes(desk.scope)] == ["city"]
    desk.fact("Bergen", 5, subject="jonas")
    assert {f.memory_type for f in desk.read(6, subject="jonas")} == {"profile"}
    conflict = desk.contest("Bodø", 5, subject="jonas")
    desk.settle(conflict.conflict_id, "both")
    assert len(desk.read(6, subject="jonas")) == 2


def test_only_transactions_of_the_tenant_can_be_reverted(desk: Desk) -> None:
    other = desk.of(tenant_id="globex")
    other.fact("Lisbon", 1)
    with pytest.raises(NotFound):
        desk.revert(2)
    with pytest.raises(NotFound):
        other.revert(99)


def test_a_revert_touches_only_the_keys_of_its_transaction(desk: Desk) -> None:
    made = desk.say("Lisbon", 1)
    desk.fact("Oslo", 1, subject="jonas")
    desk.fact("tea", 1, attribute="drink")
    before = desk.line(subject="jonas"), desk.line(attribute="drink")
    detail = desk.store.transaction(desk.scope, desk.revert(made.transaction).transaction or 0)
    assert {(v.subject, v.attribute) for v in (*detail.began, *detail.ceased)} == {("mira", "city")}
    assert (desk.line(subject="jonas"), desk.line(attribute="drink")) == before


def test_an_attribute_is_not_made_single_under_later_values(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    conflict = desk.contest("Porto", 1)
    settled = desk.settle(conflict.conflict_id, "both")
    later = desk.say("Faro", 1)
    with pytest.raises(Stale, match=str(later.transaction)):
        desk.revert(settled.transaction)
    assert len(desk.read(2)) == 3


def test_a_correction_that_was_said_again_is_not_reverted_from_under_it(desk: Desk) -> None:
    """Else one fact would say two values: what it said before, and what was said again within."""
    fact = desk.fact("Porto", 6, 8)
    corrected = desk.correct(fact, value="Lisbon").transaction
    again = desk.say("Lisbon", 7)
    before = desk.line()
    with pytest.raises(Stale, match=f"transaction {again.transaction}"):
        desk.revert(corrected)
    assert desk.line() == before
    desk.revert(again.transaction)
    desk.revert(corrected)
    assert desk.line() == [(6, 8, "Porto")]
    assert desk.store.check(full=True).is_clean
