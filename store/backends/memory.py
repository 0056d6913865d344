"""A store in memory: small, obviously right, gone when it is closed. The reference for the others.

Every read looks at every row. Nothing here is fast on purpose, and nothing is clever.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice, starmap
from typing import TYPE_CHECKING, Any, TypeVar

from store import ledger
from store.backends import filters, invariants, view
from store.backends.acts import interval_of
from store.backends.admission import refused
from store.backends.base import (
    LedgerStore,
    checked_export,
    require_person,
    require_same_tenant,
    whole_number,
)
from store.backends.takeover import Intake, KeyRecord, Source, take_over
from store.backends.unit import Unit
from store.canonical import canonical
from store.contract import Capability, ChangeNotice, Scope
from store.entry import (
    FIRST_DIGEST,
    SECRET_BYTES,
    AttributeEntry,
    ConflictCase,
    Entries,
    EpisodeEntry,
    EvidenceEntry,
    TransactionHeader,
)
from store.errors import Invalid, NotFound, Refused, Unavailable
from store.history import History, Sealed, key_order, link_order
from store.ids import new_id
from store.model import (
    ConflictState,
    Evidence,
    Export,
    ExportDraft,
    Head,
    RowKind,
    Transaction,
    TransactionDetail,
    WriteKind,
)
from store.query import (
    Anchors,
    CheckReport,
    Density,
    EpisodeQuery,
    Extent,
    FactQuery,
    Hit,
    HitKind,
    Lane,
    LaneFilter,
    LaneKey,
    Listed,
    Order,
    Page,
    SubjectLanes,
    Summary,
    TenantSummary,
    TransactionQuery,
)
from store.temporal import NOW, AsOf, from_micros, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from store.contract import Cancel, Progress
    from store.ledger import Key, Row, Stretch
    from store.model import Attribute, Conflict, Episode, Fact, Version
    from store.query import EpisodePage, FactPage, Finding, TransactionPage

T = TypeVar("T")
E = TypeVar("E", "Row", EvidenceEntry, AttributeEntry)

DETAIL_ROWS = 1000


@dataclass(slots=True)
class _Tenant:
    """One tenant's record."""

    slot_secret: bytes
    rows: dict[Key, list[Row]] = field(default_factory=dict)
    episodes: dict[str, EpisodeEntry] = field(default_factory=dict)
    evidence: list[EvidenceEntry] = field(default_factory=list)
    cases: dict[str, ConflictCase] = field(default_factory=dict)
    attributes: list[AttributeEntry] = field(default_factory=list)
    headers: list[TransactionHeader] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    origin: str | None = None
    exports: list[Export] = field(default_factory=list)

    def copy(self) -> _Tenant:
        """Return what a read can look at while others write; the entries never change."""
        return replace(
            self,
            rows={key: list(rows) for key, rows in self.rows.items()},
            episodes=dict(self.episodes),
            evidence=list(self.evidence),
            cases=dict(self.cases),
            attributes=list(self.attributes),
            headers=list(self.headers),
            digests=list(self.digests),
            counts=list(self.counts),
            exports=list(self.exports),
        )


class MemoryStore(LedgerStore):
    """Keeps everything in dictionaries."""

    capabilities = frozenset({Capability.TRANSACTIONS, Capability.HISTORY, Capability.FULL_TEXT})

    def __init__(self, *, read_only: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.url = "memory:"
        self.store_id = new_id(to_micros(self._clock()), self._entropy)
        self.is_writable = not read_only
        self._tenants: dict[str, _Tenant] = {}
        self._lock = threading.RLock()
        self._commits = 0
        self._is_closed = False

    @classmethod
    def open(cls, address: str, *, create: bool, read_only: bool, **options: Any) -> MemoryStore:
        """Make an empty store; it has no address and is always new, so no one holds it."""
        options.pop("patience_s", None)
        if address:
            raise Invalid(f"memory: takes no address, and {address!r} was given.")
        return cls(read_only=read_only, **options)

    def close(self) -> None:
        """Forget everything."""
        self._is_closed = True
        self._tenants = {}

    # -- units --------------------------------------------------------------------------------

    @contextmanager
    def _begin(self, tenant_id: str) -> Iterator[Unit]:
        with self._lock:
            self._check_open()
            tenant = self._tenants.get(tenant_id)
            if tenant is None:
                tenant = _Tenant(self._entropy(SECRET_BYTES))
            last = tenant.headers[-1].recorded_at if tenant.headers else None
            yield _MemoryUnit(self, tenant_id, tenant, self._time_after(last))

    _glance = _begin

    def _check_open(self) -> None:
        if self._is_closed:
            raise Unavailable("The store is closed.")

    # -- what a read sees ---------------------------------------------------------------------

    def _state(self, scope: Scope, as_of: AsOf = NOW, cancel: Cancel | None = None) -> _State:
        if cancel is not None:
            cancel.check()
        with self._lock:
            self._check_open()
            tenant = self._tenants.get(scope.tenant_id) or _Tenant(b"")
            return _State(tenant.copy(), scope, as_of, to_micros(self._clock()))

    # -- facts --------------------------------------------------------------------------------

    def read(
        self, scope: Scope, subject: str, attribute: str, as_of: AsOf = NOW
    ) -> tuple[Fact, ...]:
        """Return what holds on a subject's attribute."""
        query = FactQuery(subject=subject, attribute=attribute)
        return tuple(fact for _, fact in self._sorted_facts(scope, query, as_of, Order()))

    def fact(self, scope: Scope, memory_id: str, as_of: AsOf = NOW) -> Fact:
        """Return a fact by id."""
        state = self._state(scope, as_of)
        for key in state.visible_keys():
            versions = [
                row
                for row in state.tenant.rows[key]
                if row.memory_id == memory_id
                and row.tx_from <= state.number
                and row.kind in (RowKind.FACT, RowKind.RESUME)
            ]
            if versions:
                return self._nearest(state, key, memory_id, versions)
        raise NotFound(f"There is no fact {memory_id} in tenant {scope.tenant_id}.")

    def _nearest(self, state: _State, key: Key, memory_id: str, versions: Sequence[Row]) -> Fact:
        number = state.number
        if not any(view.is_believed(row, number) for row in versions):
            last = max(versions, key=lambda r: (r.tx_to or 0, r.tx_from))
            assert last.tx_to is not None
            number = last.tx_to - 1
        rows = state.believed(key, number)
        held = view.position_at(rows, state.valid_at)
        if held is None or rows[held].memory_id != memory_id:
            mine = [
                i
                for i, row in enumerate(rows)
                if row.memory_id == memory_id and row.kind in (RowKind.FACT, RowKind.RESUME)
            ]
            begun = [i for i in mine if rows[i].valid_from <= state.valid_at]
            held = begun[-1] if begun else mine[0]
        return state.fact(rows, held)

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
        """Return a page of facts."""
        found = self._sorted_facts(scope, query, as_of, order, cancel)
        if page.after is not None:
            after = filters.read_cursor(page.after, 6)
            found = [item for item in found if filters.follows(order, item[0], after)]
        part = found[: page.limit]
        is_last = page.limit >= len(found)
        after_page = None if is_last else filters.write_cursor(part[-1][0])
        return Listed(tuple(fact for _, fact in part), after_page)

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
        """Count the facts of a query and return a cursor for each page."""
        found = self._sorted_facts(scope, query, as_of, order, cancel)
        starts = range(every, len(found), every)
        cursors = (None, *(filters.write_cursor(found[i - 1][0]) for i in starts))
        return Anchors(len(found), every, cursors)

    def _sorted_facts(
        self,
        scope: Scope,
        query: FactQuery,
        as_of: AsOf,
        order: Order,
        cancel: Cancel | None = None,
    ) -> list[tuple[tuple[Any, ...], Fact]]:
        state = self._state(scope, as_of, cancel)
        found = []
        for key in state.visible_keys():
            for fact in state.facts(key, history=query.history):
                if filters.admits(query, fact):
                    found.append((filters.sort_key(order, fact), fact))  # noqa: PERF401
        found.sort(key=lambda item: item[0][1:])
        found.sort(key=lambda item: item[0][0], reverse=order.descending)
        return found

    def versions(
        self,
        scope: Scope,
        *,
        memory_id: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        limit: int = 1000,
    ) -> tuple[Version, ...]:
        """Return the rows ever held of a fact or of keys."""
        state = self._state(scope)
        rows = [
            row
            for key in state.visible_keys()
            if subject in (None, key.subject) and attribute in (None, key.attribute)
            for row in state.tenant.rows[key]
            if memory_id in (None, row.memory_id)
        ]
        if memory_id is not None and not rows:
            raise NotFound(f"There is no fact {memory_id} in tenant {scope.tenant_id}.")
        rows.sort(key=lambda r: (-r.tx_from, r.key[1:], r.valid_from))
        return tuple(state.version(row) for row in rows[:limit])

    def evidence(
        self, scope: Scope, memory_id: str, as_of: AsOf = NOW
    ) -> tuple[tuple[Evidence, Episode], ...]:
        """Return a fact's sources."""
        state = self._state(scope, as_of)
        links = self.fact(scope, memory_id, as_of).evidence
        return tuple((link, state.episode(link.episode_id)) for link in links)

    # -- lanes --------------------------------------------------------------------------------

    def lane_outline(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        cancel: Cancel | None = None,
    ) -> tuple[SubjectLanes, ...]:
        """Return every subject with its number of lanes."""
        state = self._state(scope, as_of, cancel)
        outline: dict[str, SubjectLanes] = {}
        for key in state.lane_keys(lanes):
            entry = outline.get(key.subject)
            if entry is None:
                entry = SubjectLanes(key.subject, 0, state.memory_type(key.attribute), 0)
            outline[key.subject] = entry._replace(
                lanes=entry.lanes + 1,
                open_conflicts=entry.open_conflicts + len(state.open_cases(key)),
            )
        return tuple(outline.values())

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
        """Return lanes by position."""
        state = self._state(scope, as_of, cancel)
        keys = state.lane_keys(lanes)[first : first + count]
        return tuple(state.lane(key) for key in keys)

    def density(
        self,
        scope: Scope,
        lanes: LaneFilter = LaneFilter(),
        *,
        as_of: AsOf = NOW,
        buckets: int = 200,
        cancel: Cancel | None = None,
    ) -> Density:
        """Count the stretches that begin in each part of the record's extent."""
        state = self._state(scope, as_of, cancel)
        keys = state.lane_keys(lanes)
        found = [s for key in keys for s in state.stretches(key)]
        starts = sorted(s.valid_from for s in found)
        if not starts:
            return Density(0, buckets, (0,) * buckets, ())
        last = max([starts[-1], *(s.valid_to for s in found if s.valid_to is not None)]) + 1
        conflicts = sorted(c.entry.contested_from for k in keys for c in state.open_cases(k))
        counts = view.bucket_counts(starts, starts[0], last, buckets)
        width = view.bucket_width(starts[0], last, buckets)
        return Density(starts[0], starts[0] + width * buckets, counts, tuple(conflicts))

    # -- episodes, conflicts, transactions, registry ------------------------------------------

    def episode(self, scope: Scope, episode_id: str) -> Episode:
        """Return an episode."""
        return self._state(scope).episode(episode_id)

    def episodes(
        self,
        scope: Scope,
        query: EpisodeQuery = EpisodeQuery(),
        *,
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> EpisodePage:
        """Return a page of episodes, latest first."""
        state = self._state(scope, cancel=cancel)
        found = [
            state.episode(entry.draft.episode_id)
            for entry in state.tenant.episodes.values()
            if query.kind in (None, entry.draft.kind)
            and query.agent_id in (None, entry.agent_id)
            and query.session_id in (None, entry.draft.session_id)
            and filters.has_words(query.text, entry.draft.episode_id, entry.draft.content)
        ]
        return _paged(found, page, lambda e: (-to_micros(e.occurred_at), e.episode_id))

    def facts_from(
        self, scope: Scope, episode_id: str, as_of: AsOf = NOW
    ) -> tuple[tuple[Fact, Evidence], ...]:
        """Return the facts that an episode supports."""
        state = self._state(scope, as_of)
        state.episode(episode_id)
        found: dict[str, tuple[Fact, Evidence]] = {}
        for key in state.visible_keys():
            for fact in state.facts(key, history=True):
                for link in fact.evidence:
                    if link.episode_id == episode_id:
                        found.setdefault(fact.memory_id, (fact, link))
        return tuple(sorted(found.values(), key=lambda f: filters.sort_key(Order(), f[0])))

    def conflict(self, scope: Scope, conflict_id: str) -> Conflict:
        """Return a conflict as it stands now."""
        state = self._state(scope)
        case = state.tenant.cases.get(conflict_id)
        if case is None or case.state is None or not scope.sees(case.entry.key.owner):
            raise NotFound(f"There is no conflict {conflict_id} in tenant {scope.tenant_id}.")
        return state.conflict(case)

    def conflicts(
        self,
        scope: Scope,
        state: ConflictState | None = ConflictState.OPEN,
        *,
        subject: str | None = None,
        page: Page = Page(),
    ) -> Listed[Conflict]:
        """Return a page of conflicts, oldest first."""
        seen = self._state(scope)
        found = [
            seen.conflict(case)
            for case in seen.tenant.cases.values()
            if case.state is not None
            and state in (None, case.state)
            and subject in (None, case.entry.key.subject)
            and scope.sees(case.entry.key.owner)
        ]
        return _paged(found, page, lambda c: (c.raised_in, c.conflict_id))

    def transaction(self, scope: Scope, number: int) -> TransactionDetail:
        """Return a transaction with what it made and ended."""
        state = self._state(scope)
        if not 1 <= number <= len(state.tenant.headers) or not state.may_see(number):
            raise NotFound(f"There is no transaction {number} in tenant {scope.tenant_id}.")
        return state.detail(number)

    def transactions(
        self,
        scope: Scope,
        query: TransactionQuery = TransactionQuery(),
        *,
        page: Page = Page(),
        cancel: Cancel | None = None,
    ) -> TransactionPage:
        """Return a page of the journal, newest first."""
        state = self._state(scope, cancel=cancel)
        found = []
        for header in state.tenant.headers:
            if not state.may_see(header.number):
                continue
            transaction = state.transaction(header.number)
            if _asked_for(query, transaction):
                found.append(transaction)
        return _paged(found, page, lambda t: (-t.number,))

    def attributes(self, scope: Scope) -> tuple[Attribute, ...]:
        """Return the registry, by name."""
        state = self._state(scope)
        known = (
            entry.attribute
            for entry in state.tenant.attributes
            if entry.tx_to is None and state.may_know(entry.attribute.name)
        )
        return tuple(sorted(known, key=lambda a: a.name))

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
        """Find facts in force and episodes in which all the words occur."""
        state = self._state(scope, as_of, cancel)
        if not text.strip():
            return ()
        hits = [
            Hit(
                HitKind.FACT,
                fact.memory_id,
                f"{fact.subject} / {fact.attribute}",
                filters.shown(canonical(fact.value))[:200],
                to_micros(fact.valid_from),
            )
            for _, fact in self._sorted_facts(scope, FactQuery(text=text), as_of, Order(), cancel)
        ]
        hits += [
            Hit(
                HitKind.EPISODE,
                entry.draft.episode_id,
                f"{entry.draft.kind.value} {entry.draft.episode_id}",
                entry.draft.content[:200],
                to_micros(entry.draft.occurred_at),
            )
            for entry in state.tenant.episodes.values()
            if entry.tx_from <= state.number and filters.has_words(text, entry.draft.content)
        ]
        return tuple(hits[:limit])

    def suggest(self, scope: Scope, prefix: str, limit: int = 20) -> tuple[tuple[str, str], ...]:
        """Return names that hold the text, those that begin with it first."""
        state = self._state(scope)
        wanted = prefix.casefold()
        pairs = {
            (key.subject, "") for key in state.visible_keys() if wanted in key.subject.casefold()
        }
        pairs |= {
            (key.subject, key.attribute)
            for key in state.visible_keys()
            if wanted in key.attribute.casefold()
        }

        def rank(pair: tuple[str, str]) -> tuple[bool, str, str]:
            name = pair[1] or pair[0]
            return (not name.casefold().startswith(wanted), *pair)

        return tuple(sorted(pairs, key=rank)[:limit])

    def summary(self, scope: Scope, as_of: AsOf = NOW, cancel: Cancel | None = None) -> Summary:
        """Return the counts of a tenant."""
        state = self._state(scope, as_of, cancel)
        keys = state.lane_keys(LaneFilter())
        facts = [fact for key in keys for fact in state.facts(key)]
        found = [s for key in keys for s in state.stretches(key)]
        bounds = [b for s in found for b in (s.valid_from, s.valid_to) if b is not None]
        times = [h.recorded_at for h in state.tenant.headers if state.may_see(h.number)]
        return Summary(
            subjects=len({key.subject for key in keys}),
            keys=len(keys),
            facts=len(facts),
            intervals=len(found),
            episodes=sum(e.tx_from <= state.number for e in state.tenant.episodes.values()),
            conflicts_open=sum(len(state.open_cases(key)) for key in keys),
            transaction=state.number,
            newest=len(state.tenant.headers),
            extent=Extent(
                min((s.valid_from for s in found), default=None),
                max(bounds, default=None),
                min(times, default=None),
                max(times, default=None),
            ),
            by_type=_counted(fact.memory_type for fact in facts),
            by_attribute=_counted(fact.attribute for fact in facts),
            by_agent=_counted(fact.agent_id for fact in facts),
        )

    # -- change, trust, operators -------------------------------------------------------------

    def revision(self) -> int:
        """Return the number of commits so far."""
        self._check_open()
        return self._commits

    def changes_since(self, scope: Scope, transaction: int) -> ChangeNotice:
        """Say what was touched after a transaction."""
        state = self._state(scope)
        newest = len(state.tenant.headers)
        parts = [state.unit_entries(n) for n in range(transaction + 1, newest + 1)]
        rows = [r for p in parts for r in (*p.rows_begun, *p.rows_ended)]
        rows = [r for r in rows if scope.sees(r.key.owner)]
        links = [e for p in parts for e in (*p.evidence_begun, *p.evidence_ended)]
        links = [e for e in links if scope.sees(e.key.owner)]
        cases = [
            case
            for part in parts
            for event in part.events
            if scope.sees((case := state.tenant.cases[event.conflict_id]).entry.key.owner)
        ]
        subjects = {r.key.subject for r in rows} | {e.key.subject for e in links}
        subjects |= {case.entry.key.subject for case in cases}
        return ChangeNotice(
            since=transaction,
            newest=newest,
            subjects=frozenset(subjects),
            memory_ids=frozenset(
                [r.memory_id for r in rows if r.memory_id] + [e.memory_id for e in links]
            ),
            episodes=any(part.episodes for part in parts),
            conflicts=bool(cases),
        )

    def head(self, scope: Scope, as_of: AsOf = NOW) -> Head:
        """Return the end of the tenant's chain."""
        state = self._state(scope, as_of)
        return _head(scope.tenant_id, state.tenant, state.number)

    @contextmanager
    def history(
        self, scope: Scope, number: int | None = None, *, cancel: Cancel | None = None
    ) -> Iterator[History]:
        """Give a tenant's whole record as of a transaction."""
        require_person(scope)
        tenant = self._state(scope, cancel=cancel).tenant
        at = whole_number(len(tenant.headers), number, scope.tenant_id)
        head = _head(scope.tenant_id, tenant, at)
        origin = tenant.origin or self.store_id
        with closing(_MemoryHistory(origin, tenant, head, cancel)) as history:
            yield history

    def restore(
        self,
        scope: Scope,
        history: History,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> Head:
        """Take over a whole record into an empty tenant."""
        require_person(scope)
        require_same_tenant(scope, history.tenant_id)
        self._require_writable()
        with self._lock:
            self._check_open()
            if scope.tenant_id in self._tenants:
                raise Refused(
                    f"Tenant {scope.tenant_id} has a record already; take the other over into an "
                    "empty store. Nothing was written."
                )
            tenant = _Tenant(b"")
            intake = _MemoryIntake(tenant, self._tenants.values())
            take_over(history, intake, progress, cancel)
            self._tenants[scope.tenant_id] = tenant
            self._commits += 1
        return self.head(scope)

    def note_export(self, scope: Scope, draft: ExportDraft) -> Export:
        """Keep a note of a snapshot that was taken."""
        self._require_writable()
        with self._lock:
            self._check_open()
            tenant = self._tenants.get(scope.tenant_id) or _Tenant(b"")
            known = 1 <= draft.transaction <= len(tenant.digests)
            digest = tenant.digests[draft.transaction - 1] if known else None
            last = tenant.headers[-1].recorded_at if tenant.headers else None
            export = checked_export(scope, draft, digest, self._time_after(last))
            tenant.exports.insert(0, export)
            self._commits += 1
            return export

    def exports(self, scope: Scope) -> tuple[Export, ...]:
        """Return the notes of the snapshots that were taken."""
        require_person(scope)
        return tuple(self._state(scope).tenant.exports)

    def check(
        self,
        *,
        full: bool = False,
        head: Head | None = None,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> CheckReport:
        """Look at every row and every transaction, whether `full` or not."""
        if cancel is not None:
            cancel.check()
        found: list[Finding] = []
        counts = dict.fromkeys(invariants.RULES, 0)
        with self._lock:
            self._check_open()
            for tenant_id, tenant in self._tenants.items():
                outside = head if head is not None and head.tenant_id == tenant_id else None
                found += self._tenant_findings(tenant_id, tenant, outside, counts)
            if head is not None and head.tenant_id not in self._tenants and head.number:
                found += invariants.ChainCheck(head.tenant_id, head).tail_findings()
            heads = [f"{t}: {len(it.headers)}:{it.digests[-1]}" for t, it in self._tenants.items()]
        return CheckReport(full, tuple(counts.items()), tuple(found[:1000]), tuple(heads))

    def _tenant_findings(
        self, tenant_id: str, tenant: _Tenant, outside: Head | None, counts: dict[str, int]
    ) -> Iterator[Finding]:
        for versions in tenant.rows.values():
            for rule in invariants.ROW_RULES:
                counts[rule] += len(versions)
            yield from invariants.row_findings(versions)
        chain = invariants.ChainCheck(tenant_id, outside)
        for header, digest in zip(tenant.headers, tenant.digests, strict=True):
            for rule in invariants.RULES[4:6]:
                counts[rule] += 1
            entries = _entries_of(tenant, header.number).digests()
            yield from chain.findings(header, digest, entries)
        yield from chain.tail_findings()
        cited = [
            (row.content.episode_id, invariants.where(row))
            for versions in tenant.rows.values()
            for row in versions
            if row.content is not None
        ]
        cited += [(e.episode_id, f"evidence of {e.memory_id}") for e in tenant.evidence]
        counts[invariants.RULES[6]] += outside is not None
        counts[invariants.RULES[7]] += len(cited)
        yield from invariants.source_findings(tenant_id, cited, tenant.episodes)

    def tenants(self) -> tuple[TenantSummary, ...]:
        """Return the tenants."""
        self._check_open()
        found = []
        for tenant_id in sorted(self._tenants):
            counts = self.summary(Scope(tenant_id))
            found.append(
                TenantSummary(tenant_id, counts.facts, counts.conflicts_open, counts.newest)
            )
        return tuple(found)

    def tenant_of(self, identity: str) -> str:
        """Return the tenant of a fact or conflict id."""
        with self._lock:
            self._check_open()
            tenants = {name: tenant.copy() for name, tenant in self._tenants.items()}
        for tenant_id, tenant in tenants.items():
            facts = (row.memory_id for rows in tenant.rows.values() for row in rows)
            if identity in tenant.cases or identity in facts:
                return tenant_id
        raise NotFound(f"There is no fact or conflict {identity} in this store.")


class _MemoryUnit(Unit):
    """A transaction on dictionaries; the store's lock is held while it lives."""

    def __init__(
        self, store: MemoryStore, tenant_id: str, tenant: _Tenant, recorded_at: int
    ) -> None:
        self._store = store
        self._tenant_id = tenant_id
        self._tenant = tenant
        self.number = len(tenant.headers) + 1
        self.recorded_at = recorded_at
        self.previous = tenant.digests[-1] if tenant.digests else FIRST_DIGEST
        self.slot_secret = tenant.slot_secret

    def attribute(self, name: str) -> AttributeEntry | None:
        for entry in self._tenant.attributes:
            if entry.attribute.name == name and entry.tx_to is None:
                return entry
        return None

    def episode_length(self, episode_id: str) -> int | None:
        entry = self._tenant.episodes.get(episode_id)
        return None if entry is None else len(entry.draft.content)

    def episode(self, episode_id: str) -> EpisodeEntry | None:
        return self._tenant.episodes.get(episode_id)

    def neighbours(self, key: Key, valid_from: int, until: int | None) -> Sequence[Row]:
        return self.live(key)

    def live(self, key: Key) -> Sequence[Row]:
        rows = [row for row in self._tenant.rows.get(key, ()) if row.tx_to is None]
        return sorted(rows, key=lambda r: r.valid_from)

    def versions_at(self, key: Key, valid_from: int) -> Sequence[Row]:
        return [
            row
            for row in self._tenant.rows.get(key, ())
            if row.valid_from == valid_from and row.kind is RowKind.FACT
        ]

    def key_of(self, memory_id: str) -> Key | None:
        for key, rows in self._tenant.rows.items():
            if any(row.memory_id == memory_id for row in rows):
                return key
        return None

    def key_version(self, key: Key) -> int:
        return _key_version(self._tenant, key)

    def corrected_slots(self, key: Key) -> Sequence[Key]:
        plain = (WriteKind.CHANGE, WriteKind.LOAD)
        return [
            other
            for other, rows in self._tenant.rows.items()
            if other.slot
            and other._replace(slot="") == key._replace(slot="")
            and any(
                row.tx_to is None
                and row.kind is RowKind.FACT
                and self._tenant.headers[row.tx_from - 1].kind not in plain
                for row in rows
            )
        ]

    def slots_after(self, attribute: str, number: int) -> set[int]:
        return {
            row.tx_from
            for key, rows in self._tenant.rows.items()
            if key.attribute == attribute and key.slot
            for row in rows
            if row.tx_to is None and row.tx_from > number
        }

    def evidence(self, key: Key, memory_id: str) -> Sequence[EvidenceEntry]:
        return [e for e in self._tenant.evidence if e.memory_id == memory_id]

    def evidence_at(self, key: Key, valid_from: int) -> Sequence[EvidenceEntry]:
        links = self._tenant.evidence
        return [e for e in links if e.key == key and e.valid_from == valid_from]

    def conflict(self, conflict_id: str) -> ConflictCase | None:
        return self._tenant.cases.get(conflict_id)

    def conflicts(self, key: Key) -> Sequence[ConflictCase]:
        return [case for case in self._tenant.cases.values() if case.entry.key == key]

    def has_conflicts(self, key: Key) -> bool:
        return bool(self.conflicts(key))

    def header(self, number: int) -> TransactionHeader | None:
        headers = self._tenant.headers
        return headers[number - 1] if 1 <= number <= len(headers) else None

    def reverts_of(self, number: int) -> Sequence[int]:
        return [header.number for header in self._tenant.headers if header.reverts == number]

    def entries_of(self, number: int) -> Entries:
        return _entries_of(self._tenant, number)

    def commit(self, header: TransactionHeader, entries: Entries, digest: str) -> None:
        tenant, number = self._tenant, header.number
        for row in entries.rows_ended:
            versions = tenant.rows[row.key]
            versions[versions.index(row)] = replace(row, tx_to=number)
        for row in entries.rows_begun:
            live = {r.valid_from for r in self.live(row.key)}
            assert row.valid_from not in live, "two live rows would begin at one instant"
            tenant.rows.setdefault(row.key, []).append(row)
        for link in entries.evidence_ended:
            tenant.evidence[tenant.evidence.index(link)] = replace(link, tx_to=number)
        tenant.evidence += entries.evidence_begun
        for attribute in entries.attributes_ended:
            position = tenant.attributes.index(attribute)
            tenant.attributes[position] = replace(attribute, tx_to=number)
        tenant.attributes += entries.attributes_begun
        tenant.episodes.update({e.draft.episode_id: _signed(e) for e in entries.episodes})
        for conflict in entries.conflicts:
            tenant.cases[conflict.conflict_id] = ConflictCase(conflict, ())
        for event in entries.events:
            case = tenant.cases[event.conflict_id]
            tenant.cases[event.conflict_id] = replace(case, events=(*case.events, event))
        tenant.headers.append(header)
        tenant.digests.append(digest)
        tenant.counts.append(len(entries))
        self._store._tenants[self._tenant_id] = tenant
        self._store._commits += 1


def _signed(entry: EpisodeEntry) -> EpisodeEntry:
    """Return an episode that says itself who observed it."""
    draft = entry.draft.model_copy(update={"agent_id": entry.agent_id})
    return replace(entry, draft=draft)


def _entries_of(tenant: _Tenant, number: int) -> Entries:
    rows = [row for versions in tenant.rows.values() for row in versions]
    cases = tenant.cases.values()
    return Entries(
        episodes=[e for e in tenant.episodes.values() if e.tx_from == number],
        attributes_ended=[a for a in tenant.attributes if a.tx_to == number],
        attributes_begun=[a for a in tenant.attributes if a.tx_from == number],
        rows_ended=[row for row in rows if row.tx_to == number],
        rows_begun=[row for row in rows if row.tx_from == number],
        evidence_ended=[e for e in tenant.evidence if e.tx_to == number],
        evidence_begun=[e for e in tenant.evidence if e.tx_from == number],
        conflicts=[c.entry for c in cases if c.events[0].tx_from == number],
        events=[event for c in cases for event in c.events if event.tx_from == number],
    )


def _key_version(tenant: _Tenant, key: Key) -> int:
    rows = tenant.rows.get(key, ())
    return max((max(row.tx_from, row.tx_to or 0) for row in rows), default=0)


def _head(tenant_id: str, tenant: _Tenant, number: int) -> Head:
    last = tenant.headers[number - 1] if number else None
    return Head(
        tenant_id=tenant_id,
        number=number,
        digest=tenant.digests[number - 1] if last else FIRST_DIGEST,
        entries=sum(tenant.counts[:number]),
        recorded_at=from_micros(last.recorded_at) if last else None,
    )


def _sealed(tenant: _Tenant) -> Iterator[Sealed]:
    totals = accumulate(tenant.counts)
    parts = zip(tenant.headers, tenant.digests, tenant.counts, totals, strict=True)
    return starmap(Sealed, parts)


class _MemoryHistory(History):
    """A tenant's record as of the head's transaction; the tenant is a copy that nobody writes."""

    def __init__(self, store_id: str, tenant: _Tenant, head: Head, cancel: Cancel | None) -> None:
        self.store_id = store_id
        self.tenant_id = head.tenant_id
        self.slot_secret = tenant.slot_secret
        self.head = head
        self._tenant = tenant
        self._cancel = cancel
        self._is_closed = False

    def close(self) -> None:
        self._is_closed = True

    def transactions(self) -> Iterator[Sealed]:
        return self._stream(islice(_sealed(self._tenant), self.head.number))

    def attributes(self) -> Iterator[AttributeEntry]:
        found = self._told(self._tenant.attributes)
        return self._stream(sorted(found, key=lambda a: (a.attribute.name, a.tx_from)))

    def episodes(self) -> Iterator[EpisodeEntry]:
        known = [e for e in self._tenant.episodes.values() if e.tx_from <= self.head.number]
        return self._stream(sorted(known, key=lambda e: (e.tx_from, e.draft.episode_id)))

    def rows(self) -> Iterator[Row]:
        found = self._told(row for rows in self._tenant.rows.values() for row in rows)
        return self._stream(
            sorted(found, key=lambda r: (key_order(r.key), r.valid_from, r.tx_from))
        )

    def evidence(self) -> Iterator[EvidenceEntry]:
        found = self._told(self._tenant.evidence)
        return self._stream(sorted(found, key=lambda e: (key_order(e.key), link_order(e))))

    def conflicts(self) -> Iterator[ConflictCase]:
        cases = (case.as_of(self.head.number) for case in self._tenant.cases.values())
        told = (case for case in cases if case.events)
        return self._stream(
            sorted(told, key=lambda c: (key_order(c.entry.key), c.entry.conflict_id))
        )

    def _told(self, entries: Iterable[E]) -> list[E]:
        number = self.head.number
        return [entry.as_of(number) for entry in entries if entry.tx_from <= number]

    def _stream(self, entries: Iterable[T]) -> Iterator[T]:
        for entry in entries:
            if self._is_closed:
                raise Unavailable("The history was closed, and cannot be read on.")
            if self._cancel is not None:
                self._cancel.check()
            yield entry


class _MemoryIntake(Intake):
    """Puts a record into a tenant that nobody sees yet."""

    def __init__(self, tenant: _Tenant, others: Iterable[_Tenant]) -> None:
        self._tenant = tenant
        self._others = others

    def begin(self, store_id: str, slot_secret: bytes) -> None:
        self._tenant.origin, self._tenant.slot_secret = store_id, slot_secret

    def transactions(self, part: list[Sealed]) -> None:
        self._tenant.headers += [sealed.header for sealed in part]
        self._tenant.digests += [sealed.digest for sealed in part]
        self._tenant.counts += [sealed.entries for sealed in part]

    def attributes(self, part: list[AttributeEntry]) -> None:
        known = self._tenant.attributes
        known += part
        known.sort(key=lambda entry: (entry.tx_from, entry.attribute.name))

    def episodes(self, part: list[EpisodeEntry]) -> None:
        known = self._tenant.episodes
        for entry in part:
            identity = entry.draft.episode_id
            if known.setdefault(identity, entry) is not entry:
                raise refused(f"episode {identity}", "it is there twice")

    def keys(self, part: list[KeyRecord]) -> None:
        tenant = self._tenant
        for key, rows, evidence, cases in part:
            tenant.rows[key] = rows
            tenant.evidence += evidence
            for case in sorted(cases, key=lambda case: case.events[0].tx_from):
                identity = case.entry.conflict_id
                if any(identity in each.cases for each in (tenant, *self._others)):
                    raise refused(f"conflict {identity}", "it is there already")
                tenant.cases[identity] = case

    def sources(self, episode_ids: Iterable[str]) -> Mapping[str, Source]:
        known = self._tenant.episodes
        return {
            identity: Source(known[identity].tx_from, len(known[identity].draft.content))
            for identity in episode_ids
            if identity in known
        }

    def sealed(self) -> Iterator[Sealed]:
        return _sealed(self._tenant)

    def stray(self) -> str | None:
        places: dict[str, Key] = {}
        for tenant in (self._tenant, *self._others):
            for key, rows in tenant.rows.items():
                for row in rows:
                    if row.memory_id and places.setdefault(row.memory_id, key) != key:
                        return row.memory_id
        return None


class _State:
    """One tenant as a scope sees it, as of a point on both axes."""

    def __init__(self, tenant: _Tenant, scope: Scope, as_of: AsOf, now: int) -> None:
        self.tenant = tenant
        self.scope = scope
        self.valid_at = now if as_of.valid_at is None else to_micros(as_of.valid_at)
        self.number = len(tenant.headers)
        if as_of.known_at is not None:
            known_at = to_micros(as_of.known_at)
            self.number = bisect_right(tenant.headers, known_at, key=lambda h: h.recorded_at)

    def visible_keys(self) -> list[Key]:
        """Return the keys that the scope sees, in the order of lanes."""
        keys = [key for key in self.tenant.rows if self.scope.sees(key.owner)]
        return sorted(keys, key=lambda k: (k.subject, k.attribute, k.owner, k.slot))

    def lane_keys(self, lanes: LaneFilter) -> list[Key]:
        """Return the keys that have a row as of the transaction and pass a filter."""
        return [
            key
            for key in self.visible_keys()
            if self.believed(key)
            and filters.admits_lane(
                lanes, key.subject, key.attribute, self.memory_type(key.attribute)
            )
        ]

    def believed(self, key: Key, number: int | None = None) -> list[Row]:
        """Return the rows believed as of a transaction, in order of time."""
        at = self.number if number is None else number
        rows = [row for row in self.tenant.rows[key] if view.is_believed(row, at)]
        return sorted(rows, key=lambda r: r.valid_from)

    def stretches(self, key: Key) -> list[Stretch]:
        return ledger.stretches(self.believed(key))

    def may_know(self, attribute: str) -> bool:
        """Say whether the scope may know that an attribute is registered: it sees a key of it."""
        return self.scope.owners is None or any(
            key.attribute == attribute for key in self.visible_keys()
        )

    def memory_type(self, attribute: str) -> str:
        for entry in reversed(self.tenant.attributes):
            if entry.attribute.name == attribute and entry.tx_from <= self.number:
                return entry.attribute.memory_type
        return "fact"

    def cases(self, key: Key) -> list[ConflictCase]:
        """Return the conflicts on a key as they stood."""
        return [
            case.as_of(self.number) for case in self.tenant.cases.values() if case.entry.key == key
        ]

    def open_cases(self, key: Key) -> list[ConflictCase]:
        return [case for case in self.cases(key) if case.state is ConflictState.OPEN]

    def links(self, key: Key) -> list[EvidenceEntry]:
        return [
            e for e in self.tenant.evidence if e.key == key and view.is_believed(e, self.number)
        ]

    def clock_of(self, number: int) -> int:
        return self.tenant.headers[number - 1].recorded_at

    def fact(self, rows: Sequence[Row], position: int) -> Fact:
        key = rows[position].key
        return view.fact_of(
            rows,
            position,
            self.number,
            memory_type=self.memory_type(key.attribute),
            links=self.links(key),
            cases=self.cases(key),
            clock_of=self.clock_of,
            occurred_at=lambda e: to_micros(self.tenant.episodes[e].draft.occurred_at),
        )

    def facts(self, key: Key, *, history: bool = False) -> Iterator[Fact]:
        """Yield the fact in force, or one for every interval."""
        rows = self.believed(key)
        held = view.position_at(rows, self.valid_at)
        if not history:
            if held is not None:
                yield self.fact(rows, held)
            return
        for stretch in ledger.stretches(rows):
            position = rows.index(stretch.row)
            inside = held is not None and view.bounds_of(rows, held)[0] == stretch.valid_from
            yield self.fact(rows, held if inside and held is not None else position)

    def lane(self, key: Key) -> Lane:
        supported = frozenset(e.memory_id for e in self.links(key))
        bars = view.bars_of(self.believed(key), cases=self.cases(key), supported=supported)
        name = LaneKey(key.owner, key.subject, key.attribute, key.slot)
        return Lane(name, self.memory_type(key.attribute), len(self.open_cases(key)), bars)

    def episode(self, episode_id: str) -> Episode:
        entry = self.tenant.episodes.get(episode_id)
        if entry is None:
            raise NotFound(f"There is no episode {episode_id} in tenant {self.scope.tenant_id}.")
        return view.episode_of(self.scope.tenant_id, entry, self.clock_of(entry.tx_from))

    def version(self, row: Row) -> Version:
        return view.version_of(
            row, clock_of=self.clock_of, kind_of=lambda n: self.tenant.headers[n - 1].kind
        )

    def conflict(self, case: ConflictCase) -> Conflict:
        key = case.entry.key
        return view.conflict_of(
            case,
            memory_type=self.memory_type(key.attribute),
            key_version=_key_version(self.tenant, key),
            headers={h.number: h for h in self.tenant.headers},
        )

    def unit_entries(self, number: int) -> Entries:
        return _entries_of(self.tenant, number)

    def _owners(self, entries: Entries) -> set[str]:
        cases = (self.tenant.cases[event.conflict_id] for event in entries.events)
        return (
            {r.key.owner for r in (*entries.rows_begun, *entries.rows_ended)}
            | {e.key.owner for e in (*entries.evidence_begun, *entries.evidence_ended)}
            | {case.entry.key.owner for case in cases}
        )

    def may_see(self, number: int) -> bool:
        """Say whether the scope may read at least one entry of a transaction."""
        entries = self.unit_entries(number)
        owners = self._owners(entries)
        shared = entries.episodes or entries.attributes_begun
        return bool(shared and not owners) or any(self.scope.sees(o) for o in owners)

    def transaction(self, number: int) -> Transaction:
        header = self.tenant.headers[number - 1]
        entries = self.unit_entries(number)
        keys = [r.key for r in (*entries.rows_begun, *entries.rows_ended)]
        keys += [e.key for e in (*entries.evidence_begun, *entries.evidence_ended)]
        keys += [self.tenant.cases[event.conflict_id].entry.key for event in entries.events]
        seen = [key for key in keys if self.scope.sees(key.owner)]
        return Transaction(
            tenant_id=self.scope.tenant_id,
            number=number,
            recorded_at=from_micros(header.recorded_at),
            actor=header.actor,
            tool=header.tool,
            kind=header.kind,
            reason=header.reason,
            digest=self.tenant.digests[number - 1],
            entries=len(entries),
            subjects=tuple(sorted({key.subject for key in seen})[:DETAIL_ROWS]),
            attributes=tuple(sorted({key.attribute for key in seen})[:DETAIL_ROWS]),
        )

    def detail(self, number: int) -> TransactionDetail:
        entries = self.unit_entries(number)
        began = [r for r in entries.rows_begun if self.scope.sees(r.key.owner)]
        ceased = [r for r in entries.rows_ended if self.scope.sees(r.key.owner)]
        by_place = sorted({r.key for r in (*began, *ceased)}, key=lambda k: k[1:])
        before, after = self._differences(by_place, number)
        links = view.links_in_order(entries)
        reverts = (h.number for h in self.tenant.headers if h.reverts == number)
        lists = (began, ceased, before, after)

        def in_order(rows: Iterable[Row]) -> list[Row]:
            return sorted(rows, key=lambda r: (r.key[1:], r.valid_from))

        return TransactionDetail(
            transaction=self.transaction(number),
            began=tuple(self.version(r) for r in in_order(began)[:DETAIL_ROWS]),
            ceased=tuple(self.version(r) for r in in_order(ceased)[:DETAIL_ROWS]),
            before=tuple(interval_of(s) for s in before[:DETAIL_ROWS]),
            after=tuple(interval_of(s) for s in after[:DETAIL_ROWS]),
            episodes=tuple(sorted(e.draft.episode_id for e in entries.episodes)[:DETAIL_ROWS]),
            conflicts=tuple(
                sorted(
                    {
                        event.conflict_id
                        for event in entries.events
                        if self.scope.sees(self.tenant.cases[event.conflict_id].entry.key.owner)
                    }
                )
            ),
            evidence=tuple(
                Evidence.model_construct(
                    memory_id=link.memory_id,
                    episode_id=link.episode_id,
                    span=view.span_of(link.span),
                    transaction=link.tx_from,
                )
                for link in links
                if self.scope.sees(link.key.owner)
            ),
            attributes=tuple(
                a.attribute
                for a in view.registered_in_order(entries)
                if self.may_know(a.attribute.name)
            ),
            reverted_by=max(reverts, default=None),
            truncated=any(len(part) > DETAIL_ROWS for part in lists),
        )

    def _differences(self, keys: Sequence[Key], number: int) -> tuple[list[Stretch], list[Stretch]]:
        before: list[Stretch] = []
        after: list[Stretch] = []
        for key in keys:
            was = ledger.stretches(self.believed(key, number - 1))
            is_now = ledger.stretches(self.believed(key, number))
            before += [s for s in was if not any(_same(s, o) for o in is_now)]
            after += [s for s in is_now if not any(_same(s, o) for o in was)]
        return before, after


def _same(one: Stretch, other: Stretch) -> bool:
    bounds = one.valid_from == other.valid_from and one.valid_to == other.valid_to
    return bounds and one.row.content == other.row.content


def _asked_for(query: TransactionQuery, transaction: Transaction) -> bool:
    return (
        (query.subject is None or query.subject in transaction.subjects)
        and (query.attribute is None or query.attribute in transaction.attributes)
        and query.actor in (None, transaction.actor)
        and (not query.kinds or transaction.kind.value in query.kinds)
        and filters.has_words(
            query.text, transaction.reason or "", transaction.actor, *transaction.subjects
        )
    )


def _counted(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _paged(found: Iterable[T], page: Page, key_of: Callable[[T], tuple[Any, ...]]) -> Listed[T]:
    """Return the page of a list that is sorted by a key; no two items have the same."""
    ordered = sorted(found, key=key_of)
    if page.after is not None and ordered:
        after = filters.read_cursor(page.after, len(key_of(ordered[0])))
        try:
            ordered = [item for item in ordered if key_of(item) > after]
        except TypeError as error:
            raise Invalid("The cursor belongs to another list.") from error
    part = ordered[: page.limit]
    if page.limit >= len(ordered):
        return Listed(tuple(part))
    return Listed(tuple(part), filters.write_cursor(key_of(part[-1])))
