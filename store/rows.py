"""Rows and what they say, made quickly: for those who read or restore a record by the million.

A frozen dataclass sets its fields through `object.__setattr__`, one by one, which is most of the
cost of making one. What is made here is the same in everything but that.
"""

from __future__ import annotations

from dataclasses import fields, make_dataclass
from typing import TYPE_CHECKING, Any, Final

from store.ledger import Content, Row

if TYPE_CHECKING:
    from store.ledger import Key
    from store.model import RowKind
    from store.temporal import Basis, Precision


def _open_twin(frozen: type[Any]) -> Any:
    """Return a class with the same slots that is not frozen: its instances can change class."""
    names = [(field.name, object) for field in fields(frozen)]
    return make_dataclass(f"Open{frozen.__name__}", names, slots=True)


_OpenContent: Final = _open_twin(Content)
_OpenRow: Final = _open_twin(Row)


def made_content(
    memory_id: str,
    value: str | None,
    episode_id: str,
    agent_id: str,
    span: tuple[int, int] | None,
    confidence: float,
    supersedes: str | None,
    schema_version: int,
    retention_policy: str,
    basis: Basis,
    precision: Precision,
    stated_as: str | None,
) -> Content:
    """Return a `Content` of these fields."""
    it = _OpenContent(
        memory_id,
        value,
        episode_id,
        agent_id,
        span,
        confidence,
        supersedes,
        schema_version,
        retention_policy,
        basis,
        precision,
        stated_as,
    )
    it.__class__ = Content
    content: Content = it
    return content


def made_row(
    key: Key,
    valid_from: int,
    kind: RowKind,
    content: Content | None,
    until: int | None,
    over: tuple[Content, int | None] | None,
    tx_from: int,
    tx_to: int | None,
    secret: bytes,
) -> Row:
    """Return a `Row` of these fields."""
    it = _OpenRow(key, valid_from, kind, content, until, over, tx_from, tx_to, secret)
    it.__class__ = Row
    row: Row = it
    return row
