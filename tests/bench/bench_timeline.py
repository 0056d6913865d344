"""Prints what a frame of the timeline costs: CPU milliseconds, median and 95th percentile.

``.venv/bin/python tests/bench/bench_timeline.py`` (offscreen unless QT_QPA_PLATFORM says
otherwise). A frame is: move the view, repaint everything, process events. CPU of the whole process,
Qt's threads included. With the Wikidata statements of ``../shared`` and with synthetic lanes.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import json
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtWidgets import QApplication

from store.query import Bar, Density, Lane, LaneKey, Mark, SubjectLanes
from store.temporal import to_micros
from tests.support import find_shared
from workbench import theme
from workbench.panels.timeline.items import PAGE, pack_lanes
from workbench.panels.timeline.presenter import LaneSource, TimelinePresenter
from workbench.panels.timeline.view import TimelineView

FRAMES = 120
SIZE = (1600, 900)


class Lanes(LaneSource):
    """Answers at once from a list."""

    def __init__(self, lanes):
        self.all = lanes
        counts = defaultdict(int)
        for lane in lanes:
            counts[lane.key.subject] += 1
        self.subjects = [SubjectLanes(name, count, "fact", 0) for name, count in counts.items()]
        # Packing happens on a reading thread, so a frame does not pay for it.
        self.pages = {
            first: pack_lanes(first, lanes[first : first + PAGE])
            for first in range(0, len(lanes), PAGE)
        }
        self.starts = np.array([bar.valid_from for lane in lanes for bar in lane.bars])

    def outline(self, question, *, done, failed):
        done(self.subjects)

    def lanes(self, question, *, first, count, done, failed):
        done(self.pages[first])

    def density(self, question, *, buckets, done, failed):
        begins, ends = int(self.starts.min()), int(self.starts.max()) + 1
        counts, _ = np.histogram(self.starts, bins=buckets, range=(begins, ends))
        done(Density(begins, ends, tuple(counts.tolist()), ()))

    def cancel(self):
        pass


def year(number):
    """Return the beginning of a year, microseconds."""
    return to_micros(datetime(min(max(number, 1), 9999), 1, 1, tzinfo=UTC))


def wikidata_lanes(folder):
    """Return the statements of Wikidata12k as lanes: years as imprecise bounds."""
    path = folder / "data/temporal_kg/wikidata12k_yago11k/WIKIDATA12k/train.txt"
    by_key = defaultdict(list)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        subject, relation, value, begins, ends = line.split("\t")
        if int(begins) > 0:
            end = None if int(ends) >= 3000 else year(int(ends) + 1)
            by_key[subject, relation].append((year(int(begins)), end, value, number))
    lanes = []
    for (subject, relation), rows in sorted(by_key.items()):
        slots = []  # bars of one lane never overlap: what overlaps goes to a slot of its own
        for begins, end, value, number in sorted(rows, key=lambda row: row[0]):
            for slot in slots:
                if slot[-1].valid_to is not None and slot[-1].valid_to <= begins:
                    break
            else:
                slot = []
                slots.append(slot)
            slot.append(Bar(begins, end, f"m{number}", json.dumps(value), int(Mark.IMPRECISE)))
        lanes += [
            Lane(LaneKey("", subject, relation, str(n) if n else ""), "fact", 0, tuple(slot))
            for n, slot in enumerate(slots)
        ]
    return lanes


def synthetic_lanes(rows, bars_for_row):
    """Return lanes of bars at random in ten years, with gaps and all kinds of marks."""
    random = np.random.default_rng(7)
    begins, ends = year(2016), year(2026)
    values = [json.dumps(f"value {number}") for number in range(60)]
    lanes = []
    for row in range(rows):
        bounds = np.sort(random.integers(begins, ends, 2 * bars_for_row)).tolist()
        chosen = random.integers(0, len(values), bars_for_row).tolist()
        kinds = random.choice([0, 0, 0, 0, 0, 1, 4, 8], bars_for_row).tolist()
        gaps = random.random(bars_for_row) < 0.3
        bars = []
        for number in range(bars_for_row):
            start = bounds[2 * number]
            last = number + 1 == bars_for_row
            end = bounds[2 * number + 1] if gaps[number] or last else bounds[2 * number + 2]
            if end > start:
                bars.append(
                    Bar(start, end, f"{row}-{number}", values[chosen[number]], kinds[number])
                )
        key = LaneKey("", f"subject {row // 8}", f"attribute {row % 8}", "")
        lanes.append(Lane(key, "fact", 0, tuple(bars)))
    return lanes


def measure(app, view, name, move):
    """Print the cost of frames between which `move` is called with their number."""
    costs = []
    for frame in range(FRAMES):
        before = time.process_time()
        move(frame)
        view.repaint()
        app.processEvents()
        costs.append((time.process_time() - before) * 1000)
    median, p95 = np.percentile(costs, [50, 95])
    print(f"  {name:<34}{median:7.2f}{p95:8.2f}{max(costs):8.2f}")


def run(app, name, lanes):
    """Measure one set of lanes."""
    bars = sum(len(lane.bars) for lane in lanes)
    source = Lanes(lanes)
    print(f"{name}: {bars:,} bars, {len(lanes):,} lanes, {len(source.subjects):,} subjects")
    presenter = TimelinePresenter()
    view = TimelineView(presenter)
    view.resize(*SIZE)
    before = time.process_time()
    presenter.set_source(source)
    view.show()
    app.processEvents()
    view.repaint()
    print(f"  first frame {(time.process_time() - before) * 1000:6.0f} ms")
    print(f"  {'CPU ms':<34}{'median':>7}{'p95':>8}{'worst':>8}")
    state = view.state
    begins, ends = presenter.density.valid_from, presenter.density.valid_to
    across = ends - begins
    state.set_span(begins + across * 45 // 100, begins + across * 55 // 100)
    measure(
        app, view, "pan, a tenth in view", lambda frame: state.pan(7 if frame % 40 < 20 else -7)
    )
    state.set_span(begins, ends)
    measure(
        app, view, "pan, all time in view", lambda frame: state.pan(7 if frame % 40 < 20 else -7)
    )
    state.set_span(begins, ends)
    measure(app, view, "zoom 1 to 1,000 times", lambda frame: state.zoom(1000 ** (1 / FRAMES), 900))
    state.set_span(begins, ends)
    most = state.top_most
    measure(app, view, "scroll by 90 px, all time", lambda frame: state.scroll_to(frame * 90))
    measure(
        app,
        view,
        "jump over all lanes, all time",
        lambda frame: state.scroll_to(most * ((frame * 37) % FRAMES) // FRAMES),
    )
    state.set_span(begins + across * 45 // 100, begins + across * 55 // 100)
    measure(app, view, "scroll by 90 px, a tenth", lambda frame: state.scroll_to(frame * 90))
    canvas = view.canvas
    before = time.process_time()
    for number in range(2000):
        canvas.hit(number % SIZE[0], 60 + number % 700)
    print(f"  {'hit test, microseconds':<34}{(time.process_time() - before) / 2000 * 1e6:7.1f}")
    view.close()
    view.deleteLater()
    app.processEvents()


def main():
    """Measure with real and with synthetic lanes."""
    app = QApplication([])
    theme.apply_theme(app, theme.load_theme("light"))
    shared = find_shared()
    if shared is not None:
        run(app, "Wikidata", wikidata_lanes(shared))
    run(app, "synthetic", synthetic_lanes(10_000, 100))


if __name__ == "__main__":
    main()
