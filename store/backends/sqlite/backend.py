"""The store on a SQLite file: the contract, each read in one consistent state."""

from __future__ import annotations

from contextlib import closing, contextmanager
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.backends.base import (
    LedgerStore,
    LoadTally,
    checked_export,
    require_person,
    require_same_tenant,
    whole_number,
)
from store.backends.sqlite import check, counts, doors, exports, facts, journal, records, words
from store.backends.sqlite import lanes as _lanes
from store.backends.sqlite import search as _search
from store.backends.sqlite.connection import FOREIGN
from store.backends.sqlite.gate import PATIENCE_S
from store.backends.sqlite.history import SqliteHistory, head_at, origin_of
from store.backends.sqlite.load import BatchLoad, without_collector
from store.backends.sqlite.names import Names
from store.backends.sqlite.plain import plain_change
from store.backends.sqlite.restore import restore
from store.backends.sqlite.schema import VERSION
from store.backends.sqlite.sight import Sight, held_plainly
from store.backends.sqlite.sweep import SweepOverlay
from store.backends.sqlite.unit import SqliteUnit
from store.contract import Capability, Scope
from store.entry import SECRET_BYTES
from store.errors import Cancelled, NotFound
from store.ids import new_id
from store.model import ConflictState
from store.query import (
    EpisodeQuery,
    LaneFilter,
    Order,
    Page,
    Summary,
    TenantSummary,
    TransactionQuery,
)
from store.temporal import NOW, AsOf, to_micros
from store.write import Change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from store.backends.overlay import Overlay
    from store.backends.sqlite.connection import Database, Reader
    from store.backends.unit import Unit
    from store.contract import Cancel, ChangeNotice, Progress
    from store.history import History
    from store.model import (
        Attribute,
        Conflict,
        Episode,
        EpisodeDraft,
        Evidence,
        Export,
        ExportDraft,
        Fact,
        Head,
        MemoryDelta,
        Receipt,
        TransactionDetail,
        Version,
    )
    from store.query import (
        Anchors,
        CheckReport,
        Density,
        EpisodePage,
        FactPage,
        FactQuery,
        Hit,
        Lane,
        Listed,
        LoadReport,
        SubjectLanes,
        TransactionPage,
    )
    from store.write import Write


class SqliteStore(LedgerStore):
    """Keeps the ledgers of all tenants in one SQLite file."""

    capabilities = frozenset(
        {
            Capability.PERSISTENCE,
            Capability.TRANSACTIONS,
            Capability.HISTORY,
            Capability.MANY_WRITERS,
            Capability.FULL_TEXT,
        }
    )
    schema_version = VERSION

    def __init__(
        self,
        path: Path,
        *,
        create: bool = False,
        read_only: bool = False,
        durability: str = "full",
        patience_s: float = PATIENCE_S,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.url = f"sqlite:///{path}"
        self.is_writable = not read_only
        opened = doors.open_file(
            path,
            create=create,
            read_only=read_only,
            durability=durability,
            patience_s=patience_s,
            new_store=self._new_store,
        )
        self.store_id = opened.store_id
        self.notice = opened.notice
        self._database: Database = opened.database
        self._names = Names()

    @classmethod
    def open(
        cls, address: str, *, create: bool = False, read_only: bool = False, **options: Any
    ) -> SqliteStore:
        """Open the file at a path.

        Args:
            address: the path.
            create: make it if it is not there.
            read_only: change nothing.
            options: `clock`, `entropy`, `tool`, and `durability`: "full", where a commit is on the
                disk when it returns, or "normal", where a power loss may take the last ones;
                `patience_s`: how long a write waits for another program's.
        """
        return cls(Path(address), create=create, read_only=read_only, **options)

    def close(self) -> None:
        """Wait for the writer and close the file."""
        self._database.close()

    def _new_store(self) -> tuple[str, int]:
        now = to_micros(self._clock())
        return new_id(now, self._entropy), now

    # -- writing ------------------------------------------------------------------------------

    def write(self, scope: Scope, write: Write, *, source: EpisodeDraft | None = None) -> Receipt:
        """Carry out one write; see `Store.write`. A plain change takes a short way."""
        if not isinstance(write, Change) or source is not None:
            return super().write(scope, write, source=source)
        self._require_writable()
        with self._database.writing() as connection:
            cursor = self._database.cursor
            receipt = plain_change(
                cursor,
                scope,
                write,
                self._names,
                tool=self._tool,
                entropy=self._entropy,
                time_after=self._time_after,
            )
            if receipt is not None:
                cursor.execute("COMMIT")
                return receipt
            return self._written(self._unit(connection, scope.tenant_id), scope, write)

    def load(
        self,
        scope: Scope,
        entries: Iterable[EpisodeDraft | MemoryDelta],
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
        batch: int = 50_000,
    ) -> LoadReport:
        """Write many entries; see `Store.load`. A batch that is stopped midway leaves nothing."""
        self._require_writable()
        tally = LoadTally()
        source = iter(entries)
        while part := list(islice(source, batch)):
            counted = deepcopy(tally)
            try:
                if cancel is not None:
                    cancel.check()
                self._load_part(scope, part, tally, progress, cancel)
            except Cancelled:
                return counted.report(cancelled=True)
            tally.read += len(part)
            if progress is not None:
                progress(tally.read, None)
        return tally.report()

    def _load_part(
        self,
        scope: Scope,
        part: Sequence[EpisodeDraft | MemoryDelta],
        tally: LoadTally,
        progress: Progress | None,
        cancel: Cancel | None,
    ) -> None:
        def heard(decided: int) -> None:
            if cancel is not None:
                cancel.check()
            if progress is not None:
                progress(tally.read + decided, None)

        with without_collector(), self._database.writing() as connection:
            unit = self._unit(connection, scope.tenant_id)
            number = BatchLoad(
                unit, scope, self._entropy, tool=self._tool, tally=tally, heard=heard
            ).run(part)
        if number is not None:
            tally.committed(number)

    def _overlay(self, unit: Unit) -> Overlay:
        return SweepOverlay(unit)

    # -- units and sights ---------------------------------------------------------------------

    @contextmanager
    def _begin(self, tenant_id: str) -> Iterator[Unit]:
        with self._database.writing() as connection:
            yield self._unit(connection, tenant_id)

    @contextmanager
    def _glance(self, tenant_id: str) -> Iterator[Unit]:
        with self._database.reading() as reader:
            yield self._unit(reader.driver, tenant_id)

    def _unit(self, connection: Any, tenant_id: str) -> SqliteUnit:
        return SqliteUnit(
            connection,
            tenant_id,
            self._names,
            time_after=self._time_after,
            new_secret=lambda: self._entropy(SECRET_BYTES),
        )

    @contextmanager
    def _sight(
        self, scope: Scope, as_of: AsOf = NOW, cancel: Cancel | None = None
    ) -> Iterator[tuple[Reader, Sight]]:
        with self._database.reading(cancel) as reader:
            now = to_micros(self._clock())
            yield reader, Sight(reader.driver, scope, as_of, now, self._names)

    # -- facts --------------------------------------------------------------------------------

    def read(
        self, scope: Scope, subject: str, attribute: str, as_of: AsOf = NOW
    ) -> tuple[Fact, ...]:
        """Return what holds on a subject's attribute; see `Store.read`."""
        database = self._database
        reader = database.take()
        now = to_micros(self._clock())
        try:
            place = (subject, attribute)
            found = held_plainly(reader.driver, scope, place, as_of, now, self._names)
        except FOREIGN as error:
            raise database.explained(error) from error
        finally:
            database.give(reader)
        if found is not None:
            return found
        with self._sight(scope, as_of) as (_, sight):
            return sight.held(subject, attribute)

    def fact(self, scope: Scope, memory_id: str, as_of: AsOf = NOW) -> Fact:
        """Return a fact by id; see `Store.fact`."""
        with self._sight(scope, as_of) as (_, sight):
            return records.fact_by_id(sight, memory_id)

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
        """Return a page of facts; see `Store.facts`."""
        self._catch_up(scope, query.text, cancel)
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return facts.fact_page(reader, sight, query, order, page)

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
        """Count the facts of a query and return a cursor for each page; see `Store.anchors`."""
        self._catch_up(scope, query.text, cancel)
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return facts.fact_anchors(reader, sight, query, order, every)

    def versions(
        self,
        scope: Scope,
        *,
        memory_id: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        limit: int = 1000,
    ) -> tuple[Version, ...]:
        """Return the rows ever held; see `Store.versions`."""
        with self._sight(scope) as (reader, sight):
            return records.versions(
                reader,
                sight,
                memory_id=memory_id,
                subject=subject,
                attribute=attribute,
                limit=limit,
            )

    def evidence(
        self, scope: Scope, memory_id: str, as_of: AsOf = NOW
    ) -> tuple[tuple[Evidence, Episode], ...]:
        """Return a fact's sources; see `Store.evidence`."""
        with self._sight(scope, as_of) as (_, sight):
            return records.evidence_of(sight, memory_id)

    # -- lanes --------------------------------------------------------------------------------

    def lane_outline(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        cancel: Cancel | None = None,
    ) -> tuple[SubjectLanes, ...]:
        """Return every subject with its number of lanes; see `Store.lane_outline`."""
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return _lanes.outline(reader, sight, lanes)

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
        """Return lanes by position; see `Store.lanes`."""
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return _lanes.lane_page(reader, sight, lanes, first, count)

    def density(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        buckets: int = 200,
        cancel: Cancel | None = None,
    ) -> Density:
        """Count the stretches that begin in each part of the record; see `Store.density`."""
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return _lanes.density(reader, sight, lanes, buckets)

    # -- episodes, conflicts, transactions, registry ------------------------------------------

    def episode(self, scope: Scope, episode_id: str) -> Episode:
        """Return an episode; see `Store.episode`."""
        with self._sight(scope) as (_, sight):
            return records.episode_by_id(sight, episode_id)

    def episodes(
        self,
        scope: Scope,
        query: EpisodeQuery = EpisodeQuery(),
        *,
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> EpisodePage:
        """Return a page of episodes; see `Store.episodes`."""
        self._catch_up(scope, query.text, cancel)
        with self._sight(scope, NOW, cancel) as (reader, sight):
            return records.episode_page(reader, sight, query, page)

    def facts_from(
        self, scope: Scope, episode_id: str, as_of: AsOf = NOW
    ) -> tuple[tuple[Fact, Evidence], ...]:
        """Return the facts that an episode supports; see `Store.facts_from`."""
        with self._sight(scope, as_of) as (_, sight):
            return records.facts_from(sight, episode_id)

    def conflict(self, scope: Scope, conflict_id: str) -> Conflict:
        """Return a conflict; see `Store.conflict`."""
        with self._sight(scope) as (_, sight):
            return records.conflict_by_id(sight, conflict_id)

    def conflicts(
        self,
        scope: Scope,
        state: ConflictState | None = ConflictState.OPEN,
        *,
        subject: str | None = None,
        page: Page = Page(),
    ) -> Listed[Conflict]:
        """Return a page of conflicts; see `Store.conflicts`."""
        with self._sight(scope) as (reader, sight):
            return records.conflict_page(reader, sight, state, subject, page)

    def transaction(self, scope: Scope, number: int) -> TransactionDetail:
        """Return a transaction in full; see `Store.transaction`."""
        with self._sight(scope) as (_, sight):
            return journal.detail(sight, number)

    def transactions(
        self,
        scope: Scope,
        query: TransactionQuery = TransactionQuery(),
        *,
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> TransactionPage:
        """Return a page of the journal; see `Store.transactions`."""
        with self._sight(scope, NOW, cancel) as (_, sight):
            return journal.transaction_page(sight, query, page)

    def attributes(self, scope: Scope) -> tuple[Attribute, ...]:
        """Return the registry; see `Store.attributes`."""
        with self._sight(scope) as (_, sight):
            return records.registry(sight)

    # -- search and counts --------------------------------------------------------------------

    def search(
        self,
        scope: Scope,
        text: str,
        *,
        as_of: AsOf = NOW,
        limit: int = 50,
        cancel: Cancel | None = None,
    ) -> tuple[Hit, ...]:
        """Find facts in force and episodes by words; see `Store.search`."""
        self._catch_up(scope, text, cancel)
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return _search.search(reader, sight, text, limit)

    def _catch_up(self, scope: Scope, text: str, cancel: Cancel | None) -> None:
        """Bring the text index up to date, if a question needs it and it may be written."""
        if text.strip() and self.is_writable:
            words.catch_up(self._database, scope.tenant_id, cancel)

    def suggest(self, scope: Scope, prefix: str, limit: int = 20) -> tuple[tuple[str, str], ...]:
        """Return names that hold a text; see `Store.suggest`."""
        with self._sight(scope) as (reader, sight):
            return records.suggestions(reader, sight, prefix, limit)

    def summary(self, scope: Scope, as_of: AsOf = NOW, cancel: Cancel | None = None) -> Summary:
        """Return the counts of a tenant; see `Store.summary`."""
        with self._sight(scope, as_of, cancel) as (reader, sight):
            return counts.summary(reader, sight)

    # -- change, trust, operators -------------------------------------------------------------

    def revision(self) -> int:
        """Return a token that changes with every commit; see `Store.revision`."""
        return self._database.version()

    def changes_since(self, scope: Scope, transaction: int) -> ChangeNotice:
        """Say what was touched after a transaction; see `Store.changes_since`."""
        with self._sight(scope) as (_, sight):
            return journal.changes_since(sight, transaction)

    def head(self, scope: Scope, as_of: AsOf = NOW) -> Head:
        """Return the end of the tenant's chain; see `Store.head`."""
        with self._sight(scope, as_of) as (_, sight):
            return head_at(sight, sight.number)

    @contextmanager
    def history(
        self, scope: Scope, number: int | None = None, *, cancel: Cancel | None = None
    ) -> Iterator[History]:
        """Give a tenant's whole record as of a transaction; see `Store.history`."""
        require_person(scope)
        with self._sight(scope, NOW, cancel) as (_, sight):
            head = head_at(sight, whole_number(sight.newest, number, scope.tenant_id))
            history = SqliteHistory(
                self._database,
                sight,
                head,
                store_id=origin_of(sight) or self.store_id,
                slot_secret=sight.tenant.slot_secret,
                cancel=cancel,
            )
            with closing(history):
                yield history

    def restore(
        self,
        scope: Scope,
        history: History,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Head:
        """Take over a whole record into an empty tenant; see `Store.restore`."""
        require_person(scope)
        require_same_tenant(scope, history.tenant_id)
        self._require_writable()
        with self._database.writing() as connection:
            restore(connection, history, self.store_id, progress=progress, cancel=cancel)
            connection.execute("COMMIT")
        return self.head(scope)

    def note_export(self, scope: Scope, draft: ExportDraft) -> Export:
        """Keep a note of a snapshot that was taken; see `Store.note_export`."""
        self._require_writable()
        with self._database.writing() as connection:
            unit = self._unit(connection, scope.tenant_id)
            sealed = unit.sealed(draft.transaction)
            export = checked_export(scope, draft, sealed and sealed[1], unit.recorded_at)
            exports.note(unit, export)
            connection.execute("COMMIT")
            return export

    def exports(self, scope: Scope) -> tuple[Export, ...]:
        """Return the notes of the snapshots that were taken; see `Store.exports`."""
        require_person(scope)
        with self._sight(scope) as (_, sight):
            return exports.noted(sight)

    def backup(
        self, path: Path, *, progress: Progress | None = None, cancel: Cancel | None = None
    ) -> None:
        """Copy the whole store to a new file; see `Store.backup`."""
        with self._database.reading(cancel) as reader:
            doors.copy_to(reader.driver, path, progress=progress, cancel=cancel)

    def check(
        self,
        *,
        full: bool = False,
        head: Head | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> CheckReport:
        """Look for damage; see `Store.check`."""
        with self._database.reading(cancel) as reader:
            found = check.Check(reader, self._names, progress, cancel)
            return found.report(full=full, head=head)

    def tenants(self) -> tuple[TenantSummary, ...]:
        """Return the tenants; see `Store.tenants`."""
        now = to_micros(self._clock())
        with self._database.reading() as reader:
            return counts.tenants(reader, now, self._names)

    def tenant_of(self, identity: str) -> str:
        """Return the tenant of a fact or conflict id; see `Store.tenant_of`."""
        with self._database.reading() as reader:
            tenant_id = counts.tenant_of(reader, identity)
        if tenant_id is None:
            raise NotFound(f"There is no fact or conflict {identity} in this store.")
        return tenant_id
