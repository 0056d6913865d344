"""Notes of snapshots: kept beside the chain, for people, of their tenant only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from store import Capability, Invalid, ReadOnly, Scope, Store
from store.model import Export
from tests.conformance.scene import Desk, day
from tests.conformance.told import telling


def export(desk: Desk, **more: Any) -> Export:
    head = desk.head
    values: dict[str, Any] = {
        "tenant_id": desk.scope.tenant_id,
        "taken_at": day(2001),
        "transaction": head.number,
        "digest": head.digest,
        "manifest": "ab" * 32,
        "arguments": {"subject": None, "withhold": "nothing", "window": ["a", 1]},
        "destination": "/home/ana/snapshot.zip",
    }
    return Export(**{**values, **more})


def test_notes_come_back_newest_first_and_whole(desk: Desk) -> None:
    assert desk.store.exports(desk.scope) == ()
    desk.fact("A", 1)
    first = export(desk)
    desk.store.note_export(desk.scope, first)
    desk.fact("B", 2)
    second = export(desk, destination="elsewhere", manifest="cd" * 32)
    desk.store.note_export(desk.scope, second)
    desk.store.note_export(desk.scope, second)
    assert desk.store.exports(desk.scope) == (second, second, first)


def test_a_note_changes_no_digest_and_no_read(desk: Desk) -> None:
    desk.fact("A", 1)
    before = desk.head, telling(desk), desk.everything()
    desk.store.note_export(desk.scope, export(desk))
    assert (desk.head, telling(desk), desk.everything()) == before
    desk.fact("B", 2)
    assert desk.newest == before[0].number + 2


def test_notes_are_of_one_tenant(desk: Desk) -> None:
    desk.fact("A", 1)
    other = desk.of(tenant_id="globex")
    other.fact("A", 1)
    desk.store.note_export(desk.scope, export(desk))
    assert desk.store.exports(other.scope) == ()
    with pytest.raises(Invalid, match="acme"):
        desk.store.note_export(other.scope, export(desk))


@pytest.mark.parametrize("more", [{"transaction": 99}, {"digest": "0" * 64}, {"manifest": "ab"}])
def test_a_note_of_what_never_was_is_refused(desk: Desk, more: dict[str, Any]) -> None:
    desk.fact("A", 1)
    with pytest.raises(Invalid):
        desk.store.note_export(desk.scope, export(desk, **more))
    assert desk.store.exports(desk.scope) == ()


def test_notes_are_for_people(desk: Desk) -> None:
    desk.fact("A", 1)
    agent = Scope("acme", "support")
    with pytest.raises(Invalid):
        desk.store.note_export(agent, export(desk))
    with pytest.raises(Invalid):
        desk.store.exports(agent)


@pytest.mark.requires(Capability.PERSISTENCE)
def test_notes_stay(desk: Desk, make_store: Callable[..., Store]) -> None:
    desk.fact("A", 1)
    noted = export(desk)
    desk.store.note_export(desk.scope, noted)
    desk.store.close()
    reader = make_store(create=False, read_only=True)
    assert reader.exports(desk.scope) == (noted,)
    with pytest.raises(ReadOnly):
        reader.note_export(desk.scope, noted)
    desk.store = reader
