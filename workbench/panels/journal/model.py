"""The journal as a table: read page by page as one scrolls; new rows come on top."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from workbench import words
from workbench.text import DASH, exact, instant, isolate, number, one_line, tooltip, visible
from workbench.theme import current, icon

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from store.model import Transaction

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""The `Transaction` of a row."""


class Column(IntEnum):
    """The columns of the journal."""

    NUMBER = 0
    RECORDED = 1
    KIND = 2
    ACTOR = 3
    ABOUT = 4
    REASON = 5


class JournalModel(QAbstractTableModel):
    """Transactions, newest first, as far as they have been read.

    Signals:
        more_wanted: the view has come near the end of what was read, and there is more.
    """

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Transaction] = []
        self._has_more = False
        self._known_at: datetime | None = None

    # -- what is there ------------------------------------------------------------------------

    @property
    def rows(self) -> Sequence[Transaction]:
        """The transactions that were read, in order."""
        return self._rows

    @property
    def newest(self) -> int:
        """The number of the first row, 0 while there is none."""
        return self._rows[0].number if self._rows else 0

    def place_of(self, transaction: int | None) -> int:
        """Give the row of a transaction, or -1 while it was not read."""
        if transaction is None:
            return -1
        low, high = 0, len(self._rows)
        while low < high:
            middle = (low + high) // 2
            if self._rows[middle].number > transaction:
                low = middle + 1
            else:
                high = middle
        found = low < len(self._rows) and self._rows[low].number == transaction
        return low if found else -1

    def set_rows(self, rows: Sequence[Transaction], *, has_more: bool) -> None:
        """Show other transactions."""
        self.beginResetModel()
        self._rows = list(rows)
        self._has_more = has_more
        self.endResetModel()

    def append(self, rows: Sequence[Transaction], *, has_more: bool) -> None:
        """Show older transactions after those that are there."""
        oldest = self._rows[-1].number if self._rows else None
        new = [row for row in rows if oldest is None or row.number < oldest]
        self._has_more = has_more
        if new:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(new) - 1)
            self._rows += new
            self.endInsertRows()

    def prepend(self, rows: Sequence[Transaction]) -> None:
        """Show newer transactions before those that are there."""
        new = [row for row in rows if row.number > self.newest]
        if new:
            self.beginInsertRows(QModelIndex(), 0, len(new) - 1)
            self._rows[:0] = new
            self.endInsertRows()

    def set_known_at(self, known_at: datetime | None) -> None:
        """Mark what was recorded after an instant, with whose knowledge one looks."""
        if known_at != self._known_at:
            self._known_at = known_at
            self.retranslate()

    def retranslate(self) -> None:
        """Say everything anew, as in another language or other colours."""
        if self._rows:
            last = self.index(len(self._rows) - 1, len(Column) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    # -- Qt -----------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(Column)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._has_more

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self.more_wanted.emit()

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(Column(section))
        if role == Qt.ItemDataRole.DisplayRole:
            return self._title(Column(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._rows[index.row()], Column(index.column())
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(row, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(self._hover(row, column))
            case Qt.ItemDataRole.TextAlignmentRole:
                return self._alignment(column)
            case Qt.ItemDataRole.DecorationRole if column is Column.KIND:
                return icon(words.write_icon(row.kind), "dim")
            case Qt.ItemDataRole.ForegroundRole:
                is_quiet = self._is_later(row) or column is Column.RECORDED
                return current().color("dim") if is_quiet else None
            case _ if role == ROW_ROLE:
                return row
        return None

    def _is_later(self, row: Transaction) -> bool:
        return self._known_at is not None and row.recorded_at > self._known_at

    def _alignment(self, column: Column) -> Qt.AlignmentFlag:
        is_right = column is Column.NUMBER
        side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def _title(self, column: Column) -> str:
        return {
            Column.NUMBER: self.tr("No."),
            Column.RECORDED: self.tr("Recorded"),
            Column.KIND: self.tr("What"),
            Column.ACTOR: self.tr("Who"),
            Column.ABOUT: self.tr("About"),
            Column.REASON: self.tr("Why"),
        }[column]

    def _shown(self, row: Transaction, column: Column) -> str:
        match column:
            case Column.NUMBER:
                return number(row.number)
            case Column.RECORDED:
                return instant(row.recorded_at, has_seconds=True)
            case Column.KIND:
                return words.write_kind(row.kind)
            case Column.ACTOR:
                return one_line(row.actor, 80)
            case Column.ABOUT:
                return self._about(row)
            case Column.REASON:
                return one_line(row.reason, 300) if row.reason else ""

    def _about(self, row: Transaction) -> str:
        subjects = self._few(row.subjects)
        attributes = self._few(row.attributes)
        return " · ".join(part for part in (subjects, attributes) if part) or DASH

    def _few(self, names: Sequence[str]) -> str:
        """Name the first of some names and count the others."""
        if not names:
            return ""
        first = one_line(names[0], 60)
        if len(names) == 1:
            return first
        more = self.tr("and %n more", "", len(names) - 1)
        return f"{first} {more}"

    def _spoken(self, row: Transaction, column: Column) -> str:
        said = self._shown(row, column)
        if column is Column.NUMBER:
            said = self.tr("transaction {number}").format(number=said)
            if self._is_later(row):
                later = self.tr("not recorded yet then")
                return f"{said}, {later}"
        return said

    def _hover(self, row: Transaction, column: Column) -> str:
        match column:
            case Column.RECORDED:
                return exact(row.recorded_at)
            case Column.REASON:
                return visible(row.reason or "", keeps_lines=True)
            case Column.ACTOR:
                return self.tr("{actor}, with {tool}").format(
                    actor=isolate(one_line(row.actor)), tool=isolate(one_line(row.tool))
                )
            case Column.ABOUT:
                names = [*row.subjects[:20], *row.attributes[:20]]
                return "\n".join(one_line(name) for name in names)
        if self._is_later(row):
            return self.tr("It was not recorded yet at the time from which you look.")
        return self._shown(row, column)
