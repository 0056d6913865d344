"""What reads gave before a write and what they give after it: lanes to look at, words to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from store.canonical import canonical
from store.query import Bar
from store.temporal import to_micros
from workbench.text import isolate, one_line, period, period_exact, tooltip, value_line
from workbench.theme import set_look
from workbench.widgets.flow_text import FlowText
from workbench.widgets.lanes import LaneStrip, StripLane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from store.model import Interval

KEYS_SHOWN: Final = 6
"""So many keys are drawn; the rest is counted."""
_WORDS_SHOWN: Final = 8


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


def bar_of(stretch: Interval) -> Bar:
    """Give a stretch as a bar for the lanes."""
    ends = None if stretch.valid_to is None else to_micros(stretch.valid_to)
    value = canonical(stretch.value)[:200]
    return Bar(to_micros(stretch.valid_from), ends, stretch.memory_id, value, 0)


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
        strip = LaneStrip()
        strip.set_lanes(
            [
                StripLane(self.tr("Before"), tuple(map(bar_of, change.before))),
                StripLane(self.tr("After"), tuple(map(bar_of, change.after))),
            ],
            now_at=now_at,
        )
        strip.setAccessibleName(name)
        self._column.addWidget(strip)
        self._add_words(change)
        self._column.addSpacing(8)

    def _add_words(self, change: KeyChange) -> None:
        gone = [it for it in change.before if it not in change.after]
        new = [it for it in change.after if it not in change.before]
        lines = [("\u2212", it) for it in gone] + [("+", it) for it in new]
        for sign, stretch in lines[:_WORDS_SHOWN]:
            value = isolate(value_line(stretch.value, 80))
            words = FlowText("secondary", color="dim" if sign == "\u2212" else "text")
            span = period(stretch.valid_from, stretch.valid_to)
            words.set_text(f"{sign}  {value}  {span}")
            words.setToolTip(tooltip(period_exact(stretch.valid_from, stretch.valid_to)))
            form = self.tr("no longer: {value}, {period}")
            if sign == "+":
                form = self.tr("newly: {value}, {period}")
            words.setAccessibleName(form.format(value=value, period=span))
            self._column.addWidget(words)
        left = len(lines) - _WORDS_SHOWN
        if left > 0:
            self._add_label(self.tr("%n more stretch(es) changed.", "", left), "secondary")

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
