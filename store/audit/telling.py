"""What a report says in which order, whatever it is written in: sentences with their gaps unfilled.

The page and the Markdown say the same; how each writes a name, a file or an instant is its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from store.encoding import State, mark_words, state_of
from store.query import Mark
from store.temporal import Basis

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from store.audit.story import Story, Told, ToldFact

SECTIONS: Final = (
    "numbers",
    "lanes",
    "facts",
    "conflicts",
    "gaps",
    "unsourced",
    "transactions",
    "verify",
)
"""The sections that follow the short answer: their ids, and the names of their headings."""

SIGNATURE: Final = "manifest.sig"

# --- what fills a gap ---------------------------------------------------------------------------


class Named(NamedTuple):
    """A name from the store."""

    text: str


class FileNamed(NamedTuple):
    """A file of the snapshot."""

    name: str


class Section(NamedTuple):
    """A section of the report, by its id."""

    ident: str


class At(NamedTuple):
    """An instant, microseconds since 1970."""

    at: int
    has_seconds: bool = False


class Number(NamedTuple):
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the catalogue.

    Attributes:
        number: chooses its form, and fills the gap `n`.
    """

    sentence: str
    gaps: Mapping[str, Gap] = field(default_factory=dict)
    number: int | None = None


Gap = Named | FileNamed | Section | At | Number | Line | tuple[Line, ...]
"""A tuple of sentences stands in a row with commas between."""


def line(sentence: str, count: int | None = None, /, **gaps: Gap) -> Line:
    """Make a sentence with its gaps by name."""
    return Line(sentence, gaps, count)


# --- what was asked -----------------------------------------------------------------------------


class Asking(NamedTuple):
    """A row of the table of what was asked.

    Attributes:
        label: sentence for what it is.
        width: how many columns it takes, of four; 0 for a row of its own.
        is_code: whether it is for programs, to be copied as it stands.
    """

    label: str
    answer: Gap
    width: int = 1
    is_code: bool = False


def asked_rows(story: Story) -> Iterator[Asking]:
    """Yield what was asked, resolved, and what the snapshot is of."""
    asked = story.asked
    yield Asking("asked.number", Number(story.number))
    recorded = story.recorded_at
    yield Asking("asked.recorded", line("asked.never") if recorded is None else At(recorded, True))
    if asked.window is None:
        yield Asking("asked.valid_at", At(asked.valid_at, True))
    else:
        begins, ends = asked.window
        yield Asking("asked.window", line("asked.period", begins=At(begins), ends=At(ends)))
    yield Asking("asked.scope", scope_of(story), width=0 if asked.is_filtered else 1)
    yield Asking("asked.store", Named(story.store_id), width=2, is_code=True)
    yield Asking("asked.tool", Named(story.tool), width=2)
    yield Asking("asked.head", Named(story.head), width=0, is_code=True)


def scope_of(story: Story) -> tuple[Line, ...]:
    """Say which part of the record is in scope."""
    asked = story.asked
    named = (
        ("asked.subject", asked.subject),
        ("asked.attribute", asked.attribute),
        ("asked.type", asked.memory_type),
    )
    parts = tuple(line(sentence, name=Named(name)) for sentence, name in named if name)
    return parts or (line("asked.whole"),)


def lead(story: Story) -> Line:
    """Say in one sentence what the report is."""
    number, window = Number(story.number), story.asked.window
    if story.number == 0:
        return line("title.lead_never", valid_at=At(story.asked.valid_at))
    if window is None:
        return line("title.lead", number=number, valid_at=At(story.asked.valid_at))
    return line("title.lead_window", number=number, begins=At(window[0]), ends=At(window[1]))


# --- the short answer ---------------------------------------------------------------------------


def answer(story: Story) -> Iterator[Line]:
    """Yield the sentences that answer what was asked, most important first."""
    totals, is_window = story.totals, story.asked.window is not None
    at = At(story.asked.valid_at)
    if story.number == 0:
        yield line("answer.never")
        return
    if totals.in_scope == 0:
        yield line("answer.none_window") if is_window else line("answer.none", at=at)
    else:
        number = totals.in_scope
        held = "answer.facts_window" if is_window else "answer.facts"
        yield line(held, number, at=at)
        yield from _sources_and_disputes(story)
    if totals.conflicts_open:
        yield line("answer.conflicts", totals.conflicts_open)
    else:
        yield line("answer.settled")


def _sources_and_disputes(story: Story) -> Iterator[Line]:
    totals = story.totals
    if totals.without_source:
        yield line("answer.unsourced", totals.without_source)
    else:
        yield line("answer.sourced", totals.in_scope)
    if totals.disputed:
        yield line("answer.disputed", totals.disputed)
    else:
        yield line("answer.undisputed")


class Tile(NamedTuple):
    """A number that stands large, with its words."""

    label: str
    value: int
    is_warning: bool = False


def tiles(story: Story) -> tuple[Tile, ...]:
    """Return the numbers of the short answer."""
    totals = story.totals
    return (
        Tile("tile.facts", totals.in_scope),
        Tile("tile.sourced", totals.with_source),
        Tile("tile.disputed", totals.disputed, totals.disputed > 0),
        Tile("tile.conflicts", totals.conflicts_open, totals.conflicts_open > 0),
        Tile("tile.gaps", totals.gaps),
    )


class Notice(NamedTuple):
    """Something that a reader has to know before reading on.

    Attributes:
        level: `info`, `warn` or `ok`.
    """

    level: str
    head: Line
    text: Line | None = None


def notices(story: Story) -> Iterator[Notice]:
    """Yield what a reader has to know; that nothing is missing, where nothing is."""
    asked = story.asked
    limits = tuple(_limits(story))
    if asked.withhold == "values":
        yield Notice("info", line("notice.values"), line("notice.values_text"))
    elif asked.withhold == "content":
        yield Notice("info", line("notice.content"), line("notice.content_text"))
    if asked.is_filtered:
        text = line("notice.filtered_text", story.omitted, scope=scope_of(story))
        yield Notice("info", line("notice.filtered"), text)
    if story.totals.disputed:
        text = line("notice.disputed_text", conflicts=Section("conflicts"))
        yield Notice("warn", line("notice.disputed"), text)
    if story.totals.without_source:
        text = line("notice.unsourced_text", unsourced=Section("unsourced"))
        yield Notice("warn", line("notice.unsourced"), text)
    if limits:
        yield Notice("info", line("notice.limits"), line("notice.limits_text", parts=limits))
    if not limits and not asked.is_filtered and asked.withhold == "nothing":
        yield Notice("ok", line("notice.nothing"))


def _limits(story: Story) -> Iterator[Line]:
    told: tuple[tuple[str, Told[object]], ...] = (
        ("facts", story.facts),
        ("lanes", story.lanes),
        ("conflicts", story.conflicts),
        ("gaps", story.gaps),
        ("unsourced", story.unsourced),
        ("transactions", story.transactions),
    )
    for name, cut in told:
        if cut.left_out:
            yield line(
                "notice.limit",
                told=Number(cut.told),
                total=Number(cut.total),
                what=line(f"notice.limit_{name}"),
            )


# --- in numbers ---------------------------------------------------------------------------------


class Count(NamedTuple):
    """A row of a table of counts.

    Attributes:
        label: a sentence of the catalogue, or `basis.` with a basis.
        whole: of how many it is a part; None where it is no part.
    """

    label: str
    value: int
    whole: int | None = None
    is_warning: bool = False


class Counting(NamedTuple):
    """A table of counts under its heading."""

    heading: str
    rows: tuple[Count, ...]


def countings(story: Story) -> tuple[Counting, ...]:
    """Return the denominators as tables."""
    t = story.totals
    facts = t.in_scope
    settled = (t.settled_by_person, t.settled_by_policy, t.settled_by_agent)
    conflicts = t.conflicts_open + t.conflicts_stale + sum(settled)
    return (
        Counting(
            "numbers.facts",
            (
                Count("numbers.in_scope", facts),
                Count("numbers.with_source", t.with_source, facts),
                Count("numbers.with_span", t.with_span, facts),
                Count("numbers.without_source", t.without_source, facts, is_warning=True),
                Count("numbers.disputed", t.disputed, facts, is_warning=True),
                Count("numbers.imprecise", t.imprecise, facts),
            ),
        ),
        Counting(
            "numbers.conflicts",
            (
                Count("numbers.open", t.conflicts_open, conflicts, is_warning=True),
                Count("numbers.by_person", t.settled_by_person, conflicts),
                Count("numbers.by_policy", t.settled_by_policy, conflicts),
                Count("numbers.by_agent", t.settled_by_agent, conflicts),
                Count("numbers.stale", t.conflicts_stale, conflicts),
            ),
        ),
        Counting(
            "numbers.basis",
            tuple(Count(f"basis.{basis}", t.by_basis.get(basis, 0), facts) for basis in Basis),
        ),
        Counting(
            "numbers.record",
            (
                Count("numbers.subjects", t.subjects),
                Count("numbers.keys", t.keys),
                Count("numbers.versions", t.versions),
                Count("numbers.gaps", t.gaps),
                Count("numbers.episodes", t.episodes),
                Count("numbers.unused", t.episodes_unused),
                Count("numbers.evidence", t.evidence),
                Count("numbers.transactions", t.transactions),
                Count("numbers.entries", story.entries),
            ),
        ),
    )


def section_counts(story: Story) -> dict[str, int]:
    """Return for the sections that are lists how many they tell of."""
    return {
        "lanes": story.lanes.total,
        "facts": story.facts.total,
        "conflicts": story.conflicts.total,
        "gaps": story.gaps.total,
        "unsourced": story.unsourced.total,
        "transactions": story.transactions.total,
    }


_LEFT_OUT_IN: Final = {
    "lanes": "versions.jsonl",
    "facts": "facts.jsonl",
    "conflicts": "conflicts.jsonl",
    "gaps": "versions.jsonl",
    "unsourced": "facts.jsonl",
    "transactions": "transactions.jsonl",
}


def left_out(section: str, told: Told[object]) -> Line | None:
    """Say how many of a section's list are not shown, and where they are."""
    if not told.left_out:
        return None
    return line(f"{section}.left_out", told.left_out, file=FileNamed(_LEFT_OUT_IN[section]))


def intro(section: str, story: Story) -> Line:
    """Say what a section shows."""
    if section == "facts":
        if story.asked.window is not None:
            return line("facts.intro_window")
        return line("facts.intro", at=At(story.asked.valid_at))
    return line(f"{section}.intro")


# --- facts --------------------------------------------------------------------------------------


def state_of_fact(fact: ToldFact, story: Story) -> State:
    """Return what a fact is at the instant asked about."""
    return state_of(fact.valid_from, fact.valid_to, marks=fact.marks, at=story.asked.valid_at)


def marks_of(fact: ToldFact) -> tuple[str, ...]:
    """Return a fact's marks in the words of `store.encoding`, but for what its state says."""
    return mark_words(fact.marks & ~Mark.DISPUTED)


# --- how to verify ------------------------------------------------------------------------------


def commands(story: Story, place: str) -> tuple[str, str]:
    """Return the command that needs Python only, and the program's.

    Args:
        story: has the head.
        place: stands for the snapshot's path.
    """
    return (
        f"python3 -I verify.py --head {story.head}",
        f"memory-workbench verify {place} --head {story.head}",
    )


def proved(story: Story) -> tuple[Line, ...]:
    """Return what a verified snapshot proves."""
    lines = [
        line("verify.files"),
        line("verify.chain"),
        line("verify.follows", file=FileNamed("facts.jsonl")),
        line("verify.outside"),
    ]
    if SIGNATURE in story.files:
        lines.append(line("verify.signed"))
    return tuple(lines)


def not_proved(story: Story) -> tuple[Line, ...]:
    """Return what it does not prove."""
    lines = [
        line("verify.no_head"),
        line("verify.report", manifest=FileNamed("manifest.json")),
        line("verify.itself", file=FileNamed("verify.py")),
        line("verify.truth"),
        line("verify.clock"),
    ]
    if story.asked.withhold != "nothing":
        lines.append(line("verify.withheld"))
    if story.asked.is_filtered:
        lines.append(line("verify.filtered"))
    return (*lines, line("verify.erased"))
