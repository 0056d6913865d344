"""What the timeline holds and does: pages of lanes, selection, as-of; no widget in sight.

The presenter never waits. It asks a `LaneSource`, which reads elsewhere and answers later, numbers
its questions, and drops answers to questions that nobody asks any more.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from store.encoding import label_of
from store.query import Bar, Density, LaneFilter, LaneKey, SubjectLanes
from store.temporal import NOW, AsOf, to_micros
from workbench.messages import RETRY, TRY_AGAIN, Message, MessageBoard, Severity
from workbench.panels.timeline.items import OPEN, PAGE, LanePage, LaneRows
from workbench.text import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_NO_DENSITY: Final = Density(0, 0, (), ())
BUCKETS: Final = 1024
"""In so many parts the minimap asks for the record's extent; it joins them to its width."""
_AT_ONCE: Final = 2  # page requests on their way; more would only delay the one that is wanted
_AHEAD: Final = 2  # pages read beyond what is in view
_PAGES_KEPT: Final = 24
_BARS_KEPT: Final = 500_000
_PAGES_LEAST: Final = 6
_DAY: Final = 86_400_000_000
_ROOM_LEAST: Final = 30 * _DAY


UNREADABLE: Final = Message(
    "timeline.unreadable",
    Severity.ERROR,
    QT_TRANSLATE_NOOP("Messages", "The timeline could not be read. {reason}"),
    action=TRY_AGAIN,
)


class Question(NamedTuple):
    """What a source is asked about."""

    lanes: LaneFilter = LaneFilter()
    as_of: AsOf = NOW


class LaneSource(ABC):
    """Where the timeline's lanes come from: the session's store, read off the GUI thread.

    Each method returns at once. Later, on the GUI thread, `done` is called with the answer or
    `failed` with one sentence that says what happened; or neither, if the read was cancelled. An
    answer may come from within the call. `cancel` is a hint: late answers do no harm.
    """

    @abstractmethod
    def outline(
        self,
        question: Question,
        *,
        done: Callable[[Sequence[SubjectLanes]], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read every subject with its number of lanes, in the order of lanes."""

    @abstractmethod
    def lanes(
        self,
        question: Question,
        *,
        first: int,
        count: int,
        done: Callable[[LanePage], None],
        failed: Callable[[str], None],
    ) -> None:
        """Read lanes by position and pack them, with `items.pack_lanes`, on the reading thread."""

    @abstractmethod
    def density(
        self,
        question: Question,
        *,
        buckets: int,
        done: Callable[[Density], None],
        failed: Callable[[str], None],
    ) -> None:
        """Count the beginnings of bars over the extent of the record."""

    @abstractmethod
    def cancel(self) -> None:
        """Give up whatever is being read for this timeline."""


class Selection(NamedTuple):
    """What is selected: a lane, and a bar in it if `memory_id` is given."""

    key: LaneKey
    memory_id: str | None = None
    valid_from: int | None = None
    valid_to: int | None = None


class Area(NamedTuple):
    """A selected area: a span of valid time and a run of lanes by position, end exclusive.

    Attributes:
        keys: the lanes' keys, of those that have been read.
        subjects: the subjects that the area touches.
    """

    valid_from: int
    valid_to: int
    first: int
    last: int
    keys: tuple[LaneKey, ...]
    subjects: tuple[str, ...]


class LaneView(NamedTuple):
    """One lane: its page and its place in it."""

    page: LanePage
    lane: int

    @property
    def key(self) -> LaneKey:
        """Which key it shows."""
        return self.page.keys[self.lane]

    @property
    def slot_words(self) -> str:
        """Which of several values of the attribute the lane is for, as text; "" for the only one.

        A slot is a digest, which says nothing to a person; its lane holds one value.
        """
        return label_of(self.page.values[self.bars[0]]) if self.key.slot and self.bars else ""

    @property
    def conflicts(self) -> int:
        """How many open conflicts its key has."""
        return self.page.conflicts[self.lane]

    @property
    def bars(self) -> range:
        """The places of its bars in the page."""
        return range(self.page.first_bar[self.lane], self.page.first_bar[self.lane + 1])

    @property
    def believed(self) -> tuple[Bar, ...]:
        """What was believed at the other known-at."""
        return self.page.believed.get(self.lane, ())

    def nearest(self, instant: int) -> int | None:
        """Return the place of the bar that holds at an instant, or else lies nearest to it."""
        page, bars = self.page, self.bars
        if not bars:
            return None
        starts = page.starts[bars.start : bars.stop]
        after = int(np.searchsorted(starts, instant, "right")) + bars.start
        if after == bars.start:
            return after
        gap = instant - int(page.ends[after - 1])
        if gap >= 0 and after < bars.stop and int(page.starts[after]) - instant < gap:
            return after
        return after - 1

    def find(self, memory_id: str, valid_from: int | None) -> int | None:
        """Return the place of a fact's bar: the one that begins then, else its last."""
        found = None
        for index in self.bars:
            if self.page.ids[index] == memory_id:
                found = index
                if valid_from is not None and int(self.page.starts[index]) == valid_from:
                    break
        return found


def now_micros() -> int:
    """Return the present instant, microseconds since 1970."""
    return time.time_ns() // 1000


class TimelinePresenter(QObject):
    """State and intents of the timeline.

    Signals:
        outline_changed: subjects, lanes or collapsed groups are different; `rows` is new.
        pages_changed: lanes were read, or are no longer known.
        density_changed: `density` is new.
        selection_changed: the selection is different; carries `Selection` or None.
        reveal_wanted: what another panel selected has been found; bring it into view.
        fact_activated: a fact is to be opened; carries its memory_id.
        area_selected: carries `Area`, or None when it was cleared.
        valid_at_changed: the valid-at bar was dragged; carries microseconds, or None for now.
        as_of_changed: another as-of is in force.
        lanes_flashed: lanes differ after a refresh; carries a frozenset of `LaneKey`.
        loading_changed: whether something is being read.

    Attributes:
        messages: what could not be read, with "Try again".
    """

    outline_changed = Signal()
    pages_changed = Signal()
    density_changed = Signal()
    selection_changed = Signal(object)
    reveal_wanted = Signal()
    fact_activated = Signal(str)
    area_selected = Signal(object)
    valid_at_changed = Signal(object)
    as_of_changed = Signal()
    lanes_flashed = Signal(object)
    loading_changed = Signal(bool)

    def __init__(
        self,
        source: LaneSource | None = None,
        parent: QObject | None = None,
        *,
        clock: Callable[[], int] = now_micros,
    ) -> None:
        super().__init__(parent)
        self.clock = clock
        self.messages = MessageBoard(self)
        self.messages.action_chosen.connect(self._on_messages_action_chosen)
        self._source = source
        self._question = Question()
        self._generation = 0
        self._lane_height = 30
        self._collapsed: set[str] = set()
        self._rows = LaneRows()
        self._density = _NO_DENSITY
        self._known_span: tuple[int, int] | None = None
        self._is_extent_due = False
        self._pages: OrderedDict[int, LanePage] = OrderedDict()
        self._outdated: set[int] = set()
        self._asked: set[int] = set()
        self._wanted: list[int] = []
        self._in_view: tuple[int, ...] = ()
        self._others_read = 0
        self._is_read = False
        self._is_refreshing = False
        self._is_loading = False
        self._selection: Selection | None = None
        self._selected_position: int | None = None
        self._nearest_to: int | None = None
        self._is_reveal_due = False
        self._area: Area | None = None

    # -- asking -------------------------------------------------------------------------------

    @property
    def rows(self) -> LaneRows:
        """The rows as they stand now."""
        return self._rows

    @property
    def density(self) -> Density:
        """The distribution of beginnings over the record's extent; empty until it was read."""
        return self._density

    @property
    def extent(self) -> tuple[int, int] | None:
        """The valid time of the record, whatever is filtered; with now where now is near it.

        None until it was read, and where there is nothing. It is a day long at least.
        """
        if self._known_span is None:
            return None
        begins, ends = self._known_span
        now = self.clock()
        if begins < now and (now - ends <= ends - begins or self.has_open_bars):
            ends = max(ends, now)
        spare = max(0, _DAY - (ends - begins))
        return begins - spare // 2, ends + spare // 2

    @property
    def is_extent_due(self) -> bool:
        """Whether `extent` is of the filtered part only: the whole is being read."""
        return self._is_extent_due

    @property
    def room(self) -> tuple[int, int] | None:
        """The extent with its half on either side, now and valid-at: where there is a reason to be.

        None where there is no extent.
        """
        extent = self.extent
        if extent is None:
            return None
        spare = max((extent[1] - extent[0]) // 2, _ROOM_LEAST)
        points = [*extent, self.clock()]
        if self.valid_at is not None:
            points.append(self.valid_at)
        return min(points) - spare, max(points) + spare

    @property
    def as_of(self) -> AsOf:
        """The as-of that is shown."""
        return self._question.as_of

    @property
    def valid_at(self) -> int | None:
        """The valid-at that is shown, microseconds since 1970; None is now."""
        at = self._question.as_of.valid_at
        return None if at is None else to_micros(at)

    @property
    def known_at(self) -> int | None:
        """The known-at that is shown, microseconds since 1970; None is the newest."""
        at = self._question.as_of.known_at
        return None if at is None else to_micros(at)

    @property
    def selection(self) -> Selection | None:
        """What is selected."""
        return self._selection

    @property
    def selected_position(self) -> int | None:
        """The position of the selected lane, if it is known yet."""
        return self._selected_position

    @property
    def area(self) -> Area | None:
        """The selected area."""
        return self._area

    @property
    def is_empty(self) -> bool:
        """Whether a store is shown that was read and has nothing to show."""
        return self._source is not None and self._is_read and self._rows.subjects == 0

    @property
    def has_open_bars(self) -> bool:
        """Whether a bar among the lanes that have been read has no end."""
        return any(bool((page.ends >= OPEN).any()) for page in self._pages.values())

    @property
    def has_filter(self) -> bool:
        """Whether only some lanes are asked for."""
        return self._question.lanes != LaneFilter()

    @property
    def is_loading(self) -> bool:
        """Whether something is being read."""
        return self._is_loading

    def lane(self, position: int) -> LaneView | None:
        """Return a lane by position, None while it has not been read."""
        page = self._pages.get(position // PAGE)
        if page is None or position - page.first >= len(page.keys):
            return None
        return LaneView(page, position - page.first)

    # -- what is shown ------------------------------------------------------------------------

    def set_source(self, source: LaneSource | None) -> None:
        """Show another store, or none. Selection, area and collapsed groups are forgotten."""
        if self._source is not None:
            self._source.cancel()
        self._source = source
        self._known_span = None
        self._collapsed.clear()
        self._set_selection(None, None)
        self.clear_area()
        self._ask_anew(keep=False)

    def set_question(self, question: Question) -> None:
        """Ask for other lanes, or from another point on both axes; what was read is dropped.

        Another valid-at alone reads nothing: all bars of a lane are here already.
        """
        before, self._question = self._question, question
        if question == before:
            return
        if (question.lanes, question.as_of.known_at) != (before.lanes, before.as_of.known_at):
            # The lanes of another known-at stay in sight until the new ones are here.
            self._ask_anew(keep=question.lanes == before.lanes)
        self.as_of_changed.emit()

    def refresh(self) -> None:
        """Read again after a write. What is on the screen stays until the new is here.

        Lanes that then differ are announced by `lanes_flashed`.
        """
        self._ask_anew(keep=True, is_refresh=True)

    def retry(self) -> None:
        """Ask again for what could not be read."""
        self._ask_anew(keep=True)

    def show_lanes(self, positions: Iterable[int]) -> None:
        """Take the positions of the lanes in view; their pages are read first, then neighbours."""
        pages = tuple(dict.fromkeys(position // PAGE for position in positions))
        if pages != self._in_view:
            self._in_view = pages
            self._plan()

    def set_lane_height(self, height: int) -> None:
        """Take the height of lanes in pixels."""
        if height != self._lane_height:
            self._lane_height = height
            self._lay_out()

    def set_collapsed(self, subject: str, *, is_collapsed: bool) -> None:
        """Hide or show the lanes of a subject."""
        if is_collapsed == (subject in self._collapsed):
            return
        if is_collapsed:
            self._collapsed.add(subject)
        else:
            self._collapsed.discard(subject)
        self._lay_out()

    def is_collapsed(self, subject: str) -> bool:
        """Whether the lanes of a subject are hidden."""
        return subject in self._collapsed

    @property
    def collapsed(self) -> frozenset[str]:
        """The subjects whose lanes are hidden."""
        return frozenset(self._collapsed)

    def come_back(self, collapsed: frozenset[str]) -> None:
        """Hide the lanes of these subjects only, and leave what is selected where it is.

        For a view that takes another's place and has been looked at already.
        """
        self._is_reveal_due = False
        if collapsed != self._collapsed:
            self._collapsed = set(collapsed)
            self._lay_out()

    def collapse_all(self, *, is_collapsed: bool) -> None:
        """Hide or show the lanes of all subjects."""
        names = {item.subject for item in self._rows.outline} if is_collapsed else set[str]()
        if names != self._collapsed:
            self._collapsed = names
            self._lay_out()

    # -- intents ------------------------------------------------------------------------------

    def select_bar(self, position: int, index: int | None) -> None:
        """Select a bar of a lane by its place in the page, or the lane alone."""
        lane = self.lane(position)
        if lane is None:
            return
        if index is None:
            self._set_selection(Selection(lane.key), position)
            return
        bar = lane.page.bar(index)
        chosen = Selection(lane.key, bar.memory_id, bar.valid_from, bar.valid_to)
        self._set_selection(chosen, position)

    def select_nearest(self, position: int, instant: int) -> None:
        """Select a lane with the bar nearest to an instant; once it has been read, if not yet."""
        lane = self.lane(position)
        if lane is None:
            self._set_selection(None, position)
            self._nearest_to = instant
            return
        self.select_bar(position, lane.nearest(instant))

    def select_fact(
        self, key: LaneKey, memory_id: str | None = None, valid_from: int | None = None
    ) -> None:
        """Select what another panel selected; its lane is found once it has been read."""
        chosen = Selection(key, memory_id, valid_from)
        if chosen == self._selection:
            return
        self._set_selection(chosen, None)
        self._is_reveal_due = True
        self._locate_selection()
        self._plan()

    def clear_selection(self) -> None:
        """Select nothing."""
        self._set_selection(None, None)

    def activate(self) -> None:
        """Open the selected fact."""
        if self._selection is not None and self._selection.memory_id is not None:
            self.fact_activated.emit(self._selection.memory_id)

    def select_area(self, valid_from: int, valid_to: int, first: int, last: int) -> None:
        """Select a span of valid time over lanes `first` up to, not including, `last`."""
        shown = [self.lane(position) for position in range(first, min(last, first + 4 * PAGE))]
        touched = range(self._rows.subject_of(first), self._rows.subject_of(last - 1) + 1)
        self._area = Area(
            valid_from,
            valid_to,
            first,
            last,
            tuple(lane.key for lane in shown if lane is not None),
            tuple(self._rows.outline[subject].subject for subject in touched),
        )
        self.area_selected.emit(self._area)

    def clear_area(self) -> None:
        """Select no area."""
        if self._area is not None:
            self._area = None
            self.area_selected.emit(None)

    def ask_valid_at(self, valid_at: int | None) -> None:
        """Ask to look at another instant of valid time; None is now. The session decides."""
        if valid_at != self.valid_at:
            self.valid_at_changed.emit(valid_at)

    # -- reading ------------------------------------------------------------------------------

    def _ask_anew(self, *, keep: bool, is_refresh: bool = False) -> None:
        """Begin a new generation; what was read before it is outdated, or dropped."""
        self._generation += 1
        self._asked.clear()
        self._is_refreshing = is_refresh
        self.messages.withdraw(UNREADABLE)
        if keep:
            self._outdated = set(self._pages)
        else:
            self._is_read = False
            self._outdated.clear()
            self._pages.clear()
            self._rows = LaneRows(lane_height=self._lane_height)
            self._density = _NO_DENSITY
            self._in_view = ()
            self._selected_position = None
            self.outline_changed.emit()
            self.density_changed.emit()
            self.pages_changed.emit()
        source = self._source
        if source is None:
            self._others_read = 0
            self._tell_loading()
            return
        source.cancel()
        self._others_read = 2
        self._tell_loading()
        generation = self._generation
        source.outline(
            self._question,
            done=lambda outline: self._take_outline(generation, outline),
            failed=lambda sentence: self._fail(generation, sentence),
        )
        self._is_extent_due = self._known_span is None and self.has_filter  # as by a link
        if self._is_extent_due:
            source.density(
                Question(as_of=self._question.as_of),
                buckets=1,
                done=lambda density: self._take_whole(generation, density),
                failed=lambda _sentence: None,  # the other question says so too
            )
        source.density(
            self._question,
            buckets=BUCKETS,
            done=lambda density: self._take_density(generation, density),
            failed=lambda sentence: self._fail(generation, sentence),
        )

    def _take_outline(self, generation: int, outline: Sequence[SubjectLanes]) -> None:
        if generation != self._generation:
            return
        self._others_read -= 1
        self._is_read = True
        self._lay_out(outline)
        self._plan()
        self._tell_loading()

    def _take_density(self, generation: int, density: Density) -> None:
        if generation != self._generation:
            return
        self._others_read -= 1
        self._density = density if any(density.counts) else _NO_DENSITY
        self._take_span(generation, density)
        self._tell_loading()

    def _take_whole(self, generation: int, density: Density) -> None:
        if generation == self._generation:
            self._is_extent_due = False
            self._take_span(generation, density)

    def _take_span(self, generation: int, density: Density) -> None:
        """Widen what is known of the record's extent."""
        if generation != self._generation:
            return
        if any(density.counts):  # else its bounds mean nothing
            begins, ends = self._known_span or (density.valid_from, density.valid_to)
            self._known_span = min(begins, density.valid_from), max(ends, density.valid_to)
        self.density_changed.emit()

    def _take_page(self, generation: int, number: int, page: LanePage) -> None:
        if generation != self._generation:
            return
        self._asked.discard(number)
        before = self._pages.get(number)
        self._pages[number] = page
        self._pages.move_to_end(number)
        self._outdated.discard(number)
        self._evict()
        if self._is_refreshing and before is not None:
            different = changed_lanes(before, page)
            if different:
                self.lanes_flashed.emit(different)
        self._locate_selection()
        self.pages_changed.emit()
        self._plan()
        self._tell_loading()

    def _fail(self, generation: int, sentence: str) -> None:
        if generation != self._generation:
            return
        self._generation += 1  # what is still on its way is of no use: one message is enough
        self._others_read = 0
        self._asked.clear()
        self._wanted.clear()
        self._tell_loading()
        self.messages.show(UNREADABLE, reason=sentence)

    @Slot(str, str)
    def _on_messages_action_chosen(self, message: str, action: str) -> None:
        if (message, action) == (UNREADABLE.id, RETRY):
            self.retry()

    def _plan(self) -> None:
        """Ask for what is in view and not here, then for what is near, a few at a time."""
        last = (self._rows.lanes - 1) // PAGE if self._rows.lanes else -1
        near = [
            page + step
            for distance in range(1, _AHEAD + 1)
            for page in self._in_view[:1] + self._in_view[-1:]
            for step in (distance, -distance)
        ]
        chosen = dict.fromkeys([*self._in_view, *self._pages_of_selection(), *near])
        for number in self._in_view:
            if number in self._pages:
                self._pages.move_to_end(number)
        self._wanted = [
            number
            for number in chosen
            if 0 <= number <= last
            and number not in self._asked
            and (number not in self._pages or number in self._outdated)
        ]
        self._ask_pages()

    def _ask_pages(self) -> None:
        while self._source is not None and self._wanted and len(self._asked) < _AT_ONCE:
            number = self._wanted.pop(0)
            self._asked.add(number)
            generation = self._generation
            self._source.lanes(
                self._question,
                first=number * PAGE,
                count=PAGE,
                done=lambda page, n=number, g=generation: self._take_page(g, n, page),  # type: ignore[misc]
                failed=lambda sentence, g=generation: self._fail(g, sentence),  # type: ignore[misc]
            )
        self._tell_loading()

    def _evict(self) -> None:
        """Forget the pages that were in view the longest ago."""
        held = sum(page.bars for page in self._pages.values())
        while len(self._pages) > _PAGES_KEPT or (
            held > _BARS_KEPT and len(self._pages) > _PAGES_LEAST
        ):
            number = next((n for n in self._pages if n not in self._in_view), None)
            if number is None:
                return
            held -= self._pages.pop(number).bars
            self._outdated.discard(number)

    def _tell_loading(self) -> None:
        is_loading = bool(self._others_read or self._asked)
        if is_loading != self._is_loading:
            self._is_loading = is_loading
            self.loading_changed.emit(is_loading)

    def _lay_out(self, outline: Sequence[SubjectLanes] | None = None) -> None:
        self._rows = LaneRows(
            self._rows.outline if outline is None else outline,
            lane_height=self._lane_height,
            collapsed=self._collapsed,
        )
        self._locate_selection()
        self.outline_changed.emit()

    # -- selection ----------------------------------------------------------------------------

    def _set_selection(self, selection: Selection | None, position: int | None) -> None:
        self._selected_position = position
        self._is_reveal_due = False
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def _subject_lanes(self) -> range:
        """Return the positions among which the selected lane must be."""
        if self._selection is None:
            return range(0)
        name = self._selection.key.subject
        for subject, item in enumerate(self._rows.outline):
            if item.subject == name:
                return range(*self._rows.lane_range(subject))
        return range(0)

    def _pages_of_selection(self) -> Iterable[int]:
        if self._selection is None or self._selected_position is not None:
            return ()
        lanes = self._subject_lanes()
        return range(lanes.start // PAGE, (lanes.stop - 1) // PAGE + 1) if lanes else ()

    def _locate_selection(self) -> None:
        """Find the lane of the selection; positions move when lanes come or go."""
        if self._selection is None:
            if self._selected_position is not None and self._nearest_to is not None:
                self.select_nearest(self._selected_position, self._nearest_to)
            return
        known = self._selected_position
        if known is not None and (lane := self.lane(known)) and lane.key == self._selection.key:
            return
        self._selected_position = None
        for position in self._subject_lanes():
            found = self.lane(position)
            if found is not None and found.key == self._selection.key:
                self._selected_position = position
                if self._is_reveal_due:
                    self._is_reveal_due = False
                    self.reveal_wanted.emit()
                return


def changed_lanes(before: LanePage, after: LanePage) -> frozenset[LaneKey]:
    """Return the keys of the lanes that are new in a page, or have other bars than before."""
    old = {key: LaneView(before, lane) for lane, key in enumerate(before.keys)}
    found = set()
    for lane, key in enumerate(after.keys):
        view = LaneView(after, lane)
        was = old.get(key)
        if was is None or not _same_bars(was, view):
            found.add(key)
    return frozenset(found)


def _same_bars(one: LaneView, other: LaneView) -> bool:
    first, second = (slice(view.bars.start, view.bars.stop) for view in (one, other))
    return (
        one.page.ids[first] == other.page.ids[second]
        and one.page.values[first] == other.page.values[second]
        and np.array_equal(one.page.starts[first], other.page.starts[second])
        and np.array_equal(one.page.ends[first], other.page.ends[second])
        and np.array_equal(one.page.marks[first], other.page.marks[second])
    )
