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

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Final

from store.audit.format import Withhold
from store.audit.proving import first_wrong
from store.audit.reading import open_snapshot, read_manifest
from store.audit.retelling import Lane, Standing, Why, retell
from store.canonical import canonical, parse
from store.contract import Scope
from store.errors import Corrupt, Invalid, NotFound, ReadOnly, Unsupported
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
    RowKind,
)
from store.temporal import AsOf, Precision, from_micros, iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from store.audit.reading import SnapshotHistory
    from store.audit.retelling import Claim, Look, Retelling
    from store.contract import Cancel, Progress, Store
    from store.entry import ConflictCase, EvidenceEntry
    from store.ledger import Key, Row
    from store.model import Head

CONFLICTS_KEPT: Final = 1000
"""How many open conflicts a report names; it counts them all."""
RETOLD_KEPT: Final = 1000
"""How many facts that read otherwise a report names; it counts them all."""
_TOLD_EVERY: Final = 1000
_EPISODES: Final = "episodes.jsonl"
_VERSIONS: Final = "versions.jsonl"
_SPAN: Final = ("start", "end")

_Numbered = tuple[int, "Row"]


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


_READS: Final = {
    Why.JOINED: "it is one with a fact of the same value that it touches",
    Why.PARTED: "it is several facts, each with the sources of what was said in it",
    Why.SLOTS: "several slots say its value at one time, and it is told once",
}


@dataclass(frozen=True, slots=True)
class Retold:
    """A fact of a snapshot that reads otherwise once it was taken as a fact.

    Attributes:
        value: canonical JSON.
        valid_from: of the fact in the snapshot, microseconds since 1970.
        why: `store.audit.retelling` says what it means.
    """

    subject: str
    attribute: str
    owner: str
    value: str
    valid_from: int
    valid_to: int | None
    why: Why

    def __str__(self) -> str:
        """Give the fact, and what becomes of it, as a clause."""
        ends = "" if self.valid_to is None else f" to {iso(self.valid_to)}"
        return (
            f"{self.subject} · {self.attribute} {self.value} from {iso(self.valid_from)}{ends}: "
            f"{_READS[self.why]}"
        )

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "subject": self.subject,
            "attribute": self.attribute,
            "owner": self.owner,
            "value": parse(self.value),
            "valid_from": iso(self.valid_from),
            "valid_to": None if self.valid_to is None else iso(self.valid_to),
            "why": self.why.value,
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
        retold: facts of the snapshot that, taken as facts, read otherwise (value, validity or
            sources) where the record had nothing on their attribute; at most 1,000.
        retold_count: all of them.
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
    retold: tuple[Retold, ...] = ()
    retold_count: int = 0

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
            "retold_count": self.retold_count,
            "retold": [fact.as_json() for fact in self.retold],
        }

    def sentences(self, named: int = 10) -> tuple[str, ...]:
        """Return the report in words, with at most `named` of what it lists."""
        said = list(self._on_what_was_done())
        if self.retold_count:
            said.append(f"Facts that read otherwise than in the snapshot: {self.retold_count:,}.")
            said += [f"  {fact}." for fact in self.retold[:named]]
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
        importer = SnapshotImporter(snapshot, str(path), scope)
        if is_own:
            reading = Reading(store, scope, cancel=cancel, looks_back=False)
            imported = _all_known(importer, reading, dry_run=dry_run, progress=progress)
        elif why_facts:
            importer.look_into(store)
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
            retold=() if is_own else tuple(importer.retold),
            retold_count=0 if is_own else importer.retold_count,
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
    wrong = first_wrong(path, progress=progress, cancel=cancel)
    if wrong:
        raise Corrupt(f"{path}: {wrong} Nothing was written.")


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


def _nothing_stands(_row: Row, _begins: int, _ends: int | None) -> Standing:
    return Standing()


def _standing_in(store: Store, scope: Scope) -> Look:
    """Return what looks up in the target how a stretch stands there."""

    def look(row: Row, begins: int, ends: int | None) -> Standing:
        at = AsOf(valid_at=from_micros(begins))
        end = None if ends is None else from_micros(ends)
        for fact in store.read(scope, row.key.subject, row.key.attribute, at):
            if (
                fact.owner == row.key.owner
                and to_micros(fact.row_from) == begins
                and fact.valid_to == end
                and canonical(fact.value) == _value_of(row)
            ):
                return Standing(True, None if fact.until is None else to_micros(fact.until))
        return Standing()

    return look


class SnapshotImporter(Importer):
    """Proposes what a snapshot believes: its episodes, then its facts, attribute by attribute.

    An assertion keeps its times, span, confidence, owner, basis and precision. Where the assertions
    alone would not read the same, and where slots share a value, what is believed is told instead:
    `store.audit.retelling` has the rules, and says what then reads otherwise. Into a record with
    nothing on an attribute of a subject this makes no conflict.

    Args:
        snapshot: being read; with nothing withheld.
        source: for messages.
        scope: whose memory is filled.

    Attributes:
        retold: facts that read otherwise; at most 1,000.
        retold_count: all of them.
    """

    kind: ClassVar[str] = "snapshot"

    def __init__(self, snapshot: SnapshotHistory, source: str, scope: Scope) -> None:
        self.source = source
        self.retold: list[Retold] = []
        self.retold_count = 0
        self._snapshot = snapshot
        self._scope = scope
        self._look: Look = _nothing_stands
        self._registry = {
            entry.attribute.name: entry.attribute
            for entry in snapshot.attributes()
            if entry.tx_to is None
        }
        self._multi = _multi(self._registry.values())
        self._done = 0
        self._bounded_keys = 0

    def look_into(self, store: Store) -> None:
        """Heed what the store that is filled has already."""
        self._multi |= _multi(store.attributes(self._scope))
        if store.head(self._scope).number:
            self._look = _standing_in(store, self._scope)

    def pieces(self, reading: Reading) -> Iterator[Piece]:
        """Yield the episodes, then the facts with their evidence."""
        self._done = self._bounded_keys = self.retold_count = 0
        self.retold.clear()
        for number, entry in enumerate(self._snapshot.episodes(), 1):
            self._done += 1
            yield Piece(Place(_EPISODES, number), entry.draft)
        links = _Links(self._snapshot)
        for _, rows in groupby(self._live(), key=lambda numbered: numbered[1].key[:4]):
            lanes = [
                Lane(list(lane), links.of(whole))
                for whole, lane in groupby(rows, key=lambda numbered: numbered[1].key)
            ]
            key = lanes[0].rows[0][1].key
            told = retell(lanes, self._look, is_multi=key.attribute in self._multi)
            self._note(told, key)
            yield from map(self._piece, told.claims)

    def _note(self, told: Retelling, key: Key) -> None:
        self._bounded_keys += told.bounded
        self.retold_count += len(told.otherwise)
        for read, why in told.otherwise[: RETOLD_KEPT - len(self.retold)]:
            self.retold.append(
                Retold(
                    key.subject,
                    key.attribute,
                    key.owner,
                    read.value,
                    read.begins,
                    read.ends,
                    why,
                )
            )

    def progress(self) -> tuple[int, int | None]:
        """Return how many episodes and rows were read, and of how many."""
        return self._done, self._snapshot.lines

    def cardinality(self, attribute: str) -> Cardinality | None:
        """Ask for many values where the snapshot has many; else the store decides."""
        return Cardinality.MULTI if attribute in self._multi else None

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

    def _piece(self, claim: Claim) -> Piece:
        place = Place(_VERSIONS, claim.line)
        content = claim.row.content
        assert content is not None
        key = claim.row.key
        is_stated = claim.row.kind is RowKind.FACT and claim.begins == claim.row.valid_from
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
                source_episode_id=claim.episode_id,
                confidence=content.confidence,
                owner=key.owner,
                span=None if claim.span is None else dict(zip(_SPAN, claim.span, strict=True)),
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


def _multi(attributes: Iterable[Attribute]) -> frozenset[str]:
    return frozenset(it.name for it in attributes if it.cardinality is Cardinality.MULTI)


class _Links:
    """The live links of one key after another, beside the rows, in the same order."""

    def __init__(self, snapshot: SnapshotHistory) -> None:
        live = (link for link in snapshot.evidence() if link.tx_to is None)
        self._groups = groupby(live, key=lambda link: link.key)
        self._next = self._taken()

    def of(self, key: Key) -> list[EvidenceEntry]:
        """Return the links of a key; keys must be asked for in their order."""
        while self._next is not None and key_order(self._next[0]) < key_order(key):
            self._next = self._taken()
        if self._next is None or self._next[0] != key:
            return []
        return self._next[1]

    def _taken(self) -> tuple[Key, list[EvidenceEntry]] | None:
        found = next(self._groups, None)
        return None if found is None else (found[0], list(found[1]))
