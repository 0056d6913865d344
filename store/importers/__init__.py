"""Importers: foreign memories read as episodes and proposed facts, and written with a report.

An importer only reads: it yields a `Piece` for each row or line of its source. `run_import` writes
them through the contract of a store and counts what became of each. A second run finds everything
known, so an import can be repeated whenever the source has grown. Originals are never touched.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias, TypeVar

from pydantic import ValidationError

from store.canonical import canonical
from store.errors import Cancelled, Invalid, NotFound, ReadOnly
from store.model import Attribute, Cardinality, EpisodeDraft, MemoryDelta
from store.write import Register

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

    from store.contract import Cancel, Progress, Scope, Store
    from store.model import Episode
    from store.query import LoadReport

BATCH: Final = 20_000
"""Entries in one transaction."""
LONGEST_CONTENT: Final = 1 << 20
"""Characters of one row or line; a longer one is left out. Runaway rows of 18 MB are on record."""
SKIPPED_KEPT: Final = 1000
"""How many skipped rows a report names; it counts them all."""
_BATCH_CHARACTERS: Final = 64 << 20
_ATTRIBUTES_NAMED: Final = 10
_FIELDS_NAMED: Final = 1000
_OTHER_FIELDS: Final = "other fields"
_LONGEST_REASON: Final = 500
_CHECKED_EVERY: Final = 1000

R = TypeVar("R")
_Placed: TypeAlias = "tuple[Place, EpisodeDraft | MemoryDelta]"


class OnError(StrEnum):
    """What a row that cannot be read means for the rest."""

    STOP = "stop"
    """The whole source is read first; if anything is wrong with it, nothing of it is written."""
    SKIP = "skip"
    """The good rest is written, and the report names what was left out."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a source something stands: a file, with a line counted from 1 or the id of a row."""

    file: str
    line: int | None = None
    row: str = ""

    def __str__(self) -> str:
        """Give the place in words."""
        if self.line is not None:
            return f"{self.file}, line {self.line}"
        return f"{self.file}, row {self.row}" if self.row else self.file


@dataclass(frozen=True, slots=True)
class Piece:
    """One row or line of a source, and what is to become of it.

    Attributes:
        episode: what is kept as evidence.
        delta: the fact that is proposed from it.
        problem: a sentence that says why it, or its fact, is left out; "" if nothing is wrong.
        without_fact: why it has no fact although nothing is wrong with it; "" if it has one.
        dropped: names of fields for which the record has no place.
    """

    place: Place
    episode: EpisodeDraft | None = None
    delta: MemoryDelta | None = None
    problem: str = ""
    without_fact: str = ""
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something of the source that was left out, and why."""

    place: Place
    reason: str

    def __str__(self) -> str:
        """Give the place and the reason as one sentence."""
        return f"{self.place}: {self.reason}"


class Reading:
    """What an importer may know while it reads: whose memory it fills, and what was kept before.

    Args:
        store: the store that is filled.
        scope: whose memory, and who writes.
        cancel: stops the reading.
        looks_back: whether to look for earlier episodes; a trial without writing need not.
    """

    def __init__(
        self, store: Store, scope: Scope, *, cancel: Cancel | None, looks_back: bool
    ) -> None:
        self.scope = scope
        self._store = store
        self._cancel = cancel
        self._looks_back = looks_back and store.head(scope).number > 0

    @property
    def tenant_id(self) -> str:
        """The tenant whose memory is filled."""
        return self.scope.tenant_id

    def episode(self, episode_id: str) -> Episode | None:
        """Return an episode that was captured before, None if the record has no such episode.

        A time that an earlier import had to assume is remembered in this way.
        """
        if not self._looks_back:
            return None
        try:
            return self._store.episode(self.scope, episode_id)
        except NotFound:
            return None

    @property
    def is_cancelled(self) -> bool:
        """Whether stopping was asked for."""
        return self._cancel is not None and self._cancel.is_cancelled

    def check(self) -> None:
        """Raise `Cancelled` if stopping was asked for."""
        if self._cancel is not None:
            self._cancel.check()


class Importer(ABC):
    """Reads one foreign source. A context manager: what it had to copy is gone afterwards.

    Attributes:
        kind: its name on the command line.
        source: what is read, for messages.
    """

    kind: ClassVar[str]
    source: str

    def __enter__(self) -> Self:
        """Make the source ready for reading.

        Raises:
            NotFound: it is not there.
            Invalid: it is something else.
        """
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the source."""
        return

    @abstractmethod
    def pieces(self, reading: Reading) -> Iterator[Piece]:
        """Yield the rows and lines of the source; each call reads it again from the beginning.

        Raises:
            Invalid: the source is not what it should be, or changed since it was read first.
        """

    @abstractmethod
    def progress(self) -> tuple[int, int | None]:
        """Return how much of the source was read, and of how much if that is known."""

    def cardinality(self, attribute: str) -> Cardinality | None:
        """Return how many values an attribute shall have; None leaves it to the store."""
        return None

    def entry(self, attribute: str) -> Attribute | None:
        """Return what the registry shall say of an attribute that the store does not know.

        None leaves it to the store.
        """
        return None

    def notes(self) -> tuple[str, ...]:
        """Return sentences about the source that belong into the report."""
        return ()


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or with `dry_run` would do. Counts are of rows and lines.

    Attributes:
        read: rows and lines that were read.
        episodes: newly captured.
        episodes_known: captured before, or earlier in the same source.
        written: facts.
        known: facts that the record had from the same episode.
        corroborated: facts that the record had from another episode; evidence was added.
        conflicts: facts that wait in a conflict.
        conflict_kinds: the same by the kind of conflict.
        without_fact: episodes that propose no fact, by the reason.
        skipped: what was left out; at most 1,000 are named.
        skipped_count: all of them.
        dropped: fields for which the record has no place, with the number of values dropped.
        registered: attributes that were made multi-valued.
        transactions: numbers of the first and last transaction; None if nothing was written.
        refused: something was wrong and, as `OnError.STOP` asks, nothing was written.
        cancelled: it was stopped on request; what was committed before stays.
    """

    kind: str
    source: str
    dry_run: bool = False
    read: int = 0
    episodes: int = 0
    episodes_known: int = 0
    written: int = 0
    known: int = 0
    corroborated: int = 0
    conflicts: int = 0
    conflict_kinds: Mapping[str, int] = field(default_factory=dict)
    without_fact: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    skipped_count: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    registered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    transactions: tuple[int, int] | None = None
    refused: bool = False
    cancelled: bool = False

    @property
    def refusal(self) -> str:
        """Why nothing was written, as one sentence or two; "" if it was not refused."""
        if not self.refused:
            return ""
        others = self.skipped_count - 1
        more = f" ({_number(others)} more like it)" if others else ""
        return (
            f"{self.skipped[0]}{more} Nothing was written; repair the source, or import the good "
            "rest by skipping what is wrong."
        )

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON, with every count."""
        names = ("read", "episodes", "episodes_known", "written", "known", "corroborated")
        return {
            "kind": self.kind,
            "source": self.source,
            "dry_run": self.dry_run,
            **{name: getattr(self, name) for name in names},
            "conflicts": self.conflicts,
            "conflict_kinds": dict(self.conflict_kinds),
            "without_fact": dict(self.without_fact),
            "skipped_count": self.skipped_count,
            "skipped": [
                {
                    "file": s.place.file,
                    "line": s.place.line,
                    "row": s.place.row or None,
                    "reason": s.reason,
                }
                for s in self.skipped
            ],
            "dropped": dict(self.dropped),
            "registered": list(self.registered),
            "notes": list(self.notes),
            "transactions": None if self.transactions is None else list(self.transactions),
            "refused": self.refused,
            "cancelled": self.cancelled,
        }

    def sentences(self, named: int = 10) -> tuple[str, ...]:
        """Return the report in words, with at most `named` of the skipped rows."""
        said = [self.refusal] if self.refused else [*self._on_what_was_read()]
        said += [f"Without a fact: {_number(n)} {why}." for why, n in self.without_fact.items()]
        if self.skipped_count:
            said.append(
                f"{self._tense('Skipped', 'Would be skipped')}: {_number(self.skipped_count)}."
            )
            said += [f"  {skipped}" for skipped in self.skipped[:named]]
        if self.dropped:
            fields = ", ".join(f"{name} ({_number(n)})" for name, n in self.dropped.items())
            said.append(f"{self._tense('Dropped', 'Would be dropped')}: {fields}.")
        said += self.notes
        if self.cancelled:
            said.append("Stopped on request; what was committed before stays.")
        return tuple(said)

    def _on_what_was_read(self) -> Iterator[str]:
        known = self._tense("were known", "are known")
        yield f"Read: {_number(self.read)} rows and lines of {self.source}."
        yield (
            f"Episodes: {_number(self.episodes)} {self._tense('captured', 'would be captured')}, "
            f"{_number(self.episodes_known)} {known}."
        )
        kinds = ", ".join(f"{_number(n)} {kind}" for kind, n in self.conflict_kinds.items())
        yield (
            f"Facts: {_number(self.written)} {self._tense('written', 'would be written')}, "
            f"{_number(self.known)} {known}, {_number(self.corroborated)} "
            f"{self._tense('corroborated', 'would be corroborated')}, {_number(self.conflicts)} "
            f"{self._tense('queued as conflicts', 'would be queued as conflicts')}"
            f"{f' ({kinds})' if kinds else ''}."
        )
        if self.registered:
            made = self._tense("Made multi-valued", "Would be made multi-valued")
            some = ", ".join(self.registered[:_ATTRIBUTES_NAMED])
            rest = len(self.registered) - _ATTRIBUTES_NAMED
            yield f"{made}: {some}{f' and {_number(rest)} more' if rest > 0 else ''}."

    def _tense(self, did: str, would: str) -> str:
        return would if self.dry_run else did


def run_import(
    store: Store,
    scope: Scope,
    importer: Importer,
    *,
    dry_run: bool = False,
    on_error: OnError = OnError.STOP,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> ImportReport:
    """Read a source and write what it holds into a tenant's memory.

    Args:
        store: where to; open for reading suffices with `dry_run`.
        scope: whose memory is filled, and who writes.
        importer: reads the source.
        dry_run: write nothing and report what would come of it; memory grows with the source.
        on_error: whether anything wrong with the source keeps all of it from being written.
        progress: told how much was read, in the importer's own measure.
        cancel: stops between rows; what was committed before stays, and the report says so.

    Raises:
        NotFound: the source is not there.
        Invalid: it is something else as a whole, or the scope is not usable.
        ReadOnly: the store is open for reading.
    """
    if not dry_run and not store.is_writable:
        raise ReadOnly(f"{store.url} is open for reading only; nothing was imported.")
    run = _Run(store, scope, importer, dry_run=dry_run, progress=progress, cancel=cancel)
    with importer:
        try:
            run.carry_out(on_error)
        except Cancelled:
            run.cancelled = True
    return run.report()


class _Run:
    """One import under way."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        importer: Importer,
        *,
        dry_run: bool,
        progress: Progress | None,
        cancel: Cancel | None,
    ) -> None:
        self._store = store
        self._scope = scope
        self._importer = importer
        self._dry_run = dry_run
        self._progress = progress
        self._cancel = cancel
        self._reading = Reading(store, scope, cancel=cancel, looks_back=True)
        self._trial = Reading(store, scope, cancel=cancel, looks_back=False)
        self._in_store = {entry.name: entry for entry in store.attributes(scope)}
        self.cancelled = False
        self._refused = False
        self._loads: list[LoadReport] = []
        self._offered = 0
        self._registered: list[str] = []
        self._transactions: list[int] = []
        self._clear()

    def _clear(self) -> None:
        self._types = {name: entry.memory_type for name, entry in self._in_store.items()}
        self._wished: dict[str, Attribute] = {}
        self._read = 0
        self._without_fact: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._skipped: list[Skipped] = []
        self._skipped_count = 0

    # -- the passes ---------------------------------------------------------------------------

    def carry_out(self, on_error: OnError) -> None:
        """Read the source, twice if it must be whole, and write it or rehearse that."""
        if self._dry_run:
            self._rehearse(on_error)
            return
        passes = 1
        if on_error is OnError.STOP:
            passes = 2
            for _ in self._entries(self._trial, 0, passes):
                pass
            if self._skipped_count:
                self._refused = True
                return
            self._clear()
        self._write(passes)

    def _rehearse(self, on_error: OnError) -> None:
        placed = list(self._entries(self._reading, 0, 1))
        if on_error is OnError.STOP and self._skipped_count:
            self._refused = True
            return
        report = self._store.rehearse(
            self._scope,
            [entry for _, entry in placed],
            attributes=list(self._wished.values()),
            cancel=self._cancel,
            batch=BATCH,
        )
        self._registered += self._wished
        self._note_load(report, placed)

    def _write(self, passes: int) -> None:
        part: list[_Placed] = []
        characters = 0
        for place, entry in self._entries(self._reading, passes - 1, passes):
            part.append((place, entry))
            characters += len(entry.content) if isinstance(entry, EpisodeDraft) else 0
            if len(part) == BATCH or characters > _BATCH_CHARACTERS:
                self._load(part)
                part, characters = [], 0
        self._load(part)

    def _load(self, part: list[_Placed]) -> None:
        if not part:
            return
        for name in [name for name in self._wished if name not in self._registered]:
            self._reading.check()
            receipt = self._store.write(self._scope, Register(attribute=self._wished[name]))
            self._registered.append(name)
            if receipt.transaction is not None:
                self._transactions.append(receipt.transaction)
        entries = [entry for _, entry in part]
        report = self._store.load(self._scope, entries, cancel=self._cancel, batch=BATCH)
        self._note_load(report, part)
        if report.cancelled:
            raise Cancelled("The import was stopped on request.")

    def _note_load(self, report: LoadReport, part: list[_Placed]) -> None:
        self._loads.append(report)
        self._transactions += report.transactions or ()
        taken = part[: report.read]
        self._offered += sum(isinstance(entry, EpisodeDraft) for _, entry in taken)
        for position, reason in report.rejected:
            place, entry = part[position]
            self._skip(place, reason)
            self._offered -= isinstance(entry, EpisodeDraft)
        self._skipped_count += report.rejected_count - len(report.rejected)

    # -- one piece ----------------------------------------------------------------------------

    def _entries(self, reading: Reading, finished: int, passes: int) -> Iterator[_Placed]:
        """Yield what the pieces ask to be written, and count the rest."""
        for piece in self._importer.pieces(reading):
            self._read += 1
            if self._read % _CHECKED_EVERY == 0:
                self._reading.check()
                self._tell(finished, passes)
            yield from self._taken(piece)
        self._tell(finished, passes)

    def _taken(self, piece: Piece) -> Iterator[_Placed]:
        delta = piece.delta
        if delta is not None:
            try:
                delta = self._fitted(delta)
            except Invalid as error:
                piece, delta = replace(piece, problem=str(error)), None
        if piece.problem:
            self._skip(piece.place, piece.problem)
        if piece.without_fact:
            self._without_fact[piece.without_fact] += 1
        for name in piece.dropped:
            is_new = name not in self._dropped and len(self._dropped) >= _FIELDS_NAMED
            self._dropped[_OTHER_FIELDS if is_new else name] += 1
        if piece.episode is not None:
            yield piece.place, piece.episode
        if delta is not None:
            yield piece.place, delta

    def _fitted(self, delta: MemoryDelta) -> MemoryDelta:
        """Return a delta as the store will take it, so that nothing is refused half-way.

        Raises:
            Invalid: the store would not take it.
        """
        canonical(delta.value)
        if not self._scope.may_write(delta.owner):
            raise Invalid(
                f"it belongs to {delta.owner}, and {self._scope.agent_id} may not write there."
            )
        self._fit_cardinality(delta)
        registered = self._types.setdefault(delta.attribute, delta.memory_type or "fact")
        if delta.memory_type is not None and delta.memory_type != registered:
            self._dropped["memory_type"] += 1
            return delta.model_copy(update={"memory_type": None})
        return delta

    def _fit_cardinality(self, delta: MemoryDelta) -> None:
        name = delta.attribute
        if name in self._wished:
            return
        found = self._in_store.get(name)
        told = self._importer.entry(name) if found is None else None
        wish = self._importer.cardinality(name)
        held = found.cardinality if found is not None else Cardinality.SINGLE
        if wish is None or wish is held:
            if told is not None and told != Attribute(name=name, memory_type=told.memory_type):
                self._wished[name] = told
            return
        if wish is Cardinality.SINGLE:
            raise Invalid(
                f"{name} is multi-valued in this store and cannot become single-valued again."
            )
        entry = found or told or Attribute(name=name, memory_type=delta.memory_type or "fact")
        self._wished[name] = entry.model_copy(update={"cardinality": wish})

    def _skip(self, place: Place, reason: str) -> None:
        self._skipped_count += 1
        if len(self._skipped) < SKIPPED_KEPT:
            cut = f"{reason[:_LONGEST_REASON]}…" if len(reason) > _LONGEST_REASON else reason
            self._skipped.append(Skipped(place, cut))

    def _tell(self, finished: int, passes: int) -> None:
        if self._progress is None:
            return
        done, total = self._importer.progress()
        if total is None:
            self._progress(done, None)
        else:
            self._progress(finished * total + done, passes * total)

    # -- the end ------------------------------------------------------------------------------

    def report(self) -> ImportReport:
        """Return what came of it."""
        kinds: Counter[str] = Counter()
        for load in self._loads:
            kinds.update({str(kind): count for kind, count in load.conflict_kinds})
        captured = self._total(lambda load: load.episodes)
        numbers = self._transactions
        return ImportReport(
            kind=self._importer.kind,
            source=self._importer.source,
            dry_run=self._dry_run,
            read=self._read,
            episodes=captured,
            episodes_known=self._offered - captured,
            written=self._total(lambda load: load.applied),
            known=self._total(lambda load: load.known),
            corroborated=self._total(lambda load: load.corroborated),
            conflicts=self._total(lambda load: load.conflicts),
            conflict_kinds=dict(sorted(kinds.items())),
            without_fact=dict(self._without_fact),
            skipped=tuple(self._skipped),
            skipped_count=self._skipped_count,
            dropped=dict(self._dropped),
            registered=tuple(n for n in self._registered if self._is_to_be_multi(n)),
            notes=self._importer.notes(),
            transactions=(min(numbers), max(numbers)) if numbers else None,
            refused=self._refused,
            cancelled=self.cancelled,
        )

    def _is_to_be_multi(self, name: str) -> bool:
        return self._wished[name].cardinality is Cardinality.MULTI

    def _total(self, count: Callable[[LoadReport], int]) -> int:
        return sum(map(count, self._loads))


def checked(model: type[R], **fields: Any) -> R:
    """Make a model of fields that a source gave.

    Raises:
        Invalid: a field breaks its rule; the sentence says which.
    """
    try:
        return model(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise Invalid(f"{where}: {said}." if where else f"{said}.") from error


def _number(count: int) -> str:
    return f"{count:,}"
