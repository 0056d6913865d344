"""Timeline pictures: bars where their instants are, with the signs of what they say."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.audit.picture import WIDTH, axis_of, definitions, draw, fitted, legend, text_width, ticks
from store.audit.story import Asked, ToldLane, ToldStretch, excerpt_of
from store.audit.words import LANGUAGES, Words
from store.encoding import tint_of
from store.query import Mark
from store.temporal import EARLIEST, LATEST
from tests.unit.store.audit.report_stories import demo_story

DAY = 86_400_000_000
JUNE = 1_780_272_000_000_000  # 2026-06-01
ASKED = Asked(valid_at=JUNE + 20 * DAY)
WORDS = Words("en")


def stretch(begins, ends=None, value='"a"', marks=0):
    return ToldStretch(
        valid_from=JUNE + begins * DAY,
        valid_to=None if ends is None else JUNE + ends * DAY,
        value=value,
        marks=marks,
    )


def lane(*stretches, attribute="attribute", **rest):
    return ToldLane(subject="s", attribute=attribute, memory_type="t", stretches=stretches, **rest)


def drawn(*lanes, asked=ASKED):
    axis = axis_of(lanes, asked)
    svg = draw(lanes, axis=axis, asked=asked, words=WORDS, name="name", ident="p-1")
    return axis, ET.fromstring(svg)


def of_class(svg, name):
    return [node for node in svg.iter() if name in node.get("class", "").split()]


def left_of(path):
    """The leftmost place of an outline that begins with its upper left corner."""
    return float(path.get("d")[1:].split(" ")[0])


def test_bars_begin_at_their_instants_and_end_where_the_next_begins():
    axis, svg = drawn(lane(stretch(0, 10), stretch(10, 25, '"b"'), stretch(25)))
    bars = of_class(svg, "bar")
    assert len(bars) == 3
    for bar, at in zip(bars, (0, 10, 25), strict=True):
        assert left_of(bar) - 3 == pytest.approx(axis.x(JUNE + at * DAY), abs=0.06)
    ends = axis.x(JUNE + 10 * DAY) - 0.8
    assert f"H{ends - 3:.1f}".removesuffix(".0") in bars[0].get("d")


def test_an_open_end_points_on_and_an_end_does_not():
    _, svg = drawn(lane(stretch(0, 10)), lane(stretch(0)))
    closed, is_open = of_class(svg, "bar")
    assert "l7 9l-7 9" in is_open.get("d")
    assert "l7 9" not in closed.get("d")


def test_states_and_marks_have_signs_besides_colours():
    _, svg = drawn(
        lane(stretch(0, 10, marks=Mark.DISPUTED), open_conflicts=1),
        lane(stretch(30)),
        lane(stretch(0, marks=Mark.IMPRECISE)),
        lane(stretch(0, marks=Mark.ASSUMED)),
        lane(stretch(0, 5), stretch(9)),
    )
    assert len(of_class(svg, "hatched")) == 1
    assert len(of_class(svg, "sign")) == 2  # in the bar, and beside the lane's name
    assert len(of_class(svg, "later")) == 1
    assert len(of_class(svg, "fade")) == 1
    assert len(of_class(svg, "gap")) == 1
    ragged = [bar for bar in of_class(svg, "bar") if bar.get("d").count("l3-3l-3-3") == 3]
    assert len(ragged) == 1


def test_the_tints_are_the_screens():
    _, svg = drawn(lane(stretch(0, 10, '"Porto"'), stretch(10, None, '"Lisbon"')))
    one, other = of_class(svg, "bar")
    assert one.get("class") == f"bar t{tint_of(chr(34) + 'Porto' + chr(34))}"
    assert other.get("class") == f"bar t{tint_of(chr(34) + 'Lisbon' + chr(34))}"


def test_what_is_withheld_has_no_tint_of_its_own():
    _, svg = drawn(lane(stretch(0, 10, None), stretch(10, None, None)))
    assert {bar.get("class") for bar in of_class(svg, "bar")} == {"bar t7"}
    assert [text.text for text in of_class(svg, "value")] == ["withheld", "withheld"]


def test_all_text_is_text_and_the_picture_can_be_heard():
    _, svg = drawn(lane(stretch(0, 10, marks=Mark.IMPRECISE), stretch(30, None, "[1]")))
    assert svg.get("role") == "img"
    title, desc = svg[0], svg[1]
    assert (title.tag, title.text) == ("title", "name")
    assert svg.get("aria-labelledby") == title.get("id")
    assert svg.get("aria-describedby") == desc.get("id")
    said = desc.text.replace("\u00a0", " ")
    assert "a, 1 Jun 2026 → 11 Jun 2026, ended, imprecise start; [1], 1 Jul 2026" in said
    assert "until changed, future." in said
    titles = [node.text for node in svg.iter("title")][1:]
    assert len(titles) == 2


def test_the_instant_asked_about_is_drawn_and_named_once():
    axis, svg = drawn(lane(stretch(0)))
    (line,) = of_class(svg, "at")
    assert left_of(line) == pytest.approx(axis.x(ASKED.valid_at), abs=0.06)
    (label,) = of_class(svg, "at-when")
    assert label.text == "21\u00a0Jun\u00a02026"


def test_a_window_is_drawn_from_its_beginning_to_its_end():
    asked = Asked(valid_at=JUNE + 100 * DAY, window=(JUNE, JUNE + 30 * DAY))
    axis, svg = drawn(lane(stretch(-20, 10), stretch(40)), asked=asked)
    assert (axis.begins, axis.ends) == asked.window
    assert of_class(svg, "at") == []
    (bar,) = of_class(svg, "bar")
    assert "l-7-9" in bar.get("d")  # it began before, and points back


def test_a_bound_that_lies_far_from_all_others_is_left_outside():
    lanes = [lane(stretch(n, n + 5)) for n in range(20)] + [lane(stretch(-20_000))]
    axis = axis_of(lanes, ASKED)
    assert axis.begins > JUNE - 30 * DAY
    both = axis_of([lane(stretch(0)), lane(stretch(-20))], ASKED)
    assert both.begins < JUNE - 20 * DAY


def test_a_repeated_name_is_written_once():
    _, svg = drawn(lane(stretch(0)), lane(stretch(3)), lane(stretch(3), attribute="other"))
    assert [text.text for text in of_class(svg, "lane-name")] == ["attribute", "other"]


@settings(max_examples=150, deadline=None)
@given(
    begins=st.integers(EARLIEST, LATEST - 1),
    length=st.integers(1, LATEST - EARLIEST),
    language=st.sampled_from(LANGUAGES),
)
def test_an_axis_of_any_length_has_a_few_ticks_in_order(begins, length, language):
    ends = min(begins + length, LATEST)
    axis = axis_of([], Asked(valid_at=begins, window=(begins, ends)))
    found = ticks(axis, Words(language))
    assert len(found) <= 12
    assert all(axis.begins <= tick.at < axis.ends for tick in found)
    assert all(one.at < other.at for one, other in pairwise(found))
    assert all(0 < text_width(tick.label, 10.5) < 90 for tick in found)


@given(text=st.text(max_size=60), room=st.floats(0, 300))
def test_a_label_fits_or_is_cut_or_left_out(text, room):
    label = fitted(text, room, 11.5)
    assert text_width(label, 11.5) <= room or not label
    assert label in {text, ""} or (label.endswith("…") and text.startswith(label[:-1].rstrip()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_of_the_demo_is_well_formed_and_keeps_its_labels_inside(language):
    story = demo_story()
    words = Words(language)
    subjects = sorted({told.subject for told in story.lanes.items})
    for subject in subjects:
        lanes = [told for told in story.lanes.items if told.subject == subject]
        axis = axis_of(lanes, story.asked)
        svg = ET.fromstring(
            draw(lanes, axis=axis, asked=story.asked, words=words, name=subject, ident="p-1")
        )
        assert len(of_class(svg, "bar")) == sum(len(told.stretches) for told in lanes)
        for text in of_class(svg, "value"):
            assert float(text.get("x")) + text_width(text.text, 11.5) <= WIDTH


def test_the_legend_has_a_sample_of_every_sign():
    svg = ET.fromstring(f"<div>{definitions()}{legend(WORDS)}</div>")
    for sign in ("bar", "hatched", "sign", "later", "gap", "fade", "at"):
        assert of_class(svg, sign), sign
    assert {node.get("id") for node in svg.iter() if node.get("id")} == {"hatch", "gap", "fade"}


def test_an_excerpt_has_the_words_and_whole_words_around_them():
    content = "one two three " * 20 + "THE WORDS" + " four five six" * 20
    start = content.index("THE")
    excerpt = excerpt_of(content, (start, start + 9))
    assert excerpt.quoted == "THE WORDS"
    assert excerpt.is_cut_before
    assert excerpt.is_cut_after
    assert excerpt.before.split()[0] in {"one", "two", "three"}
    assert excerpt.after.split()[-1] in {"four", "five", "six"}
    assert excerpt.before + excerpt.quoted + excerpt.after in content


def test_a_long_quotation_is_cut_inside():
    excerpt = excerpt_of("x" * 5_000, None)
    assert (excerpt.before, len(excerpt.quoted), excerpt.after) == ("", 400, "")
    assert (excerpt.is_cut_before, excerpt.is_cut_inside, excerpt.is_cut_after) == (
        False,
        True,
        False,
    )
