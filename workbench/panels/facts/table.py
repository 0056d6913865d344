"""The table of facts as a widget: what keys and mouse do, which rows are in view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QWidget

from workbench.panels.facts.delegate import FactDelegate
from workbench.theme import appearance
from workbench.widgets.filter_header import FilterHeader
from workbench.widgets.row_table import CopyTable

if TYPE_CHECKING:
    from workbench.panels.facts.model import FactTable

_HELD_ROWS: Final = 8  # of the first rows in view so many are tried as a hold for the scroll


class FactTableView(CopyTable):
    """Shows a `FactTable`.

    Signals:
        row_chosen: the current row changed, by mouse or keys; carries it.
        row_entered: Enter or a double click; carries the row.
        left: Esc was pressed.
        menu_wanted: a context menu is wanted; carries the global position.
        rows_in_view_changed: carries the first and the last row in view.
    """

    row_chosen = Signal(int)
    row_entered = Signal(int)
    left = Signal()
    menu_wanted = Signal(QPoint)
    rows_in_view_changed = Signal(int, int)

    def __init__(self, model: FactTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("facts.table")
        self.header = FilterHeader(self)
        self.setHorizontalHeader(self.header)
        # The model's own sort does nothing; but without it a click on a header selects a column.
        self.setSortingEnabled(True)
        self._facts = model
        self._held: list[tuple[QPersistentModelIndex, int]] = []
        self._is_following = False
        self._look_soon = QTimer(self, singleShot=True, interval=0)
        self._look_soon.timeout.connect(self._tell_rows_in_view)
        self.setModel(model)
        # Qt asks for each header section whether all of its rows are selected, row by row.
        self.header.setSelectionModel(QItemSelectionModel(model, self))
        self._delegate = FactDelegate(model, self)
        self.setItemDelegate(self._delegate)
        model.merge_started.connect(self._on_model_merge_started)
        model.merge_ended.connect(self._on_model_merge_ended)
        model.rowsInserted.connect(self.look_again)
        model.rowsRemoved.connect(self.look_again)
        model.modelReset.connect(self.look_again)
        self.verticalScrollBar().valueChanged.connect(self._tell_rows_in_view)
        self.doubleClicked.connect(lambda index: self.row_entered.emit(index.row()))
        appearance().changed.connect(self._on_appearance_changed)
        self._on_appearance_changed()

    # -- for the panel ------------------------------------------------------------------------

    @property
    def rows_in_view(self) -> tuple[int, int]:
        """The first and the last row of which anything is seen."""
        first = self.rowAt(0)
        last = self.rowAt(self.viewport().height() - 1)
        return max(0, first), self.model().rowCount() - 1 if last < 0 else last

    @property
    def selected_ranges(self) -> list[tuple[int, int]]:
        """The first and last rows of each run of selected rows, in order, without overlap."""
        found: list[tuple[int, int]] = []
        ranges = self.selectionModel().selection().toList()
        for first, last in sorted((part.top(), part.bottom()) for part in ranges):
            if found and first <= found[-1][1] + 1:
                found[-1] = found[-1][0], max(last, found[-1][1])
            else:
                found.append((first, last))
        return found

    def follow_row(self, row: int) -> None:
        """Show a row as selected because something else selected it; -1 for none."""
        chosen = self.selectionModel()
        self._is_following = True
        if row < 0:
            chosen.clear()
        elif chosen.currentIndex().row() != row or not chosen.isRowSelected(row):
            flags = QItemSelectionModel.SelectionFlag
            index = self.model().index(row, max(0, chosen.currentIndex().column()))
            chosen.setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self._is_following = False

    def reveal_row(self, row: int) -> None:
        """Scroll a row into view, to the middle if it is far away."""
        if row < 0:
            return
        first, last = self.rows_in_view
        is_near = first - 2 <= row <= last + 2
        hint = QAbstractItemView.ScrollHint
        column = max(0, self.header.logicalIndexAt(0))
        self.scrollTo(
            self.model().index(row, column),
            hint.EnsureVisible if is_near else hint.PositionAtCenter,
        )

    @Slot()
    def look_again(self) -> None:
        """Tell in the next turn which rows are in view."""
        self._look_soon.start()

    # -- staying in place ---------------------------------------------------------------------

    @Slot()
    def _on_model_merge_started(self) -> None:
        first, last = self.rows_in_view
        if self.verticalScrollBar().value() == 0:
            self._held = []  # at the very top one sees what is new there
            return
        rows = range(first, min(last, first + _HELD_ROWS) + 1)
        self._held = [
            (QPersistentModelIndex(self.model().index(row, 0)), self.rowViewportPosition(row))
            for row in rows
        ]

    @Slot()
    def _on_model_merge_ended(self) -> None:
        self._look_soon.start()
        for index, y in self._held:
            if index.isValid():
                bar = self.verticalScrollBar()
                self.executeDelayedItemsLayout()  # the bar's range counts the new rows only then
                self.updateGeometries()
                bar.setValue(bar.value() + self.rowViewportPosition(index.row()) - y)
                break
        self._held = []

    # -- keys and mouse -----------------------------------------------------------------------

    def currentChanged(
        self,
        current: QModelIndex | QPersistentModelIndex,
        previous: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()  # the edges of the current row are drawn across all columns
        is_own = not self._is_following and not self._facts.is_editing
        if is_own and current.isValid() and current.row() != previous.row():
            self.row_chosen.emit(current.row())

    def selectAll(self) -> None:
        """Select every row as one range; what a copy takes of it is limited."""
        model = self.model()
        if model.rowCount() == 0:
            return
        whole = QItemSelection(
            model.index(0, 0), model.index(model.rowCount() - 1, model.columnCount() - 1)
        )
        self.selectionModel().select(whole, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain and row >= 0:
            self.row_entered.emit(row)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and plain:
            self._go_to_end(is_last=event.key() == Qt.Key.Key_End)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _go_to_end(self, *, is_last: bool) -> None:
        row = self.model().rowCount() - 1 if is_last else 0
        if row >= 0:
            self.setCurrentIndex(self.model().index(row, max(0, self.currentIndex().column())))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            index = self.indexAt(event.pos())
            if index.isValid() and not self.selectionModel().isRowSelected(index.row()):
                self.setCurrentIndex(index)
            at = event.globalPos()
        else:
            self.scrollTo(self.currentIndex())
            spot = self.visualRect(self.currentIndex()).bottomLeft()
            at = self.viewport().mapToGlobal(spot)
        if self.currentIndex().isValid():
            self.menu_wanted.emit(at)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._delegate.begin()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_rows_in_view()

    @Slot()
    def _tell_rows_in_view(self) -> None:
        if self.model().rowCount():
            self.rows_in_view_changed.emit(*self.rows_in_view)

    @Slot()
    def _on_appearance_changed(self) -> None:
        self.verticalScrollBar().setSingleStep(appearance().row_height("table"))
