"""Random histories of every kind of write, played on a desk."""

from __future__ import annotations

from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from store import (
    Change,
    Confirm,
    Conflict,
    ConflictState,
    Correct,
    End,
    FactQuery,
    Invalid,
    NotFound,
    Receipt,
    Refused,
    Resolution,
    Retract,
    Revert,
    Settle,
    Stale,
    Write,
)
from tests.conformance.scene import Desk, day, delta

DAYS = 10
STEPS = 14

small = st.integers(0, 30)
step = st.tuples(
    st.sampled_from(
        ["change"] * 8
        + ["settle"] * 4
        + ["revert"] * 3
        + ["correct", "correct", "end", "retract", "confirm", "undo and redo"]
    ),
    small,
    small,
    small,
    small,
)


class Played:
    """Plays steps on a desk and remembers what was readable after each transaction."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.seen: dict[int, Any] = {}
        for number in range(4):
            desk.episode(f"e{number}")

    def play(self, kind: str, *drawn: int) -> None:
        one, two, three, four = drawn
        if kind == "undo and redo":
            self._undo_and_redo()
            return
        write = self._write(kind, one, two, three, four)
        if write is not None:
            self._try(write)

    def _write(self, kind: str, one: int, two: int, three: int, four: int) -> Write | None:
        if kind == "change":
            until = None if two % 3 == 0 else one % DAYS + 1 + two % 8
            value = "ABC"[three % 3]
            return Change(
                delta=delta(
                    value,
                    one % DAYS,
                    until,
                    episode=f"e{four % 4}",
                )
            )
        if kind == "revert":
            return Revert(transaction=max(1, self.desk.newest - one % 6), reason="undo")
        if kind == "settle":
            return self._settle(one, two, three)
        fact = self._fact(one)
        if fact is None:
            return None
        why = {"memory_id": fact, "episode_id": f"e{two % 4}", "reason": "r"}
        match kind:
            case "correct":
                right: list[dict[str, Any]] = [
                    {"value": "ABCZ"[three % 4]},
                    {"valid_from": day(four % DAYS)},
                    {"until": day(four % DAYS + 4)},
                    {"until": None},
                ]
                return Correct(**why, **right[three % 4])
            case "end":
                return End(**why, at=day(three % (DAYS + 6)))
            case "retract":
                return Retract(**why, gap=three % 2 == 0)
            case _:
                return Confirm(memory_id=fact, episode_id=f"e{two % 4}")

    def _settle(self, one: int, two: int, three: int) -> Settle | None:
        conflicts = self.desk.store.conflicts(self.desk.scope, None).items
        if not conflicts:
            return None
        conflict: Conflict = conflicts[one % len(conflicts)]
        more: list[dict[str, Any]] = [
            {"resolution": Resolution.INCOMING},
            {"resolution": Resolution.STANDING},
            {"resolution": Resolution.MOVE, "valid_from": day(three % DAYS)},
            {"resolution": Resolution.MOVE, "until": day(three % DAYS + 3)},
            {"resolution": Resolution.MOVE, "standing": True, "until": day(three % DAYS + 1)},
            {"resolution": Resolution.BOTH},
            {"resolution": Resolution.BOTH, "qualifier": "work"},
            {"resolution": Resolution.MERGE, "value": "M"},
        ]
        return Settle(
            conflict_id=conflict.conflict_id,
            claim_id=conflict.incoming[three % len(conflict.incoming)].claim_id,
            reason="r",
            **more[two % len(more)],
        )

    def _fact(self, one: int) -> str | None:
        versions = self.desk.store.versions(self.desk.scope)
        oldest_first = sorted(versions, key=lambda v: (v.began, v.attribute, v.valid_from))
        ids = list(dict.fromkeys(v.memory_id for v in oldest_first if v.memory_id))
        return ids[one % len(ids)] if ids else None

    def _try(self, write: Write) -> int | None:
        desk = self.desk
        before = desk.head
        note(repr(write))
        receipt: Receipt | None = None
        try:
            receipt = desk.write(write)
        except (Refused, Stale, NotFound, Invalid) as refusal:
            note(f"  {type(refusal).__name__}: {refusal}")
        if receipt is None:
            assert desk.head == before
            return None
        note(f"  {receipt.outcome} in {receipt.transaction}")
        if receipt.memory_id is not None:
            shown = desk.store.fact(desk.scope, receipt.memory_id)
            assert shown.memory_id == receipt.memory_id, "what a receipt names can be read"
        if receipt.transaction is not None:
            assert receipt.transaction == before.number + 1
            self.seen[receipt.transaction] = self.reads(receipt.transaction)
        desk.line()
        return receipt.transaction

    def _undo_and_redo(self) -> None:
        """Undo of the last transaction restores every read, and undo of that the last again."""
        last = self.desk.newest
        before, after = self.now(last - 1), self.now(last)
        undone = self._try(Revert(transaction=last, reason="undo"))
        if undone is None:
            return
        assert self.now(undone) == before
        redone = self._try(Revert(transaction=undone, reason="redo"))
        assert redone is not None, "what was undone last can be redone"
        assert self.now(redone) == after

    def reads(self, known: int) -> tuple[Any, ...]:
        return self.desk.everything(known)

    def now(self, known: int) -> tuple[Any, ...]:
        """What can be read as of a transaction, without what says when it was written down."""
        outline, lanes, facts = self.desk.everything(known)
        plain = [
            (
                f.model_dump(exclude={"transaction", "recorded_at", "superseded_at", "evidence"}),
                sorted((e.episode_id, str(e.span)) for e in f.evidence),
            )
            for f in facts
        ]
        return outline, lanes, plain

    def conclude(self) -> None:
        desk = self.desk
        desk.check()
        for number, was in self.seen.items():
            assert self.reads(number) == was, f"the answer as of {number} changed"
        open_ones = desk.store.conflicts(desk.scope, ConflictState.OPEN).items
        lanes = desk.store.lanes(desk.scope, count=1000)
        assert sum(lane.open_conflicts for lane in lanes) == len(open_ones)
        live = {
            (v.memory_id, v.valid_from)
            for v in desk.store.versions(desk.scope)
            if v.ceased is None and v.kind.value == "fact"
        }
        for conflict in desk.store.conflicts(desk.scope, None).items:
            stands = (conflict.standing.claim_id, conflict.standing.valid_from) in live
            if conflict.state is ConflictState.OPEN:
                assert stands, "an open conflict has its standing claim in the record"
        for fact in desk.history(FactQuery(history=True)):
            contested = any(
                c.standing.claim_id == fact.memory_id
                and c.contested_from < (fact.valid_to or day(10**5))
                and fact.valid_from < (c.contested_to or day(10**5))
                for c in open_ones
            )
            assert fact.disputed is contested
