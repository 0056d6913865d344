"""The versions of a fact as a list, in words for eye and ear."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from store.model import RowKind
from workbench import words
from workbench.text import exact, instant, isolate, number, tooltip, value_line, value_pretty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.panels.inspector.items import VersionRow

Index = QModelIndex | QPersistentModelIndex


class VersionRole(IntEnum):
    """What the model gives besides text."""

    ROW = Qt.ItemDataRole.UserRole + 1
    NUMBER = Qt.ItemDataRole.UserRole + 2
    VALUE = Qt.ItemDataRole.UserRole + 3
    FROM = Qt.ItemDataRole.UserRole + 4
    STORY = Qt.ItemDataRole.UserRole + 5


class VersionModel(QAbstractListModel):
    """The assertions of a key, newest transaction first: value, beginning, act, belief."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[VersionRow, ...] = ()

    def set_rows(self, rows: Sequence[VersionRow]) -> None:
        """Show these rows."""
        if tuple(rows) == self._rows:
            return
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, number: int) -> VersionRow:
        """Give a row by its place."""
        return self._rows[number]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"{self._number(row)}  {self._value(row)} {self._from(row)}"
            case Qt.ItemDataRole.AccessibleTextRole:
                late = [self.tr("arrived late")] if row.is_late else []
                said = [self._number(row), f"{isolate(self._value(row))} {self._from(row)}"]
                return ", ".join([*said, *late, self._story(row)])
            case Qt.ItemDataRole.ToolTipRole:
                return self._hover(row)
            case VersionRole.ROW:
                return row
            case VersionRole.NUMBER:
                return self._number(row)
            case VersionRole.VALUE:
                return self._value(row)
            case VersionRole.FROM:
                return self._from(row)
            case VersionRole.STORY:
                return self._story(row)
        return None

    def _number(self, row: VersionRow) -> str:
        return self.tr("tx {number}").format(number=number(row.version.began))

    def _value(self, row: VersionRow) -> str:
        if row.version.kind is RowKind.END:
            return self.tr("nothing")
        return value_line(row.version.value)

    def _from(self, row: VersionRow) -> str:
        return self.tr("from {instant}").format(instant=instant(row.version.valid_from))

    def _story(self, row: VersionRow) -> str:
        version = row.version
        act = words.write_kind(version.began_by)
        begins = instant(version.recorded_at)
        if version.superseded_at is None or version.ceased_by is None:
            said = self.tr("{act} · believed since {begins}")
            return said.format(act=act, begins=begins)
        said = self.tr("{act} · believed {begins} → {ends} · ended by {ended} (tx {number})")
        return said.format(
            act=act,
            begins=begins,
            ends=instant(version.superseded_at),
            ended=words.write_kind(version.ceased_by),
            number=number(version.ceased or 0),
        )

    def _hover(self, row: VersionRow) -> str:
        version = row.version
        lines = [self._value(row)]
        if version.kind is RowKind.FACT:
            lines = [value_pretty(version.value)[:1000]]
        begins = self.tr("valid from {instant}").format(instant=exact(version.valid_from))
        if version.until is not None:
            ends = self.tr("stated end {instant}").format(instant=exact(version.until))
            begins = f"{begins}, {ends}"
        recorded = self.tr("recorded {instant}").format(instant=exact(version.recorded_at))
        lines += [begins, recorded]
        if version.superseded_at is not None:
            ended = self.tr("no longer believed since {instant}")
            lines.append(ended.format(instant=exact(version.superseded_at)))
        if row.is_late:
            lines.append(
                self.tr("Arrived late: a later beginning was believed already, and stays so.")
            )
        return tooltip("\n".join(lines))
