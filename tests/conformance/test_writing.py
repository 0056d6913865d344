"""Proposing facts: applied, known, corroborated, restated; and what is refused at the door."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from store import (
    Attribute,
    Capture,
    Cardinality,
    Change,
    End,
    FactQuery,
    Invalid,
    NotFound,
    Outcome,
    Refused,
    Register,
    Span,
)
from store.model import SGAM_FIELDS
from tests.conformance.scene import DAY0, LATER, Desk, day, delta, draft

# -- the example of the article --------------------------------------------------------------------


def test_the_articles_example_read_literally(desk: Desk) -> None:
    times = {
        "e1": ("2026-07-15", datetime(2026, 6, 1, 9, tzinfo=UTC)),
        "e2": ("2026-06-30", datetime(2026, 6, 3, 10, tzinfo=UTC)),
        "e0": ("2026-08-01", datetime(2026, 5, 30, 8, tzinfo=UTC)),
    }
    made = {}
    for name, (value, valid_from) in times.items():
        desk.episode(name, occurred_at=valid_from)
        made[name] = desk.write(
            Change(delta=delta(value, valid_from, episode=name, attribute="passport_deadline"))
        )
        assert made[name].outcome is Outcome.APPLIED

    def value(at: datetime, known: str = "e0") -> Any:
        number = made[known].transaction
        return desk.value(at, number, attribute="passport_deadline")

    assert value(times["e2"][1]) == "2026-06-30"
    assert value(day(LATER)) == "2026-06-30", (
        "what came last in time is current, not what came last"
    )
    assert value(times["e2"][1] - timedelta(microseconds=1)) == "2026-07-15"
    assert value(times["e1"][1] - timedelta(microseconds=1)) == "2026-08-01"
    assert value(times["e0"][1] - timedelta(microseconds=1)) == "nothing"
    assert value(times["e0"][1], known="e2") == "nothing", "it was not known yet"
    (current,) = desk.read(attribute="passport_deadline")
    assert current.supersedes_memory_id == made["e1"].memory_id
    assert current.source_episode_id == "e2"
    assert current.valid_to is None


def test_a_fact_has_the_thirteen_fields_and_ours(desk: Desk) -> None:
    desk.episode("e1", "I live in Porto.", occurred_at=day(3))
    receipt = desk.write(
        Change(
            delta=delta(
                {"b": [1, 2.5, None], "a": "Porto"},
                1,
                9,
                episode="e1",
                confidence=0.75,
                memory_type="profile",
                span=Span(start=10, end=15),
                valid_from_basis="episode",
                precision="day",
                stated_as="2 January",
            )
        )
    )
    (fact,) = desk.read(2)
    assert SGAM_FIELDS == (
        "tenant_id",
        "memory_id",
        "subject",
        "attribute",
        "value",
        "memory_type",
        "schema_version",
        "valid_from",
        "valid_to",
        "supersedes_memory_id",
        "source_episode_id",
        "confidence",
        "retention_policy",
    )
    got = {name: getattr(fact, name) for name in SGAM_FIELDS}
    assert got == {
        "tenant_id": "acme",
        "memory_id": receipt.memory_id,
        "subject": "mira",
        "attribute": "city",
        "value": {"a": "Porto", "b": [1, 2.5, None]},
        "memory_type": "profile",
        "schema_version": 1,
        "valid_from": day(1),
        "valid_to": day(9),
        "supersedes_memory_id": None,
        "source_episode_id": "e1",
        "confidence": 0.75,
        "retention_policy": "keep",
    }
    assert (fact.agent_id, fact.owner, fact.slot) == ("operator", "", "")
    assert (fact.until, fact.row_from) == (day(9), day(1))
    assert (fact.valid_from_basis, fact.precision, fact.stated_as) == (
        "episode",
        "day",
        "2 January",
    )
    assert fact.recorded_at == desk.head.recorded_at
    assert fact.superseded_at is None
    assert fact.transaction == receipt.transaction == 2
    assert fact.last_confirmed_at == day(3)
    assert fact.disputed is False
    (evidence,) = fact.evidence
    assert (evidence.episode_id, evidence.span) == ("e1", Span(start=10, end=15))


def test_a_receipt_tells_what_was_closed_and_opened(desk: Desk) -> None:
    first = desk.say("Lisbon", 1)
    assert [(i.value, i.valid_from, i.valid_to) for i in first.plan.opened] == [
        ("Lisbon", day(1), None)
    ]
    assert first.plan.closed == ()
    second = desk.say("Porto", 10)
    assert [(i.value, i.valid_from, i.valid_to) for i in second.plan.closed] == [
        ("Lisbon", day(1), None)
    ]
    assert [(i.value, i.valid_from, i.valid_to) for i in second.plan.opened] == [
        ("Lisbon", day(1), day(10)),
        ("Porto", day(10), None),
    ]
    assert second.plan.memory_id == second.memory_id
    assert second.plan.standing == first.memory_id


def test_a_late_write_between_names_only_what_it_changes(desk: Desk) -> None:
    desk.say("Lisbon", 1)
    desk.say("Porto", 20)
    late = desk.say("Faro", 10)
    assert [(i.value, i.valid_from, i.valid_to) for i in late.plan.closed] == [
        ("Lisbon", day(1), day(20))
    ]
    assert [(i.value, i.valid_from, i.valid_to) for i in late.plan.opened] == [
        ("Lisbon", day(1), day(10)),
        ("Faro", day(10), day(20)),
    ]
    assert desk.line() == [(1, 10, "Lisbon"), (10, 20, "Faro"), (20, None, "Porto")]


def test_back_and_forth_gives_three_rows_of_which_one_is_current(desk: Desk) -> None:
    facts = [desk.fact("A", 1), desk.fact("B", 5), desk.fact("A", 9)]
    assert len(set(facts)) == 3
    assert desk.line() == [(1, 5, "A"), (5, 9, "B"), (9, None, "A")]
    (current,) = desk.read()
    assert current.supersedes_memory_id == facts[1]


def test_open_is_not_current(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", LATER + 30)
    assert desk.value(day(LATER)) == "Lisbon"
    assert desk.value(day(LATER + 30)) == "Porto"
    (current,) = desk.read()
    assert current.valid_to == day(LATER + 30)


def test_a_write_touches_no_other_key(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Oslo", 1, subject="jonas")
    desk.fact("tea", 1, attribute="drink")
    before = [desk.line(subject="jonas"), desk.line(attribute="drink")]
    desk.fact("Porto", 1, owner="alice")
    desk.fact("Faro", 3)
    assert [desk.line(subject="jonas"), desk.line(attribute="drink")] == before


# -- known, corroborated, restated -----------------------------------------------------------------


def test_the_same_claim_twice_writes_nothing(desk: Desk) -> None:
    first = desk.say("Lisbon", 1, episode="e1")
    head = desk.head
    again = desk.say("Lisbon", 1, episode="e1")
    assert again.outcome is Outcome.KNOWN
    assert again.transaction is None
    assert again.memory_id == first.memory_id
    assert again.plan.closed == again.plan.opened == ()
    assert desk.head == head


def test_another_episode_corroborates(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="e1")
    desk.episode("e2", "Lisbon, as I said.", occurred_at=day(4))
    receipt = desk.say("Lisbon", 1, episode="e3", span=Span(start=0, end=2))
    assert receipt.outcome is Outcome.CORROBORATED
    assert receipt.memory_id == fact
    assert receipt.transaction == desk.newest
    assert len(desk.read()) == 1
    (held,) = desk.read()
    assert [e.episode_id for e in held.evidence] == ["e1", "e3"]
    assert held.evidence[1].span == Span(start=0, end=2)
    assert held.source_episode_id == "e1"
    assert len(desk.store.versions(desk.scope, memory_id=fact)) == 1, "no further row"
    second = desk.say("Lisbon", 1, episode="e3")
    assert second.outcome is Outcome.KNOWN


def test_a_corroboration_moves_the_last_confirmation(desk: Desk) -> None:
    desk.episode("e1", occurred_at=day(3))
    desk.episode("e2", occurred_at=day(7))
    desk.episode("e3", occurred_at=day(5))
    made = desk.write(Change(delta=delta("Lisbon", 1, episode="e1")))
    for name in ("e2", "e3"):
        desk.write(Change(delta=delta("Lisbon", 1, episode=name)))
    assert desk.read()[0].last_confirmed_at == day(7)
    assert desk.read(known=made.transaction)[0].last_confirmed_at == day(3)


def test_no_stated_end_corroborates_a_fact_with_one(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, 9)
    receipt = desk.say("Lisbon", 1)
    assert receipt.outcome is Outcome.CORROBORATED
    assert receipt.memory_id == fact
    assert desk.line() == [(1, 9, "Lisbon")]


def test_the_same_stated_end_corroborates(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 9)
    assert desk.say("Lisbon", 1, 9).outcome is Outcome.CORROBORATED


def test_a_restatement_is_stored_and_reads_as_one_interval(desk: Desk) -> None:
    first = desk.say("Lisbon", 1, episode="e1")
    second = desk.say("Lisbon", 10, episode="e2", confidence=0.5)
    assert second.outcome is Outcome.APPLIED
    assert second.memory_id == first.memory_id
    assert desk.line() == [(1, None, "Lisbon")]
    (early,), (late,) = desk.read(5), desk.read(12)
    for fact in (early, late):
        assert (fact.valid_from, fact.valid_to) == (day(1), None)
    assert (early.row_from, early.source_episode_id, early.confidence) == (day(1), "e1", 1.0)
    assert (late.row_from, late.source_episode_id, late.confidence) == (day(10), "e2", 0.5)
    assert (early.transaction, late.transaction) == (first.transaction, second.transaction)
    assert len(desk.store.versions(desk.scope, memory_id=first.memory_id)) == 2


def test_a_late_contradiction_falls_between_two_statements(desk: Desk) -> None:
    january, february, march = 0, 31, 59
    lisbon = desk.fact("Lisbon", january)
    assert desk.fact("Lisbon", march) == lisbon
    desk.fact("Porto", february)
    assert desk.line() == [
        (january, february, "Lisbon"),
        (february, march, "Porto"),
        (march, None, "Lisbon"),
    ]


def test_a_restatement_inside_a_bounded_fact_keeps_its_end(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, 20)
    assert desk.fact("Lisbon", 5) == fact
    assert desk.fact("Lisbon", 8, 20) == fact
    assert desk.line() == [(1, 20, "Lisbon")]


def test_a_statement_before_a_fact_is_a_fact_of_its_own(desk: Desk) -> None:
    later = desk.fact("Lisbon", 10)
    earlier = desk.fact("Lisbon", 1)
    assert earlier != later
    assert desk.line() == [(1, 10, "Lisbon"), (10, None, "Lisbon")]


def test_the_same_value_after_a_gap_is_a_new_fact(desk: Desk) -> None:
    first = desk.fact("Lisbon", 1, 5)
    second = desk.fact("Lisbon", 5)
    assert second != first
    assert desk.line() == [(1, 5, "Lisbon"), (5, None, "Lisbon")]


# -- a second import never undoes what a person corrected ------------------------------------------


def _nothing_new(desk: Desk, value: Any, start: float, until: float | None = None) -> None:
    before, line = desk.head, desk.line()
    again = desk.say(value, start, until, episode="import")
    assert again.outcome is Outcome.KNOWN
    assert again.transaction is None
    assert desk.head == before
    assert desk.line() == line


def test_a_corrected_value_stays_corrected(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="import")
    desk.correct(fact, value="Porto")
    _nothing_new(desk, "Lisbon", 1)
    assert desk.value(1) == "Porto"


def test_a_corrected_beginning_stays_corrected(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 5, episode="import")
    desk.correct(fact, valid_from=3)
    _nothing_new(desk, "Lisbon", 5)
    assert desk.line() == [(3, None, "Lisbon")]


def test_a_corrected_end_stays_corrected(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, 9, episode="import")
    desk.correct(fact, until=7)
    _nothing_new(desk, "Lisbon", 1, 9)
    desk.correct(fact, until=None)
    _nothing_new(desk, "Lisbon", 1, 9)


def test_a_retracted_fact_stays_retracted(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="import")
    desk.retract(fact)
    _nothing_new(desk, "Lisbon", 1)
    assert desk.line() == []


def test_a_fact_retracted_with_a_gap_stays_so(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="import")
    desk.retract(fact, gap=True)
    _nothing_new(desk, "Lisbon", 1)


def test_an_ended_fact_stays_ended(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="import")
    desk.end(fact, 9)
    _nothing_new(desk, "Lisbon", 1)
    assert desk.line() == [(1, 9, "Lisbon")]


def test_a_retracted_corroboration_stays_retracted(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1)
    assert desk.say("Lisbon", 1, episode="import").outcome is Outcome.CORROBORATED
    desk.retract(fact)
    _nothing_new(desk, "Lisbon", 1)


def test_a_reverted_claim_may_be_made_again(desk: Desk) -> None:
    made = desk.say("Lisbon", 1, episode="import")
    desk.revert(made.transaction)
    assert desk.line() == []
    assert desk.say("Lisbon", 1, episode="import").outcome is Outcome.APPLIED
    assert desk.line() == [(1, None, "Lisbon")]


def test_a_reverted_corroboration_may_be_made_again(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    supported = desk.say("Lisbon", 1, episode="import")
    desk.revert(supported.transaction)
    assert len(desk.read()[0].evidence) == 1
    assert desk.say("Lisbon", 1, episode="import").outcome is Outcome.CORROBORATED
    assert len(desk.read()[0].evidence) == 2


def test_a_claim_whose_fact_was_reverted_may_be_made_again_by_a_supporter(desk: Desk) -> None:
    made = desk.say("Lisbon", 1)
    assert desk.say("Lisbon", 1, episode="import").outcome is Outcome.CORROBORATED
    desk.revert(made.transaction)
    assert desk.line() == []
    assert desk.say("Lisbon", 1, episode="import").outcome is Outcome.APPLIED
    assert desk.line() == [(1, None, "Lisbon")]


def test_a_retraction_that_was_undone_and_redone_still_holds(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 1, episode="import")
    undone = desk.revert(desk.retract(fact).transaction)
    _nothing_new(desk, "Lisbon", 1)
    desk.revert(undone.transaction)
    assert desk.line() == []
    _nothing_new(desk, "Lisbon", 1)


# -- stated periods --------------------------------------------------------------------------------


def test_a_nested_period_interrupts(desk: Desk) -> None:
    outer = desk.fact("Lisbon", 1, 30)
    desk.fact("Porto", 10, 20)
    desk.fact("Faro", 12, 15)
    assert desk.line() == [
        (1, 10, "Lisbon"),
        (10, 12, "Porto"),
        (12, 15, "Faro"),
        (15, 20, "Porto"),
        (20, 30, "Lisbon"),
    ]
    assert desk.read(25)[0].memory_id == outer


def test_an_open_start_cuts_a_period(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 30)
    desk.fact("Porto", 10)
    assert desk.line() == [(1, 10, "Lisbon"), (10, None, "Porto")]


def test_an_open_start_cuts_a_period_that_comes_later(desk: Desk) -> None:
    desk.fact("Porto", 10)
    desk.fact("Lisbon", 1, 30)
    assert desk.line() == [(1, 10, "Lisbon"), (10, None, "Porto")]


def test_periods_that_end_together_resume_what_is_under_both(desk: Desk) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", 5, 20)
    desk.fact("Faro", 10, 20)
    assert desk.line() == [
        (1, 5, "Lisbon"),
        (5, 10, "Porto"),
        (10, 20, "Faro"),
        (20, None, "Lisbon"),
    ]


def test_a_period_that_ends_where_another_begins_leaves_no_seam(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 10)
    desk.fact("Porto", 10, 20)
    assert desk.line() == [(1, 10, "Lisbon"), (10, 20, "Porto")]
    kinds = {v.kind.value for v in desk.store.versions(desk.scope, subject="mira")}
    desk.fact("Faro", 0)
    assert desk.line() == [
        (0, 1, "Faro"),
        (1, 10, "Lisbon"),
        (10, 20, "Porto"),
        (20, None, "Faro"),
    ]
    assert "end" not in kinds


def test_two_periods_of_one_value_may_cross(desk: Desk) -> None:
    desk.fact("Lisbon", 1, 10)
    receipt = desk.say("Lisbon", 5, 20)
    assert receipt.outcome is Outcome.CONFLICT, "inside the fact it states another end"
    assert desk.say("Lisbon", 0, 5).outcome is Outcome.APPLIED


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        False,
        0,
        -1,
        2**53 - 1,
        -(2**53) + 1,
        1.5,
        1e16,
        1e20,
        2.886426476074931e16,
        1e21,
        5e-324,
        "",
        " ",
        "null",
        '"',
        "a\u2028b\x00\x1f\x7f\u202e",
        "😀 e\u0301 é",
        [],
        {},
        [[], {}, [None]],
        {"": {"": 0}, "ß": "ẞ", "\U0001f600": 1, "\ufb33": 2},
        "x" * 20_000,
    ],
    ids=repr,
)
def test_any_json_value_comes_back(desk: Desk, value: Any) -> None:
    desk.fact(value, 1)
    (fact,) = desk.read(1)
    assert fact.value == value
    assert type(fact.value) is type(value)


def test_a_number_too_large_for_an_integer_is_listed_and_found(desk: Desk) -> None:
    desk.fact(1e20, 1)
    assert [f.value for f in desk.history(FactQuery(history=True))] == [1e20]
    assert desk.line() == [(1, None, 1e20)]
    assert desk.say(1e20, 1).outcome is Outcome.CORROBORATED


def test_null_is_a_value_and_not_nothing(desk: Desk) -> None:
    desk.fact(None, 1)
    assert [f.value for f in desk.read(1)] == [None]
    assert desk.say(None, 1).outcome is Outcome.CORROBORATED
    assert desk.say("", 1).outcome is Outcome.CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (1, 1.0),
        (0.0, -0.0),
        (1e2, 100),
        ({"x": [{"p": 1, "q": 2}]}, {"x": [{"q": 2.0, "p": 1}]}),
    ],
    ids=repr,
)
def test_values_are_compared_in_canonical_json(desk: Desk, one: Any, other: Any) -> None:
    desk.fact(one, 1)
    assert desk.say(other, 1).outcome is Outcome.CORROBORATED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        (1, "1"),
        (None, "null"),
        ("é", "e\u0301"),
        ([1, 2], [2, 1]),
        ("a", "A"),
        ("a", "a "),
    ],
    ids=repr,
)
def test_values_that_differ_in_canonical_json_differ(desk: Desk, one: Any, other: Any) -> None:
    desk.fact(one, 1)
    assert desk.say(other, 1).outcome is Outcome.CONFLICT


_DEEP: list[Any] = []
for _ in range(100_000):
    _DEEP = [_DEEP]


@pytest.mark.parametrize(
    "value",
    [
        2**53,
        -(2**53),
        [2**60],
        float("nan"),
        float("inf"),
        {"a": -float("inf")},
        "\ud800",
        ["a\udfff"],
        {"\ud800": 1},
        {1: "a"},
        object(),
        {1, 2},
        b"bytes",
        datetime(2026, 1, 1, tzinfo=UTC),
    ],
    ids=ascii,
)
def test_values_that_json_cannot_keep_exactly_are_refused(desk: Desk, value: Any) -> None:
    desk.episode("e1")
    head = desk.head
    with pytest.raises(Invalid):
        desk.memory.change("mira", "city", value, valid_from=day(1), episode="e1")
    assert desk.head == head
    assert desk.line() == []


def test_a_bottomless_value_is_refused(desk: Desk) -> None:
    desk.episode("e1")
    with pytest.raises(Invalid):
        desk.memory.change("mira", "city", _DEEP, valid_from=day(1), episode="e1")


def test_a_kept_value_is_not_shared_with_the_caller(desk: Desk) -> None:
    value = {"a": [1]}
    desk.fact(value, 1)
    value["a"].append(2)
    (fact,) = desk.read(1)
    assert fact.value == {"a": [1]}
    fact.value["a"].append(3)
    assert desk.read(1)[0].value == {"a": [1]}


# -- times -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "valid_from",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(476, 9, 4, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(3024, 2, 29, 1, 2, 3, 4, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
    ids=str,
)
def test_times_of_all_ages_are_exact(desk: Desk, valid_from: datetime) -> None:
    desk.episode("e1", occurred_at=valid_from)
    desk.write(Change(delta=delta("x", valid_from, episode="e1")))
    (fact,) = desk.read(valid_from)
    assert fact.valid_from == fact.last_confirmed_at == valid_from
    assert fact.valid_from.utcoffset() == timedelta(0)
    assert desk.store.episode(desk.scope, "e1").occurred_at == valid_from
    if valid_from > datetime(1, 1, 1, tzinfo=UTC):
        assert desk.read(valid_from - timedelta(microseconds=1)) == ()


def test_offsets_name_instants(desk: Desk) -> None:
    plus2 = timezone(timedelta(hours=2))
    desk.episode("e1", occurred_at=datetime(2026, 1, 2, 2, tzinfo=plus2))
    local = datetime(2026, 1, 2, 2, tzinfo=plus2)
    desk.write(Change(delta=delta("Lisbon", local, episode="e1")))
    (fact,) = desk.read(1)
    assert fact.valid_from == day(1)
    assert fact.valid_from.utcoffset() == timedelta(0)
    episode = desk.store.episode(desk.scope, "e1")
    assert episode.occurred_at == day(1)
    assert episode.occurred_at.utcoffset() == timedelta(0)
    again = desk.write(Change(delta=delta("Lisbon", day(1), episode="e1")))
    assert again.outcome is Outcome.KNOWN
    assert desk.read(day(1).astimezone(plus2))[0] == fact


def test_order_is_that_of_instants_not_of_text(desk: Desk) -> None:
    noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    later = datetime(2026, 6, 1, 12, 0, 0, 1, tzinfo=UTC)
    sooner = datetime(2026, 6, 1, 13, 59, tzinfo=timezone(timedelta(hours=2)))
    for value, at in (("b", noon), ("c", later), ("a", sooner)):
        name = desk.episode()
        desk.write(Change(delta=delta(value, at, episode=name)))
    bars = desk.store.lanes(desk.scope)[0].bars
    assert [bar.value for bar in bars] == ['"a"', '"b"', '"c"']


@pytest.mark.parametrize("field", ["valid_from", "until"])
def test_a_naive_time_is_refused(desk: Desk, field: str) -> None:
    desk.episode("e1")
    times = {"valid_from": day(1), "until": day(9), field: datetime(2026, 2, 1)}  # noqa: DTZ001
    with pytest.raises(Invalid):
        desk.memory.change("mira", "city", "x", episode="e1", **times)


def test_a_naive_moment_of_an_episode_is_refused(desk: Desk) -> None:
    with pytest.raises(Invalid):
        desk.memory.capture("e1", "x", occurred_at=datetime(2026, 2, 1))  # noqa: DTZ001


@pytest.mark.parametrize("length", [timedelta(0), timedelta(microseconds=-1), timedelta(days=-1)])
def test_an_end_that_is_not_after_the_beginning_is_invalid(desk: Desk, length: timedelta) -> None:
    desk.episode("e1")
    with pytest.raises(Invalid):
        desk.memory.change(
            "mira", "city", "x", valid_from=day(1), until=day(1) + length, episode="e1"
        )


def test_a_microsecond_is_long_enough(desk: Desk) -> None:
    desk.episode("e1")
    until = day(1) + timedelta(microseconds=1)
    desk.memory.change("mira", "city", "x", valid_from=day(1), until=until, episode="e1")
    assert desk.value(day(1)) == "x"
    assert desk.value(until) == "nothing"


@pytest.mark.parametrize(
    "instant",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1))),
        datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=-1))),
    ],
    ids=str,
)
def test_an_instant_outside_the_years_1_to_9999_is_refused(desk: Desk, instant: datetime) -> None:
    desk.episode("e1")
    with pytest.raises(Invalid):
        desk.memory.change("mira", "city", "x", valid_from=instant, episode="e1")
    with pytest.raises(Invalid):
        desk.memory.capture("e2", "x", occurred_at=instant)
    assert desk.line() == []


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["subject", "attribute", "owner"])
def test_names_are_kept_in_nfc_and_trimmed(desk: Desk, field: str) -> None:
    typed = "  Jose\u0301 Núñez\u00a0"
    clean = unicodedata.normalize("NFC", "José Núñez")
    names = {"subject": "mira", "attribute": "city", "owner": "", field: typed}
    desk.say("x", 1, **names)
    (fact,) = desk.read(1, subject=_clean(names["subject"]), attribute=_clean(names["attribute"]))
    assert getattr(fact, field) == clean
    other = desk.say("x", 1, **{**names, field: clean})
    assert other.outcome is Outcome.CORROBORATED, "both spellings name one key"


def _clean(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def test_names_match_exactly(desk: Desk) -> None:
    for name in ("mira", "Mira", "mira ben", "mira%", "mir_", "ﬁ", "fi", "😀"):
        assert desk.say(name, 1, subject=name).outcome is Outcome.APPLIED
    for name in ("mira", "Mira", "mira ben", "mira%", "mir_", "ﬁ", "fi", "😀"):
        assert [f.value for f in desk.read(1, subject=name)] == [name]


@pytest.mark.parametrize("field", ["subject", "attribute", "owner", "episode"])
@pytest.mark.parametrize(
    "name",
    ["   ", "a\x00b", "a\nb", "a\x7fb", "a\x85b", "x" * 256, "\ud800"],
    ids=ascii,
)
def test_names_that_break_the_rules_are_refused(desk: Desk, field: str, name: str) -> None:
    desk.episode("e1")
    head = desk.head
    names = {"subject": "mira", "attribute": "city", "owner": "", "episode": "e1", field: name}
    subject, attribute = names.pop("subject"), names.pop("attribute")
    with pytest.raises(Invalid):
        desk.memory.change(subject, attribute, "x", valid_from=day(1), **names)
    assert desk.head == head


@pytest.mark.parametrize("field", ["subject", "attribute", "episode"])
def test_an_empty_name_is_refused(desk: Desk, field: str) -> None:
    desk.episode("e1")
    names = {"subject": "mira", "attribute": "city", "episode": "e1", field: ""}
    with pytest.raises(Invalid):
        desk.memory.change(
            names["subject"],
            names["attribute"],
            "x",
            valid_from=day(1),
            episode=names["episode"],
        )


def test_a_name_of_255_characters_is_kept(desk: Desk) -> None:
    name = "😀" * 255
    desk.say("x", 1, subject=name, attribute=name)
    assert [f.subject for f in desk.read(1, subject=name, attribute=name)] == [name]


def test_hostile_text_is_only_text(desk: Desk) -> None:
    hostile = "'; DROP TABLE row; -- <img src=x> =cmd|'/c calc'!A1 %s {0} \\"
    desk.episode(hostile, hostile)
    desk.say(hostile, 1, subject=hostile, attribute=hostile, episode=hostile, memory_type=hostile)
    (fact,) = desk.read(1, subject=hostile, attribute=hostile)
    assert (fact.value, fact.memory_type, fact.source_episode_id) == (hostile,) * 3
    assert desk.store.episode(desk.scope, hostile).content == hostile


# -- sources ---------------------------------------------------------------------------------------


def test_the_source_must_have_been_captured(desk: Desk) -> None:
    with pytest.raises(Invalid, match="e9"):
        desk.write(Change(delta=delta("x", 1, episode="e9")))
    assert desk.head.number == 0


@pytest.mark.parametrize(("start", "end"), [(0, 5), (4, 5), (100, 101)])
def test_a_span_outside_the_episode_is_refused(desk: Desk, start: int, end: int) -> None:
    desk.episode("e1", "abcd")
    with pytest.raises(Invalid):
        desk.write(Change(delta=delta("x", 1, episode="e1", span=Span(start=start, end=end))))
    assert desk.newest == 1


def test_spans_count_characters_not_bytes(desk: Desk) -> None:
    desk.episode("e1", "😀é\u0301x")
    desk.write(Change(delta=delta("x", 1, episode="e1", span=Span(start=3, end=4))))
    (fact,) = desk.read(1)
    assert fact.evidence[0].span == Span(start=3, end=4)


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 3), (-1, 2), (0, 0)])
def test_an_empty_or_backward_span_is_no_span(start: int, end: int) -> None:
    with pytest.raises(ValidationError):
        Span(start=start, end=end)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, float("nan"), float("inf")])
def test_confidence_is_between_0_and_1(desk: Desk, confidence: float) -> None:
    desk.episode("e1")
    with pytest.raises(Invalid):
        desk.memory.change(
            "mira", "city", "x", valid_from=day(1), episode="e1", confidence=confidence
        )


# -- episodes --------------------------------------------------------------------------------------


def test_an_episode_keeps_what_it_was_given(desk: Desk) -> None:
    content = "# Title\r\n\n<script>alert(1)</script>\x00 \u202e 😀\ttail "
    desk.write(
        Capture(
            episode=draft(
                "e1",
                content,
                kind="ticket",
                occurred_at=day(-5),
                agent_id="support",
                session_id="s 1",
                metadata={"channel": "mail", "n": [1, {"a": None}]},
            )
        )
    )
    episode = desk.store.episode(desk.scope, "e1")
    assert episode.content == content
    assert episode.kind.value == "ticket"
    assert (episode.agent_id, episode.session_id) == ("support", "s 1")
    assert episode.metadata == {"channel": "mail", "n": [1, {"a": None}]}
    assert (episode.occurred_at, episode.recorded_at) == (day(-5), desk.head.recorded_at)
    assert (episode.tenant_id, episode.transaction) == ("acme", 1)


def test_an_episode_without_agent_has_the_writers(desk: Desk) -> None:
    desk.of("alice").episode("e1")
    assert desk.store.episode(desk.scope, "e1").agent_id == "alice"


def test_the_same_episode_again_is_known(desk: Desk) -> None:
    first = desk.write(Capture(episode=draft("e1", "a")))
    assert (first.outcome, first.episode_id) == (Outcome.APPLIED, "e1")
    again = desk.write(Capture(episode=draft("e1", "a")))
    assert (again.outcome, again.transaction, again.episode_id) == (Outcome.KNOWN, None, "e1")
    assert desk.newest == 1


@pytest.mark.parametrize(
    "other",
    [
        draft("e1", "b"),
        draft("e1", "a", kind="file"),
        draft("e1", "a", occurred_at=day(1)),
    ],
    ids=["content", "kind", "moment"],
)
def test_another_episode_with_the_same_id_is_invalid(desk: Desk, other: Any) -> None:
    desk.write(Capture(episode=draft("e1", "a")))
    with pytest.raises(Invalid, match="e1"):
        desk.write(Capture(episode=other))
    assert desk.store.episode(desk.scope, "e1").content == "a"
    assert desk.newest == 1


def test_an_empty_content_is_an_episode(desk: Desk) -> None:
    desk.write(Capture(episode=draft("e1", "")))
    assert desk.store.episode(desk.scope, "e1").content == ""


def test_an_episode_is_not_shared_with_the_caller(desk: Desk) -> None:
    inner: list[int] = [1]
    desk.write(Capture(episode=draft("e1", metadata={"a": inner})))
    inner.append(2)
    kept = desk.store.episode(desk.scope, "e1")
    assert kept.metadata == {"a": [1]}
    kept.metadata["a"].append(3)
    assert desk.store.episode(desk.scope, "e1").metadata == {"a": [1]}


@pytest.mark.parametrize("metadata", [{"a": float("nan")}, {"a": 2**60}, {"a": object()}], ids=repr)
def test_metadata_that_is_not_json_is_refused(desk: Desk, metadata: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        desk.memory.capture("e1", "x", occurred_at=DAY0, metadata=metadata)
    with pytest.raises(Invalid):
        desk.memory.preview(Capture(episode=draft("e1", metadata=metadata)))
    assert desk.newest == 0


# -- the registry ----------------------------------------------------------------------------------


def test_an_unknown_attribute_is_registered_on_first_use(desk: Desk) -> None:
    desk.fact("x", 1, attribute="beta", memory_type="profile")
    desk.fact("x", 1, attribute="alpha")
    assert desk.store.attributes(desk.scope) == (
        Attribute(name="alpha", memory_type="fact"),
        Attribute(name="beta", memory_type="profile"),
    )


def test_the_registry_sets_type_retention_and_schema_version(desk: Desk) -> None:
    entry = Attribute(
        name="city",
        memory_type="profile",
        sensitive=True,
        retention_policy="year",
        schema_version=3,
    )
    receipt = desk.write(Register(attribute=entry))
    assert receipt.outcome is Outcome.APPLIED
    assert desk.store.attributes(desk.scope) == (entry,)
    desk.fact("Lisbon", 1)
    (fact,) = desk.read(1)
    assert (fact.memory_type, fact.retention_policy, fact.schema_version) == ("profile", "year", 3)


def test_the_type_of_an_attribute_is_settled_by_its_first_fact(desk: Desk) -> None:
    desk.fact("Lisbon", 1, memory_type="profile")
    with pytest.raises(Invalid, match="profile"):
        desk.say("Porto", 2, memory_type="task")
    assert desk.say("Porto", 2, memory_type="profile").outcome is Outcome.APPLIED
    assert desk.say("Faro", 3).outcome is Outcome.APPLIED
    assert desk.read()[0].memory_type == "profile"


def test_registering_the_same_twice_is_known(desk: Desk) -> None:
    entry = Attribute(name="city")
    desk.write(Register(attribute=entry))
    again = desk.write(Register(attribute=entry))
    assert (again.outcome, again.transaction) == (Outcome.KNOWN, None)


def test_a_registry_entry_may_change_but_not_its_type(desk: Desk) -> None:
    desk.fact("Lisbon", 1, memory_type="profile")
    desk.write(Register(attribute=Attribute(name="city", memory_type="profile", sensitive=True)))
    assert desk.store.attributes(desk.scope)[0].sensitive
    with pytest.raises(Invalid):
        desk.write(Register(attribute=Attribute(name="city", memory_type="task")))


def test_a_multi_valued_attribute_stays_so(desk: Desk) -> None:
    desk.write(Register(attribute=Attribute(name="city", cardinality=Cardinality.MULTI)))
    with pytest.raises(Invalid):
        desk.write(Register(attribute=Attribute(name="city")))


# -- many values at once ---------------------------------------------------------------------------


def _multi(desk: Desk, name: str = "city") -> None:
    desk.write(Register(attribute=Attribute(name=name, cardinality=Cardinality.MULTI)))


def test_values_of_a_multi_valued_attribute_hold_together(desk: Desk) -> None:
    _multi(desk)
    facts = [desk.fact("tea", 1), desk.fact("coffee", 1), desk.fact("milk", 5)]
    assert desk.line() == [(1, None, "coffee"), (1, None, "tea"), (5, None, "milk")]
    held = desk.read(6)
    assert {f.memory_id for f in held} == set(facts)
    slots = [f.slot for f in held]
    assert len(set(slots)) == 3
    assert "" not in slots
    assert slots == sorted(slots)
    assert all(f.supersedes_memory_id is None for f in held)


def test_one_value_of_many_ends_alone(desk: Desk) -> None:
    _multi(desk)
    tea = desk.fact("tea", 1)
    desk.fact("coffee", 1)
    desk.end(tea, 5)
    assert desk.line() == [(1, 5, "tea"), (1, None, "coffee")]


def test_the_same_value_of_many_is_corroborated_restated_and_contested(desk: Desk) -> None:
    _multi(desk)
    tea = desk.fact("tea", 1)
    assert desk.say("tea", 1).outcome is Outcome.CORROBORATED
    assert desk.fact("tea", 4) == tea
    assert desk.say("tea", 6, 9).outcome is Outcome.CONFLICT
    assert desk.line() == [(1, None, "tea")]


def test_a_multi_valued_attribute_holds_more_values_than_a_page(desk: Desk) -> None:
    _multi(desk)
    name = desk.episode()
    entries = [delta(f"value {i:04}", 1, episode=name) for i in range(1003)]
    assert desk.store.load(desk.scope, entries).applied == 1003
    assert len(desk.read(1)) == 1003


def test_slots_do_not_tell_their_values_apart_between_tenants(desk: Desk) -> None:
    other = desk.of(tenant_id="globex")
    for one in (desk, other):
        _multi(one)
        one.fact("tea", 1)
    (mine,), (theirs,) = desk.read(1), other.read(1)
    assert mine.slot != theirs.slot


def test_a_write_finds_its_value_in_a_slot_that_was_corrected_to_it(desk: Desk) -> None:
    _multi(desk)
    tea = desk.fact("tea", 1)
    desk.correct(tea, value="coffee")
    assert desk.say("coffee", 1).outcome is Outcome.CORROBORATED
    assert desk.say("tea", 5).outcome is Outcome.APPLIED
    assert desk.line() == [(1, None, "coffee"), (5, None, "tea")]


def test_a_claim_that_was_corrected_in_its_slot_stays_known(desk: Desk) -> None:
    _multi(desk)
    tea = desk.fact("tea", 1, episode="e1")
    desk.correct(tea, value="coffee")
    assert desk.say("tea", 1, episode="e1").outcome is Outcome.KNOWN
    report = desk.store.load(
        desk.scope, [delta("tea", 1, episode="e1"), delta("tea", 7, episode="e1")]
    )
    assert (report.known, report.applied) == (1, 1)
    assert desk.line() == [(1, None, "coffee"), (7, None, "tea")]


def test_a_corrected_beginning_leaves_a_value_in_its_slot(desk: Desk) -> None:
    _multi(desk)
    tea = desk.fact("tea", 3)
    desk.correct(tea, valid_from=day(2))
    assert desk.say("tea", 1).outcome is Outcome.APPLIED
    assert len({fact.slot for fact in desk.read(4)}) == 1


# -- a source that comes with its write -------------------------------------------------------


def test_a_source_is_captured_in_the_transaction_of_its_write(desk: Desk) -> None:
    note = draft("note", "I asked her.")
    write = Change(delta=delta("Porto", 1, episode="note"))
    before = desk.newest
    plan = desk.store.preview(desk.scope, write, source=note)
    assert plan.outcome is Outcome.APPLIED
    assert desk.newest == before
    receipt = desk.store.write(desk.scope, write, source=note)
    assert receipt.transaction == desk.newest == before + 1
    detail = desk.store.transaction(desk.scope, before + 1)
    assert detail.episodes == ("note",)
    assert detail.transaction.kind.value == "change"
    assert desk.store.episode(desk.scope, "note").content == "I asked her."
    assert desk.store.check(full=True).is_clean


def test_a_source_is_not_kept_without_its_write(desk: Desk) -> None:
    fact = desk.fact("Lisbon", 5)
    before = desk.newest
    refused = End(memory_id=fact, at=day(2), episode_id="note", reason="r")
    with pytest.raises(Refused):
        desk.store.write(desk.scope, refused, source=draft("note", "No."))
    desk.episode("told", "I live in Lisbon.")
    desk.say("Lisbon", 5, episode="told")
    known = Change(delta=delta("Lisbon", 5, episode="told"))
    receipt = desk.store.write(desk.scope, known, source=draft("told", "I live in Lisbon."))
    assert receipt.outcome is Outcome.KNOWN
    with pytest.raises(NotFound):
        desk.store.episode(desk.scope, "note")
    assert desk.newest == before + 2


def test_a_source_whose_id_is_taken_refuses_the_write(desk: Desk) -> None:
    desk.episode("note", "Another note.")
    before = desk.newest
    with pytest.raises(Invalid, match="note"):
        desk.store.write(
            desk.scope,
            Change(delta=delta("Porto", 1, episode="note")),
            source=draft("note", "This one."),
        )
    assert desk.newest == before
