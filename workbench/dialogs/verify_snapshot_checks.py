"""What the verifier found, check by check, and large and clear the first thing that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from store.audit.verify import State
from workbench.dialogs.verify_snapshot_words import (
    message_words,
    place_words,
    state_word,
    title_words,
)
from workbench.text import number, tooltip
from workbench.theme import Role, set_look
from workbench.widgets.icon_label import IconLabel
from workbench.widgets.link_text import CopyButton
from workbench.widgets.pair_grid import PairGrid
from workbench.widgets.section_head import SectionHead
from workbench.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from store.audit.verify import Check

_NAME_PX: Final = 64
_SIGNS: Final[dict[State, tuple[str, Role, str]]] = {
    State.PASSED: ("check", "ok", "ok"),
    State.FAILED: ("x", "danger", "danger"),
    State.NOT_PROVED: ("minus", "warn", "warn"),
    State.NOT_APPLICABLE: ("minus", "dim", "secondary"),
}


class ChecksList(QWidget):
    """Rows that come one by one: a sign, what was checked, how much of it, and a word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._rows = QWidget()
        self._column.addWidget(self._rows)
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        old = self._rows
        self._rows = QWidget()
        self._grid = QGridLayout(self._rows)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        self._column.replaceWidget(old, self._rows)
        old.hide()
        old.deleteLater()

    def add(self, check: Check) -> None:
        """Show what came of a check."""
        name, role, look = _SIGNS[check.state]
        sign, state = IconLabel(name, role), QLabel(state_word(check.state))
        set_look(state, look)
        title = WrappedLabel()
        title.set_text(title_words(check.title))
        looked_at = QLabel(number(check.looked_at) if check.looked_at else "")
        looked_at.setToolTip(self.tr("So many were looked at"))
        set_look(looked_at, "secondary")
        row = self._grid.rowCount()
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(sign, row, 0, top)
        self._grid.addWidget(title, row, 1)
        self._grid.addWidget(looked_at, row, 2, top | Qt.AlignmentFlag.AlignRight)
        self._grid.addWidget(state, row, 3, top)
        if check.state is State.NOT_APPLICABLE:
            state.setToolTip(tooltip(message_words(check.message)))
            state.setAccessibleDescription(message_words(check.message))
        elif check.message:
            why = WrappedLabel("record")
            set_look(why, "secondary")
            why.set_text(message_words(check.message))
            self._grid.addWidget(why, row + 1, 1, 1, 3)


class FirstWrong(QFrame):
    """The first thing that is wrong: the sentence, where, and by which check, to be copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, "wrong")
        head = SectionHead(self.tr("The first thing that is wrong"))
        self._says = WrappedLabel("value")
        self._more = QLabel()
        set_look(self._more, "secondary")
        self._grid = PairGrid(name_width=_NAME_PX)
        self.copy = CopyButton(self.tr("Copy what is wrong"))
        words = QVBoxLayout()
        words.setSpacing(6)
        for widget in (head, self._says, self._grid, self._more):
            words.addWidget(widget)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 16, 12, 16)
        row.setSpacing(14)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(IconLabel("circle-alert", "danger", size=28), 0, top)
        row.addLayout(words, 1)
        row.addWidget(self.copy, 0, top)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_check(self, check: Check) -> None:
        """Show what failed first."""
        place = place_words(check.place)
        title, sentence = title_words(check.title), message_words(check.message)
        self._says.set_text(sentence)
        self._grid.clear()
        if place:
            self._grid.add_text(self.tr("Where"), place)
        self._grid.add_text(self.tr("Check"), title)
        others = check.failures - 1
        self._more.setVisible(others > 0)
        self._more.setText(self.tr("and %n more of this kind", "", others) if others > 0 else "")
        self.copy.set_content("\n".join(part for part in (sentence, place, title) if part))
        self.setAccessibleName(f"{sentence} {place}")
