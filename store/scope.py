"""The adapter that binds a store to a tenant and an agent: what an agent is given.

with open_store("memory.db") as store:
    memory = bind(store, "acme", agent_id="support")
    memory.capture("e1", "Please write to me in Porto now.", occurred_at=now)
    memory.change("mira", "home_city", "Porto", valid_from=now, episode="e1")
    memory.read("mira", "home_city")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from store.contract import Cancel, Progress, Scope, Store
from store.errors import Invalid
from store.model import (
    OPERATOR,
    Conflict,
    Episode,
    EpisodeDraft,
    EpisodeKind,
    Fact,
    MemoryDelta,
    Plan,
    Receipt,
    Resolution,
)
from store.query import FactPage, FactQuery, Hit, LoadReport, Order, Page
from store.temporal import NOW, AsOf
from store.write import (
    Capture,
    Change,
    Confirm,
    Correct,
    End,
    Retract,
    Revert,
    Settle,
    Write,
)

if TYPE_CHECKING:
    from datetime import datetime

R = TypeVar("R")


class Memory:
    """One agent's view of one tenant's memory. Every call is a call of the store with this scope.

    Attributes:
        store: the store behind.
        scope: who looks and writes.
    """

    def __init__(self, store: Store, scope: Scope) -> None:
        self.store = store
        self.scope = scope

    # -- writing ------------------------------------------------------------------------------

    def write(self, write: Write) -> Receipt:
        """Carry out one write; see `Store.write`."""
        return self.store.write(self.scope, write)

    def preview(self, write: Write) -> Plan:
        """Say what a write would do; see `Store.preview`."""
        return self.store.preview(self.scope, write)

    def capture(
        self,
        episode_id: str,
        content: str,
        *,
        occurred_at: datetime,
        kind: EpisodeKind = EpisodeKind.MESSAGE,
        session_id: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> Receipt:
        """Keep a source event.

        Raises:
            Invalid: a field breaks its rule, or the id is taken by another episode.
        """
        draft = _checked(
            EpisodeDraft,
            episode_id=episode_id,
            kind=kind,
            content=content,
            occurred_at=occurred_at,
            session_id=session_id,
            metadata=metadata or {},
        )
        return self.write(Capture(episode=draft))

    def change(
        self,
        subject: str,
        attribute: str,
        value: Any,
        *,
        valid_from: datetime,
        episode: str,
        **more: Any,
    ) -> Receipt:
        """Propose a fact; `more` are the further fields of `MemoryDelta`.

        Raises:
            Invalid: a field breaks its rule, or the episode was not captured.
        """
        delta = _checked(
            MemoryDelta,
            tenant_id=self.scope.tenant_id,
            subject=subject,
            attribute=attribute,
            value=value,
            valid_from=valid_from,
            source_episode_id=episode,
            **more,
        )
        return self.write(Change(delta=delta))

    def correct(self, memory_id: str, *, episode: str, reason: str, **right: Any) -> Receipt:
        """Say that a fact was wrong from the start: its `value`, `valid_from` or `until`."""
        return self.write(
            _checked(Correct, memory_id=memory_id, episode_id=episode, reason=reason, **right)
        )

    def end(self, memory_id: str, at: datetime, *, episode: str, reason: str) -> Receipt:
        """Say that a fact stopped being true in the world."""
        return self.write(
            _checked(End, memory_id=memory_id, at=at, episode_id=episode, reason=reason)
        )

    def retract(self, memory_id: str, *, episode: str, reason: str, gap: bool = False) -> Receipt:
        """Say that a fact never held."""
        return self.write(
            _checked(Retract, memory_id=memory_id, episode_id=episode, reason=reason, gap=gap)
        )

    def confirm(self, memory_id: str, *, episode: str) -> Receipt:
        """Add an episode as evidence to a fact."""
        return self.write(_checked(Confirm, memory_id=memory_id, episode_id=episode))

    def settle(
        self, conflict_id: str, resolution: Resolution, *, reason: str, **more: Any
    ) -> Receipt:
        """Decide a conflict; `more` are the further fields of `Settle`."""
        return self.write(
            _checked(Settle, conflict_id=conflict_id, resolution=resolution, reason=reason, **more)
        )

    def revert(self, transaction: int, *, reason: str) -> Receipt:
        """Undo a transaction by a compensating one."""
        return self.write(_checked(Revert, transaction=transaction, reason=reason))

    def load(
        self,
        entries: Any,
        *,
        progress: Progress | None = None,
        cancel: Cancel | None = None,
    ) -> LoadReport:
        """Write many episodes and facts; see `Store.load`."""
        return self.store.load(self.scope, entries, progress=progress, cancel=cancel)

    # -- reading ------------------------------------------------------------------------------

    def read(self, subject: str, attribute: str, as_of: AsOf = NOW) -> tuple[Fact, ...]:
        """Return what holds on a subject's attribute."""
        return self.store.read(self.scope, subject, attribute, as_of)

    def fact(self, memory_id: str, as_of: AsOf = NOW) -> Fact:
        """Return a fact by id."""
        return self.store.fact(self.scope, memory_id, as_of)

    def facts(
        self,
        query: FactQuery = FactQuery(),
        *,
        as_of: AsOf = NOW,
        order: Order = Order(),
        page: Page = Page(),
    ) -> FactPage:
        """Return a page of facts."""
        return self.store.facts(self.scope, query, as_of=as_of, order=order, page=page)

    def episode(self, episode_id: str) -> Episode:
        """Return an episode."""
        return self.store.episode(self.scope, episode_id)

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return the first open conflicts, oldest first."""
        return self.store.conflicts(self.scope).items

    def search(self, text: str, *, as_of: AsOf = NOW, limit: int = 50) -> tuple[Hit, ...]:
        """Find facts in force and episodes by words."""
        return self.store.search(self.scope, text, as_of=as_of, limit=limit)


def bind(
    store: Store,
    tenant_id: str,
    *,
    agent_id: str = OPERATOR,
    readable: frozenset[str] | None = None,
) -> Memory:
    """Bind a store to a tenant and an agent; without an agent, to the operator.

    Raises:
        Invalid: a name breaks the rules of names.
    """
    return Memory(store, Scope(tenant_id, agent_id, readable))


def _checked(model: type[R], **fields: Any) -> R:
    try:
        return model(**fields)
    except ValidationError as error:
        raise Invalid(validation_sentence(error)) from error


def validation_sentence(error: ValidationError) -> str:
    """Return a validation error as one sentence for a person."""
    parts = []
    for item in error.errors():
        where = ".".join(str(part) for part in item["loc"])
        said = item["msg"].removeprefix("Value error, ")
        parts.append(f"{where}: {said}" if where else said)
    return "; ".join(parts) + ". Nothing was written."
