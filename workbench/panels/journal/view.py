"""The journal panel: the table of transactions, the chain below it, one transaction beside it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from store.model import WriteKind
from workbench import words
from workbench.panels.journal.chain import ChainStrip
from workbench.panels.journal.detail import DetailPane
from workbench.panels.journal.model import ROW_ROLE, Column
from workbench.panels.journal.presenter import AREA, JournalPresenter
from workbench.text import instant, one_line, tooltip
from workbench.theme import appearance, font, icon, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel
from workbench.widgets.reason_edit import RecentReasons
from workbench.widgets.search_field import SearchField
from workbench.widgets.steady_scroll import SteadyScroll

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QContextMenuEvent, QResizeEvent

    from workbench.session import Session

_BESIDE_FROM_PX: Final = 760
_LOW_PX: Final = 260
_WITH_CHAIN_PX: Final = 200
"""In a view that is lower, the state of the chain gives its room to a transaction."""
"""From this width on the detail stands beside the table, else under it."""
_REASON_FROM_PX: Final = 700
"""From this width on the table has a column for the reason; the detail has it always."""
_WIDTHS: Final = {Column.NUMBER: 58, Column.KIND: 118, Column.ACTOR: 84, Column.REASON: 240}
_LONGEST_DAY: Final = datetime(2028, 12, 28, 22, 58, 58, tzinfo=UTC)


class JournalView(Panel):
    """The panel of the transactions.

    Signals:
        menu_requested: a context menu is wanted for the selection; carries the global position.
    """

    menu_requested = Signal(QPoint)

    def __init__(
        self,
        session: Session,
        parent: QWidget | None = None,
        *,
        reasons: RecentReasons | None = None,
    ) -> None:
        """Make the panel.

        Args:
            session: what is looked at.
            parent: the parent.
            reasons: the reasons that were given last, shared with the dialogs.
        """
        super().__init__(parent)
        self.setObjectName(AREA)
        self.presenter = JournalPresenter(session, self, is_shown=False)
        self._is_marking = False
        self._busy = BusyLine.over(self)
        self._busy.follow(session.operations, AREA)
        self._search = SearchField("")
        self._search.setObjectName("journal_search")
        self._kinds = QComboBox()
        self._kinds.setObjectName("journal_kind")
        self._kinds.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._only = QPushButton()
        self._only.setObjectName("journal_subject")
        self._only.setCheckable(True)
        self.table = QTableView()
        self.table.setObjectName("journal_table")
        self.chain = ChainStrip(self.presenter)
        self.detail = DetailPane(self.presenter, reasons or RecentReasons(parent=self))
        self._empty = EmptyState("scroll-text", "")
        self._empty.setObjectName("journal_empty")
        self._clear = self._empty.add_button("clear", "")
        self._empty.action_chosen.connect(lambda _id: self.presenter.clear_filter())
        self._no_detail = EmptyState("scroll-text", "")
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._make_table()
        self._connect()
        self._name()
        self._on_presenter_filter_changed()
        self._on_presenter_list_changed()
        self._on_presenter_detail_changed()

    def _lay_out(self) -> None:
        filters = self._filters = QHBoxLayout()
        filters.setContentsMargins(8, 8, 8, 8)
        filters.setSpacing(8)
        filters.addWidget(self._search, 1)
        filters.addWidget(self._kinds)
        filters.addWidget(self._only)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(filters)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.table)
        self._stack.addWidget(self._empty)
        column.addLayout(self._stack, 1)
        line = QFrame()
        set_look(line, "hairline")
        column.addWidget(line)
        column.addWidget(self.chain)
        right = QWidget()
        self._detail_stack = QStackedLayout(right)
        self._detail_stack.addWidget(self._no_detail)
        self._detail_stack.addWidget(self.detail)
        self._split.addWidget(left)
        self._split.addWidget(right)
        self._split.setChildrenCollapsible(False)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        self._split.setSizes([600, 400])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(MessageBar(self.presenter.messages))
        outer.addWidget(self._split, 1)

    def _make_table(self) -> None:
        table = self.table
        table.setModel(self.presenter.rows)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setCornerButtonEnabled(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(Column.ABOUT, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(40)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width)
        longest = instant(_LONGEST_DAY, has_seconds=True)
        metrics = QFontMetrics(font("content"))
        table.setColumnWidth(Column.RECORDED, metrics.horizontalAdvance(longest) + 22)
        table.viewport().installEventFilter(self)
        SteadyScroll(table)
        self._on_appearance_changed()

    def _connect(self) -> None:
        presenter = self.presenter
        self.sight_changed.connect(presenter.set_shown)
        presenter.list_changed.connect(self._on_presenter_list_changed)
        presenter.detail_changed.connect(self._on_presenter_detail_changed)
        presenter.filter_changed.connect(self._on_presenter_filter_changed)
        self.table.selectionModel().currentRowChanged.connect(self._on_table_current_changed)
        self.table.clicked.connect(self._on_table_clicked)
        self._search.searched.connect(self._on_filter_typed)
        self._search.left.connect(self.table.setFocus)
        self.detail.left.connect(self.table.setFocus)
        self._search.next_requested.connect(self.table.setFocus)
        self._kinds.currentIndexChanged.connect(self._on_filter_typed)
        self._only.toggled.connect(presenter.narrow)
        appearance().changed.connect(self._on_appearance_changed)

    # -- for the window -----------------------------------------------------------------------

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Revert the selected transaction: asks for the reason in the panel."""
        return {"transaction.revert": self._begin_revert}

    def first_focus(self) -> QWidget:
        """Return the table."""
        return self.table

    def _begin_revert(self) -> None:
        self.presenter.ask_for("panel.journal")
        self.presenter.begin_revert()
        if self.presenter.draft is not None:
            self._detail_stack.setCurrentIndex(1)
            self.detail.form.reason.setFocus()

    # -- following ----------------------------------------------------------------------------

    @Slot()
    def _on_presenter_list_changed(self) -> None:
        presenter = self.presenter
        is_known = presenter.is_listed or not presenter.is_open
        self._stack.setCurrentIndex(1 if is_known and not presenter.rows.rows else 0)
        if presenter.has_filter:
            self._empty.set_text(self.tr("No transaction fits the filter."))
        else:
            self._empty.set_text(
                self.tr("Every write is listed here, with who wrote it and why."),
                self.tr("Nothing has been written yet."),
            )
        self._clear.setVisible(presenter.has_filter)
        for widget in (self._search, self._kinds):
            widget.setEnabled(presenter.is_open)
        self._mark_shown()

    @Slot()
    def _on_presenter_detail_changed(self) -> None:
        self._detail_stack.setCurrentIndex(1 if self.presenter.detail is not None else 0)
        self._mark_shown()

    def _mark_shown(self) -> None:
        """Make the row of the shown transaction the current one, without selecting it for all."""
        detail = self.presenter.detail
        place = self.presenter.rows.place_of(detail.transaction.number if detail else None)
        current = self.table.currentIndex()
        if place < 0 and not current.isValid() and self.presenter.rows.rows:
            # Otherwise the table would take its first row, for all, when it gets the focus.
            self._make_current(0, QItemSelectionModel.SelectionFlag.NoUpdate)
        elif place >= 0 and place != current.row():
            rows = QItemSelectionModel.SelectionFlag.Rows
            self._make_current(place, QItemSelectionModel.SelectionFlag.ClearAndSelect | rows)

    def _make_current(self, place: int, flags: QItemSelectionModel.SelectionFlag) -> None:
        column = max(0, self.table.currentIndex().column())
        index = self.presenter.rows.index(place, column)
        self._is_marking = True
        self.table.selectionModel().setCurrentIndex(index, flags)
        self._is_marking = False

    @Slot()
    def _on_presenter_filter_changed(self) -> None:
        subject = self.presenter.subject
        name = one_line(subject, 24) if subject else self.tr("subject")
        self._only.setText(self.tr("Only {subject}").format(subject=name.replace("&", "&&")))
        hint = self.tr("List only what was written about the subject that is filtered or selected")
        self._only.setToolTip(tooltip(hint))
        self._only.setAccessibleDescription(hint)
        self._only.setEnabled(subject is not None or self.presenter.is_narrowed)
        was_blocked = self._only.blockSignals(True)
        self._only.setChecked(self.presenter.is_narrowed)
        self._only.blockSignals(was_blocked)
        if not self.presenter.has_filter:
            self._reset_filter()

    def _reset_filter(self) -> None:
        for widget in (self._search, self._kinds):
            widget.blockSignals(True)
        if self._search.text():
            self._search.clear()
        self._kinds.setCurrentIndex(0)
        for widget in (self._search, self._kinds):
            widget.blockSignals(False)

    @Slot(QModelIndex, QModelIndex)
    def _on_table_current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid() and not self._is_marking:
            self.presenter.select(index.data(ROW_ROLE).number)

    @Slot(QModelIndex)
    def _on_table_clicked(self, index: QModelIndex) -> None:
        # The current row may be one that was shown before something else was selected.
        self.presenter.select(index.data(ROW_ROLE).number)

    @Slot()
    def _on_filter_typed(self, _value: Any = None) -> None:
        kind = self._kinds.currentData()
        kinds = frozenset() if kind is None else frozenset({WriteKind(kind)})
        self.presenter.set_filter(kinds=kinds, text=self._search.text())

    # -- Qt -----------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the reasons where there is room for them."""
        if event.type() == QEvent.Type.Resize and watched is self.table.viewport():
            is_narrow = self.table.viewport().width() < _REASON_FROM_PX
            if is_narrow != self.table.isColumnHidden(Column.REASON):
                self.table.setColumnHidden(Column.REASON, is_narrow)
        return super().eventFilter(watched, event)

    def retranslate(self) -> None:
        self._name()
        self._on_presenter_filter_changed()
        self._on_presenter_list_changed()

    def _name(self) -> None:
        self._search.set_hint(self.tr("Search the journal"))
        self.table.setAccessibleName(self.tr("Transactions"))
        self._kinds.setAccessibleName(self.tr("Kind of transaction"))
        was_blocked = self._kinds.blockSignals(True)
        chosen = max(0, self._kinds.currentIndex())
        self._kinds.clear()
        self._kinds.addItem(self.tr("All kinds"), None)
        for kind in WriteKind:
            said = words.capitalised(words.write_kind(kind))
            self._kinds.addItem(icon(words.write_icon(kind), "dim"), said, kind.value)
        self._kinds.setCurrentIndex(chosen)
        self._kinds.blockSignals(was_blocked)
        self._clear.setText(self.tr("Clear the filter"))
        self._no_detail.set_text(
            self.tr("The transaction that you choose is shown here."),
            self.tr("Before and after, its rows and sources, and the way to take it back."),
        )
        self.presenter.rows.retranslate()

    @Slot()
    def _on_appearance_changed(self) -> None:
        self.table.verticalHeader().setDefaultSectionSize(appearance().row_height("table"))
        self.table.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < _WITH_CHAIN_PX
        self.chain.setHidden(is_low)
        around = 4 if is_low else 8
        self._filters.setContentsMargins(8, around, 8, around)
        # One above the other needs height; where there is little of it they share the width.
        is_wide = self.width() >= _BESIDE_FROM_PX or self.height() < _LOW_PX
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._split.orientation() != wanted:
            self._split.setOrientation(wanted)
            room = self.width() if is_wide else self.height()
            self._split.setSizes([room * 3 // 5, room * 2 // 5])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())
        event.accept()
