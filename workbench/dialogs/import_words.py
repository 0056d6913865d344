"""The words of what an import did, or would do: counts, what was left out and why.

A snapshot that was restored has a report of its own kind: whole, it is a record and not an import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from PySide6.QtCore import QCoreApplication, QObject

from store import ConflictKind
from store.audit.restore import RestoreReport
from store.audit.retelling import Why
from store.canonical import parse
from store.importers import ImportReport
from store.temporal import from_micros
from workbench.messages import Severity
from workbench.text import (
    QT_TRANSLATE_NOOP,
    instant,
    number,
    one_line,
    period,
    value_line,
    visible,
)
from workbench.words import Sentences, capitalised, conflict_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from store.audit.restore import OpenConflict, Retold
    from store.importers import Place

Report: TypeAlias = ImportReport | RestoreReport
_NAMED: Final = 30
"""Of names in one row, the others are counted."""

#: The importers' reasons why a row has no fact.
_REASONS: Final = {
    "rows whose beginning is unknown": QT_TRANSLATE_NOOP(
        "ImportReport", "rows whose beginning is unknown"
    ),
    "rows without a value": QT_TRANSLATE_NOOP("ImportReport", "rows without a value"),
    "lines without a key": QT_TRANSLATE_NOOP("ImportReport", "lines without a key"),
    "autosaved conversation": QT_TRANSLATE_NOOP("ImportReport", "autosaved conversation"),
    "lines inserted between two that follow each other closely": QT_TRANSLATE_NOOP(
        "ImportReport", "lines inserted between two that follow each other closely"
    ),
    "probes of ZeroClaw's self-test": QT_TRANSLATE_NOOP(
        "ImportReport", "probes of ZeroClaw's self-test"
    ),
}

#: Why a snapshot was not restored whole, and what importers note, as they write it.
_SENTENCES: Final = Sentences(
    "ImportReport",
    (
        QT_TRANSLATE_NOOP(
            "ImportReport", "the snapshot is filtered and has only a part of the record."
        ),
        QT_TRANSLATE_NOOP("ImportReport", "tenant {tenant} has a record already."),
        QT_TRANSLATE_NOOP(
            "ImportReport",
            "the store holds this record already, as tenant {tenant}, and an id names one.",
        ),
        QT_TRANSLATE_NOOP(
            "ImportReport", "The facts have new ids; who wrote them before is in the snapshot."
        ),
        QT_TRANSLATE_NOOP(
            "ImportReport",
            "Keys whose assertions alone would not read the same, such as those with a fact that "
            "was ended: {count}; the ends of their facts were taken for stated ones.",
        ),
    ),
)

#: How a fact reads that a snapshot has otherwise.
_READS: Final = {
    Why.JOINED: QT_TRANSLATE_NOOP(
        "ImportReport", "as one with a fact of the same value that it touches"
    ),
    Why.PARTED: QT_TRANSLATE_NOOP(
        "ImportReport", "as several facts, each with the sources of what was said in it"
    ),
    Why.SLOTS: QT_TRANSLATE_NOOP(
        "ImportReport", "once, where several slots say its value at one time"
    ),
}


def place_words(place: Place) -> str:
    """Say where in a source something stands, in the language in force."""
    if place.line is not None:
        said = QCoreApplication.translate("ImportReport", "{file}, line {line}")
        return said.format(file=visible(place.file), line=number(place.line))
    if place.row:
        said = QCoreApplication.translate("ImportReport", "{file}, row {row}")
        return said.format(file=visible(place.file), row=visible(place.row))
    return visible(place.file)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it, in a sentence or two."""

    severity: Severity
    sentence: str


class ReportWords(QObject):
    """The words of a report in the language in force; an object, for the forms of ``%n``."""

    def __init__(self, report: ImportReport, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = report

    def verdict(self) -> Verdict:
        """Say in one sentence or two what came of it."""
        report = self._report
        if report.refused:
            return Verdict(
                Severity.ERROR,
                self.tr(
                    "%n row(s) cannot be read, so nothing was written.", "", report.skipped_count
                )
                + " "
                + self.tr("Repair the source, or go back and leave out what is wrong."),
            )
        if report.cancelled:
            return Verdict(
                Severity.WARNING, self.tr("Stopped on request. What was committed before stays.")
            )
        if report.dry_run:
            return Verdict(
                Severity.INFO,
                self.tr("Nothing has been written yet. This is what an import would do."),
            )
        said = self.tr("The import is done.")
        if report.conflicts:
            said += " " + self.tr("%n conflict(s) wait for a decision.", "", report.conflicts)
        if report.skipped_count:
            said += " " + self.tr("%n row(s) were left out.", "", report.skipped_count)
        return Verdict(Severity.DONE, said)

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Give the counts as pairs of name and words."""
        report = self._report
        rows = [(self.tr("Rows and lines read"), number(report.read))]
        if not report.refused:
            rows += self._written()
        if report.without_fact:
            reasons = [f"{_reason(why)}: {number(n)}" for why, n in report.without_fact.items()]
            rows.append((self.tr("Without a fact"), "; ".join(reasons)))
        if report.skipped_count:
            rows.append((self.tr("Left out"), number(report.skipped_count)))
        if report.dropped:
            rows.append((self.tr("Fields without a place"), self._dropped()))
        if report.registered and not report.refused:
            rows.append((self.tr("Several values at once"), _named(report.registered)))
        if report.transactions is not None:
            first, last = report.transactions
            span = number(first) if first == last else f"{number(first)} – {number(last)}"
            rows.append((self.tr("Transactions"), span))
        rows += [(self.tr("Note"), _SENTENCES.say(note)) for note in report.notes]
        return tuple(rows)

    def _written(self) -> list[tuple[str, str]]:
        report = self._report
        kinds = "; ".join(
            f"{conflict_kind(ConflictKind(kind))}: {number(count)}"
            for kind, count in report.conflict_kinds.items()
        )
        waiting = number(report.conflicts)
        return [
            (self.tr("New episodes"), number(report.episodes)),
            (self.tr("Known episodes"), number(report.episodes_known)),
            (self.tr("New facts"), number(report.written)),
            (self.tr("Known facts"), number(report.known)),
            (self.tr("Facts with a further source"), number(report.corroborated)),
            (self.tr("In conflict"), f"{waiting} ({kinds})" if kinds else waiting),
        ]

    def _dropped(self) -> str:
        return ", ".join(
            f"{one_line(name, 60)} ({number(count)})"
            for name, count in self._report.dropped.items()
        )

    def text(self) -> str:
        """Give the entire report as lines of text, with everything that was left out."""
        return _text(self._report.source, self.verdict(), self.rows(), self.left_out())

    def left_out(self) -> tuple[str, ...]:
        """Give what was left out, each with its place."""
        return tuple(
            f"{place_words(it.place)}: {visible(it.reason)}" for it in self._report.skipped
        )


class RestoreWords(QObject):
    """The words of a report on a snapshot that was taken back, whole or as facts."""

    def __init__(self, report: RestoreReport, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report = report
        self._imported = None if report.imported is None else ReportWords(report.imported, self)

    def verdict(self) -> Verdict:
        """Say in one sentence or two what came of it."""
        report = self._report
        if report.is_own:
            said = self.tr("Nothing is new: tenant {tenant} has this very record already.")
            severity = Severity.INFO if report.dry_run else Severity.DONE
            return Verdict(severity, said.format(tenant=one_line(report.tenant_id, 60)))
        if self._imported is not None:
            return self._imported.verdict()
        if report.dry_run:
            return Verdict(
                Severity.INFO,
                self.tr(
                    "Nothing has been written yet. The record would be restored whole, with its "
                    "transactions, ids and digests."
                ),
            )
        return Verdict(
            Severity.DONE,
            self.tr("The record is restored whole, with its transactions, ids and digests."),
        )

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Give what was restored, or the counts of an import and why it was one."""
        report = self._report
        if self._imported is None:
            return tuple(self._on_whole())
        rows = self._imported.rows()
        if not report.is_own:
            why = capitalised(_SENTENCES.say(report.why_facts))
            rows = ((self.tr("Taken as facts"), why), *rows)
        if report.retold_count:
            rows = (*rows, (self.tr("Reading otherwise"), number(report.retold_count)))
        return (*rows, (self.tr("Open in the snapshot"), self._on_conflicts()))

    def _on_whole(self) -> Iterator[tuple[str, str]]:
        report = self._report
        last = report.head.number
        yield self.tr("Transactions"), "1" if last == 1 else f"1 – {number(last)}"
        yield self.tr("Open conflicts"), number(report.conflicts_count)
        if report.tenant_id != report.snapshot_tenant:
            said = self.tr(
                "It is the record of {tenant} under another name. No digest covers a tenant's "
                "name, so the chain holds under either."
            )
            yield self.tr("Tenant"), said.format(tenant=one_line(report.snapshot_tenant, 60))
        yield self.tr("Head"), str(report.head)

    def _on_conflicts(self) -> str:
        report = self._report
        if not report.conflicts_count:
            return number(0)
        if report.is_own:
            said = self.tr("{count}, which the record has as well")
        else:
            said = self.tr("{count}, not taken along")
        return said.format(count=number(report.conflicts_count))

    def text(self) -> str:
        """Give the entire report as lines of text, with everything that it lists."""
        listed = ("; ".join(row) for row in (*self.retold(), *self.conflicts()))
        left_out = () if self._imported is None else self._imported.left_out()
        lines = (*listed, "", *left_out)
        return _text(self._report.source, self.verdict(), self.rows(), lines)

    def retold(self) -> tuple[tuple[str, ...], ...]:
        """Give fact, value and period of each that reads otherwise now, and how it reads."""
        return tuple(
            (
                _key_words(it),
                _value_words(it.value),
                period(
                    from_micros(it.valid_from),
                    None if it.valid_to is None else from_micros(it.valid_to),
                ),
                QCoreApplication.translate("ImportReport", _READS[it.why]),
            )
            for it in self._report.retold
        )

    def conflicts(self) -> tuple[tuple[str, ...], ...]:
        """Give fact, beginning, kind and claims of each conflict that is named."""
        return tuple(
            (
                _key_words(it),
                instant(from_micros(it.contested_from)),
                conflict_kind(ConflictKind(it.kind)),
                self._claims(it),
            )
            for it in self._report.conflicts
        )

    def _claims(self, conflict: OpenConflict) -> str:
        said = self.tr("{standing} stands; waiting: {claims}")
        return said.format(
            standing=_value_words(conflict.standing),
            claims=", ".join(map(_value_words, conflict.incoming)),
        )


def words_of(report: Report) -> ReportWords | RestoreWords:
    """Give the words of a report of either kind."""
    return RestoreWords(report) if isinstance(report, RestoreReport) else ReportWords(report)


def _key_words(of: OpenConflict | Retold) -> str:
    owner = f" ({one_line(of.owner, 60)})" if of.owner else ""
    return f"{one_line(of.subject, 60)} · {one_line(of.attribute, 60)}{owner}"


def _value_words(canonical: str) -> str:
    return value_line(parse(canonical), 60)


def _text(
    source: str, verdict: Verdict, rows: Iterable[tuple[str, str]], listed: Iterable[str]
) -> str:
    said = [visible(source), verdict.sentence, "", *(f"{name}: {words}" for name, words in rows)]
    return "\n".join((*said, "", *listed)).rstrip() + "\n"


def _reason(reason: str) -> str:
    return QCoreApplication.translate("ImportReport", _REASONS.get(reason, reason))


def _named(names: tuple[str, ...]) -> str:
    shown = ", ".join(one_line(name, 60) for name in names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown}, … ({number(len(names))})"
