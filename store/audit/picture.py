"""Timeline pictures as SVG: one lane for each key, one bar for each stretch, all text as text.

The tints, signs and words are the screen's (`store.encoding`); the colours come from the page's
style sheet, so a picture follows light, dark and paper. Bars begin and end exactly at their
instants; an open end points on, an assumed start fades in, an imprecise one is ragged.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from store.audit.markup import Markup, join, opening, tag, void
from store.audit.showing import ELLIPSIS, short_value, shown_name
from store.encoding import State, mark_words, state_of, tint_of
from store.query import Mark
from store.temporal import EARLIEST, LATEST, Precision, from_micros, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from store.audit.story import Asked, ToldLane, ToldStretch
    from store.audit.words import Words

LANES_DRAWN: Final = 24
"""How many lanes one picture has at most, so that it fits on a sheet of A4."""

WIDTH: Final = 720
_LEFT: Final = 156
_RIGHT: Final = WIDTH - 4
_TOP: Final = 24
_LANE: Final = 26
_BAR: Final = 18
_ROUND: Final = 3
_POINT: Final = 7
_LEAST_WIDTH: Final = 2.0
_PAD: Final = 7
_FONT: Final = 11.5
_SMALL_FONT: Final = 10.5
_SIGN: Final = 12
_FADE: Final = 16

_SECOND: Final = 1_000_000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_LEAST_SPAN: Final = 10 * _MINUTE
_TICK_ROOM: Final = 70
_OUTLYING: Final = 8
"""A picture leaves out a tail that would make it so many times as long."""

WITHHELD_TINT: Final = 7


def definitions() -> Markup:
    """Return the patterns that all pictures of a page refer to; once, before the first one."""
    hatch = tag(
        "pattern",
        void("path", d="M-2 2L2-2M0 8L8 0M6 10L10 6", class_="h-ink"),
        id="hatch",
        width=8,
        height=8,
        patternUnits="userSpaceOnUse",
    )
    gap = tag(
        "pattern",
        void("path", d="M-1 1L1-1M0 6L6 0M5 7L7 5", class_="g-ink"),
        id="gap",
        width=6,
        height=6,
        patternUnits="userSpaceOnUse",
    )
    fade = tag(
        "linearGradient",
        void("stop", offset="0", class_="f-full"),
        void("stop", offset="1", class_="f-none"),
        id="fade",
    )
    defs = tag("defs", hatch, gap, fade)
    return tag("svg", defs, class_="defs", width=0, height=0, aria_hidden="true", focusable="false")


# --- the axis -----------------------------------------------------------------------------------


class Tick(NamedTuple):
    """A mark of the axis, with the words under it."""

    at: int
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """Which instants a picture spans, microseconds since 1970, and where they are drawn."""

    begins: int
    ends: int

    def x(self, at: int) -> float:
        """Return where an instant lies, held within the picture."""
        share = (at - self.begins) / (self.ends - self.begins)
        return _LEFT + min(max(share, 0.0), 1.0) * (_RIGHT - _LEFT)


def axis_of(lanes: Sequence[ToldLane], asked: Asked) -> Axis:
    """Choose what a picture spans: all bounds and the instant asked about, or the asked window.

    A few bounds that lie far from all others would leave no room for these, so they are left
    outside; their bars run out of the picture.
    """
    if asked.window is not None:
        return _with_room(*asked.window, before=0.0, after=0.0)
    stretches = [stretch for lane in lanes for stretch in lane.stretches]
    starts = [stretch.valid_from for stretch in stretches]
    ends = [stretch.valid_to for stretch in stretches if stretch.valid_to is not None]
    bounds = sorted([*starts, *ends, asked.valid_at])
    lowest, highest = _without_outliers(bounds, asked.valid_at)
    return _with_room(lowest, highest, before=0.02, after=0.07)


def _without_outliers(bounds: list[int], kept: int) -> tuple[int, int]:
    lowest, highest = bounds[0], bounds[-1]
    tail = len(bounds) // 8
    low, high = min(bounds[tail], kept), max(bounds[-1 - tail], kept)
    core = max(high - low, _DAY)
    if low - lowest > _OUTLYING * core:
        lowest = low
    if highest - high > _OUTLYING * core:
        highest = high
    return lowest, highest


def _with_room(begins: int, ends: int, *, before: float, after: float) -> Axis:
    span = max(ends - begins, _LEAST_SPAN)
    return Axis(
        max(EARLIEST, begins - int(span * before)),
        min(LATEST, begins + span + int(span * after)),
    )


_MONTHS: Final = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1_200, 2_400, 6_000, 12_000, 24_000)
_EVEN: Final = (
    *(count * _MINUTE for count in (1, 2, 5, 10, 15, 30)),
    *(count * _HOUR for count in (1, 2, 3, 6, 12)),
    *(count * _DAY for count in (1, 2, 7, 14)),
)
_FIRST_MONDAY: Final = 4 * _DAY  # 5 January 1970


def ticks(axis: Axis, words: Words) -> list[Tick]:
    """Return the marks of an axis, as many as have room for their words."""
    per_tick = (axis.ends - axis.begins) * _TICK_ROOM / (_RIGHT - _LEFT)
    even = bisect_left(_EVEN, per_tick)
    if even < len(_EVEN):
        found = _even_ticks(axis, _EVEN[even])
        write = _label_of_day if _EVEN[even] >= _DAY else _label_of_time
    else:
        months = next((m for m in _MONTHS if m * 30.4 * _DAY >= per_tick), _MONTHS[-1])
        found = _month_ticks(axis, months)
        write = _label_of_month if months < 12 else _label_of_year
    labels: list[Tick] = []
    for at in found:
        labels.append(Tick(at, write(at, words, labels[-1].at if labels else None)))
    return labels


def _even_ticks(axis: Axis, size: int) -> Iterator[int]:
    origin = _FIRST_MONDAY if size > 2 * _DAY else 0
    return iter(range(axis.begins + (origin - axis.begins) % size, axis.ends, size))


def _month_ticks(axis: Axis, months: int) -> Iterator[int]:
    """Yield the beginnings of months or years; years are counted from the year 0."""
    start = from_micros(axis.begins)
    number = (start.year * 12 + start.month - 1) // months * months
    while number < 12 * 10_000:
        if number >= 12:
            at = to_micros(datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC))
            if at >= axis.ends:
                return
            if at >= axis.begins:
                yield at
        number += months


def _label_of_time(at: int, words: Words, before: int | None) -> str:
    if before is None or at // _DAY != before // _DAY:
        return words.short_day(at)
    return words.clock(at)


def _label_of_day(at: int, words: Words, before: int | None) -> str:
    is_new = before is None or from_micros(at).year != from_micros(before).year
    return words.day(at) if is_new else words.short_day(at)


def _label_of_month(at: int, words: Words, before: int | None) -> str:
    there = from_micros(at)
    if before is None or there.year != from_micros(before).year:
        return words.instant(at, Precision.MONTH)
    return words.month(there.month)


def _label_of_year(at: int, words: Words, before: int | None) -> str:
    return words.instant(at, Precision.YEAR)


# --- how wide a text is -------------------------------------------------------------------------

_WIDTHS: Final = {
    **dict.fromkeys("ijl'|", 0.24),
    **dict.fromkeys("ftI.,:;!/\\[]() \u00a0", 0.30),
    **dict.fromkeys('r-"`*{}', 0.38),
    **dict.fromkeys("ckszvxyJ", 0.53),
    **dict.fromkeys("CDGHNOQRUw", 0.75),
    **dict.fromkeys("ABEKPSVXY&", 0.70),
    **dict.fromkeys("mM%", 0.88),
    **dict.fromkeys("W@…→⏎", 1.0),
}
_ROOM: Final = 1.06
"""Fonts differ: this much more than a middling one."""


def text_width(text: str, size: float) -> float:
    """Estimate how wide a text is in a font of a size, rather more than less."""
    return sum(map(_character_width, text)) * size * _ROOM


def _character_width(character: str) -> float:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.0 if unicodedata.combining(character) else 0.60


def fitted(text: str, room: float, size: float) -> str:
    """Cut a text with an ellipsis so that it fits; empty if not even three characters do."""
    if text_width(text, size) <= room:
        return text
    room -= text_width(ELLIPSIS, size)
    used = 0.0
    for place, character in enumerate(text):
        used += _character_width(character) * size * _ROOM
        if used > room:
            return text[:place].rstrip() + ELLIPSIS if place >= 3 else ""
    return text


# --- the drawing --------------------------------------------------------------------------------


def draw(
    lanes: Sequence[ToldLane], *, axis: Axis, asked: Asked, words: Words, name: str, ident: str
) -> Markup:
    """Draw lanes as one picture.

    Args:
        lanes: at most `LANES_DRAWN`, in the order to show.
        axis: what it spans; the same for all parts of one subject.
        asked: has the instant asked about.
        words: the language.
        name: what the picture is, for those who cannot see it.
        ident: begins the ids of its parts; letters and figures.
    """
    return _Drawing(lanes, axis, asked, words).picture(name, ident)


class _Drawing:
    """One picture while it is drawn."""

    def __init__(self, lanes: Sequence[ToldLane], axis: Axis, asked: Asked, words: Words) -> None:
        self._lanes = lanes
        self._axis = axis
        self._asked = asked
        self._words = words
        self._height = _TOP + len(lanes) * _LANE + 1
        self._described = {
            id(stretch): self._describe(stretch) for lane in lanes for stretch in lane.stretches
        }

    def picture(self, name: str, ident: str) -> Markup:
        """Draw all of it."""
        lanes = [self._lane(place, lane) for place, lane in enumerate(self._lanes)]
        described = self._words.say(
            "lanes.described",
            begins=self._words.instant(self._axis.begins),
            ends=self._words.instant(self._axis.ends),
            lanes=" ".join(map(self._describe_lane, self._lanes)),
        )
        return tag(
            "svg",
            tag("title", name, id=f"{ident}-name"),
            tag("desc", described, id=f"{ident}-text"),
            self._grid(),
            *(bars for bars, _ in lanes),
            self._valid_at(),
            *(labels for _, labels in lanes),
            class_="lanes",
            viewBox=f"0 0 {WIDTH} {self._height}",
            role="img",
            aria_labelledby=f"{ident}-name",
            aria_describedby=f"{ident}-text",
        )

    # -- words --------------------------------------------------------------------------------

    def _describe_lane(self, lane: ToldLane) -> str:
        stretches = "; ".join(self._described[id(stretch)] for stretch in lane.stretches)
        return self._words.say("lanes.lane", attribute=_lane_name(lane), stretches=stretches) + "."

    def _describe(self, stretch: ToldStretch) -> str:
        said = [f"state.{self._state(stretch)}", *_mark_names(int(stretch.marks))]
        return self._words.say(
            "lanes.stretch",
            value=self._value(stretch, 60),
            period=self._words.period(stretch.valid_from, stretch.valid_to),
            state=", ".join(map(self._words.say, said)),
        )

    def _value(self, stretch: ToldStretch, limit: int) -> str:
        if stretch.value is None:
            return self._words.say("fact.withheld")
        return short_value(stretch.value, limit)

    def _state(self, stretch: ToldStretch) -> State:
        return state_of(
            stretch.valid_from, stretch.valid_to, marks=stretch.marks, at=self._asked.valid_at
        )

    # -- grid and lines -----------------------------------------------------------------------

    def _grid(self) -> Markup:
        """Draw the axis with its lines, and the hairlines between lanes."""
        pieces: list[Markup] = [
            void("path", class_="rule", d=f"M0 {y}H{WIDTH}")
            for y in (_TOP + place * _LANE + 0.5 for place in range(len(self._lanes) + 1))
        ]
        covered = self._valid_at_place()
        free_from = 0.0
        for tick in ticks(self._axis, self._words):
            x = self._axis.x(tick.at)
            pieces.append(void("path", class_="tick", d=f"M{_n(x)} {_TOP}V{self._height}"))
            width = text_width(tick.label, _SMALL_FONT)
            begins, ends = x - width / 2, x + width / 2
            is_clear = covered is None or ends < covered[0] - 6 or begins > covered[1] + 6
            if is_clear and begins >= max(_LEFT - width / 2, free_from) and ends <= WIDTH:
                free_from = ends + 8
                pieces.append(
                    tag("text", tick.label, class_="when", x=_n(x), y=15, text_anchor="middle")
                )
        return tag("g", *pieces, aria_hidden="true")

    def _valid_at_place(self) -> tuple[float, float] | None:
        """Return from where to where the words of the instant asked about stand."""
        if not self._axis.begins <= self._asked.valid_at <= self._axis.ends:
            return None
        x = self._axis.x(self._asked.valid_at)
        half = text_width(self._words.day(self._asked.valid_at), _SMALL_FONT) / 2 + 2
        middle = min(max(x, half), WIDTH - half)
        return middle - half, middle + half

    def _valid_at(self) -> Markup:
        """Draw the instant asked about over the lanes."""
        covered = self._valid_at_place()
        if covered is None:
            return Markup()
        x = self._axis.x(self._asked.valid_at)
        return tag(
            "g",
            void("path", class_="at", d=f"M{_n(x)} {_TOP - 3}V{self._height}"),
            tag(
                "text",
                self._words.day(self._asked.valid_at),
                class_="when at-when",
                x=_n((covered[0] + covered[1]) / 2),
                y=15,
                text_anchor="middle",
            ),
            aria_hidden="true",
        )

    # -- lanes --------------------------------------------------------------------------------

    def _lane(self, place: int, lane: ToldLane) -> tuple[Markup, Markup]:
        """Draw what lies under the instant asked about, and the words that lie over it."""
        top = _TOP + place * _LANE + (_LANE - _BAR) / 2
        seen = [s for s in lane.stretches if self._is_in_view(s)]
        gaps = [self._gap(one, other, top) for one, other in pairwise(seen)]
        shapes = [self._shape(stretch, top) for stretch in seen]
        bars = list(map(self._bar, seen, shapes))
        labels = list(map(self._label, seen, shapes))
        return tag("g", self._lane_label(place, lane), *gaps, *bars), tag("g", *labels)

    def _is_in_view(self, stretch: ToldStretch) -> bool:
        is_over = stretch.valid_to is not None and stretch.valid_to <= self._axis.begins
        return stretch.valid_from < self._axis.ends and not is_over

    def _lane_label(self, place: int, lane: ToldLane) -> Markup:
        base = _TOP + place * _LANE + _LANE / 2 + 4
        before = self._lanes[place - 1] if place else None
        is_repeated = before is not None and _lane_name(before) == _lane_name(lane)
        room = _LEFT - 14 - (_SIGN if lane.open_conflicts else 0)
        name = fitted(_lane_name(lane), room, _FONT)
        if is_repeated and not lane.open_conflicts:
            return Markup()
        label = tag("text", name, class_="lane-name", x=2, y=_n(base))
        if not lane.open_conflicts:
            return label
        return join(label, _diamond(_LEFT - 14, base - 4))

    def _gap(self, one: ToldStretch, other: ToldStretch, top: float) -> Markup:
        if one.valid_to is None or one.valid_to >= other.valid_from:
            return Markup()
        left, right = self._axis.x(one.valid_to) + 1.5, self._axis.x(other.valid_from) - 1.5
        if right - left < 1:
            return Markup()
        return void(
            "rect",
            class_="gap",
            x=_n(left),
            y=_n(top + 4),
            width=_n(right - left),
            height=_BAR - 8,
        )

    def _shape(self, stretch: ToldStretch, top: float) -> _Shape:
        left = self._axis.x(stretch.valid_from)
        ends = self._axis.ends if stretch.valid_to is None else stretch.valid_to
        right = max(self._axis.x(ends) - 0.8, left + _LEAST_WIDTH)
        return _Shape(
            left=left,
            right=right,
            top=top,
            is_ragged=bool(stretch.marks & Mark.IMPRECISE),
            is_cut=stretch.valid_from < self._axis.begins,
            is_open=stretch.valid_to is None or stretch.valid_to > self._axis.ends,
        )

    def _bar(self, stretch: ToldStretch, shape: _Shape) -> Markup:
        return tag("g", tag("title", self._described[id(stretch)]), *self._body(stretch, shape))

    def _body(self, stretch: ToldStretch, shape: _Shape) -> Iterator[Markup]:
        state = self._state(stretch)
        path = shape.path()
        tint = WITHHELD_TINT if stretch.value is None else tint_of(stretch.value)
        ground = "later" if state is State.FUTURE else f"t{tint}"
        yield void("path", class_=f"bar {ground}", d=path)
        if state is State.DISPUTED:
            yield void("path", class_="hatched", d=path)
        if stretch.marks & Mark.ASSUMED and not shape.is_cut:
            yield void(
                "rect",
                class_="fade",
                x=_n(shape.left - 1),
                y=_n(shape.top - 1),
                width=_n(min(_FADE, (shape.right - shape.left) / 2) + 1),
                height=_BAR + 2,
            )

    def _label(self, stretch: ToldStretch, shape: _Shape) -> Markup:
        is_disputed = bool(stretch.marks & Mark.DISPUTED)
        sign = _SIGN if is_disputed else 0
        start = shape.left + _PAD + (2 if shape.is_ragged or shape.is_cut else 0)
        room = shape.right - start - (_POINT if shape.is_open else 4)
        text = fitted(self._value(stretch, 80), room - sign, _FONT)
        base = shape.top + _BAR / 2 + 4
        if not text:
            return _diamond(start + 2, base - 4) if is_disputed and room >= 8 else Markup()
        label = tag("text", text, class_="value", x=_n(start + sign), y=_n(base))
        if not is_disputed:
            return label
        tint = WITHHELD_TINT if stretch.value is None else tint_of(stretch.value)
        plate = void(
            "rect",
            class_=f"plate t{tint}",
            x=_n(start - 3),
            y=_n(shape.top + 2),
            width=_n(min(text_width(text, _FONT) + sign + 6, room + 3)),
            height=_BAR - 4,
            rx=2,
        )
        return join(plate, _diamond(start + 4, base - 4), label)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """The outline of a bar.

    Attributes:
        is_ragged: it begins with a torn edge.
        is_cut: it begins before the picture does.
        is_open: it goes on after the picture ends, or has no end.
    """

    left: float
    right: float
    top: float
    is_ragged: bool = False
    is_cut: bool = False
    is_open: bool = False

    def path(self) -> str:
        """Write the outline, clockwise from the upper left."""
        if self.right - self.left < 2 * _POINT:
            return f"M{_n(self.left)} {_n(self.top)}H{_n(self.right)}v{_BAR}H{_n(self.left)}z"
        return f"{self._upper_left()}{self._right_edge()}{self._left_edge()}z"

    def _upper_left(self) -> str:
        inset = 0 if self.is_ragged else _POINT if self.is_cut else _ROUND
        return f"M{_n(self.left + inset)} {_n(self.top)}"

    def _right_edge(self) -> str:
        half = _n(_BAR / 2)
        if self.is_open:
            return f"H{_n(self.right - _POINT)}l{_POINT} {half}l{-_POINT} {half}"
        r = _ROUND
        down = _BAR - 2 * r
        return f"H{_n(self.right - r)}q{r} 0 {r} {r}v{down}q0 {r} {-r} {r}"

    def _left_edge(self) -> str:
        if self.is_ragged:
            step = _n(_BAR / 6)
            return f"H{_n(self.left)}" + f"l3-{step}l-3-{step}" * 3
        if self.is_cut:
            half = _n(_BAR / 2)
            return f"H{_n(self.left + _POINT)}l{-_POINT}-{half}"
        r = _ROUND
        return f"H{_n(self.left + r)}q{-r} 0 {-r} {-r}v{-(_BAR - 2 * r)}q0 {-r} {r} {-r}"


def _diamond(x: float, y: float) -> Markup:
    """Draw the sign of a dispute around a point; drawn, for not every font has it."""
    return void("path", class_="sign", d=f"M{_n(x)} {_n(y - 4.5)}l4.5 4.5-4.5 4.5-4.5-4.5z")


@cache
def _mark_names(marks: int) -> tuple[str, ...]:
    """Return the names of the words for a stretch's marks, but for what its state says."""
    return tuple(f"mark.{word}" for word in mark_words(marks & ~Mark.DISPUTED))


def _lane_name(lane: ToldLane) -> str:
    name = shown_name(lane.attribute)
    return f"{name} · {shown_name(lane.owner)}" if lane.owner else name


def _n(value: float) -> str:
    """Write a coordinate with at most one place."""
    return f"{value:.1f}".removesuffix(".0")


# --- how to read it -----------------------------------------------------------------------------


def legend(words: Words) -> Markup:
    """Return a list of the signs that pictures use, each with its meaning."""
    width, top = 34.0, 1.0
    plain = _Shape(left=1, right=width - 1, top=top)
    samples: list[tuple[str, Markup]] = [
        ("current", _sample("t0", _Shape(left=1, right=width, top=top, is_open=True))),
        ("ended", _sample("t0", plain)),
        (
            "disputed",
            join(
                _sample("t2", plain),
                void("path", class_="hatched", d=plain.path()),
                _diamond(width / 2, top + _BAR / 2),
            ),
        ),
        ("future", _sample("later", plain)),
        (
            "gap",
            void("rect", class_="gap", x=1, y=_n(top + 4), width=_n(width - 2), height=_BAR - 8),
        ),
        (
            "assumed",
            join(
                _sample("t0", plain),
                void("rect", class_="fade", x=0, y=0, width=_FADE + 1, height=_BAR + 2),
            ),
        ),
        ("imprecise", _sample("t0", _Shape(left=1, right=width - 1, top=top, is_ragged=True))),
        ("valid_at", void("path", class_="at", d=f"M{_n(width / 2)} 0V{_BAR + 2}")),
    ]
    return tag(
        "ul",
        *(_legend_item(words, *sample) for sample in samples),
        class_="legend",
        aria_label=words.say("legend"),
    )


def _sample(ground: str, shape: _Shape) -> Markup:
    return void("path", class_=f"bar {ground}", d=shape.path())


def _legend_item(words: Words, name: str, sample: Markup) -> Markup:
    picture = (
        opening("svg", class_="lanes sample", viewBox=f"0 0 34 {_BAR + 2}", aria_hidden="true")
        + sample
        + "</svg>"
    )
    return tag("li", Markup(picture), tag("span", words.say(f"legend.{name}")))
