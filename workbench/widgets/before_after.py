"""What reads gave before a write and what they give after it: lanes to look at, words to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from store.model import Outcome, Plan
from workbench.text import number, one_line
from workbench.theme import set_look
from workbench.widgets.lanes import LaneStrip, StripLane
from workbench.widgets.plan_view import bar_of, focus_of, near, plan_sentences
from workbench.widgets.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.model import Interval

KEYS_SHOWN: Final = 6
"""So many keys are drawn; the rest is counted."""
_SENTENCES_SHOWN: Final = 6


class _Key(NamedTuple):
    owner: str
    subject: str
    attribute: str
    slot: str


class KeyChange(NamedTuple):
    """What a write does to one key: its stretches before and after."""

    subject: str
    attribute: str
    before: tuple[Interval, ...]
    after: tuple[Interval, ...]


def by_key(before: Sequence[Interval], after: Sequence[Interval]) -> list[KeyChange]:
    """Sort stretches by the keys that they belong to, in the order in which keys appear."""
    found: dict[_Key, tuple[list[Interval], list[Interval]]] = {}
    for place, stretches in enumerate((before, after)):
        for stretch in stretches:
            key = _Key(stretch.owner, stretch.subject, stretch.attribute, stretch.slot)
            found.setdefault(key, ([], []))[place].append(stretch)
    return [
        KeyChange(key.subject, key.attribute, tuple(sides[0]), tuple(sides[1]))
        for key, sides in found.items()
    ]


def _plan_of(change: KeyChange) -> Plan:
    """Give a change as the plan that it was, for the words and lanes that plans have."""
    return Plan(
        outcome=Outcome.APPLIED,
        reason="",
        closed=tuple(it for it in change.before if it not in change.after),
        opened=tuple(it for it in change.after if it not in change.before),
    )


class BeforeAfter(QWidget):
    """Draws the lanes of each touched key before and after, and names the stretches that differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)

    def show_change(
        self, before: Sequence[Interval], after: Sequence[Interval], *, now_at: int
    ) -> None:
        """Show these stretches.

        Args:
            before: as they were.
            after: as they are afterwards.
            now_at: the present, microseconds since 1970; what begins later is drawn as future.
        """
        self._clear()
        changes = by_key(before, after)
        for change in changes[:KEYS_SHOWN]:
            self._add_key(change, now_at=now_at)
        left = len(changes) - KEYS_SHOWN
        if left > 0:
            self._add_label(self.tr("%n more key(s) changed.", "", left), "secondary")
        if not changes:
            self._add_label(self.tr("No read gives another answer."), "secondary")

    def _add_key(self, change: KeyChange, *, now_at: int) -> None:
        name = f"{one_line(change.subject, 60)} · {one_line(change.attribute, 60)}"
        self._add_label(name, "strong")
        change_of = _plan_of(change)
        focus = focus_of(change_of)
        strip = LaneStrip()
        strip.set_lanes(
            [
                StripLane(self.tr("Before"), near(list(map(bar_of, change.before)), focus)),
                StripLane(self.tr("After"), near(list(map(bar_of, change.after)), focus)),
            ],
            now_at=now_at,
        )
        strip.setAccessibleName(name)
        self._column.addWidget(strip)
        said = plan_sentences(change_of)
        left = len(said) - _SENTENCES_SHOWN
        if left > 0:
            more = self.tr("{number} more stretches change.").format(number=number(left))
            said = [*said[:_SENTENCES_SHOWN], more]
        words = WrappedLabel("record")
        words.set_text("\n".join(said))
        self._column.addWidget(words)
        self._column.addSpacing(8)

    def _add_label(self, words: str, look: str) -> None:
        label = QLabel(words)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        set_look(label, look)
        self._column.addWidget(label)

    def _clear(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
