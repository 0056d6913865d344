"""An overlay for claims that come in order of time: it looks at what is near, not at whole keys."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from store.backends.overlay import Overlay
from store.backends.sqlite.unit import FEW
from store.entry import ConflictCase
from store.model import RowKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from store.backends.unit import Unit
    from store.entry import ConflictEntry, ConflictEvent, Entries
    from store.ledger import Key, Row

_START: Final = attrgetter("valid_from")


@dataclass(slots=True)
class _Sweep:
    """How far the claims on a key have come.

    Attributes:
        passed: how many rows lie before the last claim.
        open: the last passed assertion without a stated end; what is before it holds no more.
        bounded: the assertions passed after it that may still hold.
    """

    passed: int = 0
    at: int = -(2**63)
    open: Row | None = None
    bounded: list[Row] = field(default_factory=list)

    def pass_by(self, row: Row) -> None:
        """Take note of a row that now lies before the claims."""
        if not row.is_assertion:
            return
        if row.until is None or (row.over is not None and row.over[1] is None):
            self.open, self.bounded = row, []
        if row.until is not None:
            self.bounded.append(row)


def _may_hold(row: Row, at: int) -> bool:
    under = row.over[1] if row.over is not None else None
    return max(row.until or at, under or 0) >= at


class SweepOverlay(Overlay):
    """An overlay whose cost does not grow with the rows of a key, if claims come in order."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self._sweeps: dict[Key, _Sweep] = {}
        self._near: dict[Key, dict[int, dict[str, None]]] = {}
        self._keys_of_conflicts: dict[str, Key] = {}

    def neighbours(self, key: Key, valid_from: int, until: int | None) -> Sequence[Row]:
        """Return the rows around a claim, as `Unit.neighbours` says."""
        rows = self.live(key)
        if len(rows) <= FEW:
            return rows
        position = bisect_left(rows, valid_from, key=_START)
        near = self._before(key, valid_from, position)
        near += self._after(rows, position, until)
        by_start = {row.valid_from: row for row in near}
        return [by_start[at] for at in sorted(by_start)]

    def _before(self, key: Key, valid_from: int, position: int) -> list[Row]:
        rows = self.live(key)
        sweep = self._sweeps.setdefault(key, _Sweep())
        if valid_from < sweep.at:
            sweep = self._sweeps[key] = _Sweep()
        for row in rows[sweep.passed : position]:
            sweep.pass_by(row)
        sweep.passed, sweep.at = position, valid_from
        sweep.bounded = [row for row in sweep.bounded if _may_hold(row, valid_from)]
        found = [*sweep.bounded, *rows[max(position - 1, 0) : position]]
        return found if sweep.open is None else [*found, sweep.open]

    def _after(self, rows: Sequence[Row], position: int, until: int | None) -> list[Row]:
        found: list[Row] = []
        cut = position
        for cut in range(position, len(rows)):
            row = rows[cut]
            found.append(row)
            is_open = row.is_assertion and row.until is None
            if is_open or (until is not None and row.valid_from >= until):
                break
        found += rows[cut + 1 : cut + 2]
        if until is not None:
            end = bisect_left(rows, until, key=_START)
            found += [r for r in rows[cut + 1 : end] if r.is_assertion and (r.until or 0) > until]
        return found

    def versions_at(self, key: Key, valid_from: int) -> Sequence[Row]:
        """Return every fact row that ever began at an instant on a key."""
        rows = self._live.get(key, [])
        position = bisect_left(rows, valid_from, key=_START)
        pending = [
            row
            for row in rows[position : position + 1]
            if row.valid_from == valid_from
            and row.tx_from == self.number
            and row.kind is RowKind.FACT
        ]
        return [*self._unit.versions_at(key, valid_from), *pending]

    def _absorb_rows(self, entries: Entries) -> None:
        for row in entries.rows_ended:
            rows = self._rows_of(row.key)
            del rows[bisect_left(rows, row.valid_from, key=_START)]
            if row.tx_from != self.number:
                self._ended.append(row)
        for row in entries.rows_begun:
            rows = self._rows_of(row.key)
            begun = replace(row, tx_from=self.number)
            rows.insert(bisect_left(rows, row.valid_from, key=_START), begun)
            if row.content is not None:
                self._keys[row.content.memory_id] = row.key

    # -- conflicts ----------------------------------------------------------------------------

    def conflicts_near(self, key: Key, valid_from: int) -> Sequence[ConflictCase]:
        """Return the conflicts on a key whose standing row, or one of their claims, begins then."""
        cases = self._cases_on(key)
        return [cases[identity] for identity in self._instants(key).get(valid_from, ())]

    def _instants(self, key: Key) -> dict[int, dict[str, None]]:
        if key not in self._near:
            self._near[key] = {}
            for case in self._cases_on(key).values():
                self._note(case.entry, case.events)
        return self._near[key]

    def _note(self, entry: ConflictEntry, events: Iterable[ConflictEvent]) -> None:
        self._keys_of_conflicts[entry.conflict_id] = entry.key
        near = self._near[entry.key]
        near.setdefault(entry.standing.valid_from, {})[entry.conflict_id] = None
        for event in events:
            if event.claim is not None:
                near.setdefault(event.claim.row.valid_from, {})[entry.conflict_id] = None

    def _absorb_conflicts(self, entries: Entries) -> None:
        self._pending.conflicts += entries.conflicts
        for entry in entries.conflicts:
            self._instants(entry.key)
            self._cases_on(entry.key)[entry.conflict_id] = ConflictCase(entry, ())
            self._note(entry, ())
        for event in entries.events:
            self._pending.events.append(event)
            cases = self._cases[self._keys_of_conflicts[event.conflict_id]]
            case = cases[event.conflict_id]
            dated = replace(event, tx_from=self.number)
            cases[event.conflict_id] = replace(case, events=(*case.events, dated))
            self._note(case.entry, (event,))

    def _rows_of(self, key: Key) -> list[Row]:
        self.live(key)
        return self._live[key]

    @property
    def looked_at(self) -> dict[Key, list[Row]]:
        """The live rows of each key that was looked at, pending ones among them, in that order."""
        return self._live
