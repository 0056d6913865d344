"""The field for searching: types while you think, walks the hits, gives way on Esc."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.text import number
from workbench.theme import icon, set_look
from workbench.widgets.pill import KeyCap

PAUSE_MS: Final = 150
_ROOM_FOR_KEYS_PX: Final = 170


class SearchField(QLineEdit):
    """A line edit with a magnifier, the key that leads to it, and the place among the hits.

    Enter goes to the next hit, Shift+Enter to the previous one; Esc clears, and once it is empty
    asks to leave.

    Signals:
        searched: the text, once typing pauses, or at once when it is cleared.
        next_requested: Enter was pressed.
        previous_requested: Shift+Enter was pressed.
        left: Esc was pressed in the empty field; give the focus back.
    """

    searched = Signal(str)
    next_requested = Signal()
    previous_requested = Signal()
    left = Signal()

    def __init__(self, hint: str, keys: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = KeyCap(keys, self)
        self._hits = KeyCap("", self)
        set_look(self._hits, "secondary")
        self._hits.hide()
        self._keys.setVisible(bool(keys))
        for label in (self._keys, self._hits):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._clear = QAction(icon("x", "dim"), self.tr("Clear"), self)
        self._clear.triggered.connect(self.clear)
        self.addAction(icon("search", "dim"), QLineEdit.ActionPosition.LeadingPosition)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._on_pause_timeout)
        self.textChanged.connect(self._on_text_changed)
        self.set_hint(hint)

    def set_hint(self, hint: str) -> None:
        """Say what can be searched, in the empty field and to a screen reader."""
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self._clear.setText(self.tr("Clear"))

    def set_hits(self, at: int, count: int) -> None:
        """Show the place among the hits, from 1, or 0 for none; a count below 0 shows nothing."""
        if count < 0:
            self._hits.setText("")
        elif count == 0:
            self._hits.setText(self.tr("no hits"))
        elif at < 1:  # none was gone to yet
            self._hits.setText(number(count))
        else:
            self._hits.setText(
                self.tr("{at} of {count}").format(at=number(at), count=number(count))
            )
        self._hits.setVisible(bool(self._hits.text()) and bool(self.text()))
        self.setAccessibleDescription(self._hits.text())
        self._place_labels()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._search_now()
                is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
                (self.previous_requested if is_back else self.next_requested).emit()
            case Qt.Key.Key_Escape:
                if self.text():
                    self.clear()
                else:
                    self.left.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_labels()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._place_labels()

    def _place_labels(self) -> None:
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        has_room = self.width() >= _ROOM_FOR_KEYS_PX
        self._keys.setVisible(bool(self._keys.text()) and not self.text() and has_room)
        end = 8 + (24 if self.text() else 0)
        room = 0
        for label in (self._keys, self._hits):
            label.adjustSize()
            x = end if is_mirrored else self.width() - label.width() - end
            label.move(x, (self.height() - label.height()) // 2)
            if not label.isHidden():
                room = label.width() + 4
        self.setTextMargins(room if is_mirrored else 0, 0, 0 if is_mirrored else room, 0)

    def _search_now(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self.searched.emit(self.text())

    @Slot(str)
    def _on_text_changed(self, text: str) -> None:
        if text and self._clear not in self.actions():
            self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        elif not text:
            self.removeAction(self._clear)
            self._hits.hide()
        self._place_labels()
        self._pause.start()
        if not text:
            self._search_now()

    @Slot()
    def _on_pause_timeout(self) -> None:
        self.searched.emit(self.text())
