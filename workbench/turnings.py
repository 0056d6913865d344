"""Time passes: facts begin and end without a write, and the panels that look at now must tell."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from store.query import Comparison, FactField, FactQuery, FieldFilter, Order, Page
from store.temporal import LATEST, iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.session import Session, View

ASK_AFTER_MS: Final = 1_000
"""A change is followed by a question after so long, so that a busy writer is not in its way."""
_SHARE: Final = 20  # of the time that an answer took, so many times as long is waited at least
_LONGEST_WAIT_MS: Final = 600_000  # a clock that is set, or a machine that slept, is noticed then
_AFTER: Final = timedelta(milliseconds=20)


def utc_now() -> datetime:
    """Return the present instant."""
    return datetime.now(UTC)


def next_turning(view: View, after: datetime) -> datetime | None:
    """Return the next instant at which a fact of the tenant begins or ends, None if there is none.

    Args:
        view: from where to look; called on a reader thread.
        after: the instant after which to look.
    """
    found = []
    span = iso(to_micros(after)), iso(LATEST)
    for field in (FactField.VALID_FROM, FactField.VALID_TO):
        listed = view.store.facts(
            view.scope,
            FactQuery(history=True, filters=(FieldFilter(field, Comparison.BETWEEN, *span),)),
            as_of=view.as_of,
            order=Order(field),
            page=Page(1),
            cancel=view.work.cancel,
        )
        for fact in listed.items:
            at = fact.valid_from if field is FactField.VALID_FROM else fact.valid_to
            if at is not None:
                found.append(at)
    return min(found, default=None)


class Turnings(QObject):
    """Lets the session's panels look again at each instant at which something begins or ends.

    While one looks from a held valid-at, nothing turns.
    """

    def __init__(
        self,
        session: Session,
        parent: QObject | None = None,
        *,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._clock = clock
        self._next: datetime | None = None
        self._asked_at = 0.0
        self._ask_later = QTimer(self, singleShot=True, interval=ASK_AFTER_MS)
        self._ask_later.timeout.connect(self._on_ask_later_timeout)
        self._turn = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._turn.timeout.connect(self._on_turn_timeout)
        session.opened.connect(self._start_over)
        session.scope_changed.connect(self._start_over)
        session.as_of_changed.connect(self._start_over)
        session.closed.connect(self._stop)
        session.changed.connect(self._ask_soon)

    @property
    def next(self) -> datetime | None:
        """The instant that is waited for."""
        return self._next

    @Slot()
    def _start_over(self) -> None:
        self._stop()
        self._ask_soon()

    @Slot()
    def _stop(self) -> None:
        self._next = None
        self._turn.stop()
        self._ask_later.stop()

    @Slot()
    def _ask_soon(self) -> None:
        looks_at_now = self._session.is_open and self._session.as_of.valid_at is None
        if looks_at_now and not self._ask_later.isActive():
            self._ask_later.start()

    @Slot()
    def _on_ask_later_timeout(self) -> None:
        after, self._asked_at = self._clock(), time.monotonic()
        self._session.read(
            ("turnings", "next"),
            lambda view: next_turning(view, after),
            on_done=self._on_next,
            on_failed=lambda _error: None,  # whoever shows facts says what is wrong
            owner=self,
        )

    def _on_next(self, at: datetime | None) -> None:
        took_ms = 1000 * (time.monotonic() - self._asked_at)
        self._ask_later.setInterval(max(ASK_AFTER_MS, int(_SHARE * took_ms)))
        self._next = at
        self._wait()

    def _wait(self) -> None:
        if self._next is None:
            self._turn.stop()
            return
        left = self._next + _AFTER - self._clock()
        self._turn.start(min(max(0, left // timedelta(milliseconds=1)), _LONGEST_WAIT_MS))

    @Slot()
    def _on_turn_timeout(self) -> None:
        if self._next is not None and self._clock() < self._next:
            self._wait()
        else:
            self._next = None
            self._session.pass_time()
