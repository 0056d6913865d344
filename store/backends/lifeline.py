"""What must be true of one key as of every transaction that touched it.

Between two transactions a key does not change, so its life is followed from touch to touch. The
derived rows can change only where an assertion that came or went reached; only there they are made
again, from the assertions that can hold there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from store import ledger
from store.backends.invariants import RULES, where
from store.ledger import FOREVER
from store.model import ConflictState, RowKind
from store.query import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from store.entry import ConflictCase
    from store.ledger import Row

_STANDS: Final = "an open conflict has its standing claim in the record"
_FEW: Final = 4
"""So many stretches that changed at once are looked at one by one."""

_Window = tuple[int, int]


def is_plain(rows: Sequence[Row]) -> bool:
    """Say whether all rows of a key are single facts without stated ends, and still believed.

    Nothing is derived on such a key, and no state of it was other than its beginnings say.
    """
    return all(
        row.kind is RowKind.FACT and row.until is None and row.tx_to is None and row.over is None
        for row in rows
    ) and len({row.memory_id for row in rows}) == len(rows)


def findings(rows: Sequence[Row], cases: Sequence[ConflictCase] = ()) -> Iterator[Finding]:
    """Follow a key from its first transaction to its last, or to the first that is wrong.

    Args:
        rows: every row ever held of the key.
        cases: the conflicts on it.
    """
    touched: dict[int, tuple[list[Row], list[Row]]] = {}
    for row in rows:
        touched.setdefault(row.tx_from, ([], []))[1].append(row)
        if row.tx_to is not None:
            touched.setdefault(row.tx_to, ([], []))[0].append(row)
    spoken = {event.tx_from for case in cases for event in case.events}
    line = _Line()
    for number in sorted(touched.keys() | spoken):
        ended, begun = touched.get(number, ([], []))
        wrong = list(line.moved(ended, begun))
        if wrong:
            yield from wrong
            return
        changed = {row.valid_from for row in (*ended, *begun)}
        for case in cases:
            concerned = case.entry.standing.valid_from in changed or number in spoken
            if concerned and not line.bears(case.as_of(number)):
                yield Finding(_STANDS, where(case.entry.standing), f"Not in transaction {number}.")


class _Line:
    """The live rows of a key after a transaction."""

    def __init__(self) -> None:
        self._live: dict[int, Row] = {}
        self._starts: list[int] = []
        self._open: list[int] = []
        self._bounds: list[tuple[int, int]] = []
        self._derived: list[int] = []
        self._said: defaultdict[str | None, Counter[str | None]] = defaultdict(Counter)

    def bears(self, case: ConflictCase) -> bool:
        """Say whether a conflict, as it stands, has its standing claim if it is open."""
        if not case.events or case.state is not ConflictState.OPEN:
            return True
        standing = case.entry.standing
        row = self._live.get(standing.valid_from)
        return row is not None and row.kind is RowKind.FACT and row.memory_id == standing.memory_id

    def moved(self, ended: Sequence[Row], begun: Sequence[Row]) -> Iterator[Finding]:
        """Take what a transaction did to the key, and check what is live then."""
        for row in ended:
            self._leave(row)
        for row in begun:
            if row.valid_from in self._live:
                yield Finding(RULES[0], where(row), "Two live rows begin at one instant.")
                return
            self._enter(row)
            if len(self._said[row.memory_id]) > 1:
                yield Finding(RULES[8], where(row), "A fact says two values.")
        for first, last in self._windows((*ended, *begun)):
            yield from self._derived_findings(first, last)

    def _enter(self, row: Row) -> None:
        at = row.valid_from
        self._live[at] = row
        if not row.is_assertion:
            insort(self._derived, at)
            return
        if row.kind is RowKind.FACT and row.content is not None:
            self._said[row.memory_id][row.content.value] += 1
        insort(self._starts, at)
        for until in _untils(row):
            if until is None:
                insort(self._open, at)
            else:
                insort(self._bounds, (until, at))

    def _leave(self, row: Row) -> None:
        at = row.valid_from
        del self._live[at]
        if not row.is_assertion:
            del self._derived[bisect_left(self._derived, at)]
            return
        if row.kind is RowKind.FACT and row.content is not None:
            said = self._said[row.memory_id]
            said[row.content.value] -= 1
            said += Counter()  # drops what is said no more
        del self._starts[bisect_left(self._starts, at)]
        for until in _untils(row):
            if until is None:
                del self._open[bisect_left(self._open, at)]
            else:
                del self._bounds[bisect_left(self._bounds, (until, at))]

    def _windows(self, changed: Iterable[Row]) -> list[_Window]:
        """Return the stretches in which another row may be derived than before."""
        windows = sorted(window for row in changed for window in self._reached(row))
        if len(windows) > _FEW:
            return [(windows[0][0], max(last for _, last in windows))]
        return windows

    def _reached(self, row: Row) -> Iterator[_Window]:
        at = row.valid_from
        if not row.is_assertion:
            yield at, at
            return
        following = bisect_right(self._open, at)
        cut = self._open[following] if following < len(self._open) else FOREVER
        for until in _untils(row):
            yield at, cut if until is None else min(cut, until)

    def _derived_findings(self, first: int, last: int) -> Iterator[Finding]:
        begins, ends = bisect_left(self._derived, first), bisect_right(self._derived, last)
        found = {at: self._live[at] for at in self._derived[begins:ends]}
        wanted = {
            row.valid_from: row
            for row in ledger.derived(self._candidates(first, last))
            if first <= row.valid_from <= last
        }
        for at in sorted(found.keys() | wanted.keys()):
            have, want = found.get(at), wanted.get(at)
            if want is None and have is not None:
                yield Finding(RULES[2], where(have), f"A derived row ({have.kind}) is not due.")
            elif want is not None and (have is None or not want.says_the_same(have)):
                said = f"A derived row ({want.kind}) is missing or other."
                yield Finding(RULES[2], where(want), said)

    def _candidates(self, first: int, last: int) -> list[Row]:
        """Return the assertions that can hold just before or within a stretch."""
        starts = self._starts
        chosen = set(starts[bisect_left(starts, first) : bisect_right(starts, last)])
        before = bisect_left(self._open, first)
        if before:
            chosen.add(self._open[before - 1])
        reaching = self._bounds[bisect_left(self._bounds, (first, -FOREVER)) :]
        chosen.update(at for _, at in reaching if at <= last)
        return [self._live[at] for at in sorted(chosen)]


def _untils(row: Row) -> Iterator[int | None]:
    """Yield the stated end, or None for an open one, of each assertion that a row makes."""
    yield row.until
    if row.over is not None:
        yield row.over[1]
