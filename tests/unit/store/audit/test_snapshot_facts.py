"""The facts of a snapshot are what the store says they are, as of any point."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import AsOf, Fact, FactQuery, LaneFilter
from store.audit import Selection, count_snapshot
from store.audit.facts import Held, Run, fact_lines, gaps_of, held_of, runs_of
from store.audit.lines import texts_of
from store.audit.tables import COLUMNS
from store.audit.walk import KnownKey, Question, Walk
from store.canonical import canonical
from store.model import RowKind
from store.temporal import iso, to_micros
from tests.conformance.played import STEPS, step
from tests.conformance.scene import LATER, Desk, all_facts, day
from tests.unit.store.audit.audit_scene import (
    TODAY,
    Written,
    lines_of,
    new_desk,
    populate,
    table_of,
    taken,
)

LEFT_OUT = {"last_confirmed_at", "superseded_at"}


def said_of(fact: Fact) -> dict[str, Any]:
    """What a line of `facts.jsonl` should say of a fact."""
    said: dict[str, Any] = {}
    for name in Fact.model_fields:
        value = getattr(fact, name)
        if isinstance(value, datetime):
            value = iso(to_micros(value))
        if name == "evidence":
            value = [
                {
                    "episode_id": link.episode_id,
                    "span": None if link.span is None else [link.span.start, link.span.end],
                    "transaction": link.transaction,
                }
                for link in value
            ]
        if name not in LEFT_OUT:
            said[name] = value
    return said


def expected(desk: Desk, known: int, **query: Any) -> list[dict[str, Any]]:
    at = query.pop("at", None)
    window = query.pop("window", None)
    as_of = desk.as_of(known, at)
    if at is None:
        as_of = AsOf(as_of.known_at, as_of.known_at)
    facts = all_facts(desk, FactQuery(**query, history=window is not None), as_of=as_of)
    if window is not None:
        begins, ends = map(day, window)
        facts = [
            f for f in facts if f.valid_from < ends and (f.valid_to is None or begins < f.valid_to)
        ]
    facts.sort(key=lambda f: (f.subject, f.attribute, f.owner, f.slot, f.valid_from))
    return [said_of(fact) for fact in facts]


@pytest.fixture(scope="module")
def desk() -> Desk:
    found = new_desk()
    populate(found)
    return found


@pytest.mark.parametrize("at", [-1, 2, 12, 45, 60, TODAY, 100])
def test_facts_are_those_of_the_store_at_any_instant(desk: Desk, tmp_path: Path, at: int) -> None:
    for known in range(2, desk.newest + 1, 5):
        taken(desk, tmp_path / str(known), number=known, valid_at=day(at))
        said = lines_of(tmp_path / str(known), "facts.jsonl")
        assert said == expected(desk, known, at=at), known


def test_without_an_instant_it_is_when_the_transaction_was_recorded(
    desk: Desk, tmp_path: Path
) -> None:
    manifest = taken(desk, tmp_path / "s")
    assert lines_of(tmp_path / "s", "facts.jsonl") == expected(desk, desk.newest)
    recorded = iso(to_micros(desk.head.recorded_at))  # type: ignore[arg-type]
    assert manifest.arguments.valid_at == manifest.as_of.recorded_at == recorded


@pytest.mark.parametrize("window", [(-5, 0), (0, 5), (11, 12), (20, 45), (0, 1000)])
def test_a_window_has_every_interval_that_touches_it(
    desk: Desk, tmp_path: Path, window: tuple[int, int]
) -> None:
    period = day(window[0]), day(window[1])
    taken(desk, tmp_path / "s", window=period, valid_at=day(12))
    said = lines_of(tmp_path / "s", "facts.jsonl")
    assert said == expected(desk, desk.newest, at=12, window=window)


@pytest.mark.parametrize(
    "names",
    [
        {"subject": "mira"},
        {"attribute": "name"},
        {"memory_type": "preference"},
        {"memory_type": "fact", "subject": "Ada"},
        {"subject": "nobody"},
    ],
)
def test_a_filter_has_what_the_same_query_has(
    desk: Desk, tmp_path: Path, names: dict[str, str]
) -> None:
    manifest = taken(desk, tmp_path / "s", **names, valid_at=day(12))
    said = lines_of(tmp_path / "s", "facts.jsonl")
    assert said == expected(desk, desk.newest, at=12, **names)
    assert manifest.counts.facts.in_scope == len(said)


def test_the_table_says_the_same(desk: Desk, tmp_path: Path) -> None:
    taken(desk, tmp_path / "s", window=(day(0), day(1000)))
    rows, facts = table_of(tmp_path / "s"), lines_of(tmp_path / "s", "facts.jsonl")
    assert len(rows) == len(facts) > 10
    assert sorted(COLUMNS) == sorted(facts[0])
    for row, fact in zip(rows, facts, strict=True):
        for name, cell in row.items():
            value = fact[name]
            as_json = name in ("value", "evidence") or not isinstance(value, str)
            shown = canonical(value) if as_json else value
            assert cell == ("" if value is None and name != "value" else shown), name


def test_the_counts_are_those_of_the_files(desk: Desk, tmp_path: Path) -> None:
    counts = taken(desk, tmp_path / "s").counts
    assert count_snapshot(desk.store, desk.scope) == counts
    facts = lines_of(tmp_path / "s", "facts.jsonl")
    assert counts.facts.in_scope == len(facts)
    assert counts.facts.disputed == sum(fact["disputed"] for fact in facts)
    assert counts.facts.by_basis["stated"] == len(facts)
    assert (counts.facts.with_source, counts.facts.without_source) == (len(facts), 0)
    summary = desk.store.summary(desk.scope)
    assert counts.conflicts.open == summary.conflicts_open == 2
    assert counts.conflicts.settled_by_person == 1
    assert counts.episodes.total == summary.episodes
    lanes = desk.store.lanes(desk.scope, LaneFilter())
    assert counts.keys >= len(lanes)
    gaps = [
        bar
        for lane in lanes
        for bar, after in zip_longest(lane.bars, lane.bars[1:])
        if bar.valid_to is not None and (after is None or after.valid_from != bar.valid_to)
    ]
    assert counts.gaps == len(gaps) == 1


def test_gaps_lie_after_stretches() -> None:
    runs = [Run("a", 0, 1, 0, 5), Run("b", 1, 2, 5, 9), Run("c", 3, 4, 12, 20)]
    assert list(gaps_of(runs)) == [(runs[1], runs[2]), (runs[2], None)]
    assert list(gaps_of([])) == []
    assert list(gaps_of([Run("a", 0, 1, 0, None)])) == []


class Told:
    """Takes the facts of a record without writing them down."""

    def __init__(self, walk: Walk) -> None:
        self._clock = walk.clock
        self.facts_told: list[dict[str, Any]] = []

    def facts(self, known: KnownKey, held: Sequence[Held]) -> None:
        names = texts_of(known.key)
        for fact in held:
            recorded_at = iso(self._clock[fact.row.tx_from])
            line, _ = fact_lines(
                fact, known.key, names, known.memory_type, recorded_at, withheld=False
            )
            self.facts_told.append(json.loads(line))

    def __getattr__(self, name: str) -> Any:
        return lambda *_args, **_more: None


def told(desk: Desk, known: int, at: int, window: tuple[int, int] | None) -> list[dict[str, Any]]:
    with desk.store.history(desk.scope, known) as history:
        assert history.head.recorded_at is not None
        recorded_at = to_micros(history.head.recorded_at)
        period = None if window is None else (to_micros(day(window[0])), to_micros(day(window[1])))
        walk = Walk(history, Question(Selection(), recorded_at, to_micros(day(at)), period))
        listener = Told(walk)
        walk.run(listener)
    return listener.facts_told


@settings(max_examples=30)
@given(steps=st.lists(step, min_size=4, max_size=STEPS), at=st.integers(-1, 20))
def test_facts_are_those_of_the_store_over_random_histories(
    steps: list[tuple[str, int, int, int, int]], at: int
) -> None:
    desk = new_desk()
    desk.clock.now = day(LATER)
    played = Written(desk)
    for kind, *drawn in steps:
        played.play(kind, *drawn)
    with desk.store:
        for known in range(1, desk.newest + 1):
            assert told(desk, known, at, None) == expected(desk, known, at=at)
        window = (2, 7)
        assert told(desk, known, at, window) == expected(desk, known, at=at, window=window)


def test_stretches_are_told_apart_by_fact_and_gap(desk: Desk) -> None:
    with desk.store.history(desk.scope) as history:
        rows = [r for r in history.rows() if r.tx_to is None and r.key.subject == "mira"]
    city = [row for row in rows if row.key.attribute == "city"]
    runs = runs_of(city)
    assert [run.valid_to for run in runs][-1] is None
    assert all(city[run.first].kind is not RowKind.END for run in runs)
    held = list(held_of(city, runs, links=[], cases=[], valid_at=to_micros(day(5)), window=None))
    assert [h.valid_from for h in held] == [to_micros(day(1))]
    assert count_snapshot(desk.store, desk.scope, Selection(subject="mira")).subjects == 1
