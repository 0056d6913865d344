"""Taking a snapshot back into a store: whole where that is possible, else as facts.

A whole record goes into a tenant that has none: the same transactions, ids and digests. Into a
tenant with a record, or from a filtered snapshot, what the snapshot believes is proposed like any
other import: its episodes, and its assertions with their times, owners and evidence, as new facts.
Where the tenant's own chain goes through the snapshot's head, the record has all of it by proof,
and nothing is proposed: what is believed cannot always be said again by proposals (two slots that
say one value, an end that nobody stated, a slot that was corrected), nor is what was undone since
known to the rules of a change.
Either way the snapshot is verified first, from the first digest to the last.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Final

from store import ledger
from store.audit import verify
from store.audit.format import Withhold
from store.audit.reading import naming, open_snapshot, read_manifest
from store.canonical import canonical, parse
from store.contract import Scope
from store.errors import Cancelled, Corrupt, Invalid, NotFound, ReadOnly, Unsupported
from store.history import key_order
from store.importers import (
    Importer,
    ImportReport,
    OnError,
    Piece,
    Place,
    Reading,
    checked,
    run_import,
)
from store.model import (
    OPERATOR,
    Attribute,
    Cardinality,
    ConflictState,
    MemoryDelta,
    Outcome,
    RowKind,
)
from store.temporal import AsOf, Precision, from_micros, iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from store.audit.reading import SnapshotHistory
    from store.contract import Cancel, Progress, Store
    from store.entry import ConflictCase, EvidenceEntry
    from store.ledger import Row
    from store.model import Head

CONFLICTS_KEPT: Final = 1000
"""How many open conflicts a report names; it counts them all."""
MOST_REPLAYED: Final = 200
"""Facts of one key whose proposal is tried out; of more with stated ends, stretches are told."""
_TOLD_EVERY: Final = 1000
_EPISODES: Final = "episodes.jsonl"
_VERSIONS: Final = "versions.jsonl"

_Numbered = tuple[int, "Row"]
_Target = "Callable[[Row, int, int | None], _Standing]"


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """An open conflict of a snapshot, for a report.

    Attributes:
        contested_from: microseconds since 1970.
        standing: the claim that stands, as canonical JSON.
        incoming: the claims that wait, as canonical JSON.
    """

    conflict_id: str
    kind: str
    subject: str
    attribute: str
    owner: str
    contested_from: int
    contested_to: int | None
    standing: str
    incoming: tuple[str, ...]

    def __str__(self) -> str:
        """Give the conflict as a clause."""
        claims = ", ".join(self.incoming)
        return (
            f"{self.subject} · {self.attribute} from {iso(self.contested_from)} ({self.kind}): "
            f"{self.standing} stands, {claims} waits"
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "conflict_id": self.conflict_id,
            "kind": self.kind,
            "subject": self.subject,
            "attribute": self.attribute,
            "owner": self.owner,
            "contested_from": iso(self.contested_from),
            "contested_to": None if self.contested_to is None else iso(self.contested_to),
            "standing": parse(self.standing),
            "incoming": [parse(value) for value in self.incoming],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What came of taking a snapshot back; with `dry_run`, what would.

    Attributes:
        source: the snapshot.
        snapshot_tenant: whose record the snapshot is.
        tenant_id: whose record it was taken into.
        is_whole: whether the record was taken over with its transactions, ids and digests.
        is_own: whether the tenant has this very record, or one that went on from it, so that
            nothing was new, and nothing proposed.
        why_facts: why it was not taken over whole; "" where it was.
        head: of the snapshot.
        imported: what became of its facts, where they were taken as facts.
        conflicts: open ones of the snapshot, at most 1,000; within a whole record they stay open.
        conflicts_count: all of them.
    """

    source: str
    snapshot_tenant: str
    tenant_id: str
    dry_run: bool
    is_whole: bool
    is_own: bool
    why_facts: str
    head: Head
    imported: ImportReport | None
    conflicts: tuple[OpenConflict, ...]
    conflicts_count: int

    @property
    def refused(self) -> bool:
        """Whether something was wrong and nothing was written."""
        return self.imported is not None and self.imported.refused

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped on request; of facts, what was committed before stays."""
        return self.imported is not None and self.imported.cancelled

    def as_json(self) -> dict[str, Any]:
        """Return the report as JSON values."""
        said = {} if self.imported is None else self.imported.as_json()
        return {
            "kind": SnapshotImporter.kind,
            "source": self.source,
            "dry_run": self.dry_run,
            **said,
            "snapshot_tenant": self.snapshot_tenant,
            "tenant_id": self.tenant_id,
            "whole": self.is_whole,
            "own_record": self.is_own,
            "why_facts": self.why_facts or None,
            "head": str(self.head),
            "open_conflicts_count": self.conflicts_count,
            "open_conflicts": [conflict.as_json() for conflict in self.conflicts],
        }

    def sentences(self, named: int = 10) -> tuple[str, ...]:
        """Return the report in words, with at most `named` of the open conflicts."""
        said = list(self._on_what_was_done())
        if self.conflicts_count:
            left = "were not taken along"
            if self.is_whole or self.is_own:
                left = "stay open" if self.is_whole else "the record has as well"
            said.append(f"Open conflicts of the snapshot, which {left}: {self.conflicts_count:,}.")
            said += [f"  {conflict}" for conflict in self.conflicts[:named]]
        return tuple(said)

    def _on_what_was_done(self) -> Iterator[str]:
        if self.imported is not None:
            if self.is_own:
                yield (
                    f"Nothing is new: tenant {self.tenant_id} has this very record, for its chain "
                    f"goes through the snapshot's head, {self.head}."
                )
            else:
                yield f"Taken as facts, not whole: {self.why_facts}"
            yield from self.imported.sentences()
            return
        did = "would be restored" if self.dry_run else "was restored"
        yield (
            f"The record {did} whole, with its ids and digests, up to transaction "
            f"{self.head.number:,}: {self.head}."
        )
        if self.tenant_id != self.snapshot_tenant:
            yield (
                f"It is tenant {self.snapshot_tenant}'s record under the name {self.tenant_id}: "
                "no digest covers a tenant's name, so the chain holds under either."
            )


def restore_snapshot(
    store: Store,
    scope: Scope | None,
    path: Path,
    *,
    on_error: OnError = OnError.STOP,
    dry_run: bool = False,
    is_proved: bool = False,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> RestoreReport:
    """Verify a snapshot and take it into a tenant: whole if it can be, else as facts.

    It is taken over whole where the snapshot is unfiltered and the tenant has no record: one step,
    done or not begun. Else its episodes and what it believes are imported; a second run finds them
    known. Into the very record that it was taken of, whatever came after, nothing is written: all
    of it is known. No digest covers a tenant's name, so a record can stand whole under another one;
    but not twice in one store, where its ids name one tenant.

    Args:
        store: where to; open for reading suffices with `dry_run`.
        scope: whose record is filled, and who writes; None means the snapshot's own tenant.
        path: a directory or a zip.
        on_error: of an import as facts: whether anything wrong keeps all of it out.
        dry_run: write nothing and say what would come of it.
        is_proved: whether `prove` was called on it just now, so that it need not be again.
        progress: told how far it is; verifying comes first, and begins again at 0.
        cancel: stops it.

    Raises:
        Corrupt: the snapshot is damaged or was tampered with; nothing was written.
        Unsupported: values or contents are withheld in it; nothing was written.
        Invalid: an agent asks for a whole record.
        ReadOnly: the store is open for reading.
        Cancelled: stopped on request, with nothing written.
    """
    if not dry_run and not store.is_writable:
        raise ReadOnly(f"{store.url} is open for reading only; nothing was restored.")
    if not is_proved:
        prove(path, progress=progress, cancel=cancel)
    with open_snapshot(path, cancel=cancel) as snapshot:
        scope = scope or Scope(snapshot.tenant_id)
        is_own = _goes_through(store, scope, snapshot.head)
        why_facts = _why_facts(store, scope, snapshot, is_own=is_own)
        conflicts, count = _open_conflicts(snapshot)
        imported = None
        if is_own:
            importer = SnapshotImporter(snapshot, str(path), scope, _nothing_stands)
            reading = Reading(store, scope, cancel=cancel, looks_back=False)
            imported = _all_known(importer, reading, dry_run=dry_run, progress=progress)
        elif why_facts:
            importer = SnapshotImporter(snapshot, str(path), scope, _standing_in(store, scope))
            imported = run_import(
                store,
                scope,
                importer,
                dry_run=dry_run,
                on_error=on_error,
                progress=progress,
                cancel=cancel,
            )
        elif not dry_run:
            renamed = snapshot.of_tenant(scope.tenant_id)
            store.restore(scope, renamed, progress=progress, cancel=cancel)
        return RestoreReport(
            source=str(path),
            snapshot_tenant=snapshot.tenant_id,
            tenant_id=scope.tenant_id,
            dry_run=dry_run,
            is_whole=not why_facts,
            is_own=is_own,
            why_facts=why_facts,
            head=snapshot.head,
            imported=imported,
            conflicts=conflicts,
            conflicts_count=count,
        )


def prove(path: Path, *, progress: Progress | None = None, cancel: Cancel | None = None) -> None:
    """Verify a snapshot, and go on only if nothing is wrong with it and nothing withheld in it.

    Raises:
        NotFound: there is nothing at the path.
        Invalid: it is something else.
        Unsupported: values or contents are withheld in it.
        Corrupt: something is wrong; the sentence says what.
        Cancelled: stopped on request.
    """
    if read_manifest(path).arguments.withhold is not Withhold.NOTHING:
        raise Unsupported(
            f"{path}: contents are withheld in it, so it cannot be taken back: it proves "
            "what was recorded and does not have it. Nothing was written."
        )
    wrong = verdict_on(path, progress=progress, cancel=cancel).first_failure
    if wrong is not None:
        where = f"{wrong.place}: " if str(wrong.place) else ""
        raise Corrupt(f"{path}: {where}{wrong.message} Nothing was written.")


def verdict_on(
    path: Path,
    *,
    head: str | None = None,
    manifest: str | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> verify.Verdict:
    """Verify a snapshot as `store.audit.verify` does, with the errors of a store.

    Args:
        path: a directory or a zip.
        head: `N:DIGEST`, kept elsewhere.
        manifest: SHA-256 of the manifest, kept elsewhere.
        progress: told how many bytes were looked at.
        cancel: stops it.

    Raises:
        NotFound: there is nothing at the path.
        Corrupt: it is nothing that could be read safely as a snapshot.
        Cancelled: stopped on request.
    """
    if not path.exists():
        raise NotFound(f"There is nothing at {path}.")
    try:
        return verify.verify(
            path,
            head=head,
            manifest=manifest,
            progress=progress,
            is_cancelled=None if cancel is None else lambda: cancel.is_cancelled,
        )
    except verify.Broken as error:
        raise Corrupt(naming(path, error)) from error
    except verify.Cancelled as error:
        raise Cancelled("The work was stopped on request.") from error


def _goes_through(store: Store, scope: Scope, head: Head) -> bool:
    """Say whether a tenant's chain goes through a head.

    If it does, the record has all that was proved to lead to that head, of a filtered snapshot too.
    """
    if head.recorded_at is None:
        return False
    then = store.head(scope, AsOf(known_at=head.recorded_at))
    return (then.number, then.digest) == (head.number, head.digest)


def _why_facts(store: Store, scope: Scope, snapshot: SnapshotHistory, *, is_own: bool) -> str:
    """Return why a snapshot cannot be taken over whole; "" if it can."""
    if is_own:
        return f"tenant {scope.tenant_id} has this very record already."
    if snapshot.is_filtered:
        return "the snapshot is filtered and has only a part of the record."
    if store.head(scope).number:
        return f"tenant {scope.tenant_id} has a record already."
    holder = _holder_of(store, snapshot)
    if holder:
        return f"the store holds this record already, as tenant {holder}, and an id names one."
    if scope.agent_id != OPERATOR:
        raise Invalid("Only a person can restore a whole record; nothing was written.")
    return ""


def _holder_of(store: Store, snapshot: SnapshotHistory) -> str:
    """Return the tenant whose chain begins as the snapshot's does; "" if none does.

    The first transaction has a random secret, so its digest is nobody else's.
    """
    first = next(snapshot.digests(), None)
    for tenant in store.tenants() if first else ():
        try:
            begun = store.transaction(Scope(tenant.tenant_id), 1).transaction
        except NotFound:
            continue
        if first and begun.digest == first[1]:
            return tenant.tenant_id
    return ""


# -- open conflicts -------------------------------------------------------------------------------


def _open_conflicts(snapshot: SnapshotHistory) -> tuple[tuple[OpenConflict, ...], int]:
    kept: list[OpenConflict] = []
    count = 0
    for case in snapshot.conflicts():
        if case.state is ConflictState.OPEN:
            count += 1
            if len(kept) < CONFLICTS_KEPT:
                kept.append(_listed(case))
    return tuple(kept), count


def _listed(case: ConflictCase) -> OpenConflict:
    entry = case.entry
    return OpenConflict(
        conflict_id=entry.conflict_id,
        kind=entry.kind.value,
        subject=entry.key.subject,
        attribute=entry.key.attribute,
        owner=entry.key.owner,
        contested_from=entry.contested_from,
        contested_to=entry.contested_to,
        standing=_value_of(entry.standing),
        incoming=tuple(_value_of(claim.row) for claim in case.claims),
    )


def _value_of(row: Row) -> str:
    return (row.content.value if row.content else None) or "null"


# -- as facts -------------------------------------------------------------------------------------


def _all_known(
    importer: SnapshotImporter, reading: Reading, *, dry_run: bool, progress: Progress | None
) -> ImportReport:
    """Count what a snapshot would propose to the record that has all of it."""
    read = episodes = facts = 0
    for piece in importer.pieces(reading):
        read += 1
        episodes += piece.episode is not None
        facts += piece.delta is not None
        if progress is not None and read % _TOLD_EVERY == 0:
            progress(*importer.progress())
    return ImportReport(
        kind=importer.kind,
        source=importer.source,
        dry_run=dry_run,
        read=read,
        episodes_known=episodes,
        known=facts,
    )


@dataclass(frozen=True, slots=True)
class _Standing:
    """What the target's record says at a stretch that ended without its source saying so.

    Attributes:
        is_there: it reads just as the snapshot does.
        until: the stated end that it has there.
    """

    is_there: bool = False
    until: int | None = None


def _nothing_stands(_row: Row, _begins: int, _ends: int | None) -> _Standing:
    return _Standing()


def _standing_in(store: Store, scope: Scope) -> Callable[[Row, int, int | None], _Standing]:
    """Return what looks up in the target how a stretch stands there."""
    if store.head(scope).number == 0:
        return _nothing_stands

    def look(row: Row, begins: int, ends: int | None) -> _Standing:
        at = AsOf(valid_at=from_micros(begins))
        end = None if ends is None else from_micros(ends)
        for fact in store.read(scope, row.key.subject, row.key.attribute, at):
            if (
                fact.owner == row.key.owner
                and to_micros(fact.row_from) == begins
                and fact.valid_to == end
                and canonical(fact.value) == _value_of(row)
            ):
                return _Standing(True, None if fact.until is None else to_micros(fact.until))
        return _Standing()

    return look


class SnapshotImporter(Importer):
    """Proposes what a snapshot believes: its episodes, then its assertions, key by key.

    An assertion keeps its times, span, confidence, owner, basis and precision. On some keys the
    assertions alone, in their order, would not read the same: something was ended by an act of its
    own or left a gap, or it is the one key on which an attribute had one value at a time before it
    had many. There each stretch is proposed with the end that it has. Where two slots say one value
    at a time, an import has one slot for it, and a difference about its end waits as a conflict.

    Args:
        snapshot: being read; with nothing withheld.
        source: for messages.
        scope: whose memory is filled.
        standing: says how a stretch stands in the memory that is filled.
    """

    kind: ClassVar[str] = "snapshot"

    def __init__(
        self,
        snapshot: SnapshotHistory,
        source: str,
        scope: Scope,
        standing: Callable[[Row, int, int | None], _Standing],
    ) -> None:
        self.source = source
        self._snapshot = snapshot
        self._scope = scope
        self._standing = standing
        self._registry = {
            entry.attribute.name: entry.attribute
            for entry in snapshot.attributes()
            if entry.tx_to is None
        }
        self._done = 0
        self._bounded_keys = 0

    def pieces(self, reading: Reading) -> Iterator[Piece]:
        """Yield the episodes, then the facts with their evidence."""
        self._done = self._bounded_keys = 0
        for number, entry in enumerate(self._snapshot.episodes(), 1):
            self._done += 1
            yield Piece(Place(_EPISODES, number), entry.draft)
        links = _Links(self._snapshot)
        for key, rows in groupby(self._live(), key=lambda numbered: numbered[1].key):
            yield from self._told(list(rows), links.of(key))

    def progress(self) -> tuple[int, int | None]:
        """Return how many episodes and rows were read, and of how many."""
        return self._done, self._snapshot.lines

    def cardinality(self, attribute: str) -> Cardinality | None:
        """Ask for many values where the snapshot has many; else the store decides."""
        entry = self._registry.get(attribute)
        is_multi = entry is not None and entry.cardinality is Cardinality.MULTI
        return Cardinality.MULTI if is_multi else None

    def entry(self, attribute: str) -> Attribute | None:
        """Return what the snapshot's registry says of an attribute."""
        return self._registry.get(attribute)

    def notes(self) -> tuple[str, ...]:
        """Say what becomes of ids, and of ends that no source stated."""
        said = ["The facts have new ids; who wrote them before is in the snapshot."]
        if self._bounded_keys:
            said.append(
                "Keys whose assertions alone would not read the same, such as those with a fact "
                f"that was ended: {self._bounded_keys:,}; the ends of their facts were taken for "
                "stated ones."
            )
        return tuple(said)

    def _live(self) -> Iterator[_Numbered]:
        for number, row in enumerate(self._snapshot.rows(), 1):
            self._done += 1
            if row.tx_to is None:
                yield number, row

    def _told(self, rows: Sequence[_Numbered], links: Sequence[EvidenceEntry]) -> Iterator[Piece]:
        is_bounded = self._is_bounded(rows)
        if is_bounded:
            self._bounded_keys += 1
        claims = self._stretches(rows) if is_bounded else _assertions(rows)
        waiting: dict[str, list[EvidenceEntry]] = defaultdict(list)
        for link in links:
            waiting[link.memory_id].append(link)
        starts = {(row.memory_id, claim.begins) for claim in claims for row in (claim.row,)}
        for claim in claims:
            yield self._piece(claim)
            memory_id = claim.row.memory_id or ""
            here = [
                link
                for link in waiting[memory_id]
                if link.valid_from == claim.begins or (memory_id, link.valid_from) not in starts
            ]
            waiting[memory_id] = [link for link in waiting[memory_id] if link not in here]
            for link in here:
                yield self._piece(claim, link.episode_id, link.span)
            for row in claim.more:
                assert row.content is not None
                yield self._piece(claim, row.content.episode_id, row.content.span)

    def _is_bounded(self, rows: Sequence[_Numbered]) -> bool:
        """Say whether a key is told by its stretches; the class says when."""
        key = rows[0][1].key
        was_single = not key.slot and self.cardinality(key.attribute) is Cardinality.MULTI
        return was_single or not _reads_alone([row for _, row in rows])

    def _stretches(self, rows: Sequence[_Numbered]) -> list[_Claim]:
        numbers = {row.valid_from: number for number, row in rows}
        claims = []
        for stretch in ledger.stretches(row for _, row in rows):
            row, begins, ends = stretch
            standing = self._standing(row, begins, ends)
            if standing.is_there and row.kind is RowKind.RESUME:
                continue
            until = standing.until if standing.is_there else ends
            more = tuple(
                other
                for _, other in rows
                if other.kind is RowKind.FACT
                and other.memory_id == row.memory_id
                and begins < other.valid_from < (ledger.FOREVER if ends is None else ends)
            )
            claims.append(_Claim(numbers[begins], row, begins, until, more))
        return claims

    def _piece(
        self,
        claim: _Claim,
        episode_id: str | None = None,
        span: tuple[int, int] | None = None,
    ) -> Piece:
        place = Place(_VERSIONS, claim.line)
        content = claim.row.content
        assert content is not None
        if episode_id is None:
            episode_id, span = content.episode_id, content.span
        key = claim.row.key
        is_stated = claim.row.kind is RowKind.FACT
        entry = self._registry.get(key.attribute)
        try:
            delta = checked(
                MemoryDelta,
                tenant_id=self._scope.tenant_id,
                subject=key.subject,
                attribute=key.attribute,
                value=parse(_value_of(claim.row)),
                valid_from=from_micros(claim.begins),
                until=None if claim.until is None else from_micros(claim.until),
                source_episode_id=episode_id,
                confidence=content.confidence,
                owner=key.owner,
                span=None if span is None else {"start": span[0], "end": span[1]},
                memory_type=None if entry is None else entry.memory_type,
                valid_from_basis=content.basis,
                precision=content.precision if is_stated else Precision.INSTANT,
                stated_as=content.stated_as if is_stated else None,
            )
        except Invalid as error:
            return Piece(place, problem=str(error))
        return Piece(place, delta=delta, dropped=self._dropped(claim.row))

    def _dropped(self, row: Row) -> tuple[str, ...]:
        content = row.content
        assert content is not None
        name = row.key.attribute
        # A fact has by itself what the registry says of its attribute.
        entry = self._registry.get(name) or Attribute(name=name)
        lost = (
            ("agent_id", content.agent_id != self._scope.agent_id),
            ("retention_policy", content.retention_policy != entry.retention_policy),
            ("schema_version", content.schema_version != entry.schema_version),
        )
        return tuple(name for name, is_lost in lost if is_lost)


@dataclass(frozen=True, slots=True)
class _Claim:
    """What is proposed from a row.

    Attributes:
        line: of the row in its file.
        more: further statements within the stretch, which become its evidence.
    """

    line: int
    row: Row
    begins: int
    until: int | None
    more: tuple[Row, ...] = ()


def _reads_alone(rows: Sequence[Row]) -> bool:
    """Say whether a key's facts, proposed in their order and alone, read as its record does."""
    facts = [row for row in rows if row.kind is RowKind.FACT]
    if all(row.kind is RowKind.FACT and row.until is None and row.over is None for row in rows):
        return True
    if len(facts) > MOST_REPLAYED:
        return False
    live: list[Row] = []
    for fact in facts:
        decision = ledger.decide(live, replace(fact, over=None))
        if decision.outcome is not Outcome.APPLIED:
            return False
        live = ledger.after(live, decision.moves)
    return _read(live) == _read(rows)


def _read(rows: Sequence[Row]) -> list[tuple[str, int, int | None]]:
    """Return what reads give: values with their periods, those that touch joined."""
    found: list[tuple[str, int, int | None]] = []
    for row, begins, ends in ledger.stretches(rows):
        value = _value_of(row)
        if found and found[-1][0] == value and found[-1][2] == begins:
            found[-1] = (value, found[-1][1], ends)
        else:
            found.append((value, begins, ends))
    return found


def _assertions(rows: Sequence[_Numbered]) -> list[_Claim]:
    return [
        _Claim(number, row, row.valid_from, row.until)
        for number, row in rows
        if row.kind is RowKind.FACT
    ]


class _Links:
    """The live links of one key after another, beside the rows, in the same order."""

    def __init__(self, snapshot: SnapshotHistory) -> None:
        live = (link for link in snapshot.evidence() if link.tx_to is None)
        self._groups = groupby(live, key=lambda link: link.key)
        self._next = self._taken()

    def of(self, key: ledger.Key) -> list[EvidenceEntry]:
        """Return the links of a key; keys must be asked for in their order."""
        while self._next is not None and key_order(self._next[0]) < key_order(key):
            self._next = self._taken()
        if self._next is None or self._next[0] != key:
            return []
        return self._next[1]

    def _taken(self) -> tuple[ledger.Key, list[EvidenceEntry]] | None:
        found = next(self._groups, None)
        return None if found is None else (found[0], list(found[1]))
