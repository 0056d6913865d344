"""Moves the view in at most 120 ms, for orientation; at once under reduced motion."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Slot

from workbench import theme
from workbench.panels.timeline.viewstate import ViewState

if TYPE_CHECKING:
    from collections.abc import Callable


class Aim(NamedTuple):
    """What a view shows: the instant at its left edge, scale, and scrolled height."""

    left: int
    fraction: float
    us_per_px: float
    top: int


class Glide(QObject):
    """Takes a `ViewState` to where keys send it. A new aim while it moves starts from there."""

    def __init__(self, view: ViewState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._from = self._to = self._aim()
        self._motion = QVariantAnimation(self)
        self._motion.setStartValue(0.0)
        self._motion.setEndValue(1.0)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._motion.valueChanged.connect(self._on_motion_value_changed)

    @property
    def target(self) -> Aim:
        """Where the view is, or will be when it has arrived."""
        is_moving = self._motion.state() == QVariantAnimation.State.Running
        return self._to if is_moving else self._aim()

    def is_at(self, aim: Aim) -> bool:
        """Whether the target shows the same as an aim, to less than a pixel."""
        now = self.target
        return (
            abs(log(now.us_per_px / aim.us_per_px)) < 1e-3
            and abs(now.left - aim.left) <= now.us_per_px
        )

    def stop(self) -> None:
        """Stay where it is."""
        self._motion.stop()

    def pan(self, pixels: float) -> None:
        """Move in time by logical pixels."""
        self._go(lambda view: view.pan(pixels))

    def zoom(self, factor: float, x: float) -> None:
        """Zoom at a position."""
        self._go(lambda view: view.zoom(factor, x))

    def scroll(self, top: int) -> None:
        """Show the rows from a height on."""
        self._go(lambda view: view.scroll_to(top))

    def show_span(self, valid_from: int, valid_to: int, *, margin: float) -> None:
        """Show a span of time, with a margin as a share of the width on both sides."""
        self._go(lambda view: view.show_span(valid_from, valid_to, margin=margin))

    def _go(self, move: Callable[[ViewState], None]) -> None:
        """Let a move happen to a copy that is where this one is going, and go there."""
        ahead = ViewState()
        ahead.width, ahead.height = self._view.width, self._view.height
        ahead.content_height = self._view.content_height
        ahead.bounds = self._view.bounds
        target = self.target
        ahead.top = target.top
        ahead.look_at(target.left, target.fraction, target.us_per_px)
        move(ahead)
        self._motion.stop()
        self._from = self._aim()
        self._to = Aim(ahead.left, ahead.fraction, ahead.us_per_px, ahead.top)
        duration = theme.appearance().motion_ms
        if duration <= 0:
            self._on_motion_value_changed(1.0)
            return
        self._motion.setDuration(duration)
        self._motion.start()

    def _aim(self) -> Aim:
        view = self._view
        return Aim(view.left, view.fraction, view.us_per_px, view.top)

    @Slot(object)
    def _on_motion_value_changed(self, value: float) -> None:
        start, end = self._from, self._to
        if value >= 1.0:
            left, fraction, us_per_px = end.left, end.fraction, end.us_per_px
        else:
            ratio = end.us_per_px / start.us_per_px
            us_per_px = start.us_per_px * exp(value * log(ratio))
            # So that what both views show at one place stays there all the way.
            share = (
                value if abs(ratio - 1) < 1e-9 else (us_per_px / start.us_per_px - 1) / (ratio - 1)
            )
            left = start.left
            fraction = start.fraction + share * (
                end.left - start.left + end.fraction - start.fraction
            )
        view = self._view
        view.top = round(start.top + value * (end.top - start.top))
        view.look_at(left, fraction, us_per_px)
