"""Looking for damage: in the file, in the ledger's invariants, in the chains, and orphans."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from store.backends import invariants
from store.backends.sqlite import codec
from store.backends.sqlite.unit import Ledger
from store.query import CheckReport, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.names import Names
    from store.contract import Cancel, Progress
    from store.ledger import Row
    from store.model import Head

FILE: Final = "the file is whole"
FINDINGS_KEPT: Final = 1000


class Check:
    """One run of a check over one consistent state."""

    def __init__(
        self, reader: Reader, names: Names, progress: Progress | None, cancel: Cancel | None
    ) -> None:
        self._connection = reader.driver
        self._names = names
        self._progress = progress
        self._cancel = cancel
        self._counts = dict.fromkeys((FILE, *invariants.RULES), 0)

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
        yield from self._file_findings(full)
        tenants = self._connection.execute(
            "SELECT tenant_no, tenant_id FROM tenant ORDER BY tenant_no"
        ).fetchall()
        for tenant_no, tenant_id in tenants:
            ledger = Ledger(self._connection, tenant_id, tenant_no, self._names)
            outside = head if head is not None and head.tenant_id == tenant_id else None
            yield from self._row_findings(ledger)
            yield from self._chain_findings(ledger, outside, heads)
        if head is not None and head.number and head.tenant_id not in {t[1] for t in tenants}:
            yield from invariants.ChainCheck(head.tenant_id, head).tail_findings()

    def _file_findings(self, full: bool) -> Iterator[Finding]:
        pragma = "integrity_check" if full else "quick_check"
        for (said,) in self._connection.execute(f"PRAGMA {pragma}").fetchall():
            self._counts[FILE] += 1
            if said != "ok":
                yield Finding(FILE, "the database", str(said))

    def _row_findings(self, ledger: Ledger) -> Iterator[Finding]:
        statement = f"""
        SELECT {codec.ROW}, f.key_id FROM fact f LEFT JOIN episode e ON e.episode_no = f.episode_no
        WHERE f.tenant_no = ? ORDER BY f.key_id, f.valid_from, f.tx_from"""
        cursor = self._connection.execute(statement, (ledger.tenant_no,))
        for key_id, group in groupby(cursor, lambda columns: columns[-1]):
            key = ledger.key_by_no(key_id)
            versions: list[Row] = [codec.row_of(key, c[:-1], ledger.name) for c in group]
            for rule in invariants.RULES[:4]:
                self._counts[rule] += len(versions)
            yield from invariants.row_findings(versions)
        cursor.close()

    def _chain_findings(
        self, ledger: Ledger, outside: Head | None, heads: list[str]
    ) -> Iterator[Finding]:
        chain = invariants.ChainCheck(ledger.tenant_id, outside)
        last: Any = self._connection.execute(
            "SELECT max(number) FROM tx WHERE tenant_no = ?", (ledger.tenant_no,)
        ).fetchone()[0]
        for number in range(1, (last or 0) + 1):
            for rule in invariants.RULES[4:6]:
                self._counts[rule] += 1
            sealed = ledger.sealed(number)
            if sealed is None:
                continue
            yield from chain.findings(*sealed, ledger.entries_of(number))
        yield from chain.tail_findings()
        heads.append(f"{ledger.tenant_id}: {chain.number}:{chain.digest}")
