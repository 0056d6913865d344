"""A unit of work on SQLite: what the acts read while the write lock is held.

These are the hot statements of writing, so they are plain SQL on the driver's connection. What a
statement has told (a key's number, an episode's) is kept for the commit.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Final

from store.backends.sqlite import codec
from store.backends.sqlite.ledger import ROWS
from store.backends.sqlite.writer import LedgerWriter
from store.backends.unit import Unit
from store.model import (
    RowKind,
    WriteKind,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from store.entry import (
        AttributeEntry,
        ConflictCase,
        EpisodeEntry,
        EvidenceEntry,
        TransactionHeader,
    )
    from store.ledger import Key, Row


FEW: Final = 64
"""So many live rows of a key with stated ends are fetched rather than searched."""

#: The plus keeps the planner from walking the whole tenant: an id has few rows.
_KEY_OF: Final = "SELECT key_id FROM fact WHERE memory_id = ? AND +tenant_no = ? LIMIT 1"
_CORRECTED_SLOTS: Final = f"""
SELECT DISTINCT k.slot FROM key k JOIN fact f ON f.key_id = k.key_id
JOIN tx x ON x.tenant_no = k.tenant_no AND x.number = f.tx_from
WHERE k.tenant_no = ? AND k.subject = ? AND k.attribute = ? AND k.owner = ? AND k.slot <> ''
  AND f.tx_to IS NULL AND f.kind = {codec.KIND_NO[RowKind.FACT]}
  AND x.kind NOT IN ({codec.WRITE_NO[WriteKind.CHANGE]}, {codec.WRITE_NO[WriteKind.LOAD]})
ORDER BY k.slot"""
_SLOTS_AFTER: Final = """
SELECT DISTINCT f.tx_from FROM fact f JOIN key k ON k.key_id = f.key_id
WHERE f.tenant_no = ? AND f.tx_from > ? AND f.tx_to IS NULL AND k.attribute = ? AND k.slot <> ''"""
_LIVE_ROWS: Final = f"""
SELECT {codec.ROW} FROM fact f INDEXED BY fact_live
LEFT JOIN episode e ON e.episode_no = f.episode_no WHERE f.key_id = ? AND f.tx_to IS NULL """
_LIVE: Final = _LIVE_ROWS + "ORDER BY f.valid_from"
_FIRST_LIVE: Final = _LIVE + " LIMIT ?"
_UP_TO: Final = _LIVE_ROWS + "AND f.valid_from <= ? ORDER BY f.valid_from DESC LIMIT 2"
_AFTER: Final = _LIVE_ROWS + "AND f.valid_from > ? ORDER BY f.valid_from LIMIT 2"
_ALL_AFTER: Final = _LIVE_ROWS + "AND f.valid_from > ? ORDER BY f.valid_from"
_OPEN_BEFORE: Final = (
    _LIVE_ROWS
    + "AND f.valid_from < ? AND f.kind < 2 AND f.until IS NULL ORDER BY f.valid_from DESC LIMIT 1"
)
_REACHING: Final = f"""
SELECT {codec.ROW} FROM fact f INDEXED BY fact_bounded
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE f.key_id = ? AND f.tx_to IS NULL AND f.until IS NOT NULL AND f.kind < 2
  AND f.until >= ? AND f.valid_from < ? """
_HAS_OVER: Final = "SELECT 1 FROM fact WHERE key_id = ? AND over IS NOT NULL LIMIT 1"
_VERSIONS_AT: Final = ROWS + "f.key_id = ? AND f.valid_from = ? AND f.kind = 0"
_KEY_VERSION: Final = "SELECT max(tx_from), max(tx_to) FROM fact WHERE key_id = ?"
_NEAR: Final = """c.conflict_no IN (
  SELECT conflict_no FROM conflict WHERE key_id = ? AND standing_from = ?
  UNION SELECT conflict_no FROM claim WHERE key_id = ? AND valid_from = ?)"""


class SqliteUnit(LedgerWriter, Unit):
    """One transaction; the write lock is held, or for a glance a read transaction."""

    def expect_episodes(self, identities: Iterable[str]) -> None:
        """Look up many episodes at once, so that asking for one by one costs nothing."""
        wanted = dict.fromkeys(i for i in identities if i not in self._episodes)
        found = self.connection.execute(
            "SELECT e.episode_id, e.episode_no, e.length FROM json_each(?) j "
            # CROSS keeps the planner from walking all episodes for each identity.
            "CROSS JOIN episode e ON e.tenant_no = ? AND e.episode_id = j.value",
            (json.dumps(list(wanted)), self.tenant_no),
        ).fetchall()
        self._episodes.update(wanted)
        self._episodes.update({columns[0]: (columns[1], columns[2]) for columns in found})

    def attribute(self, name: str) -> AttributeEntry | None:
        """Return the live registry entry of an attribute."""
        found = self.attributes("name = ? AND tx_to IS NULL", name)
        return found[0] if found else None

    def episode_length(self, episode_id: str) -> int | None:
        """Return how many characters an episode's content has."""
        found = self.episode_found(episode_id)
        return None if found is None else found[1]

    def episode(self, episode_id: str) -> EpisodeEntry | None:
        """Return an episode."""
        if self._episodes.get(episode_id, ()) is None:
            return None  # looked up before, and not there
        found = self.episodes("episode_id = ?", episode_id)
        return found[0] if found else None

    def neighbours(self, key: Key, valid_from: int, until: int | None) -> Sequence[Row]:
        """Return the live rows around a claim."""
        found = self.key_found(key)
        if found is None:
            return ()
        if not found.is_bounded:
            # Without stated ends nothing is derived and each row ends at the next.
            rows = self.rows(key, _UP_TO, found.key_id, valid_from)
            rows.reverse()
            if until is None:
                return rows + self.rows(key, _AFTER, found.key_id, valid_from)
            return rows + self._after(key, found.key_id, valid_from, until)
        rows = self.rows(key, _FIRST_LIVE, found.key_id, FEW + 1)
        if len(rows) <= FEW:
            return rows
        if self.connection.execute(_HAS_OVER, (found.key_id,)).fetchone() is not None:
            # An `end` under a stated period counts too, and no index tells where it reaches.
            return self.live(key)
        return self._searched(key, found.key_id, valid_from, until)

    def _searched(self, key: Key, key_id: int, valid_from: int, until: int | None) -> list[Row]:
        rows = self.rows(key, _UP_TO, key_id, valid_from)
        rows += self.rows(key, _OPEN_BEFORE, key_id, valid_from)
        rows += self.rows(key, _REACHING, key_id, valid_from, valid_from)
        rows += self._after(key, key_id, valid_from, until)
        if until is not None:
            beyond = _REACHING + "AND f.valid_from > ?"
            rows += self.rows(key, beyond, key_id, until + 1, until, valid_from)
        by_start = {row.valid_from: row for row in rows}
        return [by_start[at] for at in sorted(by_start)]

    def _after(self, key: Key, key_id: int, valid_from: int, until: int | None) -> list[Row]:
        """Return the rows after an instant up to the first that cuts, and one more."""
        cursor = self.connection.execute(_ALL_AFTER, (key_id, valid_from))
        rows: list[Row] = []
        for columns in cursor:
            row = codec.row_of(key, columns, self.name)
            rows.append(row)
            cuts = row.is_assertion and row.until is None
            if cuts or (until is not None and row.valid_from >= until):
                rows += [codec.row_of(key, c, self.name) for c in islice(cursor, 1)]
                break
        cursor.close()
        return rows

    def live(self, key: Key) -> Sequence[Row]:
        """Return all live rows of a key."""
        found = self.key_found(key)
        return self.rows(key, _LIVE, found.key_id) if found else ()

    def versions_at(self, key: Key, valid_from: int) -> Sequence[Row]:
        """Return every fact row that ever began at an instant on a key."""
        found = self.key_found(key)
        if found is None:
            return ()
        rows = self.connection.execute(_VERSIONS_AT, (found.key_id, valid_from)).fetchall()
        return [codec.row_of(key, columns[:-1], self.name) for columns in rows]

    def key_of(self, memory_id: str) -> Key | None:
        """Return the key on which a fact has rows."""
        place = (codec.pack_id(memory_id), self.tenant_no)
        found = self.connection.execute(_KEY_OF, place).fetchone()
        return None if found is None else self.key_by_no(found[0])

    def key_version(self, key: Key) -> int:
        """Return the number of the last transaction that touched a row of a key."""
        found = self.key_found(key)
        if found is None:
            return 0
        began, ended = self.connection.execute(_KEY_VERSION, (found.key_id,)).fetchone()
        return max(began or 0, ended or 0)

    def corrected_slots(self, key: Key) -> Sequence[Key]:
        """Return the keys of the same attribute whose slots may say another value."""
        place = (self.tenant_no, key.subject, key.attribute, key.owner)
        found = self.connection.execute(_CORRECTED_SLOTS, place).fetchall()
        return [key._replace(slot=slot) for (slot,) in found]

    def slots_after(self, attribute: str, number: int) -> set[int]:
        """Return the transactions after one that began live rows in slots of their own."""
        place = (self.tenant_no, number, attribute)
        return {found[0] for found in self.connection.execute(_SLOTS_AFTER, place).fetchall()}

    def evidence(self, key: Key, memory_id: str) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to a fact."""
        return self.links(
            "v.memory_id = ? AND +v.tenant_no = ?", codec.pack_id(memory_id), self.tenant_no
        )

    def evidence_at(self, key: Key, valid_from: int) -> Sequence[EvidenceEntry]:
        """Return every evidence link ever made to rows that began at an instant on a key."""
        found = self.key_found(key)
        if found is None:
            return ()
        return self.links("v.key_id = ? AND v.valid_from = ?", found.key_id, valid_from)

    def conflict(self, conflict_id: str) -> ConflictCase | None:
        """Return a conflict."""
        found = self.cases("c.conflict_id = ?", codec.pack_id(conflict_id))
        return found[0] if found else None

    def conflicts(self, key: Key) -> Sequence[ConflictCase]:
        """Return the conflicts ever raised on a key."""
        found = self.key_found(key)
        return self.cases("c.key_id = ?", found.key_id) if found else ()

    def conflicts_near(self, key: Key, valid_from: int) -> Sequence[ConflictCase]:
        """Return the conflicts on a key whose standing row, or one of their claims, begins then."""
        found = self.key_found(key)
        if found is None:
            return ()
        return self.cases(_NEAR, found.key_id, valid_from, found.key_id, valid_from)

    def has_conflicts(self, key: Key) -> bool:
        """Say quickly whether any conflict was ever raised on a key."""
        found = self.key_found(key)
        return found is not None and bool(found.has_conflicts)

    def header(self, number: int) -> TransactionHeader | None:
        """Return the header of an earlier transaction."""
        found = self.sealed(number)
        return None if found is None else found[0]
