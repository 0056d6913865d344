"""Entries of the record as lines of a snapshot's files: canonical JSON, written by hand for speed.

`store.audit.format` says what each line holds. The texts are those of `store.canonical`, which a
test holds them equal to; members are written in their sorted order.
"""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING, Final, NamedTuple

from store.canonical import canonical
from store.entry import commitment
from store.model import RowKind
from store.temporal import iso, to_micros

if TYPE_CHECKING:
    from collections.abc import Iterable

    from store.entry import (
        AttributeEntry,
        ClaimEntry,
        ConflictCase,
        ConflictEvent,
        EpisodeEntry,
        EvidenceEntry,
        TransactionHeader,
    )
    from store.history import Sealed
    from store.ledger import Content, Key, Row
    from store.temporal import Basis, Precision

_DAY: Final = 86_400_000_000
_KINDS: Final = {kind: f'"kind":"{kind.value}",' for kind in RowKind}


class KeyTexts(NamedTuple):
    """The names of a key as JSON, written once for all its lines."""

    subject: str
    attribute: str
    owner: str
    slot: str


def texts_of(key: Key) -> KeyTexts:
    """Return the names of a key as JSON."""
    return KeyTexts(quoted(key.subject), quoted(key.attribute), quoted(key.owner), quoted(key.slot))


def version_line(row: Row, key: KeyTexts, *, withheld: bool = False) -> str:
    """Return a row as a line of `versions.jsonl`."""
    content = row.content
    said = f'"content":{_content(content, withheld)},' if content else ""
    over = "" if row.over is None else _over(*row.over, withheld)
    ended = "" if row.tx_to is None else f'"tx_to":{row.tx_to},'
    until = "" if row.until is None else f'"until":{row.until},'
    commitments = f'"commitments":{commitments_of(row)},' if withheld else ""
    secret = "" if withheld else f'"secret":"{row.secret.hex()}",'
    return (
        f'{{"attribute":{key.attribute},{commitments}{said}{_KINDS[row.kind]}{over}'
        f'"owner":{key.owner},{secret}"slot":{key.slot},"subject":{key.subject},'
        f'"tx_from":{row.tx_from},{ended}{until}"valid_from":{row.valid_from}}}\n'
    )


def _row(row: Row, withheld: bool) -> str:
    """Return a row within a conflict, whose key is its own."""
    said = "" if row.content is None else f'"content":{_content(row.content, withheld)},'
    over = "" if row.over is None else _over(*row.over, withheld)
    until = "" if row.until is None else f'"until":{row.until},'
    commitments = f'"commitments":{commitments_of(row)},' if withheld else ""
    secret = "" if withheld else f'"secret":"{row.secret.hex()}",'
    return (
        f"{{{commitments}{said}{_KINDS[row.kind]}{over}{secret}"
        f'"tx_from":{row.tx_from},{until}"valid_from":{row.valid_from}}}'
    )


def _over(content: Content, until: int | None, withheld: bool) -> str:
    ends = "" if until is None else f',"until":{until}'
    return f'"over":{_content(content, withheld, ends)},'


def _content(content: Content, withheld: bool, until: str = "") -> str:
    start = _said_by(content.agent_id, content.basis, content.confidence)
    more = _said_under(content.precision, content.retention_policy, content.schema_version)
    span, stated = content.span, ""
    place = "" if span is None else f',"span":[{span[0]},{span[1]}]'
    if content.stated_as is not None and not withheld:
        stated = f',"stated_as":{quoted(content.stated_as)}'
    earlier = content.supersedes
    supersedes = "" if earlier is None else f',"supersedes":{quoted(earlier)}'
    value = "" if withheld or content.value is None else f',"value":{content.value}'
    return (
        f"{start}{quoted(content.episode_id)},"
        f'"memory_id":{quoted(content.memory_id)},{more}{place}{stated}{supersedes}{until}{value}}}'
    )


@lru_cache(maxsize=4096)
def _said_by(agent_id: str, basis: Basis, confidence: float) -> str:
    return (
        f'{{"agent_id":{quoted(agent_id)},"basis":"{basis.value}",'
        f'"confidence":{number_text(confidence)},"episode_id":'
    )


@lru_cache(maxsize=4096)
def _said_under(precision: Precision, retention_policy: str, schema_version: int) -> str:
    return (
        f'"precision":"{precision.value}","retention_policy":{quoted(retention_policy)},'
        f'"schema_version":{schema_version}'
    )


@lru_cache(maxsize=4096)
def number_text(number: float) -> str:
    """Return a number as canonical JSON writes it."""
    return canonical(number)


def commitments_of(row: Row) -> str:
    """Return what stands for a row's withheld secret: its commitments, as a JSON object."""
    key, secret = row.key, row.secret
    named = canonical([key.owner, key.subject, key.attribute, key.slot])
    members = [f'"key":"{commitment(secret, "key", named)}"']
    if row.over is not None:
        members.append(f'"over":"{said_commitment(secret, "over", row.over[0])}"')
    if row.content is not None:
        members.append(f'"value":"{said_commitment(secret, "value", row.content)}"')
    return f"{{{','.join(members)}}}"


def said_commitment(secret: bytes, tag: str, content: Content) -> str:
    """Return the commitment of what a row says, in hex, as `store.entry.row_digest` has it."""
    said = f"[{canonical(content.agent_id)},{canonical(content.stated_as)},{content.value or ''}]"
    return commitment(secret, tag, said)


def evidence_line(entry: EvidenceEntry, key: KeyTexts) -> str:
    """Return a link as a line of `evidence.jsonl`."""
    span = "" if entry.span is None else f'"span":[{entry.span[0]},{entry.span[1]}],'
    ended = "" if entry.tx_to is None else f'"tx_to":{entry.tx_to},'
    return (
        f'{{"attribute":{key.attribute},"episode_id":{quoted(entry.episode_id)},'
        f'"memory_id":{quoted(entry.memory_id)},"owner":{key.owner},"row_tx":{entry.row_tx},'
        f'"slot":{key.slot},{span}"subject":{key.subject},"tx_from":{entry.tx_from},{ended}'
        f'"valid_from":{entry.valid_from}}}\n'
    )


def conflict_line(case: ConflictCase, key: KeyTexts, *, withheld: bool = False) -> str:
    """Return a conflict as a line of `conflicts.jsonl`."""
    entry, state = case.entry, case.state
    ends = "" if entry.contested_to is None else f'"contested_to":{entry.contested_to},'
    stands = "" if state is None else f'"state":"{state.value}",'
    events = ",".join([_event(event, withheld) for event in case.events])
    return (
        f'{{"attribute":{key.attribute},"conflict_id":{quoted(entry.conflict_id)},'
        f'"contested_from":{entry.contested_from},{ends}"events":[{events}],'
        f'"kind":"{entry.kind.value}","owner":{key.owner},"slot":{key.slot},'
        f'"standing":{_row(entry.standing, withheld)},{stands}"subject":{key.subject}}}\n'
    )


def _event(event: ConflictEvent, withheld: bool) -> str:
    claim = "" if event.claim is None else f'"claim":{_claim(event.claim, withheld)},'
    chosen = "" if event.claim_id is None else f'"claim_id":{quoted(event.claim_id)},'
    resolution = "" if event.resolution is None else f'"resolution":"{event.resolution.value}",'
    return (
        f'{{"actor":{quoted(event.actor)},{claim}{chosen}"kind":"{event.kind.value}",'
        f'"reason":{quoted(event.reason)},{resolution}"secret":"{event.secret.hex()}",'
        f'"tx_from":{event.tx_from}}}'
    )


def _claim(claim: ClaimEntry, withheld: bool) -> str:
    return f'{{"claim_id":{quoted(claim.claim_id)},"row":{_row(claim.row, withheld)}}}'


def episode_line(entry: EpisodeEntry, *, withheld: bool = False) -> str:
    """Return an episode as a line of `episodes.jsonl`."""
    draft = entry.draft
    session = "" if draft.session_id is None else f'"session_id":{quoted(draft.session_id)},'
    if withheld:
        commitment = f'"commitment":"{episode_commitment(entry)}",'
        content = metadata = secret = ""
    else:
        commitment = ""
        content = f'"content":{quoted(draft.content)},'
        metadata = f'"metadata":{canonical(draft.metadata)},'
        secret = f'"secret":"{entry.secret.hex()}",'
    return (
        f'{{"agent_id":{quoted(entry.agent_id)},{commitment}{content}'
        f'"episode_id":{quoted(draft.episode_id)},"kind":"{draft.kind.value}",{metadata}'
        f'"occurred_at":{to_micros(draft.occurred_at)},{secret}{session}'
        f'"tx_from":{entry.tx_from}}}\n'
    )


def episode_commitment(entry: EpisodeEntry) -> str:
    """Return the commitment of an episode's content, in hex."""
    draft = entry.draft
    said = canonical([draft.content, draft.metadata, entry.agent_id, draft.session_id])
    return commitment(entry.secret, "content", said)


def attribute_line(entry: AttributeEntry) -> str:
    """Return a registry entry as a line of `attributes.jsonl`."""
    it = entry.attribute
    members = {
        "name": it.name,
        "memory_type": it.memory_type,
        "cardinality": it.cardinality.value,
        "sensitive": it.sensitive,
        "retention_policy": it.retention_policy,
        "schema_version": it.schema_version,
        "tx_from": entry.tx_from,
    }
    if entry.tx_to is not None:
        members["tx_to"] = entry.tx_to
    return canonical(members) + "\n"


def transaction_line(sealed: Sealed, *, out_of_scope: bool = False) -> str:
    """Return a transaction as a line of `transactions.jsonl`."""
    header = sealed.header
    actor = reason = secret = commitment = ""
    if out_of_scope:
        commitment = f'"commitment":"{header_commitment(header)}",'
    else:
        actor = f'"actor":{quoted(header.actor)},'
        reason = "" if header.reason is None else f'"reason":{quoted(header.reason)},'
        secret = f'"secret":"{header.secret.hex()}",'
    reverts = "" if header.reverts is None else f'"reverts":{header.reverts},'
    return (
        f'{{{actor}{commitment}"digest":"{sealed.digest}","entries":{sealed.entries},'
        f'"kind":"{header.kind.value}","number":{header.number},{reason}'
        f'"recorded_at":{header.recorded_at},{reverts}{secret}"tool":{quoted(header.tool)},'
        f'"total":{sealed.total}}}\n'
    )


def header_commitment(header: TransactionHeader) -> str:
    """Return the commitment of who wrote a transaction and why, in hex."""
    return commitment(header.secret, "header", canonical([header.actor, header.reason]))


def omitted_line(number: int, sign: str, digest: str) -> str:
    """Return the digest of an entry out of scope as a line of `omitted.jsonl`."""
    return f'{{"digest":"{sign}{digest}","transaction":{number}}}\n'


def evidence_text(sources: Iterable[tuple[int, str, tuple[int, int] | None]]) -> str:
    """Return the evidence of a fact as JSON, from transaction, episode and span of each link."""
    links = [
        f'{{"episode_id":{quoted(episode_id)},"span":'
        f'{"null" if span is None else f"[{span[0]},{span[1]}]"},"transaction":{number}}}'
        for number, episode_id, span in sources
    ]
    return f"[{','.join(links)}]"


def iso_text(micros: int) -> str:
    """Return an instant as `store.temporal.iso` does, in less time for the instants of a day."""
    day, of_day = divmod(micros, _DAY)
    second, fraction = divmod(of_day, 1_000_000)
    minute, second = divmod(second, 60)
    start = _minute_text(day, minute)
    return f"{start}{second:02}.{fraction:06}Z" if fraction else f"{start}{second:02}Z"


@lru_cache(maxsize=16_384)
def _minute_text(day: int, minute: int) -> str:
    return iso(day * _DAY + minute * 60_000_000).removesuffix("00Z")
