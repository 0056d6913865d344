"""What a write would do, before it is done: in sentences, and as lanes now and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from store.canonical import canonical
from store.encoding import VALUE_CUT
from store.model import Interval, Outcome, Plan
from store.query import Bar, LaneKey
from store.temporal import to_micros
from workbench import text
from workbench.theme import set_look
from workbench.widgets.lanes import LaneStrip, StripLane

Marks = Mapping[tuple[str, int], int]
"""Marks of bars by the fact's id and the bar's beginning in microseconds."""

translate: Final = text.translate
SENTENCES_MOST: Final = 6
"""A plan that changes more stretches is cut short in words; the lanes show all that are near."""
_NEIGHBOURS: Final = 3
_VALUE_CUT: Final = 80


# --- in words -----------------------------------------------------------------------------------


def plan_sentences(plan: Plan) -> list[str]:
    """Say what a plan changes in what can be read, stretch by stretch."""
    said: list[str] = []
    opened = list(plan.opened)
    for was in plan.closed:
        now = _continuation(was, opened)
        if now is None:
            said.append(_no_longer(was))
        else:
            opened.remove(now)
            said += _changed(was, now)
    said += [_newly(stretch) for stretch in opened]
    return said or [_nothing_changes(plan.outcome)]


def _continuation(was: Interval, opened: list[Interval]) -> Interval | None:
    """Find the stretch that a fact has instead of one that it loses."""
    mine = [it for it in opened if it.memory_id == was.memory_id and it.slot == was.slot]
    at_start = [it for it in mine if it.valid_from == was.valid_from]
    at_end = [it for it in mine if it.valid_to == was.valid_to]
    return next(iter([*at_start, *at_end, *(mine if len(mine) == 1 else [])]), None)


def _value(stretch: Interval) -> str:
    return text.isolate(text.value_line(stretch.value, _VALUE_CUT))


def _no_longer(was: Interval) -> str:
    if was.valid_to is None:
        said = translate("Plan", "“{value}” no longer holds from {begins} on.")
    else:
        said = translate("Plan", "“{value}” no longer holds from {begins} to {ends}.")
    return _filled(said, was)


def _newly(stretch: Interval) -> str:
    if stretch.valid_to is None:
        said = translate("Plan", "“{value}” holds from {begins} on.")
    else:
        said = translate("Plan", "“{value}” holds from {begins} to {ends}.")
    return _filled(said, stretch)


def _changed(was: Interval, now: Interval) -> list[str]:
    """Say in which respects a stretch of a fact becomes another."""
    said = []
    if was.value != now.value:
        becomes = translate("Plan", "“{before}” from {begins} becomes “{value}”.")
        said.append(_filled(becomes, now, before=_value(was)))
    if was.valid_from != now.valid_from:
        begins = translate("Plan", "“{value}” begins {begins} instead of {before}.")
        said.append(_filled(begins, now, before=text.instant(was.valid_from)))
    if was.valid_to != now.valid_to:
        said.append(_end_changed(was, now))
    return said


def _end_changed(was: Interval, now: Interval) -> str:
    if now.valid_to is None:
        return _filled(translate("Plan", "“{value}” from {begins} no longer ends."), now)
    if was.valid_to is None:
        return _filled(translate("Plan", "“{value}” from {begins} now ends {ends}."), now)
    said = translate("Plan", "“{value}” from {begins} ends {ends} instead of {before}.")
    return _filled(said, now, before=text.instant(was.valid_to))


def _filled(sentence: str, stretch: Interval, *, before: str = "") -> str:
    return sentence.format(
        value=_value(stretch),
        begins=text.instant(stretch.valid_from),
        ends=text.instant(stretch.valid_to),
        before=before,
    )


def _nothing_changes(outcome: Outcome) -> str:
    match outcome:
        case Outcome.KNOWN:
            return translate("Plan", "The record knows this already; nothing would be written.")
        case Outcome.CORROBORATED:
            return translate(
                "Plan", "A fact says the same from then on; the source is added to its evidence."
            )
        case Outcome.CONFLICT:
            return translate(
                "Plan",
                "Another claim stands there. Both are kept, and a person decides: "
                "it goes to the conflicts.",
            )
    return translate("Plan", "What can be read stays as it is.")


# --- as lanes -----------------------------------------------------------------------------------


def bar_of(stretch: Interval, marks: int = 0) -> Bar:
    """Give a stretch of a plan as a bar."""
    return Bar(
        to_micros(stretch.valid_from),
        None if stretch.valid_to is None else to_micros(stretch.valid_to),
        stretch.memory_id,
        canonical(stretch.value)[:VALUE_CUT],
        marks,
    )


def key_of(stretch: Interval) -> LaneKey:
    """Give the lane on which a stretch stands."""
    return LaneKey(stretch.owner, stretch.subject, stretch.attribute, stretch.slot)


def near(bars: Sequence[Bar], focus: tuple[int, int] | None) -> tuple[Bar, ...]:
    """Give the bars that touch a span of time, with a few before and after.

    Args:
        bars: sorted.
        focus: first and last instant in microseconds; None for the latest bars.
    """
    if focus is None:
        return tuple(bars[-2 * _NEIGHBOURS :])
    touching = [
        at
        for at, bar in enumerate(bars)
        if bar.valid_from <= focus[1] and (bar.valid_to is None or bar.valid_to >= focus[0])
    ]
    if not touching:
        return tuple(bars[-2 * _NEIGHBOURS :])
    first = max(0, touching[0] - _NEIGHBOURS)
    last = min(touching[-1] + 1 + _NEIGHBOURS, touching[0] + 8 * _NEIGHBOURS)
    return tuple(bars[first:last])


def focus_of(plan: Plan) -> tuple[int, int] | None:
    """Give the span of time around what a plan changes; None where it changes nothing."""
    touched = [*plan.closed, *plan.opened]
    if not touched:
        return None
    begins = [to_micros(it.valid_from) for it in touched]
    ends = [to_micros(it.valid_to) for it in touched if it.valid_to is not None]
    return min(begins), max([*begins, *ends])


def plan_lanes(
    plan: Plan, *, focus: tuple[int, int] | None = None, marks: Marks | None = None
) -> tuple[StripLane, ...]:
    """Lay a plan out as lanes: each key now, then as it would be.

    Args:
        plan: from `Store.preview`.
        focus: the span of time around which bars are shown; what the plan changes if None.
        marks: what is known of bars besides their value.
    """
    around = focus_of(plan) if focus is None else focus
    keys = list(dict.fromkeys(key_of(it) for it in (*plan.before, *plan.after)))
    lanes = [
        (is_after, key, near(_bars(stretches, key, marks or {}), around))
        for is_after, stretches in ((False, plan.before), (True, plan.after))
        for key in keys
        if any(key_of(it) == key for it in stretches) or key == keys[0]
    ]
    return tuple(
        StripLane(_caption(key, keys, is_after=is_after), bars) for is_after, key, bars in lanes
    )


def _bars(stretches: Sequence[Interval], key: LaneKey, marks: Marks) -> list[Bar]:
    bars = []
    for stretch in stretches:
        if key_of(stretch) == key:
            place = stretch.memory_id, to_micros(stretch.valid_from)
            bars.append(bar_of(stretch, marks.get(place, 0)))
    return bars


def _caption(key: LaneKey, keys: Sequence[LaneKey], *, is_after: bool) -> str:
    if key == keys[0]:
        return translate("Plan", "After") if is_after else translate("Plan", "Now")
    if key.attribute != keys[0].attribute:
        return text.one_line(key.attribute)
    return translate("Plan", "beside it")


def lanes_now(bars: Sequence[Bar], focus: tuple[int, int] | None) -> tuple[StripLane, ...]:
    """Lay out a lane as it is, with room for how it would be."""
    return (
        StripLane(translate("Plan", "Now"), near(bars, focus)),
        StripLane(translate("Plan", "After"), ()),
    )


class PlanView(QWidget):
    """A strip of lanes, now and after, over the sentences that say the same in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan")
        self._strip = LaneStrip()
        self._says = QLabel()
        self._says.setObjectName("plan_sentences")
        self._says.setTextFormat(Qt.TextFormat.PlainText)
        self._says.setWordWrap(True)
        self._says.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._says.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._says.setContentsMargins(LaneStrip.CAPTION_WIDTH, 0, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._strip)
        column.addWidget(self._says)

    @property
    def sentences(self) -> str:
        """What is said, a sentence a line."""
        return self._says.text()

    @property
    def strip(self) -> LaneStrip:
        """The lanes."""
        return self._strip

    def show_plan(
        self,
        plan: Plan,
        *,
        now_at: int,
        lanes: Sequence[StripLane] | None = None,
        said: Sequence[str] = (),
    ) -> None:
        """Show a plan.

        Args:
            plan: from `Store.preview`.
            now_at: the present, in microseconds.
            lanes: instead of those of `plan_lanes`.
            said: sentences to say before those of the plan.
        """
        sentences = plan_sentences(plan)
        left = len(sentences) - SENTENCES_MOST
        if left > 0:
            more = translate("Plan", "Further stretches that change: {number}.")
            sentences = [*sentences[:SENTENCES_MOST], more.format(number=text.number(left))]
        self._strip.set_lanes(plan_lanes(plan) if lanes is None else lanes, now_at=now_at)
        self._say([*said, *sentences])

    def show_lanes(self, lanes: Sequence[StripLane], *, now_at: int, hint: str) -> None:
        """Show lanes while there is no plan, and what would make one."""
        self._strip.set_lanes(lanes, now_at=now_at)
        self._say([hint])

    def show_problem(self, sentence: str) -> None:
        """Say why there is no plan; the lanes stay."""
        self._say([sentence], look="problem")

    def show_hint(self, sentence: str) -> None:
        """Say what is still to be given; the lanes stay."""
        self._say([sentence])

    def _say(self, sentences: Sequence[str], *, look: str = "plan") -> None:
        set_look(self._says, look)
        self._says.setText("\n".join(sentences))
        self.setAccessibleDescription(" ".join(sentences))
