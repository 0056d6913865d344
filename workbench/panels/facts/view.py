"""The facts panel: a bar, the table with its filters, and what is said in their place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit, QMenu, QVBoxLayout, QWidget

from store.encoding import State
from workbench.panels.facts.bar import FactsBar
from workbench.panels.facts.columns import (
    COLUMNS_BY_ID,
    INSTANT_COLUMNS,
    NUMBER_COLUMNS,
    SPECS,
    Column,
    cell_text,
    hint,
    instant_parts,
    is_filterable,
    title,
)
from workbench.panels.facts.delegate import GAP_PX, PAD_PX, day_width
from workbench.panels.facts.presenter import AREA, FactsPresenter
from workbench.panels.facts.table import FactTableView
from workbench.theme import appearance, font
from workbench.widgets.busy_line import BusyLine
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.message_bar import MessageBar
from workbench.widgets.panel import Panel
from workbench.widgets.status_dot import GAP_PX as SIGN_GAP_PX
from workbench.widgets.status_dot import SIGN_PX, state_word

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from workbench.panels.facts.columns import FactRow
    from workbench.session import Session

STATE_VERSION: Final = 1
_FLASH_MS: Final = 900
_LEAST_PX: Final = 72
_MOST_PX: Final = 320
_AIR_PX: Final = 24  # spare room goes to the value beyond this for each column
_SHARE_SHOWN: Final = 0.98  # so many of the cells of a column are shown in full
_SHARE_OF_LONG: Final = 0.85
_LONG: Final = frozenset({Column.VALUE, Column.SOURCE})
_CUT_FIRST: Final = {
    Column.VALUE: 150,
    Column.SOURCE: 120,
    Column.ATTRIBUTE: 100,
    Column.SUBJECT: 90,
    Column.AGENT: 90,
    Column.TYPE: 80,
}
"""Columns that are narrowed for the others, in this order, and down to how many pixels."""
_LOW_PX: Final = 220
"""In a view that is lower, the row of filters gives its room to a fact."""
_ROWS_MEASURED: Final = 128
_SORT_ARROW_PX: Final = 20


class FactsView(Panel):
    """The facts table of a session."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("facts")
        self.presenter = FactsPresenter(session, self)
        self.presenter.set_shown(False)
        self._are_widths_ours = True  # until a person or a saved state sets them
        self._needed: dict[Column, int] = {}
        self.bar = FactsBar(self.presenter)
        self.table = FactTableView(self.presenter.model)
        self.busy_line = BusyLine.over(self)
        self.busy_line.follow(session.operations, AREA)
        self.empty_state = self._make_empty_state()
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.bar.set_menu(self._menu)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.table, 1)
        # Below, so that what one types into does not move while one types.
        column.addWidget(MessageBar(self.presenter.messages))
        self._flash_over = QTimer(self, singleShot=True, interval=_FLASH_MS)
        self._prepare_header()
        self._connect()
        self.retranslate()

    # -- for the window -----------------------------------------------------------------------

    def handlers(self) -> dict[str, Callable[[], None]]:
        return {"edit.copy": self.copy_selection}

    def first_focus(self) -> QWidget:
        return self.table

    @Slot()
    def copy_selection(self) -> None:
        """Copy the selected rows, as text for a table."""
        header = self.table.header
        shown = [
            Column(section)
            for section in map(header.logicalIndex, range(header.count()))
            if not header.isSectionHidden(section)
        ]
        self.presenter.copy_rows(self.table.selected_ranges, shown)

    def save_state(self) -> QByteArray:
        """Give the columns' order, widths and choice, and the sorting, as bytes to keep."""
        header = self.table.header
        order = [Column(header.logicalIndex(place)) for place in range(header.count())]
        state = {
            "version": STATE_VERSION,
            "order": [SPECS[column].id for column in order],
            "hidden": [SPECS[it].id for it in order if header.isSectionHidden(it)],
            "widths": {}
            if self._are_widths_ours
            else {
                SPECS[it].id: header.sectionSize(it)
                for it in order
                if not header.isSectionHidden(it)
            },
            "sort": [
                SPECS[Column(header.sortIndicatorSection())].id,
                header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder,
            ],
        }
        return QByteArray(json.dumps(state).encode())

    def restore_state(self, state: QByteArray | bytes) -> bool:
        """Take back what `save_state` gave; False if it is none of ours, and nothing changes."""
        try:
            kept = json.loads(bytes(state.data() if isinstance(state, QByteArray) else state))
            if kept["version"] != STATE_VERSION:
                return False
            order = [COLUMNS_BY_ID[name] for name in kept["order"]]
            hidden = {COLUMNS_BY_ID[name] for name in kept["hidden"]}
            widths = {COLUMNS_BY_ID[name]: int(px) for name, px in kept["widths"].items()}
            column, is_descending = COLUMNS_BY_ID[kept["sort"][0]], bool(kept["sort"][1])
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            return False
        if sorted(order) != list(Column) or hidden == set(Column):
            return False
        self._take_state(order, hidden, widths=widths)
        self._sort(column, is_descending=is_descending)
        return True

    def _take_state(
        self, order: list[Column], hidden: set[Column], *, widths: dict[Column, int]
    ) -> None:
        header = self.table.header
        for place, column in enumerate(order):
            header.moveSection(header.visualIndex(column), place)
            header.setSectionHidden(column, column in hidden)
        self._are_widths_ours = not widths
        was_blocked = header.blockSignals(True)
        for column, pixels in widths.items():
            header.resizeSection(column, max(24, min(pixels, 2000)))
        header.blockSignals(was_blocked)
        self._fit_columns()

    # -- building -----------------------------------------------------------------------------

    def _make_empty_state(self) -> EmptyState:
        empty = EmptyState("table-2", "", parent=self.table.viewport())
        empty.setObjectName("facts.empty")
        empty.setAutoFillBackground(True)
        empty.setBackgroundRole(QPalette.ColorRole.Base)
        self._add_button = empty.add_button("fact.add", "", is_primary=True)
        self._clear_button = empty.add_button("facts.clear_filters", "")
        empty.action_chosen.connect(self._on_empty_state_action_chosen)
        empty.hide()
        self.table.viewport().installEventFilter(self)
        return empty

    def _prepare_header(self) -> None:
        header = self.table.header
        for column, spec in SPECS.items():
            header.setSectionHidden(column, spec.is_first_hidden)
        header.setSortIndicator(Column.SUBJECT, Qt.SortOrder.AscendingOrder)
        header.set_unsortable(column for column, spec in SPECS.items() if not spec.can_sort)
        header.setMinimumSectionSize(48)
        header.setStretchLastSection(False)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        for column in Column:
            field = header.findChild(QLineEdit, f"filter.{int(column)}")
            assert isinstance(field, QLineEdit)
            if column in NUMBER_COLUMNS:
                field.setAlignment(Qt.AlignmentFlag.AlignRight)
            if not is_filterable(column):
                field.setEnabled(False)

    def _connect(self) -> None:
        presenter, table, header = self.presenter, self.table, self.table.header
        self.sight_changed.connect(presenter.set_shown)
        header.folded_changed.connect(self.bar.filter.setVisible)
        self.bar.filter.clicked.connect(lambda: header.focus_filter(Column.SUBJECT))
        header.filters_changed.connect(self._on_header_filters_changed)
        header.sortIndicatorChanged.connect(self._on_header_sort_indicator_changed)
        header.sectionResized.connect(self._on_header_section_resized)
        header.customContextMenuRequested.connect(
            lambda at: self._menu.popup(header.mapToGlobal(at))
        )
        table.rows_in_view_changed.connect(presenter.show_rows)
        table.row_chosen.connect(presenter.select_row)
        table.row_entered.connect(presenter.activate_row)
        table.copy_wanted.connect(self.copy_selection)
        table.left.connect(presenter.clear_selection)
        table.menu_wanted.connect(self.menu_requested)
        presenter.selected_row_changed.connect(table.follow_row)
        presenter.row_revealed.connect(table.reveal_row)
        presenter.restarted.connect(self._on_presenter_restarted)
        presenter.problems_changed.connect(self._on_presenter_problems_changed)
        presenter.empty_changed.connect(self._show_if_empty)
        presenter.count_changed.connect(table.look_again)
        presenter.copied.connect(lambda text: QGuiApplication.clipboard().setText(text))
        presenter.model.loaded.connect(self._on_model_loaded)
        presenter.model.merge_ended.connect(self._on_model_merge_ended)
        presenter.session.opened.connect(self._on_session_opened)
        presenter.session.scope_changed.connect(self._on_session_opened)
        self._flash_over.timeout.connect(self._on_flash_over_timeout)
        appearance().changed.connect(self._on_appearance_changed)

    def retranslate(self) -> None:
        self.table.setAccessibleName(self.tr("Facts"))
        for column in Column:
            self.table.header.set_hint(column, hint(column))
        self.presenter.model.tell_texts_changed()
        self._show_if_empty()

    # -- columns ------------------------------------------------------------------------------

    @Slot()
    def _fill_menu(self) -> None:
        menu, header = self._menu, self.table.header
        menu.clear()
        for column in Column:
            shown = menu.addAction(title(column).replace("&", "&&"))
            shown.setCheckable(True)
            shown.setChecked(not header.isSectionHidden(column))
            shown.setEnabled(header.isSectionHidden(column) or self._shown_columns() > 1)
            shown.toggled.connect(lambda is_on, it=column: self._show_column(it, is_shown=is_on))
        menu.addSeparator()
        sort = menu.addMenu(self.tr("Sort by"))
        for column, spec in SPECS.items():
            if spec.can_sort:
                by = sort.addAction(title(column).replace("&", "&&"))
                by.setCheckable(True)
                by.setChecked(header.sortIndicatorSection() == column)
                by.triggered.connect(lambda _on, it=column: self._sort(it, is_descending=False))
        sort.addSeparator()
        turned = sort.addAction(self.tr("Last first"))
        turned.setCheckable(True)
        turned.setChecked(header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder)
        turned.triggered.connect(
            lambda is_on: self._sort(Column(header.sortIndicatorSection()), is_descending=is_on)
        )

    def _shown_columns(self) -> int:
        header = self.table.header
        return header.count() - header.hiddenSectionCount()

    def _show_column(self, column: Column, *, is_shown: bool) -> None:
        self.table.header.setSectionHidden(column, not is_shown)
        self._fit_columns()

    def _sort(self, column: Column, *, is_descending: bool) -> None:
        order = Qt.SortOrder.DescendingOrder if is_descending else Qt.SortOrder.AscendingOrder
        self.table.header.setSortIndicator(column, order)

    @Slot(int, Qt.SortOrder)
    def _on_header_sort_indicator_changed(self, section: int, order: Qt.SortOrder) -> None:
        is_descending = order == Qt.SortOrder.DescendingOrder
        if self.presenter.set_order(Column(section), descending=is_descending):
            return
        kept = self.presenter.order
        column = next(it for it, spec in SPECS.items() if spec.field is kept.field)
        self._sort(column, is_descending=kept.descending)

    @Slot(int, int, int)
    def _on_header_section_resized(self, _section: int, _old: int, _new: int) -> None:
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._are_widths_ours = False

    def _measure_columns(self) -> None:
        """Find the widths that nearly all cells need, by the first rows; none becomes narrower."""
        if not self.presenter.model.loaded_count:
            return
        before = self._needed
        self._needed = {
            column: max(before.get(column, 0), self._width_of(column)) for column in Column
        }
        if self._needed != before:
            self._fit_columns()

    def _fit_columns(self) -> None:
        """Give each column the room of what is in it, so that all fit if they can."""
        header = self.table.header
        if not self._are_widths_ours or not self._needed:
            return
        widths = {it: self._needed[it] for it in Column if not header.isSectionHidden(it)}
        spare = self.table.viewport().width() - sum(widths.values())
        for column, change in shares(widths, spare).items():
            widths[column] += change
        for column, pixels in widths.items():
            header.resizeSection(column, pixels)

    def _width_of(self, column: Column) -> int:
        metrics, head = QFontMetrics(font("content")), QFontMetrics(font("secondary"))
        at = self.presenter.instant()
        rows = [row for place, row in self.presenter.model.rows() if place < _ROWS_MEASURED]
        cells = sorted(_cell_width(row, column, at, metrics=metrics) for row in rows)
        share = _SHARE_OF_LONG if column in _LONG else _SHARE_SHOWN
        if column in INSTANT_COLUMNS:
            share = 1.0  # one whose time of day is cut would be read as another instant
        wide = cells[int((len(cells) - 1) * share)] if cells else 0
        if column is Column.STATUS:  # what is rare, such as a dispute, is not to be cut
            words = max(metrics.horizontalAdvance(state_word(state)) for state in State)
            wide = SIGN_PX + SIGN_GAP_PX + words
        wide = max(wide, head.horizontalAdvance(title(column)) + _SORT_ARROW_PX)
        return max(_LEAST_PX, min(wide + 2 * PAD_PX + 2, _MOST_PX))

    # -- following ----------------------------------------------------------------------------

    @Slot(object)
    def _on_header_filters_changed(self, texts: dict[int, str]) -> None:
        self.presenter.set_filters({Column(section): text for section, text in texts.items()})

    @Slot()
    def _on_presenter_problems_changed(self) -> None:
        header, texts = self.table.header, dict(self.presenter.texts)
        for column in Column:
            header.set_problem(column, self.presenter.problems.get(column, ""))
        typed = {section: text for section, text in header.filters.items() if text}
        if typed != {int(column): text.strip() for column, text in texts.items()}:
            header.set_filters({int(column): text for column, text in texts.items()})

    @Slot()
    def _on_presenter_restarted(self) -> None:
        self.table.scrollToTop()
        self.table.look_again()

    @Slot(int, int)
    def _on_model_loaded(self, _first: int, _last: int) -> None:
        if not self._needed:
            self._measure_columns()

    @Slot()
    def _on_model_merge_ended(self) -> None:
        model = self.presenter.model
        if self._are_widths_ours:
            self._measure_columns()  # what came may be longer: a time of day would be cut
        if model.has_flashes and appearance().has_reduced_motion:
            model.end_flash()
        elif model.has_flashes:
            self._flash_over.start()
        self.table.viewport().update()

    @Slot()
    def _on_flash_over_timeout(self) -> None:
        self.presenter.model.end_flash()
        self.table.viewport().update()

    @Slot()
    def _on_session_opened(self) -> None:
        self._needed = {}

    @Slot()
    def _show_if_empty(self) -> None:
        """Say what belongs here while there is nothing."""
        presenter = self.presenter
        if presenter.has_filter:
            self.empty_state.set_text(
                self.tr("No fact fits the filter."),
                self.tr("Change what is typed under the headers, or clear all filters."),
            )
        elif not presenter.session.as_of.is_now:
            self.empty_state.set_text(
                self.tr("Nothing held at this instant, as far as was known then."),
                self.tr("Look from another instant, or show all intervals."),
            )
        else:
            self.empty_state.set_text(
                self.tr("Facts appear here, one on each row, with when they hold and why."),
                self.tr("Add a first fact, or import a store from the menu."),
            )
        is_bare = not presenter.has_filter and presenter.session.as_of.is_now
        self._add_button.setText(self.tr("Add a fact…"))
        self._add_button.setVisible(is_bare and presenter.session.is_writable)
        self._clear_button.setText(self.tr("Clear all filters"))
        self._clear_button.setVisible(presenter.has_filter)
        self.empty_state.setVisible(presenter.is_empty)
        # There is nothing to move along to, but for what is typed under the titles.
        policy = Qt.ScrollBarPolicy
        is_still = presenter.is_empty and is_bare
        self.table.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if is_still else policy.ScrollBarAsNeeded
        )
        self.empty_state.setGeometry(self.table.viewport().rect())

    @Slot(str)
    def _on_empty_state_action_chosen(self, action_id: str) -> None:
        if action_id == "facts.clear_filters":
            self.presenter.clear_filters()
        else:
            self.presenter.session.attention_wanted.emit(action_id)

    @Slot()
    def _on_appearance_changed(self) -> None:
        self._needed = {}
        self._measure_columns()
        self.table.look_again()

    # -- Qt -----------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.table.viewport():
            self.empty_state.setGeometry(self.table.viewport().rect())
            self._fit_columns()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.table.header.set_folding(self.height() < _LOW_PX)


def _cell_width(row: FactRow, column: Column, at: datetime, *, metrics: QFontMetrics) -> int:
    if column in INSTANT_COLUMNS:
        clock = instant_parts(row, column)[2]
        return day_width() + (GAP_PX + metrics.horizontalAdvance(clock) if clock else 0)
    sign = SIGN_PX + SIGN_GAP_PX if column is Column.STATUS else 0
    return metrics.horizontalAdvance(cell_text(row, column, at)) + sign


def shares(widths: Mapping[Column, int], spare: int) -> dict[Column, int]:
    """Say by how much to widen or narrow columns so that they take up spare room, or save it.

    Room is given a little to each and the rest to the value; it is taken from those columns whose
    text can be cut, the longest first.
    """
    if spare >= 0:
        each = min(spare // max(1, len(widths)), _AIR_PX)
        given = dict.fromkeys(widths, each)
        takes = Column.VALUE if Column.VALUE in widths else next(reversed(list(widths)))
        given[takes] += spare - each * len(widths)
        return given
    wanted, taken = -spare, dict[Column, int]()
    for column, least in _CUT_FIRST.items():
        cut = min(wanted, max(0, widths.get(column, 0) - least))
        if cut:
            taken[column] = -cut
            wanted -= cut
    return taken
