"""The rows of a list that is read page by page as one scrolls. Knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex


class PagedRows(QAbstractTableModel, Generic[Row]):
    """Rows, as far as they have been read; a subclass says what is in its columns.

    Signals:
        more_wanted: the view has come near the end of what was read, and there is more. It is said
            once until `set_rows`, `append` or `offer_more` answers.
    """

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None, *, columns: int = 1) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []
        self._columns = columns
        self._has_more = False
        self._known_at: datetime | None = None

    @property
    def rows(self) -> Sequence[Row]:
        """The rows that were read, in order."""
        return self._rows

    def set_rows(self, rows: Sequence[Row], *, has_more: bool = False) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows = list(rows)
        self._has_more = has_more
        self.endResetModel()

    def append(self, rows: Sequence[Row], *, has_more: bool) -> None:
        """Show further rows after those that are there."""
        self._has_more = has_more
        self._insert(len(self._rows), rows)

    def set_known_at(self, known_at: datetime | None) -> None:
        """Mark what was recorded after an instant, with whose knowledge one looks."""
        if known_at != self._known_at:
            self._known_at = known_at
            self._tell()

    def _is_later(self, recorded_at: datetime) -> bool:
        return self._known_at is not None and recorded_at > self._known_at

    def offer_more(self) -> None:
        """Let the view want more again, which it did not get."""
        self._has_more = True

    def _insert(self, place: int, rows: Sequence[Row]) -> None:
        if rows:
            self.beginInsertRows(QModelIndex(), place, place + len(rows) - 1)
            self._rows[place:place] = rows
            self.endInsertRows()

    def _tell(self, *roles: Qt.ItemDataRole, column: int | None = None) -> None:
        """Say that all rows read otherwise: in one column or all, in some roles or all."""
        if self._rows:
            first, last = (0, self._columns - 1) if column is None else (column, column)
            end = self.index(len(self._rows) - 1, last)
            self.dataChanged.emit(self.index(0, first), end, list(roles))

    # -- Qt's questions -----------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._columns

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._has_more

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._has_more = False
            self.more_wanted.emit()
