"""The journal as a table: read page by page as one scrolls; new rows come on top."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt

from store.model import Transaction
from workbench import words
from workbench.text import DASH, exact, instant, isolate, number, one_line, tooltip, visible
from workbench.theme import current, icon
from workbench.widgets.paged_rows import Index, PagedRows

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class JournalModel(PagedRows[Transaction]):
    """Transactions, newest first, as far as they have been read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, columns=len(Column))

    # -- what is there ------------------------------------------------------------------------

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

    def append(self, rows: Sequence[Transaction], *, has_more: bool) -> None:
        """Show older transactions after those that are there."""
        oldest = self._rows[-1].number if self._rows else None
        new = [row for row in rows if oldest is None or row.number < oldest]
        super().append(new, has_more=has_more)

    def prepend(self, rows: Sequence[Transaction]) -> None:
        """Show newer transactions before those that are there."""
        self._insert(0, [row for row in rows if row.number > self.newest])

    def retranslate(self) -> None:
        """Say everything anew, as in another language or other colours."""
        self._tell()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    # -- Qt -----------------------------------------------------------------------------------

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
                is_quiet = self._is_later(row.recorded_at) or column is Column.RECORDED
                return current().color("dim") if is_quiet else None
            case _ if role == ROW_ROLE:
                return row
        return None

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
            if self._is_later(row.recorded_at):
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
        if self._is_later(row.recorded_at):
            return self.tr("It was not recorded yet at the time from which you look.")
        return self._shown(row, column)
