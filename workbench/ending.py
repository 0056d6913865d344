"""Ends the program as by its menu when the system or a terminal asks it to."""

from __future__ import annotations

import contextlib
import signal
import socket
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QSocketNotifier, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES: Final = ("SIGTERM", "SIGINT", "SIGHUP")
"""Those of them that the system knows."""


class EndingSignals(QObject):
    """Takes the signals by which a process is asked to end, and tells it on the GUI thread.

    Python runs a handler only when it runs code of its own, which Qt's loop may not do for a long
    time; so each signal comes as a byte through a pair of sockets, which wakes the loop.

    Signals:
        asked: the number of a signal that came.
    """

    asked = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before: dict[signal.Signals, Callable[..., Any] | int | None] = {}
        self._old_wakeup = -1
        self._read, self._write = socket.socketpair()
        self._read.setblocking(False)
        self._write.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_notifier_activated)

    def install(self) -> None:
        """Take the signals from now on; only on the main thread."""
        self._old_wakeup = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        for name in _NAMES:
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, _be_woken)

    def uninstall(self) -> None:
        """Leave the signals to whoever had them before."""
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before.clear()
        signal.set_wakeup_fd(self._old_wakeup)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()

    @Slot()
    def _on_notifier_activated(self) -> None:
        with contextlib.suppress(BlockingIOError):
            for number in self._read.recv(64):
                self.asked.emit(number)


def _be_woken(_number: int, _frame: object) -> None:
    """Do nothing: the byte that came with the signal is what wakes the loop."""
