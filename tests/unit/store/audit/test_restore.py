"""Taking a snapshot back: whole into an empty tenant, else as facts with their episodes."""

from __future__ import annotations

import shutil
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from store import (
    Attribute,
    Cancel,
    Cancelled,
    Cardinality,
    Corrupt,
    FactQuery,
    Invalid,
    ReadOnly,
    Register,
    Resolution,
    Scope,
    Store,
    Unsupported,
    open_store,
)
from store.audit.format import Form, Selection, Withhold
from store.audit.reading import open_history, open_snapshot
from store.audit.restore import RestoreReport, restore_snapshot
from store.audit.retelling import Why
from store.audit.snapshot import EVERYTHING, take_snapshot
from store.canonical import canonical
from store.importers import ImportReport
from store.temporal import to_micros
from tests.conformance.played import STEPS, Played, step
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day
from tests.unit.store.audit.audit_scene import Written

Steps = list[tuple[str, int, int, int, int]]


@contextmanager
def a_desk(seed: str = "seed") -> Iterator[Desk]:
    clock = Clock(day(LATER))
    with open_store("memory:", create=True, clock=clock, entropy=Entropy(seed)) as store:
        yield Desk(store, clock)


@pytest.fixture
def desk() -> Iterator[Desk]:
    with a_desk() as made:
        yield made


@pytest.fixture
def empty() -> Iterator[Desk]:
    with a_desk("another seed") as made:
        yield made


def taken(desk: Desk, out: Path, selection: Selection = EVERYTHING, **more: Any) -> Path:
    """Take a snapshot, as a directory unless said otherwise."""
    more.setdefault("form", Form.DIRECTORY)
    take_snapshot(desk.store, desk.scope, out, selection, **more)
    return out


def restored(desk: Desk, path: Path, **more: Any) -> RestoreReport:
    return restore_snapshot(desk.store, desk.scope, path, **more)


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def reads(store: Store, scope: Scope) -> list[tuple[Any, ...]]:
    """What is believed at every time, without identities."""
    desk = Desk(store, Clock(day(0)), scope)
    facts = [
        (
            (f.subject, f.attribute, f.owner, str(f.value), f.valid_from),
            f.valid_to,
            f.memory_type,
            f.confidence,
            f.precision,
            str(f.stated_as),
        )
        for f in desk.history(FactQuery(history=True))
    ]
    return sorted(facts, key=lambda fact: (fact[0], str(fact[1])))


def a_life(desk: Desk) -> None:
    """A record with something of everything."""
    tags = Attribute(
        name="tags", cardinality=Cardinality.MULTI, sensitive=True, retention_policy="a year"
    )
    desk.write(Register(attribute=tags))
    lisbon = desk.fact("Lisbon", 1, confidence=0.5, span={"start": 3, "end": 9})
    desk.fact("Porto", 40, stated_as="in spring")
    desk.confirm(lisbon, "e-more", span={"start": 0, "end": 2})
    desk.fact("Braga", 10, 20)
    desk.fact("vip", 1, attribute="tags")
    desk.fact("late", 2, attribute="tags", owner="support")
    desk.fact({"tier": 1e21}, 1, attribute="plan")
    plan = desk.fact({"tier": 2}, 3, attribute="plan")
    desk.correct(plan, value={"tier": 3})
    desk.contest("gold", 3, attribute="plan")
    settled = desk.contest("silver", 3, attribute="plan", subject=_standing(desk))
    desk.settle(settled.conflict_id, Resolution.INCOMING)


def _standing(desk: Desk) -> str:
    desk.fact("x", 3, attribute="plan", subject="nuno")
    return "nuno"


# -- whole ----------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(steps=st.lists(step, min_size=4, max_size=12))
def test_a_record_comes_back_to_the_byte(steps: Steps) -> None:
    with a_desk() as desk, a_desk("another seed") as other, TemporaryDirectory() as folder:
        play = Played(desk)
        for kind, *drawn in steps:
            play.play(kind, *drawn)
        one = taken(desk, Path(folder) / "one")
        report = restored(other, one)
        assert report.is_whole
        assert other.store.head(other.scope) == desk.store.head(desk.scope)
        other.check()
        assert files(taken(other, Path(folder) / "two")) == files(one)


@pytest.mark.parametrize("form", Form)
def test_a_life_comes_back_to_the_byte(desk: Desk, empty: Desk, tmp_path: Path, form: Form) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one", form=form)
    report = restored(empty, one)
    assert (report.is_whole, report.why_facts, report.imported) == (True, "", None)
    assert (report.snapshot_tenant, report.tenant_id) == ("acme", "acme")
    assert report.head == empty.head == desk.head
    assert report.conflicts_count == 1
    two = taken(empty, tmp_path / "two", form=form)
    if form is Form.ZIP:
        assert two.read_bytes() == one.read_bytes()
    else:
        assert files(two) == files(one)


def test_it_goes_into_a_sqlite_store_and_on_from_there(desk: Desk, tmp_path: Path) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one")
    clock = Clock(day(LATER))
    with open_store(tmp_path / "x.db", create=True, clock=clock) as store:
        other = Desk(store, clock)
        assert restored(other, one).is_whole
        assert files(taken(other, tmp_path / "two")) == files(one)
        assert reads(store, other.scope) == reads(desk.store, desk.scope)
        other.fact("Faro", 60)
        other.check()
        with store.history(other.scope, desk.newest) as history:
            assert history.head.digest == desk.head.digest


def test_of_a_past_transaction_only_what_was_known_comes_back(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    desk.fact("Lisbon", 1)
    before = desk.head
    desk.fact("Porto", 40)
    restored(empty, taken(desk, tmp_path / "one", Selection(number=before.number)))
    assert empty.head == before


def test_a_dry_run_writes_nothing(desk: Desk, empty: Desk, tmp_path: Path) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one")
    report = restored(empty, one, dry_run=True)
    assert (report.is_whole, report.dry_run, empty.newest) == (True, True, 0)
    assert any("would be restored" in said for said in report.sentences())


def test_a_record_can_stand_under_another_name_but_not_twice_in_a_store(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    desk.fact("Lisbon", 1)
    one = taken(desk, tmp_path / "one")
    elsewhere = empty.of(tenant_id="globex")
    report = restored(elsewhere, one)
    assert report.is_whole
    assert any("no digest covers a tenant's name" in said for said in report.sentences())
    assert elsewhere.head.digest == desk.head.digest
    assert [f.tenant_id for f in elsewhere.read(5)] == ["globex"]
    elsewhere.check()

    report = restored(desk.of(tenant_id="globex"), one)
    assert not report.is_whole
    assert "holds this record already, as tenant acme" in report.why_facts
    assert desk.of(tenant_id="globex").value(5) == "Lisbon"


def test_the_tenant_is_the_snapshots_own_unless_another_is_named(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    desk.fact("Lisbon", 1)
    one = taken(desk, tmp_path / "one")
    report = restore_snapshot(empty.store, None, one)
    assert report.tenant_id == "acme"
    assert empty.value(5) == "Lisbon"


def test_an_agent_cannot_restore_a_whole_record(desk: Desk, empty: Desk, tmp_path: Path) -> None:
    desk.fact("Lisbon", 1)
    one = taken(desk, tmp_path / "one")
    with pytest.raises(Invalid, match="person"):
        restored(empty.of("support"), one)
    assert empty.newest == 0


def test_a_store_that_is_open_for_reading_is_left_alone(desk: Desk, tmp_path: Path) -> None:
    desk.fact("Lisbon", 1)
    one = taken(desk, tmp_path / "one")
    with open_store("memory:", create=True, read_only=True) as store, pytest.raises(ReadOnly):
        restore_snapshot(store, desk.scope, one)


def test_it_can_be_stopped_and_leaves_nothing(desk: Desk, empty: Desk, tmp_path: Path) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one")
    cancel = Cancel()
    with pytest.raises(Cancelled):
        restored(empty, one, cancel=cancel, progress=lambda _done, _total: cancel.cancel())
    assert empty.newest == 0
    with pytest.raises(Cancelled):
        restored(empty, one, cancel=cancel, is_proved=True)
    assert empty.newest == 0


# -- as facts -------------------------------------------------------------------------------------


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(step, min_size=4, max_size=STEPS + 6), is_multi=st.booleans())
def test_what_is_believed_reads_the_same_as_facts_but_for_what_is_named(
    steps: Steps, is_multi: bool
) -> None:
    with a_desk() as desk, a_desk("another seed") as other, TemporaryDirectory() as folder:
        play = Written(desk)
        if is_multi:
            desk.write(Register(attribute=Attribute(name="city", cardinality=Cardinality.MULTI)))
        for kind, *drawn in steps:
            play.play(kind, *drawn)
        one = taken(desk, Path(folder) / "one")
        other.fact("unrelated", 1, subject="nuno", episode="unrelated")
        report = restored(other, one, is_proved=True)
        assert not report.is_whole
        assert report.imported is not None
        assert (report.imported.conflicts, report.imported.skipped_count) == (0, 0)
        other.check()

        mine = Counter(_facts(desk))
        theirs = Counter(fact for fact in _facts(other) if fact[0] != "nuno")
        named = Counter(
            (it.subject, it.attribute, it.owner, it.value, it.valid_from, it.valid_to)
            for it in report.retold
        )
        missing = mine - theirs
        for fact in (missing + (theirs - mine)).elements():
            note(f"{'was' if fact in missing else 'is '} {fact}")
        assert Counter(fact[:-1] for fact in missing.elements()) == named
        assert report.retold_count == named.total()
        assert {fact[:4] for fact in theirs - mine} <= {fact[:4] for fact in missing}
        assert _at_each_instant(theirs) == _at_each_instant(mine)
        assert _sources(theirs) == _sources(mine), "no source is lost, and none made up"

        head = other.head
        again = restored(other, one, is_proved=True)
        assert other.head == head, "a second import finds everything known"
        assert again.imported is not None
        assert (again.imported.written, again.imported.corroborated) == (0, 0)


Told = tuple[str, str, str, str, int, int | None, frozenset[str]]


def _facts(desk: Desk) -> list[Told]:
    """Every fact believed now, at whatever time it holds, with the episodes that it rests on."""
    return [
        (
            f.subject,
            f.attribute,
            f.owner,
            canonical(f.value),
            to_micros(f.valid_from),
            None if f.valid_to is None else to_micros(f.valid_to),
            frozenset(link.episode_id for link in f.evidence),
        )
        for f in desk.history(FactQuery(history=True))
    ]


def _at_each_instant(facts: Iterable[Told]) -> list[tuple[Any, ...]]:
    """When each value is said, in whichever slot: periods that touch or overlap joined."""
    joined: list[tuple[Any, ...]] = []
    for *said, begins, ends, _ in sorted(facts, key=lambda fact: fact[:5]):
        last = joined[-1] if joined else None
        if last and last[0] == said and (last[2] is None or last[2] >= begins):
            longer = None if None in (last[2], ends) else max(last[2], ends)
            joined[-1] = (said, last[1], longer)
        else:
            joined.append((said, begins, ends))
    return joined


def _sources(facts: Iterable[Told]) -> set[tuple[Any, ...]]:
    return {(*fact[:4], episode_id) for fact in facts for episode_id in fact[-1]}


def _into_a_record(desk: Desk, other: Desk, folder: Path) -> RestoreReport:
    """Take what a desk has as facts into a record that has something else."""
    other.fact("unrelated", 1, subject="nuno")
    report = restored(other, taken(desk, folder / "one"))
    assert report.imported is not None
    assert (report.imported.conflicts, report.imported.skipped_count) == (0, 0)
    return report


def test_a_value_that_two_slots_say_is_told_once_and_waits_for_nobody(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    """A person decided that both ends hold; that is not asked again."""
    desk.fact("Lisbon", 1, 10, episode="e1")
    conflict = desk.contest("Lisbon", 1, 20, episode="e2")
    desk.settle(conflict.conflict_id, Resolution.BOTH)
    assert desk.line() == [(1, 10, "Lisbon"), (1, 20, "Lisbon")]
    report = _into_a_record(desk, empty, tmp_path)
    assert empty.line() == [(1, 20, "Lisbon")]
    assert {link.episode_id for link in empty.read(5)[0].evidence} >= {"e1", "e2"}
    assert [(it.valid_to, it.why) for it in report.retold] == [
        (to_micros(day(10)), Why.SLOTS),
        (to_micros(day(20)), Why.SLOTS),
    ]
    said = (
        '  mira · city "Lisbon" from 2026-01-02T00:00:00Z to 2026-01-11T00:00:00Z: several slots '
        "say its value at one time, and it is told once."
    )
    assert said in report.sentences()
    assert report.as_json()["retold_count"] == 2
    assert report.as_json()["retold"][0] == {
        "subject": "mira", "attribute": "city", "owner": "", "value": "Lisbon",
        "valid_from": "2026-01-02T00:00:00Z", "valid_to": "2026-01-11T00:00:00Z", "why": "slots",
    }  # fmt: skip


def test_two_proposals_with_different_ends_are_a_conflict_as_ever(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    """What the snapshot has decided says nothing of what the record has from others."""
    desk.fact("Lisbon", 1, 10)
    empty.fact("Lisbon", 1, 20)
    report = restored(empty, taken(desk, tmp_path / "one"))
    assert report.imported is not None
    assert report.imported.conflict_kinds == {"end": 1}


def test_a_fact_that_was_interrupted_and_ended_stays_one_with_its_sources(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    lisbon = desk.fact("Lisbon", 1, episode="e1")
    desk.confirm(lisbon, "e2")
    desk.fact("Porto", 10, 20)
    desk.end(lisbon, 30)
    report = _into_a_record(desk, empty, tmp_path)
    assert empty.line() == [(1, 10, "Lisbon"), (10, 20, "Porto"), (20, 30, "Lisbon")]
    assert [link.episode_id for link in empty.read(25)[0].evidence] == ["e1", "e2"]
    assert empty.read(5)[0].memory_id == empty.read(25)[0].memory_id
    assert report.retold == ()


def test_what_becomes_one_fact_or_several_is_named(desk: Desk, empty: Desk, tmp_path: Path) -> None:
    desk.fact("Lisbon", 1)
    porto = desk.fact("Porto", 5)
    desk.correct(porto, value="Lisbon")
    desk.fact("Lisbon", 1, attribute="seat")
    desk.fact("Lisbon", 9, attribute="seat")
    desk.fact("Porto", 5, attribute="seat")
    report = _into_a_record(desk, empty, tmp_path)
    assert empty.line() == [(1, None, "Lisbon")]
    assert empty.line(attribute="seat") == desk.line(attribute="seat")
    assert [(it.attribute, it.value, it.valid_from, it.why) for it in report.retold] == [
        ("city", '"Lisbon"', to_micros(day(1)), Why.JOINED),
        ("city", '"Lisbon"', to_micros(day(5)), Why.JOINED),
        ("seat", '"Lisbon"', to_micros(day(1)), Why.PARTED),
        ("seat", '"Lisbon"', to_micros(day(9)), Why.PARTED),
    ]


def test_a_value_ends_where_the_next_began_though_the_record_allows_many(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", 5)
    empty.write(Register(attribute=Attribute(name="city", cardinality=Cardinality.MULTI)))
    _into_a_record(desk, empty, tmp_path)
    assert empty.line() == desk.line() == [(1, 5, "Lisbon"), (5, None, "Porto")]


def test_into_a_record_that_parted_what_was_ended_in_both_is_no_conflict(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    home = desk.fact("home", 1)
    desk.fact("away", 3, 5)
    desk.end(home, 9)
    gone = desk.fact("gone", 1, attribute="seat")
    desk.retract(gone, gap=True)
    restored(empty, taken(desk, tmp_path / "one"))
    desk.fact("office", 20)
    empty.fact("Braga", 1, subject="nuno")
    report = restored(empty, taken(desk, tmp_path / "two"))
    assert report.imported is not None
    assert (report.is_own, report.imported.conflicts, report.imported.written) == (False, 0, 1)
    assert empty.line() == desk.line()


def test_a_life_comes_as_facts_into_a_record(desk: Desk, empty: Desk, tmp_path: Path) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one")
    empty.fact("old", 1, subject="someone else")
    report = restored(empty, one)
    assert not report.is_whole
    assert report.why_facts == "tenant acme has a record already."
    assert report.imported is not None
    assert report.imported.registered == ("tags",)
    registry = {entry.name: entry for entry in empty.store.attributes(empty.scope)}
    assert registry["tags"].cardinality is Cardinality.MULTI
    assert registry["tags"].sensitive
    assert report.imported.dropped == {}
    assert empty.read(5, attribute="tags")[0].retention_policy == "a year"
    mine = reads(desk.store, desk.scope)
    theirs = [f for f in reads(empty.store, empty.scope) if f[0][0] != "someone else"]
    assert theirs == mine
    lisbon = empty.read(5)[0]
    assert [(link.episode_id, link.span is not None) for link in lisbon.evidence] == [
        (lisbon.source_episode_id, True), ("e-more", True)
    ]  # fmt: skip
    assert report.conflicts_count == 1
    (conflict,) = report.conflicts
    assert (conflict.subject, conflict.attribute) == ("mira", "plan")
    assert (conflict.standing, conflict.incoming) == ('{"tier":3}', ('"gold"',))
    assert any("Open conflicts of the snapshot" in said for said in report.sentences())
    assert report.as_json()["open_conflicts"][0]["incoming"] == ["gold"]
    empty.check()


selections = st.builds(
    Selection,
    subject=st.sampled_from([None, "mira"]),
    attribute=st.sampled_from([None, "city", "city (work)"]),
    number=st.none() | st.integers(4, 20),
    window=st.sampled_from([None, (day(2), day(5))]),
)


@settings(max_examples=60)
@given(steps=st.lists(step, min_size=4, max_size=STEPS), selection=selections, more=st.lists(step))
def test_into_its_own_record_nothing_is_ever_new(
    steps: Steps, selection: Selection, more: Steps
) -> None:
    """Whatever the snapshot has of the record, and whatever the record did since."""
    with a_desk() as desk, a_desk("another seed") as other, TemporaryDirectory() as folder:
        play = Written(desk)
        for kind, *drawn in steps:
            play.play(kind, *drawn)
        if selection.number is not None:
            selection = replace(selection, number=min(selection.number, desk.newest))
        whole = taken(desk, Path(folder) / "whole")
        one = taken(desk, Path(folder) / "one", selection)
        restored(other, whole, is_proved=True)
        for kind, *drawn in more:
            play.play(kind, *drawn)
        for record in (desk, other):  # that it was taken of, and one with the same chain
            for dry_run in (True, False):
                _all_is_known(record, one, dry_run=dry_run)


def _all_is_known(desk: Desk, snapshot: Path, *, dry_run: bool) -> None:
    head, revision = desk.head, desk.store.revision()
    report = restored(desk, snapshot, dry_run=dry_run)
    assert (desk.head, desk.store.revision()) == (head, revision)
    assert (report.is_own, report.is_whole, report.dry_run) == (True, False, dry_run)
    it = report.imported
    assert it is not None
    assert it.read == it.known + it.episodes_known
    assert it.read >= len((snapshot / "episodes.jsonl").read_text().splitlines())
    assert it == ImportReport(
        kind="snapshot",
        source=str(snapshot),
        dry_run=dry_run,
        read=it.read,
        known=it.known,
        episodes_known=it.episodes_known,
    )


def test_what_was_taken_back_since_is_not_said_again_in_its_own_record(
    desk: Desk, tmp_path: Path
) -> None:
    """A claim whose last ending was a revert is new to the rules, but not to this record."""
    desk.fact("Lisbon", 1)
    one = taken(desk, tmp_path / "one")
    desk.revert(desk.newest)
    head = desk.head
    report = restored(desk, one)
    assert desk.head == head
    assert desk.line() == []
    assert report.why_facts == "tenant acme has this very record already."
    assert report.sentences() == (
        f"Nothing is new: tenant acme has this very record, for its chain goes through the "
        f"snapshot's head, {report.head}.",
        f"Read: 2 rows and lines of {one}.",
        "Episodes: 0 captured, 1 were known.",
        "Facts: 0 written, 1 were known, 0 corroborated, 0 queued as conflicts.",
    )
    assert report.as_json()["own_record"]


def test_a_record_that_parted_is_another_one(desk: Desk, empty: Desk, tmp_path: Path) -> None:
    desk.fact("Lisbon", 1)
    restored(empty, taken(desk, tmp_path / "one"))
    desk.fact("Porto", 5)
    empty.fact("Braga", 9)
    report = restored(empty, taken(desk, tmp_path / "two"))
    assert not report.is_own
    assert report.imported is not None
    assert report.imported.written == 1
    assert empty.line() == [(1, 5, "Lisbon"), (5, 9, "Porto"), (9, None, "Braga")]


def test_an_open_conflict_of_its_own_record_is_there_as_well(desk: Desk, tmp_path: Path) -> None:
    a_life(desk)
    report = restored(desk, taken(desk, tmp_path / "one"))
    said = "Open conflicts of the snapshot, which the record has as well: 1."
    assert said in report.sentences()


def test_what_was_ended_since_is_no_conflict_where_it_was_ended_too(
    desk: Desk, tmp_path: Path
) -> None:
    home = desk.fact("home", 1)
    desk.end(home, 9)
    desk.fact("office", 20)
    one = taken(desk, tmp_path / "one")
    with a_desk("another seed") as other:
        other.fact("something", 1, subject="nuno")
        restored(other, one)
        assert other.line() == [(1, 9, "home"), (20, None, "office")]


def test_a_filtered_one_comes_as_facts_even_into_nothing(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one", Selection(attribute="plan"))
    with pytest.raises(Unsupported, match="filtered"), open_history(one):
        pass
    report = restored(empty, one)
    assert "filtered" in report.why_facts
    assert {f[0][1] for f in reads(empty.store, empty.scope)} == {"plan"}


@pytest.mark.parametrize("withhold", [Withhold.CONTENT, Withhold.VALUES])
def test_a_withheld_one_is_refused(
    desk: Desk, empty: Desk, tmp_path: Path, withhold: Withhold
) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one", Selection(withhold=withhold))
    with pytest.raises(Unsupported, match="withheld"):
        restored(empty, one)
    with pytest.raises(Unsupported, match="withheld"), open_history(one):
        pass
    assert empty.newest == 0


def test_an_episode_that_says_something_else_there_is_left_out_and_named(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    desk.fact("Lisbon", 1, episode="e1")
    one = taken(desk, tmp_path / "one")
    empty.episode("e1", "Quite another thing.")
    report = restored(empty, one)
    assert report.imported is not None
    assert report.imported.skipped_count == 1
    assert str(report.imported.skipped[0]).startswith("episodes.jsonl, line 1: ")


# -- what is wrong --------------------------------------------------------------------------------


def test_a_tampered_one_is_refused_and_nothing_is_written(
    desk: Desk, empty: Desk, tmp_path: Path
) -> None:
    a_life(desk)
    one = taken(desk, tmp_path / "one")
    versions = one / "versions.jsonl"
    versions.write_text(versions.read_text().replace("Lisbon", "London"))
    with pytest.raises(Corrupt, match=r"versions\.jsonl") as caught:
        restored(empty, one)
    assert str(caught.value).endswith("Nothing was written.")
    assert "\n" not in str(caught.value)
    assert empty.newest == 0


def test_a_line_that_cannot_be_read_is_named(desk: Desk, tmp_path: Path) -> None:
    desk.fact("Lisbon", 1)
    desk.fact("Porto", 2)
    one = taken(desk, tmp_path / "one")
    versions = one / "versions.jsonl"
    good = versions.read_text()
    for bad, said in (
        (good.replace('"fact"', '"rumour"'), "line 1: kind is none of the words"),
        (good.removesuffix("\n"), "line 2: it does not end"),
        (good.replace("Porto", "\udcff"), "line 2: it is not UTF-8"),
        ("{\n" + good, "line 1: it is not JSON"),
    ):
        versions.write_bytes(bad.encode("utf-8", "surrogateescape"))
        with (
            pytest.raises(Corrupt, match=rf"^versions\.jsonl, {said}"),
            open_snapshot(one) as snapshot,
        ):
            list(snapshot.rows())
    versions.unlink()
    with pytest.raises(Corrupt), open_snapshot(one) as snapshot:
        list(snapshot.rows())


def test_what_is_no_snapshot_is_a_sentence(empty: Desk, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "letter").write_text("Dear Mira")
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as photos:
        photos.writestr("../../etc/passwd", "x")
    for name in ("none", "folder", "letter", "photos.zip"):
        with pytest.raises(Exception, match=r"^[^\n]*\.$") as caught:
            restored(empty, tmp_path / name)
        assert name in str(caught.value)
    assert empty.newest == 0
    shutil.rmtree(tmp_path / "folder")
