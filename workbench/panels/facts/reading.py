"""What the facts table reads, as functions that run on a reader thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from store.errors import NotFound
from store.query import Anchors, Cursor, Page
from workbench.panels.facts.columns import FactRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from store.model import EpisodeKind, Fact
    from workbench.panels.facts.question import Question
    from workbench.session import View

PAGE: Final = 256
"""Rows that are read at a time."""


class Window(NamedTuple):
    """Consecutive rows of an answer.

    Attributes:
        first: position of the first of them.
        rows: the rows.
        after: cursor of what follows; None at the end.
        anchors: the length of the list and the way into it, where they were asked for.
        kinds: kinds of episodes that were looked up for it.
    """

    first: int
    rows: tuple[FactRow, ...]
    after: Cursor | None
    anchors: Anchors | None
    kinds: Mapping[str, EpisodeKind]


def read_anchors(view: View, question: Question) -> Anchors:
    """Count the answer and find a way to each of its pages."""
    return view.store.anchors(
        view.scope,
        question.query,
        as_of=view.as_of,
        order=question.order,
        every=PAGE,
        cancel=view.work.cancel,
    )


def read_pages(
    view: View,
    question: Question,
    *,
    first: int,
    cursor: Cursor | None,
    pages: int,
    known: Mapping[str, EpisodeKind],
) -> Window:
    """Read some pages.

    Args:
        view: from where one looks.
        question: what is asked.
        first: position of the first row after the cursor.
        cursor: where to begin; None at the beginning.
        pages: how many pages at most.
        known: kinds of episodes that need not be looked up.
    """
    facts: list[Fact] = []
    for _ in range(pages):
        page = view.store.facts(
            view.scope,
            question.query,
            as_of=view.as_of,
            order=question.order,
            page=Page(PAGE, cursor),
            cancel=view.work.cancel,
        )
        facts += page.items
        cursor = page.after
        if cursor is None:
            break
    kinds = _kinds(view, facts, known)
    rows = tuple(
        FactRow(fact, kinds.get(fact.source_episode_id) or known.get(fact.source_episode_id))
        for fact in facts
    )
    return Window(first, rows, cursor, None, kinds)


def read_place(
    view: View, question: Question, *, page: int, pages: int, known: Mapping[str, EpisodeKind]
) -> Window:
    """Read some pages in the middle of a list whose length is not known, and its length."""
    anchors = read_anchors(view, question)
    page = max(0, min(page, len(anchors.cursors) - 1))
    cursor = anchors.cursors[page] if anchors.cursors else None
    window = read_pages(view, question, first=page * PAGE, cursor=cursor, pages=pages, known=known)
    return window._replace(anchors=anchors)


def _kinds(
    view: View, facts: list[Fact], known: Mapping[str, EpisodeKind]
) -> dict[str, EpisodeKind]:
    found: dict[str, EpisodeKind] = {}
    for episode_id in {fact.source_episode_id for fact in facts}:
        if episode_id in known:
            continue
        view.work.cancel.check()
        try:
            found[episode_id] = view.store.episode(view.scope, episode_id).kind
        except NotFound:  # a scope may not see every source
            continue
    return found
