"""The contract of a store: what every backend does, said once.

A store keeps the ledgers of tenants. Every call names a `Scope`; there is no unscoped read. The
rules of writing are those of `store.ledger`; a backend fetches neighbours and applies plans
atomically. `semantics.md` is the source of every rule that is only named here.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Self

from store.errors import Cancelled, Invalid, Unsupported
from store.model import (
    OPERATOR,
    SHARED,
    Attribute,
    Conflict,
    ConflictState,
    Episode,
    EpisodeDraft,
    Evidence,
    Export,
    ExportDraft,
    Fact,
    Head,
    MemoryDelta,
    Plan,
    Receipt,
    TransactionDetail,
    Version,
    clean_name,
)
from store.query import (
    Anchors,
    CheckReport,
    Density,
    EpisodePage,
    EpisodeQuery,
    FactPage,
    FactQuery,
    Hit,
    Lane,
    LaneFilter,
    Listed,
    LoadReport,
    Order,
    Page,
    SubjectLanes,
    Summary,
    TenantSummary,
    TransactionPage,
    TransactionQuery,
)
from store.temporal import NOW, AsOf

if TYPE_CHECKING:
    from pathlib import Path

    from store.history import History
    from store.write import Write


class Capability(StrEnum):
    """Something that not every backend can do."""

    PERSISTENCE = "persistence"
    TRANSACTIONS = "transactions"
    HISTORY = "history"
    MANY_WRITERS = "many_writers"
    FULL_TEXT = "full_text"
    ERASE = "erase"


class Cancel:
    """A request to stop, shared between the one who waits and the one who works. Thread-safe.

    Work calls `check` now and then, and registers with `interrupts` what can break off a statement
    that is running.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._interrupts: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Ask to stop: from any thread, as often as one likes."""
        with self._lock:
            self._event.set()
            interrupts = list(self._interrupts)
        for interrupt in interrupts:
            interrupt()

    @property
    def is_cancelled(self) -> bool:
        """Whether stopping was asked for."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if stopping was asked for."""
        if self._event.is_set():
            raise Cancelled("The work was stopped on request.")

    @contextmanager
    def interrupts(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Call `interrupt` on `cancel` while the block runs; it must be safe from any thread."""
        with self._lock:
            self._interrupts.append(interrupt)
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)


@dataclass(frozen=True, slots=True)
class Scope:
    """Who looks or writes, and what they may see.

    A scope selects whole keys: those that the tenant's agents share, the agent's own, and those of
    the agents in `readable`. It writes as itself only.

    Attributes:
        readable: further owners whose keys may be read; None means every owner, which only a
            person (`agent_id` = "operator") may ask for.

    Raises:
        Invalid: a name breaks the rules of names, or an agent asks for every owner.
    """

    tenant_id: str
    agent_id: str = OPERATOR
    readable: frozenset[str] | None = None

    def __post_init__(self) -> None:
        """Refuse bad names, and agents that ask for everything."""
        try:
            names = clean_name(self.tenant_id), clean_name(self.agent_id)
        except ValueError as error:
            raise Invalid(f"The scope is not usable: {error}.") from error
        object.__setattr__(self, "tenant_id", names[0])
        object.__setattr__(self, "agent_id", names[1])
        if self.readable is None and self.agent_id != OPERATOR:
            object.__setattr__(self, "readable", frozenset())

    def sees(self, owner: str) -> bool:
        """Say whether keys of this owner may be read."""
        return self.owners is None or owner in self.owners

    @property
    def owners(self) -> frozenset[str] | None:
        """The owners whose keys may be read; None means every one."""
        if self.readable is None:
            return None
        return self.readable | {SHARED, self.agent_id}

    def may_write(self, owner: str) -> bool:
        """Say whether keys of this owner may be written: shared and own; a person writes to all."""
        return owner in (SHARED, self.agent_id) or self.agent_id == OPERATOR


@dataclass(frozen=True, slots=True)
class ChangeNotice:
    """What happened in a tenant's ledger since a transaction.

    Attributes:
        since: the transaction up to which one knew.
        newest: the newest one now.
        subjects: subjects whose facts or conflicts were touched; empty with `everything`.
        everything: too much to list; look again at all.
    """

    since: int
    newest: int
    subjects: frozenset[str] = frozenset()
    memory_ids: frozenset[str] = frozenset()
    episodes: bool = False
    conflicts: bool = False
    everything: bool = False


Progress = Callable[[int, int | None], None]
"""Told how much is done, and of how much if that is known. Called from the working thread."""


class Store(ABC):
    """The ledgers of tenants, behind one contract. A context manager; `close` may be called twice.

    Calls may come from several threads. Every call may raise `Unavailable` or `Corrupt`; the
    others are named. Reads take `Cancel` where they can take long, and raise `Cancelled`.

    Attributes:
        url: where the store is, in the form that `open_store` takes.
        store_id: identity of this store, made when it was created.
        capabilities: what this backend can do.
        is_writable: False for a store that was opened for reading.
        notice: a sentence about how it was opened that a person should see, or "".
        schema_version: of what the store is made of; 0 where there is nothing to migrate.
    """

    url: str
    store_id: str
    capabilities: frozenset[Capability]
    is_writable: bool
    notice: str = ""
    schema_version: int = 0

    # -- life ---------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def open(cls, address: str, *, create: bool, read_only: bool, **options: Any) -> Store:
        """Open the store at an address, as `open_store` says."""

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(self, *_exception: object) -> None:
        """Close the store."""
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Finish what is being written and let go of the file. Later calls raise `Unavailable`."""

    # -- writing ------------------------------------------------------------------------------

    @abstractmethod
    def write(self, scope: Scope, write: Write, *, source: EpisodeDraft | None = None) -> Receipt:
        """Carry out one write in one transaction, by the rules of `store.ledger`.

        A change that the record knows writes nothing and says so; one that meets another claim is
        queued as a conflict, which is written. The source episode must have been captured, or be
        given as `source`, such as a note written on the spot: it is captured in the same
        transaction, and not at all if nothing else is written.

        Raises:
            Invalid: a field breaks its rule; the owner is another agent; the episode is missing.
            Refused: an explicit act collides with what stands.
            NotFound: no such fact, conflict or transaction in this scope.
            Stale: the key changed since `seen`; a revert that later transactions block.
            ReadOnly: the store is open for reading.
        """

    @abstractmethod
    def preview(self, scope: Scope, write: Write, *, source: EpisodeDraft | None = None) -> Plan:
        """Say what a write would do, and write nothing. Raises what `write` would."""

    @abstractmethod
    def load(
        self,
        scope: Scope,
        entries: Iterable[EpisodeDraft | MemoryDelta],
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        batch: int = 50_000,
    ) -> LoadReport:
        """Write many episodes and facts, quickly, in transactions of `batch` entries.

        Equals one-by-one writes of the deltas in the order (key, valid_from, position in the
        input), episodes first, except for transaction boundaries. An entry that breaks a rule is
        reported and left out. When cancelled, whole batches stay and the report says so.

        Raises:
            ReadOnly: the store is open for reading.
        """

    @abstractmethod
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
        """Say what `load` would do after these attributes were registered, and write nothing.

        It works on a store that is open for reading too. Memory grows with the entries. The
        entries must not be drawn from a read of this same store.

        Raises:
            Invalid: an attribute cannot be registered so.
            Cancelled: stopped on request.
        """

    # -- facts --------------------------------------------------------------------------------

    @abstractmethod
    def read(
        self, scope: Scope, subject: str, attribute: str, as_of: AsOf = NOW
    ) -> tuple[Fact, ...]:
        """Return what holds on a subject's attribute: one fact, or one for each owner and slot.

        This is the read that agents make at every turn: exact state, no search.
        """

    @abstractmethod
    def fact(self, scope: Scope, memory_id: str, as_of: AsOf = NOW) -> Fact:
        """Return a fact by id, as of the known-at: in force at the valid-at, else its nearest row.

        If the ledger no longer believes it then, its newest row before is shown.

        Raises:
            NotFound: no such fact in this scope, or the ledger did not know it yet.
        """

    @abstractmethod
    def facts(
        self,
        scope: Scope,
        query: FactQuery,
        *,
        as_of: AsOf = NOW,
        order: Order = Order(),
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> FactPage:
        """Return a page of facts with their evidence.

        They are those in force at the valid-at, or with `query.history` every interval.
        """

    @abstractmethod
    def anchors(
        self,
        scope: Scope,
        query: FactQuery,
        *,
        as_of: AsOf = NOW,
        order: Order = Order(),
        every: int = 256,
        cancel: Cancel | None = None,
    ) -> Anchors:
        """Count the facts of a query and return a cursor for each page, for jumping."""

    @abstractmethod
    def versions(
        self,
        scope: Scope,
        *,
        memory_id: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        limit: int = 1000,
    ) -> tuple[Version, ...]:
        """Return the rows ever held of a fact, or of the keys of a subject and attribute.

        Newest transaction first, then by `valid_from`.

        Raises:
            NotFound: no such fact in this scope.
        """

    @abstractmethod
    def evidence(
        self, scope: Scope, memory_id: str, as_of: AsOf = NOW
    ) -> tuple[tuple[Evidence, Episode], ...]:
        """Return a fact's sources as of the known-at, the first being its source episode."""

    # -- lanes --------------------------------------------------------------------------------

    @abstractmethod
    def lane_outline(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        cancel: Cancel | None = None,
    ) -> tuple[SubjectLanes, ...]:
        """Return every subject with its number of lanes, in the order of lanes.

        A key has a lane when it has a row as of the known-at.
        """

    @abstractmethod
    def lanes(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        first: int = 0,
        count: int = 256,
        cancel: Cancel | None = None,
    ) -> tuple[Lane, ...]:
        """Return lanes `first` to `first + count` of the order, with all their bars."""

    @abstractmethod
    def density(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        buckets: int = 200,
        cancel: Cancel | None = None,
    ) -> Density:
        """Count the stretches that begin in each part of the record's extent of valid time."""

    # -- episodes, conflicts, transactions, registry ------------------------------------------

    @abstractmethod
    def episode(self, scope: Scope, episode_id: str) -> Episode:
        """Return an episode.

        Raises:
            NotFound: no such episode in this tenant.
        """

    @abstractmethod
    def episodes(
        self,
        scope: Scope,
        query: EpisodeQuery = EpisodeQuery(),
        *,
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> EpisodePage:
        """Return a page of episodes, latest `occurred_at` first."""

    @abstractmethod
    def facts_from(
        self, scope: Scope, episode_id: str, as_of: AsOf = NOW
    ) -> tuple[tuple[Fact, Evidence], ...]:
        """Return the facts that an episode supports as of the known-at, each with its link.

        Raises:
            NotFound: no such episode in this tenant.
        """

    @abstractmethod
    def conflict(self, scope: Scope, conflict_id: str) -> Conflict:
        """Return a conflict as it stands now.

        Raises:
            NotFound: no such conflict in this scope.
        """

    @abstractmethod
    def conflicts(
        self,
        scope: Scope,
        state: ConflictState | None = ConflictState.OPEN,
        *,
        subject: str | None = None,
        page: Page = Page(),
    ) -> Listed[Conflict]:
        """Return a page of conflicts, oldest first; of every state with None."""

    @abstractmethod
    def transaction(self, scope: Scope, number: int) -> TransactionDetail:
        """Return a transaction with what it made and ended and what reads gave before and after.

        Raises:
            NotFound: no such transaction in this tenant.
        """

    @abstractmethod
    def transactions(
        self,
        scope: Scope,
        query: TransactionQuery = TransactionQuery(),
        *,
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> TransactionPage:
        """Return a page of the journal, newest first.

        An agent sees the transactions of which it may read at least one entry.
        """

    @abstractmethod
    def attributes(self, scope: Scope) -> tuple[Attribute, ...]:
        """Return the registry, by name."""

    # -- search and counts --------------------------------------------------------------------

    @abstractmethod
    def search(
        self,
        scope: Scope,
        text: str,
        *,
        as_of: AsOf = NOW,
        limit: int = 50,
        cancel: Cancel | None = None,
    ) -> tuple[Hit, ...]:
        """Find facts in force and episodes in which all the words occur, best first.

        A read never misses what was committed before it. The last word is a prefix.
        """

    @abstractmethod
    def suggest(self, scope: Scope, prefix: str, limit: int = 20) -> tuple[tuple[str, str], ...]:
        """Return pairs (subject, attribute) whose names hold the text, nearest first.

        The attribute is "" where the whole subject is meant.
        """

    @abstractmethod
    def summary(self, scope: Scope, as_of: AsOf = NOW, cancel: Cancel | None = None) -> Summary:
        """Return the counts of a tenant."""

    # -- change, trust, operators -------------------------------------------------------------

    @abstractmethod
    def revision(self) -> int:
        """Return a token that changes with every commit, of any process. Takes microseconds."""

    @abstractmethod
    def changes_since(self, scope: Scope, transaction: int) -> ChangeNotice:
        """Say what was touched after a transaction of this tenant."""

    @abstractmethod
    def head(self, scope: Scope, as_of: AsOf = NOW) -> Head:
        """Return the end of the tenant's chain as of the known-at."""

    @abstractmethod
    def history(
        self, scope: Scope, number: int | None = None, *, cancel: Cancel | None = None
    ) -> AbstractContextManager[History]:
        """Give a tenant's whole record as of a transaction, while the block runs.

        What is written meanwhile does not show in it. Only a person may ask, for every owner's
        keys are in it.

        Args:
            scope: an operator's, with every owner.
            number: of the transaction; None means the newest.
            cancel: breaks off reading.

        Raises:
            Invalid: an agent asks, or a person who does not have every owner.
            NotFound: the tenant has no such transaction, or none at all.
        """

    @abstractmethod
    def restore(
        self,
        scope: Scope,
        history: History,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Head:
        """Take over a whole record into an empty tenant, with its transactions, ids and digests.

        Everything is checked on the way, the ledger's rules and the chain included, and kept only
        if all of it holds: it is one step, done or not begun. Told again by `history`, the record
        has the same words. `progress` counts rows and episodes.

        Raises:
            Refused: the tenant has a record already.
            Corrupt: the history breaks a rule or does not give its digests; nothing was kept.
            Invalid: an agent asks, or the record is another tenant's.
            ReadOnly: the store is open for reading.
            Cancelled: stopped on request; nothing was kept.
        """

    @abstractmethod
    def note_export(self, scope: Scope, draft: ExportDraft) -> Export:
        """Keep a note of a snapshot that was taken, beside the chain: no digest changes.

        The note has the time that a transaction made now would have.

        Raises:
            Invalid: an agent asks, or the tenant's chain has no such transaction and digest.
            ReadOnly: the store is open for reading.
        """

    @abstractmethod
    def exports(self, scope: Scope) -> tuple[Export, ...]:
        """Return the notes of the snapshots that were taken of a tenant, newest noted first.

        Raises:
            Invalid: an agent asks.
        """

    def backup(
        self, path: Path, *, progress: Progress | None = None, cancel: Cancel | None = None
    ) -> None:
        """Copy the whole store, with all its tenants, to a new file; operator scope.

        Raises:
            Unsupported: the backend has no file to copy.
            Invalid: there is something at the path.
            Cancelled: stopped on request; nothing is left at the path.
        """
        raise Unsupported(f"{self.url} has no file that could be copied. Nothing was written.")

    @abstractmethod
    def check(
        self,
        *,
        full: bool = False,
        head: Head | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> CheckReport:
        """Look for damage: in the file, in the ledger's invariants, in the chain, and orphans.

        Args:
            full: look at every row of every tenant; otherwise at what can be seen at once.
            head: a head kept elsewhere; a chain that does not contain it has lost its tail.
            progress: told how far it is.
            cancel: stops it.
        """

    @abstractmethod
    def tenants(self) -> tuple[TenantSummary, ...]:
        """Return the tenants. This is the operator scope: never offered to an agent."""

    @abstractmethod
    def tenant_of(self, identity: str) -> str:
        """Return the tenant of a fact or conflict id. Operator scope, and nothing else is said.

        Raises:
            NotFound: no tenant has it.
        """

    def erase(self, scope: Scope, memory_id: str) -> Receipt:
        """Remove a fact and its copies physically.

        Raises:
            Unsupported: always, so far.
        """
        raise Unsupported(
            f"{self.url} cannot erase {memory_id}: no backend can yet. Nothing was removed."
        )
