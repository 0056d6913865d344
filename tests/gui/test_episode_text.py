"""What an episode says is shown, does nothing, and has its evidence in the right place."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QVBoxLayout, QWidget

from store.model import EpisodeKind
from workbench.theme import choose_theme, current
from workbench.widgets.episode_text import LONGEST, EpisodeText
from workbench.widgets.markdown import is_json, mark_spans, merged_spans


@pytest.fixture
def view(qtbot):
    view = EpisodeText()
    qtbot.addWidget(view)
    return view


def span(content, quote):
    start = content.index(quote)
    return start, start + len(quote)


def fragments(view):
    block = view.document().begin()
    while block.isValid():
        places = block.begin()
        while not places.atEnd():
            yield places.fragment()
            places += 1
        block = block.next()


# --- it shows ---------------------------------------------------------------------------------


def test_markdown_is_laid_out_and_its_spans_are_found(view):
    content = (
        "# Ticket\n\nHello **Mira**, your tier was `upgraded` on the *15th*.\n\n"
        "- one\n- two \\* &amp; more\n\n| a | b |\n|---|---|\n| x | y |\n\n```\ncode = 1\n```\n"
    )
    quotes = ["Ticket", "**Mira**", "`upgraded` on the *15th*", "two \\* &amp; more", "x", "code"]
    view.show_episode(content, [span(content, quote) for quote in quotes], EpisodeKind.MESSAGE)
    assert not view.is_plain
    found = view.evidence_texts
    assert found == ["Ticket", "Mira", "upgraded on the 15th", "two * & more", "x", "code"]
    assert "**" not in view.toPlainText()


def test_a_span_is_on_a_ground_of_its_own_and_underlined(view, qapp):
    view.show_episode("tier is gold now", [(8, 12)])
    (marked,) = [part for part in fragments(view) if part.text() == "gold"]
    assert marked.charFormat().background().color() == current().color("warn_bg")
    assert marked.charFormat().fontUnderline()
    choose_theme(qapp, "dark")
    (marked,) = [part for part in fragments(view) if part.text() == "gold"]
    assert marked.charFormat().background().color() == current().color("warn_bg")
    choose_theme(qapp, "light")


def test_lines_of_a_message_stay_lines(view):
    view.show_episode("first\nsecond")
    assert view.toPlainText() == "first\nsecond"


def test_json_and_rows_are_shown_as_they_are_written(view):
    content = '{"tier": "gold", "note": "*not* Markdown"}'
    view.show_episode(content, [span(content, '"gold"')], EpisodeKind.TOOL_RESULT)
    assert view.is_plain
    assert view.toPlainText() == content
    assert view.evidence_texts == ['"gold"']
    view.show_episode("a*b*c", [(0, 3)], EpisodeKind.IMPORTED_ROW)
    assert view.toPlainText() == "a*b*c"


def test_the_source_can_be_shown(view):
    view.show_episode("**Mira** moved", [(0, 8)])
    assert view.evidence_texts == ["Mira"]
    view.show_source(True)
    assert view.is_plain
    assert view.toPlainText() == "**Mira** moved"
    assert view.evidence_texts == ["**Mira**"]
    view.show_source(False)
    assert view.evidence_texts == ["Mira"]


def test_a_span_in_what_is_not_shown_falls_back_to_the_source(view):
    content = "[docs](https://example.com/path) and more"
    view.show_episode(content, [span(content, "example.com")])
    assert view.is_plain
    assert view.evidence_texts == ["example.com"]


def test_spans_beyond_the_content_or_empty_are_left_out(view):
    view.show_episode("short", [(2, 99), (50, 60), (3, 3)])
    assert view.evidence_texts == ["ort"]


def test_a_very_long_content_shows_what_is_around_the_evidence(view):
    content = "x" * 700_000 + "EVIDENCE" + "y" * 100_000
    view.show_episode(content, [span(content, "EVIDENCE")])
    assert view.evidence_texts == ["EVIDENCE"]
    assert len(view.toPlainText()) < LONGEST + 200
    assert "characters before are not shown" in view.toPlainText()


def test_it_is_told_to_a_screen_reader(view):
    view.show_episode("tier is gold now", [(8, 12)])
    assert view.accessibleName()
    assert "gold" in view.accessibleDescription()
    view.show_episode("")
    assert view.accessibleDescription() == ""
    assert view.placeholderText()


def test_the_evidence_is_in_view(view, qtbot):
    content = "\n\n".join(f"paragraph {number}" for number in range(200))
    view.resize(300, 200)
    view.show()
    qtbot.waitExposed(view)
    view.show_episode(content, [span(content, "paragraph 150")])
    assert view.verticalScrollBar().value() > 0
    assert view.viewport().rect().contains(view.cursorRect().center())


# --- it does no harm --------------------------------------------------------------------------

HOSTILE = (
    "<script>alert(1)</script> <img src='http://evil.example/a.png'> <b onmouseover=x>b</b>\n\n"
    "<style>* {display: none}</style>\n\n"
    "<iframe src=file:///etc/passwd></iframe>\n\n"
    '![pixel](http://evil.example/p.png "t") [click](javascript:alert(1)) '
    "[ok](https://evil.example) <https://auto.example>\n\n"
    "![local](file:///etc/passwd) &lt;img src=x&gt; &#x202e;reversed\n"
)


def test_hostile_content_is_words(view):
    view.show_episode(HOSTILE)
    assert not view.is_plain
    shown = view.toPlainText()
    for words in ("<script>alert(1)</script>", "<img src='http://evil.example/a.png'>", "<style>"):
        assert words in shown
    for part in fragments(view):
        style = part.charFormat()
        assert not style.isAnchor()
        assert not style.isImageFormat()
        assert "\ufffc" not in part.text()
    assert "http://evil.example/p.png" in shown
    assert "https://evil.example" in shown  # the words of a link cannot hide where it leads


def test_nothing_is_ever_loaded(view):
    for kind in QTextDocument.ResourceType:
        for place in ("http://evil.example/a.png", "file:///etc/passwd", "data:image/png;base64,"):
            assert view.loadResource(kind.value, QUrl(place)) is None
    assert not view.openLinks()
    assert not view.openExternalLinks()
    assert view.isReadOnly()


@pytest.mark.qt_log_ignore("MouseRelease")  # a text view passes it on, which Qt's test remarks on
def test_a_click_on_a_link_leads_nowhere(view, qtbot):
    view.resize(400, 100)
    view.show()
    qtbot.waitExposed(view)
    view.show_episode("[click me here please](https://evil.example)")
    before = view.toPlainText()
    with qtbot.assertNotEmitted(view.anchorClicked, wait=20):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.rect().topLeft())
    assert view.toPlainText() == before
    assert view.source().isEmpty()


def test_what_cannot_be_seen_is_seen(view):
    view.show_episode("pay\u202eexe.gnp\u202c and zero\u200bwidth \x07 bell \x00 end &#x202E;!")
    shown = view.toPlainText()
    for mark in ("⟨U+202E⟩", "⟨U+200B⟩", "⟨U+0007⟩", "⟨U+0000⟩"):
        assert mark in shown
    assert not any(hidden in shown for hidden in "\u202e\u202c\u200b\x07\x00")
    view.show_source(True)
    assert "⟨U+202E⟩" in view.toPlainText()


def test_characters_for_private_use_are_kept_and_mark_nothing(view):
    content = "\ue000 private \ue001 &#xE002; and gold"
    view.show_episode(content, [span(content, "gold")])
    assert view.evidence_texts == ["gold"]
    view.show_episode(content)
    assert view.evidence_texts == []
    assert "\ue000 private \ue001" in view.toPlainText()


@pytest.mark.parametrize(
    "content",
    ["[" * 5000, "> " * 3000 + "x", "*" * 20_000, "`" * 9_999, "- " * 2000, "![" * 3000, "\0" * 99],
)
def test_content_made_to_choke_a_parser_is_shown_all_the_same(view, content):
    view.show_episode(content, [(3, 9)])
    assert view.toPlainText()


# --- laws -------------------------------------------------------------------------------------

_pieces = st.sampled_from(
    ["alpha", "beta", "7", " ", " ", "\n", "\n\n", "*", "**", "_", "`", "# ", "- ", "1. ", "> ",
     "\\", "&amp;", "[x](u)", "|", "~~", "```\n", "\t", "    ", "<b>", "é", "\u202e", "---\n"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_pieces, max_size=30).map("".join), st.data())
def test_a_highlight_never_covers_other_letters_than_its_span(view, content, data):
    start = data.draw(st.integers(0, max(0, len(content) - 1)))
    end = data.draw(st.integers(start, len(content)))
    view.show_episode(content, [(start, end)])
    cut = content[start:end].replace("&amp;", "")
    letters = "".join(char for char in cut if char in "alphbet7é")
    shown = "".join(char for text in view.evidence_texts for char in text if char in "alphbet7é")
    if view.is_plain:
        assert "".join(view.evidence_texts).replace("⟨U+202E⟩", "\u202e") == content[start:end]
    elif "&" not in content[max(0, start - 5) : end + 5]:
        # Less may be covered, never more: an ordered list's "1." and a link's address are not
        # shown, and a mark that would break what stands there moves inwards.
        rest = iter(letters)
        assert all(char in rest for char in shown)


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-3, 70), st.integers(-3, 70))))
def test_spans_are_merged_to_apart_and_inside(content, spans):
    merged = merged_spans(spans, len(content))
    flat = [edge for pair in merged for edge in pair]
    assert flat == sorted(set(flat))
    assert all(0 <= edge <= len(content) for edge in flat)
    covered = {at for start, end in merged for at in range(start, end)}
    assert covered == {
        at for start, end in spans for at in range(max(0, start), min(end, len(content)))
    }


def test_json_is_told_from_text():
    assert is_json(' {"a": 1}')
    assert is_json("[1]")
    assert not is_json('"text"')
    assert not is_json("[a](b)")
    assert not is_json("{" * 100_000)


def test_a_text_that_is_too_long_is_no_markdown():
    assert mark_spans("a" * 100_001, []) is None
    assert mark_spans("a", [(0, 1)]) is not None


def test_a_text_that_was_filled_unseen_begins_at_its_beginning(qtbot):
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    text = EpisodeText(max_lines=6)
    column.addWidget(text)
    column.addStretch(1)
    text.show_episode("<h1>URGENT</h1><script>x</script>\n\n" + "A long tale. " * 80)
    page.resize(260, 400)
    page.show()
    assert text.verticalScrollBar().maximum() > 0
    assert text.verticalScrollBar().value() == 0
