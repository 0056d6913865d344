"""What the main window knows of a panel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QSize, Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QShowEvent


LEAST: Final = QSize(360, 110)
"""No panel asks for more room than this, in logical pixels."""


class Panel(QWidget):
    """A dockable unit. Its object name is its id; its window title the dock's.

    A panel draws a busy line for its area, shows its own messages in its own bar, and says which
    actions it carries out while it is there. The window enables actions from `actions.Context`.

    Signals:
        sight_changed: it came into sight (True), or went out of it.
        menu_requested: a context menu is wanted for the selection; carries the global position.
    """

    sight_changed = Signal(bool)
    menu_requested = Signal(QPoint)

    def minimumSizeHint(self) -> QSize:
        # What is less than a panel would like is better than a window larger than its screen, as
        # on a small screen at 200 %.
        return super().minimumSizeHint().boundedTo(LEAST)

    def handlers(self) -> dict[str, Callable[[], None]]:
        """Return what the panel does for action ids; at most one panel handles each id."""
        return {}

    def first_focus(self) -> QWidget:
        """Return the widget that takes the focus when the panel is called up."""
        return self

    def retranslate(self) -> None:
        """Say everything in the language in force."""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.sight_changed.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        self.sight_changed.emit(False)
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
