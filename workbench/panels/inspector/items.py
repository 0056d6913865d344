"""What the inspector shows of each kind of selection, and how it is read from a store.

A sheet holds everything about one selection as of one point on both axes. The reading functions run
on a reader thread; nothing here knows a widget.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from store import AsOf, FactQuery, NotFound, Page
from store.canonical import canonical
from store.model import ConflictState, Evidence, RowKind, WriteKind
from store.temporal import to_micros
from workbench.actions import Selection as SelectionKind
from workbench.session import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    from store.model import Conflict, Episode, Fact, TransactionDetail, Version
    from workbench.session import View

FACTS_SHOWN: Final = 200
"""So many facts of a subject or an episode are listed."""
VERSIONS_READ: Final = 1000
_FAR: Final = 600  # a content that is longer is shown around its evidence only
_AROUND: Final = 220
_CUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Source:
    """A source of a fact: the episode, and which characters of it the evidence is."""

    evidence: Evidence
    episode: Episode


@dataclass(frozen=True, slots=True)
class FactSheet:
    """A fact with all that stands behind it.

    Attributes:
        supersedes: the fact that it displaced when it was written.
        superseded_by: the facts that displaced it.
        sources: the first is its source episode.
        versions: rows ever held of its key, newest transaction first.
        conflicts: those that wait on its key.
    """

    fact: Fact
    as_of: AsOf
    supersedes: Fact | None = None
    superseded_by: tuple[Fact, ...] = ()
    sources: tuple[Source, ...] = ()
    versions: tuple[Version, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class SubjectSheet:
    """A subject, or one attribute of it, with what holds of it.

    Attributes:
        facts: in force for a subject; every stretch for an attribute.
        has_more: more facts than are listed.
    """

    subject: str
    attribute: str | None
    as_of: AsOf
    facts: tuple[Fact, ...] = ()
    has_more: bool = False
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeSheet:
    """An episode with the facts that it supports."""

    episode: Episode
    as_of: AsOf
    facts: tuple[Fact, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class TransactionSheet:
    """A transaction with what it changed."""

    detail: TransactionDetail


@dataclass(frozen=True, slots=True)
class ConflictSheet:
    """A conflict with the claims that cannot both hold."""

    conflict: Conflict


@dataclass(frozen=True, slots=True)
class MissingSheet:
    """Something that is selected and is not there from where one looks; a sentence says why."""

    reason: str


Sheet = FactSheet | SubjectSheet | EpisodeSheet | TransactionSheet | ConflictSheet | MissingSheet


# --- reading --------------------------------------------------------------------------------


def read_sheet(view: View, selection: Selection) -> Sheet | None:
    """Read what is selected, as of the point from which the view looks.

    Raises:
        StoreError: what the store says; something that is not there becomes a `MissingSheet`.
    """
    try:
        return _read(view, selection)
    except NotFound as error:
        return MissingSheet(str(error))


def _read(view: View, selection: Selection) -> Sheet | None:
    store, scope = view.store, view.scope
    match selection:
        case Selection(kind=SelectionKind.FACT, memory_id=str(memory_id)):
            return _read_fact(view, memory_id, selection.row_from)
        case Selection(kind=SelectionKind.CONFLICT, conflict_id=str(conflict_id)):
            return ConflictSheet(store.conflict(scope, conflict_id))
        case Selection(kind=SelectionKind.TRANSACTION, transaction=int(number)):
            return TransactionSheet(store.transaction(scope, number))
        case Selection(kind=SelectionKind.EPISODE, episode_id=str(episode_id)):
            return _read_episode(view, episode_id)
        case Selection(kind=SelectionKind.SUBJECT, subject=str(subject)):
            return _read_subject(view, subject, selection.attribute)
    return None


def _read_fact(view: View, memory_id: str, row_from: datetime | None) -> FactSheet:
    store, scope = view.store, view.scope
    as_of = view.as_of if row_from is None else AsOf(row_from, view.as_of.known_at)
    fact = store.fact(scope, memory_id, as_of)
    view.work.cancel.check()
    versions = store.versions(
        scope, subject=fact.subject, attribute=fact.attribute, limit=VERSIONS_READ
    )
    view.work.cancel.check()
    sources = store.evidence(scope, fact.memory_id, as_of)
    return FactSheet(
        fact,
        view.as_of,
        supersedes=_superseded(view, fact),
        superseded_by=_successors(view, fact),
        sources=tuple(Source(link, episode) for link, episode in sources),
        versions=tuple(v for v in versions if (v.owner, v.slot) == (fact.owner, fact.slot)),
        conflicts=_conflicts_on(view, fact),
    )


def _superseded(view: View, fact: Fact) -> Fact | None:
    if fact.supersedes_memory_id is None:
        return None
    try:
        return view.store.fact(view.scope, fact.supersedes_memory_id, view.as_of)
    except NotFound:  # another owner's, or not known yet
        return None


def _successors(view: View, fact: Fact) -> tuple[Fact, ...]:
    query = FactQuery(
        subject=fact.subject, attribute=fact.attribute, owner=fact.owner, history=True
    )
    page = view.store.facts(
        view.scope, query, as_of=view.as_of, page=Page(1000), cancel=view.work.cancel
    )
    found = {it.memory_id: it for it in page.items if it.supersedes_memory_id == fact.memory_id}
    return tuple(sorted(found.values(), key=lambda it: it.transaction))


def _conflicts_on(view: View, fact: Fact) -> tuple[Conflict, ...]:
    page = view.store.conflicts(
        view.scope, ConflictState.OPEN, subject=fact.subject, page=Page(1000)
    )
    key = (fact.owner, fact.attribute, fact.slot)
    return tuple(it for it in page.items if (it.owner, it.attribute, it.slot) == key)


def _read_subject(view: View, subject: str, attribute: str | None) -> SubjectSheet:
    query = FactQuery(subject=subject, attribute=attribute, history=attribute is not None)
    page = view.store.facts(
        view.scope, query, as_of=view.as_of, page=Page(FACTS_SHOWN), cancel=view.work.cancel
    )
    waiting = view.store.conflicts(
        view.scope, ConflictState.OPEN, subject=subject, page=Page(FACTS_SHOWN)
    )
    return SubjectSheet(
        subject,
        attribute,
        view.as_of,
        facts=page.items,
        has_more=page.after is not None,
        conflicts=tuple(it for it in waiting.items if attribute in (None, it.attribute)),
    )


def _read_episode(view: View, episode_id: str) -> EpisodeSheet:
    episode = view.store.episode(view.scope, episode_id)
    born = view.store.facts_from(view.scope, episode_id, view.as_of)
    spans = [link.span for _fact, link in born if link.span is not None]
    return EpisodeSheet(
        episode,
        view.as_of,
        facts=tuple(fact for fact, _link in born[:FACTS_SHOWN]),
        spans=tuple(sorted({(span.start, span.end) for span in spans})),
        has_more=len(born) > FACTS_SHOWN,
    )


# --- a source in context --------------------------------------------------------------------


class Excerpt(NamedTuple):
    """A part of a content with the evidence in it."""

    content: str
    spans: tuple[tuple[int, int], ...]


def excerpt(source: Source) -> Excerpt:
    """Give the content of a source, or, where it is long, what is around the evidence."""
    content, span = source.episode.content, source.evidence.span
    spans = () if span is None else ((span.start, min(span.end, len(content))),)
    if len(content) <= _FAR:
        return Excerpt(content, spans)
    start, end = spans[0] if spans else (0, 0)
    end = min(end, start + _FAR)  # evidence that is itself long is cut too
    first = _at_word(content, max(0, start - _AROUND))
    last = min(len(content), end + _AROUND)
    lead = _CUT if first else ""
    tail = _CUT if last < len(content) else ""
    moved = len(lead) - first
    shown = ((start + moved, end + moved),) if spans else ()
    return Excerpt(f"{lead}{content[first:last]}{tail}", shown)


def _at_word(content: str, place: int) -> int:
    """Move a place back to where a word begins, if that is near."""
    if place == 0:
        return 0
    space = max(content.rfind(" ", place - 30, place), content.rfind("\n", place - 30, place))
    return place if space < 0 else space + 1


# --- versions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One assertion that the ledger holds or held, with what became of it.

    Attributes:
        is_late: when it was written, a later beginning was already believed.
        is_this: it belongs to the fact that is shown.
        is_believed: as of the known-at.
        is_known: it was written by then; a later one is what one cannot know yet.
    """

    version: Version
    is_late: bool
    is_this: bool
    is_believed: bool
    is_known: bool


def version_rows(
    versions: Sequence[Version], *, memory_id: str, known_at: datetime | None
) -> tuple[VersionRow, ...]:
    """Give the assertions of a key as rows, newest transaction first."""
    stated = [it for it in versions if it.kind in (RowKind.FACT, RowKind.END)]
    return tuple(
        VersionRow(
            it,
            is_late=_is_late(it, stated),
            is_this=it.memory_id == memory_id,
            is_believed=_is_believed(it, known_at),
            is_known=known_at is None or it.recorded_at <= known_at,
        )
        for it in stated
    )


def _is_believed(version: Version, known_at: datetime | None) -> bool:
    ended = version.superseded_at
    if known_at is None:
        return ended is None
    return version.recorded_at <= known_at and (ended is None or ended > known_at)


def _is_late(version: Version, others: Iterable[Version]) -> bool:
    """Say whether a claim arrived after one that begins later was already believed."""
    if version.kind is not RowKind.FACT or version.began_by not in _ARRIVALS:
        return False
    return any(
        other.kind is RowKind.FACT
        and other.began < version.began
        and (other.ceased is None or other.ceased > version.began)
        and other.valid_from > version.valid_from
        for other in others
    )


_ARRIVALS: Final = frozenset({WriteKind.CHANGE, WriteKind.LOAD, WriteKind.SETTLE})


class Stretch(NamedTuple):
    """A stretch of valid time in which one fact was believed to hold; microseconds since 1970."""

    valid_from: int
    valid_to: int | None
    memory_id: str
    value: str


@dataclass(frozen=True, slots=True)
class Band:
    """What was believed of a key between two transactions that changed the belief.

    Attributes:
        number: the transaction with which the belief began.
        recorded_at: its time.
        stretches: sorted, never overlapping; `value` is canonical JSON.
    """

    number: int
    recorded_at: datetime
    stretches: tuple[Stretch, ...]


def belief_bands(versions: Sequence[Version]) -> tuple[Band, ...]:
    """Give what was believed of one key after each transaction that changed it, newest first.

    A live row answers from its beginning to that of the next live row (`semantics.md` section 3).
    """
    times: dict[int, datetime] = {}
    for version in versions:
        times[version.began] = version.recorded_at
        if version.ceased is not None and version.superseded_at is not None:
            times[version.ceased] = version.superseded_at
    bands = [Band(number, times[number], _believed(versions, number)) for number in sorted(times)]
    # An act may end a row and begin one that reads the same; that is no step to look at.
    steps = [
        band
        for place, band in enumerate(bands)
        if place == 0 or band.stretches != bands[place - 1].stretches
    ]
    return tuple(reversed(steps))


def _believed(versions: Iterable[Version], number: int) -> tuple[Stretch, ...]:
    live = sorted(
        (it for it in versions if it.began <= number and (it.ceased is None or it.ceased > number)),
        key=lambda it: it.valid_from,
    )
    stretches: list[Stretch] = []
    for place, row in enumerate(live):
        ends = None if place + 1 == len(live) else to_micros(live[place + 1].valid_from)
        if row.memory_id is None or row.kind in (RowKind.END, RowKind.GAP):
            continue
        new = Stretch(to_micros(row.valid_from), ends, row.memory_id, _text(row.value))
        last = stretches[-1] if stretches else None
        if last is not None and _continues(last, new):
            stretches[-1] = last._replace(valid_to=new.valid_to)
        else:
            stretches.append(new)
    return tuple(stretches)


def _continues(last: Stretch, new: Stretch) -> bool:
    return (
        last.memory_id == new.memory_id
        and last.value == new.value
        and last.valid_to == new.valid_from
    )


def _text(value: Any) -> str:
    return canonical(value)


def band_in_force(bands: Sequence[Band], known_at: datetime | None) -> int | None:
    """Give the place of the band that was believed at an instant; bands are newest first."""
    for place, band in enumerate(bands):
        if known_at is None or band.recorded_at <= known_at:
            return place
    return None
