"""Comparing two records: where their chains part, and which facts differ.

Each side is a snapshot or a tenant of a store, as of the newest transaction that it knows. Facts
are compared by key and id, in one pass over both sides in the order of keys. A snapshot is verified
first. One that is not what was sealed is compared all the same, since what was edited is then seen,
but the comparison says so.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any, Final

from store import ledger
from store.audit.proving import first_wrong
from store.audit.reading import open_snapshot
from store.canonical import parse
from store.errors import Corrupt
from store.history import key_order
from store.temporal import iso

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from store.audit.reading import SnapshotHistory
    from store.contract import Cancel, Progress, Scope, Store
    from store.entry import AttributeEntry
    from store.history import History
    from store.ledger import Row, Stretch
    from store.model import Head

LISTED: Final = 1000
"""How many differing facts a comparison names unless asked otherwise; it counts them all."""
_LOOKED_EVERY: Final = 4096

Place = tuple[str, ...]
"""Subject, attribute, owner and slot: the order in which a record is told."""


class Relation(StrEnum):
    """How two chains stand to each other."""

    SAME = "same"
    ONE_IS_PREFIX = "one is a prefix of the other"
    OTHER_IS_PREFIX = "the other is a prefix of the one"
    PARTED = "parted"
    UNRELATED = "unrelated"


class Kind(StrEnum):
    """How a fact of the other side differs from the one side."""

    ADDED = "added"
    WITHDRAWN = "withdrawn"
    """The one side believes it, the other does not, or not any more."""
    ENDED = "ended"
    """It was open, and has an end."""
    CHANGED = "changed"
    """It has another value or period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one side is.

    Attributes:
        name: the snapshot's file, or the store's address.
        filters: of a filtered snapshot: `subject`, `attribute`, `memory_type`.
        is_withheld: whether it has no values.
        wrong: of a snapshot that is not what was sealed, the first thing that is wrong and where;
            "" if nothing is.
    """

    name: str
    tenant_id: str
    store_id: str
    head: Head
    filters: Mapping[str, str] = field(default_factory=dict)
    is_withheld: bool = False
    wrong: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "name": self.name,
            "tenant_id": self.tenant_id,
            "store_id": self.store_id,
            "head": str(self.head),
            "filters": dict(self.filters),
            "withheld": self.is_withheld,
            "wrong": self.wrong or None,
        }


@dataclass(frozen=True, slots=True)
class Statement:
    """What one side says of a fact.

    Attributes:
        value: as canonical JSON; None where it is withheld.
        valid_from: of its first stretch, in microseconds since 1970.
        valid_to: of its last stretch; None while open.
        stretches: in how many stretches it holds.
    """

    value: str | None
    valid_from: int
    valid_to: int | None
    stretches: int = 1

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values; a value that is withheld is left out."""
        value = {} if self.value is None else {"value": parse(self.value)}
        return {
            **value,
            "valid_from": iso(self.valid_from),
            "valid_to": None if self.valid_to is None else iso(self.valid_to),
            "stretches": self.stretches,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact on which the sides differ."""

    kind: Kind
    subject: str
    attribute: str
    owner: str
    memory_id: str
    before: Statement | None
    after: Statement | None

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "kind": self.kind.value,
            "subject": self.subject,
            "attribute": self.attribute,
            "owner": self.owner,
            "memory_id": self.memory_id,
            "before": None if self.before is None else self.before.as_json(),
            "after": None if self.after is None else self.after.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What two sides have in common, and what not.

    Attributes:
        relation: how the chains stand to each other.
        common: how many transactions they have in common, from the first.
        parted_at: number of the first transaction that differs; None where none does.
        counts: facts by `Kind`, and those that are the same as `same`.
        differences: the facts that differ, in the order of keys; at most as many as asked for.
        filters: what both sides hold, where one of them is filtered.
        values_compared: False where a side has no values: then only periods were compared.
    """

    one: Told
    other: Told
    relation: Relation
    common: int
    parted_at: int | None
    counts: Mapping[str, int]
    differences: tuple[Difference, ...]
    filters: Mapping[str, str]
    values_compared: bool

    @property
    def is_same(self) -> bool:
        """Whether neither chains nor facts differ."""
        return self.relation is Relation.SAME and not self.differing

    @property
    def differing(self) -> int:
        """How many facts differ."""
        return sum(self.counts[kind] for kind in Kind)

    @property
    def is_other_tenant(self) -> bool:
        """Whether the sides are of tenants with different names."""
        return self.one.tenant_id != self.other.tenant_id

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "one": self.one.as_json(),
            "other": self.other.as_json(),
            "relation": self.relation.name.lower(),
            "common": self.common,
            "parted_at": self.parted_at,
            "same_tenant": not self.is_other_tenant,
            "filters": dict(self.filters),
            "values_compared": self.values_compared,
            "counts": dict(self.counts),
            "differences": [difference.as_json() for difference in self.differences],
        }


class Side(ABC):
    """One of two records that are compared: a snapshot, or a tenant of a store.

    Attributes:
        name: the snapshot's file, or the store's address.
    """

    name: str

    @staticmethod
    def of_snapshot(path: Path, *, is_verified: bool = False) -> Side:
        """Return the side of a snapshot, a directory or a zip.

        Args:
            path: where it is.
            is_verified: whether it was verified just now, and what came of it is known.
        """
        return _SnapshotSide(path, is_verified)

    @staticmethod
    def of_store(store: Store, scope: Scope, number: int | None = None) -> Side:
        """Return the side of a tenant of a store, as of a transaction or the newest."""
        return _StoreSide(store, scope, number)

    def wrong(self, progress: Progress | None, cancel: Cancel | None) -> str:
        """Verify the side; return the first thing that is wrong and where, "" if nothing is."""
        return ""

    @abstractmethod
    @contextmanager
    def opened(self, cancel: Cancel | None) -> Iterator[_Opened]:
        """Give the side for reading, while the block runs."""


class _Opened(ABC):
    """A side that is being read."""

    told: Told

    @abstractmethod
    def digests(self) -> Iterator[tuple[int, str]]:
        """Yield number and digest of each transaction."""

    @abstractmethod
    def rows(self) -> Iterator[Row]:
        """Yield the rows in the order of `History.rows`."""

    @abstractmethod
    def attributes(self) -> Iterator[AttributeEntry]:
        """Yield the registry entries."""

    def memory_types(self) -> dict[str, str]:
        """Return the memory type of each attribute."""
        return {
            entry.attribute.name: entry.attribute.memory_type
            for entry in self.attributes()
            if entry.tx_to is None
        }


def compare(
    one: Side,
    other: Side,
    *,
    limit: int = LISTED,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Comparison:
    """Compare two records: what the other added, ended and changed against the one.

    Args:
        one: the earlier one, as a rule.
        other: what is told against it.
        limit: how many differing facts are named; all are counted.
        progress: told how much of each snapshot was verified, which comes first; then, from 0 on,
            how many rows were read.
        cancel: breaks it off.

    Raises:
        Corrupt: a snapshot cannot be read, or is not in its order.
        Unsupported: a store cannot tell its whole record.
        Cancelled: stopped on request.
    """
    sides = one, other
    wrong = [side.wrong(progress, cancel) for side in sides]
    try:
        found = _compared(one, other, limit, progress, cancel)
    except Corrupt as error:
        said = [
            f"{side.name} was changed since it was taken: {what} "
            for side, what in zip(sides, wrong, strict=True)
            if what
        ]
        raise Corrupt(f"{''.join(said)}{error}") from error
    return replace(
        found,
        one=replace(found.one, wrong=wrong[0]),
        other=replace(found.other, wrong=wrong[1]),
    )


def _compared(
    one: Side, other: Side, limit: int, progress: Progress | None, cancel: Cancel | None
) -> Comparison:
    with ExitStack() as stack:
        sides = [stack.enter_context(side.opened(cancel)) for side in (one, other)]
        first, second = sides
        relation, common, parted_at = _chains(first, second, cancel)
        merge = _Merge(limit, first.told.is_withheld or second.told.is_withheld)
        scopes = [_keys_in_scope(side, (first, second)) for side in sides]
        read = _Read(progress, cancel)
        merge.run(*(_keys(side, scope, read) for side, scope in zip(sides, scopes, strict=True)))
        read.tell()
        return Comparison(
            one=first.told,
            other=second.told,
            relation=relation,
            common=common,
            parted_at=parted_at,
            counts={"same": merge.same, **{kind.value: merge.counts[kind] for kind in Kind}},
            differences=tuple(merge.differences),
            filters={**first.told.filters, **second.told.filters},
            values_compared=not merge.is_withheld,
        )


# -- the sides ------------------------------------------------------------------------------------


class _SnapshotSide(Side):
    def __init__(self, path: Path, is_verified: bool) -> None:
        self.name = str(path)
        self._path = path
        self._is_verified = is_verified

    def wrong(self, progress: Progress | None, cancel: Cancel | None) -> str:
        if self._is_verified:
            return ""
        return first_wrong(self._path, progress=progress, cancel=cancel)

    @contextmanager
    def opened(self, cancel: Cancel | None) -> Iterator[_Opened]:
        with open_snapshot(self._path, cancel=cancel) as snapshot:
            yield _OpenedSnapshot(self._path, snapshot)


class _OpenedSnapshot(_Opened):
    def __init__(self, path: Path, snapshot: SnapshotHistory) -> None:
        self._snapshot = snapshot
        self.told = Told(
            name=str(path),
            tenant_id=snapshot.tenant_id,
            store_id=snapshot.store_id,
            head=snapshot.head,
            filters=snapshot.filters,
            is_withheld=not snapshot.has_values,
        )

    def digests(self) -> Iterator[tuple[int, str]]:
        return self._snapshot.digests()

    def rows(self) -> Iterator[Row]:
        return self._snapshot.said_rows()

    def attributes(self) -> Iterator[AttributeEntry]:
        return self._snapshot.attributes()


class _StoreSide(Side):
    def __init__(self, store: Store, scope: Scope, number: int | None) -> None:
        self.name = store.url
        self._store = store
        self._scope = scope
        self._number = number

    @contextmanager
    def opened(self, cancel: Cancel | None) -> Iterator[_Opened]:
        with self._store.history(self._scope, self._number, cancel=cancel) as history:
            yield _OpenedStore(self._store.url, history)


class _OpenedStore(_Opened):
    def __init__(self, url: str, history: History) -> None:
        self._history = history
        self.told = Told(
            name=url, tenant_id=history.tenant_id, store_id=history.store_id, head=history.head
        )

    def digests(self) -> Iterator[tuple[int, str]]:
        return ((sealed.header.number, sealed.digest) for sealed in self._history.transactions())

    def rows(self) -> Iterator[Row]:
        return self._history.rows()

    def attributes(self) -> Iterator[AttributeEntry]:
        return self._history.attributes()


# -- the chains -----------------------------------------------------------------------------------


def _chains(
    one: _Opened, other: _Opened, cancel: Cancel | None
) -> tuple[Relation, int, int | None]:
    common = 0
    for mine, theirs in zip_longest(one.digests(), other.digests()):
        if cancel is not None and common % _LOOKED_EVERY == 0:
            cancel.check()
        if mine is None or theirs is None:
            shorter = Relation.ONE_IS_PREFIX if mine is None else Relation.OTHER_IS_PREFIX
            return shorter, common, None
        if mine != theirs:
            relation = Relation.PARTED if common else Relation.UNRELATED
            return relation, common, common + 1
        common += 1
    return Relation.SAME, common, None


# -- the facts ------------------------------------------------------------------------------------


class _Read:
    """Counts the rows of both sides as they are read."""

    def __init__(self, progress: Progress | None, cancel: Cancel | None) -> None:
        self._progress = progress
        self._cancel = cancel
        self._count = 0

    def one(self) -> None:
        self._count += 1
        if self._count % _LOOKED_EVERY == 0:
            self.tell()

    def tell(self) -> None:
        if self._cancel is not None:
            self._cancel.check()
        if self._progress is not None:
            self._progress(self._count, None)


def _keys_in_scope(side: _Opened, both: tuple[_Opened, _Opened]) -> Callable[[Row], bool]:
    """Return whether a row of a side belongs to what both sides hold."""
    wanted = [opened.told.filters for opened in both if opened.told.filters]
    if not wanted:
        return lambda _row: True
    types = side.memory_types() if any("memory_type" in it for it in wanted) else {}

    def is_in_scope(row: Row) -> bool:
        said = {
            "subject": row.key.subject,
            "attribute": row.key.attribute,
            "memory_type": types.get(row.key.attribute),
        }
        return all(said[name] == value for it in wanted for name, value in it.items())

    return is_in_scope


def _keys(
    side: _Opened, in_scope: Callable[[Row], bool], read: _Read
) -> Iterator[tuple[Place, dict[str, list[Stretch]]]]:
    """Yield the facts of each key that are believed, by id."""

    def believed() -> Iterator[Row]:
        for row in side.rows():
            read.one()
            if row.tx_to is None and in_scope(row):
                yield row

    last: Place | None = None
    for place, rows in groupby(believed(), key=lambda row: key_order(row.key)):
        if last is not None and place <= last:
            raise Corrupt(f"{side.told.name}: its versions are not in the order of their keys.")
        last = place
        yield place, _facts(rows)


def _facts(rows: Iterator[Row]) -> dict[str, list[Stretch]]:
    facts: dict[str, list[Stretch]] = {}
    for stretch in ledger.stretches(rows):
        facts.setdefault(stretch.row.memory_id or "", []).append(stretch)
    return facts


class _Merge:
    """Walks two sides in the order of keys, and counts and keeps what differs.

    Args:
        limit: how many differences are kept.
        is_withheld: whether values are not to be looked at.
    """

    def __init__(self, limit: int, is_withheld: bool) -> None:
        self.is_withheld = is_withheld
        self.same = 0
        self.counts: Counter[Kind] = Counter()
        self.differences: list[Difference] = []
        self._limit = limit

    def run(
        self,
        one: Iterator[tuple[Place, dict[str, list[Stretch]]]],
        other: Iterator[tuple[Place, dict[str, list[Stretch]]]],
    ) -> None:
        mine, theirs = next(one, None), next(other, None)
        while mine is not None or theirs is not None:
            if theirs is None or (mine is not None and mine[0] < theirs[0]):
                assert mine is not None
                self._key(mine[0], mine[1], {})
                mine = next(one, None)
            elif mine is None or theirs[0] < mine[0]:
                self._key(theirs[0], {}, theirs[1])
                theirs = next(other, None)
            else:
                self._key(mine[0], mine[1], theirs[1])
                mine, theirs = next(one, None), next(other, None)

    def _key(
        self, place: Place, before: dict[str, list[Stretch]], after: dict[str, list[Stretch]]
    ) -> None:
        for memory_id in dict.fromkeys([*before, *after]):
            was, is_now = before.get(memory_id), after.get(memory_id)
            kind = self._kind(was, is_now)
            if kind is None:
                self.same += 1
                continue
            self.counts[kind] += 1
            if len(self.differences) < self._limit:
                self.differences.append(
                    Difference(
                        kind,
                        place[0],
                        place[1],
                        place[2],
                        memory_id,
                        None if was is None else self._statement(was),
                        None if is_now is None else self._statement(is_now),
                    )
                )

    def _kind(self, before: list[Stretch] | None, after: list[Stretch] | None) -> Kind | None:
        if before is None:
            return Kind.ADDED
        if after is None:
            return Kind.WITHDRAWN
        was, is_now = self._said(before), self._said(after)
        if was == is_now:
            return None
        is_ended = before[-1].valid_to is None and after[-1].valid_to is not None
        starts_alike = was[0][:2] == is_now[0][:2] and {v for v, *_ in was} == {
            v for v, *_ in is_now
        }
        return Kind.ENDED if is_ended and starts_alike else Kind.CHANGED

    def _said(self, stretches: list[Stretch]) -> list[tuple[str | None, int, int | None]]:
        return [(self._value(it), it.valid_from, it.valid_to) for it in stretches]

    def _value(self, stretch: Stretch) -> str | None:
        content = stretch.row.content
        return None if self.is_withheld or content is None else content.value

    def _statement(self, stretches: list[Stretch]) -> Statement:
        first, last = stretches[0], stretches[-1]
        return Statement(self._value(last), first.valid_from, last.valid_to, len(stretches))
