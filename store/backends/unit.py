"""A unit of work: what a backend must offer so that the acts of the contract can be written once.

A unit is one transaction on one tenant's ledger, begun with the tenant's head locked. `acts`
composes what a write means from a unit's reads; the unit commits the result atomically.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

from store.entry import (
    SECRET_BYTES,
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    ConflictEntry,
    ConflictEvent,
    Entries,
    EpisodeEntry,
    EvidenceEntry,
    TransactionHeader,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.ids import Entropy
    from store.ledger import Key, Row


class Unit(ABC):
    """One transaction on one tenant, not yet committed.

    Attributes:
        number: the number that it will have.
        recorded_at: its transaction time, later than the tenant's last; microseconds since 1970.
        previous: digest of the tenant's newest transaction.
        slot_secret: key of the tenant's slot digests.
    """

    number: int
    recorded_at: int
    previous: str
    slot_secret: bytes

    @abstractmethod
    def attribute(self, name: str) -> AttributeEntry | None:
        """Return the live registry entry of an attribute."""

    @abstractmethod
    def episode_length(self, episode_id: str) -> int | None:
        """Return how many characters an episode's content has; None if it was never captured."""

    @abstractmethod
    def episode(self, episode_id: str) -> EpisodeEntry | None:
        """Return an episode."""

    @abstractmethod
    def neighbours(self, key: Key, valid_from: int, until: int | None) -> Sequence[Row]:
        """Return the live rows that `ledger.decide` needs for a claim, and a little more.

        That is: the nearest assertion before `valid_from` without a stated end; every assertion
        before it whose stated end is ≥ `valid_from`; the last live row before it; every live row
        from `valid_from` to the first later assertion without a stated end, or to `until`,
        whichever comes first, both included; every assertion in (`valid_from`, `until`) whose
        stated end is > `until`; and the first live row after all those. More does no harm.
        """

    @abstractmethod
    def live(self, key: Key) -> Sequence[Row]:
        """Return all live rows of a key."""

    @abstractmethod
    def versions_at(self, key: Key, valid_from: int) -> Sequence[Row]:
        """Return every fact row that ever began at an instant on a key, live or not."""

    @abstractmethod
    def key_of(self, memory_id: str) -> Key | None:
        """Return the key on which a fact has rows."""

    @abstractmethod
    def key_version(self, key: Key) -> int:
        """Return the number of the last transaction that touched a row of a key; 0 if none did."""

    @abstractmethod
    def corrected_slots(self, key: Key) -> Sequence[Key]:
        """Return the keys of the same attribute, in slots of their own, that may say another value.

        A slot is made for a value; a live fact in it may have been corrected since. Those are the
        keys with a live fact row that neither a change nor a load began.
        """

    @abstractmethod
    def slots_after(self, attribute: str, number: int) -> set[int]:
        """Return the transactions after one that began live rows in slots of their own.

        They rest on the attribute being multi-valued.
        """

    @abstractmethod
    def evidence(self, key: Key, memory_id: str) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to a fact, live or not."""

    @abstractmethod
    def evidence_at(self, key: Key, valid_from: int) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to rows that began at an instant on a key."""

    @abstractmethod
    def conflict(self, conflict_id: str) -> ConflictCase | None:
        """Return a conflict."""

    @abstractmethod
    def conflicts(self, key: Key) -> Sequence[ConflictCase]:
        """Return the conflicts ever raised on a key."""

    def conflicts_near(self, key: Key, valid_from: int) -> Sequence[ConflictCase]:
        """Return the conflicts on a key whose standing row, or one of their claims, begins then.

        More do no harm: this is for keys on which very many were raised.
        """
        return self.conflicts(key)

    @abstractmethod
    def has_conflicts(self, key: Key) -> bool:
        """Say quickly whether any conflict was ever raised on a key."""

    @abstractmethod
    def header(self, number: int) -> TransactionHeader | None:
        """Return the header of an earlier transaction."""

    @abstractmethod
    def reverts_of(self, number: int) -> Sequence[int]:
        """Return the numbers of the transactions that reverted one."""

    @abstractmethod
    def entries_of(self, number: int) -> Entries:
        """Return what an earlier transaction began and ended, with `tx_to` as it is now."""

    @abstractmethod
    def commit(self, header: TransactionHeader, entries: Entries, digest: str) -> None:
        """Write sealed entries and the transaction, and commit.

        Raises:
            Stale: a uniqueness rule of the database refused a row.
        """


def seal(entries: Entries, number: int, entropy: Entropy) -> Entries:
    """Give planned entries their transaction number and secrets."""
    rows = [
        replace(r, tx_from=number, tx_to=None, secret=entropy(SECRET_BYTES))
        for r in entries.rows_begun
    ]
    return seal_others(entries, rows, number, entropy)


def seal_others(entries: Entries, rows: list[Row], number: int, entropy: Entropy) -> Entries:
    """Seal planned entries whose rows are sealed already, and given."""

    def secret() -> bytes:
        return entropy(SECRET_BYTES)

    def sealed_event(event: ConflictEvent) -> ConflictEvent:
        claim = event.claim
        if claim is not None and not claim.row.secret:
            claim = ClaimEntry(claim.claim_id, replace(claim.row, secret=secret()))
        return replace(event, claim=claim, tx_from=number, secret=secret())

    begun = {(row.key, row.valid_from): row for row in rows}

    def sealed_conflict(conflict: ConflictEntry) -> ConflictEntry:
        standing = conflict.standing
        if standing.tx_from != number:
            return conflict
        return replace(conflict, standing=begun[standing.key, standing.valid_from])

    return Entries(
        episodes=[replace(e, tx_from=number, secret=secret()) for e in entries.episodes],
        attributes_ended=entries.attributes_ended,
        attributes_begun=[replace(a, tx_from=number) for a in entries.attributes_begun],
        rows_ended=entries.rows_ended,
        rows_begun=rows,
        evidence_ended=entries.evidence_ended,
        evidence_begun=[replace(e, tx_from=number, tx_to=None) for e in entries.evidence_begun],
        conflicts=[sealed_conflict(c) for c in entries.conflicts],
        events=[sealed_event(e) for e in entries.events],
    )
