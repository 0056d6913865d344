"""Words and a kind, by which a list is narrowed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from workbench.theme import icon
from workbench.widgets.search_field import SearchField
from workbench.words import capitalised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Kind = TypeVar("Kind", bound=StrEnum)


class FilterBar(QWidget, Generic[Kind]):
    """Stands above a list.

    Signals:
        changed: other words were typed, or another kind was chosen.
        left: Enter, or Esc in the empty field: the list is to have the focus.

    Attributes:
        row: takes what else narrows the list.
    """

    changed = Signal()
    left = Signal()

    def __init__(
        self,
        name: str,
        kinds: Iterable[Kind],
        *,
        word: Callable[[Kind], str],
        icon_name: Callable[[Kind], str] | None = None,
    ) -> None:
        super().__init__()
        self._kinds, self._word, self._icon_name = tuple(kinds), word, icon_name
        self._search = SearchField("")
        self._search.setObjectName(f"{name}_search")
        self._box = QComboBox()
        self._box.setObjectName(f"{name}_kind")
        self._box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(8, 8, 8, 8)
        self.row.setSpacing(8)
        self.row.addWidget(self._search, 1)
        self.row.addWidget(self._box)
        self._search.searched.connect(self.changed)
        self._search.left.connect(self.left)
        self._search.next_requested.connect(self.left)
        self._box.currentIndexChanged.connect(self.changed)

    @property
    def text(self) -> str:
        """The words."""
        return self._search.text()

    @property
    def kind(self) -> Kind | None:
        """The kind, None for all."""
        place = self._box.currentIndex()
        return self._kinds[place - 1] if place > 0 else None

    def set_text(self, text: str) -> None:
        """Show other words; `changed` is not emitted."""
        with QSignalBlocker(self._search):
            self._search.setText(text)

    def reset(self) -> None:
        """Show no words and all kinds; `changed` is not emitted."""
        with QSignalBlocker(self._search), QSignalBlocker(self._box):
            if self.text:
                self._search.clear()
            self._box.setCurrentIndex(0)

    def say(self, *, hint: str, kind: str, all_kinds: str) -> None:
        """Put everything into the language in force: what is searched and what is chosen."""
        self._search.set_hint(hint)
        self._box.setAccessibleName(kind)
        chosen = max(0, self._box.currentIndex())
        with QSignalBlocker(self._box):
            self._box.clear()
            self._box.addItem(all_kinds)
            for it in self._kinds:
                sign = QIcon() if self._icon_name is None else icon(self._icon_name(it), "dim")
                self._box.addItem(sign, capitalised(self._word(it)), it.value)
            self._box.setCurrentIndex(chosen)
