"""Taking over a whole record: everything is looked at on the way into a store.

The keys come in one order in all sections, so each is looked at with its rows, sources and
conflicts together. What is kept of the rest is little: the digests for the chain, the registry, and
the episodes that a part of the keys cite.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import groupby
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from store.backends import lifeline
from store.backends.admission import Admission, is_name, is_secret, place, refused
from store.backends.chaining import Chain
from store.entry import (
    attribute_digest,
    conflict_digest,
    episode_digest,
    event_digest,
    evidence_digest,
    row_digest,
)
from store.errors import Invalid
from store.history import key_order, link_order
from store.model import RowKind
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from store.contract import Cancel, Progress
    from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
    from store.history import History, Sealed
    from store.ledger import Content, Key, Row

T = TypeVar("T")
E = TypeVar("E", "AttributeEntry", "EvidenceEntry")

ENTRIES_AT_ONCE: Final = 2000
CHARACTERS_LIKE_ONE: Final = 4000
"""So much content of an episode weighs like a further entry."""


class Source(NamedTuple):
    """What must be known of an episode that is cited: which transaction, how many characters."""

    tx_from: int
    length: int


class KeyRecord(NamedTuple):
    """All that a record has of one key."""

    key: Key
    rows: list[Row]
    evidence: list[EvidenceEntry]
    cases: list[ConflictCase]


class Intake(ABC):
    """Where a record is put, part by part, in one step that is not finished yet."""

    @abstractmethod
    def begin(self, store_id: str, slot_secret: bytes) -> None:
        """Put down where the chain began, and from what the tenant's slots are made."""

    @abstractmethod
    def transactions(self, part: list[Sealed]) -> None:
        """Put down transactions."""

    @abstractmethod
    def attributes(self, part: list[AttributeEntry]) -> None:
        """Put down registry entries."""

    @abstractmethod
    def episodes(self, part: list[EpisodeEntry]) -> None:
        """Put down episodes; `Corrupt` if one is there twice."""

    @abstractmethod
    def keys(self, part: list[KeyRecord]) -> None:
        """Put down keys with all that belongs to them; `Corrupt` if a conflict is there twice."""

    @abstractmethod
    def sources(self, episode_ids: Iterable[str]) -> Mapping[str, Source]:
        """Return those of the episodes that were put down."""

    @abstractmethod
    def sealed(self) -> Iterator[Sealed]:
        """Yield the transactions that were put down."""

    @abstractmethod
    def stray(self) -> str | None:
        """Return the id of a fact that is on more than one key, if there is one."""


def take_over(
    history: History, intake: Intake, progress: Progress | None, cancel: Cancel | None
) -> None:
    """Look at a whole record and put it down.

    Raises:
        Corrupt: something in it is wrong; what was put down must be dropped.
        Cancelled: stopped on request; likewise.
    """
    try:
        _Taking(history, intake, progress, cancel).run()
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        # Whoever told the record has put something into it that is not what it should be.
        raise refused("the record", f"it holds what is none ({error})") from error
    except Invalid as error:
        raise refused("the record", f"it holds what cannot be kept ({error})") from error


class _Taking:
    def __init__(
        self, history: History, intake: Intake, progress: Progress | None, cancel: Cancel | None
    ) -> None:
        self._history = history
        self._intake = intake
        self._progress = progress
        self._cancel = cancel
        self._done = 0
        self._chain = Chain()
        self._admission = Admission(history.tenant_id, history.head.number)

    def run(self) -> None:
        """Go through the sections, each of which rests on those before it."""
        history = self._history
        if not is_name(history.store_id) or not is_secret(history.slot_secret):
            raise refused("the record", "it does not say where it began, or has no slot secret")
        self._intake.begin(history.store_id, history.slot_secret)
        self._transactions()
        self._attributes()
        self._episodes()
        self._keys()
        stray = self._intake.stray()
        if stray is not None:
            raise refused(f"fact {stray}", "it is on more than one key")
        self._chain.check(self._intake.sealed())

    def _told(self, count: int) -> None:
        self._done += count
        if self._progress is not None:
            self._progress(self._done, None)

    def _parts(
        self, entries: Iterable[T], weigh: Callable[[T], int] = lambda _: 1
    ) -> Iterator[list[T]]:
        """Yield entries some at a time: fewer of those that weigh more."""
        part: list[T] = []
        weight = 0
        for entry in entries:
            part.append(entry)
            weight += weigh(entry)
            if weight >= ENTRIES_AT_ONCE:
                self._check_cancel()
                yield part
                part, weight = [], 0
        self._check_cancel()
        if part:
            yield part

    def _check_cancel(self) -> None:
        if self._cancel is not None:
            self._cancel.check()

    def _transactions(self) -> None:
        last: Sealed | None = None
        for part in self._parts(self._history.transactions()):
            for sealed in part:
                self._admission.transaction(sealed, last)
                self._chain.expect(sealed.entries)
                last = sealed
            self._intake.transactions(part)
        head = self._history.head
        if last is None or (last.header.number, last.digest, last.total) != (
            head.number,
            head.digest,
            head.entries,
        ):
            raise refused("the transactions", "they do not end with the head of the record")
        if head.recorded_at is None or to_micros(head.recorded_at) != last.header.recorded_at:
            raise refused("the transactions", "the last is of another time than the head")

    def _attributes(self) -> None:
        for part in self._parts(self._history.attributes()):
            for entry in part:
                self._admission.attribute(entry)
                self._dated(entry, attribute_digest)
            self._intake.attributes(part)

    def _dated(self, entry: E, digest_of: Callable[[E], str]) -> None:
        """Enter something for the transactions that began and ended it."""
        digest = digest_of(entry)
        self._chain.add(entry.tx_from, b"+", digest)
        if entry.tx_to is not None:
            self._chain.add(entry.tx_to, b"-", digest)

    def _episodes(self) -> None:
        last: EpisodeEntry | None = None
        for part in self._parts(self._history.episodes(), _weight):
            for entry in part:
                self._admission.episode(entry, last)
                self._chain.add(entry.tx_from, b"+", episode_digest(entry))
                last = entry
            self._intake.episodes(part)
            self._told(len(part))

    # -- keys ---------------------------------------------------------------------------------

    def _keys(self) -> None:
        part: list[KeyRecord] = []
        count = 0
        for record in self._records():
            part.append(record)
            count += len(record.rows) + len(record.evidence) + len(record.cases)
            if count >= ENTRIES_AT_ONCE:
                self._take_keys(part)
                part, count = [], 0
        self._take_keys(part)

    def _records(self) -> Iterator[KeyRecord]:
        """Yield the keys, each with all that belongs to it."""
        evidence = _Alongside(self._history.evidence(), lambda link: link.key)
        cases = _Alongside(self._history.conflicts(), lambda case: case.entry.key)
        last: tuple[str, ...] = ()
        for key, rows in groupby(self._history.rows(), lambda row: row.key):
            order = key_order(key)
            if order <= last:
                raise refused(place(key), "the rows are out of order")
            last = order
            yield KeyRecord(key, list(rows), evidence.of(key), cases.of(key))
        for rest in (evidence.key, cases.key):
            if rest is not None:
                raise refused(place(rest), "something belongs to a key that has no rows here")

    def _take_keys(self, part: list[KeyRecord]) -> None:
        self._check_cancel()
        cited = {episode_id for record in part for episode_id in _cited(record)}
        sources = self._intake.sources(cited)
        for record in part:
            self._look_at(record, sources)
            self._enter(record)
        self._intake.keys(part)
        self._told(sum(len(record.rows) for record in part))

    def _look_at(self, record: KeyRecord, sources: Mapping[str, Source]) -> None:
        key, rows, evidence, cases = record
        admission = self._admission
        last: tuple[int, int] | None = None
        for row in rows:
            admission.row(row)
            beginning = (row.valid_from, row.tx_from)
            if last is not None and beginning <= last:
                raise refused(place(key, row.valid_from), "the rows are out of order")
            last = beginning
            if row.content is not None:
                _check_source(row.key, row.content, row.tx_from, sources)
            if row.over is not None:
                _check_source(row.key, row.over[0], row.tx_from, sources)
        admission.key(key, min([row.tx_from for row in rows]))
        _check_facts(key, rows)
        if evidence:
            self._look_at_evidence(record, sources)
        if cases:
            self._look_at_cases(record, sources)
        if cases or not lifeline.is_plain(rows):
            found = next(lifeline.findings(rows, cases), None)
            if found is not None:
                raise refused(found.where, found.sentence.rstrip("."))
        elif len({row.valid_from for row in rows}) < len(rows):
            raise refused(place(key), "two live rows begin at one instant")

    def _look_at_evidence(self, record: KeyRecord, sources: Mapping[str, Source]) -> None:
        begun = {(row.memory_id, row.tx_from) for row in record.rows}
        placed = {(row.memory_id, row.valid_from) for row in record.rows}
        last = record.evidence[0]
        for link in record.evidence:
            self._admission.link(link)
            if link_order(link) < link_order(last):
                raise refused(place(record.key), "the links to sources are out of order")
            last = link
            stands = (link.memory_id, link.row_tx) in begun
            if not stands or (link.memory_id, link.valid_from) not in placed:
                raise refused(place(record.key), "a link supports no row of the record")
            source = sources.get(link.episode_id)
            if source is None or source.tx_from > link.tx_from:
                raise refused(place(record.key), f"episode {link.episode_id} is missing")
            if link.span is not None and link.span[1] > source.length:
                raise refused(place(record.key), "a link leads beyond the end of its episode")

    def _look_at_cases(self, record: KeyRecord, sources: Mapping[str, Source]) -> None:
        ordered = [case.entry.conflict_id for case in record.cases]
        if ordered != sorted(set(ordered)):
            raise refused(place(record.key), "the conflicts are out of order")
        rows = {(row.valid_from, row.tx_from): row for row in record.rows}
        for case in record.cases:
            self._admission.case(case)
            standing = case.entry.standing
            row = rows.get((standing.valid_from, standing.tx_from))
            if row is None or row.as_of(standing.tx_from) != standing:
                raise refused(place(record.key), "a conflict is about no row of the record")
            if standing.kind is not RowKind.FACT or case.events[0].tx_from < standing.tx_from:
                raise refused(place(record.key), "a conflict is about no fact that stood then")
            for event in case.events:
                if event.claim is not None and event.claim.row.content is not None:
                    said = event.claim.row.content
                    _check_source(record.key, said, event.tx_from, sources)

    def _enter(self, record: KeyRecord) -> None:
        """Enter what belongs to a key for the transactions that began and ended it."""
        add = self._chain.add
        for row in record.rows:
            digest = row_digest(row)
            add(row.tx_from, b"+", digest)
            if row.tx_to is not None:
                add(row.tx_to, b"-", digest)
        for link in record.evidence:
            self._dated(link, evidence_digest)
        for case in record.cases:
            add(case.events[0].tx_from, b"+", conflict_digest(case.entry))
            for event in case.events:
                add(event.tx_from, b"+", event_digest(event))


def _weight(entry: EpisodeEntry) -> int:
    return 1 + len(entry.draft.content) // CHARACTERS_LIKE_ONE


class _Alongside(Generic[T]):
    """A stream in the order of keys, of which what belongs to one key is taken as it comes by."""

    def __init__(self, entries: Iterable[T], key_of: Callable[[T], Key]) -> None:
        self._groups = groupby(entries, key_of)
        self._group: Iterator[T] = iter(())
        self.key: Key | None = None
        self._step()

    def _step(self) -> None:
        self.key, self._group = next(self._groups, (None, iter(())))

    def of(self, key: Key) -> list[T]:
        """Return what belongs to a key, if it is next."""
        if self.key != key:
            return []
        found = list(self._group)
        self._step()
        return found


def _cited(record: KeyRecord) -> Iterator[str]:
    for row in record.rows:
        if row.content is not None:
            yield row.content.episode_id
        if row.over is not None:
            yield row.over[0].episode_id
    for link in record.evidence:
        yield link.episode_id
    for case in record.cases:
        for event in case.events:
            if event.claim is not None and event.claim.row.content is not None:
                yield event.claim.row.content.episode_id


def _check_source(key: Key, content: Content, number: int, sources: Mapping[str, Source]) -> None:
    """Look for the episode that something cites, as of the transaction that began it."""
    source = sources.get(content.episode_id)
    if source is None or source.tx_from > number:
        raise refused(place(key), f"episode {content.episode_id} is missing")
    if content.span is not None and content.span[1] > source.length:
        raise refused(place(key), f"a span leads beyond the end of episode {content.episode_id}")


def _check_facts(key: Key, rows: list[Row]) -> None:
    """Look for the facts that rows of a key name besides their own."""
    named = {
        content.supersedes
        for row in rows
        for content in (row.content, row.over[0] if row.over else None)
        if content is not None and content.supersedes is not None
    }
    named |= {row.over[0].memory_id for row in rows if row.over is not None}
    ended = {row.memory_id for row in rows if row.kind is RowKind.END}
    if not named and not ended:
        return
    known = {row.memory_id for row in rows if row.kind is RowKind.FACT}
    if not named | ended <= known:
        raise refused(place(key), "a row names a fact that the key never had")
