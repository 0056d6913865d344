"""Episodes as the panel shows them, and how they are read from a store. Nothing here knows Qt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from store import AsOf, Page
from store.query import Listed
from workbench.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from store.model import Episode, EpisodeKind, Evidence, Fact
    from store.query import Cursor, EpisodeQuery
    from workbench.session import View

PAGE: Final = 200
"""So many episodes are read at once."""
REFRESHED: Final = 1000
"""After a write so many of the rows that are there are read again; further down nothing moves."""
_LINE: Final = 160
_LEADING_MARKS: Final = re.compile(r"^(?:[#>*+\-\s]|\d+[.)]\s)+")
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)")
_MARKS: Final = re.compile(r"[*`~]{1,3}(?=\S)|(?<=\S)[*`~]{1,3}")


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """An episode in the list: without its content, of which only the first line is kept."""

    episode_id: str
    kind: EpisodeKind
    author: str
    occurred_at: datetime
    recorded_at: datetime
    first_line: str


@dataclass(frozen=True, slots=True)
class Reading:
    """An episode with the facts that it supports, as of a point on both axes."""

    episode: Episode
    as_of: AsOf
    born: tuple[tuple[Fact, Evidence], ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts, each once, in the order in which the store gives them."""
        return tuple({fact.memory_id: fact for fact, _link in self.born}.values())

    def supports(self, memory_id: str | None) -> bool:
        """Say whether a fact rests on it."""
        return any(fact.memory_id == memory_id for fact, _link in self.born)

    def spans(self, memory_id: str | None) -> tuple[tuple[int, int], ...]:
        """Give the characters that are evidence: of one fact if it rests here, else of all."""
        only = memory_id if self.supports(memory_id) else None
        found = {
            (link.span.start, link.span.end)
            for fact, link in self.born
            if link.span is not None and only in (None, fact.memory_id)
        }
        return tuple(sorted(found))


def author_of(episode: Episode) -> str:
    """Name who an episode is from: its author if it has one, else the agent that observed it."""
    author = episode.metadata.get("author")
    return author if isinstance(author, str) and author else episode.agent_id


def first_line(content: str) -> str:
    """Give the first line of a content that says something, without the marks of Markdown."""
    for line in content[:2000].splitlines():
        if _FENCE.match(line):
            continue
        said = _MARKS.sub("", _LEADING_MARKS.sub("", line)).strip()
        if any(char.isalnum() for char in said):
            return one_line(said, _LINE)
    return one_line(content.strip(), _LINE)


def row_of(episode: Episode) -> EpisodeRow:
    """Give an episode as a row of the list."""
    return EpisodeRow(
        episode.episode_id,
        episode.kind,
        author_of(episode),
        episode.occurred_at,
        episode.recorded_at,
        first_line(episode.content),
    )


# --- reading, on a reader thread ------------------------------------------------------------


def read_rows(
    view: View, query: EpisodeQuery, *, after: Cursor | None, limit: int
) -> Listed[EpisodeRow]:
    """Read rows of the list, in pages of which the store allows 1,000 at once."""
    rows: list[EpisodeRow] = []
    while True:
        page = view.store.episodes(
            view.scope,
            query,
            page=Page(min(limit - len(rows), 1000), after),
            cancel=view.work.cancel,
        )
        rows += map(row_of, page.items)
        after = page.after
        if after is None or len(rows) >= limit:
            return Listed(tuple(rows), after)


def count_born(view: View, episode_ids: Sequence[str]) -> dict[str, int]:
    """Count the facts that rest on each of some episodes, as of the known-at."""
    counts = {}
    for episode_id in episode_ids:
        view.work.cancel.check()
        born = view.store.facts_from(view.scope, episode_id, view.as_of)
        counts[episode_id] = len({fact.memory_id for fact, _link in born})
    return counts


def read_episode(view: View, episode_id: str) -> Reading:
    """Read an episode with its facts.

    Raises:
        NotFound: there is no such episode in this tenant.
    """
    episode = view.store.episode(view.scope, episode_id)
    return Reading(episode, view.as_of, view.store.facts_from(view.scope, episode_id, view.as_of))


def read_source(
    view: View, memory_id: str, *, row_from: datetime | None, shown: str | None
) -> Reading | None:
    """Read the source of a fact: the episode that is shown already if it is one, else the first.

    Raises:
        NotFound: there is no such fact in this scope.
    """
    as_of = view.as_of if row_from is None else AsOf(row_from, view.as_of.known_at)
    sources = view.store.evidence(view.scope, memory_id, as_of)
    ids = [episode.episode_id for _link, episode in sources]
    if not ids:
        return None
    return read_episode(view, shown if shown in ids and shown is not None else ids[0])
