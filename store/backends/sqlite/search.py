"""Search by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from store.backends import filters
from store.backends.sqlite.facts import fact_page
from store.canonical import canonical
from store.query import FactQuery, Hit, HitKind, Order, Page
from store.temporal import to_micros

if TYPE_CHECKING:
    from store.backends.sqlite.connection import Reader
    from store.backends.sqlite.sight import Sight


def search(reader: Reader, sight: Sight, text: str, limit: int) -> tuple[Hit, ...]:
    """Find facts in force and episodes that hold all words: facts in order, then episodes."""
    if not text.strip() or sight.tenant_no is None:
        return ()
    page = fact_page(reader, sight, FactQuery(text=text), Order(), Page(min(limit, 1000)))
    hits = [
        Hit(
            HitKind.FACT,
            fact.memory_id,
            f"{fact.subject} / {fact.attribute}",
            filters.shown(canonical(fact.value))[:200],
            to_micros(fact.valid_from),
        )
        for fact in page.items
    ]
    found = sight.connection.execute(
        "SELECT kind, episode_id, content, occurred_at FROM episode "
        "WHERE tenant_no = ? AND tx_from <= ? AND content_has(?, '', CAST(content AS BLOB)) "
        "ORDER BY episode_no LIMIT ?",
        (sight.tenant_no, sight.number, text, max(limit - len(hits), 0)),
    ).fetchall()
    hits += [
        Hit(HitKind.EPISODE, identity, f"{kind} {identity}", content[:200], occurred_at)
        for kind, identity, content, occurred_at in found
    ]
    return tuple(hits[:limit])
