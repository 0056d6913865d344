"""The panel with the list of conflicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt, QTimer, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from store import Conflict, ConflictState
from store.encoding import State
from workbench.dialogs.conflict import ConflictDialog
from workbench.panels.conflicts.model import CONFLICT_ROLE, Column, state_line
from workbench.panels.conflicts.presenter import AREA, ConflictsPresenter
from workbench.theme import font, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel
from workbench.widgets.reason_edit import RecentReasons
from workbench.widgets.row_table import RowTable
from workbench.widgets.status_dot import paint_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QShowEvent

    from workbench.session import Session

_FLASH_MS: Final = 900
_AGES_MS: Final = 60_000
_WIDTHS: Final[dict[Column, int]] = {
    Column.SUBJECT: 112,
    Column.ATTRIBUTE: 132,
    Column.KIND: 108,
    Column.STANDING: 170,
    Column.INCOMING: 170,
    Column.RAISED: 150,
    Column.AGE: 112,
    Column.STATE: 88,
}
_CLAIMS: Final = (Column.STANDING, Column.INCOMING)
_STATES: Final = {
    ConflictState.OPEN: State.DISPUTED,
    ConflictState.SETTLED: State.CURRENT,
    ConflictState.STALE: State.ENDED,
}
_Index = QModelIndex | QPersistentModelIndex


class _StateDelegate(QStyledItemDelegate):
    """Draws where a conflict stands as a shape and words."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        plain = QStyleOptionViewItem(option)
        self.initStyleOption(plain, index)
        plain.text = ""
        style = plain.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, plain, painter, plain.widget)
        conflict: Conflict = index.data(CONFLICT_ROLE)
        painter.save()
        painter.setFont(font("content"))
        painter.setLayoutDirection(option.direction)
        room = QRectF(option.rect).adjusted(8, 0, -8, 0)
        paint_state(painter, room, _STATES[conflict.state], words=state_line(conflict))
        painter.restore()


class _Table(RowTable):
    """A table whose row opens on Enter."""

    def __init__(self, opened: Callable[[], None]) -> None:
        super().__init__()
        self._opened = opened

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._opened()
            event.accept()
            return
        super().keyPressEvent(event)


class ConflictsView(Panel):
    """The conflicts that wait, or all of them. Enter or a double click opens one to decide it.

    Attributes:
        reasons: the reasons that the dialog offers; the window puts those of the settings there.
    """

    def __init__(
        self,
        session: Session,
        parent: QWidget | None = None,
        *,
        reasons: RecentReasons | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("conflicts")
        self._session = session
        self.reasons = reasons or RecentReasons(parent=self)
        self.presenter = ConflictsPresenter(session, self)
        self._is_following = False
        self._count = QLabel()
        self._all = QCheckBox()
        self.table = _Table(self._open_current)
        self._empty = EmptyState("diamond", "")
        self._clear = self._empty.add_button("view.clear_filters", "")
        self._show_all = self._empty.add_button("show_all", "")
        self._pages = QStackedWidget()
        self._busy = BusyLine(self)
        self._busy.follow(session.operations, AREA)
        self._flash_over = QTimer(self, singleShot=True, interval=_FLASH_MS)
        self._ages = QTimer(self, interval=_AGES_MS)
        self._make_table()
        self._lay_out()
        self._connect()
        self._say_names()
        self._show_rows()

    # -- for the window -----------------------------------------------------------------------

    def handlers(self) -> dict[str, Callable[[], None]]:
        return {
            "conflict.next": self.presenter.open_next,
            "conflict.resolve": self.presenter.open_selected,
        }

    def first_focus(self) -> QWidget:
        return self.table

    @Slot(str)
    def settle(self, conflict_id: str) -> ConflictDialog:
        """Open the dialog on a conflict, or go to it in the dialog that is open."""
        window = self.window()
        return ConflictDialog.ask(self._session, conflict_id, reasons=self.reasons, parent=window)

    # -- building -----------------------------------------------------------------------------

    def _make_table(self) -> None:
        table = self.table
        table.setObjectName("conflicts_table")
        table.setModel(self.presenter.model)
        table.setItemDelegateForColumn(Column.STATE, _StateDelegate(table))
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerItem)
        table.setSortingEnabled(False)
        header = table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicator(Column.RAISED, Qt.SortOrder.AscendingOrder)
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(72)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width)
        for column in _CLAIMS:  # the claims share what room there is
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)

    def _lay_out(self) -> None:
        bar = QFrame()
        set_look(bar, "bar")
        set_look(self._count, "secondary")
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 4, 12, 4)
        row.addWidget(self._count)
        row.addStretch(1)
        row.addWidget(self._all)
        self._pages.addWidget(self.table)
        self._empty.setAutoFillBackground(True)
        self._empty.setBackgroundRole(QPalette.ColorRole.Base)
        self._pages.addWidget(self._empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._busy)
        column.addWidget(MessageBar(self.presenter.messages))
        column.addWidget(bar)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        presenter = self.presenter
        presenter.rows_changed.connect(self._show_rows)
        presenter.selection_changed.connect(self._on_presenter_selection_changed)
        presenter.shows_all_changed.connect(self._show_rows)
        presenter.opening.connect(self.settle)
        presenter.flashed.connect(self._on_presenter_flashed)
        self._session.summary_changed.connect(self._show_count)
        self.table.selectionModel().currentRowChanged.connect(self._on_table_current_row_changed)
        self.table.doubleClicked.connect(self._open_current)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._on_header_sorted)
        self._all.toggled.connect(presenter.show_all)
        self._empty.action_chosen.connect(self._on_empty_action_chosen)
        self._flash_over.timeout.connect(lambda: presenter.model.flash(frozenset()))
        self._ages.timeout.connect(presenter.model.say_ages)

    def _say_names(self) -> None:
        self.setAccessibleName(self.tr("Conflicts"))
        self.table.setAccessibleName(self.tr("Conflicts"))
        self.table.setAccessibleDescription(self.tr("Enter opens the conflict to decide it."))
        self._all.setText(self.tr("Settled and stale too"))
        self._show_all.setText(self.tr("Show the settled ones"))
        self._clear.setText(self.tr("Clear all filters"))
        self._show_count()

    def retranslate(self) -> None:
        self._say_names()
        self._show_rows()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ages.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._ages.stop()
        super().hideEvent(event)

    # -- showing ------------------------------------------------------------------------------

    @Slot()
    def _show_rows(self) -> None:
        presenter = self.presenter
        is_empty = not presenter.model.rows
        self._pages.setCurrentIndex(int(is_empty))
        was_blocked = self._all.blockSignals(True)
        self._all.setChecked(presenter.shows_all)
        self._all.blockSignals(was_blocked)
        if is_empty:
            self._say_why_empty()
        self._show_count()

    def _say_why_empty(self) -> None:
        presenter = self.presenter
        self._show_all.setVisible(presenter.is_loaded and not presenter.shows_all)
        self._clear.setVisible(presenter.is_loaded and presenter.has_filter)
        about = self.tr("Where two sources disagree, both claims come here and a person decides.")
        if not presenter.is_loaded:
            self._empty.set_text(self.tr("Conflicts are listed here."), about)
        elif presenter.has_filter:
            self._empty.set_text(
                self.tr("No conflict fits the filter."), self.tr("Clear the filter to see all.")
            )
        elif presenter.shows_all:
            self._empty.set_text(self.tr("There was no conflict yet."), about)
        else:
            self._empty.set_text(self.tr("No conflicts wait."), about)

    @Slot()
    def _show_count(self) -> None:
        self._count.setText(self.tr("%n conflict(s) wait", "", self.presenter.open_count))

    @Slot(object)
    def _on_presenter_flashed(self, conflict_ids: frozenset[str]) -> None:
        self.presenter.model.flash(conflict_ids)
        self._flash_over.start()

    @Slot()
    def _on_presenter_selection_changed(self) -> None:
        """Follow what is selected, here or in another panel."""
        row = self.presenter.model.row_of(self.presenter.selected)
        self._is_following = True
        if row is None:
            self.table.clearSelection()
        elif self.table.currentIndex().row() != row or not self.table.selectedIndexes():
            self.table.selectRow(row)
        self._is_following = False

    # -- what a person does -------------------------------------------------------------------

    @Slot(QModelIndex, QModelIndex)
    def _on_table_current_row_changed(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid() and not self._is_following:
            self.presenter.select(now.data(CONFLICT_ROLE))

    @Slot()
    def _open_current(self) -> None:
        index = self.table.currentIndex()
        if index.isValid():
            conflict: Conflict = index.data(CONFLICT_ROLE)
            self.presenter.select(conflict)
            self.settle(conflict.conflict_id)

    @Slot(int, Qt.SortOrder)
    def _on_header_sorted(self, section: int, order: Qt.SortOrder) -> None:
        is_descending = order is Qt.SortOrder.DescendingOrder
        self.presenter.sort(Column(section), is_descending=is_descending)

    @Slot(str)
    def _on_empty_action_chosen(self, action_id: str) -> None:
        if action_id == "show_all":
            self.presenter.show_all(True)
        else:
            self._session.attention_wanted.emit(action_id)
