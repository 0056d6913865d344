"""Notes of snapshots: kept beside the chain, for people, of their tenant only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from store import Capability, Invalid, ReadOnly, Scope, Store
from store.model import ExportDraft
from tests.conformance.scene import Desk, day
from tests.conformance.told import telling


def export(desk: Desk, **more: Any) -> ExportDraft:
    head = desk.head
    values: dict[str, Any] = {
        "tenant_id": desk.scope.tenant_id,
        "transaction": head.number,
        "digest": head.digest,
        "manifest": "ab" * 32,
        "arguments": {"subject": None, "withhold": "nothing", "window": ["a", 1]},
        "destination": "/home/ana/snapshot.zip",
    }
    return ExportDraft(**{**values, **more})


def test_notes_come_back_newest_first_and_whole(desk: Desk) -> None:
    assert desk.store.exports(desk.scope) == ()
    desk.fact("A", 1)
    draft = export(desk)
    first = desk.store.note_export(desk.scope, draft)
    assert first.model_dump(exclude={"taken_at"}) == draft.model_dump()
    desk.fact("B", 2)
    again = export(desk, destination="elsewhere", manifest="cd" * 32)
    second = desk.store.note_export(desk.scope, again)
    third = desk.store.note_export(desk.scope, again)
    assert desk.store.exports(desk.scope) == (third, second, first)


def test_a_note_has_the_time_of_the_stores_clock(desk: Desk) -> None:
    desk.clock.now = day(2001)
    desk.fact("A", 1)
    desk.clock.now = day(2002)
    assert desk.store.note_export(desk.scope, export(desk)).taken_at == day(2002)
    desk.clock.now = day(1)  # the record's own time never goes back
    noted = desk.store.note_export(desk.scope, export(desk))
    recorded_at = desk.head.recorded_at
    assert recorded_at is not None
    assert recorded_at < noted.taken_at < day(2002)
    assert desk.store.exports(desk.scope)[0] == noted


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
    draft = export(desk)
    noted = desk.store.note_export(desk.scope, draft)
    desk.store.close()
    reader = make_store(create=False, read_only=True)
    assert reader.exports(desk.scope) == (noted,)
    with pytest.raises(ReadOnly):
        reader.note_export(desk.scope, draft)
    desk.store = reader
