"""What came of something, in a sentence on the ground of its severity, with its sign."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from workbench.messages import Severity, severity_word
from workbench.theme import set_look
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.message_bar import SEVERITY_ICONS


class VerdictBand(QFrame):
    """A sentence that stays; a message, which comes and goes, belongs in a `MessageBar`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = IconLabel(*SEVERITY_ICONS[Severity.INFO])
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self._text, 1)
        set_look(self, "message")

    @property
    def sentence(self) -> str:
        """What it says now."""
        return self._text.text()

    def say(self, severity: Severity, sentence: str) -> None:
        """Say a sentence."""
        self.setProperty("severity", severity.value)
        self.style().unpolish(self)
        self.style().polish(self)
        self._icon.set_icon(*SEVERITY_ICONS[severity])
        self._text.setText(sentence)
        self.setAccessibleName(f"{severity_word(severity)}: {sentence}")
