"""Lanes, and a source of them, for the tests of the timeline."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime

from store.query import Bar, Density, Lane, LaneKey, SubjectLanes
from store.temporal import to_micros
from workbench.panels.timeline.items import pack_lanes
from workbench.panels.timeline.presenter import LaneSource

DAY = 86_400_000_000


def at(text):
    """Return the microseconds of an ISO 8601 text without an offset, in UTC."""
    return to_micros(datetime.fromisoformat(text).replace(tzinfo=UTC))


def bar(begins, ends, value, *, marks=0, memory_id=None):
    """Return a bar from texts."""
    text = json.dumps(value)
    identity = memory_id or f"{value}@{begins}"
    return Bar(at(begins), None if ends is None else at(ends), identity, text, int(marks))


def lane(subject, attribute, *bars, conflicts=0, slot="", owner=""):
    """Return a lane."""
    return Lane(LaneKey(owner, subject, attribute, slot), "profile", conflicts, bars)


def sample():
    """Return two subjects with five lanes around June 2026."""
    return [
        lane(
            "mira",
            "home_city",
            bar("2026-03-01", "2026-06-05", "Lisbon"),
            bar("2026-06-09", None, "Porto"),
        ),
        lane(
            "mira",
            "passport_deadline",
            bar("2026-05-30", "2026-06-01T09:00", "2026-08-01"),
            bar("2026-06-01T09:00", "2026-06-03T10:00", "2026-07-15"),
            bar("2026-06-03T10:00", None, "2026-06-30", marks=1),
            conflicts=1,
        ),
        lane("mira", "tier"),
        lane("northwind", "owner", bar("2026-01-01", None, "jana")),
        lane("northwind", "region", bar("2026-07-01", "2026-08-01", "eu")),
    ]


def many(count, *, bars=2, lanes_for_subject=4):
    """Return many lanes with bars of a day each."""
    begins = at("2026-01-01")
    return [
        Lane(
            LaneKey("", f"subject {row // lanes_for_subject:05}", f"attribute {row}", ""),
            "fact",
            0,
            tuple(
                Bar(begins + n * 2 * DAY, begins + (n * 2 + 1) * DAY, f"{row}-{n}", f'"{n}"', 0)
                for n in range(bars)
            ),
        )
        for row in range(count)
    ]


class Source(LaneSource):
    """Answers from a list: at once, or when `answer` is called if it holds answers back.

    Attributes:
        asked: what was asked for, by name and, for lanes, first position.
        held: answers not given yet.
    """

    def __init__(self, lanes, *, holds=False):
        self.lanes_held = list(lanes)
        self.holds = holds
        self.asked = []
        self.held = []
        self.cancels = 0
        self.problem = None

    def _give(self, name, make, done, failed):
        self.asked.append(name)

        def give():
            if self.problem is not None:
                failed(self.problem)
            else:
                done(make())

        if self.holds:
            self.held.append((name, give))
        else:
            give()

    def answer(self, name=None):
        """Give the answers held back, or those of a name, in the order of the questions."""
        chosen = [pair for pair in self.held if name is None or pair[0] == name]
        self.held = [pair for pair in self.held if pair not in chosen]
        for _, give in chosen:
            give()

    def outline(self, question, *, done, failed):
        self._give("outline", self._outline, done, failed)

    def lanes(self, question, *, first, count, done, failed):
        lanes = self.lanes_held[first : first + count]
        self._give(("lanes", first), lambda: pack_lanes(first, lanes), done, failed)

    def density(self, question, *, buckets, done, failed):
        self._give("density", lambda: self._density(buckets), done, failed)

    def cancel(self):
        self.cancels += 1

    def _outline(self):
        lanes = self.lanes_held
        counts = Counter(lane.key.subject for lane in lanes)
        conflicts = Counter()
        for lane in lanes:
            conflicts[lane.key.subject] += lane.open_conflicts
        return [SubjectLanes(s, n, "profile", conflicts[s]) for s, n in counts.items()]

    def _density(self, buckets):
        bars = [bar for lane in self.lanes_held for bar in lane.bars]
        if not bars:
            return Density(0, 0, (), ())
        bounds = [edge for bar in bars for edge in bar[:2] if edge is not None]
        begins, ends = min(bounds), max(bounds) + 1
        counts = [0] * buckets
        for item in bars:
            counts[(item.valid_from - begins) * buckets // (ends - begins)] += 1
        disputed = tuple(sorted(bar.valid_from for bar in bars if bar.marks & 1))
        return Density(begins, ends, tuple(counts), disputed)
