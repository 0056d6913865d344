"""What a panel shows while it has nothing: what belongs here, and the first step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from workbench.theme import set_icon, set_look
from workbench.widgets.flow_layout import FlowLayout
from workbench.widgets.icon_label import IconLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

ICON_PX: Final = 28
WIDE_PX: Final = 24
"""Free above and below; THIN_PX, and no icon, where it is lower than LOW_PX."""
THIN_PX: Final = 8
LOW_PX: Final = 190
TIGHT_PX: Final = 90
"""Lower than that there is room for the sentence alone."""
_SPARED_PX: Final = ICON_PX + 8 + 2 * (WIDE_PX - THIN_PX)


class EmptyState(QWidget):
    """An icon, a sentence and buttons in the middle of an empty panel.

    Signals:
        action_chosen: the id of the button that was pressed; action ids, as a rule.
    """

    action_chosen = Signal(str)

    def __init__(
        self, icon_name: str, sentence: str, detail: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sentence = QLabel(sentence)
        self._detail = QLabel(detail)
        set_look(self._sentence, "strong")
        set_look(self._detail, "secondary")
        for label in (self._sentence, self._detail):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            label.setWordWrap(True)
            label.setMaximumWidth(420)
        self._detail.setVisible(bool(detail))
        self._row = QWidget()
        self._buttons = FlowLayout(is_centered=True)
        self._buttons.setContentsMargins(0, 0, 0, 0)
        self._row.setLayout(self._buttons)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(24, WIDE_PX, 24, WIDE_PX)
        column.setSpacing(8)
        column.addStretch(2)
        self._icon = IconLabel(icon_name, "dim", size=ICON_PX)
        column.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        for label in (self._sentence, self._detail):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(label, 100)
            row.addStretch(1)
            column.addLayout(row)
        column.addSpacing(8)
        column.addWidget(self._row)
        column.addStretch(3)
        self.setAccessibleName(sentence)

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return hint if self._icon.isHidden() else hint - QSize(0, _SPARED_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_low, is_tight = self.height() < LOW_PX, self.height() < TIGHT_PX
        side = 0 if is_tight else THIN_PX if is_low else WIDE_PX
        self._icon.setHidden(is_low)
        self._column.setContentsMargins(24, side, 24, side)
        if is_tight != self._row.isHidden():
            self._row.setHidden(is_tight)
            self._detail.setHidden(is_tight or not self._detail.text())

    def set_text(self, sentence: str, detail: str = "") -> None:
        """Say something else."""
        self._sentence.setText(sentence)
        self._detail.setText(detail)
        self._detail.setHidden(self._row.isHidden() or not detail)
        self.setAccessibleName(sentence)

    def add_button(
        self, action_id: str, text: str, *, icon_name: str = "", is_primary: bool = False
    ) -> QPushButton:
        """Offer a step; at most one of them is primary."""
        button = QPushButton(text)
        button.setObjectName(action_id)
        if icon_name:
            set_icon(button, icon_name, "on_accent" if is_primary else "text")
        if is_primary:
            set_look(button, "primary")
        button.clicked.connect(lambda: self.action_chosen.emit(action_id))
        self._buttons.addWidget(button)
        return button
