"""The plain write, which is what agents make at every turn.

It is of a fact with an open end, on a key without stated ends or conflicts, at an instant at which
no row of the key ever began. It comes to what `acts.change` composes, row for row and digest for
digest; a test holds it to that. Where anything is out of the ordinary it says so before anything is
written or drawn from the source of ids, and the acts decide.
"""

from __future__ import annotations

from datetime import UTC
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Any, Final

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
from store.errors import Invalid
from store.ids import SYSTEM_ENTROPY
from store.model import KEEP, Interval, Outcome, Plan, Receipt, WriteKind
from store.temporal import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from store.backends.sqlite.library import Cursor
    from store.backends.sqlite.names import Names
    from store.contract import Scope
    from store.ids import Entropy
    from store.model import MemoryDelta
    from store.write import Change

_LOOK: Final = """
SELECT x.number + 1, x.recorded_at, x.total + 1, x.digest,
  e.episode_no, a.schema_version, a.retention_policy, k.key_id,
  f.tx_to IS NOT NULL OR f.valid_from IS ?6
    OR EXISTS (SELECT 1 FROM conflict c WHERE c.key_id = k.key_id)
    OR EXISTS (SELECT 1 FROM fact b INDEXED BY fact_bounded WHERE b.key_id = k.key_id
               AND b.tx_to IS NULL AND b.until IS NOT NULL AND b.kind < 2),
  f.valid_from, CASE f.kind WHEN 0 THEN f.memory_id END, f.value,
  (SELECT n.valid_from FROM fact n NOT INDEXED
   WHERE n.key_id = k.key_id AND n.valid_from > ?6 AND n.tx_to IS NULL
   ORDER BY n.valid_from LIMIT 1)
FROM tx x
CROSS JOIN episode e ON e.tenant_no = ?1 AND e.episode_id = ?5 AND e.length >= ?7
CROSS JOIN attribute a ON a.tenant_no = ?1 AND a.name = ?3 AND a.tx_to IS NULL
  AND a.cardinality = 'single' AND ?8 IN ('', a.memory_type)
LEFT JOIN key k ON k.tenant_no = ?1 AND k.subject = ?2 AND k.attribute = ?3 AND k.owner = ?4
  AND k.slot = ''
LEFT JOIN fact f NOT INDEXED ON f.key_id = k.key_id AND f.valid_from <= ?6
WHERE x.tenant_no = ?1
ORDER BY x.number DESC, f.valid_from DESC, f.tx_from DESC LIMIT 1"""
"""All that a plain write must know, at once: ?1 tenant, ?2 subject, ?3 attribute, ?4 owner,
?5 episode, ?6 instant, ?7 end of the span, ?8 memory type if one is named.

Of the tenant the number, time and count to come after, and the digest of its newest transaction; of
the key whether the acts must decide, the last row up to the instant (`f`), believed or not, and
where the next live one begins (`n`). Nothing if the tenant, the episode or the attribute is not
there, or not as the write says.
"""
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
    cursor: Cursor,
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
        cursor: of the writer; one for all, for making one costs as much as a small statement.
        scope: who writes.
        write: the change.
        names: what is known of the store.
        tool: name of the program.
        entropy: source of ids and secrets.
        time_after: gives a transaction time later than the tenant's last.
    """
    delta = write.delta
    who = names.writer(cursor, scope.tenant_id, scope.agent_id, tool)
    if who is None or not _is_plain(delta, scope):
        return None
    try:
        value, valid_from = canonical(delta.value), to_micros(delta.valid_from)
    except Invalid:
        return None  # the acts say it, or something that comes before it
    found = _look(cursor, who[0], delta, valid_from)
    if found is None or found[8] or found[11] == value:
        return None
    number, recorded_at, total, previous, episode_no, version, policy, key_id = found[:8]
    begins, displaced, before, ends = found[9:]
    now = time_after(recorded_at)
    noise, secret, sealing = _draws(entropy)
    memory_id, memory = id_of(now, noise)
    supersedes = None if displaced is None else codec.unpack_id(displaced)
    agent = quoted(scope.agent_id)
    digest = fact_digest(
        delta,
        key_committed(delta.owner, delta.subject, delta.attribute, ""),
        agent,
        (version, policy),
        (value, valid_from, None, number, memory_id, supersedes, secret),
    )
    header = (*who, number, now, total)
    _insert_header(cursor, header, (agent, tool, write.reason), previous, digest, sealing)
    if key_id is None:
        place = (who[0], delta.subject, delta.attribute, delta.owner, "", number)
        key_id = int(cursor.execute(INSERT_KEY, place).lastrowid)
    claimed = (key_id, valid_from, number, who[0], memory, value, episode_no, who[1])
    _insert_row(cursor, claimed, delta, (version, policy), displaced, secret)
    if is_milestone(key_id, number):
        cursor.execute(INSERT_MILESTONE, (key_id, number))
    return _receipt(delta, number, (memory_id, ends), (supersedes, before, begins))


def _is_plain(delta: MemoryDelta, scope: Scope) -> bool:
    """Say whether what the delta itself says is plain, and the scope may write it."""
    return (
        delta.until is None and delta.tenant_id == scope.tenant_id and scope.may_write(delta.owner)
    )


def _look(
    cursor: Cursor, tenant_no: int, delta: MemoryDelta, valid_from: int
) -> tuple[Any, ...] | None:
    """Look at everything at once; see `_LOOK`."""
    said = delta.__dict__  # the fields of a model, without asking it for each
    span = said["span"]
    place = (
        tenant_no,
        said["subject"],
        said["attribute"],
        said["owner"],
        said["source_episode_id"],
        valid_from,
        0 if span is None else span.end,
        said["memory_type"] or "",
    )
    found: tuple[Any, ...] | None = cursor.execute(_LOOK, place).fetchone()
    return found


def _draws(entropy: Entropy) -> tuple[bytes | bytearray, bytearray, bytearray]:
    """Draw the noise of an id and the secrets of a row and a header; of the system's at once."""
    if entropy is not SYSTEM_ENTROPY:
        return entropy(10), bytearray(entropy(SECRET_BYTES)), bytearray(entropy(SECRET_BYTES))
    drawn = bytearray(entropy(10 + 2 * SECRET_BYTES))
    return drawn[:10], drawn[10:-SECRET_BYTES], drawn[-SECRET_BYTES:]


def _insert_header(
    cursor: Cursor,
    header: tuple[int, int, int, int, int, int],
    said: tuple[str, str, str | None],
    previous: bytes,
    row_digest: str,
    secret: bytearray,
) -> None:
    """Insert the transaction, with its digest over the one row.

    Args:
        cursor: of the writer.
        header: tenant, agent, program, number, time, and the count of entries with it.
        said: the agent as JSON, the program, the reason.
        previous: digest of the transaction before.
        row_digest: of the row.
        secret: of the header.
    """
    tenant_no, agent_no, tool_no, number, now, total = header
    agent, tool, reason = said
    words = f"header\x1f[{agent},{'null' if reason is None else canonical(reason)}]"
    text = (
        f"tx1\x1f{previous.hex()}\x1f{number}\x1f{now}\x1fchange\x1f{tool}\x1f\x1f"
        f"{sha256(secret + words.encode()).hexdigest()}\x1f+{row_digest}"
    )
    digest = bytearray(sha256(text.encode()).digest())
    values = (tenant_no, number, now, _CHANGE, agent_no, tool_no, 1, total, digest)
    if reason is None:
        cursor.execute(INSERT_PLAIN_TX, (*values, secret))
    else:
        cursor.execute(INSERT_TX, (*values, secret, reason, None))


def _insert_row(
    cursor: Cursor,
    claimed: tuple[int, int, int, int, bytearray, str, int, int],
    delta: MemoryDelta,
    policy: tuple[int, str],
    displaced: bytes | str | None,
    secret: bytearray,
) -> None:
    """Insert the row.

    Args:
        cursor: of the writer.
        claimed: key, beginning, transaction, tenant, id, value, episode, agent, as stored.
        delta: what else it says.
        policy: the schema version and the retention policy of the attribute.
        displaced: the fact before it, as its id is stored.
        secret: of the row.
    """
    said = delta.__dict__
    span, stated = said["span"], said["stated_as"]
    before = bytearray(displaced) if isinstance(displaced, bytes) else displaced
    how = (
        secret,
        said["confidence"],
        policy[0],
        codec.BASIS_NO[said["valid_from_basis"]],
        codec.PRECISION_NO[said["precision"]],
    )
    if span is None and stated is None and policy[1] == KEEP:
        if before is None:
            cursor.execute(_FIRST_FACT, (*claimed, *how))
        else:
            cursor.execute(_NEXT_FACT, (*claimed, *how, before))
        return
    bounds = (None, None) if span is None else (span.start, span.end)
    row = (*claimed[:3], 0, claimed[3], None, *claimed[4:], how[0], before, *how[1:], *bounds)
    more = (codec.extra_of(stated, policy[1]), None)
    cursor.execute(*insert("fact", codec.FACT, (*row, *more)))


def key_committed(owner: str, subject: str, attribute: str, slot: str) -> bytes:
    """Return what the commitment of a key covers, after the secret."""
    said = f"[{quoted(owner)},{quoted(subject)},{quoted(attribute)},{quoted(slot)}]"
    return f"key\x1f{said}".encode()


Claimed = tuple[str, int, int | None, int, str, str | None, bytes | bytearray]
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
    stated, span, confidence = said["stated_as"], said["span"], said["confidence"]
    words = f"value\x1f[{agent},{'null' if stated is None else quoted(stated)},{value}]"
    text = (
        f"row1\x1ffact\x1f{valid_from}\x1f{'' if until is None else until}\x1f{number}\x1f"
        f"{sha256(secret + key).hexdigest()}\x1f{memory_id}\x1f{said['source_episode_id']}\x1f"
        f"{'' if span is None else (span.start, span.end)}\x1f"
        f"{'1.0' if confidence == 1.0 else confidence}\x1f"
        f"{supersedes or ''}\x1f{policy[0]}\x1f{policy[1]}\x1f{said['valid_from_basis']}\x1f"
        f"{said['precision']}\x1f{sha256(secret + words.encode()).hexdigest()}\x1f"
    )
    return sha256(text.encode()).hexdigest()


def _receipt(
    delta: MemoryDelta,
    number: int,
    fact: tuple[str, int | None],
    before: tuple[str | None, str | None, int],
) -> Receipt:
    """Return what the write did: the stretch before is cut, and the fact's own opens.

    Args:
        delta: what was written.
        number: of the transaction.
        fact: its id, and where it ends.
        before: the fact before, its value, and where its stretch begins.
    """
    said = delta.__dict__
    memory_id, ends = fact
    supersedes, text, since = before
    place = (said["subject"], said["attribute"], said["owner"])
    begins = said["valid_from"].astimezone(UTC)
    until = None if ends is None else instant(ends)
    opened = _interval(place, memory_id, said["value"], begins, until)
    closed: tuple[Interval, ...] = ()
    stretches: tuple[Interval, ...] = (opened,)
    if supersedes is not None:
        value, since_when = codec.value_of(text or ""), instant(since)
        closed = (_interval(place, supersedes, value, since_when, until),)
        stretches = (_interval(place, supersedes, value, since_when, begins), opened)
    plan = {
        "outcome": Outcome.APPLIED,
        "reason": "The fact is written.",
        "memory_id": memory_id,
        "standing": supersedes,
        "closed": closed,
        "opened": stretches,
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
    place: tuple[str, str, str],
    memory_id: str,
    value: Any,
    begins: datetime,
    ends: datetime | None,
) -> Interval:
    subject, attribute, owner = place
    values = {
        "memory_id": memory_id,
        "subject": subject,
        "attribute": attribute,
        "owner": owner,
        "slot": "",
        "value": value,
        "valid_from": begins,
        "valid_to": ends,
    }
    return made(Interval, values, _INTERVAL)
