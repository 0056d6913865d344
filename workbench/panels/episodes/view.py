"""The episodes panel: the list at the left, the episode beside it, a second one where pinned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from store.model import EpisodeKind
from workbench import words
from workbench.panels.episodes.model import EpisodeRole
from workbench.panels.episodes.pane import EpisodePane
from workbench.panels.episodes.presenter import AREA, EpisodesPresenter
from workbench.theme import appearance, current, font
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.filter_bar import FilterBar
from workbench.widgets.master_detail import MasterDetail
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QPainter

    from workbench.panels.episodes.items import Reading
    from workbench.session import Session

Index = QModelIndex | QPersistentModelIndex
_PAD: Final = 10
_COUNT_AFTER_MS: Final = 120
_ROW_HEIGHTS: Final = {"compact": 40, "normal": 46, "roomy": 56}


class _Delegate(QStyledItemDelegate):
    """Draws an episode on two lines: what it says; what it is, and how many facts rest on it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, _ROW_HEIGHTS[appearance().density])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        said = option.text
        option.text = ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        colors = current()
        room = option.rect.adjusted(_PAD, 4, -_PAD, -5)
        half = room.height() // 2
        upper = QRect(room.left(), room.top(), room.width(), half)
        lower = QRect(room.left(), room.top() + half, room.width(), half)
        painter.save()
        painter.setFont(font("secondary"))
        painter.setPen(colors.color("dim"))
        count = self._count(index.data(EpisodeRole.COUNT))
        taken = self._write(painter, lower, count, is_right=True)
        self._write(painter, lower.adjusted(0, 0, -taken - 10, 0), index.data(EpisodeRole.DETAIL))
        painter.setFont(font("content"))
        painter.setPen(colors.color("dim" if index.data(EpisodeRole.IS_LATER) else "text"))
        self._write(painter, upper, said)
        if not option.state & QStyle.StateFlag.State_Selected:
            line = QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1)
            painter.fillRect(line, colors.color("line"))
        painter.restore()

    def _count(self, count: int | None) -> str:
        return self.tr("%n fact(s)", "", count) if count else ""

    def _write(self, painter: QPainter, room: QRect, said: str, *, is_right: bool = False) -> int:
        shown = painter.fontMetrics().elidedText(said, Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
        painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, shown)
        return painter.fontMetrics().horizontalAdvance(shown)


class EpisodesView(Panel):
    """The panel of the sources."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(AREA)
        self.presenter = EpisodesPresenter(session, self, is_shown=False)
        self._busy = BusyLine.over(self)
        self._busy.follow(session.operations, AREA)
        self.list = QListView()
        self.list.setObjectName("episodes_list")
        self._make_list()
        self.pane = EpisodePane("episode_pane", is_pinned=False)
        self.pinned = EpisodePane("episode_pinned", is_pinned=True)
        self._panes = QSplitter(Qt.Orientation.Horizontal)
        self._panes.addWidget(self.pane)
        self._panes.addWidget(self.pinned)
        self._panes.setChildrenCollapsible(False)
        self._filters = FilterBar(AREA, EpisodeKind, word=words.episode_kind)
        self._no_list = EmptyState("file-text", "")
        self._no_list.setObjectName("episodes_empty")
        self._import = self._no_list.add_button("import.table", "")
        self._clear = self._no_list.add_button("clear", "")
        self._no_pane = EmptyState("file-text", "")
        self._parts = MasterDetail(
            filters=self._filters,
            rows=self.list,
            empty=self._no_list,
            no_detail=self._no_pane,
            detail=self._panes,
            shares=(2, 3),
        )
        self._seen = QTimer(self, singleShot=True, interval=_COUNT_AFTER_MS)
        self._seen.timeout.connect(self._on_seen_timeout)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(MessageBar(self.presenter.messages))
        column.addWidget(self._parts, 1)
        self._connect()
        self._name()
        self._on_presenter_list_changed()
        self._on_presenter_shown_changed()
        self._on_presenter_pinned_changed()

    def _make_list(self) -> None:
        self.list.setModel(self.presenter.rows)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTabKeyNavigation(False)

    def _connect(self) -> None:
        presenter = self.presenter
        self.sight_changed.connect(presenter.set_shown)
        presenter.list_changed.connect(self._on_presenter_list_changed)
        presenter.shown_changed.connect(self._on_presenter_shown_changed)
        presenter.pinned_changed.connect(self._on_presenter_pinned_changed)
        self._parts.chosen.connect(self._on_parts_chosen)
        self._filters.changed.connect(self._on_filters_changed)
        self._no_list.action_chosen.connect(self._on_empty_action_chosen)
        for pane in (self.pane, self.pinned):
            pane.transaction_requested.connect(presenter.open_transaction)
            pane.fact_chosen.connect(self._on_pane_fact_chosen)
        self.pane.pin_requested.connect(presenter.pin)
        self.pinned.close_requested.connect(presenter.unpin)
        self.list.verticalScrollBar().valueChanged.connect(self._seen.start)
        self.list.verticalScrollBar().rangeChanged.connect(self._seen.start)
        appearance().changed.connect(self.list.scheduleDelayedItemsLayout)

    # -- for the window -----------------------------------------------------------------------

    def first_focus(self) -> QWidget:
        """Return the list."""
        return self.list

    # -- the list -----------------------------------------------------------------------------

    @Slot()
    def _on_presenter_list_changed(self) -> None:
        presenter = self.presenter
        is_known = presenter.is_listed or not presenter.is_open
        self._parts.show_rows(bool(presenter.rows.rows) or not is_known)
        if presenter.has_filter:
            self._no_list.set_text(self.tr("No episode fits the filter."))
        else:
            self._no_list.set_text(
                self.tr("What agents observed is listed here: messages, files, tool results."),
                self.tr("Import a memory, or let an agent capture its first episode."),
            )
        self._import.setVisible(presenter.is_open and not presenter.has_filter)
        self._clear.setVisible(presenter.has_filter)
        self._filters.setEnabled(presenter.is_open)
        if not presenter.has_filter:
            self._filters.reset()
        self._mark_shown()
        self._seen.start()

    def search_for(self, text: str) -> None:
        """List the episodes that say some words, as if they were typed here."""
        if text != self._filters.text:
            self._filters.set_text(text)
            self._on_filters_changed()

    def _mark_shown(self) -> None:
        """Make the row of the shown episode the current one, without selecting it for all."""
        shown = self.presenter.shown
        place = self.presenter.rows.place_of(shown.episode.episode_id if shown else None)
        if place >= 0 and place != self.list.currentIndex().row():
            self._parts.mark(self.presenter.rows.index(place, 0))

    @Slot(QModelIndex)
    def _on_parts_chosen(self, index: QModelIndex) -> None:
        self.presenter.select(index.data(EpisodeRole.ROW).episode_id)

    @Slot()
    def _on_seen_timeout(self) -> None:
        """Have the facts of the rows in view counted, once scrolling pauses."""
        room = self.list.viewport().rect()
        first = self.list.indexAt(room.topLeft() + QPoint(4, 1)).row()
        last = self.list.indexAt(room.bottomLeft() + QPoint(4, -1)).row()
        if first >= 0:
            self.presenter.count_rows(first, last if last >= 0 else first + room.height() // 40)

    @Slot()
    def _on_filters_changed(self) -> None:
        self.presenter.set_filter(kind=self._filters.kind, text=self._filters.text)

    @Slot(str)
    def _on_empty_action_chosen(self, action_id: str) -> None:
        if action_id == "clear":
            self._filters.reset()
            self.presenter.set_filter(kind=None, text="")
        else:
            self.presenter.ask_for(action_id)

    # -- the panes ----------------------------------------------------------------------------

    @Slot()
    def _on_presenter_shown_changed(self) -> None:
        self._show(self.pane, self.presenter.shown)
        self._mark_shown()
        self._show_panes()

    @Slot()
    def _on_presenter_pinned_changed(self) -> None:
        pinned = self.presenter.pinned
        was_hidden = self.pinned.isHidden()
        self._show(self.pinned, pinned)
        self.pinned.setVisible(pinned is not None)
        if was_hidden and pinned is not None:
            half = self._panes.width() // 2
            self._panes.setSizes([half, half])
        self._show_panes()

    def _show(self, pane: EpisodePane, reading: Reading | None) -> None:
        if reading is None:
            pane.clear()
            return
        presenter = self.presenter
        pane.show_reading(reading, fact_id=presenter.fact_id, at=presenter.valid_at)

    def _show_panes(self) -> None:
        has_any = self.presenter.shown is not None or self.presenter.pinned is not None
        self._parts.show_detail(has_any)
        self.pane.setVisible(self.presenter.shown is not None)

    @Slot(object)
    def _on_pane_fact_chosen(self, fact: Any) -> None:
        pane = self.sender()
        reading = self.presenter.pinned if pane is self.pinned else self.presenter.shown
        if reading is not None:
            self.presenter.select_fact(fact, reading)

    # -- Qt -----------------------------------------------------------------------------------

    def retranslate(self) -> None:
        self._name()
        self._on_presenter_list_changed()

    def _name(self) -> None:
        self._filters.say(
            hint=self.tr("Search the episodes"),
            kind=self.tr("Kind of episode"),
            all_kinds=self.tr("All kinds"),
        )
        self.list.setAccessibleName(self.tr("Episodes"))
        self._import.setText(self.tr("Import a table…"))
        self._clear.setText(self.tr("Clear the filter"))
        self._no_pane.set_text(
            self.tr("The source of what is selected is shown here."),
            self.tr("Choose an episode in the list, or a fact anywhere."),
        )
        self.presenter.rows.retranslate()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_requested.emit(event.globalPos())
        event.accept()
