"""The rows of the facts table: of any number, of which only those around the view are here.

The model never reads. It is told rows and counts, and tells its views exactly which rows came and
went, so that selection and scroll survive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from workbench.panels.facts.columns import (
    NUMBER_COLUMNS,
    SPECS,
    Column,
    FactRow,
    cell_text,
    hover_text,
    is_filterable,
    spoken_text,
    summary_text,
    title,
)
from workbench.text import tooltip
from workbench.turnings import utc_now
from workbench.widgets.row_edits import kept_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from datetime import datetime

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE: Final = Qt.ItemDataRole.UserRole
"""The `FactRow` of a cell, None while it has not been read."""
FLASH_ROLE: Final = Qt.ItemDataRole.UserRole + 1
"""Whether the row has just changed."""

_MOST_STEPS: Final = 64  # more inserted and removed runs than this are told as a reset
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_FLAGS: Final = (
    Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
)


class FactTable(QAbstractTableModel):
    """A window on a list of facts.

    Signals:
        merge_started: rows are about to come and go; note what is in view.
        merge_ended: they have; bring it back into view.
        loaded: rows were read; carries the first and the last of them.

    Attributes:
        clock: gives the instant to which the status of rows is relative.
        is_history: whether the list has several intervals of one key; rows are told apart by it.
    """

    merge_started = Signal()
    merge_ended = Signal()
    loaded = Signal(int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.clock: Callable[[], datetime] = utc_now
        self.is_history = False
        self._count = 0
        self._loaded: dict[int, FactRow] = {}
        self._flashed: frozenset[Hashable] = frozenset()
        self._is_editing = False

    # -- asking -------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many rows there are, as far as is known."""
        return self._count

    @property
    def loaded_count(self) -> int:
        """How many of them are here."""
        return len(self._loaded)

    @property
    def is_editing(self) -> bool:
        """Whether rows come or go now, which a view's current row may follow on its own."""
        return self._is_editing

    def row(self, at: int) -> FactRow | None:
        """Return a row, None while it has not been read."""
        return self._loaded.get(at)

    def rows(self) -> Iterable[tuple[int, FactRow]]:
        """Return the rows that are here, with their positions, in no order."""
        return self._loaded.items()

    def are_loaded(self, first: int, last: int) -> bool:
        """Say whether all rows from `first` to `last` are here."""
        return all(at in self._loaded for at in range(first, last + 1))

    def key(self, row: FactRow) -> Hashable:
        """Return what makes a row the same row in another reading.

        Without history it is the key of the ledger: the row then stays when its fact is
        superseded, and shows what took its place.
        """
        fact = row.fact
        if self.is_history:
            return fact.memory_id, fact.valid_from
        return fact.subject, fact.attribute, fact.owner, fact.slot

    # -- taking in ----------------------------------------------------------------------------

    def clear(self) -> None:
        """Have no rows."""
        self.beginResetModel()
        self._count, self._loaded = 0, {}
        self._flashed = frozenset()
        self.endResetModel()

    def set_count(self, count: int) -> None:
        """Have so many rows: more or fewer at the end."""
        self._resize(count)

    def load(self, first: int, rows: Sequence[FactRow]) -> None:
        """Take in rows that were read, from position `first`; rows beyond the end are added."""
        if not rows:
            return
        last = first + len(rows) - 1
        self._resize(max(self._count, last + 1))
        self._loaded.update(enumerate(rows, first))
        self._tell_data(first, last)
        self.loaded.emit(first, last)

    def unload(self, first: int, last: int) -> None:
        """Forget rows; they show placeholders until they are read again."""
        for at in range(first, last + 1):
            self._loaded.pop(at, None)

    def merge(
        self,
        first: int,
        rows: Sequence[FactRow],
        *,
        count: int | None = None,
        flashes: bool = False,
    ) -> None:
        """Take in a new reading of the list, of which `rows` stand from position `first`.

        Rows that are in both readings stay the same rows for selection and scroll. Whatever else
        was here is forgotten.

        Args:
            first: position of the first of them in the new list.
            rows: consecutive rows of the new list; with none, the list is empty.
            count: the length of the new list, None if it is not known yet.
            flashes: whether rows that came or changed flash.
        """
        self.merge_started.emit()
        old = sorted(self._loaded.items())
        kept = kept_rows([self.key(row) for _, row in old], [self.key(row) for row in rows])
        pairs = [(old[left][0], first + right) for left, right in kept]
        self._flashed = self._changes(old, first, rows, pairs) if flashes else frozenset()
        steps = self._steps(pairs, first, len(rows))
        if not pairs or len(steps) > _MOST_STEPS:
            self._replace(first, rows, count)
        else:
            self._carry_out(steps, first, rows, count)
        if rows:
            self.loaded.emit(first, first + len(rows) - 1)
        self.merge_ended.emit()

    def is_flashed(self, row: FactRow) -> bool:
        """Say whether a row has just come or changed."""
        return bool(self._flashed) and self.key(row) in self._flashed

    def end_flash(self) -> None:
        """Let no row flash any more."""
        self._flashed = frozenset()

    @property
    def has_flashes(self) -> bool:
        """Whether any row flashes."""
        return bool(self._flashed)

    def tell_texts_changed(self) -> None:
        """Say that every cell reads otherwise: another language, format or instant."""
        for row in self._loaded.values():
            row.texts.clear()
        if self._count:
            self._tell_data(0, self._count - 1)
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def _changes(
        self,
        old: Sequence[tuple[int, FactRow]],
        first: int,
        rows: Sequence[FactRow],
        pairs: Sequence[tuple[int, int]],
    ) -> frozenset[Hashable]:
        """Return the keys of rows that read otherwise, or came among those that were here."""
        if not pairs:
            return frozenset()
        before = {self.key(row): row for _, row in old}
        was_at_top = first == 0 and old[0][0] == 0
        was_at_end = old[-1][0] == self._count - 1
        begin = first if was_at_top else pairs[0][1]
        end = first + len(rows) - 1 if was_at_end else pairs[-1][1]
        return frozenset(
            key
            for at, (key, row) in enumerate(((self.key(row), row) for row in rows), first)
            if (key in before and before[key] != row) or (key not in before and begin <= at <= end)
        )

    # -- steps --------------------------------------------------------------------------------

    def _steps(
        self, pairs: Sequence[tuple[int, int]], first: int, length: int
    ) -> list[tuple[int, int, int]]:
        """Return (position, removed, inserted) in old positions, from the last to the first."""
        if not pairs:
            return []
        old_at, new_at = pairs[0]
        # Where the new reading begins in the old list: as far above the first row in common.
        start = 0 if first == 0 else max(0, old_at - (new_at - first))
        steps = [(0, max(0, start - first), max(0, first - start))]
        at, to = start, first
        for old_row, new_row in pairs:
            steps.append((at, old_row - at, new_row - to))
            at, to = old_row + 1, new_row + 1
        # Rows that follow fill what is unread there, for that is what they were.
        room = 0
        while room < first + length - to and self._is_unread(at + room):
            room += 1
        steps.append((at, 0, first + length - to - room))
        return [step for step in reversed(steps) if step[1] or step[2]]

    def _is_unread(self, at: int) -> bool:
        return at < self._count and at not in self._loaded

    def _carry_out(
        self,
        steps: Iterable[tuple[int, int, int]],
        first: int,
        rows: Sequence[FactRow],
        count: int | None,
    ) -> None:
        for at, removed, inserted in steps:
            if removed:
                self._remove(at, removed)
            if inserted:
                self._insert(at, inserted)
        least = first + len(rows)
        self._resize(max(self._count if count is None else count, least))
        self._loaded = dict(enumerate(rows, first))
        self._tell_data(0, self._count - 1)

    def _replace(self, first: int, rows: Sequence[FactRow], count: int | None) -> None:
        self.beginResetModel()
        self._count = first + len(rows) if count is None else count
        self._loaded = dict(enumerate(rows, first))
        self.endResetModel()

    def _insert(self, at: int, number: int) -> None:
        self._is_editing = True
        self.beginInsertRows(QModelIndex(), at, at + number - 1)
        self._count += number
        self._loaded = {
            place if place < at else place + number: row for place, row in self._loaded.items()
        }
        self.endInsertRows()
        self._is_editing = False

    def _remove(self, at: int, number: int) -> None:
        self._is_editing = True
        self.beginRemoveRows(QModelIndex(), at, at + number - 1)
        self._count -= number
        self._loaded = {
            place if place < at else place - number: row
            for place, row in self._loaded.items()
            if not at <= place < at + number
        }
        self.endRemoveRows()
        self._is_editing = False

    def _resize(self, count: int) -> None:
        if count > self._count:
            self._insert(self._count, count - self._count)
        elif count < self._count:
            self._remove(count, self._count - count)

    def _tell_data(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))

    # -- Qt's questions -----------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self._loaded.get(index.row()), Column(index.column())
        if row is None:
            return self._placeholder(role)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return cell_text(row, column, self.clock())
            case Qt.ItemDataRole.TextAlignmentRole:
                return _RIGHT if column in NUMBER_COLUMNS else _LEFT
            case Qt.ItemDataRole.ToolTipRole:
                told = hover_text(row, column)
                return tooltip(told) if told else None
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken_text(row, column, self.clock())
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return summary_text(row, self.clock())
            case _ if role == ROW_ROLE:
                return row
            case _ if role == FLASH_ROLE:
                return self.is_flashed(row)
        return None

    def _placeholder(self, role: int) -> Any:
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return QCoreApplication.translate("FactTable", "being read")
        return False if role == FLASH_ROLE else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        column = Column(section)
        if role == Qt.ItemDataRole.DisplayRole:
            return title(column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in NUMBER_COLUMNS else _LEFT
        if role == Qt.ItemDataRole.ToolTipRole and not SPECS[column].can_sort:
            said = self.tr("The table is not sorted by this column.")
            if not is_filterable(column):
                said = self.tr("The table is neither sorted nor filtered by this column.")
            return tooltip(said)
        return None
