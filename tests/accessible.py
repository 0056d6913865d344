"""What a reader for the blind is told of a window, for tests of several dialogs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget


def nameless_in(*tops: QWidget) -> list[str]:
    """Return what takes the keyboard in these and has no name for a reader."""
    found = []
    for widget in (inner for top in tops for inner in top.findChildren(QWidget)):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.isHidden():
            continue
        if widget.objectName().startswith("qt_"):
            continue  # made and named by Qt itself
        interface = QAccessible.queryAccessibleInterface(widget)
        if not (interface and interface.text(QAccessible.Text.Name)):
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found
