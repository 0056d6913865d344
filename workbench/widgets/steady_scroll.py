"""Keeps what is in view where it is while rows come in above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, Slot

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView


class SteadyScroll(QObject):
    """Watches the model of a list or table that scrolls by pixels.

    A view that is scrolled to its top stays there, and shows what is new. Attach it after the model
    was set.
    """

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._anchor = QPersistentModelIndex()
        self._top = 0
        model = view.model()
        model.rowsAboutToBeInserted.connect(self._on_rows_about_to_be_inserted)
        model.rowsInserted.connect(self._on_rows_inserted)

    @Slot(QModelIndex, int, int)
    def _on_rows_about_to_be_inserted(self, _parent: QModelIndex, _first: int, _last: int) -> None:
        bar = self._view.verticalScrollBar()
        if bar.value() == bar.minimum():
            self._anchor = QPersistentModelIndex()
            return
        index = self._view.indexAt(QPoint(4, 1))
        self._anchor = QPersistentModelIndex(index)
        self._top = self._view.visualRect(index).top()

    @Slot(QModelIndex, int, int)
    def _on_rows_inserted(self, _parent: QModelIndex, first: int, _last: int) -> None:
        if not self._anchor.isValid() or first > self._anchor.row():
            return
        view = self._view
        view.doItemsLayout()  # the view would do so later, and the bar know its range then only
        index = view.model().index(self._anchor.row(), self._anchor.column())
        bar = view.verticalScrollBar()
        bar.setValue(bar.value() + view.visualRect(index).top() - self._top)
