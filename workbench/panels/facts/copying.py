"""Rows as text for the clipboard: lines of cells parted by tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.panels.facts.columns import Column, FactRow, copied_text, title
from workbench.panels.facts.reading import PAGE, read_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from store.model import EpisodeKind
    from store.query import Cursor
    from workbench.panels.facts.question import Question
    from workbench.session import View


def cut(ranges: Iterable[tuple[int, int]], most: int) -> list[tuple[int, int]]:
    """Return the first rows of some ranges, at most so many."""
    kept: list[tuple[int, int]] = []
    for first, last in ranges:
        if most <= 0:
            break
        last = min(last, first + most - 1)
        kept.append((first, last))
        most -= last - first + 1
    return kept


def gather(
    view: View,
    question: Question,
    ranges: Iterable[tuple[int, int]],
    *,
    loaded: Mapping[int, FactRow],
    ways: Mapping[int, Cursor | None],
    known: Mapping[str, EpisodeKind],
) -> Iterator[FactRow]:
    """Give the rows of some ranges, reading what is not here; on a reader thread."""
    page, here = -1, dict[int, FactRow]()
    for first, last in ranges:
        for at in range(first, last + 1):
            if at in loaded:
                yield loaded[at]
                continue
            if at // PAGE != page and at // PAGE in ways:
                page = at // PAGE
                window = read_pages(
                    view, question, first=page * PAGE, cursor=ways[page], pages=1, known=known
                )
                here = dict(enumerate(window.rows, window.first))
            if at in here:
                yield here[at]


def as_table(rows: Iterable[FactRow], columns: Sequence[Column], at: datetime) -> str:
    """Write rows as lines of cells parted by tabs, under their titles if they are several."""
    lines = ["\t".join(copied_text(row, column, at) for column in columns) for row in rows]
    if len(lines) > 1:
        lines.insert(0, "\t".join(title(column) for column in columns))
    return "\n".join(lines) + "\n" if len(lines) > 1 else "".join(lines)
