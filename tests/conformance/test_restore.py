"""A whole record taken over: the same words, the same reads, and the same life from then on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import (
    AsOf,
    Cancel,
    Cancelled,
    ConflictState,
    Corrupt,
    Invalid,
    NotFound,
    ReadOnly,
    Refused,
    Scope,
    Store,
    open_store,
)
from store.entry import (
    FIRST_DIGEST,
    ConflictCase,
    ConflictEvent,
    EventKind,
    attribute_digest,
    conflict_digest,
    episode_digest,
    event_digest,
    evidence_digest,
    row_digest,
    transaction_digest,
)
from store.history import Sealed
from store.ledger import Row
from store.model import Resolution, RowKind, WriteKind
from store.query import EpisodeQuery
from store.temporal import from_micros
from tests.conformance.played import STEPS, Played, step
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day
from tests.conformance.told import Retold, Told, populate, telling


def reads(desk: Desk) -> dict[str, Any]:
    """What every read of the contract gives."""
    store, scope = desk.store, desk.scope
    versions = store.versions(scope)
    facts = sorted({v.memory_id for v in versions if v.memory_id})
    episodes = store.episodes(scope, EpisodeQuery()).items
    numbers = range(1, desk.newest + 1)
    return {
        "everything": [desk.everything(number) for number in numbers],
        "facts": [store.fact(scope, memory_id) for memory_id in facts],
        "evidence": [store.evidence(scope, memory_id) for memory_id in facts],
        "versions": versions,
        "episodes": episodes,
        "from": [store.facts_from(scope, e.episode_id) for e in episodes],
        "conflicts": store.conflicts(scope, None).items,
        "transactions": store.transactions(scope).items,
        "details": [store.transaction(scope, number) for number in numbers],
        "attributes": store.attributes(scope),
        "search": [store.search(scope, text) for text in ("lisb", "it was", "tea", "x")],
        "suggest": store.suggest(scope, "i"),
        "summary": [store.summary(scope), store.summary(scope, AsOf(day(12)))],
        "changes": [store.changes_since(scope, number) for number in numbers],
        "head": store.head(scope),
        "density": store.density(scope),
    }


@pytest.fixture(params=["memory", "sqlite"])
def elsewhere(request: pytest.FixtureRequest, stores_folder: Path) -> Iterator[Store]:
    """An empty store of each of our own kinds."""
    address = "memory:" if request.param == "memory" else str(stores_folder / "elsewhere.db")
    with open_store(
        address, create=True, clock=Clock(day(LATER)), entropy=Entropy("elsewhere")
    ) as store:
        yield store


def taken_over(desk: Desk, store: Store) -> Desk:
    with desk.store.history(desk.scope) as history:
        head = store.restore(desk.scope, history)
    assert head == desk.head
    other = Desk(store, desk.clock)
    other.check()
    return other


def test_a_record_taken_over_is_the_same_in_every_read(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    other = taken_over(desk, elsewhere)
    assert telling(other) == telling(desk)
    assert reads(other) == reads(desk)
    assert elsewhere.store_id != desk.store.store_id
    with elsewhere.history(desk.scope) as history:
        assert history.store_id == desk.store.store_id, "the chain began there"


def test_a_record_is_the_same_after_many_hands(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    other = taken_over(desk, elsewhere)
    with open_store("memory:") as third:
        assert telling(taken_over(other, third)) == telling(desk)


def test_a_past_state_can_be_taken_over(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    number = desk.newest // 2
    with desk.store.history(desk.scope, number) as history:
        elsewhere.restore(desk.scope, history)
    other = Desk(elsewhere, desk.clock)
    other.check()
    assert telling(other) == telling(desk, number)
    assert other.newest == number


def test_what_is_written_afterwards_is_the_same_in_both(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    other = taken_over(desk, elsewhere)
    for each in (desk, other):
        each.store._entropy = Entropy("from now on")  # type: ignore[attr-defined]
        each.store._clock = each.clock  # type: ignore[attr-defined]
        each.spoken[0] = 1000
        each.clock.now = day(LATER + 1)
        lives = each.fact("Sintra", 200)
        each.confirm(lives, "seen in Sintra")
        conflict = each.contest("Cascais", 200)
        each.settle(conflict.conflict_id, Resolution.INCOMING)
        each.revert(each.newest)
        each.fact("soup", 4, attribute="likes")
        waiting = each.store.conflicts(each.scope, ConflictState.OPEN).items
        each.settle(waiting[0].conflict_id, Resolution.STANDING)
        each.say("Lisboa", 1)
        each.retract(lives)
    assert other.head == desk.head
    assert telling(other) == telling(desk)


def test_several_records_live_side_by_side(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    globex = desk.of(tenant_id="globex")
    globex.fact("A", 1)
    globex.contest("B", 1)
    with desk.store.history(globex.scope) as history:
        elsewhere.restore(globex.scope, history)
    other = taken_over(desk, elsewhere)
    assert telling(other) == telling(desk)
    assert telling(other.of(tenant_id="globex")) == telling(globex)
    assert elsewhere.check(full=True).findings == ()


def test_a_tenant_with_a_record_is_left_alone(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    other = Desk(elsewhere, desk.clock)
    other.fact("mine", 1)
    before = telling(other)
    with (
        desk.store.history(desk.scope) as history,
        pytest.raises(Refused, match="acme has a record"),
    ):
        elsewhere.restore(desk.scope, history)
    assert telling(other) == before


def test_only_a_person_takes_over_and_only_their_tenant(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    with desk.store.history(desk.scope) as history:
        for scope in (Scope("acme", "support"), Scope("globex")):
            with pytest.raises(Invalid):
                elsewhere.restore(scope, history)
        assert elsewhere.tenants() == ()


def test_a_store_open_for_reading_takes_nothing_over(
    desk: Desk, make_store: Callable[..., Store]
) -> None:
    populate(desk)
    make_store("shut")
    reader = make_store("shut", create=False, read_only=True)
    with desk.store.history(desk.scope) as history, pytest.raises(ReadOnly):
        reader.restore(desk.scope, history)


def test_it_says_how_far_it_is_and_can_be_stopped(desk: Desk, elsewhere: Store) -> None:
    populate(desk)
    said: list[int] = []
    cancel = Cancel()

    def heard(done: int, _total: int | None) -> None:
        said.append(done)
        cancel.cancel()

    with desk.store.history(desk.scope) as history:
        with pytest.raises(Cancelled):
            elsewhere.restore(desk.scope, history, progress=heard, cancel=cancel)
        assert elsewhere.tenants() == ()
        elsewhere.restore(desk.scope, history, progress=lambda done, _: said.append(done))
    rows, episodes = (len(telling(desk)[section]) for section in ("rows", "episodes"))
    assert said[-1] == rows + episodes


@pytest.fixture
def examples() -> list[None]:
    """Counts the examples of a test: each has a store of its own."""
    return []


@settings(
    max_examples=10,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(step, min_size=4, max_size=STEPS))
def test_random_histories_are_taken_over_whole(
    make_store: Callable[..., Store],
    stores_folder: Path,
    examples: list[None],
    steps: list[tuple[str, int, int, int, int]],
) -> None:
    clock = Clock(day(LATER))
    examples.append(None)
    name = f"example {len(examples)}"
    with make_store(name, clock=clock) as store:
        played = Played(Desk(store, clock))
        for kind, *drawn in steps:
            played.play(kind, *drawn)
        desk = played.desk
        was = telling(desk)
        for address in ("memory:", str(stores_folder / f"{name}.db")):
            with open_store(address, create=True, clock=clock) as other:
                there = taken_over(desk, other)
                assert telling(there) == was
                assert reads(there) == reads(desk)
                playing_on = Played(there)
                for kind, *drawn in steps[:3]:
                    playing_on.play(kind, *drawn)
                there.check()


# -- what must not get in -------------------------------------------------------------------------


def sealed_again(said: Told) -> Told:
    """Compute the chain anew, as one would who forges a record."""
    by_number: dict[int, list[str]] = {}

    def enter(number: int | None, sign: str, digest: str) -> None:
        if number is not None:
            by_number.setdefault(number, []).append(sign + digest)

    for section, digest_of in (
        ("attributes", attribute_digest),
        ("rows", row_digest),
        ("evidence", evidence_digest),
    ):
        for entry in said[section]:
            enter(entry.tx_from, "+", digest_of(entry))
            enter(entry.tx_to, "-", digest_of(entry))
    for episode in said["episodes"]:
        enter(episode.tx_from, "+", episode_digest(episode))
    for case in said["conflicts"]:
        enter(case.events[0].tx_from, "+", conflict_digest(case.entry))
        for event in case.events:
            enter(event.tx_from, "+", event_digest(event))
    previous, total, sealed = FIRST_DIGEST, 0, []
    for one in said["transactions"]:
        header = one.header._replace(previous=previous)
        entries = by_number.get(header.number, [])
        previous = transaction_digest(header, entries)
        total += len(entries)
        sealed.append(Sealed(header, previous, len(entries), total))
    head = said["who"][3].model_copy(update={"digest": previous, "entries": total})
    return {**said, "transactions": sealed, "who": [*said["who"][:3], head]}


Forgery = Callable[[Told], None]
forgeries: dict[str, Forgery] = {}


def forgery(forge: Forgery) -> Forgery:
    forgeries[forge.__name__] = forge
    return forge


def change(said: Told, section: str, which: Callable[[Any], bool], **more: Any) -> None:
    """Change the first entry of which something holds."""
    entries = said[section]
    at = next(i for i, entry in enumerate(entries) if which(entry))
    entries[at] = replace(entries[at], **more)


def content(said: Told, **more: Any) -> None:
    rows = said["rows"]
    at = next(i for i, r in enumerate(rows) if r.content and r.content.value and r.tx_to is None)
    rows[at] = replace(rows[at], content=replace(rows[at].content, **more))


def header(said: Told, at: int = 0, **more: Any) -> None:
    one = said["transactions"][at]
    said["transactions"][at] = one._replace(header=one.header._replace(**more))


def a_fact(row: Row) -> bool:
    return row.kind is RowKind.FACT and row.tx_to is None and row.until is None


@forgery
def a_value_that_is_no_canonical_json(said: Told) -> None:
    content(said, value='{"b": 1, "a": 2}')


@forgery
def a_value_that_is_no_json(said: Told) -> None:
    content(said, value="NaN")


@forgery
def a_value_that_is_nested_too_deep(said: Told) -> None:
    content(said, value="[" * 101 + "]" * 101)


@forgery
def a_confidence_above_one(said: Told) -> None:
    content(said, confidence=1.5)


@forgery
def a_confidence_of_minus_nothing(said: Told) -> None:
    content(said, confidence=-0.0)


@forgery
def a_name_with_a_control_character(said: Told) -> None:
    content(said, agent_id="a\x07gent")


@forgery
def a_subject_that_is_not_trimmed(said: Told) -> None:
    rows = said["rows"]
    rows[-1] = replace(rows[-1], key=rows[-1].key._replace(subject="zoe "))


@forgery
def a_row_of_another_tenant(said: Told) -> None:
    rows = said["rows"]
    rows[0] = replace(rows[0], key=rows[0].key._replace(tenant_id="globex"))


@forgery
def a_source_that_is_missing(said: Told) -> None:
    content(said, episode_id="nobody said it")


@forgery
def a_source_of_later(said: Told) -> None:
    content(said, episode_id="row 1")


@forgery
def a_span_beyond_the_end(said: Told) -> None:
    content(said, span=(0, 10**6))


@forgery
def a_beginning_that_is_no_integer(said: Told) -> None:
    change(said, "rows", a_fact, valid_from=5.0)


@forgery
def a_beginning_before_all_years(said: Told) -> None:
    change(said, "rows", a_fact, valid_from=-(10**18))


@forgery
def an_end_before_the_beginning(said: Told) -> None:
    change(said, "rows", a_fact, until=-1)


@forgery
def a_derived_row_that_is_missing(said: Told) -> None:
    said["rows"] = [row for row in said["rows"] if row.kind is not RowKind.RESUME]


@forgery
def a_derived_row_too_many(said: Told) -> None:
    rows = said["rows"]
    row = rows[0]
    rows.insert(1, replace(row, valid_from=row.valid_from + 1, kind=RowKind.GAP, content=None))


@forgery
def a_derived_row_that_came_too_late(said: Told) -> None:
    """Right at the end, wrong between: every state counts."""
    rows = said["rows"]
    at = next(i for i, row in enumerate(rows) if row.kind is RowKind.RESUME)
    rows[at] = replace(rows[at], tx_from=rows[at].tx_from + 1)


@forgery
def two_live_rows_at_one_instant(said: Told) -> None:
    rows = said["rows"]
    at = next(i for i, row in enumerate(rows) if a_fact(row))
    rows.insert(at + 1, replace(rows[at], tx_from=rows[at].tx_from + 1))


@forgery
def two_live_rows_at_one_instant_for_a_while(said: Told) -> None:
    rows = said["rows"]
    at = next(i for i, row in enumerate(rows) if row.tx_to is not None)
    rows[at] = replace(rows[at], tx_to=rows[at].tx_to + 1)


@forgery
def a_belief_that_ends_after_the_last_transaction(said: Told) -> None:
    change(said, "rows", lambda row: row.tx_to is not None, tx_to=10**6)


@forgery
def a_belief_that_ends_before_it_begins(said: Told) -> None:
    change(said, "rows", lambda row: row.tx_to is not None, tx_to=1)


@forgery
def rows_out_of_order(said: Told) -> None:
    said["rows"].reverse()


@forgery
def a_fact_on_two_keys(said: Told) -> None:
    rows = said["rows"]
    facts = [i for i, row in enumerate(rows) if a_fact(row)]
    stolen = rows[facts[0]].content.memory_id
    rows[facts[-1]] = replace(
        rows[facts[-1]], content=replace(rows[facts[-1]].content, memory_id=stolen)
    )


@forgery
def a_displaced_fact_that_never_was(said: Told) -> None:
    content(said, supersedes="018f0000-0000-7000-8000-000000000000")


@forgery
def a_link_to_no_row(said: Told) -> None:
    change(said, "evidence", lambda _: True, memory_id="018f0000-0000-7000-8000-000000000000")


@forgery
def a_link_on_a_key_without_rows(said: Told) -> None:
    link = said["evidence"][-1]
    said["evidence"].append(replace(link, key=link.key._replace(subject="zzz")))


@forgery
def a_link_to_no_episode(said: Told) -> None:
    change(said, "evidence", lambda _: True, episode_id="nobody said it")


@forgery
def an_episode_without_a_name(said: Told) -> None:
    draft = said["episodes"][-1].draft.model_copy(update={"episode_id": ""})
    change(said, "episodes", lambda e: e is said["episodes"][-1], draft=draft)


@forgery
def an_episode_twice(said: Told) -> None:
    first, last = said["episodes"][0], said["episodes"][-1]
    said["episodes"].append(replace(first, tx_from=last.tx_from + 1))


@forgery
def an_attribute_that_is_not_registered(said: Told) -> None:
    said["attributes"] = [a for a in said["attributes"] if a.attribute.name != "city"]


@forgery
def an_attribute_registered_too_late(said: Told) -> None:
    change(said, "attributes", lambda a: a.attribute.name == "city", tx_from=30)


@forgery
def an_attribute_in_force_twice(said: Told) -> None:
    entries = said["attributes"]
    entries.insert(1, replace(entries[0], tx_from=entries[0].tx_from + 1))


@forgery
def a_slot_on_an_attribute_with_one_value(said: Told) -> None:
    rows = said["rows"]
    at = next(i for i, row in enumerate(rows) if row.key.subject == "zoe")
    for i in range(at, len(rows)):
        rows[i] = replace(rows[i], key=rows[i].key._replace(slot="0" * 24))


@forgery
def a_conflict_about_nothing(said: Told) -> None:
    case = said["conflicts"][0]
    standing = replace(case.entry.standing, valid_from=case.entry.standing.valid_from + 1)
    change(said, "conflicts", lambda _: True, entry=replace(case.entry, standing=standing))


@forgery
def a_conflict_whose_claim_has_no_source(said: Told) -> None:
    case: ConflictCase = said["conflicts"][0]
    claim = case.events[0].claim
    assert claim is not None
    assert claim.row.content is not None
    said_by_nobody = replace(claim.row.content, episode_id="nobody said it")
    event = replace(
        case.events[0], claim=replace(claim, row=replace(claim.row, content=said_by_nobody))
    )
    change(said, "conflicts", lambda _: True, events=(event, *case.events[1:]))


@forgery
def a_conflict_that_was_never_raised(said: Told) -> None:
    case = said["conflicts"][0]
    event = replace(case.events[0], kind=EventKind.JOINED)
    change(said, "conflicts", lambda _: True, events=(event, *case.events[1:]))


@forgery
def an_open_conflict_without_its_standing_claim(said: Told) -> None:
    """The standing row is ended without a word about the conflict."""
    rows = said["rows"]
    standing = next(
        case.entry.standing
        for case in said["conflicts"]
        if case.state is ConflictState.OPEN and len(case.events) == 1
    )
    at = rows.index(standing)
    rows[at] = replace(standing, tx_to=said["who"][3].number)


@forgery
def a_salt_that_is_too_short(said: Told) -> None:
    change(said, "rows", a_fact, secret=b"short")


@forgery
def a_transaction_without_entries(said: Told) -> None:
    last = said["transactions"][-1]
    number, then = last.header.number + 1, last.header.recorded_at + 1
    said["transactions"].append(last)
    header(said, -1, number=number, recorded_at=then, reverts=None, kind=WriteKind.CAPTURE)
    recorded_at = from_micros(then)
    update = {"number": number, "recorded_at": recorded_at}
    said["who"][3] = said["who"][3].model_copy(update=update)


@forgery
def a_time_that_goes_back(said: Told) -> None:
    header(said, 1, recorded_at=said["transactions"][0].header.recorded_at)


@forgery
def a_revert_of_what_comes_later(said: Told) -> None:
    at = next(i for i, one in enumerate(said["transactions"]) if one.header.reverts)
    header(said, at, reverts=10**6)


@forgery
def an_actor_that_is_no_name(said: Told) -> None:
    header(said, actor="\n")


@forgery
def a_tenant_without_a_slot_secret(said: Told) -> None:
    said["who"][2] = b""


@pytest.mark.parametrize("name", sorted(forgeries))
def test_a_forged_record_does_not_get_in(store: Store, name: str) -> None:
    said = original()
    forgeries[name](said)
    forged = sealed_again(said)
    with pytest.raises(Corrupt, match=r"cannot be taken over: .+ Nothing was kept\.$"):
        store.restore(Scope("acme"), Retold(forged))
    assert store.tenants() == ()
    with pytest.raises(NotFound), store.history(Scope("acme")):
        raise AssertionError("nothing was kept")
    whole = Retold(original())
    assert store.restore(Scope("acme"), whole) == whole.head, "the store is as it was"


def original() -> Told:
    return {section: list(entries) for section, entries in _original().items()}


@cache
def _original() -> Told:
    clock = Clock(day(LATER))
    with open_store("memory:", clock=clock, entropy=Entropy("original")) as store:
        desk = Desk(store, clock)
        populate(desk)
        return telling(desk)


def test_the_forger_changes_nothing_by_computing_anew() -> None:
    assert sealed_again(original()) == original()


def renamed(said: Told, tenant_id: str) -> Told:
    """The same record, said to be another tenant's: no digest has the name of the tenant."""

    def moved(row: Row) -> Row:
        return replace(row, key=row.key._replace(tenant_id=tenant_id))

    def moved_event(event: ConflictEvent) -> ConflictEvent:
        claim = event.claim
        if claim is None:
            return event
        return replace(event, claim=replace(claim, row=moved(claim.row)))

    def moved_case(case: ConflictCase) -> ConflictCase:
        standing = moved(case.entry.standing)
        entry = replace(case.entry, key=standing.key, standing=standing)
        return ConflictCase(entry, tuple(map(moved_event, case.events)))

    store_id, _, secret, head = said["who"]
    links = said["evidence"]
    return {
        **said,
        "who": [store_id, tenant_id, secret, head.model_copy(update={"tenant_id": tenant_id})],
        "rows": list(map(moved, said["rows"])),
        "evidence": [replace(e, key=e.key._replace(tenant_id=tenant_id)) for e in links],
        "conflicts": list(map(moved_case, said["conflicts"])),
    }


@pytest.mark.parametrize("section", ["conflicts", "rows"])
def test_what_the_store_has_of_another_tenant_does_not_get_in_again(
    store: Store, section: str
) -> None:
    """Ids name facts and conflicts in the whole store."""
    said = original()
    store.restore(Scope("acme"), Retold(said))
    again = renamed(said, "globex")
    if section == "rows":
        again = sealed_again({**again, "conflicts": []})
    with pytest.raises(Corrupt, match="Nothing was kept"):
        store.restore(Scope("globex"), Retold(again))
    assert [tenant.tenant_id for tenant in store.tenants()] == ["acme"]


def test_a_record_can_be_told_of_another_tenant(store: Store) -> None:
    """What is refused above is refused for its ids only."""
    said = renamed(original(), "globex")
    assert store.restore(Scope("globex"), Retold(said)) == said["who"][3]


TAMPERINGS: dict[str, Callable[[Told], None]] = {
    "an edited value": lambda said: content(said, value='"Paris"'),
    "an edited time": lambda said: change(said, "rows", a_fact, valid_from=12345),
    "a removed row": lambda said: said["rows"].pop(),
    "a removed episode": lambda said: said["episodes"].pop(),
    "a removed transaction": lambda said: said["transactions"].pop(1),
    "a cut tail": lambda said: said["transactions"].pop(),
    "an edited reason": lambda said: header(said, reason="x"),
}


@pytest.mark.parametrize("name", sorted(TAMPERINGS))
def test_what_was_changed_without_the_chain_does_not_get_in(store: Store, name: str) -> None:
    said = original()
    TAMPERINGS[name](said)
    with pytest.raises(Corrupt, match="Nothing was kept"):
        store.restore(Scope("acme"), Retold(said))
    assert store.tenants() == ()


def test_a_record_that_claims_more_than_it_has_costs_nothing(store: Store) -> None:
    said = original()
    last = said["transactions"][-1]
    said["transactions"][-1] = last._replace(entries=last.entries + 10**9, total=last.total + 10**9)
    said["who"][3] = said["who"][3].model_copy(update={"entries": last.total + 10**9})
    with pytest.raises(Corrupt, match=r"fewer entries|no room"):
        store.restore(Scope("acme"), Retold(said))
    said["transactions"][-1] = last._replace(entries=10**30, total=10**30)
    with pytest.raises(Corrupt, match="Nothing was kept"):
        store.restore(Scope("acme"), Retold(said))
