"""What must be true of one key as of every transaction that touched it.

Between two transactions a key does not change, so its life is followed from touch to touch. The
derived rows can change only where an assertion that came or went is not covered by a later one;
only there they are looked at again. That makes the work grow with the rows and hardly more, however
deeply periods nest: where an assertion shows again after others, a derived row of the same
transaction says so. (Not so for an `end`, which shows as the same gap as another one.)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from store.backends.invariants import RULES, where
from store.ledger import FOREVER, Row
from store.model import ConflictState, RowKind
from store.query import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from store.entry import ConflictCase

_STANDS: Final = "an open conflict has its standing claim in the record"
_NEVER: Final = -FOREVER
"""Before every instant."""
_NOWHERE: Final = FOREVER + 1
"""After every instant, and after every end."""

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
    spoken: defaultdict[int, list[ConflictCase]] = defaultdict(list)
    about: defaultdict[int, list[ConflictCase]] = defaultdict(list)
    for case in cases:
        about[case.entry.standing.valid_from].append(case)
        for number in {event.tx_from for event in case.events}:
            spoken[number].append(case)
    line = _Line(rows)
    for number in sorted(touched.keys() | spoken.keys()):
        ended, begun = touched.get(number, ([], []))
        wrong = list(line.moved(ended, begun))
        if wrong:
            yield from wrong
            return
        changed = {row.valid_from for row in (*ended, *begun)} & about.keys()
        concerned = [*spoken.get(number, ()), *(case for at in changed for case in about[at])]
        for case in {case.entry.conflict_id: case for case in concerned}.values():
            if not line.bears(case.as_of(number)):
                yield Finding(_STANDS, where(case.entry.standing), f"Not in transaction {number}.")


class _Line:
    """The live rows of a key after a transaction.

    Args:
        rows: every row ever held of the key.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._live: dict[int, Row] = {}
        self._starts = _Starts(row.valid_from for row in rows if row.is_assertion)
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
        for first, last in self._windows(ended, begun):
            yield from self._derived_findings(first, last)

    def _enter(self, row: Row) -> None:
        at = row.valid_from
        self._live[at] = row
        if not row.is_assertion:
            insort(self._derived, at)
        elif row.kind is RowKind.FACT and row.content is not None:
            self._said[row.memory_id][row.content.value] += 1

    def _leave(self, row: Row) -> None:
        at = row.valid_from
        del self._live[at]
        if not row.is_assertion:
            del self._derived[bisect_left(self._derived, at)]
        elif row.kind is RowKind.FACT and row.content is not None:
            said = self._said[row.memory_id]
            said[row.content.value] -= 1
            said += Counter()  # drops what is said no more

    def _windows(self, ended: Sequence[Row], begun: Sequence[Row]) -> list[_Window]:
        """Return the stretches in which another row may be derived than before.

        An assertion that came or went counts where no later one covers it, be that live, or of
        those that went now: what such a one hid before is looked at in its own stretches.
        """
        derived = [row.valid_from for row in (*ended, *begun) if not row.is_assertion]
        windows = [(at, at) for at in derived]
        went = {row.valid_from: row for row in ended if row.is_assertion}
        came = {row.valid_from: row for row in begun if row.is_assertion}
        for at in [at for at, row in came.items() if at in went and _same(row, went[at])]:
            del went[at], came[at]
        reached: dict[int, int] = {}
        for at, row in (*went.items(), *came.items()):
            reached[at] = max(reached.get(at, _NEVER), _reach(row))
        for at, reach in reached.items():
            self._starts.put(at, reach)
        for at, reach in reached.items():
            windows += self._starts.showing(at, reach)
        for at in reached:
            self._starts.put(at, _reach(came[at]) if at in came else _NEVER)
        return windows

    def _derived_findings(self, first: int, last: int) -> Iterator[Finding]:
        begins, ends = bisect_left(self._derived, first), bisect_right(self._derived, last)
        found = {at: self._live[at] for at in self._derived[begins:ends]}
        wanted = {row.valid_from: row for row in self._due(first, last)}
        for at in sorted(found.keys() | wanted.keys()):
            have, want = found.get(at), wanted.get(at)
            if want is None and have is not None:
                yield Finding(RULES[2], where(have), f"A derived row ({have.kind}) is not due.")
            elif want is not None and (have is None or not want.says_the_same(have)):
                said = f"A derived row ({want.kind}) is missing or other."
                yield Finding(RULES[2], where(want), said)

    def _due(self, first: int, last: int) -> Iterator[Row]:
        """Yield the rows that belong into a stretch, by the definition of what holds."""
        before, _ = self._holder(first - 1)
        at = first
        while at <= last and at < FOREVER:
            after, until = self._holder(at)
            row = self._live.get(at)
            if after is not before and (row is None or not row.is_assertion):
                if after is not None:
                    yield Row(after.key, at, RowKind.RESUME, after.content, after.until)
                elif before is not None:
                    yield Row(before.key, at, RowKind.GAP, None)
            before = after
            at = min(until, self._starts.after(at))

    def _holder(self, at: int) -> tuple[Row | None, int]:
        """Return the fact that holds at an instant, and until when at most."""
        start = self._starts.holding(at)
        if start is None:
            return None, _NOWHERE
        row = self._live[start]
        if row.kind is RowKind.FACT and _bound(row.until) > at:
            return row, _bound(row.until)
        return None, _reach(row)


class _Starts:
    """The live assertions of a key in the order of their beginnings: who holds, and who shows.

    A binary tree over all beginnings that the key ever has. Each node knows of those below it that
    are live: the first beginning, how far they reach, and the last beginning before which there is
    a gap that none of them covers.

    Args:
        starts: all beginnings.
    """

    def __init__(self, starts: Iterable[int]) -> None:
        self._at = sorted(set(starts))
        self._size = size = 1 << max(len(self._at) - 1, 0).bit_length()
        self._first = [_NOWHERE] * (2 * size)
        self._reach = [_NEVER] * (2 * size)
        self._gap = [_NEVER] * (2 * size)

    def put(self, at: int, reach: int) -> None:
        """Say how far the assertion reaches that begins then; never takes it away."""
        first, reached, gap = self._first, self._reach, self._gap
        node = self._size + bisect_left(self._at, at)
        first[node] = at if reach > _NEVER else _NOWHERE
        reached[node] = reach
        node >>= 1
        while node:
            one, other = 2 * node, 2 * node + 1
            covered = reached[one]
            first[node] = min(first[one], first[other])
            reached[node] = max(covered, reached[other])
            if gap[other] > covered:
                gap[node] = gap[other]
            elif _NEVER < covered < first[other] < _NOWHERE:
                gap[node] = first[other]
            else:
                gap[node] = gap[one]
            node >>= 1

    def holding(self, at: int) -> int | None:
        """Return the last beginning, not after an instant, of what reaches beyond it."""
        position = bisect_right(self._at, at) - 1
        if position < 0:
            return None
        reached, node = self._reach, self._size + position
        while reached[node] <= at:
            while node > 1 and not node & 1:
                node >>= 1
            if node == 1:
                return None
            node -= 1
        while node < self._size:
            node = 2 * node + 1 if reached[2 * node + 1] > at else 2 * node
        return self._at[node - self._size]

    def after(self, at: int) -> int:
        """Return the first beginning after an instant."""
        return next(
            (first for n in self._beyond(at) if (first := self._first[n]) < _NOWHERE), _NOWHERE
        )

    def showing(self, at: int, reach: int) -> Iterator[_Window]:
        """Yield where an assertion shows, with both ends: where no later one covers it."""
        yield at, min(self.after(at), reach)
        covered, following = self._gap_after(at)
        while _NEVER < covered < reach:
            yield covered, min(following, reach)
            covered, following = self._gap_after(following - 1)

    def _gap_after(self, at: int) -> _Window:
        """Return the first gap behind what begins after an instant; it may be without an end.

        Where nothing begins after it, there is no gap, and its beginning is before every instant.
        """
        covered = _NEVER
        for node in self._beyond(at):
            found = self._gap_within(node, covered)
            if found is not None:
                return found
            covered = max(covered, self._reach[node])
        return covered, _NOWHERE

    def _gap_within(self, node: int, covered: int) -> _Window | None:
        """Return the first gap below a node, if all up to an instant is covered already."""
        while not _NEVER < covered < self._first[node] < _NOWHERE:
            if self._gap[node] <= covered:
                return None
            node *= 2
            if self._gap[node] <= covered:
                covered = max(covered, self._reach[node])
                node += 1
        return covered, self._first[node]

    def _beyond(self, at: int) -> Iterator[int]:
        """Yield the nodes, from left to right, that have all beginnings after an instant."""
        position = bisect_right(self._at, at)
        if position == self._size:
            return
        node = self._size + position
        while True:
            yield node
            while node & 1:
                node >>= 1
            if not node:
                return
            node += 1


def _same(one: Row, other: Row) -> bool:
    """Say whether two assertions leave the same derived rows."""
    if one.kind is RowKind.END is other.kind:
        return one.until == other.until
    return one.says_the_same(other)


def _reach(row: Row) -> int:
    return max(_untils(row))


def _untils(row: Row) -> Iterator[int]:
    """Yield the end of each assertion that a row makes; open ones do not end."""
    yield _bound(row.until)
    if row.over is not None:
        yield _bound(row.over[1])


def _bound(until: int | None) -> int:
    return FOREVER if until is None else until
