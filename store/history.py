"""A tenant's whole record as of one transaction: what snapshots are made of and restores take.

The record is told section by section, each in a fixed order, so that the same record is told with
the same words wherever it is kept. What was ended after the transaction is told as not ended, and
what began after it is not told: a history as of N is the same whenever it is asked for.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.entry import (
        AttributeEntry,
        ConflictCase,
        EpisodeEntry,
        EvidenceEntry,
        TransactionHeader,
    )
    from store.ledger import Key, Row
    from store.model import Head


def key_order(key: Key) -> tuple[str, ...]:
    """Return by what the keys of a record are ordered: subject, attribute, owner, slot."""
    return key.subject, key.attribute, key.owner, key.slot


def link_order(link: EvidenceEntry) -> tuple[Any, ...]:
    """Return by what the links of one key are ordered."""
    return (
        link.valid_from,
        link.tx_from,
        link.memory_id,
        link.episode_id,
        link.span or (),
        link.row_tx,
    )


class Sealed(NamedTuple):
    """A transaction as the chain holds it.

    Attributes:
        digest: SHA-256 in hex, by the rule of `store.entry`.
        entries: how many entries of the record it began and ended.
        total: how many the ledger has begun and ended up to here.
    """

    header: TransactionHeader
    digest: str
    entries: int
    total: int


class History(ABC):
    """One tenant's record as of its transaction `head.number`.

    Sections may be read in any order, several at once, and more than once; each answer is a stream
    that holds little at a time. Names are ordered by code points.

    Attributes:
        store_id: the store in which the tenant's chain began.
        tenant_id: whose record it is.
        slot_secret: from which slots of multi-valued attributes are made.
        head: the end of the chain as of the transaction.
    """

    store_id: str
    tenant_id: str
    slot_secret: bytes
    head: Head

    @abstractmethod
    def transactions(self) -> Iterator[Sealed]:
        """Yield the transactions from the first to the head's."""

    @abstractmethod
    def attributes(self) -> Iterator[AttributeEntry]:
        """Yield the registry entries ever begun, by name and the transaction that began them."""

    @abstractmethod
    def episodes(self) -> Iterator[EpisodeEntry]:
        """Yield the episodes by the transaction that captured them, then by id."""

    @abstractmethod
    def rows(self) -> Iterator[Row]:
        """Yield every row ever held.

        The order is subject, attribute, owner, slot, `valid_from`, `tx_from`.
        """

    @abstractmethod
    def evidence(self) -> Iterator[EvidenceEntry]:
        """Yield the further links from facts to episodes.

        The order is subject, attribute, owner, slot, `valid_from`, `tx_from`, memory id, episode id
        and span, those without a span first.
        """

    @abstractmethod
    def conflicts(self) -> Iterator[ConflictCase]:
        """Yield the conflicts with their events up to the head's transaction.

        The order is subject, attribute, owner, slot, conflict id. The standing row of each is told
        as it stood when the conflict was raised: not ended.
        """
