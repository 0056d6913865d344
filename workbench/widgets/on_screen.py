"""Windows that are never partly off the screen: neither when they open nor when they grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRect, QTimer, Slot

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_SETTLED_MS: Final = 60
"""By then the window manager has placed a window and told how thick its frame is."""
_TRIES: Final = 4


def placed_within(frame: QRect, room: QRect) -> QRect:
    """Return a rectangle moved, and made smaller where it must be, until it lies within another."""
    fitted = QRect(frame.topLeft(), frame.size().boundedTo(room.size()))
    left = min(max(fitted.left(), room.left()), room.left() + room.width() - fitted.width())
    top = min(max(fitted.top(), room.top()), room.top() + room.height() - fitted.height())
    fitted.moveTo(left, top)
    return fitted


class OnScreen(QObject):
    """Brings a window into the room of its screen whenever it is shown, or on demand."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._later = QTimer(self, singleShot=True, interval=_SETTLED_MS)
        self._later.timeout.connect(self._on_later_timeout)
        self._tries = 0
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.bring_later()
        return False

    def bring_later(self) -> None:
        """Bring it in once the window manager has answered; call this after it grew by itself."""
        self._tries = _TRIES
        self._later.start()

    @Slot()
    def _on_later_timeout(self) -> None:
        window = self._window
        if not window.isVisible() or window.isMaximized() or window.isFullScreen():
            return
        frame = window.frameGeometry()
        fitted = placed_within(frame, window.screen().availableGeometry())
        if fitted == frame:
            return
        self._tries -= 1
        if self._tries > 0:  # it may be placed late, or anew after it was made smaller
            self._later.start()
        if fitted.size() != frame.size():
            edges = frame.size() - window.size()
            window.resize(fitted.size() - edges)
        if fitted.topLeft() != frame.topLeft():
            window.move(fitted.topLeft())
