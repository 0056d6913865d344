"""The plain write, which is what agents make at every turn.

It is of a fact with an open end, on a key without stated ends or conflicts, at an instant at which
no row of the key ever began. It comes to what `acts.change` composes, row for row and digest for
digest; a test holds it to that. Where anything is out of the ordinary it says so before anything is
written or drawn from the source of ids, and the acts decide.
"""

from __future__ import annotations

from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from store.backends.sqlite import codec
from store.backends.sqlite.made import id_of, instant, made
from store.backends.sqlite.writer import (
    INSERT_KEY,
    INSERT_MILESTONE,
    INSERT_PLAIN_TX,
    INSERT_TX,
    insert,
    is_milestone,
)
from store.canonical import canonical
from store.entry import SECRET_BYTES
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
FROM tx x
CROSS JOIN episode e ON e.tenant_no = ?1 AND e.episode_id = ?5
CROSS JOIN attribute a ON a.tenant_no = ?1 AND a.name = ?3 AND a.tx_to IS NULL
  AND a.cardinality = 'single'
LEFT JOIN key k ON k.tenant_no = ?1 AND k.subject = ?2 AND k.attribute = ?3 AND k.owner = ?4
  AND k.slot = ''
WHERE x.tenant_no = ?1 ORDER BY x.number DESC LIMIT 1"""
"""What must be known of a tenant, an episode, an attribute and a key; nothing if one is missing."""
_NEXT: Final = """(SELECT n.valid_from FROM fact n NOT INDEXED
  WHERE n.key_id = ?1 AND n.valid_from > ?2 AND n.tx_to IS NULL ORDER BY n.valid_from LIMIT 1)"""
_AROUND: Final = f"""
SELECT f.valid_from, f.kind, f.memory_id, f.value, f.tx_to, {_NEXT} FROM fact f NOT INDEXED
WHERE f.key_id = ?1 AND f.valid_from <= ?2 ORDER BY f.valid_from DESC, f.tx_from DESC LIMIT 1"""
"""The last row up to an instant, believed or not, and where the next live one begins."""
_AFTER: Final = f"SELECT {_NEXT}"
_FACT: Final = """
INSERT INTO fact (key_id, valid_from, tx_from, kind, tenant_no, memory_id, value, episode_no,
  agent_no, secret, confidence, schema_version, basis, precision{more})
VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?{mark})"""
_FIRST_FACT: Final = _FACT.format(more="", mark="")
_NEXT_FACT: Final = _FACT.format(more=", supersedes", mark=", ?")
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
    ground = _ground(connection, scope, delta, names, tool)
    if ground is None:
        return None
    value = canonical(delta.value)
    valid_from = to_micros(delta.valid_from)
    around = _around(connection, ground.key_id, valid_from)
    if around is None or around.value == value:
        return None
    now = time_after(ground.recorded_at)
    memory_id, memory = id_of(now, entropy(10))
    secret = entropy(SECRET_BYTES)
    supersedes = None if around.memory is None else codec.unpack_id(around.memory)
    digest = fact_digest(
        delta,
        key_committed(delta.owner, delta.subject, delta.attribute, ""),
        quoted(scope.agent_id),
        ground.policy,
        (value, valid_from, None, ground.number, memory_id, supersedes, secret),
    )
    _insert_header(connection, ground, write, (scope.agent_id, tool), now, digest, entropy)
    _insert_row(connection, ground, delta, value, valid_from, (memory, around.memory), secret)
    return _receipt(delta, (memory_id, supersedes), ground.number, around, valid_from)


class Ground(NamedTuple):
    """What a plain write stands on; numbers as the tables have them."""

    tenant_no: int
    actor_no: int
    tool_no: int
    number: int
    recorded_at: int
    previous: bytes
    total: int
    episode_no: int
    policy: tuple[int, str]
    key_id: int | None


class Around(NamedTuple):
    """What stands around a plain write: the fact before it, if one holds there, and what follows.

    Attributes:
        memory: the fact before, as its id is stored.
        value: canonical; None if no fact holds.
        begins: where the fact before begins.
        ends: where the next live row begins.
    """

    memory: bytes | str | None = None
    value: str | None = None
    begins: int = 0
    ends: int | None = None


def _ground(
    connection: Connection, scope: Scope, delta: MemoryDelta, names: Names, tool: str
) -> Ground | None:
    """Look at everything but the rows of the key; None if anything is out of the ordinary."""
    tenant_no = names.tenant_no(connection, scope.tenant_id)
    actor_no = names.number(connection, scope.agent_id)
    tool_no = names.number(connection, tool)
    if tenant_no is None or actor_no is None or tool_no is None or not _is_plain(delta, scope):
        return None
    place = (tenant_no, delta.subject, delta.attribute, delta.owner, delta.source_episode_id)
    found = connection.execute(_LOOK, place).fetchone()
    if found is None or found[10]:
        return None
    number, recorded_at, previous, total, episode_no, length, kind, version, policy, key_id, _ = (
        found
    )
    if delta.memory_type is not None and delta.memory_type != kind:
        return None
    if delta.span is not None and delta.span.end > length:
        return None
    return Ground(
        tenant_no,
        actor_no,
        tool_no,
        number + 1,
        recorded_at,
        previous,
        total,
        episode_no,
        (version, policy),
        key_id,
    )


def _around(connection: Connection, key_id: int | None, valid_from: int) -> Around | None:
    """Look at the rows around an instant; None if one begins there, or the last is not believed."""
    if key_id is None:
        return Around()
    found = connection.execute(_AROUND, (key_id, valid_from)).fetchone()
    if found is None:
        return Around(ends=connection.execute(_AFTER, (key_id, valid_from)).fetchone()[0])
    begins, kind, memory, value, tx_to, ends = found
    if begins == valid_from or tx_to is not None:
        return None
    return Around(memory, value, begins, ends) if kind == 0 else Around(ends=ends)


def _insert_header(
    connection: Connection,
    ground: Ground,
    write: Change,
    by: tuple[str, str],
    now: int,
    row_digest: str,
    entropy: Entropy,
) -> None:
    """Insert the transaction, by an agent with a tool, with its digest over the one row."""
    secret = entropy(SECRET_BYTES)
    reason = "null" if write.reason is None else canonical(write.reason)
    said = f"header\x1f[{quoted(by[0])},{reason}]"
    header = (
        f"tx1\x1f{ground.previous.hex()}\x1f{ground.number}\x1f{now}\x1fchange\x1f{by[1]}\x1f\x1f"
        f"{sha256(secret + said.encode()).hexdigest()}\x1f+{row_digest}"
    )
    values = (
        ground.tenant_no,
        ground.number,
        now,
        _CHANGE,
        ground.actor_no,
        ground.tool_no,
        1,
        ground.total + 1,
        bytearray(sha256(header.encode()).digest()),
        bytearray(secret),
    )
    if write.reason is None:
        connection.execute(INSERT_PLAIN_TX, values)
    else:
        connection.execute(INSERT_TX, (*values, write.reason, None))


def _insert_row(
    connection: Connection,
    ground: Ground,
    delta: MemoryDelta,
    value: str,
    valid_from: int,
    facts: tuple[bytearray, bytes | str | None],
    secret: bytes,
) -> None:
    """Insert the row, and its key if it is new; `facts` are the fact and the one it displaces."""
    key_id = ground.key_id
    if key_id is None:
        place = (ground.tenant_no, delta.subject, delta.attribute, delta.owner, "", ground.number)
        key_id = int(connection.execute(INSERT_KEY, place).lastrowid)
    version, policy = ground.policy
    displaced = bytearray(facts[1]) if isinstance(facts[1], bytes) else facts[1]
    who = (ground.episode_no, ground.actor_no, bytearray(secret))
    how = (
        delta.confidence,
        version,
        codec.BASIS_NO[delta.valid_from_basis],
        codec.PRECISION_NO[delta.precision],
    )
    span, extra = delta.span, codec.extra_of(delta.stated_as, policy)
    if span is None and extra is None:
        bound = (key_id, valid_from, ground.number, ground.tenant_no, facts[0], value, *who, *how)
        if displaced is None:
            connection.execute(_FIRST_FACT, bound)
        else:
            connection.execute(_NEXT_FACT, (*bound, displaced))
    else:
        start = (key_id, valid_from, ground.number, 0, ground.tenant_no, None, facts[0], value)
        bounds = (None, None) if span is None else (span.start, span.end)
        row = (*start, *who, displaced, *how, *bounds, extra, None)
        connection.execute(*insert("fact", codec.FACT, row))
    if is_milestone(key_id, ground.number):
        connection.execute(INSERT_MILESTONE, (key_id, ground.number))


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


def _receipt(
    delta: MemoryDelta,
    facts: tuple[str, str | None],
    number: int,
    around: Around,
    valid_from: int,
) -> Receipt:
    """Return what the write did: the stretch before is cut, and the fact's own opens."""
    memory_id, supersedes = facts
    until = None if around.ends is None else instant(around.ends)
    begins = instant(valid_from)
    closed: tuple[Interval, ...] = ()
    opened: tuple[Interval, ...] = (_interval(delta, memory_id, delta.value, begins, until),)
    if supersedes is not None:
        value = codec.value_of(around.value or "")
        since = instant(around.begins)
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
