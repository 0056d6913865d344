"""The report as Markdown: what it says, and that hostile text is read as text by a parser."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from store.audit.format import Selection
from store.audit.plain import code_span, render_markdown
from store.audit.showing import shown_name, shown_value
from store.audit.words import LANGUAGES
from store.encoding import visible
from tests.conformance.scene import day
from tests.unit.store.audit.report_stories import demo_story, empty_story, hostile_story
from tests.unit.store.audit.verifying import files_of, random_store

_NASTY = (
    "``` code", "`", "``", " ` ", "\n# heading\n", "](http://example.com)", "[a](b)", "<b>",
    "<!-- ", "http://example.com", "me@example.com", "*bold*", "__", "\\", "|", "&amp;", "  ",
    "\u202e", "---\n", "    indented", "![x](y)", "1. ", "- ",
)  # fmt: skip
_HOSTILE = st.lists(st.one_of(st.sampled_from(_NASTY), st.text(max_size=20)), min_size=1).map(
    "".join
)
_PLAIN = {
    "paragraph_open", "paragraph_close", "inline", "heading_open", "heading_close",
    "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close", "code_block",
}  # fmt: skip


def text_of(story, language="en"):
    return "".join(render_markdown(story, language))


def tokens_of(text):
    """Read Markdown as the standard has it, with HTML allowed and every extension on."""
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)


@settings(max_examples=80, deadline=None)
@given(text=_HOSTILE.map(visible).filter(lambda text: text.strip(" ")))
def test_a_code_span_gives_its_text_back(text):
    (paragraph,) = [t for t in tokens_of(f"a {code_span(text)} z") if t.type == "inline"]
    kinds = [child.type for child in paragraph.children]
    assert kinds == ["text", "code_inline", "text"]
    assert paragraph.children[1].content == text


@settings(max_examples=60, deadline=None)
@given(text=_HOSTILE.filter(lambda text: visible(text).strip(" ")))
@example(text="".join(_NASTY))
@example(text="`" * 300 + "z")
def test_whatever_a_store_holds_stays_text(text):
    tokens = tokens_of(text_of(hostile_story(text)))
    assert {token.type for token in tokens} <= _PLAIN
    children = [child for token in tokens if token.type == "inline" for child in token.children]
    assert {child.type for child in children} <= {"text", "code_inline", "softbreak"}
    spans = {child.content for child in children if child.type == "code_inline"}
    assert shown_name(text) in spans
    assert shown_value(json.dumps(text, ensure_ascii=False)).text in spans
    plain = "".join(child.content for child in children if child.type == "text")
    assert not set(plain) & set("<[]|*_\\`")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_demo_reads_as_headings_lists_and_paragraphs(language):
    tokens = tokens_of(text_of(demo_story(), language))
    assert {token.type for token in tokens} == _PLAIN
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    assert levels.count(1) == 1
    assert max(levels) == 3


def test_facts_conflicts_and_transactions_are_told():
    story = demo_story()
    text = text_of(story)
    for fact in story.facts.items:
        assert f"- `{fact.attribute}`: " in text
    for conflict in story.conflicts.items:
        assert f"### `{conflict.subject}` · `{conflict.attribute}`" in text
    for transaction in story.transactions.items:
        assert f"`{transaction.digest[:12]}`" in text
    assert f"    python3 -I verify.py --head {story.head}\n" in text


def test_an_empty_record_says_so():
    assert "The record is empty: nothing has been written yet." in text_of(empty_story())


def test_the_same_story_gives_the_same_bytes():
    assert text_of(demo_story()) == text_of(demo_story())


def test_what_a_filter_leaves_out_takes_one_line_for_each_run():
    files = files_of(random_store(1), Selection(subject="mira"))
    section = files["report.md"].decode().split("## Transactions")[1].split("## ")[0]
    told = []
    for first, last in re.findall(r"^- ([0-9,]+)(?:–([0-9,]+))?: ", section, re.MULTILINE):
        begin = int(first.replace(",", ""))
        told += range(begin, int((last or first).replace(",", "")) + 1)
    headers = [json.loads(it) for it in files["transactions.jsonl"].splitlines()]
    assert told == [header["number"] for header in headers]
    outside = ["commitment" in header for header in headers]
    runs = sum(now and not before for before, now in zip([False, *outside], outside, strict=False))
    assert section.count("outside the scope") == runs > 0


def test_a_window_has_pictures_of_what_held_in_it_only():
    store = random_store(1)
    facts = files_of(store, Selection(window=(day(2), day(3))))
    held = {
        tuple(json.loads(it)[name] for name in ("subject", "attribute", "owner", "slot"))
        for it in facts["facts.jsonl"].splitlines()
    }
    keys = json.loads(facts["manifest.json"])["counts"]["keys"]
    pictures = facts["report.html"].count(b'class="lane-name"')
    assert 0 < len(held) < keys
    assert pictures == len(held)
