"""Digests: everything counts, identifying content only through salted commitments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from store.entry import (
    FIRST_DIGEST,
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    ConflictEntry,
    ConflictEvent,
    Entries,
    EpisodeEntry,
    EventKind,
    EvidenceEntry,
    TransactionHeader,
    attribute_digest,
    commitment,
    conflict_digest,
    episode_digest,
    event_digest,
    evidence_digest,
    row_digest,
    transaction_digest,
)
from store.ledger import Content, Key, Row
from store.model import (
    Attribute,
    Cardinality,
    ConflictKind,
    ConflictState,
    EpisodeDraft,
    EpisodeKind,
    Resolution,
    RowKind,
    WriteKind,
)
from store.temporal import Basis, Precision

AT = datetime(2026, 1, 1, tzinfo=UTC)
KEY = Key("acme", "alice", "mira", "city", "s1")
CONTENT = Content("m1", '"Lisbon"', "e1", "alice", (0, 3), 0.5, "m0", 2, "keep")
ROW = Row(KEY, 10, RowKind.FACT, CONTENT, 20, (CONTENT, 15), 3, None, b"secret")
EPISODE = EpisodeEntry(
    EpisodeDraft(
        episode_id="e1",
        kind=EpisodeKind.MESSAGE,
        content="said",
        occurred_at=AT,
        session_id="s",
        metadata={"a": 1},
    ),
    "alice",
    3,
    b"secret",
)
LINK = EvidenceEntry(KEY, "m1", 10, "e1", (0, 3), 3, 4)
CONFLICT = ConflictEntry("c1", KEY, ConflictKind.VALUE, 10, 20, ROW)
EVENT = ConflictEvent(
    "c1",
    EventKind.SETTLED,
    ClaimEntry("k1", ROW),
    Resolution.STANDING,
    "k1",
    "alice",
    "because",
    5,
    b"secret",
)
ENTRY = AttributeEntry(Attribute(name="city"), 3)
HEADER = TransactionHeader(
    3, 1_000, WriteKind.CHANGE, "alice", "tests", "because", b"secret", FIRST_DIGEST, None
)

OTHER: dict[str, Any] = {
    "kind": RowKind.END,
    "valid_from": 11,
    "until": 21,
    "over": None,
    "tx_from": 9,
    "secret": b"other",
}


def _others(thing: Any, changes: dict[str, Any]) -> list[tuple[str, Any]]:
    return [(name, replace(thing, **{name: value})) for name, value in changes.items()]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *_others(ROW, OTHER),
        *[
            (f"content.{n}", replace(ROW, content=c))
            for n, c in _others(
                CONTENT,
                {
                    "memory_id": "m2",
                    "value": '"Porto"',
                    "episode_id": "e2",
                    "agent_id": "bob",
                    "span": (0, 4),
                    "confidence": 0.25,
                    "supersedes": None,
                    "schema_version": 1,
                    "retention_policy": "year",
                    "basis": Basis.ASSUMED,
                    "precision": Precision.DAY,
                    "stated_as": "then",
                },
            )
        ],
        *[
            (f"key.{n}", replace(ROW, key=KEY._replace(**{n: "x"})))
            for n in ("owner", "subject", "attribute", "slot")
        ],
        ("over.until", replace(ROW, over=(CONTENT, None))),
        ("over.value", replace(ROW, over=(replace(CONTENT, value=None), 15))),
        ("no content", replace(ROW, content=None)),
    ],
)
def test_every_field_of_a_row_counts(name: str, other: Row) -> None:
    assert row_digest(other) != row_digest(ROW), name


def test_the_fields_that_are_tried_are_all_there_are() -> None:
    assert is_dataclass(Row)
    assert {f.name for f in fields(Row)} == {*OTHER, "key", "content", "tx_to"}
    assert len(fields(Content)) == 12


def test_that_a_row_ended_later_does_not_change_its_digest() -> None:
    assert row_digest(replace(ROW, tx_to=9)) == row_digest(ROW)


def test_a_row_and_its_neighbours_in_text_are_told_apart() -> None:
    """No two different rows give one text to be digested."""
    one = replace(ROW, key=KEY._replace(subject='a","b', attribute="c"))
    other = replace(ROW, key=KEY._replace(subject="a", attribute='b","c'))
    assert row_digest(one) != row_digest(other)
    said = replace(ROW, content=replace(CONTENT, agent_id='x",null,"y', value='"z"'))
    again = replace(ROW, content=replace(CONTENT, agent_id="x", value='null,"y","z"'))
    assert row_digest(said) != row_digest(again)


def _episode(**draft: Any) -> EpisodeEntry:
    return replace(EPISODE, draft=EPISODE.draft.model_copy(update=draft))


@pytest.mark.parametrize(
    "other",
    [
        _episode(episode_id="e2"),
        _episode(kind=EpisodeKind.FILE),
        _episode(content="unsaid"),
        _episode(occurred_at=AT + timedelta(microseconds=1)),
        _episode(session_id=None),
        _episode(metadata={}),
        replace(EPISODE, agent_id="bob"),
        replace(EPISODE, tx_from=4),
        replace(EPISODE, secret=b"other"),
    ],
)
def test_every_field_of_an_episode_counts(other: EpisodeEntry) -> None:
    assert episode_digest(other) != episode_digest(EPISODE)


def test_an_instant_counts_not_how_it_was_written() -> None:
    local = AT.astimezone(timezone(timedelta(hours=2)))
    assert episode_digest(_episode(occurred_at=local)) == episode_digest(EPISODE)


@pytest.mark.parametrize(
    ("digest", "thing", "changes"),
    [
        (
            evidence_digest,
            LINK,
            {
                "memory_id": "m2",
                "valid_from": 11,
                "episode_id": "e2",
                "span": None,
                "row_tx": 2,
                "tx_from": 5,
            },
        ),
        (
            conflict_digest,
            CONFLICT,
            {
                "conflict_id": "c2",
                "kind": ConflictKind.END,
                "contested_from": 11,
                "contested_to": None,
                "standing": replace(ROW, valid_from=11),
            },
        ),
        (
            event_digest,
            EVENT,
            {
                "conflict_id": "c2",
                "kind": EventKind.JOINED,
                "claim": ClaimEntry("k2", ROW),
                "resolution": None,
                "claim_id": None,
                "actor": "bob",
                "reason": "",
                "tx_from": 6,
                "secret": b"other",
            },
        ),
        (
            attribute_digest,
            ENTRY,
            {
                "attribute": Attribute(name="city", cardinality=Cardinality.MULTI),
                "tx_from": 4,
            },
        ),
    ],
    ids=["evidence", "conflict", "event", "attribute"],
)
def test_every_field_of_the_other_entries_counts(
    digest: Callable[[Any], str], thing: Any, changes: dict[str, Any]
) -> None:
    digests = {digest(other) for _, other in _others(thing, changes)}
    assert digest(thing) not in digests
    assert len(digests) == len(changes)


def test_every_field_of_a_claim_that_waits_counts() -> None:
    row = replace(ROW, content=replace(CONTENT, value='"Porto"'))
    other = replace(EVENT, claim=ClaimEntry("k1", row))
    assert event_digest(other) != event_digest(EVENT)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("sensitive", True),
        ("memory_type", "x"),
        ("retention_policy", "x"),
        ("schema_version", 2),
        ("name", "x"),
    ],
)
def test_every_field_of_an_attribute_counts(field: str, value: Any) -> None:
    other = replace(ENTRY, attribute=ENTRY.attribute.model_copy(update={field: value}))
    assert attribute_digest(other) != attribute_digest(ENTRY)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", 4),
        ("recorded_at", 1_001),
        ("kind", WriteKind.REVERT),
        ("actor", "bob"),
        ("tool", "other"),
        ("reason", None),
        ("secret", b"other"),
        ("previous", "1" * 64),
        ("reverts", 2),
    ],
)
def test_every_field_of_a_transaction_counts(field: str, value: Any) -> None:
    entries = ["+a", "-b"]
    other = HEADER._replace(**{field: value})
    assert transaction_digest(other, entries) != transaction_digest(HEADER, entries)


def test_the_entries_of_a_transaction_count_and_their_order_does_not() -> None:
    digests = [
        transaction_digest(HEADER, entries)
        for entries in ([], ["+a"], ["-a"], ["+a", "+b"], ["+ab"], ["+a", "-a"], ["+a", "+a"])
    ]
    assert len(set(digests)) == len(digests)
    assert transaction_digest(HEADER, ["+b", "+a"]) == transaction_digest(HEADER, ["+a", "+b"])


def test_the_digest_of_a_list_of_entries_covers_every_kind() -> None:
    whole = Entries([EPISODE], [ENTRY], [ENTRY], [ROW], [ROW], [LINK], [LINK], [CONFLICT], [EVENT])
    assert len(whole) == 9 == len(list(whole.digests()))
    signs = [digest[0] for digest in whole.digests()]
    assert (signs.count("+"), signs.count("-")) == (6, 3)
    assert not Entries()


@pytest.mark.parametrize("thing", [ROW, EPISODE, EVENT, HEADER], ids=lambda t: type(t).__name__)
def test_without_the_secret_a_digest_tells_nothing(thing: Any) -> None:
    """The same content under another secret gives another digest: nothing can be guessed."""
    digest: dict[type, Callable[[Any], str]] = {
        Row: row_digest,
        EpisodeEntry: episode_digest,
        ConflictEvent: event_digest,
        TransactionHeader: lambda header: transaction_digest(header, []),
    }
    of = digest[type(thing)]
    change = thing._replace if isinstance(thing, TransactionHeader) else None
    other = change(secret=b"x") if change else replace(thing, secret=b"x")
    assert of(other) != of(thing)


def test_a_commitment_depends_on_secret_tag_and_content() -> None:
    found = {
        commitment(secret, tag, content)
        for secret in (b"a", b"b")
        for tag in ("key", "value")
        for content in ("1", "2")
    }
    assert len(found) == 8


def test_the_rule_of_the_digests_is_pinned() -> None:
    """Chains that exist must verify for ever: these digests may only change with a new rule."""
    pinned = (
        row_digest(ROW)[:16],
        episode_digest(EPISODE)[:16],
        evidence_digest(LINK)[:16],
        conflict_digest(CONFLICT)[:16],
        event_digest(EVENT)[:16],
        attribute_digest(ENTRY)[:16],
        transaction_digest(HEADER, ["+a", "-b"])[:16],
    )
    assert pinned == (
        "f96e21cdbda0fb4f",
        "01d21fbdfc3e4dcc",
        "e84dfd0af75c85e7",
        "689758dac3b4d814",
        "070e797998b22761",
        "9aac3ee8bc0f778b",
        "f929da2879499a61",
    )


# -- the life of a conflict, from its events ------------------------------------------------------


def _case(*kinds: EventKind) -> ConflictCase:
    events = [
        replace(EVENT, kind=kind, tx_from=number, claim=ClaimEntry(f"k{number}", ROW))
        if kind in (EventKind.RAISED, EventKind.JOINED)
        else replace(EVENT, kind=kind, tx_from=number, claim=None)
        for number, kind in enumerate(kinds, 1)
    ]
    return ConflictCase(CONFLICT, tuple(events))


@pytest.mark.parametrize(
    ("kinds", "state"),
    [
        ((), None),
        ((EventKind.RAISED,), ConflictState.OPEN),
        ((EventKind.RAISED, EventKind.JOINED), ConflictState.OPEN),
        ((EventKind.RAISED, EventKind.SETTLED), ConflictState.SETTLED),
        ((EventKind.RAISED, EventKind.STALE), ConflictState.STALE),
        ((EventKind.RAISED, EventKind.STALE, EventKind.REOPENED), ConflictState.OPEN),
        ((EventKind.RAISED, EventKind.SETTLED, EventKind.REOPENED), ConflictState.OPEN),
    ],
)
def test_a_conflict_stands_where_its_last_event_left_it(
    kinds: tuple[EventKind, ...], state: ConflictState | None
) -> None:
    case = _case(*kinds)
    assert case.state is state
    assert (case.settlement is not None) is (state is ConflictState.SETTLED)


def test_a_conflict_as_of_a_transaction() -> None:
    case = _case(EventKind.RAISED, EventKind.JOINED, EventKind.SETTLED)
    assert [case.as_of(n).state for n in range(4)] == [
        None,
        ConflictState.OPEN,
        ConflictState.OPEN,
        ConflictState.SETTLED,
    ]
    assert [len(case.as_of(n).claims) for n in range(4)] == [0, 1, 2, 2]


def test_a_withdrawn_claim_is_as_if_it_had_not_been_made() -> None:
    case = _case(EventKind.RAISED, EventKind.JOINED)
    withdrawn = replace(EVENT, kind=EventKind.WITHDRAWN, claim=ClaimEntry("k2", ROW), tx_from=3)
    case = replace(case, events=(*case.events, withdrawn))
    assert [c.claim_id for c in case.claims] == ["k1"]
    assert case.state is ConflictState.OPEN
    last = replace(withdrawn, claim=ClaimEntry("k1", ROW), tx_from=4)
    assert replace(case, events=(*case.events, last)).state is None
