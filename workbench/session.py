"""The open store and the one point of view that all panels share.

One selection, one filter, one as-of: a panel reads them here, asks here, and listens here. Reads
and writes run by `ops`; a write by any process is noticed by the store's revision.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import quote, urlencode

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from store import (
    NOW,
    AsOf,
    ChangeNotice,
    LaneFilter,
    Receipt,
    Scope,
    StoreError,
)
from store.model import OPERATOR
from store.temporal import iso, to_micros
from workbench import LINK_SCHEME
from workbench.actions import Selection as SelectionKind
from workbench.ops import ReadOp, Work, WriteOp

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from store import Fact, Store, Version, Write
    from store.query import Summary, TenantSummary
    from workbench.ops import Failed, Operations, Ticket
    from workbench.snapshots import OpenedSnapshot

T = TypeVar("T")
log = logging.getLogger(__name__)

WATCH_EVERY_MS: Final = 500
"""So often the store is asked whether anything was committed."""
REFRESH_EVERY_MS: Final = 250
"""Changes in between are told together."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected, everywhere at once.

    A fact comes with its subject and attribute; a subject or a lane may be selected alone.

    Attributes:
        row_from: `valid_from` of the stretch or row that was pointed at.
        version: number of a transaction: look at the fact as that transaction began it.
    """

    kind: SelectionKind = SelectionKind.NONE
    subject: str | None = None
    attribute: str | None = None
    owner: str = ""
    slot: str = ""
    memory_id: str | None = None
    row_from: datetime | None = None
    episode_id: str | None = None
    transaction: int | None = None
    conflict_id: str | None = None

    @classmethod
    def of_version(cls, version: Version) -> Selection:
        """Return the selection of the fact that a row of the ledger belongs to, at that row."""
        return cls(
            SelectionKind.FACT,
            subject=version.subject,
            attribute=version.attribute,
            owner=version.owner,
            slot=version.slot,
            memory_id=version.memory_id,
            row_from=version.valid_from,
        )

    @classmethod
    def of_fact(cls, fact: Fact, *, episode_id: str | None = None) -> Selection:
        """Give the selection of a fact, and with it of one of its sources if that is named."""
        return cls(
            SelectionKind.FACT,
            subject=fact.subject,
            attribute=fact.attribute,
            owner=fact.owner,
            slot=fact.slot,
            memory_id=fact.memory_id,
            row_from=fact.valid_from,
            episode_id=episode_id,
        )


NOTHING: Final = Selection()


@dataclass(frozen=True, slots=True)
class Filter:
    """What all panels are narrowed to, from the navigator and the search box.

    Attributes:
        text: words to look for: the facts table shows those with all of them in subject, attribute
            or value, the episodes those that say them; lanes stay, so that hits are seen in place.
        history: show superseded and past stretches where a panel has a choice.
    """

    subject: str | None = None
    attribute: str | None = None
    memory_type: str | None = None
    text: str = ""
    disputed: bool | None = None
    history: bool = False

    @property
    def lanes(self) -> LaneFilter:
        """The filter as the timeline asks it."""
        return LaneFilter(self.subject, self.attribute, self.memory_type)


@dataclass(frozen=True)
class View:
    """From where a read looks: handed to the reading function on its thread."""

    store: Store
    scope: Scope
    as_of: AsOf
    work: Work = field(repr=False)


class Session(QObject):
    """The store that is open and how one looks at it.

    Signals (all on the GUI thread):
        opened: a store and a tenant are there now; everything is to be read anew.
        closed: the store is gone; everything is to be cleared.
        scope_changed: another tenant or agent; read anew.
        as_of_changed: another point on either axis; read anew what depends on it.
        filter_changed, selection_changed: as named.
        changed: a `ChangeNotice` and its origin (the QObject that wrote, or None for another
            process): what was touched since the last time. While `as_of.known_at` is held, or
            others are not followed, only `newer_waiting_changed` tells.
        newer_waiting_changed: how many transactions are newer than what is looked at.
        following_changed: what others write is shown as it comes, or no longer.
        summary_changed: new counts are in `summary`.
        tenants_changed: the list of tenants is new.
        written: a label and a `Receipt`, after each write of this session.
        failed: a `StoreError` that no one else takes.
        attention_wanted: an action id that the main window should carry out.
    """

    opened = Signal()
    closed = Signal()
    scope_changed = Signal()
    as_of_changed = Signal()
    filter_changed = Signal()
    selection_changed = Signal()
    changed = Signal(object, object)
    newer_waiting_changed = Signal(int)
    following_changed = Signal()
    summary_changed = Signal()
    tenants_changed = Signal()
    written = Signal(str, object)
    failed = Signal(object)
    attention_wanted = Signal(str)

    def __init__(self, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.operations = operations
        self.store: Store | None = None
        self.snapshot: OpenedSnapshot | None = None
        self.scope: Scope | None = None
        self.as_of: AsOf = NOW
        self.filter = Filter()
        self.selection = NOTHING
        self.summary: Summary | None = None
        self.tenants: tuple[TenantSummary, ...] = ()
        self.newest = 0
        self.newer_waiting = 0
        self.is_following = True
        self._is_shown_next = False
        self._back: list[Selection] = []
        self._forward: list[Selection] = []
        self._revision: int | None = None
        self._told = 0
        self._origin: QObject | None = None
        self._watch = QTimer(self)
        self._watch.setInterval(WATCH_EVERY_MS)
        self._watch.timeout.connect(self._on_watch_timeout)
        self._tell_later = QTimer(self)
        self._tell_later.setSingleShot(True)
        self._tell_later.setInterval(REFRESH_EVERY_MS)
        self._tell_later.timeout.connect(self._ask_changes)
        operations.failed.connect(self._on_operations_failed)

    # -- life ---------------------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether a store and a tenant are there."""
        return self.store is not None and self.scope is not None

    @property
    def is_writable(self) -> bool:
        """Whether the store takes writes."""
        return self.store is not None and self.store.is_writable

    def open(
        self,
        store: Store,
        tenants: tuple[TenantSummary, ...],
        *,
        tenant_id: str,
        as_of: AsOf = NOW,
        snapshot: OpenedSnapshot | None = None,
    ) -> None:
        """Take a store that was opened off the GUI thread, and look at one of its tenants.

        Args:
            store: it is closed by the session.
            tenants: of the store.
            tenant_id: whose record to look at.
            as_of: from where.
            snapshot: what the store is a copy of, if it is one.
        """
        self.close()
        self.store, self.tenants, self.snapshot = store, tenants, snapshot
        self._enter(Scope(tenant_id), as_of)
        self._watch.start()
        self.tenants_changed.emit()
        self.opened.emit()
        self._ask_changes()

    def close(self) -> None:
        """Let go of the store; it is closed on the writer thread, after what is being written."""
        store, self.store, self.scope, self.snapshot = self.store, None, None, None
        self._watch.stop()
        self._tell_later.stop()
        self.operations.forget_reads()
        if store is None:
            return
        self.summary, self.tenants, self.selection = None, (), NOTHING
        was_narrowed = self.filter != Filter()
        self.as_of, self.filter = NOW, Filter()
        self.operations.write(WriteOp("", lambda _work: store.close()))
        self.closed.emit()
        if was_narrowed:
            self.filter_changed.emit()

    def set_scope(self, scope: Scope) -> None:
        """Look at another tenant, or as another agent."""
        if scope == self.scope or self.store is None:
            return
        self.operations.forget_reads()
        self._enter(scope, NOW)
        self.scope_changed.emit()
        self.selection_changed.emit()
        self.filter_changed.emit()
        self.as_of_changed.emit()
        self._ask_changes()

    def _enter(self, scope: Scope, as_of: AsOf) -> None:
        self.scope, self.as_of = scope, as_of
        self.filter, self.selection = Filter(), NOTHING
        self.summary = None
        self._back, self._forward = [], []
        # Of what came after the list of tenants was read, panels may have missed something.
        known = next((t.newest for t in self.tenants if t.tenant_id == scope.tenant_id), 0)
        self._revision, self._told = None, known
        self.newest = known
        self.newer_waiting = 0

    # -- the point of view --------------------------------------------------------------------

    def set_as_of(self, as_of: AsOf) -> None:
        """Look from another point on either axis."""
        if as_of == self.as_of:
            return
        self.as_of = as_of
        self.as_of_changed.emit()
        self.refresh_summary()
        if as_of.known_at is None and self.newer_waiting:
            self._set_newer_waiting(0)

    def link(self) -> str:
        """Give the state of the view as a link: store, tenant, as-of, filter and selection.

        ``memory-workbench:sqlite:///m.db?store_id=…&tenant=acme&valid_at=…&subject=mira``, with
        instants in ISO 8601 and only what differs from a plain look at now; "" while no store is
        open.
        """
        if self.store is None or self.scope is None:
            return ""
        as_of, chosen, selected = self.as_of, self.filter, self.selection
        parts = {
            "store_id": self.store.store_id,
            "tenant": self.scope.tenant_id,
            "agent": "" if self.scope.agent_id == OPERATOR else self.scope.agent_id,
            "valid_at": "" if as_of.valid_at is None else iso(to_micros(as_of.valid_at)),
            "known_at": "" if as_of.known_at is None else iso(to_micros(as_of.known_at)),
            "subject": chosen.subject,
            "attribute": chosen.attribute,
            "type": chosen.memory_type,
            "text": chosen.text,
            "history": "1" if chosen.history else "",
            "memory": selected.memory_id,
            "episode": selected.episode_id,
            "conflict": selected.conflict_id,
            "transaction": "" if selected.transaction is None else str(selected.transaction),
        }
        query = urlencode({name: part for name, part in parts.items() if part}, quote_via=quote)
        # The store of a snapshot is a copy that goes; what it was made from stays.
        location = self.store.url if self.snapshot is None else str(self.snapshot.path)
        return f"{LINK_SCHEME}{quote(location, safe='/:')}?{query}"

    def set_filter(self, **changes: object) -> None:
        """Change parts of the filter: `set_filter(subject="mira", text="")`."""
        changed = replace(self.filter, **changes)  # type: ignore[arg-type]
        if changed != self.filter:
            self.filter = changed
            self.filter_changed.emit()

    def select(self, selection: Selection) -> None:
        """Select something, for every panel."""
        if selection == self.selection:
            return
        if self.selection != NOTHING:
            self._back.append(self.selection)
            del self._back[:-100]
        self._forward.clear()
        self.selection = selection
        self.selection_changed.emit()

    @property
    def can_go_back(self) -> bool:
        """Whether something was selected before."""
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        """Whether one went back before."""
        return bool(self._forward)

    def go_back(self) -> None:
        """Select what was selected before."""
        if self._back:
            self._forward.append(self.selection)
            self.selection = self._back.pop()
            self.selection_changed.emit()

    def go_forward(self) -> None:
        """Take back a step back."""
        if self._forward:
            self._back.append(self.selection)
            self.selection = self._forward.pop()
            self.selection_changed.emit()

    # -- reading ------------------------------------------------------------------------------

    def read(
        self,
        key: tuple[str, ...],
        run: Callable[[View], T],
        *,
        on_done: Callable[[T], None],
        on_failed: Failed | None = None,
        owner: QObject | None = None,
        label: str = "",
        as_of: AsOf | None = None,
        is_long: bool = False,
    ) -> Ticket | None:
        """Ask the store something from the current point of view; newest wins under a key.

        Args:
            key: the first part is the panel's id, whose busy line shows the work.
            run: called with a `View` on a reader thread; it must touch nothing else.
            on_done: takes the answer on the GUI thread.
            on_failed: takes a `StoreError`; without it the main window shows it.
            owner: the answer is dropped when this object is gone.
            label: what it is in words, for the status bar.
            as_of: look from elsewhere than the session does.
            is_long: it goes through much, and panels are not to wait for it.

        Returns:
            The ticket, or None while no store is open.
        """
        store, scope = self.store, self.scope
        if store is None or scope is None:
            return None
        point = self.as_of if as_of is None else as_of
        op = ReadOp(key, lambda work: run(View(store, scope, point, work)), label, is_long=is_long)
        return self.operations.read(op, on_done=on_done, on_failed=on_failed, owner=owner)

    # -- writing ------------------------------------------------------------------------------

    def write(
        self,
        label: str,
        write: Write | Callable[[View], Receipt],
        *,
        on_done: Callable[[Receipt], None] | None = None,
        on_failed: Failed | None = None,
        origin: QObject | None = None,
    ) -> Ticket | None:
        """Carry out a write, or a function that makes several and returns the last receipt.

        Args:
            label: what it is in words, for undo: "Correct home_city".
            write: the write.
            on_done: takes the receipt.
            on_failed: takes a `StoreError`; without it the main window shows it.
            origin: who writes; panels recognise their own changes by it.

        Returns:
            The ticket, or None while no store is open.
        """
        store, scope = self.store, self.scope
        if store is None or scope is None:
            return None

        def run(work: Work) -> Receipt:
            if callable(write):
                return write(View(store, scope, NOW, work))
            return store.write(scope, write)

        def is_there() -> bool:
            return origin is None or shiboken6.isValid(origin)

        def done(receipt: Receipt) -> None:  # also when whoever wrote is gone: undo must know it
            self._origin = origin if is_there() else None
            self._is_shown_next = True
            self.written.emit(label, receipt)
            if on_done is not None and is_there():
                on_done(receipt)
            self._ask_changes()

        def failed(error: Exception) -> None:
            if on_failed is not None and is_there():
                on_failed(error)
            elif isinstance(error, StoreError):
                self.failed.emit(error)

        return self.operations.write(
            WriteOp(label, run), on_done=done, on_failed=failed, owner=self
        )

    # -- watching -----------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Read everything anew, because a person asked; what waited is shown."""
        self._is_shown_next = True
        notice = ChangeNotice(self._told, self.newest, everything=True)
        self.changed.emit(notice, None)
        self._ask_changes()

    def pass_time(self) -> None:
        """Let panels look again because something began or ended by itself; nothing was written."""
        if self.is_open:
            self.changed.emit(ChangeNotice(self._told, self._told, everything=True), None)
            self.refresh_summary()

    def set_following(self, is_on: bool) -> None:
        """Show what others write as it comes, or only count it until `refresh`."""
        if is_on == self.is_following:
            return
        self.is_following = is_on
        self.following_changed.emit()
        if is_on:
            self._ask_changes()

    @Slot()
    def _on_watch_timeout(self) -> None:
        store = self.store
        if store is None:
            return
        self.operations.read(
            ReadOp(("watch",), lambda _work: store.revision()),
            on_done=self._on_revision,
            on_failed=self._on_watch_failed,
            owner=self,
        )

    def _on_revision(self, revision: int) -> None:
        if revision == self._revision:
            return
        self._revision = revision
        if not self._tell_later.isActive():
            self._tell_later.start()

    def _on_watch_failed(self, error: Exception) -> None:
        log.warning("The store could not be asked for its revision: %s", type(error).__name__)

    @Slot()
    def _ask_changes(self) -> None:
        told = self._told
        self.read(
            ("watch", "changes"),
            lambda view: (
                view.store.revision(),  # first: what is committed after it is asked about again
                view.store.changes_since(view.scope, told),
                view.store.tenants(),
            ),
            on_done=self._on_changes,
            owner=self,
        )
        self.refresh_summary()

    def _on_changes(self, answer: tuple[int, ChangeNotice, tuple[TenantSummary, ...]]) -> None:
        self._revision, notice, tenants = answer
        if tenants != self.tenants:
            self.tenants = tenants
            self.tenants_changed.emit()
        origin, self._origin = self._origin, None
        self.newest = notice.newest
        is_shown, self._is_shown_next = self.is_following or self._is_shown_next, False
        if notice.newest == self._told:
            return
        if self.as_of.known_at is not None or not is_shown:
            self._set_newer_waiting(notice.newest - self._told)
            return
        self._told = notice.newest
        self._set_newer_waiting(0)
        self.changed.emit(notice, origin)

    def _set_newer_waiting(self, count: int) -> None:
        if count == self.newer_waiting:
            return
        self.newer_waiting = count
        if count == 0:
            self._told = self.newest
        self.newer_waiting_changed.emit(count)

    def refresh_summary(self) -> None:
        """Count anew, for the navigator and the status bar."""
        self.read(
            ("navigator", "summary"),
            lambda view: view.store.summary(view.scope, view.as_of, view.work.cancel),
            on_done=self._on_summary,
            owner=self,
        )

    def _on_summary(self, summary: Summary) -> None:
        self.summary = summary
        self.newest = summary.newest
        self.summary_changed.emit()

    @Slot(object, object)
    def _on_operations_failed(self, ticket: Ticket, error: StoreError) -> None:
        self.failed.emit(error)
