"""What a choice means as a write, what is missing of it, and which conflicts are alike."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store import (
    NOW,
    Cancel,
    ConflictState,
    EpisodeKind,
    Page,
    Resolution,
    Scope,
    StoreError,
    bind,
    open_store,
)
from workbench.dialogs.conflict.case import (
    APPLICABLE_TO_OTHERS,
    TRUST_RANKS,
    Choice,
    read_alike,
    read_case,
    read_consequences,
    read_queue,
    trust_rank,
)
from workbench.ops import Work
from workbench.session import View
from workbench.widgets.value_edit import TypedValue, ValueKind

SCOPE = Scope("acme")
BEGINS = datetime(2026, 6, 15, tzinfo=UTC)


def work():
    return Work(Cancel(), lambda _done, _total: None)


@pytest.fixture
def view(request):
    with open_store("memory:", create=True) as store:
        crm = bind(store, "acme", agent_id="sync")
        support = bind(store, "acme", agent_id="support")
        for number in range(4):
            crm.capture(f"c{number}", "{}", kind="tool_result", occurred_at=BEGINS)
            support.capture(f"m{number}", "hello", occurred_at=BEGINS)
        for subject, number in (("mira", 0), ("nova", 1)):
            crm.change(subject, "tier", "gold", valid_from=BEGINS, episode=f"c{number}")
            support.change(subject, "tier", "platinum", valid_from=BEGINS, episode=f"m{number}")
        support.change("orion", "tier", "gold", valid_from=BEGINS, episode="m2")
        crm.change("orion", "tier", "platinum", valid_from=BEGINS, episode="c2")
        yield View(store, SCOPE, NOW, work())


def case_of(view, subject="mira"):
    conflicts = view.store.conflicts(view.scope, subject=subject, page=Page(10)).items
    return read_case(view, conflicts[0].conflict_id)


def test_a_case_has_the_sources_and_the_lane(view):
    case = case_of(view)
    assert case.is_open
    assert case.source(case.conflict.standing).episode_id == "c0"
    assert case.source(case.claim(None)).episode_id == "m0"
    assert [bar.value for bar in case.bars] == ['"gold"']


def test_each_choice_becomes_the_write_that_it_means(view):
    conflict = case_of(view).conflict
    waiting = conflict.incoming[0].claim_id
    later = datetime(2026, 7, 1, tzinfo=UTC)

    def write(**parts):
        return Choice(**parts).settle(conflict, "why")

    plain = write(resolution=Resolution.INCOMING)
    assert (plain.claim_id, plain.seen, plain.reason) == (waiting, conflict.version, "why")
    assert not {"value", "valid_from", "until", "qualifier"} & plain.model_fields_set
    moved = write(resolution=Resolution.MOVE, standing=True, begins=later)
    assert (moved.standing, moved.valid_from) == (True, later)
    assert "until" not in moved.model_fields_set
    ended = write(resolution=Resolution.MOVE, has_end=True, ends=None)
    assert "until" in ended.model_fields_set
    assert ended.until is None
    qualified = write(resolution=Resolution.BOTH, is_qualified=True, qualifier="work")
    assert qualified.qualifier == "work"
    assert write(resolution=Resolution.BOTH, qualifier="left over").qualifier is None
    nothing = write(resolution=Resolution.MERGE, typed=TypedValue(None, ValueKind.NULL))
    assert "value" in nothing.model_fields_set


def test_what_was_left_over_of_another_outcome_is_not_written(view):
    conflict = case_of(view).conflict
    choice = Choice(
        resolution=Resolution.STANDING,
        begins=datetime(2026, 7, 1, tzinfo=UTC),
        typed=TypedValue("x", ValueKind.TEXT),
        is_qualified=True,
        qualifier="work",
    )
    write = choice.settle(conflict, "why")
    assert not {"value", "valid_from", "until", "qualifier"} & write.model_fields_set


@pytest.mark.parametrize(
    ("choice", "is_complete"),
    [
        (Choice(), False),
        (Choice(resolution=Resolution.INCOMING), True),
        (Choice(resolution=Resolution.MOVE), False),
        (Choice(resolution=Resolution.MOVE, begins=BEGINS), True),
        (Choice(resolution=Resolution.MOVE, has_end=True), True),
        (Choice(resolution=Resolution.BOTH), True),
        (Choice(resolution=Resolution.BOTH, is_qualified=True), False),
        (Choice(resolution=Resolution.MERGE), False),
        (Choice(resolution=Resolution.MERGE, typed=TypedValue(0, ValueKind.NUMBER)), True),
        (Choice(resolution=Resolution.DEFER), True),
    ],
)
def test_what_is_missing_is_said(choice, is_complete):
    assert (choice.missing() == "") == is_complete


def test_a_choice_fits_the_claims_that_wait(view):
    conflict = case_of(view).conflict
    assert Choice(claim_id="gone").fitting(conflict).claim_id == conflict.incoming[0].claim_id


def test_alike_are_those_with_the_same_kinds_and_agents_on_the_same_sides(view):
    alike = read_alike(view, case_of(view), None)
    assert [it.conflict.subject for it in alike] == ["nova"]
    assert read_alike(view, case_of(view, "orion"), None) == ()


def test_a_conflict_with_two_claims_from_that_source_is_left_to_a_person(view):
    support = bind(view.store, "acme", agent_id="support")
    support.change("nova", "tier", "diamond", valid_from=BEGINS, episode="m3")
    assert read_alike(view, case_of(view), None) == ()


def test_consequences_are_foreseen_or_say_why_not(view):
    case = case_of(view)
    (alike,) = read_alike(view, case, None)
    choice = Choice(resolution=Resolution.INCOMING, claim_id=case.claim(None).claim_id)
    (found,) = read_consequences(view, choice, (alike,), "why")
    assert found.write.conflict_id == alike.conflict.conflict_id
    assert found.write.claim_id == alike.claim_id
    assert found.write.seen == alike.conflict.version
    assert [it.value for it in found.plan.opened] == ["platinum"]
    view.store.write(SCOPE, choice.settle(alike.conflict, "first", claim_id=alike.claim_id))
    (late,) = read_consequences(view, choice, (alike,), "why")
    assert late.write is None
    assert "settled" in late.problem


def test_the_queue_holds_open_conflicts_only(view):
    queue = read_queue(view)
    assert {it.subject for it in queue} == {"mira", "nova", "orion"}
    assert all(it.state is ConflictState.OPEN for it in queue)


def test_a_cancelled_look_up_stops(view):
    view.work.cancel.cancel()
    with pytest.raises(StoreError):
        read_case(view, read_queue(view)[0].conflict_id)


def test_trust_has_a_rank_for_every_kind():
    ranks = {kind: trust_rank(kind) for kind in EpisodeKind}
    assert ranks[EpisodeKind.USER_CONFIRMATION] == 1
    assert ranks[EpisodeKind.OPERATOR_NOTE] < ranks[EpisodeKind.TOOL_RESULT]
    assert ranks[EpisodeKind.TOOL_RESULT] < ranks[EpisodeKind.MESSAGE]
    assert ranks[EpisodeKind.IMPORTED_ROW] == TRUST_RANKS


def test_only_outcomes_that_mean_the_same_everywhere_are_applied_to_others():
    assert {Resolution.MOVE, Resolution.MERGE, Resolution.DEFER}.isdisjoint(APPLICABLE_TO_OTHERS)
