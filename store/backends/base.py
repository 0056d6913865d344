"""Writing, shared by every backend that offers units of work."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from string import hexdigits
from time import time_ns
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from store.backends.acts import Draft, Proposal, compose
from store.backends.overlay import Overlay
from store.backends.unit import Unit, seal
from store.contract import Cancel, Progress, Scope, Store
from store.entry import SECRET_BYTES, Entries, TransactionHeader, transaction_digest
from store.errors import Invalid, NotFound, ReadOnly
from store.ids import SYSTEM_ENTROPY, Entropy
from store.model import (
    Attribute,
    ConflictKind,
    EpisodeDraft,
    Export,
    ExportDraft,
    MemoryDelta,
    Outcome,
    Plan,
    Receipt,
    WriteKind,
)
from store.query import LoadReport
from store.temporal import from_micros, to_micros

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from store.write import Write

Clock = Callable[[], datetime]
"""Tells the time; aware. The ledger's own time never goes back, whatever the clock does."""

REJECTED_KEPT: Final = 1000
DIGEST_BYTES: Final = 32


def system_clock() -> datetime:
    """Return the time of the machine, in UTC."""
    return datetime.now(UTC)


class LedgerStore(Store):
    """A store whose writes are composed by `acts` and committed by units of work.

    Args:
        clock: source of transaction times.
        entropy: source of ids and secrets; a test may make it repeat.
        tool: name of the program, kept with each transaction.
    """

    def __init__(
        self,
        *,
        clock: Clock = system_clock,
        entropy: Entropy = SYSTEM_ENTROPY,
        tool: str = "library",
    ) -> None:
        self._clock = clock
        self._entropy = entropy
        self._tool = tool

    @abstractmethod
    def _begin(self, tenant_id: str) -> AbstractContextManager[Unit]:
        """Lock the tenant's head and give a unit; leaving without `commit` rolls back.

        The tenant is created with its first commit.
        """

    @abstractmethod
    def _glance(self, tenant_id: str) -> AbstractContextManager[Unit]:
        """Give a unit that sees one consistent state and cannot commit."""

    # -- writing ------------------------------------------------------------------------------

    def write(self, scope: Scope, write: Write, *, source: EpisodeDraft | None = None) -> Receipt:
        """Carry out one write; see `Store.write`."""
        self._require_writable()
        with self._begin(scope.tenant_id) as unit:
            return self._written(unit, scope, write, source)

    def _written(
        self, unit: Unit, scope: Scope, write: Write, source: EpisodeDraft | None = None
    ) -> Receipt:
        """Compose one write, commit it if it comes to anything, and say what it did."""
        draft = self._composed(unit, scope, write, source)
        number = self._commit(unit, scope, draft) if draft.entries else None
        return Receipt(
            outcome=draft.outcome,
            plan=draft.plan,
            memory_id=draft.memory_id,
            conflict_id=draft.conflict_id,
            episode_id=draft.episode_id,
            transaction=number,
        )

    def preview(self, scope: Scope, write: Write, *, source: EpisodeDraft | None = None) -> Plan:
        """Say what a write would do; see `Store.preview`."""
        with self._glance(scope.tenant_id) as unit:
            return self._composed(Overlay(unit), scope, write, source).full_plan

    def _composed(
        self, unit: Unit, scope: Scope, write: Write, source: EpisodeDraft | None
    ) -> Draft:
        """Compose a write, with the capture of its source if that comes with it."""
        if source is None:
            return compose(unit, scope, write, self._entropy)
        overlay = Overlay(unit)
        captured = Proposal(overlay, scope, self._entropy).capture(source).entries
        overlay.absorb(captured)
        draft = compose(overlay, scope, write, self._entropy)
        if draft.entries:
            draft.entries.episodes[:0] = captured.episodes
        return draft

    def load(
        self,
        scope: Scope,
        entries: Iterable[EpisodeDraft | MemoryDelta],
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        batch: int = 50_000,
    ) -> LoadReport:
        """Write many entries; see `Store.load`."""
        self._require_writable()
        tally = LoadTally()
        source = iter(entries)
        while part := list(islice(source, batch)):
            if cancel is not None and cancel.is_cancelled:
                return tally.report(cancelled=True)
            with self._begin(scope.tenant_id) as unit:
                loaded = self._load_batch(unit, scope, part, tally)
                if loaded:
                    draft = Draft(WriteKind.LOAD, Outcome.APPLIED, "", loaded)
                    tally.committed(self._commit(unit, scope, draft))
            tally.read += len(part)
            if progress is not None:
                progress(tally.read, None)
        return tally.report()

    def _overlay(self, unit: Unit) -> Overlay:
        """Return what a rehearsal composes on."""
        return Overlay(unit)

    def _load_batch(
        self,
        unit: Unit,
        scope: Scope,
        part: Sequence[EpisodeDraft | MemoryDelta],
        tally: LoadTally,
    ) -> Entries:
        """Compose a batch as one transaction, by the same acts as single writes."""
        overlay = Overlay(unit)
        self._compose_batch(overlay, Proposal(overlay, scope, self._entropy), part, tally)
        return overlay.entries()

    def rehearse(
        self,
        scope: Scope,
        entries: Iterable[EpisodeDraft | MemoryDelta],
        *,
        attributes: Iterable[Attribute] = (),
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        batch: int = 50_000,
    ) -> LoadReport:
        """Say what `load` would do; see `Store.rehearse`."""
        tally = LoadTally()
        source = iter(entries)
        with self._glance(scope.tenant_id) as unit:
            overlay = self._overlay(unit)
            proposal = Proposal(overlay, scope, self._entropy)
            for attribute in attributes:
                overlay.absorb(proposal.register(attribute, None).entries)
            while part := list(islice(source, batch)):
                if cancel is not None:
                    cancel.check()
                self._compose_batch(overlay, proposal, part, tally)
                tally.read += len(part)
                if progress is not None:
                    progress(tally.read, None)
        return tally.report()

    def _compose_batch(
        self,
        overlay: Overlay,
        proposal: Proposal,
        part: Sequence[EpisodeDraft | MemoryDelta],
        tally: LoadTally,
    ) -> None:
        for position, draft in _episodes(part, tally.read):
            with tally.rejecting(position):
                composed = proposal.capture(draft)
                overlay.absorb(composed.entries)
                tally.episodes += composed.outcome is Outcome.APPLIED
        for position, delta in in_load_order(part, tally.read):
            with tally.rejecting(position):
                composed = proposal.change(delta)
                overlay.absorb(composed.entries)
                tally.count(composed.outcome)
                tally.clashed(composed.conflict_kind)

    def _commit(self, unit: Unit, scope: Scope, draft: Draft) -> int:
        sealed = seal(draft.entries, unit.number, self._entropy)
        header = TransactionHeader(
            number=unit.number,
            recorded_at=unit.recorded_at,
            kind=draft.kind,
            actor=scope.agent_id,
            tool=self._tool,
            reason=draft.reason,
            secret=self._entropy(SECRET_BYTES),
            previous=unit.previous,
            reverts=draft.reverts,
        )
        unit.commit(header, sealed, transaction_digest(header, sealed.digests()))
        return unit.number

    def _require_writable(self) -> None:
        if not self.is_writable:
            raise ReadOnly(f"{self.url} is open for reading only; nothing was written.")

    def _time_after(self, last: int | None) -> int:
        """Return a transaction time in microseconds that is later than the tenant's last."""
        now = time_ns() // 1000 if self._clock is system_clock else to_micros(self._clock())
        return now if last is None or now > last else last + 1


def require_person(scope: Scope) -> None:
    """Refuse an agent, and a person who limits what may be read, where every owner's keys are.

    Raises:
        Invalid: the scope does not have every owner.
    """
    if scope.owners is not None:
        raise Invalid(
            f"The whole record of {scope.tenant_id} is for a person who may read every owner's "
            "keys; the scope is narrower."
        )


def whole_number(newest: int, number: int | None, tenant_id: str) -> int:
    """Return the number of the transaction as of which a whole record is told.

    Raises:
        NotFound: the tenant has no such transaction, or none at all.
    """
    if number is None and newest:
        return newest
    if number is None or not 1 <= number <= newest:
        which = "transaction yet" if number is None else f"transaction {number}"
        raise NotFound(f"Tenant {tenant_id} has no {which}.")
    return number


def require_same_tenant(scope: Scope, tenant_id: str) -> None:
    """Refuse what is of another tenant than the scope.

    Raises:
        Invalid: it is.
    """
    if tenant_id != scope.tenant_id:
        raise Invalid(
            f"This is of tenant {tenant_id}, and the scope of {scope.tenant_id}; nothing was "
            "written."
        )


def checked_export(
    scope: Scope, draft: ExportDraft, sealed_digest: str | None, taken_at: int
) -> Export:
    """Return the note of a snapshot if that is of the scope's tenant and its chain.

    Args:
        scope: a person's.
        draft: the note without its time.
        sealed_digest: digest of the transaction that it names; None if there is none.
        taken_at: what the store's clock shows, in microseconds.

    Raises:
        Invalid: it is not.
    """
    require_person(scope)
    require_same_tenant(scope, draft.tenant_id)
    if sealed_digest is None or sealed_digest != draft.digest:
        raise Invalid(
            f"The record of {scope.tenant_id} has no transaction {draft.transaction} with that "
            "digest, so no snapshot was taken of it; nothing was noted."
        )
    if len(draft.manifest) != 2 * DIGEST_BYTES or not set(draft.manifest) <= set(hexdigits):
        raise Invalid("A snapshot is named by the SHA-256 of its manifest, in hex.")
    return Export(**draft.model_dump(), taken_at=from_micros(taken_at))


class LoadTally:
    """Counts what becomes of the entries of a bulk load."""

    def __init__(self) -> None:
        self.read = 0
        self.episodes = 0
        self.outcomes: dict[Outcome, int] = {}
        self.clashes: dict[ConflictKind, int] = {}
        self.rejected: list[tuple[int, str]] = []
        self.rejected_count = 0
        self.first: int | None = None
        self.last: int | None = None

    def count(self, outcome: Outcome, times: int = 1) -> None:
        """Note what became of a delta, or of several."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + times

    def clashed(self, kind: ConflictKind | None) -> None:
        """Note the kind of conflict that a delta met, if it met one."""
        if kind is not None:
            self.clashes[kind] = self.clashes.get(kind, 0) + 1

    def committed(self, number: int) -> None:
        """Note a transaction."""
        self.first = self.first or number
        self.last = number

    def rejecting(self, position: int) -> _Rejecting:
        """Return a block in which a broken rule counts as a rejected entry."""
        return _Rejecting(self, position)

    def report(self, *, cancelled: bool = False) -> LoadReport:
        """Return the counts as the contract shows them."""
        span = None if self.first is None or self.last is None else (self.first, self.last)
        return LoadReport(
            read=self.read,
            episodes=self.episodes,
            applied=self.outcomes.get(Outcome.APPLIED, 0),
            known=self.outcomes.get(Outcome.KNOWN, 0),
            corroborated=self.outcomes.get(Outcome.CORROBORATED, 0),
            conflicts=self.outcomes.get(Outcome.CONFLICT, 0),
            rejected=tuple(self.rejected),
            rejected_count=self.rejected_count,
            transactions=span,
            cancelled=cancelled,
            conflict_kinds=tuple(sorted(self.clashes.items())),
        )


class _Rejecting:
    def __init__(self, tally: LoadTally, position: int) -> None:
        self._tally = tally
        self._position = position

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, Invalid | ValidationError):
            return False
        self._tally.rejected_count += 1
        if len(self._tally.rejected) < REJECTED_KEPT:
            self._tally.rejected.append((self._position, str(error)))
        return True


def _episodes(
    part: Sequence[EpisodeDraft | MemoryDelta], offset: int
) -> Iterator[tuple[int, EpisodeDraft]]:
    for position, entry in enumerate(part, offset):
        if isinstance(entry, EpisodeDraft):
            yield position, entry


def in_load_order(
    part: Sequence[EpisodeDraft | MemoryDelta], offset: int = 0
) -> list[tuple[int, MemoryDelta]]:
    """Return the deltas of a batch with their positions, in the order of `Store.load`."""
    deltas = [
        (position, entry)
        for position, entry in enumerate(part, offset)
        if isinstance(entry, MemoryDelta)
    ]
    deltas.sort(
        key=lambda d: (d[1].tenant_id, d[1].owner, d[1].subject, d[1].attribute, d[1].valid_from)
    )
    return deltas
