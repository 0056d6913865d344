"""Tables that are read and chosen from row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from workbench.theme import appearance

if TYPE_CHECKING:
    from workbench.theme import Row


class RowTable(QTableView):
    """Shows rows of one height, that of the appearance in force; nothing in them is edited."""

    def __init__(self, parent: QWidget | None = None, *, row: Row = "table") -> None:
        super().__init__(parent)
        self._row: Row = row
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        appearance().changed.connect(self._fit_rows)
        self._fit_rows()

    @Slot()
    def _fit_rows(self) -> None:
        height = appearance().row_height(self._row)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.viewport().update()


class CopyTable(RowTable):
    """A `RowTable` of which rows are copied by the keys for it, and where letters are commands.

    Signals:
        copy_wanted: the keys for copying were pressed.
    """

    copy_wanted = Signal()

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: Qt would look through every row."""

    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and _copies(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _copies(event):
            self.copy_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


def _copies(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Copy)
