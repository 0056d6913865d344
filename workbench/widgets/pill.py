"""Small labels with a ground or a border: a count, a state in a word, a key."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from workbench.theme import set_look

Tone = Literal["neutral", "accent", "warn", "danger", "ok"]


class Pill(QLabel):
    """A word or a number on a rounded ground, such as the count of open conflicts."""

    def __init__(
        self, text: str = "", tone: Tone = "neutral", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("tone", tone)
        set_look(self, "pill")

    def set_tone(self, tone: Tone) -> None:
        """Change what its colour means."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


class KeyCap(QLabel):
    """A key to press, drawn as a cap: ``Ctrl K``."""

    def __init__(self, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(keys, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_look(self, "key")
