"""Looking for damage: in the file, the ledger's invariants, the chains, and what hangs together.

A full check reads every row once for the invariants of its key and once for the chain, in which the
entries of each transaction are digested anew. Otherwise the ends of the chains are looked at.
"""

from __future__ import annotations

from heapq import merge
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from store.backends import invariants
from store.backends.sqlite import codec
from store.backends.sqlite.ledger import HEADER, Ledger, header_of
from store.backends.sqlite.words import trigrams
from store.entry import (
    attribute_digest,
    conflict_digest,
    episode_digest,
    event_digest,
    evidence_digest,
    row_digest,
)
from store.errors import Corrupt
from store.query import CheckReport, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.names import Names
    from store.contract import Cancel, Progress
    from store.ledger import Row
    from store.model import Head

FILE: Final = "the file is whole"
TOGETHER: Final = "everything has what it belongs to"
SHORTCUTS: Final = "the indexes and short cuts fit the record"
FINDINGS_KEPT: Final = 1000
ENDS_LOOKED_AT: Final = 100
"""So many of the newest transactions are looked at when the check is not full."""
LARGE: Final = 2000
"""Transactions with more entries are left to a full check."""
DOCUMENTS_ASKED: Final = 500
TOLD_EVERY: Final = 5000

Dated = tuple[int, str]
"""The number of a transaction, and "+" or "-" with the digest of an entry of it."""

_ROWS: Final = f"""
SELECT {codec.ROW}, f.key_id FROM fact f LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE +f.tenant_no = ? ORDER BY f.key_id, f.valid_from, f.tx_from"""
_BEGUN: Final = f"""
SELECT f.tx_from, {codec.ROW}, f.key_id FROM fact f INDEXED BY fact_feed
LEFT JOIN episode e ON e.episode_no = f.episode_no WHERE f.tenant_no = ? ORDER BY f.tx_from"""
_ENDED: Final = f"""
SELECT f.tx_to, {codec.ROW}, f.key_id FROM fact f INDEXED BY fact_ended
LEFT JOIN episode e ON e.episode_no = f.episode_no
WHERE f.tenant_no = ? AND f.tx_to IS NOT NULL ORDER BY f.tx_to"""
_HEADERS: Final = HEADER.format(which="x.tenant_no = ? AND x.number >= ? ORDER BY x.number")

_APART: Final = (
    (
        "a row of the ledger",
        """SELECT f.key_id, f.tx_from FROM fact f LEFT JOIN key k ON k.key_id = f.key_id
        LEFT JOIN tx a ON a.tenant_no = f.tenant_no AND a.number = f.tx_from
        LEFT JOIN tx z ON z.tenant_no = f.tenant_no AND z.number = f.tx_to
        WHERE k.tenant_no IS NOT f.tenant_no OR a.number IS NULL
          OR (f.tx_to IS NOT NULL AND z.number IS NULL)""",
    ),
    (
        "a link to a source",
        """SELECT v.evidence_no, v.tx_from FROM evidence v
        LEFT JOIN key k ON k.key_id = v.key_id
        LEFT JOIN tx a ON a.tenant_no = v.tenant_no AND a.number = v.tx_from
        WHERE k.tenant_no IS NOT v.tenant_no OR a.number IS NULL
          OR NOT EXISTS (SELECT 1 FROM fact f WHERE f.key_id = v.key_id
                         AND f.memory_id = v.memory_id AND f.tx_from <= v.tx_from)""",
    ),
    (
        "an episode",
        """SELECT e.episode_no, e.tx_from FROM episode e
        LEFT JOIN tx a ON a.tenant_no = e.tenant_no AND a.number = e.tx_from
        WHERE a.number IS NULL OR e.length > length(CAST(e.content AS BLOB))""",
    ),
    (
        "a registry entry",
        """SELECT r.attribute_no, r.tx_from FROM attribute r
        LEFT JOIN tx a ON a.tenant_no = r.tenant_no AND a.number = r.tx_from
        WHERE a.number IS NULL""",
    ),
    (
        "a conflict",
        """SELECT c.conflict_no, c.tx_from FROM conflict c
        LEFT JOIN key k ON k.key_id = c.key_id
        LEFT JOIN fact f ON f.key_id = c.key_id AND f.valid_from = c.standing_from
          AND f.tx_from = c.standing_tx
        WHERE k.tenant_no IS NOT c.tenant_no OR f.key_id IS NULL
          OR NOT EXISTS (SELECT 1 FROM conflict_event v WHERE v.conflict_no = c.conflict_no)""",
    ),
    (
        "an event of a conflict",
        """SELECT v.event_no, v.tx_from FROM conflict_event v
        LEFT JOIN conflict c ON c.conflict_no = v.conflict_no
        LEFT JOIN claim h ON h.claim_no = v.claim_no
        WHERE c.tenant_no IS NOT v.tenant_no
          OR (v.claim_no IS NOT NULL AND h.conflict_no IS NOT v.conflict_no)""",
    ),
    (
        "a key",
        """SELECT k.key_id, k.tx_from FROM key k
        WHERE NOT EXISTS (SELECT 1 FROM tenant t WHERE t.tenant_no = k.tenant_no)
          OR k.tx_from IS NOT (SELECT min(f.tx_from) FROM fact f WHERE f.key_id = k.key_id)""",
    ),
    (
        "a transaction",
        """SELECT x.number, x.number FROM tx x LEFT JOIN tenant t ON t.tenant_no = x.tenant_no
        LEFT JOIN name a ON a.name_no = x.actor_no LEFT JOIN name b ON b.name_no = x.tool_no
        WHERE t.tenant_no IS NULL OR a.name IS NULL OR b.name IS NULL""",
    ),
    (
        "a note of where a chain began",
        """SELECT o.tenant_no, 1 FROM origin o LEFT JOIN tenant t ON t.tenant_no = o.tenant_no
        WHERE t.tenant_no IS NULL""",
    ),
    (
        "a note of a snapshot",
        """SELECT s.export_no, s.number FROM export s
        LEFT JOIN tx x ON x.tenant_no = s.tenant_no AND x.number = s.number
        WHERE x.digest IS NOT s.digest""",
    ),
)
"""What may lack what it belongs to: a name for it, and a statement that gives (which, since)."""

_UNMARKED: Final = """
SELECT key_id FROM (
  SELECT key_id FROM evidence UNION SELECT key_id FROM conflict
  UNION SELECT key_id FROM fact WHERE memory_id IS NOT NULL
    GROUP BY memory_id, key_id HAVING count(*) > 1)
WHERE key_id NOT IN (SELECT key_id FROM involved)"""
_UNINDEXED: Final = """
SELECT k.key_id FROM key k JOIN indexed i ON i.tenant_no = k.tenant_no
WHERE k.tx_from <= i.number AND k.key_id NOT IN (SELECT key_id FROM document)
  AND EXISTS (SELECT 1 FROM fact f WHERE f.key_id = k.key_id AND f.kind = 0
              AND f.tx_from <= i.number)"""
_EPISODES_ASKED: Final = """
SELECT e.episode_no, e.content FROM episode e JOIN indexed i ON i.tenant_no = e.tenant_no
WHERE e.tx_from <= i.number AND e.episode_no % ? = 0"""


class Check:
    """One run of a check over one consistent state.

    Args:
        reader: to read with.
        names: what is known of the store.
        progress: told how many rows and transactions are done, and of how many.
        cancel: stops it.
    """

    def __init__(
        self, reader: Reader, names: Names, progress: Progress | None, cancel: Cancel | None
    ) -> None:
        self._connection = reader.driver
        self._names = names
        self._progress = progress
        self._cancel = cancel
        self._done = 0
        self._total: int | None = None
        self._counts = dict.fromkeys((FILE, *invariants.RULES, TOGETHER, SHORTCUTS), 0)

    def report(self, *, full: bool, head: Head | None) -> CheckReport:
        """Look and say what was found."""
        findings: list[Finding] = []
        heads: list[str] = []
        for finding in self._findings(full, head, heads):
            findings.append(finding)
            if len(findings) == FINDINGS_KEPT:
                break
        return CheckReport(full, tuple(self._counts.items()), tuple(findings), tuple(heads))

    def _findings(self, full: bool, head: Head | None, heads: list[str]) -> Iterator[Finding]:
        tenants = self._all("SELECT tenant_no, tenant_id FROM tenant ORDER BY tenant_no")
        if full:
            yield from self._file_findings()
            counted = "SELECT (SELECT count(*) FROM fact), count(*), sum(entries) FROM tx"
            rows, transactions, entries = self._all(counted)[0]
            self._total = rows + transactions + (entries or 0)
        for tenant_no, tenant_id in tenants:
            ledger = Ledger(self._connection, tenant_id, tenant_no, self._names)
            outside = head if head is not None and head.tenant_id == tenant_id else None
            self._counts[invariants.RULES[6]] += outside is not None
            parts = (
                (self._row_findings(ledger), self._chain_findings(ledger, outside, heads))
                if full
                else (self._end_findings(ledger, outside, heads),)
            )
            for part in parts:
                yield from _as_far_as_it_can_be_read(tenant_id, part)
        if head is not None and head.number and head.tenant_id not in {t[1] for t in tenants}:
            yield from invariants.ChainCheck(head.tenant_id, head).tail_findings()
        if full:
            yield from self._source_findings()
            yield from self._apart_findings()
            yield from self._shortcut_findings()

    def _all(self, statement: str, *values: object) -> list[Any]:
        found: list[Any] = self._connection.execute(statement, values).fetchall()
        return found

    def _tell(self, count: int = 1) -> None:
        """Count what is done, and tell now and then."""
        before = self._done
        self._done += count
        if self._done // TOLD_EVERY == before // TOLD_EVERY:
            return
        if self._cancel is not None:
            self._cancel.check()
        if self._progress is not None:
            self._progress(self._done, self._total)

    def _file_findings(self) -> Iterator[Finding]:
        for (said,) in self._all("PRAGMA integrity_check"):
            self._counts[FILE] += 1
            if said != "ok":
                yield Finding(FILE, "the database", str(said))

    # -- rows ---------------------------------------------------------------------------------

    def _row_findings(self, ledger: Ledger) -> Iterator[Finding]:
        milestones = {
            key_id: [(number, reached) for _, number, reached in group]
            for key_id, group in groupby(
                self._all("SELECT key_id, tx_from, hi FROM milestone ORDER BY key_id, tx_from"),
                itemgetter(0),
            )
        }
        cursor = self._connection.execute(_ROWS, (ledger.tenant_no,))
        for key_id, group in groupby(cursor, itemgetter(-1)):
            key = ledger.key_by_no(key_id)
            versions: list[Row] = [codec.row_of(key, c[:-1], ledger.name) for c in group]
            for rule in invariants.ROW_RULES:
                self._counts[rule] += len(versions)
            yield from invariants.row_findings(versions)
            yield from self._reach_findings(versions, milestones.get(key_id, []))
            self._tell(len(versions))
        cursor.close()

    def _reach_findings(
        self, versions: list[Row], milestones: Iterable[tuple[int, int]]
    ) -> Iterator[Finding]:
        """Check that no milestone falls short of how far the rows reached then."""
        ordered = sorted(versions, key=lambda row: row.tx_from)
        reached = list(accumulate((row.valid_from for row in ordered), max))
        position = 0
        for number, said in milestones:
            self._counts[SHORTCUTS] += 1
            while position < len(ordered) and ordered[position].tx_from <= number:
                position += 1
            if position and said < reached[position - 1]:
                sentence = f"The milestone of transaction {number} falls short of its rows."
                yield Finding(SHORTCUTS, invariants.where(versions[0]), sentence)

    # -- chains -------------------------------------------------------------------------------

    def _chain_findings(
        self, ledger: Ledger, outside: Head | None, heads: list[str]
    ) -> Iterator[Finding]:
        """Follow a whole chain, digesting every entry anew."""
        chain = invariants.ChainCheck(ledger.tenant_id, outside)
        dated = groupby(merge(*_entries(ledger), key=itemgetter(0)), itemgetter(0))
        number, group = next(dated, (None, None))
        cursor = self._connection.execute(_HEADERS, (ledger.tenant_no, 1))
        for columns in cursor:
            header, digest = header_of(columns, ledger.name)
            digests: list[str] = []
            while number is not None and number <= header.number:
                found = [entry for _, entry in group or ()]
                digests = found if number == header.number else digests
                number, group = next(dated, (None, None))
            for rule in invariants.RULES[4:6]:
                self._counts[rule] += 1
            yield from chain.findings(header, digest, digests)
            if columns[-1] != len(digests):
                place = f"{ledger.tenant_id}: transaction {header.number}"
                said = f"It says that it has {columns[-1]} entries, and has {len(digests)}."
                yield Finding(invariants.RULES[5], place, said)
            self._tell(1 + len(digests))
        cursor.close()
        yield from chain.tail_findings()
        heads.append(f"{ledger.tenant_id}: {chain.number}:{chain.digest}")

    def _end_findings(
        self, ledger: Ledger, outside: Head | None, heads: list[str]
    ) -> Iterator[Finding]:
        """Look at the newest transactions, and at the one that an outside head names."""
        count, newest = self._all(
            "SELECT count(*), max(number) FROM tx WHERE tenant_no = ?", ledger.tenant_no
        )[0]
        if count != (newest or 0):
            said = f"There are {count} transactions, and the newest has number {newest}."
            yield Finding(invariants.RULES[4], ledger.tenant_id, said)
        first = max((newest or 0) - ENDS_LOOKED_AT, 0) + 1
        chain = invariants.ChainCheck(ledger.tenant_id, outside)
        for columns in self._all(_HEADERS, ledger.tenant_no, first):
            header, digest = header_of(columns, ledger.name)
            if columns[-1] > LARGE or header.number == first > 1:
                chain.skip(header, digest)
                continue
            for rule in invariants.RULES[4:6]:
                self._counts[rule] += 1
            digests = ledger.entries_of(header.number).digests()
            yield from chain.findings(header, digest, digests)
            self._tell()
        if outside is not None and outside.number < first:
            yield from self._older_findings(ledger, outside)
        yield from chain.tail_findings()
        heads.append(f"{ledger.tenant_id}: {chain.number}:{chain.digest}")

    def _older_findings(self, ledger: Ledger, outside: Head) -> Iterator[Finding]:
        sealed = ledger.sealed(outside.number)
        if outside.number and (sealed is None or sealed[1] != outside.digest):
            place = f"{ledger.tenant_id}: transaction {outside.number}"
            yield Finding(invariants.RULES[6], place, "The outside head has another digest for it.")

    # -- what hangs together ------------------------------------------------------------------

    def _source_findings(self) -> Iterator[Finding]:
        for table, tenant in (
            ("fact", "r.tenant_no"),
            ("evidence", "r.tenant_no"),
            ("claim", "(SELECT tenant_no FROM conflict c WHERE c.conflict_no = r.conflict_no)"),
        ):
            counted = f"SELECT count(*) FROM {table} WHERE episode_no IS NOT NULL"
            self._counts[invariants.RULES[7]] += self._all(counted)[0][0]
            missing = f"""SELECT r.key_id, r.episode_no FROM {table} r
            LEFT JOIN episode e ON e.episode_no = r.episode_no
            WHERE r.episode_no IS NOT NULL AND e.tenant_no IS NOT {tenant} LIMIT {FINDINGS_KEPT}"""
            for key_id, number in self._all(missing):
                said = f"Episode {number} is missing, or another tenant's."
                yield Finding(invariants.RULES[7], f"{table} of key {key_id}", said)

    def _apart_findings(self) -> Iterator[Finding]:
        for name, statement in _APART:
            self._counts[TOGETHER] += 1
            self._tell(0)
            for which, since in self._all(f"{statement} LIMIT {FINDINGS_KEPT}"):
                where = f"{name}, number {which}, of transaction {since}"
                yield Finding(TOGETHER, where, "It lacks what it belongs to.")

    def _shortcut_findings(self) -> Iterator[Finding]:
        for statement, sentence in (
            (_UNMARKED, "The key is not marked as one that needs a closer look."),
            (_UNINDEXED, "The key is missing in the text index."),
        ):
            self._counts[SHORTCUTS] += 1
            for (key_id,) in self._all(f"{statement} LIMIT {FINDINGS_KEPT}"):
                yield Finding(SHORTCUTS, f"key {key_id}", sentence)
        yield from self._word_findings()

    def _word_findings(self) -> Iterator[Finding]:
        """Ask the text index for some of what it should know."""
        count = self._all("SELECT max(episode_no) FROM episode")[0][0] or 0
        step = count // DOCUMENTS_ASKED + 1
        asking = "SELECT 1 FROM episode_text WHERE episode_text MATCH ? AND rowid = ?"
        for number, content in self._all(_EPISODES_ASKED, step):
            asked = trigrams(content[:200])
            if asked is None:
                continue
            self._counts[SHORTCUTS] += 1
            if not self._all(asking, asked, number):
                sentence = "The text index does not find its words."
                yield Finding(SHORTCUTS, f"episode {number}", sentence)


def _as_far_as_it_can_be_read(tenant_id: str, part: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of a part, the last being that the rest of it cannot be read."""
    try:
        yield from part
    except Corrupt as error:
        yield Finding(TOGETHER, tenant_id, f"{error} What comes after it was not looked at.")


def _entries(ledger: Ledger) -> tuple[Iterator[Dated], ...]:
    """Return streams of all entries of a tenant, each in the order of its transactions."""

    def rows(statement: str, sign: str) -> Iterator[Dated]:
        cursor = ledger.connection.execute(statement, (ledger.tenant_no,))
        for columns in cursor:
            key = ledger.key_by_no(columns[-1])
            yield columns[0], sign + row_digest(codec.row_of(key, columns[1:-1], ledger.name))

    def in_order(entries: Iterable[Any], digest: Callable[[Any], str]) -> Iterator[Dated]:
        return iter(sorted((e.tx_from, "+" + digest(e)) for e in entries))

    tenant = ledger.tenant_no
    links = ledger.links("v.tenant_no = ?", tenant)
    attributes = ledger.attributes("1")
    cases = ledger.cases("1")
    ended = [
        *((link.tx_to, "-" + evidence_digest(link)) for link in links if link.tx_to is not None),
        *((a.tx_to, "-" + attribute_digest(a)) for a in attributes if a.tx_to is not None),
    ]
    events = [event for case in cases for event in case.events]
    raised = [
        (case.events[0].tx_from, "+" + conflict_digest(case.entry)) for case in cases if case.events
    ]
    return (
        rows(_BEGUN, "+"),
        rows(_ENDED, "-"),
        _episodes(ledger),
        in_order(links, evidence_digest),
        in_order(attributes, attribute_digest),
        in_order(events, event_digest),
        iter(sorted(ended)),
        iter(sorted(raised)),
    )


def _episodes(ledger: Ledger) -> Iterator[Dated]:
    """Yield the digests of episodes, a few at a time: contents may be long."""
    numbers = ledger.connection.execute(
        "SELECT tx_from FROM episode WHERE tenant_no = ? GROUP BY tx_from ORDER BY tx_from",
        (ledger.tenant_no,),
    ).fetchall()
    for (number,) in numbers:
        for entry in ledger.episodes("tx_from = ?", number):
            yield number, "+" + episode_digest(entry)
