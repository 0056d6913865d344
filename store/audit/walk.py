"""One pass over a record: what is in a snapshot's scope, counted, and told to who writes it.

A record is read once, key by key, and little of it is held at a time: the believed rows of one key,
a few words for each transaction, and the names of the episodes that are cited.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from store.audit.facts import gaps_of, held_of, runs_of
from store.audit.format import ConflictCounts, Counts, EpisodeCounts, FactCounts
from store.entry import (
    attribute_digest,
    conflict_digest,
    episode_digest,
    event_digest,
    evidence_digest,
    row_digest,
)
from store.history import key_order
from store.model import OPERATOR, ConflictState
from store.temporal import Basis, Precision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from store.audit.facts import Held, Run
    from store.audit.format import Selection
    from store.contract import Cancel, Progress
    from store.entry import AttributeEntry, ConflictCase, EpisodeEntry, EvidenceEntry
    from store.history import History, Sealed
    from store.ledger import Key, Row

EntryT = TypeVar("EntryT")
PartT = TypeVar("PartT")

FactKind = tuple[Basis, Precision, int, bool, bool]
"""By what facts are counted: basis, precision, schema version, disputed, with a span."""

Place = tuple[str, ...]
"""Where a key stands in the order of a record."""

EVERY: Final = 1024
"""So many rows or episodes pass between two looks at the request to stop."""
IMPRECISE: Final = frozenset({Precision.DAY, Precision.MONTH, Precision.YEAR})
UNREGISTERED: Final = "fact"
"""The memory type of an attribute that is not in the registry."""
POLICY: Final = "policy"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a record, resolved; instants are microseconds since 1970 UTC.

    Attributes:
        recorded_at: of the transaction as of which one looks.
        window: asks for every interval that touches it, instead of those in force at `valid_at`.
    """

    selection: Selection
    recorded_at: int
    valid_at: int
    window: tuple[int, int] | None = None


class Listener(Protocol):
    """Who is told what lies in scope, in the order of the record."""

    def transaction(self, sealed: Sealed, *, out_of_scope: bool) -> None:
        """Take a transaction; of one out of scope only what the chain needs may be told."""

    def attribute(self, entry: AttributeEntry) -> None:
        """Take a registry entry."""

    def key(self, key: Key) -> None:
        """Take a key, whose rows follow."""

    def row(self, row: Row) -> None:
        """Take a row of the key."""

    def link(self, entry: EvidenceEntry) -> None:
        """Take a link; of the key, unless that has no rows."""

    def conflict(self, case: ConflictCase) -> None:
        """Take a conflict; of the key, unless that has no rows."""

    def facts(self, known: KnownKey, held: Sequence[Held]) -> None:
        """Take what is known of the key, and the facts of the selected state."""

    def episode(self, entry: EpisodeEntry) -> None:
        """Take an episode."""

    def omitted(self, number: int, sign: bytes, digest: str) -> None:
        """Take the digest of an entry out of scope that a transaction began (+) or ended (-)."""


class KnownKey:
    """What is believed of a key as of the transaction."""

    __slots__ = ("cases", "key", "links", "memory_type", "rows", "runs")

    def __init__(
        self,
        key: Key,
        memory_type: str,
        rows: Sequence[Row],
        links: Sequence[EvidenceEntry],
        cases: Sequence[ConflictCase],
    ) -> None:
        self.key = key
        self.memory_type = memory_type
        self.rows = rows
        self.links = links
        self.cases = cases
        self.runs: list[Run] = runs_of(rows)


class Tally:
    """Counts what passes by."""

    def __init__(self) -> None:
        self._kinds: dict[FactKind, int] = {}
        self.with_source = 0
        self.conflicts = ConflictCounts().model_dump()
        self.episodes = 0
        self.unused = 0
        self.versions = 0
        self.evidence = 0
        self.transactions = 0
        self.keys = 0
        self.subjects = 0
        self.gaps = 0

    def fact(self, held: Held) -> None:
        """Count a fact, all but its source."""
        content = held.row.content
        assert content is not None
        has_span = content.span is not None or (
            len(held.evidence) > 1 and any(span is not None for _, _, span in held.evidence)
        )
        kind = (
            content.basis,
            content.precision,
            content.schema_version,
            held.disputed,
            has_span,
        )
        self._kinds[kind] = self._kinds.get(kind, 0) + 1

    def conflict(self, case: ConflictCase) -> None:
        """Count a conflict by its state, a settled one by who settled it."""
        state = case.state
        if state is ConflictState.SETTLED:
            settlement = case.settlement
            assert settlement is not None
            actor = settlement.actor
            if actor == OPERATOR:
                self.conflicts["settled_by_person"] += 1
            elif actor == POLICY or actor.startswith(f"{POLICY}:"):
                self.conflicts["settled_by_policy"] += 1
            else:
                self.conflicts["settled_by_agent"] += 1
        elif state is not None:
            self.conflicts[state.value] += 1

    @property
    def schema_versions(self) -> dict[int, int]:
        """How many facts were written under each version of their attribute's schema."""
        return self._facts_by(lambda kind: kind[2])

    def _facts_by(self, part: Callable[[FactKind], PartT]) -> dict[PartT, int]:
        counts: dict[PartT, int] = {}
        for kind, count in self._kinds.items():
            counts[part(kind)] = counts.get(part(kind), 0) + count
        return counts

    def _fact_counts(self) -> FactCounts:
        total = sum(self._kinds.values())
        by_basis = self._facts_by(lambda kind: kind[0])
        return FactCounts(
            in_scope=total,
            with_source=self.with_source,
            without_source=total - self.with_source,
            with_span=self._facts_by(lambda kind: kind[4]).get(True, 0),
            disputed=self._facts_by(lambda kind: kind[3]).get(True, 0),
            imprecise=self._facts_by(lambda kind: kind[1] in IMPRECISE).get(True, 0),
            by_basis={basis.value: by_basis.get(basis, 0) for basis in Basis},
        )

    def counts(self) -> Counts:
        """Return what was counted."""
        return Counts(
            facts=self._fact_counts(),
            conflicts=ConflictCounts(**self.conflicts),
            episodes=EpisodeCounts(total=self.episodes, unused=self.unused),
            versions=self.versions,
            evidence=self.evidence,
            transactions=self.transactions,
            keys=self.keys,
            subjects=self.subjects,
            gaps=self.gaps,
        )


class _Beside(Generic[EntryT]):
    """What stands beside the rows, in the order of their keys, taken key by key."""

    def __init__(self, entries: Iterator[EntryT], key_of: Callable[[EntryT], Key]) -> None:
        self._entries = entries
        self._key_of = key_of
        self._next: EntryT | None = None
        self._place: Place | None = None
        self._step()

    def _step(self) -> None:
        self._next = next(self._entries, None)
        self._place = None if self._next is None else key_order(self._key_of(self._next))

    def reaches(self, place: Place) -> bool:
        """Say whether something stands at keys up to this one."""
        return self._place is not None and self._place <= place

    def up_to(self, place: Place | None) -> Iterator[EntryT]:
        """Yield what stands at keys up to this one, or all that is left."""
        while self._next is not None and (place is None or self.reaches(place)):
            yield self._next
            self._step()


class Walk:
    """A pass over a record as of its head, for a selection.

    Attributes:
        types: the memory type of each registered attribute.
        clock: when each transaction was recorded, by number; microseconds since 1970.
        tally: what was counted.
    """

    def __init__(
        self,
        history: History,
        question: Question,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self._history = history
        self._question = question
        self._selection = question.selection
        self._listener: Listener | None = None
        self._progress = progress
        self._cancel = cancel
        self._done = 0
        self._cited: dict[str, int] = {}
        self._touched = bytearray(history.head.number + 1)
        self._names: set[str] = set()
        self._subject: str | None = None
        self.types: dict[str, str] = {}
        self.clock = array("q", [0])
        self.tally = Tally()

    def run(self, listener: Listener | None = None) -> Counts:
        """Read the record once, tell it to a listener, and return what is in scope."""
        self._listener = listener
        is_filtered = self._selection.is_filtered
        attributes = list(self._history.attributes())
        self.types = {a.attribute.name: a.attribute.memory_type for a in attributes}
        self._read_transactions(told=not is_filtered)
        self._read_rows()
        self._read_episodes()
        self._tell_attributes(attributes)
        if is_filtered:
            self._read_transactions(told=True)
        self._report(self._history.head.entries)
        return self.tally.counts()

    def _report(self, done: int) -> None:
        if self._cancel is not None:
            self._cancel.check()
        if self._progress is not None:
            self._progress(done, self._history.head.entries)

    # -- transactions and registry ----------------------------------------------------------------

    def _read_transactions(self, *, told: bool) -> None:
        is_filtered, listener = self._selection.is_filtered, self._listener
        is_first = len(self.clock) == 1
        self.tally.transactions = 0
        for sealed in self._history.transactions():
            number = sealed.header.number
            if is_first:
                self.clock.append(sealed.header.recorded_at)
            self.tally.transactions += 1
            if number % EVERY == 0:
                self._report(self._done)
            if told and listener is not None:
                is_out = is_filtered and not self._touched[number]
                listener.transaction(sealed, out_of_scope=is_out)

    def _tell_attributes(self, attributes: Sequence[AttributeEntry]) -> None:
        is_filtered, listener = self._selection.is_filtered, self._listener
        for entry in attributes:
            if is_filtered and entry.attribute.name not in self._names:
                self._omit(attribute_digest(entry), entry.tx_from, entry.tx_to)
                continue
            self._touch(entry.tx_from, entry.tx_to)
            if listener is not None:
                listener.attribute(entry)

    # -- keys -------------------------------------------------------------------------------------

    def _wants(self, key: Key) -> bool:
        wanted = self._selection
        return (
            wanted.subject in (None, key.subject)
            and wanted.attribute in (None, key.attribute)
            and wanted.memory_type in (None, self.types.get(key.attribute, UNREGISTERED))
        )

    def _read_rows(self) -> None:
        history, listener, tally = self._history, self._listener, self.tally
        is_filtered, cited = self._selection.is_filtered, self._cited
        links = _Beside(history.evidence(), lambda e: e.key)
        cases = _Beside(history.conflicts(), lambda c: c.entry.key)
        key: Key | None = None
        is_wanted = False
        believed: list[Row] = []
        done = looked = self._done
        for row in history.rows():
            if row.key is not key and row.key != key:
                self._done = done
                self._close_key(key, believed, links, cases, is_wanted=is_wanted)
                done, believed = self._done, []
                is_wanted = self._open_key(row.key)
                key = row.key
            done += 1 if row.tx_to is None else 2
            if done - looked >= EVERY:
                looked = done
                self._report(done)
            if not is_wanted:
                self._omit(row_digest(row), row.tx_from, row.tx_to)
                continue
            tally.versions += 1
            if listener is not None:
                listener.row(row)
            if row.tx_to is None:
                believed.append(row)
            if row.content is not None:
                cited.setdefault(row.content.episode_id, 0)
                if row.over is not None:
                    cited.setdefault(row.over[0].episode_id, 0)
            if is_filtered:
                self._touch(row.tx_from, row.tx_to)
        self._done = done
        self._close_key(key, believed, links, cases, is_wanted=is_wanted)
        self._take_links(links, None)
        self._take_cases(cases, None)

    def _open_key(self, key: Key) -> bool:
        if not self._wants(key):
            return False
        tally = self.tally
        tally.keys += 1
        self._names.add(key.attribute)
        if self._listener is not None:
            self._listener.key(key)
        if key.subject != self._subject:
            tally.subjects += 1
            self._subject = key.subject
        return True

    def _close_key(
        self,
        key: Key | None,
        believed: list[Row],
        links: _Beside[EvidenceEntry],
        cases: _Beside[ConflictCase],
        *,
        is_wanted: bool,
    ) -> None:
        if key is None:
            return
        place = key_order(key)
        held_links = self._take_links(links, place) if links.reaches(place) else []
        held_cases = self._take_cases(cases, place) if cases.reaches(place) else []
        if not is_wanted:
            return
        memory_type = self.types.get(key.attribute, UNREGISTERED)
        known = KnownKey(key, memory_type, believed, held_links, held_cases)
        runs, tally, cited = known.runs, self.tally, self._cited
        if len(runs) > 1 or (runs and runs[0].valid_to is not None):
            tally.gaps += sum(1 for _ in gaps_of(runs))
        held = held_of(
            believed,
            runs,
            links=held_links,
            cases=held_cases,
            valid_at=self._question.valid_at,
            window=self._question.window,
        )
        for fact in held:
            tally.fact(fact)
            assert fact.row.content is not None
            cited[fact.row.content.episode_id] += 1
        if self._listener is not None:
            self._listener.facts(known, held)

    def _take_links(
        self, links: _Beside[EvidenceEntry], place: Place | None
    ) -> list[EvidenceEntry]:
        """Pass on the links up to a key; return those of the key that are believed."""
        found: list[EvidenceEntry] = []
        for link in links.up_to(place):
            self._done += 1 if link.tx_to is None else 2
            if not self._wants(link.key):
                self._omit(evidence_digest(link), link.tx_from, link.tx_to)
                continue
            self._touch(link.tx_from, link.tx_to)
            self._cited.setdefault(link.episode_id, 0)
            self.tally.evidence += 1
            if self._listener is not None:
                self._listener.link(link)
            if link.tx_to is None and key_order(link.key) == place:
                found.append(link)
        return found

    def _take_cases(self, cases: _Beside[ConflictCase], place: Place | None) -> list[ConflictCase]:
        """Pass on the conflicts up to a key; return those of the key."""
        found: list[ConflictCase] = []
        for case in cases.up_to(place):
            self._done += 1 + len(case.events)
            if not self._wants(case.entry.key):
                self._omit(conflict_digest(case.entry), case.events[0].tx_from, None)
                for event in case.events:
                    self._omit(event_digest(event), event.tx_from, None)
                continue
            self._touch_case(case)
            self.tally.conflict(case)
            if self._listener is not None:
                self._listener.conflict(case)
            if key_order(case.entry.key) == place:
                found.append(case)
        return found

    def _touch_case(self, case: ConflictCase) -> None:
        rows = [case.entry.standing]
        for event in case.events:
            self._touch(event.tx_from, None)
            if event.claim is not None:
                rows.append(event.claim.row)
        for row in rows:
            for content in (row.content, row.over and row.over[0]):
                if content is not None:
                    self._cited.setdefault(content.episode_id, 0)

    # -- episodes ---------------------------------------------------------------------------------

    def _read_episodes(self) -> None:
        is_filtered, listener, tally = self._selection.is_filtered, self._listener, self.tally
        cited = self._cited
        for passed, entry in enumerate(self._history.episodes(), 1):
            if passed % EVERY == 0:
                self._report(self._done + passed)
            facts = cited.pop(entry.draft.episode_id, None)
            if facts is None and is_filtered:
                self._omit(episode_digest(entry), entry.tx_from, None)
                continue
            tally.episodes += 1
            if facts is None:
                tally.unused += 1
            else:
                tally.with_source += facts
            if is_filtered:
                self._touch(entry.tx_from, None)
            if listener is not None:
                listener.episode(entry)

    # -- what lies out of scope -------------------------------------------------------------------

    def _touch(self, begun: int, ended: int | None) -> None:
        self._touched[begun] = 1
        if ended is not None:
            self._touched[ended] = 1

    def _omit(self, digest: str, begun: int, ended: int | None) -> None:
        if self._listener is None:
            return
        self._listener.omitted(begun, b"+", digest)
        if ended is not None:
            self._listener.omitted(ended, b"-", digest)
