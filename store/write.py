"""The writes: what may be asked of a ledger, as values.

A write is handed to `Store.write`, which carries it out in one transaction, or to `Store.preview`,
which says what it would do. The tenant and the writer come from the scope.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime, Field, model_validator

from store.model import (
    Attribute,
    EpisodeDraft,
    MemoryDelta,
    Name,
    Record,
    Resolution,
    Span,
    Text,
    Value,
)

Seen = Annotated[int | None, Field(ge=0)]


class Capture(Record):
    """Keep an episode. The same id with the same content is known; with another it is invalid."""

    episode: EpisodeDraft


class Change(Record):
    """Propose a fact, as the article's `replace_fact` does; it may be applied, known, or queued."""

    delta: MemoryDelta
    reason: Text | None = None


class Correct(Record):
    """Say that a fact was wrong from the start: its value, its beginning, or its stated end.

    Attributes:
        value: the right value; left out to keep it (None is the JSON value null).
        valid_from: the right beginning of the first row, or of the one that `row` names.
        until: the right end; None clears it; left out to keep it.
        row: `valid_from` of the row that is meant, where a fact has several.
        seen: number of the last transaction on the key that the writer saw; refused as `Stale` if
            the key changed since.
    """

    memory_id: str
    episode_id: Name
    reason: Text
    value: Value = None
    valid_from: AwareDatetime | None = None
    until: AwareDatetime | None = None
    row: AwareDatetime | None = None
    seen: Seen = None

    @model_validator(mode="after")
    def _changes_something(self) -> Correct:
        if not {"value", "valid_from", "until"} & self.model_fields_set:
            raise ValueError("a correction names the value, the beginning or the end")
        return self


class End(Record):
    """Say that a fact stopped being true in the world at an instant, and nothing followed."""

    memory_id: str
    at: AwareDatetime
    episode_id: Name
    reason: Text
    seen: Seen = None


class Retract(Record):
    """Say that a fact never held: what preceded it flows on, or with `gap` nothing does."""

    memory_id: str
    episode_id: Name
    reason: Text
    gap: bool = False
    seen: Seen = None


class Confirm(Record):
    """Add an episode as evidence to the fact's row in force."""

    memory_id: str
    episode_id: Name
    span: Span | None = None


class Settle(Record):
    """Decide a conflict.

    Attributes:
        resolution: see `semantics.md` section 5.
        claim_id: which waiting claim is meant; needed where several wait.
        value: the merged value, for `merge`.
        standing: for `move`, whether the standing claim moves rather than the incoming one.
        valid_from: for `move`, its real beginning.
        until: for `move`, its real end; None clears it.
        qualifier: for `both`, put the incoming claim under `attribute (qualifier)` rather than
            make the attribute multi-valued.
        seen: `Conflict.version` that the person saw.
    """

    conflict_id: str
    resolution: Resolution
    reason: Text
    claim_id: str | None = None
    value: Value = None
    standing: bool = False
    valid_from: AwareDatetime | None = None
    until: AwareDatetime | None = None
    qualifier: str | None = None
    seen: Seen = None


class Revert(Record):
    """Undo a transaction by a compensating one; episodes stay."""

    transaction: Annotated[int, Field(ge=1)]
    reason: Text


class Register(Record):
    """Enter an attribute into the tenant's registry, or change its entry."""

    attribute: Attribute
    reason: Text | None = None


Write = Capture | Change | Correct | End | Retract | Confirm | Settle | Revert | Register
"""Anything that may be written."""
