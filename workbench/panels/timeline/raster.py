"""Bars to pixels: the run-length renderer of the timeline. numpy only, no Qt.

A pixel column `p` of a window covers the instants from its left edge up to, not including, its
right edge. A bar covers the columns from the one in which it begins up to, not including, the one
in which it ends; one that begins and ends within a column is a *sliver* and covers that column. Of
several bars that begin in a column the last is drawn, and the column is marked *crowded*.

Everything here is in device pixels. A frame costs by what is in view: bars beyond a few for each
pixel are thinned before anything is computed for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Instants = NDArray[np.int64]
    Columns = NDArray[np.int64]
    Flags = NDArray[np.bool_]
    Pixels = NDArray[np.uint32]

GAP: Final = 0
"""The code of a pixel without a bar."""
TINTS: Final = 8
CROWDED: Final = 1
DISPUTED: Final = 2
FUTURE: Final = 3
VARIANTS: Final = 4
CODES: Final = 1 + TINTS * VARIANTS
"""Codes are 1 + tint + 8 times variant; variants are plain, crowded, disputed, future."""

_THIN_FROM: Final = 2  # bars in view for each pixel, from which a lane is thinned
_FAR: Final = float(2**40)


class Window(NamedTuple):
    """The stretch of valid time in view.

    Attributes:
        left: the instant at the left edge, whole microseconds since 1970.
        fraction: and the fraction of a microsecond, 0 up to 1.
        scale: pixels for each microsecond.
        width: in pixels.
    """

    left: int
    fraction: float
    scale: float
    width: int

    def columns(self, instants: Instants) -> Columns:
        """Return the pixel columns in which instants lie; far away ones are only roughly so."""
        offset = (instants - self.left).astype(np.float64)
        offset -= self.fraction
        offset *= self.scale
        np.floor(offset, out=offset)
        np.clip(offset, -_FAR, _FAR, out=offset)
        return offset.astype(np.int64)

    def instant_at(self, column: float) -> int:
        """Return the last whole microsecond at or before the left edge of a column."""
        return self.left + int((column / self.scale + self.fraction) // 1)


class LaneBars(NamedTuple):
    """The bars of one lane: sorted, not overlapping.

    Attributes:
        codes: code of each bar, 1 to 32.
        first: place of the first bar in whatever holds them; runs name bars by it.
    """

    starts: Instants
    ends: Instants
    codes: NDArray[np.uint8]
    first: int = 0


@dataclass(frozen=True, slots=True)
class Runs:
    """What is to be drawn: one entry for each bar that got pixels, by lane, then from the left.

    Attributes:
        lane: index of the lane.
        begin: first column, within the window.
        end: column after the last, within the window.
        origin: column in which the bar begins, be it in the window or not.
        bar: which bar, `LaneBars.first` added.
        code: its code.
        cut_left: it began before the window.
        cut_right: it ends after the window.
        crowded: other bars begin in its first column too, or it is a sliver.
    """

    lane: NDArray[np.int64]
    begin: Columns
    end: Columns
    origin: Columns
    bar: NDArray[np.int64]
    code: NDArray[np.uint8]
    cut_left: Flags
    cut_right: Flags
    crowded: Flags

    def __len__(self) -> int:
        """Return how many runs there are."""
        return len(self.lane)

    @property
    def width(self) -> Columns:
        """The width of each run in pixels."""
        return self.end - self.begin


def find_runs(lanes: Sequence[LaneBars], window: Window) -> Runs:
    """Return the runs of pixels of lanes' bars in a window."""
    starts, ends, codes, bars, thick, owners = [], [], [], [], [], []
    for number, lane in enumerate(lanes):
        chosen, crowd = _in_view(lane, window)
        if len(chosen) == 0:
            continue
        starts.append(lane.starts[chosen])
        ends.append(lane.ends[chosen])
        codes.append(lane.codes[chosen])
        bars.append(chosen + lane.first)
        thick.append(crowd)
        owners.append(np.full(len(chosen), number, np.int64))
    if not starts:
        return _NO_RUNS
    return _runs_of(
        window,
        (np.concatenate(starts), np.concatenate(ends), np.concatenate(codes)),
        np.concatenate(bars),
        np.concatenate(owners),
        np.concatenate(thick),
    )


def _runs_of(
    window: Window,
    columns: tuple[Instants, Instants, NDArray[np.uint8]],
    bars: NDArray[np.int64],
    owners: NDArray[np.int64],
    thick: Flags,
) -> Runs:
    starts, ends, codes = columns
    begin, end = window.columns(starts), window.columns(ends)
    sliver = begin == end
    seen = (begin < window.width) & ((end > 0) | (sliver & (begin >= 0)))
    cut_left, cut_right = begin < 0, end > window.width
    origin, begin = begin, np.maximum(begin, 0)
    end = np.minimum(np.maximum(end, begin + 1), window.width)
    place = owners * window.width + begin
    if not seen.all():
        kept = np.flatnonzero(seen)
        place, begin, end, bars = place[kept], begin[kept], end[kept], bars[kept]
        owners, codes, sliver, thick = owners[kept], codes[kept], sliver[kept], thick[kept]
        origin = origin[kept]
        cut_left, cut_right = cut_left[kept], cut_right[kept]
    shares = np.zeros(len(place) + 1, np.bool_)
    shares[1:-1] = place[1:] == place[:-1]
    crowded = shares[:-1] | sliver | thick
    last = np.flatnonzero(~shares[1:])
    return Runs(
        lane=owners[last],
        begin=begin[last],
        end=end[last],
        origin=origin[last],
        bar=bars[last],
        code=codes[last],
        cut_left=cut_left[last],
        cut_right=cut_right[last],
        crowded=crowded[last],
    )


def _in_view(lane: LaneBars, window: Window) -> tuple[NDArray[np.int64], Flags]:
    """Return the places of the bars that may be in view, and which stand for several."""
    first = int(np.searchsorted(lane.ends, window.left, "left"))
    beyond = window.instant_at(window.width) + 1
    last = int(np.searchsorted(lane.starts, beyond, "left"))
    if last - first <= _THIN_FROM * window.width:
        places = np.arange(first, max(first, last), dtype=np.int64)
        return places, np.zeros(len(places), np.bool_)
    return _thinned(lane.starts, first, last, window)


def _thinned(
    starts: Instants, first: int, last: int, window: Window
) -> tuple[NDArray[np.int64], Flags]:
    """Return the last bar that begins in each column, and whether others do so too.

    One binary search for each column instead of work for each bar. Rounding may place an edge
    beside the bar that `Window.columns` would choose, so neighbours are compared until it agrees.
    """
    edges = np.arange(1, window.width + 1) / window.scale + window.fraction
    # How many bars begin before the right edge of each column.
    inside = starts[first:last]
    counts = np.searchsorted(inside, np.ceil(edges).astype(np.int64) + window.left, "left")
    wanted = np.arange(window.width)
    while True:
        grow = counts < len(inside)
        grow[grow] = window.columns(inside[counts[grow]]) <= wanted[grow]
        shrink = counts > 0
        shrink[shrink] = window.columns(inside[counts[shrink] - 1]) > wanted[shrink]
        if not (grow.any() or shrink.any()):
            break
        counts += grow
        counts -= shrink & ~grow
    # All end in the window or after, so at most two begin before it: the bar that runs into it,
    # and one that begins in the microsecond that the left edge cuts.
    before = int((window.columns(inside[:3]) < 0).sum())
    fresh = np.diff(counts, prepend=before)
    chosen = np.flatnonzero(fresh)
    places = counts[chosen] - 1 + first
    crowd = fresh[chosen] > 1
    if before:  # what runs into the window from before it
        places = np.concatenate(([first + before - 1], places))
        crowd = np.concatenate(([False], crowd))
    return places.astype(np.int64), crowd


def bar_at(
    starts: Instants, ends: Instants, window: Window, column: int, *, reach: int = 0
) -> int | None:
    """Return the place of the bar that is drawn in a column of a lane, if any.

    Args:
        starts: beginnings of the lane's bars.
        ends: their ends.
        window: what is in view.
        column: counted from the left edge of the window.
        reach: where there is none, take the nearest bar at most so many columns away, for narrow
            bars are hard to hit.
    """
    last = int(np.searchsorted(starts, window.instant_at(column + 1), "left"))
    while last < len(starts) and window.columns(starts[last : last + 1])[0] <= column:
        last += 1
    while last > 0 and window.columns(starts[last - 1 : last])[0] > column:
        last -= 1
    gaps = []
    if last > 0:
        begin, end = _extent(starts, ends, window, last - 1)
        gaps.append((max(0, column - end + 1), last - 1))
    if last < len(starts):
        begin, end = _extent(starts, ends, window, last)
        gaps.append((begin - column, last))
    gap, place = min(gaps, default=(reach + 1, 0))
    return place if gap <= reach else None


def _extent(starts: Instants, ends: Instants, window: Window, place: int) -> tuple[int, int]:
    """Return the columns that a bar takes, the end exclusive."""
    begin = int(window.columns(starts[place : place + 1])[0])
    return begin, max(begin + 1, int(window.columns(ends[place : place + 1])[0]))


_EMPTY: Final = np.zeros(0, np.int64)
_NO_RUNS: Final = Runs(
    lane=_EMPTY,
    begin=_EMPTY,
    end=_EMPTY,
    origin=_EMPTY,
    bar=_EMPTY,
    code=_EMPTY.astype(np.uint8),
    cut_left=_EMPTY.astype(np.bool_),
    cut_right=_EMPTY.astype(np.bool_),
    crowded=_EMPTY.astype(np.bool_),
)


def code_pixels(runs: Runs, lanes: int, width: int) -> NDArray[np.uint8]:
    """Return the code of every pixel, lanes by width, by filling runs and gaps between them."""
    begin = runs.lane * width + runs.begin
    end = runs.lane * width + runs.end
    lengths = np.empty(2 * len(runs) + 1, np.int64)
    lengths[0::2] = np.append(begin, lanes * width)
    lengths[2::2] -= end
    lengths[1::2] = end - begin
    codes = np.zeros(2 * len(runs) + 1, np.uint8)
    codes[1::2] = runs.code
    pixels = np.repeat(codes, lengths)
    plain = runs.crowded & (runs.code <= TINTS) & (runs.code > 0)
    pixels[begin[plain]] += np.uint8(TINTS * CROWDED)
    return pixels.reshape(lanes, width)


# --- pictures -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cap:
    """The pixels of one end of a bar that are neither its plain fill nor its plain edge.

    Attributes:
        dx: columns from the end inwards, 0 for the outermost.
        dy: rows from the top of the bar.
        colors: for each code and each of these pixels, 0xffRRGGBB.
        span: how many columns it takes; narrower bars go without.
    """

    dx: NDArray[np.int64]
    dy: NDArray[np.int64]
    colors: Pixels
    span: int


@dataclass(frozen=True, slots=True)
class Stencil:
    """How bars look on one ground: colours by code, and the pixels of their ends.

    Attributes:
        fill: colour of each code.
        edge: colour of each code's hairline.
        crisp: the beginning of a bar that is known exactly.
        ragged: of one known to the day or worse.
        fading: of one that is assumed.
        tick: where a joined bar says the same again.
        tail: the end of a bar, seen from the right.
        hatch: for each tint a strip of a disputed bar, without ends, wider than the picture by
            the width after which it repeats.
        hatch_side: that width.
        hatch_least: narrower disputed bars have no room for a hatch.
    """

    fill: Pixels
    edge: Pixels
    crisp: Cap
    ragged: Cap
    fading: Cap
    tick: Cap
    tail: Cap
    hatch: Pixels
    hatch_side: int
    hatch_least: int


class Band(NamedTuple):
    """Where a lane's bars are drawn in the picture, in rows of pixels.

    Attributes:
        top: first row of the bars.
        is_lit: the lane stands on the ground of the selected lane.
    """

    top: int
    is_lit: bool


@dataclass(frozen=True, slots=True)
class Ends:
    """What the ends of each run look like; one flag for each run."""

    joined: Flags
    ticked: Flags
    ragged: Flags
    fading: Flags
    runs_on: Flags

    def edged_left(self, runs: Runs) -> Flags:
        """Which runs have an upright edge at their beginning."""
        return ~(runs.cut_left | self.joined | self.fading | runs.crowded)

    def edged_right(self, runs: Runs) -> Flags:
        """Which runs have an upright edge at their end."""
        return ~(runs.cut_right | self.runs_on)


class Canvas:
    """A picture of bars under construction.

    Attributes:
        pixels: rows by columns, 0xffRRGGBB; has a margin of `pad` rows above and below.
        pad: so many rows, so that rows of bars that are cut need no care.
        hairline: thickness of edges, in pixels.
    """

    def __init__(self, width: int, height: int, *, pad: int, hairline: int) -> None:
        self.pad = pad
        self.hairline = hairline
        self.pixels: Pixels = np.zeros((height + 2 * pad, width), np.uint32)

    def rows(self, upper: int, lower: int, color: int | Pixels) -> None:
        """Fill rows, counted from the top of the picture, with a colour or a row of colours.

        They may lie outside.
        """
        total = len(self.pixels)
        first, last = max(0, upper + self.pad), min(total, max(0, lower + self.pad))
        self.pixels[first:last] = color

    def draw(
        self,
        bands: Sequence[Band],
        runs: Runs,
        ends: Ends,
        *,
        bar_height: int,
        stencils: tuple[Stencil, Stencil],
    ) -> None:
        """Draw the bars of lanes over what is there.

        Args:
            bands: one for each lane; within the picture and its margin.
            runs: what to draw; entries with code 0 leave a gap.
            ends: what the ends of each run look like.
            bar_height: in pixels.
            stencils: for plain lanes and for the lit one.
        """
        if not bands:
            return
        width = self.pixels.shape[1]
        codes = code_pixels(runs, len(bands), width)
        tops = np.asarray([band.top + self.pad for band in bands])
        lit = np.asarray([band.is_lit for band in bands])
        ground = self.pixels[tops]
        covered = codes != GAP
        body = np.where(covered, stencils[0].fill[codes], ground)
        rim = np.where(covered, stencils[0].edge[codes], ground)
        self._draw_sides(body, runs, ends, stencils[0])
        line = self.hairline
        for number, top in enumerate(tops.tolist()):
            self.pixels[top : top + line] = rim[number]
            self.pixels[top + line : top + bar_height - line] = body[number]
            self.pixels[top + bar_height - line : top + bar_height] = rim[number]
        self._draw_hatched(tops, runs, ends, stencils[0])
        for is_lit, stencil in enumerate(stencils):
            on_ground = lit[runs.lane] == bool(is_lit)
            if on_ground.any():
                self._stamp_ends(tops, runs, ends, stencil, on_ground)

    def _draw_sides(self, body: Pixels, runs: Runs, ends: Ends, stencil: Stencil) -> None:
        """Draw the upright hairlines of bars that are wide enough to have an inside."""
        wide = (runs.width > 3 * self.hairline) & (runs.code != GAP)
        left = np.flatnonzero(wide & ~runs.cut_left & ~ends.joined & ~ends.fading & ~runs.crowded)
        right = np.flatnonzero(wide & ~runs.cut_right & ~ends.runs_on)
        for step in range(self.hairline):
            body[runs.lane[left], runs.begin[left] + step] = stencil.edge[runs.code[left]]
            body[runs.lane[right], runs.end[right] - 1 - step] = stencil.edge[runs.code[right]]

    def _draw_hatched(
        self, tops: NDArray[np.int64], runs: Runs, ends: Ends, stencil: Stencil
    ) -> None:
        """Copy the inside of disputed bars from a strip; the hatch moves with the bar."""
        variant = (runs.code - 1) // TINTS == DISPUTED
        which = np.flatnonzero(variant & (runs.width >= stencil.hatch_least))
        if len(which) == 0:
            return
        tints = (runs.code[which] - 1) % TINTS
        begin = runs.begin[which] + self.hairline * ends.edged_left(runs)[which]
        end = runs.end[which] - self.hairline * ends.edged_right(runs)[which]
        shift = (begin - runs.origin[which]) % stencil.hatch_side
        height = stencil.hatch.shape[1]
        places = (tops[runs.lane[which]], begin, end, shift, tints)
        for top, left, right, moved, tint in zip(*(x.tolist() for x in places), strict=True):
            strip = stencil.hatch[tint, :, moved : moved + right - left]
            self.pixels[top : top + height, left:right] = strip

    def _stamp_ends(
        self, tops: NDArray[np.int64], runs: Runs, ends: Ends, stencil: Stencil, on_ground: Flags
    ) -> None:
        variant = (runs.code - 1) // TINTS  # a gap's code wraps round, to no variant
        drawn = on_ground & ((variant == 0) | (variant == DISPUTED))
        left = drawn & ~runs.cut_left & ~ends.joined & ~runs.crowded
        room = runs.width - stencil.tail.span
        ticked = drawn & ~runs.cut_left & ends.joined & ends.ticked & (room > 0)
        self._stamp(stencil.tick, ticked, tops, runs)
        crisp = left & ~ends.ragged & ~ends.fading
        self._stamp(stencil.crisp, crisp & (room >= stencil.crisp.span), tops, runs)
        self._stamp(stencil.ragged, left & ends.ragged & (room >= stencil.ragged.span), tops, runs)
        self._stamp(stencil.fading, left & ends.fading & (room >= stencil.fading.span), tops, runs)
        tail = drawn & ~runs.cut_right & ~ends.runs_on & (room >= stencil.crisp.span)
        self._stamp(stencil.tail, tail, tops, runs, from_right=True)

    def _stamp(
        self,
        cap: Cap,
        chosen: Flags,
        tops: NDArray[np.int64],
        runs: Runs,
        *,
        from_right: bool = False,
    ) -> None:
        which = np.flatnonzero(chosen)
        if len(which) == 0:
            return
        if from_right:
            columns = (runs.end[which] - 1)[:, None] - cap.dx
        else:
            columns = runs.begin[which][:, None] + cap.dx
        rows = tops[runs.lane[which]][:, None] + cap.dy
        self.pixels[rows, columns] = cap.colors[runs.code[which]]
