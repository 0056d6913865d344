"""A section of the navigator: its head, and the list under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLabel,
    QListView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.panels.navigator.delegate import END_PX, PAD_PX, EntryDelegate
from workbench.theme import appearance, current, font, icon, set_look
from workbench.widgets.section_head import SectionHead

if TYPE_CHECKING:
    from workbench.panels.navigator.model import EntryList

_HEAD_PX: Final = 28
_ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EntryListView(QListView):
    """Entries to choose: the current one by keys, the selected one is what narrows everything.

    Signals:
        chosen: the id of an entry, by a click, Enter or the space bar.
        left: Esc was pressed.
        passed: the keys went beyond the first entry (-1) or the last (1).
    """

    chosen = Signal(str)
    left = Signal()
    passed = Signal(int)

    def __init__(
        self, entries: EntryList, *, has_dots: bool = False, has_badge: bool = False
    ) -> None:
        super().__init__()
        self._entries = entries
        self._empty_text = ""
        self._since_letter = QElapsedTimer()
        self.setModel(entries)
        self.setItemDelegate(EntryDelegate(self, has_dots=has_dots, has_badge=has_badge))
        set_look(self, "pick")  # no ring of its own: the current row has one
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.clicked.connect(self._on_clicked)
        appearance().changed.connect(self._on_appearance_changed)

    def set_empty_text(self, text: str) -> None:
        """Say what stands in the list while it has no entry."""
        self._empty_text = text
        self.viewport().update()

    def set_active(self, entry_id: str | None, *, reveals: bool = True) -> None:
        """Show which entry narrows everything."""
        row = self._entries.row_of(entry_id)
        flags = QItemSelectionModel.SelectionFlag
        if row < 0:
            self.selectionModel().clearSelection()
            return
        index = self._entries.index(row)
        if not self.selectionModel().isSelected(index):
            self.selectionModel().select(index, flags.ClearAndSelect)
            self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
            if reveals:
                self.scrollTo(index)

    def enter_from(self, direction: int) -> None:
        """Take the focus as by a key that came from the list above (1) or below (-1)."""
        last = len(self._entries.entries) - 1
        flags = QItemSelectionModel.SelectionFlag
        index = self._entries.index(0 if direction > 0 else last)
        self.selectionModel().setCurrentIndex(index, flags.NoUpdate)
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def height_of(self, rows: int) -> int:
        """Return how tall the list is with so many rows, in pixels."""
        return rows * appearance().row_height("list")

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Let neither mouse nor keys select: that follows from what the session says."""
        return QItemSelectionModel.SelectionFlag.NoUpdate

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_bare = event.modifiers() in (
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.ShiftModifier,
            )
            if is_bare and event.text().isalnum():  # letters find an entry rather than command
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, last = self.currentIndex().row(), len(self._entries.entries) - 1
        key = event.key()
        is_typing = self._is_typing()
        if event.text().isalnum():
            self._since_letter.start()
        if (key in _ENTER or (key == Qt.Key.Key_Space and not is_typing)) and row >= 0:
            self.chosen.emit(self._entries.entry(row).id)
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key == Qt.Key.Key_Up and row <= 0:
            self.passed.emit(-1)
        elif key == Qt.Key.Key_Down and row == last:
            self.passed.emit(1)
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def _is_typing(self) -> bool:
        """Say whether a blank now belongs to a name that is being typed."""
        pause_ms = QApplication.keyboardInputInterval()
        return self._since_letter.isValid() and not self._since_letter.hasExpired(pause_ms)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        is_by_mouse = event.reason() == Qt.FocusReason.MouseFocusReason
        if not is_by_mouse and not self.currentIndex().isValid() and self._entries.entries:
            first = self.indexAt(QPoint(1, 1))
            self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._entries.entries or not self._empty_text:
            return
        painter = QPainter(self.viewport())
        painter.setFont(font("secondary"))
        painter.setPen(current().color("dim"))
        room = self.viewport().rect().adjusted(PAD_PX, 6, -PAD_PX, -6)
        painter.drawText(
            room, int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap), self._empty_text
        )
        painter.end()

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self._entries.entry(index.row()).id)

    @Slot()
    def _on_appearance_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


class SectionView(QWidget):
    """A head in small capitals with a count and a cross, and a list.

    Signals:
        clear_wanted: the cross was pressed.
    """

    clear_wanted = Signal()

    def __init__(self, name: str, entries: EntryListView) -> None:
        super().__init__()
        self.setObjectName(f"navigator.{name}")
        self.entries = entries
        entries.setObjectName(f"navigator.{name}.list")
        self._head = SectionHead("")
        self._head.setFixedHeight(_HEAD_PX)
        self._count = QLabel()
        self._count.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._count, "secondary")
        self._clear = QToolButton()
        self._clear.setObjectName(f"navigator.{name}.clear")
        self._clear.setIcon(icon("x", "accent"))
        self._clear.clicked.connect(self.clear_wanted)
        self._clear.hide()
        self._head.add(self._clear)
        self._head.add(self._count)
        self._head.setContentsMargins(PAD_PX, 0, END_PX, 0)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 6, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self._head)
        self.column.addWidget(entries, 1)

    def say(self, title: str, *, clear: str) -> None:
        """Put the words of the head into the language in force."""
        self._head.set_text(title)
        self.entries.setAccessibleName(title)
        self._clear.setAccessibleName(clear)
        self._clear.setToolTip(clear)

    def show_count(self, count: str) -> None:
        """Show a number at the end of the head."""
        self._count.setText(count)

    def show_active(self, entry_id: str | None) -> None:
        """Show which entry narrows everything, and the cross that ends it."""
        self._clear.setVisible(entry_id is not None)
        self.entries.set_active(entry_id)
