"""A thin line that says that something is being read, only if it takes long enough to matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.theme import appearance, current

if TYPE_CHECKING:
    from workbench.ops import Operations

SHOWN_AFTER_MS: Final = 200
FRAME_MS: Final = 33
SWEEP_MS: Final = 1_200


class BusyLine(QWidget):
    """Two pixels at the top of a panel: a moving piece, or a still line under reduced motion.

    It takes no room of its own layout-wise beyond its two pixels, and no time while nothing works.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_shown = False
        self._area = ""
        self._delay = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MS)
        self._delay.timeout.connect(self._on_delay_timeout)
        self._frames = QTimer(self, interval=FRAME_MS)
        self._frames.timeout.connect(self.update)
        self._clock = QElapsedTimer()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Working"))

    @classmethod
    def over(cls, widget: QWidget) -> BusyLine:
        """Return one that lies over the top of a widget, whatever else is there."""
        line = cls(widget)
        widget.installEventFilter(line)
        return line

    @property
    def is_shown(self) -> bool:
        """Whether the line is drawn now."""
        return self._is_shown

    def follow(self, ops: Operations, area: str) -> None:
        """Show what works for an area of the operations."""
        self._area = area
        ops.busy_changed.connect(self._on_ops_busy_changed)
        self.set_busy(ops.is_busy(area))

    def set_busy(self, is_busy: bool) -> None:
        """Say that work began, or that it is over."""
        if not is_busy:
            self._delay.stop()
            self._frames.stop()
            self._is_shown = False
            self.update()
        elif not self._is_shown and not self._delay.isActive():
            self._delay.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(0, 0, watched.width(), 2)
            self.raise_()
        return False

    def sizeHint(self) -> QSize:
        return QSize(80, 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_shown:
            return
        painter = QPainter(self)
        width, height = self.width(), self.height()
        accent = current().color("accent")
        if appearance().has_reduced_motion:
            painter.fillRect(self.rect(), accent)
            return
        painter.fillRect(self.rect(), current().color("accent_bg"))
        piece = width * 0.3
        share = (self._clock.elapsed() % SWEEP_MS) / SWEEP_MS
        painter.fillRect(QRectF(share * (width + piece) - piece, 0, piece, height), accent)

    @Slot(str, bool)
    def _on_ops_busy_changed(self, area: str, is_busy: bool) -> None:
        if area == self._area:
            self.set_busy(is_busy)

    @Slot()
    def _on_delay_timeout(self) -> None:
        self._is_shown = True
        self._clock.start()
        if not appearance().has_reduced_motion:
            self._frames.start()
        self.update()
