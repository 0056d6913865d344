"""What the timeline shows: pages of lanes packed into columns, and the rows they stand in.

Times are microseconds since 1970 UTC. A lane's *position* is its place in the order of lanes of
the whole answer; subjects come in that order too, each with a header row above its lanes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import IntFlag
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from store.encoding import tint_of
from store.query import Bar, Lane, LaneKey, Mark, SubjectLanes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    Instants = NDArray[np.int64]

PAGE: Final = 256
"""Lanes in a page."""

OPEN: Final = 2**62
"""Stands for the end of a bar without one; later than any instant, and safe to subtract from."""

GROUP_HEIGHT: Final = 24
"""Height of a subject's header row."""


class Joint(IntFlag):
    """How a bar touches its neighbours."""

    BEFORE = 1
    """It continues the bar before it."""
    AFTER = 2
    """The bar after it continues it."""


@dataclass(frozen=True, slots=True)
class LanePage:
    """Some lanes in a row, with the bars of all of them in columns; never changed.

    Bars of lane `i` are those from `first_bar[i]` to `first_bar[i + 1]`, sorted by beginning, not
    overlapping. What was believed at the other known-at stands apart, in `believed`.

    Attributes:
        first: position of the first lane.
        starts: beginnings.
        ends: ends, `OPEN` where there is none.
        tints: 0 to 7.
        marks: `Mark` of each bar.
        joints: `Joint` of each bar.
        believed: for a lane by its place in the page, its bars marked BELIEVED.
    """

    first: int
    keys: tuple[LaneKey, ...]
    conflicts: tuple[int, ...]
    first_bar: tuple[int, ...]
    starts: Instants
    ends: Instants
    tints: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    joints: NDArray[np.uint8]
    ids: tuple[str, ...]
    values: tuple[str, ...]
    believed: dict[int, tuple[Bar, ...]]

    @property
    def bars(self) -> int:
        """How many bars the page holds."""
        return len(self.ids)

    def bar(self, index: int) -> Bar:
        """Return a bar of the page by its place in the columns."""
        end = int(self.ends[index])
        return Bar(
            int(self.starts[index]),
            None if end >= OPEN else end,
            self.ids[index],
            self.values[index],
            int(self.marks[index]),
        )

    def bar_range(self, position: int) -> tuple[int, int]:
        """Return where the bars of a lane begin and end in the columns."""
        lane = position - self.first
        return self.first_bar[lane], self.first_bar[lane + 1]


def pack_lanes(first: int, lanes: Sequence[Lane]) -> LanePage:
    """Pack lanes into columns. Costs milliseconds for a page: done where the store was read."""
    held: list[Bar] = []
    first_bar = [0]
    believed: dict[int, tuple[Bar, ...]] = {}
    for number, lane in enumerate(lanes):
        held.extend(bar for bar in lane.bars if not bar.marks & Mark.BELIEVED)
        first_bar.append(len(held))
        if len(lane.bars) != first_bar[-1] - first_bar[-2]:
            believed[number] = tuple(bar for bar in lane.bars if bar.marks & Mark.BELIEVED)
    count = len(held)
    starts, ends, ids, values, marks = zip(*held, strict=True) if held else ((),) * 5
    tints = {value: tint_of(value) for value in set(values)}
    packed_starts = np.fromiter(starts, np.int64, count)
    packed_ends = np.fromiter((OPEN if end is None else end for end in ends), np.int64, count)
    packed_marks = np.fromiter(marks, np.uint8, count)
    return LanePage(
        first=first,
        keys=tuple(lane.key for lane in lanes),
        conflicts=tuple(lane.open_conflicts for lane in lanes),
        first_bar=tuple(first_bar),
        starts=packed_starts,
        ends=packed_ends,
        tints=np.fromiter((tints[value] for value in values), np.uint8, count),
        marks=packed_marks,
        joints=_find_joints(first_bar, (packed_starts, packed_ends, packed_marks), ids, values),
        ids=ids,
        values=values,
        believed=believed,
    )


def _find_joints(
    first_bar: Sequence[int],
    columns: tuple[Instants, Instants, NDArray[np.uint8]],
    ids: Sequence[str],
    values: Sequence[str],
) -> NDArray[np.uint8]:
    """Mark bars that continue their neighbour: see `workbench.widgets.lanes.joins`."""
    starts, ends, marks = columns
    joints = np.zeros(len(starts), np.uint8)
    touching = ends[:-1] == starts[1:]
    touching &= (marks[:-1] ^ marks[1:]) & np.uint8(Mark.DISPUTED) == 0
    lane_starts = np.asarray(first_bar[1:-1], np.intp)
    touching[lane_starts[(lane_starts > 0) & (lane_starts < len(starts))] - 1] = False
    for index in np.flatnonzero(touching).tolist():
        if ids[index] == ids[index + 1] and values[index] == values[index + 1]:
            joints[index] |= Joint.AFTER
            joints[index + 1] |= Joint.BEFORE
    return joints


class Columns(NamedTuple):
    """The bars of several pages in one set of columns.

    Attributes:
        pages: the pages.
        offsets: place of each page's first bar in the columns.
    """

    pages: tuple[LanePage, ...]
    offsets: tuple[int, ...]
    starts: Instants
    ends: Instants
    tints: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    joints: NDArray[np.uint8]

    def bar(self, place: int) -> Bar:
        """Return a bar by its place in the columns."""
        number = bisect_right(self.offsets, place) - 1
        return self.pages[number].bar(place - self.offsets[number])

    def value(self, place: int) -> str:
        """Return the value of a bar by its place in the columns."""
        number = bisect_right(self.offsets, place) - 1
        return self.pages[number].values[place - self.offsets[number]]


def join_pages(pages: tuple[LanePage, ...]) -> Columns:
    """Put the bars of several pages into one set of columns; of one page without copying."""
    offsets = tuple(accumulate((page.bars for page in pages[:-1]), initial=0))
    if len(pages) == 1:
        page = pages[0]
        return Columns(pages, offsets, page.starts, page.ends, page.tints, page.marks, page.joints)
    return Columns(
        pages,
        offsets,
        *(
            np.concatenate([getattr(page, name) for page in pages] or [np.zeros(0, kind)])
            for name, kind in _COLUMN_TYPES
        ),
    )


_COLUMN_TYPES: Final = (
    ("starts", np.int64),
    ("ends", np.int64),
    ("tints", np.uint8),
    ("marks", np.uint8),
    ("joints", np.uint8),
)


class Row(NamedTuple):
    """A row of the timeline.

    Attributes:
        subject: index of the subject.
        position: the lane's; None for the header row of the subject.
        y: upper edge in the content, logical pixels.
        height: in logical pixels.
    """

    subject: int
    position: int | None
    y: int
    height: int

    @property
    def is_header(self) -> bool:
        """Whether this is the header row of a subject."""
        return self.position is None


class LaneRows:
    """The rows of all subjects and lanes, by number and by height; collapsed lanes are left out.

    A row *number* counts header rows and lanes that are shown. Costs milliseconds to make for
    100,000 subjects, microseconds to ask.
    """

    def __init__(
        self,
        outline: Sequence[SubjectLanes] = (),
        *,
        lane_height: int = 30,
        collapsed: Collection[str] = (),
    ) -> None:
        self.outline = outline
        self.lane_height = lane_height
        counts = np.fromiter((item.lanes for item in outline), np.int64, len(outline))
        shown = counts.copy()
        if collapsed:
            hidden = [index for index, item in enumerate(outline) if item.subject in collapsed]
            shown[hidden] = 0
        self._shown = shown
        self._first_lane = _sums(counts)
        self._first_row = _sums(shown + 1)
        self._top = _sums(shown * lane_height + GROUP_HEIGHT)

    @property
    def subjects(self) -> int:
        """How many subjects there are."""
        return len(self.outline)

    @property
    def lanes(self) -> int:
        """How many lanes there are, shown or not."""
        return int(self._first_lane[-1])

    @property
    def count(self) -> int:
        """How many rows are shown."""
        return int(self._first_row[-1])

    @property
    def height(self) -> int:
        """Height of all rows together, logical pixels."""
        return int(self._top[-1])

    def is_collapsed(self, subject: int) -> bool:
        """Whether a subject's lanes are not shown."""
        return bool(self._shown[subject] == 0 and self.outline[subject].lanes > 0)

    def lane_range(self, subject: int) -> tuple[int, int]:
        """Return the positions of a subject's lanes, the end exclusive."""
        return int(self._first_lane[subject]), int(self._first_lane[subject + 1])

    def subject_of(self, position: int) -> int:
        """Return the index of the subject to which a lane belongs."""
        return int(np.searchsorted(self._first_lane, position, "right")) - 1

    def row(self, number: int) -> Row:
        """Return a row by its number.

        Raises:
            IndexError: there is no such row.
        """
        if not 0 <= number < self.count:
            raise IndexError(number)
        subject = int(np.searchsorted(self._first_row, number, "right")) - 1
        return self._row(subject, number - int(self._first_row[subject]) - 1)

    def row_at(self, y: int) -> Row | None:
        """Return the row at a height in the content, if any."""
        number = self.number_at(y)
        return None if number is None else self.row(number)

    def number_at(self, y: int) -> int | None:
        """Return the number of the row at a height in the content, if any."""
        if not 0 <= y < self.height:
            return None
        subject = int(np.searchsorted(self._top, y, "right")) - 1
        inside = y - int(self._top[subject])
        lane = -1 if inside < GROUP_HEIGHT else (inside - GROUP_HEIGHT) // self.lane_height
        return int(self._first_row[subject]) + 1 + lane

    def number_of(self, subject: int, position: int | None) -> int:
        """Return the number of a lane's row; of its subject's header if it is not shown."""
        header = int(self._first_row[subject])
        if position is None or self._shown[subject] == 0:
            return header
        return header + 1 + position - int(self._first_lane[subject])

    def between(self, upper: int, lower: int) -> Iterator[Row]:
        """Return the rows of which any part lies between two heights in the content."""
        number = self.number_at(max(0, upper))
        if number is None:
            return
        subject = int(np.searchsorted(self._first_row, number, "right")) - 1
        lane = number - int(self._first_row[subject]) - 1
        while subject < self.subjects:
            row = self._row(subject, lane)
            if row.y >= lower:
                return
            yield row
            lane += 1
            if lane >= self._shown[subject]:
                subject, lane = subject + 1, -1

    def pinned(self, top: int) -> tuple[int, int] | None:
        """Return whose header stays at the top when scrolled by `top`, and its y in the view.

        The y is 0 or, where the next header pushes it out, negative; None without rows.
        """
        number = self.number_at(top)
        if number is None:
            return None
        subject = int(np.searchsorted(self._first_row, number, "right")) - 1
        return subject, min(0, int(self._top[subject + 1]) - top - GROUP_HEIGHT)

    def _row(self, subject: int, lane: int) -> Row:
        """Return the row of a shown lane of a subject; of its header for -1."""
        top = int(self._top[subject])
        if lane < 0:
            return Row(subject, None, top, GROUP_HEIGHT)
        y = top + GROUP_HEIGHT + lane * self.lane_height
        return Row(subject, int(self._first_lane[subject]) + lane, y, self.lane_height)


def kept_top(before: LaneRows, after: LaneRows, top: int) -> int:
    """Return how far to scroll so that the uppermost row in view stays in its place.

    Where its subject is gone, the next one takes its place.

    Args:
        before: the rows as they were laid out.
        after: the rows as they are.
        top: how far the former were scrolled, logical pixels.
    """
    number = before.number_at(top)
    if number is None or not after.subjects:
        return top
    row = before.row(number)
    name = before.outline[row.subject].subject
    subject = bisect_left(after.outline, name, key=lambda item: item.subject)
    if subject == after.subjects or after.outline[subject].subject != name:
        return after.row(after.number_of(min(subject, after.subjects - 1), None)).y
    if row.position is None:
        return after.row(after.number_of(subject, None)).y + top - row.y
    lane = row.position - before.lane_range(row.subject)[0]
    first, end = after.lane_range(subject)
    found = after.row(after.number_of(subject, min(first + lane, end - 1)))
    return found.y + min(top - row.y, found.height)


def _sums(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the running sums, beginning with 0."""
    sums = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums
