"""The readable report of a snapshot: one page of HTML that needs nothing else, and Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from store.audit.story import Story


def render_html(story: Story, language: str = "en") -> Iterator[str]:
    """Write a story as one self-contained page, piece by piece; the same story, the same text.

    Args:
        story: what to tell.
        language: a code of `store.audit.words.LANGUAGES`.

    Raises:
        Invalid: there is no catalogue for the language.
    """
    yield f"<!doctype html>\n<html lang={language}>{story.number}\n"


def render_markdown(story: Story, language: str = "en") -> Iterator[str]:
    """Write a story as plain Markdown, piece by piece; the same story, the same text.

    Raises:
        Invalid: there is no catalogue for the language.
    """
    yield f"# {story.number} {language}\n"
