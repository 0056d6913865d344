"""The commands that write: capture, propose, correct, end, retract, confirm, settle, revert."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from store.contract import Scope
from store.errors import Invalid
from store.model import EpisodeDraft, EpisodeKind, MemoryDelta, Outcome, Resolution
from store.scope import validation_sentence
from store.write import Capture, Change, Confirm, Correct, End, Retract, Revert, Settle
from workbench.commands import arguments, opening, output
from workbench.commands.arguments import Clock
from workbench.commands.stretches import tell_stretches

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.contract import Store
    from store.model import Receipt
    from store.write import Write

M = TypeVar("M", bound=BaseModel)

DONE: Final = 0
FAILED: Final = 1
QUEUED: Final = 3
"""Exit status when a conflict was queued."""


def capture(
    location: str,
    *,
    tenant: str,
    episode_id: str,
    kind: str,
    occurred_at: str,
    agent: str,
    session: str | None,
    content: str | None,
    file: str | None,
    zone: str | None,
    as_json: bool,
) -> int:
    """Keep a source event."""
    instant = Clock.of(zone).instant(occurred_at, "--occurred-at")

    def write() -> Write:
        text, metadata = arguments.content(content, file)
        draft = _checked(
            EpisodeDraft,
            episode_id=episode_id,
            kind=EpisodeKind(kind),
            content=text,
            occurred_at=instant,
            session_id=session,
            metadata=metadata,
        )
        return Capture(episode=draft)

    scope = _named(tenant, agent)
    return _carry_out(opening.open_or_create, location, write, scope=scope, as_json=as_json)


def propose(
    location: str,
    *,
    tenant: str,
    subject: str,
    attribute: str,
    value: str,
    valid_from: str,
    valid_to: str | None,
    episode_id: str,
    span: str | None,
    confidence: float,
    memory_type: str | None,
    agent: str,
    reason: str | None,
    zone: str | None,
    as_json: bool,
) -> int:
    """Propose a fact; the ledger decides what becomes of it."""
    clock = Clock.of(zone)
    begins = clock.stated(valid_from, "--valid-from")
    fields = {
        "value": arguments.json_value(value),
        "until": clock.instant_or_none(valid_to, "--valid-to"),
        "span": arguments.span(span),
    }

    def write() -> Write:
        delta = _checked(
            MemoryDelta,
            tenant_id=tenant,
            subject=subject,
            attribute=attribute,
            valid_from=begins.instant,
            source_episode_id=episode_id,
            confidence=confidence,
            memory_type=memory_type,
            precision=begins.precision,
            stated_as=clock.words(valid_from),
            **fields,
        )
        return _checked(Change, delta=delta, reason=reason)

    scope = _named(tenant, agent)
    return _carry_out(opening.open_or_create, location, write, scope=scope, as_json=as_json)


def correct(
    location: str,
    memory_id: str,
    *,
    tenant: str | None,
    value: str | None,
    valid_from: str | None,
    valid_to: str | None,
    row: str | None,
    episode_id: str,
    reason: str,
    agent: str,
    zone: str | None,
    as_json: bool,
) -> int:
    """Say that a fact was wrong from the start."""
    clock = Clock.of(zone)
    right: dict[str, Any] = {}
    if value is not None:
        right["value"] = arguments.json_value(value)
    if valid_from is not None:
        right["valid_from"] = clock.instant(valid_from, "--valid-from")
    if valid_to is not None:
        right["until"] = clock.end(valid_to, "--valid-to")
    if not right:
        raise arguments.wrong("--value", "Say what is right: --value, --valid-from or --valid-to.")
    right["row"] = clock.instant_or_none(row, "--row")

    def write() -> Write:
        return _checked(Correct, memory_id=memory_id, episode_id=episode_id, reason=reason, **right)

    scope = _of_id(memory_id, tenant, agent)
    return _carry_out(opening.open_to_write, location, write, scope=scope, as_json=as_json)


def end(
    location: str,
    memory_id: str,
    *,
    tenant: str | None,
    at: str,
    episode_id: str,
    reason: str,
    agent: str,
    zone: str | None,
    as_json: bool,
) -> int:
    """Say that a fact stopped being true."""
    instant = Clock.of(zone).instant(at, "--at")

    def write() -> Write:
        return _checked(End, memory_id=memory_id, at=instant, episode_id=episode_id, reason=reason)

    scope = _of_id(memory_id, tenant, agent)
    return _carry_out(opening.open_to_write, location, write, scope=scope, as_json=as_json)


def retract(
    location: str,
    memory_id: str,
    *,
    tenant: str | None,
    gap: bool,
    episode_id: str,
    reason: str,
    agent: str,
    as_json: bool,
) -> int:
    """Say that a fact never held."""

    def write() -> Write:
        return _checked(Retract, memory_id=memory_id, episode_id=episode_id, reason=reason, gap=gap)

    scope = _of_id(memory_id, tenant, agent)
    return _carry_out(opening.open_to_write, location, write, scope=scope, as_json=as_json)


def confirm(
    location: str,
    memory_id: str,
    *,
    tenant: str | None,
    episode_id: str,
    span: str | None,
    agent: str,
    as_json: bool,
) -> int:
    """Add an episode as evidence to a fact."""
    characters = arguments.span(span)

    def write() -> Write:
        return _checked(Confirm, memory_id=memory_id, episode_id=episode_id, span=characters)

    scope = _of_id(memory_id, tenant, agent)
    return _carry_out(opening.open_to_write, location, write, scope=scope, as_json=as_json)


def settle(
    location: str,
    conflict_id: str,
    *,
    tenant: str | None,
    outcome: str,
    value: str | None,
    at: str | None,
    to: str | None,
    standing: bool,
    claim: str | None,
    qualifier: str | None,
    reason: str,
    agent: str,
    zone: str | None,
    as_json: bool,
) -> int:
    """Decide a conflict."""
    clock, chosen = Clock.of(zone), Resolution(outcome)
    is_move, is_merge = chosen is Resolution.MOVE, chosen is Resolution.MERGE
    moves = (("--at", at), ("--to", to), ("--standing", standing))
    arguments.only_with(is_move, moves, "--outcome move")
    arguments.only_with(is_merge, (("--value", value),), "--outcome merge")
    is_both = chosen is Resolution.BOTH
    arguments.only_with(is_both, (("--qualifier", qualifier),), "--outcome both")
    if is_move and at is None and to is None:
        raise arguments.wrong("--at", "A move takes the real beginning (--at) or end (--to).")
    if is_merge and value is None:
        raise arguments.wrong("--value", "A merge takes the merged value.")
    more: dict[str, Any] = {}
    if value is not None:
        more["value"] = arguments.json_value(value)
    if at is not None:
        more["valid_from"] = clock.instant(at, "--at")
    if to is not None:
        more["until"] = clock.end(to, "--to")

    def write() -> Write:
        return _checked(
            Settle,
            conflict_id=conflict_id,
            resolution=chosen,
            reason=reason,
            claim_id=claim,
            standing=standing,
            qualifier=qualifier,
            **more,
        )

    scope = _of_id(conflict_id, tenant, agent)
    return _carry_out(opening.open_to_write, location, write, scope=scope, as_json=as_json)


def revert(
    location: str, transaction: int, *, tenant: str, reason: str, agent: str, as_json: bool
) -> int:
    """Undo a transaction by a compensating one."""

    def write() -> Write:
        return _checked(Revert, transaction=transaction, reason=reason)

    scope = _named(tenant, agent)
    return _carry_out(opening.open_to_write, location, write, scope=scope, as_json=as_json)


def _named(tenant: str, agent: str) -> Callable[[Store], Scope]:
    return lambda _store: Scope(tenant, agent)


def _of_id(identity: str, tenant: str | None, agent: str) -> Callable[[Store], Scope]:
    return lambda store: opening.scope_of(store, identity, tenant=tenant, agent=agent)


def _carry_out(
    open_store: Callable[[str], Store],
    location: str,
    make: Callable[[], Write],
    *,
    scope: Callable[[Store], Scope],
    as_json: bool,
) -> int:
    """Make a write, open the store, carry it out, and say what became of it.

    The write is made first, so that one that breaks a rule opens, or makes, no store.
    """
    try:
        write = make()
        with open_store(location) as store:
            receipt = store.write(scope(store), write)
    except Invalid as error:
        if as_json:
            output.emit_document(_document(Outcome.REJECTED, reason=str(error)))
        raise
    if as_json:
        output.emit_document(_document(receipt.outcome, reason=receipt.plan.reason, of=receipt))
    else:
        _tell(receipt)
    is_queued = isinstance(write, Change) and receipt.outcome is Outcome.CONFLICT
    return QUEUED if is_queued else DONE


def _checked(model: type[M], **fields: Any) -> M:
    try:
        return model(**fields)
    except ValidationError as error:
        raise Invalid(validation_sentence(error)) from error


def _document(outcome: Outcome, *, reason: str, of: Receipt | None = None) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "memory_id": of.memory_id if of else None,
        "conflict_id": of.conflict_id if of else None,
        "episode_id": of.episode_id if of else None,
        "transaction": of.transaction if of else None,
        "reason": reason,
        "plan": {
            "closed": of.plan.closed if of else (),
            "inserted": of.plan.opened if of else (),
        },
    }


def _tell(receipt: Receipt) -> None:
    output.say(f"{receipt.outcome.value.capitalize()}: {output.shown(receipt.plan.reason, 400)}")
    named = (
        ("fact", receipt.memory_id),
        ("conflict", receipt.conflict_id),
        ("episode", receipt.episode_id),
        ("transaction", receipt.transaction),
    )
    for name, identity in named:
        if identity is not None:
            output.say(f"  {name:<12} {output.shown(str(identity))}")
    tell_stretches("-", receipt.plan.closed)
    tell_stretches("+", receipt.plan.opened)
