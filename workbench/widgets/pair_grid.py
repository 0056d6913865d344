"""Names and values in two columns, as a record is read."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from workbench.text import tooltip
from workbench.theme import set_look
from workbench.widgets.elided_label import ElidedLabel
from workbench.widgets.link_text import INSET_PX, CopyButton
from workbench.widgets.wrapped_label import WrappedLabel

NAME_PX: Final = 88
"""Width of the column of names."""


def record_label(text: str, hint: str = "") -> QLabel:
    """Make a short plain text in the size of a record's values, exact on hover."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setContentsMargins(INSET_PX, 0, 0, 0)
    label.setToolTip(tooltip(hint) if hint else "")
    set_look(label, "record")
    return label


class PairGrid(QWidget):
    """A grid of names, in quiet letters, and what belongs to them. Rows are added and cleared."""

    def __init__(self, parent: QWidget | None = None, *, name_width: int = NAME_PX) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8 - INSET_PX)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnMinimumWidth(0, name_width)
        self._grid.setColumnStretch(1, 1)
        self._rows = 0

    def clear(self) -> None:
        """Take all rows away."""
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._rows = 0

    def add_text(self, name: str, words: str, *, hint: str = "") -> WrappedLabel:
        """Add a row of words that wrap; `hint` is what a hover tells."""
        value = WrappedLabel("record")
        value.setContentsMargins(INSET_PX, 0, 0, 0)
        value.set_text(words)
        if hint:
            value.setToolTip(tooltip(hint))
            value.setAccessibleDescription(hint)
        self._add(name, value)
        return value

    def add_mono(self, name: str, words: str, *, copies: str, hint: str = "") -> None:
        """Add a row with an id or a digest, cut in its middle, and a button that copies it.

        Args:
            name: what it is.
            words: the id or digest, entire.
            copies: the name of the button.
            hint: what a hover tells instead of the entire text.
        """
        label = ElidedLabel(words, mode=Qt.TextElideMode.ElideMiddle)
        set_look(label, "mono_dim")
        label.setToolTip(tooltip(hint or words))
        label.setContentsMargins(INSET_PX, 0, 0, 0)
        label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button = CopyButton(copies)
        button.set_content(words)
        self.add_widgets(name, label, button, is_stretched=False)

    def add_widgets(self, name: str, *widgets: QWidget, is_stretched: bool = True) -> None:
        """Add a row of widgets beside each other, with room left at the end."""
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in widgets:
            row.addWidget(widget)
        if is_stretched:
            row.addStretch(1)
        self._add(name, box)

    def _add(self, name: str, value: QWidget) -> None:
        caption = QLabel(name)
        caption.setTextFormat(Qt.TextFormat.PlainText)
        set_look(caption, "secondary")
        caption.setBuddy(value)
        top = Qt.AlignmentFlag.AlignTop
        middle = Qt.AlignmentFlag.AlignVCenter
        is_line = not isinstance(value, WrappedLabel)
        self._grid.addWidget(caption, self._rows, 0, middle if is_line else top)
        self._grid.addWidget(value, self._rows, 1)
        self._rows += 1
