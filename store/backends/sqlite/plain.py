"""The plain write, which is what agents make at every turn.

It is of a fact with an open end, on a key without stated ends or conflicts, at an instant at which
no row of the key ever began. It comes to what `acts.change` composes, row for row and digest for
digest; a test holds it to that. Where anything is out of the ordinary it says so before anything is
written or drawn from the source of ids, and the acts decide.
"""

from __future__ import annotations

from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Any, Final

from store.backends.sqlite import codec
from store.backends.sqlite.made import instant, made
from store.backends.sqlite.unit import (
    INSERT_KEY,
    INSERT_MILESTONE,
    INSERT_PLAIN_TX,
    INSERT_TX,
    insert,
    is_milestone,
)
from store.canonical import canonical
from store.entry import SECRET_BYTES
from store.ids import new_id
from store.model import Interval, Outcome, Plan, Receipt, WriteKind
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from store.backends.sqlite.library import Connection
    from store.backends.sqlite.names import Names
    from store.contract import Scope
    from store.ids import Entropy
    from store.model import MemoryDelta
    from store.write import Change

_LOOK: Final = """
SELECT x.number, x.recorded_at, x.digest, x.total, e.episode_no, e.length,
  a.memory_type, a.schema_version, a.retention_policy, k.key_id,
  EXISTS (SELECT 1 FROM conflict c WHERE c.key_id = k.key_id)
    OR EXISTS (SELECT 1 FROM fact f INDEXED BY fact_bounded
               WHERE f.key_id = k.key_id AND f.tx_to IS NULL AND f.until IS NOT NULL AND f.kind < 2)
    OR EXISTS (SELECT 1 FROM fact f WHERE f.key_id = k.key_id AND f.valid_from = ?6)
FROM tx x
CROSS JOIN episode e ON e.tenant_no = ?1 AND e.episode_id = ?5
CROSS JOIN attribute a ON a.tenant_no = ?1 AND a.name = ?3 AND a.tx_to IS NULL
  AND a.cardinality = 'single'
LEFT JOIN key k ON k.tenant_no = ?1 AND k.subject = ?2 AND k.attribute = ?3 AND k.owner = ?4
  AND k.slot = ''
WHERE x.tenant_no = ?1 ORDER BY x.number DESC LIMIT 1"""
"""What must be known of a tenant, an episode, an attribute and a key; nothing if one is missing."""
_BEFORE: Final = """
SELECT f.valid_from, f.kind, f.memory_id, f.value FROM fact f NOT INDEXED
WHERE f.key_id = ? AND f.valid_from < ? AND f.tx_to IS NULL ORDER BY f.valid_from DESC LIMIT 1"""
_AFTER: Final = """
SELECT f.valid_from FROM fact f NOT INDEXED
WHERE f.key_id = ? AND f.valid_from > ? AND f.tx_to IS NULL ORDER BY f.valid_from LIMIT 1"""
_INTERVAL: Final = set(Interval.model_fields)
_PLAN: Final = set(Plan.model_fields)
_RECEIPT: Final = set(Receipt.model_fields)
_CHANGE: Final = codec.WRITE_NO[WriteKind.CHANGE]


def plain_change(
    connection: Connection,
    scope: Scope,
    write: Change,
    names: Names,
    *,
    tool: str,
    entropy: Entropy,
    time_after: Callable[[int | None], int],
) -> Receipt | None:
    """Write a fact, all but the commit, in the transaction that is open; None if it is not plain.

    Args:
        connection: the writer.
        scope: who writes.
        write: the change.
        names: what is known of the store.
        tool: name of the program.
        entropy: source of ids and secrets.
        time_after: gives a transaction time later than the tenant's last.

    Raises:
        Invalid: the value is not JSON that can be kept exactly, or the time out of range.
    """
    delta = write.delta
    tenant_no = names.tenant_no(connection, scope.tenant_id)
    actor_no = names.number(connection, scope.agent_id)
    tool_no = names.number(connection, tool)
    if tenant_no is None or actor_no is None or tool_no is None or not _is_plain(delta, scope):
        return None
    valid_from = to_micros(delta.valid_from)
    place = (tenant_no, delta.subject, delta.attribute, delta.owner)
    found = connection.execute(_LOOK, (*place, delta.source_episode_id, valid_from)).fetchone()
    if found is None:
        return None
    last, recorded_at, digest, total, episode_no, length, *attribute, key_id, is_intricate = found
    memory_type, schema_version, retention_policy = attribute
    if is_intricate or delta.memory_type not in (None, memory_type):
        return None
    span = delta.span
    if span is not None and span.end > length:
        return None
    value = canonical(delta.value)
    before, ends = None, None
    if key_id is not None:
        before = connection.execute(_BEFORE, (key_id, valid_from)).fetchone()
        if before is not None and before[1] == 0 and before[3] == value:
            return None
        after = connection.execute(_AFTER, (key_id, valid_from)).fetchone()
        ends = None if after is None else after[0]
    number = last + 1
    now = time_after(recorded_at)
    memory_id = new_id(now, entropy)
    row_secret, header_secret = entropy(SECRET_BYTES), entropy(SECRET_BYTES)
    displaced = before[2] if before is not None and before[1] == 0 else None
    supersedes = None if displaced is None else codec.unpack_id(displaced)
    row_digest = fact_digest(
        delta,
        key_committed(delta.owner, delta.subject, delta.attribute, ""),
        quoted(scope.agent_id),
        (schema_version, retention_policy),
        (value, valid_from, None, number, memory_id, supersedes, row_secret),
    )
    header = (
        f"tx1\x1f{digest.hex()}\x1f{number}\x1f{now}\x1fchange\x1f{tool}\x1f\x1f"
        f"{_commitment(header_secret, 'header', canonical([scope.agent_id, write.reason]))}"
        f"\x1f+{row_digest}"
    )
    sealed = bytearray(sha256(header.encode()).digest())
    values: tuple[Any, ...] = (
        tenant_no,
        number,
        now,
        _CHANGE,
        actor_no,
        tool_no,
        1,
        total + 1,
        sealed,
        bytearray(header_secret),
    )
    if write.reason is None:
        connection.execute(INSERT_PLAIN_TX, values)
    else:
        connection.execute(INSERT_TX, (*values, write.reason, None))
    if key_id is None:
        key_id = int(connection.execute(INSERT_KEY, (*place, "", number)).lastrowid)
    row = (
        key_id,
        valid_from,
        number,
        0,
        tenant_no,
        None,
        codec.pack_id(memory_id),
        value,
        episode_no,
        actor_no,
        bytearray(row_secret),
        None if displaced is None else codec.pack_id(supersedes or ""),
        delta.confidence,
        schema_version,
        codec.BASIS_NO[delta.valid_from_basis],
        codec.PRECISION_NO[delta.precision],
        *((None, None) if span is None else (span.start, span.end)),
        codec.extra_of(delta.stated_as, retention_policy),
        None,
    )
    connection.execute(*insert("fact", codec.FACT, row))
    if is_milestone(key_id, number):
        connection.execute(INSERT_MILESTONE, (key_id, number))
    return _receipt(delta, memory_id, number, supersedes, before, valid_from, ends)


def _is_plain(delta: MemoryDelta, scope: Scope) -> bool:
    """Say whether what the delta itself says is plain, and the scope may write it."""
    return (
        delta.until is None and delta.tenant_id == scope.tenant_id and scope.may_write(delta.owner)
    )


def key_committed(owner: str, subject: str, attribute: str, slot: str) -> bytes:
    """Return what the commitment of a key covers, after the secret."""
    said = f"[{quoted(owner)},{quoted(subject)},{quoted(attribute)},{quoted(slot)}]"
    return f"key\x1f{said}".encode()


Claimed = tuple[str, int, int | None, int, str, str | None, bytes]
"""Canonical value, `valid_from`, `until`, transaction, `memory_id`, the displaced one, secret."""


def fact_digest(
    delta: MemoryDelta, key: bytes, agent: str, policy: tuple[int, str], claimed: Claimed
) -> str:
    """Return the digest of the row of a fact, as `entry.row_digest` does, in one go.

    Args:
        delta: what is written.
        key: as `key_committed` gives it.
        agent: who writes, as canonical JSON.
        policy: the schema version and the retention policy of the attribute.
        claimed: what else the row says.
    """
    value, valid_from, until, number, memory_id, supersedes, secret = claimed
    said = delta.__dict__
    stated, span = said["stated_as"], said["span"]
    words = f"value\x1f[{agent},{'null' if stated is None else quoted(stated)},{value}]"
    text = (
        f"row1\x1ffact\x1f{valid_from}\x1f{'' if until is None else until}\x1f{number}\x1f"
        f"{sha256(secret + key).hexdigest()}\x1f{memory_id}\x1f{said['source_episode_id']}\x1f"
        f"{'' if span is None else (span.start, span.end)}\x1f{said['confidence']}\x1f"
        f"{supersedes or ''}\x1f{policy[0]}\x1f{policy[1]}\x1f{said['valid_from_basis']}\x1f"
        f"{said['precision']}\x1f{sha256(secret + words.encode()).hexdigest()}\x1f"
    )
    return sha256(text.encode()).hexdigest()


def _commitment(secret: bytes, tag: str, said: str) -> str:
    return sha256(secret + f"{tag}\x1f{said}".encode()).hexdigest()


def _receipt(
    delta: MemoryDelta,
    memory_id: str,
    number: int,
    supersedes: str | None,
    before: tuple[Any, ...] | None,
    valid_from: int,
    ends: int | None,
) -> Receipt:
    """Return what the write did: the stretch before is cut, and the fact's own opens."""
    until = None if ends is None else instant(ends)
    begins = instant(valid_from)
    closed: tuple[Interval, ...] = ()
    opened: tuple[Interval, ...] = (_interval(delta, memory_id, delta.value, begins, until),)
    if before is not None and supersedes is not None:
        value = codec.value_of(before[3])
        since = instant(before[0])
        closed = (_interval(delta, supersedes, value, since, until),)
        opened = (_interval(delta, supersedes, value, since, begins), *opened)
    plan = {
        "outcome": Outcome.APPLIED,
        "reason": "The fact is written.",
        "memory_id": memory_id,
        "standing": supersedes,
        "closed": closed,
        "opened": opened,
        "before": (),
        "after": (),
        "version": 0,
    }
    receipt = {
        "outcome": Outcome.APPLIED,
        "plan": made(Plan, plan, _PLAN),
        "memory_id": memory_id,
        "conflict_id": None,
        "episode_id": None,
        "transaction": number,
    }
    return made(Receipt, receipt, _RECEIPT)


def _interval(
    delta: MemoryDelta, memory_id: str, value: Any, begins: datetime, ends: datetime | None
) -> Interval:
    values = {
        "memory_id": memory_id,
        "subject": delta.subject,
        "attribute": delta.attribute,
        "owner": delta.owner,
        "slot": "",
        "value": value,
        "valid_from": begins,
        "valid_to": ends,
    }
    return made(Interval, values, _INTERVAL)
