"""What all acts share: who may write, which fact is meant, and what follows from moved rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from store import ledger
from store.entry import (
    ConflictCase,
    ConflictEvent,
    Entries,
    EventKind,
    EvidenceEntry,
)
from store.errors import Invalid, NotFound, Stale
from store.ledger import Content, Key, Moves, Row
from store.model import (
    ConflictState,
    RowKind,
    Span,
    WriteKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from store.backends.unit import Unit
    from store.contract import Scope
    from store.ids import Entropy


class Act:
    """Composes one kind of write. It reads through the unit and never writes.

    Args:
        unit: the state in which the write is composed.
        scope: who writes.
        entropy: source of ids.
    """

    def __init__(self, unit: Unit, scope: Scope, entropy: Entropy) -> None:
        self.unit = unit
        self.scope = scope
        self.entropy = entropy

    def _check_owner(self, owner: str) -> None:
        if not self.scope.may_write(owner):
            raise Invalid(
                f"{self.scope.agent_id} may not write to the facts of {owner}; nothing was written."
            )

    def _check_source(self, episode_id: str, span: Span | None = None) -> None:
        length = self.unit.episode_length(episode_id)
        if length is None:
            raise Invalid(
                f"There is no episode {episode_id} in tenant {self.scope.tenant_id}; capture it "
                "first. Nothing was written."
            )
        if span is not None and span.end > length:
            raise Invalid(
                f"The span {span.start}:{span.end} lies outside episode {episode_id}, which has "
                f"{length} characters. Nothing was written."
            )

    def _found(self, memory_id: str, seen: int | None) -> tuple[Key, Sequence[Row], int]:
        """Return the key, live rows and version of a fact that the scope may write to."""
        key = self.unit.key_of(memory_id)
        if key is None or not self.scope.sees(key.owner):
            raise NotFound(f"There is no fact {memory_id} in tenant {self.scope.tenant_id}.")
        self._check_owner(key.owner)
        version = self.unit.key_version(key)
        if seen is not None and version > seen:
            raise Stale(
                f"{key.subject} / {key.attribute} changed in transaction {version}, after the "
                f"state that you saw (transaction {seen}); look again. Nothing was written."
            )
        return key, self.unit.live(key), version

    def _bare_content(self, memory_id: str, episode_id: str) -> Content:
        return Content(memory_id, None, episode_id, self.scope.agent_id)

    def _move_evidence(
        self, entries: Entries, key: Key, memory_id: str, moves: Moves, *, keep: bool
    ) -> None:
        """Let further evidence follow a row whose beginning moved, or leave with a wrong value."""
        gone = {row.valid_from for row in moves.ends if row.kind is RowKind.FACT}
        stay = {row.valid_from for row in moves.inserts if row.kind is RowKind.FACT}
        came = sorted(stay - gone)
        for link in self.unit.evidence(key, memory_id):
            if link.tx_to is not None or link.valid_from not in gone:
                continue
            if keep and link.valid_from in stay:
                continue
            entries.evidence_ended.append(link)
            if keep and came:
                begin_link(entries, replace(link, valid_from=came[0], tx_from=0))

    def _add_source(self, entries: Entries, moves: Moves, memory_id: str, episode_id: str) -> None:
        rows = [r for r in moves.inserts if r.kind is RowKind.FACT and r.memory_id == memory_id]
        for row in rows[:1]:
            link = link_to(row, episode_id, None)
            begin_link(entries, replace(link, row_tx=self.unit.number))

    def _add_moves(
        self,
        entries: Entries,
        moves: Moves,
        kind: WriteKind,
        *,
        settled: str | None = None,
    ) -> None:
        """Enter moves, and the conflicts whose standing claim leaves or comes back with them."""
        entries.rows_ended += moves.ends
        entries.rows_begun += moves.inserts
        if kind is not WriteKind.REVERT and not any(r.is_assertion for r in moves.ends):
            return
        for key in dict.fromkeys(r.key for r in (*moves.ends, *moves.inserts)):
            if self.unit.has_conflicts(key):
                entries.events += self._staleness(key, moves, settled)

    def _staleness(self, key: Key, moves: Moves, settled: str | None) -> Iterator[ConflictEvent]:
        rows = ledger.after(self.unit.live(key), moves, key)
        for case in self.unit.conflicts(key):
            if case.entry.conflict_id == settled:
                continue
            event = following(case, rows)
            if event is not None:
                yield event


def following(case: ConflictCase, rows: Sequence[Row]) -> ConflictEvent | None:
    """Return the event by which a conflict follows the rows of its key, if it has to."""
    standing = case.entry.standing
    stands = any(
        row.kind is RowKind.FACT
        and row.valid_from == standing.valid_from
        and row.memory_id == standing.memory_id
        for row in rows
    )
    if case.state is ConflictState.OPEN and not stands:
        return ConflictEvent(case.entry.conflict_id, EventKind.STALE)
    if case.state is ConflictState.STALE and stands:
        return ConflictEvent(case.entry.conflict_id, EventKind.REOPENED)
    return None


def case_version(case: ConflictCase, key_version: int) -> int:
    """Return the number of the last transaction that touched a conflict or its key."""
    return max(key_version, *(event.tx_from for event in case.events))


def value_of(row: Row) -> str | None:
    """Return what a row says, as canonical JSON text; None for an end and a gap."""
    return row.content.value if row.content else None


def pair_of(span: Span | None) -> tuple[int, int] | None:
    """Return the offsets of a span."""
    return None if span is None else (span.start, span.end)


def link_to(row: Row, episode_id: str, span: tuple[int, int] | None) -> EvidenceEntry:
    """Return a link from the assertion of a row to an episode, not yet committed."""
    assert row.content is not None
    return EvidenceEntry(
        row.key, row.content.memory_id, row.valid_from, episode_id, span, row.tx_from
    )


def begin_link(entries: Entries, link: EvidenceEntry) -> None:
    """Begin a link, but only once: two claims may rest on the same words of one episode."""
    if link not in entries.evidence_begun:
        entries.evidence_begun.append(link)


def ending_of(link: EvidenceEntry, rows: Sequence[Row]) -> int | None:
    """Return the transaction that ended a link or, before it, the row that it supports."""
    supported = [row.tx_to for row in rows if row.memory_id == link.memory_id]
    if link.tx_to is not None or not supported or None in supported:
        return link.tx_to
    return max(number for number in supported if number is not None)
