"""Transactions, their time and their chain; checks, and heads kept elsewhere."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import Cancel, Cancelled, Head, Invalid, NotFound, Refused, WriteKind
from store.query import TransactionQuery
from tests.conformance.scene import Desk, day, delta, draft

# -- numbers and time ----------------------------------------------------------------------------


def test_numbers_have_no_gaps_and_refusals_take_none(desk: Desk) -> None:
    desk.episode("e1")
    numbers = [desk.newest]
    fact = desk.say("A", 1, episode="e1")
    numbers.append(fact.transaction or 0)
    for _ in range(3):
        with pytest.raises(Invalid):
            desk.memory.change("mira", "city", "x", valid_from=day(1), episode="nobody")
        with pytest.raises(Refused):
            desk.memory.end(fact.memory_id or "", day(1), episode="e1", reason="r")
        desk.say("A", 1, episode="e1")
    numbers.append(desk.say("B", 5, episode="e1").transaction or 0)
    assert numbers == [1, 2, 3]
    listed = desk.store.transactions(desk.scope).items
    assert [t.number for t in listed] == [3, 2, 1]


@pytest.mark.parametrize("step", [0, -1, -3600, -(10**9)])
def test_recorded_at_rises_strictly_whatever_the_clock_does(desk: Desk, step: int) -> None:
    for number in range(5):
        desk.episode(f"e{number}")
        desk.clock.now += timedelta(seconds=step)
    times = [t.recorded_at for t in desk.store.transactions(desk.scope).items]
    assert times == sorted(set(times), reverse=True)
    assert times[-1] == day(2000)
    assert times[0] - times[-1] == timedelta(microseconds=len(times) - 1)


def test_a_clock_that_goes_on_is_followed(desk: Desk) -> None:
    desk.episode("e1")
    desk.clock.now += timedelta(hours=1)
    desk.episode("e2")
    first, second = (desk.store.episode(desk.scope, name).recorded_at for name in ("e1", "e2"))
    assert second - first == timedelta(hours=1)
    assert second.utcoffset() == timedelta(0)


def test_tenants_have_numbers_and_times_of_their_own(desk: Desk) -> None:
    desk.clock.now = day(3000)
    desk.episode("e1")
    desk.clock.now = day(1000)
    other = desk.of(tenant_id="globex")
    other.episode("e1")
    assert other.head.number == 1
    assert other.head.recorded_at == day(1000)


def test_every_write_is_one_transaction(desk: Desk) -> None:
    desk.episode("e1")
    fact = desk.fact("A", 1, episode="e1")
    desk.confirm(fact, "e2")
    desk.correct(fact, value="B", episode="e2")
    desk.end(fact, 9)
    desk.revert(desk.newest)
    desk.contest("C", 1, episode="e1")
    conflict = desk.store.conflicts(desk.scope).items[0]
    desk.settle(conflict.conflict_id, "standing")
    desk.retract(fact)
    desk.store.load(desk.scope, [draft("l"), delta("x", 1, episode="l", subject="jonas")])
    kinds = [t.kind.value for t in reversed(desk.store.transactions(desk.scope).items)]
    assert kinds == [
        "capture",
        "change",
        "capture",
        "confirm",
        "correct",
        "capture",
        "end",
        "revert",
        "change",
        "settle",
        "capture",
        "retract",
        "load",
    ]


# -- what a transaction did ----------------------------------------------------------------------


def test_a_transaction_says_what_it_made_and_ended_and_what_reads_gave(desk: Desk) -> None:
    a = desk.fact("A", 1)
    desk.fact("B", 10, 20)
    corrected = desk.correct(a, value="Z")
    detail = desk.store.transaction(desk.scope, corrected.transaction or 0)
    assert detail.transaction.kind is WriteKind.CORRECT
    assert detail.transaction.actor == "operator"
    assert detail.transaction.tenant_id == "acme"
    assert detail.transaction.subjects == ("mira",)
    assert detail.transaction.attributes == ("city",)
    assert [(v.kind.value, v.value, v.valid_from) for v in detail.ceased] == [
        ("fact", "A", day(1)),
        ("resume", "A", day(20)),
    ]
    assert [(v.kind.value, v.value, v.valid_from) for v in detail.began] == [
        ("fact", "Z", day(1)),
        ("resume", "Z", day(20)),
    ]
    assert {v.ceased for v in detail.ceased} == {corrected.transaction}
    assert [(i.value, i.valid_from, i.valid_to) for i in detail.before] == [
        ("A", day(1), day(10)),
        ("A", day(20), None),
    ]
    assert [(i.value, i.valid_from, i.valid_to) for i in detail.after] == [
        ("Z", day(1), day(10)),
        ("Z", day(20), None),
    ]
    assert detail.reverted_by is None
    assert not detail.truncated


def test_a_transaction_of_a_first_fact_registers_its_attribute(desk: Desk) -> None:
    made = desk.say("A", 1, memory_type="profile")
    detail = desk.store.transaction(desk.scope, made.transaction or 0)
    assert [(a.name, a.memory_type) for a in detail.attributes] == [("city", "profile")]
    assert detail.episodes == ()
    captured = desk.store.transaction(desk.scope, (made.transaction or 0) - 1)
    assert captured.episodes == ("said-1",)
    assert captured.began == captured.ceased == ()


def test_an_unknown_transaction_is_not_found(desk: Desk) -> None:
    desk.episode("e1")
    for number in (0, -1, 2, 10**12):
        with pytest.raises(NotFound):
            desk.store.transaction(desk.scope, number)


def test_the_journal_is_filtered(desk: Desk) -> None:
    desk.episode("e1")
    desk.fact("A", 1, episode="e1", reason="because of the flood")
    desk.of("alice").fact("tea", 1, attribute="drink", episode="e1")
    desk.fact("x", 1, subject="jonas", episode="e1")
    fact = desk.fact("B", 5, episode="e1")
    desk.memory.retract(fact, episode="e1", reason="a mistake")

    def numbers(**query: object) -> list[int]:
        found = desk.store.transactions(desk.scope, TransactionQuery(**query))  # type: ignore[arg-type]
        return [t.number for t in found.items]

    assert numbers() == [6, 5, 4, 3, 2, 1]
    assert numbers(subject="mira") == [6, 5, 3, 2]
    assert numbers(subject="mira", attribute="city") == [6, 5, 2]
    assert numbers(actor="alice") == [3]
    assert numbers(kinds=frozenset({"retract", "capture"})) == [6, 1]
    assert numbers(text="FLOOD") == [2]
    assert numbers(text="jonas") == [4]
    assert numbers(subject="nobody") == []


# -- what changed --------------------------------------------------------------------------------


def test_changes_since_name_what_was_touched(desk: Desk) -> None:
    a = desk.fact("A", 1)
    since = desk.newest
    nothing = desk.store.changes_since(desk.scope, since)
    assert (nothing.since, nothing.newest) == (since, since)
    touched = nothing.subjects, nothing.memory_ids, nothing.episodes, nothing.conflicts
    assert not any(touched)
    assert not nothing.everything
    desk.episode("e9")
    notice = desk.store.changes_since(desk.scope, since)
    assert notice.episodes
    assert not notice.subjects
    middle = desk.newest
    b = desk.fact("x", 1, subject="jonas", episode="e9")
    desk.memory.confirm(a, episode="e9")
    notice = desk.store.changes_since(desk.scope, middle)
    assert notice.newest == desk.newest
    assert notice.everything or notice.subjects == {"mira", "jonas"}
    assert notice.everything or notice.memory_ids == {a, b}
    assert notice.everything or not notice.conflicts
    desk.contest("B", 1, episode="e9")
    notice = desk.store.changes_since(desk.scope, desk.newest - 1)
    assert notice.everything or notice.conflicts
    assert notice.everything or notice.subjects == {"mira"}


def test_a_revision_changes_with_every_commit_and_only_then(desk: Desk) -> None:
    seen = [desk.store.revision()]
    desk.episode("e1")
    seen.append(desk.store.revision())
    desk.say("A", 1, episode="e1")
    seen.append(desk.store.revision())
    desk.of(tenant_id="globex").episode("e1")
    seen.append(desk.store.revision())
    assert len(set(seen)) == 4
    desk.say("A", 1, episode="e1")
    desk.read()
    desk.store.check()
    assert desk.store.revision() == seen[-1]


# -- the chain -----------------------------------------------------------------------------------


def test_an_empty_ledger_has_an_empty_head(desk: Desk) -> None:
    head = desk.head
    assert (head.tenant_id, head.number, head.entries, head.recorded_at) == ("acme", 0, 0, None)
    assert head.digest == "0" * 64
    assert str(head) == f"0:{'0' * 64}"


def test_the_head_is_the_newest_transaction(desk: Desk) -> None:
    digests = set()
    entries = 0
    for number in range(1, 6):
        desk.episode(f"e{number}")
        head = desk.head
        transaction = desk.store.transaction(desk.scope, number).transaction
        assert (head.number, head.digest) == (number, transaction.digest)
        assert head.recorded_at == transaction.recorded_at
        entries += transaction.entries
        assert head.entries == entries == number
        digests.add(head.digest)
    assert len(digests) == 5
    assert all(len(d) == 64 for d in digests)


def test_a_clean_store_is_clean(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("B", 5, 9)
    for full in (False, True):
        report = desk.store.check(full=full)
        assert report.is_clean
        assert report.full is full
        assert any("acme" in head and desk.head.digest in head for head in report.heads)
    assert sum(count for _, count in desk.store.check(full=True).rules) > 0


def test_a_head_kept_elsewhere_is_met(desk: Desk) -> None:
    heads = []
    for number in range(3):
        desk.fact("A", number, subject=f"s{number}")
        heads.append(desk.head)
    for head in heads:
        for full in (False, True):
            assert desk.store.check(full=full, head=head).is_clean


def test_a_head_that_is_not_in_the_chain_is_found(desk: Desk) -> None:
    desk.fact("A", 1)
    desk.fact("B", 5)
    head = desk.head
    wrong = [
        head.model_copy(update={"digest": "f" * 64}),
        head.model_copy(update={"number": head.number + 1}),
        head.model_copy(update={"number": 1}),
        head.model_copy(update={"tenant_id": "nobody"}),
    ]
    for other in wrong:
        for full in (False, True):
            report = desk.store.check(full=full, head=other)
            assert not report.is_clean, (other, full)
            assert all(finding.sentence for finding in report.findings)


def test_the_head_of_another_tenant_with_the_same_names_is_found(desk: Desk) -> None:
    desk.fact("A", 1)
    other = desk.of(tenant_id="globex")
    other.fact("A", 1)
    swapped = other.head.model_copy(update={"tenant_id": "acme"})
    assert not desk.store.check(full=True, head=swapped).is_clean
    assert desk.store.check(full=True, head=other.head).is_clean


def test_an_empty_outside_head_is_always_met(desk: Desk) -> None:
    empty = desk.head
    desk.fact("A", 1)
    assert desk.store.check(full=True, head=empty).is_clean


def test_a_check_says_how_far_it_is(desk: Desk) -> None:
    for number in range(5):
        desk.fact("A", 1, subject=f"s{number}")
    told: list[int] = []
    desk.store.check(full=True, progress=lambda done, _: told.append(done))
    assert told == sorted(told)
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        desk.store.check(full=True, cancel=cancel)


def test_a_head_can_be_written_down_and_read_back(desk: Desk) -> None:
    desk.fact("A", 1)
    text = desk.head.model_dump_json()
    assert desk.store.check(full=True, head=Head.model_validate_json(text)).is_clean
    number, digest = str(desk.head).split(":")
    assert (int(number), digest) == (desk.head.number, desk.head.digest)
