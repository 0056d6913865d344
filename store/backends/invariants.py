"""What must be true of any record, as plain functions over its rows and transactions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from store import ledger
from store.entry import FIRST_DIGEST, TransactionHeader, transaction_digest
from store.model import RowKind
from store.query import Finding
from store.temporal import iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from store.ledger import Row
    from store.model import Head

RULES = (
    "live rows have different beginnings",
    "stated ends follow beginnings",
    "derived rows follow from the assertions",
    "beliefs end after they begin",
    "transactions are numbered without gaps and rise in time",
    "the chain of digests holds",
    "the outside head is in the chain",
    "sources exist",
    "the rows of a fact say one value",
)
ROW_RULES = (*RULES[:4], RULES[8])
"""Of these, what `row_findings` looks at."""


def where(row: Row) -> str:
    """Name a row for a person."""
    key = row.key
    return f"{key.tenant_id}: {key.subject} / {key.attribute} at {iso(row.valid_from)}"


def row_findings(versions: Sequence[Row]) -> Iterator[Finding]:
    """Check all rows ever held of one key."""
    live = sorted((r for r in versions if r.tx_to is None), key=lambda r: r.valid_from)
    for one, other in pairwise(live):
        if one.valid_from == other.valid_from:
            yield Finding(RULES[0], where(one), "Two live rows begin at one instant.")
    for row in versions:
        if row.until is not None and row.kind is RowKind.FACT and row.until <= row.valid_from:
            yield Finding(RULES[1], where(row), "A fact's stated end is not after its beginning.")
        if row.tx_to is not None and row.tx_to <= row.tx_from:
            yield Finding(RULES[3], where(row), "A belief ends before it begins.")
    yield from _value_findings(live)
    yield from _derived_findings(live)


def _value_findings(live: Sequence[Row]) -> Iterator[Finding]:
    said: dict[str, str | None] = {}
    for row in live:
        if row.kind is RowKind.FACT and row.content is not None:
            value = row.content.value
            if said.setdefault(row.content.memory_id, value) != value:
                yield Finding(RULES[8], where(row), "A fact says two values.")


def _derived_findings(live: Sequence[Row]) -> Iterator[Finding]:
    wanted = {r.valid_from: r for r in ledger.derived(r for r in live if r.is_assertion)}
    found = {r.valid_from: r for r in live if not r.is_assertion}
    for at in sorted(wanted.keys() | found.keys()):
        want, have = wanted.get(at), found.get(at)
        if want is None and have is not None:
            yield Finding(RULES[2], where(have), f"A derived row ({have.kind}) is not due.")
        elif want is not None and (have is None or not want.says_the_same(have)):
            yield Finding(
                RULES[2], where(want), f"A derived row ({want.kind}) is missing or other."
            )


class ChainCheck:
    """Follows one tenant's chain from its first transaction.

    Args:
        tenant_id: for the findings.
        outside: a head kept elsewhere, to be met on the way.
    """

    def __init__(self, tenant_id: str, outside: Head | None = None) -> None:
        self.tenant_id = tenant_id
        self.number = 0
        self.recorded_at: int | None = None
        self.digest = FIRST_DIGEST
        self.entries = 0
        self._outside = outside

    def findings(
        self, header: TransactionHeader, digest: str, entries: Sequence[str]
    ) -> Iterator[Finding]:
        """Check the next transaction.

        Args:
            header: of the transaction.
            digest: that the record has for it.
            entries: digests of what it began and ended, as `Entries.digests` gives them.
        """
        place = f"{self.tenant_id}: transaction {header.number}"
        if header.number != self.number + 1:
            said = f"Transaction {self.number + 1} is missing."
            yield Finding(RULES[4], place, said)
        if self.recorded_at is not None and header.recorded_at <= self.recorded_at:
            yield Finding(RULES[4], place, "Its time is not after its predecessor's.")
        if header.previous != self.digest:
            yield Finding(RULES[5], place, "It does not follow on its predecessor's digest.")
        if transaction_digest(header, entries) != digest:
            yield Finding(RULES[5], place, "Its content does not give its digest.")
        self.number, self.recorded_at, self.digest = header.number, header.recorded_at, digest
        self.entries += len(entries)
        outside = self._outside
        if outside is not None and outside.number == self.number and outside.digest != digest:
            yield Finding(RULES[6], place, "The outside head has another digest for it.")

    def skip(self, header: TransactionHeader, digest: str) -> None:
        """Pass over a transaction without looking at its entries or what is before it."""
        self.number, self.recorded_at, self.digest = header.number, header.recorded_at, digest

    def tail_findings(self) -> Iterator[Finding]:
        """Check the end of the chain."""
        outside = self._outside
        if outside is not None and outside.number > self.number:
            said = f"The outside head names transaction {outside.number}: the tail was cut."
            yield Finding(RULES[6], f"{self.tenant_id}: transaction {self.number}", said)


def source_findings(
    tenant_id: str, cited: Iterable[tuple[str, str]], known: Iterable[str]
) -> Iterator[Finding]:
    """Check that every cited episode exists; `cited` has pairs (episode, who cites it)."""
    captured = set(known)
    for episode_id, citing in cited:
        if episode_id not in captured:
            yield Finding(RULES[7], f"{tenant_id}: {citing}", f"Episode {episode_id} is missing.")
