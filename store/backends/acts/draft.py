"""What a write comes to, before it is committed, and how it is told to a person."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING

from store import ledger
from store.canonical import parse
from store.entry import (
    Entries,
)
from store.ledger import Moves, Row, Stretch
from store.model import (
    ConflictKind,
    Interval,
    Outcome,
    Plan,
    RowKind,
    WriteKind,
)
from store.temporal import from_micros

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(slots=True)
class Draft:
    """What a write comes to, before it is committed."""

    kind: WriteKind
    outcome: Outcome
    sentence: str
    entries: Entries = field(default_factory=Entries)
    reason: str | None = None
    memory_id: str | None = None
    standing: str | None = None
    conflict_id: str | None = None
    conflict_kind: ConflictKind | None = None
    episode_id: str | None = None
    reverts: int | None = None
    version: int = 0
    lanes: list[tuple[Sequence[Row], Sequence[Row]]] = field(default_factory=list)
    """Rows of each touched key before and after, at least around the write."""

    @property
    def plan(self) -> Plan:
        """The draft as a person sees it: stretches that change, row by row."""
        closed: list[Interval] = []
        opened: list[Interval] = []
        for before, after in self.lanes:
            was, will_be = _pieces(before), _pieces(after)
            closed += [interval_of(s) for s in was if not _among(s, will_be)]
            opened += [interval_of(s) for s in will_be if not _among(s, was)]
        return Plan(
            outcome=self.outcome,
            reason=self.sentence,
            memory_id=self.memory_id,
            standing=self.standing,
            closed=tuple(closed),
            opened=tuple(opened),
            version=self.version,
        )

    @property
    def full_plan(self) -> Plan:
        """The plan with the whole lanes before and after; meant for drafts made for a preview."""
        before = [interval_of(s) for rows, _ in self.lanes for s in ledger.stretches(rows)]
        after = [interval_of(s) for _, rows in self.lanes for s in ledger.stretches(rows)]
        return self.plan.model_copy(update={"before": tuple(before), "after": tuple(after)})


def around(
    rows: Sequence[Row], moves: Moves, valid_from: int
) -> tuple[Sequence[Row], Sequence[Row]]:
    """Cut rows to those from the last one before an instant on, before and after some moves.

    To the left of that row a unit's neighbours have holes.
    """
    before = max((r.valid_from for r in rows if r.valid_from < valid_from), default=valid_from)
    near = [row for row in rows if row.valid_from >= before]
    return near, ledger.after(near, moves)


def _pieces(rows: Sequence[Row]) -> list[Stretch]:
    """Return the stretches of single rows, not joined: what a change touches, exactly."""
    ordered = sorted(rows, key=lambda r: r.valid_from)
    return [
        Stretch(row, row.valid_from, None if following is None else following.valid_from)
        for row, following in zip_longest(ordered, ordered[1:])
        if row.kind in (RowKind.FACT, RowKind.RESUME)
    ]


def _among(stretch: Stretch, others: Sequence[Stretch]) -> bool:
    return any(
        stretch.valid_from == other.valid_from
        and stretch.valid_to == other.valid_to
        and stretch.row.content == other.row.content
        for other in others
    )


def interval_of(stretch: Stretch) -> Interval:
    """Return a stretch as the contract shows it."""
    row = stretch.row
    assert row.content is not None
    return Interval.model_construct(
        memory_id=row.content.memory_id,
        subject=row.key.subject,
        attribute=row.key.attribute,
        owner=row.key.owner,
        slot=row.key.slot,
        value=parse(row.content.value or "null"),
        valid_from=from_micros(stretch.valid_from),
        valid_to=None if stretch.valid_to is None else from_micros(stretch.valid_to),
    )
