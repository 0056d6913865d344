"""What an import did, or would do: counts, what was left out and why, to be read and copied.

A snapshot that was restored has a report of its own kind: whole, it is a record and not an import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

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
    tooltip,
    value_line,
    visible,
)
from workbench.theme import appearance, set_look
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.section_head import SectionHead
from workbench.widgets.verdict_band import VerdictBand
from workbench.words import Sentences, capitalised, conflict_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.audit.restore import OpenConflict, Retold
    from store.importers import Place, Skipped

Report: TypeAlias = ImportReport | RestoreReport
_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
_NAMED: Final = 30
"""Of names in one row, the others are counted."""
_GAP_PX: Final = 12
_LEAST_ROWS: Final = 3

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

    def _listed(self) -> list[str]:
        """Give what is listed besides what was left out."""
        return []

    def text(self) -> str:
        """Give the entire report as lines of text, with everything that was left out."""
        report = self._report
        lines = [visible(report.source), self.verdict().sentence, ""]
        lines += [f"{name}: {words}" for name, words in self.rows()]
        lines += ["", *self._listed()]
        lines += ["", *(f"{place_words(it.place)}: {visible(it.reason)}" for it in report.skipped)]
        return "\n".join(lines).rstrip() + "\n"


class RestoreWords(ReportWords):
    """The words of a report on a snapshot that was taken back, whole or as facts."""

    def __init__(self, report: RestoreReport, parent: QObject | None = None) -> None:
        nothing = ImportReport("snapshot", report.source, dry_run=report.dry_run)
        super().__init__(report.imported or nothing, parent)
        self._restored = report

    def verdict(self) -> Verdict:
        """Say in one sentence or two what came of it."""
        report = self._restored
        if report.is_own:
            said = self.tr("Nothing is new: tenant {tenant} has this very record already.")
            severity = Severity.INFO if report.dry_run else Severity.DONE
            return Verdict(severity, said.format(tenant=one_line(report.tenant_id, 60)))
        if not report.is_whole:
            return super().verdict()
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
        report = self._restored
        if report.is_whole:
            return tuple(self._on_whole())
        rows = super().rows()
        if not report.is_own:
            why = capitalised(_SENTENCES.say(report.why_facts))
            rows = ((self.tr("Taken as facts"), why), *rows)
        if report.retold_count:
            rows = (*rows, (self.tr("Reading otherwise"), number(report.retold_count)))
        return (*rows, (self.tr("Open in the snapshot"), self._on_conflicts()))

    def _on_whole(self) -> Iterator[tuple[str, str]]:
        report = self._restored
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
        report = self._restored
        if not report.conflicts_count:
            return number(0)
        if report.is_own:
            said = self.tr("{count}, which the record has as well")
        else:
            said = self.tr("{count}, not taken along")
        return said.format(count=number(report.conflicts_count))

    def _listed(self) -> list[str]:
        return ["; ".join(row) for row in (*self.retold(), *self.conflicts())]

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
            for it in self._restored.retold
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
            for it in self._restored.conflicts
        )

    def _claims(self, conflict: OpenConflict) -> str:
        said = self.tr("{standing} stands; waiting: {claims}")
        return said.format(
            standing=_value_words(conflict.standing),
            claims=", ".join(map(_value_words, conflict.incoming)),
        )


def words_of(report: Report) -> ReportWords:
    """Give the words of a report of either kind."""
    return RestoreWords(report) if isinstance(report, RestoreReport) else ReportWords(report)


def _key_words(of: OpenConflict | Retold) -> str:
    owner = f" ({one_line(of.owner, 60)})" if of.owner else ""
    return f"{one_line(of.subject, 60)} · {one_line(of.attribute, 60)}{owner}"


def _value_words(canonical: str) -> str:
    return value_line(parse(canonical), 60)


class _Rows(QAbstractTableModel):
    """Rows of texts, shown on one line each and whole on hover."""

    def __init__(self, rows: tuple[tuple[str, ...], ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows

    def titles(self) -> tuple[str, ...]:
        """Give the heads of the columns."""
        raise NotImplementedError

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.titles())

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        text = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(text)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(text)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return self.titles()[section]


class SkippedModel(_Rows):
    """What was left out: where it stands and why."""

    def __init__(self, skipped: tuple[Skipped, ...], parent: QObject | None = None) -> None:
        super().__init__(tuple((place_words(it.place), it.reason) for it in skipped), parent)

    def titles(self) -> tuple[str, ...]:
        return self.tr("Place"), self.tr("Reason")


class ConflictsModel(_Rows):
    """Conflicts that are open in a snapshot."""

    def __init__(self, report: RestoreReport, parent: QObject | None = None) -> None:
        super().__init__(RestoreWords(report).conflicts(), parent)

    def titles(self) -> tuple[str, ...]:
        return self.tr("Fact"), self.tr("From"), self.tr("Conflict"), self.tr("Claims")


class RetoldModel(_Rows):
    """Facts of a snapshot that read otherwise once they were taken as facts."""

    def __init__(self, report: RestoreReport, parent: QObject | None = None) -> None:
        super().__init__(RestoreWords(report).retold(), parent)

    def titles(self) -> tuple[str, ...]:
        return self.tr("Fact"), self.tr("Value"), self.tr("Period"), self.tr("Reads")


class _Listing(QWidget):
    """A table under its head, no taller than its rows; hidden where there is nothing in it."""

    def __init__(self, title: str, *widths: int) -> None:
        """Make one whose first columns have these widths; the last one has the rest."""
        super().__init__()
        self._widths = widths
        self._head = SectionHead(title)
        self._more = QLabel()
        set_look(self._more, "secondary")
        self._head.add(self._more)
        self._table = QTableView()
        self._table.setAccessibleName(title)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setTabKeyNavigation(False)
        self._table.setShowGrid(False)
        self._table.setWordWrap(False)
        self._table.verticalHeader().hide()
        header = self._table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addWidget(self._head)
        column.addWidget(self._table, 1)

    def show_rows(self, model: _Rows | None, unnamed: int = 0) -> None:
        """Show other rows, and how many more there are."""
        old = self._table.model()
        self._table.setModel(model)
        if old is not None:
            old.deleteLater()
        rows = 0 if model is None else model.rowCount()
        self.setVisible(rows > 0)
        if model is None:
            return
        model.setParent(self._table)
        for column, width in enumerate(self._widths):
            self._table.setColumnWidth(column, width)
        row_px = appearance().row_height("table")
        self._table.verticalHeader().setDefaultSectionSize(row_px)
        self._table.setMinimumHeight((min(_LEAST_ROWS, rows) + 1) * row_px + 8)
        height = (rows + 1) * row_px + 8
        self._table.setMaximumHeight(height)
        self.setMaximumHeight(self._head.sizeHint().height() + _GAP_PX + height)
        last = len(self._widths)
        self._table.horizontalHeader().setSectionResizeMode(last, QHeaderView.ResizeMode.Stretch)
        self._more.setText(self.tr("and %n more", "", unnamed) if unnamed else "")


class ReportView(QWidget):
    """Shows a report: the verdict, the counts, what was left out, what a snapshot has open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict = VerdictBand()
        self._grid = PairGrid(name_width=190)
        self._skipped = _Listing(self.tr("Left out"), 240)
        self._retold = _Listing(self.tr("Facts that read otherwise"), 196, 118, 236)
        self._conflicts = _Listing(self.tr("Open conflicts of the snapshot"), 196, 104, 250)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP_PX)
        column.addWidget(self._verdict)
        column.addWidget(self._grid)
        for listing in (self._skipped, self._retold, self._conflicts):
            column.addWidget(listing, 100)
        column.addStretch(1)
        self._text = ""

    @property
    def text(self) -> str:
        """The report as text."""
        return self._text

    def show_report(self, report: Report) -> None:
        """Show a report in the language in force."""
        words = words_of(report)
        self._text = words.text()
        verdict = words.verdict()
        self._verdict.say(verdict.severity, verdict.sentence)
        self._grid.clear()
        for name, said in words.rows():
            self._grid.add_text(name, said)
        if isinstance(report, RestoreReport):
            unnamed = report.conflicts_count - len(report.conflicts)
            self._conflicts.show_rows(ConflictsModel(report), unnamed)
            unnamed = report.retold_count - len(report.retold)
            self._retold.show_rows(RetoldModel(report), unnamed)
        else:
            self._conflicts.show_rows(None)
            self._retold.show_rows(None)
        imported = report.imported if isinstance(report, RestoreReport) else report
        if imported is None:
            self._skipped.show_rows(None)
        else:
            unnamed = imported.skipped_count - len(imported.skipped)
            self._skipped.show_rows(SkippedModel(imported.skipped), unnamed)


def _reason(reason: str) -> str:
    return QCoreApplication.translate("ImportReport", _REASONS.get(reason, reason))


def _named(names: tuple[str, ...]) -> str:
    shown = ", ".join(one_line(name, 60) for name in names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown}, … ({number(len(names))})"
