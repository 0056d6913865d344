"""What an import did, or would do: counts, what was left out and why, to be read and copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

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
from workbench.messages import Severity
from workbench.text import QT_TRANSLATE_NOOP, number, one_line, tooltip, visible
from workbench.theme import appearance, set_look
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.section_head import SectionHead
from workbench.widgets.verdict_band import VerdictBand
from workbench.words import conflict_kind

if TYPE_CHECKING:
    from store.importers import ImportReport, Place, Skipped

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
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
        rows += [(self.tr("Note"), visible(note)) for note in report.notes]
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
        report = self._report
        lines = [visible(report.source), self.verdict().sentence, ""]
        lines += [f"{name}: {words}" for name, words in self.rows()]
        lines += ["", *(f"{place_words(it.place)}: {visible(it.reason)}" for it in report.skipped)]
        return "\n".join(lines).rstrip() + "\n"


class SkippedModel(QAbstractTableModel):
    """What was left out: where it stands and why."""

    def __init__(self, skipped: tuple[Skipped, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._skipped = skipped

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._skipped)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        skipped = self._skipped[index.row()]
        text = place_words(skipped.place) if index.column() == 0 else skipped.reason
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
        return self.tr("Place") if section == 0 else self.tr("Reason")


class ReportView(QWidget):
    """Shows a report: the verdict, the counts, and a table of what was left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict = VerdictBand()
        self._grid = PairGrid(name_width=190)
        self._head = SectionHead(self.tr("Left out"))
        self._more = QLabel()
        set_look(self._more, "secondary")
        self._head.add(self._more)
        self._table = QTableView()
        self._table.setAccessibleName(self.tr("Left out"))
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
        column.setSpacing(12)
        column.addWidget(self._verdict)
        column.addWidget(self._grid)
        column.addWidget(self._head)
        column.addWidget(self._table, 100)
        column.addStretch(1)
        self._text = ""

    @property
    def text(self) -> str:
        """The report as text."""
        return self._text

    def show_report(self, report: ImportReport) -> None:
        """Show a report in the language in force."""
        words = ReportWords(report)
        self._text = words.text()
        verdict = words.verdict()
        self._verdict.say(verdict.severity, verdict.sentence)
        self._grid.clear()
        for name, said in words.rows():
            self._grid.add_text(name, said)
        has_skipped = bool(report.skipped)
        self._head.setVisible(has_skipped)
        self._table.setVisible(has_skipped)
        old = self._table.model()
        self._table.setModel(SkippedModel(report.skipped, self._table))
        if old is not None:
            old.deleteLater()
        self._table.setColumnWidth(0, 240)
        row_px = appearance().row_height("table")
        self._table.verticalHeader().setDefaultSectionSize(row_px)
        self._table.setMaximumHeight((len(report.skipped) + 1) * row_px + 8)
        self._table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        unnamed = report.skipped_count - len(report.skipped)
        self._more.setText(self.tr("and %n more", "", unnamed) if unnamed else "")


def _reason(reason: str) -> str:
    return QCoreApplication.translate("ImportReport", _REASONS.get(reason, reason))


def _named(names: tuple[str, ...]) -> str:
    shown = ", ".join(one_line(name, 60) for name in names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown}, … ({number(len(names))})"
