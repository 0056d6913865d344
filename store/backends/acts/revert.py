"""Undoing a transaction by a compensating one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from store import ledger
from store.backends.acts.act import (
    Act,
    following,
    value_of,
)
from store.backends.acts.draft import Draft
from store.entry import (
    AttributeEntry,
    ConflictCase,
    ConflictEvent,
    Entries,
    EventKind,
    EvidenceEntry,
)
from store.errors import Invalid, NotFound, Refused, Stale
from store.ledger import Moves, Row
from store.model import Cardinality, Outcome, RowKind, WriteKind

if TYPE_CHECKING:
    from store.write import (
        Revert,
    )


class Reversal(Act):
    """Composes reverts."""

    def revert(self, write: Revert) -> Draft:
        """Undo a transaction."""
        header = self.unit.header(write.transaction)
        if header is None:
            raise NotFound(
                f"There is no transaction {write.transaction} in tenant {self.scope.tenant_id}."
            )
        self._refuse_reverted(write.transaction)
        undone = self.unit.entries_of(write.transaction)
        self._check_entries(write.transaction, undone)
        draft = Draft(
            WriteKind.REVERT,
            Outcome.APPLIED,
            f"Transaction {write.transaction} is reverted.",
            reason=write.reason,
            reverts=write.transaction,
        )
        undone = self._standing_again(undone)
        self._refuse_blocked(write.transaction, undone)
        self._revert_rows(draft, undone)
        draft.entries.evidence_ended += undone.evidence_begun
        draft.entries.evidence_begun += [
            replace(e, tx_from=0, tx_to=None) for e in undone.evidence_ended
        ]
        draft.entries.attributes_ended += undone.attributes_begun
        draft.entries.attributes_begun += [
            replace(a, tx_from=0, tx_to=None) for a in undone.attributes_ended
        ]
        self._revert_events(draft, undone, write.transaction)
        if not draft.entries:
            raise Refused(
                f"Transaction {write.transaction} holds nothing that can be reverted: episodes and "
                "first registrations stay in the record."
            )
        return draft

    def _refuse_reverted(self, number: int) -> None:
        """Refuse to undo what is undone already: it would bring back what was brought back."""
        undone_by = next((n for n in self.unit.reverts_of(number) if self._is_in_effect(n)), None)
        if undone_by is not None:
            raise Stale(
                f"Transaction {number} was reverted in transaction {undone_by} already; revert "
                "that to bring it back. Nothing was written."
            )

    def _is_in_effect(self, number: int) -> bool:
        return not any(self._is_in_effect(n) for n in self.unit.reverts_of(number))

    def _check_entries(self, number: int, undone: Entries) -> None:
        """Refuse to undo what the scope may not see, or may not write to."""
        owners = {row.key.owner for row in (*undone.rows_begun, *undone.rows_ended)}
        owners |= {link.key.owner for link in (*undone.evidence_begun, *undone.evidence_ended)}
        for event in undone.events:
            case = self.unit.conflict(event.conflict_id)
            assert case is not None
            owners.add(case.entry.key.owner)
        if owners and not any(self.scope.sees(owner) for owner in owners):
            raise NotFound(f"There is no transaction {number} in tenant {self.scope.tenant_id}.")
        if not all(self.scope.may_write(owner) for owner in owners):
            raise Invalid(
                f"Transaction {number} also concerns facts to which {self.scope.agent_id} may not "
                "write; nothing was written."
            )

    def _standing_again(self, undone: Entries) -> Entries:
        """Take for what a transaction began the same entries where a later revert restored them.

        The first registration of an attribute stays, as episodes do: facts of later transactions
        may rest on it, and it says nothing about the world.
        """
        had_entry = {entry.attribute.name for entry in undone.attributes_ended}
        return replace(
            undone,
            rows_begun=[self._row_again(row) for row in undone.rows_begun],
            evidence_begun=[self._link_again(link) for link in undone.evidence_begun],
            attributes_begun=[
                self._attribute_again(entry)
                for entry in undone.attributes_begun
                if entry.attribute.name in had_entry
            ],
        )

    def _row_again(self, row: Row) -> Row:
        if row.tx_to is None or not row.is_assertion:
            return row
        live = self.unit.live(row.key)
        return next((other for other in live if other.says_the_same(row)), row)

    def _link_again(self, link: EvidenceEntry) -> EvidenceEntry:
        if link.tx_to is None:
            return link
        links = self.unit.evidence(link.key, link.memory_id)
        same = (
            other
            for other in links
            if other.tx_to is None
            and (other.valid_from, other.episode_id, other.span)
            == (link.valid_from, link.episode_id, link.span)
        )
        return next(same, link)

    def _attribute_again(self, entry: AttributeEntry) -> AttributeEntry:
        live = self.unit.attribute(entry.attribute.name)
        return live if live is not None and live.attribute == entry.attribute else entry

    def _refuse_blocked(self, number: int, undone: Entries) -> None:
        blocking = {r.tx_to for r in undone.rows_begun if r.is_assertion and r.tx_to}
        blocking |= {e.tx_to for e in undone.evidence_begun if e.tx_to}
        blocking |= {a.tx_to for a in undone.attributes_begun if a.tx_to}
        blocking |= self._occupying(undone)
        blocking |= self._saying_otherwise(undone)
        blocking |= self._later_attributes(number, undone)
        for event in undone.events:
            blocking |= self._later_events(number, event)
        if blocking:
            names = ", ".join(str(n) for n in sorted(blocking))
            raise Stale(
                f"Transaction {number} cannot be reverted: later work builds on it (transaction "
                f"{names}). Revert that first. Nothing was written."
            )

    def _occupying(self, undone: Entries) -> set[int]:
        """Return the transactions that put something where an ended row must come back."""
        begun = {(r.key, r.valid_from) for r in undone.rows_begun if r.is_assertion}
        return {
            other.tx_from
            for row in undone.rows_ended
            if row.is_assertion and (row.key, row.valid_from) not in begun
            for other in self.unit.live(row.key)
            if other.is_assertion and other.valid_from == row.valid_from
        }

    def _saying_otherwise(self, undone: Entries) -> set[int]:
        """Return the transactions that said again, within a fact, the value that would leave it."""
        begun = {(r.key, r.valid_from) for r in undone.rows_begun if r.is_assertion}
        came_back = [row for row in undone.rows_ended if row.kind is RowKind.FACT]
        return {
            row.tx_from
            for back in came_back
            for row in self.unit.live(back.key)
            if row.kind is RowKind.FACT and row.memory_id == back.memory_id
            if (row.key, row.valid_from) not in begun and value_of(row) != value_of(back)
        }

    def _later_attributes(self, number: int, undone: Entries) -> set[int]:
        """Return the transactions that rest on a registry entry which would go."""
        begun = {a.attribute.name for a in undone.attributes_begun}
        later: set[int] = set()
        for entry in undone.attributes_ended:
            name = entry.attribute.name
            live = self.unit.attribute(name)
            if live is not None and name not in begun:
                later.add(live.tx_from)
            if entry.attribute.cardinality is Cardinality.SINGLE:
                later |= self.unit.slots_after(name, number)
        return later

    def _later_events(self, number: int, event: ConflictEvent) -> set[int]:
        """Return the transactions that changed what an event of a conflict made of it."""
        case = self.unit.conflict(event.conflict_id)
        assert case is not None
        if event.kind is EventKind.STALE or self._still_shows(case, event):
            return set()
        return {e.tx_from for e in case.events if e.tx_from > number}

    def _still_shows(self, case: ConflictCase, event: ConflictEvent) -> bool:
        held = event.claim is not None and any(
            claim.claim_id == event.claim.claim_id for claim in case.claims
        )
        settlement = case.settlement
        match event.kind:
            case EventKind.RAISED | EventKind.JOINED:
                return held and settlement is None
            case EventKind.WITHDRAWN:
                return not held
            case EventKind.SETTLED:
                return settlement is not None and (
                    (settlement.resolution, settlement.claim_id, settlement.reason)
                    == (event.resolution, event.claim_id, event.reason)
                )
            case _:
                return settlement is None

    def _revert_rows(self, draft: Draft, undone: Entries) -> None:
        keys = dict.fromkeys(
            r.key for r in (*undone.rows_begun, *undone.rows_ended) if r.is_assertion
        )
        for key in keys:
            live = self.unit.live(key)
            moves = ledger.restore(
                live,
                undo=[r for r in undone.rows_begun if r.key == key and r.is_assertion],
                bring_back=[r for r in undone.rows_ended if r.key == key and r.is_assertion],
            )
            draft.lanes.append((live, ledger.after(live, moves)))
            self._add_moves(draft.entries, moves, WriteKind.REVERT)

    def _revert_events(self, draft: Draft, undone: Entries, number: int) -> None:
        for event in undone.events:
            case = self.unit.conflict(event.conflict_id)
            assert case is not None
            before = case.as_of(number - 1)
            inverse: ConflictEvent | None = None
            match event.kind:
                case EventKind.RAISED | EventKind.JOINED:
                    inverse = replace(event, kind=EventKind.WITHDRAWN)
                case EventKind.WITHDRAWN:
                    inverse = replace(event, kind=EventKind.JOINED)
                case EventKind.SETTLED:
                    inverse = ConflictEvent(event.conflict_id, EventKind.REOPENED)
                case EventKind.REOPENED if before.settlement is not None:
                    inverse = before.settlement
                case _:
                    continue
            draft.entries.events.append(replace(inverse, tx_from=0, secret=b""))
        for conflict_id in dict.fromkeys(event.conflict_id for event in undone.events):
            self._follow_rows(draft, conflict_id)

    def _follow_rows(self, draft: Draft, conflict_id: str) -> None:
        """Let a conflict that comes back be stale if its standing claim has left meanwhile."""
        case = self.unit.conflict(conflict_id)
        assert case is not None
        entered = [event for event in draft.entries.events if event.conflict_id == conflict_id]
        moves = Moves(tuple(draft.entries.rows_ended), tuple(draft.entries.rows_begun))
        key = case.entry.key
        rows = ledger.after(self.unit.live(key), moves, key)
        event = following(replace(case, events=(*case.events, *entered)), rows)
        if event is not None:
            draft.entries.events.append(event)
