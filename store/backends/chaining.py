"""A chain recomputed from entries that come in any order, in little memory."""

from __future__ import annotations

from array import array
from mmap import mmap
from typing import TYPE_CHECKING, Final

from store.backends.admission import refused
from store.entry import FIRST_DIGEST, transaction_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.history import Sealed

_WIDTH: Final = 33
"""A sign and the 32 bytes of a digest."""


class Chain:
    """Collects the digests of entries for the transactions that began and ended them.

    Each has its place in one stretch of memory, of which only what is written to is ever used: a
    record that claims more entries than it has costs nothing.
    """

    def __init__(self) -> None:
        self._ends = array("q", [0])
        self._next = array("q", [0])
        self._digests: mmap | None = None

    def expect(self, entries: int) -> None:
        """Make room for the entries of the next transaction."""
        self._next.append(self._ends[-1])
        self._ends.append(self._ends[-1] + entries)

    def add(self, number: int, sign: bytes, digest: str) -> None:
        """Take the digest of an entry, begun ("+") or ended ("-") by a transaction."""
        place = self._next[number]
        if place == self._ends[number]:
            raise refused(f"transaction {number}", "it has more entries than it says")
        if self._digests is None:
            self._digests = self._room()
        self._next[number] = place + 1
        at = place * _WIDTH
        self._digests[at : at + _WIDTH] = sign + bytes.fromhex(digest)

    def _room(self) -> mmap:
        try:
            return mmap(-1, self._ends[-1] * _WIDTH)
        except (OSError, OverflowError, ValueError) as error:
            said = f"there is no room for {self._ends[-1]:,} entries ({error})"
            raise refused("the transactions", said) from error

    def check(self, transactions: Iterable[Sealed]) -> None:
        """Compare the digests of all transactions with what their entries give.

        Raises:
            Corrupt: one has fewer entries than it says, or another digest.
        """
        previous = FIRST_DIGEST
        for sealed in transactions:
            header = sealed.header
            number = header.number
            where = f"transaction {number}"
            if header.previous != previous:
                raise refused(where, "it does not follow on its predecessor's digest")
            if self._next[number] != self._ends[number]:
                raise refused(where, "it has fewer entries than it says")
            if transaction_digest(header, self._of(number)) != sealed.digest:
                raise refused(where, "its entries do not give its digest")
            previous = sealed.digest

    def _of(self, number: int) -> list[str]:
        """Return the digests of one transaction, as `Entries.digests` gives them."""
        digests = self._digests
        if digests is None:
            return []
        places = range(self._ends[number - 1] * _WIDTH, self._ends[number] * _WIDTH, _WIDTH)
        return [
            digests[at : at + 1].decode() + digests[at + 1 : at + _WIDTH].hex() for at in places
        ]
