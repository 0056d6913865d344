"""The report as a page: what it says, and that nothing a store holds becomes markup on it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from store.audit.report import POLICY, render_html
from store.audit.showing import NAME_SHOWN, STATED_SHOWN, VALUE_SHOWN, shown_name, shown_value
from store.audit.story import EXCERPT_QUOTED, LANES_TOLD, Story, Told, ToldLane, ToldStretch
from store.audit.words import LANGUAGES
from store.encoding import visible
from store.errors import Invalid
from tests.support import ROOT
from tests.unit.store.audit.report_stories import demo_story, empty_story, hostile_story

_VOID = {"meta", "col", "stop", "path", "rect"}
_TAGS = {
    *("html", "head", "meta", "title", "style", "body", "div", "main", "header", "section", "nav"),
    *("article", "h1", "h2", "h3", "h4", "p", "a", "span", "bdi", "code", "pre", "time", "strong"),
    *("mark", "blockquote", "dl", "dt", "dd", "ul", "ol", "li", "table", "caption", "colgroup"),
    *("col", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "svg", "defs", "desc"),
    *("pattern", "linearGradient", "stop", "path", "rect", "g", "text"),
}
_PHRASING = {"a", "span", "bdi", "code", "time", "strong", "mark"}

#: What each attribute may be; the rest are words of the catalogues.
_ATTRIBUTES = {
    "class": r"[a-z0-9 -]+",
    "id": r"[a-z]+(-[a-z0-9]+)*",
    "href": r"#[a-z]+(-[0-9]+)?",
    "datetime": r"\d{4}-\d\d-\d\dT[0-9:.]+Z",
    "d": r"[-MLHVhvlqz0-9 .]+",
    "viewbox": r"0 0 \d+ \d+",
    "x": r"-?[0-9.]+",
    "y": r"-?[0-9.]+",
    "rx": r"[0-9.]+",
    "width": r"[0-9.]+|width=device-width",
    "height": r"[0-9.]+",
    "offset": r"[01]",
    "colspan": r"\d",
    "scope": "col|row|rowgroup",
    "role": "img",
    "lang": "en|es",
    "charset": "utf-8",
    "name": "viewport|color-scheme",
    "http-equiv": "Content-Security-Policy",
    "text-anchor": "middle",
    "patternunits": "userSpaceOnUse",
    "preserveaspectratio": "none",
    "focusable": "false",
    "aria-hidden": "true",
    "aria-labelledby": r"[a-z]+(-[a-z0-9]+)*",
    "aria-describedby": r"[a-z]+(-[a-z0-9]+)*",
}
_NASTY = (
    "<b onclick=alert(1)>bold</b>",
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    "</style></title></svg><img src=x onerror=alert(1)>",
    "]]><!--",
    "&lt;b&gt; &amp; &#60;script&#62;",
    "\u202egnp.exe\u202c\u200b\ufeff",
    "\x00\x1b[31m\r\n\t\x7f\x85\u2028",
    "javascript:alert(1)",
    "{n} {0} {tenant!r}",
    "\ud800",
    "=HYPERLINK()",
)


class _Reader(HTMLParser):
    """Reads a page strictly: every element is closed in its place."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.isolated: list[str] = []
        self.marked: list[str] = []
        self.data: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag, attrs):
        if self._open[-1:] == ["p"]:
            assert tag in _PHRASING, f"<{tag}> in a <p>"
        self.tags.append(tag)
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "bdi" and "blockquote" not in self._open:
            self.isolated.append("")
        if tag == "mark":
            self.marked.append("")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.data.append(data)
        if "mark" in self._open:
            self.marked[-1] += data
        elif "bdi" in self._open and "blockquote" not in self._open:
            self.isolated[-1] += data

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data}")

    def unknown_decl(self, data):
        pytest.fail(f"a declaration: {data}")

    def handle_pi(self, data):
        pytest.fail(f"an instruction: {data}")

    @property
    def text(self) -> str:
        return "".join(self.data)


def page_of(story: Story, language: str = "en") -> str:
    return "".join(render_html(story, language))


def read(page: str) -> _Reader:
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader._open == []
    return reader


@cache
def demo(language: str = "en") -> tuple[str, _Reader]:
    page = page_of(demo_story(), language)
    return page, read(page)


def check_markup(reader: _Reader) -> None:
    """Check that all markup is ours."""
    assert {tag.lower() for tag in reader.tags} <= {tag.lower() for tag in _TAGS}
    assert reader.tags.count("style") == 1
    for tag, name, value in reader.attributes:
        if name in {"data-label", "aria-label"}:
            assert not set(value) & set("<>&\"'")
        elif tag == "meta" and name == "content":
            assert value in {POLICY, "width=device-width, initial-scale=1", "light dark"}
        else:
            assert re.fullmatch(_ATTRIBUTES[name], value), (tag, name, value)


# --- hostile text ---------------------------------------------------------------------------------

_HOSTILE = st.lists(st.one_of(st.sampled_from(_NASTY), st.text(max_size=40)), min_size=1).map(
    "".join
)


@settings(max_examples=40, deadline=None)
@given(text=_HOSTILE)
@example(text="x" * 10_000)
@example(text="".join(_NASTY))
def test_whatever_a_store_holds_stays_text(text):
    reader = read(page_of(hostile_story(text)))
    check_markup(reader)


@settings(max_examples=40, deadline=None)
@given(text=_HOSTILE)
@example(text="x" * 10_000)
@example(text='"42"')
def test_what_is_read_is_the_visible_form(text):
    reader = read(page_of(hostile_story(text)))
    value = shown_value(json.dumps(text, ensure_ascii=False))
    expected = {
        shown_name(text),
        value.text,
        visible(text[:VALUE_SHOWN]),
        visible(text[:STATED_SHOWN]),
        "1:" + "ab" * 32,
    }
    assert shown_name(text) in reader.isolated
    assert value.text in reader.isolated
    assert set(reader.isolated) <= expected
    assert reader.marked == [visible(text[:EXCERPT_QUOTED])] * 5
    assert all(character in "\n" or visible(character) == character for character in reader.text)


def test_long_names_and_values_are_cut_and_it_says_how_much_is_missing():
    text = "y" * 10_000
    reader = read(page_of(hostile_story(text)))
    assert max(map(len, reader.isolated)) == VALUE_SHOWN
    assert "… and 9,500 more characters" in reader.text
    assert "y" * NAME_SHOWN + "…" in reader.text


def test_no_script_and_nothing_from_elsewhere():
    page, reader = demo()
    assert POLICY == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert ("meta", "content", POLICY) in reader.attributes
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(reader.tags)
    names = {name for _, name, _ in reader.attributes}
    assert not {name for name in names if name.startswith("on")} | names & {"src", "style"}
    style = page[page.index("<style>") : page.index("</style>")]
    assert "@import" not in style
    assert set(re.findall(r"url\(([^)]*)\)", style)) == {"#hatch", "#gap", "#fade"}


def test_a_head_that_is_none_stays_out_of_the_style_sheet():
    story = replace(empty_story(), digest='"} body { display: none')
    page = page_of(story)
    assert "display: none }" not in page[: page.index("</style>")]
    assert 'content: "0:…"' in page


# --- what it says ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_link_leads_somewhere(language):
    _, reader = demo(language)
    idents = [value for _, name, value in reader.attributes if name == "id"]
    assert len(idents) == len(set(idents))
    links = {value[1:] for _, name, value in reader.attributes if name == "href"}
    named = {
        value for _, name, value in reader.attributes if name.startswith("aria-") and "by" in name
    }
    assert links
    assert links | named <= set(idents)


def test_tables_have_captions_and_heads_with_a_scope():
    _, reader = demo()
    assert reader.tags.count("caption") == reader.tags.count("table") >= 8
    scopes = [value for tag, name, value in reader.attributes if (tag, name) == ("th", "scope")]
    assert len(scopes) == reader.tags.count("th")
    headings = [int(tag[1]) for tag in reader.tags if re.fullmatch("h[1-4]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(headings))


def test_every_fact_is_told_with_its_source_and_the_words_it_rests_on():
    story = demo_story()
    _, reader = demo()
    isolated = set(reader.isolated)
    for fact in story.facts.items:
        assert shown_value(fact.value).text in isolated
        for source in fact.sources:
            assert source.episode_id in isolated
    spans = sum(source.span is not None for fact in story.facts.items for source in fact.sources)
    claims = [
        claim
        for conflict in story.conflicts.items
        for claim in (conflict.standing, *conflict.incoming)
    ]
    spans += sum(claim.source.span is not None for claim in claims)
    assert reader.tags.count("mark") == spans > 150


def test_every_transaction_is_told_with_the_beginning_of_its_digest():
    story = demo_story()
    page, _ = demo()
    for transaction in story.transactions.items:
        assert f'id="tx-{transaction.number}"' in page
        assert f"<code>{transaction.digest[:12]}</code>" in page
    assert "The first 138 transactions are not shown here" in page


def test_the_short_answer_counts_and_the_contents_too():
    story = demo_story()
    text = demo()[1].text
    totals = story.totals
    assert f"{totals.in_scope} facts held. Each of them has a source." in text
    assert f"{totals.disputed} are disputed." in text
    assert f"{totals.conflicts_open} conflicts wait for a decision." in text
    one = replace(story, totals=replace(totals, in_scope=1, disputed=1, conflicts_open=1))
    text = read(page_of(one)).text
    assert "1 fact held. It has a source. 1 is disputed. 1 conflict waits for a decision." in text


def test_an_empty_record_says_so():
    text = read(page_of(empty_story())).text
    assert "The record is empty: nothing has been written yet." in text
    assert "Nothing is withheld, filtered or cut short." in text
    assert "Every fact in scope has a source." in text


def test_what_is_withheld_is_named_and_its_commitment_shown():
    story = demo_story()
    fact = replace(story.facts.items[0], value=None, commitment="5f" * 32, sources=())
    asked = replace(story.asked, withhold="values")
    reader = read(page_of(replace(empty_story(), number=7, asked=asked, facts=Told((fact,)))))
    assert "Values and contents are withheld." in reader.text
    assert "commitment 5f5f5f5f5f5f…" in reader.text
    assert "That what you are told of withheld values is what was recorded" in reader.text
    content = replace(story.asked, withhold="content")
    text = read(page_of(replace(empty_story(), asked=content))).text
    assert "Contents are withheld." in text


def test_a_filter_is_named_with_what_it_leaves_out():
    asked = replace(empty_story().asked, subject="mira", memory_type="profile")
    story = replace(empty_story(), number=9, asked=asked, omitted=1_873)
    text = read(page_of(story)).text
    assert "In scope: subject mira, type profile. 1,873 entries outside" in text
    assert "That every entry left out lies outside the scope." in text
    hidden = replace(demo_story().transactions.items[0], actor=None, reason=None)
    assert "outside the scope" in read(page_of(replace(story, transactions=Told((hidden,))))).text
    run = replace(hidden, number=3, through=1_006, entries=2_000)
    story = replace(story, transactions=Told((run,), 2, 1_003))
    text = read(page_of(story)).text
    assert "3–1,006" in text
    assert "1,004 transactions outside the scope" in text
    assert "The first 2 transactions are not shown here" in text
    assert "It shows 1,004 of 1,006 transactions." in text


def test_a_window_is_told_as_a_period():
    asked = replace(demo_story().asked, window=(1_780_272_000_000_000, 1_782_864_000_000_000))
    text = read(page_of(replace(demo_story(), asked=asked))).text
    assert "What this memory held from 1\u00a0Jun\u00a02026 to 1\u00a0Jul\u00a02026" in text
    assert "Within the period, 156 facts held at some time." in text


def test_cut_lists_say_so():
    story = demo_story()
    cut = replace(
        story,
        facts=Told(story.facts.items[:3], 153),
        lanes=Told(story.lanes.items[:LANES_TOLD], 1),
        conflicts=Told((), 2),
        gaps=Told((), 4),
        unsourced=Told((), 1),
    )
    text = read(page_of(cut)).text
    assert "It shows 3 of 156 facts, 165 of 166 lanes, 0 of 2 open conflicts, 0 of 4 gaps" in text
    assert "153 more facts are not shown here; they are in facts.jsonl." in text
    assert "1 more lane is not drawn; it is in versions.jsonl." in text
    assert "2 more open conflicts are not shown here; they are in conflicts.jsonl." in text
    assert "1 more is not shown here; it is in facts.jsonl." in text


def test_a_long_list_of_lanes_is_parted_so_that_it_fits_on_a_sheet():
    stretch = ToldStretch(valid_from=0, valid_to=None, value="1")
    lanes = tuple(
        ToldLane(subject="s", attribute=f"a{n:02}", memory_type="t", stretches=(stretch,))
        for n in range(50)
    )
    text = read(page_of(replace(demo_story(), lanes=Told(lanes)))).text
    for part in ("part 1 of 3", "part 2 of 3", "part 3 of 3"):
        assert part in text


def test_how_to_verify_is_there_in_full():
    story = demo_story()
    text = demo()[1].text
    assert f"python3 -I verify.py --head {story.number}:{story.digest}" in text
    assert f"memory-workbench verify SNAPSHOT --head {story.number}:{story.digest}" in text
    for name in story.files:
        assert name in text
    assert "public key" not in text
    signed = replace(story, files=(*story.files, "manifest.sig"))
    assert "With the signer’s public key kept elsewhere" in read(page_of(signed)).text


def test_the_same_story_gives_the_same_bytes():
    assert page_of(demo_story()) == page_of(replace(demo_story())) == demo()[0]


def test_spanish_is_spanish_throughout():
    _, reader = demo("es")
    assert ("html", "lang", "es") in reader.attributes
    text = reader.text
    assert "156 hechos. Todos tienen fuente." in text
    assert "0,95" in text
    assert "hasta\u00a0que\u00a0cambie" in text
    for english in ("until", "Source", " disputed<", "transaction ", "Confidence"):
        words = re.sub(r"<(bdi|desc|title|text)\b.*?</\1>", "", demo("es")[0])
        assert english not in re.sub(r"<style>.*?</style>", "", words, flags=re.DOTALL)


def test_an_unknown_language_is_refused():
    with pytest.raises(Invalid, match="'fr'"):
        render_html(empty_story(), "fr")


def test_the_colours_are_those_of_the_screen():
    style = (ROOT / "store/audit/report.css").read_text(encoding="utf-8")
    blocks = [b for b in re.findall(r":root \{(.*?)\}", style, flags=re.DOTALL) if "--panel" in b]
    assert len(blocks) == 2
    for name, block in zip(("light", "dark"), blocks, strict=True):
        theme = json.loads((ROOT / f"resources/themes/{name}.json").read_text(encoding="utf-8"))
        theme |= {f"bar_{place}": color for place, color in enumerate(theme["bars"])}
        colors = dict(re.findall(r"--([a-z0-9-]+): (#[0-9A-F]{6});", block))
        assert len(colors) > 15
        assert colors == {role: theme[role.replace("-", "_")] for role in colors}
