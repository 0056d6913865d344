"""Messages in place: a panel declares what can go wrong, and shows it where it happened.

A presenter owns a `MessageBoard` and declares its messages as constants; the view puts a
`workbench.widgets.message_bar.MessageBar` on the board. Nothing here knows a widget.

    UNREADABLE = Message(
        "facts.unreadable", Severity.ERROR,
        QT_TRANSLATE_NOOP("Messages", "The facts could not be read. {reason}"),
        action=TRY_AGAIN,
    )
    board.show(UNREADABLE, reason=str(error))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal

from workbench.text import QT_TRANSLATE_NOOP, visible

CONTEXT: Final = "Messages"
"""The translators' context of every declared message and action."""


class Severity(StrEnum):
    """How much a message matters; also the word, the icon and the colour of its bar."""

    INFO = "info"
    DONE = "done"
    WARNING = "warning"
    ERROR = "error"


_RANK: Final = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.DONE: 2, Severity.INFO: 3}


@dataclass(frozen=True, slots=True)
class MessageAction:
    """The one thing that a person can do about a message: an id and a verb (untranslated)."""

    id: str
    text: str


RETRY: Final = "retry"
TRY_AGAIN: Final = MessageAction(RETRY, QT_TRANSLATE_NOOP("Messages", "Try again"))
"""For what could not be read."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message that a panel can show, declared once.

    Attributes:
        id: the panel and what happened, ``facts.unreadable``; a board shows it once at a time.
        severity: how much it matters.
        text: whole sentences, with ``{names}`` for what `MessageBoard.show` fills in.
        action: what can be done about it.
        can_close: whether a person can put it away; False while it states a lasting condition.
    """

    id: str
    severity: Severity
    text: str
    action: MessageAction | None = None
    can_close: bool = True


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message on a board, with what fills its gaps."""

    message: Message
    values: dict[str, object] = field(default_factory=dict, hash=False)

    @property
    def text(self) -> str:
        """The sentence in the language in force; hostile characters in the values are shown."""
        said = QCoreApplication.translate(CONTEXT, self.message.text)
        return said.format(**{name: visible(str(value)) for name, value in self.values.items()})

    @property
    def action_text(self) -> str:
        """The verb of the action in the language in force, or ""."""
        action = self.message.action
        return QCoreApplication.translate(CONTEXT, action.text) if action else ""


class MessageBoard(QObject):
    """What a panel says at the moment.

    Signals:
        changed: a message came, went, or says something else.
        action_chosen: a person chose the action of a message: the message's id, the action's id.
    """

    changed = Signal()
    action_chosen = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: dict[str, ShownMessage] = {}

    @property
    def shown(self) -> tuple[ShownMessage, ...]:
        """What is said now: worst first, then oldest first."""
        return tuple(sorted(self._shown.values(), key=lambda it: _RANK[it.message.severity]))

    def show(self, message: Message, **values: object) -> None:
        """Say a message; where it is said already, its values change in place."""
        shown = ShownMessage(message, values)
        if self._shown.get(message.id) != shown:
            self._shown[message.id] = shown
            self.changed.emit()

    def withdraw(self, *messages: Message) -> None:
        """Stop saying these messages; those that are not said are passed over."""
        gone = [self._shown.pop(message.id, None) for message in messages]
        if any(gone):
            self.changed.emit()

    def clear(self) -> None:
        """Stop saying anything."""
        if self._shown:
            self._shown.clear()
            self.changed.emit()

    def close(self, message_id: str) -> None:
        """Put a message away because a person closed it."""
        if self._shown.pop(message_id, None) is not None:
            self.changed.emit()

    def choose_action(self, message_id: str) -> None:
        """Announce that a person chose the action of a message."""
        shown = self._shown.get(message_id)
        if shown is not None and shown.message.action is not None:
            self.action_chosen.emit(message_id, shown.message.action.id)


_WORDS: Final = {
    Severity.INFO: QT_TRANSLATE_NOOP("Messages", "Note"),
    Severity.DONE: QT_TRANSLATE_NOOP("Messages", "Done"),
    Severity.WARNING: QT_TRANSLATE_NOOP("Messages", "Caution"),
    Severity.ERROR: QT_TRANSLATE_NOOP("Messages", "Problem"),
}


def severity_word(severity: Severity) -> str:
    """Give the word that stands beside the colour of a message."""
    return QCoreApplication.translate(CONTEXT, _WORDS[severity])
