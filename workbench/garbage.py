"""Garbage is collected on the GUI thread only.

Python collects cycles on whatever thread happens to allocate when it is time. A cycle that holds Qt
objects, as closures over widgets do, would then be torn down on a worker thread, which Qt does not
survive. So while there are workers, automatic collection is off, and a timer on the GUI thread does
what it would have done.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

LOOK_EVERY_MS: Final = 1_000


class GarbageCollector(QObject):
    """Takes the collection of garbage over, until `stop`; several may do so at once."""

    _running = 0
    _was_enabled = True

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        if GarbageCollector._running == 0:
            GarbageCollector._was_enabled = gc.isenabled()
            gc.disable()
        GarbageCollector._running += 1
        self._is_running = True
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(self._on_timer_timeout)
        self._timer.start()

    def stop(self) -> None:
        """Give it back to Python; may be called twice."""
        if not self._is_running:
            return
        self._is_running = False
        self._timer.stop()
        GarbageCollector._running -= 1
        if GarbageCollector._running == 0 and GarbageCollector._was_enabled:
            gc.enable()

    @Slot()
    def _on_timer_timeout(self) -> None:
        """Collect the oldest generation that is due, by Python's own thresholds."""
        due = [
            generation
            for generation, (count, threshold) in enumerate(
                zip(gc.get_count(), gc.get_threshold(), strict=True)
            )
            if threshold and count > threshold
        ]
        if due:
            gc.collect(max(due))
