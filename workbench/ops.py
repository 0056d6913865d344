"""Work off the GUI thread: one writer, two readers, and threads of their own for long reads.

Answers come on the GUI thread by one signal.

A `ReadOp` has a key; a newer one under the same key cancels and forgets the older, whose answer
never arrives. A `WriteOp` is never broken off midway: it is refused before it starts, or, where it
works in batches, stops between two. Callbacks run on the GUI thread and never after their owner
is gone.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from store.contract import Cancel
from store.errors import Cancelled, StoreError
from workbench.garbage import GarbageCollector

T = TypeVar("T")
Failed = Callable[[Exception], None]
"""Told what went wrong: a `StoreError` to say in place, or a bug, which is reported already."""

WRITE_AREA: Final = "write"
PROGRESS_EVERY_S: Final = 0.05
READERS: Final = 2
LONG_READERS: Final = 4
"""So many long reads go on at once: as many as a person has dialogs open for them."""


class Work:
    """What an operation gets to work with, on its worker thread.

    Attributes:
        cancel: pass it to the store, or look at it between steps.
    """

    def __init__(self, cancel: Cancel, report: Callable[[int, int | None], None]) -> None:
        self.cancel = cancel
        self._report = report
        self._reported_s = 0.0

    def progress(self, done: int, total: int | None = None) -> None:
        """Say how far it is; call as often as you like, a few times a second are passed on."""
        now_s = time.monotonic()
        if now_s - self._reported_s >= PROGRESS_EVERY_S or done == total:
            self._reported_s = now_s
            self._report(done, total)


@dataclass(frozen=True)
class ReadOp(Generic[T]):
    """Something to find out.

    Attributes:
        key: what the answer is for, ``("facts", "page", "3")``; the first part is the panel whose
            busy line shows it. A newer request under the same key replaces this one.
        run: does it, on a reader thread.
        label: what it is in words, for the status bar when it takes long; translated.
        is_long: it goes through much, as a check or a snapshot does: panels do not wait for it.
    """

    key: tuple[str, ...]
    run: Callable[[Work], T]
    label: str = ""
    is_long: bool = False


@dataclass(frozen=True)
class WriteOp(Generic[T]):
    """Something to do to the store, in the words of one user change.

    Attributes:
        label: what it is in words, for the status bar and for undo; translated.
        run: does it, on the writer thread, after all writes before it.
        can_cancel: it works in batches and looks at `Work.cancel` between them.
    """

    label: str
    run: Callable[[Work], T]
    can_cancel: bool = False


class Ticket:
    """A request that was made, and what became of it. Lives on the GUI thread.

    Attributes:
        key: the key of the read; ``("write",)`` for a write.
        label: what it is in words, or "".
        is_write: whether it changes the store.
        started_s: when it was asked for, by `time.monotonic`.
        done: how much is done, and `total` of how much if that is known.
    """

    def __init__(self, key: tuple[str, ...], label: str, *, is_write: bool) -> None:
        self.key = key
        self.label = label
        self.is_write = is_write
        self.started_s = time.monotonic()
        self.done = 0
        self.total: int | None = None
        self._cancel = Cancel()
        self._is_running = False
        self._is_settled = False
        self._is_forgotten = False
        self._can_break_off = not is_write
        self._future: Future[None] | None = None
        self._owner: QObject | None = None
        self._on_done: Callable[[Any], None] | None = None
        self._on_failed: Failed | None = None

    @property
    def area(self) -> str:
        """The panel for which it works, or ``write``."""
        return self.key[0]

    @property
    def is_settled(self) -> bool:
        """Whether it is over, by an answer, an error or by being forgotten."""
        return self._is_settled

    @property
    def is_dropped(self) -> bool:
        """Whether no answer comes any more: a newer request took its place, or the store left."""
        return self._is_forgotten

    @property
    def can_cancel(self) -> bool:
        """Whether `Operations.cancel` can still do anything."""
        return not self._is_settled and (self._can_break_off or not self._is_running)


@dataclass(frozen=True, slots=True)
class _Answer:
    value: object = None
    error: BaseException | None = None


class Operations(QObject):
    """Runs operations and delivers what they find.

    Signals (all on the GUI thread):
        started: a `Ticket`, when it is asked for.
        progressed: a `Ticket` whose `done` and `total` are new.
        settled: a `Ticket` that is over.
        busy_changed: an area and whether anything works for it.
        failed: a `Ticket` and its `StoreError`, where the request named no one to tell.
    """

    started = Signal(object)
    progressed = Signal(object)
    settled = Signal(object)
    busy_changed = Signal(str, bool)
    failed = Signal(object, object)
    _delivered = Signal(object, object)
    _reported = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._long_readers = ThreadPoolExecutor(LONG_READERS, thread_name_prefix="reader-long")
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._open: dict[tuple[str, ...], Ticket] = {}
        self._writes: list[Ticket] = []
        self._busy: Counter[str] = Counter()
        self._is_down = False
        self._garbage = GarbageCollector(self)
        self._delivered.connect(self._on_delivered, Qt.ConnectionType.QueuedConnection)
        self._reported.connect(self._on_reported, Qt.ConnectionType.QueuedConnection)

    # -- asking ---------------------------------------------------------------------------

    def read(
        self,
        op: ReadOp[T],
        *,
        on_done: Callable[[T], None],
        on_failed: Failed | None = None,
        owner: QObject | None = None,
    ) -> Ticket:
        """Ask for something; the answer comes by `on_done` unless a newer request replaces it.

        Args:
            op: what to find out.
            on_done: takes the answer.
            on_failed: takes the error; without it the signal `failed` tells.
            owner: drop the answer when this object is gone.
        """
        older = self._open.get(op.key)
        ticket = Ticket(op.key, op.label, is_write=False)
        self._open[op.key] = ticket
        readers = self._long_readers if op.is_long else self._readers
        self._start(ticket, readers, op.run, (on_done, on_failed, owner))
        if older is not None:  # after the start, so that the area stays busy throughout
            self._forget(older)
        return ticket

    def write(
        self,
        op: WriteOp[T],
        *,
        on_done: Callable[[T], None] | None = None,
        on_failed: Failed | None = None,
        owner: QObject | None = None,
    ) -> Ticket:
        """Do something to the store, after all that was asked before; see `read`."""
        ticket = Ticket((WRITE_AREA,), op.label, is_write=True)
        ticket._can_break_off = op.can_cancel
        self._writes.append(ticket)
        return self._start(ticket, self._writer, op.run, (on_done, on_failed, owner))

    def cancel(self, ticket: Ticket) -> bool:
        """Stop a request because a person said so; its `on_failed` gets `Cancelled`.

        Returns:
            Whether it will stop: a write that has begun does not, unless it works in batches.
        """
        if not ticket.can_cancel:
            return False
        ticket._cancel.cancel()
        if ticket._future is not None and ticket._future.cancel():
            self._settle(ticket, _Answer(error=Cancelled("The work was stopped on request.")))
        return True

    def forget(self, key: tuple[str, ...]) -> None:
        """Stop the read under a key and drop its answer."""
        ticket = self._open.get(key)
        if ticket is not None:
            self._forget(ticket)

    def forget_area(self, area: str) -> None:
        """Stop all reads of a panel and drop their answers."""
        for ticket in [it for it in self._open.values() if it.area == area]:
            self._forget(ticket)

    def forget_reads(self) -> None:
        """Stop all reads and drop their answers, as when the store closes."""
        for ticket in list(self._open.values()):
            self._forget(ticket)

    # -- looking --------------------------------------------------------------------------

    @property
    def tickets(self) -> tuple[Ticket, ...]:
        """All requests that are not settled, reads first."""
        return (*self._open.values(), *self._writes)

    @property
    def is_writing(self) -> bool:
        """Whether a write is under way or waits."""
        return bool(self._writes)

    def is_busy(self, area: str) -> bool:
        """Say whether anything works for an area."""
        return self._busy[area] > 0

    # -- the end --------------------------------------------------------------------------

    def shutdown(self) -> None:
        """Drop all reads, let the writer finish what it has begun, end the threads.

        Writes in batches stop after the batch; writes that have not begun are not carried out.
        Nothing is delivered afterwards. May be called twice.
        """
        if self._is_down:
            return
        self._is_down = True
        self.forget_reads()
        for ticket in list(self._writes):
            ticket._is_forgotten = True
            self.cancel(ticket)
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._long_readers.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True, cancel_futures=True)
        self._garbage.stop()

    # -- the way there and back -----------------------------------------------------------

    def _start(
        self,
        ticket: Ticket,
        executor: ThreadPoolExecutor,
        run: Callable[[Work], Any],
        told: tuple[Callable[[Any], None] | None, Failed | None, QObject | None],
    ) -> Ticket:
        if self._is_down:
            raise RuntimeError("Operations are shut down.")
        ticket._on_done, ticket._on_failed, ticket._owner = told
        self._count(ticket.area, 1)
        ticket._future = executor.submit(self._run, ticket, run)
        self.started.emit(ticket)
        return ticket

    def _run(self, ticket: Ticket, run: Callable[[Work], Any]) -> None:
        """Do the work; on a worker thread."""
        ticket._is_running = True
        work = Work(
            ticket._cancel,
            lambda done, total: self._reported.emit(ticket, (done, total)),
        )
        try:
            answer = _Answer(value=run(work))
        except BaseException as error:  # the GUI thread decides what it is
            answer = _Answer(error=error)
        if shiboken6.isValid(self):
            self._delivered.emit(ticket, answer)

    @Slot(object, object)
    def _on_delivered(self, ticket: Ticket, answer: _Answer) -> None:
        if ticket._is_settled or self._is_down:
            return
        was_cut_short = not ticket.is_write and ticket._cancel.is_cancelled
        if was_cut_short and answer.error is None:
            answer = _Answer(error=Cancelled("The work was stopped on request."))
        self._settle(ticket, answer)

    @Slot(object, object)
    def _on_reported(self, ticket: Ticket, progress: tuple[int, int | None]) -> None:
        if not ticket._is_settled:
            ticket.done, ticket.total = progress
            self.progressed.emit(ticket)

    def _forget(self, ticket: Ticket) -> None:
        ticket._is_forgotten = True
        ticket._cancel.cancel()
        if ticket._future is not None:
            ticket._future.cancel()
        self._close_ticket(ticket)

    def _settle(self, ticket: Ticket, answer: _Answer) -> None:
        self._close_ticket(ticket)
        owner = ticket._owner
        if ticket._is_forgotten or (owner is not None and not shiboken6.isValid(owner)):
            return
        error = answer.error
        if error is None:
            if ticket._on_done is not None:
                ticket._on_done(answer.value)
            return
        if not isinstance(error, StoreError):
            # A bug: reported once, here, with the traceback of the worker.
            sys.excepthook(type(error), error, error.__traceback__)
        if ticket._on_failed is not None and isinstance(error, Exception):
            ticket._on_failed(error)
        elif isinstance(error, StoreError):
            self.failed.emit(ticket, error)

    def _close_ticket(self, ticket: Ticket) -> None:
        """Take a request off the books, before anyone is told."""
        if ticket._is_settled:
            return
        ticket._is_settled = True
        if ticket.is_write:
            self._writes.remove(ticket)
        elif self._open.get(ticket.key) is ticket:
            del self._open[ticket.key]
        self._count(ticket.area, -1)
        self.settled.emit(ticket)

    def _count(self, area: str, change: int) -> None:
        was_busy = self._busy[area] > 0
        self._busy[area] += change
        if was_busy != (self._busy[area] > 0):
            self.busy_changed.emit(area, not was_busy)
