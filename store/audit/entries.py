"""Lines of a snapshot's files as entries of the record, every member checked.

`store.audit.format` says how the lines are written. A line says what the record holds and nothing
else: a member that is missing, of the wrong kind, out of its range or unknown makes it unusable.
"""

from __future__ import annotations

import json
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from store.canonical import LARGEST_INTEGER, TOO_DEEP, canonical, is_too_deep, parse
from store.entry import (
    SECRET_BYTES,
    AttributeEntry,
    ClaimEntry,
    ConflictCase,
    ConflictEntry,
    ConflictEvent,
    EpisodeEntry,
    EventKind,
    EvidenceEntry,
    TransactionHeader,
)
from store.errors import Invalid
from store.history import Sealed
from store.ledger import Key
from store.model import (
    Attribute,
    Cardinality,
    ConflictKind,
    ConflictState,
    EpisodeDraft,
    EpisodeKind,
    Resolution,
    RowKind,
    WriteKind,
    clean_name,
)
from store.rows import made_content, made_row
from store.temporal import EARLIEST, LATEST, Basis, Precision, from_micros

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.ledger import Content, Row

E = TypeVar("E", bound=StrEnum)
Members = dict[str, Any]

LARGEST_NUMBER: Final = LARGEST_INTEGER
"""Of transactions, entries and characters."""
DIGEST_LETTERS: Final = 64
_HEX: Final = frozenset("0123456789abcdef")
_MISSING: Final = object()


class Wrong(ValueError):
    """What is wrong with a line, as a clause without its place."""


def members_of(line: str) -> Members:
    """Return the members of a line.

    Raises:
        Wrong: it is no JSON object.
    """
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Wrong("it is not JSON") from error
    if type(members) is not dict:
        raise Wrong("it is not a JSON object")
    return members


# -- the files ------------------------------------------------------------------------------------


def row_of(it: Members, tenant_id: str) -> Row:
    """Return a row of `versions.jsonl`; takes the members apart.

    Raises:
        Wrong: a member breaks its rule.
    """
    key = _key(it, tenant_id)
    tx_from = _number(it, "tx_from")
    tx_to = _number_or_none(it, "tx_to")
    row = _row(it, key, tx_from, tx_to)
    _nothing_else(it)
    return row


def evidence_of(it: Members, tenant_id: str) -> EvidenceEntry:
    """Return a link of `evidence.jsonl`; takes the members apart.

    Raises:
        Wrong: a member breaks its rule.
    """
    entry = EvidenceEntry(
        _key(it, tenant_id),
        _text(it, "memory_id"),
        _instant(it, "valid_from"),
        _name(it, "episode_id"),
        _span(it),
        _number(it, "row_tx"),
        _number(it, "tx_from"),
        _number_or_none(it, "tx_to"),
    )
    _nothing_else(it)
    return entry


def episode_of(it: Members) -> EpisodeEntry:
    """Return an episode of `episodes.jsonl`; takes the members apart.

    Raises:
        Wrong: a member breaks its rule.
    """
    agent_id = _name(it, "agent_id")
    metadata = _member(it, "metadata")
    if type(metadata) is not dict:
        raise Wrong("metadata is not an object")
    draft = EpisodeDraft.model_construct(
        episode_id=_name(it, "episode_id"),
        kind=_one_of(it, "kind", EpisodeKind),
        content=_text_or_empty(it, "content"),
        occurred_at=from_micros(_instant(it, "occurred_at")),
        agent_id=agent_id,
        session_id=_text_or_none(it, "session_id"),
        metadata=parse(_canonical("metadata", metadata)) if metadata else {},
    )
    entry = EpisodeEntry(draft, agent_id, _number(it, "tx_from"), _secret(it))
    _nothing_else(it)
    return entry


def case_of(it: Members, tenant_id: str) -> ConflictCase:
    """Return a conflict of `conflicts.jsonl` with its events; takes the members apart.

    Raises:
        Wrong: a member breaks its rule, or the state does not follow from the events.
    """
    key = _key(it, tenant_id)
    conflict_id = _text(it, "conflict_id")
    standing = _part(it, "standing")
    entry = ConflictEntry(
        conflict_id,
        key,
        _one_of(it, "kind", ConflictKind),
        _instant(it, "contested_from"),
        _instant_or_none(it, "contested_to"),
        _row(standing, key, _number(standing, "tx_from"), None),
    )
    _nothing_else(standing)
    events = _member(it, "events")
    if type(events) is not list or not events or any(type(event) is not dict for event in events):
        raise Wrong("events is not a list of objects")
    case = ConflictCase(entry, tuple(_event(event, conflict_id, key) for event in events))
    if case.state is not _one_of_or_none(it, "state", ConflictState):
        raise Wrong("its state does not follow from its events")
    _nothing_else(it)
    return case


def attribute_of(it: Members) -> AttributeEntry:
    """Return a registry entry of `attributes.jsonl`; takes the members apart.

    Raises:
        Wrong: a member breaks its rule.
    """
    sensitive = _member(it, "sensitive")
    if type(sensitive) is not bool:
        raise Wrong("sensitive is neither true nor false")
    attribute = Attribute.model_construct(
        name=_name(it, "name"),
        memory_type=_name(it, "memory_type"),
        cardinality=_one_of(it, "cardinality", Cardinality),
        sensitive=sensitive,
        retention_policy=_name(it, "retention_policy"),
        schema_version=_number(it, "schema_version"),
    )
    entry = AttributeEntry(attribute, _number(it, "tx_from"), _number_or_none(it, "tx_to"))
    _nothing_else(it)
    return entry


def transaction_of(it: Members, previous: str) -> Sealed:
    """Return a transaction of `transactions.jsonl`; takes the members apart.

    Args:
        it: the members.
        previous: the digest of the transaction before it.

    Raises:
        Wrong: a member breaks its rule.
    """
    header = TransactionHeader(
        number=_number(it, "number"),
        recorded_at=_instant(it, "recorded_at"),
        kind=_one_of(it, "kind", WriteKind),
        actor=_text_or_empty(it, "actor"),
        tool=_text_or_empty(it, "tool"),
        reason=_text_or_none(it, "reason"),
        secret=_secret(it),
        previous=previous,
        reverts=_number_or_none(it, "reverts"),
    )
    sealed = Sealed(header, _digest(it), _count(it, "entries"), _count(it, "total"))
    _nothing_else(it)
    return sealed


def digest_of(it: Members) -> tuple[int, str]:
    """Return number and digest of a line of `transactions.jsonl`, whatever else it tells.

    Raises:
        Wrong: they break their rules.
    """
    return _number(it, "number"), _digest(it)


def said_of(it: Members, tenant_id: str) -> Row:
    """Return a row of `versions.jsonl` whose values may be withheld: those say null then.

    Raises:
        Wrong: a member breaks its rule.
    """
    if it.pop("commitments", None) is not None:
        it["secret"] = "0" * 2 * SECRET_BYTES
        content = it.get("content")
        if type(content) is dict and it.get("kind") != RowKind.END:
            content.setdefault("value", None)
    return row_of(it, tenant_id)


# -- what they are made of ------------------------------------------------------------------------


def _key(it: Members, tenant_id: str) -> Key:
    owner = _member(it, "owner")
    if owner != "":
        _clean("owner", owner)
    return Key(
        tenant_id,
        owner,
        _name(it, "subject"),
        _name(it, "attribute"),
        _text_or_empty(it, "slot"),
    )


def _row(it: Members, key: Key, tx_from: int, tx_to: int | None) -> Row:
    kind = _one_of(it, "kind", RowKind)
    content, over = None, None
    if kind is not RowKind.GAP:
        part = _part(it, "content")
        content = _content(part, has_value=kind is not RowKind.END)
        _nothing_else(part)
    if kind is RowKind.FACT and "over" in it:
        part = _part(it, "over")
        over = _content(part, has_value=False), _instant_or_none(part, "until")
        _nothing_else(part)
    return made_row(
        key,
        _instant(it, "valid_from"),
        kind,
        content,
        _instant_or_none(it, "until"),
        over,
        tx_from,
        tx_to,
        _secret(it),
    )


def _content(it: Members, *, has_value: bool) -> Content:
    confidence = _member(it, "confidence")
    if type(confidence) not in (int, float) or not 0 <= confidence <= 1:
        raise Wrong("confidence is not a number from 0 to 1")
    return made_content(
        _text(it, "memory_id"),
        _canonical("value", _member(it, "value")) if has_value else None,
        _name(it, "episode_id"),
        _name(it, "agent_id"),
        _span(it),
        float(confidence),
        _text_or_none(it, "supersedes"),
        _number(it, "schema_version"),
        _name(it, "retention_policy"),
        _one_of(it, "basis", Basis),
        _one_of(it, "precision", Precision),
        _text_or_none(it, "stated_as"),
    )


def _event(it: Members, conflict_id: str, key: Key) -> ConflictEvent:
    claim = None
    if "claim" in it:
        held = _part(it, "claim")
        row = _part(held, "row")
        claim = ClaimEntry(_text(held, "claim_id"), _row(row, key, _claimed_in(row), None))
        _nothing_else(row)
        _nothing_else(held)
    event = ConflictEvent(
        conflict_id,
        _one_of(it, "kind", EventKind),
        claim,
        _one_of_or_none(it, "resolution", Resolution),
        _text_or_none(it, "claim_id"),
        _text_or_empty(it, "actor"),
        _text_or_empty(it, "reason"),
        _number(it, "tx_from"),
        _secret(it),
    )
    _nothing_else(it)
    return event


def _claimed_in(row: Members) -> int:
    """Return what stands for the transaction of a row that was never inserted: 0."""
    tx_from = _count(row, "tx_from")
    if tx_from:
        raise Wrong("tx_from is not 0, though no transaction began a waiting claim")
    return tx_from


# -- members --------------------------------------------------------------------------------------


def _member(it: Members, name: str) -> Any:
    found = it.pop(name, _MISSING)
    if found is _MISSING:
        raise Wrong(f"{name} is missing")
    return found


def _nothing_else(it: Members) -> None:
    if it:
        raise Wrong(f"{next(iter(it))!r} does not belong there")


def _part(it: Members, name: str) -> Members:
    part = _member(it, name)
    if type(part) is not dict:
        raise Wrong(f"{name} is not an object")
    return part


def _text_or_empty(it: Members, name: str) -> str:
    text = _member(it, name)
    if type(text) is not str:
        raise Wrong(f"{name} is not a text")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Wrong(f"{name} has half of a surrogate pair") from error
    return text


def _text(it: Members, name: str) -> str:
    text = _text_or_empty(it, name)
    if not text:
        raise Wrong(f"{name} is empty")
    return text


def _text_or_none(it: Members, name: str) -> str | None:
    return _text_or_empty(it, name) if name in it else None


def _name(it: Members, name: str) -> str:
    return _clean(name, _member(it, name))


def _clean(name: str, text: object) -> str:
    if type(text) is not str:
        raise Wrong(f"{name} is not a text")
    problem = _problem_of(text)
    if problem:
        raise Wrong(f"{name} is not usable: {problem}")
    return text


@lru_cache(maxsize=1 << 14)
def _problem_of(text: str) -> str:
    try:
        return "" if clean_name(text) == text else "a name is in Unicode NFC and trimmed"
    except ValueError as error:
        return str(error)


def _instant(it: Members, name: str) -> int:
    at: int = _member(it, name)
    if type(at) is not int or not EARLIEST <= at <= LATEST:
        raise Wrong(f"{name} is not an instant in microseconds within the years 1 to 9999")
    return at


def _instant_or_none(it: Members, name: str) -> int | None:
    return _instant(it, name) if name in it else None


def _number(it: Members, name: str) -> int:
    number = _count(it, name)
    if not number:
        raise Wrong(f"{name} is 0")
    return number


def _number_or_none(it: Members, name: str) -> int | None:
    return _number(it, name) if name in it else None


def _count(it: Members, name: str) -> int:
    count: int = _member(it, name)
    if type(count) is not int or not 0 <= count <= LARGEST_NUMBER:
        raise Wrong(f"{name} is not a number from 0 up")
    return count


def _span(it: Members) -> tuple[int, int] | None:
    if "span" not in it:
        return None
    span = it.pop("span")
    if type(span) is list and len(span) == 2:
        start, end = span
        if type(start) is int and type(end) is int and 0 <= start < end <= LARGEST_NUMBER:
            return start, end
    raise Wrong("span is not a pair of characters, the first before the second")


def _secret(it: Members) -> bytes:
    letters = _member(it, "secret")
    if type(letters) is not str or len(letters) != 2 * SECRET_BYTES or not _HEX.issuperset(letters):
        raise Wrong(f"secret is not {SECRET_BYTES} bytes in hex")
    return bytes.fromhex(letters)


def _digest(it: Members) -> str:
    letters = _member(it, "digest")
    if type(letters) is not str or len(letters) != DIGEST_LETTERS or not _HEX.issuperset(letters):
        raise Wrong("digest is not a SHA-256 in hex")
    return letters


def _one_of(it: Members, name: str, kinds: Callable[[str], E]) -> E:
    word = _member(it, name)
    try:
        if type(word) is str:
            return kinds(word)
    except ValueError:
        pass
    raise Wrong(f"{name} is none of the words that it may be")


def _one_of_or_none(it: Members, name: str, kinds: Callable[[str], E]) -> E | None:
    return _one_of(it, name, kinds) if name in it else None


def _canonical(name: str, value: object) -> str:
    """Return the canonical text that a value had.

    An instant is an integer of any length. Within a value one beyond 2**53 was written as a float
    (`store.canonical.parse`), and is one again.
    """
    try:
        if type(value) is str:
            return canonical(value)
        if is_too_deep(value):
            raise Wrong(f"{name} cannot be kept: {TOO_DEEP}")
        return canonical(_with_floats(value))
    except (Invalid, OverflowError, RecursionError) as error:
        raise Wrong(f"{name} is not JSON that can be kept exactly") from error


def _with_floats(value: Any) -> Any:
    if type(value) is int:
        return value if -LARGEST_INTEGER <= value <= LARGEST_INTEGER else float(value)
    if type(value) is list:
        return [_with_floats(item) for item in value]
    if type(value) is dict:
        return {name: _with_floats(item) for name, item in value.items()}
    return value
