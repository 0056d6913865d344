"""A unit that also sees what was composed and not yet committed, for bulk loads and previews."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from store import ledger
from store.backends.unit import Unit
from store.entry import (
    AttributeEntry,
    ConflictCase,
    Entries,
    EpisodeEntry,
    EvidenceEntry,
    TransactionHeader,
)
from store.ledger import Key, Moves, Row
from store.model import RowKind

if TYPE_CHECKING:
    from collections.abc import Sequence


class Overlay(Unit):
    """Stands before another unit and answers as if pending entries were committed already.

    Pending rows carry the unit's own number, so that rows which begin and end within it can be
    left out in the end: no transaction inserts and ends the same row.
    """

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.number = unit.number
        self.recorded_at = unit.recorded_at
        self.previous = unit.previous
        self.slot_secret = unit.slot_secret
        self._live: dict[Key, list[Row]] = {}
        self._ended: list[Row] = []
        self._keys: dict[str, Key] = {}
        self._corrected: dict[Key, Sequence[Key]] = {}
        self._pending = Entries()
        self._episodes: dict[str, EpisodeEntry] = {}
        self._attributes: dict[str, AttributeEntry] = {}
        self._links: dict[tuple[Key, int], list[EvidenceEntry]] = {}
        self._cases: dict[Key, dict[str, ConflictCase]] = {}

    # -- what was composed --------------------------------------------------------------------

    def absorb(self, entries: Entries) -> None:
        """Take entries of a capture or a change as if they were committed."""
        pending = self._pending
        pending.episodes += entries.episodes
        self._episodes.update({e.draft.episode_id: e for e in entries.episodes})
        for attribute in entries.attributes_begun:
            entry = replace(attribute, tx_from=self.number)
            pending.attributes_begun.append(entry)
            self._attributes[attribute.attribute.name] = entry
        self._absorb_rows(entries)
        for link in entries.evidence_begun:
            entry_link = replace(link, tx_from=self.number)
            pending.evidence_begun.append(entry_link)
            self._links.setdefault((link.key, link.valid_from), []).append(entry_link)
        self._absorb_conflicts(entries)

    def _absorb_rows(self, entries: Entries) -> None:
        begun = [replace(row, tx_from=self.number) for row in entries.rows_begun]
        moves = Moves(tuple(entries.rows_ended), tuple(begun))
        for key in dict.fromkeys(row.key for row in (*moves.ends, *moves.inserts)):
            self._live[key] = ledger.after(self.live(key), moves, key)
        for row in moves.ends:
            if row.tx_from != self.number:
                self._ended.append(row)
        self._keys.update({row.content.memory_id: row.key for row in begun if row.content})

    def _absorb_conflicts(self, entries: Entries) -> None:
        self._pending.conflicts += entries.conflicts
        for entry in entries.conflicts:
            self._cases_on(entry.key)[entry.conflict_id] = ConflictCase(entry, ())
        for event in entries.events:
            dated = replace(event, tx_from=self.number)
            self._pending.events.append(event)
            for cases in self._cases.values():
                case = cases.get(event.conflict_id)
                if case is not None:
                    cases[event.conflict_id] = replace(case, events=(*case.events, dated))

    def entries(self) -> Entries:
        """Return everything pending, netted."""
        pending = self._pending
        pending.rows_ended = self._ended
        pending.rows_begun = [
            row for rows in self._live.values() for row in rows if row.tx_from == self.number
        ]
        return pending

    # -- what is seen -------------------------------------------------------------------------

    def attribute(self, name: str) -> AttributeEntry | None:
        """Return the live registry entry of an attribute."""
        if name not in self._attributes:
            found = self._unit.attribute(name)
            if found is None:
                return None
            self._attributes[name] = found
        return self._attributes[name]

    def episode_length(self, episode_id: str) -> int | None:
        """Return how many characters an episode's content has."""
        pending = self._episodes.get(episode_id)
        if pending is not None:
            return len(pending.draft.content)
        return self._unit.episode_length(episode_id)

    def episode(self, episode_id: str) -> EpisodeEntry | None:
        """Return an episode."""
        return self._episodes.get(episode_id) or self._unit.episode(episode_id)

    def neighbours(self, key: Key, valid_from: int, until: int | None) -> Sequence[Row]:
        """Return all live rows: more than is needed does no harm."""
        return self.live(key)

    def live(self, key: Key) -> Sequence[Row]:
        """Return all live rows of a key."""
        if key not in self._live:
            self._live[key] = list(self._unit.live(key))
        return self._live[key]

    def versions_at(self, key: Key, valid_from: int) -> Sequence[Row]:
        """Return every fact row that ever began at an instant on a key."""
        pending = [
            row
            for row in self._live.get(key, ())
            if row.tx_from == self.number
            and row.valid_from == valid_from
            and row.kind is RowKind.FACT
        ]
        return [*self._unit.versions_at(key, valid_from), *pending]

    def key_of(self, memory_id: str) -> Key | None:
        """Return the key on which a fact has rows."""
        return self._keys.get(memory_id) or self._unit.key_of(memory_id)

    def key_version(self, key: Key) -> int:
        """Return the number of the last transaction that touched a key."""
        return self._unit.key_version(key)

    def corrected_slots(self, key: Key) -> Sequence[Key]:
        """Return the keys of the same attribute whose slots may say another value.

        What is pending are changes, which correct nothing; so they are looked for once.
        """
        place = key._replace(slot="")
        if place not in self._corrected:
            self._corrected[place] = self._unit.corrected_slots(key)
        return self._corrected[place]

    def slots_after(self, attribute: str, number: int) -> set[int]:
        """Return the transactions after one that began live rows in slots of their own."""
        return self._unit.slots_after(attribute, number)

    def evidence(self, key: Key, memory_id: str) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to a fact."""
        pending = [e for e in self._pending.evidence_begun if e.memory_id == memory_id]
        return [*self._unit.evidence(key, memory_id), *pending]

    def evidence_at(self, key: Key, valid_from: int) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to rows that began at an instant on a key."""
        pending = self._links.get((key, valid_from), ())
        return [*self._unit.evidence_at(key, valid_from), *pending]

    def conflict(self, conflict_id: str) -> ConflictCase | None:
        """Return a conflict."""
        for cases in self._cases.values():
            if conflict_id in cases:
                return cases[conflict_id]
        return self._unit.conflict(conflict_id)

    def conflicts(self, key: Key) -> Sequence[ConflictCase]:
        """Return the conflicts ever raised on a key."""
        return list(self._cases_on(key).values())

    def has_conflicts(self, key: Key) -> bool:
        """Say whether any conflict was ever raised on a key."""
        return bool(self._cases.get(key)) or self._unit.has_conflicts(key)

    def _cases_on(self, key: Key) -> dict[str, ConflictCase]:
        if key not in self._cases:
            found = self._unit.conflicts(key)
            self._cases[key] = {case.entry.conflict_id: case for case in found}
        return self._cases[key]

    def header(self, number: int) -> TransactionHeader | None:
        """Return the header of an earlier transaction."""
        return self._unit.header(number)

    def reverts_of(self, number: int) -> Sequence[int]:
        """Return the numbers of the transactions that reverted one."""
        return self._unit.reverts_of(number)

    def entries_of(self, number: int) -> Entries:
        """Return what an earlier transaction began and ended."""
        return self._unit.entries_of(number)

    def commit(self, header: TransactionHeader, entries: Entries, digest: str) -> NoReturn:
        """Refuse: what was composed is committed through the unit behind."""
        raise AssertionError("an overlay has nothing of its own to commit to")
