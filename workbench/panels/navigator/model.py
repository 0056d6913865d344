"""A list of names with counts, of which the current row and the scroll survive a change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from workbench.text import one_line, tooltip
from workbench.widgets.row_edits import edits_between

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Index = QModelIndex | QPersistentModelIndex

ENTRY_ROLE: Final = Qt.ItemDataRole.UserRole
"""The `Entry` of a row."""
LONGEST_TITLE: Final = 120
_MOST_EDITS: Final = 64  # more than this are told as a reset


@dataclass(frozen=True, slots=True)
class Entry:
    """One name to choose.

    Attributes:
        id: what is chosen.
        title: what it is called; names from a store are shown with everything visible.
        count: how many there are of it.
        conflicts: how many of them wait for a decision.
        tint: the index of its type's colour; None where it has none, or not yet.
    """

    id: str
    title: str
    count: int
    conflicts: int = 0
    tint: int | None = None


def named(name: str, count: int, *, conflicts: int = 0, tint: int | None = None) -> Entry:
    """Return the entry of a name from a store."""
    return Entry(name, one_line(name, LONGEST_TITLE), count, conflicts, tint)


def _plain(entry: Entry) -> str:
    return f"{entry.title}, {entry.count}"


class EntryList(QAbstractListModel):
    """Names with counts.

    Attributes:
        spoken: says an entry in words, for a screen reader.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.spoken: Callable[[Entry], str] = _plain
        self._entries: list[Entry] = []
        self._places: dict[str, int] = {}

    @property
    def entries(self) -> Sequence[Entry]:
        """The entries, in order."""
        return self._entries

    def entry(self, row: int) -> Entry:
        """Return an entry by row."""
        return self._entries[row]

    def row_of(self, entry_id: str | None) -> int:
        """Return the row of an entry, -1 if it is not here."""
        return -1 if entry_id is None else self._places.get(entry_id, -1)

    def show(self, entries: Sequence[Entry]) -> None:
        """Become another list; rows that are in both stay the same rows."""
        wanted = list(entries)
        edits = edits_between([it.id for it in self._entries], [it.id for it in wanted])
        if len(edits) > _MOST_EDITS or not self._entries:
            self.beginResetModel()
            self._take(wanted)
            self.endResetModel()
            return
        for edit in edits:
            if edit.removed:
                self.beginRemoveRows(QModelIndex(), edit.at, edit.at + edit.removed - 1)
                del self._entries[edit.at : edit.at + edit.removed]
                self.endRemoveRows()
            if edit.inserted:
                self.beginInsertRows(QModelIndex(), edit.at, edit.at + edit.inserted - 1)
                new = wanted[edit.new_at : edit.new_at + edit.inserted]
                self._entries[edit.at : edit.at] = new
                self.endInsertRows()
        changed = [row for row, it in enumerate(wanted) if it != self._entries[row]]
        self._take(wanted)
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def _take(self, entries: list[Entry]) -> None:
        self._entries = entries
        self._places = {entry.id: row for row, entry in enumerate(entries)}

    def tell_texts_changed(self) -> None:
        """Say that every row reads otherwise, as in another language."""
        if self._entries:
            self.dataChanged.emit(self.index(0), self.index(len(self._entries) - 1))

    # -- Qt's questions -----------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.spoken(entry)
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(self.spoken(entry))
            case _ if role == ENTRY_ROLE:
                return entry
        return None

    def match(
        self,
        start: Index,
        role: int,
        value: Any,
        hits: int = 1,
        flags: Qt.MatchFlag = Qt.MatchFlag.MatchStartsWith,
    ) -> list[QModelIndex]:
        """Find the next entry that begins with what was typed; Qt's own asks row by row."""
        wanted = str(value).casefold()
        count = len(self._entries)
        first = start.row() if start.isValid() else 0
        found: list[QModelIndex] = []
        for row in (*range(first, count), *range(first)):
            if self._entries[row].title.casefold().startswith(wanted):
                found.append(self.index(row))
                if 0 < hits <= len(found):
                    break
        return found
