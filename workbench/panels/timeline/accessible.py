"""What a screen reader finds in the timeline: a list of the bars in view, each with its words.

Qt asks for an interface when somebody listens, and then only. Bars that scroll out of view leave
the list; the facts table is the whole in words.
"""

from __future__ import annotations

from typing import Final

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAccessibleInterface,
    QColor,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget

from workbench.panels.timeline.canvas import Hit, LaneCanvas

BARS_MOST: Final = 400
"""So many bars in view are told, the first ones by lane and time."""

# Qt keeps only pointers: what it was given must live as long as the widget.
_known: dict[int, CanvasInterface] = {}
_is_installed: list[bool] = []


class BarInterface(QAccessibleInterface):
    """One bar in view."""

    def __init__(self, owner: CanvasInterface, hit: Hit) -> None:
        super().__init__()
        self._owner = owner
        self._hit = hit

    @property
    def hit(self) -> Hit:
        """Which bar it is."""
        return self._hit

    def isValid(self) -> bool:
        return self._owner.isValid()

    def object(self) -> QObject:
        return None  # type: ignore[return-value]  # Qt's own way to say that there is none

    def window(self) -> QWindow:
        return self._owner.window()

    def parent(self) -> QAccessibleInterface:
        return self._owner

    def child(self, index: int) -> QAccessibleInterface:
        return None  # type: ignore[return-value]

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        return None  # type: ignore[return-value]

    def childCount(self) -> int:
        return 0

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        state.focusable = True
        state.selectable = True
        is_chosen = self._hit == self._owner.canvas.selected_hit()
        state.selected = is_chosen
        state.focused = is_chosen and self._owner.canvas.hasFocus()
        return state

    def text(self, kind: QAccessible.Text) -> str:
        if kind == QAccessible.Text.Name:
            return self._owner.canvas.bar_name(self._hit)
        return ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Nothing here can be written."""

    def rect(self) -> QRect:
        canvas = self._owner.canvas
        place = canvas.bar_rect(self._hit.position, self._hit.bar or 0)
        if place is None:
            return QRect()
        inside = place.toAlignedRect()
        return QRect(canvas.mapToGlobal(inside.topLeft()), inside.size())

    def foregroundColor(self) -> QColor:
        return self._owner.foregroundColor()

    def backgroundColor(self) -> QColor:
        return self._owner.backgroundColor()


class CanvasInterface(QAccessibleWidget):
    """The timeline as a list of bars."""

    def __init__(self, canvas: LaneCanvas) -> None:
        super().__init__(canvas, QAccessible.Role.List, canvas.accessibleName())
        self.canvas = canvas
        self._bars: dict[Hit, BarInterface] = {}

    def bars(self) -> list[BarInterface]:
        """Return the bars in view, by lane, then from the left."""
        hits = self.canvas.bars_in_view(BARS_MOST)
        self._bars = {hit: self._bars.get(hit) or BarInterface(self, hit) for hit in hits}
        return list(self._bars.values())

    def childCount(self) -> int:
        return len(self.bars())

    def child(self, index: int) -> QAccessibleInterface:
        bars = self.bars()
        return bars[index] if 0 <= index < len(bars) else None  # type: ignore[return-value]

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        inside = self.canvas.mapFromGlobal(QPoint(x, y))
        hit = self.canvas.hit(inside.x(), inside.y())
        self.bars()
        return self._bars.get(hit) if hit else None  # type: ignore[return-value]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        bars = self.bars()
        return bars.index(child) if isinstance(child, BarInterface) and child in bars else -1

    def focusChild(self) -> QAccessibleInterface:
        chosen = self.canvas.selected_hit()
        self.bars()
        return self._bars.get(chosen) if chosen else None  # type: ignore[return-value]


def _make(name: str, widget: QObject) -> QAccessibleInterface | None:
    """Answer Qt's question for an interface of a widget; of other widgets with none."""
    if not isinstance(widget, LaneCanvas):
        return None
    known = _known.get(id(widget))
    if known is None or known.canvas is not widget:
        key = id(widget)
        known = _known[key] = CanvasInterface(widget)
        widget.destroyed.connect(lambda: _known.pop(key, None))
    return known


def install() -> None:
    """Make Qt ask here; once for the process."""
    if not _is_installed:
        _is_installed.append(True)
        QAccessible.installFactory(_make)


def tell_focus(canvas: LaneCanvas) -> None:
    """Tell a listening screen reader which bar has the keyboard now."""
    chosen = canvas.selected_hit()
    if not QAccessible.isActive() or chosen is None or not shiboken6.isValid(canvas):
        return
    hits = canvas.bars_in_view(BARS_MOST)
    if chosen in hits:
        event = QAccessibleEvent(canvas, QAccessible.Event.Focus)
        event.setChild(hits.index(chosen))
        QAccessible.updateAccessibility(event)
