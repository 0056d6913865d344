"""What an import did, or would do, to be read and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
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

from store.audit.restore import RestoreReport
from workbench.dialogs.import_words import RestoreWords, place_words, words_of
from workbench.text import one_line, tooltip
from workbench.theme import appearance, set_look
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.section_head import SectionHead
from workbench.widgets.verdict_band import VerdictBand

if TYPE_CHECKING:
    from store.importers import Skipped
    from workbench.dialogs.import_words import Report

_Index = QModelIndex | QPersistentModelIndex
_ROOT: Final = QModelIndex()
_GAP_PX: Final = 12
_LEAST_ROWS: Final = 3


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
