"""The journal panel: the table of transactions, the chain below it, one transaction beside it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    Qt,
    Slot,
)
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QPushButton,
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
from workbench.theme import font, set_look
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.filter_bar import FilterBar
from workbench.widgets.master_detail import MasterDetail
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel
from workbench.widgets.reason_edit import RecentReasons
from workbench.widgets.row_table import RowTable

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
    """The panel of the transactions."""

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
        self._busy = BusyLine.over(self)
        self._busy.follow(session.operations, AREA)
        self._only = QPushButton()
        self._only.setObjectName("journal_subject")
        self._only.setCheckable(True)
        self._filters = FilterBar(
            AREA, WriteKind, word=words.write_kind, icon_name=words.write_icon
        )
        self._filters.row.addWidget(self._only)
        self.table = RowTable()
        self.table.setObjectName("journal_table")
        self._make_table()
        self._empty = EmptyState("scroll-text", "")
        self._empty.setObjectName("journal_empty")
        self._clear = self._empty.add_button("clear", "")
        self._no_detail = EmptyState("scroll-text", "")
        line = QFrame()
        set_look(line, "hairline")
        self.chain = ChainStrip(self.presenter)
        self.detail = DetailPane(self.presenter, reasons or RecentReasons(parent=self))
        self._parts = MasterDetail(
            filters=self._filters,
            rows=self.table,
            empty=self._empty,
            below=(line, self.chain),
            no_detail=self._no_detail,
            detail=self.detail,
            shares=(3, 2),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(MessageBar(self.presenter.messages))
        column.addWidget(self._parts, 1)
        self._connect()
        self._name()
        self._on_presenter_filter_changed()
        self._on_presenter_list_changed()
        self._on_presenter_detail_changed()

    def _make_table(self) -> None:
        table = self.table
        table.setModel(self.presenter.rows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(Column.ABOUT, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(40)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width)
        longest = instant(_LONGEST_DAY, has_seconds=True)
        metrics = QFontMetrics(font("content"))
        table.setColumnWidth(Column.RECORDED, metrics.horizontalAdvance(longest) + 22)
        table.viewport().installEventFilter(self)

    def _connect(self) -> None:
        presenter = self.presenter
        self.sight_changed.connect(presenter.set_shown)
        presenter.list_changed.connect(self._on_presenter_list_changed)
        presenter.detail_changed.connect(self._on_presenter_detail_changed)
        presenter.filter_changed.connect(self._on_presenter_filter_changed)
        self._parts.chosen.connect(self._on_parts_chosen)
        self._filters.changed.connect(self._on_filters_changed)
        self._empty.action_chosen.connect(lambda _id: presenter.clear_filter())
        self.detail.left.connect(self.table.setFocus)
        self._only.toggled.connect(presenter.narrow)

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
            self._parts.show_detail(True)
            self.detail.form.reason.setFocus()

    # -- following ----------------------------------------------------------------------------

    @Slot()
    def _on_presenter_list_changed(self) -> None:
        presenter = self.presenter
        is_known = presenter.is_listed or not presenter.is_open
        self._parts.show_rows(bool(presenter.rows.rows) or not is_known)
        if presenter.has_filter:
            self._empty.set_text(self.tr("No transaction fits the filter."))
        else:
            self._empty.set_text(
                self.tr("Every write is listed here, with who wrote it and why."),
                self.tr("Nothing has been written yet."),
            )
        self._clear.setVisible(presenter.has_filter)
        self._filters.setEnabled(presenter.is_open)
        self._mark_shown()

    @Slot()
    def _on_presenter_detail_changed(self) -> None:
        self._parts.show_detail(self.presenter.detail is not None)
        self._mark_shown()

    def _mark_shown(self) -> None:
        """Make the row of the shown transaction the current one, without selecting it for all."""
        detail = self.presenter.detail
        place = self.presenter.rows.place_of(detail.transaction.number if detail else None)
        current, flag = self.table.currentIndex(), QItemSelectionModel.SelectionFlag
        flags = flag.ClearAndSelect | flag.Rows
        if place < 0 and not current.isValid() and self.presenter.rows.rows:
            # Otherwise the table would take its first row, for all, when it gets the focus.
            place, flags = 0, flag.NoUpdate
        if place >= 0 and place != current.row():
            column = max(0, current.column())
            self._parts.mark(self.presenter.rows.index(place, column), flags)

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
            self._filters.reset()

    @Slot(QModelIndex)
    def _on_parts_chosen(self, index: QModelIndex) -> None:
        self.presenter.select(index.data(ROW_ROLE).number)

    @Slot()
    def _on_filters_changed(self) -> None:
        kind = self._filters.kind
        kinds = frozenset() if kind is None else frozenset({kind})
        self.presenter.set_filter(kinds=kinds, text=self._filters.text)

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
        self._filters.say(
            hint=self.tr("Search the journal"),
            kind=self.tr("Kind of transaction"),
            all_kinds=self.tr("All kinds"),
        )
        self.table.setAccessibleName(self.tr("Transactions"))
        self._clear.setText(self.tr("Clear the filter"))
        self._no_detail.set_text(
            self.tr("The transaction that you choose is shown here."),
            self.tr("Before and after, its rows and sources, and the way to take it back."),
        )
        self.presenter.rows.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low = self.height() < _WITH_CHAIN_PX
        self.chain.setHidden(is_low)
        around = 4 if is_low else 8
        self._filters.row.setContentsMargins(8, around, 8, around)
        # One above the other needs height; where there is little of it they share the width.
        is_wide = self.width() >= _BESIDE_FROM_PX or self.height() < _LOW_PX
        wanted = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._parts.orientation() != wanted:
            self._parts.setOrientation(wanted)
            room = self.width() if is_wide else self.height()
            self._parts.setSizes([room * 3 // 5, room * 2 // 5])

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())
        event.accept()
