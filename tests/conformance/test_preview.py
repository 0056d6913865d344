"""A preview says what the write then does, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from store import (
    Attribute,
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    FactQuery,
    Plan,
    Register,
    Resolution,
    Retract,
    Revert,
    Scope,
    Settle,
    StoreError,
    Write,
)
from tests.conformance.scene import Desk, day, delta, draft


@pytest.fixture
def scene(desk: Desk) -> dict[str, Any]:
    a = desk.fact("A", 1, episode="e1")
    b = desk.fact("B", 10, 20, episode="e1")
    desk.fact("A", 25, episode="e1")
    ended = desk.fact("tea", 1, attribute="drink", episode="e1")
    desk.end(ended, 9)
    conflict = desk.contest("C", 10, 20, episode="e1")
    crossing = desk.contest("D", 15, 30, episode="e1")
    desk.episode("e9", "a new source")
    return {"a": a, "b": b, "ended": ended, "conflict": conflict, "crossing": crossing}


def _why(reason: str) -> dict[str, str]:
    return {"episode_id": "e9", "reason": reason}


WRITES: dict[str, Callable[[dict[str, Any]], Write]] = {
    "capture": lambda s: Capture(episode=draft("new")),
    "capture again": lambda s: Capture(episode=draft("e9", "a new source")),
    "register": lambda s: Register(attribute=Attribute(name="new", memory_type="task")),
    "register again": lambda s: Register(attribute=Attribute(name="city")),
    "change": lambda s: Change(delta=delta("E", 5, episode="e9")),
    "change after": lambda s: Change(delta=delta("E", 40, episode="e9")),
    "change before": lambda s: Change(delta=delta("E", -3, episode="e9")),
    "change within": lambda s: Change(delta=delta("E", 12, 14, episode="e9")),
    "change over": lambda s: Change(delta=delta("E", 5, 50, episode="e9")),
    "change to the end": lambda s: Change(delta=delta("E", 12, 20, episode="e9")),
    "restate": lambda s: Change(delta=delta("A", 3, episode="e9")),
    "corroborate": lambda s: Change(delta=delta("A", 1, episode="e9")),
    "known": lambda s: Change(delta=delta("A", 1, episode="e1")),
    "contest": lambda s: Change(delta=delta("Z", 1, episode="e9")),
    "join": lambda s: Change(delta=delta("Z", 10, 20, episode="e9")),
    "cross": lambda s: Change(delta=delta("Z", 15, 24, episode="e9")),
    "new key": lambda s: Change(delta=delta("Z", 1, episode="e9", subject="zoe", attribute="n")),
    "at an end": lambda s: Change(delta=delta("milk", 9, episode="e9", attribute="drink")),
    "correct value": lambda s: Correct(memory_id=s["a"], value="Z", **_why("r")),
    "correct start": lambda s: Correct(memory_id=s["b"], valid_from=day(11), **_why("r")),
    "correct end": lambda s: Correct(memory_id=s["b"], until=day(24), **_why("r")),
    "correct open": lambda s: Correct(memory_id=s["b"], until=None, **_why("r")),
    "move end": lambda s: Correct(memory_id=s["ended"], until=day(12), **_why("r")),
    "end": lambda s: End(memory_id=s["a"], at=day(40), **_why("r")),
    "end bounded": lambda s: End(memory_id=s["b"], at=day(15), **_why("r")),
    "retract": lambda s: Retract(memory_id=s["a"], **_why("r")),
    "retract with gap": lambda s: Retract(memory_id=s["b"], gap=True, **_why("r")),
    "confirm": lambda s: Confirm(memory_id=s["a"], episode_id="e9"),
    "confirm again": lambda s: Confirm(memory_id=s["a"], episode_id="e1"),
    "incoming": lambda s: _settle(s, "conflict", Resolution.INCOMING),
    "incoming crossing": lambda s: _settle(s, "crossing", Resolution.INCOMING),
    "standing": lambda s: _settle(s, "conflict", Resolution.STANDING),
    "move": lambda s: _settle(s, "crossing", Resolution.MOVE, valid_from=day(20)),
    "move standing": lambda s: _settle(
        s, "crossing", Resolution.MOVE, standing=True, until=day(15)
    ),
    "both": lambda s: _settle(s, "conflict", Resolution.BOTH),
    "both qualified": lambda s: _settle(s, "conflict", Resolution.BOTH, qualifier="work"),
    "merge": lambda s: _settle(s, "conflict", Resolution.MERGE, value={"x": 1}),
    "defer": lambda s: _settle(s, "conflict", Resolution.DEFER),
    "revert": lambda s: Revert(transaction=3, reason="undo"),
}

FAILING: dict[str, Callable[[dict[str, Any]], Write]] = {
    "taken id": lambda s: Capture(episode=draft("e9", "another")),
    "no episode": lambda s: Change(delta=delta("E", 5, episode="nobody")),
    "no fact": lambda s: Retract(memory_id="nobody", **_why("r")),
    "collides": lambda s: Correct(memory_id=s["b"], valid_from=day(1), **_why("r")),
    "changes nothing": lambda s: Correct(memory_id=s["b"], until=day(20), **_why("r")),
    "does not hold": lambda s: End(memory_id=s["a"], at=day(15), **_why("r")),
    "stale": lambda s: Retract(memory_id=s["a"], seen=1, **_why("r")),
    "blocked": lambda s: Settle(
        conflict_id=s["conflict"].conflict_id, resolution="move", reason="r", seen=1
    ),
    "unknown": lambda s: Revert(transaction=999, reason="undo"),
    "episodes only": lambda s: Revert(transaction=1, reason="undo"),
    "type": lambda s: Register(attribute=Attribute(name="city", memory_type="task")),
}


def _settle(scene: dict[str, Any], name: str, resolution: Resolution, **more: Any) -> Settle:
    return Settle(
        conflict_id=scene[name].conflict_id, resolution=resolution, reason="I looked", **more
    )


def _plain(plan: Plan, known: set[str]) -> dict[str, Any]:
    """A plan without the names that each run makes up anew."""
    told = plan.model_dump(exclude={"before", "after"})

    def named(memory_id: str | None) -> str | None:
        return memory_id if memory_id is None or memory_id in known else "new"

    told["memory_id"], told["standing"] = named(plan.memory_id), named(plan.standing)
    for part in ("closed", "opened"):
        for interval in told[part]:
            interval["memory_id"] = named(interval["memory_id"])
    return told


def _ids(desk: Desk) -> set[str]:
    versions = desk.store.versions(desk.scope)
    return {v.memory_id for v in versions if v.memory_id}


@pytest.mark.parametrize("name", WRITES)
def test_a_preview_is_what_the_write_then_does(
    desk: Desk, scene: dict[str, Any], name: str
) -> None:
    write = WRITES[name](scene)
    known = _ids(desk)
    before = desk.head, desk.store.revision(), desk.everything(), desk.store.attributes(desk.scope)
    conflicts = desk.store.conflicts(desk.scope, None)
    plan = desk.store.preview(desk.scope, write)
    assert before == (
        desk.head,
        desk.store.revision(),
        desk.everything(),
        desk.store.attributes(desk.scope),
    )
    assert desk.store.conflicts(desk.scope, None) == conflicts
    receipt = desk.write(write)
    assert receipt.outcome is plan.outcome
    assert receipt.plan.reason.strip()
    assert _plain(receipt.plan, known) == _plain(plan, known)


@pytest.mark.parametrize("name", FAILING)
def test_a_preview_raises_what_the_write_would(
    desk: Desk, scene: dict[str, Any], name: str
) -> None:
    write = FAILING[name](scene)
    head = desk.head
    with pytest.raises(StoreError) as foreseen:
        desk.store.preview(desk.scope, write)
    with pytest.raises(StoreError) as happened:
        desk.write(write)
    assert type(foreseen.value) is type(happened.value)
    assert str(foreseen.value) == str(happened.value)
    assert desk.head == head


@pytest.mark.parametrize("name", WRITES)
def test_what_a_plan_closes_and_opens_is_what_reads_lose_and_gain(
    desk: Desk, scene: dict[str, Any], name: str
) -> None:
    """Every read inside a changed stretch agrees with the plan, and no other read changes."""
    write = WRITES[name](scene)
    instants = [day(n + half) for n in range(-5, 60) for half in (0, 0.5)]

    def reads() -> list[set[tuple[str, str, Any]]]:
        facts = desk.history(FactQuery(history=True))
        return [{_told(fact) for fact in facts if _holds(fact, at)} for at in instants]

    was = reads()
    plan = desk.write(write).plan
    now = reads()
    for at, before, after in zip(instants, was, now, strict=True):
        closed = {_told(i) for i in plan.closed if _holds(i, at)}
        opened = {_told(i) for i in plan.opened if _holds(i, at)}
        assert before - after <= closed
        assert after - before <= opened
        assert closed <= before
        assert opened <= after
        assert after == (before - closed) | opened


def _told(held: Any) -> tuple[str, str, Any]:
    return (held.subject, held.attribute, repr(held.value))


def _holds(held: Any, at: Any) -> bool:
    return held.valid_from <= at and (held.valid_to is None or at < held.valid_to)


def test_a_preview_shows_the_lane_before_and_after(desk: Desk, scene: dict[str, Any]) -> None:
    plan = desk.store.preview(desk.scope, WRITES["correct value"](scene))

    def lane(intervals: Any) -> list[tuple[Any, Any, Any]]:
        return [(i.value, i.valid_from, i.valid_to) for i in intervals]

    assert lane(plan.before) == [
        ("A", day(1), day(10)),
        ("B", day(10), day(20)),
        ("A", day(20), None),
    ]
    assert lane(plan.after) == [
        ("Z", day(1), day(10)),
        ("B", day(10), day(20)),
        ("Z", day(20), None),
    ]
    settled = desk.store.preview(desk.scope, WRITES["incoming"](scene))
    assert ("B", day(10), day(20)) in lane(settled.before)
    assert ("C", day(10), day(20)) in lane(settled.after)


def test_a_preview_in_an_unknown_tenant_makes_none(desk: Desk) -> None:
    plan = desk.store.preview(Scope("nowhere"), Capture(episode=draft("e1")))
    assert plan.outcome.value == "applied"
    assert [t.tenant_id for t in desk.store.tenants()] == []
