"""A plan in sentences and as lanes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store import Interval, Outcome, Plan
from store.query import Mark
from store.temporal import to_micros
from workbench.widgets.plan_view import (
    PlanView,
    bar_of,
    focus_of,
    near,
    plan_lanes,
    plan_sentences,
)

BEGINS = datetime(2026, 6, 1, tzinfo=UTC)


def day(number):
    return BEGINS + timedelta(days=number)


def stretch(value, first, last=None, *, memory_id="", attribute="tier", slot=""):
    return Interval(
        memory_id=memory_id or str(value),
        subject="mira",
        attribute=attribute,
        owner="",
        slot=slot,
        value=value,
        valid_from=day(first),
        valid_to=None if last is None else day(last),
    )


def plan(*, closed=(), opened=(), before=(), after=(), outcome=Outcome.APPLIED):
    return Plan(
        outcome=outcome, reason="", closed=closed, opened=opened, before=before, after=after
    )


def said(**parts):
    return [it.replace("\u2068", "").replace("\u2069", "") for it in plan_sentences(plan(**parts))]


@pytest.mark.parametrize(
    ("closed", "opened", "sentences"),
    [
        (
            [stretch("gold", 0)],
            [stretch("platinum", 0)],
            [
                "“gold” no longer holds from 1 Jun 2026 on.",
                "“platinum” holds from 1 Jun 2026 on.",
            ],
        ),
        (
            [stretch("gold", 0)],
            [stretch("gold", 0, 9)],
            ["“gold” from 1 Jun 2026 now ends 10 Jun 2026."],
        ),
        ([stretch("gold", 0, 9)], [stretch("gold", 0)], ["“gold” from 1 Jun 2026 no longer ends."]),
        (
            [stretch("gold", 0, 9)],
            [stretch("gold", 0, 4)],
            ["“gold” from 1 Jun 2026 ends 5 Jun 2026 instead of 10 Jun 2026."],
        ),
        (
            [stretch("gold", 4)],
            [stretch("gold", 2)],
            ["“gold” begins 3 Jun 2026 instead of 5 Jun 2026."],
        ),
        (
            [stretch("gold", 0, memory_id="m")],
            [stretch("golden", 0, memory_id="m")],
            ["“gold” from 1 Jun 2026 becomes “golden”."],
        ),
        (
            [stretch("gold", 0, 9)],
            [],
            ["“gold” no longer holds from 1 Jun 2026 to 10 Jun 2026."],
        ),
        ([], [], ["What can be read stays as it is."]),
    ],
)  # fmt: skip
def test_what_changes_is_said_stretch_by_stretch(closed, opened, sentences):
    assert said(closed=closed, opened=opened) == sentences


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (Outcome.KNOWN, "knows"),
        (Outcome.CORROBORATED, "evidence"),
        (Outcome.CONFLICT, "conflicts"),
    ],
)
def test_an_outcome_that_changes_nothing_is_said(outcome, word):
    assert word in said(outcome=outcome)[0]


def test_a_value_cannot_reorder_or_break_the_sentence():
    (sentence,) = plan_sentences(plan(opened=[stretch("evil\u202e\nvalue", 0)]))
    assert "\u202e" not in sentence
    assert "\n" not in sentence
    assert "⟨U+202E⟩" in sentence


def test_lanes_show_each_key_now_and_after():
    gold, platinum = stretch("gold", 0), stretch("platinum", 0, slot="x")
    lanes = plan_lanes(plan(opened=[platinum], before=[gold], after=[gold, platinum]))
    assert [lane.caption for lane in lanes] == ["Now", "After", "beside it"]
    assert [len(lane.bars) for lane in lanes] == [1, 1, 1]
    qualified = stretch("platinum", 0, attribute="tier (work)")
    lanes = plan_lanes(plan(opened=[qualified], before=[gold], after=[gold, qualified]))
    assert lanes[-1].caption == "tier (work)"


def test_known_marks_are_kept():
    gold = stretch("gold", 0)
    known = {("gold", to_micros(BEGINS)): int(Mark.ASSUMED)}
    lanes = plan_lanes(plan(before=[gold], after=[gold]), marks=known)
    assert lanes[0].bars[0].marks == Mark.ASSUMED


def test_of_a_long_lane_only_what_is_near_is_shown():
    bars = [bar_of(stretch(f"v{number}", number, number + 1)) for number in range(1000)]
    shown = near(bars, (to_micros(day(500)), to_micros(day(500))))
    assert len(shown) < 12
    assert bar_of(stretch("v500", 500, 501)) in shown
    assert near(bars, None)[-1] == bars[-1]
    everything = near(bars, (to_micros(day(0)), to_micros(day(999))))
    assert len(everything) < 40


def test_the_focus_holds_every_bound_that_changes():
    changed = plan(closed=[stretch("gold", 3)], opened=[stretch("gold", 3, 9)])
    assert focus_of(changed) == (to_micros(day(3)), to_micros(day(9)))
    assert focus_of(plan()) is None


def test_the_view_says_problems_and_cuts_long_plans(qtbot):
    view = PlanView()
    qtbot.addWidget(view)
    many = [stretch(f"v{number}", number, number + 1) for number in range(30)]
    view.show_plan(plan(opened=many, after=many), now_at=0)
    assert len(view.sentences.splitlines()) == 7
    assert "24" in view.sentences
    view.show_problem("It cannot be done.")
    assert view.sentences == "It cannot be done."
    assert view.accessibleDescription() == "It cannot be done."
