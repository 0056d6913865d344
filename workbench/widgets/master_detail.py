"""A list that can be narrowed, and beside it what is chosen in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from workbench.widgets.steady_scroll import SteadyScroll

if TYPE_CHECKING:
    from collections.abc import Sequence

    from workbench.widgets.empty_state import EmptyState
    from workbench.widgets.filter_bar import FilterBar


class MasterDetail(QSplitter):
    """Shows a list under its filter, or why it is empty, and a detail, or what belongs there.

    What is given stands in the order of the Tab key; the list brings its model.

    Signals:
        chosen: a person went to a row or clicked it; carries its index.
    """

    chosen = Signal(QModelIndex)

    def __init__(
        self,
        *,
        filters: FilterBar[Any],
        rows: QAbstractItemView,
        empty: EmptyState,
        below: Sequence[QWidget] = (),
        no_detail: EmptyState,
        detail: QWidget,
        shares: tuple[int, int],
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._rows = rows
        self._is_marking = False
        left, right = QWidget(), QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(filters)
        self._list_stack = QStackedLayout()
        self._list_stack.addWidget(rows)
        self._list_stack.addWidget(empty)
        column.addLayout(self._list_stack, 1)
        for widget in below:
            column.addWidget(widget)
        self._detail_stack = QStackedLayout(right)
        self._detail_stack.addWidget(no_detail)
        self._detail_stack.addWidget(detail)
        for place, (side, share) in enumerate(zip((left, right), shares, strict=True)):
            self.addWidget(side)
            self.setStretchFactor(place, share)
        self.setChildrenCollapsible(False)
        self.setSizes([200 * share for share in shares])
        SteadyScroll(rows)
        filters.left.connect(rows.setFocus)
        rows.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        # The current row may be one that was only marked: a click chooses it all the same.
        rows.clicked.connect(self.chosen)

    def show_rows(self, has_any: bool) -> None:
        """Show the list, or what stands in its place."""
        self._list_stack.setCurrentIndex(0 if has_any else 1)

    def show_detail(self, has_any: bool) -> None:
        """Show the detail, or what stands in its place."""
        self._detail_stack.setCurrentIndex(1 if has_any else 0)

    def mark(
        self, index: QModelIndex, flags: QItemSelectionModel.SelectionFlag | None = None
    ) -> None:
        """Make a row the current one without choosing it for all; select as the list does."""
        self._is_marking = True
        if flags is None:
            self._rows.setCurrentIndex(index)
        else:
            self._rows.selectionModel().setCurrentIndex(index, flags)
        self._is_marking = False

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._is_marking:
            self.chosen.emit(index)
