"""The log panel: lines, narrowed by level and words, and the entire line that is chosen."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QPoint, Qt, Slot
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from workbench.panels.log.delegate import PAD_PX, LogDelegate
from workbench.panels.log.model import (
    LEVEL,
    LOGGER,
    TIME,
    LogLines,
    copied_text,
    level_word,
    whole_text,
)
from workbench.theme import ICON_PX, appearance, font, set_icon, set_look
from workbench.widgets.empty_state import EmptyState
from workbench.widgets.panel import Panel
from workbench.widgets.row_table import CopyTable
from workbench.widgets.search_field import SearchField

if TYPE_CHECKING:
    from workbench.log import LogRing

_LEVELS: Final = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)
_FIELD_PX: Final = 320
_LOGGER_PX: Final = 190


class LogTable(CopyTable):
    """The lines."""

    def __init__(self) -> None:
        super().__init__(row="list")
        self.empty_state = EmptyState("logs", "", parent=self.viewport())
        self.empty_state.setAutoFillBackground(True)
        self.empty_state.setBackgroundRole(QPalette.ColorRole.Base)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.empty_state.setGeometry(self.viewport().rect())


class LogView(Panel):
    """Shows a `LogRing` and follows its end, until one scrolls away from it.

    Args:
        ring: the newest lines of this process.
        parent: as usual.
    """

    def __init__(self, ring: LogRing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("log")
        self.lines = LogLines(ring, self)
        self.levels = QComboBox()
        self.levels.setObjectName("log.level")
        for level in _LEVELS:
            self.levels.addItem("", level)
        self.field = SearchField("")
        self.field.setObjectName("log.words")
        self.field.setMaximumWidth(_FIELD_PX)
        self.follow = QPushButton()
        self.follow.setObjectName("log.follow")
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        set_look(self.follow, "chip")
        self.copy_button = QPushButton()
        self.copy_button.setObjectName("log.copy")
        set_icon(self.copy_button, "copy")
        self.table = self._make_table()
        self.whole = QPlainTextEdit()
        self.whole.setObjectName("log.line")
        self.whole.setReadOnly(True)
        set_look(self.whole, "mono")
        self.whole.hide()
        self._lay_out()
        self._connect()
        self.retranslate()

    def first_focus(self) -> QWidget:
        return self.table

    def copy_lines(self) -> None:
        """Copy the selected lines, or all that are shown while none is."""
        rows = sorted(
            row
            for part in self.table.selectionModel().selection().toList()
            for row in range(part.top(), part.bottom() + 1)
        )
        wanted = rows or range(self.lines.rowCount())
        QGuiApplication.clipboard().setText(copied_text(map(self.lines.line, wanted)))

    # -- building -----------------------------------------------------------------------------

    def _make_table(self) -> LogTable:
        table = LogTable()
        table.setObjectName("log.table")
        table.setModel(self.lines)
        table.setItemDelegate(LogDelegate(table))
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = table.horizontalHeader()
        header.setSectionsClickable(False)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return table

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(10, 5, 10, 5)
        bar.setSpacing(8)
        bar.addWidget(self.levels)
        bar.addWidget(self.field, 1)
        bar.addStretch(1)
        bar.addWidget(self.follow)
        bar.addWidget(self.copy_button)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(self.table)
        parts.addWidget(self.whole)
        parts.setStretchFactor(0, 3)
        parts.setStretchFactor(1, 1)
        parts.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(parts, 1)

    def _connect(self) -> None:
        self.levels.currentIndexChanged.connect(self._on_levels_current_index_changed)
        self.field.searched.connect(self._on_field_searched)
        self.field.left.connect(self.table.setFocus)
        self.follow.toggled.connect(self._on_follow_toggled)
        self.copy_button.clicked.connect(self.copy_lines)
        self.table.copy_wanted.connect(self.copy_lines)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.table.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.table.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self.lines.rowsInserted.connect(self._on_rows_changed)
        self.lines.modelReset.connect(self._on_rows_changed)
        appearance().changed.connect(self._fit)

    def retranslate(self) -> None:
        self.levels.setAccessibleName(self.tr("Least level"))
        for place, level in enumerate(_LEVELS):
            said = self.tr("Everything")
            if place:
                said = self.tr("{level} and worse").format(level=level_word(level).capitalize())
            self.levels.setItemText(place, said)
        self.field.set_hint(self.tr("Filter lines"))
        self.follow.setText(self.tr("Follow the end"))
        self.follow.setToolTip(self.tr("Scroll to new lines as they come"))
        self.copy_button.setText(self.tr("Copy"))
        self.copy_button.setToolTip(self.tr("Copy the selected lines, or all that are shown"))
        self.table.setAccessibleName(self.tr("Log lines"))
        self.whole.setAccessibleName(self.tr("The entire line"))
        self.lines.tell_texts_changed()
        self._fit()
        self._on_rows_changed()

    @Slot()
    def _fit(self) -> None:
        mono, content = QFontMetrics(font("mono")), QFontMetrics(font("content"))
        words = max(content.horizontalAdvance(level_word(level)) for level in _LEVELS)
        header = self.table.horizontalHeader()
        header.resizeSection(TIME, mono.horizontalAdvance("00:00:00") + 2 * PAD_PX + 4)
        header.resizeSection(LEVEL, words + ICON_PX + 4 + 2 * PAD_PX + 4)
        header.resizeSection(LOGGER, _LOGGER_PX)
        header.setMinimumSectionSize(40)

    # -- following ----------------------------------------------------------------------------

    @Slot()
    def _on_rows_changed(self) -> None:
        if self.follow.isChecked():
            self.table.scrollToBottom()
        if self.lines.has_lines:
            said = self.tr("No line fits."), self.tr("Choose another level or other words.")
        else:
            said = self.tr("What the program notes about its own work appears here."), ""
        self.table.empty_state.set_text(*said)
        self.table.empty_state.setVisible(self.lines.rowCount() == 0)
        self.copy_button.setEnabled(self.lines.rowCount() > 0)

    @Slot(int)
    def _on_levels_current_index_changed(self, place: int) -> None:
        self.lines.narrow(level=_LEVELS[place])

    @Slot(str)
    def _on_field_searched(self, words: str) -> None:
        self.lines.narrow(words=words)

    @Slot(bool)
    def _on_follow_toggled(self, is_on: bool) -> None:
        if is_on:
            self.table.scrollToBottom()

    @Slot()
    def _on_scrolled(self) -> None:
        """Follow the end while one is there, and not while one looks at something else."""
        bar = self.table.verticalScrollBar()
        was_blocked = self.follow.blockSignals(True)
        self.follow.setChecked(bar.value() >= bar.maximum() - 2)
        self.follow.blockSignals(was_blocked)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.whole.setVisible(current.isValid())
        if current.isValid():
            self.whole.setPlainText(whole_text(self.lines.line(current.row())))

    @Slot(QPoint)
    def _open_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Copy"), self.copy_lines)
        menu.addAction(self.tr("Select all"), self.table.selectAll)
        menu.popup(self.table.viewport().mapToGlobal(at))
