"""A list of facts on one line each: state, attribute, value; for panels that name a few."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from store.encoding import State, state_of
from store.query import Mark
from store.temporal import to_micros
from workbench.text import (
    instant,
    isolate,
    one_line,
    period,
    period_exact,
    tooltip,
    value_line,
    value_pretty,
)
from workbench.theme import Role, appearance, current, font
from workbench.widgets.status_dot import SIGN_PX, paint_state, state_word

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from PySide6.QtGui import QKeyEvent, QPainter

    from store.model import Fact

Index = QModelIndex | QPersistentModelIndex
_PAD: Final = 8
_GAP: Final = 8
_NAME_SHARE: Final = 0.44
_FULL_NAME_SHARE: Final = 0.58
_NARROW_SHARE: Final = 0.54
_NARROW_PX: Final = 260
"""With less room than this a row leaves out its subject, which the hover and the reader tell."""


def fact_state(fact: Fact, at: datetime) -> State:
    """Say what a fact is at an instant, in which its disputes outweigh the rest."""
    ends = None if fact.valid_to is None else to_micros(fact.valid_to)
    marks = int(Mark.DISPUTED) if fact.disputed else 0
    return state_of(to_micros(fact.valid_from), ends, marks=marks, at=to_micros(at))


class FactRole(IntEnum):
    """What the model gives besides text."""

    FACT = Qt.ItemDataRole.UserRole + 1
    STATE = Qt.ItemDataRole.UserRole + 2
    NAME = Qt.ItemDataRole.UserRole + 3
    VALUE = Qt.ItemDataRole.UserRole + 4
    SHORT_NAME = Qt.ItemDataRole.UserRole + 5


class FactListModel(QAbstractListModel):
    """Facts in the order given, each in words, with its state at an instant."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        has_subject: bool = True,
        has_attribute: bool = True,
    ) -> None:
        super().__init__(parent)
        self._has_subject, self._has_attribute = has_subject, has_attribute
        self._facts: tuple[Fact, ...] = ()
        self._at: datetime | None = None

    def set_facts(self, facts: Sequence[Fact], *, at: datetime) -> None:
        """Show these facts as they are at an instant."""
        if tuple(facts) == self._facts and at == self._at:
            return
        self.beginResetModel()
        self._facts, self._at = tuple(facts), at
        self.endResetModel()

    def fact(self, row: int) -> Fact:
        """Give the fact of a row."""
        return self._facts[row]

    def row_of(self, memory_id: str | None) -> int:
        """Give the row of a fact, or -1."""
        ids = [fact.memory_id for fact in self._facts]
        return ids.index(memory_id) if memory_id in ids else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._facts)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self._at is None:
            return None
        fact = self._facts[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return f"{self._name(fact)}  {value_line(fact.value)}"
            case Qt.ItemDataRole.AccessibleTextRole:
                state = state_word(fact_state(fact, self._at))
                value = isolate(value_line(fact.value))
                return ", ".join(
                    (self._name(fact), value, state, period(fact.valid_from, fact.valid_to))
                )
            case Qt.ItemDataRole.ToolTipRole:
                span = period_exact(fact.valid_from, fact.valid_to)
                return tooltip(f"{self._name(fact)}\n{value_pretty(fact.value)[:1000]}\n{span}")
            case FactRole.FACT:
                return fact
            case FactRole.STATE:
                return fact_state(fact, self._at)
            case FactRole.NAME:
                return self._name(fact)
            case FactRole.SHORT_NAME:
                return one_line(fact.attribute, 80) if self._has_attribute else self._name(fact)
            case FactRole.VALUE:
                return value_line(fact.value)
        return None

    def _name(self, fact: Fact) -> str:
        """Say what tells a fact from its neighbours: if they are of one key, when it begins."""
        if not self._has_attribute:
            return instant(fact.valid_from)
        attribute = one_line(fact.attribute, 80)
        return f"{one_line(fact.subject, 80)} · {attribute}" if self._has_subject else attribute


class _Delegate(QStyledItemDelegate):
    """Draws the sign of the state, the name quietly, and the value."""

    def __init__(self, parent: QWidget, *, name_share: float) -> None:
        super().__init__(parent)
        self._name_share = name_share

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, appearance().row_height("list"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        room = option.rect.adjusted(_PAD, 0, -_PAD, 0)
        painter.save()
        painter.setFont(font("secondary"))
        sign = QRectF(room.left(), room.top(), SIGN_PX, room.height())
        paint_state(painter, sign, index.data(FactRole.STATE), words=" ")
        room.setLeft(room.left() + SIGN_PX + _GAP)
        is_narrow = room.width() < _NARROW_PX
        name, value = self._halves(room, _NARROW_SHARE if is_narrow else self._name_share)
        role = FactRole.SHORT_NAME if is_narrow else FactRole.NAME
        self._write(painter, name, index.data(role), color="dim")
        self._write(painter, value, index.data(FactRole.VALUE), color="text")
        painter.restore()

    def _halves(self, room: QRect, share: float) -> tuple[QRect, QRect]:
        middle = room.left() + round(room.width() * share)
        name, value = QRect(room), QRect(room)
        name.setRight(middle - _GAP)
        value.setLeft(middle)
        return name, value

    def _write(self, painter: QPainter, room: QRect, words: str, *, color: Role) -> None:
        painter.setPen(current().color(color))
        shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)


class FactList(QListView):
    """A list of facts; a click or Enter chooses one.

    Signals:
        chosen: the `Fact` of a row that was clicked, or on which Enter was pressed.
    """

    chosen = Signal(object)

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        has_subject: bool = True,
        has_attribute: bool = True,
    ) -> None:
        """Make an empty one.

        Args:
            name: what the list is, for a screen reader.
            parent: the parent.
            has_subject: whether rows name their subject.
            has_attribute: whether rows name their attribute; else they say when they begin.
        """
        super().__init__(parent)
        self.facts = FactListModel(self, has_subject=has_subject, has_attribute=has_attribute)
        self.setModel(self.facts)
        share = _FULL_NAME_SHARE if has_subject else _NAME_SHARE
        self.setItemDelegate(_Delegate(self, name_share=share))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self._most_rows: int | None = None
        self.clicked.connect(self._on_clicked)
        appearance().changed.connect(self._on_appearance_changed)

    def grow_to(self, most_rows: int) -> None:
        """Be as tall as the rows are, up to so many."""
        self._most_rows = most_rows
        self.updateGeometry()

    def set_facts(self, facts: Sequence[Fact], *, at: datetime) -> None:
        """Show facts; the one that was current stays so if it is still there."""
        current_row = self.currentIndex()
        memory_id = self.facts.fact(current_row.row()).memory_id if current_row.isValid() else None
        self.facts.set_facts(facts, at=at)
        self.mark(memory_id)
        self.updateGeometry()

    def mark(self, memory_id: str | None) -> None:
        """Make the row of a fact the current one, without choosing it."""
        row = self.facts.row_of(memory_id)
        if row >= 0:
            self.setCurrentIndex(self.facts.index(row))
        else:
            self.setCurrentIndex(QModelIndex())

    def sizeHint(self) -> QSize:
        if self._most_rows is None:
            return super().sizeHint()
        rows = max(1, min(self._most_rows, self.facts.rowCount()))
        return QSize(200, rows * appearance().row_height("list") + 2 * current().focus_px)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height() if self._most_rows is not None else 60)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._on_clicked(self.currentIndex())
            event.accept()
            return
        super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self.facts.fact(index.row()))

    @Slot()
    def _on_appearance_changed(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()
