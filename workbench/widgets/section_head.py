"""The head of a section: small capitals, with room for a count or a button at its end."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from workbench.theme import set_look


class SectionHead(QWidget):
    """A heading in small capitals over a list or a group of fields."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel(text)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        set_look(self._label, "caps")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self._label)
        self._row.addStretch(1)
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        """Change the heading."""
        self._label.setText(text)
        self.setAccessibleName(text)

    def add(self, widget: QWidget) -> None:
        """Put something at its end."""
        self._row.addWidget(widget)
