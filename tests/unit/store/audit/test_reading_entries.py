"""Lines of a snapshot's files as entries: what was written is read back, what is wrong is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import Change, Store, open_store
from store.audit import entries, lines
from store.entry import FIRST_DIGEST
from store.history import History
from tests.conformance.played import Played, step
from tests.conformance.scene import LATER, Clock, Desk, Entropy, day, delta

Line = dict[str, Any]


def played(steps: list[tuple[str, int, int, int, int]]) -> Store:
    """Play random steps of every kind on a store in memory."""
    clock = Clock(day(LATER))
    store = open_store("memory:", create=True, clock=clock, entropy=Entropy())
    play = Played(Desk(store, clock))
    for kind, *drawn in steps:
        play.play(kind, *drawn)
    return store


def pairs(history: History) -> Iterator[tuple[object, object]]:
    """Yield each entry of a history with what its line says."""
    tenant = history.tenant_id

    def read(line: str) -> Line:
        return entries.members_of(line.removesuffix("\n"))

    previous = FIRST_DIGEST
    for sealed in history.transactions():
        yield sealed, entries.transaction_of(read(lines.transaction_line(sealed)), previous)
        yield (
            (sealed.header.number, sealed.digest),
            entries.digest_of(read(lines.transaction_line(sealed, out_of_scope=True))),
        )
        previous = sealed.digest
    for entry in history.attributes():
        yield entry, entries.attribute_of(read(lines.attribute_line(entry)))
    for episode in history.episodes():
        said = entries.episode_of(read(lines.episode_line(episode)))
        yield (
            (episode.draft.model_copy(update={"agent_id": None}), episode.agent_id, episode.secret),
            (said.draft.model_copy(update={"agent_id": None}), said.agent_id, said.secret),
        )
    for row in history.rows():
        line = lines.version_line(row, lines.texts_of(row.key))
        yield row, entries.row_of(read(line), tenant)
        yield row, entries.said_of(read(line), tenant)
        hidden = lines.version_line(row, lines.texts_of(row.key), withheld=True)
        shown = entries.said_of(read(hidden), tenant)
        yield (row.key, row.valid_from, row.until), (shown.key, shown.valid_from, shown.until)
    for link in history.evidence():
        line = lines.evidence_line(link, lines.texts_of(link.key))
        yield link, entries.evidence_of(read(line), tenant)
    for case in history.conflicts():
        line = lines.conflict_line(case, lines.texts_of(case.entry.key))
        yield case, entries.case_of(read(line), tenant)


@settings(max_examples=40)
@given(steps=st.lists(step, min_size=4, max_size=14))
def test_what_was_written_is_read_back(steps: list[tuple[str, int, int, int, int]]) -> None:
    with played(steps) as store, store.history(Desk(store, Clock(day(0))).scope) as history:
        found = list(pairs(history))
        assert found
        for entry, said in found:
            assert said == entry


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, -1, 1.5, 1e21, 1e-7, 2**53 - 1, 1e20, "", "é\u2028\x00\x7f", [], {},
        {"b": [1, {"a": None}], "a": 1e300, "\U0001f600": 1, "\ufb33": 2}, 123456789012345680000.0,
    ],
)  # fmt: skip
def test_values_keep_their_canonical_text(value: object) -> None:
    with open_store("memory:", create=True) as store:
        desk = Desk(store, Clock(day(LATER)))
        desk.fact(value, 1, confidence=1, stated_as="since \u202e then")
        with store.history(desk.scope) as history:
            (row,) = history.rows()
            line = lines.version_line(row, lines.texts_of(row.key))
            said = entries.row_of(entries.members_of(line), history.tenant_id)
    assert said == row
    assert said.content is not None
    assert type(said.content.confidence) is float


def test_instants_of_all_years_are_kept() -> None:
    """Those before 1684 and after 2255 are integers beyond 2**53."""
    with open_store("memory:", create=True) as store:
        desk = Desk(store, Clock(day(LATER)))
        for year in (1, 1361, 1683, 2256, 9998):
            since = datetime(year, 1, 1, tzinfo=UTC)
            until = datetime(year + 1, 1, 1, tzinfo=UTC)
            desk.episode(f"e{year}", occurred_at=since, metadata={"big": 1e21, "list": [2.0**60]})
            desk.write(
                Change(
                    delta=delta(year, since, episode=f"e{year}").model_copy(update={"until": until})
                )
            )
        desk.contest("other", datetime(1361, 1, 1, tzinfo=UTC))
        with store.history(desk.scope) as history:
            found = list(pairs(history))
    assert len(found) > 20
    for entry, said in found:
        assert said == entry


# -- what is wrong --------------------------------------------------------------------------------

CONTENT = {
    "agent_id": "support", "basis": "stated", "confidence": 1, "episode_id": "e1",
    "memory_id": "m1", "precision": "day", "retention_policy": "keep", "schema_version": 1,
    "span": [3, 9], "supersedes": "m0", "stated_as": "in June", "value": "Porto",
}  # fmt: skip
BARE = {name: said for name, said in CONTENT.items() if name != "value"}
ROW = {"content": CONTENT, "kind": "fact", "secret": "0" * 32, "tx_from": 3, "valid_from": 5}
KEY = {"owner": "", "subject": "mira", "attribute": "city", "slot": ""}
VERSION = {**KEY, **ROW, "until": 9, "over": {**BARE, "until": 20}, "tx_to": 8}
LINK = {
    **KEY, "memory_id": "m1", "valid_from": 5, "episode_id": "e2", "span": [0, 1], "row_tx": 3,
    "tx_from": 4, "tx_to": 5,
}  # fmt: skip
EPISODE = {
    "episode_id": "e1", "kind": "message", "occurred_at": 5, "agent_id": "support",
    "session_id": "s", "content": "", "metadata": {"a": [1]}, "tx_from": 1, "secret": "ab" * 16,
}  # fmt: skip
ATTRIBUTE = {
    "name": "city", "memory_type": "profile", "cardinality": "single", "sensitive": False,
    "retention_policy": "keep", "schema_version": 1, "tx_from": 2, "tx_to": 3,
}  # fmt: skip
EVENT = {
    "kind": "raised", "tx_from": 4, "actor": "", "reason": "", "secret": "0" * 32,
    "claim": {"claim_id": "c1", "row": {**ROW, "tx_from": 0}},
}  # fmt: skip
CASE = {
    **KEY, "conflict_id": "k1", "kind": "value", "contested_from": 5, "contested_to": 9,
    "standing": ROW, "state": "open", "events": [EVENT],
}  # fmt: skip
TRANSACTION = {
    "number": 1, "recorded_at": 5, "kind": "change", "actor": "support", "tool": "t",
    "reason": "r", "reverts": 1, "secret": "0" * 32, "digest": "f" * 64, "entries": 2, "total": 2,
}  # fmt: skip


def nested(depth: int) -> Line:
    """An object that is nested so deep."""
    it: Line = {}
    for _ in range(depth - 1):
        it = {"a": it}
    return it


ANYTHING = ("value", "metadata")
"""Members that may hold any JSON, or any object."""

Convert = Callable[[Line], object]
CONVERT: dict[str, tuple[Line, Convert]] = {
    "version": (VERSION, lambda it: entries.row_of(it, "acme")),
    "link": (LINK, lambda it: entries.evidence_of(it, "acme")),
    "episode": (EPISODE, entries.episode_of),
    "attribute": (ATTRIBUTE, entries.attribute_of),
    "case": (CASE, lambda it: entries.case_of(it, "acme")),
    "transaction": (TRANSACTION, lambda it: entries.transaction_of(it, FIRST_DIGEST)),
}
OPTIONAL = {
    "span", "supersedes", "stated_as", "until", "over", "tx_to", "session_id", "contested_to",
    "claim", "reason", "reverts",
}  # fmt: skip


def places(it: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths to all members of a line, but not into values and metadata."""
    if path and path[-1] in ANYTHING:
        return
    named: Any = it.items() if isinstance(it, dict) else enumerate(it)
    for name, part in named:
        yield (*path, name)
        if isinstance(part, dict | list):
            yield from places(part, (*path, name))


def changed(it: Line, path: tuple[str | int, ...], *new: object) -> Line:
    """Return a copy of a line with one member gone, or another value in its place."""
    line: Any = json.loads(json.dumps(it))
    part = line
    for name in path[:-1]:
        part = part[name]
    if new:
        part[path[-1]] = new[0]
    else:
        del part[path[-1]]
    copy: Line = line
    return copy


@pytest.mark.parametrize("name", CONVERT)
def test_a_line_of_each_kind_is_read(name: str) -> None:
    line, convert = CONVERT[name]
    assert convert(json.loads(json.dumps(line)))


@pytest.mark.parametrize("name", CONVERT)
def test_every_member_is_checked(name: str) -> None:
    line, convert = CONVERT[name]
    for path in places(line):
        if path[-1] not in ANYTHING:
            with pytest.raises(entries.Wrong) as caught:
                convert(changed(line, path, {"no such": ["member"]}))
            assert str(caught.value), path
        if path[-1] not in OPTIONAL and isinstance(path[-1], str):
            with pytest.raises(entries.Wrong):
                convert(changed(line, path))
        for unfit in (float("nan"), -1, 2**70, True, [], "\ud800", "n" * 300, None):
            _read_or_wrong(convert, changed(line, path, unfit))


def _read_or_wrong(convert: Convert, line: Line) -> None:
    with suppress(entries.Wrong):
        convert(line)


@pytest.mark.parametrize(
    ("name", "path", "unfit", "said"),
    [
        ("version", ("subject",), " mira", "subject is not usable"),
        ("version", ("subject",), "a\x00b", "subject is not usable"),
        ("version", ("owner",), " ", "owner is not usable"),
        ("version", ("kind",), "rumour", "kind is none of the words"),
        ("version", ("kind",), "gap", "'content' does not belong there"),
        ("version", ("kind",), "end", "'value' does not belong there"),
        ("version", ("valid_from",), 10**18, "valid_from is not an instant"),
        ("version", ("valid_from",), 1.0, "valid_from is not an instant"),
        ("version", ("tx_from",), 0, "tx_from is 0"),
        ("version", ("secret",), "0" * 31 + "G", "secret is not 16 bytes in hex"),
        ("version", ("content", "confidence"), 1.5, "confidence is not a number from 0 to 1"),
        ("version", ("content", "confidence"), True, "confidence is not a number from 0 to 1"),
        ("version", ("content", "span"), [9, 3], "span is not a pair"),
        ("version", ("content", "value"), float("inf"), "value is not JSON"),
        ("version", ("content", "value"), nested(101), "value cannot be kept: JSON may be nested"),
        ("episode", ("metadata",), nested(101), "metadata cannot be kept: JSON may be nested"),
        ("version", ("content", "extra"), 1, "'extra' does not belong there"),
        ("version", ("extra",), None, "'extra' does not belong there"),
        ("episode", ("metadata",), [], "metadata is not an object"),
        ("episode", ("content",), "\ud800", "content has half of a surrogate pair"),
        ("attribute", ("sensitive",), 1, "sensitive is neither true nor false"),
        ("case", ("events",), [], "events is not a list"),
        ("case", ("state",), "stale", "its state does not follow from its events"),
        ("case", ("events", 0, "claim", "row", "tx_from"), 4, "no transaction began"),
        ("transaction", ("digest",), "F" * 64, "digest is not a SHA-256 in hex"),
    ],
)
def test_what_is_wrong_is_said(
    name: str, path: tuple[str | int, ...], unfit: object, said: str
) -> None:
    line, convert = CONVERT[name]
    with pytest.raises(entries.Wrong, match=said):
        convert(changed(line, path, unfit))


@pytest.mark.parametrize("line", ["", "{", "[]", "1", "[" * 100_000, '{"a":1} x', "{'a':1}"])
def test_what_is_no_object_is_no_line(line: str) -> None:
    with pytest.raises(entries.Wrong, match="it is not"):
        entries.members_of(line)
