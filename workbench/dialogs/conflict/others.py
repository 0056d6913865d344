"""The other conflicts to which a decision is to be applied: each with what would follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from workbench import text
from workbench.theme import set_look
from workbench.widgets.plan_view import plan_sentences

if TYPE_CHECKING:
    from workbench.dialogs.conflict.case import Consequence

_ID: Final = Qt.ItemDataRole.UserRole
_ROWS_SHOWN: Final = 4


class OthersList(QFrame):
    """A list with a box before each conflict; one that cannot be settled so says why.

    Signals:
        left_out_changed: a conflict's id, and whether it is left out.
    """

    left_out_changed = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("others")
        set_look(self, "sheet")
        self._head = QLabel()
        set_look(self._head, "strong")
        self._head.setWordWrap(True)
        self._pair = QLabel()
        set_look(self._pair, "secondary")
        self._pair.setTextFormat(Qt.TextFormat.PlainText)
        self._pair.setWordWrap(True)
        self._list = QListWidget()
        self._list.setObjectName("others_list")
        self._list.setWordWrap(True)
        self._list.setUniformItemSizes(False)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.itemChanged.connect(self._on_list_item_changed)
        set_look(self._list, "plain")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 8)
        column.setSpacing(4)
        column.addWidget(self._head)
        column.addWidget(self._pair)
        column.addWidget(self._list)

    def set_pair(self, standing: str, incoming: str) -> None:
        """Say which sources the two claims of each conflict come from."""
        said = self.tr("Standing: {standing}. Incoming: {incoming}.")
        self._pair.setText(said.format(standing=standing, incoming=incoming))

    def show_waiting(self) -> None:
        """Say that what would follow is being found out."""
        self._head.setText(self.tr("Finding out what would follow for the others…"))
        self._list.setVisible(False)

    def show_consequences(self, found: tuple[Consequence, ...], left_out: set[str]) -> None:
        """Show what would follow for each."""
        able = sum(it.write is not None for it in found)
        self._head.setText(
            self.tr("For %n more conflict(s) with this pair of sources would follow:", "", able)
        )
        was_blocked = self._list.blockSignals(True)
        self._list.clear()
        for consequence in found:
            self._list.addItem(self._item(consequence, left_out))
        self._list.blockSignals(was_blocked)
        self._list.setAccessibleName(self.tr("Others that would be settled alike"))
        row = self._list.sizeHintForRow(0) if found else 0
        self._list.setFixedHeight(min(len(found), _ROWS_SHOWN) * max(row, 28) + 6)
        self._list.setVisible(bool(found))

    @property
    def list(self) -> QListWidget:
        """The list itself."""
        return self._list

    def _item(self, consequence: Consequence, left_out: set[str]) -> QListWidgetItem:
        conflict = consequence.alike.conflict
        key = f"{text.one_line(conflict.subject, 60)} / {text.one_line(conflict.attribute, 60)}"
        said = consequence.problem
        if consequence.plan is not None:
            said = " ".join(plan_sentences(consequence.plan))
        item = QListWidgetItem(f"{key}: {said}")
        item.setData(_ID, conflict.conflict_id)
        if consequence.write is None:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setCheckState(Qt.CheckState.Unchecked)
            return item
        item.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
        )
        is_out = conflict.conflict_id in left_out
        item.setCheckState(Qt.CheckState.Unchecked if is_out else Qt.CheckState.Checked)
        return item

    @Slot(QListWidgetItem)
    def _on_list_item_changed(self, item: QListWidgetItem) -> None:
        is_out = item.checkState() is Qt.CheckState.Unchecked
        self.left_out_changed.emit(item.data(_ID), is_out)
