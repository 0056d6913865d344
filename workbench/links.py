"""Links to a view: what `Session.link` writes, read back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import parse_qsl, unquote

from store.errors import Invalid
from store.model import OPERATOR
from store.temporal import AsOf
from workbench import LINK_SCHEME
from workbench.actions import Selection as SelectionKind
from workbench.session import NOTHING, Filter, Selection

_FILE: Final = "sqlite:///"


@dataclass(frozen=True, slots=True)
class ViewLink:
    """A store and how it was looked at.

    Attributes:
        location: path or URL of the store.
        store_id: the store's identity; "" if the link does not say it.
        selection: what was selected; of a fact only its id is known yet.
    """

    location: str
    store_id: str
    tenant: str
    agent: str
    as_of: AsOf
    filter: Filter
    selection: Selection


def is_link(text: str) -> bool:
    """Say whether a text is meant as a link to a view."""
    return text.strip().startswith(LINK_SCHEME)


def read_link(text: str) -> ViewLink:
    """Read a link.

    Raises:
        Invalid: it is none, or a part of it cannot be read.
    """
    if not is_link(text):
        raise Invalid("This is no link to a view of Memory Workbench.")
    place, _, query = text.strip().removeprefix(LINK_SCHEME).partition("?")
    url = unquote(place)
    try:
        parts = dict(parse_qsl(query, strict_parsing=bool(query), errors="strict"))
        as_of = AsOf(_instant(parts.get("valid_at")), _instant(parts.get("known_at")))
        selection = _selection(parts)
    except ValueError as error:
        raise Invalid("The link cannot be read; it may have been cut off.") from error
    if not url or not parts.get("tenant"):
        raise Invalid("The link names no store and tenant; it may have been cut off.")
    return ViewLink(
        location=url.removeprefix(_FILE),
        store_id=parts.get("store_id", ""),
        tenant=parts["tenant"],
        agent=parts.get("agent", OPERATOR),
        as_of=as_of,
        filter=Filter(
            subject=parts.get("subject"),
            attribute=parts.get("attribute"),
            memory_type=parts.get("type"),
            text=parts.get("text", ""),
            history="history" in parts,
        ),
        selection=selection,
    )


def _instant(text: str | None) -> datetime | None:
    if text is None:
        return None
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(text)
    return at


def _selection(parts: dict[str, str]) -> Selection:
    if "memory" in parts:
        episode_id = parts.get("episode")
        return Selection(SelectionKind.FACT, memory_id=parts["memory"], episode_id=episode_id)
    if "conflict" in parts:
        return Selection(SelectionKind.CONFLICT, conflict_id=parts["conflict"])
    if "transaction" in parts:
        return Selection(SelectionKind.TRANSACTION, transaction=int(parts["transaction"]))
    if "episode" in parts:
        return Selection(SelectionKind.EPISODE, episode_id=parts["episode"])
    return NOTHING
