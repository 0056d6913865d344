"""A JSON value in full, as text that can be selected and copied and does nothing else."""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QSize, Slot
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from workbench.text import value_pretty, visible
from workbench.theme import appearance, current, set_look

_NAME: Final = re.compile(r'^\s*("(?:[^"\\]|\\.)*"\s*:)')


class _NameHighlighter(QSyntaxHighlighter):
    """Makes the names of members quieter than their values."""

    def highlightBlock(self, text: str) -> None:
        found = _NAME.match(text)
        if found is not None:
            style = QTextCharFormat()
            style.setForeground(current().color("dim"))
            self.setFormat(found.start(1), len(found[1]), style)


class ValueView(QPlainTextEdit):
    """Shows a value: a text with its line breaks, anything else as indented JSON.

    Control, bidirectional and invisible characters appear as marks. It grows with its content up
    to `max_lines`, then scrolls.
    """

    def __init__(self, parent: QWidget | None = None, *, max_lines: int = 12) -> None:
        super().__init__(parent)
        self._max_lines = max_lines
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Value"))
        set_look(self, "value")
        self._highlighter = _NameHighlighter(self.document())
        appearance().changed.connect(self._on_appearance_changed)
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)

    def set_value(self, value: Any) -> None:
        """Show a JSON value."""
        is_text = isinstance(value, str)
        self.setPlainText(visible(value, keeps_lines=True) if is_text else value_pretty(value))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        lines = max(1, min(self._max_lines, int(self.document().size().height())))
        frame = self.height() - self.viewport().height() if self.isVisible() else 10
        margin = 2 * int(self.document().documentMargin())
        return QSize(200, lines * self.fontMetrics().lineSpacing() + frame + margin + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    @Slot()
    def _on_appearance_changed(self) -> None:
        self._highlighter.rehighlight()
