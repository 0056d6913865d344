"""What a snapshot believes, said again as claims: the live rows of an attribute in, proposals out.

What sources stated is proposed as they stated it, wherever a record that has nothing else on the
key then reads the same. That is not so everywhere: an `end` is an act of its own and no proposal, a
gap is nothing that anybody said, and of an attribute that has many values a value has one place.
There what is believed is told instead, stretch by stretch, with the ends that it has.

**One value in several slots.** A decision that both hold, or a correction, leaves two slots that
say one value with different ends. Two proposals with different ends for one value would be a
conflict of kind *end* (`semantics.md`, section 4, rules 1 and 2): there sources contradict each
other, and a person has to decide. Here nothing is open: the record believes both, and in most cases
a person decided so. And new writes look for their value in any slot (section 5), so the value has
one place here too. So it is told once: where slots overlap, the longest statement that begins first
keeps its end, what lies within it says the same without an end, which corroborates it or states it
again, and of what reaches further the rest follows on. The value holds at the same instants as in
the snapshot, all sources are there, and nothing waits.

**What then reads otherwise** is named, fact by fact (`Otherwise`), for each of the three reasons in
`Why`. Everything else reads as in the snapshot: value, beginning, end and sources. Not told, and
not named: the ids, an end that a source stated further on than the fact reaches, and of several
spans in one episode all but one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from store import ledger
from store.ledger import FOREVER
from store.model import Outcome, RowKind

if TYPE_CHECKING:
    from store.entry import EvidenceEntry
    from store.ledger import Row

MOST_REPLAYED: Final = 200
"""Claims on one key that are tried out; of more with stated ends, stretches are told."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What the target's record says at a stretch that ended without its source saying so.

    Attributes:
        is_there: it reads just as the snapshot does.
        until: the stated end that it has there.
    """

    is_there: bool = False
    until: int | None = None


Look: TypeAlias = Callable[["Row", int, int | None], Standing]
"""Looks up in the target how a stretch stands there: its row, its beginning and its end."""


class Lane(NamedTuple):
    """What is live on one key.

    Attributes:
        rows: each with the number of its line, in order of time.
        links: further ones to sources.
    """

    rows: Sequence[tuple[int, Row]]
    links: Sequence[EvidenceEntry] = ()


class Claim(NamedTuple):
    """What is proposed from a row, or from a link to it.

    Attributes:
        line: number of the row's.
        row: whose content it has.
    """

    line: int
    row: Row
    begins: int
    until: int | None
    episode_id: str
    span: tuple[int, int] | None


class Read(NamedTuple):
    """A fact as reads give it: value in canonical JSON, from when to when, and its episodes."""

    value: str
    begins: int
    ends: int | None
    sources: frozenset[str]


_ANY: Final = frozenset(("",))
"""What is not among the sources of any fact: no episode has an empty name."""


class Why(StrEnum):
    """Why a fact reads otherwise once it was told."""

    JOINED = "joined"
    """Facts of one value that follow on each other are one: a proposal of what holds restates it.
    It begins with the first, ends with the last, and has the sources of all."""
    PARTED = "parted"
    """A fact in several stretches is several facts, each with the sources of what it says."""
    SLOTS = "slots"
    """Several slots say its value at one time, and it is told once: see above."""


class Otherwise(NamedTuple):
    """A fact of the snapshot that reads otherwise once it was told."""

    read: Read
    why: Why


@dataclass(slots=True)
class Retelling:
    """What is proposed for one attribute of one subject and owner.

    Attributes:
        claims: in the order in which they are to be proposed.
        bounded: keys whose facts have ends that no source stated.
        otherwise: facts that will read otherwise, if the target has nothing on the key.
    """

    claims: list[Claim] = field(default_factory=list)
    bounded: int = 0
    otherwise: list[Otherwise] = field(default_factory=list)


def retell(lanes: Sequence[Lane], look: Look, *, is_multi: bool) -> Retelling:
    """Return what to propose so that a record believes what the snapshot does.

    Args:
        lanes: all of one attribute of one subject and owner.
        look: says how a stretch stands in the target.
        is_multi: whether the attribute has many values where it is told, so that each value has a
            place of its own there, whatever slot it has here.
    """
    told = Retelling()
    shared = _sharing(lanes) if is_multi else set()
    for position, lane in enumerate(lanes):
        if position not in shared:
            _tell_alone(lane, look, told)
    if shared:
        _tell_values([lanes[position] for position in sorted(shared)], look, told)
    return told


def _sharing(lanes: Sequence[Lane]) -> set[int]:
    """Return which lanes say several values, or one that another lane says too."""
    said = [{_value(row) for _, row in lane.rows if row.kind is RowKind.FACT} for lane in lanes]
    times = Counter(value for values in said for value in values)
    return {
        position
        for position, values in enumerate(said)
        if len(values) > 1 or any(times[value] > 1 for value in values)
    }


# -- one key by itself ----------------------------------------------------------------------------


def _tell_alone(lane: Lane, look: Look, told: Retelling) -> None:
    rows = [row for _, row in lane.rows]
    if all(row.kind is RowKind.FACT and row.until is None and row.over is None for row in rows):
        claims = _claims(_statements(lane, {}))
        told.claims += claims
        if len(rows) > 1:
            told.otherwise += _differing(lane, _open_reads(claims))
        return
    ends = _ends(rows)
    for folded in ({}, ends) if ends else ({},):
        units = _statements(lane, folded)
        claims = _claims(units)
        reads = _replayed(claims)
        if reads is not None and _joined(reads) == _joined(_reads(lane)):
            if folded:
                told.bounded += 1
                claims = _claims(_as_they_stand(units, lane, folded, look))
            told.claims += claims
            told.otherwise += _differing(lane, reads)
            return
    told.bounded += 1
    units = _stretches(lane)
    told.otherwise += _differing(lane, [unit.read for unit in units])
    for unit in units:
        standing = look(unit.row, unit.begins, unit.until)
        if not standing.is_there:
            told.claims += unit.claims()
        elif unit.row.kind is not RowKind.RESUME:
            told.claims += replace(unit, until=standing.until).claims()


def _ends(rows: Iterable[Row]) -> dict[str, int]:
    """Return when facts were ended by an act of its own."""
    return {
        row.memory_id: row.valid_from
        for row in rows
        if row.kind is RowKind.END and row.until is None and row.memory_id is not None
    }


def _as_they_stand(
    units: Iterable[_Unit], lane: Lane, ends: Mapping[str, int], look: Look
) -> Iterator[_Unit]:
    """Yield statements whose end is an act's; without it where the target has just that act."""
    reached = {s.valid_from: s for s in ledger.stretches(row for _, row in lane.rows)}
    for unit in units:
        stretch = reached.get(unit.begins)
        if unit.row.until is None and stretch is not None and unit.row.memory_id in ends:
            standing = look(unit.row, unit.begins, stretch.valid_to)
            if standing.is_there:
                yield replace(unit, until=standing.until)
                continue
        yield unit


# -- values that share slots ----------------------------------------------------------------------


def _tell_values(lanes: Sequence[Lane], look: Look, told: Retelling) -> None:
    told.bounded += len(lanes)
    by_value: defaultdict[str, list[_Unit]] = defaultdict(list)
    for lane in lanes:
        for unit in _stretches(lane):
            by_value[_value(unit.row)].append(unit)
    reads = [read for lane in lanes for read in _reads(lane)]
    got: list[Read] = []
    for value in sorted(by_value):
        units = by_value[value]
        units.sort(key=lambda unit: (unit.begins, -_bound(unit.until)))
        cover = _Cover(value)
        for unit in units:
            cover.add(unit, is_there=look(unit.row, unit.begins, unit.until).is_there)
        cover.claims.sort(key=lambda claim: claim.begins)
        told.claims += cover.claims
        got += cover.reads()
    told.otherwise += _named(_missing(reads, got), got, Why.SLOTS)


class _Cover:
    """One value, told once: stretches in order of their beginning, the longest first."""

    def __init__(self, value: str) -> None:
        self.claims: list[Claim] = []
        self._value = value
        self._starts: list[int] = []
        self._ends: list[int | None] = []
        self._sources: list[set[str]] = []

    def reads(self) -> Iterator[Read]:
        """Yield the facts that come of it."""
        for begins, ends, sources in zip(self._starts, self._ends, self._sources, strict=True):
            yield Read(self._value, begins, ends, frozenset(sources))

    def add(self, unit: _Unit, *, is_there: bool) -> None:
        """Tell a stretch: without an end as far as others reach, and then the rest of it.

        Where the target reads so already, only the sources are told.
        """
        reached = _bound(self._ends[-1]) if self._ends else -FOREVER
        for said in unit.said:
            if said.at < reached or is_there:
                self._say(said, said.at, None)
        if _bound(unit.until) <= reached:
            return
        start = max(unit.begins, reached)
        self._starts.append(start)
        self._ends.append(unit.until)
        self._sources.append(set())
        for said in unit.said:
            at = max(said.at, start)
            self._say(said, at, unit.until if at == start else None, is_told=not is_there)

    def _say(self, said: _Said, at: int, until: int | None, *, is_told: bool = True) -> None:
        if is_told:
            self.claims.append(said.claim(at, until))
        position = bisect_right(self._starts, at) - 1
        if position >= 0:
            self._sources[position].add(said.episode_id)


# -- what is told together ------------------------------------------------------------------------


class _Said(NamedTuple):
    """What one source said: when it begins, by which row, from which episode."""

    at: int
    line: int
    row: Row
    episode_id: str
    span: tuple[int, int] | None

    def claim(self, begins: int, until: int | None) -> Claim:
        return Claim(self.line, self.row, begins, until, self.episode_id, self.span)


@dataclass(frozen=True, slots=True)
class _Unit:
    """A statement or a stretch, with all that was said in it."""

    row: Row
    begins: int
    until: int | None
    said: list[_Said]

    @property
    def read(self) -> Read:
        sources = frozenset(said.episode_id for said in self.said)
        return Read(_value(self.row), self.begins, self.until, sources)

    def claims(self) -> Iterator[Claim]:
        """Yield the claims: what is said later within it states it again, and has no end."""
        for said in self.said:
            yield said.claim(said.at, self.until if said.at == self.begins else None)


def _claims(units: Iterable[_Unit]) -> list[Claim]:
    return [claim for unit in units for claim in unit.claims()]


def _statements(lane: Lane, ends: Mapping[str, int]) -> list[_Unit]:
    """Return the facts as they were stated; `ends` are for those that an act ended."""
    units = []
    for line, row in lane.rows:
        if row.kind is RowKind.FACT:
            until = row.until
            ended = ends.get(row.memory_id or "")
            if until is None and ended is not None and ended > row.valid_from:
                until = ended
            units.append(_Unit(row, row.valid_from, until, [_own(line, row, row.valid_from)]))
    return _linked(units, lane.links)


def _stretches(lane: Lane) -> list[_Unit]:
    """Return what is believed, with the ends that it has."""
    rows = {row.valid_from: (line, row) for line, row in lane.rows}
    stated: defaultdict[str | None, list[int]] = defaultdict(list)
    for at, (_, row) in rows.items():
        if row.kind is RowKind.FACT:
            stated[row.memory_id].append(at)
    units = []
    for row, begins, ends in ledger.stretches(row for _, row in lane.rows):
        again = stated[row.memory_id]
        first = bisect_right(again, begins)
        within = again[first : bisect_right(again, _bound(ends) - 1)]
        said = [_own(*rows[at], at) for at in (begins, *within)]
        units.append(_Unit(row, begins, ends, said))
    return _linked(units, lane.links)


def _own(line: int, row: Row, at: int) -> _Said:
    content = row.content
    assert content is not None
    return _Said(at, line, row, content.episode_id, content.span)


def _linked(units: list[_Unit], links: Iterable[EvidenceEntry]) -> list[_Unit]:
    """Add the links to where they belong, or to where their fact begins."""
    if not links:
        return units
    first: dict[str | None, tuple[_Unit, _Said]] = {}
    places: dict[tuple[str | None, int], tuple[_Unit, _Said]] = {}
    for unit in units:
        for said in unit.said:
            first.setdefault(unit.row.memory_id, (unit, said))
            places[unit.row.memory_id, said.at] = unit, said
    for link in links:
        place = places.get((link.memory_id, link.valid_from)) or first.get(link.memory_id)
        if place is not None:
            unit, said = place
            unit.said.append(said._replace(episode_id=link.episode_id, span=link.span))
    for unit in units:
        unit.said.sort(key=lambda said: said.at)
    return units


# -- how it reads ---------------------------------------------------------------------------------


def _reads(lane: Lane) -> list[Read]:
    """Return the facts of a key as the snapshot has them."""
    sources: defaultdict[str | None, set[str]] = defaultdict(set)
    for _, row in lane.rows:
        if row.kind is RowKind.FACT and row.content is not None:
            sources[row.memory_id].add(row.content.episode_id)
    for link in lane.links:
        sources[link.memory_id].add(link.episode_id)
    return [
        Read(_value(row), begins, ends, frozenset(sources[row.memory_id]))
        for row, begins, ends in ledger.stretches(row for _, row in lane.rows)
    ]


def _open_reads(claims: Iterable[Claim]) -> list[Read]:
    """Return how claims without ends read, which come in order of time."""
    found: list[Read] = []
    for claim in claims:
        value, source = _value(claim.row), frozenset((claim.episode_id,))
        if found and found[-1].value == value:
            found[-1] = found[-1]._replace(sources=found[-1].sources | source)
            continue
        if found:
            found[-1] = found[-1]._replace(ends=claim.begins)
        found.append(Read(value, claim.begins, None, source))
    return found


def _replayed(claims: Sequence[Claim]) -> list[Read] | None:
    """Return how claims read that are made on a key; None if they clash, or are too many."""
    if len(claims) > MOST_REPLAYED:
        return None
    live: list[Row] = []
    sources: defaultdict[str | None, set[str]] = defaultdict(set)
    for number, claim in enumerate(sorted(claims, key=lambda claim: claim.begins)):
        said = claim.row.content
        assert said is not None
        content = replace(said, memory_id=str(number), episode_id=claim.episode_id)
        row = ledger.Row(claim.row.key, claim.begins, RowKind.FACT, content, claim.until)
        decision = ledger.decide(live, row)
        if decision.outcome is Outcome.CONFLICT or decision.row is None:
            return None
        live = ledger.after(live, decision.moves)
        sources[decision.row.memory_id].add(claim.episode_id)
    return [
        Read(_value(row), begins, ends, frozenset(sources[row.memory_id]))
        for row, begins, ends in ledger.stretches(live)
    ]


def _joined(reads: Iterable[Read]) -> list[tuple[str, int, int | None]]:
    """Return when a key says what: facts of one value that follow on each other joined."""
    found: list[tuple[str, int, int | None]] = []
    for value, begins, ends, _ in reads:
        if found and found[-1][0] == value and found[-1][2] == begins:
            found[-1] = (value, found[-1][1], ends)
        else:
            found.append((value, begins, ends))
    return found


def _differing(lane: Lane, got: Sequence[Read]) -> list[Otherwise]:
    """Return the facts of a key that read otherwise, told as these."""
    return _named(_missing(_reads(lane), got), got, Why.JOINED)


def _named(missing: Sequence[Read], got: Iterable[Read], why: Why) -> list[Otherwise]:
    """Say why facts read otherwise: parted if nothing but sources is missing, else as given."""
    if not missing:
        return []
    periods = {read[:3]: read.sources for read in got}
    return [
        Otherwise(r, Why.PARTED if periods.get(r[:3], _ANY) < r.sources else why) for r in missing
    ]


def _missing(reads: Iterable[Read], got: Iterable[Read]) -> list[Read]:
    """Return those of the reads that are not among others; each counts once."""
    there = Counter(got)
    missing = []
    for read in reads:
        if there[read]:
            there[read] -= 1
        else:
            missing.append(read)
    return missing


def _bound(ends: int | None) -> int:
    return FOREVER if ends is None else ends


def _value(row: Row) -> str:
    return (row.content.value if row.content else None) or "null"
