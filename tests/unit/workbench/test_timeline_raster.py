"""The run-length renderer against a model that looks at every pixel."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.panels.timeline import raster
from workbench.panels.timeline.raster import (
    CODES,
    Band,
    Canvas,
    Cap,
    Ends,
    LaneBars,
    Stencil,
    Window,
    bar_at,
    code_pixels,
    find_runs,
)

# Scales that are powers of two make every position exact in floating point.
SCALES = [2.0**power for power in (-7, -3, -1, 0, 2, 5)]
windows = st.builds(
    Window,
    left=st.integers(-60, 60),
    fraction=st.sampled_from([0.0, 0.25, 0.5]),
    scale=st.sampled_from(SCALES),
    width=st.integers(1, 24),
)


@st.composite
def lanes(draw):
    """Draw the bars of a lane as (start, end, code): sorted, half-open, not overlapping."""
    bounds = sorted(draw(st.lists(st.integers(-90, 90), max_size=24, unique=True)))
    bars = []
    for first, second in zip(bounds[::2], bounds[1::2], strict=False):
        bars.append((first, second, draw(st.integers(1, 8))))
    if draw(st.booleans()):  # let some bars touch
        bars = [
            (start, bars[n + 1][0] if n + 1 < len(bars) else end, code)
            for n, (start, end, code) in enumerate(bars)
        ]
    if bars and draw(st.booleans()):
        bars[-1] = (bars[-1][0], 2**62, bars[-1][2])
    return bars


def packed(bars, first=0):
    return LaneBars(
        np.array([bar[0] for bar in bars], np.int64),
        np.array([bar[1] for bar in bars], np.int64),
        np.array([bar[2] for bar in bars], np.uint8),
        first,
    )


def column(window, instant):
    return int((instant - window.left - window.fraction) * window.scale // 1)


def model(bars, window):
    """Return code and bar of each pixel, by looking at every bar for every pixel."""
    pixels = []
    for pixel in range(window.width):
        found = (0, None)
        for index, (start, end, code) in enumerate(bars):
            begin, stop = column(window, start), column(window, end)
            if begin <= pixel < max(stop, begin + 1):
                starting = [b for b in bars if column(window, b[0]) == pixel]
                crowd = begin == pixel and (len(starting) > 1 or stop == begin)
                found = (code + 8 if crowd else code, index)
        pixels.append(found)
    return pixels


@given(st.lists(lanes(), max_size=4), windows)
def test_every_pixel_is_as_the_model_says(several, window):
    runs = find_runs([packed(bars) for bars in several], window)
    codes = code_pixels(runs, len(several), window.width)
    for number, bars in enumerate(several):
        expected = [code for code, _ in model(bars, window)]
        assert codes[number].tolist() == expected


@given(st.lists(lanes(), max_size=3), windows)
def test_thinning_changes_nothing(several, window):
    plain = find_runs([packed(bars) for bars in several], window)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(raster, "_THIN_FROM", 0)
        thinned = find_runs([packed(bars) for bars in several], window)
    assert thinned.bar.tolist() == plain.bar.tolist()
    assert thinned.begin.tolist() == plain.begin.tolist()
    assert thinned.end.tolist() == plain.end.tolist()
    assert thinned.crowded.tolist() == plain.crowded.tolist()


@given(lanes(), windows, st.data())
def test_a_hit_is_the_bar_that_is_drawn(bars, window, data):
    pixel = data.draw(st.integers(0, window.width - 1))
    lane = packed(bars)
    expected = model(bars, window)[pixel][1]
    assert bar_at(lane.starts, lane.ends, window, pixel) == expected


def test_a_narrow_bar_can_be_hit_from_beside_it():
    lane = packed([(100, 101, 1), (300, 400, 2)])
    window = Window(0, 0.0, 0.1, 60)
    assert bar_at(lane.starts, lane.ends, window, 13) is None
    assert bar_at(lane.starts, lane.ends, window, 13, reach=3) == 0
    assert bar_at(lane.starts, lane.ends, window, 27, reach=3) == 1
    assert bar_at(lane.starts, lane.ends, window, 20, reach=3) is None


@given(
    st.lists(st.integers(-(10**16), 10**16), min_size=2, max_size=300, unique=True),
    st.integers(-(10**16), 10**16),
    st.floats(1e-14, 50),
)
def test_at_any_scale_runs_stay_apart_and_inside(bounds, left, scale):
    bounds.sort()
    bars = [(a, b, 1) for a, b in itertools.pairwise(bounds)]
    window = Window(left, 0.0, scale, 400)
    runs = find_runs([packed(bars)], window)
    assert (runs.begin >= 0).all()
    assert (runs.end <= 400).all()
    assert (runs.width > 0).all()
    assert (runs.begin[1:] >= runs.end[:-1]).all()
    begins = window.columns(np.array([bar[0] for bar in bars], np.int64))
    assert (begins[runs.bar] == runs.origin).all()


def test_bars_begin_and_end_at_their_instants_at_the_closest_zoom():
    window = Window(1_000_000, 0.5, 50.0, 200)
    runs = find_runs([packed([(1_000_001, 1_000_003, 4)])], window)
    assert (runs.begin.tolist(), runs.end.tolist()) == ([25], [125])


def test_many_bars_in_few_pixels_are_thinned_before_they_are_looked_at(monkeypatch):
    looked_at = []
    true_columns = Window.columns
    monkeypatch.setattr(
        Window,
        "columns",
        lambda self, instants: looked_at.append(len(instants)) or true_columns(self, instants),
    )
    starts = np.arange(0, 2_000_000, 10, dtype=np.int64)
    lane = LaneBars(starts, starts + 10, np.ones(len(starts), np.uint8))
    runs = find_runs([lane], Window(0, 0.0, 100 / 2_000_000, 100))
    assert len(runs) == 100
    assert max(looked_at) <= 200


def nothing(span=3):
    return Cap(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((CODES, 0), np.uint32), span)


def stencil():
    fill = np.arange(CODES, dtype=np.uint32) + 1000
    corner = Cap(np.array([0]), np.array([0]), np.full((CODES, 1), 77, np.uint32), 3)
    return Stencil(
        fill=fill,
        edge=np.full(CODES, 500, np.uint32),
        crisp=corner,
        ragged=nothing(),
        fading=nothing(),
        tick=nothing(1),
        tail=nothing(),
        hatch=np.full((8, 6, 80), 900, np.uint32),
        hatch_side=8,
        hatch_least=8,
    )


def drawn(bars, window, *, joined=(), codes=None):
    canvas = Canvas(window.width, 10, pad=12, hairline=1)
    canvas.pixels[:] = 1
    runs = find_runs([packed(bars)], window)
    flags = {
        name: np.zeros(len(runs), np.bool_)
        for name in ("joined", "ticked", "ragged", "fading", "runs_on")
    }
    flags["joined"][list(joined)] = True
    canvas.draw(
        [Band(2, is_lit=False)], runs, Ends(**flags), bar_height=6, stencils=(stencil(),) * 2
    )
    return canvas.pixels[12:-12]


def test_a_bar_has_a_rim_sides_and_its_colour_inside():
    pixels = drawn([(5, 25, 3)], Window(0, 0.0, 1.0, 40))
    assert (pixels[:2] == 1).all()
    assert (pixels[8:] == 1).all()
    assert pixels[2, 5] == 77, "the corner is stamped"
    assert (pixels[2, 6:25] == 500).all()
    assert (pixels[3:7, 5] == 500).all()
    assert (pixels[3:7, 24] == 500).all()
    assert (pixels[3:7, 6:24] == 1003).all()
    assert (pixels[2:8, :5] == 1).all()
    assert (pixels[2:8, 25:] == 1).all()


def test_a_bar_that_runs_out_of_view_has_no_edge_there():
    pixels = drawn([(-100, 10, 3)], Window(0, 0.0, 1.0, 40))
    assert (pixels[3:7, 0:9] == 1003).all()


def test_joined_bars_have_no_edge_between_them():
    pixels = drawn([(0, 10, 3), (10, 30, 3)], Window(-5, 0.0, 1.0, 40), joined=(1,))
    assert (pixels[3:7, 15] == 1003).all()


def test_a_disputed_bar_is_hatched_between_its_edges():
    pixels = drawn([(5, 25, 1 + 16)], Window(0, 0.0, 1.0, 40))
    assert (pixels[3:7, 6:24] == 900).all()
    assert (pixels[3:7, 5] == 500).all()


def test_a_picture_without_lanes_stays_as_it_was():
    canvas = Canvas(20, 10, pad=4, hairline=1)
    canvas.rows(-8, 3, 9)
    canvas.draw([], find_runs([], Window(0, 0.0, 1.0, 20)), None, bar_height=6, stencils=())
    assert (canvas.pixels[:7] == 9).all()
    assert (canvas.pixels[7:] == 0).all()
