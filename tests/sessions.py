"""Sessions to try panels on: one on the demo store, one on a list of facts of any length."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from store.contract import ChangeNotice, Scope
from store.errors import NotFound, Unavailable
from store.model import Attribute, Fact
from store.open import open_store
from store.query import (
    Anchors,
    Extent,
    FactQuery,
    Listed,
    Order,
    Page,
    SubjectLanes,
    Summary,
    TenantSummary,
)
from store.temporal import NOW, AsOf, Basis, Precision
from tests.support import ROOT
from workbench.demo import DemoClock, make_demo
from workbench.ops import Operations
from workbench.session import Session

BASE = datetime(2026, 1, 1, tzinfo=UTC)


@contextmanager
def session_on(store: Any, tenant_id: str = "acme") -> Iterator[Session]:
    """Open a session on a store, and close both."""
    operations = Operations()
    session = Session(operations)
    session.open(store, store.tenants(), tenant_id=tenant_id)
    try:
        yield session
    finally:
        session.close()
        operations.shutdown()


def demo_store() -> Any:
    """Make the demo store in memory."""
    clock = DemoClock()
    store = open_store("memory:", create=True, clock=clock)
    make_demo(store, clock=clock, samples=ROOT / "resources" / "samples")
    return store


@cache
def standing_demo() -> Any:
    """Give a demo store that stays open, for tests that do not write."""
    store = demo_store()
    store.close = lambda: None
    return store


def settled(session: Session) -> bool:
    """Say whether nothing is being read or written."""
    return not session.operations.tickets


def a_fact(number: int, value: Any = None) -> Fact:
    """Make a fact of a long list; facts with equal numbers have equal ids and keys."""
    begins = BASE + timedelta(hours=number % 5000)
    return Fact.model_construct(
        tenant_id="acme",
        memory_id=f"m{number}",
        subject=f"subject {number:07d}",
        attribute="is",
        value=f"value {number}" if value is None else value,
        memory_type="profile",
        schema_version=1,
        valid_from=begins,
        valid_to=None,
        supersedes_memory_id=None,
        source_episode_id=f"e{number}",
        confidence=(number % 100) / 100,
        retention_policy="keep",
        agent_id="support",
        owner="",
        slot="",
        until=None,
        valid_from_basis=Basis.STATED,
        precision=Precision.INSTANT,
        stated_as=None,
        row_from=begins,
        recorded_at=begins,
        superseded_at=None,
        transaction=number + 1,
        last_confirmed_at=begins,
        disputed=False,
    )


class LongList:
    """Stands in for a store: a list of facts that grows and shrinks, read by pages.

    Only what panels of facts ask is there. `held` has the numbers of the facts, `values` what some
    of them say otherwise. `let` and `let_anchors` hold reads back while they are not set.
    """

    url = "memory:long"
    store_id = "long"
    is_writable = False
    notice = ""
    capabilities = frozenset[str]()

    def __init__(self, length: int) -> None:
        self.held = list(range(length))
        self.values: dict[int, Any] = {}
        self.number = 1
        self.pages_read: list[int] = []
        self.anchors_read = 0
        self.let = threading.Event()
        self.let.set()
        self.let_anchors = threading.Event()
        self.let_anchors.set()
        self.is_broken = False

    def change(self, held: list[int], values: dict[int, Any] | None = None) -> None:
        """Hold other facts, as after a write by another process."""
        self.held, self.values = held, values or {}
        self.number += 1

    def facts(
        self,
        scope: Scope,
        query: FactQuery,
        *,
        as_of: AsOf = NOW,
        order: Order = Order(),
        page: Page = Page(),
        cancel: Any = None,
    ) -> Listed[Fact]:
        self.let.wait(10)
        if self.is_broken:
            raise Unavailable("The disk is gone.")
        first = 0 if page.after is None else int(page.after)
        self.pages_read.append(first)
        held = self.held[::-1] if order.descending else self.held
        end = first + page.limit
        found = tuple(a_fact(number, self.values.get(number)) for number in held[first:end])
        return Listed(found, str(end) if end < len(held) else None)

    def anchors(
        self,
        scope: Scope,
        query: FactQuery,
        *,
        as_of: AsOf = NOW,
        order: Order = Order(),
        every: int = 256,
        cancel: Any = None,
    ) -> Anchors:
        while not self.let_anchors.wait(0.01):
            cancel.check()
        self.anchors_read += 1
        count = len(self.held)
        return Anchors(count, every, (None, *(str(at) for at in range(every, count, every))))

    def episode(self, scope: Scope, episode_id: str) -> Any:
        raise NotFound(f"There is no episode {episode_id}.")

    def revision(self) -> int:
        return self.number

    def changes_since(self, scope: Scope, transaction: int) -> ChangeNotice:
        return ChangeNotice(transaction, self.number, everything=True)

    def tenants(self) -> tuple[TenantSummary, ...]:
        return (TenantSummary("acme", len(self.held), 0, self.number),)

    def summary(self, scope: Scope, as_of: AsOf = NOW, cancel: Any = None) -> Summary:
        count = len(self.held)
        extent = Extent(None, None, None, None)
        return Summary(count, count, count, count, 0, 0, self.number, self.number, extent)

    def lane_outline(
        self, scope: Scope, lanes: Any = None, *, as_of: AsOf = NOW, cancel: Any = None
    ) -> tuple[SubjectLanes, ...]:
        return tuple(SubjectLanes(f"subject {number:07d}", 1, "profile", 0) for number in self.held)

    def attributes(self, scope: Scope) -> tuple[Attribute, ...]:
        return (Attribute(name="is", memory_type="profile"),)

    def close(self) -> None:
        return None
