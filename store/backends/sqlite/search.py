"""Search by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import LargeBinary, cast, func, select

from store.backends import filters
from store.backends.sqlite import schema
from store.backends.sqlite.facts import first_facts
from store.backends.sqlite.functions import as_bytes
from store.backends.sqlite.words import episodes_that_may_hold
from store.canonical import canonical
from store.query import FactQuery, Hit, HitKind, Order
from store.temporal import to_micros

if TYPE_CHECKING:
    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.sight import Sight


def search(reader: Reader, sight: Sight, text: str, limit: int) -> tuple[Hit, ...]:
    """Find facts in force and episodes that hold all words: facts in order, then episodes."""
    if not text.strip() or sight.tenant_no is None:
        return ()
    facts = first_facts(reader, sight, FactQuery(text=text), Order(), limit)
    hits = [
        Hit(
            HitKind.FACT,
            fact.memory_id,
            f"{fact.subject} / {fact.attribute}",
            filters.shown(canonical(fact.value))[:200],
            to_micros(fact.valid_from),
        )
        for fact in facts
    ]
    if len(hits) < limit:
        hits += _episode_hits(reader, sight, text, limit - len(hits))
    return tuple(hits[:limit])


def _episode_hits(reader: Reader, sight: Sight, text: str, limit: int) -> list[Hit]:
    e = schema.episode.alias("e")
    found = func.content_has(as_bytes(text), "", cast(e.c.content, LargeBinary)) == 1
    statement = (
        select(e.c.kind, e.c.episode_id, e.c.content, e.c.occurred_at)
        .where(e.c.tenant_no == sight.tenant_no, e.c.tx_from <= sight.number, found)
        .order_by(e.c.episode_no)
        .limit(limit)
    )
    narrowed = episodes_that_may_hold(sight, text, e.c.episode_no, e.c.tx_from)
    if narrowed is not None:
        statement = statement.where(narrowed)
    return [
        Hit(HitKind.EPISODE, identity, f"{kind} {identity}", content[:200], occurred_at)
        for kind, identity, content, occurred_at in reader.all(statement)
    ]
