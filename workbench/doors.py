"""Opening, making and leaving stores at the desk: a door, not a wall, when it cannot be done."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from store import (
    NOW,
    AsOf,
    Cancelled,
    Corrupt,
    Invalid,
    Locked,
    NotAStore,
    NotFound,
    ReadOnly,
    Scope,
    StoreError,
    TooNew,
    TooOld,
    Unavailable,
    open_store,
)
from store.audit.reading import is_snapshot
from workbench import DESK
from workbench.actions import Selection as SelectionKind
from workbench.demo import DemoClock, make_demo
from workbench.links import read_link
from workbench.messages import Message, MessageAction, Severity
from workbench.ops import ReadOp, Work, WriteOp
from workbench.resources import resource
from workbench.session import Selection
from workbench.snapshots import Shelf, Withheld, package_of, restore_copy
from workbench.text import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from collections.abc import Callable

    from store import Fact, Store
    from store.query import TenantSummary
    from workbench.folders import Folders
    from workbench.links import ViewLink
    from workbench.ops import Ticket
    from workbench.session import Session
    from workbench.snapshots import OpenedSnapshot

_GIVE_UP = MessageAction("give_up", QT_TRANSLATE_NOOP("Messages", "Stop waiting"))
_AGAIN = MessageAction("again", QT_TRANSLATE_NOOP("Messages", "Try again"))
_OTHER = MessageAction("store.open", QT_TRANSLATE_NOOP("Messages", "Open another…"))
_NEW = MessageAction("store.new", QT_TRANSLATE_NOOP("Messages", "New store…"))
_READ_ONLY = MessageAction("read_only", QT_TRANSLATE_NOOP("Messages", "Open to read"))
_REPORT = MessageAction("snapshot.report", QT_TRANSLATE_NOOP("Messages", "Open report"))
_VERIFY = MessageAction("snapshot.verify", QT_TRANSLATE_NOOP("Messages", "See the checks…"))


class Unproven(Corrupt):
    """A snapshot is damaged or does not stand verification; nothing of it is shown."""


class NoSnapshot(Invalid):
    """A file or folder that was meant to be a snapshot is none."""


# What to do next, by what went wrong; the store's own sentence says what that was.
_DOORS: Final[tuple[tuple[type[StoreError], Message], ...]] = (
    (Withheld, Message("door.withheld", Severity.ERROR, "{reason}", action=_REPORT)),
    (Unproven, Message("door.unproven", Severity.ERROR, "{reason}", action=_VERIFY)),
    (NoSnapshot, Message("door.no_snapshot", Severity.ERROR, "{reason}", action=_OTHER)),
    (
        Cancelled,
        Message(
            "door.stopped",
            Severity.INFO,
            QT_TRANSLATE_NOOP("Messages", "The store was not opened."),
            action=_AGAIN,
        ),
    ),
    (NotFound, Message("door.missing", Severity.ERROR, "{reason}", action=_NEW)),
    (NotAStore, Message("door.foreign", Severity.ERROR, "{reason}", action=_OTHER)),
    (Corrupt, Message("door.damaged", Severity.ERROR, "{reason}", action=_READ_ONLY)),
    (TooNew, Message("door.newer", Severity.ERROR, "{reason}", action=_OTHER)),
    (TooOld, Message("door.older", Severity.ERROR, "{reason}", action=_OTHER)),
    (ReadOnly, Message("door.read_only", Severity.ERROR, "{reason}", action=_READ_ONLY)),
    (Unavailable, Message("door.unavailable", Severity.ERROR, "{reason}", action=_AGAIN)),
    (StoreError, Message("door.other", Severity.ERROR, "{reason}", action=_AGAIN)),
)
HELD: Final = Message(
    "door.held",
    Severity.INFO,
    QT_TRANSLATE_NOOP(
        "Messages",
        "{store} is locked by another program that is writing. It opens as soon as it is free.",
    ),
    action=_GIVE_UP,
    can_close=False,
)
_UNREADABLE: Final = Message("door.unreadable", Severity.ERROR, "{reason}", action=_OTHER)
DOOR_MESSAGES: Final = (HELD, _UNREADABLE, *(message for _kind, message in _DOORS))
NOTICE: Final = Message("door.notice", Severity.INFO, "{reason}")
EMPTY_STORE: Final = Message(
    "door.empty",
    Severity.INFO,
    QT_TRANSLATE_NOOP(
        "Messages",
        "The store has no tenant “{tenant}” yet; its first fact or import begins it.",
    ),
    action=MessageAction("tenant.new", QT_TRANSLATE_NOOP("Messages", "Another name…")),
)
WAIT_S: Final = 30.0
"""So long a store that another program holds is waited for, if no one stops it before."""
LOOK_EVERY_S: Final = 0.25
FIRST_TENANT: Final = "default"
"""The tenant of a store that has none yet."""


def door_for(error: StoreError, *, read_only: bool = False) -> Message:
    """Return the message that fits an error of opening, with what can be done.

    Args:
        error: what stood in the way.
        read_only: it was to be opened for reading already; it is not offered again.
    """
    fitting = next(message for kind, message in _DOORS if isinstance(error, kind))
    return _UNREADABLE if read_only and fitting.action is _READ_ONLY else fitting


@dataclass(frozen=True, slots=True)
class Wish:
    """Which store is to be opened, and how.

    Attributes:
        location: a path or URL of a store; or the path of a snapshot, which is opened as a copy.
        subject, attribute: what is to be selected; the fact in force if both are given.
        conflict_id: a conflict to be shown for a decision.
        link: how the store is to be looked at, as a copied link says it.
    """

    location: str
    tenant: str | None = None
    as_of: AsOf = NOW
    create: bool = False
    read_only: bool = False
    is_demo: bool = False
    subject: str | None = None
    attribute: str | None = None
    conflict_id: str | None = None
    link: ViewLink | None = None

    @classmethod
    def of_link(cls, text: str) -> Wish:
        """Read a copied link as a wish.

        Raises:
            Invalid: it is no link, or a part of it cannot be read.
        """
        link = read_link(text)
        return cls(link.location, link.tenant, link.as_of, link=link)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A store that was opened; of a snapshot also what it is of, and where the copy lies."""

    store: Store
    tenants: tuple[TenantSummary, ...]
    snapshot: OpenedSnapshot | None = None
    folder: Path | None = None


class Doors(QObject):
    """Opens stores off the GUI thread and hands them to the session.

    Signals:
        opened: the `Wish` that came true.
        held: a `Wish` that waits because another program holds the store; `give_up` ends it.
        refused: a `Wish` and the `StoreError` that stood in the way; the old store stays open.
    """

    opened = Signal(object)
    held = Signal(object)
    refused = Signal(object, object)
    _met_lock = Signal(object)

    def __init__(self, session: Session, folders: Folders, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._folders = folders
        self.shelf = Shelf(folders.data / "opened")
        self._shown: Path | None = None
        self._open: Wish | None = None
        self._way_back: Wish | None = None
        self._wish: Wish | None = None
        self._ticket: Ticket | None = None
        self._met_lock.connect(self._on_met_lock, Qt.ConnectionType.QueuedConnection)
        session.closed.connect(self._on_session_closed)

    def sweep(self) -> None:
        """Remove copies that a program left behind which did not end as it should."""
        self._session.operations.read(
            ReadOp(("doors", "sweep"), lambda _work: self.shelf.sweep()),
            on_done=lambda _done: None,
            owner=self,
        )

    @property
    def demo_path(self) -> Path:
        """Where the demo store is, or will be made."""
        return self._folders.data / "demo.db"

    def open(self, wish: Wish) -> None:
        """Open a store; until it is open the one before stays. Another that waits is given up."""
        label = self.tr("Opening {store}").format(store=wish.location)
        self.give_up()
        self._wish = wish
        opening = _opening(wish, self.shelf, lambda: self._met_lock.emit(wish))
        self._ticket = self._session.operations.write(
            WriteOp(label, opening, can_cancel=True),
            on_done=lambda opened: self._on_opened(wish, opened),
            on_failed=lambda error: self._on_failed(wish, error),
            owner=self,
        )

    @property
    def way_back(self) -> Wish | None:
        """How the store is found again that was open before the snapshot that is looked at."""
        return self._way_back

    @Slot()
    def leave(self) -> None:
        """Close what is open; a snapshot for the store that was open before it, if there was one.

        Where that store cannot be opened any more, the snapshot is closed all the same.
        """
        if self._way_back is None:
            self._session.close()
        else:
            self.open(self._way_back)

    def give_up(self) -> None:
        """Open no more what is being opened."""
        if self._ticket is not None:
            self._session.operations.cancel(self._ticket)

    @Slot(object)
    def _on_met_lock(self, wish: Wish) -> None:
        if wish is self._wish:
            self.held.emit(wish)

    def open_demo(self) -> None:
        """Make the demo store once, and open it."""
        self.open(Wish(str(self.demo_path), is_demo=True))

    def _on_opened(self, wish: Wish, opened: _Opened) -> None:
        self._over(wish)
        names = [tenant.tenant_id for tenant in opened.tenants]
        tenant = wish.tenant or (busiest(opened.tenants) if names else FIRST_TENANT)
        self._way_back = self._find_way_back() if opened.snapshot is not None else None
        self._open = wish
        self._session.open(
            opened.store,
            opened.tenants,
            tenant_id=tenant,
            as_of=wish.as_of,
            snapshot=opened.snapshot,
        )
        self._shown = opened.folder
        self.opened.emit(wish)
        if wish.link is not None:
            self._look_as(wish.link)
        else:
            self._select(wish)

    def _find_way_back(self) -> Wish | None:
        """Note how what is open is looked at, before a snapshot takes its place."""
        if self._session.snapshot is not None:
            return self._way_back
        if self._open is None or not self._session.is_open:
            return None
        view = Wish.of_link(self._session.link())
        return replace(view, location=self._open.location, read_only=self._open.read_only)

    @Slot()
    def _on_session_closed(self) -> None:
        """Remove the copy of a snapshot after its store is closed, which was asked for before."""
        folder, self._shown = self._shown, None
        if folder is not None:
            self._session.operations.write(WriteOp("", lambda _work: self.shelf.drop(folder)))

    def _look_as(self, link: ViewLink) -> None:
        """Look at the open store as a link says; what it selected may be gone by now."""
        session, chosen = self._session, link.selection
        session.set_scope(Scope(link.tenant, link.agent))
        session.set_as_of(link.as_of)
        session.set_filter(**asdict(link.filter))
        if chosen.memory_id is None:
            session.select(chosen)
            return
        memory_id, episode_id = chosen.memory_id, chosen.episode_id
        session.read(
            ("doors", "selected"),
            lambda view: view.store.fact(view.scope, memory_id, view.as_of),
            on_done=lambda fact: session.select(Selection.of_fact(fact, episode_id=episode_id)),
            owner=self,
        )

    def _select(self, wish: Wish) -> None:
        """Select what the wish names, once it was found."""
        session, subject, attribute = self._session, wish.subject, wish.attribute
        if wish.conflict_id is not None:
            session.select(Selection(SelectionKind.CONFLICT, conflict_id=wish.conflict_id))
            session.attention_wanted.emit("conflict.resolve")
        elif subject is not None:
            self.go_to(subject, attribute)

    def go_to(self, subject: str, attribute: str | None = None) -> None:
        """Select a subject, or the fact in force of one of its attributes.

        Where none is in force the subject is selected.
        """
        session = self._session

        def take(facts: tuple[Fact, ...]) -> None:
            found = Selection.of_fact(facts[0]) if facts else of_subject
            session.select(found)

        of_subject = Selection(SelectionKind.SUBJECT, subject=subject)
        if attribute is None:
            session.select(of_subject)
            return
        session.read(
            ("doors", "selected"),
            lambda view: view.store.read(view.scope, subject, attribute, view.as_of),
            on_done=take,
            owner=self,
        )

    def _on_failed(self, wish: Wish, error: Exception) -> None:
        is_replaced = wish is not self._wish and isinstance(error, Cancelled)
        self._over(wish)
        if wish is self._way_back and not isinstance(error, Cancelled):
            self._session.close()
        if isinstance(error, StoreError) and not is_replaced:
            self.refused.emit(wish, error)

    def _over(self, wish: Wish) -> None:
        """Note that nothing is being opened any more, unless it is something newer."""
        if wish is self._wish:
            self._wish = self._ticket = None


def busiest(tenants: tuple[TenantSummary, ...]) -> str:
    """Return the tenant with most facts: what one most likely wants to look at."""
    return max(tenants, key=lambda t: (t.facts, t.tenant_id)).tenant_id


def _opening(wish: Wish, shelf: Shelf, tell_held: Callable[[], None]) -> Callable[[Work], _Opened]:
    def run(work: Work) -> _Opened:
        path = package_of(Path(wish.location))
        if not wish.is_demo and not wish.create and is_snapshot(path):
            return _open_copy(path, shelf, work)
        if wish.is_demo:
            build_demo(Path(wish.location), work)
        if not wish.create:
            _wait_until_free(wish.location, work, tell_held)
        store = open_store(wish.location, create=wish.create, read_only=wish.read_only, tool=DESK)
        try:
            _check_identity(store, wish)
            tenants = store.tenants()
            work.cancel.check()
            return _Opened(store, tenants)
        except BaseException:
            store.close()
            raise

    return run


def _wait_until_free(location: str, work: Work, tell_held: Callable[[], None]) -> None:
    """Wait while another program holds a store; whatever else is wrong comes when it is opened.

    Raises:
        Cancelled: someone stopped it.
        Locked: it was held for too long.
    """
    ends_s = time.monotonic() + WAIT_S
    is_told = False
    while True:
        try:
            open_store(location, read_only=True, tool=DESK, patience_s=0.0).close()
        except Locked:
            if time.monotonic() >= ends_s:
                raise
        except StoreError:
            return
        else:
            return
        if not is_told:
            is_told = True
            tell_held()
        time.sleep(LOOK_EVERY_S)
        work.cancel.check()


def _check_identity(store: Store, wish: Wish) -> None:
    """Refuse a store that only lies where the one of a link lay.

    Raises:
        NotAStore: it is another one.
    """
    if wish.link is not None and wish.link.store_id not in ("", store.store_id):
        raise NotAStore(
            f"Another store lies at {wish.location} than the one from which the link was copied."
        )


def _open_copy(path: Path, shelf: Shelf, work: Work) -> _Opened:
    """Restore a snapshot into a store on the shelf, and open that for reading."""
    folder = shelf.make()
    at = folder / "store.db"
    try:
        snapshot = restore_copy(path, at, tool=DESK, progress=work.progress, cancel=work.cancel)
        store = open_store(at, read_only=True, tool=DESK)
        try:
            return _Opened(store, store.tenants(), snapshot, folder)
        except BaseException:
            store.close()
            raise
    except BaseException as error:
        shelf.drop(folder)
        if isinstance(error, Corrupt):
            raise Unproven(str(error)) from error
        if isinstance(error, Invalid | NotFound):
            raise NoSnapshot(str(error)) from error
        raise


def build_demo(path: Path, work: Work | None = None) -> bool:
    """Make the demo store where there is none; whole or not at all.

    Returns:
        Whether it was made now.
    """
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.unlink(missing_ok=True)
    clock = DemoClock()
    with open_store(unfinished, create=True, clock=clock, tool=DESK) as store:
        make_demo(
            store,
            clock=clock,
            samples=resource("samples"),
            progress=work.progress if work else None,
            cancel=work.cancel if work else None,
        )
    unfinished.replace(path)
    return True
