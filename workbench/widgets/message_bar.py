"""Messages in place: a row for each message of a board, worst first."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.messages import MessageBoard, Severity, ShownMessage, severity_word
from workbench.theme import Role, icon, set_look
from workbench.widgets.icon_label import IconLabel

SEVERITY_ICONS: Final[dict[Severity, tuple[str, Role]]] = {
    Severity.INFO: ("info", "accent"),
    Severity.DONE: ("circle-check", "ok"),
    Severity.WARNING: ("triangle-alert", "warn"),
    Severity.ERROR: ("circle-alert", "danger"),
}


class MessageBar(QWidget):
    """Shows what a `MessageBoard` says; takes no room while it says nothing."""

    def __init__(self, board: MessageBoard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._board = board
        self._rows: dict[str, _Row] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        board.changed.connect(self._on_board_changed)
        self._on_board_changed()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._on_board_changed()

    @Slot()
    def _on_board_changed(self) -> None:
        shown = self._board.shown
        wanted = {it.message.id for it in shown}
        for message_id in [known for known in self._rows if known not in wanted]:
            row = self._rows.pop(message_id)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, it in enumerate(shown):
            known = self._rows.get(it.message.id)
            if known is None:
                known = self._rows[it.message.id] = _Row(it, self._board)
            known.say(it)
            self._column.insertWidget(place, known)
        self.setVisible(bool(shown))


class _Row(QFrame):
    """One message: icon, word, sentence, action, close."""

    def __init__(self, shown: ShownMessage, board: MessageBoard) -> None:
        super().__init__()
        message = shown.message
        self.setObjectName(message.id)
        self._word = QLabel()
        self._text = QLabel()
        # With a parent from the start: without one, to be shown makes a window of them.
        self._action = QPushButton(self)
        self._close = QToolButton(self)
        set_look(self._word, "strong")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._action.setVisible(message.action is not None)
        self._action.clicked.connect(lambda: board.choose_action(message.id))
        self._close.setIcon(icon("x", "dim"))
        self._close.setVisible(message.can_close)
        self._close.clicked.connect(lambda: board.close(message.id))
        self._icon = IconLabel("info", "accent")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 8, 6)
        row.setSpacing(8)
        self.setMinimumHeight(36)
        row.addWidget(self._icon)
        row.addWidget(self._word)
        row.addWidget(self._text, 1)
        row.addWidget(self._action)
        row.addWidget(self._close)
        set_look(self, "message")

    def say(self, shown: ShownMessage) -> None:
        """Show the words of a message in the language in force."""
        severity = shown.message.severity
        word, text = severity_word(severity), shown.text
        self.setProperty("severity", severity.value)
        self.style().unpolish(self)
        self.style().polish(self)
        self._icon.set_icon(*SEVERITY_ICONS[severity])
        self._word.setText(word)
        self._text.setText(text)
        self._action.setText(shown.action_text)
        self._close.setToolTip(self.tr("Close this message"))
        self._close.setAccessibleName(self.tr("Close this message"))
        self._action.setAccessibleDescription(text)
        self.setAccessibleName(f"{word}: {text}")
