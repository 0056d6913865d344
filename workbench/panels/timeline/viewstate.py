"""Which stretch of valid time and which rows are in view: shared by ruler, lanes and minimap."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from store.temporal import EARLIEST, LATEST
from workbench.panels.timeline.raster import Window

US_PER_PX_LEAST: Final = 0.02
"""The closest view: 50 pixels for a microsecond."""
_MARGIN: Final = 0.04  # of the width, left free on both sides when something is fitted


class ViewState(QObject):
    """The part of the timeline in view.

    The instant at the left edge is a whole microsecond and a fraction of one, so that a pan of a
    pixel is exact at every zoom, from centuries to microseconds.

    Signals:
        changed: something below is different; many may come before one is painted.

    Attributes:
        left: instant at the left edge, microseconds since 1970.
        fraction: and the fraction of one, 0 up to 1.
        us_per_px: microseconds for a logical pixel.
        top: scrolled by so many logical pixels.
        width: of the lanes, logical pixels.
        height: of the lanes, logical pixels.
        bounds: the earliest and the latest instant that may be in view.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.left = 0
        self.fraction = 0.0
        self.us_per_px = 86_400_000_000 / 16
        self.top = 0
        self.width = 800
        self.height = 400
        self.content_height = 0
        self.bounds = (EARLIEST, LATEST)

    # -- asking -------------------------------------------------------------------------------

    @property
    def right(self) -> int:
        """The instant at the right edge."""
        return self.instant_at(self.width)

    @property
    def span(self) -> tuple[int, int]:
        """The instants at the left and the right edge."""
        return self.left, self.right

    @property
    def top_most(self) -> int:
        """The greatest `top` that there is."""
        return max(0, self.content_height - self.height)

    def x_of(self, instant: int) -> float:
        """Return where an instant lies, in logical pixels from the left edge."""
        return (instant - self.left - self.fraction) / self.us_per_px

    def instant_at(self, x: float) -> int:
        """Return the last whole microsecond at or before a position."""
        return self.left + int((x * self.us_per_px + self.fraction) // 1)

    def window(self, ratio: float) -> Window:
        """Return the same stretch in device pixels."""
        width = max(1, round(self.width * ratio))
        return Window(self.left, self.fraction, ratio / self.us_per_px, width)

    # -- moving -------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Take a new size; the left edge and the scale stay."""
        if (width, height) != (self.width, self.height) and width > 0 and height > 0:
            self.width, self.height = width, height
            self._settle()

    def set_content_height(self, height: int) -> None:
        """Take the height of all rows."""
        if height != self.content_height:
            self.content_height = height
            self._settle()

    def set_bounds(self, earliest: int, latest: int) -> None:
        """Take the bounds of what may be in view, and stay within them from now on."""
        if (earliest, latest) != self.bounds:
            self.bounds = max(EARLIEST, earliest), min(LATEST, latest)
            self._settle()

    def scroll_to(self, top: int) -> None:
        """Show the rows from a height in the content on."""
        if top != self.top:
            self.top = top
            self._settle()

    def pan(self, pixels: float) -> None:
        """Move forward in time by logical pixels; backward if negative."""
        self.look_at(self.left, self.fraction + pixels * self.us_per_px, self.us_per_px)

    def zoom(self, factor: float, x: float) -> None:
        """Zoom in by a factor above 1, out by one below; what is at `x` stays there."""
        us_per_px = self._bounded(self.us_per_px / factor)
        self.look_at(self.left, self.fraction + x * (self.us_per_px - us_per_px), us_per_px)

    def show_span(self, valid_from: int, valid_to: int, *, margin: float = _MARGIN) -> None:
        """Show a span of time, with a margin given as a share of the width on both sides."""
        room = max(1.0, self.width * (1 - 2 * margin))
        us_per_px = self._bounded(max(1, valid_to - valid_from) / room)
        spare = self.width * us_per_px - (valid_to - valid_from)
        self.look_at(valid_from, -spare / 2, us_per_px)

    def set_span(self, valid_from: int, valid_to: int) -> None:
        """Show exactly a span of time, as far as the scale allows."""
        self.show_span(valid_from, valid_to, margin=0.0)

    def look_at(self, left: int, fraction: float, us_per_px: float) -> None:
        """Show from an instant on, at a scale. A fraction may be negative or above 1."""
        whole = int(fraction // 1)
        self.left, self.fraction = left + whole, fraction - whole
        self.us_per_px = self._bounded(us_per_px)
        self._settle()

    def reveal(self, instant: int) -> bool:
        """Pan, if needed, until an instant is in view; return whether it moved."""
        x = self.x_of(instant)
        if 0 <= x < self.width:
            return False
        self.pan(x - self.width / 3)
        return True

    def _bounded(self, us_per_px: float) -> float:
        earliest, latest = self.bounds
        most = (latest - earliest) / max(1, self.width)
        return min(max(us_per_px, US_PER_PX_LEAST), most)

    def _settle(self) -> None:
        """Bring everything within its bounds, and tell."""
        self.us_per_px = self._bounded(self.us_per_px)
        across = int(self.width * self.us_per_px)
        earliest, latest = self.bounds
        last = max(earliest, latest - across)
        if not earliest <= self.left <= last:
            self.left, self.fraction = min(max(self.left, earliest), last), 0.0
        self.top = min(max(0, self.top), self.top_most)
        self.changed.emit()
